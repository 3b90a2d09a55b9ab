#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/Selection.h"
#include "app/editor/ViewSettings.h"

#include <set>
#include <string>
#include <vector>

namespace tendon::editor {

/// What of a frame the view shows and lets be picked: the document's hidden and locked objects, and what is isolated.
class Visibility
{
public:
    /// Costs nothing if none of it has changed since the last call. True: something has changed.
    bool update(const FrameResult& frame, const ViewState& state);

    [[nodiscard]] bool isShown(JointIndex joint) const { return m_joints.empty() || m_joints[at(joint)] != 0; }
    [[nodiscard]] bool isShown(HandleId handle) const { return m_hiddenHandles.count(handle.value) == 0; }
    [[nodiscard]] bool isShown(const Mesh& mesh) const;
    [[nodiscard]] bool isLocked(ObjectId object) const;
    /// Shown and not locked.
    [[nodiscard]] bool isPickable(JointIndex joint) const;
    [[nodiscard]] bool isPickable(HandleId handle) const { return isShown(handle) && !isLocked(handle.value); }

    /// (joints of the rig) 1 = shown; empty = all are.
    [[nodiscard]] const std::vector<std::uint8_t>& joints() const { return m_joints; }

private:
    std::shared_ptr<const CompiledRig> m_rig;
    Shared<ViewSetup> m_view;
    std::set<ObjectId> m_isolated, m_hiddenHandles;
    std::vector<std::uint8_t> m_joints;
};

/// What an isolated selection shows: the selected joints with all below them, the selected handles with their chains.
[[nodiscard]] std::set<ObjectId> isolatedBy(const Scene& scene, const Selection& selection);

} // namespace tendon::editor

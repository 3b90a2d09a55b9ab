#pragma once

#include "app/editor/Visibility.h"
#include "app/viewport/overlay/OverlayColours.h"

#include <optional>
#include <vector>

namespace tendon::viewport {

/// How a joint and the bones that start at it are drawn.
enum class BoneState : std::uint8_t { Normal, Locked, Chain, Hovered, Selected, Error };

/// A colour of its own for a bone that would be drawn as Normal.
struct BoneTint
{
    std::optional<Rgba> colour;
    bool isDashed = false;
};

/// One bone of the drawn skeleton: from a joint to one of its children.
struct Bone
{
    JointIndex joint = -1, child = -1;
};

/// The bones of a rig: one to each child that is not at its parent's position in the rest pose.
[[nodiscard]] std::vector<Bone> bonesOf(const CompiledRig& rig);

/// Draws bones from far to near, then the joints' rings: small ones, larger at roots, a bar at terminators. States are
/// per joint of the rig. With X-ray they are drawn over everything; otherwise nearer surfaces hide them. `terminator`:
/// the joint at which what is being dragged stops, which gets the bar as well; -1 = none. `tints`: per joint, or empty.
void drawBones(DisplayList& list, const View& view, const editor::FrameResult& frame, const std::vector<Bone>& bones,
               const std::vector<BoneState>& states, const std::vector<BoneTint>& tints,
               const editor::Visibility& visibility, JointIndex terminator, bool isXray, const OverlayColours& colours);

} // namespace tendon::viewport

#pragma once

#include "app/editor/FrameResult.h"
#include "app/editor/Marks.h"
#include "core/retarget/RoledFigure.h"
#include "core/runtime/PoseSampler.h"

#include <QObject>
#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tendon::editor {

/// The colours of joints by the roles that they have; joints of `rig` without one are not known.
[[nodiscard]] std::map<JointId, RoleColour> coloursOf(const CompiledRig& rig, const RoleMap& roles);

/// The second figure of the view: the skeleton of a motion that a task takes over, in the motion's pose at the shown
/// time, beside or upon the character; and what joints of both are. No part of the document. GUI thread.
class MotionFigure : public QObject
{
    Q_OBJECT
public:
    struct Content
    {
        std::shared_ptr<const Scene> scene; ///< the motion's own; never null
        std::shared_ptr<const CompiledRig> rig;
        ClipId clip;
        std::shared_ptr<const WorldPose> still; ///< shown instead of the clip's poses; null = none
        Affine worldFromMotion = Affine::Identity();
        JointId anchor;                        ///< whose travel over the floor is taken out; none = it travels
        bool hidesCharacter = false;           ///< the motion alone
        QString name, characterName;           ///< over the heads; "" = none
        std::map<JointId, RoleColour> colours; ///< of its joints
        std::vector<JointId> doubted;          ///< joints of the motion whose role is to be checked
    };
    using ContentPtr = std::shared_ptr<const Content>;

    /// Null: there is none.
    void show(ContentPtr content);
    [[nodiscard]] bool isShown() const { return m_content != nullptr; }
    [[nodiscard]] const Content& content() const { return *m_content; } ///< precondition: isShown()

    /// Its pose at a time, in the world, valid until the next call; null: there is none. Allocates only after show().
    [[nodiscard]] const FrameResult* at(Time time);

    /// Joints of the two figures that belong together, as pointed at in a table; either may be none.
    struct Link
    {
        JointId motion, character;
        bool operator==(const Link&) const = default;
    };
    void setLinks(std::vector<Link> links);
    [[nodiscard]] const std::vector<Link>& links() const { return m_links; }

    // By the mouse in the view
    void setHovered(JointId joint); ///< of the motion; none = none
    [[nodiscard]] JointId hovered() const { return m_hovered; }
    void pick(JointId joint, bool isAlone) { emit picked(joint, isAlone); }

signals:
    void changed();
    void hoverChanged();
    void picked(tendon::JointId joint, bool isAlone); ///< a joint of the motion; alone: without its mirror image

private:
    ContentPtr m_content;
    std::vector<Link> m_links;
    JointId m_hovered;
    std::optional<PoseSampler> m_sampler;
    FrameResult m_frame;
    std::optional<Vector3> m_anchoredAt; ///< [m] of the anchor at the clip's begin, in the motion's own world
};

} // namespace tendon::editor

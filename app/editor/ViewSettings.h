#pragma once

#include "core/scene/ViewSetup.h"

#include <QObject>

#include <functional>
#include <optional>
#include <set>

namespace tendon::editor {

enum class Shading { Shaded, ShadedWire, Wire };
enum class CameraKind { Perspective, Front, Back, Right, Left, Top, Bottom };
enum class Tool { Select, Move, Rotate, Scale, Link };
enum class RotationForm { Euler, Vector }; ///< how the inspector shows rotations
enum class GizmoSpace { Local, World, Parent };
enum class GhostPlace { Steps, Keys };          ///< which frames around the shown one have ghosts
enum class Follow { Nothing, Root, Selection }; ///< what the camera goes along with from frame to frame
enum class Navigation { Maya, Blender, Max };   ///< which mouse buttons turn, move and zoom the camera

/// Instead of a number of links: where a limb leaves the trunk of a model that was not rigged.
inline constexpr int kAtLimbs = 0;

/// How the scene is looked at and worked on: no part of the document, kept between sessions by the window.
struct ViewState
{
    Shading shading = Shading::Shaded;
    bool isXray = true; ///< joints and bones are drawn over the mesh
    bool showsMesh = true;
    bool showsJoints = true;
    bool showsHandles = true;
    bool showsLimits = true;
    bool showsLabels = true;
    bool showsRoles = true; ///< bones in the colours of their roles, while a task knows those
    bool showsGrid = true;
    bool showsHud = true;
    bool isMultisampled = false;
    CameraKind camera = CameraKind::Perspective;
    Navigation navigation = Navigation::Maya;

    Tool tool = Tool::Move;
    GizmoSpace space = GizmoSpace::World;
    bool isSnapping = false;
    double snapLength = 0.05; ///< [m]
    double snapAngle = 15;    ///< [degrees]

    RotationForm rotations = RotationForm::Euler;

    bool showsGhosts = false; ///< the model at other frames
    GhostPlace ghostPlace = GhostPlace::Steps;
    int ghostCount = 3; ///< on each side of the shown frame
    int ghostStep = 2;  ///< [frames] between them
    bool ghostsAreBones = false;
    std::set<int> pinnedGhosts; ///< frames whose ghosts stay, wherever the playhead is
    bool showsTrails = false;   ///< the paths of what is selected
    bool hidesRigInPlayback = false;
    Follow follow = Follow::Nothing;
    std::set<ObjectId> isolated; ///< joints and handles that alone are shown; none = all

    bool isInteractiveIk = true;                    ///< dragging a joint takes what is above along
    std::optional<int> terminationDepth = kAtLimbs; ///< of interactive IK: the joint this many links up stays put

    bool operator==(const ViewState&) const = default;
};

class ViewSettings : public QObject
{
    Q_OBJECT
public:
    explicit ViewSettings(QObject* parent = nullptr) : QObject(parent) {}

    [[nodiscard]] const ViewState& state() const { return m_state; }
    void set(const ViewState& state)
    {
        if (state == m_state) return;
        m_state = state;
        emit changed();
    }
    /// settings.edit([](ViewState& s) { s.showsGrid = false; });
    template <typename F>
    void edit(F&& change)
    {
        ViewState next = m_state;
        std::forward<F>(change)(next);
        set(next);
    }

    /// Where the view looks from, for a save to keep. Unset: there is no view.
    std::function<ViewCamera()> camera;

signals:
    void changed();

private:
    ViewState m_state;
};

} // namespace tendon::editor

#pragma once

#include "app/editor/ViewSettings.h"
#include "app/widgets/PlayblastRun.h"
#include "core/scene/Scene.h"

#include <QImage>
#include <QWidget>

#include <functional>

namespace tendon::editor {

/// What the main window needs of the 3D view. Only app/gui knows both.
struct ViewportPort
{
    QWidget* widget = nullptr;
    QWidget* area = nullptr; ///< that holds it and the other views; null = there is only one
    std::function<void()> frameAll;
    std::function<void()> frameSelected;
    std::function<void(CameraKind)> lookFrom;
    /// The next two clicks pick a chain; with a joint `selected`, the next one does. See MainWindow::makeHandle.
    std::function<void(JointId selected)> startChainPick = {};
    std::function<void(JointId joint)> pickChainJoint = {}; ///< as a click on the joint in the view
    /// Moves, rotates or scales the selection with the mouse alone; false: nothing is selected that can be.
    std::function<bool(Tool)> startModal = {};
    std::function<QImage(const Scene&, QSize pixels, double pixelRatio)> draw =
        {};                                         ///< another model, whole and in its rest pose
    std::function<void(const Scene&)> prepare = {}; ///< prepares a model for drawing before it is opened [any thread]
    std::function<QImage(QSize)> grab;              ///< a picture of the view at another size
    std::function<ViewCamera()> camera = {};        ///< of the active view
    std::function<void(const ViewCamera&)> setCamera = {};
    std::function<void()> previousView = {}, nextView = {};
    std::function<bool()> hasPreviousView = {}, hasNextView = {};
    std::function<void(bool)> setFourViews = {}; ///< four views, or the active one alone
    std::function<bool()> hasFourViews = {};
    std::function<PlayblastRun*(const PlayblastOptions&)> playblast = {}; ///< begins one; it deletes itself at its end
};

} // namespace tendon::editor

#include "app/editor/Theme.h"
#include "app/widgets/MainWindow.h"

#include <QDockWidget>

namespace tendon::editor {

/// The switches of the tab Compare; they open it, as they have no effect without it.
static void addCompareCommands(MainWindow& window)
{
    MainWindow* w = &window;
    Comparison* comparison = &window.editor().comparison();
    StepDisplay* display = &window.editor().stepDisplay();
    window.commands().add({.id = "compare.playing",
                           .menu = {Command::tr("Animate")},
                           .text = Command::tr("Passes while playing"),
                           .tip = Command::tr("While the timeline plays, show each solve pass by pass, not its answer"),
                           .run =
                               [w, comparison] {
                                   w->showBottom(BottomTab::Compare);
                                   Comparison::View view = comparison->view();
                                   view.showsPasses = !view.showsPasses;
                                   comparison->setView(view);
                               },
                           .isOn = [comparison] { return comparison->view().showsPasses; },
                           .beginsGroup = true});
    window.commands().add({.id = "compare.eased",
                           .menu = {Command::tr("Animate")},
                           .text = Command::tr("Ease solved poses"),
                           .tip = Command::tr("Move the model to each solved pose within a second; nothing is keyed"),
                           .run =
                               [w, display] {
                                   w->showBottom(BottomTab::Compare);
                                   display->setEased(!display->isEased());
                               },
                           .isOn = [display] { return display->isEased(); }});
}

void addViewCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    ViewSettings* view = &window.editor().view();
    const auto toggle = [&](const char* id, const QStringList& menu, const QString& text, const QString& tip,
                            const char* icon, std::array<QString, 3> keys, bool ViewState::*flag,
                            bool beginsGroup = false) {
        table.add({.id = id,
                   .menu = menu,
                   .text = text,
                   .tip = tip,
                   .icon = icon,
                   .keys = std::move(keys),
                   .run = [view, flag] { view->edit([flag](ViewState& s) { s.*flag = !(s.*flag); }); },
                   .isOn = [view, flag] { return view->state().*flag; },
                   .beginsGroup = beginsGroup});
    };
    const auto choose = [&](const char* id, const QStringList& menu, const QString& text, const QString& tip,
                            const char* icon, std::array<QString, 3> keys, auto ViewState::*member, auto value,
                            bool beginsGroup = false) {
        table.add({.id = id,
                   .menu = menu,
                   .text = text,
                   .tip = tip,
                   .icon = icon,
                   .keys = std::move(keys),
                   .run = [view, member, value] { view->edit([&](ViewState& s) { s.*member = value; }); },
                   .isOn = [view, member, value] { return view->state().*member == value; },
                   .beginsGroup = beginsGroup});
    };

    toggle("solve.interactive", {Command::tr("Solve")}, Command::tr("Interactive IK"),
           Command::tr("Move the joints above a dragged joint by IK; when off, only the joint and its children move"),
           "interactive-ik", {"", "", ""}, &ViewState::isInteractiveIk);
    const std::pair<QString, std::optional<int>> depths[] = {
        {Command::tr("Off"), std::nullopt}, {Command::tr("1 link up"), 1},
        {Command::tr("2 links up"), 2},     {Command::tr("3 links up"), 3},
        {Command::tr("4 links up"), 4},     {Command::tr("At limbs without a rig"), kAtLimbs}};
    int number = 0;
    for (const auto& [text, depth] : depths)
        table.add({.id = QStringLiteral("solve.depth.%1").arg(number++),
                   .menu = {Command::tr("Solve"), Command::tr("Auto-termination")},
                   .text = text,
                   .tip = depth == kAtLimbs
                              ? Command::tr("Stop interactive IK at hips and collarbones of imported joints that have "
                                            "no limits")
                              : Command::tr("Stop interactive IK this many links above the dragged joint"),
                   .run = [view, depth = depth] { view->edit([&](ViewState& s) { s.terminationDepth = depth; }); },
                   .isOn = [view, depth = depth] { return view->state().terminationDepth == depth; }});

    choose("view.select", {Command::tr("View"), Command::tr("Tool")}, Command::tr("Select"),
           Command::tr("Select objects without moving them"), "select", {"Q", "", "Q"}, &ViewState::tool, Tool::Select);
    choose("view.move", {Command::tr("View"), Command::tr("Tool")}, Command::tr("Move"),
           Command::tr("Move selected items"), "move", {"W", "", "W"}, &ViewState::tool, Tool::Move);
    choose("view.rotate", {Command::tr("View"), Command::tr("Tool")}, Command::tr("Rotate"),
           Command::tr("Rotate the selection"), "rotate", {"E", "", "E"}, &ViewState::tool, Tool::Rotate);
    choose("view.scale", {Command::tr("View"), Command::tr("Tool")}, Command::tr("Scale"),
           Command::tr("Scale the selection"), "scale", {"R", "", "R"}, &ViewState::tool, Tool::Scale);
    struct Transform
    {
        const char *id, *icon;
        QString text, tip, key; ///< in Blender, where it needs no button of the mouse
        Tool tool;
    };
    const Transform transforms[] = {
        {"transform.move", "move", Command::tr("Move without a button"),
         Command::tr("Move the selection with the mouse: X, Y or Z for an axis, again for its own, digits for a value; "
                     "Return keeps it, Esc cancels"),
         "G", Tool::Move},
        {"transform.rotate", "rotate", Command::tr("Rotate without a button"),
         Command::tr("Rotate the selection with the mouse: X, Y or Z for an axis, again for its own, digits for "
                     "degrees; Return keeps it, Esc cancels"),
         "R", Tool::Rotate},
        {"transform.scale", "scale", Command::tr("Scale without a button"),
         Command::tr("Scale the selected joints with the mouse: X, Y or Z for an axis, digits for a factor; Return "
                     "keeps it, Esc cancels"),
         "S", Tool::Scale}};
    for (const Transform& each : transforms)
        table.add({.id = each.id,
                   .menu = {Command::tr("Edit"), Command::tr("Transform")},
                   .text = each.text,
                   .tip = each.tip,
                   .icon = each.icon,
                   .keys = {"", each.key, ""},
                   .run =
                       [w = &window, tool = each.tool] {
                           if (w->viewport().startModal) (void)w->viewport().startModal(tool); // it says why not
                       },
                   .whyNot =
                       [editor = &window.editor()] {
                           return editor->selection().isEmpty() ? Command::tr("Select a joint or a handle first")
                                                                : QString();
                       }});
    choose("view.link", {Command::tr("View"), Command::tr("Tool")}, Command::tr("Link by dragging"),
           Command::tr("Drag a joint onto its new parent in the view; both stay in place"), "link",
           {"Ctrl+L", "Ctrl+L", "Ctrl+L"}, &ViewState::tool, Tool::Link);
    choose("view.local", {Command::tr("View"), Command::tr("Axes")}, Command::tr("Local"),
           Command::tr("Use the object's own axes"), "space-local", {"", "", ""}, &ViewState::space, GizmoSpace::Local);
    choose("view.world", {Command::tr("View"), Command::tr("Axes")}, Command::tr("World"),
           Command::tr("Use the world's axes"), "space-world", {"", "", ""}, &ViewState::space, GizmoSpace::World);
    choose("view.parent", {Command::tr("View"), Command::tr("Axes")}, Command::tr("Parent"),
           Command::tr("Use the parent's axes"), "space-parent", {"", "", ""}, &ViewState::space, GizmoSpace::Parent);
    toggle("view.snap", {Command::tr("View")}, Command::tr("Snap"), Command::tr("Snap drags to steps of 5 cm or 15°"),
           "snap", {"", "", ""}, &ViewState::isSnapping);

    table.add({.id = "view.frameSelected",
               .menu = {Command::tr("View")},
               .text = Command::tr("Frame selected"),
               .tip = Command::tr("Frame the selection in the view"),
               .icon = "frame-selection",
               .keys = {"F", "Num+.", "Z"},
               .run = [w = &window] { w->viewport().frameSelected(); },
               .beginsGroup = true});
    table.add({.id = "view.frameAll",
               .menu = {Command::tr("View")},
               .text = Command::tr("Frame all"),
               .tip = Command::tr("Frame the whole scene in the view"),
               .icon = "frame-all",
               .keys = {"A", "Home", "Shift+Z"},
               .run = [w = &window] { w->viewport().frameAll(); }});
    struct Look
    {
        const char* id;
        QString text, tip;
        CameraKind kind;
        std::array<QString, 3> keys;
    };
    const Look looks[] = {{"view.front",
                           Command::tr("Front"),
                           Command::tr("View the scene from the front"),
                           CameraKind::Front,
                           {"Alt+1", "Num+1", "F"}},
                          {"view.right",
                           Command::tr("Right"),
                           Command::tr("View the scene from the right"),
                           CameraKind::Right,
                           {"Alt+2; F2", "Num+3", ""}},
                          {"view.left",
                           Command::tr("Left"),
                           Command::tr("View the scene from the left"),
                           CameraKind::Left,
                           {"", "Ctrl+Num+3", "L"}},
                          {"view.top",
                           Command::tr("Top"),
                           Command::tr("View the scene from the top"),
                           CameraKind::Top,
                           {"Alt+3", "Num+7", "T"}},
                          {"view.back",
                           Command::tr("Back"),
                           Command::tr("View the scene from the back"),
                           CameraKind::Back,
                           {"", "Ctrl+Num+1", ""}},
                          {"view.bottom",
                           Command::tr("Bottom"),
                           Command::tr("View the scene from the bottom"),
                           CameraKind::Bottom,
                           {"", "Ctrl+Num+7", ""}},
                          {"view.perspective",
                           Command::tr("Perspective"),
                           Command::tr("View the scene in perspective"),
                           CameraKind::Perspective,
                           {"Alt+4; F4", "Num+5", "P"}}};
    for (const Look& look : looks)
        table.add({.id = look.id,
                   .menu = {Command::tr("View"), Command::tr("Camera")},
                   .text = look.text,
                   .tip = look.tip,
                   .icon = "camera",
                   .keys = look.keys,
                   .run =
                       [w = &window, kind = look.kind] {
                           w->editor().view().edit([&](ViewState& s) { s.camera = kind; });
                           w->viewport().lookFrom(kind);
                       },
                   .isOn = [view, kind = look.kind] { return view->state().camera == kind; }});

    choose("view.shaded", {Command::tr("View"), Command::tr("Shading")}, Command::tr("Shaded"),
           Command::tr("Show the model lit, with materials"), "shaded", {"5", "", ""}, &ViewState::shading,
           Shading::Shaded);
    choose("view.shadedWire", {Command::tr("View"), Command::tr("Shading")}, Command::tr("Shaded with edges"),
           Command::tr("Show the model lit, with the edges of its triangles"), "layers", {"", "", "F4"},
           &ViewState::shading, Shading::ShadedWire);
    choose("view.wire", {Command::tr("View"), Command::tr("Shading")}, Command::tr("Wireframe"),
           Command::tr("Show only the edges of the model"), "wire", {"4", "", ""}, &ViewState::shading, Shading::Wire);
    toggle("view.xray", {Command::tr("View")}, Command::tr("X-ray"),
           Command::tr("Show joints and bones through the mesh"), "xray", {"Alt+X", "Alt+Z", "Alt+X"},
           &ViewState::isXray, true);
    toggle("view.mesh", {Command::tr("View")}, Command::tr("Meshes"), Command::tr("Show the model"), "mesh",
           {"", "", ""}, &ViewState::showsMesh);
    toggle("view.joints", {Command::tr("View")}, Command::tr("Joints"), Command::tr("Show joints and bones"),
           "skeleton", {"", "", ""}, &ViewState::showsJoints);
    toggle("view.handles", {Command::tr("View")}, Command::tr("Handles"),
           Command::tr("Show goals, chains, handle vectors and poles"), "ik-handle", {"", "", ""},
           &ViewState::showsHandles);
    toggle("view.limits", {Command::tr("View")}, Command::tr("Limits"),
           Command::tr("Show the limits of the selected joints"), "limit", {"", "", ""}, &ViewState::showsLimits);
    toggle("view.labels", {Command::tr("View")}, Command::tr("Labels"), Command::tr("Show names and values"), "info",
           {"", "", ""}, &ViewState::showsLabels);
    toggle("view.roles", {Command::tr("View")}, Command::tr("Roles"),
           Command::tr("Show left, right and centre in their colours while a task says which joint is what"),
           "guess-rig", {"", "", ""}, &ViewState::showsRoles);
    toggle("view.grid", {Command::tr("View")}, Command::tr("Grid"), Command::tr("Show the floor grid"), "grid",
           {"", "", "G"}, &ViewState::showsGrid);
    toggle("view.hud", {Command::tr("View")}, Command::tr("Statistics"),
           Command::tr("Show frames per second, solve time, iterations and errors"), "hud", {"H", "", "H"},
           &ViewState::showsHud);
    toggle("view.smooth", {Command::tr("View")}, Command::tr("Anti-aliasing"),
           Command::tr("Smooth edges by multisampling; slower without a graphics card"), "swing", {"", "", ""},
           &ViewState::isMultisampled);

    choose("view.rotations.euler", {Command::tr("View"), Command::tr("Rotations as")}, Command::tr("Euler angles"),
           Command::tr("Show rotations as angles about three axes"), "rotate", {"", "", ""}, &ViewState::rotations,
           RotationForm::Euler);
    choose("view.rotations.vector", {Command::tr("View"), Command::tr("Rotations as")}, Command::tr("Rotation vectors"),
           Command::tr("Show rotations as rotation vectors: the axis, as long as the angle"), "rotate", {"", "", ""},
           &ViewState::rotations, RotationForm::Vector);

    MainWindow* w = &window;
    table.add({.id = "window.dark",
               .menu = {Command::tr("Window"), Command::tr("Theme")},
               .text = Command::tr("Dark"),
               .tip = Command::tr("Use the dark theme"),
               .run = [w] { w->setTheme(Theme::Kind::Dark, Theme::instance().scale()); },
               .isOn = [] { return Theme::instance().isDark(); }});
    table.add({.id = "window.light",
               .menu = {Command::tr("Window"), Command::tr("Theme")},
               .text = Command::tr("Light"),
               .tip = Command::tr("Use the light theme"),
               .run = [w] { w->setTheme(Theme::Kind::Light, Theme::instance().scale()); },
               .isOn = [] { return !Theme::instance().isDark(); }});
    for (const int percent : {100, 125, 150, 175, 200})
        table.add({.id = QStringLiteral("window.scale.%1").arg(percent),
                   .menu = {Command::tr("Window"), Command::tr("Scale")},
                   .text = QStringLiteral("%1 %").arg(percent),
                   .tip = Command::tr("Scale the interface"),
                   .run = [w, percent] { w->setTheme(Theme::instance().kind(), percent / 100.0); },
                   .isOn = [percent] { return qRound(Theme::instance().scale() * 100) == percent; }});
    for (int preset = 0; preset < 3; ++preset)
        table.add({.id = QStringLiteral("window.keys.%1").arg(preset),
                   .menu = {Command::tr("Window"), Command::tr("Keys like")},
                   .text = QString::fromLatin1(kKeyPresetNames[static_cast<std::size_t>(preset)]),
                   .tip = Command::tr("Use the shortcuts and mouse buttons of this program"),
                   .run = [w, preset] { w->setKeyPreset(static_cast<KeyPreset>(preset)); },
                   .isOn = [w, preset] { return static_cast<int>(w->commands().preset()) == preset; }});
    table.add({.id = "window.reset",
               .menu = {Command::tr("Window")},
               .text = Command::tr("Reset layout"),
               .tip = Command::tr("Restore the default layout of the panels"),
               .run = [w] { w->resetLayout(); },
               .beginsGroup = true});
    struct Tab
    {
        const char* id;
        QString text, tip;
        BottomTab tab;
    };
    const Tab tabs[] = {
        {"window.timeline", Command::tr("Timeline"), Command::tr("Show only the timeline"), BottomTab::Timeline},
        {"window.dope", Command::tr("Dope sheet"), Command::tr("Show the dope sheet"), BottomTab::DopeSheet},
        {"window.graph", Command::tr("Graph"), Command::tr("Show the curves of the selection"), BottomTab::Graph},
        {"window.compare", Command::tr("Compare"), Command::tr("Show solvers at work, step by step"),
         BottomTab::Compare},
        {"window.log", Command::tr("Log"), Command::tr("Show errors, warnings and notes"), BottomTab::Log},
        {"window.script", Command::tr("Script"), Command::tr("Show what you do as a script"), BottomTab::Script}};
    for (const Tab& each : tabs)
        table.add({.id = each.id,
                   .menu = {Command::tr("Window")},
                   .text = each.text,
                   .tip = each.tip,
                   .run = [w, tab = each.tab] { w->showBottom(tab); },
                   .beginsGroup = each.tab == BottomTab::Timeline});
    const std::pair<const char*, QString> panels[] = {{"dock.outliner", Command::tr("Outliner")},
                                                      {"dock.inspector", Command::tr("Inspector")},
                                                      {"dock.poses", Command::tr("Poses")},
                                                      {"dock.time", Command::tr("Bottom panel")}};
    for (const auto& [name, title] : panels) {
        const auto find = [w, name = name] { return w->findChild<QDockWidget*>(QLatin1StringView(name)); };
        table.add({.id = QStringLiteral("window.%1").arg(QLatin1StringView(name)),
                   .menu = {Command::tr("Window")},
                   .text = title,
                   .tip = Command::tr("Show or hide the panel %1").arg(title),
                   .run = [find] { find()->setVisible(!find()->isVisible()); },
                   .isOn = [find] { return find() != nullptr && find()->isVisible(); },
                   .beginsGroup = title == Command::tr("Outliner")});
    }
    addCompareCommands(window);
}

} // namespace tendon::editor

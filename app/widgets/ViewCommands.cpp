#include "app/editor/Theme.h"
#include "app/widgets/MainWindow.h"

namespace tendon::editor {

void addViewCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    ViewSettings* view = &window.editor().view();
    const auto toggle = [&](const char* id, const char* menu, const char* text, const char* tip, const char* icon,
                            std::array<QString, 3> keys, bool ViewState::*flag, bool beginsGroup = false) {
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
    const auto choose = [&](const char* id, const char* menu, const char* text, const char* tip, const char* icon,
                            std::array<QString, 3> keys, auto ViewState::*member, auto value,
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

    toggle("solve.interactive", "Solve", "Interactive IK",
           "Dragging a joint takes what is above along; off: only it and what is below move", "interactive-ik",
           {"", "", ""}, &ViewState::isInteractiveIk);
    const std::pair<const char*, std::optional<int>> depths[] = {
        {"Off", std::nullopt}, {"1 link up", 1}, {"2 links up", 2}, {"3 links up", 3}, {"4 links up", 4}};
    int number = 0;
    for (const auto& [text, depth] : depths)
        table.add({.id = QStringLiteral("solve.depth.%1").arg(number++),
                   .menu = "Solve|Auto-termination",
                   .text = text,
                   .tip = "Interactive IK: the joint this many links above what is grabbed stays put",
                   .run = [view, depth = depth] { view->edit([&](ViewState& s) { s.terminationDepth = depth; }); },
                   .isOn = [view, depth = depth] { return view->state().terminationDepth == depth; }});

    choose("view.select", "View|Tool", "Select", "Picks, and moves nothing", "select", {"Q", "", "Q"}, &ViewState::tool,
           Tool::Select);
    choose("view.move", "View|Tool", "Move", "Moves what is selected", "move", {"W", "G", "W"}, &ViewState::tool,
           Tool::Move);
    choose("view.rotate", "View|Tool", "Rotate", "Turns what is selected", "rotate", {"E", "R", "E"}, &ViewState::tool,
           Tool::Rotate);
    choose("view.scale", "View|Tool", "Scale", "Scales what is selected", "scale", {"R", "S", "R"}, &ViewState::tool,
           Tool::Scale);
    choose("view.local", "View|Axes", "Local", "Along the object's own axes", "space-local", {"", "", ""},
           &ViewState::space, GizmoSpace::Local);
    choose("view.world", "View|Axes", "World", "Along the world's axes", "space-world", {"", "", ""}, &ViewState::space,
           GizmoSpace::World);
    choose("view.parent", "View|Axes", "Parent", "Along the parent's axes", "space-parent", {"", "", ""},
           &ViewState::space, GizmoSpace::Parent);
    toggle("view.snap", "View", "Snap", "Drags go in steps of 5 cm or 15°", "snap", {"", "", ""},
           &ViewState::isSnapping);

    table.add({.id = "view.frameSelected",
               .menu = "View",
               .text = "Frame selected",
               .tip = "Brings what is selected into view",
               .icon = "frame-selection",
               .keys = {"F", "Num+.", "Z"},
               .run = [w = &window] { w->viewport().frameSelected(); },
               .beginsGroup = true});
    table.add({.id = "view.frameAll",
               .menu = "View",
               .text = "Frame all",
               .tip = "Brings everything into view",
               .icon = "frame-all",
               .keys = {"A", "Home", "Shift+Z"},
               .run = [w = &window] { w->viewport().frameAll(); }});
    struct Look
    {
        const char *id, *text;
        CameraKind kind;
        std::array<QString, 3> keys;
    };
    const Look looks[] = {{"view.front", "Front", CameraKind::Front, {"Alt+1", "Num+1", "F"}},
                          {"view.right", "Right", CameraKind::Right, {"Alt+2; F2", "Num+3", ""}},
                          {"view.left", "Left", CameraKind::Left, {"", "Ctrl+Num+3", "L"}},
                          {"view.top", "Top", CameraKind::Top, {"Alt+3", "Num+7", "T"}},
                          {"view.back", "Back", CameraKind::Back, {"", "Ctrl+Num+1", ""}},
                          {"view.bottom", "Bottom", CameraKind::Bottom, {"", "Ctrl+Num+7", ""}},
                          {"view.perspective", "Perspective", CameraKind::Perspective, {"Alt+4; F4", "Num+5", "P"}}};
    for (const Look& look : looks)
        table.add({.id = look.id,
                   .menu = "View|Camera",
                   .text = look.text,
                   .tip = "Looks from there",
                   .icon = "camera",
                   .keys = look.keys,
                   .run =
                       [w = &window, kind = look.kind] {
                           w->editor().view().edit([&](ViewState& s) { s.camera = kind; });
                           w->viewport().lookFrom(kind);
                       },
                   .isOn = [view, kind = look.kind] { return view->state().camera == kind; }});

    choose("view.shaded", "View|Shading", "Shaded", "Lit, with materials", "shaded", {"5", "", ""}, &ViewState::shading,
           Shading::Shaded);
    choose("view.shadedWire", "View|Shading", "Shaded with edges", "Lit, with the triangles' edges", "layers",
           {"", "", "F4"}, &ViewState::shading, Shading::ShadedWire);
    choose("view.wire", "View|Shading", "Wireframe", "Edges alone", "wire", {"4", "", ""}, &ViewState::shading,
           Shading::Wire);
    toggle("view.xray", "View", "X-ray", "Joints and bones show through the mesh", "xray", {"Alt+X", "Alt+Z", "Alt+X"},
           &ViewState::isXray, true);
    toggle("view.mesh", "View", "Meshes", "Shows the model", "mesh", {"", "", ""}, &ViewState::showsMesh);
    toggle("view.joints", "View", "Joints", "Shows joints and bones", "skeleton", {"", "", ""},
           &ViewState::showsJoints);
    toggle("view.handles", "View", "Handles", "Shows goals, wires, vectors and poles", "ik-handle", {"", "", ""},
           &ViewState::showsHandles);
    toggle("view.limits", "View", "Limits", "Shows the limits of what is selected", "limit", {"", "", ""},
           &ViewState::showsLimits);
    toggle("view.labels", "View", "Labels", "Shows names and figures", "info", {"", "", ""}, &ViewState::showsLabels);
    toggle("view.grid", "View", "Grid", "Shows the floor", "grid", {"", "", "G"}, &ViewState::showsGrid);
    toggle("view.hud", "View", "Figures", "Shows frames a second, solve time, iterations and errors", "hud",
           {"H", "", "H"}, &ViewState::showsHud);
    toggle("view.smooth", "View", "Smooth edges", "Draws with multisampling: slower without a graphics card", "swing",
           {"", "", ""}, &ViewState::isMultisampled);

    MainWindow* w = &window;
    table.add({.id = "window.dark",
               .menu = "Window|Theme",
               .text = "Dark",
               .tip = "Dark theme",
               .run = [w] { w->setTheme(Theme::Kind::Dark, Theme::instance().scale()); },
               .isOn = [] { return Theme::instance().isDark(); }});
    table.add({.id = "window.light",
               .menu = "Window|Theme",
               .text = "Light",
               .tip = "Light theme",
               .run = [w] { w->setTheme(Theme::Kind::Light, Theme::instance().scale()); },
               .isOn = [] { return !Theme::instance().isDark(); }});
    for (const int percent : {100, 125, 150, 175, 200})
        table.add({.id = QStringLiteral("window.scale.%1").arg(percent),
                   .menu = "Window|Scale",
                   .text = QStringLiteral("%1 %").arg(percent),
                   .tip = "Size of the interface; panels take all of it at the next start",
                   .run = [w, percent] { w->setTheme(Theme::instance().kind(), percent / 100.0); },
                   .isOn = [percent] { return qRound(Theme::instance().scale() * 100) == percent; }});
    for (int preset = 0; preset < 3; ++preset)
        table.add({.id = QStringLiteral("window.keys.%1").arg(preset),
                   .menu = "Window|Keys like",
                   .text = kKeyPresetNames[static_cast<std::size_t>(preset)],
                   .tip = "Shortcuts and mouse buttons",
                   .run = [w, preset] { w->setKeyPreset(static_cast<KeyPreset>(preset)); },
                   .isOn = [w, preset] { return static_cast<int>(w->commands().preset()) == preset; }});
    table.add({.id = "window.reset",
               .menu = "Window",
               .text = "Reset layout",
               .tip = "Brings all panels back to their places",
               .run = [w] { w->resetLayout(); },
               .beginsGroup = true});
    const std::pair<const char*, const char*> tabs[] = {{"window.timeline", "Timeline"},
                                                        {"window.dope", "Dope sheet"},
                                                        {"window.log", "Message log"},
                                                        {"window.script", "Script"}};
    for (int i = 0; i < 4; ++i)
        table.add({.id = tabs[i].first,
                   .menu = "Window",
                   .text = tabs[i].second,
                   .tip = "Shows it in the bottom dock",
                   .run = [w, i] { w->showBottom(i); },
                   .beginsGroup = i == 0});
}

} // namespace tendon::editor

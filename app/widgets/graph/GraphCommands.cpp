#include "app/widgets/graph/GraphCommands.h"

#include "app/widgets/MainWindow.h"
#include "app/widgets/graph/GraphEdits.h"
#include "app/widgets/graph/GraphPanel.h"
#include "app/widgets/graph/GraphView.h"
#include "core/scene/Check.h"

#include <QInputDialog>

namespace tendon::editor {
namespace {

/// Why a command can't run whose operation, or a field or a choice of it, the table of operations lacks.
std::function<UserText()> needing(const std::function<UserText()>& other, const char* operation, const char* field = "",
                                  const char* choice = "")
{
    if (isKnown(operation, field, choice)) return other;
    return []() -> UserText { return Command::tr("There is no operation for this yet"); };
}

/// What a button of the row of tangents sets.
struct TangentKind
{
    const char *id, *icon;
    QString text, tip;
    const char *mode, *interpolation; ///< of setTangent; mode "" = left as it is
};

/// Whether all selected keys are of a kind.
bool areAll(const GraphState& state, const TangentKind& kind)
{
    static constexpr const char* kModes[] = {"auto", "free", "flat", "linear", "aligned"};
    static constexpr const char* kInterpolations[] = {"step", "linear", "bezier"};
    if (state.selected().empty()) return false;
    for (const auto& [id, ticks] : state.selected()) {
        const GraphCurve* curve = state.find(id);
        if (curve == nullptr) return false;
        for (const std::int64_t each : ticks) {
            const auto index = curve->summary->find(each);
            if (!index) return false;
            const Key& key = (*curve->keys)[*index];
            if (QLatin1StringView(kInterpolations[static_cast<std::size_t>(key.interpolation)]) !=
                    QLatin1StringView(kind.interpolation) ||
                (*kind.mode != 0 &&
                 QLatin1StringView(kModes[static_cast<std::size_t>(key.tangents)]) != QLatin1StringView(kind.mode)))
                return false;
        }
    }
    return true;
}

void addTangentCommands(CommandTable& table, const std::function<GraphState&()>& state,
                        const std::function<UserText()>& needsKeys)
{
    const TangentKind kinds[] = {
        {"graph.auto", "tangent-auto", Command::tr("Auto tangents"),
         Command::tr("Make the selected keys smooth without overshoot"), "auto", "bezier"},
        {"graph.smooth", "tangent-smooth", Command::tr("Aligned tangents"),
         Command::tr("Keep both tangents of the selected keys in one line"), "aligned", "bezier"},
        {"graph.linear", "tangent-linear", Command::tr("Linear tangents"),
         Command::tr("Point the tangents of the selected keys at their neighbours"), "linear", "bezier"},
        {"graph.flat", "tangent-flat", Command::tr("Flat tangents"), Command::tr("Make the selected keys level"),
         "flat", "bezier"},
        {"graph.step", "tangent-step", Command::tr("Stepped"), Command::tr("Hold the selected keys up to the next one"),
         "", "step"},
        {"graph.broken", "tangent-broken", Command::tr("Break tangents"),
         Command::tr("Let the two tangents of the selected keys turn independently"), "free", "bezier"}};
    for (const TangentKind& kind : kinds)
        table.add({.id = kind.id,
                   .menu = {Command::tr("Animate"), Command::tr("Tangents")},
                   .text = kind.text,
                   .tip = kind.tip,
                   .icon = kind.icon,
                   .run =
                       [state, kind] {
                           QJsonObject fields{{"interpolation", kind.interpolation}};
                           if (*kind.mode != 0) fields.insert("mode", kind.mode);
                           GraphState& graph = state();
                           (void)graph.editor().document().applyAsOne(
                               setTangents(graph, graph.selected(), fields, false));
                       },
                   .whyNot = *kind.mode == 0 ? needsKeys : needing(needsKeys, "setTangent", "mode", kind.mode),
                   .isOn = [state, kind] { return areAll(state(), kind); }});
}

void addInfinityCommands(CommandTable& table, const std::function<GraphState&()>& state,
                         const std::function<UserText()>& needsCurves)
{
    const std::pair<const char*, QString> kinds[] = {{"constant", Command::tr("Constant")},
                                                     {"linear", Command::tr("Go on straight")},
                                                     {"cycle", Command::tr("Cycle")},
                                                     {"cycleOffset", Command::tr("Cycle with offset")},
                                                     {"oscillate", Command::tr("Oscillate")}};
    for (const bool isAfter : {false, true})
        for (const auto& [name, text] : kinds)
            table.add({.id = QStringLiteral("graph.%1.%2").arg(isAfter ? "after" : "before", QLatin1StringView(name)),
                       .menu = {Command::tr("Animate"),
                                isAfter ? Command::tr("After the last key") : Command::tr("Before the first key")},
                       .text = text,
                       .tip = (isAfter ? Command::tr("Choose what the curves do after their last key: %1")
                                       : Command::tr("Choose what the curves do before their first key: %1"))
                                  .arg(text.toLower()),
                       .run =
                           [state, isAfter, name = name] {
                               GraphState& graph = state();
                               (void)graph.editor().document().applyAsOne(forChannels(
                                   graph, graph.chosen(),
                                   {{"op", "setInfinity"}, {QLatin1StringView(isAfter ? "after" : "before"), name}}));
                           },
                       .whyNot = needing(needsCurves, "setInfinity")});
}

void addFilterCommands(CommandTable& table, MainWindow* window, const std::function<GraphState&()>& state,
                       const std::function<UserText()>& needsCurves)
{
    const QStringList menu{Command::tr("Animate"), Command::tr("Curves")};
    table.add({.id = "graph.euler",
               .menu = menu,
               .text = Command::tr("Euler filter"),
               .tip = Command::tr("Take full turns out of rotation curves, so that they do not jump"),
               .icon = "curve-euler",
               .run =
                   [state] {
                       GraphState& graph = state();
                       std::set<ObjectId> objects;
                       for (const auto& [id, ticks] : graph.chosen()) objects.insert(id.channel.target);
                       std::vector<QJsonObject> operations;
                       for (const ObjectId object : objects)
                           operations.push_back(
                               {{"op", "eulerFilter"},
                                {"target", QString::fromStdString(nameOf(graph.editor().document().scene(), object))}});
                       (void)graph.editor().document().applyAsOne(operations);
                   },
               .whyNot = needing(needsCurves, "eulerFilter")});
    table.add({.id = "graph.smoothKeys",
               .menu = menu,
               .text = Command::tr("Smooth keys"),
               .tip = Command::tr("Take jitter out of the chosen keys"),
               .icon = "curve-smooth",
               .run =
                   [state] {
                       GraphState& graph = state();
                       (void)graph.editor().document().applyAsOne(forKeys(graph, graph.chosen(), "smoothKeys", {}));
                   },
               .whyNot = needing(needsCurves, "smoothKeys")});
    table.add({.id = "graph.reduce",
               .menu = menu,
               .text = Command::tr("Reduce keys…"),
               .tip = Command::tr("Delete keys that the curve does not need to stay within a tolerance"),
               .icon = "curve-reduce",
               .run =
                   [state, window] {
                       bool isOk = false;
                       const double tolerance = QInputDialog::getDouble(
                           window, Command::tr("Reduce keys"),
                           Command::tr("Largest change of a curve, in mm or tenths of a degree"), 1, 0.001, 1000, 3,
                           &isOk);
                       GraphState& graph = state();
                       if (isOk)
                           (void)graph.editor().document().applyAsOne(
                               forKeys(graph, graph.chosen(), "reduceKeys", {{"tolerance", tolerance}}));
                   },
               .whyNot = needing(needsCurves, "reduceKeys")});
}

void addSwitches(CommandTable& table, MainWindow* window, const std::function<GraphState&()>& state)
{
    const QStringList menu{Command::tr("Animate"), Command::tr("Curves")};
    struct Switch
    {
        const char *id, *icon;
        QString text, tip;
        bool (GraphState::*isOn)() const;
        void (GraphState::*set)(bool);
    };
    const Switch switches[] = {
        {"graph.snap", "snap", Command::tr("Snap keys to frames"),
         Command::tr("Let dragged keys stop at whole frames; Ctrl turns it round during a drag"), &GraphState::snaps,
         &GraphState::setSnaps},
        {"graph.lasso", "lasso", Command::tr("Select with a lasso"),
         Command::tr("Draw a lasso around keys instead of a box"), &GraphState::hasLasso, &GraphState::setLasso},
        {"graph.box", "transform-box", Command::tr("Transform box"),
         Command::tr("Show a box around the selected keys, whose sides scale their times and values"),
         &GraphState::hasTransformBox, &GraphState::setTransformBox},
        {"graph.isolate", "isolate", Command::tr("Isolate curves"), Command::tr("Show only the active curves"),
         &GraphState::isIsolating, &GraphState::setIsolating},
        {"graph.normalise", "normalise", Command::tr("Normalise curves"),
         Command::tr("Show every curve from -1 to 1, to compare curves of different size"), &GraphState::isNormalised,
         &GraphState::setNormalised},
        {"graph.buffer", "curve-buffer", Command::tr("Buffer curves"),
         Command::tr("Keep the curves as they are now, dashed, to compare later edits with them"),
         &GraphState::isBuffered, &GraphState::setBuffered}};
    for (const Switch& each : switches)
        table.add({.id = each.id,
                   .menu = menu,
                   .text = each.text,
                   .tip = each.tip,
                   .icon = each.icon,
                   .run = [state, each] { (state().*each.set)(!(state().*each.isOn)()); },
                   .isOn = [state, each] { return (state().*each.isOn)(); },
                   .beginsGroup = each.set == &GraphState::setSnaps});
    table.add({.id = "graph.frameSelected",
               .menu = menu,
               .text = Command::tr("Frame selected keys"),
               .tip = Command::tr("Frame the selected keys, or the active curves, in the graph"),
               .icon = "frame-selection",
               .run = [window] { window->graph()->view().frameSelected(); },
               .beginsGroup = true});
    table.add({.id = "graph.frameAll",
               .menu = menu,
               .text = Command::tr("Frame all curves"),
               .tip = Command::tr("Frame all curves in the graph"),
               .icon = "frame-all",
               .run = [window] { window->graph()->view().frameAll(); }});
    table.add({.id = "graph.delete",
               .menu = menu,
               .text = Command::tr("Delete the graph's keys"),
               .tip = Command::tr("Delete the keys that are selected in the graph"),
               .icon = "key-remove",
               .run = [window] { window->graph()->view().deleteSelected(); },
               .whyNot = [state]() -> UserText {
                   return state().selected().empty() ? Command::tr("Select keys in the graph first") : QString();
               }});
}

} // namespace

void addGraphCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    MainWindow* w = &window;
    const std::function<GraphState&()> state = [w]() -> GraphState& { return w->graph()->state(); };
    const auto needsCurves = [state]() -> UserText {
        return state().shown().empty() ? Command::tr("Select a handle or a joint that has keys first") : QString();
    };
    const auto needsKeys = [state]() -> UserText {
        return state().selected().empty() ? Command::tr("Select keys in the graph first") : QString();
    };
    addTangentCommands(table, state, needsKeys);
    addFilterCommands(table, w, state, needsCurves);
    addSwitches(table, w, state);
    addInfinityCommands(table, state, needsCurves);
}

} // namespace tendon::editor

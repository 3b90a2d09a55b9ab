#include "app/widgets/graph/GraphCommands.h"

#include "app/widgets/MainWindow.h"
#include "app/widgets/graph/FilterDialog.h"
#include "app/widgets/graph/GraphEdits.h"
#include "app/widgets/graph/GraphPanel.h"
#include "app/widgets/graph/GraphView.h"
#include "core/scene/Check.h"

#include <algorithm>
#include <optional>

namespace tendon::editor {
namespace {

/// What a button of the row of tangents sets.
struct TangentKind
{
    const char *id, *icon;
    QString text, tip;
    std::optional<TangentMode> mode; ///< none = left as it is
    Interpolation interpolation;
};

/// Whether an axis is level in a key whose axes differ, and which is not flat for that.
bool isLevelAxis(const Key& key, int component)
{
    const auto c = static_cast<std::size_t>(component);
    return key.tangents == TangentMode::Aligned && key.in[c] == 0 && key.out[c] == 0 && key.out != ChannelValue{};
}

/// Whether all selected keys are of a kind.
bool areAll(const GraphState& state, const TangentKind& kind)
{
    constexpr std::size_t kMostKeys = 2000; // that are looked at
    if (state.selected().empty() || state.selectedCount() > kMostKeys) return false;
    for (const auto& [id, ticks] : state.selected()) {
        const GraphCurve* curve = state.find(id);
        if (curve == nullptr) return false;
        for (const std::int64_t each : ticks) {
            const auto index = curve->summary->find(each);
            if (!index) return false;
            const Key& key = (*curve->keys)[*index];
            const bool isOfMode = !kind.mode || key.tangents == *kind.mode ||
                                  (kind.mode == TangentMode::Flat && isLevelAxis(key, id.component));
            if (key.interpolation != kind.interpolation || !isOfMode) return false;
        }
    }
    return true;
}

void addTangentCommands(CommandTable& table, const std::function<GraphState&()>& state,
                        const std::function<UserText()>& needsKeys)
{
    const TangentKind kinds[] = {
        {"graph.auto", "tangent-auto", Command::tr("Auto tangents"),
         Command::tr("Make the selected keys smooth without overshoot"), TangentMode::Auto, Interpolation::Bezier},
        {"graph.smooth", "tangent-smooth", Command::tr("Aligned tangents"),
         Command::tr("Keep both tangents of the selected keys in one line"), TangentMode::Aligned,
         Interpolation::Bezier},
        {"graph.linear", "tangent-linear", Command::tr("Linear tangents"),
         Command::tr("Point the tangents of the selected keys at their neighbours"), TangentMode::Linear,
         Interpolation::Bezier},
        {"graph.flat", "tangent-flat", Command::tr("Flat tangents"),
         Command::tr("Make the tangents of the selected keys horizontal"), TangentMode::Flat, Interpolation::Bezier},
        {"graph.step", "tangent-step", Command::tr("Stepped"),
         Command::tr("Hold all axes of each selected key until the next one"), std::nullopt, Interpolation::Step},
        {"graph.broken", "tangent-broken", Command::tr("Break tangents"),
         Command::tr("Let the two tangents of the selected keys turn independently"), TangentMode::Free,
         Interpolation::Bezier}};
    for (const TangentKind& kind : kinds)
        table.add({.id = kind.id,
                   .menu = {Command::tr("Animate"), Command::tr("Tangents")},
                   .text = kind.text,
                   .tip = kind.tip,
                   .icon = kind.icon,
                   .run =
                       [state, kind] {
                           QJsonObject fields{{"interpolation", fieldWord(kind.interpolation)}};
                           if (kind.mode) fields.insert("mode", fieldWord(*kind.mode));
                           GraphState& graph = state();
                           (void)graph.editor().document().applyAsOne(
                               setTangents(graph, graph.selected(), fields, kind.mode.has_value()));
                       },
                   .whyNot = needsKeys,
                   .isOn = [state, kind] { return areAll(state(), kind); }});
    table.add({.id = "graph.weighted",
               .menu = {Command::tr("Animate"), Command::tr("Tangents")},
               .text = Command::tr("Weighted tangents"),
               .tip = Command::tr("Let dragged tangents change their length, which eases more or less"),
               .icon = "tangent-weighted",
               .run = [state] { state().setWeighted(!state().isWeighted()); },
               .isOn = [state] { return state().isWeighted(); },
               .beginsGroup = true});
    table.add(
        {.id = "graph.evenWeights",
         .menu = {Command::tr("Animate"), Command::tr("Tangents")},
         .text = Command::tr("Even tangents"),
         .tip = Command::tr("On all axes, make the tangents of the selected keys a third of the way to the next key"),
         .run =
             [state] {
                 GraphState& graph = state();
                 const QJsonObject fields{{"inWeight", QJsonValue::Null}, {"outWeight", QJsonValue::Null}};
                 (void)graph.editor().document().applyAsOne(setTangents(graph, graph.selected(), fields, false));
             },
         .whyNot = needsKeys});
}

/// What comes before or after the keys, if it is that of all chosen curves.
bool haveInfinity(const GraphState& state, bool isAfter, Infinity infinity)
{
    std::size_t count = 0;
    for (const GraphCurve* curve : state.shown()) {
        if (!state.isEdited(curve->id.channel) || (!state.active().empty() && !state.isActive(curve->id))) continue;
        if ((isAfter ? curve->keys->after() : curve->keys->before()) != infinity) return false;
        ++count;
    }
    return count > 0;
}

/// The chosen keys of those channels that can go on straight: a whole rotation can't.
GraphKeys withNumbers(GraphKeys keys)
{
    std::erase_if(keys, [](const auto& each) { return !hasNumbers(each.first.channel.property); });
    return keys;
}

void addInfinityCommands(CommandTable& table, const std::function<GraphState&()>& state,
                         const std::function<UserText()>& needsCurves)
{
    struct Kind
    {
        Infinity infinity;
        QString text;
    };
    const Kind kinds[] = {{Infinity::Constant, Command::tr("Constant")},
                          {Infinity::Linear, Command::tr("Linear")},
                          {Infinity::Cycle, Command::tr("Cycle")},
                          {Infinity::CycleOffset, Command::tr("Cycle with offset")},
                          {Infinity::Oscillate, Command::tr("Oscillate")}};
    const auto needsNumbers = [state, needsCurves]() -> UserText {
        const auto shown = state().shown();
        const bool areWhole = std::all_of(shown.begin(), shown.end(),
                                          [](const GraphCurve* curve) { return !hasNumbers(curve->property()); });
        if (const UserText reason = needsCurves(); !reason.isEmpty() || !areWhole) return reason;
        return Command::tr("Quaternion keys can't continue linearly; use a cycle with offset");
    };
    for (const bool isAfter : {false, true})
        for (const Kind& kind : kinds)
            table.add(
                {.id = QStringLiteral("graph.%1.%2").arg(isAfter ? "after" : "before", fieldWord(kind.infinity)),
                 .menu = {Command::tr("Animate"),
                          isAfter ? Command::tr("After the last key") : Command::tr("Before the first key")},
                 .text = kind.text,
                 .tip = (isAfter ? Command::tr("Choose what the curves do after their last key, all axes alike: %1")
                                 : Command::tr("Choose what the curves do before their first key, all axes alike: %1"))
                            .arg(kind.text.toLower()),
                 .run =
                     [state, isAfter, kind] {
                         GraphState& graph = state();
                         const GraphKeys keys = kind.infinity == Infinity::Linear ? withNumbers(graph.chosen())
                                                                                  : graph.chosen();
                         (void)graph.editor().document().applyAsOne(forChannels(
                             graph, keys,
                             {{"op", "setInfinity"},
                              {QLatin1StringView(isAfter ? "after" : "before"), fieldWord(kind.infinity)}}));
                     },
                 .whyNot = kind.infinity == Infinity::Linear ? std::function<UserText()>(needsNumbers) : needsCurves,
                 .isOn = [state, isAfter, kind] { return haveInfinity(state(), isAfter, kind.infinity); }});
}

/// The joints of the shown curves that are keyed as whole rotations, or by their angles.
std::vector<QJsonObject> conversions(const GraphState& state, bool toAngles)
{
    const Scene& scene = state.editor().document().scene();
    std::set<ObjectId> joints;
    for (const GraphCurve* curve : state.shown()) {
        const Property property = curve->property();
        const bool isMeant = toAngles ? property == Property::Rotation
                                      : property >= Property::Rx && property <= Property::Rz;
        if (isMeant) joints.insert(curve->id.channel.target);
    }
    std::vector<QJsonObject> operations;
    for (const ObjectId joint : joints)
        operations.push_back({{"op", toAngles ? "keysAsAngles" : "keysAsRotation"},
                              {"joint", QString::fromStdString(nameOf(scene, joint))}});
    return operations;
}

void addRotationCommands(CommandTable& table, const std::function<GraphState&()>& state)
{
    const QStringList menu{Command::tr("Animate"), Command::tr("Curves")};
    const auto add = [&](const char* id, bool toAngles, const UserText& text, const UserText& tip,
                         const UserText& reason) {
        table.add(
            {.id = id,
             .menu = menu,
             .text = text,
             .tip = tip,
             .run = [state, toAngles] { (void)state().editor().document().applyAsOne(conversions(state(), toAngles)); },
             .whyNot = [state, toAngles, reason]() -> UserText {
                 return conversions(state(), toAngles).empty() ? reason : UserText();
             },
             .beginsGroup = toAngles});
    };
    add("graph.asAngles", true, Command::tr("Convert to Euler"),
        Command::tr("Convert the joint's quaternion keys to Euler keys X, Y and Z"),
        Command::tr("Select a joint that has quaternion keys first"));
    add("graph.asRotation", false, Command::tr("Convert to quaternion"),
        Command::tr("Convert the joint's Euler keys X, Y and Z to quaternion keys"),
        Command::tr("Select a joint that has Euler keys first"));
}

/// One for each joint of the shown curves that has keys of its angles.
std::vector<QJsonObject> eulerFilters(const GraphState& state)
{
    std::vector<QJsonObject> operations = conversions(state, false);
    for (QJsonObject& operation : operations)
        operation = {{"op", "eulerFilter"}, {"target", operation.value(QLatin1StringView("joint"))}};
    return operations;
}

void addFilterCommands(CommandTable& table, MainWindow* window, const std::function<GraphState&()>& state,
                       const std::function<UserText()>& needsCurves)
{
    const QStringList menu{Command::tr("Animate"), Command::tr("Curves")};
    table.add({.id = "graph.euler",
               .menu = menu,
               .text = Command::tr("Euler filter"),
               .tip = Command::tr("Remove full turns from rotation curves, so that they do not jump"),
               .icon = "curve-euler",
               .run = [state] { (void)state().editor().document().applyAsOne(eulerFilters(state())); },
               .whyNot = [state]() -> UserText {
                   return eulerFilters(state()).empty()
                              ? Command::tr("Select a joint that has Euler keys X, Y and Z first")
                              : QString();
               }});
    table.add({.id = "graph.smoothKeys",
               .menu = menu,
               .text = Command::tr("Smooth keys…"),
               .tip = Command::tr("Remove jitter from the chosen keys"),
               .icon = "curve-smooth",
               .run = [state, window] { FilterDialog(state(), FilterDialog::Kind::Smooth, window).exec(); },
               .whyNot = [state, needsCurves]() -> UserText {
                   if (const UserText reason = needsCurves(); !reason.isEmpty()) return reason;
                   const auto shown = state().shown();
                   const bool isAny = std::any_of(shown.begin(), shown.end(),
                                                  [](const GraphCurve* curve) { return curve->keys->size() > 2; });
                   return isAny ? QString()
                                : Command::tr("No shown curve has keys between its first and last, which always stay");
               }});
    table.add({.id = "graph.reduce",
               .menu = menu,
               .text = Command::tr("Reduce keys…"),
               .tip = Command::tr("Delete keys that the curve does not need to stay within a tolerance"),
               .icon = "curve-reduce",
               .run = [state, window] { FilterDialog(state(), FilterDialog::Kind::Reduce, window).exec(); },
               .whyNot = needsCurves});
}

/// Whole rotations stay: their numbers can't be set one by one.
void swapBuffer(GraphState& state)
{
    const std::vector<GraphCurve> now = state.curves();
    std::vector<QJsonObject> operations;
    for (const GraphCurve& curve : state.buffer()) {
        if (curve.id.component != 0 || !hasNumbers(curve.property()) || state.find(curve.id) == nullptr) continue;
        if (!state.isEdited(curve.id.channel)) continue;
        const auto more = replacements(state, curve.id.channel, *state.find(curve.id)->keys, *curve.keys);
        operations.insert(operations.end(), more.begin(), more.end());
    }
    if (state.editor().document().applyAsOne(operations)) state.setBuffer(now);
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
         Command::tr("Let dragged keys stop at whole frames; Ctrl inverts this during a drag"), &GraphState::snaps,
         &GraphState::setSnaps},
        {"graph.lasso", "lasso", Command::tr("Select with a lasso"),
         Command::tr("Draw a lasso around keys instead of a box"), &GraphState::hasLasso, &GraphState::setLasso},
        {"graph.box", "transform-box", Command::tr("Transform box"),
         Command::tr("Show a box around the selected keys; drag its sides to scale their times and values"),
         &GraphState::hasTransformBox, &GraphState::setTransformBox},
        {"graph.isolate", "isolate", Command::tr("Isolate curves"), Command::tr("Show only the active curves"),
         &GraphState::isIsolating, &GraphState::setIsolating},
        {"graph.normalise", "normalise", Command::tr("Normalise curves"),
         Command::tr("Scale every curve to the range from -1 to 1, to compare curves of different sizes"),
         &GraphState::isNormalised, &GraphState::setNormalised},
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
    table.add({.id = "graph.swapBuffer",
               .menu = menu,
               .text = Command::tr("Swap with buffer"),
               .tip = Command::tr("Swap the curves with the buffered ones"),
               .run = [state] { swapBuffer(state()); },
               .whyNot = [state]() -> UserText {
                   if (!state().isBuffered()) return Command::tr("Buffer curves first");
                   const auto& buffer = state().buffer();
                   const bool isAny = std::any_of(buffer.begin(), buffer.end(), [&](const GraphCurve& curve) {
                       return hasNumbers(curve.property()) && state().find(curve.id) != nullptr;
                   });
                   return isAny ? QString() : Command::tr("None of the buffered curves is shown here");
               }});
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
               .text = Command::tr("Delete selected keys"),
               .tip = Command::tr("Delete the keys that are selected in the dope sheet or in the graph"),
               .icon = "key-remove",
               .run =
                   [window] {
                       GraphState& keys = window->shownKeys();
                       (void)keys.editor().document().applyAsOne(deleteKeys(keys, keys.selected()));
                   },
               .whyNot = [window]() -> UserText {
                   return window->shownKeys().selected().empty()
                              ? Command::tr("Select keys in the dope sheet or in the graph first")
                              : QString();
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
    const std::function<GraphState&()> keys = [w]() -> GraphState& { return w->shownKeys(); };
    const auto needsKeys = [keys]() -> UserText {
        return keys().selected().empty() ? Command::tr("Select keys in the dope sheet or in the graph first")
                                         : QString();
    };
    addTangentCommands(table, keys, needsKeys);
    addRotationCommands(table, state);
    addFilterCommands(table, w, state, needsCurves);
    addSwitches(table, w, state);
    addInfinityCommands(table, state, needsCurves);
}

} // namespace tendon::editor

#include "app/widgets/Remedies.h"

#include "app/editor/FrameEvaluator.h"
#include "app/editor/JsonValues.h"
#include "app/widgets/StatusStrip.h"
#include "core/document/Operation.h"
#include "core/scene/Check.h"
#include "core/scene/Constraint.h"
#include "core/solve/Settings.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tendon::editor {
namespace {

constexpr double kSoftening = 0.1; ///< of the reach

/// Scales the times of all keys of the clip, and the range with them, about the first frame.
void stretchTime(EditorDocument& document, double factor)
{
    const Clip* clip = document.clip();
    if (clip == nullptr) return;
    const Scene& scene = document.scene();
    std::set<std::pair<ObjectId, Layer>> keyed;
    for (const auto& [channel, keys] : clip->channels)
        if (keys->size() > 0) keyed.insert({channel.target, channel.layer});
    std::vector<QJsonObject> operations;
    for (const auto& [object, layer] : keyed)
        operations.push_back({{"op", "scaleKeys"},
                              {"target", QString::fromStdString(nameOf(scene, object))},
                              {"layer", layer == Layer::Keys ? "keys" : "corrections"},
                              {"by", factor},
                              {"about", scene.firstFrame}});
    const double frames = factor * (scene.lastFrame - scene.firstFrame);
    operations.push_back({{"op", "setRange"},
                          {"from", scene.firstFrame},
                          {"to", scene.firstFrame + static_cast<int>(std::ceil(frames))}});
    (void)document.applyAsOne(operations);
}

Remedy timeRemedy(EditorDocument& document, double factor)
{
    return {StatusStrip::tr("Stretch time"),
            StatusStrip::tr("Scale the times of all keys, and the range, by %1").arg(factor, 0, 'g', 3),
            [&document, factor] { stretchTime(document, factor); }};
}

/// What a handle and all others miss.
struct Misses
{
    std::set<HandleId> handles;
    double ofHandle = 0; ///< [m]; 0 of one that holds its pose

    /// A goal that was met before is missed now, however many others are met instead.
    [[nodiscard]] bool hasLost(const Misses& before) const
    {
        return !std::includes(before.handles.begin(), before.handles.end(), handles.begin(), handles.end());
    }
};

Misses missesOf(const Document& document, HandleId handle)
{
    FrameRequest request;
    request.scene = std::make_shared<const Scene>(document.scene());
    request.clip = document.edit.currentClip;
    request.frame = document.edit.frame;
    request.pending = document.edit.pending;
    FrameEvaluator evaluator(*document.solvers);
    const FramePtr frame = evaluator.evaluate(request);
    Misses misses;
    for (const HandleView& view : frame->handles)
        if (view.isMissed) misses.handles.insert(view.handle);
    if (const HandleView* view = frame->find(handle); view != nullptr && !view->result.isHeld)
        misses.ofHandle = view->result.positionError;
    return misses;
}

/// Carries out the first of the operations that brings the handle nearer to its goal while all goals that are met stay
/// met; each is tried on a copy before. None does: that is said, and nothing changes.
void applyBest(Editor& editor, HandleId handle, const std::vector<QJsonObject>& ways)
{
    EditorDocument& document = editor.document();
    document.gesture().end();
    const Document base = document.copyForJob();
    const Misses before = missesOf(base, handle);
    constexpr double kNearer = 1e-4; // [m]
    for (const QJsonObject& way : ways) {
        Document tried = document.copyForJob();
        if (!carryOut(tried, way)) continue;
        const Misses after = missesOf(tried, handle);
        if (after.hasLost(before) || after.ofHandle > before.ofHandle - kNearer) continue;
        (void)document.apply(way);
        return;
    }
    emit document.reported(
        {{Severity::Warning,
          StatusStrip::tr("nothing was changed: this would not bring it nearer, or other goals would be missed")
              .toStdString(),
          nameOf(document.scene(), handle.value), handle.value}});
}

/// True if soft reach acts at a frame: it does where the goal is nearly as far away as the chain is long, and not where
/// a goal passes near the chain's start.
bool isNearFullReach(const FrameResult& frame, const HandleView& view)
{
    const std::vector<Vector3> chain = frame.chainOf(view);
    double reach = 0;
    for (std::size_t i = 1; i < chain.size(); ++i) reach += (chain[i] - chain[i - 1]).norm();
    return chain.size() > 1 && (view.target.goal.position - chain.front()).norm() > (1 - 2 * kSoftening) * reach;
}

} // namespace

std::vector<Remedy> remediesForMiss(Editor& editor, const FrameResult& frame, const Handle& handle,
                                    const HandleView& view)
{
    EditorDocument& document = editor.document();
    const QString name = QString::fromStdString(handle.name);
    std::vector<Remedy> fixes;
    if (handle.hasCurve() || isConstraint(handle)) return fixes;             // no root or reach would help
    if (const Handle* rival = frame.scene->find(view.result.pullsAgainst)) { // which of the two is to give way
        const auto give = [&document](const QString& which, const char* field, double value) {
            return [&document, which, field, value] {
                (void)document.apply({{"op", "setHandle"}, {"name", which}, {QLatin1StringView(field), value}});
            };
        };
        const QString other = QString::fromStdString(rival->name);
        fixes.push_back({StatusStrip::tr("Put %1 first").arg(name),
                         StatusStrip::tr("Give %1 a lower priority: %2 is met first").arg(other, name),
                         give(other, "priority", rival->priority + 1)});
        fixes.push_back({StatusStrip::tr("Put %1 first").arg(other),
                         StatusStrip::tr("Give %1 a lower priority: %2 is met first").arg(name, other),
                         give(name, "priority", handle.priority + 1)});
        constexpr double kMore = 10;
        fixes.push_back({StatusStrip::tr("Give %1 more weight").arg(name),
                         StatusStrip::tr("Multiply its weight by 10: %1 comes closer to its goal").arg(name),
                         give(name, "weight", kMore * view.target.weight)});
        return fixes;
    }
    const auto set = [name](const char* field, const QJsonValue& value) {
        return QJsonObject{{"op", "setHandle"}, {"name", name}, {QLatin1StringView(field), value}};
    };
    const auto offer = [&](const QString& text, const QString& tip, std::vector<QJsonObject> ways) {
        fixes.push_back(
            {text, tip, [&editor, id = handle.id, ways = std::move(ways)] { applyBest(editor, id, ways); }});
    };
    if (view.result.canStretch) {
        const double distance = (view.target.goal.position - *frame.chainOf(view).begin()).norm(),
                     reached = std::max(1e-6, distance - view.result.positionError);
        std::vector<QJsonObject> ways;
        for (const double more : {1.0, 1.1, 1.3}) { // limits may keep the chain from going straight
            const double stretch = std::max(handle.stretch, 1.02 * more * distance / reached);
            ways.push_back(set("stretch", std::ceil(stretch * 100) / 100));
        }
        offer(StatusStrip::tr("Stretch"), StatusStrip::tr("Lengthen the bones until the goal is reached"),
              std::move(ways));
    }
    if (view.result.canHold)
        offer(StatusStrip::tr("Hold pose"), StatusStrip::tr("Keep the last pose in which this handle reached its goal"),
              {set("unreachable", "hold")});
    if (view.isOnlyTurned(handle)) return fixes; // no move of the root turns the end
    // Move the root by the missing distance, or as far as no other goal is lost. A goal that goes along with the root
    // would run away.
    JointIndex root = view.start;
    while (frame.rig->parent[static_cast<std::size_t>(root)] >= 0)
        root = frame.rig->parent[static_cast<std::size_t>(root)];
    const auto goesAlong = [&](ObjectId space) {
        const JointIndex carrier = frame.rig->index(JointId{space});
        return carrier >= 0 && frame.rig->isAtOrBelow(carrier, root);
    };
    if (handle.isCarried() || goesAlong(handle.follow) ||
        std::any_of(handle.spaces.begin(), handle.spaces.end(), goesAlong))
        return fixes;
    const QString rootName = QString::fromStdString(
        nameOf(*frame.scene, frame.rig->id[static_cast<std::size_t>(root)].value));
    std::vector<QJsonObject> ways;
    for (const double share : {1.0, 0.75, 0.5, 0.35, 0.2, 0.1})
        ways.push_back({{"op", "drag"},
                        {"joint", rootName},
                        {"by", toJson(Vector3(share * (view.target.goal.position - view.effector)))}});
    offer(StatusStrip::tr("Move root"),
          StatusStrip::tr("Move %1 towards the goal, as far as no other goal is lost").arg(rootName), std::move(ways));
    return fixes;
}

std::vector<Remedy> remediesForJump(Editor& editor, const FrameResult& frame, const HandleView& view)
{
    EditorDocument& document = editor.document();
    const Handle* handle = frame.scene->find(view.handle);
    if (handle == nullptr || !view.result.jump) return {};
    const JumpReason reason = view.result.jump->reason;
    const SolverInfo* solver = document.solvers().find(handle->solver);
    const QString name = QString::fromStdString(handle->name);
    const auto set = [&document, name](const char* field, const QJsonValue& value) {
        return [&document, name, field, value] {
            (void)document.apply({{"op", "setHandle"}, {"name", name}, {QLatin1StringView(field), value}});
        };
    };
    std::vector<Remedy> remedies;
    const JumpCause cause = view.result.jump->cause;
    if (cause == JumpCause::Pole)
        remedies.push_back({StatusStrip::tr("Turn pole off"),
                            StatusStrip::tr("Let %1 bend as its goal asks, without a pole").arg(name),
                            set("pole", QJsonValue::Null)});
    const SolverInfo* usual = document.solvers().find(SolverRegistry::kDefaultAlias);
    if (cause == JumpCause::Solver && usual != nullptr && usual->has("follows-seed"))
        remedies.push_back({StatusStrip::tr("Use %1").arg(QString::fromStdString(usual->name)),
                            StatusStrip::tr("Solve %1 with a solver that goes on from the pose before").arg(name),
                            set("solver", QString::fromStdString(usual->alias))});
    if (reason == JumpReason::Limit)
        for (const HandleResult::LimitHit& hit : view.result.limitHits) {
            const Joint* joint = frame.scene->find(hit.joint);
            const int axis = static_cast<int>(hit.axis) - static_cast<int>(Property::Rx);
            if (joint == nullptr || joint->ball || axis < 0 || axis > 2) continue;
            const QString of = QString::fromStdString(joint->name), letter(QLatin1Char("XYZ"[axis]));
            remedies.push_back(
                {StatusStrip::tr("Free %1 %2").arg(of, letter),
                 StatusStrip::tr("Turn off the limit of %1 about %2").arg(of, letter), [&document, of, letter] {
                     (void)document.apply(
                         {{"op", "setRotationAxis"}, {"joint", of}, {"axis", letter.toLower()}, {"limited", false}});
                 }});
            break; // one is enough to try
        }
    const bool isSoftened = solver == nullptr || !isUsed(Setting::Soft, *solver) || handle->soft >= kSoftening;
    if (reason != JumpReason::Limit && !isSoftened && isNearFullReach(frame, view))
        remedies.push_back({StatusStrip::tr("Soften"),
                            StatusStrip::tr("Slow %1 down before its chain is straight").arg(name),
                            set("soft", kSoftening)});
    const Joint* start = frame.scene->find(handle->start);
    const bool isFree = start == nullptr || std::all_of(start->sliding.begin(), start->sliding.end(),
                                                        [](const AxisFreedom& axis) { return axis.active; });
    if (!isFree && !start->parent.isValid()) {
        const QString root = QString::fromStdString(start->name);
        remedies.push_back({StatusStrip::tr("Free root"),
                            StatusStrip::tr("Let %1 slide, so that the whole chain can move").arg(root),
                            [&document, root] {
                                std::vector<QJsonObject> operations;
                                for (const char* axis : {"x", "y", "z"})
                                    operations.push_back({{"op", "setSlidingAxis"},
                                                          {"joint", root},
                                                          {"axis", QLatin1StringView(axis)},
                                                          {"active", true}});
                                (void)document.applyAsOne(operations);
                            }});
    }
    constexpr double kMoreTime = 2;
    if (reason == JumpReason::Singularity) remedies.push_back(timeRemedy(document, kMoreTime));
    return remedies;
}

std::vector<Remedy> remediesForHaste(Editor& editor, const HandleView& view)
{
    if (!view.result.tooFast) return {};
    // Rounded up, as the message says it, so that it is enough.
    return {timeRemedy(editor.document(), std::ceil(view.result.tooFast->stretch * 100) / 100)};
}

Remedy remedyOfFk(Editor& editor, HandleId handle)
{
    return {StatusStrip::tr("Switch to IK"),
            StatusStrip::tr("Switch this limb to IK at this frame without a jump, and key both sides"),
            [&document = editor.document(), handle] {
                (void)document.apply({{"op", "switch"},
                                      {"handle", QString::fromStdString(nameOf(document.scene(), handle.value))},
                                      {"to", "ik"}});
            }};
}

} // namespace tendon::editor

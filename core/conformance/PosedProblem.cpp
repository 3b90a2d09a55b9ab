#include "core/conformance/PosedProblem.h"

#include "core/conformance/Reference.h"
#include "core/conformance/Trial.h"
#include "core/solve/StatusNames.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>
#include <span>

namespace tendon::conformance {
namespace {

const char* wordOf(sdk::GoalKind kind)
{
    switch (kind) {
    case sdk::GoalKind::Position: return "position";
    case sdk::GoalKind::Orientation: return "orientation";
    case sdk::GoalKind::Pose: return "pose";
    case sdk::GoalKind::Aim: return "aim";
    case sdk::GoalKind::Pole: return "pole";
    default: return "goal";
    }
}

std::vector<Vector3> placesOf(const std::vector<ReferenceFrame>& frames)
{
    std::vector<Vector3> places;
    for (const ReferenceFrame& frame : frames) places.push_back(frame.position);
    return places;
}

/// The quaternions are whole, too: frames could be made of anything else.
bool isWhole(const Trial& trial, const std::vector<double>& q)
{
    return q.size() == trial.seed.size() &&
           std::all_of(q.begin(), q.end(), [](double x) { return std::isfinite(x) && std::abs(x) < 1e6; });
}

/// Each body by itself, with all others excused.
std::vector<std::uint8_t> bodiesBeyond(const sdk::Model& model, const std::vector<double>& q)
{
    std::vector<std::uint8_t> isBeyond;
    for (std::size_t b = 0; b < static_cast<std::size_t>(model.bodyCount); ++b) {
        std::vector<std::uint8_t> excused(static_cast<std::size_t>(model.dofCount), 1);
        std::fill(excused.begin() + model.vBegin[b], excused.begin() + model.vBegin[b + 1], std::uint8_t{0});
        isBeyond.push_back(limitExcess(model, q, excused) > 0 ? 1 : 0);
    }
    return isBeyond;
}

void addAnswer(PosedProblem& posed, const Trial& trial, const Outcome& outcome)
{
    const sdk::Model model = trial.rig->model();
    posed.outcome = text("%s after %d %s", statusName(outcome.status), outcome.iterations,
                         outcome.iterations == 1 ? "iteration" : "iterations");
    if (!sdk::isUsable(outcome.status)) return;
    if (!isWhole(trial, outcome.q)) {
        posed.outcome += "; its pose has values that are not finite or were not written";
        return;
    }
    const bool isStretched = trial.policy.maxStretch > 1 && outcome.stretch.size() == posed.start.size();
    const auto frames = referenceFrames(model, trial.base, outcome.q,
                                        isStretched ? std::span<const double>(outcome.stretch)
                                                    : std::span<const double>());
    posed.answer = placesOf(frames);
    posed.isBeyond = bodiesBeyond(model, outcome.q);
    for (std::size_t g = 0; g < trial.goals.size(); ++g) {
        const ReferenceError error = referenceError(model, trial.goals[g], frames);
        posed.goals[g].answer = effector(trial.goals[g], frames);
        posed.goals[g].positionError = error.position;
        posed.goals[g].rotationError = error.rotation;
    }
}

QJsonArray toJson(const Vector3& v)
{
    return {v.x(), v.y(), v.z()}; // one that is not finite becomes null
}

QJsonArray toJson(const std::vector<Vector3>& places)
{
    QJsonArray array;
    for (const Vector3& place : places) array.append(toJson(place));
    return array;
}

Vector3 vectorFrom(const QJsonValue& json)
{
    const QJsonArray array = json.toArray();
    return {array.at(0).toDouble(), array.at(1).toDouble(), array.at(2).toDouble()};
}

std::vector<Vector3> placesFrom(const QJsonValue& json)
{
    std::vector<Vector3> places;
    for (const QJsonValue& place : json.toArray()) places.push_back(vectorFrom(place));
    return places;
}

template <typename T>
QJsonArray numbers(const std::vector<T>& values)
{
    QJsonArray array;
    for (const T value : values) array.append(static_cast<int>(value));
    return array;
}

template <typename T>
std::vector<T> numbersFrom(const QJsonValue& json)
{
    std::vector<T> values;
    for (const QJsonValue& value : json.toArray()) values.push_back(static_cast<T>(value.toInt()));
    return values;
}

QJsonObject toJson(const PosedProblem::Goal& goal)
{
    QJsonObject object{{QStringLiteral("kind"), QString::fromStdString(goal.kind)},
                       {QStringLiteral("body"), goal.body},
                       {QStringLiteral("target"), toJson(goal.target)},
                       {QStringLiteral("start"), toJson(goal.start)},
                       {QStringLiteral("positionError"), goal.positionError},
                       {QStringLiteral("rotationError"), goal.rotationError}};
    if (goal.answer) object.insert(QStringLiteral("answer"), toJson(*goal.answer));
    return object;
}

PosedProblem::Goal goalFrom(const QJsonObject& object)
{
    PosedProblem::Goal goal;
    goal.kind = object.value(QLatin1String("kind")).toString().toStdString();
    goal.body = object.value(QLatin1String("body")).toInt(-1);
    goal.target = vectorFrom(object.value(QLatin1String("target")));
    goal.start = vectorFrom(object.value(QLatin1String("start")));
    if (object.contains(QLatin1String("answer"))) goal.answer = vectorFrom(object.value(QLatin1String("answer")));
    goal.positionError = object.value(QLatin1String("positionError")).toDouble();
    goal.rotationError = object.value(QLatin1String("rotationError")).toDouble();
    return goal;
}

} // namespace

PosedProblem posedProblem(const Trial& trial, const Outcome* outcome)
{
    const sdk::Model model = trial.rig->model();
    const auto frames = referenceFrames(model, trial.base, trial.seed);
    PosedProblem posed;
    posed.label = trial.label;
    posed.parents.assign(model.parent.begin(), model.parent.end());
    posed.start = placesOf(frames);
    for (std::size_t i = 0; trial.policy.curve && i + 2 < trial.curvePoints.size(); i += 3)
        posed.curve.emplace_back(trial.curvePoints[i], trial.curvePoints[i + 1], trial.curvePoints[i + 2]);
    for (const sdk::Goal& goal : trial.goals) {
        PosedProblem::Goal& made = posed.goals.emplace_back();
        made.kind = wordOf(goal.kind);
        made.body = goal.body;
        made.start = effector(goal, frames);
        made.target = Eigen::Map<const Vector3>(goal.targetPosition);
        if (goal.isDirection != 0) made.target += made.start;
    }
    if (outcome != nullptr) addAnswer(posed, trial, *outcome);
    return posed;
}

QJsonObject toJson(const PosedProblem& problem)
{
    QJsonArray goals;
    for (const PosedProblem::Goal& goal : problem.goals) goals.append(toJson(goal));
    return {{QStringLiteral("label"), QString::fromStdString(problem.label)},
            {QStringLiteral("parents"), numbers(problem.parents)},
            {QStringLiteral("start"), toJson(problem.start)},
            {QStringLiteral("answer"), toJson(problem.answer)},
            {QStringLiteral("beyond"), numbers(problem.isBeyond)},
            {QStringLiteral("curve"), toJson(problem.curve)},
            {QStringLiteral("goals"), goals},
            {QStringLiteral("outcome"), QString::fromStdString(problem.outcome)}};
}

PosedProblem posedProblemFrom(const QJsonObject& json)
{
    PosedProblem problem;
    problem.label = json.value(QLatin1String("label")).toString().toStdString();
    problem.parents = numbersFrom<std::int32_t>(json.value(QLatin1String("parents")));
    problem.start = placesFrom(json.value(QLatin1String("start")));
    problem.answer = placesFrom(json.value(QLatin1String("answer")));
    problem.isBeyond = numbersFrom<std::uint8_t>(json.value(QLatin1String("beyond")));
    problem.curve = placesFrom(json.value(QLatin1String("curve")));
    for (const QJsonValue& goal : json.value(QLatin1String("goals")).toArray())
        problem.goals.push_back(goalFrom(goal.toObject()));
    problem.outcome = json.value(QLatin1String("outcome")).toString().toStdString();
    const std::size_t bodies = problem.parents.size();
    if (problem.start.size() != bodies) return {}; // not ours
    if (problem.answer.size() != bodies) problem.answer.clear();
    problem.isBeyond.resize(bodies, 0);
    return problem;
}

} // namespace tendon::conformance

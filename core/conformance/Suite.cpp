#include "core/conformance/Suite.h"

#include "core/conformance/Reference.h"

#include <algorithm>
#include <cmath>

namespace tendon::conformance {

namespace {

using sdk::GoalKind;

sdk::Goal makeGoal(const Rig& rig, GoalKind kind, std::int32_t tip, const std::vector<ReferenceFrame>& frames,
                   Random& random)
{
    const sdk::Model model = rig.model();
    const ReferenceFrame& frame = frames[static_cast<std::size_t>(tip)];
    sdk::Goal goal;
    goal.kind = kind;
    goal.body = tip;
    const bool isOnPivot = random.chance(0.5) || kind == GoalKind::Pole;
    for (double& each : goal.offset) each = isOnPivot ? 0 : random.uniform(-0.1, 0.1);
    Eigen::Map<Eigen::Vector3d>(goal.targetPosition) = effector(goal, frames);
    const Eigen::Quaterniond rotation(frame.rotation);
    for (int k = 0; k < 4; ++k) goal.targetRotation[k] = rotation.normalized().coeffs()[k];
    if (kind == GoalKind::Aim) {
        goal.axis[0] = 0;
        goal.axis[1] = 0.6;
        goal.axis[2] = -0.8;
        goal.isDirection = random.chance(0.3) ? 1 : 0;
        const Eigen::Vector3d looking = frame.rotation * Eigen::Vector3d(0, 0.6, -0.8) * random.uniform(0.5, 2);
        Eigen::Map<Eigen::Vector3d> target(goal.targetPosition);
        target = goal.isDirection != 0 ? looking : Eigen::Vector3d(target + looking);
    }
    if (kind == GoalKind::Pole) {
        goal.startBody = rig.start;
        goal.twist = random.chance(0.5) ? 0 : random.uniform(-2, 2);
        goal.isDirection = random.chance(0.3) ? 1 : 0;
        const Bend bend = bendOf(model, goal, frames);
        const Eigen::Vector3d axis = bend.span.norm() > 0 ? Eigen::Vector3d(bend.span.normalized())
                                                          : Eigen::Vector3d::UnitY();
        const Eigen::Vector3d pole = Eigen::AngleAxisd(-goal.twist, axis) * bend.bend * random.uniform(1, 3);
        Eigen::Map<Eigen::Vector3d>(goal.targetPosition) = goal.isDirection != 0 ? pole
                                                                                 : Eigen::Vector3d(bend.start + pole);
    }
    return goal;
}

} // namespace

/// Mixes numbers so that every problem has a stream of its own, whatever is solved before it.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t number, std::string_view name)
{
    std::uint64_t hash = seed * 0x9E3779B97F4A7C15ull + number;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return hash;
}

Suite::Suite(const Subject& subject, const Options& options) : m_subject(subject), m_options(options)
{
    std::string_view rest = options.onlyPlace;
    for (std::string* part : {&m_only.group, &m_only.rig, &m_only.goals, &m_only.item}) {
        const std::size_t end = std::min(rest.find('/'), rest.size());
        *part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (options.failed)
        m_verdicts.failed = [this](const std::string& check) {
            m_options.failed(check, m_latest ? &*m_latest : nullptr);
        };
    Random random(options.seed);
    m_rigs = makeRigs(subject.info, random);
    if (claims("position-goal")) m_sets.push_back({"position", {GoalKind::Position}});
    if (claims("orientation-goal")) m_sets.push_back({"orientation", {GoalKind::Orientation}});
    if (claims("pose-goal")) m_sets.push_back({"pose", {GoalKind::Pose}});
    if (claims("aim-goal")) m_sets.push_back({"aim", {GoalKind::Aim}});
    if (claims("pole") && claims("position-goal"))
        m_sets.push_back({"position with pole", {GoalKind::Position, GoalKind::Pole}});
    if (claims("pole") && claims("pose-goal")) m_sets.push_back({"pose with pole", {GoalKind::Pose, GoalKind::Pole}});
}

const std::vector<std::pair<const char*, Suite::Group>>& Suite::groups()
{
    static const std::vector<std::pair<const char*, Group>> all = {
        {"parameters", &Suite::checkParameters},
        {"unprepared", &Suite::checkUnprepared},
        {"invalid-models", &Suite::checkInvalidModels},
        {"invalid-problems", &Suite::checkInvalidProblems},
        {"joint-kinds", &Suite::checkJointKinds},
        {"goal-kinds", &Suite::checkGoalKinds},
        {"policies", &Suite::checkPolicies},
        {"solved-stays", &Suite::checkSolvedStays},
        {"reachable", &Suite::checkReachable},
        {"unreachable", &Suite::checkUnreachable},
        {"limits", &Suite::checkLimits},
        {"locked", &Suite::checkLocked},
        {"degenerate", &Suite::checkDegenerate},
        {"moving-bases", &Suite::checkMovingBases},
        {"repeatable", &Suite::checkRepeatable},
        {"threads", &Suite::checkThreads},
        {"equivariance", &Suite::checkEquivariance},
        {"scale", &Suite::checkScale},
        {"weight-zero", &Suite::checkWeightZero},
        {"stops", &Suite::checkStops},
        {"cancel", &Suite::checkCancel},
        {"cancel-midway", &Suite::checkCancelInTheMidst},
        {"cancel-in-time", &Suite::checkCancelInTime},
        {"trace", &Suite::checkTrace},
        {"convergence", &Suite::checkConvergence},
        {"allocations", &Suite::checkAllocations},
        {"many-goals", &Suite::checkManyGoals},
        {"priorities", &Suite::checkPriorities},
        {"objectives", &Suite::checkObjectives},
        {"stretch", &Suite::checkStretch},
        {"curve", &Suite::checkCurve},
        {"stages", &Suite::checkStages},
        {"growth", &Suite::checkGrowth},
        {"closed-form", &Suite::checkClosedForm},
        {"history", &Suite::checkHistory},
    };
    return all;
}

std::vector<Check> Suite::run()
{
    bool isBehind = m_options.afterGroup.empty();
    for (const auto& [name, group] : groups()) {
        m_verdicts.place.group = name;
        const bool isLeftOut = !isBehind || !enter();
        isBehind |= m_options.afterGroup == name;
        if (isLeftOut) continue;
        if (m_options.began) m_options.began(name);
        (this->*group)();
        if (m_options.ended) m_options.ended(m_verdicts.checks);
    }
    std::vector<Check> checks = m_verdicts.checks;
    if (!m_options.onlyCheck.empty())
        std::erase_if(checks, [this](const Check& check) { return check.name != m_options.onlyCheck; });
    return checks;
}

bool Suite::enter(const std::string& rig, const std::string& goals, const std::string& item)
{
    m_latest.reset();
    Place& here = m_verdicts.place;
    here.rig = rig;
    here.goals = goals;
    here.item = item;
    const auto fits = [](const std::string& wanted, const std::string& part) {
        return wanted.empty() || part.empty() || wanted == part;
    };
    return fits(m_only.group, here.group) && fits(m_only.rig, rig) && fits(m_only.goals, goals) &&
           fits(m_only.item, item);
}

Prepared Suite::prepare(const Rig& rig, std::size_t goals)
{
    Prepared solver{nullptr, m_subject.create()};
    if (!solver) {
        m_verdicts.expect("prepared", false, [] { return std::string("no solver could be created"); });
        return {};
    }
    const sdk::Status status = solver.prepareFor(rig, goals);
    const bool isPolite = status == sdk::Status::Converged || status == sdk::Status::Unsupported;
    m_verdicts.expect("prepared", isPolite,
                      [&] { return rig.name + text(": prepare() returned status %d", static_cast<int>(status)); });
    if (status != sdk::Status::Converged) return {};
    return solver;
}

sdk::Status Suite::prepareStatus(const sdk::Model& model, std::int32_t goals)
{
    const std::unique_ptr<sdk::Solver> solver = m_subject.create();
    return solver ? solver->prepare(model, goals) : sdk::Status::NumericalFailure;
}

std::string Suite::label(const Rig& rig, const GoalSet& set, std::uint64_t number) const
{
    return rig.name + ", " + set.name + ", case " + std::to_string(number) + ", seed " + std::to_string(m_options.seed);
}

Trial Suite::makeTrial(const Rig& rig, const GoalSet& set, Distance distance, std::uint64_t number) const
{
    Random random(mixed(m_options.seed, number, rig.name + set.name));
    Trial trial;
    trial.label = label(rig, set, number);
    trial.rig = &rig;
    trial.base = rig.base;
    trial.seed = number == 0 ? restConfiguration(rig) : randomConfiguration(rig, random);
    std::vector<double> answer = trial.seed;
    if (distance == Distance::Near) answer = nearConfiguration(rig, trial.seed, 0.3, random);
    if (distance == Distance::Far) answer = randomConfiguration(rig, random);
    const auto frames = referenceFrames(rig.model(), rig.base, answer);
    const std::int32_t tip = rig.tips[static_cast<std::size_t>(random.index(static_cast<int>(rig.tips.size())))];
    for (const GoalKind kind : set.kinds) trial.goals.push_back(makeGoal(rig, kind, tip, frames, random));
    if (set.kinds.size() > 1) // the pole speaks of the same point
        std::copy(std::begin(trial.goals[0].offset), std::end(trial.goals[0].offset),
                  std::begin(trial.goals[1].offset));
    if (set.kinds.size() > 1 && trial.goals[1].kind == GoalKind::Pole) {
        // Made again with that offset: the bend is seen from the line to this effector.
        sdk::Goal& pole = trial.goals[1];
        const Bend bend = bendOf(rig.model(), pole, frames);
        const Eigen::Vector3d axis = bend.span.norm() > 0 ? Eigen::Vector3d(bend.span.normalized())
                                                          : Eigen::Vector3d::UnitY();
        const Eigen::Vector3d direction = Eigen::AngleAxisd(-pole.twist, axis) * bend.bend * 2;
        Eigen::Map<Eigen::Vector3d>(pole.targetPosition) = pole.isDirection != 0
                                                               ? direction
                                                               : Eigen::Vector3d(bend.start + direction);
    }
    return trial;
}

Outcome Suite::attempt(sdk::Solver& solver, const Trial& trial, const RunOptions& options)
{
    if (m_options.solving) m_options.solving(posedProblem(trial, nullptr));
    Outcome outcome = conformance::run(solver, trial, options);
    if (m_options.failed) m_latest = posedProblem(trial, &outcome);
    return outcome;
}

Outcome Suite::solve(sdk::Solver& solver, const Trial& trial, const RunOptions& options)
{
    Outcome outcome = attempt(solver, trial, options);
    verify(m_verdicts, m_subject.info, trial, outcome);
    return outcome;
}

std::vector<Check> examine(const Subject& subject, const Options& options) { return Suite(subject, options).run(); }

std::vector<std::string> groupNames()
{
    std::vector<std::string> names;
    for (const auto& [name, group] : Suite::groups()) names.emplace_back(name);
    return names;
}

void merge(std::vector<Check>& checks, const std::vector<Check>& more)
{
    for (const Check& other : more) {
        const auto found = std::find_if(checks.begin(), checks.end(),
                                        [&other](const Check& check) { return check.name == other.name; });
        if (found == checks.end()) {
            checks.push_back(other);
            continue;
        }
        const bool isTelling = other.failed > 0 ? found->failed == 0 : found->tried == 0;
        if (isTelling) {
            found->verdict = other.verdict;
            found->detail = other.detail;
            found->place = other.place;
        }
        found->tried += other.tried;
        found->failed += other.failed;
    }
}

bool allPassed(const std::vector<Check>& checks)
{
    return std::none_of(checks.begin(), checks.end(),
                        [](const Check& check) { return check.verdict == Verdict::Failed; });
}

} // namespace tendon::conformance

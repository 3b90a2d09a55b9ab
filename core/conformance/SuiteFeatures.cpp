#include "core/conformance/Reference.h"
#include "core/conformance/Suite.h"
#include "core/solve/StatusNames.h"

#include <algorithm>
#include <cmath>

namespace tendon::conformance {

namespace {

using sdk::GoalKind;
using sdk::JointKind;

constexpr std::pair<GoalKind, const char*> kGoalFeatures[] = {{GoalKind::Position, "position-goal"},
                                                              {GoalKind::Orientation, "orientation-goal"},
                                                              {GoalKind::Pose, "pose-goal"},
                                                              {GoalKind::Aim, "aim-goal"},
                                                              {GoalKind::Pole, "pole"}};

bool holds(const Rig& rig, JointKind kind)
{
    return std::find(rig.arrays.kind.begin(), rig.arrays.kind.end(), kind) != rig.arrays.kind.end();
}

/// How far apart two configurations are [rad | m, root of the sum of squares over DOFs].
double distanceBetween(const Rig& rig, const std::vector<double>& a, const std::vector<double>& b)
{
    double squared = 0;
    for (std::size_t body = 0; body < rig.arrays.kind.size(); ++body) {
        const auto begin = static_cast<std::size_t>(rig.arrays.qBegin[body]),
                   end = static_cast<std::size_t>(rig.arrays.qBegin[body + 1]);
        const bool hasQuaternion = sdk::traits(rig.arrays.kind[body]).hasQuaternion;
        const std::size_t plain = hasQuaternion ? end - 4 : end;
        for (std::size_t i = begin; i < plain; ++i) squared += (a[i] - b[i]) * (a[i] - b[i]);
        double dot = 0;
        for (std::size_t i = plain; i < end; ++i) dot += a[i] * b[i];
        if (hasQuaternion) squared += std::pow(2 * std::acos(std::min(1.0, std::abs(dot))), 2);
    }
    return std::sqrt(squared);
}

/// How far the masses are apart in two configurations [m, root of the mean square weighted by mass].
double massMotion(const Rig& rig, const std::vector<double>& a, const std::vector<double>& b)
{
    const sdk::Model model = rig.model();
    const auto framesA = referenceFrames(model, rig.base, a), framesB = referenceFrames(model, rig.base, b);
    double squared = 0, mass = 0;
    for (std::size_t body = 0; body < framesA.size(); ++body) {
        const Eigen::Vector3d centre(model.centre[3 * body], model.centre[3 * body + 1], model.centre[3 * body + 2]);
        const auto at = [&centre](const ReferenceFrame& frame) {
            return Eigen::Vector3d(frame.position + frame.rotation * centre * frame.scale);
        };
        squared += model.mass[body] * (at(framesA[body]) - at(framesB[body])).squaredNorm();
        mass += model.mass[body];
    }
    return std::sqrt(squared / mass);
}

/// The basis functions of Cox and de Boor over clamped uniform knots, by their recursive definition.
double basis(int i, int degree, double u, int pieces, int order)
{
    const auto knot = [&](int k) { return static_cast<double>(std::clamp(k - order, 0, pieces)); };
    if (degree == 0) {
        const bool isLast = u == pieces && knot(i) < u && knot(i + 1) == u;
        return (knot(i) <= u && u < knot(i + 1)) || isLast ? 1 : 0;
    }
    const double before = knot(i + degree) - knot(i), behind = knot(i + degree + 1) - knot(i + 1);
    return (before > 0 ? (u - knot(i)) / before * basis(i, degree - 1, u, pieces, order) : 0) +
           (behind > 0 ? (knot(i + degree + 1) - u) / behind * basis(i + 1, degree - 1, u, pieces, order) : 0);
}

/// A point of sdk::Curve: the uniform B-spline clamped at its ends, cubic where it has four control points or more.
Eigen::Vector3d splinePoint(std::span<const double> points, double t)
{
    const auto count = static_cast<int>(points.size() / 3);
    const int degree = std::min(3, count - 1), pieces = count - degree;
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int i = 0; i < count; ++i)
        sum += basis(i, degree, t * pieces, pieces, degree) *
               Eigen::Map<const Eigen::Vector3d>(&points[3 * static_cast<std::size_t>(i)]);
    return sum;
}

} // namespace

/// A problem that asks for something not claimed: Unsupported, from prepare() or solve(), with q untouched.
void Suite::tryRefused(const char* check, const Rig& rig, Trial trial, const std::string& what)
{
    if (!enter(rig.name, "any", what)) return;
    const Prepared solver = prepare(rig, trial.goals.size());
    if (!solver) return m_verdicts.expect(check, true, [] { return std::string(); });
    trial.label += ", " + what;
    const Outcome outcome = attempt(*solver, trial);
    m_verdicts.expect(check, outcome.status == sdk::Status::Unsupported && outcome.isUntouched, [&] {
        return trial.label + ": not claimed, so it must be refused as unsupported; the status is " +
               statusName(outcome.status);
    });
}

/// Whether the solver takes the rig with any goals or a curve, at least with its slides locked, and gives a pose for
/// it.
bool Suite::isSolvedAtAll(const Rig& rig)
{
    const auto takes = [&](const GoalSet& set) {
        const Prepared solver = prepare(rig, set.kinds.size());
        if (!solver) return false;
        Trial trial = makeTrial(rig, set, Distance::Near, 14010);
        if (sdk::isUsable(solve(*solver, trial).status)) return true;
        for (const sdk::DofKind kind : rig.arrays.dofKind)
            trial.locked.push_back(kind == sdk::DofKind::Sliding ? 1 : 0);
        return sdk::isUsable(solve(*solver, trial).status);
    };
    if (std::any_of(m_sets.begin(), m_sets.end(), takes)) return true;
    if (!claims("curve")) return false;
    const Prepared solver = prepare(rig, 0);
    return solver && sdk::isUsable(solve(*solver, makeCurveTrial(rig, 14020)).status);
}

void Suite::checkJointKinds()
{
    // Claimed: some rig with the kind must be taken. (Which chains exactly is the solver's to say.)
    for (const JointKind kind : sdk::jointKinds()) {
        if (kind == JointKind::Fixed || !m_subject.info.moves(nameOf(kind))) continue;
        if (!enter("any", "any", nameOf(kind))) continue;
        const bool isTaken = std::any_of(m_rigs.begin(), m_rigs.end(),
                                         [&](const Rig& rig) { return holds(rig, kind) && isSolvedAtAll(rig); });
        m_verdicts.expect("joint-kinds-moved", isTaken, [kind] {
            return "no chain with " + nameOf(kind) + " joints is solved, though the kind is claimed";
        });
    }
    Random random(m_options.seed + 5);
    for (const JointKind kind : sdk::jointKinds()) {
        if (kind == JointKind::Fixed || m_subject.info.moves(nameOf(kind))) continue;
        const Rig rig = makeChain(kind, std::max(2, m_subject.info.minChainJoints), false, random);
        if (!enter("any", "any", nameOf(kind))) continue;
        sdk::Status status = prepareStatus(rig.model(), 1);
        if (status == sdk::Status::Converged &&
            !m_sets.empty()) { // one that looks at chains, not models, refuses the problem
            Prepared solver{nullptr, m_subject.create()};
            const std::size_t goals = m_sets.front().kinds.size();
            if (solver && solver.prepareFor(rig, goals) == sdk::Status::Converged)
                status = solve(*solver, makeTrial(rig, m_sets.front(), Distance::Near, 14050)).status;
        }
        m_verdicts.expect("joint-kinds-refused", status == sdk::Status::Unsupported, [&] {
            return rig.name + ": not claimed, so it must be refused as unsupported; the status is " +
                   statusName(status);
        });
    }
    if (!claims("hard-limits") && !m_rigs.empty() && !m_sets.empty()) {
        // Limits that it would not keep must not be silently broken.
        const Rig& like = m_rigs.front();
        Rig limited = like;
        limited.name += ", limited";
        std::fill(limited.arrays.lower.begin(), limited.arrays.lower.end(), -0.5);
        std::fill(limited.arrays.upper.begin(), limited.arrays.upper.end(), 0.5);
        std::fill(limited.arrays.ballSwing.begin(), limited.arrays.ballSwing.end(), 0.5);
        Trial trial = makeTrial(limited, m_sets.front(), Distance::Near, 14000);
        tryRefused("limits-refused", limited, trial, "limits");
    }
    // A model of nothing must not bring anybody down.
    if (!enter("any", "any", "a model of nothing")) return;
    const ModelArrays nothing;
    const sdk::Status empty = prepareStatus(nothing.view(), 0);
    m_verdicts.expect("empty-model", empty == sdk::Status::Converged || !sdk::isUsable(empty),
                      [&] { return std::string("prepare() gives ") + statusName(empty); });
}

void Suite::checkGoalKinds()
{
    m_verdicts.expect("goal-kinds-solved", !m_sets.empty() || claims("curve"),
                      [] { return std::string("no kind of goal is claimed: there is nothing to solve"); });
    for (const GoalSet& set : m_sets) {
        if (!enter("any", set.name)) continue;
        int taken = 0;
        for (const Rig& rig : m_rigs) {
            const Prepared solver = prepare(rig, set.kinds.size());
            if (solver && solve(*solver, makeTrial(rig, set, Distance::Near, 14100)).status != sdk::Status::Unsupported)
                ++taken;
        }
        m_verdicts.expect("goal-kinds-solved", taken > 0,
                          [&] { return "claimed, but no rig is solved for: " + set.name; });
    }
    for (const auto& [kind, feature] : kGoalFeatures) {
        if (claims(feature)) continue;
        for (const Rig& rig : m_rigs)
            tryRefused("goal-kinds-refused", rig, makeTrial(rig, {feature, {kind}}, Distance::Near, 14200),
                       std::string("a goal that needs ") + feature);
    }
    m_verdicts.skip("goal-kinds-refused", "every kind of goal is claimed");
}

void Suite::checkPolicies()
{
    if (m_rigs.empty() || m_sets.empty()) return;
    const GoalSet& set = m_sets.front();
    for (const Rig& rig : m_rigs) {
        const Trial trial = makeTrial(rig, set, Distance::Near, 14300);
        if (!claims("stretch")) {
            Trial asks = trial;
            asks.policy.maxStretch = 1.5;
            tryRefused("policies-refused", rig, asks, "stretch");
        }
        if (!claims("soft")) {
            Trial asks = trial;
            asks.goals[0].soft = 0.2;
            tryRefused("policies-refused", rig, asks, "a soft goal");
        }
        if (!claims("objectives")) {
            for (double sdk::Objectives::*wish : {&sdk::Objectives::restPose, &sdk::Objectives::naturalPose,
                                                  &sdk::Objectives::velocity, &sdk::Objectives::power}) {
                Trial asks = trial;
                asks.posture = asks.natural = asks.previous = asks.seed;
                asks.policy.dt = 0.04;
                asks.policy.objectives.*wish = 1;
                tryRefused("policies-refused", rig, asks, "an objective");
            }
        }
        if (!claims("curve")) {
            Trial asks = makeCurveTrial(rig, 14310);
            asks.goals = trial.goals;
            tryRefused("policies-refused", rig, asks, "a curve");
        }
    }
    m_verdicts.skip("policies-refused", "every policy is claimed");
}

/// Two goals, both met by a pose near the seed; the second on the body `second`.
Trial Suite::twoGoals(const Rig& rig, std::int32_t second, std::uint64_t number)
{
    Random random(m_options.seed + number);
    Trial trial = makeTrial(rig, m_sets.front(), Distance::Solved, number);
    const std::vector<double> answer = nearConfiguration(rig, trial.seed, 0.3, random);
    const auto frames = referenceFrames(rig.model(), rig.base, answer);
    sdk::Goal first = trial.goals[0], other = first;
    first.body = rig.tips[0];
    other.body = second;
    for (sdk::Goal* goal : {&first, &other}) {
        Eigen::Map<Eigen::Vector3d>(goal->targetPosition) = effector(*goal, frames);
        const Eigen::Quaterniond rotation(frames[static_cast<std::size_t>(goal->body)].rotation);
        for (int k = 0; k < 4; ++k) goal->targetRotation[k] = rotation.normalized().coeffs()[k];
    }
    trial.goals = {first, other};
    trial.label += ", two goals";
    return trial;
}

void Suite::checkManyGoals()
{
    if (m_sets.empty() || m_sets.front().kinds[0] == GoalKind::Aim)
        return; // targets of two goals are positions and rotations
    const GoalSet& set = m_sets.front();
    int tried = 0, solved = 0, onTrees = 0;
    std::string firstMiss;
    Place missedAt = m_verdicts.place;
    for (const Rig& rig : m_rigs) {
        const bool isTree = rig.tips.size() > 1;
        const std::int32_t second = isTree ? rig.tips[1] : rig.arrays.parent[static_cast<std::size_t>(rig.tips[0])];
        if (!isTree && second <= rig.start) continue;
        const bool isClaimed = claims("multi-goal") && (!isTree || claims("tree"));
        if (!isClaimed) {
            tryRefused("many-goals-refused", rig, twoGoals(rig, second, 15000), "two goals");
            continue;
        }
        if (!enter(rig.name, set.name)) continue;
        const Prepared solver = prepare(rig, 2);
        for (int i = 0; solver && i < m_options.casesPerRig / 2; ++i) {
            const std::uint64_t number = static_cast<std::uint64_t>(i) + 15000;
            if (!enter(rig.name, set.name, std::to_string(number))) continue;
            const Trial trial = twoGoals(rig, second, number);
            const Outcome outcome = solve(*solver, trial);
            if (outcome.status == sdk::Status::Unsupported) continue;
            ++tried;
            onTrees += isTree ? 1 : 0;
            const auto isMet = [&,
                                frames = referenceFrames(rig.model(), trial.base, outcome.q)](const sdk::Goal& goal) {
                return isWithin(goal, referenceError(rig.model(), goal, frames), 1 + 1e-6);
            };
            if (outcome.status == sdk::Status::Converged &&
                std::all_of(trial.goals.begin(), trial.goals.end(), isMet)) {
                ++solved;
            } else if (firstMiss.empty()) {
                firstMiss = trial.label + ": " + statusName(outcome.status);
                missedAt = m_verdicts.place;
            }
        }
    }
    Random random(m_options.seed + 9);
    if (claims("multi-goal") && !claims("tree")) {
        const Rig tree = makeTree(m_subject.info.moves("ball") ? JointKind::Ball : JointKind::Revolute, false, random);
        tryRefused("many-goals-refused", tree, twoGoals(tree, tree.tips[1], 15500), "goals on two branches");
    }
    if (!claims("multi-goal")) return m_verdicts.skip("many-goals-solved", "multi-goal is not claimed");
    const double share = tried > 0 ? static_cast<double>(solved) / tried : 0;
    const std::string figures = text("%d of %d solved (%.2f %%), %d of them on trees", solved, tried, 100 * share,
                                     onTrees);
    const bool isShown = tried > 0 && (onTrees > 0 || !claims("tree"));
    m_verdicts.place = missedAt;
    m_verdicts.expect(
        "many-goals-solved", (isShown || !m_only.rig.empty()) && share >= m_subject.info.promises.solved, [&] {
            return figures + text("; %.2f %% are required; first missed: ", 100 * m_subject.info.promises.solved) +
                   firstMiss;
        });
    m_verdicts.note("many-goals-solved", figures);
}

/// Two goals of which one comes first. Where they contradict each other, the first is met as it would be alone; where
/// both can be met as equals, they are.
void Suite::checkPriorities()
{
    if (!claims("priorities")) return m_verdicts.skip("priorities", "not claimed");
    if (m_sets.empty() || !claims("position-goal")) return;
    constexpr double kDrift = 1e-6; // of the reach
    for (const Rig& rig : m_rigs) {
        const bool isTree = rig.tips.size() > 1;
        const std::int32_t second = isTree ? rig.tips[1] : rig.arrays.parent[static_cast<std::size_t>(rig.tips[0])];
        if ((isTree && !claims("tree")) || (!isTree && second <= rig.start)) continue;
        const Prepared solver = prepare(rig, 2);
        for (int i = 0; solver && i < std::max(1, m_options.casesPerRig / 8); ++i) {
            const std::uint64_t number = static_cast<std::uint64_t>(i) + 15600;
            if (!enter(rig.name, "position", std::to_string(number))) continue;
            Trial trial = twoGoals(rig, second, number);
            for (sdk::Goal& goal : trial.goals) goal.kind = GoalKind::Position;
            const Outcome equals = solve(*solver, trial);
            if (equals.status == sdk::Status::Unsupported) continue;
            trial.goals[0].priority = 3;
            const Outcome ranked = solve(*solver, trial);
            m_verdicts.expect("priorities",
                              equals.status != sdk::Status::Converged || ranked.status == sdk::Status::Converged,
                              [&] { return trial.label + ": met as equals, but not with a priority"; });

            // The second goal goes to the other side of the root.
            const auto ends = [&](const Outcome& outcome) {
                const auto frames = referenceFrames(rig.model(), trial.base, outcome.q);
                return std::array{effector(trial.goals[0], frames), effector(trial.goals[1], frames)};
            };
            Eigen::Map<Eigen::Vector3d> target(trial.goals[1].targetPosition);
            double reach = 0;
            for (std::int32_t b = rig.tips[0]; b > rig.start; b = rig.arrays.parent[static_cast<std::size_t>(b)])
                reach += Eigen::Map<const Eigen::Vector3d>(&trial.base[8 * static_cast<std::size_t>(b)]).norm();
            target = -3 * reach * Eigen::Vector3d(ends(equals)[0]).normalized();
            const Outcome both = solve(*solver, trial);
            trial.goals[1].positionWeight = 0;
            const Outcome alone = solve(*solver, trial);
            if (both.status == sdk::Status::Converged || !sdk::isUsable(both.status)) continue;
            const double drift = (ends(both)[0] - ends(alone)[0]).norm();
            const double gain = (ends(alone)[1] - target).norm() - (ends(both)[1] - target).norm();
            m_verdicts.expect("priorities", drift <= kDrift * reach, [&] {
                return trial.label + text(": a lower goal moves the end of a higher one by %.3g of the reach, where "
                                          "%.3g is allowed",
                                          drift / reach, kDrift);
            });
            m_verdicts.expect("priorities", gain > -kDrift * reach, [&] {
                return trial.label + text(": the lower goal is farther off than without it, by %.3g m", -gain);
            });
        }
    }
}

void Suite::checkObjectives()
{
    if (!claims("objectives")) return m_verdicts.skip("objectives", "not claimed");
    struct Wish
    {
        const char* name;
        double sdk::Objectives::*weight;
    };
    constexpr Wish kWishes[] = {{"restPose", &sdk::Objectives::restPose},
                                {"naturalPose", &sdk::Objectives::naturalPose},
                                {"velocity", &sdk::Objectives::velocity},
                                {"power", &sdk::Objectives::power}};
    constexpr double kNearer = 1e-6; // what is ignored changes nothing; what is met already, hardly anything
    for (const Rig& rig : m_rigs) {
        if (rig.isLimited || !rig.onlyTurns || rig.tips.size() > 1 || rig.arrays.vBegin.back() < 5 ||
            !claims("position-goal"))
            continue; // redundant for a position
        const GoalSet set = {"position", {GoalKind::Position}};
        Rig heavy = rig;
        std::fill(heavy.arrays.mass.begin(), heavy.arrays.mass.end(), 2.0);
        for (const Wish& wish : kWishes) {
            if (!enter(rig.name, set.name, wish.name)) continue;
            const Prepared solver = prepare(heavy, 1);
            if (!solver) continue;
            Trial trial = makeTrial(heavy, set, Distance::Near, 16000);
            trial.label += std::string(", ") + wish.name;
            Random random(m_options.seed + 3);
            trial.posture = trial.natural = trial.previous = nearConfiguration(rig, trial.seed, 0.8, random);
            trial.policy.dt = 0.04;
            const Outcome without = solve(*solver, trial);
            if (without.status != sdk::Status::Converged) continue;
            trial.policy.objectives.*wish.weight = 1;
            const Outcome with = solve(*solver, trial);
            const auto frames = referenceFrames(heavy.model(), trial.base, with.q);
            // A method that weighs objectives against goals promises how far off it ends.
            sdk::Goal asked = trial.goals[0];
            asked.positionTolerance = std::max(asked.positionTolerance,
                                               m_subject.info.promises.missWithObjectives * rig.reach);
            const bool isMet = sdk::isUsable(with.status) &&
                               isWithin(asked, referenceError(heavy.model(), asked, frames), 1 + 1e-6);
            const bool isOfMasses = wish.weight == &sdk::Objectives::power;
            const auto distance = [&](const std::vector<double>& q) {
                return isOfMasses ? massMotion(heavy, q, trial.posture) : distanceBetween(heavy, q, trial.posture);
            };
            const double before = distance(without.q), after = isMet ? distance(with.q) : INFINITY;
            m_verdicts.expect("objectives", isMet && after < before - kNearer, [&] {
                return trial.label + (isMet ? text(": with weight 1 the pose is %.9g from the preferred one, with "
                                                   "weight 0 %.9g; it must come nearer",
                                                   after, before)
                                            : text(": with weight 1 the goal is no longer met; the status is %s",
                                                   statusName(with.status)));
            });
        }
    }
    need("objectives", "objectives");
}

void Suite::checkStretch()
{
    if (!claims("stretch")) return m_verdicts.skip("stretch", "not claimed");
    for (const Rig& rig : m_rigs) {
        if (!rig.straightens || rig.isPlanar || !claims("position-goal")) continue;
        const GoalSet set = {"position", {GoalKind::Position}};
        const Prepared solver = prepare(rig, 1);
        if (!solver) continue;
        for (const double far : {0.6, 1.3, 2.5}) {
            if (!enter(rig.name, set.name, text("%g", far))) continue;
            Trial trial = makeTrial(rig, set, Distance::Near, 17000);
            trial.label += text(", stretch up to 1.5 for a goal at %g of the reach", far);
            trial.policy.maxStretch = 1.5;
            std::fill(std::begin(trial.goals[0].offset), std::end(trial.goals[0].offset), 0.0);
            Eigen::Map<Eigen::Vector3d>(trial.goals[0].targetPosition) = Eigen::Vector3d(0, 0.1, 0) +
                                                                         Eigen::Vector3d(0.6, 0.64, 0.48) * rig.reach *
                                                                             far;
            const Outcome outcome = solve(*solver, trial);
            const auto [least, most] = std::minmax_element(outcome.stretch.begin(), outcome.stretch.end());
            const bool isWithinPolicy = *least >= 1 - 1e-12 && *most <= 1.5 + 1e-12;
            const bool isNeeded = far > 1 || *most == 1;
            const bool isMet = (outcome.status == sdk::Status::Converged) == (far < 1.5);
            m_verdicts.expect("stretch", isWithinPolicy && isNeeded && isMet, [&] {
                return trial.label +
                       text(": status %s, factors %.6g ... %.6g", statusName(outcome.status), *least, *most);
            });
        }
    }
    if (claims("position-goal")) need("stretch", "stretch"); // else checkCurve() tries it
}

/// A curve near a random pose of the rig, from where its chain starts, with as many points as the number says.
Trial Suite::makeCurveTrial(const Rig& rig, std::uint64_t number) const
{
    Random random(mixed(m_options.seed, number, rig.name + "curve"));
    Trial trial;
    trial.label = rig.name + ", curve, case " + std::to_string(number) + ", seed " + std::to_string(m_options.seed);
    trial.rig = &rig;
    trial.base = rig.base;
    trial.seed = randomConfiguration(rig, random);
    trial.posture = restConfiguration(rig);
    trial.policy.curve.emplace();
    trial.policy.curve->startBody = rig.start;
    trial.policy.curve->endBody = rig.tips[0];
    trial.policy.curve->startTwist = random.chance(0.5) ? 0 : random.uniform(-2, 2);
    trial.policy.curve->endTwist = random.chance(0.5) ? 0 : random.uniform(-2, 2);
    const auto frames = referenceFrames(rig.model(), rig.base, trial.seed);
    const Eigen::Vector3d start = frames[static_cast<std::size_t>(rig.start)].position;
    const int count = 2 + static_cast<int>(number % 6);
    Eigen::Vector3d at = start;
    for (int i = 0; i < count; ++i) {
        trial.curvePoints.insert(trial.curvePoints.end(), at.data(), at.data() + 3);
        at += 2.0 / count * Eigen::Vector3d(random.uniform(-1, 1), random.uniform(0, 1.5), random.uniform(-1, 1));
    }
    return trial;
}

void Suite::checkCurve()
{
    if (!claims("curve")) return m_verdicts.skip("curve", "not claimed");
    for (const Rig& rig : m_rigs) {
        if (!enter(rig.name, "curve")) continue;
        Prepared solver = prepare(rig, 0);
        if (!solver) continue;
        if (rig.straightens && !rig.isPlanar) followGently(rig, *solver);
        for (int i = 0; i < m_options.casesPerRig; ++i) followAny(rig, solver, i);
    }
    need("curve", "curve");
    if (claims("hard-limits")) need("limits-kept", "hard-limits");
    if (claims("no-alloc") && m_options.allocations) need("no-allocations", "no-alloc");
    if (claims("closed-form")) need("closed-form", "closed-form");
}

/// Along a gently bent curve every joint comes within 1 % of its bone of it; past its end the chain is stretched where
/// that is claimed.
void Suite::followGently(const Rig& rig, sdk::Solver& solver)
{
    const double r = rig.reach;
    Trial trial = makeCurveTrial(rig, 18600);
    trial.label = rig.name + ", gently bent curve";
    trial.seed = restConfiguration(rig);
    trial.curvePoints = {0,       0.1,           0,       0.05 * r, 0.1 + 0.4 * r, 0,
                         0.3 * r, 0.1 + 0.8 * r, 0.1 * r, 0.4 * r,  0.1 + 1.3 * r, 0.3 * r};
    const Outcome outcome = solve(solver, trial);
    const auto distance = [&](const Eigen::Vector3d& place) {
        double nearest = INFINITY;
        for (int s = 0; s <= 4000; ++s)
            nearest = std::min(nearest, (splinePoint(trial.curvePoints, s / 4000.0) - place).norm());
        return nearest;
    };
    const auto frames = referenceFrames(rig.model(), trial.base, outcome.q);
    double worst = 0;
    for (int b = rig.start; b < rig.bodyCount(); ++b) {
        const double* offset = &rig.base[kBaseStride * static_cast<std::size_t>(b)];
        worst = std::max(worst, distance(frames[static_cast<std::size_t>(b)].position) /
                                    std::hypot(offset[0], offset[1], offset[2]));
    }
    m_verdicts.expect("curve", outcome.status == sdk::Status::Converged && worst < 0.01, [&] {
        return trial.label + text(": status %s, a joint is %.2f %% of its bone off the curve",
                                  statusName(outcome.status), 100 * worst);
    });
    if (!claims("stretch")) return;
    trial.label += ", stretched";
    trial.policy.maxStretch = 3;
    const Outcome stretched = solve(solver, trial);
    const auto longer = referenceFrames(rig.model(), trial.base, stretched.q, stretched.stretch);
    const double off =
        (longer[static_cast<std::size_t>(rig.tips[0])].position - splinePoint(trial.curvePoints, 1)).norm();
    const auto [least, most] = std::minmax_element(stretched.stretch.begin(), stretched.stretch.end());
    m_verdicts.expect("stretch", off < 1e-6 * r && *least >= 1 && *most <= 3, [&] {
        return trial.label + text(": the end is %.3g m off the curve's end, factors %.6g ... %.6g", off, *least, *most);
    });
}

/// Any curve, on limited joints too: answers that repeat, keep limits and locks, and move with the whole.
void Suite::followAny(const Rig& rig, Prepared& solver, int i)
{
    const auto number = static_cast<std::uint64_t>(18500 + i);
    if (!enter(rig.name, "curve", std::to_string(number))) return;
    Trial trial = makeCurveTrial(rig, number);
    Random random(m_options.seed + number);
    if (i % 3 == 2)
        for (std::size_t b = 0; b < rig.arrays.kind.size(); ++b) {
            const bool isLocked = random.chance(0.3);
            for (std::int32_t v = rig.arrays.vBegin[b]; v < rig.arrays.vBegin[b + 1]; ++v)
                trial.locked.push_back(isLocked ? 1 : 0);
        }
    const Outcome first = solve(*solver, trial,
                                {.allocations = m_options.allocations ? &m_options.allocations : nullptr});
    if (claims("no-alloc") && m_options.allocations)
        m_verdicts.expect("no-allocations", first.allocations == 0, [&] {
            return trial.label + text(": %lld allocations in solve()", static_cast<long long>(first.allocations));
        });
    m_verdicts.expect("curve", sdk::isUsable(first.status),
                      [&] { return trial.label + ": status " + statusName(first.status); });
    if (!sdk::isUsable(first.status)) return;
    if (claims("closed-form"))
        m_verdicts.expect("closed-form", first.iterations == 0,
                          [&] { return trial.label + text(": %d iterations", first.iterations); });
    const auto expectSame = [&](const Outcome& again, const char* how) {
        m_verdicts.expect("repeatable", sameOutcome(first, again),
                          [&] { return trial.label + ": " + how + ": another status, or other bits"; });
    };
    static_cast<void>(solve(*solver, makeCurveTrial(rig, number + 500)));
    expectSame(solve(*solver, trial), "after another curve");
    if (const Prepared fresh = prepare(rig, 0)) expectSame(solve(*fresh, trial), "by a new solver");
    expectSame(solve(*solver, trial, {.isGrown = true}), "with structs of a later SDK");
    for (const auto& [what, spoil] :
         {std::pair<const char*, void (*)(sdk::Curve&)>("on body -1", [](sdk::Curve& c) { c.startBody = -1; }),
          std::pair<const char*, void (*)(sdk::Curve&)>("of one point",
                                                        [](sdk::Curve& c) { c.points = c.points.first(3); }),
          std::pair<const char*, void (*)(sdk::Curve&)>("whose twist is no number",
                                                        [](sdk::Curve& c) { c.endTwist = NAN; })}) {
        sdk::Curve spoiled = *trial.policy.curve;
        spoiled.points = trial.curvePoints;
        spoil(spoiled);
        const Outcome refused = attempt(*solver, trial,
                                        {.spoil = [&](sdk::Problem& problem) { problem.curve = &spoiled; }});
        m_verdicts.expect("invalid-problems-refused", !sdk::isUsable(refused.status) && refused.isUntouched,
                          [&, what = what] { return trial.label + ": takes a curve " + what; });
    }
}

void Suite::checkClosedForm()
{
    if (!claims("closed-form")) return m_verdicts.skip("closed-form", "not claimed");
    forEachCase(8, 18000, [this](const Case& c) {
        if (c.rig.isLimited) return;
        const Trial trial = makeTrial(c.rig, c.set, Distance::Far, c.number);
        const Outcome outcome = solve(*c.solver, trial);
        if (sdk::isUsable(outcome.status))
            m_verdicts.expect("closed-form", outcome.iterations == 0,
                              [&] { return trial.label + text(": %d iterations", outcome.iterations); });
    });
    if (!m_sets.empty()) need("closed-form", "closed-form"); // else checkCurve() has tried it
}

void Suite::checkHistory()
{
    // Whoever claims that answers depend on earlier ones makes hosts evaluate every frame in order: let it be so.
    if (!claims("history")) return m_verdicts.skip("history", "not claimed; answers must be repeatable");
    bool depends = false;
    forEachCase(4, 19000, [&](const Case& c) {
        Trial trial = makeTrial(c.rig, c.set, Distance::Near, c.number);
        trial.previous = trial.seed;
        trial.policy.dt = 0.04;
        if (claims("objectives")) trial.policy.objectives.velocity = 1;
        const Outcome first = solve(*c.solver, trial);
        static_cast<void>(solve(*c.solver, makeTrial(c.rig, c.set, Distance::Far, c.number + 500)));
        depends |= !sameOutcome(first, solve(*c.solver, trial));
        Random random(m_options.seed + c.number);
        trial.previous = nearConfiguration(c.rig, trial.seed, 0.3, random);
        depends |= !sameOutcome(first, solve(*c.solver, trial));
    });
    m_verdicts.expect("history", depends,
                      [] { return std::string("claimed, but no answer depends on what was before"); });
}

} // namespace tendon::conformance

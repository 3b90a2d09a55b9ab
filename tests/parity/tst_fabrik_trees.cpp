#include "solvers/fabrik/FabrikSolver.h"
#include "tests/support/SolverModel.h"
#include "tests/support/TestProgram.h"

#include <tendon/kit/Limits.h>

#include <cmath>

using namespace tendon;
using fabrik::Vector3;
using sdk::Goal;
using sdk::JointKind;
using sdk::Stage;
using sdk::StageRow;
using sdk::Status;

namespace {

Vector3 at(const StageRow& row) { return kit::vectorAt(row.position); }

/// A solver with a buffer for its stages.
struct Watched
{
    FabrikSolver solver;
    std::vector<StageRow> room = std::vector<StageRow>(20000);

    [[nodiscard]] std::span<const StageRow> solve(const SolverModel& rig, std::span<const Goal> goals,
                                                  SolveResult& result)
    {
        sdk::Extension stages = sdk::makeExtension(sdk::kStages, std::span(room));
        sdk::Control control;
        control.extensions = std::span(&stages, 1);
        result = solveOnce(solver, rig, goals, {}, control);
        return {room.data(), static_cast<std::size_t>(stages.used)};
    }
};

/// A trunk of two bones, then `branches` arms of two ball joints each, whose first joints are apart.
struct Tree : SolverModel
{
    int fork = 0;
    std::vector<int> tips;

    explicit Tree(int branches, int below = 0)
    {
        const int root = add(-1, JointKind::Ball, Vector3::Zero());
        fork = add(root, JointKind::Ball, Vector3(0, 0.5, 0));
        for (int i = 0; i < branches; ++i) grow(fork, Vector3(0.2 * (i + 1), 0.4, 0.1 * i), i == 0 ? below : 0);
    }

private:
    void grow(int from, const Vector3& step, int below)
    {
        const int first = add(from, JointKind::Ball, step), second = add(first, JointKind::Ball, step);
        if (below == 0) tips.push_back(add(second, JointKind::Fixed, step));
        for (int i = 0; i < below; ++i) grow(second, Vector3(-0.15 * (i + 1), 0.3, 0.2 * i), 0);
    }
};

/// Balls along y with an ellipse of four different semi-axes each, and a twist range.
struct LimitedChain : SolverModel
{
    int tip;

    explicit LimitedChain(int joints, double scale = 1)
    {
        int body = -1;
        for (int i = 0; i < joints; ++i) {
            body = add(body, JointKind::Ball, Vector3(0, i == 0 ? 0 : 1.0 / joints, 0));
            const auto b = static_cast<std::size_t>(body);
            for (std::size_t k = 0; k < 4; ++k) ballSwing[4 * b + k] = scale * (0.35 + 0.15 * static_cast<double>(k));
            ballTwist[2 * b] = -0.4;
            ballTwist[2 * b + 1] = 0.6;
            ballAxis[b] = sdk::Axis::Y;
        }
        tip = add(body, JointKind::Fixed, Vector3(0, 1.0 / joints, 0));
    }
};

/// Five joints in a row, or a trunk of two with two arms of three; limits of every joint and directions are random.
/// `family`: 0 = balls, 1 = two or three axes, 2 = hinges.
struct RandomLimits : SolverModel
{
    std::vector<int> tips;

    RandomLimits(std::mt19937& random, int family, bool isTree) : m_random(random), m_family(family)
    {
        const int trunk = grow(-1, 2);
        for (int arm = 0; arm < (isTree ? 2 : 1); ++arm)
            tips.push_back(add(grow(trunk, 3), JointKind::Fixed, 0.3 * randomUnit(random)));
    }

private:
    int grow(int body, int joints)
    {
        std::uniform_real_distribution<double> narrow(0.2, 1.5);
        for (int i = 0; i < joints; ++i) {
            const Vector3 bone = body < 0 ? Vector3(Vector3::Zero())
                                          : Vector3(0.2 * randomUnit(m_random) + Vector3(0, 0.3, 0));
            const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
            if (m_family == 0)
                body = add(body, JointKind::Ball, bone);
            else if (m_family == 2)
                body = add(body, JointKind::Revolute, bone, {randomUnit(m_random)});
            else
                body = i % 2 == 0 ? add(body, JointKind::Axes, bone, {x, y, z})
                                  : add(body, JointKind::Universal, bone, {x, z});
            const auto b = static_cast<std::size_t>(body);
            for (int v = vBegin[b]; m_family != 0 && v < vBegin[b + 1]; ++v)
                limit(v, -narrow(m_random), narrow(m_random));
            for (std::size_t k = 0; k < 4; ++k) ballSwing[4 * b + k] = narrow(m_random);
            ballTwist[2 * b] = -narrow(m_random);
            ballTwist[2 * b + 1] = narrow(m_random);
        }
        return body;
    }

    std::mt19937& m_random;
    int m_family;
};

} // namespace

class TestFabrikTrees : public QObject
{
    Q_OBJECT

private slots:
    void aSubBaseGoesToTheMeanOfItsCandidates_data()
    {
        QTest::addColumn<bool>("weighted");
        QTest::newRow("weighted") << true;
        QTest::newRow("equal") << false;
    }

    void aSubBaseGoesToTheMeanOfItsCandidates()
    {
        QFETCH(bool, weighted);
        const Tree tree(3);
        Watched watched;
        QVERIFY(watched.solver.setParameter("centroid", weighted ? 0 : 1));
        QCOMPARE(watched.solver.prepare(tree.model(), 3), Status::Converged);
        const Goal goals[] = {positionGoal(tree.tips[0], {0.5, 1.3, 0.4}, 1e-6, 1),
                              positionGoal(tree.tips[1], {0.9, 1.2, -0.3}, 1e-6, 2),
                              positionGoal(tree.tips[2], {1.1, 1.4, 0.6}, 1e-6, 5)};
        SolveResult result;
        const auto rows = watched.solve(tree, goals, result);
        QCOMPARE(result.status, Status::Converged);
        int passes = 0;
        double worst = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].stage != Stage::SubBase || rows[i].body != tree.fork) continue;
            ++passes;
            Vector3 sum = Vector3::Zero();
            double weights = 0;
            int candidates = 0;
            for (std::size_t k = 0; k < i; ++k) {
                const StageRow& row = rows[k];
                if (row.pass != rows[i].pass || row.stage != Stage::Candidate || row.body != tree.fork) continue;
                ++candidates;
                const double weight = weighted ? (row.other == tree.fork + 1   ? 1
                                                  : row.other == tree.fork + 4 ? 2
                                                                               : 5)
                                               : 1;
                QVERIFY(row.weight == weight);
                sum += weight * at(row);
                weights += weight;
            }
            QCOMPARE(candidates, 3);
            worst = std::max(worst, (sum / weights - at(rows[i])).norm());
        }
        qInfo("%d passes, mean off by at most %.2g", passes, worst);
        QVERIFY(passes >= 1 && worst < 1e-12);
    }

    void theFirstCandidateMatchesACalculationByHand()
    {
        // One pass from the rest pose: each branch alone, from tip to fork, as a chain.
        const Tree tree(2);
        Watched watched;
        QVERIFY(watched.solver.setParameter("passes", 1));
        QCOMPARE(watched.solver.prepare(tree.model(), 2), Status::Converged);
        const Goal goals[] = {positionGoal(tree.tips[0], {0.3, 1.2, 0.5}, 1e-6),
                              positionGoal(tree.tips[1], {1.0, 0.9, -0.4}, 1e-6)};
        SolveResult result;
        const auto rows = watched.solve(tree, goals, result);
        const auto frames = tree.frames(tree.seed);
        for (int branch = 0; branch < 2; ++branch) {
            Vector3 point = kit::vectorAt(goals[branch].targetPosition);
            for (int b = tree.tips[static_cast<std::size_t>(branch)]; b != tree.fork;
                 b = tree.parent[static_cast<std::size_t>(b)]) {
                const auto above = static_cast<std::size_t>(tree.parent[static_cast<std::size_t>(b)]);
                const Vector3 before = frames[above].position,
                              bone = kit::vectorAt(&tree.base[8 * static_cast<std::size_t>(b)]);
                point += (before - point).normalized() * bone.norm();
            }
            int found = 0;
            for (const StageRow& row : rows)
                if (row.stage == Stage::Candidate && row.pass == 0 && row.body == tree.fork &&
                    row.other == tree.fork + 1 + 3 * branch) {
                    ++found;
                    QVERIFY((at(row) - point).norm() < 1e-12);
                }
            QCOMPARE(found, 1);
        }
    }

    void nestedSubBasesAreSolvedBeforeTheOnesAbove()
    {
        const Tree tree(2, 2); // the first branch forks again
        Watched watched;
        QCOMPARE(watched.solver.prepare(tree.model(), 3), Status::Converged);
        QCOMPARE(tree.tips.size(), std::size_t{3});
        const std::vector<double> there = [&] {
            std::mt19937 random(4);
            return tree.randomConfiguration(random, 0.8);
        }();
        const auto frames = tree.frames(there);
        std::vector<Goal> goals;
        for (const int tip : tree.tips)
            goals.push_back(positionGoal(tip, frames[static_cast<std::size_t>(tip)].position, 1e-4));
        SolveResult result;
        const auto rows = watched.solve(tree, goals, result);
        QCOMPARE(result.status, Status::Converged);
        qInfo("two levels, three ends: %d passes", result.solution.iterations);
        std::vector<int> order;
        bool wasForward = false;
        for (const StageRow& row : rows) {
            if (row.pass != 0) break;
            wasForward |= row.isForward != 0;
            QVERIFY(!wasForward || row.isForward != 0); // backward first, then forward
            if (row.stage == Stage::SubBase) order.push_back(row.body);
        }
        QCOMPARE(order.size(), std::size_t{2});
        QVERIFY(order[0] > order[1]);
        QCOMPARE(order[1], tree.fork);
        const auto last = tree.frames(result.q);
        for (std::size_t b = 1; b < last.size(); ++b) { // lengths are the model's
            const Vector3 bone = last[b].position - last[static_cast<std::size_t>(tree.parent[b])].position;
            QVERIFY(std::abs(bone.norm() - kit::vectorAt(&tree.base[8 * b]).norm()) < 1e-12);
        }
    }

    void limitedPassesFollowTheStepsOfTheFigure()
    {
        const LimitedChain chain(4, 0.5);
        Watched watched;
        QVERIFY(watched.solver.setParameter("sweeps", 0));
        QCOMPARE(watched.solver.prepare(chain.model(), 1), Status::Converged);
        const Goal goal = positionGoal(chain.tip, {0.75, 0.45, 0.2}, 1e-6);
        SolveResult result;
        const auto rows = watched.solve(chain, {&goal, 1}, result);
        const Stage order[] = {Stage::Place,       Stage::Look,   Stage::Ellipse,
                               Stage::IntoEllipse, Stage::Length, Stage::Twist};
        int steps[2] = {0, 0}, outside[2] = {0, 0};
        QVERIFY(rows.size() > 20);
        for (std::size_t i = 0; i + 5 < rows.size(); ++i) {
            if (rows[i].stage != Stage::Place || rows[i + 2].stage != Stage::Ellipse) continue;
            for (std::size_t k = 0; k < 6; ++k) {
                QVERIFY(rows[i + k].stage == order[k]);
                QCOMPARE(rows[i + k].body, rows[i].body);
            }
            const int forward = rows[i].isForward;
            const StageRow &wished = rows[i + 2], &moved = rows[i + 3], &last = rows[i + 5];
            ++steps[forward];
            const double before = kit::ellipseLevel(wished.swing[0], wished.swing[1], wished.semiAxes);
            const double after = kit::ellipseLevel(moved.swing[0], moved.swing[1], moved.semiAxes);
            QVERIFY(after <= 1 + 1e-12);
            if (before > 1 + 1e-9) {
                ++outside[forward];
                QVERIFY(after > 1 - 1e-6); // on the rim ...
                const auto nearest = kit::nearestInEllipse(wished.swing[0], wished.swing[1], wished.semiAxes);
                QVERIFY(std::hypot(nearest[0] - moved.swing[0], nearest[1] - moved.swing[1]) <
                        1e-9); // ... at its nearest point
            } else {
                QVERIFY((at(moved) - at(wished)).norm() < 1e-9);
            }
            // Straight to the nearest point of the limits' cone, which shortens the edge; then out along it.
            const Vector3 in = at(moved) - at(wished), out = at(rows[i + 4]) - at(moved);
            const bool isBehind = std::abs(in.norm() - out.norm()) < 1e-9; // then the cone's tip is nearest
            QVERIFY(isBehind || std::abs(in.dot(out)) < 1e-9);
            if (in.norm() > 1e-3) QVERIFY(out.norm() > 1e-7);
            QVERIFY((at(last) - at(rows[i + 4])).norm() < 0.1);
        }
        qInfo("steps c-h: %d backward (%d outside the ellipse), %d forward (%d outside)", steps[0], outside[0],
              steps[1], outside[1]);
        QVERIFY(steps[0] > 0 && steps[1] > 0 && outside[0] > 0 && outside[1] > 0);
        QVERIFY(chain.violation(result.q) <= 1e-9);
    }

    void limitsHoldAndReachableGoalsAreMet_data()
    {
        QTest::addColumn<int>("joints");
        for (int n : {4, 10, 30}) QTest::newRow(qPrintable(QString::number(n))) << n;
    }

    void limitsHoldAndReachableGoalsAreMet()
    {
        QFETCH(int, joints);
        const LimitedChain chain(joints);
        FabrikSolver solver;
        QCOMPARE(solver.prepare(chain.model(), 1), Status::Converged);
        std::mt19937 random(77);
        const int cases = 400;
        int solved = 0, blocked = 0;
        double worst = 0, passes = 0;
        for (int i = 0; i < 2 * cases; ++i) {
            const std::vector<double> there = chain.randomConfiguration(random, 1.2);
            Vector3 target = chain.frames(there)[static_cast<std::size_t>(chain.tip)].position;
            const bool isReachable = i % 2 == 0;
            if (!isReachable)
                target = Vector3(target[0], -0.5 * std::abs(target[1]), target[2]) *
                         0.9; // behind the chain: limits may forbid it
            const Goal goal = positionGoal(chain.tip, target, 1e-3);
            const SolveResult result = solveOnce(solver, chain, {&goal, 1});
            worst = std::max(worst, chain.violation(result.q));
            const double off = (chain.frames(result.q)[static_cast<std::size_t>(chain.tip)].position - target).norm();
            QCOMPARE(result.status == Status::Converged, off <= 1e-3);
            if (isReachable) {
                solved += result.status == Status::Converged ? 1 : 0;
                passes += result.solution.iterations;
            } else if (result.status != Status::Converged) {
                ++blocked;
                QVERIFY(result.status == Status::LimitsBlock || result.status == Status::Stalled ||
                        result.status == Status::Unreachable || result.status == Status::IterationLimit);
            }
        }
        qInfo("%d limited balls, random seed 77: %d of %d reachable solved, %.1f passes in the mean; %d of %d others "
              "blocked; largest violation %.2g rad",
              joints, solved, cases, passes / cases, blocked, cases, worst);
        QVERIFY(worst <= 1e-6);
        QVERIFY(solved >= cases * 95 / 100);
    }

    void reachableGoalsAreMetAndNotBlamedOnLimits()
    {
        // Chains of five joints and trees with two arms; every third is of skew hinges alone, the hardest kind.
        std::mt19937 random(2026);
        const int cases = 300;
        int met = 0, blamed = 0;
        for (int i = 0; i < cases; ++i) {
            const RandomLimits rig(random, i % 3, i % 2 == 0);
            const auto frames = rig.frames(rig.randomConfiguration(random));
            std::vector<Goal> goals;
            for (const int tip : rig.tips)
                goals.push_back(positionGoal(tip, frames[static_cast<std::size_t>(tip)].position));
            FabrikSolver solver;
            QCOMPARE(solver.prepare(rig.model(), 2), Status::Converged);
            const SolveResult result = solveOnce(solver, rig, goals);
            QVERIFY(rig.violation(result.q) <= 1e-9);
            met += result.status == Status::Converged ? 1 : 0;
            blamed += result.status == Status::LimitsBlock ? 1 : 0;
        }
        qInfo("random seed 2026: %d of %d reachable goals met, %d blamed on limits", met, cases, blamed);
        QVERIFY(met >= cases * 97 / 100);
        QVERIFY(blamed < cases / 100);
    }

    void aBallTurnsNoFurtherThanItsGoalNeeds()
    {
        // A sweep leaves the turn about the line to the goal alone, however rounding falls: rotated problems have
        // rotated answers.
        std::mt19937 random(5);
        double worst = 0;
        for (int i = 0; i < 40; ++i) {
            RandomLimits rig(random, 0, i % 2 == 0);
            const auto frames = rig.frames(rig.randomConfiguration(random));
            std::vector<double> answers[2];
            for (const bool isTurned : {false, true}) {
                const kit::Quaternion turn = isTurned ? randomRotation(random) : kit::Quaternion::Identity();
                kit::store((turn * kit::quaternionAt(&rig.base[3])).normalized(), &rig.base[3]);
                std::vector<Goal> goals;
                for (const int tip : rig.tips)
                    goals.push_back(positionGoal(tip, turn * frames[static_cast<std::size_t>(tip)].position));
                FabrikSolver solver;
                QCOMPARE(solver.prepare(rig.model(), 2), Status::Converged);
                answers[isTurned ? 1 : 0] = solveOnce(solver, rig, goals).q;
            }
            for (std::size_t k = 0; k < answers[0].size(); ++k)
                worst = std::max(worst, std::abs(answers[0][k] - answers[1][k]));
        }
        QVERIFY2(worst < 1e-6, qPrintable(QString::number(worst)));
    }

    void aMissIsBlamedOnLimitsWhereTheyAreTheReason()
    {
        // Three hinges about z that bend by at most 0.5: lengths alone would let them reach the goal.
        SolverModel rig;
        int tip = -1;
        for (int i = 0; i < 3; ++i) {
            tip = rig.add(tip, JointKind::Revolute, Vector3(i == 0 ? 0 : 1, 0, 0), {Vector3::UnitZ()});
            rig.limit(i, -0.5, 0.5);
        }
        tip = rig.add(tip, JointKind::Fixed, Vector3(1, 0, 0));
        const Vector3 target(0.5, 0.7, 0);
        const Goal goal = positionGoal(tip, target);
        FabrikSolver solver;
        QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
        const SolveResult result = solveOnce(solver, rig, {&goal, 1});
        QCOMPARE(result.status, Status::LimitsBlock);
        QVERIFY(result.goals[0].blockingDof >= 0);
        double nearest = 10; // of all poses on a grid
        for (int i = 0; i < 21 * 21 * 21; ++i) {
            const std::vector<double> q = {0.05 * (i % 21 - 10), 0.05 * (i / 21 % 21 - 10), 0.05 * (i / 441 - 10)};
            nearest = std::min(nearest, (rig.frames(q)[static_cast<std::size_t>(tip)].position - target).norm());
        }
        QVERIFY2(result.goals[0].positionError <= nearest + 1e-9,
                 qPrintable(QStringLiteral("%1, %2").arg(result.goals[0].positionError).arg(nearest)));
    }

    void hingesKeepTheirRangesInEveryTracedPass()
    {
        SolverModel rig;
        int body = -1;
        const Vector3 axes[] = {Vector3::UnitX(), Vector3::UnitZ(), Vector3::UnitY()};
        for (int i = 0; i < 8; ++i) {
            const int kind = i % 3;
            const std::vector<Vector3> own = kind == 0   ? std::vector<Vector3>{axes[i % 2]}
                                             : kind == 1 ? std::vector<Vector3>{axes[0], axes[1]}
                                                         : std::vector<Vector3>{axes[0], axes[2], axes[1]};
            body = rig.add(body,
                           kind == 0   ? JointKind::Revolute
                           : kind == 1 ? JointKind::Universal
                                       : JointKind::Axes,
                           Vector3(0, i == 0 ? 0 : 0.125, 0), own);
            for (int v = rig.vBegin[static_cast<std::size_t>(body)]; v < rig.vBegin.back(); ++v)
                rig.limit(v, -0.7, 0.5);
        }
        const int tip = rig.add(body, JointKind::Fixed, Vector3(0, 0.125, 0));
        FabrikSolver solver;
        QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
        std::mt19937 random(12);
        int solved = 0;
        for (int i = 0; i < 100; ++i) {
            const Goal goal = positionGoal(
                tip, rig.frames(rig.randomConfiguration(random))[static_cast<std::size_t>(tip)].position, 1e-4);
            std::vector<sdk::TraceRow> trace(200);
            std::vector<double> configurations(trace.size() * rig.seed.size());
            sdk::Control control;
            control.trace = trace;
            control.traceConfigurations = configurations;
            const SolveResult result = solveOnce(solver, rig, {&goal, 1}, {}, control);
            solved += result.status == Status::Converged ? 1 : 0;
            for (std::size_t k = 0; k < static_cast<std::size_t>(result.solution.traceRows) * rig.seed.size(); ++k)
                QVERIFY(configurations[k] >= -0.7 && configurations[k] <= 0.5);
        }
        qInfo("chain of hinges, pairs and triples: %d of 100 solved, every pass within limits", solved);
        QVERIFY(solved >= 95);
    }

    void theEndTakesTheRotationOfTheGoal()
    {
        std::mt19937 random(31);
        const LimitedChain chain(8, 1.5);
        FabrikSolver solver;
        QCOMPARE(solver.prepare(chain.model(), 1), Status::Converged);
        int solved = 0;
        for (int i = 0; i < 200; ++i) {
            const auto frames = chain.frames(chain.randomConfiguration(random, 0.9));
            Goal goal = positionGoal(chain.tip, frames.back().position, 1e-4);
            goal.kind = i % 2 == 0 ? sdk::GoalKind::Pose : sdk::GoalKind::Orientation;
            kit::store(frames.back().rotation, goal.targetRotation);
            const SolveResult result = solveOnce(solver, chain, {&goal, 1});
            solved += result.status == Status::Converged ? 1 : 0;
            const double off = kit::rotationAngle(chain.frames(result.q).back().rotation.conjugate() *
                                                  frames.back().rotation);
            QVERIFY(std::abs(off - result.goals[0].rotationError) < 1e-7);
        }
        qInfo("pose and orientation goals on 8 limited balls: %d of 200 solved", solved);
        QVERIFY(solved >= 190);
    }

    void tracingDoesNotChangeTheResult()
    {
        std::mt19937 random(2);
        const LimitedChain chain(6);
        Watched watched;
        FabrikSolver plain;
        QCOMPARE(watched.solver.prepare(chain.model(), 1), Status::Converged);
        QCOMPARE(plain.prepare(chain.model(), 1), Status::Converged);
        for (int i = 0; i < 50; ++i) {
            const Goal goal = positionGoal(chain.tip, chain.frames(chain.randomConfiguration(random)).back().position,
                                           1e-5);
            SolveResult result;
            static_cast<void>(watched.solve(chain, {&goal, 1}, result));
            const SolveResult other = solveOnce(plain, chain, {&goal, 1});
            QVERIFY(result.q == other.q && result.status == other.status);
        }
    }
};

TENDON_TEST(TestFabrikTrees)
#include "tst_fabrik_trees.moc"

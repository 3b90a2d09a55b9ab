#include "solvers/ccd/CcdSolver.h"
#include "tests/support/Folding.h"
#include "tests/support/SolverModel.h"
#include "tests/support/TestProgram.h"

#include <numbers>

using namespace tendon;
using kit::Quaternion;
using kit::Vector3;
using sdk::Goal;
using sdk::GoalKind;
using sdk::JointKind;
using sdk::Status;

namespace {

constexpr double kPi = std::numbers::pi;
const double kRootHalf = std::sqrt(0.5);

/// Unit bones along x with hinges about z; the last body is the end.
SolverModel planarChain(int bones)
{
    SolverModel rig;
    int b = -1;
    for (int i = 0; i < bones; ++i)
        b = rig.add(b, JointKind::Revolute, i == 0 ? Vector3(Vector3::Zero()) : Vector3(Vector3::UnitX()),
                    {Vector3::UnitZ()});
    rig.add(b, JointKind::Fixed, Vector3::UnitX());
    return rig;
}

struct Walk
{
    SolveResult result;
    std::vector<double> residuals;           ///< before each pass
    std::vector<std::vector<double>> passes; ///< the configuration after each
};

Walk walk(const SolverModel& rig, std::span<const Goal> goals, int passes, const std::vector<double>& seed = {},
          double order = 0, double damping = 1)
{
    CcdSolver solver;
    if (!solver.setParameter("order", order) || !solver.setParameter("damping", damping)) qFatal("parameters");
    if (solver.prepare(rig.model(), static_cast<int>(goals.size())) != Status::Converged) qFatal("prepare");
    sdk::Stop stop;
    stop.maxIterations = passes;
    stop.stall = 1e-14;
    sdk::Problem problem;
    problem.stop = &stop;
    problem.seed = seed;
    const std::size_t rows = static_cast<std::size_t>(passes), nq = rig.seed.size();
    std::vector<sdk::TraceRow> trace(rows);
    std::vector<double> configurations(rows * nq);
    sdk::Control control;
    control.trace = trace;
    control.traceConfigurations = configurations;
    Walk made;
    made.result = solveOnce(solver, rig, goals, problem, control);
    for (std::size_t i = 0; i < static_cast<std::size_t>(made.result.solution.traceRows); ++i) {
        made.residuals.push_back(trace[i].residual);
        made.passes.emplace_back(configurations.begin() + static_cast<std::ptrdiff_t>(i * nq),
                                 configurations.begin() + static_cast<std::ptrdiff_t>((i + 1) * nq));
    }
    return made;
}

bool isNear(const std::vector<double>& q, std::initializer_list<double> wanted)
{
    return std::equal(q.begin(), q.begin() + static_cast<std::ptrdiff_t>(wanted.size()), wanted.begin(),
                      [](double a, double b) { return std::abs(a - b) < 1e-12; });
}

/// What each joint of CCD makes least: squared distances, and squared chords of rotations times a length.
double missed(const SolverModel& rig, std::span<const Goal> goals, const std::vector<double>& q, double length)
{
    const auto frames = rig.frames(q);
    double sum = 0;
    for (const Goal& goal : goals) {
        const kit::Frame<double>& frame = frames[static_cast<std::size_t>(goal.body)];
        if (kit::asksPosition(goal.kind))
            sum += std::pow(goal.positionWeight, 2) *
                   (frame.point(kit::vectorAt(goal.offset)) - kit::vectorAt(goal.targetPosition)).squaredNorm();
        if (kit::asksRotation(goal.kind))
            sum += std::pow(goal.rotationWeight * length, 2) * 0.5 *
                   (frame.rotation.toRotationMatrix() - kit::quaternionAt(goal.targetRotation).toRotationMatrix())
                       .squaredNorm();
    }
    return sum;
}

/// A joint of the kind with two fixed ends on it, and a goal for each: a point, and a pose.
struct OneJoint
{
    SolverModel rig;
    std::vector<Goal> goals;
    double length = 0; ///< as kit::lengthOfRadian has it
};

OneJoint oneJoint(JointKind kind, std::mt19937& random)
{
    OneJoint made;
    const int joint = made.rig.add(-1, kind, randomUnit(random),
                                   kind == JointKind::Ball ? std::vector<Vector3>() : std::vector{randomUnit(random)},
                                   0, randomRotation(random));
    for (int end = 0; end < 2; ++end) {
        const int body = made.rig.add(joint, JointKind::Fixed, randomUnit(random));
        Goal goal = positionGoal(body, 2 * randomUnit(random));
        goal.positionWeight = end == 0 ? 0.6 : 1.3;
        goal.positionTolerance = goal.rotationTolerance = 0;
        if (end == 1) goal.kind = GoalKind::Pose;
        kit::store(randomRotation(random), goal.targetRotation);
        made.goals.push_back(goal);
    }
    made.length = 0.3;
    return made;
}

} // namespace

class TestCcd : public QObject
{
    Q_OBJECT

private slots:
    /// Joint 1 at (1, 0) turns the end from (2, 0) toward (0, 1): by 135 degrees, to (1 - r, r) with r = sqrt(1/2).
    /// Seen from joint 0 the end is then at 67.5 degrees, and the goal at 90.
    void twoBonesStepAsByHand()
    {
        const SolverModel rig = planarChain(2);
        const Goal goal = positionGoal(2, {0, 1, 0});
        QVERIFY(isNear(walk(rig, {&goal, 1}, 1, {}, 0, 0).passes[0], {kPi / 8, 3 * kPi / 4}));
    }

    /// The same for a third bone before them and the goal at (1, 1): the end comes to (1, h) with h = sqrt(2 - sqrt 2).
    void threeBonesStepAsByHand()
    {
        const SolverModel rig = planarChain(3);
        const Goal goal = positionGoal(3, {1, 1, 0});
        const double height = std::sqrt(2 - std::sqrt(2));
        QVERIFY(
            isNear(walk(rig, {&goal, 1}, 1, {}, 0, 0).passes[0], {kPi / 4 - std::atan(height), kPi / 8, 3 * kPi / 4}));
    }

    /// From the root, bent by a right angle: joint 0 turns the end from 45 to 90 degrees; joint 1 is then at (r, r) and
    /// turns it from 135 degrees to the goal's 157.5.
    void theRootGoesFirstIfAskedTo()
    {
        const SolverModel rig = planarChain(2);
        const Goal goal = positionGoal(2, {0, 1, 0});
        const Walk made = walk(rig, {&goal, 1}, 1, {0, kPi / 2}, 1, 0);
        QVERIFY(isNear(made.passes[0], {kPi / 4, kPi / 2 + kPi / 8}));
    }

    /// The end misses the goal by sqrt(5), and the levers of the two joints are 2 and 1: seen from joint 1, where the
    /// arm (1, 0) and the goal (-1, 1) have the cosine -1 and the sine 1, damping 1 adds 3 sqrt(5) to the cosine.
    void dampingShortensEachMove()
    {
        const SolverModel rig = planarChain(2);
        const Goal goal = positionGoal(2, {0, 1, 0});
        for (const double damping : {0.5, 1.0}) {
            const double turn = std::atan2(1, damping * 3 * std::sqrt(5) - 1);
            QVERIFY(std::abs(walk(rig, {&goal, 1}, 1, {}, 0, damping).passes[0][1] - turn) < 1e-12);
        }
    }

    /// A ball moves by the same law, in the plane of its arm and the goal.
    void dampingShortensTheTurnsOfBalls()
    {
        SolverModel rig;
        const int ball = rig.add(-1, JointKind::Ball, Vector3::Zero());
        const int end = rig.add(ball, JointKind::Fixed, {2, 0, 0});
        const int twin = rig.add(ball, JointKind::Fixed, {2, 0, 0});
        const Vector3 arm(2, 0, 0), target = 2 * Vector3(-1, 1, 1).normalized(); // the lever is 2
        const Goal goals[] = {positionGoal(end, target), positionGoal(twin, target)};
        const double turn = std::atan2(arm.cross(target).norm(), arm.dot(target) + 2 * (arm - target).norm());
        for (const std::size_t count : {1, 2}) { // two that ask for the same are solved as an eigenproblem
            const Walk made = walk(rig, {goals, count}, 1);
            const double off = kit::rotationAngle(kit::quaternionAt(made.passes[0].data())) - turn;
            QVERIFY2(std::abs(off) < 1e-12, qPrintable(QString("%1 goals: %2").arg(count).arg(off)));
        }
    }

    void limitsAreKeptExactly()
    {
        SolverModel rig = planarChain(2);
        rig.limit(1, -0.4, 0.5);
        const Goal goal = positionGoal(2, {0, 1, 0});
        QCOMPARE(walk(rig, {&goal, 1}, 1, {}, 0, 0).passes[0][1], 0.5);
        const Walk made = walk(rig, {&goal, 1}, 1000);
        QCOMPARE(made.result.status, Status::LimitsBlock);
        QCOMPARE(made.result.goals[0].blockingDof, 1);
        QVERIFY(made.result.solution.iterations < 100);
    }

    void hingesAndSlidesAreBestWithinLimits_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("revolute") << static_cast<int>(JointKind::Revolute);
        QTest::newRow("prismatic") << static_cast<int>(JointKind::Prismatic);
    }

    /// No value of the joint, of 20 000 within its limits, misses the two goals less than the one that CCD finds.
    void hingesAndSlidesAreBestWithinLimits()
    {
        QFETCH(int, kind);
        std::mt19937 random(71);
        for (int i = 0; i < 30; ++i) {
            OneJoint made = oneJoint(static_cast<JointKind>(kind), random);
            const double from = i % 2 == 0 ? -kPi : -0.7, to = i % 2 == 0 ? kPi : 0.4;
            made.rig.limit(0, from, to);
            const std::vector<double> q = walk(made.rig, made.goals, 1, {}, 0, 0).passes.at(0);
            QVERIFY(q[0] >= from && q[0] <= to);
            const double found = missed(made.rig, made.goals, q, made.length);
            double least = kit::kInfinity;
            constexpr int kValues = 20000;
            for (int k = 0; k <= kValues; ++k)
                least = std::min(least, missed(made.rig, made.goals, {from + (to - from) * k / kValues}, made.length));
            QVERIFY2(found <= least + 1e-12, qPrintable(QString::number(found - least)));
        }
    }

    /// Nor does any small turn of a ball in any direction; and where only a point is asked, it turns the least.
    void ballsAreBest()
    {
        std::mt19937 random(72);
        for (int i = 0; i < 100; ++i) {
            OneJoint made = oneJoint(JointKind::Ball, random);
            const std::vector<double> q = walk(made.rig, made.goals, 1, {}, 0, 0).passes.at(0);
            const double found = missed(made.rig, made.goals, q, made.length);
            for (int k = 0; k < 100; ++k) {
                std::vector<double> other = q;
                const double size = k % 2 == 0 ? 1e-3 : 2;
                kit::store(Quaternion(kit::quaternionAt(q.data()) * kit::expMap(Vector3(size * randomUnit(random)))),
                           other.data());
                QVERIFY(found <= missed(made.rig, made.goals, other, made.length) + 1e-12);
            }
            const Walk point = walk(made.rig, {made.goals.data(), 1}, 1, {}, 0, 0);
            const auto frames = made.rig.frames(made.rig.seed);
            const Vector3 arm = frames[1].position - frames[0].position;
            const Vector3 to = kit::vectorAt(made.goals[0].targetPosition) - frames[0].position;
            const double angle = std::acos(arm.normalized().dot(to.normalized()));
            QVERIFY(std::abs(kit::rotationAngle(kit::quaternionAt(point.passes.at(0).data())) - angle) < 1e-9);
        }
    }

    /// Chains of all kinds, with limits: a pass never makes the whole worse.
    void everyPassHelps()
    {
        std::mt19937 random(73);
        for (int i = 0; i < 60; ++i) {
            SolverModel rig;
            int b = rig.add(-1, JointKind::Free, Vector3::Zero());
            b = rig.add(b, JointKind::Ball, randomUnit(random));
            b = rig.add(b, JointKind::Universal, randomUnit(random), {Vector3::UnitX(), Vector3::UnitY()});
            b = rig.add(b, JointKind::Axes, randomUnit(random),
                        {randomUnit(random), Vector3::UnitZ(), Vector3::UnitY(), Vector3::UnitX()}, 1);
            b = rig.add(b, JointKind::Revolute, randomUnit(random), {randomUnit(random)});
            const int end = rig.add(b, JointKind::Fixed, randomUnit(random));
            for (int v = 0; v < 3; ++v) rig.limit(v, -0.3, 0.3);
            for (int v = 9; v < static_cast<int>(rig.lower.size()); ++v) rig.limit(v, -0.6, 0.9);
            const double swing[] = {0.5, 0.3, 0.4, 0.6};
            std::copy_n(swing, 4, rig.ballSwing.begin() + 4);
            rig.ballTwist[2] = -0.3;
            rig.ballTwist[3] = 0.4;
            Goal goals[] = {positionGoal(end, 3 * randomUnit(random)), positionGoal(2, 2 * randomUnit(random))};
            goals[0].kind = GoalKind::Pose;
            kit::store(randomRotation(random), goals[0].targetRotation);
            for (const auto& [order, damping] : {std::pair(0, 0), {1, 0}, {0, 1}, {1, 1}}) {
                const Walk made = walk(rig, goals, 30, {}, order, damping);
                double length = 0.9; // how far the slide reaches
                for (int at = end; rig.parent[static_cast<std::size_t>(at)] >= 0;
                     at = rig.parent[static_cast<std::size_t>(at)])
                    length += kit::vectorAt(&rig.base[8 * static_cast<std::size_t>(at)]).norm();
                double before = missed(rig, goals, rig.seed, 0.3 * length);
                for (const std::vector<double>& q : made.passes) {
                    const double now = missed(rig, goals, q, 0.3 * length);
                    QVERIFY2(now <= before * (1 + 1e-12), qPrintable(QString::number(now / before - 1)));
                    QCOMPARE(rig.violation(q), 0.0);
                    before = now;
                }
            }
        }
    }

    void aStraightChainFoldsTowardAGoalOnItsLine()
    {
        for (const double side : {1.0, -1.0}) {
            SolverModel rig = planarChain(2);
            rig.preferred[1] = side * 0.5;
            const Goal goal = positionGoal(2, {1, 0, 0});
            const Walk made = walk(rig, {&goal, 1}, 1000);
            QCOMPARE(made.result.status, Status::Converged);
            QVERIFY(made.result.q[1] * side > 0);
        }
        for (const int bones : {2, 4, 10}) {
            SolverModel rig = planarChain(bones);
            const Goal goal = positionGoal(bones, {bones / 2.0, 0, 0});
            QCOMPARE(walk(rig, {&goal, 1}, 1000).result.status, Status::Converged);
        }
    }

    void foldingDoesNotPop()
    {
        for (const int bones : {2, 3, 5, 10}) {
            const SolverModel rig = planarChain(bones);
            const std::optional<double> largest = largestStepWhileFolding(bones, [&](const Goal& goal) {
                return walk(rig, {&goal, 1}, 2000).result;
            });
            QVERIFY(largest);
            qInfo("%d bones: at most %.3g rad a step", bones, *largest);
            QVERIFY(*largest < 0.02);
        }
    }

    /// The error shrinks by the same factor in each pass.
    void convergenceIsLinear()
    {
        const SolverModel rig = planarChain(3);
        const Goal goal = positionGoal(3, {2.1, 1.6, 0}, 1e-13);
        for (const double damping : {0, 1}) {
            const Walk made = walk(rig, {&goal, 1}, 1000, {0.3, 0.4, 0.5}, 0, damping);
            std::vector<double> factors;
            for (std::size_t i = 1; i < made.residuals.size() && made.residuals[i] > 1e-11; ++i)
                factors.push_back(made.residuals[i] / made.residuals[i - 1]);
            QVERIFY(factors.size() > 8);
            const double last = factors.back();
            qInfo("damping %g: %zu passes, factor %.4f", damping, factors.size(), last);
            QVERIFY(last > 0.01 && last < 0.99);
            for (std::size_t i = factors.size() - 4; i < factors.size(); ++i)
                QVERIFY(std::abs(factors[i] - last) < 0.01);
        }
    }

    void higherPrioritiesGoFirst()
    {
        const SolverModel rig = planarChain(2);
        Goal goals[] = {positionGoal(2, {1, 0.8, 0}), positionGoal(2, {1, -0.8, 0})}; // cannot both be met
        goals[1].priority = 7;
        const Walk made = walk(rig, goals, 1000, {0.1, 0.2});
        QVERIFY2(made.result.goals[1].positionError < 1e-3,
                 qPrintable(QString::number(made.result.goals[1].positionError)));
    }

    void whatIsNotClaimedIsRefused()
    {
        const SolverModel rig = planarChain(2);
        CcdSolver solver;
        QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
        for (const GoalKind kind : {GoalKind::Aim, GoalKind::Pole}) {
            Goal goal = positionGoal(2, {1, 1, 0});
            goal.kind = kind;
            goal.startBody = kind == GoalKind::Pole ? 0 : -1;
            QCOMPARE(solveOnce(solver, rig, {&goal, 1}).status, Status::Unsupported);
        }
    }
};

TENDON_TEST(TestCcd)
#include "tst_ccd.moc"

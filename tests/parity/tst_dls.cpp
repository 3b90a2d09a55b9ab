#include "plain_dls_numbers.h"
#include "solvers/dls/DlsSolver.h"
#include "tests/support/SolverModel.h"
#include "tests/support/TestProgram.h"

#include <cstdlib>
#include <numbers>

using namespace tendon;
using kit::Quaternion;
using kit::Vector3;
using sdk::Goal;
using sdk::GoalKind;
using sdk::JointKind;
using sdk::Status;

namespace {

bool s_counts = false;
long s_allocations = 0;

void* counted(std::size_t size)
{
    if (s_counts) ++s_allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}

} // namespace

// Counts every allocation of this program.
void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, std::align_val_t alignment)
{
    if (s_counts) ++s_allocations;
    const auto a = static_cast<std::size_t>(alignment);
    if (void* memory = std::aligned_alloc(a, (size + a - 1) / a * a)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

/// A goal for a point on a body.
Goal pointGoal(int body, const Vector3& target, const Vector3& offset)
{
    Goal goal = positionGoal(body, target);
    for (int k = 0; k < 3; ++k) goal.offset[k] = offset[k];
    return goal;
}

/// Six unit bones along x, all ball joints: the scene with two goals.
SolverModel sixBones()
{
    SolverModel rig;
    for (int b = 0; b < 6; ++b)
        rig.add(b - 1, JointKind::Ball, b == 0 ? Vector3(Vector3::Zero()) : Vector3(Vector3::UnitX()));
    return rig;
}

std::vector<Goal> twoGoals(const PlainCase& given)
{
    return {pointGoal(5, kit::vectorAt(given.targetA), {1.0, 0.1, 0.2}),
            pointGoal(2, kit::vectorAt(given.targetB), {1, 0, 0})};
}

std::vector<double> configuration(const double* theta)
{
    std::vector<double> q(24);
    for (std::size_t b = 0; b < 6; ++b) kit::store(kit::expMap(kit::vectorAt(theta + 3 * b)), q.data() + 4 * b);
    return q;
}

/// An arm of hinges with limits and a ball joint, not in one plane, as robots and limbs mix them.
SolverModel mixedArm(std::mt19937& random)
{
    SolverModel rig;
    int b = rig.add(-1, JointKind::Ball, Vector3::Zero(), {}, 0, randomRotation(random));
    b = rig.add(b, JointKind::Universal, randomUnit(random), {Vector3::UnitX(), Vector3::UnitY()});
    b = rig.add(b, JointKind::Axes, 0.8 * randomUnit(random),
                {randomUnit(random), Vector3::UnitZ(), Vector3::UnitY(), Vector3::UnitX()}, 1);
    b = rig.add(b, JointKind::Revolute, 0.7 * randomUnit(random), {randomUnit(random)});
    rig.add(b, JointKind::Fixed, 0.6 * randomUnit(random));
    for (std::size_t v = 3; v < rig.lower.size(); ++v) rig.limit(static_cast<int>(v), -1.2, 1.4);
    rig.limit(5, -0.2, 0.3); // the slide
    const double swing[] = {1.0, 0.6, 0.8, 0.5};
    std::copy_n(swing, 4, rig.ballSwing.begin());
    rig.ballTwist[0] = -0.7;
    rig.ballTwist[1] = 0.9;
    return rig;
}

} // namespace

class TestDls : public QObject
{
    Q_OBJECT

private slots:
    void plainModeReproducesTheReference()
    {
        double worst = 0;
        for (const PlainCase& given : kPlainCases) {
            const SolverModel rig = sixBones();
            DlsSolver solver;
            QVERIFY(solver.setParameter("mode", 1));
            QCOMPARE(solver.prepare(rig.model(), 2), Status::Converged);
            std::vector<Goal> goals = twoGoals(given);
            for (Goal& goal : goals) goal.positionTolerance = 0; // as the reference: without an early stop
            const std::vector<double> seed = configuration(given.theta);
            std::vector<std::uint8_t> locked(18, 0);
            std::fill_n(locked.begin(), 3, std::uint8_t(1)); // the reference never turns bone 0
            sdk::Problem problem;
            sdk::Stop stop;
            problem.stop = &stop;
            problem.seed = seed;
            problem.locked = locked;
            stop.maxIterations = static_cast<int>(std::size(given.residuals));
            stop.stall = 0;
            std::vector<sdk::TraceRow> trace(20);
            std::vector<double> configurations(20 * 24);
            sdk::Control control;
            control.trace = trace;
            control.traceConfigurations = configurations;
            const SolveResult result = solveOnce(solver, rig, goals, problem, control);
            QCOMPARE(result.solution.iterations, stop.maxIterations);
            QCOMPARE(result.solution.traceRows, stop.maxIterations);
            for (std::size_t i = 0; i < std::size(given.residuals); ++i) {
                QCOMPARE(trace[i].iteration, static_cast<int>(i));
                worst = std::max(worst, std::abs(trace[i].residual - given.residuals[i]));
            }
            const std::vector<double> expected = configuration(given.result);
            const double* last = configurations.data() + (std::size(given.residuals) - 1) * 24;
            for (std::size_t b = 0; b < 6; ++b) {
                const Eigen::Vector4d made = Eigen::Map<const Eigen::Vector4d>(last + 4 * b);
                const Eigen::Vector4d wanted = Eigen::Map<const Eigen::Vector4d>(expected.data() + 4 * b);
                worst = std::max(worst, (made * (made.dot(wanted) < 0 ? -1 : 1) - wanted).cwiseAbs().maxCoeff());
            }
        }
        qInfo("largest difference %.3g", worst);
        QVERIFY(worst < 1e-9);
    }

    void theTwoChartsDampDifferently()
    {
        const SolverModel rig = sixBones();
        const std::vector<double> seed = configuration(kPlainCases[0].theta);
        sdk::Problem problem;
        sdk::Stop stop;
        problem.stop = &stop;
        problem.seed = seed;
        stop.maxIterations = 1;
        const std::vector<Goal> goals = twoGoals(kPlainCases[0]);
        std::vector<double> made[2];
        for (int chart = 0; chart < 2; ++chart) {
            DlsSolver solver;
            QVERIFY(solver.setParameter("mode", 1) && solver.setParameter("chart", chart));
            QCOMPARE(solver.prepare(rig.model(), 2), Status::Converged);
            made[chart] = solveOnce(solver, rig, goals, problem).q;
        }
        QVERIFY(made[0] != made[1]);
    }

    void parametersOutOfRangeAreRefused()
    {
        DlsSolver solver;
        QVERIFY(!solver.setParameter("relax", 0) && !solver.setParameter("relax", 1.01) &&
                !solver.setParameter("relax", std::nan("")));
        QVERIFY(!solver.setParameter("chart", 0.5) && !solver.setParameter("no_such", 0));
        QVERIFY(solver.setParameter("relax", 1));
    }

    void aRootThatTurnsReachesWhereALockedOneCannot()
    {
        // With the root locked, rotating, or free: the freer it is, the more cases meet both goals.
        int met[3] = {};
        for (const PlainCase& given : kPlainCases)
            for (int freedom = 0; freedom < 3; ++freedom) {
                SolverModel rig;
                rig.add(-1, freedom == 2 ? JointKind::Free : JointKind::Ball, Vector3::Zero());
                for (int b = 1; b < 6; ++b) rig.add(b - 1, JointKind::Ball, Vector3::UnitX());
                std::vector<double> seed = configuration(given.theta);
                if (freedom == 2) seed.insert(seed.begin(), 3, 0.0);
                std::vector<std::uint8_t> locked(rig.lower.size(), 0);
                if (freedom == 0) std::fill_n(locked.begin(), 3, std::uint8_t(1));
                DlsSolver solver;
                QCOMPARE(solver.prepare(rig.model(), 2), Status::Converged);
                sdk::Problem problem;
                problem.seed = seed;
                problem.locked = locked;
                const SolveResult result = solveOnce(solver, rig, twoGoals(given), problem);
                met[freedom] += result.status == Status::Converged;
                if (freedom == 0)
                    for (std::size_t k = 0; k < 4; ++k) QCOMPARE(result.q[k], seed[k]);
            }
        qInfo("of %d cases met: %d locked, %d turning, %d free", int(std::size(kPlainCases)), met[0], met[1], met[2]);
        QCOMPARE(met[1], int(std::size(kPlainCases)));
        QCOMPARE(met[2], int(std::size(kPlainCases)));
        QVERIFY(met[0] <= met[1]);
    }

    void reachableGoalsOfEveryKindAreSolvedWithinLimits_data()
    {
        QTest::addColumn<int>("kind");
        int kind = 0;
        for (const char* name : {"position", "orientation", "pose", "aim", "pole"}) QTest::newRow(name) << kind++;
    }

    void reachableGoalsOfEveryKindAreSolvedWithinLimits()
    {
        QFETCH(int, kind);
        std::mt19937 random(static_cast<unsigned>(40 + kind));
        int solved = 0;
        double worst = 0;
        constexpr int kCases = 200;
        for (int i = 0; i < kCases; ++i) {
            const SolverModel rig = mixedArm(random);
            const sdk::Model model = rig.model();
            const auto goalFrames = rig.frames(rig.randomConfiguration(random));
            const kit::Frame<double>& tip = goalFrames.back();
            std::vector<Goal> goals{positionGoal(model.bodyCount - 1, tip.position)};
            Goal& goal = goals[0];
            goal.kind = static_cast<GoalKind>(kind);
            kit::store(tip.rotation, goal.targetRotation);
            if (goal.kind == GoalKind::Aim) {
                const Vector3 seen = tip.point({2, 0, 0});
                for (int k = 0; k < 3; ++k) goal.targetPosition[k] = seen[k];
            }
            if (goal.kind == GoalKind::Pole) { // with a position, and the pole where the chain then bends
                goals.insert(goals.begin(), positionGoal(model.bodyCount - 1, tip.position));
                goals[1].startBody = 0;
                const Vector3 bend = (6 * goalFrames[1].position + 3 * goalFrames[2].position +
                                      2 * goalFrames[3].position) /
                                     11;
                for (int k = 0; k < 3; ++k) goals[1].targetPosition[k] = bend[k];
            }
            DlsSolver solver;
            QCOMPARE(solver.prepare(model, 2), Status::Converged);
            sdk::Problem problem;
            problem.search = sdk::Search::Find;
            const SolveResult result = solveOnce(solver, rig, goals, problem);
            solved += result.status == Status::Converged;
            worst = std::max(worst, rig.violation(result.q));
        }
        qInfo("%d of %d solved, largest violation %.3g", solved, kCases, worst);
        QCOMPARE(worst, 0.0);
        QVERIFY(solved >= kCases * 99 / 100);
    }

    void limitsBlockIsDistinguishedFromUnreachable()
    {
        SolverModel rig;
        int b = rig.add(-1, JointKind::Revolute, Vector3::Zero(), {Vector3::UnitZ()});
        b = rig.add(b, JointKind::Revolute, Vector3::UnitX(), {Vector3::UnitZ()});
        b = rig.add(b, JointKind::Fixed, Vector3::UnitX());
        rig.limit(0, -0.3, 0.3);
        DlsSolver solver;
        QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
        const Goal behind = positionGoal(b, {0, 1.9, 0});
        const SolveResult blocked = solveOnce(solver, rig, {&behind, 1});
        QCOMPARE(blocked.status, Status::LimitsBlock);
        QCOMPARE(blocked.goals[0].blockingDof, 0);
        QCOMPARE(blocked.q[0], 0.3);
        QCOMPARE(blocked.limitHits[0], std::int8_t(1));
        const Goal far = positionGoal(b, {3, 0, 0});
        const SolveResult beyond = solveOnce(solver, rig, {&far, 1});
        QCOMPARE(beyond.status, Status::Unreachable);
        QVERIFY(std::abs(beyond.goals[0].shortfall - 1) < 1e-9);
    }

    void unreachableGoalsStraightenTheChain()
    {
        std::mt19937 random(51);
        double worst = 0;
        int most = 0;
        for (int i = 0; i < 100; ++i) {
            SolverModel rig;
            rig.add(-1, JointKind::Ball, Vector3::Zero());
            for (int b = 1; b < 10; ++b) rig.add(b - 1, JointKind::Ball, 0.1 * randomUnit(random));
            const int tip = rig.add(9, JointKind::Fixed, 0.1 * randomUnit(random));
            const std::vector<double> seed = rig.randomConfiguration(random, 1.0);
            DlsSolver solver;
            QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
            sdk::Problem problem;
            problem.seed = seed;
            const Vector3 way = randomUnit(random);
            const Goal goal = positionGoal(tip, 1.5 * way);
            const SolveResult result = solveOnce(solver, rig, {&goal, 1}, problem);
            QCOMPARE(result.status, Status::Unreachable);
            worst = std::max(worst, (rig.frames(result.q).back().position - way).norm());
            most = std::max(most, result.solution.iterations);
        }
        qInfo("tip at most %.3g m from the end of its reach, at most %d iterations", worst, most);
        QVERIFY(worst < 1e-5);
    }

    /// Without limits the steps of a solve do not grow with the chain, goals near full reach included (counts, no
    /// clock).
    void longChainsTakeNoMoreStepsThanShortOnes_data()
    {
        QTest::addColumn<int>("joints");
        QTest::addColumn<int>("axes"); // 0: balls, 1: hinges of one axis, 2: of two in turn
        for (const int axes : {0, 1, 2})
            for (const int joints : {axes == 0 ? 10 : 15, 30, 100, 300, 1000})
                QTest::addRow("%d %s", joints,
                              axes == 0   ? "balls"
                              : axes == 1 ? "hinges in a plane"
                                          : "hinges")
                    << joints << axes;
    }

    void longChainsTakeNoMoreStepsThanShortOnes()
    {
        QFETCH(const int, joints);
        QFETCH(const int, axes);
        const double bone = 1.0 / joints;
        SolverModel rig;
        for (int b = 0; b < joints; ++b) {
            const Vector3 base = b == 0 ? Vector3(Vector3::Zero()) : Vector3(bone * Vector3::UnitY());
            const Vector3 axis = axes == 2 && b % 2 == 1 ? Vector3::UnitX() : Vector3::UnitZ();
            if (axes == 0)
                rig.add(b - 1, JointKind::Ball, base);
            else
                rig.add(b - 1, JointKind::Revolute, base, {axis});
        }
        const int tip = rig.add(joints - 1, JointKind::Fixed, bone * Vector3::UnitY());
        std::vector<double> seed = rig.seed; // an arc of 0.8 rad
        for (int b = 0; b < joints; ++b)
            if (axes == 0)
                kit::store(kit::expMap(Vector3(0.8 * bone * Vector3::UnitZ())), seed.data() + std::ptrdiff_t(4) * b);
            else
                seed[static_cast<std::size_t>(b)] = 0.8 * bone;
        DlsSolver solver;
        QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
        sdk::Problem problem;
        problem.seed = seed;

        std::mt19937 random(2026);
        std::vector<int> steps;
        for (int i = 0; i < 100; ++i) {
            Vector3 way = randomUnit(random);
            if (axes == 1) way = Vector3(way[0], way[1], 0).normalized();
            const double share = std::uniform_real_distribution<double>(0, 1)(random);
            const double reach = axes == 2 ? 0.9 : 0.98; // the first hinge of two kinds leaves some ways shorter
            const Goal goal = positionGoal(tip, reach * std::pow(share, axes == 1 ? 1.0 / 2 : 1.0 / 3) * way, 1e-3);
            const SolveResult result = solveOnce(solver, rig, {&goal, 1}, problem);
            QCOMPARE(result.status, Status::Converged);
            steps.push_back(result.solution.iterations);
        }
        std::sort(steps.begin(), steps.end());
        qInfo("steps: %d in the median, %d at the 95th percentile, %d at most", steps[50], steps[95], steps[99]);
        QVERIFY(steps[50] <= 9);
        QVERIFY(steps[95] <= 12);
        QVERIFY(steps[99] <= 15);
    }

    /// What straightens a chain heeds stiffness: the stiff joint turns least, and no step is lost.
    void aStiffJointOfALongChainStaysStiff()
    {
        constexpr int kJoints = 40, kStiff = 20;
        SolverModel rig;
        for (int b = 0; b < kJoints; ++b)
            rig.add(b - 1, JointKind::Ball, b == 0 ? Vector3(Vector3::Zero()) : Vector3(Vector3::UnitY()));
        const int tip = rig.add(kJoints - 1, JointKind::Fixed, Vector3::UnitY());
        std::fill_n(rig.stiffness.begin() + std::ptrdiff_t(3) * kStiff, 3, 0.99);
        DlsSolver solver;
        QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
        std::mt19937 random(7);
        for (int i = 0; i < 50; ++i) {
            std::vector<double> seed = rig.seed; // a zigzag, near its full length
            for (int b = 0; b < kJoints; ++b)
                kit::store(kit::expMap(Vector3((b % 2 == 0 ? 0.2 : -0.2) * Vector3::UnitZ())),
                           seed.data() + std::ptrdiff_t(4) * b);
            sdk::Problem problem;
            problem.seed = seed;
            const Goal goal = positionGoal(tip, 0.98 * kJoints * randomUnit(random), 1e-3);
            const SolveResult result = solveOnce(solver, rig, {&goal, 1}, problem);
            QCOMPARE(result.status, Status::Converged);
            const auto turn = [&](int b) {
                const std::ptrdiff_t at = std::ptrdiff_t(4) * b;
                return kit::rotationAngle(kit::quaternionAt(seed.data() + at).conjugate() *
                                          kit::quaternionAt(result.q.data() + at));
            };
            QVERIFY2(turn(kStiff) < 0.1 * std::max(turn(kStiff - 1), turn(kStiff + 1)) + 1e-3,
                     qPrintable(QString::number(turn(kStiff))));
            QVERIFY(result.solution.iterations <= 40);
        }
    }

    void aStraightChainFoldsTowardAGoalOnItsLine()
    {
        for (const bool isLimited : {false, true}) {
            SolverModel rig;
            int b = -1;
            for (int i = 0; i < 4; ++i)
                b = rig.add(b, JointKind::Revolute, i == 0 ? Vector3(Vector3::Zero()) : Vector3(Vector3::UnitX()),
                            {Vector3::UnitZ()});
            b = rig.add(b, JointKind::Fixed, Vector3::UnitX());
            if (isLimited)
                for (int v = 1; v < 4; ++v) rig.limit(v, 0, 2.6); // knees: straight is the limit
            DlsSolver solver;
            QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
            const Goal goal = positionGoal(b, {2, 0, 0});
            const SolveResult result = solveOnce(solver, rig, {&goal, 1});
            QCOMPARE(result.status, Status::Converged);
            QCOMPARE(rig.violation(result.q), 0.0);
        }
    }

    void preferredAnglesDecideHowAStraightChainBends()
    {
        for (const double side : {1.0, -1.0}) {
            SolverModel rig;
            int b = rig.add(-1, JointKind::Revolute, Vector3::Zero(), {Vector3::UnitZ()});
            b = rig.add(b, JointKind::Revolute, Vector3::UnitX(), {Vector3::UnitZ()});
            b = rig.add(b, JointKind::Fixed, Vector3::UnitX());
            rig.preferred[1] = side * 0.5;
            DlsSolver solver;
            QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
            const Goal goal = positionGoal(b, {1, 0, 0});
            const SolveResult result = solveOnce(solver, rig, {&goal, 1});
            QCOMPARE(result.status, Status::Converged);
            QVERIFY(result.q[1] * side > 0);
        }
    }

    void higherPrioritiesGoFirst()
    {
        SolverModel rig;
        int b = rig.add(-1, JointKind::Revolute, Vector3::Zero(), {Vector3::UnitZ()});
        b = rig.add(b, JointKind::Revolute, Vector3::UnitX(), {Vector3::UnitZ()});
        b = rig.add(b, JointKind::Fixed, Vector3::UnitX());
        DlsSolver solver;
        QCOMPARE(solver.prepare(rig.model(), 2), Status::Converged);
        Goal goals[] = {positionGoal(b, {1, 0.8, 0}), positionGoal(b, {1, -0.8, 0})}; // cannot both be met
        const SolveResult shared = solveOnce(solver, rig, goals);
        QVERIFY(shared.goals[0].positionError > 0.1 && shared.goals[1].positionError > 0.1);
        goals[1].priority = 1;
        const SolveResult ranked = solveOnce(solver, rig, goals);
        QVERIFY2(ranked.goals[1].positionError < 1e-3, qPrintable(QString::number(ranked.goals[1].positionError)));
    }

    void aGoalWithoutWeightIsIgnored()
    {
        std::mt19937 random(53);
        const SolverModel rig = mixedArm(random);
        DlsSolver solver;
        QCOMPARE(solver.prepare(rig.model(), 2), Status::Converged);
        Goal goals[] = {positionGoal(4, 0.8 * randomUnit(random)), positionGoal(2, randomUnit(random))};
        goals[1].positionWeight = 0;
        const SolveResult with = solveOnce(solver, rig, goals), without = solveOnce(solver, rig, {goals, 1});
        QCOMPARE(with.q, without.q);
    }

    void movingTheRigAndItsGoalsTogetherGivesTheSameAnswer()
    {
        std::mt19937 random(54);
        double worst = 0;
        for (int i = 0; i < 50; ++i) {
            SolverModel rig = mixedArm(random);
            Goal goal = positionGoal(4, rig.frames(rig.randomConfiguration(random)).back().position);
            DlsSolver solver;
            QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
            const SolveResult here = solveOnce(solver, rig, {&goal, 1});

            const Quaternion turn = randomRotation(random);
            const Vector3 shift = 3 * randomUnit(random), moved = turn * kit::vectorAt(goal.targetPosition) + shift;
            const Vector3 root = turn * kit::vectorAt(rig.base.data()) + shift;
            const Quaternion rootTurn = turn * kit::quaternionAt(rig.base.data() + 3);
            for (int k = 0; k < 3; ++k)
                rig.base[static_cast<std::size_t>(k)] = root[k], goal.targetPosition[k] = moved[k];
            kit::store(rootTurn, rig.base.data() + 3);
            const SolveResult there = solveOnce(solver, rig, {&goal, 1});
            QCOMPARE(there.status, here.status);
            if (here.status != Status::Converged) continue;
            for (std::size_t k = 0; k < here.q.size(); ++k) worst = std::max(worst, std::abs(here.q[k] - there.q[k]));
        }
        qInfo("largest difference %.3g", worst);
        QVERIFY(worst < 1e-6);
    }

    /// What a solver remembers from solve to solve, such as reaches, shows in no answer, whatever changes in between:
    /// lengths, locks, the bodies and points of goals. And none is farther from its goals than the seed.
    void earlierSolvesLeaveNoTrace()
    {
        std::mt19937 random(29);
        SolverModel rig = mixedArm(random);
        const std::vector<double> lengths = rig.base;
        DlsSolver solver;
        QCOMPARE(solver.prepare(rig.model(), 2), Status::Converged);
        std::vector<std::uint8_t> locked(rig.lower.size(), 0);
        int missed = 0;
        for (int i = 0; i < 1500; ++i) {
            if (random() % 3 == 0) rig.base = lengths;
            if (random() % 3 == 0) rig.base[8 * (1 + random() % 4)] *= 1.5;
            if (random() % 3 == 0) std::fill(locked.begin(), locked.end(), std::uint8_t(0));
            if (random() % 6 == 0) locked[random() % locked.size()] = 1;
            std::vector<Goal> goals;
            for (std::uint32_t g = 0; g < 1 + random() % 2; ++g) {
                const int body = 4 - static_cast<int>(random() % 3);
                goals.push_back(pointGoal(body,
                                          std::uniform_real_distribution<double>(0.5, 4)(random) * randomUnit(random),
                                          random() % 4 != 0 ? Vector3(Vector3::Zero()) : 0.3 * randomUnit(random)));
            }
            sdk::Problem problem;
            const std::vector<double> seed = rig.randomConfiguration(random);
            problem.seed = seed;
            problem.locked = locked;
            DlsSolver fresh;
            QCOMPARE(fresh.prepare(rig.model(), 2), Status::Converged);
            const SolveResult one = solveOnce(solver, rig, goals, problem),
                              other = solveOnce(fresh, rig, goals, problem);
            QVERIFY2(one.q == other.q, qPrintable(QString::number(i)));
            QCOMPARE(one.status, other.status);
            const auto missOf = [&](const std::vector<double>& q) {
                double squared = 0;
                for (const Goal& goal : goals)
                    squared += (rig.frames(q)[static_cast<std::size_t>(goal.body)].point(kit::vectorAt(goal.offset)) -
                                kit::vectorAt(goal.targetPosition))
                                   .squaredNorm();
                return std::sqrt(squared);
            };
            missed += one.status != Status::Converged;
            QVERIFY2(missOf(one.q) <= std::max(missOf(seed), 2e-4), qPrintable(QString::number(i)));
        }
        QVERIFY(missed > 200 && missed < 1300); // or this is no test of either
    }

    void solvesAllocateNothingAndRepeatToTheBit_data()
    {
        QTest::addColumn<int>("mode");
        QTest::newRow("adaptive") << 0;
        QTest::newRow("plain") << 1;
    }

    void solvesAllocateNothingAndRepeatToTheBit()
    {
        QFETCH(int, mode);
        std::mt19937 random(55);
        const SolverModel rig = mixedArm(random);
        DlsSolver solver;
        QVERIFY(solver.setParameter("mode", mode));
        QCOMPARE(solver.prepare(rig.model(), 8), Status::Converged);
        for (int i = 0; i < 60; ++i) {
            std::vector<Goal> goals;
            for (int g = 0; g <= i % 8; ++g) {
                goals.push_back(positionGoal(4 - g % 3, 1.5 * randomUnit(random)));
                goals.back().kind = static_cast<GoalKind>(g % 5);
                goals.back().startBody = 0;
            }
            sdk::Problem problem;
            sdk::Stop stop;
            problem.stop = &stop;
            problem.base = rig.base;
            problem.seed = rig.seed;
            problem.goals = goals;
            problem.search = i % 2 == 0 ? sdk::Search::Find : sdk::Search::Follow;
            stop.maxIterations = 200;
            std::vector<double> first(rig.seed.size()), second(rig.seed.size());
            std::vector<sdk::GoalResult> results(goals.size());
            sdk::Solution solution;
            solution.goals = results;
            for (std::vector<double>* q : {&first, &second}) {
                solution.q = *q;
                s_allocations = 0;
                s_counts = true;
                const Status status = solver.solve(problem, {}, solution);
                s_counts = false;
                QVERIFY(isUsable(status));
                QCOMPARE(s_allocations, 0L);
            }
            QCOMPARE(first, second);
        }
    }
};

TENDON_TEST(TestDls)
#include "tst_dls.moc"

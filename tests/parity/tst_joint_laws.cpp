#include "solvers/constrained/ConstrainedSolver.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TracedSolve.h"

using namespace tendon;
using kit::Vector3;
using sdk::JointKind;
using sdk::Status;

namespace {

enum Choice { Closest, Outermost, LeastEnergy, Natural }; ///< the values of the parameter `choice`

/// Tubes of 0.3 m that slide down from 0.3 to 0, the last one at the top, under the solver HD.
struct Telescope
{
    SolverModel rig;
    std::vector<double> rest;
    std::unique_ptr<sdk::Solver> solver = makeConstrainedSolver();
    int top = -1;

    explicit Telescope(int tubes, double ease = 0, double damping = 0) : rest(static_cast<std::size_t>(tubes), 0.3)
    {
        top = rig.add(-1, JointKind::Fixed, Vector3::Zero());
        for (int v = 0; v < tubes; ++v) {
            top = rig.add(top, JointKind::Prismatic, Vector3::Zero(), {Vector3::UnitZ()});
            rig.limit(v, 0, 0.3);
            rig.ease[static_cast<std::size_t>(v)] = ease;
            rig.damping[static_cast<std::size_t>(v)] = damping;
        }
    }

    void prepare()
    {
        QVERIFY(solver->setParameter("choice", Outermost));
        QCOMPARE(solver->prepare(rig.model(), 1), Status::Converged);
    }

    /// The tubes when the top is pressed down by `way`, from the pose `seed`.
    [[nodiscard]] SolveResult pressed(double way, const std::vector<double>& seed) const
    {
        const sdk::Goal goal = positionGoal(top, Vector3(0, 0, 0.3 * static_cast<double>(rest.size()) - way));
        sdk::Problem problem;
        problem.seed = seed;
        problem.posture = rest;
        return solveOnce(*solver, rig, {&goal, 1}, problem);
    }
};

/// A snake of balls and hinges, 0.1 m each.
SolverModel snake(int bones, JointKind kind)
{
    SolverModel rig;
    int b = -1;
    for (int i = 0; i < bones; ++i)
        b = rig.add(b, kind, i == 0 ? Vector3(Vector3::Zero()) : Vector3(0.1 * Vector3::UnitY()),
                    kind == JointKind::Ball
                        ? std::vector<Vector3>{}
                        : std::vector<Vector3>{Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()});
    rig.add(b, JointKind::Fixed, 0.1 * Vector3::UnitY());
    return rig;
}

double farthest(const std::vector<double>& a, const std::vector<double>& b)
{
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

} // namespace

/// What ease, damping, springs, stiffness and precedence mean (kit/JointLaw.h), shown by what the solver HD makes of
/// them.
class TestJointLaws : public QObject
{
    Q_OBJECT

private slots:
    void aTelescopeFoldsFromTheTop()
    {
        for (const int tubes : {2, 3}) {
            Telescope telescope(tubes);
            telescope.prepare();
            double early = 0;
            for (int k = 0; k <= 60; ++k) {
                const double way = 0.3 * tubes * k / 60;
                const SolveResult result = telescope.pressed(way, telescope.rest);
                QCOMPARE(result.status, Status::Converged);
                double left = way;
                for (int v = tubes; v-- > 0;) { // each moves as far as it can before the next one begins
                    const double own = std::min(left, 0.3);
                    early = std::max(early, std::abs(0.3 - result.q[static_cast<std::size_t>(v)] - own));
                    left -= own;
                }
            }
            qInfo("%d tubes: off from one after the other by at most %.2g m", tubes, early);
            QVERIFY(early <= 1e-6);
            QCOMPARE(telescope.pressed(0.3 * tubes + 0.05, telescope.rest).status, Status::LimitsBlock); // its stops
        }
    }

    void easeStartsTheNextJointEarlyAndHidesNoGoal()
    {
        for (const double ease : {0.05, 0.5, 1.0}) {
            Telescope telescope(2, ease);
            telescope.prepare();
            double last = 0, atFivePercent = -1;
            for (int k = 0; k <= 120; ++k) {
                const SolveResult result = telescope.pressed(0.6 * k / 120, telescope.rest);
                QCOMPARE(result.status, Status::Converged); // also where it takes the limit itself
                QCOMPARE(telescope.rig.violation(result.q), 0.0);
                const double middle = 0.3 - result.q[0];
                QVERIFY(middle >= last - 1e-9);
                last = middle;
                if (result.q[1] >= 0.05 * 0.3) atFivePercent = middle; // the top is at least 5 % from its limit
            }
            qInfo("ease %g: the middle tube has moved %.3g m while the top is 5 %% from its limit", ease,
                  atFivePercent);
            QVERIFY(atFivePercent > 0.01);
        }
    }

    void dampingSharesOverTheWholeRange()
    {
        // Resistances by the formula: the top one 1 + 1e6 * 1, the middle one (the lowest rank) 1e6 + 1e6 * 1.
        Telescope telescope(2, 0, 0.5);
        telescope.prepare();
        const double share = (1 + 1e6) / (1 + 1e6 + 2e6);
        for (const double way : {0.01, 0.1, 0.4}) {
            const SolveResult result = telescope.pressed(way, telescope.rest);
            QCOMPARE(result.status, Status::Converged);
            QVERIFY(std::abs(0.3 - result.q[0] - share * way) < 1e-9);
        }
    }

    void springsAndStiffnessShareByTheFormula()
    {
        // Three slides in a row whose sum the goal asks for: r_i d_i + t_i (q_i - s_i) is the same for all, with
        // t = 0.75 / (1 - 0.75).
        SolverModel rig;
        int b = rig.add(-1, JointKind::Fixed, Vector3::Zero());
        const double stiffness[] = {0, 0.5, 0}, tension[] = {0, 0, 0.75}, spring[] = {0, 0, -0.2};
        for (int v = 0; v < 3; ++v) {
            const auto at = static_cast<std::size_t>(v);
            b = rig.add(b, JointKind::Prismatic, Vector3::Zero(), {Vector3::UnitZ()});
            rig.stiffness[at] = stiffness[v];
            rig.springTension[at] = tension[v];
            rig.springRest[at] = spring[v];
        }
        const auto solver = makeConstrainedSolver();
        QCOMPARE(solver->prepare(rig.model(), 1), Status::Converged);
        const std::vector<double> seed = {0.1, 0.2, 0.3};
        const sdk::Goal goal = positionGoal(b, Vector3(0, 0, 1));
        sdk::Problem problem;
        problem.seed = seed;
        const SolveResult result = solveOnce(*solver, rig, {&goal, 1}, problem);
        QCOMPARE(result.status, Status::Converged);
        const double resistance[] = {1, 4, 1}, pull[] = {0, 0, 3};
        double force[3];
        for (int v = 0; v < 3; ++v) {
            const double q = result.q[static_cast<std::size_t>(v)];
            force[v] = resistance[v] * (q - seed[static_cast<std::size_t>(v)]) + pull[v] * (q - spring[v]);
        }
        QVERIFY(std::abs(force[0] - force[1]) < 1e-9 && std::abs(force[0] - force[2]) < 1e-9);
        QVERIFY(std::abs(result.q[0] + result.q[1] + result.q[2] - 1) < 1e-9);
        // A spring pulls even where the goal is met as it is.
        const sdk::Goal met = positionGoal(b, Vector3(0, 0, 0.6));
        QVERIFY(solveOnce(*solver, rig, {&met, 1}, problem).q[2] < 0.29);
    }

    /// A spring ranks with its joint, not with the joints below: of tension 0.5 it is as strong as the joint resists.
    void aSpringRanksWithItsJoint()
    {
        SolverModel rig; // two slides of different precedence, whose way no goal asks for
        int b = rig.add(-1, JointKind::Prismatic, Vector3::Zero(), {Vector3::UnitX()});
        b = rig.add(b, JointKind::Prismatic, Vector3::Zero(), {Vector3::UnitY()});
        rig.precedence = {2, 1};
        rig.springTension = {0.5, 0.5};
        rig.springRest = {0.2, -0.1};
        sdk::Goal goal;
        goal.kind = sdk::GoalKind::Orientation;
        goal.body = b;
        for (const Choice choice : {Closest, Outermost}) {
            const std::unique_ptr<sdk::Solver> solver = makeConstrainedSolver();
            QVERIFY(solver->setParameter("choice", choice));
            QCOMPARE(solver->prepare(rig.model(), 1), Status::Converged);
            const SolveResult result = solveOnce(*solver, rig, {&goal, 1});
            QCOMPARE(result.status, Status::Converged);
            QVERIFY(std::abs(result.q[0] - 0.1) < 1e-9);
            QVERIFY(std::abs(result.q[1] + 0.05) < 1e-9);
        }
    }

    void theAnswerDoesNotDependOnTheWay_data()
    {
        QTest::addColumn<double>("ease");
        QTest::addColumn<double>("damping");
        QTest::addColumn<double>("tension");
        QTest::addColumn<double>("stiffness");
        QTest::newRow("precedence") << 0.0 << 0.0 << 0.0 << 0.0;
        QTest::newRow("ease") << 0.5 << 0.0 << 0.0 << 0.0;
        QTest::newRow("damping") << 0.0 << 0.5 << 0.0 << 0.0;
        QTest::newRow("spring") << 0.0 << 0.0 << 0.7 << 0.0;
        QTest::newRow("stiffness") << 0.0 << 0.0 << 0.0 << 0.6;
    }

    void theAnswerDoesNotDependOnTheWay()
    {
        // Separate drags: each begins where the one before it ended.
        QFETCH(double, ease);
        QFETCH(double, damping);
        QFETCH(double, tension);
        QFETCH(double, stiffness);
        Telescope telescope(3, ease, damping);
        telescope.rig.springTension[2] = tension;
        telescope.rig.springRest[2] = 0.25;
        telescope.rig.stiffness[2] = stiffness;
        telescope.prepare();
        std::vector<double> ends[3];
        const int counts[] = {1, 7, 58};
        for (int run = 0; run < 3; ++run) {
            ends[run] = telescope.rest;
            for (int k = 1; k <= counts[run]; ++k) ends[run] = telescope.pressed(0.55 * k / counts[run], ends[run]).q;
        }
        QVERIFY(farthest(ends[0], ends[1]) < 1e-9);
        QVERIFY(farthest(ends[0], ends[2]) < 1e-9);
    }

    void turningChainsHaveOneAnswerForEachGoal()
    {
        // Whatever pose the solve starts from, as long as it is not on the other side of some fold.
        std::mt19937 random(41);
        int same = 0, total = 0, most = 0;
        for (const JointKind kind : {JointKind::Ball, JointKind::Axes}) {
            const SolverModel rig = snake(8, kind);
            const auto solver = makeConstrainedSolver();
            QVERIFY(solver->setParameter("choice", Outermost));
            QCOMPARE(solver->prepare(rig.model(), 1), Status::Converged);
            for (int i = 0; i < 15; ++i) {
                const std::vector<double> other = rig.randomConfiguration(random, 0.3);
                const sdk::Goal goal = positionGoal(8,
                                                    rig.frames(rig.randomConfiguration(random, 0.5)).back().position);
                std::vector<double> ends[2];
                for (int k = 0; k < 2; ++k) {
                    sdk::Problem problem;
                    problem.seed = k == 0 ? rig.seed : other;
                    problem.posture = rig.seed;
                    const SolveResult result = solveOnce(*solver, rig, {&goal, 1}, problem);
                    QCOMPARE(result.status, Status::Converged);
                    most = std::max(most, result.solution.iterations);
                    ends[k] = result.q;
                }
                same += farthest(ends[0], ends[1]) < 1e-6 ? 1 : 0;
                ++total;
            }
        }
        qInfo("%d of %d goals with the same pose from two seeds; %d iterations at most", same, total, most);
        QVERIFY(same >= total - 1);
        QVERIFY(most < 300);
    }

    void choicesAreTheLeastOfWhatTheyName()
    {
        // Each choice has less of what it names than every other one has.
        SolverModel rig = snake(5, JointKind::Axes);
        for (std::size_t b = 0; b < 5; ++b) rig.mass[b] = 6 - static_cast<double>(b);
        std::vector<double> seed(rig.seed.size(), 0.1), natural(rig.seed.size(), 0.0);
        for (std::size_t i = 2; i < natural.size(); i += 3) natural[i] = 0.45;
        const sdk::Goal goal = positionGoal(5, {0.15, 0.3, 0.1}, 1e-6);
        const auto mass = [&](const std::vector<double>& q) {
            double moved = 0;
            const auto before = rig.frames(seed), after = rig.frames(q);
            for (std::size_t b = 0; b < 5; ++b)
                moved += rig.mass[b] * (after[b].position - before[b].position).squaredNorm();
            return moved;
        };
        const auto way = [](const std::vector<double>& from, const std::vector<double>& q, std::size_t end) {
            double squared = 0;
            for (std::size_t i = 0; i < end; ++i) squared += (q[i] - from[i]) * (q[i] - from[i]);
            return squared;
        };
        double measured[4][4]; // what, under which choice
        for (int choice = 0; choice < 4; ++choice) {
            const auto solver = makeConstrainedSolver();
            QVERIFY(solver->setParameter("choice", choice));
            QCOMPARE(solver->prepare(rig.model(), 1), Status::Converged);
            sdk::Problem problem;
            problem.seed = seed;
            problem.posture = rig.seed;
            problem.natural = natural;
            const SolveResult result = solveOnce(*solver, rig, {&goal, 1}, problem);
            QCOMPARE(result.status, Status::Converged);
            measured[Closest][choice] = way(seed, result.q, seed.size());
            measured[Outermost][choice] = way(rig.seed, result.q, 6); // the two joints at the root
            measured[LeastEnergy][choice] = mass(result.q);
            measured[Natural][choice] = way(natural, result.q, seed.size());
        }
        for (int what = 0; what < 4; ++what)
            for (int choice = 0; choice < 4; ++choice)
                QVERIFY2(choice == what || measured[what][what] < 0.99 * measured[what][choice],
                         qPrintable(QStringLiteral("%1 under %2: %3 against %4")
                                        .arg(what)
                                        .arg(choice)
                                        .arg(measured[what][choice])
                                        .arg(measured[what][what])));
    }
};

TENDON_TEST(TestJointLaws)
#include "tst_joint_laws.moc"

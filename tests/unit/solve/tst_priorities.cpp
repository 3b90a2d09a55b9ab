#include "core/runtime/ForwardKinematics.h"
#include "core/solve/Evaluator.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <QTest>

using namespace tendon;
using namespace tendon::test;

namespace {

/// A random tree: a trunk of one to three joints that forks into two arms of two to four, a handle on each arm's end.
/// Elbows are hinges in every other tree.
struct Fork
{
    TestRig rig;
    std::vector<JointId> joints, ends;
    HandleId handles[2];
    double reach = 0; ///< [m] of the longer arm, from the root

    Fork(std::mt19937& random, const std::string& solver)
    {
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        const auto bone = [&] { return Vector3(0.3 * randomRotation(random).toRotationMatrix().col(0)); };
        const bool hasHinges = random() % 2 == 0;
        JointId parent;
        const auto add = [&](JointId above, const Vector3& step) {
            joints.push_back(rig.joint("j" + std::to_string(joints.size()), above, step));
            return joints.back();
        };
        const int trunk = 1 + below(3);
        for (int i = 0; i < trunk; ++i) parent = add(parent, i == 0 ? Vector3(Vector3::Zero()) : bone());
        for (int arm = 0; arm < 2; ++arm) {
            JointId end = parent;
            const int count = 2 + below(3);
            for (int i = 0; i < count; ++i) {
                end = add(end, bone());
                if (!hasHinges || i % 2 == 0 || i + 1 == count) continue;
                for (const std::size_t axis : {0u, 1u}) rig.edit(end).turning[axis].active = false;
            }
            ends.push_back(end);
            handles[arm] = rig.handle(arm == 0 ? "left" : "right", joints.front(), end, solver);
            reach = std::max(reach, 0.3 * (trunk - 1 + count));
        }
    }

    void setPriorities(std::int32_t left, std::int32_t right)
    {
        rig.edit(handles[0]).priority = left;
        rig.edit(handles[1]).priority = right;
    }
    void setGoal(int arm, const Vector3& goal) { rig.set(handles[arm], Property::GoalPosition, goal); }
};

/// Poses of one fork.
class ForkPose
{
public:
    ForkPose(const Fork& fork, const SolverRegistry& registry) : m_rig(*compile(fork.rig.scene))
    {
        auto evaluator = Evaluator::create(m_rig, registry);
        if (!evaluator) qFatal("%s", evaluator.error().text().c_str());
        m_evaluator = *std::move(evaluator);
    }

    void solve(const Fork& fork) { m_evaluator->evaluate(fork.rig.scene, nullptr, {}, Time{}, frame); }
    [[nodiscard]] Vector3 end(const Fork& fork, std::size_t arm) const
    {
        return frame.model.modelFromJoint[static_cast<std::size_t>(m_rig->index(fork.ends[arm]))].translation();
    }
    [[nodiscard]] int metCount() const
    {
        return static_cast<int>(std::count_if(frame.handles.begin(), frame.handles.end(), [](const HandleResult& h) {
            return h.status == sdk::Status::Converged;
        }));
    }
    /// The ends in a random pose within the limits.
    std::array<Vector3, 2> randomEnds(const Fork& fork, std::mt19937& random)
    {
        LocalPose local;
        local.resize(m_rig->jointCount());
        local.joints = m_rig->rest;
        for (std::size_t j = 0; j < local.joints.size(); ++j) {
            const bool isHinge = !m_rig->authored[j].turning[0].active;
            const double angle = std::uniform_real_distribution<double>(-3, 3)(random);
            local.joints[j].rotation = isHinge ? Quaternion(Eigen::AngleAxisd(angle, Vector3::UnitZ()))
                                               : randomRotation(random);
        }
        forwardKinematics(*m_rig, local, frame.model);
        return {end(fork, 0), end(fork, 1)};
    }

    SolvedFrame frame;

private:
    std::shared_ptr<const CompiledRig> m_rig;
    std::unique_ptr<Evaluator> m_evaluator;
};

} // namespace

/// Goals of different priority in one solve.
class TestPriorities : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry;

    void eachSolver()
    {
        QTest::addColumn<std::string>("solver");
        for (const SolverInfo& solver : m_registry.solvers())
            if (solver.has("priorities")) QTest::newRow(solver.alias.c_str()) << solver.alias;
    }

private slots:
    void initTestCase()
    {
        m_registry.scan();
        for (const char* solver : {"dls", "constrained", "fabrik"}) QVERIFY(m_registry.find(solver)->has("priorities"));
    }

    void goalsThatCanBeMetTogetherAreMet_data()
    {
        QTest::addColumn<std::string>("solver");
        for (const char* solver : {"dls", "constrained"}) QTest::newRow(solver) << std::string(solver);
    }
    void goalsThatCanBeMetTogetherAreMet()
    {
        QFETCH(std::string, solver);
        constexpr unsigned kSeed = 140;
        constexpr int kTrees = 100, kPairs = 10;
        std::mt19937 random(kSeed);
        int ranked = 0, equal = 0;
        for (int tree = 0; tree < kTrees; ++tree) {
            Fork fork(random, solver);
            ForkPose equals(fork, m_registry);
            const auto left = static_cast<std::int32_t>(1 + random() % 3);
            fork.setPriorities(left, static_cast<std::int32_t>(1 + (left + random() % 2) % 3));
            ForkPose pose(fork, m_registry);
            for (int pair = 0; pair < kPairs; ++pair) {
                const auto ends = pose.randomEnds(fork, random);
                for (const int arm : {0, 1}) fork.setGoal(arm, ends[static_cast<std::size_t>(arm)]);
                pose.solve(fork);
                equals.solve(fork);
                ranked += pose.metCount() == 2 ? 1 : 0;
                equal += equals.metCount() == 2 ? 1 : 0;
            }
        }
        qInfo("seed %u: %d of %d met by rank, %d as equals", kSeed, ranked, kTrees * kPairs, equal);
        QVERIFY(ranked >= equal);
        QVERIFY(ranked >= 999);
    }

    void theHigherGoalIsMetAsItWouldBeAlone_data() { eachSolver(); }
    void theHigherGoalIsMetAsItWouldBeAlone()
    {
        QFETCH(std::string, solver);
        constexpr unsigned kSeed = 141;
        std::mt19937 random(kSeed);
        double worst = 0, gained = 0;
        int contradictory = 0, nearer = 0;
        for (int tree = 0; tree < 20; ++tree) {
            Fork fork(random, solver);
            fork.setPriorities(1, 2);
            ForkPose both(fork, m_registry);
            Fork lone = fork;
            const HandleId last = lone.rig.scene.handles->back().id;
            erase_if(lone.rig.scene.handles.edit(), [&](const Handle& handle) { return handle.id == last; });
            ForkPose alone(lone, m_registry);
            for (int pair = 0; pair < 5; ++pair) {
                // The higher goal within reach, near its edge or beyond; the lower one far on the other side.
                const Vector3 way = both.randomEnds(fork, random)[0];
                const Vector3 goal = pair == 0 ? Vector3(1.3 * fork.reach * way.normalized()) : way;
                fork.setGoal(0, goal);
                lone.setGoal(0, goal);
                fork.setGoal(1, -2 * fork.reach * way.normalized());
                both.solve(fork);
                alone.solve(lone);
                if (both.metCount() == 2) continue;
                ++contradictory;
                worst = std::max(worst, (both.end(fork, 0) - alone.end(lone, 0)).norm() / fork.reach);
                const Vector3 second = -2 * fork.reach * way.normalized();
                const double after = (both.end(fork, 1) - second).norm(), before = (alone.end(fork, 1) - second).norm();
                nearer += after < before - 1e-9 ? 1 : 0;
                gained += before - after;
            }
        }
        qInfo("seed %u: %d contradict each other; the higher end moves by %.2g of the reach, the lower comes nearer in "
              "%d, by %.3g m in all",
              kSeed, contradictory, worst, nearer, gained);
        QVERIFY(contradictory > 90);
        QVERIFY(worst < 1e-6);
        QVERIFY(nearer > contradictory * 9 / 10);
    }

    void aHandleThatFadesOutDoesNotJump()
    {
        std::mt19937 random(142);
        Fork fork(random, "dls");
        fork.setPriorities(1, 2);
        ForkPose pose(fork, m_registry);
        const Vector3 way = pose.randomEnds(fork, random)[0];
        fork.setGoal(0, way);
        fork.setGoal(1, -2 * fork.reach * way.normalized());
        Vector3 before = Vector3::Zero();
        double farthest = 0;
        for (int i = 0; i <= 1000; ++i) {
            fork.rig.set(fork.handles[0], Property::Blend, ChannelValue{1 - i / 1000.0, 0, 0, 0});
            pose.solve(fork);
            const Vector3 now = pose.end(fork, 1);
            if (i > 0) farthest = std::max(farthest, (now - before).norm());
            before = now;
        }
        qInfo("the lower end moves by at most %.3g of the reach in a thousandth of the fade", farthest / fork.reach);
        QVERIFY(farthest < 0.05 * fork.reach);
    }
};

TENDON_TEST(TestPriorities)
#include "tst_priorities.moc"

#include "core/runtime/ForwardKinematics.h"
#include "core/solve/Evaluator.h"
#include "core/solve/StatusNames.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <QTest>

using namespace tendon;
using namespace tendon::test;

namespace {

enum class Limits { None, OnEveryJoint };

double between(std::mt19937& random, double from, double to)
{
    return std::uniform_real_distribution<double>(from, to)(random);
}

/// A random tree: a trunk of one to three joints that forks into two arms of two to four, a handle on each arm's end.
/// Elbows are hinges in every other tree; the other joints are balls.
struct Fork
{
    TestRig rig;
    std::vector<JointId> joints, ends;
    HandleId handles[2];
    double reach = 0; ///< [m] of the longer arm, from the root

    Fork(std::mt19937& random, const std::string& solver, Limits limits = Limits::None)
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
        if (limits == Limits::None) return;
        for (const JointId id : joints) {
            Joint& joint = rig.edit(id);
            const auto way = [&](double most) { return between(random, 0.1, most); };
            if (!joint.turning[0].active) {
                joint.turning[2] = {.active = true, .limited = true, .from = -way(2), .to = way(2)};
                continue;
            }
            joint.ball.emplace();
            joint.ball->twistAxis = below(3);
            joint.ball->swing = {way(1.7), way(1.7), way(1.7), way(1.7)};
            joint.ball->twist = {-way(1.5), way(1.5)};
        }
    }

    /// One that the joint's limits allow.
    static Quaternion randomTurn(const Joint& joint, std::mt19937& random)
    {
        if (!joint.turning[0].active) {
            const AxisFreedom& z = joint.turning[2];
            return Quaternion(Eigen::AngleAxisd(
                z.limited ? between(random, z.lower(), z.upper()) : between(random, -3, 3), Vector3::UnitZ()));
        }
        if (!joint.ball) return randomRotation(random);
        const auto axis = [&](int next) { return Vector3::Unit((joint.ball->twistAxis + next) % 3); };
        const double angle = between(random, 0, 2 * 3.14159265358979), share = between(random, 0, 0.999);
        const std::array<double, 4>& most = *joint.ball->swing;
        const double a = std::cos(angle) * (std::cos(angle) > 0 ? most[0] : most[1]),
                     b = std::sin(angle) * (std::sin(angle) > 0 ? most[2] : most[3]);
        const Vector3 swing = share * (a * axis(1) + b * axis(2));
        const double twist = between(random, (*joint.ball->twist)[0], (*joint.ball->twist)[1]);
        return Quaternion(Eigen::AngleAxisd(swing.norm(), swing.normalized())) *
               Quaternion(Eigen::AngleAxisd(twist, axis(0)));
    }

    /// Makes a random pose within the limits the FK pose.
    void pose(std::mt19937& random)
    {
        for (const JointId joint : joints)
            rig.set(joint, Property::Rotation, channelValue(randomTurn(rig.edit(joint), random)));
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
        for (std::size_t j = 0; j < local.joints.size(); ++j)
            local.joints[j].rotation = Fork::randomTurn(m_rig->authored[j], random);
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

    void aMissNamesTheHandleThatMovesItsJointsFirst()
    {
        TestRig rig;
        const JointId a = rig.joint("a", {}, Vector3::Zero()), b = rig.joint("b", a, Vector3(1, 0, 0)),
                      c = rig.joint("c", b, Vector3(1, 0, 0));
        const HandleId first = rig.handle("first", a, c, "dls"), second = rig.handle("second", a, c, "dls");
        rig.set(first, Property::GoalPosition, Vector3(1, 1, 0));
        rig.set(second, Property::GoalPosition, Vector3(1, -1, 0));
        for (const std::int32_t priority : {2, 1}) { // lower than the first one's, then the same
            rig.edit(second).priority = priority;
            const auto evaluator = Evaluator::create(*compile(rig.scene), m_registry);
            SolvedFrame frame;
            (*evaluator)->evaluate(rig.scene, nullptr, {}, Time{}, frame);
            const HandleResult& missed = frame.handles[1];
            QVERIFY(missed.status != sdk::Status::Converged);
            QVERIFY(!frame.handles[0].yieldsTo.isValid());
            QCOMPARE(missed.yieldsTo.isValid(), priority == 2);
            const std::string reason = reasonOfMiss(rig.scene, missed);
            QCOMPARE(reason.find("first, which has priority 1") != std::string::npos, priority == 2);
        }
    }

    void contradictingGoalsNameEachOther_data()
    {
        QTest::addColumn<std::string>("solver");
        for (const char* solver : {"dls", "fabrik", "constrained", "penalty", "ccd"})
            QTest::newRow(solver) << std::string(solver);
    }
    void contradictingGoalsNameEachOther()
    {
        QFETCH(std::string, solver);
        TestRig rig;
        const auto arm = rig.chain("arm", 4, {0, 0.5, 0});
        const HandleId left = rig.handle("left", arm.front(), arm.back(), solver),
                       right = rig.handle("right", arm.front(), arm.back(), solver);
        rig.set(left, Property::GoalPosition, Vector3(-0.4, 0.9, 0));
        rig.set(right, Property::GoalPosition, Vector3(0.4, 0.9, 0));
        const auto solved = [&] {
            const auto evaluator = Evaluator::create(*compile(rig.scene), m_registry);
            if (!evaluator) qFatal("%s", evaluator.error().text().c_str());
            SolvedFrame frame;
            (*evaluator)->evaluate(rig.scene, nullptr, {}, Time{}, frame);
            return frame;
        };
        SolvedFrame frame = solved();
        const auto reasonOf = [&](std::size_t handle) { return reasonOfMiss(rig.scene, frame.handles[handle]); };
        QVERIFY(frame.handles[0].pullsAgainst == right && frame.handles[1].pullsAgainst == left);
        QVERIFY2(reasonOf(0).find("left and right pull against each other") != std::string::npos, reasonOf(0).c_str());
        QVERIFY2(reasonOf(1).find("right and left pull against each other") != std::string::npos, reasonOf(1).c_str());

        // Neither a goal that is out of reach nor one that is met pulls against another.
        rig.set(right, Property::GoalPosition, Vector3(4, 0.9, 0));
        frame = solved();
        QVERIFY(!frame.handles[0].pullsAgainst.isValid() && !frame.handles[1].pullsAgainst.isValid());
        rig.set(right, Property::GoalPosition, Vector3(-0.4, 0.9, 0));
        frame = solved();
        QCOMPARE(frame.handles[0].status, sdk::Status::Converged);
        QVERIFY(!frame.handles[0].pullsAgainst.isValid() && !frame.handles[1].pullsAgainst.isValid());
    }

    /// Of three goals in one solve, the two that contradict each other are named, and the answer is as without that.
    void theThirdGoalIsNotBlamed()
    {
        TestRig rig;
        const auto body = rig.chain("body", 3, {0, 0.5, 0});
        const auto arm = rig.chain("arm", 4, {0.4, 0, 0}, body.back()),
                   other = rig.chain("other", 4, {-0.4, 0, 0}, body.back());
        const HandleId left = rig.handle("left", arm.front(), arm.back(), "dls"),
                       right = rig.handle("right", arm.front(), arm.back(), "dls"),
                       third = rig.handle("third", body.front(), other.back(), "dls"),
                       fourth = rig.handle("fourth", body.front(), arm.back(), "dls");
        rig.set(left, Property::GoalPosition, Vector3(0.6, 1.4, 0));
        rig.set(right, Property::GoalPosition, Vector3(0.6, 0.6, 0));
        rig.set(third, Property::GoalPosition, Vector3(-0.8, 1.2, 0));
        rig.set(fourth, Property::Blend, ChannelValue{0}); // joins the three to one solve
        const auto evaluator = Evaluator::create(*compile(rig.scene), m_registry);
        SolvedFrame frame;
        (*evaluator)->evaluate(rig.scene, nullptr, {}, Time{}, frame);
        QVERIFY(frame.handles[0].pullsAgainst == right && frame.handles[1].pullsAgainst == left);
        QVERIFY(!frame.handles[2].pullsAgainst.isValid());
        // One solve, counted once. What it missed is told of the pose that is kept.
        for (const std::size_t h : {1u, 2u}) QCOMPARE(frame.handles[h].iterations, frame.handles[0].iterations);
        QVERIFY(frame.iterations > 0);
        QCOMPARE(frame.iterations, frame.handles[0].iterations);
        const auto endOf = [&](JointId joint) {
            return Vector3(frame.model.modelFromJoint[tendon::at((*compile(rig.scene))->index(joint))].translation());
        };
        QVERIFY(std::abs((endOf(arm.back()) - Vector3(0.6, 1.4, 0)).norm() - frame.handles[0].positionError) < 1e-9);
    }

    void goalsThatCanBeMetTogetherAreMet_data()
    {
        QTest::addColumn<std::string>("solver");
        QTest::addColumn<bool>("isLimited");
        for (const char* solver : {"dls", "constrained", "fabrik"})
            QTest::newRow(solver) << std::string(solver) << false;
        for (const char* solver : {"dls", "constrained", "fabrik", "hd"})
            QTest::addRow("%s within limits", solver) << std::string(solver) << true;
    }
    void goalsThatCanBeMetTogetherAreMet()
    {
        QFETCH(std::string, solver);
        QFETCH(bool, isLimited);
        constexpr unsigned kSeed = 140;
        const int kTrees = isLimited ? 20 : 100, kPairs = 10;
        std::mt19937 random(kSeed);
        int ranked = 0, equal = 0;
        for (int tree = 0; tree < kTrees; ++tree) {
            Fork fork(random, solver, isLimited ? Limits::OnEveryJoint : Limits::None);
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
        QVERIFY(ranked >= kTrees * kPairs - 1);
        QVERIFY(isLimited || equal >= kTrees * kPairs - 1);
    }

    /// Local minima: what the best of several FK poses, drawn at random within limits, has over the rest pose.
    void theLowerGoalIsNearlyAsNearAsItCanBe()
    {
        constexpr unsigned kSeed = 143;
        constexpr int kTrees = 60, kStarts = 6;
        std::mt19937 random(kSeed);
        double missed = 0, worst = 0;
        int contradictory = 0, far = 0;
        for (int tree = 0; tree < kTrees; ++tree) {
            Fork fork(random, "dls", Limits::OnEveryJoint);
            fork.setPriorities(1, 2);
            ForkPose pose(fork, m_registry);
            const Vector3 higher = pose.randomEnds(fork, random)[0];
            const Vector3 lower = tree % 2 == 0 ? pose.randomEnds(fork, random)[1]
                                                : Vector3(-2 * fork.reach * higher.normalized());
            fork.setGoal(0, higher);
            fork.setGoal(1, lower);
            const auto missOf = [&] {
                pose.solve(fork);
                const bool isKept = (pose.end(fork, 0) - higher).norm() <= 1e-4;
                return isKept ? (pose.end(fork, 1) - lower).norm() : 100;
            };
            const double first = missOf();
            if (pose.metCount() == 2) continue;
            ++contradictory;
            double least = first;
            for (int start = 0; start < kStarts; ++start) {
                fork.pose(random);
                least = std::min(least, missOf());
            }
            const double off = (first - least) / fork.reach;
            far += off > 0.01 ? 1 : 0;
            missed += off;
            worst = std::max(worst, off);
        }
        qInfo(
            "seed %u: of %d contradictory pairs %d end farther than 1 %% of the reach from the best, %.2g in the mean "
            "and %.2g at worst",
            kSeed, contradictory, far, missed / contradictory, worst);
        QVERIFY(contradictory > 20);
        QVERIFY(far * 4 < contradictory);
        QVERIFY(missed < 0.01 * contradictory);
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

    /// Where limits make dead ends, the higher goal is given every start that it would have alone.
    void theHigherGoalIsMetAmongLimitsIfItIsMetAlone_data()
    {
        QTest::addColumn<std::string>("solver");
        for (const char* solver : {"dls", "constrained", "hd"}) QTest::newRow(solver) << std::string(solver);
    }
    void theHigherGoalIsMetAmongLimitsIfItIsMetAlone()
    {
        QFETCH(std::string, solver);
        constexpr unsigned kSeed = 144;
        std::mt19937 random(kSeed);
        int metAlone = 0, lost = 0;
        for (int tree = 0; tree < 40; ++tree) {
            Fork fork(random, solver, Limits::OnEveryJoint);
            fork.setPriorities(1, 2);
            ForkPose both(fork, m_registry);
            Fork lone = fork;
            const HandleId last = lone.rig.scene.handles->back().id;
            erase_if(lone.rig.scene.handles.edit(), [&](const Handle& handle) { return handle.id == last; });
            ForkPose alone(lone, m_registry);
            const Vector3 goal = both.randomEnds(fork, random)[0];
            fork.setGoal(0, goal);
            lone.setGoal(0, goal);
            fork.setGoal(1, both.randomEnds(fork, random)[1]);
            both.solve(fork);
            alone.solve(lone);
            if (alone.metCount() == 0) continue;
            ++metAlone;
            lost += (both.end(fork, 0) - goal).norm() > 1e-4 ? 1 : 0;
        }
        qInfo("seed %u: %d met alone, %d of them not beside a lower goal", kSeed, metAlone, lost);
        QVERIFY(metAlone > 35);
        QCOMPARE(lost, 0);
    }

    /// A third goal leaves the second where it is without it, also on trees of hinges, where ways downhill have dead
    /// ends.
    void theThirdGoalDoesNotMoveTheSecond()
    {
        constexpr unsigned kSeed = 145;
        std::mt19937 random(kSeed);
        double worst = 0;
        int missed = 0;
        for (int tree = 0; tree < 30; ++tree) {
            TestRig rig;
            std::vector<JointId> ends;
            const auto hinge = [&](JointId above, const Vector3& step) {
                const JointId joint = rig.joint("j" + std::to_string(rig.scene.joints->size()), above, step);
                const auto axis = static_cast<std::size_t>(random() % 3);
                for (std::size_t k = 0; k < 3; ++k) rig.edit(joint).turning[k].active = k == axis;
                return joint;
            };
            const JointId root = hinge({}, Vector3::Zero()), trunk = hinge(root, Vector3(0, 0.3, 0));
            for (int arm = 0; arm < 3; ++arm) {
                JointId end = trunk;
                for (int i = 0; i < 3; ++i) end = hinge(end, 0.3 * randomRotation(random).toRotationMatrix().col(0));
                ends.push_back(end);
            }
            Vector3 second[2];
            for (const int handles : {2, 3}) {
                TestRig some = rig;
                for (int arm = 0; arm < handles; ++arm) {
                    const HandleId handle = some.handle("h" + std::to_string(arm), root,
                                                        ends[static_cast<std::size_t>(arm)], "dls");
                    some.edit(handle).priority = arm + 1;
                    std::mt19937 own(static_cast<unsigned>(10 * tree + arm));
                    some.set(handle, Property::GoalPosition,
                             Vector3(0.9 * randomRotation(own).toRotationMatrix().col(0)));
                }
                const auto compiled = *compile(some.scene);
                SolvedFrame frame;
                (*Evaluator::create(compiled, m_registry))->evaluate(some.scene, nullptr, {}, Time{}, frame);
                second[handles - 2] =
                    frame.model.modelFromJoint[static_cast<std::size_t>(compiled->index(ends[1]))].translation();
                missed += handles == 3 && !sdk::isSuccess(frame.handles[1].status) ? 1 : 0;
            }
            worst = std::max(worst, (second[1] - second[0]).norm() / 1.5);
        }
        qInfo("the second end moves by at most %.2g of the reach; it misses its goal in %d of 30", worst, missed);
        QVERIFY(missed > 5);
        QVERIFY(worst < 1e-6);
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

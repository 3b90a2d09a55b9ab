#include "core/solve/Evaluator.h"
#include "core/solve/HandleSwitch.h"
#include "tests/support/LinkedSolvers.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <algorithm>

using namespace tendon;
using namespace tendon::test;

class TestHandleSwitch : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry = shippedSolvers();
    SolvedPoses m_poses{m_registry};

    SolvedFrame evaluated(const TestRig& test, const PendingValues& pending)
    {
        auto evaluator = *Evaluator::create(*compile(test.scene), m_registry);
        SolvedFrame result;
        evaluator->evaluate(test.scene, test.clip(), pending, {}, result);
        return result;
    }

    /// Largest distance that a joint jumps.
    static double jump(const SolvedFrame& a, const SolvedFrame& b)
    {
        double largest = 0;
        for (std::size_t i = 0; i < a.model.modelFromJoint.size(); ++i)
            largest = std::max(
                largest, (a.model.modelFromJoint[i].translation() - b.model.modelFromJoint[i].translation()).norm());
        return largest;
    }

    struct Rig
    {
        TestRig test;
        JointId body, cart;
        std::vector<JointId> arm;
        HandleId hand;

        explicit Rig(std::mt19937& random)
        {
            body = test.joint("body", {}, randomVector(random));
            cart = test.joint("cart", {}, randomVector(random));
            test.edit(cart).rest.rotation = randomRotation(random);
            arm = test.chain("arm", 4, {0.3, 0.05, 0}, body);
            test.joint("tip", arm[3], {0.1, 0, 0}); // shows a turn of the end
            hand = test.handle("hand", arm[0], arm[3], "dls");
            for (const JointId id : arm)
                test.edit(id).rest.rotation = Quaternion(Eigen::AngleAxisd(0.4, randomVector(random).normalized()));
            test.set(hand, Property::GoalPosition, Vector3(randomVector(random, 0.5)));
            test.set(hand, Property::Pole, Vector3(randomVector(random, 3)));
        }
    };

private slots:
    void switchingToIkKeepsTheFkPose()
    {
        std::mt19937 random(91);
        for (int round = 0; round < 60; ++round) {
            Rig rig(random);
            Handle& handle = rig.test.edit(rig.hand);
            if (round % 2) handle.follow = rig.cart.value;
            if (round % 3 == 0) handle.orientationWeight = 1;
            if (round % 4 == 0) handle.offset = {0.05, 0, 0};
            handle.hasPole = round % 5 != 0;
            if (round % 5 == 1) handle.poleTarget = rig.cart;
            rig.test.set(rig.hand, Property::Twist, {0.3 * (round % 3)});
            rig.test.set(rig.hand, Property::Blend, {0});
            for (const JointId id : rig.arm) rig.test.set(id, Property::Rz, {randomVector(random).x()});
            const SolvedFrame before = evaluated(rig.test, {});
            const auto matched = switchHandle(m_poses, rig.test.scene, nullptr, {}, {}, rig.hand, SwitchTo::Ik);
            QVERIFY(matched);
            const SolvedFrame after = evaluated(rig.test, withWrites({}, matched->writes));
            QVERIFY2(jump(before, after) <= 1e-4,
                     qPrintable(QString("round %1: %2").arg(round).arg(jump(before, after))));
            QVERIFY(matched->positionJump <= 1e-4);
            QVERIFY(std::any_of(matched->writes.begin(), matched->writes.end(), [](const ChannelWrite& w) {
                return w.channel.property == Property::Blend && w.value[0] == 1;
            }));
        }
    }

    void switchingToFkKeepsTheSolvedPose()
    {
        std::mt19937 random(92);
        for (int round = 0; round < 60; ++round) {
            Rig rig(random);
            Joint& elbow = rig.test.edit(rig.arm[1]);
            if (round % 2) elbow.turning[1].active = false;
            if (round % 3 == 0) elbow.sliding[0] = {.active = true, .limited = true, .from = 0.2, .to = 0.5};
            if (round % 4 == 0) rig.test.set(rig.arm[2], Property::Rotation, channelValue(randomRotation(random)));
            rig.test.set(rig.arm[0], Property::Rx, {9.0});
            const SolvedFrame before = evaluated(rig.test, {});
            const auto matched = switchHandle(m_poses, rig.test.scene, nullptr, {}, {}, rig.hand, SwitchTo::Fk);
            QVERIFY(matched);
            const SolvedFrame after = evaluated(rig.test, withWrites({}, matched->writes));
            QVERIFY(jump(before, after) <= 1e-9);
            QVERIFY(matched->positionJump <= 1e-9 && matched->rotationJump <= 1e-7);
            for (const ChannelWrite& write : matched->writes) {
                if (write.channel.target == rig.arm[2].value && round % 4 == 0)
                    QCOMPARE(write.channel.property, Property::Rotation);
                if (write.channel.target == rig.arm[0].value && write.channel.property == Property::Rx)
                    QVERIFY(std::abs(write.value[0] - 9) < 4);
            }
            // All active axes are there to be keyed, moved or not.
            const auto count = std::count_if(
                matched->writes.begin(), matched->writes.end(),
                [&](const ChannelWrite& w) { return w.channel.target == rig.arm[0].value; });
            QCOMPARE(count, 3);
        }
    }

    void twoBoneArmsAndLegsSwitchWithoutAPopEvenWithSoftReach()
    {
        std::mt19937 random(93);
        for (int round = 0; round < 60; ++round) {
            TestRig test;
            const auto leg = test.chain("leg", 3, {0, -0.45, 0.01});
            const HandleId foot = test.handle("foot", leg[0], leg[2], "two-bone");
            test.edit(foot).hasPole = round % 3 != 0;
            test.edit(foot).soft = round % 2 ? 0.05 : 0;
            test.edit(foot).orientationWeight = round % 4 == 0 ? 1 : 0;
            test.set(foot, Property::GoalPosition, Vector3(0, -0.5, 0.3));
            test.set(foot, Property::Pole, Vector3(0.3, 0, 2));
            test.set(leg[0], Property::Rx, {0.5 * randomVector(random).x()});
            test.set(leg[0], Property::Rz, {0.5 * randomVector(random).x()});
            test.set(leg[1], Property::Rx, {0.4 + 0.3 * randomVector(random).x()}); // up to 98.7 % of the reach
            const SolvedFrame fk = evaluated(test, {{{foot.value, Property::Blend}, {0}}});
            const auto toIk = switchHandle(m_poses, test.scene, nullptr, {}, {}, foot, SwitchTo::Ik);
            QVERIFY2(toIk, toIk ? "" : toIk.error().text().c_str());
            const double ikJump = jump(fk, evaluated(test, withWrites({}, toIk->writes)));
            QVERIFY2(ikJump <= 1e-4, qPrintable(QString("round %1: %2").arg(round).arg(ikJump)));
            const SolvedFrame ik = evaluated(test, {});
            const auto toFk = switchHandle(m_poses, test.scene, nullptr, {}, {}, foot, SwitchTo::Fk);
            QVERIFY(jump(ik, evaluated(test, withWrites({}, toFk->writes))) <= 1e-9);
        }
    }

    void aStraightChainSwitchesToo()
    {
        TestRig test;
        const auto arm = test.chain("arm", 3, {0.3, 0, 0});
        const HandleId hand = test.handle("hand", arm[0], arm[2], "dls");
        test.edit(hand).hasPole = true;
        test.set(hand, Property::Blend, {0});
        test.set(hand, Property::Pole, Vector3(0, 1, 0));
        const auto matched = switchHandle(m_poses, test.scene, nullptr, {}, {}, hand, SwitchTo::Ik);
        QVERIFY(matched);
        QVERIFY(matched->positionJump <= 1e-4);
        QVERIFY(!switchHandle(m_poses, test.scene, nullptr, {}, {}, HandleId{99}, SwitchTo::Ik));
    }
};

TENDON_TEST(TestHandleSwitch)
#include "tst_handle_switch.moc"

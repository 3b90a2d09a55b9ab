#include "core/solve/ChainBend.h"
#include "core/solve/Evaluator.h"
#include "core/solve/StatusNames.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <cmath>
#include <numbers>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr double kPi = std::numbers::pi;

/// A chain that is bent in its FK pose, with a goal that it reaches by bending more and turning.
struct BentChain
{
    TestRig rig;
    std::vector<JointId> joints;
    HandleId handle;
    Vector3 goal;

    BentChain(const std::string& solver, int bones) : goal(0.2, 0.75 * bones, 0.3)
    {
        joints = rig.chain("joint", bones + 1, Vector3(0, 1, 0));
        for (std::size_t i = 1; i + 1 < joints.size(); ++i)
            rig.set(joints[i], Property::Rx, ChannelValue{0.35, 0, 0, 0});
        handle = rig.handle("hand", joints.front(), joints.back(), solver);
        rig.set(handle, Property::GoalPosition, goal);
    }

    /// Where the joints are with a twist, in model space; empty if the solver does not take the chain.
    std::vector<Vector3> positions(const SolverRegistry& registry, double twist)
    {
        rig.set(handle, Property::Twist, ChannelValue{twist, 0, 0, 0});
        const auto compiled = compile(rig.scene);
        if (!compiled) qFatal("%s", compiled.error().text().c_str());
        const auto evaluator = Evaluator::create(*compiled, registry);
        if (!evaluator) return {};
        SolvedFrame frame;
        (*evaluator)->evaluate(rig.scene, nullptr, {}, Time{}, frame);
        if (!sdk::isSuccess(frame.handles.front().status)) return {};
        std::vector<Vector3> result;
        for (const Affine& world : frame.model.modelFromJoint) result.emplace_back(world.translation());
        return result;
    }
};

/// By how much the mean inner joint (they count 1, 1/2, 1/3 ... down the chain) has turned about the line
/// start -> goal [rad].
double turnBetween(const std::vector<Vector3>& from, const std::vector<Vector3>& to, const Vector3& goal)
{
    const Vector3 line = goal.normalized();
    const auto bend = [&line](const std::vector<Vector3>& positions) {
        Vector3 sum = Vector3::Zero();
        for (std::size_t i = 1; i + 1 < positions.size(); ++i) sum += positions[i] / static_cast<double>(i);
        return Vector3(sum - line * line.dot(sum));
    };
    return std::atan2(line.dot(bend(from).cross(bend(to))), bend(from).dot(bend(to)));
}

} // namespace

/// Twist without a pole, with every solver that comes with Tendon and claims poles.
class TestTwist : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry;

private slots:
    void initTestCase()
    {
        m_registry.scan();
        QVERIFY(!m_registry.solvers().empty());
    }

    void twistTurnsThePoseThatThereIsWithoutIt_data()
    {
        QTest::addColumn<std::string>("solver");
        QTest::addColumn<int>("bones");
        for (const SolverInfo& solver : m_registry.solvers())
            for (const int bones : {2, 3, 5, 10})
                if (solver.has("pole") && (solver.maxChainJoints == 0 || bones < solver.maxChainJoints))
                    QTest::addRow("%s, %d bones", solver.alias.c_str(), bones) << solver.alias << bones;
    }

    void twistTurnsThePoseThatThereIsWithoutIt()
    {
        QFETCH(std::string, solver);
        QFETCH(int, bones);
        BentChain chain(solver, bones);
        const std::vector<Vector3> plain = chain.positions(m_registry, 0);
        QVERIFY(!plain.empty());
        const Handle& handle = chain.rig.edit(chain.handle);
        const double angleTolerance = 1.01 * handle.rotationTolerance; // solvers with iterations stop within it
        for (const double twist : {0.002, -0.1, kPi / 2}) {
            const std::vector<Vector3> twisted = chain.positions(m_registry, twist);
            QVERIFY(!twisted.empty());
            QVERIFY(std::abs(turnBetween(plain, twisted, chain.goal) - twist) < angleTolerance);
            double moved = 0;
            for (std::size_t i = 0; i < plain.size(); ++i) moved = std::max(moved, (twisted[i] - plain[i]).norm());
            const double most = (std::abs(twist) + angleTolerance) * bones + 2 * handle.positionTolerance;
            QVERIFY2(moved < most, qPrintable(QStringLiteral("twist %1: moved by %2 m").arg(twist).arg(moved)));
        }
    }

    void inPlaneChainsFollowATwistExactly_data()
    {
        QTest::addColumn<std::string>("solver");
        for (const char* solver : {"rotate-plane", "spring", "hi"}) QTest::newRow(solver) << std::string(solver);
    }

    void inPlaneChainsFollowATwistExactly()
    {
        QFETCH(std::string, solver);
        for (const int bones : {2, 3, 5, 10}) {
            BentChain chain(solver, bones);
            const std::vector<Vector3> plain = chain.positions(m_registry, 0);
            QVERIFY(!plain.empty());
            for (const double twist : {1e-6, 0.5, kPi / 2})
                QVERIFY(std::abs(turnBetween(plain, chain.positions(m_registry, twist), chain.goal) - twist) < 1e-9);
        }
    }

    /// A chain that is symmetric to its middle has its inner joints on both sides of its line, equally far.
    void aZigzagFacesItsPoleAndTurnsByItsTwist_data()
    {
        QTest::addColumn<std::string>("solver");
        for (const char* solver : {"rotate-plane", "spring", "hi", "dls", "fabrik"})
            QTest::newRow(solver) << std::string(solver);
    }
    void aZigzagFacesItsPoleAndTurnsByItsTwist()
    {
        QFETCH(std::string, solver);
        TestRig rig;
        const JointId a = rig.joint("a", {}, Vector3(0, 1, 0));
        const JointId b = rig.joint("b", a, Vector3(0, -0.3, 0.15));
        const JointId c = rig.joint("c", b, Vector3(0, -0.3, -0.3));
        const JointId d = rig.joint("d", c, Vector3(0, -0.3, 0.15));
        const HandleId handle = rig.handle("hand", a, d, solver);
        const auto bendAt = [&](const Vector3& goal) { // as it is seen along the line a -> d
            rig.set(handle, Property::GoalPosition, goal);
            const auto compiled = *compile(rig.scene);
            SolvedFrame frame;
            (*Evaluator::create(compiled, m_registry))->evaluate(rig.scene, nullptr, {}, Time{}, frame);
            const auto at = [&](std::size_t joint) { return Vector3(frame.model.modelFromJoint[joint].translation()); };
            const Vector3 line = (goal - at(0)).normalized(), bend = (2 * at(1) + at(2)) / 3 - at(0);
            return Vector3((bend - line * line.dot(bend)).normalized());
        };
        const Vector3 goal(0, 0.35, 0.05), line = (goal - Vector3(0, 1, 0)).normalized();
        const Vector3 plain = bendAt(goal);
        rig.set(handle, Property::Twist, ChannelValue{kPi / 2, 0, 0, 0});
        QVERIFY((bendAt(goal) - line.cross(plain)).norm() < 2e-3);

        rig.edit(handle).hasPole = true;
        rig.set(handle, Property::Pole, Vector3(2, 0.5, 0));
        for (const double twist : {0.0, kPi / 2}) {
            rig.set(handle, Property::Twist, ChannelValue{twist, 0, 0, 0});
            const Vector3 toPole = Vector3(2, -0.5, 0), out = toPole - line * line.dot(toPole);
            const Vector3 wanted = Eigen::AngleAxisd(twist, line) * out.normalized();
            QVERIFY((bendAt(goal) - wanted).norm() < 2e-3);
            for (const Vector3& aside : {Vector3(1e-4, 0, 0), Vector3(0, 1e-4, 0), Vector3(0, 0, -1e-4)})
                QVERIFY((bendAt(goal + aside) - wanted).norm() < 5e-3);
        }
    }

    void aBendThatIsADifferenceSaysSo()
    {
        TestRig rig;
        const JointId a = rig.joint("a", {}, Vector3::Zero());
        const JointId b = rig.joint("b", a, Vector3(0, 1, 0.1));
        const JointId c = rig.joint("c", b, Vector3(0, 1, -0.3)); // twice as far out, to the other side
        const JointId d = rig.joint("d", c, Vector3(0, 1, 0.2));
        const HandleId handle = rig.handle("hand", a, d, "rotate-plane");
        rig.edit(handle).hasPole = true;
        rig.set(handle, Property::Pole, Vector3(1, 1, 0));
        const auto cautionAt = [&](const Vector3& goal) {
            rig.set(handle, Property::GoalPosition, goal);
            const auto compiled = *compile(rig.scene);
            SolvedFrame frame;
            (*Evaluator::create(compiled, m_registry))->evaluate(rig.scene, nullptr, {}, Time{}, frame);
            return cautionOf(rig.scene, frame.handles.front());
        };
        QVERIFY(cautionAt(Vector3(0, 2.999, 0)).find("as much to one side") != std::string::npos);
        rig.edit(c).rest.translation.z() = -0.2; // (0.1, -0.1): a zigzag
        rig.edit(d).rest.translation.z() = 0.1;
        QCOMPARE(cautionAt(Vector3(0, 2.9, 0)), std::string());
    }

    void theUsualPoleOfAStraightLegFacesWhereItsKneeMayGo()
    {
        for (const double side : {1.0, -1.0}) {
            TestRig rig;
            const auto leg = rig.chain("leg", 3, Vector3(0, -0.4, 0));
            const HandleId foot = rig.handle("foot", leg.front(), leg.back(), "two-bone");
            rig.set(foot, Property::Blend, ChannelValue{0, 0, 0, 0}); // the FK pose
            const auto poleZ = [&] {
                const auto compiled = *compile(rig.scene);
                SolvedFrame frame;
                (*Evaluator::create(compiled, m_registry))->evaluate(rig.scene, nullptr, {}, Time{}, frame);
                return defaultPole(*compiled, frame.local, frame.model, *rig.scene.find(foot), 0).z();
            };
            AxisFreedom& knee = rig.edit(leg[1]).turning[0];
            knee.limited = true;
            knee.to = side * 2.6; // from 0
            QVERIFY(side * poleZ() > 0.1);
            rig.edit(leg[1]).preferredAngle.x() = -side * 0.1; // said by hand, it counts more
            QVERIFY(side * poleZ() < -0.1);
        }
    }

    /// An up joint on the line of the bone that it turns says nothing about that bone's twist. The handle is cautious
    /// before a small move of the up joint twists the bone far.
    void anUpJointNearTheLineOfItsBoneMakesTheHandleCautious()
    {
        TestRig rig;
        const auto tail = rig.chain("tail", 6, Vector3(0.2, 0, 0));
        const JointId up = rig.joint("up", {}, Vector3(1.4, 0.5, 0));
        const HandleId handle = rig.handle("curve", tail.front(), tail.back(), "spline");
        rig.edit(handle).curvePoints = 3;
        rig.edit(handle).endUp = up;
        rig.set(handle, curvePoint(1), Vector3(0.5, 0, 0));
        rig.set(handle, curvePoint(2), Vector3(1.1, 0, 0));
        const auto compiled = compile(rig.scene);
        QVERIFY(compiled);
        const auto evaluator = Evaluator::create(*compiled, m_registry);
        QVERIFY(evaluator);
        SolvedFrame frame;
        std::optional<Quaternion> before;
        bool wasCautious = false;
        int cautions = 0, twists = 0;
        for (int step = 0; step <= 100; ++step) { // across the line, 2 mm beside it, 1 % of the chain's length a step
            rig.set(up, Property::Ty, ChannelValue{0.5 - 0.01 * step, 0, 0, 0});
            rig.set(up, Property::Tz, ChannelValue{0.002, 0, 0, 0});
            (*evaluator)->evaluate(rig.scene, nullptr, {}, Time{}, frame);
            const Quaternion now = frame.local.joints[4].rotation;
            const bool isCautious = !cautionOf(rig.scene, frame.handles.front()).empty();
            if (before && before->angularDistance(now) > kMaxSwing) {
                ++twists;
                QVERIFY2(wasCautious, qPrintable(QString::number(step)));
            }
            cautions += isCautious ? 1 : 0;
            before = now;
            wasCautious = isCautious;
        }
        QVERIFY(twists > 0 && cautions < 80);
        rig.set(up, Property::Ty, ChannelValue{0.5, 0, 0, 0});
        (*evaluator)->evaluate(rig.scene, nullptr, {}, Time{}, frame);
        QCOMPARE(cautionOf(rig.scene, frame.handles.front()), std::string());
    }

    void aSkewKneeGoesStraightWithoutARoll_data()
    {
        QTest::addColumn<std::string>("solver");
        for (const SolverInfo& solver : m_registry.solvers())
            if (solver.has("pole")) QTest::newRow(solver.alias.c_str()) << solver.alias;
    }

    /// The knee of a straight leg whose hinge is not square to its bones lies beside the line from hip to foot. Only
    /// the hinge still says where it faces.
    void aSkewKneeGoesStraightWithoutARoll()
    {
        QFETCH(std::string, solver);
        const Vector3 thigh(0, -1, 0), shin(0.12, -1, -0.1);
        TestRig rig;
        const JointId hip = rig.joint("hip", {}, Vector3::Zero());
        const JointId knee = rig.joint("knee", hip, thigh);
        const JointId foot = rig.joint("foot", knee, shin);
        Joint& hinge = rig.edit(knee);
        hinge.turning[1].active = hinge.turning[2].active = false;
        hinge.turning[0].limited = true;
        hinge.turning[0].from = -0.2;
        hinge.turning[0].to = 2.4;
        const HandleId handle = rig.handle("leg", hip, foot, solver);
        rig.edit(handle).hasPole = true;
        rig.set(handle, Property::Pole, Vector3(0.3, -1, 2));
        const auto compiled = compile(rig.scene);
        QVERIFY(compiled);
        const auto evaluator = Evaluator::create(*compiled, m_registry);
        QVERIFY(evaluator);

        const double reach = std::hypot(0.12, 1 + std::hypot(1, 0.1));
        const Vector3 way = Vector3(0.2, -1, 0.1).normalized();
        const Vector3 pole = (Vector3(0.3, -1, 2) - way * way.dot(Vector3(0.3, -1, 2))).normalized();
        SolvedFrame frame;
        const auto facing = [&](double distance) { // of the hinge's plane, from the pole [degrees]
            rig.set(handle, Property::GoalPosition, Vector3(distance * way));
            (*evaluator)->evaluate(rig.scene, nullptr, {}, Time{}, frame);
            const Vector3 axis = frame.model.modelFromJoint[1].linear().col(0);
            const Vector3 front = way.cross(axis);
            return std::atan2(way.dot(pole.cross(front)), pole.dot(front)) * 180 / kPi;
        };
        constexpr double kOffTheHinge = 7; // [degrees] the knee's own direction, where it is well bent
        for (const double share :
             {0.5, 0.8, 0.95, 0.99, 0.995, 0.999, 0.9999, 1.0001, 1.001, 1.01, 1.1, 1.5, 0.9995, 0.9}) {
            const double off = facing(share * reach);
            QVERIFY2(std::abs(off) < kOffTheHinge,
                     qPrintable(QStringLiteral("%1 of the reach: %2 degrees").arg(share).arg(off)));
        }
        // Well bent, the knee itself faces the pole.
        (void)facing(0.8 * reach);
        const Vector3 place = frame.model.modelFromJoint[1].translation();
        QVERIFY(std::abs(pole.cross(way).dot(place)) < 1e-2 * pole.dot(place));
    }
};

TENDON_TEST(TestTwist)
#include "tst_twist.moc"

#include "core/math/Degrees.h"
#include "core/scene/JointPose.h"
#include "core/scene/Validate.h"
#include "core/solve/Constraints.h"
#include "core/solve/JointLimits.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace tendon;
using namespace tendon::test;

namespace {

/// An eye 1 m up that aims +Z at what its handle "look" says.
TestDocument aimingEye()
{
    TestDocument d;
    d(R"({"op": "addJoint", "name": "eye", "translation": [0, 1, 0]})")(
        R"({"op": "addHandle", "name": "look", "end": "eye", "solver": "aim"})")(
        R"({"op": "setHandle", "name": "look", "aimAxis": [0, 0, 1]})");
    return d;
}

Vector3 axisOfEye(const TestDocument& d, const Vector3& axis) { return rotationOf(d.world("eye")) * axis; }

} // namespace

/// What single settings of constraints and of what is followed come to, computed by hand.
class TestConstraintValues : public QObject
{
    Q_OBJECT

private slots:
    void anAxisMayBeKeptDownAndRolledByTheTwist()
    {
        TestDocument d = aimingEye();
        d(R"({"op": "setGoal", "handle": "look", "position": [0, 1, 2]})")(
            R"({"op": "setHandle", "name": "look", "parameters": {"up": "-x"}})");
        QVERIFY((axisOfEye(d, -Vector3::UnitX()) - Vector3::UnitY()).norm() < 1e-9);
        d(R"({"op": "setHandle", "name": "look", "twist": 90})"); // counterclockwise about the aim
        QVERIFY((axisOfEye(d, -Vector3::UnitX()) + Vector3::UnitX()).norm() < 1e-9);
        QVERIFY((axisOfEye(d, Vector3::UnitZ()) - Vector3::UnitZ()).norm() < 1e-9);
    }

    void aBallAtItsSwingNamesItsTwoAxes()
    {
        TestDocument d = aimingEye();
        d(R"({"op": "setBallJoint", "joint": "eye", "axis": "z", "swing": [20, 20, 20, 20]})")(
            R"({"op": "setGoal", "handle": "look", "position": [2, 1, 1]})");
        const auto pose = d.document.poses->at(d.scene(), nullptr, d.document.edit.pending, {});
        QVERIFY(pose);
        const HandleResult& result = (*pose)->handles.front();
        QCOMPARE(result.status, sdk::Status::LimitsBlock);
        for (const Property axis : {Property::Rx, Property::Ry})
            QVERIFY(std::any_of(result.limitHits.begin(), result.limitHits.end(),
                                [&](const auto& hit) { return hit.axis == axis; }));
        const double off = std::acos(std::clamp(axisOfEye(d, Vector3::UnitZ()).z(), -1.0, 1.0));
        QVERIFY(std::abs(off - radians(20)) < 1e-6);
    }

    /// A pole whose joint goes is in the world, where it was.
    void aPoleThatFollowedWhatIsGoneStays()
    {
        TestDocument d = arm();
        d(R"({"op": "addJoint", "name": "prop", "translation": [0.4, 0.9, 0.3], "rotation": [0, 70, 20]})")(
            R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})")(
            R"({"op": "setHandle", "name": "hand", "pole": [0.4, 2, 0.3], "poleFollow": "prop"})");
        const auto pole = [&] {
            const auto pose = d.document.poses->at(d.scene(), nullptr, {}, {});
            return *(*pose)->targets[0].pole;
        };
        const Vector3 before = pole();
        d(R"({"op": "removeJoint", "joint": "prop"})");
        QVERIFY(d.handle("hand").poleFollow == 0);
        QVERIFY(validate(d.scene()).empty());
        QVERIFY((pole() - before).norm() < 1e-9);
    }

    /// What lies between two poses of a joint keeps to its axes and limits, and takes the way that they leave.
    void aBlendKeepsToAxesAndLimits()
    {
        const auto posedBy = [](const Joint& joint, const Vector3& angles) {
            JointPose pose;
            pose.angles = angles;
            pose.local.rotation = localRotation(joint, angles);
            return pose;
        };
        Joint hinge;
        hinge.turning = {{{.active = true}, {}, {}}};
        const Vector3 left(radians(160), 0, 0), right(radians(-160), 0, 0);
        const double free = blended(hinge, posedBy(hinge, left), posedBy(hinge, right), 0.5).angles.x();
        QVERIFY2(std::abs(std::abs(free) - radians(180)) < 1e-9, "the short way");
        hinge.turning[0].limited = true;
        hinge.turning[0].from = radians(-170), hinge.turning[0].to = radians(170);
        const double limited = blended(hinge, posedBy(hinge, left), posedBy(hinge, right), 0.5).angles.x();
        QVERIFY2(std::abs(limited) < 1e-9, "the way within its limits");
        const Vector3 beyond(radians(200), 0, 0), inside(radians(100), 0, 0); // posed by FK, which limits do not hold
        const double near = blended(hinge, posedBy(hinge, beyond), posedBy(hinge, inside), 0.1).angles.x();
        QVERIFY2(std::abs(near - radians(190)) < 1e-9, "from beyond a limit it comes back evenly, without a leap");

        const unsigned seed = std::random_device()();
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> share(0, 1);
        Joint all, ball;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            all.turning[axis].limited = true;
            all.turning[axis].from = radians(-30.0 - 20.0 * static_cast<double>(axis)),
            all.turning[axis].to = radians(60);
        }
        ball.ball = BallLimits{.twistAxis = 0, .swing = {{1.2, 1.2, 1.2, 1.2}}, .twist = {{-0.2, 0.2}}};
        for (int round = 0; round < 400; ++round) {
            const auto within = [&] {
                Vector3 angles;
                for (std::size_t axis = 0; axis < 3; ++axis)
                    angles[static_cast<Eigen::Index>(axis)] = all.turning[axis].from +
                                                              share(random) *
                                                                  (all.turning[axis].to - all.turning[axis].from);
                return posedBy(all, angles);
            };
            const JointPose mixed = blended(all, within(), within(), share(random));
            QVERIFY2(passedTurningLimits(all, mixed).empty(), qPrintable(QString::number(seed)));
            const auto swung = [&] {
                std::uniform_real_distribution<double> angle(-1.1, 1.1), twist(-0.19, 0.19);
                JointPose pose;
                const Vector3 swing(0, angle(random), angle(random));
                pose.local.rotation = Quaternion(Eigen::AngleAxisd(swing.norm(), swing.normalized())) *
                                      Quaternion(Eigen::AngleAxisd(twist(random), Vector3::UnitX()));
                pose.isReadOff = true;
                return pose;
            };
            const JointPose from = swung(), to = swung();
            if (!passedTurningLimits(ball, from).empty() || !passedTurningLimits(ball, to).empty()) continue;
            QVERIFY2(passedTurningLimits(ball, blended(ball, from, to, share(random))).empty(),
                     qPrintable(QString::number(seed)));
        }
    }
};

TENDON_TEST(TestConstraintValues)
#include "tst_constraint_values.moc"

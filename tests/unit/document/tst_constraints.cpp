#include "core/io/project/ProjectFile.h"
#include "core/math/Convert.h"
#include "core/math/Degrees.h"
#include "core/runtime/BakedPoses.h"
#include "core/scene/Constraint.h"
#include "core/scene/Validate.h"
#include "core/solve/Baker.h"
#include "core/solve/Constraints.h"
#include "core/solve/JointLimits.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <QTemporaryDir>

#include <cmath>
#include <cstring>
#include <random>
#include <tuple>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr double kSame = 1e-9; // [m], [rad] rounding through a few transforms

const SolvedFrame& solved(const TestDocument& d, double frame = 1)
{
    const auto pose = d.document.poses->at(d.scene(), d.document.clip(), d.document.edit.pending,
                                           d.scene().fps.timeOf(frame));
    if (!pose) qFatal("%s", pose.error().text().c_str());
    return **pose;
}

const HandleResult& resultOf(const TestDocument& d, const char* handle, double frame = 1)
{
    return solved(d, frame).handles[d.scene().handles->placeOf(d.handle(handle).id)];
}

JointPose poseOf(const TestDocument& d, const char* joint, double frame = 1)
{
    const SolvedFrame& pose = solved(d, frame);
    const auto index = at(d.document.poses->rig()->index(d.joint(joint).id));
    return {pose.local.joints[index], pose.local.angles[index], pose.local.isReadOff[index] != 0};
}

Vector3 axisInWorld(const TestDocument& d, const char* joint, const Vector3& axis)
{
    return rotationOf(d.world(joint)) * axis;
}

double angle(const Vector3& a, const Vector3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

QByteArray goalOperation(const char* handle, const Vector3& position)
{
    return QStringLiteral(R"({"op": "setGoal", "handle": "%1", "position": [%2, %3, %4]})")
        .arg(QLatin1StringView(handle))
        .arg(position.x(), 0, 'g', 17)
        .arg(position.y(), 0, 'g', 17)
        .arg(position.z(), 0, 'g', 17)
        .toUtf8();
}

QString vectorText(const Vector3& v)
{
    return QStringLiteral("[%1, %2, %3]").arg(v.x(), 0, 'g', 17).arg(v.y(), 0, 'g', 17).arg(v.z(), 0, 'g', 17);
}

/// Scale of one of three kinds: mirrored, uneven, both.
Vector3 oddScale(std::mt19937& random)
{
    std::uniform_real_distribution<double> factor(0.5, 2);
    const Vector3 sizes = random() % 3 == 0 ? Vector3(Vector3::Ones())
                                            : Vector3(factor(random), factor(random), factor(random));
    const auto sign = [&] { return random() % 3 == 0 ? -1.0 : 1.0; };
    return {sizes.x() * sign(), sizes.y() * sign(), sizes.z() * sign()};
}

/// Joints below each other, each turned and scaled at random, so that the last ones are sheared, too.
TestDocument oddJoints(std::mt19937& random, std::initializer_list<const char*> names)
{
    TestDocument d;
    std::uniform_real_distribution<double> place(-1, 1), turn(-180, 180);
    const auto any = [&](auto& of) { return vectorText({of(random), of(random), of(random)}); };
    QString parent = QStringLiteral("null");
    for (const char* name : names) {
        d(QStringLiteral(R"({"op": "addJoint", "name": "%1", "parent": %2, "translation": %3, "rotation": %4})")
              .arg(name, parent, any(place), any(turn))
              .toUtf8()
              .constData());
        d(QStringLiteral(R"({"op": "setPose", "joint": "%1", "scale": %2})")
              .arg(name, vectorText(oddScale(random)))
              .toUtf8()
              .constData());
        parent = QStringLiteral("\"%1\"").arg(name);
    }
    return d;
}

/// A carrier that travels and turns between the frames 1 and 20, and a prop beside it.
TestDocument carrierAndProp()
{
    TestDocument d;
    d(R"({"op": "addJoint", "name": "carrier", "translation": [0, 1, 0]})");
    d(R"({"op": "addJoint", "name": "prop", "translation": [0.3, 1, 0.1]})");
    d(R"({"op": "addClip", "name": "carry"})");
    constexpr const char* kKey = R"({"op": "key", "target": "carrier", "channels": ["translation", "angles"]})";
    d(R"({"op": "setFrame", "value": 1})")(kKey)(R"({"op": "setFrame", "value": 20})");
    d(R"({"op": "setPose", "joint": "carrier", "translation": [0.5, 1.5, -0.2]})");
    d(R"({"op": "rotate", "joint": "carrier", "axis": "y", "value": 90})")(kKey)(R"({"op": "setFrame", "value": 1})");
    return d;
}

/// An eye 1 m up that looks along +Z, and what it looks at.
TestDocument eye()
{
    TestDocument d;
    d(R"({"op": "addJoint", "name": "eye", "translation": [0, 1, 0]})");
    d(R"({"op": "addHandle", "name": "look", "end": "eye", "solver": "aim"})");
    d(R"({"op": "setHandle", "name": "look", "aimAxis": [0, 0, 1]})");
    return d;
}

} // namespace

/// Constraints: handles that pose one joint by formulas.
class TestConstraints : public QObject
{
    Q_OBJECT

private slots:
    void aParentCarriesTheJointAtItsOffset()
    {
        TestDocument d = carrierAndProp();
        d(R"({"op": "addHandle", "name": "hold", "end": "prop", "solver": "parent", "follow": "carrier"})");
        QVERIFY((d.world("prop").translation() - Vector3(0.3, 1, 0.1)).norm() < kSame); // stays as it is added
        // A quarter turn about Y takes the offset (0.3, 0, 0.1) to (0.1, 0, -0.3).
        QVERIFY((d.worldAt("prop", 20).translation() - Vector3(0.6, 1.5, -0.5)).norm() < kSame);
        QVERIFY(angle(rotationOf(d.worldAt("prop", 20)) * Vector3::UnitX(), -Vector3::UnitZ()) < kSame);
        const Affine offset = d.worldAt("carrier", 1).inverse() * d.worldAt("prop", 1);
        for (double frame = 1; frame <= 20; frame += 0.5) {
            QVERIFY(distance(d.worldAt("prop", frame), Affine(d.worldAt("carrier", frame) * offset)) < kSame);
            QCOMPARE(resultOf(d, "hold", frame).status, sdk::Status::Converged);
        }

        // Without the offset it is where the carrier is, and the other way of asking for it undoes as one step.
        d(R"({"op": "undo"})");
        d(R"({"op": "addHandle", "name": "hold", "end": "prop", "solver": "parent", "follow": "carrier", "keepOffset": false})");
        QVERIFY(distance(d.worldAt("prop", 13), d.worldAt("carrier", 13)) < kSame);
        d(R"({"op": "undo"})");
        QVERIFY(d.scene().handles->empty());
        QCOMPARE(d.worldAt("prop", 20).translation(), Vector3(0.3, 1, 0.1));
    }

    void addingUnderAnyParentMovesNothing()
    {
        const unsigned seed = std::random_device()();
        std::mt19937 random(seed);
        for (int round = 0; round < 60; ++round) {
            TestDocument d = oddJoints(random, {"g", "p", "x", "c"});
            d(R"({"op": "addJoint", "name": "t", "translation": [30, 10, 20], "rotation": [20, 30, 40]})");
            d(QStringLiteral(R"({"op": "setPose", "joint": "t", "scale": %1})")
                  .arg(vectorText(oddScale(random)))
                  .toUtf8()
                  .constData());
            const Affine before = d.world("c");
            const char* const solvers[] = {"parent", "copy", "aim"};
            const QString add =
                QStringLiteral(
                    R"({"op": "addHandle", "name": "h", "end": "x", "offset": [0.1, 0.2, -0.1], %1, "solver": "%2"})")
                    .arg(round % 2 == 0 ? R"("follow": "t", "keepOffset": true)" : R"("keepOffset": true)",
                         solvers[round % 3]);
            d(add.toUtf8().constData());
            const double moved = distance(d.world("c"), before);
            QVERIFY2(
                moved < 1e-7,
                qPrintable(QStringLiteral("round %1 of seed %2: %3 by %4").arg(round).arg(seed).arg(moved).arg(add)));
            QCOMPARE(resultOf(d, "h").status, sdk::Status::Converged);
            d(R"({"op": "setHandle", "name": "h", "follow": "t"})");
            QVERIFY(distance(d.world("c"), before) < 1e-7 || round % 3 == 2); // an aim turns to what it follows
            d(R"({"op": "setHandle", "name": "h", "follow": null})");
            QVERIFY2(distance(d.world("c"), before) < 1e-7,
                     qPrintable(QStringLiteral("back: round %1 of seed %2").arg(round).arg(seed)));
        }
    }

    /// As far from rest as another joint, each measured from its own rest pose; an offset and a scale change nothing.
    void aLocalCopyGoesByBothRestPoses()
    {
        TestDocument d;
        d(R"({"op": "addJoint", "name": "p", "translation": [1, 2, 0], "rotation": [0, 40, 10]})");
        d(R"({"op": "addJoint", "name": "x", "parent": "p", "translation": [0, 1, 0], "rotation": [30, 0, 20]})");
        d(R"({"op": "addJoint", "name": "s", "translation": [0.3, 0, 0], "rotation": [0, 50, 60]})");
        const LocalTransform x = d.joint("x").rest, s = d.joint("s").rest;
        d(R"({"op": "setPose", "joint": "s", "translation": [0.5, 0.1, -0.2], "rotation": [10, -30, 80]})");
        d(R"({"op": "setPose", "joint": "x", "scale": [2, 0.5, -1.5]})");
        d(R"({"op": "addHandle", "name": "h", "end": "x", "solver": "copy", "follow": "s", "offset": [0.1, 0.2, 0.3]})");
        d(R"({"op": "setHandle", "name": "h", "parameters": {"space": "local"}})");
        const JointPose copied = poseOf(d, "x"), source = poseOf(d, "s");
        const Quaternion expected = x.rotation * s.rotation.conjugate() * source.local.rotation;
        QVERIFY(copied.local.rotation.angularDistance(expected) < 1e-7);
        QVERIFY((copied.local.translation - x.translation - (source.local.translation - s.translation)).norm() < kSame);
        QCOMPARE(resultOf(d, "h").status, sdk::Status::Converged);
    }

    void oddMomentsOfAConstraintAreAnswered()
    {
        // The goal at the joint: no direction to aim in.
        TestDocument d = eye();
        d(goalOperation("look", Vector3(0, 1, 0)).constData());
        QCOMPARE(resultOf(d, "look").status, sdk::Status::Converged);
        QVERIFY(rotationOf(d.world("eye")).angularDistance(Quaternion::Identity()) < kSame);

        // A joint that is mirrored itself, under a parent that is not.
        for (const char* scale : {"[-1, 1, 1]", "[1, -1, 1]", "[1, 1, -1]", "[-1, -2, 3]"}) {
            TestDocument own;
            own(R"({"op": "addJoint", "name": "x", "translation": [0, 1, 0], "rotation": [20, 40, 30]})");
            own(QStringLiteral(R"({"op": "setPose", "joint": "x", "scale": %1})").arg(scale).toUtf8().constData());
            const Affine before = own.world("x");
            own(R"({"op": "addHandle", "name": "h", "end": "x", "solver": "parent", "offset": [0.1, 0.2, 0.3]})");
            QVERIFY2(distance(own.world("x"), before) < 1e-7, scale);
        }

        // How far a goal is missed is said in metres of the world.
        TestDocument scaled;
        scaled(R"({"op": "addJoint", "name": "g"})")(
            R"({"op": "addJoint", "name": "x", "parent": "g", "translation": [0, 1, 0]})");
        scaled(
            R"({"op": "setSlidingAxis", "joint": "x", "axis": "x", "active": true, "limited": true, "from": 0, "to": 1})");
        scaled(R"({"op": "setPose", "joint": "g", "scale": [3, 3, 3]})");
        scaled(R"({"op": "addHandle", "name": "h", "end": "x", "solver": "parent"})");
        scaled(goalOperation("h", Vector3(9, 3, 0)).constData());
        QVERIFY(std::abs(resultOf(scaled, "h").positionError - 6) < 1e-9);

        // Of a ball joint, too, only the chosen axes turn; and an aim gives up its roll before its direction.
        TestDocument ball;
        ball(R"({"op": "addJoint", "name": "x"})")(R"({"op": "addJoint", "name": "t", "translation": [1, 1, 3]})");
        ball(R"({"op": "setBallJoint", "joint": "x", "axis": "z", "twist": [-5, 5]})");
        ball(R"({"op": "addHandle", "name": "look", "end": "x", "solver": "aim"})");
        ball(R"({"op": "setHandle", "name": "look", "aimAxis": [0, 0, 1], "parameters": {"up": "x"}})");
        ball(goalOperation("look", Vector3(1, 1, 3)).constData());
        QVERIFY(resultOf(ball, "look").rotationError < 1e-6);
        ball(R"({"op": "removeHandle", "name": "look"})")(
            R"({"op": "setPose", "joint": "t", "rotation": [20, 30, 40]})");
        ball(R"({"op": "addHandle", "name": "h", "end": "x", "solver": "copy", "follow": "t"})");
        ball(R"({"op": "setBallJoint", "joint": "x", "axis": "z"})");
        ball(R"({"op": "setHandle", "name": "h", "parameters": {"rx": false, "rz": false}})");
        const Vector3 asked = anglesOf(ball.joint("x"), rotationOf(ball.world("t")), Vector3::Zero());
        const Quaternion expected = localRotation(ball.joint("x"), {0, asked.y(), 0});
        QVERIFY(rotationOf(ball.world("x")).angularDistance(expected) < 1e-7);
    }

    void anAimUnderAnyParentPointsAtItsGoal()
    {
        const unsigned seed = std::random_device()();
        std::mt19937 random(seed);
        for (int round = 0; round < 60; ++round) {
            TestDocument d = oddJoints(random, {"g", "p", "x"});
            d(R"({"op": "addHandle", "name": "h", "end": "x", "offset": [0.1, 0, 0.05], "solver": "aim"})");
            d(R"({"op": "setHandle", "name": "h", "aimAxis": [0, 0, 1], "parameters": {"up": "y"}})");
            const Vector3 goal(7, 9, -8);
            d(goalOperation("h", goal).constData());
            const Affine x = d.world("x");
            const Vector3 way = goal - x * Vector3(0.1, 0, 0.05), up = x.linear() * Vector3::UnitY();
            const Vector3 ahead = x.linear() * Vector3::UnitZ();
            const QByteArray where = QStringLiteral("round %1 of seed %2").arg(round).arg(seed).toUtf8();
            QVERIFY2(angle(ahead, way) < 1e-7, where.constData());
            QVERIFY2(resultOf(d, "h").rotationError < 1e-7, where.constData());
            const Eigen::Matrix3d parentFromWorld = d.world("p").linear().inverse();
            if (angle(parentFromWorld * (goal - x.translation()), parentFromWorld * Vector3::UnitY()) < 0.5)
                continue; // where "up" is tilted aside
            // The up axis is in the half plane from the way to the goal in which the world's Y is.
            const Vector3 from = goal - x.translation();
            const Vector3 normal = from.cross(Vector3::UnitY());
            QVERIFY2(std::abs(normal.normalized().dot(up.normalized())) < 1e-7, where.constData());
            QVERIFY2(from.cross(up).dot(normal) > 0, where.constData());
        }
    }

    void whatIsFollowedIsKeyedAndCompensated()
    {
        TestDocument d = carrierAndProp();
        d(R"({"op": "addHandle", "name": "hold", "end": "prop", "solver": "parent"})");
        d(R"({"op": "keySpace", "handle": "hold", "space": "carrier", "frame": 5})");
        d(R"({"op": "keySpace", "handle": "hold", "space": null, "frame": 12})");
        QVERIFY((d.worldAt("prop", 4).translation() - Vector3(0.3, 1, 0.1)).norm() < kSame);
        const Affine offset = d.worldAt("carrier", 5).inverse() * d.worldAt("prop", 5);
        QVERIFY((d.worldAt("prop", 5).translation() - Vector3(0.3, 1, 0.1)).norm() < kSame);
        QVERIFY(distance(d.worldAt("prop", 9), Affine(d.worldAt("carrier", 9) * offset)) < kSame);
        QVERIFY(distance(d.worldAt("prop", 18), d.worldAt("prop", 12)) < kSame); // put down
        QVERIFY(distance(d.worldAt("prop", 12), Affine(d.worldAt("carrier", 12) * offset)) < kSame);
    }

    void anAimPointsAtItsGoalAndKeepsItsUpAxisUpright()
    {
        TestDocument d = eye();
        const Vector3 goal(2, 2, 2);
        d(goalOperation("look", goal).constData())(R"({"op": "setHandle", "name": "look", "parameters": {"up": "y"}})");
        // By hand: z to (2, 1, 2) / 3; x is perpendicular to it and to the world's Y; y is the rest.
        const Vector3 z = Vector3(2, 1, 2) / 3, x = Vector3(1, 0, -1) / std::sqrt(2.0), y = z.cross(x);
        QVERIFY((axisInWorld(d, "eye", Vector3::UnitZ()) - z).norm() < kSame);
        QVERIFY((axisInWorld(d, "eye", Vector3::UnitX()) - x).norm() < kSame);
        QVERIFY((axisInWorld(d, "eye", Vector3::UnitY()) - y).norm() < kSame);

        // Toward a pole, in place of up; and rolled from there.
        d(R"({"op": "setHandle", "name": "look", "pole": [9, 1, 0]})");
        const Vector3 side = (Vector3::UnitX() - z.x() * z).normalized();
        QVERIFY((axisInWorld(d, "eye", Vector3::UnitY()) - side).norm() < kSame);
        d(R"({"op": "setHandle", "name": "look", "twist": 90})");
        QVERIFY((axisInWorld(d, "eye", Vector3::UnitY()) - z.cross(side)).norm() < kSame);

        // Without an up axis it turns by the shortest way: about the axis perpendicular to both directions.
        d(R"({"op": "setHandle", "name": "look", "pole": null, "twist": 0, "parameters": {"up": "none"}})");
        const Quaternion shortest = Quaternion::FromTwoVectors(Vector3::UnitZ(), z);
        QVERIFY(rotationOf(d.world("eye")).angularDistance(shortest) < kSame);

        // From a barrel beside the pivot the ray meets the goal, too.
        d(R"({"op": "setHandle", "name": "look", "offset": [0.3, 0.1, 0.2]})");
        const Vector3 from = d.world("eye") * Vector3(0.3, 0.1, 0.2);
        QVERIFY(angle(axisInWorld(d, "eye", Vector3::UnitZ()), goal - from) < kSame);
        QCOMPARE(resultOf(d, "look").status, sdk::Status::Converged);

        // At the joint itself there is nothing to look at: the FK pose.
        d(R"({"op": "setHandle", "name": "look", "offset": [0, 0, 0]})")(goalOperation("look", {0, 1, 0}).constData());
        QVERIFY(rotationOf(d.world("eye")).angularDistance(Quaternion::Identity()) < kSame);
        QCOMPARE(resultOf(d, "look").status, sdk::Status::Converged);
    }

    /// Straight overhead from any side the eye turns round on its way, and does not flip.
    void anAimThatPassesOverheadTurnsSmoothly()
    {
        TestDocument d = eye();
        d(R"({"op": "setHandle", "name": "look", "parameters": {"up": "y"}})");
        for (const double heading : {0.0, 90.0, 180.0, 270.0}) {
            const Vector3 along(std::sin(radians(heading)), 0, std::cos(radians(heading)));
            std::optional<Quaternion> last;
            double largest = 0, turned = 0;
            for (double degree = -40; degree <= 40; degree += 0.25) { // of the way over the top
                const Vector3 way = std::sin(radians(degree)) * along + std::cos(radians(degree)) * Vector3::UnitY();
                d(goalOperation("look", Vector3(0, 1, 0) + 3 * way).constData());
                const Quaternion now = rotationOf(d.world("eye"));
                QVERIFY(angle(now * Vector3::UnitZ(), way) < kSame); // it always points at the goal
                if (last) largest = std::max(largest, last->angularDistance(now));
                if (last) turned += last->angularDistance(now);
                last = now;
            }
            // A flip is half a turn in one step of 0.25 degrees.
            QVERIFY2(largest * kDegrees < 10,
                     qPrintable(QStringLiteral("%1: %2").arg(heading).arg(largest * kDegrees)));
            QVERIFY(turned * kDegrees > 150);
        }
    }

    void aCopyTakesTheChosenAxes()
    {
        TestDocument d;
        d(R"({"op": "addJoint", "name": "base", "translation": [0, 0, 1]})");
        d(R"({"op": "addJoint", "name": "copied", "parent": "base", "translation": [1, 0, 0]})");
        d(R"({"op": "addJoint", "name": "source", "translation": [4, 5, 6]})");
        d(R"({"op": "rotate", "joint": "source", "axis": "x", "value": 30})");
        d(R"({"op": "rotate", "joint": "source", "axis": "z", "value": 50})");
        d(R"({"op": "addHandle", "name": "copy", "end": "copied", "solver": "copy", "follow": "source"})");
        QVERIFY(distance(d.world("copied"), d.world("source")) < kSame);
        d(R"({"op": "setHandle", "name": "copy", "parameters": {"tx": false, "tz": false, "rx": false, "ry": false}})");
        QVERIFY((d.world("copied").translation() - Vector3(1, 5, 1)).norm() < kSame); // ty alone
        QVERIFY((poseOf(d, "copied").angles * kDegrees - Vector3(0, 0, 50)).norm() < 1e-6);
        QCOMPARE(resultOf(d, "copy").status, sdk::Status::Converged);

        // In local space it is as far from rest as the source is, wherever the two are.
        d(R"({"op": "setHandle", "name": "copy", "parameters": {"tx": null, "tz": null, "rx": null, "ry": null, "space": "local"}})");
        d(R"({"op": "rotate", "joint": "base", "axis": "y", "value": 70})");
        d(R"({"op": "setPose", "joint": "source", "translation": [4, 5.25, 6]})");
        QVERIFY((poseOf(d, "copied").local.translation - Vector3(1, 0.25, 0)).norm() < kSame);
        QVERIFY(poseOf(d, "copied").local.rotation.angularDistance(poseOf(d, "source").local.rotation) < kSame);
        QCOMPARE(resultOf(d, "copy").status, sdk::Status::Converged);
    }

    void theWeightIsTheShareOfTheShortestWay()
    {
        TestDocument d = carrierAndProp();
        d(R"({"op": "rotate", "joint": "prop", "axis": "x", "value": 20})");
        const SolvedFrame free = solved(d, 20);
        d(R"({"op": "addHandle", "name": "hold", "end": "prop", "solver": "parent", "follow": "carrier", "keepOffset": false})");
        const Affine whole = d.worldAt("prop", 20);
        for (const char* none : {R"({"op": "setHandle", "name": "hold", "weight": 0})",
                                 R"({"op": "setHandle", "name": "hold", "weight": 1, "blend": 0})"}) {
            d(none);
            QVERIFY(solved(d, 20).local == free.local); // to the bit
        }
        const auto& start = free.local.joints[at(d.document.poses->rig()->index(d.joint("prop").id))];
        for (const double weight : {0.25, 0.5, 0.9}) {
            d(QStringLiteral(R"({"op": "setHandle", "name": "hold", "weight": %1, "blend": 1})").arg(weight).toUtf8());
            const JointPose now = poseOf(d, "prop", 20);
            const double all = start.rotation.angularDistance(rotationOf(whole));
            QVERIFY(std::abs(start.rotation.angularDistance(now.local.rotation) - weight * all) < kSame);
            QVERIFY(std::abs(now.local.rotation.angularDistance(rotationOf(whole)) - (1 - weight) * all) < kSame);
            const Vector3 mixed = (1 - weight) * start.translation + weight * whole.translation();
            QVERIFY((now.local.translation - mixed).norm() < kSame);
        }
        d(R"({"op": "setHandle", "name": "hold", "weight": 3})"); // more is all
        QVERIFY(distance(d.worldAt("prop", 20), whole) < kSame);

        // Keyed: from nothing to all.
        d(R"({"op": "setFrame", "value": 1})")(R"({"op": "setHandle", "name": "hold", "weight": 0})");
        d(R"({"op": "key", "target": "hold", "channels": ["weight"]})");
        d(R"({"op": "setFrame", "value": 21})")(R"({"op": "setHandle", "name": "hold", "weight": 1})");
        d(R"({"op": "key", "target": "hold", "channels": ["weight"]})");
        const Affine carrier = d.worldAt("carrier", 11);
        QVERIFY((d.worldAt("prop", 11).translation() - 0.5 * (Vector3(0.3, 1, 0.1) + carrier.translation())).norm() <
                kSame);
    }

    /// A hinge turns as near to the goal as its axis and its limits let it; nothing within the limits is nearer.
    void limitsHoldAndTheMissIsNamed()
    {
        TestDocument d = eye();
        d(R"({"op": "setRotationAxis", "joint": "eye", "axis": "z", "active": false})");
        d(R"({"op": "setRotationAxis", "joint": "eye", "axis": "x", "limited": true, "from": -20, "to": 35})");
        d(R"({"op": "setRotationAxis", "joint": "eye", "axis": "y", "limited": true, "from": -50, "to": 60})");
        const unsigned seed = 20261127;
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        int met = 0;
        for (int i = 0; i < 60; ++i) {
            const Vector3 goal(normal(random), 1 + normal(random), normal(random));
            d(goalOperation("look", goal).constData());
            const JointPose pose = poseOf(d, "eye");
            QVERIFY2(passedTurningLimits(d.joint("eye"), pose).empty(), "beyond a limit");
            QVERIFY(std::abs(pose.angles.z()) < kSame); // an axis that is not active
            const Vector3 way = goal - Vector3(0, 1, 0);
            const double miss = angle(pose.local.rotation * Vector3::UnitZ(), way);
            double nearest = std::numbers::pi;
            for (double x = -20; x <= 35; x += 1)
                for (double y = -50; y <= 60; y += 1)
                    nearest = std::min(
                        nearest,
                        angle(localRotation(d.joint("eye"), {radians(x), radians(y), 0}) * Vector3::UnitZ(), way));
            QVERIFY2(miss < nearest + 1e-6, qPrintable(QStringLiteral("case %1 of seed %2: %3 and not %4 degrees")
                                                           .arg(i)
                                                           .arg(seed)
                                                           .arg(miss * kDegrees)
                                                           .arg(nearest * kDegrees)));
            const HandleResult& result = resultOf(d, "look");
            QVERIFY(std::abs(result.rotationError - miss) < 1e-6);
            QCOMPARE(result.status, miss <= 1e-3 ? sdk::Status::Converged : sdk::Status::LimitsBlock);
            QCOMPARE(result.blockedBy, miss <= 1e-3 ? JointId{} : d.joint("eye").id);
            met += miss <= 1e-3 ? 1 : 0;
        }
        QVERIFY(met > 3 && met < 57); // both are tried

        // A slide stops at its end, a joint that slides one way only does so, and a ball keeps to its ellipse.
        TestDocument slide = carrierAndProp();
        slide(
            R"({"op": "setSlidingAxis", "joint": "prop", "axis": "x", "active": true, "limited": true, "from": 0, "to": 0.5})");
        slide(R"({"op": "addHandle", "name": "hold", "end": "prop", "solver": "parent", "follow": "carrier"})");
        QVERIFY((poseOf(slide, "prop", 20).local.translation - Vector3(0.5, 1, 0.1)).norm() < kSame);
        QCOMPARE(resultOf(slide, "hold", 20).status, sdk::Status::LimitsBlock);
        QCOMPARE(resultOf(slide, "hold", 20).limitHits.front().axis, Property::Tx);
        slide(R"({"op": "setBallJoint", "joint": "prop", "axis": "y", "swing": [30, 30, 30, 30], "twist": [-40, 40]})");
        QVERIFY(passedTurningLimits(slide.joint("prop"), poseOf(slide, "prop", 20)).empty());
        QVERIFY(std::abs(poseOf(slide, "prop", 20).local.rotation.angularDistance(Quaternion::Identity()) * kDegrees -
                         40) < 1e-6);
    }

    void constraintsAndHandlesAreSolvedInTheOrderOfWhatTheyFollow()
    {
        TestDocument d = arm();
        d(R"({"op": "addJoint", "name": "ball", "translation": [0.6, 1.3, 0.2]})");
        d(R"({"op": "addJoint", "name": "stand", "translation": [0.5, 1.4, 0.1]})");
        // The hand goes to the ball, which goes along with the stand; what hangs at the wrist goes along with the
        // wrist.
        d(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "follow": "ball", "keepOffset": false})");
        d(R"({"op": "addHandle", "name": "carry", "end": "ball", "solver": "parent", "follow": "stand"})");
        d(R"({"op": "addJoint", "name": "ring", "translation": [0, 0, 0]})");
        d(R"({"op": "addHandle", "name": "wear", "end": "ring", "solver": "copy", "follow": "wrist"})");
        d(R"({"op": "setPose", "joint": "stand", "translation": [0.4, 1.2, 0.3]})");
        QVERIFY((d.world("ball").translation() - Vector3(0.5, 1.1, 0.4)).norm() < kSame);
        QVERIFY((d.world("wrist").translation() - d.world("ball").translation()).norm() < 1e-4);
        QVERIFY(distance(d.world("ring"), d.world("wrist")) < kSame);

        // The stand cannot go along with the ring: that goes along with the wrist, that with the ball, and that with
        // it.
        const std::string circle = d.error(
            R"({"op": "addHandle", "name": "tie", "end": "stand", "solver": "parent", "follow": "ring"})");
        QVERIFY2(circle.find("handle itself (through \"carry\", \"tie\", \"wear\")") != std::string::npos,
                 circle.c_str());
        QVERIFY(circle.find('\n') == std::string::npos);
        QVERIFY(d.error(R"({"op": "addHandle", "name": "self", "end": "stand", "solver": "aim", "follow": "stand"})")
                    .find("would follow a joint that moves with the handle itself") != std::string::npos);
        QVERIFY(d.error(R"({"op": "setHandle", "name": "carry", "follow": "ring"})").find("through") !=
                std::string::npos);
        QVERIFY(validate(d.scene()).empty());
    }

    void whatIsNoConstraintIsRefusedInOneLine()
    {
        TestDocument d = arm();
        QVERIFY(d.error(R"({"op": "addHandle", "name": "a", "start": "shoulder", "end": "wrist", "solver": "parent"})")
                    .find("a constraint moves one joint") != std::string::npos);
        d(R"({"op": "addHandle", "name": "a", "end": "wrist", "solver": "parent"})");
        QVERIFY(d.error(R"({"op": "setHandle", "name": "a", "pole": "auto"})").find("cannot follow a pole") !=
                std::string::npos);
        QVERIFY(d.error(R"({"op": "setHandle", "name": "a", "parameters": {"up": "y"}})").find("has no parameter") !=
                std::string::npos);
        d(R"({"op": "setHandle", "name": "a", "solver": "aim"})");
        QVERIFY(d.handle("a").aimAxis.has_value());
        QVERIFY(d.error(R"({"op": "setHandle", "name": "a", "aimAxis": null})").find("needs an axis") !=
                std::string::npos);
        d(R"({"op": "setHandle", "name": "a", "solver": "dls", "aimAxis": null})"); // a handle of one joint
        QVERIFY(!isConstraint(d.handle("a")));
        d(R"({"op": "setTerminator", "joint": "wrist", "on": true})"); // stops solves, not constraints
        d(R"({"op": "setHandle", "name": "a", "solver": "parent"})")(goalOperation("a", {3, 3, 3}).constData());
        QVERIFY((d.world("wrist").translation() - Vector3(3, 3, 3)).norm() < kSame);
    }

    /// Turned and moved as a whole, a scene keeps the local pose of every joint that constraints pose.
    void posesDoNotDependOnWhereTheSceneStands()
    {
        const unsigned seed = 7;
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> share(-1, 1);
        for (int round = 0; round < 12; ++round) {
            TestDocument d;
            d(R"({"op": "addJoint", "name": "stage"})");
            constexpr int kJoints = 7;
            const auto run = [&](const QString& operation) { d(operation.toUtf8().constData()); };
            const auto number = [&](double scale) { return QString::number(scale * share(random), 'g', 17); };
            for (int j = 0; j < kJoints; ++j) {
                const int parent = static_cast<int>(random() % static_cast<unsigned>(j + 1)) - 1;
                run(QStringLiteral(R"({"op": "addJoint", "name": "j%1", "parent": "%2", "translation": [%3, %4, %5]})")
                        .arg(j)
                        .arg(parent < 0 ? QStringLiteral("stage") : QStringLiteral("j%1").arg(parent))
                        .arg(number(1), number(1), number(1)));
                run(QStringLiteral(R"({"op": "rotate", "joint": "j%1", "axis": "%2", "value": %3})")
                        .arg(j)
                        .arg(QChar('x' + static_cast<int>(random() % 3)))
                        .arg(number(90)));
                if (random() % 3 == 0)
                    run(QStringLiteral(
                            R"({"op": "setRotationAxis", "joint": "j%1", "axis": "y", "limited": true, "from": -30, "to": 40})")
                            .arg(j));
            }
            int made = 0;
            const char* kinds[] = {"parent", "aim", "copy"};
            for (int tries = 0; tries < 12; ++tries) {
                const char* kind = kinds[random() % 3];
                const auto operation =
                    QStringLiteral(
                        R"({"op": "addHandle", "name": "c%1", "end": "j%2", "solver": "%3", "follow": "j%4"})")
                        .arg(tries)
                        .arg(random() % kJoints)
                        .arg(QLatin1StringView(kind))
                        .arg(random() % kJoints);
                const auto pole = random() % kJoints;
                if (!carryOut(d.document, json(operation.toUtf8()))) continue; // a circle
                ++made;
                run(QStringLiteral(R"({"op": "setHandle", "name": "c%1", "weight": %2})")
                        .arg(tries)
                        .arg(0.5 + 0.5 * std::abs(share(random))));
                if (qstrcmp(kind, "aim") != 0) continue;
                const auto up =
                    QStringLiteral(
                        R"({"op": "setHandle", "name": "c%1", "parameters": {"up": "x"}, "poleTarget": "j%2"})")
                        .arg(tries)
                        .arg(pole);
                (void)carryOut(d.document, json(up.toUtf8()));
                if (!d.handle(qPrintable(QStringLiteral("c%1").arg(tries))).hasPole)
                    run(QStringLiteral(R"({"op": "setHandle", "name": "c%1", "parameters": {"up": "none"}})")
                            .arg(tries));
            }
            QVERIFY(made > 0);
            const LocalPose before = solved(d).local;
            d(R"({"op": "setPose", "joint": "stage", "translation": [3, -2, 5], "rotation": [40, 70, -110]})");
            const LocalPose after = solved(d).local;
            for (std::size_t j = 1; j < before.joints.size(); ++j) { // the stage itself is the first
                const double turn = before.joints[j].rotation.angularDistance(after.joints[j].rotation);
                const double move = (before.joints[j].translation - after.joints[j].translation).norm();
                QVERIFY2(
                    turn < 1e-6 && move < 1e-6,
                    qPrintable(QStringLiteral("round %1 of seed %2: %3, %4").arg(round).arg(seed).arg(turn).arg(move)));
            }
        }
    }

    void aProjectKeepsThemAndABakeShowsWhatIsSeen()
    {
        TestDocument d = carrierAndProp();
        d(R"({"op": "addJoint", "name": "head", "translation": [-1, 1, 0]})");
        d(R"({"op": "addHandle", "name": "hold", "end": "prop", "solver": "parent", "follow": "carrier"})");
        d(R"({"op": "addHandle", "name": "look", "end": "head", "solver": "aim", "follow": "prop"})");
        d(R"({"op": "setHandle", "name": "look", "parameters": {"up": "-z"}, "weight": 0.75})");
        // A chain whose clip is solved as a whole, to what a constraint moves.
        d(R"({"op": "addJoint", "name": "upper", "translation": [0.5, 0.5, 0]})");
        d(R"({"op": "addJoint", "name": "lower", "parent": "upper", "translation": [0, 0.6, 0.1]})");
        d(R"({"op": "addJoint", "name": "tip", "parent": "lower", "translation": [0, 0.6, -0.1]})");
        d(R"({"op": "addHandle", "name": "reach", "start": "upper", "end": "tip", "follow": "prop", "keepOffset": false})");
        d(R"({"op": "addJoint", "name": "glove", "translation": [0, 0, 0]})");
        d(R"({"op": "addHandle", "name": "wear", "end": "glove", "solver": "copy", "follow": "tip"})");
        QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("c.tendon")).toStdString();
        Project project;
        project.scene = d.scene();
        QVERIFY(writeProject(project, file));
        const auto read = readProject(file);
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QVERIFY(read->scene == d.scene());

        BakeOptions options;
        options.clip = d.document.edit.currentClip;
        options.fps = d.scene().fps;
        options.from = d.scene().fps.timeOf(1);
        options.to = d.scene().fps.timeOf(20);
        const auto baked = bake(d.scene(), TestDocument::solvers(), options);
        QVERIFY2(baked, baked ? "" : baked.error().text().c_str());
        auto poses = BakedPoses::of(d.scene());
        for (std::size_t s = 0; s < baked->times.size(); ++s) {
            poses->at(*baked, s);
            const double frame = d.scene().fps.frameAt(baked->times[s]);
            for (const char* joint : {"prop", "head", "tip", "glove"})
                QVERIFY2(distance(poses->world(d.joint(joint).id), d.worldAt(joint, frame)) < kSame, joint);
        }
        // On each core the same bytes.
        options.threads = 1;
        const auto alone = bake(d.scene(), TestDocument::solvers(), options);
        QVERIFY(alone && alone->locals == baked->locals);
    }

    /// What is followed moves before and after the joint's own keys, and the joint stands still there.
    void aConstraintFollowsTheMotionBesideTheKeysOfItsJoint()
    {
        TestDocument d;
        d(R"({"op": "addJoint", "name": "P"})")(R"({"op": "addJoint", "name": "X", "translation": [1, 0, 0]})")(
            R"({"op": "addClip", "name": "c"})")(R"({"op": "setRange", "from": 1, "to": 50})");
        const auto pose = [&](const char* joint, int frame, const char* values) {
            d(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                QString(R"({"op": "setPose", "joint": "%1", %2})").arg(joint, values).toUtf8().constData())(
                QString(R"({"op": "key", "target": "%1", "channels": ["rotation", "translation"]})")
                    .arg(joint)
                    .toUtf8()
                    .constData());
        };
        pose("P", 1, R"("rotation": [0, 0, 0], "translation": [0, 0, 0])");
        pose("P", 20, R"("rotation": [0, 0, 60], "translation": [0.5, 0, 0])");
        pose("P", 40, R"("rotation": [0, 0, 120], "translation": [1, 0, 0])");
        pose("X", 15, R"("rotation": [0, 0, 0], "translation": [1, 0, 0])");
        pose("X", 25, R"("rotation": [30, 0, 0], "translation": [2, 0, 0])");
        std::vector<Affine> before;
        for (int frame = 1; frame <= 50; ++frame) before.push_back(d.worldAt("X", frame));
        d(R"({"op": "setFrame", "value": 1})")(
            R"({"op": "addHandle", "name": "K", "end": "X", "solver": "parent", "follow": "P", "keepOffset": true,
                "followMotion": true})");
        for (int frame = 1; frame <= 50; ++frame) {
            const double off = (d.worldAt("X", frame).translation() -
                                before[static_cast<std::size_t>(frame - 1)].translation())
                                   .norm();
            QVERIFY2(off < 5e-3, qPrintable(QString("off by %1 m in frame %2").arg(off).arg(frame)));
        }
    }

    /// An aim with a kept offset belongs to the rig: a mirrored clip shows the image of the head all the same.
    /// Each begins with what those before it have left, so they are switched to FK from the first one on, and back.
    void constraintsOfOneJointAreSwitchedOneByOne()
    {
        TestDocument d = carrierAndProp();
        d(R"({"op": "addJoint", "name": "post", "translation": [-0.4, 0.2, 0.5], "rotation": [20, -50, 10]})")(
            R"({"op": "addJoint", "name": "cart", "translation": [0.6, 0.3, -0.5], "rotation": [0, 70, 30]})");
        const char* const followed[] = {"carrier", "post", "cart"};
        for (int i = 0; i < 3; ++i) {
            d(QString(R"({"op": "addHandle", "name": "c%1", "end": "prop", "solver": "parent", "follow": "%2"})")
                  .arg(i)
                  .arg(followed[i])
                  .toUtf8()
                  .constData());
            d(QString(R"({"op": "setHandle", "name": "c%1", "priority": %2, "weight": %3})")
                  .arg(i)
                  .arg(i + 1)
                  .arg(1.0 / (i + 1), 0, 'g', 17)
                  .toUtf8()
                  .constData());
        }
        d(R"({"op": "setFrame", "value": 1})")(R"({"op": "setPose", "joint": "post", "rotation": [0, 10, 80]})");
        const Affine shown = d.worldAt("prop", 12);
        for (const char* to : {"fk", "ik"})
            for (int i = 0; i < 3; ++i) {
                const int one = *to == 'f' ? i : 2 - i;
                std::vector<Affine> before;
                for (int frame = 1; frame <= 12; ++frame) before.push_back(d.worldAt("prop", frame));
                d(QString(R"({"op": "switch", "handle": "c%1", "to": "%2", "frame": 12})")
                      .arg(one)
                      .arg(to)
                      .toUtf8()
                      .constData());
                for (int frame = 1; frame <= 12; ++frame) {
                    const double off = distance(d.worldAt("prop", frame), before[static_cast<std::size_t>(frame - 1)]);
                    QVERIFY2(off < 1e-6, qPrintable(QStringLiteral("c%1 to %2 at 12: frame %3 is off by %4")
                                                        .arg(one)
                                                        .arg(to)
                                                        .arg(frame)
                                                        .arg(off)));
                }
                QVERIFY(!d.says("the pose jumps"));
                QVERIFY(std::abs(d.keyed(QStringLiteral("c%1").arg(one).toUtf8().constData(), Property::Blend, 12) -
                                 (*to == 'f' ? 0 : 1)) < kSame);
            }
        QVERIFY(distance(d.worldAt("prop", 12), shown) < 1e-6);
        // The last one first leaves the joint to those before it: no FK pose does what they undo, and that is said.
        d(R"({"op": "switch", "handle": "c2", "to": "fk", "frame": 14})");
        QVERIFY(d.says("moved by \"c0\", \"c1\" before it, whatever their FK pose is; switch that to FK first"));
    }

    void aMirroredClipShowsTheImageOfAConstrainedJoint()
    {
        TestDocument d;
        d(R"({"op": "addJoint", "name": "prop", "translation": [0.5, 1.6, 1]})")(
            R"({"op": "addJoint", "name": "hips", "translation": [0, 1, 0]})")(
            R"({"op": "addJoint", "name": "head", "parent": "hips", "translation": [0, 0.6, 0]})")(
            R"({"op": "addClip", "name": "c"})")(R"({"op": "setRange", "from": 1, "to": 20})");
        for (const auto& [frame, x, turn] :
             {std::tuple(1, 0.0, 20), std::tuple(10, 0.4, 160), std::tuple(20, 0.8, 300)})
            d(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                QString(R"({"op": "setPose", "joint": "hips", "translation": [%1, 1, 0.1], "rotation": [0, %2, 0]})")
                    .arg(x)
                    .arg(turn)
                    .toUtf8()
                    .constData())(R"({"op": "key", "target": "hips", "channels": ["translation", "rotation"]})");
        d(R"({"op": "setFrame", "value": 1})")(R"({"op": "addHandle", "name": "look", "end": "head", "solver": "aim",
            "follow": "prop", "keepOffset": true})");
        std::vector<Affine> heads;
        for (int frame = 1; frame <= 20; ++frame) heads.push_back(d.worldAt("head", frame));
        d(R"({"op": "mirrorClip", "about": "world", "axis": "x", "as": "m"})");
        for (int frame = 1; frame <= 20; ++frame) {
            const Affine& was = heads[static_cast<std::size_t>(frame - 1)];
            const Affine now = d.worldAt("head", frame);
            const Quaternion q = rotationOf(was), image(q.w(), q.x(), -q.y(), -q.z());
            const Vector3 place(-was.translation().x(), was.translation().y(), was.translation().z());
            QVERIFY2((now.translation() - place).norm() < 1e-6 && rotationOf(now).angularDistance(image) < 1e-6,
                     qPrintable(QString("frame %1").arg(frame)));
        }
        const KeyList& turns = *d.keys("head", Property::Rotation);
        for (std::size_t k = 1; k < turns.size(); ++k) // so that curves and other programs take the short way
            QVERIFY(toQuaternion(turns[k].value).dot(toQuaternion(turns[k - 1].value)) > 0);
        d(R"({"op": "selectClip", "name": "c"})");
        for (int frame = 1; frame <= 20; ++frame) // in its own clip it goes on
            QVERIFY(distance(d.worldAt("head", frame), heads[static_cast<std::size_t>(frame - 1)]) < kSame);
    }
};

TENDON_TEST(TestConstraints)
#include "tst_constraints.moc"

#include "core/math/Degrees.h"
#include "core/scene/Validate.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <algorithm>
#include <cmath>

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
};

TENDON_TEST(TestConstraintValues)
#include "tst_constraint_values.moc"

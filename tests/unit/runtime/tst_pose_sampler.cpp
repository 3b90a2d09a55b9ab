#include "core/math/RotationOrder.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/RestPose.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

using namespace tendon;
using namespace tendon::test;

namespace {

LocalPose sampled(const Scene& scene, const Clip* clip, Time time, const PendingValues& pending = {})
{
    PoseSampler sampler(*compile(scene));
    sampler.prepare(scene, clip);
    LocalPose pose;
    sampler.sample(pending, time, pose);
    return pose;
}

} // namespace

class TestPoseSampler : public QObject
{
    Q_OBJECT

private slots:
    void aJointWithoutValuesIsAtRestToTheBit()
    {
        std::mt19937 random(21);
        TestRig test;
        for (const JointId id : test.chain("j", 20, Vector3::UnitX())) {
            test.edit(id).rest = {randomVector(random), randomRotation(random), randomVector(random)};
            if (id.value % 2 == 0) test.set(id, Property::Ry, {0}); // zero angles are rest, too
        }
        const LocalPose pose = sampled(test.scene, nullptr, {});
        const auto rig = *compile(test.scene);
        for (std::size_t i = 0; i < 20; ++i) {
            QVERIFY(pose.joints[i] == rig->rest[i]);
            QCOMPARE(pose.angles[i], Vector3(0, 0, 0));
        }
    }

    void anglesRotateFromRestInTheJointsOrder()
    {
        TestRig test;
        const JointId id = test.joint("j", {}, {1, 2, 3});
        std::mt19937 random(22);
        test.edit(id).rest.rotation = randomRotation(random);
        test.edit(id).rotationOrder = RotationOrder::ZXY;
        test.set(id, Property::Rx, {0.3});
        test.set(id, Property::Rz, {7.0});
        test.set(id, Property::Ty, {9});
        test.set(id, Property::Sx, {2});
        const LocalPose pose = sampled(test.scene, nullptr, {});
        QCOMPARE(pose.angles[0], Vector3(0.3, 0, 7));
        QCOMPARE(pose.joints[0].translation, Vector3(1, 9, 3));
        QCOMPARE(pose.joints[0].scale, Vector3(2, 1, 1));
        const Quaternion expected = test.edit(id).rest.rotation * rotationFromAngles({0.3, 0, 7}, RotationOrder::ZXY);
        QVERIFY(pose.joints[0].rotation.angularDistance(expected) < 1e-15);
        QCOMPARE(int(pose.isReadOff[0]), 0);
    }

    void pendingKeyedAndStaticRotationsOverrideEachOtherInThatOrder()
    {
        std::mt19937 random(23);
        const Quaternion q = randomRotation(random), keyed = randomRotation(random), posed = randomRotation(random);
        TestRig test;
        const JointId id = test.joint("j", {}, Vector3::Zero());
        const auto rotationNow = [&](const PendingValues& pending = {}) {
            return sampled(test.scene, test.clip(), {}, pending).joints[0].rotation;
        };
        const auto isTurn = [](const Quaternion& is, const Vector3& angles) {
            return is.angularDistance(rotationFromAngles(angles, RotationOrder::XYZ)) < 1e-12;
        };
        test.set(id, Property::Ry, {0.5});
        QVERIFY(isTurn(rotationNow(), {0, 0.5, 0}));
        // Keyed angles come first; axes without keys come from the static angles ...
        test.key(id, Property::Rx, 1, {0.25});
        QVERIFY(isTurn(rotationNow(), {0.25, 0.5, 0}));
        // ... or from a static rotation.
        test.scene.statics.edit().clear();
        test.set(id, Property::Rotation, channelValue(rotationFromAngles({0.1, 0.2, 0.3}, RotationOrder::XYZ)));
        QVERIFY(isTurn(rotationNow(), {0.25, 0.2, 0.3}));
        // A pending angle replaces one axis; a pending rotation replaces all of them.
        QVERIFY(isTurn(rotationNow({{{id.value, Property::Rz}, {1.0}}}), {0.25, 0.2, 1.0}));
        QVERIFY(rotationNow({{{id.value, Property::Rotation}, channelValue(posed)}}).angularDistance(posed) < 1e-12);
        // A keyed rotation replaces every static value.
        test.scene.clips.clear();
        test.set(id, Property::Rotation, channelValue(q));
        QVERIFY(rotationNow().angularDistance(q) < 1e-12);
        test.key(id, Property::Rotation, 1, channelValue(keyed));
        QVERIFY(rotationNow().angularDistance(keyed) < 1e-12);
    }

    void anglesTakenFromARotationReproduceIt()
    {
        std::mt19937 random(24);
        for (int round = 0; round < 200; ++round) {
            TestRig test;
            const JointId id = test.joint("j", {}, Vector3::Zero());
            test.edit(id).rest.rotation = randomRotation(random);
            test.edit(id).rotationOrder = static_cast<RotationOrder>(round % 6);
            const Quaternion q = randomRotation(random);
            test.set(id, Property::Rotation, channelValue(q));
            const LocalPose pose = sampled(test.scene, nullptr, {});
            const Quaternion again = test.edit(id).rest.rotation *
                                     rotationFromAngles(pose.angles[0], test.edit(id).rotationOrder);
            QVERIFY(again.angularDistance(q) < 1e-12);
            QCOMPARE(int(pose.isReadOff[0]), 1);
        }
    }

    void aSingleJointIsSampledToTheBitAsTheWholePoseIs()
    {
        std::mt19937 random(27);
        std::uniform_int_distribution<int> coin(0, 1);
        std::normal_distribution<double> number;
        for (int round = 0; round < 300; ++round) {
            TestRig test;
            const JointId id = test.joint("j", {}, randomVector(random));
            test.edit(id).rest.rotation = randomRotation(random);
            test.edit(id).rest.rotation.coeffs() *= 1 + 1e-7 * coin(random); // as a file may give it
            test.edit(id).rotationOrder = static_cast<RotationOrder>(round % 6);
            PendingValues pending;
            for (const Property property : {Property::Ty, Property::Sx, Property::Rx, Property::Ry, Property::Rz}) {
                if (coin(random)) test.set(id, property, {number(random)});
                if (coin(random)) test.key(id, property, 1, {number(random)});
                if (coin(random)) pending[{id.value, property}] = {number(random)};
            }
            Quaternion rotation = randomRotation(random);
            rotation.coeffs() *= 1 + 3e-15;
            const ChannelValue value = channelValue(rotation);
            if (round % 4 == 1) test.set(id, Property::Rotation, value);
            if (round % 4 == 2) test.key(id, Property::Rotation, 1, value);
            if (round % 4 == 3) pending[{id.value, Property::Rotation}] = value;

            const LocalPose whole = sampled(test.scene, test.clip(), {}, pending);
            const JointPose single = sampleJoint(test.scene, test.clip(), pending, test.scene.joints->front(), {});
            QVERIFY(single.local == whole.joints[0]);
            QVERIFY(single.angles == whole.angles[0]);
            QCOMPARE(single.isReadOff, whole.isReadOff[0] != 0);
            const JointPose still = staticPose(test.scene, test.scene.joints->front());
            QVERIFY(still.local == sampled(test.scene, nullptr, {}).joints[0]);
        }
    }

    void keysStayWhereTheyAreWhenStaticValuesChange()
    {
        TestRig test;
        const JointId id = test.joint("j", {}, Vector3::Zero());
        const HandleId hand = test.handle("hand", id, id, "dls");
        test.key(id, Property::Rx, 1, {0.25});
        test.key(hand, Property::Twist, 1, {0.5});
        PoseSampler sampler(*compile(test.scene));
        LocalPose pose;
        for (const double still : {1.0, 2.0}) {
            test.set(id, Property::Ry, {still});
            test.set(hand, Property::Weight, {still});
            test.set(hand, Property::Twist, {9});
            sampler.prepare(test.scene, test.clip());
            sampler.sample({}, {}, pose);
            QCOMPARE(pose.angles[0], Vector3(0.25, still, 0));
            QCOMPARE(sampler.handleValue(0, Property::Twist, {}, {})[0], 0.5);
            QCOMPARE(sampler.handleValue(0, Property::Weight, {}, {})[0], still);
        }
        sampler.prepare(test.scene, nullptr);
        QCOMPARE(sampler.handleValue(0, Property::Twist, {}, {})[0], 9.0);
    }

    void framesInAnyOrderAgreeWithSingleChannelsToTheBit()
    {
        std::mt19937 random(25);
        TestRig test;
        const auto ids = test.chain("j", 12, Vector3::UnitX());
        const HandleId hand = test.handle("hand", ids[3], ids[9], "dls");
        std::uniform_real_distribution<double> frame(1, 100), value(-2, 2);
        for (const JointId id : ids)
            for (int k = 0; k < 40; ++k) {
                const auto interpolation = static_cast<Interpolation>(k % 3);
                test.key(id, id.value % 2 ? Property::Rotation : Property::Ry, frame(random),
                         id.value % 2 ? channelValue(randomRotation(random)) : ChannelValue{value(random)},
                         interpolation);
                test.key(id, Property::Tz, frame(random), {value(random)}, interpolation);
                test.key(hand, Property::GoalPosition, frame(random), randomVector(random), interpolation);
            }
        const Scene& scene = test.scene;
        PoseSampler sampler(*compile(scene));
        sampler.prepare(scene, test.clip());
        LocalPose pose;
        for (int round = 0; round < 500; ++round) {
            const Time time = scene.fps.timeOf(std::uniform_real_distribution<double>(-5, 110)(random));
            sampler.prepare(scene, test.clip());
            sampler.sample({}, time, pose);
            const LocalPose fresh = sampled(scene, test.clip(), time);
            QVERIFY(pose == fresh);
            for (std::size_t j = 0; j < ids.size(); ++j) {
                const ChannelValue tz = sampleChannel(scene, test.clip(), {}, {ids[j].value, Property::Tz}, time);
                QCOMPARE(pose.joints[j].translation.z(), tz[0]);
            }
            QCOMPARE(sampler.handleValue(0, Property::GoalPosition, {}, time),
                     sampleChannel(scene, test.clip(), {}, {hand.value, Property::GoalPosition}, time));
        }
    }

    void changesOfClipsAndStaticsAreSeenAndHandlesHaveDefaults()
    {
        TestRig test;
        const auto ids = test.chain("j", 3, Vector3::UnitX());
        const HandleId hand = test.handle("hand", ids[0], ids[2], "dls");
        test.key(ids[1], Property::Ry, 1, {1.0});
        PoseSampler sampler(*compile(test.scene));
        LocalPose pose;
        sampler.prepare(test.scene, test.clip());
        sampler.sample({}, {}, pose);
        QCOMPARE(pose.angles[1].y(), 1.0);
        test.key(ids[1], Property::Ry, 1, {2.0});
        test.set(ids[0], Property::Tx, {5});
        sampler.prepare(test.scene, test.clip());
        sampler.sample({}, {}, pose);
        QCOMPARE(pose.angles[1].y(), 2.0);
        QCOMPARE(pose.joints[0].translation.x(), 5.0);
        sampler.prepare(test.scene, nullptr);
        sampler.sample({}, {}, pose);
        QCOMPARE(pose.angles[1].y(), 0.0);
        QCOMPARE(sampler.handleValue(0, Property::Blend, {}, {})[0], 1.0);
        QCOMPARE(sampler.handleValue(0, Property::Weight, {}, {})[0], 1.0);
        QCOMPARE(sampler.handleValue(0, Property::GoalRotation, {}, {}), (ChannelValue{0, 0, 0, 1}));
        QCOMPARE(sampler.handleValue(0, Property::Blend, {{{hand.value, Property::Blend}, {0.25}}}, {})[0], 0.25);
    }
};

TENDON_TEST(TestPoseSampler)
#include "tst_pose_sampler.moc"

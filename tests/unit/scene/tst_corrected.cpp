#include "core/math/Convert.h"
#include "core/math/RotationOrder.h"
#include "core/scene/Corrections.h"
#include "tests/support/TestProgram.h"

#include <random>

using namespace tendon;

/// The rules of corrections, without a clip.
class TestCorrected : public QObject
{
    Q_OBJECT

private slots:
    /// Each rule by itself: rotations on the right, angles one by one from rest, what takes a correction off undoes it.
    void aCorrectionIsTakenOffAsItIsPutOn()
    {
        const unsigned seed = std::random_device{}();
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> number(-1, 1), share(0.1, 1);
        const auto anyTurn = [&] {
            return Quaternion(number(random), number(random), number(random), number(random)).normalized();
        };
        for (int round = 0; round < 50; ++round) {
            const Quaternion base = anyTurn(), rest = anyTurn();
            const Quaternion turn(Eigen::AngleAxisd(2 * number(random), anyTurn() * Vector3::UnitX()));
            const double weight = share(random);
            const ChannelValue shown = corrected(Property::Rotation, toValue(base), toValue(turn), weight);
            const Quaternion back = toQuaternion(withoutCorrection(Property::Rotation, shown, toValue(turn), weight));
            QVERIFY2(back.angularDistance(base) < 1e-7, qPrintable(QString::number(seed)));
            const ChannelValue place = {number(random), number(random), number(random)}, by = {1, -2, number(random)};
            const ChannelValue moved = corrected(Property::GoalPosition, place, by, weight);
            const ChannelValue found = withoutCorrection(Property::GoalPosition, moved, by, weight);
            for (std::size_t c = 0; c < 3; ++c) QVERIFY(std::abs(found[c] - place[c]) < 1e-12);

            JointChannels angles;
            const Vector3 own(number(random), number(random), number(random)),
                more(number(random), number(random), number(random));
            for (int axis = 0; axis < 3; ++axis) angles.set(offsetBy(Property::Rx, axis), {more[axis]});
            JointPose pose;
            pose.angles = own;
            pose.local.rotation = rest * rotationFromAngles(own, RotationOrder::ZXY);
            const JointPose added = corrected(pose, angles, weight, rest, RotationOrder::ZXY);
            QVERIFY((added.angles - own - weight * more).norm() < 1e-12 && !added.isReadOff);
            QVERIFY(added.local.rotation.angularDistance(
                        rest * rotationFromAngles(own + weight * more, RotationOrder::ZXY)) < 1e-7);
            // Angles on a whole rotation turn it, weight times each, and the angles are read off the result, from rest.
            pose.isReadOff = true;
            const JointPose turned = corrected(pose, angles, weight, rest, RotationOrder::ZXY);
            QVERIFY(turned.local.rotation.angularDistance(
                        pose.local.rotation * rotationFromAngles(weight * more, RotationOrder::ZXY)) < 1e-7);
            QVERIFY(turned.local.rotation.angularDistance(
                        rest * rotationFromAngles(turned.angles, RotationOrder::ZXY)) < 1e-7);
            JointChannels whole;
            whole.rotation = toValue(turn);
            pose.isReadOff = false;
            const JointPose made = corrected(pose, whole, 1, rest, RotationOrder::ZXY);
            QVERIFY(made.isReadOff);
            QVERIFY(made.local.rotation.angularDistance(pose.local.rotation * turn) < 1e-7);
            QVERIFY(made.local.rotation.angularDistance(rest * rotationFromAngles(made.angles, RotationOrder::ZXY)) <
                    1e-7);
        }
    }
};

TENDON_TEST(TestCorrected)
#include "tst_corrected.moc"

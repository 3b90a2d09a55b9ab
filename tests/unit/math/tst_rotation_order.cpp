#include "core/math/RotationOrder.h"
#include "tests/support/TestProgram.h"

#include <numbers>
#include <random>

using namespace tendon;

class TestRotationOrder : public QObject
{
    Q_OBJECT

private slots:
    void orderXyzRotatesAboutXFirst()
    {
        const Quaternion expected = Quaternion(Eigen::AngleAxisd(0.3, Vector3::UnitZ())) *
                                    Quaternion(Eigen::AngleAxisd(0.2, Vector3::UnitY())) *
                                    Quaternion(Eigen::AngleAxisd(0.1, Vector3::UnitX()));
        QVERIFY(rotationFromAngles({0.1, 0.2, 0.3}, RotationOrder::XYZ).angularDistance(expected) < 1e-15);
    }

    void anglesComeBackNearestToTheHint()
    {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> angle(-7, 7), little(-0.01, 0.01);
        for (int n = 0; n < 30'000; ++n) {
            const auto order = static_cast<RotationOrder>(n % 6);
            const Vector3 angles(angle(random), angle(random), angle(random));
            const Vector3 hint = angles + Vector3(little(random), little(random), little(random));
            const Vector3 read = anglesFromRotation(rotationFromAngles(angles, order), order, hint);
            // The nearer to gimbal lock, the more digits the angles lose.
            const double slack = 1e-12 / std::abs(std::cos(angles[productOrder(order)[1]]));
            QVERIFY2((read - angles).norm() < slack + 1e-12, qPrintable(QString("case %1").arg(n)));
        }
    }

    void gimbalLockKeepsTheRotation()
    {
        std::mt19937 random(2);
        std::uniform_real_distribution<double> angle(-3, 3);
        for (int n = 0; n < 3'000; ++n) {
            const auto order = static_cast<RotationOrder>(n % 6);
            Vector3 angles(angle(random), angle(random), angle(random));
            angles[productOrder(order)[1]] = (n % 2 ? 0.5 : -0.5) * std::numbers::pi;
            const Quaternion rotation = rotationFromAngles(angles, order);
            const Vector3 read = anglesFromRotation(rotation, order, Vector3(angle(random), 0, angle(random)));
            QVERIFY(rotationFromAngles(read, order).angularDistance(rotation) < 1e-9);
        }
    }
};

TENDON_TEST(TestRotationOrder)
#include "tst_rotation_order.moc"

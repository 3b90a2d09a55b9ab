#include "core/math/RotationOrder.h"
#include "core/math/RotationVector.h"
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

    void vectorsComeBackWithTheirTurns()
    {
        std::mt19937 random(3);
        std::uniform_real_distribution<double> component(-1, 1), angle(-20, 20), little(-0.01, 0.01);
        for (int n = 0; n < 3'000; ++n) {
            const Vector3 axis = Vector3(component(random), component(random), component(random)).normalized();
            const Vector3 vector = angle(random) * axis;
            const Quaternion rotation = rotationFromVector(vector);
            QVERIFY(rotation.angularDistance(Quaternion(Eigen::AngleAxisd(vector.norm(), vector.normalized()))) <
                    1e-12);
            const Vector3 near = vector + Vector3(little(random), little(random), little(random));
            QVERIFY2((vectorFromRotation(rotation, near) - vector).norm() < 1e-9, qPrintable(QString::number(n)));
            QVERIFY(vectorFromRotation(rotation).norm() < std::numbers::pi + 1e-12);
        }
        QCOMPARE(vectorFromRotation(Quaternion::Identity()), Vector3(Vector3::Zero()));
        QCOMPARE(rotationFromVector(Vector3::Zero()).coeffs(), Quaternion::Identity().coeffs());
        // A small rotation keeps its digits.
        const Vector3 small(1e-9, -2e-9, 3e-9);
        QVERIFY((vectorFromRotation(rotationFromVector(small)) - small).norm() < 1e-24);
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

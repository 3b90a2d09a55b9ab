#include "core/math/Convert.h"
#include "tests/support/TestProgram.h"

#include <vector>

using namespace tendon;

class TestConvert : public QObject
{
    Q_OBJECT

private slots:
    void arraysHoldQuaternionsAsXyzwAndEigenTakesWFirst()
    {
        const Quaternion q(0.1, 0.2, 0.3, 0.4);
        QCOMPARE(toValue(q), (std::array<double, 4>{0.2, 0.3, 0.4, 0.1}));
        QCOMPARE(toQuaternion(toValue(q)).coeffs(), q.coeffs());
        const float single[] = {0.5f, 0.25f, 0.125f, 2.0f};
        QCOMPARE(toQuaternion(single).w(), 2.0);
        double written[5] = {};
        QCOMPARE(writeNumbers(q, written), written + 4);
        QCOMPARE(toQuaternion(written).coeffs(), q.coeffs());
        QCOMPARE(written[4], 0.0);
    }

    void vectorsAreTheFirstThreeNumbers()
    {
        const Vector3 v(1, -2, 3);
        QCOMPARE(toValue(v), (std::array<double, 4>{1, -2, 3, 0}));
        QCOMPARE(toVector(toValue(v)), v);
        QCOMPARE(toVector(std::vector<double>{1, -2, 3}), v);
        std::vector<double> written;
        writeNumbers(v, std::back_inserter(written));
        QCOMPARE(written, (std::vector<double>{1, -2, 3}));
    }
};

TENDON_TEST(TestConvert)
#include "tst_convert.moc"

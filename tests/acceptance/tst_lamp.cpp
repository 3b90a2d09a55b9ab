#include "tests/support/TestProgram.h"

#include "TendonProgram.h"

#include <QJsonArray>

#include <array>

/// The table lamp (X1): Support, Hinge01, Lever01, Hinge02, Lever02, Hinge03, Lever03, Reflector, root to end.
/// Interactive IK without any rig: below the dragged object forward, above it inverse kinematics.
class TestLamp : public QObject
{
    Q_OBJECT

    const QStringList m_below{"Hinge03", "Lever03", "Reflector"};
    const QStringList m_above{"Support", "Hinge01", "Lever01", "Hinge02"};
    /// Above a printed number's last digit, below any motion that a user could mean.
    static constexpr double kMoved = 1e-6;

    static QJsonArray place(const PrintedJoint& joint) { return joint.world["translation"].toArray(); }

private slots:
    void movingTheSupportMovesEverythingRigidly() // X1 a
    {
        const TendonProgram tendon;
        const QString lamp = tendon.sample("lamp");
        const PrintedPose before = tendon.pose(lamp),
                          after = tendon.pose(tendon.script("lamp-a-move-support.json", lamp));
        for (const QString& joint : m_below + m_above + QStringList{"Lever02"}) {
            if (joint != "Support") QVERIFY2(before[joint].local == after[joint].local, qPrintable(joint));
            for (int i = 0; i < 3; ++i) { // moved by exactly the drag: 0.2 m along x, 0.1 m along z
                const double moved = place(after[joint])[i].toDouble() - place(before[joint])[i].toDouble();
                QVERIFY2(std::abs(moved - (i == 0 ? 0.2 : i == 2 ? 0.1 : 0)) < 1e-12, qPrintable(joint));
            }
        }
    }

    void draggingALeverMovesJointsBelowByFkAndJointsAboveByIk() // X1 b
    {
        const TendonProgram tendon;
        const QString lamp = tendon.sample("lamp");
        const PrintedPose before = tendon.pose(lamp),
                          after = tendon.pose(tendon.script("lamp-b-move-lever.json", lamp));
        for (const QString& joint : m_below) QVERIFY2(before[joint].local == after[joint].local, qPrintable(joint));
        for (const QString& joint : m_above)
            QVERIFY2(difference(before[joint].world, after[joint].world) > kMoved, qPrintable(joint));
        const QJsonArray from = place(before["Lever02"]);
        reached(after, {from[0].toDouble() + 0.1, from[1].toDouble() - 0.05, from[2].toDouble()});
    }

    void aTerminatorAndItsAncestorsStayPut() // X1 c
    {
        const TendonProgram tendon;
        const QString lamp = tendon.sample("lamp");
        const PrintedPose before = tendon.pose(lamp),
                          after = tendon.pose(tendon.script("lamp-c-terminator.json", lamp));
        for (const QString& joint : QStringList{"Support", "Hinge01"})
            QVERIFY2(before[joint].world == after[joint].world, qPrintable(joint));
        for (const QString& joint : m_below) QVERIFY2(before[joint].local == after[joint].local, qPrintable(joint));
        for (const QString& joint : QStringList{"Lever01", "Hinge02"})
            QVERIFY2(difference(before[joint].world, after[joint].world) > kMoved, qPrintable(joint));
        reached(after, {0, 0.5564912, -0.3441459});
    }

private:
    static void reached(const PrintedPose& pose, const std::array<double, 3>& target)
    {
        for (int i = 0; i < 3; ++i) {
            const double off = place(pose["Lever02"])[i].toDouble() - target[static_cast<std::size_t>(i)];
            QVERIFY2(std::abs(off) < 1e-4, qPrintable(QString("axis %1 is off by %2 m").arg(i).arg(off)));
        }
    }
};

TENDON_TEST(TestLamp)
#include "tst_lamp.moc"

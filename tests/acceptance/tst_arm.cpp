#include "tests/support/TestProgram.h"

#include "TendonProgram.h"

#include <QJsonArray>

#include <cmath>

/// The arm (X5): shoulder, elbow, wrist, and a handle on the wrist. Moving the handle turns shoulder and elbow.
class TestArm : public QObject
{
    Q_OBJECT

private slots:
    void movingTheHandleTurnsShoulderAndElbow()
    {
        const TendonProgram tendon;
        const QString arm = tendon.sample("arm");
        const QString moved = tendon.script("arm-move-handle.json", arm);
        const PrintedPose before = tendon.pose(arm), after = tendon.pose(moved);
        for (const char* joint : {"Shoulder", "Elbow"}) {
            QVERIFY2(before[joint].local["rotation"] != after[joint].local["rotation"], joint);
            QVERIFY2(before[joint].local["translation"] == after[joint].local["translation"],
                     joint); // B6: turns, never slides
        }
        QVERIFY(before["Wrist"].local == after["Wrist"].local); // C18: the end keeps its own pose
        QVERIFY(before["Shoulder"].world["translation"] ==
                after["Shoulder"].world["translation"]); // A4: nothing above moves

        const QJsonObject handle = tendon.poseJson(moved)["handles"].toArray().at(0).toObject();
        QCOMPARE(handle["status"].toString(), QStringLiteral("converged"));
        QVERIFY(handle["positionError"].toDouble() <= 1e-4);
    }

    void theWristFollowsTheGoalWhileTheShoulderTurns() // A2: what forward kinematics cannot do
    {
        const TendonProgram tendon;
        const QString arm = tendon.sample("arm");
        const PrintedPose before = tendon.pose(arm), after = tendon.pose(tendon.script("arm-turn-shoulder.json", arm));
        const QJsonArray a = before["Wrist"].world["translation"].toArray(),
                         b = after["Wrist"].world["translation"].toArray();
        for (int i = 0; i < 3; ++i) QVERIFY(std::abs(a[i].toDouble() - b[i].toDouble()) <= 1e-4);
    }

    void beyondReachTheArmIsStraightAndReportsItsShortfall() // A8
    {
        const TendonProgram tendon;
        const QString moved = tendon.script("arm-beyond-reach.json", tendon.sample("arm"));
        const PrintedPose pose = tendon.pose(moved);
        const auto at = [&](const char* joint, int i) {
            return pose[joint].world["translation"].toArray()[i].toDouble();
        };
        double upper = 0, lower = 0, whole = 0;
        for (int i = 0; i < 3; ++i) {
            upper += std::pow(at("Elbow", i) - at("Shoulder", i), 2);
            lower += std::pow(at("Wrist", i) - at("Elbow", i), 2);
            whole += std::pow(at("Wrist", i) - at("Shoulder", i), 2);
        }
        const double reach = std::sqrt(upper) + std::sqrt(lower);
        QVERIFY(std::abs(std::sqrt(whole) - reach) < 1e-3 * reach);
        const QJsonObject handle = tendon.poseJson(moved)["handles"].toArray().at(0).toObject();
        QCOMPARE(handle["status"].toString(), QStringLiteral("unreachable"));
        QVERIFY(std::abs(handle["shortfall"].toDouble() - handle["positionError"].toDouble()) < 1e-3);
        QCOMPARE(tendon.run({"pose", moved, "--frame", "1"}).exit, 3);
    }
};

TENDON_TEST(TestArm)
#include "tst_arm.moc"

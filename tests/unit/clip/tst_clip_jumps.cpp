#include "core/clip/ClipJumps.h"
#include "tests/unit/clip/ClipCases.h"

#include "tests/support/TestProgram.h"

#include <QTest>

using namespace tendon;

namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// The jumps of poses that the test makes up.
std::vector<ClipJump> jumpsOf(const ClipTask& task, const std::vector<std::vector<double>>& poses)
{
    const AnswerSpace space(task.model, task.problem(0).base);
    ClipJumps jumps(task, space, [&](int frame) { return poses[static_cast<std::size_t>(frame)].data(); });
    std::vector<std::uint8_t> marks(poses.size());
    jumps.mark(0, task.frameCount, marks);
    return jumps.gather(marks);
}

/// Two hinges in a plane, 0.5 m each, and a goal that stands still at 0.8 m.
ClipCase planeArm(int frames)
{
    ClipCase arm;
    arm.addHinge({0, 0, 0}, 2, -3, 3);
    arm.addHinge({0.5, 0, 0}, 2, -3, 3);
    arm.addGoal({0.5, 0, 0}, false);
    for (int t = 0; t < frames; ++t) arm.addFrame({0.4, -1.2});
    arm.problem.start = {0.4, -1.2};
    return arm;
}

} // namespace

class TestClipJumps : public QObject
{
    Q_OBJECT

private slots:
    /// A frame that stands alone: the way there and the way back.
    void bothWaysOfASpikeAreJumps()
    {
        const ClipCase arm = planeArm(40);
        const ClipTaskOf made(arm);
        std::vector<std::vector<double>> poses(40, {0.4, -1.2});
        poses[20] = {-0.8, 1.2};
        const auto jumps = jumpsOf(made.task, poses);
        QCOMPARE(jumps.size(), std::size_t(2));
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(jumps[i].frame, 20 + static_cast<int>(i));
            QCOMPARE(jumps[i].last, jumps[i].frame);
            QCOMPARE(jumps[i].dof, 1);
            QVERIFY(std::abs(jumps[i].size - 2.4) < 1e-9);
        }
    }

    /// A turn that takes three frames, none of which is far.
    void severalFramesOfOneJumpAreOne()
    {
        const ClipCase arm = planeArm(40);
        const ClipTaskOf made(arm);
        std::vector<std::vector<double>> poses(40, {0.4, -1.2});
        for (std::size_t t = 20; t < 40; ++t)
            poses[t][0] += 17 * kDegree * static_cast<double>(std::min<std::size_t>(t - 19, 3));
        const auto jumps = jumpsOf(made.task, poses);
        QCOMPARE(jumps.size(), std::size_t(1));
        QCOMPARE(jumps[0].frame, 20);
        QCOMPARE(jumps[0].last, 22);
        QCOMPARE(jumps[0].dof, 0);
        QVERIFY(std::abs(jumps[0].size - 51 * kDegree) < 1e-9);
    }

    void whatIsAskedIsNone()
    {
        ClipCase arm = planeArm(0);
        std::vector<std::vector<double>> poses;
        for (int t = 0; t < 60; ++t) { // 40 degrees a frame, back and forth
            poses.push_back({0.2 + 40 * kDegree * std::abs(t % 4 - 2), -0.9});
            arm.addFrame(poses.back());
        }
        const ClipTaskOf still(arm);
        QVERIFY(jumpsOf(still.task, poses).empty());
        // The same without goals that move, and then with references that do.
        const ClipCase goals = planeArm(60);
        QVERIFY(jumpsOf(ClipTaskOf(goals).task, poses).size() >= 30);
        QVERIFY(jumpsOf(ClipTaskOf(goals, poses).task, poses).empty());
    }

    /// What goes on for long is fast, not a jump, unless it is too far in a frame.
    void aTurnThatLastsIsNone()
    {
        const ClipCase arm = planeArm(60);
        const ClipTaskOf made(arm);
        for (const double degrees : {12.0, 25.0}) {
            std::vector<std::vector<double>> poses;
            for (int t = 0; t < 60; ++t) poses.push_back({-2.9 + std::min(5.8, degrees * kDegree * t), -1.2});
            poses.resize(degrees > 20 ? 14 : 28);
            poses.resize(60, poses.back());
            QCOMPARE(jumpsOf(made.task, poses).empty(), degrees < 20);
        }
    }

    /// A step that stands out from those about it is listed, though it is no far one; among others as long it is none.
    void aStepThatStandsOutIsOne()
    {
        const ClipCase arm = planeArm(60);
        const ClipTaskOf made(arm);
        for (const double usual : {3.0, 9.0}) {
            std::vector<std::vector<double>> poses(60, {0.4, -1.2});
            for (std::size_t t = 0; t < 60; ++t) {
                poses[t][0] = -2.5 + usual * kDegree * static_cast<double>(std::min<std::size_t>(t, 30));
                if (t >= 20) poses[t][0] += (15 - usual) * kDegree;
            }
            const auto jumps = jumpsOf(made.task, poses);
            QCOMPARE(jumps.size(), usual < 5 ? std::size_t(1) : std::size_t(0));
            if (jumps.empty()) continue;
            QCOMPARE(jumps[0].frame, 20);
            QCOMPARE(jumps[0].last, 20);
            QVERIFY(std::abs(jumps[0].size - 15 * kDegree) < 1e-9);
        }
    }

    /// Angles about three axes that leap where the joint does not turn.
    void anglesThatNameTheSameRotationAreNone()
    {
        ClipCase arm;
        arm.addHinge({0, 0, 0}, 2, -7, 7);
        arm.addHinge({0.5, 0, 0}, 2, -3, 3);
        arm.addGoal({0.5, 0, 0}, false);
        for (int t = 0; t < 40; ++t) arm.addFrame({0.4, -1.2});
        ClipTaskOf made(arm);
        std::vector<std::vector<double>> poses(40, {0.4, -1.2});
        for (std::size_t t = 20; t < 40; ++t) poses[t][0] += 2 * std::numbers::pi;
        QVERIFY(jumpsOf(made.task, poses).empty());
        // A motor has to make whole turns.
        made.task.rates = {{0, 1, 0.2}};
        const auto jumps = jumpsOf(made.task, poses);
        QCOMPARE(jumps.size(), std::size_t(1));
        QVERIFY(std::abs(jumps[0].size - 2 * std::numbers::pi) < 1e-9);
    }

    /// Marks are of their neighbourhood alone, so that they can be made anew in part.
    void marksReachNoFartherThanTheySay()
    {
        const ClipCase arm = planeArm(200);
        const ClipTaskOf made(arm);
        std::vector<std::vector<double>> poses(200, {0.4, -1.2});
        kit::Random random(3);
        for (auto& q : poses)
            for (double& angle : q) angle += random.uniform(-0.3, 0.3);
        const AnswerSpace space(made.task.model, made.task.problem(0).base);
        const auto poseAt = [&](int frame) { return poses[static_cast<std::size_t>(frame)].data(); };
        std::vector<std::uint8_t> marks(200), anew(200);
        ClipJumps(made.task, space, poseAt).mark(0, 200, marks);
        QVERIFY(std::count(marks.begin(), marks.end(), 1) > 5);
        for (std::size_t t = 80; t < 120; ++t) poses[t] = {0.4, -1.2};
        ClipJumps(made.task, space, poseAt).mark(0, 200, anew);
        QVERIFY(anew != marks);
        ClipJumps(made.task, space, poseAt).mark(80 - ClipJumps::kReach, 120 + ClipJumps::kReach, marks);
        QVERIFY(anew == marks);
    }

    /// A hinge that has to go round farther than its limits let it: it unwinds by a turn, which is a jump, and no
    /// speed.
    void unwindingIsAJumpAndNoHaste()
    {
        ClipCase one;
        one.addHinge({0, 0, 0}, 2, -7, 7);
        one.addGoal({0.5, 0, 0}, true);
        for (int t = 0; t < 100; ++t) one.addFrame({-2 + 0.15 * t});
        one.problem.start = {-2};
        ClipTaskOf made(one);
        made.task.rates = {{0, 1, 0.2}};
        const ClipAnswer answer = solveClip(made.task);
        QCOMPARE(made.solved(answer), 100);
        QCOMPARE(answer.jumps.size(), std::size_t(1));
        QVERIFY(std::abs(answer.jumps[0].size - (2 * std::numbers::pi - 0.15)) < 0.01);
        QVERIFY(answer.hastes.empty());
    }
};

TENDON_TEST(TestClipJumps)
#include "tst_clip_jumps.moc"

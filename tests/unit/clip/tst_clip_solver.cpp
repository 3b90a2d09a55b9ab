#include "tests/unit/clip/ClipCases.h"

#include "tests/support/TestProgram.h"

#include <QTest>

using namespace tendon;

namespace {

std::vector<double> joined(const std::vector<std::vector<double>>& rows)
{
    std::vector<double> all;
    for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
    return all;
}

/// What the solver answers to each frame by itself.
std::vector<double> frameByFrame(const ClipTask& task)
{
    const auto solver = task.makeSolver();
    std::vector<double> all;
    for (int t = 0; t < task.frameCount; ++t) {
        const sdk::Problem problem = task.problem(t);
        std::vector<double> q(problem.seed.begin(), problem.seed.end());
        sdk::Solution solution;
        solution.q = q;
        (void)solver->solve(problem, {}, solution);
        all.insert(all.end(), q.begin(), q.end());
    }
    return all;
}

} // namespace

class TestClipSolver : public QObject
{
    Q_OBJECT

private slots:
    void anArmFollowsWithoutAJump_data()
    {
        QTest::addColumn<int>("hinges");
        QTest::addColumn<int>("seed");
        QTest::addColumn<double>("ratio"); // of the largest steps to those of the motion that made the targets
        for (const int seed : {1, 2, 3}) {
            QTest::addRow("6 hinges, seed %d", seed) << 6 << seed << 1.25;
            QTest::addRow("7 hinges, seed %d", seed) << 7 << seed << 1.6;
        }
    }

    void anArmFollowsWithoutAJump()
    {
        QFETCH(int, hinges);
        QFETCH(int, seed);
        QFETCH(double, ratio);
        ClipCase arm = ClipCase::arm(hinges);
        arm.addMotion(200, static_cast<std::uint64_t>(seed));
        const ClipTaskOf made(arm);
        const auto frames = arm.truth.size();
        const auto truth = sortedSteps(joined(arm.truth), frames);

        const auto alone = sortedSteps(frameByFrame(made.task), frames);
        if (hinges == 6)
            QVERIFY2(alone.back() > 3 * percentile99(truth), "frame by frame there is a jump to be avoided");

        const ClipAnswer answer = solveClip(made.task);
        QCOMPARE(made.solved(answer), 200); // limits kept, by the problem's own kinematics
        const auto steps = sortedSteps(answer.q, frames);
        QVERIFY2(percentile99(steps) <= ratio * percentile99(truth),
                 qPrintable(QStringLiteral("%1 of %2").arg(percentile99(steps)).arg(percentile99(truth))));
        QVERIFY2(steps.back() <= 3 * percentile99(truth), qPrintable(QString::number(steps.back())));
        QVERIFY(answer.jumps.empty());
    }

    void theSameBitsOnAnyNumberOfThreads()
    {
        ClipCase arm = ClipCase::arm(7);
        arm.addMotion(120, 5);
        ClipTaskOf made(arm);
        made.task.threads = 1;
        const ClipAnswer one = solveClip(made.task);
        made.task.threads = 3;
        QVERIFY(solveClip(made.task).q == one.q);
    }

    void whatStandsStillStaysToTheBit()
    {
        ClipCase arm = ClipCase::arm(7);
        arm.addMotion(100, 7);
        for (std::size_t t = 0; t < 100; ++t) arm.problem.cases[t] = arm.problem.cases[40];
        const ClipTaskOf made(arm);
        const ClipAnswer answer = solveClip(made.task);
        QCOMPARE(made.solved(answer), 100);
        for (int t = 1; t < 100; ++t) QVERIFY(std::ranges::equal(made.answerAt(answer, t), made.answerAt(answer, 0)));
    }

    /// A motion that comes round again is answered by the same poses.
    void equalFramesGetEqualPoses()
    {
        ClipCase arm = ClipCase::arm(6);
        arm.addMotion(120, 3);
        arm.problem.positionTolerance = arm.problem.rotationTolerance = 1e-8; // a straight elbow makes much of little
        for (int t = 0; t < 120; ++t) arm.problem.cases.push_back(arm.problem.cases[static_cast<std::size_t>(t)]);
        const ClipTaskOf made(arm);
        const ClipAnswer answer = solveClip(made.task);
        QCOMPARE(made.solved(answer), 240);
        QVERIFY(answer.jumps.empty());
        for (int t = 0; t < 120; ++t)
            for (std::size_t c = 0; c < 6; ++c) {
                const double apart = made.answerAt(answer, t)[c] - made.answerAt(answer, t + 120)[c];
                QVERIFY2(std::abs(apart) < 0.1 * std::numbers::pi / 180,
                         qPrintable(QStringLiteral("frame %1, joint %2: %3").arg(t).arg(c).arg(apart)));
            }
    }

    /// An arm that goes to a place, away and back again, where its goals leave nothing or one direction open: the same
    /// pose to the bit, though it is chosen among many and evened out.
    void anArmThatComesBackHasTheSamePose()
    {
        constexpr int kWay = 14;
        int others = 0;
        for (const int hinges : {6, 7})
            for (const std::uint64_t seed : {1, 2, 3}) {
                ClipCase arm = ClipCase::arm(hinges);
                arm.addMotion(4, seed + 10);
                const std::vector<std::vector<double>> somewhere = arm.truth;
                arm.problem.cases.clear();
                for (int i = 1; i < 4; ++i)
                    for (int k = 0; k < 2 * kWay; ++k) {
                        std::vector<double> q = somewhere[0];
                        const double share = 0.5 * (1 - std::cos(std::numbers::pi * k / kWay));
                        for (std::size_t v = 0; v < q.size() && k > 0; ++v)
                            q[v] += share * (somewhere[static_cast<std::size_t>(i)][v] - q[v]);
                        arm.addFrame(q);
                    }
                arm.addFrame(somewhere[0]);
                arm.problem.start = somewhere[2];
                const ClipTaskOf made(arm);
                const ClipAnswer answer = solveClip(made.task);
                QCOMPARE(made.solved(answer), made.task.frameCount);
                QVERIFY(answer.jumps.empty());
                for (int t = 2 * kWay; t < made.task.frameCount; t += 2 * kWay)
                    QVERIFY2(std::ranges::equal(made.answerAt(answer, t), made.answerAt(answer, 0)),
                             qPrintable(QStringLiteral("%1 hinges, seed %2, frame %3").arg(hinges).arg(seed).arg(t)));
                others += answer.q != frameByFrame(made.task) ? 1 : 0;
            }
        QVERIFY2(others >= 3, qPrintable(QString::number(others))); // or this tests nothing
    }

    /// From a place to others and back, in 14 frames each way: at the place the pose is the frame's own answer, however
    /// near the leap to another way is. So it is the same each time, and while it is held it stands still.
    void aPlaceThatIsComeToAgainHasItsOwnPose()
    {
        constexpr int kWay = 14, kHeld = 5;
        int spread = 0;
        for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
            ClipCase limb;
            for (int i = 0; i < 9; ++i) limb.addHinge({0, 0, i % 3 == 0 && i > 0 ? 0.3 : 0.0}, i % 3, -2.8, 2.8);
            limb.addGoal({0, 0, 0.3}, false);
            limb.problem.start.assign(9, 0.2);
            limb.problem.positionTolerance = 1e-3;
            kit::Random random(seed);
            const auto somewhere = [&] {
                std::vector<double> q(9);
                for (double& angle : q) angle = random.uniform(-1.2, 1.2);
                return q;
            };
            const std::vector<double> a = somewhere();
            std::vector<int> places; // the first frame of each stay
            for (int i = 0; i < 4; ++i) {
                const std::vector<double> b = somewhere();
                places.push_back(static_cast<int>(limb.problem.cases.size()));
                for (int k = 0; k < kHeld; ++k) limb.addFrame(a);
                for (int k = 1; k < 2 * kWay && i < 3; ++k) {
                    std::vector<double> q = a;
                    for (std::size_t v = 0; v < 9; ++v)
                        q[v] += 0.5 * (1 - std::cos(std::numbers::pi * k / kWay)) * (b[v] - a[v]);
                    limb.addFrame(q);
                }
            }
            const ClipTaskOf made(limb);
            const std::vector<double> own = frameByFrame(made.task);
            const ClipAnswer answer = solveClip(made.task);
            QCOMPARE(made.solved(answer), made.task.frameCount);
            for (const int place : places)
                for (int k = 0; k < kHeld; ++k)
                    QVERIFY2(std::ranges::equal(made.answerAt(answer, place + k),
                                                std::span(own).subspan(static_cast<std::size_t>(place + k) * 9, 9)),
                             qPrintable(QStringLiteral("seed %1, frame %2").arg(seed).arg(place + k)));
            spread += answer.q != own ? 1 : 0;
        }
        QVERIFY2(spread >= 2, "in some of them there is a leap to be spread");
    }

    /// A captured motion that meets the goals, with its noise and its own jump, is not touched.
    void aReferenceThatMeetsTheGoalsStaysToTheBit()
    {
        ClipCase arm = ClipCase::arm(7);
        arm.addMotion(100, 9);
        kit::Random random(1);
        std::vector<std::vector<double>> references = arm.truth;
        for (std::size_t t = 0; t < references.size(); ++t) {
            for (double& angle : references[t]) angle += random.uniform(-0.02, 0.02);
            if (t >= 50) references[t][0] += 1.2;
        }
        arm.problem.cases.clear();
        for (const auto& q : references) arm.addFrame(q);
        arm.problem.goals[0].hasOrientation = false; // leaves four directions open
        const ClipTaskOf made(arm, references);
        const ClipAnswer answer = solveClip(made.task);
        QVERIFY(answer.q == joined(references));
        QVERIFY(answer.jumps.empty()); // what the reference does by itself is none
    }

    /// One hinge whose limits leave 20 degrees out, and a goal that goes round: it has to spring back once.
    void aJumpThatCannotBeAvoidedIsReported()
    {
        const double limit = 170 * std::numbers::pi / 180;
        ClipCase hinge;
        hinge.addHinge({0, 0, 0}, 2, -limit, limit);
        hinge.addGoal({0.5, 0, 0}, false);
        for (int t = 0; t < 90; ++t) hinge.addFrame({t * 4 * std::numbers::pi / 180});
        const ClipTaskOf made(hinge);
        const ClipAnswer answer = solveClip(made.task);
        QCOMPARE(answer.jumps.size(), std::size_t(1));
        QVERIFY(std::abs(answer.jumps[0].size - 2 * limit) < 0.2);
        QVERIFY(answer.jumps[0].frame >= 43 && answer.jumps[0].frame <= 48);
    }

    /// Where smoothing ends, the path goes over into the solver's own answers without a step.
    void smoothingEndsGently()
    {
        int ends = 0;
        for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
            ClipCase arm;
            for (int i = 0; i < 8; ++i) arm.addHinge({0, 0, i == 0 ? 0.0 : 0.15}, i % 3, -2.5, 2.5);
            arm.addGoal({0, 0, 0.15}, false);
            arm.addMotion(240, seed, 2);
            const ClipTaskOf made(arm);
            const std::vector<double> own = frameByFrame(made.task);
            const ClipAnswer answer = solveClip(made.task);
            QCOMPARE(made.solved(answer), 240);
            const auto isOwn = [&](int t) {
                return std::equal(answer.q.begin() + 8 * t, answer.q.begin() + 8 * (t + 1), own.begin() + 8 * t);
            };
            const auto step = [](const std::vector<double>& q, int t) {
                double largest = 0;
                for (int c = 0; c < 8; ++c)
                    largest = std::max(largest, std::abs(q[static_cast<std::size_t>(8 * t + c)] -
                                                         q[static_cast<std::size_t>(8 * t - 8 + c)]));
                return largest;
            };
            for (int t = 1; t < 240; ++t) {
                if (isOwn(t) == isOwn(t - 1)) continue;
                ++ends;
                QVERIFY2(step(answer.q, t) < 1.1 * step(own, t) + 0.002,
                         qPrintable(QStringLiteral("seed %1, frame %2: %3 instead of %4")
                                        .arg(seed)
                                        .arg(t)
                                        .arg(step(answer.q, t))
                                        .arg(step(own, t))));
            }
        }
        QVERIFY2(ends >= 4, qPrintable(QString::number(ends)));
    }

    void aTaskOfOneFrameIsSolved()
    {
        ClipCase arm = ClipCase::arm(6);
        arm.addMotion(60, 4);
        arm.problem.cases.resize(1);
        const ClipTaskOf made(arm);
        QCOMPARE(made.solved(solveClip(made.task)), 1);
    }

    void aCancelledTaskComesBack()
    {
        ClipCase arm = ClipCase::arm(7);
        arm.addMotion(200, 1);
        ClipTaskOf made(arm);
        const std::atomic<bool> cancelled = true;
        made.task.cancelled = &cancelled;
        QCOMPARE(solveClip(made.task).statuses.size(), std::size_t(200));
    }
};

TENDON_TEST(TestClipSolver)
#include "tst_clip_solver.moc"

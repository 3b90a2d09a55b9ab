#include "core/clip/BestPath.h"
#include "core/clip/PathSmoothing.h"
#include "core/clip/SelfMotion.h"
#include "tests/unit/clip/ClipCases.h"

#include "tests/support/TestProgram.h"

#include <QTest>

using namespace tendon;

class TestClipPath : public QObject
{
    Q_OBJECT

private slots:
    void wholeTurnsDoNotCountWhereThereIsRoom()
    {
        ClipCase two;
        two.addHinge({0, 0, 0}, 2, -7, 7);
        two.addHinge({0, 0, 1}, 2, -3, 3);
        const SolverProblemModel model(two.problem, false);
        const AnswerSpace space(model.model(), model.base());
        const double a[] = {-3, 0}, b[] = {3.2, 0}, c[] = {-3, 2.9}, d[] = {-3, -2.9};
        QVERIFY(std::abs(space.largest(a, b) - (2 * std::numbers::pi - 6.2)) < 1e-12);
        QCOMPARE(space.largest(c, d), 5.8); // its limits are in the way
    }

    void aPathIsUnrolledWithinItsLimits()
    {
        ClipCase one;
        one.addHinge({0, 0, 0}, 2, -7, 7);
        const SolverProblemModel model(one.problem, false);
        const AnswerSpace space(model.model(), model.base());
        std::vector<double> path;
        for (int t = 0; t < 60; ++t) path.push_back(std::remainder(-2 + 0.15 * t, 2 * std::numbers::pi)); // to 6.85
        const double near[] = {0};
        space.unroll(path, {}, near);
        for (std::size_t t = 0; t < path.size(); ++t)
            QVERIFY(std::abs(path[t] - (-2 + 0.15 * static_cast<double>(t))) < 1e-9);
    }

    /// From one branch to another that begin and end at different frames.
    void theBestPathJumpsOnceWhereItIsLeast()
    {
        ClipCase one;
        one.addHinge({0, 0, 0}, 2, -3, 3);
        const SolverProblemModel model(one.problem, false);
        const AnswerSpace space(model.model(), model.base());
        std::vector<Candidates> found(10);
        const double reference[] = {0};
        std::vector<PathFrame> steps;
        for (std::size_t t = 0; t < found.size(); ++t) {
            const double low = 0.01 * static_cast<double>(t), high = 1 - 0.05 * static_cast<double>(t < 6 ? t : 10 - t);
            if (t < 8) found[t].add(&low, 1, sdk::Status::Converged);
            if (t > 1) found[t].add(&high, 1, sdk::Status::Converged);
            steps.push_back({&found[t], reference, {0}, 0.1});
        }
        const auto path = bestPath(space, steps, 0.02);
        std::vector<int> jumps;
        for (std::size_t t = 1; t < found.size(); ++t)
            if (space.largest(found[t - 1].at(path[t - 1], 1), found[t].at(path[t], 1)) > 0.1)
                jumps.push_back(static_cast<int>(t));
        QCOMPARE(jumps, (std::vector<int>{5}));
    }

    void aMissedFrameCostsMoreThanAJump()
    {
        ClipCase one;
        one.addHinge({0, 0, 0}, 2, -3, 3);
        const SolverProblemModel model(one.problem, false);
        const AnswerSpace space(model.model(), model.base());
        std::vector<Candidates> found(3);
        const double here = 0, there = 2, reference[] = {0};
        std::vector<PathFrame> steps;
        for (std::size_t t = 0; t < 3; ++t) {
            found[t].add(&here, 1, t == 1 ? sdk::Status::Stalled : sdk::Status::Converged);
            found[t].add(&there, 1, sdk::Status::Converged);
            steps.push_back({&found[t], reference, {0}, 0.1});
        }
        QCOMPARE(bestPath(space, steps, 0.02), (std::vector<std::size_t>{1, 1, 1}));
    }

    void theOpenDirectionMovesNoGoal_data()
    {
        QTest::addColumn<int>("hinges");
        QTest::addRow("6") << 6;
        QTest::addRow("7") << 7;
    }

    void theOpenDirectionMovesNoGoal()
    {
        QFETCH(int, hinges);
        ClipCase arm = ClipCase::arm(hinges);
        arm.addMotion(40, 2);
        const ClipTaskOf made(arm);
        const SolverProblemModel model(arm.problem, false);
        const AnswerSpace space(model.model(), model.base());
        SelfMotion motion(space);
        for (int t = 0; t < 40; ++t) {
            const std::vector<double>& q = arm.truth[static_cast<std::size_t>(t)];
            motion.evaluate(made.task.problem(t), q.data());
            QCOMPARE(motion.freedom(), hinges - 6);
            if (hinges == 6) continue;
            std::vector<double> moved(q.size());
            constexpr double kStep = 1e-5;
            space.move(q.data(), motion.direction(), kStep, {}, moved.data());
            const auto judged = arm.problem.judge(moved, arm.problem.cases[static_cast<std::size_t>(t)]);
            QVERIFY(judged.positionError < 1e-9 && judged.rotationError < 1e-9); // of second order in the step
        }
    }

    /// A leap in what the goals leave open is spread over its neighbours; its goals stay met, and what has no share
    /// keeps every bit.
    void smoothingKeepsTheGoals()
    {
        ClipCase arm = ClipCase::arm(7);
        arm.addMotion(120, 6);
        arm.problem.goals[0].hasOrientation = false;
        for (std::size_t t = 0; t < 120; ++t) arm.problem.cases[t] = arm.problem.cases[0];
        const ClipTaskOf made(arm);
        const SolverProblemModel model(arm.problem, false);
        const AnswerSpace space(model.model(), model.base());
        Crew crew(made.task, space);
        std::vector<double> one(7), other(7), away = arm.problem.start;
        for (double& angle : away) angle += 0.3;
        QVERIFY(sdk::isSuccess(crew.own().follow(0, arm.problem.start.data(), one.data())));
        QVERIFY(sdk::isSuccess(crew.own().follow(0, away.data(), other.data())));
        const double leap = space.largest(one.data(), other.data());
        QVERIFY(leap > 0.1);
        ClipPath path;
        path.statuses.assign(120, sdk::Status::Converged);
        path.usual.assign(120, 0);
        path.ofReference.assign(120 * 7, 0);
        std::vector<double> share(120, 1);
        for (int t = 0; t < 120; ++t) {
            const auto& own = t < 60 ? one : other;
            path.q.insert(path.q.end(), own.begin(), own.end());
            if (t >= 110) share[static_cast<std::size_t>(t)] = 0;
        }
        ClipPath smooth = path;
        smoothPath(made.task, space, crew, share, kAcrossAll, smooth);
        ClipAnswer answer;
        answer.q = smooth.q;
        QCOMPARE(made.solved(answer), 120);
        double largest = 0;
        for (int t = 1; t < 120; ++t) largest = std::max(largest, smooth.step(space, t));
        QVERIFY2(largest < 0.1 * leap, qPrintable(QStringLiteral("%1 of %2").arg(largest).arg(leap)));
        QVERIFY(std::equal(smooth.at(110), smooth.at(119) + 7, path.at(110)));

        ClipPath kept = path;
        smoothPath(made.task, space, crew, share, 0.5 * leap, kept);
        QVERIFY(kept.q == path.q); // a jump is not smoothed away unless asked
    }
};

TENDON_TEST(TestClipPath)
#include "tst_clip_path.moc"

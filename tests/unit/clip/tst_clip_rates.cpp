#include "core/clip/RateStep.h"
#include "core/clip/Rates.h"
#include "tests/unit/clip/ClipCases.h"

#include "tests/support/TestProgram.h"

#include <QElapsedTimer>
#include <QTest>

using namespace tendon;

namespace {

/// What each DOF of the motion that made the targets moves at most, and by how much two of its steps differ at most,
/// each times `room`.
std::vector<ClipRate> ratesOf(const ClipCase& made, double room)
{
    std::vector<ClipRate> rates;
    for (std::size_t v = 0; v < made.problem.start.size(); ++v) {
        ClipRate rate{static_cast<std::int32_t>(v), 1, 0, 0};
        for (std::size_t t = 1; t < made.truth.size(); ++t) {
            const double step = made.truth[t][v] - made.truth[t - 1][v];
            rate.step = std::max(rate.step, room * std::abs(step));
            if (t + 1 == made.truth.size()) continue;
            rate.change = std::max(rate.change, room * std::abs(made.truth[t + 1][v] - made.truth[t][v] - step));
        }
        rates.push_back(rate);
    }
    return rates;
}

/// By how much an answer exceeds rates at most, as a share; counted by the test itself.
double largestExcess(const ClipAnswer& answer, const std::vector<ClipRate>& rates)
{
    const std::size_t frames = answer.statuses.size(), nq = answer.q.size() / frames;
    double largest = 0;
    for (const ClipRate& rate : rates)
        for (std::size_t t = 1; t < frames; ++t) {
            const auto at = [&](std::size_t frame) {
                return answer.q[frame * nq + static_cast<std::size_t>(rate.dof)];
            };
            largest = std::max(largest, std::abs(at(t) - at(t - 1)) / rate.step - 1);
            if (t + 1 < frames)
                largest = std::max(largest, std::abs(at(t + 1) - 2 * at(t) + at(t - 1)) / rate.change - 1);
        }
    return largest;
}

/// A trunk of three hinges with two arms of five, whose hands have a place to be at: seven directions are open.
ClipCase figure()
{
    ClipCase made;
    made.addHinge({0, 0, 0.2}, 2, -1.5, 1.5);
    made.addHinge({0, 0, 0.1}, 0, -0.6, 0.6);
    made.addHinge({0, 0, 0.2}, 1, -0.8, 0.8);
    for (const double side : {-1.0, 1.0}) {
        made.addHinge({0.2 * side, 0, 0.2}, 2, -2, 2);
        made.problem.joints.back().parent = 2;
        made.addHinge({0, 0, 0}, 1, -1.6, 1.6);
        made.addHinge({0, 0, 0}, 0, -2, 2);
        made.addHinge({0, 0, -0.3}, 0, 0.05, 2.5);
        made.addHinge({0, 0, -0.15}, 2, -1.5, 1.5);
        made.addGoal({0.05, 0, -0.15}, false);
    }
    return made;
}

} // namespace

class TestClipRates : public QObject
{
    Q_OBJECT

private slots:
    /// The motion that made the targets keeps to the rates; so has the answer. TENDON_RATE_SEEDS=60 tries so many.
    void aFeasibleClipIsHeld_data()
    {
        QTest::addColumn<int>("hinges"); // 0 = a figure
        QTest::addColumn<int>("seed");
        QTest::addColumn<double>("room");
        const int seeds = std::max(4, qEnvironmentVariableIntValue("TENDON_RATE_SEEDS"));
        for (int seed = 1; seed <= seeds; ++seed)
            for (const double room : {1.0, 1.25}) {
                QTest::addRow("6 hinges, seed %d, room %g", seed, room) << 6 << seed << room;
                QTest::addRow("7 hinges, seed %d, room %g", seed, room) << 7 << seed << room;
                QTest::addRow("figure, seed %d, room %g", seed, room) << 0 << seed << room;
            }
    }

    void aFeasibleClipIsHeld()
    {
        QFETCH(int, hinges);
        QFETCH(int, seed);
        QFETCH(double, room);
        ClipCase made = hinges == 0 ? figure() : ClipCase::arm(hinges);
        made.addMotion(200, static_cast<std::uint64_t>(seed));
        ClipTaskOf clip(made);
        clip.task.rates = ratesOf(made, room);
        QElapsedTimer timer;
        timer.start();
        const ClipAnswer answer = solveClip(clip.task);
        const double excess = largestExcess(answer, clip.task.rates);
        if (qEnvironmentVariableIsSet("TENDON_RATE_SEEDS")) {
            const qint64 elapsed = timer.elapsed();
            clip.task.rates.clear();
            const double without = largestExcess(solveClip(clip.task), ratesOf(made, room));
            for (const ClipHaste& haste : answer.hastes)
                qInfo("frames %d to %d, worst %d: rate %zu, kind %d, stretch %.4g", haste.first, haste.last,
                      haste.worst, haste.rate, static_cast<int>(haste.kind), haste.stretch);
            qInfo("without %.3g, with %.3g, %lld ms, %zu hastes", without, excess, elapsed, answer.hastes.size());
        }
        QCOMPARE(clip.solved(answer), 200); // limits are kept, too
        QVERIFY2(excess < 1e-6, qPrintable(QString::number(excess)));
        QVERIFY(answer.hastes.empty());
    }

    /// As many times the time as is said are enough, and a little less is not.
    void whatCannotBeHeldIsNamed_data()
    {
        QTest::addColumn<bool>("ofSpeed");
        QTest::addRow("speed") << true;
        QTest::addRow("acceleration") << false;
    }

    void whatCannotBeHeldIsNamed()
    {
        QFETCH(bool, ofSpeed);
        ClipCase arm = ClipCase::arm(6);
        arm.addMotion(200, 1);
        ClipTaskOf clip(arm);
        const std::vector<ClipRate> fits = ratesOf(arm, 1);
        constexpr double kTooFew = 0.6;
        clip.task.rates = fits;
        for (ClipRate& rate : clip.task.rates)
            (ofSpeed ? rate.step : rate.change) *= ofSpeed ? kTooFew : kTooFew * kTooFew;
        const ClipAnswer answer = solveClip(clip.task);
        QCOMPARE(clip.solved(answer), 200); // goals come first
        QVERIFY(!answer.hastes.empty());
        double stretch = 1;
        for (const ClipHaste& haste : answer.hastes) {
            QCOMPARE(haste.kind, ofSpeed ? RateKind::Speed : RateKind::Acceleration);
            QVERIFY(haste.first <= haste.worst && haste.worst <= haste.last);
            stretch = std::max(stretch, haste.stretch);
        }
        QVERIFY2(std::abs(stretch - 1 / kTooFew) < 1e-3, qPrintable(QString::number(stretch)));
        const auto stretched = [&](double factor) {
            ClipTaskOf slower(arm);
            slower.task.rates = clip.task.rates;
            for (ClipRate& rate : slower.task.rates) {
                rate.step *= factor; // the same frames with more time between them
                rate.change *= factor * factor;
            }
            return solveClip(slower.task).hastes.size();
        };
        QCOMPARE(stretched(stretch * (1 + 1e-6)), std::size_t(0));
        QVERIFY(stretched(stretch * 0.99) > 0);
    }

    void whatIsHeldAnywayKeepsEveryBit()
    {
        ClipCase arm = ClipCase::arm(7);
        arm.addMotion(120, 3);
        ClipTaskOf clip(arm);
        const ClipAnswer without = solveClip(clip.task);
        clip.task.rates = ratesOf(arm, 100);
        const ClipAnswer with = solveClip(clip.task);
        QVERIFY(with.q == without.q && with.hastes.empty() && with.isLocal == without.isLocal);
    }

    void theSameBitsOnAnyNumberOfThreads()
    {
        ClipCase arm = ClipCase::arm(7);
        arm.addMotion(120, 5);
        ClipTaskOf clip(arm);
        clip.task.rates = ratesOf(arm, 1);
        clip.task.threads = 1;
        const ClipAnswer one = solveClip(clip.task);
        clip.task.threads = 3;
        QVERIFY(solveClip(clip.task).q == one.q);
    }

    /// The test's own measure and the one that is reported agree on what is too fast: a step is made too large.
    void aPlantedFaultIsFound()
    {
        ClipCase arm = ClipCase::arm(6);
        arm.addMotion(60, 2);
        const ClipTaskOf clip(arm);
        std::vector<ClipRate> wanted = ratesOf(arm, 1 + 1e-9);
        ClipPath path;
        for (const auto& q : arm.truth) path.q.insert(path.q.end(), q.begin(), q.end());
        path.statuses.assign(60, sdk::Status::Converged);
        const Rates rates(clip.task.model, wanted);
        QCOMPARE(rates.excess(path), 0.0);
        for (int t = 30; t < 60; ++t) path.at(t)[2] += 3 * wanted[2].step;
        const std::vector<ClipHaste> found = rates.hastes(path);
        const auto speed = std::find_if(found.begin(), found.end(),
                                        [](const ClipHaste& haste) { return haste.kind == RateKind::Speed; });
        QVERIFY(speed != found.end());
        QCOMPARE(speed->rate, std::size_t(2));
        QCOMPARE(speed->worst, 30);
        const double step = std::abs(path.at(30)[2] - path.at(29)[2]);
        QCOMPARE(speed->stretch, step / wanted[2].step);
    }

    /// One unknown per frame; the way is straight where only its ends are held, and bends no more than it may.
    void aStepKeepsItsBounds()
    {
        RateStep program;
        program.sizes.assign(20, 1);
        const auto one = [](double value) { return Eigen::VectorXd::Constant(1, value); };
        const auto bound = [&](int frame, std::vector<double> row, double lower, double upper) {
            RateStep::Bound made;
            made.frame = frame;
            made.frames = static_cast<int>(row.size());
            for (std::size_t k = 0; k < row.size(); ++k) made.row[k] = one(row[k]);
            made.lower = lower;
            made.upper = upper;
            program.bounds.push_back(made);
        };
        bound(0, {1}, -1e-6, 1e-6);
        bound(19, {1}, 1 - 1e-6, 1 + 1e-6);
        for (int t = 1; t < 20; ++t) bound(t, {1, -1}, -0.06, 0.06); // 19 steps of 1 / 19 = 0.0526 at least
        for (int t = 2; t < 20; ++t) bound(t, {1, -2, 1}, -0.01, 0.01);
        const auto y = program.solve();
        for (std::size_t t = 1; t < 20; ++t) {
            QVERIFY2(std::abs(y[t][0] - y[t - 1][0]) < 0.06 + 1e-5, qPrintable(QString::number(y[t][0])));
            if (t > 1) QVERIFY(std::abs(y[t][0] - 2 * y[t - 1][0] + y[t - 2][0]) < 0.01 + 1e-5);
        }
        QVERIFY(std::abs(y[0][0]) < 1e-4 && std::abs(y[19][0] - 1) < 1e-4);
    }

    /// A way that is far too fast in one place, and cannot be held at all: the least sum of squares is the same excess
    /// everywhere. What is hard is kept.
    void aStepFarBeyondItsBoundsIsSpread()
    {
        constexpr std::size_t kFrames = 60;
        constexpr double kWay = 500; // times what a step may be
        RateStep program;
        program.sizes.assign(kFrames, 1);
        const auto one = [](double value) { return Eigen::VectorXd::Constant(1, value); };
        for (std::size_t t = 0; t < kFrames; ++t) {
            RateStep::Bound room{static_cast<int>(t), 1, 0, {one(1), {}, {}}};
            const bool isEnd = t == 0 || t + 1 == kFrames;
            room.lower = isEnd ? 0 : -kWay;
            room.upper = isEnd ? 0 : kWay;
            room.firmness = RateStep::kHard;
            program.bounds.push_back(room);
            if (t == 0) continue;
            program.bounds.push_back({static_cast<int>(t), 2, t == kFrames / 2 ? kWay : 0, {one(1), one(-1), {}}});
        }
        const auto y = program.solve();
        for (std::size_t t = 1; t < kFrames; ++t) {
            const double step = y[t][0] - y[t - 1][0] + (t == kFrames / 2 ? kWay : 0);
            QVERIFY2(std::abs(step - kWay / (kFrames - 1)) < 0.02, qPrintable(QString::number(step)));
        }
    }
};

TENDON_TEST(TestClipRates)
#include "tst_clip_rates.moc"

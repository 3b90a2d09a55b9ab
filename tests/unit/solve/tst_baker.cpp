#include "core/math/Interpolate.h"
#include "core/runtime/StepTimes.h"
#include "core/solve/BakeTimes.h"
#include "core/solve/Baker.h"
#include "core/solve/ClipSettler.h"
#include "tests/support/Figure.h"
#include "tests/support/LinkedSolvers.h"
#include "tests/support/ScriptedSolver.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <thread>

using namespace tendon;
using namespace tendon::test;

namespace {

BakeOptions optionsOf(const Scene& scene, double from, double to, int threads = 0)
{
    BakeOptions options;
    options.clip = scene.clips[0]->id;
    options.fps = scene.fps;
    options.from = scene.fps.timeOf(from);
    options.to = scene.fps.timeOf(to);
    options.threads = threads;
    return options;
}

bool isSameBytes(const BakedClip& a, const BakedClip& b)
{
    const auto same = [](const auto& x, const auto& y) { return std::memcmp(&x, &y, sizeof x) == 0; };
    if (a.times != b.times || a.joints != b.joints || a.isAnimated != b.isAnimated || a.handles != b.handles)
        return false;
    for (std::size_t i = 0; i < a.locals.size(); ++i)
        if (!same(a.locals[i].translation, b.locals[i].translation) || !same(a.locals[i].scale, b.locals[i].scale) ||
            !same(a.locals[i].rotation.coeffs(), b.locals[i].rotation.coeffs()) || !same(a.angles[i], b.angles[i]))
            return false;
    return a.locals.size() == b.locals.size() && a.angles.size() == b.angles.size();
}

} // namespace

class TestBaker : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry = shippedSolvers();

private slots:
    void manyThreadsGiveTheBytesOfOneThread()
    {
        const Figure figure;
        const auto one = bake(figure.test.scene, m_registry, optionsOf(figure.test.scene, 1, 200, 1));
        QVERIFY2(one, one ? "" : one.error().text().c_str());
        QCOMPARE(one->times.size(), 200u);
        for (const int threads : {2, 3, 8, 0}) {
            const auto many = bake(figure.test.scene, m_registry, optionsOf(figure.test.scene, 1, 200, threads));
            QVERIFY(many && isSameBytes(*one, *many));
        }
    }

    void everyGoalOfTheWalkIsMetAndSamplesMatchTheEvaluator()
    {
        const Figure figure;
        const Scene& scene = figure.test.scene;
        const auto baked = bake(scene, m_registry, optionsOf(scene, 1, 49));
        QVERIFY(baked);
        auto evaluator = *Evaluator::create(*compile(scene), m_registry);
        evaluator->follow((*ClipSettler(m_registry).settle(scene, *figure.test.clip()))->solution());
        SolvedFrame result;
        const std::size_t n = baked->joints.size();
        for (std::size_t s = 0; s < baked->times.size(); ++s) {
            evaluator->evaluate(scene, figure.test.clip(), {}, baked->times[s], result);
            QVERIFY(baked->handles[s] == result.handles);
            for (const HandleResult& handle : baked->handles[s]) QCOMPARE(handle.status, sdk::Status::Converged);
            for (std::size_t j = 0; j < n; ++j) {
                QCOMPARE(baked->locals[s * n + j].translation, result.local.joints[j].translation);
                QCOMPARE(std::abs(baked->locals[s * n + j].rotation.dot(result.local.joints[j].rotation)) > 1 - 1e-12,
                         true);
            }
        }
    }

    void timesAreFramesBothEndsAndKeysBetweenFrames()
    {
        TestRig test;
        const JointId id = test.joint("j", {}, Vector3::Zero());
        test.key(id, Property::Tx, 2, {0});
        test.key(id, Property::Tx, 3.4, {1});
        test.key(id, Property::Tx, 7, {2});
        const FrameRate fps = test.scene.fps;
        const auto frames = [&](double from, double to) {
            std::vector<double> result;
            for (const Time time : bakeTimes(*test.clip(), fps, fps.timeOf(from), fps.timeOf(to)))
                result.push_back(fps.frameAt(time));
            return result;
        };
        QCOMPARE(frames(1, 5), (std::vector<double>{1, 2, 3, 3.4, 4, 5}));
        QCOMPARE(frames(1.5, 2.5), (std::vector<double>{1.5, 2, 2.5}));
        QCOMPARE(frames(3, 3), (std::vector<double>{3}));
        const std::vector<double> near = frames(0.9999, 3.0001); // the ends stand in for the frames beside them
        QCOMPARE(near.size(), std::size_t{3});
        QVERIFY(std::abs(near[0] - 0.9999) < 1e-6 && near[1] == 2 && std::abs(near[2] - 3.0001) < 1e-6);
    }

    void atAChosenRateThereIsOneSampleAFrame()
    {
        TestRig test;
        const JointId id = test.joint("j", {}, Vector3::Zero());
        test.scene.fps = {24, 1};
        for (int frame = 0; frame <= 24; ++frame) test.key(id, Property::Tx, frame, {1.0 * frame * frame});
        test.key(id, Property::Ty, 0, {0}, Interpolation::Step);
        test.key(id, Property::Ty, 5, {1}, Interpolation::Step); // between two frames of the others
        test.key(id, Property::Ty, 12, {2}, Interpolation::Step);
        const Time from = test.scene.fps.timeOf(0), to = test.scene.fps.timeOf(23);
        const FrameRate fps{10, 1};
        std::vector<double> frames, steps;
        const std::vector<Time> times = bakeTimes(*test.clip(), fps, from, to, BakedKeys::OnFrames);
        for (std::size_t s = 0; s < times.size(); ++s)
            (isBeforeStep(times, s) ? steps : frames).push_back(fps.frameAt(times[s]));
        QCOMPARE(frames.size(), std::size_t{11}); // 0 to 9, and the end
        for (std::size_t f = 0; f < 10; ++f) QVERIFY(std::abs(frames[f] - double(f)) < 1e-5);
        QCOMPARE(times.back(), to);
        QCOMPARE(steps.size(), std::size_t{2}); // at frames 3 and 5
        QVERIFY(std::abs(steps[0] - 3) < 1e-5 && std::abs(steps[1] - 5) < 1e-5);
        QVERIFY(bakeTimes(*test.clip(), fps, from, to).size() > 30); // with all keys
    }

    void aKeyWithinRoundingOfAFrameReplacesIt()
    {
        TestRig test;
        const JointId id = test.joint("j", {}, Vector3::Zero());
        const FrameRate fps = test.scene.fps;
        for (int frame = 1; frame <= 2000; ++frame) {
            // As a file in single precision has it.
            const Time stored = Time::fromSeconds(static_cast<double>(static_cast<float>(frame) / 24.0f));
            test.key(id, Property::Tx, 1, {0});
            test.scene.clips[0].edit().channels[{id.value, Property::Tx}].edit().insertOrReplace(
                {.time = stored, .value = {1.0 * frame}});
        }
        const auto times = bakeTimes(*test.clip(), fps, fps.timeOf(1), fps.timeOf(2000));
        QCOMPARE(times.size(), 2000u);
        for (std::size_t i = 1; i < times.size(); ++i)
            QVERIFY(static_cast<float>(times[i].seconds()) > static_cast<float>(times[i - 1].seconds()));
    }

    void framesAreCountedThoughTheirKeysAreRoundedOrStep()
    {
        TestRig test;
        const JointId id = test.joint("j", {}, Vector3::Zero());
        test.scene.fps = {30, 1};
        for (int frame = 0; frame < 300; ++frame) { // as motion capture with six digits has them
            test.key(id, Property::Tx, 0, {0});
            test.scene.clips[0].edit().channels[{id.value, Property::Tx}].edit().insertOrReplace(
                {.time = Time::fromSeconds(frame * 0.033333), .value = {1.0 * frame}});
        }
        for (const double frame : {0, 40, 41}) test.key(id, Property::Ty, frame, {frame}, Interpolation::Step);
        test.key(id, Property::Tz, 7.5, {1}); // between frames
        const Clip& clip = *test.clip();
        const auto times = bakeTimes(clip, test.scene.fps, clip.begin(), clip.end());
        QVERIFY(times.size() > 302u);
        QCOMPARE(countFrames(times, test.scene.fps), std::int64_t{300});
    }

    void linearPlaybackOfTheSamplesFollowsLinearAndSteppedKeys()
    {
        std::mt19937 random(71);
        std::uniform_real_distribution<double> frame(2, 40);
        for (int round = 0; round < 30; ++round) {
            TestRig test;
            const JointId id = test.joint("j", {}, Vector3::Zero());
            for (int k = 0; k < 12; ++k) {
                test.key(id, Property::Rotation, frame(random), channelValue(randomRotation(random)),
                         k % 3 ? Interpolation::Linear : Interpolation::Step);
                test.key(id, Property::Ty, frame(random), {randomVector(random).x()},
                         k % 3 ? Interpolation::Linear : Interpolation::Step);
            }
            const Scene& scene = test.scene;
            const auto baked = bake(scene, m_registry, optionsOf(scene, 1, 41));
            QVERIFY(baked);
            for (int probe = 0; probe < 300; ++probe) {
                const Time time = scene.fps.timeOf(1 + 40.0 * probe / 300.0);
                const auto next = std::upper_bound(baked->times.begin(), baked->times.end(), time);
                const auto i = static_cast<std::size_t>(next - baked->times.begin()) - 1;
                if (i + 1 >= baked->times.size()) continue;
                const double u = static_cast<double>(time.ticks - baked->times[i].ticks) /
                                 static_cast<double>(baked->times[i + 1].ticks - baked->times[i].ticks);
                const double ty = (1 - u) * baked->locals[i].translation.y() + u * baked->locals[i + 1].translation.y();
                QVERIFY(std::abs(ty - sampleChannel(scene, test.clip(), {}, {id.value, Property::Ty}, time)[0]) < 1e-9);
                const ChannelValue r = sampleChannel(scene, test.clip(), {}, {id.value, Property::Rotation}, time);
                QVERIFY(slerp(baked->locals[i].rotation, baked->locals[i + 1].rotation, u)
                            .angularDistance(Quaternion(r[3], r[0], r[1], r[2])) < 1e-7);
            }
        }
    }

    void linearPlaybackOfTheSamplesFollowsKeysThatRepeat()
    {
        std::mt19937 random(72);
        const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
        for (int round = 0; round < 60; ++round) {
            TestRig test;
            const JointId id = test.joint("j", {}, Vector3::Zero());
            const bool isOnFrames = round % 2 == 0; // then seams are on frames, too, and on ends of what is baked
            for (const Property property : {Property::Rotation, Property::Ty}) {
                int frame = 20 + below(5);
                for (int k = 0, n = 2 + below(4); k < n; ++k, frame += 1 + below(5)) {
                    const ChannelValue value = property == Property::Ty ? ChannelValue{randomVector(random).x()}
                                                                        : channelValue(randomRotation(random));
                    test.key(id, property, isOnFrames ? frame : frame + 0.1 * below(10), value,
                             below(3) ? Interpolation::Linear : Interpolation::Step);
                }
                const auto infinity = [&] {
                    const auto any = static_cast<Infinity>(below(5));
                    return any == Infinity::Linear && isQuaternion(property) ? Infinity::Cycle : any;
                };
                const Infinity before = infinity(), after = infinity();
                test.scene.clips[0].edit().channels[{id.value, property}].edit().setInfinity(before, after);
            }
            const Scene& scene = test.scene;
            const int from = below(15), to = 50 + below(15);
            const auto baked = bake(scene, m_registry, optionsOf(scene, from, to));
            QVERIFY(baked);
            QVERIFY(baked->times.front() == scene.fps.timeOf(from) && baked->times.back() == scene.fps.timeOf(to));
            for (int probe = 0; probe <= 20 * (to - from); ++probe) {
                const Time time = scene.fps.timeOf(from + probe / 20.0);
                const auto next = std::upper_bound(baked->times.begin(), baked->times.end(), time);
                const auto i = static_cast<std::size_t>(next - baked->times.begin()) - 1;
                const std::size_t last = std::min(i + 1, baked->times.size() - 1);
                const double u = i == last ? 0
                                           : static_cast<double>(time.ticks - baked->times[i].ticks) /
                                                 static_cast<double>(baked->times[last].ticks - baked->times[i].ticks);
                const double ty = (1 - u) * baked->locals[i].translation.y() + u * baked->locals[last].translation.y();
                const double expected = sampleChannel(scene, test.clip(), {}, {id.value, Property::Ty}, time)[0];
                QVERIFY2(std::abs(ty - expected) < 1e-6, qPrintable(QString("%1, %2").arg(round).arg(probe)));
                const ChannelValue r = sampleChannel(scene, test.clip(), {}, {id.value, Property::Rotation}, time);
                QVERIFY2(slerp(baked->locals[i].rotation, baked->locals[last].rotation, u)
                                 .angularDistance(Quaternion(r[3], r[0], r[1], r[2])) < 1e-6,
                         qPrintable(QString("%1, %2").arg(round).arg(probe)));
            }
        }
    }

    void aSampleBesideAStepIsToldFromTheStep()
    {
        for (const double seconds : {0.0, 0.001, 0.02, 0.5, 1.0, 37.0 / 30, 3599.97, -2.5}) {
            const Time time = Time::fromSeconds(seconds), before = justBefore(time), after = justAfter(time);
            QVERIFY(before < time && time < after);
            const std::vector<Time> upTo{before, time}, from{time, after};
            QVERIFY(isBesideStep(upTo, 0) && !isBesideStep(upTo, 1));
            QVERIFY(!isBesideStep(from, 0) && isBesideStep(from, 1));
            QVERIFY(static_cast<float>(after.seconds()) > static_cast<float>(time.seconds()));
        }
    }

    void quaternionsAndAnglesAreContinuous()
    {
        TestRig test;
        const JointId spun = test.joint("spun", {}, Vector3::Zero()),
                      turned = test.joint("turned", spun, Vector3::UnitX()),
                      still = test.joint("still", spun, Vector3::UnitX());
        for (int frame = 1; frame <= 97; ++frame) {
            const double angle = 0.15 * frame; // over two turns
            ChannelValue q = channelValue(Quaternion(Eigen::AngleAxisd(angle, Vector3::UnitZ())));
            if (frame % 2 == 0)
                for (double& c : q) c = -c;
            test.key(spun, Property::Rotation, frame, q);
            test.key(turned, Property::Rz, frame, {frame < 50 ? 0.0 : 7.0},
                     Interpolation::Step); // authored: kept as it is
        }
        const auto baked = bake(test.scene, m_registry, optionsOf(test.scene, 1, 97));
        QVERIFY(baked);
        const std::size_t n = 3;
        for (std::size_t s = 1; s < baked->times.size(); ++s) {
            QVERIFY(baked->locals[s * n].rotation.dot(baked->locals[(s - 1) * n].rotation) >= 0);
            QVERIFY((baked->angles[s * n] - baked->angles[(s - 1) * n]).norm() < 0.2);
        }
        QVERIFY(std::abs(baked->angles[(baked->times.size() - 1) * n].z() - 0.15 * 97) < 1e-6);
        QCOMPARE(baked->angles[(baked->times.size() - 1) * n + 1].z(), 7.0);
        QCOMPARE(baked->isAnimated, (std::vector<bool>{true, true, false}));
        (void)still;
    }

    void aFailedSolveFailsTheBakeAndTheErrorNamesHandleAndFrame()
    {
        SolverRegistry registry;
        addScripted(registry, "fragile", [](const sdk::Model&, const sdk::Problem& problem, sdk::Solution&) {
            return problem.goals[0].targetPosition[0] > 57.5 ? sdk::Status::NumericalFailure : sdk::Status::Stalled;
        });
        TestRig test;
        const auto ids = test.chain("j", 3, Vector3::UnitX());
        const HandleId hand = test.handle("hand", ids[0], ids[2], "fragile");
        test.key(hand, Property::GoalPosition, 1, Vector3(1, 0, 0));
        test.key(hand, Property::GoalPosition, 200, Vector3(200, 0, 0));
        for (const int threads : {1, 2, 5}) {
            const auto baked = bake(test.scene, registry, optionsOf(test.scene, 1, 200, threads));
            QVERIFY(!baked);
            QVERIFY2(baked.error().text().starts_with("handle \"hand\": its solve failed at frame 58 "),
                     baked.error().text().c_str());
        }
        // A goal that is only missed is no failure.
        const auto missed = bake(test.scene, registry, optionsOf(test.scene, 1, 50));
        QVERIFY(missed);
        QCOMPARE(missed->handles[30][0].status, sdk::Status::Stalled);
    }

    void progressReachesOneOnTheCallersThreadAndCancelStopsTheBake()
    {
        const Figure figure;
        BakeOptions options = optionsOf(figure.test.scene, 1, 400, 2);
        double last = 0;
        int calls = 0;
        options.progress = [&, caller = std::this_thread::get_id()](double done) {
            if (std::this_thread::get_id() != caller || done < last || done > 1) qFatal("progress");
            last = done;
            ++calls;
        };
        QVERIFY(bake(figure.test.scene, m_registry, options));
        QCOMPARE(last, 1.0);
        QVERIFY(calls > 1);

        std::atomic<bool> cancelled = false;
        options.cancelled = &cancelled;
        options.progress = [&](double) { cancelled = true; };
        const auto stopped = bake(figure.test.scene, m_registry, options);
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    }

    void invalidBakesAreRefused()
    {
        const Figure figure;
        BakeOptions options = optionsOf(figure.test.scene, 1, 10);
        options.clip = ClipId{9999};
        QCOMPARE(bake(figure.test.scene, m_registry, options).error().code, ErrorCode::NotFound);
        QCOMPARE(bake(figure.test.scene, m_registry, optionsOf(figure.test.scene, 10, 1)).error().code,
                 ErrorCode::InvalidArgument);
        QCOMPARE(bake(figure.test.scene, m_registry, optionsOf(figure.test.scene, 1, 1e8)).error().code,
                 ErrorCode::LimitExceeded);
        QCOMPARE(bake(figure.test.scene, SolverRegistry(), optionsOf(figure.test.scene, 1, 10)).error().code,
                 ErrorCode::NotFound);
    }
};

QTEST_APPLESS_MAIN(TestBaker)
#include "tst_baker.moc"

#include "core/solve/ClipSettler.h"
#include "core/solve/StatusNames.h"
#include "tests/support/LinkedSolvers.h"
#include "tests/support/TestRig.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr double kPi = std::numbers::pi, kDegree = kPi / 180;

/// A clip as it is shown, frame 1 first, and what was said about it.
struct Shown
{
    std::vector<SolvedFrame> alone, frames; ///< each for itself; as a clip
    ClipSolutionPtr solution;
    std::shared_ptr<const CompiledRig> rig;

    Shown(const TestRig& made, const SolverRegistry& registry, int last)
    {
        rig = *compile(made.scene);
        const auto settled = ClipSettler(registry).settle(made.scene, *made.clip());
        if (!settled) qFatal("%s", settled.error().text().c_str());
        solution = (*settled)->solution();
        const auto evaluator = *Evaluator::create(rig, registry);
        for (auto* into : {&alone, &frames}) {
            evaluator->follow(into == &alone ? nullptr : solution);
            for (int number = 1; number <= last; ++number)
                evaluator->evaluate(made.scene, made.clip(), {}, made.scene.fps.timeOf(number), into->emplace_back());
        }
    }

    /// [rad] How far a joint turns between two frames.
    [[nodiscard]] static double turn(const std::vector<SolvedFrame>& frames, std::size_t joint, int from, int to)
    {
        const auto at = [&](int frame) {
            return frames[static_cast<std::size_t>(frame - 1)].local.joints[joint].rotation;
        };
        return at(from).angularDistance(at(to));
    }

    [[nodiscard]] static double largestStep(const std::vector<SolvedFrame>& frames)
    {
        double largest = 0;
        for (int t = 2; t <= static_cast<int>(frames.size()); ++t)
            for (std::size_t j = 0; j < frames.front().local.joints.size(); ++j)
                largest = std::max(largest, turn(frames, j, t - 1, t));
        return largest;
    }

    /// The first frame after which joints turn by more than 25 degrees and four times what is asked of a frame [rad],
    /// in up to three frames, without that it is listed; 0 = none. `hard`: how many such frames there are in all.
    [[nodiscard]] int unlisted(double asked, int& hard) const
    {
        int found = 0;
        hard = 0;
        for (int to = static_cast<int>(frames.size()); to > 1; --to)
            for (int from = std::max(1, to - 3); from < to; ++from)
                for (std::size_t j = 0; j < frames.front().local.joints.size(); ++j) {
                    if (turn(frames, j, from, to) <= 25 * kDegree + 4 * asked * (to - from)) continue;
                    ++hard;
                    const bool isListed = std::any_of(
                        solution->jumps.begin(), solution->jumps.end(),
                        [&](const PoseJump& jump) { return jump.frame <= to && jump.last > from; });
                    if (!isListed) found = from;
                }
        return found;
    }

    /// True if each jump that is listed can be seen: its joint turns as far as it says.
    [[nodiscard]] bool areSeen() const
    {
        return std::all_of(solution->jumps.begin(), solution->jumps.end(), [&](const PoseJump& jump) {
            const auto joint = static_cast<std::size_t>(rig->index(jump.joint));
            return std::abs(turn(frames, joint, jump.frame - 1, jump.last) - jump.size) < 1e-3;
        });
    }

    void print() const
    {
        for (const PoseJump& jump : solution->jumps)
            qInfo("frames %d to %d: %.1f degrees, %s, joint %d", jump.frame, jump.last, jump.size / kDegree,
                  jumpReasonName(jump.reason), rig->index(jump.joint));
        qInfo("largest step %.1f degrees, each for itself %.1f", largestStep(frames) / kDegree,
              largestStep(alone) / kDegree);
    }
};

} // namespace

class TestListedJumps : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry = shippedSolvers();

private slots:
    /// The goal passes 2 cm beside the shoulder: the elbow turns over to face its pole, in more than one frame. The arm
    /// is folded there, too, which may be what is told of a solver that goes on from the frame before.
    void anElbowThatTurnsOverIsListed()
    {
        for (const char* solver : {"two-bone", "dls"}) {
            TestRig rig;
            const auto arm = rig.chain("Arm", 3, {0.5, 0, 0});
            const HandleId handle = rig.handle("Reach", arm[0], arm[2], solver);
            rig.edit(handle).hasPole = true;
            rig.set(handle, Property::Pole, Vector3(2, 0, 0.6));
            constexpr double kWay = 0.04;
            for (int t = 1; t <= 31; ++t)
                rig.key(handle, Property::GoalPosition, t, Vector3(0.6 - kWay * (t - 1), 0.02, 0));
            const Shown shown(rig, m_registry, 31);
            shown.print();
            int hard = 0;
            const int unlisted = shown.unlisted(kWay, hard);
            QVERIFY(hard > 0); // or this tests nothing
            QCOMPARE(unlisted, 0);
            QVERIFY(shown.areSeen());
            QVERIFY(!shown.solution->jumps.empty());
            const std::size_t at = static_cast<std::size_t>(shown.solution->jumps.front().frame - 1);
            const std::string caution = cautionOf(rig.scene, shown.frames[at].handles[0]);
            QVERIFY2(caution.find("the pose jumps here, Arm") == 0, caution.c_str());
            const bool isOfPole = shown.solution->jumps.front().reason == JumpReason::Branch;
            QCOMPARE(caution.find("its pole") != std::string::npos, isOfPole);
            QVERIFY(isOfPole || solver != std::string("two-bone"));
            if (isOfPole) QVERIFY(shown.solution->jumps.front().cause == JumpCause::Pole);
        }
    }

    /// A closed form does not go on from the frame before: without a pole that is what makes it turn over.
    void theSolverThatTurnsOverIsNamed()
    {
        TestRig rig;
        const auto arm = rig.chain("Arm", 3, {0.5, 0, 0});
        const HandleId handle = rig.handle("Reach", arm[0], arm[2], "two-bone");
        for (int t = 1; t <= 31; ++t)
            rig.key(handle, Property::GoalPosition, t, Vector3(0.6 - 0.04 * (t - 1), 0.02, 0));
        const Shown shown(rig, m_registry, 31);
        QVERIFY(!shown.solution->jumps.empty());
        const PoseJump& jump = shown.solution->jumps.front();
        QVERIFY(jump.cause == JumpCause::Solver);
        const std::string caution = cautionOf(rig.scene,
                                              shown.frames[static_cast<std::size_t>(jump.frame - 1)].handles[0]);
        QVERIFY2(caution.find("its solver, two-bone,") != std::string::npos, caution.c_str());
    }

    /// A leg that its goal draws straight and beyond, again and again.
    void aKneeThatSnapsIsListed()
    {
        TestRig rig;
        const JointId thigh = rig.joint("Thigh", {}, {0, 0.9, 0}), shin = rig.joint("Shin", thigh, {0, -0.44, 0.01}),
                      foot = rig.joint("Foot", shin, {0, -0.42, -0.01});
        const HandleId handle = rig.handle("Walk", thigh, foot, "dls");
        constexpr int kLast = 97;
        double way = 0;
        Vector3 before = Vector3::Zero();
        for (int t = 1; t <= kLast; ++t) {
            const double far = 0.78 + 0.12 * std::sin(0.26 * t), turn = 0.3 * std::sin(0.13 * t);
            const Vector3 goal(0, 0.9 - far * std::cos(turn), far * std::sin(turn));
            if (t > 1) way = std::max(way, (goal - before).norm() / 0.86);
            before = goal;
            rig.key(handle, Property::GoalPosition, t, goal);
        }
        const Shown shown(rig, m_registry, kLast);
        shown.print();
        int hard = 0;
        QCOMPARE(shown.unlisted(way, hard), 0);
        QVERIFY(shown.areSeen());
    }

    /// Limits keep the end from its goal, which goes round behind the arm.
    void whatLimitsBlockIsEvenedOut_data()
    {
        QTest::addColumn<double>("side");
        QTest::addRow("to and fro above and below") << 0.1;
        QTest::addRow("beside") << 0.3;
        QTest::addRow("far beside") << 0.7;
    }
    void whatLimitsBlockIsEvenedOut()
    {
        QFETCH(double, side);
        TestRig rig;
        const auto arm = rig.chain("Arm", 5, {0.3, 0, 0});
        for (const JointId id : arm)
            for (const std::size_t axis : {0u, 1u, 2u}) {
                AxisFreedom& freedom = rig.edit(id).turning[axis];
                freedom.limited = true;
                freedom.from = -0.5;
                freedom.to = 0.5;
            }
        const HandleId handle = rig.handle("Reach", arm.front(), arm.back(), "dls");
        constexpr int kLast = 97;
        for (int t = 1; t <= kLast; ++t)
            rig.key(handle, Property::GoalPosition, t,
                    Vector3(-0.3, 0.3 + 0.2 * std::cos(0.13 * t), side + 0.3 * std::sin(0.13 * t)));
        const Shown shown(rig, m_registry, kLast);
        shown.print();
        int blocked = 0;
        for (std::size_t i = 0; i < shown.frames.size(); ++i) {
            const HandleResult &as = shown.frames[i].handles[0], &own = shown.alone[i].handles[0];
            blocked += sdk::isSuccess(own.status) ? 0 : 1;
            QVERIFY2(as.positionError < own.positionError + 2e-4,
                     qPrintable(QString("frame %1: %2, %3").arg(i + 1).arg(as.positionError).arg(own.positionError)));
        }
        QCOMPARE(blocked, kLast); // or this tests nothing
        const double before = Shown::largestStep(shown.alone), after = Shown::largestStep(shown.frames);
        if (side > 0.2) QVERIFY2(before > 30 * kDegree && after < 10 * kDegree, qPrintable(QString::number(after)));
        int hard = 0;
        QCOMPARE(shown.unlisted(0.05, hard), 0);
        QVERIFY(shown.areSeen());
    }

    /// Two handles that move the same joints, one with a twist that grows.
    void twistsOfHandlesThatShareJointsAreListed()
    {
        TestRig rig;
        const auto arm = rig.chain("Arm", 7, {0.3, 0, 0});
        const HandleId near = rig.handle("Near", arm[0], arm[3], "dls"), far = rig.handle("Far", arm[0], arm[6], "dls");
        constexpr int kLast = 61;
        for (int t = 1; t <= kLast; ++t) {
            const double a = 0.1 * (t - 1);
            rig.key(near, Property::GoalPosition, t, Vector3(0.55, 0.3 * std::cos(a), 0.3 * std::sin(a)));
            rig.key(far, Property::GoalPosition, t, Vector3(1.0, 0.4 * std::sin(0.7 * a), 0.3 * std::cos(1.3 * a)));
            rig.key(far, Property::Twist, t, ChannelValue{1.5 + std::sin(a), 0, 0, 0});
            rig.key(near, Property::Twist, t, ChannelValue{-1 - 0.7 * std::sin(1.1 * a), 0, 0, 0});
        }
        const Shown shown(rig, m_registry, kLast);
        shown.print();
        int hard = 0;
        QCOMPARE(shown.unlisted(0.3, hard), 0);
        QVERIFY(shown.areSeen());
    }

    /// The goal passes beside the shoulder between two keys, so that keys give way: not the end of the clip, or a hold
    /// added beyond it would turn the arm over in the frames before.
    void aHoldBeyondTheEndChangesNothingBefore()
    {
        const auto made = [](bool isHeld) {
            TestRig rig;
            const JointId a = rig.joint("A", {}, {0, 1, 0}), b = rig.joint("B", a, {0, 1, -0.1}),
                          c = rig.joint("C", b, {0, 1, 0.1});
            const HandleId handle = rig.handle("Reach", a, c, "dls");
            const std::pair<int, Vector3> keys[] = {
                {1, {-0.527903820525131, 0.35807878572297436, -0.20788351477863798}},
                {8, {-0.6900554583951795, 0.2877089837048127, -0.19681797102985032}},
                {15, {0.8359100861754378, 1.6968685148719524, 0.5303252050108769}},
                {22, {-0.5561436486193647, 1.190425615695642, -0.44663471311709957}},
                {40, {-0.6546709414292622, 0.363871921468538, -0.571199134842167}},
                {50, {0.8549512628561209, 1.7515264936545654, 0.6133046934046469}}};
            for (const auto& [frame, goal] : keys)
                rig.key(handle, Property::GoalPosition, frame, goal, Interpolation::Linear);
            if (isHeld) rig.key(handle, Property::GoalPosition, 51, keys[5].second, Interpolation::Linear);
            return rig;
        };
        const Shown before(made(false), m_registry, 50), after(made(true), m_registry, 51);
        double way = 0; // that the solution goes beside the own answers, or this tests nothing
        for (std::size_t t = 0; t < before.frames.size(); ++t)
            for (std::size_t j = 0; j < 3; ++j) {
                const auto& shown = before.frames[t].local.joints[j].rotation;
                QVERIFY(shown.angularDistance(after.frames[t].local.joints[j].rotation) < 0.1 * kDegree);
                way = std::max(way, shown.angularDistance(before.alone[t].local.joints[j].rotation));
            }
        QVERIFY(way > 20 * kDegree);
    }

    /// Keys a frame apart, and far.
    void aFastMotionIsNoJump()
    {
        for (const char* solver : {"two-bone", "dls"}) {
            TestRig rig;
            const auto arm = rig.chain("Arm", 3, {0.5, 0, 0});
            rig.set(arm[1], Property::Rz, ChannelValue{1, 0, 0, 0});
            const HandleId handle = rig.handle("Reach", arm[0], arm[2], solver);
            for (int t = 1; t <= 40; ++t) {
                const double angle = 0.6 * std::abs(t % 6 - 3);
                rig.key(handle, Property::GoalPosition, t, Vector3(0.7 * std::cos(angle), 0.7 * std::sin(angle), 0));
            }
            const Shown shown(rig, m_registry, 40);
            shown.print();
            QVERIFY(Shown::largestStep(shown.frames) > 30 * kDegree);
            QVERIFY(shown.solution->jumps.empty());
        }
    }
};

QTEST_APPLESS_MAIN(TestListedJumps)
#include "tst_listed_jumps.moc"

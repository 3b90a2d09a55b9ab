#include "app/editor/DrawnPose.h"
#include "app/editor/Editor.h"
#include "app/editor/PoseSlew.h"
#include "core/solve/Baker.h"
#include "tests/support/TestProgram.h"

#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace tendon;
using namespace tendon::editor;

namespace {

constexpr double kTick = 0.016; // [s]

/// Three joints, turned about z by these angles [rad], the last one slid along x [m].
std::vector<LocalTransform> poseOf(double first, double second, double third, double slid = 0)
{
    std::vector<LocalTransform> pose(3);
    for (const auto& [joint, angle] : {std::pair(0, first), std::pair(1, second), std::pair(2, third)})
        pose[static_cast<std::size_t>(joint)].rotation = Quaternion(Eigen::AngleAxisd(angle, Vector3::UnitZ()));
    pose[2].translation.x() = slid;
    return pose;
}

double largestTurn(const std::vector<LocalTransform>& a, const std::vector<LocalTransform>& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, a[i].rotation.angularDistance(b[i].rotation));
    return largest;
}

const std::vector<std::uint8_t> kAll = {1, 1, 1};

} // namespace

/// The pose as it is shown, between a drag's moves and after its end.
class TestDrawnPose : public QObject
{
    Q_OBJECT

    SolverRegistry m_solvers;

    /// An arm of two hinges that follows an arc; frames do not follow from each other by themselves.
    static void makeArc(Editor& editor)
    {
        const auto apply = [&](const QJsonObject& operation) {
            if (!editor.document().applyNow(operation)) qFatal("%s", qPrintable(operation["op"].toString()));
        };
        apply({{"op", "addJoint"}, {"name", "Shoulder"}});
        apply({{"op", "addJoint"}, {"name", "Elbow"}, {"parent", "Shoulder"}, {"translation", QJsonArray{0.5, 0, 0}}});
        apply({{"op", "addJoint"}, {"name", "Hand"}, {"parent", "Elbow"}, {"translation", QJsonArray{0.5, 0, 0}}});
        for (const char* joint : {"Shoulder", "Elbow", "Hand"})
            for (const char* axis : {"x", "y"})
                apply({{"op", "setRotationAxis"}, {"joint", joint}, {"axis", axis}, {"active", false}});
        apply({{"op", "addHandle"}, {"name", "Reach"}, {"start", "Shoulder"}, {"end", "Hand"}, {"solver", "dls"}});
        apply({{"op", "addClip"}, {"name", "Arc"}});
        apply({{"op", "setRange"}, {"from", 1}, {"to", 49}});
        for (int frame = 1; frame <= 49; frame += 4) {
            const double angle = 0.05 * (frame - 25);
            apply({{"op", "setFrame"}, {"value", frame}});
            const QJsonArray goal{0.6 * std::cos(angle), 0.6 * std::sin(angle), 0};
            apply({{"op", "setGoal"}, {"handle", "Reach"}, {"position", goal}});
            apply({{"op", "key"}, {"target", "Reach"}});
        }
        apply({{"op", "autoKey"}, {"on", true}});
        (void)editor.finishFrame();
    }

private slots:
    void initTestCase() { m_solvers.scan(); }

    void ordinaryMotionIsNotHeldBack()
    {
        PoseSlew slew;
        slew.jump(poseOf(0, 0, 0));
        for (int i = 1; i <= 50; ++i) { // 12 rad/s
            const auto pose = poseOf(12 * kTick * i, -12 * kTick * i, 0);
            slew.follow(pose, kAll, 1);
            slew.advance(kTick);
            QVERIFY(slew.hasArrived());
            QVERIFY(slew.shown() == pose);
        }
    }

    void anotherBranchIsAQuickTurn()
    {
        PoseSlew slew;
        const auto before = poseOf(0.4, -1.5, 0), after = poseOf(-0.4, 1.5, 0, 0.1);
        slew.jump(before);
        slew.follow(after, kAll, 1);
        QVERIFY(slew.shown() == before); // no time has passed
        double left = largestTurn(before, after), seconds = 0;
        while (!slew.hasArrived()) {
            const auto last = slew.shown();
            slew.advance(kTick);
            seconds += kTick;
            QVERIFY(largestTurn(last, slew.shown()) <= PoseSlew::kTurn * kTick + 1e-9);
            QVERIFY(largestTurn(slew.shown(), after) < left);
            left = largestTurn(slew.shown(), after);
            QVERIFY(seconds < 1);
        }
        QVERIFY(std::abs(seconds - 3 / PoseSlew::kTurn) <= kTick);
        QVERIFY(slew.shown() == after);
    }

    void whatNoSolverMovesIsThereAtOnce()
    {
        PoseSlew slew;
        slew.jump(poseOf(0, 0, 0));
        const auto pose = poseOf(2, 2, 2, 3);
        slew.follow(pose, std::vector<std::uint8_t>{0, 1, 0}, 1);
        QVERIFY(slew.shown()[0] == pose[0] && slew.shown()[2] == pose[2]);
        QVERIFY(slew.shown()[1] == poseOf(0, 0, 0)[1]);
        slew.advance(kTick);
        QVERIFY(!slew.hasArrived());
    }

    void slidesAreBoundedByTheLengthOfTheChain()
    {
        for (const double length : {0.5, 2.0}) {
            PoseSlew slew;
            slew.jump(poseOf(0, 0, 0));
            slew.follow(poseOf(0, 0, 0, 10 * length), kAll, length);
            slew.advance(kTick);
            QVERIFY(std::abs(slew.shown()[2].translation.x() - PoseSlew::kSlide * length * kTick) < 1e-12);
        }
    }

    void theSameArrivesHoweverManyMovesItTook()
    {
        const auto end = poseOf(2, -3, 1, 0.3);
        for (const int moves : {1, 7, 58}) {
            PoseSlew slew;
            slew.jump(poseOf(0, 0, 0));
            for (int i = 1; i <= moves; ++i) {
                const double part = static_cast<double>(i) / moves;
                slew.follow(i == moves ? end : poseOf(2 * part, i % 2 == 0 ? -3 : 3, part), kAll, 1);
                slew.advance(kTick);
            }
            for (int i = 0; i < 60; ++i) slew.advance(kTick);
            QVERIFY(slew.hasArrived());
            QVERIFY(slew.shown() == end);
        }
    }

    void lessIsEasedIntoSooner()
    {
        double before = 0;
        for (const double far : {0.0, 1e-5, 0.003, 0.03, 0.3, 3.0}) {
            PoseSlew slew;
            slew.jump(poseOf(0, 0, 0));
            const auto pose = poseOf(far, 0, 0);
            slew.ease(pose, 1);
            double seconds = 0, left = far;
            for (; !slew.hasArrived(); seconds += 0.001) {
                slew.advance(0.001);
                const double now = largestTurn(slew.shown(), pose);
                QVERIFY(now <= left);
                left = now;
            }
            QVERIFY(slew.shown() == pose);
            QVERIFY(seconds <= PoseSlew::kEase + 0.002);
            QVERIFY(far < 1e-4 ? seconds == 0 : seconds > before);
            before = seconds;
        }
    }

    /// As the window draws it: the frame itself, unless its pose is on its way.
    void onlyDragsAndSettlingAreOnTheirWay()
    {
        Editor editor(m_solvers);
        makeArc(editor);
        const FramePtr still = editor.finishFrame();
        const auto otherwise = [&](double angle) {
            const auto frame = std::make_shared<FrameResult>(*still);
            frame->solved.local.joints[1].rotation = Quaternion(Eigen::AngleAxisd(angle, Vector3::UnitZ()));
            return frame;
        };
        DrawnPose drawn;
        const Selection none;
        qint64 now = 0;
        drawn.clock = [&] { return now; };
        const auto tick = [&] {
            now += static_cast<qint64>(kTick * 1e9);
            drawn.tick();
        };
        const auto poseFor = [&](const FramePtr& frame) { return drawn.frameFor(frame)->solved.local.joints; };
        drawn.take(still, none);
        QVERIFY(drawn.frameFor(still) == still);

        const auto dragged = otherwise(3);
        dragged->isDragged = true;
        dragged->handles[0].target.goal.position.y() += 0.3;
        drawn.take(dragged, none);
        QVERIFY(drawn.frameFor(dragged) != dragged);
        QVERIFY(largestTurn(poseFor(dragged), still->solved.local.joints) <= PoseSlew::kTurn * kTick + 1e-9);
        QVERIFY(drawn.frameFor(dragged)->find(still->handles[0].handle)->effector !=
                dragged->find(still->handles[0].handle)->effector);         // what is drawn goes with the pose
        QCOMPARE(drawn.frameFor(dragged)->worstError, dragged->worstError); // what is said is of the answer
        for (int i = 0; i < 30; ++i) tick();
        QVERIFY(drawn.frameFor(dragged) == dragged);

        const auto settled = otherwise(-1);
        settled->isSettling = true;
        ++settled->revision; // the last move came with the release
        drawn.take(settled, none);
        QVERIFY(poseFor(settled) == dragged->solved.local.joints);
        for (int i = 0; i < 5; ++i) tick();
        QVERIFY(!drawn.hasArrived());
        for (int i = 0; i < 6; ++i) tick();
        QVERIFY(drawn.hasArrived());
        QVERIFY(drawn.frameFor(settled) == settled);

        // However slowly it is drawn.
        const auto again = otherwise(2);
        again->isSettling = true;
        again->revision = settled->revision;
        drawn.take(again, none);
        now += 1'000'000'000;
        drawn.tick();
        QVERIFY(!drawn.hasArrived());
        drawn.finish();
        QVERIFY(drawn.frameFor(again) == again);

        // An edit is there at once, and a solution of another state of the document does not make it ease.
        const auto edited = otherwise(2);
        drawn.take(edited, none);
        QVERIFY(drawn.frameFor(edited) == edited);
        const auto later = otherwise(1);
        later->isSettling = true;
        later->revision = edited->revision + 1;
        drawn.take(later, none);
        QVERIFY(drawn.frameFor(later) == later);
        const auto played = otherwise(2);
        played->isPlaying = played->isSettling = true;
        drawn.take(played, none);
        QVERIFY(drawn.frameFor(played) == played);
        const auto scrubbed = otherwise(0);
        scrubbed->frame += 1;
        scrubbed->isSettling = true;
        drawn.take(scrubbed, none);
        QVERIFY(drawn.frameFor(scrubbed) == scrubbed);
    }

    /// A joint that the mouse drags is where the mouse is; what solvers turn above it is bounded.
    void theDraggedJointGoesWithTheMouse()
    {
        Editor editor(m_solvers);
        makeArc(editor);
        QVERIFY(editor.document().applyNow({{"op", "removeHandle"}, {"name", "Reach"}}));
        const FramePtr still = editor.finishFrame();
        const auto dragged = std::make_shared<FrameResult>(*still);
        for (LocalTransform& local : dragged->solved.local.joints)
            local.rotation = local.rotation * Quaternion(Eigen::AngleAxisd(2, Vector3::UnitZ()));
        dragged->isDragged = true;
        Selection elbow;
        elbow.select(SelectionItem::of(*editor.document().scene().jointNamed("Elbow")));
        DrawnPose drawn;
        drawn.take(still, elbow);
        drawn.take(dragged, elbow);
        const std::vector<LocalTransform>& shown = drawn.frameFor(dragged)->solved.local.joints;
        QVERIFY(!(shown[0] == dragged->solved.local.joints[0]));
        QVERIFY(shown[1] == dragged->solved.local.joints[1]);
        QVERIFY(shown[2] == dragged->solved.local.joints[2]);
    }

    /// The pelvis is pulled away within one picture, by its goal or by itself: planted feet stay in each of them.
    void feetHoldTheirGoalsWhileThePelvisIsDragged()
    {
        for (const bool byGoal : {true, false}) {
            Editor editor(m_solvers);
            QVERIFY(editor.document().openSample("mannequin"));
            if (!byGoal) QVERIFY(editor.document().applyNow({{"op", "removeHandle"}, {"name", "HipsIK"}}));
            const Scene scene = editor.document().scene(); // each move makes another
            const SelectionItem pelvis = byGoal ? SelectionItem::of(scene.handleNamed("HipsIK")->id)
                                                : SelectionItem::of(*scene.jointNamed("Hips"));
            editor.selection().select(pelvis);
            qint64 now = 0;
            editor.drawnPose().clock = [&] { return now; };
            const FramePtr before = editor.finishFrame();
            const Vector3 from = before->worldFromJoint(*scene.jointNamed("Hips"))->translation();
            QVERIFY(editor.drag().begin(pelvis, DragSession::Kind::Move, before));
            int bent = 0;
            for (const Vector3& way : {Vector3(0.12, -0.2, 0.1), Vector3(-0.15, -0.25, -0.1), Vector3(0.1, -0.05, 0)}) {
                QVERIFY(editor.drag().moveTo(from + way));
                QVERIFY(editor.document().gesture().settle(60000));
                editor.scheduler().finish();
                for (int picture = 0; picture < 4; ++picture) {
                    const FramePtr answer = editor.frame(), shown = editor.drawnFrame();
                    for (const char* foot : {"FootIK_L", "FootIK_R"}) {
                        const HandleView& held = *answer->find(scene.handleNamed(foot)->id);
                        const Vector3& place = shown->find(held.handle)->effector;
                        QVERIFY2((place - held.effector).norm() < 1e-6,
                                 qPrintable(QString("%1 is %2 m off").arg(foot).arg((place - held.effector).norm())));
                        bent += (before->solved.local.joints[at(held.start)].rotation.angularDistance(
                                     shown->solved.local.joints[at(held.start)].rotation) > 0.1);
                    }
                    now += static_cast<qint64>(kTick * 1e9);
                    editor.drawnPose().tick();
                }
            }
            QVERIFY2(bent > 6, qPrintable(QString("the legs turn in %1 pictures: this is no test of it").arg(bent)));
            editor.drag().cancel();
        }
    }

    void grabbingAHandleChangesNothing()
    {
        Editor editor(m_solvers);
        makeArc(editor);
        QVERIFY(!editor.settlement().latest()->solution()->paths.empty()); // or this is no test of it
        for (int frame = 1; frame <= 49; frame += 3) {
            editor.goToFrame(frame);
            const FramePtr before = editor.finishFrame();
            const HandleView& hand = before->handles.front();
            QVERIFY(editor.drag().begin(SelectionItem::of(hand.handle), DragSession::Kind::Move, before));
            QVERIFY(editor.drag().moveTo(hand.target.goal.position + Vector3(1e-7, 0, 0)));
            editor.scheduler().finish();
            QVERIFY(editor.frame()->isDragged);
            QVERIFY(largestTurn(before->solved.local.joints, editor.frame()->solved.local.joints) < 1e-3);
            QVERIFY(largestTurn(before->solved.local.joints, editor.drawnFrame()->solved.local.joints) < 1e-3);
            editor.drag().cancel();
        }
    }

    /// One move or many, the pose is the same; and after the release what never having dragged gives, in all frames, to
    /// the bit, in the window and in a bake.
    void howItWasDraggedDoesNotMatter()
    {
        const Vector3 to(-0.2, 0.5, 0);
        std::vector<LocalTransform> first;
        std::vector<BakedClip> bakes;
        for (const int moves : {0, 1, 7, 58}) {
            Editor editor(m_solvers);
            makeArc(editor);
            editor.goToFrame(17);
            const FramePtr before = editor.finishFrame();
            const Vector3 from = before->handles.front().target.goal.position;
            if (moves == 0) {
                QVERIFY(editor.document().applyNow(
                    {{"op", "setGoal"}, {"handle", "Reach"}, {"position", QJsonArray{to.x(), to.y(), to.z()}}}));
            } else {
                QVERIFY(editor.drag().begin(SelectionItem::of(before->handles.front().handle), DragSession::Kind::Move,
                                            before));
                for (int i = 1; i <= moves; ++i) {
                    const double part = static_cast<double>(i) / moves;
                    const Vector3 aside = 0.4 * std::sin(std::numbers::pi * part) * Vector3(0, -1, 0);
                    QVERIFY(editor.drag().moveTo(i == moves ? to : Vector3(from + part * (to - from) + aside)));
                    editor.scheduler().finish();
                }
                editor.drawnPose().finish();
                const auto& pose = editor.drawnFrame()->solved.local.joints;
                if (moves == 1) first = pose;
                QVERIFY2(largestTurn(first, pose) < 1e-9, qPrintable(QString::number(moves)));
                editor.drag().commit();
            }
            const FramePtr after = editor.finishFrame();
            QVERIFY(editor.isSettled());
            QVERIFY(editor.drawnFrame() == after);
            const Scene& scene = editor.document().scene();
            BakeOptions options;
            options.clip = editor.document().edit().currentClip;
            options.fps = scene.fps;
            options.from = scene.fps.timeOf(1);
            options.to = scene.fps.timeOf(49);
            options.keys = BakedKeys::OnFrames;
            auto baked = bake(scene, m_solvers, options);
            QVERIFY(baked);
            bakes.push_back(*std::move(baked));
            QVERIFY(bakes.back().locals == bakes.front().locals);
            for (const int frame : {1, 16, 17, 18, 30, 49}) {
                editor.goToFrame(frame);
                const FramePtr shown = editor.finishFrame();
                const LocalTransform* row =
                    &bakes.back().locals[static_cast<std::size_t>(frame - 1) * shown->rig->jointCount()];
                for (std::size_t j = 0; j < shown->rig->jointCount(); ++j) {
                    const auto a = shown->solved.local.joints[j].rotation.coeffs(), b = row[j].rotation.coeffs();
                    QVERIFY(a == b || a == -b);
                }
            }
        }
    }

    /// A solution that arrives in the middle of a drag would make its end depend on how fast the mouse was.
    void nothingIsSettledDuringADrag()
    {
        Editor other(m_solvers);
        makeArc(other);
        const auto scene = std::make_shared<const Scene>(other.document().scene());
        const ClipId clip = other.document().edit().currentClip;
        ClipSettlement settlement(m_solvers), reference(m_solvers);
        settlement.setSource(scene, clip);
        settlement.hold(true);
        for (int i = 0; i < 3; ++i) { // long enough for the other one
            reference.setSource(std::make_shared<const Scene>(*scene), clip);
            reference.finish();
        }
        QSignalSpy changes(&settlement, &ClipSettlement::settled);
        QCoreApplication::processEvents();
        QVERIFY(settlement.latest() == nullptr);
        QCOMPARE(changes.size(), 0);
        settlement.hold(false);
        settlement.finish();
        QVERIFY(settlement.isSettled());
    }

    /// The arm is dragged to where the clip's answer is another than the drag's.
    void aReleaseIsEasedIntoUnlessSomethingElseBegins()
    {
        enum class Then { Nothing, Play, Scrub, Grab };
        for (const Then then : {Then::Nothing, Then::Play, Then::Scrub, Then::Grab}) {
            Editor editor(m_solvers);
            makeArc(editor);
            qint64 now = 0;
            editor.drawnPose().clock = [&] { return now; };
            editor.goToFrame(1);
            const FramePtr before = editor.finishFrame();
            const SelectionItem hand = SelectionItem::of(before->handles.front().handle);
            QVERIFY(editor.drag().begin(hand, DragSession::Kind::Move, before));
            QVERIFY(editor.drag().moveTo(0.6 * Vector3(std::cos(1.0), std::sin(1.0), 0)));
            editor.scheduler().finish();
            editor.drawnPose().finish();
            const auto dragged = editor.drawnFrame()->solved.local.joints;
            editor.drag().commit();
            editor.scheduler().finish();
            QVERIFY(editor.drawnFrame()->solved.local.joints == dragged);
            QVERIFY(!editor.isSettled());
            editor.settlement().finish();
            editor.scheduler().finish();
            QVERIFY(largestTurn(editor.frame()->solved.local.joints, dragged) > 1); // or this is no test of it
            QVERIFY(editor.drawnFrame() != editor.frame());
            QVERIFY(editor.drawnFrame()->solved.local.joints == dragged);
            QVERIFY(!editor.isSettled());
            if (then == Then::Play) editor.togglePlayback();
            if (then == Then::Scrub) editor.goToFrame(1);
            if (then == Then::Grab) QVERIFY(editor.drag().begin(hand, DragSession::Kind::Move, editor.frame()));
            auto last = dragged;
            for (int i = 0; then == Then::Nothing && i < 10; ++i) {
                now += static_cast<qint64>(kTick * 1e9);
                editor.drawnPose().tick();
                const auto shown = editor.drawnFrame()->solved.local.joints;
                QVERIFY(largestTurn(last, shown) < 0.5); // of 2.6
                last = shown;
            }
            QVERIFY(editor.drawnFrame() == editor.frame());
            if (then == Then::Nothing) QVERIFY(editor.isSettled());
            editor.playback().stop();
        }
    }
};

TENDON_TEST(TestDrawnPose)
#include "tst_drawn_pose.moc"

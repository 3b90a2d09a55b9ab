#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include "app/widgets/NumberField.h"
#include "app/widgets/TimelineView.h"

#include <QCheckBox>
#include <QJsonArray>
#include <QPushButton>

namespace tendon::test {
namespace {

using namespace editor;

constexpr double kDegree = 3.14159265358979323846 / 180;

/// Journey 4: a leg walks with Auto Key.
class LegJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    QString m_handle;

    [[nodiscard]] std::set<int> keyFrames(ObjectId object)
    {
        std::set<int> frames;
        if (w->document().clip() == nullptr) return frames;
        for (const auto& [channel, keys] : w->document().clip()->channels)
            for (std::size_t i = 0; channel.target == object && i < keys->size(); ++i)
                frames.insert(static_cast<int>(std::lround(w->scene().fps.frameAt((*keys)[i].time))));
        return frames;
    }
    void goTo(int frame)
    {
        w->type("frame", QString::number(frame));
        QCOMPARE(w->document().edit().frame, frame);
    }
    /// A full cell of the quality strip.
    [[nodiscard]] static bool hasAmber(TimelineView& timeline)
    {
        const QRgb amber = Theme::instance().color("status.warn").rgb();
        const QImage image = timeline.grab().toImage();
        for (int x = TimelineView::labelWidth(); x < image.width(); ++x) {
            int high = 0; // soft reach is only a line
            for (int y = image.height() / 2; y < image.height(); ++y)
                high += image.pixelColor(x, y).rgb() == amber ? 1 : 0;
            if (high > 4) return true;
        }
        return false;
    }
    [[nodiscard]] double kneeAngle(const editor::FrameResult& frame) const
    {
        const auto at = [&](const char* name) { return Vector3(frame.worldFromJoint(w->joint(name))->translation()); };
        const Vector3 thigh = at("Thigh") - at("Shin"), shin = at("Foot") - at("Shin");
        return std::acos(std::clamp(thigh.normalized().dot(shin.normalized()), -1.0, 1.0));
    }
    /// Scrubs the timeline with the mouse, frame by frame.
    std::map<int, QByteArray> scrub(int from, int to)
    {
        auto* timeline = w->find<QWidget>("timeline");
        const int first = w->scene().firstFrame, last = w->scene().lastFrame;
        const double left = Theme::instance().px(64), right = timeline->width() - Theme::instance().px(14);
        const auto place = [&](int frame) {
            return QPoint(qRound(left + (frame - first) * (right - left) / (last - first)), 10);
        };
        std::map<int, QByteArray> hashes;
        const int step = from < to ? 1 : -1;
        QTest::mousePress(timeline, Qt::LeftButton, {}, place(from));
        for (int frame = from;; frame += step) {
            QMouseEvent move(QEvent::MouseMove, place(frame), timeline->mapToGlobal(place(frame)), Qt::NoButton,
                             Qt::LeftButton, {});
            QApplication::sendEvent(timeline, &move);
            const FramePtr now = w->state->finishFrame();
            hashes[now->frame] = poseHash(*now);
            if (frame == to) break;
        }
        QTest::mouseRelease(timeline, Qt::LeftButton, {}, place(to));
        return hashes;
    }

private slots:
    void aDummyAboveTheHipMovesNothing();
    void aHandleFromTheDummyToTheFootIsAdded();
    void autoKeyTurnsRedAndKeysOnlyTheGoal();
    void theFirstKeyPastedAtTheEndClosesTheWalk();
    void theWalkPlaysAtTrueSpeedWithoutAJump();
    void scrubbingForwardAndBackwardGivesTheSamePoses();
    void aSoftKneeDoesNotPopNearFullReach();
    void aPelvisBelowARootIsPulledDownWhileTheFeetStay();
};

void LegJourney::aDummyAboveTheHipMovesNothing()
{
    w = std::make_unique<RealWindow>("leg");
    w->clickRow("FootGoal"); // deletes the sample's handle; the test adds its own
    w->key(Qt::Key_Delete);
    QVERIFY(w->scene().handles->empty());
    const FramePtr before = w->frame();
    w->clickRow("Thigh");
    w->command("Dummy parent");
    const FramePtr after = w->frame();
    QCOMPARE(w->scene().joints->size(), before->rig->jointCount() + 1);
    for (const char* joint : {"Dummy", "Thigh", "Shin", "Foot"})
        QVERIFY((before->worldFromJoint(w->joint(joint))->matrix() - after->worldFromJoint(w->joint(joint))->matrix())
                    .norm() < 1e-12);
    const Joint& dummy = *w->scene().find(w->scene().find(w->joint("Thigh"))->parent);
    QVERIFY2(dummy.name.find("dummy") != std::string::npos, dummy.name.c_str());
    // The dummy holds the hip, so it must not move.
    w->clickRow(QString::fromStdString(dummy.name));
    for (const QString axis : {"x", "y", "z"})
        if (auto* box = w->find<QCheckBox>("joint.turn." + axis + ".active"); box->isChecked()) box->click();
    w->settle();
}

void LegJourney::aHandleFromTheDummyToTheFootIsAdded()
{
    const QString dummy = QString::fromStdString(w->scene().find(w->scene().find(w->joint("Thigh"))->parent)->name);
    w->clickRow(dummy);
    w->clickRow("Foot", Qt::ControlModifier);
    w->key(Qt::Key_I, Qt::ControlModifier);
    QCOMPARE(w->scene().handles->size(), std::size_t(1));
    m_handle = QString::fromStdString(w->scene().handles->front().name);
    w->choose("handle.solver", QString::fromStdString(w->solvers.find("two-bone")->name));
    const FramePtr now = w->frame();
    const HandleView& view = now->handles.front();
    QVERIFY2(now->issues.empty(), now->issues.empty() ? "" : now->issues.front().text.c_str());
    QVERIFY((view.target.goal.position - Vector3(now->worldFromJoint(w->joint("Foot"))->translation())).norm() <
            1e-3); // the cross is at the foot's pivot
    QVERIFY(w->state->view().state().showsHandles);
    QCOMPARE(now->rig->id[static_cast<std::size_t>(view.start)], w->joint(qPrintable(dummy)));
}

void LegJourney::autoKeyTurnsRedAndKeysOnlyTheGoal()
{
    w->clickOn("autoKey");
    QVERIFY(w->find<QPushButton>("autoKey")->isChecked());
    const QColor red = Theme::instance().color("time.record");
    QCOMPARE(w->find<QWidget>("viewportFrame")->grab().toImage().pixelColor(1, 1), red);
    goTo(50);
    const Vector3 goal = w->goalOf(qPrintable(m_handle));
    w->command("Right"); // the leg walks along z, so seen from the side it crosses the view
    w->dragTo(goal, goal - Vector3(0, 0, 0.3), 15);
    QVERIFY2(std::abs((w->goalOf(qPrintable(m_handle)) - goal).z() + 0.3) < 0.01,
             qPrintable(QString::number((w->goalOf(qPrintable(m_handle)) - goal).z())));
    const ObjectId handle = w->handle(qPrintable(m_handle)).value;
    QCOMPARE(keyFrames(handle), (std::set<int>{1, 50}));
    for (const auto& [channel, keys] : w->document().clip()->channels) {
        QCOMPARE(channel.target, handle);
        QCOMPARE(channel.property, Property::GoalPosition);
    }
    w->picture("journey4-auto-key");
}

void LegJourney::theFirstKeyPastedAtTheEndClosesTheWalk()
{
    goTo(1);
    const FramePtr start = w->frame();
    w->key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
    goTo(100);
    w->key(Qt::Key_V, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(keyFrames(w->handle(qPrintable(m_handle)).value), (std::set<int>{1, 50, 100}));
    const FramePtr end = w->frame();
    for (std::size_t i = 0; i < start->solved.model.modelFromJoint.size(); ++i)
        QVERIFY((start->solved.model.modelFromJoint[i].matrix() - end->solved.model.modelFromJoint[i].matrix()).norm() <
                1e-4);
    w->clickOn("autoKey");
    QVERIFY(!w->document().edit().isAutoKeyOn);
}

void LegJourney::theWalkPlaysAtTrueSpeedWithoutAJump()
{
    goTo(1);
    int pictures = 0;
    std::set<std::uint64_t> drawn;
    w->key(Qt::Key_Space);
    QVERIFY(w->state->playback().isPlaying());
    QElapsedTimer clock;
    clock.start();
    const double worked = threadSeconds();
    const int begin = w->state->shownFrame();
    int shown = begin;
    double passed = 0; // when `shown` arrived; drawing may take longer than a frame lasts
    const auto connection = connect(&w->state->playback(), &Playback::frameChanged, [&](int frame) {
        shown = frame;
        passed = static_cast<double>(clock.nsecsElapsed()) * 1e-9 * 24;
    });
    while (clock.elapsed() < 1500) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
        if (drawn.insert(w->view->frameShown()).second) ++pictures;
    }
    disconnect(connection);
    w->key(Qt::Key_Space);
    QVERIFY(!w->state->playback().isPlaying());
    // The clock decides the frame, however many were drawn.
    const int frames = shown >= begin ? shown - begin : shown + 100 - begin;
    QVERIFY2(frames > 12 && std::abs(frames - passed) <= 6,
             qPrintable(QString("%1 frames in the time of %2").arg(frames).arg(passed)));
    const double each = (threadSeconds() - worked) / std::max(1, pictures);
    qInfo("%d pictures in 1.5 s, %.0f ms of this thread's processor time for each", pictures, 1000 * each);
    QVERIFY2(pictures > 1 && each < 0.125, qPrintable(QString("%1 s of work for a picture").arg(each)));

    std::optional<double> last;
    std::optional<Quaternion> foot;
    for (int frame = 1; frame <= 100; ++frame) {
        w->state->goToFrame(frame);
        const FramePtr now = w->state->finishFrame();
        const double knee = kneeAngle(*now);
        if (last) QVERIFY2(std::abs(knee - *last) < 25 * kDegree, qPrintable(QString::number(frame)));
        last = knee;
        const Quaternion local =
            now->solved.local.joints[static_cast<std::size_t>(now->rig->index(w->joint("Foot")))].rotation;
        if (foot) QVERIFY(local.coeffs() == foot->coeffs());
        foot = local;
    }
}

void LegJourney::scrubbingForwardAndBackwardGivesTheSamePoses()
{
    const auto back = scrub(100, 1), forth = scrub(1, 100);
    QCOMPARE(back.size(), std::size_t(100));
    QVERIFY(back == forth);
    QVERIFY(back.at(1) == back.at(100) || back.at(1) != back.at(50)); // and the foot does move
    QVERIFY(back.at(1) != back.at(50));
}

void LegJourney::aSoftKneeDoesNotPopNearFullReach()
{
    // The goal leaves the hip on a straight line, at constant speed, to 99 % of the reach.
    const FramePtr now = w->frame();
    const auto at = [&](const char* joint) { return Vector3(now->worldFromJoint(w->joint(joint))->translation()); };
    const Vector3 hip = at("Thigh");
    const double reach = (at("Shin") - hip).norm() + (at("Foot") - at("Shin")).norm();
    const auto place = [&](double share) { return Vector3(hip - Vector3(0, share * reach, 0)); };
    const auto key = [&](int frame, double share) {
        goTo(frame);
        const Vector3 goal = place(share);
        QVERIFY(w->document().apply(
            {{"op", "setGoal"}, {"handle", m_handle}, {"position", QJsonArray{goal.x(), goal.y(), goal.z()}}}));
        QVERIFY(w->document().apply(
            {{"op", "key"}, {"target", m_handle}, {"channels", QJsonArray{"goal"}}, {"interpolation", "linear"}}));
    };
    QVERIFY(w->document().apply({{"op", "addClip"}, {"name", "stretch"}}));
    key(1, 0.6);
    key(100, 0.99);
    // Without soft reach the knee snaps near the end, and the strip below the timeline is amber there.
    scrub(1, 100);
    w->settle();
    w->state->range().finish();
    auto* timeline = w->find<TimelineView>("timeline");
    QVERIFY2(!w->state->range().snapping().empty(), "nothing warns of a knee that snaps");
    QVERIFY(*w->state->range().snapping().begin() > 50);
    QVERIFY(hasAmber(*timeline));
    w->picture("journey4-knee-snaps");
    w->clickRow(m_handle);
    w->type("handle.soft", "0.05");
    QVERIFY(std::abs(w->scene().handles->front().soft - 0.05) < 1e-12);
    double least = 1e9, most = 0, last = 0;
    for (int frame = 1; frame <= 100; ++frame) {
        w->state->goToFrame(frame);
        const double knee = kneeAngle(*w->state->finishFrame());
        if (frame > 1) {
            least = std::min(least, std::abs(knee - last));
            most = std::max(most, std::abs(knee - last));
        }
        last = knee;
    }
    w->state->range().finish();
    QVERIFY(w->state->range().snapping().empty());
    QVERIFY(!hasAmber(*timeline));
    QVERIFY2(most / least <= 3,
             qPrintable(QString("knee rates %1 to %2 degrees a frame").arg(least / kDegree).arg(most / kDegree)));
    w->command("Perspective");
    w->key(Qt::Key_A);
    w->picture("journey4-end");
}

/// Interactive IK is on, as it is at first; the handles are made in the window.
void LegJourney::aPelvisBelowARootIsPulledDownWhileTheFeetStay()
{
    w->document().clear();
    const auto add = [&](const char* name, const QJsonValue& parent, const Vector3& at) {
        QVERIFY(w->document().apply({{"op", "addJoint"},
                                     {"name", name},
                                     {"parent", parent},
                                     {"translation", QJsonArray{at.x(), at.y(), at.z()}}}));
    };
    add("root", QJsonValue(), {0, 0, 0});
    add("hips", "root", {0, 1, 0});
    for (const auto& [side, x] : {std::pair{QString("_L"), 0.1}, {QString("_R"), -0.1}}) {
        add(qPrintable("thigh" + side), "hips", {x, 0, 0});
        add(qPrintable("shin" + side), "thigh" + side, {0, -0.46, 0.06});
        add(qPrintable("foot" + side), "shin" + side, {0, -0.46, -0.06});
        w->window->addHandle({}, w->joint(qPrintable("thigh" + side)), w->joint(qPrintable("foot" + side)));
        (void)w->document().work().finish();
    }
    w->settle();
    QVERIFY(w->state->view().state().isInteractiveIk);
    w->clickRow("hips");
    w->key(Qt::Key_W);
    w->key(Qt::Key_A); // all of it is seen
    const Vector3 root = w->worldOf("root").translation();
    for (const char* dragged : {"hips", "thigh_L"}) {
        w->clickRow(dragged);
        const std::size_t steps = w->document().history().undoCount();
        const Vector3 hips = w->worldOf("hips").translation();
        w->drag(w->worldOf(dragged).translation(), QPoint(0, 30));
        QCOMPARE(w->document().history().undoCount(), steps + 1);
        const Vector3 way = w->worldOf("hips").translation() - hips;
        QVERIFY2(way.y() < -0.03, qPrintable(QString::number(way.y())));
        QVERIFY((w->worldOf("root").translation() - root).norm() < 1e-12);
        for (const editor::HandleView& view : w->frame()->handles) QVERIFY(view.result.positionError < 1e-3);
        w->key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY((w->worldOf("hips").translation() - hips).norm() < 1e-12);
    }
}

} // namespace

std::unique_ptr<QObject> makeLegJourney() { return std::make_unique<LegJourney>(); }

} // namespace tendon::test

#include "Leg.moc"

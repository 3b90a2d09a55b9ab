#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"
#include "tests/support/WalkBvh.h"

#include "app/widgets/retarget/RetargetBody.h"
#include "app/widgets/task/Tasks.h"
#include "core/io/project/ProjectFile.h"

#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>

namespace tendon::test {
namespace {

using namespace editor;

/// A motion of another skeleton is dropped on the mannequin, a pair is corrected by clicks on both figures, and Apply
/// makes the clip that `tendon retarget` makes.
class MotionJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    QTemporaryDir m_folder;
    Scene m_before;

    [[nodiscard]] QString motion() const { return m_folder.filePath("walk.bvh"); }
    [[nodiscard]] RetargetBody* task() { return dynamic_cast<RetargetBody*>(w->window->tasks().current()); }
    [[nodiscard]] const FrameResult& figure() { return *w->state->shown().motion().at(w->frame()->solved.time); }
    [[nodiscard]] Vector3 motionPlace(const char* joint)
    {
        return figure().worldFromJoint(*task()->task().motion().jointNamed(joint))->translation();
    }
    void settle()
    {
        QTRY_VERIFY_WITH_TIMEOUT(task() != nullptr && task()->task().isCurrent(), 60000);
        w->settle();
    }
    [[nodiscard]] static QString ran(const QStringList& arguments)
    {
        QProcess tendon;
        tendon.start(QStringLiteral(TENDON_COMMAND), arguments);
        if (!tendon.waitForFinished(60000) || tendon.exitCode() > 3) return tendon.readAllStandardError();
        return {};
    }

private slots:
    void aMotionIsDroppedOnTheCharacter();
    void bothFiguresStandSideBySide();
    void aPairIsCorrectedByClicksOnBothFigures();
    void bothPlayTogether();
    void applyMakesWhatTheCommandLineMakes();
    void undoTakesAllBack();
};

void MotionJourney::aMotionIsDroppedOnTheCharacter()
{
    QFile file(motion());
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(walkBvh(24)) > 0);
    file.close();
    w = std::make_unique<RealWindow>("mannequin");
    m_before = w->scene();
    QVERIFY(w->drop(motion()));
    QTRY_VERIFY_WITH_TIMEOUT(w->window->findChild<QWidget*>("motionCard") != nullptr, 60000);
    w->find<QWidget>("motionCard")->grab().save(QStringLiteral(TENDON_PICTURES) + "/motion-card.png");
    w->clickOn(QStringLiteral("motion.retarget"));
    settle();
}

void MotionJourney::bothFiguresStandSideBySide()
{
    w->picture("motion-retarget");
    const double between = w->onScreen(w->worldOf("Hips").translation()).x() - w->onScreen(motionPlace("Hips")).x();
    QVERIFY2(between > 60, qPrintable(QString("%1 px between the figures").arg(between)));
    // Both are in view: framed when they came.
    for (const Vector3& place :
         {motionPlace("Head"), motionPlace("LeftFoot"), Vector3(w->worldOf("Hand_L").translation())})
        QVERIFY(w->view->rect().contains(w->onScreen(place)));
}

void MotionJourney::aPairIsCorrectedByClicksOnBothFigures()
{
    w->click(motionPlace("Spine"));
    w->click(w->worldOf("Spine2").translation()); // which is the chest
    settle();
    QCOMPARE(task()->task().operation()["roles"].toObject(), QJsonObject({{"chest", "Spine"}}));
    QVERIFY(task()->canUndo());
    // Nothing can be dragged meanwhile.
    const Affine before = w->worldOf("Hand_L");
    w->drag(before.translation(), QPoint(60, -40));
    QVERIFY(w->worldOf("Hand_L").isApprox(before));
    QVERIFY(w->scene() == m_before);
}

void MotionJourney::bothPlayTogether()
{
    const Vector3 begin = motionPlace("Hips"), characterBegin = w->worldOf("Hips").translation();
    w->key(Qt::Key_Space);
    QVERIFY(w->state->playback().isPlaying());
    QTRY_VERIFY_WITH_TIMEOUT(w->state->shownFrame() > 8, 30000);
    w->key(Qt::Key_Space);
    w->settle();
    const Vector3 way = motionPlace("Hips") - begin, characterWay = w->worldOf("Hips").translation() - characterBegin;
    QVERIFY(way.z() > 0.3);
    QVERIFY2((way - characterWay).norm() < 0.02, "the figures do not walk together");
    w->picture("motion-playing");
}

void MotionJourney::applyMakesWhatTheCommandLineMakes()
{
    QTest::keyClick(w->window.get(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(w->window->tasks().current() == nullptr, 60000);
    w->settle();
    QCOMPARE(w->document().history().undoCount(), std::size_t{1});
    w->picture("motion-applied");

    const auto path = [&](const char* name) { return m_folder.filePath(QLatin1StringView(name)); };
    QVERIFY(writeProject({m_before, {}}, path("rig.tendon").toStdString()));
    QCOMPARE(ran({"retarget", path("rig.tendon"), motion(), "-o", path("made.tendon"), "--set", "chest=Spine"}),
             QString());
    const auto made = readProject(path("made.tendon").toStdString());
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    // Where the view looked from is the window's own.
    const Project seen{w->scene(), {w->document().edit().currentClip, made->state.frame, made->state.camera}};
    QVERIFY(writeProject(seen, path("seen.tendon").toStdString()));
    const auto bytesOf = [&](const char* name) {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray window = bytesOf("seen.tendon");
    QVERIFY(!window.isEmpty());
    QVERIFY2(window == bytesOf("made.tendon"), "the window and the command line make different projects");
    QCOMPARE(w->replayedOn("mannequin"), QString());
}

void MotionJourney::undoTakesAllBack()
{
    QTest::keyClick(w->window.get(), Qt::Key_Z, Qt::ControlModifier);
    w->settle();
    QVERIFY(w->scene() == m_before);
}

} // namespace

std::unique_ptr<QObject> makeMotionJourney() { return std::make_unique<MotionJourney>(); }

} // namespace tendon::test

#include "Motion.moc"

#include "tests/gui/WindowUnderTest.h"

#include "app/viewport/Viewport.h"
#include "core/scene/Check.h"

#include <QDialog>
#include <QFileInfo>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace tendon;
using namespace tendon::editor;

namespace {

/// The editor's window with the real view, driven by the mouse.
struct RealWindow
{
    explicit RealWindow(const char* sample)
    {
        solvers.scan();
        state = std::make_unique<Editor>(solvers);
        view = new viewport::Viewport(*state);
        ViewportPort port;
        port.widget = view;
        port.frameAll = [this] { view->frameAll(); };
        port.frameSelected = [this] { view->frameSelected(); };
        port.lookFrom = [this](CameraKind) { view->lookWithPerspective(); };
        port.grab = [this](QSize size) { return view->grabImage(size); };
        window = std::make_unique<MainWindow>(*state, port);
        window->resize(1366, 768);
        window->show();
        if (!QTest::qWaitForWindowExposed(window.get())) qFatal("the window does not show");
        QApplication::setActiveWindow(window.get());
        if (!state->document().openSample(sample)) qFatal("no sample %s", sample);
        QTest::qWait(150);
        view->frameAll();
        settle();
    }
    void settle()
    {
        QCoreApplication::processEvents();
        state->finishFrame();
        QTest::qWait(20);
    }
    [[nodiscard]] QPoint onScreen(const Vector3& world) const
    {
        const auto at = view->view().project(world).pixel;
        return {qRound(at.x()), qRound(at.y())};
    }
    void moveTo(const QPoint& to)
    {
        QMouseEvent event(QEvent::MouseMove, to, view->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(view, &event);
        QCoreApplication::processEvents();
    }
    /// Presses at a place of the world, goes by some pixels in steps, lets go.
    void drag(const Vector3& from, const QPoint& by, int steps)
    {
        const QPoint begin = onScreen(from);
        QTest::mousePress(view, Qt::LeftButton, {}, begin);
        for (int i = 1; i <= steps; ++i) moveTo(begin + by * i / steps);
        QTest::mouseRelease(view, Qt::LeftButton, {}, begin + by);
        settle();
    }
    [[nodiscard]] HandleId handle(const char* name) const
    {
        const Handle* found = state->document().scene().handleNamed(name);
        if (found == nullptr) qFatal("no handle %s", name);
        return found->id;
    }
    void key(Qt::Key code, Qt::KeyboardModifiers modifiers = {})
    {
        view->setFocus();
        QTest::keyClick(view, code, modifiers);
        settle();
    }

    SolverRegistry solvers;
    std::unique_ptr<Editor> state;
    viewport::Viewport* view = nullptr;
    std::unique_ptr<MainWindow> window;
};

} // namespace

/// Journeys of an animator, through the real window with the real view.
class TestJourneys : public QObject
{
    Q_OBJECT
private:
    QTemporaryDir m_profile;

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void pullAHandOutOfReachAndBack();
    void saveReopenAndExport();
};

void TestJourneys::pullAHandOutOfReachAndBack()
{
    RealWindow w("mannequin");
    EditorDocument& document = w.state->document();
    const HandleId hand = w.handle("HandIK_R");
    const Scene start = document.scene();
    const LocalPose startPose = w.state->finishFrame()->pose.local;

    // The goal's cross is picked, and the arm follows. The walk has keys on it: Auto Key on, so that posing is kept.
    QVERIFY(document.apply({{"op", "autoKey"}, {"on", true}}));
    const Vector3 goal = w.state->frame()->find(hand)->goal;
    QTest::mouseClick(w.view, Qt::LeftButton, {}, w.onScreen(goal));
    w.settle();
    QCOMPARE(w.state->selection().active(), SelectionItem::of(hand));
    const std::uint64_t drawn = w.view->framesDrawn();
    w.drag(goal, {-30, -30}, 15);
    const HandleView near = *w.state->frame()->find(hand);
    QVERIFY2((near.goal - goal).norm() > 0.02, "the goal did not follow the mouse");
    QVERIFY2((near.effector - near.goal).norm() < 1e-3, "the hand did not follow the goal");
    QVERIFY(w.view->framesDrawn() > drawn);
    QCOMPARE(document.history().undoCount(), std::size_t(1));

    // Far out of reach: the strip says so.
    w.drag(near.goal, {-280, -200}, 20);
    QVERIFY(w.state->frame()->find(hand)->isMissed);
    auto* text = w.window->findChild<QLabel*>("status.text");
    QVERIFY(text != nullptr && text->isVisible());
    QVERIFY2(text->text().contains("HandIK_R") && text->text().contains("short"), qPrintable(text->text()));
    QCOMPARE(document.history().undoCount(), std::size_t(2));

    // Twice back: as it was, to the bit.
    w.key(Qt::Key_Z, Qt::ControlModifier);
    w.key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(document.scene() == start);
    QVERIFY(w.state->finishFrame()->pose.local == startPose);
}

void TestJourneys::saveReopenAndExport()
{
    RealWindow w("mannequin");
    EditorDocument& document = w.state->document();
    const QTemporaryDir folder;
    const QString project = folder.filePath("walk.tendon");
    const QString animation = folder.filePath("walk.glb");
    QVERIFY(document.saveAs(project));
    const Scene saved = document.scene();
    QVERIFY(w.window->files().openFile(project));
    QCOMPARE(document.scene().clips.size(), saved.clips.size());
    QCOMPARE(document.scene().joints->size(), saved.joints->size());
    QVERIFY(RecentFiles::list().contains(project));

    QSignalSpy exported(&w.window->files(), &FileActions::exported);
    w.window->files().exportTo(animation, false);
    QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 30000);
    QVERIFY2(exported.first().first().toBool(), "what was read back differs from the scene");
    QVERIFY(QFileInfo(animation).size() > 10000);
    QVERIFY(w.window->findChild<QDialog*>("exportReport") != nullptr);
}

int main(int argc, char** argv)
{
    viewport::Viewport::prepareApplication();
    QApplication application(argc, argv);
    TestJourneys journeys;
    return QTest::qExec(&journeys, argc, argv);
}

#include "tst_journeys.moc"

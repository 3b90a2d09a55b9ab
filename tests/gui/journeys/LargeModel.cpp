#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include "app/widgets/ImportDialog.h"
#include "tests/support/LongTube.h"
#include "tests/support/Picture.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>

#include <utility>

namespace tendon::test {
namespace {

using namespace editor;

/// The longest time that the window's thread works between two events, without drawing, which is slow without a GPU. By
/// its own CPU time, so that other programs may run; tst_slow_solvers checks that the thread never waits.
class EventGaps : public QObject
{
public:
    explicit EventGaps(std::function<double()> drawingSeconds) : m_drawing(std::move(drawingSeconds))
    {
        m_beat.setTimerType(Qt::PreciseTimer);
        connect(&m_beat, &QTimer::timeout, this, [this] { note(); });
        restart();
        m_beat.start(1);
    }
    void restart()
    {
        m_longest = 0;
        m_last = threadSeconds() - m_drawing();
    }
    [[nodiscard]] double longest() const { return m_longest; } ///< [ms]

private:
    void note()
    {
        const double worked = threadSeconds() - m_drawing();
        m_longest = std::max(m_longest, 1000 * (worked - m_last));
        m_last = worked;
    }
    std::function<double()> m_drawing;
    QTimer m_beat;
    double m_last = 0, m_longest = 0; // [s]; [ms]
};

/// 100 000 vertices on 300 joints, and a clip that turns them all.
class LargeModel : public Journey
{
    Q_OBJECT
private:
    static constexpr double kMaxBusy = 50; // [ms]

    std::unique_ptr<RealWindow> w;
    std::unique_ptr<EventGaps> m_gaps;
    QTemporaryDir m_folder;

    [[nodiscard]] FileActions& files() { return w->window->files(); }
    /// Runs and waits until it is done and drawn.
    double gapOf(const std::function<void()>& act, const std::function<bool()>& isDone)
    {
        QCoreApplication::processEvents();
        m_gaps->restart();
        act();
        if (!QTest::qWaitFor(isDone, 60000) || !waitForPicture(*w->view)) return 1e6;
        const auto isAtRest = [&] { return w->view->isAtRest() && !w->state->scheduler().isBusy(); };
        return QTest::qWaitFor(isAtRest, 60000) ? m_gaps->longest() : 1e6;
    }
    void verifyShort(const char* what, double gap)
    {
        qInfo("%s: at most %.0f ms of work between two events", what, gap);
        QVERIFY2(gap < kMaxBusy, qPrintable(QString("%1: %2 ms").arg(what).arg(gap)));
    }
    [[nodiscard]] bool hasModel() { return w->scene().model != nullptr && w->scene().joints->size() == 300; }

private slots:
    void initTestCase();
    void exportingDoesNotBlockTheWindow();
    void importingAndItsPictureDoNotBlockTheWindow();
    void undoAndRedoOfAnImportDoNotBlockTheWindow();
    void savingAndOpeningDoNotBlockTheWindow();
    void cleanupTestCase() { w.reset(); }
};

void LargeModel::initTestCase()
{
    w = std::make_unique<RealWindow>("lamp");
    m_gaps = std::make_unique<EventGaps>(viewport::Viewport::drawingSeconds);
    w->document().adopt(longTube(), {}, "tube");
    for (int i = 0; i < 300; i += 1) {
        const QString name = QString("joint%1").arg(i);
        QVERIFY(w->document().applyNow({{"op", "key"}, {"target", name}}));
    }
    w->settle();
}

void LargeModel::exportingDoesNotBlockTheWindow()
{
    QSignalSpy exported(&files(), &FileActions::exported);
    verifyShort("export", gapOf([this] { files().exportTo(m_folder.filePath("tube.glb"), false); },
                                [&] { return exported.count() == 1; }));
    if (auto* report = w->window->findChild<QDialog*>("exportReport")) report->close();
    QVERIFY(QFile::exists(m_folder.filePath("tube.glb")));
}

void LargeModel::importingAndItsPictureDoNotBlockTheWindow()
{
    QSignalSpy imported(&files(), &FileActions::imported);
    QTimer watch;
    bool isSeen = false, isAsked = false;
    connect(&watch, &QTimer::timeout, this, [&] {
        QWidget* modal = QApplication::activeModalWidget();
        if (auto* dialog = qobject_cast<ImportDialog*>(modal); dialog != nullptr && !std::exchange(isSeen, true))
            QTimer::singleShot(1000, dialog, &QDialog::accept); // its picture has been drawn
        if (modal != nullptr && modal->objectName() == "unsaved" && !std::exchange(isAsked, true)) w->answer("Discard");
    });
    watch.start(20);
    verifyShort("import", gapOf([this] { files().openFile(m_folder.filePath("tube.glb")); },
                                [&] { return imported.count() == 1; }));
    QVERIFY(hasModel());
}

void LargeModel::undoAndRedoOfAnImportDoNotBlockTheWindow()
{
    QVERIFY(hasModel());
    verifyShort("undo of the import", gapOf([this] { w->document().undo(); }, [this] { return !hasModel(); }));
    verifyShort("redo of the import", gapOf([this] { w->document().redo(); }, [this] { return hasModel(); }));
}

void LargeModel::savingAndOpeningDoNotBlockTheWindow()
{
    const QString path = m_folder.filePath("tube.tendon");
    w->document().adopt(Project{.scene = w->scene(), .state = {}}, path.toStdString(), "tube");
    verifyShort("save", gapOf([this] { files().save(); }, [] { return true; }));
    verifyShort("open", gapOf([&] { files().openFile(path); }, [] { return true; }));
    QVERIFY(hasModel());
}

} // namespace

std::unique_ptr<QObject> makeLargeModel() { return std::make_unique<LargeModel>(); }

} // namespace tendon::test

#include "LargeModel.moc"

#include "app/widgets/Outliner.h"
#include "app/widgets/task/Tasks.h"
#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

namespace {

/// Which of three lines are ticked; run() makes a joint for each.
class ThreeLines : public TaskBody
{
public:
    explicit ThreeLines(EditorDocument& document) : m_document(document)
    {
        auto* column = new QVBoxLayout(this);
        for (int i = 0; i < 3; ++i) {
            auto* row = new TaskRow;
            row->setObjectName(QStringLiteral("line%1").arg(i));
            column->addWidget(row);
            m_rows << row;
            connect(row, &TaskRow::ticked, this, [this, i] {
                m_former.push_back(m_ticked);
                m_ticked[static_cast<std::size_t>(i)] = !m_ticked[static_cast<std::size_t>(i)];
                emit changed();
            });
        }
    }
    [[nodiscard]] QString title() const override { return QStringLiteral("Three lines"); }
    [[nodiscard]] QString picture() const override { return QStringLiteral("guess-rig"); }
    [[nodiscard]] QString helpPage() const override { return QStringLiteral("curves"); }
    [[nodiscard]] QString hint() const override { return QStringLiteral("what three lines do"); }
    [[nodiscard]] QString outcome() const override { return QStringLiteral("%1 joints").arg(count()); }
    [[nodiscard]] QString mainText() const override { return QStringLiteral("Make joints"); }
    [[nodiscard]] UserText whyNot() const override
    {
        return count() == 0 ? UserText(QString::fromLatin1("Tick one")) : UserText();
    }
    void run() override
    {
        std::vector<QJsonObject> operations;
        for (std::size_t i = 0; i < m_ticked.size(); ++i)
            if (m_ticked[i]) operations.push_back({{"op", "addJoint"}, {"name", QStringLiteral("made %1").arg(i)}});
        if (m_document.applyAsOne(operations)) emit finished();
    }
    [[nodiscard]] bool canUndo() const override { return !m_former.empty(); }
    void undo() override
    {
        m_ticked = m_former.back();
        m_former.pop_back();
        emit changed();
    }
    [[nodiscard]] QList<QWidget*> rows() const override { return m_rows; }
    void setCompact(bool isCompact) override { wasCompact = isCompact; }

    bool wasCompact = false;

private:
    [[nodiscard]] std::ptrdiff_t count() const { return std::count(m_ticked.begin(), m_ticked.end(), true); }

    EditorDocument& m_document;
    QList<QWidget*> m_rows;
    std::array<bool, 3> m_ticked{};
    std::vector<std::array<bool, 3>> m_former;
};

} // namespace

/// A task in the place of the right dock: what it leaves as it is, its keys, and what it gives back.
class TestTasks : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    static ThreeLines* openIn(WindowUnderTest& w)
    {
        auto* body = new ThreeLines(w.document());
        w.window->tasks().open(body);
        w.settle();
        return body;
    }
    static QDockWidget* dock(WindowUnderTest& w, const char* name) { return w.find<QDockWidget>(name); }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }

    void itTakesTheRightDocksPlaceAndGivesItBack()
    {
        WindowUnderTest w("arm");
        w.window->resize(1600, 1000);
        w.settle();
        const int width = dock(w, "dock.inspector")->width();
        openIn(w);
        QVERIFY(dock(w, "dock.task")->isVisible());
        QVERIFY(dock(w, "dock.inspector")->isHidden());
        QVERIFY(dock(w, "dock.outliner")->isVisible());
        QCOMPARE(dock(w, "dock.task")->width(), 560);
        // Another one takes the first one's place.
        const QPointer<TaskBody> first = w.window->tasks().current();
        openIn(w);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(first == nullptr);
        QTest::mouseClick(w.find<QPushButton>("task.cancel"), Qt::LeftButton);
        w.settle();
        QVERIFY(w.window->tasks().current() == nullptr);
        QVERIFY(dock(w, "dock.inspector")->isVisible());
        QCOMPARE(dock(w, "dock.inspector")->width(), width);
    }

    void inASmallWindowTheOutlinerFoldsToARail()
    {
        WindowUnderTest w("arm");
        const int width = dock(w, "dock.outliner")->width();
        ThreeLines* body = openIn(w);
        QVERIFY(body->wasCompact);
        QVERIFY(dock(w, "dock.outliner")->isHidden());
        QCOMPARE(dock(w, "dock.rail")->width(), 26);
        QCOMPARE(dock(w, "dock.task")->width(), 520);
        QTest::mouseClick(dock(w, "dock.rail")->findChild<QToolButton*>(), Qt::LeftButton);
        w.settle();
        QVERIFY(dock(w, "dock.outliner")->isVisible());
        QVERIFY(w.window->findChild<QDockWidget*>("dock.rail") == nullptr ||
                dock(w, "dock.rail")->isHidden()); // it goes when events are served
        w.key(Qt::Key_Escape);
        QCOMPARE(dock(w, "dock.outliner")->width(), width);
    }

    void keysWalkTickTakeBackAndCarryOut()
    {
        WindowUnderTest w("arm");
        openIn(w);
        const std::size_t joints = w.document().scene().joints->size();
        const std::size_t steps = w.document().history().undoCount();
        QVERIFY(!w.find<QPushButton>("task.main")->isEnabled());
        QCOMPARE(w.find<QPushButton>("task.main")->toolTip(), QString("Tick one"));
        w.key(Qt::Key_Return, Qt::ControlModifier); // nothing is ticked: refused
        QVERIFY(w.window->tasks().current() != nullptr);
        QVERIFY(w.window->focusWidget() == w.find<TaskRow>("line0"));
        w.key(Qt::Key_Space);
        w.key(Qt::Key_Down);
        w.key(Qt::Key_Down);
        QVERIFY(w.window->focusWidget() == w.find<TaskRow>("line2"));
        w.key(Qt::Key_Space);
        w.key(Qt::Key_Up);
        w.key(Qt::Key_Space);
        QCOMPARE(w.find<QLabel>("task.outcome")->text(), QString("3 joints"));
        QVERIFY(!w.state->playback().isPlaying()); // Space ticks here
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(w.find<QLabel>("task.outcome")->text(), QString("2 joints"));
        QCOMPARE(w.document().scene().joints->size(), joints);
        QCOMPARE(w.document().history().undoCount(), steps);
        w.key(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(w.window->tasks().current() == nullptr);
        QCOMPARE(w.document().scene().joints->size(), joints + 2);
        QCOMPARE(w.document().history().undoCount(), steps + 1);
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(w.document().scene().joints->size(), joints);
    }

    void theRestOfTheWindowWorksOnWhileATaskIsOpen()
    {
        WindowUnderTest w("arm");
        openIn(w);
        w.window->viewport().widget->setFocus();
        w.settle();
        QVERIFY(w.find<QLabel>("status.hint")->text().contains("what three lines do"));
        w.window->commands().run(QStringLiteral("time.play"));
        QVERIFY(w.state->playback().isPlaying());
        w.window->commands().run(QStringLiteral("time.play"));
        QVERIFY(w.document().apply({{"op", "addJoint"}, {"name", "other"}}));
        w.settle();
        w.key(Qt::Key_Z, Qt::ControlModifier); // no choice to take back: a step of the document
        QVERIFY(!w.document().scene().jointNamed("other"));
        QVERIFY(w.window->tasks().current() != nullptr);
        w.key(Qt::Key_Escape);
        QVERIFY(w.window->tasks().current() == nullptr);
    }

    void itEndsWithItsDocumentAndLeavesTheLayoutAlone()
    {
        WindowUnderTest w("arm");
        openIn(w);
        QVERIFY(w.document().openSample("leg"));
        w.settle();
        QVERIFY(w.window->tasks().current() == nullptr);
        openIn(w);
        w.document().markUnsaved();
        w.window->commands().run("window.dock.poses");
        dock(w, "dock.outliner")->close();
        w.settle();
        w.window->resetLayout();
        w.settle();
        for (const char* name : {"dock.outliner", "dock.inspector", "dock.time"})
            QVERIFY2(dock(w, name)->isVisible(), name);
        QVERIFY(!dock(w, "dock.poses")->isVisible()); // as in a new window
        QVERIFY(w.window->tasks().current() == nullptr);
    }

    /// What a task has hidden comes back as wide as in a window of the new scale.
    void theScaleMayChangeMeanwhile()
    {
        WindowUnderTest w("arm");
        w.window->resize(2560, 1400);
        w.settle();
        const int before = dock(w, "dock.inspector")->width();
        openIn(w);
        w.window->setTheme(Theme::Kind::Dark, 1.5);
        w.settle();
        w.window->tasks().leave();
        w.settle();
        const int after = dock(w, "dock.inspector")->width();
        Theme::instance().set(Theme::Kind::Dark, 1);
        QVERIFY2(std::abs(after - 1.5 * before) <= 4, qPrintable(QString::number(after)));
    }
};

TENDON_TEST(TestTasks)
#include "tst_tasks.moc"

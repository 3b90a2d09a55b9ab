#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/editor/Theme.h"
#include "app/widgets/TimelineView.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTimer>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// A pose that is not keyed is not lost by what the hands do next.
class TestUnkeyedPose : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    /// The leg with its foot's goal keyed at frame 1, at frame 10 and posed there by a typed number.
    static void pose(WindowUnderTest& w)
    {
        const Handle handle = w.document().scene().handles->front();
        w.select(handle.name.c_str());
        QVERIFY(w.document().apply({{"op", "key"}, {"target", QString::fromStdString(handle.name)}}));
        goTo(w, 10);
        type(w, "goal.y", "31");
        QCOMPARE(w.document().edit().pending.size(), std::size_t(1));
    }
    /// Into a field: opens it, types over what it shows, and presses Return.
    static void type(WindowUnderTest& w, const char* name, const QString& text)
    {
        auto* field = w.find<NumberField>(name);
        QTest::mouseDClick(field, Qt::LeftButton, {}, field->rect().center());
        QTest::keyClicks(field->findChild<QLineEdit*>(), text);
        QTest::keyClick(field->findChild<QLineEdit*>(), Qt::Key_Return);
        w.settle();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    /// By the mouse in the timeline.
    static void goTo(WindowUnderTest& w, int frame)
    {
        auto* line = w.find<TimelineView>("timeline");
        QTest::mouseClick(line, Qt::LeftButton, {}, QPoint(qRound(line->axis().x(frame)), line->height() / 2));
        w.settle();
        QCOMPARE(w.document().edit().frame, frame);
    }

    /// Presses a button of the question that comes up next; `told` becomes what it says, or stays empty.
    static void answerNext(const QString& button, QString* told)
    {
        QTimer::singleShot(0, qApp, [button, told] {
            QMessageBox* box = nullptr;
            if (!QTest::qWaitFor(
                    [&] { return (box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) != nullptr; }))
                return;
            *told = box->objectName() + ": " + box->informativeText();
            for (QAbstractButton* each : box->buttons())
                if (each->text() == button) return QTest::mouseClick(each, Qt::LeftButton);
            box->reject();
        });
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }

    void redoBringsItBackAfterAChangeOfFrame()
    {
        WindowUnderTest w("leg");
        pose(w);
        const PendingValues posed = w.document().edit().pending;
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(w.document().edit().pending.empty());
        goTo(w, 20);
        goTo(w, 10);
        goTo(w, 20);
        w.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(w.document().edit().frame, 10);
        QVERIFY(w.document().edit().pending == posed);
        QVERIFY(std::abs(w.find<NumberField>("goal.y")->value() - 31) < 1e-6);
    }

    void undoBringsItBackAfterAChangeOfFrameAndSaysWhere()
    {
        WindowUnderTest w("leg");
        pose(w);
        const PendingValues posed = w.document().edit().pending;
        const auto* undone = w.find<QLabel>("status.undone");
        QVERIFY(undone->isHidden());
        goTo(w, 20);
        w.key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(w.document().edit().frame, 10);
        QVERIFY(w.document().edit().pending == posed);
        QVERIFY(undone->isVisible());
        QVERIFY2(undone->text().startsWith("Undid: ") && undone->text().endsWith("frame 10"),
                 qPrintable(undone->text()));
        w.key(Qt::Key_Z, Qt::ControlModifier); // the pose itself
        QVERIFY(w.document().edit().pending.empty());
        QCOMPARE(w.document().edit().frame, 10);
        w.key(Qt::Key_Z, Qt::ControlModifier); // the key
        QCOMPARE(w.document().edit().frame, 1);
        QVERIFY(undone->text().endsWith("frame 1"));
        type(w, "goal.x", "3");
        QVERIFY(undone->isHidden());
    }

    void aPosedValueIsColouredUnlikeAKeyedOne_data()
    {
        QTest::addColumn<bool>("isLight");
        QTest::newRow("dark") << false;
        QTest::newRow("light") << true;
    }

    void aPosedValueIsColouredUnlikeAKeyedOne()
    {
        QFETCH(bool, isLight);
        const auto restore = qScopeGuard([] { Theme::instance().set(Theme::Kind::Dark, 1); });
        Theme::instance().set(isLight ? Theme::Kind::Light : Theme::Kind::Dark, 1);
        WindowUnderTest w("leg");
        pose(w);
        const auto ground = [&] {
            auto* field = w.find<NumberField>("goal.y");
            return field->grab().toImage().pixelColor(3, field->height() / 2).name();
        };
        w.find<NumberField>("goal.x")->setFocus();
        const QString posed = ground();
        QCOMPARE(posed, Theme::instance().color("status.warn-tint").name());
        w.window->setFocus();
        w.key(Qt::Key_S);
        QCOMPARE(ground(), Theme::instance().color("time.key-here-field").name());
        goTo(w, 5);
        QCOMPARE(ground(), Theme::instance().color("time.key-elsewhere-field").name());
    }

    void leavingAsksForIt()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath("p.tendon");
        WindowUnderTest w("leg");
        QVERIFY(w.document().saveAs(file));
        pose(w);
        w.key(Qt::Key_S, Qt::ControlModifier); // saves the key of frame 1
        QVERIFY(w.window->isWindowModified());
        QVERIFY(w.find<QLabel>("title")->text().contains("unkeyed pose"));
        QString told;
        answerNext("Cancel", &told);
        QVERIFY(!w.window->close());
        QVERIFY2(told.startsWith("unsaved: ") && told.contains("frame 10"), qPrintable(told));
        QCOMPARE(w.document().edit().pending.size(), std::size_t(1));

        told.clear();
        answerNext("Cancel", &told);
        w.window->commands().run("file.new");
        QVERIFY(told.startsWith("unsaved: "));
        QCOMPARE(w.document().edit().pending.size(), std::size_t(1));

        told.clear();
        answerNext("Key and Save", &told);
        QVERIFY(w.window->close());
        const auto saved = readProject(file.toStdString());
        QVERIFY(saved.has_value());
        QCOMPARE(saved->scene.clips.front()->keyCount(), std::size_t(3)); // of the pole, too
    }

    /// The field shows one decimal of the value.
    void openingAndLeavingANumberChangesNothing()
    {
        WindowUnderTest w("leg");
        const Handle handle = w.document().scene().handles->front();
        w.select(handle.name.c_str());
        type(w, "goal.y", "30.123456");
        QVERIFY(w.document().apply({{"op", "autoKey"}, {"on", true}}));
        goTo(w, 10);
        const Scene before = w.document().scene();
        const std::uint64_t revision = w.document().revision();
        auto* field = w.find<NumberField>("goal.y");
        field->setFocus();
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Tab}) {
            QTest::keyClick(field, Qt::Key_Return);
            auto* edit = field->findChild<QLineEdit*>();
            QVERIFY(edit != nullptr && edit->text() == "30.1");
            QTest::keyClick(edit, key);
            w.settle();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        QTest::mouseDClick(field, Qt::LeftButton, {}, field->rect().center());
        w.find<NumberField>("goal.x")->setFocus();
        w.settle();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCOMPARE(w.document().revision(), revision);
        QVERIFY(w.document().scene() == before);
        // The same digits, typed: another value, and Auto Key keys it.
        type(w, "goal.y", "30.1");
        QVERIFY(w.document().scene() != before);
        QCOMPARE(field->value(), 30.1);
        const KeyList* keys = w.document().clip()->find({handle.id.value, Property::GoalPosition});
        QVERIFY(keys != nullptr);
        const Key* key = keys->at(w.document().scene().fps.timeOf(10));
        QVERIFY(key != nullptr);
        QVERIFY(std::abs(key->value[1] - 0.301) < 1e-9);
    }

    void aNumberThatIsLeftCloses()
    {
        WindowUnderTest w("leg");
        w.select(w.document().scene().handles->front().name.c_str());
        auto* field = w.find<NumberField>("goal.y");
        auto* next = w.find<NumberField>("goal.z");
        const auto edit = [&] {
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            return field->findChild<QLineEdit*>();
        };
        QTest::mouseDClick(field, Qt::LeftButton, {}, field->rect().center());
        QVERIFY(edit() != nullptr);
        next->setFocus();
        QVERIFY(edit() == nullptr);
        QVERIFY(next->hasFocus());
        field->setFocus();
        QTest::keyClick(field, Qt::Key_7); // opens it with a digit, and nothing more is typed
        next->setFocus();
        QVERIFY(edit() == nullptr);
        QVERIFY(next->hasFocus());
        w.settle();
        QVERIFY(std::abs(field->value() - 7) < 1e-6);
        for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Backtab}) {
            field->setFocus();
            QTest::keyClick(field, Qt::Key_8);
            QTest::keyClick(edit(), key);
            QVERIFY(edit() == nullptr);
            auto* opened = qobject_cast<QLineEdit*>(w.window->focusWidget()); // the next one goes on editing
            QVERIFY(opened != nullptr);
            QCOMPARE(opened->parentWidget(), w.find<QWidget>(key == Qt::Key_Tab ? "goal.z" : "goal.x"));
        }
        w.settle();
        QVERIFY(std::abs(field->value() - 8) < 1e-6);
    }

    void theWarningThatItWasDiscardedGoesWithTheNextDeed()
    {
        WindowUnderTest w("leg");
        pose(w);
        goTo(w, 20);
        const auto* text = w.find<QLabel>("status.text");
        QVERIFY2(text->text().contains("not keyed and is discarded"), qPrintable(text->text()));
        goTo(w, 21); // still the same deed: scrubbing
        QVERIFY(text->isVisible() && text->text().contains("not keyed and is discarded"));
        type(w, "goal.x", "3"); // a pose, which changes no key
        QVERIFY(!text->isVisible() || !text->text().contains("is discarded"));
    }
};

TENDON_TEST(TestUnkeyedPose)
#include "tst_unkeyed_pose.moc"

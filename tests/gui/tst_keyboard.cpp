#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/ExportDialog.h"
#include "app/widgets/ImportDialog.h"
#include "app/widgets/ManualDialog.h"
#include "app/widgets/dope/DopeSheet.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTabBar>
#include <QToolButton>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// Everything in the window can be reached without a mouse and read by a screen reader.
class TestKeyboard : public QObject
{
    Q_OBJECT
private:
    QTemporaryDir m_profile;

    static bool isControl(const QWidget* widget)
    {
        return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
               qobject_cast<const QComboBox*>(widget) != nullptr ||
               qobject_cast<const NumberField*>(widget) != nullptr ||
               qobject_cast<const QLineEdit*>(widget) != nullptr ||
               qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
               qobject_cast<const QTabBar*>(widget) != nullptr ||
               qobject_cast<const QPlainTextEdit*>(widget) != nullptr ||
               qobject_cast<const DopeSheet*>(widget) != nullptr;
    }
    /// Qt's internal parts, which work through the control they belong to: the clear button of a line edit, the list of
    /// a combo box.
    static bool isPart(const QWidget* widget)
    {
        const QWidget* parent = widget->parentWidget();
        return qobject_cast<const QHeaderView*>(widget) != nullptr ||
               qobject_cast<const QLineEdit*>(parent) != nullptr || qobject_cast<const QComboBox*>(parent) != nullptr ||
               qobject_cast<const QTabBar*>(parent) != nullptr || widget->objectName().startsWith("qt_");
    }
    static QList<QWidget*> controlsIn(const QWidget& window)
    {
        QList<QWidget*> controls;
        for (auto* widget : window.findChildren<QWidget*>())
            if (widget->isVisible() && widget->window() == &window && isControl(widget) && !isPart(widget))
                controls << widget;
        return controls;
    }
    static QString told(const QWidget* widget)
    {
        QString path;
        for (const QWidget* at = widget; at != nullptr && !at->isWindow(); at = at->parentWidget())
            path +=
                QStringLiteral("%1 \"%2\" < ").arg(QLatin1StringView(at->metaObject()->className()), at->objectName());
        return path;
    }
    /// Names the control in a dialog that has nothing for a screen reader to say; "" if there is none.
    static QString unnamedIn(const QWidget& window)
    {
        for (QWidget* control : controlsIn(window))
            if (spoken(control).isEmpty()) return told(control);
        return {};
    }
    static QString spoken(QWidget* widget)
    {
        return QAccessible::queryAccessibleInterface(widget)->text(QAccessible::Name).trimmed();
    }

    /// From the first control through every enabled one, and around to the first again.
    static bool tabReachesAllOf(QDialog& dialog)
    {
        QApplication::setActiveWindow(&dialog);
        const QWidget* first = dialog.focusWidget();
        QSet<const QWidget*> reached;
        for (int i = 0; i < 200 && dialog.focusWidget() != nullptr && (i == 0 || dialog.focusWidget() != first); ++i) {
            reached.insert(dialog.focusWidget());
            QTest::keyClick(dialog.focusWidget(), Qt::Key_Tab);
        }
        const QList<QWidget*> controls = controlsIn(dialog);
        const auto missed = std::find_if(controls.begin(), controls.end(), [&](const QWidget* control) {
            const auto* button = qobject_cast<const QAbstractButton*>(control);
            const bool isOfGroup = button != nullptr && button->group() != nullptr &&
                                   button->group()->exclusive(); // the arrow keys move within it
            return control->isEnabled() && !isOfGroup &&
                   !reached.contains(control->focusProxy() != nullptr ? control->focusProxy() : control);
        });
        if (missed != controls.end()) qWarning("not reached: %s", qPrintable(told(*missed)));
        return missed == controls.end();
    }

    /// The window with this object selected and this tab open at the bottom.
    static void arrange(WindowUnderTest& w, const QString& selected, int tab)
    {
        const Handle& handle = w.document().scene().handles->front();
        if (selected == "handle") w.select(handle.name.c_str());
        if (selected == "joint") w.state->selection().select(SelectionItem::of(handle.start));
        w.window->showBottom(static_cast<BottomTab>(tab));
        w.settle();
    }
    static void addArrangements()
    {
        QTest::addColumn<QString>("selected");
        QTest::addColumn<int>("tab");
        QTest::newRow("nothing, timeline") << "nothing" << 0;
        QTest::newRow("handle, dope sheet") << "handle" << 1;
        QTest::newRow("joint, log") << "joint" << 2;
        QTest::newRow("handle, script") << "handle" << 3;
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }

    void toolTipsNameTheShortcut()
    {
        WindowUnderTest w("arm");
        for (const KeyPreset preset : {KeyPreset::Maya, KeyPreset::Blender, KeyPreset::Max}) {
            w.window->setKeyPreset(preset);
            int count = 0;
            for (const auto* action : w.window->findChildren<QAction*>()) {
                if (action->shortcut().isEmpty()) continue;
                ++count;
                const QString key = action->shortcut().toString(QKeySequence::NativeText);
                QVERIFY2(action->toolTip().contains(key),
                         qPrintable(action->text() + " has " + key + " and says: " + action->toolTip()));
            }
            QVERIFY(count > 40);
            // Buttons that run a command have the command's help.
            for (const auto* button : w.window->findChildren<QToolButton*>())
                if (button->defaultAction() != nullptr) QCOMPARE(button->toolTip(), button->defaultAction()->toolTip());
            QCOMPARE(w.find<QAbstractButton>("autoKey")->toolTip(), w.window->commands().action("key.auto")->toolTip());
        }
    }

    void everyControlHasANameAndAToolTip_data() { addArrangements(); }
    void everyControlHasANameAndAToolTip()
    {
        QFETCH(QString, selected);
        QFETCH(int, tab);
        WindowUnderTest w("arm");
        arrange(w, selected, tab);
        const QList<QWidget*> controls = controlsIn(*w.window);
        QVERIFY(controls.size() > 30);
        for (QWidget* control : controls) {
            QVERIFY2(!spoken(control).isEmpty(), qPrintable("no name: " + told(control)));
            const auto* button = qobject_cast<QAbstractButton*>(control);
            const bool saysItself = button != nullptr ? !button->text().isEmpty()
                                                      : qobject_cast<NumberField*>(control) == nullptr &&
                                                            qobject_cast<QComboBox*>(control) == nullptr;
            QVERIFY2(saysItself || !control->toolTip().isEmpty(), qPrintable("no tip: " + told(control)));
        }
    }

    void controlsOfDialogsHaveNames()
    {
        WindowUnderTest w("mannequin");
        const Scene& scene = w.document().scene();
        auto* exporting = new ExportDialog(m_profile.filePath("walk"), scene, scene.clips.front()->id, w.window.get());
        auto* manual = new ManualDialog(w.window.get());
        ImportedModel model; // only the dialog's content: the file does not exist
        model.scene = scene;
        auto* importing = new ImportDialog(m_profile.filePath("walk.glb"), model, {}, w.window.get());
        for (QDialog* dialog :
             {static_cast<QDialog*>(exporting), static_cast<QDialog*>(manual), static_cast<QDialog*>(importing)}) {
            dialog->show();
            QVERIFY(QTest::qWaitForWindowExposed(dialog));
            QVERIFY(controlsIn(*dialog).size() >= 4);
            QCOMPARE(unnamedIn(*dialog), QString());
            QVERIFY(tabReachesAllOf(*dialog));
            dialog->close();
        }
        w.window->showTour();
        w.settle();
        QCOMPARE(unnamedIn(*w.window), QString());
    }

    void screenReadersCanReadAndChangeNumbers()
    {
        WindowUnderTest w("arm");
        arrange(w, "handle", 0);
        auto* blend = w.find<NumberField>("channel.blend");
        QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(blend);
        QCOMPARE(reader->role(), QAccessible::SpinBox);
        QCOMPARE(reader->text(QAccessible::Name), QString("IK blend"));
        QCOMPARE(reader->text(QAccessible::Value), QString("1.00"));
        QCOMPARE(reader->valueInterface()->maximumValue().toDouble(), 1.0);
        reader->valueInterface()->setCurrentValue(0.25);
        w.settle();
        QCOMPARE(w.state->finishFrame()->handles.front().target.blend, 0.25);
        QCOMPARE(reader->text(QAccessible::Value), QString("0.25"));
    }

    void tabReachesEveryControl_data() { addArrangements(); }
    void tabReachesEveryControl()
    {
        QFETCH(QString, selected);
        QFETCH(int, tab);
        WindowUnderTest w("arm");
        arrange(w, selected, tab);
        QWidget* view = w.window->viewport().widget;
        view->setFocus();
        // Backwards, since Tab in the view opens the search for commands.
        QSet<QWidget*> reached{view};
        for (int i = 0; i < 400; ++i) {
            QTest::keyClick(w.window->focusWidget(), Qt::Key_Tab, Qt::ShiftModifier);
            if (w.window->focusWidget() == view) break;
            reached.insert(w.window->focusWidget());
        }
        QCOMPARE(w.window->focusWidget(), view); // around, and never trapped
        for (QWidget* control : controlsIn(*w.window)) {
            QWidget* target = control->focusProxy() != nullptr ? control->focusProxy() : control;
            QVERIFY2(!control->isEnabled() || reached.contains(target), qPrintable("not reached: " + told(control)));
        }
    }

    void escapeLeavesTheLinkTool()
    {
        WindowUnderTest w("lamp");
        for (const char* place : {"viewport", "outliner.tree"}) {
            w.find<QWidget>("viewport")->setFocus();
            w.key(Qt::Key_E); // Rotate
            w.key(Qt::Key_L, Qt::ControlModifier);
            QVERIFY(w.state->view().state().tool == Tool::Link);
            w.find<QWidget>(place)->setFocus();
            w.key(Qt::Key_Escape);
            QVERIFY2(w.state->view().state().tool == Tool::Rotate, place);
        }
    }

    void keysCanBeMovedWithTheKeyboard()
    {
        WindowUnderTest w("leg");
        w.window->showBottom(BottomTab::DopeSheet);
        const Handle handle = w.document().scene().handles->front();
        const QString name = QString::fromStdString(handle.name);
        w.select(handle.name.c_str());
        for (const int frame : {5, 9, 30}) {
            w.state->goToFrame(frame);
            QVERIFY(w.document().apply({{"op", "key"}, {"target", name}}));
        }
        w.state->goToFrame(1);
        w.settle();
        auto* sheet = w.find<DopeSheet>("dopeSheet");
        sheet->setFocus();
        const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
            QTest::keyClick(sheet, key, modifiers);
        };
        const auto frames = [&] {
            QList<int> list;
            for (const auto& key : sheet->selected()) list << qRound(key.frame);
            return list;
        };
        w.state->selection().clear();
        for (int i = 0; i < 100 && w.state->selection().active().object != handle.id.value; ++i) press(Qt::Key_Down);
        QCOMPARE(w.state->selection().active().handle().value, handle.id.value);
        press(Qt::Key_Right);
        while (!frames().isEmpty() && frames().first() < 5) press(Qt::Key_Right); // the sample's own keys
        QCOMPARE(frames(), QList<int>{5});
        press(Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(frames(), (QList<int>{5, 9}));
        press(Qt::Key_Right, Qt::ControlModifier);
        press(Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(frames(), (QList<int>{7, 11}));
        press(Qt::Key_Left);
        QCOMPARE(frames(), QList<int>{7});
        press(Qt::Key_Delete);
        QVERIFY(frames().isEmpty());
        press(Qt::Key_Right);
        QCOMPARE(frames(), QList<int>{11});
    }
};

TENDON_TEST(TestKeyboard)
#include "tst_keyboard.moc"

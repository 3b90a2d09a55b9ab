#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/editor/LengthUnit.h"
#include "app/widgets/AboutDialog.h"
#include "app/widgets/Preferences.h"
#include "app/widgets/PreferencesDialog.h"
#include "app/widgets/UndoHistoryDialog.h"

#include <QComboBox>
#include <QDockWidget>
#include <QFontDatabase>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTreeWidget>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// The preferences, keys of the user's own, the history of undo, and what Help says of the program.
class TestPreferences : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    static PreferencesDialog* open(WindowUnderTest& w, const char* command)
    {
        w.window->commands().run(QLatin1StringView(command));
        auto* dialog = w.window->findChild<PreferencesDialog*>();
        if (dialog == nullptr) qFatal("no preferences");
        return dialog;
    }
    static void close(PreferencesDialog* dialog) { delete dialog; }
    /// By the keyboard, as a user does.
    static void choose(QWidget* dialog, const char* name, const QString& text)
    {
        auto* box = dialog->findChild<QComboBox*>(QLatin1StringView(name));
        QVERIFY2(box != nullptr && box->findText(text) >= 0, name);
        for (int i = 0; i < box->count() && box->currentText() != text; ++i)
            QTest::keyClick(box, box->findText(text) > box->currentIndex() ? Qt::Key_Down : Qt::Key_Up);
        QCOMPARE(box->currentText(), text);
    }
    static QTreeWidgetItem* row(QTreeWidget* list, const QString& text)
    {
        const auto rows = list->findItems(text, Qt::MatchExactly);
        if (rows.isEmpty()) qFatal("no row %s", qPrintable(text));
        return rows.first();
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void cleanup()
    {
        QSettings().clear();
        preferences::setLengthUnit(QStringLiteral("cm"));
        Theme::instance().set(Theme::Kind::Dark, 1);
    }

    void whatIsChosenIsInForceAtOnceAndLasts()
    {
        {
            WindowUnderTest w("leg");
            PreferencesDialog* dialog = open(w, "edit.preferences");
            choose(dialog, "preferences.units", "Inches (in)");
            QCOMPARE(LengthUnits::instance().shown().name, "in");
            choose(dialog, "preferences.theme", "Light");
            QVERIFY(!Theme::instance().isDark());
            choose(dialog, "preferences.autosave", "30 seconds");
            QCOMPARE(preferences::autosaveSeconds(), 30);
            choose(dialog, "preferences.backups", "5");
            QCOMPARE(FileActions::backupCount(), 5);
            choose(dialog, "preferences.fps", "30 fps");
            auto* steps = dialog->findChild<NumberField*>(QStringLiteral("preferences.undo"));
            steps->enter(3);
            close(dialog);
            for (int i = 0; i < 6; ++i)
                QVERIFY(w.document().apply({{"op", "rotate"}, {"joint", "Dummy"}, {"axis", "y"}, {"value", i + 1}}));
            QCOMPARE(w.document().history().undoCount(), std::size_t(3));
            w.document().undo();
            w.document().undo();
            w.document().undo();
            QVERIFY(!w.document().undo());
        }
        WindowUnderTest again("leg"); // the next start
        QCOMPARE(LengthUnits::instance().shown().name, "in");
        QCOMPARE(preferences::undoSteps(), 3);
        again.document().markUnsaved();
        again.document().clear();
        again.window->files().newProject();
        QCOMPARE(again.document().scene().fps.perSecond(), 30.0);
    }

    void aKeyIsGivenToACommandAndTakenFromAnother()
    {
        WindowUnderTest w("leg");
        PreferencesDialog* dialog = open(w, "edit.shortcuts");
        QCOMPARE(dialog->findChild<QTabWidget*>()->currentIndex(), 3);
        auto* list = dialog->findChild<QTreeWidget*>(QStringLiteral("shortcuts.list"));
        auto* keys = dialog->findChild<QKeySequenceEdit*>();
        const auto* conflict = dialog->findChild<QLabel*>(QStringLiteral("shortcuts.conflict"));
        list->setCurrentItem(row(list, "Frame all"));
        QCOMPARE(keys->keySequence(), QKeySequence("A"));
        QVERIFY(conflict->text().startsWith("No other"));
        keys->setKeySequence(QKeySequence("S"));
        QVERIFY2(conflict->text().contains("Key"), qPrintable(conflict->text())); // S keys in Maya's
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("shortcuts.assign")), Qt::LeftButton);
        QCOMPARE(w.window->commands().action("view.frameAll")->shortcut(), QKeySequence("S"));
        QVERIFY(w.window->commands().action("key.set")->shortcuts().isEmpty());
        QVERIFY(w.window->commands().action("view.frameAll")->toolTip().endsWith("(S)"));
        close(dialog);
        // Another preset has its own keys, and this one keeps them over a start.
        w.window->setKeyPreset(KeyPreset::Blender);
        QVERIFY(w.window->commands().action("key.set")->shortcuts().contains(QKeySequence("I")));
        w.window->setKeyPreset(KeyPreset::Maya);
        QCOMPARE(w.window->commands().action("view.frameAll")->shortcut(), QKeySequence("S"));
        QSignalSpy run(w.window->commands().action("view.frameAll"), &QAction::triggered);
        w.window->viewport().widget->setFocus();
        w.key(Qt::Key_S);
        QCOMPARE(run.count(), 1);
        dialog = open(w, "edit.shortcuts");
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("shortcuts.resetAll")), Qt::LeftButton);
        QCOMPARE(w.window->commands().action("view.frameAll")->shortcut(), QKeySequence("A"));
        QVERIFY(w.window->commands().action("key.set")->shortcuts().contains(QKeySequence("S")));
        close(dialog);
    }

    void theHistoryNamesStepsAndGoesToThem()
    {
        WindowUnderTest w("leg");
        QVERIFY(w.document().apply({{"op", "rotate"}, {"joint", "Dummy"}, {"axis", "y"}, {"value", 10}}));
        QVERIFY(w.document().apply({{"op", "rename"}, {"target", "Dummy"}, {"to", "Hips"}}));
        w.settle();
        QVERIFY(w.window->commands().action("edit.undo")->text().contains("Hips") ||
                w.window->commands().action("edit.undo")->text().contains("Dummy"));
        const Scene last = w.document().scene();
        w.window->commands().run(QStringLiteral("edit.history"));
        auto* steps = w.window->findChild<QListWidget*>(QStringLiteral("undoHistory.steps"));
        QCOMPARE(steps->count(), 3);
        QCOMPARE(steps->item(0)->text(), QString("Start"));
        QCOMPARE(steps->currentRow(), 2);
        steps->setFocus();
        QTest::keyClick(steps, Qt::Key_Home);
        QCOMPARE(w.document().history().undoCount(), std::size_t(0));
        QVERIFY(!(w.document().scene() == last));
        QTest::keyClick(steps, Qt::Key_End);
        QVERIFY(w.document().scene() == last);
    }

    void aboutSaysVersionAndLicences()
    {
        QCoreApplication::setApplicationVersion(QStringLiteral("1.2.3"));
        WindowUnderTest w("leg");
        w.window->commands().run(QStringLiteral("help.about"));
        auto* about = w.window->findChild<AboutDialog*>();
        QVERIFY(about != nullptr &&
                about->findChild<QLabel*>(QStringLiteral("about.version"))->text().contains("1.2.3"));
        const QString licence = about->findChild<QLabel*>(QStringLiteral("about.licence"))->text();
        QCOMPARE(licence.contains("GPL"), w.solvers.find("ceres") != nullptr);
        QVERIFY(licence.contains("MIT"));
        delete about;
    }

    void theTypefaceComesWithTheProgram()
    {
        if (!QFile::exists(QStringLiteral(":/tendon/fonts/Inter-Regular.otf"))) QSKIP("built without fonts-inter");
        QCOMPARE(QFontInfo(Theme::instance().font()).family(), QString("Inter"));
        QVERIFY(QFile::exists(QStringLiteral(":/tendon/fonts/copyright"))); // with its licence
    }

    /// A window that is scaled while it is open looks as one that was opened at that scale.
    void scalingNeedsNoRestart_data()
    {
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("then");
        QTest::newRow("larger") << 1.0 << 1.5;
        QTest::newRow("smaller") << 2.0 << 1.25;
    }
    void scalingNeedsNoRestart()
    {
        QFETCH(double, first);
        QFETCH(double, then);
        using Sizes = std::map<QString, QSize>;
        const auto sizesOf = [](WindowUnderTest& w) {
            w.select("FootGoal");
            w.window->resize(2200, 1300);
            w.settle();
            w.settle();
            Sizes sizes;
            for (const auto* widget : w.window->findChildren<QWidget*>()) {
                if (!widget->isVisible() || widget->objectName().isEmpty() || widget->objectName().startsWith("qt_"))
                    continue;
                QString path = widget->objectName();
                sizes[path] = widget->size();
            }
            return sizes;
        };
        Theme::instance().set(Theme::Kind::Dark, first);
        Sizes live, fresh;
        {
            WindowUnderTest w("leg");
            (void)sizesOf(w);
            w.window->setTheme(Theme::Kind::Dark, then);
            w.window->resetLayout();
            live = sizesOf(w);
        }
        QSettings().clear();
        {
            WindowUnderTest w("leg");
            fresh = sizesOf(w);
        }
        QVERIFY(fresh.size() > 80);
        QStringList differ;
        for (const auto& [name, size] : fresh) {
            const auto found = live.find(name);
            if (found == live.end())
                differ << name + " is missing";
            else if (std::abs(found->second.width() - size.width()) > 6 ||
                     std::abs(found->second.height() - size.height()) > 3)
                differ << QStringLiteral("%1: %2x%3 for %4x%5")
                              .arg(name)
                              .arg(found->second.width())
                              .arg(found->second.height())
                              .arg(size.width())
                              .arg(size.height());
        }
        QVERIFY2(differ.isEmpty(), qPrintable(differ.join('\n')));
    }
};

TENDON_TEST(TestPreferences)
#include "tst_preferences.moc"

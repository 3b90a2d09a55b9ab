#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/editor/LengthUnit.h"
#include "app/widgets/AboutDialog.h"
#include "app/widgets/NewPluginDialog.h"
#include "app/widgets/Preferences.h"
#include "app/widgets/PreferencesDialog.h"
#include "app/widgets/UndoHistoryDialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
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

    /// Of all that has a name, in the window; the rows of the dope sheet that are seen, and what the outliner scrolls.
    static std::map<QString, QRect> placesIn(WindowUnderTest& w)
    {
        for (int i = 0; i < 3; ++i) w.settle();
        std::map<QString, QRect> places;
        for (const auto* widget : w.window->findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->objectName().isEmpty() || widget->objectName().startsWith("qt_"))
                continue;
            const QPoint at = widget->mapTo(w.window.get(), QPoint());
            if (at.y() < w.window->height()) places[widget->objectName()] = {at, widget->size()};
        }
        const auto* sheet = w.find<QWidget>("dopeSheet");
        const int rows = sheet->isVisible() ? sheet->height() / Theme::instance().size("height.row") : 0;
        const QScrollBar* across = w.find<QTreeWidget>("outliner.tree")->horizontalScrollBar();
        places["rows and scrolling"] = {rows, across->maximum(), 0, 0};
        return places;
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
        auto* resetAll = dialog->findChild<QPushButton*>(QStringLiteral("shortcuts.resetAll"));
        for (const QString& answer : {QStringLiteral("Cancel"), QStringLiteral("Reset all")}) {
            QTest::mouseClick(resetAll, Qt::LeftButton);
            auto* question = dialog->findChild<QMessageBox*>(QStringLiteral("shortcuts.askReset"));
            QVERIFY(question != nullptr);
            QVERIFY2(question->text().contains("2 commands"), qPrintable(question->text())); // one lost it to the other
            QCOMPARE(w.window->commands().action("view.frameAll")->shortcut(), QKeySequence("S")); // not yet
            for (QAbstractButton* button : question->buttons())
                if (button->text() == answer) QTest::mouseClick(button, Qt::LeftButton);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        QVERIFY(!resetAll->isEnabled()); // nothing is left to reset
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

    /// What to do with the plugin can be read whole, copied and opened; Return makes it.
    void aNewPluginSaysHowItIsBuilt()
    {
        WindowUnderTest w("leg");
        NewPluginDialog dialog(w.window.get());
        dialog.open(); // modal, as the menu opens it
        auto* folder = dialog.findChild<QLineEdit*>(QStringLiteral("newPlugin.folder"));
        const QString place = m_profile.path();
        folder->selectAll();
        QTest::keyClicks(folder, place);
        auto* copy = dialog.findChild<QPushButton*>(QStringLiteral("newPlugin.copy"));
        QVERIFY(!copy->isEnabled());
        QTest::keyClick(folder, Qt::Key_Return);
        w.settle();
        const QString script = place + QStringLiteral("/my-reach/build.sh");
        QVERIFY2(QFile::exists(script), qPrintable(script));
        const auto* note = dialog.findChild<QLabel*>(QStringLiteral("newPlugin.note"));
        QVERIFY2(note->height() >= note->heightForWidth(note->width()), qPrintable(QString::number(note->height())));
        QTest::mouseClick(copy, Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), script);
    }

    /// The ring of the keyboard's focus does not stay where the tour was.
    void nothingStaysOfTheTour()
    {
        WindowUnderTest w("leg");
        w.window->showTour();
        w.settle();
        QTest::mouseClick(w.find<QPushButton>("tour.skip"), Qt::LeftButton);
        w.settle();
        QVERIFY(!w.find<QWidget>("tour")->isVisible());
        for (const QWidget* widget : QApplication::allWidgets())
            QVERIFY(widget->objectName() != "focusRing" || !widget->isVisible());
    }

    /// From one scale to the next and back, with a tab open or opened later: all has the sizes that a new window has.
    void scalingOnTheWayIsAsANewWindow_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QList<int>>("tabs"); // at each of the scales, of BottomTab
        const int timeline = static_cast<int>(BottomTab::Timeline), dope = static_cast<int>(BottomTab::DopeSheet),
                  graph = static_cast<int>(BottomTab::Graph);
        QTest::newRow("graph") << QSize(2560, 1410) << QList<int>{graph, graph, graph, graph};
        QTest::newRow("closed after") << QSize(2560, 1410) << QList<int>{dope, timeline, timeline, dope};
    }
    void scalingOnTheWayIsAsANewWindow()
    {
        QFETCH(QSize, size);
        QFETCH(QList<int>, tabs);
        constexpr int kPercents[] = {100, 150, 200, 100};
        Theme::instance().set(Theme::Kind::Dark, 1);
        std::vector<std::map<QString, QRect>> live;
        {
            WindowUnderTest w("leg");
            w.window->resize(size);
            w.select("FootGoal");
            for (std::size_t i = 0; i < std::size(kPercents); ++i) {
                w.window->commands().run(QStringLiteral("window.scale.%1").arg(kPercents[i]));
                w.settle();
                w.window->showBottom(static_cast<BottomTab>(tabs[static_cast<int>(i)]));
                live.push_back(placesIn(w));
                QCOMPARE(w.window->size(), size);
            }
        }
        QStringList differ;
        for (std::size_t i = 0; i < std::size(kPercents); ++i) {
            QSettings().clear();
            Theme::instance().set(Theme::Kind::Dark, kPercents[i] / 100.0);
            WindowUnderTest w("leg");
            w.window->resize(size);
            w.select("FootGoal");
            w.settle();
            w.window->showBottom(static_cast<BottomTab>(tabs[static_cast<int>(i)]));
            const auto fresh = placesIn(w);
            QCOMPARE(w.window->size(), size);
            QVERIFY(fresh.size() > 80);
            const QPoint all[] = {{4, 4}, {6, 4}, {6, 6}, {4, 4}};
            for (const auto& [name, place] : fresh) {
                const auto found = live[i].find(name);
                if (found == live[i].end()) {
                    differ << QStringLiteral("%1 % (%2): %3 is missing").arg(kPercents[i]).arg(i).arg(name);
                    continue;
                }
                const QRect is = found->second;
                if (std::abs(is.width() - place.width()) > all[i].x() ||
                    std::abs(is.height() - place.height()) > all[i].y() || std::abs(is.y() - place.y()) > all[i].y() ||
                    std::abs(is.x() - place.x()) > all[i].x())
                    differ << QStringLiteral("%1 % (%2): %3 is %4,%5 %6x%7, new %8,%9 ")
                                      .arg(kPercents[i])
                                      .arg(i)
                                      .arg(name)
                                      .arg(is.x())
                                      .arg(is.y())
                                      .arg(is.width())
                                      .arg(is.height())
                                      .arg(place.x())
                                      .arg(place.y()) +
                                  QStringLiteral("%1x%2").arg(place.width()).arg(place.height());
            }
        }
        QVERIFY2(differ.isEmpty(), qPrintable(differ.join('\n')));
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

#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"
#include "tests/support/WalkBvh.h"

#include "app/widgets/AboutDialog.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/PreferencesDialog.h"
#include "app/widgets/retarget/RetargetBody.h"
#include "app/widgets/task/Tasks.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStyleOption>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// No widget shows a part of its text, whatever the scale, the theme, the size of the window and the names of joints.
class TestClippedText : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;
    QString m_motion;

    static QString told(const QWidget* widget, const QString& text, int needed, int room)
    {
        QString path;
        for (const QWidget* at = widget; at != nullptr && !at->isWindow(); at = at->parentWidget())
            if (!at->objectName().isEmpty()) path += at->objectName() + " < ";
        return QStringLiteral("%1 \"%2\" needs %3 and has %4 px in %5")
            .arg(QLatin1StringView(widget->metaObject()->className()), text)
            .arg(needed)
            .arg(room)
            .arg(path);
    }
    /// How much of a widget's width is to be seen: up to the edges of what it scrolls in.
    static int seenWidth(const QWidget* widget)
    {
        QRect seen = widget->rect();
        for (const QWidget* at = widget; !at->isWindow(); at = at->parentWidget()) {
            if (at->parentWidget() == nullptr) break;
            const QRect above = at->parentWidget()->rect().translated(-at->mapTo(at->parentWidget(), QPoint()));
            const QPoint origin = widget->mapTo(at, QPoint());
            const int left = std::max(seen.left(), above.left() - origin.x()),
                      right = std::min(seen.right(), above.right() - origin.x());
            seen.setLeft(left);
            seen.setRight(right);
        }
        return seen.width();
    }
    static QString clippedIn(const QLabel& label)
    {
        const bool isElided = qobject_cast<const ElidedLabel*>(&label) != nullptr;
        if (label.text().isEmpty() || isElided || !label.pixmap().isNull()) return {};
        // Hints of one line that may be cut: the status line's, which F1 repeats.
        if (label.objectName() == "status.hint") return {};
        if (label.wordWrap()) {
            const int needed = label.heightForWidth(label.width());
            return needed <= label.height() + 1 ? QString() : told(&label, label.text(), needed, label.height());
        }
        const int needed = label.sizeHint().width(), room = std::min(label.width(), seenWidth(&label));
        return needed <= room + 1 ? QString() : told(&label, label.text(), needed, room);
    }
    static QString clippedIn(const QAbstractButton& button)
    {
        const auto* tool = qobject_cast<const QToolButton*>(&button);
        const bool isPicture = tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly;
        if (button.text().isEmpty() || isPicture) return {};
        const int needed = button.sizeHint().width(), room = std::min(button.width(), seenWidth(&button));
        return needed <= room + 2 ? QString() : told(&button, button.text(), needed, room);
    }
    static QString clippedIn(const QComboBox& box)
    {
        if (qobject_cast<const ChoiceBox*>(&box) != nullptr)
            return {}; // shortens its text, and says all of it in a tip
        const int needed = box.sizeHint().width();
        return needed <= box.width() + 1 ? QString() : told(&box, box.currentText(), needed, box.width());
    }
    static QString clippedIn(const QTabBar& tabs)
    {
        for (int i = 0; i < tabs.count(); ++i) {
            const int needed = tabs.fontMetrics().horizontalAdvance(tabs.tabText(i)), room = tabs.tabRect(i).width();
            const bool isSeen = tabs.tabRect(i).right() <= tabs.width();
            if (needed > room || !isSeen) return told(&tabs, tabs.tabText(i), needed, isSeen ? room : 0);
        }
        return {};
    }
    static QString clippedIn(const NumberField& field)
    {
        const NumberField::Shown shown = field.shown();
        const int room = shown.right - shown.left;
        const int needed = QFontMetrics(Theme::instance().font(12)).horizontalAdvance(shown.number);
        const bool isWhole = !shown.number.isEmpty() && !shown.number.endsWith(QChar(0x2026)) && needed <= room &&
                             seenWidth(&field) >= field.width();
        return isWhole ? QString() : told(&field, field.text(), needed, room);
    }
    /// The first widget that cuts its text off; "" if there is none.
    static QString clippedIn(const QWidget& window)
    {
        for (const auto* widget : window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->window() != &window || widget->objectName().startsWith("qt_")) continue;
            QString found;
            if (const auto* label = qobject_cast<const QLabel*>(widget))
                found = clippedIn(*label);
            else if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
                found = qobject_cast<const QTabBar*>(widget->parentWidget()) != nullptr ? QString()
                                                                                        : clippedIn(*button);
            else if (const auto* box = qobject_cast<const QComboBox*>(widget))
                found = clippedIn(*box);
            else if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
                found = clippedIn(*tabs);
            else if (const auto* field = qobject_cast<const NumberField*>(widget))
                found = clippedIn(*field);
            if (!found.isEmpty()) return found;
        }
        if (const auto* main = qobject_cast<const QMainWindow*>(&window))
            for (QAction* menu : main->menuBar()->actions())
                if (main->menuBar()->actionGeometry(menu).isEmpty()) return told(main, menu->text(), 1, 0);
        return {};
    }
    /// Two parts of the window that cover each other; "" if there are none.
    static QString overlappingIn(const QMainWindow& window)
    {
        QList<const QWidget*> parts;
        for (const auto* part : window.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (part->isVisible() && !part->isWindow() && part->height() > 0 && !part->objectName().startsWith("qt_"))
                parts << part;
        const auto* bottom = window.findChild<QWidget*>(QStringLiteral("bottom"));
        QList<QList<const QWidget*>> groups = {parts, {}};
        for (const auto* part : bottom->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (part->isVisible()) groups[1] << part;
        for (const auto& group : groups)
            for (qsizetype i = 0; i < group.size(); ++i) {
                if (!group[i]->parentWidget()->rect().contains(group[i]->geometry()))
                    return told(group[i], QStringLiteral("inside its parent"), group[i]->geometry().bottom(),
                                group[i]->parentWidget()->height());
                for (qsizetype k = i + 1; k < group.size(); ++k)
                    if (group[i]->geometry().intersects(group[k]->geometry()) &&
                        group[i]->metaObject()->className() != QLatin1StringView("QDockWidgetGroupWindow"))
                        return told(group[i], QLatin1StringView(group[k]->metaObject()->className()), 0, 0);
            }
        return {};
    }
    static void useLongNames(WindowUnderTest& w)
    {
        for (const char* name : {"Thigh", "Shin", "Foot", "FootGoal"})
            QVERIFY(w.document().apply(
                {{"op", "rename"},
                 {"target", name},
                 {"to", QStringLiteral("mixamorig:a_joint_with_a_long_name_of_elsewhere_") + name}}));
        w.settle();
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
        m_motion = m_profile.filePath(QStringLiteral("walk.bvh"));
        QFile file(m_motion);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(test::walkBvh(12));
    }
    void cleanup()
    {
        Theme::instance().set(Theme::Kind::Dark, 1);
        QSettings().clear();
    }

    void aCutLabelIsFound()
    {
        WindowUnderTest w("leg");
        QCOMPARE(clippedIn(*w.window), QString());
        auto* label = new QLabel(QStringLiteral("Words that need room"), w.window.get());
        label->setFixedWidth(40);
        label->show();
        QVERIFY(clippedIn(*w.window).contains("Words that need room"));
        delete label;
        QCOMPARE(clippedIn(*w.window), QString());
        w.select("FootGoal");
        auto* field = w.find<NumberField>("goal.x");
        w.settle();
        field->setMaximumWidth(20);
        field->setValue(-1234.5);
        w.settle();
        QVERIFY(!clippedIn(*w.window).isEmpty());
    }

    void nothingIsCut_data()
    {
        QTest::addColumn<double>("scale");
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<QSize>("size");
        QTest::newRow("100 %") << 1.0 << true << QSize(1366, 740);
        QTest::newRow("100 %, wide") << 1.0 << true << QSize(1920, 1050);
        QTest::newRow("150 %") << 1.5 << true << QSize(1366, 740);
        QTest::newRow("150 %, light, wide") << 1.5 << false << QSize(2560, 1400);
        QTest::newRow("200 %") << 2.0 << true << QSize(2560, 1400);
    }

    void nothingIsCut()
    {
        QFETCH(double, scale);
        QFETCH(bool, isDark);
        QFETCH(QSize, size);
        Theme::instance().set(isDark ? Theme::Kind::Dark : Theme::Kind::Light, scale);
        WindowUnderTest w("leg");
        w.window->resize(size);
        useLongNames(w);
        const Scene& scene = w.document().scene();
        const Handle handle = scene.handles->front();
        for (const SelectionItem& item : {SelectionItem::of(handle.id), SelectionItem::of(handle.start),
                                          SelectionItem::of(handle.end), SelectionItem()}) {
            w.state->selection().select(item);
            w.settle();
            w.settle();
            QCOMPARE(clippedIn(*w.window), QString());
        }
        for (const BottomTab tab : {BottomTab::DopeSheet, BottomTab::Graph, BottomTab::Compare, BottomTab::Log,
                                    BottomTab::Script, BottomTab::Timeline}) {
            w.window->showBottom(tab);
            w.settle();
            w.settle();
            QCOMPARE(clippedIn(*w.window), QString());
        }
        PreferencesDialog preferences(*w.window);
        preferences.show();
        auto* pages = preferences.findChild<QTabWidget*>(QStringLiteral("preferences.pages"));
        for (int page = 0; page < pages->count(); ++page) {
            pages->setCurrentIndex(page);
            QCoreApplication::processEvents();
            QCOMPARE(clippedIn(preferences), QString());
        }
        preferences.hide();
        AboutDialog about(w.solvers, w.window.get());
        about.show();
        QCoreApplication::processEvents();
        QCOMPARE(clippedIn(about), QString());
    }

    void theWindowFitsItsScreen_data()
    {
        QTest::addColumn<double>("scale");
        QTest::addColumn<QSize>("screen");
        QTest::newRow("1366 x 768 at 100 %") << 1.0 << QSize(1366, 768);
        QTest::newRow("1366 x 768 at 150 %") << 1.5 << QSize(1366, 768);
        QTest::newRow("1600 x 1000 at 150 %") << 1.5 << QSize(1600, 1000);
        QTest::newRow("1366 x 768 at 200 %") << 2.0 << QSize(1366, 768);
        QTest::newRow("1600 x 1000 at 200 %") << 2.0 << QSize(1600, 1000);
        QTest::newRow("1920 x 1080 at 200 %") << 2.0 << QSize(1920, 1080);
        QTest::newRow("2560 x 1440 at 200 %") << 2.0 << QSize(2560, 1440);
    }

    /// With every panel and every task open, in a window that is scaled while it is open.
    void theWindowFitsItsScreen()
    {
        QFETCH(double, scale);
        QFETCH(QSize, screen);
        const QSize room = screen - QSize(0, 62); // for the desktop's panel and the window's title
        WindowUnderTest w("mannequin");
        w.window->resize(room);
        w.settle();
        w.window->setTheme(Theme::Kind::Dark, scale);
        w.settle();
        w.select("HandIK_R");
        const auto fits = [&](const QString& what) {
            w.settle();
            w.settle();
            const QSize least = w.window->minimumSizeHint(), size = w.window->size();
            QVERIFY2(least.width() <= room.width() && least.height() <= room.height() && size == room,
                     qPrintable(QStringLiteral("%1: at least %2 x %3, is %4 x %5 of %6 x %7")
                                    .arg(what)
                                    .arg(least.width())
                                    .arg(least.height())
                                    .arg(size.width())
                                    .arg(size.height())
                                    .arg(room.width())
                                    .arg(room.height())));
            QVERIFY2(clippedIn(*w.window).isEmpty(), qPrintable(what + ": " + clippedIn(*w.window)));
            QVERIFY2(overlappingIn(*w.window).isEmpty(), qPrintable(what + ": " + overlappingIn(*w.window)));
        };
        const auto fitsWithEveryPanel = [&](const QString& task) {
            w.settle();
            w.settle();
            const QPoint tabs = w.find<QTabBar>("bottom.tabs")->mapTo(w.window.get(), QPoint());
            for (const BottomTab tab : {BottomTab::DopeSheet, BottomTab::Graph, BottomTab::Compare, BottomTab::Log,
                                        BottomTab::Script, BottomTab::Timeline}) {
                w.window->showBottom(tab);
                fits(QStringLiteral("%1, tab %2").arg(task).arg(static_cast<int>(tab)));
                if (QTest::currentTestFailed()) return;
                QCOMPARE(w.find<QTabBar>("bottom.tabs")->mapTo(w.window.get(), QPoint()), tabs); // they stand still
            }
        };
        fitsWithEveryPanel(QStringLiteral("no task"));
        if (QTest::currentTestFailed()) return;
        w.window->commands().run(QStringLiteral("rig.rigIt"));
        fitsWithEveryPanel(QStringLiteral("Rig it"));
        if (QTest::currentTestFailed()) return;
        w.window->files().readMotion(m_motion);
        QTRY_VERIFY(dynamic_cast<RetargetBody*>(w.window->tasks().current()) != nullptr);
        fitsWithEveryPanel(QStringLiteral("Retarget"));
        if (QTest::currentTestFailed()) return;
        // Its table is what the task is about: some of its rows are seen at once, where a window can have them.
        if (room.height() < 450 * scale) return;
        const auto* table = w.find<QWidget>("retarget.table");
        const auto* area = w.find<QScrollArea>("task.area");
        const int seen = area->viewport()->height() - table->mapTo(area->viewport(), QPoint()).y();
        QVERIFY2(seen >= std::min(table->height(), Theme::instance().px(25 + 7 * 23 / 2)),
                 qPrintable(QStringLiteral("%1 px of the table").arg(seen)));
    }
};

TENDON_TEST(TestClippedText)
#include "tst_clipped_text.moc"

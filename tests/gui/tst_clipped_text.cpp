#include "tests/gui/ClippedText.h"
#include "tests/gui/EveryPanel.h"
#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"
#include "tests/support/WalkBvh.h"

#include "app/widgets/retarget/RetargetBody.h"
#include "app/widgets/task/Tasks.h"

#include <QLabel>
#include <QScrollArea>
#include <QTabBar>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::clippedIn;
using tendon::test::overlappingIn;
using tendon::test::WindowUnderTest;

/// No widget shows a part of its text, whatever the scale, the theme, the size of the window and the names of joints.
class TestClippedText : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;
    QString m_motion;

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
        QTest::newRow("150 %, light") << 1.5 << false << QSize(1366, 740);
        QTest::newRow("200 %") << 2.0 << true << QSize(2560, 1400);
    }

    void nothingIsCut()
    {
        QFETCH(double, scale);
        QFETCH(bool, isDark);
        QFETCH(QSize, size);
        Theme::instance().set(isDark ? Theme::Kind::Dark : Theme::Kind::Light, scale);
        WindowUnderTest w("mannequin");
        w.window->resize(size);
        QStringList cut;
        const auto look = [&](const QString& name, QWidget* dialog) {
            const QString found = clippedIn(dialog != nullptr ? *dialog : *w.window);
            const QString covered = dialog != nullptr ? QString() : overlappingIn(*w.window);
            for (const QString& each : {found, covered})
                if (!each.isEmpty()) cut << name + ": " + each;
        };
        test::EveryPanel(
            *w.window, [&] { w.settle(); }, look)
            .visit();
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join('\n')));
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

#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/editor/LengthText.h"
#include "app/widgets/Preferences.h"
#include "core/math/Degrees.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QScopeGuard>
#include <QTabBar>
#include <QTimer>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// Numbers of the inspector as hands use them: Tab, units, several objects, the right button.
class TestNumbers : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    static void release() { QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); }
    static QLineEdit* open(WindowUnderTest& w, const char* name)
    {
        auto* field = w.find<NumberField>(name);
        field->setFocus();
        QTest::keyClick(field, Qt::Key_F2);
        return field->findChild<QLineEdit*>();
    }
    static void type(WindowUnderTest& w, const char* name, const QString& text)
    {
        QLineEdit* edit = open(w, name);
        QVERIFY(edit != nullptr);
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
        release();
        w.settle();
        w.settle();
    }
    /// Chooses an entry of the menu of the right button; false: it is grey or not there.
    static bool choose(WindowUnderTest& w, const char* name, const QString& entry)
    {
        auto* field = w.find<NumberField>(name);
        bool isDone = false;
        QTimer clicking; // until the menu is there
        QObject::connect(&clicking, &QTimer::timeout, qApp, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (menu == nullptr || !menu->isVisible()) return;
            clicking.stop();
            for (QAction* action : menu->actions())
                if (action->text() == entry && action->isEnabled()) {
                    isDone = true;
                    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
                }
            if (menu->isVisible()) menu->close();
        });
        clicking.start(10);
        const QPoint at = field->rect().center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, field->mapToGlobal(at));
        QApplication::sendEvent(field, &event);
        (void)QTest::qWaitFor([&] { return !clicking.isActive(); });
        release();
        w.settle();
        w.settle();
        return isDone;
    }
    static double goal(WindowUnderTest& w, const char* handle, std::size_t axis)
    {
        const Scene& scene = w.document().scene();
        return sampleChannel(scene, w.document().clip(), w.document().edit().pending,
                             {scene.handleNamed(handle)->id.value, Property::GoalPosition},
                             scene.fps.timeOf(w.document().edit().frame))[axis];
    }

private slots:
    /// An accuracy of 1e-8 is no 0.000000, and a drag goes through its magnitudes.
    void aNumberOfAnyMagnitudeIsShownByItsDigits()
    {
        WindowUnderTest w("leg");
        QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"solver", "constrained"}}));
        w.select("FootGoal");
        auto* accuracy = w.find<NumberField>("solver.accuracy");
        QCOMPARE(accuracy->text(), QString("1e-08"));
        QTest::mousePress(accuracy, Qt::LeftButton, {}, QPoint(10, 10));
        QTest::mouseMove(accuracy, QPoint(60, 10)); // 50 pixels are a magnitude
        QTest::mouseRelease(accuracy, Qt::LeftButton, {}, QPoint(60, 10));
        w.settle();
        QCOMPARE(accuracy->text(), QString("1e-07"));
        const std::map<std::string, double> set = w.document().scene().handles->front().parameters;
        QVERIFY(std::abs(set.at("accuracy") / 1e-7 - 1) < 1e-9);
        type(w, "solver.accuracy", "0.00025");
        QCOMPARE(accuracy->text(), QString("0.00025"));
    }

    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void cleanup() { preferences::setLengthUnit(QStringLiteral("cm")); }

    void tabGoesOnInReadingOrderAndKeepsEditing()
    {
        WindowUnderTest w("leg");
        w.select("FootGoal");
        release(); // of the former numbers
        QLineEdit* edit = open(w, "goal.x");
        QTest::keyClicks(edit, "11");
        const char* order[] = {"goal.x", "goal.y", "goal.z", "goal.rx", "goal.ry", "goal.rz"};
        const double typed[] = {11, 12, 13, 14, 15, 16};
        for (std::size_t i = 1; i < std::size(order); ++i) {
            QTest::keyClick(edit, Qt::Key_Tab);
            release();
            w.settle();
            edit = w.find<NumberField>(order[i])->findChild<QLineEdit*>();
            QVERIFY2(edit != nullptr && edit->hasFocus(), order[i]);
            QCOMPARE(edit->selectedText(), edit->text()); // what is typed replaces it
            QTest::keyClicks(edit, QString::number(typed[i]));
        }
        QTest::keyClick(edit, Qt::Key_Backtab);
        release();
        QVERIFY(w.find<NumberField>("goal.ry")->findChild<QLineEdit*>() != nullptr);
        QTest::keyClick(w.find<NumberField>("goal.ry")->findChild<QLineEdit*>(), Qt::Key_Escape);
        release();
        w.settle();
        for (std::size_t i = 0; i < std::size(order); ++i)
            QVERIFY2(std::abs(w.find<NumberField>(order[i])->value() - typed[i]) < 1e-6, order[i]);
    }

    void aWrongNumberKeepsItsField()
    {
        WindowUnderTest w("leg");
        w.select("FootGoal");
        release(); // of the former numbers
        QLineEdit* edit = open(w, "goal.x");
        QTest::keyClicks(edit, "twelve");
        QTest::keyClick(edit, Qt::Key_Tab);
        QVERIFY(edit->isVisible() && edit->hasFocus() && edit->property("wrong").toBool());
    }

    void lengthsAreShownAndTypedInTheUnitOfTheUser_data()
    {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("shown");
        QTest::newRow("cm") << "cm"
                            << "2.5in + 3.02"
                            << "9.4";
        QTest::newRow("m") << "m"
                           << "2.5in + 0.0302"
                           << "0.094"; // a number without a unit is in metres
        QTest::newRow("in") << "in"
                            << "9.37cm"
                            << "3.69";
    }

    void lengthsAreShownAndTypedInTheUnitOfTheUser()
    {
        QFETCH(QString, unit);
        QFETCH(QString, typed);
        QFETCH(QString, shown);
        WindowUnderTest w("leg");
        w.select("FootGoal");
        release(); // of the former numbers
        preferences::setLengthUnit(unit);
        type(w, "goal.x", typed);
        QVERIFY2(std::abs(goal(w, "FootGoal", 0) - 0.0937) < 1e-9, qPrintable(QString::number(goal(w, "FootGoal", 0))));
        QCOMPARE(w.find<NumberField>("goal.x")->text(), shown);
        QVERIFY(fieldLengthText(0.0937).endsWith(' ' + unit));
        // A change works on what is shown, and each field says the unit.
        type(w, "goal.x", "*2");
        QVERIFY(std::abs(goal(w, "FootGoal", 0) - 0.1874) < 1e-9);
        for (const auto* field : w.window->findChildren<NumberField*>())
            if (field->format().unit == "cm") QCOMPARE(field->shownUnit(), unit);
    }

    void aDragMovesAllSelectedByAsMuch()
    {
        WindowUnderTest w("mannequin");
        const Scene& scene = w.document().scene();
        w.state->selection().select({SelectionItem::of(scene.handleNamed("FootIK_L")->id),
                                     SelectionItem::of(scene.handleNamed("FootIK_R")->id)});
        w.settle();
        const double left = goal(w, "FootIK_L", 1), right = goal(w, "FootIK_R", 1);
        QVERIFY(left != right);
        auto* field = w.find<NumberField>("goal.y");
        QCOMPARE(field->text(), NumberField::mixedText());
        const std::size_t steps = w.document().history().undoCount();
        const QPoint from = field->rect().center();
        QTest::mousePress(field, Qt::LeftButton, {}, from);
        for (int x = 1; x <= 50; ++x) QTest::mouseMove(field, from + QPoint(x, 0));
        QTest::mouseRelease(field, Qt::LeftButton, {}, from + QPoint(50, 0));
        w.settle();
        const double by = goal(w, "FootIK_R", 1) - right;
        QVERIFY2(by > 0.03, qPrintable(QString::number(by)));
        QVERIFY(std::abs(goal(w, "FootIK_L", 1) - left - by) < 1e-9);
        QCOMPARE(w.document().history().undoCount(), steps + 1);
    }

    void fingersTurnTogether()
    {
        WindowUnderTest w("mannequin");
        std::vector<SelectionItem> fingers;
        for (const char* name : {"Index1_L", "Middle1_L"})
            if (const auto joint = w.document().scene().jointNamed(name)) fingers.push_back(SelectionItem::of(*joint));
        QCOMPARE(fingers.size(), std::size_t(2));
        w.state->selection().select(fingers);
        w.settle();
        auto* field = w.find<NumberField>("channel.rz");
        const auto angle = [&](const SelectionItem& item) {
            const FramePtr frame = w.state->finishFrame();
            return degrees(frame->solved.local.angles[at(frame->rig->index(item.joint()))].z());
        };
        const double first = angle(fingers[0]), second = angle(fingers[1]);
        const QPoint from = field->rect().center();
        QTest::mousePress(field, Qt::LeftButton, {}, from);
        for (int x = 1; x <= 12; ++x) {
            QTest::mouseMove(field, from - QPoint(x, 0));
            w.settle();
        }
        QTest::mouseRelease(field, Qt::LeftButton, {}, from - QPoint(12, 0));
        w.settle();
        QVERIFY(std::abs(angle(fingers[0]) - first) > 3);
        QVERIFY2(std::abs((angle(fingers[0]) - first) - (angle(fingers[1]) - second)) < 1e-6,
                 qPrintable(QString("%1 %2").arg(angle(fingers[0]) - first).arg(angle(fingers[1]) - second)));
    }

    void theRightButtonCopiesPastesAndMirrors()
    {
        WindowUnderTest w("mannequin");
        w.select("FootIK_L");
        release(); // of the former numbers
        type(w, "goal.x", "31.25");
        QVERIFY(choose(w, "goal.x", "Copy"));
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("31.25 cm"));
        w.select("FootIK_R");
        release(); // of the former numbers
        QVERIFY(choose(w, "goal.x", "Paste mirrored"));
        QVERIFY(std::abs(goal(w, "FootIK_R", 0) + 0.3125) < 1e-9);
        QVERIFY(choose(w, "goal.y", "Paste mirrored")); // up is up on both sides
        QVERIFY(std::abs(goal(w, "FootIK_R", 1) - 0.3125) < 1e-9);
        QVERIFY(choose(w, "goal.z", "Paste"));
        QVERIFY(std::abs(goal(w, "FootIK_R", 2) - 0.3125) < 1e-9);
        QGuiApplication::clipboard()->setText("not a number");
        QVERIFY(!choose(w, "goal.x", "Paste"));
        QVERIFY(choose(w, "goal.x", "Reset"));
        QVERIFY(std::abs(goal(w, "FootIK_R", 2) - 0.3125) > 1e-3);
    }

    void theRightButtonKeysLocksAndShowsTheGraph()
    {
        WindowUnderTest w("leg");
        w.select("Shin");
        release(); // of the former numbers
        const JointId shin = *w.document().scene().jointNamed("Shin");
        const auto isActive = [&] { return w.document().scene().find(shin)->turning[0].active; };
        const bool before = isActive();
        QVERIFY(choose(w, "channel.rx", "Lock against IK")); // two-bone could not be without the knee: said, not done
        QCOMPARE(isActive(), before);
        QVERIFY(w.find<QLabel>("status.text")->text().contains("two-bone"));
        QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"solver", "dls"}}));
        w.settle();
        release();
        QVERIFY(choose(w, "channel.rx", "Lock against IK"));
        QCOMPARE(isActive(), !before);
        QVERIFY(choose(w, "channel.rx", "Lock against IK"));
        QVERIFY(!choose(w, "channel.rx", "Show in graph")); // no keys yet
        QVERIFY(choose(w, "channel.rx", "Key"));
        const ChannelId channel{shin.value, Property::Rx};
        QVERIFY(w.document().clip()->find(channel) != nullptr);
        QVERIFY(choose(w, "channel.rx", "Show in graph"));
        QCOMPARE(w.find<QTabBar>("bottom.tabs")->currentIndex(), static_cast<int>(BottomTab::Graph));
        QVERIFY(choose(w, "channel.rx", "Delete key"));
        QVERIFY(w.document().clip() == nullptr || w.document().clip()->find(channel) == nullptr);
    }

    /// What is typed is seen: no hidden value of a joint that IK drives.
    void aTypedRotationOfADrivenJointTurnsItsChain()
    {
        WindowUnderTest w("mannequin");
        w.select("UpperArm_R");
        release(); // of the former numbers
        auto* field = w.find<NumberField>("channel.rz");
        const double wanted = std::round(field->value()) + 8;
        const Scene before = w.document().scene();
        type(w, "channel.rz", QString::number(wanted));
        QVERIFY2(std::abs(w.find<NumberField>("channel.rz")->value() - wanted) < 0.5,
                 qPrintable(QString("%1 for %2").arg(w.find<NumberField>("channel.rz")->value()).arg(wanted)));
        const ObjectId arm = w.document().scene().jointNamed("UpperArm_R")->value;
        for (const Property p : {Property::Rx, Property::Ry, Property::Rz, Property::Rotation}) {
            QVERIFY(before.staticValue({arm, p}) == w.document().scene().staticValue({arm, p}));
            QVERIFY(w.document().edit().pending.count({arm, p}) == 0);
        }
        const FramePtr frame = w.state->finishFrame();
        for (const HandleView& view : frame->handles) QVERIFY(!view.isMissed);
    }
};

TENDON_TEST(TestNumbers)
#include "tst_numbers.moc"

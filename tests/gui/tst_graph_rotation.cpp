#include "tests/gui/GraphUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/graph/BreakdownSlider.h"
#include "app/widgets/graph/CurveTrace.h"
#include "core/runtime/KeySampling.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QScopeGuard>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::GraphUnderTest;

/// The tab Graph: whole rotations, what comes before and after the keys, breakdowns and the buffer.
class TestGraphRotation : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    /// The joint "Wrist" with keys of its whole rotation at 1, 20 and 40.
    static JointId keyedWrist(GraphUnderTest& w)
    {
        for (const auto& [frame, angle] : {std::pair(1, 0), std::pair(20, 40), std::pair(40, -20)}) {
            w.apply({{"op", "setFrame"}, {"value", frame}});
            w.apply({{"op", "setPose"}, {"joint", "Wrist"}, {"rotation", QJsonArray{angle, 0, 0}}});
            w.apply({{"op", "key"}, {"target", "Wrist"}, {"channels", QJsonArray{"rotation"}}});
        }
        w.select("Wrist");
        (void)w.view->grab();
        return *w.document().scene().jointNamed("Wrist");
    }
    /// Clicks an entry of the graph's context menu, in a submenu if it has one.
    static void choose(GraphUnderTest& w, QPoint at, const QString& submenu, const QString& text)
    {
        bool isDone = false;
        QTimer::singleShot(0, w.view, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (menu == nullptr) return;
            const auto entry = [](QMenu& of, const QString& title) -> QAction* {
                for (QAction* action : of.actions())
                    if (action->text() == title) return action;
                return nullptr;
            };
            QAction* under = entry(*menu, submenu);
            QAction* action = under != nullptr ? entry(*under->menu(), text) : nullptr;
            if (action != nullptr && action->isEnabled()) {
                under->menu()->popup({0, 0});
                QTest::mouseClick(under->menu(), Qt::LeftButton, {}, under->menu()->actionGeometry(action).center());
                isDone = true;
            }
            menu->close();
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, w.view->mapToGlobal(at));
        QApplication::sendEvent(w.view, &event);
        w.settle();
        if (!isDone) qFatal("%s could not be chosen", qPrintable(text));
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void aWholeRotationIsFourCurves();
    void itsNumbersDoNotLeapWhereTheirSignsDo();
    void itsValuesStayInADrag();
    void theHintShowsItAsAngles();
    void theMenuSetsWhatComesAfter();
    void straightIsNotForRotations();
    void theSliderMakesABreakdown();
    void buffersSwap();
    void nothingIsCutOff_data();
    void nothingIsCutOff();
};

void TestGraphRotation::aWholeRotationIsFourCurves()
{
    GraphUnderTest w;
    auto* hint = w.find<QWidget>("graph.rotationHint");
    QVERIFY(!hint->isVisible());
    keyedWrist(w);
    QCOMPARE(w.state->curves().size(), std::size_t(4));
    QVERIFY(hint->isVisible());
    QVERIFY(w.view->rect().contains(hint->geometry()));
    QVERIFY(w.find<QToolButton>("graph.showAsAngles")->isVisible());
    // A goal's rotation stays a quaternion.
    w.apply({{"op", "setGoal"}, {"handle", QString::fromStdString(w.handle.name)}, {"rotation", QJsonArray{0, 30, 0}}});
    w.apply(
        {{"op", "key"}, {"target", QString::fromStdString(w.handle.name)}, {"channels", QJsonArray{"goal.rotation"}}});
    w.select(w.handle.name.c_str());
    QVERIFY(hint->isVisible());
    QVERIFY(!w.find<QToolButton>("graph.showAsAngles")->isVisible());
}

/// 170 degrees one way and 170 the other are 20 apart, and their numbers have other signs.
void TestGraphRotation::itsNumbersDoNotLeapWhereTheirSignsDo()
{
    GraphUnderTest w;
    const ChannelId channel{keyedWrist(w).value, Property::Rotation};
    for (const auto& [frame, angle] : {std::pair(20, 170), std::pair(40, -170)}) {
        w.apply({{"op", "setFrame"}, {"value", frame}});
        w.apply({{"op", "setPose"}, {"joint", "Wrist"}, {"rotation", QJsonArray{angle, 0, 0}}});
        w.apply({{"op", "key"}, {"target", "Wrist"}, {"channels", QJsonArray{"rotation"}}});
    }
    (void)w.view->grab();
    const KeyList stored = *w.document().clip()->find(channel);
    double dot = 0;
    for (std::size_t c = 0; c < 4; ++c) dot += stored[1].value[c] * stored[2].value[c];
    QVERIFY(dot < 0);
    for (int c = 0; c < 4; ++c) {
        const GraphCurve* curve = w.state->find({channel, c});
        const auto trace = traceCurve(*curve->keys, Property::Rotation, c, *curve->summary, w.document().scene().fps,
                                      w.view->canvas().time, 0, w.view->width());
        QVERIFY(trace.size() > 100);
        for (std::size_t i = 1; i < trace.size(); ++i)
            QVERIFY2(std::abs(trace[i].value - trace[i - 1].value) < 0.1, qPrintable(QString::number(c)));
    }
}

void TestGraphRotation::itsValuesStayInADrag()
{
    GraphUnderTest w;
    const ChannelId channel{keyedWrist(w).value, Property::Rotation};
    const KeyList before = *w.document().clip()->find(channel);
    const QPoint key = w.view->placeOf({channel, 0}, 20);
    w.press(key);
    QCOMPARE(w.state->selectedCount(), std::size_t(1));
    w.moveTo(key + QPoint(w.inFrames(3).x(), -30));
    w.release(key + QPoint(w.inFrames(3).x(), -30));
    w.settle();
    const KeyList after = *w.document().clip()->find(channel);
    QVERIFY(after[1].time == w.document().scene().fps.timeOf(23)); // in time it goes along
    QCOMPARE(after[1].value, before[1].value);
    QVERIFY(!w.find<NumberField>("graph.value")->isEnabled());
    QVERIFY(w.find<NumberField>("graph.frame")->isEnabled());
}

void TestGraphRotation::theHintShowsItAsAngles()
{
    GraphUnderTest w;
    const ObjectId joint = keyedWrist(w).value;
    const Scene before = w.document().scene();
    QTest::mouseClick(w.find<QToolButton>("graph.showAsAngles"), Qt::LeftButton);
    w.settle();
    QCOMPARE(w.state->curves().size(), std::size_t(3));
    QVERIFY(w.state->find({{joint, Property::Rx}, 0}) != nullptr);
    QVERIFY(!w.find<QWidget>("graph.rotationHint")->isVisible());
    const auto isFramed = [&] { // degrees are not to be looked for beyond -1 ... 1, nor the other way round
        (void)w.view->grab();
        const ValueAxis axis = w.view->canvas().value;
        const auto extent = w.state->extentOfShown(false);
        return extent && axis.low <= extent->low && extent->high <= axis.high &&
               axis.high - axis.low < 2 * (extent->high - extent->low);
    };
    QVERIFY(isFramed());
    w.window->commands().run("graph.asRotation");
    QVERIFY(isFramed());
    QCOMPARE(w.state->curves().size(), std::size_t(4));
    QVERIFY(w.document().undo() && w.document().undo());
    QVERIFY(w.document().scene() == before);
}

void TestGraphRotation::theMenuSetsWhatComesAfter()
{
    GraphUnderTest w;
    const std::size_t steps = w.document().history().undoCount();
    choose(w, w.view->placeOf(w.curve(1), 20), "After the last key", "Cycle");
    QVERIFY(w.keys().after() == Infinity::Cycle);
    QVERIFY(w.keys().before() == Infinity::Constant);
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    choose(w, w.view->placeOf(w.curve(1), 20), "Before the first key", "Linear");
    QVERIFY(w.keys().before() == Infinity::Linear);
    QVERIFY(w.window->commands().action("graph.after.cycle")->isChecked());
    QVERIFY(w.window->commands().action("graph.before.linear")->isChecked());
    QVERIFY(!w.window->commands().action("graph.after.constant")->isChecked());
}

void TestGraphRotation::straightIsNotForRotations()
{
    GraphUnderTest w;
    const ChannelId channel{keyedWrist(w).value, Property::Rotation};
    w.window->commands().refresh();
    QVERIFY(!w.window->commands().action("graph.after.linear")->isEnabled());
    w.window->commands().run("graph.after.cycleOffset");
    QVERIFY(w.document().clip()->find(channel)->after() == Infinity::CycleOffset);
}

void TestGraphRotation::theSliderMakesABreakdown()
{
    GraphUnderTest w;
    auto* slider = w.find<BreakdownSlider>("graph.breakdown");
    w.apply({{"op", "setFrame"}, {"value", 40}});
    w.settle();
    QVERIFY(!slider->isEnabled()); // nothing comes after
    w.apply({{"op", "setFrame"}, {"value", 30}});
    w.settle();
    QVERIFY(slider->isEnabled());
    const KeyList before = w.keys();
    const std::size_t steps = w.document().history().undoCount();
    const QPoint middle = slider->rect().center();
    const auto moveTo = [&](QPoint at) {
        QMouseEvent move(QEvent::MouseMove, at, slider->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(slider, &move);
    };
    QTest::mousePress(slider, Qt::LeftButton, {}, middle);
    moveTo(middle + QPoint(5, 0));
    moveTo(middle + QPoint(15, 0));
    const int percent = slider->value();
    QVERIFY2(percent > 55 && percent < 110, qPrintable(QString::number(percent)));
    QCOMPARE(w.frames(), (std::vector<double>{1, 20, 30, 40})); // it follows
    QTest::mouseRelease(slider, Qt::LeftButton, {}, middle + QPoint(15, 0));
    w.settle();
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    QCOMPARE(slider->value(), 50);
    for (std::size_t c = 0; c < 3; ++c) {
        const double from = before[1].value[c], to = before[2].value[c];
        QVERIFY(std::abs(w.keys()[2].value[c] - (from + percent / 100.0 * (to - from))) < 1e-9);
    }
}

void TestGraphRotation::buffersSwap()
{
    GraphUnderTest w;
    const KeyList first = w.keys();
    w.window->commands().run("graph.buffer");
    w.apply({{"op", "setTangent"},
             {"target", QString::fromStdString(w.handle.name)},
             {"channels", QJsonArray{"goal.position"}},
             {"frame", 20},
             {"in", QJsonArray{1, 2, 3}},
             {"outWeight", 0.7}});
    QTest::mouseDClick(w.view, Qt::LeftButton, {}, w.view->placeOf(w.curve(1), 30));
    w.apply({{"op", "deleteKey"}, {"target", QString::fromStdString(w.handle.name)}, {"frame", 1}});
    w.window->commands().run("graph.after.oscillate");
    w.settle();
    const KeyList second = w.keys();
    QVERIFY(!(second == first));
    const std::size_t steps = w.document().history().undoCount();
    w.window->commands().run("graph.swapBuffer");
    w.settle();
    QVERIFY(w.keys() == first);
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    w.window->commands().run("graph.swapBuffer");
    w.settle();
    QVERIFY(w.keys() == second);
}

void TestGraphRotation::nothingIsCutOff_data()
{
    QTest::addColumn<bool>("isDark");
    QTest::addColumn<double>("scale");
    QTest::addColumn<QSize>("size");
    QTest::newRow("dark-1366") << true << 1.0 << QSize(1366, 740);
    QTest::newRow("light-1366") << false << 1.0 << QSize(1366, 740);
    QTest::newRow("dark-1366-150") << true << 1.5 << QSize(1366, 740);
    QTest::newRow("dark-1920") << true << 1.0 << QSize(1920, 1050);
    QTest::newRow("light-1920-150") << false << 1.5 << QSize(1920, 1050);
    QTest::newRow("dark-911") << true << 1.0 << QSize(911, 485);
}

/// On common screens, with long names. TENDON_PICTURES names a folder for what is seen.
void TestGraphRotation::nothingIsCutOff()
{
    QFETCH(bool, isDark);
    QFETCH(double, scale);
    QFETCH(QSize, size);
    Theme::instance().set(isDark ? Theme::Kind::Dark : Theme::Kind::Light, scale);
    const auto reset = qScopeGuard([] { Theme::instance().set(Theme::Kind::Dark, 1); });
    GraphUnderTest w;
    const QString folder = qEnvironmentVariable("TENDON_PICTURES");
    const auto save = [&](const char* what) {
        if (!folder.isEmpty())
            QVERIFY(w.window->grab().save(folder + u'/' + QTest::currentDataTag() + u'-' + what + ".png"));
    };
    w.window->resize(size);
    w.settle();
    w.window->commands().run("graph.after.cycleOffset");
    w.state->setActive({w.curve(1)});
    w.state->select({{w.curve(1), {w.document().scene().fps.timeOf(20).ticks}}});
    w.settle();
    const auto check = [&] {
        const auto* bar = w.find<QWidget>("graph.bar");
        QVERIFY(bar->width() <= size.width());
        for (const QWidget* child : bar->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
            if (!child->isVisible()) continue;
            QVERIFY2(bar->rect().contains(child->geometry()), qPrintable(child->objectName()));
            for (const QWidget* other : bar->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
                QVERIFY2(other == child || !other->isVisible() || !other->geometry().intersects(child->geometry()),
                         qPrintable(child->objectName() + " and " + other->objectName()));
        }
        QVERIFY(w.view->height() >= w.view->minimumHeight());
    };
    check();
    save("goal");
    keyedWrist(w);
    const QString longer = QStringLiteral("mixamorig_RightHand_of_a_skeleton_from_elsewhere_");
    w.apply({{"op", "rename"}, {"target", "Wrist"}, {"to", longer + "Wrist"}});
    w.settle();
    check();
    const auto* hint = w.find<QWidget>("graph.rotationHint");
    QVERIFY(w.view->rect().contains(hint->geometry()));
    const auto* list = w.find<QTreeWidget>("graph.list");
    QVERIFY(list->columnViewportPosition(1) + list->columnWidth(1) <= list->viewport()->width()); // values are seen
    save("rotation");
}

TENDON_TEST(TestGraphRotation)
#include "tst_graph_rotation.moc"

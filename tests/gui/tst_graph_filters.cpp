#include "tests/gui/GraphUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/widgets/graph/FilterDialog.h"
#include "core/math/Degrees.h"
#include "core/runtime/KeySampling.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::GraphUnderTest;

/// The tab Graph: the Euler filter, and the dialogs that smooth and reduce keys.
class TestGraphFilters : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    static void click(GraphUnderTest& w, const char* name)
    {
        auto* button = w.find<QToolButton>(name);
        QVERIFY2(button->isVisible() && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
        w.settle();
    }
    /// Clicks a button that opens the dialog, and does `work` in it.
    static void inDialog(GraphUnderTest& w, const char* name, const std::function<void(FilterDialog&)>& work)
    {
        bool isDone = false;
        QTimer::singleShot(0, w.view, [&] {
            auto* dialog = qobject_cast<FilterDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr) return;
            work(*dialog);
            isDone = true;
            if (dialog->isVisible()) dialog->reject();
        });
        click(w, name);
        QVERIFY2(isDone, name);
    }
    static void type(FilterDialog& dialog, const char* name, const QString& text)
    {
        auto* field = dialog.findChild<NumberField*>(QLatin1StringView(name));
        if (field == nullptr) qFatal("there is no %s", name);
        QTest::mouseDClick(field, Qt::LeftButton);
        auto* line = field->findChild<QLineEdit*>();
        QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Return);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the line, which would be found again
    }
    static void press(const FilterDialog& dialog, QDialogButtonBox::StandardButton which)
    {
        QPushButton* button = dialog.findChild<QDialogButtonBox*>()->button(which);
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
    }
    static QString outcomeOf(const FilterDialog& dialog)
    {
        return dialog.findChild<QLabel*>(QStringLiteral("graph.filter.outcome"))->text();
    }
    /// Keys of the goal's X [m] at 41, 42, ...: a slope with jitter of 3 mm.
    static void addJitter(GraphUnderTest& w)
    {
        const QString name = QString::fromStdString(w.handle.name);
        for (int i = 1; i <= 20; ++i) {
            const QJsonArray channels{"goal.position"};
            w.apply({{"op", "key"}, {"target", name}, {"channels", channels}, {"frame", 40 + i}});
            w.apply({{"op", "setKeyValue"},
                     {"target", name},
                     {"channels", channels},
                     {"frame", 40 + i},
                     {"components", QJsonArray{"x"}},
                     {"value", 0.2 + 0.01 * i + (i % 2 == 0 ? 0.003 : -0.003)}});
        }
        w.settle();
    }
    /// The wrist with keys of its angle X [degrees] at 1, 2, ..., and of 0 in the others.
    static JointId turned(GraphUnderTest& w, const std::vector<double>& angles)
    {
        for (std::size_t i = 0; i < angles.size(); ++i) {
            const int frame = static_cast<int>(i) + 1;
            w.apply({{"op", "key"}, {"target", "Wrist"}, {"channels", QJsonArray{"angles"}}, {"frame", frame}});
            for (const auto& [channel, value] :
                 {std::pair{"rx", angles[i]}, std::pair{"ry", 0.0}, std::pair{"rz", 0.0}})
                w.apply({{"op", "setKeyValue"},
                         {"target", "Wrist"},
                         {"channels", QJsonArray{channel}},
                         {"frame", frame},
                         {"value", value}});
        }
        w.select("Wrist");
        w.settle();
        return *w.document().scene().jointNamed("Wrist");
    }
    /// How far X of the goal is from where it was, at most, at the frames that `keys` span.
    static double farthest(GraphUnderTest& w, const KeyList& keys)
    {
        const FrameRate fps = w.document().scene().fps;
        double most = 0;
        for (double frame = fps.frameAt(keys.front().time); frame <= fps.frameAt(keys.back().time); ++frame)
            most = std::max(most, std::abs(sampleKeys(keys, Property::GoalPosition, fps.timeOf(frame))[0] -
                                           sampleKeys(w.keys(), Property::GoalPosition, fps.timeOf(frame))[0]));
        return most;
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }
    void theEulerFilterTakesTurnsOut();
    void smoothingIsShownAtOnce();
    void cancelLeavesTheKeys();
    void whatHasNoInnerKeyIsNotSmoothed();
    void reducingKeepsToMillimetres();
    void reducingKeepsToDegrees();
    void onlyTheSelectedKeysAreReduced();
};

void TestGraphFilters::theEulerFilterTakesTurnsOut()
{
    GraphUnderTest w;
    w.window->resize(1920, 1050);
    w.settle();
    QVERIFY(!w.find<QToolButton>("button.graph.euler")->isEnabled()); // a goal has no angles
    const JointId wrist = turned(w, {150, 175, -165, -140, 560});
    const Scene before = w.document().scene();
    const std::size_t steps = w.document().history().undoCount();
    click(w, "button.graph.euler");
    const std::vector<double> expected{150, 175, 195, 220, 200};
    const KeyList& keys = *w.document().clip()->find({wrist.value, Property::Rx});
    QCOMPARE(keys.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double angle = degrees(keys[i].value[0]);
        QVERIFY2(std::abs(angle - expected[i]) < 1e-6, qPrintable(QString::number(angle)));
    }
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    QVERIFY(w.document().undo());
    QVERIFY(w.document().scene() == before);
}

void TestGraphFilters::smoothingIsShownAtOnce()
{
    GraphUnderTest w;
    w.window->resize(1920, 1050);
    w.settle();
    const Scene before = w.document().scene();
    const KeyList keys = w.keys();
    const std::size_t steps = w.document().history().undoCount();
    const auto expected = [&](std::size_t c, double amount) {
        const double line = keys[0].value[c] + (keys[2].value[c] - keys[0].value[c]) * 19 / 39;
        return keys[1].value[c] + amount * (line - keys[1].value[c]) / 2;
    };
    const auto isSmoothed = [&](double amount) {
        for (std::size_t c = 0; c < 3; ++c)
            if (std::abs(w.keys()[1].value[c] - expected(c, amount)) > 1e-9) return false;
        return w.keys()[0] == keys[0] && w.keys()[2] == keys[2];
    };
    inDialog(w, "button.graph.smoothKeys", [&](FilterDialog& dialog) {
        QVERIFY(isSmoothed(0.5)); // what the field says when it opens
        type(dialog, "graph.filter.amount", "100");
        QVERIFY(isSmoothed(1));
        type(dialog, "graph.filter.amount", "20");
        QVERIFY(isSmoothed(0.2)); // of the keys as they were, not of those just shown
        press(dialog, QDialogButtonBox::Ok);
    });
    QVERIFY(isSmoothed(0.2));
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    QVERIFY(w.document().undo());
    QVERIFY(w.document().scene() == before);
}

void TestGraphFilters::cancelLeavesTheKeys()
{
    GraphUnderTest w;
    w.window->resize(1920, 1050);
    addJitter(w);
    const Scene before = w.document().scene();
    const std::size_t steps = w.document().history().undoCount();
    for (const char* name : {"button.graph.smoothKeys", "button.graph.reduce"}) {
        inDialog(w, name, [&](FilterDialog& dialog) {
            if (dialog.findChild<NumberField*>("graph.filter.length") != nullptr)
                type(dialog, "graph.filter.length", "50");
            QVERIFY(w.document().scene() != before);
            press(dialog, QDialogButtonBox::Cancel);
        });
        QVERIFY(w.document().scene() == before);
        QCOMPARE(w.document().history().undoCount(), steps);
    }
}

void TestGraphFilters::whatHasNoInnerKeyIsNotSmoothed()
{
    GraphUnderTest w;
    w.window->resize(1920, 1050);
    const QString name = QString::fromStdString(w.handle.name);
    for (const int frame : {1, 40}) // beside the curves with three keys, one with two
        w.apply({{"op", "key"}, {"target", name}, {"channels", QJsonArray{"blend"}}, {"frame", frame}});
    w.settle();
    const double former = w.keys()[1].value[1];
    inDialog(w, "button.graph.smoothKeys", [&](FilterDialog& dialog) {
        QCOMPARE(outcomeOf(dialog), QString());
        press(dialog, QDialogButtonBox::Ok);
    });
    QVERIFY(w.keys()[1].value[1] != former);
    // Alone, it says so.
    w.state->setActive({{{w.handle.id.value, Property::Blend}, 0}});
    w.settle();
    inDialog(w, "button.graph.smoothKeys", [&](FilterDialog& dialog) {
        QVERIFY2(outcomeOf(dialog).contains("stay"), qPrintable(outcomeOf(dialog)));
        QVERIFY(!dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
    });
}

void TestGraphFilters::reducingKeepsToMillimetres()
{
    GraphUnderTest w;
    w.window->resize(1920, 1050);
    addJitter(w);
    const Scene before = w.document().scene();
    const KeyList keys = w.keys();
    QCOMPARE(keys.size(), std::size_t{23});
    const std::size_t steps = w.document().history().undoCount();
    inDialog(w, "button.graph.reduce", [&](FilterDialog& dialog) {
        type(dialog, "graph.filter.length", "0");
        QCOMPARE(outcomeOf(dialog), QStringLiteral("23 of 23 keys are left"));
        type(dialog, "graph.filter.length", "10"); // mm, more than the jitter
        QVERIFY2(w.keys().size() <= 8, qPrintable(outcomeOf(dialog)));
        QCOMPARE(outcomeOf(dialog), QStringLiteral("%1 of 23 keys are left").arg(w.keys().size()));
        QVERIFY(farthest(w, keys) <= 0.010 + 1e-9);
        type(dialog, "graph.filter.length", "1"); // less than it
        QVERIFY2(w.keys().size() >= 15, qPrintable(outcomeOf(dialog)));
        QVERIFY(farthest(w, keys) <= 0.001 + 1e-9);
        type(dialog, "graph.filter.length", "10");
        press(dialog, QDialogButtonBox::Ok);
    });
    QVERIFY(w.keys().size() <= 8);
    QCOMPARE(w.document().history().undoCount(), steps + 1);
    QVERIFY(w.document().undo());
    QVERIFY(w.document().scene() == before);
}

void TestGraphFilters::reducingKeepsToDegrees()
{
    GraphUnderTest w;
    w.window->resize(1920, 1050);
    const JointId wrist = turned(w, {0, 2.3, 3.7, 6.3, 7.7, 10.3, 11.7, 14.3, 16});
    const ChannelId channel{wrist.value, Property::Rx};
    const auto count = [&] { return w.document().clip()->find(channel)->size(); };
    w.state->setActive({{channel, 0}});
    w.settle();
    inDialog(w, "button.graph.reduce", [&](FilterDialog& dialog) {
        QVERIFY(dialog.findChild<NumberField*>("graph.filter.length") == nullptr); // there is nothing of that kind
        type(dialog, "graph.filter.angle", "0.05");
        QVERIFY2(count() >= 7, qPrintable(outcomeOf(dialog)));
        type(dialog, "graph.filter.angle", "1.5");
        QVERIFY2(count() <= 3, qPrintable(outcomeOf(dialog)));
        press(dialog, QDialogButtonBox::Ok);
    });
    QVERIFY(count() <= 3);
    QCOMPARE(w.document().clip()->find({wrist.value, Property::Ry})->size(), std::size_t{9}); // was not active
}

void TestGraphFilters::onlyTheSelectedKeysAreReduced()
{
    GraphUnderTest w;
    w.window->resize(1920, 1050);
    addJitter(w);
    std::set<std::int64_t> ticks;
    for (int frame = 50; frame <= 59; ++frame) ticks.insert(w.document().scene().fps.timeOf(frame).ticks);
    w.state->select({{w.curve(0), ticks}});
    w.settle();
    inDialog(w, "button.graph.reduce", [&](FilterDialog& dialog) {
        type(dialog, "graph.filter.length", "50");
        press(dialog, QDialogButtonBox::Ok);
    });
    const std::vector<double> frames = w.frames();
    for (const double frame : {1, 20, 40, 41, 48, 49, 60})
        QVERIFY2(std::find(frames.begin(), frames.end(), frame) != frames.end(), qPrintable(QString::number(frame)));
    QVERIFY(frames.size() <= 15);
    QVERIFY(w.state->selectedCount() <= 2); // those that are gone are no longer selected
}

TENDON_TEST(TestGraphFilters)
#include "tst_graph_filters.moc"

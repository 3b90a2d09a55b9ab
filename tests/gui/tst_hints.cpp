#include "core/math/Degrees.h"
#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include <QCheckBox>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTreeWidget>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

namespace {

/// Types into a number field as a user does, and confirms with Enter.
void type(WindowUnderTest& w, const char* name, const QString& text)
{
    auto* field = w.find<NumberField>(name);
    field->setFocus();
    QTest::keyClicks(field, text.left(1));
    auto* edit = field->findChild<QLineEdit*>();
    if (edit == nullptr) qFatal("%s does not open", name);
    QTest::keyClicks(edit, text.mid(1));
    QTest::keyClick(edit, Qt::Key_Return);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // of the line that was typed in
    w.settle();
    w.settle();
}

QString said(WindowUnderTest& w)
{
    const auto* text = w.find<QLabel>("status.text");
    return text->isVisible() ? text->text() : QString();
}

} // namespace

/// What the window says of an edit that does not do what it seems to, and of edits of several objects.
class TestHints : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }

    void aJointPosedPastItsLimitIsNamed()
    {
        WindowUnderTest w("arm");
        const std::string name = w.document().scene().joints->front().name;
        const QString joint = QString::fromStdString(name);
        QVERIFY(w.document().apply({{"op", "setRotationAxis"},
                                    {"joint", joint},
                                    {"axis", "y"},
                                    {"active", true},
                                    {"limited", true},
                                    {"from", -10},
                                    {"to", 10}}));
        for (const Handle& handle : w.document().scene().handles->toVector())
            QVERIFY(w.document().apply({{"op", "removeHandle"}, {"name", QString::fromStdString(handle.name)}}));
        w.select(name.c_str());
        type(w, "channel.ry", "25");
        const bool isDriven = said(w).contains("drives it");
        QVERIFY2(isDriven || said(w).contains("15 degrees past its limit of 10 about y"), qPrintable(said(w)));
        type(w, "channel.ry", "5");
        QVERIFY2(!said(w).contains("past its limit"), qPrintable(said(w)));
    }

    void aJointThatIkDrivesTurnsItsHandleAlong()
    {
        WindowUnderTest w("leg");
        w.select("Shin");
        const auto goal = [&] { return w.state->finishFrame()->handles.front().target.goal.position; };
        const Vector3 before = goal();
        type(w, "channel.rx", "40");
        QVERIFY((goal() - before).norm() > 0.01);
        QVERIFY2(!said(w).contains("drives it"), qPrintable(said(w)));
    }

    void anEditThatASolverCannotFollowIsRefusedInTheWindow()
    {
        WindowUnderTest w("leg");
        QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", "FootGoal"}, {"solver", "two-bone"}}));
        w.select("Shin");
        auto* slides = w.find<QCheckBox>("joint.slide.x.active");
        const Scene before = w.document().scene();
        (void)w.document().apply({{"op", "setSlidingAxis"}, {"joint", "Shin"}, {"axis", "x"}, {"active", true}});
        w.settle();
        QVERIFY(w.document().scene() == before);
        QVERIFY(!slides->isChecked());
        QVERIFY2(said(w).contains("set its solver to dls first"), qPrintable(said(w)));
    }

    /// Each of several objects makes its own value of a change that is typed.
    void aTypedChangeChangesEachObjectFromItsOwnValue()
    {
        WindowUnderTest w("dragon-neck");
        const ObjectList<Joint> joints = *w.document().scene().joints;
        const Joint &first = joints[joints.size() - 1], &second = joints[joints.size() - 2];
        for (const Handle& handle : w.document().scene().handles->toVector())
            QVERIFY(w.document().apply({{"op", "removeHandle"}, {"name", QString::fromStdString(handle.name)}}));
        const auto rotate = [&](const Joint& joint, double angle) {
            return w.document().apply(
                {{"op", "rotate"}, {"joint", QString::fromStdString(joint.name)}, {"axis", "z"}, {"value", angle}});
        };
        QVERIFY(rotate(first, 10) && rotate(second, 20));
        QVERIFY(w.document().apply(
            {{"op", "setStiffness"}, {"joint", QString::fromStdString(first.name)}, {"value", 0.2}}));
        QVERIFY(w.document().apply(
            {{"op", "setStiffness"}, {"joint", QString::fromStdString(second.name)}, {"value", 0.4}}));
        w.state->selection().select({SelectionItem::of(first.id), SelectionItem::of(second.id)});
        w.settle();
        QCOMPARE(w.find<NumberField>("channel.rz")->text(), NumberField::mixedText());
        const auto angle = [&](const Joint& joint) {
            return qRound(1e6 * degrees(w.document().scene().staticValue({joint.id.value, Property::Rz})[0])) / 1e6;
        };
        const auto stiffness = [&](const Joint& joint) { return w.document().scene().find(joint.id)->stiffness; };
        const std::size_t steps = w.document().history().undoCount();
        type(w, "channel.rz", "*2");
        QCOMPARE(angle(first), 20.0);
        QCOMPARE(angle(second), 40.0);
        type(w, "channel.rz", "+=5");
        QCOMPARE(angle(first), 25.0);
        QCOMPARE(angle(second), 45.0);
        type(w, "joint.stiffness", "/2");
        QCOMPARE(stiffness(first), 0.1);
        QCOMPARE(stiffness(second), 0.2);
        QCOMPARE(w.document().history().undoCount(), steps + 3);
        type(w, "channel.rz", "12"); // a value is one for all
        QCOMPARE(angle(first), 12.0);
        QCOMPARE(angle(second), 12.0);
        QVERIFY(w.find<NumberField>("channel.rz")->text() != NumberField::mixedText());
    }

    void goalsOfSeveralHandlesAreMixedAndMoveTogether()
    {
        WindowUnderTest w("mannequin");
        const HandleId left = w.document().scene().handleNamed("FootIK_L")->id,
                       right = w.document().scene().handleNamed("FootIK_R")->id;
        const auto goal = [&](HandleId handle) {
            const Scene& scene = w.document().scene();
            return sampleChannel(scene, w.document().clip(), w.document().edit().pending,
                                 {handle.value, Property::GoalPosition}, scene.fps.timeOf(w.document().edit().frame));
        };
        w.state->selection().select({SelectionItem::of(left), SelectionItem::of(right)});
        w.settle();
        QVERIFY(goal(left)[0] != goal(right)[0]);
        QCOMPARE(w.find<NumberField>("goal.x")->text(), NumberField::mixedText());
        const ChannelValue leftBefore = goal(left), rightBefore = goal(right);
        type(w, "goal.y", "+=10"); // [cm]
        QVERIFY(std::abs(goal(left)[1] - leftBefore[1] - 0.1) < 1e-9);
        QVERIFY(std::abs(goal(right)[1] - rightBefore[1] - 0.1) < 1e-9);
        QCOMPARE(goal(left)[0], leftBefore[0]);
        QCOMPARE(goal(right)[0], rightBefore[0]);
    }

    void aHandleAlongACurveOffersNeitherPoleNorEffector()
    {
        WindowUnderTest w("dragon-neck");
        const Handle handle = w.document().scene().handles->front();
        const QString name = QString::fromStdString(handle.name);
        w.select(handle.name.c_str());
        QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", name}, {"solver", "dls"}}));
        w.settle();
        QVERIFY(w.window->commands().action(QStringLiteral("create.pole"))->isEnabled());
        QVERIFY(w.window->commands().action(QStringLiteral("rig.effector"))->isEnabled());
        QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", name}, {"pole", QJsonValue::Null}}));
        QVERIFY(w.document().apply({{"op", "setHandle"}, {"name", name}, {"solver", "spline"}}));
        w.settle();
        QTRY_VERIFY(!w.window->commands().action(QStringLiteral("rig.effector"))->isEnabled());
        w.state->selection().select({SelectionItem::curvePointOf(handle.id, 0)});
        w.settle();
        QStringList labels; // people count from 1
        for (const auto* label : w.window->findChildren<QLabel*>())
            if (label->isVisible()) labels << label->text();
        QVERIFY2(labels.contains("Point 1") && !labels.contains("Point 0"), qPrintable(labels.join('|')));
    }

    void ctrlAInANumberFieldSelectsItsText()
    {
        WindowUnderTest w("leg");
        w.select("Shin");
        auto* field = w.find<NumberField>("channel.rx");
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        auto* edit = field->findChild<QLineEdit*>();
        QVERIFY(edit != nullptr && edit->hasSelectedText());
        QCOMPARE(edit->selectedText(), edit->text());
        QCOMPARE(w.state->selection().items().size(), std::size_t(1)); // the joint, and no handle
    }

    void autoKeyIsReadWhole_data()
    {
        QTest::addColumn<int>("width");
        QTest::newRow("narrow") << 1100;
        QTest::newRow("laptop") << 1366;
        QTest::newRow("wide") << 1600;
    }

    void autoKeyIsReadWhole()
    {
        QFETCH(int, width);
        WindowUnderTest w("leg");
        w.window->resize(width, 800);
        w.settle();
        auto* button = w.find<QPushButton>("autoKey");
        QTest::mouseClick(button, Qt::LeftButton);
        w.settle();
        QVERIFY(w.document().edit().isAutoKeyOn);
        // A style sheet lays the text out by the button's own font.
        const QString text = button->text();
        if (!text.isEmpty()) QCOMPARE(button->font().weight(), QFont::DemiBold);
        const int wanted = text.isEmpty() ? 0 : button->sizeHint().width();
        QVERIFY2(button->width() >= wanted, qPrintable(QStringLiteral("%1 of %2").arg(button->width()).arg(wanted)));
        QVERIFY(wanted == 0 || wanted >= button->fontMetrics().horizontalAdvance(text) + button->iconSize().width());
    }

    void namesInADeepHierarchyAreReadable()
    {
        WindowUnderTest w("leg");
        QString above = "Shin";
        for (int i = 1; i <= 30; ++i) {
            const QString name = QStringLiteral("segment%1").arg(i);
            QVERIFY(w.document().apply(
                {{"op", "addJoint"}, {"name", name}, {"parent", above}, {"translation", QJsonArray{0, -0.01, 0}}}));
            above = name;
        }
        w.settle();
        auto* tree = w.find<QTreeWidget>("outliner.tree");
        const auto rows = tree->findItems("segment30", Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(rows.size(), 1);
        const int room = tree->visualItemRect(rows.front()).width() - tree->iconSize().width() -
                         Theme::instance().px(12);
        const int wanted = tree->fontMetrics().horizontalAdvance("segment30");
        QVERIFY2(room >= wanted, qPrintable(QStringLiteral("%1 of %2").arg(room).arg(wanted)));
        for (QTreeWidgetItem* row = rows.front(); row != nullptr; row = row->parent()) row->setExpanded(true);
        w.window->grab().save(QStringLiteral("/tmp/hand-outliner.png"));
    }
};

TENDON_TEST(TestHints)
#include "tst_hints.moc"

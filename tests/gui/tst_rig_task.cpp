#include "app/widgets/task/RigRows.h"
#include "app/widgets/task/RigTask.h"
#include "app/widgets/task/Tasks.h"
#include "core/scene/JointEdit.h"
#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTreeWidget>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

namespace {

/// A window with a sample whose handles are gone, and the task Rig it, opened by its keys.
struct RigWindow
{
    explicit RigWindow(const char* sample, bool keepsHandles = false, ViewportPort port = {})
        : w(sample, std::move(port))
    {
        // As an imported one is: joints turn freely, and nothing else is known of them.
        std::vector<QJsonObject> operations;
        for (const Handle& handle : *w.document().scene().handles)
            operations.push_back({{"op", "removeHandle"}, {"name", QString::fromStdString(handle.name)}});
        if (!keepsHandles && !operations.empty()) (void)w.document().applyAsOne(operations);
        Scene scene = w.document().scene();
        for (const Joint& joint : *w.document().scene().joints) {
            Joint free = joint;
            free.ball.reset();
            for (AxisFreedom& axis : free.turning) axis = {.active = true};
            free.preferredAngle.setZero();
            if (auto changed = changeJoint(scene, free)) scene = std::move(*changed);
        }
        w.window->resize(1600, 1000); // so that all parts are open
        w.document().adopt(Project{.scene = scene, .state = {}}, {}, "figure");
        w.settle();
        open();
    }
    void open()
    {
        w.window->activateWindow();
        w.key(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
        wait();
    }
    [[nodiscard]] RigTask* task() const { return qobject_cast<RigTask*>(w.window->tasks().current()); }
    void wait()
    {
        if (task() == nullptr) qFatal("the task is not open");
        if (task()->isWorking()) {
            QSignalSpy guessed(task(), &RigTask::guessed);
            if (!guessed.wait(20000)) qFatal("no guess comes");
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        w.settle();
    }
    [[nodiscard]] TaskRow* row(const QString& name) const
    {
        for (auto* row : w.window->findChildren<TaskRow*>(name))
            if (row->isVisible()) return row;
        qFatal("there is no row %s", qPrintable(name));
    }
    void tick(const QString& name, Qt::KeyboardModifiers held = {}) const
    {
        auto* box = row(name)->findChild<QCheckBox*>();
        QTest::mouseClick(box, Qt::LeftButton, held, QPoint(box->height() / 2, box->height() / 2));
        QCoreApplication::processEvents();
    }
    [[nodiscard]] bool isTicked(const QString& name) const { return row(name)->findChild<QCheckBox*>()->isChecked(); }
    [[nodiscard]] QString text(const char* label) const { return w.find<QLabel>(label)->text(); }
    /// Says in the menu that opens at a joint what it is.
    void say(const char* joint, const QStringList& way)
    {
        w.state->marks().click(*scene().jointNamed(joint), QPoint(200, 200));
        auto* menu = w.find<QMenu>("rig.roles");
        QAction* found = nullptr;
        for (const QString& step : way) {
            found = nullptr;
            for (QAction* action : menu->actions())
                if (action->text() == step) found = action;
            if (found == nullptr) qFatal("the menu has no %s", qPrintable(step));
            if (found->menu() != nullptr) menu = found->menu();
        }
        found->trigger();
        w.find<QMenu>("rig.roles")->close();
        QApplication::setActiveWindow(w.window.get()); // as a window manager does
        wait();
    }
    [[nodiscard]] const Scene& scene() const { return w.state->document().scene(); }
    [[nodiscard]] int limitedJoints() const
    {
        return static_cast<int>(
            std::count_if(scene().joints->begin(), scene().joints->end(), [](const Joint& j) { return hasLimits(j); }));
    }

    WindowUnderTest w;
};

} // namespace

/// The task Rig it: what it says is what it does, and what is chosen in it is what is done.
class TestRigTask : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }

    /// However much its rows need, nothing is cut off beside the scroll bar.
    void itsPanelIsAsWideAsItsRowsNeed()
    {
        RigWindow r("mannequin");
        r.w.window->resize(1366, 768);
        r.w.settle();
        const auto* area = r.w.find<QScrollArea>("task.area");
        for (const int wanted : {0, 520}) {
            r.task()->setMinimumWidth(wanted);
            r.w.settle();
            QVERIFY2(area->widget()->width() <= area->viewport()->width() && area->viewport()->width() >= wanted,
                     qPrintable(QString("%1 of %2").arg(area->viewport()->width()).arg(area->widget()->width())));
        }
    }

    void theFooterSaysWhatTheButtonDoesAndOneUndoTakesItBack()
    {
        RigWindow r("mannequin");
        const Scene before = r.scene();
        const std::size_t steps = r.w.document().history().undoCount();
        const int limited = r.limitedJoints();
        QCOMPARE(r.text("rig.found"), QString("8 limbs found"));
        QVERIFY2(r.text("task.outcome").startsWith("6 handles for 8 limbs, "), qPrintable(r.text("task.outcome")));
        QVERIFY(r.row("limb.Left fingers")->accessibleName().endsWith("No handle: posed joint by joint"));
        QVERIFY(r.row("limb.Left leg")->findChild<QLabel*>("limb.noHandle") == nullptr);
        r.tick("limb.Left fingers", Qt::ShiftModifier); // with the other side
        QVERIFY(!r.isTicked("limb.Right fingers"));
        r.tick("limb.Neck and head");
        const QString said = r.text("task.outcome");
        QVERIFY(r.scene() == before);
        r.w.key(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(r.task() == nullptr);
        const auto handles = r.scene().handles->size();
        QCOMPARE(said, QString("%1 handles, %2 limits · one undo step").arg(handles).arg(r.limitedJoints() - limited));
        QCOMPARE(handles, std::size_t(5));
        QVERIFY(!r.scene().handleNamed("HeadIK"));
        QVERIFY(!hasLimits(*r.scene().find(*r.scene().jointNamed("Head"))));
        QVERIFY(hasLimits(*r.scene().find(*r.scene().jointNamed("Shin_L"))));
        QCOMPARE(r.w.document().history().undoCount(), steps + 1);
        QCOMPARE(r.w.document().history().undoText(), std::string("Rig it"));
        r.w.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(r.scene() == before);
    }

    void whatIsSaidOfAJointIsWhatItBecomes()
    {
        RigWindow r("mannequin");
        // The spine of the mannequin has four joints: the upper two change their names.
        r.say("Spine2", {"Spine", "Spine"});
        r.say("Toe_L", {"Not part of a limb"});
        QVERIFY(r.scene().roles->empty()); // not before the button
        QVERIFY(!r.row("limb.Left leg")->accessibleName().contains("Toe_L"));
        QVERIFY(r.row("limb.Right leg")->accessibleName().contains("Toe_R"));
        r.w.key(Qt::Key_Z, Qt::ControlModifier);
        r.wait();
        QVERIFY(r.row("limb.Left leg")->accessibleName().contains("Toe_L"));
        r.w.key(Qt::Key_Y, Qt::ControlModifier);
        r.wait();
        r.w.key(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(r.task() == nullptr);
        const RoleMap& roles = *r.scene().roles;
        QCOMPARE(roleOf(roles, *r.scene().jointNamed("Spine2")), std::string_view("spine"));
        QVERIFY(roles.contains("leftToes"));
        QVERIFY(roles.at("leftToes").empty());
        QCOMPARE(roleOf(roles, *r.scene().jointNamed("Toe_R")), std::string_view("rightToes"));
    }

    void swappedSidesNameTheHandlesTheOtherWayRound()
    {
        RigWindow r("mannequin");
        const QString spine = r.row("limb.Spine")->accessibleName();
        QVERIFY2(!spine.contains("100 %"), qPrintable(spine));
        QTest::mouseClick(r.w.find<QPushButton>("rig.swap"), Qt::LeftButton);
        r.wait();
        // The sides are the person's now; what is in the middle keeps its confidence and its reason.
        QVERIFY(r.row("limb.Left leg")->accessibleName().contains("100 %"));
        QVERIFY(r.row("limb.Left leg")->accessibleName().contains("Thigh_R"));
        QCOMPARE(r.row("limb.Spine")->accessibleName(), spine);
        r.w.key(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(r.task() == nullptr);
        const Handle* left = r.scene().handleNamed("HandIK_L");
        QVERIFY(left != nullptr);
        QCOMPARE(r.scene().find(left->end)->name, std::string("Hand_R"));
    }

    /// An elbow that cannot turn is nothing for a solver of two bones: its row says so before the button is pressed.
    void aLimbThatCannotBeMadeIsMarkedAndTheOthersAreMade()
    {
        RigWindow r("mannequin");
        const QString before = r.text("task.outcome");
        std::vector<QJsonObject> stiff;
        for (const char* axis : {"x", "y", "z"})
            stiff.push_back({{"op", "setRotationAxis"}, {"joint", "Forearm_L"}, {"axis", axis}, {"active", false}});
        QVERIFY(r.w.document().applyAsOne(stiff));
        r.wait();
        auto* said = r.row("limb.Left arm")->findChild<QLabel*>("limb.noHandle");
        QVERIFY(said != nullptr && said->isVisible());
        QVERIFY2(said->text().startsWith("No handle: ") && !said->text().contains("setHandle") &&
                     !said->text().contains("addHandle"),
                 qPrintable(said->text()));
        QCOMPARE(said->property("role").toString(), QString("caution"));
        QVERIFY(r.w.find<QPushButton>("rig.toCheck")->isVisible());
        QVERIFY(before.startsWith("6 handles for 8 limbs, "));
        QVERIFY(r.text("task.outcome").startsWith("5 handles for 8 limbs, "));
        r.w.key(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(r.task() == nullptr);
        QCOMPARE(r.scene().handles->size(), std::size_t{5});
        QVERIFY(r.scene().handleNamed("HandIK_L") == nullptr && r.scene().handleNamed("HandIK_R") != nullptr);
    }

    void kindsOfJointsKeepTheirLimitsWhereUnticked()
    {
        RigWindow r("mannequin");
        r.tick("limits.Knees");
        r.w.key(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(r.task() == nullptr);
        for (const char* knee : {"Shin_L", "Shin_R"}) {
            const Joint& joint = *r.scene().find(*r.scene().jointNamed(knee));
            QVERIFY(!hasLimits(joint));
            QVERIFY(joint.preferredAngle.isZero());
        }
        QVERIFY(hasLimits(*r.scene().find(*r.scene().jointNamed("Forearm_L"))));
    }

    void limitsAreLearntFromTheClipThatIsChosenOrFromNone()
    {
        RigWindow r("mannequin");
        QVERIFY(r.w.document().apply({{"op", "addClip"}, {"name", "bend"}}));
        for (const auto& [frame, angle] : {std::pair(1, 0), std::pair(20, 30)}) {
            QVERIFY(r.w.document().apply({{"op", "setFrame"}, {"value", frame}}));
            QVERIFY(r.w.document().apply({{"op", "rotate"}, {"joint", "Head"}, {"axis", "x"}, {"value", angle}}));
            QVERIFY(r.w.document().apply({{"op", "key"}, {"target", "Head"}}));
        }
        r.w.settle();
        auto* learnFrom = r.w.find<QComboBox>("rig.learnFrom");
        const auto limitsOfHead = [&](const QString& from) {
            learnFrom->setCurrentText(from);
            emit learnFrom->activated(learnFrom->currentIndex());
            r.wait();
            for (const LimitGuess& limit : r.task()->guess()->plan->limits)
                if (limit.joint.name == "Head") return limit.joint.turning[0].upper();
            return -1.0;
        };
        const double learnt = limitsOfHead("Clip bend"), still = limitsOfHead("Rest pose only");
        QVERIFY2(std::abs(learnt - 34.5 * M_PI / 180) < 1e-6, qPrintable(QString::number(learnt * 180 / M_PI)));
        QVERIFY(std::abs(still - learnt) > 0.01);
    }

    void handlesThatAreThereStayAndAreCounted()
    {
        RigWindow r("mannequin", true);
        const std::size_t present = r.scene().handles->size();
        QVERIFY2(r.text("rig.message").endsWith("handles already exist and stay as they are"),
                 qPrintable(r.text("rig.message")));
        const Scene before = r.scene();
        r.w.key(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(r.task() == nullptr);
        for (const Handle& handle : *before.handles) QVERIFY(*r.scene().find(handle.id) == handle);
        QVERIFY(r.scene().handles->size() >= present);
    }

    void withoutLimbsOneIsPicked()
    {
        std::function<void(JointId)> nothing = [](JointId) {};
        ViewportPort port;
        port.widget = new QWidget;
        port.widget->setFocusPolicy(Qt::StrongFocus);
        port.frameAll = port.frameSelected = [] {};
        port.startChainPick = nothing;
        RigWindow r("lamp", false, port);
        r.w.key(Qt::Key_Escape);
        QJsonObject none; // it has been said that nothing is a link of an arm
        for (int i = 1; i <= 8; ++i) none.insert(QString("link%1").arg(i), QJsonValue());
        QVERIFY(r.w.document().apply({{"op", "setRoles"}, {"roles", none}}));
        r.w.settle();
        r.open();
        QCOMPARE(r.text("rig.stateTitle"), QString("No limbs found"));
        QCOMPARE(r.text("rig.message"),
                 QString("8 joints in a single chain, and their names do not say what they are. Pick "
                         "the first and the last joint of a limb."));
        QVERIFY(!r.w.find<QPushButton>("task.main")->isEnabled());
        QTest::mouseClick(r.w.find<QPushButton>("rig.remedy"), Qt::LeftButton);
        r.w.window->showChainPicking(true);
        r.w.window->showChainPicking(false);
        r.w.window->makeHandle(*r.scene().jointNamed("Hinge01"), *r.scene().jointNamed("Lever02"));
        r.wait();
        QVERIFY(r.scene().handles->empty()); // a limb of the task, not a handle
        QCOMPARE(r.text("rig.found"), QString("1 limb found"));
        r.w.key(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(r.task() == nullptr);
        QCOMPARE(r.scene().handles->size(), std::size_t(1));
        QCOMPARE(r.scene().find(r.scene().handles->begin()->end)->name, std::string("Lever02"));
    }

    void aChangedSkeletonIsLookedAtAgain()
    {
        RigWindow r("mannequin");
        QVERIFY(r.w.document().apply({{"op", "addJoint"}, {"name", "Extra"}, {"parent", "Head"}}));
        r.w.settle();
        QCOMPARE(r.text("rig.message"), QString("The skeleton has changed."));
        QVERIFY(!r.w.find<QPushButton>("task.main")->isEnabled());
        r.w.document().undo();
        r.w.settle();
        QVERIFY(r.w.find<QPushButton>("task.main")->isEnabled());
        QVERIFY(r.w.document().apply({{"op", "addJoint"}, {"name", "Extra"}, {"parent", "Head"}}));
        r.w.settle();
        QTest::mouseClick(r.w.find<QPushButton>("rig.remedy"), Qt::LeftButton);
        r.wait();
        QVERIFY(r.w.find<QPushButton>("task.main")->isEnabled());
        QVERIFY(r.text("task.subject").contains("53 joints"));
    }

    void pointingAtARowLightsItsChainAndBack()
    {
        RigWindow r("mannequin");
        const JointId shin = *r.scene().jointNamed("Shin_R");
        TaskRow* leg = r.row("limb.Right leg");
        QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
        QApplication::sendEvent(leg, &enter);
        const ViewMarks& marks = r.w.state->marks().marks();
        QVERIFY(marks.lit.contains(shin));
        QVERIFY(!marks.lit.contains(*r.scene().jointNamed("Shin_L")));
        QCOMPARE(marks.colours.at(shin), RoleColour::Right);
        QVERIFY(std::find(marks.limited.begin(), marks.limited.end(), shin) != marks.limited.end());
        const auto named = std::count_if(marks.goals.begin(), marks.goals.end(),
                                         [](const ViewMarks::Goal& goal) { return goal.name == "FootIK_R"; });
        QCOMPARE(named, 1);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(leg, &leave);
        // From the view to the row.
        r.w.state->selection().setHovered(SelectionItem::of(shin));
        QVERIFY(leg->isLit());
        QVERIFY(!r.row("limb.Left leg")->isLit());
        QVERIFY(marks.lit.contains(shin));
        // A click on the row frames the chain.
        const int framed = r.w.framedSelected;
        QTest::mouseClick(leg, Qt::LeftButton, {}, QPoint(leg->width() / 2, leg->height() / 2));
        QCOMPARE(r.w.framedSelected, framed + 1);
        QVERIFY(r.w.state->selection().contains(SelectionItem::of(shin)));
        // Nothing is left of it in the view.
        r.w.key(Qt::Key_Escape);
        QVERIFY(r.task() == nullptr);
        QVERIFY(r.w.state->marks().marks() == ViewMarks{});
        QVERIFY(!r.w.state->marks().takesClicks());
    }

    void theOutlinersRowForMissingHandlesOpensIt()
    {
        RigWindow r("mannequin");
        r.w.key(Qt::Key_Escape);
        QVERIFY(r.task() == nullptr);
        auto* tree = r.w.find<QTreeWidget>("outliner.tree");
        const auto rows = tree->findItems("Rig it makes them", Qt::MatchRecursive | Qt::MatchExactly);
        QCOMPARE(rows.size(), 1);
        tree->scrollToItem(rows.first());
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(rows.first()).center());
        QVERIFY(r.task() != nullptr);
    }
};

TENDON_TEST(TestRigTask)
#include "tst_rig_task.moc"

#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include "app/editor/StageEllipse.h"
#include "app/editor/Theme.h"
#include "app/widgets/NumberField.h"
#include "core/math/Degrees.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>

#include <algorithm>
#include <set>

namespace tendon::test {
namespace {

using namespace editor;

/// Journey 8: several goals on a body with two arms, by several methods.
class TreeJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;

    static constexpr const char* kHandles[] = {"LeftGoal", "RightGoal", "ElbowGoal"};

    void chooseForAll(const char* alias)
    {
        for (const char* handle : kHandles) {
            w->clickRow(handle);
            w->choose("handle.solver", QString::fromStdString(w->solvers.find(alias)->name));
        }
        for (const Handle& handle : *w->scene().handles) QCOMPARE(handle.solver, std::string(alias));
    }
    void chooseModeForAll(const QString& mode)
    {
        for (const char* handle : kHandles) {
            w->clickRow(handle);
            w->choose("solver.mode", mode);
        }
    }
    void typeGoal(const char* handle, const Vector3& centimetres)
    {
        w->clickRow(handle);
        for (int axis = 0; axis < 3; ++axis)
            w->type(QStringLiteral("goal.%1").arg(QChar('x' + axis)), QString::number(centimetres[axis]));
    }
    [[nodiscard]] const HandleView& shown(const char* handle) { return *w->frame()->find(w->handle(handle)); }
    [[nodiscard]] double miss(const char* handle) { return shown(handle).result.positionError; } ///< [m]
    /// The panel says how far the selected handle is off, in the unit that suits the length.
    [[nodiscard]] bool isMissShown(const char* handle)
    {
        const QString text = w->find<QLabel>("solver.stopped")->text();
        const QStringList words = text.left(text.indexOf(" from the goal")).split(' ');
        if (words.size() < 2 || !text.endsWith(" from the goal")) return false;
        const QString unit = words.back();
        const double perMetre = unit == "mm" ? 1e3 : unit == "cm" ? 1e2 : 1, step = unit == "m" ? 0.01 : 0.1;
        return std::abs(words[words.size() - 2].toDouble() - perMetre * miss(handle)) < 0.501 * step;
    }
    [[nodiscard]] bool areAllMet()
    {
        const FramePtr now = w->frame();
        return std::none_of(now->handles.begin(), now->handles.end(), [](const HandleView& h) { return h.isMissed; });
    }
    [[nodiscard]] const SolverRecording& own() const { return w->state->comparison().recording()->solvers.front(); }
    /// The share of the limiting ellipse's rim and semi-axes that is drawn in the view; -1 = this stage has none.
    [[nodiscard]] double ellipseSeen()
    {
        const auto ellipse = ellipseAtStage(own(), static_cast<std::size_t>(w->state->steps().step()));
        if (!ellipse) return -1;
        const auto placed = inSpace(own(), *ellipse, *w->frame()->rig);
        if (!placed) return 0;
        std::vector<Vector3> points = placed->rim;
        for (const std::vector<Vector3>& axis : placed->axes) points.insert(points.end(), axis.begin(), axis.end());
        const QImage image = w->seen();
        const QColor colour = Theme::instance().color("rig.limit");
        const auto isDrawn = [&](const QPoint& at) {
            for (int y = -1; y <= 1; ++y)
                for (int x = -1; x <= 1; ++x) {
                    if (!image.rect().contains(at + QPoint(x, y))) continue;
                    const QColor seen = image.pixelColor(at + QPoint(x, y));
                    if (std::abs(seen.red() - colour.red()) + std::abs(seen.green() - colour.green()) +
                            std::abs(seen.blue() - colour.blue()) <
                        60)
                        return true;
                }
            return false;
        };
        const auto drawn = std::count_if(points.begin(), points.end(),
                                         [&](const Vector3& point) { return isDrawn(w->onScreen(point)); });
        return static_cast<double>(drawn) / static_cast<double>(points.size());
    }
    void undoTo(std::size_t steps)
    {
        while (w->document().history().undoCount() > steps) QVERIFY(w->document().undo());
        w->settle();
    }
    /// The picture in both themes.
    void pictures(const QString& name)
    {
        w->picture(name);
        Theme::instance().set(Theme::Kind::Light, 1);
        w->picture(name + "-light");
        Theme::instance().set(Theme::Kind::Dark, 1);
    }

private slots:
    void branchesShowTheirCandidatesAndTheirMean();
    void theEllipseMovesAJointToItsNearestPoint();
    void theRecordingFollowsASettingWhileItIsDragged();
    void goalsThatContradictEachOtherShareTheMissByWeight();
    void aPenaltyTenTimesAsHighMissesByATenth();
    void theConstrainedMethodMeetsAllGoals();
    void objectivesChangeThePoseAndNotTheGoals();
    void aRootThatTurnsOrMovesReachesMore();
};

void TreeJourney::branchesShowTheirCandidatesAndTheirMean()
{
    w = std::make_unique<RealWindow>("tree");
    w->clickRow("LeftGoal");
    QCOMPARE(w->find<NumberField>("handle.offset.x")->value(), 10.0); // its point is beside the bone
    QVERIFY(areAllMet());
    w->openTab(BottomTab::Compare);
    w->tick("compare.stages", true);
    w->clickOn("compare.first");
    w->stepTo("one branch wants");
    const QImage candidate = w->seen();
    w->stepTo("Fork goes to the mean of its candidates");
    QVERIFY(w->seen() != candidate);
    pictures("journey8-mean");
    w->tick("compare.stages", false);
    // The ghosts of the passes: the view at pass 3 differs from that without them.
    w->clickOn("compare.first");
    for (int i = 0; i < 3; ++i) w->clickOn("compare.step");
    const QImage ghosts = w->seen();
    w->tick("compare.ghosts", false);
    QVERIFY(w->seen() != ghosts);
    w->tick("compare.ghosts", true);
}

void TreeJourney::theEllipseMovesAJointToItsNearestPoint()
{
    const std::size_t steps = w->document().history().undoCount();
    w->clickRow("Left1");
    w->tick("joint.ball", true);
    w->choose("joint.ball.axis", "Y");
    w->tick("joint.ball.swing.limited", true);
    for (const char* end : {"a.plus", "a.minus", "b.plus", "b.minus"})
        w->type(QStringLiteral("joint.ball.swing.%1").arg(end), "8");
    w->clickRow("Left0");
    w->key(Qt::Key_F); // near enough to be seen
    QTRY_VERIFY(!w->view->isCameraMoving());
    w->clickRow("LeftGoal");
    w->tick("compare.stages", true);
    w->clickOn("compare.first");
    w->stepTo("d – ");
    QVERIFY(ellipseSeen() < 0);
    w->clickOn("compare.ellipse.next"); // where limits move a joint
    QVERIFY(own().stages[static_cast<std::size_t>(w->state->steps().step()) - 1].row.stage == sdk::Stage::Ellipse);
    w->stepTo("the ellipse in which the limits of");
    QVERIFY(w->find<QWidget>("compare.ellipse")->isVisible());
    pictures("journey8-ellipse-e");
    QVERIFY2(ellipseSeen() > 0.7, qPrintable(QString::number(ellipseSeen()))); // in space, not at the side only
    w->stepTo("nearest point of the ellipse");
    QVERIFY(w->find<QWidget>("compare.ellipse")->isVisible());
    QVERIFY(ellipseSeen() > 0.7);
    pictures("journey8-ellipse");
    w->stepTo("g – ");
    QVERIFY(ellipseSeen() > 0.7);
    w->stepTo("h – ");
    QVERIFY(ellipseSeen() < 0);
    std::set<sdk::Stage> stages;
    for (const RecordedStage& stage : own().stages) stages.insert(stage.row.stage);
    QCOMPARE(stages.size(), 11u); // a to h, candidates, means, and the root

    // The answer: each bone as long as it was, the joint within its limit and at it, every goal met.
    const FramePtr now = w->frame();
    for (const Joint& joint : *w->scene().joints) {
        if (!joint.parent.isValid()) continue;
        const double length =
            (now->worldFromJoint(joint.id)->translation() - now->worldFromJoint(joint.parent)->translation()).norm();
        QVERIFY2(std::abs(length - joint.rest.translation.norm()) < 1e-12, joint.name.c_str());
    }
    const LocalTransform bent = w->localOf("Left1");
    const Quaternion fromRest = w->scene().find(w->joint("Left1"))->rest.rotation.conjugate() * bent.rotation;
    const double swing = std::acos((fromRest * Vector3::UnitY()).y()) * kDegrees;
    QVERIFY2(swing > 7.9 && swing < 8 + 1e-6, qPrintable(QString::number(swing)));
    QVERIFY(areAllMet());
    w->tick("compare.stages", false);
    undoTo(steps);
}

/// While the field moves, before it is let go.
void TreeJourney::theRecordingFollowsASettingWhileItIsDragged()
{
    chooseForAll("dls");
    chooseModeForAll("Plain"); // handles of other settings are solved by themselves
    w->clickRow("LeftGoal");
    QCOMPARE(w->find<NumberField>("solver.reg_weight")->value(), 0.05);
    QCOMPARE(w->find<NumberField>("solver.relax")->value(), 0.75);
    QVERIFY(areAllMet());
    w->clickOn("compare.last");
    const int iterations = own().result.iterations;
    const std::size_t steps = w->document().history().undoCount();
    w->dragField("solver.relax", -500, [&] {
        QVERIFY2(own().result.iterations > iterations, qPrintable(QString::number(own().result.iterations)));
        w->picture("journey8-dls");
        QTest::keyClick(w->find<NumberField>("solver.relax"), Qt::Key_Escape); // as it was
    });
    QCOMPARE(own().result.iterations, iterations);
    QCOMPARE(w->document().history().undoCount(), steps);

    // A relaxation of 0 would never move: the field stays open with the reason, and Esc closes it.
    auto* field = w->find<NumberField>("solver.relax");
    field->setFocus();
    QTest::keyClicks(field, "0");
    auto* edit = field->findChildren<QLineEdit*>().last();
    QTest::keyClick(edit, Qt::Key_Return);
    QVERIFY(edit->isVisible() && edit->property("wrong").toBool());
    QTest::keyClick(edit, Qt::Key_Escape);
    w->settle();
    QCOMPARE(field->value(), 0.75);
    QCOMPARE(w->document().history().undoCount(), steps);
}

void TreeJourney::goalsThatContradictEachOtherShareTheMissByWeight()
{
    chooseModeForAll("Adaptive");
    const Vector3 elbow = w->goalOf("ElbowGoal");
    typeGoal("ElbowGoal", {40, 150, 20});
    w->clickRow("RightGoal");
    QVERIFY2(miss("RightGoal") > 0.1 && std::abs(miss("RightGoal") - miss("ElbowGoal")) < 0.01 * miss("RightGoal"),
             qPrintable(QString("%1 %2").arg(miss("RightGoal")).arg(miss("ElbowGoal"))));
    pictures("journey8-contradiction");
    w->type("channel.weight", "10");
    // Least squares of weight times miss: ten times the weight, a hundredth of the miss.
    QVERIFY2(std::abs(miss("ElbowGoal") / miss("RightGoal") - 100) < 2,
             qPrintable(QString("%1 %2").arg(miss("RightGoal")).arg(miss("ElbowGoal"))));
    QVERIFY(miss("LeftGoal") < 1e-4); // the third has nothing to do with it
    for (const char* handle : {"RightGoal", "ElbowGoal"}) {
        w->clickRow(handle);
        QVERIFY2(isMissShown(handle), qPrintable(w->find<QLabel>("solver.stopped")->text()));
    }
    w->clickRow("RightGoal");
    w->type("channel.weight", "1");
    typeGoal("ElbowGoal", elbow * 100);
    QVERIFY(areAllMet());
}

void TreeJourney::aPenaltyTenTimesAsHighMissesByATenth()
{
    for (const char* handle : {"RightGoal", "ElbowGoal"}) {
        w->clickRow(handle);
        w->type("channel.blend", "0");
    }
    w->clickRow("LeftGoal");
    w->choose("handle.solver", QString::fromStdString(w->solvers.find("penalty")->name));
    w->type("solver.objective.restPose", "1");
    w->type("handle.maxIterations", "6000");
    std::vector<double> misses;
    for (const char* weight : {"1", "10", "100", "1000"}) {
        w->type("solver.weight", weight);
        misses.push_back(miss("LeftGoal"));
    }
    for (std::size_t i = 1; i < misses.size(); ++i) {
        // The first pulls too softly to be near the goal: only from there on is the miss in proportion.
        const double share = misses[i - 1] / misses[i];
        QVERIFY2(share > (i == 1 ? 3 : 8) && share < 12,
                 qPrintable(QString("%1 m, then %2 m").arg(misses[i - 1]).arg(misses[i])));
    }
    w->type("solver.objective.restPose", "0");
    for (const char* handle : {"RightGoal", "ElbowGoal"}) {
        w->clickRow(handle);
        w->type("channel.blend", "1");
    }
}

void TreeJourney::theConstrainedMethodMeetsAllGoals()
{
    chooseForAll("constrained");
    w->clickRow("LeftGoal");
    QVERIFY(areAllMet());
    const SolveStep& eighth = own().at(8);
    for (const SolveStep::Miss& goal : eighth.misses)
        QVERIFY2(goal.position < 1e-6, qPrintable(QString::number(goal.position)));
    // How hard each goal pulls, in the table.
    QVERIFY(w->find<QTreeWidget>("compare.table")->topLevelItem(0)->text(8).toDouble() > 0);
    w->picture("journey8-constrained");
}

void TreeJourney::objectivesChangeThePoseAndNotTheGoals()
{
    // Preferred angles and a motion, without which rest pose, natural pose and the frame before would be one.
    w->clickRow("Left1");
    w->type("joint.preferred.z", "-60");
    w->clickOn("autoKey");
    w->type("frame", "24");
    typeGoal("LeftGoal", {50, 190, 30});
    w->clickOn("autoKey");
    w->type("frame", "12");
    w->clickRow("LeftGoal");
    w->openTab(BottomTab::Timeline);
    for (const char* objective : {"naturalPose", "restPose", "velocity", "power"}) {
        const LocalPose before = w->frame()->solved.local;
        w->dragField(QStringLiteral("solver.objective.%1").arg(objective), 200, [&] {
            const FramePtr now = w->frame();
            double change = 0; // [rad]
            for (std::size_t i = 0; i < before.joints.size(); ++i)
                change = std::max(change,
                                  before.joints[i].rotation.angularDistance(now->solved.local.joints[i].rotation));
            QVERIFY2(change > 1e-4, qPrintable(QString("%1: %2").arg(objective).arg(change)));
            QVERIFY2(areAllMet(), objective);
        });
    }
    QVERIFY(w->scene().find(w->handle("LeftGoal"))->objectives.power > 0);
    w->picture("journey8-objectives");
}

/// As in the seed: what a locked root misses a turning one comes nearer to, and a free one meets.
void TreeJourney::aRootThatTurnsOrMovesReachesMore()
{
    w = std::make_unique<RealWindow>("tree");
    chooseForAll("dls");
    typeGoal("LeftGoal", {140, 130, 50});
    typeGoal("RightGoal", {-20, 200, 30});
    typeGoal("ElbowGoal", {20, 170, 20});
    const double turning = miss("ElbowGoal");
    QVERIFY(w->worldOf("Trunk0").translation().norm() == 0);
    QVERIFY(w->localOf("Trunk0").rotation.angularDistance(Quaternion::Identity()) > 0.01);
    w->clickRow("Trunk0");
    for (const QString axis : {"x", "y", "z"}) w->tick("joint.turn." + axis + ".active", false);
    QVERIFY(w->localOf("Trunk0") == w->scene().find(w->joint("Trunk0"))->rest);
    QVERIFY2(miss("ElbowGoal") > 1.1 * turning && turning > 0.01,
             qPrintable(QString("%1 %2").arg(miss("ElbowGoal")).arg(turning)));
    for (const QString axis : {"x", "y", "z"}) {
        w->tick("joint.turn." + axis + ".active", true);
        w->tick("joint.slide." + axis + ".active", true);
    }
    QVERIFY(areAllMet());
    QVERIFY(w->worldOf("Trunk0").translation().norm() > 0.01);
    pictures("journey8-end");
}

} // namespace

std::unique_ptr<QObject> makeTreeJourney() { return std::make_unique<TreeJourney>(); }

} // namespace tendon::test

#include "Tree.moc"

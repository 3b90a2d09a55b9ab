#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"

#include "app/editor/Theme.h"
#include "app/widgets/NumberField.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>

namespace tendon::test {
namespace {

using namespace editor;

/// Journey 5: a telescope built by hand folds from the top, with ease and damping earlier.
class TelescopeJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    std::size_t m_start = 0; ///< undo steps when it is built

    static double slideOf(const FrameResult& frame, const char* joint)
    {
        const JointId id = *frame.scene->jointNamed(joint);
        return frame.solved.local.joints[static_cast<std::size_t>(frame.rig->index(id))].translation.z();
    }
    [[nodiscard]] double slide(const char* joint) { return slideOf(*w->frame(), joint); }
    [[nodiscard]] QString slides()
    {
        return QStringLiteral("top %1 m, middle %2 m").arg(slide("Top"), 0, 'g', 17).arg(slide("Middle"), 0, 'g', 17);
    }
    /// Adds a joint below the selected one, with a cylinder of 30 cm along its Z.
    void addTube(const char* name, const char* radius)
    {
        w->command("Add a child of the selected");
        w->reply(name);
        w->command("Rename");
        w->choose("joint.segment.shape", "Cylinder");
        w->type("joint.segment.radius", radius);
        w->type("joint.segment.height", "30");
        w->type("joint.segment.rotation.x", "90");
    }
    void tickAll(const QString& kind, bool isOn)
    {
        for (const QString axis : {"x", "y", "z"}) w->tick("joint." + kind + "." + axis + ".active", isOn);
    }
    void selectBoth()
    {
        w->clickRow("Middle");
        w->clickRow("Top", Qt::ControlModifier);
    }
    /// Drags the goal down by the mouse.
    void press(double way)
    {
        const Vector3 goal = w->goalOf("TopGoal");
        w->dragTo(goal, goal - Vector3(0, way, 0), 3);
    }
    /// Drags the goal down slowly, in one gesture, until both tubes are in. `check` sees each frame.
    void pressSlowly(const std::function<void(const FrameResult&)>& check)
    {
        const QMetaObject::Connection watching = QObject::connect(w->state.get(), &Editor::frameReady, w->state.get(),
                                                                  [&] { check(*w->state->frame()); });
        const Vector3 goal = w->goalOf("TopGoal");
        w->dragTo(goal, goal - Vector3(0, 0.65, 0), 60);
        QObject::disconnect(watching);
    }
    /// [m] that the middle tube has moved while the top one is at least 5 % of its range from its limit.
    [[nodiscard]] double earlyMotion()
    {
        double early = 0;
        pressSlowly([&](const FrameResult& frame) {
            if (slideOf(frame, "Top") >= 0.05 * 0.3) early = std::max(early, 0.3 - slideOf(frame, "Middle"));
            checkRanges(frame);
        });
        return early;
    }
    static void checkRanges(const FrameResult& frame)
    {
        for (const char* joint : {"Top", "Middle"})
            QVERIFY2(slideOf(frame, joint) >= 0 && slideOf(frame, joint) <= 0.3,
                     qPrintable(QStringLiteral("%1 at frame %2: %3")
                                    .arg(joint)
                                    .arg(frame.frame)
                                    .arg(slideOf(frame, joint), 0, 'g', 17)));
    }
    void undoDownTo(std::size_t steps)
    {
        while (w->document().history().undoCount() > steps) w->key(Qt::Key_Z, Qt::ControlModifier);
    }

private slots:
    void threeTubesAreBuiltAndLinked();
    void aSlideWithoutLimitsGoesBothWays();
    void aRangeIsPreviewedWhileCtrlDragsIt();
    void theTopTubeSinksFirst();
    void theFoldIsKeyedAndStaysInItsRanges();
    void withEaseTheMiddleTubeStartsEarly();
    void withDampingItMovesFromTheBeginning();
    void theProjectIsSavedAndOpensTheSame();
};

void TelescopeJourney::threeTubesAreBuiltAndLinked()
{
    w = std::make_unique<RealWindow>("arm");
    w->command("New");
    QVERIFY(w->scene().joints->empty());
    addTube("Bottom", "7.5");
    addTube("Middle", "6");
    w->type("channel.ty", "0");
    w->type("channel.tz", "30");
    // The third stands apart first, and is linked where it is.
    w->command("Deselect all");
    addTube("Top", "4.5");
    w->type("channel.tz", "60");
    w->clickRow("Middle");
    w->clickRow("Top", Qt::ControlModifier);
    w->command("Set rest pose");
    const Affine before = w->worldOf("Top");
    w->clickRow("Top");
    w->clickRow("Middle", Qt::ControlModifier);
    w->key(Qt::Key_P);
    QCOMPARE(w->scene().find(w->joint("Top"))->parent, w->joint("Middle"));
    QVERIFY((w->worldOf("Top").matrix() - before.matrix()).norm() < 1e-12);
    // What lies is put upright.
    w->clickRow("Bottom");
    w->type("channel.rx", "-90");
    w->command("Set rest pose");
    for (const Joint& joint : *w->scene().joints)
        QVERIFY2(w->localOf(joint.name.c_str()) == joint.rest, joint.name.c_str());
    QVERIFY((w->worldOf("Top").translation() - Vector3(0, 0.6, 0)).norm() < 1e-12);

    w->clickRow("Bottom");
    tickAll("turn", false);
    selectBoth();
    tickAll("turn", false);
    w->tick("joint.slide.z.active", true);
    for (const Joint& joint : *w->scene().joints)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            QVERIFY2(!joint.turning[axis].active, joint.name.c_str());
            QVERIFY2(joint.sliding[axis].active == (axis == 2 && joint.name != "Bottom"), joint.name.c_str());
            QVERIFY2(!joint.sliding[axis].limited, joint.name.c_str());
        }
    w->command("Frame all");
    w->command("IK handle with HD");
    w->click(w->worldOf("Middle").translation());
    w->click(w->worldOf("Top").translation());
    QCOMPARE(w->scene().handles->size(), std::size_t(1));
    QCOMPARE(w->scene().handles->front().solver, std::string("hd"));
    w->reply("TopGoal");
    w->command("Rename");
    for (const Joint& joint : *w->scene().joints) QCOMPARE(joint.precedence, 0);
    w->command("Front");
    w->picture("journey5-built");
}

void TelescopeJourney::aSlideWithoutLimitsGoesBothWays()
{
    const std::size_t steps = w->document().history().undoCount();
    for (const double way : {0.4, -0.3}) {
        w->clickRow("TopGoal");
        press(way);
        const double length = slide("Top") + slide("Middle");
        const Vector3 goal = w->goalOf("TopGoal");
        QVERIFY2(std::abs(length - (0.6 - way)) < 0.01, qPrintable(QString("%1: %2; goal %3 %4 %5, %6 steps, %7")
                                                                       .arg(way)
                                                                       .arg(slides())
                                                                       .arg(goal.x())
                                                                       .arg(goal.y())
                                                                       .arg(goal.z())
                                                                       .arg(w->document().history().undoCount() - steps)
                                                                       .arg(w->find<QLabel>("status.text")->text())));
        QVERIFY(way > 0 ? slide("Top") < -0.05 : slide("Top") > 0.35);
        undoDownTo(steps);
    }
}

void TelescopeJourney::aRangeIsPreviewedWhileCtrlDragsIt()
{
    w->clickRow("Top");
    for (const char* field : {"joint.slide.z.from", "joint.slide.z.to"}) {
        const std::size_t steps = w->document().history().undoCount();
        const Scene before = w->scene();
        const LocalPose pose = w->frame()->solved.local;
        w->dragField(
            field, 100,
            [&] {
                QVERIFY(std::abs(w->find<NumberField>(field)->value()) > 1);
                QVERIFY2(std::abs(slide("Top") - 0.01 * w->find<NumberField>(field)->value()) < 1e-9,
                         qPrintable(slides())); // the tube is where the range would end
            },
            Qt::ControlModifier);
        QVERIFY(w->frame()->solved.local == pose);
        const AxisFreedom& axis = w->scene().find(w->joint("Top"))->sliding[2];
        QVERIFY(!axis.limited && axis.from + axis.to != 0); // the value stays in its field, and nothing is keyed
        QVERIFY(w->scene().clips == before.clips && w->scene().statics == before.statics);
        QCOMPARE(w->document().history().undoCount(), steps + 1);
        undoDownTo(steps);
    }
    selectBoth();
    w->type("joint.slide.z.from", "30");
    w->type("joint.slide.z.to", "0");
    w->tick("joint.slide.z.limited", true);
    for (const char* name : {"Middle", "Top"}) {
        const AxisFreedom& axis = w->scene().find(w->joint(name))->sliding[2];
        QVERIFY(axis.limited && std::abs(axis.from - 0.3) < 1e-12 && axis.to == 0);
    }
    m_start = w->document().history().undoCount();
}

void TelescopeJourney::theTopTubeSinksFirst()
{
    w->clickRow("TopGoal");
    int frames = 0;
    pressSlowly([&](const FrameResult& frame) {
        ++frames;
        checkRanges(frame);
        QVERIFY2(0.3 - slideOf(frame, "Middle") <= 1e-4 || slideOf(frame, "Top") < 1e-3,
                 qPrintable(QString("%1 %2").arg(slideOf(frame, "Top")).arg(slideOf(frame, "Middle"))));
    });
    QVERIFY2(frames >= 20, qPrintable(QString::number(frames)));
    w->picture("journey5-folded");
    QVERIFY2(slide("Top") < 1e-6 && slide("Middle") < 1e-6, qPrintable(slides())); // 60 in all
    press(0.05);                                                                   // farther down there is nothing left
    QVERIFY2(slide("Top") >= 0 && slide("Middle") >= 0, qPrintable(slides()));
    undoDownTo(m_start);
}

void TelescopeJourney::theFoldIsKeyedAndStaysInItsRanges()
{
    QVERIFY(std::abs(slide("Top") - 0.3) < 1e-6);
    w->clickOn("autoKey");
    QVERIFY(w->find<QPushButton>("autoKey")->isChecked());
    const int last = w->scene().lastFrame;
    w->state->goToFrame(last);
    w->settle();
    w->clickRow("TopGoal");
    // Short presses, as when one feels one's way. On its way the goal passes over the ends of the middle tube's range,
    // which are shown and could be dragged, too.
    const JointId middle = w->joint("Middle");
    const AxisFreedom range = w->scene().find(middle)->sliding[2];
    for (int i = 0; i < 13; ++i) press(0.05);
    QVERIFY(w->scene().find(middle)->sliding[2] == range);
    w->clickOn("autoKey");
    QVERIFY2(slide("Top") < 1e-3 && slide("Middle") < 0.02, qPrintable(slides()));
    for (int frame = w->scene().firstFrame; frame <= last; ++frame) {
        w->state->goToFrame(frame);
        const FramePtr now = w->state->finishFrame();
        checkRanges(*now);
        QVERIFY(0.3 - slideOf(*now, "Middle") <= 1e-4 || slideOf(*now, "Top") < 1e-3);
    }
    w->state->goToFrame(w->scene().firstFrame);
    int played = 0;
    const QMetaObject::Connection watching = QObject::connect(w->state.get(), &Editor::frameReady, w->state.get(), [&] {
        played += w->state->playback().isPlaying() ? 1 : 0;
        checkRanges(*w->state->frame());
    });
    w->key(Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(played > 10, 20000);
    w->key(Qt::Key_Space);
    QObject::disconnect(watching);
    undoDownTo(m_start);
}

void TelescopeJourney::withEaseTheMiddleTubeStartsEarly()
{
    selectBoth();
    w->type("joint.slide.z.ease", "0.5");
    const std::size_t eased = w->document().history().undoCount();
    w->clickRow("TopGoal");
    const double early = earlyMotion();
    QVERIFY2(early > 0.05, qPrintable(QString::number(early)));
    QVERIFY2(slide("Top") < 1e-3 && slide("Middle") < 1e-3, qPrintable(slides()));
    undoDownTo(eased);
}

void TelescopeJourney::withDampingItMovesFromTheBeginning()
{
    selectBoth();
    w->type("joint.slide.z.ease", "0");
    w->type("joint.slide.z.damping", "0.5");
    const std::size_t damped = w->document().history().undoCount();
    w->clickRow("TopGoal");
    press(0.03);
    const double way = 0.6 - slide("Top") - slide("Middle");
    QVERIFY(way > 0.02);
    QVERIFY2(std::abs(0.3 - slide("Middle") - way / 3) < 0.01 * way, qPrintable(slides()));
    QVERIFY(earlyMotion() > 0.05);
    w->picture("journey5-damped");
    undoDownTo(damped);
}

void TelescopeJourney::theProjectIsSavedAndOpensTheSame()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("telescope.tendon");
    const Scene built = w->scene();
    const LocalPose pose = w->frame()->solved.local;
    w->answerFile(path);
    w->key(Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!w->document().isModified());
    w->clickRow("Bottom");
    Theme::instance().set(Theme::Kind::Light, 1);
    w->picture("journey5-end-light");
    Theme::instance().set(Theme::Kind::Dark, 1);
    w->picture("journey5-end");
    w->command("New");
    QVERIFY(w->window->files().openFile(path));
    QVERIFY(w->scene() == built);
    QVERIFY(w->frame()->solved.local == pose);
}

} // namespace

std::unique_ptr<QObject> makeTelescopeJourney() { return std::make_unique<TelescopeJourney>(); }

} // namespace tendon::test

#include "Telescope.moc"

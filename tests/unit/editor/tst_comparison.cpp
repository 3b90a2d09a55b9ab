#include "app/editor/CompareCsv.h"
#include "app/editor/Editor.h"
#include "app/editor/GhostFrames.h"
#include "app/editor/StageEllipse.h"
#include "core/math/Convert.h"
#include "core/runtime/ForwardKinematics.h"
#include "tests/support/TestProgram.h"

#include <QJsonArray>
#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace tendon;
using namespace tendon::editor;

/// Recording solves beside the window, and playing them.
class TestComparison : public QObject
{
    Q_OBJECT
private:
    SolverRegistry m_solvers;

    static qint64 seconds(double s) { return static_cast<qint64>(s * 1e9); }

    /// Opens a sample and records the solve of its first handle.
    static void watchFirstHandle(Editor& editor, const char* sample)
    {
        if (!editor.document().openSample(sample)) qFatal("%s", sample);
        editor.comparison().setHandle(editor.document().scene().handles->front().id);
        editor.comparison().setActive(true);
        (void)editor.finishFrame();
        editor.comparison().finish();
    }

private slots:
    void initTestCase()
    {
        m_solvers.scan();
        QVERIFY(m_solvers.find("dls") != nullptr);
    }
    void theRecordingIsOfTheShownFrameAndChangesNothing();
    void theNewestFrameIsRecordedInTheEnd();
    void nothingIsRecordedWhileItIsInactive();
    void iterationsGoOnBehindTheLastStage();
    void playingAdvancesByTheClock();
    void severalStepsPlayWithEachFrame();
    void anEasedDisplayEndsAtTheStepExactly();
    void theModelIsDrawnAtTheShownStep();
    void passesAdvanceWithEachPlayedFrame();
    void passesAreCountedFromWhereTheyBegin();
    void answersOfTheOthersAreGhosts();
    void theTimelinePlaysTheDocumentNotAStep();
    void aSolveOfSeveralHandlesIsCountedOnce();
    void csvHasARowForEachSolverAndStep();
    void csvTellsTimeAndResidualOfAnIteration();
    void csvHasARowForEachStage();
    void theEllipseInSpaceIsWhereItsStagesMoveTheNode();
    void whoStandsAtTheEndStaysThere();
};

void TestComparison::theRecordingIsOfTheShownFrameAndChangesNothing()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("mannequin"));
    const HandleId handle = editor.document().scene().handles->front().id;
    const Scene scene = editor.document().scene();
    const std::uint64_t revision = editor.document().revision();
    editor.comparison().setHandle(handle);
    editor.comparison().setOthers({"fabrik", "ccd"});
    editor.comparison().setActive(true);
    editor.comparison().finish();
    const RecordingPtr recording = editor.comparison().recording();
    QVERIFY(recording != nullptr);
    QCOMPARE(recording->solvers.size(), 3u);
    const FramePtr frame = editor.finishFrame();
    QVERIFY(recording->solvers.front().answer.local == frame->solved.local); // what is drawn, to the bit
    QVERIFY(editor.document().scene() == scene);
    QCOMPARE(editor.document().revision(), revision);
    QVERIFY(!editor.document().canUndo());
    QCOMPARE(editor.steps().last(), recording->lastIteration());
}

void TestComparison::theNewestFrameIsRecordedInTheEnd()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("mannequin"));
    editor.comparison().setHandle(editor.document().scene().handles->front().id);
    editor.comparison().setActive(true);
    for (int frame = 2; frame <= 20; ++frame) editor.goToFrame(frame);
    editor.comparison().finish();
    QCOMPARE(editor.comparison().frame(), 20);
    QVERIFY(editor.comparison().recording()->solvers.front().answer.local == editor.finishFrame()->solved.local);
}

void TestComparison::nothingIsRecordedWhileItIsInactive()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("mannequin"));
    editor.comparison().setHandle(editor.document().scene().handles->front().id);
    editor.finishFrame();
    editor.comparison().finish();
    QVERIFY(editor.comparison().recording() == nullptr);
    editor.comparison().setActive(true);
    editor.comparison().finish();
    QVERIFY(editor.comparison().recording() != nullptr);
    editor.comparison().setActive(false);
    QVERIFY(editor.comparison().recording() == nullptr);
}

/// Behind the last stage come the iterations that other solvers still make: all can be watched to their ends.
void TestComparison::iterationsGoOnBehindTheLastStage()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("mannequin"));
    editor.comparison().setHandle(editor.document().scene().handles->front().id);
    editor.comparison().setOthers({"fabrik", "jacobian-transpose"});
    editor.comparison().setActive(true);
    editor.comparison().finish();
    Comparison::View view = editor.comparison().view();
    view.isStaged = true;
    editor.comparison().setView(view);
    const SolverRecording* staged = editor.comparison().staged();
    QVERIFY(staged != nullptr && staged->solver == "fabrik");
    const int stages = static_cast<int>(staged->stages.size()), passes = staged->stages.back().row.pass;
    const int last = editor.comparison().recording()->lastIteration();
    QVERIFY2(last > passes + 3, "the other solver takes longer");
    QCOMPARE(editor.steps().last(), stages + last - passes);
    QCOMPARE(editor.comparison().iterationAt(stages), passes);
    QCOMPARE(editor.comparison().iterationAt(editor.steps().last()), last);
    QVERIFY(editor.comparison().stagedAt(stages) == staged);
    QVERIFY(editor.comparison().stagedAt(stages + 1) == nullptr);
    for (int iteration = passes; iteration <= last; ++iteration)
        QCOMPARE(editor.comparison().iterationAt(editor.comparison().stepAt(iteration)), iteration);
}

void TestComparison::playingAdvancesByTheClock()
{
    StepPlayer player;
    qint64 now = 0;
    player.clock = [&] { return now; };
    player.setLast(10);
    player.goTo(0);
    player.setPace(1, 1);
    player.play();
    for (int second = 0; second <= 10; ++second) {
        now = seconds(second + 0.5);
        player.tick();
        QCOMPARE(player.step(), second);
        QCOMPARE(player.isPlaying(), second < 10);
    }
    player.play(); // from the start again
    QCOMPARE(player.step(), 0);
    player.goTo(4); // by hand
    QVERIFY(!player.isPlaying());
    QCOMPARE(player.step(), 4);
}

void TestComparison::severalStepsPlayWithEachFrame()
{
    StepPlayer player;
    qint64 now = 0;
    player.clock = [&] { return now; };
    player.setLast(100);
    player.goTo(0);
    player.setPace(24, 3);
    player.play();
    for (int frame = 0; frame <= 10; ++frame) {
        now = seconds((frame + 0.5) / 24);
        player.tick();
        QCOMPARE(player.step(), 3 * frame);
    }
}

void TestComparison::anEasedDisplayEndsAtTheStepExactly()
{
    Editor editor(m_solvers);
    watchFirstHandle(editor, "mannequin");
    const SolverRecording& own = editor.comparison().recording()->solvers.front();
    qint64 now = 0;
    editor.stepDisplay().clock = [&] { return now; };
    editor.steps().goTo(0);
    editor.stepDisplay().setEased(true);
    QVERIFY(editor.stepDisplay().isDone());
    const auto start = own.at(0).local, end = own.steps.back().local;
    QVERIFY(!(start == end));
    editor.steps().goTo(editor.steps().last());
    QVERIFY(!editor.stepDisplay().isDone());
    const auto isBetween = [&](double share) {
        editor.stepDisplay().tick();
        const auto expected = posesBetween(start, end, share);
        double largest = 0;
        for (std::size_t i = 0; i < expected.size(); ++i)
            largest = std::max(largest,
                               editor.stepDisplay().poseOf(0)[i].rotation.angularDistance(expected[i].rotation));
        return largest < 1e-9;
    };
    QVERIFY(isBetween(0));
    now = seconds(0.25);
    QVERIFY(isBetween((1 - std::sqrt(0.5)) / 2)); // (1 - cos(pi / 4)) / 2
    now = seconds(0.5);
    QVERIFY(isBetween(0.5));
    now = seconds(StepDisplay::kEase);
    editor.stepDisplay().tick();
    QVERIFY(editor.stepDisplay().isDone());
    QVERIFY(editor.stepDisplay().poseOf(0) == end);
    QVERIFY(editor.drawnFrame() == editor.frame()); // nothing but the answer is drawn
    editor.stepDisplay().setEased(false);
    editor.steps().goTo(0);
    QVERIFY(editor.stepDisplay().poseOf(0) == start); // at once
}

/// The model is drawn in the pose of the shown step, what hangs from the chain included; the solved frame stays.
void TestComparison::theModelIsDrawnAtTheShownStep()
{
    Editor editor(m_solvers);
    watchFirstHandle(editor, "mannequin");
    const FramePtr answer = editor.frame();
    const auto solved = answer->solved.local;
    const SolverRecording& own = editor.comparison().recording()->solvers.front();
    for (int step = editor.steps().last() - 1; step >= 0; --step) {
        editor.steps().goTo(step);
        const FramePtr drawn = editor.drawnFrame();
        QVERIFY(drawn != answer);
        ModelPose expected = answer->solved.model;
        LocalPose local = answer->solved.local;
        for (std::size_t i = 0; i < own.joints.size(); ++i)
            local.joints[tendon::at(own.joints[i])] = own.at(step).local[i];
        forwardKinematics(*answer->rig, local, expected);
        for (std::size_t joint = 0; joint < expected.modelFromJoint.size(); ++joint)
            QVERIFY(drawn->solved.model.modelFromJoint[joint].matrix() == expected.modelFromJoint[joint].matrix());
        // What is missed there is what the recording says.
        const HandleView* view = drawn->find(editor.comparison().handle());
        QVERIFY(std::abs(view->result.positionError -
                         own.at(step).misses[static_cast<std::size_t>(own.goal)].position) < 1e-9);
    }
    QVERIFY(editor.frame() == answer && answer->solved.local == solved);
    editor.steps().goTo(editor.steps().last());
    QVERIFY(editor.drawnFrame() == answer);
    editor.steps().goTo(0);
    editor.comparison().setActive(false);
    QVERIFY(editor.drawnFrame() == answer);
}

/// With passes shown, each played frame is a pass further: the error falls until the solve is done. Nothing else knows
/// of it.
void TestComparison::passesAdvanceWithEachPlayedFrame()
{
    Editor editor(m_solvers);
    watchFirstHandle(editor, "opengl-arm");
    const Scene scene = editor.document().scene();
    const auto answer = editor.frame()->solved.local;
    Comparison::View view = editor.comparison().view();
    view.showsPasses = true;
    editor.comparison().setView(view);
    qint64 now = 0;
    editor.playback().clock = [&] { return now; };
    const auto errorOf = [&] { return editor.drawnFrame()->find(editor.comparison().handle())->result.positionError; };
    const auto play = [&](int frame) { // frames are asked for one by one, as a clock that is slow enough would do
        now = seconds((frame - 0.5) / scene.fps.perSecond());
        editor.playback().tick();
        editor.scheduler().finish();
    };
    editor.goToFrame(scene.firstFrame);
    editor.togglePlayback();
    editor.scheduler().finish();
    QCOMPARE(editor.steps().step(), 0);
    double before = errorOf();
    int frame = 1;
    while (editor.steps().step() < editor.steps().last()) {
        play(++frame);
        QCOMPARE(editor.steps().step(), frame - 1);
        QVERIFY2(errorOf() < before,
                 qPrintable(QString("pass %1: %2 after %3").arg(frame - 1).arg(errorOf()).arg(before)));
        before = errorOf();
    }
    QVERIFY(frame > 3);
    QVERIFY(editor.drawnFrame() == editor.frame()); // done
    play(frame + 1);
    QVERIFY(editor.drawnFrame() == editor.frame());
    QVERIFY(editor.frame()->solved.local == answer);

    view.passesPerFrame = 3;
    editor.comparison().setView(view);
    now = 0;
    play(1 + scene.lastFrame - scene.firstFrame + 1); // the clip begins again, and with it the passes
    QCOMPARE(editor.steps().step(), 0);
    play(2 + scene.lastFrame - scene.firstFrame + 1);
    QCOMPARE(editor.steps().step(), std::min(3, editor.steps().last()));

    editor.playback().stop();
    editor.comparison().setActive(false);
    QVERIFY(editor.finishFrame()->solved.local == answer);
    QVERIFY(editor.document().scene() == scene);
    QVERIFY(!editor.document().canUndo());
}

void TestComparison::passesAreCountedFromWhereTheyBegin()
{
    PassCount count;
    QCOMPARE(count.at(40, 1), 0);
    QCOMPARE(count.at(41, 1), 1);
    QCOMPARE(count.at(43, 1), 2); // one was dropped; no pass is
    QCOMPARE(count.at(43, 1), 2); // drawn again
    QCOMPARE(count.at(2, 1), 0);  // the clip begins again
    QCOMPARE(count.at(3, 1), 1);
    QCOMPARE(count.at(4, 2), 0); // something was edited
    QCOMPARE(count.at(5, 2), 1);
    count.restart();
    QCOMPARE(count.at(6, 2), 0);
}

void TestComparison::csvHasARowForEachSolverAndStep()
{
    Editor editor(m_solvers);
    editor.comparison().setOthers({"two-bone", "nothing, \"really\""});
    watchFirstHandle(editor, "mannequin");
    const RecordingPtr recording = editor.comparison().recording();
    const auto rows = [](const std::string& text) {
        return QString::fromStdString(text).split('\n', Qt::SkipEmptyParts);
    };
    const QStringList table = rows(tableCsv(*recording, 7));
    QCOMPARE(table.size(), 4);
    QVERIFY(table[1].startsWith(QString::fromStdString(recording->solvers[0].solver) + ",7,"));
    QVERIFY(table[3].startsWith("\"nothing, \"\"really\"\"\",7,"));
    // The start, and one row for each iteration that was made.
    std::size_t steps = 0;
    for (const SolverRecording& solver : recording->solvers) {
        std::set<std::int32_t> iterations;
        for (std::size_t i = 1; i < solver.steps.size(); ++i) iterations.insert(solver.steps[i].iteration);
        steps += iterations.size() + (solver.steps.empty() ? 0 : 1);
    }
    const QStringList passes = rows(convergenceCsv(*recording));
    QCOMPARE(static_cast<std::size_t>(passes.size()), steps + 1);
    QVERIFY(passes.back().split(',').value(4).toDouble() > 0); // what the last iteration changed
    ClipScore absent;
    absent.solver = "absent";
    absent.problem = "is not installed";
    QCOMPARE(rows(clipCsv({&absent, 1}))[1], QString("absent,0,,,,,,,,,,,,,,is not installed"));
    const qsizetype columns = table[0].count(',');
    QCOMPARE(table[1].count(','), columns);
}

/// The view shows each other solver's answer as the whole model, at the recording's frame and in the solver's colour.
void TestComparison::answersOfTheOthersAreGhosts()
{
    Editor editor(m_solvers);
    editor.comparison().setOthers({"nothing", "fabrik"});
    watchFirstHandle(editor, "mannequin");
    const RecordingPtr recording = editor.comparison().recording();
    const auto& rig = editor.frame()->rig;
    const std::vector<Ghost> ghosts = ghostsOf(*recording, rig, 7);
    QCOMPARE(ghosts.size(), 1u); // the handle's own is the model, and one is not installed
    QCOMPARE(ghosts[0].look, 2u);
    QCOMPARE(ghosts[0].frame, 7);
    QVERIFY(ghosts[0].side == Ghost::Side::Compared);
    const SolverRecording& fabrik = recording->solvers[2];
    ModelPose pose;
    ghosts[0].pose->copyTo(pose);
    QCOMPARE(pose.modelFromJoint.size(), rig->jointCount());
    for (std::size_t i = 0; i < fabrik.joints.size(); ++i) {
        const Vector3 place = pose.modelFromJoint[tendon::at(fabrik.joints[i])].translation();
        QVERIFY((place - fabrik.steps.back().positions[i]).norm() < 1e-6);
    }
}

/// Left at a step, the tab must not show that step's misses as the document's while the timeline plays.
void TestComparison::theTimelinePlaysTheDocumentNotAStep()
{
    Editor editor(m_solvers);
    watchFirstHandle(editor, "mannequin");
    editor.steps().goTo(0);
    QVERIFY(editor.drawnFrame() != editor.frame());
    qint64 now = 0;
    editor.playback().clock = [&] { return now; };
    editor.togglePlayback();
    for (int frame = 1; frame < 6; ++frame) {
        now = seconds((frame - 0.5) / editor.document().scene().fps.perSecond());
        editor.playback().tick();
        editor.scheduler().finish();
        QVERIFY(editor.drawnFrame() == editor.frame());
    }
}

/// The three goals of the tree are met by one solve.
void TestComparison::aSolveOfSeveralHandlesIsCountedOnce()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("tree"));
    const FramePtr frame = editor.finishFrame();
    QCOMPARE(frame->handles.size(), 3u);
    const std::int32_t iterations = frame->handles.front().result.iterations;
    QVERIFY(iterations > 0);
    for (const HandleView& handle : frame->handles) QCOMPARE(handle.result.iterations, iterations);
    QCOMPARE(frame->iterations, iterations);
}

void TestComparison::csvTellsTimeAndResidualOfAnIteration()
{
    Editor editor(m_solvers);
    watchFirstHandle(editor, "tree");
    const RecordingPtr recording = editor.comparison().recording();
    const SolverRecording& solver = recording->solvers.front();
    const auto valuesOf = [](const std::string& csv, const char* column) {
        QList<double> values;
        const QStringList lines = QString::fromStdString(csv).split('\n', Qt::SkipEmptyParts);
        const qsizetype at = lines[0].split(',').indexOf(column);
        if (at < 0) qFatal("no column %s", column);
        for (qsizetype row = 1; row < lines.size(); ++row) values << lines[row].split(',')[at].toDouble();
        return values;
    };
    const auto isNear = [](double told, double wanted) { return std::abs(told - wanted) <= 1e-6 * std::abs(wanted); };
    double squares = 0;
    for (const SolveStep::Miss& miss : solver.steps.front().misses) squares += miss.position * miss.position;
    QVERIFY(solver.steps.front().misses.size() > 1);
    const std::string steps = convergenceCsv(*recording), table = tableCsv(*recording, 1);
    QVERIFY(isNear(valuesOf(steps, "total residual (m)").front(), std::sqrt(squares)));
    QVERIFY(isNear(valuesOf(table, "total residual (m)").front(), solver.steps.back().total().position));
    for (const std::string& csv : {steps, table})
        QVERIFY(isNear(valuesOf(csv, "median time per iteration (s)").front(),
                       solver.medianSeconds / solver.result.iterations));
}

void TestComparison::csvHasARowForEachStage()
{
    Editor editor(m_solvers);
    watchFirstHandle(editor, "tree");
    const RecordingPtr recording = editor.comparison().recording();
    const QStringList rows =
        QString::fromStdString(stagesCsv(*recording, *editor.finishFrame()->rig)).split('\n', Qt::SkipEmptyParts);
    const SolverRecording& solver = recording->solvers.front();
    QCOMPARE(static_cast<std::size_t>(rows.size()), solver.stages.size() + 1);
    const QStringList titles = rows[0].split(',');
    QCOMPARE(titles[4], QString("joint"));
    // The mean of the candidates before it, with their weights.
    double sum = 0, weights = 0;
    int means = 0;
    for (int i = 1; i < rows.size(); ++i) {
        const QStringList cells = rows[i].split(',');
        QCOMPARE(cells.size(), titles.size());
        QVERIFY2(!cells[4].isEmpty(), qPrintable(rows[i]));
        if (cells[3] == "candidate") {
            sum += cells[5].toDouble() * cells[6].toDouble();
            weights += cells[5].toDouble();
        } else if (cells[3] == "mean of candidates") {
            QVERIFY2(std::abs(cells[6].toDouble() - sum / weights) < 1e-8, qPrintable(rows[i]));
            sum = weights = 0;
            ++means;
        }
    }
    QVERIFY(means > 0);
}

void TestComparison::theEllipseInSpaceIsWhereItsStagesMoveTheNode()
{
    Editor editor(m_solvers);
    QVERIFY(editor.document().openSample("tree"));
    for (const char* joint : {"Left1", "Right1", "Trunk1"})
        QVERIFY(editor.document().apply(
            {{"op", "setBallJoint"}, {"joint", joint}, {"axis", "y"}, {"swing", QJsonArray{9, 4, 7, 12}}}));
    editor.comparison().setHandle(editor.document().scene().handles->front().id);
    editor.comparison().setActive(true);
    const FramePtr frame = editor.finishFrame();
    editor.comparison().finish();
    const SolverRecording& solver = editor.comparison().recording()->solvers.front();
    int ellipses = 0, moved[2] = {0, 0};
    for (std::size_t count = 1; count <= solver.stages.size(); ++count) {
        const auto ellipse = ellipseAtStage(solver, count);
        const sdk::Stage stage = solver.stages[count - 1].row.stage;
        const bool isOne = stage == sdk::Stage::Ellipse || stage == sdk::Stage::IntoEllipse ||
                           stage == sdk::Stage::Length;
        QCOMPARE(ellipse.has_value(), isOne);
        if (!ellipse) continue;
        QCOMPARE(ellipse->isMoved, stage != sdk::Stage::Ellipse);
        const auto placed = inSpace(solver, *ellipse, *frame->rig);
        QVERIFY2(placed.has_value(), qPrintable(QString("stage %1, of body %2, limits of %3")
                                                    .arg(count)
                                                    .arg(solver.stages[count - 1].row.body)
                                                    .arg(solver.stages[count - 1].row.other)));
        ++ellipses;
        // The rim goes through the nearest point, which is no farther from the end that stays than the bone is long.
        const double whole = (placed->asked - placed->fixed).norm(), bone = (placed->rim[0] - placed->fixed).norm();
        QVERIFY(bone > 0.02 && bone < whole + 1e-9);
        if (ellipse->isInside) QVERIFY(std::abs(bone - whole) < 1e-9);
        if (stage == sdk::Stage::Length) QVERIFY(std::abs((*placed->kept - placed->fixed).norm() - whole) < 1e-9);
        for (const Vector3& point : placed->rim) QVERIFY(std::abs((point - placed->fixed).norm() - bone) < 1e-9);
        const double degrees[] = {9, 4, 7, 12};
        for (std::size_t i = 0; i < 4; ++i) { // each semi-axis as far from the centre as it says
            const Vector3 from = placed->axes[i].front() - placed->fixed, to = placed->axes[i].back() - placed->fixed;
            QVERIFY((placed->axes[i].front() - placed->centre).norm() < 1e-12);
            QVERIFY(std::acos(std::clamp(from.dot(to) / bone / bone, -1.0, 1.0)) * 57.29577951 < degrees[i] + 1e-6);
            double nearest = HUGE_VAL;
            for (const Vector3& point : placed->rim)
                nearest = std::min(nearest, (point - placed->axes[i].back()).norm());
            QVERIFY(nearest < 1e-9); // the rim goes through its end
        }
        if (stage != sdk::Stage::IntoEllipse) continue;
        // The solver's own nearest point is on the rim that is drawn, or the node was inside and has stayed.
        const Vector3 kept = tendon::toVector(solver.stages[count - 1].row.position);
        QVERIFY((*placed->kept - kept).norm() < 1e-12);
        if ((kept - placed->asked).norm() < 1e-9) continue;
        double nearest = HUGE_VAL;
        for (std::size_t i = 0; i < placed->rim.size(); ++i) {
            const Vector3 a = placed->rim[i], way = placed->rim[(i + 1) % placed->rim.size()] - a;
            const double share = std::clamp((kept - a).dot(way) / way.squaredNorm(), 0.0, 1.0);
            nearest = std::min(nearest, (kept - a - share * way).norm());
        }
        QVERIFY2(nearest < 1e-3 * bone, qPrintable(QString("stage %1: %2 m").arg(count).arg(nearest)));
        ++moved[solver.stages[count - 1].row.isForward];
    }
    // Also of a joint that turns for several arms at once, as Right1 does for its own goal and the one beyond.
    QVERIFY(std::any_of(solver.stages.begin(), solver.stages.end(), [&](const RecordedStage& stage) {
        return stage.row.stage == sdk::Stage::Ellipse && stage.row.isForward != 0 && stage.limited >= 0 &&
               frame->rig->authored[static_cast<std::size_t>(solver.joints[static_cast<std::size_t>(stage.limited)])]
                       .name == "Right1";
    }));
    QVERIFY2(ellipses > 6 && moved[0] > 0 && moved[1] > 0,
             qPrintable(QString("%1, moved %2 and %3").arg(ellipses).arg(moved[0]).arg(moved[1])));
}

void TestComparison::whoStandsAtTheEndStaysThere()
{
    StepPlayer player;
    player.setLast(7);
    QCOMPARE(player.step(), 7); // the answer is what is seen first
    player.setLast(12);
    QCOMPARE(player.step(), 12);
    player.goTo(3);
    player.setLast(20);
    QCOMPARE(player.step(), 3);
    player.setLast(2);
    QCOMPARE(player.step(), 2);
}

TENDON_TEST(TestComparison)
#include "tst_comparison.moc"

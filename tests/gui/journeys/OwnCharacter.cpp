#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"
#include "tests/support/WalkBvh.h"

#include "app/widgets/retarget/RetargetBody.h"
#include "app/widgets/task/RigRows.h"
#include "app/widgets/task/RigTask.h"
#include "app/widgets/task/Tasks.h"
#include "core/io/project/ProjectFile.h"
#include "core/scene/JointEdit.h"
#include "core/scene/RestPose.h"

#include <QCheckBox>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>

namespace tendon::test {
namespace {

using namespace editor;

/// A character that comes as an FBX file without a rig is rigged in one step, posed, keyed and exported for an engine;
/// then a motion of another skeleton is put onto it, corrected, and exported for three engines, as the command line
/// does it.
class OwnCharacterJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    QTemporaryDir m_folder;
    Scene m_before;   ///< a step
    double m_leg = 0; ///< [m] from hip to foot

    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] Vector3 place(const char* joint) { return w->worldOf(joint).translation(); }
    [[nodiscard]] RigTask* rigTask() { return qobject_cast<RigTask*>(w->window->tasks().current()); }
    [[nodiscard]] RetargetBody* retarget() { return dynamic_cast<RetargetBody*>(w->window->tasks().current()); }
    void guessed()
    {
        QTRY_VERIFY_WITH_TIMEOUT(rigTask() != nullptr && rigTask()->guess() != nullptr && !rigTask()->isWorking(),
                                 20000);
        w->settle();
    }
    void previewed()
    {
        QTRY_VERIFY_WITH_TIMEOUT(retarget() != nullptr && retarget()->task().isCurrent(), 60000);
        w->settle();
    }
    void pressSegment(const QString& bar, int index)
    {
        w->clickOn(w->find<QWidget>(bar)->findChildren<QToolButton*>().at(index));
    }
    [[nodiscard]] TaskRow* rowStartingWith(const QString& name)
    {
        for (auto* row : w->window->findChildren<TaskRow*>())
            if (row->objectName().startsWith(name)) return row;
        qFatal("there is no row %s", qPrintable(name));
    }

    /// Exports the current clip in the dialog, for a program, and compares what the report says of the file.
    void exportFor(const QString& preset, const QString& file, const QString& root = {})
    {
        QSignalSpy exported(&w->window->files(), &FileActions::exported);
        w->command("Export animation");
        w->clickOn("export.preset." + preset);
        auto* name = w->find<QLineEdit>("export.file");
        QTest::mouseClick(name, Qt::LeftButton);
        QTest::keyClick(name, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(name, path(file));
        if (!w->find<QCheckBox>("export.only")->isChecked()) w->find<QCheckBox>("export.only")->click();
        if (!root.isEmpty()) w->choose("export.root", root);
        w->clickOn("export.accept");
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 60000);
        QVERIFY2(exported.first().first().toBool(), "what was read back differs from the scene");
        auto* report = w->find<QWidget>("exportReport");
        report->grab().save(QStringLiteral(TENDON_PICTURES "/own-character-report-%1.png").arg(preset));
        const auto* checks = report->findChild<QTreeWidget*>("report.checks");
        for (int i = 0; i < checks->topLevelItemCount(); ++i) {
            const QString said = checks->topLevelItem(i)->data(0, Qt::AccessibleTextRole).toString();
            QVERIFY2(!said.startsWith("Error") && !said.startsWith("Warning"), qPrintable(said));
        }
        report->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QApplication::setActiveWindow(w->window.get()); // as a window manager does
        QVERIFY(QFileInfo(path(file)).size() > 10000);
    }
    /// three.js and the glTF validator must read joints where the project has them.
    [[nodiscard]] QString playedElsewhere(const QStringList& files)
    {
        const QString interop = QStringLiteral(TENDON_SOURCE_DIR) + "/tests/interop";
        const QString readers = qEnvironmentVariable("TENDON_INTEROP",
                                                     QStringLiteral(TENDON_SOURCE_DIR) + "/build/interop");
        if (!QFileInfo::exists(readers + "/node_modules/three") || QStandardPaths::findExecutable("node").isEmpty() ||
            QProcess::execute("/usr/bin/python3", {"-c", "import numpy"}) != 0)
            return {};
        if (!w->document().saveAs(path("played.tendon"))) return "the project cannot be saved";
        QProcess judge;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TENDON", QStringLiteral(TENDON_COMMAND));
        environment.insert("TENDON_INTEROP", readers);
        judge.setProcessEnvironment(environment);
        QStringList arguments{interop + "/played.py", path("played.tendon")};
        for (const QString& file : files) arguments << path(file);
        judge.start("/usr/bin/python3", arguments);
        if (!judge.waitForFinished(120'000)) return "three.js takes too long";
        const QByteArray said = judge.readAllStandardOutput();
        qInfo("three.js: %s", said.trimmed().constData());
        return judge.exitCode() == 0 ? QString() : QString(said + judge.readAllStandardError());
    }
    /// Runs the command line; what it complains of, or nothing.
    [[nodiscard]] static QString ran(const QStringList& arguments)
    {
        QProcess tendon;
        tendon.start(QStringLiteral(TENDON_COMMAND), arguments);
        const bool isDone = tendon.waitForFinished(60000) && (tendon.exitCode() == 0 || tendon.exitCode() == 3);
        return isDone ? QString() : arguments.first() + ": " + tendon.readAllStandardError();
    }
    [[nodiscard]] QByteArray bytesOf(const QString& name)
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    void anFbxWithoutARigIsDropped();
    void rigItSaysWhatItFoundAndWhy();
    void whatCannotBeToldIsLeftAlone();
    void itIsOneStep();
    void pinnedFeetStayWhileTheHipsGoDown();
    void handsAreKeyedAndPlayBack();
    void anEngineGetsWhatTheViewShows();
    void aMotionOfAnotherSkeletonIsPutOnIt();
    void aPairIsCorrectedAndTheMapIsSaved();
    void restPoseAndRootMotionAreChosen();
    void applyIsOneStepAndTheMapIsUsedAgain();
    void threeEnginesGetWhatTheCommandLineMakes();
};

void OwnCharacterJourney::anFbxWithoutARigIsDropped()
{
    w = std::make_unique<RealWindow>("mannequin");
    // A bag hangs from the chest, of which neither name nor shape says anything.
    const auto apply = [&](const QJsonObject& operation) {
        const auto done = w->document().applyNow(operation);
        QVERIFY2(done, done ? "" : done.error().text().c_str());
    };
    apply(
        {{"op", "addJoint"}, {"name", "Bag_01"}, {"parent", "Chest"}, {"translation", QJsonArray{-0.1, 0.05, -0.16}}});
    apply({{"op", "addJoint"},
           {"name", "Bag_02"},
           {"parent", "Bag_01"},
           {"translation", QJsonArray{-0.02, -0.12, -0.02}}});
    apply(
        {{"op", "addJoint"}, {"name", "Bag_03"}, {"parent", "Bag_02"}, {"translation", QJsonArray{0.01, -0.13, 0.01}}});
    apply({{"op", "export"}, {"file", path("figure.fbx")}, {"preset", "maya"}}); // in centimetres
    const auto atRest = [&](const char* joint) {
        return Vector3(worldInRestPose(w->scene(), w->joint(joint)).translation());
    };
    m_leg = (atRest("Thigh_L") - atRest("Foot_L")).norm();
    const Vector3 head = atRest("Head"), bag = atRest("Bag_03");

    QSignalSpy imported(&w->window->files(), &FileActions::imported);
    w->answer("Discard");
    w->answer("Import");
    QVERIFY(w->drop(path("figure.fbx")));
    QTRY_COMPARE_WITH_TIMEOUT(imported.count(), 1, 60000);
    w->settle();
    QVERIFY(w->scene().handles->empty());
    QVERIFY2((atRest("Head") - head).norm() < 1e-4, qPrintable(QString::number(atRest("Head").y())));
    QVERIFY2((atRest("Bag_03") - bag).norm() < 1e-4, qPrintable(QString::number(atRest("Bag_03").y())));
    QVERIFY(w->document().applyNow({{"op", "resetPose"}}));
}

void OwnCharacterJourney::rigItSaysWhatItFoundAndWhy()
{
    m_before = w->scene();
    w->command("Front");
    w->key(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
    guessed();
    for (const char* limb : {"Left leg", "Right leg", "Left arm", "Right arm", "Spine", "Neck and head"}) {
        auto* row = w->find<TaskRow>(QString("limb.%1").arg(QLatin1StringView(limb)));
        const QString said = row->accessibleName(); // "Left leg, 98 %, Thigh_L › …: named thigh and shin; …"
        QVERIFY2(said.section(", ", 1, 1).section(' ', 0, 0).toInt() >= 90, qPrintable(said));
        QVERIFY2(said.section(": ", 1).size() > 10, qPrintable(said));
        QVERIFY(row->findChild<QCheckBox*>()->isChecked());
    }
    // Pointing at a line lights its chain; pointing at a bone lights its line.
    w->hover(w->onScreen(place("Shin_R")));
    QVERIFY(w->find<TaskRow>("limb.Right leg")->isLit());
    QVERIFY(!w->find<TaskRow>("limb.Left leg")->isLit());
    w->picture("own-character-rig-it");
}

void OwnCharacterJourney::whatCannotBeToldIsLeftAlone()
{
    const auto* bag = rowStartingWith("unknown.Bag_01");
    QVERIFY2(bag->accessibleName().contains("Chest"), qPrintable(bag->accessibleName()));
    QCOMPARE(bag->findChild<QComboBox*>()->currentText(), QString("Leave as joints"));
    w->clickOn("rig.toCheck");
    QVERIFY(w->window->focusWidget() == bag);
    w->picture("own-character-to-check");
    // One line is not wanted.
    w->clickOn(w->find<TaskRow>("limb.Neck and head")->findChild<QCheckBox*>());
    QVERIFY(w->scene() == m_before);
}

void OwnCharacterJourney::itIsOneStep()
{
    const QString said = w->find<QLabel>("task.outcome")->text();
    w->key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY(w->window->tasks().current() == nullptr);
    w->settle();
    QVERIFY2(said.startsWith(QString("%1 handles for 7 limbs, ").arg(w->scene().handles->size())), qPrintable(said));
    QVERIFY(!w->scene().handleNamed("HeadIK"));
    for (const char* foot : {"FootIK_L", "FootIK_R"}) QVERIFY(w->scene().find(w->handle(foot))->isPinned);
    for (const char* bag : {"Bag_01", "Bag_02"}) {
        QVERIFY(!hasLimits(*w->scene().find(w->joint(bag))));
        for (const Handle& handle : *w->scene().handles) QVERIFY(handle.end != w->joint(bag));
    }
    const Scene rigged = w->scene();
    w->key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w->scene() == m_before);
    w->key(Qt::Key_Y, Qt::ControlModifier);
    QVERIFY(w->scene() == rigged);
}

void OwnCharacterJourney::pinnedFeetStayWhileTheHipsGoDown()
{
    w->reply("reach");
    w->command("New clip");
    w->command("Right");
    const Vector3 hips = place("Hips");
    const std::array<const char*, 2> feet{"Foot_L", "Foot_R"}, knees{"Shin_L", "Shin_R"};
    std::array<Vector3, 2> footBefore, kneeBefore;
    for (std::size_t i = 0; i < 2; ++i) footBefore[i] = place(feet[i]), kneeBefore[i] = place(knees[i]);
    w->clickRow("Hips");
    w->dragTo(hips, hips - Vector3(0, m_leg / 5, 0), 12);
    QVERIFY2(std::abs(hips.y() - m_leg / 5 - place("Hips").y()) < 0.01,
             qPrintable(QString::number(place("Hips").y() - hips.y())));
    for (std::size_t i = 0; i < 2; ++i) {
        QVERIFY2((place(feet[i]) - footBefore[i]).norm() < 1e-3, feet[i]);
        QVERIFY2(place(knees[i]).z() > kneeBefore[i].z() + 0.02, knees[i]);
    }
    w->picture("own-character-crouch");
}

void OwnCharacterJourney::handsAreKeyedAndPlayBack()
{
    w->command("Front");
    w->key(Qt::Key_A, Qt::ControlModifier); // all handles
    w->clickRow("Hips", Qt::ControlModifier);
    w->key(Qt::Key_S);
    const std::pair<int, QPoint> moves[] = {{30, {25, -50}}, {60, {-25, 40}}};
    w->type("range.last", "60");
    for (const auto& [frame, by] : moves) {
        w->type("frame", QString::number(frame));
        for (const char* hand : {"HandIK_L", "HandIK_R"}) {
            w->clickRow(hand);
            w->drag(w->goalOf(hand), by, 8);
            w->key(Qt::Key_S);
        }
    }
    for (const char* hand : {"HandIK_L", "HandIK_R"}) {
        const KeyList* keys = w->document().clip()->find({w->handle(hand).value, Property::GoalPosition});
        QVERIFY(keys != nullptr);
        QCOMPARE(keys->size(), std::size_t{3});
    }
    w->type("frame", "1");
    w->key(Qt::Key_Space);
    QTRY_VERIFY(w->state->shownFrame() > 5);
    w->key(Qt::Key_Space);
    // Every goal is met at every frame, and what the strip warns of is a knee or an elbow that snaps, nothing else.
    w->state->range().finish();
    QCOMPARE(w->state->range().frames().size(), std::size_t{60});
    for (const auto& [frame, entry] : w->state->range().frames())
        QVERIFY2(entry.frame->quality == FrameQuality{}, qPrintable(QString("frame %1").arg(frame)));
    w->type("frame", "30");
    w->command("Perspective");
    w->picture("own-character-keyed");
}

void OwnCharacterJourney::anEngineGetsWhatTheViewShows()
{
    exportFor("unreal", "reach.fbx");
    exportFor("godot", "reach.glb");
    const QString wrong = playedElsewhere({"reach.fbx@0.01", "reach.glb"});
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void OwnCharacterJourney::aMotionOfAnotherSkeletonIsPutOnIt()
{
    QFile file(path("walk.bvh"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(walkBvh(24)) > 0);
    file.close();
    m_before = w->scene();
    QVERIFY(writeProject({m_before, {}}, path("rig.tendon").toStdString()));
    QVERIFY(w->drop(path("walk.bvh")));
    QTRY_VERIFY_WITH_TIMEOUT(w->window->findChild<QWidget*>("motionCard") != nullptr, 60000);
    QTest::keyClick(w->find<QWidget>("motion.retarget"), Qt::Key_Return); // it is what is chosen
    previewed();
    QVERIFY2(w->find<QLabel>("retarget.matched")->text().endsWith("roles matched"), "");
    QVERIFY(retarget()->whyNot().isEmpty());
}

void OwnCharacterJourney::aPairIsCorrectedAndTheMapIsSaved()
{
    // A click on each figure.
    const auto there = [&](const char* joint) {
        return Vector3(w->state->shown()
                           .motion()
                           .at(w->frame()->solved.time)
                           ->worldFromJoint(*retarget()->task().motion().jointNamed(joint))
                           ->translation());
    };
    w->click(there("Spine"));
    w->click(place("Spine2")); // which is the chest
    previewed();
    QCOMPARE(retarget()->task().operation()["roles"].toObject(), QJsonObject({{"chest", "Spine"}}));
    w->answerFile(path("walker.tendonmap"));
    w->clickOn("retarget.saveMap");
    QTRY_VERIFY(QFileInfo::exists(path("walker.tendonmap")));
    QApplication::setActiveWindow(w->window.get());
}

void OwnCharacterJourney::restPoseAndRootMotionAreChosen()
{
    for (const char* section : {"retarget.restPose", "retarget.rootMotion"}) // folded on a small screen
        w->clickOn(w->find<QWidget>(section)->findChild<QToolButton*>());
    const auto handAt = [&](int frame) {
        w->state->goToFrame(frame);
        return place("Hand_L");
    };
    const Vector3 before = handAt(9);
    w->type("retarget.armSpread", "10");
    previewed();
    QVERIFY((handAt(9) - before).norm() > 0.05);
    pressSegment("retarget.root", 2); // on a root bone
    previewed();
    QVERIFY(w->find<QWidget>("retarget.rootBone")->isVisible());
    w->picture("own-character-retarget");
    // What was chosen wrongly is taken back in the task, and the project does not know of it.
    w->key(Qt::Key_Z, Qt::ControlModifier);
    w->key(Qt::Key_Z, Qt::ControlModifier);
    previewed();
    QVERIFY((handAt(9) - before).norm() < 1e-9);
    pressSegment("retarget.root", 2);
    previewed();
    QVERIFY(w->scene() == m_before);
}

void OwnCharacterJourney::applyIsOneStepAndTheMapIsUsedAgain()
{
    const std::size_t steps = w->document().history().undoCount();
    w->key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(w->window->tasks().current() == nullptr, 60000);
    w->settle();
    QCOMPARE(w->document().history().undoCount(), steps + 1);
    QCOMPARE(w->document().clip()->name, std::string("walk"));
    QVERIFY(w->scene().jointNamed("root"));
    w->picture("own-character-walks");
    // The map lies beside the motion: the next one with these joints takes it, and says so.
    QVERIFY(QFile::copy(path("walk.bvh"), path("again.bvh")));
    w->window->files().readMotion(path("again.bvh"));
    previewed();
    QCOMPARE(w->find<QComboBox>("retarget.map")->currentText(), QString("walker.tendonmap"));
    w->key(Qt::Key_Escape);
    QVERIFY(w->window->tasks().current() == nullptr);
}

void OwnCharacterJourney::threeEnginesGetWhatTheCommandLineMakes()
{
    QString wrong = ran({"retarget", path("rig.tendon"), path("walk.bvh"), "--map", path("walker.tendonmap"), "--root",
                         "bone", "-o", path("made.tendon")});
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    // One of them wants the walk in place; the clip keeps its travel.
    const std::tuple<QString, QString, QString, QStringList> engines[] = {
        {"unreal", "walk.fbx", "", {}},
        {"unity", "walk-unity.fbx", "In place", {"--root", "in-place", "--turns", "off"}},
        {"godot", "walk.glb", "", {}}};
    for (const auto& [preset, file, root, more] : engines) {
        exportFor(preset, file, root);
        wrong = ran(QStringList{"bake", path("made.tendon"), "--clip", "walk", "--only", "--preset", preset, "-o",
                                path("made-" + file)} +
                    more);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        const QByteArray mine = bytesOf(file), made = bytesOf("made-" + file);
        QVERIFY2(!mine.isEmpty() && mine == made,
                 qPrintable(QString("%1: %2 bytes and %3 bytes differ").arg(file).arg(mine.size()).arg(made.size())));
    }
    wrong = playedElsewhere({"walk.fbx@0.01", "walk.glb"});
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

} // namespace

std::unique_ptr<QObject> makeOwnCharacterJourney() { return std::make_unique<OwnCharacterJourney>(); }

} // namespace tendon::test

#include "OwnCharacter.moc"

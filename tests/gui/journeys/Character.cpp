#include "tests/gui/journeys/Journeys.h"
#include "tests/gui/journeys/RealWindow.h"
#include "tests/support/Picture.h"

#include "app/widgets/ImportDialog.h"
#include "app/widgets/task/RigTask.h"
#include "app/widgets/task/Tasks.h"
#include "core/scene/Check.h"

#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QProcess>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>

namespace tendon::test {
namespace {

using namespace editor;

/// Journey 6: a character is imported by drag and drop, rigged in one step and then by hand, animated and exported.
class CharacterJourney : public Journey
{
    Q_OBJECT
private:
    std::unique_ptr<RealWindow> w;
    QTemporaryDir m_folder;
    std::map<std::string, Vector3> m_joints; ///< where the glTF put them

    void exportTo(const QString& file)
    {
        QSignalSpy exported(&w->window->files(), &FileActions::exported);
        w->window->files().exportTo(m_folder.filePath(file), false);
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, 60000);
        QVERIFY2(exported.first().first().toBool(), "what was read back differs from the scene");
        auto* report = w->find<QWidget>("exportReport");
        w->picture("journey6-export-report");
        report->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    /// Drops a file on the window and accepts the dialog. Returns the height that the dialog shows.
    double drop(const QString& file)
    {
        double height = -1;
        QTimer watch;
        QObject::connect(&watch, &QTimer::timeout, &watch, [&] {
            QWidget* modal = QApplication::activeModalWidget();
            if (modal != nullptr && modal->objectName() == "unsaved") {
                watch.stop();
                w->answer("Discard");
            }
            auto* dialog = qobject_cast<ImportDialog*>(modal);
            if (dialog == nullptr || height >= 0) return;
            dialog->grab().save(QStringLiteral(TENDON_PICTURES) + "/journey6-import-dialog.png");
            for (auto* label : dialog->findChildren<QLabel*>("import.height"))
                height = label->text().section(' ', 0, 0).toDouble();
            w->answer("Import");
        });
        watch.start(20);
        QSignalSpy imported(&w->window->files(), &FileActions::imported);
        if (!w->drop(m_folder.filePath(file))) return -1;
        if (!QTest::qWaitFor([&] { return imported.count() == 1; }, 60000) || !imported.first().first().toBool())
            return -1;
        w->settle();
        return height;
    }
    /// The joints' world positions at rest.
    [[nodiscard]] std::map<std::string, Vector3> places()
    {
        std::map<ObjectId, Affine> worlds;
        std::map<std::string, Vector3> result;
        for (const Joint& joint : *w->scene().joints) { // the import lists parents first
            const Affine local = joint.rest.parentFromJoint();
            worlds[joint.id.value] = joint.parent.isValid() ? Affine(worlds.at(joint.parent.value) * local) : local;
            result[joint.name] = worlds[joint.id.value].translation();
        }
        return result;
    }

private slots:
    void aDroppedFileIsMeasuredBeforeItIsImported();
    void thePictureOfTheImportShowsWhatTheViewShows();
    void theSameCharacterInAnotherFormatIsImportedTheSame();
    void rigItMakesHandlesInOneStep();
    void pinnedFeetStayWhileTheHipsGoDown();
    void handGoalsAreKeyedAndPlayBack();
    void theExportedMotionIsTheMotionInTheView();
    void threeJsPlaysTheExportTheSame();
};

void CharacterJourney::aDroppedFileIsMeasuredBeforeItIsImported()
{
    w = std::make_unique<RealWindow>("mannequin");
    exportTo("character.glb");
    exportTo("character.fbx");
    const double height = drop("character.glb");
    QVERIFY2(height > 1.6 && height < 1.9, qPrintable(QString("%1 m").arg(height)));
    QVERIFY(w->scene().handles->empty());
    QVERIFY(w->scene().model != nullptr && !w->scene().model->meshes.empty());
    m_joints = places();
    QVERIFY(m_joints.size() >= 50);
}

/// Compares the picture in the import dialog with a view of the same size and model.
void CharacterJourney::thePictureOfTheImportShowsWhatTheViewShows()
{
    constexpr QSize kSize(280, 360);
    for (const auto kind : {Theme::Kind::Dark, Theme::Kind::Light}) {
        w->window->setTheme(kind, 1);
        const QImage picture = w->window->viewport().draw(w->scene(), kSize, 1);
        Editor editor(w->solvers);
        editor.view().edit([](ViewState& state) { state.showsHud = false; });
        viewport::Viewport live(editor);
        live.resize(kSize);
        live.show();
        QVERIFY(QTest::qWaitForWindowExposed(&live));
        editor.document().adopt(Project{.scene = w->scene(), .state = {}}, {}, {});
        editor.finishFrame();
        (void)live.grabImage({64, 64}); // waits for its textures
        QVERIFY(waitForPicture(live));
        const QImage shown = live.grabFramebuffer().convertToFormat(QImage::Format_RGB32);
        QCOMPARE(picture.size(), shown.size());
        picture.save(QStringLiteral(TENDON_PICTURES) + "/import-picture.png");
        shown.save(QStringLiteral(TENDON_PICTURES) + "/import-view.png");
        int differing = 0;
        for (int y = 0; y < kSize.height(); ++y)
            for (int x = 0; x < kSize.width(); ++x) {
                const QRgb a = picture.pixel(x, y), b = shown.pixel(x, y);
                differing += std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)),
                                       std::abs(qBlue(a) - qBlue(b))}) > 3
                                 ? 1
                                 : 0;
            }
        QVERIFY2(differing < 20, qPrintable(QString("%1 pixels differ").arg(differing)));
    }
    w->window->setTheme(Theme::Kind::Dark, 1);
}

void CharacterJourney::theSameCharacterInAnotherFormatIsImportedTheSame()
{
    const double height = drop("character.fbx");
    QVERIFY2(height > 1.6 && height < 1.9, qPrintable(QString("%1 m").arg(height)));
    const auto joints = places();
    for (const auto& [name, place] : m_joints) {
        const auto found = joints.find(name);
        QVERIFY2(found != joints.end(), name.c_str());
        QVERIFY2((found->second - place).norm() < 1e-4,
                 qPrintable(QString("%1 is off by %2 m").arg(name.c_str()).arg((found->second - place).norm())));
    }
    QVERIFY(drop("character.glb") > 1.6);
    QVERIFY(w->document().apply({{"op", "resetPose"}}));
}

void CharacterJourney::rigItMakesHandlesInOneStep()
{
    const Scene before = w->scene();
    w->command("Front");
    w->view->setFocus();
    w->key(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
    QPointer<RigTask> task = qobject_cast<RigTask*>(w->window->tasks().current());
    QVERIFY(task != nullptr);
    const auto guessed = [&] {
        QTRY_VERIFY_WITH_TIMEOUT(task->guess() != nullptr && !task->isWorking(), 20000);
        w->settle();
    };
    guessed();
    const auto row = [&](const QString& name) { return w->find<TaskRow>(name); };
    // Pointing at a bone lights its line, and with it the chain.
    w->hover(w->onScreen(w->worldOf("Shin_L").translation()));
    QVERIFY(row("limb.Left leg")->isLit());
    w->picture("journey6-rig-it");
    // A click on a joint says what it is.
    w->click(w->worldOf("Spine2").translation());
    auto* menu = w->find<QMenu>("rig.roles");
    QVERIFY(menu->isVisible());
    for (const char* words : {"Spine", "Spine"}) { // the limb, the part
        QAction* found = nullptr;
        for (QAction* action : menu->actions())
            if (action->text() == words) found = action;
        QVERIFY(found != nullptr);
        QTest::mouseMove(menu, menu->actionGeometry(found).center());
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(found).center());
        menu = found->menu();
        if (menu != nullptr) QTRY_VERIFY(menu->isVisible());
    }
    QTRY_VERIFY(QApplication::activePopupWidget() == nullptr);
    QApplication::setActiveWindow(w->window.get()); // as a window manager does
    guessed();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    w->clickOn(row("limb.Neck and head")->findChild<QCheckBox*>());
    QVERIFY(w->scene() == before);
    w->picture("journey6-rig-it-corrected");
    const QString said = w->find<QLabel>("task.outcome")->text();
    w->key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY(w->window->tasks().current() == nullptr);
    w->settle();
    QVERIFY2(said.startsWith(QString("%1 handles for 7 limbs, ").arg(w->scene().handles->size())), qPrintable(said));
    QCOMPARE(w->scene().handles->size(), std::size_t(5));
    QVERIFY(!w->scene().handleNamed("HeadIK"));
    QCOMPARE(roleOf(*w->scene().roles, w->joint("Spine2")), std::string_view("spine"));
    // The handles do what they are for: a hand follows its goal.
    const Vector3 hand = w->worldOf("Hand_L").translation();
    w->clickRow("HandIK_L");
    w->drag(w->goalOf("HandIK_L"), QPoint(-40, -40), 6);
    const double moved = (w->worldOf("Hand_L").translation() - hand).norm();
    QVERIFY2(moved > 0.05,
             qPrintable(QString("%1 m, goal %2 m").arg(moved).arg((w->goalOf("HandIK_L") - hand).norm())));
    w->picture("journey6-rigged");
    w->key(Qt::Key_Z, Qt::ControlModifier);
    w->key(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(w->scene() == before);
    w->command("Perspective");
}

void CharacterJourney::pinnedFeetStayWhileTheHipsGoDown()
{
    // A new clip, so that the walk's keys don't interfere.
    w->reply("crouch");
    w->command("New clip");
    QCOMPARE(w->document().clip()->name, std::string("crouch"));
    for (const char* side : {"L", "R"}) {
        w->clickRow(QString("Thigh_%1").arg(side));
        w->clickRow(QString("Foot_%1").arg(side), Qt::ControlModifier);
        w->key(Qt::Key_I, Qt::ControlModifier);
        w->command("Pin");
    }
    QCOMPARE(w->scene().handles->size(), std::size_t(2));
    for (const Handle& handle : *w->scene().handles) QVERIFY(handle.isPinned);
    const FramePtr before = w->frame();
    const auto at = [&](const FramePtr& frame, const char* joint) {
        return Vector3(frame->worldFromJoint(w->joint(joint))->translation());
    };
    w->command("Front");
    const Vector3 hips = at(before, "Hips");
    w->clickRow("Hips");
    w->dragTo(hips, hips - Vector3(0, 0.2, 0), 12);
    const FramePtr after = w->frame();
    QVERIFY2(std::abs((at(after, "Hips") - hips).y() + 0.2) < 0.01,
             qPrintable(QString::number((at(after, "Hips") - hips).y())));
    for (const char* foot : {"Foot_L", "Foot_R"}) QVERIFY2((at(after, foot) - at(before, foot)).norm() < 1e-3, foot);
    for (const char* knee : {"Shin_L", "Shin_R"}) QVERIFY2(at(after, knee).z() > at(before, knee).z() + 0.02, knee);
    w->command("Perspective");
    w->picture("journey6-crouch");
}

void CharacterJourney::handGoalsAreKeyedAndPlayBack()
{
    for (const char* side : {"L", "R"}) {
        w->clickRow(QString("UpperArm_%1").arg(side));
        w->clickRow(QString("Hand_%1").arg(side), Qt::ControlModifier);
        w->key(Qt::Key_I, Qt::ControlModifier);
    }
    QCOMPARE(w->scene().handles->size(), std::size_t(4));
    const QPoint moves[] = {{}, {30, -60}, {-30, 40}};
    const int frames[] = {1, 30, 60};
    for (int i = 0; i < 3; ++i) {
        w->type("frame", QString::number(frames[i]));
        for (const char* hand : {"Hand_L IK", "Hand_R IK"}) {
            w->clickRow(hand);
            if (i > 0) w->drag(w->goalOf(hand), moves[i], 8);
            w->key(Qt::Key_S);
        }
    }
    for (const char* hand : {"Hand_L IK", "Hand_R IK"}) {
        const KeyList* keys = w->document().clip()->find({w->handle(hand).value, Property::GoalPosition});
        QVERIFY(keys != nullptr);
        QCOMPARE(keys->size(), std::size_t(3));
    }
    w->type("frame", "1");
    w->key(Qt::Key_Space);
    QTRY_VERIFY(w->state->shownFrame() > 5);
    QVERIFY(w->state->playback().isPlaying());
    w->key(Qt::Key_Space);
    // Every frame is solved, or the strip below the timeline shows why not.
    int missed = 0;
    for (int frame = 1; frame <= 60; ++frame) {
        w->state->goToFrame(frame);
        for (const HandleView& view : w->state->finishFrame()->handles) missed += view.isMissed ? 1 : 0;
    }
    QCOMPARE(missed, 0);
}

void CharacterJourney::theExportedMotionIsTheMotionInTheView()
{
    w->type("frame", "30");
    exportTo("crouch.glb");
    exportTo("crouch.fbx");
    QVERIFY(QFileInfo(m_folder.filePath("crouch.glb")).size() > 10000);
    w->picture("journey6-end");
}

void CharacterJourney::threeJsPlaysTheExportTheSame()
{
    const QString interop = QStringLiteral(TENDON_SOURCE_DIR) + "/tests/interop";
    const QString readers = qEnvironmentVariable("TENDON_INTEROP",
                                                 QStringLiteral(TENDON_SOURCE_DIR) + "/build/interop");
    if (!QFileInfo::exists(readers + "/node_modules/three") || QStandardPaths::findExecutable("node").isEmpty())
        QSKIP("three.js and the glTF validator are not installed: ./tests/run --interop does it");
    if (QProcess::execute("/usr/bin/python3", {"-c", "import numpy"}) != 0)
        QSKIP("python3-numpy is not installed: ./tests/run --interop does it");
    const QString project = m_folder.filePath("crouch.tendon");
    QVERIFY(w->document().saveAs(project));
    QProcess judge;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TENDON", QStringLiteral(TENDON_COMMAND));
    environment.insert("TENDON_INTEROP", readers);
    judge.setProcessEnvironment(environment);
    judge.start("/usr/bin/python3",
                {interop + "/played.py", project, m_folder.filePath("crouch.glb"), m_folder.filePath("crouch.fbx")});
    QVERIFY(judge.waitForFinished(120'000));
    const QByteArray said = judge.readAllStandardOutput();
    QVERIFY2(judge.exitCode() == 0, (said + judge.readAllStandardError()).constData());
    qInfo("three.js: %s", said.trimmed().constData());
}

} // namespace

std::unique_ptr<QObject> makeCharacterJourney() { return std::make_unique<CharacterJourney>(); }

} // namespace tendon::test

#include "Character.moc"

#include "app/widgets/FileFilters.h"
#include "app/widgets/SaveFileDialog.h"
#include "app/widgets/retarget/MotionCard.h"
#include "app/widgets/retarget/PairTable.h"
#include "app/widgets/retarget/RetargetBody.h"
#include "app/widgets/retarget/RetargetCommands.h"
#include "app/widgets/task/Tasks.h"
#include "core/document/RetargetJob.h"
#include "core/io/base/FileStage.h"
#include "core/io/formats/FileFormats.h"
#include "core/io/project/RoleMapFile.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/Check.h"
#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"
#include "tests/support/WalkBvh.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QScreen>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// The task Retarget: what it shows of two skeletons, what each choice does to the preview, and that nothing but Apply
/// touches the project.
class TestRetargetTask : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile, m_folder;

    QString motion(const char* name, int frames = 12, const char* chest = "Spine2")
    {
        const QString path = m_folder.filePath(QLatin1StringView(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) qFatal("cannot be written");
        file.write(test::walkBvh(frames, chest));
        return path;
    }
    static void drop(WindowUnderTest& w, const QString& path)
    {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        const QPoint middle = w.window->rect().center();
        QDragEnterEvent enter(middle, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QApplication::sendEvent(w.window.get(), &enter);
        QDropEvent dropped(middle, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QApplication::sendEvent(w.window.get(), &dropped);
    }
    static RetargetBody* body(WindowUnderTest& w) { return dynamic_cast<RetargetBody*>(w.window->tasks().current()); }
    /// Opens the task and waits for its first preview.
    static RetargetBody* open(WindowUnderTest& w, const QString& path)
    {
        w.window->resize(1600, 1000); // so that no section is folded
        w.window->files().readMotion(path);
        if (!QTest::qWaitFor([&] { return body(w) != nullptr && body(w)->task().isCurrent(); }, 30000))
            qFatal("the task does not open");
        w.settle();
        return body(w);
    }
    static void settle(WindowUnderTest& w)
    {
        if (!QTest::qWaitFor([&] { return body(w)->task().isCurrent(); }, 30000)) qFatal("no preview");
        w.settle();
    }
    static void press(QWidget* bar, int index)
    {
        QTest::mouseClick(bar->findChildren<QToolButton*>().at(index), Qt::LeftButton);
    }
    /// [m] The place of a joint in the newest frame.
    static Vector3 placeOf(WindowUnderTest& w, const char* joint)
    {
        const FramePtr frame = w.state->finishFrame();
        return frame->worldFromJoint(*frame->scene->jointNamed(joint))->translation();
    }
    static std::string motionJoint(WindowUnderTest& w, const std::string& role)
    {
        return nameOf(body(w)->task().motion(), jointOf(body(w)->task().preview()->motion.roles, role).value);
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }

    /// Close Loop… asks what becomes of the way that the hips have gone.
    void aLoopIsClosedWithOrWithoutItsTravel()
    {
        WindowUnderTest w("mannequin");
        const JointId hips = *w.document().scene().jointNamed("Hips");
        QVERIFY(w.document().apply({{"op", "addClip"}, {"name", "go"}}));
        for (const auto& [frame, z] : {std::pair(1, 0.0), std::pair(20, 0.4), std::pair(40, 1.0)}) {
            QVERIFY(w.document().apply({{"op", "setFrame"}, {"value", frame}}));
            QVERIFY(w.document().apply({{"op", "setPose"}, {"joint", "Hips"}, {"translation", QJsonArray{0, 0.9, z}}}));
            QVERIFY(
                w.document().apply({{"op", "key"}, {"target", "Hips"}, {"channels", QJsonArray{"tx", "ty", "tz"}}}));
        }
        const auto way = [&] { // [m] from the first frame to the last
            const KeyList& keys = *w.document().clip()->find({hips.value, Property::Tz});
            return keys.back().value[0] - keys.front().value[0];
        };
        const Scene before = w.document().scene();
        for (const bool isKept : {true, false}) {
            w.window->commands().run("animate.closeLoop");
            auto* dialog = w.find<QDialog>("closeLoop");
            QVERIFY(w.find<QRadioButton>("closeLoop.keep")->isChecked());
            QVERIFY(!w.find<QCheckBox>("closeLoop.selected")->isEnabled()); // nothing is selected
            if (!isKept) QTest::mouseClick(w.find<QRadioButton>("closeLoop.remove"), Qt::LeftButton, {}, {8, 8});
            w.find<QSpinBox>("closeLoop.frames")->setValue(5);
            QTest::mouseClick(w.find<QPushButton>("closeLoop.run"), Qt::LeftButton);
            QTRY_VERIFY(!dialog->isVisible());
            QTRY_VERIFY(!(w.document().scene() == before));
            QVERIFY2(std::abs(way() - (isKept ? 1.0 : 0.0)) < 1e-6, qPrintable(QString::number(way())));
            QVERIFY(w.document().undo());
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QVERIFY(w.document().scene() == before);
        }
        // A part of it: the marked frames are offered, and what is before and after stays or goes.
        w.state->playback().setPart(std::pair(20, 40));
        for (const bool isTrimmed : {false, true}) {
            w.window->commands().run("animate.closeLoop");
            auto* dialog = w.find<QDialog>("closeLoop");
            QCOMPARE(w.find<QSpinBox>("closeLoop.from")->value(), 20);
            QCOMPARE(w.find<QSpinBox>("closeLoop.to")->value(), 40);
            w.find<QSpinBox>("closeLoop.from")->setValue(10);
            QCOMPARE(w.find<QSpinBox>("closeLoop.to")->minimum(), 11);
            QTest::mouseClick(w.find<QRadioButton>("closeLoop.remove"), Qt::LeftButton, {}, {8, 8});
            if (isTrimmed) QTest::mouseClick(w.find<QCheckBox>("closeLoop.trim"), Qt::LeftButton, {}, {8, 8});
            QTest::mouseClick(w.find<QPushButton>("closeLoop.run"), Qt::LeftButton);
            QTRY_VERIFY(!dialog->isVisible());
            QTRY_VERIFY(!(w.document().scene() == before));
            const KeyList keys = *w.document().clip()->find({hips.value, Property::Tz});
            const FrameRate fps = w.document().scene().fps;
            const auto at = [&](double frame) { return sampleKeys(keys, Property::Tz, fps.timeOf(frame))[0]; };
            QVERIFY(std::abs(at(40) - at(10)) < 1e-6);
            QCOMPARE(fps.frameAt(keys.front().time), isTrimmed ? 10.0 : 1.0);
            QVERIFY(w.document().undo());
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
    }

    void aDroppedMotionAsksAndTheTaskTakesIt()
    {
        WindowUnderTest w("mannequin");
        const Scene before = w.document().scene();
        w.state->goToFrame(20);
        drop(w, motion("walk.bvh"));
        QTRY_VERIFY_WITH_TIMEOUT(w.window->findChild<MotionCard*>() != nullptr, 30000);
        auto* card = w.find<MotionCard>("motionCard");
        QVERIFY(!card->isModal());
        QStringList words;
        for (const QLabel* label : card->findChildren<QLabel*>()) words << label->text();
        QVERIFY2(words.contains("12 frames at 30 fps, 0.4 s"), qPrintable(words.join('\n')));
        QVERIFY2(words.contains("0.4 m"), qPrintable(words.join('\n'))); // 11 frames of 4 cm
        auto* retarget = w.find<QPushButton>("motion.retarget");
        QVERIFY(retarget->isDefault());
        QTest::mouseClick(retarget, Qt::LeftButton);
        QVERIFY(body(w) != nullptr);
        settle(w);
        QVERIFY2(body(w)->whyNot().isEmpty(), qPrintable(body(w)->whyNot()));
        QCOMPARE(w.find<QComboBox>("retarget.clip")->currentText(), QString("walk, 10 frames")); // on the timeline
        QCOMPARE(w.state->shownFrame(), 9); // the motion ends there
        QVERIFY(w.find<QLabel>("retarget.matched")->text().contains("roles matched"));
        QStringList counts = w.find<QLabel>("retarget.matched")->text().split(' '); // "22 of 23 roles matched"
        QCOMPARE(w.find<QLabel>("retarget.oneSided")->text().contains("Only the character has: "),
                 counts[0] != counts[2]);
        QCOMPARE(counts[2], QString("22")); // fingers are counted by themselves
        auto* toCheck = w.find<QPushButton>("retarget.toCheck");
        QVERIFY(toCheck->isVisible() != w.find<QLabel>("retarget.isSure")->isVisible());
        QVERIFY2(!toCheck->isVisible() || toCheck->text().contains(QRegularExpression("[1-9]\\d* to check")),
                 qPrintable(toCheck->text()));
        QTRY_VERIFY_WITH_TIMEOUT(w.state->range().isComplete(), 30000);
        QCOMPARE(w.state->range().frames().size(), std::size_t{10}); // 12 frames at 30 fps, at the project's 24
        // The view and the timeline show the motion; the project is as it was.
        QVERIFY(!w.state->shown().isDocument());
        QCOMPARE(w.state->shown().now().lastFrame - w.state->shown().now().firstFrame, 9);
        QCOMPARE(w.state->shown().clip()->name, std::string("walk"));
        QVERIFY(w.state->shown().motion().isShown());
        QVERIFY(w.document().scene() == before && !w.document().history().undoCount());
        w.state->goToFrame(0);
        const Vector3 begin = placeOf(w, "Hips");
        w.state->goToFrame(9);
        const double travelled = (placeOf(w, "Hips") - begin).z();
        const double scale = body(w)->task().preview()->facts.scale;
        QVERIFY2(std::abs(travelled - 0.44 * scale) < 1e-3, qPrintable(QString::number(travelled)));
        // The motion's own figure goes as far, in the same scale, and stands beside the character.
        MotionFigure& figure = w.state->shown().motion();
        const auto hipsAt = [&](int frame) {
            return Vector3(figure.at(w.state->shown().now().fps.timeOf(frame))
                               ->worldFromJoint(jointOf(body(w)->task().preview()->motion.roles, "hips"))
                               ->translation());
        };
        const double legs = body(w)->task().preview()->facts.legScale;
        QVERIFY(std::abs((hipsAt(9) - hipsAt(0)).z() - 0.44 * legs) < 1e-3);
        QVERIFY((hipsAt(9) - placeOf(w, "Hips")).norm() > 0.8);
        // Esc: as if nothing had been.
        w.key(Qt::Key_Escape);
        QVERIFY(w.window->tasks().current() == nullptr && w.state->shown().isDocument());
        QVERIFY(!w.state->shown().motion().isShown());
        QVERIFY(w.document().scene() == before);
        QCOMPARE(w.state->shownFrame(), 20);
    }

    void choicesShowAtOnceAndAreTakenBackOneByOne()
    {
        WindowUnderTest w("mannequin");
        RetargetTask& task = open(w, motion("walk.bvh"))->task();
        w.state->goToFrame(11);
        const Vector3 travels = placeOf(w, "Hips");
        press(w.find<QWidget>("retarget.root"), 1);
        settle(w);
        QVERIFY((placeOf(w, "Hips") - travels).norm() > 0.2);
        QVERIFY(w.state->shown().motion().content().anchor.isValid()); // the motion's figure stays, too
        w.find<NumberField>("retarget.armSpread")->enter(20);
        settle(w);
        QCOMPARE(task.choices().armSpread, 20.0);
        const Vector3 spread = placeOf(w, "Hand_L");
        QCOMPARE(w.document().history().undoCount(), std::size_t{0});
        w.window->commands().run("edit.undo"); // the spread
        settle(w);
        QCOMPARE(task.choices().armSpread, 0.0);
        QVERIFY((placeOf(w, "Hand_L") - spread).norm() > 0.05);
        w.window->commands().run("edit.undo"); // the root motion
        settle(w);
        QVERIFY((placeOf(w, "Hips") - travels).norm() < 1e-9);
        w.window->commands().run("edit.redo");
        settle(w);
        QCOMPARE(task.choices().travel, RootTravel::InPlace);
        // Source or result: the character goes, and its motion stands in its place.
        w.window->commands().run("view.source");
        QVERIFY(w.state->shown().motion().content().hidesCharacter);
        w.window->commands().run("view.source");
        QVERIFY(!w.state->shown().motion().content().hidesCharacter);
        // At rest both figures stand still.
        press(w.find<QWidget>("retarget.pose"), 1);
        const Vector3 rest = placeOf(w, "Hand_L");
        w.state->goToFrame(3);
        QVERIFY((placeOf(w, "Hand_L") - rest).norm() < 1e-9);
    }

    void aJointIsChosenForARoleAndItsMirrorImageToo()
    {
        WindowUnderTest w("mannequin");
        RetargetTask& task = open(w, motion("walk.bvh"))->task();
        QTRY_VERIFY_WITH_TIMEOUT(!task.search().candidates("leftLowerArm").empty(), 30000);
        const std::vector<RoleCandidate> best = task.search().candidates("leftLowerArm");
        QCOMPARE(nameOf(task.motion(), best.front().joint.value), std::string("LeftForeArm"));
        QVERIFY2(best[0].fit > best[1].fit, "the right joint fits no better than the next");
        QCOMPARE(motionJoint(w, "leftLowerArm"), std::string("LeftForeArm"));
        auto* row = w.find<TaskRow>("pair.leftLowerArm");
        QTest::mouseClick(row, Qt::LeftButton, {}, QPoint(row->width() / 2, 8));
        auto* choice = w.find<QComboBox>("pair.leftLowerArm.joint");
        QVERIFY(choice->isVisible());
        QVERIFY2(choice->itemText(0).startsWith("LeftForeArm, RightForeArm"), qPrintable(choice->itemText(0)));
        const int hand = choice->findText("LeftHand, RightHand");
        QVERIFY(hand > 0);
        // The list shows its names whole, however narrow the column is, and is on the screen.
        int longest = 0;
        for (int i = 0; i < choice->count(); ++i)
            longest = std::max(longest, choice->view()->fontMetrics().horizontalAdvance(choice->itemText(i)));
        QVERIFY(choice->view()->isVisible());
        QVERIFY2(choice->view()->viewport()->width() > longest,
                 qPrintable(QString("%1 px for %2").arg(choice->view()->viewport()->width()).arg(longest)));
        QVERIFY(choice->screen()->availableGeometry().contains(choice->view()->window()->frameGeometry()));
        choice->hidePopup();
        choice->setFocus();
        while (choice->currentIndex() != hand) QTest::keyClick(choice, Qt::Key_Down);
        settle(w);
        QCOMPARE(motionJoint(w, "leftLowerArm"), std::string("LeftHand"));
        QCOMPARE(motionJoint(w, "rightLowerArm"), std::string("RightHand"));
        QCOMPARE(QString::fromStdString(task.operation()["roles"].toObject()["rightLowerArm"].toString().toStdString()),
                 "RightHand");
        // Clicks on both figures do the same, and Shift leaves the mirror image alone.
        const auto pick = [&](const char* there, const char* here, bool isAlone) {
            w.state->shown().motion().pick(*task.motion().jointNamed(there), isAlone);
            w.select(here);
            settle(w);
        };
        pick("LeftForeArm", "Forearm_L", true);
        QCOMPARE(motionJoint(w, "leftLowerArm"), std::string("LeftForeArm"));
        QCOMPARE(motionJoint(w, "rightLowerArm"), std::string("RightHand"));
        // A row that is pointed at lights its joints in both figures.
        row = w.find<TaskRow>("pair.leftUpperLeg");
        QEnterEvent enter(QPointF(9, 9), QPointF(9, 9), row->mapToGlobal(QPointF(9, 9)));
        QApplication::sendEvent(row, &enter);
        const auto links = w.state->shown().motion().links();
        QCOMPARE(links.size(), std::size_t{2});
        QCOMPARE(nameOf(task.motion(), links[0].motion.value), std::string("LeftUpLeg"));
        QCOMPARE(nameOf(w.document().scene(), links[0].character.value), std::string("Thigh_L"));
        QCOMPARE(w.state->marks().marks().lit.size(), std::size_t{2});
    }

    void tooFewRolesDisableApplyAndSayWhy()
    {
        WindowUnderTest w("mannequin");
        RetargetBody& task = *open(w, motion("walk.bvh"));
        for (const char* role : {"leftUpperLeg", "leftUpperArm"}) {
            RetargetChoices next = task.task().withRole(role, JointId(), false);
            task.task().choose(next);
        }
        settle(w);
        QVERIFY2(task.whyNot().contains("Hips and at least one limb are needed"), qPrintable(task.whyNot()));
        QVERIFY2(task.whyNot().front().isDigit(), qPrintable(task.whyNot())); // without the operation's name
        QVERIFY(!w.find<QPushButton>("task.main")->isEnabled());
        QVERIFY(task.outcome().contains("open"));
        QTest::mouseClick(w.find<QPushButton>("retarget.byHand"), Qt::LeftButton);
        auto* row = dynamic_cast<TaskRow*>(QApplication::focusWidget());
        QVERIFY(row != nullptr && row->objectName().startsWith("pair."));
        QVERIFY(w.state->shown().isDocument()); // there is no result
        w.key(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(w.window->tasks().current() != nullptr);
    }

    void aSavedMapIsUsedAndSaid()
    {
        // The joint that the arms hang from is called so that nobody guesses it; the map knows.
        const QString path = motion("odd.bvh", 6, "Q7");
        auto model = importModel(path.toStdString());
        QVERIFY(model);
        RoleMap roles;
        for (const auto& [role, joint] : {std::pair{"hips", "Hips"},
                                          {"spine", "Spine"},
                                          {"chest", "Q7"},
                                          {"head", "Head"},
                                          {"leftUpperLeg", "LeftUpLeg"},
                                          {"leftLowerLeg", "LeftLeg"},
                                          {"leftFoot", "LeftFoot"}})
            roles[role] = {*model->scene.jointNamed(joint)};
        RoleMapFile map = roleMapFile(model->scene, roles);
        map.armSpread = 7;
        FileStage stage;
        const QString file = m_folder.filePath("odd.tendonmap");
        QVERIFY(writeRoleMap(map, file.toStdString(), stage));
        QVERIFY(stage.commit());
        WindowUnderTest w("mannequin");
        RetargetBody& task = *open(w, path);
        QCOMPARE(QFileInfo(QString::fromStdString(task.task().choices().map)).fileName(), "odd.tendonmap");
        QCOMPARE(w.find<QComboBox>("retarget.map")->currentText(), "odd.tendonmap");
        QCOMPARE(w.find<NumberField>("retarget.armSpread")->value(), 7.0);
        QCOMPARE(motionJoint(w, "chest"), std::string("Q7"));
        QVERIFY(!jointOf(task.task().preview()->motion.roles, "rightFoot").isValid()); // the map alone counts
        QVERIFY(!task.canUndo());
        QTest::mouseClick(w.find<QPushButton>("retarget.guess"), Qt::LeftButton);
        settle(w);
        QVERIFY(task.task().choices().map.empty());
        QVERIFY(jointOf(task.task().preview()->motion.roles, "rightFoot").isValid());
        QVERIFY(QFile::remove(file));
    }

    void applyIsOneStepAndWhatThePreviewShowed()
    {
        WindowUnderTest w("mannequin");
        RetargetBody& task = *open(w, motion("walk.bvh"));
        press(w.find<QWidget>("retarget.root"), 2); // on a root bone
        settle(w);
        QVERIFY(w.find<QComboBox>("retarget.rootBone")->isVisible());
        const Scene shown = *task.task().preview()->scene;
        const Scene before = w.document().scene();
        QCOMPARE(w.find<QPushButton>("task.main")->text(), "Apply");
        QStringList said;
        connect(&w.document(), &EditorDocument::reported, this, [&](const Issues& issues) {
            for (const Issue& issue : issues) said << QString::fromStdString(issue.text);
        });
        w.key(Qt::Key_Return, Qt::ControlModifier); // also while the commands have not been looked at again
        QTRY_VERIFY2_WITH_TIMEOUT(w.window->tasks().current() == nullptr, qPrintable(said.join('\n')), 30000);
        w.settle();
        QCOMPARE(w.document().history().undoCount(), std::size_t{1});
        QVERIFY(w.state->shown().isDocument());
        QCOMPARE(w.document().clip()->name, std::string("walk"));
        Scene range = shown; // the preview shows the motion alone; the project's range grows until it is in it
        range.firstFrame = std::min(before.firstFrame, shown.firstFrame);
        range.lastFrame = std::max(before.lastFrame, shown.lastFrame);
        QVERIFY(w.document().scene() == range);
        // In place: the frame that is shown may look as before, so the status line says what was done.
        const auto told = [&] {
            const auto* label = w.find<QLabel>("status.text");
            return label->isVisible() ? label->text() : QString();
        };
        w.window->commands().run("animate.inPlace");
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains(" m of travel are taken out; height stays"), qPrintable(told()),
                                  30000);
        w.window->commands().run("edit.undo");
        w.settle();
        QVERIFY2(!told().contains("taken out") && w.document().scene() == range, qPrintable(told()));
        w.window->commands().run("edit.undo");
        w.settle();
        QVERIFY(w.document().scene() == before);
    }

    /// Limits that the motion passes are said, and kept where a person wants that.
    void passedLimitsAreSaidAndCanBeKept()
    {
        WindowUnderTest w("mannequin");
        for (const char* leg : {"Shin_L", "Shin_R"})
            QVERIFY(w.document().apply({{"op", "setRotationAxis"},
                                        {"joint", leg},
                                        {"axis", "x"},
                                        {"active", true},
                                        {"limited", true},
                                        {"from", 0},
                                        {"to", 1}}));
        RetargetTask& task = open(w, motion("walk.bvh"))->task();
        QVERIFY(!task.preview()->limits.empty());
        auto* message = w.find<QFrame>("retarget.limitsMessage");
        QVERIFY2(message->accessibleName().contains("goes beyond its limit on"), qPrintable(message->accessibleName()));
        QTest::mouseClick(w.find<QPushButton>("retarget.holdLimits"), Qt::LeftButton);
        settle(w);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(task.preview()->limits.empty());
        QVERIFY(w.window->findChild<QFrame*>("retarget.limitsMessage") == nullptr);
        QVERIFY(w.find<QCheckBox>("retarget.keepLimits")->isChecked());
        auto* onFrames = w.find<QCheckBox>("retarget.onFrames"); // the motion has 30 frames a second
        QVERIFY2(onFrames->text().contains(QStringLiteral("24 fps")), qPrintable(onFrames->text()));
        QVERIFY(!task.operation().contains("keys"));
        onFrames->click();
        QCOMPARE(task.operation()["keys"].toString(), QStringLiteral("project"));
        QCOMPARE(task.operation()["keepLimits"].toBool(), true);
    }

    void onlyFilesThatCarryMotionAreOffered()
    {
        QVERIFY(motionFilters().startsWith("Motions (*."));
        for (const FileFormat& format : fileFormats())
            QCOMPARE(motionFilters().contains("*." + QString::fromStdString(std::string(format.suffix)) + ')'),
                     format.carriesMotion);
        QVERIFY(!motionFilters().contains("urdf"));
    }

    /// A map that cannot be saved is said in the dialog, which stays until it is saved.
    void aMapIsSavedWhereItCanBe()
    {
        WindowUnderTest w("mannequin");
        RetargetTask& task = open(w, motion("walk.bvh"))->task();
        const QString missing = m_folder.filePath("missing/walk.tendonmap"), good = m_folder.filePath("walk.tendonmap");
        bool isSaid = false, isStill = false;
        const auto enter = [&](const QString& path) {
            auto* name = w.window->findChild<SaveFileDialog*>()->findChild<QLineEdit*>("fileNameEdit");
            name->setText(path);
            QTest::keyClick(name, Qt::Key_Return);
        };
        QTimer::singleShot(0, w.window.get(), [&] {
            enter(missing);
            auto* problem = w.window->findChild<QMessageBox*>("saveFile.problem");
            isSaid = problem != nullptr && problem->text().contains("does not exist");
            if (problem != nullptr) QTest::keyClick(problem, Qt::Key_Return);
            isStill = w.window->findChild<SaveFileDialog*>()->isVisible();
            enter(good);
        });
        QTest::mouseClick(w.find<QPushButton>("retarget.saveMap"), Qt::LeftButton);
        QVERIFY(isSaid);
        QVERIFY(isStill);
        const auto map = readRoleMap(good.toStdString());
        QVERIFY2(map, map ? "" : map.error().text().c_str());
        QCOMPARE(*map, roleMapFile(task.motion(), task.preview()->motion.roles));
        QVERIFY(QFile::remove(good));
    }
};

TENDON_TEST(TestRetargetTask)
#include "tst_retarget.moc"

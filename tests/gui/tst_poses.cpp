#include "app/widgets/poses/BlendSlider.h"
#include "app/widgets/poses/PosesPanel.h"
#include "core/document/Operation.h"
#include "core/document/PoseFile.h"
#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include <QCheckBox>
#include <QDockWidget>
#include <QFile>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStyleOptionSlider>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

namespace {

/// The window with the mannequin, without clips so that what is posed stays, and the panel Poses on a folder of its
/// own.
struct PosesWindow
{
    PosesWindow() : w("mannequin")
    {
        if (!folder.isValid()) qFatal("no folder");
        (void)w.document().apply({{"op", "removeClip"}, {"name", "Walk"}});
        w.settle();
        w.window->commands().run("window.dock.poses");
        panel = w.find<PosesPanel>("poses");
        setFolder(folder.path());
    }
    void setFolder(const QString& path)
    {
        panel->setFolder(path);
        wait();
    }
    void wait() const
    {
        while (panel->isReading()) {
            QSignalSpy read(panel, &PosesPanel::read);
            if (!read.wait(30000)) qFatal("the folder is not read");
        }
        QCoreApplication::processEvents();
    }
    void reach(double x, double y, double z)
    {
        const QJsonArray place{x, y, z};
        if (!w.document().apply({{"op", "setGoal"}, {"handle", "HandIK_L"}, {"position", place}})) qFatal("not posed");
        w.settle();
    }
    /// Types a name and presses Return.
    void save(const QString& name)
    {
        auto* field = w.find<QLineEdit>("poses.name");
        field->setFocus();
        QTest::keyClicks(field, name);
        QTest::keyClick(field, Qt::Key_Return);
        wait();
    }
    [[nodiscard]] QListWidget* list() const { return w.find<QListWidget>("poses.list"); }
    void choose(int row)
    {
        QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, list()->visualItemRect(list()->item(row)).center());
    }
    void tick(const char* name)
    {
        auto* box = w.find<QCheckBox>(name);
        QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(box->height() / 2, box->height() / 2));
    }
    [[nodiscard]] Vector3 placeOf(const char* joint)
    {
        if (!w.document().work().finish()) qFatal("it does not end");
        w.settle();
        const FramePtr frame = w.state->finishFrame();
        return frame->worldFromJoint(*frame->scene->jointNamed(joint))->translation();
    }
    /// The scene after an operation that is carried out on a copy, as a script does.
    [[nodiscard]] Scene after(const QJsonObject& operation) const
    {
        Document copy = w.state->document().copyForJob();
        if (!carryOut(copy, operation)) qFatal("refused");
        return copy.scene();
    }
    [[nodiscard]] std::size_t steps() { return w.document().history().undoCount(); }
    [[nodiscard]] QString said() const { return w.find<QLabel>("poses.message")->text(); }

    QTemporaryDir folder;
    WindowUnderTest w;
    PosesPanel* panel = nullptr;
};

bool isNear(const Vector3& a, const Vector3& b) { return (a - b).norm() < 1e-4; }

} // namespace

/// The pose library in the window: what is saved, how it is applied, and files that are none.
class TestPoses : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }

    /// It opens so high that nothing of it has to be scrolled to.
    void itOpensHighEnough()
    {
        WindowUnderTest w("mannequin");
        w.window->resize(1600, 1000);
        w.settle();
        w.window->commands().run("window.dock.poses");
        w.settle();
        for (const char* name :
             {"poses.list", "poses.selected", "poses.mirrored", "poses.inPlace", "poses.blend", "poses.apply"}) {
            const auto* part = w.find<QWidget>(name);
            const QWidget* seen = w.find<QWidget>("poses")->findChild<QScrollArea*>()->viewport();
            QTRY_VERIFY2(seen->rect().contains(QRect(part->mapTo(seen, QPoint()), part->size())),
                         name); // once it is read
        }
        // A pose can be saved however little room there is.
        for (const QSize size : {QSize(1600, 1000), QSize(1366, 768)})
            for (const BottomTab tab : {BottomTab::Timeline, BottomTab::DopeSheet, BottomTab::Graph}) {
                w.window->resize(size);
                w.window->showBottom(tab);
                w.settle();
                for (const char* name : {"poses.name", "poses.save"}) {
                    const auto* part = w.find<QWidget>(name);
                    QTRY_COMPARE(part->visibleRegion().boundingRect(), part->rect());
                }
            }
    }

    void aPoseIsSavedWithItsPictureAndAppliedAsAScriptDoes()
    {
        PosesWindow p;
        QVERIFY(p.w.find<QDockWidget>("dock.poses")->isVisible());
        QVERIFY(p.said().startsWith("No poses here yet."));
        QVERIFY(!p.w.find<QPushButton>("poses.save")->isEnabled()); // without a name
        const Vector3 rest = p.placeOf("Hand_L");
        p.reach(0.3, 1.5, 0.4);
        const Vector3 up = p.placeOf("Hand_L");
        const std::size_t steps = p.steps();
        p.save("up");
        QCOMPARE(p.steps(), steps); // a file is no step
        QCOMPARE(p.list()->count(), 1);
        QCOMPARE(p.list()->currentRow(), 0);
        QCOMPARE(p.panel->poses().front().name, QString("up"));
        QCOMPARE(p.panel->poses().front().picture.size(), QSize(256, 256));
        // The file is the operation's own.
        const QString file = p.folder.filePath("up.tendonpose");
        auto stored = readPoseFile(file.toStdString());
        QVERIFY(stored);
        stored->thumbnail.clear();
        (void)p.after({{"op", "savePose"}, {"file", p.folder.filePath("x.tendonpose")}, {"name", "up"}});
        const auto same = readPoseFile(p.folder.filePath("x.tendonpose").toStdString());
        QVERIFY(same);
        QCOMPARE(poseFileBytes(*stored), poseFileBytes(*same));
        QVERIFY(QFile::remove(p.folder.filePath("x.tendonpose")));
        // Enter in the list applies it, as one step.
        p.w.document().undo();
        QVERIFY(isNear(p.placeOf("Hand_L"), rest));
        const Scene before = p.w.document().scene(), made = p.after({{"op", "applyPose"}, {"file", file}});
        QTest::keyClick(p.list(), Qt::Key_Return);
        QVERIFY(isNear(p.placeOf("Hand_L"), up));
        QVERIFY(p.w.document().scene() == made);
        p.w.document().undo();
        QVERIFY(p.w.document().scene() == before);
        // The other hand, in the mirror.
        const Vector3 right = p.placeOf("Hand_R");
        p.tick("poses.mirrored");
        QVERIFY(p.w.find<QCheckBox>("poses.mirrored")->isChecked());
        p.choose(0);
        QTest::mouseDClick(p.list()->viewport(), Qt::LeftButton, {},
                           p.list()->visualItemRect(p.list()->item(0)).center());
        QVERIFY((p.placeOf("Hand_R") - right).norm() > 0.2);
        QVERIFY(std::abs(p.placeOf("Hand_R").y() - up.y()) < 1e-3);
        p.w.document().undo();
        p.tick("poses.mirrored");
        // Nothing is selected: it is said. With the head selected, the hand stays.
        p.w.state->selection().select(std::vector<SelectionItem>());
        p.tick("poses.selected");
        QVERIFY(!p.w.find<QPushButton>("poses.apply")->isEnabled());
        QVERIFY(p.said().startsWith("Select the joints"));
        p.w.select("Head");
        QTest::mouseClick(p.w.find<QPushButton>("poses.apply"), Qt::LeftButton);
        QVERIFY(isNear(p.placeOf("Hand_L"), rest));
    }

    void theSliderBlendsLiveAndIsOneStep()
    {
        PosesWindow p;
        const Vector3 rest = p.placeOf("Hand_L");
        p.reach(0.3, 1.5, 0.4);
        const Vector3 up = p.placeOf("Hand_L");
        p.save("up");
        p.w.document().undo();
        const Scene before = p.w.document().scene();
        const std::size_t steps = p.steps();
        auto* slider = p.w.find<BlendSlider>("poses.blend");
        QStyleOptionSlider option;
        const auto pressAndDrag = [&](int percent) {
            option.initFrom(slider);
            option.orientation = Qt::Horizontal;
            option.maximum = 100;
            option.subControls = QStyle::SC_All;
            const QRect knob = slider->style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle,
                                                               slider);
            const QPoint from = knob.center();
            const int room = slider->width() - knob.width();
            QTest::mousePress(slider, Qt::LeftButton, {}, from);
            for (int at = 0; at <= percent; at += 10) // as a hand does
                QTest::mouseMove(slider, from + QPoint(at * room / 100, 0));
        };
        pressAndDrag(60);
        QVERIFY(slider->isBlending());
        const int share = slider->value();
        QVERIFY2(share > 40 && share < 80, qPrintable(QString::number(share)));
        QVERIFY(p.w.document().gesture().settle(30000));
        const Vector3 part = p.placeOf("Hand_L"); // while the button is down
        QVERIFY((part - rest).norm() > 0.05 && (part - up).norm() > 0.05);
        QTest::mouseRelease(slider, Qt::LeftButton);
        QVERIFY(isNear(p.placeOf("Hand_L"), part));
        QCOMPARE(slider->value(), 0);
        QCOMPARE(p.steps(), steps + 1);
        p.w.document().undo();
        QVERIFY(p.w.document().scene() == before);
        const QString file = p.folder.filePath("up.tendonpose");
        QVERIFY(p.after({{"op", "applyPose"}, {"file", file}, {"blend", share / 100.0}}) !=
                p.after({{"op", "applyPose"}, {"file", file}}));
        // Esc takes it back, and is no step.
        pressAndDrag(50);
        QTest::keyClick(slider, Qt::Key_Escape);
        QTest::mouseRelease(slider, Qt::LeftButton);
        QVERIFY(isNear(p.placeOf("Hand_L"), rest));
        QCOMPARE(p.steps(), steps);
        // By keys: four times 5 %, then Enter.
        slider->setFocus();
        for (int i = 0; i < 4; ++i) QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(slider->value(), 20);
        QTest::keyClick(slider, Qt::Key_Return);
        const Scene made = p.after({{"op", "undo"}}); // what it was made from
        QVERIFY(made == before);
        QCOMPARE(p.steps(), steps + 1);
        QVERIFY((p.placeOf("Hand_L") - rest).norm() > 0.01);
    }

    void damagedAndForeignFilesAreSaidInOneLine()
    {
        PosesWindow p;
        p.save("good");
        const auto write = [&](const char* name, const QByteArray& bytes) {
            QFile file(p.folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly) || file.write(bytes) < 0) qFatal("not written");
        };
        write("damaged.tendonpose", "{\"tendonPose\": 1, \"joints\": [{\"name\": ");
        write(
            "foreign.tendonpose",
            R"({"tendonPose": 1, "name": "crane", "joints": [{"name": "boom", "rest": {}, "pose": {}}], "goals": []})");
        write("text.tendonpose", "");
        write("notes.txt", "no pose");
        p.setFolder(p.folder.path());
        QCOMPARE(p.list()->count(), 4); // by name: damaged, foreign, good, text
        const Scene before = p.w.document().scene();
        for (const auto& [row, word] : {std::pair(0, "damaged.tendonpose: "),
                                        {1, "foreign.tendonpose: of another character"},
                                        {3, "text.tendonpose: "}}) {
            p.choose(row);
            QVERIFY2(p.said().startsWith(word), qPrintable(p.said()));
            QVERIFY2(!p.said().contains(p.folder.path()) && !p.said().contains('\n'), qPrintable(p.said()));
            QVERIFY(!p.w.find<QPushButton>("poses.apply")->isEnabled());
            QTest::keyClick(p.list(), Qt::Key_Return);
            QVERIFY(p.w.document().scene() == before);
        }
        p.choose(2);
        QVERIFY2(p.said().isEmpty(), qPrintable(p.said()));
        QVERIFY(p.w.find<QPushButton>("poses.apply")->isEnabled());
        // A file that comes is seen.
        QVERIFY(QFile::copy(p.folder.filePath("good.tendonpose"), p.folder.filePath("later.tendonpose")));
        QTRY_COMPARE_WITH_TIMEOUT(p.list()->count(), 5, 30000);
        QCOMPARE(p.list()->currentItem()->text(), QString("good"));
        p.setFolder(p.folder.filePath("not/there"));
        QCOMPARE(p.list()->count(), 0);
        QVERIFY(p.said().startsWith("This folder no longer exists."));
    }

    void manyLongNamesScrollAndAreWalkedByKeys()
    {
        PosesWindow p;
        p.save("a");
        const QString stem = "A pose with a name that is longer than any picture is wide, number %1.tendonpose";
        for (int i = 0; i < 60; ++i)
            QVERIFY(QFile::copy(p.folder.filePath("a.tendonpose"), p.folder.filePath(stem.arg(i))));
        p.setFolder(p.folder.path());
        QCOMPARE(p.list()->count(), 61);
        QVERIFY(p.list()->item(3)->text().endsWith("number 2")); // 2 before 10
        QVERIFY(p.list()->horizontalScrollBar()->maximum() == 0 || !p.list()->horizontalScrollBar()->isVisible());
        QVERIFY(p.list()->visualItemRect(p.list()->item(2)).width() <= p.list()->gridSize().width());
        p.list()->setFocus();
        QTest::keyClick(p.list(), Qt::Key_End);
        QCOMPARE(p.list()->currentRow(), 60);
        QVERIFY(p.list()->viewport()->rect().intersects(p.list()->visualItemRect(p.list()->item(60))));
        // The folder is the one of the next window, too.
        const WindowUnderTest next("arm");
        QCOMPARE(next.find<PosesPanel>("poses")->folder(), p.folder.path());
    }
};

TENDON_TEST(TestPoses)
#include "tst_poses.moc"

#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/editor/DragSession.h"
#include "app/widgets/ImportDialog.h"
#include "app/widgets/TransportBar.h"

#include <QComboBox>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLayout>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// What a user finds who has imported a model.
class TestImported : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    /// By the dialog, with what it offers.
    static void import(WindowUnderTest& w, const QString& file)
    {
        QSignalSpy imported(&w.window->files(), &FileActions::imported);
        w.window->files().importFile(file);
        ImportDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = w.window->findChild<ImportDialog*>()) != nullptr && dialog->isVisible());
        for (auto* button : dialog->findChildren<QPushButton*>())
            if (button->isDefault()) QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(imported.count(), 1);
        QVERIFY(imported.first().first().toBool());
        w.settle();
    }
    static void write(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }

    /// Where a joint is in the newest frame, and how it is turned.
    static Affine placeOf(const FramePtr& frame, const char* joint, const Scene& scene)
    {
        return frame->solved.model.modelFromJoint[at(frame->rig->index(*scene.jointNamed(joint)))];
    }
    /// Drags a joint by 25 cm to the front, as the view does. `moved`: the joint follows.
    static void drag(WindowUnderTest& w, const char* joint)
    {
        const FramePtr before = w.state->finishFrame();
        const auto item = SelectionItem::of(*w.document().scene().jointNamed(joint));
        QVERIFY(w.state->drag().begin(item, DragSession::Kind::Move, before));
        const Vector3 target = w.state->drag().origin() + Vector3(0, 0.1, 0.25);
        QVERIFY(w.state->drag().moveTo(target));
        w.state->drag().commit();
        QTRY_VERIFY(!w.document().gesture().isOpen());
        const FramePtr after = w.state->finishFrame();
        QVERIFY((placeOf(after, joint, w.document().scene()).translation() - target).norm() < 0.02);
    }
    /// The mannequin's joints as a file has them: no handles, no limits.
    static Project rawMannequin(const WindowUnderTest& w)
    {
        Project project;
        project.scene = w.state->document().scene();
        project.scene.handles = {};
        project.scene.clips.clear();
        std::int32_t node = 0;
        for (Joint& joint : project.scene.joints.edit()) {
            const Joint usual;
            joint.turning = usual.turning;
            joint.sliding = usual.sliding;
            joint.ball.reset();
            joint.isTerminator = false;
            joint.stiffness = 0;
            joint.preferredAngle.setZero();
            joint.sourceNode = node++;
        }
        return project;
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }

    void itsFirstFrameIsShown()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath("walk.bvh");
        write(file, "HIERARCHY\nROOT hips\n{\n OFFSET 0 90 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation "
                    "Xrotation Yrotation\n JOINT chest\n {\n  OFFSET 0 40 0\n  CHANNELS 3 Zrotation Xrotation "
                    "Yrotation\n  End Site\n  {\n   OFFSET 0 20 0\n  }\n }\n}\nMOTION\nFrames: 3\nFrame Time: 0.04\n"
                    "0 90 0 0 0 0 0 0 0\n0 90 0 0 0 0 10 0 0\n0 90 0 0 0 0 20 0 0\n");
        WindowUnderTest w("arm");
        QCOMPARE(w.document().edit().frame, 1);
        import(w, file);
        QCOMPARE(w.document().scene().firstFrame, 0);
        QCOMPARE(w.document().edit().frame, 0);
        QCOMPARE(w.find<NumberField>("frame")->value(), 0.0);
    }

    void aLimbThatIsDraggedLeavesTheTrunk_data()
    {
        QTest::addColumn<QString>("joint");
        QTest::addColumn<QString>("stays");
        QTest::newRow("hand") << "Hand_R"
                              << "Chest";
        QTest::newRow("foot") << "Foot_L"
                              << "Hips";
    }

    void aLimbThatIsDraggedLeavesTheTrunk()
    {
        QFETCH(QString, joint);
        QFETCH(QString, stays);
        WindowUnderTest w("mannequin");
        w.document().adopt(rawMannequin(w), {}, "raw");
        w.settle();
        const Affine before = placeOf(w.state->finishFrame(), qPrintable(stays), w.document().scene());
        drag(w, qPrintable(joint));
        const Affine after = placeOf(w.state->finishFrame(), qPrintable(stays), w.document().scene());
        QVERIFY(before.matrix() == after.matrix());
        // The whole body, for those who choose it.
        w.key(Qt::Key_Z, Qt::ControlModifier);
        w.window->commands().run("solve.depth.0");
        drag(w, qPrintable(joint));
        QVERIFY(before.matrix() != placeOf(w.state->finishFrame(), qPrintable(stays), w.document().scene()).matrix());
    }

    void whatWasRiggedHereStopsWhereItSays()
    {
        WindowUnderTest w("lamp");
        const Joint& last = w.document().scene().joints->back();
        drag(w, last.name.c_str());
        for (const QJsonObject& operation : w.document().recorded())
            QVERIFY(!QJsonDocument(operation).toJson().contains("terminationDepth"));
    }

    void theClipsNameIsWholeIfThereIsRoom()
    {
        WindowUnderTest w("leg");
        const QString name = QStringLiteral("Armature|Walking forward in place");
        w.window->resize(1600, 900);
        QVERIFY(w.document().apply({{"op", "addClip"}, {"name", name}}));
        w.settle();
        const auto* clip = w.find<QComboBox>("clip");
        QVERIFY2(clip->width() >= clip->sizeHint().width() &&
                     clip->sizeHint().width() > clip->fontMetrics().horizontalAdvance(name),
                 qPrintable(QString::number(clip->width())));
        QVERIFY(clip->toolTip().contains(name));
        // Nothing of the row lies over another thing, whatever the room.
        for (const int width : {1600, 1280, 911}) {
            w.window->resize(width, 740);
            w.settle();
            const auto* bar = w.window->findChild<TransportBar*>();
            int end = 0;
            for (int i = 0; i < bar->layout()->count(); ++i) {
                const QWidget* part = bar->layout()->itemAt(i)->widget();
                if (part == nullptr || !part->isVisible()) continue;
                QVERIFY2(part->x() >= end, qPrintable(QString("%1 at %2").arg(part->objectName()).arg(width)));
                end = part->geometry().right();
            }
            QVERIFY(end <= bar->width());
        }
    }
};

TENDON_TEST(TestImported)
#include "tst_imported.moc"

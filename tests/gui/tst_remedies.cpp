#include "tests/gui/WindowUnderTest.h"
#include "tests/support/TestProgram.h"

#include "app/editor/DragSession.h"
#include "core/io/import/ModelImport.h"
#include "core/scene/Check.h"
#include "core/scene/RestPose.h"

#include <QFile>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>

#include <set>

using namespace tendon;
using namespace tendon::editor;
using tendon::test::WindowUnderTest;

/// Stretch, Hold and Move root help or change nothing: never is a goal lost that was met before. Limbs of the
/// mannequin and of imported characters, with the handles that the window makes.
class TestRemedies : public QObject
{
    Q_OBJECT
    QTemporaryDir m_profile;

    struct Limb
    {
        const char *start, *end;
    };
    static QString characters()
    {
        return qEnvironmentVariable("TENDON_SHARED", TENDON_SOURCE_DIR "/../shared") + "/assets/characters/";
    }
    /// Opens a character and makes its handles; false: it is not there.
    static bool open(WindowUnderTest& w, const QString& file, const std::vector<Limb>& limbs)
    {
        if (!file.isEmpty()) {
            if (!QFile::exists(characters() + file)) return false;
            auto model = importModel((characters() + file).toStdString(), {});
            if (!model) qFatal("%s", model.error().text().c_str());
            Project project;
            project.scene = std::move(model->scene);
            w.document().adopt(std::move(project), {}, file);
            for (const Limb& limb : limbs)
                w.window->addHandle({}, *w.document().scene().jointNamed(limb.start),
                                    *w.document().scene().jointNamed(limb.end));
            (void)w.document().work().finish();
        }
        w.settle();
        return true;
    }
    static std::set<HandleId> missed(WindowUnderTest& w)
    {
        std::set<HandleId> handles;
        for (const HandleView& view : w.state->finishFrame()->handles)
            if (view.isMissed) handles.insert(view.handle);
        return handles;
    }
    /// No goal is missed that was met before, whatever else is met instead.
    static bool isNoneLost(const std::set<HandleId>& before, const std::set<HandleId>& after)
    {
        return std::includes(before.begin(), before.end(), after.begin(), after.end());
    }
    static double missOf(WindowUnderTest& w, HandleId handle)
    {
        const HandleView* view = w.state->finishFrame()->find(handle);
        return view->result.isHeld ? 0 : view->result.positionError;
    }
    /// Takes the goal of a handle out of reach by dragging it, as the view does.
    static void dragAway(WindowUnderTest& w, HandleId handle, const Vector3& way)
    {
        const FramePtr frame = w.state->finishFrame();
        QVERIFY(w.state->drag().begin(SelectionItem::of(handle), DragSession::Kind::Move, frame));
        QVERIFY(w.state->drag().moveTo(w.state->drag().origin() + frame->find(handle)->reach * way));
        w.state->drag().commit();
        QTRY_VERIFY(!w.document().gesture().isOpen());
        w.settle();
    }

private slots:
    void initTestCase()
    {
        test::useFreshProfile(m_profile.path());
        installStyle(*qApp);
    }

    void noGoalIsLost_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("limbs");
        QTest::newRow("mannequin") << QString() << QStringList();
        QTest::newRow("game engine woman")
            << "makehuman/mh_woman_gameengine.glb"
            << QStringList{"thigh_l", "foot_l", "thigh_r", "foot_r", "upperarm_l", "hand_l", "upperarm_r", "hand_r"};
        QTest::newRow("punk") << "quaternius/modular_men_Punk.glb"
                              << QStringList{"UpperLeg.L", "Foot.L", "UpperLeg.R", "Foot.R", "UpperArm.R", "Hand.R"};
        QTest::newRow("with twist bones")
            << "makehuman/mh_man_default163.fbx" << QStringList{"upperleg01.L", "foot.L", "upperleg01.R", "foot.R"};
    }

    void noGoalIsLost()
    {
        QFETCH(QString, file);
        QFETCH(QStringList, limbs);
        WindowUnderTest w("mannequin");
        std::vector<QByteArray> names;
        for (const QString& name : limbs) names.push_back(name.toUtf8());
        std::vector<Limb> chains;
        for (std::size_t i = 0; i + 1 < names.size(); i += 2) chains.push_back({names[i], names[i + 1]});
        if (!open(w, file, chains)) QSKIP("no characters: TENDON_SHARED names no folder with assets/characters");
        std::vector<HandleId> handles;
        for (const Handle& handle : *w.document().scene().handles)
            if (handle.start != handle.end) handles.push_back(handle.id);
        QVERIFY(handles.size() >= 2);
        int tried = 0, helped = 0;
        for (const HandleId handle : handles)
            for (const Vector3& way : {Vector3(0.9, 0.8, 0.2), Vector3(-0.3, 0.2, 1.4)}) {
                dragAway(w, handle, way);
                if (missed(w).empty()) {
                    w.document().undo();
                    continue;
                }
                const auto* text = w.find<QLabel>("status.text");
                for (int fix = 0; fix < 4; ++fix) {
                    const std::set<HandleId> before = missed(w);
                    const double miss = missOf(w, handle);
                    const std::size_t steps = w.document().history().undoCount();
                    auto* button = w.window->findChild<QPushButton*>(QStringLiteral("fix.%1").arg(fix));
                    if (button == nullptr || !button->isVisible()) break;
                    const QString name = button->text();
                    QTest::mouseClick(button, Qt::LeftButton);
                    (void)w.document().work().finish();
                    w.settle();
                    ++tried;
                    const bool isDone = w.document().history().undoCount() > steps;
                    const QString what = name + " of " +
                                         QString::fromStdString(nameOf(w.document().scene(), handle.value)) + ": " +
                                         text->text();
                    QVERIFY2(isNoneLost(before, missed(w)), qPrintable(what));
                    if (isDone) {
                        ++helped;
                        QVERIFY2(missOf(w, handle) < miss, qPrintable(what));
                        w.document().undo();
                        w.settle();
                    } else {
                        QVERIFY2(text->text().contains("nothing was changed"), qPrintable(what));
                        emit w.state->selection().changed(); // which takes the message away
                        w.settle();
                    }
                }
                w.document().undo();
                w.settle();
            }
        QVERIFY2(tried > 0 && helped > 0, qPrintable(QString("%1 of %2").arg(helped).arg(tried)));
    }

    void limbsGetTwoBoneWithSoftReach()
    {
        WindowUnderTest w("mannequin");
        const Scene scene = w.document().scene();
        for (const auto& [start, end] : {std::pair{"Thigh_L", "Foot_L"}, {"UpperArm_R", "Hand_R"}}) {
            w.window->addHandle({}, *scene.jointNamed(start), *scene.jointNamed(end));
            (void)w.document().work().finish();
            const Handle& made = w.document().scene().handles->back();
            QCOMPARE(made.solver, std::string("two-bone"));
            // As soft as leaves the limb where it is.
            double straight = 0;
            for (const auto place : {+[](const Scene&in, JointId j) { return worldInRestPose(in, j); },
                                     +[](const Scene&in, JointId j) { return worldInStaticPose(in, j); }}) {
                const auto between = [&](JointId a, JointId b) {
                    return Vector3(place(scene, a).translation() - place(scene, b).translation()).norm();
                };
                const JointId from = *scene.jointNamed(start), to = *scene.jointNamed(end);
                const JointId knee = scene.find(to)->parent;
                straight = std::max(straight, between(from, to) / (between(from, knee) + between(knee, to)));
            }
            QVERIFY(made.soft <= std::min(0.03, 1 - straight));
            QVERIFY(made.soft > std::min(0.03, 1 - straight) - 0.005);
            w.document().undo(); // one step
            QVERIFY(w.document().scene().handles->size() == 6);
        }
        // A spine is no limb, and who names a solver gets it as it is.
        w.window->addHandle({}, *scene.jointNamed("Spine1"), *scene.jointNamed("Head"));
        (void)w.document().work().finish();
        QCOMPARE(w.document().scene().handles->back().solver, std::string(SolverRegistry::kDefaultAlias));
        w.document().undo();
        w.window->addHandle("fabrik", *scene.jointNamed("Thigh_L"), *scene.jointNamed("Foot_L"));
        (void)w.document().work().finish();
        QCOMPARE(w.document().scene().handles->back().solver, std::string("fabrik"));
        QCOMPARE(w.document().scene().handles->back().soft, 0.0);
    }
};

TENDON_TEST(TestRemedies)
#include "tst_remedies.moc"

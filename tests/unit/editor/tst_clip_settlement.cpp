#include "app/editor/Editor.h"
#include "core/solve/Baker.h"
#include "tests/support/TestProgram.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace tendon;
using namespace tendon::editor;

namespace {

bool isSamePose(const std::vector<LocalTransform>& shown, const LocalTransform* baked)
{
    for (std::size_t j = 0; j < shown.size(); ++j) {
        // A bake gives the one of a rotation's two quaternions that is nearer to the frame before.
        const Eigen::Vector4d a = shown[j].rotation.coeffs(), b = baked[j].rotation.coeffs();
        if (shown[j].translation != baked[j].translation || shown[j].scale != baked[j].scale || (a != b && a != -b))
            return false;
    }
    return true;
}

BakedClip bakeOf(const Scene& scene, const SolverRegistry& solvers, ClipId clip, int threads)
{
    BakeOptions options;
    options.clip = clip;
    options.fps = scene.fps;
    options.from = scene.fps.timeOf(scene.firstFrame);
    options.to = scene.fps.timeOf(scene.lastFrame);
    options.keys = BakedKeys::OnFrames;
    options.threads = threads;
    auto baked = bake(scene, solvers, options);
    if (!baked) qFatal("%s", baked.error().text().c_str());
    return *std::move(baked);
}

} // namespace

class TestClipSettlement : public QObject
{
    Q_OBJECT

    SolverRegistry m_solvers;

    /// Scrubs, undoes and redoes; then any frame is to be what a bake on one core and on two has.
    void compareWithBakes(Editor& editor)
    {
        const auto scene = [&]() -> const Scene& { return editor.document().scene(); }; // of the moment
        std::mt19937 random(11);
        const auto anyFrame = [&] {
            const int frames = scene().lastFrame - scene().firstFrame;
            return scene().firstFrame + static_cast<int>(random() % static_cast<unsigned>(frames));
        };
        for (int i = 0; i < 4; ++i) {
            editor.goToFrame(anyFrame());
            if (i % 2 == 0) (void)editor.finishFrame(); // else the settlement is overtaken
            QVERIFY(editor.document().undo());
            editor.goToFrame(anyFrame());
            QVERIFY(editor.document().redo());
        }
        const ClipId clip = editor.document().edit().currentClip;
        const BakedClip one = bakeOf(scene(), m_solvers, clip, 1), two = bakeOf(scene(), m_solvers, clip, 2);
        QVERIFY(one.locals == two.locals);
        const std::size_t joints = one.joints.size();
        for (int i = 0; i < 60; ++i) {
            const int frame = anyFrame();
            editor.goToFrame(frame);
            const FramePtr shown = editor.finishFrame();
            const Time time = scene().fps.timeOf(frame);
            const auto sample = std::find(one.times.begin(), one.times.end(), time) - one.times.begin();
            QVERIFY(sample < std::ssize(one.times));
            QVERIFY2(isSamePose(shown->solved.local.joints, &one.locals[static_cast<std::size_t>(sample) * joints]),
                     qPrintable(QString::number(frame)));
        }
    }

private slots:
    void initTestCase() { m_solvers.scan(); }

    /// The whole path: a key in the middle of the mannequin's walk is edited, and everybody shows the same.
    void theWindowShowsWhatIsBakedWhateverWasScrubbedOrUndone()
    {
        Editor editor(m_solvers);
        QVERIFY(editor.document().openSample("mannequin"));
        const auto scene = [&]() -> const Scene& { return editor.document().scene(); }; // of the moment
        for (const char* handle : {"HandIK_L", "FootIK_R"}) {
            const Handle* edited = scene().handleNamed(handle);
            QVERIFY(edited != nullptr);
            editor.goToFrame(20);
            const FramePtr at = editor.finishFrame();
            const Vector3 goal = at->find(edited->id)->target.goal.position + Vector3(0.03, 0.05, 0.02);
            QVERIFY(editor.document().applyNow(
                {{"op", "setGoal"}, {"handle", handle}, {"position", QJsonArray{goal.x(), goal.y(), goal.z()}}}));
            QVERIFY(editor.document().applyNow({{"op", "key"}, {"target", handle}}));
        }
        compareWithBakes(editor);
    }

    /// An arm whose frames do not follow from each other by themselves.
    void theWindowShowsTheSolutionOfAClip()
    {
        Editor editor(m_solvers);
        const auto apply = [&](const QJsonObject& operation) { QVERIFY(editor.document().applyNow(operation)); };
        apply({{"op", "addJoint"}, {"name", "Shoulder"}});
        apply({{"op", "addJoint"}, {"name", "Elbow"}, {"parent", "Shoulder"}, {"translation", QJsonArray{0.5, 0, 0}}});
        apply({{"op", "addJoint"}, {"name", "Hand"}, {"parent", "Elbow"}, {"translation", QJsonArray{0.5, 0, 0}}});
        for (const char* joint : {"Shoulder", "Elbow", "Hand"})
            for (const char* axis : {"x", "y"})
                apply({{"op", "setRotationAxis"}, {"joint", joint}, {"axis", axis}, {"active", false}});
        apply({{"op", "addHandle"}, {"name", "Reach"}, {"start", "Shoulder"}, {"end", "Hand"}, {"solver", "dls"}});
        apply({{"op", "addClip"}, {"name", "Arc"}});
        apply({{"op", "setRange"}, {"from", 1}, {"to", 49}});
        for (int frame = 1; frame <= 49; frame += 4) {
            const double angle = 0.05 * (frame - 25);
            apply({{"op", "setFrame"}, {"value", frame}});
            const QJsonArray goal{0.6 * std::cos(angle), 0.6 * std::sin(angle), 0};
            apply({{"op", "setGoal"}, {"handle", "Reach"}, {"position", goal}});
            apply({{"op", "key"}, {"target", "Reach"}});
        }
        (void)editor.finishFrame();
        QVERIFY(!editor.settlement().latest()->solution()->paths.empty()); // or this is no test of it
        compareWithBakes(editor);
    }

    void anEditIsSettledAndAnOlderOneIsNot()
    {
        Editor editor(m_solvers);
        QVERIFY(editor.document().openSample("mannequin"));
        (void)editor.finishFrame();
        QVERIFY(editor.settlement().isSettled());
        int settled = 0;
        connect(&editor.settlement(), &ClipSettlement::settled, this, [&] { ++settled; });
        for (int i = 0; i < 20; ++i) {
            QVERIFY(editor.document().applyNow({{"op", "setFrame"}, {"value", 10 + i}}));
            QVERIFY(editor.document().applyNow({{"op", "key"}, {"target", "FootIK_L"}}));
        }
        QVERIFY(!editor.settlement().isSettled());
        (void)editor.finishFrame();
        QVERIFY(editor.settlement().isSettled());
        QVERIFY2(settled >= 1 && settled < 20, qPrintable(QString::number(settled)));
        QVERIFY(editor.settlement().latest()->isOf(editor.document().scene(), *editor.document().clip()));
    }

    void withoutAClipThereIsNothingToSettle()
    {
        Editor editor(m_solvers);
        QVERIFY(editor.settlement().isSettled());
        (void)editor.finishFrame();
        QVERIFY(editor.settlement().latest() == nullptr);
        QVERIFY(editor.document().openSample("mannequin"));
        editor.document().clear(); // while the walk is being settled
        (void)editor.finishFrame();
        QVERIFY(editor.settlement().isSettled());
    }
};

TENDON_TEST(TestClipSettlement)
#include "tst_clip_settlement.moc"

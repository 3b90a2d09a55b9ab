#include "core/solve/Baker.h"
#include "resources/samples/Samples.h"
#include "tests/support/TestProgram.h"

#include <algorithm>

using namespace tendon;

/// The mannequin's walk with its handles switched to each solver there is, as far as the solver takes them: it bakes,
/// and the statuses are true.
class TestMannequinSolvers : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_registry.scan();
        auto project = makeSample("mannequin", m_registry);
        QVERIFY(project);
        m_scene = project->scene;
    }

    void theWalkBakes_data()
    {
        QTest::addColumn<QString>("alias");
        for (const SolverInfo& info : m_registry.solvers())
            if (info.has("position-goal")) QTest::newRow(info.alias.c_str()) << QString::fromStdString(info.alias);
    }

    void theWalkBakes()
    {
        QFETCH(QString, alias);
        Scene scene = m_scene;
        std::size_t switched = 0;
        for (std::size_t h = 0; h < scene.handles->size(); ++h) {
            if (!takes(alias.toStdString(), h)) continue;
            ++switched;
            scene.handles.edit()[h].solver = alias.toStdString();
            scene.handles.edit()[h].parameters.clear();
        }
        const SolverInfo& info = *m_registry.find(alias.toStdString());
        const bool takesAll = info.maxChainJoints == 0 && info.has("pole") && info.moves("prismatic"); // the hips slide
        QVERIFY(takesAll ? switched == scene.handles->size() : switched > 0);
        BakeOptions options;
        options.clip = scene.clipNamed("Walk")->id;
        options.fps = scene.fps;
        options.from = scene.fps.timeOf(scene.firstFrame);
        options.to = scene.fps.timeOf(scene.lastFrame);
        const auto baked = bake(scene, m_registry, options);
        QVERIFY2(baked, baked ? "" : baked.error().text().c_str());
        std::size_t asked = 0, met = 0;
        for (const std::vector<HandleResult>& frame : baked->handles)
            for (const HandleResult& result :
                 frame) { // errors are measured on the pose as it came out, whatever the solver said
                const Handle& handle = *scene.find(result.handle);
                const bool isMet = result.positionError <= handle.positionTolerance * (1 + 1e-6) + 1e-9 &&
                                   result.rotationError <= handle.rotationTolerance * (1 + 1e-6) + 1e-7;
                QVERIFY2(sdk::isUsable(result.status), handle.name.c_str());
                QVERIFY2((result.status == sdk::Status::Converged) == isMet, handle.name.c_str());
                ++asked;
                met += isMet ? 1 : 0;
            }
        qInfo("%s for %zu of %zu handles: %zu of %zu goals met over %zu frames", qPrintable(alias), switched,
              scene.handles->size(), met, asked, baked->handles.size());
        QVERIFY(met * 100 >= asked * 90);
    }

private:
    /// Looks at the walk's first frame with this one handle switched.
    bool takes(const std::string& alias, std::size_t handle)
    {
        Scene scene = m_scene;
        scene.handles.edit()[handle].solver = alias;
        scene.handles.edit()[handle].parameters.clear();
        const auto rig = compile(scene);
        if (!rig) return false;
        const auto evaluator = Evaluator::create(*rig, m_registry, OnBadHandle::ShowFk);
        if (!evaluator) return false;
        SolvedFrame result;
        (*evaluator)->evaluate(scene, scene.clipNamed("Walk"), {}, scene.fps.timeOf(scene.firstFrame), result);
        return result.handles[handle].status != sdk::Status::Unsupported;
    }

    SolverRegistry m_registry;
    Scene m_scene;
};

TENDON_TEST(TestMannequinSolvers)
#include "tst_mannequin_solvers.moc"

#include "core/solve/Evaluator.h"
#include "resources/samples/Samples.h"
#include "tests/support/TestProgram.h"

#include <cmath>

using namespace tendon;

namespace {

struct Reach
{
    const char* name;
    const char* handle;
    Vector3 position; ///< [m] world
};

} // namespace

/// The mannequin as it is posed by hand: goals moved from the rest pose, no clip.
class TestMannequinPosing : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_registry.scan();
        auto project = makeSample("mannequin", m_registry);
        QVERIFY(project);
        m_scene = project->scene;
        const auto rig = compile(m_scene);
        QVERIFY(rig);
        m_rig = *rig;
        auto evaluator = Evaluator::create(m_rig, m_registry);
        QVERIFY2(evaluator, evaluator ? "" : evaluator.error().text().c_str());
        m_evaluator = std::move(*evaluator);
        evaluate({});
        m_rest = m_frame;
    }

    void restGoalsKeepTheRestPose()
    {
        for (std::size_t j = 0; j < m_rig->jointCount(); ++j) {
            const double moved = (m_rest.local.joints[j].rotation.angularDistance(m_rig->rest[j].rotation));
            QVERIFY2(moved < 1e-3, m_rig->authored[j].name.c_str());
        }
    }

    void loweringTheHipsKeepsTheFeetPlantedAndBendsTheKneesForward()
    {
        const Vector3 hips = at(m_rest, "Hips");
        evaluate({{"HipsIK", hips - Vector3(0, 0.20, 0)}});
        verifyConverged();
        for (const char* side : {"_L", "_R"}) {
            const std::string foot = std::string("Foot") + side, knee = std::string("Shin") + side;
            QVERIFY((at(m_frame, foot) - at(m_rest, foot)).norm() < 1e-3);
            QVERIFY(at(m_frame, knee).z() > at(m_rest, knee).z() + 0.1);
            QVERIFY(std::abs(at(m_frame, knee).x() - at(m_rest, knee).x()) < 0.1);
        }
        // What hangs on the trunk comes along.
        for (const char* joint : {"Head", "Hand_L", "Hand_R"})
            QVERIFY2((at(m_frame, joint) - at(m_rest, joint) + Vector3(0, 0.20, 0)).norm() < 2e-3, joint);
    }

    void handsReachTheirGoals_data()
    {
        QTest::addColumn<QByteArray>("handle");
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        QTest::addColumn<double>("z");
        const Reach reaches[] = {
            {"forward", "HandIK_R", {-0.20, 1.35, 0.42}},     {"across", "HandIK_R", {0.10, 1.20, 0.30}},
            {"hanging", "HandIK_R", {-0.24, 0.92, 0.05}},     {"up", "HandIK_R", {-0.30, 1.85, 0.10}},
            {"forward left", "HandIK_L", {0.20, 1.35, 0.42}}, {"step", "FootIK_L", {0.12, 0.35, 0.30}},
            {"back", "FootIK_R", {-0.12, 0.20, -0.35}},       {"aside", "FootIK_L", {0.40, 0.20, 0.05}}};
        for (const Reach& reach : reaches)
            QTest::newRow(reach.name) << QByteArray(reach.handle) << reach.position.x() << reach.position.y()
                                      << reach.position.z();
    }
    void handsReachTheirGoals()
    {
        QFETCH(QByteArray, handle);
        QFETCH(double, x);
        QFETCH(double, y);
        QFETCH(double, z);
        const Handle& asked = *m_scene.handleNamed(handle.toStdString());
        evaluate({{handle.toStdString(), Vector3(x, y, z)}});
        const Vector3 end =
            m_frame.model.modelFromJoint[static_cast<std::size_t>(m_rig->index(asked.end))].translation();
        const double missed = (end - Vector3(x, y, z)).norm();
        QVERIFY2(missed < 1e-3, qPrintable(QString::number(missed)));
    }

private:
    /// `goals` in the world; those of handles that follow a joint are taken to its space at rest. Rotations stay.
    void evaluate(const std::vector<std::pair<std::string, Vector3>>& goals)
    {
        PendingValues pending;
        for (const auto& [name, position] : goals) {
            const Handle& handle = *m_scene.handleNamed(name);
            Vector3 local = position;
            if (handle.follow != 0)
                local = m_rest.model.modelFromJoint[static_cast<std::size_t>(m_rig->index(JointId{handle.follow}))]
                            .inverse() *
                        position;
            pending[{handle.id.value, Property::GoalPosition}] = {local.x(), local.y(), local.z(), 0};
        }
        m_evaluator->evaluate(m_scene, nullptr, pending, {}, m_frame);
    }
    void verifyConverged()
    {
        for (const HandleResult& result : m_frame.handles)
            QVERIFY2(result.status == sdk::Status::Converged, m_scene.find(result.handle)->name.c_str());
    }
    [[nodiscard]] Vector3 at(const SolvedFrame& frame, const std::string& joint) const
    {
        return frame.model.modelFromJoint[static_cast<std::size_t>(m_rig->index(*m_scene.jointNamed(joint)))]
            .translation();
    }

    SolverRegistry m_registry;
    Scene m_scene;
    std::shared_ptr<const CompiledRig> m_rig;
    std::unique_ptr<Evaluator> m_evaluator;
    SolvedFrame m_rest, m_frame;
};

TENDON_TEST(TestMannequinPosing)
#include "tst_mannequin_posing.moc"

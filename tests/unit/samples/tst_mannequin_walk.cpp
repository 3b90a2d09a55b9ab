#include "core/runtime/ForwardKinematics.h"
#include "core/solve/Baker.h"
#include "resources/samples/Samples.h"
#include "resources/samples/mannequin/Gait.h"
#include "tests/support/TestProgram.h"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace tendon;
using mannequin::Gait;

namespace {

constexpr double degrees(double radians) { return radians * 180 / std::numbers::pi; }

} // namespace

/// The walk as it comes out of the solvers, baked at the project's rate: what a viewer sees, not what was asked for.
class TestMannequinWalk : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_registry.scan();
        auto project = makeSample("mannequin", m_registry);
        QVERIFY(project);
        m_scene = project->scene;
        m_clip = m_scene.clipNamed("Walk");
        QVERIFY(m_clip != nullptr);

        BakeOptions options;
        options.clip = m_clip->id;
        options.fps = m_scene.fps;
        options.from = m_scene.fps.timeOf(m_scene.firstFrame);
        options.to = m_scene.fps.timeOf(m_scene.lastFrame);
        auto baked = bake(m_scene, m_registry, options);
        QVERIFY2(baked, baked ? "" : baked.error().text().c_str());
        m_baked = std::move(*baked);

        const auto rig = compile(m_scene);
        QVERIFY(rig);
        LocalPose local;
        local.joints.resize(m_baked.joints.size());
        m_worlds.resize(m_baked.times.size());
        for (std::size_t s = 0; s < m_baked.times.size(); ++s) {
            for (std::size_t j = 0; j < m_baked.joints.size(); ++j)
                local.joints[static_cast<std::size_t>((*rig)->index(m_baked.joints[j]))] =
                    m_baked.locals[s * m_baked.joints.size() + j];
            forwardKinematics(**rig, local, m_worlds[s]);
        }
        m_rig = *rig;
    }

    void onlyHandlesHaveKeys()
    {
        for (const auto& [channel, keys] : m_clip->channels) {
            QVERIFY(m_scene.find(HandleId{channel.target}) != nullptr);
            QVERIFY(!keys->isEmpty());
        }
        QCOMPARE(m_scene.handles->size(), std::size_t(6));
    }

    void everyGoalIsMetOnEveryFrame()
    {
        double worst = 0;
        for (std::size_t s = 0; s < m_baked.handles.size(); ++s)
            for (const HandleResult& result : m_baked.handles[s]) {
                const std::string where = m_scene.find(result.handle)->name + " at sample " + std::to_string(s);
                QVERIFY2(result.status == sdk::Status::Converged, where.c_str());
                worst = std::max(worst, result.positionError);
            }
        qInfo("worst goal %.4f mm", 1000 * worst);
        QVERIFY(worst <= 1e-4);
    }

    /// The point of the sole that bears stays where it is until the next one takes over.
    void plantedFeetDoNotSlide()
    {
        int pairs = 0;
        double worst = 0;
        for (const bool isLeft : {true, false})
            for (std::size_t s = 0; s + 1 < m_worlds.size(); ++s) {
                if (!isOnGround(isLeft, s) || !isOnGround(isLeft, s + 1)) continue;
                const Vector3 point = contact(isLeft, s);
                if ((contact(isLeft, s + 1) - point).norm() > 1e-9) continue;
                const Vector3 onFoot = world(s, foot(isLeft)).inverse() * point;
                worst = std::max(worst, (world(s + 1, foot(isLeft)) * onFoot - point).norm());
                ++pairs;
            }
        qInfo("%d steps of one frame on the ground, worst slide %.3f mm", pairs, 1000 * worst);
        QVERIFY(pairs > 40);
        QVERIFY(worst < 1e-3);
    }

    void feetTouchTheGroundAndDoNotSinkIn()
    {
        for (const bool isLeft : {true, false})
            for (std::size_t s = 0; s < m_worlds.size(); ++s) {
                const double lowest = lowestOfFoot(isLeft, s);
                const std::string where = foot(isLeft) + " at sample " + std::to_string(s) + ": " +
                                          std::to_string(lowest);
                QVERIFY2(lowest > -0.003, where.c_str());
                if (isOnGround(isLeft, s)) QVERIFY2(lowest < 0.003, where.c_str());
            }
    }

    void atLeastOneFootIsOnTheGround()
    {
        for (std::size_t s = 0; s < m_worlds.size(); ++s) QVERIFY(isOnGround(true, s) || isOnGround(false, s));
    }

    void kneesBendForwardAndDoNotPop()
    {
        for (const char* shin : {"Shin_L", "Shin_R"}) {
            double steepest = 0;
            for (std::size_t s = 0; s < m_worlds.size(); ++s) {
                const std::string side = std::string(shin).substr(4);
                const Vector3 hip = world(s, "Thigh" + side).translation(), knee = world(s, shin).translation();
                const Vector3 ankle = world(s, "Foot" + side).translation();
                const Vector3 forward = world(s, "Hips").linear().col(2);
                const Vector3 middle = hip + (ankle - hip) *
                                                 ((knee - hip).norm() / ((knee - hip).norm() + (ankle - knee).norm()));
                QVERIFY2((knee - middle).dot(forward) > 0, (shin + std::to_string(s)).c_str());
                if (s > 0) steepest = std::max(steepest, std::abs(bend(s, side) - bend(s - 1, side)));
            }
            qInfo("%s turns by %.1f degrees a frame at most", shin, steepest);
            QVERIFY(steepest < 25);
        }
    }

    void jointsKeepTheirLimits()
    {
        for (std::size_t s = 0; s < m_worlds.size(); ++s)
            for (std::size_t j = 0; j < m_baked.joints.size(); ++j) {
                const Joint& joint = *m_scene.find(m_baked.joints[j]);
                if (joint.ball) continue;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const AxisFreedom& freedom = joint.turning[axis];
                    const double angle = m_baked.angles[s * m_baked.joints.size() + j][static_cast<Eigen::Index>(axis)];
                    if (!freedom.active) QVERIFY2(std::abs(angle) < 1e-9, joint.name.c_str());
                    if (!freedom.limited) continue;
                    QVERIFY2(angle > freedom.lower() - 1e-6 && angle < freedom.upper() + 1e-6, joint.name.c_str());
                }
            }
    }

    void hipsBobAndSwayAndArmsSwingOppositeToTheLegs()
    {
        double low = 1e9, high = -1e9, left = 1e9, right = -1e9, legs = 0, head = 0;
        for (std::size_t s = 0; s < m_worlds.size(); ++s) {
            const Vector3 hips = world(s, "Hips").translation();
            low = std::min(low, hips.y());
            high = std::max(high, hips.y());
            left = std::min(left, hips.x());
            right = std::max(right, hips.x());
            const double armAhead = world(s, "Hand_L").translation().z() - world(s, "Hand_R").translation().z();
            const double legAhead = world(s, "Foot_L").translation().z() - world(s, "Foot_R").translation().z();
            legs += armAhead * legAhead;
            head = std::max(head, std::acos(std::clamp(world(s, "Head").linear().col(2).z(), -1.0, 1.0)));
        }
        qInfo("hips: %.1f cm up and down, %.1f cm to the sides; head within %.1f degrees of ahead", 100 * (high - low),
              100 * (right - left), degrees(head));
        QVERIFY(high - low > 0.02 && high - low < 0.07);
        QVERIFY(right - left > 0.02 && right - left < 0.08);
        QVERIFY(legs < 0);
        QVERIFY(degrees(head) < 20);
    }

    void walksStraightAheadAtAnEasyPace()
    {
        const Vector3 way = world(m_worlds.size() - 1, "Hips").translation() - world(0, "Hips").translation();
        const double seconds = m_baked.times.back().seconds() - m_baked.times.front().seconds();
        QVERIFY(std::abs(way.x()) < 1e-6 && std::abs(way.y()) < 1e-6);
        QVERIFY(way.z() / seconds > 1 && way.z() / seconds < 1.6);
    }

private:
    static std::string foot(bool isLeft) { return isLeft ? "Foot_L" : "Foot_R"; }

    [[nodiscard]] const Affine& world(std::size_t sample, const std::string& joint) const
    {
        return m_worlds[sample].modelFromJoint[static_cast<std::size_t>(m_rig->index(*m_scene.jointNamed(joint)))];
    }
    [[nodiscard]] double cycles(std::size_t sample) const
    {
        return (m_scene.fps.frameAt(m_baked.times[sample]) - m_scene.firstFrame) / Gait::kFramesPerCycle;
    }
    [[nodiscard]] bool isOnGround(bool isLeft, std::size_t sample) const
    {
        const double own = cycles(sample) + (isLeft ? 0 : 0.5);
        return own - std::floor(own + 1e-9) <= Gait::kToeOff;
    }
    /// Where the plan of the walk has the foot bear, on the clip's own ground.
    [[nodiscard]] Vector3 contact(bool isLeft, std::size_t sample) const
    {
        const double back = world(0, "Hips").translation().z() - Gait::at(0).hips.translation().z();
        return Gait::contact(isLeft, cycles(sample)) + Vector3(0, 0, back);
    }
    [[nodiscard]] double bend(std::size_t sample, const std::string& side) const
    {
        const Vector3 thigh = world(sample, "Shin" + side).translation() - world(sample, "Thigh" + side).translation();
        const Vector3 shin = world(sample, "Foot" + side).translation() - world(sample, "Shin" + side).translation();
        return degrees(std::acos(std::clamp(thigh.normalized().dot(shin.normalized()), -1.0, 1.0)));
    }
    /// [m] height of the lowest vertex that hangs on the foot.
    [[nodiscard]] double lowestOfFoot(bool isLeft, std::size_t sample) const
    {
        double lowest = 1e9;
        const JointId footId = *m_scene.jointNamed(foot(isLeft)),
                      toeId = *m_scene.jointNamed(isLeft ? "Toe_L" : "Toe_R");
        for (const Mesh& mesh : m_scene.model->meshes)
            for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                double onFoot = 0, height = 0;
                for (auto i = mesh.skin.influenceBegin[v]; i < mesh.skin.influenceBegin[v + 1]; ++i) {
                    const auto joint = mesh.skin.influenceJoint[i];
                    const JointId id = mesh.skin.joints[joint];
                    if (id != footId && id != toeId) continue;
                    const double weight = double(mesh.skin.influenceWeight[i]);
                    onFoot += weight;
                    height += weight * (m_worlds[sample].modelFromJoint[static_cast<std::size_t>(m_rig->index(id))] *
                                        (mesh.skin.jointFromMesh[joint] * mesh.positions[v].cast<double>()))
                                           .y();
                }
                if (onFoot > 0.999) lowest = std::min(lowest, height);
            }
        return lowest;
    }

    SolverRegistry m_registry;
    Scene m_scene;
    const Clip* m_clip = nullptr;
    BakedClip m_baked;
    std::shared_ptr<const CompiledRig> m_rig;
    std::vector<ModelPose> m_worlds;
};

TENDON_TEST(TestMannequinWalk)
#include "tst_mannequin_walk.moc"

#include "core/scene/Validate.h"
#include "core/solve/Baker.h"
#include "core/solve/ChainBend.h"
#include "core/solve/Evaluator.h"
#include "core/solve/Settings.h"
#include "core/solve/StatusNames.h"
#include "resources/samples/Samples.h"
#include "tests/support/TestProgram.h"

#include <cmath>
#include <map>
#include <numbers>
#include <set>

using namespace tendon;

namespace {

std::vector<std::string> jointNames(const Scene& scene)
{
    std::vector<std::string> names;
    for (const Joint& joint : *scene.joints) names.push_back(joint.name);
    return names;
}

} // namespace

/// What is true of every sample, and what the scenes that lessons are built on must hold.
class TestSamples : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_registry.scan(); }

    void eachSampleIsListedOnceWithADescription()
    {
        std::set<std::string_view> names;
        for (const Sample& sample : listSamples()) {
            QVERIFY(names.insert(sample.name).second);
            QVERIFY(!sample.title.empty() && !sample.description.empty());
        }
        for (const char* wanted : {"lamp", "mace", "leg", "telescope", "arm", "two-goals", "tree", "near-straight",
                                   "robot-arm", "dragon-neck", "mannequin"})
            QVERIFY2(names.contains(wanted), wanted);
    }

    void samplesHaveNoIssues_data() { addSamples(); }
    void samplesHaveNoIssues()
    {
        const Scene scene = make().scene;
        QVERIFY(!scene.joints->empty());
        for (const Issue& issue : validate(scene)) QFAIL((issue.where + ": " + issue.text).c_str());
        for (const Issue& issue : unusedSettings(scene, m_registry)) QFAIL((issue.where + ": " + issue.text).c_str());
    }

    void everySampleHasSomethingToDraw_data() { addSamples(); }
    void everySampleHasSomethingToDraw()
    {
        const Scene scene = make().scene;
        const bool hasMeshes = scene.model && !scene.model->meshes.empty();
        for (const Joint& joint : *scene.joints)
            QVERIFY2(hasMeshes || joint.segment.shape != Segment::Shape::None, joint.name.c_str());
    }

    void samplesHaveTheSameBytesEveryTime_data() { addSamples(); }
    void samplesHaveTheSameBytesEveryTime()
    {
        const auto first = projectBytes(make(), "/a.tendon"), second = projectBytes(make(), "/a.tendon");
        QVERIFY(first && second);
        QVERIFY(*first == *second);
    }

    /// At the start and, where there is a clip, on every frame of it.
    void everyGoalOfASampleIsMet_data() { addSamples(); }
    void everyGoalOfASampleIsMet()
    {
        Scene scene = make().scene;
        if (scene.clips.empty()) {
            Clip still;
            still.id = {scene.takeId()};
            still.name = "Still";
            scene.clips.push_back(still);
        }
        BakeOptions options;
        options.clip = scene.clips.front()->id;
        options.fps = scene.fps;
        options.from = scene.fps.timeOf(scene.firstFrame);
        options.to = scene.clips.front()->hasKeys() ? scene.fps.timeOf(scene.lastFrame) : options.from;
        const auto baked = bake(scene, m_registry, options);
        QVERIFY2(baked, baked ? "" : baked.error().text().c_str());
        for (std::size_t s = 0; s < baked->handles.size(); ++s)
            for (const HandleResult& result : baked->handles[s])
                QVERIFY2(result.status == sdk::Status::Converged,
                         (scene.find(result.handle)->name + " at sample " + std::to_string(s)).c_str());
    }

    void lampHasTheJointsOfTheLesson()
    {
        const Scene scene = makeSample("lamp", m_registry)->scene;
        QCOMPARE(jointNames(scene), (std::vector<std::string>{"Support", "Hinge01", "Lever01", "Hinge02", "Lever02",
                                                              "Hinge03", "Lever03", "Reflector"}));
        for (std::size_t i = 1; i < scene.joints->size(); ++i)
            QCOMPARE((*scene.joints)[i].parent, (*scene.joints)[i - 1].id);
        for (const Joint& joint : *scene.joints)
            for (const AxisFreedom& axis : joint.turning)
                QVERIFY(axis.active && !axis.limited); // free until told otherwise
    }

    void aKickTurnsNoJointOfTheLegFar_data() { addSolversWithPoles(); }
    void aKickTurnsNoJointOfTheLegFar()
    {
        QFETCH(std::string, solver);
        Leg leg(solver, m_registry);
        leg.poseAt(Vector3(-0.006, 0.8693, 0.7121));
        const LocalPose before = leg.frame.local;
        leg.poseAt(Vector3(0.031, 0.8787, 0.7319)); // 5 % of the reach
        for (std::size_t j = 0; j < before.joints.size(); ++j) {
            const double turn = before.joints[j].rotation.angularDistance(leg.frame.local.joints[j].rotation);
            QVERIFY2(turn < 0.15, qPrintable(QString::number(turn)));
        }
    }

    /// Limits do not leave the thigh every way to face its pole. A pole gives way to its goal then; where a small move
    /// takes the knee from one way to another, the handle says so before.
    void limitsThatOverruleThePoleLeaveTheGoalMetAndTheHandleCautious_data() { addSolversWithPoles(); }
    void limitsThatOverruleThePoleLeaveTheGoalMetAndTheHandleCautious()
    {
        QFETCH(std::string, solver);
        constexpr double kReach = 0.86;
        Leg leg(solver, m_registry);
        const Vector3 from(-0.006, 0.8693, 0.7121), to(0.031, 0.8787, 0.7319), hip(0, 0.92, 0);
        const auto follow = [&](int steps, const auto& goalAt, const auto& poleAt) {
            double swings = 0;
            bool wasCautious = false;
            Vector3 knee = Vector3::Zero();
            for (int step = 0; step <= steps; ++step) {
                const double share = static_cast<double>(step) / steps;
                const Vector3 goal = goalAt(share), line = (goal - hip).normalized();
                leg.poseAt(goal, poleAt(share));
                QVERIFY2(sdk::isSuccess(leg.result().status), qPrintable(QString::number(step)));
                const Vector3 way = leg.knee() - hip, aside = way - line * line.dot(way);
                const bool isCautious = !cautionOf(leg.scene, leg.result()).empty();
                if (step > 0) {
                    const double turn = std::acos(std::clamp(knee.normalized().dot(aside.normalized()), -1.0, 1.0));
                    swings += turn > kMaxSwing ? 1 : 0;
                    QVERIFY2(turn < kMaxSwing || wasCautious,
                             qPrintable(QStringLiteral("%1 at step %2").arg(turn).arg(step)));
                }
                knee = aside;
                wasCautious = isCautious;
            }
            QVERIFY(swings > 0); // else nothing is shown
        };
        // The goal by 0.25 % of the reach a step under the pole in front, and the pole round the line by 1 % of it.
        follow(
            20, [&](double share) { return Vector3(from + share * (to - from)); },
            [](double) { return Vector3(0, 0.5, 1.2); });
        const Vector3 goal = hip + kReach * Vector3(0.1, -0.6, 0.4), line = (goal - hip).normalized();
        follow(
            160, [&](double) { return goal; },
            [&](double share) {
                const Quaternion turn(Eigen::AngleAxisd(2 * std::numbers::pi * share, line));
                return Vector3(hip + 0.5 * (goal - hip) + turn * (0.25 * kReach * line.unitOrthogonal()));
            });
    }

    void maceHasTenRingsBetweenGripAndBall()
    {
        const auto names = jointNames(makeSample("mace", m_registry)->scene);
        QCOMPARE(names.size(), std::size_t(12));
        QCOMPARE(names.front(), std::string("ChamferCyl01"));
        QCOMPARE(names[10], std::string("Torus10"));
        QCOMPARE(names.back(), std::string("Hedra01"));
    }

    void telescopeSlidesFromThirtyCentimetresToZeroAndNeverRotates()
    {
        const Scene scene = makeSample("telescope", m_registry)->scene;
        QCOMPARE(scene.joints->size(), std::size_t(3));
        for (const Joint& joint : *scene.joints) {
            for (const AxisFreedom& axis : joint.turning) QVERIFY(!axis.active);
            QVERIFY(!joint.sliding[0].active && !joint.sliding[1].active);
            QCOMPARE(joint.sliding[2].active, joint.name != "Bottom");
            if (joint.name == "Bottom") continue;
            QVERIFY(joint.sliding[2].limited);
            QCOMPARE(joint.sliding[2].from, 0.30);
            QCOMPARE(joint.sliding[2].to, 0.0);
            QCOMPARE(joint.rest.translation, Vector3(0, 0, 0.30));
        }
    }

    void twoGoalsPullPointsBesideTheirBones()
    {
        const Scene scene = makeSample("two-goals", m_registry)->scene;
        QCOMPARE(scene.handleNamed("GoalA")->offset, Vector3(1, 0.1, 0.2));
        QCOMPARE(scene.handleNamed("GoalB")->offset, Vector3(1, 0, 0));
        QCOMPARE(scene.find(scene.handleNamed("GoalA")->end)->name, std::string("Bone5"));
        QCOMPARE(scene.find(scene.handleNamed("GoalB")->end)->name, std::string("Bone2"));
        for (const Handle& handle : *scene.handles) QCOMPARE(handle.parameters.at("mode"), 1.0); // plain
    }

    void treeForksAndHasAGoalBesideItsBone()
    {
        const Scene scene = makeSample("tree", m_registry)->scene;
        QCOMPARE(scene.handles->size(), std::size_t(3));
        QCOMPARE(scene.handleNamed("LeftGoal")->offset, Vector3(0.1, 0.4, 0.2));
        const JointId fork = *scene.jointNamed("Fork");
        QCOMPARE(std::ranges::count(*scene.joints, fork, &Joint::parent), 2);
    }

    /// Near a singular pose the undamped step is wild; damping calms it, and all three meet the same goals.
    void pseudoInverseFlailsNearStraightWhereDampedSolversStayCalm()
    {
        const Scene scene = makeSample("near-straight", m_registry)->scene;
        const auto rig = compile(scene);
        QVERIFY(rig);
        const auto evaluator = Evaluator::create(*rig, m_registry);
        QVERIFY(evaluator);
        std::map<std::string, double> largest; // [rad] turn of a joint from one frame to the next
        SolvedFrame frame, before;
        for (int number = scene.firstFrame; number <= scene.lastFrame; ++number) {
            (*evaluator)->evaluate(scene, &*scene.clips.front(), {}, scene.fps.timeOf(number), frame);
            for (const char* arm : {"Wild", "Damped", "Selective"})
                for (std::size_t j = 0; j < (*rig)->jointCount(); ++j) {
                    if (number == scene.firstFrame || !(*rig)->authored[j].name.starts_with(arm)) continue;
                    const double turn = before.local.joints[j].rotation.angularDistance(frame.local.joints[j].rotation);
                    largest[arm] = std::max(largest[arm], turn);
                }
            before = frame;
        }
        QVERIFY2(largest["Wild"] > 1.5, qPrintable(QString::number(largest["Wild"])));
        for (const char* calm : {"Damped", "Selective"})
            QVERIFY2(largest[calm] < 0.06, qPrintable(QString::number(largest[calm])));
    }

    void dragonHasTwentyFourJointsAndBendsToTheFloor()
    {
        const Scene scene = makeSample("dragon-neck", m_registry)->scene;
        QCOMPARE(scene.joints->size(), std::size_t(24));
        const Clip& clip = *scene.clips.front();
        const KeyList* goals = clip.find({scene.handleNamed("Snout")->id.value, Property::GoalPosition});
        QVERIFY(goals != nullptr);
        double lowest = 1e9, highest = -1e9;
        for (const Key& key : goals->toVector()) {
            lowest = std::min(lowest, key.value[1]);
            highest = std::max(highest, key.value[1]);
        }
        QVERIFY(lowest < 0.1 && highest > 3);
    }

private:
    /// The sample's leg with another solver, posed by its goal and its pole.
    struct Leg
    {
        Leg(const std::string& solver, const SolverRegistry& registry)
            : scene(makeSample("leg", registry)->scene), handle(scene.handles->front().id)
        {
            scene.handles.edit().front().solver = solver;
            rig = *compile(scene);
            evaluator = *Evaluator::create(rig, registry);
        }
        void poseAt(const Vector3& goal, const std::optional<Vector3>& pole = {})
        {
            const auto set = [&](Property property, const Vector3& v) {
                scene.statics.edit()[{handle.value, property}] = {v.x(), v.y(), v.z(), 0};
            };
            set(Property::GoalPosition, goal);
            if (pole) set(Property::Pole, *pole);
            evaluator->evaluate(scene, nullptr, {}, Time{}, frame);
        }
        [[nodiscard]] const HandleResult& result() const { return frame.handles.front(); }
        [[nodiscard]] Vector3 knee() const { return frame.model.modelFromJoint[2].translation(); }

        Scene scene;
        HandleId handle;
        std::shared_ptr<const CompiledRig> rig;
        std::unique_ptr<Evaluator> evaluator;
        SolvedFrame frame;
    };
    void addSolversWithPoles() const
    {
        QTest::addColumn<std::string>("solver");
        for (const SolverInfo& solver : m_registry.solvers())
            if (solver.has("pole") && solver.has("position-goal") && solver.has("hard-limits") &&
                solver.alias != "pseudo-inverse" && solver.alias != "penalty" && solver.alias != "sdls")
                QTest::newRow(solver.alias.c_str()) << solver.alias;
    }
    static void addSamples()
    {
        QTest::addColumn<QByteArray>("name");
        for (const Sample& sample : listSamples())
            QTest::newRow(std::string(sample.name).c_str()) << QByteArray(sample.name.data());
    }
    Project make() const
    {
        QFETCH(QByteArray, name);
        auto project = makeSample(name.toStdString(), m_registry);
        if (!project) qFatal("%s", project.error().text().c_str());
        return std::move(*project);
    }

    SolverRegistry m_registry;
};

TENDON_TEST(TestSamples)
#include "tst_samples.moc"

#include "core/scene/Validate.h"
#include "core/solve/Baker.h"
#include "core/solve/Settings.h"
#include "resources/samples/Samples.h"
#include "tests/support/TestProgram.h"

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
        for (const char* wanted :
             {"lamp", "mace", "leg", "telescope", "arm", "two-goals", "tree", "robot-arm", "dragon-neck", "mannequin"})
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

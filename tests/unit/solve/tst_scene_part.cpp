#include "core/math/Convert.h"
#include "core/scene/Check.h"
#include "core/solve/ScenePart.h"
#include "core/solve/SolvedPoses.h"
#include "tests/support/LinkedSolvers.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <random>

using namespace tendon;
using namespace tendon::test;

class TestScenePart : public QObject
{
    Q_OBJECT

    std::mt19937 m_random{11};

    int below(int end) { return static_cast<int>(m_random() % static_cast<unsigned>(end)); }
    double number() { return std::uniform_real_distribution<double>(-1, 1)(m_random); }
    Vector3 vector() { return {number(), number(), number()}; }

    /// A tree with handles of several solvers that share joints, follow each other, hold, and watch their motion.
    TestRig randomRig()
    {
        TestRig rig;
        std::vector<JointId> joints;
        for (int i = 0; i < 30; ++i) {
            const JointId parent = i == 0 || below(12) == 0 ? JointId{}
                                                            : joints[joints.size() - 1 - below(std::min(i, 4))];
            joints.push_back(rig.joint("j" + std::to_string(i), parent, vector()));
            rig.edit(joints.back()).isTerminator = below(10) == 0;
        }
        for (int i = 0; i < 8; ++i) {
            const JointId end = joints[static_cast<std::size_t>(below(30))];
            JointId start = end;
            for (int up = below(4); up > 0 && rig.scene.find(start)->parent.isValid(); --up)
                start = rig.scene.find(start)->parent;
            const HandleId id = rig.handle("h" + std::to_string(i), start, end, "dls");
            Handle& handle = rig.edit(id);
            handle.priority = 1 + below(2);
            handle.unreachable = below(3) == 0 ? Unreachable::Hold : Unreachable::Stretch;
            if (below(4) == 0) handle.objectives.velocity = 0.1;
            if (below(3) == 0) handle.parameters["damping"] = 0.05;
            if (below(3) == 0) handle.follow = joints[static_cast<std::size_t>(below(30))].value;
            if (!checkFollowing(rig.scene)) rig.edit(id).follow = 0;
            rig.set(id, Property::GoalPosition, toValue(vector()));
        }
        return rig;
    }

private slots:
    void aJointIsPosedInItsPartAsInTheWholeSceneToTheBit()
    {
        const SolverRegistry registry = shippedSolvers();
        std::size_t smaller = 0, moved = 0;
        for (int round = 0; round < 40; ++round) {
            const TestRig rig = randomRig();
            const Scene& scene = rig.scene;
            SolvedPoses whole(registry), parts(registry);
            const Time time = scene.fps.timeOf(5);
            const auto all = whole.at(scene, nullptr, {}, time);
            QVERIFY2(all, all ? "" : all.error().text().c_str());
            for (const Joint& joint : *scene.joints) {
                const auto part = parts.partAt(scene, nullptr, {}, time, joint.id);
                QVERIFY(part);
                const auto inPart = at(part->rig.index(joint.id)), inWhole = at(whole.rig()->index(joint.id));
                QVERIFY(part->frame.model.modelFromJoint[inPart].matrix() ==
                        (*all)->model.modelFromJoint[inWhole].matrix());
                QVERIFY(part->frame.local.joints[inPart] == (*all)->local.joints[inWhole]);
                smaller += part->rig.handles.size() < scene.handles->size();
                moved += !part->rig.handles.empty();
            }
        }
        QVERIFY(smaller > 500 && moved > 300); // of 1200
    }

    /// Handles that have just been added: the pose is found without a solve, unless it would be another with one.
    void whereGoalsAreMetNothingIsSolved()
    {
        const SolverRegistry registry = shippedSolvers();
        TestRig rig;
        const auto joints = rig.chain("j", 7, Vector3::UnitY());
        for (const JointId joint : joints) rig.set(joint, Property::Rx, {0.3 * number()});
        for (std::size_t i = 0; i + 2 < joints.size(); ++i)
            rig.handle("h" + std::to_string(i), joints[i], joints[i + 2], "dls");
        const Time time = rig.scene.fps.timeOf(1);
        SolvedPoses fk(registry);
        Scene bare = rig.scene;
        bare.handles.edit().clear();
        const auto posed = fk.at(bare, nullptr, {}, time);
        QVERIFY(posed);
        const Scene& scene = rig.scene;
        for (std::size_t h = 0; h < scene.handles->size(); ++h)
            rig.set((*scene.handles)[h].id, Property::GoalPosition,
                    toValue(Vector3((*posed)->model.modelFromJoint[h + 2].translation())));

        const auto isSolved = [&](double tolerance) {
            SolvedPoses whole(registry), parts(registry);
            const auto all = whole.at(scene, nullptr, {}, time);
            const auto part = parts.partAt(scene, nullptr, {}, time, joints.back());
            if (!all || !part) return false;
            const double off = (part->frame.model.modelFromJoint.back().matrix() -
                                (*all)->model.modelFromJoint.back().matrix())
                                   .cwiseAbs()
                                   .maxCoeff();
            if (!(off <= tolerance)) qFatal("posed otherwise than in the whole scene");
            return part->frame.handles.front().handle.isValid();
        };
        QVERIFY(!isSolved(1e-12));
        const HandleId last = scene.handles->back().id;
        const Scene rest = scene;
        const auto again = [&](auto change, double tolerance = 0) {
            rig.scene = rest;
            change();
            return isSolved(tolerance);
        };
        QVERIFY(again([&] { rig.set(last, Property::GoalPosition, toValue(Vector3(1, 4, 0.5))); }));
        QVERIFY(again([&] { rig.edit(last).soft = 0.4; }));
        QVERIFY(again([&] { rig.edit(last).objectives.restPose = 1; }));
        QVERIFY(again([&] { rig.edit(last).hasPole = true; }));
        QVERIFY(again([&] { rig.edit(last).parameters["damping"] = 0.05; }));
        QVERIFY(again([&] { // where a solver brings it back into its limits
            AxisFreedom& axis = rig.edit(joints[4]).turning[0];
            axis.active = axis.limited = true;
            axis.from = 1;
            axis.to = 2;
        }));
        QVERIFY(!again([&] { rig.set(last, Property::Weight, {0}); }, 1e-12)); // which asks for nothing
    }

    void handlesBesideAJointAreNoPartOfWhatItDependsOn()
    {
        TestRig rig;
        const JointId root = rig.joint("root", {}, Vector3::Zero());
        const auto left = rig.chain("left", 3, Vector3::UnitY(), root),
                   right = rig.chain("right", 3, Vector3::UnitY(), root);
        rig.handle("left hand", left[0], left[2], "dls");
        const HandleId other = rig.handle("right hand", right[0], right[2], "dls");
        QCOMPARE(partThatPoses(rig.scene, left[1]).handles->size(), std::size_t(1));
        QCOMPARE(partThatPoses(rig.scene, left[1]).joints->size(), std::size_t(4));
        QCOMPARE(partThatPoses(rig.scene, root).handles->size(), std::size_t(0));
        rig.edit(rig.scene.handles->front().id).follow =
            right[1].value; // now the right arm carries the left hand's goal
        const Scene part = partThatPoses(rig.scene, left[2]);
        QCOMPARE(part.handles->size(), std::size_t(2));
        QVERIFY(part.find(other) != nullptr && part.joints->size() == 7);
    }
};

TENDON_TEST(TestScenePart)
#include "tst_scene_part.moc"

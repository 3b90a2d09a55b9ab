#include "core/solve/SolvedPoses.h"
#include "tests/support/LinkedSolvers.h"
#include "tests/support/ScriptedSolver.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace tendon;
using namespace tendon::test;

namespace {

SolvedFrame evaluated(const TestRig& test, const SolverRegistry& registry, const PendingValues& pending = {},
                      Time time = {})
{
    auto evaluator = *Evaluator::create(*compile(test.scene), registry);
    SolvedFrame result;
    evaluator->evaluate(test.scene, test.clip(), pending, time, result);
    return result;
}

/// A drag from the pose at time 0 without a clip, begun and carried out at once.
Result<DragResult> drag(const Scene& scene, const PendingValues& pending, const SolverRegistry& registry,
                        const DragRequest& request, const Vector3& worldTarget)
{
    SolvedPoses poses(registry);
    const auto begun = poses.drag(scene, {}, pending, {}, request);
    if (!begun) return begun.error();
    return (*begun)->to(worldTarget);
}

/// The same of a rotation in the world.
Result<DragResult> turn(const Scene& scene, const SolverRegistry& registry, const DragRequest& request,
                        const Quaternion& world)
{
    SolvedPoses poses(registry);
    const auto begun = poses.drag(scene, {}, {}, {}, request);
    if (!begun) return begun.error();
    return (*begun)->turnTo(world);
}

} // namespace

class TestInteractiveDrag : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry = shippedSolvers();

    /// The table lamp of the texts: support, hinges and levers up to the reflector, bent somewhat.
    struct Lamp
    {
        TestRig test;
        std::vector<JointId> ids;
        enum { Support, Hinge01, Lever01, Hinge02, Lever02, Hinge03, Lever03, Reflector };

        Lamp()
        {
            const char* names[] = {"Support", "Hinge01", "Lever01", "Hinge02",
                                   "Lever02", "Hinge03", "Lever03", "Reflector"};
            JointId parent;
            for (int i = 0; i < 8; ++i) {
                parent = test.joint(names[i], parent,
                                    i == 0 ? Vector3(1, 0, 0) : Vector3(0.03 * (i % 3), 0.1, 0.05 * (i % 2)));
                ids.push_back(parent);
            }
        }
    };

    /// Hips, and a leg bent forward, whose foot is held by a handle.
    struct Leg
    {
        TestRig test;
        std::vector<JointId> joints; ///< thigh, shin, foot
        HandleId handle;

        Leg(const std::string& solver, bool hasPole)
        {
            const JointId hips = test.joint("hips", {}, {0, 1, 0});
            joints.push_back(test.joint("thigh", hips, {0.1, 0, 0}));
            joints.push_back(test.joint("shin", joints[0], {0, -0.45, 0.06}));
            joints.push_back(test.joint("foot", joints[1], {0, -0.45, -0.06}));
            handle = test.handle("FootIK", joints[0], joints[2], solver);
            test.set(handle, Property::GoalPosition, Vector3(0.12, 0.2, 0.1));
            if (!hasPole) return;
            test.edit(handle).hasPole = true;
            test.set(handle, Property::Pole, Vector3(0.3, 0.6, 1.2));
        }
        [[nodiscard]] static std::size_t index(std::size_t joint) { return joint + 1; }
    };
    static Vector3 place(const SolvedFrame& pose, std::size_t jointOfLeg)
    {
        return pose.model.modelFromJoint[Leg::index(jointOfLeg)].translation();
    }

    /// Which joints' local and world transforms differ, to the bit.
    struct Moved
    {
        std::vector<bool> local, world;
    };
    static Moved compare(const SolvedFrame& a, const SolvedFrame& b)
    {
        Moved moved;
        for (std::size_t i = 0; i < a.local.joints.size(); ++i) {
            moved.local.push_back(!(a.local.joints[i] == b.local.joints[i]));
            moved.world.push_back(a.model.modelFromJoint[i].matrix() != b.model.modelFromJoint[i].matrix());
        }
        return moved;
    }

private slots:
    void aJointInTheMiddleSplitsTheHierarchyIntoIkAboveAndFkBelow()
    {
        Lamp lamp;
        const SolvedFrame before = evaluated(lamp.test, m_registry);
        const Vector3 target = before.model.modelFromJoint[Lamp::Lever02].translation() + Vector3(0.06, -0.04, 0.05);
        const auto moved = drag(lamp.test.scene, {}, m_registry, {.joint = lamp.ids[Lamp::Lever02]}, target);
        QVERIFY2(moved, moved ? "" : moved.error().text().c_str());
        QCOMPARE(moved->status, sdk::Status::Converged);
        const SolvedFrame after = evaluated(lamp.test, m_registry, withWrites({}, moved->writes));
        QVERIFY((after.model.modelFromJoint[Lamp::Lever02].translation() - target).norm() <= 1e-4);
        const Moved changed = compare(before, after);
        for (const int below : {Lamp::Hinge03, Lamp::Lever03, Lamp::Reflector}) {
            QVERIFY(!changed.local[static_cast<std::size_t>(below)]);
            QVERIFY(changed.world[static_cast<std::size_t>(below)]);
        }
        for (const int above : {Lamp::Support, Lamp::Hinge01, Lamp::Lever01, Lamp::Hinge02})
            QVERIFY(changed.local[static_cast<std::size_t>(above)]);
        QVERIFY(!changed.local[Lamp::Lever02]); // the joint that is held turns with nothing
    }

    void draggingTheRootMovesEverythingRigidly()
    {
        Lamp lamp;
        const SolvedFrame before = evaluated(lamp.test, m_registry);
        for (const DragMode mode : {DragMode::Ik, DragMode::Fk}) {
            const auto moved = drag(lamp.test.scene, {}, m_registry, {.joint = lamp.ids[0], .mode = mode}, {4, 5, 6});
            QCOMPARE(moved->writes.size(), 3u);
            const SolvedFrame after = evaluated(lamp.test, m_registry, withWrites({}, moved->writes));
            const Moved changed = compare(before, after);
            QVERIFY(changed.local[0]);
            for (std::size_t i = 1; i < 8; ++i) QVERIFY(!changed.local[i]);
            QVERIFY((after.model.modelFromJoint[0].translation() - Vector3(4, 5, 6)).norm() < 1e-15);
        }
    }

    void aTerminatorAndItsAncestorsStayPut()
    {
        Lamp lamp;
        lamp.test.edit(lamp.ids[Lamp::Hinge01]).isTerminator = true;
        const SolvedFrame before = evaluated(lamp.test, m_registry);
        const Vector3 target = before.model.modelFromJoint[Lamp::Lever02].translation() + Vector3(0.03, -0.02, 0.03);
        const auto moved = drag(lamp.test.scene, {}, m_registry, {.joint = lamp.ids[Lamp::Lever02]}, target);
        const Moved changed = compare(before, evaluated(lamp.test, m_registry, withWrites({}, moved->writes)));
        QVERIFY(!changed.world[Lamp::Support] && !changed.world[Lamp::Hinge01]);
        QVERIFY(changed.local[Lamp::Lever01] && changed.local[Lamp::Hinge02]);
        // The terminator itself, dragged, goes where it is dragged, with all below.
        const auto own = drag(lamp.test.scene, {}, m_registry, {.joint = lamp.ids[Lamp::Hinge01]}, {0, 2, 0});
        const SolvedFrame after = evaluated(lamp.test, m_registry, withWrites({}, own->writes));
        QVERIFY((after.model.modelFromJoint[Lamp::Hinge01].translation() - Vector3(0, 2, 0)).norm() < 1e-14);
        QVERIFY(!compare(before, after).world[Lamp::Support]);
    }

    void theTerminationDepthIsATerminatorForOneDrag()
    {
        Lamp lamp;
        const SolvedFrame before = evaluated(lamp.test, m_registry);
        const Vector3 target = before.model.modelFromJoint[Lamp::Reflector].translation() + Vector3(0.02, -0.02, 0.02);
        DragRequest request{.joint = lamp.ids[Lamp::Reflector], .terminationDepth = 3};
        auto moved = drag(lamp.test.scene, {}, m_registry, request, target);
        const Moved changed = compare(before, evaluated(lamp.test, m_registry, withWrites({}, moved->writes)));
        for (const int still : {Lamp::Support, Lamp::Hinge01, Lamp::Lever01, Lamp::Hinge02, Lamp::Lever02})
            QVERIFY(!changed.world[static_cast<std::size_t>(still)]);
        QVERIFY(changed.local[Lamp::Hinge03] && changed.local[Lamp::Lever03]);
        request.terminationDepth = 1;
        moved = drag(lamp.test.scene, {}, m_registry, request, target);
        QVERIFY(moved && moved->writes.empty());
        QCOMPARE(moved->status, sdk::Status::LimitsBlock);
        QVERIFY(std::abs(moved->distance - Vector3(0.02, -0.02, 0.02).norm()) < 1e-12);
        request.terminationDepth = 0;
        QVERIFY(!drag(lamp.test.scene, {}, m_registry, request, target));
    }

    void withFkOnlyDescendantsFollow()
    {
        Lamp lamp;
        const SolvedFrame before = evaluated(lamp.test, m_registry);
        const auto moved = drag(lamp.test.scene, {}, m_registry,
                                {.joint = lamp.ids[Lamp::Lever02], .mode = DragMode::Fk}, {1, 1, 1});
        const SolvedFrame after = evaluated(lamp.test, m_registry, withWrites({}, moved->writes));
        QVERIFY((after.model.modelFromJoint[Lamp::Lever02].translation() - Vector3(1, 1, 1)).norm() < 1e-14);
        const Moved changed = compare(before, after);
        for (std::size_t i = 0; i < 8; ++i) {
            QCOMPARE(changed.world[i], i >= Lamp::Lever02);
            QCOMPARE(changed.local[i], i == Lamp::Lever02);
        }
        QCOMPARE(after.local.joints[Lamp::Lever02].rotation.coeffs(),
                 before.local.joints[Lamp::Lever02].rotation.coeffs());
    }

    void lockedAxesAndLimitsHoldWhileDragging()
    {
        Lamp lamp;
        for (const JointId id : lamp.ids) {
            Joint& joint = lamp.test.edit(id);
            joint.turning[0].active = joint.turning[1].active = false;
            joint.turning[2] = {.active = true, .limited = true, .from = 0.2, .to = -0.2};
        }
        lamp.test.edit(lamp.ids[Lamp::Hinge02]).turning[2].active = false; // fixed wholly
        const SolvedFrame before = evaluated(lamp.test, m_registry);
        SolvedPoses poses(m_registry);
        InteractiveDrag* session = *poses.drag(lamp.test.scene, {}, {}, {}, {.joint = lamp.ids[Lamp::Reflector]});
        std::mt19937 random(81);
        for (int round = 0; round < 100; ++round) {
            const auto moved = session->to(session->origin() + randomVector(random, 0.6));
            QVERIFY(moved);
            for (const ChannelWrite& write : moved->writes) {
                QCOMPARE(write.channel.property, Property::Rz);
                QVERIFY(write.channel.target != lamp.ids[Lamp::Hinge02].value);
                QVERIFY(std::abs(write.value[0]) <= 0.2 + 1e-12);
            }
        }
        QVERIFY(!compare(before, evaluated(lamp.test, m_registry)).world[0]);
    }

    void theResultOfADragDoesNotDependOnItsPath()
    {
        Lamp lamp;
        SolvedPoses poses(m_registry);
        InteractiveDrag* session = *poses.drag(lamp.test.scene, {}, {}, {}, {.joint = lamp.ids[Lamp::Lever03]});
        const Vector3 there = session->origin() + Vector3(0.1, -0.1, 0.1);
        for (int step = 1; step <= 20; ++step)
            QVERIFY(session->to(session->origin() + Vector3(0.2 * std::sin(step), 0.05 * step, 0)));
        const auto wandered = session->to(there);
        const auto straight = drag(lamp.test.scene, {}, m_registry, {.joint = lamp.ids[Lamp::Lever03]}, there);
        QVERIFY(wandered->writes == straight->writes);
        // Back at the beginning nothing is written.
        QVERIFY(session->to(session->origin())->writes.empty());
    }

    void aJointPosedByAQuaternionGetsAQuaternion()
    {
        Lamp lamp;
        std::mt19937 random(82);
        lamp.test.set(lamp.ids[Lamp::Lever01], Property::Rotation,
                      channelValue(Quaternion(Eigen::AngleAxisd(0.3, Vector3::UnitX()))));
        lamp.test.set(lamp.ids[Lamp::Hinge01], Property::Rz, {6.5}); // over a turn: its angles go on from there
        SolvedPoses poses(m_registry);
        InteractiveDrag* session = *poses.drag(lamp.test.scene, {}, {}, {}, {.joint = lamp.ids[Lamp::Reflector]});
        const Vector3 target = session->origin() + Vector3(0.02, -0.05, 0.03);
        const auto moved = session->to(target);
        bool hasRotation = false;
        for (const ChannelWrite& write : moved->writes) {
            if (write.channel.target == lamp.ids[Lamp::Lever01].value) {
                QCOMPARE(write.channel.property, Property::Rotation);
                hasRotation = true;
            } else {
                QVERIFY(write.channel.property >= Property::Rx && write.channel.property <= Property::Rz);
                if (write.channel.target == lamp.ids[Lamp::Hinge01].value && write.channel.property == Property::Rz)
                    QVERIFY(std::abs(write.value[0] - 6.5) < 1.5);
            }
        }
        QVERIFY(hasRotation);
        const SolvedFrame after = evaluated(lamp.test, m_registry, withWrites({}, moved->writes));
        QVERIFY((after.model.modelFromJoint[Lamp::Reflector].translation() - target).norm() <= 1e-4);
    }

    void draggingAJointThatAHandleDrivesMovesTheGoal()
    {
        Lamp lamp;
        const JointId cart = lamp.test.joint("cart", {}, {0, 0, 2});
        lamp.test.edit(cart).rest.rotation = Quaternion(Eigen::AngleAxisd(1, Vector3::UnitY()));
        const HandleId handle = lamp.test.handle("handle", lamp.ids[Lamp::Hinge01], lamp.ids[Lamp::Lever03], "dls");
        lamp.test.edit(handle).follow = cart.value;
        lamp.test.edit(handle).offset = {0, 0.05, 0};
        const SolvedFrame rest = [&] {
            TestRig without = lamp.test;
            without.scene.handles.edit().clear();
            return evaluated(without, m_registry);
        }();
        const std::size_t cartIndex = 8;
        const Vector3 effector = rest.model.modelFromJoint[Lamp::Lever03] * Vector3(0, 0.05, 0);
        lamp.test.set(handle, Property::GoalPosition,
                      Vector3(rest.model.modelFromJoint[cartIndex].inverse() * effector));
        const Vector3 by(0.04, -0.06, 0.02);

        // Its joints turn about one axis: the chain cannot swing, so a joint in its middle takes the goal along, too.
        for (const int hinge : {Lamp::Hinge01, Lamp::Lever01, Lamp::Hinge02, Lamp::Lever02, Lamp::Hinge03})
            for (std::size_t axis = 0; axis < 2; ++axis)
                lamp.test.edit(lamp.ids[static_cast<std::size_t>(hinge)]).turning[axis].active = false;
        for (const int dragged : {Lamp::Lever03, Lamp::Hinge02}) {
            const Vector3 from = rest.model.modelFromJoint[static_cast<std::size_t>(dragged)].translation();
            const auto moved = drag(lamp.test.scene, {}, m_registry,
                                    {.joint = lamp.ids[static_cast<std::size_t>(dragged)]}, from + by);
            QCOMPARE(moved->movedGoal, handle);
            QCOMPARE(moved->writes.size(), 1u);
            const ChannelValue value = moved->writes[0].value;
            const Vector3 world = rest.model.modelFromJoint[cartIndex] * Vector3(value[0], value[1], value[2]);
            QVERIFY((world - (effector + by)).norm() < 1e-6);
        }
        // Below the handle joints are free, up to what the handle moves.
        SolvedPoses poses(m_registry);
        InteractiveDrag* session = *poses.drag(lamp.test.scene, {}, {}, {}, {.joint = lamp.ids[Lamp::Reflector]});
        QCOMPARE(session->movedJoints(), (std::vector<JointId>{lamp.ids[Lamp::Reflector]}));
        // With the handle off, joints move.
        const auto off = drag(lamp.test.scene, {{{handle.value, Property::Blend}, {0}}}, m_registry,
                              {.joint = lamp.ids[Lamp::Lever03]},
                              rest.model.modelFromJoint[Lamp::Lever03].translation() + by);
        QVERIFY(!off->movedGoal.isValid() && off->writes.size() > 3);
    }

    void pinnedGoalsStayWhileOtherObjectsAreDragged()
    {
        // A spine of 5 with an arm at its top whose pinned hand would be out of reach if the spine went its own way.
        TestRig test;
        const auto spine = test.chain("spine", 5, {0, 0.25, 0});
        const auto arm = test.chain("arm", 3, {0.3, 0, 0.01}, spine[4]);
        const HandleId hand = test.handle("hand", arm[0], arm[2], "dls");
        test.edit(hand).isPinned = true;
        const Vector3 held(0.5, 1.1, 0.1);
        test.set(hand, Property::GoalPosition, held);
        const Vector3 target(-0.25, 0.9, 0);
        for (const bool isPinned : {true, false}) {
            test.edit(hand).isPinned = isPinned;
            const auto moved = drag(test.scene, {}, m_registry, {.joint = spine[4]}, target);
            QVERIFY2(moved, moved ? "" : moved.error().text().c_str());
            for (const ChannelWrite& write : moved->writes)
                QVERIFY(std::any_of(spine.begin(), spine.end(),
                                    [&](JointId id) { return id.value == write.channel.target; }));
            const SolvedFrame after = evaluated(test, m_registry, withWrites({}, moved->writes));
            const double slip = (after.model.modelFromJoint[7].translation() - held).norm();
            if (isPinned)
                QVERIFY2(slip < 0.02, qPrintable(QString::number(slip)));
            else
                QVERIFY2(slip > 0.1, qPrintable(QString::number(slip)));
        }

        // A pinned goal that rides on a joint is rewritten so that it stays in the world.
        test.edit(hand).isPinned = true;
        test.edit(hand).follow = spine[1].value;
        test.set(hand, Property::GoalPosition, Vector3(0.5, 0.85, 0.1));
        const auto moved = drag(test.scene, {}, m_registry, {.joint = spine[0]}, {0.05, 0.02, 0});
        const SolvedFrame after = evaluated(test, m_registry, withWrites({}, moved->writes));
        QVERIFY((after.model.modelFromJoint[7].translation() - held).norm() <= 1e-4);
    }

    /// A head that only turns about the way it looks leaves it to the dragged spine to keep looking.
    void aPinnedAimIsKeptWhileOtherObjectsAreDragged()
    {
        TestRig test;
        const auto spine = test.chain("spine", 5, {0, 0.25, 0});
        const JointId head = test.joint("head", spine[4], {0, 0.1, 0});
        test.edit(head).turning[0].active = test.edit(head).turning[2].active = false;
        const HandleId look = test.handle("look", head, head, "dls");
        test.edit(look).aimAxis = Vector3(Vector3::UnitY());
        const Vector3 star(0, 100, 0);
        test.set(look, Property::GoalPosition, star);
        for (const bool isPinned : {true, false}) {
            test.edit(look).isPinned = isPinned;
            const auto moved = drag(test.scene, {}, m_registry, {.joint = spine[4]}, {-0.4, 0.7, 0});
            QVERIFY2(moved, moved ? "" : moved.error().text().c_str());
            const SolvedFrame after = evaluated(test, m_registry, withWrites({}, moved->writes));
            const Affine& eye = after.model.modelFromJoint.back();
            const Vector3 way = (star - eye.translation()).normalized();
            const double off = std::acos(std::clamp(way.dot(eye.linear().col(1).normalized()), -1.0, 1.0));
            QVERIFY2(isPinned ? off < 0.05 : off > 0.2, qPrintable(QString::number(off)));
        }
    }

    void aKneeSwingsTheChainAndTheGoalStays_data()
    {
        QTest::addColumn<QString>("solver");
        QTest::addColumn<bool>("hasPole");
        for (const char* solver : {"two-bone", "dls"})
            for (const bool hasPole : {false, true})
                QTest::addRow("%s %s", solver, hasPole ? "with a pole" : "by twist") << solver << hasPole;
    }

    void aKneeSwingsTheChainAndTheGoalStays()
    {
        QFETCH(QString, solver);
        QFETCH(bool, hasPole);
        Leg leg(solver.toStdString(), hasPole);
        const SolvedFrame before = evaluated(leg.test, m_registry);
        const Vector3 knee = place(before, 1);
        const Vector3 target = knee + Vector3(0.3, 0.02, -0.1);
        const auto moved = drag(leg.test.scene, {}, m_registry, {.joint = leg.joints[1]}, target);
        QVERIFY(moved);
        QCOMPARE(moved->movedGoal, leg.handle);
        QCOMPARE(moved->writes.size(), std::size_t(1));
        QCOMPARE(moved->writes[0].channel.property, hasPole ? Property::Pole : Property::Twist);
        const SolvedFrame after = evaluated(leg.test, m_registry, withWrites({}, moved->writes));
        QVERIFY((place(after, 2) - place(before, 2)).norm() < 2e-4); // the foot stays
        // No other turn about the line from hip to foot brings the knee nearer.
        const Vector3 axis = (place(before, 2) - place(before, 0)).normalized();
        double nearest = 1e9;
        for (int i = 0; i < 3600; ++i) {
            const Eigen::AngleAxisd turn(i * 0.1 * std::numbers::pi / 180, axis);
            nearest = std::min(nearest, (place(before, 0) + turn * (knee - place(before, 0)) - target).norm());
        }
        QVERIFY((place(after, 1) - target).norm() < nearest + 1e-3);
        QVERIFY((place(after, 1) - knee).norm() > 0.05);
        // Where it is already, it stays to the bit.
        const auto still = drag(leg.test.scene, {}, m_registry, {.joint = leg.joints[1]}, knee);
        const SolvedFrame same = evaluated(leg.test, m_registry, withWrites({}, still->writes));
        QVERIFY((place(same, 1) - knee).norm() < 1e-9);
    }

    void theFirstJointOfAChainIsMovedByWhatIsAbove()
    {
        Leg leg("two-bone", true);
        const SolvedFrame before = evaluated(leg.test, m_registry);
        const auto moved = drag(leg.test.scene, {}, m_registry, {.joint = leg.joints[0]},
                                place(before, 0) + Vector3(0.02, 0, 0));
        QVERIFY(moved);
        QVERIFY(!moved->movedGoal.isValid());
        const SolvedFrame after = evaluated(leg.test, m_registry, withWrites({}, moved->writes));
        QVERIFY((place(after, 2) - place(before, 2)).norm() < 2e-4);
    }

    void aJointThatIkDrivesTurnsWithItsChain_data() { aKneeSwingsTheChainAndTheGoalStays_data(); }
    void aJointThatIkDrivesTurnsWithItsChain()
    {
        QFETCH(QString, solver);
        QFETCH(bool, hasPole);
        for (const std::size_t joint : {std::size_t(0), std::size_t(1)}) {
            Leg leg(solver.toStdString(), hasPole);
            const SolvedFrame before = evaluated(leg.test, m_registry);
            const Quaternion by(Eigen::AngleAxisd(0.2, joint == 0 ? Vector3(0.6, 0, 0.8) : Vector3::UnitX()));
            const auto rotation = [&](const SolvedFrame& pose, std::size_t i) {
                return rotationOf(pose.model.modelFromJoint[leg.index(i)]);
            };
            const auto turned = turn(leg.test.scene, m_registry, {.joint = leg.joints[joint]},
                                     by * rotation(before, joint));
            QVERIFY(turned);
            const SolvedFrame after = evaluated(leg.test, m_registry, withWrites({}, turned->writes));
            // As FK would: what is below goes round the joint, what is above stays.
            for (std::size_t i = 0; i < 3; ++i) {
                const Vector3 from = place(before, i), pivot = place(before, joint);
                const Vector3 wanted = i <= joint ? from : Vector3(pivot + by * (from - pivot));
                QVERIFY2((place(after, i) - wanted).norm() < 2e-3,
                         qPrintable(QString("joint %1, turned %2: %3 m off")
                                        .arg(i)
                                        .arg(joint)
                                        .arg((place(after, i) - wanted).norm())));
            }
            // A turn that comes back leaves everything as it was.
            const auto still = turn(leg.test.scene, m_registry, {.joint = leg.joints[joint]}, rotation(before, joint));
            QVERIFY(still && still->writes.empty());
        }
    }

    void aFreeJointTurnsItself()
    {
        Leg leg("two-bone", true);
        const auto turned = turn(leg.test.scene, m_registry, {.joint = leg.joints[2]},
                                 Quaternion(Eigen::AngleAxisd(0.4, Vector3::UnitY())));
        QVERIFY(turned && !turned->movedGoal.isValid() && !turned->writes.empty());
        for (const ChannelWrite& write : turned->writes) QCOMPARE(write.channel.target, leg.joints[2].value);
    }

    void invalidDragsAreRefused()
    {
        Lamp lamp;
        QCOMPARE(drag(lamp.test.scene, {}, m_registry, {.joint = JointId{999}}, {}).error().code, ErrorCode::NotFound);
        QVERIFY(!drag(lamp.test.scene, {}, m_registry, {.joint = lamp.ids[3], .solver = "none"}, {}));
        const Vector3 nowhere(std::numeric_limits<double>::quiet_NaN(), 0, 0);
        QVERIFY(!drag(lamp.test.scene, {}, m_registry, {.joint = lamp.ids[3]}, nowhere));
        lamp.test.edit(lamp.ids[0]).rest.scale = Vector3::Zero();
        const auto vanished = drag(lamp.test.scene, {}, m_registry, {.joint = lamp.ids[1], .mode = DragMode::Fk},
                                   {1, 1, 1});
        QVERIFY(!vanished && vanished.error().text().find("whose scale is 0") != std::string::npos);
    }
};

TENDON_TEST(TestInteractiveDrag)
#include "tst_interactive_drag.moc"

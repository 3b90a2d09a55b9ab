#include "core/solve/Evaluator.h"
#include "tests/support/AllocationCount.h"
#include "tests/support/LinkedSolvers.h"
#include "tests/support/ScriptedSolver.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

using namespace tendon;
using namespace tendon::test;

namespace {

bool isSameBits(const SolvedFrame& a, const SolvedFrame& b)
{
    const auto same = [](const auto& x, const auto& y) { return std::memcmp(&x, &y, sizeof x) == 0; };
    if (!std::equal(a.local.angles.begin(), a.local.angles.end(), b.local.angles.begin(), b.local.angles.end(), same))
        return false;
    for (std::size_t i = 0; i < a.local.joints.size(); ++i) {
        const LocalTransform &x = a.local.joints[i], &y = b.local.joints[i];
        if (!same(x.translation, y.translation) || !same(x.scale, y.scale) ||
            !same(x.rotation.coeffs(), y.rotation.coeffs()))
            return false;
    }
    for (std::size_t i = 0; i < a.model.modelFromJoint.size(); ++i)
        if (!same(a.model.modelFromJoint[i].matrix(), b.model.modelFromJoint[i].matrix())) return false;
    return a.handles == b.handles;
}

/// Evaluates one scene at will.
struct Running
{
    TestRig& test;
    std::shared_ptr<const CompiledRig> rig;
    std::unique_ptr<Evaluator> evaluator;
    SolvedFrame result;

    Running(TestRig& scene, const SolverRegistry& registry) : test(scene), rig(*compile(scene.scene))
    {
        auto made = Evaluator::create(rig, registry);
        if (!made) qFatal("%s", made.error().text().c_str());
        evaluator = *std::move(made);
    }

    SolvedFrame& at(double frame, const PendingValues& pending = {})
    {
        evaluator->evaluate(test.scene, test.clip(), pending, test.scene.fps.timeOf(frame), result);
        return result;
    }
    [[nodiscard]] std::size_t index(JointId id) const { return static_cast<std::size_t>(rig->index(id)); }
    [[nodiscard]] const Affine& world(JointId id) const { return result.model.modelFromJoint[index(id)]; }
};

} // namespace

class TestEvaluator : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry = shippedSolvers();

    /// An arm bent a little: shoulder, elbow, wrist, finger, with a handle to the wrist whose goal is keyed along a
    /// path.
    struct Arm
    {
        TestRig test;
        JointId body, shoulder, elbow, wrist, finger;
        HandleId hand;

        explicit Arm(const std::string& solver = "dls")
        {
            body = test.joint("body", {}, {0, 1, 0});
            shoulder = test.joint("shoulder", body, {0.2, 0.5, 0});
            elbow = test.joint("elbow", shoulder, {0.3, 0, 0.02});
            wrist = test.joint("wrist", elbow, {0.3, 0, -0.02});
            finger = test.joint("finger", wrist, {0.1, 0, 0});
            hand = test.handle("hand", shoulder, wrist, solver);
            test.set(hand, Property::GoalPosition, Vector3(0.5, 1.7, 0.2));
        }
    };

private slots:
    void theGoalIsMetAndOnlyTheChainMoves()
    {
        Arm arm;
        const LocalPose fk = [&] {
            Running still(arm.test, m_registry);
            return still.at(1, {{{arm.hand.value, Property::Blend}, {0}}}).local;
        }();
        Running run(arm.test, m_registry);
        run.at(1);
        QCOMPARE(run.result.handles[0].status, sdk::Status::Converged);
        QVERIFY((run.world(arm.wrist).translation() - Vector3(0.5, 1.7, 0.2)).norm() <= 1e-4);
        for (const JointId id : {arm.body, arm.wrist, arm.finger})
            QVERIFY(run.result.local.joints[run.index(id)] == fk.joints[run.index(id)]);
        for (const JointId id : {arm.shoulder, arm.elbow})
            QVERIFY(!(run.result.local.joints[run.index(id)] == fk.joints[run.index(id)]));
        // Turning, not stretching.
        for (const JointId id : {arm.shoulder, arm.elbow, arm.wrist})
            QCOMPARE(run.result.local.joints[run.index(id)].translation, fk.joints[run.index(id)].translation);
    }

    void theResultDependsOnlyOnTheFrameToTheBit()
    {
        std::mt19937 random(61);
        Arm arm;
        const auto tail = arm.test.chain("tail", 9, {0, 0, -0.1}, arm.body);
        const HandleId tip = arm.test.handle("tip", tail[0], tail[8], "dls");
        arm.test.edit(tip).orientationWeight = 0.5;
        for (int frame = 1; frame <= 60; frame += 6) {
            arm.test.key(arm.hand, Property::GoalPosition, frame, Vector3(0.4, 1.5, 0) + randomVector(random, 0.5),
                         Interpolation::Bezier);
            arm.test.key(tip, Property::GoalPosition, frame, Vector3(0, 1, -0.4) + randomVector(random, 0.5));
            arm.test.key(tip, Property::GoalRotation, frame, channelValue(randomRotation(random)));
            arm.test.key(arm.body, Property::Tx, frame, {0.1 * frame});
        }
        Running run(arm.test, m_registry);
        std::vector<SolvedFrame> forward;
        for (int frame = 1; frame <= 60; ++frame) forward.push_back(run.at(frame));
        std::vector<int> frames(60);
        for (int i = 0; i < 60; ++i) frames[static_cast<std::size_t>(i)] = i + 1;
        for (int round = 0; round < 3; ++round) {
            std::shuffle(frames.begin(), frames.end(), random);
            for (const int frame : frames)
                QVERIFY(isSameBits(run.at(frame), forward[static_cast<std::size_t>(frame - 1)]));
        }
        Running fresh(arm.test, m_registry);
        QVERIFY(isSameBits(fresh.at(37), forward[36]));
    }

    void nothingIsAllocatedAfterTheFirstFrame()
    {
        std::mt19937 random(62);
        Arm arm;
        arm.test.edit(arm.elbow).turning = {
            {{.active = true, .limited = true, .from = -0.1, .to = 0.1}, {.active = true}, {.active = true}}};
        for (int frame = 1; frame <= 60; frame += 3) {
            arm.test.key(arm.hand, Property::GoalPosition, frame, Vector3(0.4, 1.5, 0) + randomVector(random, 0.5));
            arm.test.key(arm.body, Property::Rotation, frame, channelValue(randomRotation(random)));
        }
        Running run(arm.test, m_registry);
        run.at(1);
        const PendingValues pending{{{arm.shoulder.value, Property::Rx}, {0.1}}};
        const long before = allocationCount();
        for (int frame = 60; frame > 0; --frame) run.at(frame, pending);
        QCOMPARE(allocationCount() - before, 0);
    }

    void terminatorsStayPut()
    {
        Arm arm;
        arm.test.edit(arm.hand).start = arm.body;
        arm.test.edit(arm.shoulder).isTerminator = true;
        Running run(arm.test, m_registry);
        run.at(1);
        const auto rig = *compile(arm.test.scene);
        for (const JointId id : {arm.body, arm.shoulder})
            QVERIFY(run.result.local.joints[run.index(id)] == rig->rest[run.index(id)]);
        QVERIFY(!(run.result.local.joints[run.index(arm.elbow)] == rig->rest[run.index(arm.elbow)]));
        QVERIFY(run.result.handles[0].status != sdk::Status::Converged);

        // With every joint held nothing moves, and the report says what holds it.
        arm.test.edit(arm.wrist).isTerminator = true;
        Running held(arm.test, m_registry);
        held.at(1);
        QCOMPARE(held.result.handles[0].status, sdk::Status::LimitsBlock);
        QCOMPARE(held.result.handles[0].blockedBy, arm.wrist);
        QVERIFY(std::abs(held.result.handles[0].positionError -
                         (held.world(arm.wrist).translation() - Vector3(0.5, 1.7, 0.2)).norm()) < 1e-12);
    }

    void atBlendZeroNothingIsSolvedAndThePoseIsFk()
    {
        std::vector<ScriptedSolver::Call> calls;
        SolverRegistry registry;
        addScripted(registry, "scripted", turnAll(1), &calls);
        Arm arm("scripted");
        arm.test.set(arm.shoulder, Property::Rz, {0.4});
        arm.test.set(arm.hand, Property::Blend, {0});
        Running run(arm.test, registry);
        run.at(1);
        QVERIFY(calls.empty());
        QCOMPARE(run.result.local.angles[run.index(arm.shoulder)].z(), 0.4);
        QCOMPARE(run.result.handles[0].status, sdk::Status::Converged);
        QCOMPARE(run.result.handles[0].positionError, 0.0);
        run.at(1, {{{arm.hand.value, Property::Blend}, {1}}});
        QCOMPARE(calls.size(), 1u);
        run.at(1, {{{arm.hand.value, Property::Blend}, {1}}, {{arm.hand.value, Property::Weight}, {0}}});
        QCOMPARE(calls.size(), 1u);
    }

    void blendGoesFromFkToIkByRotation()
    {
        Arm arm;
        arm.test.set(arm.shoulder, Property::Rz, {0.4});
        Running run(arm.test, m_registry);
        const auto shoulderAt = [&](double blend) {
            run.at(1, {{{arm.hand.value, Property::Blend}, {blend}}});
            return run.result.local.joints[run.index(arm.shoulder)].rotation;
        };
        const Quaternion fk = shoulderAt(0), ik = shoulderAt(1), quarter = shoulderAt(0.25);
        QVERIFY(fk.angularDistance(ik) > 0.1);
        QVERIFY(std::abs(quarter.angularDistance(fk) - 0.25 * fk.angularDistance(ik)) < 1e-9);
        QVERIFY(shoulderAt(1e-9).angularDistance(fk) < 1e-6);
    }

    void aFailedSolveLeavesTheFkPoseAndReportsItsStatus()
    {
        for (const sdk::Status status : {sdk::Status::Unsupported, sdk::Status::InvalidProblem,
                                         sdk::Status::NumericalFailure, sdk::Status::Converged}) {
            SolverRegistry registry;
            addScripted(registry, "failing", [status](const sdk::Model&, const sdk::Problem&, sdk::Solution& solution) {
                std::fill(solution.q.begin(), solution.q.end(),
                          std::numeric_limits<double>::quiet_NaN()); // against the contract
                return status;
            });
            Arm arm("failing");
            arm.test.set(arm.shoulder, Property::Rz, {0.4});
            Running run(arm.test, registry);
            const LocalPose fk = run.at(1, {{{arm.hand.value, Property::Blend}, {0}}}).local;
            run.at(1);
            QVERIFY(run.result.local == fk);
            QCOMPARE(run.result.handles[0].status,
                     status == sdk::Status::Converged ? sdk::Status::NumericalFailure : status);
            QVERIFY(run.result.handles[0].positionError > 0.01); // measured all the same
        }
    }

    void goalsFollowTheirJoint()
    {
        Arm arm;
        const JointId cart = arm.test.joint("cart", {}, {0, 0, 0});
        arm.test.edit(arm.hand).follow = cart.value;
        arm.test.edit(arm.hand).orientationWeight = 1;
        arm.test.set(arm.hand, Property::GoalPosition, Vector3(0.1, 0.2, 0));
        arm.test.set(arm.hand, Property::GoalRotation, channelValue(Quaternion::Identity()));
        for (int frame = 1; frame <= 20; ++frame) {
            arm.test.key(cart, Property::Tx, frame, {0.4 + 0.005 * frame});
            arm.test.key(cart, Property::Ty, frame, {1.4});
            arm.test.key(cart, Property::Rz, frame, {0.05 * frame});
        }
        Running run(arm.test, m_registry);
        for (int frame = 1; frame <= 20; ++frame) {
            run.at(frame);
            QCOMPARE(run.result.handles[0].status, sdk::Status::Converged);
            QVERIFY((run.world(arm.wrist).translation() - run.world(cart) * Vector3(0.1, 0.2, 0)).norm() <= 1e-4);
            QVERIFY(rotationOf(run.world(arm.wrist)).angularDistance(rotationOf(run.world(cart))) <= 1e-3);
        }
    }

    void anArmFollowsABodyThatAnotherHandleMoves()
    {
        // Root moved and keyed, goal keyed: the goal is met at each frame and the root is at its keyed place.
        Arm arm;
        arm.test.edit(arm.body).sliding = {{{.active = true}, {.active = true}, {.active = true}}};
        const HandleId torso = arm.test.handle("torso", arm.body, arm.body, "dls");
        for (int frame = 1; frame <= 30; ++frame) {
            arm.test.key(torso, Property::GoalPosition, frame, Vector3(0.05 * frame, 1, 0));
            arm.test.key(arm.hand, Property::GoalPosition, frame, Vector3(0.05 * frame + 0.5, 1.6, 0.1));
        }
        Running run(arm.test, m_registry);
        for (int frame = 1; frame <= 30; ++frame) {
            run.at(frame);
            QVERIFY((run.world(arm.body).translation() - Vector3(0.05 * frame, 1, 0)).norm() <= 1e-4);
            QVERIFY((run.world(arm.wrist).translation() - Vector3(0.05 * frame + 0.5, 1.6, 0.1)).norm() <= 1e-4);
            for (const HandleResult& handle : run.result.handles) QCOMPARE(handle.status, sdk::Status::Converged);
        }
    }

    void lengthsAndScalesMayChangeAtEveryFrame()
    {
        Arm arm;
        for (int frame = 1; frame <= 30; ++frame) {
            arm.test.key(arm.elbow, Property::Tx, frame, {0.3 + 0.01 * frame});
            for (const Property scale : {Property::Sx, Property::Sy, Property::Sz}) {
                arm.test.key(arm.shoulder, scale, frame, {1 + 0.02 * frame});
                arm.test.key(arm.body, scale, frame, {1 - 0.005 * frame});
            }
            arm.test.key(arm.body, Property::Ry, frame, {0.02 * frame});
        }
        Running run(arm.test, m_registry);
        for (int frame = 1; frame <= 30; ++frame) {
            run.at(frame);
            QCOMPARE(run.result.handles[0].status, sdk::Status::Converged);
            QVERIFY((run.world(arm.wrist).translation() - Vector3(0.5, 1.7, 0.2)).norm() <= 1e-4);
        }
    }

    void aScaleThatSolversCannotSeeIsReportedHonestly()
    {
        Arm arm;
        arm.test.edit(arm.body).rest.scale = {1, 3, 1};
        Running run(arm.test, m_registry);
        QCOMPARE(run.evaluator->issues().size(), 1u);
        QCOMPARE(run.evaluator->issues()[0].object, arm.hand.value);
        run.at(1);
        const double error = (run.world(arm.wrist).translation() - Vector3(0.5, 1.7, 0.2)).norm();
        QVERIFY(std::abs(run.result.handles[0].positionError - error) < 1e-12);
        QCOMPARE(run.result.handles[0].status == sdk::Status::Converged, error <= 1e-4);
    }

    void aGoalThatALaterGroupSpoilsIsNotConverged()
    {
        Arm arm;
        const HandleId other = arm.test.handle("other", arm.shoulder, arm.wrist, "two-bone");
        arm.test.edit(other).priority = 2;
        arm.test.set(other, Property::GoalPosition, Vector3(-0.3, 1.7, 0));
        Running run(arm.test, m_registry);
        run.at(1);
        QCOMPARE(run.result.handles[0].status, sdk::Status::Stalled);
        QVERIFY(run.result.handles[0].positionError > 0.5);
        QCOMPARE(run.result.handles[1].status, sdk::Status::Converged);
    }

    void limitsHoldAtEveryFrameOfARandomAnimation()
    {
        std::mt19937 random(63);
        int hits = 0;
        for (int round = 0; round < 16; ++round) {
            TestRig test;
            const auto ids = test.chain("j", 8, {0, 0.2, 0});
            std::uniform_real_distribution<double> limit(0, 1.2);
            for (const JointId id : ids) {
                Joint& joint = test.edit(id);
                joint.rest.rotation = randomRotation(random);
                joint.rotationOrder = static_cast<RotationOrder>(random() % 6);
                for (AxisFreedom& axis : joint.turning)
                    axis = {.active = random() % 4 != 0, .limited = true, .from = limit(random), .to = -limit(random)};
                if (random() % 3 == 0) joint.sliding[1] = {.active = true, .limited = true, .from = 0.1, .to = 0.3};
            }
            const HandleId tip = test.handle("tip", ids[0], ids[7], "dls");
            const HandleId middle = test.handle("middle", ids[0], ids[4], "dls");
            test.edit(tip).orientationWeight = round % 2;
            for (int frame = 1; frame <= 30; frame += 3) {
                test.key(tip, Property::GoalPosition, frame, randomVector(random, 1.5));
                test.key(tip, Property::GoalRotation, frame, channelValue(randomRotation(random)));
                test.key(middle, Property::GoalPosition, frame, randomVector(random, 1.0));
            }
            Running run(test, m_registry);
            for (int frame = 1; frame <= 30; ++frame) {
                run.at(frame);
                for (const JointId id : ids) {
                    const Joint& joint = test.edit(id);
                    for (int axis = 0; axis < 3; ++axis) {
                        const auto a = static_cast<std::size_t>(axis);
                        const double angle = run.result.local.angles[run.index(id)][axis];
                        if (!joint.turning[a].active)
                            QCOMPARE(angle, 0.0);
                        else
                            QVERIFY(angle >= joint.turning[a].lower() - 1e-12 &&
                                    angle <= joint.turning[a].upper() + 1e-12);
                    }
                    const double slide = run.result.local.joints[run.index(id)].translation.y();
                    if (joint.sliding[1].active) QVERIFY(slide >= 0.1 - 1e-12 && slide <= 0.3 + 1e-12);
                }
                for (const HandleResult& handle : run.result.handles) {
                    for (const auto& hit : handle.limitHits) {
                        const Joint& joint = test.edit(hit.joint);
                        const bool isSlide = hit.axis <= Property::Tz;
                        const auto axis = static_cast<std::size_t>(hit.axis) - (isSlide ? 0u : 3u);
                        const AxisFreedom& freedom = (isSlide ? joint.sliding : joint.turning)[axis];
                        const std::size_t j = run.index(hit.joint);
                        const double value = isSlide ? run.result.local.joints[j].translation[static_cast<int>(axis)]
                                                     : run.result.local.angles[j][static_cast<int>(axis)];
                        QVERIFY(std::min(std::abs(value - freedom.lower()), std::abs(value - freedom.upper())) < 1e-6);
                        ++hits;
                    }
                    const bool isMet = handle.positionError <= 1e-4 && handle.rotationError <= 1e-3;
                    QCOMPARE(handle.status == sdk::Status::Converged, isMet);
                }
            }
        }
        QVERIFY(hits > 300);
    }

    void limitHitsAndTheBlockingJointAreNamed()
    {
        SolverRegistry registry;
        addScripted(registry, "blocked", [](const sdk::Model& model, const sdk::Problem&, sdk::Solution& solution) {
            solution.limitHits[0] = 1; // shoulder, first axis in product order: z
            solution.limitHits[static_cast<std::size_t>(model.vBegin[2] + 2)] = -1; // elbow, a ball: z
            solution.goals[0].status = sdk::Status::LimitsBlock;
            solution.goals[0].blockingDof = model.vBegin[2];
            return sdk::Status::LimitsBlock;
        });
        Arm arm("blocked");
        arm.test.edit(arm.shoulder).turning[0].limited = true;
        Running run(arm.test, registry);
        run.at(1);
        const HandleResult& handle = run.result.handles[0];
        QCOMPARE(handle.status, sdk::Status::LimitsBlock);
        QCOMPARE(handle.blockedBy, arm.elbow);
        QCOMPARE(handle.limitHits.size(), 2u);
        QVERIFY((handle.limitHits[0] == HandleResult::LimitHit{arm.shoulder, Property::Rz}));
        QVERIFY((handle.limitHits[1] == HandleResult::LimitHit{arm.elbow, Property::Rz}));
    }

    void eachSolveStartsFromTheFkPoseAndGetsTheHandlesSettings()
    {
        std::vector<ScriptedSolver::Call> calls;
        SolverRegistry registry;
        addScripted(registry, "scripted", turnAll(0.5), &calls);
        Arm arm("scripted");
        arm.test.edit(arm.shoulder).turning[1].limited = true; // Axes, so that the seed is readable
        Handle& handle = arm.test.edit(arm.hand);
        handle.offset = {0.01, 0.02, 0.03};
        handle.orientationWeight = 0.5;
        handle.hasPole = true;
        handle.positionTolerance = 0.002;
        handle.rotationTolerance = 0.003;
        arm.test.set(arm.hand, Property::Pole, Vector3(0, 5, 0));
        arm.test.set(arm.hand, Property::Twist, {0.7});
        arm.test.set(arm.hand, Property::Weight, {8});
        arm.test.set(arm.shoulder, Property::Rz, {0.4});
        Running run(arm.test, registry);
        run.at(1);
        const std::size_t once = calls.size(); // without the pole first, with it at last
        run.at(1);
        QVERIFY(once >= 2);
        QCOMPARE(calls.size(), 2 * once);
        QCOMPARE(calls[0].seed, calls[once].seed); // not from the last solve
        QCOMPARE(calls[0].seed[0], 0.4);
        // The body above is folded into the first base.
        QCOMPARE(Vector3(calls[0].base[0], calls[0].base[1], calls[0].base[2]), Vector3(0, 1, 0));
        QCOMPARE(calls[0].goals.size(), 1u);
        QCOMPARE(calls[once - 1].goals.size(), 2u);
        const sdk::Goal &goal = calls[once - 1].goals[0], &pole = calls[once - 1].goals[1];
        QCOMPARE(goal.kind, sdk::GoalKind::Pose);
        QCOMPARE(goal.body, 3);
        QCOMPARE(goal.offset[2], 0.03);
        QCOMPARE(goal.positionWeight, 1.0); // a lone handle's weight has nothing to weigh against
        QCOMPARE(goal.rotationWeight, 0.5);
        QCOMPARE(goal.positionTolerance, 0.002);
        QCOMPARE(pole.kind, sdk::GoalKind::Pole);
        QCOMPARE(pole.startBody, 1);
        QCOMPARE(pole.targetPosition[1], 5.0);
        QCOMPARE(pole.twist, 0.7);
    }

    void jointsOfAnIdleHandleInAGroupAreLocked()
    {
        std::vector<ScriptedSolver::Call> calls;
        SolverRegistry registry;
        addScripted(registry, "scripted", standStill, &calls);
        Arm arm("scripted");
        arm.test.edit(arm.hand).start = arm.body;
        const auto other = arm.test.chain("other", 3, {0, 0.1, 0}, arm.body);
        const HandleId second = arm.test.handle("second", arm.body, other[2], "scripted");
        arm.test.set(arm.hand, Property::Blend, {0});
        Running run(arm.test, registry);
        run.at(1);
        QCOMPARE(calls.size(), 1u);
        QCOMPARE(calls[0].goals.size(), 1u);
        // body free; shoulder, elbow, wrist locked; other0, other1 free; other2 is the end, its turn locked.
        const std::vector<std::uint8_t> expected{0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1};
        QCOMPARE(calls[0].locked, expected);
        arm.test.set(arm.hand, Property::Blend, {1});
        arm.test.set(second, Property::Weight, {0.25});
        run.at(1);
        QCOMPARE(calls[1].goals.size(), 2u);
        QCOMPARE(calls[1].goals[0].positionWeight, 1.0);
        QCOMPARE(calls[1].goals[1].positionWeight, 0.25);
    }

    void twistRotatesTheElbowAboutTheHandlesLine()
    {
        Arm arm;
        arm.test.edit(arm.hand).hasPole = true;
        arm.test.edit(arm.hand).positionTolerance = 1e-8;
        arm.test.edit(arm.hand).rotationTolerance = 1e-8;
        arm.test.set(arm.hand, Property::Pole, Vector3(0.4, 0, 3));
        const auto elbowAngle = [&](double twist) {
            Running run(arm.test, m_registry);
            run.at(1, {{{arm.hand.value, Property::Twist}, {twist}}});
            const Vector3 start = run.world(arm.shoulder).translation();
            const Vector3 axis = (run.world(arm.wrist).translation() - start).normalized();
            const Vector3 elbow = run.world(arm.elbow).translation() - start, pole = Vector3(0.4, 0, 3) - start;
            const Vector3 a = pole - axis.dot(pole) * axis;
            return std::atan2(axis.dot(a.cross(elbow)), a.dot(elbow));
        };
        QVERIFY(std::abs(elbowAngle(0)) < 1e-3);
        QVERIFY(std::abs(elbowAngle(std::numbers::pi / 2) - std::numbers::pi / 2) < 1e-3);

        // Without a pole it is counted from where the FK pose bends.
        arm.test.edit(arm.hand).hasPole = false;
        const double none = elbowAngle(0), turned = elbowAngle(0.5);
        QVERIFY(std::abs(std::remainder(turned - none, 2 * std::numbers::pi)) > 0.1);
    }

    void aHandleThatCannotBeSolvedIsRefusedByNameOrFallsBackToFk()
    {
        const auto refusal = [&](const std::function<void(Arm&)>& spoil) {
            Arm arm;
            spoil(arm);
            const auto made = Evaluator::create(*compile(arm.test.scene), m_registry);
            return made ? std::string() : made.error().text();
        };
        QVERIFY(refusal([](Arm& arm) { arm.test.edit(arm.hand).solver = "none"; }).starts_with("handle \"hand\": "));
        QVERIFY(refusal([](Arm& arm) { arm.test.edit(arm.hand).parameters["nothing"] = 1; }).find("nothing") !=
                std::string::npos);
        QVERIFY(
            refusal([](Arm& arm) { arm.test.edit(arm.hand).parameters["relax"] = 7; }).starts_with("handle \"hand\""));
        QVERIFY(refusal([](Arm& arm) { arm.test.edit(arm.hand).curvePoints = 4; }).find("curve") != std::string::npos);
        QCOMPARE(refusal([](Arm&) {}), std::string());

        Arm arm;
        arm.test.edit(arm.hand).solver = "none";
        const auto rig = *compile(arm.test.scene);
        auto shown = Evaluator::create(rig, m_registry, OnBadHandle::ShowFk);
        QVERIFY(shown);
        QCOMPARE((*shown)->issues().size(), 1u);
        SolvedFrame result;
        (*shown)->evaluate(arm.test.scene, nullptr, {}, {}, result);
        QCOMPARE(result.handles[0].status, sdk::Status::Unsupported);
        for (std::size_t i = 0; i < rig->jointCount(); ++i) QVERIFY(result.local.joints[i] == rig->rest[i]);
    }

    void aCancelledSolveIsReported()
    {
        Arm arm;
        Running run(arm.test, m_registry);
        const std::atomic<bool> cancelled = true;
        run.evaluator->evaluate(arm.test.scene, nullptr, {}, {}, run.result, &cancelled);
        QCOMPARE(run.result.handles[0].status, sdk::Status::Cancelled);
    }
};

TENDON_TEST(TestEvaluator)
#include "tst_evaluator.moc"

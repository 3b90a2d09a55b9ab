#include "core/runtime/ForwardKinematics.h"
#include "core/solve/Evaluator.h"
#include "tests/support/ScriptedSolver.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <cstring>

using namespace tendon;
using namespace tendon::test;

namespace {

/// A chain of four joints with a handle on the last, and a solver that tells what it was asked.
struct Asked
{
    TestRig test;
    std::vector<JointId> chain = test.chain("j", 4, {0, 1, 0});
    HandleId hand = test.handle("hand", chain[0], chain[3], "scripted");
    SolverRegistry registry;
    std::vector<ScriptedSolver::Call> calls;
    std::shared_ptr<const CompiledRig> rig;
    std::unique_ptr<Evaluator> evaluator;
    SolvedFrame result;

    explicit Asked(const ScriptedSolver::Script& script = standStill)
    {
        addScripted(registry, "scripted", script, &calls);
        test.set(hand, Property::GoalPosition, Vector3(1, 2, 0)); // where there is one way to it
    }

    void begin()
    {
        rig = *compile(test.scene);
        auto made = Evaluator::create(rig, registry);
        if (!made) qFatal("%s", made.error().text().c_str());
        evaluator = *std::move(made);
    }
    const SolvedFrame& at(double frame, const PendingValues& pending = {})
    {
        calls.clear();
        evaluator->evaluate(test.scene, test.clip(), pending, test.scene.fps.timeOf(frame), result);
        return result;
    }
    void hinge(JointId joint, double preferred)
    {
        for (AxisFreedom& axis : test.edit(joint).turning) axis.active = false;
        test.edit(joint).turning[2].active = true;
        test.edit(joint).preferredAngle = {0, 0, preferred};
    }
};

} // namespace

class TestObjectives : public QObject
{
    Q_OBJECT

private slots:
    void aHandlesWeightsReachItsSolver()
    {
        Asked asked;
        asked.test.edit(asked.hand).objectives = {.restPose = 0.5, .naturalPose = 2, .velocity = 0, .power = 0};
        asked.begin();
        asked.at(1);
        QCOMPARE(asked.calls.size(), std::size_t(1)); // nothing asks for the frame before
        const ScriptedSolver::Call& call = asked.calls[0];
        QCOMPARE(call.objectives.restPose, 0.5);
        QCOMPARE(call.objectives.naturalPose, 2.0);
        QCOMPARE(call.objectives.velocity, 0.0);
        QVERIFY(call.previous.empty());
        QCOMPARE(call.posture.size(), call.seed.size());
        QCOMPARE(call.natural.size(), call.seed.size());
    }

    void handlesSolvedTogetherShareTheLargestWeight()
    {
        Asked asked;
        const HandleId other = asked.test.handle("other", asked.chain[0], asked.chain[2], "scripted");
        asked.test.edit(asked.hand).objectives.restPose = 1;
        asked.test.edit(other).objectives = {.restPose = 0.25, .naturalPose = 3};
        asked.begin();
        asked.at(1);
        QCOMPARE(asked.calls.size(), std::size_t(1));
        QCOMPARE(asked.calls[0].objectives.restPose, 1.0);
        QCOMPARE(asked.calls[0].objectives.naturalPose, 3.0);
    }

    void naturalPoseIsThePreferredAnglesAndRestPoseTheRestPose()
    {
        Asked asked;
        asked.hinge(asked.chain[1], 0.7);
        asked.test.edit(asked.chain[2]).preferredAngle = {0.3, 0, 0}; // a ball
        asked.test.set(asked.chain[1], Property::Rz, {1.1});
        asked.test.edit(asked.hand).objectives.naturalPose = 1;
        asked.begin();
        asked.at(1);
        const ScriptedSolver::Call& call = asked.calls[0];
        // A ball (4), the hinge's three angles, a ball, a ball.
        QCOMPARE(call.seed.size(), std::size_t(15));
        const auto angles = [](const std::vector<double>& q) {
            return std::vector<double>(q.begin() + 4, q.begin() + 7);
        };
        const auto sum = [&](const std::vector<double>& q) { return angles(q)[0] + angles(q)[1] + angles(q)[2]; };
        QVERIFY(std::abs(sum(call.seed) - 1.1) < 1e-12);
        QVERIFY(std::abs(sum(call.natural) - 0.7) < 1e-12);
        QCOMPARE(sum(call.posture), 0.0);
        QVERIFY(std::abs(call.natural[7] - std::sin(0.15)) < 1e-12 &&
                std::abs(call.natural[10] - std::cos(0.15)) < 1e-12);
        QCOMPARE(call.posture[10], 1.0);
    }

    void motionIsMeasuredFromTheFrameBeforeSolvedWithoutMotion()
    {
        // The solver adds 0.1 to the hinge; more when motion counts, so that the two solves differ.
        Asked asked([](const sdk::Model&, const sdk::Problem& problem, sdk::Solution& solution) {
            for (std::size_t k = 4; k < 7; ++k)
                if (problem.locked[k - 1] == 0) solution.q[k] += problem.previous.empty() ? 0.1 : 5;
            return sdk::Status::Converged;
        });
        asked.hinge(asked.chain[1], 0);
        for (int frame = 1; frame <= 10; ++frame) asked.test.key(asked.chain[1], Property::Rz, frame, {0.2 * frame});
        asked.test.edit(asked.hand).objectives.velocity = 1;
        asked.begin();
        asked.at(6);
        QCOMPARE(asked.calls.size(), std::size_t(2));
        QVERIFY(asked.calls[0].previous.empty());
        const auto sum = [](const std::vector<double>& q) { return q[4] + q[5] + q[6]; };
        QVERIFY(std::abs(sum(asked.calls[1].previous) - (0.2 * 5 + 0.1)) < 1e-9); // frame 5, solved
        QVERIFY(std::abs(sum(asked.calls[1].seed) - 0.2 * 6) < 1e-9);
        QVERIFY(std::abs(asked.calls[1].dt - 1 / asked.test.scene.fps.perSecond()) < 1e-12);

        // What is posed but not keyed belongs to this frame alone.
        asked.at(6, {{{asked.chain[1].value, Property::Rz}, {9}}});
        QVERIFY(std::abs(sum(asked.calls[1].previous) - 1.1) < 1e-9);
        QVERIFY(std::abs(sum(asked.calls[1].seed) - 9) < 1e-9);
    }

    void framesAreTheSameInAnyOrder()
    {
        Asked asked([](const sdk::Model&, const sdk::Problem& problem, sdk::Solution& solution) {
            for (std::size_t k = 4; k < 7; ++k)
                if (problem.locked[k - 1] == 0 && !problem.previous.empty())
                    solution.q[k] = 0.5 * (problem.seed[k] + problem.previous[k]);
            return sdk::Status::Converged;
        });
        asked.hinge(asked.chain[1], 0);
        for (int frame = 1; frame <= 10; frame += 3)
            asked.test.key(asked.chain[1], Property::Rz, frame, {std::sin(frame)});
        asked.test.edit(asked.hand).objectives.power = 1;
        asked.begin();
        std::vector<Affine> forth;
        for (int frame = 1; frame <= 10; ++frame) forth.push_back(asked.at(frame).model.modelFromJoint.back());
        for (const int frame : {10, 3, 7, 1, 2, 9, 5, 4, 8, 6}) {
            const Affine& again = asked.at(frame).model.modelFromJoint.back();
            QVERIFY(std::memcmp(again.data(), forth[static_cast<std::size_t>(frame - 1)].data(), sizeof(double) * 12) ==
                    0);
        }
    }

    void aSolveCutOffWhileItWeighsObjectivesSaysSo()
    {
        // The goal is met where the chain stands, so nothing but the objectives can be unfinished.
        sdk::Status status = sdk::Status::Converged;
        Asked asked([&status](const sdk::Model&, const sdk::Problem&, sdk::Solution&) { return status; });
        asked.test.set(asked.hand, Property::GoalPosition, Vector3(0, 3, 0));
        for (const double weight : {0.0, 1.0}) {
            asked.test.edit(asked.hand).objectives.restPose = weight;
            asked.begin();
            for (const sdk::Status cut :
                 {sdk::Status::IterationLimit, sdk::Status::TimeLimit, sdk::Status::Stalled, sdk::Status::Converged}) {
                status = cut;
                const HandleResult& hand = asked.at(1).handles[0];
                const bool isCutOff = weight > 0 &&
                                      (cut == sdk::Status::IterationLimit || cut == sdk::Status::TimeLimit);
                QCOMPARE(hand.positionError, 0.0);
                QCOMPARE(hand.status, isCutOff ? cut : sdk::Status::Converged);
            }
        }
    }

    void aPullIsThatOfItsOwnFrame()
    {
        double multiplier = 3;
        Asked asked([&multiplier](const sdk::Model&, const sdk::Problem&, sdk::Solution& solution) {
            solution.goals[0].multiplier = multiplier;
            return sdk::Status::Converged;
        });
        asked.begin();
        QVERIFY(asked.at(1).handles[0].pull == 3.0);
        multiplier = sdk::kNotReported;
        QVERIFY(!asked.at(2).handles[0].pull.has_value());
    }

    void aSolverWithoutObjectivesIsRefusedByName()
    {
        Asked asked;
        SolverInfo plain = *asked.registry.find("scripted");
        plain.id = "test.plain";
        plain.alias = "plain";
        std::erase(plain.features, "objectives");
        QVERIFY(asked.registry.add(plain, [] { return std::make_unique<ScriptedSolver>(standStill, nullptr); }));
        asked.test.edit(asked.hand).solver = "plain";
        QVERIFY(Evaluator::create(*compile(asked.test.scene), asked.registry));
        asked.test.edit(asked.hand).objectives.velocity = 1;
        const auto refused = Evaluator::create(*compile(asked.test.scene), asked.registry);
        QVERIFY(!refused);
        QVERIFY2(refused.error().text().find("objectives") != std::string::npos &&
                     refused.error().text().find("hand") != std::string::npos,
                 refused.error().text().c_str());
    }
};

TENDON_TEST(TestObjectives)
#include "tst_objectives.moc"

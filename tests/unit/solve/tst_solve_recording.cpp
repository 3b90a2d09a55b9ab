#include "core/solve/ClipComparison.h"
#include "core/solve/SolveRecording.h"
#include "core/solve/StatusNames.h"
#include "solvers/ccd/CcdSolver.h"
#include "solvers/fabrik/FabrikSolver.h"
#include "tests/support/LinkedSolvers.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <cstring>

using namespace tendon;
using namespace tendon::test;

/// What a recording says of a solve, against what the evaluator gives.
class TestSolveRecording : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry = [] {
        SolverRegistry registry = shippedSolvers();
        addLinked(registry, "solvers/fabrik/solver.json", makeFabrikSolver);
        addLinked(registry, "solvers/ccd/solver.json", makeCcdSolver);
        return registry;
    }();

    /// A bent tail of five joints whose tip has a handle.
    struct Tail
    {
        TestRig test;
        std::vector<JointId> joints;
        HandleId tip;

        explicit Tail(const std::string& solver, const Vector3& goal = {0.5, 1.1, 0.4})
        {
            const JointId body = test.joint("body", {}, {0, 1, 0});
            joints = test.chain("tail", 5, {0.25, 0.02, 0}, body);
            tip = test.handle("tip", joints.front(), joints.back(), solver);
            test.set(tip, Property::GoalPosition, goal);
        }
    };

    SolveRecording recorded(TestRig& test, HandleId handle, const std::vector<std::string>& solvers)
    {
        auto made = recordSolve(test.scene, test.clip(), {}, Time{}, handle, solvers, m_registry);
        if (!made) qFatal("%s", made.error().text().c_str());
        return *std::move(made);
    }

    SolvedFrame evaluated(const Scene& scene)
    {
        auto evaluator = Evaluator::create(*compile(scene), m_registry);
        if (!evaluator) qFatal("%s", evaluator.error().text().c_str());
        SolvedFrame frame;
        (*evaluator)->evaluate(scene, nullptr, {}, Time{}, frame);
        return frame;
    }

    /// [rad] By the trace, not by the quaternions' product.
    static double turnBetween(const Quaternion& a, const Quaternion& b)
    {
        const double trace = (a.toRotationMatrix().transpose() * b.toRotationMatrix()).trace();
        return std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0));
    }

    static double largestDifference(const std::vector<Vector3>& a, const std::vector<Vector3>& b)
    {
        double largest = a.size() == b.size() ? 0 : 1e9;
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
            largest = std::max(largest, (a[i] - b[i]).norm());
        return largest;
    }
    static std::vector<Vector3> positionsIn(const SolverRecording& recording, const SolvedFrame& frame)
    {
        std::vector<Vector3> positions;
        for (const JointIndex joint : recording.joints)
            positions.push_back(frame.model.modelFromJoint[tendon::at(joint)].translation());
        return positions;
    }

private slots:
    void theAnswerIsTheEvaluatorsToTheBit_data()
    {
        QTest::addColumn<QString>("solver");
        for (const char* solver : {"dls", "fabrik", "two-bone"}) QTest::newRow(solver) << solver;
    }
    void theAnswerIsTheEvaluatorsToTheBit()
    {
        QFETCH(QString, solver);
        Tail tail("dls");
        if (solver == "two-bone") tail.test.edit(tail.tip).start = tail.joints[2];
        if (solver == "two-bone") tail.test.set(tail.tip, Property::GoalPosition, Vector3(0.7, 1.2, 0.2));
        const Scene before = tail.test.scene;
        const SolveRecording recording = recorded(tail.test, tail.tip, {solver.toStdString()});
        QVERIFY(tail.test.scene == before);
        const SolverRecording& made = recording.solvers.front();
        QCOMPARE(made.problem, std::string());

        tail.test.edit(tail.tip).solver = solver.toStdString();
        const SolvedFrame frame = evaluated(tail.test.scene);
        QVERIFY(made.answer.local == frame.local);
        QVERIFY(made.answer.handles == frame.handles);
        QCOMPARE(made.result.status, sdk::Status::Converged);
        for (std::size_t i = 0; i < made.joints.size(); ++i)
            QVERIFY(made.steps.back().local[i] == frame.local.joints[tendon::at(made.joints[i])]);
        QVERIFY(largestDifference(made.steps.back().positions, positionsIn(made, frame)) < 1e-12);
        QCOMPARE(made.steps.front().iteration, 0);
        QCOMPARE(made.steps.back().iteration, made.result.iterations);
        QVERIFY(made.medianSeconds > 0 && made.maxSeconds >= made.medianSeconds);
    }

    void passesAreThoseOfASolveThatEndsThere()
    {
        // Far out, so that it takes many passes.
        Tail tail("fabrik", Vector3(0.82, 1.25, 0.3));
        tail.test.edit(tail.tip).positionTolerance = 1e-7;
        tail.test.edit(tail.tip).parameters["twoSpheres"] = 0;
        const SolverRecording made = recorded(tail.test, tail.tip, {"fabrik"}).solvers.front();
        const int passes = made.steps.back().iteration;
        QVERIFY2(passes > 5, qPrintable(QString::number(passes)));
        for (int pass = 1; pass <= passes; ++pass) {
            tail.test.edit(tail.tip).parameters["passes"] = pass;
            const SolvedFrame frame = evaluated(tail.test.scene);
            QVERIFY2(largestDifference(made.at(pass).positions, positionsIn(made, frame)) < 1e-12,
                     qPrintable(QString("pass %1").arg(pass)));
            const double missed = made.at(pass).misses[static_cast<std::size_t>(made.goal)].position;
            QVERIFY(std::abs(missed - frame.handles[0].positionError) < 1e-12);
            QVERIFY(missed < made.at(pass - 1).misses[0].position);
        }
    }

    void stagesLeadFromOnePassToTheNext()
    {
        Tail tail("fabrik", Vector3(0.82, 1.25, 0.3));
        tail.test.edit(tail.tip).parameters["twoSpheres"] = 0;
        const SolverRecording made = recorded(tail.test, tail.tip, {"fabrik"}).solvers.front();
        QVERIFY(!made.stages.empty());
        int passesChecked = 0;
        for (std::size_t count = 1; count <= made.stages.size(); ++count) {
            const bool endsPass = count == made.stages.size() ||
                                  made.stages[count].row.pass != made.stages[count - 1].row.pass;
            if (!endsPass) continue;
            const std::int32_t pass = made.stages[count - 1].row.pass;
            QVERIFY(largestDifference(positionsAtStage(made, count), made.at(pass).positions) < 1e-9);
            ++passesChecked;
        }
        QVERIFY(passesChecked > 1);
        // The first stage that moves anything puts the effector at its goal.
        const auto goal = std::find_if(made.stages.begin(), made.stages.end(),
                                       [](const RecordedStage& stage) { return stage.row.stage == sdk::Stage::Goal; });
        QVERIFY(goal != made.stages.end());
        const auto moved = positionsAtStage(made, static_cast<std::size_t>(goal - made.stages.begin()) + 1);
        QVERIFY((moved.back() - made.goals[0].target).norm() < 1e-12);
    }

    /// CCD turns one joint after the other, from the tip: what is above the joint stays, what is below goes along.
    void theMovesOfSingleJointsAreRecordedWithinAPass()
    {
        Tail tail("ccd");
        const SolverRecording made = recorded(tail.test, tail.tip, {"ccd"}).solvers.front();
        const std::size_t joints = made.joints.size();
        for (std::int32_t pass = 1; pass <= made.steps.back().iteration; ++pass) {
            auto poses = posesWithin(made, pass);
            QVERIFY2(poses.size() == joints - 2, // the tip turns nothing, and the last move is the pass's end
                     qPrintable(QString("%1 of pass %2").arg(poses.size()).arg(pass)));
            poses.insert(poses.begin(), made.at(pass - 1).positions);
            poses.push_back(made.at(pass).positions);
            for (std::size_t k = 1; k < poses.size(); ++k) {
                const std::size_t turned = joints - 1 - k;
                for (std::size_t joint = 0; joint <= turned; ++joint)
                    QVERIFY((poses[k][joint] - poses[k - 1][joint]).norm() < 1e-9);
                QVERIFY((poses[k].back() - poses[k - 1].back()).norm() > 1e-9);
            }
        }
        QVERIFY(posesWithin(made, 0).empty());
    }

    /// FABRIK's way toward the root leaves the end at its goal and takes the root off its place.
    void theHalfOfAFabrikPassIsRecordedWithinIt()
    {
        Tail tail("fabrik", Vector3(0.82, 1.25, 0.3));
        tail.test.edit(tail.tip).parameters["twoSpheres"] = 0;
        const SolverRecording made = recorded(tail.test, tail.tip, {"fabrik"}).solvers.front();
        const Vector3 root = made.steps.front().positions.front();
        for (std::int32_t pass = 1; pass < made.steps.back().iteration; ++pass) {
            const auto poses = posesWithin(made, pass);
            QCOMPARE(poses.size(), 1u);
            QVERIFY((poses[0].back() - made.goals[0].target).norm() < 1e-12);
            QVERIFY((poses[0].front() - root).norm() > 1e-6);
        }
        // Within the stages of a pass: a pose for each joint that has been moved to another place.
        std::size_t placed = 0;
        for (const RecordedStage& stage : made.stages)
            placed += stage.row.pass == 1 && stage.row.stage != sdk::Stage::Start ? 1 : 0;
        std::size_t last = 0;
        while (last < made.stages.size() && made.stages[last].row.pass == 1) ++last;
        const auto before = posesBeforeStage(made, last);
        QVERIFY(largestDifference(before.front(), made.steps.front().positions) < 1e-12);
        QVERIFY2(before.size() > placed / 2, qPrintable(QString::number(before.size())));
    }

    void theResidualIsOfAllGoalsTogether()
    {
        Tail tail("dls");
        const auto left = tail.test.chain("left", 3, {0.2, 0, 0.1}, tail.joints[2]);
        const HandleId hand = tail.test.handle("left tip", tail.joints.front(), left.back(), "dls");
        tail.test.set(hand, Property::GoalPosition, Vector3(0.6, 1.1, 0.6));
        const SolverRecording made = recorded(tail.test, tail.tip, {"dls"}).solvers.front();
        const SolveStep& start = made.steps.front();
        QCOMPARE(start.misses.size(), 2u);
        const Vector3 goals[] = {Vector3(0.5, 1.1, 0.4), Vector3(0.6, 1.1, 0.6)};
        const auto rig = *compile(tail.test.scene);
        double squares = 0;
        for (const auto& [goal, end] : {std::pair(goals[0], tail.joints.back()), std::pair(goals[1], left.back())}) {
            const auto place = std::find(made.joints.begin(), made.joints.end(), rig->index(end)) - made.joints.begin();
            squares += (start.positions[static_cast<std::size_t>(place)] - goal).squaredNorm();
        }
        QVERIFY(std::abs(start.total().position - std::sqrt(squares)) < 1e-12);
        QCOMPARE(start.total().rotation, 0.0);
        QVERIFY(made.secondsPerIteration() > 0);
        QCOMPARE(made.secondsPerIteration(), made.medianSeconds / made.result.iterations);
    }

    void aBranchHasOneCandidateForEachEndAndTheirMean()
    {
        Tail tail("fabrik");
        const auto left = tail.test.chain("left", 3, {0.2, 0, 0.1}, tail.joints[2]);
        const HandleId hand = tail.test.handle("left tip", tail.joints.front(), left.back(), "fabrik");
        tail.test.set(hand, Property::GoalPosition, Vector3(0.6, 1.1, 0.6));
        for (const HandleId handle : {tail.tip, hand}) tail.test.edit(handle).parameters["centroid"] = 1; // equal
        const SolverRecording made = recorded(tail.test, tail.tip, {"fabrik"}).solvers.front();
        QCOMPARE(made.problem, std::string());
        std::vector<Vector3> candidates;
        int means = 0;
        for (const RecordedStage& stage : made.stages) {
            const Vector3 position(stage.row.position[0], stage.row.position[1], stage.row.position[2]);
            if (stage.row.stage == sdk::Stage::Candidate) candidates.push_back(position);
            if (stage.row.stage != sdk::Stage::SubBase) continue;
            QCOMPARE(candidates.size(), 2u);
            QVERIFY(((candidates[0] + candidates[1]) / 2 - position).norm() < 1e-12);
            QVERIFY(stage.joint >= 0);
            QCOMPARE(made.joints[static_cast<std::size_t>(stage.joint)],
                     (*compile(tail.test.scene))->index(tail.joints[2]));
            candidates.clear();
            ++means;
        }
        QVERIFY(means > 0);
    }

    void theJacobianOfAStraightChainLosesARank()
    {
        TestRig test;
        const auto joints = test.chain("arm", 4, {0.3, 0, 0});
        const HandleId hand = test.handle("hand", joints.front(), joints.back(), "dls");
        test.set(hand, Property::GoalPosition, Vector3(0.5, 0.3, 0.1));
        const SolverRecording made = recorded(test, hand, {"dls"}).solvers.front();
        // Along a straight chain nothing can be moved: two of three directions are left.
        const SolveStep &start = made.steps.front(), &end = made.steps.back();
        QCOMPARE(start.rank, 2);
        QCOMPARE(start.singularValues.size(), 3u);
        // Each joint turns the tip about both axes across: sqrt(0.9^2 + 0.6^2 + 0.3^2), twice, and 0.
        QVERIFY(std::abs(start.singularValues[0] - std::sqrt(1.26)) < 1e-12);
        QVERIFY(std::abs(start.singularValues[1] - std::sqrt(1.26)) < 1e-12);
        QVERIFY(start.singularValues[2] < 1e-12);
        QCOMPARE(end.rank, 3);
    }

    void inBetweenBonesKeepTheirLengths()
    {
        Tail tail("dls");
        const SolverRecording made = recorded(tail.test, tail.tip, {"dls"}).solvers.front();
        const auto& [from, to] = std::pair(made.steps.front().local, made.steps.back().local);
        const auto half = positionsOf(made, posesBetween(from, to, 0.5));
        for (std::size_t i = 1; i < half.size(); ++i)
            QVERIFY(std::abs((half[i] - half[i - 1]).norm() - Vector3(0.25, 0.02, 0).norm()) < 1e-12);
        QVERIFY(largestDifference(half, made.steps.front().positions) > 0.01);
        QVERIFY(posesBetween(from, to, 1) == to);
    }

    /// Bones that stretch lengthens are long in the last step, which is the drawn pose to the bit.
    void aStretchedAnswerIsRecordedStretched()
    {
        TestRig test;
        const auto joints = test.chain("arm", 4, {0.3, 0, 0});
        const HandleId hand = test.handle("hand", joints.front(), joints.back(), "dls");
        test.edit(hand).stretch = 2;
        test.set(hand, Property::GoalPosition, Vector3(0.8, 0.8, 0)); // 1.13 m; the chain has 0.9
        const SolverRecording made = recorded(test, hand, {"dls"}).solvers.front();
        QCOMPARE(std::string(statusName(made.result)), std::string("stretched"));
        const SolvedFrame frame = evaluated(test.scene);
        for (std::size_t i = 0; i < made.joints.size(); ++i)
            QVERIFY(made.steps.back().local[i] == frame.local.joints[tendon::at(made.joints[i])]);
        QVERIFY((made.steps.back().positions[2] - made.steps.back().positions[1]).norm() > 0.35);
        const auto& miss = made.steps.back().misses[static_cast<std::size_t>(made.goal)];
        QCOMPARE(miss.position, made.result.positionError);
    }

    /// All frames: the figures are those of single frames put together.
    void theTableOfAClipIsOfItsFrames()
    {
        Tail tail("dls");
        for (const auto& [frame, x] : {std::pair(1, 0.5), std::pair(5, 2.0)}) // ends out of reach
            tail.test.key(tail.tip, Property::GoalPosition, frame, ChannelValue{x, 1.1, 0.4, 0});
        const Scene before = tail.test.scene;
        std::vector<double> shares;
        const std::vector<std::string> solvers = {"dls", "fabrik", "two-bone", "nothing"};
        const auto scores = compareOverClip(tail.test.scene, tail.test.clip(), {1, 5}, tail.tip, solvers, m_registry,
                                            [&](double share) { shares.push_back(share); });
        QVERIFY(scores && scores->size() == 4);
        QVERIFY(tail.test.scene == before);
        for (std::size_t i = 0; i < 2; ++i) {
            const ClipScore& score = (*scores)[i];
            double largest = 0, sum = 0, step = 0;
            int worst = 0, most = 0, mostAt = 0, missed = 0, missedAt = 0, stepAt = 0;
            std::string stepJoint;
            LocalPose last;
            for (int frame = 1; frame <= 5; ++frame) {
                const auto one = recordSolve(tail.test.scene, tail.test.clip(), {}, before.fps.timeOf(frame), tail.tip,
                                             std::span(&solvers[i], 1), m_registry, RecordTimes::Skipped);
                const HandleResult& result = one->solvers.front().result;
                if (result.positionError > largest) worst = frame;
                largest = std::max(largest, result.positionError);
                sum += result.positionError;
                if (result.iterations > most || frame == 1) mostAt = frame;
                most = std::max(most, result.iterations);
                if (!sdk::isSuccess(result.status) && missed++ == 0) missedAt = frame;
                const LocalPose& pose = one->solvers.front().answer.local;
                for (std::size_t j = 1; j < pose.joints.size() && frame > 1; ++j) { // the chain hangs below the body
                    const double turn = turnBetween(last.joints[j].rotation, pose.joints[j].rotation);
                    if (turn <= step) continue;
                    step = turn;
                    stepAt = frame;
                    stepJoint = (*compile(tail.test.scene))->authored[j].name;
                }
                last = pose;
            }
            QCOMPARE(score.problem, std::string());
            QCOMPARE(score.frames, 5);
            QCOMPARE(score.missed, missed);
            QVERIFY(missed > 0 && missed < 5);
            QCOMPARE(score.largestError, largest);
            QCOMPARE(score.at.error, worst);
            QCOMPARE(score.at.missed, missedAt);
            QCOMPARE(score.at.iterations, mostAt);
            QVERIFY(score.at.seconds >= 1 && score.at.seconds <= 5);
            QCOMPARE(score.limitHits, 0);
            QCOMPARE(score.at.limits, 0); // no limits, nowhere to go
            QVERIFY(step > 0.01 && std::abs(score.largestStep - step) < 1e-9);
            QCOMPARE(score.at.step, stepAt);
            QCOMPARE(score.stepJoint, stepJoint);
            QVERIFY(std::abs(score.meanError - sum / 5) < 1e-12);
            QCOMPARE(score.mostIterations, most);
            QVERIFY(score.medianSeconds > 0 && score.maxSeconds >= score.medianSeconds);
        }
        QVERIFY(!(*scores)[2].problem.empty() && !(*scores)[3].problem.empty());
        QCOMPARE(shares.size(), 10u);
        QVERIFY(std::is_sorted(shares.begin(), shares.end()));
        const std::atomic<bool> cancelled = true;
        const auto none = compareOverClip(tail.test.scene, nullptr, {1, 5}, tail.tip, std::vector<std::string>{"dls"},
                                          m_registry, {}, &cancelled);
        QCOMPARE(none->front().frames, 0);
        QVERIFY(!compareOverClip(tail.test.scene, nullptr, {1, 5}, HandleId{999}, {}, m_registry));
    }

    void whatCannotBeRecordedSaysWhy()
    {
        Tail tail("dls");
        const SolveRecording recording = recorded(tail.test, tail.tip, {"two-bone", "nothing", "dls"});
        QVERIFY(recording.solvers[0].problem.find("5 joints") != std::string::npos ||
                recording.solvers[0].problem.find("chain of") != std::string::npos);
        QVERIFY(recording.solvers[1].problem.find("not installed") != std::string::npos);
        QVERIFY(recording.solvers[2].problem.empty());
        tail.test.set(tail.tip, Property::Blend, ChannelValue{0});
        QVERIFY(recorded(tail.test, tail.tip, {"dls"}).solvers[0].problem.find("off") != std::string::npos);

        Tail held("dls", {9, 0, 0});
        held.test.edit(held.tip).unreachable = Unreachable::Hold;
        const std::string problem = recorded(held.test, held.tip, {"dls"}).solvers[0].problem;
        QVERIFY2(problem.find("holds its pose") != std::string::npos, problem.c_str());
        QVERIFY(!recordSolve(tail.test.scene, nullptr, {}, Time{}, HandleId{999}, {}, m_registry));
    }
};

TENDON_TEST(TestSolveRecording)
#include "tst_solve_recording.moc"

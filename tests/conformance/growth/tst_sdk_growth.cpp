#include "core/solve/ModelArrays.h"
#include "core/solve/SolverRegistry.h"

#include <tendon/sdk/Features.h>

#include <QLibrary>
#include <QTest>

#include <cmath>
#include <map>

using namespace tendon;

namespace {

constexpr double kGrown = 4711; ///< the default of the member that every struct has grown by

struct Place
{
    std::size_t offset = 0, size = 0;
};
using Layout = std::map<std::string, Place>;

Layout layoutOfHost()
{
    Layout layout;
    const auto add = [&layout](std::span<const sdk::LayoutEntry> entries) {
        for (const sdk::LayoutEntry& entry : entries) layout[entry.member] = {entry.offset, entry.size};
    };
    add(sdk::kRowsLayout);
    add(sdk::kJointLayout);
    add(sdk::kModelLayout);
    add(sdk::kGoalLayout);
    add(sdk::kProblemLayout);
    add(sdk::kControlLayout);
    add(sdk::kStagesLayout);
    add(sdk::kReportLayout);
    return layout;
}

Layout layoutOfFrozenPlugin()
{
    Layout layout;
    using Visit = void (*)(void*, const char*, std::size_t, std::size_t);
    const auto visitLayout = reinterpret_cast<void (*)(Visit, void*)>(
        QLibrary::resolve(QStringLiteral(TENDON_FROZEN_PLUGIN), "tendonVisitLayout"));
    const auto add = [](void* to, const char* member, std::size_t offset, std::size_t size) {
        (*static_cast<Layout*>(to))[member] = {offset, size};
    };
    if (visitLayout != nullptr) visitLayout(add, &layout);
    return layout;
}

/// Three hinges about z along x, a metre apart, and a tip.
struct Arm
{
    ModelArrays arrays;
    std::vector<double> base, seed = {0.3, 0.4, 0.5};

    Arm()
    {
        for (int b = 0; b < 4; ++b) {
            const ModelDof hinge;
            arrays.addBody(b - 1, b < 3 ? sdk::JointKind::Revolute : sdk::JointKind::Fixed,
                           b < 3 ? std::span(&hinge, 1) : std::span<const ModelDof>());
            base.insert(base.end(), {b == 0 ? 0.0 : 1.0, 0, 0, 0, 0, 0, 1, 1});
        }
    }

    [[nodiscard]] static double distance(const std::vector<double>& q, const sdk::Goal& goal)
    {
        const double a = q[0], b = a + q[1], c = b + q[2];
        return std::hypot(std::cos(a) + std::cos(b) + std::cos(c) - goal.targetPosition[0],
                          std::sin(a) + std::sin(b) + std::sin(c) - goal.targetPosition[1]);
    }
};

} // namespace

/// A plugin compiled from the frozen headers of SDK 2.0 in a host whose structs have grown since. See README.md.
class TestSdkGrowth : public QObject
{
    Q_OBJECT

private slots:
    void everyStructOfTheHostHasGrown()
    {
        QVERIFY(sdk::kSdkMinor > 0);
        const Layout layout = layoutOfHost();
        const auto isGrown = [&layout](const std::string& type, std::size_t added, double value) {
            std::size_t end = 0; // of the members that the header lists today
            for (const auto& [member, place] : layout)
                if (member.starts_with(type + "::") && member != type + "::grown")
                    end = std::max(end, place.offset + place.size);
            return added == end && value == kGrown; // no padding before it, which a smaller member would vanish in
        };
        QVERIFY(isGrown("Model", offsetof(sdk::Model, grown), sdk::Model().grown));
        QVERIFY(isGrown("Goal", offsetof(sdk::Goal, grown), sdk::Goal().grown));
        QVERIFY(isGrown("Objectives", offsetof(sdk::Objectives, grown), sdk::Objectives().grown));
        QVERIFY(isGrown("Curve", offsetof(sdk::Curve, grown), sdk::Curve().grown));
        QVERIFY(isGrown("Stop", offsetof(sdk::Stop, grown), sdk::Stop().grown));
        QVERIFY(isGrown("Problem", offsetof(sdk::Problem, grown), sdk::Problem().grown));
        QVERIFY(isGrown("TraceRow", offsetof(sdk::TraceRow, grown), sdk::TraceRow().grown));
        QVERIFY(isGrown("Extension", offsetof(sdk::Extension, grown), sdk::Extension().grown));
        QVERIFY(isGrown("Control", offsetof(sdk::Control, grown), sdk::Control().grown));
        QVERIFY(isGrown("StageRow", offsetof(sdk::StageRow, grown), sdk::StageRow().grown));
        QVERIFY(isGrown("GoalResult", offsetof(sdk::GoalResult, grown), sdk::GoalResult().grown));
        QVERIFY(isGrown("Solution", offsetof(sdk::Solution, grown), sdk::Solution().grown));
    }

    void appendedMembersCountFromTheirMinorVersionOn()
    {
        const auto before = [](int minor) { return sdk::layoutHash(minor); };
        QVERIFY(before(sdk::kSdkMinor) != before(sdk::kSdkMinor - 1));
        QCOMPARE(layoutOfHost().count("Problem::grown"), std::size_t{1});
    }

    void everyFrozenMemberIsStillInItsPlace()
    {
        const Layout frozen = layoutOfFrozenPlugin(), now = layoutOfHost();
        QVERIFY(frozen.size() > 100);
        for (const auto& [member, place] : frozen) {
            const auto found = now.find(member);
            QVERIFY2(found != now.end(), (member + " of SDK 2.0 is gone").c_str());
            QVERIFY2(found->second.offset == place.offset && found->second.size == place.size,
                     (member + " was at " + std::to_string(place.offset) + " in SDK 2.0 and is at " +
                      std::to_string(found->second.offset) + " now; append new members at the end")
                         .c_str());
        }
    }

    void thePluginOfSdk20LoadsAndSolves()
    {
        SolverRegistry registry;
        const auto added = registry.add(TENDON_FROZEN_PLUGIN);
        QVERIFY2(added.has_value(), added.has_value() ? "" : added.error().text().c_str());
        QCOMPARE(added->sdkMinor, 0);
        auto made = registry.create("frozen");
        QVERIFY2(made.has_value(), made.has_value() ? "" : made.error().text().c_str());
        sdk::Solver& solver = **made;

        const Arm arm;
        const sdk::Model model = arm.arrays.view();
        QCOMPARE(solver.prepare(model, 2), sdk::Status::Converged);

        // The goal that counts is in the second row, which the plugin finds by the host's stride alone.
        std::vector<sdk::Goal> goals(2);
        goals[0].positionWeight = goals[0].rotationWeight = 0;
        goals[1].body = 3;
        goals[1].targetPosition[0] = 1.2;
        goals[1].targetPosition[1] = 1.4;
        std::vector<double> q(3);
        std::vector<sdk::GoalResult> results(2);
        std::vector<sdk::TraceRow> trace(3);
        std::vector<sdk::StageRow> rows(5);
        sdk::Stop stop;
        const sdk::Objectives none;
        sdk::Problem problem;
        problem.base = arm.base;
        problem.seed = arm.seed;
        problem.goals = goals;
        problem.stop = &stop;
        problem.objectives = &none;
        sdk::Extension stages = sdk::makeExtension(sdk::kStages, std::span(rows));
        sdk::Control control;
        control.trace = trace;
        control.extensions = std::span(&stages, 1);
        sdk::Solution solution;
        solution.q = q;
        solution.goals = results;
        QCOMPARE(solver.solve(problem, control, solution), sdk::Status::Converged);

        QVERIFY(Arm::distance(q, goals[1]) <= goals[1].positionTolerance);
        QVERIFY(std::abs(results[1].positionError - Arm::distance(q, goals[1])) < 1e-12);
        QVERIFY(results[0].status == sdk::Status::Converged && results[1].status == sdk::Status::Converged);
        QVERIFY(solution.iterations > 2 && solution.traceRows == 3);
        QVERIFY(trace[1].iteration == 1 && trace[2].iteration == 2 && trace[1].residual > trace[2].residual);
        QCOMPARE(stages.used, 5);
        QVERIFY(rows[0].body == 2 && rows[1].body == 1 && rows[2].body == 0 && rows[3].pass == 1);

        // What the plugin does not know keeps the value that the host put there.
        for (const sdk::GoalResult& result : results) QCOMPARE(result.grown, kGrown);
        for (const sdk::TraceRow& row : trace) QCOMPARE(row.grown, kGrown);
        for (const sdk::StageRow& row : rows) QCOMPARE(row.grown, kGrown);
        QCOMPARE(solution.grown, kGrown);
        QCOMPARE(stages.grown, kGrown);

        // It reads what the host says behind pointers.
        stop.maxIterations = 1;
        QCOMPARE(solver.solve(problem, {}, solution), sdk::Status::IterationLimit);
        QCOMPARE(solution.iterations, 1);
        sdk::Objectives rest;
        rest.restPose = 1;
        problem.objectives = &rest;
        QCOMPARE(solver.solve(problem, {}, solution), sdk::Status::Unsupported);
        problem.objectives = nullptr;
        problem.stop = nullptr;
        QCOMPARE(solver.solve(problem, {}, solution), sdk::Status::Converged);
    }

    void whatASmallerStructLacksKeepsItsDefault()
    {
        sdk::Stop given;
        given.maxIterations = 7;
        given.stall = 0.5;
        given.size = offsetof(sdk::Stop, stall); // as a host would send it that knows nothing from `stall` on
        const sdk::Stop got = sdk::read(&given);
        QCOMPARE(got.maxIterations, 7);
        QCOMPARE(got.stall, sdk::Stop().stall);
        QCOMPARE(got.grown, kGrown);
        QCOMPARE(sdk::read<sdk::Stop>(nullptr).maxIterations, sdk::Stop().maxIterations);
    }
};

QTEST_APPLESS_MAIN(TestSdkGrowth)
#include "tst_sdk_growth.moc"

#include "app/editor/CompareCsv.h"

#include "core/solve/StatusNames.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace tendon::editor {
namespace {

std::string number(double value)
{
    if (!std::isfinite(value)) return {};
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

/// Quoted where it has to be.
std::string cell(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

/// Empty where it is not measured.
std::string timeOf(double seconds) { return seconds > 0 ? number(seconds) : std::string(); }

using Cells = std::vector<std::string>;

std::string line(const Cells& cells)
{
    std::string made;
    for (const std::string& text : cells) made += (made.empty() ? "" : ",") + cell(text);
    return made + '\n';
}

/// The line of a solver that did not run: the `first` cells, and why in the last of `columns`.
std::string problemLine(Cells first, std::size_t columns, const std::string& problem)
{
    first.resize(columns);
    first.back() = problem;
    return line(first);
}

/// A stage as the panel's letters and words call it.
std::string nameOf(sdk::Stage stage)
{
    switch (stage) {
    case sdk::Stage::Start: return "a start";
    case sdk::Stage::Goal: return "b goal";
    case sdk::Stage::Place: return "c place";
    case sdk::Stage::Look: return "d look";
    case sdk::Stage::Ellipse: return "e ellipse";
    case sdk::Stage::IntoEllipse: return "f into ellipse";
    case sdk::Stage::Length: return "g length";
    case sdk::Stage::Twist: return "h twist";
    case sdk::Stage::Candidate: return "candidate";
    case sdk::Stage::SubBase: return "mean of candidates";
    case sdk::Stage::Root: return "root";
    }
    return "unknown";
}

} // namespace

std::string tableCsv(const SolveRecording& recording, std::int32_t frame)
{
    const Cells columns = {"solver",
                           "frame",
                           "position error (m)",
                           "rotation error (rad)",
                           "total residual (m)",
                           "total residual (rad)",
                           "iterations",
                           "median time (s)",
                           "longest time (s)",
                           "median time per iteration (s)",
                           "limit hits",
                           "pull",
                           "result"};
    std::string made = line(columns);
    for (const SolverRecording& solver : recording.solvers) {
        if (!solver.problem.empty()) {
            made += problemLine({solver.solver, std::to_string(frame)}, columns.size(), solver.problem);
            continue;
        }
        const HandleResult& result = solver.result;
        const SolveStep::Miss total = solver.steps.back().total();
        made += line({solver.solver, std::to_string(frame), number(result.positionError), number(result.rotationError),
                      number(total.position), number(total.rotation), std::to_string(result.iterations),
                      number(solver.medianSeconds), number(solver.maxSeconds), timeOf(solver.secondsPerIteration()),
                      std::to_string(result.limitHits.size()), result.pull ? number(*result.pull) : "",
                      statusName(result)});
    }
    return made;
}

std::string clipCsv(std::span<const ClipScore> scores)
{
    const Cells columns = {
        "solver",           "frames",         "frames missed",      "frames softened", "largest error (m)",
        "at frame",         "mean error (m)", "mean iterations",    "most iterations", "median time (s)",
        "longest time (s)", "limit hits",     "largest step (rad)", "step at frame",   "step of joint",
        "problem"};
    std::string made = line(columns);
    for (const ClipScore& score : scores) {
        if (score.frames == 0) {
            made += problemLine({score.solver, "0"}, columns.size(), score.problem);
            continue;
        }
        made += line({score.solver, std::to_string(score.frames), std::to_string(score.missed),
                      std::to_string(score.softened), number(score.largestError), std::to_string(score.at.error),
                      number(score.meanError), number(score.meanIterations), std::to_string(score.mostIterations),
                      number(score.medianSeconds), number(score.maxSeconds), std::to_string(score.limitHits),
                      number(score.largestStep), score.at.step > 0 ? std::to_string(score.at.step) : "",
                      score.stepJoint, score.problem});
    }
    return made;
}

std::string convergenceCsv(const SolveRecording& recording)
{
    std::string made = line({"solver", "iteration", "position error (m)", "rotation error (rad)", "total residual (m)",
                             "total residual (rad)", "median time per iteration (s)", "largest change (rad or m)",
                             "damping", "rank", "smallest singular value"});
    for (const SolverRecording& solver : recording.solvers) {
        double change = 0; // of the iteration so far
        for (std::size_t i = 0; i < solver.steps.size(); ++i) {
            // The start, and where each iteration has led: what an iteration tried and gave up is left out.
            const SolveStep& step = solver.steps[i];
            change = i > 0 && solver.steps[i - 1].iteration == step.iteration ? std::max(change, step.change)
                                                                              : step.change;
            if (i > 0 && i + 1 < solver.steps.size() && solver.steps[i + 1].iteration == step.iteration) continue;
            const auto goal = static_cast<std::size_t>(solver.goal);
            const bool hasMiss = solver.goal >= 0 && goal < step.misses.size();
            made += line({solver.solver, std::to_string(step.iteration),
                          hasMiss ? number(step.misses[goal].position) : "",
                          hasMiss ? number(step.misses[goal].rotation) : "", number(step.total().position),
                          number(step.total().rotation), timeOf(solver.secondsPerIteration()), number(change),
                          step.damping >= 0 ? number(step.damping) : "", std::to_string(step.rank),
                          step.singularValues.empty() ? "" : number(step.singularValues.back())});
        }
    }
    return made;
}

std::string stagesCsv(const SolveRecording& recording, const CompiledRig& rig)
{
    std::string made = line({"solver",   "pass",     "direction", "stage",         "joint",
                             "weight",   "x (m)",    "y (m)",     "z (m)",         "qx",
                             "qy",       "qz",       "qw",        "swing a (rad)", "swing b (rad)",
                             "+a (rad)", "-a (rad)", "+b (rad)",  "-b (rad)",      "limited"});
    const auto nameOfJoint = [&](const SolverRecording& solver, std::int32_t joint) {
        const JointIndex index = joint < 0 ? -1 : solver.joints[static_cast<std::size_t>(joint)];
        return index < 0 || at(index) >= rig.jointCount() ? std::string() : rig.authored[at(index)].name;
    };
    const auto name = [&](const SolverRecording& solver, const RecordedStage& stage) {
        const bool isOfGoal = stage.joint < 0 && stage.goal >= 0;
        return nameOfJoint(solver, isOfGoal ? solver.goals[static_cast<std::size_t>(stage.goal)].joint : stage.joint);
    };
    for (const SolverRecording& solver : recording.solvers)
        for (const RecordedStage& stage : solver.stages) {
            const sdk::StageRow& row = stage.row;
            Cells cells = {solver.solver,
                           std::to_string(row.pass),
                           row.isForward != 0 ? "outward" : "inward",
                           nameOf(row.stage),
                           name(solver, stage),
                           row.stage == sdk::Stage::Candidate ? number(row.weight) : ""};
            for (const double value : row.position) cells.push_back(number(value));
            for (const double value : row.rotation) cells.push_back(number(value));
            const bool hasEllipse = row.stage == sdk::Stage::Ellipse || row.stage == sdk::Stage::IntoEllipse;
            for (const double value : row.swing) cells.push_back(hasEllipse ? number(value) : "");
            for (const double value : row.semiAxes) cells.push_back(hasEllipse ? number(value) : "");
            cells.push_back(stage.limited < 0 ? std::string() : nameOfJoint(solver, stage.limited));
            made += line(cells);
        }
    return made;
}

} // namespace tendon::editor

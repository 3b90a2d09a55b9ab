#pragma once

#include "core/clip/ClipSolver.h"
#include "core/conformance/SolverProblemClip.h"
#include "solvers/dls/DlsSolver.h"

#include <tendon/kit/Random.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

namespace tendon {

/// Mechanisms with a smooth motion that meets every target, and tasks made of them.
class ClipCase
{
public:
    /// A hinge at `position` above the last joint, about `axis` (0, 1, 2).
    void addHinge(const Vector3& position, int axis, double lower, double upper)
    {
        SolverProblem::Joint joint;
        joint.name = "j" + std::to_string(problem.joints.size());
        joint.parent = static_cast<std::int32_t>(problem.joints.size()) - 1;
        joint.position = position;
        joint.motion = SolverProblem::Motion::Revolute;
        joint.axis = Vector3::Unit(axis);
        joint.lower = lower;
        joint.upper = upper;
        joint.dof = static_cast<std::int32_t>(problem.start.size());
        problem.joints.push_back(joint);
        problem.start.push_back(0.5 * (lower + upper));
    }

    void addGoal(const Vector3& position, bool hasOrientation)
    {
        SolverProblem::Joint tip;
        tip.name = "tip";
        tip.parent = static_cast<std::int32_t>(problem.joints.size()) - 1;
        tip.position = position;
        problem.joints.push_back(tip);
        problem.goals.push_back({.name = "tip",
                                 .joint = static_cast<std::int32_t>(problem.joints.size()) - 1,
                                 .hasPosition = true,
                                 .hasOrientation = hasOrientation});
        problem.positionTolerance = problem.rotationTolerance = 1e-5;
    }

    /// An arm with a shoulder, an elbow and a wrist of three hinges, six in all; seven with a turn of the upper
    /// arm, and a shoulder and an elbow that bend one way.
    static ClipCase arm(int hinges)
    {
        ClipCase made;
        made.addHinge({0, 0, 0.3}, 2, -2.9, 2.9);
        made.addHinge({0, 0, 0}, 1, hinges == 7 ? 0.1 : -2, 2);
        if (hinges == 7) made.addHinge({0, 0, 0.2}, 2, -2.9, 2.9);
        made.addHinge({0, 0, 0.2}, 1, hinges == 7 ? 0.1 : -2.6, 2.6);
        made.addHinge({0, 0, 0.2}, 2, -2.9, 2.9);
        made.addHinge({0, 0, 0.2}, 1, -2, 2);
        made.addHinge({0, 0, 0}, 2, -3 * std::numbers::pi, 3 * std::numbers::pi);
        made.addGoal({0, 0, 0.1}, true);
        return made;
    }

    /// Sines within the limits, `turns` times round each, so that the first frame follows the last.
    void addMotion(int frames, std::uint64_t seed, int turns = 3)
    {
        kit::Random random(seed);
        truth.assign(static_cast<std::size_t>(frames), std::vector<double>(problem.start.size()));
        for (const SolverProblem::Joint& joint : problem.joints) {
            if (joint.dof < 0) continue;
            const double middle = 0.5 * (joint.lower + joint.upper);
            const double room = std::min(1.2, 0.45 * (joint.upper - joint.lower));
            for (int wave = 1; wave <= turns; ++wave) {
                const double size = room / turns * random.uniform(0.5, 1), phase = random.uniform(0, 6.28);
                for (int t = 0; t < frames; ++t)
                    truth[static_cast<std::size_t>(t)][static_cast<std::size_t>(joint.dof)] +=
                        (wave == 1 ? middle : 0) + size * std::sin(2 * std::numbers::pi * wave * t / frames + phase);
            }
        }
        problem.cases.clear();
        for (const std::vector<double>& q : truth) addFrame(q);
        problem.start = truth.front();
    }

    void addFrame(const std::vector<double>& q)
    {
        const auto world = problem.forwardKinematics(q);
        SolverProblem::Case wanted;
        for (const SolverProblem::Goal& goal : problem.goals)
            wanted.targets.push_back(world[static_cast<std::size_t>(goal.joint)]);
        problem.cases.push_back(wanted);
    }

    SolverProblem problem;
    std::vector<std::vector<double>> truth; ///< (frames x DOFs)
};

/// A case as a task for the solver dls. The references are the case's start, unless given.
class ClipTaskOf
{
public:
    explicit ClipTaskOf(const ClipCase& made, std::vector<std::vector<double>> references = {})
        : m_problem(made.problem), m_model(m_problem, false),
          m_clip(m_problem, m_model, [this](const sdk::Model& model) {
              auto solver = makeDlsSolver();
              const auto goals = static_cast<std::int32_t>(m_problem.goals.size());
              if (solver->prepare(model, goals) != sdk::Status::Converged) std::abort();
              return solver;
          })
    {
        if (!references.empty()) m_clip.references = std::move(references);
        task = m_clip.task;
    }
    ClipTaskOf(const ClipTaskOf&) = delete;
    ClipTaskOf& operator=(const ClipTaskOf&) = delete;

    [[nodiscard]] std::span<const double> answerAt(const ClipAnswer& answer, int frame) const
    {
        const auto nq = static_cast<std::size_t>(task.model.coordinateCount);
        return {answer.q.data() + static_cast<std::size_t>(frame) * nq, nq};
    }
    [[nodiscard]] int solved(const ClipAnswer& answer) const
    {
        int count = 0;
        for (int t = 0; t < task.frameCount; ++t)
            count += m_problem.isSolved(
                m_problem.judge(answerAt(answer, t), m_problem.cases[static_cast<std::size_t>(t)]));
        return count;
    }

    ClipTask task;

private:
    SolverProblem m_problem;
    SolverProblemModel m_model;
    SolverProblemClip m_clip;
};

/// [rad] The largest change of a DOF from each frame to the next, ascending.
inline std::vector<double> sortedSteps(std::span<const double> q, std::size_t frames)
{
    const std::size_t nq = q.size() / frames;
    std::vector<double> steps;
    for (std::size_t t = 1; t < frames; ++t) {
        double largest = 0;
        for (std::size_t c = 0; c < nq; ++c) largest = std::max(largest, std::abs(q[t * nq + c] - q[(t - 1) * nq + c]));
        steps.push_back(largest);
    }
    std::sort(steps.begin(), steps.end());
    return steps;
}

inline double percentile99(const std::vector<double>& sorted)
{
    return sorted[static_cast<std::size_t>(0.99 * static_cast<double>(sorted.size() - 1) + 0.5)];
}

} // namespace tendon

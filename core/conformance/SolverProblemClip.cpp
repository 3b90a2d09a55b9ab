#include "core/conformance/SolverProblemClip.h"

#include <cmath>
#include <span>

namespace tendon {

SolverProblemClip::SolverProblemClip(const SolverProblem& problem, const SolverProblemModel& model,
                                     std::function<std::unique_ptr<sdk::Solver>(const sdk::Model& model)> makeSolver)
    : references{model.toSolver(problem.start)}, m_model(model)
{
    for (const SolverProblem::Case& wanted : problem.cases) m_goals.push_back(model.goals(wanted));
    task.model = model.model();
    task.frameCount = static_cast<int>(m_goals.size());
    task.problem = [this](int frame) {
        const auto place = static_cast<std::size_t>(frame);
        sdk::Problem asked;
        asked.base = m_model.base();
        asked.seed = references.size() == 1 ? references.front() : references[place];
        asked.posture = references.front();
        asked.goals = m_goals[place];
        asked.stop = &stop;
        asked.search = sdk::Search::Find;
        return asked;
    };
    const double seconds = 1 / problem.framesPerSecond;
    for (const SolverProblem::Joint& joint : problem.joints) // a ball's DOFs are not those of the file
        if (!problem.isBallChain && joint.dof >= 0 && !(std::isinf(joint.velocity) && std::isinf(joint.acceleration)))
            task.rates.push_back({joint.dof, 1, joint.velocity * seconds, joint.acceleration * seconds * seconds});
    task.makeSolver = [this, make = std::move(makeSolver)] { return make(task.model); };
}

std::vector<double> SolverProblemClip::inFile(const ClipAnswer& answer, std::size_t frame) const
{
    const auto nq = static_cast<std::size_t>(task.model.coordinateCount);
    return m_model.toFile(std::span(answer.q).subspan(frame * nq, nq));
}

} // namespace tendon

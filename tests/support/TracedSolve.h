#pragma once

#include "tests/support/SolverModel.h"

/// A solve with the configuration after each row of its trace.
struct TracedSolve
{
    SolveResult result;
    std::vector<tendon::sdk::TraceRow> rows;
    std::vector<std::vector<double>> poses; ///< one for each row

    TracedSolve(tendon::sdk::Solver& solver, const SolverModel& rig, std::span<const tendon::sdk::Goal> goals,
                const tendon::sdk::Problem& problem, std::size_t room = 5000)
    {
        const std::size_t nq = rig.seed.size();
        std::vector<double> configurations(room * nq);
        rows.resize(room);
        tendon::sdk::Control control;
        control.trace = rows;
        control.traceConfigurations = configurations;
        result = solveOnce(solver, rig, goals, problem, control);
        rows.resize(static_cast<std::size_t>(result.solution.traceRows));
        for (std::size_t k = 0; k < rows.size(); ++k)
            poses.emplace_back(configurations.begin() + static_cast<std::ptrdiff_t>(k * nq),
                               configurations.begin() + static_cast<std::ptrdiff_t>((k + 1) * nq));
    }
};

#pragma once

#include <tendon/kit/SolverRun.h>

#include <span>
#include <vector>

namespace tendon::fabrik {

/// Damped Gauss-Newton steps of all joints at once (Levenberg 1944; Marquardt 1963), within limits: joints that press
/// against a limit stay there for a step. They go on where passes and sweeps, which move one joint at a time, crawl;
/// and where they end, limits or contradicting goals are what holds the pose.
class Descent
{
public:
    void prepare(const sdk::Model& model, std::int32_t maxGoals);

    /// Begins at `q` (nq). `size` [m]: the length that counts as much as one radian.
    void begin(const kit::SolverRun& run, std::span<const double> q, double size);

    /// One step, if a step makes the miss smaller; false at the end of the descent. Changes the run's configuration.
    /// Never allocates.
    [[nodiscard]] bool step(kit::SolverRun& run);

    [[nodiscard]] std::span<const double> q() const { return m_q; }

private:
    [[nodiscard]] double miss(kit::SolverRun& run, std::span<const double> q);
    void holdPressed(kit::SolverRun& run);
    [[nodiscard]] bool solve(kit::SolverRun& run);

    double m_size = 1, m_damping = 0;
    std::vector<double> m_q, m_trial;      ///< (nq)
    std::vector<double> m_factors;         ///< (rows) what makes metres and radians comparable
    std::vector<double> m_error, m_forces; ///< (rows)
    std::vector<double> m_matrix;          ///< (rows x rows)
    std::vector<double> m_unit;            ///< (nv) a DOF's unit; 0 = takes no part in the step
    std::vector<double> m_step;            ///< (nv)
};

} // namespace tendon::fabrik

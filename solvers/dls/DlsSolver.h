#pragma once

#include "solvers/dls/BoxStep.h"
#include "solvers/dls/LinkTree.h"
#include "solvers/dls/NearestPose.h"
#include "solvers/dls/Tasks.h"

#include <tendon/kit/JointLaw.h>
#include <tendon/kit/Random.h>
#include <tendon/kit/SolverBase.h>

#include <memory>
#include <span>
#include <vector>

namespace tendon {

/// Damped least squares: the plain one of the classical texts (mode "plain"), and an adaptive one (the default) with
/// hard limits, for any joints and goals. README.md beside this file has the mathematics.
class DlsSolver final : public kit::SolverBase
{
public:
    DlsSolver();

private:
    enum class Mode { Adaptive = 0, Plain = 1, Nearest = 2 };
    enum class Chart { RotationVector = 0, Tangent = 1 };

    sdk::Status onPrepare(const sdk::Model& model, std::int32_t maxGoals) override;
    void run(kit::SolverRun& run) override;

    // Plain mode.
    void runPlain(kit::SolverRun& run);
    void stepPlain(kit::SolverRun& run);
    void readChart(const kit::SolverRun& run);

    // Adaptive mode.
    void runAdaptive(kit::SolverRun& run);
    sdk::Status descend(kit::SolverRun& run, int iterations, bool mayGiveUp);
    void search(kit::SolverRun& run);
    void applyMetric(const kit::SolverRun& run);
    [[nodiscard]] std::span<const double> referenceOf(const sdk::Problem& problem) const;
    void startFrom(const kit::SolverRun& run, std::span<const double> reference);
    void straighten(kit::SolverRun& run);
    void leaveStraight(const kit::SolverRun& run);
    void findPath(int tip);
    void unbend();
    bool isBlocked() const;
    bool nudge(const kit::SolverRun& run, int attempt);
    void randomise(const sdk::Model& model, kit::Random& random);
    double largestStep() const;

    Mode m_mode = Mode::Adaptive;
    Chart m_chart = Chart::RotationVector;
    kit::Choice m_choice = kit::Choice::Any;

    bool m_isNearest = false;      ///< mode nearest, or a choice, on a rig that it takes
    bool m_hasLimitedBall = false; ///< a projection that each step may undo

    dls::LinkTree m_tree;
    dls::Tasks m_tasks;
    dls::BoxStep m_boxStep;
    dls::NearestPose m_nearest;
    kit::Resistances m_resistances;
    std::vector<double> m_q, m_trial, m_best;        ///< (nq)
    std::vector<double> m_lower, m_upper, m_y, m_dv; ///< per column
    std::vector<int> m_path;                         ///< links of a chain, tip first

    // Plain mode.
    std::vector<double> m_chartValues; ///< (nv) what the chart adds up: values of DOFs, rotation vectors of balls
    std::vector<double> m_normal;      ///< (nv x nv) J'J with damping
    std::vector<double> m_step;        ///< (nv)
    Eigen::MatrixXd m_chartJacobian;   ///< (rows x nv) with respect to the chart
};

/// A new DlsSolver: what the plugin's shell calls, so that it need not compile this class.
[[nodiscard]] std::unique_ptr<sdk::Solver> makeDlsSolver();

} // namespace tendon

#pragma once

#include "solvers/jacobian/Decomposition.h"

#include <tendon/kit/SolverBase.h>

#include <memory>
#include <vector>

namespace tendon {

/// The classical methods that turn the Jacobian into a step: its transpose, its pseudo-inverse, and selectively damped
/// least squares. They differ in one function each; README.md beside this file has the mathematics.
class JacobianSolver final : public kit::SolverBase
{
public:
    JacobianSolver();

private:
    enum class Method { Transpose = 0, PseudoInverse = 1, SelectivelyDamped = 2 };

    sdk::Status onPrepare(const sdk::Model& model, std::int32_t maxGoals) override;
    [[nodiscard]] bool supports(const kit::SolverRun& run) const override;
    void run(kit::SolverRun& run) override;

    void begin(const kit::SolverRun& run);
    double step(kit::SolverRun& run);
    double updateError(kit::SolverRun& run);
    void buildJacobian(kit::SolverRun& run);
    bool dropPressed(const kit::SolverRun& run);
    void solveSystem();
    void solveTranspose();
    void solveByDirections(bool isSelective);
    [[nodiscard]] double selectiveShare(Eigen::Index direction) const;
    void shorten(Eigen::Ref<Eigen::VectorXd> step, double largest) const;

    Method m_method = Method::Transpose;
    double m_rankTolerance = 0, m_maxStep = 0;
    bool m_bends = false;

    double m_gain = 1;                     ///< share of each step that is taken
    double m_length = 1;                   ///< [m] counts as much as one radian
    std::vector<double> m_rowFactors;      ///< of the kit's rows: 1 / length for positions, else 1
    std::vector<double> m_shifts;          ///< added to the kit's residual: targets beyond reach move within it
    std::vector<std::int32_t> m_columns;   ///< the DOFs that may move, without those that press against a limit
    std::vector<double> m_q, m_best, m_dv; ///< (nq), (nq) of the least error so far, (nv)
    Eigen::MatrixXd m_jacobian;            ///< (rows x columns) without units: lengths divided by m_length
    Eigen::VectorXd m_error;               ///< (rows) target minus current, likewise
    Eigen::VectorXd m_step, m_part;        ///< (columns) what the method answers; one singular direction's share
    jacobian::Decomposition m_decomposition;
    std::vector<std::int32_t> m_blocks; ///< first row of each point or rotation that is asked, and the end
    int m_rank = 0;                     ///< of the last decomposition
};

/// A new JacobianSolver: what the plugins' shells call, so that they need not compile this class.
[[nodiscard]] std::unique_ptr<sdk::Solver> makeJacobianSolver();

} // namespace tendon

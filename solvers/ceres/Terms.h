#pragma once

#include "solvers/ceres/Space.h"

namespace tendon::ceres_ik {

/// What one solve minimises, as weighted rows with exact derivatives: the goals, and the objectives that choose among
/// the poses that meet them.
///
///     F = 1/2 |goalFactor (r + shift)|^2 + 1/2 sum of objectives
///
/// r holds the goals' residuals, position rows divided by length() and each row by its weight. README.md
/// beside this file has the rest.
class Terms
{
public:
    void prepare(const kit::Model& model, std::int32_t maxGoals);

    /// Takes the goals of `run`; objectives off, no shift, factor 1. `space` is built by this, and stays borrowed.
    void build(const kit::SolverRun& run, Space& space);

    // What is minimised besides the bare goals.
    void setGoalFactor(double factor) { m_goalFactor = factor; }
    /// Adds `times` the residual of the last evaluate() to the shift: the multiplier step of an augmented Lagrangian
    /// (with 1), or a wish to keep what the goals have come to (with -1, from a shift of zero).
    void addToShift(double times);
    void clearShift();
    /// Takes the objectives of the problem, and with them the wish to stay at `anchor` (nq; empty = none). False when
    /// none has a weight and something to be similar to.
    bool enableObjectives(std::span<const double> anchor);
    void disableObjectives();
    /// By how much the objectives' rows were shrunk to make their common pull 1.
    [[nodiscard]] double objectiveScale() const { return m_objectiveScale; }

    [[nodiscard]] Eigen::Index rows() const { return m_goalRows + m_objectiveRows; }
    [[nodiscard]] Eigen::Index goalRows() const { return m_goalRows; }
    [[nodiscard]] double length() const { return m_length; } ///< [m] that metres are divided by

    /// Writes rows() numbers at a configuration (nq).
    void evaluate(std::span<const double> q, double* rows);

    /// Writes d(rows)/d(DOFs of the space) at the configuration of the last evaluate(): rows() x space.tangentSize(),
    /// by rows.
    void differentiate(double* jacobian);

    /// True when every objective asks for the configuration itself, so that nothing would move.
    [[nodiscard]] bool isContent(std::span<const double> q);

private:
    /// Similarity to a configuration: rows of (difference per DOF) * factor.
    struct Likeness
    {
        std::span<const double> toward; ///< (nq)
        double factor = 0;
        bool isAnchor = false; ///< stiff joints hold on more
    };
    struct MovedMass
    {
        std::int32_t body = 0;
        kit::Vector3 centre = kit::Vector3::Zero();   ///< in body space
        kit::Vector3 previous = kit::Vector3::Zero(); ///< in model space
        double factor = 0;
    };

    void addLikeness(std::span<const double> toward, double weight, bool isAnchor);
    void addMasses(double weight);
    [[nodiscard]] bool isMoved(std::int32_t body) const;
    void forward(std::span<const double> q);
    double* evaluateLikeness(const Likeness& likeness, double* out) const;
    void differentiateGoals(double* jacobian);
    double* differentiateLikeness(const Likeness& likeness, double* out) const;
    double* differentiateMass(const MovedMass& mass, double* out) const;

    const kit::Model* m_model = nullptr;
    const sdk::Problem* m_problem = nullptr;
    sdk::Objectives m_objectives;
    Space* m_space = nullptr;
    std::vector<std::int32_t> m_bodies;      ///< that goals hang on, parents first
    std::vector<std::int32_t> m_allBodies;   ///< 0 ... n - 1: when masses are asked about
    std::vector<sdk::Goal> m_goals;          ///< as asked, those beyond reach brought to its edge
    std::vector<double> m_factors;           ///< per goal row
    std::vector<double> m_shift, m_residual; ///< per goal row
    std::vector<kit::Frame<double>> m_frames, m_otherFrames;
    std::vector<kit::DofMotion> m_motions;
    std::vector<double> m_q;
    std::vector<Likeness> m_likenesses;
    std::vector<MovedMass> m_masses;
    std::vector<double> m_anchor;
    Eigen::Index m_goalRows = 0, m_objectiveRows = 0;
    double m_length = 1, m_goalFactor = 1, m_objectiveScale = 1;
};

} // namespace tendon::ceres_ik

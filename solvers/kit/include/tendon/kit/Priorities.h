#pragma once

#include <tendon/kit/Cholesky.h>
#include <tendon/kit/Tangent.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace tendon::kit {

/// Goals of different priorities in one solve, for any solver that can meet several goals. SolverBase uses it:
///
/// 1. All goals are solved as equals(). If all are met, that is the answer.
/// 2. The goals of the highest() priority are solved alone.
/// 3. settle() goes down the priorities: each level comes as near to its goals as it can without moving the goals above
///    it from where they have come to.
///
/// A step of settle() solves, by orthonormal rows B of the held goals' Jacobian A,
///
///     minimise |J y + r|^2 + damping |y|^2   subject to   A y = -e,   lower <= y <= upper
///
/// with e what the held goals have drifted. Newton's steps on e alone follow each step, and one that leaves more drift
/// than kMaxDrift is not taken. Nothing here allocates after prepare().
class Priorities
{
public:
    void prepare(const Model& model, std::int32_t maxGoals)
    {
        m_tangent.prepare(model);
        const auto goals = static_cast<std::size_t>(maxGoals);
        const auto rows = static_cast<Eigen::Index>(maxGoals) * kMaxRows, dofs = Eigen::Index(model.dofCount);
        m_equals.reserve(goals);
        m_highest.reserve(goals);
        m_levels.reserve(goals);
        for (std::vector<double>* q : {&m_q, &m_trial, &m_start})
            q->assign(static_cast<std::size_t>(model.coordinateCount), 0);
        m_rowLevel.assign(static_cast<std::size_t>(rows), 0);
        for (Eigen::VectorXd* column : {&m_scale, &m_weight, &m_reached, &m_drift, &m_asked, &m_along, &m_dual})
            column->setZero(rows);
        for (Eigen::VectorXd* column : {&m_y, &m_bound}) column->setZero(dofs);
        for (Eigen::MatrixXd* matrix : {&m_basis, &m_held, &m_open}) matrix->setZero(rows, dofs);
        m_normal.assign(static_cast<std::size_t>(rows * rows), 0);
        m_isFixed.assign(static_cast<std::size_t>(model.dofCount), 0);
        m_sorted.assign(static_cast<std::size_t>(rows), 0);
    }

    /// Reads the goals. True if those that ask for something differ in priority.
    [[nodiscard]] bool build(const sdk::Problem& problem)
    {
        m_levels.clear();
        for (const Goal& goal : problem.goals)
            if (isActive(goal)) m_levels.push_back(goal.priority);
        std::sort(m_levels.begin(), m_levels.end(), std::greater<>());
        m_levels.erase(std::unique(m_levels.begin(), m_levels.end()), m_levels.end());
        if (m_levels.size() < 2) return false;
        m_equals.assign(problem.goals.begin(), problem.goals.end());
        m_highest = m_equals;
        for (std::size_t g = 0; g < m_equals.size(); ++g) {
            if (m_highest[g].priority != m_levels.front())
                m_highest[g].positionWeight = m_highest[g].rotationWeight = 0;
            m_equals[g].priority = m_highest[g].priority = m_levels.front();
        }
        return true;
    }

    /// All goals with one priority.
    [[nodiscard]] std::span<const Goal> equals() const { return m_equals; }
    /// The goals of the highest priority; the others are there without weight.
    [[nodiscard]] std::span<const Goal> highest() const { return m_highest; }

    /// Takes the answers (nq) to equals() and to highest(). settle() begins at the first where it can, so that the pose
    /// does not jump where goals cease to be reachable together.
    void takeAnswerToEquals(std::span<const double> q) { std::copy(q.begin(), q.end(), m_start.begin()); }
    void takeAnswerToHighest(std::span<const double> q) { std::copy(q.begin(), q.end(), m_q.begin()); }

    /// Offers the answer to `run`, which has been begun with equals(). `goals` have the priorities. Returns why it
    /// ended.
    sdk::Status settle(SolverRun& run, const sdk::Rows<const Goal>& goals)
    {
        m_tangent.build(run);
        readRows(run, goals);
        m_reached.setZero();
        look(run, m_q);
        m_level = 1;
        holdLevel(0);
        look(run, m_q);
        const double costAlone = m_cost;
        const bool isMovedBack = moveBack(run, m_start) <= kMaxDrift;
        if (isMovedBack) std::swap(m_q, m_start);
        sdk::Status status = sdk::Status::Stalled;
        for (; m_level < static_cast<int>(m_levels.size()); ++m_level) {
            status = approach(run);
            look(run, m_q);
            if (m_level == 1 && isMovedBack && m_cost > costAlone) { // it led into a dead end
                m_q = m_start;
                status = approach(run);
                look(run, m_q);
            }
            holdLevel(m_level);
            if (status == sdk::Status::Cancelled || status == sdk::Status::TimeLimit) break;
        }
        return run.accept(m_q) ? sdk::Status::Converged : status;
    }

private:
    static constexpr double kMaxDrift = 1e-7;    ///< of held goals, in shares of lengthOfRadian() or radians
    static constexpr double kAimedDrift = 1e-11; ///< that corrections aim at
    static constexpr int kMaxCorrections = 8;
    static constexpr int kMaxSteps = 200; ///< of one level
    static constexpr double kNoProgress =
        1e-6; ///< share of the cost; as small a gain ends a level after kPatience steps
    static constexpr int kPatience = 2;
    static constexpr double kNoStep = 1e-12, kMaxFactor = 1e12;
    static constexpr double kDependent = 1e-6; ///< a row of which so little is left adds no direction

    [[nodiscard]] bool isHeld(Eigen::Index row) const { return m_rowLevel[at(row)] < m_level; }
    [[nodiscard]] bool isOpen(Eigen::Index row) const { return m_rowLevel[at(row)] == m_level; }
    static std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

    void readRows(const SolverRun& run, const sdk::Rows<const Goal>& goals)
    {
        m_rows = 0;
        for (const std::int32_t g : run.activeGoals()) {
            const Goal& goal = goals[static_cast<std::size_t>(g)];
            const auto level = std::find(m_levels.begin(), m_levels.end(), goal.priority) - m_levels.begin();
            for (int i = 0; i < residualRows(goal.kind); ++i, ++m_rows) {
                m_rowLevel[at(m_rows)] = static_cast<int>(level);
                m_weight[m_rows] = rowWeight(goal, i);
                m_scale[m_rows] = asksPosition(goal.kind) && i < 3 ? 1 / m_tangent.length() : 1;
            }
        }
    }

    /// A held row without its weight and unit; a row without weight is not held.
    [[nodiscard]] double heldScale(Eigen::Index row) const
    {
        return m_weight[row] > 0 ? m_scale[row] / m_weight[row] : 0;
    }

    void look(SolverRun& run, std::span<const double> q)
    {
        run.residualNormAt(q);
        const auto r = run.residual();
        double squared = 0;
        for (Eigen::Index row = 0; row < m_rows; ++row) {
            if (isOpen(row)) squared += std::pow(r[row] * m_scale[row], 2);
            m_drift[row] = r[row] * heldScale(row) - m_reached[row];
        }
        m_cost = 0.5 * squared;
    }

    /// What the goals of a level have come to is what they are held at from now on.
    void holdLevel(int level)
    {
        for (Eigen::Index row = 0; row < m_rows; ++row)
            if (m_rowLevel[at(row)] == level) {
                m_reached[row] += m_drift[row];
                m_drift[row] = 0;
            }
    }

    [[nodiscard]] double drift() const
    {
        double largest = 0;
        for (Eigen::Index row = 0; row < m_rows; ++row)
            if (isHeld(row)) largest = std::max(largest, std::abs(m_drift[row]));
        return largest;
    }

    /// Newton's steps that bring the held goals back. Leaves `q` looked at and returns the drift that is left.
    double moveBack(SolverRun& run, std::vector<double>& q)
    {
        look(run, q);
        double before = kInfinity;
        for (int i = 0; i < kMaxCorrections; ++i) {
            const double now = drift();
            if (now <= kAimedDrift || !(now < 0.9 * before)) return now;
            before = now;
            chooseStep(run, q, kInfinity);
            m_tangent.move(q, m_y.data(), run.problem().locked, q);
            look(run, q);
        }
        return drift();
    }

    /// Comes as near to the goals of the level as the freedom that is left allows. Moves m_q.
    sdk::Status approach(SolverRun& run)
    {
        double factor = 0.1;
        int waits = 0;
        look(run, m_q);
        for (int i = 0; i < kMaxSteps; ++i) {
            if (isLevelMet(run)) return sdk::Status::Converged;
            if (run.isCancelled()) return sdk::Status::Cancelled;
            if (run.isOutOfTime()) return sdk::Status::TimeLimit;
            if (run.iterations() >= run.stopWhen().maxIterations) return sdk::Status::IterationLimit;
            run.countIterations(1);
            const double before = m_cost, norm = run.residualNorm();
            if (!chooseStep(run, m_q, factor * before + 1e-14)) return sdk::Status::NumericalFailure;
            const double moved = m_tangent.move(m_q, m_y.data(), run.problem().locked, m_trial);
            const double left = moveBack(run, m_trial);
            const bool helps = left <= kMaxDrift && m_cost < before;
            if (helps) {
                waits = m_cost > (1 - kNoProgress) * before ? waits + 1 : 0;
                std::swap(m_q, m_trial);
                factor = std::max(0.3 * factor, 1e-6);
            } else {
                look(run, m_q);
                factor = std::max(factor, 1e-3) * 8;
            }
            run.trace(norm, helps ? moved : 0, factor * before, 0, m_q);
            if (moved <= kNoStep || waits > kPatience || factor > kMaxFactor) break;
        }
        return sdk::Status::Stalled;
    }

    [[nodiscard]] bool isLevelMet(const SolverRun& run) const
    {
        Eigen::Index row = 0;
        for (const std::int32_t g : run.activeGoals()) {
            const Goal& goal = run.problem().goals[static_cast<std::size_t>(g)];
            if (isOpen(row) && !run.error(g).isWithin(goal)) return false;
            row += residualRows(goal.kind);
        }
        return true;
    }

    /// Sets m_y to the step at `q`, which was looked at last. Infinite damping: what brings held goals back alone.
    bool chooseStep(SolverRun& run, std::span<const double> q, double damping)
    {
        constexpr double kMaxStep = 1; ///< what derivatives tell holds nearby
        const auto byDof = run.jacobian();
        const Eigen::Index n = m_tangent.size();
        std::fill(m_isFixed.begin(), m_isFixed.end(), std::uint8_t(0));
        m_bound.setZero();
        for (;;) {
            gather(run.residual(), byDof);
            makeBasis();
            const bool isSolved = solveFree(n, damping);
            if (!isSolved || !fixViolators(q)) {
                const double largest = n > 0 ? m_y.head(n).cwiseAbs().maxCoeff() : 0; // every joint may be locked
                if (largest > kMaxStep) m_y.head(n) *= kMaxStep / largest;
                return isSolved && std::isfinite(largest);
            }
        }
    }

    /// The rows of the held goals and of the open ones by the free columns, and what is asked of both once the fixed
    /// columns have moved to their bounds.
    void gather(const SolverRun::VectorMap& residual, const SolverRun::MatrixMap& byDof)
    {
        m_heldRows = m_openRows = 0;
        for (Eigen::Index row = 0; row < m_rows; ++row) {
            if (!isHeld(row) && !isOpen(row)) continue;
            const bool holds = isHeld(row);
            const double scale = holds ? heldScale(row) : m_scale[row];
            const Eigen::Index to = holds ? m_heldRows++ : m_openRows++;
            Eigen::MatrixXd& matrix = holds ? m_held : m_open;
            double value = holds ? m_drift[row] : residual[row] * scale;
            for (const Tangent::Part& part : m_tangent.parts())
                for (int k = 0; k < part.size(); ++k) {
                    const double slope = part.unit * scale * byDof(row, part.dof + k);
                    const bool isFixed = m_isFixed[at(part.index + k)] != 0;
                    if (isFixed) value += slope * m_bound[part.index + k];
                    matrix(to, part.index + k) = isFixed ? 0 : slope;
                }
            (holds ? m_along : m_asked)[to] = value;
        }
    }

    /// Orthonormal rows B of the held rows, the largest remaining one first, and how far to go along each.
    void makeBasis()
    {
        const Eigen::Index n = m_tangent.size();
        double largest = 0;
        for (Eigen::Index row = 0; row < m_heldRows; ++row) {
            m_sorted[at(row)] = row;
            largest = std::max(largest, m_held.row(row).head(n).norm());
        }
        m_basisRows = 0;
        for (Eigen::Index done = 0; done < m_heldRows; ++done) {
            // All rows from here on are already without the directions found.
            auto best = done;
            for (Eigen::Index i = done + 1; i < m_heldRows; ++i)
                if (m_held.row(m_sorted[at(i)]).head(n).squaredNorm() >
                    m_held.row(m_sorted[at(best)]).head(n).squaredNorm())
                    best = i;
            std::swap(m_sorted[at(done)], m_sorted[at(best)]);
            const Eigen::Index row = m_sorted[at(done)];
            const double norm = m_held.row(row).head(n).norm();
            if (!(norm > kDependent * largest)) break;
            m_basis.row(m_basisRows).head(n) = m_held.row(row).head(n) / norm;
            m_dual[m_basisRows] = -m_along[row] / norm; // how far to go along the direction
            for (Eigen::Index i = done + 1; i < m_heldRows; ++i) {
                const Eigen::Index other = m_sorted[at(i)];
                const double share = m_held.row(other).head(n).dot(m_basis.row(m_basisRows).head(n));
                m_held.row(other).head(n) -= share * m_basis.row(m_basisRows).head(n);
                m_along[other] += share * m_dual[m_basisRows];
            }
            ++m_basisRows;
        }
    }

    bool solveFree(Eigen::Index n, double damping)
    {
        m_y.head(n) = m_bound.head(n);
        for (Eigen::Index b = 0; b < m_basisRows; ++b) {
            const auto direction = m_basis.row(b).head(n);
            m_y.head(n) += m_dual[b] * direction.transpose();
            for (Eigen::Index row = 0; row < m_openRows && std::isfinite(damping); ++row) {
                const double share = m_open.row(row).head(n).dot(direction);
                m_asked[row] += share * m_dual[b];
                m_open.row(row).head(n) -= share * direction;
            }
        }
        if (!std::isfinite(damping)) return true;
        const auto rows = static_cast<std::size_t>(m_openRows);
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j <= i; ++j)
                m_normal[j * rows + i] = m_open.row(Eigen::Index(i)).head(n).dot(m_open.row(Eigen::Index(j)).head(n));
            m_normal[i * rows + i] += damping;
        }
        if (!solveInPlace(m_normal.data(), m_asked.data(), rows)) return false;
        for (Eigen::Index row = 0; row < m_openRows; ++row)
            m_y.head(n) -= m_asked[row] * m_open.row(row).head(n).transpose();
        return true;
    }

    /// Fixes at its bound each free column that the step takes beyond it. False if there is none.
    bool fixViolators(std::span<const double> q)
    {
        bool isAny = false;
        for (const Tangent::Part& part : m_tangent.parts()) {
            if (part.isRotation || m_isFixed[at(part.index)] != 0) continue;
            const double lowest = m_tangent.lowest(part, q), highest = m_tangent.highest(part, q);
            if (m_y[part.index] >= lowest && m_y[part.index] <= highest) continue;
            m_bound[part.index] = m_y[part.index] < lowest ? lowest : highest;
            m_isFixed[at(part.index)] = 1;
            isAny = true;
        }
        return isAny;
    }

    Tangent m_tangent;
    std::vector<Goal> m_equals, m_highest;
    std::vector<std::int32_t> m_levels; ///< the priorities, highest first
    int m_level = 0;                    ///< that is approached; those before it are held
    std::vector<double> m_q, m_trial, m_start;

    Eigen::Index m_rows = 0;
    std::vector<int> m_rowLevel;
    Eigen::VectorXd m_weight, m_scale;  ///< (rows) of the residual; 1 / its unit
    Eigen::VectorXd m_reached, m_drift; ///< (rows) without weights and units: where held rows are to stay; from there
    double m_cost = 0;                  ///< 1/2 r'r of the level

    // One step. Rows of `held` come without weights, those of `open` with them.
    Eigen::MatrixXd m_held, m_open, m_basis;
    Eigen::VectorXd m_along, m_asked, m_dual, m_y, m_bound;
    Eigen::Index m_heldRows = 0, m_openRows = 0, m_basisRows = 0;
    std::vector<Eigen::Index> m_sorted;
    std::vector<double> m_normal;
    std::vector<std::uint8_t> m_isFixed;
};

} // namespace tendon::kit

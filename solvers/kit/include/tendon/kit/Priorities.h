#pragma once

#include <tendon/kit/Cholesky.h>
#include <tendon/kit/OtherStarts.h>
#include <tendon/kit/Tangent.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace tendon::kit {

/// Goals of different priorities in one solve, for any solver that can meet several goals. SolverBase uses it:
///
/// 1. All goals are solved as equals(). If all are met, that is the answer.
/// 2. Level by level, from the highest priority: the goals down to the level are solved as equals, downTo(), just as if
///    there were no lower ones. From there settle() brings the level as near to its goals as it can without moving the
///    goals above it from where they have come to. Where joints have limits, it tries the other starts of OtherStarts.h
///    as well. So what lower goals ask changes nothing above them.
///
/// A step of settle() solves, by orthonormal rows B of the held goals' Jacobian A,
///
///     minimise |J y + r|^2 + damping |y|^2   subject to   A y = -e,   lower <= y <= upper
///
/// with e what the held goals have drifted; of a ball with limits, y counts along BallWays. Newton's steps on e alone
/// follow each step, and one that leaves more drift than kMaxDrift is not taken. Nothing here allocates after
/// prepare().
class Priorities
{
public:
    /// A brief way downhill ends where it becomes slow: for a start that may lead nowhere.
    enum class Effort { Brief, Whole };

    void prepare(const Model& model, std::int32_t maxGoals)
    {
        m_tangent.prepare(model);
        const auto goals = static_cast<std::size_t>(maxGoals);
        const auto rows = static_cast<Eigen::Index>(maxGoals) * kMaxRows, dofs = Eigen::Index(model.dofCount);
        m_equals.reserve(goals);
        m_some.reserve(goals);
        m_isAsked.assign(static_cast<std::size_t>(model.bodyCount), 0);
        m_bodies.reserve(static_cast<std::size_t>(model.bodyCount));
        m_levels.reserve(goals);
        for (std::vector<double>* q : {&m_q, &m_trial, &m_start, &m_whole, &m_settled, &m_nearest})
            q->assign(static_cast<std::size_t>(model.coordinateCount), 0);
        m_rowLevel.assign(static_cast<std::size_t>(rows), 0);
        for (Eigen::VectorXd* column : {&m_scale, &m_weight, &m_reached, &m_drift, &m_asked, &m_along, &m_dual})
            column->setZero(rows);
        for (Eigen::VectorXd* column : {&m_y, &m_bound, &m_below, &m_above}) column->setZero(dofs);
        m_ways.assign(static_cast<std::size_t>(model.bodyCount), Matrix3::Identity());
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
        for (Goal& goal : m_equals) goal.priority = m_levels.front();
        return true;
    }

    /// All goals with one priority.
    [[nodiscard]] std::span<const Goal> equals() const { return m_equals; }
    [[nodiscard]] int levels() const { return static_cast<int>(m_levels.size()); }
    /// The goals of the highest priority and of as many below it as `level` says, with one priority; those of `goals`
    /// that are lower are there without weight.
    [[nodiscard]] std::span<const Goal> downTo(int level, const sdk::Rows<const Goal>& goals)
    {
        m_some = m_equals;
        for (std::size_t g = 0; g < m_some.size(); ++g)
            if (goals[g].priority < m_levels[static_cast<std::size_t>(level)])
                m_some[g].positionWeight = m_some[g].rotationWeight = 0;
        return m_some;
    }

    /// Moves `q` (nq) as near to all goals of `run` as it gets downhill within limits, whatever their priorities.
    sdk::Status descend(SolverRun& run, std::span<double> q, Effort effort = Effort::Whole)
    {
        m_tangent.build(run);
        readRows(run, run.problem().goals);
        std::fill(m_rowLevel.begin(), m_rowLevel.end(), 0);
        m_level = 0;
        std::copy(q.begin(), q.end(), m_q.begin());
        const sdk::Status status = approach(run, effort);
        std::copy(m_q.begin(), m_q.end(), q.begin());
        return status;
    }

    /// Takes the answer (nq) to equals(), and to downTo() of a level; of the last one, the two are the same. settle()
    /// begins there where it can, so that the pose does not jump where goals cease to be reachable together.
    void takeAnswerToEquals(std::span<const double> q) { std::copy(q.begin(), q.end(), m_whole.begin()); }
    void takeAnswer(int level, std::span<const double> q)
    {
        std::copy(q.begin(), q.end(), (level == 0 ? m_settled : m_start).begin());
    }

    /// Settles one level after those above it. `run` has been begun with equals(); `goals` have the priorities. Returns
    /// why it ended; finish() offers what has come of all levels.
    sdk::Status settle(SolverRun& run, const sdk::Rows<const Goal>& goals, int level)
    {
        m_tangent.build(run);
        readRows(run, goals);
        sdk::Status status = sdk::Status::Stalled;
        m_level = level;
        if (level == 0) m_reached.setZero();
        if (level == levels() - 1) m_start = m_whole;
        m_q = m_settled;
        look(run, m_q);
        if (level > 0) {
            const double costAlone = m_cost;
            const bool isMovedBack = moveBack(run, m_start) <= kMaxDrift;
            if (isMovedBack) std::swap(m_q, m_start);
            status = approach(run);
            look(run, m_q);
            if (isMovedBack && m_cost > costAlone) { // it led into a dead end
                m_q = m_start;
                status = approach(run);
                look(run, m_q);
            }
            if (status == sdk::Status::Stalled && run.problem().search == sdk::Search::Follow && hasLimits(run)) {
                listBodies(run, goals);
                tryOtherStarts(run);
            }
        }
        holdLevel(level);
        m_settled = m_q;
        return status;
    }
    sdk::Status finish(SolverRun& run, sdk::Status status)
    {
        return run.accept(m_settled) ? sdk::Status::Converged : status;
    }

private:
    static constexpr double kMaxDrift = 1e-7;    ///< of held goals, in shares of lengthOfRadian() or radians
    static constexpr double kAimedDrift = 1e-11; ///< that corrections aim at
    static constexpr int kMaxCorrections = 8;
    static constexpr int kMaxSteps = 200; ///< of one level
    static constexpr double kNoProgress =
        1e-6; ///< share of the cost; as small a gain ends a level after kPatience steps
    static constexpr int kMaxBriefSteps = 60;
    static constexpr double kSlow = 0.02; ///< share of the cost; as small a gain ends a brief way
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

    /// The bodies that the goals down to the level depend on, parents first.
    void listBodies(const SolverRun& run, const sdk::Rows<const Goal>& goals)
    {
        const Model& model = run.model();
        std::fill(m_isAsked.begin(), m_isAsked.end(), std::uint8_t(0));
        for (const std::int32_t g : run.activeGoals()) {
            const Goal& goal = goals[static_cast<std::size_t>(g)];
            if (goal.priority < m_levels[at(m_level)]) continue;
            for (std::int32_t b = goal.body; b >= 0 && m_isAsked[at(b)] == 0; b = model.parent[b]) m_isAsked[at(b)] = 1;
        }
        m_bodies.clear();
        for (const std::int32_t b : run.bodies())
            if (m_isAsked[at(b)] != 0) m_bodies.push_back(b);
    }

    /// Comes to the level from other starts, and takes the one that ends nearest, if it ends much nearer. Leaves m_q
    /// looked at.
    void tryOtherStarts(SolverRun& run)
    {
        constexpr double kWorthIt = 0.98; // of the way to the goals: else the pose stays where it was
        const int level = m_level;
        double least = kWorthIt * kWorthIt * m_cost;
        bool isBetter = false;
        m_nearest = m_q;
        Random random(kSeedOfOtherStarts);
        for (int start = 1; start < kOtherStarts; ++start) {
            std::copy(run.problem().seed.begin(), run.problem().seed.end(), m_q.begin());
            moveTowardRandom(run, m_bodies, shareOfStart(start), random, m_q);
            bool isKept = true;
            for (m_level = 0; m_level < level && isKept; ++m_level) { // each level where it was before
                approach(run, Effort::Brief);
                ++m_level;
                isKept = moveBack(run, m_q) <= kMaxDrift;
                --m_level;
            }
            m_level = level;
            if (!isKept || run.isCancelled() || run.isOutOfTime()) continue;
            approach(run, Effort::Brief);
            look(run, m_q);
            if (!(m_cost < least)) continue;
            least = m_cost;
            m_nearest = m_q;
            isBetter = true;
        }
        m_q = m_nearest;
        if (isBetter) approach(run);
        look(run, m_q);
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
    sdk::Status approach(SolverRun& run, Effort effort = Effort::Whole)
    {
        const bool isBrief = effort == Effort::Brief;
        const double noProgress = isBrief ? kSlow : kNoProgress;
        const int maxSteps = isBrief ? kMaxBriefSteps : kMaxSteps;
        double factor = 0.1;
        int waits = 0;
        look(run, m_q);
        for (int i = 0; i < maxSteps; ++i) {
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
                waits = m_cost > (1 - noProgress) * before ? waits + 1 : 0;
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
        findRoom(q);
        for (;;) {
            gather(run.residual(), byDof);
            makeBasis();
            const bool isSolved = solveFree(n, damping);
            if (!isSolved || !fixViolators()) {
                const double largest = n > 0 ? m_y.head(n).cwiseAbs().maxCoeff() : 0; // every joint may be locked
                if (largest > kMaxStep) m_y.head(n) *= kMaxStep / largest;
                leaveWays();
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
                    const double slope = scale * slopeOf(byDof, row, part, k);
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
    bool fixViolators()
    {
        bool isAny = false;
        for (Eigen::Index k = 0; k < m_tangent.size(); ++k) {
            if (m_isFixed[at(k)] != 0 || (m_y[k] >= m_below[k] && m_y[k] <= m_above[k])) continue;
            m_bound[k] = m_y[k] < m_below[k] ? m_below[k] : m_above[k];
            m_isFixed[at(k)] = 1;
            isAny = true;
        }
        return isAny;
    }

    /// Sets how far each column may go from `q`. The columns of a ball with limits are its ways (BallWays), so that a
    /// step along its ellipse does not end at it.
    void findRoom(std::span<const double> q)
    {
        const Model& model = m_tangent.model();
        for (const Tangent::Part& part : m_tangent.parts()) {
            if (!hasWays(part)) {
                for (int k = 0; k < part.size(); ++k) {
                    m_below[part.index + k] = m_tangent.lowest(part, q);
                    m_above[part.index + k] = m_tangent.highest(part, q);
                }
                continue;
            }
            const BallWays ways = ballWays(model, part.body, quaternionAt(q.data() + part.coordinate));
            m_ways[at(part.body)] = ways.turn;
            for (int k = 0; k < 3; ++k) {
                m_below[part.index + k] = ways.lowest[k];
                m_above[part.index + k] = ways.highest[k];
            }
        }
    }

    [[nodiscard]] bool hasWays(const Tangent::Part& part) const
    {
        return part.isRotation && isLimitedBall(m_tangent.model(), part.body);
    }

    /// d(weighted residual)/d(column) of one column of a part.
    [[nodiscard]] double slopeOf(const SolverRun::MatrixMap& byDof, Eigen::Index row, const Tangent::Part& part,
                                 int k) const
    {
        if (!hasWays(part)) return part.unit * byDof(row, part.dof + k);
        const auto way = m_ways[at(part.body)].col(k);
        return way[0] * byDof(row, part.dof) + way[1] * byDof(row, part.dof + 1) + way[2] * byDof(row, part.dof + 2);
    }

    /// The step in the columns becomes one in the tangent.
    void leaveWays()
    {
        for (const Tangent::Part& part : m_tangent.parts())
            if (hasWays(part)) m_y.segment<3>(part.index) = (m_ways[at(part.body)] * m_y.segment<3>(part.index)).eval();
    }

    Tangent m_tangent;
    std::vector<Goal> m_equals, m_some;
    std::vector<std::uint8_t> m_isAsked; ///< (n)
    std::vector<std::int32_t> m_bodies;
    std::vector<std::int32_t> m_levels; ///< the priorities, highest first
    int m_level = 0;                    ///< that is approached; those before it are held
    std::vector<double> m_q, m_trial, m_start, m_whole, m_settled, m_nearest;

    Eigen::Index m_rows = 0;
    std::vector<int> m_rowLevel;
    Eigen::VectorXd m_weight, m_scale;  ///< (rows) of the residual; 1 / its unit
    Eigen::VectorXd m_reached, m_drift; ///< (rows) without weights and units: where held rows are to stay; from there
    double m_cost = 0;                  ///< 1/2 r'r of the level

    // One step. Rows of `held` come without weights, those of `open` with them.
    Eigen::MatrixXd m_held, m_open, m_basis;
    Eigen::VectorXd m_along, m_asked, m_dual, m_y, m_bound, m_below, m_above;
    std::vector<Matrix3> m_ways; ///< (n) of balls with limits
    Eigen::Index m_heldRows = 0, m_openRows = 0, m_basisRows = 0;
    std::vector<Eigen::Index> m_sorted;
    std::vector<double> m_normal;
    std::vector<std::uint8_t> m_isFixed;
};

} // namespace tendon::kit

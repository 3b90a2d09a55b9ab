#pragma once

#include <tendon/kit/Curvature.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

/// What the settings of joints mean: an energy of the pose. Among the poses that meet the goals within the limits, the
/// one of least energy is the answer, so that it depends on the rig, the reference pose and the goals, never on the way
/// that a goal took. resources/docs/user/joint-laws.md states the same in plain words.
namespace tendon::kit {

/// Which of the poses that meet the goals is the answer: the values of the parameter `choice` of solvers that have it.
enum class Choice {
    Closest = 0,     ///< joints move little from the seed
    Outermost = 1,   ///< joints near the ends move first
    LeastEnergy = 2, ///< little mass moves from the seed
    Natural = 3,     ///< joints stay near Problem::natural
    Any = 4          ///< one near the seed that is found quickly; not every solver has it
};
inline constexpr int kChoices = 4; ///< without Any

/// How joints rank when motion is shared out.
enum class Ranking {
    ByHand, ///< by Model::precedence alone
    FromTip ///< the joint nearest to an end that has a goal first, unless precedences differ
};

/// What a share of 0 ... 1 is worth beside a resistance of 1: s / (1 - s), so 1 at 0.5; a thousand at 1, as much as to
/// hold, but not to forbid.
inline double strengthOf(double share)
{
    constexpr double kLeast = 1e-3;
    return share / std::max(kLeast, 1 - share);
}

/// How much each DOF resists motion:
///
///     resistance = order / (1 - stiffness)^2 + next * damping / (1 - damping)
///
/// order = ratio^rank, where rank counts the ranks above the joint's own, and next is the order of the rank below it
/// (its own, in the lowest rank). So an undamped joint moves `ratio` times as readily as those one rank lower, and a
/// damping of 0.5 makes it as unwilling as those.
///
/// Where all joints that move only slide, the ratio is 1e6: the next tube of a telescope moves only when this one
/// cannot. Where one turns, it is at most 100: a stricter order would straighten the outer joints before the next one
/// moves, and snap there. Many ranks have a smaller ratio, so that all together span no more than 1e12, or 1e3.
class Resistances
{
public:
    static constexpr double kSlidingRatio = 1e6, kSlidingSpan = 1e12, kTurningRatio = 100, kTurningSpan = 1e3;

    void prepare(const Model& model)
    {
        m_model = &model;
        m_ranks.assign(static_cast<std::size_t>(model.bodyCount), 0);
        m_precedences.reserve(static_cast<std::size_t>(model.bodyCount));
    }

    /// Ranks the bodies that `run` may move.
    void build(const SolverRun& run, Ranking ranking)
    {
        m_precedences.clear();
        for (const std::int32_t b : run.bodies())
            if (moves(run, b) && (m_precedences.empty() || m_precedences.back() != m_model->precedence[b]))
                m_precedences.push_back(m_model->precedence[b]); // mostly one
        std::sort(m_precedences.begin(), m_precedences.end(), std::greater<>());
        m_precedences.erase(std::unique(m_precedences.begin(), m_precedences.end()), m_precedences.end());
        int lowest = 0;
        if (ranking == Ranking::FromTip && m_precedences.size() < 2) {
            lowest = rankFromTip(run);
        } else {
            for (const std::int32_t b : run.bodies())
                m_ranks[b] = static_cast<int>(std::lower_bound(m_precedences.begin(), m_precedences.end(),
                                                               m_model->precedence[b], std::greater<>()) -
                                              m_precedences.begin());
            lowest = std::max(0, static_cast<int>(m_precedences.size()) - 1);
        }
        m_lowest = lowest;
        const bool isTurning = turns(run);
        m_ratio = lowest == 0 ? 1
                              : std::min(isTurning ? kTurningRatio : kSlidingRatio,
                                         std::pow(isTurning ? kTurningSpan : kSlidingSpan, 1.0 / lowest));
    }

    [[nodiscard]] double order(int body) const { return std::pow(m_ratio, m_ranks[body]); }
    [[nodiscard]] double next(int body) const { return std::pow(m_ratio, std::min(m_ranks[body] + 1, m_lowest)); }

    /// Between the highest and the lowest order: of a joint in the middle, what others are compared with.
    [[nodiscard]] double middle() const { return std::pow(m_ratio, 0.5 * m_lowest); }

    /// Of one DOF of a body, at least 1.
    [[nodiscard]] double of(int body, int dof) const
    {
        return order(body) * byStiffness(*m_model, dof) + next(body) * byDamping(*m_model, dof);
    }

    /// Of one DOF where all joints rank alike.
    [[nodiscard]] static double alone(const Model& model, int dof)
    {
        return byStiffness(model, dof) + byDamping(model, dof);
    }

private:
    static double byStiffness(const Model& model, int dof)
    {
        constexpr double kLeast = 1e-3; // a joint of stiffness 1 moves if nothing else can
        const double willingness = std::max(kLeast, 1 - model.stiffness[dof]);
        return 1 / (willingness * willingness);
    }

    static double byDamping(const Model& model, int dof) { return strengthOf(model.damping[dof]); }

    [[nodiscard]] bool moves(const SolverRun& run, int body) const
    {
        for (int v = m_model->vBegin[body]; v < m_model->vBegin[body + 1]; ++v)
            if (run.isMovable(v) && m_model->lower[v] < m_model->upper[v]) return true;
        return false;
    }

    [[nodiscard]] bool turns(const SolverRun& run) const
    {
        for (const std::int32_t b : run.bodies())
            for (int v = m_model->vBegin[b]; v < m_model->vBegin[b + 1]; ++v)
                if (run.isMovable(v) && m_model->dofKind[v] == DofKind::Turning) return true;
        return false;
    }

    /// Ranks by the number of moving joints between a joint and the nearest end below it. Returns the lowest rank.
    int rankFromTip(const SolverRun& run)
    {
        std::fill(m_ranks.begin(), m_ranks.end(), m_model->bodyCount);
        for (const std::int32_t g : run.activeGoals()) {
            int between = 0;
            for (std::int32_t b = run.problem().goals[g].body; b >= 0; b = m_model->parent[b]) {
                if (!moves(run, b)) continue;
                m_ranks[b] = std::min(m_ranks[b], between);
                ++between;
            }
        }
        int lowest = 0;
        for (int& rank : m_ranks) {
            if (rank == m_model->bodyCount) rank = 0;
            lowest = std::max(lowest, rank);
        }
        return lowest;
    }

    const Model* m_model = nullptr;
    std::vector<int> m_ranks;                ///< (n) 0 = moves first
    std::vector<std::int32_t> m_precedences; ///< those of moving bodies, highest first, each once
    int m_lowest = 0;
    double m_ratio = 1;
};

/// How ease resists: the energy of a joint that is `u` of the way into the last half of what it may still move, 0
/// ... 1.
///
///     phi(u) = -a^2 ln(1 - u/a) - a u - u^2/2      phi' = u^2 / (a - u)      phi'' = u (2a - u) / (a - u)^2
///
/// with a = 1.01: value, slope and curvature are 0 where the resistance begins, so that nothing jerks; at the limit the
/// slope is a hundred times what it is in the middle of that half, so that other joints move first, and still finite,
/// so that a goal that needs the limit is met.
struct EaseCurve
{
    static constexpr double kEnd = 1.01;
    double value = 0, slope = 0, curvature = 0;

    explicit EaseCurve(double u)
    {
        if (!(u > 0)) return;
        const double left = kEnd - u;
        value = -kEnd * kEnd * std::log1p(-u / kEnd) - kEnd * u - 0.5 * u * u;
        slope = u * u / left;
        curvature = u * (2 * kEnd - u) / (left * left);
    }
};

/// The energy, with first and second derivatives by a tangent:
///
///     E(q) = sum over DOFs   1/2 share resistance d^2                    d: way from the reference pose
///                          + ease next l^2 phi(u)                        l: half the way from there to the limit ahead
///                          + 1/2 tension / (1 - tension) order s^2       s: way from the spring's rest value
///
/// all divided by the order of a joint in the middle, so that objectives of weight 1 count as much as its resistance.
/// Ways are in steps of the tangent: radians, or slides divided by its length; a ball's is a rotation vector. Balls
/// have neither ease nor springs.
class JointLaw
{
public:
    void prepare(const Model& model)
    {
        m_model = &model;
        m_resistances.prepare(model);
        m_terms.reserve(static_cast<std::size_t>(model.dofCount));
        m_q.reserve(static_cast<std::size_t>(model.coordinateCount));
    }

    /// `reference` (nq) and `tangent` stay borrowed. `share` scales the resistances alone.
    void build(const SolverRun& run, const Tangent& tangent, Ranking ranking, std::span<const double> reference,
               double share = 1)
    {
        m_tangent = &tangent;
        m_reference = reference;
        m_resistances.build(run, ranking);
        m_terms.clear();
        m_pullsFromReference = false;
        const double scale = 1 / m_resistances.middle();
        for (const Tangent::Part& part : tangent.parts()) {
            Term term;
            term.resistance = scale * share * m_resistances.of(part.body, part.dof);
            if (!part.isRotation) {
                term.ease = scale * m_model->ease[part.dof] * m_resistances.next(part.body);
                term.spring = scale * strengthOf(m_model->springTension[part.dof]) * m_resistances.order(part.body);
                const double at = reference[part.coordinate];
                term.below = std::max(0.0, at - m_model->lower[part.dof]) / part.unit;
                term.above = std::max(0.0, m_model->upper[part.dof] - at) / part.unit;
                m_pullsFromReference |= term.spring > 0 && at != m_model->springRest[part.dof];
            }
            m_terms.push_back(term);
        }
    }

    /// The least energy of all is elsewhere than at the reference pose.
    [[nodiscard]] bool pullsFromReference() const { return m_pullsFromReference; }

    /// Of the DOFs of a part of the tangent, in its order.
    [[nodiscard]] double resistance(std::size_t part) const { return m_terms[part].resistance; }

    /// E at a configuration (nq), which the derivatives are then about.
    double evaluate(std::span<const double> q)
    {
        m_q.assign(q.begin(), q.end());
        double value = 0;
        for (std::size_t i = 0; i < m_terms.size(); ++i) {
            const Tangent::Part& part = m_tangent->parts()[i];
            const Term& term = m_terms[i];
            if (part.isRotation) {
                value += 0.5 * term.resistance * m_tangent->way(part, m_reference, m_q).squaredNorm();
                continue;
            }
            const Local local = localOf(part, term);
            const EaseCurve ease(local.u);
            value += 0.5 * term.resistance * local.way * local.way + term.ease * local.half * local.half * ease.value +
                     0.5 * term.spring * local.stretched * local.stretched;
        }
        return value;
    }

    /// Adds dE/dy.
    void addGradient(Eigen::Ref<Eigen::VectorXd> gradient) const
    {
        for (std::size_t i = 0; i < m_terms.size(); ++i) {
            const Tangent::Part& part = m_tangent->parts()[i];
            const Term& term = m_terms[i];
            if (part.isRotation) { // the way is an eigenvector of its own derivative
                gradient.segment<3>(part.index) += term.resistance * m_tangent->way(part, m_reference, m_q);
                continue;
            }
            const Local local = localOf(part, term);
            const double eased = term.ease * local.half * EaseCurve(local.u).slope;
            gradient[part.index] += term.resistance * local.way + (local.way < 0 ? -eased : eased) +
                                    term.spring * local.stretched;
        }
    }

    /// Adds d2E/dy dy, which is never negative.
    void addHessian(MatrixRef hessian) const
    {
        for (std::size_t i = 0; i < m_terms.size(); ++i) {
            const Tangent::Part& part = m_tangent->parts()[i];
            const Term& term = m_terms[i];
            if (part.isRotation)
                hessian.block<3, 3>(part.index, part.index) += term.resistance * squaredAngleHessian(m_tangent->way(
                                                                                     part, m_reference, m_q));
            else
                hessian(part.index, part.index) += term.resistance + term.spring +
                                                   term.ease * EaseCurve(localOf(part, term).u).curvature;
        }
    }

    /// Adds the diagonal of d2E/dy dy.
    void addHessianDiagonal(Eigen::Ref<Eigen::VectorXd> diagonal) const
    {
        for (std::size_t i = 0; i < m_terms.size(); ++i) {
            const Tangent::Part& part = m_tangent->parts()[i];
            const Term& term = m_terms[i];
            if (part.isRotation)
                diagonal.segment<3>(
                    part.index) += term.resistance *
                                   squaredAngleHessian(m_tangent->way(part, m_reference, m_q)).diagonal();
            else
                diagonal[part.index] += term.resistance + term.spring +
                                        term.ease * EaseCurve(localOf(part, term).u).curvature;
        }
    }

private:
    struct Term
    {
        double resistance = 1, ease = 0, spring = 0;
        double below = 0, above = 0; ///< ways from the reference to the limits, at least 0; infinity = none
    };

    /// One DOF at the configuration.
    struct Local
    {
        double way = 0;       ///< from the reference
        double half = 0;      ///< of the way from there to the limit ahead; 0 = ease has no room
        double u = 0;         ///< share of the last half that is gone
        double stretched = 0; ///< from the spring's rest value
    };

    [[nodiscard]] Local localOf(const Tangent::Part& part, const Term& term) const
    {
        const double q = m_q[static_cast<std::size_t>(part.coordinate)];
        Local local;
        local.way = (q - m_reference[part.coordinate]) / part.unit;
        local.stretched = (q - m_model->springRest[part.dof]) / part.unit;
        const double room = local.way < 0 ? term.below : term.above;
        if (term.ease == 0 || !(room > 0 && room < kInfinity)) return local;
        local.half = 0.5 * room;
        local.u = std::clamp(std::abs(local.way) / local.half - 1, 0.0, 1.0);
        return local;
    }

    const Model* m_model = nullptr;
    const Tangent* m_tangent = nullptr;
    std::span<const double> m_reference;
    Resistances m_resistances;
    std::vector<Term> m_terms; ///< of the tangent's parts
    std::vector<double> m_q;
    bool m_pullsFromReference = false;
};

} // namespace tendon::kit

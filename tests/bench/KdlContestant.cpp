/// Orocos KDL on the same problems, with its own defaults and with the protocol of its published figures (TRAC-IK's:
/// repeat from the last answer for 5 ms; trees get 50 ms).
#include "tests/bench/Contestant.h"

#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <kdl/chainiksolverpos_nr_jl.hpp>
#include <kdl/chainiksolvervel_pinv.hpp>
#include <kdl/tree.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeiksolverpos_nr_jl.hpp>
#include <kdl/treeiksolvervel_wdls.hpp>

#include <cmath>
#include <numbers>

extern "C" std::int64_t tendon_allocations();

namespace tendon::bench {

namespace {

constexpr double kMaxSeconds = 0.005, kMaxSecondsOfTree = 0.05; ///< the tree solver needs more than its chains
constexpr std::size_t kMaxJoints = 400;                         ///< beyond that a case takes seconds

double since(double begin) { return processorSeconds() - begin; }

KDL::Frame frameOf(const Vector3& position, const Quaternion& rotation)
{
    return {KDL::Rotation::Quaternion(rotation.x(), rotation.y(), rotation.z(), rotation.w()),
            KDL::Vector(position.x(), position.y(), position.z())};
}

KDL::Segment segmentOf(const SolverProblem::Joint& joint)
{
    const KDL::Frame frame = frameOf(joint.position, joint.rotation);
    if (joint.motion == SolverProblem::Motion::Fixed)
        return KDL::Segment(joint.name, KDL::Joint(joint.name, KDL::Joint::Fixed), frame);
    const KDL::Vector axis = frame.M * KDL::Vector(joint.axis.x(), joint.axis.y(), joint.axis.z());
    const auto kind = joint.motion == SolverProblem::Motion::Revolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis;
    return KDL::Segment(joint.name, KDL::Joint(joint.name, frame.p, axis, kind), frame);
}

double finite(double limit) { return std::isinf(limit) ? std::copysign(1e10, limit) : limit; }

class KdlChain final : public Contestant
{
public:
    explicit KdlChain(bool keepsLimits) : m_keepsLimits(keepsLimits) {}

    std::string name() const override { return m_keepsLimits ? "KDL NR_JL" : "KDL LMA"; }

    Result<void> prepare(const SolverProblem& problem) override
    {
        m_problem = &problem;
        if (problem.goals.size() != 1) return Error{ErrorCode::Unsupported, "refuses more than one goal", name()};
        if (problem.joints.size() > kMaxJoints)
            return Error{ErrorCode::Unsupported, "left out: seconds a case", name()};
        m_chain = KDL::Chain();
        for (std::size_t i = 0; i < problem.joints.size(); ++i) {
            if (problem.joints[i].parent != static_cast<std::int32_t>(i) - 1)
                return Error{ErrorCode::Unsupported, "refuses trees", name()};
            m_chain.addSegment(segmentOf(problem.joints[i]));
        }
        const auto n = static_cast<unsigned>(problem.dofCount());
        m_lower.resize(n);
        m_upper.resize(n);
        for (const SolverProblem::Joint& joint : problem.joints) {
            if (joint.dof < 0) continue;
            m_lower(static_cast<unsigned>(joint.dof)) = finite(joint.lower);
            m_upper(static_cast<unsigned>(joint.dof)) = finite(joint.upper);
        }
        const bool isPosition = !problem.goals[0].hasOrientation;
        if (m_keepsLimits && isPosition)
            return Error{ErrorCode::Unsupported, "refuses goals of position alone", name()};
        Eigen::Matrix<double, 6, 1> weights = Eigen::Matrix<double, 6, 1>::Ones();
        if (isPosition) weights.tail<3>().setZero();
        m_forward = std::make_unique<KDL::ChainFkSolverPos_recursive>(m_chain);
        m_velocity = std::make_unique<KDL::ChainIkSolverVel_pinv>(m_chain, 1e-5, 150);
        m_lma = std::make_unique<KDL::ChainIkSolverPos_LMA>(m_chain, weights, problem.positionTolerance * 0.9, 500,
                                                            1e-15);
        m_newton = std::make_unique<KDL::ChainIkSolverPos_NR_JL>(m_chain, m_lower, m_upper, *m_forward, *m_velocity, 1,
                                                                 problem.positionTolerance);
        return {};
    }

    Result<void> solve(const SolverProblem::Case& wanted, const std::vector<double>& seed, bool,
                       Answer& answer) override
    {
        const auto n = static_cast<unsigned>(seed.size());
        KDL::JntArray from(n), to(n);
        for (unsigned i = 0; i < n; ++i) from(i) = to(i) = seed[i];
        const KDL::Frame target = frameOf(wanted.targets[0].position, wanted.targets[0].rotation);
        const std::int64_t before = tendon_allocations();
        const double begin = processorSeconds();
        answer.iterations = 0;
        if (m_keepsLimits) {
            do {
                from = to;
                ++answer.iterations;
            } while (m_newton->CartToJnt(from, target, to) < 0 && since(begin) < kMaxSeconds);
        } else {
            m_lma->CartToJnt(from, target, to);
            answer.iterations = m_lma->lastNrOfIter;
            wrap(to);
        }
        answer.seconds = since(begin);
        answer.allocations = tendon_allocations() - before;
        answer.q.assign(to.data.data(), to.data.data() + n);
        return {};
    }

private:
    /// Moves angles by full turns toward the limits, which KDL does not know.
    void wrap(KDL::JntArray& q) const
    {
        constexpr double kTurn = 2 * std::numbers::pi;
        for (unsigned i = 0; i < q.rows(); ++i) {
            if (std::abs(m_upper(i)) > 1e9 || !std::isfinite(q(i))) continue;
            if (q(i) > m_upper(i)) q(i) -= kTurn * std::ceil((q(i) - m_upper(i)) / kTurn);
            if (q(i) < m_lower(i)) q(i) += kTurn * std::ceil((m_lower(i) - q(i)) / kTurn);
        }
    }

    bool m_keepsLimits;
    const SolverProblem* m_problem = nullptr;
    KDL::Chain m_chain;
    KDL::JntArray m_lower, m_upper;
    std::unique_ptr<KDL::ChainFkSolverPos_recursive> m_forward;
    std::unique_ptr<KDL::ChainIkSolverVel_pinv> m_velocity;
    std::unique_ptr<KDL::ChainIkSolverPos_LMA> m_lma;
    std::unique_ptr<KDL::ChainIkSolverPos_NR_JL> m_newton;
};

class KdlTree final : public Contestant
{
public:
    std::string name() const override { return "KDL tree"; }

    Result<void> prepare(const SolverProblem& problem) override
    {
        m_problem = &problem;
        if (problem.isBallChain)
            return Error{ErrorCode::Unsupported, "left out: chains go to KDL's chain solvers", name()};
        KDL::Tree tree("world");
        for (const SolverProblem::Joint& joint : problem.joints)
            tree.addSegment(segmentOf(joint),
                            joint.parent < 0 ? "world" : problem.joints[static_cast<std::size_t>(joint.parent)].name);
        // KDL's solvers copy the tree, and the copy numbers joints depth first.
        const KDL::Tree copy(tree);
        const auto n = static_cast<unsigned>(problem.dofCount());
        m_theirs.assign(n, 0);
        KDL::JntArray lower(n), upper(n);
        for (const SolverProblem::Joint& joint : problem.joints) {
            if (joint.dof < 0) continue;
            const unsigned at = GetTreeElementQNr(copy.getSegment(joint.name)->second);
            m_theirs[static_cast<std::size_t>(joint.dof)] = at;
            lower(at) = finite(joint.lower);
            upper(at) = finite(joint.upper);
        }
        m_ends.clear();
        for (const SolverProblem::Goal& goal : problem.goals)
            m_ends.push_back(problem.joints[static_cast<std::size_t>(goal.joint)].name);
        m_forward = std::make_unique<KDL::TreeFkSolverPos_recursive>(tree);
        m_velocity = std::make_unique<KDL::TreeIkSolverVel_wdls>(tree, m_ends);
        m_velocity->setLambda(0.02);
        const auto rows = static_cast<Eigen::Index>(6 * m_ends.size());
        Eigen::MatrixXd weights = Eigen::MatrixXd::Identity(rows, rows);
        for (std::size_t g = 0; g < m_ends.size(); ++g)
            if (!problem.goals[g].hasOrientation)
                for (Eigen::Index k = 3; k < 6; ++k)
                    weights(6 * static_cast<Eigen::Index>(g) + k, 6 * static_cast<Eigen::Index>(g) + k) = 1e-9;
        m_velocity->setWeightTS(weights);
        m_newton = std::make_unique<KDL::TreeIkSolverPos_NR_JL>(tree, m_ends, lower, upper, *m_forward, *m_velocity, 1,
                                                                1e-300);
        return {};
    }

    Result<void> solve(const SolverProblem::Case& wanted, const std::vector<double>& seed, bool,
                       Answer& answer) override
    {
        const auto n = static_cast<unsigned>(seed.size());
        KDL::JntArray from(n), to(n);
        for (unsigned i = 0; i < n; ++i) to(m_theirs[i]) = seed[i];
        KDL::Frames targets;
        for (std::size_t g = 0; g < m_ends.size(); ++g)
            targets[m_ends[g]] = frameOf(wanted.targets[g].position, wanted.targets[g].rotation);
        answer.q.resize(n);
        answer.allocations = 0;
        double judging = 0; // excluded from KDL's time
        const double begin = processorSeconds();
        for (answer.iterations = 0; answer.iterations < 200 && since(begin) - judging < kMaxSecondsOfTree;
             ++answer.iterations) {
            const std::int64_t before = tendon_allocations();
            from = to;
            m_newton->CartToJnt(from, targets, to);
            answer.allocations += tendon_allocations() - before;
            const double judged = processorSeconds();
            for (unsigned i = 0; i < n; ++i) answer.q[i] = to(m_theirs[i]);
            const bool isSolved = m_problem->isSolved(m_problem->judge(answer.q, wanted));
            judging += since(judged);
            if (isSolved) break;
        }
        answer.seconds = since(begin) - judging;
        return {};
    }

private:
    const SolverProblem* m_problem = nullptr;
    std::vector<unsigned> m_theirs;
    std::vector<std::string> m_ends;
    std::unique_ptr<KDL::TreeFkSolverPos_recursive> m_forward;
    std::unique_ptr<KDL::TreeIkSolverVel_wdls> m_velocity;
    std::unique_ptr<KDL::TreeIkSolverPos_NR_JL> m_newton;
};

} // namespace

std::vector<std::unique_ptr<Contestant>> kdlContestants()
{
    std::vector<std::unique_ptr<Contestant>> all;
    all.push_back(std::make_unique<KdlChain>(false));
    all.push_back(std::make_unique<KdlChain>(true));
    all.push_back(std::make_unique<KdlTree>());
    return all;
}

} // namespace tendon::bench

#include "solvers/ccd/CcdSolver.h"

#include <tendon/kit/Steps.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace tendon {

using kit::Matrix3;
using kit::Quaternion;
using kit::Vector3;
using sdk::GoalKind;

namespace {

constexpr double kRounding = 1e-12; ///< relative to the size of a pull: a smaller one favours no angle
constexpr int kMaxBends = 3;        ///< of a straight chain
constexpr int kPatience = 60;       ///< [passes] without progress
constexpr int kMaxHalvings = 10;    ///< of a ball's turn that its limits spoil

/// The number of turns that a body makes in one pass: a ball makes one.
int turnsOf(const kit::SolverRun& run, int body)
{
    const sdk::Model& model = run.model();
    const int singles = kit::singleDofs(model, body);
    int turns = 0;
    for (int v = model.vBegin[body]; v < model.vBegin[body] + singles; ++v)
        turns += run.isMovable(v) && model.dofKind[v] != sdk::DofKind::Sliding ? 1 : 0;
    const bool hasBall = model.vBegin[body + 1] > model.vBegin[body] + singles;
    return turns + (hasBall && run.isMovable(model.vBegin[body] + singles) ? 1 : 0);
}

/// The vector w with trace([u]x M) = -u . w for every u.
Vector3 skewPart(const Matrix3& m) { return {m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)}; }

/// trace(R M).
double traceOf(const Quaternion& rotation, const Matrix3& m)
{
    return rotation.toRotationMatrix().transpose().cwiseProduct(m).sum();
}

} // namespace

CcdSolver::CcdSolver()
{
    declare({.preferredBend = true, .priorities = true});
    declareEnum("order", 0, 2);
    declareReal("damping", 1, 0, 100);
}

sdk::Status CcdSolver::onPrepare(const sdk::Model& model, std::int32_t maxGoals)
{
    m_order = static_cast<Order>(static_cast<int>(parameter("order")));
    m_damping = parameter("damping");
    m_goalCount = static_cast<std::size_t>(maxGoals);
    m_ends.reserve(m_goalCount);
    m_hangs.assign(m_goalCount * static_cast<std::size_t>(model.bodyCount), 0);
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    m_best = m_q;
    m_dv.assign(static_cast<std::size_t>(model.dofCount), 0);
    m_frames.assign(static_cast<std::size_t>(model.bodyCount), {});
    m_motions.assign(static_cast<std::size_t>(model.dofCount), {});
    return sdk::Status::Converged;
}

void CcdSolver::run(kit::SolverRun& run)
{
    run.countStart();
    m_ends.clear();
    m_leastMissed = kit::kInfinity;
    kit::Patience patience(kPatience);
    for (int bends = 0; run.next();) {
        if (m_ends.empty()) begin(run);
        if (patience.isOver(keepIfBest(run))) {
            run.setConfiguration(m_best, 0); // stalls there
            continue;
        }
        double step = pass(run);
        if (step <= run.stopWhen().stall && bends < kMaxBends && kit::bendStraightChain(run, bends, m_dv)) {
            step = kit::stepWithinLimits(run, m_dv, m_q);
            ++bends;
        }
        run.setConfiguration(m_q, step);
    }
    if (run.isMet() || m_ends.empty()) return;
    keepIfBest(run);
    run.accept(m_best);
}

/// Measures what the run's configuration misses [m], and keeps the configuration if that is the least so far.
double CcdSolver::keepIfBest(const kit::SolverRun& run)
{
    double missed = 0;
    for (End& end : m_ends) {
        const sdk::Goal& goal = run.problem().goals[end.goal];
        end.point = kit::effectorPoint<double>(goal, run.frames());
        end.rotation = run.frames()[goal.body].rotation;
        const double angle = kit::rotationAngle(end.rotation * end.targetRotation.conjugate());
        missed += end.pointWeight * (end.point - end.target).squaredNorm() + end.rotationWeight * angle * angle;
        end.cost = 2 * m_damping *
                   (end.pointWeight * (end.point - end.nearest).norm() * end.levers +
                    end.rotationWeight * angle * end.turns);
    }
    if (missed < m_leastMissed) {
        m_leastMissed = missed;
        std::copy(run.q().begin(), run.q().end(), m_best.begin());
    }
    return std::sqrt(missed);
}

void CcdSolver::begin(const kit::SolverRun& run)
{
    m_length = kit::lengthOfRadian(run);
    std::fill(m_hangs.begin(), m_hangs.end(), std::uint8_t(0));
    for (const std::int32_t g : run.activeGoals()) {
        const sdk::Goal& goal = run.problem().goals[g];
        End end;
        end.goal = g;
        end.target = kit::vectorAt(goal.targetPosition);
        end.nearest = run.reach(g).nearest(end.target);
        end.targetRotation = kit::quaternionAt(goal.targetRotation);
        if (kit::asksPosition(goal.kind)) end.pointWeight = std::pow(goal.positionWeight, 2);
        if (kit::asksRotation(goal.kind)) end.rotationWeight = std::pow(goal.rotationWeight * m_length, 2);
        const sdk::Model& model = run.model();
        double lever = kit::vectorAt(goal.offset).norm() * run.frames()[goal.body].scale;
        for (std::int32_t b = goal.body; b >= 0; b = model.parent[b]) {
            m_hangs[static_cast<std::size_t>(b) * m_goalCount + static_cast<std::size_t>(g)] = 1;
            const int turns = turnsOf(run, b);
            end.turns += turns;
            end.levers += turns * lever;
            if (model.parent[b] >= 0)
                lever += kit::vectorAt(&run.problem().base[kit::kBaseStride * b]).norm() *
                         run.frames()[model.parent[b]].scale;
        }
        m_ends.push_back(end); // within the capacity of prepare()
    }
}

/// One pass over all joints from where keepIfBest() measured; returns the largest change of a DOF.
double CcdSolver::pass(kit::SolverRun& run)
{
    std::copy(run.q().begin(), run.q().end(), m_q.begin());
    std::copy(run.frames().begin(), run.frames().end(), m_frames.begin());
    double largest = 0;
    const std::span<const std::int32_t> bodies = run.bodies(); // parents first
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::int32_t body = m_order == Order::FromRoot ? bodies[i] : bodies[bodies.size() - 1 - i];
        if (m_order == Order::FromRoot) updateFrame(run, body); // those above have moved
        const double moved = moveBody(run, body);
        largest = std::max(largest, moved);
        if (moved > 0) traceMove(run, body, moved);
    }
    return largest;
}

/// The move of one joint, a row of the pass's iteration, where the passes that may follow leave room for it.
void CcdSolver::traceMove(kit::SolverRun& run, int body, double moved) const
{
    const int passesLeft = run.stopWhen().maxIterations - run.iterations() + 1;
    if (run.traceRoom() <= passesLeft) return;
    run.trace(run.residualNorm(), moved, -1, 1 + body, m_q);
}

/// Moves the DOFs of one body, one after the other; those of a ball together.
double CcdSolver::moveBody(const kit::SolverRun& run, int body)
{
    const sdk::Model& model = run.model();
    const int begin = model.vBegin[body], singles = kit::singleDofs(model, body);
    const bool isFromRoot = m_order == Order::FromRoot;
    const bool hasQuaternion = kit::traitsOf(model, body).hasQuaternion;
    double largest = 0;
    if (hasQuaternion && !isFromRoot) largest = moveBall(run, body);
    for (int k = 0; k < singles; ++k) {
        const int dof = begin + (isFromRoot ? k : singles - 1 - k);
        if (run.isMovable(dof)) largest = std::max(largest, moveDof(run, body, dof));
    }
    if (hasQuaternion && isFromRoot) largest = std::max(largest, moveBall(run, body));
    return largest;
}

double CcdSolver::moveDof(const kit::SolverRun& run, int body, int dof)
{
    const sdk::Model& model = run.model();
    kit::dofMotions(model, body, run.problem().base, m_q, m_frames, m_motions);
    const kit::DofMotion& motion = m_motions[dof];
    double& q = m_q[model.qBegin[body] + dof - model.vBegin[body]];
    double moved = q;
    if (motion.turns) {
        // trace(R M) over the angle is a constant plus cosine * cos + sine * sin.
        const Pull pull = pullOn(body, motion.pivot);
        const Vector3& axis = motion.direction;
        const double cosine = pull.matrix.trace() - axis.dot(pull.matrix * axis);
        const double sine = -axis.dot(skewPart(pull.matrix));
        if (!(std::hypot(cosine, sine) > kRounding * pull.size)) return 0;
        moved = kit::nearestAngle(q + std::atan2(sine, cosine + pull.cost), model.lower[dof], model.upper[dof], q);
    } else {
        double along = 0, weight = 0, cost = 0;
        for (const End& end : m_ends) {
            if (!hangsOn(end, body)) continue;
            along += end.pointWeight * motion.direction.dot(end.target - end.point);
            weight += end.pointWeight * motion.direction.squaredNorm();
            cost += end.cost;
        }
        if (!(weight > 0)) return 0;
        moved = std::clamp(q + along / (weight + 0.5 * cost / (m_length * m_length)), model.lower[dof],
                           model.upper[dof]);
    }
    const double step = std::abs(moved - q);
    if (step == 0) return 0;
    q = moved;
    carryEnds(run, body);
    return step;
}

double CcdSolver::moveBall(const kit::SolverRun& run, int body)
{
    const sdk::Model& model = run.model();
    for (int v = model.vBegin[body + 1] - 3; v < model.vBegin[body + 1]; ++v)
        if (!run.isMovable(v)) return 0;
    const kit::Frame<double>& frame = m_frames[body];
    const Pull pull = pullOn(body, frame.position);
    double* coordinates = m_q.data() + model.qBegin[body + 1] - 4;
    const Quaternion before = kit::quaternionAt(coordinates);

    // In the turned frame, where a ball's steps live.
    Vector3 turn = frame.rotation.conjugate() * kit::logMap(bestRotation(pull));
    if (!(turn.norm() > 0)) return 0;
    Quaternion after = (before * kit::expMap(turn)).normalized();
    if (kit::traitsOf(model, body).hasSwingLimits) {
        const double present = pull.matrix.trace();
        for (int halvings = 0;; ++halvings, turn *= 0.5) {
            const Quaternion wanted = (before * kit::expMap(turn)).normalized();
            after = kit::nearestInBall(model, body, wanted).normalized();
            const Quaternion world = frame.rotation * (before.conjugate() * after) * frame.rotation.conjugate();
            if (after.coeffs() == wanted.coeffs() || traceOf(world, pull.matrix) > present) break;
            if (halvings == kMaxHalvings) return 0; // pressed against the limits
        }
    }
    if (after.coeffs().dot(before.coeffs()) < 0) after.coeffs() = -after.coeffs();
    kit::store(after, coordinates);
    carryEnds(run, body);
    return kit::rotationAngle(before.conjugate() * after);
}

void CcdSolver::updateFrame(const kit::SolverRun& run, int body)
{
    const std::int32_t parent = run.model().parent[body];
    m_frames[body] = kit::bodyFrame(run.model(), body, parent < 0 ? kit::Frame<double>() : m_frames[parent],
                                    run.problem().base, m_q.data());
}

/// Brings the body's frame up to its coordinates, and moves the ends that hang on it along.
void CcdSolver::carryEnds(const kit::SolverRun& run, int body)
{
    const kit::Frame<double> before = m_frames[body];
    updateFrame(run, body);
    const Quaternion turn = m_frames[body].rotation * before.rotation.conjugate();
    for (End& end : m_ends) {
        if (!hangsOn(end, body)) continue;
        end.point = m_frames[body].position + turn * (end.point - before.position);
        end.rotation = turn * end.rotation;
    }
}

CcdSolver::Pull CcdSolver::pullOn(int body, const Vector3& pivot) const
{
    Pull pull;
    for (const End& end : m_ends) {
        if (!hangsOn(end, body)) continue;
        pull.cost += end.cost;
        const Vector3 from = end.point - pivot, to = end.target - pivot;
        const double size = 2 * end.pointWeight * from.norm() * to.norm();
        if (size > 0) { // w |R from - to|^2 = constant - 2 w trace(R from to')
            pull.matrix += 2 * end.pointWeight * from * to.transpose();
            pull.size += size;
            pull.from = from;
            pull.to = to;
            pull.weight = end.pointWeight;
            ++pull.terms;
        }
        if (end.rotationWeight > 0) { // w |R current - target|^2 / 2, about w angle^2
            pull.matrix += end.rotationWeight * (end.rotation * end.targetRotation.conjugate()).toRotationMatrix();
            pull.size += 3 * end.rotationWeight;
            ++pull.terms;
        }
    }
    return pull;
}

/// The rotation R with the largest trace(R * pull.matrix) - pull.cost * (1 - cos(angle of R)); the smallest of them
/// where there are several.
Quaternion CcdSolver::bestRotation(const Pull& pull)
{
    if (pull.terms == 0) return Quaternion::Identity();
    if (const double arm = pull.from.squaredNorm(); pull.terms == 1 && arm > 0)
        return kit::leastRotation(pull.from, pull.to + pull.cost / (2 * pull.weight * arm) * pull.from);

    // The trace is a quadratic form of the quaternion wxyz (Horn 1987): its best one is an eigenvector.
    const Matrix3& m = pull.matrix;
    Eigen::Matrix4d form;
    form(0, 0) = m.trace() + 2 * pull.cost; // 1 - cos(angle) = 2 (1 - w^2)
    form.block<1, 3>(0, 1) = -skewPart(m).transpose();
    form.block<3, 1>(1, 0) = -skewPart(m);
    form.block<3, 3>(1, 1) = m + m.transpose() - m.trace() * Matrix3::Identity();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(form);
    Eigen::Vector4d nearest = Eigen::Vector4d::Zero(); // the identity, projected onto the best ones
    constexpr double kSame = 1e-9;
    for (int i = 0; i < 4; ++i)
        if (eigen.eigenvalues()[i] >= eigen.eigenvalues()[3] - kSame * (pull.size + pull.cost))
            nearest += eigen.eigenvectors()(0, i) * eigen.eigenvectors().col(i);
    if (nearest.norm() < 1e-6) nearest = eigen.eigenvectors().col(3); // half a turn away
    nearest.normalize();
    return {nearest[0], nearest[1], nearest[2], nearest[3]};
}

bool CcdSolver::hangsOn(const End& end, int body) const
{
    return m_hangs[static_cast<std::size_t>(body) * m_goalCount + static_cast<std::size_t>(end.goal)] != 0;
}

std::unique_ptr<sdk::Solver> makeCcdSolver() { return std::make_unique<CcdSolver>(); }

} // namespace tendon

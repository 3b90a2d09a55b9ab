#include "core/clip/CandidateFinder.h"

#include <tendon/kit/Limits.h>
#include <tendon/kit/Random.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon {
namespace {

constexpr double kSame = 0.01;       ///< [rad] answers nearer to each other are one
constexpr double kSameExact = 1e-5;  ///< and where they are exact
constexpr int kOtherStarts = 24;     ///< at the first, middle and last frame of a search
constexpr std::size_t kMost = 600;   ///< answers to a frame: their pairs are compared
constexpr std::size_t kStandIns = 4; ///< one of so many neighbours along an open direction leads to the next frame

} // namespace

CandidateFinder::CandidateFinder(const ClipTask& task, const AnswerSpace& space)
    : m_task(&task), m_space(&space), m_solver(task.makeSolver()), m_motion(space), m_landing(space),
      m_q(space.coordinates()), m_seed(space.coordinates()), m_now(space.coordinates()), m_own(space.coordinates()),
      m_direction(space.dofs()), m_way(space.dofs()), m_frames(static_cast<std::size_t>(space.model().bodyCount))
{
}

sdk::Status CandidateFinder::solve(int frame, double* q)
{
    const sdk::Problem problem = m_task->problem(frame);
    std::copy(problem.seed.begin(), problem.seed.end(), q);
    sdk::Solution solution;
    solution.q = {q, m_space->coordinates()};
    return m_solver->solve(problem, {}, solution);
}

sdk::Status CandidateFinder::follow(int frame, const double* from, double* q)
{
    sdk::Problem problem = m_task->problem(frame);
    if (from != m_seed.data()) std::copy_n(from, m_space->coordinates(), m_seed.data());
    problem.seed = m_seed;
    problem.search = sdk::Search::Follow;
    std::copy(m_seed.begin(), m_seed.end(), q);
    sdk::Solution solution;
    solution.q = {q, m_space->coordinates()};
    const sdk::Status status = m_solver->solve(problem, {}, solution);
    if (m_isExact && sdk::isSuccess(status)) (void)land(frame, q);
    return status;
}

double CandidateFinder::same() const { return m_isExact ? kSameExact : kSame; }

/// False if it stays as it is.
bool CandidateFinder::land(int frame, double* q)
{
    std::vector<double> exact(q, q + m_space->coordinates());
    if (!m_landing.land(m_task->problem(frame), exact.data()) || !m_space->isWithin(q, exact.data(), kSame))
        return false;
    std::copy(exact.begin(), exact.end(), q);
    return true;
}

sdk::Status CandidateFinder::followOn(int before, const double* from, int frame, double* q)
{
    const sdk::Problem problem = m_task->problem(frame);
    m_space->difference(m_task->problem(before).seed.data(), problem.seed.data(), m_way.data());
    m_space->move(from, m_way.data(), 1, problem.locked, m_seed.data());
    return follow(frame, m_seed.data(), q);
}

bool CandidateFinder::isAnswer(int frame, sdk::Status status, const double* q)
{
    if (sdk::isSuccess(status)) return true;
    if (!sdk::isUsable(status) || !m_task->own) return false;
    return !sdk::isSuccess(m_task->own(frame, m_own.data())) && isAsNear(frame, q, m_own.data());
}

/// True if q comes as near to each goal of a frame as another configuration, but for the goal's tolerance.
bool CandidateFinder::isAsNear(int frame, const double* q, const double* other)
{
    const sdk::Problem problem = m_task->problem(frame);
    const auto errorsAt = [&](const double* at, auto&& take) {
        kit::forwardKinematics<double>(m_space->model(), problem.base, {at, m_space->coordinates()}, m_frames);
        std::size_t g = 0;
        for (const sdk::Goal& goal : problem.goals) {
            double residual[kit::kMaxRows] = {};
            if (kit::isActive(goal)) kit::residual<double>(m_space->model(), goal, m_frames, residual);
            take(g++, goal, kit::goalError(goal, residual));
        }
    };
    m_errors.clear();
    errorsAt(other, [&](std::size_t, const sdk::Goal&, const kit::GoalError& error) { m_errors.push_back(error); });
    bool isAsNear = true;
    errorsAt(q, [&](std::size_t g, const sdk::Goal& goal, const kit::GoalError& error) {
        isAsNear &= error.position <= m_errors[g].position + goal.positionTolerance &&
                    error.rotation <= m_errors[g].rotation + goal.rotationTolerance;
    });
    return isAsNear;
}

int CandidateFinder::freedom(int frame, const double* q)
{
    m_motion.evaluate(m_task->problem(frame), q);
    return m_motion.freedom();
}

bool CandidateFinder::isSingular(int frame, const double* q)
{
    constexpr double kSingular = 0.02;
    m_motion.evaluate(m_task->problem(frame), q);
    return m_motion.conditioning() < kSingular;
}

void CandidateFinder::addBeside(int frame, double distance, Candidates& to)
{
    const sdk::Problem problem = m_task->problem(frame);
    std::copy_n(to.at(0, m_space->coordinates()), m_space->coordinates(), m_now.data());
    m_motion.evaluate(problem, m_now.data());
    if (m_motion.freedom() != 1) return;
    for (const double sign : {1.0, -1.0}) {
        m_space->move(m_now.data(), m_motion.direction(), sign * distance, problem.locked, m_seed.data());
        const sdk::Status status = follow(frame, m_seed.data(), m_q.data());
        const bool isNear = m_space->isWithin(m_now.data(), m_q.data(), 2 * distance);
        if (isNear && isAnswer(frame, status, m_q.data())) to.add(m_q.data(), m_space->coordinates(), status);
    }
}

/// False if there is one as near as that already.
bool CandidateFinder::add(const double* q, sdk::Status status, double apart, Candidates& to) const
{
    const std::size_t nq = m_space->coordinates();
    if (to.count() >= kMost) return false;
    for (std::size_t i = to.count(); i-- > 0;) // neighbours tend to come one after the other
        if (m_space->isWithin(to.at(i, nq), q, apart)) return false;
    to.add(q, nq, status);
    return true;
}

/// A start anywhere within the limits, into m_seed.
void CandidateFinder::randomise(const sdk::Problem& problem, std::uint64_t number)
{
    const sdk::Model& model = m_space->model();
    kit::Random random(number);
    std::copy(problem.seed.begin(), problem.seed.end(), m_seed.begin());
    for (std::int32_t b = 0; b < model.bodyCount; ++b) {
        const auto q = static_cast<std::size_t>(model.qBegin[b]);
        const int singles = kit::singleDofs(model, b);
        for (int k = 0; k < singles; ++k) {
            const auto v = static_cast<std::size_t>(model.vBegin[b] + k);
            if (!problem.locked.empty() && problem.locked[v] != 0) continue;
            m_seed[q + static_cast<std::size_t>(k)] = random.within(model.lower[v], model.upper[v],
                                                                    std::numbers::pi * m_space->unitOf(v));
        }
        const auto turning = static_cast<std::size_t>(model.vBegin[b] + singles);
        if (!kit::traitsOf(model, b).hasQuaternion || (!problem.locked.empty() && problem.locked[turning] != 0))
            continue;
        kit::store(random.rotation(), m_seed.data() + q + singles);
        kit::clampBody(model, b, problem.locked, m_seed.data() + q);
    }
}

void CandidateFinder::addOthers(int frame, Candidates& to)
{
    const sdk::Problem problem = m_task->problem(frame);
    for (int i = 1; i <= kOtherStarts; ++i) {
        randomise(problem, static_cast<std::uint64_t>(i));
        const sdk::Status status = follow(frame, m_seed.data(), m_q.data());
        if (!sdk::isSuccess(status)) continue;
        m_space->centre(problem.seed.data(), m_q.data());
        (void)add(m_q.data(), status, same(), to);
    }
}

/// From `starts` at the place `from` in `frames` through to the place `to`, either way. Where the goals leave nothing
/// open, each also leads on as it has moved: so it comes through a singular pose, where branches meet.
void CandidateFinder::sweep(std::span<const int> frames, std::ptrdiff_t from, std::ptrdiff_t to,
                            const Candidates& starts, bool withOthers, std::vector<Candidates>& found)
{
    const std::size_t nq = m_space->coordinates();
    const std::ptrdiff_t by = to >= from ? 1 : -1;
    Candidates now = starts, next;
    std::vector<double> before, nextBefore; // (now x nq) where each comes from; empty = not known
    for (std::ptrdiff_t place = from; place != to && now.count() > 0; place += by) {
        const int last = frames[static_cast<std::size_t>(place)], frame = frames[static_cast<std::size_t>(place + by)];
        const double* reference = m_task->problem(frame).seed.data();
        next.clear();
        nextBefore.clear();
        bool hasMissed = false;
        const auto lead = [&](const double* origin, sdk::Status status) {
            const bool isMet = sdk::isSuccess(status);
            // Of those that miss as little as the solver's own, which are many, one leads on.
            if (!isMet && (hasMissed || !isAnswer(frame, status, m_q.data()))) return;
            hasMissed |= !isMet;
            m_space->centre(reference, m_q.data());
            if (add(m_q.data(), status, same(), next)) nextBefore.insert(nextBefore.end(), origin, origin + nq);
        };
        for (std::size_t i = 0; i < now.count(); ++i) {
            const double* q = now.at(i, nq);
            if (!before.empty()) {
                m_space->difference(before.data() + i * nq, q, m_way.data());
                m_space->move(q, m_way.data(), 1, m_task->problem(frame).locked, m_seed.data());
                lead(q, follow(frame, m_seed.data(), m_q.data()));
            }
            lead(q, followOn(last, q, frame, m_q.data()));
        }
        m_isOpen = false;
        const bool isMissed = hasMissed && next.count() == 1;
        if (withOthers && !isMissed) spread(frame, next);
        Candidates& target = found[static_cast<std::size_t>(place + by)];
        const double apart = m_isOpen && !m_isDense ? 0.5 * kSpacing : same(); // what other sweeps have found is enough
        for (std::size_t i = 0; i < next.count(); ++i) (void)add(next.at(i, nq), next.statuses[i], apart, target);
        std::swap(now, next);
        std::swap(before, nextBefore);
        if (!withOthers || before.size() != now.count() * nq) before.clear();
        if (!m_isOpen) continue;
        before.clear();
        next.clear();
        for (std::size_t i = 0; i < now.count(); i += kStandIns) (void)add(now.at(i, nq), now.statuses[i], 0, next);
        std::swap(now, next);
    }
}

/// Adds to each what can be reached along the open direction, if there is just one.
void CandidateFinder::spread(int frame, Candidates& candidates)
{
    const std::size_t nq = m_space->coordinates();
    const sdk::Problem problem = m_task->problem(frame);
    Candidates result;
    m_isOpen = false;
    for (std::size_t i = 0; i < candidates.count(); ++i) {
        const double* q = candidates.at(i, nq);
        m_motion.evaluate(problem, q);
        const bool isOpen = m_motion.freedom() == 1;
        m_isOpen |= isOpen;
        if (add(q, candidates.statuses[i], isOpen ? 0.6 * kSpacing : same(), result) && isOpen)
            for (const double sign : {1.0, -1.0}) walk(frame, q, sign, result);
    }
    std::swap(candidates, result);
}

void CandidateFinder::walk(int frame, const double* from, double sign, Candidates& to)
{
    const sdk::Problem problem = m_task->problem(frame);
    std::copy_n(from, m_space->coordinates(), m_now.data());
    m_motion.evaluate(problem, m_now.data());
    for (std::size_t v = 0; v < m_direction.size(); ++v) m_direction[v] = sign * m_motion.direction()[v];
    while (true) {
        m_space->move(m_now.data(), m_direction.data(), kSpacing, problem.locked, m_seed.data());
        const sdk::Status status = follow(frame, m_seed.data(), m_q.data());
        if (!sdk::isSuccess(status)) return;
        const double step = m_space->largest(m_now.data(), m_q.data());
        if (step < 0.3 * kSpacing || step > 2 * kSpacing) return; // limits, or another branch
        if (!add(m_q.data(), status, 0.6 * kSpacing, to)) return; // somebody has been here
        m_motion.evaluate(problem, m_q.data());
        if (m_motion.freedom() != 1) return;
        double along = 0;
        for (std::size_t v = 0; v < m_direction.size(); ++v) along += m_direction[v] * m_motion.direction()[v];
        for (std::size_t v = 0; v < m_direction.size(); ++v)
            m_direction[v] = (along < 0 ? -1 : 1) * m_motion.direction()[v];
        std::copy(m_q.begin(), m_q.end(), m_now.begin());
    }
}

void CandidateFinder::search(std::span<const int> frames, bool withOthers, std::vector<Candidates>& found, bool isExact,
                             bool isDense)
{
    m_isExact = isExact;
    m_isDense = isDense;
    for (std::size_t i = 0; isExact && i < frames.size(); ++i)
        if (sdk::isSuccess(found[i].statuses.front())) (void)land(frames[i], found[i].q.data());
    const std::size_t nq = m_space->coordinates();
    const auto last = static_cast<std::ptrdiff_t>(frames.size()) - 1;
    std::vector<std::ptrdiff_t> keys{0, last / 2, last};
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const std::ptrdiff_t key : keys) {
        Candidates& own = found[static_cast<std::size_t>(key)];
        const int frame = frames[static_cast<std::size_t>(key)];
        Candidates starts;
        if (withOthers ? sdk::isSuccess(own.statuses.front()) : sdk::isUsable(own.statuses.front())) {
            std::copy_n(own.at(0, nq), nq, m_q.begin());
            m_space->centre(m_task->problem(frame).seed.data(), m_q.data());
            (void)add(m_q.data(), own.statuses.front(), same(), starts);
        }
        if (withOthers) {
            addOthers(frame, starts);
            spread(frame, starts);
        }
        for (std::size_t i = 0; i < starts.count(); ++i) (void)add(starts.at(i, nq), starts.statuses[i], same(), own);
        sweep(frames, key, last, starts, withOthers, found);
        sweep(frames, key, 0, starts, withOthers, found);
    }
    m_isExact = m_isDense = false;
}

void CandidateFinder::lead(std::span<const int> frames, bool isBack, const Candidates& starts,
                           std::vector<Candidates>& found, bool isExact, bool isDense)
{
    m_isExact = isExact;
    m_isDense = isDense;
    const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(frames.size()) - 1, from = isBack ? last : 0;
    const std::size_t nq = m_space->coordinates();
    for (std::size_t i = 0; i < starts.count(); ++i)
        (void)add(starts.at(i, nq), starts.statuses[i], same(), found[static_cast<std::size_t>(from)]);
    sweep(frames, from, last - from, starts, true, found);
    m_isExact = m_isDense = false;
}

} // namespace tendon

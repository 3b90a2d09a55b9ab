#include "core/clip/RateLimiter.h"

#include "core/clip/Landing.h"
#include "core/clip/RateStep.h"
#include "core/clip/SelfMotion.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

constexpr int kAbout = 48;     ///< frames to either side of one at which a rate is exceeded that may move
constexpr int kWider = 4;      ///< times as many, if these are not enough
constexpr int kMostSteps = 40; ///< with either
constexpr int kPatience = 8;   ///< steps in which the excess has to fall to kFallen of what it was
constexpr double kFallen = 0.7;
constexpr double kWorthwhile = 3e-3; ///< share of the excess that a step has to take away
constexpr double kFarthest = 0.25;   ///< [rad] of one step

class RateLimiter
{
public:
    RateLimiter(const ClipTask& task, const AnswerSpace& space, const Rates& rates, Crew& crew, ClipPath& path)
        : m_task(task), m_space(space), m_rates(rates), m_crew(crew), m_path(path)
    {
    }

    void run()
    {
        const ClipPath before = m_path;
        const double excess = m_rates.excess(m_path);
        m_best = excess;
        double narrower = excess; // what fewer frames have left
        for (int about = kAbout; m_best > 0 && about <= kAbout * kWider * kWider; about *= kWider) {
            if (!open(about)) break;
            m_best = m_rates.excess(m_path);
            m_farthest = kFarthest;
            std::vector<double> excesses; // of the steps so far
            for (int i = 0; i < kMostSteps && m_best > 0 && !m_crew.isCancelled(); ++i) {
                excesses.push_back(m_best);
                if (i >= kPatience && m_best > kFallen * excesses[static_cast<std::size_t>(i - kPatience)]) break;
                if (!better(i)) break;
            }
            const bool isHopeless = about > kAbout && m_best > kFallen * narrower;
            if (isHopeless) break; // more frames are of no use
            narrower = m_best;
        }
        if (m_crew.isCancelled()) {
            m_path = before;
            return;
        }
        confirm(before);
        if (!(m_rates.excess(m_path) < excess)) m_path = before;
    }

private:
    /// Chooses the frames that may move, and brings them onto their goals. False if there are no more than before.
    bool open(int about)
    {
        const auto frames = static_cast<std::size_t>(m_path.frames());
        std::vector<char> isOpen(frames, 0);
        for (const ClipHaste& haste : m_rates.hastes(m_path))
            for (int t = std::max(0, haste.first - about); t <= std::min(m_path.frames() - 1, haste.last + about); ++t)
                isOpen[static_cast<std::size_t>(t)] = 1;
        for (std::size_t t = 0; t < m_isOpen.size(); ++t) isOpen[t] = isOpen[t] != 0 || m_isOpen[t] != 0 ? 1 : 0;
        for (std::size_t t = 0; t < m_isStuck.size(); ++t)
            if (m_isStuck[t] != 0) isOpen[t] = 0;
        if (isOpen == m_isOpen) return false;
        m_isOpen = isOpen;
        m_isStuck.resize(frames, 0);
        m_crew.runFrames(m_path.frames(), [&](CandidateFinder&, int t) {
            const auto place = static_cast<std::size_t>(t);
            if (m_isOpen[place] == 0) return;
            std::vector<double> q(m_path.at(t), m_path.at(t) + m_space.coordinates());
            const bool isMet = sdk::isSuccess(m_path.statusAt(t)) && Landing(m_space).land(m_task.problem(t), q.data());
            if (isMet)
                std::copy(q.begin(), q.end(), m_path.at(t));
            else
                m_isStuck[place] = 1;
        });
        for (std::size_t t = 0; t < frames; ++t)
            if (m_isStuck[t] != 0) m_isOpen[t] = 0;
        return true;
    }

    /// One step. False if there is none that leads to less excess.
    bool better(int number)
    {
        // Where the goals curve away, a step that is just enough is not.
        const double margin = number < 4 ? 1e-3 : number < 8 ? 1e-5 : 1e-7;
        const std::vector<Eigen::VectorXd> step = bestStep(1 - margin);
        double farthest = 0;
        for (const Eigen::VectorXd& own : step)
            if (own.size() > 0) farthest = std::max(farthest, own.cwiseAbs().maxCoeff());
        if (farthest < 1e-12) return false;
        std::vector<char> isLost;
        for (double length = 1; length > 0.05; length *= 0.4) {
            ClipPath next = m_path;
            isLost.assign(m_isOpen.size(), 0);
            m_crew.runFrames(m_path.frames(), [&](CandidateFinder&, int t) {
                const auto place = static_cast<std::size_t>(t);
                if (step[place].size() == 0) return;
                const sdk::Problem problem = m_task.problem(t);
                std::vector<double> way(m_space.dofs(), 0), q(m_space.coordinates());
                const Eigen::VectorXd open = m_bases[place] * step[place];
                for (std::size_t i = 0; i < m_columns[place].size(); ++i)
                    way[m_columns[place][i]] = open[static_cast<Eigen::Index>(i)];
                m_space.move(m_path.at(t), way.data(), length, problem.locked, q.data());
                if (Landing(m_space).land(problem, q.data()) && m_space.isWithin(m_path.at(t), q.data(), 3 * kFarthest))
                    std::copy(q.begin(), q.end(), next.at(t));
                else
                    isLost[place] = 1;
            });
            const double excess = m_rates.excess(next);
            if (!(excess < m_best * (1 - kWorthwhile))) continue;
            m_path = std::move(next);
            m_best = excess;
            m_farthest = length < 1 ? 0.5 * m_farthest : std::min(kFarthest, 2 * m_farthest);
            return true;
        }
        constexpr double kNearest = 0.01; // [rad] nearer, the best step is another one
        if (m_farthest > kNearest) {
            m_farthest *= 0.3;
            return true;
        }
        // Frames that cannot go where they should stay, and the others have to go by that.
        bool isAny = false;
        for (std::size_t t = 0; t < isLost.size(); ++t) {
            if (isLost[t] == 0) continue;
            m_isStuck[t] = 1;
            m_isOpen[t] = 0;
            isAny = true;
        }
        return isAny;
    }

    [[nodiscard]] std::vector<Eigen::VectorXd> bestStep(double allowed)
    {
        const auto frames = static_cast<std::size_t>(m_path.frames());
        m_bases.assign(frames, {});
        m_columns.assign(frames, {});
        m_crew.runFrames(m_path.frames(), [&](CandidateFinder&, int t) {
            const auto place = static_cast<std::size_t>(t);
            if (m_isOpen[place] == 0) return;
            SelfMotion motion(m_space);
            motion.evaluate(m_task.problem(t), m_path.at(t));
            m_bases[place] = motion.openDirections();
            m_columns[place] = motion.columns();
        });
        RateStep program;
        program.cancelled = m_task.cancelled;
        for (const Eigen::MatrixXd& basis : m_bases) program.sizes.push_back(static_cast<int>(basis.cols()));
        for (int t = 0; t < m_path.frames(); ++t) {
            addLimits(t, program);
            for (std::size_t r = 0; r < m_rates.count(); ++r) {
                addSpeed(t, r, allowed, program);
                addAcceleration(t, r, allowed, program);
            }
        }
        return program.solve();
    }

    void addLimits(int frame, RateStep& program) const
    {
        const sdk::Model& model = m_space.model();
        const auto place = static_cast<std::size_t>(frame);
        if (program.sizes[place] == 0) return;
        for (std::int32_t b = 0; b < model.bodyCount; ++b)
            for (std::int32_t v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v) {
                Eigen::VectorXd row = rowOf(place, static_cast<std::size_t>(v)) / m_farthest;
                if (row.size() == 0 || row.cwiseAbs().maxCoeff() < 1e-6) continue;
                RateStep::Bound bound{frame, 1, 0, {std::move(row), {}, {}}};
                if (v - model.vBegin[b] < kit::singleDofs(model, b)) {
                    const double value = m_path.at(frame)[model.qBegin[b] + v - model.vBegin[b]];
                    const double unit = m_farthest * m_space.unitOf(static_cast<std::size_t>(v));
                    bound.lower = std::max(bound.lower, std::min(0.0, (model.lower[v] - value) / unit));
                    bound.upper = std::min(bound.upper, std::max(0.0, (model.upper[v] - value) / unit));
                }
                bound.firmness = RateStep::kHard;
                program.bounds.push_back(std::move(bound));
            }
    }

    /// How a DOF moves with the unknowns of a frame (without units); empty = it does not.
    [[nodiscard]] Eigen::VectorXd rowOf(std::size_t place, std::size_t dof) const
    {
        const auto& columns = m_columns[place];
        const auto found = std::lower_bound(columns.begin(), columns.end(), dof);
        if (found == columns.end() || *found != dof || m_bases[place].cols() == 0) return {};
        return m_bases[place].row(found - columns.begin()).transpose();
    }

    /// How a rate's way along `axis` moves with the unknowns of a frame.
    [[nodiscard]] Eigen::VectorXd rowAlong(int frame, std::size_t r, const std::array<double, 3>& axis,
                                           double factor) const
    {
        const ClipRate& rate = m_rates.rate(r);
        Eigen::VectorXd sum;
        for (std::int32_t k = 0; k < rate.count; ++k) {
            const auto v = static_cast<std::size_t>(rate.dof + k);
            const Eigen::VectorXd row = rowOf(static_cast<std::size_t>(frame), v);
            if (row.size() == 0) continue;
            if (sum.size() == 0) sum.setZero(row.size());
            sum += factor * axis[static_cast<std::size_t>(k)] * m_space.unitOf(v) * row;
        }
        return sum;
    }

    void addSpeed(int frame, std::size_t r, double allowed, RateStep& program) const
    {
        const double most = m_rates.rate(r).step;
        if (frame < 1 || std::isinf(most)) return;
        add(frame, r, m_rates.step(r, m_path.at(frame - 1), m_path.at(frame)), most, allowed, {1, -1}, program);
    }

    void addAcceleration(int frame, std::size_t r, double allowed, RateStep& program) const
    {
        const double most = m_rates.rate(r).change;
        if (frame < 2 || std::isinf(most)) return;
        const auto before = m_rates.step(r, m_path.at(frame - 2), m_path.at(frame - 1)),
                   now = m_rates.step(r, m_path.at(frame - 1), m_path.at(frame));
        add(frame, r, {now[0] - before[0], now[1] - before[1], now[2] - before[2]}, most, allowed, {1, -2, 1}, program);
    }

    void add(int frame, std::size_t r, const std::array<double, 3>& value, double most, double allowed,
             const std::vector<double>& factors, RateStep& program) const
    {
        const bool isSingle = m_rates.rate(r).count == 1;
        const double length = std::hypot(value[0], value[1], value[2]);
        // Of several DOFs, their way as it is now is what is shortened.
        std::array<double, 3> axis{1, 0, 0};
        if (!isSingle && length > 0) axis = {value[0] / length, value[1] / length, value[2] / length};
        RateStep::Bound bound;
        bound.frame = frame;
        bound.frames = static_cast<int>(factors.size());
        bool moves = false;
        for (std::size_t k = 0; k < factors.size(); ++k) {
            bound.row[k] = rowAlong(frame - static_cast<int>(k), r, axis, factors[k] / most);
            moves |= bound.row[k].size() != 0;
        }
        if (!moves) return;
        bound.offset = isSingle ? value[0] / most : length / most;
        bound.lower = -allowed;
        bound.upper = allowed;
        program.bounds.push_back(std::move(bound));
    }

    /// What is shown is the solver's answer from where the path is.
    void confirm(const ClipPath& before)
    {
        m_crew.runFrames(m_path.frames(), [&](CandidateFinder& finder, int t) {
            const std::size_t nq = m_space.coordinates();
            if (std::equal(m_path.at(t), m_path.at(t) + nq, before.at(t))) return;
            std::vector<double> q(nq);
            const sdk::Status status = finder.follow(t, m_path.at(t), q.data());
            const bool isKept = sdk::isSuccess(status) && m_space.isWithin(m_path.at(t), q.data(), kFarthest);
            std::copy_n(isKept ? q.data() : before.at(t), nq, m_path.at(t));
            m_path.statusAt(t) = isKept ? status : before.statusAt(t);
        });
    }

    const ClipTask& m_task;
    const AnswerSpace& m_space;
    const Rates& m_rates;
    Crew& m_crew;
    ClipPath& m_path;
    std::vector<char> m_isOpen, m_isStuck;           ///< (frames) may move; cannot
    std::vector<Eigen::MatrixXd> m_bases;            ///< (frames) what the goals leave open, of m_columns
    std::vector<std::vector<std::size_t>> m_columns; ///< (frames) DOFs
    double m_best = 0;                               ///< excess of m_path
    double m_farthest = kFarthest;                   ///< [rad] of the next step
};

} // namespace

void limitRates(const ClipTask& task, const AnswerSpace& space, const Rates& rates, Crew& crew, ClipPath& path)
{
    RateLimiter(task, space, rates, crew, path).run();
}

} // namespace tendon

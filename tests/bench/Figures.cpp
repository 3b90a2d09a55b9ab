#include "tests/bench/Figures.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace tendon::bench {
namespace {

enum class Mechanism { SixHinges, SevenHinges, Figure };

Mechanism mechanismOf(const Figures& figures)
{
    if (figures.goals > 1) return Mechanism::Figure;
    return figures.dofs <= 6 ? Mechanism::SixHinges : Mechanism::SevenHinges;
}

const Figures* find(const std::vector<Figures>& all, const std::string& problem, const std::string& way)
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const Figures& each) {
        return each.problem == problem && each.way == way && each.refusal.empty();
    });
    return found == all.end() ? nullptr : &*found;
}

double solvedOf(const Figures& f) { return 100 * static_cast<double>(f.solved) / static_cast<double>(f.frames); }
double largeOf(const Figures& f) { return 100 * static_cast<double>(f.large) / static_cast<double>(f.frames); }
double p99Of(const Figures& f) { return f.p99; }
double beyondOf(const Figures& f) { return static_cast<double>(f.beyondLimits); }

class Judge
{
public:
    explicit Judge(const std::vector<Figures>& all) : m_all(all) {}

    /// Adds what is promised of a way on some mechanisms, if there are any. `measure`: nothing = not known.
    void add(const std::string& text, const char* way, const std::vector<Mechanism>& mechanisms, bool isAtMost,
             double goal, const std::function<std::optional<double>(const Figures&)>& measure)
    {
        std::optional<Promise> worst;
        for (const Figures& figures : m_all) {
            const Mechanism own = mechanismOf(figures);
            if (figures.way != way || !figures.refusal.empty() ||
                std::find(mechanisms.begin(), mechanisms.end(), own) == mechanisms.end())
                continue;
            const auto measured = measure(figures);
            if (!measured) continue;
            if (!worst || (isAtMost ? *measured > worst->measured : *measured < worst->measured))
                worst = {text, way, figures.problem, goal, *measured, isAtMost};
        }
        if (worst) m_promises.push_back(*std::move(worst));
    }

    /// Its time beside another way's on the same problem: medians, or what all frames took.
    [[nodiscard]] std::function<std::optional<double>(const Figures&)> beside(const char* other, bool isMedian) const
    {
        return [this, other, isMedian](const Figures& figures) -> std::optional<double> {
            const Figures* their = find(m_all, figures.problem, other);
            if (their == nullptr) return std::nullopt;
            return isMedian ? figures.median / their->median : figures.mean / their->mean;
        };
    }

    [[nodiscard]] std::vector<Promise> take() { return std::move(m_promises); }

private:
    const std::vector<Figures>& m_all;
    std::vector<Promise> m_promises;
};

} // namespace

std::vector<Promise> promisesOf(const std::vector<Figures>& all)
{
    constexpr auto kSix = Mechanism::SixHinges, kSeven = Mechanism::SevenHinges, kFigure = Mechanism::Figure;
    constexpr bool kAtMost = true, kAtLeast = false;
    constexpr bool kMedian = true, kMean = false;
    const auto largeCount = [](const Figures& f) -> std::optional<double> { return static_cast<double>(f.large); };
    Judge judge(all);
    judge.add("arms of six hinges, clip: frames solved, %", way::clip, {kSix}, kAtLeast, 100, solvedOf);
    judge.add("arms of six hinges, clip: p99 of steps", way::clip, {kSix}, kAtMost, 1.25, p99Of);
    judge.add("arms of six hinges, clip: steps over 3x", way::clip, {kSix}, kAtMost, 0, largeCount);
    judge.add("arms of seven hinges, clip: frames solved, %", way::clip, {kSeven}, kAtLeast, 99.9, solvedOf);
    judge.add("arms of seven hinges, clip: p99 of steps", way::clip, {kSeven}, kAtMost, 1.6, p99Of);
    judge.add("arms of seven hinges, clip: steps over 3x, not listed", way::clip, {kSeven}, kAtMost, 0,
              [](const Figures& f) -> std::optional<double> { return static_cast<double>(f.unlisted); });
    judge.add("arms, clip: time beside KDL LMA's", way::clip, {kSix, kSeven}, kAtMost, 50,
              judge.beside(way::kdlArm, kMean));
    judge.add("figures, clip: frames solved, %", way::clip, {kFigure}, kAtLeast, 100, solvedOf);
    judge.add("figures, clip: p99 of steps", way::clip, {kFigure}, kAtMost, 1.25, p99Of);
    judge.add("figures, clip: steps over 3x", way::clip, {kFigure}, kAtMost, 0, largeCount);
    judge.add("figures, clip: time beside KDL tree's", way::clip, {kFigure}, kAtMost, 3,
              judge.beside(way::kdlTree, kMean));
    judge.add("figures, nearest: frames solved, %", way::nearest, {kFigure}, kAtLeast, 99.9, solvedOf);
    judge.add("figures, nearest: p99 of steps", way::nearest, {kFigure}, kAtMost, 1.5, p99Of);
    judge.add("figures, nearest: steps over 3x, %", way::nearest, {kFigure}, kAtMost, 1, largeOf);
    judge.add("figures, nearest: median time beside KDL tree's", way::nearest, {kFigure}, kAtMost, 1.0 / 4,
              judge.beside(way::kdlTree, kMedian));
    judge.add("figures, drag: median time beside KDL tree's", way::drag, {kFigure}, kAtMost, 1.0 / 12,
              judge.beside(way::kdlTree, kMedian));
    judge.add("arms, cold: solved, %", way::cold, {kSix, kSeven}, kAtLeast, 99.95, solvedOf);
    judge.add("arms, cold: median time beside KDL LMA's", way::cold, {kSix, kSeven}, kAtMost, 1.0 / 8,
              judge.beside(way::kdlArm, kMedian));
    judge.add("figures, cold: solved, %", way::cold, {kFigure}, kAtLeast, 100, solvedOf);
    judge.add("figures, cold: median time beside KDL tree's", way::cold, {kFigure}, kAtMost, 1.0 / 60,
              judge.beside(way::kdlTree, kMedian));
    judge.add("figures, warm: median time beside KDL tree's", way::warm, {kFigure}, kAtMost, 1.0 / 12,
              judge.beside(way::kdlTree, kMedian));
    judge.add("poses that ask the same: degrees apart, of those promised", way::again, {kSix, kSeven, kFigure}, kAtMost,
              1, [](const Figures& f) -> std::optional<double> { return f.apart / f.apartAllowed; });
    judge.add("rates that can be held: time needed", way::speeds, {kSix, kSeven, kFigure}, kAtMost, 1,
              [](const Figures& f) -> std::optional<double> { return f.stretch; });
    for (const char* each :
         {way::clip, way::again, way::speeds, way::nearest, way::drag, way::warm, way::cold, way::alone})
        judge.add(std::string(each) + ": answers beyond limits by more than 1e-9", each, {kSix, kSeven, kFigure},
                  kAtMost, 0, beyondOf);
    return judge.take();
}

} // namespace tendon::bench

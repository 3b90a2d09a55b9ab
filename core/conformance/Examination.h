#pragma once

#include "core/conformance/Conformance.h"
#include "core/conformance/PosedProblem.h"

#include <QByteArray>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QProcess;

namespace tendon::conformance {

struct ExaminationOptions
{
    std::uint64_t seed = 1;     ///< of the suite's random problems
    int cases = 40;             ///< per rig and goal
    double patience = 60;       ///< [s] without progress after which a plugin counts as hanging
    std::string onlyPlace = {}; ///< Options::onlyPlace
    std::string program = {};   ///< `tendon`, which examines in a process of its own; empty = this program
};

/// Examines a plugin in a child process (`tendon plugins check --as-child`) that may crash or hang, and goes on behind
/// the group in which it did with another child. Blocks, and needs no event loop. [any thread, one at a time]
class Examination
{
public:
    explicit Examination(std::string plugin, ExaminationOptions options = {});

    /// Hears what is examined now, and all results so far; called in the thread of run().
    std::function<void(const std::string& place, const std::vector<Check>& checks)> progress;
    const std::atomic<bool>* cancelled = nullptr; ///< looked at ten times a second; null = nobody cancels

    /// Every check, in the order in which they first ran; the results so far if it is cancelled.
    [[nodiscard]] std::vector<Check> run();

    /// Runs the place of a failed check once more, and returns the problem that it fails on with the solver's answer;
    /// of a crash or a hang, the problem that was being solved. Nothing: the check failed without a solve, or does not
    /// fail again.
    [[nodiscard]] std::optional<PosedProblem> show(const Check& check);

private:
    bool runChild(); ///< true when the child died
    void start(QProcess& child, const std::string& place, const std::string& shownCheck);
    /// Takes lines until the child ends, falls silent or is cancelled, or `take` returns false. Returns how it died.
    std::optional<Check> listen(QProcess& child, const std::function<bool(const QByteArray& line)>& take);
    [[nodiscard]] bool isCancelled() const { return cancelled != nullptr && *cancelled; }

    std::string m_plugin;
    ExaminationOptions m_options;
    std::vector<Check> m_checks;
    std::string m_place, m_after;
    qint64 m_group = 0; ///< of processes: the child's own
};

/// The child's half: what it tells, a line each. `say` writes a line and flushes. `shownCheck`: as --show has it; empty
/// = none.
[[nodiscard]] Options tellingOptions(const std::function<void(const std::string& line)>& say,
                                     const std::string& shownCheck);
void tellChecks(const std::function<void(const std::string& line)>& say, const std::vector<Check>& checks);
/// As reports have a check; and back.
[[nodiscard]] QJsonObject toJson(const Check& check);
[[nodiscard]] Check checkFrom(const QJsonObject& json);
/// A check that has failed, once.
[[nodiscard]] Check failedCheck(const char* name, std::string detail, std::string place = {});
[[nodiscard]] const char* verdictName(Verdict verdict);

} // namespace tendon::conformance

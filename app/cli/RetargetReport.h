#pragma once

#include "core/base/Result.h"

#include <QJsonObject>

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace tendon::cli {

/// The report of a batch, brought up to date after each clip: what was made, from what, and how it went. It is also
/// what a later run goes by. Several processes may write one report, and several threads use one object: an entry is
/// put in under a lock on the folder, beside what others have put in meanwhile.
///
/// A report of many clips is written every few seconds; until then each entry is a line of a file beside it
/// (REPORT.part), which a run that was killed leaves behind and the next one reads.
class RetargetReport
{
public:
    /// Error: a report that cannot be read. One that is not there is empty.
    [[nodiscard]] static Result<RetargetReport> open(const std::string& path, const std::string& rig);

    /// The entry of an output, by its file name or clip; empty = there is none.
    [[nodiscard]] QJsonObject find(const std::string& output) const;

    /// All entries of a motion.
    [[nodiscard]] std::vector<QJsonObject> of(const std::string& motion) const;

    /// Puts an entry in; its member "output" says of what.
    [[nodiscard]] Result<void> put(const QJsonObject& entry);

    /// Writes what is left and takes the file beside it away. Error: it cannot be written.
    [[nodiscard]] Result<void> finish();

    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    RetargetReport(std::string path, std::string rig) : m_path(std::move(path)), m_rig(std::move(rig)) {}

    [[nodiscard]] Result<void> readAll();
    [[nodiscard]] Result<void> writeAll();
    [[nodiscard]] std::string partPath() const { return m_path + ".part"; }

    std::string m_path, m_rig;
    std::map<std::string, QJsonObject> m_entries; ///< by output
    double m_lastWrite = 0;                       ///< [s] of the monotonic clock
};

} // namespace tendon::cli

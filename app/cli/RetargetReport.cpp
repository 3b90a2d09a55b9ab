#include "app/cli/RetargetReport.h"

#include "app/cli/Cli.h"
#include "core/io/base/Files.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <chrono>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tendon::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFew = 200;       ///< entries that are written each time
constexpr double kSecondsBetween = 2.0; ///< otherwise

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string outputOf(const QJsonObject& entry)
{
    return entry.value(QLatin1StringView("output")).toString().toStdString();
}

/// Holds a folder against other processes and threads that do the same, as long as it lives.
class FolderLock
{
public:
    explicit FolderLock(const std::string& file)
    {
        const fs::path folder = fs::path(file).parent_path();
        m_descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (m_descriptor >= 0) ::flock(m_descriptor, LOCK_EX);
    }
    ~FolderLock()
    {
        if (m_descriptor >= 0) ::close(m_descriptor);
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int m_descriptor = -1;
};

} // namespace

Result<RetargetReport> RetargetReport::open(const std::string& path, const std::string& rig)
{
    RetargetReport report(path, rig);
    const FolderLock lock(path);
    if (const auto read = report.readAll(); !read) return read.error();
    return report;
}

Result<void> RetargetReport::readAll()
{
    std::error_code code;
    if (fs::exists(m_path, code)) {
        const auto bytes = readFile(m_path);
        if (!bytes) return bytes.error();
        QJsonParseError problem;
        const QJsonDocument json = QJsonDocument::fromJson(QByteArray::fromStdString(*bytes), &problem);
        if (problem.error != QJsonParseError::NoError || !json.isObject() ||
            !json.object().value(QLatin1StringView("clips")).isArray())
            return Error{ErrorCode::InvalidArgument, "is no report of tendon retarget; name another file with --report",
                         m_path};
        for (const QJsonValue& entry : json.object().value(QLatin1StringView("clips")).toArray())
            m_entries[outputOf(entry.toObject())] = entry.toObject();
    }
    std::ifstream part(partPath());
    for (std::string line; std::getline(part, line);) // the last line of a run that was killed may be cut off
        if (const QJsonDocument json = QJsonDocument::fromJson(QByteArray::fromStdString(line)); json.isObject())
            m_entries[outputOf(json.object())] = json.object();
    return {};
}

QJsonObject RetargetReport::find(const std::string& output) const
{
    const auto found = m_entries.find(output);
    return found == m_entries.end() ? QJsonObject() : found->second;
}

std::vector<QJsonObject> RetargetReport::of(const std::string& motion) const
{
    std::vector<QJsonObject> entries;
    for (const auto& [output, entry] : m_entries)
        if (entry.value(QLatin1StringView("motion")).toString() == text(motion)) entries.push_back(entry);
    return entries;
}

Result<void> RetargetReport::put(const QJsonObject& entry)
{
    const FolderLock lock(m_path);
    const bool isDue = m_entries.size() < kFew || now() - m_lastWrite > kSecondsBetween;
    if (!isDue) {
        m_entries[outputOf(entry)] = entry;
        std::ofstream part(partPath(), std::ios::app);
        part << QJsonDocument(entry).toJson(QJsonDocument::Compact).toStdString() << '\n' << std::flush;
        if (!part) return Error{ErrorCode::Io, "cannot be written", partPath()};
        return {};
    }
    if (const auto read = readAll(); !read) return read;
    m_entries[outputOf(entry)] = entry;
    return writeAll();
}

Result<void> RetargetReport::finish()
{
    const FolderLock lock(m_path);
    if (const auto read = readAll(); !read) return read;
    const auto written = writeAll();
    std::error_code code;
    if (written) fs::remove(partPath(), code);
    return written;
}

Result<void> RetargetReport::writeAll()
{
    QJsonArray clips;
    std::map<QString, int> counts;
    qint64 frames = 0;
    for (const auto& [output, entry] : m_entries) {
        clips.append(entry);
        ++counts[entry.value(QLatin1StringView("result")).toString()];
        frames += entry.value(QLatin1StringView("frames")).toInteger();
    }
    QJsonObject summary{{QStringLiteral("clips"), static_cast<qint64>(m_entries.size())},
                        {QStringLiteral("frames"), frames}};
    for (const char* result : {"ok", "look", "failed"})
        summary[QLatin1StringView(result)] = counts[QLatin1StringView(result)];
    const QJsonObject json{
        {QStringLiteral("rig"), text(m_rig)}, {QStringLiteral("summary"), summary}, {QStringLiteral("clips"), clips}};
    const auto written = writeFile(m_path, QJsonDocument(json).toJson().toStdString());
    m_lastWrite = now();
    return written;
}

} // namespace tendon::cli

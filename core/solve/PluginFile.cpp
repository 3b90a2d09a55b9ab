#include "core/solve/PluginFile.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLibrary>
#include <QPluginLoader>

#include <array>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/stat.h>

Q_DECLARE_INTERFACE(tendon::sdk::SolverPlugin, TENDON_SOLVER_PLUGIN_IID)

namespace tendon {
namespace {

constexpr std::string_view kIid = TENDON_SOLVER_PLUGIN_IID;
constexpr std::string_view kIidStem = kIid.substr(0, kIid.rfind('/') + 1);

} // namespace

Result<std::string> readPluginDescription(const std::string& file)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return Error{ErrorCode::NotFound, "no such file", file};
    if (QFile content(QString::fromStdString(file)); !content.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Io, "cannot be read: " + content.errorString().toStdString(), file};
    const QPluginLoader loader(QString::fromStdString(file));
    const QJsonObject metaData = loader.metaData();
    if (metaData.isEmpty())
        return Error{ErrorCode::Unsupported,
                     "is not a plugin: it has no metadata that this Qt can read; remove it from the plugin folder",
                     file};

    // Qt would load a plugin with a foreign interface id without complaint: the host has to look itself.
    const std::string iid = metaData.value(QLatin1String("IID")).toString().toStdString();
    if (iid != kIid) {
        if (!iid.starts_with(kIidStem))
            return Error{ErrorCode::Unsupported,
                         "is a plugin of another program: its interface is '" + iid + "', not '" + std::string(kIid) +
                             "'; remove it from the plugin folder",
                         file};
        const std::string major = iid.substr(kIidStem.size());
        const bool isNewer = QString::fromStdString(major).toInt() > sdk::kSdkMajor;
        return Error{ErrorCode::Unsupported, otherSdkMessage(major + ".x (interface '" + iid + "')", isNewer), file};
    }
    const QJsonObject description = metaData.value(QLatin1String("MetaData")).toObject();
    return QJsonDocument(description).toJson(QJsonDocument::Compact).toStdString();
}

Result<SolverInfo> parsePluginDescription(const std::string& json, const std::string& file)
{
    auto info = parseSolverInfo(json);
    if (!info) return info.error().within(file + ": solver.json");
    info->file = file;
    return info;
}

Result<SolverInfo> readPluginInfo(const std::string& file)
{
    const auto description = readPluginDescription(file);
    return description ? parsePluginDescription(*description, file) : description.error();
}

Result<const sdk::SolverPlugin*> loadPlugin(const std::string& file)
{
    const auto info = readPluginInfo(file);
    if (!info) return info.error();
    QPluginLoader loader(QString::fromStdString(file)); // its destructor does not unload
    // All symbols now: a missing one is an error here and not a crash in the middle of a solve.
    loader.setLoadHints(QLibrary::ResolveAllSymbolsHint | QLibrary::PreventUnloadHint);
    const auto* plugin = qobject_cast<sdk::SolverPlugin*>(loader.instance());
    if (!plugin) {
        const std::string reason = loader.isLoaded() ? "its root object is not a tendon::sdk::SolverPlugin"
                                                     : loader.errorString().toStdString();
        return Error{ErrorCode::Unsupported, "cannot be loaded: " + reason, file};
    }
    if (plugin->layout() != sdk::layoutHash(info->sdkMinor))
        return Error{ErrorCode::Unsupported,
                     "was compiled with other SDK headers or compiler settings (the layout of the SDK's structs "
                     "differs); rebuild the plugin with the SDK of this Tendon",
                     file};
    return plugin;
}

namespace {

/// What the system says of a file that changes with its content. The time of the status can't be set by anybody, so a
/// file that was written keeps it from being taken for the one before, whatever other times are set back.
struct FileState
{
    std::array<std::int64_t, 7> values{}; ///< device, inode, size, and seconds and nanoseconds of content and status

    bool operator==(const FileState&) const = default;
};

std::optional<FileState> stateOf(const std::string& file)
{
    struct stat status = {};
    if (::stat(file.c_str(), &status) != 0) return std::nullopt;
    return FileState{{static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino),
                      status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                      status.st_ctim.tv_nsec}};
}

/// Times of files are coarse: what was written just now may be written again within the same moment.
bool isOldEnough(const FileState& state)
{
    constexpr std::int64_t kCoarse = 2; // [s] of the coarsest file systems
    timespec now = {};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec - state.values[5] > kCoarse && now.tv_sec - state.values[3] > kCoarse;
}

std::string readHash(const std::string& file)
{
    QFile content(QString::fromStdString(file));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!content.open(QIODevice::ReadOnly) || !hash.addData(&content)) return {};
    return hash.result().toHex().toStdString();
}

} // namespace

std::string contentHash(const std::string& file)
{
    static std::mutex mutex;
    static std::map<std::string, std::pair<FileState, std::string>> known;
    const auto before = stateOf(file);
    if (!before) return {};
    {
        const std::lock_guard lock(mutex);
        if (const auto found = known.find(file); found != known.end() && found->second.first == *before)
            return found->second.second;
    }
    std::string hash = readHash(file);
    if (hash.empty() || !isOldEnough(*before) || stateOf(file) != before) return hash;
    const std::lock_guard lock(mutex);
    known[file] = {*before, hash};
    return hash;
}

} // namespace tendon

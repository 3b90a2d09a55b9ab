#include "core/solve/PluginFile.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLibrary>
#include <QPluginLoader>

#include <filesystem>
#include <string_view>
#include <system_error>

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

std::string contentHash(const std::string& file)
{
    QFile content(QString::fromStdString(file));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!content.open(QIODevice::ReadOnly) || !hash.addData(&content)) return {};
    return hash.result().toHex().toStdString();
}

} // namespace tendon

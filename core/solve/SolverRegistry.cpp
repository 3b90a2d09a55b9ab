#include "core/solve/SolverRegistry.h"

#include <QCoreApplication>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLibrary>
#include <QPluginLoader>
#include <QStandardPaths>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

Q_DECLARE_INTERFACE(tendon::sdk::SolverPlugin, TENDON_SOLVER_PLUGIN_IID)

namespace tendon {

/// Where solvers of one kind come from: a library, loaded at first use and kept, or a function linked into the program.
struct SolverRegistry::Library
{
    SolverRegistry::Factory factory; ///< set when linked in; otherwise `file` counts
    std::string file;

    /// The plugin, or why it cannot be loaded; tried once. [any thread]
    [[nodiscard]] Result<const sdk::SolverPlugin*> plugin()
    {
        std::call_once(m_once, [this] { m_plugin = load(); });
        return *m_plugin;
    }

private:
    [[nodiscard]] Result<const sdk::SolverPlugin*> load();

    std::once_flag m_once;
    std::unique_ptr<QPluginLoader> m_loader; ///< its destructor does not unload
    std::optional<Result<const sdk::SolverPlugin*>> m_plugin;
};

namespace {

constexpr std::string_view kIid = TENDON_SOLVER_PLUGIN_IID;
constexpr std::string_view kIidStem = kIid.substr(0, kIid.rfind('/') + 1);

/// The description in a library's metadata, read without loading it.
Result<SolverInfo> readMetaData(const std::string& file)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return Error{ErrorCode::NotFound, "no such file", file};
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
    auto info = parseSolverInfo(QJsonDocument(description).toJson(QJsonDocument::Compact).toStdString());
    if (!info) return info.error().within(file + ": solver.json");
    info->file = file;
    return info;
}

bool isLibrary(const std::filesystem::path& path)
{
    return QLibrary::isLibrary(QString::fromStdString(path.filename().string()));
}

std::filesystem::path applicationFolder()
{
    if (QCoreApplication::instance()) return QCoreApplication::applicationDirPath().toStdString();
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

std::string canonical(const std::string& file)
{
    std::error_code failed;
    const std::filesystem::path path = std::filesystem::canonical(file, failed);
    return failed ? file : path.string();
}

} // namespace

Result<const sdk::SolverPlugin*> SolverRegistry::Library::load()
{
    // Metadata again: the file may have been replaced since it was scanned.
    const auto info = readMetaData(file);
    if (!info) return info.error();
    m_loader = std::make_unique<QPluginLoader>(QString::fromStdString(file));
    // All symbols now: a missing one is an error here and not a crash in the middle of a solve.
    m_loader->setLoadHints(QLibrary::ResolveAllSymbolsHint | QLibrary::PreventUnloadHint);
    const auto* plugin = qobject_cast<sdk::SolverPlugin*>(m_loader->instance());
    if (!plugin) {
        const std::string reason = m_loader->isLoaded() ? "its root object is not a tendon::sdk::SolverPlugin"
                                                        : m_loader->errorString().toStdString();
        return Error{ErrorCode::Unsupported, "cannot be loaded: " + reason, file};
    }
    if (plugin->layout() != sdk::layoutHash(info->sdkMinor))
        return Error{ErrorCode::Unsupported,
                     "was compiled with other SDK headers or compiler settings (the layout of the SDK's structs "
                     "differs); rebuild the plugin with the SDK of this Tendon",
                     file};
    return plugin;
}

std::vector<std::string> SolverRegistry::defaultFolders()
{
    std::vector<std::string> folders;
    const std::filesystem::path application = applicationFolder();
    folders.push_back((application / "plugins").string());
    folders.push_back((application / "../lib/tendon/plugins").lexically_normal().string());
    const QStringList named =
        qEnvironmentVariable("TENDON_PLUGIN_PATH").split(QDir::listSeparator(), Qt::SkipEmptyParts);
    for (const QString& folder : named) folders.push_back(folder.toStdString());
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    if (!data.isEmpty()) folders.push_back((data + QStringLiteral("/tendon/plugins")).toStdString());
    return folders;
}

void SolverRegistry::scan() { scan(defaultFolders()); }

void SolverRegistry::scan(const std::vector<std::string>& folders)
{
    for (const std::string& folder : folders) {
        std::vector<std::string> files;
        std::error_code failed; // a folder that is not there holds no plugins
        for (std::filesystem::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
            if (isLibrary(it->path())) files.push_back(it->path().string());
        std::sort(files.begin(), files.end());
        for (const std::string& file : files) {
            const bool isKnown = std::any_of(m_solvers.begin(), m_solvers.end(), [&file](const SolverInfo& info) {
                return !info.file.empty() && canonical(info.file) == canonical(file);
            });
            if (isKnown) continue; // the same folder, named twice
            if (const auto added = add(file); !added)
                m_issues.push_back({Severity::Warning, added.error().message, added.error().where, 0});
        }
    }
}

Result<SolverInfo> SolverRegistry::add(const std::string& libraryFile)
{
    // Qt looks for a relative name in its own plugin folders, not where the caller stands.
    std::error_code failed;
    const std::filesystem::path absolute = std::filesystem::absolute(libraryFile, failed);
    const std::string file = failed ? libraryFile : absolute.string();
    auto info = readMetaData(file);
    if (!info) return info.error();
    auto library = std::make_shared<Library>();
    library->file = file;
    return insert(*std::move(info), std::move(library));
}

Result<SolverInfo> SolverRegistry::add(SolverInfo info, Factory factory)
{
    auto library = std::make_shared<Library>();
    library->factory = std::move(factory);
    info.file.clear();
    return insert(std::move(info), std::move(library));
}

Result<SolverInfo> SolverRegistry::insert(SolverInfo info, std::shared_ptr<Library> library)
{
    const std::string where = info.file.empty() ? info.id : info.file;
    for (const SolverInfo& other : m_solvers) {
        const std::string otherFile = other.file.empty() ? "this program" : other.file;
        if (other.id == info.id)
            return Error{ErrorCode::InvalidArgument,
                         "solver '" + info.id + "' was already found in " + otherFile + ", which is used instead",
                         where};
        if (other.alias == info.alias)
            m_issues.push_back({Severity::Warning,
                                "the alias '" + info.alias + "' belongs to '" + other.id + "' of " + otherFile +
                                    "; use this one as '" + info.id + "'",
                                where, 0});
    }
    m_solvers.push_back(info);
    m_libraries.push_back(std::move(library));
    return info;
}

std::size_t SolverRegistry::indexOf(std::string_view idOrAlias) const
{
    if (idOrAlias == "default") idOrAlias = kDefaultAlias;
    for (std::size_t i = 0; i < m_solvers.size(); ++i)
        if (m_solvers[i].id == idOrAlias || m_solvers[i].alias == idOrAlias) return i;
    return m_solvers.size();
}

const SolverInfo* SolverRegistry::find(std::string_view idOrAlias) const
{
    const std::size_t index = indexOf(idOrAlias);
    return index == m_solvers.size() ? nullptr : &m_solvers[index];
}

Result<std::unique_ptr<sdk::Solver>> SolverRegistry::create(std::string_view idOrAlias) const
{
    const std::size_t index = indexOf(idOrAlias);
    if (index == m_solvers.size()) {
        std::string known;
        for (const SolverInfo& info : m_solvers) known += (known.empty() ? "" : ", ") + info.alias;
        return Error{ErrorCode::NotFound,
                     "no such solver: '" + std::string(idOrAlias) +
                         "'; found: " + (known.empty() ? "none (look at TENDON_PLUGIN_PATH)" : known),
                     "solver"};
    }
    Library& library = *m_libraries[index];
    std::unique_ptr<sdk::Solver> solver;
    if (library.factory) {
        solver = library.factory();
    } else {
        const auto plugin = library.plugin();
        if (!plugin) return plugin.error();
        solver = (*plugin)->create();
    }
    if (!solver) return Error{ErrorCode::LimitExceeded, "could not be created: out of memory", m_solvers[index].alias};
    if (const auto set = setDefaults(*solver, m_solvers[index]); !set) return set.error();
    return solver;
}

} // namespace tendon

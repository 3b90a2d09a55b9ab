#include "core/solve/SolverRegistry.h"

#include "core/solve/ConstraintInfo.h"
#include "core/solve/PluginFile.h"
#include "core/solve/host/HostedSolver.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibrary>
#include <QStandardPaths>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

namespace tendon {

/// Where solvers of one kind come from: a library, or a function linked into the program. [any thread]
struct SolverRegistry::Library
{
    /// A file as it was when it was looked at.
    struct Stamp
    {
        std::filesystem::file_time_type time;
        std::uintmax_t size = 0;
        bool operator==(const Stamp&) const = default;
    };

    SolverRegistry::Factory factory; ///< set when linked in; otherwise `file` counts
    std::string file;
    std::string description; ///< its solver.json when the solver was added, which is what others know of it
    Stamp added;             ///< of the file with that description

    [[nodiscard]] Stamp stamp() const;

    /// A solver; null when that fails. Loads the library at first use.
    [[nodiscard]] Result<std::unique_ptr<sdk::Solver>> create(const SolverInfo& info, const PluginTrust& trust);
    [[nodiscard]] std::optional<Error> fault() const;
    [[nodiscard]] bool isConfined() const;

private:
    [[nodiscard]] Result<void> checkDescription() const;
    [[nodiscard]] Result<std::shared_ptr<host::HostProcess>> process(const SolverInfo& info, const PluginTrust& trust);

    mutable std::mutex m_mutex;
    std::optional<Result<const sdk::SolverPlugin*>> m_plugin; ///< loaded into this process
    std::shared_ptr<host::HostProcess> m_process;             ///< of a foreign plugin
    Stamp m_started;                                          ///< of what m_process has loaded, or m_other is about
    std::optional<Error> m_other; ///< the file is another plugin by now: in place of m_process
};

/// The solvers at one time.
struct SolverRegistry::Table
{
    std::vector<SolverInfo> solvers;
    std::vector<std::shared_ptr<Library>> libraries; ///< one per solver
    Issues issues;

    [[nodiscard]] std::size_t indexOf(std::string_view idOrAlias) const; ///< solvers.size() when there is none
    [[nodiscard]] Result<SolverInfo> insert(SolverInfo info, std::shared_ptr<Library> library);
};

/// Every table that there has been: what points into one stays true.
struct SolverRegistry::Tables
{
    std::mutex writing;
    std::vector<std::unique_ptr<const Table>> all; ///< the newest last
    std::atomic<const Table*> newest = nullptr;
    std::atomic<std::uint64_t> revision = 0;

    void publish(Table table) ///< precondition: `writing` is locked
    {
        all.push_back(std::make_unique<const Table>(std::move(table)));
        newest = all.back().get();
        ++revision;
    }
};

namespace {

constexpr const char* kHostProgram = "tendon-plugin-host";
constexpr double kMaxPatience = 86400; // [s]

/// Whether users other than the owner and the group may write a file or put another one in its place.
bool isOpenToAll(const std::string& file)
{
    std::error_code failed;
    for (const std::filesystem::path& path : {std::filesystem::path(file), std::filesystem::path(file).parent_path()}) {
        const auto permissions = std::filesystem::status(path, failed).permissions();
        if (!failed && (permissions & std::filesystem::perms::others_write) != std::filesystem::perms::none)
            return true;
    }
    return false;
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

bool isOurs(const std::string& file, const PluginTrust& trust)
{
    return std::find(trust.ours.begin(), trust.ours.end(), contentHash(file)) != trust.ours.end();
}

std::string canonical(const std::string& file)
{
    std::error_code failed;
    const std::filesystem::path path = std::filesystem::canonical(file, failed);
    return failed ? file : path.string();
}

} // namespace

SolverRegistry::SolverRegistry(PluginTrust trust) : m_trust(std::move(trust)), m_tables(std::make_shared<Tables>())
{
    m_tables->publish({});
}

const SolverRegistry::Table& SolverRegistry::table() const { return *m_tables->newest; }

const std::vector<SolverInfo>& SolverRegistry::solvers() const { return table().solvers; }

const Issues& SolverRegistry::issues() const { return table().issues; }

std::uint64_t SolverRegistry::revision() const { return m_tables->revision; }

bool SolverRegistry::runsHere(const std::string& file) const
{
    return m_trust.isEveryPluginOurs || isOurs(file, m_trust);
}

PluginTrust PluginTrust::only(std::span<const std::string_view> ours, double patience)
{
    PluginTrust trust;
    trust.isEveryPluginOurs = false;
    trust.ours = ours;
    const std::filesystem::path folder = applicationFolder();
    trust.host = (folder / kHostProgram).string();
    std::error_code ignored;
    const std::filesystem::path installed = folder.parent_path() / "lib/tendon" / kHostProgram;
    if (std::filesystem::exists(installed, ignored)) trust.host = installed.string();
    bool isNumber = false;
    const double wanted = qEnvironmentVariable("TENDON_PLUGIN_PATIENCE").toDouble(&isNumber);
    trust.patience = isNumber && wanted > 0 && wanted <= kMaxPatience ? wanted : patience;
    return trust;
}

SolverRegistry::Library::Stamp SolverRegistry::Library::stamp() const
{
    std::error_code ignored;
    return {std::filesystem::last_write_time(file, ignored), std::filesystem::file_size(file, ignored)};
}

/// Parameters and features are those of `description`: a plugin with others is not what panels and projects ask for.
Result<void> SolverRegistry::Library::checkDescription() const
{
    const auto now = readPluginDescription(file);
    if (!now) return now.error();
    if (*now == description) return {};
    return Error{ErrorCode::Unsupported,
                 "was replaced by a plugin that describes itself otherwise; start the program again to use it", file};
}

Result<std::shared_ptr<host::HostProcess>> SolverRegistry::Library::process(const SolverInfo& info,
                                                                            const PluginTrust& trust)
{
    const Stamp now = stamp();
    if ((m_process == nullptr && !m_other) || !(now == m_started)) {
        // A file that a build is writing is no plugin yet: until it is, what runs already goes on.
        if (m_process != nullptr && !m_process->fault() && !readPluginDescription(file)) return m_process;
        m_started = now;
        m_process.reset();
        m_other.reset();
        if (const auto same = checkDescription(); !same)
            m_other = same.error();
        else
            m_process = host::HostProcess::start({trust.host, file, info.alias, trust.patience});
    }
    if (m_other) return *m_other;
    return m_process;
}

Result<std::unique_ptr<sdk::Solver>> SolverRegistry::Library::create(const SolverInfo& info, const PluginTrust& trust)
{
    if (factory) return factory();
    std::unique_lock lock(m_mutex);
    if (!m_plugin && (trust.isEveryPluginOurs || isOurs(file, trust))) {
        const auto same = checkDescription();
        m_plugin = same ? loadPlugin(file) : same.error();
    }
    if (m_plugin) return *m_plugin ? Result((**m_plugin)->create()) : m_plugin->error();
    const auto host = process(info, trust);
    if (!host) return host.error();
    lock.unlock();
    auto solver = host::HostedSolver::create(*host);
    if (const auto fault = (*host)->fault()) return *fault;
    return solver;
}

std::optional<Error> SolverRegistry::Library::fault() const
{
    const std::lock_guard lock(m_mutex);
    return m_process == nullptr ? m_other : m_process->fault();
}

bool SolverRegistry::Library::isConfined() const
{
    const std::lock_guard lock(m_mutex);
    return m_process == nullptr || m_process->isConfined();
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
    const std::lock_guard lock(m_tables->writing);
    Table table = this->table();
    for (const std::string& folder : folders) {
        std::vector<std::string> files;
        std::error_code failed; // a folder that is not there holds no plugins
        for (std::filesystem::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
            if (isLibrary(it->path())) files.push_back(it->path().string());
        std::sort(files.begin(), files.end());
        for (const std::string& file : files) {
            const bool isKnown = std::any_of(table.solvers.begin(), table.solvers.end(),
                                             [&file](const SolverInfo& info) {
                                                 return !info.file.empty() && canonical(info.file) == canonical(file);
                                             });
            if (isKnown) continue; // the same folder, named twice
            if (!m_trust.isEveryPluginOurs && !m_trust.isForeignAllowed && !isOurs(file, m_trust)) {
                table.issues.push_back({Severity::Info, "is not one of Tendon's own plugins and is left out", file, 0});
                continue;
            }
            if (!m_trust.isEveryPluginOurs && isOpenToAll(file) && !isOurs(file, m_trust)) {
                table.issues.push_back(
                    {Severity::Warning,
                     "is left out: every user may replace it. Take the right to write from others, for it and "
                     "for its folder (chmod o-w)",
                     file, 0});
                continue;
            }
            if (const auto added = addTo(table, file); !added)
                table.issues.push_back({Severity::Warning, added.error().message, added.error().where, 0});
        }
    }
    m_tables->publish(std::move(table));
}

Result<SolverInfo> SolverRegistry::addTo(Table& table, const std::string& libraryFile) const
{
    // Qt looks for a relative name in its own plugin folders, not where the caller stands.
    std::error_code failed;
    const std::filesystem::path absolute = std::filesystem::absolute(libraryFile, failed);
    auto library = std::make_shared<Library>();
    library->file = failed ? libraryFile : absolute.string();
    library->added = library->stamp();
    auto description = readPluginDescription(library->file);
    if (!description) return description.error();
    auto info = parsePluginDescription(*description, library->file);
    if (!info) return info.error();
    library->description = *std::move(description);
    return table.insert(*std::move(info), std::move(library));
}

Result<SolverInfo> SolverRegistry::add(const std::string& libraryFile)
{
    const std::lock_guard lock(m_tables->writing);
    Table table = this->table();
    auto added = addTo(table, libraryFile);
    if (added) m_tables->publish(std::move(table));
    return added;
}

Result<SolverInfo> SolverRegistry::add(SolverInfo info, Factory factory)
{
    auto library = std::make_shared<Library>();
    library->factory = std::move(factory);
    info.file.clear();
    const std::lock_guard lock(m_tables->writing);
    Table table = this->table();
    auto added = table.insert(std::move(info), std::move(library));
    if (added) m_tables->publish(std::move(table));
    return added;
}

std::vector<SolverRegistry::Replaced> SolverRegistry::reload()
{
    const std::lock_guard lock(m_tables->writing);
    Table table = this->table();
    std::vector<Replaced> replaced;
    for (std::size_t i = 0; i < table.solvers.size(); ++i) {
        const std::shared_ptr<Library> before = table.libraries[i];
        if (before->factory || before->stamp() == before->added || runsHere(before->file)) continue;
        // Without the others and this one, as if it were found now.
        Table alone;
        auto now = addTo(alone, before->file);
        const bool isOther = now && now->id != table.solvers[i].id;
        if (now && !isOther) {
            table.solvers[i] = *now;
            table.libraries[i] = alone.libraries.front();
            replaced.push_back({*now, std::nullopt});
        } else {
            auto broken = std::make_shared<Library>();
            broken->file = before->file;
            broken->description = before->description;
            broken->added = before->stamp();
            table.libraries[i] = std::move(broken); // which tells what is wrong when a solver is asked for
            Error error = now ? Error{ErrorCode::Unsupported,
                                      "was replaced by the solver '" + now->id + "'; start Tendon again to use that",
                                      before->file}
                              : now.error();
            replaced.push_back({table.solvers[i], std::move(error)});
        }
    }
    if (!replaced.empty()) m_tables->publish(std::move(table));
    return replaced;
}

Result<SolverInfo> SolverRegistry::Table::insert(SolverInfo info, std::shared_ptr<Library> library)
{
    const std::string where = info.file.empty() ? info.id : info.file;
    if (findConstraint(info.alias) != nullptr)
        return Error{ErrorCode::InvalidArgument,
                     "the alias '" + info.alias + "' is the name of a constraint; give the solver another one", where};
    for (const SolverInfo& other : solvers) {
        const std::string otherFile = other.file.empty() ? "this program" : other.file;
        if (other.id == info.id)
            return Error{ErrorCode::InvalidArgument,
                         "solver '" + info.id + "' was already found in " + otherFile + ", which is used instead",
                         where};
        if (other.alias == info.alias)
            issues.push_back({Severity::Warning,
                              "the alias '" + info.alias + "' belongs to '" + other.id + "' of " + otherFile +
                                  "; use this one as '" + info.id + "'",
                              where, 0});
    }
    solvers.push_back(info);
    libraries.push_back(std::move(library));
    return info;
}

std::size_t SolverRegistry::Table::indexOf(std::string_view idOrAlias) const
{
    if (idOrAlias == "default") idOrAlias = kDefaultAlias;
    for (std::size_t i = 0; i < solvers.size(); ++i)
        if (solvers[i].id == idOrAlias || solvers[i].alias == idOrAlias) return i;
    return solvers.size();
}

const SolverInfo* SolverRegistry::find(std::string_view idOrAlias) const
{
    const Table& table = this->table();
    const std::size_t index = table.indexOf(idOrAlias);
    return index == table.solvers.size() ? findConstraint(idOrAlias) : &table.solvers[index];
}

Result<std::unique_ptr<sdk::Solver>> SolverRegistry::create(std::string_view idOrAlias) const
{
    const Table& table = this->table();
    const std::size_t index = table.indexOf(idOrAlias);
    if (findConstraint(idOrAlias) != nullptr)
        return Error{ErrorCode::Unsupported,
                     "'" + std::string(idOrAlias) + "' is a constraint, which needs no solver; name a solver",
                     "solver"};
    if (index == table.solvers.size()) {
        std::string known;
        for (const SolverInfo& info : table.solvers) known += (known.empty() ? "" : ", ") + info.alias;
        return Error{ErrorCode::NotFound,
                     "no such solver: '" + std::string(idOrAlias) +
                         "'; found: " + (known.empty() ? "none (look at TENDON_PLUGIN_PATH)" : known),
                     "solver"};
    }
    const SolverInfo& info = table.solvers[index];
    Library& library = *table.libraries[index];
    auto made = library.create(info, m_trust);
    if (!made) return made.error();
    std::unique_ptr<sdk::Solver> solver = *std::move(made);
    if (!solver)
        return Error{ErrorCode::LimitExceeded,
                     "could not be created: its constructor has thrown an exception, or memory is short", info.alias};
    const auto set = setDefaults(*solver, info);
    if (const auto fault = library.fault()) return *fault;
    if (!set) return set.error();
    return solver;
}

std::optional<Error> SolverRegistry::fault(std::string_view idOrAlias) const
{
    const Table& table = this->table();
    const std::size_t index = table.indexOf(idOrAlias);
    return index == table.solvers.size() ? std::nullopt : table.libraries[index]->fault();
}

std::vector<Error> SolverRegistry::faults() const
{
    std::vector<Error> all;
    for (const auto& library : table().libraries)
        if (auto fault = library->fault()) all.push_back(*std::move(fault));
    return all;
}

Issues SolverRegistry::unconfined() const
{
    Issues all;
    const Table& table = this->table();
    for (std::size_t i = 0; i < table.libraries.size(); ++i)
        if (!table.libraries[i]->isConfined())
            all.push_back({Severity::Warning,
                           "runs without a filter of system calls, which this kernel, or a container around it, does "
                           "not allow: it can do with your files what you can",
                           table.solvers[i].file, 0});
    return all;
}

} // namespace tendon

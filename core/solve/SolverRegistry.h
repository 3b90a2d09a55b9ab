#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/solve/SolverInfo.h"

#include <tendon/sdk/Plugin.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// Which plugins may run in this process. The others are foreign: each runs in a host process of its own.
struct PluginTrust
{
    bool isEveryPluginOurs = true;          ///< then the rest counts for nothing
    std::span<const std::string_view> ours; ///< contentHash() of the libraries that are Tendon's own
    bool isForeignAllowed = true;           ///< false = foreign plugins are left out
    std::string host;                       ///< path of the program tendon-plugin-host
    double patience = kDefaultPatience;     ///< [s] that a foreign plugin may take for a solve, or to load

    static constexpr double kDefaultPatience = 10;

    /// Trusts plugins of these contents alone. The host is the one that belongs to this program: beside it, or in
    /// lib/tendon where it is installed. TENDON_PLUGIN_PATIENCE in the environment replaces `patience`.
    [[nodiscard]] static PluginTrust only(std::span<const std::string_view> ours, double patience = kDefaultPatience);
};

/// The solvers found on this machine. Finding reads metadata only; a library is loaded when its first solver is made.
/// Libraries loaded here stay until the process ends. Copies are the same registry. [thread-safe]
///
/// Solvers may be added and foreign plugins replaced at any time; what is returned by reference or pointer stays as it
/// was, and revision() tells that there is something newer.
///
/// A foreign plugin that crashes, hangs, ends its process or answers untruly is at fault: it makes no more solvers, and
/// those that it has made fail, until its file is replaced.
class SolverRegistry
{
public:
    explicit SolverRegistry(PluginTrust trust = {});

    /// Makes one solver of a kind; null when that fails. [any thread]
    using Factory = std::function<std::unique_ptr<sdk::Solver>()>;

    /// Searches <application>/plugins (and the installed layout beside it), then TENDON_PLUGIN_PATH, then the user's
    /// data folder. Files that cannot be used are listed in issues(). Of two solvers with one id the first wins.
    void scan();
    void scan(const std::vector<std::string>& folders);

    /// Adds one plugin by its file without loading it. Errors: not a library with metadata, a foreign interface id, an
    /// SDK version that this host cannot load, an invalid solver.json, an id that was already added.
    [[nodiscard]] Result<SolverInfo> add(const std::string& libraryFile);

    /// Adds a solver that is linked into the program.
    [[nodiscard]] Result<SolverInfo> add(SolverInfo info, Factory factory);

    /// A foreign plugin whose file was replaced since it was added, or since the last reload().
    struct Replaced
    {
        SolverInfo solver;          ///< as it is now; as it was, where there is an error
        std::optional<Error> error; ///< why the plugin in its place cannot be used
    };
    /// Takes up plugins whose files were replaced, with the parameters that they have now. Where the new file cannot be
    /// used, the solver stays listed and cannot be created. Tendon's own plugins are never replaced.
    std::vector<Replaced> reload();

    /// Grows with every solver that is added or replaced: solvers that were made before may be older than their
    /// plugins.
    [[nodiscard]] std::uint64_t revision() const;

    /// Whether a solver's plugin runs in a process of its own, and may be replaced.
    [[nodiscard]] bool isForeign(const SolverInfo& solver) const
    {
        return !solver.file.empty() && !runsHere(solver.file);
    }

    [[nodiscard]] const std::vector<SolverInfo>& solvers() const;
    [[nodiscard]] const Issues& issues() const;

    /// By id or alias, of a constraint, too; "default" is the solver of new handles. Null when none has that name.
    [[nodiscard]] const SolverInfo* find(std::string_view idOrAlias) const;

    /// A new solver with the default parameters of its solver.json, whatever its class has. Loads the library at first
    /// use, after checking interface id, SDK version and layout. [any thread]
    [[nodiscard]] Result<std::unique_ptr<sdk::Solver>> create(std::string_view idOrAlias) const;

    /// What the plugin of a solver has done wrong; names it. Nothing as long as it works. InvalidArgument: an answer of
    /// its was untrue.
    [[nodiscard]] std::optional<Error> fault(std::string_view idOrAlias) const;
    /// Those of all plugins.
    [[nodiscard]] std::vector<Error> faults() const;
    /// Warnings: foreign plugins that run here as the kernel does not confine them.
    [[nodiscard]] Issues unconfined() const;

    /// The folders that scan() searches, in order.
    [[nodiscard]] static std::vector<std::string> defaultFolders();

    static constexpr std::string_view kDefaultAlias = "dls";
    /// What interactive IK uses where all that moves slides, as in a telescope: its settings have an effect there.
    static constexpr std::string_view kSlidingAlias = "hd";

private:
    struct Library;
    struct Table;
    struct Tables;

    [[nodiscard]] const Table& table() const;
    [[nodiscard]] Result<SolverInfo> addTo(Table& table, const std::string& libraryFile) const;
    [[nodiscard]] bool runsHere(const std::string& file) const; ///< a plugin that is trusted with this process

    PluginTrust m_trust;
    std::shared_ptr<Tables> m_tables;
};

} // namespace tendon

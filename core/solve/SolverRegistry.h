#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/solve/SolverInfo.h"

#include <tendon/sdk/Plugin.h>

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
/// Libraries loaded here stay until the process ends. Copies share the libraries. [thread-safe after scan]
///
/// A foreign plugin that crashes, hangs, ends its process or answers untruly is at fault: it makes no more solvers, and
/// those that it has made fail, until its file is replaced.
class SolverRegistry
{
public:
    SolverRegistry() = default;
    explicit SolverRegistry(PluginTrust trust) : m_trust(std::move(trust)) {}

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

    [[nodiscard]] const std::vector<SolverInfo>& solvers() const { return m_solvers; }
    [[nodiscard]] const Issues& issues() const { return m_issues; }

    /// By id or alias; "default" is the solver of new handles. Null when there is none of that name.
    [[nodiscard]] const SolverInfo* find(std::string_view idOrAlias) const;

    /// A new solver with the default parameters of its solver.json, whatever its class has. Loads the library at first
    /// use, after checking interface id, SDK version and layout. [any thread]
    [[nodiscard]] Result<std::unique_ptr<sdk::Solver>> create(std::string_view idOrAlias) const;

    /// What the plugin of a solver has done wrong; names it. Nothing as long as it works.
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

    [[nodiscard]] std::size_t indexOf(std::string_view idOrAlias) const; ///< solvers().size() when there is none
    [[nodiscard]] Result<SolverInfo> insert(SolverInfo info, std::shared_ptr<Library> library);

    PluginTrust m_trust;
    std::vector<SolverInfo> m_solvers;
    std::vector<std::shared_ptr<Library>> m_libraries; ///< one per solver
    Issues m_issues;
};

} // namespace tendon

#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/solve/SolverInfo.h"

#include <tendon/sdk/Plugin.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// The solvers found on this machine. Finding reads metadata only; a library is loaded when its first solver is made.
/// Loaded libraries stay until the process ends. Copies share the libraries. [thread-safe after scan]
class SolverRegistry
{
public:
    /// Makes one solver of a kind; null when out of memory. [any thread]
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

    /// The folders that scan() searches, in order.
    [[nodiscard]] static std::vector<std::string> defaultFolders();

    static constexpr std::string_view kDefaultAlias = "dls";

private:
    struct Library;

    [[nodiscard]] std::size_t indexOf(std::string_view idOrAlias) const; ///< solvers().size() when there is none
    [[nodiscard]] Result<SolverInfo> insert(SolverInfo info, std::shared_ptr<Library> library);

    std::vector<SolverInfo> m_solvers;
    std::vector<std::shared_ptr<Library>> m_libraries; ///< one per solver
    Issues m_issues;
};

} // namespace tendon

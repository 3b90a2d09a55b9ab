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
    /// Makes one solver of a kind; null when memory is out. [any thread]
    using Factory = std::function<std::unique_ptr<sdk::Solver>()>;

    /// Looks through <application>/plugins (and the install layout beside it), then TENDON_PLUGIN_PATH, then the user's
    /// data folder. What cannot be used is listed in issues(), never fatal. Of two with one id the first wins.
    void scan();
    void scan(const std::vector<std::string>& folders);

    /// Takes one plugin by its file, unloaded. Errors: not a library with metadata, a foreign interface id, another SDK
    /// version, a solver.json that does not fit, an id that is already there.
    [[nodiscard]] Result<SolverInfo> add(const std::string& libraryFile);

    /// Takes a solver that is linked into the program.
    [[nodiscard]] Result<SolverInfo> add(SolverInfo info, Factory factory);

    [[nodiscard]] const std::vector<SolverInfo>& solvers() const { return m_solvers; }
    [[nodiscard]] const Issues& issues() const { return m_issues; }

    /// By id or alias; "default" is what new handles get. Null when there is none of that name.
    [[nodiscard]] const SolverInfo* find(std::string_view idOrAlias) const;

    /// A new solver with its default parameters. Loads the library at first use, after checking interface id, SDK
    /// version and layout. [any thread]
    [[nodiscard]] Result<std::unique_ptr<sdk::Solver>> create(std::string_view idOrAlias) const;

    /// The folders that scan() looks through, in order.
    [[nodiscard]] static std::vector<std::string> defaultFolders();

    static constexpr std::string_view kDefaultAlias = "dls";

private:
    struct Library;

    [[nodiscard]] std::size_t indexOf(std::string_view idOrAlias) const; ///< solvers().size() when there is none
    [[nodiscard]] Result<SolverInfo> take(SolverInfo info, std::shared_ptr<Library> library);

    std::vector<SolverInfo> m_solvers;
    std::vector<std::shared_ptr<Library>> m_libraries; ///< one per solver
    Issues m_issues;
};

} // namespace tendon

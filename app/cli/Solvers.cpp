#include "app/cli/Solvers.h"

#include "plugins/ShippedPlugins.h"

#include <optional>

namespace tendon::cli {
namespace {

std::optional<SolverRegistry> scanned; ///< by solvers()

} // namespace

SolverRegistry makeRegistry(const Cli& cli)
{
    PluginTrust trust = PluginTrust::only(shippedPlugins());
    trust.isForeignAllowed = !cli.withoutPlugins;
    return SolverRegistry(std::move(trust));
}

const SolverRegistry& solvers(const Cli& cli)
{
    if (!scanned) {
        scanned = makeRegistry(cli);
        scanned->scan();
        printIssues(cli, scanned->issues());
    }
    return *scanned;
}

Exit judgePlugins(Exit exit)
{
    if (scanned)
        for (const Issue& issue : scanned->unconfined()) printNote(issue.where + ": " + issue.text);
    if (!scanned || exit == Exit::Failed || exit == Exit::WrongUsage) return exit; // it has been said
    for (const Error& fault : scanned->faults()) {
        printNote(fault.text());
        exit = exit == Exit::Done ? Exit::DoneWithFindings : exit;
    }
    return exit;
}

} // namespace tendon::cli

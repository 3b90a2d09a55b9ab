#include "app/cli/PluginsCommand.h"
#include "core/base/Counted.h"
#include "core/conformance/Conformance.h"
#include "core/conformance/Examination.h"
#include "core/solve/SolverRegistry.h"
#include "core/solve/host/PluginSandbox.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace tendon::cli {

namespace {

using conformance::Check;
using conformance::failedCheck;
using conformance::verdictName;

/// Examines the plugin here.
std::vector<Check> examineHere(const std::string& file, const CheckArguments& arguments, conformance::Options options)
{
    SolverRegistry registry;
    const auto info = registry.add(file);
    if (!info) return {failedCheck("loadable", info.error().text())};
    if (const auto solver = registry.create(info->id); !solver) return {failedCheck("loadable", solver.error().text())};
    options.seed = arguments.seed;
    options.casesPerRig = arguments.cases;
    options.onlyPlace = arguments.onlyPlace;
    options.afterGroup = arguments.afterGroup;
    if (void* counter = dlsym(RTLD_DEFAULT, "tendon_allocations")) // preloaded by the parent
        options.allocations = reinterpret_cast<std::int64_t (*)()>(counter);
    const auto create = [&registry, id = info->id] { return std::move(*registry.create(id)); };
    return conformance::examine({*info, create}, options);
}

/// The words as a shell takes them.
std::string quoted(const std::string& word)
{
    const bool isPlain = word.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:") ==
                         std::string::npos;
    std::string result = "'";
    for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return isPlain ? word : result + "'";
}

/// The command line that looks at just the failing case; empty where there is none.
std::string repetition(const std::string& file, const CheckArguments& arguments, const Check& check)
{
    if (check.place.empty()) return {};
    const CheckArguments usual;
    std::string line = "tendon plugins check " + quoted(file) + " --case " + quoted(check.place);
    if (arguments.seed != usual.seed) line += " --seed " + std::to_string(arguments.seed);
    if (arguments.cases != usual.cases) line += " --cases " + std::to_string(arguments.cases);
    return line;
}

struct Examined
{
    std::string file;
    std::vector<Check> checks;

    [[nodiscard]] bool isSound() const { return conformance::allPassed(checks); }
};

QJsonObject toJson(const Examined& plugin, const CheckArguments& arguments)
{
    QJsonArray array;
    for (const Check& check : plugin.checks) {
        QJsonObject object = conformance::toJson(check);
        object.insert(QStringLiteral("repeat"), text(repetition(plugin.file, arguments, check)));
        array.append(object);
    }
    return {{QStringLiteral("file"), text(plugin.file)},
            {QStringLiteral("passed"), plugin.isSound()},
            {QStringLiteral("checks"), array}};
}

void printOut(const Examined& plugin, const CheckArguments& arguments)
{
    for (const Check& check : plugin.checks) {
        char head[80];
        std::snprintf(head, sizeof head, "%-8s%-26s", verdictName(check.verdict), check.name.c_str());
        print(head +
              (check.detail.empty() ? counted(static_cast<std::size_t>(check.tried), "time", "times") : check.detail) +
              "\n");
        if (const std::string again = repetition(plugin.file, arguments, check); !again.empty())
            print("          to repeat: " + again + "\n");
    }
    print(plugin.isSound() ? "The plugin keeps its contract.\n" : "The plugin does not keep its contract.\n");
}

/// The plugins meant: files, aliases, or everything found, with what cannot be used as failures.
Result<std::vector<Examined>> pluginsMeant(const CheckArguments& arguments)
{
    SolverRegistry registry;
    const bool isAll = arguments.files.empty();
    const bool namesAliases = std::any_of(arguments.files.begin(), arguments.files.end(),
                                          [](const std::string& file) { return !QFile::exists(text(file)); });
    if (isAll || namesAliases) registry.scan();
    std::vector<Examined> plugins;
    if (isAll) {
        for (const SolverInfo& info : registry.solvers()) plugins.push_back({info.file, {}});
        for (const Issue& issue : registry.issues())
            plugins.push_back({issue.where, {failedCheck("loadable", issue.text)}});
    }
    for (const std::string& file : arguments.files) {
        if (QFile::exists(text(file))) {
            plugins.push_back({file, {}});
            continue;
        }
        const SolverInfo* info = registry.find(file);
        if (!info)
            return Error{ErrorCode::NotFound,
                         "there is no such file, and no solver has this alias; `tendon plugins` lists the solvers",
                         file};
        plugins.push_back({info->file, {}});
    }
    if (plugins.empty())
        return Error{ErrorCode::NotFound, "no plugins found; set TENDON_PLUGIN_PATH to their folder", "plugins check"};
    return plugins;
}

} // namespace

Exit runCheckAsChild(const CheckArguments& arguments)
{
    const auto limit = [](auto resource, rlim_t most) {
        const rlimit both = {most, most};
        ::setrlimit(resource, &both);
    };
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    limit(RLIMIT_AS, rlim_t{8} << 30);
#endif
    // What the plugin prints must not be taken for what is said here.
    std::FILE* said = ::fdopen(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0), "w");
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    if (said == nullptr) return Exit::Failed;
    host::confinePlugin();
    const auto say = [said](const std::string& line) {
        std::fputs((line + "\n").c_str(), said);
        std::fflush(said);
    };
    conformance::tellChecks(
        say, examineHere(arguments.files.front(), arguments, conformance::tellingOptions(say, arguments.shownCheck)));
    say("done");
    return Exit::Done;
}

Exit runCheck(const Cli& cli, const CheckArguments& arguments)
{
    const std::string group = arguments.onlyPlace.substr(0, arguments.onlyPlace.find('/'));
    const std::vector<std::string> groups = conformance::groupNames();
    if (!group.empty() && std::find(groups.begin(), groups.end(), group) == groups.end()) {
        std::string known;
        for (const std::string& name : groups) known += (known.empty() ? "" : ", ") + name;
        return fail({ErrorCode::NotFound, "there is no group '" + group + "'; the groups are " + known, "--case"});
    }
    auto plugins = pluginsMeant(arguments);
    if (!plugins) return fail(plugins.error());
    bool areSound = true;
    QJsonArray array;
    for (Examined& plugin : *plugins) {
        const bool isRefused = !plugin.checks.empty();
        if (!cli.json && plugins->size() > 1) print(plugin.file + "\n");
        if (!isRefused)
            plugin.checks = arguments.inThisProcess
                                ? examineHere(plugin.file, arguments, {})
                                : conformance::Examination(plugin.file, {.seed = arguments.seed,
                                                                         .cases = arguments.cases,
                                                                         .patience = arguments.patience,
                                                                         .onlyPlace = arguments.onlyPlace})
                                      .run();
        areSound &= plugin.isSound();
        if (cli.json)
            array.append(toJson(plugin, arguments));
        else
            printOut(plugin, arguments);
        std::fflush(stdout);
    }
    const bool isOne = arguments.files.size() == 1;
    if (cli.json)
        printJson(isOne ? array[0].toObject()
                        : QJsonObject{{QStringLiteral("passed"), areSound}, {QStringLiteral("plugins"), array}});
    else if (plugins->size() > 1)
        print(areSound ? "All plugins keep their contract.\n" : "Not all plugins keep their contract.\n");
    return areSound ? Exit::Done : Exit::DoneWithFindings;
}

} // namespace tendon::cli

#include "app/cli/PluginsCommand.h"
#include "core/base/Counted.h"
#include "core/conformance/Conformance.h"
#include "core/solve/SolverRegistry.h"
#include "core/solve/host/PluginSandbox.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

namespace tendon::cli {

namespace {

using conformance::Check;
using conformance::Verdict;

const char* verdictName(Verdict verdict)
{
    return verdict == Verdict::Passed ? "passed" : verdict == Verdict::Failed ? "failed" : "skipped";
}

constexpr int kMaxDeaths = 4; ///< a plugin that keeps dying is left alone

QJsonObject toJson(const Check& check)
{
    return {{QStringLiteral("name"), text(check.name)},
            {QStringLiteral("verdict"), QString::fromLatin1(verdictName(check.verdict))},
            {QStringLiteral("tried"), static_cast<qint64>(check.tried)},
            {QStringLiteral("failed"), static_cast<qint64>(check.failed)},
            {QStringLiteral("detail"), text(check.detail)},
            {QStringLiteral("place"), text(check.place)}};
}

Check fromJson(const QJsonObject& object)
{
    const QString verdict = object.value(QLatin1String("verdict")).toString();
    Check check;
    check.name = object.value(QLatin1String("name")).toString().toStdString();
    check.verdict = verdict == QLatin1String("passed")   ? Verdict::Passed
                    : verdict == QLatin1String("failed") ? Verdict::Failed
                                                         : Verdict::Skipped;
    check.detail = object.value(QLatin1String("detail")).toString().toStdString();
    check.place = object.value(QLatin1String("place")).toString().toStdString();
    check.tried = object.value(QLatin1String("tried")).toInteger();
    check.failed = object.value(QLatin1String("failed")).toInteger();
    return check;
}

Check failed(const char* name, std::string detail, std::string place = {})
{
    Check check;
    check.name = name;
    check.verdict = Verdict::Failed;
    check.detail = std::move(detail);
    check.place = std::move(place);
    check.tried = check.failed = 1;
    return check;
}

/// Examines the plugin here.
std::vector<Check> examineHere(const std::string& file, const CheckArguments& arguments, conformance::Options options)
{
    SolverRegistry registry;
    const auto info = registry.add(file);
    if (!info) return {failed("loadable", info.error().text())};
    if (const auto solver = registry.create(info->id); !solver) return {failed("loadable", solver.error().text())};
    options.seed = arguments.seed;
    options.casesPerRig = arguments.cases;
    options.onlyPlace = arguments.onlyPlace;
    options.afterGroup = arguments.afterGroup;
    if (void* counter = dlsym(RTLD_DEFAULT, "tendon_allocations")) // preloaded by the parent
        options.allocations = reinterpret_cast<std::int64_t (*)()>(counter);
    const auto create = [&registry, id = info->id] { return std::move(*registry.create(id)); };
    return conformance::examine({*info, create}, options);
}

/// The counter stands beside the program, or in lib/tendon when installed; empty when it is not there.
QString counterLibrary()
{
    const QString folder = QCoreApplication::applicationDirPath();
    for (const QString& file : {folder + QStringLiteral("/tendon-allocations.so"),
                                folder + QStringLiteral("/../lib/tendon/tendon-allocations.so")})
        if (QFile::exists(file)) return file;
    return {};
}

/// Examines a plugin in a child that may crash or hang, and goes on behind the group in which it did with another
/// child.
class Examination
{
public:
    Examination(const std::string& file, const CheckArguments& arguments) : m_file(file), m_arguments(arguments) {}

    std::vector<Check> run()
    {
        for (int deaths = 0; runChild(); ++deaths) {
            const std::string group = m_place.substr(0, m_place.find('/'));
            if (group.empty()) return m_checks; // it does not even load
            if (deaths + 1 == kMaxDeaths) {
                conformance::merge(m_checks, {failed("examined", "stopped after " + std::to_string(kMaxDeaths) +
                                                                     " crashes or hangs; the groups after " + group +
                                                                     " were not checked")});
                return m_checks;
            }
            m_after = group;
        }
        return m_checks;
    }

private:
    /// True when the child died.
    bool runChild()
    {
        QProcess child;
        start(child);
        std::vector<Check> found; // by this child so far
        bool isWhole = false;
        m_place.clear();
        while (child.waitForReadyRead(static_cast<int>(m_arguments.patience * 1000)) || child.canReadLine())
            while (child.canReadLine()) {
                const QByteArray line = child.readLine().trimmed();
                if (line.startsWith("began ")) m_place = line.mid(6).toStdString();
                isWhole |= line == "done";
                if (!line.startsWith("checks ")) continue;
                found.clear();
                for (const QJsonValue& value : QJsonDocument::fromJson(line.mid(7)).array())
                    found.push_back(fromJson(value.toObject()));
            }
        std::optional<Check> death;
        const std::string where = m_place.empty() ? "while it was loaded" : "in " + m_place;
        if (child.state() != QProcess::NotRunning && !child.waitForFinished(1000)) {
            child.kill();
            child.waitForFinished();
            death = failed("ends",
                           "it did not respond within " + std::to_string(static_cast<int>(m_arguments.patience)) +
                               " s, " + where,
                           m_place);
        } else if (!isWhole) {
            death = failed("survives", howItEnded(child) + ", " + where, m_place);
        }
        ::kill(-m_group, SIGKILL); // what it may have started
        conformance::merge(m_checks, found);
        if (death) conformance::merge(m_checks, {*death});
        return death.has_value();
    }

    void start(QProcess& child)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        if (const QString counter = counterLibrary(); !counter.isEmpty())
            environment.insert(QStringLiteral("LD_PRELOAD"), counter);
        child.setProcessEnvironment(environment);
        child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        QStringList line = {
            QStringLiteral("plugins"),    QStringLiteral("check"),           text(m_file),
            QStringLiteral("--as-child"), QStringLiteral("--seed"),          QString::number(m_arguments.seed),
            QStringLiteral("--cases"),    QString::number(m_arguments.cases)};
        if (!m_arguments.onlyPlace.empty()) line << QStringLiteral("--case") << text(m_arguments.onlyPlace);
        if (!m_after.empty()) line << QStringLiteral("--after") << text(m_after);
        child.setChildProcessModifier([] { ::setpgid(0, 0); });
        child.start(QCoreApplication::applicationFilePath(), line);
        child.waitForStarted();
        m_group = static_cast<pid_t>(child.processId());
    }

    static std::string howItEnded(const QProcess& child)
    {
        return child.exitStatus() == QProcess::CrashExit
                   ? "it crashed its process"
                   : "it ended its process with exit code " + std::to_string(child.exitCode());
    }

    const std::string& m_file;
    const CheckArguments& m_arguments;
    std::vector<Check> m_checks;
    std::string m_place, m_after;
    pid_t m_group = 0; ///< of processes: the child's own
};

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
        QJsonObject object = toJson(check);
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
        for (const Issue& issue : registry.issues()) plugins.push_back({issue.where, {failed("loadable", issue.text)}});
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
    const auto sayChecks = [&say](const std::vector<Check>& checks) {
        QJsonArray array;
        for (const Check& check : checks) array.append(toJson(check));
        say("checks " + QJsonDocument(array).toJson(QJsonDocument::Compact).toStdString());
    };
    conformance::Options options;
    options.began = [&say](const std::string& place) { say("began " + place); };
    options.ended = sayChecks;
    sayChecks(examineHere(arguments.files.front(), arguments, options));
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
            plugin.checks = arguments.inThisProcess ? examineHere(plugin.file, arguments, {})
                                                    : Examination(plugin.file, arguments).run();
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

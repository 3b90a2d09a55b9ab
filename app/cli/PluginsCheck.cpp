#include "app/cli/PluginsCommand.h"
#include "core/conformance/Conformance.h"
#include "core/solve/SolverRegistry.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>

#include <dlfcn.h>

#include <cstdio>
#include <vector>

namespace tendon::cli {

namespace {

using conformance::Check;
using conformance::Verdict;

const char* verdictName(Verdict verdict)
{
    return verdict == Verdict::Passed ? "passed" : verdict == Verdict::Failed ? "failed" : "skipped";
}

QString text(const std::string& value) { return QString::fromStdString(value); }

QJsonObject toJson(const Check& check)
{
    return {{QStringLiteral("name"), text(check.name)},
            {QStringLiteral("verdict"), QString::fromLatin1(verdictName(check.verdict))},
            {QStringLiteral("tried"), static_cast<qint64>(check.tried)},
            {QStringLiteral("failed"), static_cast<qint64>(check.failed)},
            {QStringLiteral("detail"), text(check.detail)}};
}

Check fromJson(const QJsonObject& object)
{
    const QString verdict = object.value(QLatin1String("verdict")).toString();
    Check check;
    check.name = object.value(QLatin1String("name")).toString().toStdString();
    check.verdict = verdict == QLatin1String("passed") ? Verdict::Passed : verdict == QLatin1String("failed") ? Verdict::Failed : Verdict::Skipped;
    check.detail = object.value(QLatin1String("detail")).toString().toStdString();
    check.tried = object.value(QLatin1String("tried")).toInteger();
    check.failed = object.value(QLatin1String("failed")).toInteger();
    return check;
}

Check failed(const char* name, std::string detail)
{
    Check check;
    check.name = name;
    check.verdict = Verdict::Failed;
    check.detail = std::move(detail);
    check.tried = check.failed = 1;
    return check;
}

/// Examines the plugin here. `began` hears of each group of checks.
std::vector<Check> examineHere(const CheckArguments& arguments, std::function<void(const std::string&)> began)
{
    SolverRegistry registry;
    const auto info = registry.add(arguments.file);
    if (!info) return {failed("loadable", info.error().text())};
    if (const auto solver = registry.create(info->id); !solver) return {failed("loadable", solver.error().text())};
    conformance::Options options;
    options.seed = arguments.seed;
    options.casesPerRig = arguments.cases;
    options.began = std::move(began);
    if (void* counter = dlsym(RTLD_DEFAULT, "tendon_allocations")) // preloaded by examineInChild()
        options.allocations = reinterpret_cast<std::int64_t (*)()>(counter);
    const auto create = [&registry, id = info->id] { return std::move(*registry.create(id)); };
    return conformance::examine({*info, create}, options);
}

/// The counter stands beside the program, or in lib/tendon when installed; empty when it is not there.
QString counterLibrary()
{
    const QString folder = QCoreApplication::applicationDirPath();
    for (const QString& file : {folder + QStringLiteral("/tendon-allocations.so"), folder + QStringLiteral("/../lib/tendon/tendon-allocations.so")})
        if (QFile::exists(file)) return file;
    return {};
}

/// Examines the plugin in a child. It says "began GROUP" as it goes and hands back one line "checks JSON".
std::vector<Check> examineInChild(const CheckArguments& arguments)
{
    QProcess child;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (const QString counter = counterLibrary(); !counter.isEmpty()) environment.insert(QStringLiteral("LD_PRELOAD"), counter);
    child.setProcessEnvironment(environment);
    child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    child.start(QCoreApplication::applicationFilePath(),
                {QStringLiteral("plugins"), QStringLiteral("check"), text(arguments.file), QStringLiteral("--as-child"), QStringLiteral("--seed"),
                 QString::number(arguments.seed), QStringLiteral("--cases"), QString::number(arguments.cases)});
    std::string group = "loading";
    std::vector<Check> checks;
    while (child.waitForReadyRead(static_cast<int>(arguments.patience * 1000)) || child.canReadLine())
        while (child.canReadLine()) {
            const QByteArray line = child.readLine().trimmed();
            if (line.startsWith("began ")) group = line.mid(6).toStdString();
            if (!line.startsWith("checks ")) continue;
            for (const QJsonValue& value : QJsonDocument::fromJson(line.mid(7)).array()) checks.push_back(fromJson(value.toObject()));
        }
    if (child.state() != QProcess::NotRunning && !child.waitForFinished(1000)) {
        child.kill();
        child.waitForFinished();
        return {failed("ends", "the plugin did not come back within " + std::to_string(arguments.patience) + " s, in: " + group)};
    }
    if (child.exitStatus() == QProcess::CrashExit || checks.empty()) return {failed("survives", "the plugin brought its process down, in: " + group)};
    return checks;
}

} // namespace

Exit runCheckAsChild(const CheckArguments& arguments)
{
    const auto say = [](const std::string& line) {
        print(line + "\n");
        std::fflush(stdout);
    };
    QJsonArray array;
    for (const Check& check : examineHere(arguments, [&say](const std::string& group) { say("began " + group); })) array.append(toJson(check));
    say("checks " + QJsonDocument(array).toJson(QJsonDocument::Compact).toStdString());
    return Exit::Done;
}

Exit runCheck(const Cli& cli, const CheckArguments& arguments)
{
    if (!QFile::exists(text(arguments.file))) return fail({ErrorCode::NotFound, "there is no such file", arguments.file});
    const std::vector<Check> checks = arguments.inThisProcess ? examineHere(arguments, {}) : examineInChild(arguments);
    const bool isSound = conformance::allPassed(checks);
    if (cli.json) {
        QJsonArray array;
        for (const Check& check : checks) array.append(toJson(check));
        printJson({{QStringLiteral("file"), text(arguments.file)}, {QStringLiteral("passed"), isSound}, {QStringLiteral("checks"), array}});
    } else {
        for (const Check& check : checks) {
            char head[80];
            std::snprintf(head, sizeof head, "%-8s%-26s", verdictName(check.verdict), check.name.c_str());
            print(head + (check.detail.empty() ? std::to_string(check.tried) + " times" : check.detail) + "\n");
        }
        print(isSound ? "The plugin keeps its contract.\n" : "The plugin does not keep its contract.\n");
    }
    return isSound ? Exit::Done : Exit::DoneWithFindings;
}

} // namespace tendon::cli

#include "app/cli/Cli.h"

#include "core/base/Printable.h"
#include "core/io/base/DocumentLock.h"
#include "core/io/project/ProjectFile.h"

#include <CLI/CLI.hpp>
#include <QJsonArray>
#include <QJsonDocument>

#include <cstdio>
#include <cstdlib>

namespace tendon::cli {
namespace {

void printLine(std::FILE* stream, std::string line)
{
    line = printableLine(std::move(line)) + '\n';
    std::fwrite(line.data(), 1, line.size(), stream);
}

} // namespace

CLI::App* addCommand(CLI::App& app, Cli& cli, const std::string& name, const std::string& description,
                     std::function<Exit()> run)
{
    CLI::App* command = app.add_subcommand(name, description);
    command->add_flag("--json", cli.json, "Print the data as JSON");
    command->add_flag("--quiet,-q", cli.quiet, "Print no progress and no warnings");
    command->add_flag("--without-plugins", cli.withoutPlugins, "Leave out solver plugins that are not Tendon's own");
    command->callback([&cli, run = std::move(run)] { cli.run = run; });
    return command;
}

const char* severityName(Severity severity)
{
    switch (severity) {
    case Severity::Info: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
    }
    return "error";
}

Exit fail(const Error& error)
{
    printLine(stderr, "tendon: " + error.text());
    return Exit::Failed;
}

Exit wrongUsage(const std::string& command, const std::string& message)
{
    const std::string help = "; `tendon " + (command.empty() ? "" : command + " ") + "--help` shows the usage";
    printLine(stderr, "tendon: " + (command.empty() ? "" : command + ": ") + message + help);
    return Exit::WrongUsage;
}

std::string checkProjectName(const std::string& path)
{
    return isProjectName(path) ? std::string() : "the name of a project ends in .tendon, unlike \"" + path + "\"";
}

void noteWritten(const Cli& cli, const std::string& file)
{
    if (!file.empty()) cli.written.push_back(file);
}

QJsonArray issuesAsJson(const Issues& issues)
{
    QJsonArray list;
    for (const Issue& issue : issues)
        list.append(QJsonObject{{QStringLiteral("severity"), QLatin1StringView(severityName(issue.severity))},
                                {QStringLiteral("where"), QString::fromStdString(issue.where)},
                                {QStringLiteral("text"), QString::fromStdString(issue.text)}});
    return list;
}

void printIssues(const Cli& cli, const Issues& issues)
{
    for (const Issue& issue : issues) {
        if (cli.quiet && issue.severity != Severity::Error) continue;
        printLine(stderr, std::string("tendon: ") + severityName(issue.severity) + ": " + issue.line());
    }
}

void warnIfOpen(const Cli& cli, const std::string& project)
{
    if (const auto owner = DocumentLock::ownerOf(project))
        printIssues(cli, {{Severity::Warning,
                           "is open in the editor (opened " + describe(*owner) +
                               "), which asks its user what to do; what they have not saved is still there",
                           project}});
}

void printNote(const std::string& text) { printLine(stderr, "tendon: " + text); }

QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

void print(const std::string& text)
{
    const std::string shown = printable(text);
    std::fwrite(shown.data(), 1, shown.size(), stdout);
}

void printJson(const QJsonObject& object)
{
    const QByteArray json = QJsonDocument(object).toJson();
    std::fwrite(json.data(), 1, static_cast<std::size_t>(json.size()), stdout);
}

std::function<std::string(const std::string&)> numberBetween(double lowest, double highest)
{
    return [lowest, highest](const std::string& given) {
        char* end = nullptr;
        const double number = std::strtod(given.c_str(), &end);
        if (!given.empty() && *end == '\0' && number >= lowest && number <= highest)
            return std::string(); // false for NaN
        char limits[80];
        std::snprintf(limits, sizeof limits, "must be a number from %g to %g, but is ", lowest, highest);
        return limits + (given.empty() ? "empty" : given);
    };
}

} // namespace tendon::cli

#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"

#include <QJsonArray>
#include <QJsonObject>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace tendon::cli {

/// The program's exit codes, as the manual documents them.
enum class Exit {
    Done = 0,
    Failed = 1, ///< one line on stderr; nothing changed
    WrongUsage = 2,
    DoneWithFindings = 3, ///< done, but a goal missed its tolerance, a case is unsolved, problems were found or what
                          ///< there is to print could not be printed
    ReadBackDiffers = 4,  ///< written, but reading the file back differs
};

/// What all subcommands share: the common flags, and the subcommand that was chosen.
struct Cli
{
    bool json = false;
    bool quiet = false;
    bool withoutPlugins = false;              ///< no foreign ones
    std::function<Exit()> run;                ///< runs the chosen subcommand; set while the arguments are parsed
    mutable std::vector<std::string> written; ///< files that the subcommand has put in their place
};

/// Adds a subcommand with the common flags and returns it, so that the caller can add options. `run` does the work; it
/// is called after all arguments have been parsed. `cli` must outlive `app`.
CLI::App* addCommand(CLI::App& app, Cli& cli, const std::string& name, const std::string& description,
                     std::function<Exit()> run);

/// Prints "tendon: where: message" as one line on stderr and returns Exit::Failed, so that a command can `return
/// fail(e)`.
Exit fail(const Error& error);
/// Prints "tendon: COMMAND: message; `tendon COMMAND --help` shows the usage" and returns Exit::WrongUsage. `command`
/// is empty when no command was chosen.
Exit wrongUsage(const std::string& command, const std::string& message);

/// For options that name a project to write: "", or what is wrong with the name.
[[nodiscard]] std::string checkProjectName(const std::string& path);

/// For options with a number: a check that is "" or the error. NaN is outside of all limits.
[[nodiscard]] std::function<std::string(const std::string&)> numberBetween(double lowest, double highest);

/// From now on a failure to print says that this file is written. "": there is none.
void noteWritten(const Cli& cli, const std::string& file);

/// "note", "warning" or "error", in text and in JSON.
[[nodiscard]] const char* severityName(Severity severity);

/// [{"severity", "where", "text"}]
[[nodiscard]] QJsonArray issuesAsJson(const Issues& issues);

/// Prints one line per issue on stderr: "tendon: warning: where: text". With --quiet, only errors.
void printIssues(const Cli& cli, const Issues& issues);

/// Warns if somebody has the project open that was written: their next save would replace it.
void warnIfOpen(const Cli& cli, const std::string& project);

/// Prints a line on stderr that explains the exit code, even with --quiet.
void printNote(const std::string& text);

/// Converts UTF-8 for JSON.
QString text(std::string_view utf8);

/// Prints text on stdout, escaped as a terminal needs it (core/base/Printable.h); JSON as it is.
void print(const std::string& text);
void printJson(const QJsonObject& object);

} // namespace tendon::cli

#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"

#include <QJsonObject>

#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace tendon::cli {

/// What the program's exit code says. Fixed by the manual.
enum class Exit {
    Done = 0,
    Failed = 1, ///< one line on stderr; nothing changed
    WrongUsage = 2,
    DoneWithFindings = 3, ///< done, but a goal missed its tolerance, a case is unsolved or problems were found
    ReadBackDiffers = 4,  ///< written, but reading the file back differs
};

/// What all subcommands share: the flags that every one of them has, and the one that was chosen.
struct Cli
{
    bool json = false;
    bool quiet = false;
    std::function<Exit()> run; ///< of the chosen subcommand, set while the arguments are read
};

/// Adds a subcommand with the common flags; `run` is called after all arguments have been read and is where its work is
/// done. Options are added to what is returned. `cli` must outlive `app`.
CLI::App* addCommand(CLI::App& app, Cli& cli, const std::string& name, const std::string& description,
                     std::function<Exit()> run);

/// "tendon: where: message" as one line on stderr. Returns Exit::Failed, so that a command can end with it.
Exit fail(const Error& error);
Exit wrongUsage(const std::string& message);

/// One line each on stderr: "tendon: warning: where: text". With --quiet only errors.
void printIssues(const Cli& cli, const Issues& issues);

/// A line on stderr that says more about the exit code than the code itself; not silenced.
void printNote(const std::string& text);

/// UTF-8 for JSON.
QString text(std::string_view utf8);

/// Data for people or machines, on stdout.
void print(const std::string& text);
void printJson(const QJsonObject& object);

} // namespace tendon::cli

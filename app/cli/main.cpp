#include "app/cli/Cli.h"
#include "app/cli/Commands.h"
#include "app/cli/Solvers.h"
#include "core/base/Failure.h"
#include "core/io/base/UnfinishedWork.h"

#include <CLI/CLI.hpp>
#include <QCoreApplication>
#include <QLoggingCategory>
#include <QStringDecoder>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include <fcntl.h>
#include <langinfo.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace tendon;
using namespace tendon::cli;

namespace {

void logMessage(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    const bool isOurs = context.category != nullptr && std::strncmp(context.category, "tendon.", 7) == 0;
    const std::string area = isOurs                 ? std::string(context.category) + ": "
                             : type == QtWarningMsg ? "warning: " // Qt's own
                                                    : "";
    printNote(area + message.toStdString());
    if (type == QtFatalMsg) std::_Exit(static_cast<int>(Exit::Failed)); // Qt would abort
}

/// Quiet unless something is wrong; QT_LOGGING_RULES="tendon.*=true" shows all there is.
void setUpLogging()
{
    qInstallMessageHandler(logMessage);
    QLoggingCategory::setFilterRules(QStringLiteral("tendon.*.debug=false\ntendon.*.info=false"));
}

/// Qt wants UTF-8 and says so at length where the locale is another; numbers are written with a point everywhere.
void setUpLocaleBeforeQt()
{
    std::setlocale(LC_ALL, "");
    if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) qputenv("LC_ALL", "C.UTF-8");
}

void setUpLocaleAfterQt() { std::setlocale(LC_NUMERIC, "C"); }

/// A stream that is closed stays closed for what is printed, but no file that is opened later takes its number.
void openStandardStreams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0) (void)!::open("/dev/null", O_RDONLY); // writing to it fails
}

bool hasEnoughStack()
{
    constexpr rlim_t kMinBytes =
        512 << 10; // the mannequin needs more than 64 KiB, deep hierarchies and deep JSON more than that
    rlimit stack{};
    return ::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kMinBytes;
}

/// An argument that is not UTF-8, as names on old disks may be: Qt would open or write a file of another name.
const char* findUnreadable(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
        static_cast<void>(QString(decoder(QByteArrayView(argv[i]))));
        if (decoder.hasError()) return argv[i];
    }
    return nullptr;
}

/// What is printed may be data that somebody waits for. Files that are written by then stay.
Exit whetherPrinted(const Cli& cli, Exit exit)
{
    std::cout.flush(); // of the help
    if (std::cout && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit;
    if (exit == Exit::Failed || exit == Exit::WrongUsage) return exit; // which has been said
    if (cli.written.empty())
        return fail({ErrorCode::Io, "cannot be written; check that the disk is not full", "standard output"});
    std::string files;
    for (const std::string& file : cli.written) files += (files.empty() ? "" : ", ") + file;
    printNote(files + (cli.written.size() == 1 ? ": is" : ": are") +
              " written; only what is printed about it is lost, as standard output cannot be written; check that the "
              "disk is not full");
    return exit == Exit::Done ? Exit::DoneWithFindings : exit;
}

Exit runCommandLine(int argc, char** argv)
{
    if (const char* argument = findUnreadable(argc, argv))
        return wrongUsage("", "\"" + std::string(argument) + "\" is not UTF-8; give the file another name");
    Cli cli;
    CLI::App app("Tendon: rigs with inverse kinematics, solved by plugins and baked into animation", "tendon");
    app.set_version_flag("--version", "tendon " TENDON_VERSION);
    app.require_subcommand(0, 1);
    app.footer(
        "`tendon COMMAND --help` describes a command and its options.\n"
        "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done with findings, 4 written but read back differently.");
    addAllCommands(app, cli);

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) { // --help, --version
        app.exit(success);
        return whetherPrinted(cli, Exit::Done);
    } catch (const CLI::ParseError& error) {
        const auto chosen = app.get_subcommands();
        if (chosen.empty() && argc > 1 && argv[1][0] != '-')
            return wrongUsage("", "there is no command \"" + std::string(argv[1]) + "\"");
        return wrongUsage(chosen.empty() ? "" : chosen.front()->get_name(), error.what());
    }
    if (!cli.run) {
        std::fputs(app.help().c_str(), stderr);
        return Exit::WrongUsage;
    }
    return whetherPrinted(cli, judgePlugins(cli.run()));
}

} // namespace

int main(int argc, char** argv)
{
    if (const auto code = runAsImportWorker(argc, argv)) return *code;

    failInOneLine("tendon");
    openStandardStreams();
    if (!hasEnoughStack()) {
        printNote("the stack is limited to less than 512 KiB; raise the limit, for example with `ulimit -s 8192`");
        return static_cast<int>(Exit::Failed);
    }
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error like any other
    try {
        settleUnfinishedWork();
        clearOnSignals();
        setUpLogging();
        setUpLocaleBeforeQt();
        qputenv("QT_NO_GLIB", "1"); // GLib's event loop aborts where it cannot be made; Qt's own says so
        QCoreApplication application(argc, argv);
        QCoreApplication::setApplicationName(QStringLiteral("tendon"));
        QCoreApplication::setApplicationVersion(QStringLiteral(TENDON_VERSION));
        setUpLocaleAfterQt();
        return static_cast<int>(runCommandLine(argc, argv));
    } catch (...) {
        printFailure("tendon");
    }
    return static_cast<int>(Exit::Failed);
}

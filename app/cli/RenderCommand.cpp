#include "app/cli/RenderCommand.h"

#include "core/scene/FrameNumber.h"

#include <CLI/CLI.hpp>

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

#include <memory>
#include <optional>

namespace tendon::cli {
namespace {

constexpr int kStart = 10000;    // [ms] for a display to come up
constexpr int kDrawing = 120000; // [ms] for a picture
constexpr int kMostFrames = 100000;

struct RenderOptions
{
    std::string project;
    std::optional<double> frame;
    std::string frames;
    std::string output;
    std::string size = "1280x720";
    std::string side;
    std::string theme = "dark";
};

Error unsupported(const std::string& message) { return {ErrorCode::Unsupported, message, "render"}; }

/// A display of our own where there is none: Xvfb, ended with this object.
class OwnDisplay
{
public:
    ~OwnDisplay()
    {
        if (m_server.state() == QProcess::NotRunning) return;
        m_server.terminate();
        if (!m_server.waitForFinished(kStart)) m_server.kill();
    }

    Result<QString> start()
    {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("Xvfb"));
        if (program.isEmpty())
            return unsupported(
                "there is no display and Xvfb is not in PATH; install it (Debian: apt install xvfb), run this under "
                "xvfb-run, or on a display");
        // The server picks a number that is free and writes it to its standard output.
        m_server.start(program, {QStringLiteral("-displayfd"), QStringLiteral("1"), QStringLiteral("-screen"),
                                 QStringLiteral("0"), QStringLiteral("64x64x24"), QStringLiteral("-nolisten"),
                                 QStringLiteral("tcp")});
        QByteArray number;
        while (!number.contains('\n') && m_server.waitForReadyRead(kStart)) number += m_server.readAllStandardOutput();
        if (!number.contains('\n')) return unsupported("there is no display, and Xvfb did not start");
        return QStringLiteral(":") + QString::fromLatin1(number.trimmed());
    }

private:
    QProcess m_server;
};

/// The last line that the editor wrote to stderr under its own name, without that.
std::string reasonIn(const QByteArray& log)
{
    const QByteArray name = "tendon-editor: ";
    std::string reason;
    for (const QByteArray& line : log.split('\n'))
        if (line.startsWith(name)) reason = line.mid(name.size()).toStdString();
    return reason.empty() ? "tendon-editor exited without a picture" : reason;
}

Exit draw(const Cli& cli, const RenderOptions& options)
{
    const QString editor = QCoreApplication::applicationDirPath() + QStringLiteral("/tendon-editor");
    if (!QFileInfo(editor).isExecutable())
        return fail(
            unsupported("tendon-editor, which draws the picture, is not in the folder of tendon; build or install it"));

    OwnDisplay display;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const auto isSet = [&](const char* name) { return !environment.value(QString::fromLatin1(name)).isEmpty(); };
    if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY")) {
        const auto number = display.start();
        if (!number) return fail(number.error());
        environment.insert(QStringLiteral("DISPLAY"), *number);
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
    }

    QStringList arguments = {QStringLiteral("--project"), QString::fromStdString(options.project),
                             QStringLiteral("--render"),  QString::fromStdString(options.output),
                             QStringLiteral("--size"),    QString::fromStdString(options.size),
                             QStringLiteral("--theme"),   QString::fromStdString(options.theme)};
    if (options.frame)
        arguments << QStringLiteral("--frame") << QString::number(wholeFrame(*options.frame).value_or(0));
    if (!options.frames.empty()) arguments << QStringLiteral("--frames") << QString::fromStdString(options.frames);
    if (!options.side.empty()) arguments << QStringLiteral("--side") << QString::fromStdString(options.side);
    if (cli.withoutPlugins) arguments << QStringLiteral("--without-plugins");
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(editor, arguments);
    // A sequence goes on as long as it likes; its pictures can be looked at while it does.
    if (!process.waitForFinished(options.frames.empty() ? kDrawing : -1)) {
        process.kill();
        process.waitForFinished();
        return fail(unsupported("tendon-editor did not finish the picture within two minutes"));
    }
    const bool isDone = process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
    if (isDone) noteWritten(cli, options.output);
    return isDone ? Exit::Done : fail({ErrorCode::InvalidArgument, reasonIn(process.readAllStandardError()), ""});
}

/// WIDTHxHEIGHT, each from 16 to 8192.
std::string checkSize(const std::string& text)
{
    const QStringList sides = QString::fromStdString(text).split(QLatin1Char('x'));
    const auto isSide = [&](int i) {
        bool isNumber = false;
        const int side = sides.value(i).toInt(&isNumber);
        return isNumber && side >= 16 && side <= 8192;
    };
    return sides.size() == 2 && isSide(0) && isSide(1) ? "" : "must be WIDTHxHEIGHT in pixels, each from 16 to 8192";
}

/// FIRST..LAST.
std::string checkFrames(const std::string& text)
{
    const QStringList ends = QString::fromStdString(text).split(QStringLiteral(".."));
    bool isFirst = false, isLast = false;
    const int first = ends.value(0).toInt(&isFirst), last = ends.value(1).toInt(&isLast);
    const bool isGood = ends.size() == 2 && isFirst && isLast && first <= last && last - first < kMostFrames;
    return isGood ? "" : "must be FIRST..LAST, such as 1..96, at most " + std::to_string(kMostFrames) + " frames";
}

/// A frame, as operations take it.
std::string checkFrame(const std::string& text)
{
    bool isNumber = false;
    const double frame = QString::fromStdString(text).toDouble(&isNumber);
    return isNumber && wholeFrame(frame) ? "" : "must be a whole number, but is " + (text.empty() ? "empty" : text);
}

} // namespace

void addRenderCommand(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<RenderOptions>();
    CLI::App* command = addCommand(app, cli, "render", "Draw one frame, or a sequence of frames, as pictures",
                                   [&cli, options] {
                                       const bool isSequence = !options->frames.empty();
                                       if (!isSequence && !options->frame)
                                           return wrongUsage("render", "needs --frame or --frames");
                                       if (isSequence != (options->output.find('#') != std::string::npos))
                                           return wrongUsage("render", "--frames needs #### in --output for the "
                                                                       "number of each frame, --frame none");
                                       return draw(cli, *options);
                                   });
    command->add_option("PROJECT", options->project, "Project file (.tendon)")->required();
    CLI::Option* frame = command->add_option("--frame", options->frame, "Frame to draw")->check(checkFrame);
    command
        ->add_option("--frames", options->frames, "Frames to draw, seen from one place, each as a picture of its own")
        ->type_name("FIRST..LAST")
        ->check(checkFrames)
        ->excludes(frame);
    command
        ->add_option("-o,--output", options->output,
                     "Picture to write (.png). With --frames, #### in its name becomes the frame's number")
        ->required();
    command->add_option("--size", options->size, "Width and height in pixels")->capture_default_str()->check(checkSize);
    command->add_option("--side", options->side, "View the model from this side, without perspective")
        ->check(CLI::IsMember({"front", "back", "left", "right", "top", "bottom"}));
    command->add_option("--theme", options->theme, "Theme of the background")
        ->check(CLI::IsMember({"dark", "light"}))
        ->capture_default_str();
}

} // namespace tendon::cli

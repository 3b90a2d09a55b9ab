#include "app/gui/Options.h"

#include "core/document/Posing.h"

namespace tendon::editor {

QString optionsHelp()
{
    return QStringLiteral(
        "tendon-editor [OPTIONS] [FILE]\n"
        "  FILE                  Project (.tendon) or model to open\n"
        "  --project FILE        The same; sample:NAME opens a sample\n"
        "  --frame F             Go to this frame\n"
        "  --script FILE         Run a script of operations\n"
        "  --retarget FILE       Open the task Retarget with this motion\n"
        "  --select NAME         Select a joint or a handle; may be repeated\n"
        "  --do COMMAND          Run a command by its words or id (Handles, window.dope, ...); may be repeated\n"
        "  --theme dark|light    Theme, instead of the last one chosen\n"
        "  --size WxH            Size of the window or picture in pixels\n"
        "  --screenshot OUT.png  Take a picture of the window and exit\n"
        "  --render OUT.png      Draw the model alone, without a window, and exit; `tendon render` runs this\n"
        "  --frames FIRST..LAST  With --render: these frames, each to its own picture; #### in OUT is the frame's "
        "number\n"
        "  --side SIDE           With --render: front, back, left, right, top or bottom, without perspective\n"
        "  --camera NAME         With --render: a camera bookmark of the project\n"
        "  --rig                 With --render: joints and handles, too\n"
        "  --without-plugins     Leave out solver plugins that are not Tendon's own\n"
        "  --version, --help\n");
}

Result<Options> parseOptions(const QStringList& arguments)
{
    Options options;
    const auto bad = [](const QString& argument, const char* what) {
        return Error{ErrorCode::InvalidArgument, what, argument.toStdString()};
    };
    for (int i = 1; i < arguments.size(); ++i) {
        const QString& argument = arguments[i];
        if (argument == "--help" || argument == "-h") {
            options.wantsHelp = true;
            continue;
        }
        if (argument == "--version") {
            options.wantsVersion = true;
            continue;
        }
        if (argument == "--rig") {
            options.showsRig = true;
            continue;
        }
        if (argument == "--without-plugins") {
            options.isWithoutPlugins = true;
            continue;
        }
        if (!argument.startsWith("--")) {
            if (!options.file.isEmpty()) return bad(argument, "only one file can be opened");
            options.file = argument;
            continue;
        }
        static const QStringList known = {"--screenshot", "--camera", "--render",  "--side",   "--project",
                                          "--frame",      "--frames", "--script",  "--select", "--do",
                                          "--theme",      "--size",   "--retarget"};
        if (!known.contains(argument)) return bad(argument, "unknown option; --help lists the options");
        if (i + 1 >= arguments.size()) return bad(argument, "needs a value");
        const QString value = arguments[++i];
        bool isOk = true;
        if (argument == "--screenshot") options.screenshot = value;
        if (argument == "--render") options.render = value;
        if (argument == "--camera") options.camera = value;
        if (argument == "--side") {
            options.side = value;
            isOk = QStringList{"front", "back", "left", "right", "top", "bottom"}.contains(value);
        }
        if (argument == "--project") options.file = value;
        if (argument == "--script") options.script = value;
        if (argument == "--retarget") options.retarget = value;
        if (argument == "--select") options.select << value;
        if (argument == "--do") options.commands << value;
        if (argument == "--frame") {
            options.frame = wholeFrame(value.toDouble(&isOk));
            isOk = isOk && options.frame;
        }
        if (argument == "--frames") {
            const QStringList ends = value.split(QStringLiteral(".."));
            bool isNumber = false, isOther = false;
            options.frames = {ends.value(0).toInt(&isNumber), ends.value(1).toInt(&isOther)};
            isOk = ends.size() == 2 && isNumber && isOther && options.frames->first <= options.frames->second;
        }
        if (argument == "--theme") {
            isOk = value == "dark" || value == "light";
            options.isDark = value == "dark";
        }
        if (argument == "--size") {
            const QStringList parts = value.split('x');
            options.size = QSize(parts.value(0).toInt(), parts.value(1).toInt());
            isOk = parts.size() == 2 && options.size.width() >= 16 && options.size.height() >= 16 &&
                   options.size.width() <= 8192 && options.size.height() <= 8192;
        }
        if (!isOk) return bad(argument, "invalid value");
    }
    return options;
}

} // namespace tendon::editor

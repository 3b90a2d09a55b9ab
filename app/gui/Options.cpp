#include "app/gui/Options.h"

namespace tendon::editor {

QString optionsHelp()
{
    return QStringLiteral(
        "tendon-editor [FILE]\n"
        "  FILE                  a project (.tendon) or a model to open\n"
        "  --screenshot OUT.png  takes a picture of the window and ends\n"
        "  --render OUT.png      draws the model alone, without a window, and ends; `tendon render` runs this\n"
        "  --side SIDE           of --render: front, back, left, right, top or bottom instead of perspective\n"
        "  --project P           the same as FILE; sample:NAME opens a sample\n"
        "  --frame F             goes to a frame first\n"
        "  --script S            carries out a script of operations first\n"
        "  --select NAME         selects a joint or a handle; again for more\n"
        "  --do COMMAND          carries out a command of the menus (window.dope, help.manual, ...); again for more\n"
        "  --theme dark|light    instead of the one chosen last\n"
        "  --size WxH            of the window, in pixels\n"
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
        if (!argument.startsWith("--")) {
            if (!options.file.isEmpty()) return bad(argument, "only one file can be opened");
            options.file = argument;
            continue;
        }
        static const QStringList known = {"--screenshot", "--render", "--side", "--project", "--frame",
                                          "--script",     "--select", "--do",   "--theme",   "--size"};
        if (!known.contains(argument)) return bad(argument, "there is no such option; --help lists them");
        if (i + 1 >= arguments.size()) return bad(argument, "needs a value");
        const QString value = arguments[++i];
        bool isOk = true;
        if (argument == "--screenshot") options.screenshot = value;
        if (argument == "--render") options.render = value;
        if (argument == "--side") {
            options.side = value;
            isOk = QStringList{"front", "back", "left", "right", "top", "bottom"}.contains(value);
        }
        if (argument == "--project") options.file = value;
        if (argument == "--script") options.script = value;
        if (argument == "--select") options.select << value;
        if (argument == "--do") options.commands << value;
        if (argument == "--frame") options.frame = value.toInt(&isOk);
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
        if (!isOk) return bad(argument, "cannot be what it is given");
    }
    return options;
}

} // namespace tendon::editor

#include "app/editor/PluginFiles.h"
#include "app/editor/Theme.h"
#include "app/gui/Options.h"
#include "app/gui/RenderPicture.h"
#include "app/gui/ViewportBridge.h"
#include "app/viewport/Viewport.h"
#include "app/widgets/FileActions.h"
#include "app/widgets/FitOnScreen.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/Style.h"
#include "app/widgets/task/Tasks.h"
#include "core/base/Failure.h"
#include "core/document/Script.h"
#include "core/io/base/UnfinishedWork.h"
#include "plugins/ShippedPlugins.h"

#include <QApplication>
#include <QDialog>
#include <QElapsedTimer>
#include <QFile>
#include <QMessageBox>
#include <QPainter>
#include <QScreen>
#include <QSettings>
#include <QStyle>
#include <QTimer>

#include <csignal>
#include <cstdio>
#include <cstdlib>

using namespace tendon;
using namespace tendon::editor;

namespace {

/// [s] Shorter than SolveScheduler::kHang, so that the plugin that hangs is known by then.
constexpr double kPluginPatience = 3;

int fail(const Error& error)
{
    std::fprintf(stderr, "tendon-editor: %s\n", error.text().c_str());
    return 1;
}

QtMessageHandler usualHandler = nullptr;
bool isRendering = false; ///< a command like those of `tendon`, whose only lines are our own

/// What Qt calls fatal, such as a display that is not there, ends the program with one line: Qt would abort.
void logMessage(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (type != QtFatalMsg) {
        if (!isRendering) usualHandler(type, context, message);
        return;
    }
    const bool hasNoDisplay = message.contains(QLatin1String("platform plugin"));
    std::fprintf(stderr, "tendon-editor: %s\n",
                 hasNoDisplay ? "the display cannot be opened; check DISPLAY, or start it under xvfb-run"
                              : qPrintable(message.simplified()));
    std::_Exit(1);
}

Result<void> prepare(MainWindow& window, const Options& options)
{
    EditorDocument& document = window.editor().document();
    if (options.file.startsWith("sample:")) {
        if (const auto opened = document.openSample(options.file.mid(7).toStdString()); !opened) return opened;
    } else if (!options.file.isEmpty()) {
        if (const auto opened = document.openFile(options.file); !opened) return opened;
    } else if (const auto opened = document.openSample("mannequin"); !opened) {
        return opened;
    }
    if (!options.script.isEmpty()) {
        QFile file(options.script);
        if (!file.open(QIODevice::ReadOnly))
            return Error{ErrorCode::Io, file.errorString().toStdString(), options.script.toStdString()};
        const auto script = parseScript(file.readAll().toStdString());
        if (!script) return script.error();
        for (const auto& entry : script->entries)
            if (const auto done = document.applyNow(entry.operation); !done)
                return done.error().within("line " + std::to_string(entry.line));
    }
    if (options.frame) window.editor().goToFrame(*options.frame);
    for (const QString& name : options.select) {
        const Scene& scene = document.scene();
        const Handle* handle = scene.handleNamed(name.toStdString());
        const auto joint = scene.jointNamed(name.toStdString());
        if (handle == nullptr && !joint)
            return Error{ErrorCode::NotFound, "there is no joint and no handle of this name", name.toStdString()};
        window.editor().selection().select(
            handle != nullptr ? SelectionItem::of(handle->id) : SelectionItem::of(*joint), Selection::How::Add);
    }
    for (const QString& command : options.commands) {
        const QStringList ids = window.commands().named(command);
        if (ids.isEmpty()) return Error{ErrorCode::NotFound, "there is no such command", command.toStdString()};
        if (ids.size() > 1)
            return Error{ErrorCode::InvalidArgument, "several commands are called so: " + ids.join(", ").toStdString(),
                         command.toStdString()};
        window.commands().run(ids.first());
    }
    if (!options.retarget.isEmpty()) window.files().readMotion(options.retarget);
    return {};
}

/// Waits until the window has settled: layout, newest frame, camera animation, loading.
void settle(MainWindow& window, viewport::Viewport& view)
{
    constexpr int kMaxWait = 20000, kQuiet = 900; // [ms] without drawing; the HUD stops after 700
    QElapsedTimer clock, sinceDrawn;
    clock.start();
    sinceDrawn.start();
    const auto drawn = QObject::connect(&view, &QOpenGLWidget::frameSwapped, [&sinceDrawn] { sinceDrawn.restart(); });
    while (clock.elapsed() < kMaxWait &&
           (sinceDrawn.elapsed() < kQuiet || window.editor().scheduler().isBusy() || window.files().isReading() ||
            window.tasks().isWorking() || !window.editor().range().isComplete()))
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    QObject::disconnect(drawn);
}

/// Where nobody looks on, a question of a command is cancelled.
void cancelQuestions(QTimer& timer)
{
    constexpr int kPatience = 15000; // [ms]
    QObject::connect(&timer, &QTimer::timeout, [] {
        if (QWidget* question = QApplication::activeModalWidget()) question->close();
    });
    timer.start(kPatience);
}

int takeScreenshot(MainWindow& window, viewport::Viewport& view, const QString& path)
{
    settle(window, view);
    QPixmap picture = window.grab();
    QPainter painter(&picture);
    for (QWidget* dialog : QApplication::topLevelWidgets()) // dialogs in front of the window belong to the picture
        if (dialog != &window && dialog->isVisible() && dialog->isWindow() &&
            qobject_cast<QDialog*>(dialog) != nullptr) {
            const QRect place = QStyle::alignedRect(Qt::LeftToRight, Qt::AlignCenter, dialog->size(), window.rect());
            painter.fillRect(window.rect(), QColor(0, 0, 0, 110));
            painter.drawPixmap(place.topLeft(), dialog->grab());
            painter.setPen(Theme::instance().color("line.control")); // in place of the desktop's window frame
            painter.drawRect(place.adjusted(-1, -1, 0, 0));
        }
    painter.end();
    const auto written = writePicture(picture.toImage(), path, window.editor().document());
    return written ? 0 : fail(written.error());
}

} // namespace

int main(int argc, char** argv)
{
    failInOneLine("tendon-editor");
    usualHandler = qInstallMessageHandler(logMessage);
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
    const auto options = parseOptions(arguments);
    if (!options) return fail(options.error()) + 1;
    if (options->wantsHelp || options->wantsVersion) {
        std::fputs(options->wantsHelp ? qPrintable(optionsHelp()) : "tendon-editor " TENDON_VERSION "\n", stdout);
        return 0;
    }
    isRendering = !options->render.isEmpty();
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error like any other,
    std::signal(SIGPIPE, SIG_IGN); // and so is a reader who has gone
    settleUnfinishedWork();
    clearOnSignals();
    viewport::Viewport::prepareApplication();
    QCoreApplication::setOrganizationName(QStringLiteral("Tendon"));
    QCoreApplication::setApplicationName(QStringLiteral("tendon-editor"));
    QCoreApplication::setApplicationVersion(QStringLiteral(TENDON_VERSION));
    QApplication application(argc, argv);
    QGuiApplication::setDesktopFileName(QStringLiteral("org.tendon.editor")); // resources/desktop
    if (const auto can = checkOpenGl(); !can) {
        const bool isWatched = !isRendering && options->screenshot.isEmpty(); // from a desktop nobody sees stderr
        if (isWatched)
            QMessageBox::critical(nullptr, QStringLiteral("Tendon"), QString::fromStdString(can.error().text()));
        return fail(can.error());
    }

    const QSettings settings;
    const bool isDark = options->isDark.value_or(settings.value("theme", "dark").toString() == "dark");
    Theme::instance().set(isDark ? Theme::Kind::Dark : Theme::Kind::Light, settings.value("scale", 1.0).toDouble());
    installStyle(application);

    PluginTrust trust = PluginTrust::only(shippedPlugins(), kPluginPatience);
    trust.isForeignAllowed = !options->isWithoutPlugins;
    SolverRegistry solvers(std::move(trust));
    solvers.scan();
    if (isRendering) {
        const auto done = renderPictures(solvers, *options);
        return done ? 0 : fail(done.error());
    }
    Editor editor(solvers);
    auto* view = new viewport::Viewport(editor);
    MainWindow window(editor, portOf(*view, solvers));
    join(*view, window);
    PluginFiles plugins(solvers, editor);
    window.setPlugins(plugins);
    if (!solvers.issues().empty()) emit editor.document().reported(solvers.issues());
    const bool isPicture = !options->screenshot.isEmpty();
    if (options->size.isValid())
        window.resize(options->size);
    else if (!isPicture)
        fitOnScreen(window, window.screen()->availableGeometry());
    window.show();
    QTimer patience;
    if (isPicture) cancelQuestions(patience);
    if (isPicture || !options->file.isEmpty() || !options->retarget.isEmpty() || !options->script.isEmpty() ||
        !options->commands.isEmpty()) {
        const bool isModel = !options->file.isEmpty() && !options->file.startsWith("sample:") &&
                             !options->file.endsWith(".tendon");
        if (isModel) {
            QTimer::singleShot(0, &window, [&] {
                if (isPicture || !window.offerRecovery(options->file)) window.files().openFile(options->file);
            });
        } else if (const auto prepared = prepare(window, *options); !prepared) {
            const Error& error = prepared.error();
            const int code = fail(error);
            if (isPicture || !options->script.isEmpty() || !options->commands.isEmpty()) return code;
            emit editor.document().reported({{Severity::Error, error.message, error.where, 0}}); // nobody sees stderr
            QTimer::singleShot(0, &window, [&] { window.offerRecovery(); });
        } else if (!isPicture) {
            QTimer::singleShot(0, &window,
                               [&] { window.offerRecovery(QString::fromStdString(editor.document().path())); });
        }
    } else {
        QTimer::singleShot(0, &window, [&] { window.begin(); });
    }
    if (isPicture) return takeScreenshot(window, *view, options->screenshot);
    return QApplication::exec();
}

// viewport_pictures OUT_FOLDER [options] NAME...: writes what the viewport shows of samples and projects (.tendon) as
// PNG files to look at. Options apply to the names after them: --theme dark|light, --size WxH, --scale S, --frame F,
// --select NAME (a joint or a handle), --yaw DEGREES, --shading shaded|edges|wire, --no-xray, --side front|top|right,
// --msaa,
// --frame-selected.
#include "app/editor/Editor.h"
#include "app/editor/Theme.h"
#include "app/viewport/Viewport.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>

#include <cstdio>

using namespace tendon;

namespace {

struct Look
{
    QSize size{1200, 800};
    QString select, suffix;
    double yaw = 1e9;
    bool framesSelection = false;
    bool isModelOnly = false;
};

void selectByName(editor::Editor& editor, const QString& name)
{
    const std::string text = name.toStdString();
    if (const Handle* handle = editor.document().scene().handleNamed(text))
        editor.selection().select(editor::SelectionItem::of(handle->id));
    else if (const auto joint = editor.document().scene().jointNamed(text))
        editor.selection().select(editor::SelectionItem::of(*joint));
    else
        std::printf("nothing is called %s\n", text.c_str());
}

bool draw(editor::Editor& editor, viewport::Viewport& viewport, const QString& name, const Look& look,
          const QString& path)
{
    const auto opened = QFileInfo::exists(name) ? editor.document().openFile(name)
                                                : editor.document().openSample(name.toStdString());
    if (!opened) {
        std::printf("%s\n", opened.error().text().c_str());
        return false;
    }
    const int frame = QCoreApplication::instance()->property("frame").toInt();
    if (frame != 0) editor.goToFrame(frame);
    editor.finishFrame();
    for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
    QElapsedTimer timer;
    timer.start();
    viewport.resize(look.size);
    QCoreApplication::processEvents();
    viewport.frameAll();
    if (look.yaw < 1e8) {
        viewport::Camera camera = viewport.camera();
        camera.yaw = look.yaw * 3.14159265 / 180;
        viewport.setCamera(camera);
        viewport.frameAll();
    }
    editor.selection().clear();
    if (!look.select.isEmpty()) selectByName(editor, look.select);
    if (look.framesSelection) viewport.frameSelected();
    if (qEnvironmentVariableIsSet("TWICE")) {
        static_cast<void>(viewport.grabImage(look.size));
        for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
    }
    const QImage image = viewport.grabImage(look.size, look.isModelOnly ? viewport::Viewport::Content::ModelOnly
                                                                        : viewport::Viewport::Content::Everything);
    std::printf("%s: %lld ms, palette and overlay %.2f ms\n", qPrintable(path), timer.elapsed(),
                1000 * viewport.overlaySeconds());
    return image.save(path);
}

} // namespace

int main(int argc, char** argv)
{
    viewport::Viewport::prepareApplication();
    QApplication application(argc, argv);
    QStringList arguments = application.arguments().mid(1);
    if (arguments.size() < 2) {
        std::printf("viewport_pictures OUT_FOLDER [options] NAME...\n");
        return 2;
    }
    const QDir folder(arguments.takeFirst());
    folder.mkpath(QStringLiteral("."));
    SolverRegistry solvers;
    solvers.scan();
    editor::Editor editor(solvers);
    viewport::Viewport viewport(editor);
    Look look;
    bool isGood = true;
    while (!arguments.isEmpty()) {
        const QString word = arguments.takeFirst();
        const auto value = [&] { return arguments.isEmpty() ? QString() : arguments.takeFirst(); };
        auto& theme = editor::Theme::instance();
        if (word == u"--theme")
            theme.set(value() == u"light" ? editor::Theme::Kind::Light : editor::Theme::Kind::Dark, theme.scale());
        else if (word == u"--scale")
            theme.set(theme.kind(), value().toDouble());
        else if (word == u"--size") {
            const QStringList sides = value().split(u'x');
            look.size = QSize(sides.value(0).toInt(), sides.value(1).toInt());
        } else if (word == u"--select")
            look.select = value();
        else if (word == u"--suffix")
            look.suffix = value();
        else if (word == u"--yaw")
            look.yaw = value().toDouble();
        else if (word == u"--frame")
            application.setProperty("frame", value().toInt());
        else if (word == u"--frame-selected")
            look.framesSelection = true;
        else if (word == u"--model-only")
            look.isModelOnly = true;
        else if (word == u"--msaa")
            editor.view().edit([](editor::ViewState& s) { s.isMultisampled = true; });
        else if (word == u"--no-xray")
            editor.view().edit([](editor::ViewState& s) { s.isXray = false; });
        else if (word == u"--scale-tool")
            editor.view().edit([](editor::ViewState& s) { s.tool = editor::Tool::Scale; });
        else if (word == u"--rotate")
            editor.view().edit([](editor::ViewState& s) { s.tool = editor::Tool::Rotate; });
        else if (word == u"--shading") {
            const QString kind = value();
            editor.view().edit([&](editor::ViewState& s) {
                s.shading = kind == u"wire"    ? editor::Shading::Wire
                            : kind == u"edges" ? editor::Shading::ShadedWire
                                               : editor::Shading::Shaded;
            });
        } else if (word == u"--side") {
            const QString side = value();
            editor.view().edit([&](editor::ViewState& s) {
                s.camera = side == u"top"     ? editor::CameraKind::Top
                           : side == u"right" ? editor::CameraKind::Right
                                              : editor::CameraKind::Front;
            });
        } else
            isGood = draw(editor, viewport, word, look,
                          folder.filePath(QFileInfo(word).completeBaseName() + look.suffix + QStringLiteral(".png"))) &&
                     isGood;
    }
    return isGood ? 0 : 1;
}

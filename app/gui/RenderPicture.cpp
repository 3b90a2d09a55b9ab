#include "app/gui/RenderPicture.h"

#include "app/editor/Editor.h"
#include "app/viewport/Viewport.h"
#include "core/io/export/KeptModel.h"

#include <QBuffer>
#include <QOffscreenSurface>
#include <QOpenGLContext>

namespace tendon::editor {
namespace {

constexpr QSize kUsualSize(1280, 720);

viewport::StandardView sideOf(const QString& name)
{
    using viewport::StandardView;
    return name == "front"   ? StandardView::Front
           : name == "back"  ? StandardView::Back
           : name == "left"  ? StandardView::Left
           : name == "right" ? StandardView::Right
           : name == "top"   ? StandardView::Top
                             : StandardView::Bottom;
}

/// Evaluates the current frame. Error: it would show something else than the project asks for.
Result<void> showFrame(Editor& editor, const SolverRegistry& solvers, const Options& options)
{
    const FramePtr frame = editor.finishFrame();
    if (!frame || !frame->rig) {
        const std::string why = frame && !frame->issues.empty() ? frame->issues.front().text
                                                                : "the frame could not be evaluated";
        return Error{ErrorCode::InvalidArgument, why, options.file.toStdString()};
    }
    for (const Issue& issue : frame->issues) // a handle that cannot be solved
        if (issue.severity == Severity::Error)
            return Error{ErrorCode::Unsupported, issue.text, issue.where}.within(options.file.toStdString());
    if (const std::vector<Error> faults = solvers.faults(); !faults.empty()) return faults.front();
    return {};
}

/// A frame's number in place of the first row of #, with as many digits at least.
QString numbered(QString path, int frame)
{
    const qsizetype begin = path.indexOf('#');
    qsizetype end = begin;
    while (end < path.size() && path[end] == '#') ++end;
    return path.replace(begin, end - begin,
                        QStringLiteral("%1").arg(frame, static_cast<int>(end - begin), 10, QLatin1Char('0')));
}

} // namespace

Result<void> checkOpenGl()
{
    QOffscreenSurface surface;
    surface.create();
    QOpenGLContext context;
    if (context.create() && context.makeCurrent(&surface) && context.format().version() >= qMakePair(3, 3)) return {};
    return Error{ErrorCode::Unsupported,
                 "there is no OpenGL 3.3 here; install a driver (Debian: apt install libgl1-mesa-dri), or run it under "
                 "xvfb-run",
                 "display"};
}

Result<void> writePicture(const QImage& image, const QString& path, const EditorDocument& document)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    image.save(&buffer, "PNG");
    return writeBeside(document.scene(), document.path(), path.toStdString(),
                       {bytes.constData(), static_cast<std::size_t>(bytes.size())}, {".png"});
}

Result<void> renderPictures(const SolverRegistry& solvers, const Options& options)
{
    Editor editor(solvers);
    if (const auto opened = editor.document().openFile(options.file); !opened) return opened.error();
    if (options.frame) editor.goToFrame(*options.frame);
    if (options.frames) editor.goToFrame(options.frames->first);
    if (const auto shown = showFrame(editor, solvers, options); !shown) return shown.error();

    viewport::Viewport view(editor);
    const QSize size = options.size.isValid() ? options.size : kUsualSize;
    view.resize(size);
    if (!options.side.isEmpty()) view.lookFrom(sideOf(options.side));
    const auto draw = [&](const QString& path) -> Result<void> {
        const QImage image = view.grabImage(size, viewport::Viewport::Content::ModelOnly);
        if (image.isNull())
            return Error{ErrorCode::Unsupported, "the picture could not be drawn: OpenGL gave up", "render"};
        return writePicture(image, path, editor.document());
    };
    if (!options.frames) {
        view.frameAll();
        return draw(options.render);
    }

    const auto [first, last] = *options.frames;
    viewport::Bounds all; // of the whole sequence, so that the camera stands still
    for (int pass = 0; pass < 2; ++pass) {
        if (pass == 1) view.frameBounds(all);
        for (int frame = first; frame <= last; ++frame) {
            editor.goToFrame(frame);
            if (const auto shown = showFrame(editor, solvers, options); !shown) return shown.error();
            if (pass == 0)
                all.add(view.bounds());
            else if (const auto drawn = draw(numbered(options.render, frame)); !drawn)
                return drawn.error();
        }
    }
    return {};
}

} // namespace tendon::editor

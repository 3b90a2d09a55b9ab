#include "app/gui/RenderPicture.h"

#include "app/editor/Editor.h"
#include "app/viewport/Viewport.h"
#include "core/io/export/KeptModel.h"
#include "core/solve/Evaluator.h"

#include <QBuffer>
#include <QOffscreenSurface>
#include <QOpenGLContext>

namespace tendon::editor {
namespace {

constexpr QSize kUsualSize(1280, 720);

bool hasOpenGl()
{
    QOffscreenSurface surface;
    surface.create();
    QOpenGLContext context;
    return context.create() && context.makeCurrent(&surface) && context.format().version() >= qMakePair(3, 3);
}

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

} // namespace

Result<void> writePicture(const QImage& image, const QString& path, const EditorDocument& document)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    image.save(&buffer, "PNG");
    return writeBeside(document.scene(), document.path(), path.toStdString(),
                       {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

Result<void> renderPicture(const SolverRegistry& solvers, const Options& options)
{
    if (!hasOpenGl())
        return Error{ErrorCode::Unsupported, "there is no OpenGL 3.3 here; run it as `xvfb-run -a tendon render ...`",
                     "render"};
    Editor editor(solvers);
    if (const auto opened = editor.document().openFile(options.file); !opened) return opened.error();
    if (options.frame) editor.goToFrame(*options.frame);
    const FramePtr frame = editor.finishFrame();
    if (!frame || !frame->rig) {
        const std::string why = frame && !frame->issues.empty() ? frame->issues.front().text
                                                                : "the frame could not be evaluated";
        return Error{ErrorCode::InvalidArgument, why, options.file.toStdString()};
    }

    // With a solver that is missing or has failed the frame shows something else than the project asks for.
    if (const auto can = Evaluator::create(frame->rig, solvers); !can)
        return can.error().within(options.file.toStdString());
    if (const std::vector<Error> faults = solvers.faults(); !faults.empty()) return faults.front();

    viewport::Viewport view(editor);
    const QSize size = options.size.isValid() ? options.size : kUsualSize;
    view.resize(size);
    if (!options.side.isEmpty()) view.lookFrom(sideOf(options.side));
    view.frameAll();
    const QImage image = view.grabImage(size, viewport::Viewport::Content::ModelOnly);
    if (image.isNull())
        return Error{ErrorCode::Unsupported, "the picture could not be drawn: OpenGL gave up", "render"};
    return writePicture(image, options.render, editor.document());
}

} // namespace tendon::editor

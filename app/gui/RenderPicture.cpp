#include "app/gui/RenderPicture.h"

#include "app/gui/Playblast.h"
#include "core/io/export/KeptModel.h"

#include <QBuffer>
#include <QEventLoop>
#include <QOffscreenSurface>
#include <QOpenGLContext>

#include <algorithm>

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

/// A project, or a model as an import shows it.
Result<void> openFile(EditorDocument& document, const QString& file)
{
    if (file.endsWith(QStringLiteral(".tendon"))) return document.openFile(file);
    return document.applyNow({{"op", "import"}, {"file", file}});
}

/// The model alone; the bones of what has nothing else to draw.
viewport::Viewport::Content contentOf(const Scene& scene)
{
    const bool hasShapes = std::any_of(scene.joints->begin(), scene.joints->end(),
                                       [](const Joint& joint) { return joint.segment.shape != Segment::Shape::None; });
    const bool hasMeshes = scene.model != nullptr && !scene.model->meshes.empty();
    return hasShapes || hasMeshes ? viewport::Viewport::Content::ModelOnly : viewport::Viewport::Content::Thumbnail;
}

/// Evaluates the current frame. Error: it would show something else than the project asks for.
Result<void> showFrame(Editor& editor, const SolverRegistry& solvers, const Options& options)
{
    return checkShown(editor.finishFrame(), solvers, options.file.toStdString());
}

/// Runs a playblast to its end.
Result<void> finish(Playblast& playblast)
{
    QEventLoop loop;
    QString problem;
    QObject::connect(&playblast, &PlayblastRun::finished, &loop, [&](const QString& error) {
        problem = error;
        loop.quit();
    });
    loop.exec();
    if (problem.isEmpty()) return {};
    return Error{ErrorCode::Unsupported, problem.toStdString(), {}};
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
    if (const auto opened = openFile(editor.document(), options.file); !opened) return opened.error();
    if (options.frame) editor.goToFrame(*options.frame);
    if (options.frames) editor.goToFrame(options.frames->first);
    if (const auto shown = showFrame(editor, solvers, options); !shown) return shown.error();

    viewport::Viewport view(editor);
    const QSize size = options.size.isValid() ? options.size : kUsualSize;
    view.resize(size);
    view.setCamera(viewport::Camera()); // not as the project was last seen
    if (!options.side.isEmpty()) view.lookFrom(sideOf(options.side));
    if (!options.camera.isEmpty()) {
        const CameraBookmark* bookmark = editor.document().scene().view->bookmarkNamed(options.camera.toStdString());
        if (bookmark == nullptr)
            return Error{ErrorCode::NotFound, "there is no camera bookmark of this name", options.camera.toStdString()};
        view.setCamera(viewport::Camera(bookmark->camera));
    }
    const auto draw = [&](const QString& path) -> Result<void> {
        using Content = viewport::Viewport::Content;
        const QImage image = view.grabImage(size,
                                            options.showsRig ? Content::Film : contentOf(editor.document().scene()));
        if (image.isNull())
            return Error{ErrorCode::Unsupported, "the picture could not be drawn: OpenGL gave up", "render"};
        return writePicture(image, path, editor.document());
    };
    if (!options.frames) {
        if (options.camera.isEmpty()) view.frameAll();
        return draw(options.render);
    }

    const auto [first, last] = *options.frames;
    if (options.camera.isEmpty()) { // one that sees the whole sequence, and stands still
        viewport::Bounds all;
        for (int frame = first; frame <= last; ++frame) {
            editor.goToFrame(frame);
            if (const auto shown = showFrame(editor, solvers, options); !shown) return shown.error();
            all.add(view.bounds());
        }
        view.frameBounds(all);
    }
    auto* playblast = new Playblast(solvers, editor.document(), editor.view().state(),
                                    {.output = options.render,
                                     .size = size,
                                     .first = first,
                                     .last = last,
                                     .hidesRig = !options.showsRig,
                                     .camera = view.camera()});
    return finish(*playblast);
}

} // namespace tendon::editor

#include "app/gui/Playblast.h"

#include "core/io/export/KeptModel.h"

#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace tendon::editor {
namespace {

constexpr qint64 kMaxWaiting = qint64{32} << 20; // [bytes] that ffmpeg has not read yet

/// What ffmpeg writes, before it takes the place of the film.
QString unfinishedName(const QString& film) { return film + QStringLiteral(".part"); }

QStringList filmArguments(const PlayblastOptions& options, FrameRate rate)
{
    const bool isWebM = options.output.endsWith(QLatin1String(".webm"));
    QStringList arguments = {"-y",
                             "-loglevel",
                             "error",
                             "-f",
                             "rawvideo",
                             "-pixel_format",
                             "bgra",
                             "-video_size",
                             QStringLiteral("%1x%2").arg(options.size.width()).arg(options.size.height()),
                             "-framerate",
                             QStringLiteral("%1/%2").arg(rate.numerator).arg(rate.denominator),
                             "-i",
                             "-"};
    // The usual players take pictures of even size in this colour space alone.
    arguments << "-vf"
              << "pad=ceil(iw/2)*2:ceil(ih/2)*2"
              << "-pix_fmt"
              << "yuv420p";
    if (isWebM)
        arguments << "-c:v"
                  << "libvpx-vp9"
                  << "-crf"
                  << "28"
                  << "-b:v"
                  << "0"
                  << "-f"
                  << "webm";
    else
        arguments << "-c:v"
                  << "libx264"
                  << "-crf"
                  << "18"
                  << "-movflags"
                  << "+faststart"
                  << "-f"
                  << "mp4";
    return arguments << unfinishedName(options.output);
}

} // namespace

bool isFilmName(const QString& path)
{
    return path.endsWith(QLatin1String(".mp4"), Qt::CaseInsensitive) ||
           path.endsWith(QLatin1String(".webm"), Qt::CaseInsensitive);
}

QString numbered(QString path, int frame)
{
    const qsizetype begin = path.indexOf('#');
    if (begin < 0) return path;
    qsizetype end = begin;
    while (end < path.size() && path[end] == '#') ++end;
    return path.replace(begin, end - begin,
                        QStringLiteral("%1").arg(frame, static_cast<int>(end - begin), 10, QLatin1Char('0')));
}

Result<void> checkShown(const FramePtr& frame, const SolverRegistry& solvers, const std::string& file)
{
    if (!frame || !frame->rig) {
        const std::string why = frame && !frame->issues.empty()
                                    ? frame->issues.front().text
                                    : Playblast::tr("the frame could not be evaluated").toStdString();
        return Error{ErrorCode::InvalidArgument, why, file};
    }
    for (const Issue& issue : frame->issues) // a handle that cannot be solved
        if (issue.severity == Severity::Error)
            return Error{ErrorCode::Unsupported, issue.text, issue.where}.within(file);
    if (const std::vector<Error> faults = solvers.faults(); !faults.empty()) return faults.front();
    return {};
}

Playblast::Playblast(const SolverRegistry& solvers, const EditorDocument& document, const ViewState& look,
                     PlayblastOptions options)
    : m_options(std::move(options)), m_project(document.path()), m_editor(solvers)
{
    m_isFilm = isFilmName(m_options.output);
    m_editor.document().adopt(
        Project{.scene = document.scene(), .state = {document.edit().currentClip, m_options.first, {}}}, {}, {});
    m_editor.view().set(look);
    m_editor.view().edit([](ViewState& state) {
        state.showsHud = state.showsLabels = state.showsGhosts = state.showsTrails = false;
        state.pinnedGhosts.clear();
        state.follow = Follow::Nothing;
    });
    connect(&m_editor, &Editor::frameReady, this, &Playblast::step, Qt::QueuedConnection);
    connect(&m_editor.settlement(), &ClipSettlement::stateChanged, this, &Playblast::step, Qt::QueuedConnection);
    connect(&m_film, &QProcess::bytesWritten, this, &Playblast::step, Qt::QueuedConnection);
    connect(&m_film, &QProcess::finished, this, &Playblast::endFilm);
    connect(&m_film, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) finish(tr("ffmpeg did not start: %1").arg(m_film.errorString()));
    });
    QMetaObject::invokeMethod(this, &Playblast::begin, Qt::QueuedConnection);
}

void Playblast::begin()
{
    if (m_isOver) return;
    if (m_isFilm) {
        const QString ffmpeg = QStandardPaths::findExecutable(QStringLiteral("ffmpeg"));
        if (ffmpeg.isEmpty())
            return finish(tr("a film needs ffmpeg, which is not installed (Debian: apt install ffmpeg); write "
                             "pictures instead, NAME.####.png"));
        m_film.start(ffmpeg, filmArguments(m_options, m_editor.document().scene().fps));
    }
    m_view = std::make_unique<viewport::Viewport>(m_editor);
    m_view->resize(m_options.size);
    m_view->setCamera(viewport::Camera(m_options.camera));
    go(m_options.first);
}

void Playblast::go(int frame)
{
    m_frame = frame;
    m_editor.goToFrame(frame);
}

/// Draws the frame when it is there, and goes on.
void Playblast::step()
{
    if (m_isOver || m_isWriting || m_view == nullptr || m_frame > m_options.last) return;
    const FramePtr frame = m_editor.frame();
    const bool isThere = frame != nullptr && frame->frame == m_frame && m_editor.settlement().isSettled() &&
                         !m_editor.scheduler().isBusy();
    if (!isThere || (m_isFilm && m_film.bytesToWrite() > kMaxWaiting)) return;
    if (const auto shown = checkShown(frame, m_editor.document().solvers(), m_project); !shown)
        return finish(QString::fromStdString(shown.error().text()));
    m_editor.drawnPose().finish();
    using Content = viewport::Viewport::Content;
    const QImage image = m_view->grabImage(m_options.size, m_options.hidesRig ? Content::ModelOnly : Content::Film);
    if (image.isNull()) return finish(tr("the picture could not be drawn: OpenGL gave up"));
    write(image);
}

void Playblast::write(const QImage& image)
{
    const auto goOn = [this] {
        m_isWriting = false;
        emit progressed(m_frame - m_options.first + 1, m_options.last - m_options.first + 1);
        if (m_frame < m_options.last) return go(m_frame + 1);
        ++m_frame;
        if (m_isFilm)
            m_film.closeWriteChannel(); // endFilm() follows
        else
            finish({});
    };
    m_isWriting = true;
    if (m_isFilm) {
        const QImage bytes = image.convertToFormat(QImage::Format_ARGB32);
        for (int y = 0; y < bytes.height(); ++y)
            m_film.write(reinterpret_cast<const char*>(bytes.constScanLine(y)), qint64{4} * bytes.width());
        return goOn();
    }
    const auto result = std::make_shared<Result<void>>();
    m_writing = std::make_unique<Job>(
        [image, result, scene = m_editor.document().scene(), project = m_project,
         path = numbered(m_options.output, m_frame)](Job::Control&) {
            QByteArray bytes;
            QBuffer buffer(&bytes);
            image.save(&buffer, "PNG");
            *result = writeBeside(scene, project, path.toStdString(),
                                  {bytes.constData(), static_cast<std::size_t>(bytes.size())});
        },
        [this, result, goOn] {
            m_writing.release()->deleteLater(); // this runs inside it
            if (!*result) return finish(QString::fromStdString(result->error().text()));
            if (!m_isOver) goOn();
        });
}

void Playblast::endFilm()
{
    if (m_isOver) return;
    const QString part = unfinishedName(m_options.output);
    const bool isMade = m_film.exitStatus() == QProcess::NormalExit && m_film.exitCode() == 0 &&
                        m_frame > m_options.last;
    if (!isMade) {
        const QStringList lines = QString::fromLocal8Bit(m_film.readAllStandardError()).trimmed().split('\n');
        return finish(tr("ffmpeg could not make the film: %1").arg(lines.last()));
    }
    QFile::remove(m_options.output);
    finish(QFile::rename(part, m_options.output) ? QString() : tr("%1 cannot be written").arg(m_options.output));
}

void Playblast::cancel() { finish(tr("the playblast was cancelled")); }

void Playblast::finish(const QString& error)
{
    if (m_isOver) return;
    m_isOver = true;
    if (m_film.state() != QProcess::NotRunning) {
        m_film.kill();
        m_film.waitForFinished();
    }
    if (m_isFilm && !error.isEmpty()) QFile::remove(unfinishedName(m_options.output));
    emit finished(error);
    deleteLater();
}

} // namespace tendon::editor

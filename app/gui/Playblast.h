#pragma once

#include "app/editor/Editor.h"
#include "app/editor/Job.h"
#include "app/viewport/Viewport.h"
#include "app/widgets/PlayblastRun.h"

#include <QPointer>
#include <QProcess>

#include <memory>

namespace tendon::editor {

/// Draws a range of frames in an editor and a view of its own, one after the other while the event loop runs: each to a
/// picture, or all of them to a film, which ffmpeg makes. `tendon render --frames` and the window's dialog are this.
/// Deletes itself after finished(). GUI thread.
class Playblast : public PlayblastRun
{
    Q_OBJECT
public:
    /// Begins when the event loop runs next. `solvers` outlives it.
    Playblast(const SolverRegistry& solvers, const EditorDocument& document, const ViewState& look,
              PlayblastOptions options);

    void cancel() override;

private:
    void begin();
    void step();
    void write(const QImage& image);
    void go(int frame);
    void endFilm();
    void finish(const QString& error);

    const PlayblastOptions m_options;
    const std::string m_project; ///< path of the project, which no picture replaces
    Editor m_editor;
    std::unique_ptr<viewport::Viewport> m_view;
    std::unique_ptr<Job> m_writing;
    QProcess m_film;
    int m_frame = 0;
    bool m_isFilm = false, m_isOver = false, m_isWriting = false;
};

/// True for the names of films: .mp4 and .webm.
[[nodiscard]] bool isFilmName(const QString& path);

/// A frame's number in place of the first row of #, with as many digits at least.
[[nodiscard]] QString numbered(QString path, int frame);

/// Why a frame shows something else than the project asks for; "" = it does not.
[[nodiscard]] Result<void> checkShown(const FramePtr& frame, const SolverRegistry& solvers, const std::string& file);

} // namespace tendon::editor

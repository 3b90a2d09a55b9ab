#pragma once

#include "app/editor/CompareCsv.h"
#include "app/editor/CurrentJob.h"
#include "app/editor/Editor.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QTreeWidget;

namespace tendon::editor {

/// How the compared solvers do over all frames of the clip: solved in another thread, with progress and Cancel. Never
/// changes the document.
class ClipTable : public QWidget
{
    Q_OBJECT
public:
    explicit ClipTable(Editor& editor, QWidget* parent = nullptr);

    void start(); ///< with the comparison's handle and solvers, on the document as it is now
    void stop();  ///< gives up what runs
    [[nodiscard]] const std::vector<std::string>& solvers() const { return m_solvers; } ///< of the last start()
    [[nodiscard]] const std::vector<ClipScore>& scores() const { return m_scores; }     ///< empty until they are there
    void finish(); ///< waits: for scripts and tests

signals:
    void changed(); ///< scores()
    void cancelled();

private:
    void show(const std::shared_ptr<Result<std::vector<ClipScore>>>& made);
    void addRow(std::size_t look, const ClipScore& score);
    void goTo(int row, int column); ///< the frame that has the figure of a cell
    void showProgress();

    Editor& m_editor;
    QTreeWidget* m_table;
    QWidget* m_progressRow;
    QProgressBar* m_progress;
    QLabel* m_problem;
    std::vector<std::string> m_solvers;
    std::vector<ClipScore> m_scores;
    CurrentJob m_job;
};

} // namespace tendon::editor

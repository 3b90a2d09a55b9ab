#pragma once

#include "app/editor/BenchmarkRun.h"
#include "app/editor/Editor.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;
class QTreeWidget;
class QVBoxLayout;

namespace tendon::editor {

/// Measures the chosen solvers on a set of problems, or on a handle over the open clip; shows the figures in a table
/// and saves them as the command line writes them. Never changes the document.
class BenchmarkDialog : public QDialog
{
    Q_OBJECT
public:
    explicit BenchmarkDialog(Editor& editor, QWidget* parent = nullptr);

    [[nodiscard]] BenchmarkRun& run() { return m_run; }
    /// Writes the figures of each solver: `file` (.csv) and the report beside it (.json); with several solvers, the
    /// name of each is in theirs. Errors name the file.
    [[nodiscard]] Result<void> save(const QString& file) const;

private:
    void addHeader(QVBoxLayout& column);
    void addBody(QVBoxLayout& column);
    void fill();
    void startOrStop();
    void chooseFile();
    void askWhereToSave();
    void refresh();
    void refreshTable();
    [[nodiscard]] bool isOnClip() const;
    [[nodiscard]] QString whyNotStart() const; ///< empty = it can start
    [[nodiscard]] QString summary() const;

    Editor& m_editor;
    BenchmarkRun m_run;
    QComboBox *m_over, *m_handle;
    QLineEdit* m_file;
    QPushButton *m_browse, *m_start, *m_save;
    QProgressBar* m_progress;
    QListWidget* m_solvers;
    QTreeWidget* m_table;
    QLabel* m_summary;
    QString m_notice; ///< what saving has said
};

} // namespace tendon::editor

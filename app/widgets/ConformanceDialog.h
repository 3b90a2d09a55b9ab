#pragma once

#include "app/editor/ConformanceRun.h"
#include "app/editor/Editor.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;
class QVBoxLayout;

namespace tendon::editor {

class ProblemView;

/// Runs the conformance suite on a solver plugin, lists what it keeps and what not, and shows the problem of a check
/// that fails with the answer of the solver. The plugin runs in a process of its own. Never changes the document.
class ConformanceDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ConformanceDialog(Editor& editor, QWidget* parent = nullptr);

    /// The plugin to be examined; cleared results.
    void choose(const std::string& alias);
    void setCases(int cases) { m_cases = cases; } ///< per rig and goal
    [[nodiscard]] ConformanceRun& run() { return m_run; }

private:
    void addHeader(QVBoxLayout& column);
    void addBody(QVBoxLayout& column);
    void fillPlugins();
    void startOrStop();
    void refresh();
    void refreshList();
    void fillRow(QTreeWidgetItem& row, const conformance::Check& check);
    void showCheck(const std::string& name);
    void showProblem();
    [[nodiscard]] const conformance::Check* find(const std::string& name) const;
    [[nodiscard]] QString summary() const;

    Editor& m_editor;
    ConformanceRun m_run;
    int m_cases = 40;
    std::string m_shown; ///< name of the check that is shown
    QComboBox* m_plugin;
    QPushButton* m_start;
    QProgressBar* m_progress;
    QCheckBox* m_onlyFailed;
    QTreeWidget* m_list;
    QLabel *m_heading, *m_text, *m_summary;
    ProblemView* m_view;
};

} // namespace tendon::editor

#pragma once

#include "app/editor/Editor.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;
class QStackedWidget;
class QToolButton;
class QTreeWidget;
class QVBoxLayout;

namespace tendon::editor {

class ClipTable;
class ConvergencePlot;
class EllipsePlot;

/// The tab that shows solvers at work: what each does with the selected handle at this frame, step by step, or over all
/// frames. The view draws the steps while the tab is open. Never changes the document.
class ComparePanel : public QWidget
{
    Q_OBJECT
public:
    explicit ComparePanel(Editor& editor, QWidget* parent = nullptr);

private:
    void addHeader(QVBoxLayout& column);
    void addTable(QVBoxLayout& column);
    void addTransport(QVBoxLayout& column);
    void addOptions(QVBoxLayout& column);
    void addPlot(QHBoxLayout& row);
    void chooseHandle();
    void fillSolverMenu();
    void refresh(); ///< everything: there is a new recording or choice
    void refreshHeader();
    void refreshTable();
    void refreshStep(); ///< what depends on the shown step
    void refreshOptions();
    void goToNextEllipse();
    void setPace();
    void saveCsv(const QString& name, const std::string& text);
    [[nodiscard]] QString stepText() const;
    [[nodiscard]] std::size_t chosenRow() const; ///< of the table: whose numbers are shown in full
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

    Editor& m_editor;
    QLabel *m_title = nullptr, *m_frame = nullptr;
    QPushButton *m_solvers = nullptr, *m_allFrames = nullptr;
    QStackedWidget* m_tables = nullptr; ///< of this frame, of all frames
    QTreeWidget* m_table = nullptr;
    ClipTable* m_clip = nullptr;
    QLabel* m_step = nullptr;
    QSlider* m_slider = nullptr;
    QToolButton* m_play = nullptr;
    QComboBox* m_pace = nullptr;
    QSpinBox* m_passes = nullptr;
    QCheckBox *m_ghosts = nullptr, *m_stages = nullptr, *m_eased = nullptr, *m_playing = nullptr;
    QPushButton* m_nextEllipse = nullptr; ///< only among stages
    ConvergencePlot* m_plot = nullptr;
    EllipsePlot* m_ellipse = nullptr;
};

/// A stage of a pass in words: "Pass 1, inward: hips goes to the mean of its candidates". `limited`: the name of
/// RecordedStage::limited.
[[nodiscard]] QString stageText(const RecordedStage& stage, const QString& joint, const QString& limited);

} // namespace tendon::editor

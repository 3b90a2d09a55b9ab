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
class QToolButton;
class QTreeWidget;
class QVBoxLayout;

namespace tendon::editor {

class ConvergencePlot;
class EllipsePlot;

/// The tab that shows solvers at work: what each does with the selected handle at this frame, step by step. The view
/// draws the steps while the tab is open. Never changes the document.
class ComparePanel : public QWidget
{
    Q_OBJECT
public:
    explicit ComparePanel(Editor& editor, QWidget* parent = nullptr);

private:
    void addHeader(QVBoxLayout& column);
    void addTable(QVBoxLayout& column);
    void addTransport(QVBoxLayout& column);
    void addPlot(QHBoxLayout& row);
    void chooseHandle();
    void fillSolverMenu();
    void refresh();     ///< everything: there is a new recording or choice
    void refreshStep(); ///< what depends on the shown step
    void setPace();
    [[nodiscard]] QString stepText() const;
    [[nodiscard]] std::size_t chosenRow() const; ///< of the table: whose numbers are shown in full
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

    Editor& m_editor;
    QLabel* m_title = nullptr;
    QPushButton* m_solvers = nullptr;
    QTreeWidget* m_table = nullptr;
    QLabel* m_step = nullptr;
    QSlider* m_slider = nullptr;
    QToolButton* m_play = nullptr;
    QComboBox* m_pace = nullptr;
    QSpinBox* m_passes = nullptr;
    QCheckBox* m_stages = nullptr;
    ConvergencePlot* m_plot = nullptr;
    EllipsePlot* m_ellipse = nullptr;
};

/// A stage of a pass in words: "backward: candidate for hips, weight 0.50".
[[nodiscard]] QString stageText(const RecordedStage& stage, const QString& joint);

} // namespace tendon::editor

#include "app/widgets/ClipTable.h"

#include "app/editor/Theme.h"
#include "app/widgets/CompareMarks.h"
#include "app/widgets/IssueRows.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <iterator>

namespace tendon::editor {
namespace {

constexpr int kProgress = 50; // [ms]

enum ClipColumn {
    NameColumn,
    LargestErrorColumn,
    MeanErrorColumn,
    MeanIterationsColumn,
    FrameMedianColumn,
    FrameMaxColumn,
    AllLimitsColumn,
    LargestStepColumn,
    OutcomeColumn
};

/// The frame that a cell's figure is of; 0: it is of all frames together.
int frameOf(const ClipScore& score, int column)
{
    switch (column) {
    case LargestErrorColumn: return score.at.error;
    case MeanIterationsColumn: return score.at.iterations;
    case FrameMaxColumn: return score.at.seconds;
    case AllLimitsColumn: return score.at.limits;
    case LargestStepColumn: return score.at.step;
    case OutcomeColumn: return score.missed > 0 ? score.at.missed : score.at.softened;
    default: return 0;
    }
}

/// "met in all 49 frames", "missed in 3 and softened in 12 of 49 frames"
QString outcomeOf(const ClipScore& score)
{
    if (score.missed > 0 && score.softened > 0)
        return ClipTable::tr("missed in %1 and softened in %2 of %3 frames")
            .arg(score.missed)
            .arg(score.softened)
            .arg(score.frames);
    if (score.missed > 0) return ClipTable::tr("missed in %1 of %2 frames").arg(score.missed).arg(score.frames);
    if (score.softened > 0) return ClipTable::tr("softened in %1 of %2 frames").arg(score.softened).arg(score.frames);
    return ClipTable::tr("met in all %1 frames").arg(score.frames);
}

QString microsecondsOf(double seconds) { return QString::number(seconds * 1e6, 'f', seconds < 1e-4 ? 1 : 0); }

} // namespace

ClipTable::ClipTable(Editor& editor, QWidget* parent) : QWidget(parent), m_editor(editor)
{
    const Theme& theme = Theme::instance();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_table = new QTreeWidget;
    m_table->setObjectName(QStringLiteral("compare.clip"));
    m_table->setAccessibleName(tr("Solvers over all frames"));
    makeCompareTable(*m_table,
                     {tr("Solver"), tr("Largest error"), tr("Mean error"), tr("Iterations"), tr("Median µs"),
                      tr("Max µs"), tr("Limit hits"), tr("Largest step"), tr("Result")},
                     {{},
                      tr("The largest distance from the goal, and the frame that has it"),
                      tr("The mean distance from the goal"),
                      tr("Mean iterations, and the most in one frame"),
                      tr("Median time in the solver for a frame"),
                      tr("Longest time in the solver for a frame"),
                      tr("Degrees of freedom that end at a limit, in total"),
                      tr("The largest turn of a joint from one frame to the next, and the later frame"),
                      tr("In how many frames the goal was missed, or soft reach held the chain back from it")});
    m_table->setSelectionBehavior(QAbstractItemView::SelectItems); // arrow keys go from cell to cell
    const auto open = [this](QTreeWidgetItem* row, int cell) { goTo(m_table->indexOfTopLevelItem(row), cell); };
    connect(m_table, &QTreeWidget::itemClicked, this, open);
    connect(m_table, &QTreeWidget::itemActivated, this, open);
    column->addWidget(m_table, 1);
    m_problem = new QLabel;
    m_problem->setContentsMargins(theme.px(8), theme.px(4), theme.px(8), theme.px(4));
    m_problem->setWordWrap(true);
    m_problem->hide();
    column->addWidget(m_problem);
    m_progressRow = new QWidget;
    auto* row = new QHBoxLayout(m_progressRow);
    row->setContentsMargins(theme.px(8), theme.px(4), theme.px(8), theme.px(4));
    m_progress = new QProgressBar;
    m_progress->setObjectName(QStringLiteral("compare.clip.progress"));
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setRange(0, 1000);
    m_progress->setFormat(tr("Solving all frames"));
    row->addWidget(m_progress, 1);
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("compare.clip.cancel"));
    cancel->setToolTip(tr("Stop, and show this frame again"));
    connect(cancel, &QPushButton::clicked, this, [this] {
        stop();
        emit cancelled();
    });
    row->addWidget(cancel);
    column->addWidget(m_progressRow);
    m_progressRow->hide();
    m_job.tellEvery(kProgress, [this] { showProgress(); });
}

void ClipTable::start()
{
    stop();
    const EditorDocument& document = m_editor.document();
    const Handle* handle = document.scene().find(m_editor.comparison().handle());
    if (handle == nullptr) return;
    m_solvers = m_editor.comparison().solversFor(*handle);
    const auto made = std::make_shared<Result<std::vector<ClipScore>>>(Error{});
    m_job.start(
        [made, scene = std::make_shared<const Scene>(document.scene()), clip = document.edit().currentClip,
         id = handle->id, solvers = m_solvers, &registry = document.solvers()](Job::Control& control) {
            *made = compareOverClip(
                *scene, scene->find(clip), {scene->firstFrame, scene->lastFrame}, id, solvers, registry,
                [&control](double done) { control.done = done; }, &control.cancelled);
        },
        [this, made] { show(made); });
    m_progressRow->show();
    showProgress();
}

void ClipTable::stop()
{
    m_job.letGo();
    m_progressRow->hide();
    m_problem->hide();
    m_table->clear();
    m_scores.clear();
    emit changed();
}

void ClipTable::finish()
{
    while (m_job.isRunning() && m_job.waitFor(Comparison::kHang)) {}
}

void ClipTable::showProgress() { m_progress->setValue(qRound(1000 * m_job.done())); }

void ClipTable::show(const std::shared_ptr<Result<std::vector<ClipScore>>>& made)
{
    m_progressRow->hide();
    if (!*made) {
        m_problem->setText(QString::fromStdString(made->error().text()));
        m_problem->show();
        return;
    }
    m_scores = **made;
    for (std::size_t i = 0; i < m_scores.size(); ++i) addRow(i, m_scores[i]);
    fitCompareColumns(*m_table);
    emit changed();
}

void ClipTable::addRow(std::size_t look, const ClipScore& score)
{
    QTreeWidgetItem* row = addCompareRow(*m_table, look, m_editor.document().solvers(), score.solver);
    if (!score.problem.empty()) return showProblem(*row, OutcomeColumn, score.problem);
    const auto withFrame = [](const QString& figure, int frame) {
        return frame > 0 ? tr("%1 at %2").arg(figure).arg(frame) : figure;
    };
    row->setText(LargestErrorColumn, withFrame(missOf(score.largestError), score.at.error));
    row->setText(MeanErrorColumn, missOf(score.meanError));
    row->setText(MeanIterationsColumn,
                 tr("%1, most %2").arg(score.meanIterations, 0, 'f', 1).arg(score.mostIterations));
    row->setText(FrameMedianColumn, microsecondsOf(score.medianSeconds));
    row->setText(FrameMaxColumn, microsecondsOf(score.maxSeconds));
    row->setText(AllLimitsColumn, QString::number(score.limitHits));
    row->setText(LargestStepColumn, withFrame(turnOf(score.largestStep), score.at.step));
    row->setText(OutcomeColumn, outcomeOf(score));
    row->setIcon(OutcomeColumn, iconOf(score.missed == 0 ? Mark::Ok : Mark::Warning));
    for (int column = 1; column < m_table->columnCount(); ++column)
        if (const int frame = frameOf(score, column); frame > 0)
            row->setToolTip(column, tr("Go to frame %1").arg(frame));
    if (!score.stepJoint.empty())
        row->setToolTip(
            LargestStepColumn,
            tr("%1 turns farthest; go to frame %2").arg(QString::fromStdString(score.stepJoint)).arg(score.at.step));
}

void ClipTable::goTo(int row, int column)
{
    if (row < 0 || row >= std::ssize(m_scores)) return;
    if (const int frame = frameOf(m_scores[static_cast<std::size_t>(row)], column); frame > 0)
        m_editor.goToFrame(frame);
}

} // namespace tendon::editor

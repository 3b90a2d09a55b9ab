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
    OutcomeColumn
};

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
                     {tr("Solver"), tr("Largest error"), tr("Mean error"), tr("Iterations"), tr("Median ms"),
                      tr("Max ms"), tr("Limit hits"), tr("Result")},
                     {{},
                      tr("The largest distance from the goal, and the frame that has it"),
                      tr("The mean distance from the goal"),
                      tr("Iterations in the mean, and the most in one frame"),
                      tr("Time of the solver alone for a frame, the median"),
                      tr("Time of the solver alone for a frame, the longest"),
                      tr("Degrees of freedom that end at a limit, of all frames together"),
                      tr("In how many frames the goal was missed")});
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
    m_timer.setInterval(kProgress);
    connect(&m_timer, &QTimer::timeout, this, &ClipTable::showProgress);
}

void ClipTable::start()
{
    stop();
    const EditorDocument& document = m_editor.document();
    const Handle* handle = document.scene().find(m_editor.comparison().handle());
    if (handle == nullptr) return;
    const auto made = std::make_shared<Result<std::vector<ClipScore>>>(Error{});
    m_job = std::make_unique<Job>(
        [made, scene = std::make_shared<const Scene>(document.scene()), clip = document.edit().currentClip,
         id = handle->id, solvers = m_editor.comparison().solversFor(*handle),
         &registry = document.solvers()](Job::Control& control) {
            *made = compareOverClip(
                *scene, scene->find(clip), {scene->firstFrame, scene->lastFrame}, id, solvers, registry,
                [&control](double done) { control.done = done; }, &control.cancelled);
        },
        [this, made] { show(made); });
    m_progressRow->show();
    showProgress();
    m_timer.start();
}

void ClipTable::stop()
{
    std::erase_if(m_left, [](const auto& job) { return job->isOver(); });
    m_timer.stop();
    m_progressRow->hide();
    m_problem->hide();
    m_table->clear();
    m_scores.clear();
    emit changed();
    if (m_job == nullptr) return;
    m_job->letGo();
    m_left.push_back(std::move(m_job));
}

void ClipTable::finish()
{
    while (m_job != nullptr && m_job->waitFor(Comparison::kHang)) {}
}

void ClipTable::showProgress()
{
    if (m_job != nullptr) m_progress->setValue(qRound(1000 * m_job->done()));
}

void ClipTable::show(const std::shared_ptr<Result<std::vector<ClipScore>>>& made)
{
    m_job.release()->deleteLater(); // this runs inside it
    m_timer.stop();
    m_progressRow->hide();
    if (!*made) {
        m_problem->setText(QString::fromStdString(made->error().text()));
        m_problem->show();
        return;
    }
    m_scores = **made;
    for (std::size_t i = 0; i < m_scores.size(); ++i) {
        const ClipScore& score = m_scores[i];
        QTreeWidgetItem* row = addCompareRow(*m_table, i, m_editor.document().solvers(), score.solver);
        if (!score.problem.empty()) {
            showProblem(*row, OutcomeColumn, score.problem);
            continue;
        }
        row->setText(LargestErrorColumn, tr("%1 at %2").arg(missOf(score.largestError)).arg(score.worstFrame));
        row->setText(MeanErrorColumn, missOf(score.meanError));
        row->setText(MeanIterationsColumn,
                     tr("%1, most %2").arg(score.meanIterations, 0, 'f', 1).arg(score.mostIterations));
        row->setText(FrameMedianColumn, millisecondsOf(score.medianSeconds));
        row->setText(FrameMaxColumn, millisecondsOf(score.maxSeconds));
        row->setText(AllLimitsColumn, QString::number(score.limitHits));
        row->setText(OutcomeColumn, score.missed == 0
                                        ? tr("met in all %1 frames").arg(score.frames)
                                        : tr("missed in %1 of %2 frames").arg(score.missed).arg(score.frames));
        row->setIcon(OutcomeColumn, iconOf(score.missed == 0 ? Mark::Ok : Mark::Warning));
    }
    fitCompareColumns(*m_table);
    emit changed();
}

} // namespace tendon::editor

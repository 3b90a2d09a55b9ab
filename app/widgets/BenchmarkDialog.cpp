#include "app/widgets/BenchmarkDialog.h"

#include "app/editor/CompareCsv.h"
#include "app/editor/LengthText.h"
#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/DialogFoot.h"
#include "app/widgets/Texts.h"
#include "core/io/base/FileStage.h"
#include "core/io/base/Files.h"
#include "core/math/Degrees.h"
#include "core/scene/Constraint.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace tendon::editor {
namespace {

enum BenchmarkColumn {
    SolverColumn,
    SolvedColumn,
    ErrorColumn,
    IterationsColumn,
    MedianColumn,
    HighColumn,
    LimitsColumn,
    StepColumn,
    BenchmarkColumns
};
constexpr int kOnProblem = 0, kOnClip = 1;

/// The figures of a row, in the order of the columns behind the solver's name.
std::array<QString, BenchmarkColumns - 1> figuresOf(const BenchmarkRun::Row& row)
{
    const auto micros = [](double value) { return QString::number(value, 'f', value < 100 ? 1 : 0); };
    if (row.benchmark) {
        const Benchmark& b = *row.benchmark;
        const double share = b.answers.empty()
                                 ? 0
                                 : 100.0 * static_cast<double>(b.solved) / static_cast<double>(b.answers.size());
        return {BenchmarkDialog::tr("%1 % of %2").arg(share, 0, 'f', 1).arg(b.answers.size()),
                lengthText(b.largestPositionError),
                QString::number(b.medianIterations(), 'g', 4),
                micros(b.medianMicroseconds()),
                micros(b.highMicroseconds()),
                QString::number(b.limitHits),
                b.largestStep ? QString::number(*b.largestStep, 'g', 4) : QString()};
    }
    if (!row.score || row.score->frames == 0) return {};
    const ClipScore& s = *row.score;
    return {BenchmarkDialog::tr("%1 % of %2").arg(100.0 * (s.frames - s.missed) / s.frames, 0, 'f', 1).arg(s.frames),
            lengthText(s.largestError),
            QString::number(s.meanIterations, 'f', 1),
            micros(s.medianSeconds * 1e6),
            micros(s.highSeconds * 1e6),
            QString::number(s.limitHits),
            BenchmarkDialog::tr("%1°").arg(s.largestStep * kDegrees, 0, 'f', 2)};
}

} // namespace

BenchmarkDialog::BenchmarkDialog(Editor& editor, QWidget* parent)
    : QDialog(parent), m_editor(editor), m_over(new ChoiceBox), m_handle(new ChoiceBox), m_file(new QLineEdit),
      m_browse(new QPushButton(tr("Browse…"))), m_start(new QPushButton), m_save(new QPushButton(tr("Save…"))),
      m_progress(new QProgressBar), m_solvers(new QListWidget), m_table(new QTreeWidget), m_summary(new QLabel)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("benchmark"));
    setWindowTitle(tr("Benchmark solvers"));
    resize(theme.px(980), theme.px(460));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(12), theme.px(10), theme.px(12), theme.px(10));
    column->setSpacing(theme.px(8));
    addHeader(*column);
    addBody(*column);
    m_save->setObjectName(QStringLiteral("benchmark.save"));
    m_save->setToolTip(tr("Save the figures as CSV, with a report beside them"));
    connect(m_save, &QPushButton::clicked, this, &BenchmarkDialog::askWhereToSave);
    column->addLayout(new DialogFoot(*this, m_summary, {m_save}));
    connect(&m_run, &BenchmarkRun::changed, this, &BenchmarkDialog::refresh);
    fill();
    refresh();
}

void BenchmarkDialog::addHeader(QVBoxLayout& column)
{
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("Solve")));
    m_over->setObjectName(QStringLiteral("benchmark.over"));
    m_over->setAccessibleName(tr("What is solved"));
    m_over->addItem(tr("A problem set"), kOnProblem);
    m_over->addItem(tr("The open clip"), kOnClip);
    connect(m_over, &QComboBox::currentIndexChanged, this, &BenchmarkDialog::refresh);
    row->addWidget(m_over);
    m_file->setObjectName(QStringLiteral("benchmark.file"));
    m_file->setAccessibleName(tr("Problem set"));
    m_file->setPlaceholderText(tr("NAME.json, with its cases beside it in NAME.csv"));
    connect(m_file, &QLineEdit::textChanged, this, &BenchmarkDialog::refresh);
    row->addWidget(m_file, 1);
    m_browse->setObjectName(QStringLiteral("benchmark.browse"));
    m_browse->setAutoDefault(false);
    connect(m_browse, &QPushButton::clicked, this, &BenchmarkDialog::chooseFile);
    row->addWidget(m_browse);
    m_handle->setObjectName(QStringLiteral("benchmark.handle"));
    m_handle->setAccessibleName(tr("Handle"));
    m_handle->setToolTip(tr("Choose the handle whose goal each solver meets, frame by frame"));
    row->addWidget(m_handle, 1);
    m_start->setObjectName(QStringLiteral("benchmark.start"));
    m_start->setProperty("main", true);
    m_start->setDefault(true);
    connect(m_start, &QPushButton::clicked, this, &BenchmarkDialog::startOrStop);
    row->addWidget(m_start);
    column.addLayout(row);
    m_progress->setObjectName(QStringLiteral("benchmark.progress"));
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setRange(0, 1000);
    QSizePolicy policy = m_progress->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // so that the table stands still
    m_progress->setSizePolicy(policy);
    column.addWidget(m_progress);
}

void BenchmarkDialog::addBody(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    auto* body = new QSplitter;
    m_solvers->setObjectName(QStringLiteral("benchmark.solvers"));
    m_solvers->setAccessibleName(tr("Solvers"));
    m_solvers->setToolTip(tr("Choose the solvers to measure"));
    m_solvers->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // what is too long is shortened
    connect(m_solvers, &QListWidget::itemChanged, this, &BenchmarkDialog::refresh);
    body->addWidget(m_solvers);
    m_table->setObjectName(QStringLiteral("benchmark.table"));
    m_table->setAccessibleName(tr("Figures"));
    m_table->setRootIsDecorated(false);
    m_table->setAlternatingRowColors(true);
    m_table->setHeaderLabels({tr("Solver"), tr("Solved"), tr("Largest error"), tr("Iterations"), tr("Median µs"),
                              tr("95 % µs"), tr("Limit hits"), tr("Largest step")});
    const QStringList tips = {
        QString(),
        tr("The share of the cases or frames whose goals are met, whatever the solver says"),
        tr("The largest distance from a goal"),
        tr("The median of the cases, or the mean of the frames"),
        tr("Median time in the solver for a case or a frame"),
        tr("Time that 95 % of them do not exceed"),
        tr("Degrees of freedom that end at a limit, in total"),
        tr("The largest change from one case or frame to the next, where they follow each other")};
    for (int i = 1; i < BenchmarkColumns; ++i) {
        m_table->headerItem()->setToolTip(i, tips[i]);
        m_table->headerItem()->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
        m_table->header()->setSectionResizeMode(i, QHeaderView::ResizeToContents);
    }
    m_table->header()->setStretchLastSection(true); // so that it fills what is left
    m_table->header()->setSectionResizeMode(SolverColumn, QHeaderView::ResizeToContents);
    body->addWidget(m_table);
    body->setSizes({theme.px(260), theme.px(700)});
    body->setStretchFactor(1, 1);
    body->setChildrenCollapsible(false);
    column.addWidget(body, 1);
}

void BenchmarkDialog::fill()
{
    const EditorDocument& document = m_editor.document();
    const QSignalBlocker blocker(m_solvers);
    for (const SolverInfo& solver : document.solvers().solvers()) {
        auto* item = new QListWidgetItem(QString::fromStdString(solver.name), m_solvers);
        item->setData(Qt::UserRole, QString::fromStdString(solver.alias));
        item->setToolTip(aboutSolver(solver));
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        const bool isUsual = solver.alias == SolverRegistry::kDefaultAlias;
        item->setCheckState(isUsual || document.solvers().isForeign(solver) ? Qt::Checked : Qt::Unchecked);
    }
    m_solvers->setCurrentRow(0);
    const HandleId active = m_editor.selection().active().handle();
    for (const Handle& handle : *document.scene().handles) {
        if (isConstraint(handle)) continue; // nothing is solved
        m_handle->addItem(QString::fromStdString(handle.name), QVariant::fromValue<qulonglong>(handle.id.value));
        if (handle.id == active) m_handle->setCurrentIndex(m_handle->count() - 1);
    }
    if (active.isValid() && document.clip() != nullptr) m_over->setCurrentIndex(kOnClip);
}

bool BenchmarkDialog::isOnClip() const { return m_over->currentData().toInt() == kOnClip; }

QString BenchmarkDialog::whyNotStart() const
{
    bool isAny = false;
    for (int i = 0; i < m_solvers->count(); ++i) isAny = isAny || m_solvers->item(i)->checkState() == Qt::Checked;
    if (!isAny) return tr("Check at least one solver.");
    if (!isOnClip()) return m_file->text().isEmpty() ? tr("Choose a problem set.") : QString();
    if (m_editor.document().clip() == nullptr) return tr("The project has no clip.");
    return m_handle->count() == 0 ? tr("The project has no IK handle.") : QString();
}

void BenchmarkDialog::startOrStop()
{
    if (m_run.isRunning()) return m_run.stop();
    if (!whyNotStart().isEmpty()) return;
    m_notice.clear();
    const EditorDocument& document = m_editor.document();
    BenchmarkRun::Task task;
    for (int i = 0; i < m_solvers->count(); ++i)
        if (m_solvers->item(i)->checkState() == Qt::Checked)
            task.solvers.push_back(m_solvers->item(i)->data(Qt::UserRole).toString().toStdString());
    if (isOnClip()) {
        task.scene = document.scene();
        task.clip = document.edit().currentClip;
        task.range = {document.scene().firstFrame, document.scene().lastFrame};
        task.handle = HandleId{m_handle->currentData().toULongLong()};
    } else
        task.problem = m_file->text().toStdString();
    m_run.start(std::move(task), document.solvers());
}

void BenchmarkDialog::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Choose a problem set"), m_file->text(),
                                                      tr("Problem sets (*.json)"));
    if (!path.isEmpty()) m_file->setText(path);
}

void BenchmarkDialog::askWhereToSave()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save figures"), QStringLiteral("benchmark.csv"),
                                                      tr("Comma-separated values (*.csv)"));
    if (path.isEmpty()) return;
    const auto saved = save(path);
    m_notice = saved ? tr("The figures are saved in %1").arg(QDir::toNativeSeparators(QFileInfo(path).path()))
                     : QString::fromStdString(saved.error().text());
    refresh();
}

Result<void> BenchmarkDialog::save(const QString& file) const
{
    const QFileInfo info(file);
    const QString base = info.path() + QLatin1Char('/') + info.completeBaseName();
    FileStage stage;
    const auto put = [&](const QString& name, const std::string& bytes, const FileStage::Kinds& kinds) {
        return stage.write(
            name.toStdString(), [&](const std::string& path) { return writePlainFile(path, bytes); }, kinds);
    };
    std::vector<ClipScore> scores;
    std::size_t measured = 0;
    for (const BenchmarkRun::Row& row : m_run.rows()) measured += row.benchmark ? 1 : 0;
    for (const BenchmarkRun::Row& row : m_run.rows()) {
        if (row.score) scores.push_back(*row.score);
        if (!row.benchmark) continue;
        const QString name = measured == 1 ? base : base + QLatin1Char('-') + QString::fromStdString(row.solver);
        if (const auto csv = put(name + QStringLiteral(".csv"), benchmarkCsv(*row.benchmark), {".csv"}); !csv)
            return csv;
        if (const auto json = put(name + QStringLiteral(".json"), benchmarkReportText(*row.benchmark), {".json"});
            !json)
            return json;
    }
    if (!scores.empty())
        if (const auto csv = put(base + QStringLiteral(".csv"), clipCsv(scores), {".csv"}); !csv) return csv;
    return stage.commit();
}

QString BenchmarkDialog::summary() const
{
    if (!m_run.problem().empty()) return QString::fromStdString(m_run.problem());
    QStringList troubles;
    for (const BenchmarkRun::Row& row : m_run.rows())
        if (!row.trouble.empty()) troubles << QString::fromStdString(row.solver + ": " + row.trouble);
    if (!troubles.isEmpty()) return troubles.join('\n');
    if (!m_notice.isEmpty()) return m_notice;
    if (m_run.isRunning()) return tr("Solving…");
    if (const QString why = whyNotStart(); !why.isEmpty()) return why;
    if (m_run.rows().empty()) return {};
    return m_run.isWhole() ? tr("A second run gives the same figures, except for the times.")
                           : tr("Stopped. Solvers that had not finished have no figures.");
}

void BenchmarkDialog::refresh()
{
    const bool isRunning = m_run.isRunning();
    m_start->setText(isRunning ? tr("Stop") : tr("Run"));
    m_start->setToolTip(isRunning ? tr("Stop; solvers that have finished keep their figures")
                                  : tr("Measure the checked solvers one after the other"));
    m_start->setEnabled(isRunning || whyNotStart().isEmpty());
    for (QWidget* each : std::initializer_list<QWidget*>{m_over, m_file, m_browse, m_handle, m_solvers})
        each->setEnabled(!isRunning);
    m_file->setVisible(!isOnClip());
    m_browse->setVisible(!isOnClip());
    m_handle->setVisible(isOnClip());
    m_progress->setVisible(isRunning);
    m_progress->setValue(qRound(1000 * std::max(m_run.done(), 0.0)));
    const auto hasFigures = [](const BenchmarkRun::Row& row) { return row.benchmark || row.score; };
    m_save->setEnabled(!isRunning && std::any_of(m_run.rows().begin(), m_run.rows().end(), hasFigures));
    m_summary->setText(summary());
    refreshTable();
}

void BenchmarkDialog::refreshTable()
{
    const auto& rows = m_run.rows();
    while (m_table->topLevelItemCount() > static_cast<int>(rows.size()))
        delete m_table->takeTopLevelItem(m_table->topLevelItemCount() - 1);
    while (m_table->topLevelItemCount() < static_cast<int>(rows.size())) new QTreeWidgetItem(m_table);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        QTreeWidgetItem& item = *m_table->topLevelItem(static_cast<int>(i));
        const SolverInfo* info = m_editor.document().solvers().find(rows[i].solver);
        item.setText(SolverColumn, QString::fromStdString(info == nullptr ? rows[i].solver : info->name));
        const auto figures = figuresOf(rows[i]);
        for (int column = 1; column < BenchmarkColumns; ++column) {
            item.setText(column, figures[static_cast<std::size_t>(column - 1)]);
            item.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        }
        if (rows[i].trouble.empty()) continue;
        if (figures.front().isEmpty()) item.setText(SolvedColumn, tr("no figures"));
        for (int column = 0; column < BenchmarkColumns; ++column)
            item.setToolTip(column, QString::fromStdString(rows[i].trouble));
    }
}

} // namespace tendon::editor

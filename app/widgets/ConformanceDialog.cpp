#include "app/widgets/ConformanceDialog.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/DialogFoot.h"
#include "app/widgets/IssueRows.h"
#include "app/widgets/ProblemView.h"
#include "core/io/import/ModelImport.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {
namespace {

enum ConformanceColumn { CheckColumn, RequirementColumn, ShowColumn };

Mark markOfVerdict(conformance::Verdict verdict)
{
    switch (verdict) {
    case conformance::Verdict::Passed: return Mark::Ok;
    case conformance::Verdict::Failed: return Mark::Error;
    case conformance::Verdict::Skipped: return Mark::Info;
    }
    return Mark::Info;
}

QString wordOf(conformance::Verdict verdict)
{
    switch (verdict) {
    case conformance::Verdict::Passed: return ConformanceDialog::tr("passed");
    case conformance::Verdict::Failed: return ConformanceDialog::tr("failed");
    case conformance::Verdict::Skipped: return ConformanceDialog::tr("not tried");
    }
    return {};
}

} // namespace

ConformanceDialog::ConformanceDialog(Editor& editor, QWidget* parent)
    : QDialog(parent), m_editor(editor), m_plugin(new ChoiceBox), m_start(new QPushButton),
      m_progress(new QProgressBar), m_onlyFailed(new QCheckBox(tr("Only failed"))), m_list(new QTreeWidget),
      m_heading(new QLabel), m_text(new QLabel), m_summary(new QLabel), m_view(new ProblemView)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("conformance"));
    setWindowTitle(tr("Check solver plugin"));
    resize(theme.px(1060), theme.px(560));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(12), theme.px(10), theme.px(12), theme.px(10));
    column->setSpacing(theme.px(8));
    addHeader(*column);
    addBody(*column);
    column->addLayout(new DialogFoot(*this, m_summary));
    connect(&m_run, &ConformanceRun::changed, this, &ConformanceDialog::refresh);
    connect(&m_run, &ConformanceRun::shown, this, &ConformanceDialog::showProblem);
    fillPlugins();
    refresh();
}

void ConformanceDialog::addHeader(QVBoxLayout& column)
{
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("Plugin")));
    m_plugin->setObjectName(QStringLiteral("conformance.plugin"));
    m_plugin->setAccessibleName(tr("Plugin"));
    m_plugin->setToolTip(tr("Choose the plugin to check; those that you have loaded come first"));
    connect(m_plugin, &QComboBox::activated, this,
            [this] { choose(m_plugin->currentData().toString().toStdString()); });
    row->addWidget(m_plugin);
    m_start->setObjectName(QStringLiteral("conformance.start"));
    m_start->setProperty("main", true);
    m_start->setAutoDefault(false); // Return in the list is for its row
    connect(m_start, &QPushButton::clicked, this, &ConformanceDialog::startOrStop);
    row->addWidget(m_start);
    m_progress->setObjectName(QStringLiteral("conformance.progress"));
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setRange(0, 1000);
    row->addWidget(m_progress, 4);
    row->addStretch(1); // where the progress is, when there is none
    m_onlyFailed->setObjectName(QStringLiteral("conformance.onlyFailed"));
    m_onlyFailed->setToolTip(tr("List only the checks that fail"));
    connect(m_onlyFailed, &QCheckBox::toggled, this, &ConformanceDialog::refreshList);
    row->addWidget(m_onlyFailed);
    column.addLayout(row);
}

void ConformanceDialog::addBody(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    auto* body = new QSplitter;
    m_list->setObjectName(QStringLiteral("conformance.list"));
    m_list->setAccessibleName(tr("Checks"));
    m_list->setRootIsDecorated(false);
    m_list->setAlternatingRowColors(true);
    m_list->setHeaderLabels({tr("Check"), tr("Requirement"), QString()});
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(CheckColumn, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(RequirementColumn, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(ShowColumn, QHeaderView::ResizeToContents);
    connect(m_list, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* row) { showCheck(row->data(CheckColumn, Qt::UserRole).toString().toStdString()); });
    body->addWidget(m_list);
    auto* side = new QWidget;
    auto* panel = new QVBoxLayout(side);
    panel->setContentsMargins(theme.px(6), 0, 0, 0);
    m_heading->setProperty("role", "heading");
    m_heading->setWordWrap(true);
    panel->addWidget(m_heading);
    m_text->setObjectName(QStringLiteral("conformance.text"));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    panel->addWidget(m_text);
    panel->addWidget(m_view, 1);
    body->addWidget(side);
    body->setSizes({theme.px(660), theme.px(360)});
    body->setStretchFactor(0, 1);
    body->setStretchFactor(1, 1);
    body->setChildrenCollapsible(false);
    column.addWidget(body, 1);
}

void ConformanceDialog::fillPlugins()
{
    const SolverRegistry& solvers = m_editor.document().solvers();
    std::vector<const SolverInfo*> found;
    for (const SolverInfo& solver : solvers.solvers())
        if (!solver.file.empty()) found.push_back(&solver);
    std::stable_partition(found.begin(), found.end(),
                          [&](const SolverInfo* solver) { return solvers.isForeign(*solver); });
    for (const SolverInfo* solver : found)
        m_plugin->addItem(QString::fromStdString(solver->name), QString::fromStdString(solver->alias));
}

void ConformanceDialog::choose(const std::string& alias)
{
    m_plugin->setCurrentIndex(m_plugin->findData(QString::fromStdString(alias)));
    m_run.forget();
    m_shown.clear();
    m_heading->clear();
    m_text->clear();
    m_view->setProblem(nullptr);
}

void ConformanceDialog::startOrStop()
{
    if (m_run.isRunning()) return m_run.stop();
    const SolverInfo* solver = m_editor.document().solvers().find(m_plugin->currentData().toString().toStdString());
    const auto program = importWorkerProgram(); // the same program examines plugins
    if (solver == nullptr || !program) {
        m_text->setText(program ? tr("Choose a plugin to check.") : QString::fromStdString(program.error().text()));
        return;
    }
    choose(solver->alias);
    m_run.start(solver->file, {.cases = m_cases, .program = *program});
}

const conformance::Check* ConformanceDialog::find(const std::string& name) const
{
    const auto& checks = m_run.checks();
    const auto found = std::find_if(checks.begin(), checks.end(),
                                    [&](const auto& check) { return check.name == name; });
    return found == checks.end() ? nullptr : &*found;
}

QString ConformanceDialog::summary() const
{
    int passed = 0, failed = 0, skipped = 0;
    for (const conformance::Check& check : m_run.checks()) {
        passed += check.verdict == conformance::Verdict::Passed ? 1 : 0;
        failed += check.verdict == conformance::Verdict::Failed ? 1 : 0;
        skipped += check.verdict == conformance::Verdict::Skipped ? 1 : 0;
    }
    if (passed + failed + skipped == 0)
        return m_run.isRunning()
                   ? QString()
                   : tr("The plugin runs in a process of its own; whatever it does, nothing here is lost.");
    const QString counts = tr("%1 passed, %2 failed, %3 not tried").arg(passed).arg(failed).arg(skipped);
    if (!m_run.isWhole()) return m_run.isRunning() ? counts : tr("Stopped: %1").arg(counts);
    return failed > 0 ? tr("The plugin does not keep its contract: %1").arg(counts)
                      : tr("The plugin keeps its contract: %1").arg(counts);
}

void ConformanceDialog::refresh()
{
    const bool isRunning = m_run.isRunning();
    m_start->setText(isRunning ? tr("Stop") : tr("Run"));
    m_start->setToolTip(isRunning ? tr("Stop checking; the results so far stay")
                                  : tr("Run the conformance suite on the plugin"));
    m_start->setEnabled(m_plugin->count() > 0);
    m_plugin->setEnabled(!isRunning);
    m_progress->setVisible(isRunning);
    m_progress->setValue(qRound(1000 * m_run.done()));
    m_progress->setFormat(QString::fromStdString(m_run.place().substr(0, m_run.place().find('/'))));
    m_summary->setText(summary());
    refreshList();
}

void ConformanceDialog::refreshList()
{
    // Rows are kept: a selection and a button under the mouse must not go while the suite runs.
    int at = 0;
    for (const conformance::Check& check : m_run.checks()) {
        if (m_onlyFailed->isChecked() && check.verdict != conformance::Verdict::Failed) continue;
        QTreeWidgetItem* row = m_list->topLevelItem(at++);
        fillRow(row != nullptr ? *row : *new QTreeWidgetItem(m_list), check);
    }
    while (m_list->topLevelItemCount() > at) delete m_list->takeTopLevelItem(at);
}

void ConformanceDialog::fillRow(QTreeWidgetItem& row, const conformance::Check& check)
{
    const QString name = QString::fromStdString(check.name);
    const bool isFailed = check.verdict == conformance::Verdict::Failed;
    row.setText(CheckColumn, name);
    row.setData(CheckColumn, Qt::UserRole, name);
    row.setIcon(CheckColumn, iconOf(markOfVerdict(check.verdict)));
    row.setText(RequirementColumn, QString::fromStdString(conformance::requirementOf(check.name)));
    const QString detail = QString::fromStdString(check.detail);
    for (int column = 0; column < ShowColumn; ++column)
        row.setToolTip(column, detail.isEmpty() ? wordOf(check.verdict) : wordOf(check.verdict) + ": " + detail);
    row.setData(CheckColumn, Qt::AccessibleTextRole, wordOf(check.verdict) + ": " + name);
    auto* button = qobject_cast<QPushButton*>(m_list->itemWidget(&row, ShowColumn));
    const bool isShowable = isFailed && !check.place.empty();
    if (!isShowable || (button != nullptr && button->objectName() != "conformance.show." + name)) {
        m_list->setItemWidget(&row, ShowColumn, nullptr);
        button = nullptr;
    }
    if (!isShowable) return;
    if (button == nullptr) {
        button = new QPushButton(tr("Show me"));
        button->setObjectName("conformance.show." + name);
        button->setAutoDefault(false);
        button->setToolTip(tr("Show the problem that the plugin fails on, and its answer"));
        connect(button, &QPushButton::clicked, this, [this, name = check.name] { showCheck(name); });
        m_list->setItemWidget(&row, ShowColumn, button);
    }
    button->setEnabled(!m_run.isRunning());
}

void ConformanceDialog::showCheck(const std::string& name)
{
    const conformance::Check* check = find(name);
    if (check == nullptr || m_run.isRunning()) return;
    m_shown = name;
    m_heading->setText(QString::fromStdString(conformance::requirementOf(name)));
    m_text->setText(QString::fromStdString(check->detail));
    m_view->setProblem(nullptr);
    if (check->verdict == conformance::Verdict::Failed && !check->place.empty()) m_run.show(*check);
}

void ConformanceDialog::showProblem()
{
    const conformance::Check* check = find(m_shown);
    if (check == nullptr) return;
    const conformance::PosedProblem* problem = m_run.problem();
    QString text = QString::fromStdString(check->detail);
    if (problem == nullptr)
        text += '\n' +
                tr("The plugin fails before it solves anything, or only sometimes, so there is no problem to show.");
    else
        text += '\n' + tr("Dashed is where the solve starts. %1")
                           .arg(problem->answer.empty()
                                    ? tr("The solver gave no pose: %1.").arg(QString::fromStdString(problem->outcome))
                                    : tr("Solid is the answer: %1.").arg(QString::fromStdString(problem->outcome)));
    m_text->setText(text);
    m_view->setProblem(problem);
}

} // namespace tendon::editor

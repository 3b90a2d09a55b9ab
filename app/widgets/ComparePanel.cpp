#include "app/widgets/ComparePanel.h"

#include "app/editor/CompareCsv.h"
#include "app/editor/StageEllipse.h"
#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/ClipTable.h"
#include "app/widgets/CompareMarks.h"
#include "app/widgets/ConvergencePlot.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/EllipsePlot.h"
#include "app/widgets/Icons.h"
#include "app/widgets/IssueRows.h"
#include "app/widgets/Section.h"
#include "app/widgets/Texts.h"
#include "core/io/export/KeptModel.h"
#include "core/solve/StatusNames.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

enum Column {
    SolverColumn,
    StepErrorColumn,
    RankColumn,
    ErrorColumn,
    IterationsColumn,
    MedianColumn,
    MaxColumn,
    LimitsColumn,
    PullColumn,
    ResultColumn
};

constexpr int kTitleWidth = 168; ///< [px] at 100 %

/// What the entry of the pace box stands for; 0 = so many steps with each frame of the scene.
constexpr double kPaces[] = {1, 4, 0};

QString errorText(const SolverRecording& solver, const SolveStep& step)
{
    if (solver.goal < 0) return QStringLiteral("–");
    const double miss = missOf(solver, step);
    return isMissAnAngle(solver) ? turnOf(miss) : missOf(miss);
}

/// What all goals miss together, in the units that they have.
QString residualText(const SolveStep::Miss& total)
{
    const QString turn = turnOf(total.rotation), miss = missOf(total.position);
    return total.rotation <= 0 ? miss : total.position <= 0 ? turn : ComparePanel::tr("%1 and %2").arg(miss, turn);
}

/// True if limits move a joint at one of the stages.
bool hasLimitingEllipse(const SolverRecording& solver)
{
    for (std::size_t count = 1; count <= solver.stages.size(); ++count) {
        const auto ellipse = ellipseAtStage(solver, count);
        if (ellipse && !ellipse->isMoved && !ellipse->isInside) return true;
    }
    return false;
}

/// Three digits, without an exponent where whole numbers do.
QString shortNumber(double value)
{
    const bool isLarge = value >= 1e3 && value < 1e7;
    return isLarge ? QString::number(value, 'f', 0) : QString::number(value, 'g', 3);
}

Mark markOf(sdk::Status status)
{
    return sdk::isSuccess(status) ? Mark::Ok : sdk::isUsable(status) ? Mark::Warning : Mark::Error;
}

} // namespace

QString stageText(const RecordedStage& stage, const QString& joint, const QString& limited)
{
    const auto words = [&]() -> QString {
        switch (stage.row.stage) {
        case sdk::Stage::Start: return ComparePanel::tr("a – %1 at the start of the pass").arg(joint);
        case sdk::Stage::Goal: return ComparePanel::tr("b – %1 goes to the goal").arg(joint);
        case sdk::Stage::Place:
            if (stage.row.other < 0 && stage.row.isForward == 0)
                return ComparePanel::tr("c – %1 follows its end, as far away as its bone is long").arg(joint);
            return ComparePanel::tr("c – %1 slides along the line until its bone has its length").arg(joint);
        case sdk::Stage::Look: return ComparePanel::tr("d – %1 turns to look along its bone").arg(joint);
        case sdk::Stage::Ellipse:
            return ComparePanel::tr("e – the ellipse in which the limits of %2 keep %1; nothing moves")
                .arg(joint, limited);
        case sdk::Stage::IntoEllipse:
            return ComparePanel::tr("f – %1 moves straight to the nearest point of the ellipse").arg(joint);
        case sdk::Stage::Length: return ComparePanel::tr("g – the bone at %1 gets its length back").arg(joint);
        case sdk::Stage::Twist:
            return ComparePanel::tr("h – %1 turns until its twist is within its limits").arg(limited);
        case sdk::Stage::Candidate:
            return ComparePanel::tr("one branch wants %1 here, with weight %2")
                .arg(joint)
                .arg(stage.row.weight, 0, 'g', 3);
        case sdk::Stage::SubBase: return ComparePanel::tr("%1 goes to the mean of its candidates").arg(joint);
        case sdk::Stage::Root: return ComparePanel::tr("%1 goes back to where the chain is fixed").arg(joint);
        }
        return ComparePanel::tr("%1: unknown stage").arg(joint);
    };
    const QString way = stage.row.isForward != 0 ? ComparePanel::tr("outward") : ComparePanel::tr("inward");
    return ComparePanel::tr("Pass %1, %2: %3").arg(stage.row.pass).arg(way, words());
}

ComparePanel::ComparePanel(Editor& editor, QWidget* parent) : QWidget(parent), m_editor(editor)
{
    setObjectName(QStringLiteral("comparePanel"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Theme::instance().px(2));
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    addHeader(*left);
    addTable(*left);
    addTransport(*left);
    addOptions(*left);
    row->addLayout(left);
    addPlot(*row);

    const auto follow = [this] {
        m_allFrames->setChecked(false); // its figures are of what was there before
        chooseHandle();
    };
    connect(&editor.selection(), &Selection::changed, this, &ComparePanel::chooseHandle);
    connect(&editor.document(), &EditorDocument::changed, this, follow);
    connect(&editor.document(), &EditorDocument::replaced, this, follow);
    connect(&editor.comparison(), &Comparison::recorded, this, &ComparePanel::refresh);
    connect(&editor.comparison(), &Comparison::choiceChanged, this, &ComparePanel::refresh);
    connect(&editor.comparison(), &Comparison::choiceChanged, this, [this] {
        const Handle* handle = m_editor.document().scene().find(m_editor.comparison().handle());
        if (m_allFrames->isChecked() && handle != nullptr &&
            m_clip->solvers() != m_editor.comparison().solversFor(*handle))
            m_clip->start();
    });
    connect(&editor.steps(), &StepPlayer::changed, this, &ComparePanel::refreshStep);
    connect(&editor.steps(), &StepPlayer::playingChanged, this, &ComparePanel::refreshStep);
    connect(&editor.stepDisplay(), &StepDisplay::changed, this, &ComparePanel::refreshOptions);
    connect(&Theme::instance(), &Theme::changed, this, &ComparePanel::refresh);
    setPace();
    chooseHandle();
    refresh();
}

void ComparePanel::addHeader(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.px(8), theme.px(2), theme.px(6), theme.px(2));
    row->setSpacing(theme.px(6));
    m_title = new ElidedLabel;
    m_title->setObjectName(QStringLiteral("compare.title"));
    m_title->setProperty("role", "heading");
    m_title->setFixedWidth(theme.px(kTitleWidth)); // whatever it says: what stands beside it stands still
    row->addWidget(m_title);
    m_allFrames = new QPushButton(tr("All frames"));
    m_allFrames->setObjectName(QStringLiteral("compare.all"));
    m_allFrames->setToolTip(tr("Solve every frame with each solver, and show errors and times over the whole clip"));
    m_allFrames->setCheckable(true);
    connect(m_allFrames, &QPushButton::toggled, this, [this](bool isOn) {
        m_tables->setCurrentIndex(isOn ? 1 : 0);
        isOn ? m_clip->start() : m_clip->stop();
        refreshHeader();
    });
    row->addWidget(m_allFrames);
    auto* save = new QPushButton(tr("Save CSV"));
    save->setObjectName(QStringLiteral("compare.save"));
    save->setToolTip(tr("Save what is shown as comma-separated values"));
    auto* menu = new QMenu(save);
    QAction* table = menu->addAction(tr("Table…"), this, [this] {
        const RecordingPtr recording = m_editor.comparison().recording();
        if (m_allFrames->isChecked())
            saveCsv(tr("all frames"), clipCsv(m_clip->scores()));
        else if (recording != nullptr)
            saveCsv(tr("comparison"), tableCsv(*recording, m_editor.comparison().frame()));
    });
    QAction* convergence = menu->addAction(tr("Convergence…"), this, [this] {
        if (const RecordingPtr recording = m_editor.comparison().recording())
            saveCsv(tr("convergence"), convergenceCsv(*recording));
    });
    QAction* stages = menu->addAction(tr("Stages…"), this, [this] {
        const RecordingPtr recording = m_editor.comparison().recording();
        const FramePtr frame = m_editor.frame();
        if (recording != nullptr && frame != nullptr && frame->rig != nullptr)
            saveCsv(tr("stages"), stagesCsv(*recording, *frame->rig));
    });
    stages->setToolTip(tr("Save every stage of every pass: candidates, their means, ellipses, positions"));
    menu->setToolTipsVisible(true);
    connect(menu, &QMenu::aboutToShow, this, [this, table, convergence, stages] {
        const bool isRecorded = m_editor.comparison().recording() != nullptr;
        table->setEnabled(m_allFrames->isChecked() ? !m_clip->scores().empty() : isRecorded);
        convergence->setEnabled(isRecorded);
        stages->setEnabled(m_editor.comparison().hasStages());
    });
    save->setMenu(menu);
    row->addWidget(save);
    m_solvers = new QPushButton(icon("add"), tr("Add a solver"));
    m_solvers->setObjectName(QStringLiteral("compare.solvers"));
    m_solvers->setToolTip(tr("Choose the solvers to compare with the handle's own"));
    m_solvers->setAccessibleName(tr("Add a solver"));
    m_solvers->setMenu(new QMenu(m_solvers));
    connect(m_solvers->menu(), &QMenu::aboutToShow, this, &ComparePanel::fillSolverMenu);
    row->addWidget(m_solvers);
    m_frame = new ElidedLabel;
    m_frame->setObjectName(QStringLiteral("compare.frame"));
    m_frame->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // it is cut before anything else
    row->addWidget(m_frame, 1);
    column.addLayout(row);
}

/// The words for the shown step, and below them what the view shows of the steps.
void ComparePanel::addOptions(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    m_step = new ElidedLabel;
    m_step->setObjectName(QStringLiteral("compare.step.text"));
    m_step->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_step->setContentsMargins(theme.px(8), 0, theme.px(8), theme.px(2));
    column.addWidget(m_step);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.px(8), 0, theme.px(8), theme.px(4));
    row->setSpacing(theme.px(10));
    const auto check = [&](const char* name, const QString& text, const QString& tip) {
        auto* box = new QCheckBox(text);
        box->setObjectName(QLatin1StringView(name));
        box->setToolTip(tip);
        row->addWidget(box);
        return box;
    };
    const auto edit = [this](auto change) {
        Comparison::View view = m_editor.comparison().view();
        change(view);
        m_editor.comparison().setView(view);
    };
    m_ghosts = check("compare.ghosts", tr("Ghosts"),
                     tr("Draw the other solvers' answers in the view, and the steps before the shown one"));
    connect(m_ghosts, &QCheckBox::toggled, this,
            [edit](bool isOn) { edit([isOn](Comparison::View& view) { view.hasGhosts = isOn; }); });
    m_stages = check("compare.stages", tr("Stages"), {});
    connect(m_stages, &QCheckBox::toggled, this, [this, edit](bool isOn) {
        edit([isOn](Comparison::View& view) { view.isStaged = isOn; });
        m_editor.steps().goTo(0);
    });
    m_eased = check("compare.eased", tr("Eased"),
                    tr("Move model and chain to the shown step within one second; also while the timeline plays"));
    connect(m_eased, &QCheckBox::toggled, &m_editor.stepDisplay(), &StepDisplay::setEased);
    m_playing = check("compare.playing", tr("Passes while playing"),
                      tr("While the timeline plays, show the solve so many passes further with each frame, not the "
                         "answer"));
    connect(m_playing, &QCheckBox::toggled, this,
            [edit](bool isOn) { edit([isOn](Comparison::View& view) { view.showsPasses = isOn; }); });
    m_nextEllipse = new QPushButton(tr("Next ellipse"));
    m_nextEllipse->setObjectName(QStringLiteral("compare.ellipse.next"));
    m_nextEllipse->setToolTip(tr("Go to the next stage at which limits move a joint"));
    connect(m_nextEllipse, &QPushButton::clicked, this, &ComparePanel::goToNextEllipse);
    row->addWidget(m_nextEllipse);
    row->addStretch(1);
    column.addLayout(row);
}

/// Among the stages behind the shown one, then from the start again.
void ComparePanel::goToNextEllipse()
{
    const SolverRecording* solver = m_editor.comparison().staged();
    if (solver == nullptr) return;
    const int count = static_cast<int>(solver->stages.size());
    for (int i = 1; i <= count; ++i) {
        const int step = (m_editor.steps().step() + i - 1) % count + 1;
        const auto ellipse = ellipseAtStage(*solver, static_cast<std::size_t>(step));
        if (ellipse && !ellipse->isMoved && !ellipse->isInside) return m_editor.steps().goTo(step);
    }
}

void ComparePanel::saveCsv(const QString& name, const std::string& text)
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save CSV"), name + QStringLiteral(".csv"),
                                                      tr("Comma-separated values (*.csv)"));
    if (path.isEmpty()) return;
    if (const auto written = writeBeside(m_editor.document().scene(), m_editor.document().path(), path.toStdString(),
                                         text);
        !written)
        emit m_editor.document().reported({{Severity::Error, written.error().message, written.error().where, 0}});
}

void ComparePanel::fillSolverMenu()
{
    QMenu& menu = *m_solvers->menu();
    menu.clear();
    menu.setToolTipsVisible(true);
    const std::vector<std::string>& chosen = m_editor.comparison().others();
    const Handle* handle = m_editor.document().scene().find(m_editor.comparison().handle());
    const SolverRegistry& solvers = m_editor.document().solvers();
    const SolverInfo* own = handle == nullptr ? nullptr : solvers.find(handle->solver);
    for (const SolverInfo& solver : solvers.solvers()) {
        if (own != nullptr && solver.id == own->id) continue;
        const bool needsCurve = solver.has("curve") && !solver.has("position-goal");
        if (handle != nullptr && (handle->hasCurve() ? !solver.has("curve") : needsCurve)) continue; // no such problem
        QAction* action = menu.addAction(QString::fromStdString(solver.name));
        action->setToolTip(aboutSolver(solver));
        action->setCheckable(true);
        action->setChecked(std::find(chosen.begin(), chosen.end(), solver.alias) != chosen.end());
        connect(action, &QAction::toggled, this, [this, alias = solver.alias](bool isOn) {
            std::vector<std::string> next = m_editor.comparison().others();
            std::erase(next, alias);
            if (isOn) next.push_back(alias);
            m_editor.comparison().setOthers(std::move(next));
        });
    }
}

void ComparePanel::addTable(QVBoxLayout& column)
{
    m_table = new QTreeWidget;
    m_table->setObjectName(QStringLiteral("compare.table"));
    m_table->setAccessibleName(tr("Compared solvers"));
    makeCompareTable(*m_table,
                     {tr("Solver"), tr("Step error"), tr("Rank"), tr("Goal error"), tr("Iterations"), tr("ms"),
                      tr("Max ms"), tr("Limit hits"), tr("Pull"), tr("Result")},
                     {{},
                      tr("The distance from the goal at the shown step"),
                      tr("Rank of the goals' Jacobian at the shown step, of its rows; below full rank some direction "
                         "cannot be moved"),
                      tr("The distance from the goal when the solver stopped"),
                      tr("Iterations until the solver stopped"),
                      tr("Median time in the solver over several solves"),
                      tr("Longest time in the solver over several solves"),
                      tr("Degrees of freedom that end at a limit, as in the figures of the view"),
                      tr("How hard the goal pulls on the pose (λ); a dash: the solver does not report it"),
                      tr("Why the solver stopped")});
    connect(m_table, &QTreeWidget::currentItemChanged, this, [this] {
        m_plot->setSolver(chosenRow());
        m_step->setText(stepText());
    });
    m_clip = new ClipTable(m_editor);
    connect(m_clip, &ClipTable::cancelled, m_allFrames, [this] { m_allFrames->setChecked(false); });
    m_tables = new QStackedWidget;
    m_tables->addWidget(m_table);
    m_tables->addWidget(m_clip);
    column.addWidget(m_tables, 1);
}

void ComparePanel::addTransport(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    StepPlayer& steps = m_editor.steps();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.px(6), theme.px(2), theme.px(6), theme.px(2));
    const auto button = [&](const char* name, const char* picture, const QString& tip, auto run) {
        QToolButton* made = pictureButton(QLatin1StringView(picture), tip);
        made->setObjectName(QLatin1StringView(name));
        connect(made, &QToolButton::clicked, this, run);
        row->addWidget(made);
        return made;
    };
    button("compare.first", "to-start", tr("Show where the solve starts"), [&steps] { steps.goTo(0); });
    button("compare.back", "step-back", tr("Step back"), [&steps] { steps.goTo(steps.step() - 1); });
    m_play = button("compare.play", "play", tr("Play the steps"),
                    [&steps] { steps.isPlaying() ? steps.stop() : steps.play(); });
    button("compare.step", "step-forward", tr("Step"), [&steps] { steps.goTo(steps.step() + 1); });
    button("compare.last", "to-end", tr("Show the answer"), [&steps] { steps.goTo(steps.last()); });
    m_slider = new QSlider(Qt::Horizontal);
    m_slider->setObjectName(QStringLiteral("compare.slider"));
    m_slider->setAccessibleName(tr("Shown step"));
    m_slider->setToolTip(tr("Choose the shown step"));
    connect(m_slider, &QSlider::valueChanged, &steps, &StepPlayer::goTo);
    m_pace = new ChoiceBox;
    m_pace->setObjectName(QStringLiteral("compare.pace"));
    m_pace->setAccessibleName(tr("Pace"));
    m_pace->setToolTip(tr("Choose how fast the steps play"));
    m_pace->addItems({tr("1 step per second"), tr("4 steps per second"), tr("With each frame")});
    connect(m_pace, &QComboBox::currentIndexChanged, this, &ComparePanel::setPace);
    row->addWidget(m_pace);
    m_passes = new QSpinBox;
    m_passes->setObjectName(QStringLiteral("compare.passes"));
    m_passes->setAccessibleName(tr("Passes per frame"));
    m_passes->setToolTip(tr("Set how many passes play with each frame"));
    m_passes->setRange(1, 100);
    m_passes->setSuffix(tr(" per frame"));
    connect(m_passes, &QSpinBox::valueChanged, this, &ComparePanel::setPace);
    row->addWidget(m_passes);
    row->addWidget(m_slider, 1); // last: it alone is longer or shorter with the table above
    column.addLayout(row);
}

void ComparePanel::addPlot(QHBoxLayout& row)
{
    const Theme& theme = Theme::instance();
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    auto* header = new QHBoxLayout;
    header->setContentsMargins(theme.px(8), theme.px(2), theme.px(6), theme.px(2));
    auto* title = new QLabel(QStringLiteral("<b>%1</b>").arg(tr("Convergence")));
    header->addWidget(title);
    header->addStretch(1);
    m_plot = new ConvergencePlot(m_editor);
    auto* quantity = new ChoiceBox;
    quantity->setObjectName(QStringLiteral("compare.quantity"));
    quantity->setAccessibleName(tr("Plotted quantity"));
    quantity->setToolTip(tr("Choose what the plot shows; singular values are those of the selected solver"));
    quantity->addItems({tr("Goal error"), tr("Singular values")});
    connect(quantity, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_plot->setQuantity(static_cast<ConvergencePlot::Quantity>(index)); });
    header->addWidget(quantity);
    column->addLayout(header);
    auto* plots = new QHBoxLayout;
    plots->setSpacing(theme.px(2));
    plots->addWidget(m_plot, 1);
    plots->addWidget(m_ellipse = new EllipsePlot(m_editor));
    column->addLayout(plots, 1);
    row.addLayout(column, 1); // it takes what the table leaves
}

/// The selected handle; without one, the handle before, or the first.
void ComparePanel::chooseHandle()
{
    const Scene& scene = m_editor.document().scene();
    const HandleId selected = m_editor.selection().active().handle();
    Comparison& comparison = m_editor.comparison();
    const HandleId before = comparison.handle();
    if (scene.find(selected) != nullptr)
        comparison.setHandle(selected);
    else if (scene.find(before) == nullptr)
        comparison.setHandle(scene.handles->empty() ? HandleId{} : scene.handles->front().id);
    if (comparison.handle() != before) m_allFrames->setChecked(false);
}

void ComparePanel::setPace()
{
    const double pace = kPaces[std::max(0, m_pace->currentIndex())];
    m_editor.steps().setPace(pace > 0 ? pace : m_editor.document().scene().fps.perSecond(),
                             pace > 0 ? 1 : m_passes->value());
    Comparison::View view = m_editor.comparison().view();
    view.passesPerFrame = m_passes->value();
    m_editor.comparison().setView(view);
}

void ComparePanel::refresh()
{
    const Comparison& comparison = m_editor.comparison();
    const Handle* handle = m_editor.document().scene().find(comparison.handle());
    const RecordingPtr recording = comparison.recording();
    if (handle == nullptr)
        m_title->setText(tr("Add a handle to watch its solver at work"));
    else
        m_title->setText(tr("Compare on %1").arg(QString::fromStdString(handle->name)));
    refreshHeader();
    refreshTable();
    refreshStep();
    fitCompareColumns(*m_table);
    m_tables->updateGeometry();
}

/// Beside the buttons: what the figures below are of.
void ComparePanel::refreshHeader()
{
    const Comparison& comparison = m_editor.comparison();
    const Scene& scene = m_editor.document().scene();
    const int shown = comparison.recording() == nullptr ? m_editor.shownFrame() : comparison.frame();
    m_frame->setText(scene.find(comparison.handle()) == nullptr ? QString()
                     : m_allFrames->isChecked()
                         ? tr("frames %1 to %2, each solver by itself").arg(scene.firstFrame).arg(scene.lastFrame)
                         : tr("frame %1, same start pose").arg(shown));
}

void ComparePanel::refreshTable()
{
    const int current = static_cast<int>(chosenRow());
    m_table->clear();
    const RecordingPtr recording = m_editor.comparison().recording();
    if (recording == nullptr) return;
    for (std::size_t i = 0; i < recording->solvers.size(); ++i) {
        const SolverRecording& solver = recording->solvers[i];
        QTreeWidgetItem* row = addCompareRow(*m_table, i, m_editor.document().solvers(), solver.solver);
        if (!solver.problem.empty()) {
            showProblem(*row, ResultColumn, solver.problem);
            continue;
        }
        row->setText(ErrorColumn, errorText(solver, solver.steps.back()));
        row->setText(IterationsColumn, QString::number(solver.result.iterations));
        row->setText(MedianColumn, millisecondsOf(solver.medianSeconds));
        row->setText(MaxColumn, millisecondsOf(solver.maxSeconds));
        row->setText(LimitsColumn, QString::number(solver.result.limitHits.size()));
        row->setText(PullColumn, solver.result.pull ? shortNumber(*solver.result.pull) : QStringLiteral("–"));
        row->setText(ResultColumn, QString::fromLatin1(statusName(solver.result)));
        row->setIcon(ResultColumn, iconOf(markOf(solver.result.status)));
    }
    m_table->setCurrentItem(m_table->topLevelItem(std::min(current, m_table->topLevelItemCount() - 1)));
}

std::size_t ComparePanel::chosenRow() const
{
    return static_cast<std::size_t>(std::max(0, m_table->indexOfTopLevelItem(m_table->currentItem())));
}

QString ComparePanel::stepText() const
{
    const Comparison& comparison = m_editor.comparison();
    const StepPlayer& steps = m_editor.steps();
    const RecordingPtr recording = comparison.recording();
    if (!comparison.problem().isEmpty()) return comparison.problem();
    if (recording == nullptr) return {};
    const QString easing = m_editor.stepDisplay().isDone() ? QString() : tr(" · easing");
    if (const SolverRecording* solver = comparison.stagedAt(steps.step())) {
        const int step = steps.step();
        if (step < 1) return tr("Start") + easing;
        const RecordedStage& stage = solver->stages[static_cast<std::size_t>(step) - 1];
        const FramePtr frame = m_editor.frame();
        const auto nameOf = [&](std::int32_t joint) {
            if (joint < 0 || frame == nullptr || frame->rig == nullptr) return tr("the end");
            return QString::fromStdString(
                frame->rig->authored[tendon::at(solver->joints[static_cast<std::size_t>(joint)])].name);
        };
        return stageText(stage, nameOf(stage.joint), nameOf(stage.limited)) + easing;
    }
    const SolverRecording& chosen = recording->solvers[std::min(chosenRow(), recording->solvers.size() - 1)];
    if (chosen.steps.empty()) return {};
    const int last = chosen.steps.back().iteration, iteration = comparison.iterationAt(steps.step());
    QString text = iteration == 0     ? tr("Start")
                   : iteration < last ? tr("Iteration %1 of %2").arg(iteration).arg(last)
                   : last == 0        ? tr("Done at once")
                                      : tr("Done: iteration %1 of %1").arg(last);
    text += easing;
    const SolveStep& shown = chosen.at(iteration);
    text += tr(" · error %1").arg(errorText(chosen, shown));
    if (chosen.goals.size() > 1) text += tr(" · total residual %1").arg(residualText(shown.total()));
    if (chosen.secondsPerIteration() > 0)
        text += tr(" · %1 ms per iteration").arg(millisecondsOf(chosen.secondsPerIteration()));
    if (shown.change > 0) text += tr(" · largest change %1").arg(shown.change, 0, 'g', 3);
    if (shown.damping >= 0) text += tr(" · damping %1").arg(shown.damping, 0, 'g', 3);
    if (chosen.isCut) text += tr(" · recording cut short");
    return text;
}

void ComparePanel::refreshStep()
{
    const StepPlayer& steps = m_editor.steps();
    const Comparison& comparison = m_editor.comparison();
    {
        const QSignalBlocker quiet(m_slider);
        m_slider->setRange(0, steps.last());
        m_slider->setValue(steps.step());
    }
    m_play->setIcon(icon(steps.isPlaying() ? "pause" : "play"));
    refreshOptions();
    const RecordingPtr recording = comparison.recording();
    if (recording == nullptr) return;
    const int iteration = comparison.iterationAt(steps.step());
    for (std::size_t i = 0; i < recording->solvers.size(); ++i) {
        QTreeWidgetItem* row = m_table->topLevelItem(static_cast<int>(i));
        const SolverRecording& solver = recording->solvers[i];
        if (row == nullptr || solver.steps.empty()) continue;
        const SolveStep& step = solver.at(iteration);
        row->setText(StepErrorColumn, errorText(solver, step));
        row->setText(RankColumn, tr("%1 of %2").arg(step.rank).arg(step.singularValues.size()));
    }
}

void ComparePanel::refreshOptions()
{
    const Comparison& comparison = m_editor.comparison();
    const auto show = [](QCheckBox* box, bool isOn) {
        const QSignalBlocker quiet(box);
        box->setChecked(isOn);
    };
    show(m_ghosts, comparison.view().hasGhosts);
    show(m_stages, comparison.view().isStaged);
    show(m_playing, comparison.view().showsPasses);
    show(m_eased, m_editor.stepDisplay().isEased());
    m_stages->setEnabled(comparison.hasStages());
    m_stages->setToolTip(comparison.hasStages()
                             ? tr("Step through the stages of each pass: candidates, means, ellipses")
                             : tr("None of these solvers records its stages; FABRIK does"));
    const SolverRecording* staged = comparison.staged();
    m_nextEllipse->setVisible(staged != nullptr && hasLimitingEllipse(*staged));
    m_step->setText(stepText());
}

void ComparePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_editor.comparison().setActive(true);
}

void ComparePanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_editor.comparison().setActive(false);
    m_editor.steps().stop();
    m_allFrames->setChecked(false);
}

} // namespace tendon::editor

#include "app/widgets/task/RigTask.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/Icons.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/Section.h"
#include "app/widgets/task/RigMarks.h"
#include "app/widgets/task/RigRows.h"
#include "app/widgets/task/RigTexts.h"
#include "app/widgets/task/RoleMenu.h"
#include "app/widgets/task/Tasks.h"
#include "core/document/RoleNaming.h"
#include "core/scene/Check.h"

#include <QCheckBox>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {
namespace {

constexpr int kGuessPatience = 25; // [ms] that the window waits for a guess that may be quick

constexpr RoleEvidence kEvidence[] = {RoleEvidence::Both, RoleEvidence::Names, RoleEvidence::Shape};

/// Whether two scenes have the same joints at the same places in the same tree.
bool isSameSkeleton(const Scene& one, const Scene& other)
{
    if (one.joints.isSame(other.joints)) return true;
    if (one.joints->size() != other.joints->size()) return false;
    auto joint = other.joints->begin();
    return std::all_of(one.joints->begin(), one.joints->end(), [&](const Joint& mine) {
        const Joint& theirs = *joint;
        ++joint;
        return mine.id == theirs.id && mine.parent == theirs.parent && mine.name == theirs.name &&
               mine.rest == theirs.rest;
    });
}

/// The name that the limb on the other side would have, whether or not it is a mirror image; "" = it is in the middle.
std::string otherSideOf(const Limb& limb)
{
    return limb.side == Side::Centre ? std::string() : mirroredRole(limb.name);
}

/// Whether a person should look at a limb: it is doubtful, or its handle cannot be made.
bool isToCheck(const RigGuess& guess, const Limb& limb)
{
    const LimbWithoutHandle* without = guess.withoutHandle(limb.name);
    return limb.isToCheck() || (without != nullptr && without->isRefused);
}

/// Empties a layout; the widgets are deleted when events are served, since one of them may be calling.
void emptyOut(QLayout& layout)
{
    while (QLayoutItem* item = layout.takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

} // namespace

RigTask::RigTask(MainWindow& window) : m_window(window)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildHead(*column);
    buildSections(*column);
    column->addStretch(1);
    RigChoices first;
    first.roles = *window.editor().document().scene().roles;
    m_choices = ChoiceHistory<RigChoices>(std::move(first));
    fillClips();
}

RigTask::~RigTask() = default;

void RigTask::buildHead(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    auto* head = new QFrame;
    head->setObjectName(QStringLiteral("dockTitle"));
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(theme.px(9), theme.px(5), theme.px(8), theme.px(5));
    row->setSpacing(theme.px(8));
    m_found = headingOf({});
    m_found->setObjectName(QStringLiteral("rig.found"));
    row->addWidget(m_found);
    m_toCheck = new QPushButton(icon(QStringLiteral("warning"), QStringLiteral("status.warn")), {});
    m_toCheck->setObjectName(QStringLiteral("rig.toCheck"));
    m_toCheck->setProperty("caution", true);
    m_toCheck->setToolTip(tr("Go to the next limb to check"));
    connect(m_toCheck, &QPushButton::clicked, this, &RigTask::goToFirstToCheck);
    m_toCheck->hide(); // nothing is known yet
    row->addWidget(m_toCheck);
    row->addStretch(1);
    m_swap = new QPushButton(icon(QStringLiteral("mirror")), ' ' + tr("Swap left and right"));
    m_swap->setObjectName(QStringLiteral("rig.swap"));
    m_swap->setToolTip(tr("Use this if the figure faces backwards, or if its sides are named as the viewer sees them"));
    connect(m_swap, &QPushButton::clicked, this, &RigTask::swapSides);
    row->addWidget(m_swap);
    m_by = new ChoiceBox;
    m_by->setObjectName(QStringLiteral("rig.by"));
    m_by->addItems({tr("Names and shape"), tr("Names only"), tr("Shape only")});
    m_by->setAccessibleName(tr("How limbs are found"));
    m_by->setToolTip(
        tr("Choose how limbs are found: by the names of joints, by the shape of the skeleton, or by both"));
    connect(m_by, &QComboBox::activated, this, [this](int index) {
        RigChoices next = m_choices.now();
        next.by = kEvidence[index];
        choose(std::move(next));
    });
    m_by->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // it is what can get narrower
    m_by->setMinimumWidth(theme.px(70));
    m_by->setMaximumWidth(theme.px(150));
    row->addWidget(m_by, 100);
    column.addWidget(head);

    m_state = new QFrame;
    m_state->setObjectName(QStringLiteral("rig.state"));
    auto* inside = new QHBoxLayout(m_state);
    inside->setContentsMargins(theme.px(10), theme.px(8), theme.px(10), theme.px(8));
    inside->setSpacing(theme.px(8));
    m_stateIcon = new QLabel;
    inside->addWidget(m_stateIcon, 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(theme.px(3));
    m_stateTitle = headingOf({});
    m_stateTitle->setObjectName(QStringLiteral("rig.stateTitle"));
    m_message = new QLabel;
    m_message->setObjectName(QStringLiteral("rig.message"));
    m_message->setWordWrap(true);
    m_remedy = new QPushButton;
    m_remedy->setObjectName(QStringLiteral("rig.remedy"));
    words->addWidget(m_stateTitle);
    words->addWidget(m_message);
    words->addWidget(m_remedy, 0, Qt::AlignLeft);
    inside->addLayout(words, 1);
    connect(m_remedy, &QPushButton::clicked, this, [this] {
        if (!m_isChanged) return pickLimb();
        // The choices stay, but for what was said of joints that may be gone.
        RigChoices next = m_choices.now();
        const Scene& scene = m_window.editor().document().scene();
        next.roles = *scene.roles;
        std::erase_if(next.decide, [&](const auto& entry) { return scene.find(entry.first) == nullptr; });
        m_choices = ChoiceHistory<RigChoices>(std::move(next));
        m_isChanged = false;
        lookAgain();
    });
    m_state->hide();
    column.addWidget(m_state);
}

void RigTask::buildSections(QVBoxLayout& column)
{
    m_limbArea = new QWidget;
    m_limbs = new QGridLayout(m_limbArea);
    m_limbs->setContentsMargins(0, 0, 0, 0);
    m_limbs->setSpacing(0);
    m_limbs->setColumnStretch(0, 1);
    m_limbs->setColumnStretch(1, 1);
    column.addWidget(m_limbArea);

    m_limits = new Section(tr("Limits and bends"));
    m_limits->body()->setContentsMargins(0, 0, 0, Theme::instance().px(6));
    m_limits->body()->setSpacing(0);
    m_setLimits = new QCheckBox;
    m_setLimits->setObjectName(QStringLiteral("rig.setLimits"));
    m_setLimits->setText(tr("Set them"));
    m_setLimits->setToolTip(tr("Set limits and preferred angles, or leave all joints as they are"));
    connect(m_setLimits, &QCheckBox::clicked, this, [this](bool isOn) {
        RigChoices next = m_choices.now();
        next.limits = isOn;
        choose(std::move(next));
    });
    m_limits->headerEnd()->addWidget(m_setLimits);
    auto* label = new QLabel(tr("Learn from"));
    label->setProperty("role", "label");
    m_limits->headerEnd()->addSpacing(Theme::instance().px(10));
    m_limits->headerEnd()->addWidget(label);
    m_learnFrom = new ChoiceBox;
    m_learnFrom->setObjectName(QStringLiteral("rig.learnFrom"));
    m_learnFrom->setAccessibleName(label->text());
    m_learnFrom->setToolTip(tr("Choose the clip that shows how far joints turn: its range without the outer 0.5 %, and "
                               "15 % more"));
    m_learnFrom->setMaximumWidth(Theme::instance().px(170));
    connect(m_learnFrom, &QComboBox::activated, this, [this](int index) {
        RigChoices next = m_choices.now();
        const qulonglong clip = m_learnFrom->itemData(index).toULongLong();
        const bool isAll = m_learnFrom->itemData(index, Qt::UserRole + 1).toBool();
        next.learnFrom = isAll ? std::nullopt : std::optional(ClipId{clip});
        choose(std::move(next));
    });
    m_limits->headerEnd()->addWidget(m_learnFrom);
    m_limits->hide();
    column.addWidget(m_limits);

    m_unknown = new Section(tr("Couldn’t tell"));
    m_unknown->body()->setContentsMargins(0, 0, 0, 0);
    m_unknown->body()->setSpacing(0);
    m_unknown->hide();
    column.addWidget(m_unknown);
}

/// Rest pose only, all clips, or one; with one clip, all is that one.
void RigTask::fillClips()
{
    const Scene& scene = m_window.editor().document().scene();
    m_learnFrom->clear();
    const auto add = [this](const QString& words, ClipId clip, bool isAll) {
        m_learnFrom->addItem(words, QVariant::fromValue<qulonglong>(clip.value));
        m_learnFrom->setItemData(m_learnFrom->count() - 1, isAll, Qt::UserRole + 1);
    };
    add(tr("Rest pose only"), {}, scene.clips.empty());
    if (scene.clips.size() > 1) add(tr("All clips"), {}, true);
    for (const Shared<Clip>& clip : scene.clips)
        add(tr("Clip %1").arg(QString::fromStdString(clip->name)), clip->id, scene.clips.size() == 1);
}

void RigTask::begin()
{
    Editor& editor = m_window.editor();
    editor.marks().setTakesClicks(true);
    connect(&editor.marks(), &Marks::jointClicked, this, &RigTask::say);
    connect(&editor.selection(), &Selection::hoverChanged, this, &RigTask::pointFromView);
    connect(&editor.document(), &EditorDocument::changed, this, &RigTask::noteDocument);
    lookAgain();
}

void RigTask::end()
{
    m_hasEnded = true;
    Editor& editor = m_window.editor();
    editor.marks().disconnect(this);
    editor.selection().disconnect(this);
    editor.document().disconnect(this);
    editor.marks().clear();
}

// What the dock says

QString RigTask::title() const { return tr("Rig it"); }

QString RigTask::subject() const
{
    const EditorDocument& document = m_window.editor().document();
    const auto joints = static_cast<int>(document.scene().joints->size());
    QString name = document.title();
    if (const QString ending = QStringLiteral(".tendon"); name.endsWith(ending)) name.chop(ending.size());
    return joints == 1 ? tr("%1, 1 joint").arg(name) : tr("%1, %2 joints").arg(name).arg(joints);
}

QString RigTask::note() const
{
    if (m_guess == nullptr) return {};
    return m_guess->seconds < 0.1 ? tr("%1 ms").arg(std::max(1, static_cast<int>(1000 * m_guess->seconds)))
                                  : tr("%1 s").arg(m_guess->seconds, 0, 'f', 1);
}

QString RigTask::hint() const
{
    return tr("<b>Point</b> at a line to light its chain · <b>Click</b> a joint to give it another role · <b>Ctrl "
              "Enter</b> makes the handles · <b>Esc</b> leaves");
}

QString RigTask::mainText() const { return tr("Make handles"); }

QString RigTask::outcome() const
{
    if (m_guess == nullptr || m_job != nullptr) return tr("Looking for limbs");
    if (m_outcome.ticked == 0) return tr("Nothing ticked");
    const auto handles = m_outcome.handles.size(), limits = m_outcome.limited.size();
    QStringList parts;
    const auto limbs = m_outcome.ticked;
    if (m_outcome.withoutHandle > 0) // the rows say which limbs get none, and why
        parts << (handles == 1 ? tr("1 handle for %1 limbs").arg(limbs)
                               : tr("%1 handles for %2 limbs").arg(handles).arg(limbs));
    else
        parts << (handles == 1 ? tr("1 handle") : tr("%1 handles").arg(handles));
    if (limits > 0) parts << (limits == 1 ? tr("1 limit") : tr("%1 limits").arg(limits));
    return tr("%1 · one undo step").arg(parts.join(QStringLiteral(", ")));
}

UserText RigTask::whyNot() const
{
    if (m_isRunning) return tr("The handles are being made");
    if (m_isChanged) return tr("The skeleton has changed. Look again");
    if (m_guess == nullptr || m_job != nullptr) return tr("Still looking for limbs");
    if (m_guess->roles.limbs.empty() && m_outcome.ticked == 0) return tr("No limbs found");
    if (m_outcome.ticked == 0) return tr("Tick at least one limb");
    if (m_outcome.handles.empty() && m_outcome.limited.empty() && m_outcome.preferred.empty())
        return tr("All these handles already exist");
    return QString();
}

void RigTask::run()
{
    if (!whyNot().isEmpty()) return;
    m_isRunning = true;
    emit changed();
    EditorDocument& document = m_window.editor().document();
    const QJsonObject operation = rigOperation(*m_guess, m_choices.now(), document.scene());
    (void)document.work().apply(operation, document.services(), [task = QPointer(this)](const Result<void>& done) {
        if (task == nullptr) return;
        task->m_isRunning = false;
        if (done)
            emit task->finished();
        else
            emit task->changed();
    });
}

QList<QWidget*> RigTask::rows() const
{
    QList<QWidget*> rows;
    for (const Line& line : m_lines) rows << line.row;
    return rows;
}

void RigTask::setCompact(bool isCompact)
{
    m_isCompact = isCompact;
    m_limits->setOpen(!isCompact);
    m_unknown->setOpen(!isCompact);
}

// Choices

void RigTask::choose(RigChoices next)
{
    const RigChoices before = m_choices.now();
    if (m_choices.choose(std::move(next))) follow(before);
}

void RigTask::undo()
{
    const RigChoices before = m_choices.now();
    m_choices.undo();
    follow(before);
}

void RigTask::redo()
{
    const RigChoices before = m_choices.now();
    m_choices.redo();
    follow(before);
}

void RigTask::follow(const RigChoices& before)
{
    if (!before.guessesAs(m_choices.now())) lookAgain();
    refresh();
}

void RigTask::tick(const Limb& limb, bool isTicked, bool alsoOther)
{
    RigChoices next = m_choices.now();
    next.ticks[limb.name] = isTicked;
    if (const std::string other = otherSideOf(limb); alsoOther && !other.empty()) next.ticks[other] = isTicked;
    choose(std::move(next));
    refresh(); // the box may have ticked itself without a change
}

void RigTask::swapSides()
{
    if (m_guess == nullptr) return;
    RigChoices next = m_choices.now();
    for (const auto& [role, joints] : m_guess->roles.map(kSureRole / 2))
        if (sideOfRole(role) != Side::Centre) next.roles.emplace(role, joints); // the others go on being guessed
    next.roles = swappedSides(next.roles);
    choose(std::move(next));
}

/// The joints of a limb by hand: they become links of one arm, which "This is…" then makes something else of.
void RigTask::pickLimb()
{
    m_window.pickChain([task = QPointer(this)](JointId start, JointId end) {
        if (task == nullptr) return;
        RigChoices next = task->m_choices.now();
        int number = 0;
        for (const JointId joint : chain(task->m_window.editor().document().scene(), start, end))
            assignRole(next.roles, "link" + std::to_string(++number), {joint});
        task->choose(std::move(next));
    });
}

void RigTask::say(JointId joint, const QPoint& at)
{
    if (m_guess == nullptr || m_isChanged) return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("rig.roles"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillRoleMenu(*menu, m_window.editor().document().scene(), m_guess->roles, joint, [this](const RoleMap& said) {
        RigChoices next = m_choices.now();
        for (const auto& [role, joints] : said) assignRole(next.roles, role, joints);
        choose(std::move(next));
    });
    menu->popup(at);
}

JointUse RigTask::useOf(const UnknownJoints& unknown) const
{
    const auto& decide = m_choices.now().decide;
    const auto said = decide.find(unknown.joints.front());
    return said == decide.end() ? unknown.use : said->second;
}

// Guessing

void RigTask::lookAgain()
{
    if (m_job != nullptr) {
        m_isStale = true;
        return;
    }
    m_isStale = false;
    const EditorDocument& document = m_window.editor().document();
    m_seen = std::make_shared<const Scene>(document.scene());
    const auto guess = std::make_shared<RigGuess>();
    const auto of = std::make_shared<const RigChoices>(m_choices.now());
    m_job = std::make_unique<Job>([guess, of, scene = m_seen, &solvers = document.solvers()](
                                      Job::Control&) { *guess = guessRig(*scene, solvers, *of); },
                                  [this, guess, of] { takeGuess(guess, *of); });
    (void)m_job->waitFor(kGuessPatience);
    if (m_job != nullptr) emit changed();
}

void RigTask::takeGuess(std::shared_ptr<const RigGuess> guess, const RigChoices& of)
{
    m_job.release()->deleteLater(); // it is what calls
    if (m_isStale || !of.guessesAs(m_choices.now())) return lookAgain();
    m_guess = std::move(guess);
    m_outcome = outcomeOf(*m_guess, of, *m_seen); // the former one was about the former guess
    rebuild();
    emit guessed();
}

void RigTask::noteDocument()
{
    const Scene& scene = m_window.editor().document().scene();
    if (m_seen == nullptr || m_isRunning) return;
    if (scene.clips.size() != m_seen->clips.size()) fillClips();
    if (!isSameSkeleton(*m_seen, scene) || !(scene.roles == m_seen->roles)) {
        m_isChanged = true;
        refresh();
    } else if (!scene.joints.isSame(m_seen->joints) || !(scene.handles == m_seen->handles)) {
        m_isChanged = false; // an undo may have brought the same one back
        lookAgain();
    } else if (m_isChanged) {
        m_isChanged = false;
        refresh();
    }
}

// Rows

void RigTask::rebuild()
{
    TaskDock* dock = m_window.tasks().dock();
    QWidget* focus = m_window.focusWidget();
    const bool hadFocus = dock != nullptr && dock->isAncestorOf(focus);
    const QString focused = focus == nullptr ? QString() : focus->objectName();
    m_lines.clear();
    m_limbRows.clear();
    m_limitRows.clear();
    m_unknownRows.clear();
    m_pointed = nullptr;
    emptyOut(*m_limbs);
    emptyOut(*m_limits->body());
    emptyOut(*m_unknown->body());
    addLimbs();
    addLimits();
    addUnknown();
    for (const Line& line : m_lines) {
        TaskRow* row = line.row;
        row->show(); // at once, so that it can have the focus
        connect(row, &TaskRow::pointedAt, this, [this, row](bool isIn) { point(row, isIn); });
        connect(row, &TaskRow::clicked, this, [this, row] {
            if (const Line* clicked = lineOf(row)) frame(*clicked);
        });
    }
    refresh();
    if (!hadFocus) return;
    // The row that had the focus has it again, the first one at first.
    const auto same = std::find_if(m_lines.begin(), m_lines.end(),
                                   [&](const Line& line) { return line.row->objectName() == focused; });
    if (same != m_lines.end())
        same->row->setFocus(Qt::OtherFocusReason);
    else if (focus == this || focused == QStringLiteral("task.main") || qobject_cast<TaskRow*>(focus) != nullptr)
        dock->takeFocus();
}

void RigTask::addLimbs()
{
    const Scene& scene = *m_seen;
    const std::vector<Limb>& limbs = m_guess->roles.limbs;
    int gridRow = 0;
    for (std::size_t i = 0; i < limbs.size(); ++i) {
        const Limb& limb = limbs[i];
        const LimbWithoutHandle* without = m_guess->withoutHandle(limb.name);
        auto* row = new LimbRow({.title = RigTexts::titleOf(limb),
                                 .chain = RigTexts::chainOf(scene, m_guess->roles, limb),
                                 .reason = QString::fromStdString(limb.reason),
                                 .parts = RigTexts::partsOf(limb.parts),
                                 .noHandle = without == nullptr ? QString() : RigTexts::noHandleOf(*without),
                                 .isRefused = without != nullptr && without->isRefused,
                                 .toDo = QString::fromStdString(limb.toDo)},
                                roleColourOf(limb.side), limb.confidence);
        const std::string other = otherSideOf(limb);
        const bool isSecond = i > 0 && limbs[i - 1].name == other;
        const bool isFirst = i + 1 < limbs.size() && limbs[i + 1].name == other;
        if (isSecond)
            m_limbs->addWidget(row, gridRow - 1, 1);
        else
            m_limbs->addWidget(row, gridRow++, 0, 1, isFirst ? 1 : 2);
        connect(row, &LimbRow::wanted, this, [this, name = limb.name](bool isTicked, bool alsoOther) {
            if (const Limb* wanted = m_guess->roles.limb(name)) tick(*wanted, isTicked, alsoOther);
        });
        m_limbRows[limb.name] = row;
        Line line{{limb.joints, limb.name}, row};
        if (m_guess->plan)
            for (const LimitGuess& limit : m_guess->plan->limits)
                if (!RigTexts::rangeOf(limit.joint).isEmpty() && limb.chains.empty() &&
                    std::find(limb.joints.begin(), limb.joints.end(), limit.joint.id) != limb.joints.end())
                    line.limited.push_back(limit.joint.id);
        m_lines.push_back(std::move(line));
    }
}

void RigTask::addLimits()
{
    std::vector<std::string> kinds;
    std::map<std::string, std::vector<const LimitGuess*>> byKind;
    if (m_guess->plan)
        for (const LimitGuess& limit : m_guess->plan->limits) {
            const std::string kind = jointKind(m_guess->roles, limit.joint.id);
            if (byKind[kind].empty()) kinds.push_back(kind);
            byKind[kind].push_back(&limit);
        }
    std::stable_partition(kinds.begin(), kinds.end(), [](const std::string& kind) { return !kind.empty(); });
    m_limits->setVisible(!kinds.empty());
    if (kinds.empty()) return;
    m_limits->body()->addWidget(LimitRow::header());
    for (const std::string& kind : kinds) {
        const std::vector<const LimitGuess*>& limits = byKind[kind];
        const auto plannedOf = [&](const LimitGuess& limit) -> const Joint& {
            for (const Joint& joint : m_guess->plan->joints)
                if (joint.id == limit.joint.id) return joint;
            return limit.joint;
        };
        const QString first = RigTexts::limitsOf(limits.front()->joint);
        const QString shown = RigTexts::shortLimitsOf(limits.front()->joint);
        bool isAlike = true;
        QStringList all;
        Line line;
        for (const LimitGuess* limit : limits) {
            isAlike &= RigTexts::limitsOf(limit->joint) == first;
            all << tr("%1: %2. %3")
                       .arg(QString::fromStdString(limit->joint.name), RigTexts::limitsOf(limit->joint),
                            QString::fromStdString(limit->reason));
            line.joints.push_back(limit->joint.id);
        }
        line.limited = line.joints;
        auto* row = new LimitRow({RigTexts::kindTitle(kind),
                                  isAlike || shown.endsWith(u'…') ? shown : shown + QStringLiteral(" …"),
                                  RigTexts::preferredOf(plannedOf(*limits.front())),
                                  QString::fromStdString(limits.front()->brief), all.join(u'\n')});
        connect(row, &LimitRow::wanted, this, [this, kind](bool isTicked) {
            RigChoices next = m_choices.now();
            if (isTicked)
                next.keptKinds.erase(kind);
            else
                next.keptKinds.insert(kind);
            choose(std::move(next));
        });
        m_limits->body()->addWidget(row);
        m_limitRows[kind] = row;
        line.row = row;
        m_lines.push_back(std::move(line));
    }
}

void RigTask::addUnknown()
{
    const std::vector<UnknownJoints>& unknown = m_guess->roles.unknown;
    m_unknown->setVisible(!unknown.empty());
    for (const UnknownJoints& joints : unknown) {
        auto* row = new UnknownRow(RigTexts::titleOf(*m_seen, joints), RigTexts::reasonOf(joints), useOf(joints));
        const JointId top = joints.joints.front();
        connect(row, &UnknownRow::wanted, this, [this, top](JointUse use) {
            RigChoices next = m_choices.now();
            next.decide[top] = use;
            choose(std::move(next));
        });
        m_unknown->body()->addWidget(row);
        m_unknownRows.emplace_back(top, row);
        m_lines.push_back({{joints.joints}, row});
    }
}

std::size_t RigTask::toCheck() const
{
    if (m_guess == nullptr) return 0;
    const std::vector<Limb>& limbs = m_guess->roles.limbs;
    return static_cast<std::size_t>(
               std::count_if(limbs.begin(), limbs.end(), [&](const Limb& limb) { return isToCheck(*m_guess, limb); })) +
           m_guess->roles.unknown.size();
}

/// What is ticked and what comes of it: all that does not need another guess.
void RigTask::refresh()
{
    const RigChoices& choices = m_choices.now();
    m_by->setCurrentIndex(
        static_cast<int>(std::find(std::begin(kEvidence), std::end(kEvidence), choices.by) - std::begin(kEvidence)));
    for (int i = 0; i < m_learnFrom->count(); ++i) {
        const bool isAll = m_learnFrom->itemData(i, Qt::UserRole + 1).toBool();
        if (choices.learnFrom ? !isAll && m_learnFrom->itemData(i).toULongLong() == choices.learnFrom->value : isAll)
            m_learnFrom->setCurrentIndex(i);
    }
    m_setLimits->setChecked(choices.limits);
    if (m_guess != nullptr) {
        m_outcome = outcomeOf(*m_guess, choices, m_window.editor().document().scene());
        for (const Limb& limb : m_guess->roles.limbs)
            if (const auto row = m_limbRows.find(limb.name); row != m_limbRows.end())
                row->second->setTicked(isTicked(choices, limb));
        for (const auto& [kind, row] : m_limitRows) {
            row->setTicked(choices.limits && choices.keptKinds.count(kind) == 0);
            row->setEnabled(choices.limits);
        }
        for (const UnknownJoints& unknown : m_guess->roles.unknown)
            for (const auto& [top, row] : m_unknownRows)
                if (top == unknown.joints.front()) row->setUse(useOf(unknown));
    }
    const std::size_t limbs = m_guess == nullptr ? 0 : m_guess->roles.limbs.size(), check = toCheck();
    m_found->setText(m_guess == nullptr ? QString()
                     : limbs == 0       ? tr("No limbs found")
                     : limbs == 1       ? tr("1 limb found")
                                        : tr("%1 limbs found").arg(limbs));
    m_toCheck->setVisible(check > 0 && limbs > 0);
    m_toCheck->setText(' ' + tr("%1 to check").arg(check));
    m_swap->setEnabled(limbs > 0);
    m_limits->setHint(m_isCompact ? QString::number(m_outcome.limited.size()) : QString());
    m_unknown->setHint(m_guess == nullptr ? QString() : QString::number(m_guess->roles.unknown.size()));

    const auto state = [this](const char* kind, const char* picture, const char* token, const QString& title,
                              const QString& text, const QString& remedy) {
        m_state->setProperty("message", QLatin1StringView(kind));
        m_state->style()->polish(m_state); // the property chooses the look
        m_stateIcon->setPixmap(iconPixmap(QLatin1StringView(picture), QLatin1StringView(token),
                                          Theme::instance().px(16), devicePixelRatioF()));
        m_stateIcon->setVisible(*picture != 0);
        m_stateTitle->setText(title);
        m_stateTitle->setVisible(!title.isEmpty());
        m_message->setText(text);
        m_message->setVisible(!text.isEmpty());
        m_remedy->setText(remedy);
        m_remedy->setVisible(!remedy.isEmpty());
        m_state->show();
    };
    if (m_isChanged)
        state("warn", "warning", "status.warn", {}, tr("The skeleton has changed."), tr("Look again"));
    else if (m_guess != nullptr && limbs == 0)
        state("", "warning", "status.warn", tr("No limbs found"), RigTexts::whyNone(*m_seen, m_guess->roles),
              tr("Pick a limb"));
    else if (m_guess != nullptr && m_outcome.present > 0)
        state("info", "info", "status.info", {},
              tr("%1 of %2 handles already exist and stay as they are")
                  .arg(m_outcome.present)
                  .arg(m_outcome.present + m_outcome.handles.size()),
              {});
    else if (m_guess != nullptr && m_guess->roles.areSidesSwapped)
        state("warn", "warning", "status.warn", {}, QString::fromStdString(sidesNote(m_guess->roles)), {});
    else
        m_state->hide();
    showMarks();
    emit changed();
}

void RigTask::goToFirstToCheck()
{
    QList<QWidget*> unsure;
    for (const Line& line : m_lines) {
        const Limb* limb = line.limb.empty() ? nullptr : m_guess->roles.limb(line.limb);
        if (limb != nullptr && isToCheck(*m_guess, *limb)) unsure << line.row;
    }
    if (!m_unknownRows.empty()) m_unknown->setOpen(true);
    for (const auto& [top, row] : m_unknownRows) unsure << row;
    if (unsure.isEmpty()) return;
    const qsizetype at = unsure.indexOf(m_window.focusWidget());
    QWidget* next = unsure[(at + 1) % unsure.size()];
    next->setFocus(Qt::TabFocusReason);
    if (TaskDock* dock = m_window.tasks().dock()) dock->reveal(*next);
}

// The view

const RigTask::Line* RigTask::lineOf(const TaskRow* row) const
{
    const auto found = std::find_if(m_lines.begin(), m_lines.end(), [&](const Line& line) { return line.row == row; });
    return found == m_lines.end() ? nullptr : &*found;
}

const RigTask::Line* RigTask::lineWith(JointId joint) const
{
    for (const Line& line : m_lines) {
        const bool isLimits = line.limb.empty() && !line.limited.empty();
        if (!isLimits && std::find(line.joints.begin(), line.joints.end(), joint) != line.joints.end()) return &line;
    }
    return nullptr;
}

void RigTask::point(const TaskRow* row, bool isIn)
{
    if (m_hasEnded) return;
    if (isIn)
        m_pointed = row;
    else if (m_pointed == row)
        m_pointed = qobject_cast<TaskRow*>(m_window.focusWidget());
    showMarks();
}

void RigTask::pointFromView()
{
    const JointId joint = m_window.editor().selection().hovered().joint();
    if (joint == m_pointedJoint) return;
    m_pointedJoint = joint;
    const Line* line = joint.isValid() ? lineWith(joint) : nullptr;
    for (const Line& each : m_lines) each.row->setLit(&each == line);
    if (TaskDock* dock = m_window.tasks().dock(); dock != nullptr && line != nullptr && line->row->isVisible())
        dock->reveal(*line->row);
    showMarks();
}

void RigTask::frame(const Line& line)
{
    std::vector<SelectionItem> items;
    for (const JointId joint : line.joints) items.push_back(SelectionItem::of(joint));
    m_window.editor().selection().select(std::move(items));
    m_window.viewport().frameSelected();
}

void RigTask::showMarks()
{
    if (m_hasEnded) return;
    Marks& marks = m_window.editor().marks();
    if (m_guess == nullptr || m_isChanged) return marks.set({});
    const Line* line = m_pointedJoint.isValid() ? lineWith(m_pointedJoint) : lineOf(m_pointed);
    marks.set(rigMarks(*m_seen, *m_guess, m_outcome, line));
}

} // namespace tendon::editor

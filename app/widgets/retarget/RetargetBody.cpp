#include "app/widgets/retarget/RetargetBody.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/Icons.h"
#include "app/widgets/IssueRows.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/OperationFields.h"
#include "app/widgets/SaveFileDialog.h"
#include "app/widgets/Section.h"
#include "app/widgets/SegmentBar.h"
#include "app/widgets/ShrinkingRow.h"
#include "app/widgets/retarget/PairTable.h"
#include "app/widgets/retarget/RetargetMessages.h"
#include "core/document/RetargetJob.h"
#include "core/io/base/FileStage.h"
#include "core/io/project/RoleMapFile.h"
#include "core/roles/RoleNames.h"
#include "core/scene/Check.h"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace tendon::editor {
namespace {

const char* const kLoadMap = "load"; // data of the choice that asks for a file

std::vector<std::string> mapFoldersFor(const RetargetSource& source, const EditorDocument& document)
{
    std::vector<std::string> folders;
    for (const std::string& file : {source.file, document.path()})
        if (!file.empty()) folders.push_back(QFileInfo(QString::fromStdString(file)).absolutePath().toStdString());
    folders.push_back(RetargetBody::mapsFolder().toStdString());
    return folders;
}

} // namespace

RetargetBody::RetargetBody(Editor& editor, RetargetSource source, std::function<void()> frameAll, QWidget* parent)
    : TaskBody(parent), m_editor(editor), m_task(editor, source, mapFoldersFor(source, editor.document())),
      m_history(m_task.choices()), m_frameAll(std::move(frameAll))
{
    setObjectName(QStringLiteral("retarget"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    addTop(*column);
    m_messages = new QVBoxLayout;
    m_messages->setContentsMargins(0, 0, 0, 0);
    m_messages->setSpacing(Theme::instance().px(8));
    column->addLayout(m_messages);
    addTable(*column);
    addRestPose(*column);
    addRoot(*column);
    column->addStretch(1);
    connect(&m_task, &RetargetTask::previewChanged, this, &RetargetBody::refresh);
    connect(&m_task, &RetargetTask::choicesChanged, this, &RetargetBody::showChoices);
    connect(&m_task, &RetargetTask::lookChanged, this, &RetargetBody::showChoices);
    connect(&m_task, &RetargetTask::rowPointedAt, m_table, &PairTable::light);
    connect(&m_task, &RetargetTask::rolePicked, this, [this](const std::string& role, JointId joint, bool isAlone) {
        choose(m_task.withRole(role, joint, isAlone));
    });
    connect(&m_task, &RetargetTask::pairRefused, this, [this](const QString& joint) {
        emit m_editor.document().reported(
            {{Severity::Info,
              tr("has no role, so no joint of the motion can be paired with it; Rig It… gives joints their roles")
                  .toStdString(),
              joint.toStdString(), 0}});
    });
    showChoices();
    refresh();
}

QString RetargetBody::mapsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/maps");
}

void RetargetBody::addTop(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    auto* top = new QWidget;
    auto* row = new QHBoxLayout(top);
    row->setContentsMargins(theme.px(8), theme.px(8), theme.px(8), theme.px(6));
    row->setSpacing(theme.px(6));
    const auto add = [&](const QString& label, const char* name, const QString& tip) {
        auto* words = new QLabel(label);
        words->setProperty("role", "label");
        row->addWidget(words);
        auto* box = new ChoiceBox;
        box->setObjectName(QLatin1StringView(name));
        box->setAccessibleName(label);
        box->setToolTip(tip);
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        box->setMinimumWidth(theme.px(90));
        row->addWidget(box, 1);
        return box;
    };
    m_clip = add(tr("Clip"), "retarget.clip", tr("Choose the clip of the motion, or all of them"));
    const std::vector<std::string> clips = m_task.source().clips();
    for (const std::string& name : clips) {
        const Clip* clip = m_task.motion().clipNamed(name);
        const FrameRate fps = retargetedRate(m_editor.document().scene(), m_task.motion()); // as the timeline has it
        const int frames = clip == nullptr ? 0
                                           : static_cast<int>(std::ceil(fps.frameAt(clip->end()) - 1e-3) -
                                                              std::floor(fps.frameAt(clip->begin()) + 1e-3)) +
                                                 1;
        const QString words = name.empty() ? QString::fromStdString(m_task.source().name())
                                           : QString::fromStdString(name);
        m_clip->addItem((frames == 1 ? tr("%1, 1 frame") : tr("%1, %n frames", nullptr, frames)).arg(words),
                        QString::fromStdString(name));
    }
    if (clips.size() > 1) m_clip->addItem(tr("All %1").arg(clips.size()));
    connect(m_clip, &QComboBox::activated, this, [this, clips](int index) {
        edit([&](RetargetChoices& next) {
            next.takesAll = static_cast<std::size_t>(index) >= clips.size();
            next.clip = next.takesAll ? clips.front() : clips[static_cast<std::size_t>(index)];
        });
    });
    m_map = add(tr("Map"), "retarget.map", tr("Choose what says which joint of the motion is which"));
    connect(m_map, &QComboBox::activated, this, &RetargetBody::useMap);
    m_saveMap = new QPushButton(icon("save", "text.primary"), tr(" Save map…"));
    m_saveMap->setObjectName(QStringLiteral("retarget.saveMap"));
    m_saveMap->setToolTip(tr("Save which joint of the motion is which; the next motion with these joints uses it"));
    connect(m_saveMap, &QPushButton::clicked, this, &RetargetBody::saveMap);
    row->addWidget(m_saveMap);
    new ShrinkingRow(*top,
                     [this, row] {
                         int wanted = row->sizeHint().width();
                         for (QComboBox* box : {m_clip, m_map}) {
                             const int own = box->sizeHint().width();
                             wanted += std::max(0, own - box->minimumWidth());
                             row->setStretchFactor(box, own); // what one does not need the other has
                         }
                         return wanted;
                     },
                     {[this](bool isShort) { m_saveMap->setText(isShort ? QString() : tr(" Save map…")); }});
    m_saveMap->setAccessibleName(tr("Save map…"));
    column.addWidget(top);
    column.addWidget(separatorLine());

    auto* look = new QHBoxLayout;
    look->setContentsMargins(theme.px(8), theme.px(6), theme.px(8), 0);
    look->setSpacing(theme.px(8));
    m_pose = new SegmentBar(tr("Shown pose"),
                            {{tr("Motion"), tr("Show both figures in the motion")},
                             {tr("Rest poses"), tr("Show the poses that both figures start from")}},
                            false);
    m_pose->setObjectName(QStringLiteral("retarget.pose"));
    connect(m_pose, &SegmentBar::chosen, this, [this](int index) {
        RetargetLook next = m_task.look();
        next.isAtRest = index == 1;
        m_task.setLook(next);
    });
    m_place = new SegmentBar(tr("Place of the motion's figure"),
                             {{tr("Side by side"), tr("Show the motion's figure beside the character")},
                              {tr("On top"), tr("Show the motion's figure where the character is")}},
                             false);
    m_place->setObjectName(QStringLiteral("retarget.place"));
    connect(m_place, &SegmentBar::chosen, this, [this](int index) {
        RetargetLook next = m_task.look();
        next.isOnTop = index == 1;
        m_task.setLook(next);
        if (m_frameAll) m_frameAll();
    });
    look->addWidget(m_pose);
    look->addWidget(m_place);
    look->addStretch(1);
    column.addLayout(look);
}

void RetargetBody::addTable(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.px(8), theme.px(6), theme.px(8), theme.px(6));
    row->setSpacing(theme.px(8));
    m_matched = new QLabel;
    m_matched->setObjectName(QStringLiteral("retarget.matched"));
    m_matched->setProperty("role", "heading");
    m_toCheck = new QPushButton(icon("warning", "status.warn"), {});
    m_toCheck->setObjectName(QStringLiteral("retarget.toCheck"));
    m_toCheck->setProperty("caution", true);
    m_toCheck->setToolTip(tr("Show only the roles to check"));
    connect(m_toCheck, &QPushButton::clicked, this, &RetargetBody::showToCheck);
    m_isSure = new QLabel(tr("nothing to check"));
    m_isSure->setObjectName(QStringLiteral("retarget.isSure"));
    m_isSure->setProperty("role", "label");
    for (QWidget* one : {static_cast<QWidget*>(m_toCheck), static_cast<QWidget*>(m_isSure)}) one->hide();
    row->addWidget(m_matched);
    row->addWidget(m_toCheck);
    row->addWidget(m_isSure);
    row->addStretch(1);
    m_filter = new SegmentBar(tr("Rows"),
                              {{tr("All"), tr("Show all roles but the fingers")},
                               {tr("To check"), tr("Show only the roles to check")},
                               {tr("Fingers"), tr("Show the fingers")}},
                              false);
    m_filter->setObjectName(QStringLiteral("retarget.filter"));
    row->addWidget(m_filter);
    column.addLayout(row);
    m_oneSided = new QLabel;
    m_oneSided->setObjectName(QStringLiteral("retarget.oneSided"));
    m_oneSided->setProperty("role", "hint");
    m_oneSided->setWordWrap(true);
    m_oneSided->setContentsMargins(theme.px(8), 0, theme.px(8), theme.px(6));
    m_same = new QLabel(tr("Same skeleton, nothing to map"));
    m_same->setObjectName(QStringLiteral("retarget.same"));
    m_same->setProperty("role", "label");
    m_same->setContentsMargins(theme.px(8), 0, theme.px(8), theme.px(8));
    m_same->hide();
    column.addWidget(m_same);
    m_table = new PairTable(m_task);
    m_table->setObjectName(QStringLiteral("retarget.table"));
    column.addWidget(m_table);
    column.addWidget(m_oneSided);
    connect(m_filter, &SegmentBar::chosen, this, [this](int index) {
        m_table->setFilter(static_cast<PairTable::Filter>(index));
        refresh();
    });
    connect(m_table, &PairTable::playWanted, &m_editor, &Editor::togglePlayback);
    connect(m_table, &PairTable::roleChosen, this,
            [this](const std::string& role, JointId joint) { choose(m_task.withRole(role, joint, false)); });
}

void RetargetBody::showToCheck()
{
    m_filter->setCurrent(1);
    m_table->setFilter(PairTable::Filter::ToCheck);
    refresh();
    for (QWidget* row : m_table->rows())
        if (!row->isHidden()) return row->setFocus(Qt::OtherFocusReason);
}

void RetargetBody::addRestPose(QVBoxLayout& column)
{
    m_restSection = new Section(tr("Rest pose"));
    m_restSection->setObjectName(QStringLiteral("retarget.restPose"));
    m_align = new SegmentBar(
        tr("Align"),
        {{tr("By bone directions"), tr("Bones of the character take the directions of the motion's")},
         {tr("This frame is the T-pose"), tr("Take the pose of the motion at the current frame for its T-pose")},
         {tr("As it is"), tr("The two rest poses correspond to each other as they are")}},
        true);
    m_align->setObjectName(QStringLiteral("retarget.align"));
    addRow(m_restSection->body(), tr("Align"), {m_align});
    connect(m_align, &SegmentBar::chosen, this, [this](int index) {
        edit([&](RetargetChoices& next) {
            next.align = index == 1 ? RestAlign::Frame : index == 2 ? RestAlign::Rest : RestAlign::Directions;
            const Time now = m_editor.shown().now().fps.timeOf(m_editor.shownFrame());
            if (index == 1) next.frame = std::round(m_task.motion().fps.frameAt(now));
        });
    });
    m_spread = new NumberField(
        {.decimals = 1, .unit = QStringLiteral("°"), .step = 0.2, .minimum = -90, .maximum = 90});
    m_spread->setObjectName(QStringLiteral("retarget.armSpread"));
    addRow(m_restSection->body(), tr("Arm spread"), {m_spread}, fieldHelp("retarget", "armSpread"));
    connect(m_spread, &NumberField::entered, this,
            [this](const NumberEdit& value) { edit([&](RetargetChoices& next) { next.armSpread = value; }); });
    connect(m_spread, &NumberField::dragged, this, [this](double value) {
        RetargetChoices next = m_task.choices();
        next.armSpread = value;
        m_task.choose(next); // one step, at its end
    });
    connect(m_spread, &NumberField::dragEnded, this, [this](bool isKept) {
        if (isKept)
            choose(m_task.choices());
        else
            m_task.choose(m_history.now());
    });
    column.addWidget(m_restSection);
}

void RetargetBody::addRoot(QVBoxLayout& column)
{
    const Theme& theme = Theme::instance();
    m_rootSection = new Section(tr("Root motion and size"));
    m_rootSection->setObjectName(QStringLiteral("retarget.rootMotion"));
    QVBoxLayout* body = m_rootSection->body();
    m_root = new SegmentBar(
        tr("Root motion"),
        {{tr("Travels"), tr("The hips move through the world, as recorded")},
         {tr("In place"), tr("Forward and sideways travel is removed; height stays")},
         {tr("On a root bone"), tr("Travel goes to a joint at the floor, for engines that want root motion")}},
        true);
    m_root->setObjectName(QStringLiteral("retarget.root"));
    addRow(body, tr("Root motion"), {m_root});
    connect(m_root, &SegmentBar::chosen, this, [this](int index) {
        edit([&](RetargetChoices& next) {
            next.travel = index == 1 ? RootTravel::InPlace : index == 2 ? RootTravel::Bone : RootTravel::Travels;
            next.turns = next.travel == RootTravel::Bone;
        });
    });
    m_rootBone = new ChoiceBox;
    m_rootBone->setObjectName(QStringLiteral("retarget.rootBone"));
    m_rootBone->setToolTip(fieldHelp("retarget", "rootBone"));
    m_turns = new QCheckBox(tr("Turns too"));
    m_turns->setObjectName(QStringLiteral("retarget.turns"));
    m_turns->setToolTip(tr("Turning goes with the travel"));
    m_rootRow = new QWidget;
    auto* line = new QHBoxLayout(m_rootRow);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(theme.px(8));
    line->addWidget(m_rootBone, 1);
    line->addWidget(m_turns);
    addRow(body, QString(), {m_rootRow});
    m_rootBone->setAccessibleName(tr("Root bone"));
    connect(m_rootBone, &QComboBox::activated, this, [this](int index) {
        edit([&](RetargetChoices& next) { next.rootBone = m_rootBone->itemData(index).toString().toStdString(); });
    });
    connect(m_turns, &QCheckBox::clicked, this,
            [this](bool on) { edit([&](RetargetChoices& next) { next.turns = on; }); });

    m_scale = new NumberField(
        {.decimals = 2, .unit = QStringLiteral("×"), .step = 0.01, .minimum = 0, .maximum = 1000});
    m_scale->setObjectName(QStringLiteral("retarget.scale"));
    m_scale->setMaximumWidth(theme.px(80));
    m_auto = new QCheckBox(tr("Auto"));
    m_auto->setObjectName(QStringLiteral("retarget.autoScale"));
    m_auto->setToolTip(tr("Scale the travel by the length of the legs"));
    m_size = new QLabel;
    m_size->setObjectName(QStringLiteral("retarget.legs"));
    m_size->setProperty("role", "hint");
    m_size->setWordWrap(true);
    m_size->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    addRow(body, tr("Scale"), {m_scale, m_auto, m_size}, fieldHelp("retarget", "scale"));
    connect(m_scale, &NumberField::entered, this,
            [this](const NumberEdit& value) { edit([&](RetargetChoices& next) { next.scale = value; }); });
    connect(m_scale, &NumberField::dragged, this, [this](double value) {
        RetargetChoices next = m_task.choices();
        next.scale = value;
        m_task.choose(next);
    });
    connect(m_scale, &NumberField::dragEnded, this, [this](bool isKept) {
        if (isKept)
            choose(m_task.choices());
        else
            m_task.choose(m_history.now());
    });
    connect(m_auto, &QCheckBox::clicked, this, [this](bool on) {
        edit([&](RetargetChoices& next) {
            next.scale = on ? std::nullopt : std::optional(m_task.preview() ? m_task.preview()->facts.scale : 1.0);
        });
    });
    m_handReach = new QCheckBox(tr("Hand reach"));
    m_handReach->setObjectName(QStringLiteral("retarget.handReach"));
    m_handReach->setToolTip(tr("Hands keep their distance to each other and to the body, scaled by arm length"));
    connect(m_handReach, &QCheckBox::clicked, this,
            [this](bool on) { edit([&](RetargetChoices& next) { next.handReach = on; }); });
    m_fingers = new QCheckBox(tr("Fingers"));
    m_fingers->setObjectName(QStringLiteral("retarget.fingers"));
    m_fingers->setToolTip(tr("Fingers move as in the motion; without this they follow the hand"));
    connect(m_fingers, &QCheckBox::clicked, this, &RetargetBody::useFingers);
    m_keepLimits = new QCheckBox(tr("Keep limits"));
    m_keepLimits->setObjectName(QStringLiteral("retarget.keepLimits"));
    m_keepLimits->setToolTip(tr("Joints stop at the character's limits; without this the motion may pass them"));
    connect(m_keepLimits, &QCheckBox::clicked, this,
            [this](bool on) { edit([&](RetargetChoices& next) { next.keepsLimits = on; }); });
    auto* filler = new QWidget;
    addRow(body, tr("Bring along"), {m_handReach, m_fingers, m_keepLimits, filler});
    addKeys(body);
    column.addWidget(m_rootSection);
}

/// Where the project has other frames than the motion: whether keys may stand between them.
void RetargetBody::addKeys(QVBoxLayout* body)
{
    const double own = retargetedRate(m_editor.document().scene(), m_task.motion()).perSecond(),
                 motion = m_task.motion().fps.perSecond();
    m_onFrames = new QCheckBox(tr("On the project’s frames only (%1 fps)").arg(own, 0, 'g', 5));
    m_onFrames->setObjectName(QStringLiteral("retarget.onFrames"));
    m_onFrames->setToolTip(
        tr("The motion has %1 frames a second. Without this, keys stand between the project’s frames")
            .arg(motion, 0, 'g', 5));
    connect(m_onFrames, &QCheckBox::clicked, this,
            [this](bool on) { edit([&](RetargetChoices& next) { next.onFrames = on; }); });
    if (own == motion) {
        m_onFrames->setParent(this);
        m_onFrames->hide();
    } else {
        addRow(body, tr("Keys"), {m_onFrames, new QWidget});
    }
}

// ---- what the dock asks ----

QString RetargetBody::subject() const
{
    return tr("%1 onto %2").arg(QString::fromStdString(m_task.source().name()), m_task.characterName());
}

QString RetargetBody::hint() const
{
    return tr("<b>Click</b> a joint on each figure to pair them · <b>Space</b> plays · <b>Ctrl Enter</b> applies · "
              "<b>Esc</b> leaves · nothing has changed yet");
}

QString RetargetBody::outcome() const
{
    const RetargetPreviewPtr& preview = m_task.preview();
    if (preview == nullptr) return tr("Comparing the two skeletons…");
    const int open = preview->count.all - preview->count.matched;
    if (!preview->isEnough) return open == 1 ? tr("1 role is open") : tr("%n roles are open", nullptr, open);
    if (m_task.choices().takesAll)
        return tr("%n new clips · one undo step", nullptr, static_cast<int>(m_task.source().clips().size()));
    if (preview->clipName.empty()) return m_task.isWorking() ? tr("Retargeting…") : tr("There is nothing to retarget");
    return tr("New clip “%1” · one undo step").arg(QString::fromStdString(preview->clipName));
}

UserText RetargetBody::whyNot() const
{
    const RetargetPreviewPtr& preview = m_task.preview();
    if (preview == nullptr) return tr("The two skeletons are still being compared");
    if (m_task.isWorking()) return {}; // Apply works it out by itself
    return QString::fromStdString(preview->error);
}

void RetargetBody::run()
{
    if (!whyNot().isEmpty()) return;
    EditorDocument& document = m_editor.document();
    (void)document.work().apply(m_task.operation(), m_task.services(),
                                [body = QPointer(this)](const Result<void>& done) {
                                    if (!done || body == nullptr) return;
                                    body->m_task.keepFrame();
                                    emit body->finished();
                                });
}

void RetargetBody::undo()
{
    m_history.undo();
    m_task.choose(m_history.now());
    emit changed();
}

void RetargetBody::redo()
{
    m_history.redo();
    m_task.choose(m_history.now());
    emit changed();
}

QList<QWidget*> RetargetBody::rows() const { return m_table->rows(); }

void RetargetBody::setCompact(bool isCompact)
{
    m_restSection->setOpen(!isCompact);
    m_rootSection->setOpen(!isCompact);
}

void RetargetBody::showSource(bool isSource)
{
    RetargetLook next = m_task.look();
    next.isSource = isSource;
    m_task.setLook(next);
}

// ---- choices ----

void RetargetBody::choose(const RetargetChoices& choices)
{
    m_history.choose(choices);
    m_task.choose(choices);
    emit changed();
}

void RetargetBody::useFingers(bool on)
{
    edit([&](RetargetChoices& next) {
        std::erase_if(next.roles, [](const auto& said) { return isFingerRole(said.first); });
        if (on || m_task.preview() == nullptr) return;
        for (const auto& [role, joints] : m_task.preview()->character.roles)
            if (isFingerRole(role)) next.roles[role] = {};
    });
}

void RetargetBody::useMap(int index)
{
    const QString chosen = m_map->itemData(index).toString();
    if (chosen == QLatin1StringView(kLoadMap)) return loadMap();
    edit([&](RetargetChoices& next) {
        next.map = chosen.toStdString();
        next.roles.clear();
    });
}

void RetargetBody::loadMap()
{
    showMaps(); // the box shows what is used, not the question
    const QString path = QFileDialog::getOpenFileName(this, tr("Load map"), mapsFolder(),
                                                      tr("Maps of roles (*.tendonmap)"));
    if (path.isEmpty()) return;
    edit([&](RetargetChoices& next) {
        next.map = QFileInfo(path).absoluteFilePath().toStdString();
        next.roles.clear();
    });
}

void RetargetBody::saveMap()
{
    const RetargetPreviewPtr& preview = m_task.preview();
    if (preview == nullptr) return;
    QDir().mkpath(mapsFolder());
    const QString usual = QStringLiteral("%1/%2.tendonmap")
                              .arg(mapsFolder(),
                                   QFileInfo(QString::fromStdString(m_task.source().name())).completeBaseName());
    RoleMapFile map = roleMapFile(m_task.motion(), preview->motion.roles);
    const RetargetChoices& choices = m_task.choices();
    map.align = choices.align == RestAlign::Frame ? "frame" : choices.align == RestAlign::Rest ? "rest" : "directions";
    map.frame = choices.frame;
    map.armSpread = choices.armSpread;
    SaveFileDialog dialog(this, tr("Save map"), usual, tr("Maps of roles (*.tendonmap)"), QStringLiteral("tendonmap"),
                          [&map](const QString& path) -> Result<void> {
                              FileStage stage;
                              if (const auto staged = writeRoleMap(map, path.toStdString(), stage); !staged)
                                  return staged;
                              return stage.commit();
                          });
    const QString path = dialog.ask();
    if (path.isEmpty()) return;
    emit m_editor.document().reported(
        {{Severity::Info, tr("saved; the next motion with these joints uses it").toStdString(),
          QFileInfo(path).fileName().toStdString(), 0}});
}

// ---- showing ----

void RetargetBody::showMaps()
{
    const QSignalBlocker blocker(m_map);
    m_map->clear();
    m_map->addItem(tr("Guessed from names"), QString());
    QStringList maps;
    if (m_task.preview() != nullptr)
        for (const std::string& map : m_task.preview()->sides->maps) maps << QString::fromStdString(map);
    const QString used = QString::fromStdString(m_task.choices().map);
    if (!used.isEmpty() && !maps.contains(used)) maps << used;
    for (const QString& map : maps) m_map->addItem(QFileInfo(map).fileName(), map);
    m_map->addItem(tr("Load map…"), QString::fromLatin1(kLoadMap));
    m_map->setCurrentIndex(std::max(0, m_map->findData(used)));
}

void RetargetBody::showRootBones()
{
    const QSignalBlocker blocker(m_rootBone);
    m_rootBone->clear();
    if (m_task.preview() == nullptr) return;
    const Scene& scene = m_task.character();
    const RoleMap& roles = m_task.preview()->character.roles;
    const Joint* hips = scene.find(jointOf(roles, "hips"));
    const QString usual = QString::fromStdString(rootBoneFor(scene, roles));
    QStringList above;
    for (const Joint* joint = hips == nullptr ? nullptr : scene.find(hips->parent); joint != nullptr;
         joint = scene.find(joint->parent))
        above.prepend(QString::fromStdString(findableName(scene, joint->id)));
    for (const QString& name : above) m_rootBone->addItem(name, name);
    QString fresh = QStringLiteral("root");
    for (int i = 2; scene.jointNamed(fresh.toStdString()); ++i) fresh = QStringLiteral("root%1").arg(i);
    m_rootBone->addItem(tr("New: %1").arg(fresh), fresh);
    const QString chosen = m_task.choices().rootBone.empty() ? usual
                                                             : QString::fromStdString(m_task.choices().rootBone);
    m_rootBone->setCurrentIndex(std::max(0, m_rootBone->findData(chosen)));
}

void RetargetBody::showChoices()
{
    const RetargetChoices& now = m_task.choices();
    {
        const QSignalBlocker blocker(m_clip);
        m_clip->setCurrentIndex(now.takesAll ? m_clip->count() - 1
                                             : std::max(0, m_clip->findData(QString::fromStdString(now.clip))));
    }
    showMaps();
    m_pose->setCurrent(m_task.look().isAtRest ? 1 : 0);
    m_place->setCurrent(m_task.look().isOnTop ? 1 : 0);
    m_align->setCurrent(now.align == RestAlign::Frame ? 1 : now.align == RestAlign::Rest ? 2 : 0);
    m_spread->setValue(now.armSpread);
    m_root->setCurrent(now.travel == RootTravel::InPlace ? 1 : now.travel == RootTravel::Bone ? 2 : 0);
    showRootBones();
    m_rootRow->setVisible(now.travel != RootTravel::Travels);
    m_rootBone->setVisible(now.travel == RootTravel::Bone);
    m_turns->setChecked(now.turns);
    m_auto->setChecked(!now.scale);
    m_scale->setInForce(now.scale.has_value());
    if (now.scale) m_scale->setValue(*now.scale);
    m_handReach->setChecked(now.handReach);
    m_keepLimits->setChecked(now.keepsLimits);
    m_onFrames->setChecked(now.onFrames);
    m_fingers->setChecked(std::none_of(now.roles.begin(), now.roles.end(), [](const auto& said) {
        return isFingerRole(said.first) && said.second.empty();
    }));
    emit changed();
}

void RetargetBody::refresh()
{
    emit changed();
    const RetargetPreviewPtr& preview = m_task.preview();
    m_saveMap->setEnabled(preview != nullptr && preview->count.matched > 0);
    if (preview == nullptr) return;
    if (!std::exchange(m_isKnown, true)) {
        m_history = ChoiceHistory<RetargetChoices>(m_task.choices());
        showMaps();
        showRootBones();
        frameBoth();
    }
    const RoleCount& count = preview->count;
    const bool isOfFingers = m_filter->current() == static_cast<int>(PairTable::Filter::Fingers);
    m_matched->setText(isOfFingers ? tr("%1 of %2 finger joints matched").arg(count.matchedFingers).arg(count.fingers)
                                   : tr("%1 of %2 roles matched").arg(count.matched).arg(count.all));
    const int toCheck = preview->toCheck();
    m_toCheck->setText(' ' + tr("%1 to check").arg(toCheck));
    m_toCheck->setVisible(toCheck > 0);
    m_isSure->setVisible(toCheck == 0);
    showOneSided();
    const RetargetFacts& facts = preview->facts;
    const bool isFolded = facts.isSameSkeleton && preview->error.empty() && m_filter->current() == 0 && toCheck == 0;
    m_same->setVisible(isFolded);
    m_table->setVisible(!isFolded);
    QStringList rest, root;
    const RetargetChoices& now = m_task.choices();
    if (now.align == RestAlign::Frame) rest << tr("frame %1 is the T-pose").arg(now.frame);
    if (facts.armsDiffer > 0.017) rest << tr("arms differ by %1°").arg(qRound(facts.armsDiffer * 180 / M_PI));
    if (now.armSpread != 0) rest << tr("arms %1°").arg(now.armSpread, 0, 'f', 1);
    m_restSection->setHint(rest.isEmpty() ? tr("by bone directions") : rest.join(QStringLiteral(", ")));
    root << (now.travel == RootTravel::InPlace ? tr("in place")
             : now.travel == RootTravel::Bone  ? tr("on a root bone")
                                               : tr("travels"))
         << tr("%1 ×").arg(facts.scale, 0, 'f', 2);
    if (now.handReach) root << tr("hand reach");
    m_rootSection->setHint(root.join(QStringLiteral(", ")));
    if (!now.scale) m_scale->setValue(facts.scale);
    m_size->setText(facts.motionLegs && facts.characterLegs ? tr("legs are %1 m here, %2 m in the motion")
                                                                  .arg(*facts.characterLegs, 0, 'f', 2)
                                                                  .arg(*facts.motionLegs, 0, 'f', 2)
                                                            : QString());
    m_size->setToolTip(m_size->text());
    showMessages();
}

/// The roles that only one side has: they explain what the count lacks.
void RetargetBody::showOneSided()
{
    QStringList character, motion;
    int ofCharacter = 0, ofMotion = 0; // joints of fingers
    const auto take = [](QStringList& list, int& fingers, const RetargetRow& row, const RetargetRow::Part& part) {
        if (row.isFinger)
            ++fingers;
        else
            list << QString::fromStdString(roleInWords(part.role));
    };
    for (const RetargetRow& row : m_task.preview()->rows)
        for (const RetargetRow::Part& part : row.parts)
            if (row.isUnused)
                take(motion, ofMotion, row, part);
            else if (part.motion.empty())
                take(character, ofCharacter, row, part);
    const auto addFingers = [this](QStringList& list, int lacking) {
        const bool isAll = m_task.preview()->count.matchedFingers == 0;
        if (lacking > 0) list << (isAll ? tr("fingers") : tr("%n finger joints", nullptr, lacking));
    };
    addFingers(character, ofCharacter);
    addFingers(motion, ofMotion);
    const auto shortened = [](const QStringList& names) {
        constexpr int kShown = 6;
        const QString shown = names.mid(0, kShown).join(QStringLiteral(", "));
        return names.size() <= kShown ? shown : tr("%1 and %2 more").arg(shown).arg(names.size() - kShown);
    };
    QStringList lines, all;
    if (!character.isEmpty()) {
        lines << tr("Only the character has: %1").arg(shortened(character));
        all << tr("Only the character has: %1").arg(character.join(QStringLiteral(", ")));
    }
    if (!motion.isEmpty()) {
        lines << tr("Only the motion has: %1").arg(shortened(motion));
        all << tr("Only the motion has: %1").arg(motion.join(QStringLiteral(", ")));
    }
    m_oneSided->setText(lines.join('\n'));
    m_oneSided->setToolTip(all.join('\n'));
    m_oneSided->setVisible(!lines.isEmpty());
}

/// When both figures are there.
void RetargetBody::frameBoth()
{
    if (!m_frameAll) return;
    if (m_task.preview()->scene == nullptr) return m_frameAll();
    disconnect(m_framing);
    m_framing = connect(&m_editor, &Editor::frameReady, this, [this](const FramePtr& frame) {
        if (frame->scene != m_editor.shown().scene()) return; // one that was asked for before
        disconnect(m_framing);
        m_frameAll();
    });
}

void RetargetBody::showMessages()
{
    const RetargetPreview& preview = *m_task.preview();
    QStringList all{QString::fromStdString(preview.error), QString::fromStdString(preview.mapNote),
                    QString::number(preview.missing.size())};
    for (const std::string& note : preview.facts.notes) all << QString::fromStdString(note);
    QStringList sides; // named as seen from the front
    if (preview.sides != nullptr && preview.mapNote.empty() && preview.sides->motion.areSidesSwapped)
        sides << tr("The motion names left and right as seen from the front: by its feet, knees and head it faces the "
                    "other way. Roles go by the body.");
    if (preview.sides != nullptr && preview.sides->character.areSidesSwapped)
        sides << tr("The character's names say left and right as seen from the front: by its feet, knees and head it "
                    "faces the other way. Roles go by the body.");
    all << sides;
    const QString passed = passedLimitsOf(preview, m_task.character());
    all << passed;
    if (const QString shown = all.join('\n'); std::exchange(m_shownMessages, shown) == shown) return;
    while (QLayoutItem* item = m_messages->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
    const auto button = [this](const char* name, const QString& words, const QString& tip, auto&& run) {
        auto* made = new QPushButton(words);
        made->setObjectName(QLatin1StringView(name));
        made->setToolTip(tip);
        connect(made, &QPushButton::clicked, this, run);
        return made;
    };
    const auto guess = [this] {
        edit([](RetargetChoices& next) {
            next.map.clear();
            next.roles.clear();
        });
    };
    const auto add = [&](Mark mark, const QString& text, const QList<QPushButton*>& buttons, const char* name = "") {
        QFrame* message = messageOf(mark, text, buttons);
        message->setObjectName(QLatin1StringView(name));
        m_messages->addWidget(message);
    };
    if (!preview.isEnough)
        add(Mark::Error, QString::fromStdString(preview.error),
            {button("retarget.loadMap", tr("Load map…"), tr("Load a saved map that says which joint is which"),
                    [this] { loadMap(); }),
             button("retarget.byHand", tr("Pair by hand"), tr("Choose a joint for each unmatched role"),
                    [this] { showToCheck(); })});
    else if (!preview.error.empty())
        add(Mark::Error, QString::fromStdString(preview.error), {});
    const QString map = QFileInfo(QString::fromStdString(preview.choices.map)).fileName();
    if (!preview.missing.empty()) {
        QStringList missing;
        for (const std::string& role : preview.missing) missing << QString::fromStdString(roleInWords(role));
        const int rest = static_cast<int>(preview.mapRoles - preview.missing.size());
        add(Mark::Warning,
            tr("%1 names %2 roles; the joints of %3 of them are missing here: %4.")
                .arg(map)
                .arg(preview.mapRoles)
                .arg(preview.missing.size())
                .arg(missing.mid(0, 6).join(QStringLiteral(", "))),
            {button("retarget.useRest", tr("Use the other %1").arg(rest), tr("Keep the map for the roles that it fits"),
                    [this] {
                        if (auto* message = findChild<QWidget*>(QStringLiteral("retarget.mapMessage"))) message->hide();
                    }),
             button("retarget.guess", tr("Guess instead"), tr("Guess all roles anew"), guess)},
            "retarget.mapMessage");
    } else if (!preview.mapNote.empty()) {
        add(Mark::Info, QString::fromStdString(preview.mapNote),
            {button("retarget.guess", tr("Guess instead"), tr("Guess all roles anew"), guess)});
    }
    for (const QString& note : sides) add(Mark::Warning, note, {}, "retarget.sidesMessage");
    if (preview.error.empty())
        for (const std::string& note : preview.facts.notes) add(Mark::Info, QString::fromStdString(note), {});
    if (!passed.isEmpty())
        add(std::any_of(preview.limits.begin(), preview.limits.end(), isWorthALook) ? Mark::Warning : Mark::Info,
            passed,
            {button("retarget.holdLimits", tr("Keep limits"), m_keepLimits->toolTip(),
                    [this] { edit([](RetargetChoices& next) { next.keepsLimits = true; }); })},
            "retarget.limitsMessage");
    const int side = m_messages->count() == 0 ? 0 : Theme::instance().px(8);
    m_messages->setContentsMargins(side, side, side, side);
}

} // namespace tendon::editor

#include "app/widgets/retarget/MotionCard.h"

#include "app/editor/Theme.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/Icons.h"
#include "app/widgets/Section.h"
#include "core/retarget/JointPairs.h"
#include "core/retarget/ReferencePose.h"
#include "core/roles/Roles.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace tendon::editor {

std::optional<MotionSummary> summaryOf(const ImportedModel& motion, const Scene& project)
{
    const auto clip = std::find_if(motion.scene.clips.begin(), motion.scene.clips.end(),
                                   [](const auto& one) { return one->hasKeys(); });
    const bool hasBody = motion.scene.model != nullptr && !motion.scene.model->meshes.empty();
    if (clip == motion.scene.clips.end() || hasBody || project.joints->empty()) return std::nullopt;
    const auto motionRig = compile(motion.scene), projectRig = compile(project);
    if (!motionRig || !projectRig) return std::nullopt;
    const RoledFigure there{*motionRig, guessRoles(motion.scene).map()}, here{*projectRig, guessRoles(project).map()};
    if (!canTakeMotions(here)) return std::nullopt;
    MotionSummary summary;
    const FrameRate fps = motion.scene.fps;
    summary.frames = static_cast<int>(std::lround(fps.frameAt((*clip)->end()) - fps.frameAt((*clip)->begin()))) + 1;
    summary.fps = fps.perSecond();
    summary.seconds = (*clip)->end().seconds() - (*clip)->begin().seconds();
    summary.clips = static_cast<int>(std::count_if(motion.scene.clips.begin(), motion.scene.clips.end(),
                                                   [](const auto& one) { return one->hasKeys(); }));
    summary.joints = static_cast<int>(motion.scene.joints->size());
    const RoleCount count = countRoles(there, here);
    summary.matched = count.matched;
    summary.roles = count.all;
    summary.isEnough = missingRoles(there, here).empty();
    if (const JointIndex hips = there.first("hips"); hips >= 0) {
        const auto placeAt = [&](Time time) { return worldAt(motion.scene, there, **clip, time).position[at(hips)]; };
        Vector3 way = placeAt((*clip)->end()) - placeAt((*clip)->begin());
        way.y() = 0;
        summary.travelled = way.norm();
    }
    return summary;
}

MotionCard::MotionCard(const QString& file, const MotionSummary& summary, const QString& character, QWidget* parent)
    : QDialog(parent)
{
    const Theme& theme = Theme::instance();
    const QString name = QFileInfo(file).fileName();
    setObjectName(QStringLiteral("motionCard"));
    setWindowTitle(name);
    setAttribute(Qt::WA_DeleteOnClose);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(14), theme.px(12), theme.px(14), theme.px(12));
    column->setSpacing(theme.px(8));
    auto* head = new QHBoxLayout;
    head->setSpacing(theme.px(8));
    auto* picture = new QLabel;
    picture->setPixmap(iconPixmap("retarget", "accent.text", theme.px(18), devicePixelRatioF()));
    auto* title = new ElidedLabel(name);
    title->setProperty("role", "heading");
    title->setMinimumWidth(theme.px(280));
    head->addWidget(picture);
    head->addWidget(title, 1);
    column->addLayout(head);
    column->addWidget(separatorLine());
    const auto add = [&](const QString& label, const QString& text) {
        auto* words = new QLabel(text);
        words->setWordWrap(true);
        addRow(column, label, {words});
    };
    add(tr("Motion"),
        (summary.frames == 1 ? tr("1 frame at %1 fps, %2 s") : tr("%n frames at %1 fps, %2 s", nullptr, summary.frames))
            .arg(summary.fps, 0, 'g', 5)
            .arg(summary.seconds, 0, 'f', 1));
    if (summary.clips > 1) add(tr("Clips"), tr("%n, of which one or all can be taken", nullptr, summary.clips));
    add(tr("Skeleton"), summary.joints == 1 ? tr("1 joint") : tr("%n joints", nullptr, summary.joints));
    add(tr("Roles"), tr("%1 of %2 of %3's are found").arg(summary.matched).arg(summary.roles).arg(character));
    if (summary.travelled) add(tr("Travels"), tr("%1 m").arg(*summary.travelled, 0, 'f', 1));
    column->addWidget(separatorLine());
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    auto* open = new QPushButton(tr("Open on its own"));
    open->setObjectName(QStringLiteral("motion.open"));
    open->setToolTip(tr("Import the skeleton with its motion, as any model"));
    auto* retarget = new QPushButton(tr("Retarget to %1").arg(character));
    retarget->setObjectName(QStringLiteral("motion.retarget"));
    retarget->setToolTip(tr("Put the motion onto the character of this project"));
    retarget->setProperty("main", true);
    retarget->setDefault(true);
    connect(open, &QPushButton::clicked, this, [this] {
        close();
        emit openWanted();
    });
    connect(retarget, &QPushButton::clicked, this, [this] {
        close();
        emit retargetWanted();
    });
    row->addWidget(open);
    row->addWidget(retarget);
    column->addLayout(row);
    retarget->setFocus();
}

} // namespace tendon::editor

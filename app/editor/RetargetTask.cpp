#include "app/editor/RetargetTask.h"

#include "core/document/Sides.h"
#include "core/scene/Check.h"

#include <algorithm>
#include <utility>

namespace tendon::editor {

RetargetTask::RetargetTask(Editor& editor, RetargetSource source, std::vector<std::string> mapFolders, QObject* parent)
    : QObject(parent), m_editor(editor), m_source(std::move(source)), m_mapFolders(std::move(mapFolders))
{
    const std::vector<std::string> clips = m_source.clips();
    if (!clips.empty()) m_choices.clip = clips.front();
    connect(&editor.document(), &EditorDocument::changed, this, [this] {
        m_isStale = true;
        begin();
    });
    connect(&editor.shown().motion(), &MotionFigure::picked, this, &RetargetTask::pick);
    connect(&editor.shown().motion(), &MotionFigure::hoverChanged, this, &RetargetTask::followHover);
    connect(&editor.selection(), &Selection::changed, this, &RetargetTask::followSelection);
    connect(&editor.selection(), &Selection::hoverChanged, this, &RetargetTask::followHover);
    connect(&m_search, &RoleSearch::found, this, &RetargetTask::candidatesChanged);
    begin();
}

RetargetTask::~RetargetTask() { stop(); }

void RetargetTask::stop()
{
    if (std::exchange(m_isStopped, true)) return;
    if (m_frameBefore) m_editor.goToFrame(*m_frameBefore);
    m_editor.marks().clear();
    m_editor.shown().motion().show(nullptr);
    m_editor.shown().showDocument();
}

const Scene& RetargetTask::motion() const { return m_source.scene(m_editor.document().scene()); }

QString RetargetTask::characterName() const { return m_editor.document().title().remove(QStringLiteral(".tendon")); }

void RetargetTask::choose(const RetargetChoices& choices)
{
    if (choices == m_choices) return;
    m_choices = choices;
    emit choicesChanged();
    begin();
}

RetargetChoices RetargetTask::withRole(const std::string& role, JointId joint, bool isAlone) const
{
    RetargetChoices next = m_choices;
    const auto say = [&](const std::string& one, JointId of) {
        next.roles[one] = of.isValid() ? std::vector{findableName(motion(), of)} : std::vector<std::string>();
    };
    say(role, joint);
    if (const std::string other = mirroredRole(role); other != role && !isAlone) {
        const JointId image = joint.isValid() ? counterpart(motion(), joint) : JointId();
        if (!joint.isValid() || (image.isValid() && image != joint)) say(other, image);
    }
    return next;
}

Services RetargetTask::services() const
{
    Services services = m_editor.document().services();
    if (m_source.model != nullptr)
        services.import = [model = m_source.model](const std::string&, const ImportOptions&) -> Result<ImportedModel> {
            return *model;
        };
    return services;
}

void RetargetTask::begin()
{
    if (m_isStopped) return;
    RetargetAsked asked{m_source, m_choices, nullptr, {}};
    if (m_preview != nullptr && !m_isStale) asked.sides = m_preview->sides;
    if (m_preview == nullptr) asked.mapFolders = m_mapFolders;
    const auto made = std::make_shared<RetargetPreviewPtr>();
    const auto copy = std::make_shared<Document>(m_editor.document().copyForJob());
    m_job.start(
        [asked, copy, made](Job::Control& control) {
            *made = makePreview(asked, std::move(*copy), control.cancelled,
                                [&control](double done) { control.done = done; });
        },
        [this, made] {
            if (*made != nullptr) take(*made);
        });
    emit previewChanged();
}

void RetargetTask::take(const RetargetPreviewPtr& made)
{
    if (m_isStopped) return;
    const bool isFirst = m_preview == nullptr, isOther = isFirst || m_preview->sides != made->sides;
    m_preview = made;
    m_isStale = false;
    if (isFirst && m_choices != made->choices) { // a saved map has been put in
        m_choices = made->choices;
        emit choicesChanged();
    }
    if (isOther) lookForCandidates();
    show();
    const int frame = m_editor.shownFrame();
    if (m_preview->scene != nullptr && (frame < m_preview->scene->firstFrame || frame > m_preview->scene->lastFrame)) {
        if (!m_frameBefore) m_frameBefore = frame;
        m_editor.goToFrame(std::clamp(frame, m_preview->scene->firstFrame, m_preview->scene->lastFrame));
    }
    emit previewChanged();
}

void RetargetTask::finish()
{
    while (!m_job.waitFor(100)) continue;
}

/// In the order in which a person will want them: those to be checked first.
void RetargetTask::lookForCandidates()
{
    std::vector<std::string> roles;
    for (const bool toCheck : {true, false})
        for (const RetargetRow& row : m_preview->rows)
            for (const RetargetRow::Part& part : row.parts)
                if (!row.isFinger && !row.isUnused && (row.mark == RetargetRow::Mark::Check) == toCheck)
                    roles.push_back(part.role);
    m_search.start(std::make_shared<const Scene>(motion()), m_preview->sides->motion, std::move(roles));
}

void RetargetTask::setLook(const RetargetLook& look)
{
    if (look == m_look) return;
    m_look = look;
    show();
    emit lookChanged();
}

void RetargetTask::pointAt(const RetargetRow* row)
{
    std::vector<MotionFigure::Link> links;
    if (row != nullptr)
        for (const RetargetRow::Part& part : row->parts)
            links.push_back({part.motion.empty() ? JointId() : part.motion.front(),
                             part.character.empty() ? JointId() : part.character.front()});
    ViewMarks marks = m_editor.marks().marks();
    marks.lit.clear();
    for (const MotionFigure::Link& link : links)
        if (link.character.isValid()) marks.lit.insert(link.character);
    m_editor.marks().set(std::move(marks));
    m_editor.shown().motion().setLinks(std::move(links));
}

void RetargetTask::show()
{
    if (m_isStopped || m_preview == nullptr || m_preview->motion.rig == nullptr) return;
    const RetargetPreview& preview = *m_preview;
    if (preview.scene != nullptr)
        m_editor.shown().showInstead(preview.scene, m_look.isAtRest ? ClipId() : preview.clip);
    else
        m_editor.shown().showDocument();

    MotionFigure& figure = m_editor.shown().motion();
    const std::vector<MotionFigure::Link> links = figure.links();
    figure.show(
        figureOf(preview, m_source, motion(), characterName(), m_look, figure.isShown() ? &figure.content() : nullptr));
    figure.setLinks(links);
    ViewMarks marks = m_editor.marks().marks();
    marks.colours = coloursOf(*preview.character.rig, preview.character.roles);
    m_editor.marks().set(std::move(marks));
}

void RetargetTask::pick(JointId motion, bool isAlone)
{
    m_picked = motion;
    m_isPickedAlone = isAlone;
}

/// A joint of the character, clicked after one of the motion, is what that one is for.
void RetargetTask::followSelection()
{
    const JointId joint = m_editor.selection().active().joint();
    if (!m_picked.isValid() || !joint.isValid() || m_preview == nullptr) return;
    const std::string role(roleOf(m_preview->character.roles, joint));
    const JointId picked = std::exchange(m_picked, {});
    if (role.empty())
        return void(emit pairRefused(QString::fromStdString(nameOf(m_editor.document().scene(), joint.value))));
    emit rolePicked(role, picked, m_isPickedAlone);
}

void RetargetTask::followHover()
{
    if (m_preview == nullptr) return;
    const JointId motion = m_editor.shown().motion().hovered();
    std::string_view role = motion.isValid()
                                ? roleOf(m_preview->motion.roles, motion)
                                : roleOf(m_preview->character.roles, m_editor.selection().hovered().joint());
    emit rowPointedAt(QString::fromUtf8(role.data(), static_cast<qsizetype>(role.size())));
}

} // namespace tendon::editor

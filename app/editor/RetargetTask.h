#pragma once

#include "app/editor/CurrentJob.h"
#include "app/editor/Editor.h"
#include "app/editor/RetargetFigures.h"
#include "app/editor/RoleSearch.h"

#include <QObject>

#include <optional>

namespace tendon::editor {

/// The work of putting a motion onto the character while a person decides: the choices, and what they make, shown in
/// the view in place of the document, with the motion's own figure. Nothing in the document changes. GUI thread.
class RetargetTask : public QObject
{
    Q_OBJECT
public:
    /// `editor` outlives the task, whose end shows the document again. `mapFolders`: where saved maps are.
    RetargetTask(Editor& editor, RetargetSource source, std::vector<std::string> mapFolders, QObject* parent = nullptr);
    ~RetargetTask() override;
    void stop(); ///< shows the document again; nothing is worked out any more
    void keepFrame()
    {
        m_frameBefore.reset();
    } ///< stop() stays at the frame that is shown: the motion is in the document

    [[nodiscard]] const RetargetSource& source() const { return m_source; }
    [[nodiscard]] const Scene& motion() const; ///< the motion's own scene
    [[nodiscard]] const Scene& character() const { return m_editor.document().scene(); }
    [[nodiscard]] QString characterName() const;

    [[nodiscard]] const RetargetChoices& choices() const { return m_choices; }
    void choose(const RetargetChoices& choices);
    /// The choices with another joint of the motion for a role (none: no joint), and unless it `isAlone` the mirror
    /// images for its other side.
    [[nodiscard]] RetargetChoices withRole(const std::string& role, JointId joint, bool isAlone) const;

    /// The newest that has been made, maybe of earlier choices; null before the first.
    [[nodiscard]] const RetargetPreviewPtr& preview() const { return m_preview; }
    [[nodiscard]] bool isWorking() const { return m_job.isRunning(); }
    [[nodiscard]] bool isCurrent() const { return m_preview != nullptr && !isWorking() && !m_isStale; }
    [[nodiscard]] const RoleSearch& search() const { return m_search; } ///< the joints of the motion for each role

    [[nodiscard]] const RetargetLook& look() const { return m_look; }
    void setLook(const RetargetLook& look);
    void pointAt(const RetargetRow* row); ///< lights its joints in both figures; null = none

    [[nodiscard]] QJsonObject operation() const { return wholeOperationOf(m_source, m_choices); }
    /// The document's services with the motion that has been read, for carrying the operation out.
    [[nodiscard]] Services services() const;
    void finish(); ///< waits for the preview of the choices: for pictures and tests

signals:
    void choicesChanged();
    void previewChanged(); ///< preview(), or whether one is being made
    void lookChanged();
    void candidatesChanged();
    void rowPointedAt(const QString& role); ///< by the mouse in the view; "" = none
    void rolePicked(const std::string& role, tendon::JointId joint, bool isAlone); ///< by clicks on both figures
    void pairRefused(const QString& joint); ///< the joint of the character has no role

private:
    void begin();
    void take(const RetargetPreviewPtr& made);
    void show();
    void lookForCandidates();
    void pick(JointId motion, bool isAlone);
    void followSelection();
    void followHover();

    Editor& m_editor;
    RetargetSource m_source;
    std::vector<std::string> m_mapFolders;
    RetargetChoices m_choices;
    RetargetLook m_look;
    RetargetPreviewPtr m_preview;
    RoleSearch m_search;
    CurrentJob m_job;
    bool m_isStopped = false;
    std::optional<int> m_frameBefore; ///< the current frame, where the motion has none there
    bool m_isStale = false;           ///< the document has changed since the preview was begun
    JointId m_picked;                 ///< of the motion, waiting for one of the character
    bool m_isPickedAlone = false;
};

} // namespace tendon::editor

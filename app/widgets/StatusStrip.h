#pragma once

#include "app/editor/Editor.h"
#include "app/widgets/Remedies.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QStatusBar>
#include <QTimer>

class QFrame;
class QHBoxLayout;
class QLabel;

namespace tendon::editor {

/// The status line: at the left what the mouse does here; at the right the worst problem, with one-click fixes. While
/// the shown pose is on its way to the settled clip's, a word says so, unless it is there at once.
class StatusStrip : public QStatusBar
{
    Q_OBJECT
public:
    explicit StatusStrip(Editor& editor, QWidget* parent = nullptr);

    void setHint(const QString& richText);
    void setKeyOfKeying(const QString& key); ///< which one sets a key now; "" = none
    /// Shows something that is no lasting state, until the next deed or until the user closes it.
    void report(const Issue& issue, std::vector<Remedy> remedies = {});
    void clearReport();
    void setSaved(const QString& text);

private:
    void refresh();
    void noteDeed(const QJsonObject& operation); ///< drops what was said of the one before
    void showKeys();
    void watchSettling();
    bool showBrokenSolver(const FrameResult& frame); ///< false = no solver is broken
    bool showMissedGoal(const FrameResult& frame);   ///< that of the selection, else the worst; false = none is missed
    void showOtherMisses(); ///< lists the missed goals that are not shown; one that is chosen is selected
    [[nodiscard]] static QString missText(const FrameResult& frame, const Handle& handle, const HandleView& view);
    [[nodiscard]] static const HandleView* jumpIn(const FrameResult& frame); ///< the one that jumps farthest; or null
    [[nodiscard]] QString jumpText(const FrameResult& frame, const HandleView& view) const;
    bool showHeld(const FrameResult& frame);      ///< of a handle that has no pose to hold; false = there is none
    bool showSoftReach(const FrameResult& frame); ///< of the selected handle; false = soft reach does not hold it back
    bool showCaution(const FrameResult& frame);   ///< a jump, what is too fast, a pole near its line; false = all clear
    void showMessage(Severity severity, const QString& richText, const std::vector<Remedy>& fixes);
    void hideMessage();

    Editor& m_editor;
    QLabel *m_hint, *m_settling, *m_undone, *m_keys, *m_saved, *m_icon, *m_text, *m_more;
    QTimer m_lasting; ///< until it is worth saying that the shown pose is on its way
    QFrame* m_frame;
    QHBoxLayout* m_fixes;
    std::optional<Issue> m_reported;
    bool m_tellsOutcome = false;            ///< of the operation that was recorded last
    std::vector<Remedy> m_reportedRemedies; ///< of m_reported
    QElapsedTimer m_sinceReport;
    QString m_keyOfKeying;
    HandleId m_missShown; ///< whose missed goal the present message is about
    QString m_shown;      ///< text of the present message
    QString m_closed;     ///< message that the user closed: hidden until it changes
    std::size_t m_keyCount = 0;
    bool m_isPosed = false; ///< the key count gives way to a note that the pose is not keyed
};

} // namespace tendon::editor

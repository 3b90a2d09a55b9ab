#pragma once

#include "app/editor/Editor.h"

#include <QStatusBar>

class QFrame;
class QHBoxLayout;
class QLabel;
class QTimer;

namespace tendon::editor {

/// The bottom line: what the mouse does here at the left; at the right the worst thing that is wrong, with one-click
/// fixes.
class StatusStrip : public QStatusBar
{
    Q_OBJECT
public:
    explicit StatusStrip(Editor& editor, QWidget* parent = nullptr);

    void setHint(const QString& richText);
    void
    say(const Issue& issue); ///< something that is no lasting state: it goes when another edit succeeds or it is closed
    void unsay();            ///< what was said last is over
    void setSaved(const QString& text);

signals:
    void logRequested();

private:
    struct Fix
    {
        QString text, tip;
        std::function<void()> run;
    };
    void refresh();
    void showKeys();
    bool showBrokenSolver(const FrameResult& frame); ///< false: none is broken
    bool showMissedGoal(const FrameResult& frame);   ///< the worst of them; false: none is missed
    [[nodiscard]] std::vector<Fix> fixesFor(const FrameResult& frame, const Handle& handle, const HandleView& view);
    bool showSoftReach(const FrameResult& frame); ///< of what is selected; false: it is not held back
    void showMessage(Severity severity, const QString& richText, const std::vector<Fix>& fixes);
    void hideMessage();

    Editor& m_editor;
    QLabel *m_hint, *m_keys, *m_saved, *m_icon, *m_text, *m_more;
    QFrame* m_frame;
    QHBoxLayout* m_fixes;
    std::optional<Issue> m_said;
    QString m_shown;  ///< what the frame says now
    QString m_closed; ///< closed by hand: not again until it changes
    std::size_t m_keyCount = 0;
};

} // namespace tendon::editor

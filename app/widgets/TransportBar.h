#pragma once

#include "app/editor/Editor.h"
#include "app/widgets/CommandTable.h"

#include <QWidget>

class QComboBox;
class QPushButton;
class QTabBar;

namespace tendon::editor {

class NumberField;
class ShrinkingRow;

/// The row over the timeline: tabs, transport, frame and range, rate, Auto Key.
class TransportBar : public QWidget
{
    Q_OBJECT
public:
    TransportBar(Editor& editor, CommandTable& commands, QWidget* parent = nullptr);

    [[nodiscard]] QTabBar* tabs() const { return m_tabs; }

signals:
    void confirmed(); ///< a number has been typed: the keyboard is for the view again

private:
    void refresh();
    void shortenTabs(bool isShort); ///< the tips say the words then
    void narrowTabs(bool isNarrow); ///< and the list of clips
    void limitClip();               ///< the list of clips is as wide as there is room for
    void showClips();
    void showAutoKey();
    void paintEvent(QPaintEvent*) override;

    Editor& m_editor;
    QTabBar* m_tabs;
    NumberField *m_frame, *m_first, *m_last;
    QComboBox *m_rate, *m_clip;
    ShrinkingRow* m_shrinking;
    QPushButton* m_autoKey;
    bool m_isAutoKeyShort = false;
    bool m_isClipShort = false, m_isNarrow = false;
};

} // namespace tendon::editor

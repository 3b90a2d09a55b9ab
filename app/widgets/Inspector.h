#pragma once

#include "app/widgets/InspectorTarget.h"

#include <QScrollArea>

class QLabel;

namespace tendon::editor {

class ChannelsPanel;
class ElidedLabel;
class HandlePanel;
class JointPanel;
class LayersPanel;
class SolverPanel;

/// The right dock: the active object and all of its settings.
class Inspector : public QScrollArea
{
    Q_OBJECT
public:
    explicit Inspector(Editor& editor, QWidget* parent = nullptr);

signals:
    void graphWanted(tendon::ChannelId channel, int component); ///< of one of the numbers

private:
    void follow();  ///< the selection or the structure changed
    void refresh(); ///< values changed
    void refreshSoon();
    void walkTo(JointId joint); ///< shows the joint: in the handle's panel, or by selecting it

    Editor& m_editor;
    InspectorTarget m_target;
    JointId m_walked; ///< joint chosen with the arrows; the selection stays the same
    bool m_isRefreshPending = false;
    QLabel *m_icon, *m_kind, *m_empty;
    ElidedLabel* m_title;
    ChannelsPanel* m_channels;
    LayersPanel* m_layers;
    HandlePanel* m_handle;
    JointPanel* m_joint;
    SolverPanel* m_solver;
};

} // namespace tendon::editor

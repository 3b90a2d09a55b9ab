#include "app/widgets/graph/RotationHint.h"

#include "app/editor/Theme.h"
#include "app/widgets/CommandTable.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace tendon::editor {

RotationHint::RotationHint(GraphState& state, CommandTable& commands, QWidget& view)
    : QFrame(&view), m_state(state), m_view(view), m_text(new QLabel), m_convert(new QToolButton)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("graph.rotationHint"));
    setAutoFillBackground(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(8), theme.px(2), theme.px(4), theme.px(2));
    row->setSpacing(theme.px(8));
    m_text->setProperty("role", "label");
    row->addWidget(m_text);
    m_convert->setDefaultAction(commands.action(QStringLiteral("graph.asAngles")));
    m_convert->setObjectName(QStringLiteral("graph.showAsAngles"));
    m_convert->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_convert->setFocusPolicy(Qt::TabFocus);
    row->addWidget(m_convert);
    view.installEventFilter(this);
    connect(&state, &GraphState::changed, this, &RotationHint::refresh);
    refresh();
}

void RotationHint::refresh()
{
    bool isGoal = false, isJoint = false;
    for (const GraphCurve* curve : m_state.shown()) {
        isGoal = isGoal || curve->property() == Property::GoalRotation;
        isJoint = isJoint || curve->property() == Property::Rotation;
    }
    m_text->setText(isJoint ? tr("Rotation as a quaternion: X, Y, Z, W turn together")
                            : tr("The goal's rotation is a quaternion: X, Y, Z, W turn together"));
    m_convert->setVisible(isJoint);
    setVisible(isGoal || isJoint);
    place();
}

void RotationHint::place()
{
    const Theme& theme = Theme::instance();
    const int margin = theme.px(6);
    adjustSize();
    const int room = m_view.width() - 2 * margin;
    m_text->setVisible(sizeHint().width() <= room || !m_convert->isVisibleTo(this));
    resize(std::min(sizeHint().width(), room), sizeHint().height());
    move(m_view.width() - width() - margin, theme.size("height.ruler") + margin);
}

bool RotationHint::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_view && event->type() == QEvent::Resize) place();
    return QFrame::eventFilter(watched, event);
}

} // namespace tendon::editor

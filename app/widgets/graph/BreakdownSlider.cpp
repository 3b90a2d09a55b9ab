#include "app/widgets/graph/BreakdownSlider.h"

#include "app/editor/Theme.h"
#include "app/widgets/graph/GraphEdits.h"
#include "core/document/MakeOperation.h"

#include <QKeyEvent>
#include <QSignalBlocker>
#include <QToolTip>
#include <QWheelEvent>

namespace tendon::editor {
namespace {

constexpr int kLeastPercent = -50, kMiddlePercent = 50, kMostPercent = 150;

std::vector<QJsonObject> withFactor(std::vector<QJsonObject> operations, int percent)
{
    for (QJsonObject& operation : operations) operation.insert(QStringLiteral("factor"), percent / 100.0);
    return operations;
}

} // namespace

BreakdownSlider::BreakdownSlider(GraphState& state, QWidget* parent) : QSlider(Qt::Horizontal, parent), m_state(state)
{
    setObjectName(QStringLiteral("graph.breakdown"));
    setAccessibleName(tr("Breakdown"));
    setRange(kLeastPercent, kMostPercent);
    setValue(kMiddlePercent);
    setSingleStep(5);
    setFocusPolicy(Qt::TabFocus);
    setFixedWidth(Theme::instance().px(90));
    connect(this, &QSlider::sliderPressed, this, &BreakdownSlider::begin);
    connect(this, &QSlider::valueChanged, this, &BreakdownSlider::take);
    connect(this, &QSlider::sliderReleased, this, &BreakdownSlider::finish);
    connect(&state, &GraphState::changed, this, &BreakdownSlider::refresh);
    connect(&state.editor(), &Editor::shownFrameChanged, this, &BreakdownSlider::refresh);
    refresh();
}

void BreakdownSlider::refresh()
{
    if (m_isDragging || !isVisible()) return;
    const bool isPossible = hasBreakdowns(m_state);
    setEnabled(isPossible);
    setToolTip(isPossible ? tr("Key the current frame between the keys before and after it: drag toward one of them")
                          : tr("Go to a frame that has keys before and after it on the curves shown"));
}

void BreakdownSlider::begin()
{
    m_operations = breakdowns(m_state, 0);
    if (m_operations.empty()) return;
    m_isDragging = true;
    m_state.editor().document().gesture().begin();
}

void BreakdownSlider::take(int percent)
{
    EditorDocument& document = m_state.editor().document();
    if (!m_isDragging) {
        if (const auto operations = breakdowns(m_state, percent / 100.0); !operations.empty())
            (void)document.applyAsOne(operations);
        return;
    }
    if (const auto done = document.gesture().update(ops::group(withFactor(m_operations, percent))); !done)
        document.reportError(done.error());
    QToolTip::showText(mapToGlobal(rect().bottomLeft()), tr("%1 %").arg(percent), this);
}

void BreakdownSlider::finish()
{
    if (!m_isDragging) return;
    m_isDragging = false;
    m_state.editor().document().gesture().finish();
    const QSignalBlocker guard(this);
    setValue(kMiddlePercent);
    update();
    refresh();
}

void BreakdownSlider::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_isDragging) {
        m_isDragging = false; // the button's release finds nothing to finish
        m_state.editor().document().gesture().cancel();
        const QSignalBlocker guard(this);
        setSliderDown(false);
        setValue(kMiddlePercent);
        update();
        refresh();
        return;
    }
    QSlider::keyPressEvent(event);
}

void BreakdownSlider::showEvent(QShowEvent*) { refresh(); }

void BreakdownSlider::wheelEvent(QWheelEvent* event) { event->ignore(); } // over the row it would key by mistake

} // namespace tendon::editor

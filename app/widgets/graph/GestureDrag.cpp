#include "app/widgets/graph/GestureDrag.h"

#include "core/document/MakeOperation.h"

#include <QCoreApplication>

#include <cmath>

namespace tendon::editor {

GestureDrag::GestureDrag(GraphState& state, GraphKeys keys)
    : m_state(state), m_keys(std::move(keys)), m_selected(state.selected())
{
    for (const auto& [id, list] : m_keys)
        if (const GraphCurve* each = state.find(id)) m_before.push_back(*each);
}

bool GestureDrag::apply(const std::vector<QJsonObject>& operations, GraphKeys selected)
{
    EditorDocument& document = m_state.editor().document();
    if (!m_isOpen) {
        document.gesture().begin();
        m_state.holdSelection(true);
        m_isOpen = true;
    }
    if (const auto done = document.gesture().update(ops::group(operations)); !done) {
        document.reportError(done.error());
        return false;
    }
    m_state.select(std::move(selected));
    return true;
}

void GestureDrag::release()
{
    if (!m_isOpen) return;
    m_state.editor().document().gesture().finish();
    m_state.holdSelection(false);
}

void GestureDrag::cancel()
{
    if (!m_isOpen) return;
    m_state.editor().document().gesture().cancel();
    m_state.select(m_selected);
    m_state.holdSelection(false);
}

std::vector<GraphCurve> GestureDrag::before() const { return m_isOpen ? m_before : std::vector<GraphCurve>{}; }

QString GestureDrag::labelOf(const CurveId& id, std::int64_t ticks) const
{
    const GraphCurve* curve = m_state.find(id);
    const auto key = curve != nullptr ? curve->summary->find(ticks) : std::nullopt;
    if (!key) return {};
    const CurveUnit unit = unitOf(curve->property());
    const double frame = m_state.fps().frameAt(Time{ticks});
    const bool isWhole = std::abs(frame - std::round(frame)) < 1e-3;
    QString text = componentTitle(id);
    if (!text.isEmpty()) text += QLatin1Char(' ');
    return text + QCoreApplication::translate("Graph", "%1%2 at %3")
                      .arg(curve->summary->value(*key, id.component) * unit.factor, 0, 'f', unit.decimals)
                      .arg(QString::fromUtf8(unit.text))
                      .arg(frame, 0, 'f', isWhole ? 0 : 2);
}

} // namespace tendon::editor

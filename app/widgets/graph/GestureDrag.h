#pragma once

#include "app/widgets/graph/GraphDrag.h"

#include <QJsonObject>

namespace tendon::editor {

/// A drag that changes the selected keys by a gesture of the document: the viewport follows, its release is one undo
/// step, and Esc leaves none.
class GestureDrag : public GraphDrag
{
public:
    void release() override;
    void cancel() override;
    [[nodiscard]] std::vector<GraphCurve> before() const override;

protected:
    /// `keys`: those that it changes.
    GestureDrag(GraphState& state, GraphKeys keys);

    /// Carries out `operations` in place of those before; the selected keys are then `selected`.
    bool apply(const std::vector<QJsonObject>& operations, GraphKeys selected);
    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    [[nodiscard]] GraphState& state() const { return m_state; }
    [[nodiscard]] const GraphKeys& keys() const { return m_keys; }
    /// "Y 49.0 cm at 38"; "" if there is no such key.
    [[nodiscard]] QString labelOf(const CurveId& curve, std::int64_t ticks) const;

private:
    GraphState& m_state;
    const GraphKeys m_keys, m_selected; ///< as it began
    std::vector<GraphCurve> m_before;
    bool m_isOpen = false;
};

} // namespace tendon::editor

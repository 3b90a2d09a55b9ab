#include "app/widgets/graph/KeyField.h"

#include "app/widgets/NumberField.h"
#include "core/document/MakeOperation.h"
#include "core/scene/FrameNumber.h"

#include <algorithm>
#include <cmath>

namespace tendon::editor {

KeyField::KeyField(NumberField& field, GraphState& state, Kind kind)
    : QObject(&field), m_field(field), m_state(state), m_kind(kind)
{
    connect(&field, &NumberField::dragBegun, this, [this](bool) { beginDrag(); });
    connect(&field, &NumberField::dragged, this, &KeyField::drag);
    connect(&field, &NumberField::dragEnded, this, &KeyField::endDrag);
    connect(&field, &NumberField::entered, this, &KeyField::enter);
    connect(&state, &GraphState::changed, this, &KeyField::refresh);
    refresh();
}

double KeyField::firstFrame(const GraphKeys& keys) const
{
    std::int64_t first = *keys.begin()->second.begin();
    for (const auto& [id, ticks] : keys) first = std::min(first, *ticks.begin());
    return m_state.fps().frameAt(Time{first});
}

void KeyField::refresh()
{
    const GraphKeys& keys = m_state.selected();
    if (m_kind == Kind::MoveBy || m_kind == Kind::Stretch) {
        m_field.setEnabled(!keys.empty());
        m_field.setValue(m_kind == Kind::MoveBy ? 0 : 1);
        return;
    }
    if (m_kind == Kind::Frame) {
        m_field.setEnabled(!keys.empty());
        const double frame = keys.empty() ? 0 : firstFrame(keys);
        const bool areSeveral = std::any_of(keys.begin(), keys.end(), [&](const auto& each) {
            return each.second.size() > 1 || *each.second.begin() != *keys.begin()->second.begin();
        });
        m_field.setDecimals(wholeFrame(frame) ? 0 : 2);
        m_field.setValue(frame, areSeveral);
        return;
    }
    std::optional<double> first;
    bool areSeveral = false, hasNumbers = false; // that can be edited one by one
    for (const auto& [id, ticks] : keys) {
        const GraphCurve* curve = m_state.find(id);
        if (curve == nullptr) continue;
        hasNumbers = hasNumbers || editor::hasNumbers(curve->property());
        for (const std::int64_t each : ticks) {
            const auto key = curve->summary->find(each);
            if (!key) continue;
            const double value = curve->summary->value(*key, id.component) * unitOf(curve->property()).factor;
            areSeveral = areSeveral || (first && value != *first);
            if (!first) first = value;
            if (areSeveral) break;
        }
    }
    m_field.setEnabled(hasNumbers);
    m_field.setValue(first.value_or(0), areSeveral);
}

void KeyField::beginDrag()
{
    m_keys = m_state.selected();
    m_from = m_field.value();
    if (m_keys.empty()) return;
    if (m_kind == Kind::Stretch)
        m_scale.emplace(m_state, m_keys, firstFrame(m_keys), 0);
    else
        m_move.emplace(m_state, m_keys);
    m_state.editor().document().gesture().begin();
    m_state.holdSelection(true);
}

void KeyField::drag(double value)
{
    GestureWork& gesture = m_state.editor().document().gesture();
    if (m_scale) {
        const double factor = std::max(0.01, value);
        if (gesture.update(ops::group(m_scale->operations(factor, 1, m_state.snaps()))))
            m_state.select(m_scale->scaled(factor, m_state.snaps()));
        return;
    }
    if (!m_move) return;
    const double change = value - m_from, frames = m_kind == Kind::Value ? 0 : std::round(change);
    double shown = m_kind == Kind::Value ? change : 0;
    // Normalised, all move by what the field's curve moves by.
    if (const GraphCurve* curve = m_state.find(m_keys.begin()->first))
        shown /= unitOf(curve->property()).factor / (m_state.shownValue(*curve, 1) - m_state.shownValue(*curve, 0));
    if (gesture.update(ops::group(m_move->operations(frames, shown))))
        m_state.select(movedKeys(m_state, m_keys, frames));
}

void KeyField::endDrag(bool isKept)
{
    if (!m_move && !m_scale) return;
    GestureWork& gesture = m_state.editor().document().gesture();
    if (isKept)
        gesture.finish();
    else
        gesture.cancel();
    if (!isKept) m_state.select(m_keys);
    m_move.reset();
    m_scale.reset();
    m_state.holdSelection(false);
}

void KeyField::enter(const NumberEdit& edit)
{
    const GraphKeys& keys = m_state.selected();
    if (keys.empty()) return;
    switch (m_kind) {
    case Kind::Value:
        (void)m_state.editor().document().applyAsOne(
            setValues(m_state, keys, [&edit](double shown) { return edit.of(shown); }));
        break;
    case Kind::Frame: change(edit.of(firstFrame(keys)) - firstFrame(keys), 1); break;
    case Kind::MoveBy: change(edit, 1); break;
    case Kind::Stretch: change(0, edit); break;
    }
    refresh();
}

void KeyField::change(double frames, double stretch)
{
    const GraphKeys keys = m_state.selected();
    if ((frames == 0 && stretch == 1) || !(stretch > 0)) return;
    const KeyScale scale(m_state, keys, firstFrame(keys), 0);
    const auto operations = stretch == 1 ? KeyMove(m_state, keys).operations(frames, 0)
                                         : scale.operations(stretch, 1, m_state.snaps());
    m_state.holdSelection(true);
    if (m_state.editor().document().applyAsOne(operations))
        m_state.select(stretch == 1 ? movedKeys(m_state, keys, frames) : scale.scaled(stretch, m_state.snaps()));
    m_state.holdSelection(false);
}

} // namespace tendon::editor

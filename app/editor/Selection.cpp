#include "app/editor/Selection.h"

#include <algorithm>

namespace tendon::editor {

bool Selection::contains(SelectionItem item) const
{
    return std::find(m_items.begin(), m_items.end(), item) != m_items.end();
}

bool Selection::containsObject(ObjectId object) const
{
    return std::any_of(m_items.begin(), m_items.end(),
                       [&](const SelectionItem& item) { return item.object == object; });
}

void Selection::select(SelectionItem item, How how)
{
    select(item.isValid() ? std::vector<SelectionItem>{item} : std::vector<SelectionItem>{}, how);
}

void Selection::select(std::vector<SelectionItem> items, How how)
{
    std::vector<SelectionItem> next = how == How::Replace ? std::vector<SelectionItem>{} : m_items;
    for (const SelectionItem& item : items) {
        const bool wasIn = std::erase(next, item) != 0;
        if (how != How::Toggle || !wasIn) next.push_back(item);
    }
    if (next == m_items) return;
    m_items = std::move(next);
    emit changed();
}

void Selection::setHovered(SelectionItem item)
{
    if (item == m_hovered) return;
    m_hovered = item;
    emit hoverChanged();
}

void Selection::prune(const Scene& scene)
{
    const auto isGone = [&](const SelectionItem& item) {
        if (item.kind == SelectionItem::Kind::Joint) return scene.find(item.joint()) == nullptr;
        const Handle* handle = scene.find(item.handle());
        return handle == nullptr || (item.kind == SelectionItem::Kind::Pole && !handle->hasPole) ||
               (item.kind == SelectionItem::Kind::CurvePoint && item.index >= handle->curvePoints);
    };
    if (m_hovered.isValid() && isGone(m_hovered)) setHovered({});
    if (std::erase_if(m_items, isGone) != 0) emit changed();
}

} // namespace tendon::editor

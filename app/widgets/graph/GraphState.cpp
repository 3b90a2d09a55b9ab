#include "app/widgets/graph/GraphState.h"

#include "app/editor/LengthUnit.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tendon::editor {

static std::size_t countOf(const GraphKeys& keys)
{
    std::size_t count = 0;
    for (const auto& [id, ticks] : keys) count += ticks.size();
    return count;
}

GraphState::GraphState(Editor& editor, Scope scope, QObject* parent)
    : QObject(parent), m_editor(editor), m_scope(scope), m_curves(scope == Scope::All)
{
    connect(&LengthUnits::instance(), &LengthUnits::changed, this, [this] {
        emit scaleChanged();
        emit changed();
    });
    const auto again = [this] { rebuild(); };
    connect(&editor.document(), &EditorDocument::changed, this, again);
    connect(&editor.document(), &EditorDocument::editChanged, this, again);
    connect(&editor.document(), &EditorDocument::replaced, this, [this] {
        m_hidden.clear();
        m_active.clear();
        m_selected.clear();
        m_selectedIn.clear();
        m_scene = m_editor.document().history().sceneNumber();
        m_buffer.clear();
        rebuild();
    });
    connect(&editor.selection(), &Selection::changed, this, again);
    m_scene = editor.document().history().sceneNumber();
    rebuild();
}

void GraphState::shareSelection(GraphState& all)
{
    m_all = &all;
    connect(&all, &GraphState::picked, this, [this] { take(m_all->selected()); });
    connect(this, &GraphState::picked, &all, [this] { m_all->take(m_selected); });
}

void GraphState::take(const GraphKeys& keys)
{
    m_selected.clear();
    for (const auto& [id, ticks] : keys)
        if (find(id) != nullptr && isShown(id) && isEdited(id.channel))
            m_selected.emplace_hint(m_selected.end(), id, ticks);
    ++m_selectionRevision;
    emit changed();
}

void GraphState::rebuild()
{
    std::vector<ObjectId> objects;
    if (m_scope == Scope::All) {
        if (const Clip* clip = m_editor.document().clip())
            for (const auto& [channel, keys] : clip->channels)
                if (objects.empty() || objects.back() != channel.target) objects.push_back(channel.target);
    } else {
        for (const SelectionItem& item : m_editor.selection().items())
            if (std::find(objects.begin(), objects.end(), item.object) == objects.end()) objects.push_back(item.object);
        const Clip* clip = m_editor.document().clip(); // whose channel is the weight of its corrections
        if (clip != nullptr && m_editor.document().edit().layer == Layer::Corrections)
            objects.push_back(clip->id.value);
    }
    std::vector<CurveId> before;
    for (const GraphCurve& curve : curves()) before.push_back(curve.id);
    m_curves.update(m_editor.document().scene(), m_editor.document().clip(), objects);
    if (!m_isHeld) {
        recall();
        prune();
        normalise();
    }
    // Others are to be looked at: of other objects, or in the place of those that there were, as after Convert to
    // Euler.
    const auto& now = curves();
    const auto added = std::count_if(now.begin(), now.end(), [&](const GraphCurve& curve) {
        return std::find(before.begin(), before.end(), curve.id) == before.end();
    });
    const bool isAnyGone = std::any_of(before.begin(), before.end(),
                                       [this](const CurveId& id) { return find(id) == nullptr; });
    const bool areReplaced = isAnyGone && 2 * added >= static_cast<std::ptrdiff_t>(now.size()) && added > 0;
    const bool isOther = objects != m_objects;
    m_objects = std::move(objects);
    if (isOther && m_all != nullptr && !m_isHeld) take(m_all->selected());
    if (isOther || areReplaced) emit curvesReplaced();
    emit changed();
}

void GraphState::prune()
{
    std::erase_if(m_active, [this](const CurveId& id) { return find(id) == nullptr; });
    if (m_active.empty()) m_isIsolating = false;
    if (std::erase_if(m_selected, [this](const auto& each) { return !isEdited(each.first.channel); }) > 0)
        ++m_selectionRevision; // another layer is edited now
    if (std::exchange(m_prunedFor, curvesRevision()) == curvesRevision()) return;
    const std::size_t before = selectedCount();
    for (auto& [id, ticks] : m_selected) {
        const GraphCurve* curve = find(id);
        if (curve == nullptr)
            ticks.clear();
        else
            std::erase_if(ticks, [curve](std::int64_t each) { return !curve->summary->find(each); });
    }
    std::erase_if(m_selected, [](const auto& each) { return each.second.empty(); });
    if (selectedCount() != before) ++m_selectionRevision;
}

void GraphState::normalise()
{
    m_normals.clear();
    if (!m_isNormalised) return;
    for (const GraphCurve& curve : curves()) {
        const auto range = curve.summary->range(curve.id.component, 0, curve.summary->size());
        const double half = (range.high - range.low) / 2;
        m_normals[curve.id] = {(range.low + range.high) / 2, half > 0 ? half : 1};
    }
}

std::vector<const GraphCurve*> GraphState::shown() const
{
    std::vector<const GraphCurve*> shown;
    for (const GraphCurve& curve : curves())
        if (isShown(curve.id)) shown.push_back(&curve);
    return shown;
}

Layer GraphState::layerOf(ChannelId channel) const
{
    const bool isWeight = channel.property == Property::Weight &&
                          m_editor.document().scene().find(ClipId{channel.target}) != nullptr;
    return isWeight ? Layer::Corrections : channel.layer;
}

bool GraphState::isShown(const CurveId& id) const { return !isHidden(id) && (!m_isIsolating || isActive(id)); }

void GraphState::setHidden(const std::vector<CurveId>& curves, bool isHidden)
{
    for (const CurveId& id : curves) {
        if (isHidden)
            m_hidden.insert(id);
        else
            m_hidden.erase(id);
        if (isHidden) m_selected.erase(id); // what is not seen is not edited
    }
    emit changed();
}

void GraphState::setActive(const std::vector<CurveId>& curves, bool isAdded)
{
    if (!isAdded) m_active.clear();
    m_active.insert(curves.begin(), curves.end());
    if (m_active.empty()) m_isIsolating = false;
    if (m_isIsolating) std::erase_if(m_selected, [this](const auto& each) { return !isActive(each.first); });
    emit changed();
}

void GraphState::setIsolating(bool isOn)
{
    // Without active curves, those of the selected keys are meant.
    if (isOn && m_active.empty())
        for (const auto& [id, ticks] : m_selected) m_active.insert(id);
    m_isIsolating = isOn && !m_active.empty();
    if (m_isIsolating) std::erase_if(m_selected, [this](const auto& each) { return !isActive(each.first); });
    emit changed();
}

void GraphState::setNormalised(bool isOn)
{
    m_isNormalised = isOn;
    normalise();
    emit scaleChanged();
    emit changed();
}

void GraphState::setSnaps(bool isOn)
{
    if (m_all != nullptr) m_all->setSnaps(isOn);
    m_snaps = isOn;
    emit changed();
}

void GraphState::setLasso(bool isOn)
{
    m_hasLasso = isOn;
    emit changed();
}

void GraphState::setTransformBox(bool isOn)
{
    m_hasBox = isOn;
    emit changed();
}

void GraphState::setWeighted(bool isOn)
{
    m_isWeighted = isOn;
    emit changed();
}

void GraphState::setBuffered(bool isOn)
{
    m_buffer.clear();
    if (isOn) m_buffer = curves();
    emit changed();
}

void GraphState::setBuffer(std::vector<GraphCurve> curves)
{
    m_buffer = std::move(curves);
    emit changed();
}

std::size_t GraphState::selectedCount() const { return countOf(m_selected); }

bool GraphState::isSelected(const CurveId& id, std::int64_t ticks) const
{
    const auto found = m_selected.find(id);
    return found != m_selected.end() && found->second.count(ticks) != 0;
}

void GraphState::select(GraphKeys keys, bool isAdded)
{
    std::erase_if(keys, [this](const auto& each) { return !isEdited(each.first.channel); });
    if (isAdded) {
        for (auto& [id, ticks] : keys) m_selected[id].merge(ticks);
    } else {
        m_selected = std::move(keys);
    }
    std::erase_if(m_selected, [](const auto& each) { return each.second.empty(); });
    pick();
}

void GraphState::pick()
{
    ++m_selectionRevision;
    emit picked();
    emit changed();
}

void GraphState::toggle(const CurveId& id, std::int64_t ticks)
{
    if (!isEdited(id.channel)) return;
    if (isSelected(id, ticks))
        m_selected[id].erase(ticks);
    else
        m_selected[id].insert(ticks);
    if (m_selected[id].empty()) m_selected.erase(id);
    pick();
}

bool GraphState::isChosen(const CurveId& id) const
{
    if (!isEdited(id.channel)) return false;
    if (!m_selected.empty()) return m_selected.count(id) != 0;
    if (m_scope == Scope::Selected) return m_active.empty() || isActive(id);
    return m_editor.selection().isEmpty() || m_editor.selection().containsObject(id.channel.target);
}

GraphKeys GraphState::chosen() const
{
    if (!m_selected.empty()) return m_selected;
    GraphKeys keys;
    for (const GraphCurve* curve : shown()) {
        if (!isEdited(curve->id.channel) || (!m_active.empty() && !isActive(curve->id))) continue;
        std::set<std::int64_t>& ticks = keys[curve->id];
        for (std::size_t i = 0; i < curve->summary->size(); ++i) ticks.insert(ticks.end(), curve->summary->ticks(i));
    }
    return keys;
}

void GraphState::selectAll()
{
    m_selected.clear();
    select(chosen());
}

void GraphState::holdSelection(bool isHeld)
{
    if (m_all != nullptr) m_all->holdSelection(isHeld);
    if (isHeld && !m_isHeld) m_heldFrom = m_selected;
    m_isHeld = isHeld;
    if (isHeld) return;
    rebuild();
    m_heldFrom.reset();
}

bool GraphState::areThere(const GraphKeys& keys) const
{
    return std::all_of(keys.begin(), keys.end(), [this](const auto& each) {
        const GraphCurve* curve = find(each.first);
        return curve != nullptr && std::all_of(each.second.begin(), each.second.end(), [curve](std::int64_t ticks) {
                   return curve->summary->find(ticks).has_value();
               });
    });
}

void GraphState::recall()
{
    if (m_all != nullptr) return; // it is picked there, for both
    const History& history = m_editor.document().history();
    const std::uint64_t former = std::exchange(m_scene, history.sceneNumber());
    if (former == m_scene) return;
    if (history.hasScene(former)) m_selectedIn[former] = m_heldFrom ? *m_heldFrom : m_selected;
    std::erase_if(m_selectedIn, [&history](const auto& each) { return !history.hasScene(each.first); });
    std::size_t count = 0;
    for (const auto& [scene, keys] : m_selectedIn) count += countOf(keys);
    constexpr std::size_t kMostKeys = 2'000'000;
    for (; count > kMostKeys; m_selectedIn.erase(m_selectedIn.begin())) count -= countOf(m_selectedIn.begin()->second);
    const auto found = m_selectedIn.find(m_scene);
    if (found == m_selectedIn.end() || found->second.empty() || found->second == m_selected) return;
    if (!areThere(found->second)) return;
    m_selected = found->second;
    pick();
}

double GraphState::shownValue(const GraphCurve& curve, double value) const
{
    if (const auto normal = m_normals.find(curve.id); normal != m_normals.end())
        return (value - normal->second.middle) / normal->second.half;
    return value * unitOf(curve.property()).factor;
}

double GraphState::channelValue(const GraphCurve& curve, double shown) const
{
    if (const auto normal = m_normals.find(curve.id); normal != m_normals.end())
        return shown * normal->second.half + normal->second.middle;
    return shown / unitOf(curve.property()).factor;
}

std::optional<GraphState::Extent> GraphState::extentOf(const GraphKeys& keys) const
{
    Extent extent{HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    for (const auto& [id, list] : keys) {
        const GraphCurve* curve = find(id);
        if (curve == nullptr || list.empty()) continue;
        extent.firstFrame = std::min(extent.firstFrame, fps().frameAt(Time{*list.begin()}));
        extent.lastFrame = std::max(extent.lastFrame, fps().frameAt(Time{*list.rbegin()}));
        for (const std::int64_t ticks : list) {
            const auto key = curve->summary->find(ticks);
            if (!key) continue;
            const double value = shownValue(*curve, curve->summary->value(*key, id.component));
            extent.low = std::min(extent.low, value);
            extent.high = std::max(extent.high, value);
        }
    }
    return extent.low <= extent.high ? std::optional(extent) : std::nullopt;
}

std::optional<GraphState::Extent> GraphState::extentOfShown(bool onlyActive) const
{
    Extent extent{HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    for (const GraphCurve* curve : shown()) {
        if (onlyActive && !m_active.empty() && !isActive(curve->id)) continue;
        const CurveSummary& summary = *curve->summary;
        const auto range = summary.range(curve->id.component, 0, summary.size());
        extent.firstFrame = std::min(extent.firstFrame, fps().frameAt(Time{summary.ticks(0)}));
        extent.lastFrame = std::max(extent.lastFrame, fps().frameAt(Time{summary.ticks(summary.size() - 1)}));
        extent.low = std::min(extent.low, shownValue(*curve, range.low));
        extent.high = std::max(extent.high, shownValue(*curve, range.high));
    }
    return extent.low <= extent.high ? std::optional(extent) : std::nullopt;
}

} // namespace tendon::editor

#include "app/widgets/dope/DopeRows.h"

#include "app/widgets/ChannelTitles.h"
#include "core/scene/Check.h"

#include <QCoreApplication>

#include <algorithm>

namespace tendon::editor {
namespace {

struct RowWords
{
    Q_DECLARE_TR_FUNCTIONS(DopeSheet)
};

/// "Rotation" of rx: its axis is a letter of its own.
QString titleWithoutAxis(const CurveId& curve)
{
    QString title = channelTitle(curve.channel.property);
    const bool hasAxis = curve.channel.property <= Property::Sz; // "Rotation X"
    if (hasAxis) title.chop(2);
    return curve.channel.layer == Layer::Corrections ? RowWords::tr("%1, correction").arg(title) : title;
}

bool isCorrection(const CurveId& curve) { return curve.channel.layer == Layer::Corrections; }

/// A row for each number of a channel; one for a whole rotation, whose numbers belong together.
DopeRow channelRow(const CurveId& curve)
{
    DopeRow row;
    row.target = curve.channel.target;
    row.curves = {curve};
    row.isChannel = true;
    row.isBlend = curve.channel.property == Property::Blend && curve.channel.layer == Layer::Keys;
    const bool isWhole = isQuaternion(curve.channel.property);
    row.axis = isWhole ? -1 : axisOf(curve);
    row.text = row.axis >= 0 ? titleWithoutAxis(curve) : channelTitle(curve.channel);
    return row;
}

KeyTimes::Sources sourcesOf(const GraphState& state, const std::vector<CurveId>& curves)
{
    KeyTimes::Sources sources;
    for (const CurveId& id : curves)
        if (const GraphCurve* curve = state.find(id); curve != nullptr)
            if (sources.empty() || sources.back() != curve->summary) sources.push_back(curve->summary);
    return sources;
}

} // namespace

void DopeRows::rebuild(const GraphState& state)
{
    const Scene& scene = state.editor().document().scene();
    const auto matches = [this](const QString& text) {
        return m_filter.isEmpty() || text.contains(m_filter, Qt::CaseInsensitive);
    };
    m_rows.clear();
    std::vector<CurveId> all;
    const auto& curves = state.curves();
    for (std::size_t begin = 0, end = 0; begin < curves.size(); begin = end) {
        const ObjectId target = curves[begin].id.channel.target;
        while (end < curves.size() && curves[end].id.channel.target == target) ++end;
        if (m_onlySelected && !state.editor().selection().containsObject(target)) continue;
        DopeRow object;
        object.text = ownerTitle(scene, target);
        object.target = target;
        const bool isWholeObject = matches(object.text);
        std::vector<DopeRow> channels;
        for (std::size_t i = begin; i < end; ++i) {
            const CurveId& id = curves[i].id;
            const bool goesAlong = isQuaternion(id.channel.property) && id.component > 0;
            if (goesAlong && !channels.empty() && channels.back().curves.front().channel == id.channel) {
                channels.back().curves.push_back(id);
                object.curves.push_back(id);
                continue;
            }
            DopeRow row = channelRow(id);
            const QString axis = row.axis < 0 ? QString() : QStringLiteral(" ") + QChar(u'X' + row.axis);
            if (goesAlong || (!isWholeObject && !matches(row.text + axis))) continue;
            object.curves.push_back(id);
            channels.push_back(std::move(row));
        }
        if (object.curves.empty()) continue;
        // What the filter has found is shown.
        object.isOpen = m_open.count(target) != 0 || (!m_filter.isEmpty() && !isWholeObject);
        all.insert(all.end(), object.curves.begin(), object.curves.end());
        const bool isOpen = object.isOpen;
        if (m_rows.empty()) m_rows.emplace_back();
        m_rows.push_back(std::move(object));
        if (isOpen) std::move(channels.begin(), channels.end(), std::back_inserter(m_rows));
    }
    if (m_rows.empty()) return;
    m_rows.front().text = RowWords::tr("Summary");
    m_rows.front().isOpen = true;
    m_rows.front().curves = std::move(all);
    for (DopeRow& row : m_rows) {
        row.ticks = m_times.of(sourcesOf(state, row.curves));
        std::vector<CurveId> edited = row.curves;
        if (std::erase_if(edited, [&](const CurveId& id) { return !state.isEdited(id.channel); }) > 0)
            row.editedTicks = m_times.of(sourcesOf(state, edited));
        if (std::none_of(row.curves.begin(), row.curves.end(), isCorrection)) continue;
        std::vector<CurveId> own, corrections;
        std::partition_copy(row.curves.begin(), row.curves.end(), std::back_inserter(corrections),
                            std::back_inserter(own), isCorrection);
        row.ownTicks = m_times.of(sourcesOf(state, own));
        row.correctionTicks = m_times.of(sourcesOf(state, corrections));
    }
}

void DopeRows::fold(ObjectId object)
{
    if (m_open.erase(object) == 0) m_open.insert(object);
}

void DopeRows::foldAll(const GraphState& state, bool isOut)
{
    m_open.clear();
    if (isOut)
        for (const GraphCurve& curve : state.curves()) m_open.insert(curve.id.channel.target);
}

GraphKeys DopeRows::keysOf(const GraphState& state, const DopeRow& row, std::int64_t from, std::int64_t to)
{
    GraphKeys keys;
    for (const CurveId& id : row.curves) {
        const GraphCurve* curve = state.find(id);
        if (curve == nullptr) continue;
        const auto& ticks = curve->summary->allTicks();
        const auto begin = std::lower_bound(ticks.begin(), ticks.end(), from),
                   end = std::upper_bound(begin, ticks.end(), to);
        if (begin != end) keys[id].insert(begin, end);
    }
    return keys;
}

} // namespace tendon::editor

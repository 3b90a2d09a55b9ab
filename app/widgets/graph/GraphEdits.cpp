#include "app/widgets/graph/GraphEdits.h"

#include "app/widgets/time/MarkedRange.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tendon::editor {

std::vector<KeyBundle> bundlesOf(const GraphKeys& keys)
{
    std::vector<KeyBundle> bundles;
    for (const auto& [id, ticks] : keys) {
        const bool isSame = !bundles.empty() && bundles.back().channel == id.channel && bundles.back().ticks == ticks;
        if (isSame)
            bundles.back().components.push_back(id.component);
        else
            bundles.push_back({id.channel, {id.component}, ticks});
    }
    return bundles;
}

std::vector<KeyBundle> wholeKeys(const GraphKeys& keys)
{
    std::vector<KeyBundle> bundles;
    for (const auto& [id, ticks] : keys) {
        if (bundles.empty() || bundles.back().channel != id.channel) bundles.push_back({id.channel, {}, {}});
        bundles.back().components.push_back(id.component);
        bundles.back().ticks.insert(ticks.begin(), ticks.end());
    }
    return bundles;
}

void nameLayer(const GraphState& state, ChannelId channel, QJsonObject& operation)
{
    const EditorDocument& document = state.editor().document();
    if (document.scene().find(ClipId{channel.target}) != nullptr || channel.layer == document.edit().layer) return;
    const std::string_view name = layerName(channel.layer);
    operation.insert(QStringLiteral("layer"), QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
}

QJsonObject keyOperation(const GraphState& state, const char* name, const KeyBundle& bundle)
{
    const Scene& scene = state.editor().document().scene();
    QJsonObject operation{{QStringLiteral("op"), QLatin1StringView(name)},
                          {QStringLiteral("target"), QString::fromStdString(nameOf(scene, bundle.channel.target))},
                          {QStringLiteral("channels"),
                           QJsonArray{QString::fromStdString(std::string(propertyName(bundle.channel.property)))}}};
    nameLayer(state, bundle.channel, operation);
    const auto frameOf = [&](std::int64_t ticks) { return scene.fps.frameAt(Time{ticks}); };
    const GraphCurve* curve = state.find({bundle.channel, 0});
    const std::size_t between = curve == nullptr ? 0
                                                 : curve->summary->countBefore(*bundle.ticks.rbegin() + 1) -
                                                       curve->summary->countBefore(*bundle.ticks.begin());
    constexpr std::size_t kFew = 8; // so many are named one by one, for people who read the script
    if (bundle.ticks.size() > kFew && between == bundle.ticks.size()) {
        operation.insert(QStringLiteral("range"),
                         QJsonArray{frameOf(*bundle.ticks.begin()), frameOf(*bundle.ticks.rbegin())});
        return operation;
    }
    QJsonArray frames;
    for (const std::int64_t ticks : bundle.ticks) frames.append(frameOf(ticks));
    operation.insert(QStringLiteral("frames"), frames);
    return operation;
}

QJsonArray componentNames(const std::vector<int>& components)
{
    static constexpr const char* kNames[] = {"x", "y", "z", "w"};
    QJsonArray names;
    for (const int component : components) names.append(QLatin1StringView(kNames[static_cast<std::size_t>(component)]));
    return names;
}

KeyMove::KeyMove(const GraphState& state, const GraphKeys& keys)
{
    for (const KeyBundle& bundle : bundlesOf(keys))
        for (const int component : bundle.components) { // one by one: normalised, each has a scale of its own
            const GraphCurve* curve = state.find({bundle.channel, component});
            if (curve == nullptr || !hasNumbers(curve->property())) continue;
            QJsonObject operation = keyOperation(state, "moveKeys", bundle);
            operation.insert(QStringLiteral("by"), 0);
            if (componentCount(curve->property()) > 1)
                operation.insert(QStringLiteral("components"), componentNames({component}));
            const double factor = state.channelValue(*curve, 1) - state.channelValue(*curve, 0);
            m_values.push_back({operation, isAngle(curve->property()) ? factor * kDegrees : factor});
        }
    for (const KeyBundle& bundle : wholeKeys(keys)) m_times.push_back(keyOperation(state, "moveKeys", bundle));
}

std::vector<QJsonObject> KeyMove::operations(double frames, double shown) const
{
    std::vector<QJsonObject> operations;
    // Values first: afterwards the keys are at other frames.
    if (shown != 0)
        for (const ValueMove& move : m_values) {
            operations.push_back(move.operation);
            operations.back().insert(QStringLiteral("value"), move.factor * shown);
        }
    if (frames != 0 || operations.empty())
        for (const QJsonObject& move : m_times) {
            operations.push_back(move);
            operations.back().insert(QStringLiteral("by"), frames);
        }
    return operations;
}

GraphKeys movedKeys(const GraphState& state, const GraphKeys& keys, double frames)
{
    const std::int64_t shift = state.fps().timeOf(frames).ticks;
    GraphKeys moved;
    for (const auto& [id, ticks] : keys)
        for (const std::int64_t each : ticks) moved[id].insert(each + shift);
    return moved;
}

std::vector<QJsonObject> deleteKeys(const GraphState& state, const GraphKeys& keys)
{
    std::vector<QJsonObject> operations;
    for (const KeyBundle& bundle : wholeKeys(keys)) operations.push_back(keyOperation(state, "deleteKey", bundle));
    const auto& marked = state.editor().playback().part();
    if (operations.size() < 2 || !marked || keys != keysBetween(state, marked->first, marked->second))
        return operations;
    for (QJsonObject& operation : operations) { // the marked time is deleted
        operation.remove(QStringLiteral("frames"));
        operation.insert(QStringLiteral("range"), QJsonArray{marked->first, marked->second});
        operation.insert(QStringLiteral("keepStates"), true);
    }
    return operations;
}

std::vector<QJsonObject> setTangents(const GraphState& state, const GraphKeys& keys, const QJsonObject& fields,
                                     bool byComponent)
{
    std::vector<QJsonObject> operations;
    for (const KeyBundle& bundle : byComponent ? bundlesOf(keys) : wholeKeys(keys)) {
        QJsonObject operation = keyOperation(state, "setTangent", bundle);
        const Property property = bundle.channel.property;
        const auto count = static_cast<std::size_t>(componentCount(property));
        const bool hasSlopes = fields.contains(QLatin1StringView("in")) || fields.contains(QLatin1StringView("out"));
        if (byComponent && bundle.components.size() < count && (hasSlopes || hasNumbers(property)))
            operation.insert(QStringLiteral("components"), componentNames(bundle.components));
        for (auto field = fields.begin(); field != fields.end(); ++field) operation.insert(field.key(), field.value());
        operations.push_back(operation);
    }
    return operations;
}

std::vector<QJsonObject> setValues(const GraphState& state, const GraphKeys& keys,
                                   const std::function<double(double shown)>& change)
{
    // Keys that come to the same value are one operation.
    std::map<std::pair<CurveId, double>, std::set<std::int64_t>> byValue;
    for (const auto& [id, list] : keys) {
        const GraphCurve* curve = state.find(id);
        if (curve == nullptr || !hasNumbers(curve->property())) continue;
        const double factor = unitOf(curve->property()).factor;
        for (const std::int64_t ticks : list)
            if (const auto key = curve->summary->find(ticks))
                byValue[{id, change(curve->summary->value(*key, id.component) * factor)}].insert(ticks);
    }
    std::vector<QJsonObject> operations;
    for (const auto& [to, list] : byValue) {
        const auto& [id, value] = to;
        QJsonObject operation = keyOperation(state, "setKeyValue", {id.channel, {id.component}, list});
        if (componentCount(id.channel.property) > 1)
            operation.insert(QStringLiteral("components"), componentNames({id.component}));
        operation.insert(QStringLiteral("value"), operationValue(id.channel.property, value));
        operations.push_back(operation);
    }
    return operations;
}

std::vector<QJsonObject> forChannels(const GraphState& state, const GraphKeys& keys, const QJsonObject& operation)
{
    std::vector<QJsonObject> operations;
    for (const KeyBundle& bundle : wholeKeys(keys)) {
        QJsonObject each = keyOperation(state, "", bundle);
        for (const char* field : {"frames", "range"}) each.remove(QLatin1StringView(field));
        for (auto field = operation.begin(); field != operation.end(); ++field) each.insert(field.key(), field.value());
        operations.push_back(each);
    }
    return operations;
}

std::vector<QJsonObject> forKeys(const GraphState& state, const GraphKeys& keys, const char* name,
                                 const QJsonObject& fields)
{
    std::vector<QJsonObject> operations;
    for (const KeyBundle& bundle : wholeKeys(keys)) {
        QJsonObject operation = keyOperation(state, name, bundle);
        for (auto field = fields.begin(); field != fields.end(); ++field) operation.insert(field.key(), field.value());
        operations.push_back(operation);
    }
    return operations;
}

/// Whether a breakdown at the current frame would key a curve.
static bool canBreakDown(const GraphState& state, const GraphCurve& curve)
{
    const Time time = state.fps().timeOf(state.editor().document().edit().frame);
    const CurveSummary& summary = *curve.summary;
    return summary.countBefore(time.ticks) > 0 && summary.countBefore(time.ticks + 1) < summary.size() &&
           state.isShown(curve.id) && state.isChosen(curve.id);
}

bool hasBreakdowns(const GraphState& state)
{
    return std::any_of(state.curves().begin(), state.curves().end(),
                       [&](const GraphCurve& curve) { return canBreakDown(state, curve); });
}

std::vector<QJsonObject> breakdowns(const GraphState& state, double factor)
{
    std::map<std::pair<ObjectId, Layer>, std::set<Property>> channels;
    for (const GraphCurve& curve : state.curves())
        if (canBreakDown(state, curve))
            channels[{curve.id.channel.target, curve.id.channel.layer}].insert(curve.property());
    std::vector<QJsonObject> operations;
    for (const auto& [owner, properties] : channels) {
        const auto& [object, layer] = owner;
        QJsonArray names;
        for (const Property property : properties)
            names.append(QString::fromStdString(std::string(propertyName(property))));
        const QString name = QString::fromStdString(nameOf(state.editor().document().scene(), object));
        operations.push_back({{"op", "breakdown"}, {"target", name}, {"channels", names}, {"factor", factor}});
        nameLayer(state, {object, *properties.begin(), layer}, operations.back());
    }
    return operations;
}

std::vector<QJsonObject> replacements(const GraphState& state, ChannelId channel, const KeyList& from,
                                      const KeyList& to)
{
    const Property property = channel.property;
    const auto numbers = [property](const ChannelValue& value) -> QJsonValue {
        QJsonArray array;
        for (int c = 0; c < componentCount(property); ++c) {
            const double number = value[static_cast<std::size_t>(c)];
            array.append(isAngle(property) ? number * kDegrees : number);
        }
        return array.size() == 1 ? array.first() : QJsonValue(array);
    };
    const auto at = [&](const char* name, Time time) { return keyOperation(state, name, {channel, {}, {time.ticks}}); };
    std::vector<QJsonObject> operations;
    std::set<Time> beside; // keys beside new ones, which are put on the curve and make them store its slopes
    for (const Key& key : to.toVector()) {
        if (from.at(key.time) != nullptr) continue;
        QJsonObject add = at("key", key.time);
        add.insert(QStringLiteral("frame"), add.take(QStringLiteral("frames")).toArray().first());
        operations.push_back(add);
        const std::size_t next = from.countUpTo(key.time);
        if (next > 0) beside.insert(from[next - 1].time);
        if (next < from.size()) beside.insert(from[next].time);
    }
    for (const Key& key : to.toVector()) {
        const Key* former = from.at(key.time);
        if (former != nullptr && *former == key && beside.count(key.time) == 0) continue;
        operations.push_back(at("setKeyValue", key.time));
        operations.back().insert(QStringLiteral("value"), numbers(key.value));
        QJsonObject tangent = at("setTangent", key.time);
        tangent.insert(QStringLiteral("mode"), fieldWord(key.tangents));
        tangent.insert(QStringLiteral("interpolation"), fieldWord(key.interpolation));
        tangent.insert(QStringLiteral("inWeight"), key.inWeight);
        tangent.insert(QStringLiteral("outWeight"), key.outWeight);
        if (isStored(key.tangents)) tangent.insert(QStringLiteral("out"), numbers(key.out));
        if (key.tangents == TangentMode::Free) tangent.insert(QStringLiteral("in"), numbers(key.in));
        operations.push_back(tangent);
    }
    for (const Key& key : from.toVector())
        if (to.at(key.time) == nullptr) operations.push_back(at("deleteKey", key.time));
    if (from.before() != to.before() || from.after() != to.after()) {
        QJsonObject infinity = at("setInfinity", from.front().time);
        infinity.remove(QStringLiteral("frames"));
        infinity.insert(QStringLiteral("before"), fieldWord(to.before()));
        infinity.insert(QStringLiteral("after"), fieldWord(to.after()));
        operations.push_back(infinity);
    }
    return operations;
}

KeyScale::KeyScale(const GraphState& state, const GraphKeys& keys, double aboutFrame, double aboutShown)
    : m_keys(keys), m_fps(state.fps()), m_frame(aboutFrame)
{
    for (const KeyBundle& bundle : bundlesOf(keys))
        for (const int component : bundle.components) {
            const GraphCurve* curve = state.find({bundle.channel, component});
            if (curve == nullptr || !hasNumbers(curve->property())) continue;
            QJsonObject operation = keyOperation(state, "scaleKeys", bundle);
            if (componentCount(curve->property()) > 1)
                operation.insert(QStringLiteral("components"), componentNames({component}));
            const double about = state.channelValue(*curve, aboutShown);
            operation.insert(QStringLiteral("valueAbout"), isAngle(curve->property()) ? about * kDegrees : about);
            m_values.push_back(operation);
        }
    for (const KeyBundle& bundle : wholeKeys(keys)) {
        m_times.push_back(keyOperation(state, "scaleKeys", bundle));
        m_times.back().insert(QStringLiteral("about"), aboutFrame);
    }
}

std::vector<QJsonObject> KeyScale::operations(double time, double value, bool snaps) const
{
    std::vector<QJsonObject> operations;
    if (value != 1)
        for (const QJsonObject& each : m_values) {
            operations.push_back(each);
            operations.back().insert(QStringLiteral("valueBy"), value);
        }
    if (time != 1 || operations.empty())
        for (const QJsonObject& each : m_times) {
            operations.push_back(each);
            operations.back().insert(QStringLiteral("by"), time);
            if (snaps) operations.back().insert(QStringLiteral("snap"), true);
        }
    return operations;
}

GraphKeys KeyScale::scaled(double time, bool snaps) const
{
    const Time about = m_fps.timeOf(m_frame);
    GraphKeys scaled;
    for (const auto& [id, ticks] : m_keys)
        for (const std::int64_t each : ticks) {
            const Time there{about.ticks + Time::fromSeconds(time * (Time{each}.seconds() - about.seconds())).ticks};
            scaled[id].insert(snaps ? m_fps.timeOf(std::round(m_fps.frameAt(there))).ticks : there.ticks);
        }
    return scaled;
}

} // namespace tendon::editor

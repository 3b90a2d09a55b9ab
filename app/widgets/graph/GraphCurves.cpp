#include "app/widgets/graph/GraphCurves.h"

#include "app/editor/LengthUnit.h"
#include "app/editor/ShownKeys.h"
#include "core/math/Degrees.h"
#include "core/runtime/CorrectionMerge.h"
#include "core/runtime/KeySampling.h"

namespace tendon::editor {
namespace {

constexpr double kHalf = 0.5; // a blend below it shows FK

/// The keys of a handle's blend with its corrections; null = it has neither.
std::shared_ptr<const Shared<KeyList>> shownBlend(const Scene& scene, const Clip& clip, ObjectId object)
{
    const ChannelId channel{object, Property::Blend};
    if (clip.hasCorrectionsOn && clip.find(inLayer(channel, Layer::Corrections)) != nullptr)
        if (const auto merged = mergedCorrections(scene, clip, object); merged && merged->find(channel) != nullptr)
            return std::make_shared<const Shared<KeyList>>(*merged->find(channel));
    const auto keys = clip.channels.find(channel);
    return keys == clip.channels.end() ? nullptr : std::make_shared<const Shared<KeyList>>(keys->second);
}

} // namespace

CurveUnit unitOf(Property property)
{
    if (isAngle(property)) return {kDegrees, "°", 1};
    const bool isLength = (property >= Property::Tx && property <= Property::Tz) ||
                          (isPlace(property) && !isQuaternion(property));
    const LengthUnit& unit = LengthUnits::instance().shown();
    return isLength ? CurveUnit{unit.perMetre, unit.suffix, 1 + unit.extraDecimals} : CurveUnit{1, "", 3};
}

double operationValue(Property property, double shown)
{
    return isAngle(property) ? shown : shown / unitOf(property).factor;
}

int axisOf(const CurveId& curve)
{
    const Property property = curve.channel.property;
    if (property <= Property::Sz) return static_cast<int>(property) % 3;
    return componentCount(property) > 1 && curve.component < 3 ? curve.component : -1;
}

QString componentTitle(const CurveId& curve)
{
    static constexpr const char* kNames[] = {"X", "Y", "Z", "W"};
    return componentCount(curve.channel.property) == 1
               ? QString()
               : QString::fromLatin1(kNames[static_cast<std::size_t>(curve.component)]);
}

bool isFk(const GraphCurve& curve, Time time)
{
    return curve.blend != nullptr ? sampleKeys(**curve.blend, Property::Blend, time)[0] < kHalf : curve.isAlwaysFk;
}

bool GraphCurves::isOf(const Origin& origin) const
{
    return m_origin && m_origin->clip.isSame(origin.clip) && m_origin->handles.isSame(origin.handles) &&
           m_origin->fk == origin.fk && m_origin->objects == origin.objects && m_origin->weight == origin.weight;
}

GraphCurves::Known GraphCurves::knownFrom(const Shared<KeyList>& keys, Property property)
{
    const Shared<KeyList> shown = isQuaternion(property) ? Shared(withFollowingSigns(*keys, property)) : keys;
    return {keys, shown, std::make_shared<const CurveSummary>(*shown, property)};
}

void GraphCurves::update(const Scene& scene, const Clip* clip, const std::vector<ObjectId>& objects)
{
    Origin origin{{}, scene.handles, {}, objects, {}};
    if (clip != nullptr) origin.weight = scene.staticValue(clip->correctionsWeight());
    for (const Handle& handle : *scene.handles)
        origin.fk.push_back(scene.staticValue({handle.id.value, Property::Blend})[0] < kHalf);
    for (const Shared<Clip>& each : scene.clips)
        if (&*each == clip) origin.clip = each;
    if (isOf(origin)) return;
    m_origin = std::move(origin);
    ++m_revision;
    std::map<ChannelId, Known> known;
    m_curves.clear();
    for (const ObjectId object : objects) {
        if (clip == nullptr) break;
        const auto blend = shownBlend(scene, *clip, object);
        const bool isAlwaysFk = blend == nullptr && scene.find(HandleId{object}) != nullptr &&
                                scene.staticValue({object, Property::Blend})[0] < kHalf;
        for (auto at = clip->channels.lower_bound({object, Property{}});
             at != clip->channels.end() && at->first.target == object; ++at) {
            const auto& [channel, keys] = *at;
            if (isSpace(channel.property) && !m_hasSpaces) continue;
            if (!isShown(scene, channel) || known.count(channel) != 0) continue;
            const auto before = m_known.find(channel);
            const Known& now = known
                                   .emplace(channel, before != m_known.end() && before->second.keys.isSame(keys)
                                                         ? before->second
                                                         : knownFrom(keys, channel.property))
                                   .first->second;
            const bool isBlend = channel.property == Property::Blend; // which is neither
            for (int c = 0; c < componentCount(channel.property); ++c)
                m_curves.push_back(
                    {{channel, c}, now.shown, now.summary, isBlend ? nullptr : blend, !isBlend && isAlwaysFk});
        }
    }
    m_known = std::move(known);
    m_places.clear();
    for (std::size_t i = 0; i < m_curves.size(); ++i) m_places.emplace(m_curves[i].id, i);
}

const GraphCurve* GraphCurves::find(const CurveId& id) const
{
    const auto found = m_places.find(id);
    return found == m_places.end() ? nullptr : &m_curves[found->second];
}

} // namespace tendon::editor

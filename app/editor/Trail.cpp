#include "app/editor/Trail.h"

#include "app/editor/JsonValues.h"
#include "core/document/MakeOperation.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/Check.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tendon::editor {
namespace {

constexpr std::array kSlides = {Property::Tx, Property::Ty, Property::Tz};

std::optional<Vector3> placeIn(const RangeFrame& frame, const SelectionItem& item)
{
    if (item.kind == SelectionItem::Kind::Joint) {
        const JointIndex joint = frame.rig == nullptr ? -1 : frame.rig->index(item.joint());
        if (joint < 0 || frame.joints.empty()) return std::nullopt;
        return Vector3(frame.joints[at(joint)].col(3).cast<double>());
    }
    const RangeFrame::HandlePlace* place = frame.find(item.handle());
    if (place == nullptr) return std::nullopt;
    switch (item.kind) {
    case SelectionItem::Kind::Handle: return place->goal;
    case SelectionItem::Kind::Pole: return place->pole;
    case SelectionItem::Kind::Effector: return place->effector;
    default: return std::nullopt;
    }
}

/// The channels whose keys say where an item is.
std::vector<Property> placeChannels(const SelectionItem& item)
{
    switch (item.kind) {
    case SelectionItem::Kind::Handle: return {Property::GoalPosition};
    case SelectionItem::Kind::Pole: return {Property::Pole};
    case SelectionItem::Kind::Joint: return {kSlides.begin(), kSlides.end()};
    default: return {};
    }
}

/// The key of a channel, in its layer, that is shown at a frame; null = none.
const Key* keyNear(const Scene& scene, const Clip* clip, ChannelId channel, int frame)
{
    const KeyList* keys = clip == nullptr ? nullptr : clip->find(channel);
    if (keys == nullptr) return nullptr;
    const std::size_t after = keys->countUpTo(scene.fps.timeOf(frame - 0.5));
    if (after == keys->size()) return nullptr;
    const Key& key = (*keys)[after];
    return std::lround(scene.fps.frameAt(key.time)) == frame ? &key : nullptr;
}

void markKeys(Trail& trail, const Scene& scene, const Clip* clip)
{
    if (clip == nullptr || trail.points.empty()) return;
    const std::vector<Property> places = placeChannels(trail.item);
    for (const auto& [channel, keys] : clip->channels) {
        if (channel.target != trail.item.object) continue;
        const bool isPlace = std::find(places.begin(), places.end(), channel.property) != places.end();
        if (!isPlace && trail.item.kind != SelectionItem::Kind::Joint) continue; // a goal's turn is not of its path
        for (std::size_t i = 0; i < keys->size(); ++i) {
            const auto frame = static_cast<int>(std::lround(scene.fps.frameAt((*keys)[i].time)));
            const auto point = std::lower_bound(trail.points.begin(), trail.points.end(), frame,
                                                [](const Trail::Point& p, int f) { return p.frame < f; });
            if (point == trail.points.end() || point->frame != frame) continue;
            point->isKey = true;
            point->isMovable = point->isMovable || isPlace;
        }
    }
}

/// The linear part of the space that a key's numbers are in, as the solved frame has it.
Eigen::Matrix3d worldFromSpace(const Scene& scene, const RangeFrame& frame, const SelectionItem& item)
{
    if (item.kind != SelectionItem::Kind::Joint) {
        const RangeFrame::HandlePlace* place = frame.find(item.handle());
        if (place == nullptr) return Eigen::Matrix3d::Identity();
        return item.kind == SelectionItem::Kind::Pole ? place->poleAxes : place->goalAxes;
    }
    const JointId space = scene.find(item.joint())->parent; // none: the world
    const JointIndex joint = space.isValid() && frame.rig != nullptr ? frame.rig->index(space) : -1;
    if (joint < 0 || frame.joints.empty()) return Eigen::Matrix3d::Identity();
    return frame.joints[at(joint)].leftCols<3>().cast<double>();
}

} // namespace

void Trails::update(const Selection& selection, const SolvedRange& range, const Scene& scene, const Clip* clip,
                    int frame, bool isChanged)
{
    const int first = std::max(scene.firstFrame, frame - kMaxReach),
              last = std::min(scene.lastFrame, frame + kMaxReach);
    if (!isChanged && first == m_first && last == m_last && selection.items() == m_items) return;
    m_first = first;
    m_last = last;
    m_items = selection.items();
    m_trails.clear();
    const auto begin = range.frames().lower_bound(first), end = range.frames().upper_bound(last);
    for (const SelectionItem& item : m_items) {
        Trail trail{item, {}};
        for (auto entry = begin; entry != end; ++entry)
            if (const auto place = placeIn(*entry->second.frame, item))
                trail.points.push_back({entry->first, *place, entry->second.isAged});
        markKeys(trail, scene, clip);
        if (trail.points.size() > 1) m_trails.push_back(std::move(trail));
    }
}

Result<QJsonObject> moveTrailKey(const Scene& scene, const Clip* clip, const SolvedRange& range,
                                 const SelectionItem& item, int frame, const Vector3& way, Layer layer)
{
    const std::string name = nameOf(scene, item.object);
    const SolvedRange::Entry* entry = range.find(frame);
    if (name.empty() || entry == nullptr)
        return Error{ErrorCode::NotFound, "there is nothing to move at frame " + std::to_string(frame), name};
    const Vector3 by = worldFromSpace(scene, *entry->frame, item).inverse() * way;
    std::vector<QJsonObject> operations;
    const bool isCorrection = layer == Layer::Corrections;
    const double weight = isCorrection ? correctionsWeight(scene, clip, {}, scene.fps.timeOf(frame)) : 1;
    if (weight == 0)
        return Error{ErrorCode::InvalidArgument,
                     "corrections are off or have weight 0 at frame " + std::to_string(frame) +
                         "; show them, or edit the clip's own keys",
                     name};
    const Vector3 moved = by / weight; // a correction by more where it counts less
    const std::string_view in = layerName(layer);
    bool isInOther = false;
    for (const Property property : placeChannels(item)) {
        const ChannelId channelHere{item.object, property, layer};
        const Key* key = keyNear(scene, clip, channelHere, frame);
        const Layer other = isCorrection ? Layer::Keys : Layer::Corrections;
        isInOther = isInOther || keyNear(scene, clip, inLayer(channelHere, other), frame) != nullptr;
        if (key == nullptr) continue;
        const auto slide = std::find(kSlides.begin(), kSlides.end(), property);
        const QString channel = QString::fromUtf8(propertyName(property).data(),
                                                  static_cast<qsizetype>(propertyName(property).size()));
        operations.push_back(
            {{"op", "setKeyValue"},
             {"target", QString::fromStdString(name)},
             {"channels", QJsonArray{channel}},
             {"frame", scene.fps.frameAt(key->time)},
             {"layer", QString::fromUtf8(in.data(), static_cast<qsizetype>(in.size()))},
             {"by", slide != kSlides.end() ? QJsonValue(moved[slide - kSlides.begin()]) : QJsonValue(toJson(moved))}});
    }
    if (operations.empty() && isInOther)
        return Error{ErrorCode::InvalidArgument,
                     "the key at frame " + std::to_string(frame) +
                         (isCorrection ? " is the clip's own, and corrections are edited"
                                       : " is one of the corrections, and the clip's own keys are edited"),
                     name};
    if (operations.empty())
        return Error{ErrorCode::InvalidArgument,
                     "the path comes from rotations; go to frame " + std::to_string(frame) + " and pose it there",
                     name};
    return ops::group(operations);
}

} // namespace tendon::editor

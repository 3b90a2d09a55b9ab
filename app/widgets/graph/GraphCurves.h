#pragma once

#include "app/widgets/graph/CurveSummary.h"
#include "core/scene/Scene.h"

#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tendon::editor {

/// One component of a channel: what the graph draws as one curve.
struct CurveId
{
    ChannelId channel;
    int component = 0;

    auto operator<=>(const CurveId&) const = default;
};

/// A curve of the graph, with the keys that it is drawn from: those of the clip, of quaternions withFollowingSigns().
struct GraphCurve
{
    CurveId id;
    Shared<KeyList> keys;
    std::shared_ptr<const CurveSummary> summary;
    std::shared_ptr<const Shared<KeyList>> blend; ///< of its handle; null = it has none, or the curve is a joint's
    bool isAlwaysFk = false;                      ///< the blend has no keys, and its value is FK

    [[nodiscard]] bool mayBeFk() const { return blend != nullptr || isAlwaysFk; }
    [[nodiscard]] Property property() const { return id.channel.property; }
};

/// Whether a channel's numbers can be edited one by one: not those of a whole rotation, nor what a handle follows.
[[nodiscard]] constexpr bool hasNumbers(Property property) { return !isQuaternion(property) && !isSpace(property); }

/// How the values of a channel are shown: centimetres, degrees, or as they are.
struct CurveUnit
{
    double factor = 1; ///< shown value = factor x the channel's
    const char* text = "";
    int decimals = 2;
};
[[nodiscard]] CurveUnit unitOf(Property property);
/// An operation's value for a shown one: metres, degrees, or as it is.
[[nodiscard]] double operationValue(Property property, double shown);
/// 0, 1 or 2 for what belongs to x, y or z; else -1.
[[nodiscard]] int axisOf(const CurveId& curve);
[[nodiscard]] QString componentTitle(const CurveId& curve); ///< "X"; "" if the channel has one component

/// Whether the curve's handle shows FK at a time: its blend is below a half. Not of joints.
[[nodiscard]] bool isFk(const GraphCurve& curve, Time time);

/// The curves of objects, in the order of the objects and of their channels; remembers what it has summed up of keys
/// that have not changed.
class GraphCurves
{
public:
    /// `hasSpaces`: what handles follow is among them, which has keys but no curve to draw.
    explicit GraphCurves(bool hasSpaces = false) : m_hasSpaces(hasSpaces) {}

    void update(const Scene& scene, const Clip* clip, const std::vector<ObjectId>& objects);

    [[nodiscard]] const std::vector<GraphCurve>& all() const { return m_curves; }
    [[nodiscard]] const GraphCurve* find(const CurveId& id) const;
    [[nodiscard]] std::uint64_t revision() const { return m_revision; } ///< grows with every change

private:
    struct Known
    {
        Shared<KeyList> keys;  ///< of the clip
        Shared<KeyList> shown; ///< the same, but for signs of quaternions
        std::shared_ptr<const CurveSummary> summary;
    };
    /// What the curves are made of: as long as that is the same, so are they.
    struct Origin
    {
        Shared<Clip> clip;
        Shared<ObjectList<Handle>> handles;
        std::vector<bool> fk; ///< of each handle: what its blend is without keys
        std::vector<ObjectId> objects;
        ChannelValue weight{}; ///< of corrections, without keys
    };
    [[nodiscard]] bool isOf(const Origin& origin) const;
    [[nodiscard]] static Known knownFrom(const Shared<KeyList>& keys, Property property);

    bool m_hasSpaces;
    std::vector<GraphCurve> m_curves;
    std::map<CurveId, std::size_t> m_places; ///< in m_curves
    std::map<ChannelId, Known> m_known;
    std::optional<Origin> m_origin;
    std::uint64_t m_revision = 0;
};

} // namespace tendon::editor

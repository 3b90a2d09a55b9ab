#pragma once

#include "app/widgets/graph/GraphState.h"
#include "core/scene/KeyWords.h"

#include <QJsonArray>
#include <QJsonObject>

#include <functional>
#include <vector>

namespace tendon::editor {

// Edits of keys as operations. A key holds all components of its channel, so what is done to its time is done to all of
// them; values are changed by component. The numbers of a quaternion mean nothing one by one, so they stay as they are.

/// The same keys of several components of a channel.
struct KeyBundle
{
    ChannelId channel;
    std::vector<int> components;
    std::set<std::int64_t> ticks;
};
[[nodiscard]] std::vector<KeyBundle> bundlesOf(const GraphKeys& keys);
/// One bundle for each channel, with the keys of all its components.
[[nodiscard]] std::vector<KeyBundle> wholeKeys(const GraphKeys& keys);

/// An interpolation, a tangent mode or an infinity as the fields of operations have it.
template <typename Enum>
[[nodiscard]] QString fieldWord(Enum value)
{
    return QLatin1StringView(QByteArrayView(wordOf(value)));
}

/// {"op": name} with the bundle's target, channel, and frames (as a range where they are all there is between them).
/// Adds the layer of a channel to an operation on its keys, where that is not the layer that is being edited.
void nameLayer(const GraphState& state, ChannelId channel, QJsonObject& operation);

[[nodiscard]] QJsonObject keyOperation(const GraphState& state, const char* name, const KeyBundle& bundle);
[[nodiscard]] QJsonArray componentNames(const std::vector<int>& components);

/// A move of keys, from where they were when this was made: a drag asks again and again.
class KeyMove
{
public:
    KeyMove(const GraphState& state, const GraphKeys& keys);

    /// By frames and by shown values; both 0: operations that change nothing.
    [[nodiscard]] std::vector<QJsonObject> operations(double frames, double shown) const;

private:
    struct ValueMove
    {
        QJsonObject operation;
        double factor; ///< of an operation's value in a shown one
    };
    std::vector<ValueMove> m_values;
    std::vector<QJsonObject> m_times;
};
[[nodiscard]] GraphKeys movedKeys(const GraphState& state, const GraphKeys& keys, double frames);
/// Where they are all the keys of the marked frames, of several channels, what goes on after them stays: a blend, a
/// weight, what a handle follows.
[[nodiscard]] std::vector<QJsonObject> deleteKeys(const GraphState& state, const GraphKeys& keys);

/// setTangent with `fields` for the keys; `byComponent`: of the curves' own components, else of the whole keys.
[[nodiscard]] std::vector<QJsonObject> setTangents(const GraphState& state, const GraphKeys& keys,
                                                   const QJsonObject& fields, bool byComponent);
/// Each key's shown value becomes what `change` makes of it.
[[nodiscard]] std::vector<QJsonObject> setValues(const GraphState& state, const GraphKeys& keys,
                                                 const std::function<double(double shown)>& change);
/// An operation that works on whole channels, once for each channel of the keys.
[[nodiscard]] std::vector<QJsonObject> forChannels(const GraphState& state, const GraphKeys& keys,
                                                   const QJsonObject& operation);
/// An operation on the keys, with their frames.
[[nodiscard]] std::vector<QJsonObject> forKeys(const GraphState& state, const GraphKeys& keys, const char* name,
                                               const QJsonObject& fields);

/// Breakdowns at the current frame on those chosen curves that have keys before and after it.
[[nodiscard]] std::vector<QJsonObject> breakdowns(const GraphState& state, double factor);
[[nodiscard]] bool hasBreakdowns(const GraphState& state); ///< whether there is one

/// What makes the keys `from` of a channel the keys `to`. Not of quaternions.
[[nodiscard]] std::vector<QJsonObject> replacements(const GraphState& state, ChannelId channel, const KeyList& from,
                                                    const KeyList& to);

/// Scales keys in time about a frame and in shown value about a value, from where they were when this was made.
class KeyScale
{
public:
    KeyScale(const GraphState& state, const GraphKeys& keys, double aboutFrame, double aboutShown);

    /// `snaps`: the keys stop at whole frames.
    [[nodiscard]] std::vector<QJsonObject> operations(double time, double value, bool snaps) const;
    [[nodiscard]] GraphKeys scaled(double time, bool snaps) const; ///< where the keys are then

private:
    GraphKeys m_keys;
    FrameRate m_fps;
    double m_frame;
    std::vector<QJsonObject> m_values, m_times;
};

} // namespace tendon::editor

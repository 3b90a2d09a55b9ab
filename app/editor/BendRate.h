#pragma once

#include "app/editor/FrameResult.h"

#include <map>
#include <set>

namespace tendon::editor {

/// How far the chain of an active handle is bent in one frame, and how far its goal is from its start.
struct Bend
{
    double angle = 0;    ///< [rad] sum of the angles between neighbouring bones
    double distance = 0; ///< [m]
    bool operator==(const Bend&) const = default;
};
using Bends = std::map<HandleId, Bend>;

[[nodiscard]] Bends bendsOf(const FrameResult& frame);

/// Frames where a knee snaps: since the frame before, a chain has bent or straightened, per metre that its goal came
/// nearer to its start or went away from it, more than kSnap times the median: a body that walks over a planted foot,
/// or a leg that swings, is no snap. Goals at the end of a chain's reach cause this without soft IK. Only consecutive
/// frames are compared; a handle needs kMinSamples of them for its median.
[[nodiscard]] std::set<int> snappingFrames(const std::map<int, Bends>& frames);

inline constexpr double kSnap = 3;
inline constexpr std::size_t kMinSamples = 8;

} // namespace tendon::editor

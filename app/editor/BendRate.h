#pragma once

#include "app/editor/FrameResult.h"

#include <map>
#include <set>

namespace tendon::editor {

/// How far the chain of an active handle is bent in one frame, and where its goal is.
struct Bend
{
    double angle = 0;               ///< [rad] sum of the angles between neighbouring bones
    Vector3 goal = Vector3::Zero(); ///< [m]
    bool operator==(const Bend&) const = default;
};
using Bends = std::map<HandleId, Bend>;

[[nodiscard]] Bends bendsOf(const FrameResult& frame);

/// Frames where a knee snaps: since the frame before, a chain has bent or straightened, per metre that its goal moved,
/// more than kSnap times the median. Goals at the end of a chain's reach cause this without soft IK. Only consecutive
/// frames are compared; a handle needs kMinSamples of them for its median.
[[nodiscard]] std::set<int> snappingFrames(const std::map<int, Bends>& frames);

inline constexpr double kSnap = 3;
inline constexpr std::size_t kMinSamples = 8;

} // namespace tendon::editor

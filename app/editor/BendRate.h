#pragma once

#include "app/editor/FrameResult.h"

#include <map>
#include <set>

namespace tendon::editor {

/// How far each solved handle's chain is bent in one frame, and where its goal is then.
struct Bend
{
    double angle = 0;               ///< [rad] sum of the turns from bone to bone along the chain
    Vector3 goal = Vector3::Zero(); ///< [m]
    bool operator==(const Bend&) const = default;
};
using Bends = std::map<HandleId, Bend>;

[[nodiscard]] Bends bendsOf(const FrameResult& frame);

/// Frames where a knee snaps: from the frame before, a chain bends or straightens more than kSnap times as much for
/// each metre that its goal moves as it mostly does. That is what comes of a goal led to the very end of a chain's
/// reach without soft IK. Only frames that follow one another are compared; a handle needs kMinSamples of them to tell
/// what is usual.
[[nodiscard]] std::set<int> snappingFrames(const std::map<int, Bends>& frames);

inline constexpr double kSnap = 3;
inline constexpr std::size_t kMinSamples = 8;

} // namespace tendon::editor

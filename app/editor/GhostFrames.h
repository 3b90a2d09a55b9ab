#pragma once

#include "app/editor/Comparison.h"
#include "app/editor/SolvedRange.h"
#include "app/editor/ViewSettings.h"

#include <vector>

namespace tendon::editor {

class Selection;

/// One ghost: the model as it is at another frame, or as another solver poses it.
struct Ghost
{
    int frame = 1;
    enum class Side { Past, Future, Pinned, Compared } side = Side::Past;
    double strength = 1;  ///< 0 ... 1, less the farther away in time
    bool isAged = false;  ///< as it was before the last edits
    RangeFramePtr pose;   ///< never null, with joints of the drawn rig
    std::size_t look = 0; ///< compareLook() of one that is Compared
    bool operator==(const Ghost&) const = default;
};

/// The ghosts around a frame, those farthest away first. Those that are not solved yet are left out. At keys: of the
/// clip's keys of what is selected, or of all objects if nothing is. `rig`: that the ghosts are drawn with.
[[nodiscard]] std::vector<Ghost> ghostsAround(int frame, const ViewState& state, const SolvedRange& range,
                                              const Scene& scene, const Clip* clip, const Selection& selection,
                                              const CompiledRig& rig);

/// The answers of the compared solvers, but for the handle's own, which the model shows: one ghost for each, in its
/// colour.
[[nodiscard]] std::vector<Ghost> ghostsOf(const SolveRecording& recording,
                                          const std::shared_ptr<const CompiledRig>& rig, int frame);

/// The frames of the clip's keys of some joints and handles, or of all of them if there are none.
[[nodiscard]] std::set<int> keyedFrames(const Scene& scene, const Clip* clip, const std::set<ObjectId>& objects);

} // namespace tendon::editor

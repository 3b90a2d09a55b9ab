#include "app/editor/GhostFrames.h"

#include "app/editor/Selection.h"
#include "app/editor/ShownKeys.h"

#include <algorithm>
#include <cmath>

namespace tendon::editor {
namespace {

/// Frame numbers on one side of a frame, the nearest first.
std::vector<int> framesOf(int frame, int way, const ViewState& state, const std::set<int>& keys)
{
    std::vector<int> frames;
    for (int i = 1; i <= state.ghostCount; ++i) {
        if (state.ghostPlace == GhostPlace::Steps) {
            frames.push_back(frame + way * i * state.ghostStep);
            continue;
        }
        const int from = frames.empty() ? frame : frames.back();
        const auto next = way > 0 ? keys.upper_bound(from) : keys.lower_bound(from);
        if (way > 0 ? next == keys.end() : next == keys.begin()) break;
        frames.push_back(way > 0 ? *next : *std::prev(next));
    }
    return frames;
}

} // namespace

std::set<int> keyedFrames(const Scene& scene, const Clip* clip, const std::set<ObjectId>& objects)
{
    std::set<int> frames;
    if (clip == nullptr) return frames;
    for (const auto& [channel, keys] : clip->channels) {
        if (!isShown(scene, channel) || (!objects.empty() && objects.count(channel.target) == 0)) continue;
        for (std::size_t i = 0; i < keys->size(); ++i)
            frames.insert(static_cast<int>(std::lround(scene.fps.frameAt((*keys)[i].time))));
    }
    return frames;
}

std::vector<Ghost> ghostsAround(int frame, const ViewState& state, const SolvedRange& range, const Scene& scene,
                                const Clip* clip, const Selection& selection, const CompiledRig& rig)
{
    std::vector<Ghost> ghosts;
    if (!state.showsGhosts && state.pinnedGhosts.empty()) return ghosts;
    const auto add = [&](int at, Ghost::Side side, double strength) {
        const SolvedRange::Entry* entry = range.find(at);
        const bool isPosed = entry != nullptr && entry->frame->rig != nullptr && !entry->frame->joints.empty() &&
                             (entry->frame->rig.get() == &rig || entry->frame->rig->id == rig.id);
        if (isPosed && at != frame) ghosts.push_back({at, side, strength, entry->isAged, entry->frame});
    };
    for (const int pinned : state.pinnedGhosts) add(pinned, Ghost::Side::Pinned, 1);
    if (!state.showsGhosts) return ghosts;
    std::set<ObjectId> selected;
    for (const SelectionItem& item : selection.items()) selected.insert(item.object);
    const std::set<int> keys = state.ghostPlace == GhostPlace::Keys ? keyedFrames(scene, clip, selected)
                                                                    : std::set<int>{};
    const std::vector<int> past = framesOf(frame, -1, state, keys), future = framesOf(frame, 1, state, keys);
    for (std::size_t i = static_cast<std::size_t>(state.ghostCount); i-- > 0;) { // the nearest last, on top
        const double strength = 1 - static_cast<double>(i) / (state.ghostCount + 1);
        if (i < past.size()) add(past[i], Ghost::Side::Past, strength);
        if (i < future.size()) add(future[i], Ghost::Side::Future, strength);
    }
    return ghosts;
}

std::vector<Ghost> ghostsOf(const SolveRecording& recording, const std::shared_ptr<const CompiledRig>& rig, int frame)
{
    std::vector<Ghost> ghosts;
    for (std::size_t i = 1; i < recording.solvers.size(); ++i) {
        const SolverRecording& solver = recording.solvers[i];
        if (!solver.problem.empty() || solver.answer.model.modelFromJoint.size() != rig->jointCount()) continue;
        auto pose = std::make_shared<RangeFrame>();
        pose->rig = rig;
        for (const Affine& world : solver.answer.model.modelFromJoint)
            pose->joints.emplace_back(world.affine().cast<float>());
        Ghost ghost{frame, Ghost::Side::Compared, 1, false, std::move(pose)};
        ghost.look = i;
        ghosts.push_back(std::move(ghost));
    }
    return ghosts;
}

} // namespace tendon::editor

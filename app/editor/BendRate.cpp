#include "app/editor/BendRate.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tendon::editor {
namespace {

constexpr double kStill = 1e-6;   // [m] a goal that moves less says nothing
constexpr double kUnseen = 0.01;  // [rad] a frame: too little to be seen as a snap, whatever the ratio

double bendOf(const FrameResult& frame, const HandleView& view)
{
    const auto at = [&](JointIndex joint) { return Vector3(frame.pose.model.modelFromJoint[static_cast<std::size_t>(joint)].translation()); };
    const auto above = [&](JointIndex joint) { return frame.rig->parent[static_cast<std::size_t>(joint)]; };
    if (view.end == view.start) return 0;
    double angle = 0;
    JointIndex below = view.end;
    for (JointIndex joint = above(below); joint >= 0 && joint != view.start && above(joint) >= 0; joint = above(joint)) {
        const Vector3 in = at(joint) - at(above(joint)), out = at(below) - at(joint);
        if (in.norm() > kStill && out.norm() > kStill) angle += std::atan2(in.cross(out).norm(), in.dot(out));
        below = joint;
    }
    return angle;
}

} // namespace

Bends bendsOf(const FrameResult& frame)
{
    Bends bends;
    if (frame.rig == nullptr) return bends;
    for (const HandleView& view : frame.handles)
        if (view.isSolved() && view.start >= 0 && view.end >= 0) bends[view.handle] = {bendOf(frame, view), view.goal};
    return bends;
}

std::set<int> snappingFrames(const std::map<int, Bends>& frames)
{
    struct Step
    {
        int frame;
        double change, rate; ///< [rad], [rad/m]
    };
    std::map<HandleId, std::vector<Step>> steps;
    for (auto now = frames.begin(); now != frames.end(); ++now) {
        const auto before = frames.find(now->first - 1);
        if (before == frames.end()) continue;
        for (const auto& [handle, bend] : now->second) {
            const auto last = before->second.find(handle);
            if (last == before->second.end()) continue;
            const double way = (bend.goal - last->second.goal).norm(), change = std::abs(bend.angle - last->second.angle);
            if (way > kStill) steps[handle].push_back({now->first, change, change / way});
        }
    }
    std::set<int> snaps;
    for (auto& [handle, list] : steps) {
        if (list.size() < kFewest) continue;
        std::vector<double> rates;
        for (const Step& step : list) rates.push_back(step.rate);
        const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
        std::nth_element(rates.begin(), middle, rates.end());
        for (const Step& step : list)
            if (step.change > kUnseen && step.rate > kSnap * *middle) snaps.insert(step.frame);
    }
    return snaps;
}

} // namespace tendon::editor

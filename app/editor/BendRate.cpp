#include "app/editor/BendRate.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tendon::editor {
namespace {

constexpr double kStill = 1e-6;  // [m] a goal that moves less says nothing
constexpr double kUnseen = 0.01; // [rad] a frame: too little to be seen as a snap, whatever the ratio

double bendOf(const std::vector<Vector3>& places)
{
    double angle = 0;
    for (std::size_t i = 1; i + 1 < places.size(); ++i) {
        const Vector3 in = places[i] - places[i - 1], out = places[i + 1] - places[i];
        if (in.norm() > kStill && out.norm() > kStill) angle += std::atan2(in.cross(out).norm(), in.dot(out));
    }
    return angle;
}

} // namespace

Bends bendsOf(const FrameResult& frame)
{
    Bends bends;
    for (const HandleView& view : frame.handles)
        if (const std::vector<Vector3> places = frame.chainOf(view);
            view.target.isActive() && view.target.curve.empty() && !places.empty())
            bends[view.handle] = {bendOf(places), (view.target.goal.position - places.front()).norm()};
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
            const double way = std::abs(bend.distance - last->second.distance),
                         change = std::abs(bend.angle - last->second.angle);
            if (way > kStill) steps[handle].push_back({now->first, change, change / way});
        }
    }
    std::set<int> snaps;
    for (auto& [handle, list] : steps) {
        if (list.size() < kMinSamples) continue;
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

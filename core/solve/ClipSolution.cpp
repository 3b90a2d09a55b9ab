#include "core/solve/ClipSolution.h"

#include <tendon/kit/Kinematics.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tendon {

const ClipSolution::Path* ClipSolution::pathOf(std::span<const HandleId> handles) const
{
    const auto found = std::find_if(paths.begin(), paths.end(), [&](const Path& path) {
        return std::equal(path.handles.begin(), path.handles.end(), handles.begin(), handles.end());
    });
    return found == paths.end() ? nullptr : &*found;
}

bool ClipSolution::sample(const Path& path, const sdk::Model& model, Time time, std::span<double> q) const
{
    constexpr double kOnFrame = 1e-6;
    const double place = std::clamp(fps.frameAt(time) - firstFrame, 0.0, static_cast<double>(frames - 1));
    auto before = static_cast<std::size_t>(place);
    double part = place - static_cast<double>(before);
    if (part > 1 - kOnFrame) {
        ++before;
        part = 0;
    }
    const auto row = [&](std::size_t frame) {
        return std::span(path.q).subspan(frame * path.coordinates, path.coordinates);
    };
    if (part < kOnFrame) {
        if (path.isOwn[before] == 0) std::copy_n(row(before).begin(), q.size(), q.begin());
        return path.isOwn[before] == 0;
    }
    const std::size_t after = before + 1;
    if (path.isBreak[after] != 0) {
        const std::size_t nearest = part < 0.5 ? before : after;
        if (path.isOwn[nearest] == 0) std::copy_n(row(nearest).begin(), q.size(), q.begin());
        return path.isOwn[nearest] == 0;
    }
    if (path.isOwn[before] != 0 && path.isOwn[after] != 0) return false;
    std::array<double, 6> step{};
    for (std::int32_t b = 0; b < model.bodyCount; ++b) {
        const double* from = row(before).data() + model.qBegin[b];
        kit::differenceBody(model, b, from, row(after).data() + model.qBegin[b], step.data());
        for (double& own : step) own *= part;
        kit::integrateBody(model, b, from, step.data(), q.data() + model.qBegin[b]);
    }
    return true;
}

} // namespace tendon

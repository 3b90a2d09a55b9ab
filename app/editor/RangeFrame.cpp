#include "app/editor/RangeFrame.h"

#include "core/solve/StatusNames.h"

#include <algorithm>

namespace tendon::editor {

FrameQuality qualityOf(const FrameResult& frame)
{
    FrameQuality quality;
    for (const HandleView& view : frame.handles) {
        const bool isActive = view.target.isActive();
        if (view.isMissed) quality.error = std::max(quality.error, view.result.positionError);
        quality.isSoft = quality.isSoft || view.isSoft;
        quality.isCautious = quality.isCautious || (isActive && !cautionOf(*frame.scene, view.result).empty());
        quality.isAtLimit = quality.isAtLimit || (isActive && !view.result.limitHits.empty());
    }
    return quality;
}

const RangeFrame::HandlePlace* RangeFrame::find(HandleId handle) const
{
    const auto found = std::find_if(handles.begin(), handles.end(),
                                    [&](const HandlePlace& place) { return place.handle == handle; });
    return found == handles.end() ? nullptr : &*found;
}

void RangeFrame::copyTo(ModelPose& pose) const
{
    pose.modelFromJoint.resize(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        Affine& to = pose.modelFromJoint[i];
        to = Affine::Identity();
        to.affine() = joints[i].cast<double>();
    }
}

RangeFramePtr rangeFrameOf(const FrameResult& frame, bool keepsPose)
{
    auto kept = std::make_shared<RangeFrame>();
    kept->rig = frame.rig;
    if (frame.rig == nullptr) return kept;
    kept->quality = qualityOf(frame);
    kept->bends = bendsOf(frame);
    if (keepsPose) {
        kept->joints.reserve(frame.solved.model.modelFromJoint.size());
        for (const Affine& world : frame.solved.model.modelFromJoint)
            kept->joints.emplace_back(world.affine().cast<float>());
    }
    for (const HandleView& view : frame.handles)
        if (view.target.curve.empty())
            kept->handles.push_back({view.handle, view.target.goal.position, view.effector, view.target.pole,
                                     view.target.worldFromSpace.linear(), view.target.worldFromPoleSpace.linear()});
    return kept;
}

} // namespace tendon::editor

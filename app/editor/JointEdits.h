#pragma once

#include "app/editor/FrameResult.h"

#include <QJsonObject>

namespace tendon::editor {

// Operations that pose one joint as it is to be seen. One that IK drives takes its handle along: goal and pole turn
// about the joint, or the goal goes where the joint is to be.

/// `local`: the joint's whole rotation in its parent's space.
[[nodiscard]] QJsonObject turnOperation(const FrameResult& frame, const Joint& joint, const Quaternion& local);
/// One axis [rad] of a joint whose other angles are `angles`.
[[nodiscard]] QJsonObject turnOperation(const FrameResult& frame, const Joint& joint, int axis, const Vector3& angles);
/// One axis of the joint's translation in its parent's space. [m]
[[nodiscard]] QJsonObject slideOperation(const FrameResult& frame, const Joint& joint, int axis, double value);

/// The handle that drives the joint's rotation or place at the frame; null: it is posed by itself.
[[nodiscard]] const Handle* handleDriving(const FrameResult& frame, JointId joint);

/// What shows a joint with another value of one of its channels: the other joints of a chain that a handle moves stay
/// as the frame shows them.
[[nodiscard]] PendingValues previewValues(const Scene& scene, const FrameResult& frame, JointId joint,
                                          Property property, const ChannelValue& value);

} // namespace tendon::editor

#include "core/scene/JointMirror.h"

#include "core/scene/Check.h"
#include "core/scene/JointEdit.h"

#include <cmath>

namespace tendon {
namespace {

/// sign * value without ever making a negative zero, which files cannot tell from zero.
double withSign(double value, double sign) { return sign * value + 0.0; }

AxisFreedom turnedAbout(AxisFreedom axis, double sign)
{
    axis.from = withSign(axis.from, sign);
    axis.to = withSign(axis.to, sign);
    if (axis.springBack) axis.springBack = withSign(*axis.springBack, sign);
    return axis;
}

/// The order whose product, read in mapped axes, is that of `order`.
RotationOrder mappedOrder(RotationOrder order, const AxisMap& map)
{
    const std::array<int, 3> product = productOrder(order);
    for (const RotationOrder candidate : {RotationOrder::XYZ, RotationOrder::YZX, RotationOrder::ZXY,
                                          RotationOrder::XZY, RotationOrder::YXZ, RotationOrder::ZYX}) {
        bool isSame = true;
        for (std::size_t k = 0; k < 3; ++k)
            isSame = isSame && productOrder(candidate)[k] == map.target[static_cast<std::size_t>(product[k])];
        if (isSame) return candidate;
    }
    return order;
}

BallLimits mappedBall(const BallLimits& ball, const AxisMap& map)
{
    BallLimits mapped;
    const auto twist = static_cast<std::size_t>(ball.twistAxis);
    mapped.twistAxis = map.target[twist];
    if (ball.twist) {
        const double sign = map.sign[ball.twistAxis];
        mapped.twist = {{withSign((*ball.twist)[0], sign), withSign((*ball.twist)[1], sign)}};
    }
    if (ball.swing) {
        std::array<double, 4> swing{};
        for (int side = 0; side < 2; ++side) { // the two axes after the twist axis: a, then b
            const int source = (ball.twistAxis + 1 + side) % 3;
            const int target = map.target[static_cast<std::size_t>(source)];
            const int targetSide = (target - mapped.twistAxis + 3) % 3 - 1;
            const bool isFlipped = map.sign[source] < 0;
            const auto out = static_cast<std::size_t>(2 * targetSide);
            const auto in = static_cast<std::size_t>(2 * side);
            swing[out] = (*ball.swing)[in + (isFlipped ? 1 : 0)];
            swing[out + 1] = (*ball.swing)[in + (isFlipped ? 0 : 1)];
        }
        mapped.swing = swing;
    }
    return mapped;
}

} // namespace

Eigen::Matrix3d reflection(int axis)
{
    Eigen::Matrix3d s = Eigen::Matrix3d::Identity();
    s(axis, axis) = -1;
    return s;
}

Result<AxisMap> nearestAxisMap(const Eigen::Matrix3d& image)
{
    constexpr double kCosLimit = 0.906; // 25 degrees: built by eye, still the same axis
    AxisMap map;
    std::array<bool, 3> isTaken{};
    for (int axis = 0; axis < 3; ++axis) {
        int row = 0;
        const double length = image.col(axis).cwiseAbs().maxCoeff(&row);
        if (length < kCosLimit || isTaken[static_cast<std::size_t>(row)])
            return Error{
                ErrorCode::InvalidArgument,
                "their rest orientations are not mirror images of each other; set the limits by hand, or give the "
                "joints matching rest poses",
                ""};
        isTaken[static_cast<std::size_t>(row)] = true;
        map.target[static_cast<std::size_t>(axis)] = row;
        map.sign[axis] = image(row, axis) < 0 ? -1 : 1;
    }
    return map;
}

Eigen::Matrix3d mirroredTurns(const Scene& scene, const Joint& from, const Joint& to, int mirrorAxis)
{
    // S R(n, t) S = R(-S n, t): the image of a turn about n is a turn by the same angle about -S n.
    const Eigen::Matrix3d worldFromSource = rotationOf(worldInRestPose(scene, from.id)).toRotationMatrix();
    const Eigen::Matrix3d worldFromTarget = rotationOf(worldInRestPose(scene, to.id)).toRotationMatrix();
    return -(worldFromTarget.transpose() * reflection(mirrorAxis) * worldFromSource);
}

Eigen::Matrix3d mirroredMoves(const Scene& scene, const Joint& from, const Joint& to, int mirrorAxis)
{
    const Eigen::Matrix3d worldFromSource = rotationOf(worldInRestPose(scene, from.parent)).toRotationMatrix();
    const Eigen::Matrix3d worldFromTarget = rotationOf(worldInRestPose(scene, to.parent)).toRotationMatrix();
    return worldFromTarget.transpose() * reflection(mirrorAxis) * worldFromSource;
}

Joint withParametersOf(const Joint& from, const Joint& to, const AxisMap& turns, const AxisMap& moves)
{
    Joint result = to;
    result.rotationOrder = mappedOrder(from.rotationOrder, turns);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto turnTarget = static_cast<std::size_t>(turns.target[axis]);
        const auto moveTarget = static_cast<std::size_t>(moves.target[axis]);
        const auto i = static_cast<Eigen::Index>(axis);
        result.turning[turnTarget] = turnedAbout(from.turning[axis], turns.sign[i]);
        result.sliding[moveTarget] = turnedAbout(from.sliding[axis], moves.sign[i]);
        result.preferredAngle[turns.target[axis]] = withSign(from.preferredAngle[i], turns.sign[i]);
    }
    result.ball = from.ball ? std::optional<BallLimits>(mappedBall(*from.ball, turns)) : std::nullopt;
    result.stiffness = from.stiffness;
    result.turningRates = from.turningRates;
    result.slidingRates = from.slidingRates;
    return result;
}

Result<Scene> copyJointParameters(Scene scene, JointId from, JointId to, std::optional<int> mirrorAxis)
{
    const Joint* source = scene.find(from);
    const Joint* target = scene.find(to);
    if (source == nullptr || target == nullptr) return Error{ErrorCode::NotFound, "there is no such joint", ""};
    AxisMap turns, moves;
    if (mirrorAxis) {
        const auto mappedTurns = nearestAxisMap(mirroredTurns(scene, *source, *target, *mirrorAxis));
        if (!mappedTurns) return mappedTurns.error().within(source->name + " onto " + target->name);
        turns = *mappedTurns;
        const auto mappedMoves = nearestAxisMap(mirroredMoves(scene, *source, *target, *mirrorAxis));
        if (!mappedMoves) return mappedMoves.error().within(source->name + " onto " + target->name);
        moves = *mappedMoves;
    }
    return changeJoint(scene, withParametersOf(*source, *target, turns, moves));
}

} // namespace tendon

#pragma once

#include "core/retarget/RoledFigure.h"
#include "core/scene/ModelAsset.h"

namespace tendon {

/// A point that moves with joints.
struct SolePoint
{
    struct Share
    {
        JointIndex joint;
        double weight;
        Vector3 place; ///< [m] in the axes of the joint
    };
    std::vector<Share> shares;

    /// [m] Where it is; `positions` and `rotations` by joint.
    [[nodiscard]] Vector3 at(const std::vector<Vector3>& positions, const std::vector<Quaternion>& rotations) const;
};

/// The underside of a foot: points of which one is always lowest, however the foot is turned.
struct Sole
{
    JointIndex foot = -1;
    std::vector<SolePoint> points;

    /// [m] The height of its lowest point; `positions` and `rotations` by joint, in a world turned by `turn`.
    [[nodiscard]] double lowest(const std::vector<Vector3>& positions, const std::vector<Quaternion>& rotations,
                                const Quaternion& turn) const;
    /// Of the points near its underside that the foot alone moves, the one that is farthest along a direction of the
    /// turned world, in a pose that stands there; none if shins move them all. `legs` [m]: how long those are.
    [[nodiscard]] std::optional<std::size_t> end(const Vector3& direction, const CompiledRig& rig,
                                                 const WorldPose& pose, const Quaternion& turn, double legs) const;
};

/// The soles of the meshes that shins and feet move, in a pose that stands along +Y.
[[nodiscard]] std::vector<Sole> solesOfMeshes(const ModelAsset& model, const RoledFigure& figure,
                                              const ModelPose& pose);

/// The pose with its feet flat: those whose toes point down, as a skeleton may rest and nobody stands, are turned up.
[[nodiscard]] WorldPose withFlatFeet(const RoledFigure& figure, const WorldPose& pose, const Quaternion& upright);

/// The soles that a skeleton without a mesh would have: below its ankles by `ankleHeight` [m], from a heel behind the
/// ankle to the tips of the toes; where there are none, as long as feet are for legs of `legs` [m]. `pose` as it is in
/// the file, `upright` turns it upright.
[[nodiscard]] std::vector<Sole> solesOfJoints(const RoledFigure& figure, const WorldPose& pose,
                                              const Quaternion& upright, double ankleHeight, double legs);

/// [m] How high the ankles are above the soles, on average, in a pose that is turned by `turn`. None without soles.
[[nodiscard]] std::optional<double> anklesAboveSoles(const std::vector<Sole>& soles, const WorldPose& pose,
                                                     const Quaternion& turn);

/// [m] How high the ankles of a skeleton without a mesh are above its soles: where it rests on the floor, above that.
/// `isSure`: it does. None if there is nothing below the ankles.
struct AnkleHeight
{
    double height = 0;
    bool isSure = false;
};
[[nodiscard]] std::optional<AnkleHeight> ankleHeightOf(const RoledFigure& figure, const WorldPose& upright,
                                                       double legs);

/// [m] How far the lowest joint of its feet is below the ankles, on average.
[[nodiscard]] double jointsBelowAnkles(const RoledFigure& figure, const WorldPose& upright);

} // namespace tendon

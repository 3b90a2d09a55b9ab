#pragma once

#include <Eigen/Geometry>
#include <QByteArray>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tendon::test {

/// Evaluates a robot description by plain arithmetic directly from its XML, as the reference for the import. Shares no
/// code with it.
struct RobotReference
{
    struct Joint
    {
        std::string name, type, parent, child;
        Eigen::Vector3d xyz = Eigen::Vector3d::Zero(), rpy = Eigen::Vector3d::Zero(), axis = Eigen::Vector3d::UnitX();
        std::optional<double> lower, upper;
        bool isMimic = false;
    };
    std::vector<Joint> joints;
    std::vector<std::string> links;

    explicit RobotReference(const QByteArray& xml);

    /// The positions of a joint: one number for most; x, y and the angle for planar joints (in the plane perpendicular
    /// to the axis, which must be z); translation and rotations about the fixed x, y, z for floating joints.
    using Positions = std::map<std::string, std::vector<double>>;
    /// The frame of every link in the root's frame.
    [[nodiscard]] std::map<std::string, Eigen::Isometry3d> linkFrames(const Positions& positions) const;
};

} // namespace tendon::test

#pragma once

#include <Eigen/Geometry>
#include <QByteArray>
#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tendon::test {

/// A robot description by plain arithmetic straight from its XML: what the import is compared with. Shares no code with
/// it.
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

    /// Positions of a joint: one for most, x, y and the turn for planar ones (in the plane across the axis, which must
    /// be z), translation and turns about the fixed x, y, z for floating ones.
    using Positions = std::map<std::string, std::vector<double>>;
    /// Where every link's frame stands in the root's.
    [[nodiscard]] std::map<std::string, Eigen::Isometry3d> linkFrames(const Positions& positions) const;
};

} // namespace tendon::test

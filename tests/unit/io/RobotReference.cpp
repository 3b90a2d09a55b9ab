#include "tests/unit/io/RobotReference.h"

#include <QStringList>
#include <QXmlStreamReader>

#include <cmath>

namespace tendon::test {
namespace {

Eigen::Vector3d vectorIn(const QString& text, const Eigen::Vector3d& otherwise)
{
    const QStringList parts = text.simplified().split(' ');
    return parts.size() == 3 ? Eigen::Vector3d(parts[0].toDouble(), parts[1].toDouble(), parts[2].toDouble())
                             : otherwise;
}

/// Rodrigues' formula, written out.
Eigen::Matrix3d turn(const Eigen::Vector3d& axis, double angle)
{
    const Eigen::Vector3d u = axis / axis.norm();
    Eigen::Matrix3d cross;
    cross << 0, -u.z(), u.y(), u.z(), 0, -u.x(), -u.y(), u.x(), 0;
    return Eigen::Matrix3d::Identity() + std::sin(angle) * cross + (1 - std::cos(angle)) * cross * cross;
}

Eigen::Matrix3d fixedTurns(const Eigen::Vector3d& angles)
{
    return turn(Eigen::Vector3d::UnitZ(), angles.z()) * turn(Eigen::Vector3d::UnitY(), angles.y()) *
           turn(Eigen::Vector3d::UnitX(), angles.x());
}

Eigen::Isometry3d motion(const RobotReference::Joint& joint, const std::vector<double>& q)
{
    Eigen::Isometry3d moved = Eigen::Isometry3d::Identity();
    if (joint.type == "revolute" || joint.type == "continuous") moved.linear() = turn(joint.axis, q.at(0));
    if (joint.type == "prismatic") moved.translation() = joint.axis.normalized() * q.at(0);
    if (joint.type == "planar") {
        moved.translation() = Eigen::Vector3d(q.at(0), q.at(1), 0);
        moved.linear() = turn(Eigen::Vector3d::UnitZ(), q.at(2));
    }
    if (joint.type == "floating") {
        moved.translation() = Eigen::Vector3d(q.at(0), q.at(1), q.at(2));
        moved.linear() = fixedTurns({q.at(3), q.at(4), q.at(5)});
    }
    return moved;
}

} // namespace

RobotReference::RobotReference(const QByteArray& xml)
{
    QXmlStreamReader reader(xml);
    int depth = 0;
    bool isInJoint = false;
    while (!reader.atEnd()) {
        const auto token = reader.readNext();
        const auto attribute = [&](const char* name) {
            return reader.attributes().value(QLatin1String(name)).toString();
        };
        if (token == QXmlStreamReader::EndElement) {
            if (--depth == 1) isInJoint = false;
            continue;
        }
        if (token != QXmlStreamReader::StartElement) continue;
        const QString name = reader.name().toString();
        if (++depth == 2 && name == "link") links.push_back(attribute("name").toStdString());
        if (depth == 2 && name == "joint") {
            isInJoint = true;
            joints.emplace_back();
            joints.back().name = attribute("name").toStdString();
            joints.back().type = attribute("type").toStdString();
        }
        if (depth != 3 || !isInJoint) continue;
        Joint& joint = joints.back();
        if (name == "parent") joint.parent = attribute("link").toStdString();
        if (name == "child") joint.child = attribute("link").toStdString();
        if (name == "axis") joint.axis = vectorIn(attribute("xyz"), joint.axis);
        if (name == "mimic") joint.isMimic = true;
        if (name == "origin") {
            joint.xyz = vectorIn(attribute("xyz"), joint.xyz);
            joint.rpy = vectorIn(attribute("rpy"), joint.rpy);
        }
        if (name == "limit" && (joint.type == "revolute" || joint.type == "prismatic")) {
            joint.lower = attribute("lower").toDouble(); // 0 when left out, as the format has it
            joint.upper = attribute("upper").toDouble();
        }
    }
}

std::map<std::string, Eigen::Isometry3d> RobotReference::linkFrames(const Positions& positions) const
{
    std::map<std::string, const Joint*> above;
    for (const Joint& joint : joints) above[joint.child] = &joint;
    std::map<std::string, Eigen::Isometry3d> frames;
    for (const std::string& link : links) {
        Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
        for (std::string at = link; above.count(at) != 0; at = above[at]->parent) {
            const Joint& joint = *above[at];
            Eigen::Isometry3d origin = Eigen::Isometry3d::Identity();
            origin.linear() = fixedTurns(joint.rpy);
            origin.translation() = joint.xyz;
            const auto found = positions.find(joint.name);
            const Eigen::Isometry3d moved = found == positions.end() ? Eigen::Isometry3d::Identity()
                                                                     : motion(joint, found->second);
            frame = origin * moved * frame;
        }
        frames[link] = frame;
    }
    return frames;
}

} // namespace tendon::test

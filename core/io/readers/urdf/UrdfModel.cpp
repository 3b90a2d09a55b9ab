#include "core/io/readers/urdf/UrdfModel.h"

#include "core/math/Transform.h"

#include <console_bridge/console.h>
#include <tinyxml.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <set>

namespace tendon::urdf {
namespace {

/// Keeps urdfdom's first complaint and shows none of them.
class Listener : public console_bridge::OutputHandler
{
public:
    Listener()
    {
        console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_ERROR);
        console_bridge::useOutputHandler(this);
    }
    ~Listener() override { console_bridge::restorePreviousOutputHandler(); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override
    {
        if (m_first.empty() && level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR) m_first = text;
    }

    /// On one line, not too long.
    [[nodiscard]] std::string first() const
    {
        constexpr std::size_t kMaxLength = 300;
        std::string line = m_first.substr(0, kMaxLength);
        std::replace_if(
            line.begin(), line.end(), [](unsigned char c) { return c < ' '; }, ' ');
        while (!line.empty() && (line.back() == ' ' || line.back() == '.')) line.pop_back();
        return line.empty() ? "the file is not a robot description" : line;
    }

private:
    std::string m_first;
};

Vector3 vectorOf(const ::urdf::Vector3& v) { return {v.x, v.y, v.z}; }

LocalTransform transformOf(const ::urdf::Pose& pose)
{
    LocalTransform local;
    local.translation = vectorOf(pose.position);
    Quaternion rotation;
    pose.rotation.getQuaternion(rotation.x(), rotation.y(), rotation.z(), rotation.w());
    local.rotation = rotation.normalized();
    return local;
}

/// An axis of a node: x, y or z, and the turn that brings it to where the file's axis is.
struct AxisFrame
{
    std::size_t axis = 0;
    Quaternion turn = Quaternion::Identity();
};

Result<AxisFrame> frameOf(const ::urdf::Joint& joint)
{
    const Vector3 direction = vectorOf(joint.axis);
    const double length = direction.norm();
    if (!std::isfinite(length) || length < 1e-9)
        return Error{ErrorCode::InvalidArgument, "the joint axis is a zero vector", "joint " + joint.name};
    AxisFrame frame;
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    frame.axis = static_cast<std::size_t>(largest);
    const Vector3 unit = direction / length, own = Vector3::Unit(largest);
    if (unit == own) return frame;
    if (unit == -own) // a half turn about a neighbouring axis, without rounding
        frame.turn = Quaternion(0, largest == 0 ? 0 : 1, largest == 0 ? 1 : 0, 0);
    else
        frame.turn = shortestRotation(own, unit).normalized();
    return frame;
}

/// Box, cylinder and sphere; in the link's space.
Segment segmentOf(const ::urdf::Link& link)
{
    Segment segment;
    if (link.inertial && std::isfinite(link.inertial->mass)) segment.mass = std::max(0.0, link.inertial->mass);
    for (const auto& visual : link.visual_array) {
        if (!visual || !visual->geometry || visual->geometry->type == ::urdf::Geometry::MESH) continue;
        const LocalTransform place = transformOf(visual->origin);
        segment.offset = place.translation;
        segment.rotation = place.rotation;
        if (const auto* box = dynamic_cast<const ::urdf::Box*>(visual->geometry.get())) {
            segment.shape = Segment::Shape::Box;
            segment.size = vectorOf(box->dim);
        } else if (const auto* sphere = dynamic_cast<const ::urdf::Sphere*>(visual->geometry.get())) {
            segment.shape = Segment::Shape::Sphere;
            segment.size = {sphere->radius, 0, 0};
        } else if (const auto* cylinder = dynamic_cast<const ::urdf::Cylinder*>(visual->geometry.get())) {
            // Theirs lies along z about its middle; ours stands on y.
            constexpr double kHalfRoot = 1 / std::numbers::sqrt2;
            segment.shape = Segment::Shape::Cylinder;
            segment.size = {cylinder->radius, cylinder->length, 0};
            segment.offset -= place.rotation * Vector3(0, 0, cylinder->length / 2);
            segment.rotation = place.rotation * Quaternion(kHalfRoot, kHalfRoot, 0, 0);
        }
        if ((segment.size.array() < 0).any() || !segment.size.allFinite() || segment.size.isZero())
            segment.shape = Segment::Shape::None;
        if (segment.shape != Segment::Shape::None) return segment;
    }
    segment.offset = Vector3::Zero();
    segment.rotation = Quaternion::Identity();
    return segment;
}

bool hasMesh(const ::urdf::Link& link)
{
    return std::any_of(link.visual_array.begin(), link.visual_array.end(), [](const auto& visual) {
        return visual && visual->geometry && visual->geometry->type == ::urdf::Geometry::MESH;
    });
}

/// Walks the tree of links and makes nodes of it.
class Reader
{
public:
    explicit Reader(const ::urdf::ModelInterface& robot) : m_robot(robot)
    {
        m_model.format = "urdf";
        m_model.upAxis = 2;
        for (const auto& [name, joint] : robot.joints_)
            if (joint->type != ::urdf::Joint::FIXED) m_jointNames.insert(name);
    }

    Result<SourceModel> read()
    {
        struct Pending
        {
            const ::urdf::Link* link = nullptr;
            std::int32_t above = -1;
        };
        std::set<const ::urdf::Link*> seen;
        std::size_t meshes = 0;
        for (std::vector<Pending> waiting{{m_robot.getRoot().get(), -1}}; !waiting.empty();) {
            const Pending next = waiting.back();
            waiting.pop_back();
            if (!seen.insert(next.link).second)
                return Error{ErrorCode::InvalidArgument, "the link has more than one parent joint",
                             "link " + next.link->name};
            const auto node = addLink(*next.link, next.above);
            if (!node) return node.error();
            meshes += hasMesh(*next.link) ? 1 : 0;
            for (std::size_t c = next.link->child_links.size(); c-- > 0;) // last first: a stack turns them round
                waiting.push_back({next.link->child_links[c].get(), *node});
        }
        for (const auto& [name, link] : m_robot.links_)
            if (seen.count(link.get()) == 0)
                return Error{ErrorCode::InvalidArgument,
                             "the link cannot be reached from the root: the joints form a cycle", "link " + name};
        if (meshes > 0)
            m_model.issues.push_back(
                {Severity::Info,
                 std::to_string(meshes) + " links have mesh files, which are not imported; bones are drawn instead",
                 ""});
        for (const auto& [name, followers] : m_followers)
            m_model.issues.push_back({Severity::Warning,
                                      "joints that mimic it in the file move independently here: " + followers,
                                      "joint " + name});
        if (m_renamed > 0)
            m_model.issues.push_back(
                {Severity::Info,
                 std::to_string(m_renamed) + " links have the name of a joint; they were renamed to ..._link", ""});
        return std::move(m_model);
    }

private:
    /// Links and joints may share names in the file; here the joint keeps it.
    std::string nameOf(const ::urdf::Link& link)
    {
        if (m_jointNames.count(link.name) == 0) return link.name;
        ++m_renamed;
        return link.name + "_link";
    }

    std::int32_t add(const std::string& name, std::int32_t parent, const LocalTransform& local,
                     SourceFreedoms freedoms = {})
    {
        const auto index = static_cast<std::int32_t>(m_model.nodes.size());
        m_model.nodes.push_back({name, parent, local, true});
        freedoms.node = index;
        m_model.freedoms.push_back(freedoms);
        return index;
    }

    /// The joint above a link and the link itself; returns the link's node.
    Result<std::int32_t> addLink(const ::urdf::Link& link, std::int32_t above)
    {
        SourceFreedoms drawn;
        drawn.segment = segmentOf(link);
        LocalTransform local;
        if (above >= 0) {
            if (!link.parent_joint)
                return Error{ErrorCode::Internal, "the link has no parent joint", "link " + link.name};
            const ::urdf::Joint& joint = *link.parent_joint;
            local = transformOf(joint.parent_to_joint_origin_transform);
            if (!local.translation.allFinite() || !local.rotation.coeffs().allFinite())
                return Error{ErrorCode::InvalidArgument, "the origin is not finite", "joint " + joint.name};
            if (joint.type != ::urdf::Joint::FIXED) {
                const auto moving = addJoint(joint, local, above);
                if (!moving) return moving.error();
                above = moving->node;
                local = {};
                local.rotation = moving->turn.conjugate();
            }
        }
        return add(nameOf(link), above, local, drawn);
    }

    struct Moving
    {
        std::int32_t node = -1;
        Quaternion turn = Quaternion::Identity(); ///< of the node against the link below it
    };

    Result<Moving> addJoint(const ::urdf::Joint& joint, LocalTransform local, std::int32_t above)
    {
        AxisFrame frame;
        if (joint.type != ::urdf::Joint::FLOATING) {
            const auto found = frameOf(joint);
            if (!found) return found.error();
            frame = *found;
        }
        local.rotation = (local.rotation * frame.turn).normalized();
        auto freedoms = freedomsOf(joint, frame.axis);
        if (!freedoms) return freedoms.error();
        const bool slides = std::any_of(freedoms->sliding.begin(), freedoms->sliding.end(),
                                        [](const AxisFreedom& axis) { return axis.active; });
        if (slides) {
            above = add(joint.name + "_rail", above, local);
            local = {};
        }
        if (joint.mimic) noteMimic(joint);
        return Moving{add(joint.name, above, local, *freedoms), frame.turn};
    }

    static Result<SourceFreedoms> freedomsOf(const ::urdf::Joint& joint, std::size_t axis)
    {
        SourceFreedoms freedoms;
        AxisFreedom along;
        along.active = true;
        switch (joint.type) {
        case ::urdf::Joint::CONTINUOUS: freedoms.turning[axis] = along; break;
        case ::urdf::Joint::REVOLUTE:
        case ::urdf::Joint::PRISMATIC:
            if (joint.limits) {
                along.limited = true;
                along.from = joint.limits->lower;
                along.to = joint.limits->upper;
            }
            if (!std::isfinite(along.from) || !std::isfinite(along.to))
                return Error{ErrorCode::InvalidArgument, "a limit is not finite", "joint " + joint.name};
            (joint.type == ::urdf::Joint::REVOLUTE ? freedoms.turning : freedoms.sliding)[axis] = along;
            break;
        case ::urdf::Joint::PLANAR: // in the plane across its axis, and about it
            freedoms.turning[axis] = along;
            freedoms.sliding[(axis + 1) % 3] = freedoms.sliding[(axis + 2) % 3] = along;
            break;
        case ::urdf::Joint::FLOATING:
            freedoms.turning.fill(along);
            freedoms.sliding.fill(along);
            break;
        default: return Error{ErrorCode::Unsupported, "unknown joint type", "joint " + joint.name};
        }
        // 0 is what files write that have no speed limit, and what is filled in for those that leave it out.
        const double speed = joint.limits ? joint.limits->velocity : 0;
        const bool isSpeed = std::isfinite(speed) && speed > 0;
        const bool slides = joint.type == ::urdf::Joint::PRISMATIC;
        if (isSpeed && (slides || joint.type == ::urdf::Joint::REVOLUTE || joint.type == ::urdf::Joint::CONTINUOUS))
            (slides ? freedoms.slidingSpeed : freedoms.turningSpeed) = speed;
        return freedoms;
    }

    void noteMimic(const ::urdf::Joint& joint)
    {
        char text[96];
        std::snprintf(text, sizeof text, " (times %g, plus %g)", joint.mimic->multiplier, joint.mimic->offset);
        std::string& followers = m_followers[joint.mimic->joint_name];
        followers += (followers.empty() ? "" : ", ") + joint.name + text;
    }

    const ::urdf::ModelInterface& m_robot;
    SourceModel m_model;
    std::set<std::string> m_jointNames;             ///< of those that move
    std::map<std::string, std::string> m_followers; ///< by the joint that is mimicked
    std::size_t m_renamed = 0;
};

/// urdfdom refuses limits without effort and velocity, which many files leave out.
std::string withWholeLimits(const std::string& text)
{
    TiXmlDocument document;
    document.Parse(text.c_str());
    TiXmlElement* robot = document.Error() ? nullptr : document.FirstChildElement("robot");
    if (robot == nullptr) return text; // urdfdom says what is wrong
    for (TiXmlElement* joint = robot->FirstChildElement("joint"); joint != nullptr;
         joint = joint->NextSiblingElement("joint"))
        if (TiXmlElement* limit = joint->FirstChildElement("limit"))
            for (const char* name : {"effort", "velocity"})
                if (limit->Attribute(name) == nullptr) limit->SetAttribute(name, "0");
    TiXmlPrinter printer;
    document.Accept(&printer);
    return printer.Str();
}

} // namespace

Result<SourceModel> readModel(std::span<const std::uint8_t> bytes)
{
    const auto failed = [](const std::string& reason) {
        return Error{ErrorCode::InvalidArgument, "cannot read the file: " + reason, ""};
    };
    Listener listener;
    try {
        const auto robot = ::urdf::parseURDF(withWholeLimits(std::string(bytes.begin(), bytes.end())));
        if (!robot || !robot->getRoot()) return failed(listener.first());
        return Reader(*robot).read();
    } catch (const std::bad_alloc&) {
        throw; // the worker's own line says it better
    } catch (const std::exception& exception) {
        return failed(exception.what());
    }
}

} // namespace tendon::urdf

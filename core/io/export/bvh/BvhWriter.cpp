#include "core/io/export/bvh/BvhWriter.h"

#include "core/base/Counted.h"
#include "core/math/RotationOrder.h"
#include "core/runtime/BakedPoses.h"
#include "core/scene/RestPose.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

namespace tendon {
namespace {

/// A joint in the file's order, parents first, and its frames.
struct BvhJoint
{
    const Joint* joint = nullptr; ///< null = the root that was put above several
    std::string name;
    std::ptrdiff_t parent = -1;
    std::vector<std::size_t> children;
    bool isEnd = false; ///< written as its parent's End Site
    bool moves = false; ///< against its parent: has position channels
    Quaternion restWorld = Quaternion::Identity();
    Vector3 offset = Vector3::Zero();  ///< from the parent's joint at rest, in world axes [m]
    std::vector<Vector3> positions;    ///< (frames) in the parent's frame [m]
    std::vector<Vector3> angles;       ///< (frames) [rad] unrolled
    std::array<int, 3> order{2, 1, 0}; ///< axes in the order of the matrix product
};

/// Fixed notation, as some readers know no other; nine digits behind the point hold what a float holds.
void append(std::string& text, double value)
{
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 9).ptr;
    std::string_view number(buffer, static_cast<std::size_t>(end - buffer));
    number.remove_suffix(number.size() - number.find_last_not_of('0') - 1);
    if (number.ends_with('.')) number.remove_suffix(1);
    text += number == "-0" ? std::string_view("0") : number;
}

void append(std::string& text, const Vector3& v)
{
    for (int i = 0; i < 3; ++i) {
        text += ' ';
        append(text, v[i]);
    }
}

/// Readers split names at blanks and take braces for themselves.
std::string writable(const std::string& name)
{
    std::string written = name.empty() ? "joint" : name;
    std::replace_if(
        written.begin(), written.end(), [](unsigned char c) { return c <= ' ' || c == '{' || c == '}' || c == 0x7f; },
        '_');
    return written;
}

class BvhFile
{
public:
    BvhFile(const Scene& scene, const BakedClip& clip) : m_scene(scene), m_clip(clip) {}

    Result<WrittenBvh> write()
    {
        if (m_scene.joints->empty())
            return Error{ErrorCode::InvalidArgument, "there is nothing to export: no joint", "scene"};
        if (m_clip.times.empty())
            return Error{ErrorCode::InvalidArgument, "there is nothing to export: no frame", "clip " + m_clip.name};
        auto poses = BakedPoses::of(m_scene);
        if (!poses) return poses.error();
        placeJoints();
        readMotion(*poses);
        std::string& text = m_written.text;
        text = "HIERARCHY\n";
        writeJoint(0, 0);
        writeFrames();
        return std::move(m_written);
    }

private:
    void placeJoints()
    {
        std::map<JointId, std::vector<const Joint*>> childrenOf;
        for (const Joint& joint : *m_scene.joints) childrenOf[joint.parent].push_back(&joint);
        const auto& roots = childrenOf[JointId{}];
        if (roots.size() > 1) {
            m_joints.push_back(
                {.joint = nullptr, .name = uniqueName("Root"), .children = {}, .positions = {}, .angles = {}});
            report(Severity::Info,
                   "BVH has one root: the " + std::to_string(roots.size()) + " roots are below a new joint, " +
                       m_joints[0].name,
                   "");
        }
        struct Pending
        {
            const Joint* joint = nullptr;
            std::ptrdiff_t parent = -1;
        };
        std::vector<Pending> waiting;
        const std::ptrdiff_t top = static_cast<std::ptrdiff_t>(m_joints.size()) - 1;
        for (auto root = roots.rbegin(); root != roots.rend(); ++root) waiting.push_back({*root, top});
        while (!waiting.empty()) {
            const auto [joint, parent] = waiting.back();
            waiting.pop_back();
            const std::size_t index = m_joints.size();
            placeJoint(*joint, parent, childrenOf[joint->id].empty());
            const auto& children = childrenOf[joint->id];
            for (auto child = children.rbegin(); child != children.rend(); ++child)
                waiting.push_back({*child, static_cast<std::ptrdiff_t>(index)});
        }
    }

    void placeJoint(const Joint& joint, std::ptrdiff_t parent, bool isLeaf)
    {
        BvhJoint placed{.joint = &joint, .name = {}, .parent = parent, .children = {}, .positions = {}, .angles = {}};
        const Affine world = worldInRestPose(m_scene, joint.id);
        placed.restWorld = rotationOf(world);
        placed.order = productOrder(joint.rotationOrder);
        if (joint.parent.isValid())
            placed.offset = world.translation() - worldInRestPose(m_scene, joint.parent).translation();
        if (parent >= 0) m_joints[static_cast<std::size_t>(parent)].children.push_back(m_joints.size());
        // An end that came from BVH goes back as what it was; importers name ends after their parents.
        if (isLeaf && parent >= 0 && m_scene.model && m_scene.model->source.format == "bvh" && standsStill(joint))
            placed.isEnd = joint.name == "EndSite_" + m_joints[static_cast<std::size_t>(parent)].name;
        placed.name = placed.isEnd ? joint.name : uniqueName(writable(joint.name));
        if (placed.name != joint.name)
            report(Severity::Info, "BVH cannot hold this name; it is written as " + placed.name, joint.name);
        m_written.nameOf[joint.id] = placed.name;
        m_joints.push_back(std::move(placed));
    }

    [[nodiscard]] bool standsStill(const Joint& joint) const
    {
        for (std::size_t j = 0; j < m_clip.joints.size(); ++j)
            if (m_clip.joints[j] == joint.id) return !m_clip.isAnimated[j] && m_clip.locals[j] == joint.rest;
        return true;
    }

    /// The world poses of all frames in the file's frames: a joint's frame is its world rotation since rest.
    void readMotion(BakedPoses& poses)
    {
        constexpr double kStill = 1e-7; // of the skeleton: below what a float holds
        const double still = kStill * skeletonRadius({m_clip}, poses);
        std::vector<Quaternion> turned(m_joints.size(), Quaternion::Identity());
        std::vector<Vector3> place(m_joints.size(), Vector3::Zero());
        for (std::size_t s = 0; s < m_clip.times.size(); ++s) {
            poses.at(m_clip, s);
            for (std::size_t j = 0; j < m_joints.size(); ++j) {
                BvhJoint& joint = m_joints[j];
                Quaternion above = Quaternion::Identity();
                Vector3 from = Vector3::Zero();
                if (joint.parent >= 0)
                    above = turned[static_cast<std::size_t>(joint.parent)],
                    from = place[static_cast<std::size_t>(joint.parent)];
                if (joint.joint != nullptr) {
                    const Affine& world = poses.world(joint.joint->id);
                    turned[j] = (rotationOf(world) * joint.restWorld.conjugate()).normalized();
                    place[j] = world.translation();
                }
                joint.positions.push_back(above.conjugate() * (place[j] - from));
                const RotationOrder order = joint.joint == nullptr ? RotationOrder::XYZ : joint.joint->rotationOrder;
                joint.angles.push_back(
                    anglesFromRotation(above.conjugate() * turned[j], order,
                                       joint.angles.empty() ? Vector3::Zero() : joint.angles.back()));
                joint.moves = joint.moves || (joint.positions.back() - joint.offset).norm() > still;
            }
        }
        for (BvhJoint& joint : m_joints) {
            joint.moves = joint.moves && !joint.isEnd;
            if (isFree(joint)) joint.offset = Vector3::Zero();
        }
        const auto moving = std::count_if(m_joints.begin(), m_joints.end(),
                                          [&](const BvhJoint& joint) { return joint.moves && !isFree(joint); });
        if (moving > 0)
            report(Severity::Info,
                   counted(static_cast<std::size_t>(moving), "joint moves relative to its parent and has",
                           "joints move relative to their parents and have") +
                       " position channels, which some readers (three.js) misread",
                   "");
    }

    /// At the top: its position is its place in the world.
    [[nodiscard]] bool isFree(const BvhJoint& joint) const
    {
        return joint.parent < 0 || m_joints[static_cast<std::size_t>(joint.parent)].joint == nullptr;
    }
    [[nodiscard]] bool hasPosition(const BvhJoint& joint) const { return isFree(joint) || joint.moves; }

    void writeJoint(std::size_t index, int depth)
    {
        const BvhJoint& joint = m_joints[index];
        std::string& text = m_written.text;
        const std::string indent(static_cast<std::size_t>(depth), '\t');
        text += indent + (joint.isEnd ? "End Site" : (depth == 0 ? "ROOT " : "JOINT ") + joint.name) + "\n" + indent +
                "{\n" + indent + "\tOFFSET";
        append(text, joint.offset);
        text += "\n";
        if (!joint.isEnd) {
            text += indent + (hasPosition(joint) ? "\tCHANNELS 6 Xposition Yposition Zposition" : "\tCHANNELS 3");
            for (const int axis : joint.order) text += std::string(" ") + static_cast<char>('X' + axis) + "rotation";
            text += "\n";
            for (const std::size_t child : joint.children) writeJoint(child, depth + 1);
            if (joint.children.empty())
                text += indent + "\tEnd Site\n" + indent + "\t{\n" + indent + "\t\tOFFSET 0 0 0\n" + indent + "\t}\n";
        }
        text += indent + "}\n";
    }

    void writeFrames()
    {
        std::string& text = m_written.text;
        text += "MOTION\nFrames: " + std::to_string(m_clip.times.size()) + "\nFrame Time: ";
        append(text, 1 / m_clip.fps.perSecond());
        text += "\n";
        for (std::size_t f = 0; f < m_clip.times.size(); ++f) {
            const std::size_t begin = text.size();
            for (const BvhJoint& joint : m_joints) {
                if (joint.isEnd) continue;
                if (hasPosition(joint)) append(text, joint.positions[f]);
                for (const int axis : joint.order) {
                    text += ' ';
                    append(text, joint.angles[f][axis] * 180 / std::numbers::pi);
                }
            }
            text.erase(begin, 1); // the blank before the first number
            text += '\n';
        }
    }

    std::string uniqueName(const std::string& wanted)
    {
        std::string name = wanted;
        for (int i = 2; !m_names.insert(name).second; ++i) name = wanted + "_" + std::to_string(i);
        return name;
    }

    void report(Severity severity, std::string text, std::string where)
    {
        m_written.issues.push_back({severity, std::move(text), std::move(where)});
    }

    const Scene& m_scene;
    const BakedClip& m_clip;
    std::vector<BvhJoint> m_joints;
    std::set<std::string> m_names;
    WrittenBvh m_written;
};

} // namespace

BakedClip wholeFrames(const BakedClip& clip, Issues& issues)
{
    constexpr double kNear = 0.02; // of a frame: imported times are rounded, bakes let a key take a near frame's place
    BakedClip frames{.name = clip.name,
                     .fps = clip.fps,
                     .times = {},
                     .joints = clip.joints,
                     .locals = {},
                     .angles = {},
                     .isAnimated = clip.isAnimated,
                     .handles = {}};
    if (clip.times.empty()) return frames;
    const std::size_t n = clip.joints.size();
    std::vector<double> at;
    for (const Time time : clip.times) at.push_back(clip.fps.frameAt(time));
    const auto between = std::count_if(at.begin(), at.end(),
                                       [&](double frame) { return std::abs(frame - std::round(frame)) > kNear; });
    if (between > 0)
        issues.push_back({Severity::Warning,
                          "BVH holds whole frames only: " + counted(static_cast<std::size_t>(between),
                                                                    "sample between them is left out",
                                                                    "samples between them are left out"),
                          "clip " + clip.name});
    const auto sample = [&](double frame) {
        std::size_t next = 0;
        while (next + 1 < at.size() && at[next] < frame) ++next;
        const std::size_t before = next > 0 && at[next] > frame + kNear ? next - 1 : next;
        const double share = before == next                          ? 0
                             : std::abs(at[before] - frame) <= kNear ? 0
                                                                     : (frame - at[before]) / (at[next] - at[before]);
        frames.times.push_back(clip.fps.timeOf(frame));
        for (std::size_t j = 0; j < n; ++j) {
            const LocalTransform &a = clip.locals[before * n + j], &b = clip.locals[next * n + j];
            LocalTransform mixed = a;
            if (share > 0) {
                mixed.translation += share * (b.translation - a.translation);
                mixed.rotation = a.rotation.slerp(share, b.rotation);
                mixed.scale += share * (b.scale - a.scale);
            }
            frames.locals.push_back(mixed);
        }
    };
    const double first = std::ceil(at.front() - kNear), last = std::floor(at.back() + kNear);
    for (double frame = first; frame <= last; ++frame) sample(frame);
    if (frames.times.empty()) sample(at.front());
    return frames;
}

Result<WrittenBvh> writeBvh(const Scene& scene, const BakedClip& clip) { return BvhFile(scene, clip).write(); }

} // namespace tendon

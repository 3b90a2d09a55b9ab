#include "core/io/export/bvh/BvhWriter.h"

#include "core/base/Counted.h"
#include "core/math/RotationOrder.h"
#include "core/runtime/BakedPoses.h"
#include "core/scene/RestPose.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <unordered_map>

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
    Vector3 place = Vector3::Zero();   ///< at rest, in the world [m]
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
    BvhFile(const Scene& scene, const BakedClip& clip) : m_scene(scene), m_clip(clip)
    {
        for (std::size_t j = 0; j < clip.joints.size(); ++j) m_inClip.emplace(clip.joints[j], j);
    }

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
        writeHierarchy();
        writeFrames();
        return std::move(m_written);
    }

private:
    void placeJoints()
    {
        const std::vector<Affine> world = worldInRestPose(m_scene);
        std::map<JointId, std::vector<std::size_t>> childrenOf; // places in the scene
        for (std::size_t place = 0; place < world.size(); ++place)
            childrenOf[(*m_scene.joints)[place].parent].push_back(place);
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
            std::size_t place = 0;
            std::ptrdiff_t parent = -1;
        };
        std::vector<Pending> waiting;
        const std::ptrdiff_t top = static_cast<std::ptrdiff_t>(m_joints.size()) - 1;
        for (auto root = roots.rbegin(); root != roots.rend(); ++root) waiting.push_back({*root, top});
        while (!waiting.empty()) {
            const auto [place, parent] = waiting.back();
            waiting.pop_back();
            const std::size_t index = m_joints.size();
            const Joint& joint = (*m_scene.joints)[place];
            const auto& children = childrenOf[joint.id];
            placeJoint(joint, world[place], parent, children.empty());
            for (auto child = children.rbegin(); child != children.rend(); ++child)
                waiting.push_back({*child, static_cast<std::ptrdiff_t>(index)});
        }
    }

    void placeJoint(const Joint& joint, const Affine& world, std::ptrdiff_t parent, bool isLeaf)
    {
        BvhJoint placed{.joint = &joint, .name = {}, .parent = parent, .children = {}, .positions = {}, .angles = {}};
        placed.restWorld = rotationOf(world);
        placed.order = productOrder(joint.rotationOrder);
        placed.place = world.translation();
        if (joint.parent.isValid()) placed.offset = placed.place - m_joints[static_cast<std::size_t>(parent)].place;
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
        const auto found = m_inClip.find(joint.id);
        return found == m_inClip.end() ||
               (!m_clip.isAnimated[found->second] && m_clip.locals[found->second] == joint.rest);
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

    /// The joints stand parents first, each followed by all below it.
    void writeHierarchy()
    {
        std::vector<std::ptrdiff_t> open;
        for (std::size_t j = 0; j < m_joints.size(); ++j) {
            for (; !open.empty() && open.back() != m_joints[j].parent; open.pop_back()) closeJoint(open.size());
            beginJoint(m_joints[j], open.size());
            open.push_back(static_cast<std::ptrdiff_t>(j));
        }
        for (; !open.empty(); open.pop_back()) closeJoint(open.size());
    }

    void closeJoint(std::size_t openCount) { m_written.text += indented(openCount - 1) + "}\n"; }

    /// A deep chain must not be all indentation.
    static std::string indented(std::size_t depth)
    {
        constexpr std::size_t kMaxIndent = 100;
        return std::string(std::min(depth, kMaxIndent), '\t');
    }

    void beginJoint(const BvhJoint& joint, std::size_t depth)
    {
        std::string& text = m_written.text;
        const std::string indent = indented(depth);
        text += indent + (joint.isEnd ? "End Site" : (depth == 0 ? "ROOT " : "JOINT ") + joint.name) + "\n" + indent +
                "{\n" + indent + "\tOFFSET";
        append(text, joint.offset);
        text += "\n";
        if (!joint.isEnd) {
            text += indent + (hasPosition(joint) ? "\tCHANNELS 6 Xposition Yposition Zposition" : "\tCHANNELS 3");
            for (const int axis : joint.order) text += std::string(" ") + static_cast<char>('X' + axis) + "rotation";
            text += "\n";
            if (joint.children.empty())
                text += indent + "\tEnd Site\n" + indent + "\t{\n" + indent + "\t\tOFFSET 0 0 0\n" + indent + "\t}\n";
        }
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
        for (int& uses = m_uses[wanted]; !m_names.insert(name).second;)
            name = wanted + "_" + std::to_string(++uses + 1);
        return name;
    }

    void report(Severity severity, std::string text, std::string where)
    {
        m_written.issues.push_back({severity, std::move(text), std::move(where)});
    }

    const Scene& m_scene;
    const BakedClip& m_clip;
    std::vector<BvhJoint> m_joints;
    std::unordered_map<JointId, std::size_t> m_inClip; ///< index of a joint in m_clip.joints
    std::set<std::string> m_names;
    std::map<std::string, int> m_uses; ///< how often a name was given another number
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
        const auto next = std::min(static_cast<std::size_t>(std::lower_bound(at.begin(), at.end(), frame) - at.begin()),
                                   at.size() - 1);
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

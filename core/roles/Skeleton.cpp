#include "core/roles/Skeleton.h"

#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/PoseSampler.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace tendon {
namespace {

constexpr std::size_t kPosesOfAClip = 8, kMaxClips = 3;

class Maker
{
public:
    Maker(const Scene& scene, Skeleton& skeleton) : m_scene(scene), m_skeleton(skeleton) {}

    void make(bool readsNames)
    {
        makeNodes();
        makeNames(readsNames);
        if (m_skeleton.nodes.empty()) return;
        makePoses();
        makeSkin();
        findIdle();
        findEnds();
        measure();
    }

private:
    Skeleton::Node& node(NodeIndex index) { return m_skeleton.nodes[static_cast<std::size_t>(index)]; }

    void makeNodes()
    {
        for (const Joint& joint : *m_scene.joints) {
            m_index.emplace(joint.id, m_skeleton.count());
            Skeleton::Node& made = m_skeleton.nodes.emplace_back();
            made.id = joint.id;
            const auto isActive = [](const AxisFreedom& axis) { return axis.active; };
            made.canMove = joint.ball || std::any_of(joint.turning.begin(), joint.turning.end(), isActive) ||
                           std::any_of(joint.sliding.begin(), joint.sliding.end(), isActive);
            made.isLimited = joint.ball ||
                             std::any_of(joint.turning.begin(), joint.turning.end(),
                                         [](const AxisFreedom& axis) { return !axis.active || axis.limited; });
        }
        for (NodeIndex i = 0; i < m_skeleton.count(); ++i) {
            const auto parent = m_index.find((*m_scene.joints)[static_cast<std::size_t>(i)].parent);
            node(i).parent = parent == m_index.end() ? -1 : parent->second;
            (node(i).parent < 0 ? m_skeleton.roots : node(node(i).parent).children).push_back(i);
        }
        m_topDown = m_skeleton.roots;
        for (std::size_t k = 0; k < m_topDown.size(); ++k)
            for (const NodeIndex child : node(m_topDown[k]).children) {
                node(child).depth = node(m_topDown[k]).depth + 1;
                m_topDown.push_back(child);
            }
    }

    void makeNames(bool readsNames)
    {
        std::vector<std::string> names;
        for (const Joint& joint : *m_scene.joints) names.push_back(readsNames ? joint.name : std::string());
        m_skeleton.names = readNames(names);
    }

    void makePoses()
    {
        const auto rig = compile(m_scene);
        if (!rig) { // not a sound scene: nothing but where the joints stand
            m_skeleton.poses.emplace_back(m_skeleton.nodes.size(), Vector3::Zero());
            return;
        }
        LocalPose local;
        local.joints = (*rig)->rest;
        ModelPose model;
        std::vector<std::vector<Quaternion>> turns;
        const auto add = [&] {
            forwardKinematics(**rig, local, model);
            std::vector<Vector3> places(m_skeleton.nodes.size());
            std::vector<Quaternion> rotations(m_skeleton.nodes.size());
            for (std::size_t i = 0; i < places.size(); ++i) {
                const auto joint = static_cast<std::size_t>((*rig)->index(m_skeleton.nodes[i].id));
                places[i] = model.modelFromJoint[joint].translation();
                rotations[i] = local.joints[joint].rotation;
            }
            m_skeleton.poses.push_back(std::move(places));
            turns.push_back(std::move(rotations));
        };
        add();
        PoseSampler sampler(*rig);
        for (std::size_t c = 0; c < std::min(kMaxClips, m_scene.clips.size()); ++c) {
            const Clip& clip = *m_scene.clips[c];
            sampler.prepare(m_scene, &clip);
            const Time begin = clip.begin(), end = clip.end();
            const std::size_t count = end > begin ? kPosesOfAClip : 1;
            for (std::size_t k = 0; k < count; ++k) {
                const auto span = static_cast<std::int64_t>(k) * (end.ticks - begin.ticks);
                sampler.sample({}, Time{begin.ticks + span / static_cast<std::int64_t>(kPosesOfAClip - 1)}, local);
                add();
            }
        }
        for (std::size_t pose = 2; pose < turns.size(); ++pose)
            for (std::size_t i = 0; i < m_skeleton.nodes.size(); ++i)
                m_skeleton.nodes[i].turns = std::max(m_skeleton.nodes[i].turns,
                                                     turns[1][i].angularDistance(turns[pose][i]));
        m_skeleton.hasMotion = std::any_of(m_skeleton.nodes.begin(), m_skeleton.nodes.end(),
                                           [](const Skeleton::Node& n) { return n.turns > 0.05; });
    }

    void makeSkin()
    {
        if (m_scene.model == nullptr) return;
        for (const Mesh& mesh : m_scene.model->meshes) {
            const Skin& skin = mesh.skin;
            std::vector<NodeIndex> nodes;
            std::vector<Affine> worldFromMesh;
            for (std::size_t k = 0; k < skin.joints.size(); ++k) {
                const auto found = m_index.find(skin.joints[k]);
                nodes.push_back(found == m_index.end() ? -1 : found->second);
                worldFromMesh.push_back(k < skin.jointFromMesh.size() && nodes.back() >= 0
                                            ? worldInRestPose(skin.joints[k]) * skin.jointFromMesh[k]
                                            : Affine::Identity());
            }
            if (nodes.empty()) continue;
            for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                const Vector3 place = mesh.positions[v].cast<double>();
                if (skin.isRigid()) {
                    addSkin(nodes[0], 1, worldFromMesh[0] * place);
                    continue;
                }
                for (std::uint32_t e = skin.influenceBegin[v]; e < skin.influenceBegin[v + 1]; ++e) {
                    const std::size_t k = skin.influenceJoint[e];
                    if (k < nodes.size()) addSkin(nodes[k], skin.influenceWeight[e], worldFromMesh[k] * place);
                }
            }
        }
        int inner = 0, skinned = 0;
        for (std::size_t k = m_topDown.size(); k-- > 0;) {
            Skeleton::Node& one = node(m_topDown[k]);
            if (one.skin > 0) one.skinCentre /= one.skin;
            one.skinBelow += one.skin;
            if (one.parent >= 0) node(one.parent).skinBelow += one.skinBelow;
            inner += !one.children.empty();
            skinned += !one.children.empty() && one.skinBelow > 0;
        }
        m_skeleton.hasSkin = skinned * 20 > inner * 17; // a mesh on a few joints says nothing about the others
    }

    void addSkin(NodeIndex index, double weight, const Vector3& place)
    {
        if (index < 0) return;
        node(index).skin += weight;
        node(index).skinCentre += weight * place;
    }

    Affine worldInRestPose(JointId joint)
    {
        const auto known = m_world.find(joint);
        if (known != m_world.end()) return known->second;
        const Joint& found = *m_scene.find(joint);
        Affine world = found.rest.parentFromJoint();
        if (found.parent.isValid()) world = worldInRestPose(found.parent) * world;
        m_world.emplace(joint, world);
        return world;
    }

    /// A joint without children that is called as its parent and something beyond it, "Head_hlp" below "Head", and by
    /// that nothing else of the body: a helper.
    [[nodiscard]] bool isNamedAfterParent(NodeIndex index)
    {
        const Skeleton::Node& one = node(index);
        if (one.parent < 0 || !one.children.empty()) return false;
        const NameReading &own = m_skeleton.name(index), &above = m_skeleton.name(one.parent);
        if (!above.saysPart() || own.fits != above.fits || own.side != above.side || own.isTwist || own.isEnd)
            return false;
        const auto nameOf = [&](NodeIndex place) -> const std::string& {
            return (*m_scene.joints)[static_cast<std::size_t>(place)].name;
        };
        const std::string &name = nameOf(index), &start = nameOf(one.parent);
        const auto isLetter = [](unsigned char c) { return std::isalpha(c) != 0; };
        return name.size() > start.size() && name.starts_with(start) &&
               std::any_of(name.begin() + static_cast<std::ptrdiff_t>(start.size()), name.end(), isLetter);
    }

    /// A control of a rig that carries no part of the body, a helper, or a branch without skin beside branches that
    /// have it.
    void findIdle()
    {
        std::vector<bool> carriesPart(m_skeleton.nodes.size());
        for (std::size_t k = m_topDown.size(); k-- > 0;) {
            const NodeIndex index = m_topDown[k];
            const NameReading& name = m_skeleton.name(index);
            node(index).isIdle = (name.isControl && !carriesPart[static_cast<std::size_t>(index)]) ||
                                 (m_skeleton.hasSkin && node(index).skinBelow == 0) || isNamedAfterParent(index);
            const bool isPart = name.saysPart() && !name.isControl && !name.isOther;
            if ((isPart || carriesPart[static_cast<std::size_t>(index)]) && node(index).parent >= 0)
                carriesPart[static_cast<std::size_t>(node(index).parent)] = true;
        }
    }

    /// Which joints clips have keys for.
    [[nodiscard]] std::vector<bool> keyedNodes() const
    {
        std::vector<bool> isKeyed(m_skeleton.nodes.size());
        for (const Shared<Clip>& clip : m_scene.clips)
            for (const auto& [channel, keys] : clip->channels)
                if (const auto found = m_index.find(JointId{channel.target}); found != m_index.end())
                    isKeyed[static_cast<std::size_t>(found->second)] = true;
        return isKeyed;
    }

    /// The end of a branch, from its name; else one that has no skin, or no keys, where others have them.
    void findEnds()
    {
        const std::vector<bool> isKeyed = keyedNodes();
        int inner = 0, innerKeyed = 0;
        for (NodeIndex i = 0; i < m_skeleton.count(); ++i) {
            if (node(i).children.empty()) continue;
            ++inner;
            innerKeyed += isKeyed[static_cast<std::size_t>(i)];
        }
        const bool areKeyed = innerKeyed * 5 > inner * 4;
        for (NodeIndex i = 0; i < m_skeleton.count(); ++i) {
            Skeleton::Node& one = node(i);
            if (!one.children.empty() || one.parent < 0) continue;
            const NameReading& name = m_skeleton.name(i);
            one.isEnd = name.isEnd && !name.isMetacarpal;
            if (name.saysAnything()) continue;
            const bool isBare = m_skeleton.hasSkin && one.skin == 0 && node(one.parent).skin > 0;
            one.isEnd = isBare || (areKeyed && !isKeyed[static_cast<std::size_t>(i)]);
        }
        if (std::none_of(m_skeleton.nodes.begin(), m_skeleton.nodes.end(),
                         [](const Skeleton::Node& one) { return one.isEnd; }))
            findStillEnds();
    }

    /// Of joints that all move, last ones that never turn: the ends that some programs key like any other.
    void findStillEnds()
    {
        if (!m_skeleton.hasMotion) return;
        std::vector<NodeIndex> last;
        int others = 0, turned = 0;
        for (NodeIndex i = 0; i < m_skeleton.count(); ++i) {
            const Skeleton::Node& one = node(i);
            if (one.isEnd || one.isIdle || one.parent < 0) continue;
            const bool isLast = std::all_of(one.children.begin(), one.children.end(),
                                            [&](NodeIndex child) { return node(child).isEnd; });
            if (isLast && m_skeleton.name(i).saysPart()) return; // ends do not look like parts
            if (isLast)
                last.push_back(i);
            else
                ++others, turned += one.turns > 0.01;
        }
        const bool areStill = std::all_of(last.begin(), last.end(), [&](NodeIndex i) { return node(i).turns < 1e-3; });
        if (last.size() < 3 || !areStill || turned * 10 < others * 6) return;
        for (const NodeIndex i : last) node(i).isEnd = true;
    }

    void measure()
    {
        Eigen::AlignedBox3d box;
        for (std::size_t i = 0; i < m_skeleton.nodes.size(); ++i) box.extend(m_skeleton.poses[0][i]);
        m_skeleton.size = box.isEmpty() ? 0 : box.diagonal().norm();
        for (std::size_t k = m_topDown.size(); k-- > 0;) {
            Skeleton::Node& one = node(m_topDown[k]);
            if (one.parent < 0) continue;
            Skeleton::Node& above = node(one.parent);
            one.bone = (m_skeleton.at(m_topDown[k]) - m_skeleton.at(one.parent)).norm();
            above.below += one.below + 1;
            // What is only a length, or only of the rig, says nothing about where a limb goes.
            if (one.isEnd || m_skeleton.isIdle(m_topDown[k])) continue;
            if (one.bone + one.reach > above.reach || above.next < 0) {
                above.reach = one.bone + one.reach;
                above.next = m_topDown[k];
            }
        }
    }

    const Scene& m_scene;
    Skeleton& m_skeleton;
    std::unordered_map<JointId, NodeIndex> m_index;
    std::unordered_map<JointId, Affine> m_world;
    std::vector<NodeIndex> m_topDown;
};

} // namespace

std::span<const NodeIndex> Skeleton::childrenOf(NodeIndex node) const
{
    return node < 0 ? std::span(roots) : std::span(nodes[static_cast<std::size_t>(node)].children);
}

bool Skeleton::isAbove(NodeIndex ancestor, NodeIndex node) const
{
    if (ancestor < 0) return true;
    for (NodeIndex at = node; at >= 0; at = (*this)[at].parent)
        if (at == ancestor) return true;
    return false;
}

NodeIndex Skeleton::commonAbove(NodeIndex a, NodeIndex b) const
{
    while (a >= 0 && !isAbove(a, b)) a = (*this)[a].parent;
    return a;
}

std::vector<NodeIndex> Skeleton::way(NodeIndex top, NodeIndex bottom) const
{
    std::vector<NodeIndex> nodesBelow;
    for (NodeIndex at = bottom; at != top && at >= 0; at = (*this)[at].parent) nodesBelow.push_back(at);
    std::reverse(nodesBelow.begin(), nodesBelow.end());
    return nodesBelow;
}

std::vector<NodeIndex> Skeleton::mainChain(NodeIndex from) const
{
    std::vector<NodeIndex> chain;
    for (NodeIndex at = from; at >= 0 && !(*this)[at].isEnd; at = (*this)[at].next) chain.push_back(at);
    return chain;
}

Skeleton makeSkeleton(const Scene& scene, bool readsNames)
{
    Skeleton skeleton;
    Maker(scene, skeleton).make(readsNames);
    return skeleton;
}

} // namespace tendon

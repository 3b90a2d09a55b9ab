#include "core/roles/BodyRoles.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tendon {
namespace {

/// A margin as a certainty, 0.5 ... 1.
double sureFrom(double margin) { return 1 / (1 + std::exp(-margin)); }

struct FingerChain
{
    std::vector<NodeIndex> nodes;
    int kind = -1; ///< 0 thumb ... 4 little
    double certainty = 0.9;
    bool isNamed = false;
};

class FingerAssigner
{
public:
    FingerAssigner(const Skeleton& skeleton, NodeIndex hand, NodeIndex forearm)
        : m_skeleton(skeleton), m_hand(hand), m_forearm(forearm)
    {
    }

    std::vector<FingerChain> find()
    {
        gather(m_hand, {});
        std::erase_if(m_fingers, [&](const FingerChain& finger) {
            return std::all_of(finger.nodes.begin(), finger.nodes.end(), [&](NodeIndex node) {
                const NameReading& name = m_skeleton.name(node);
                return name.isControl || name.isOther || name.isTwist || (name.saysPart() && !isFingerName(name));
            });
        });
        nameThem();
        placeOthers();
        return std::move(m_fingers);
    }

private:
    static bool isFingerName(const NameReading& name)
    {
        for (const Part part : {Part::Thumb, Part::Index, Part::Middle, Part::Ring, Part::Little, Part::Finger})
            if (name.fit(part) > 0) return true;
        return false;
    }

    void gather(NodeIndex node, std::vector<NodeIndex> above)
    {
        std::vector<NodeIndex> branches;
        for (const NodeIndex child : m_skeleton[node].children)
            if (!m_skeleton[child].isEnd && !m_skeleton.isIdle(child)) branches.push_back(child);
        if (branches.size() == 1 && above.empty() && !isFingerName(m_skeleton.name(branches[0]))) {
            // A hand of several joints, or nothing that is known to be a finger.
            if (m_skeleton[branches[0]].below > 0) gather(branches[0], {});
            return;
        }
        for (const NodeIndex branch : branches) {
            std::vector<NodeIndex> chain = above;
            NodeIndex at = branch;
            while (at >= 0 && !m_skeleton[at].isEnd) {
                chain.push_back(at);
                std::vector<NodeIndex> next;
                for (const NodeIndex child : m_skeleton[at].children)
                    if (!m_skeleton[child].isEnd && !m_skeleton.isIdle(child) && !m_skeleton.name(child).isTwist)
                        next.push_back(child);
                if (next.size() > 1 && m_skeleton[next[0]].below > 0) {
                    gather(at, {}); // a palm that carries several fingers
                    chain.clear();
                    break;
                }
                at = next.empty() ? -1 : next[0];
            }
            if (!chain.empty()) m_fingers.push_back({std::move(chain), -1, 0.9, false});
        }
    }

    void nameThem()
    {
        static constexpr Part kKinds[] = {Part::Thumb, Part::Index, Part::Middle, Part::Ring, Part::Little};
        for (FingerChain& finger : m_fingers) {
            double best = 0.35;
            for (int kind = 0; kind < 5; ++kind)
                for (const NodeIndex node : finger.nodes)
                    if (m_skeleton.name(node).fit(kKinds[kind]) > best) {
                        best = m_skeleton.name(node).fit(kKinds[kind]);
                        finger.kind = kind;
                        finger.isNamed = true;
                        finger.certainty = best > 0.8 ? 0.995 : 0.8;
                    }
        }
    }

    /// Those whose names do not say: the thumb begins nearest to the wrist and stands off; the others follow across
    /// the palm.
    void placeOthers()
    {
        std::vector<FingerChain*> open;
        std::array<bool, 5> isTaken{};
        for (FingerChain& finger : m_fingers) {
            if (finger.kind < 0)
                open.push_back(&finger);
            else
                isTaken[static_cast<std::size_t>(finger.kind)] = true;
        }
        std::erase_if(open, [&](FingerChain* finger) { // a bracelet, a sleeve
            return std::any_of(finger->nodes.begin(), finger->nodes.end(),
                               [&](NodeIndex node) { return m_skeleton.name(node).isOther; });
        });
        if (open.empty()) return;
        if (open.size() > 5) return;
        Vector3 along = m_skeleton.at(m_hand) - m_skeleton.at(m_forearm);
        if (along.norm() < 1e-9) // a hand alone: the way its fingers point
            for (const FingerChain& finger : m_fingers)
                along += m_skeleton.at(finger.nodes.back()) - m_skeleton.at(m_hand);
        if (along.norm() < 1e-9) return;
        along.normalize();
        const auto base = [&](const FingerChain* finger) {
            return Vector3(m_skeleton.at(finger->nodes[std::min<std::size_t>(1, finger->nodes.size() - 1)]) -
                           m_skeleton.at(m_hand));
        };
        FingerChain* thumb = nullptr;
        double certainty = 0.9;
        if (!isTaken[0] &&
            open.size() + static_cast<std::size_t>(std::count(isTaken.begin(), isTaken.end(), true)) >= 2) {
            std::vector<std::pair<double, FingerChain*>> byThumb;
            for (FingerChain* finger : open) byThumb.push_back({thumbScore(*finger, along, open), finger});
            std::stable_sort(byThumb.begin(), byThumb.end(),
                             [](const auto& x, const auto& y) { return x.first > y.first; });
            thumb = byThumb[0].second;
            const double margin = byThumb.size() > 1 ? byThumb[0].first - byThumb[1].first : 1;
            certainty = open.size() == 2 ? 0.7 : sureFrom(1 + 4 * margin);
            thumb->kind = 0;
            thumb->certainty = certainty;
            std::erase(open, thumb);
        }
        Vector3 from = thumb != nullptr ? base(thumb) : Vector3(Vector3::Zero());
        if (thumb == nullptr)
            for (const FingerChain& finger : m_fingers)
                if (finger.kind == 0) from = base(&finger);
        // Across the palm, from the thumb.
        Vector3 across = Vector3::Zero();
        for (const FingerChain* finger : open) {
            Vector3 way = base(finger) - from;
            way -= way.dot(along) * along;
            across += way;
        }
        if (across.norm() > 1e-9) across.normalize();
        std::stable_sort(open.begin(), open.end(), [&](const FingerChain* x, const FingerChain* y) {
            return base(x).dot(across) < base(y).dot(across);
        });
        int kind = 1;
        for (FingerChain* finger : open) {
            while (kind < 5 && isTaken[static_cast<std::size_t>(kind)]) ++kind;
            if (kind > 4) break;
            finger->kind = kind++;
            finger->certainty = open.size() == 4 ? certainty : 0.6 * certainty;
        }
    }

    [[nodiscard]] double thumbScore(const FingerChain& finger, const Vector3& along,
                                    const std::vector<FingerChain*>& all) const
    {
        const auto base = [&](const FingerChain& one) {
            return (m_skeleton.at(one.nodes.front()) - m_skeleton.at(m_hand)).dot(along);
        };
        double farthest = 1e-9;
        for (const FingerChain* other : all) farthest = std::max(farthest, std::abs(base(*other)));
        const auto way = [&](const FingerChain& one) {
            return Vector3(m_skeleton.at(one.nodes.back()) - m_skeleton.at(one.nodes.front()));
        };
        Vector3 mean = Vector3::Zero();
        for (const FingerChain* other : all)
            if (other != &finger && way(*other).norm() > 1e-9) mean += way(*other).normalized();
        double apart = 0;
        if (mean.norm() > 1e-9 && way(finger).norm() > 1e-9)
            apart = 1 - way(finger).normalized().dot(mean.normalized());
        return 1.5 * (1 - base(finger) / farthest) + 0.7 * apart - 0.1 * (static_cast<double>(finger.nodes.size()) - 3);
    }

    const Skeleton& m_skeleton;
    NodeIndex m_hand, m_forearm;
    std::vector<FingerChain> m_fingers;
};

/// Where the first phalanx of a finger is: 1 if a joint within the palm comes before it.
/// `endsAreJoints`: the last joint of each finger is only its end.
std::size_t firstPhalanx(const Skeleton& skeleton, const FingerChain& finger, NodeIndex hand,
                         bool endsAreJoints = false)
{
    if (finger.nodes.size() < 2) return 0;
    const NameReading& first = skeleton.name(finger.nodes[0]);
    if (finger.kind == 0) return finger.nodes.size() >= 4 && !endsAreJoints ? 1 : 0;
    if (first.isMetacarpal) return 1;
    const bool isNamed = first.saysPart();
    if (isNamed && finger.kind > 0 && first.number == 0) return finger.nodes.size() >= 4 ? 1 : 0;
    if (isNamed && !skeleton.name(finger.nodes[1]).saysPart()) return 0;
    if (finger.nodes.size() < 4) return 0;
    const double near = (skeleton.at(finger.nodes[0]) - skeleton.at(hand)).norm();
    const double far = (skeleton.at(finger.nodes[1]) - skeleton.at(hand)).norm();
    if (isNamed) return near < 0.6 * far ? 1 : 0;
    return near < 0.45 * far ? 1 : 0;
}

} // namespace

void claimFingers(const Skeleton& skeleton, NodeIndex hand, NodeIndex forearm, const std::string& side,
                  double certainty, Claims& claims)
{
    static constexpr const char* kFingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"};
    static constexpr const char* kThumbLinks[] = {"Metacarpal", "Proximal", "Distal"};
    static constexpr const char* kLinks[] = {"Proximal", "Intermediate", "Distal"};
    static constexpr Part kParts[] = {Part::Thumb, Part::Index, Part::Middle, Part::Ring, Part::Little};
    const std::vector<FingerChain> fingers = FingerAssigner(skeleton, hand, forearm).find();
    const bool endsAreJoints = std::any_of(fingers.begin(), fingers.end(), [&](const FingerChain& finger) {
        return finger.kind > 0 && finger.nodes.size() >= 4 && firstPhalanx(skeleton, finger, hand) == 0;
    });
    for (const FingerChain& finger : fingers) {
        if (finger.kind < 0) continue;
        const std::string name = side + kFingers[finger.kind];
        const std::size_t first = firstPhalanx(skeleton, finger, hand, endsAreJoints);
        const auto say = [&](const std::string& role, const std::vector<NodeIndex>& nodes, double sure) {
            RoleClaim* claim = claims.claim(role, nodes, sure,
                                            finger.kind == 0 ? "on the finger that begins nearest to the wrist"
                                                             : "on a finger, counted from the thumb");
            if (claim != nullptr)
                claim->nameFit = skeleton.name(nodes.front()).fit(kParts[finger.kind]), claim->alike = 0.9;
        };
        double sure = certainty * finger.certainty;
        if (first > 0 && finger.kind > 0) say(name + "Metacarpal", {finger.nodes[0]}, sure);
        // A thumb of two whose names begin with 2 lacks its first joint.
        std::size_t link = 0;
        if (finger.kind == 0 && first == 0 && finger.nodes.size() == 2 && finger.isNamed &&
            skeleton.name(finger.nodes[0]).number == 2 && skeleton.name(finger.nodes[1]).number == 3)
            link = 1;
        if (finger.nodes.size() - first != 3) sure *= finger.isNamed ? 0.97 : 0.9;
        std::vector<NodeIndex> before;
        if (finger.kind == 0 && first > 0)
            before.assign(finger.nodes.begin(), finger.nodes.begin() + static_cast<std::ptrdiff_t>(first));
        for (std::size_t i = first; i < finger.nodes.size() && link < 3; ++i, ++link) {
            std::vector<NodeIndex> nodes = before;
            nodes.push_back(finger.nodes[i]);
            before.clear();
            say(name + (finger.kind == 0 ? kThumbLinks[link] : kLinks[link]), nodes, sure);
        }
    }
}

} // namespace tendon

#include "core/document/AutoRig.h"

#include "core/base/Counted.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"
#include "core/scene/RestPose.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace tendon {
namespace {

/// Over this share of its reach a limb slows down before it is straight.
constexpr double kSoftReach = 0.03;

QString utf8(const std::string& text) { return QString::fromStdString(text); }

/// All three turning axes are free, as the start of a chain in a plane needs it.
bool turnsFreely(const Joint& joint)
{
    return joint.ball ||
           std::all_of(joint.turning.begin(), joint.turning.end(), [](const AxisFreedom& axis) { return axis.active; });
}

class RigPlanner
{
public:
    RigPlanner(const Scene& scene, const SolverRegistry& solvers, const RigOptions& options)
        : m_scene(scene), m_solvers(solvers), m_options(options)
    {
        for (const Joint& joint : *scene.joints) m_taken.insert(joint.name);
        for (const Handle& handle : *scene.handles) m_taken.insert(handle.name);
    }

    Result<RigPlan> plan()
    {
        m_plan.guesses = guessRoles(m_scene, m_options.by);
        if (const auto chosen = chooseLimbs(); !chosen) return chosen.error();
        measureLegs();
        takeRoles();
        planLimits();
        if (m_options.handles)
            for (const Limb* limb : m_limbs) planLimb(*limb);
        if (m_options.handles) planDecided();
        if (m_limbs.empty() && m_plan.handles.empty())
            return Error{ErrorCode::NotFound,
                         "found no limbs among " + counted(m_scene.joints->size(), "joint", "joints") +
                             "; give the joints of a limb their roles first",
                         ""};
        return std::move(m_plan);
    }

private:
    Result<void> chooseLimbs()
    {
        const std::vector<Limb>& limbs = m_plan.guesses.limbs;
        if (!m_options.accept) {
            for (const Limb& limb : limbs)
                if (limb.confidence >= kLikelyLimb) m_limbs.push_back(&limb);
            return {};
        }
        for (const std::string& name : *m_options.accept) {
            const Limb* limb = m_plan.guesses.limb(name);
            if (limb == nullptr) {
                std::string names;
                for (const Limb& one : limbs) names += (names.empty() ? "" : ", ") + one.name;
                return Error{ErrorCode::NotFound,
                             "there is no limb called " + inQuotes(name) +
                                 (names.empty() ? "; no limbs were found" : "; there are " + names),
                             ""};
            }
            if (std::find(m_limbs.begin(), m_limbs.end(), limb) == m_limbs.end()) m_limbs.push_back(limb);
        }
        return {};
    }

    /// The roles of the limbs that are rigged count as decided from now on; so does the joint above the hips.
    void takeRoles()
    {
        m_plan.roles = *m_scene.roles;
        std::set<JointId> rigged;
        for (const Limb* limb : m_limbs) rigged.insert(limb->joints.begin(), limb->joints.end());
        for (const RoleGuess& guess : m_plan.guesses.roles) {
            const bool isRigged = std::any_of(guess.joints.begin(), guess.joints.end(),
                                              [&](JointId joint) { return rigged.count(joint) != 0; });
            const bool isKnown = !m_options.accept && guess.confidence >= kSureRole;
            if (isRigged || isKnown) m_plan.roles[guess.role] = guess.joints;
        }
    }

    // Limits and preferred angles

    void planLimits()
    {
        std::vector<JointId> joints;
        for (const Limb* limb : m_limbs)
            for (const JointId joint : limb->joints)
                if (m_options.keepLimits.count(joint) == 0 &&
                    std::find(joints.begin(), joints.end(), joint) == joints.end())
                    joints.push_back(joint);
        const std::vector<LimitGuess> guesses = guessLimits(m_scene, m_plan.guesses, joints, m_options.learnFrom);
        for (const LimitGuess& guess : guesses) {
            Joint joint = *m_scene.find(guess.joint.id);
            if (m_options.limits && guess.isFound) {
                joint = guess.joint;
                ++m_plan.limitCount;
                m_plan.limits.push_back(guess);
            }
            if (m_options.preferred && preferBend(joint, guess.joint)) ++m_plan.preferredCount;
            if (!(joint == *m_scene.find(joint.id))) m_plan.joints.push_back(std::move(joint));
        }
    }

    /// A hinge that is nearly straight at rest prefers to bend the way that its limits let it.
    bool preferBend(Joint& joint, const Joint& limited) const
    {
        constexpr double kStraight = radians(10);
        if (!joint.preferredAngle.isZero() || limited.ball) return false;
        const auto part = m_plan.guesses.parts.find(joint.id);
        if (part == m_plan.guesses.parts.end()) return false;
        double angle = 0;
        if (part->second.ends_with("owerLeg") || part->second.ends_with("Lower")) angle = radians(12);
        if (part->second == "lowerArm") angle = radians(15);
        if (part->second.ends_with("Intermediate") || part->second.ends_with("Distal") ||
            part->second == "thumbProximal")
            angle = radians(20);
        if (angle == 0) return false;
        int axis = -1;
        for (int k = 0; k < 3; ++k) {
            const AxisFreedom& turning = limited.turning[static_cast<std::size_t>(k)];
            if (!turning.active) continue;
            if (axis >= 0 || !turning.limited) return false;
            axis = k;
        }
        if (axis < 0) return false;
        const AxisFreedom& turning = limited.turning[static_cast<std::size_t>(axis)];
        const bool isUp = std::abs(turning.upper()) >= std::abs(turning.lower());
        const double straight = isUp ? turning.lower() : turning.upper();
        if (std::abs(straight) > kStraight) return false;
        joint.preferredAngle[axis] = isUp ? angle : -angle;
        return true;
    }

    // Handles

    /// The handles of a limb, or why it gets none.
    void planLimb(const Limb& limb)
    {
        const std::size_t handles = m_plan.handles.size() + m_plan.present.size();
        planHandles(limb);
        if (m_plan.handles.size() + m_plan.present.size() == handles)
            m_plan.without.push_back({.limb = limb.name, .reason = whyNoHandle(limb)});
    }

    [[nodiscard]] std::string whyNoHandle(const Limb& limb) const
    {
        switch (limb.kind) {
        case LimbKind::Fingers:
        case LimbKind::Ear:
        case LimbKind::Fin: return "posed joint by joint";
        case LimbKind::Leg:
        case LimbKind::Arm: return "its parts could not be told apart";
        default:
            return jointsAboveHips(limb).size() < 2 ? "a single joint is turned, not solved"
                                                    : "its joints are no chain";
        }
    }

    void planHandles(const Limb& limb)
    {
        switch (limb.kind) {
        case LimbKind::Leg: planLeg(limb); break;
        case LimbKind::Arm: planArm(limb); break;
        case LimbKind::Spine: planSpine(limb); break;
        case LimbKind::Neck: planChain(limb, "HeadIK", limb.joints); break;
        case LimbKind::Tail: planTail(limb, limb.joints); break;
        case LimbKind::Wing: planChain(limb, "WingIK", limb.joints); break;
        case LimbKind::Chain: planChain(limb, "ArmIK", limb.joints); break;
        default: break; // fingers, ears and fins are posed joint by joint
        }
    }

    [[nodiscard]] JointId roleJoint(const Limb& limb, std::initializer_list<const char*> words) const
    {
        for (const char* word : words)
            for (const RoleGuess& guess : m_plan.guesses.roles) {
                const std::string_view role = guess.role;
                const bool isOfLimb = std::find(limb.joints.begin(), limb.joints.end(), guess.joints.front()) !=
                                      limb.joints.end();
                if (isOfLimb && role.ends_with(word)) return guess.joints.front();
            }
        return {};
    }

    /// A part of a leg without a side, by what its joints are.
    [[nodiscard]] JointId partJoint(const Limb& limb, std::string_view word) const
    {
        for (const JointId joint : limb.joints) {
            const auto part = m_plan.guesses.parts.find(joint);
            if (part != m_plan.guesses.parts.end() && part->second == word) return joint;
        }
        return {};
    }

    void planLeg(const Limb& limb)
    {
        JointId upper = roleJoint(limb, {"UpperLeg", "Upper"}), lower = roleJoint(limb, {"LowerLeg", "Lower"}),
                foot = roleJoint(limb, {"Foot"});
        if (!upper.isValid()) upper = partJoint(limb, "upperLeg");
        if (!lower.isValid()) lower = partJoint(limb, "lowerLeg");
        if (!foot.isValid()) foot = partJoint(limb, "foot");
        if (!upper.isValid() || !(lower.isValid() || foot.isValid())) return;
        const bool isApart = foot.isValid() && !isAncestor(m_scene, upper, foot);
        const JointId end = foot.isValid() && !isApart ? foot : lower;
        if (limb.name.find("Front") != std::string::npos && limb.joints.front() != upper &&
            chain(m_scene, upper, end).size() < 2)
            return;
        // A hip of several hinges begins above the thigh. Six axes bring a foot to any place and turn it any way: with
        // fewer, a goal that asks for both is not reached.
        const JointId knee = lower.isValid() ? lower : end;
        if (freeAxes(upper, knee) - freeAxes(knee, knee) < 3 && isAncestor(m_scene, limb.joints.front(), upper))
            upper = limb.joints.front();
        QJsonObject set{{"pinned", standsLow(end)}};
        if (end == foot && freeAxes(upper, end) >= 6) set.insert("orientationWeight", 1);
        Vector3 offset = Vector3::Zero();
        if (isApart)
            offset = worldInRestPose(m_scene, lower).inverse() * Vector3(worldInRestPose(m_scene, foot).translation());
        else if (end == lower)
            offset = boneBelow(lower);
        add(limb, nameWithSide(limb, limb.name == "leg" ? "FootIK" : footName(limb)), upper, end, offset, set, true);
    }

    /// How many axes of a chain are free, once limits are set.
    [[nodiscard]] int freeAxes(JointId start, JointId end) const
    {
        int count = 0;
        const auto isActive = [](const AxisFreedom& axis) { return axis.active; };
        for (const JointId id : chain(m_scene, start, end)) {
            const Joint& joint = planned(id);
            count += joint.ball ? 3
                                : static_cast<int>(std::count_if(joint.turning.begin(), joint.turning.end(), isActive));
            count += static_cast<int>(std::count_if(joint.sliding.begin(), joint.sliding.end(), isActive));
        }
        return count;
    }

    /// A joint as it will be.
    [[nodiscard]] const Joint& planned(JointId id) const
    {
        for (const Joint& changed : m_plan.joints)
            if (changed.id == id) return changed;
        return *m_scene.find(id);
    }

    /// How low and how high the joints of legs are at rest [m].
    void measureLegs()
    {
        for (const Limb& limb : m_plan.guesses.limbs)
            for (const JointId joint : limb.joints)
                if (limb.kind == LimbKind::Leg) {
                    const double height = heightOf(joint);
                    m_lowestLeg = std::min(m_lowestLeg, height), m_highestLeg = std::max(m_highestLeg, height);
                }
    }
    [[nodiscard]] double heightOf(JointId joint) const { return worldInRestPose(m_scene, joint).translation().y(); }

    /// Whether a leg ends about where the lowest one does: the front legs of a figure that stands on two may not.
    [[nodiscard]] bool standsLow(JointId end) const
    {
        return heightOf(end) - m_lowestLeg <= 0.5 * (m_highestLeg - m_lowestLeg);
    }

    static std::string footName(const Limb& limb)
    {
        if (limb.name.find("FrontLeg") != std::string::npos) return "FrontFootIK";
        if (limb.name.find("HindLeg") != std::string::npos) return "HindFootIK";
        const auto digit = limb.name.find_first_of("0123456789");
        return "Foot" + (digit == std::string::npos ? std::string() : limb.name.substr(digit)) + "IK";
    }

    /// Where the bone of a joint ends: at its longest child, in the joint's space.
    [[nodiscard]] Vector3 boneBelow(JointId joint) const
    {
        Vector3 longest = Vector3::Zero();
        for (const Joint& child : *m_scene.joints)
            if (child.parent == joint && child.rest.translation.norm() > longest.norm())
                longest = child.rest.translation;
        return longest;
    }

    void planArm(const Limb& limb)
    {
        const JointId upper = roleJoint(limb, {"UpperArm"}), lower = roleJoint(limb, {"LowerArm"}),
                      hand = roleJoint(limb, {"Hand"});
        const JointId end = hand.isValid() ? hand : lower;
        if (!upper.isValid() || !end.isValid() || end == upper) return;
        const Vector3 offset = hand.isValid() ? Vector3(Vector3::Zero()) : boneBelow(lower);
        add(limb, nameWithSide(limb, "HandIK"), upper, end, offset, {{"stick", false}}, true);
    }

    /// The hips carry the whole body: the handle of a spine moves what is above them.
    [[nodiscard]] std::vector<JointId> jointsAboveHips(const Limb& limb) const
    {
        std::vector<JointId> joints = limb.joints;
        std::erase(joints, jointOf(m_plan.guesses.map(), "hips"));
        return joints;
    }

    void planSpine(const Limb& limb) { planChain(limb, "SpineIK", jointsAboveHips(limb)); }

    /// From the first to the last joint, with the solver that suits what moves.
    void planChain(const Limb& limb, const char* name, const std::vector<JointId>& joints)
    {
        if (joints.size() < 2 || !isAncestor(m_scene, joints.front(), joints.back())) return;
        const bool isOfBody = limb.kind != LimbKind::Chain;
        add(limb, nameWithSide(limb, name), joints.front(), joints.back(), Vector3::Zero(),
            isOfBody ? goesWithBody(joints.front()) : QJsonObject{{"stick", false}}, false);
    }

    /// The goal of a spine, a neck or a tail goes along with the joint that carries it, also where it has keys: hips
    /// that sink take the chest and the head along. Hands and feet stay where they are in the world.
    [[nodiscard]] QJsonObject goesWithBody(JointId start) const
    {
        const JointId carrier = m_scene.find(start)->parent;
        if (!carrier.isValid()) return {{"stick", false}};
        return {{"follow", utf8(referenceTo(m_scene, carrier))}};
    }

    void planTail(const Limb& limb, const std::vector<JointId>& joints)
    {
        if (joints.size() < 2 || !isAncestor(m_scene, joints.front(), joints.back())) return;
        const bool isLong = joints.size() >= 4 && m_solvers.find("spline") != nullptr;
        add(limb, nameWithSide(limb, "TailIK"), joints.front(), joints.back(), Vector3::Zero(),
            goesWithBody(joints.front()), false, isLong ? "spline" : "");
    }

    void add(const Limb& limb, const std::string& name, JointId start, JointId end, const Vector3& offset,
             QJsonObject set, bool isInPlane, std::string solver = {})
    {
        for (const Handle& handle : *m_scene.handles)
            if (handle.start == start && handle.end == end) {
                m_plan.present.push_back(limb.name);
                return;
            }
        const std::size_t count = chain(m_scene, start, end).size();
        if (isInPlane && solver.empty()) solver = planeSolver(start, count, limb);
        PlannedHandle planned;
        planned.limb = limb.name;
        planned.name = freeName(name);
        planned.add = {{"op", "addHandle"},
                       {"name", utf8(planned.name)},
                       {"start", utf8(referenceTo(m_scene, start))},
                       {"end", utf8(referenceTo(m_scene, end))}};
        if (!solver.empty()) planned.add.insert("solver", utf8(solver));
        if (offset.norm() > 1e-9) planned.add.insert("offset", QJsonArray{offset.x(), offset.y(), offset.z()});
        const SolverInfo* info = m_solvers.find(solver.empty() ? std::string(kUsualSolver) : solver);
        if (isInPlane && info != nullptr && info->has("pole")) set.insert("pole", "auto");
        if (isInPlane && !solver.empty())
            if (const double soft = softKeepingRest(start, end, offset); soft > 0) set.insert("soft", soft);
        if (info != nullptr && !info->has("pose-goal")) set.remove("orientationWeight");
        set.insert("op", "setHandle");
        set.insert("name", utf8(planned.name));
        planned.set = set;
        m_plan.handles.push_back(std::move(planned));
    }

    /// Feet and hands stay where they are at rest, also where the limb is straight there: then its reach is hardly
    /// softened. A reach softened over a share s of its length L falls short by s L exp(-(d - (1 - s) L) / (s L)) at
    /// the distance d.
    [[nodiscard]] double softKeepingRest(JointId start, JointId end, const Vector3& offset) const
    {
        constexpr double kMoved = 2e-5; // [m] the knee moves by more, a millimetre
        double reach = offset.norm();
        const std::vector<JointId> joints = chain(m_scene, start, end);
        std::vector<Vector3> places;
        for (const JointId joint : joints) places.push_back(worldInRestPose(m_scene, joint).translation());
        for (std::size_t i = 1; i < places.size(); ++i) reach += (places[i] - places[i - 1]).norm();
        const double distance = (worldInRestPose(m_scene, end) * offset - places.front()).norm();
        for (double soft = kSoftReach; soft > 0.001; soft *= 0.8) {
            const double zone = soft * reach, into = distance - (reach - zone);
            const double moved = into <= 0 ? 0 : distance - (reach - zone + zone * (1 - std::exp(-into / zone)));
            if (moved < kMoved) return soft;
        }
        return 0;
    }

    /// Two bones, or a chain that folds in a plane: where the start turns freely.
    [[nodiscard]] std::string planeSolver(JointId start, std::size_t count, const Limb& limb) const
    {
        if (!turnsFreely(planned(start)) || count < 3)
            return {}; // the handle ends where the shin does: it has no foot below it
        const bool isHuman = limb.kind == LimbKind::Arm || m_plan.guesses.plan == BodyPlan::Humanoid;
        const char* alias = count <= 3 ? "two-bone" : isHuman ? "rotate-plane" : "spring";
        return m_solvers.find(alias) != nullptr ? alias : "";
    }

    static std::string nameWithSide(const Limb& limb, const std::string& name)
    {
        return name + (limb.side == Side::Left ? "_L" : limb.side == Side::Right ? "_R" : "");
    }

    std::string freeName(const std::string& wanted)
    {
        std::string name = wanted;
        for (int number = 2; m_taken.count(name) != 0; ++number) name = wanted + "_" + std::to_string(number);
        m_taken.insert(name);
        return name;
    }

    /// Joints without a role that are to be a limb or a tail all the same.
    void planDecided()
    {
        for (const auto& [joint, use] : m_options.decide) {
            if (use != JointUse::Limb && use != JointUse::Tail) continue;
            Limb limb;
            limb.kind = use == JointUse::Tail ? LimbKind::Tail : LimbKind::Chain;
            limb.name = m_scene.find(joint)->name;
            for (JointId at = joint; at.isValid();) {
                limb.joints.push_back(at);
                JointId only;
                int children = 0;
                for (const Joint& child : *m_scene.joints)
                    if (child.parent == at) only = child.id, ++children;
                at = children == 1 ? only : JointId();
            }
            if (use == JointUse::Tail) {
                planTail(limb, limb.joints);
                int number = 0;
                for (const JointId one : limb.joints) m_plan.roles["tail" + std::to_string(++number)] = {one};
            } else {
                planChain(limb, (limb.name + "_IK").c_str(), limb.joints);
            }
        }
    }

    static constexpr const char* kUsualSolver = "dls";

    const Scene& m_scene;
    const SolverRegistry& m_solvers;
    const RigOptions& m_options;
    RigPlan m_plan;
    std::vector<const Limb*> m_limbs;
    double m_lowestLeg = std::numeric_limits<double>::infinity(), m_highestLeg = -m_lowestLeg;
    std::set<std::string> m_taken;
};

} // namespace

std::string referenceTo(const Scene& scene, JointId id)
{
    const Joint* joint = scene.find(id);
    if (joint == nullptr) return {};
    if (scene.joints->placesNamed(joint->name).size() == 1) return joint->name;
    std::string path = joint->name;
    for (const Joint* above = scene.find(joint->parent); above != nullptr; above = scene.find(above->parent))
        path = above->name + "/" + path;
    return path;
}

Result<RigPlan> planRig(const Scene& scene, const SolverRegistry& solvers, const RigOptions& options)
{
    return RigPlanner(scene, solvers, options).plan();
}

} // namespace tendon

#include "core/retarget/RestAlignment.h"

#include "core/math/Degrees.h"

#include <Eigen/SVD>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

namespace tendon {
namespace {

constexpr double kSameFront = 4 / kDegrees; ///< [rad] less is how somebody happens to stand

double angleBetween(const Vector3& a, const Vector3& b)
{
    const double size = a.norm() * b.norm();
    return size > 0 ? std::atan2(a.cross(b).norm(), a.dot(b)) : 0;
}

/// The turn about `axis` from one direction to another, both seen along it; the identity if one is not seen.
Quaternion turnAbout(const Vector3& axis, const Vector3& from, const Vector3& to)
{
    const Vector3 a = from - axis * from.dot(axis), b = to - axis * to.dot(axis);
    if (a.norm() < 1e-6 * from.norm() || b.norm() < 1e-6 * to.norm() || from.norm() == 0 || to.norm() == 0)
        return Quaternion::Identity();
    return Quaternion(Eigen::AngleAxisd(std::atan2(axis.dot(a.cross(b)), a.dot(b)), axis));
}

/// Which of the world's axes a direction is nearest to, if it is near one.
std::optional<Vector3> axisNear(const Vector3& direction, double within)
{
    if (direction.norm() < 1e-9) return std::nullopt;
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    Vector3 axis = Vector3::Zero();
    axis[largest] = direction[largest] > 0 ? 1 : -1;
    return angleBetween(direction, axis) < within ? std::optional(axis) : std::nullopt;
}

class Aligner
{
public:
    Aligner(const RoledFigure& motion, const ReferencePose& motionRest, const RoledFigure& character,
            const ReferencePose& characterRest, const std::vector<JointPair>& pairs)
        : m_motion(motion), m_character(character), m_pairs(pairs), m_source(motionRest.pose),
          m_target(characterRest.pose), m_areStances(motionRest.isStance && characterRest.isStance),
          m_isFrame(motionRest.isFrame)
    {
        m_children.resize(pairs.size());
        for (std::size_t p = 0; p < pairs.size(); ++p)
            if (pairs[p].parent >= 0 && !pairs[p].role.empty() && pairs[p].start >= 0)
                m_children[static_cast<std::size_t>(pairs[p].parent)].push_back(p);
    }

    RestAlignment align(RestAlign how, const std::vector<Quaternion>& trunks)
    {
        RestAlignment result;
        turnWorld(trunks, result);
        compareBones(result);
        if (how == RestAlign::Rest) result.isSameSkeleton = false;
        turnToFront(how, trunks, result);
        result.armsDiffer = armsDiffer();
        const Quaternion root = turnOfRoot(how, result);
        std::vector<Quaternion> turn(m_pairs.size(), root); // from the character's rest pose, in the world
        result.rotation.resize(m_pairs.size());
        for (std::size_t p = 0; p < m_pairs.size(); ++p) {
            if (how != RestAlign::Rest) turn[p] = turnOf(p, turn, root, result);
            result.rotation[p] = (turn[p] * m_target.rotation[at(m_pairs[p].target)]).normalized();
        }
        return result;
    }

private:
    [[nodiscard]] Vector3 sourceBone(std::size_t from, std::size_t to) const
    {
        return m_source.position[at(m_pairs[to].start)] - m_source.position[at(m_pairs[from].start)];
    }
    [[nodiscard]] Vector3 targetBone(std::size_t from, std::size_t to) const
    {
        return m_target.position[at(m_pairs[to].target)] - m_target.position[at(m_pairs[from].target)];
    }
    [[nodiscard]] bool isBone(std::size_t from, std::size_t to) const
    {
        return m_pairs[from].start >= 0 && sourceBone(from, to).norm() > 1e-6 && targetBone(from, to).norm() > 1e-6;
    }

    void turnSource(const Quaternion& turn, RestAlignment& result)
    {
        for (Vector3& place : m_source.position) place = turn * place;
        for (Quaternion& rotation : m_source.rotation) rotation = (turn * rotation).normalized();
        result.worldFromMotion = (turn * result.worldFromMotion).normalized();
    }

    /// Upright: files that say nothing of their up axis, or say it wrongly, stand along another one, at rest and in
    /// more frames than they stand upright in.
    void turnWorld(const std::vector<Quaternion>& trunks, RestAlignment& result)
    {
        constexpr double kNear = 40 / kDegrees;
        const auto axes = trunkAxes(m_motion, m_source);
        const auto resting = axes ? axisNear(*axes * Vector3::UnitY(), kNear) : std::nullopt;
        if (!resting || std::abs(resting->y()) == 1) return;
        const auto standing = [&](const Vector3& up) {
            return std::count_if(trunks.begin(), trunks.end(), [&](const Quaternion& trunk) {
                return angleBetween(trunk * Vector3::UnitY(), up) < kNear;
            });
        };
        if (standing(*resting) <= standing(Vector3::UnitY())) return;
        turnSource(shortestRotation(*resting, Vector3::UnitY()), result);
        char text[96];
        std::snprintf(text, sizeof text, "The motion stands along %s; it is turned upright.",
                      resting->z() != 0 ? (resting->z() > 0 ? "+Z" : "-Z") : (resting->x() > 0 ? "+X" : "-X"));
        result.notes.emplace_back(text);
    }

    /// A character that faces another way than the motion's skeleton walks to its own front.
    void turnToFront(RestAlign how, const std::vector<Quaternion>& trunks, RestAlignment& result)
    {
        constexpr double kQuarter = 90 / kDegrees, kNear = 10 / kDegrees;
        const auto from = trunkAxes(m_motion, m_source), to = trunkAxes(m_character, m_target);
        if (!from || !to || how == RestAlign::Frame || !isUpright(*to)) return;
        const Vector3 own = *to * Vector3::UnitZ();
        const bool restSays = !m_isFrame && isUpright(*from);
        const std::optional<Vector3> front = restSays ? std::optional<Vector3>(*from * Vector3::UnitZ())
                                                      : steadyFront(trunks, result.worldFromMotion);
        const Vector3 ahead = front.value_or(Vector3::UnitZ());
        const double turn = signedTurn(ahead, own), quarters = std::round(turn / kQuarter);
        if (!front || std::abs(turn - quarters * kQuarter) > kNear) {
            result.notes.emplace_back(
                restSays ? "The motion's skeleton rests facing askew; it goes where it goes in its file."
                         : "The motion's rest does not say which way it faces, and its frames face several "
                           "ways or askew; it goes where it goes in its file.");
            return;
        }
        if (quarters == 0) return;
        turnSource(Quaternion(Eigen::AngleAxisd(quarters * kQuarter, Vector3::UnitY())), result);
        char text[160];
        std::snprintf(text, sizeof text,
                      "The motion %s %s, the character %s; it is turned by %.0f° to the character's front.",
                      restSays ? "faces" : "has no rest to face by, and goes facing", nameOfAxis(ahead).c_str(),
                      nameOfAxis(own).c_str(), std::abs(quarters) * 90);
        result.notes.emplace_back(text);
    }

    /// Where nearly all frames that are upright in the turned world face, by hips and shoulders; none if there are few
    /// such, or they face several ways.
    static std::optional<Vector3> steadyFront(const std::vector<Quaternion>& trunks, const Quaternion& world)
    {
        constexpr double kStands = 45 / kDegrees, kSame = 35 / kDegrees;
        std::vector<Vector3> fronts;
        Vector3 sum = Vector3::Zero();
        for (const Quaternion& trunk : trunks) {
            if (angleBetween(world * (trunk * Vector3::UnitY()), Vector3::UnitY()) > kStands) continue;
            Vector3 front = world * (trunk * Vector3::UnitZ());
            front.y() = 0;
            fronts.push_back(front.normalized());
            sum += fronts.back();
        }
        // Those that do say where, and not what is left beside them.
        Vector3 alike = Vector3::Zero();
        std::size_t count = 0;
        for (const Vector3& front : fronts)
            if (angleBetween(front, sum) < kSame) alike += front, ++count;
        if (count == 0 || fronts.size() * 5 < trunks.size() || count * 4 < fronts.size() * 3) return std::nullopt;
        return alike.normalized();
    }

    static std::string nameOfAxis(const Vector3& direction)
    {
        const bool isX = std::abs(direction.x()) > std::abs(direction.z());
        const double along = isX ? direction.x() : direction.z();
        return std::string(along < 0 ? "-" : "+") + (isX ? "X" : "Z");
    }
    static double signedTurn(const Vector3& from, const Vector3& to)
    {
        return std::atan2(from.z() * to.x() - from.x() * to.z(), from.x() * to.x() + from.z() * to.z());
    }
    static bool isUpright(const Quaternion& axes)
    {
        constexpr double kUpright = 20 / kDegrees;
        return angleBetween(axes * Vector3::UnitY(), Vector3::UnitY()) < kUpright;
    }

    void compareBones(RestAlignment& result) const
    {
        constexpr double kSameDirection = 1 / kDegrees;
        double shortest = 1e300, longest = 0;
        bool areAxesSame = true, areParallel = true, branches = false;
        int bones = 0;
        for (std::size_t p = 0; p < m_pairs.size(); ++p) {
            std::vector<Vector3> directions;
            for (const std::size_t c : m_children[p]) {
                if (!isBone(p, c)) continue;
                ++bones;
                const double ratio = targetBone(p, c).norm() / sourceBone(p, c).norm();
                shortest = std::min(shortest, ratio);
                longest = std::max(longest, ratio);
                areParallel = areParallel && angleBetween(sourceBone(p, c), targetBone(p, c)) < kSameDirection;
                const Vector3 inSource = m_source.rotation[at(m_pairs[p].source)].conjugate() * sourceBone(p, c);
                const Vector3 inTarget = m_target.rotation[at(m_pairs[p].target)].conjugate() * targetBone(p, c);
                areAxesSame = areAxesSame && m_pairs[p].second < 0 && angleBetween(inSource, inTarget) < kSameDirection;
                for (const Vector3& other : directions)
                    branches = branches || std::sin(angleBetween(other, inSource)) > 0.2;
                directions.push_back(inSource);
            }
        }
        result.isSameShape = bones > 3 && longest < 1.02 * shortest;
        result.areBonesParallel = bones > 0 && areParallel;
        result.isSameSkeleton = bones > 3 && areAxesSame && branches && !isRolled();
    }

    /// Bones may run along the same axis of both and yet be rolled about it, each by its program's habits.
    [[nodiscard]] bool isRolled() const
    {
        constexpr double kHabit = 75 / kDegrees;
        for (std::size_t p = 0; p < m_pairs.size(); ++p)
            for (const std::size_t c : m_children[p]) {
                if (!isBone(p, c)) continue;
                // Beside how the pair above is turned: rest poses may differ all along a limb.
                const int above = m_pairs[p].parent;
                const auto turn = [&](const JointPair& pair) -> Quaternion {
                    return m_source.rotation[at(pair.source)] * m_target.rotation[at(pair.target)].conjugate();
                };
                const Quaternion parent = above >= 0 ? turn(m_pairs[static_cast<std::size_t>(above)])
                                                     : turn(m_pairs[p]);
                const Vector3 bone = parent * targetBone(p, c);
                const Quaternion swung = shortestRotation(bone, sourceBone(p, c)) * parent;
                if (angleBetween(bone, sourceBone(p, c)) < 2.8 && turn(m_pairs[p]).angularDistance(swung) > kHabit)
                    return true;
            }
        return false;
    }

    [[nodiscard]] double armsDiffer() const
    {
        double sum = 0;
        int count = 0;
        for (std::size_t p = 0; p < m_pairs.size(); ++p)
            if (const int c = m_pairs[p].child;
                (m_pairs[p].role == "leftUpperArm" || m_pairs[p].role == "rightUpperArm") && c >= 0)
                sum += angleBetween(sourceBone(p, static_cast<std::size_t>(c)),
                                    targetBone(p, static_cast<std::size_t>(c))),
                    ++count;
        return count > 0 ? sum / count : 0;
    }

    [[nodiscard]] Quaternion turnOfRoot(RestAlign how, const RestAlignment& result) const
    {
        const auto from = trunkAxes(m_motion, m_source), to = trunkAxes(m_character, m_target);
        if (!from || !to || how == RestAlign::Rest) return Quaternion::Identity();
        if (!m_areStances || result.isSameShape || !isUpright(*from) || !isUpright(*to)) return *from * to->conjugate();
        const double turn = signedTurn(*to * Vector3::UnitZ(), *from * Vector3::UnitZ());
        return std::abs(turn) < kSameFront ? Quaternion::Identity()
                                           : Quaternion(Eigen::AngleAxisd(turn, Vector3::UnitY()));
    }

    /// The turn of a pair's joint, given those of the pairs above it.
    [[nodiscard]] Quaternion turnOf(std::size_t p, const std::vector<Quaternion>& turn, const Quaternion& root,
                                    const RestAlignment& result) const
    {
        const JointPair& pair = m_pairs[p];
        const Quaternion& above = pair.parent >= 0 ? turn[static_cast<std::size_t>(pair.parent)] : root;
        if (result.isSameSkeleton && pair.second < 0 && !pair.role.empty())
            return m_source.rotation[at(pair.source)] * m_target.rotation[at(pair.target)].conjugate();
        const bool isExact = result.isSameShape || !m_areStances;
        if (pair.role == "hips") return ontoHipLine((isExact ? fittedTurn(p) : std::nullopt).value_or(above), isExact);
        if (pair.role == "spine" && !result.isSameShape) return spineTurn(p, turn, root);
        if (isExact && m_children[p].size() > 1)
            if (const auto fitted = fittedTurn(p)) return *fitted;
        switch (pair.follows) {
        case Follows::Bone: return boneTurn(p, above);
        case Follows::Hand: return handTurn(p, above);
        case Follows::Foot:
            if (isExact) return boneTurn(p, above);
            return footTurn(p, root);
        case Follows::Trunk: return isExact ? boneTurn(p, above) : above;
        case Follows::Root:
        case Follows::Carried: break;
        }
        return above;
    }

    /// How a spine is drawn says nothing about a posture: it keeps its shape, and what the pelvis is turned against the
    /// chest, as in a step, is spread along it.
    [[nodiscard]] Quaternion spineTurn(std::size_t p, const std::vector<Quaternion>& turn, const Quaternion& root) const
    {
        const auto isSpine = [&](const JointPair& pair) { return pair.role == "spine"; };
        std::size_t chest = p;
        int place = 0, count = 0; // of the spine's joints, from below
        for (std::size_t k = 0; k < m_pairs.size(); ++k)
            if (isSpine(m_pairs[k])) place += k <= p ? 1 : 0, ++count, chest = k;
        Quaternion top = root;
        if (!m_areStances)
            if (const auto fitted = fittedTurn(chest)) top = *fitted;
        const auto hips = std::find_if(m_pairs.begin(), m_pairs.begin() + static_cast<std::ptrdiff_t>(p),
                                       [](const JointPair& pair) { return pair.role == "hips"; });
        const Quaternion& bottom = hips->role == "hips" ? turn[static_cast<std::size_t>(hips - m_pairs.begin())] : root;
        return bottom.slerp(static_cast<double>(place) / count, top);
    }

    /// A pelvis is turned as its hip line is, whatever the thighs hang from and however far out they are. In a stance
    /// it is level, and one thigh may hang lower than the other by the way a figure is made.
    [[nodiscard]] Quaternion ontoHipLine(const Quaternion& turn, bool isExact) const
    {
        const auto line = hipLine(m_motion, m_source), own = hipLine(m_character, m_target);
        if (!line || !own) return turn;
        if (isExact) return shortestRotation(turn * *own, *line) * turn;
        const Quaternion heading = turnAbout(Vector3::UnitY(), turn * *own, *line);
        return heading.angularDistance(Quaternion::Identity()) < kSameFront ? turn : Quaternion(heading * turn);
    }

    [[nodiscard]] Quaternion boneTurn(std::size_t p, const Quaternion& above) const
    {
        if (m_pairs[p].child < 0 || !isBone(p, static_cast<std::size_t>(m_pairs[p].child))) return above;
        const auto child = static_cast<std::size_t>(m_pairs[p].child);
        return shortestRotation(above * targetBone(p, child), sourceBone(p, child)) * above;
    }

    /// The toes' heading; the sole stays as it rests.
    [[nodiscard]] Quaternion footTurn(std::size_t p, const Quaternion& root) const
    {
        if (m_pairs[p].child < 0 || !isBone(p, static_cast<std::size_t>(m_pairs[p].child))) return root;
        const auto child = static_cast<std::size_t>(m_pairs[p].child);
        const auto axes = trunkAxes(m_motion, m_source);
        const Vector3 up = axes && angleBetween(*axes * Vector3::UnitY(), Vector3::UnitY()) > 20 / kDegrees
                               ? Vector3(*axes * Vector3::UnitY())
                               : Vector3(Vector3::UnitY());
        return turnAbout(up, root * targetBone(p, child), sourceBone(p, child)) * root;
    }

    /// Fingers show how a palm is turned; where that is nearly as the forearm says, it rests alike in both.
    [[nodiscard]] Quaternion handTurn(std::size_t p, const Quaternion& above) const
    {
        constexpr double kAlike = 15 / kDegrees;
        const auto fitted = fittedTurn(p);
        return fitted && fitted->angularDistance(above) > kAlike ? *fitted : above;
    }

    /// From the right thigh's root to the left one's.
    static std::optional<Vector3> hipLine(const RoledFigure& figure, const WorldPose& pose)
    {
        const JointIndex left = figure.first("leftUpperLeg"), right = figure.first("rightUpperLeg");
        if (left < 0 || right < 0) return std::nullopt;
        const Vector3 line = pose.position[at(left)] - pose.position[at(right)];
        return line.norm() > 1e-6 ? std::optional<Vector3>(line.normalized()) : std::nullopt;
    }

    /// The rotation that brings all bones below a joint nearest to the motion's (Kabsch 1976); none where they leave it
    /// open.
    [[nodiscard]] std::optional<Quaternion> fittedTurn(std::size_t p) const
    {
        Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
        int bones = 0;
        for (const std::size_t c : m_children[p])
            if (isBone(p, c)) sum += sourceBone(p, c).normalized() * targetBone(p, c).normalized().transpose(), ++bones;
        // How a pelvis is turned its hip line says best, whatever the thighs hang from.
        constexpr double kHipLine = 10;
        if (m_pairs[p].role == "hips")
            if (const auto line = hipLine(m_motion, m_source), own = hipLine(m_character, m_target); line && own)
                sum += kHipLine * *line * own->transpose(), ++bones;
        if (bones < 2) return std::nullopt;
        const Eigen::JacobiSVD<Eigen::Matrix3d> svd(sum, Eigen::ComputeFullU | Eigen::ComputeFullV);
        if (svd.singularValues()[1] < 0.02 * svd.singularValues()[0]) return std::nullopt; // all along one line
        Eigen::Matrix3d proper = Eigen::Matrix3d::Identity();
        proper(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
        return Quaternion(Eigen::Matrix3d(svd.matrixU() * proper * svd.matrixV().transpose()));
    }

    const RoledFigure& m_motion;
    const RoledFigure& m_character;
    const std::vector<JointPair>& m_pairs;
    WorldPose m_source; ///< in the turned world
    const WorldPose& m_target;
    bool m_areStances;
    bool m_isFrame;                                   ///< the motion's pose is one of its frames
    std::vector<std::vector<std::size_t>> m_children; ///< (pairs) pairs with roles below each
};

} // namespace

RestAlignment alignRest(const RoledFigure& motion, const ReferencePose& motionRest, const RoledFigure& character,
                        const ReferencePose& characterRest, const std::vector<JointPair>& pairs, RestAlign align,
                        const std::vector<Quaternion>& trunks)
{
    return Aligner(motion, motionRest, character, characterRest, pairs).align(align, trunks);
}

} // namespace tendon

#include "core/retarget/Soles.h"

#include "core/math/Degrees.h"
#include "core/runtime/Skinning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

namespace tendon {
namespace {

std::vector<JointIndex> feetOf(const RoledFigure& figure)
{
    std::vector<JointIndex> feet;
    for (const LimbRoles& limb : kLimbs)
        if (const JointIndex foot = limb.isLeg ? figure.first(limb.end) : -1; foot >= 0) feet.push_back(foot);
    return feet;
}

double lowestJoint(const RoledFigure& figure, const WorldPose& pose, JointIndex foot)
{
    double lowest = pose.position[at(foot)].y();
    for (JointIndex joint = foot; joint < figure.rig->subtreeEnd[at(foot)]; ++joint)
        lowest = std::min(lowest, pose.position[at(joint)].y());
    return lowest;
}

/// Down, and to all sides at three slopes: whichever way a foot is turned, one is near the floor's normal.
std::vector<Vector3> waysDown()
{
    std::vector<Vector3> ways{-Vector3::UnitY()};
    for (const double slope : {30 / kDegrees, 60 / kDegrees, 85 / kDegrees})
        for (int i = 0; i < 8; ++i) {
            const double around = i * std::numbers::pi / 4;
            ways.emplace_back(std::sin(slope) * std::cos(around), -std::cos(slope), std::sin(slope) * std::sin(around));
        }
    return ways;
}

/// Of the vertices of a foot the one that is farthest each way.
struct Farthest
{
    std::vector<Vector3> ways = waysDown();
    std::vector<double> reach = std::vector<double>(ways.size(), -std::numeric_limits<double>::infinity());
    std::vector<std::pair<const Mesh*, std::size_t>> vertex = std::vector<std::pair<const Mesh*, std::size_t>>(
        ways.size());

    void take(const Mesh& mesh, std::size_t v, const Vector3& place)
    {
        for (std::size_t w = 0; w < ways.size(); ++w)
            if (const double along = ways[w].dot(place); along > reach[w]) reach[w] = along, vertex[w] = {&mesh, v};
    }
};

/// Calls `share(k, weight)` for the influences of a vertex.
template <class Function>
void forInfluences(const Skin& skin, std::size_t v, const Function& share)
{
    if (skin.isRigid()) return share(std::size_t{0}, 1.0);
    for (auto i = skin.influenceBegin[v]; i < skin.influenceBegin[v + 1]; ++i)
        share(std::size_t{skin.influenceJoint[i]}, static_cast<double>(skin.influenceWeight[i]));
}

} // namespace

Vector3 SolePoint::at(const std::vector<Vector3>& positions, const std::vector<Quaternion>& rotations) const
{
    Vector3 place = Vector3::Zero();
    for (const Share& share : shares) {
        const auto joint = static_cast<std::size_t>(share.joint);
        place += share.weight * (positions[joint] + rotations[joint] * share.place);
    }
    return place;
}

double Sole::lowest(const std::vector<Vector3>& positions, const std::vector<Quaternion>& rotations,
                    const Quaternion& turn) const
{
    double lowest = std::numeric_limits<double>::infinity();
    for (const SolePoint& point : points) lowest = std::min(lowest, (turn * point.at(positions, rotations)).y());
    return lowest;
}

std::optional<std::size_t> Sole::end(const Vector3& direction, const CompiledRig& rig, const WorldPose& pose,
                                     const Quaternion& turn, double legs) const
{
    constexpr double kUnderside = 0.05; // of a leg
    const double floor = lowest(pose.position, pose.rotation, turn);
    std::optional<std::size_t> found;
    double farthest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& shares = points[i].shares;
        if (std::any_of(shares.begin(), shares.end(),
                        [&](const auto& share) { return share.weight > 0.1 && !rig.isAtOrBelow(share.joint, foot); }))
            continue;
        const Vector3 place = turn * points[i].at(pose.position, pose.rotation);
        if (place.y() > floor + kUnderside * legs || (found && direction.dot(place) <= farthest)) continue;
        found = i, farthest = direction.dot(place);
    }
    return found;
}

std::vector<Sole> solesOfMeshes(const ModelAsset& model, const RoledFigure& figure, const ModelPose& pose)
{
    constexpr double kMoves = 0.3; // of a vertex: less is the blend into what is beside
    const CompiledRig& rig = *figure.rig;
    std::vector<Sole> soles;
    for (const LimbRoles& limb : kLimbs) {
        const JointIndex shin = limb.isLeg ? figure.last(limb.lower) : -1, foot = figure.first(limb.end);
        if (shin < 0 || foot < 0) continue;
        const auto isBelow = [&](JointIndex joint) {
            return joint >= 0 && (rig.isAtOrBelow(joint, shin) || rig.isAtOrBelow(joint, foot));
        };
        Farthest farthest;
        for (const Mesh& mesh : model.meshes) {
            const SkinBinding binding = bindSkin(rig, mesh.skin);
            if (std::none_of(binding.joints.begin(), binding.joints.end(), isBelow)) continue;
            for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                double weight = 0;
                Vector3 place = Vector3::Zero();
                forInfluences(mesh.skin, v, [&](std::size_t k, double share) {
                    if (isBelow(binding.joints[k])) weight += share;
                });
                if (weight < kMoves) continue;
                forInfluences(mesh.skin, v, [&](std::size_t k, double share) {
                    place += share * (modelFromMesh(binding, pose, k) * mesh.positions[v].cast<double>());
                });
                farthest.take(mesh, v, place);
            }
        }
        Sole sole{foot, {}};
        const std::set<std::pair<const Mesh*, std::size_t>> vertices(farthest.vertex.begin(), farthest.vertex.end());
        for (const auto& [mesh, v] : vertices) {
            if (mesh == nullptr) continue;
            const SkinBinding binding = bindSkin(rig, mesh->skin);
            SolePoint point;
            double sum = 0;
            forInfluences(mesh->skin, v, [&, mesh = mesh, v = v](std::size_t k, double share) {
                const JointIndex joint = binding.joints[k];
                if (joint < 0) return;
                const Affine& placed = pose.modelFromJoint[at(joint)];
                const Vector3 place = modelFromMesh(binding, pose, k) * mesh->positions[v].cast<double>();
                point.shares.push_back({joint, share, rotationOf(placed).conjugate() * (place - placed.translation())});
                sum += share;
            });
            for (SolePoint::Share& share : point.shares) share.weight /= sum;
            sole.points.push_back(std::move(point));
        }
        if (!sole.points.empty()) soles.push_back(std::move(sole));
    }
    return soles;
}

WorldPose withFlatFeet(const RoledFigure& figure, const WorldPose& pose, const Quaternion& upright)
{
    constexpr double kSteep = 50 / kDegrees, kUsual = 25 / kDegrees; // below level
    WorldPose flat = pose;
    const Vector3 up = upright.conjugate() * Vector3::UnitY();
    const auto axes = trunkAxes(figure, pose);
    if (!axes) return flat;
    for (const JointIndex foot : feetOf(figure)) {
        const Vector3& ankle = pose.position[at(foot)];
        Vector3 toes = Vector3::Zero(); // the farthest of them
        for (JointIndex joint = foot; joint < figure.rig->subtreeEnd[at(foot)]; ++joint)
            if (const Vector3 way = pose.position[at(joint)] - ankle; way.norm() > toes.norm()) toes = way;
        if (toes.norm() < 1e-6 || -toes.dot(up) < std::sin(kSteep) * toes.norm()) continue;
        const Vector3 front = *axes * Vector3::UnitZ(), ahead = (front - up * front.dot(up)).normalized();
        const Quaternion turn = shortestRotation(toes, std::cos(kUsual) * ahead - std::sin(kUsual) * up);
        for (JointIndex joint = foot; joint < figure.rig->subtreeEnd[at(foot)]; ++joint) {
            flat.position[at(joint)] = ankle + turn * (pose.position[at(joint)] - ankle);
            flat.rotation[at(joint)] = (turn * pose.rotation[at(joint)]).normalized();
        }
    }
    return flat;
}

std::vector<Sole> solesOfJoints(const RoledFigure& figure, const WorldPose& pose, const Quaternion& upright,
                                double ankleHeight, double legs)
{
    constexpr double kFoot = 0.2, kHeel = 0.3; // of a leg's length; of a foot's, behind the ankle
    std::vector<Sole> soles;
    WorldPose turned = pose;
    for (Vector3& place : turned.position) place = upright * place;
    const auto axes = trunkAxes(figure, turned);
    for (const JointIndex foot : feetOf(figure)) {
        const Vector3 ankle = turned.position[at(foot)];
        Sole sole{foot, {}};
        const auto add = [&](JointIndex joint, Vector3 place) {
            place.y() = std::min(place.y(), ankle.y() - ankleHeight);
            const Vector3 inJoint = (upright * pose.rotation[at(joint)]).conjugate() *
                                    (place - turned.position[at(joint)]);
            sole.points.push_back({{{joint, 1, inJoint}}});
        };
        Vector3 tip = Vector3::Zero(); // of the toes, from the ankle along the floor
        for (JointIndex joint = foot; joint < figure.rig->subtreeEnd[at(foot)]; ++joint) {
            add(joint, turned.position[at(joint)]);
            Vector3 way = turned.position[at(joint)] - ankle;
            way.y() = 0;
            if (way.norm() > tip.norm()) tip = way;
        }
        if (tip.norm() < 0.3 * kFoot * legs) {
            tip = axes ? *axes * Vector3::UnitZ() : Vector3(Vector3::UnitZ());
            tip.y() = 0;
            if (tip.norm() < 1e-6) continue;
            tip *= kFoot * legs / tip.norm();
            add(foot, ankle + tip);
        }
        add(foot, ankle - kHeel * tip);
        soles.push_back(std::move(sole));
    }
    return soles;
}

std::optional<double> anklesAboveSoles(const std::vector<Sole>& soles, const WorldPose& pose, const Quaternion& turn)
{
    if (soles.empty()) return std::nullopt;
    double sum = 0;
    for (const Sole& sole : soles)
        sum += (turn * pose.position[at(sole.foot)]).y() - sole.lowest(pose.position, pose.rotation, turn);
    return sum / static_cast<double>(soles.size());
}

double jointsBelowAnkles(const RoledFigure& figure, const WorldPose& upright)
{
    double sum = 0;
    const std::vector<JointIndex> feet = feetOf(figure);
    for (const JointIndex foot : feet) sum += upright.position[at(foot)].y() - lowestJoint(figure, upright, foot);
    return feet.empty() ? 0 : sum / static_cast<double>(feet.size());
}

std::optional<AnkleHeight> ankleHeightOf(const RoledFigure& figure, const WorldPose& upright, double legs)
{
    const std::vector<JointIndex> feet = feetOf(figure);
    if (feet.empty()) return std::nullopt;
    double lowest = std::numeric_limits<double>::infinity();
    for (const JointIndex foot : feet) lowest = std::min(lowest, lowestJoint(figure, upright, foot));
    // A figure that rests in the middle of a step stands on one foot.
    double ankles = 0;
    int standing = 0;
    for (const JointIndex foot : feet)
        if (lowestJoint(figure, upright, foot) < lowest + 0.05 * legs)
            ankles += upright.position[at(foot)].y(), ++standing;
    // Joints of toes are inside the foot, a little above the sole.
    if (lowest > -0.02 * legs && lowest < 0.08 * legs) return AnkleHeight{ankles / standing, true};
    const double below = jointsBelowAnkles(figure, upright);
    if (below < 1e-6) return std::nullopt;
    return AnkleHeight{below + 0.03 * legs, false};
}

} // namespace tendon

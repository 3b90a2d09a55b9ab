#include "app/widgets/HandleDefaults.h"

#include "core/document/HandleMotion.h"
#include "core/document/MakeOperation.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"
#include "core/scene/RestPose.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tendon::editor {
namespace {

constexpr double kSoft = 0.03;             // of the reach: a knee slows down before it is straight
constexpr double kSoftStep = 0.005;        // [1] as the field steps
constexpr double kBent = 2, kHelper = 0.2; // [degrees] a knee bends more at rest; [1] a helper by less of that
constexpr double kMiddle = 0.3;            // of the chain's length: nearer to an end is a neck, not a knee
constexpr std::size_t kMostHelpers = 4;

bool isAnyActive(const std::array<AxisFreedom, 3>& axes)
{
    return std::any_of(axes.begin(), axes.end(), [](const AxisFreedom& axis) { return axis.active; });
}

/// "" = the chain is no limb.
QString limbSolver(const Scene& scene, const SolverRegistry& solvers, JointId start, JointId end)
{
    const std::vector<JointId> joints = chain(scene, start, end);
    if (joints.size() < 3) return {};
    struct Bend
    {
        double angle = 0;  ///< [degrees] at rest
        double before = 0; ///< [m] from the start along the chain
    };
    std::vector<Bend> bends; // of the joints between that turn
    double length = 0;       // [m]
    for (std::size_t i = 0; i < joints.size(); ++i) {
        if (i > 0)
            length += (worldInRestPose(scene, joints[i]).translation() -
                       worldInRestPose(scene, joints[i - 1]).translation())
                          .norm();
        const Joint& joint = *scene.find(joints[i]);
        if (isAnyActive(joint.sliding) || joint.isTerminator) return {};
        const bool turns = joint.ball || isAnyActive(joint.turning);
        if (i == 0 && !turns) return {};
        if (i == 0 || i + 1 == joints.size() || !turns) continue;
        const auto place = [&](std::size_t at) { return Vector3(worldInRestPose(scene, joints[at]).translation()); };
        const Vector3 before = place(i) - place(i - 1), after = place(i + 1) - place(i);
        bends.push_back({degrees(std::atan2(before.cross(after).norm(), before.dot(after))), length});
    }
    const auto has = [&](const char* alias) { return solvers.find(alias) != nullptr; };
    if (bends.size() == 1) return has("two-bone") ? QStringLiteral("two-bone") : QString();
    if (bends.empty() || bends.size() > kMostHelpers || !has("rotate-plane")) return {};
    std::sort(bends.begin(), bends.end(), [](const Bend& a, const Bend& b) { return a.angle < b.angle; });
    const Bend& knee = bends.back();
    const bool isInMiddle = knee.before > kMiddle * length && knee.before < (1 - kMiddle) * length;
    const bool isLimb = isInMiddle && knee.angle > kBent && bends[bends.size() - 2].angle < kHelper * knee.angle;
    return isLimb ? QStringLiteral("rotate-plane") : QString();
}

/// As much soft reach as leaves a limb where it is when its handle is made, in the rest pose as in the static one.
double limbSoftness(const Scene& scene, JointId start, JointId end)
{
    double straightest = 0; // [1] distance from start to end, as a share of the reach
    for (const auto place : {+[](const Scene&in, JointId joint) { return worldInRestPose(in, joint); },
                             +[](const Scene&in, JointId joint) { return worldInStaticPose(in, joint); }}) {
        std::vector<Vector3> places;
        for (const JointId joint : chain(scene, start, end)) places.push_back(place(scene, joint).translation());
        double reach = 0; // [m]
        for (std::size_t i = 1; i < places.size(); ++i) reach += (places[i] - places[i - 1]).norm();
        if (reach > 0) straightest = std::max(straightest, (places.back() - places.front()).norm() / reach);
    }
    return std::min(kSoft, kSoftStep * std::floor(std::max(0.0, 1 - straightest) / kSoftStep));
}

} // namespace

QJsonObject handleOperation(const Scene& scene, const Clip* clip, const SolverRegistry& solvers, const QString& name,
                            const QString& solver, JointId start, JointId end)
{
    const auto nameIn = [&](JointId joint) { return QString::fromStdString(nameOf(scene, joint.value)); };
    QJsonObject add{{"op", "addHandle"}, {"name", name}, {"start", nameIn(start)}, {"end", nameIn(end)}};
    const QString usual = solver.isEmpty() ? limbSolver(scene, solvers, start, end) : QString();
    const QString chosen = solver.isEmpty() ? usual : solver;
    if (!chosen.isEmpty()) add.insert("solver", chosen);
    if (clip != nullptr && movesChain(scene, *clip, start, end)) {
        add.insert("followMotion", true);
        return add; // as it was recorded, also where a knee is straight
    }
    const double soft = usual.isEmpty() ? 0 : limbSoftness(scene, start, end);
    if (!(soft > 0)) return add;
    return ops::group({add, QJsonObject{{"op", "setHandle"}, {"name", name}, {"soft", soft}}});
}

} // namespace tendon::editor

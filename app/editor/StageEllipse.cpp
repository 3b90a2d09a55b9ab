#include "app/editor/StageEllipse.h"

#include "core/math/Convert.h"
#include "core/math/Transform.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon::editor {
namespace {

Quaternion turnOf(const sdk::StageRow& row)
{
    return Quaternion(row.rotation[3], row.rotation[0], row.rotation[1], row.rotation[2]).normalized();
}

/// The joint that a body stands for, as an index into the recording's joints; -1 = no stage is about it.
std::int32_t jointOf(const SolverRecording& recording, std::int32_t body)
{
    const auto about = std::find_if(recording.stages.begin(), recording.stages.end(), [&](const RecordedStage& stage) {
        return stage.joint >= 0 && stage.row.body == body;
    });
    return about == recording.stages.end() ? -1 : about->joint;
}

/// The rest rotation of joint `of`, from the joint `from` above it; the joints between keep their rotations.
std::optional<Quaternion> baseOf(const SolverRecording& recording, const CompiledRig& rig, JointIndex of,
                                 JointIndex from)
{
    Quaternion base = rig.rest[at(of)].rotation;
    JointIndex joint = rig.parent[at(of)];
    for (; joint >= 0 && joint != from; joint = rig.parent[at(joint)])
        base = recording.answer.local.joints[at(joint)].rotation * base;
    if (joint != from) return std::nullopt;
    return base;
}

/// How the frame stands that the limited joint turns in, as the stage `row` has it. Towards the root it is carried by
/// the node that moves; outward, by the node above the joint, which an earlier stage of the pass has turned.
std::optional<Quaternion> frameOf(const SolverRecording& recording, const CompiledRig& rig, std::size_t row,
                                  std::int32_t limited)
{
    const auto indexOf = [&](std::int32_t joint) { return recording.joints[static_cast<std::size_t>(joint)]; };
    const sdk::StageRow& now = recording.stages[row].row;
    const JointIndex joint = indexOf(limited);
    if (now.isForward == 0) {
        if (recording.stages[row].joint < 0) return std::nullopt;
        const auto base = baseOf(recording, rig, joint, indexOf(recording.stages[row].joint));
        if (!base) return std::nullopt;
        return turnOf(now) * *base;
    }
    for (std::size_t r = row; r-- > 0 && recording.stages[r].row.pass == now.pass;) {
        const sdk::StageRow& before = recording.stages[r].row;
        if (before.isForward == 0) break;
        // A stage that places the joint has the rotation of the node above; one that turns a node has its own.
        const bool placesIt = before.body == now.other && before.other >= 0 && before.other != before.body;
        std::int32_t above = placesIt ? jointOf(recording, before.other) : -1;
        if (!placesIt && before.other == before.body) {
            const std::int32_t turned = recording.stages[r].joint;
            if (turned >= 0 && rig.isAtOrBelow(joint, indexOf(turned)) && indexOf(turned) != joint) above = turned;
        }
        if (above < 0) continue;
        if (const auto base = baseOf(recording, rig, joint, indexOf(above))) return turnOf(before) * *base;
    }
    const std::int32_t parent = recording.parents[static_cast<std::size_t>(limited)];
    if (parent >= 0) return std::nullopt;
    return rotationOf(recording.carriers[static_cast<std::size_t>(limited)]) * rig.rest[at(joint)].rotation;
}

} // namespace

std::optional<StageEllipse> ellipseAtStage(const SolverRecording& recording, std::size_t count)
{
    if (count < 1 || count > recording.stages.size()) return std::nullopt;
    // e, f and g of one edge follow each other.
    constexpr sdk::Stage kOrder[] = {sdk::Stage::Ellipse, sdk::Stage::IntoEllipse, sdk::Stage::Length};
    const auto place = static_cast<std::size_t>(
        std::find(std::begin(kOrder), std::end(kOrder), recording.stages[count - 1].row.stage) - std::begin(kOrder));
    if (place >= std::size(kOrder) || count - 1 < place) return std::nullopt;
    StageEllipse made{.row = count - 1 - place, .shown = count - 1, .isMoved = place > 0};
    for (std::size_t i = 0; i < place; ++i)
        if (recording.stages[made.row + i].row.stage != kOrder[i]) return std::nullopt;
    const sdk::StageRow& row = recording.stages[made.row].row;
    std::copy(std::begin(row.semiAxes), std::end(row.semiAxes), made.semiAxes.begin());
    std::copy(std::begin(row.swing), std::end(row.swing), made.asked.begin());
    if (made.isMoved) {
        const sdk::StageRow& into = recording.stages[made.row + 1].row;
        std::copy(std::begin(into.swing), std::end(into.swing), made.kept.begin());
    }
    double level = 0; // each quarter has axes of its own
    for (std::size_t i = 0; i < 2; ++i) {
        const double semi = made.semiAxes[2 * i + (made.asked[i] < 0 ? 1 : 0)];
        level += made.asked[i] == 0 ? 0 : std::pow(made.asked[i] / semi, 2);
    }
    made.isInside = level <= 1 + 1e-9;
    return made;
}

JointIndex limitedJoint(const SolverRecording& recording, const StageEllipse& ellipse, const CompiledRig& rig)
{
    const std::int32_t limited = jointOf(recording, recording.stages[ellipse.row].row.other);
    if (limited < 0) return -1;
    const JointIndex joint = recording.joints[static_cast<std::size_t>(limited)];
    const bool isOfRig = recording.answer.local.joints.size() == rig.jointCount() && joint >= 0 &&
                         at(joint) < rig.jointCount() && rig.authored[at(joint)].ball;
    return isOfRig ? joint : -1;
}

char axisOfSwing(const Joint& joint, int which) { return "XYZ"[(joint.ball->twistAxis + 1 + which) % 3]; }

std::optional<EllipseInSpace> inSpace(const SolverRecording& recording, const StageEllipse& ellipse,
                                      const CompiledRig& rig)
{
    const sdk::StageRow& row = recording.stages[ellipse.row].row;
    const JointIndex joint = limitedJoint(recording, ellipse, rig);
    if (joint < 0) return std::nullopt;
    const std::int32_t limited = jointOf(recording, row.other);
    const auto frame = frameOf(recording, rig, ellipse.row, limited);
    if (!frame) return std::nullopt;

    const int axis = rig.authored[at(joint)].ball->twistAxis;
    const auto swung = [axis](double a, double b) {
        Vector3 about = Vector3::Zero();
        about[(axis + 1) % 3] = a;
        about[(axis + 2) % 3] = b;
        const double angle = about.norm();
        return angle < 1e-12 ? Quaternion::Identity() : Quaternion(Eigen::AngleAxisd(angle, about / angle));
    };
    EllipseInSpace made;
    made.limited = joint;
    made.semiAxes = ellipse.semiAxes;
    made.fixed = positionsAtStage(recording, ellipse.row + 1)[static_cast<std::size_t>(limited)];
    made.asked = toVector(row.position);
    Vector3 bone = made.asked - made.fixed;
    const std::size_t next = ellipse.row + 1; // f, if the recording goes on
    if (next < recording.stages.size() && recording.stages[next].row.stage == sdk::Stage::IntoEllipse)
        bone *= (toVector(recording.stages[next].row.position) - made.fixed).norm() / std::max(bone.norm(), 1e-12);
    const Quaternion asked = swung(ellipse.asked[0], ellipse.asked[1]);
    const auto where = [&](double a, double b) {
        const Quaternion by = swung(a, b);
        const Quaternion turn = row.isForward != 0 ? by * asked.conjugate() : asked * by.conjugate();
        return Vector3(made.fixed + *frame * (turn * (frame->conjugate() * bone)));
    };
    std::array<double, 4> semi{}; // half a turn is as far as a swing goes
    for (std::size_t i = 0; i < semi.size(); ++i) semi[i] = std::min(ellipse.semiAxes[i], std::numbers::pi);
    made.centre = where(0, 0);
    for (std::size_t i = 0; i < EllipseInSpace::kRimPoints; ++i) { // each quarter has axes of its own
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / EllipseInSpace::kRimPoints,
                     c = std::cos(angle), s = std::sin(angle);
        made.rim.push_back(where(c * semi[c >= 0 ? 0 : 1], s * semi[s >= 0 ? 2 : 3]));
    }
    constexpr int kAxisSteps = 16;
    for (std::size_t i = 0; i < made.axes.size(); ++i)
        for (int k = 0; k <= kAxisSteps; ++k) {
            const double swing = (i % 2 == 0 ? 1 : -1) * semi[i] * k / kAxisSteps;
            made.axes[i].push_back(i < 2 ? where(swing, 0) : where(0, swing));
        }
    if (ellipse.isMoved) made.kept = toVector(recording.stages[ellipse.shown].row.position);
    return made;
}

} // namespace tendon::editor

#include "core/conformance/Rig.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tendon::conformance {

namespace {

using sdk::JointKind;
using sdk::JointTraits;
constexpr double kPi = std::numbers::pi;

std::array<double, 3> randomAxis(Random& random)
{
    const double z = random.uniform(-1, 1), angle = random.uniform(-kPi, kPi), r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
}

Eigen::Quaterniond randomRotation(Random& random, double largest)
{
    const auto axis = randomAxis(random);
    return Eigen::Quaterniond(
        Eigen::AngleAxisd(random.uniform(0, largest), Eigen::Vector3d(axis[0], axis[1], axis[2])));
}

ModelDof turning(std::array<double, 3> axis, bool isLimited, Random& random)
{
    ModelDof dof{.kind = sdk::DofKind::Turning, .axis = axis};
    if (isLimited && !random.chance(0.15)) dof.lower = random.uniform(-2.4, -0.2); // now and then open at one side
    if (isLimited && !random.chance(0.15)) dof.upper = random.uniform(0.2, 2.4);
    return dof;
}

ModelDof sliding(std::array<double, 3> axis, bool isLimited, Random& random)
{
    ModelDof dof{.kind = sdk::DofKind::Sliding, .axis = axis};
    if (isLimited) dof.lower = random.uniform(-0.3, 0);
    if (isLimited) dof.upper = random.uniform(0.05, 0.4);
    return dof;
}

/// The DOFs of one joint of a chain; `number` lets joints of one chain differ.
std::vector<ModelDof> dofsOf(JointKind kind, int number, bool isLimited, bool isRegular, Random& random)
{
    constexpr std::array<double, 3> x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    const std::array<std::array<double, 3>, 3> units = {x, y, z};
    switch (kind) {
    case JointKind::Revolute: return {turning(isRegular ? z : randomAxis(random), isLimited, random)};
    case JointKind::Prismatic: return {sliding(units[static_cast<std::size_t>(number % 3)], isLimited, random)};
    case JointKind::Universal: return {turning(x, isLimited, random), turning(z, isLimited, random)};
    case JointKind::Axes:
        if (!isRegular && number % 2 == 1)
            return {sliding(y, true, random), turning(z, isLimited, random), turning(x, isLimited, random)};
        return {turning(x, isLimited, random), turning(y, isLimited, random), turning(z, isLimited, random)};
    case JointKind::Fixed:
    case JointKind::Ball:
    case JointKind::Free: break;
    }
    return {};
}

void limitBall(Rig& rig, std::int32_t body, Random& random)
{
    const auto b = static_cast<std::size_t>(body);
    for (std::size_t k = 0; k < 4; ++k) rig.arrays.ballSwing[4 * b + k] = random.uniform(0.4, 1.6);
    rig.arrays.ballTwist[2 * b] = random.uniform(-1.5, -0.2);
    rig.arrays.ballTwist[2 * b + 1] = random.uniform(0.2, 1.5);
    rig.arrays.ballAxis[b] = static_cast<sdk::Axis>(random.index(3));
}

std::int32_t addBody(Rig& rig, std::int32_t parent, JointKind kind, const Eigen::Vector3d& offset,
                     const Eigen::Quaterniond& turn, bool isLimited, bool isRegular, Random& random)
{
    const auto number = static_cast<int>(rig.arrays.parent.size());
    const std::vector<ModelDof> dofs = dofsOf(kind, number, isLimited, isRegular, random);
    const std::int32_t body = rig.arrays.addBody(parent, kind, dofs);
    if (sdk::traits(kind).hasSwingLimits && isLimited) limitBall(rig, body, random);
    for (auto v = static_cast<std::size_t>(rig.arrays.vBegin[static_cast<std::size_t>(body)]);
         v < rig.arrays.dofKind.size(); ++v)
        rig.onlyTurns = rig.onlyTurns && rig.arrays.dofKind[v] == sdk::DofKind::Turning;
    rig.base.insert(rig.base.end(), {offset.x(), offset.y(), offset.z(), turn.x(), turn.y(), turn.z(), turn.w(), 1.0});
    return body;
}

/// A joint after a bone of random length, a little off the parent's y axis and turned a little, unless regular.
std::int32_t addJoint(Rig& rig, std::int32_t parent, JointKind kind, bool isLimited, bool isRegular, Random& random)
{
    const double length = parent == 0 ? 0.1 : random.uniform(0.2, 0.5);
    Eigen::Vector3d offset(0, length, 0);
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
    if (!isRegular) {
        offset = randomRotation(random, 0.6) * offset;
        turn = randomRotation(random, 0.8);
    }
    if (parent != 0) rig.reach += length;
    return addBody(rig, parent, kind, offset, turn, isLimited, isRegular, random);
}

Rig makeGround(std::string name, bool isLimited, Random& random)
{
    Rig rig;
    rig.name = std::move(name);
    rig.isLimited = isLimited;
    addBody(rig, -1, JointKind::Fixed, Eigen::Vector3d::Zero(), Eigen::Quaterniond::Identity(), false, true, random);
    return rig;
}

Rig makeSerial(std::string name, const std::vector<JointKind>& kinds, bool isLimited, bool isRegular, Random& random)
{
    Rig rig = makeGround(std::move(name), isLimited, random);
    std::int32_t body = 0;
    for (const JointKind kind : kinds) body = addJoint(rig, body, kind, isLimited, isRegular, random);
    rig.tips = {addJoint(rig, body, JointKind::Fixed, false, isRegular, random)};
    return rig;
}

/// Straight along y, unlimited: what an unreachable goal must stretch.
Rig makeStraight(JointKind kind, int joints, Random& random)
{
    Rig rig = makeSerial(nameOf(kind) + " chain, straight",
                         std::vector<JointKind>(static_cast<std::size_t>(joints), kind), false, true, random);
    rig.straightens = true;
    rig.isPlanar = kind == JointKind::Revolute;
    return rig;
}

} // namespace

std::string nameOf(JointKind kind) { return std::string(sdk::traits(kind).name); }

bool mayOnlyTurn(JointKind kind)
{
    return sdk::traits(kind).slides == 0 || sdk::traits(kind).slides == JointTraits::kAnyNumber;
}

Rig makeChain(JointKind kind, int joints, bool isLimited, Random& random)
{
    const std::string name = nameOf(kind) + " chain of " + std::to_string(joints) + (isLimited ? ", limited" : "");
    return makeSerial(name, std::vector<JointKind>(static_cast<std::size_t>(joints), kind), isLimited, false, random);
}

Rig makeTree(JointKind kind, bool isLimited, Random& random)
{
    Rig rig = makeGround(nameOf(kind) + " tree" + (isLimited ? ", limited" : ""), isLimited, random);
    std::int32_t trunk = 0;
    for (int i = 0; i < 2; ++i) trunk = addJoint(rig, trunk, kind, isLimited, false, random);
    for (int branch = 0; branch < 2; ++branch) {
        std::int32_t body = trunk;
        for (int i = 0; i < 3; ++i) body = addJoint(rig, body, kind, isLimited, false, random);
        rig.tips.push_back(addJoint(rig, body, JointKind::Fixed, false, false, random));
    }
    return rig;
}

std::vector<Rig> makeRigs(const SolverInfo& info, Random& random)
{
    // A solver of chains of a certain length gets the shortest, with a fixed body at its end ...
    const auto fitted = [&info](int wished) {
        return info.maxChainJoints > 0 ? info.minChainJoints : std::max(wished, info.minChainJoints);
    };
    std::vector<JointKind> moved;
    for (const JointKind kind : sdk::jointKinds())
        if (kind != JointKind::Fixed && info.moves(nameOf(kind))) moved.push_back(kind);

    std::vector<Rig> rigs;
    const bool limits = info.has("hard-limits");
    const auto mayStart = [&info](JointKind kind) {
        return info.startKinds.empty() ||
               std::find(info.startKinds.begin(), info.startKinds.end(), nameOf(kind)) != info.startKinds.end();
    };
    for (const JointKind kind : moved) {
        const int joints = fitted(mayOnlyTurn(kind) ? 5 : sdk::traits(kind).hasQuaternion ? 1 : 3);
        if (mayStart(kind)) rigs.push_back(makeChain(kind, joints, false, random));
        if (mayStart(kind) && limits) rigs.push_back(makeChain(kind, joints, true, random));
        if (mayStart(kind) && mayOnlyTurn(kind)) rigs.push_back(makeStraight(kind, fitted(4), random));
        // Solvers of short chains may want a ball at the root before anything simpler.
        if (kind == JointKind::Ball || !info.moves("ball")) continue;
        std::vector<JointKind> kinds(static_cast<std::size_t>(std::max(2, fitted(3))), kind);
        kinds[0] = JointKind::Ball;
        if (info.maxChainJoints == 0 || static_cast<int>(kinds.size()) <= info.maxChainJoints)
            rigs.push_back(makeSerial("ball, then " + nameOf(kind), kinds, limits, false, random));
    }
    // ... and everyone gets chains whose last joint is the goal's body, as handles have them.
    for (const JointKind kind : moved) {
        if (!mayStart(kind) || !mayOnlyTurn(kind)) continue;
        const int joints = info.maxChainJoints > 0 ? info.maxChainJoints : std::max(3, info.minChainJoints);
        Rig rig = makeChain(kind, joints, limits, random);
        rig.name += ", goals on the last joint";
        rig.tips = {rig.arrays.parent[static_cast<std::size_t>(rig.tips[0])]};
        rigs.push_back(std::move(rig));
    }
    if (moved.size() > 1 && std::any_of(moved.begin(), moved.end(), mayStart)) {
        std::vector<JointKind> kinds;
        for (int i = 0; i < fitted(6); ++i)
            kinds.push_back(moved[static_cast<std::size_t>(random.index(static_cast<int>(moved.size())))]);
        if (!mayStart(kinds[0])) kinds[0] = *std::find_if(moved.begin(), moved.end(), mayStart);
        rigs.push_back(makeSerial("mixed chain", kinds, limits, false, random));
    }
    if (info.has("tree"))
        for (const JointKind kind : moved)
            if (mayOnlyTurn(kind)) rigs.push_back(makeTree(kind, limits, random));
    return rigs;
}

namespace {

void storeRotation(const Eigen::Quaterniond& rotation, double* xyzw)
{
    for (int k = 0; k < 4; ++k) xyzw[k] = rotation.coeffs()[k];
}

Eigen::Quaterniond randomBall(const Rig& rig, std::size_t body, Random& random)
{
    if (std::isinf(rig.arrays.ballSwing[4 * body])) return randomRotation(random, kPi);
    const double* swing = &rig.arrays.ballSwing[4 * body];
    const double angle = random.uniform(-kPi, kPi), out = 0.98 * std::sqrt(random.uniform(0, 1));
    kit::SwingTwist split;
    split.swingA = out * std::cos(angle) * (std::cos(angle) > 0 ? swing[0] : swing[1]);
    split.swingB = out * std::sin(angle) * (std::sin(angle) > 0 ? swing[2] : swing[3]);
    split.twist = random.uniform(0.98 * rig.arrays.ballTwist[2 * body], 0.98 * rig.arrays.ballTwist[2 * body + 1]);
    return kit::joinSwingTwist(split, rig.arrays.ballAxis[body]);
}

double randomValue(const Rig& rig, std::size_t dof, Random& random)
{
    const double range = rig.arrays.dofKind[dof] == sdk::DofKind::Turning ? kPi : 0.5;
    return random.uniform(std::max(-range, rig.arrays.lower[dof]), std::min(range, rig.arrays.upper[dof]));
}

} // namespace

std::vector<double> randomConfiguration(const Rig& rig, Random& random)
{
    std::vector<double> q = rig.arrays.neutral();
    for (std::size_t b = 0; b < rig.arrays.kind.size(); ++b) {
        const auto v = static_cast<std::size_t>(rig.arrays.vBegin[b]),
                   end = static_cast<std::size_t>(rig.arrays.vBegin[b + 1]);
        auto at = static_cast<std::size_t>(rig.arrays.qBegin[b]);
        const std::size_t singles = rig.arrays.singlesEnd(b);
        for (std::size_t dof = v; dof < singles; ++dof) q[at++] = randomValue(rig, dof, random);
        if (singles != end) storeRotation(randomBall(rig, b, random), &q[at]);
    }
    return q;
}

std::vector<double> nearConfiguration(const Rig& rig, const std::vector<double>& from, double by, Random& random)
{
    std::vector<double> q = from;
    const sdk::Model model = rig.model();
    for (std::size_t b = 0; b < rig.arrays.kind.size(); ++b) {
        const auto v = static_cast<std::size_t>(rig.arrays.vBegin[b]),
                   end = static_cast<std::size_t>(rig.arrays.vBegin[b + 1]);
        auto at = static_cast<std::size_t>(rig.arrays.qBegin[b]);
        const std::size_t singles = rig.arrays.singlesEnd(b);
        for (std::size_t dof = v; dof < singles; ++dof, ++at)
            q[at] = std::clamp(q[at] + random.uniform(-by, by), rig.arrays.lower[dof], rig.arrays.upper[dof]);
        if (singles == end) continue;
        const Eigen::Quaterniond turned = Eigen::Quaterniond(q[at + 3], q[at], q[at + 1], q[at + 2]) *
                                          randomRotation(random, by);
        const bool hasLimits = sdk::traits(rig.arrays.kind[b]).hasSwingLimits;
        storeRotation(hasLimits ? kit::nearestInBall(model, static_cast<int>(b), turned.normalized())
                                : turned.normalized(),
                      &q[at]);
    }
    return q;
}

std::vector<double> restConfiguration(const Rig& rig)
{
    std::vector<double> q = rig.arrays.neutral();
    for (std::size_t b = 0; b < rig.arrays.kind.size(); ++b) {
        if (sdk::traits(rig.arrays.kind[b]).hasQuaternion) continue;
        auto at = static_cast<std::size_t>(rig.arrays.qBegin[b]);
        for (auto v = static_cast<std::size_t>(rig.arrays.vBegin[b]);
             v < static_cast<std::size_t>(rig.arrays.vBegin[b + 1]); ++v, ++at)
            q[at] = std::clamp(0.0, rig.arrays.lower[v], rig.arrays.upper[v]);
    }
    return q;
}

} // namespace tendon::conformance

#include "tests/bench/OwnSets.h"

#include <tendon/kit/Random.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tendon::bench {

namespace {

using kit::Random;
using Joint = SolverProblem::Joint;

constexpr double kDegree = std::numbers::pi / 180;

std::int32_t addHinge(SolverProblem& problem, std::int32_t parent, const Vector3& position, const Vector3& axis,
                      double lower, double upper, const std::string& bone = {})
{
    Joint joint;
    joint.name = "j" + std::to_string(problem.joints.size());
    joint.bone = bone;
    joint.parent = parent;
    joint.position = position;
    joint.motion = SolverProblem::Motion::Revolute;
    joint.axis = axis;
    joint.lower = lower;
    joint.upper = upper;
    joint.dof = static_cast<std::int32_t>(problem.start.size());
    problem.joints.push_back(joint);
    problem.start.push_back(std::isinf(lower) ? 0 : 0.5 * (lower + upper));
    return static_cast<std::int32_t>(problem.joints.size()) - 1;
}

std::int32_t addTip(SolverProblem& problem, std::int32_t parent, const Vector3& position, bool hasOrientation)
{
    Joint tip;
    tip.name = "tip" + std::to_string(problem.goals.size());
    tip.parent = parent;
    tip.position = position;
    problem.joints.push_back(tip);
    const auto index = static_cast<std::int32_t>(problem.joints.size()) - 1;
    problem.goals.push_back({.name = tip.name, .joint = index, .hasPosition = true, .hasOrientation = hasOrientation});
    return index;
}

void addCase(SolverProblem& problem, const std::vector<double>& q)
{
    const auto world = problem.forwardKinematics(q);
    SolverProblem::Case wanted;
    wanted.number = static_cast<std::int64_t>(problem.cases.size());
    for (const SolverProblem::Goal& goal : problem.goals) {
        const auto& joint = world[static_cast<std::size_t>(goal.joint)];
        wanted.targets.push_back({joint.position + joint.rotation * goal.offset, joint.rotation});
    }
    problem.cases.push_back(std::move(wanted));
}

std::vector<double> randomWithinLimits(const SolverProblem& problem, Random& random)
{
    std::vector<double> q;
    for (const Joint& joint : problem.joints)
        if (joint.dof >= 0)
            q.push_back(
                random.uniform(std::max(joint.lower, -std::numbers::pi), std::min(joint.upper, std::numbers::pi)));
    return q;
}

/// A smooth path within limits: sines of different periods for each DOF.
void addPath(SolverProblem& problem, int frames, Random& random)
{
    std::vector<double> phase, turns;
    for (std::size_t i = 0; i < problem.start.size(); ++i) {
        phase.push_back(random.uniform(0, 2 * std::numbers::pi));
        turns.push_back(1 + random.index(2));
    }
    const std::vector<double> middle = problem.start;
    std::vector<double> q(middle.size());
    for (int frame = 0; frame < frames; ++frame) {
        for (const Joint& joint : problem.joints) {
            if (joint.dof < 0) continue;
            const auto i = static_cast<std::size_t>(joint.dof);
            const double wave = std::sin(phase[i] + turns[i] * 2 * std::numbers::pi * frame / frames);
            q[i] = middle[i] + 0.2 * (joint.upper - joint.lower) * wave;
        }
        addCase(problem, q);
        if (frame == 0) problem.start = q;
    }
    problem.isTrajectory = true;
}

/// A chain of `count` free ball joints with bones of length 1 / count, and targets in a shell of its reach.
SolverProblem ballChain(const std::string& name, int count, int cases, double nearest, double farthest, Random& random)
{
    constexpr double kFree = std::numeric_limits<double>::infinity();
    SolverProblem problem;
    problem.name = name;
    problem.isBallChain = true;
    std::int32_t parent = -1;
    for (int b = 0; b < count; ++b) {
        const Vector3 bone(0, b == 0 ? 0 : 1.0 / count, 0);
        parent = addHinge(problem, parent, bone, Vector3::UnitX(), -kFree, kFree);
        parent = addHinge(problem, parent, Vector3::Zero(), Vector3::UnitY(), -kFree, kFree);
        parent = addHinge(problem, parent, Vector3::Zero(), Vector3::UnitZ(), -kFree, kFree);
    }
    addTip(problem, parent, Vector3(0, 1.0 / count, 0), false);
    problem.positionTolerance = 1e-3;
    problem.rotationTolerance = 1;
    for (int i = 0; i < cases; ++i) {
        const double z = random.uniform(-1, 1), angle = random.uniform(-std::numbers::pi, std::numbers::pi);
        const double r = nearest + (farthest - nearest) * std::cbrt(random.uniform(0, 1)),
                     across = std::sqrt(1 - z * z);
        problem.cases.push_back(
            {i, {{Vector3(across * std::cos(angle), across * std::sin(angle), z) * r, Quaternion::Identity()}}});
    }
    return problem;
}

SolverProblem arm()
{
    SolverProblem problem;
    const Vector3 y = Vector3::UnitY(), z = Vector3::UnitZ();
    std::int32_t at = addHinge(problem, -1, {0, 0.2, 0}, y, -170 * kDegree, 170 * kDegree);
    at = addHinge(problem, at, {0, 0.14, 0}, z, -30 * kDegree, 110 * kDegree);
    at = addHinge(problem, at, {0, 0.22, 0}, y, -170 * kDegree, 170 * kDegree);
    at = addHinge(problem, at, {0, 0.2, 0.03}, z, -150 * kDegree, 5 * kDegree);
    at = addHinge(problem, at, {0, 0.2, -0.03}, y, -170 * kDegree, 170 * kDegree);
    at = addHinge(problem, at, {0, 0.19, 0}, z, -10 * kDegree, 120 * kDegree);
    at = addHinge(problem, at, {0.06, 0.02, 0}, y, -170 * kDegree, 170 * kDegree);
    addTip(problem, at, {0, 0.1, 0}, true);
    problem.positionTolerance = problem.rotationTolerance = 1e-5;
    return problem;
}

/// Three crossing hinges: one bone with a range about each of its axes.
std::int32_t addBone(SolverProblem& problem, std::int32_t parent, const std::string& bone, const Vector3& position,
                     double x, double y, double z)
{
    const Vector3 axes[] = {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()};
    const double ranges[] = {x, y, z};
    bool isFirst = true;
    for (int k = 0; k < 3; ++k) {
        if (ranges[k] == 0) continue;
        parent = addHinge(problem, parent, isFirst ? position : Vector3(0, 0, 0), axes[k], -ranges[k] * kDegree,
                          0.8 * ranges[k] * kDegree, bone);
        isFirst = false;
    }
    return parent;
}

SolverProblem figure(bool hasOrientation)
{
    SolverProblem problem;
    const std::int32_t pelvis = addBone(problem, -1, "pelvis", {0, 0.95, 0}, 25, 35, 20);
    std::int32_t chest = pelvis;
    for (const char* name : {"spine1", "spine2", "spine3"})
        chest = addBone(problem, chest, name, {0, 0.14, 0}, 20, 15, 15);
    addTip(problem,
           addBone(problem, addBone(problem, chest, "neck", {0, 0.16, 0}, 25, 30, 15), "head", {0, 0.1, 0}, 30, 40, 20),
           {0, 0.12, 0}, hasOrientation);
    for (const double side : {1.0, -1.0}) {
        const std::string s = side > 0 ? "L" : "R";
        std::int32_t at = addBone(problem, chest, "clavicle" + s, {side * 0.05, 0.12, 0}, 0, 20, 20);
        at = addBone(problem, at, "arm" + s, {side * 0.14, 0, 0}, 80, 90, 90);
        at = addBone(problem, at, "forearm" + s, {side * 0.29, 0, 0}, 70, 120, 0);
        at = addBone(problem, at, "hand" + s, {side * 0.26, 0, 0}, 0, 30, 70);
        addTip(problem, at, {side * 0.08, 0, 0}, hasOrientation);
        at = addBone(problem, pelvis, "thigh" + s, {side * 0.1, -0.06, 0}, 100, 40, 40);
        at = addBone(problem, at, "shin" + s, {0, -0.43, 0}, 120, 0, 0);
        at = addBone(problem, at, "foot" + s, {0, -0.42, 0}, 45, 0, 25);
        addTip(problem, at, {0, -0.05, 0.12}, hasOrientation);
    }
    problem.positionTolerance = problem.rotationTolerance = 1e-3;
    return problem;
}

SolverProblem named(SolverProblem problem, const char* name)
{
    problem.name = name;
    return problem;
}

} // namespace

std::vector<SolverProblem> ownSets()
{
    Random random(20240607);
    std::vector<SolverProblem> sets;
    sets.push_back(ballChain("own: 10 balls", 10, 200, 0, 0.98, random));
    sets.push_back(ballChain("own: 30 balls", 30, 200, 0, 0.98, random));
    sets.push_back(ballChain("own: 100 balls", 100, 50, 0, 0.98, random));
    sets.push_back(ballChain("own: 10 balls, out of reach", 10, 200, 1.05, 2, random));
    SolverProblem cold = named(arm(), "own: arm");
    for (int i = 0; i < 200; ++i) addCase(cold, randomWithinLimits(cold, random));
    sets.push_back(std::move(cold));
    SolverProblem path = named(arm(), "own: arm, path");
    addPath(path, 250, random);
    sets.push_back(std::move(path));
    for (const bool hasOrientation : {false, true}) {
        SolverProblem any = named(figure(hasOrientation),
                                  hasOrientation ? "own: figure, poses" : "own: figure, positions");
        for (int i = 0; i < 60; ++i) addCase(any, randomWithinLimits(any, random));
        sets.push_back(std::move(any));
        SolverProblem moving = named(figure(hasOrientation),
                                     hasOrientation ? "own: figure, poses, path" : "own: figure, positions, path");
        addPath(moving, 120, random);
        sets.push_back(std::move(moving));
    }
    return sets;
}

std::vector<PathWithTruth> ownPaths(std::uint64_t seed)
{
    std::vector<PathWithTruth> paths;
    const auto add = [&](SolverProblem problem, const char* name, int frames) {
        PathWithTruth like{named(std::move(problem), name), {}};
        like.problem.cases.resize(static_cast<std::size_t>(frames));
        paths.push_back(otherPath(like, seed));
    };
    add(arm(), "own: arm", 1000);
    add(figure(false), "own: figure, positions", 250);
    add(figure(true), "own: figure, poses", 250);
    return paths;
}

PathWithTruth otherPath(const PathWithTruth& like, std::uint64_t seed)
{
    constexpr int kWaves = 4;
    constexpr double kUsualSpeed = 1.5 * kDegree; // a frame, at the 99th percentile
    const std::size_t frames = like.problem.cases.size(), dofs = like.problem.dofCount();
    struct Wave
    {
        double size, speed, phase;
    };
    Random random(seed);
    std::vector<double> middle(dofs);
    std::vector<std::array<Wave, kWaves>> waves(dofs);
    for (const Joint& joint : like.problem.joints) {
        if (joint.dof < 0) continue;
        const auto i = static_cast<std::size_t>(joint.dof);
        const double centre = std::isfinite(joint.lower + joint.upper) ? 0.5 * (joint.lower + joint.upper) : 0;
        const double half = std::min(std::numbers::pi, 0.5 * (joint.upper - joint.lower));
        middle[i] = centre + random.uniform(-0.4, 0.4) * half;
        const double room = 0.97 * (half - std::abs(middle[i] - centre));
        double sum = 0;
        for (Wave& wave : waves[i]) {
            wave = {random.uniform(0.2, 1), random.uniform(0.4, 1.6), random.uniform(0, 2 * std::numbers::pi)};
            sum += wave.size;
        }
        for (Wave& wave : waves[i]) wave.size *= room / sum;
    }
    const auto motion = [&](double speed) {
        std::vector<std::vector<double>> path(frames, middle);
        for (std::size_t t = 0; t < frames; ++t)
            for (std::size_t i = 0; i < dofs; ++i)
                for (const Wave& wave : waves[i])
                    path[t][i] += wave.size * std::sin(speed * wave.speed * static_cast<double>(t) + wave.phase);
        return path;
    };
    const double wanted = like.truth.empty() ? kUsualSpeed * 1000 / static_cast<double>(frames)
                                             : stepPercentile(like.truth, 0.99);
    double slow = 1e-5, fast = 1;
    for (int i = 0; i < 40; ++i) {
        const double speed = std::sqrt(slow * fast);
        (stepPercentile(motion(speed), 0.99) > wanted ? fast : slow) = speed;
    }
    PathWithTruth made{like.problem, motion(slow)};
    made.problem.name += ", seed " + std::to_string(seed);
    made.problem.cases.clear();
    made.problem.isTrajectory = true;
    for (const auto& q : made.truth) addCase(made.problem, q);
    // An arm begins where its motion does; a figure stays with its rest pose.
    if (made.problem.goals.size() == 1) made.problem.start = made.truth.front();
    return made;
}

PathWithTruth againPath(const PathWithTruth& like, std::uint64_t seed)
{
    constexpr int kOthers = 3;
    Random random(seed);
    const auto somewhere = [&] {
        std::vector<double> q(like.problem.dofCount());
        for (const Joint& joint : like.problem.joints) {
            if (joint.dof < 0) continue;
            const double centre = std::isfinite(joint.lower + joint.upper) ? 0.5 * (joint.lower + joint.upper) : 0;
            const double half = std::min(0.5 * std::numbers::pi, 0.5 * (joint.upper - joint.lower));
            q[static_cast<std::size_t>(joint.dof)] = centre + random.uniform(-0.7, 0.7) * half;
        }
        return q;
    };
    PathWithTruth made{like.problem, {}};
    made.problem.name += ", seed " + std::to_string(seed);
    made.problem.cases.clear();
    made.problem.isTrajectory = true;
    const std::vector<double> a = somewhere();
    for (int i = 0; i < kOthers; ++i) {
        const std::vector<double> b = somewhere();
        for (int k = 0; k < 2 * kLeg; ++k) {
            const double share = 0.5 * (1 - std::cos(std::numbers::pi * k / kLeg));
            made.truth.push_back(a);
            for (std::size_t v = 0; v < a.size(); ++v) made.truth.back()[v] += share * (b[v] - a[v]);
        }
    }
    made.truth.push_back(a);
    for (std::size_t t = 0; t < made.truth.size(); t += 2 * kLeg) made.truth[t] = a; // to the bit
    for (const auto& q : made.truth) addCase(made.problem, q);
    return made;
}

PathWithTruth ownLimb()
{
    Random random(1);
    PathWithTruth made{ballChain("own: limb", 3, 0, 0, 1, random), {}};
    for (std::size_t v = 0; v < made.problem.start.size(); ++v) made.problem.start[v] = v % 3 == 2 ? 0.4 : 0;
    return made;
}

double stepPercentile(const std::vector<std::vector<double>>& path, double share)
{
    std::vector<double> steps;
    for (std::size_t t = 1; t < path.size(); ++t) {
        double largest = 0;
        for (std::size_t i = 0; i < path[t].size(); ++i)
            largest = std::max(largest, std::abs(path[t][i] - path[t - 1][i]));
        steps.push_back(largest);
    }
    if (steps.empty()) return 0;
    std::sort(steps.begin(), steps.end());
    return steps[static_cast<std::size_t>(share * static_cast<double>(steps.size() - 1) + 0.5)];
}

} // namespace tendon::bench

#pragma once

#include "core/base/Result.h"
#include "core/math/Transform.h"
#include "core/solve/ModelArrays.h"

#include <tendon/sdk/Problem.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace tendon {

/// A solver problem as its files state it (NAME.json and NAME.csv): a mechanism, what is asked of it, and cases.
/// Lengths in metres, angles in radians.
struct SolverProblem
{
    enum class Motion { Fixed, Revolute, Prismatic };

    struct Joint
    {
        std::string name;
        std::string bone;                             ///< joints of one bone make up one body; empty = its own
        std::int32_t parent = -1;                     ///< below its own index; -1 = the world
        Vector3 position = Vector3::Zero();           ///< in the parent's frame
        Quaternion rotation = Quaternion::Identity(); ///< in the parent's frame, after `position`
        Motion motion = Motion::Fixed;                ///< then its own: about or along `axis`
        Vector3 axis = Vector3::UnitZ();              ///< unit, in the joint's own frame
        double lower = -std::numeric_limits<double>::infinity();
        double upper = std::numeric_limits<double>::infinity();
        double velocity = std::numeric_limits<double>::infinity();     ///< [rad/s | m/s] at most
        double acceleration = std::numeric_limits<double>::infinity(); ///< [rad/s^2 | m/s^2] at most
        std::int32_t dof = -1;                                         ///< its place in a configuration; -1 = fixed
    };

    struct Goal
    {
        std::string name;
        std::int32_t joint = 0;
        Vector3 offset = Vector3::Zero(); ///< in the joint's frame
        bool hasPosition = true;
        bool hasOrientation = true;
    };

    struct Target
    {
        Vector3 position = Vector3::Zero();
        Quaternion rotation = Quaternion::Identity();
    };

    struct Case
    {
        std::int64_t number = 0;     ///< as the file numbers it
        std::vector<Target> targets; ///< one per goal, in world space
    };

    /// How far a configuration is from a case's targets, and from the limits: infinitely far if a coordinate is not
    /// finite.
    struct Judgement
    {
        double positionError = 0; ///< [m] largest over goals
        double rotationError = 0; ///< [rad] largest over goals
        double limitExcess = 0;   ///< [rad | m] largest over DOFs
    };

    std::string name;
    bool isTrajectory = false; ///< case i starts from the answer to case i - 1
    bool isBallChain = false;  ///< every three joints at one point are one free ball
    std::vector<Joint> joints; ///< parents first
    std::vector<Goal> goals;
    std::vector<double> start;       ///< (DOFs)
    double positionTolerance = 1e-3; ///< [m] per component
    double rotationTolerance = 1e-3; ///< [rad] per component
    double framesPerSecond = 60;     ///< of a trajectory, where joints have a velocity or an acceleration
    double maxSeconds = 0;           ///< for one case; 0 = no limit
    std::string file, casesFile;     ///< where it and its cases were read from
    std::vector<Case> cases;

    [[nodiscard]] std::size_t dofCount() const { return start.size(); }

    /// World poses of all joints by the file's own definition, not by the kit that solvers use.
    [[nodiscard]] std::vector<Target> forwardKinematics(std::span<const double> q) const;
    [[nodiscard]] Judgement judge(std::span<const double> q, const Case& wanted) const;

    /// The tolerances are per component, in whatever frame: errors up to sqrt(3) times them pass. Limits to 1e-6.
    [[nodiscard]] bool isSolved(const Judgement& judgement) const;
};

/// Reads a problem and the cases beside it. Errors name the file and the place in it.
[[nodiscard]] Result<SolverProblem> readSolverProblem(const std::string& jsonFile);

/// A SolverProblem as solvers see it: one body per joint, so that q is the file's configuration; or, with balls, one
/// body for each three joints of a ball chain, so that position-based solvers meet whole joints.
class SolverProblemModel
{
public:
    SolverProblemModel(const SolverProblem& problem, bool withBalls);

    [[nodiscard]] sdk::Model model() const { return m_arrays.view(); }
    [[nodiscard]] std::span<const double> base() const { return m_base; }

    /// A case's goals, with their tolerances.
    [[nodiscard]] std::vector<sdk::Goal> goals(const SolverProblem::Case& wanted) const;

    /// Between the file's configuration and the solver's.
    [[nodiscard]] std::vector<double> toSolver(std::span<const double> fileConfiguration) const;
    [[nodiscard]] std::vector<double> toFile(std::span<const double> solverConfiguration) const;

private:
    void addJoint(const SolverProblem::Joint& joint, std::int32_t parentBody);
    void addBall(const SolverProblem::Joint& first, std::int32_t parentBody);
    void addBase(const SolverProblem::Joint& joint);

    const SolverProblem& m_problem;
    ModelArrays m_arrays;
    std::vector<double> m_base;         ///< (n x 8)
    std::vector<std::int32_t> m_bodyOf; ///< (joints)
    std::vector<std::int32_t> m_ballAt; ///< first joint of each ball, with its body's order
};

/// One row of a result.
struct SolverProblemAnswer
{
    std::int64_t number = 0;
    double microseconds = 0; ///< wall time of the solve alone
    std::int32_t iterations = 0;
    std::vector<double> q; ///< the file's configuration
};

/// The bytes of a result file: case,time_us,iters,q0,q1,...
[[nodiscard]] std::string solverProblemResult(std::size_t dofCount, std::span<const SolverProblemAnswer> answers);

} // namespace tendon

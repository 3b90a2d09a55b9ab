#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"
#include "core/solve/ModelArrays.h"
#include "core/solve/SolverInfo.h"

#include <tendon/sdk/Problem.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tendon {

/// A joint that takes part in a solve.
struct SolveJoint
{
    JointIndex joint = -1;
    bool isMovable = true; ///< false: carries those below it, keeping its FK pose
};

/// Which settings of joints reach the solver. One that it does not read must not change the pose, not even by what kind
/// of joint it makes.
struct JointSettings
{
    bool ease = true, damping = true, spring = true, preferredAngle = true, stiffness = true, precedence = true;
};

/// Those that a solver uses.
[[nodiscard]] JointSettings settingsOf(const SolverInfo& solver);

/// Turns some joints of a rig into a solver's model, and the pose of a frame into a solver's problem. Owns every array
/// the two look into; after construction nothing allocates. Bodies stand only for the joints given: all above them are
/// folded into one fixed body per topmost joint.
///
/// What an authored joint becomes: no active axis -> Fixed. A ball joint, or three turning axes that are active and
/// wholly free without slides -> Ball. All six active and free -> Free. One slide and nothing else -> Prismatic.
/// Otherwise Axes: the active slides, then, if any axis turns, all three in product order, inactive ones locked at
/// their FK angle. A ball joint that also slides becomes two bodies at one point, slides first.
class ProblemBuilder
{
public:
    /// `joints` ascending; wherever two are connected, all between are there too.
    ProblemBuilder(std::shared_ptr<const CompiledRig> rig, std::vector<SolveJoint> joints, JointSettings settings = {});

    ProblemBuilder(const ProblemBuilder&) = delete;
    ProblemBuilder& operator=(const ProblemBuilder&) = delete;

    [[nodiscard]] const sdk::Model& model() const { return m_model; }

    /// The body that carries a joint's frame; -1 when the joint takes no part.
    [[nodiscard]] std::int32_t bodyOf(JointIndex joint) const;
    /// The topmost body of a joint that takes part: the one that slides, where two bodies stand for it.
    [[nodiscard]] std::int32_t firstBodyOf(JointIndex joint) const;
    [[nodiscard]] JointIndex jointOfDof(std::int32_t dof) const { return m_dofs[static_cast<std::size_t>(dof)].joint; }
    [[nodiscard]] Property propertyOfDof(std::int32_t dof) const
    {
        return m_dofs[static_cast<std::size_t>(dof)].property;
    }
    [[nodiscard]] const std::vector<SolveJoint>& joints() const { return m_joints; }

    /// Base, seed and locks for a pose: the FK pose, with `model` up to date above the joints. All locks are open but
    /// those of inactive axes.
    void setPose(const LocalPose& local, const ModelPose& model);
    /// The pose one frame before, for objectives of motion; until the next setPose().
    void setPrevious(const LocalPose& local);
    /// Locks a joint's turning or all of its DOFs for this frame. Place in joints().
    void lockTurning(std::size_t place);
    void lock(std::size_t place);

    /// True when the pose last set stretches, shears or mirrors the solved chain, which a solver cannot see: its answer
    /// is then near, not exact.
    [[nodiscard]] bool isDistorted() const { return m_isDistorted; }

    /// A problem over these arrays, without goals.
    [[nodiscard]] sdk::Problem problem() const;

    /// Writes a configuration into the pose, `blend` of the way from the FK pose (one entry per joint, 0 ... 1). A
    /// joint whose coordinates are the seed's to the bit keeps its local transform to the bit. `stretch` is the
    /// solver's, or empty.
    void write(std::span<const double> q, std::span<const double> stretch, std::span<const double> blend,
               LocalPose& local) const;

private:
    enum class Part : std::uint8_t { Carrier, Whole, Slides, Ball };
    struct BodySource
    {
        Part part = Part::Carrier;
        std::size_t place = 0;   ///< in m_joints; Carrier: of the topmost joint below it
        std::uint8_t slides = 0; ///< number of sliding DOFs
    };
    struct DofSource
    {
        JointIndex joint = -1;
        Property property = Property::Tx;
        bool isAlwaysLocked = false;
    };

    [[nodiscard]] std::optional<std::size_t> placeOf(JointIndex joint) const; ///< in m_joints
    std::int32_t addCarrier(std::size_t place);
    std::int32_t addJoint(std::size_t place, std::int32_t parentBody);
    std::int32_t addFrom(std::size_t place, Part part, std::int32_t parentBody, sdk::JointKind kind,
                         const std::array<bool, 3>& slides, bool turns);
    void describeBody(std::size_t body, const Joint& joint);
    [[nodiscard]] bool isFree(const AxisFreedom& axis) const;
    [[nodiscard]] bool turnsFreely(const Joint& joint) const;
    void describeDofs(std::size_t body, const Joint& joint);

    void setCarrier(std::size_t body, const ModelPose& model);
    void setBody(std::size_t body, const LocalPose& local);
    void readCoordinates(std::size_t body, const LocalPose& local, std::vector<double>& coordinates) const;
    void describePoses();
    [[nodiscard]] bool isUnchanged(std::size_t body, std::span<const double> q) const;
    void writeBody(std::size_t body, const double* q, double stretch, double blend, LocalPose& local) const;
    void writeTurning(std::size_t body, const double* q, double blend, LocalPose& local) const;

    std::shared_ptr<const CompiledRig> m_rig;
    std::vector<SolveJoint> m_joints;
    JointSettings m_settings;
    std::vector<std::int32_t> m_bodyOfPlace;  ///< the lowest body of each joint
    std::vector<std::int32_t> m_firstOfPlace; ///< and the topmost
    std::vector<BodySource> m_bodies;
    std::vector<bool> m_carriesOthers; ///< per body: others hang from it
    std::vector<DofSource> m_dofs;

    ModelArrays m_arrays;
    sdk::Model m_model;
    std::vector<double> m_base;
    std::vector<double> m_seed;
    std::vector<double> m_posture, m_natural; ///< rest pose, preferred angles
    std::vector<double> m_previous;           ///< valid if m_hasPrevious
    std::vector<std::uint8_t> m_locked;
    bool m_isDistorted = false;
    bool m_hasPrevious = false;
};

} // namespace tendon

#pragma once

#include "core/solve/ModelArrays.h"
#include "core/solve/SolverInfo.h"

#include <tendon/kit/Random.h>

#include <Eigen/Geometry>

#include <string>
#include <vector>

namespace tendon::conformance {

using kit::Random;

inline constexpr std::size_t kBaseStride = 8; ///< translation, rotation xyzw, scale

/// A mechanism to test a solver on. Body 0 is a fixed ground that carries everything, so that the whole can be moved.
struct Rig
{
    std::string name;
    ModelArrays arrays;
    std::vector<double> base;       ///< (n x 8) the default; problems may have others
    std::vector<std::int32_t> tips; ///< the end body of each branch, for goals
    std::int32_t start = 1;         ///< the first body that moves
    bool isLimited = false;
    bool straightens = false; ///< unlimited: can meet every point within its reach (in its plane, if isPlanar)
    bool isPlanar = false;    ///< all joints rotate about z and lie in z = 0
    bool onlyTurns = true;    ///< no sliding DOFs
    double reach = 0;         ///< [m] length from start to tips[0], where straightens

    [[nodiscard]] sdk::Model model() const { return arrays.view(); }
    [[nodiscard]] int bodyCount() const { return static_cast<int>(arrays.parent.size()); }
};

/// The rigs that a solver of these joint kinds and chain lengths is tested on.
[[nodiscard]] std::vector<Rig> makeRigs(const SolverInfo& info, Random& random);

/// A chain of joints of one kind.
[[nodiscard]] Rig makeChain(sdk::JointKind kind, int joints, bool isLimited, Random& random);

/// Two branches on one trunk, of turning joints of the kind.
[[nodiscard]] Rig makeTree(sdk::JointKind kind, bool isLimited, Random& random);

[[nodiscard]] std::string nameOf(sdk::JointKind kind);

/// True when joints of the kind may be without sliding DOFs.
[[nodiscard]] bool mayOnlyTurn(sdk::JointKind kind);

/// A random configuration within limits.
[[nodiscard]] std::vector<double> randomConfiguration(const Rig& rig, Random& random);

/// A configuration within limits, each DOF up to `by` [rad | m] from q.
[[nodiscard]] std::vector<double> nearConfiguration(const Rig& rig, const std::vector<double>& q, double by,
                                                    Random& random);

/// The configuration nearest to neutral that limits allow.
[[nodiscard]] std::vector<double> restConfiguration(const Rig& rig);

} // namespace tendon::conformance

#pragma once

#include "solvers/ceres/Terms.h"

#include <memory>

namespace tendon::ceres_ik {

/// How to minimise. All of it is Ceres Solver's own.
struct Settings
{
    enum class Method { LevenbergMarquardt = 0, Dogleg = 1, Lbfgs = 2, SteepestDescent = 3 };
    Method method = Method::LevenbergMarquardt;
    double damping = 0.1;            ///< Levenberg-Marquardt: first damping as a share of the first cost
    double trustRadius = 1;          ///< Dogleg: first radius [rad]
    double functionTolerance = 1e-9; ///< relative change of the cost that ends a descent
    bool usesQr = false;             ///< solve linear systems by QR instead of normal equations
};

/// Is told of every iteration, and says whether to go on.
class Watcher
{
public:
    virtual ~Watcher() = default;

    /// `x` is where the minimiser stands after the step, which it may have rejected. `damping`: of this step, -1 where
    /// there is none.
    virtual bool goesOn(const double* x, bool isAccepted, double cost, double damping) = 0;
};

/// Why a descent ended.
enum class Ending { Settled, IterationLimit, Stopped, Failed };

/// Minimises Terms over a Space by Ceres. The only door to Ceres: nothing of it shows outside Minimiser.cpp. It
/// allocates and reads the clock (for a summary that nobody looks at); its answer depends on neither.
class Minimiser
{
public:
    Minimiser();
    ~Minimiser();

    /// From `q` (nq) at most `iterations` steps; leaves in `q` the best configuration the descent came to. Never leaves
    /// the limits. `q` must be finite and within them.
    [[nodiscard]] Ending minimise(const Settings& settings, Terms& terms, Space& space, std::span<double> q,
                                  int iterations, Watcher& watcher);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::ceres_ik

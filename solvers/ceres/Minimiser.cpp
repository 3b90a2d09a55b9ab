#include "solvers/ceres/Minimiser.h"

#include <ceres/cost_function.h>
#include <ceres/iteration_callback.h>
#include <ceres/manifold.h>
#include <ceres/problem.h>
#include <ceres/solver.h>
#include <glog/logging.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>

namespace tendon::ceres_ik {

namespace {

/// Ceres reports through glog, which writes to stderr: a solver's words are its status and its trace. Whoever wants to
/// hear them sets GLOG_minloglevel.
void silenceLogging()
{
    static std::once_flag once;
    std::call_once(once, [] {
        if (std::getenv("GLOG_minloglevel") == nullptr) FLAGS_minloglevel = google::GLOG_FATAL;
    });
}

class SpaceManifold final : public ceres::Manifold
{
public:
    explicit SpaceManifold(const Space& space) : m_space(&space) {}

    int AmbientSize() const override { return m_space->ambientSize(); }
    int TangentSize() const override { return m_space->tangentSize(); }
    bool Plus(const double* x, const double* delta, double* result) const override
    {
        m_space->plus(x, delta, result);
        return true;
    }
    bool PlusJacobian(const double* x, double* jacobian) const override
    {
        m_space->plusJacobian(x, jacobian);
        return true;
    }
    // Only asked for by ceres::Covariance and by problems that fix a prior: never here.
    bool Minus(const double*, const double*, double*) const override { return false; }
    bool MinusJacobian(const double*, double*) const override { return false; }

private:
    const Space* m_space;
};

/// All rows of the terms as one residual block over one parameter block.
///
/// Where a limit stops the descent, the derivative shows nothing in that direction: each step is then the best among
/// those that stay, instead of one that runs into the wall and is cut off there (an active set chosen by the gradient,
/// as in D. Bertsekas 1982, "Projected Newton methods").
class TermsCost final : public ceres::CostFunction
{
public:
    TermsCost(Terms& terms, Space& space, std::span<const double> q)
        : m_terms(&terms), m_space(&space), m_q(q.begin(), q.end())
    {
        set_num_residuals(static_cast<int>(terms.rows()));
        mutable_parameter_block_sizes()->push_back(space.ambientSize());
        m_jacobian.resize(static_cast<std::size_t>(terms.rows() * space.tangentSize()));
        m_gradient.resize(static_cast<std::size_t>(space.tangentSize()));
    }

    bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override
    {
        m_space->scatter(parameters[0], m_q);
        m_terms->evaluate(m_q, residuals);
        if (jacobians == nullptr || jacobians[0] == nullptr) return true;
        m_terms->differentiate(m_jacobian.data());

        const Eigen::Index rows = m_terms->rows();
        const auto columns = static_cast<std::size_t>(m_space->tangentSize());
        std::fill(m_gradient.begin(), m_gradient.end(), 0.0);
        for (Eigen::Index i = 0; i < rows; ++i)
            for (std::size_t c = 0; c < columns; ++c)
                m_gradient[c] += residuals[i] * m_jacobian[static_cast<std::size_t>(i) * columns + c];
        m_space->findHeld(parameters[0], m_gradient.data());
        for (Eigen::Index i = 0; i < rows; ++i) {
            double* row = m_jacobian.data() + static_cast<std::size_t>(i) * columns;
            m_space->project(row);
            m_space->toAmbient(parameters[0], row, jacobians[0] + i * m_space->ambientSize());
        }
        return true;
    }

private:
    // Ceres promises one call at a time: there is one block and one thread.
    Terms* m_terms;
    Space* m_space;
    mutable std::vector<double> m_q, m_jacobian, m_gradient;
};

class Callback final : public ceres::IterationCallback
{
public:
    Callback(Watcher& watcher, const double* x, bool isLevenberg)
        : m_watcher(&watcher), m_x(x), m_isLevenberg(isLevenberg)
    {
    }

    ceres::CallbackReturnType operator()(const ceres::IterationSummary& summary) override
    {
        const double damping = m_isLevenberg && m_radius > 0 ? 1 / m_radius : -1;
        m_radius = summary.trust_region_radius;
        if (summary.iteration == 0) return ceres::SOLVER_CONTINUE; // the start, before any step
        const bool isAccepted = summary.step_is_valid && summary.step_is_successful;
        return m_watcher->goesOn(m_x, isAccepted, summary.cost, damping) ? ceres::SOLVER_CONTINUE
                                                                         : ceres::SOLVER_TERMINATE_SUCCESSFULLY;
    }

private:
    Watcher* m_watcher;
    const double* m_x;
    bool m_isLevenberg;
    double m_radius = 0;
};

bool isLineSearch(Settings::Method method)
{
    return method == Settings::Method::Lbfgs || method == Settings::Method::SteepestDescent;
}

ceres::Solver::Options optionsFrom(const Settings& settings, double cost)
{
    using Method = Settings::Method;
    ceres::Solver::Options options;
    options.logging_type = ceres::SILENT;
    options.num_threads = 1;
    options.update_state_every_iteration = true; // the callback looks at x
    options.function_tolerance = settings.functionTolerance;
    options.gradient_tolerance = 1e-14;
    options.parameter_tolerance = 1e-14; // the stall threshold is the watcher's business
    options.linear_solver_type = settings.usesQr ? ceres::DENSE_QR : ceres::DENSE_NORMAL_CHOLESKY;
    options.minimizer_type = isLineSearch(settings.method) ? ceres::LINE_SEARCH : ceres::TRUST_REGION;
    options.line_search_direction_type = settings.method == Method::Lbfgs ? ceres::LBFGS : ceres::STEEPEST_DESCENT;
    options.line_search_type = settings.method == Method::Lbfgs ? ceres::WOLFE : ceres::ARMIJO;
    options.trust_region_strategy_type = settings.method == Method::Dogleg ? ceres::DOGLEG : ceres::LEVENBERG_MARQUARDT;
    options.dogleg_type = ceres::SUBSPACE_DOGLEG;
    // Damping by the identity, in steps that are all radians: the shortest step is the wish, and stiffness is heard.
    options.jacobi_scaling = false;
    if (settings.method == Method::LevenbergMarquardt) {
        options.min_lm_diagonal = options.max_lm_diagonal = 1;
        options.initial_trust_region_radius = 1 / (settings.damping * cost + 1e-12);
        options.max_trust_region_radius = 1e14;
    } else {
        options.initial_trust_region_radius = settings.trustRadius;
    }
    return options;
}

} // namespace

struct Minimiser::Impl
{
    std::vector<double> x, rows;
};

Minimiser::Minimiser() : m_impl(std::make_unique<Impl>()) { silenceLogging(); }
Minimiser::~Minimiser() = default;

Ending Minimiser::minimise(const Settings& settings, Terms& terms, Space& space, std::span<double> q, int iterations,
                           Watcher& watcher)
{
    std::vector<double>& x = m_impl->x;
    x.resize(static_cast<std::size_t>(space.ambientSize()));
    if (x.empty() || terms.rows() == 0) return Ending::Settled;
    space.gather(q, x.data());
    m_impl->rows.resize(static_cast<std::size_t>(terms.rows()));
    terms.evaluate(q, m_impl->rows.data());
    double cost = 0;
    for (const double row : m_impl->rows) cost += 0.5 * row * row;
    if (!std::isfinite(cost)) return Ending::Failed; // Ceres must not see it

    TermsCost function(terms, space, q);
    SpaceManifold manifold(space);
    ceres::Problem::Options ownership;
    ownership.cost_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
    ownership.manifold_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
    ceres::Problem problem(ownership);
    problem.AddParameterBlock(x.data(), space.ambientSize(), &manifold);
    problem.AddResidualBlock(&function, nullptr, x.data());
    if (!isLineSearch(settings.method)) // which refuses bounds; there the manifold alone keeps them
        for (const Space::Part& part : space.parts()) {
            if (std::isfinite(part.lower)) problem.SetParameterLowerBound(x.data(), part.ambient, part.lower);
            if (std::isfinite(part.upper)) problem.SetParameterUpperBound(x.data(), part.ambient, part.upper);
        }

    ceres::Solver::Options options = optionsFrom(settings, cost);
    options.max_num_iterations = iterations;
    Callback callback(watcher, x.data(), settings.method == Settings::Method::LevenbergMarquardt);
    options.callbacks.push_back(&callback);
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem, &summary);
    space.scatter(x.data(), q);
    switch (summary.termination_type) {
    case ceres::CONVERGENCE: return Ending::Settled;
    case ceres::NO_CONVERGENCE: return Ending::IterationLimit;
    case ceres::USER_SUCCESS: return Ending::Stopped;
    default: return Ending::Failed;
    }
}

} // namespace tendon::ceres_ik

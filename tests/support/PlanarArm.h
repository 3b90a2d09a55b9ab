#pragma once

#include "tests/support/SolverModel.h"

/// The scene of the textbook examples of penalty and constrained methods: three hinges about z with bones of 1 m, so
/// that one direction is left open when the end must be at a point. Everything is written out, without the kit.
struct PlanarArm
{
    static constexpr double kLengthOfRadian = 0.3 * 3; ///< [m] what the kit makes of three bones of 1 m

    using Rows = Eigen::Matrix<double, 2, 3>; ///< one row per coordinate of the end, one column per hinge

    std::vector<double> seed = {0.1, 0.1, 0.1}, rest = {0.6, -0.2, 0.4};
    Eigen::Vector2d target = {1.2, 1.6};
    double anchorWeight = 0, restWeight = 1; ///< of 1/2 |q - seed|^2 and of 1/2 |q - rest|^2

    [[nodiscard]] static SolverModel rig()
    {
        SolverModel result;
        int b = -1;
        for (int i = 0; i < 3; ++i)
            b = result.add(b, SolverModel::Kind::Revolute, SolverModel::Vector3(i == 0 ? 0 : 1, 0, 0), {{0, 0, 1}});
        result.add(b, SolverModel::Kind::Fixed, {1, 0, 0});
        return result;
    }

    [[nodiscard]] tendon::sdk::Goal goal(double tolerance = 1e-9) const
    {
        return positionGoal(3, {target.x(), target.y(), 0}, tolerance);
    }

    /// Where the end is off, in units of kLengthOfRadian.
    [[nodiscard]] Eigen::Vector2d off(const Eigen::Vector3d& q) const
    {
        Eigen::Vector2d end = -target;
        for (int i = 0; i < 3; ++i) end += direction(q.head(i + 1).sum());
        return end / kLengthOfRadian;
    }

    [[nodiscard]] Rows jacobian(const Eigen::Vector3d& q) const
    {
        Rows result = Rows::Zero();
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j <= i; ++j) {
                const Eigen::Vector2d along = direction(q.head(i + 1).sum());
                result.col(j) += Eigen::Vector2d(-along.y(), along.x()) / kLengthOfRadian;
            }
        return result;
    }

    /// The force on the end that balances `slope`, as nearly as it can.
    [[nodiscard]] static Eigen::Vector2d balance(const Rows& rows, const Eigen::Vector3d& slope)
    {
        return (rows * rows.transpose()).inverse() * (rows * slope);
    }

    /// d2(force . off)/dq dq
    [[nodiscard]] Eigen::Matrix3d curvature(const Eigen::Vector3d& q, const Eigen::Vector2d& force) const
    {
        Eigen::Matrix3d result = Eigen::Matrix3d::Zero();
        for (int i = 0; i < 3; ++i)
            for (int a = 0; a <= i; ++a)
                for (int b = 0; b <= i; ++b)
                    result(a, b) -= force.dot(direction(q.head(i + 1).sum())) / kLengthOfRadian;
        return result;
    }

    [[nodiscard]] double objective(const Eigen::Vector3d& q) const
    {
        return 0.5 * anchorWeight * (q - vector(seed)).squaredNorm() +
               0.5 * restWeight * (q - vector(rest)).squaredNorm();
    }
    [[nodiscard]] Eigen::Vector3d gradient(const Eigen::Vector3d& q) const
    {
        return anchorWeight * (q - vector(seed)) + restWeight * (q - vector(rest));
    }

    /// The least of objective + weight / 2 |off|^2, downhill from `q`: Newton's method with its step shortened.
    [[nodiscard]] Eigen::Vector3d springOptimum(Eigen::Vector3d q, double weight) const
    {
        const auto total = [&](const Eigen::Vector3d& at) {
            return objective(at) + 0.5 * weight * off(at).squaredNorm();
        };
        for (int k = 0; k < 500; ++k) {
            const auto j = jacobian(q);
            const Eigen::Vector3d slope = gradient(q) + weight * j.transpose() * off(q);
            Eigen::Matrix3d bend = weight * j.transpose() * j +
                                   (anchorWeight + restWeight) * Eigen::Matrix3d::Identity();
            if (slope.norm() < 1e-3 * (1 + weight)) bend += weight * curvature(q, off(q));
            Eigen::Vector3d step = -(bend.inverse() * slope);
            for (int half = 0; half < 30 && total(q + step) > total(q); ++half) step *= 0.5;
            q += step;
        }
        return q;
    }

    /// The least objective among the poses that meet the goal, near `q`: Newton's method on the whole system at once.
    struct Optimum
    {
        Eigen::Vector3d q;
        Eigen::Vector2d multipliers;
    };
    [[nodiscard]] Optimum constrainedOptimum(Eigen::Vector3d q) const
    {
        Eigen::Vector2d multipliers = balance(jacobian(q), gradient(q));
        for (int k = 0; k < 60; ++k) {
            double system[5][6] = {}; // the last column is the right side
            const Eigen::Vector3d slope = gradient(q);
            const Eigen::Vector2d miss = off(q);
            const Eigen::Matrix3d bend = curvature(q, multipliers);
            const Rows rows = jacobian(q);
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) system[i][j] = (i == j ? anchorWeight + restWeight : 0) - bend(i, j);
                for (int j = 0; j < 2; ++j) {
                    system[i][3 + j] = -rows(j, i);
                    system[3 + j][i] = rows(j, i);
                }
                system[i][5] = -slope[i];
            }
            for (int j = 0; j < 2; ++j) system[3 + j][5] = -miss[j];
            eliminate(system);
            for (int i = 0; i < 3; ++i) q[i] += system[i][5];
            multipliers = {system[3][5], system[4][5]};
        }
        return {q, multipliers};
    }

    [[nodiscard]] static Eigen::Vector3d vector(const std::vector<double>& q) { return {q[0], q[1], q[2]}; }

private:
    /// Gauss-Jordan with the largest pivot of each column; the last column becomes the solution. By hand: Eigen's
    /// decompositions took as long to compile as all of these tests.
    static void eliminate(double (&system)[5][6])
    {
        for (int k = 0; k < 5; ++k) {
            int pivot = k;
            for (int i = k + 1; i < 5; ++i)
                if (std::abs(system[i][k]) > std::abs(system[pivot][k])) pivot = i;
            std::swap(system[k], system[pivot]);
            for (int j = 5; j >= k; --j) system[k][j] /= system[k][k];
            for (int i = 0; i < 5; ++i)
                if (i != k)
                    for (int j = 5; j >= k; --j) system[i][j] -= system[i][k] * system[k][j];
        }
    }

    [[nodiscard]] static Eigen::Vector2d direction(double angle) { return {std::cos(angle), std::sin(angle)}; }
};

#pragma once

#include <Eigen/Core>

#include <cmath>
#include <cstddef>

/// Small positive definite systems without allocations and without a library's blocking, which would allocate.
namespace tendon::kit {

/// Solves A x = b for a positive definite A of fixed size, of which the lower triangle is given and overwritten.
template <int N>
bool solveInPlace(double (&a)[N][N], double (&b)[N])
{
    double inverse[N]; // of the pivots: A = L D L'
    for (int j = 0; j < N; ++j) {
        double scaled[N];
        double pivot = a[j][j];
        for (int k = 0; k < j; ++k) {
            scaled[k] = a[j][k];
            a[j][k] *= inverse[k];
            pivot -= scaled[k] * a[j][k];
        }
        if (!(pivot > 0)) return false;
        inverse[j] = 1 / pivot;
        for (int i = j + 1; i < N; ++i)
            for (int k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
    }
    for (int j = 0; j < N; ++j)
        for (int k = 0; k < j; ++k) b[j] -= a[j][k] * b[k];
    for (int j = 0; j < N; ++j) b[j] *= inverse[j];
    for (int j = N - 1; j >= 0; --j)
        for (int k = j + 1; k < N; ++k) b[j] -= a[k][j] * b[k];
    return true;
}

/// A column times a factor.
struct Scaled
{
    double factor;
    const double* column;
};

/// Adds to a column what several others times a factor are: one after the other, so that each entry rounds as it would
/// by itself, however many are done at once.
template <class... Others>
void addScaled(double* target, std::size_t entries, Others... others)
{
    using Eigen::Array2d, Eigen::Array4d, Eigen::Map;
    std::size_t i = 0;
    for (; i + 4 <= entries; i += 4) {
        Array4d sum = Map<const Array4d>(target + i);
        ((sum += others.factor * Map<const Array4d>(others.column + i)), ...);
        Map<Array4d>(target + i) = sum;
    }
    if (i + 2 <= entries) {
        Array2d sum = Map<const Array2d>(target + i);
        ((sum += others.factor * Map<const Array2d>(others.column + i)), ...);
        Map<Array2d>(target + i) = sum;
        i += 2;
    }
    if (i < entries) {
        double sum = target[i];
        ((sum += others.factor * others.column[i]), ...);
        target[i] = sum;
    }
}

/// The same for any size; A (n x n, column by column, lower triangle) becomes its Cholesky factor.
inline bool solveInPlace(double* a, double* b, std::size_t n)
{
    for (std::size_t j = 0; j < n; ++j) {
        double *column = a + j * n, *own = column + j;
        std::size_t k = 0; // what the columns before take from it
        for (; k + 4 <= j; k += 4) {
            const double *p = a + k * n + j, *q = p + n, *r = q + n, *s = r + n;
            if (*p == 0 && *q == 0 && *r == 0 && *s == 0) continue; // goals that share no joint
            addScaled(own, n - j, Scaled{-*p, p}, Scaled{-*q, q}, Scaled{-*r, r}, Scaled{-*s, s});
        }
        for (; k < j; ++k)
            if (const double* p = a + k * n + j; *p != 0) addScaled(own, n - j, Scaled{-*p, p});
        if (!(column[j] > 0)) return false;
        const double root = std::sqrt(column[j]), inverse = 1 / root;
        column[j] = root;
        Eigen::Map<Eigen::VectorXd>(column + j + 1, static_cast<Eigen::Index>(n - j - 1)) *= inverse;
    }
    for (std::size_t j = 0; j < n; ++j) {
        b[j] /= a[j * n + j];
        addScaled(b + j + 1, n - j - 1, Scaled{-b[j], a + j * n + j + 1});
    }
    for (std::size_t j = n; j-- > 0;) {
        double sum = b[j];
        for (std::size_t i = j + 1; i < n; ++i) sum -= a[j * n + i] * b[i];
        b[j] = sum / a[j * n + j];
    }
    return true;
}

} // namespace tendon::kit

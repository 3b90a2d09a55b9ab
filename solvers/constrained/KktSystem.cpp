#include "solvers/constrained/KktSystem.h"

#include <tendon/kit/Cholesky.h>

#include <algorithm>

namespace tendon::constrained {

namespace {

constexpr double kNoRank = 1e-7; ///< what is new in a row counts as 0 below this share of the longest row
constexpr double kWeak = 0.03;   ///< and below this share
constexpr double kNoWay = 10;    ///< where it is below so much of |c|: no short step mends what it asks
constexpr int kMaxRounds = 10;   ///< in which limits take hold and let go; more would only go round in circles

} // namespace

void KktSystem::prepare(Eigen::Index maxRows, Eigen::Index maxSize, bool isDiagonal)
{
    const auto size = static_cast<std::size_t>(maxSize);
    m_isHeld.reserve(size);
    m_isFixed.reserve(size);
    m_decomposedFor.reserve(size);
    m_free.reserve(size);
    m_felt.prepare(maxSize, maxRows);
    m_left.prepare(maxRows, std::min(maxRows, maxSize));
    for (Eigen::VectorXd* vector : {&m_p, &m_slope, &m_turned, &m_turnedSlope}) vector->setZero(maxSize);
    for (Eigen::VectorXd* vector : {&m_multipliers, &m_mended}) vector->setZero(maxRows);
    m_unit.setOnes(maxSize);
    m_freeH.assign(isDiagonal ? 0 : size * size, 0);
    m_openH.assign(isDiagonal ? 0 : size * size, 0);
    m_openStep.assign(size, 0);
}

void KktSystem::decompose(const Matrix& j, double off)
{
    if (m_isDecomposed && m_decomposedFor == m_isFixed) return;
    m_isDecomposed = true;
    m_decomposedFor = m_isFixed;
    m_free.clear();
    for (Eigen::Index k = 0; k < m_size; ++k)
        if (m_isFixed[static_cast<std::size_t>(k)] == 0) m_free.push_back(k);
    const auto count = static_cast<Eigen::Index>(m_free.size());
    auto transposed = m_felt.resize(count, m_rows);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Eigen::Index k = m_free[static_cast<std::size_t>(i)];
        transposed.row(i) = m_unit[k] * j.col(k).transpose();
    }
    const double longest = m_felt.longest();
    m_felt.factor(std::max(kNoRank * longest, std::min(kWeak * longest, kNoWay * off)));

    auto left = m_left.resize(m_rows, m_felt.rank());
    for (Eigen::Index k = 0; k < m_felt.rank(); ++k)
        for (Eigen::Index i = 0; i < m_rows; ++i) left(m_felt.pivot(i), k) = i < k ? 0 : m_felt.r(k, i);
    m_left.factor(0);
}

void KktSystem::balance(const Vector& g, const Matrix& j, const Vector& c, const Box& box)
{
    m_size = g.size();
    m_rows = j.rows();
    m_isHeld.assign(static_cast<std::size_t>(m_size), 0);
    m_unit.head(m_size).setOnes();
    m_isDecomposed = false;
    for (int round = 0; round < kMaxRounds; ++round) {
        m_isFixed = m_isHeld;
        decompose(j, c.norm());
        // The least of |g - J'lambda|: T' U'lambda = Q'g.
        for (std::size_t i = 0; i < m_free.size(); ++i) m_turned[static_cast<Eigen::Index>(i)] = g[m_free[i]];
        m_felt.turn(m_turned.data());
        auto lambda = m_multipliers.head(m_rows);
        lambda.setZero();
        for (Eigen::Index k = 0; k < m_left.rank(); ++k) lambda[k] = m_turned[m_left.pivot(k)];
        m_left.solveTransposed(lambda.data());
        m_left.turnBack(lambda.data());
        for (Eigen::Index k = 0; k < m_size; ++k)
            m_isHeld[static_cast<std::size_t>(k)] = box.stops(k, g[k] - j.col(k).dot(lambda)) ? 1 : 0;
        if (m_isHeld == m_isFixed) break;
    }
}

void KktSystem::setShortest()
{
    auto mended = m_mended.head(m_rows);
    m_left.turn(mended.data());
    m_left.solve(mended.data());
    m_turned.head(static_cast<Eigen::Index>(m_free.size())).setZero();
    for (Eigen::Index k = 0; k < m_left.rank(); ++k) m_turned[m_left.pivot(k)] = mended[k];
}

void KktSystem::addMending(const Matrix& h, const Vector& c, Eigen::Ref<Eigen::VectorXd> p)
{
    m_mended.head(m_rows) = -c;
    setShortest();
    m_slope.head(m_size).setZero();
    if (!addOpen(h)) return;
    m_felt.turnBack(m_turned.data());
    for (std::size_t i = 0; i < m_free.size(); ++i) p[m_free[i]] += m_turned[static_cast<Eigen::Index>(i)];
}

void KktSystem::addTurned(Eigen::Ref<Eigen::VectorXd> p)
{
    m_felt.turnBack(m_turned.data());
    for (std::size_t i = 0; i < m_free.size(); ++i)
        p[m_free[i]] += m_unit[m_free[i]] * m_turned[static_cast<Eigen::Index>(i)];
}

void KktSystem::addOpenOfUnit()
{
    for (std::size_t i = 0; i < m_free.size(); ++i)
        m_turnedSlope[static_cast<Eigen::Index>(i)] = m_unit[m_free[i]] * m_slope[m_free[i]];
    m_felt.turn(m_turnedSlope.data());
    for (Eigen::Index i = m_felt.rank(); i < static_cast<Eigen::Index>(m_free.size()); ++i)
        m_turned[i] = -m_turnedSlope[i];
}

void KktSystem::addMendingDiagonal(const Vector& c, Eigen::Ref<Eigen::VectorXd> p)
{
    m_mended.head(m_rows) = -c;
    setShortest();
    addTurned(p);
}

template <class Finish>
bool KktSystem::solveInside(const Matrix& j, const Vector& c, const Box& box, const Finish& finish)
{
    auto p = m_p.head(m_size);
    p.setZero();
    m_isFixed = m_isHeld;
    do {
        for (Eigen::Index k = 0; k < m_size; ++k)
            if (m_isFixed[static_cast<std::size_t>(k)] == 0) p[k] = 0; // what is fixed stands on the boundary
        decompose(j, c.norm());
        if (m_free.empty()) return true;
        m_mended.head(m_rows) = -c;
        m_mended.head(m_rows).noalias() -= j * p;
        setShortest();
        if (!finish(p)) return false;
    } while (fixWhatLeaves(box, p, m_isFixed));
    return p.allFinite();
}

bool KktSystem::solveDiagonal(const Vector& h, const Vector& g, const Matrix& j, const Vector& c, const Box& box)
{
    m_unit.head(m_size) = h.cwiseSqrt().cwiseInverse();
    m_isDecomposed = false;
    return solveInside(j, c, box, [&](auto p) {
        m_slope.head(m_size) = g; // what is fixed does not act on what is free
        addOpenOfUnit();
        addTurned(p);
        return true;
    });
}

bool KktSystem::addOpen(const Matrix& h)
{
    const auto count = static_cast<Eigen::Index>(m_free.size());
    const Eigen::Index rank = m_felt.rank();
    if (open() == 0) return true;
    const auto index = [this](Eigen::Index i) { return m_free[static_cast<std::size_t>(i)]; };
    Eigen::Map<Eigen::MatrixXd> freeH(m_freeH.data(), count, count);
    for (Eigen::Index i = 0; i < count; ++i) {
        m_turnedSlope[i] = m_slope[index(i)];
        for (Eigen::Index k = 0; k < count; ++k) freeH(k, i) = h(index(k), index(i));
    }
    m_felt.turn(m_turnedSlope.data());
    m_felt.turnBoth(freeH);
    for (Eigen::Index i = 0; i < open(); ++i) {
        const auto column = freeH.col(rank + i);
        m_openStep[static_cast<std::size_t>(i)] = -m_turnedSlope[rank + i] - column.head(rank).dot(m_turned.head(rank));
        for (Eigen::Index k = i; k < open(); ++k) m_openH[static_cast<std::size_t>(i * open() + k)] = column[rank + k];
    }
    if (!kit::solveInPlace(m_openH.data(), m_openStep.data(), static_cast<std::size_t>(open()))) return false;
    for (Eigen::Index i = 0; i < open(); ++i) m_turned[rank + i] = m_openStep[static_cast<std::size_t>(i)];
    return true;
}

bool KktSystem::solve(const Matrix& h, const Vector& g, const Matrix& j, const Vector& c, const Box& box)
{
    return solveInside(j, c, box, [&](auto p) {
        m_slope.head(m_size) = g;
        m_slope.head(m_size).noalias() += h * p;
        if (!addOpen(h)) return false;
        m_felt.turnBack(m_turned.data());
        for (std::size_t i = 0; i < m_free.size(); ++i) p[m_free[i]] = m_turned[static_cast<Eigen::Index>(i)];
        return true;
    });
}

} // namespace tendon::constrained

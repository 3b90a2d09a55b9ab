#pragma once

#include <tendon/kit/Limits.h>

/// The projection every position-based solver needs: the turn a joint may make that comes nearest to a wished one,
/// whatever the joint's kind.
namespace tendon::kit {

namespace detail {

/// The turning DOFs of a joint made of successive axes, and the search for their best values.
class AxisTurns
{
public:
    AxisTurns(const Model& model, int body, std::span<const std::uint8_t> locked)
    {
        for (int v = model.vBegin[body], k = 0; v < model.vBegin[body + 1]; ++v, ++k) {
            if (model.dofKind[v] != DofKind::Turning) continue;
            Turn& turn = m_turns[m_count++];
            turn.axis = &model.axis[3 * v];
            turn.lower = model.lower[v];
            turn.upper = model.upper[v];
            turn.coordinate = k;
            turn.isLocked = !locked.empty() && locked[v] != 0;
        }
    }

    /// Brings `q` (own coordinates of the body) to the values whose rotation is nearest to `wished`, starting from `q`.
    void solve(const Quaternion& wished, double* q) const
    {
        double best[6], trial[6];
        read(q, best);
        descend(wished, best);
        double bestError = error(wished, best);
        const auto consider = [&] {
            descend(wished, trial);
            const double e = error(wished, trial);
            // The value at hand stays unless another is better by more than rounding: no flips.
            if (e >= bestError - 1e-9) return;
            bestError = e;
            std::copy(trial, trial + m_count, best);
        };
        for (int branch = 0; branch < 2 && bestError > kExact; ++branch) {
            read(q, trial);
            if (!decompose(wished, branch, trial)) break;
            consider();
        }
        // What limits leave need not be convex: start once more from all over each later axis (the first follows from them).
        for (int axis = 1; axis < m_count; ++axis) {
            if (m_turns[axis].isLocked) continue;
            const double low = std::max(m_turns[axis].lower, -std::numbers::pi), high = std::min(m_turns[axis].upper, std::numbers::pi);
            for (int k = 0; k < kStarts && bestError > kExact; ++k) {
                read(q, trial);
                trial[axis] = low + (high - low) * k / (kStarts - 1);
                consider();
            }
        }
        for (int i = 0; i < m_count; ++i)
            if (!m_turns[i].isLocked) q[m_turns[i].coordinate] = best[i];
    }

private:
    static constexpr double kExact = 1e-12; // [rad]
    static constexpr int kStarts = 7;

    struct Turn
    {
        const double* axis = nullptr;
        double lower = 0, upper = 0;
        int coordinate = 0;
        bool isLocked = false;
    };

    void read(const double* q, double* angles) const
    {
        for (int i = 0; i < m_count; ++i) angles[i] = q[m_turns[i].coordinate];
    }

    [[nodiscard]] Quaternion rotation(const double* angles) const
    {
        Quaternion result = Quaternion::Identity();
        for (int i = 0; i < m_count; ++i) result = result * turn(m_turns[i].axis, angles[i]);
        return result;
    }

    [[nodiscard]] double error(const Quaternion& wished, const double* angles) const
    {
        return rotationAngle(Quaternion(rotation(angles).conjugate() * wished));
    }

    /// Each axis in turn to its best value with the others held (closed form: the twist of what remains about it), until
    /// nothing changes. Never leaves the limits, never gets worse.
    void descend(const Quaternion& wished, double* angles) const
    {
        const int sweeps = m_count == 1 ? 1 : 40;
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            double changed = 0;
            for (int i = 0; i < m_count; ++i) {
                if (m_turns[i].isLocked) continue;
                Quaternion before = Quaternion::Identity(), after = Quaternion::Identity();
                for (int j = 0; j < i; ++j) before = before * turn(m_turns[j].axis, angles[j]);
                for (int j = i + 1; j < m_count; ++j) after = after * turn(m_turns[j].axis, angles[j]);
                const Quaternion left = before.conjugate() * wished * after.conjugate();
                const double along = left.vec().dot(vectorAt(m_turns[i].axis));
                if (std::abs(along) + std::abs(left.w()) < 1e-12) continue; // any angle is as good
                const double angle = nearestAngle(2 * std::atan2(along, left.w()), m_turns[i].lower, m_turns[i].upper, angles[i]);
                changed = std::max(changed, std::abs(angle - angles[i]));
                angles[i] = angle;
            }
            if (changed < 1e-13) return;
        }
    }

    /// For three axes that stand square on each other in sequence, none locked: the angles in closed form, one of two
    /// branches, clamped into the limits. False for other joints.
    bool decompose(const Quaternion& wished, int branch, double* angles) const
    {
        if (m_count != 3) return false;
        const Vector3 a = vectorAt(m_turns[0].axis), b = vectorAt(m_turns[1].axis), c = vectorAt(m_turns[2].axis);
        const bool isSquare = std::abs(a.dot(b)) < 1e-12 && std::abs(b.dot(c)) < 1e-12 && std::abs(a.dot(c)) < 1e-12;
        if (!isSquare || m_turns[0].isLocked || m_turns[1].isLocked || m_turns[2].isLocked) return false;
        // R = R(a, x) R(b, y) R(c, z): R c shows y and x, R' a shows z (Shoemake 1994, for any square axes).
        const double hand = a.cross(b).dot(c); // +1 or -1
        const Vector3 turned = wished * c, back = wished.conjugate() * a;
        const double sine = std::clamp(hand * turned.dot(a), -1.0, 1.0);
        double y = std::asin(sine);
        double x = std::atan2(-hand * turned.dot(b), turned.dot(c));
        double z = std::atan2(-hand * back.dot(b), back.dot(a));
        if (branch == 1) {
            x += std::numbers::pi;
            y = std::numbers::pi - y;
            z += std::numbers::pi;
        }
        const double values[3] = {x, y, z};
        for (int i = 0; i < 3; ++i) angles[i] = nearestAngle(values[i], m_turns[i].lower, m_turns[i].upper, angles[i]);
        return true;
    }

    std::array<Turn, 6> m_turns;
    int m_count = 0;
};

} // namespace detail

/// Sets the turning coordinates of one body to those within its limits whose rotation (its motion, in the space after the
/// base) is nearest to `wished`. Slides and locked DOFs keep their bits; a ball with a locked DOF does not turn. Where
/// several values serve, the one nearest to the present value is taken. `q`: the body's own coordinates; `locked`: whole
/// array, may be empty. Never allocates.
inline void nearestInLimits(const Model& model, int body, std::span<const std::uint8_t> locked, const Quaternion& wished, double* q)
{
    const JointKind kind = model.kind[body];
    if (kind == JointKind::Fixed || kind == JointKind::Prismatic) return;
    if (kind == JointKind::Ball || kind == JointKind::Free) {
        const int slides = kind == JointKind::Free ? 3 : 0;
        for (int v = model.vBegin[body] + slides; v < model.vBegin[body + 1]; ++v)
            if (!locked.empty() && locked[v] != 0) return;
        Quaternion kept = (kind == JointKind::Ball ? nearestInBall(model, body, wished) : wished).normalized();
        if (kept.coeffs().dot(quaternionAt(q + slides).coeffs()) < 0) kept.coeffs() = -kept.coeffs();
        store(kept, q + slides);
        return;
    }
    detail::AxisTurns(model, body, locked).solve(wished, q);
}

} // namespace tendon::kit

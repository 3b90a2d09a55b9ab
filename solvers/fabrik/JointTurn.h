#pragma once

#include <tendon/kit/SolverRun.h>

#include <array>

namespace tendon::fabrik {

using kit::Matrix3;
using kit::Quaternion;
using kit::Vector3;

/// What is wished of a rotation M: the sum over arms of weight * (to . M from), plus likenesses to other rotations.
/// Kept as Davenport's 4 x 4 matrix: the value at the unit quaternion m is m'Nm (Davenport 1968; Horn 1987).
class Wish
{
public:
    /// M from should look where `to` does.
    void aim(const Vector3& from, const Vector3& to, double weight);

    /// M should be like `rotation`; adds weight * (1 + 2 cos(angle between)), up to a constant.
    void liken(const Quaternion& rotation, double weight);

    [[nodiscard]] double value(const Quaternion& m) const;

    /// value for the rotation c u + s v is c^2 uu + 2 c s uv + s^2 vv.
    void along(const Quaternion& u, const Quaternion& v, double& uu, double& uv, double& vv) const;

    /// The rotation of the largest value.
    [[nodiscard]] Quaternion best() const;

private:
    double m_n[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}; ///< ww wx wy wz xx xy xz yy yz zz
};

/// How one joint may turn in this solve: its limits and locks, made ready for being asked many times.
class JointTurn
{
public:
    enum class Kind {
        None, ///< does not turn
        Any,  ///< a ball without limits
        Ball, ///< swing ellipse and twist
        Axes, ///< one to three axes, each with its range
    };

    void read(const kit::SolverRun& run, std::int32_t body);

    [[nodiscard]] Kind kind() const { return m_kind; }

    /// Whether some rotation cannot be had.
    [[nodiscard]] bool isLimited() const { return m_isLimited; }

    /// The motion within limits that looks best: `from` toward `to`, then as like `prior` as that leaves open. Without
    /// aim (`hasAim` false) the one most like `prior`. `q` (the body's own coordinates) is where axes start from, and
    /// holds the answer; the motion is returned.
    Quaternion aim(const Vector3& from, const Vector3& to, bool hasAim, const Quaternion& prior, double* q) const;

    /// The same for several arms at once. `now`: the present motion, kept where nothing better is allowed.
    Quaternion follow(const Wish& wish, const Quaternion& now, double* q) const;

    /// `wished` brought into the limits of a ball: swing to the nearest point of the ellipse, twist into its range.
    [[nodiscard]] Quaternion nearest(const Quaternion& wished) const;

private:
    void store(const Quaternion& motion, double* q) const;
    Quaternion ascend(const Wish& wish, double* q) const;

    const sdk::Model* m_model = nullptr;
    std::int32_t m_body = -1;
    Kind m_kind = Kind::None;
    bool m_isLimited = true;
    int m_slides = 0, m_turns = 0;
    std::array<const double*, 3> m_axis{};
    std::array<double, 3> m_lower{}, m_upper{};
    std::array<bool, 3> m_isLocked{};
    int m_twistAxis = 0;
    double m_cosInside = 2;                       ///< a swing with this cosine of half its angle or more is inside
    double m_sinFrom = -2, m_sinTo = 2;           ///< of half the twist range
};

} // namespace tendon::fabrik

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

    /// The rotation of the largest value; of several that are as good, the one nearest to `near`.
    [[nodiscard]] Quaternion best(const Quaternion& near) const;

private:
    double m_n[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}; ///< ww wx wy wz xx xy xz yy yz zz
};

/// Cosine and sine of half an angle: what passes work on, so that they need no trigonometry.
struct HalfAngle
{
    double cosine = 1, sine = 0;
};

/// Where joints keep how they are turned, both (nq): balls their quaternions in `q`, axes half angles in `half`.
struct Turned
{
    double* q = nullptr;
    HalfAngle* half = nullptr;
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

    /// Takes in the axes of a body that hangs on this joint's by a rotation alone (from this joint's frame after its
    /// motion, all angles zero), so that hinges through one point count as one joint. False, and nothing taken, when
    /// they are too many or no axes.
    bool append(const kit::SolverRun& run, std::int32_t body, const Quaternion& rotation);

    /// Reads the axes' half angles from the angles in q.
    void begin(Turned at) const;
    /// Writes the axes' angles to `result` (nq): within limits to the bit; of turns by 360 degrees, the nearest to what
    /// q holds.
    void settle(Turned at, double* result) const;

    [[nodiscard]] Quaternion motion(Turned at) const;

    [[nodiscard]] Kind kind() const { return m_kind; }

    /// Whether some rotation cannot be had.
    [[nodiscard]] bool isLimited() const { return m_isLimited; }

    /// The motion within limits that looks best: `from` toward `to`, then as like `prior` as that leaves open. Without
    /// aim (`hasAim` false) the one most like `prior`. Axes start from where they are; `at` holds the answer, too.
    Quaternion aim(const Vector3& from, const Vector3& to, bool hasAim, const Quaternion& prior, Turned at) const;

    /// The same for several arms at once. `now`: the present motion, kept where nothing better is allowed. `before`, if
    /// given, takes the motion whose nearest one within limits is the answer.
    Quaternion follow(const Wish& wish, const Quaternion& now, Turned at, Quaternion* before = nullptr) const;

    /// The one axis that is not locked, with its direction in the base's space and what turns before it: motion =
    /// turn(axis) * after. -1 when there are none or several.
    int hinge(Turned at, Vector3& axis, Quaternion& after) const;

    /// A single hinge goes to one of the two angles at `aside` (cosine, sine >= 0) to either side of `middle`: within
    /// limits, and of two the side where it is; else to the end of its range that is nearer to being right.
    HalfAngle openTo(int axis, double middleCosine, double middleSine, double cosine, double sine, Turned at) const;

    /// `wished` brought into the limits of a ball: swing to the nearest point of the ellipse, twist into its range.
    [[nodiscard]] Quaternion nearest(const Quaternion& wished) const;

    /// Axes: how many, and for each its DOF in the model and its place in q.
    [[nodiscard]] int axisCount() const { return m_turns; }
    [[nodiscard]] std::int32_t dofOf(int axis) const { return m_dof[static_cast<std::size_t>(axis)]; }
    [[nodiscard]] std::int32_t placeOf(int axis) const { return m_at[static_cast<std::size_t>(axis)]; }
    [[nodiscard]] bool isLocked(int axis) const { return m_isLocked[static_cast<std::size_t>(axis)]; }
    /// Axes: the first one's direction. Ball: where its quaternion stands in q.
    [[nodiscard]] const Vector3& firstAxis() const { return m_axis[0]; }
    [[nodiscard]] std::int32_t quaternionPlace() const { return m_at[0]; }

private:
    void addAxis(const kit::SolverRun& run, std::int32_t dof, std::int32_t at, const Quaternion& rotation);
    void judgeAxes();
    void store(const Quaternion& motion, double* q) const;
    Quaternion ascend(const Wish& wish, Turned at) const;
    HalfAngle within(std::size_t axis, double cosine, double sine) const;

    const sdk::Model* m_model = nullptr;
    std::int32_t m_body = -1;
    Kind m_kind = Kind::None;
    bool m_isLimited = true;
    int m_turns = 0;
    Quaternion m_still{1, 0, 0, 0}; ///< the motion of a joint that does not turn
    std::array<Vector3, 3> m_axis;
    std::array<std::int32_t, 3> m_dof{}, m_at{};
    std::array<double, 3> m_lower{}, m_upper{};
    std::array<double, 3> m_cosMiddle{}, m_sinMiddle{}, m_cosRange{}; ///< of the range's middle, and of half its width
    std::array<HalfAngle, 3> m_lowerHalf{}, m_upperHalf{};
    std::array<bool, 3> m_isLocked{};
    int m_twistAxis = 0;
    double m_cosInside = 2;             ///< a swing with this cosine of half its angle or more is inside
    double m_sinFrom = -2, m_sinTo = 2; ///< of half the twist range
};

} // namespace tendon::fabrik

#pragma once

#include "core/clip/AnswerSpace.h"
#include "core/clip/ClipPath.h"
#include "core/clip/ClipTask.h"

#include <array>
#include <span>
#include <vector>

namespace tendon {

/// The rates of a task, and by how much configurations in succession exceed them. Whole turns count here: a motor has
/// to make them.
class Rates
{
public:
    Rates() = default;
    Rates(const sdk::Model& model, std::span<const ClipRate> rates);

    [[nodiscard]] bool isEmpty() const { return m_rates.empty(); }
    [[nodiscard]] std::size_t count() const { return m_rates.size(); }
    [[nodiscard]] const ClipRate& rate(std::size_t r) const { return m_rates[r]; }

    /// [rad | m] How DOFs of a rate go from one configuration to another; unused entries 0.
    [[nodiscard]] std::array<double, 3> step(std::size_t r, const double* from, const double* to) const;

    /// Of a path, at a frame: the step to it, as so many times what is allowed, and how much more or less the next
    /// step is. 0 where there is none.
    [[nodiscard]] double speed(std::size_t r, const ClipPath& path, int frame) const;
    [[nodiscard]] double acceleration(std::size_t r, const ClipPath& path, int frame) const;

    using Steps = std::vector<std::array<double, 3>>; ///< (rates) step() of each
    /// But for whole turns, where these do not count.
    [[nodiscard]] Steps steps(const AnswerSpace& space, const double* from, const double* to) const;

    /// The sum of what steps are beyond the rates, and two steps in succession, as a share of what is allowed, at most
    /// 3 of each.
    [[nodiscard]] double haste(const Steps& steps) const;
    [[nodiscard]] double haste(const Steps& before, const Steps& now) const;

    /// The sum of squares and fourth powers of a step over some frames, as shares of the speeds allowed.
    [[nodiscard]] double effort(const Steps& steps, int frames) const;

    /// The sum of squares of what is beyond the rates over a path, as shares; 0 = all are held.
    [[nodiscard]] double excess(const ClipPath& path) const;

    /// The frames at which rates are exceeded: by rate and kind, one entry for each row of frames. Steps of jumps, to
    /// the frames in `jumps` (frames; empty = none is), do not count.
    [[nodiscard]] std::vector<ClipHaste> hastes(const ClipPath& path, std::span<const std::uint8_t> jumps = {}) const;

    static constexpr double kHeld = 5e-7; ///< what exceeds a rate by no larger share holds it

private:
    sdk::Model m_model;
    std::vector<ClipRate> m_rates;
    std::vector<std::int32_t> m_body, m_coordinate; ///< (rates); coordinate -1: a quaternion's
};

} // namespace tendon

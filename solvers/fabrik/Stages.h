#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// The optional capability "tendon.fabrik-stages/1": every step of every pass, to be played one by one.
///
///     auto* stages = static_cast<fabrik::Stages*>(solver.extension(fabrik::kStages));
///     stages->rows = room;          // yours; empty = off
///     solver.solve(...);            // stages->used rows are filled
///
/// Plain data, no Eigen: for debuggers and tests. What a solve answers does not depend on it.
namespace tendon::fabrik {

inline constexpr std::string_view kStages = "tendon.fabrik-stages/1";

/// The letters are those of the paper's figure of constrained passes (a start, b ... h); the rest is what trees add.
enum class Stage : std::int32_t {
    Start = 0,       ///< a  where the joint stands as the pass begins
    Goal = 1,        ///< b  the end goes to its target, turned as asked
    Place = 2,       ///< c  the next joint on the line at its distance
    Look = 3,        ///< d  turned to look along the edge
    Ellipse = 4,     ///< e  the limiting ellipse; nothing moves. `swing` is what is wished, `semiAxes` what is allowed
    IntoEllipse = 5, ///< f  moved to the nearest point of the ellipse
    Length = 6,      ///< g  the edge has its length again
    Twist = 7,       ///< h  turned until the twist is within its limit
    Candidate = 8,   ///< where one branch wants a joint that several hang on
    SubBase = 9,     ///< the (weighted) mean of its candidates
    Root = 10,       ///< the root goes back to where it stands
};

struct StageRow
{
    std::int32_t pass = 0;
    Stage stage = Stage::Start;
    std::int32_t isForward = 0; ///< 0 = tips to root, 1 = root to tips
    std::int32_t body = -1;     ///< the joint that is placed or turned
    std::int32_t other = -1;    ///< backward: the body further out, or -1 - goal; forward: the body whose edge this is
    double weight = 0;          ///< of a candidate in the mean
    double position[3] = {0, 0, 0};    ///< [m] model space: of the joint
    double rotation[4] = {0, 0, 0, 1}; ///< xyzw, model space: of the joint
    double swing[2] = {0, 0};          ///< [rad] on the ellipse's axes a, b
    double semiAxes[4] = {0, 0, 0, 0}; ///< [rad] +a, -a, +b, -b
};

struct Stages
{
    std::uint32_t size = sizeof(Stages);
    std::span<StageRow> rows; ///< caller-owned; what does not fit is left out
    std::int32_t used = 0;    ///< rows filled by the last solve
};

} // namespace tendon::fabrik

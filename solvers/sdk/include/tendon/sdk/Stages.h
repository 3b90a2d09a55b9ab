#pragma once

#include <tendon/sdk/Control.h>

#include <cstdint>
#include <string_view>

/// The capability "tendon.stages/1" (the feature "stages"): every step of every pass of a solver that moves joints as
/// points and rotations, to be played back one by one.
///
///     std::vector<sdk::StageRow> rows(10'000);
///     sdk::Extension stages = sdk::makeExtension(sdk::kStages, std::span(rows));
///     control.extensions = std::span(&stages, 1);
///     solver.solve(problem, control, solution);            // the first stages.used rows are filled
///
/// Recording does not change the answer.
namespace tendon::sdk {

inline constexpr std::string_view kStages = "tendon.stages/1";

/// The letters are those of the figure of constrained passes in the FABRIK paper (Aristidou and Lasenby 2011); trees
/// add the rest.
enum class Stage : std::int32_t {
    Start = 0,   ///< a  where the joint is as the pass begins
    Goal = 1,    ///< b  the end goes to its target, with the target's rotation
    Place = 2,   ///< c  the next joint goes onto the line, at its distance
    Look = 3,    ///< d  it turns to look along the edge
    Ellipse = 4, ///< e  the limiting ellipse; nothing moves. `swing` is the swing before limits, `semiAxes` the limits
    IntoEllipse = 5, ///< f  moved straight to the nearest point of the ellipse, where its edge is shorter
    Length = 6,      ///< g  the edge has its length again
    Twist = 7,       ///< h  turned until the twist is within its limit
    Candidate = 8,   ///< where one branch places a joint that several branches share
    SubBase = 9,     ///< the (weighted) mean of its candidates
    Root = 10,       ///< the root goes back to its own position
};

struct StageRow
{
    std::int32_t pass = 0;
    Stage stage = Stage::Start;
    std::int32_t isForward = 0; ///< 0 = tips to root, 1 = root to tips
    std::int32_t body = -1;     ///< the joint that is placed or turned
    std::int32_t other = -1;    ///< backward: the body further out, or -1 - goal; forward: the body whose edge this is
    double weight = 0;          ///< of a candidate in the mean
    double position[3] = {0, 0, 0};    ///< [m] of the joint, in model space
    double rotation[4] = {0, 0, 0, 1}; ///< xyzw, in model space: of the joint that turns, which is `other` outward
    double swing[2] = {0, 0};          ///< [rad] on the ellipse's axes a, b
    double semiAxes[4] = {0, 0, 0, 0}; ///< [rad] +a, -a, +b, -b

    // Append new members above this line.
};

inline constexpr LayoutEntry kStagesLayout[] = {
    TENDON_SDK_VALUE(0, Stage::Start),        TENDON_SDK_VALUE(0, Stage::Goal),
    TENDON_SDK_VALUE(0, Stage::Place),        TENDON_SDK_VALUE(0, Stage::Look),
    TENDON_SDK_VALUE(0, Stage::Ellipse),      TENDON_SDK_VALUE(0, Stage::IntoEllipse),
    TENDON_SDK_VALUE(0, Stage::Length),       TENDON_SDK_VALUE(0, Stage::Twist),
    TENDON_SDK_VALUE(0, Stage::Candidate),    TENDON_SDK_VALUE(0, Stage::SubBase),
    TENDON_SDK_VALUE(0, Stage::Root),         TENDON_SDK_MEMBER(0, StageRow, pass),
    TENDON_SDK_MEMBER(0, StageRow, stage),    TENDON_SDK_MEMBER(0, StageRow, isForward),
    TENDON_SDK_MEMBER(0, StageRow, body),     TENDON_SDK_MEMBER(0, StageRow, other),
    TENDON_SDK_MEMBER(0, StageRow, weight),   TENDON_SDK_MEMBER(0, StageRow, position),
    TENDON_SDK_MEMBER(0, StageRow, rotation), TENDON_SDK_MEMBER(0, StageRow, swing),
    TENDON_SDK_MEMBER(0, StageRow, semiAxes),
};
TENDON_SDK_LISTS_ALL(kStagesLayout, StageRow);

} // namespace tendon::sdk

#pragma once

#include "core/math/Transform.h"

#include <QJsonObject>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tendon::conformance {

struct Trial;
struct Outcome;

/// One problem of the suite as something to look at: where its bodies stand at the start and in the solver's answer.
/// All places are in the world. [m]
struct PosedProblem
{
    struct Goal
    {
        std::string kind; ///< "position", "pose", "aim", ...
        std::int32_t body = -1;
        Vector3 target = Vector3::Zero(); ///< of a direction: a point that way from where the effector starts
        Vector3 start = Vector3::Zero();  ///< of the effector
        std::optional<Vector3> answer;    ///< of the effector
        double positionError = 0;         ///< [m] in the answer
        double rotationError = 0;         ///< [rad] in the answer
    };

    std::string label;                  ///< "chain of 5 ball joints, position, case 3, seed 1"
    std::vector<std::int32_t> parents;  ///< (bodies) -1 = the world
    std::vector<Vector3> start;         ///< (bodies)
    std::vector<Vector3> answer;        ///< (bodies) empty: the solver gave no whole pose
    std::vector<std::uint8_t> isBeyond; ///< (bodies) 1 = the answer is beyond a limit of the body
    std::vector<Vector3> curve;         ///< points of a curve that the bodies are to follow; empty: none
    std::vector<Goal> goals;
    std::string outcome; ///< what came of it in a few words; empty: the solver has not answered
};

/// `outcome` may be null.
[[nodiscard]] PosedProblem posedProblem(const Trial& trial, const Outcome* outcome);

/// As one process tells another.
[[nodiscard]] QJsonObject toJson(const PosedProblem& problem);
[[nodiscard]] PosedProblem posedProblemFrom(const QJsonObject& json);

} // namespace tendon::conformance

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tendon {

/// How far the written file is from what was meant, read by a path that shares no code with the writer.
struct ReadBack
{
    std::string reader;
    double jointError = 0;     ///< [m] largest over joints and samples
    double vertexError = 0;    ///< [m] largest over vertices, at a few samples
    std::int64_t vertices = 0; ///< compared at each of those samples; 0 = there are none, or none could be
    double radius = 0;         ///< [m] of the skeleton, to judge the errors by
    std::string jointAt;       ///< where the joint error is: "clip walk, frame 12, joint hand.L"; empty without one
    std::string vertexAt;      ///< where the vertex error is: "clip walk, frame 12, mesh Body"
    double turnError =
        -1; ///< [rad] largest of a joint's axes against where it should point; -1 = the reader sees no turns
    std::string turnAt = {}; ///< where that is, as jointAt

    struct Sample
    {
        std::size_t clip = 0;  ///< position in what was written
        double frame = 0;      ///< at the clip's rate
        double jointError = 0; ///< [m] largest over joints
    };
    std::vector<Sample> samples = {}; ///< clip by clip, as far as they were compared
    std::vector<std::string> missing; ///< what was meant to be in the file and is not

    /// Shares of the radius. Joints: what single precision can hold, with room to spare. Vertices: their weights are
    /// rounded too, and they stand farther out.
    static constexpr double kJointTolerance = 1e-5;
    static constexpr double kVertexTolerance = 1e-4;
    static constexpr double kTurnTolerance =
        1e-4; ///< [rad] at a radius' distance a joint turned by this moves a vertex by its tolerance
    [[nodiscard]] bool isWithin() const
    {
        return missing.empty() && jointError <= kJointTolerance * radius && vertexError <= kVertexTolerance * radius &&
               turnError <= kTurnTolerance;
    }
};

} // namespace tendon

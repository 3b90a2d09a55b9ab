#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tendon {

/// How far a written file is from the original scene and bake, measured by readers that share no code with the writers.
struct ReadBack
{
    std::string reader;
    double jointError = 0;     ///< [m] largest over joints and samples
    double vertexError = 0;    ///< [m] largest over vertices, at a few samples; the original keeps as many influences
                               ///< per vertex as the file was asked to keep
    std::int64_t vertices = 0; ///< compared at each of those samples; 0 = there are none, or none could be compared
    double radius = 0;         ///< [m] of the skeleton; tolerances are shares of it
    int levels = 0;            ///< the most joints above one another
    std::string jointAt;       ///< where jointError is: "clip walk, frame 12, joint hand.L"; empty without an error
    std::string vertexAt;      ///< where vertexError is: "clip walk, frame 12, mesh Body"
    double turnError = -1; ///< [rad] largest angle between a joint's axes and the original's; -1 = the format has none
    std::string turnAt = {}; ///< where turnError is, as jointAt

    std::size_t maxInfluences = std::numeric_limits<std::size_t>::max(); ///< per vertex that the file was to keep
    std::int64_t cappedVertices = 0;                                     ///< vertices of the original that have more
    double cappingError = 0;    ///< [m] largest distance by which the cap moves one, over every sample of all clips
    std::string cappingAt = {}; ///< where cappingError is, as vertexAt; empty = it moves none

    struct Sample
    {
        std::size_t clip = 0;  ///< position in the list of clips
        double frame = 0;      ///< at the clip's rate
        double jointError = 0; ///< [m] largest over joints
    };
    std::vector<Sample> samples = {}; ///< every sample that was compared, clip by clip
    std::vector<std::string> missing; ///< what the original has and the file should have, but has not

    /// Joints: what single precision holds, with room to spare; each level adds what rounds its own angle, up to 360
    /// degrees. Vertices: their weights are rounded too, and they are farther out. Turns: at the distance of a radius,
    /// a joint turned by this moves a vertex by its tolerance.
    static constexpr double kJointTolerance = 1e-5; ///< share of the radius
    static constexpr double kLevelTolerance =
        1e-6; ///< the same for each level, where that is more, up to kVertexTolerance
    static constexpr double kVertexTolerance = 1e-4; ///< share of the radius
    static constexpr double kTurnTolerance = 1e-4;   ///< [rad]
    /// [m]
    [[nodiscard]] double jointTolerance() const
    {
        return std::clamp(kLevelTolerance * levels, kJointTolerance, kVertexTolerance) * radius;
    }
    [[nodiscard]] double vertexTolerance() const { return kVertexTolerance * radius; }
    [[nodiscard]] bool isWithin() const
    {
        return missing.empty() && jointError <= jointTolerance() && vertexError <= vertexTolerance() &&
               turnError <= kTurnTolerance;
    }
};

} // namespace tendon

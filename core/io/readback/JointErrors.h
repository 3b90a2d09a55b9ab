#pragma once

#include "core/io/readback/MountedCheck.h"
#include "core/io/readback/ReadBack.h"
#include "core/runtime/BakedPoses.h"

#include <limits>
#include <string>
#include <vector>

namespace tendon {

/// The cameras and lights of a scene in a pose of it.
[[nodiscard]] Mounted mountedIn(const ModelAsset* model, const CompiledRig& rig, const ModelPose& pose);

/// "clip walk, frame 12"
[[nodiscard]] std::string placeOf(const BakedClip& clip, std::size_t sample);

/// True for the five of `count` samples at which vertices are compared: first, last and three between. A wrong binding
/// shows in any pose but the bind pose.
[[nodiscard]] bool isVertexSample(std::size_t sample, std::size_t count);

/// What errors are measured against: that radius; where all joints stand in one place, the size of the meshes. Never 0.
/// [m]
[[nodiscard]] double radiusOf(const Scene& scene, const std::vector<BakedClip>& clips, BakedPoses& poses);

/// Keeps the largest error and where it was.
struct WorstError
{
    double value = 0;
    std::string at;

    /// `where` makes the text; it is called only for a new worst. Not a number counts as infinitely wrong.
    template <typename Where>
    void add(double error, Where&& where)
    {
        if (error <= value) return;
        value = error == error ? error : std::numeric_limits<double>::infinity();
        at = where();
    }
};

/// The joints' errors over a whole file: the worst place, the worst turn, and the worst place of each sample.
class JointErrors
{
public:
    /// What follows is of this sample.
    void begin(std::size_t clip, double frame) { m_samples.push_back({clip, frame, 0}); }

    template <typename Where>
    void add(const Vector3& found, const Vector3& meant, Where&& where)
    {
        const double error = (found - meant).norm();
        m_place.add(error, where);
        double& worst = m_samples.back().jointError;
        if (!(error <= worst)) worst = error == error ? error : std::numeric_limits<double>::infinity();
    }
    template <typename Where>
    void add(const Affine& found, const Affine& meant, Where&& where)
    {
        add(Vector3(found.translation()), Vector3(meant.translation()), where);
        addTurn(found.linear(), meant.linear(), where);
    }
    /// The axes alone.
    template <typename Where>
    void addTurn(const Eigen::Matrix3d& found, const Eigen::Matrix3d& meant, Where&& where)
    {
        m_seesTurns = true;
        m_turn.add(turnBetween(found, meant), where);
    }
    void tell(ReadBack& result) const;

private:
    /// The largest angle between columns of the same number, however long each is; one that is next to nothing beside
    /// the others points nowhere. [rad]
    [[nodiscard]] static double turnBetween(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b);

    WorstError m_place, m_turn;
    bool m_seesTurns = false;
    std::vector<ReadBack::Sample> m_samples;
};

} // namespace tendon

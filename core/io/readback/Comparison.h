#pragma once

#include "core/io/readback/MountedCheck.h"
#include "core/io/readback/OriginalMeshes.h"
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

/// The length that tolerances are shares of: the radius of the skeleton, or of the meshes where all joints are in one
/// place. Never 0. [m]
[[nodiscard]] double radiusOf(const Scene& scene, const std::vector<BakedClip>& clips, BakedPoses& poses);

/// The most joints above one another.
[[nodiscard]] int levelsOf(const CompiledRig& rig);

/// The largest of the errors added, and where it was.
struct WorstError
{
    double value = 0;
    std::string at;

    /// `where` makes the text; it is called only for a new largest error. NaN counts as infinite.
    template <typename Where>
    void add(double error, Where&& where)
    {
        if (error <= value) return;
        value = error == error ? error : std::numeric_limits<double>::infinity();
        at = where();
    }
};

/// The vertices' errors over a whole file.
class VertexErrors
{
public:
    /// A mesh that is compared: how many of its vertices.
    void addMesh(std::int64_t vertices) { m_vertices += vertices; }
    /// The largest distance of a mesh's vertices from the original with capped influences, at a sample.
    template <typename Where>
    void add(double error, Where&& where)
    {
        m_error.add(error, where);
    }
    void report(ReadBack& result) const;

private:
    WorstError m_error;
    std::int64_t m_vertices = 0;
};

/// What capping influences costs over all samples of all clips, in the original: the file holds no part of it.
class CappingCost
{
public:
    CappingCost(const OriginalMeshes& meshes, std::size_t maxInfluences);
    /// `pose` is that of the original's rig at a sample of a clip.
    void add(const BakedClip& clip, std::size_t sample, const ModelPose& pose);
    void report(ReadBack& result) const;

private:
    const OriginalMeshes& m_meshes;
    std::size_t m_maxInfluences;
    std::vector<std::size_t> m_capped; ///< the meshes with vertices that lost influences
    WorstError m_worst;
};

/// The joints' errors over a whole file: the largest distance, the largest turn, and the largest distance of each
/// sample.
class JointErrors
{
public:
    /// Errors that are added from now on belong to this sample.
    void begin(std::size_t clip, double frame) { m_samples.push_back({clip, frame, 0}); }

    template <typename Where>
    void add(const Vector3& found, const Vector3& original, Where&& where)
    {
        const double error = (found - original).norm();
        m_place.add(error, where);
        double& worst = m_samples.back().jointError;
        if (!(error <= worst)) worst = error == error ? error : std::numeric_limits<double>::infinity();
    }
    template <typename Where>
    void add(const Affine& found, const Affine& original, Where&& where)
    {
        add(Vector3(found.translation()), Vector3(original.translation()), where);
        addTurn(found.linear(), original.linear(), where);
    }
    /// Compares axes only.
    template <typename Where>
    void addTurn(const Eigen::Matrix3d& found, const Eigen::Matrix3d& original, Where&& where)
    {
        addTurn(turnBetween(found, original), where);
    }
    template <typename Where>
    void addTurn(double angle, Where&& where)
    {
        m_hasTurns = true;
        m_turn.add(angle, where);
    }
    void report(ReadBack& result) const;

private:
    /// The largest angle between the same columns of both, whatever their lengths. A column that is almost zero
    /// beside the others has no direction and is left out. [rad]
    [[nodiscard]] static double turnBetween(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b);

    WorstError m_place, m_turn;
    bool m_hasTurns = false;
    std::vector<ReadBack::Sample> m_samples;
};

} // namespace tendon

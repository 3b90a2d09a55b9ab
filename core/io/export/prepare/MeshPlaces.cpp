#include "core/io/export/prepare/MeshPlaces.h"

#include "core/scene/RestPose.h"

#include <algorithm>
#include <unordered_map>

namespace tendon {
namespace {

using Places = std::unordered_map<std::uint64_t, Affine>; ///< world from joint

/// Of the joints that `places` knows the one that most weight is on; -1 = none of them.
std::ptrdiff_t heaviest(const Skin& skin, const Places& places)
{
    std::vector<double> weights(skin.joints.size(), 0);
    for (std::size_t i = 0; i < skin.influenceJoint.size(); ++i)
        weights[skin.influenceJoint[i]] += static_cast<double>(skin.influenceWeight[i]);
    std::ptrdiff_t found = -1;
    double most = 0;
    for (std::size_t j = 0; j < weights.size(); ++j)
        if (weights[j] > most && places.contains(skin.joints[j].value)) {
            most = weights[j];
            found = static_cast<std::ptrdiff_t>(j);
        }
    return found;
}

bool canBeUndone(const Affine& matrix)
{
    const double volume = std::abs(matrix.linear().determinant());
    return matrix.matrix().allFinite() && volume > 1e-18 && volume < 1e18;
}

void move(Mesh& mesh, const Affine& place)
{
    const Eigen::Affine3f placeOfPoints(place.cast<float>());
    const Eigen::Matrix3f placeOfNormals = place.linear().inverse().transpose().cast<float>();
    for (Eigen::Vector3f& position : mesh.positions) position = placeOfPoints * position;
    for (Eigen::Vector3f& normal : mesh.normals)
        if (const Eigen::Vector3f turned = placeOfNormals * normal; turned.norm() > 0) normal = turned.normalized();
    for (MorphTarget& target : mesh.morphTargets) {
        for (Eigen::Vector3f& delta : target.positionDeltas) delta = placeOfPoints.linear() * delta;
        for (Eigen::Vector3f& delta : target.normalDeltas) delta = placeOfPoints.linear() * delta;
    }
    if (place.linear().determinant() < 0) // a mirror turns the front of triangles away
        for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
            std::swap(mesh.indices[i + 1], mesh.indices[i + 2]);
    const Affine back = place.inverse();
    for (Affine& matrix : mesh.skin.jointFromMesh) matrix = matrix * back;
}

/// Finds places for skins one after the other.
class Mover
{
public:
    explicit Mover(const Scene& scene)
    {
        const std::vector<Affine> world = worldInRestPose(scene);
        for (std::size_t j = 0; j < world.size(); ++j) m_rest[(*scene.joints)[j].id.value] = world[j];
    }

    void moveToRest(Mesh& mesh)
    {
        const Affine place = placeFor(mesh.skin);
        if (!place.matrix().isApprox(Affine::Identity().matrix(), 1e-6)) move(mesh, place);
        for (std::size_t k = 0; k < mesh.skin.joints.size(); ++k)
            if (canBeUndone(mesh.skin.jointFromMesh[k]))
                m_bound.try_emplace(mesh.skin.joints[k].value, mesh.skin.jointFromMesh[k].inverse());
    }

private:
    struct Placed
    {
        std::vector<JointId> joints;
        std::vector<Affine> jointFromMesh;
        Affine place;
    };

    Affine placeFor(const Skin& skin)
    {
        const auto isAlike = [&](const Placed& other) {
            const auto same = [](const Affine& a, const Affine& b) { return a.matrix() == b.matrix(); };
            return other.joints == skin.joints &&
                   std::equal(other.jointFromMesh.begin(), other.jointFromMesh.end(), skin.jointFromMesh.begin(),
                              skin.jointFromMesh.end(), same);
        };
        // Parts of one mesh, split by material, stay together: writers join them again.
        const auto known = std::find_if(m_placed.begin(), m_placed.end(), isAlike);
        if (known != m_placed.end()) return known->place;
        const std::ptrdiff_t shared = heaviest(skin, m_bound), leader = shared >= 0 ? shared : heaviest(skin, m_rest);
        Affine place = Affine::Identity();
        if (leader >= 0) {
            const auto j = static_cast<std::size_t>(leader);
            const Affine found = (shared >= 0 ? m_bound : m_rest).at(skin.joints[j].value) * skin.jointFromMesh[j];
            if (canBeUndone(found)) place = found;
        }
        m_placed.push_back({skin.joints, skin.jointFromMesh, place});
        return place;
    }

    Places m_rest, m_bound;
    std::vector<Placed> m_placed;
};

} // namespace

Scene withMeshesAtRest(Scene scene)
{
    if (!scene.model) return scene;
    Mover mover(scene);
    ModelAsset model = *scene.model;
    for (Mesh& mesh : model.meshes)
        if (!mesh.skin.isRigid()) mover.moveToRest(mesh);
    scene.model = std::make_shared<const ModelAsset>(std::move(model));
    return scene;
}

} // namespace tendon

#pragma once

#include "core/base/Result.h"
#include "core/scene/ModelCamera.h"

#include <Eigen/Geometry>

#include <QByteArray>
#include <QJsonObject>

#include <map>
#include <string>
#include <vector>

namespace tendon {

/// Plays a glTF file as its specification says, from nothing but the bytes on disk: the judge of what was written. It
/// shares no code with the import or the writers (another JSON reader, own accessors, own interpolation, own
/// kinematics) and keeps to what it must know, so that a mistake there cannot hide here. Draco alone is decoded by what
/// the import uses too.
class GltfPlayback
{
public:
    /// Reads a .glb or .gltf with its buffers. Errors: damaged, or of a kind this reader does not know (a sparse
    /// accessor is known; a mesh that is compressed otherwise than by Draco is left out and named in unreadableParts(),
    /// one whose Draco data is damaged is not there).
    [[nodiscard]] static Result<GltfPlayback> load(const std::string& path);

    [[nodiscard]] std::size_t nodeCount() const { return m_nodes.size(); }
    [[nodiscard]] const std::string& nodeName(std::size_t node) const { return m_nodes[node].name; }

    /// Index of the animation of a name, -1 when there is none.
    [[nodiscard]] int animationNamed(const std::string& name) const;
    [[nodiscard]] double lastKey(int animation) const; ///< [s]

    /// World matrices of all nodes; animation -1 = as the file stands.
    [[nodiscard]] std::vector<Eigen::Matrix4d> pose(int animation, double seconds) const;

    /// One primitive of a mesh at one node.
    struct Part
    {
        std::string mesh;
        std::size_t node = 0;
        std::vector<Eigen::Vector3d> positions;
        int skin = -1;
        std::vector<std::vector<std::pair<int, double>>>
            influences; ///< per vertex: joint of the skin, share; empty = rigid
    };
    [[nodiscard]] const std::vector<Part>& parts() const { return m_parts; }
    /// Cameras and lights by the node that they stand on, which look along its -Z.
    [[nodiscard]] const std::vector<std::pair<std::size_t, ModelCamera>>& cameras() const { return m_cameras; }
    [[nodiscard]] const std::vector<std::pair<std::size_t, ModelLight>>& lights() const { return m_lights; }
    [[nodiscard]] const std::vector<std::string>& unreadableParts() const { return m_unreadable; }

    /// The part's vertices in the world, skinned, without morph targets.
    [[nodiscard]] std::vector<Eigen::Vector3d> vertices(const Part& part,
                                                        const std::vector<Eigen::Matrix4d>& pose) const;

private:
    struct Node
    {
        std::string name;
        int parent = -1;
        Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
        bool hasMatrix = false;
        Eigen::Vector3d translation = Eigen::Vector3d::Zero(), scale = Eigen::Vector3d::Ones();
        Eigen::Vector4d rotation{0, 0, 0, 1}; ///< xyzw
    };
    struct Channel
    {
        std::size_t node = 0;
        QString path, interpolation;
        std::vector<double> times, values;
    };
    struct Animation
    {
        std::string name;
        std::vector<Channel> channels;
    };
    using Attributes = std::map<QString, std::vector<double>>; ///< POSITION, JOINTS_n, WEIGHTS_n
    struct Skin
    {
        std::vector<int> joints;
        std::vector<Eigen::Matrix4d> inverseBind;
    };

    std::string loadContainer(const std::string& path);
    std::string loadBuffers(const std::string& folder);
    void loadNodes();
    void loadAnimations();
    void loadSkins();
    void loadParts();
    void loadCamerasAndLights();
    [[nodiscard]] bool readAccessor(int index, std::vector<double>& values, int& components) const;
    [[nodiscard]] bool readAttributes(const QJsonObject& primitive, Attributes& read) const;
    [[nodiscard]] bool readDraco(const QJsonObject& draco, const QJsonObject& attributes, Attributes& read) const;
    [[nodiscard]] QByteArray bytesOf(int view) const;
    [[nodiscard]] static Eigen::VectorXd sample(const Channel& channel, double seconds);

    QJsonObject m_json;
    QByteArray m_bin;
    std::vector<QByteArray> m_buffers;
    std::vector<Node> m_nodes;
    std::vector<int> m_order; ///< parents first
    std::vector<Animation> m_animations;
    std::vector<Skin> m_skins;
    std::vector<Part> m_parts;
    std::vector<std::pair<std::size_t, ModelCamera>> m_cameras;
    std::vector<std::pair<std::size_t, ModelLight>> m_lights;
    std::vector<std::string> m_unreadable;
};

} // namespace tendon

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

/// Plays a glTF file as its specification says, from nothing but the bytes on disk. It judges what was written, so it
/// shares no code with the import or the writers: it has its own JSON reader, accessors, interpolation, kinematics and
/// skinning, and a mistake there cannot hide here. Only Draco is decoded by the same code as in the import.
class GltfPlayback
{
public:
    /// Reads a .glb or .gltf with its buffers. A mesh compressed by anything but Draco is left out and named in
    /// unreadableParts(); one whose Draco data is damaged is left out. Errors: damaged, or a kind of file that this
    /// reader does not know.
    [[nodiscard]] static Result<GltfPlayback> load(const std::string& path);

    [[nodiscard]] std::size_t nodeCount() const { return m_nodes.size(); }
    [[nodiscard]] const std::string& nodeName(std::size_t node) const { return m_nodes[node].name; }

    /// Index of the animation of a name, -1 when there is none.
    [[nodiscard]] int animationNamed(const std::string& name) const;
    [[nodiscard]] double lastKey(int animation) const; ///< [s]

    /// World matrices of all nodes; animation -1 = as the file stands.
    [[nodiscard]] std::vector<Eigen::Matrix4d> pose(int animation, double seconds) const;

    /// The weights of the morph targets of a node's mesh; animation -1 = those of the file. Empty = there are none.
    [[nodiscard]] std::vector<double> weights(std::size_t node, int animation, double seconds) const;

    /// One primitive of a mesh at one node.
    struct Part
    {
        std::string mesh;
        std::size_t node = 0;
        std::vector<Eigen::Vector3d> positions;
        std::vector<int> morphTargets; ///< accessors of their positions; -1 = moves none
        int skin = -1;
        std::vector<std::vector<std::pair<int, double>>>
            influences; ///< per vertex: joint of the skin, share; empty = rigid
    };
    [[nodiscard]] const std::vector<Part>& parts() const { return m_parts; }
    /// Cameras and lights by the node that they stand on, which look along its -Z.
    [[nodiscard]] const std::vector<std::pair<std::size_t, ModelCamera>>& cameras() const { return m_cameras; }
    [[nodiscard]] const std::vector<std::pair<std::size_t, ModelLight>>& lights() const { return m_lights; }
    [[nodiscard]] const std::vector<std::string>& unreadableParts() const { return m_unreadable; }

    /// The part's vertices in the world, morphed by `weights` and skinned.
    [[nodiscard]] std::vector<Eigen::Vector3d> vertices(const Part& part, const std::vector<Eigen::Matrix4d>& pose,
                                                        const std::vector<double>& weights) const;

private:
    struct Node
    {
        std::string name;
        int parent = -1;
        Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
        bool hasMatrix = false;
        Eigen::Vector3d translation = Eigen::Vector3d::Zero(), scale = Eigen::Vector3d::Ones();
        Eigen::Vector4d rotation{0, 0, 0, 1}; ///< xyzw
        std::vector<double> weights;          ///< of its mesh's morph targets
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
        std::vector<Channel> channels; ///< of nodes' transforms
        std::vector<Channel> morphs;   ///< of the weights of morph targets
    };
    using Attributes = std::map<QString, std::vector<double>>; ///< POSITION, JOINTS_n, WEIGHTS_n
    struct Skin
    {
        std::vector<int> joints;
        std::vector<Eigen::Matrix4d> inverseBind;
    };

    std::string loadContainer(const std::string& path);
    std::string loadBuffers(const std::string& folder);
    void unpackViews(); ///< those that are compressed
    void loadNodes();
    void loadAnimations();
    void loadSkins();
    void loadParts();
    void loadCamerasAndLights();
    [[nodiscard]] bool readAccessor(int index, std::vector<double>& values, int& components) const;
    [[nodiscard]] bool readAttributes(const QJsonObject& primitive, Attributes& read) const;
    [[nodiscard]] bool readDraco(const QJsonObject& draco, const QJsonObject& attributes, Attributes& read) const;
    [[nodiscard]] std::vector<Eigen::Vector3d> morphed(const Part& part, const std::vector<double>& weights) const;
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

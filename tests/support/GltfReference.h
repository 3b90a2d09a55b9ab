#pragma once

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <QByteArray>
#include <QString>

#include <vector>

namespace tendon::test {

/// Evaluates a glTF file directly from the text of the standard, without any of Tendon's code, as the reference for
/// imports. Trusts its input: use it with valid files only. Multiplies node matrices as they are and decomposes
/// nothing.
class GltfReference
{
public:
    explicit GltfReference(const QString& path);

    [[nodiscard]] const nlohmann::json& json() const { return m_json; }
    [[nodiscard]] bool needsDraco() const;

    /// World matrices of all nodes, at rest (animation -1) or at a time of an animation.
    [[nodiscard]] std::vector<Eigen::Affine3d> world(int animation, double seconds) const;
    [[nodiscard]] double duration(int animation) const; ///< the last key of all channels

    /// Vertices of every triangle primitive under every node of the scene, nodes in order of index, primitives in
    /// order.
    [[nodiscard]] std::vector<std::vector<Eigen::Vector3d>> vertices(const std::vector<Eigen::Affine3d>& world) const;

private:
    struct Local
    {
        Eigen::Vector3d translation = Eigen::Vector3d::Zero(), scale = Eigen::Vector3d::Ones();
        Eigen::Vector4d rotation{0, 0, 0, 1}; ///< xyzw
        Eigen::Affine3d matrix = Eigen::Affine3d::Identity();
        bool isMatrix = false;
        [[nodiscard]] Eigen::Affine3d transform() const;
    };
    [[nodiscard]] std::vector<double> numbers(std::size_t accessor) const;
    [[nodiscard]] Local rest(std::size_t node) const;
    [[nodiscard]] std::vector<bool> inScene() const;

    nlohmann::json m_json;
    std::vector<QByteArray> m_buffers;
};

} // namespace tendon::test

#pragma once

#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <random>

namespace tendon::test {

/// A .glb parsed by hand, so that tests of the writers do not use the code that they test.
struct Glb
{
    QByteArray jsonText;
    QJsonObject json;
    QByteArray bin;
};
[[nodiscard]] Glb takeApart(const QByteArray& glb);
[[nodiscard]] QByteArray putTogether(const QByteArray& jsonText, const QByteArray& bin);
[[nodiscard]] QByteArray fileBytes(const QString& path);
void writeBytes(const QString& path, const QByteArray& bytes);

/// A small character with the difficult cases of a patch: joints below a rotated and scaled node that is not a joint, a
/// `matrix`, a skinned mesh with morph targets, a clip that also animates their weights, a second clip, a prop, and
/// unknown members.
///
///     node 0 Armature (turned, scaled 0.5)   1 hip   2 knee   3 foot (matrix)   4 skinned mesh   5 lens below foot
struct GltfTestModel
{
    QByteArray jsonText; ///< with buffers[0] as the BIN chunk
    QByteArray bin;

    GltfTestModel();
    [[nodiscard]] QByteArray glb() const { return putTogether(jsonText, bin); }
    /// As "NAME.gltf" with "NAME.bin" and an image "skin.png" beside it.
    void writeGltf(const QString& folder, const QString& name,
                   const QString& imageUri = QStringLiteral("skin.png")) const;

    /// The scene that an import would make: hip, knee, foot. The source of its model is the file at `path`.
    [[nodiscard]] static Scene scene(const QString& path);
};

/// A bake with invented motion: every joint rotates and moves smoothly in its own way.
[[nodiscard]] BakedClip wiggle(const Scene& scene, const std::string& name, int frames, std::mt19937& random);

/// Two chains with separate roots, a skinned grid with up to seven influences per vertex, materials, a texture and a
/// morph target, with random values.
[[nodiscard]] Scene richScene(std::mt19937& random);

/// The smallest PNG: one white point.
[[nodiscard]] QByteArray tinyPng();

} // namespace tendon::test

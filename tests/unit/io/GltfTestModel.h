#pragma once

#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <random>

namespace tendon::test {

/// A .glb taken apart by hand, so that tests of the writers do not read with what they test.
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

/// A small character with what a patch must get right: joints below a turned and scaled node that is none, a `matrix`,
/// a skinned mesh with morph targets, a clip that also drives their weights, a second clip, a prop, members nobody
/// knows.
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

    /// The scene an import would make of it: hip, knee, foot. Its model's source is the file at `path`.
    [[nodiscard]] static Scene scene(const QString& path);
};

/// A bake with made-up motion: every joint turns and moves in its own smooth way.
[[nodiscard]] BakedClip wiggle(const Scene& scene, const std::string& name, int frames, std::mt19937& random);

/// Two chains under roots of their own, a skinned grid with up to seven influences a vertex, materials, a texture, a
/// morph target; made up anew from what `random` gives.
[[nodiscard]] Scene richScene(std::mt19937& random);

/// The smallest PNG: one white point.
[[nodiscard]] QByteArray tinyPng();

} // namespace tendon::test

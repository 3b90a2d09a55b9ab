#include "tests/unit/io/GltfTestModel.h"

#include "core/io/base/Files.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QtEndian>

#include <cmath>

namespace tendon::test {

namespace {

void append(QByteArray& bytes, quint32 value)
{
    char raw[4];
    qToLittleEndian(value, raw);
    bytes.append(raw, 4);
}

void append(QByteArray& bytes, std::initializer_list<float> values)
{
    for (const float value : values) append(bytes, std::bit_cast<quint32>(value));
}

/// The node that no joint came from: a quarter turn about x and half the size.
Affine armature()
{
    Affine result = Affine::Identity();
    result.linear() = 0.5 * Quaternion(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitX())).toRotationMatrix();
    result.translation() = Vector3(0, 1, 0);
    return result;
}

} // namespace

Glb takeApart(const QByteArray& glb)
{
    Glb parts;
    const auto jsonSize = static_cast<qsizetype>(qFromLittleEndian<quint32>(glb.constData() + 12));
    parts.jsonText = glb.mid(20, jsonSize);
    parts.json = QJsonDocument::fromJson(parts.jsonText).object();
    if (glb.size() > 20 + jsonSize) parts.bin = glb.mid(20 + jsonSize + 8);
    return parts;
}

QByteArray putTogether(const QByteArray& jsonText, const QByteArray& bin)
{
    QByteArray json = jsonText, data = bin;
    while (json.size() % 4 != 0) json.append(' ');
    while (data.size() % 4 != 0) data.append('\0');
    QByteArray glb("glTF");
    append(glb, 2u);
    append(glb, static_cast<quint32>(12 + 8 + json.size() + 8 + data.size()));
    append(glb, static_cast<quint32>(json.size()));
    glb += "JSON" + json;
    append(glb, static_cast<quint32>(data.size()));
    glb += QByteArray("BIN\0", 4) + data;
    return glb;
}

QByteArray fileBytes(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeBytes(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

QByteArray tinyPng()
{
    return QByteArray::fromBase64(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=");
}

GltfTestModel::GltfTestModel()
{
    append(bin, {0, 0, 0, 0, -2, 0, 0, -4, 0, 0.5f, -4, 0.5f});                                // 0: 4 positions, 48
    append(bin, {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1});                                         // 48: morph deltas, 48
    bin += QByteArray("\x00\x00\x00\x00\x01\x00\x00\x00\x01\x02\x00\x00\x02\x00\x00\x00", 16); // 96: joints, 16
    append(bin, {1, 0, 0, 0, 1, 0, 0, 0, 0.25f, 0.75f, 0, 0, 1, 0, 0, 0});                     // 112: weights, 64
    for (int joint = 0; joint < 3; ++joint)
        append(bin, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2.0f * static_cast<float>(joint), 0, 1}); // 176: bind, 192
    append(bin, {0.5f, 1, 1.5f});                                                                     // 368: times, 12
    append(bin, {0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 0, 0, 1}); // 380: rotations, 48
    append(bin, {0, 1, 0});                                  // 428: morph weights, 12
    jsonText = R"({
  "unknownFirst": {"z": 1, "a": [1.0, 2, 3e-7], "m": null},
  "asset": {"version": "2.0", "generator": "by hand", "extras": {"kept": true}},
  "extensionsUsed": ["X_unknown"],
  "scene": 0,
  "scenes": [{"nodes": [0, 4], "name": "Scene"}],
  "nodes": [
    {"name": "Armature", "children": [1], "translation": [0, 1, 0], "rotation": [0.7071067811865476, 0, 0, 0.7071067811865476], "scale": [0.5, 0.5, 0.5]},
    {"name": "hip", "children": [2], "extras": {"x": "hip"}},
    {"name": "knee", "children": [3], "translation": [0, -2, 0], "extensions": {"X_unknown": {"b": 1, "a": 2}}},
    {"children": [5], "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1], "name": "foot"},
    {"name": "Body", "mesh": 0, "skin": 0},
    {"name": "lens", "camera": 0}
  ],
  "cameras": [{"type": "perspective", "perspective": {"yfov": 0.7, "znear": 0.1}}],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3}, "targets": [{"POSITION": 1}], "mode": 0}], "weights": [0], "name": "Body"}],
  "skins": [{"joints": [1, 2, 3], "inverseBindMatrices": 4}],
  "animations": [
    {"name": "walk", "extras": {"take": 7}, "channels": [
      {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
      {"sampler": 1, "target": {"node": 4, "path": "weights"}, "extras": {"why": "smile"}}],
     "samplers": [{"input": 5, "output": 6}, {"input": 5, "output": 7, "interpolation": "STEP"}]},
    {"name": "idle", "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}], "samplers": [{"input": 5, "output": 6}]}
  ],
  "accessors": [
    {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, -4, 0], "max": [0.5, 0, 0.5]},
    {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 1]},
    {"bufferView": 2, "componentType": 5121, "count": 4, "type": "VEC4"},
    {"bufferView": 3, "componentType": 5126, "count": 4, "type": "VEC4"},
    {"bufferView": 4, "componentType": 5126, "count": 3, "type": "MAT4"},
    {"bufferView": 5, "componentType": 5126, "count": 3, "type": "SCALAR", "min": [0.5], "max": [1.5]},
    {"bufferView": 6, "componentType": 5126, "count": 3, "type": "VEC4"},
    {"bufferView": 7, "componentType": 5126, "count": 3, "type": "SCALAR"}
  ],
  "bufferViews": [
    {"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 48},
    {"buffer": 0, "byteOffset": 96, "byteLength": 16}, {"buffer": 0, "byteOffset": 112, "byteLength": 64},
    {"buffer": 0, "byteOffset": 176, "byteLength": 192}, {"buffer": 0, "byteOffset": 368, "byteLength": 12},
    {"buffer": 0, "byteOffset": 380, "byteLength": 48}, {"buffer": 0, "byteOffset": 428, "byteLength": 12}
  ],
  "buffers": [{"byteLength": 440, "extras": "mine"}],
  "unknownLast": "\u00e9 \" \\"
})";
}

void GltfTestModel::writeGltf(const QString& folder, const QString& name, const QString& imageUri) const
{
    QJsonObject json = QJsonDocument::fromJson(jsonText).object();
    json["buffers"] = QJsonArray{QJsonObject{{"byteLength", 440}, {"uri", name + ".bin"}}};
    json["images"] = QJsonArray{QJsonObject{{"uri", imageUri}}};
    writeBytes(folder + "/" + name + ".gltf", QJsonDocument(json).toJson());
    writeBytes(folder + "/" + name + ".bin", bin);
    writeBytes(folder + "/skin.png", tinyPng());
}

Scene GltfTestModel::scene(const QString& path)
{
    Scene scene;
    const auto add = [&](const char* name, JointId parent, int node) {
        Joint joint;
        joint.id = {scene.takeId()};
        joint.name = name;
        joint.parent = parent;
        joint.sourceNode = node;
        joint.rest.translation = node == 1 ? Vector3(0, 1, 0) : Vector3(0, -2, 0);
        if (node == 1) joint.rest = decompose(armature());
        scene.joints.edit().push_back(joint);
        return joint.id;
    };
    const JointId hip = add("hip", {}, 1), knee = add("knee", hip, 2), foot = add("foot", knee, 3);

    Mesh mesh;
    mesh.name = "Body";
    mesh.positions = {{0, 0, 0}, {0, -2, 0}, {0, -4, 0}, {0.5f, -4, 0.5f}};
    mesh.skin.joints = {hip, knee, foot};
    for (int joint = 0; joint < 3; ++joint)
        mesh.skin.jointFromMesh.push_back(Affine(Eigen::Translation3d(0, 2.0 * joint, 0)));
    mesh.skin.influenceBegin = {0, 1, 2, 4, 5};
    mesh.skin.influenceJoint = {0, 1, 1, 2, 2};
    mesh.skin.influenceWeight = {1, 1, 0.25f, 0.75f, 1};
    ModelAsset asset;
    asset.source.format = path.endsWith(".gltf") ? "gltf" : "glb";
    asset.source.path = path.toStdString();
    if (const QByteArray bytes = fileBytes(path); !bytes.isEmpty()) asset.source.sha256 = sha256(bytes.toStdString());
    asset.meshes.push_back(std::move(mesh));
    scene.model = std::make_shared<const ModelAsset>(std::move(asset));
    return scene;
}

BakedClip wiggle(const Scene& scene, const std::string& name, int frames, std::mt19937& random)
{
    BakedClip clip;
    clip.name = name;
    clip.fps = scene.fps;
    for (int f = 0; f < frames; ++f) clip.times.push_back(scene.fps.timeOf(f + 12));
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<std::array<double, 6>> wave;
    for (const Joint& joint : *scene.joints) {
        clip.joints.push_back(joint.id);
        clip.isAnimated.push_back(frames > 1);
        wave.push_back(
            {number(random), number(random), number(random), number(random), number(random), number(random)});
    }
    for (int f = 0; f < frames; ++f)
        for (std::size_t j = 0; j < clip.joints.size(); ++j) {
            LocalTransform local = (*scene.joints)[j].rest;
            const auto& w = wave[j];
            const Vector3 axis = Vector3(w[0], w[1], w[2] + 1.1).normalized();
            local.rotation =
                (local.rotation * Quaternion(Eigen::AngleAxisd(3 * std::sin(w[3] + 0.3 * f), axis))).normalized();
            local.translation += 0.1 * Vector3(std::sin(w[4] * f), w[5] * f / frames, 0);
            clip.locals.push_back(local);
            clip.angles.push_back(Vector3::Zero());
        }
    clip.handles.resize(clip.times.size());
    return clip;
}

Scene richScene(std::mt19937& random)
{
    Scene scene;
    std::vector<JointId> ids;
    for (int i = 0; i < 8; ++i) {
        Joint joint;
        joint.id = {scene.takeId()};
        joint.name = "joint " + std::to_string(i);
        if (i % 4 != 0) joint.parent = ids.back();
        joint.rest.translation = {i % 4 == 0 ? i : 0.0, 0.5, 0};
        ids.push_back(joint.id);
        scene.joints.edit().push_back(joint);
    }
    Mesh mesh;
    mesh.name = "grid";
    mesh.material = 0;
    mesh.skin.joints = ids;
    mesh.skin.jointFromMesh.assign(8, Affine(Eigen::Translation3d(0, -0.5, 0)));
    mesh.skin.influenceBegin = {0};
    std::uniform_real_distribution<float> number(0, 1);
    for (int v = 0; v < 64; ++v) {
        mesh.positions.push_back({number(random), number(random), number(random)});
        mesh.normals.push_back({number(random), number(random), 0.1f});
        mesh.textureCoordinates.push_back({number(random), number(random)});
        float sum = 0;
        std::vector<float> weights;
        for (int k = 0; k <= v % 7; ++k) weights.push_back(number(random) + 0.01f), sum += weights.back();
        for (int k = 0; k <= v % 7; ++k) {
            mesh.skin.influenceJoint.push_back(static_cast<std::uint16_t>((v + 3 * k) % 8)); // a joint may come twice
            mesh.skin.influenceWeight.push_back(weights[size_t(k)] / sum);
        }
        mesh.skin.influenceBegin.push_back(static_cast<std::uint32_t>(mesh.skin.influenceJoint.size()));
    }
    for (std::uint32_t i = 0; i + 2 < 64; i += 3) mesh.indices.insert(mesh.indices.end(), {i, i + 1, i + 2});
    mesh.morphTargets.push_back({"smile", 0, std::vector<Eigen::Vector3f>(64, {0, 0.1f, 0}), {}});
    Mesh second = mesh;
    second.name = "bound otherwise";
    second.skin.jointFromMesh.assign(8, Affine::Identity());
    second.textureCoordinates.clear();

    ModelAsset asset;
    asset.meshes = {mesh, second};
    const QByteArray png = tinyPng();
    asset.textures.push_back({"skin", "image/png", {png.begin(), png.end()}});
    asset.textures.push_back({"other", "image/webp", {1, 2, 3}});
    asset.materials.push_back(
        {.name = "paint", .baseColour = {1, 0.5f, 0.2f, 1}, .baseColourTexture = 0, .emissiveTexture = 1});
    asset.meshes[1].material = 0;
    scene.model = std::make_shared<const ModelAsset>(std::move(asset));
    return scene;
}

} // namespace tendon::test

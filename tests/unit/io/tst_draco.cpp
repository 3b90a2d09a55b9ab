#include "core/io/export/AnimationExport.h"
#include "core/io/import/ModelImport.h"
#include "core/io/readback/GltfCheck.h"
#include "core/solve/Baker.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TinyGltf.h"

#include <draco/compression/encode.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <random>

using namespace tendon;
using namespace tendon::test;
using Json = nlohmann::ordered_json;

namespace {

/// Triangles of a strip bound to two joints, plain and compressed.
struct Strip
{
    static constexpr std::size_t kVertices = 60;
    std::vector<float> positions, normals, uv, weights;
    std::vector<std::uint8_t> joints;
    std::vector<std::uint16_t> indices;

    explicit Strip(unsigned seed)
    {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> unit(0, 1);
        for (std::size_t v = 0; v < kVertices; ++v) {
            positions.insert(positions.end(), {float(v % 2), float(v / 2) * 0.1f, unit(random)});
            normals.insert(normals.end(), {0, 0, 1});
            uv.insert(uv.end(), {unit(random), unit(random)});
            const float weight = unit(random);
            weights.insert(weights.end(), {weight, 1 - weight, 0, 0});
            joints.insert(joints.end(), {0, 1, 0, 0});
        }
        for (std::size_t v = 0; v + 2 < kVertices; ++v)
            for (const std::size_t corner : {std::size_t(0), 1 + v % 2, 2 - v % 2})
                indices.push_back(static_cast<std::uint16_t>(v + std::size_t(corner)));
    }

    /// The Draco bytes, without loss, and the unique ids of the attributes in `ids`.
    [[nodiscard]] QByteArray compressed(int method, Json& ids) const
    {
        draco::Mesh mesh;
        mesh.set_num_points(kVertices);
        const auto add = [&](const char* name, draco::GeometryAttribute::Type type, const auto& values,
                             std::int8_t components, draco::DataType number) {
            draco::GeometryAttribute attribute;
            attribute.Init(type, nullptr, components, number, false, components * draco::DataTypeLength(number), 0);
            const int id = mesh.AddAttribute(attribute, true, kVertices);
            for (std::uint32_t v = 0; v < kVertices; ++v)
                mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(v),
                                                      values.data() + v * std::size_t(components));
            ids[name] = mesh.attribute(id)->unique_id();
        };
        add("POSITION", draco::GeometryAttribute::POSITION, positions, 3, draco::DT_FLOAT32);
        add("NORMAL", draco::GeometryAttribute::NORMAL, normals, 3, draco::DT_FLOAT32);
        add("TEXCOORD_0", draco::GeometryAttribute::TEX_COORD, uv, 2, draco::DT_FLOAT32);
        add("JOINTS_0", draco::GeometryAttribute::GENERIC, joints, 4, draco::DT_UINT8);
        add("WEIGHTS_0", draco::GeometryAttribute::GENERIC, weights, 4, draco::DT_FLOAT32);
        for (std::size_t i = 0; i < indices.size(); i += 3)
            mesh.AddFace(
                {draco::PointIndex(indices[i]), draco::PointIndex(indices[i + 1]), draco::PointIndex(indices[i + 2])});
        draco::Encoder encoder;
        encoder.SetEncodingMethod(method);
        draco::EncoderBuffer buffer;
        if (!encoder.EncodeMeshToBuffer(mesh, &buffer).ok()) qFatal("not encoded");
        return {buffer.data(), qsizetype(buffer.size())};
    }

    /// `method` < 0: not compressed.
    [[nodiscard]] TinyGltf model(int method) const
    {
        TinyGltf gltf;
        const int root = gltf.node({{"name", "root"}});
        const int tip = gltf.node({{"name", "tip"}, {"translation", {0, 1.5, 0}}}, root);
        const int index = gltf.integers(indices, "SCALAR", 5123);
        const int mesh = gltf.mesh({{"POSITION", gltf.floats(positions, "VEC3")},
                                    {"NORMAL", gltf.floats(normals, "VEC3")},
                                    {"TEXCOORD_0", gltf.floats(uv, "VEC2")},
                                    {"JOINTS_0", gltf.integers(joints, "VEC4", 5121)},
                                    {"WEIGHTS_0", gltf.floats(weights, "VEC4")}},
                                   index);
        gltf.node({{"name", "body"}, {"mesh", mesh}, {"skin", gltf.skin({root, tip})}});
        gltf.channel(0, tip, "rotation", "LINEAR", {0, 1}, {0, 0, 0, 1, 0.6f, 0, 0, 0.8f});
        if (method < 0) return gltf;
        Json& primitive = gltf.json["meshes"][0]["primitives"][0];
        for (const auto& [name, accessor] : primitive["attributes"].items())
            gltf.json["accessors"][accessor.get<std::size_t>()].erase("bufferView");
        gltf.json["accessors"][std::size_t(index)].erase("bufferView");
        Json ids = Json::object();
        const QByteArray bytes = compressed(method, ids);
        primitive["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", gltf.view(bytes)}, {"attributes", ids}};
        gltf.json["extensionsUsed"] = gltf.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
        return gltf;
    }
};

/// Every corner of every triangle with all that hangs on it, in an order of its own: compression may renumber vertices.
std::vector<std::vector<float>> corners(const Mesh& mesh)
{
    std::vector<std::vector<float>> all;
    for (const std::uint32_t v : mesh.indices) {
        std::vector<float> corner{mesh.positions[v].x(),          mesh.positions[v].y(),
                                  mesh.positions[v].z(),          mesh.normals[v].z(),
                                  mesh.textureCoordinates[v].x(), mesh.textureCoordinates[v].y()};
        for (std::uint32_t i = mesh.skin.influenceBegin[v]; i < mesh.skin.influenceBegin[v + 1]; ++i) {
            corner.push_back(mesh.skin.influenceJoint[i]);
            corner.push_back(mesh.skin.influenceWeight[i]);
        }
        all.push_back(corner);
    }
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace

class TestDraco : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] std::string write(const QByteArray& glb, const char* name = "model.glb") const
    {
        test::writeFile(m_folder.filePath(QString::fromUtf8(name)), glb);
        return m_folder.filePath(QString::fromUtf8(name)).toStdString();
    }

    /// The compressed strip, its animation called `clip`.
    [[nodiscard]] static QByteArray named(const Strip& strip, const std::string& clip)
    {
        TinyGltf gltf = strip.model(draco::MESH_SEQUENTIAL_ENCODING);
        gltf.json["animations"][0]["name"] = clip;
        return gltf.glb();
    }

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void compressedMeshesAreTheSame_data()
    {
        QTest::addColumn<int>("method");
        QTest::newRow("sequential") << int(draco::MESH_SEQUENTIAL_ENCODING);
        QTest::newRow("edgebreaker") << int(draco::MESH_EDGEBREAKER_ENCODING);
    }

    void compressedMeshesAreTheSame()
    {
        QFETCH(int, method);
        const Strip strip(3);
        const auto plain = importModel(write(strip.model(-1).glb())),
                   packed = importModel(write(strip.model(method).glb()));
        QVERIFY2(plain && packed, packed ? "" : packed.error().text().c_str());
        QCOMPARE(packed->scene.model->meshes.size(), std::size_t(1));
        QCOMPARE(packed->scene.model->meshes[0].positions.size(), Strip::kVertices);
        QCOMPARE(corners(packed->scene.model->meshes[0]), corners(plain->scene.model->meshes[0]));
        QCOMPARE(packed->scene.joints->size(), plain->scene.joints->size());
    }

    void damagedDataIsRefusedWithOneLine()
    {
        const TinyGltf good = Strip(4).model(draco::MESH_EDGEBREAKER_ENCODING);
        std::mt19937 random(9);
        int refused = 0;
        for (int i = 0; i < 40; ++i) {
            QByteArray bytes = good.glb();
            const qsizetype at = bytes.indexOf("DRACO", bytes.indexOf("BIN"));
            QVERIFY(at > 0);
            for (int k = 0; k < 4; ++k) bytes[at + 11 + qsizetype(random() % 200)] = char(random());
            const auto model = importModel(write(bytes));
            if (model) continue; // some bytes are numbers only
            ++refused;
            QVERIFY2(model.error().text().find('\n') == std::string::npos, model.error().text().c_str());
        }
        QVERIFY(refused > 0);
        TinyGltf other = good;
        other.json["accessors"][1]["count"] = 59;
        const auto model = importModel(write(other.glb()));
        QVERIFY(!model && model.error().text().find("Draco") != std::string::npos);
    }

    void patchedExportsKeepTheCompressedBytes()
    {
        const TinyGltf gltf = Strip(5).model(draco::MESH_SEQUENTIAL_ENCODING);
        const auto model = importModel(write(gltf.glb(), "source.glb"));
        QVERIFY(model);
        SolverRegistry none;
        const Clip& clip = *model->scene.clips.front();
        const auto baked = bake(
            model->scene, none,
            {.clip = clip.id, .fps = model->scene.fps, .from = clip.begin(), .to = clip.end(), .progress = {}});
        QVERIFY(baked);
        const auto report = exportAnimation(model->scene, {*baked}, m_folder.filePath("out.glb").toStdString(), {});
        QVERIFY2(report, report ? "" : report.error().text().c_str());
        QVERIFY(report->readBack.isWithin());
        QCOMPARE(report->readBack.vertices, std::int64_t(Strip::kVertices)); // decoded and compared, each of them
        QVERIFY(report->readBack.vertexError < 1e-5 * report->readBack.radius);
        QFile file(m_folder.filePath("out.glb"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains(gltf.binary()));
        const auto again = importModel(m_folder.filePath("out.glb").toStdString());
        QVERIFY(again);
        QCOMPARE(corners(again->scene.model->meshes[0]), corners(model->scene.model->meshes[0]));
        // Written anew, the mesh is decoded.
        const auto fbx = exportAnimation(model->scene, {*baked}, m_folder.filePath("out.fbx").toStdString(), {});
        QVERIFY(fbx && fbx->readBack.isWithin());
        QCOMPARE(fbx->readBack.vertices, std::int64_t(Strip::kVertices));
    }

    /// Reading back sees what is inside: other compressed vertices under the same skeleton and clip are found.
    void changedVerticesInTheCompressedBytesAreFound()
    {
        const auto model = importModel(write(Strip(7).model(draco::MESH_SEQUENTIAL_ENCODING).glb(), "one.glb"));
        QVERIFY(model);
        SolverRegistry none;
        const Clip& clip = *model->scene.clips.front();
        const auto baked = bake(
            model->scene, none,
            {.clip = clip.id, .fps = model->scene.fps, .from = clip.begin(), .to = clip.end(), .progress = {}});
        QVERIFY(baked);
        Strip bent(7);
        bent.positions[3 * 41 + 2] += 0.25f; // one vertex
        Issues issues;
        std::map<JointId, std::size_t> nodes;
        for (const Joint& joint : *model->scene.joints) nodes[joint.id] = static_cast<std::size_t>(joint.sourceNode);
        const auto check = [&](const QByteArray& glb) {
            return checkGltf(write(glb, "other.glb"), {model->scene, {*baked}}, {nodes}, issues);
        };
        const auto same = check(named(Strip(7), clip.name)), other = check(named(bent, clip.name));
        QVERIFY2(same && same->isWithin(), same ? "" : same.error().text().c_str());
        QVERIFY(other && !other->isWithin());
        QVERIFY2(std::abs(other->vertexError - 0.25) < 1e-3, qPrintable(QString::number(other->vertexError)));
        QByteArray damaged = named(Strip(7), clip.name);
        damaged[damaged.indexOf("DRACO", damaged.indexOf("BIN"))] = 'X';
        const auto lost = check(damaged);
        QVERIFY(lost && !lost->isWithin());
        QCOMPARE(lost->missing.size(), std::size_t(1));
    }

    void anEmbeddedModelStaysCompressed()
    {
        const auto path = write(Strip(6).model(draco::MESH_EDGEBREAKER_ENCODING).glb());
        ImportOptions options;
        options.embed = true;
        const auto model = importModel(path, options);
        QVERIFY(model);
        QVERIFY(qint64(model->scene.model->source.embedded->size()) < QFile(QString::fromStdString(path)).size() + 200);
    }
};

TENDON_TEST(TestDraco)
#include "tst_draco.moc"

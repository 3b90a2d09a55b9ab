#include "core/io/export/AnimationExport.h"
#include "core/io/import/ModelImport.h"
#include "core/io/readers/meshopt/MeshoptView.h"
#include "core/solve/Baker.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TinyGltf.h"

#include <meshoptimizer.h>

#include <QFile>
#include <QTemporaryDir>

#include <cmath>
#include <random>

using namespace tendon;
using namespace tendon::test;
using Json = nlohmann::ordered_json;

namespace {

/// A strip bound to two joints, with one clip.
TinyGltf strip()
{
    constexpr int kVertices = 60;
    std::mt19937 random(3);
    std::uniform_real_distribution<float> unit(0, 1);
    std::vector<float> positions, weights;
    std::vector<std::uint8_t> joints;
    std::vector<std::uint16_t> indices;
    for (int v = 0; v < kVertices; ++v) {
        positions.insert(positions.end(), {float(v % 2), float(v / 2) * 0.1f, unit(random)});
        const float weight = unit(random);
        weights.insert(weights.end(), {weight, 1 - weight, 0, 0});
        joints.insert(joints.end(), {0, 1, 0, 0});
        if (v >= 2)
            for (const int corner : {v - 2, v % 2 ? v : v - 1, v % 2 ? v - 1 : v})
                indices.push_back(static_cast<std::uint16_t>(corner));
    }
    TinyGltf gltf;
    const int root = gltf.node({{"name", "root"}});
    const int tip = gltf.node({{"name", "tip"}, {"translation", {0, 1.5, 0}}}, root);
    const int index = gltf.integers(indices, "SCALAR", 5123);
    const int mesh = gltf.mesh({{"POSITION", gltf.floats(positions, "VEC3")},
                                {"JOINTS_0", gltf.integers(joints, "VEC4", 5121)},
                                {"WEIGHTS_0", gltf.floats(weights, "VEC4")}},
                               index);
    gltf.node({{"name", "body"}, {"mesh", mesh}, {"skin", gltf.skin({root, tip})}});
    gltf.channel(0, tip, "rotation", "LINEAR", {0, 1}, {0, 0, 0, 1, 0.6f, 0, 0, 0.8f});
    return gltf;
}

/// The same file, its views compressed without loss and without bytes to fall back on.
TinyGltf compressed(const TinyGltf& plain)
{
    TinyGltf packed = plain;
    const QByteArray bytes = plain.binary();
    for (const Json& accessor : plain.json["accessors"]) {
        const std::string type = accessor["type"];
        const std::size_t number = accessor["componentType"] == 5126 ? 4 : accessor["componentType"] == 5123 ? 2 : 1;
        const std::size_t components = type == "SCALAR" ? 1 : type == "MAT4" ? 16 : std::stoul(type.substr(3));
        const std::size_t stride = number * components, count = accessor["count"];
        const auto view = accessor["bufferView"].get<std::size_t>();
        const char* from = bytes.constData() + plain.json["bufferViews"][view].value("byteOffset", std::size_t(0));
        const bool isIndex = number == 2;
        std::vector<std::uint8_t> out(isIndex ? meshopt_encodeIndexBufferBound(count, 100)
                                              : meshopt_encodeVertexBufferBound(count, stride));
        if (isIndex) {
            std::vector<unsigned> wide(count);
            for (std::size_t i = 0; i < count; ++i) wide[i] = reinterpret_cast<const std::uint16_t*>(from)[i];
            out.resize(meshopt_encodeIndexBuffer(out.data(), out.size(), wide.data(), count));
        } else {
            out.resize(meshopt_encodeVertexBuffer(out.data(), out.size(), from, count, stride));
        }
        const int added = packed.view({reinterpret_cast<const char*>(out.data()), qsizetype(out.size())});
        const Json where = packed.json["bufferViews"][std::size_t(added)];
        packed.json["bufferViews"][view] = {{"buffer", 1},
                                            {"byteLength", count * stride},
                                            {"extensions",
                                             {{"EXT_meshopt_compression",
                                               {{"buffer", 0},
                                                {"byteOffset", where["byteOffset"]},
                                                {"byteLength", out.size()},
                                                {"byteStride", stride},
                                                {"count", count},
                                                {"mode", isIndex ? "TRIANGLES" : "ATTRIBUTES"}}}}}};
    }
    return packed;
}

/// With the buffer that has no bytes, as the file is written.
QByteArray glbOf(TinyGltf packed)
{
    packed.json["extensionsUsed"] = packed.json["extensionsRequired"] = {"EXT_meshopt_compression"};
    packed.furtherBuffers.push_back(
        {{"byteLength", 1 << 20}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}});
    return packed.glb();
}

} // namespace

class TestMeshopt : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] std::string write(const QByteArray& glb, const char* name) const
    {
        test::writeFile(m_folder.filePath(QString::fromUtf8(name)), glb);
        return m_folder.filePath(QString::fromUtf8(name)).toStdString();
    }

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void aCompressedFileIsTheSameModel()
    {
        const auto plain = importModel(write(strip().glb(), "plain.glb"));
        ImportOptions embedding;
        embedding.embed = true;
        const std::string path = write(glbOf(compressed(strip())), "packed.glb");
        for (const ImportOptions& options : {ImportOptions{}, embedding}) {
            const auto packed = importModel(path, options);
            QVERIFY2(plain && packed, packed ? "" : packed.error().text().c_str());
            const Mesh &a = plain->scene.model->meshes[0], &b = packed->scene.model->meshes[0];
            QVERIFY(a.positions == b.positions && a.skin.influenceWeight == b.skin.influenceWeight);
            QCOMPARE(a.indices.size(), b.indices.size()); // triangles may begin with another corner
            QCOMPARE(packed->scene.joints->size(), std::size_t(2));
            QVERIFY(packed->scene.clips[0]->channels.size() == plain->scene.clips[0]->channels.size());
        }
    }

    void aPatchedExportKeepsTheCompressedBytesAndIsReadBack()
    {
        const TinyGltf gltf = compressed(strip());
        const auto model = importModel(write(glbOf(gltf), "source.glb"));
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
        QCOMPARE(report->readBack.vertices, std::int64_t(60)); // decoded and compared, each of them
        QFile file(m_folder.filePath("out.glb"));
        QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains(gltf.binary()));
        QVERIFY(importModel(m_folder.filePath("out.glb").toStdString()));
    }

    void filtersAreApplied()
    {
        const float turns[] = {0.6f, 0, 0, 0.8f, 0, -0.28f, 0.96f, 0};
        std::int16_t packed[8];
        meshopt_encodeFilterQuat(packed, 2, 8, 16, turns);
        std::vector<std::uint8_t> bytes(meshopt_encodeVertexBufferBound(2, 8));
        bytes.resize(meshopt_encodeVertexBuffer(bytes.data(), bytes.size(), packed, 2, 8));
        const auto read = decodeMeshopt(bytes, {.count = 2, .stride = 8, .mode = "ATTRIBUTES", .filter = "QUATERNION"},
                                        1000);
        QVERIFY(read);
        for (int turn = 0; turn < 2; ++turn) {
            double dot = 0; // a quaternion and its negative are one turn
            for (int i = 0; i < 4; ++i)
                dot += turns[4 * turn + i] * reinterpret_cast<const std::int16_t*>(read->data())[4 * turn + i] /
                       32767.0;
            QVERIFY(std::abs(std::abs(dot) - 1) < 1e-3);
        }
    }

    void whatCannotBeDecodedIsRefused_data()
    {
        QTest::addColumn<QByteArray>("member");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("past the end") << QByteArray("byteLength") << QByteArray("100000000");
        QTest::newRow("mode") << QByteArray("mode") << QByteArray("\"SECRET\"");
        QTest::newRow("filter") << QByteArray("filter") << QByteArray("\"NOISE\"");
        QTest::newRow("stride") << QByteArray("byteStride") << QByteArray("7");
        QTest::newRow("count") << QByteArray("count") << QByteArray("9007199254740991");
        QTest::newRow("buffer") << QByteArray("buffer") << QByteArray("9");
        QTest::newRow("cut short") << QByteArray("byteLength") << QByteArray("20");
    }

    void whatCannotBeDecodedIsRefused()
    {
        QFETCH(QByteArray, member);
        QFETCH(QByteArray, value);
        TinyGltf gltf = compressed(strip());
        gltf.json["bufferViews"][1]["extensions"]["EXT_meshopt_compression"][member.toStdString()] = Json::parse(
            value.toStdString());
        const auto model = importModel(write(glbOf(gltf), "bad.glb"));
        QVERIFY(!model);
        QVERIFY2(model.error().text().find("bufferView 1") != std::string::npos, model.error().text().c_str());
    }

    void damagedBytesHarmNothing()
    {
        const TinyGltf gltf = compressed(strip());
        const QByteArray whole = gltf.binary();
        const Json packed = gltf.json["bufferViews"][1]["extensions"]["EXT_meshopt_compression"];
        const auto begin = packed["byteOffset"].get<std::size_t>(), size = packed["byteLength"].get<std::size_t>();
        std::mt19937 random(8);
        for (int i = 0; i < 2000; ++i) {
            std::vector<std::uint8_t> bytes(whole.begin() + qsizetype(begin), whole.begin() + qsizetype(begin + size));
            bytes[random() % size] ^= std::uint8_t(1 << (random() % 8));
            bytes.resize(1 + random() % size);
            const auto read = decodeMeshopt(bytes, {.count = 60, .stride = 12, .mode = "ATTRIBUTES"}, 1000);
            QVERIFY(!read || read->size() == 720u);
        }
    }
};

TENDON_TEST(TestMeshopt)
#include "tst_meshopt.moc"

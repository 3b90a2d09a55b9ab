#include "core/io/import/ModelImport.h"
#include "core/io/readers/fbx/FbxContent.h"
#include "core/scene/RestPose.h"
#include "tests/support/TestProgram.h"

#include <QFile>
#include <QTemporaryDir>

#include <numbers>

using namespace tendon;

namespace {

constexpr double kTicks = 46'186'158'000;
constexpr double kQuarter = std::numbers::pi / 2;

/// A text FBX file, object by object.
class FbxText
{
public:
    /// A node below `parent` (0 = the scene); `properties` as in property().
    void model(int id, const char* name, const char* kind, int parent, const QByteArray& properties)
    {
        m_objects += "\tModel: " + QByteArray::number(id) + ", \"Model::" + name + "\", \"" + kind +
                     "\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n" + properties + "\t\t}\n\t}\n";
        connect(id, parent);
    }
    static QByteArray property(const char* name, const QByteArray& values)
    {
        return QByteArray("\t\t\tP: \"") + name + "\", \"\", \"\", \"A\"," + values + "\n";
    }
    void object(const char* kind, int id, const char* name, const char* subtype, const QByteArray& body)
    {
        m_objects += QByteArray("\t") + kind + ": " + QByteArray::number(id) + ", \"" + name + "\", \"" + subtype +
                     "\" {\n" + body + "\t}\n";
    }
    static QByteArray array(const char* name, const QList<double>& values)
    {
        QByteArray text = QByteArray("\t\t") + name + ": *" + QByteArray::number(values.size()) + " {\n\t\t\ta: ";
        for (qsizetype i = 0; i < values.size(); ++i)
            text += (i > 0 ? "," : "") + QByteArray::number(values[i], 'g', 17);
        return text + "\n\t\t}\n";
    }
    void connect(int child, int parent)
    {
        m_links += "\tC: \"OO\"," + QByteArray::number(child) + "," + QByteArray::number(parent) + "\n";
    }
    void connect(int child, int parent, const char* property)
    {
        m_links += "\tC: \"OP\"," + QByteArray::number(child) + "," + QByteArray::number(parent) + ", \"" + property +
                   "\"\n";
    }

    /// A take from 0 s to `stop` with a layer `layer`.
    void take(int stack, int layer, double stop, const QByteArray& layerProperties = {})
    {
        object("AnimationStack", stack, "AnimStack::Take", "",
               "\t\tProperties70:  {\n\t\t\tP: \"LocalStop\", \"KTime\", \"Time\", \"\"," +
                   QByteArray::number(qint64(stop * kTicks)) + "\n\t\t}\n");
        addLayer(stack, layer, layerProperties);
    }
    void addLayer(int stack, int layer, const QByteArray& properties)
    {
        object("AnimationLayer", layer, "AnimLayer::L", "", "\t\tProperties70:  {\n" + properties + "\t\t}\n");
        connect(layer, stack);
    }
    /// Keys on x of a property; flags 4: straight, 1032: the slopes in `data` (leaving and arriving at the next, a
    /// second).
    void curve(int id, int layer, int model, const char* property, const char* axis, const QList<double>& seconds,
               const QList<double>& values, int flags = 4, QList<double> data = {0, 0, 0, 0})
    {
        object("AnimationCurveNode", id, "AnimCurveNode::T", "", "");
        connect(id, layer);
        connect(id, model, property);
        QList<double> ticks;
        for (const double second : seconds) ticks.append(second * kTicks);
        object("AnimationCurve", id + 1, "AnimCurve::", "",
               array("KeyTime", ticks) + array("KeyValueFloat", values) + array("KeyAttrFlags", {double(flags)}) +
                   array("KeyAttrDataFloat", data) + array("KeyAttrRefCount", {double(seconds.size())}));
        connect(id + 1, id, axis);
    }

    [[nodiscard]] QByteArray bytes() const
    {
        return "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n"
               "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n\t\tP: \"UnitScaleFactor\", \"double\", "
               "\"Number\", \"\",100\n"
               "\t\tP: \"TimeMode\", \"enum\", \"\", \"\",6\n\t}\n}\nObjects:  {\n" +
               m_objects + "}\nConnections:  {\n" + m_links + "}\n";
    }

    [[nodiscard]] fbx::Content content() const
    {
        const QByteArray text = bytes();
        auto read = fbx::readContent(
            {reinterpret_cast<const std::uint8_t*>(text.constData()), std::size_t(text.size())});
        if (!read) qFatal("%s", read.error().text().c_str());
        return std::move(*read);
    }

private:
    QByteArray m_objects, m_links;
};

const SourceChannel& channelOf(const fbx::Content& content, int node, SourcePath path)
{
    for (const SourceChannel& channel : content.animations.at(0).channels)
        if (channel.node == node && channel.path == path) return channel;
    qFatal("no such channel");
}

/// Where a channel's x is at a time, straight between keys.
double xAt(const SourceChannel& channel, double seconds)
{
    std::size_t k = 0;
    while (k + 2 < channel.times.size() && channel.times[k + 1] <= seconds) ++k;
    const double share = std::clamp((seconds - channel.times[k]) / (channel.times[k + 1] - channel.times[k]), 0.0, 1.0);
    return channel.values[3 * k] + share * (channel.values[3 * k + 3] - channel.values[3 * k]);
}

Affine worldOf(const fbx::Content& content, std::int32_t node)
{
    Affine world = Affine::Identity();
    for (; node >= 0; node = content.nodes[static_cast<std::size_t>(node)].parent)
        world = content.nodes[static_cast<std::size_t>(node)].rest.parentFromJoint() * world;
    return world;
}

} // namespace

class TestFbxReading : public QObject
{
    Q_OBJECT

private slots:
    /// Of cameras 16 : 9, film 36 mm x 24 mm, focal length 50 mm, fields of view 40 (as told), 50 (x), 30 (y) degrees.
    void theApertureModeDecidesACamerasFieldOfView_data()
    {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<double>("tangent"); // of half the angle
        const auto property = &FbxText::property;
        const double degree = std::numbers::pi / 180;
        QTest::newRow("both sides") << property("ApertureMode", "0") << std::tan(15 * degree);
        QTest::newRow("horizontal") << property("ApertureMode", "1") << std::tan(20 * degree) * 9 / 16;
        QTest::newRow("vertical") << property("ApertureMode", "2") << std::tan(20 * degree);
        QTest::newRow("focal length") << property("ApertureMode", "3") << 12.0 / 50;
        QTest::newRow("focal length, by the width")
            << property("ApertureMode", "3") + property("GateFit", "2") << 18.0 / 50 * 9 / 16;
    }
    void theApertureModeDecidesACamerasFieldOfView()
    {
        QFETCH(QByteArray, mode);
        QFETCH(double, tangent);
        FbxText file;
        const auto property = &FbxText::property;
        file.model(1, "eye", "Camera", 0, property("Lcl Rotation", "0,0,90"));
        file.object(
            "NodeAttribute", 2, "NodeAttribute::eye", "Camera",
            "\t\tProperties70:  {\n" + mode + property("AspectWidth", "1920") + property("AspectHeight", "1080") +
                property("FilmWidth", QByteArray::number(36 / 25.4, 'g', 17)) +
                property("FilmHeight", QByteArray::number(24 / 25.4, 'g', 17)) + property("FocalLength", "50") +
                property("FieldOfView", "40") + property("FieldOfViewX", "50") + property("FieldOfViewY", "30") +
                property("NearPlane", "0.5") + property("FarPlane", "200") + "\t\t}\n");
        file.connect(2, 1);
        const fbx::Content content = file.content();
        QCOMPARE(content.cameras.size(), std::size_t(1));
        const ModelCamera& camera = content.cameras[0].camera;
        QVERIFY2(std::abs(std::tan(camera.fieldOfView / 2) - tangent) < 1e-9,
                 QByteArray::number(camera.fieldOfView).constData());
        QVERIFY(camera.nearPlane == 0.5 && camera.farPlane == 200 && std::abs(camera.aspect - 16.0 / 9) < 1e-12);
        const Affine world = worldOf(content, content.cameras[0].node) * camera.mount.jointFromMount;
        QVERIFY((world.linear() * -Vector3::UnitZ() - Vector3::UnitY()).norm() <
                1e-12); // +X of its node, turned upwards
        QVERIFY((world.linear() * Vector3::UnitY() + Vector3::UnitX()).norm() < 1e-12);
    }

    void lightsPointDownTheirNodeAndAreaLightsAreLeftOut()
    {
        FbxText file;
        const auto property = &FbxText::property;
        file.model(1, "lamp", "Light", 0, property("Lcl Rotation", "0,0,90"));
        file.object("NodeAttribute", 2, "NodeAttribute::lamp", "Light",
                    "\t\tProperties70:  {\n" + property("LightType", "2") + property("Color", "1,0.5,0.25") +
                        property("Intensity", "250") + property("InnerAngle", "20") + property("OuterAngle", "60") +
                        property("EnableFarAttenuation", "1") + property("FarAttenuationEnd", "8") + "\t\t}\n");
        file.connect(2, 1);
        file.model(3, "window", "Light", 0, "");
        file.object("NodeAttribute", 4, "NodeAttribute::window", "Light",
                    "\t\tProperties70:  {\n" + property("LightType", "3") + "\t\t}\n");
        file.connect(4, 3);
        const fbx::Content content = file.content();
        QCOMPARE(content.lights.size(), std::size_t(1));
        const ModelLight& lamp = content.lights[0].light;
        const double degree = std::numbers::pi / 180;
        QVERIFY(lamp.kind == ModelLight::Kind::Spot && lamp.name == "lamp");
        QVERIFY(std::abs(lamp.innerCone - 10 * degree) < 1e-12 && std::abs(lamp.outerCone - 30 * degree) < 1e-12);
        QVERIFY(lamp.intensity == 2.5 && lamp.range == 8 && lamp.colour == Eigen::Vector3f(1, 0.5f, 0.25f));
        const Affine world = worldOf(content, content.lights[0].node) * lamp.mount.jointFromMount;
        QVERIFY((world.linear() * -Vector3::UnitZ() - Vector3::UnitX()).norm() < 1e-12); // -Y of its node, turned to +X
        QVERIFY(std::any_of(content.issues.begin(), content.issues.end(),
                            [](const Issue& issue) { return issue.where == "light window"; }));
    }

    /// What each way of taking a parent's scale on makes of a node turned a right angle about z below one scaled 2,
    /// 3, 5.
    void scalesAreInheritedAsTheNodeSays_data()
    {
        QTest::addColumn<int>("inheritType");
        QTest::addColumn<QList<double>>("lengths"); // of the node's own axes in the world
        QTest::newRow("axis by axis") << 0 << QList<double>{2, 3, 5};
        QTest::newRow("as matrices") << 1 << QList<double>{3, 2, 5};
        QTest::newRow("without the parent's own") << 2 << QList<double>{1, 1, 1};
    }
    void scalesAreInheritedAsTheNodeSays()
    {
        QFETCH(int, inheritType);
        QFETCH(QList<double>, lengths);
        FbxText file;
        file.model(1, "above", "LimbNode", 0,
                   FbxText::property("InheritType", "1") + FbxText::property("Lcl Scaling", "2,3,5"));
        file.model(2, "below", "LimbNode", 1,
                   FbxText::property("InheritType", QByteArray::number(inheritType)) +
                       FbxText::property("Lcl Translation", "1,1,1") + FbxText::property("Lcl Rotation", "0,0,90"));
        const Affine world = worldOf(file.content(), 1);
        QVERIFY(world.translation().isApprox(Vector3(2, 3, 5), 1e-12)); // places scale in any case
        for (int axis = 0; axis < 3; ++axis) QCOMPARE(world.linear().col(axis).norm(), lengths[axis]);
        QVERIFY(world.linear().col(0).normalized().isApprox(Vector3::UnitY(), 1e-12));
    }

    /// T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1 for a point, step by step.
    void pivotsAndOffsetsApplyInOrder()
    {
        FbxText file;
        file.model(1, "joint", "LimbNode", 0,
                   FbxText::property("RotationActive", "1") + FbxText::property("RotationOrder", "5") + // ZYX
                       FbxText::property("Lcl Translation", "1,2,3") + FbxText::property("Lcl Rotation", "10,20,30") +
                       FbxText::property("Lcl Scaling", "2,3,4") + FbxText::property("PreRotation", "40,50,60") +
                       FbxText::property("PostRotation", "15,25,35") +
                       FbxText::property("RotationOffset", "0.1,0.2,0.3") +
                       FbxText::property("RotationPivot", "1,0,2") + FbxText::property("ScalingOffset", "0.4,0.5,0.6") +
                       FbxText::property("ScalingPivot", "0,3,1"));
        const auto turn = [](double x, double y, double z) { // about x, then y, then z
            const double d = std::numbers::pi / 180;
            return Quaternion(Eigen::AngleAxisd(z * d, Vector3::UnitZ()) * Eigen::AngleAxisd(y * d, Vector3::UnitY()) *
                              Eigen::AngleAxisd(x * d, Vector3::UnitX()));
        };
        const double d = std::numbers::pi / 180;
        const Quaternion own(Eigen::AngleAxisd(10 * d, Vector3::UnitX()) * Eigen::AngleAxisd(20 * d, Vector3::UnitY()) *
                             Eigen::AngleAxisd(30 * d, Vector3::UnitZ()));
        const Vector3 point(7, -5, 11);
        Vector3 p = point - Vector3(0, 3, 1);
        p = p.cwiseProduct(Vector3(2, 3, 4)) + Vector3(0, 3, 1) + Vector3(0.4, 0.5, 0.6);
        p = turn(40, 50, 60) * (own * (turn(15, 25, 35).conjugate() * (p - Vector3(1, 0, 2))));
        p += Vector3(1, 0, 2) + Vector3(0.1, 0.2, 0.3) + Vector3(1, 2, 3);
        QVERIFY((worldOf(file.content(), 0) * point).isApprox(p, 1e-12));
    }

    void cubicCurvesAreFollowedBetweenTheirKeys()
    {
        FbxText file;
        file.model(1, "joint", "LimbNode", 0, {});
        file.take(10, 11, 2);
        file.curve(20, 11, 1, "Lcl Translation", "d|X", {0, 2}, {0, 8}, 8 | 0x400,
                   {3, -1, 0, 0}); // leaves at 3, arrives at -1 a second
        const fbx::Content content = file.content();
        const SourceChannel& channel = channelOf(content, 0, SourcePath::Translation);
        for (const double t : {0.0, 0.5, 1.0, 1.5, 2.0}) { // Hermite: both slopes, times the 2 s between
            const double u = t / 2;
            const double expected = (2 * u * u * u - 3 * u * u + 1) * 0 + (u * u * u - 2 * u * u + u) * 6 +
                                    (3 * u * u - 2 * u * u * u) * 8 + (u * u * u - u * u) * -2;
            QVERIFY2(std::abs(xAt(channel, t) - expected) < 1e-6, qPrintable(QString::number(t)));
        }
    }

    void takesLastAsLongAsTheKeysWithinTheirSpan()
    {
        FbxText file;
        file.model(1, "joint", "LimbNode", 0, {});
        file.take(10, 11, 1.5);
        file.curve(20, 11, 1, "Lcl Translation", "d|X", {-1, 0.5, 3}, {0, 6, 1});
        const fbx::Content content = file.content();
        const SourceChannel& channel = channelOf(content, 0, SourcePath::Translation);
        QCOMPARE(channel.times.front(), 0.0); // where the take begins, amid two keys
        QCOMPARE(channel.values.front(), 4.0);
        QCOMPARE(channel.times.back(), 1.5);
        QCOMPARE(channel.values[channel.values.size() - 3], 4.0);
    }

    void layersAddUpByTheirWeight()
    {
        FbxText file;
        file.model(1, "joint", "LimbNode", 0, FbxText::property("Lcl Translation", "5,7,0"));
        file.take(10, 11, 1);
        file.addLayer(10, 12, FbxText::property("Weight", "50"));
        file.curve(20, 11, 1, "Lcl Translation", "d|X", {0, 1}, {1, 3});
        file.curve(30, 12, 1, "Lcl Translation", "d|X", {0, 1}, {10, 20});
        const fbx::Content content = file.content();
        const SourceChannel& channel = channelOf(content, 0, SourcePath::Translation);
        QCOMPARE(channel.values.front(), 1 + 0.5 * 10);
        QCOMPARE(xAt(channel, 1), 3 + 0.5 * 20);
    }

    void nodesBelowAnAnimatedScaleInheritItAsTheySay()
    {
        FbxText file;
        file.model(1, "above", "LimbNode", 0, {});
        file.model(2, "below", "LimbNode", 1,
                   FbxText::property("InheritType", "2") + FbxText::property("Lcl Translation", "1,0,0"));
        file.take(10, 11, 1);
        file.curve(20, 11, 1, "Lcl Scaling", "d|X", {0, 1}, {1, 4});
        const fbx::Content content = file.content();
        const SourceChannel& above = channelOf(content, 0, SourcePath::Scale);
        const SourceChannel& below = channelOf(content, 1, SourcePath::Scale);
        for (const double t : {0.0, 0.5, 1.0}) QVERIFY(std::abs(xAt(above, t) * xAt(below, t) - 1) < 0.02);
        QVERIFY(std::abs(xAt(above, 1) * xAt(below, 1) - 1) < 1e-12);
    }

    /// A triangle below a node with a geometric transform: it stands there, what hangs below the node does not feel it.
    void geometricTransformsMoveOnlyTheMesh_data()
    {
        QTest::addColumn<bool>("isSkinned");
        QTest::newRow("rigid") << false;
        QTest::newRow("skinned") << true;
    }
    void geometricTransformsMoveOnlyTheMesh()
    {
        QFETCH(bool, isSkinned);
        FbxText file;
        file.model(1, "joint", "LimbNode", 0, FbxText::property("Lcl Translation", "0,1,0"));
        file.model(2, "body", "Mesh", 0,
                   FbxText::property("Lcl Translation", "10,0,0") + FbxText::property("GeometricTranslation", "0,0,3") +
                       FbxText::property("GeometricRotation", "0,0,90"));
        file.model(3, "tip", "LimbNode", 2, FbxText::property("Lcl Translation", "1,0,0"));
        file.object("Geometry", 4, "Geometry::body", "Mesh",
                    FbxText::array("Vertices", {0, 0, 0, 1, 0, 0, 0, 1, 0}) +
                        FbxText::array("PolygonVertexIndex", {0, 1, -3}) + "\t\tGeometryVersion: 124\n");
        file.connect(4, 2);
        if (isSkinned) {
            file.object("Deformer", 5, "Deformer::", "Skin", "\t\tVersion: 101\n");
            file.connect(5, 4);
            // From the mesh's node (x = 10) to the joint (y = 1).
            file.object("Deformer", 6, "SubDeformer::", "Cluster",
                        "\t\tVersion: 100\n" + FbxText::array("Indexes", {0, 1, 2}) +
                            FbxText::array("Weights", {1, 1, 1}) +
                            FbxText::array("Transform", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, -1, 0, 1}) +
                            FbxText::array("TransformLink", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1}));
            file.connect(6, 5);
            file.connect(1, 6);
        }
        const QTemporaryDir folder;
        const QString path = folder.filePath("body.fbx");
        QFile out(path);
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(file.bytes()) > 0);
        out.close();
        const auto model = importModel(path.toStdString());
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        QCOMPARE(model->scene.model->meshes.size(), std::size_t{1});
        const Mesh& mesh = model->scene.model->meshes[0];
        QCOMPARE(mesh.skin.isRigid(), !isSkinned);
        Affine world = mesh.skin.worldFromMesh;
        if (!mesh.skin.joints.empty()) {
            const Joint* joint = model->scene.find(mesh.skin.joints[0]);
            QVERIFY(!joint->parent.isValid());
            world = joint->rest.parentFromJoint() * mesh.skin.jointFromMesh[0];
        }
        const Vector3 corner = world * mesh.positions[mesh.indices[1]].cast<double>(); // turned from x to y, then moved
        QVERIFY(corner.isApprox(Vector3(10, 1, 3), 1e-6));
        ImportOptions embedding;
        embedding.embed = true;
        const auto kept = importModel(path.toStdString(), embedding);
        QVERIFY(kept);
        const ModelSource& source = kept->scene.model->source;
        QCOMPARE(source.format, std::string("fbx"));
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(source.embedded->data()), qsizetype(source.embedded->size())),
                 file.bytes());
        ModelAsset moved = *kept->scene.model;
        moved.source.path = "gone.fbx";
        Issues issues;
        QVERIFY(reloadModel(moved, *kept->scene.joints, issues)); // from the bytes alone
        const auto tip = model->scene.jointNamed("tip");
        QVERIFY(tip);
        QVERIFY(model->scene.find(*tip)->rest.translation.isApprox(Vector3(11, 0, 0), 1e-12));
    }

    void morphsFollowTheirPercentage()
    {
        FbxText file;
        file.model(2, "body", "Mesh", 0, {});
        file.object("Geometry", 4, "Geometry::body", "Mesh", "");
        file.connect(4, 2);
        file.object("Deformer", 5, "Deformer::", "BlendShape", "");
        file.connect(5, 4);
        file.object("Deformer", 6, "SubDeformer::smile", "BlendShapeChannel",
                    "\t\tDeformPercent: 55\n" + FbxText::array("FullWeights", {40, 100}));
        file.connect(6, 5);
        for (const int shape : {7, 8}) { // one on the way to the other
            file.object("Geometry", shape, "Geometry::", "Shape", "");
            file.connect(shape, 6);
        }
        file.take(10, 11, 1);
        file.curve(20, 11, 6, "DeformPercent", "d|DeformPercent", {0, 1}, {20, 70});
        const fbx::Content content = file.content();
        QCOMPARE(content.nodes[0].shapeWeights, (std::vector<double>{0.75, 0.25}));
        const auto& morphs = content.animations.at(0).morphs;
        QCOMPARE(morphs.size(), std::size_t{2});
        QCOMPARE(morphs[0].target, 0);
        QCOMPARE(morphs[0].weights.front(), 0.5); // half way to 40 %
        QCOMPARE(morphs[1].weights.front(), 0.0);
        QCOMPARE(morphs[0].weights.back(), 0.5); // half way from 40 to 100 %
        QCOMPARE(morphs[1].weights.back(), 0.5);
    }

    /// A node turned a quarter below one that is stretched, which it does not take on: no chain of matrices says that.
    void nonUniformScalesAboveRotatedNodesAreKeptOnLeaves()
    {
        FbxText file;
        file.model(1, "above", "LimbNode", 0, FbxText::property("Lcl Scaling", "2,1,1"));
        file.model(2, "below", "LimbNode", 1,
                   FbxText::property("InheritType", "2") + FbxText::property("Lcl Translation", "1,1,0") +
                       FbxText::property("Lcl Rotation", "0,0,45") + FbxText::property("Lcl Scaling", "1,3,1"));
        file.model(3, "tip", "LimbNode", 2,
                   FbxText::property("InheritType", "2") + FbxText::property("Lcl Translation", "0,1,0"));
        file.take(10, 11, 1);
        file.curve(20, 11, 1, "Lcl Scaling", "d|X", {0, 1}, {2, 4});
        const fbx::Content content = file.content();
        QCOMPARE(content.ownNodes, std::size_t{3});
        QVERIFY(content.issues.empty());
        const Affine below = worldOf(content, content.leafOf.at(1)), tip = worldOf(content, content.leafOf.at(2));
        const Affine turn(Eigen::AngleAxisd(kQuarter / 2, Vector3::UnitZ()));
        QVERIFY(below.isApprox(Eigen::Translation3d(2, 1, 0) * turn * Eigen::Scaling(1.0, 3.0, 1.0), 1e-12));
        QVERIFY(
            tip.isApprox(Eigen::Translation3d(below * Vector3(0, 1, 0)) * turn, 1e-12)); // it does not take the 3 on
        QVERIFY(worldOf(content, 2).translation().isApprox(tip.translation(), 1e-12));
        const SourceChannel& place = channelOf(content, 1,
                                               SourcePath::Translation); // moves as what is above it stretches
        QCOMPARE(xAt(place, 0), 2.0);
        QCOMPARE(xAt(place, 1), 4.0);
        QCOMPARE(xAt(channelOf(content, content.leafOf.at(0), SourcePath::Scale), 0.5), 3.0);
    }

    void layersFadeByTheirAnimatedWeight()
    {
        FbxText file;
        file.model(1, "joint", "LimbNode", 0, {});
        file.take(10, 11, 1);
        file.addLayer(10, 12, {});
        file.curve(20, 11, 1, "Lcl Translation", "d|X", {0, 1}, {1, 1});
        file.curve(30, 12, 1, "Lcl Translation", "d|X", {0, 1}, {10, 10});
        file.curve(40, 12, 12, "Weight", "d|Weight", {0, 1}, {0, 100});
        const fbx::Content content = file.content();
        const SourceChannel& channel = channelOf(content, 0, SourcePath::Translation);
        QCOMPARE(xAt(channel, 0), 1.0);
        QVERIFY(std::abs(xAt(channel, 0.5) - 6) < 1e-9);
        QCOMPARE(xAt(channel, 1), 11.0);
    }

    void takesWithoutCurvesAreIgnored()
    {
        FbxText file;
        file.model(1, "joint", "LimbNode", 0, {});
        file.take(10, 11, 1);
        file.object("AnimationCurveNode", 20, "AnimCurveNode::T", "", "");
        file.connect(20, 11);
        file.connect(20, 1, "Lcl Translation");
        QVERIFY(file.content().animations.empty());
    }

    /// A leg that was saved bent: hip at y = 2, knee 1 below it and toe 1 further when it was bound. The skin knows the
    /// hip, the file's bind pose the knee, nothing the toe.
    static FbxText savedBent()
    {
        FbxText file;
        file.model(9, "Rig", "Null", 0, FbxText::property("Lcl Translation", "7,0,0"));
        file.model(1, "hip", "LimbNode", 9,
                   FbxText::property("Lcl Translation", "0,2,0") + FbxText::property("Lcl Rotation", "0,0,30"));
        file.model(2, "knee", "LimbNode", 1,
                   FbxText::property("Lcl Translation", "0,-1,0") + FbxText::property("Lcl Rotation", "0,0,80"));
        file.model(3, "toe", "LimbNode", 2,
                   FbxText::property("Lcl Translation", "0,-1,0") + FbxText::property("Lcl Rotation", "0,0,10"));
        file.object("Deformer", 6, "SubDeformer::", "Cluster",
                    FbxText::array("TransformLink", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1}));
        file.connect(1, 6);
        const auto entry = [](int node, const QList<double>& place) {
            return "\t\tPoseNode:  {\n\t\t\tNode: " + QByteArray::number(node) + "\n" +
                   FbxText::array("Matrix",
                                  QList<double>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0} + place + QList<double>{1}) +
                   "\t\t}\n";
        };
        // The rig stood at the origin then. What the pose says of the hip is of no weight beside the skin.
        file.object("Pose", 7, "Pose::", "BindPose", entry(9, {0, 0, 0}) + entry(1, {0, 5, 0}) + entry(2, {0, 1, 0}));
        return file;
    }

    void bonesRestInTheBindPose()
    {
        const fbx::Content content = savedBent().content();
        QVERIFY(worldOf(content, 0).isApprox(Affine(Eigen::Translation3d(7, 0, 0)), 1e-12)); // no bone: as it was saved
        QVERIFY(worldOf(content, 1).isApprox(Affine(Eigen::Translation3d(7, 2, 0)), 1e-12));
        QVERIFY(worldOf(content, 2).isApprox(Affine(Eigen::Translation3d(7, 1, 0)), 1e-12));
        const Quaternion bent(Eigen::AngleAxisd(kQuarter / 9, Vector3::UnitZ()));
        QVERIFY(content.nodes[3].rest.rotation.angularDistance(bent) < 1e-12); // not in the bind pose: as it was saved
    }

    void withoutATakeTheSavedPoseIsThePose()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("bent.fbx");
        QFile out(path);
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(savedBent().bytes()) > 0);
        out.close();
        const auto model = importModel(path.toStdString());
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        const Scene& scene = model->scene;
        const auto knee = scene.jointNamed("knee");
        QVERIFY(knee);
        QVERIFY(worldInRestPose(scene, *knee).translation().isApprox(Vector3(7, 1, 0), 1e-6));
        const Quaternion posed = rotationOf(worldInStaticPose(scene, *knee));
        QVERIFY(posed.angularDistance(Quaternion(Eigen::AngleAxisd(110 * kQuarter / 90, Vector3::UnitZ()))) < 1e-6);
    }

    void whatATakeDoesNotMoveStandsAsItWasSaved()
    {
        FbxText file = savedBent();
        file.take(10, 11, 1);
        file.curve(20, 11, 2, "Lcl Rotation", "d|Z", {0, 1}, {80, 40});
        const fbx::Content content = file.content();
        const SourceChannel& hip = channelOf(content, 1, SourcePath::Rotation);
        const Quaternion saved(Eigen::AngleAxisd(kQuarter / 3, Vector3::UnitZ()));
        QVERIFY(Quaternion(Eigen::Vector4d(hip.values.data())).angularDistance(saved) < 1e-12);
        const SourceChannel& knee = channelOf(content, 2, SourcePath::Rotation);
        const Quaternion end(Eigen::AngleAxisd(40 * kQuarter / 90, Vector3::UnitZ()));
        QVERIFY(Quaternion(Eigen::Vector4d(knee.values.data() + knee.values.size() - 4)).angularDistance(end) < 1e-12);
        for (const SourceChannel& channel : content.animations[0].channels)
            QVERIFY(channel.node != 3); // it rests where it was saved
    }

    void aBindPoseOfOtherBonesIsIgnored()
    {
        FbxText file;
        file.model(1, "hip", "LimbNode", 0, FbxText::property("Lcl Translation", "0,200,0"));
        file.object("Deformer", 6, "SubDeformer::", "Cluster",
                    FbxText::array("TransformLink", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1}));
        file.connect(1, 6);
        QCOMPARE(file.content().nodes[0].rest.translation, Vector3(0, 200, 0));
    }

    void curvesThatGoOnAndKeysBeyondATakeAreNamed()
    {
        FbxText file;
        file.model(1, "joint", "LimbNode", 0, {});
        file.take(10, 11, 1);
        file.curve(20, 11, 1, "Lcl Translation", "d|X", {0, 3}, {0, 6});
        const auto names = [](const fbx::Content& content, const char* text) {
            return std::any_of(content.issues.begin(), content.issues.end(), [&](const Issue& issue) {
                return issue.where == "animation Take" && issue.text.find(text) != std::string::npos;
            });
        };
        QVERIFY(names(file.content(), "keys beyond its span"));
        QVERIFY(!names(file.content(), "in cycles"));
        FbxText cycle;
        cycle.model(1, "joint", "LimbNode", 0, {});
        cycle.take(10, 11, 1);
        cycle.object("AnimationCurveNode", 20, "AnimCurveNode::T", "", "");
        cycle.connect(20, 11);
        cycle.connect(20, 1, "Lcl Translation");
        cycle.object("AnimationCurve", 21, "AnimCurve::", "",
                     FbxText::array("KeyTime", {0, kTicks / 2}) + FbxText::array("KeyValueFloat", {0, 1}) +
                         "\t\tPost-Extrapolation:  {\n\t\t\tType: R\n\t\t\tRepetition: -1\n\t\t}\n");
        cycle.connect(21, 20, "d|X");
        QVERIFY(names(cycle.content(), "in cycles"));
        QVERIFY(!names(cycle.content(), "keys beyond its span"));
    }

    void damagedFilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("brackets") << QByteArray("Objects: {\n\tModel: 1, \"a\", \"b\" {\n");
        QTest::newRow("cut short") << QByteArray("Kaydara FBX Binary  \0\x1a\0\xe8\x1c", 25);
        QTest::newRow("leads out") << QByteArray(
            "Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0\xff\xff\xff\x7f\1\0\0\0\0\0\0\0\1a", 41);
    }
    void damagedFilesAreRefused()
    {
        QFETCH(QByteArray, bytes);
        QVERIFY(
            !fbx::readContent({reinterpret_cast<const std::uint8_t*>(bytes.constData()), std::size_t(bytes.size())}));
    }

    /// Cycles and things that hang from two places end the reading somewhere.
    void cyclicConnectionsAreHandled()
    {
        FbxText file;
        file.model(1, "a", "LimbNode", 0, {});
        file.model(2, "b", "LimbNode", 1, {});
        file.connect(1, 2);
        file.connect(2, 0);
        const fbx::Content content = file.content();
        QCOMPARE(content.nodes.size(), std::size_t{2});
        QCOMPARE(content.nodes[1].parent, 0);
    }
};

TENDON_TEST(TestFbxReading)
#include "tst_fbx_reading.moc"

#include "core/scene/JointMirror.h"
#include "core/scene/Validate.h"
#include "resources/samples/Samples.h"
#include "resources/samples/mannequin/Mannequin.h"
#include "tests/support/TestProgram.h"

#include <QtEndian>

#include <cmath>
#include <map>
#include <set>

using namespace tendon;

namespace {

Affine worldFromRest(const Scene& scene, const Joint& joint)
{
    const Affine own = joint.rest.parentFromJoint();
    const Joint* parent = scene.find(joint.parent);
    return parent == nullptr ? own : worldFromRest(scene, *parent) * own;
}

/// The joint of the other side, or the same for one in the middle.
const Joint* twin(const Scene& scene, const Joint& joint)
{
    std::string name = joint.name;
    if (name.ends_with("_L"))
        name.back() = 'R';
    else if (name.ends_with("_R"))
        name.back() = 'L';
    const auto id = scene.jointNamed(name);
    return id ? scene.find(*id) : nullptr;
}

} // namespace

/// The figure itself: skeleton, skin and paint. How it walks is in tst_mannequin_walk.
class TestMannequin : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        auto project = makeSample("mannequin", SolverRegistry());
        QVERIFY2(project, project ? "" : project.error().text().c_str());
        m_project = std::move(*project);
    }

    /// The program carries what the generator wrote while it was built; opened and saved again it has lost nothing.
    void programHasWhatTheGeneratorMakes()
    {
        const auto generated = mannequin::makeProject();
        QVERIFY2(generated, generated ? "" : generated.error().text().c_str());
        const auto expected = projectBytes(*generated, "/a.tendon"), actual = projectBytes(m_project, "/a.tendon");
        QVERIFY(expected && actual);
        QVERIFY(*expected == *actual);
    }

    void theMannequinHasNoIssues()
    {
        for (const Issue& issue : validate(m_project.scene)) QFAIL((issue.where + ": " + issue.text).c_str());
    }

    void everyFingerHasThreeJointsAndThereAreFiftyInAll()
    {
        QVERIFY(m_project.scene.joints->size() >= 50);
        for (const char* finger : {"Thumb", "Index", "Middle", "Ring", "Little"})
            for (const char* side : {"_L", "_R"})
                for (const char* number : {"1", "2", "3"})
                    QVERIFY(m_project.scene.jointNamed(std::string(finger) + number + side));
    }

    void sixHandlesMoveHandsFeetHeadAndHips()
    {
        std::set<std::string> ends;
        for (const Handle& handle : *m_project.scene.handles) ends.insert(m_project.scene.find(handle.end)->name);
        QCOMPARE(ends, (std::set<std::string>{"Hand_L", "Hand_R", "Foot_L", "Foot_R", "Head", "Hips"}));
    }

    void sidesAreMirrorImages()
    {
        const Scene& scene = m_project.scene;
        const Eigen::Matrix3d mirror = reflection(0);
        for (const Joint& joint : *scene.joints) {
            const Joint* other = twin(scene, joint);
            QVERIFY2(other != nullptr, joint.name.c_str());
            const Vector3 expected = mirror * worldFromRest(scene, joint).translation();
            QVERIFY2((worldFromRest(scene, *other).translation() - expected).norm() < 1e-12, joint.name.c_str());
            if (other == &joint) continue;
            // The other's limits are what copying them over as a mirror image makes of this one's.
            const auto turns = nearestAxisMap(mirroredTurns(scene, joint, *other, 0));
            const auto moves = nearestAxisMap(mirroredMoves(scene, joint, *other, 0));
            QVERIFY2(turns && moves, joint.name.c_str());
            const Joint copied = withParametersOf(joint, *other, *turns, *moves);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                QCOMPARE(copied.turning[axis].active, other->turning[axis].active);
                QVERIFY2(std::abs(copied.turning[axis].lower() - other->turning[axis].lower()) < 1e-12,
                         joint.name.c_str());
                QVERIFY2(std::abs(copied.turning[axis].upper() - other->turning[axis].upper()) < 1e-12,
                         joint.name.c_str());
            }
            QCOMPARE(copied.ball.has_value(), other->ball.has_value());
            if (!copied.ball) continue;
            for (std::size_t i = 0; i < 4; ++i)
                QVERIFY(std::abs((*copied.ball->swing)[i] - (*other->ball->swing)[i]) < 1e-12);
        }
    }

    void everyVertexHasItsMirrorImage()
    {
        for (const Mesh& mesh : m_project.scene.model->meshes) {
            std::set<std::array<float, 3>> places;
            for (const auto& p : mesh.positions) places.insert({p.x(), p.y(), p.z()});
            for (const auto& p : mesh.positions) QVERIFY(places.contains({-p.x() + 0.0f, p.y(), p.z()}));
        }
    }

    void standsOnTheGroundAndIsAsTallAsAPerson()
    {
        float low = 1e9f, high = -1e9f;
        for (const Mesh& mesh : m_project.scene.model->meshes)
            for (const auto& p : mesh.positions) {
                low = std::min(low, p.y());
                high = std::max(high, p.y());
            }
        QVERIFY2(std::abs(low) < 2e-3f, qPrintable(QString::number(double(low))));
        QVERIFY2(high > 1.73f && high < 1.77f, qPrintable(QString::number(double(high))));
    }

    void hasTwoMaterialsOneTextureAndEnoughVertices()
    {
        const ModelAsset& model = *m_project.scene.model;
        std::size_t vertices = 0, triangles = 0;
        std::set<std::int32_t> used;
        for (const Mesh& mesh : model.meshes) {
            vertices += mesh.positions.size();
            triangles += mesh.indices.size() / 3;
            used.insert(mesh.material);
            QCOMPARE(mesh.normals.size(), mesh.positions.size());
            if (model.materials[static_cast<std::size_t>(mesh.material)].baseColourTexture >= 0)
                QCOMPARE(mesh.textureCoordinates.size(), mesh.positions.size());
        }
        qInfo("%zu vertices, %zu triangles", vertices, triangles);
        QVERIFY(vertices >= 5000);
        QCOMPARE(used.size(), std::size_t(2));
        QCOMPARE(model.textures.size(), std::size_t(1));
    }

    /// Reads the PNG as its standard says, with nothing of the writer's.
    void textureIsACompletePng()
    {
        const auto& bytes = m_project.scene.model->textures.front().encoded;
        const QByteArray file(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
        QVERIFY(file.startsWith("\x89PNG\r\n\x1a\n"));
        QByteArray packed;
        quint32 width = 0, height = 0;
        for (qsizetype at = 8; at < file.size();) {
            const auto length = qFromBigEndian<quint32>(file.constData() + at);
            const QByteArray type = file.mid(at + 4, 4);
            if (type == "IHDR") {
                width = qFromBigEndian<quint32>(file.constData() + at + 8);
                height = qFromBigEndian<quint32>(file.constData() + at + 12);
            }
            if (type == "IDAT") packed += file.mid(at + 8, length);
            at += 12 + length;
        }
        QByteArray sized(4, '\0');
        qToBigEndian<quint32>(height * (3 * width + 1), sized.data());
        QCOMPARE(qUncompress(sized + packed).size(), static_cast<qsizetype>(height * (3 * width + 1)));
    }

    void weightsAreAtMostFourAndSumToOne()
    {
        for (const Mesh& mesh : m_project.scene.model->meshes) {
            const Skin& skin = mesh.skin;
            QCOMPARE(skin.influenceBegin.size(), mesh.positions.size() + 1);
            for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                QVERIFY(skin.influenceBegin[v + 1] - skin.influenceBegin[v] <= 4);
                double sum = 0;
                for (auto i = skin.influenceBegin[v]; i < skin.influenceBegin[v + 1]; ++i) {
                    QVERIFY(skin.influenceWeight[i] > 0);
                    sum += skin.influenceWeight[i];
                }
                QVERIFY(std::abs(sum - 1) < 1e-6);
            }
        }
    }

    /// Between neighbours a weight changes by less than the whole: no vertex is torn from the next one.
    void weightsPassSmoothlyFromVertexToVertex()
    {
        double worst = 0;
        for (const Mesh& mesh : m_project.scene.model->meshes) {
            const Skin& skin = mesh.skin;
            const auto weightsOf = [&](std::uint32_t v) {
                std::map<int, double> weights;
                for (auto i = skin.influenceBegin[v]; i < skin.influenceBegin[v + 1]; ++i)
                    weights[skin.influenceJoint[i]] = skin.influenceWeight[i];
                return weights;
            };
            for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
                const auto a = mesh.indices[i], b = mesh.indices[i % 3 == 2 ? i - 2 : i + 1];
                auto difference = weightsOf(a);
                for (const auto& [joint, weight] : weightsOf(b)) difference[joint] -= weight;
                double change = 0;
                for (const auto& [joint, weight] : difference) change = std::max(change, std::abs(weight));
                const double length = double((mesh.positions[a] - mesh.positions[b]).norm());
                if (length > 0) worst = std::max(worst, change / std::max(length, 0.004));
            }
        }
        qInfo("steepest weight: %.0f per metre", worst);
        QVERIFY(worst < 160); // the joints of a finger pass over 15 mm
    }

    void surfaceHasNoDegenerateTrianglesAndNormalsPointOutward()
    {
        std::size_t count = 0, against = 0;
        for (const Mesh& mesh : m_project.scene.model->meshes) {
            for (const auto& n : mesh.normals) QVERIFY(std::abs(n.norm() - 1) < 1e-5f);
            for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
                const auto corner = [&](std::size_t k) -> Vector3 {
                    return mesh.positions[mesh.indices[i + k]].cast<double>();
                };
                const Vector3 area = (corner(1) - corner(0)).cross(corner(2) - corner(0)) / 2;
                QVERIFY2(area.norm() > 1e-10, qPrintable(QString("%1 %2").arg(i).arg(area.norm())));
                Vector3 normal = Vector3::Zero();
                for (std::size_t k = 0; k < 3; ++k) normal += mesh.normals[mesh.indices[i + k]].cast<double>();
                against += normal.dot(area) <= 0;
                ++count;
            }
        }
        qInfo("%zu of %zu triangles face against their normals", against, count);
        QVERIFY(against * 2000 < count);
    }

    /// No directed edge twice: neighbours agree about inside and outside, and no three triangles share an edge.
    void trianglesHaveConsistentWinding()
    {
        for (const Mesh& mesh : m_project.scene.model->meshes) {
            std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
            for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
                const auto next = mesh.indices[i % 3 == 2 ? i - 2 : i + 1];
                QVERIFY(edges.insert({mesh.indices[i], next}).second);
            }
        }
    }

    void projectHasTheSameBytesEveryTime()
    {
        const auto again = makeSample("mannequin", SolverRegistry());
        QVERIFY(again);
        const auto first = projectBytes(m_project, "/a.tendon"), second = projectBytes(*again, "/a.tendon");
        QVERIFY(first && second);
        QVERIFY(*first == *second);
    }

    void anUnknownNameIsRefusedAndTheErrorListsTheSamples()
    {
        const auto none = makeSample("manequin", SolverRegistry());
        QVERIFY(!none);
        QVERIFY(none.error().text().find("mannequin") != std::string::npos);
    }

private:
    Project m_project;
};

TENDON_TEST(TestMannequin)
#include "tst_mannequin.moc"

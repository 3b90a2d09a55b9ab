#include "core/io/export/AnimationExport.h"
#include "core/io/export/bvh/BvhWriter.h"
#include "core/io/import/ModelImport.h"
#include "core/runtime/BakedPoses.h"
#include "core/scene/RestPose.h"
#include "core/solve/Baker.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"
#include "tests/unit/io/GltfTestModel.h"

#include <QDir>
#include <QTemporaryDir>

#include <cmath>
#include <numbers>
#include <sstream>

using namespace tendon;
using namespace tendon::test;

namespace {

/// A BVH file by a reader of a page, so that the writer is not tested with itself.
struct BvhText
{
    struct Node
    {
        std::string name;
        int parent = -1;
        Vector3 offset = Vector3::Zero();
        std::vector<std::string> channels;
        bool isEnd = false;
    };
    std::vector<Node> nodes;
    double frameTime = 0;
    std::vector<std::vector<double>> frames;

    explicit BvhText(const std::string& text)
    {
        std::istringstream in(text);
        std::vector<int> open;
        std::string word;
        while (in >> word && word != "MOTION") {
            if (word == "ROOT" || word == "JOINT" || word == "End") {
                nodes.emplace_back();
                nodes.back().isEnd = word == "End";
                nodes.back().parent = open.empty() ? -1 : open.back();
                in >> nodes.back().name;
            } else if (word == "{") {
                open.push_back(int(nodes.size()) - 1);
            } else if (word == "}") {
                open.pop_back();
            } else if (word == "OFFSET") {
                Vector3& o = nodes.back().offset;
                in >> o[0] >> o[1] >> o[2];
            } else if (word == "CHANNELS") {
                int count = 0;
                in >> count;
                for (std::string channel; count > 0 && in >> channel; --count) nodes.back().channels.push_back(channel);
            } else if (word != "HIERARCHY") {
                qFatal("unexpected %s", word.c_str());
            }
        }
        std::size_t count = 0, width = 0;
        in >> word >> count >> word >> word >> frameTime;
        for (const Node& node : nodes) width += node.channels.size();
        frames.assign(count, std::vector<double>(width));
        for (auto& frame : frames)
            for (double& value : frame)
                if (!(in >> value)) qFatal("a frame lacks numbers");
        if (in >> word) qFatal("something stands behind the frames");
    }

    /// Positions of all nodes: position channels take the offset's place, rotations multiply in the order of the
    /// channels.
    [[nodiscard]] std::vector<Vector3> positions(const std::vector<double>* frame) const
    {
        std::vector<Affine> world;
        std::vector<Vector3> places;
        std::size_t at = 0;
        for (const Node& node : nodes) {
            Vector3 move = node.offset;
            Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
            for (const std::string& channel : node.channels) {
                const double value = frame == nullptr ? 0 : (*frame)[at++];
                const int axis = channel[0] - 'X';
                if (channel.substr(1) == "position")
                    move[axis] = frame == nullptr ? node.offset[axis] : value;
                else
                    turn = turn *
                           Eigen::AngleAxisd(value * std::numbers::pi / 180, Vector3::Unit(axis)).toRotationMatrix();
            }
            Affine local = Affine::Identity();
            local.linear() = turn;
            local.translation() = move;
            world.push_back(node.parent < 0 ? local : Affine(world[std::size_t(node.parent)] * local));
            places.push_back(world.back().translation());
        }
        return places;
    }
};

/// A tree of joints with turned and scaled rest poses and all rotation orders, and a clip of turns; the root also
/// moves.
struct Rig
{
    Scene scene;
    BakedClip clip;

    Rig(unsigned seed, bool moves)
    {
        std::mt19937 random(seed);
        TestRig rig;
        std::vector<JointId> ids;
        for (int i = 0; i < 9; ++i) {
            const JointId parent = i == 0 ? JointId{} : ids[std::size_t(random() % unsigned(i))];
            ids.push_back(rig.joint("joint" + std::to_string(i), parent, randomVector(random)));
            Joint& joint = rig.edit(ids.back());
            joint.rest.rotation = randomRotation(random);
            if (i == 2) joint.rest.scale = {1.5, 1.5, 1.5};
            joint.rotationOrder = static_cast<RotationOrder>(i % 6);
        }
        scene = rig.scene;
        scene.fps = {30, 1};
        clip = wiggle(scene, "go", 20, random);
        const std::size_t n = clip.joints.size();
        for (std::size_t k = 0; k < clip.locals.size(); ++k)
            if (!moves && k % n != 0) clip.locals[k].translation = (*scene.joints)[k % n].rest.translation;
    }
};

WrittenBvh written(const Scene& scene, const BakedClip& clip)
{
    auto result = writeBvh(scene, clip);
    if (!result) qFatal("%s", result.error().text().c_str());
    return std::move(*result);
}

} // namespace

class TestBvh : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void everyJointOfEveryFrameIsWhereTheBakeHasIt_data()
    {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<bool>("moves");
        for (unsigned seed = 1; seed <= 8; ++seed) QTest::addRow("seed %u", seed) << seed << (seed % 2 == 0);
    }

    void everyJointOfEveryFrameIsWhereTheBakeHasIt()
    {
        QFETCH(unsigned, seed);
        QFETCH(bool, moves);
        const Rig rig(seed, moves);
        const WrittenBvh file = written(rig.scene, rig.clip);
        const BvhText text(file.text);
        QCOMPARE(text.frames.size(), rig.clip.times.size());
        QVERIFY(std::abs(text.frameTime - 1.0 / 30) < 1e-9);
        BakedPoses poses = *BakedPoses::of(rig.scene);
        double worst = 0;
        std::size_t compared = 0;
        for (std::size_t f = 0; f < text.frames.size(); ++f) {
            poses.at(rig.clip, f);
            const auto places = text.positions(&text.frames[f]);
            for (std::size_t i = 0; i < text.nodes.size(); ++i) {
                if (text.nodes[i].isEnd) continue;
                for (const auto& [joint, name] : file.nameOf)
                    if (name == text.nodes[i].name)
                        worst = std::max(worst, (poses.world(joint).translation() - places[i]).norm()), ++compared;
            }
        }
        QCOMPARE(compared, rig.clip.times.size() * rig.scene.joints->size());
        QVERIFY2(worst < 1e-7, qPrintable(QString::number(worst)));
        for (const BvhText::Node& node : text.nodes)
            if (!node.isEnd && node.parent >= 0)
                QCOMPARE(node.channels.size() == 6, moves && node.channels.size() == 6);
    }

    void allChannelsAtZeroAreTheRestPose()
    {
        const Rig rig(3, false);
        const WrittenBvh file = written(rig.scene, rig.clip);
        const BvhText text(file.text);
        const auto places = text.positions(nullptr);
        const Joint& root = rig.scene.joints->front();
        const Vector3 origin = worldInRestPose(rig.scene, root.id).translation();
        for (std::size_t i = 0; i < text.nodes.size(); ++i)
            for (const auto& [joint, name] : file.nameOf)
                if (!text.nodes[i].isEnd && name == text.nodes[i].name)
                    QVERIFY((worldInRestPose(rig.scene, joint).translation() - origin - places[i]).norm() < 1e-8);
    }

    void channelsAreInTheJointsRotationOrder()
    {
        const Rig rig(4, false);
        const BvhText text(written(rig.scene, rig.clip).text);
        QCOMPARE(text.nodes[0].channels, (std::vector<std::string>{"Xposition", "Yposition", "Zposition", "Zrotation",
                                                                   "Yrotation", "Xrotation"}));
        for (const BvhText::Node& node : text.nodes)
            if (node.name == "joint2") // ZXY: about z first, so Ry * Rx * Rz
                QCOMPARE(node.channels, (std::vector<std::string>{"Yrotation", "Xrotation", "Zrotation"}));
    }

    void anglesContinuePastAHalfTurn()
    {
        TestRig rig;
        rig.chain("j", 2, {0, 1, 0});
        BakedClip clip;
        clip.name = "spin";
        clip.fps = rig.scene.fps;
        for (const Joint& joint : *rig.scene.joints) clip.joints.push_back(joint.id), clip.isAnimated.push_back(true);
        for (int f = 0; f < 30; ++f) {
            clip.times.push_back(clip.fps.timeOf(f));
            for (const Joint& joint : *rig.scene.joints) {
                clip.locals.push_back(joint.rest);
                clip.locals.back().rotation = Quaternion(Eigen::AngleAxisd(0.5 * f, Vector3::UnitZ()));
            }
        }
        const BvhText text(written(rig.scene, clip).text);
        QVERIFY(std::abs(text.frames.back()[3] - 0.5 * 29 * 180 / std::numbers::pi) < 1e-6);
    }

    void leavesEndInEndSitesAndNamesHaveNoSpaces()
    {
        TestRig rig;
        const JointId hip = rig.joint("left hip", {}, {0, 1, 0});
        rig.joint("left_hip", hip, {0, -0.5, 0});
        rig.joint("other root", {}, {1, 1, 0});
        std::mt19937 random(1);
        const BakedClip clip = wiggle(rig.scene, "go", 3, random);
        const WrittenBvh file = written(rig.scene, clip);
        const BvhText text(file.text);
        std::vector<std::string> names;
        for (const BvhText::Node& node : text.nodes) names.push_back(node.isEnd ? "end" : node.name);
        QCOMPARE(names, (std::vector<std::string>{"Root", "left_hip", "left_hip_2", "end", "other_root", "end"}));
        QVERIFY(file.issues.size() >= 3);
    }

    void samplesBetweenFramesAreDroppedAndMissingFramesInterpolated()
    {
        const Rig rig(5, true);
        BakedClip clip =
            rig.clip; // frames 12 ... 31; frame 20 is gone, 31 comes early, another stands between 14 and 15
        const std::size_t n = clip.joints.size();
        clip.times.erase(clip.times.begin() + 8);
        clip.locals.erase(clip.locals.begin() + std::ptrdiff_t(8 * n), clip.locals.begin() + std::ptrdiff_t(9 * n));
        clip.times.back() = clip.fps.timeOf(30.7);
        clip.times.insert(clip.times.begin() + 3, clip.fps.timeOf(14.5));
        clip.locals.insert(clip.locals.begin() + std::ptrdiff_t(3 * n), n, LocalTransform{});
        Issues issues;
        const BakedClip frames = wholeFrames(clip, issues);
        QCOMPARE(frames.times.size(), std::size_t(19)); // 12 ... 30
        for (std::size_t f = 0; f < 19; ++f) {
            QCOMPARE(frames.times[f], clip.fps.timeOf(12 + double(f)));
            for (std::size_t j = 0; j < n; ++j) {
                const LocalTransform& meant = rig.clip.locals[f * n + j];
                if (f != 8)
                    QVERIFY(frames.locals[f * n + j] == meant);
                else
                    QVERIFY((frames.locals[f * n + j].translation -
                             0.5 * (rig.clip.locals[7 * n + j].translation + rig.clip.locals[9 * n + j].translation))
                                .norm() < 1e-12);
            }
        }
        QCOMPARE(issues.size(), std::size_t(1));
        QVERIFY2(issues[0].text.find("2 samples between") != std::string::npos, issues[0].text.c_str());
    }

    void whatIsWrittenIsReadBackByTheImport()
    {
        for (const bool moves : {false, true}) {
            const Rig rig(6, moves);
            const std::string path = m_folder.filePath("out.bvh").toStdString();
            const auto report = exportAnimation(rig.scene, {rig.clip}, path, {});
            QVERIFY2(report, report ? "" : report.error().text().c_str());
            QVERIFY2(report->readBack.missing.empty(),
                     report->readBack.missing.empty() ? "" : report->readBack.missing[0].c_str());
            QVERIFY2(report->readBack.isWithin(),
                     qPrintable(QString("%1 of %2 at %3")
                                    .arg(report->readBack.jointError)
                                    .arg(report->readBack.radius)
                                    .arg(QString::fromStdString(report->readBack.jointAt))));
        }
    }

    void aSecondClipIsRefusedBeforeAnythingIsWritten()
    {
        const Rig rig(7, false);
        const auto refused = exportAnimation(rig.scene, {rig.clip, rig.clip},
                                             m_folder.filePath("two.bvh").toStdString(), {});
        QVERIFY(!refused && refused.error().text().find("one clip") != std::string::npos);
        QVERIFY(!QFile::exists(m_folder.filePath("two.bvh")));
    }

    void theSharedFilesSurviveImportAndExport()
    {
        const QString shared = qEnvironmentVariable("TENDON_SHARED", TENDON_SOURCE_DIR "/../shared");
        const QDir folder(shared + "/assets/bvh");
        if (!folder.exists())
            QSKIP(qPrintable("no files to read: TENDON_SHARED names no folder with assets/bvh (" + shared + ")"));
        for (const QString& name : folder.entryList({"*.bvh"}, QDir::Files, QDir::Name)) {
            const auto model = importModel(folder.filePath(name).toStdString());
            QVERIFY2(model, model ? "" : model.error().text().c_str());
            SolverRegistry none;
            const Clip& clip = *model->scene.clips.front();
            const auto baked = bake(
                model->scene, none,
                {.clip = clip.id, .fps = model->scene.fps, .from = clip.begin(), .to = clip.end(), .progress = {}});
            QVERIFY(baked);
            const auto report = exportAnimation(model->scene, {*baked}, m_folder.filePath(name).toStdString(), {});
            QVERIFY2(report, report ? "" : report.error().text().c_str());
            const ReadBack& back = report->readBack;
            qInfo("%-32s %4zu joints %5zu samples, read back within %.1e of the radius", qPrintable(name),
                  model->scene.joints->size(), baked->times.size(), back.jointError / back.radius);
            QVERIFY2(back.isWithin(),
                     qPrintable(name + ": " +
                                QString::fromStdString(back.missing.empty() ? back.jointAt : back.missing[0])));
        }
    }
};

TENDON_TEST(TestBvh)
#include "tst_bvh.moc"

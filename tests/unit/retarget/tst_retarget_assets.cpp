#include "core/io/import/ModelImport.h"
#include "core/math/Degrees.h"
#include "core/retarget/ClipSurvey.h"
#include "core/retarget/RetargetClip.h"
#include "core/roles/Roles.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/Skinning.h"
#include "tests/support/Person.h"
#include "tests/support/TestProgram.h"

#include <QDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace tendon;

namespace {

double angleBetween(const Vector3& a, const Vector3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

double middleOf(std::vector<double> values)
{
    if (values.empty()) return 0;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// A file of the shared assets.
struct Asset
{
    std::string file;
    Scene scene;
    RoleMap roles;
};

/// The vertices of a figure's feet; of one without a mesh, the joints of its feet.
class Feet
{
public:
    Feet(const Scene& scene, const RoledFigure& figure)
    {
        for (const char* role : {"leftFoot", "rightFoot"})
            if (const JointIndex foot = figure.first(role); foot >= 0)
                for (JointIndex joint = foot; joint < figure.rig->subtreeEnd[at(foot)]; ++joint)
                    m_joints.push_back(joint);
        if (scene.model == nullptr) return;
        for (const Mesh& mesh : scene.model->meshes) {
            Part part{&mesh, bindSkin(*figure.rig, mesh.skin), {}};
            const auto isFoot = [&](std::size_t k) {
                const JointIndex joint = part.binding.joints[k];
                return std::find(m_joints.begin(), m_joints.end(), joint) != m_joints.end();
            };
            for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
                double weight = 0;
                if (mesh.skin.isRigid())
                    weight = !part.binding.joints.empty() && isFoot(0) ? 1 : 0;
                else
                    for (auto i = mesh.skin.influenceBegin[v]; i < mesh.skin.influenceBegin[v + 1]; ++i)
                        if (isFoot(mesh.skin.influenceJoint[i]))
                            weight += static_cast<double>(mesh.skin.influenceWeight[i]);
                if (weight > 0.5) part.vertices.push_back(v);
            }
            if (!part.vertices.empty()) m_parts.push_back(std::move(part));
        }
    }

    /// [m] Of the lowest point, when the world is turned.
    [[nodiscard]] double lowest(const ModelPose& pose, const Quaternion& world) const
    {
        double lowest = 1e300;
        if (m_parts.empty())
            for (const JointIndex joint : m_joints)
                lowest = std::min(lowest, (world * pose.modelFromJoint[at(joint)].translation()).y());
        for (const Part& part : m_parts) {
            std::vector<Eigen::Vector3f> places(part.mesh->positions.size());
            skinVertices(*part.mesh, part.binding, pose, places);
            for (const std::size_t v : part.vertices) lowest = std::min(lowest, (world * places[v].cast<double>()).y());
        }
        return lowest;
    }

private:
    struct Part
    {
        const Mesh* mesh;
        SkinBinding binding;
        std::vector<std::size_t> vertices;
    };
    std::vector<JointIndex> m_joints;
    std::vector<Part> m_parts;
};

ModelPose modelOf(const WorldPose& pose)
{
    ModelPose model;
    for (std::size_t j = 0; j < pose.position.size(); ++j)
        model.modelFromJoint.push_back(Affine(Eigen::Translation3d(pose.position[j]) * pose.rotation[j]));
    return model;
}

/// What came of one motion on one character.
struct Outcome
{
    double legs = 0;   ///< [m] of the character
    double stands = 0; ///< [m] its lowest point while the motion stands: the middle of all frames
    double thighs = 0; ///< [rad] between its thighs and the motion's: the middle of all frames
    double steps = 0;  ///< the largest step of a limb's joint, as a share of 20 degrees and three times the motion's
    std::string step;  ///< which
};

Outcome outcomeOf(const Asset& motion, const Clip& clip, const Asset& character)
{
    Outcome outcome;
    auto by = Retargeter::create(motion.scene, clip, motion.roles, character.scene, character.roles, {});
    if (!by) {
        outcome.step = by.error().message;
        return outcome;
    }
    const Feet there(motion.scene, by->motionFigure()), here(character.scene, by->characterFigure());
    outcome.legs = by->facts().characterLegs.value_or(0);
    const Quaternion world = by->worldFromMotion();
    std::vector<double> lows, ownLows, thighs;
    std::vector<Time> times = frameTimes(clip, motion.scene.fps);
    const std::size_t most = 400, stride = std::max<std::size_t>(1, std::min(times.size(), most) / 40);
    LocalPose local;
    ModelPose own;
    std::vector<Quaternion> before, ownBefore;
    for (std::size_t i = 0; i < std::min(times.size(), most); ++i) {
        by->pose(times[i], local);
        forwardKinematics(*by->characterRig(), local, own);
        const WorldPose& source = by->motionPose();
        std::vector<Quaternion> turns, ownTurns;
        std::vector<std::string> names;
        for (const LimbRoles& limb : kLimbs)
            for (const std::string_view part : {limb.upper, limb.lower, limb.end}) {
                const JointIndex s = by->motionFigure().last(part), t = by->characterFigure().first(part);
                if (s < 0 || t < 0) continue;
                turns.push_back(source.rotation[at(s)]);
                ownTurns.push_back(rotationOf(own.modelFromJoint[at(t)]));
                names.emplace_back(part);
            }
        for (std::size_t k = 0; k < turns.size() && !before.empty(); ++k) {
            const double step = turns[k].angularDistance(before[k]),
                         ownStep = ownTurns[k].angularDistance(ownBefore[k]);
            const double share = ownStep / (3 * step + 20 / kDegrees);
            if (share > outcome.steps) {
                outcome.steps = share;
                char text[120];
                std::snprintf(text, sizeof text, "%s at %zu: %.0f° for %.0f°", names[k].c_str(), i, ownStep * kDegrees,
                              step * kDegrees);
                outcome.step = text;
            }
        }
        before = turns, ownBefore = ownTurns;
        if (i % stride != 0) continue;
        lows.push_back(there.lowest(modelOf(source), world));
        ownLows.push_back(here.lowest(own, Quaternion::Identity()));
        for (const auto& [upper, lower] :
             {std::pair("leftUpperLeg", "leftLowerLeg"), {"rightUpperLeg", "rightLowerLeg"}}) {
            const JointIndex a = by->motionFigure().first(upper), b = by->motionFigure().first(lower),
                             c = by->characterFigure().first(upper), d = by->characterFigure().first(lower);
            if (a < 0 || b < 0 || c < 0 || d < 0) continue;
            thighs.push_back(
                angleBetween(world * Vector3(source.position[at(b)] - source.position[at(a)]),
                             own.modelFromJoint[at(d)].translation() - own.modelFromJoint[at(c)].translation()));
        }
    }
    std::vector<double> sorted = lows;
    std::sort(sorted.begin(), sorted.end());
    const double floor = sorted[sorted.size() / 5], legs = by->facts().motionLegs.value_or(1);
    std::vector<double> stands;
    for (std::size_t i = 0; i < lows.size(); ++i)
        if (std::abs(lows[i] - floor) < 0.03 * legs) stands.push_back(ownLows[i]);
    outcome.stands = middleOf(stands);
    outcome.thighs = middleOf(thighs);
    return outcome;
}

struct Steps
{
    double worst = 0;           ///< see stepsOf()
    std::string which;          ///< knee or elbow
    double bend = 0, asked = 0; ///< [rad] the most that knees bend, here and in the motion
};

/// The largest step of a knee or an elbow from one frame to the next, in its upper joint's space, as a share of three
/// times the motion's around there and 8 degrees; and which that is.
Steps stepsOf(const Asset& motion, const Asset& character)
{
    const Clip& clip = *motion.scene.clips.front();
    auto by = Retargeter::create(motion.scene, clip, motion.roles, character.scene, character.roles, {});
    if (!by) return {1e9, by.error().message, 0, 0};
    std::vector<std::pair<JointIndex, JointIndex>> there, here;
    std::vector<std::string> names;
    for (const LimbRoles& limb : kLimbs) {
        const RoledFigure &a = by->motionFigure(), &b = by->characterFigure();
        if (!a.has(limb.upper) || !a.has(limb.lower) || !b.has(limb.upper) || !b.has(limb.lower)) continue;
        there.emplace_back(a.first(limb.upper), a.first(limb.lower));
        here.emplace_back(b.first(limb.upper), b.first(limb.lower));
        names.emplace_back(limb.lower);
    }
    std::vector<std::vector<Quaternion>> asked(names.size()), own(names.size());
    std::vector<Time> times = frameTimes(clip, motion.scene.fps);
    Steps worst;
    const auto bendOf = [](const RoledFigure& figure, const WorldPose& pose, const LimbRoles& limb) {
        const auto place = [&](std::string_view role) { return pose.position[at(figure.first(role))]; };
        return angleBetween(place(limb.lower) - place(limb.upper), place(limb.end) - place(limb.lower));
    };
    LocalPose local;
    ModelPose model;
    WorldPose ownPose;
    for (const Time time : times) {
        by->pose(time, local);
        forwardKinematics(*by->characterRig(), local, model);
        ownPose.take(model);
        for (const LimbRoles& limb : kLimbs)
            if (const RoledFigure& a = by->motionFigure(), &b = by->characterFigure();
                limb.isLeg && a.has(limb.upper) && a.has(limb.end) && b.has(limb.upper) && b.has(limb.end)) {
                worst.asked = std::max(worst.asked, bendOf(a, by->motionPose(), limb));
                worst.bend = std::max(worst.bend, bendOf(b, ownPose, limb));
            }
        for (std::size_t k = 0; k < names.size(); ++k) {
            const std::vector<Quaternion>& source = by->motionPose().rotation;
            asked[k].push_back(source[at(there[k].first)].conjugate() * source[at(there[k].second)]);
            own[k].push_back(rotationOf(model.modelFromJoint[at(here[k].first)]).conjugate() *
                             rotationOf(model.modelFromJoint[at(here[k].second)]));
        }
    }
    for (std::size_t k = 0; k < names.size(); ++k)
        for (std::size_t i = 1; i < times.size(); ++i) {
            double around = 0;
            for (std::size_t j = std::max<std::size_t>(i, 2) - 1; j < std::min(i + 2, times.size()); ++j)
                around = std::max(around, asked[k][j].angularDistance(asked[k][j - 1]));
            const double step = own[k][i].angularDistance(own[k][i - 1]), share = step / (3 * around + 8 / kDegrees);
            if (share <= worst.worst) continue;
            char text[120];
            std::snprintf(text, sizeof text, "%s at %zu: %.1f° for %.1f°", names[k].c_str(), i, step * kDegrees,
                          around * kDegrees);
            worst.worst = share, worst.which = text;
        }
    return worst;
}

} // namespace

/// Motions of the shared assets on the characters of the shared assets.
class TestRetargetAssets : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const QString shared = qEnvironmentVariable("TENDON_SHARED", TENDON_SOURCE_DIR "/../shared");
        m_assets = QDir(shared + "/assets");
        if (!m_assets.exists())
            QSKIP(qPrintable("no models to read: TENDON_SHARED names no folder with assets (" + shared + ")"));
        for (const char* file :
             {"characters/kaykit/manny_med_mod.gltf", "characters/quaternius/modular_women_Casual.glb",
              "characters/quaternius/single_knight_pack_KnightCharacter.glb", "characters/khronos/CesiumMan.glb",
              "characters/makehuman/mh_woman_gameengine.glb", "mocap/biped-rocketbox/female_adult_05.fbx"})
            m_characters.push_back(read(file));
    }

    /// Feet stand where the motion's do, thighs run as the motion's do, and no joint leaps: between children's and
    /// adults' proportions, from captures that stand on no floor, and with legs past straight.
    void feetStandThighsAgreeAndNothingLeaps_data()
    {
        QTest::addColumn<QString>("motion");
        for (const char* motion :
             {"mocap/kaykit/Med_CombatRanged.glb", "mocap/cmu-daz/02_01_walk.bvh", "bvh/ad_dab.bvh",
              "mocap/alaska-dynamicus/somersault.bvh", "mocap/cal3d-template/walk01.bvh",
              "mocap/kimodo-soma/walk_long.bvh", "mocap/makehuman-cmu/walk.bvh",
              "mocap/dfki-custom/custom_skeleton_walk.bvh", "mocap/vrma/idle_loop.vrma"})
            QTest::addRow("%s", motion) << motion;
    }
    void feetStandThighsAgreeAndNothingLeaps()
    {
        QFETCH(QString, motion);
        const Asset source = read(motion);
        for (const Asset& character : m_characters) {
            // Its own skeleton: what the motion does there is left alone.
            if (motion.contains("kaykit") && character.file.find("kaykit") != std::string::npos) continue;
            const Outcome outcome = outcomeOf(source, *source.scene.clips.front(), character);
            qInfo("%-60s legs %.3f stands %6.1f mm, thighs %4.1f°, steps %.2f %s", character.file.c_str(), outcome.legs,
                  outcome.stands * 1000, outcome.thighs * kDegrees, outcome.steps,
                  outcome.steps > 0.9 ? outcome.step.c_str() : "");
            QVERIFY2(outcome.legs > 0, outcome.step.c_str());
            // Somebody who turns over in the air stands for too few frames to say where.
            if (!motion.contains("somersault")) QVERIFY(std::abs(outcome.stands) < 0.03 * outcome.legs);
            QVERIFY(outcome.thighs < 15 / kDegrees);
            QVERIFY2(outcome.steps < 1, outcome.step.c_str());
        }
    }

    /// A capture onto its own skeleton, whose joints have other names, and whose rest pose is another: back within 0.1
    /// mm and 0.1 degrees, keys for keys.
    void theSameSkeletonGetsTheSameMotion_data()
    {
        QTest::addColumn<QString>("motion");
        for (const char* motion :
             {"mocap/kimodo-soma/walk_turn_sneak.bvh", "mocap/cmu-daz/02_01_walk.bvh", "mocap/cmu-fbx/07_01_walk.fbx",
              "mocap/vrma/idle_loop.vrma", "mocap/kaykit/Med_CombatRanged.glb",
              "mocap/cmu-rancidmilk/91_48_walk_style.fbx", "mocap/quaternius/robot_2018.fbx"})
            QTest::addRow("%s", motion) << motion;
    }
    void theSameSkeletonGetsTheSameMotion()
    {
        QFETCH(QString, motion);
        Asset source = read(motion);
        const Clip clip = *source.scene.clips.front();
        std::mt19937 random(21);
        for (const bool restsOtherwise : {false, true}) {
            if (restsOtherwise) source.scene.model = nullptr; // a mesh would say how it was bound
            Asset character = source;
            std::set<JointId> withRoles;
            for (const auto& [role, ids] : source.roles)
                if (role != "root") withRoles.insert(ids.begin(), ids.end());
            int number = 0;
            for (Joint& joint : character.scene.joints.edit()) {
                if (withRoles.count(joint.id) == 0) continue; // what is between them is as it is
                joint.name = "j" + std::to_string(++number);
                if (restsOtherwise)
                    joint.rest.rotation = (joint.rest.rotation * test::Person::randomTurn(random, 0.5)).normalized();
            }
            auto by = Retargeter::create(source.scene, clip, source.roles, character.scene, source.roles, {});
            QVERIFY2(by, by ? "" : by.error().text().c_str());
            const auto made = retargetClip(*by, frameTimes(clip, source.scene.fps), source.scene.fps);
            QVERIFY(made);
            Clip moved = clip;
            moved.channels = made->channels;
            const RoledFigure &there = by->motionFigure(), &here = by->characterFigure();
            double off = 0, turned = 0;
            std::string where;
            for (std::size_t i = 0; i < made->times.size(); i += std::max<std::size_t>(made->times.size() / 60, 1)) {
                const WorldPose a = worldAt(source.scene, there, clip, made->times[i]),
                                b = worldAt(character.scene, here, moved, made->times[i]);
                for (const auto& [role, ids] : source.roles)
                    for (const JointIndex joint : there.joints(role)) {
                        turned = std::max(turned, a.rotation[at(joint)].angularDistance(b.rotation[at(joint)]));
                        const double now = (a.position[at(joint)] - b.position[at(joint)]).norm();
                        if (now > off) off = now, where = role;
                    }
            }
            qInfo("%s: %.4f mm at %s, %.4f°", restsOtherwise ? "another rest pose" : "renamed", off * 1000,
                  where.c_str(), turned * kDegrees);
            QVERIFY(off < 1e-4);
            QVERIFY(turned < 0.1 / kDegrees);
        }
    }

    /// A figure onto itself with limbs of 0.7 to 1.4 times their lengths: hips go by the legs, it faces as the motion
    /// does, feet are at their scaled places, and hands at theirs from the shoulder.
    void limbsOfOtherLengthsKeepTheirPlaces_data()
    {
        QTest::addColumn<QString>("motion");
        for (const char* motion : {"mocap/cmu-daz/09_01_run.bvh", "mocap/kimodo-soma/walk_turn_sneak.bvh",
                                   "characters/khronos/CesiumMan.glb"})
            QTest::addRow("%s", motion) << motion;
    }
    void limbsOfOtherLengthsKeepTheirPlaces()
    {
        QFETCH(QString, motion);
        Asset source = read(motion);
        source.scene.model = nullptr;
        const Clip clip = *source.scene.clips.front();
        const unsigned seed = std::random_device()();
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> scale(0.7, 1.4);
        for (int round = 0; round < 4; ++round) {
            const double legs = scale(random), arms = scale(random);
            Asset character = source;
            const auto rig = compile(source.scene);
            const RoledFigure figure{*rig, source.roles};
            std::map<JointId, double> longer;
            for (const LimbRoles& limb : kLimbs)
                for (JointIndex joint = figure.first(limb.end), upper = figure.first(limb.upper);
                     joint >= 0 && upper >= 0 && joint != upper; joint = (*rig)->parent[at(joint)])
                    longer[(*rig)->id[at(joint)]] = limb.isLeg ? legs : arms;
            for (Joint& joint : character.scene.joints.edit())
                if (const auto by = longer.find(joint.id); by != longer.end()) joint.rest.translation *= by->second;
            auto by = Retargeter::create(source.scene, clip, source.roles, character.scene, source.roles, {});
            QVERIFY2(by, by ? "" : by.error().text().c_str());
            double hips = 0, feet = 0, hands = 0, facing = 0;
            const double k = by->facts().legScale;
            QVERIFY(std::abs(k - legs) < 0.02);
            LocalPose local;
            ModelPose own;
            const std::vector<Time> times = frameTimes(clip, source.scene.fps);
            for (std::size_t i = 0; i < times.size(); i += std::max<std::size_t>(times.size() / 80, 1)) {
                by->pose(times[i], local);
                forwardKinematics(*by->characterRig(), local, own);
                WorldPose here;
                here.take(own);
                const WorldPose& there = by->motionPose();
                const auto offset = [&](const WorldPose& pose, std::string_view to, std::string_view from) {
                    return Vector3(pose.position[at(figure.first(to))] - pose.position[at(figure.first(from))]);
                };
                for (const LimbRoles& limb : kLimbs) {
                    const JointIndex end = figure.first(limb.end);
                    if (end < 0) continue;
                    if (limb.isLeg)
                        feet = std::max(feet, (here.position[at(end)] - k * there.position[at(end)]).norm());
                    else
                        hands = std::max(
                            hands,
                            (offset(here, limb.end, limb.upper) - arms * offset(there, limb.end, limb.upper)).norm());
                }
                // The hips hang from the middle of the thighs, which is scaled.
                const auto middle = [&](const WorldPose& pose) {
                    return (pose.position[at(figure.first("leftUpperLeg"))] +
                            pose.position[at(figure.first("rightUpperLeg"))])
                               .y() /
                           2;
                };
                hips = std::max(hips, std::abs(middle(here) - k * middle(there)));
                const auto a = trunkAxes(figure, here), b = trunkAxes(figure, there);
                if (a && b) facing = std::max(facing, a->angularDistance(*b));
            }
            const QString what = QString(
                                     "seed %1, round %2, legs %3, arms %4: hips %5 mm, feet %6 mm, hands %7 mm, %8°")
                                     .arg(seed)
                                     .arg(round)
                                     .arg(legs)
                                     .arg(arms)
                                     .arg(hips * 1000)
                                     .arg(feet * 1000)
                                     .arg(hands * 1000)
                                     .arg(facing * kDegrees);
            qInfo("%s", qPrintable(what));
            QVERIFY2(feet < 0.005 && hands < 0.005, qPrintable(what));
            QVERIFY2(facing < 0.5 / kDegrees, qPrintable(what));
            QVERIFY2(hips < 0.03, qPrintable(what));
        }
    }

    /// Neither knees that come out of reach nor elbows that are nearly straight snap.
    void kneesAndElbowsStepAsTheMotionsDo_data()
    {
        QTest::addColumn<QString>("character");
        QTest::addColumn<QString>("motion");
        const std::pair<const char*, const char*> pairs[] = {
            {"characters/quaternius/modular_men_Punk.glb", "mocap/vrma/original_02.vrma"},
            {"characters/makehuman/mh_woman_gameengine.glb", "mocap/vrma/original_02.vrma"},
            {"characters/quaternius/modular_women_Casual.glb", "mocap/vrma/original_02.vrma"},
            {"mocap/mesh2motion/rig_human.glb", "mocap/vrma/original_02.vrma"},
            {"characters/quaternius/platformer_game_pack_Character.glb", "bvh/cmu_12_01_walk.bvh"},
            {"mocap/vrma/idle_loop.vrma", "bvh/kaykit_2h_attack.bvh"},
            {"mocap/vrma/idle_loop.vrma", "mocap/cmu-fbx/09_11_run.fbx"},
            {"mocap/dfki-custom/custom_skeleton_walk.bvh", "mocap/cmu-daz/09_05_run.bvh"},
            {"mocap/mesh2motion/rig_human.glb", "mocap/cmu-rancidmilk/91_48_walk_style.fbx"},
            {"mocap/ozz-pab/locomotions.fbx", "mocap/cmu-cgspeed/run.bvh"},
            // Feet of half a leg, and hips as wide as two legs are long.
            {"characters/godot/platformer_player.glb", "mocap/kimodo-soma/walk_turn_sneak.bvh"},
            {"characters/quaternius/platformer_game_pack_Character.glb", "mocap/cmu-daz/02_01_walk.bvh"},
            {"characters/kaykit/manny_med_mod.gltf", "mocap/cmu-daz/02_01_walk.bvh"}};
        for (const auto& [character, motion] : pairs)
            QTest::addRow("%s <- %s", character, motion) << character << motion;
    }
    void kneesAndElbowsStepAsTheMotionsDo()
    {
        QFETCH(QString, character);
        QFETCH(QString, motion);
        const Steps steps = stepsOf(read(motion), read(character));
        qInfo("%.2f %s, knees bend by up to %.0f° for %.0f°", steps.worst, steps.which.c_str(), steps.bend * kDegrees,
              steps.asked * kDegrees);
        QVERIFY2(steps.worst < 1, steps.which.c_str());
        QVERIFY(steps.bend < 1.5 * steps.asked + 10 / kDegrees);
    }

private:
    Asset read(const QString& file) const
    {
        auto model = importModel(m_assets.filePath(file).toStdString());
        if (!model) qFatal("%s", model.error().text().c_str());
        Asset asset{file.toStdString(), std::move(model->scene), {}};
        asset.roles = guessRoles(asset.scene).map();
        return asset;
    }

    QDir m_assets;
    std::vector<Asset> m_characters;
};

TENDON_TEST(TestRetargetAssets)
#include "tst_retarget_assets.moc"

#include "core/document/AutoRig.h"
#include "core/document/Sides.h"
#include "core/document/Transaction.h"
#include "core/io/import/ModelImport.h"
#include "core/io/project/RoleMapFile.h"
#include "core/scene/RestPose.h"
#include "tests/support/RandomBody.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <utility>

using namespace tendon;
using namespace tendon::test;

namespace {

TestDocument documentOf(const Scene& scene)
{
    TestDocument test;
    Project project;
    project.scene = scene;
    if (!scene.clips.empty()) project.scene.clips.clear(); // limits from roles; poses from goals
    test.document = openDocument(project, {}, TestDocument::solvers());
    return test;
}

RandomBody humanoid(unsigned seed)
{
    std::mt19937 random(seed);
    return randomHumanoid(random);
}

/// A robot on four legs as ANYmal is built: three hinges a leg, and a fixed link below each.
Scene robot()
{
    TestRig rig;
    const auto joint = [&](const std::string& name, JointId parent, const Vector3& place, int axis) {
        const JointId id = rig.joint(name, parent, place);
        for (int k = 0; k < 3; ++k) rig.edit(id).turning[static_cast<std::size_t>(k)].active = k == axis;
        return id;
    };
    constexpr int kFixed = -1, kAlong = 2, kAcross = 0;
    const JointId base = joint("base", {}, {0, 0.6, 0}, kFixed);
    for (const double z : {1.0, -1.0})
        for (const double x : {1.0, -1.0}) {
            const std::string leg = std::string(x > 0 ? "L" : "R") + (z > 0 ? "F_" : "H_");
            JointId at = joint(leg + "HAA", base, {0.116 * x, 0, 0.277 * z}, kAlong);
            at = joint(leg + "HIP", at, {0, 0, 0}, kFixed);
            at = joint(leg + "HFE", at, {0.041 * x, 0, 0.0635 * z}, kAcross);
            at = joint(leg + "THIGH", at, {0, 0, 0}, kFixed);
            at = joint(leg + "KFE", at, {0.109 * x, -0.25, 0}, kAcross);
            at = joint(leg + "SHANK", at, {0, 0, 0}, kFixed);
            at = joint(leg + "ADAPTER", at, {-0.02 * x, 0, 0.1 * z}, kFixed);
            joint(leg + "FOOT", at, {0, -0.32125, 0}, kFixed);
        }
    return rig.scene;
}

/// Where joints stand in the solved pose, by name.
Vector3 placeOf(const TestDocument& test, const std::string& joint) { return test.world(joint.c_str()).translation(); }

void carry(TestDocument& test, const QJsonObject& operation)
{
    const auto done = carryOut(test.document, operation);
    if (!done)
        qFatal("%s: %s", QJsonDocument(operation).toJson(QJsonDocument::Compact).constData(),
               done.error().text().c_str());
}

/// What a rig has to do: "" or what it does not.
QString trial(TestDocument& test)
{
    const SkeletonRoles roles = guessRoles(test.scene());
    const auto named = [&](const char* role) {
        const RoleGuess* guess = roles.find(role);
        return guess == nullptr ? std::string() : referenceTo(test.scene(), guess->joints.front());
    };
    // Hips down by a fifth of the leg: the feet stay, the knees go forward.
    const std::string hips = named("hips");
    QString report;
    for (const char* side : {"left", "right"}) {
        const std::string upper = named((std::string(side) + "UpperLeg").c_str()),
                          lower = named((std::string(side) + "LowerLeg").c_str());
        const std::string foot = named((std::string(side) + "Foot").c_str());
        if (hips.empty() || upper.empty() || lower.empty() || foot.empty())
            return report + QString(" no %1 leg").arg(side);
        if (!isAncestor(test.scene(), *test.scene().jointNamed(upper), *test.scene().jointNamed(foot)))
            continue; // it stands apart
        TestDocument bent;
        bent.document = test.document;
        const Vector3 before = placeOf(bent, foot), hip = placeOf(bent, upper);
        const double leg = (placeOf(bent, lower) - hip).norm() + (before - placeOf(bent, lower)).norm();
        const Affine world = bent.world(hips.c_str());
        const Joint& hipsJoint = *bent.scene().find(*bent.scene().jointNamed(hips));
        const Affine parent = hipsJoint.parent.isValid()
                                  ? bent.world(referenceTo(bent.scene(), hipsJoint.parent).c_str())
                                  : Affine::Identity();
        const Vector3 lowered = parent.inverse() * Vector3(world.translation() - 0.2 * leg * roles.frame.up);
        carry(bent, {{"op", "setPose"},
                     {"joint", QString::fromStdString(hips)},
                     {"translation", QJsonArray{lowered.x(), lowered.y(), lowered.z()}}});
        const Vector3 after = placeOf(bent, foot);
        if ((after - before).norm() > 1e-3)
            report += QString(" %1 foot moved by %2 mm").arg(side).arg(1000 * (after - before).norm());
        const Vector3 top = placeOf(bent, upper), knee = placeOf(bent, lower);
        const Vector3 line = (after - top).normalized();
        const Vector3 off = (knee - top) - (knee - top).dot(line) * line;
        if (!(off.dot(roles.frame.forward) > 0.7 * off.norm()))
            report += QString(" %1 knee does not go forward").arg(side);
    }
    return report;
}

/// A hand goes round a circle: the largest step of a joint's turn against its neighbours'.
double worstStep(TestDocument& test, const Handle& handle)
{
    constexpr int kSteps = 72;
    const std::string end = referenceTo(test.scene(), handle.end), start = referenceTo(test.scene(), handle.start);
    const Vector3 hand = placeOf(test, end), shoulder = placeOf(test, start);
    const double reach = (hand - shoulder).norm();
    const SkeletonRoles roles = guessRoles(test.scene());
    // In front of the body, where hands work.
    const Vector3 middle = shoulder + 0.5 * reach * roles.frame.forward + 0.35 * (hand - shoulder) -
                           0.15 * reach * roles.frame.up;
    std::vector<std::vector<Quaternion>> poses;
    const std::vector<JointId> joints = chain(test.scene(), handle.start, handle.end);
    for (int i = 0; i < kSteps; ++i) {
        const double angle = 2 * M_PI * i / kSteps;
        const Vector3 goal = middle +
                             0.25 * reach * (std::cos(angle) * roles.frame.left + std::sin(angle) * roles.frame.up);
        carry(test, {{"op", "setGoal"},
                     {"handle", QString::fromStdString(handle.name)},
                     {"position", QJsonArray{goal.x(), goal.y(), goal.z()}}});
        std::vector<Quaternion> pose;
        for (std::size_t k = 0; k + 1 < joints.size(); ++k) {
            const Affine world = test.world(referenceTo(test.scene(), joints[k]).c_str());
            pose.push_back(Quaternion(rotationOf(world)));
        }
        poses.push_back(std::move(pose));
    }
    std::vector<double> steps;
    for (int i = 0; i < kSteps; ++i) {
        double step = 0;
        for (std::size_t k = 0; k < poses[0].size(); ++k)
            step = std::max(step, poses[static_cast<std::size_t>(i)][k].angularDistance(
                                      poses[static_cast<std::size_t>((i + 1) % kSteps)][k]));
        steps.push_back(step);
    }
    double worst = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double neighbours = std::max(steps[(i + steps.size() - 1) % steps.size()], steps[(i + 1) % steps.size()]);
        if (steps[i] > radians(1)) worst = std::max(worst, steps[i] / std::max(neighbours, 1e-9));
    }
    return worst;
}

} // namespace

class TestAutoRig : public QObject
{
    Q_OBJECT

private slots:
    void oneStepRigsABody()
    {
        const RandomBody body = humanoid(11);
        TestDocument test = documentOf(body.scene);
        const Scene before = test.scene();
        const std::size_t steps = test.document.history.undoCount();
        test(R"({"op": "autoRig"})");
        QCOMPARE(test.document.history.undoCount(), steps + 1);
        for (const char* name : {"FootIK_L", "FootIK_R", "HandIK_L", "HandIK_R"}) {
            const Handle* handle = test.scene().handleNamed(name);
            QVERIFY2(handle != nullptr, name);
            QCOMPARE(handle->solver, std::string("two-bone"));
            QVERIFY(handle->hasPole);
        }
        QVERIFY(test.handle("HandIK_L").soft >= 0 && test.handle("HandIK_L").soft < 0.031);
        for (const char* name : {"SpineIK", "HeadIK"}) // bodies differ in which they have
            if (const Handle* handle = test.scene().handleNamed(name))
                QCOMPARE(handle->follow, before.find(handle->start)->parent.value);
        for (const char* name : {"FootIK_L", "FootIK_R", "HandIK_L", "HandIK_R"})
            QCOMPARE(test.handle(name).follow, ObjectId{0});
        QVERIFY(test.handle("FootIK_L").isPinned && !test.handle("HandIK_L").isPinned);
        QVERIFY(test.handle("HandIK_L").isCarried());
        QCOMPARE(jointOf(*test.scene().roles, "leftFoot"), *test.scene().jointNamed(body.joints.at("leftFoot")));
        QVERIFY(hasLimits(test.joint(body.joints.at("leftLowerLeg").c_str())));
        QVERIFY(!hasLimits(test.joint(body.joints.at("hips").c_str())));
        // Nothing has moved, straight arms neither.
        for (const Joint& joint : *before.joints) {
            const double moved = (worldInRestPose(before, joint.id).translation() -
                                  placeOf(test, referenceTo(test.scene(), joint.id)))
                                     .norm();
            const bool isStill = moved < 2e-3;
            QVERIFY2(
                isStill,
                qPrintable(QString("%1 moved by %2 mm").arg(QString::fromStdString(joint.name)).arg(1000 * moved)));
        }
        test(R"({"op": "undo"})");
        QVERIFY(before == test.scene());
        test(R"({"op": "redo"})");
        // What is there stays.
        const Scene rigged = test.scene();
        test(R"({"op": "autoRig"})");
        QCOMPARE(test.scene().handles->size(), rigged.handles->size());
        QVERIFY(test.says("are there already and stay as they are"));
    }

    void onlyWhatIsAskedForIsRigged()
    {
        TestDocument test = documentOf(humanoid(12).scene);
        test(R"({"op": "autoRig", "accept": ["leftLeg"], "limits": false, "preferred": false})");
        QCOMPARE(test.scene().handles->size(), std::size_t{1});
        QVERIFY(std::none_of(test.scene().joints->begin(), test.scene().joints->end(),
                             [](const Joint& joint) { return hasLimits(joint); }));
        QVERIFY(test.error(R"({"op": "autoRig", "accept": ["thirdLeg"]})")
                    .find("there is no limb called \"thirdLeg\"; there are ") != std::string::npos);
        TestDocument dot;
        dot(R"({"op": "addJoint", "name": "dot"})");
        QVERIFY(dot.error(R"({"op": "autoRig"})").find("found no limbs among 1 joint") != std::string::npos);
    }

    /// An elbow that cannot turn is nothing for a solver of two bones: that arm gets no handle, all else is as ever.
    void aLimbThatCannotBeMadeIsLeftOutAndSaid()
    {
        const RandomBody body = humanoid(13);
        TestDocument whole = documentOf(body.scene), part = documentOf(body.scene);
        const QString elbow = QString::fromStdString(body.joints.at("leftLowerArm"));
        for (TestDocument* test : {&whole, &part})
            for (const char* axis : {"x", "y", "z"})
                carry(*test, {{"op", "setRotationAxis"}, {"joint", elbow}, {"axis", axis}, {"active", test == &whole}});
        std::vector<LimbWithoutHandle> refused;
        part.document.services.rigged = [&](const RigPlan& made) {
            for (const LimbWithoutHandle& limb : made.without)
                if (limb.isRefused) refused.push_back(limb);
        };
        whole(R"({"op": "autoRig"})");
        part(R"({"op": "autoRig"})");
        QCOMPARE(part.scene().handles->size() + 1, whole.scene().handles->size());
        for (const Handle& handle : *whole.scene().handles)
            QCOMPARE(part.scene().handleNamed(handle.name) != nullptr, handle.name != "HandIK_L");
        QCOMPARE(refused.size(), std::size_t{1});
        QCOMPARE(refused.front().limb, std::string("leftArm"));
        const auto said = std::find_if(part.document.messages.begin(), part.document.messages.end(),
                                       [](const Issue& issue) { return issue.text.starts_with("gets no handle: "); });
        QVERIFY(said != part.document.messages.end());
        QCOMPARE(said->where, std::string("left arm"));
        QVERIFY(said->severity == Severity::Warning);
        QVERIFY2(said->text.find("setHandle") == std::string::npos && said->text.find("addHandle") == std::string::npos,
                 said->text.c_str());
        // Where nothing else is asked for, nothing can be made, and nothing has changed.
        TestDocument none = documentOf(part.scene());
        const Scene before = none.scene();
        const std::string error = none.error(R"({"op": "autoRig", "accept": ["leftArm"], "limits": false,
                                                 "preferred": false})");
        QVERIFY2(error.find(refused.front().reason) != std::string::npos, error.c_str());
        QVERIFY(none.scene() == before);
    }

    /// The goals of new handles follow the current clip, other clips stay FK; and a frame without keys costs less than
    /// showing it.
    void clipsKeepTheirMotion()
    {
        const RandomBody body = humanoid(14);
        Project project;
        project.scene = body.scene;
        project.scene.clips.clear();
        TestDocument still = documentOf(body.scene), shorter, moving;
        for (const auto& [test, frames] : {std::pair(&shorter, 2000), std::pair(&moving, 20000)}) {
            test->document = openDocument(project, {}, TestDocument::solvers());
            for (const auto& [clip, last] : {std::pair("other", 10), std::pair("long", frames)}) {
                carry(*test, {{"op", "addClip"}, {"name", clip}});
                for (const auto& [frame, angle] : {std::pair(1, 0), std::pair(last, 40)}) {
                    carry(*test, {{"op", "setFrame"}, {"value", frame}});
                    for (const char* part : {"leftUpperLeg", "rightUpperArm"}) {
                        const QString joint = QString::fromStdString(body.joints.at(part));
                        carry(*test, {{"op", "rotate"}, {"joint", joint}, {"axis", "x"}, {"value", angle}});
                        carry(*test, {{"op", "key"}, {"target", joint}});
                    }
                }
            }
        }
        carry(moving, {{"op", "setFrame"}, {"value", 1}});
        const std::vector<std::pair<const char*, int>> moments = {{"long", 1},     {"long", 2500}, {"long", 9000},
                                                                  {"long", 19900}, {"other", 1},   {"other", 6}};
        const auto places = [&] {
            std::vector<Vector3> at;
            for (const auto& [clip, frame] : moments) {
                carry(moving, {{"op", "selectClip"}, {"name", clip}});
                carry(moving, {{"op", "setFrame"}, {"value", frame}});
                for (const char* part : {"leftLowerLeg", "leftFoot", "rightLowerArm", "rightHand", "head"})
                    at.push_back(moving.world(body.joints.at(part).c_str()).translation());
            }
            carry(moving, {{"op", "selectClip"}, {"name", "long"}});
            carry(moving, {{"op", "setFrame"}, {"value", 1}});
            return at;
        };
        const std::vector<Vector3> before = places();
        const auto secondsOf = [](const auto& work) {
            const std::clock_t begin = std::clock();
            work();
            return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        };
        const auto rig = [&](TestDocument& test) {
            return secondsOf([&] { test(R"({"op": "autoRig", "learnFrom": ""})"); });
        };
        const double shown = secondsOf([&] { // each hundredth frame
            for (int i = 0; i < 200; ++i) {
                carry(moving, {{"op", "setFrame"}, {"value", 100 * i + 1}});
                QVERIFY(moving.world(body.joints.at("head").c_str()).matrix().allFinite());
            }
            carry(moving, {{"op", "setFrame"}, {"value", 1}});
        });
        rig(still);
        const double few = rig(shorter), many = rig(moving); // one has a tenth of the frames
        QVERIFY2(many < few + 900 * shown,
                 qPrintable(QString("%1 s, %2 s for fewer, %3 s to show 200").arg(many).arg(few).arg(shown)));
        QCOMPARE(moving.scene().handles->size(), still.scene().handles->size());
        const Handle* foot = nullptr;
        for (const Handle& handle : *moving.scene().handles)
            if (moving.scene().find(handle.end)->name == body.joints.at("leftFoot")) foot = &handle;
        QVERIFY(foot != nullptr);
        const ChannelId goal{foot->id.value, Property::GoalPosition}, blend{foot->id.value, Property::Blend};
        QVERIFY(moving.scene().clipNamed("long")->find(goal)->size() > 2); // the foot goes round an arc
        QVERIFY(moving.scene().clipNamed("long")->find(blend) == nullptr);
        QVERIFY(moving.scene().clipNamed("other")->find(goal) == nullptr);
        QCOMPARE(moving.scene().clipNamed("other")->find(blend)->front().value[0], 0.0);
        const std::vector<Vector3> after = places();
        for (std::size_t i = 0; i < after.size(); ++i)
            QVERIFY2((after[i] - before[i]).norm() < 0.005,
                     qPrintable(QString("%1: %2 m").arg(i).arg((after[i] - before[i]).norm())));
    }

    void feetStayAndKneesGoForwardWhenHipsSink()
    {
        QStringList failures;
        for (unsigned seed = 1; seed <= 12; ++seed) {
            const RandomBody body = humanoid(seed);
            TestDocument test = documentOf(body.scene);
            test(R"({"op": "autoRig"})");
            if (const QString report = trial(test); !report.isEmpty())
                failures << QString("seed %1 (%2):%3").arg(seed).arg(QString::fromStdString(body.description), report);
        }
        QVERIFY2(failures.isEmpty(), qPrintable(failures.join('\n')));
    }

    /// Where a clip moves the trunk, its goals have keys, and still go along with hips that sink.
    void keyedGoalsOfTheTrunkGoWithTheHips()
    {
        unsigned seed = 1;
        const auto hasBoth = [&] {
            TestDocument trial = documentOf(humanoid(seed).scene);
            trial(R"({"op": "autoRig"})");
            return trial.scene().handleNamed("SpineIK") != nullptr && trial.scene().handleNamed("HeadIK") != nullptr;
        };
        while (seed < 40 && !hasBoth()) ++seed;
        const RandomBody body = humanoid(seed);
        TestDocument test = documentOf(body.scene);
        test(R"({"op": "addClip", "name": "nod"})");
        for (const int frame : {1, 10}) {
            carry(test, {{"op", "setFrame"}, {"value", frame}});
            for (const char* part : {"spine", "neck"}) {
                const QString joint = QString::fromStdString(body.joints.at(part));
                carry(test, {{"op", "rotate"}, {"joint", joint}, {"axis", "x"}, {"value", 2 * frame}});
                carry(test, {{"op", "key"}, {"target", joint}});
            }
        }
        test(R"({"op": "autoRig"})");
        const std::string hips = body.joints.at("hips"), head = body.joints.at("head");
        QVERIFY(test.scene().clipNamed("nod")->find({test.handle("HeadIK").id.value, Property::GoalPosition}));
        const auto headFromHips = [&] {
            return Vector3(test.world(hips.c_str()).inverse() * Vector3(test.world(head.c_str()).translation()));
        };
        const Vector3 before = headFromHips(), place = placeOf(test, hips);
        const Joint& joint = test.joint(hips.c_str());
        const Affine above = joint.parent.isValid() ? test.world(referenceTo(test.scene(), joint.parent).c_str())
                                                    : Affine::Identity();
        const Vector3 lowered = above.inverse() * Vector3(place - 0.17 * Vector3::UnitY());
        carry(test, {{"op", "setPose"},
                     {"joint", QString::fromStdString(hips)},
                     {"translation", QJsonArray{lowered.x(), lowered.y(), lowered.z()}}});
        QVERIFY((placeOf(test, hips) - place).norm() > 0.16);
        const double apart = (headFromHips() - before).norm();
        QVERIFY2(apart < 1e-4, qPrintable(QString("the head is off by %1 mm").arg(1000 * apart)));
    }

    /// A foot that stands apart is to be linked, and what carries both the hips and the legs is named.
    void whatDoesNotHangTogetherIsSaid()
    {
        const RandomBody body = humanoid(8);
        TestDocument test = documentOf(body.scene);
        const auto name = [&](const char* role) { return QString::fromStdString(body.joints.at(role)); };
        test(R"({"op": "addJoint", "name": "Carrier"})");
        const auto link = [&](const char* role, const QJsonValue& parent) {
            carry(test, {{"op", "link"}, {"joint", name(role)}, {"parent", parent}});
        };
        for (const char* role : {"hips", "leftUpperLeg", "rightUpperLeg"}) link(role, "Carrier");
        link("leftFoot", QJsonValue::Null);
        QJsonObject roles;
        for (const char* role : {"hips", "spine", "leftUpperLeg", "leftLowerLeg", "leftFoot", "rightUpperLeg",
                                 "rightLowerLeg", "rightFoot"})
            roles.insert(role, name(role));
        carry(test, {{"op", "setRoles"}, {"roles", roles}});
        const SkeletonRoles guess = guessRoles(test.scene());
        const Limb *left = guess.limb("leftLeg"), *right = guess.limb("rightLeg"), *spine = guess.limb("spine");
        QVERIFY(left != nullptr && right != nullptr && spine != nullptr);
        const std::string apart = body.joints.at("leftFoot") + " does not hang from " + body.joints.at("leftLowerLeg");
        QVERIFY2(left->toDo.starts_with(apart) && left->isToCheck(), left->toDo.c_str());
        QVERIFY2(right->toDo.empty(), right->toDo.c_str());
        QVERIFY2(spine->reason.find("do not hang from " + body.joints.at("hips") + ": move Carrier ") !=
                     std::string::npos,
                 spine->reason.c_str());
        test(R"({"op": "autoRig"})");
        QVERIFY(test.says(apart.c_str()));
        // Linked, there is nothing to do.
        link("leftFoot", name("leftLowerLeg"));
        QVERIFY(guessRoles(test.scene()).limb("leftLeg")->toDo.empty());
    }

    void handsGoRoundWithoutAJump()
    {
        for (unsigned seed = 1; seed <= 6; ++seed) {
            TestDocument test = documentOf(humanoid(seed).scene);
            test(R"({"op": "autoRig"})");
            for (const char* name : {"HandIK_L", "HandIK_R"}) {
                const double worst = worstStep(test, test.handle(name));
                QVERIFY2(
                    worst < 3,
                    qPrintable(QString("seed %1, %2: a step %3 times its neighbours'").arg(seed).arg(name).arg(worst)));
            }
        }
    }

    void animalsGetAHandleForEachLeg()
    {
        std::mt19937 random(5);
        TestDocument test = documentOf(randomQuadruped(random).scene);
        test(R"({"op": "autoRig"})");
        for (const char* name : {"FrontFootIK_L", "FrontFootIK_R", "HindFootIK_L", "HindFootIK_R"})
            QVERIFY2(test.scene().handleNamed(name) != nullptr, name);
        const bool hasTail = std::any_of(test.scene().handles->begin(), test.scene().handles->end(),
                                         [](const Handle& handle) { return handle.name == "TailIK"; });
        QVERIFY(hasTail);
    }

    /// A leg of three hinges runs from the first of them, and asks for the place of its foot alone: all feet stay where
    /// they are when the body comes down and aside.
    void legsOfHingesKeepTheirFeet()
    {
        const Scene scene = robot();
        const SkeletonRoles roles = guessRoles(scene);
        QCOMPARE(roles.plan, BodyPlan::Quadruped);
        TestDocument test = documentOf(scene);
        test(R"({"op": "autoRig"})");
        std::map<std::string, Vector3> feet;
        for (const char* leg : {"LF", "RF", "LH", "RH"}) {
            const auto jointOfLeg = [&](const char* joint) { return *scene.jointNamed(std::string(leg) + joint); };
            const std::string role = std::string(leg[0] == 'L' ? "left" : "right") + (leg[1] == 'F' ? "Front" : "Hind");
            for (const auto& [part, joint] :
                 {std::pair("UpperLeg", "_HFE"), {"LowerLeg", "_KFE"}, {"Foot", "_FOOT"}, {"Shoulder", "_HAA"}}) {
                const RoleGuess* guess = roles.find(role + part);
                QVERIFY2(guess != nullptr && guess->joints.front() == jointOfLeg(joint),
                         qPrintable(QString(leg) + part));
            }
            const auto ends = [&](const Handle& handle) {
                return handle.start == jointOfLeg("_HAA") && handle.end == jointOfLeg("_FOOT");
            };
            const auto handle = std::find_if(test.scene().handles->begin(), test.scene().handles->end(), ends);
            QVERIFY2(handle != test.scene().handles->end(), leg);
            QCOMPARE(handle->orientationWeight, 0.0);
            feet[std::string(leg) + "_FOOT"] = placeOf(test, std::string(leg) + "_FOOT");
        }
        test(R"({"op": "setPose", "joint": "base", "translation": [0.04, 0.52, 0.03]})");
        for (const auto& [foot, place] : feet) {
            const double off = (placeOf(test, foot) - place).norm();
            QVERIFY2(off < 1e-4, qPrintable(QString("%1: %2 mm").arg(foot.c_str()).arg(1000 * off)));
        }

        // An ankle that turns about all axes makes six: then the foot can be turned, too.
        Scene turning = scene;
        for (Joint& joint : turning.joints.edit())
            if (joint.name.ends_with("FOOT"))
                for (AxisFreedom& axis : joint.turning) axis.active = true;
        TestDocument six = documentOf(turning);
        six(R"({"op": "autoRig", "limits": false})");
        QCOMPARE(six.scene().handles->size(), test.scene().handles->size());
        for (const Handle& handle : *six.scene().handles) QCOMPARE(handle.orientationWeight, 1.0);
    }

    /// The characters and mechanisms of the shared assets, if they are there.
    void theSharedModelsAreRigged()
    {
        const QString shared = qEnvironmentVariable("TENDON_SHARED", TENDON_SOURCE_DIR "/../shared");
        const QDir assets(shared + "/assets");
        if (!assets.exists())
            QSKIP(qPrintable("no models to read: TENDON_SHARED names no folder with assets (" + shared + ")"));
        QStringList failures;
        for (const char* file :
             {"characters/quaternius/modular_men_Punk.glb", "characters/makehuman/mh_woman_gameengine.glb",
              "characters/makehuman/mh_man_default163_allweights.glb", "characters/kaykit/manny_med_mod.gltf",
              "characters/vrm/basic_armature.vrm", "characters/ufbx/maya_human_ik_7400_binary.fbx",
              "characters/babylon/riggedMesh.glb", "mocap/biped-rocketbox/female_adult_05.fbx",
              "mocap/mesh2motion/rig_human.glb", "characters/ozz/pab_skeleton.fbx"}) {
            const auto model = importModel(assets.filePath(file).toStdString());
            QVERIFY2(model, model ? "" : model.error().text().c_str());
            TestDocument test = documentOf(model->scene);
            const std::clock_t begin = std::clock();
            test(R"({"op": "autoRig"})");
            const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
            qInfo("%s: %zu joints, %zu handles in %.3f s", file, model->scene.joints->size(),
                  test.scene().handles->size(), seconds);
            QString report = trial(test);
            for (const char* name : {"HandIK_L", "HandIK_R"}) {
                if (test.scene().handleNamed(name) == nullptr)
                    report += QString(" no %1").arg(name);
                else if (const double worst = worstStep(test, test.handle(name)); worst >= 3)
                    report += QString(" %1: a step %2 times its neighbours'").arg(name).arg(worst);
            }
            if (!report.isEmpty()) failures << QString(file) + ":" + report;
        }
        for (const char* file :
             {"characters/mechanical/lamp.glb", "characters/mechanical/leg.glb", "characters/mechanical/telescope.glb",
              "robots/ur5.urdf", "robots/panda.urdf", "robots/iiwa14.urdf"}) {
            const auto model = importModel(assets.filePath(file).toStdString());
            QVERIFY2(model, model ? "" : model.error().text().c_str());
            TestDocument test = documentOf(model->scene);
            const auto done = carryOut(test.document, json(R"({"op": "autoRig"})"));
            if (!done || test.scene().handles->empty())
                failures << QString(file) + ": " +
                                (done ? QString("no handle") : QString::fromStdString(done.error().text()));
        }
        QVERIFY2(failures.isEmpty(), qPrintable("\n" + failures.join('\n')));
    }

    void rolesAreSetSwappedAndUndone()
    {
        const RandomBody body = humanoid(3);
        TestDocument test = documentOf(body.scene);
        const QByteArray left = QByteArray::fromStdString(body.joints.at("leftHand")),
                         right = QByteArray::fromStdString(body.joints.at("rightHand"));
        test(R"({"op": "setRoles", "swap": true})"); // nothing is decided: what is guessed changes sides
        QCOMPARE(jointOf(*test.scene().roles, "leftHand"), *test.scene().jointNamed(right.toStdString()));
        test(R"({"op": "setRoles", "swap": true})");
        QCOMPARE(jointOf(*test.scene().roles, "leftHand"), *test.scene().jointNamed(left.toStdString()));
        test(R"({"op": "setRoles", "roles": {"leftHand": null}})");
        QVERIFY(test.scene().roles->at("leftHand").empty());
        test((R"({"op": "setRoles", "roles": {"tail1": ")" + left + R"("}})").constData());
        QCOMPARE(roleOf(*test.scene().roles, *test.scene().jointNamed(left.toStdString())), std::string_view("tail1"));
        test(R"({"op": "undo"})");
        QVERIFY(test.scene().roles->count("tail1") == 0);
        QVERIFY(test.error(R"({"op": "setRoles", "roles": {"leftPaw": null}})").find("there is no role \"leftPaw\"") !=
                std::string::npos);
        QVERIFY(test.error(R"({"op": "setRoles", "roles": {"hips": "nowhere"}})").find("roles: hips") !=
                std::string::npos);
        QVERIFY(test.error(R"({"op": "setRoles"})").find("give roles, map or swap") != std::string::npos);
        const Scene before = test.scene();
        test(R"({"op": "guessRoles"})"); // only says
        QVERIFY(before == test.scene());
        QVERIFY(test.says("hips, "));
        // A joint that goes takes its role with it.
        test((R"({"op": "setRoles", "roles": {"rightHand": ")" + right + R"("}})").constData());
        test((R"({"op": "removeJoint", "joint": ")" + right + R"("})").constData());
        QVERIFY(test.scene().roles->count("rightHand") == 0);
    }

    /// Swapping says something of the sides alone: what is in the middle goes on being guessed, with its reasons.
    void aSwapDecidesTheSidesAlone()
    {
        TestDocument test = documentOf(humanoid(15).scene);
        const SkeletonRoles before = guessRoles(test.scene());
        test(R"({"op": "setRoles", "swap": true})");
        const SkeletonRoles after = guessRoles(test.scene());
        QVERIFY(!test.scene().roles->empty());
        for (const RoleGuess& guess : before.roles) {
            const bool isMiddle = sideOfRole(guess.role) == Side::Centre;
            const RoleGuess* now = after.find(isMiddle ? guess.role : mirroredRole(guess.role));
            QVERIFY2(now != nullptr && now->joints == guess.joints, guess.role.c_str());
            QCOMPARE(now->isGiven, !isMiddle);
            if (isMiddle) QCOMPARE(now->reason, guess.reason);
        }
    }

    void sidesAreKnownWithoutNames()
    {
        const RandomBody named = humanoid(31), body = blank(named);
        const Counterparts sides(body.scene);
        const auto id = [&](const char* role) { return *body.scene.jointNamed(body.joints.at(role)); };
        QCOMPARE(sides.of(id("leftHand")), id("rightHand"));
        QCOMPARE(sides.of(id("rightFoot")), id("leftFoot"));
        QCOMPARE(sides.of(id("hips")), id("hips"));
        // Names say so where there are any, and what is decided before them.
        Scene scene = named.scene;
        const auto other = [&](const char* role) { return *scene.jointNamed(named.joints.at(role)); };
        QCOMPARE(Counterparts(scene).of(other("leftHand")), other("rightHand"));
        scene.roles = RoleMap{{"leftHand", {other("leftHand")}}, {"rightHand", {other("rightFoot")}}};
        QCOMPARE(Counterparts(scene).of(other("leftHand")), other("rightFoot"));
    }

    void limitsAreLearntFromTheNamedClipOrFromNoneAndWhatIsKeptStays()
    {
        const RandomBody body = humanoid(41);
        const QByteArray elbow = QByteArray::fromStdString(body.joints.at("leftLowerArm"));
        const QByteArray knee = QByteArray::fromStdString(body.joints.at("leftLowerLeg"));
        const auto rigged = [&](const QByteArray& fields) {
            TestDocument test = documentOf(body.scene);
            test(R"({"op": "addClip", "name": "wave"})");
            for (const char* at : {"0", "20"}) {
                const QByteArray angle = *at == '0' ? "0" : "80"; // far enough to be an elbow's range
                test((QByteArray(R"({"op": "setFrame", "value": )") + at + "}").constData());
                test((R"({"op": "rotate", "joint": ")" + elbow + R"(", "axis": "y", "value": )" + angle + "}")
                         .constData());
                test((R"({"op": "key", "target": ")" + elbow + R"("})").constData());
            }
            test(R"({"op": "addClip", "name": "nothing"})");
            test((R"({"op": "autoRig")" + fields + "}").constData());
            return test;
        };
        const auto limits = [&](const TestDocument& test, const QByteArray& joint) {
            return std::pair(test.joint(joint.constData()).turning, test.joint(joint.constData()).ball);
        };
        const TestDocument all = rigged(""), wave = rigged(R"(, "learnFrom": "wave")"),
                           nothing = rigged(R"(, "learnFrom": "nothing")"), none = rigged(R"(, "learnFrom": "")");
        QVERIFY(limits(all, elbow) == limits(wave, elbow));
        QVERIFY(limits(nothing, elbow) == limits(none, elbow));
        QVERIFY(limits(wave, elbow) != limits(none, elbow));
        // A clip never narrows what is usual: an elbow bends by 150 degrees, of which the clip shows 80.
        double widest = 0;
        for (const AxisFreedom& axis : wave.joint(elbow.constData()).turning)
            if (axis.active && axis.limited) widest = std::max(widest, axis.to - axis.from);
        QVERIFY2(degrees(widest) > 149, qPrintable(QString::number(degrees(widest))));
        const TestDocument kept = rigged(R"(, "keepLimits": [")" + knee + R"("])");
        QVERIFY(!hasLimits(kept.joint(knee.constData())));
        QVERIFY(kept.joint(knee.constData()).preferredAngle.isZero());
        QVERIFY(hasLimits(kept.joint(elbow.constData())));
        QVERIFY(hasLimits(all.joint(knee.constData())));
        TestDocument test = documentOf(body.scene);
        QVERIFY(test.error(R"({"op": "autoRig", "keepLimits": ["nobody"]})").find("keepLimits") != std::string::npos);
    }

    void aMapIsSharedByItsNames()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("mine.tendonmap").toStdString();
        const RandomBody body = humanoid(21);
        TestDocument test = documentOf(body.scene);
        const QByteArray hand = QByteArray::fromStdString(body.joints.at("leftHand"));
        test(
            (R"({"op": "saveMap", "armSpread": 2, "file": ")" + QByteArray::fromStdString(path) + R"("})").constData());
        QVERIFY(test.error(R"({"op": "saveMap", "file": "x.tendonmap", "roles": {"leftPaw": null}})")
                    .find("there is no role \"leftPaw\"") != std::string::npos);
        const auto map = readRoleMap(path);
        QVERIFY2(map, map ? "" : map.error().text().c_str());
        QCOMPARE(map->roles.at("leftHand"), std::vector{body.joints.at("leftHand")});
        QCOMPARE(map->armSpread, 2.0);
        QCOMPARE(fittingRoleMaps(folder.path().toStdString(), body.scene), std::vector{path});
        QVERIFY(fittingRoleMaps(folder.path().toStdString(), humanoid(22).scene).empty());

        // Another take of the same skeleton, whose root is called after it; and a skeleton with another joint.
        const auto renamed = [&](bool (*isIt)(const Joint&)) {
            Scene scene = body.scene;
            for (Joint& joint : scene.joints.edit())
                if (isIt(joint)) {
                    joint.name = "take_07";
                    break;
                }
            return scene;
        };
        const Scene take = renamed([](const Joint& joint) { return !joint.parent.isValid(); });
        QCOMPARE(fittingRoleMaps(folder.path().toStdString(), take), std::vector{path});
        QVERIFY(fitRoleMap(*map, take).roles == fitRoleMap(*map, body.scene).roles);
        const Scene stranger = renamed([](const Joint& joint) { return joint.parent.isValid(); });
        QVERIFY(fittingRoleMaps(folder.path().toStdString(), stranger).empty());

        TestDocument other = documentOf(body.scene);
        other((R"({"op": "setRoles", "map": ")" + QByteArray::fromStdString(path) + R"("})").constData());
        QCOMPARE(*other.scene().roles, fitRoleMap(*map, body.scene).roles);
        TestDocument dot;
        dot(R"({"op": "addJoint", "name": "a"})");
        QVERIFY(dot.error((R"({"op": "setRoles", "map": ")" + QByteArray::fromStdString(path) + R"("})").constData())
                    .find("another skeleton") != std::string::npos);
    }
};

TENDON_TEST(TestAutoRig)
#include "tst_auto_rig.moc"

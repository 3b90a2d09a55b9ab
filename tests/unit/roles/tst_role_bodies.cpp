#include "core/roles/Roles.h"
#include "tests/support/RandomBody.h"
#include "tests/support/TestProgram.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace tendon;

namespace {

constexpr unsigned kSeed = 2024;

std::string nameOf(const Scene& scene, JointId joint) { return scene.find(joint)->name; }

bool isLimbOrTrunk(const std::string& role)
{
    for (const char* part : {"Thumb", "Index", "Middle", "Ring", "Little"})
        if (role.find(part) != std::string::npos) return false;
    return role != "root";
}

struct Score
{
    int roles = 0, right = 0, rightAndSure = 0;
    QStringList wrongAndSure;
};

void compare(const test::RandomBody& body, const SkeletonRoles& guesses, unsigned seed, Score& score)
{
    for (const auto& [role, joint] : body.joints) {
        if (!isLimbOrTrunk(role)) continue;
        ++score.roles;
        const RoleGuess* guess = guesses.find(role);
        const bool isRight = guess != nullptr &&
                             std::any_of(guess->joints.begin(), guess->joints.end(),
                                         [&, name = joint](JointId id) { return nameOf(body.scene, id) == name; });
        score.right += isRight;
        score.rightAndSure += isRight && guess->confidence > 0.9;
        if (!isRight && guess != nullptr && guess->confidence > 0.9)
            score.wrongAndSure << QString::fromStdString("seed " + std::to_string(seed) + ", " + body.description +
                                                         ": " + role);
    }
}

/// A hip, a knee and an ankle on each side, and a trunk with two arms, told by shape alone.
test::RandomBody someBody()
{
    std::mt19937 random(kSeed);
    return test::blank(test::randomHumanoid(random));
}

} // namespace

class TestRoleBodies : public QObject
{
    Q_OBJECT

private slots:
    void bodiesOfAnyBuildAreTold_data()
    {
        QTest::addColumn<bool>("isHuman");
        QTest::addColumn<bool>("isNamed");
        QTest::addColumn<double>("least"); // share that is right
        QTest::newRow("humans by name and shape") << true << true << 0.99;
        QTest::newRow("humans by shape") << true << false << 0.97;
        QTest::newRow("animals by name and shape") << false << true << 0.99;
        QTest::newRow("animals by shape") << false << false << 0.93;
    }
    void bodiesOfAnyBuildAreTold()
    {
        QFETCH(bool, isHuman);
        QFETCH(bool, isNamed);
        QFETCH(double, least);
        Score score;
        for (unsigned seed = kSeed; seed < kSeed + 150; ++seed) {
            std::mt19937 random(seed);
            test::RandomBody body = isHuman ? test::randomHumanoid(random) : test::randomQuadruped(random);
            if (!isNamed) body = test::blank(std::move(body));
            compare(body, guessRoles(body.scene), seed, score);
        }
        qInfo("%d of %d right, %d of them above 0.9", score.right, score.roles, score.rightAndSure);
        QVERIFY2(score.right >= least * score.roles, qPrintable(QString("%1 of %2").arg(score.right).arg(score.roles)));
        if (isHuman) QCOMPARE(score.wrongAndSure, QStringList());
        if (isHuman) QVERIFY(score.rightAndSure >= 0.8 * score.right);
    }

    /// What stands on its own in a guess adds up: parts to the confidence, no joint in two roles, limbs of roles.
    void aGuessHoldsTogether()
    {
        for (unsigned seed = kSeed; seed < kSeed + 40; ++seed) {
            std::mt19937 random(seed);
            const test::RandomBody body = seed % 2 == 0 ? test::randomHumanoid(random) : test::randomQuadruped(random);
            const SkeletonRoles guesses = guessRoles(body.scene);
            std::map<JointId, std::string> roleOfJoint;
            for (const RoleGuess& guess : guesses.roles) {
                QVERIFY2(isRoleName(guess.role), guess.role.c_str());
                QVERIFY(guess.confidence >= 0 && guess.confidence <= 1 && !guess.reason.empty() &&
                        !guess.joints.empty());
                QVERIFY(std::abs(guess.parts.names + guess.parts.shape + guess.parts.mirror - guess.confidence) < 1e-9);
                for (const JointId joint : guess.joints) QVERIFY(roleOfJoint.emplace(joint, guess.role).second);
            }
            for (const Limb& limb : guesses.limbs) {
                QVERIFY(!limb.joints.empty() && !limb.reason.empty());
                if (!limb.mirror.empty()) QCOMPARE(guesses.limb(limb.mirror)->mirror, limb.name);
                for (const JointId joint : limb.joints) QVERIFY(roleOfJoint.count(joint) != 0);
            }
            for (const UnknownJoints& unknown : guesses.unknown)
                for (const JointId joint : unknown.joints)
                    QVERIFY(!unknown.reason.empty() && roleOfJoint.count(joint) == 0);
            QVERIFY2(guesses.frame.forward.dot(body.forward) > 0.95,
                     qPrintable(QString("seed %1: %2").arg(seed).arg(QString::fromStdString(body.description))));
        }
    }

    void whatIsDecidedIsKeptAndTheRestFollows()
    {
        test::RandomBody body = someBody();
        const RoleMap found = guessRoles(body.scene).map();
        // Left and right change places for the legs: the arms, which no names tell apart, follow.
        RoleMap decided;
        for (const char* part : {"UpperLeg", "LowerLeg", "Foot"}) {
            decided[std::string("left") + part] = found.at(std::string("right") + part);
            decided[std::string("right") + part] = found.at(std::string("left") + part);
        }
        body.scene.roles = decided;
        const SkeletonRoles again = guessRoles(body.scene);
        QVERIFY(again.find("leftFoot")->isGiven);
        QCOMPARE(again.find("leftFoot")->confidence, 1.0);
        QCOMPARE(again.find("leftFoot")->joints, found.at("rightFoot"));
        QVERIFY(!again.find("leftHand")->isGiven);
        QCOMPARE(again.find("leftHand")->joints, found.at("rightHand"));
        QCOMPARE(swappedSides(swappedSides(found)), found);
        // That no joint has a role is a decision, too.
        body.scene.roles = RoleMap{{"leftFoot", {}}};
        QVERIFY(guessRoles(body.scene).find("leftFoot") == nullptr);
        QVERIFY(guessRoles(body.scene).find("rightFoot") != nullptr);
    }

    /// Names that call left what is on the right, as seen from the front: the body's own sides count, in doubt, and the
    /// reason says so. Wrong and sure is no side.
    void sidesNamedFromTheFrontAreTheBodys()
    {
        int swapped = 0;
        QStringList wrongAndSure;
        for (unsigned seed = kSeed; seed < kSeed + 100; ++seed) {
            std::mt19937 random(seed);
            test::RandomBody body = test::randomHumanoid(random);
            const SkeletonRoles before = guessRoles(body.scene);
            QVERIFY2(!before.areSidesSwapped && sidesNote(before).empty(), qPrintable(QString::number(seed)));
            std::map<std::string, std::string> otherName;
            for (const auto& [role, joint] : body.joints)
                if (const auto mirror = body.joints.find(mirroredRole(role)); mirror != body.joints.end())
                    otherName[joint] = mirror->second;
            std::vector<Joint> joints = body.scene.joints->toVector();
            for (Joint& joint : joints)
                if (const auto other = otherName.find(joint.name); other != otherName.end()) joint.name = other->second;
            body.scene.joints = std::move(joints);
            const SkeletonRoles guesses = guessRoles(body.scene);
            swapped += guesses.areSidesSwapped;
            for (const auto& [role, name] : body.joints) {
                const RoleGuess* guess = guesses.find(role);
                if (sideOfRole(role) == Side::Centre || !isLimbOrTrunk(role) || guess == nullptr) continue;
                const bool isRight = nameOf(body.scene, guess->joints.front()) == otherName.at(name);
                if (guesses.areSidesSwapped) {
                    QVERIFY2(isRight || guess->joints.size() > 1, qPrintable(QString::fromStdString(role)));
                    QVERIFY(guess->confidence < kSureRole);
                    QVERIFY(guess->reason.find("of the other side") != std::string::npos);
                } else if (!isRight && guess->confidence > 0.9) {
                    wrongAndSure << QString::fromStdString("seed " + std::to_string(seed) + ": " + role);
                }
            }
            // What a person decides counts for what is not decided, too, and needs no note.
            if (!guesses.areSidesSwapped) continue;
            body.scene.roles = RoleMap{{"leftUpperLeg", guesses.find("leftUpperLeg")->joints}};
            const SkeletonRoles decided = guessRoles(body.scene);
            QVERIFY(!decided.areSidesSwapped);
            QCOMPARE(decided.find("leftHand")->joints, guesses.find("leftHand")->joints);
            QVERIFY(decided.find("leftHand")->confidence > kSureRole);
        }
        qInfo("%d of 100 told by the body", swapped);
        QVERIFY(swapped >= 80);
        QCOMPARE(wrongAndSure, QStringList());
    }

    /// Riggers call an animal's front legs arms: what stands on all fours has four legs.
    void frontLegsThatAreCalledArmsAreLegs()
    {
        int right = 0, all = 0;
        for (unsigned seed = kSeed; seed < kSeed + 60; ++seed) {
            std::mt19937 random(seed);
            test::RandomBody body = test::randomQuadruped(random);
            for (auto& [role, name] : body.joints)
                for (const auto& [part, word] :
                     {std::pair("FrontUpperLeg", "UpperArm"), {"FrontLowerLeg", "ForeArm"}, {"FrontFoot", "Hand"}})
                    if (role.ends_with(part)) {
                        const std::string called = (role[0] == 'l' ? "Left" : "Right") + std::string(word);
                        std::vector<Joint> joints = body.scene.joints->toVector();
                        for (Joint& joint : joints)
                            if (joint.name == name) joint.name = called;
                        body.scene.joints = std::move(joints);
                        name = called;
                    }
            const SkeletonRoles guesses = guessRoles(body.scene);
            for (const char* role : {"leftFrontLowerLeg", "rightFrontFoot"}) {
                if (!body.joints.contains(role)) continue;
                const RoleGuess* guess = guesses.find(role);
                ++all;
                right += guess != nullptr && nameOf(body.scene, guess->joints.front()) == body.joints.at(role);
            }
        }
        QVERIFY2(all > 60 && right >= 0.95 * all, qPrintable(QString("%1 of %2").arg(right).arg(all)));
    }

    /// Legs and arms of one joint each, as toys have: their names and places say what they are.
    void aToyOfOneJointALimbIsABody()
    {
        Scene scene;
        const auto add = [&](const char* name, const char* parent, const Vector3& at) {
            Joint joint;
            joint.id.value = scene.takeId();
            joint.name = name;
            if (*parent != 0) joint.parent = *scene.jointNamed(parent);
            joint.rest.translation = at;
            scene.joints.edit().push_back(joint);
        };
        add("figure", "", Vector3::Zero());
        add("leg-left", "figure", Vector3(0.1, 0.2, 0));
        add("leg-right", "figure", Vector3(-0.1, 0.2, 0));
        add("torso", "figure", Vector3(0, 0.2, 0));
        add("arm-left", "torso", Vector3(0.3, 0.2, 0));
        add("arm-right", "torso", Vector3(-0.3, 0.2, 0));
        add("antenna", "torso", Vector3(0, 0.6, 0));
        const SkeletonRoles guesses = guessRoles(scene);
        for (const auto& [role, name] : {std::pair("leftUpperLeg", "leg-left"),
                                         {"rightUpperLeg", "leg-right"},
                                         {"leftUpperArm", "arm-left"},
                                         {"spine", "torso"},
                                         {"hips", "figure"}}) {
            const RoleGuess* guess = guesses.find(role);
            QVERIFY2(guess != nullptr, role);
            QCOMPARE(nameOf(scene, guess->joints.front()), std::string(name));
            QVERIFY2(guess->confidence > 0.5, role);
        }
        QVERIFY(guesses.find("head") == nullptr);
    }

    void helpersAndPropsHaveNoRole()
    {
        test::RandomBody body = someBody();
        const auto add = [&](const char* name, const std::string& parent, const Vector3& way) {
            Joint joint;
            joint.id.value = body.scene.takeId();
            joint.name = name;
            joint.parent = *body.scene.jointNamed(parent);
            joint.rest.translation = way;
            body.scene.joints.edit().push_back(joint);
            return joint.id;
        };
        const JointId shin = *body.scene.jointNamed(body.joints.at("leftLowerLeg"));
        const JointId thigh = *body.scene.jointNamed(body.joints.at("leftUpperLeg"));
        const JointId helper = add("a", body.joints.at("leftUpperLeg"), 0.5 * body.scene.find(shin)->rest.translation);
        const JointId bag = add("b", body.joints.at("spine"), Vector3(0.1, 0, -0.1));
        static_cast<void>(add("c", "b", Vector3(0, -0.1, 0)));
        const SkeletonRoles guesses = guessRoles(body.scene);
        QCOMPARE(guesses.find("leftUpperLeg")->joints.front(), thigh);
        QVERIFY(std::find(guesses.twistHelpers.begin(), guesses.twistHelpers.end(), helper) !=
                guesses.twistHelpers.end());
        QVERIFY(guesses.of(helper) == nullptr && guesses.of(bag) == nullptr);
        const auto isBag = [&](const UnknownJoints& unknown) {
            return unknown.joints.front() == bag && unknown.joints.size() == 2;
        };
        QVERIFY(std::any_of(guesses.unknown.begin(), guesses.unknown.end(), isBag));
    }

    /// Names say which limb is an arm, and what is there of the trunk, whatever limbs are missing or end low.
    void namesTellABodyOfWhichPartsAreMissing_data()
    {
        QTest::addColumn<QStringList>("cut");
        QTest::addColumn<QStringList>("told");
        const QStringList trunk{"hips", "spine", "head"}, arms{"leftUpperArm", "rightLowerArm", "leftHand"},
            legs{"leftUpperLeg", "rightLowerLeg", "leftFoot"};
        QTest::newRow("no shins") << QStringList{"leftLowerLeg", "rightLowerLeg"} << trunk + arms;
        QTest::newRow("one arm") << QStringList{"leftUpperArm"} << trunk + legs;
        QTest::newRow("one leg") << QStringList{"leftLowerLeg"} << trunk + arms;
    }
    void namesTellABodyOfWhichPartsAreMissing()
    {
        QFETCH(QStringList, cut);
        QFETCH(QStringList, told);
        for (unsigned seed = kSeed; seed < kSeed + 40; ++seed) {
            std::mt19937 random(seed);
            test::RandomBody body = test::randomHumanoid(random);
            for (const QString& role : cut) body = test::without(std::move(body), role.toStdString());
            const SkeletonRoles guesses = guessRoles(body.scene);
            const auto where = [&](const std::string& what) {
                return QString::fromStdString("seed " + std::to_string(seed) + ", " + body.description + ": " + what);
            };
            QVERIFY2(guesses.plan != BodyPlan::Quadruped, qPrintable(where("four legs")));
            for (const QString& name : told) {
                const std::string role = name.toStdString();
                const RoleGuess* guess = guesses.find(role);
                QVERIFY2(guess != nullptr, qPrintable(where(role)));
                const auto isIt = [&](JointId id) { return nameOf(body.scene, id) == body.joints.at(role); };
                QVERIFY2(std::any_of(guess->joints.begin(), guess->joints.end(), isIt), qPrintable(where(role)));
            }
        }
    }

    void nothingIsMadeOfNothing()
    {
        QVERIFY(guessRoles(Scene()).roles.empty());
        Scene scene;
        JointId parent;
        for (int i = 0; i < 3; ++i) { // joints at one place
            Joint joint;
            joint.id.value = scene.takeId();
            joint.name = std::to_string(i);
            joint.parent = parent;
            parent = joint.id;
            scene.joints.edit().push_back(joint);
        }
        const SkeletonRoles guesses = guessRoles(scene);
        QVERIFY(std::all_of(guesses.roles.begin(), guesses.roles.end(),
                            [](const RoleGuess& guess) { return guess.confidence < 0.8; }));
    }
};

TENDON_TEST(TestRoleBodies)
#include "tst_role_bodies.moc"

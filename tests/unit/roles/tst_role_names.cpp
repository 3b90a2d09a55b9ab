#include "core/roles/NameReading.h"
#include "core/roles/RoleNames.h"
#include "core/roles/Roles.h"
#include "tests/support/TestProgram.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace tendon;

namespace {

/// The part that a name fits best, among other names.
Part bestPart(const std::string& name, const QStringList& others)
{
    std::vector<std::string> names{name};
    for (const QString& other : others) names.push_back(other.toStdString());
    const NameReading reading = readNames(names).front();
    return static_cast<Part>(std::max_element(reading.fits.begin(), reading.fits.end()) - reading.fits.begin());
}

} // namespace

class TestRoleNames : public QObject
{
    Q_OBJECT

private slots:
    /// What conventions call a part; the same word means different things beside different others.
    void aNameSaysAPart_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("others");
        QTest::addColumn<int>("part");
        QTest::addColumn<int>("side");
        const auto row = [](const char* name, const QStringList& others, Part part, Side side) {
            QTest::addRow("%s beside %s", name, qPrintable(others.join(' ')))
                << name << others << static_cast<int>(part) << static_cast<int>(side);
        };
        constexpr Side L = Side::Left, R = Side::Right, C = Side::Centre;
        row("mixamorig:LeftLeg", {"mixamorig:LeftUpLeg"}, Part::LowerLeg, L);
        row("LeftLeg", {"LeftShin"}, Part::UpperLeg, L);   // SOMA
        row("Left leg", {"Left knee"}, Part::UpperLeg, L); // Cats
        row("LeftShoulder", {"LeftArm", "LeftForeArm"}, Part::Shoulder, L);
        row("LeftShoulder", {"LeftCollar", "LeftElbow"}, Part::UpperArm, L); // Xsens
        row("ShoulderLeft", {"ElbowLeft", "WristLeft"}, Part::UpperArm, L);  // Kinect
        row("left_foot", {"left_ankle", "left_knee"}, Part::Toes, L);        // SMPL
        row("LeftFoot", {"LeftToeBase"}, Part::Foot, L);
        row("calf_r", {"thigh_r"}, Part::LowerLeg, R);
        row("ball_r", {"foot_r"}, Part::Toes, R);
        row("CC_Base_R_Upperarm", {"CC_Base_R_Forearm"}, Part::UpperArm, R);
        row("Bip01 L Finger0", {"Bip01 L Finger1"}, Part::Thumb, L);
        row("Bip001 R Finger31", {"Bip001 R Finger0"}, Part::Ring, R);
        row("finger1-1.L", {"finger5-1.L"}, Part::Thumb, L);                // MakeHuman counts from 1
        row("LeftFinger5Distal", {"LeftFinger1Proximal"}, Part::Little, L); // Rokoko
        row("lShldr", {"lForeArm"}, Part::UpperArm, L);
        row("lfemur", {"ltibia"}, Part::UpperLeg, L); // ASF
        row("lMid1", {"lHand"}, Part::Middle, L);     // Daz
        row("J_Bip_L_UpperArm", {}, Part::UpperArm, L);
        row("upper_armFBXASC046L", {}, Part::UpperArm, L);
        row("pelvis", {}, Part::Hips, C);
        row("Hips", {}, Part::Hips, C);
        row("左足", {"左ひざ", "左足首"}, Part::UpperLeg, L);
        row("左足首", {"左足"}, Part::Foot, L);
        row("右ひじ", {"右腕"}, Part::LowerArm, R);
        row("右手首", {}, Part::Hand, R);
        row("左親指０", {}, Part::Thumb, L);
        row("下半身", {"上半身"}, Part::Hips, C);
        row("left_hip_pitch_joint", {"left_knee_joint"}, Part::UpperLeg, L); // Unitree
        row("L_HFE", {"L_HAA", "L_KFE"}, Part::UpperLeg, L);                 // ANYmal
        row("R_KFE", {"R_HAA", "R_HFE"}, Part::LowerLeg, R);
        row("LThumb", {}, Part::Thumb, L);
        row("rear_tail_02", {}, Part::Tail, C);
        row("LeftFootThumb1", {"LeftFoot"}, Part::Toes, L);
        row("mWristLeft", {"mElbowLeft"}, Part::Hand, L); // Second Life
        row("Neck1", {"Neck"}, Part::Neck, C);
        row("lowerback", {"upperback", "thorax"}, Part::Spine, C);
    }
    void aNameSaysAPart()
    {
        QFETCH(QString, name);
        QFETCH(QStringList, others);
        QFETCH(int, part);
        QFETCH(int, side);
        QCOMPARE(static_cast<int>(bestPart(name.toStdString(), others)), part);
        QCOMPARE(static_cast<int>(readNames(std::vector{name.toStdString()}).front().side), side);
    }

    /// "L_01" to "L_05" are the joints of a left leg where the name says that it is a leg, and vertebrae alone.
    void jointsOfALeftLegAreNoVertebrae()
    {
        std::vector<std::string> legs, spine;
        for (int number = 1; number <= 5; ++number) {
            legs.push_back("HindLeg_L_0" + std::to_string(number));
            spine.push_back("L" + std::to_string(number));
        }
        for (const NameReading& reading : readNames(legs)) {
            QCOMPARE(reading.side, Side::Left);
            QVERIFY(reading.isHind && reading.fit(Part::UpperLeg) > 0.3 && reading.fit(Part::Spine) == 0);
        }
        for (const NameReading& reading : readNames(spine)) QVERIFY(!reading.hasSide && reading.fit(Part::Spine) == 1);
    }

    void whatIsNoPartSaysSo()
    {
        const std::vector<std::string> names = {"HeadTop_End",    "Bip01 HeadNub", "upperarm_twist_01_l",
                                                "IKFrontLeg.L",   "PoleTarget.R",  "handslot.l",
                                                "J_Sec_Hair1_01", "Bone.041",      "17"};
        const std::vector<NameReading> readings = readNames(names);
        QVERIFY(readings[0].isEnd && readings[1].isEnd);
        QVERIFY(readings[2].isTwist);
        QVERIFY(readings[3].isControl && readings[4].isControl);
        QVERIFY(readings[5].isOther && readings[6].isOther);
        QVERIFY(!readings[7].saysAnything() && !readings[8].saysAnything());
    }

    /// Neither what a joint is nor that it is an end depends on a namespace; a reader puts "EndSite_" before it.
    void aNamespaceChangesNothing()
    {
        const std::vector<std::string> plain = {"EndSite_lFoot", "EndSite_lIndex2", "lFoot", "lIndex2", "hip"};
        const std::vector<NameReading> expected = readNames(plain);
        QVERIFY(expected[0].isEnd && expected[1].isEnd && !expected[2].isEnd);
        for (const std::string prefix : {"mixamorig:", "Actor:", "Actor_L:", "A:B:"}) {
            std::vector<std::string> names;
            for (const std::string& name : plain)
                names.push_back(name.starts_with("EndSite_") ? "EndSite_" + prefix + name.substr(8) : prefix + name);
            const std::vector<NameReading> readings = readNames(names);
            for (std::size_t i = 0; i < plain.size(); ++i) {
                QVERIFY2(readings[i].fits == expected[i].fits, names[i].c_str());
                QCOMPARE(readings[i].isEnd, expected[i].isEnd);
                QCOMPARE(readings[i].side, expected[i].side);
                QCOMPARE(readings[i].number, expected[i].number);
            }
        }
    }

    /// Sides are what joints differ in: what all of them share is the name of the character.
    void aCharacterMayBeCalledRight()
    {
        const std::vector<std::string> plain = {"Hips",     "Spine",     "Head",       "LeftArm",  "LeftForeArm",
                                                "RightArm", "LeftUpLeg", "RightUpLeg", "RightLeg", "EndSite_Head"};
        const std::vector<NameReading> expected = readNames(plain);
        for (const auto& [before, after] : {std::pair("Hero_R_", ""),
                                            {"R_Hero_", ""},
                                            {"L.", ""},
                                            {"R2D2_", ""},
                                            {"left_", ""},
                                            {"", "_R"},
                                            {"", "_Hero_L"},
                                            {"Right Hand Man ", ""}}) {
            std::vector<std::string> names;
            for (const std::string& name : plain)
                names.push_back(name.starts_with("EndSite_") ? "EndSite_" + (before + name.substr(8)) + after
                                                             : before + name + after);
            names.emplace_back("Armature");
            const std::vector<NameReading> readings = readNames(names);
            for (std::size_t i = 0; i < plain.size(); ++i) {
                QVERIFY2(readings[i].hasSide == expected[i].hasSide && readings[i].side == expected[i].side,
                         names[i].c_str());
                QVERIFY2(readings[i].fits == expected[i].fits, names[i].c_str());
            }
        }
        // A model of one hand keeps its side.
        const std::vector<std::string> hand = {"R_Hand",   "R_Thumb1",  "R_Thumb2",  "R_Index1",
                                               "R_Index2", "R_Middle1", "R_Middle2", "R_Little1"};
        for (const NameReading& reading : readNames(hand)) QVERIFY(reading.side == Side::Right);
    }

    void everyRoleHasAMirrorImageAndWords()
    {
        std::set<std::string> words;
        for (const std::string_view role : bodyRoles()) {
            QVERIFY(isRoleName(role));
            QCOMPARE(mirroredRole(mirroredRole(role)), std::string(role));
            QVERIFY(isRoleName(mirroredRole(role)));
            QCOMPARE(sideOfRole(role) == Side::Centre, mirroredRole(role) == role);
            QVERIFY(words.insert(roleInWords(role)).second);
        }
        QCOMPARE(bodyRoles().size(), std::size_t{55});
        QCOMPARE(roleInWords("leftUpperArm"), std::string("left upper arm"));
        QCOMPARE(roleInWords("tail12"), std::string("tail 12"));
        for (const char* role : {"root", "tail1", "leftEar2", "rightFrontUpperLeg", "leftHindToes", "leftLeg3Upper",
                                 "link7", "arm2link10", "leftIndexMetacarpal"})
            QVERIFY2(isRoleName(role), role);
        for (const char* role :
             {"", "Hips", "tail", "tail0", "leftHips", "link", "arm0link1", "leftLegUpper", "leftTorso"})
            QVERIFY2(!isRoleName(role), role);
    }
};

TENDON_TEST(TestRoleNames)
#include "tst_role_names.moc"

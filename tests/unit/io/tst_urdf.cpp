#include "core/io/import/ModelImport.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/PoseSampler.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/io/RobotReference.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <random>

using namespace tendon;
using namespace tendon::test;

namespace {

/// One of each kind of joint; axes that are skew, turned round, not of length 1; frames that stand turned.
const char* const kRobot = R"(<?xml version="1.0"?>
<robot name="everything">
  <link name="world"/>
  <link name="base"><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 0.1" rpy="0 0 0.5"/><geometry><box size="0.4 0.3 0.2"/></geometry></visual></link>
  <link name="column"><visual><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.1" length="1"/></geometry></visual></link>
  <link name="arm"/><link name="wrist"/><link name="rod"/><link name="tool"/><link name="finger"/><link name="thumb"/>
  <link name="turret"/><link name="cart"/><link name="drone"/><link name="wheel"/>
  <joint name="mount" type="fixed"><parent link="world"/><child link="base"/><origin xyz="0.1 0.2 0.3" rpy="0.1 -0.2 0.3"/></joint>
  <joint name="turret" type="continuous"><parent link="base"/><child link="column"/><origin xyz="0 0 0.2"/><axis xyz="0 0 1"/></joint>
  <joint name="shoulder" type="revolute"><parent link="column"/><child link="arm"/><origin xyz="0 0 1" rpy="1.2 0.3 -0.7"/>
    <axis xyz="0.3 -0.5 0.9"/><limit lower="-1.5" upper="2.25" effort="1" velocity="2.175"/></joint>
  <joint name="elbow" type="revolute"><parent link="arm"/><child link="wrist"/><origin xyz="0.5 0.1 0" rpy="0 1.5707963267948966 0"/>
    <axis xyz="0 -1 0"/><limit lower="-2.5" upper="-0.25" effort="1" velocity="0"/></joint>
  <joint name="piston" type="prismatic"><parent link="wrist"/><child link="rod"/><origin xyz="0 0 0.25" rpy="-0.4 0 0.9"/>
    <axis xyz="1 2 -2"/><limit lower="0.05" upper="0.4" effort="1" velocity="0.125"/></joint>
  <joint name="flange" type="fixed"><parent link="rod"/><child link="tool"/><origin xyz="0 0.125 0" rpy="0 0 3.1"/></joint>
  <joint name="pinch" type="prismatic"><parent link="tool"/><child link="finger"/><axis xyz="0 0 -1"/><limit upper="0.04"/></joint>
  <joint name="oppose" type="prismatic"><parent link="tool"/><child link="thumb"/><axis xyz="0 1 0"/><limit lower="0" upper="0.04" effort="1" velocity="1"/>
    <mimic joint="pinch" multiplier="-1" offset="0.01"/></joint>
  <joint name="antenna" type="fixed"><parent link="column"/><child link="turret"/><origin xyz="0 0 1.5"/></joint>
  <joint name="glide" type="planar"><parent link="world"/><child link="cart"/><origin xyz="2 0 0" rpy="0.2 0 0"/><axis xyz="0 0 1"/></joint>
  <joint name="flight" type="floating"><parent link="world"/><child link="drone"/><origin xyz="0 0 2" rpy="0 0 0.4"/></joint>
  <joint name="axle" type="continuous"><parent link="drone"/><child link="wheel"/><origin xyz="0.1 0 0"/><axis xyz="-1 0 0"/></joint>
</robot>)";

const Joint* jointOf(const Scene& scene, const std::string& name)
{
    for (const Joint& joint : *scene.joints)
        if (joint.name == name) return &joint;
    return nullptr;
}

/// Links and joints may share names in a file: then the link's has something behind it.
const Joint* jointOfLink(const Scene& scene, const RobotReference& robot, const std::string& link)
{
    const bool isShared = std::any_of(
        robot.joints.begin(), robot.joints.end(),
        [&](const RobotReference::Joint& joint) { return joint.type != "fixed" && joint.name == link; });
    return jointOf(scene, isShared ? link + "_link" : link);
}

/// The channels that stand for a joint's positions, in the reference's order.
std::vector<Property> channelsOf(const Joint& joint)
{
    std::vector<Property> channels;
    for (int axis = 0; axis < 3; ++axis)
        if (joint.sliding[static_cast<std::size_t>(axis)].active)
            channels.push_back(static_cast<Property>(static_cast<int>(Property::Tx) + axis));
    for (int axis = 0; axis < 3; ++axis)
        if (joint.turning[static_cast<std::size_t>(axis)].active)
            channels.push_back(static_cast<Property>(static_cast<int>(Property::Rx) + axis));
    return channels;
}

/// The largest difference of any link's frame (metres and rotation matrix entries) over random configurations; -1 when
/// a link or joint has no joint of its name in the scene.
double worstOver(int configurations, const ImportedModel& model, const RobotReference& robot, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    const auto rig = compile(model.scene);
    if (!rig) return -1;
    Eigen::Matrix3d upright; // the file's +Z is our +Y
    upright << 1, 0, 0, 0, 0, 1, 0, -1, 0;
    double worst = 0;
    for (int c = 0; c < configurations; ++c) {
        Scene posed = model.scene;
        RobotReference::Positions positions;
        for (const RobotReference::Joint& joint : robot.joints) {
            if (joint.type == "fixed") continue;
            const Joint* ours = jointOf(posed, joint.name);
            if (ours == nullptr) return -1;
            std::vector<double>& q = positions[joint.name];
            for (const Property channel : channelsOf(*ours)) {
                const double lower = joint.lower.value_or(-3), upper = joint.upper.value_or(3);
                q.push_back(lower + unit(random) * (upper - lower));
                posed.statics.edit()[{ours->id.value, channel}] = {q.back()};
            }
        }
        PoseSampler sampler(*rig);
        sampler.prepare(posed, nullptr);
        LocalPose local;
        ModelPose pose;
        sampler.sample({}, {}, local);
        forwardKinematics(**rig, local, pose);
        for (const auto& [link, frame] : robot.linkFrames(positions)) {
            const Joint* ours = jointOfLink(posed, robot, link);
            if (ours == nullptr) return -1;
            const Affine& found = pose.modelFromJoint[static_cast<std::size_t>((*rig)->index(ours->id))];
            worst = std::max({worst, (found.translation() - upright * frame.translation()).norm(),
                              (found.linear() - upright * frame.linear()).cwiseAbs().maxCoeff()});
        }
    }
    return worst;
}

/// Empty when every limited joint has exactly the file's limits, and no other has any.
QString wrongLimits(const Scene& scene, const RobotReference& robot)
{
    for (const RobotReference::Joint& joint : robot.joints) {
        if (joint.type == "fixed") continue;
        const Joint* ours = jointOf(scene, joint.name);
        if (ours == nullptr) return QString::fromStdString("no joint " + joint.name);
        int active = 0;
        for (const auto* axes : {&ours->turning, &ours->sliding})
            for (const AxisFreedom& axis : *axes) {
                if (!axis.active) continue;
                ++active;
                if (axis.limited != joint.lower.has_value() ||
                    (axis.limited && (axis.from != *joint.lower || axis.to != *joint.upper)))
                    return QString::fromStdString("limits of " + joint.name);
            }
        if (active != (joint.type == "planar" ? 3 : joint.type == "floating" ? 6 : 1))
            return QString::fromStdString("freedoms of " + joint.name);
    }
    for (const std::string& link : robot.links) {
        const Joint* ours = jointOfLink(scene, robot, link);
        if (ours == nullptr) return QString::fromStdString("no link " + link);
        for (const auto* axes : {&ours->turning, &ours->sliding})
            for (const AxisFreedom& axis : *axes)
                if (axis.active) return QString::fromStdString("the link " + link + " moves by itself");
    }
    return {};
}

} // namespace

class TestUrdf : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const QByteArray& text, const QString& name = "robot.urdf")
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
        return file.fileName();
    }
    ImportedModel import(const QByteArray& text, const ImportOptions& options = {})
    {
        auto model = importModel(write(text).toStdString(), options);
        if (!model) qFatal("%s", model.error().text().c_str());
        return std::move(*model);
    }

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    /// As they stand in the file; 0, and none, are no limit.
    void speedsAreThoseOfTheFile()
    {
        const ImportedModel model = import(kRobot);
        const auto rates = [&](const char* name) {
            const Joint* joint = jointOf(model.scene, name);
            if (joint == nullptr) qFatal("no joint %s", name);
            return std::array{joint->turningRates.speed, joint->slidingRates.speed, joint->turningRates.acceleration};
        };
        QCOMPARE(rates("shoulder"), (std::array{2.175, 0.0, 0.0}));
        QCOMPARE(rates("elbow"), (std::array{0.0, 0.0, 0.0}));
        QCOMPARE(rates("piston"), (std::array{0.0, 0.125, 0.0}));
        QCOMPARE(rates("pinch"), (std::array{0.0, 0.0, 0.0}));
        QCOMPARE(rates("turret"), (std::array{0.0, 0.0, 0.0}));
    }

    void everyLinkIsWhereTheFileSaysInAHundredConfigurations()
    {
        const unsigned seed = 20260101;
        const ImportedModel model = import(kRobot);
        QCOMPARE(model.format, std::string("urdf"));
        const double worst = worstOver(100, model, RobotReference(kRobot), seed);
        QVERIFY2(worst >= 0 && worst < 1e-9, qPrintable(QString("%1, seed %2").arg(worst).arg(seed)));
    }

    void limitsAreThoseOfTheFile() { QCOMPARE(wrongLimits(import(kRobot).scene, RobotReference(kRobot)), QString()); }

    void jointsAtRestBeyondTheirLimitsAreMovedToTheLimit()
    {
        const ImportedModel model = import(kRobot);
        const Joint* elbow = jointOf(model.scene, "elbow");
        const Joint* piston = jointOf(model.scene, "piston");
        // Both have their file's limits about an axis of their own node; elbow's is y, piston's is y or z.
        QCOMPARE(model.scene.staticValue({elbow->id.value, Property::Ry})[0], -0.25);
        const int slide = piston->sliding[1].active ? 1 : 2;
        QVERIFY(piston->sliding[static_cast<std::size_t>(slide)].active);
        QCOMPARE(model.scene.staticValue(
                     {piston->id.value, static_cast<Property>(static_cast<int>(Property::Tx) + slide)})[0],
                 0.05);
        QCOMPARE(model.scene.statics->size(), std::size_t{2});
        QCOMPARE(
            std::count_if(model.issues.begin(), model.issues.end(),
                          [](const Issue& issue) { return issue.text.find("beyond its limits") != std::string::npos; }),
            2);
    }

    void mimicJointsAreReported()
    {
        const ImportedModel model = import(kRobot);
        QVERIFY(std::any_of(model.issues.begin(), model.issues.end(), [](const Issue& issue) {
            return issue.where == "joint pinch" &&
                   issue.text.find("move independently here: oppose (times -1, plus 0.01)") != std::string::npos;
        }));
    }

    void shapesOfLinksAreDrawn()
    {
        const ImportedModel model = import(kRobot);
        const Segment& box = jointOf(model.scene, "base")->segment;
        QCOMPARE(box.shape, Segment::Shape::Box);
        QCOMPARE(box.size, Vector3(0.4, 0.3, 0.2));
        QCOMPARE(box.mass, 3.0);
        const Segment& cylinder = jointOf(model.scene, "column")->segment;
        QCOMPARE(cylinder.shape, Segment::Shape::Cylinder);
        // It stands on its base and runs along y; in the file it runs along z about (0, 0, 0.5).
        QVERIFY((cylinder.offset - Vector3(0, 0, 0)).norm() < 1e-12);
        QVERIFY((cylinder.offset + cylinder.rotation * Vector3(0, 1, 0) - Vector3(0, 0, 1)).norm() < 1e-12);
        QCOMPARE(jointOf(model.scene, "arm")->segment.shape, Segment::Shape::None);
    }

    void anotherUnitScalesLengthsAndSlidesButNotAngles()
    {
        ImportOptions options;
        options.metresPerUnit = 0.001;
        const ImportedModel model = import(kRobot, options);
        const Joint* piston = jointOf(model.scene, "piston");
        const AxisFreedom& slide = piston->sliding[piston->sliding[1].active ? 1 : 2];
        QCOMPARE(slide.from, 0.05 * 0.001);
        QCOMPARE(slide.to, 0.4 * 0.001);
        QCOMPARE(jointOf(model.scene, "elbow")->turning[1].to, -0.25);
        QCOMPARE(jointOf(model.scene, "base")->segment.size.x(), 0.4 * 0.001);
    }

    void faultyDescriptionsAreRefusedWithOneLine_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        const QByteArray two = R"(<link name="a"/><link name="b"/>)";
        QTest::newRow("cut short") << QByteArray(kRobot).left(700) << "cannot read the file";
        QTest::newRow("no links") << QByteArray("<robot name='r'></robot>") << "link";
        QTest::newRow("no limits")
            << "<robot name='r'>" + two +
                   "<joint name='j' type='revolute'><parent link='a'/><child link='b'/></joint></robot>"
            << "limits";
        QTest::newRow("unknown parent")
            << "<robot name='r'>" + two +
                   "<joint name='j' type='fixed'><parent link='c'/><child link='b'/></joint></robot>"
            << "[c]";
        QTest::newRow("unknown type")
            << "<robot name='r'>" + two +
                   "<joint name='j' type='rubber'><parent link='a'/><child link='b'/></joint></robot>"
            << "rubber";
        QTest::newRow("no direction") << "<robot name='r'>" + two +
                                             "<joint name='j' type='continuous'><axis xyz='0 0 0'/><parent "
                                             "link='a'/><child link='b'/></joint></robot>"
                                      << "joint j";
        QTest::newRow("no number") << "<robot name='r'>" + two +
                                          "<joint name='j' type='continuous'><axis xyz='0 x 1'/><parent "
                                          "link='a'/><child link='b'/></joint></robot>"
                                   << "cannot read the file";
        QTest::newRow("two roots") << "<robot name='r'>" + two + "</robot>"
                                   << "root";
        QTest::newRow("circle") << QByteArray(R"(<robot name="r"><link name="o"/><link name="a"/><link name="b"/>
            <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint><joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint></robot>)")
                                << "cycle";
        QTest::newRow("two parents") << QByteArray(R"(<robot name="r"><link name="o"/><link name="a"/><link name="b"/>
            <joint name="i" type="fixed"><parent link="o"/><child link="a"/></joint>
            <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint><joint name="k" type="fixed"><parent link="o"/><child link="b"/></joint></robot>)")
                                     << "more than one parent joint";
    }

    void faultyDescriptionsAreRefusedWithOneLine()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const auto model = importModel(write(text).toStdString());
        QVERIFY(!model);
        const QString line = QString::fromStdString(model.error().text());
        QVERIFY2(line.contains(says), qPrintable(line));
        QVERIFY2(!line.contains('\n') && line.size() < 500, qPrintable(line));
    }

    void theSharedRobotsAlsoMatchTheirFiles()
    {
        const QString shared = qEnvironmentVariable("TENDON_SHARED", TENDON_SOURCE_DIR "/../shared");
        const QDir folder(shared + "/assets/robots");
        if (!folder.exists())
            QSKIP(qPrintable("no robots to read: TENDON_SHARED names no folder with assets/robots (" + shared + ")"));
        const unsigned seed = 7;
        for (const QString& name : folder.entryList({"*.urdf"}, QDir::Files, QDir::Name)) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const RobotReference robot(file.readAll());
            const auto model = importModel(file.fileName().toStdString());
            QVERIFY2(model, model ? "" : model.error().text().c_str());
            const double worst = worstOver(100, *model, robot, seed);
            qInfo("%-24s %3zu links, %3zu joints in the scene, 100 configurations within %.1e", qPrintable(name),
                  robot.links.size(), model->scene.joints->size(), worst);
            QVERIFY2(worst >= 0 && worst < 1e-9, qPrintable(QString("%1: %2, seed %3").arg(name).arg(worst).arg(seed)));
            QCOMPARE(wrongLimits(model->scene, robot), QString());
        }
    }
};

TENDON_TEST(TestUrdf)
#include "tst_urdf.moc"

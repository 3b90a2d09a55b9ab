#include "core/solve/Settings.h"

#include "core/scene/Validate.h"
#include "core/solve/Evaluator.h"
#include "core/solve/SolvedPoses.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <numbers>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr double kBone = 0.5; // [m]
const Vector3 kStep(kBone, 0, 0);

/// A chain with a handle to its last joint.
struct Limb
{
    std::string name;
    TestRig rig;
    std::vector<JointId> joints;
    JointId up; ///< beside the chain
    HandleId handle;
    double preferred = 0.7; ///< [rad] the angle that the second joint is given
};

void limit(AxisFreedom& axis)
{
    axis.limited = true;
    axis.from = -2;
    axis.to = 2;
}

Limb limb(const std::string& name, const std::string& solver, int bones, const Vector3& goal)
{
    Limb made;
    made.name = name;
    made.joints = made.rig.chain("joint", bones + 1, kStep);
    made.up = made.rig.joint("joint up", {}, {0.2, 0.3, 1});
    made.handle = made.rig.handle("hand", made.joints.front(), made.joints.back(), solver);
    if (solver == "spline") { // it follows nothing but curves; this one is longer than the chain
        made.rig.edit(made.handle).curvePoints = 3;
        made.rig.set(made.handle, curvePoint(1), Vector3(1, 0.4, 0));
        made.rig.set(made.handle, curvePoint(2), Vector3(1.2, 1.4, 0));
    }
    made.rig.set(made.handle, Property::GoalPosition, goal);
    made.rig.set(made.handle, Property::GoalRotation,
                 channelValue(Quaternion(Eigen::AngleAxisd(0.4, Vector3::UnitZ()))));
    return made;
}

/// Turns about z only, within limits, bent a little: the bend is no guess of the solver.
void makeHinge(Limb& limb, std::size_t at)
{
    Joint& joint = limb.rig.edit(limb.joints[at]);
    joint.turning[0].active = joint.turning[1].active = false;
    limit(joint.turning[2]);
    limb.rig.set(limb.joints[at], Property::Rz, ChannelValue{0.2, 0, 0, 0});
}

/// Limbs on which some setting or other shows: free balls, limited hinges, an arm, an arm that is nearly straight, a
/// straight one that has to bend.
std::vector<Limb> limbs(const std::string& solver)
{
    std::vector<Limb> all;
    all.push_back(limb("balls", solver, 3, {0.6, 0.5, 0.3}));
    all.push_back(limb("hinges", solver, 3, {0.7, 0.8, 0}));
    for (std::size_t i = 0; i < 3; ++i) makeHinge(all.back(), i);
    all.push_back(limb("hinges, goal beyond their range", solver, 3, {-0.2, 0.1, 0}));
    for (std::size_t i = 0; i < 3; ++i) makeHinge(all.back(), i);
    all.push_back(limb("arm", solver, 2, {0.5, 0.4, 0.2}));
    makeHinge(all.back(), 1);
    all.push_back(limb("arm, too short", solver, 2, {0.9, 0.8, 0}));
    makeHinge(all.back(), 1);
    all.push_back(limb("arm, nearly straight", solver, 2, {0.7, 0.69, 0}));
    makeHinge(all.back(), 1);
    for (const double preferred : {-0.7, 0.7}) { // a solver bends it one of the two ways by itself
        all.push_back(limb("straight arm", solver, 2, {0.6, 0, 0}));
        makeHinge(all.back(), 1);
        all.back().rig.set(all.back().joints[1], Property::Rz, ChannelValue{0, 0, 0, 0});
        all.back().preferred = preferred;
    }
    return all;
}

/// Puts a joint above the chain, which stays where it is.
void hangFromUp(Limb& limb)
{
    Joint& start = limb.rig.edit(limb.joints.front());
    start.parent = limb.up;
    start.rest.translation = -limb.rig.edit(limb.up).rest.translation;
}

void set(Limb& limb, Setting setting)
{
    TestRig& rig = limb.rig;
    Handle& handle = rig.edit(limb.handle);
    const auto eachAxis = [&](const auto& change) {
        for (std::size_t i = 0; i + 1 < limb.joints.size(); ++i)
            for (AxisFreedom& axis : rig.edit(limb.joints[i]).turning) change(axis, i);
    };
    switch (setting) {
    case Setting::Pole:
        handle.hasPole = true;
        rig.set(limb.handle, Property::Pole, Vector3(0, -3, 1));
        break;
    case Setting::Twist: rig.set(limb.handle, Property::Twist, ChannelValue{0.6, 0, 0, 0}); break;
    case Setting::OrientationWeight: handle.orientationWeight = 1; break;
    case Setting::Soft: handle.soft = 0.2; break;
    case Setting::Stretch: handle.stretch = 1.5; break;
    case Setting::Unreachable: handle.unreachable = Unreachable::Hold; break;
    case Setting::Effector: handle.offset = Vector3(0.1, 0.05, 0); break;
    case Setting::Aim: handle.aimAxis = Vector3::UnitX(); break;
    case Setting::Squash: handle.squash = 0.5; break;
    case Setting::Stick: handle.isSticky = false; break;
    case Setting::Curve:
        handle.curvePoints = 3;
        rig.set(limb.handle, curvePoint(1), Vector3(0.3, 0.2, 0));
        rig.set(limb.handle, curvePoint(2), Vector3(0.9, 0, 0));
        break;
    case Setting::Roll: rig.set(limb.handle, Property::Roll, ChannelValue{0.6, 0, 0, 0}); break;
    case Setting::StartUp: handle.startUp = limb.up; break;
    case Setting::EndUp: handle.endUp = limb.up; break;
    case Setting::Objectives: handle.objectives.restPose = 1; break;
    case Setting::MaxIterations: handle.maxIterations = 1; break;
    case Setting::PreferredAngle: rig.edit(limb.joints[1]).preferredAngle = {0, 0, limb.preferred}; break;
    case Setting::Stiffness: rig.edit(limb.joints[0]).stiffness = 0.9; break;
    case Setting::Precedence: rig.edit(limb.joints[1]).precedence = 3; break;
    case Setting::Ease: eachAxis([](AxisFreedom& axis, std::size_t i) { axis.ease = i == 0 ? 0.9 : 0.1; }); break;
    case Setting::Damping: eachAxis([](AxisFreedom& axis, std::size_t i) { axis.damping = i == 0 ? 0.9 : 0; }); break;
    case Setting::SpringBack:
    case Setting::SpringTension:
        eachAxis([](AxisFreedom& axis, std::size_t) {
            axis.springBack = 0.5;
            axis.springTension = 1;
        });
        break;
    }
}

/// Every number of what comes of a limb: its pose with the goal, and what dragging its first and last joint writes.
Result<std::vector<double>> resultOf(const Limb& limb, const SolverRegistry& registry)
{
    const auto rig = compile(limb.rig.scene);
    if (!rig) return rig.error();
    const auto evaluator = Evaluator::create(*rig, registry);
    if (!evaluator) return evaluator.error();
    SolvedFrame frame;
    (*evaluator)->evaluate(limb.rig.scene, nullptr, {}, Time{}, frame);
    std::vector<double> numbers;
    for (const Affine& world : frame.model.modelFromJoint)
        numbers.insert(numbers.end(), world.matrix().data(), world.matrix().data() + 16);
    SolvedPoses poses(registry);
    for (const JointId joint : {limb.joints.front(), limb.joints.back()}) {
        const auto drag = poses.drag(limb.rig.scene, {}, {}, Time{}, {.joint = joint});
        if (!drag) return drag.error();
        const auto dragged = (*drag)->to(Vector3(0.2, 0.6, 0.1));
        if (!dragged) return dragged.error();
        for (const auto& [channel, value] : dragged->writes) {
            numbers.push_back(static_cast<double>(channel.target));
            numbers.insert(numbers.end(), value.begin(), value.end());
        }
    }
    return numbers;
}

bool isSameBits(const std::vector<double>& a, const std::vector<double>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

bool isRefused(const SettingRule& rule) { return rule.unused == SettingRule::Unused::Refused; }

} // namespace

/// The table of settings against what the shipped solvers do.
class TestSettings : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry;

private slots:
    void initTestCase()
    {
        m_registry.scan();
        QVERIFY(m_registry.solvers().size() >= 3);
    }

    /// No line stays that says "no effect" of a setting that has one, and none that says the reverse.
    void tellWhatChangesThePose_data()
    {
        QTest::addColumn<std::string>("solver");
        QTest::addColumn<int>("index");
        for (const SolverInfo& solver : m_registry.solvers())
            for (std::size_t i = 0; i < settingRules().size(); ++i)
                QTest::addRow("%s: %s.%s", solver.alias.c_str(), settingRules()[i].operation.data(),
                              settingRules()[i].field.data())
                    << solver.alias << static_cast<int>(i);
    }
    void tellWhatChangesThePose()
    {
        QFETCH(std::string, solver);
        QFETCH(int, index);
        const SettingRule& rule = settingRules()[static_cast<std::size_t>(index)];
        const SolverInfo& info = *m_registry.find(solver);
        const bool isExpected = isUsed(rule.setting, info);
        bool isChanged = false;
        int tried = 0;
        for (Limb& limb : limbs(solver)) {
            if (rule.setting == Setting::Stick) hangFromUp(limb);
            const auto before = resultOf(limb, m_registry);
            if (!before) continue; // not a chain for this solver
            ++tried;
            set(limb, rule.setting);
            const auto after = resultOf(limb, m_registry);
            if (!isExpected && isRefused(rule)) {
                QVERIFY2(!after, (limb.name + ": taken, though it cannot be used").c_str());
                QVERIFY2(!rule.cure.empty() && after.error().message.find(rule.cure) != std::string::npos,
                         after.error().text().c_str());
                continue;
            }
            QVERIFY2(after, after ? "" : after.error().text().c_str());
            isChanged = isChanged || !isSameBits(*before, *after);
            if (!isExpected) QVERIFY2(!isChanged, ("it changes " + limb.name).c_str());
        }
        QVERIFY(tried >= 2);
        QCOMPARE(isChanged, isExpected);
    }

    /// Within one drag, what settings of joints do is a law of the pose: the moves between do not count.
    void aDragEndsTheSameWhateverItsMoves_data()
    {
        QTest::addColumn<std::string>("solver");
        QTest::addColumn<int>("index");
        for (const SolverInfo& solver : m_registry.solvers())
            for (const SettingRule& rule : settingRules())
                if (rule.setting >= Setting::PreferredAngle && isUsed(rule.setting, solver))
                    QTest::addRow("%s: %s.%s", solver.alias.c_str(), rule.operation.data(), rule.field.data())
                        << solver.alias << static_cast<int>(rule.setting);
    }
    void aDragEndsTheSameWhateverItsMoves()
    {
        QFETCH(std::string, solver);
        QFETCH(int, index);
        int tried = 0;
        for (const std::size_t at : {0u, 1u, 3u}) {
            Limb limb = limbs("dls")[at]; // its handle is off: the drag moves the joints
            set(limb, static_cast<Setting>(index));
            limb.rig.set(limb.handle, Property::Blend, ChannelValue{0, 0, 0, 0});
            SolvedPoses poses(m_registry);
            std::vector<double> ends[3];
            const int moves[] = {1, 7, 58};
            for (int run = 0; run < 3; ++run) {
                const auto drag = poses.drag(limb.rig.scene, {}, {}, Time{},
                                             {.joint = limb.joints.back(), .solver = solver});
                if (!drag) continue; // not a chain for this solver
                const Vector3 from = (*drag)->origin(), to = Vector3(0.7, 0.6, at == 0 ? 0.1 : 0);
                for (int k = 1; k <= moves[run]; ++k) {
                    const auto dragged = (*drag)->to(from + (to - from) * k / moves[run]);
                    if (!dragged) break; // neither
                    if (k < moves[run]) continue;
                    ++tried;
                    for (const auto& [channel, value] : dragged->writes)
                        ends[run].insert(ends[run].end(), value.begin(), value.end());
                }
            }
            QVERIFY(isSameBits(ends[0], ends[1]) && isSameBits(ends[0], ends[2]));
        }
        QVERIFY(tried >= 3);
    }

    void rulesStandInTheOrderOfTheSettings()
    {
        int index = 0;
        for (const SettingRule& rule : settingRules()) QCOMPARE(static_cast<int>(rule.setting), index++);
    }

    void warningNamesTheObjectTheSettingAndTheRemedy_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < settingRules().size(); ++i)
            if (!isRefused(settingRules()[i]))
                QTest::addRow("%s.%s", settingRules()[i].operation.data(), settingRules()[i].field.data())
                    << static_cast<int>(i);
    }
    void warningNamesTheObjectTheSettingAndTheRemedy()
    {
        QFETCH(int, index);
        const SettingRule& rule = settingRules()[static_cast<std::size_t>(index)];
        bool isWarned = false;
        for (const SolverInfo& solver : m_registry.solvers()) {
            Limb arm = limbs(solver.alias)[3];
            QVERIFY(unusedSettings(arm.rig.scene, m_registry).empty());
            set(arm, rule.setting);
            const Issues issues = unusedSettings(arm.rig.scene, m_registry);
            QCOMPARE(issues.empty(), isUsed(rule.setting, solver));
            for (const Issue& issue : issues) {
                const bool isOfJoint = rule.setting >= Setting::PreferredAngle;
                QVERIFY2(issue.where.starts_with(isOfJoint ? "joint joint" : "handle hand"), issue.where.c_str());
                QVERIFY2(issue.text.find("has no effect") != std::string::npos, issue.text.c_str());
                QVERIFY2(issue.text.find("set it to ") != std::string::npos, issue.text.c_str());
                QVERIFY(issue.severity == Severity::Warning && issue.object != 0);
            }
            isWarned = isWarned || !issues.empty();
        }
        // Each setting that solvers use is without effect with some shipped solver, unless constraints alone lack it.
        QCOMPARE(isWarned, rule.use != SettingRule::Use::Always && rule.feature != "constraint");
    }

    void settingIsUsedWhenOneOfTheSolversUsesIt()
    {
        const SolverInfo* dls = m_registry.find("dls");
        const SolverInfo* twoBone = m_registry.find("two-bone");
        QVERIFY(dls != nullptr && twoBone != nullptr);
        const auto isOff = [](Setting setting, std::vector<const SolverInfo*> solvers) {
            return isUnused(setting, solvers);
        };
        QVERIFY(isOff(Setting::Stiffness, {twoBone}));
        QVERIFY(!isOff(Setting::Stiffness, {dls}));
        QVERIFY(!isOff(Setting::Stiffness, {dls, twoBone})); // a joint of both chains
        QVERIFY(!isOff(Setting::Stiffness, {}));             // no solver is known
        const std::vector<const SolverInfo*> users = usersOf(Setting::Stiffness, m_registry);
        QVERIFY(std::find(users.begin(), users.end(), dls) != users.end());
        QVERIFY(std::find(users.begin(), users.end(), twoBone) == users.end());
        QCOMPARE(usersOf(Setting::Stick, m_registry).size(), m_registry.solvers().size());
    }

    /// A solver that takes a certain number of bones only: what validate lists names handle, solver and reason.
    void aChainThatTheSolverCannotTakeIsNamed()
    {
        for (const char* solver : {"two-bone", "limb"})
            for (const int bones : {1, 2, 3}) {
                const Limb arm = limb("arm", solver, bones, {0.2, 0.3, 0});
                const auto made = Evaluator::create(*compile(arm.rig.scene), m_registry, OnBadHandle::ShowFk);
                QVERIFY(made);
                const Issues& issues = (*made)->issues();
                QCOMPARE(issues.empty(), bones == 2);
                if (issues.empty()) continue;
                const std::string line = issues.front().line();
                const std::string what = bones == 1 ? "1 joint turns above the end joint and not 2" : "of 4 joints";
                QVERIFY2(line.find("handle \"hand\"") != std::string::npos, line.c_str());
                QVERIFY2(line.find(solver) != std::string::npos, line.c_str());
                QVERIFY2(line.find(what) != std::string::npos, line.c_str());
            }
    }

    void jointOutsideEveryChainIsSolvedByTheDefaultSolver()
    {
        Limb arm = limbs("two-bone")[3];
        const JointId other = arm.rig.joint("other", {}, {0, 0, 1});
        QCOMPARE(solversOf(arm.rig.scene, other, m_registry), std::vector{m_registry.find("dls")});
        QCOMPARE(solversOf(arm.rig.scene, arm.joints[1], m_registry), std::vector{m_registry.find("two-bone")});
        arm.rig.handle("wrist", arm.joints[1], arm.joints[2], "dls");
        QCOMPARE(solversOf(arm.rig.scene, arm.joints[1], m_registry),
                 (std::vector{m_registry.find("two-bone"), m_registry.find("dls")}));
    }

    /// A solver that lacks a feature must not fail on a setting that it would ignore.
    void settingThatIsNotUsedDoesNotShapeTheJoint()
    {
        Limb arm = limbs("two-bone")[3];
        for (AxisFreedom& axis : arm.rig.edit(arm.joints[0]).turning) axis.damping = 0.5;
        QVERIFY(resultOf(arm, m_registry)); // was refused: a damped shoulder was no ball any more
    }
};

TENDON_TEST(TestSettings)
#include "tst_settings.moc"

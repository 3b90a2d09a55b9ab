#include "core/runtime/CompiledRig.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <algorithm>
#include <limits>

using namespace tendon;
using namespace tendon::test;

class TestCompile : public QObject
{
    Q_OBJECT

    static std::string refusal(const Scene& scene)
    {
        const auto rig = compile(scene);
        return rig ? "" : rig.error().text();
    }

private slots:
    void parentsComeFirstAndSubtreesAreContiguousWhateverTheAuthoredOrder()
    {
        std::mt19937 random(11);
        for (int round = 0; round < 200; ++round) {
            TestRig test;
            std::vector<JointId> ids;
            for (int i = 0; i < 30; ++i) {
                const auto pick = std::uniform_int_distribution<int>(-2, i - 1)(random);
                ids.push_back(test.joint("j" + std::to_string(i),
                                         pick < 0 ? JointId{} : ids[static_cast<std::size_t>(pick)], Vector3::UnitX()));
            }
            std::vector<Joint> joints = test.scene.joints->toVector();
            std::shuffle(joints.begin(), joints.end(), random);
            test.scene.joints = std::move(joints);
            const auto compiled = compile(test.scene);
            QVERIFY(compiled);
            const CompiledRig& rig = **compiled;
            QCOMPARE(rig.jointCount(), ids.size());
            for (JointIndex i = 0; i < 30; ++i) {
                const auto at = static_cast<std::size_t>(i);
                QVERIFY(rig.parent[at] < i);
                QCOMPARE(rig.index(rig.id[at]), i);
                const auto below = subtree(test.scene, rig.id[at]);
                QCOMPARE(static_cast<std::size_t>(rig.subtreeEnd[at] - i), below.size());
                for (const JointId id : below) QVERIFY(rig.isAtOrBelow(rig.index(id), i));
            }
        }
    }

    void siblingsKeepTheirAuthoredOrder()
    {
        TestRig test;
        const JointId root = test.joint("root", {}, Vector3::Zero());
        const JointId a = test.joint("a", root, Vector3::Zero());
        const JointId b = test.joint("b", root, Vector3::Zero());
        const JointId below = test.joint("below", a, Vector3::Zero());
        const auto rig = compile(test.scene);
        QCOMPARE((*rig)->id, (std::vector<JointId>{root, a, below, b}));
    }

    void aVeryLongChainCompiles()
    {
        TestRig test;
        test.chain("j", 50'000, Vector3::UnitX());
        const auto rig = compile(test.scene);
        QVERIFY(rig);
        QCOMPARE((*rig)->subtreeEnd[0], 50'000);
    }

    void anInvalidSceneIsRefusedAndTheErrorNamesTheObject()
    {
        TestRig good;
        const auto ids = good.chain("arm", 3, Vector3::UnitX());
        const JointId aside = good.joint("aside", {}, Vector3::Zero());

        TestRig cycle = good;
        cycle.edit(ids[0]).parent = ids[2];
        QVERIFY(refusal(cycle.scene).starts_with("arm0: the joint is its own ancestor"));

        TestRig orphan = good;
        orphan.edit(ids[1]).parent = JointId{999};
        QVERIFY(refusal(orphan.scene).starts_with("arm1: its parent is not in the scene"));

        TestRig twin = good;
        twin.edit(ids[2]).id = ids[1];
        QVERIFY(refusal(twin.scene).starts_with("arm2: the joint's id"));

        TestRig infinite = good;
        infinite.edit(ids[1]).turning[1].to = std::numeric_limits<double>::infinity();
        QVERIFY(refusal(infinite.scene).starts_with("arm1: a number is not finite"));

        TestRig crossed = good;
        crossed.handle("hand", aside, ids[2], "dls");
        QVERIFY(
            refusal(crossed.scene).starts_with("hand: its end joint \"arm2\" is not below its start joint \"aside\""));

        TestRig loose = good;
        loose.handle("hand", ids[0], JointId{999}, "dls");
        QVERIFY(refusal(loose.scene).starts_with("hand: its start or end joint is not in the scene"));

        TestRig follows = good;
        follows.edit(follows.handle("hand", ids[0], ids[2], "dls")).follow = 999;
        QVERIFY(refusal(follows.scene).starts_with("hand: the joint or handle that it follows"));
    }
};

TENDON_TEST(TestCompile)
#include "tst_compile.moc"

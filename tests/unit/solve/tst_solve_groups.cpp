#include "core/solve/SolveGroups.h"
#include "tests/support/ScriptedSolver.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

using namespace tendon;
using namespace tendon::test;

class TestSolveGroups : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry;

    /// Names of the handles, group by group: "a+b c".
    std::string order(const Scene& scene, Issues* issues = nullptr)
    {
        const auto rig = compile(scene);
        if (!rig) return rig.error().text();
        const auto ordered = orderSolves(**rig, m_registry);
        if (!ordered) return ordered.error().text();
        if (issues != nullptr) *issues = ordered->issues;
        std::string text;
        for (const SolveGroup& group : ordered->groups) {
            text += text.empty() ? "" : " ";
            for (std::size_t i = 0; i < group.handles.size(); ++i)
                text += (i == 0 ? "" : "+") + (*rig)->handles[group.handles[i]].name;
        }
        return text;
    }

    /// A body: hips - spine0..3 with two arms of 3 below the last, and a leg of 3 below the hips.
    struct Body
    {
        TestRig test;
        JointId hips;
        std::vector<JointId> spine, left, right, leg;

        Body()
        {
            hips = test.joint("hips", {}, Vector3::Zero());
            spine = test.chain("spine", 4, Vector3::UnitY(), hips);
            left = test.chain("left", 3, Vector3::UnitX(), spine.back());
            right = test.chain("right", 3, -Vector3::UnitX(), spine.back());
            leg = test.chain("leg", 3, -Vector3::UnitY(), hips);
        }
    };

private slots:
    void initTestCase()
    {
        addScripted(m_registry, "many", standStill);
        addScripted(m_registry, "other", standStill);
        SolverInfo ranks;
        ranks.id = "test.ranks";
        ranks.alias = "ranks";
        ranks.features = {"position-goal", "multi-goal", "tree", "priorities"};
        QVERIFY(m_registry.add(ranks, [] { return std::make_unique<ScriptedSolver>(standStill, nullptr); }));
        SolverInfo single;
        single.id = "test.single";
        single.alias = "single";
        single.features = {"position-goal"};
        QVERIFY(m_registry.add(single, [] { return std::make_unique<ScriptedSolver>(standStill, nullptr); }));
    }

    void handlesThatShareMovableJointsAreSolvedTogether()
    {
        Body body;
        body.test.handle("l", body.spine[0], body.left[2], "many");
        body.test.handle("foot", body.leg[0], body.leg[2], "many");
        body.test.handle("r", body.spine[2], body.right[2], "test.many"); // the same solver by its id
        QCOMPARE(order(body.test.scene), "l+r foot");
    }

    void aGroupDependsOnWhatMovesItsJointsThoseAboveAndWhatItFollows()
    {
        Body body;
        body.test.handle("spine", body.spine[0], body.spine[2], "many");
        body.test.handle("l", body.left[0], body.left[2], "many");
        body.test.handle("foot", body.leg[0], body.leg[2], "many");
        const HandleId r = body.test.handle("r", body.right[0], body.right[2], "other");
        body.test.edit(r).follow = body.leg[2].value;
        body.test.handle("again", body.left[1], body.left[2], "other");
        const auto rig = *compile(body.test.scene);
        const auto ordered = orderSolves(*rig, m_registry);
        QVERIFY(ordered);
        const auto dependencies = dependenciesOf(*rig, ordered->groups);
        const auto nameOf = [&](std::size_t g) { return rig->handles[ordered->groups[g].handles.front()].name; };
        std::map<std::string, std::set<std::string>> found;
        for (std::size_t g = 0; g < ordered->groups.size(); ++g)
            for (const std::size_t other : dependencies[g]) found[nameOf(g)].insert(nameOf(other));
        const std::map<std::string, std::set<std::string>> expected = {
            {"l", {"spine"}}, {"r", {"spine", "foot"}}, {"again", {"spine", "l"}}};
        QVERIFY(found == expected);
    }

    void aHandleCanJoinTwoGroups()
    {
        Body body;
        body.test.handle("low", body.spine[0], body.spine[1], "many");
        body.test.handle("high", body.spine[3], body.left[2], "many");
        QCOMPARE(order(body.test.scene), "low high");
        body.test.handle("whole", body.spine[1], body.spine[3], "many");
        QCOMPARE(order(body.test.scene), "low+high+whole");
    }

    void aTerminatorSeparatesGroups()
    {
        Body body;
        body.test.handle("l", body.spine[0], body.left[2], "many");
        body.test.handle("r", body.spine[0], body.right[2], "many");
        body.test.edit(body.spine[3]).isTerminator = true;
        QCOMPARE(order(body.test.scene), "l r");
        const auto rig = *compile(body.test.scene);
        const auto moved = movableJoints(*rig, rig->handles[0]);
        QCOMPARE(moved.size(), 3u);
        QCOMPARE(rig->id[static_cast<std::size_t>(moved.front())], body.left[0]);
        body.test.edit(body.left[2]).isTerminator = true;
        const auto held = *compile(body.test.scene);
        QVERIFY(movableJoints(*held, held->handles[0]).empty());
    }

    void handlesWithDifferentPriorityParametersOrSolverAreSolvedApart()
    {
        Body body;
        const HandleId l = body.test.handle("l", body.spine[0], body.left[2], "many");
        const HandleId r = body.test.handle("r", body.spine[0], body.right[2], "many");
        body.test.edit(l).priority = 2;
        Issues issues;
        QCOMPARE(order(body.test.scene, &issues), "r l");
        QCOMPARE(issues.size(), 1u); // the later pass may undo the earlier one
        QCOMPARE(issues[0].object, l.value);
        body.test.edit(l).priority = 1;
        body.test.edit(l).parameters["relax"] = 0.5;
        QCOMPARE(order(body.test.scene, &issues), "l r");
        QCOMPARE(issues.size(), 1u);
        QCOMPARE(issues[0].object, r.value);
        QVERIFY(issues[0].text.find("Give both the same \"relax\"") != std::string::npos);
        body.test.edit(l).parameters.clear();
        body.test.edit(l).solver = "other";
        QCOMPARE(order(body.test.scene, &issues), "l r");
        QVERIFY(issues.size() == 1 && issues[0].text.find("\"l\"") != std::string::npos);
        body.test.edit(l).solver = body.test.edit(r).solver = "single"; // takes one goal at a time
        QCOMPARE(order(body.test.scene, &issues), "l r");
        QVERIFY(issues.empty());
    }

    void aSolverThatRanksGoalsSolvesAllPrioritiesTogether()
    {
        Body body;
        const HandleId l = body.test.handle("l", body.spine[0], body.left[2], "ranks");
        body.test.handle("r", body.spine[0], body.right[2], "ranks");
        const HandleId foot = body.test.handle("foot", body.leg[0], body.leg[2], "ranks");
        body.test.edit(l).priority = 3;
        body.test.edit(foot).priority = 2;
        Issues issues;
        QCOMPARE(order(body.test.scene, &issues), "l+r foot"); // the group is as urgent as its most urgent handle
        QVERIFY(issues.empty());
    }

    void aHandleThatWaitsForAnotherIsNotRankedWithIt()
    {
        Body body;
        body.test.handle("trunk", body.hips, body.spine[3], "ranks");
        const HandleId arm = body.test.handle("arm", body.spine[2], body.left[2], "ranks");
        body.test.edit(arm).priority = 3;
        QCOMPARE(order(body.test.scene), "trunk+arm");
        body.test.edit(arm).follow = body.leg[0].value; // which the trunk's handle moves
        QCOMPARE(order(body.test.scene), "trunk arm");
        body.test.edit(arm).priority = 1; // one problem, in which nobody waits
        QVERIFY(order(body.test.scene).find("follow") != std::string::npos);
    }

    void whatCarriesAChainIsSolvedFirstWhateverThePriorities()
    {
        Body body;
        const HandleId arm = body.test.handle("arm", body.left[0], body.left[2], "many");
        const HandleId back = body.test.handle("back", body.spine[0], body.spine[2], "many");
        const HandleId foot = body.test.handle("foot", body.leg[0], body.leg[2], "many");
        body.test.edit(arm).priority = 2;
        body.test.edit(back).priority = 3;
        Issues issues;
        QCOMPARE(order(body.test.scene, &issues), "foot back arm"); // solved last, the back would take the hand along
        QVERIFY(issues.empty());
        body.test.edit(foot).priority = 4;
        QCOMPARE(order(body.test.scene), "back arm foot"); // as urgent as the arm
    }

    void groupsNearerTheRootAreSolvedFirstUnlessFollowDecides()
    {
        Body body;
        const HandleId arm = body.test.handle("arm", body.left[0], body.left[2], "many");
        const HandleId back = body.test.handle("back", body.spine[0], body.spine[2], "many");
        const HandleId pelvis = body.test.handle("pelvis", body.hips, body.hips, "many");
        QCOMPARE(order(body.test.scene), "pelvis back arm");
        body.test.edit(arm).priority = 1;
        body.test.edit(back).priority = 2;
        body.test.edit(pelvis).priority = 3;
        QCOMPARE(order(body.test.scene), "pelvis back arm");
        for (const HandleId id : {arm, back, pelvis}) body.test.edit(id).priority = 1;

        // An arm on the hips waits for a leg that the hand holds on to.
        body.test.handle("foot", body.leg[0], body.leg[2], "many");
        QCOMPARE(order(body.test.scene), "pelvis back foot arm");
        body.test.edit(back).follow = body.leg[2].value;
        QCOMPARE(order(body.test.scene), "pelvis foot back arm");
        body.test.edit(back).follow = 0;
        body.test.edit(back).hasPole = true;
        body.test.edit(back).poleTarget = body.leg[1];
        QCOMPARE(order(body.test.scene), "pelvis foot back arm");
    }

    void dependenciesOfAnUrgentHandleAreSolvedFirstAndReported()
    {
        Body body;
        const HandleId arm = body.test.handle("arm", body.left[0], body.left[2], "many");
        const HandleId foot = body.test.handle("foot", body.leg[0], body.leg[2], "many");
        const HandleId other = body.test.handle("other", body.right[0], body.right[2], "many");
        body.test.edit(foot).priority = 5;
        body.test.edit(other).priority = 2;
        body.test.edit(arm).follow = body.leg[2].value;
        Issues issues;
        QCOMPARE(order(body.test.scene, &issues), "foot arm other");
        QVERIFY(!issues.empty());
    }

    void goalsThatFollowEachOtherInACycleAreRefusedByName()
    {
        Body body;
        const HandleId arm = body.test.handle("arm", body.left[0], body.left[2], "many");
        const HandleId foot = body.test.handle("foot", body.leg[0], body.leg[2], "many");
        body.test.edit(arm).follow = body.leg[2].value;
        body.test.edit(foot).follow = body.left[1].value;
        const std::string refusal = order(body.test.scene);
        QVERIFY(refusal.find("\"arm\", \"foot\"") != std::string::npos);
        QVERIFY(refusal.find("circle") != std::string::npos);

        // A spine whose goal follows the hand that it carries moves its own goal.
        body.test.edit(foot).follow = 0;
        body.test.edit(arm).follow = 0;
        const HandleId back = body.test.handle("back", body.spine[0], body.spine[2], "many");
        body.test.edit(back).follow = body.left[2].value;
        QVERIFY(order(body.test.scene).find("\"back\" follows a joint that the handle itself moves") !=
                std::string::npos);
    }

    void everyOrderRespectsItsDependencies()
    {
        std::mt19937 random(41);
        int refused = 0, ordered = 0;
        for (int round = 0; round < 2000; ++round) {
            TestRig test;
            std::vector<JointId> ids;
            for (int i = 0; i < 14; ++i) {
                const auto pick = std::uniform_int_distribution<int>(std::max(-1, i - 3), i - 1)(random);
                ids.push_back(test.joint("j" + std::to_string(i),
                                         pick < 0 ? JointId{} : ids[static_cast<std::size_t>(pick)], Vector3::UnitX()));
            }
            for (int h = 0; h < 5; ++h) {
                const JointId end = ids[random() % ids.size()];
                JointId start = end;
                for (auto up = random() % 4; up > 0 && test.edit(start).parent.isValid(); --up)
                    start = test.edit(start).parent;
                const HandleId id = test.handle("h" + std::to_string(h), start, end, random() % 2 ? "many" : "other");
                test.edit(id).priority = static_cast<std::int32_t>(1 + random() % 2);
                if (random() % 3 == 0) test.edit(id).follow = ids[random() % ids.size()].value;
            }
            const auto rig = *compile(test.scene);
            const auto order = orderSolves(*rig, m_registry);
            if (!order) {
                ++refused;
                continue;
            }
            ++ordered;
            std::size_t count = 0;
            for (std::size_t g = 0; g < order->groups.size(); ++g) {
                count += order->groups[g].handles.size();
                for (const std::size_t h : order->groups[g].handles) {
                    const JointId follow{rig->handles[h].follow};
                    if (!follow.isValid()) continue;
                    // Nothing solved now or later moves what this goal rides on.
                    for (std::size_t later = g; later < order->groups.size(); ++later)
                        for (const JointIndex moved : order->groups[later].joints)
                            QVERIFY(!rig->isAtOrBelow(rig->index(follow), moved));
                }
            }
            QCOMPARE(count, rig->handles.size());
        }
        QVERIFY2(refused > 100 && ordered > 500,
                 qPrintable(QString("%1 refused, %2 ordered").arg(refused).arg(ordered)));
    }
};

TENDON_TEST(TestSolveGroups)
#include "tst_solve_groups.moc"

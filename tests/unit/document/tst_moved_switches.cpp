#include "core/math/Convert.h"
#include "core/scene/Check.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/document/ArmAndProp.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr double kSameHold = 1e-9; // [m], [rad] rounding through a few transforms

} // namespace

/// Keys of what goals follow that are moved, copied and pasted: what is held stays held.
class TestMovedSwitches : public QObject
{
    Q_OBJECT

private slots:
    /// What is keyed from here on is keyed as it is posed, and only its own frames say how it goes on.
    void aSpaceThatIsKeyedTakesThePoseAndItsOwnFrames()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "keySpace", "handle": "hand", "space": null, "frame": 10})")(
            R"({"op": "keySpace", "handle": "hand", "space": "grip", "frame": 45})")(
            R"({"op": "deleteKey", "target": "hand", "channels": ["goal"], "range": [11, 44]})");
        d(R"({"op": "setFrame", "value": 20})")(R"({"op": "setGoal", "handle": "hand", "position": [0.6, 0.9, 0.1]})");
        QVERIFY(!d.document.edit.pending.empty());
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 20})");
        QVERIFY2(d.document.edit.pending.empty(), "it is keyed");
        QVERIFY((asked(d, 20).goal.position - Vector3(0.6, 0.9, 0.1)).norm() < 1e-9);
        QVERIFY2(toVector(d.keys("hand", Property::GoalPosition)->at(d.scene().fps.timeOf(20))->out).norm() == 0,
                 "no key of these frames leads on");
    }

    /// A key that comes into another space keeps its place and its slopes, on both sides, with its correction.
    void aKeyThatIsPassedKeepsItsSlopes()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "addJoint", "name": "post", "translation": [0.2, 0.3, 0.1], "rotation": [0, 0, 90]})")(
            R"({"op": "keySpace", "handle": "hand", "space": "post", "frame": 40})")(
            R"({"op": "setTangent", "target": "hand", "channels": ["goal.position"], "frame": 25, "mode": "free", "in": [1, 0, 2], "out": [0, 3, 0]})")(
            R"({"op": "moveKeys", "target": "hand", "channels": ["space"], "frame": 40, "by": -20})");
        const Key key = *d.keys("hand", Property::GoalPosition)->at(d.scene().fps.timeOf(25));
        QVERIFY((toVector(key.in) - Vector3(0, -1, 2)).norm() < 1e-9); // seen from a post that is turned by a quarter
        QVERIFY((toVector(key.out) - Vector3(3, 0, 0)).norm() < 1e-9);
    }

    void aMovedSwitchKeepsTheHandOnItsProp_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("by");
        QTest::addColumn<QString>("with");
        for (const int key : {25, 50})
            for (const int by : {-7, -1, 1, 8})
                for (const char* with : {"alone", "with the goal", "with both of its keys"})
                    QTest::addRow("%s %d %s", key == 25 ? "taken" : "let go", by, with) << key << by << QString(with);
    }

    /// Held from frame 25 to 49. Whichever end is moved, alone or with the keys of its frame: in all frames that belong
    /// to the prop the hand is on it, and it does not leap into them or out of them.
    void aMovedSwitchKeepsTheHandOnItsProp()
    {
        QFETCH(int, key);
        QFETCH(int, by);
        QFETCH(QString, with);
        TestDocument d = armAndProp();
        d(R"({"op": "deleteKey", "target": "hand", "frame": 60})");
        d(R"({"op": "keySpace", "handle": "hand", "space": "grip", "frame": 25})");
        d(R"({"op": "keySpace", "handle": "hand", "space": null, "frame": 50})");
        const auto inGrip = [&](double frame) { return goalInSpace(d.worldAt("grip", frame), asked(d, frame).goal); };
        const GoalPose held = inGrip(30), begin = asked(d, 1).goal;
        d(QString(R"({"op": "moveKeys", "target": "hand", %1"range": [%2, %3], "by": %4})")
              .arg(with == "alone" ? R"("channels": ["space"], )" : "")
              .arg(with == "with both of its keys" ? key - 1 : key)
              .arg(key)
              .arg(by)
              .toUtf8()
              .constData());
        const int taken = key == 25 ? 25 + by : 25, letGo = key == 50 ? 50 + by : 50;
        QCOMPARE(d.frames("hand", Property::Space), std::vector<double>({1, double(taken), double(letGo)}));
        for (int frame = taken; frame < letGo; ++frame)
            QVERIFY2(distance(inGrip(frame), held) < kSameHold,
                     qPrintable(QString("frame %1: %2").arg(frame).arg(distance(inGrip(frame), held))));
        QVERIFY2(distance(inGrip(letGo), held) < kSameHold, "where it is let go");
        QVERIFY(distance(asked(d, 1).goal, begin) < kSameHold);
        double longest = 0; // step of the prop, or of a hand on its way to it
        for (int frame = 2; frame <= 70; ++frame)
            longest = std::max(longest, (asked(d, frame).goal.position - asked(d, frame - 1).goal.position).norm());
        QVERIFY2(longest < 0.08, qPrintable(QString("a step of %1 m").arg(longest)));
        d(R"({"op": "undo"})");
        for (int frame = 25; frame < 50; ++frame) QVERIFY(distance(inGrip(frame), held) < kSameHold);
    }

    void whatIsHeldStaysHeldWhenItsSwitchMoves_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("to");
        QTest::addColumn<bool>("isWalking");
        for (const bool isWalking : {false, true})
            for (const auto& [key, to] : {std::pair(20, 16), std::pair(20, 27), std::pair(35, 30), std::pair(35, 43)})
                QTest::addRow("%d to %d%s", key, to, isWalking ? " walking" : "") << key << to << isWalking;
    }

    /// From hand to hand at 20, let go at 35. In all frames that a hand has after the move it holds by one place, and
    /// what is let go lies still, or goes on to keys that the switch does not come to.
    void whatIsHeldStaysHeldWhenItsSwitchMoves()
    {
        QFETCH(int, key);
        QFETCH(int, to);
        QFETCH(bool, isWalking);
        TestDocument d = armAndProp();
        d(R"({"op": "deleteKey", "target": "hand", "channels": ["goal"], "range": [2, 100]})");
        d(R"({"op": "keySpace", "handle": "hand", "space": "grip", "frame": 1})");
        d(R"({"op": "addJoint", "name": "other", "translation": [0.2, 1.1, 0.4]})");
        d(R"({"op": "setFrame", "value": 1})")(R"({"op": "key", "target": "other", "channels": ["translation"]})");
        d(R"({"op": "setFrame", "value": 50})")(
            R"({"op": "setPose", "joint": "other", "translation": [0.9, 1, -0.2]})");
        d(R"({"op": "key", "target": "other", "channels": ["translation"]})");
        d(R"({"op": "keySpace", "handle": "hand", "space": "other", "frame": 20})");
        d(R"({"op": "keySpace", "handle": "hand", "space": null, "frame": 35})");
        if (isWalking)
            for (const int frame : {40, 48, 56}) {
                d(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
                d(QString(R"({"op": "setGoal", "handle": "hand", "position": [0.5, 1, %1]})")
                      .arg(frame * 0.01)
                      .toUtf8()
                      .constData());
                d(R"({"op": "key", "target": "hand", "channels": ["goal"]})");
            }
        const auto in = [&](const char* holder, double frame) {
            return goalInSpace(d.worldAt(holder, frame), asked(d, frame).goal);
        };
        const GoalPose first = in("grip", 10), second = in("other", 25), last = asked(d, 56).goal;
        d(QString(R"({"op": "moveKeys", "target": "hand", "channels": ["space"], "frame": %1, "by": %2})")
              .arg(key)
              .arg(to - key)
              .toUtf8()
              .constData());
        const int passed = key == 20 ? to : 20, letGo = key == 35 ? to : 35;
        for (double frame = 1; frame < passed; frame += frame < passed - 1 ? 0.5 : 1)
            QVERIFY2(distance(in("grip", frame), first) < kSameHold, qPrintable(QString("first, frame %1").arg(frame)));
        const GoalPose held = key == 35 ? second : in("other", passed);
        for (double frame = passed; frame < letGo; frame += frame < letGo - 1 ? 0.5 : 1)
            QVERIFY2(distance(in("other", frame), held) < kSameHold,
                     qPrintable(QString("second, frame %1").arg(frame)));
        QVERIFY2(distance(in("grip", passed), first) < kSameHold, "passed on from where it is");
        QVERIFY2(distance(in("other", letGo), held) < kSameHold, "let go where it is");
        if (!isWalking) {
            for (int frame = letGo; frame < 70; ++frame)
                QVERIFY2(distance(asked(d, frame).goal, asked(d, letGo).goal) < kSameHold,
                         "it lies where it was let go");
            return;
        }
        QVERIFY2((asked(d, 56).goal.position - last.position).norm() < kSameHold, "keys that it does not come to stay");
        const int next = letGo == 43 ? 48 : 40;
        QVERIFY2(d.keys("hand", Property::GoalPosition)->at(d.scene().fps.timeOf(next)) != nullptr, "the next key");
        QCOMPARE(d.keys("hand", Property::GoalPosition)->at(d.scene().fps.timeOf(40)) != nullptr, letGo != 43);
        const double way = (asked(d, next).goal.position - asked(d, letGo).goal.position).norm();
        for (int frame = letGo; frame < next; ++frame)
            QVERIFY((asked(d, frame + 1).goal.position - asked(d, frame).goal.position).norm() <
                    2 * way / (next - letGo) + kSameHold);
    }

    /// All keys of a handle and of what it follows, moved channel by channel as a window does it, in any order.
    void movingAllKeysMovesTheMotionAndNothingElse()
    {
        const unsigned seed = std::random_device()();
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> place(-1, 1), turn(-90, 90);
        for (int round = 0; round < 12; ++round) {
            TestDocument d;
            const auto run = [&](const QString& operation) { d(operation.toUtf8().constData()); };
            d(R"({"op": "addJoint", "name": "A"})")(R"({"op": "addJoint", "name": "B", "translation": [0.5, 0, 0]})");
            d(R"({"op": "addJoint", "name": "x", "translation": [1, 0, 0]})");
            d(R"({"op": "addHandle", "name": "h", "end": "x", "solver": "parent"})")(
                R"({"op": "addClip", "name": "M"})");
            for (const char* joint : {"A", "B"})
                for (const int frame : {1, 9, 24}) {
                    run(QStringLiteral(R"({"op": "setFrame", "value": %1})").arg(frame));
                    run(QStringLiteral(
                            R"({"op": "setPose", "joint": "%1", "translation": [%2, %3, %4], "rotation": [%5, %6, 0]})")
                            .arg(joint)
                            .arg(place(random))
                            .arg(place(random))
                            .arg(place(random))
                            .arg(turn(random))
                            .arg(turn(random)));
                    run(QStringLiteral(R"({"op": "key", "target": "%1", "channels": ["translation", "angles"]})")
                            .arg(joint));
                }
            for (const int frame : {1, 6, 18}) {
                if (random() % 2 == 0) continue;
                run(QStringLiteral(R"({"op": "setFrame", "value": %1})").arg(frame));
                run(QStringLiteral(R"({"op": "setGoal", "handle": "h", "position": [%1, %2, %3]})")
                        .arg(place(random))
                        .arg(place(random))
                        .arg(place(random)));
                d(R"({"op": "key", "target": "h"})");
            }
            for (const int frame : {4, 8, 14, 20}) {
                const char* const spaces[] = {R"("A")", R"("B")", "null"};
                run(QStringLiteral(R"({"op": "keySpace", "handle": "h", "space": %1, "frame": %2})")
                        .arg(spaces[random() % 3])
                        .arg(frame));
            }
            std::vector<GoalPose> before;
            for (double frame = -2; frame <= 30; frame += 0.25) before.push_back(asked(d, frame, "h").goal);
            const int by = static_cast<int>(random() % 23) - 11;
            std::vector<QString> moves;
            for (const auto& [channel, keys] : d.document.clip()->channels)
                moves.push_back(QStringLiteral(R"({"op": "moveKeys", "target": "%1", "channels": ["%2"], "by": %3})")
                                    .arg(QString::fromStdString(tendon::nameOf(d.scene(), channel.target)))
                                    .arg(QLatin1StringView(propertyName(channel.property)))
                                    .arg(by));
            std::shuffle(moves.begin(), moves.end(), random);
            const std::vector<double> spaces = d.frames("h", Property::Space);
            const std::size_t keys = d.document.clip()->keyCount();
            run(QStringLiteral(R"({"op": "group", "operations": [%1]})")
                    .arg(QStringList(moves.begin(), moves.end()).join(QStringLiteral(", "))));
            QCOMPARE(d.document.clip()->keyCount(), keys);
            QCOMPARE(d.frames("h", Property::Space).size(), spaces.size());
            std::size_t i = 0;
            for (double frame = -2; frame <= 30; frame += 0.25, ++i)
                QVERIFY2(distance(asked(d, frame + by, "h").goal, before[i]) < 1e-7,
                         qPrintable(QStringLiteral("frame %1 by %2, round %3 of seed %4: off by %5")
                                        .arg(frame)
                                        .arg(by)
                                        .arg(round)
                                        .arg(seed)
                                        .arg(distance(asked(d, frame + by, "h").goal, before[i]))));
        }
    }

    /// First the hand, then the prop, or the other way round, each in an edit of its own: after both the motion is
    /// later.
    void movingHandAndPropInTwoEditsMovesTheMotionToo()
    {
        for (const bool isLetGo : {false, true})
            for (const bool isHandFirst : {true, false})
                for (const int by : {-6, 9}) {
                    TestDocument d = armAndProp();
                    d(R"({"op": "deleteKey", "target": "hand", "frame": 60})");
                    d(R"({"op": "keySpace", "handle": "hand", "space": "grip", "frame": 25})");
                    if (isLetGo) d(R"({"op": "keySpace", "handle": "hand", "space": null, "frame": 50})");
                    const auto inGrip = [&](double frame) {
                        return goalInSpace(d.worldAt("grip", frame), asked(d, frame).goal);
                    };
                    const GoalPose held = inGrip(30);
                    std::vector<GoalPose> before;
                    for (double frame = 0; frame <= 70; frame += 0.5) before.push_back(asked(d, frame).goal);
                    for (const bool isHand : {isHandFirst, !isHandFirst}) {
                        d(QString(R"({"op": "moveKeys", "target": "%1", "by": %2})")
                              .arg(isHand ? "hand" : "prop")
                              .arg(by)
                              .toUtf8()
                              .constData());
                        if (!isHand || !isHandFirst) continue;
                        QVERIFY2(d.says("whose keys have not moved with it; move them by"),
                                 "what is left to do is said");
                        for (int frame = 25 + by; frame < 49 + by; ++frame)
                            QVERIFY2(distance(inGrip(frame), held) < kSameHold, "it is held meanwhile");
                    }
                    std::size_t i = 0;
                    for (double frame = 0; frame <= 70; frame += 0.5, ++i) {
                        const double off = distance(asked(d, frame + by).goal, before[i]);
                        QVERIFY2(off < 1e-7, qPrintable(QString("%1 first, by %2: frame %3 is off by %4")
                                                            .arg(isHandFirst ? "hand" : "prop")
                                                            .arg(by)
                                                            .arg(frame)
                                                            .arg(off)));
                    }
                }
    }

    /// Taken and let go once more, by pasting or copying these keys to other frames: held by the same place.
    void aCopiedHoldIsHeldToo()
    {
        for (const bool isPasted : {true, false}) {
            TestDocument d = armAndProp();
            d(R"({"op": "deleteKey", "target": "hand", "frame": 60})");
            d(R"({"op": "keySpace", "handle": "hand", "space": "grip", "frame": 25})");
            d(R"({"op": "keySpace", "handle": "hand", "space": null, "frame": 32})");
            const auto inGrip = [&](double frame) {
                return goalInSpace(d.worldAt("grip", frame), asked(d, frame).goal);
            };
            const GoalPose held = inGrip(28), once = asked(d, 32).goal;
            if (!isPasted) d(R"({"op": "setFrame", "value": 60})")(R"({"op": "key", "target": "hand"})");
            if (isPasted)
                d(R"({"op": "keysToClipboard", "target": "hand", "range": [24, 32]})")(
                    R"({"op": "pasteKeys", "frame": 40})");
            else
                d(R"({"op": "copyKeys", "target": "hand", "range": [24, 32], "by": 16})");
            QCOMPARE(d.frames("hand", Property::Space), std::vector<double>({1, 25, 32, 41, 48}));
            for (double frame = 25; frame < 32; frame += 1) QVERIFY(distance(inGrip(frame), held) < kSameHold);
            QVERIFY(distance(asked(d, 32).goal, once) < kSameHold);
            for (double frame = 40; frame <= 48; frame += 1)
                QVERIFY2(distance(inGrip(frame), held) < kSameHold,
                         qPrintable(QStringLiteral("frame %1: %2").arg(frame).arg(distance(inGrip(frame), held))));
            QVERIFY2(isPasted || distance(asked(d, 60).goal, once) < kSameHold, "a key that was there stays");
            for (double frame = 48; isPasted && frame < 70; frame += 1)
                QVERIFY2(distance(asked(d, frame).goal, asked(d, 48).goal) < kSameHold, "let go where it is");
        }
    }

    void aGripStaysWhereItIsOnThePropWhenItIsTakenEarlierOrLater()
    {
        for (const int to : {18, 32}) {
            TestDocument d = armAndProp();
            for (const int frame : {10, 16, 21}) { // on the way
                d(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
                d(R"({"op": "key", "target": "hand", "channels": ["goal"]})");
            }
            d(R"({"op": "deleteKey", "target": "hand", "channels": ["goal"], "frame": 60})");
            d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 25})");
            const GoalPose held = inProp(d, 30), at10 = asked(d, 10).goal;
            d(QString(R"({"op": "moveKeys", "target": "hand", "channels": ["space"], "frame": 25, "by": %1})")
                  .arg(to - 25)
                  .toUtf8()
                  .constData());
            for (int frame = to - 1; frame <= 60; ++frame)
                QVERIFY2(distance(inProp(d, frame), held) < kSameHold,
                         qPrintable(QString("%1: %2").arg(to).arg(frame)));
            QVERIFY(distance(asked(d, 10).goal, at10) < kSameHold);
            QCOMPARE(d.keys("hand", Property::GoalPosition)->at(d.scene().fps.timeOf(21)) != nullptr, to == 32);
        }
    }
};

TENDON_TEST(TestMovedSwitches)
#include "tst_moved_switches.moc"

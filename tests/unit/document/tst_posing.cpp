#include "core/document/Gesture.h"
#include "core/document/Operation.h"
#include "tests/support/Figure.h"
#include "tests/support/LinkedSolvers.h"
#include "tests/support/Person.h"
#include "tests/support/ScriptedSolver.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/document/HeldPerson.h"
#include "tests/unit/document/KeyedArm.h"

#include <QTemporaryDir>

#include <map>
#include <random>

using namespace tendon;
using namespace tendon::test;

namespace {

Document documentOf(Scene scene, const SolverRegistry& solvers)
{
    Document document = openDocument({}, {}, solvers);
    if (!scene.clips.empty()) document.edit.currentClip = scene.clips.front()->id;
    document.history = History(versionOf(std::move(scene), document.edit));
    return document;
}

bool succeeds(Document& document, const char* operation) { return carryOut(document, json(operation)).has_value(); }

/// The default solver, counting in `made` how many of it are made. Each is prepared once, for one chain.
SolverRegistry countingSolvers(int& made)
{
    SolverRegistry registry;
    const auto added = registry.add(*shippedSolvers().find(SolverRegistry::kDefaultAlias), [&made] {
        ++made;
        return std::make_unique<DlsSolver>();
    });
    if (!added) std::abort();
    return registry;
}

QJsonObject dragTo(const char* joint, const Vector3& place)
{
    return {{"op", "drag"}, {"joint", joint}, {"to", QJsonArray{place.x(), place.y(), place.z()}}};
}

/// Where move `i` of a drag takes a fingertip of Figure: about the hand, and out of reach now and then.
Vector3 placeOf(int i)
{
    return {0.8 + 0.03 * std::sin(0.7 * i), 1.4 - 0.05 * std::cos(0.3 * i), 0.02 + 0.04 * std::sin(0.2 * i)};
}

} // namespace

class TestPosing : public QObject
{
    Q_OBJECT

private slots:
    /// The knee of a straight leg is on the axis about which the pole swings it, so the rounding of a mouse that puts
    /// it back would be a change.
    void whatIsPutBackIsWhereItWas()
    {
        TestDocument d = arm();
        d(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "two-bone"})")(
            R"({"op": "setHandle", "name": "hand", "pole": [0.5, 1, 1]})")(
            R"({"op": "setGoal", "handle": "hand", "position": [2, 1, 0]})");
        const Scene before = d.scene();
        const std::size_t steps = d.document.history.undoCount();
        const Vector3 elbow = d.world("elbow").translation();
        for (const double off : {0.0, 1e-10, -3e-8}) {
            const QString to = QStringLiteral(R"({"op": "drag", "joint": "elbow", "to": [%1, %2, %3]})")
                                   .arg(elbow.x() + off, 0, 'g', 17)
                                   .arg(elbow.y() - off, 0, 'g', 17)
                                   .arg(elbow.z(), 0, 'g', 17);
            d(to.toUtf8().constData());
            QVERIFY(d.scene() == before && d.document.edit.pending.empty());
        }
        QCOMPARE(d.document.history.undoCount(), steps);
        d(R"({"op": "drag", "joint": "elbow", "by": [0, 0.05, 0.02]})");
        QVERIFY(!(d.scene() == before));
    }

    /// A pose that is keyed, pasted or applied where the motion shows it anyway is not seen at any other moment: not of
    /// curves of any kind, nor in what a solver makes of the pose that it starts from.
    void aPoseThatChangesNothingIsKeyedWithoutATrace()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("p.tendonpose"));
        TestDocument moving = keyedArm();
        for (
            const char* op :
            {R"({"op": "setTangent", "target": "shoulder", "range": [0, 60], "interpolation": "bezier"})",
             R"({"op": "setTangent", "target": "hand", "channels": ["goal"], "frame": 21, "out": [3, -2, 1], "outWeight": 0.7})",
             R"({"op": "setTangent", "target": "elbow", "frame": 1, "interpolation": "linear"})",
             R"({"op": "setTangent", "target": "hand", "channels": ["blend"], "range": [0, 60], "interpolation": "step"})"})
            moving(op);
        const auto seen = [](const TestDocument& d) {
            std::vector<double> numbers;
            for (double frame = 0; frame < 45; frame += 0.25)
                for (const char* joint : {"shoulder", "elbow", "wrist"}) {
                    const Affine world = d.worldAt(joint, frame);
                    numbers.insert(numbers.end(), world.data(), world.data() + 12);
                }
            return numbers;
        };
        TestDocument spaces = moving;
        spaces(R"({"op": "addJoint", "name": "prop", "translation": [0.3, 1, 0.2]})")(
            R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 16})");
        TestDocument correctionsToo = corrected();
        correctionsToo(R"({"op": "editLayer", "layer": "keys"})");
        for (const auto& [start, name] : {std::pair(&moving, "keys"), std::pair(&spaces, "keys in two spaces"),
                                          std::pair(&correctionsToo, "keys under corrections")}) {
            const std::vector<double> before = seen(*start);
            for (const char* how : {"key", "paste", "paste with Auto Key", "apply"})
                for (const int frame : {7, 12, 33, 44}) {
                    TestDocument d = *start;
                    const QString at = QStringLiteral(R"({"op": "setFrame", "value": %1})").arg(frame);
                    d(at.toUtf8().constData());
                    const bool isAutoKey = QString(how).contains("Auto");
                    const std::size_t keys = d.keys("hand", Property::GoalPosition)->size();
                    if (QString(how) == "key")
                        d(R"({"op": "key", "target": "hand"})")(R"({"op": "key", "target": "elbow"})")(
                            R"({"op": "key", "target": "shoulder"})");
                    else if (QString(how) == "apply")
                        d(QStringLiteral(R"({"op": "savePose", "file": "%1"})").arg(file).toUtf8().constData())(
                            QStringLiteral(R"({"op": "applyPose", "file": "%1"})").arg(file).toUtf8().constData());
                    else
                        d(isAutoKey ? R"({"op": "autoKey", "on": true})" : R"({"op": "autoKey", "on": false})")(
                            R"({"op": "copyPose"})")(R"({"op": "pastePose"})");
                    if (!isAutoKey) d(R"({"op": "keyPending"})");
                    QVERIFY2(d.keys("hand", Property::GoalPosition)->size() == keys + 1, how);
                    const double off = apart(before, seen(d));
                    QVERIFY2(off < 1e-5,
                             qPrintable(QString("%1, %2 at %3: off by %4").arg(name, how).arg(frame).arg(off)));
                }
        }
    }

    /// A pose that is pasted with Auto Key is the copied one there, and changes nothing beyond the keys beside it, also
    /// where a pole has far fewer keys than its goal. Joints that the handle moves are not keyed, whether they have
    /// keys or not.
    void aPastedPoseChangesNothingBeyondTheKeysBesideIt_data()
    {
        QTest::addColumn<bool>("isFkKeyed");
        QTest::addColumn<bool>("isAutoKey");
        for (const bool isAutoKey : {true, false})
            for (const bool isFkKeyed : {false, true})
                QTest::addRow("%s%s", isFkKeyed ? "keyed FK, " : "", isAutoKey ? "Auto Key" : "keyed")
                    << isFkKeyed << isAutoKey;
    }

    void aPastedPoseChangesNothingBeyondTheKeysBesideIt()
    {
        QFETCH(bool, isFkKeyed);
        QFETCH(bool, isAutoKey);
        TestDocument d = arm();
        const auto carry = [&](const QJsonObject& operation) {
            if (!carryOut(d.document, operation)) qFatal("refused");
        };
        d(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "two-bone"})");
        d(R"({"op": "setHandle", "name": "hand", "pole": [0.2, 1.4, -0.8]})");
        d(R"({"op": "addClip", "name": "wave"})");
        const double goals[][3] = {
            {0.6, 1.2, 0.1}, {0.3, 1.5, 0.3}, {0.5, 0.8, 0.4}, {0.6, 1.3, -0.2}, {0.4, 1.4, 0.2}};
        const auto key = [&](const char* channel, int frame) {
            carry({{"op", "key"}, {"target", "hand"}, {"channels", QJsonArray{channel}}, {"frame", frame}});
        };
        for (int i = 0; i < 5; ++i) {
            carry({{"op", "setFrame"}, {"value", 1 + 10 * i}});
            carry({{"op", "setGoal"},
                   {"handle", "hand"},
                   {"position", QJsonArray{goals[i][0], goals[i][1], goals[i][2]}}});
            key("goal.position", 1 + 10 * i);
        }
        d(R"({"op": "setTangent", "target": "hand", "range": [0, 60], "interpolation": "linear"})");
        key("pole", 1);
        d(R"({"op": "setHandle", "name": "hand", "pole": [-0.9, 1, 1.5]})")(R"({"op": "keyPending"})");
        if (isFkKeyed)
            for (const int frame : {1, 41}) {
                carry({{"op", "setFrame"}, {"value", frame}});
                d(R"({"op": "autoKey", "on": true})");
                carry({{"op", "setPose"}, {"joint", "shoulder"}, {"rotation", QJsonArray{2 * frame, 20, -frame}}});
                d(R"({"op": "autoKey", "on": false})");
            }
        const auto seen = [&](double frame) {
            std::vector<double> numbers;
            for (const char* joint : {"shoulder", "elbow", "wrist"}) {
                const Affine world = d.worldAt(joint, frame);
                numbers.insert(numbers.end(), world.data(), world.data() + 12);
            }
            return numbers;
        };
        std::map<double, std::vector<double>> before;
        for (double frame = -5; frame <= 50; frame += 0.5) before[frame] = seen(frame);
        QVERIFY(apart(before.at(11), before.at(27)) > 0.1);
        d(R"({"op": "setFrame", "value": 11})")(R"({"op": "copyPose"})")(R"({"op": "setFrame", "value": 27})");
        if (isAutoKey) d(R"({"op": "autoKey", "on": true})");
        d(R"({"op": "pastePose"})");
        if (!isAutoKey) d(R"({"op": "keyPending"})");
        QVERIFY2(apart(seen(27), before.at(11)) < 2e-4, qPrintable(QString::number(apart(seen(27), before.at(11)))));
        for (const auto& [frame, numbers] : before) {
            const double off = frame > 21 && frame < 31 ? 0 : apart(seen(frame), numbers);
            QVERIFY2(off < 2e-4, qPrintable(QString("frame %1 is off by %2").arg(frame).arg(off)));
        }
        for (const auto& [channel, keys] : d.document.clip()->channels)
            if (channel.target != d.handle("hand").id.value)
                QVERIFY2(isFkKeyed && keys->at(d.scene().fps.timeOf(27)) == nullptr, "a joint is keyed");
        QVERIFY(d.keys("hand", Property::GoalPosition)->size() == 6);
        QVERIFY(d.keys("hand", Property::Pole)->size() == 5);
    }

    /// A pose that was saved on a figure with lowered arms points the arms of one in a T-pose the same way, and back.
    void aPoseGoesBetweenAnAPoseAndATPose()
    {
        QTemporaryDir folder;
        for (const double armsDown : {0.0, 0.8}) {
            std::mt19937 random(11);
            const Person person = Person(1, 1, armsDown).move(random);
            TestDocument source = holding(person);
            source(R"({"op": "setFrame", "value": 7})");
            const QString file = folder.filePath(QString("from %1.tendonpose").arg(armsDown));
            QVERIFY(carryOut(source.document, QJsonObject{{"op", "savePose"}, {"file", file}}));
            const Person other = Person(1, 1, 0.8 - armsDown).turnAxes(random).rename();
            TestDocument target = holding(other);
            QVERIFY(carryOut(target.document, QJsonObject{{"op", "applyPose"}, {"file", file}}));
            const auto bone = [](const TestDocument& test, const Person& of, const char* from, const char* to) {
                const auto at = [&](const char* role) {
                    return Vector3(test.world(test.scene().find(of.id(role))->name.c_str()).translation());
                };
                return Vector3((at(to) - at(from)).normalized());
            };
            for (const auto& [from, to] : {std::pair("leftUpperArm", "leftLowerArm"),
                                           {"rightLowerArm", "rightHand"},
                                           {"leftHand", "leftIndexProximal"},
                                           {"rightIndexProximal", "rightIndexIntermediate"},
                                           {"leftUpperLeg", "leftLowerLeg"},
                                           {"rightFoot", "rightToes"},
                                           {"neck", "head"}}) {
                const double off = (bone(source, person, from, to) - bone(target, other, from, to)).norm();
                QVERIFY2(off < 1e-6, qPrintable(QString("%1 of arms down %2: %3").arg(from).arg(armsDown).arg(off)));
            }
        }
    }

    void aPosePastedWhereItWasCopiedChangesNothing()
    {
        std::mt19937 random(91);
        for (int round = 0; round < 20; ++round) {
            TestRig test;
            const JointId joint = test.joint("joint", {}, {0, 1, 0});
            // As a document may hold it: unit, but not to the last bit.
            Quaternion stored = randomRotation(random);
            stored.coeffs() *= 1 + 3e-15;
            test.set(joint, Property::Rotation, toValue(stored));
            const SolverRegistry solvers = shippedSolvers();
            Document document = documentOf(test.scene, solvers);
            QVERIFY(succeeds(document, R"({"op": "copyPose"})"));
            QVERIFY(succeeds(document, R"({"op": "pastePose"})"));
            QVERIFY(document.scene() == test.scene);
        }
    }

    void aCopiedGoalIsToTheBitWhatTheSolverWasAsked()
    {
        std::mt19937 random(92);
        for (int round = 0; round < 20; ++round) {
            TestRig test;
            const JointId cart = test.joint("cart", {}, randomVector(random));
            test.edit(cart).rest.rotation = randomRotation(random);
            test.edit(cart).rest.scale = Vector3::Constant(1.7);
            const auto arm = test.chain("arm", 3, {0.5, 0, 0});
            const HandleId hand = test.handle("hand", arm[0], arm[2], "scripted");
            test.edit(hand).follow = cart.value;
            test.edit(hand).orientationWeight = 1;
            test.set(hand, Property::GoalPosition, randomVector(random));
            test.set(hand, Property::GoalRotation, toValue(randomRotation(random)));

            SolverRegistry solvers;
            std::vector<ScriptedSolver::Call> calls;
            addScripted(solvers, "scripted", standStill, &calls);
            Document document = documentOf(test.scene, solvers);
            QVERIFY(succeeds(document, R"({"op": "copyPose"})"));
            const sdk::Goal& asked = calls.back().goals.front();
            const auto& copied = document.edit.copiedPose.goals.at(hand);
            for (int i = 0; i < 3; ++i) QVERIFY(copied.position[i] == asked.targetPosition[i]);
            for (int i = 0; i < 4; ++i) QVERIFY(copied.rotation.coeffs()[i] == asked.targetRotation[i]);
        }
    }

    void aDragPreparesItsSolversOnce()
    {
        int made = 0;
        const SolverRegistry solvers = countingSolvers(made);
        Document document = documentOf(Figure().test.scene, solvers);
        Gesture gesture(document);
        QVERIFY(gesture.update(dragTo("fingerL12", placeOf(0))));
        QVERIFY(made > 0);
        const int madeAtFirst = made;
        for (int move = 1; move < 50; ++move) QVERIFY(gesture.update(dragTo("fingerL12", placeOf(move))));
        QCOMPARE(made, madeAtFirst);
    }

    /// What is prepared once is used for moves in any order, for other joints between, and for drags begun anew.
    void whatADragLeavesDependsOnItsBeginningAndItsTargetOnly()
    {
        const SolverRegistry solvers = shippedSolvers();
        const Scene start = Figure().test.scene;
        std::vector<Scene> alone;
        for (int move = 0; move < 20; ++move) {
            Document document = documentOf(start, solvers);
            QVERIFY(carryOut(document, dragTo("fingerL12", placeOf(move))));
            alone.push_back(document.scene());
            QVERIFY(!(alone.back() == start));
        }
        Document document = documentOf(start, solvers);
        Gesture gesture(document);
        for (const int stride : {1, 7, 13})
            for (int i = 0; i < 20; ++i) {
                const int move = i * stride % 20;
                if (i % 5 == 0) QVERIFY(gesture.update(dragTo("fingerR12", {-0.7, 1.3, 0.01 * i})));
                QVERIFY(gesture.update(dragTo("fingerL12", placeOf(move))));
                QVERIFY(document.scene() == alone[static_cast<std::size_t>(move)]);
            }
        gesture.cancel();
        QVERIFY(document.scene() == start);
        // From another pose, to the same place and back again.
        QVERIFY(carryOut(document, dragTo("fingerL12", placeOf(3))));
        QVERIFY(document.history.undo());
        QVERIFY(carryOut(document, dragTo("fingerL12", placeOf(5))));
        QVERIFY(document.scene() == alone[5]);
    }

    void anAutomaticPoleLeavesTheChainBentAsItIs()
    {
        for (const char* solver : {"two-bone", "dls"}) {
            TestDocument test = arm();
            test(R"({"op": "setPose", "joint": "shoulder", "rotation": [20, 30, -50]})");
            test(R"({"op": "rotate", "joint": "elbow", "axis": "y", "value": -70})");
            test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "two-bone"})");
            if (solver != std::string("two-bone")) test(R"({"op": "setHandle", "name": "hand", "solver": "dls"})");
            const Affine elbow = test.world("elbow"), wrist = test.world("wrist");
            test(R"({"op": "setHandle", "name": "hand", "pole": "auto"})");
            QVERIFY(test.handle("hand").hasPole);
            QVERIFY((test.world("elbow").translation() - elbow.translation()).norm() < 1e-3);
            QVERIFY((test.world("wrist").translation() - wrist.translation()).norm() < 1e-3);
            // Square to the line shoulder -> wrist, on the elbow's side, a metre (the chain's length) out.
            const Vector3 pole = toVector(test.still("hand", Property::Pole));
            const Vector3 start = test.world("shoulder").translation(), end = wrist.translation();
            QVERIFY(std::abs((pole - 0.5 * (start + end)).dot(end - start)) < 1e-9);
            QVERIFY(std::abs((pole - 0.5 * (start + end)).norm() - 1) < 1e-9);
            QVERIFY((pole - start).dot(elbow.translation() - 0.5 * (start + end)) > 0.1);
        }
    }

    void anAutomaticPoleOfAStraightChainIsOnTheSideOfItsPreferredAngles()
    {
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "two-bone"})");
        test(R"({"op": "setHandle", "name": "hand", "pole": "auto"})");
        const Vector3 middle(0.5, 1, 0);
        QVERIFY((toVector(test.still("hand", Property::Pole)) - middle - Vector3(0, 0, 1)).norm() < 1e-9); // in front
        test(R"({"op": "setPreferredAngle", "joint": "elbow", "value": [0, 0, 30]})");
        test(R"({"op": "setHandle", "name": "hand", "pole": "auto"})");
        QVERIFY((toVector(test.still("hand", Property::Pole)) - middle - Vector3(0, -1, 0)).norm() < 1e-9);
    }

    void aPoleIsMovedAsQuicklyAsAGoal()
    {
        const auto takes = [](const char* operation) { return takesTime(json(operation)); };
        QVERIFY(!takes(R"({"op": "setHandle", "name": "hand", "pole": [0, 1, 2]})"));
        QVERIFY(!takes(R"({"op": "setHandle", "name": "hand", "blend": 0.5, "twist": 10, "weight": 2})"));
        QVERIFY(takes(R"({"op": "setHandle", "name": "hand", "pole": "auto"})"));
        QVERIFY(takes(R"({"op": "setHandle", "name": "hand", "blend": 0.5, "solver": "dls"})"));

        // Nothing is prepared either.
        int made = 0;
        const SolverRegistry solvers = countingSolvers(made);
        Document document = documentOf(Figure().test.scene, solvers);
        QVERIFY(succeeds(document, R"({"op": "setHandle", "name": "handHandleL", "pole": "auto"})"));
        const int madeForThePole = made;
        Gesture gesture(document);
        for (int move = 0; move < 10; ++move)
            QVERIFY(gesture.update({{"op", "setHandle"}, {"name", "handHandleL"}, {"pole", QJsonArray{1, 2, move}}}));
        QCOMPARE(made, madeForThePole);
    }

    /// A pose of one joint of a limb that is shown already gives its handle nothing to do.
    void anUnchangedPoseOfALimbKeysNoPole()
    {
        TestDocument d = arm();
        d(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
        d(R"({"op": "setHandle", "name": "hand", "pole": [0.2, 1.4, -0.8]})")(R"({"op": "addClip", "name": "wave"})");
        for (const char* step : {R"({"op": "setGoal", "handle": "hand", "position": [0.6, 1.2, 0.1]})",
                                 R"({"op": "key", "target": "hand", "channels": ["goal.position"], "frame": 1})",
                                 R"({"op": "setGoal", "handle": "hand", "position": [0.3, 1.5, 0.3]})",
                                 R"({"op": "key", "target": "hand", "channels": ["goal.position"], "frame": 20})"})
            d(step);
        const auto elbowAt = [&](int frame) -> Vector3 { return d.worldAt("elbow", frame).translation(); };
        const Vector3 first = elbowAt(1), last = elbowAt(20);
        d(R"({"op": "setFrame", "value": 1})")(R"({"op": "copyPose", "joints": ["elbow"]})");
        d(R"({"op": "autoKey", "on": true})")(R"({"op": "pastePose"})");
        QVERIFY(d.keys("hand", Property::Pole) == nullptr);
        QVERIFY((elbowAt(1) - first).norm() < 3e-4 && (elbowAt(20) - last).norm() < 3e-4);
    }
};

TENDON_TEST(TestPosing)
#include "tst_posing.moc"

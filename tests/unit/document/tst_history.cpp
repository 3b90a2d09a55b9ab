#include "core/document/ChangeSet.h"
#include "core/document/Gesture.h"
#include "core/scene/SceneEdit.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

using namespace tendon;
using namespace tendon::test;

namespace {

Scene withJoint(const char* name)
{
    Joint joint;
    joint.name = name;
    return *addJoint({}, joint);
}

} // namespace

class TestHistory : public QObject
{
    Q_OBJECT

private slots:
    void undoAndRedoMoveAlongTheSteps()
    {
        History history;
        history.push(withJoint("a"), "Add a");
        history.push(withJoint("b"), "Add b");
        QCOMPARE(history.undoText(), std::string("Add b"));
        QVERIFY(history.undo());
        QCOMPARE(history.current().joints->front().name, std::string("a"));
        QCOMPARE(history.redoText(), std::string("Add b"));
        QVERIFY(history.undo());
        QVERIFY(!history.undo());
        QVERIFY(history.current() == Scene{});
        QVERIFY(history.redo());
        QVERIFY(history.redo());
        QVERIFY(!history.redo());
        QCOMPARE(history.current().joints->front().name, std::string("b"));
    }

    void aStepAfterUndoForgetsWhatWasUndone()
    {
        History history;
        history.push(withJoint("a"), "");
        QVERIFY(history.undo());
        history.push(withJoint("b"), "");
        QCOMPARE(history.redoCount(), std::size_t(0));
        QCOMPARE(history.undoCount(), std::size_t(1));
    }

    void anEqualSceneIsNoStep()
    {
        History history(withJoint("a"));
        history.push(withJoint("a"), "");
        QCOMPARE(history.undoCount(), std::size_t(0));
    }

    void theOldestStepsAreForgotten()
    {
        History history;
        for (std::size_t i = 0; i < History::kSteps + 50; ++i) history.push(withJoint(std::to_string(i).c_str()), "");
        QCOMPARE(history.undoCount(), History::kSteps);
        while (history.undo()) {}
        QCOMPARE(history.current().joints->front().name, std::string("49"));
    }

    void savedIsTheVeryStepThatWasMarked()
    {
        History history;
        QVERIFY(history.isSaved());
        history.push(withJoint("a"), "");
        QVERIFY(!history.isSaved());
        history.markSaved();
        history.push(withJoint("b"), "");
        QVERIFY(!history.isSaved());
        history.undo();
        QVERIFY(history.isSaved());
        history.undo();
        history.push(withJoint("c"), "");
        QVERIFY(!history.isSaved());
        for (std::size_t i = 0; i < 3 * History::kSteps; ++i) history.push(withJoint(std::to_string(i).c_str()), "");
        QVERIFY(!history.isSaved());
    }

    void mergedStepsAreOneAndComingBackIsNone()
    {
        History history;
        history.pushMerged(withJoint("a"), "Drag", "drag");
        history.pushMerged(withJoint("b"), "Drag", "drag");
        QCOMPARE(history.undoCount(), std::size_t(1));
        QCOMPARE(history.current().joints->front().name, std::string("b"));
        history.pushMerged(Scene{}, "Drag", "drag");
        QCOMPARE(history.undoCount(), std::size_t(0));

        history.pushMerged(withJoint("a"), "Drag", "drag");
        history.seal();
        history.pushMerged(withJoint("b"), "Drag", "drag");
        QCOMPARE(history.undoCount(), std::size_t(2));
        history.pushMerged(withJoint("c"), "Turn", "turn");
        QCOMPARE(history.undoCount(), std::size_t(3));
    }

    void aGestureIsOneStepThatDoesNotDependOnItsWay()
    {
        TestDocument direct = arm();
        direct(R"({"op": "drag", "joint": "wrist", "by": [-0.2, 0.3, 0.1]})");

        TestDocument test = arm();
        const std::size_t steps = test.document.history.undoCount();
        {
            Gesture gesture(test.document);
            QVERIFY(gesture.update(json(R"({"op": "drag", "joint": "wrist", "by": [0.1, -0.5, 0.2]})")).has_value());
            QVERIFY(gesture.update(json(R"({"op": "drag", "joint": "wrist", "by": [-0.9, 0.1, 0.4]})")).has_value());
            QVERIFY(!gesture.update(json(R"({"op": "drag", "joint": "nobody", "by": [0, 0, 0]})")));
            QVERIFY(gesture.update(json(R"({"op": "drag", "joint": "wrist", "by": [-0.2, 0.3, 0.1]})")).has_value());
            const auto recorded = gesture.finish();
            QCOMPARE(recorded.size(), std::size_t(1));
            QCOMPARE(recorded.front(), json(R"({"op": "drag", "joint": "wrist", "by": [-0.2, 0.3, 0.1]})"));
        }
        QCOMPARE(test.document.history.undoCount(), steps + 1);
        QVERIFY(test.scene() == direct.scene());
    }

    void aCancelledGestureLeavesNothing()
    {
        TestDocument test = arm();
        const Scene before = test.scene();
        const std::size_t steps = test.document.history.undoCount();
        Gesture gesture(test.document);
        QVERIFY(gesture.update(json(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 30})")).has_value());
        gesture.cancel();
        QVERIFY(test.scene() == before);
        QCOMPARE(test.document.history.undoCount(), steps);
    }

    void aChangeSetNamesWhatChangedAndNothingElse()
    {
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
        test(R"({"op": "key", "target": "hand"})");
        const auto after = [&](const char* operation) {
            const Scene before = test.scene();
            test(operation);
            return changesBetween(before, test.scene());
        };
        ChangeSet changes = after(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 30})");
        QCOMPARE(changes.objects.size(), std::size_t(1));
        QVERIFY(changes.has(test.id("elbow"), Aspect::Statics));
        QVERIFY(!changes.isRigChanged);

        changes = after(R"({"op": "key", "target": "hand", "frame": 10})");
        QVERIFY(changes.has(test.id("hand"), Aspect::Keys));
        QVERIFY(changes.has(test.document.edit.currentClip.value, Aspect::Keys));
        QCOMPARE(changes.objects.size(), std::size_t(2));
        QVERIFY(!changes.isRigChanged);

        changes = after(R"({"op": "setTerminator", "joint": "elbow", "on": true})");
        QVERIFY(changes.has(test.id("elbow"), Aspect::Freedom));
        QCOMPARE(changes.objects.size(), std::size_t(1));
        QVERIFY(changes.isRigChanged);

        changes = after(R"({"op": "addJoint", "name": "tip", "parent": "wrist"})");
        QVERIFY(changes.has(test.id("tip"), Aspect::Added));
        QVERIFY(changes.isRigChanged);

        changes = after(R"({"op": "setRange", "from": 2, "to": 20})");
        QVERIFY(changes.isTimingChanged && changes.objects.empty());
        QVERIFY(changesBetween(test.scene(), test.scene()).isEmpty());
    }
};

TENDON_TEST(TestHistory)
#include "tst_history.moc"

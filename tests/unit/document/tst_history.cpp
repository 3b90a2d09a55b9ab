#include "core/document/ChangeSet.h"
#include "core/document/Gesture.h"
#include "core/scene/SceneEdit.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

using namespace tendon;
using namespace tendon::test;

namespace {

Version withJoint(const char* name)
{
    Joint joint;
    joint.name = name;
    return {*addJoint({}, joint), {}, {}, 1};
}

/// `version` with a pending value.
Version posed(Version version, double value)
{
    version.pending[{1, Property::Rx}] = {value};
    return version;
}

std::string nameOf(const History& history) { return history.current().scene.joints->front().name; }

} // namespace

class TestHistory : public QObject
{
    Q_OBJECT

private slots:
    void undoAndRedoMoveAlongTheSteps()
    {
        History history;
        QVERIFY(history.push(withJoint("a"), "Add a"));
        QVERIFY(history.push(withJoint("b"), "Add b"));
        QCOMPARE(history.undoText(), std::string("Add b"));
        QVERIFY(history.undo());
        QCOMPARE(nameOf(history), std::string("a"));
        QCOMPARE(history.redoText(), std::string("Add b"));
        QVERIFY(history.undo());
        QVERIFY(!history.undo());
        QVERIFY(history.current() == Version{});
        QVERIFY(history.redo());
        QVERIFY(history.redo());
        QVERIFY(!history.redo());
        QCOMPARE(nameOf(history), std::string("b"));
    }

    void aStepAfterUndoDropsWhatCouldBeRedone()
    {
        History history;
        history.push(withJoint("a"), "");
        QVERIFY(history.undo());
        history.push(withJoint("b"), "");
        QCOMPARE(history.redoCount(), std::size_t(0));
        QCOMPARE(history.undoCount(), std::size_t(1));
    }

    void anEqualVersionIsNoStep()
    {
        History history(withJoint("a"));
        QVERIFY(!history.push(withJoint("a"), ""));
        Version otherClip = withJoint("a");
        otherClip.currentClip = ClipId{7};
        QVERIFY(!history.push(otherClip, ""));
        QCOMPARE(history.undoCount(), std::size_t(0));
        QCOMPARE(history.current().currentClip, ClipId{7});
    }

    void pendingValuesAreSteps()
    {
        History history(withJoint("a"));
        QVERIFY(history.push(posed(withJoint("a"), 1), "Rotate"));
        QVERIFY(history.push(posed(withJoint("a"), 2), "Rotate"));
        QVERIFY(history.isSaved()); // a project does not hold them
        QVERIFY(history.undo());
        QVERIFY(history.current() == posed(withJoint("a"), 1));
        QVERIFY(history.undo());
        QVERIFY(history.current() == withJoint("a"));
        QVERIFY(history.redo());
        QVERIFY(history.current() == posed(withJoint("a"), 1));
    }

    void leavingPendingValuesIsAStepThatKeepsWhatCanBeRedone()
    {
        const auto at = [](Version version, int frame) {
            version.frame = frame;
            return version;
        };
        History history(withJoint("a"));
        history.leave(at(withJoint("a"), 5), "Leave"); // nothing is discarded
        QCOMPARE(history.undoCount(), std::size_t(0));
        history.push(at(posed(withJoint("a"), 1), 10), "Rotate");
        history.push(at(posed(withJoint("a"), 2), 10), "Rotate more");
        QVERIFY(history.undo());
        history.leave(at(withJoint("a"), 20), "Leave");
        QCOMPARE(history.undoText(), std::string("Leave"));
        QCOMPARE(history.redoText(), std::string("Rotate more"));
        QCOMPARE(history.redoFrame(), std::optional(10));
        QVERIFY(history.redo());
        QVERIFY(history.current() == at(posed(withJoint("a"), 2), 10));
        QVERIFY(history.undo());
        QCOMPARE(history.undoFrame(), std::optional(10)); // where the pose was left, not where one went
        QVERIFY(history.undo());
        QVERIFY(history.current() == at(posed(withJoint("a"), 1), 10));
        QVERIFY(history.undo());
        history.push(at(withJoint("b"), 30), "Rename");
        QCOMPARE(history.undoFrame(), std::nullopt); // seen at every frame
    }

    void theOldestStepsAreDropped()
    {
        History history;
        for (std::size_t i = 0; i < History::kMaxSteps + 50; ++i)
            history.push(withJoint(std::to_string(i).c_str()), "");
        QCOMPARE(history.undoCount(), History::kMaxSteps);
        while (history.undo()) {}
        QCOMPARE(nameOf(history), std::string("49"));
    }

    void savedIsTheVerySceneThatWasMarked()
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
        for (std::size_t i = 0; i < 3 * History::kMaxSteps; ++i) history.push(withJoint(std::to_string(i).c_str()), "");
        QVERIFY(!history.isSaved());
        history.markSaved();
        history.markUnsaved();
        QVERIFY(!history.isSaved());
    }

    void aReplacedStepStaysOneAndComingBackIsNone()
    {
        History history;
        QVERIFY(history.push(withJoint("a"), "Drag"));
        QVERIFY(history.replaceLast(withJoint("b"), "Drag"));
        QCOMPARE(history.undoCount(), std::size_t(1));
        QCOMPARE(nameOf(history), std::string("b"));
        QVERIFY(!history.replaceLast({}, "Drag"));
        QCOMPARE(history.undoCount(), std::size_t(0));
    }

    void aPoseIsUndoneByTheOperation()
    {
        TestDocument test = arm();
        test(R"({"op": "key", "target": "elbow"})")(R"({"op": "setFrame", "value": 10})");
        test(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 45})");
        const PendingValues pending = test.document.edit.pending;
        QCOMPARE(pending.size(), std::size_t(1));
        test(R"({"op": "undo"})");
        QVERIFY(test.document.edit.pending.empty());
        test(R"({"op": "redo"})");
        QVERIFY(test.document.edit.pending == pending);
        // A key takes up the pending value, and undo brings it back.
        test(R"({"op": "key", "target": "elbow"})");
        QVERIFY(test.document.edit.pending.empty());
        test(R"({"op": "undo"})");
        QVERIFY(test.document.edit.pending == pending);
        // Going away discards it. Undo goes back to it, redo to where it was left.
        test(R"({"op": "setFrame", "value": 11})");
        QVERIFY(test.document.edit.pending.empty());
        test(R"({"op": "setFrame", "value": 15})")(R"({"op": "undo"})");
        QVERIFY(test.document.edit.pending == pending);
        QCOMPARE(test.document.edit.frame, 10);
        test(R"({"op": "redo"})");
        QVERIFY(test.document.edit.pending.empty());
        QCOMPARE(test.document.edit.frame, 11);
    }

    void aPoseThatWasUndoneIsRedoneAfterAChangeOfFrame()
    {
        TestDocument test = arm();
        test(R"({"op": "key", "target": "elbow"})")(R"({"op": "setFrame", "value": 10})");
        test(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 45})");
        const PendingValues pending = test.document.edit.pending;
        test(R"({"op": "undo"})")(R"({"op": "setFrame", "value": 20})")(R"({"op": "redo"})");
        QVERIFY(test.document.edit.pending == pending);
        QCOMPARE(test.document.edit.frame, 10);
    }

    void undoGoesToTheFrameOfAKeyAndStaysForWhatHasNone()
    {
        TestDocument test = arm();
        test(R"({"op": "addJoint", "name": "extra"})")(R"({"op": "setFrame", "value": 10})");
        test(R"({"op": "key", "target": "elbow"})")(R"({"op": "setFrame", "value": 20})")(R"({"op": "undo"})");
        QCOMPARE(test.document.edit.frame, 10);
        test(R"({"op": "setFrame", "value": 20})")(R"({"op": "redo"})");
        QCOMPARE(test.document.edit.frame, 10);
        test(R"({"op": "undo"})")(R"({"op": "setFrame", "value": 20})")(R"({"op": "undo"})");
        QVERIFY(!test.scene().jointNamed("extra"));
        QCOMPARE(test.document.edit.frame, 20);
    }

    void undoAndRedoBringTheCurrentClipBack()
    {
        TestDocument test = arm();
        test(R"({"op": "addClip", "name": "a"})")(R"({"op": "addClip", "name": "b"})")(R"({"op": "undo"})");
        QCOMPARE(test.document.clip()->name, std::string("a"));
        test(R"({"op": "redo"})");
        QCOMPARE(test.document.clip()->name, std::string("b"));
        test(R"({"op": "selectClip", "name": "a"})")(R"({"op": "addJoint", "name": "extra"})")(R"({"op": "undo"})");
        QCOMPARE(test.document.clip()->name, std::string("a")); // selecting is no step
        QCOMPARE(test.document.history.undoText(), std::string("Add clip b"));
    }

    void aGroupIsOneStepAllOrNothing()
    {
        TestDocument test = arm();
        const Scene before = test.scene();
        const std::size_t steps = test.document.history.undoCount();
        test(R"({"op": "group", "operations": [{"op": "key", "target": "elbow"}, {"op": "key", "target": "wrist"}]})");
        QCOMPARE(test.document.history.undoCount(), steps + 1);
        QCOMPARE(test.document.history.undoText(), std::string("Key elbow and 1 more"));
        const Scene keyed = test.scene();
        test(R"({"op": "undo"})");
        QVERIFY(test.scene() == before);
        test(R"({"op": "redo"})");
        QVERIFY(test.scene() == keyed);

        const std::string error = test.error(R"({"op": "group", "operations": [
            {"op": "key", "target": "elbow", "frame": 5}, {"op": "key", "target": "nobody"}]})");
        QVERIFY2(error.starts_with("group: operations[1]: key: ") && error.find("nobody") != std::string::npos,
                 error.c_str());
        QCOMPARE(
            test.error(R"({"op": "group", "operations": [{"op": "setFrame", "value": 5}]})"),
            std::string("group: operations[0]: \"setFrame\" is not an undo step, so it cannot be in a group; carry "
                        "it out before or after"));
        QCOMPARE(test.error(R"({"op": "group", "operations": [{"op": "clearPose"}, 7]})"),
                 std::string("group: operations[1]: must be an operation {\"op\": ...}, but is 7"));
        QVERIFY(test.error(R"({"op": "group", "operations": []})").find("one or more operations") != std::string::npos);
        QVERIFY(test.scene() == keyed);
    }

    void aGestureIsOneStepThatDoesNotDependOnItsPath()
    {
        TestDocument direct = arm();
        direct(R"({"op": "drag", "joint": "wrist", "by": [-0.2, 0.3, 0.1]})");

        TestDocument test = arm();
        const std::size_t steps = test.document.history.undoCount();
        Gesture gesture(test.document);
        QVERIFY(gesture.update(json(R"({"op": "drag", "joint": "wrist", "by": [0.1, -0.5, 0.2]})")).has_value());
        QVERIFY(gesture.update(json(R"({"op": "drag", "joint": "wrist", "by": [-0.9, 0.1, 0.4]})")).has_value());
        QVERIFY(!gesture.update(json(R"({"op": "drag", "joint": "nobody", "by": [0, 0, 0]})")));
        QVERIFY(!gesture.update(json(R"({"op": "setFrame", "value": 3})")));
        QVERIFY(gesture.update(json(R"({"op": "drag", "joint": "wrist", "by": [-0.2, 0.3, 0.1]})")).has_value());
        QVERIFY(gesture.last() == json(R"({"op": "drag", "joint": "wrist", "by": [-0.2, 0.3, 0.1]})"));
        QCOMPARE(test.document.history.undoCount(), steps + 1);
        QVERIFY(test.scene() == direct.scene());
    }

    void aGestureThatComesBackIsNoStep()
    {
        TestDocument test = arm();
        test(R"({"op": "key", "target": "elbow"})")(R"({"op": "setFrame", "value": 10})");
        const std::size_t steps = test.document.history.undoCount();
        Gesture gesture(test.document);
        QVERIFY(gesture.update(json(R"({"op": "slide", "joint": "elbow", "axis": "x", "value": 0.7})")).has_value());
        QCOMPARE(test.document.history.undoCount(), steps + 1);
        QVERIFY(gesture.update(json(R"({"op": "slide", "joint": "elbow", "axis": "x", "value": 0.5})")).has_value());
        QCOMPARE(test.document.history.undoCount(), steps);
        QVERIFY(gesture.update(json(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 30})")).has_value());
        QCOMPARE(test.document.edit.pending.size(), std::size_t(1));
        QCOMPARE(test.document.history.undoCount(), steps + 1);
    }

    void aCancelledGestureLeavesNoStep()
    {
        TestDocument test = arm();
        test(R"({"op": "autoKey", "on": true})");
        const Scene before = test.scene();
        const EditState edit = test.document.edit;
        const std::size_t steps = test.document.history.undoCount();
        Gesture gesture(test.document);
        QVERIFY(gesture.update(json(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 30})")).has_value());
        QVERIFY(test.document.clip() != nullptr); // made for the key
        gesture.cancel();
        QVERIFY(test.scene() == before);
        QVERIFY(test.document.edit == edit);
        QVERIFY(test.document.history.current() == versionOf(before, edit));
        QCOMPARE(test.document.history.undoCount(), steps);
        QVERIFY(!gesture.last());
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

#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

using namespace tendon;
using namespace tendon::test;

using ClipboardFrames = std::vector<double>;

/// Keys that are copied and pasted, and keys that are snapped to frames.
class TestKeyClipboard : public QObject
{
    Q_OBJECT

    /// rz of the elbow at 1, 11 and 21 with 10, 20, 30 degrees, and of the wrist at 11.
    static TestDocument keyed()
    {
        TestDocument test = arm();
        for (const char* op : {R"({"op": "key", "target": "elbow", "channels": ["rz"], "frame": 1})",
                               R"({"op": "key", "target": "elbow", "channels": ["rz"], "frame": 11})",
                               R"({"op": "key", "target": "elbow", "channels": ["rz"], "frame": 21})",
                               R"({"op": "setKeyValue", "target": "elbow", "frame": 1, "value": 10})",
                               R"({"op": "setKeyValue", "target": "elbow", "frame": 11, "value": 20})",
                               R"({"op": "setKeyValue", "target": "elbow", "frame": 21, "value": 30})",
                               R"({"op": "setTangent", "target": "elbow", "frame": 11, "interpolation": "step"})",
                               R"({"op": "key", "target": "wrist", "channels": ["rz"], "frame": 11})"})
            test(op);
        return test;
    }

private slots:
    void copiedKeysArePastedWithAllThatTheyAre()
    {
        TestDocument test = keyed();
        test(R"({"op": "keysToClipboard", "target": "elbow", "range": [11, 21]})");
        QCOMPARE(test.document.history.undoText(), std::string("Key wrist")); // copying is no step
        test(R"({"op": "deleteKey", "target": "elbow", "range": [0, 100]})"); // as cutting does
        test(R"({"op": "setFrame", "value": 5})")(R"({"op": "pasteKeys"})");
        QCOMPARE(test.frames("elbow", Property::Rz), (ClipboardFrames{5, 15}));
        QVERIFY(std::abs(test.keyed("elbow", Property::Rz, 5) - radians(20)) < 1e-12);
        QCOMPARE(test.keys("elbow", Property::Rz)->front().interpolation, Interpolation::Step);
        QCOMPARE(test.frames("wrist", Property::Rz), ClipboardFrames{11});
        test(R"({"op": "pasteKeys", "frame": 40.5})"); // as often as wanted, between frames, too
        QCOMPARE(test.frames("elbow", Property::Rz), (ClipboardFrames{5, 15, 40.5, 50.5}));
        test(R"({"op": "undo"})");
        QCOMPARE(test.frames("elbow", Property::Rz), (ClipboardFrames{5, 15}));
    }

    void keysOfSeveralObjectsKeepTheirDistances()
    {
        TestDocument test = keyed();
        test(R"({"op": "keysToClipboard", "target": "elbow", "frame": 1})")(
            R"({"op": "keysToClipboard", "target": "wrist", "frame": 11, "add": true})");
        test(R"({"op": "pasteKeys", "frame": 101})");
        QCOMPARE(test.frames("elbow", Property::Rz), (ClipboardFrames{1, 11, 21, 101}));
        QCOMPARE(test.frames("wrist", Property::Rz), (ClipboardFrames{11, 111}));
        QVERIFY(test.error(R"({"op": "pasteKeys", "onto": "wrist"})").find("several objects") != std::string::npos);
        test(R"({"op": "keysToClipboard", "target": "wrist", "frame": 11})"); // what was copied before is forgotten
        test(R"({"op": "pasteKeys", "frame": 61})");
        QCOMPARE(test.frames("elbow", Property::Rz), (ClipboardFrames{1, 11, 21, 101}));
    }

    void pastingReplacesWhatIsInTheWayIfAsked()
    {
        TestDocument test = keyed();
        test(R"({"op": "keysToClipboard", "target": "elbow", "frames": [1, 21]})");
        test(R"({"op": "pasteKeys", "frame": 6})");
        QCOMPARE(test.frames("elbow", Property::Rz), (ClipboardFrames{1, 6, 11, 21, 26}));
        test(R"({"op": "undo"})")(R"({"op": "pasteKeys", "frame": 6, "replace": true})");
        QCOMPARE(test.frames("elbow", Property::Rz), (ClipboardFrames{1, 6, 26}));
    }

    void keysArePastedOntoAnotherJointAndIntoAnotherClip()
    {
        TestDocument test = keyed();
        test(R"({"op": "keysToClipboard", "target": "elbow", "frames": [1, 11]})");
        test(R"({"op": "addClip", "name": "other"})")(R"({"op": "pasteKeys", "onto": "shoulder", "frame": 3})");
        QCOMPARE(test.frames("shoulder", Property::Rz), (ClipboardFrames{3, 13}));
        QVERIFY(test.keys("elbow", Property::Rz) == nullptr);
        // A joint with keys of its whole rotation gets angles, as copyKeys does it.
        test(R"({"op": "key", "target": "wrist", "channels": ["rotation"], "frame": 3})");
        test(R"({"op": "pasteKeys", "onto": "wrist", "frame": 3})");
        QVERIFY(test.keys("wrist", Property::Rotation) == nullptr);
        QCOMPARE(test.frames("wrist", Property::Rz), (ClipboardFrames{3, 13}));
    }

    void aPoseThatIsNotKeyedGivesWayToPastedKeys()
    {
        TestDocument test = keyed();
        test(R"({"op": "keysToClipboard", "target": "elbow", "frame": 21})")(R"({"op": "setFrame", "value": 8})");
        test(R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 77})");
        QCOMPARE(test.document.edit.pending.size(), std::size_t(1));
        test(R"({"op": "pasteKeys"})");
        QVERIFY(test.document.edit.pending.empty());
        QVERIFY(std::abs(test.keyed("elbow", Property::Rz, 8) - radians(30)) < 1e-12);
    }

    void whatCannotBePastedIsSaid()
    {
        TestDocument test = keyed();
        QVERIFY(test.error(R"({"op": "pasteKeys"})").find("copy keys first") != std::string::npos);
        test(R"({"op": "keysToClipboard", "target": "wrist", "frame": 11})");
        QVERIFY(test.error(R"({"op": "pasteKeys", "frame": 1e8})").find("10 000 000") != std::string::npos);
        test(R"({"op": "removeJoint", "joint": "wrist"})");
        QVERIFY(test.error(R"({"op": "pasteKeys"})").find("not there any more") != std::string::npos);
    }

    void keysBetweenFramesAreSnapped()
    {
        TestDocument test = keyed();
        test(R"({"op": "scaleKeys", "target": "elbow", "by": 0.33})");
        QVERIFY(test.frames("elbow", Property::Rz)[1] != 4);
        test(R"({"op": "snapKeys", "target": "elbow"})");
        QCOMPARE(test.frames("elbow", Property::Rz), (ClipboardFrames{1, 4, 8}));
        test(R"({"op": "moveKeys", "target": "elbow", "frame": 4, "by": 3.8})")(
            R"({"op": "snapKeys", "target": "elbow", "frame": 7.8})");
        QCOMPARE(test.frames("elbow", Property::Rz), (ClipboardFrames{1, 8})); // both at 8
        QVERIFY(std::abs(test.keyed("elbow", Property::Rz, 8) - radians(20)) < 1e-12);
    }
};

TENDON_TEST(TestKeyClipboard)
#include "tst_key_clipboard.moc"

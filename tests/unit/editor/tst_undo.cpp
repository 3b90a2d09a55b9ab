#include "app/editor/EditorDocument.h"
#include "core/document/MakeOperation.h"
#include "tests/support/RandomOperations.h"
#include "tests/support/TestProgram.h"

#include <QSignalSpy>
#include <QtTest>

using namespace tendon;
using namespace tendon::editor;
using namespace tendon::test;

namespace {

Version versionOf(const EditorDocument& document) { return tendon::versionOf(document.scene(), document.edit()); }
Version versionOf(const Document& document) { return tendon::versionOf(document.scene(), document.edit); }

std::string bytesOf(const Project& project)
{
    const auto bytes = projectBytes(project, "/nowhere/p.tendon");
    return bytes ? *bytes : "ERROR " + bytes.error().text();
}

std::string bytesOf(const EditorDocument& document)
{
    const EditState& edit = document.edit();
    return bytesOf(Project{document.scene(), {edit.currentClip, edit.frame, edit.camera, edit.layer}});
}

} // namespace

/// Ctrl+Z and the operation `undo` are the same thing.
class TestUndo : public QObject
{
    Q_OBJECT
    int m_groups = 0, m_posings = 0; ///< of all seeds

private slots:
    void ctrlZAndTheOperationDoTheSame_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 5; ++seed) QTest::addRow("seed %d", seed) << seed;
    }

    /// Random operations, groups and poses among them, in the window's document and by script.
    void ctrlZAndTheOperationDoTheSame()
    {
        QFETCH(int, seed);
        RandomOperations random(static_cast<std::uint32_t>(1000 + seed));
        TestDocument script = randomStart();
        EditorDocument window(TestDocument::solvers());
        const Project start = projectOf(script.document);
        window.adopt(start, {}, {});
        const Version first = versionOf(window);
        QVERIFY(first == versionOf(script.document));

        int posings = 0, groups = 0;
        for (int i = 0; i < 160; ++i) {
            QJsonObject operation = random.next(script.scene());
            while (i % 8 == 0 && operation.value("op") != QLatin1String("group"))
                operation = random.next(script.scene()); // or there are few
            const Version before = versionOf(script.document);
            const bool isDone = carryOut(script.document, operation).has_value();
            (void)window.apply(operation);
            QVERIFY(window.work().finish());
            const Version after = versionOf(script.document);
            QVERIFY2(versionOf(window) == after, operationToJson(operation).c_str());
            QVERIFY(window.edit() == script.document.edit);
            groups += isDone && findOperation(operation)->name == "group";
            posings += isDone && after.scene == before.scene && after.pending != before.pending;
            QCOMPARE(window.history().undoCount(), script.document.history.undoCount());
            QCOMPARE(window.history().redoCount(), script.document.history.redoCount());
        }
        qInfo("seed %d: %d groups, %d pending poses, %zu steps", seed, groups, posings, window.history().undoCount());
        m_groups += groups;
        m_posings += posings;

        const Version last = versionOf(window);
        const std::string lastBytes = bytesOf(window);
        std::size_t steps = 0;
        for (; window.canUndo(); ++steps) {
            QVERIFY(window.undo());
            QVERIFY(carryOut(script.document, ops::undo()).has_value());
            QVERIFY(versionOf(window) == versionOf(script.document));
        }
        QVERIFY(!window.undo());
        QVERIFY(window.scene() == first.scene && window.edit().pending == first.pending);
        for (; steps > 0; --steps) {
            QVERIFY(window.redo());
            QVERIFY(carryOut(script.document, ops::redo()).has_value());
            QVERIFY(versionOf(window) == versionOf(script.document));
        }
        QVERIFY(window.apply(ops::setFrame(last.frame))); // undo has gone elsewhere
        QVERIFY(versionOf(window) == last);
        QCOMPARE(bytesOf(window), lastBytes);

        // The record, Ctrl+Z and all, read and carried out again.
        const auto recorded = parseScript(scriptToText(window.recorded()));
        QVERIFY(recorded.has_value());
        Document replayed = openDocument(start, {}, TestDocument::solvers());
        QVERIFY(runScript(replayed, *recorded).has_value());
        QVERIFY(versionOf(replayed) == last);
        QCOMPARE(bytesOf(projectOf(replayed)), lastBytes);
    }

    void aPoseThatIsNotKeyedIsUndoneAndRecorded()
    {
        EditorDocument document(TestDocument::solvers());
        document.adopt(projectOf(randomStart().document), {}, {});
        QVERIFY(document.apply({{"op", "key"}, {"target", "joint 2"}}));
        QVERIFY(document.apply(ops::setFrame(10)));
        QVERIFY(document.apply({{"op", "rotate"}, {"joint", "joint 2"}, {"axis", "z"}, {"value", 20}}));
        const PendingValues pending = document.edit().pending;
        QCOMPARE(pending.size(), std::size_t(1));
        QSignalSpy edited(&document, &EditorDocument::editChanged);
        QVERIFY(document.undo());
        QCOMPARE(edited.count(), 1);
        QVERIFY(document.edit().pending.empty());
        QVERIFY(document.redo());
        QVERIFY(document.edit().pending == pending);
        QCOMPARE(document.recorded().back(), ops::redo());
        // A drag of a keyed channel is one such step, too.
        document.gesture().begin();
        for (const double value : {25.0, 30.0, 35.0})
            QVERIFY(
                document.gesture().update({{"op", "rotate"}, {"joint", "joint 2"}, {"axis", "z"}, {"value", value}}));
        document.gesture().finish();
        QVERIFY(document.undo());
        QVERIFY(document.edit().pending == pending);
    }

    void theSeedsHadGroupsAndPoses() { QVERIFY(m_groups > 8 && m_posings > 8); }

    void severalAreOneStepAndOneLineOfTheRecord()
    {
        EditorDocument document(TestDocument::solvers());
        document.adopt(projectOf(randomStart().document), {}, {});
        const Scene start = document.scene();
        const std::vector<QJsonObject> keys{{{"op", "key"}, {"target", "joint 1"}},
                                            {{"op", "key"}, {"target", "joint 2"}}};
        QVERIFY(document.applyAsOne(keys));
        QCOMPARE(document.recorded(), std::vector{ops::group(keys)});
        QCOMPARE(document.history().undoCount(), std::size_t(1));
        QVERIFY(document.undo());
        QVERIFY(document.scene() == start);
    }

    void unsavedWorkStaysModifiedWhenItIsUndone()
    {
        EditorDocument document(TestDocument::solvers());
        document.adopt(projectOf(randomStart().document), {}, {});
        QSignalSpy modified(&document, &EditorDocument::modifiedChanged);
        (void)document.change([](Document& value) {
            value.history.markUnsaved();
            return Result<void>{};
        });
        QCOMPARE(modified.count(), 1);
        QVERIFY(document.isModified());
        QVERIFY(document.apply({{"op", "addJoint"}, {"name", "extra"}}));
        QVERIFY(document.undo());
        QVERIFY(document.isModified());
    }
};

TENDON_TEST(TestUndo)
#include "tst_undo.moc"

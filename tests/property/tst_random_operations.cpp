#include "core/document/MakeOperation.h"
#include "core/io/project/ProjectFile.h"
#include "core/scene/Validate.h"
#include "tests/support/RandomOperations.h"

#include <set>
#include <string_view>

using namespace tendon;
using namespace tendon::test;

namespace {

std::string bytesOf(const Scene& scene)
{
    const auto bytes = projectBytes({scene, {}}, "/nowhere/p.tendon");
    return bytes ? *bytes : "ERROR " + bytes.error().text();
}

/// Undo as the manual tells it, by values alone: what each version was, and which one is current.
struct ExpectedVersions
{
    std::vector<Version> versions;
    std::size_t current = 0;

    static bool isSame(const Version& a, const Version& b) { return a.scene == b.scene && a.pending == b.pending; }

    void follow(const Operation& operation, const Document& document, const EditState& editBefore)
    {
        const Version now = versionOf(document.scene(), document.edit);
        if (operation.name == "undo") {
            --current;
        } else if (operation.name == "redo") {
            ++current;
        } else if (operation.isUndoStep) {
            if (isSame(now, versions[current])) return;
            versions.resize(current + 1);
            versions.push_back(now);
            ++current;
        } else if (document.edit.frame != editBefore.frame || document.edit.currentClip != editBefore.currentClip) {
            if (versions[current].pending.empty()) return;
            versions.insert(versions.begin() + static_cast<std::ptrdiff_t>(++current), now); // the pose is discarded
        }
    }
};

} // namespace

class TestRandomOperations : public QObject
{
    Q_OBJECT

    static constexpr int kSeeds = 16;
    static constexpr int kSteps = 360;
    int m_seeds = 0, m_groups = 0, m_posings = 0, m_components = 0; ///< of the seeds that ran
    std::set<std::string_view> m_carriedOut;                        ///< names of operations, by the seeds that ran

private slots:
    void undoingEverythingGivesTheStartAndRedoingEverythingTheEnd_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= kSeeds; ++seed) QTest::addRow("seed %d", seed) << seed;
    }

    void undoingEverythingGivesTheStartAndRedoingEverythingTheEnd()
    {
        QFETCH(int, seed);
        RandomOperations random(static_cast<std::uint32_t>(seed));
        TestDocument test = randomStart();
        std::vector<QJsonObject> done;
        ExpectedVersions expected{{test.document.history.current()}};
        int refused = 0, posings = 0, groups = 0;
        for (int i = 0; i < kSteps; ++i) {
            const QJsonObject operation = random.next(test.scene(), test.document.clip());
            const Version before = versionOf(test.scene(), test.document.edit);
            const EditState edit = test.document.edit;
            const auto result = carryOut(test.document, operation);
            const std::string line = operationToJson(operation);
            const char* text = line.c_str();
            const Version after = versionOf(test.scene(), test.document.edit);
            if (result) {
                done.push_back(operation);
                m_carriedOut.insert(findOperation(operation)->name);
                if (operation.contains(QStringLiteral("components"))) ++m_components;
                const auto sound = checkScene(test.scene());
                QVERIFY2(sound.has_value(), sound ? "" : (line + "\n" + sound.error().text()).c_str());
                posings += findOperation(operation)->isUndoStep && after.scene == before.scene &&
                           after.pending != before.pending;
                groups += findOperation(operation)->name == "group";
                expected.follow(*findOperation(operation), test.document, edit);
                QVERIFY2(ExpectedVersions::isSame(after, expected.versions[expected.current]), text);
                QCOMPARE(test.document.history.undoCount(), expected.current);
            } else {
                ++refused;
                QVERIFY2(after == before && test.document.edit == edit, text);
                QVERIFY2(result.error().text().find('\n') == std::string::npos, result.error().text().c_str());
            }
            const Version& current = test.document.history.current();
            QVERIFY2(ExpectedVersions::isSame(current, after) && current.currentClip == after.currentClip, text);
            QVERIFY2(after.pending.empty() || current.frame == after.frame, text);
        }
        qInfo("seed %d: %zu operations carried out (%d groups, %d pending poses), %d refused, %zu undo steps", seed,
              done.size(), groups, posings, refused, test.document.history.undoCount());
        QVERIFY(done.size() > kSteps / 4);
        ++m_seeds;
        m_groups += groups;
        m_posings += posings;

        const Version last = versionOf(test.scene(), test.document.edit);
        const std::string lastBytes = bytesOf(last.scene);
        QVERIFY(test.document.history.undoCount() < History::kMaxSteps);
        const int steps = static_cast<int>(test.document.history.undoCount());
        for (int i = 0; i < steps; ++i) QVERIFY(carryOut(test.document, ops::undo()).has_value());
        QVERIFY(test.scene() == expected.versions.front().scene);
        QVERIFY(test.document.edit.pending == expected.versions.front().pending);
        QCOMPARE(bytesOf(test.scene()), bytesOf(expected.versions.front().scene));
        while (test.document.history.redoCount() > 0) QVERIFY(carryOut(test.document, ops::redo()).has_value());
        while (test.document.history.undoCount() > static_cast<std::size_t>(steps))
            QVERIFY(carryOut(test.document, ops::undo()).has_value());           // steps that were undone at the end
        QVERIFY(carryOut(test.document, ops::setFrame(last.frame)).has_value()); // undo has gone elsewhere
        QVERIFY(versionOf(test.scene(), test.document.edit) == last);
        QCOMPARE(bytesOf(test.scene()), lastBytes);

        // What was carried out, written down and carried out again, gives the same bytes.
        TestDocument again = randomStart();
        const auto script = parseScript(scriptToText(done));
        QVERIFY2(script.has_value(), script ? "" : script.error().text().c_str());
        const auto ran = runScript(again.document, *script);
        QVERIFY2(ran.has_value(), ran ? "" : ran.error().text().c_str());
        QCOMPARE(bytesOf(again.scene()), lastBytes);
        const Version repeated = versionOf(again.scene(), again.document.edit);
        QVERIFY(repeated.scene == last.scene);
        QVERIFY(repeated.pending == last.pending);
        QVERIFY(repeated == last);
    }

    void theSeedsCoverGroupsPendingPosesAndKeys()
    {
        if (m_seeds < kSeeds) QSKIP("not all seeds ran");
        QVERIFY2(m_groups > 10 && m_posings > 20, qPrintable(QString("%1 and %2").arg(m_groups).arg(m_posings)));
        QVERIFY2(m_components > 2, qPrintable(QString::number(m_components)));
        QStringList missing;
        for (const Operation& operation : operations())
            if (!RandomOperations::isOfFiles(operation) && m_carriedOut.count(operation.name) == 0)
                missing << QString::fromUtf8(operation.name.data(), static_cast<qsizetype>(operation.name.size()));
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u' ')));
    }

    void nonsenseNeitherCrashesNorChangesAnything()
    {
        constexpr std::uint32_t kSeed = 20240607;
        qInfo("seed %u", kSeed);
        RandomOperations random(kSeed);
        TestDocument test = randomStart();
        test(R"({"op": "autoKey", "on": true})")(R"({"op": "rotate", "joint": "joint 2", "axis": "z", "value": 20})");
        int refused = 0;
        for (int i = 0; i < 20'000; ++i) {
            QJsonObject operation = random.next(test.scene());
            // One to three members of a sensible operation become nonsense.
            for (std::size_t n = 1 + random.below(3); n > 0; --n) {
                const QStringList members = operation.keys();
                if (members.isEmpty()) break;
                QString member =
                    members[static_cast<qsizetype>(random.below(static_cast<std::size_t>(members.size())))];
                if (random.below(5) == 0) member = QStringLiteral("unknown");
                if (random.below(6) == 0)
                    operation.remove(member);
                else
                    operation.insert(member, random.anything());
            }
            const Scene before = test.scene();
            const EditState edit = test.document.edit;
            if (const auto result = carryOut(test.document, operation); !result) {
                ++refused;
                QVERIFY2(test.scene() == before && test.document.edit == edit, operationToJson(operation).c_str());
                QVERIFY2(!result.error().message.empty(), operationToJson(operation).c_str());
            } else {
                const auto sound = checkScene(test.scene());
                QVERIFY2(sound.has_value(),
                         (operationToJson(operation) + "\n" + (sound ? "" : sound.error().text())).c_str());
                if (test.scene().joints->size() > 30 || test.scene().joints->size() < 2) test = randomStart();
            }
        }
        QVERIFY(refused > 10'000);
    }

    void brokenScriptsAreRefusedAndTheErrorNamesTheLine()
    {
        constexpr std::uint32_t kSeed = 7;
        qInfo("seed %u", kSeed);
        std::mt19937 random(kSeed);
        const std::string good = "[\n{\"op\": \"rotate\", \"joint\": \"joint 2\", \"axis\": \"x\", \"value\": "
                                 "3},\n{\"op\": \"setRange\", \"from\": 1, \"to\": 5}\n]\n";
        TestDocument test = randomStart();
        const Scene before = test.scene();
        for (int i = 0; i < 5000; ++i) {
            std::string text = good;
            for (int n = std::uniform_int_distribution<int>(1, 4)(random); n > 0 && !text.empty(); --n) {
                const std::size_t at = std::uniform_int_distribution<std::size_t>(0, text.size() - 1)(random);
                const char byte = static_cast<char>(std::uniform_int_distribution<int>(0, 255)(random));
                if (n % 2 == 0)
                    text.erase(at, 1);
                else
                    text[at] = byte;
            }
            Document document = test.document;
            const auto script = parseScript(text);
            if (!script) {
                QVERIFY(script.error().where.starts_with("line "));
                continue;
            }
            if (!runScript(document, *script)) QVERIFY(document.scene() == before);
        }
    }
};

QTEST_APPLESS_MAIN(TestRandomOperations)
#include "tst_random_operations.moc"

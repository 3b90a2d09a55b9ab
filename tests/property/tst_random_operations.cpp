#include "core/scene/Validate.h"
#include "tests/support/TestDocument.h"

#include <QJsonArray>

#include <algorithm>
#include <random>

using namespace tendon;
using namespace tendon::test;

namespace {

/// Operations drawn at random: mostly such as fit the document as it is, in the hope of going deep.
class RandomOperations
{
public:
    explicit RandomOperations(std::uint32_t seed) : m_random(seed) {}

    QJsonObject next(const Scene& scene)
    {
        const auto all = operations();
        for (;;) {
            const Operation& operation = all[below(all.size())];
            if (operation.name == "save" || operation.name == "export" || operation.name == "import" ||
                operation.name == "importClip")
                continue;
            if ((operation.name == "removeJoint" || operation.name == "removeHandle" ||
                 operation.name == "removeClip" || operation.name == "resetPose") &&
                below(4) != 0)
                continue;
            QJsonObject json{{QStringLiteral("op"), text(operation.name)}};
            for (const Field& field : operation.fields)
                if (field.isRequired || below(2) == 0) json.insert(text(field.name), value(scene, operation, field));
            return json;
        }
    }

    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(m_random); }

    /// Anything at all, also what no operation takes.
    QJsonValue anything(int depth = 0)
    {
        switch (below(depth > 2 ? 6 : 8)) {
        case 0: return QJsonValue::Null;
        case 1: return below(2) == 0;
        case 2: return number();
        case 3: return 1e300 * number();
        case 4: return QString::fromStdString(std::string(below(12), static_cast<char>(32 + below(90))));
        case 5: return QStringLiteral("joint 1");
        case 6: {
            QJsonArray array;
            for (std::size_t i = below(6); i > 0; --i) array.append(anything(depth + 1));
            return array;
        }
        default: {
            QJsonObject object;
            for (std::size_t i = below(4); i > 0; --i) object.insert(QStringLiteral("m%1").arg(i), anything(depth + 1));
            return object;
        }
        }
    }

private:
    static QString text(std::string_view view)
    {
        return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
    }
    double number() { return std::uniform_real_distribution<double>(-2, 2)(m_random); }

    template <typename Objects>
    QString nameIn(const Objects& objects)
    {
        return objects.empty() ? QStringLiteral("nobody") : QString::fromStdString(objects[below(objects.size())].name);
    }
    QString clipName(const Scene& scene)
    {
        return scene.clips.empty() || below(6) == 0
                   ? QStringLiteral("clip %1").arg(below(5))
                   : QString::fromStdString(scene.clips[below(scene.clips.size())]->name);
    }
    QJsonArray numbers(std::size_t count, double factor = 1)
    {
        QJsonArray array;
        for (std::size_t i = 0; i < count; ++i) array.append(factor * number());
        return array;
    }

    QJsonValue named(const Scene& scene, const Operation& operation, const Field& field)
    {
        const std::string_view f = field.name;
        const bool isNew = operation.name == "addJoint" || operation.name == "addHandle" ||
                           operation.name == "insertParent" || (operation.name == "rename" && f == "to");
        if (f == "solver") return QStringLiteral("dls");
        if (isNew) return QStringLiteral("joint %1").arg(below(40));
        if (f == "clip" || f == "into" || f == "to" || f == "name") return clipName(scene);
        return QStringLiteral("nobody");
    }

    QJsonValue value(const Scene& scene, const Operation& operation, const Field& field)
    {
        using Type = Field::Type;
        const std::string_view f = field.name;
        switch (field.type) {
        case Type::String: return named(scene, operation, field);
        case Type::Joint: return nameIn(*scene.joints);
        case Type::JointOrNull: return below(4) == 0 ? QJsonValue(QJsonValue::Null) : QJsonValue(nameIn(*scene.joints));
        case Type::Handle: return nameIn(*scene.handles);
        case Type::Target:
            return below(2) == 0 && !scene.handles->empty() ? nameIn(*scene.handles) : nameIn(*scene.joints);
        case Type::Names: {
            QJsonArray names;
            if (f == "channels") {
                names.append(QStringList{"rx", "rotation", "tx", "goal.position", "blend", "translation", "angles",
                                         "twist"}[static_cast<qsizetype>(below(8))]);
            } else {
                for (std::size_t i = 1 + below(3); i > 0; --i) names.append(nameIn(*scene.joints));
            }
            return names;
        }
        case Type::Bool: return below(2) == 0;
        case Type::Integer:
            return f == "count" ? 1 : static_cast<int>(below(30)) - (f == "value" || f == "from" ? 5 : 0);
        case Type::Number:
            return f == "frame" || f == "by" || f == "to" || f == "about" ? static_cast<double>(1 + below(40))
                   : f == "value"                                         ? 40 * std::abs(number()) + 1
                                                                          : std::abs(number()) / 4;
        case Type::NumberOrNull: return below(3) == 0 ? QJsonValue(QJsonValue::Null) : QJsonValue(number());
        case Type::NumberOrText: return 1;
        case Type::Numbers:
            return f == "swing"    ? QJsonArray{10, 20, 30, 40}
                   : f == "frames" ? QJsonArray{1, static_cast<int>(below(30))}
                                   : numbers(2, 20);
        case Type::NumberOrNumbers: return below(2) == 0 ? QJsonValue(number()) : QJsonValue(numbers(3, 40));
        case Type::Vector: return numbers(3);
        case Type::VectorOrNull: return below(4) == 0 ? QJsonValue(QJsonValue::Null) : QJsonValue(numbers(3));
        case Type::Rotation: return below(2) == 0 ? numbers(3, 90) : numbers(4);
        case Type::Points: return QJsonArray{};
        case Type::Choice: {
            const QStringList choices = text(field.choices).split(QLatin1Char('|'));
            return choices[static_cast<qsizetype>(below(static_cast<std::size_t>(choices.size())))];
        }
        case Type::Object: return QJsonObject{};
        case Type::ObjectOrNull:
            return below(3) == 0 ? QJsonValue(QJsonValue::Null)
                                 : QJsonValue(QJsonObject{{QStringLiteral("kind"), QStringLiteral("sphere")},
                                                          {QStringLiteral("size"), QJsonArray{0.1}}});
        }
        return {};
    }

    std::mt19937 m_random;
};

TestDocument start()
{
    TestDocument test;
    test(R"({"op": "addJoint", "name": "joint 1"})")(
        R"({"op": "addJoint", "name": "joint 2", "parent": "joint 1", "translation": [0.5, 0, 0]})");
    test(R"({"op": "addJoint", "name": "joint 3", "parent": "joint 2", "translation": [0.5, 0, 0]})");
    test(R"({"op": "addHandle", "name": "joint 4", "start": "joint 1", "end": "joint 3"})")(
        R"({"op": "addClip", "name": "clip 1"})");
    test.document.history = History(test.document.scene());
    return test;
}

std::string bytesOf(const Scene& scene)
{
    const auto bytes = projectBytes({scene, {}}, "/nowhere/p.tendon");
    return bytes ? *bytes : "ERROR " + bytes.error().text();
}

} // namespace

class TestRandomOperations : public QObject
{
    Q_OBJECT

private slots:
    void undoingEverythingGivesTheStartAndRedoingEverythingTheEnd_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 12; ++seed) QTest::addRow("seed %d", seed) << seed;
    }

    void undoingEverythingGivesTheStartAndRedoingEverythingTheEnd()
    {
        QFETCH(int, seed);
        RandomOperations random(static_cast<std::uint32_t>(seed));
        TestDocument test = start();
        std::vector<QJsonObject> done;
        const Scene first = test.scene();
        EditState edit = test.document.edit;
        int refused = 0;
        for (int i = 0; i < 400; ++i) {
            const QJsonObject operation = random.next(test.scene());
            const Scene before = test.scene();
            edit = test.document.edit;
            const auto result = carryOut(test.document, operation);
            if (result) {
                done.push_back(operation);
                const auto sound = checkScene(test.scene());
                QVERIFY2(sound.has_value(),
                         (operationToJson(operation) + "\n" + (sound ? "" : sound.error().text())).c_str());
            } else {
                ++refused;
                QVERIFY2(test.scene() == before && test.document.edit == edit, operationToJson(operation).c_str());
                QVERIFY2(result.error().text().find('\n') == std::string::npos, result.error().text().c_str());
            }
        }
        qInfo("seed %d: %zu operations carried out, %d refused, %zu undo steps", seed, done.size(), refused,
              test.document.history.undoCount());
        QVERIFY(done.size() > 100);

        const Scene last = test.scene();
        const std::string lastBytes = bytesOf(last);
        const bool isWhole = test.document.history.undoCount() < History::kSteps;
        while (test.document.history.undo()) {}
        if (isWhole) {
            QVERIFY(test.scene() == first);
            QCOMPARE(bytesOf(test.scene()), bytesOf(first));
        }
        while (test.document.history.redo()) {}
        QVERIFY(test.scene() == last);
        QCOMPARE(bytesOf(test.scene()), lastBytes);

        // What was carried out, written down and carried out again, gives the same bytes.
        TestDocument again = start();
        const auto script = parseScript(scriptToText(done));
        QVERIFY2(script.has_value(), script ? "" : script.error().text().c_str());
        const auto ran = runScript(again.document, *script);
        QVERIFY2(ran.has_value(), ran ? "" : ran.error().text().c_str());
        QCOMPARE(bytesOf(again.scene()), lastBytes);
    }

    void nonsenseNeitherCrashesNorChangesAnything()
    {
        constexpr std::uint32_t kSeed = 20240607;
        qInfo("seed %u", kSeed);
        RandomOperations random(kSeed);
        TestDocument test = start();
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
                if (test.scene().joints->size() > 30 || test.scene().joints->size() < 2) test = start();
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
        TestDocument test = start();
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

#include "core/solve/SolverInfo.h"
#include "tests/support/TestProgram.h"

#include <tendon/sdk/Features.h>
#include <tendon/sdk/Solver.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

using namespace tendon;

namespace {

const std::string kGood = R"({
    "id": "org.example.test", "alias": "test", "name": "Test", "version": "1.0", "sdk": [2, 0], "summary": "One line.",
    "jointKinds": ["revolute", "ball"], "features": ["position-goal", "no-alloc"],
    "chain": { "minJoints": 2, "maxJoints": 3 }, "promises": { "solved": 0.95, "iterations95": 40 },
    "parameters": [
        { "id": "gain", "label": "Gain", "kind": "real", "min": 0.5, "max": 2, "default": 1, "doc": "A gain." },
        { "id": "passes", "label": "Passes", "kind": "integer", "min": 1, "max": 9, "default": 4, "doc": "Passes." },
        { "id": "angle", "label": "Angle", "kind": "real", "unit": "deg", "min": 0, "max": 180, "default": 90, "doc": "An angle." },
        { "id": "on", "label": "On", "kind": "bool", "default": true, "doc": "On." },
        { "id": "mode", "label": "Mode", "kind": "enum", "values": ["fast", "exact"], "default": "exact", "doc": "How." }
    ]
})";

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    if (at == std::string::npos) qFatal("the test's own text lacks %s", from.c_str());
    return text.replace(at, from.size(), to);
}

/// Remembers what it was given; refuses what `refused` names.
class RecordingSolver final : public sdk::Solver
{
public:
    std::map<std::string, double> values;
    std::string refused;

    bool setParameter(std::string_view id, double value) noexcept override
    {
        if (id == refused) return false;
        values[std::string(id)] = value;
        return true;
    }
    sdk::Status prepare(const sdk::Model&, std::int32_t) noexcept override { return sdk::Status::Unsupported; }
    sdk::Status solve(const sdk::Problem&, const sdk::Control&, sdk::Solution&) noexcept override
    {
        return sdk::Status::Unsupported;
    }
};

} // namespace

class TestSolverInfo : public QObject
{
    Q_OBJECT

private slots:
    void readsEveryMember()
    {
        const auto info = parseSolverInfo(kGood);
        QVERIFY2(info.has_value(), info.has_value() ? "" : info.error().text().c_str());
        QCOMPARE(info->id, std::string("org.example.test"));
        QCOMPARE(info->alias, std::string("test"));
        QVERIFY(info->has("no-alloc") && !info->has("pole"));
        QVERIFY(info->moves("ball") && !info->moves("free"));
        QCOMPARE(info->minChainJoints, 2);
        QCOMPARE(info->maxChainJoints, 3);
        QCOMPARE(info->promises.solved, 0.95);
        QCOMPARE(info->promises.iterations95, 40);
        QCOMPARE(info->parameters.size(), std::size_t{5});
        QCOMPARE(info->parameter("on")->defaultValue, 1.0);
        QCOMPARE(info->parameter("mode")->defaultValue, 1.0);
        QCOMPARE(info->parameter("mode")->maximum, 1.0);
        QCOMPARE(info->parameter("gone"), nullptr);
    }

    void anErrorNamesThePlaceOfTheMistake_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("where");
        QTest::newRow("no alias") << "\"alias\": \"test\","
                                  << ""
                                  << "/alias";
        QTest::newRow("reserved alias") << "\"alias\": \"test\""
                                        << "\"alias\": \"default\""
                                        << "/alias";
        QTest::newRow("id without domain") << "org.example.test"
                                           << "test"
                                           << "/id";
        QTest::newRow("later minor") << "[2, 0]"
                                     << "[2, 999]"
                                     << "/sdk";
        QTest::newRow("other major") << "[2, 0]"
                                     << "[3, 0]"
                                     << "/sdk";
        QTest::newRow("sdk as text") << "[2, 0]"
                                     << "\"1.0\""
                                     << "/sdk";
        QTest::newRow("unknown feature") << "no-alloc"
                                         << "no-allocs"
                                         << "/features";
        QTest::newRow("feature twice") << "\"no-alloc\""
                                       << "\"no-alloc\", \"no-alloc\""
                                       << "/features";
        QTest::newRow("unknown joint kind") << "\"ball\""
                                            << "\"hinge\""
                                            << "/jointKinds";
        QTest::newRow("unknown member") << "\"name\""
                                        << "\"colour\": 1, \"name\""
                                        << "/colour";
        QTest::newRow("default out of range") << "\"default\": 4"
                                              << "\"default\": 10"
                                              << "/parameters/1/default";
        QTest::newRow("integer with a fraction") << "\"default\": 4"
                                                 << "\"default\": 4.5"
                                                 << "/parameters/1/default";
        QTest::newRow("range upside down") << "\"max\": 2"
                                           << "\"max\": 0"
                                           << "/parameters/0/max";
        QTest::newRow("enum default not a value") << "\"default\": \"exact\""
                                                  << "\"default\": \"slow\""
                                                  << "/parameters/4/default";
        QTest::newRow("bool default a number") << "\"default\": true"
                                               << "\"default\": 1"
                                               << "/parameters/3/default";
        QTest::newRow("id twice") << "\"passes\""
                                  << "\"gain\""
                                  << "/parameters/1/id";
        QTest::newRow("chain upside down") << "\"maxJoints\": 3"
                                           << "\"maxJoints\": 1"
                                           << "/chain/maxJoints";
        QTest::newRow("promise above one") << "0.95"
                                           << "1.5"
                                           << "/promises/solved";
    }

    void anErrorNamesThePlaceOfTheMistake()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, where);
        const auto info = parseSolverInfo(replaced(kGood, from.toStdString(), to.toStdString()));
        QVERIFY(!info.has_value());
        QCOMPARE(QString::fromStdString(info.error().where), where);
        QVERIFY(!info.error().message.empty());
    }

    void anSdkVersionIsTwoWholeNumbers()
    {
        for (const char* sdk : {"[2, -1]", "[2, 0.5]", "[2]", "[2, 0, 0]", "[\"2\", 0]", "2"}) {
            const auto info = parseSolverInfo(replaced(kGood, "[2, 0]", sdk));
            QVERIFY2(!info.has_value(), sdk);
            QCOMPARE(info.error().text(), std::string("/sdk: must be [major, minor] in whole numbers, such as [2, 0]"));
        }
        for (const char* sdk : {"[2, 999]", "[3, 0]"}) {
            const auto info = parseSolverInfo(replaced(kGood, "[2, 0]", sdk));
            QVERIFY2(info.error().text().find("; this Tendon has 2.0. Update Tendon") != std::string::npos, sdk);
        }
    }

    void theSchemaKnowsTheFeaturesOfTheSdk()
    {
        QFile file(QStringLiteral(TENDON_SOURCE_DIR "/resources/schemas/solver.schema.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject properties =
            QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("properties")).toObject();
        const QJsonObject features = properties.value(QLatin1String("features")).toObject();
        QStringList inSchema, inSdk;
        for (const QJsonValue& name :
             features.value(QLatin1String("items")).toObject().value(QLatin1String("enum")).toArray())
            inSchema << name.toString();
        for (const sdk::Feature& feature : sdk::kFeatures)
            inSdk << QString::fromLatin1(feature.name.data(), static_cast<qsizetype>(feature.name.size()));
        inSchema.sort();
        inSdk.sort();
        QCOMPARE(inSchema, inSdk);
    }

    void invalidJsonIsRefused()
    {
        for (const char* text : {"", "[]", "{", "null", "{\"sdk\": [2, 0], \"id\": \"\\ud800\"}"})
            QVERIFY2(!parseSolverInfo(text).has_value(), text);
    }

    void parameterValuesAreParsedFromText()
    {
        const SolverInfo info = *parseSolverInfo(kGood);
        QCOMPARE(*parseParameter(*info.parameter("gain"), "1.25"), 1.25);
        QCOMPARE(*parseParameter(*info.parameter("on"), "false"), 0.0);
        QCOMPARE(*parseParameter(*info.parameter("mode"), "fast"), 0.0);
        for (const char* text : {"", "x", "1x", " 1", "nan", "inf", "3", "0.4", "-1"})
            QVERIFY2(!parseParameter(*info.parameter("gain"), text).has_value(), text);
        QVERIFY(!parseParameter(*info.parameter("passes"), "1.5").has_value());
        QVERIFY(!parseParameter(*info.parameter("mode"), "FAST").has_value());
        QVERIFY(!parseParameter(*info.parameter("on"), "yes").has_value());
    }

    void theSolverReceivesRadians()
    {
        const SolverInfo info = *parseSolverInfo(kGood);
        RecordingSolver solver;
        QVERIFY(setParameters(solver, info, {{"angle", 180.0}, {"gain", 2.0}}).has_value());
        QCOMPARE(solver.values["angle"], std::numbers::pi);
        QCOMPARE(solver.values["gain"], 2.0);
    }

    void invalidParametersNeverReachTheSolver()
    {
        const SolverInfo info = *parseSolverInfo(kGood);
        RecordingSolver solver;
        QVERIFY(!setParameters(solver, info, {{"gain", 2.5}}).has_value());
        QVERIFY(!setParameters(solver, info, {{"gain", std::numeric_limits<double>::quiet_NaN()}}).has_value());
        QVERIFY(!setParameters(solver, info, {{"none", 1.0}}).has_value());
        QVERIFY(solver.values.empty());
        solver.refused = "gain";
        QVERIFY(!setParameters(solver, info, {{"gain", 1.0}}).has_value());
    }
};

TENDON_TEST(TestSolverInfo)
#include "tst_solver_info.moc"

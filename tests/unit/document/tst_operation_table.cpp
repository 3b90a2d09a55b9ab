#include "core/document/MakeOperation.h"
#include "core/io/base/Files.h"
#include "core/solve/Settings.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <set>

using namespace tendon;
using namespace tendon::test;

class TestOperationTable : public QObject
{
    Q_OBJECT

    /// The solvers that come with Tendon, in the order in which the manual lists them.
    static std::vector<SolverInfo> shippedInfos()
    {
        std::vector<SolverInfo> infos;
        for (const char* folder : {"dls", "plane_chain/two_bone", "plane_chain/rotate_plane",
                                   "plane_chain/single_chain", "plane_chain/spring", "plane_chain/limb",
                                   "plane_chain/hi", "spline", "fabrik", "ceres", "constrained", "penalty"}) {
            const auto json = readFile(TENDON_SOURCE_DIR "/solvers/" + std::string(folder) + "/solver.json");
            const auto info = json ? parseSolverInfo(*json) : Result<SolverInfo>(json.error());
            if (!info) qFatal("%s", info.error().text().c_str());
            infos.push_back(*info);
        }
        return infos;
    }

    /// "a", "a and b", "a, b and c".
    static std::string listed(const std::vector<std::string>& names)
    {
        std::string list;
        for (std::size_t i = 0; i < names.size(); ++i)
            list += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
        return list;
    }

private slots:
    void everyOperationOfTheContractExists()
    {
        for (const char* name : {"import",
                                 "importClip",
                                 "addJoint",
                                 "removeJoint",
                                 "rename",
                                 "link",
                                 "insertParent",
                                 "setRestPose",
                                 "resetPose",
                                 "randomPose",
                                 "setSegment",
                                 "setRotationAxis",
                                 "setSlidingAxis",
                                 "setRotationOrder",
                                 "setBallJoint",
                                 "guessLimits",
                                 "setPreferredAngle",
                                 "setStiffness",
                                 "setPrecedence",
                                 "setTerminator",
                                 "copyJointParameters",
                                 "addHandle",
                                 "setHandle",
                                 "removeHandle",
                                 "setGoal",
                                 "setCurvePoint",
                                 "drag",
                                 "rotate",
                                 "slide",
                                 "setPose",
                                 "copyPose",
                                 "pastePose",
                                 "setFps",
                                 "setRange",
                                 "setFrame",
                                 "autoKey",
                                 "selectClip",
                                 "key",
                                 "deleteKey",
                                 "moveKeys",
                                 "scaleKeys",
                                 "copyKeys",
                                 "snapKeys",
                                 "keysToClipboard",
                                 "pasteKeys",
                                 "addMarker",
                                 "setMarker",
                                 "removeMarker",
                                 "setTangent",
                                 "switch",
                                 "addClip",
                                 "renameClip",
                                 "duplicateClip",
                                 "removeClip",
                                 "bakeClip",
                                 "fitHandles",
                                 "autoRig",
                                 "undo",
                                 "redo",
                                 "save",
                                 "export"})
            QVERIFY2(findOperation(name) != nullptr, name);
    }

    void theTableIsSound()
    {
        std::set<std::string_view> names;
        for (const Operation& operation : operations()) {
            QVERIFY2(names.insert(operation.name).second, operation.name.data());
            QVERIFY2((operation.edit != nullptr) != (operation.act != nullptr), operation.name.data());
            QVERIFY2(!operation.doc.empty(), operation.name.data());
            std::set<std::string_view> fields;
            for (const Field& field : operation.fields) {
                QVERIFY2(fields.insert(field.name).second, field.name.data());
                const bool mayHaveChoices = field.type == Field::Type::Choice ||
                                            field.type == Field::Type::VectorOrNull;
                QVERIFY2(mayHaveChoices || field.choices.empty(), field.name.data());
                QVERIFY2(field.type != Field::Type::Choice || !field.choices.empty(), field.name.data());
            }
        }
    }

    void whatTheMakersMakeFitsTheTable()
    {
        const QJsonObject key{{"op", "key"}, {"target", "a"}};
        for (const QJsonObject& operation :
             {ops::undo(), ops::redo(2), ops::save(), ops::save("a.tendon"), ops::setFrame(3), ops::keyPending(),
              ops::discardPending(), ops::setCamera({}), ops::setCameraBookmark("a", {}), ops::group({key, key})}) {
            const Operation* known = findOperation(operation);
            QVERIFY2(known != nullptr, operationToJson(operation).c_str());
            const auto fits = Arguments::check(*known, operation);
            QVERIFY2(fits.has_value(), fits ? "" : fits.error().text().c_str());
        }
        QCOMPARE(ops::group({key}), key);
    }

    void aGroupIsWrittenWithItsOperationsInOrder()
    {
        const std::string text = R"({"op": "group", "operations": [{"op": "key", "target": "b", "frame": 2}]})";
        QCOMPARE(operationToJson(json(text.c_str())), text);
    }

    void aGroupTakesTimeWhenSomethingInItDoes()
    {
        const QJsonObject key{{"op", "key"}, {"target", "a"}}, paste{{"op", "pastePose"}};
        QVERIFY(!takesTime(ops::group({key, key})));
        QVERIFY(takesTime(ops::group({key, paste})));
    }

    /// What a recording omits changes nothing: of several in a row, those between the first and the last.
    void onlyTheLastMattersWhereTheTableSaysSo()
    {
        const auto outcome = [](const Operation& operation, std::initializer_list<int> values) {
            TestDocument test = arm();
            test(R"({"op": "key", "target": "elbow"})")(
                R"({"op": "rotate", "joint": "elbow", "axis": "z", "value": 30})");
            for (const int value : values) {
                const char* field = operation.name == "setCamera" ? "distance" : "value";
                const QJsonObject json{{"op", QString::fromUtf8(operation.name.data())}, {field, value}};
                if (!carryOut(test.document, json)) qFatal("%s", operationToJson(json).c_str());
            }
            return std::pair(test.document.history.current(), test.document.edit);
        };
        int count = 0;
        for (const Operation& operation : operations()) {
            if (!operation.onlyLastMatters) continue;
            ++count;
            QVERIFY2(outcome(operation, {5, 9, 1}) == outcome(operation, {5, 1}), operation.name.data());
        }
        QVERIFY(count > 0);
    }

    /// What the help of a field says about the solvers that use it is what their descriptions declare.
    void fieldsSayWhetherEverySolverUsesThem()
    {
        for (const SettingRule& rule : settingRules()) {
            const std::vector<SolverInfo> solvers = shippedInfos();
            const auto users = std::count_if(solvers.begin(), solvers.end(),
                                             [&](const SolverInfo& solver) { return isUsed(rule.setting, solver); });
            for (const char* name : {rule.operation.data(), "setSlidingAxis"}) {
                const Operation& operation = *findOperation(name);
                for (const Field& field : operation.fields) {
                    if (findRule(name, field.name) != &rule) continue;
                    const std::string doc(field.doc);
                    const auto says = [&](const std::string& text) { return doc.find(text) != std::string::npos; };
                    const std::string problem = operation.name.data() + (": " + doc);
                    const bool saysNever = says("It has no effect yet") || says("No solver that comes with Tendon");
                    QVERIFY2(saysNever == (users == 0), problem.c_str());
                    const bool isByForm = rule.use == SettingRule::Use::Unless && says("closed form");
                    const bool isForSome = users > 0 && users < std::ssize(solvers);
                    QVERIFY2((isByForm || says("Not every solver ")) == isForSome, problem.c_str());
                }
            }
        }
    }

    void theManualSaysWhichSolversUseASetting()
    {
        const auto page = readFile(TENDON_SOURCE_DIR "/resources/docs/user/solvers.md");
        QVERIFY(page.has_value());
        for (const SolverInfo& solver : shippedInfos()) {
            std::string row = "| `" + solver.alias + "` |" + (solver.has("hard-limits") ? " yes |" : " no |");
            for (const Setting setting :
                 {Setting::Pole, Setting::OrientationWeight, Setting::PreferredAngle, Setting::Stiffness,
                  Setting::Precedence, Setting::Ease, Setting::Objectives, Setting::MaxIterations})
                row += isUsed(setting, solver) ? " yes |" : " no |";
            QVERIFY2(page->find(row) != std::string::npos, row.c_str());
            QCOMPARE(isUsed(Setting::Damping, solver), isUsed(Setting::Stiffness, solver)); // share a column
            QCOMPARE(isUsed(Setting::SpringTension, solver), isUsed(Setting::Ease, solver));
        }
    }

    void theManualsPageMatchesTheTable()
    {
        const std::string path = TENDON_SOURCE_DIR "/resources/docs/user/operations.md";
        if (qEnvironmentVariableIsSet("TENDON_UPDATE_DOCS"))
            QVERIFY(writeFile(path, operationsAsMarkdown()).has_value());
        const auto page = readFile(path);
        QVERIFY2(page.has_value(), "resources/docs/user/operations.md is not there; run with TENDON_UPDATE_DOCS=1");
        QVERIFY2(*page == operationsAsMarkdown(),
                 "resources/docs/user/operations.md is not what the table says; run with TENDON_UPDATE_DOCS=1");
    }
};

TENDON_TEST(TestOperationTable)
#include "tst_operation_table.moc"

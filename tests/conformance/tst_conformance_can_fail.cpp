#include "core/conformance/Conformance.h"
#include "tests/conformance/FlawedSolver.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <set>

extern "C" std::int64_t tendon_allocations();

using namespace tendon;
using namespace tendon::test;

namespace {

SolverInfo soundInfo()
{
    QFile file(QStringLiteral(TENDON_SOURCE_DIR "/plugins/example/solver.json"));
    if (!file.open(QIODevice::ReadOnly)) qFatal("plugins/example/solver.json cannot be read");
    auto info = parseSolverInfo(file.readAll().toStdString());
    if (!info) qFatal("%s", info.error().text().c_str());
    return *info;
}

std::vector<conformance::Check> examineFlawed(const Flaw& flaw, int cases, const std::string& onlyPlace = {},
                                              bool allKinds = false)
{
    SolverInfo info = soundInfo();
    if (!allKinds) info.jointKinds = {"fixed", "revolute", "universal", "ball"}; // enough to show it, in less time
    if (flaw.info) flaw.info(info);
    conformance::Options options;
    options.casesPerRig = cases;
    options.onlyPlace = onlyPlace;
    options.allocations = tendon_allocations;
    return conformance::examine({info, [&flaw] { return createFlawed(flaw); }}, options);
}

const conformance::Check* find(const std::vector<conformance::Check>& checks, const std::string& name)
{
    const auto found = std::find_if(checks.begin(), checks.end(),
                                    [&name](const conformance::Check& check) { return check.name == name; });
    return found == checks.end() ? nullptr : &*found;
}

const FlawedCase& flawed(const char* check)
{
    for (const FlawedCase& each : flawedSolvers())
        if (std::string(each.check) == check) return each;
    qFatal("no flawed solver fails %s", check);
}

} // namespace

class TestConformanceCanFail : public QObject
{
    Q_OBJECT

private slots:
    void aSoundSolverPasses()
    {
        std::string failures;
        for (const conformance::Check& check : examineFlawed({}, 12, {}, true)) {
            qInfo("%-26s %lld  %s", check.name.c_str(), static_cast<long long>(check.tried), check.detail.c_str());
            if (check.verdict == conformance::Verdict::Failed) failures += check.name + ": " + check.detail + "\n";
        }
        QVERIFY2(failures.empty(), failures.c_str());
    }

    void aFlawedSolverFailsTheCheckNamedForItsFlaw_data()
    {
        QTest::addColumn<int>("number");
        for (std::size_t i = 0; i < flawedSolvers().size(); ++i)
            if (flawedSolvers()[i].group) QTest::newRow(flawedSolvers()[i].what) << static_cast<int>(i);
    }

    void aFlawedSolverFailsTheCheckNamedForItsFlaw()
    {
        QFETCH(int, number);
        const FlawedCase& each = flawedSolvers()[static_cast<std::size_t>(number)];
        const auto checks = examineFlawed(each.flaw, 5, each.group);
        const conformance::Check* check = find(checks, each.check);
        QVERIFY2(check != nullptr, each.check);
        QVERIFY2(check->verdict == conformance::Verdict::Failed, each.check);
        QVERIFY2(!check->detail.empty(), each.check);
        QVERIFY2(check->place.starts_with(each.group), check->place.c_str());
    }

    void everyCheckCanFail()
    {
        std::set<std::string> provoked;
        for (const FlawedCase& each : flawedSolvers()) provoked.insert(each.check);
        std::string missing;
        for (const conformance::Check& check : examineFlawed({}, 2))
            if (!provoked.contains(check.name) || conformance::requirementOf(check.name).empty())
                missing += check.name + " ";
        QVERIFY2(missing.empty(), missing.c_str());
    }

    void thePlaceOfAFailureIsEnoughToRepeatIt_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"solved-stays", "limits-kept", "reachable-near", "scale", "invalid-problems-refused",
              "goal-kinds-refused", "parameters-work", "many-goals-solved", "degenerate", "unreachable-told"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void thePlaceOfAFailureIsEnoughToRepeatIt()
    {
        QFETCH(QString, name);
        const FlawedCase& each = flawed(qPrintable(name));
        const auto whole = examineFlawed(each.flaw, 5, each.group);
        const conformance::Check* failed = find(whole, each.check);
        QVERIFY(failed != nullptr && failed->failed > 0);
        const auto alone = examineFlawed(each.flaw, 5, failed->place);
        const conformance::Check* again = find(alone, each.check);
        QVERIFY2(again != nullptr && again->failed > 0, failed->place.c_str());
        QCOMPARE(QString::fromStdString(again->place), QString::fromStdString(failed->place));
        QVERIFY2(again->tried <= 4 && again->tried <= failed->tried, failed->place.c_str());
    }

    void theSameOptionsGiveTheSameVerdict()
    {
        auto a = examineFlawed({}, 2), b = examineFlawed({}, 2);
        for (auto* checks : {&a, &b})
            std::erase_if(*checks, [](const conformance::Check& check) {
                return check.name == "cancel-in-time";
            }); // by the clock
        QCOMPARE(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            QCOMPARE(a[i].detail, b[i].detail);
            if (a[i].name != "iterations-bounded") continue;
            QVERIFY(a[i].tried > 0);
        }
    }

    void theGroupsTogetherMakeUpTheSuite()
    {
        // An examination that goes on behind a group adds up to the same as one that runs through.
        const Flaw& flaw = flawed("solved-stays").flaw;
        conformance::Options options;
        options.casesPerRig = 2;
        SolverInfo info = soundInfo();
        info.jointKinds = {"revolute"};
        const conformance::Subject subject{info, [&flaw] { return createFlawed(flaw); }};
        std::vector<std::string> began;
        options.began = [&began](const std::string& place) {
            if (place.find('/') == std::string::npos) began.push_back(place);
        };
        const auto whole = conformance::examine(subject, options);
        QCOMPARE(began, conformance::groupNames());
        std::vector<conformance::Check> parts, until;
        options.ended = [&until, &began](const std::vector<conformance::Check>& checks) {
            if (began.back() == "limits") until = checks;
        };
        began.clear();
        static_cast<void>(conformance::examine(subject, options));
        options.ended = {};
        options.afterGroup = "limits";
        conformance::merge(parts, until);
        conformance::merge(parts, conformance::examine(subject, options));
        for (const conformance::Check& check : whole) {
            const conformance::Check* part = find(parts, check.name);
            QVERIFY2(part != nullptr, check.name.c_str());
            if (check.name == "cancel-in-time") continue; // by the clock
            QVERIFY2(part->verdict == check.verdict && part->detail == check.detail, check.name.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestConformanceCanFail)
#include "tst_conformance_can_fail.moc"

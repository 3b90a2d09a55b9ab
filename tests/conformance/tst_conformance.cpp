#include "core/conformance/Conformance.h"
#include "core/solve/SolverRegistry.h"

#include <QTest>

#include <cxxabi.h>

#include <cstdlib>
#include <typeinfo>

extern "C" std::int64_t tendon_allocations();

using namespace tendon;

namespace {

std::string typeOf(const sdk::Solver& solver)
{
    int status = 0;
    char* name = abi::__cxa_demangle(typeid(solver).name(), nullptr, nullptr, &status);
    const std::string result = status == 0 ? name : typeid(solver).name();
    std::free(name);
    return result;
}

SolverRegistry shippedSolvers()
{
    SolverRegistry registry;
    registry.scan({TENDON_PLUGIN_FOLDER});
    return registry;
}

const QStringList kShipped = QStringLiteral(TENDON_SHIPPED_SOLVERS).split(QLatin1Char(','), Qt::SkipEmptyParts);

} // namespace

class TestConformance : public QObject
{
    Q_OBJECT

private slots:
    void everyBuiltPluginIsFound()
    {
        const SolverRegistry registry = shippedSolvers();
        for (const Issue& issue : registry.issues()) QFAIL((issue.where + ": " + issue.text).c_str());
        for (const QString& alias : kShipped)
            QVERIFY2(registry.find(alias.toStdString()) != nullptr, qPrintable(alias));
    }

    void eachAliasBuildsItsSolver()
    {
        // A parameterised test is worth nothing if all its rows build the same thing. Named solvers on one core share
        // its class; what tells them apart is tested with their core (tests/parity).
        const SolverRegistry registry = shippedSolvers();
        const std::map<QString, std::string> expected = {{QStringLiteral("ccd"), "CcdSolver"},
                                                         {QStringLiteral("ceres"), "CeresSolver"},
                                                         {QStringLiteral("constrained"), "ConstrainedSolver"},
                                                         {QStringLiteral("dls"), "DlsSolver"},
                                                         {QStringLiteral("fabrik"), "FabrikSolver"},
                                                         {QStringLiteral("hd"), "ConstrainedSolver"},
                                                         {QStringLiteral("hi"), "PlaneChainSolver"},
                                                         {QStringLiteral("limb"), "PlaneChainSolver"},
                                                         {QStringLiteral("jacobian-transpose"), "JacobianSolver"},
                                                         {QStringLiteral("nearest"), "DlsSolver"},
                                                         {QStringLiteral("pseudo-inverse"), "JacobianSolver"},
                                                         {QStringLiteral("sdls"), "JacobianSolver"},
                                                         {QStringLiteral("penalty"), "PenaltySolver"},
                                                         {QStringLiteral("rotate-plane"), "PlaneChainSolver"},
                                                         {QStringLiteral("single-chain"), "PlaneChainSolver"},
                                                         {QStringLiteral("spline"), "SplineSolver"},
                                                         {QStringLiteral("spring"), "PlaneChainSolver"},
                                                         {QStringLiteral("two-bone"), "PlaneChainSolver"}};
        for (const QString& alias : kShipped) {
            const auto solver = registry.create(alias.toStdString());
            QVERIFY2(solver.has_value(), solver.has_value() ? "" : solver.error().text().c_str());
            const std::string type = typeOf(**solver);
            const auto found = expected.find(alias);
            QVERIFY2(found != expected.end() && type.ends_with(found->second), qPrintable(alias));
        }
    }

    void theAllocationCounterCounts()
    {
        const std::int64_t before = tendon_allocations();
        void* volatile memory = std::malloc(100);
        std::free(memory);
        delete new volatile int(1);
        QCOMPARE(tendon_allocations() - before, std::int64_t{2});
    }

    void everySolverKeepsItsContract_data()
    {
        QTest::addColumn<QString>("alias");
        for (const QString& alias : kShipped) QTest::newRow(qPrintable(alias)) << alias;
        if (kShipped.isEmpty()) QTest::newRow("none") << QString();
    }

    void everySolverKeepsItsContract()
    {
        QFETCH(QString, alias);
        if (alias.isEmpty()) QSKIP("no solver is shipped");
        const SolverRegistry registry = shippedSolvers();
        const SolverInfo* info = registry.find(alias.toStdString());
        QVERIFY(info != nullptr);
        QCOMPARE(QString::fromStdString(info->alias), alias);
        conformance::Options options;
        options.allocations = tendon_allocations;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        options.casesPerRig = 10; // sanitizers look at how, not how often
#endif
        const conformance::Subject subject{*info, [&] { return *registry.create(alias.toStdString()); }};
        const auto checks = conformance::examine(subject, options);
        std::string failures;
        for (const conformance::Check& check : checks) {
            const char* verdict = check.verdict == conformance::Verdict::Passed   ? "passed"
                                  : check.verdict == conformance::Verdict::Failed ? "FAILED"
                                                                                  : "skipped";
            qInfo("%-26s %s %lld/%lld  %s", check.name.c_str(), verdict,
                  static_cast<long long>(check.tried - check.failed), static_cast<long long>(check.tried),
                  check.detail.c_str());
            if (check.verdict == conformance::Verdict::Failed) failures += check.name + ": " + check.detail + "\n";
        }
        QVERIFY2(failures.empty(), failures.c_str());
    }
};

QTEST_APPLESS_MAIN(TestConformance)
#include "tst_conformance.moc"

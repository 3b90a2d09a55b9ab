#include "tests/support/TestProgram.h"

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include <dlfcn.h>

namespace {

using Function = std::function<double(double)>;
using Reference = std::function<long double(long double)>;

/// How far `x` is from `exact`, in the spacing of numbers there.
double errorInUlp(double x, long double exact)
{
    const auto nearest = static_cast<double>(exact);
    if (!std::isfinite(nearest) || nearest == 0) return x == nearest ? 0 : 1e9;
    const double spacing = std::nextafter(std::abs(nearest), std::numeric_limits<double>::infinity()) -
                           std::abs(nearest);
    return static_cast<double>(std::abs(static_cast<long double>(x) - exact) / static_cast<long double>(spacing));
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

} // namespace

/// The elementary functions of core/math/elementary, which stand in for the C library's.
class TestElementary : public QObject
{
    Q_OBJECT

    std::mt19937_64 m_random{11};

    double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(m_random); }

private slots:
    /// The C library's are chosen at run time by the processor; they must not be the ones that programs and libraries
    /// see.
    void theyAreFoundBeforeTheCLibrarys()
    {
        for (const char* name :
             {"sin",  "cos",   "sincos", "tan",  "asin", "acos",    "atan", "atan2", "exp",  "expm1", "log",
              "log2", "log10", "pow",    "sinf", "cosf", "sincosf", "expf", "exp2f", "logf", "log2f", "powf"}) {
            Dl_info info{};
            QVERIFY2(dladdr(dlsym(RTLD_DEFAULT, name), &info) != 0, name);
            QVERIFY2(QByteArray(info.dli_fname).contains("math_tests"),
                     qPrintable(QString(name) + " of " + info.dli_fname));
        }
    }

    void theyAreWithinOneUlp_data()
    {
        QTest::addColumn<Function>("function");
        QTest::addColumn<Reference>("reference");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        const auto row = [](const char* name, double (*function)(double), long double (*reference)(long double),
                            double low, double high) {
            QTest::newRow(name) << Function(function) << Reference(reference) << low << high;
        };
        row("sin", std::sin, std::sin, -10, 10);
        row("sin of large angles", std::sin, std::sin, -1e7, 1e7);
        row("cos", std::cos, std::cos, -10, 10);
        row("cos of huge angles", std::cos, std::cos, -1e18, 1e18);
        row("tan", std::tan, std::tan, -10, 10);
        row("asin", std::asin, std::asin, -1, 1);
        row("asin of the small", std::asin, std::asin, -1e-5, 1e-5);
        row("acos", std::acos, std::acos, -1, 1);
        row("acos near 1", std::acos, std::acos, 1 - 1e-9, 1);
        row("atan", std::atan, std::atan, -20, 20);
        row("exp", std::exp, std::exp, -700, 700);
        row("expm1", std::expm1, std::expm1, -1, 1);
        row("log", std::log, std::log, 1e-9, 10);
        row("log near 1", std::log, std::log, 0.99, 1.01);
        row("log2", std::log2, std::log2, 1e-9, 10);
        row("log10", std::log10, std::log10, 1e-9, 10);
    }

    void theyAreWithinOneUlp()
    {
        QFETCH(Function, function);
        QFETCH(Reference, reference);
        QFETCH(double, low);
        QFETCH(double, high);
        for (int i = 0; i < 20'000; ++i) {
            const double x = between(low, high);
            const double error = errorInUlp(function(x), reference(static_cast<long double>(x)));
            QVERIFY2(error <= 1, qPrintable(QString("%1 ulp at %2").arg(error).arg(x, 0, 'g', 17)));
        }
    }

    void thoseOfTwoNumbersAreWithinOneUlp()
    {
        for (int i = 0; i < 20'000; ++i) {
            const double y = between(-2, 2), x = between(-2, 2), base = between(0, 3), exponent = between(-200, 200);
            QVERIFY(errorInUlp(std::atan2(y, x), atan2l(y, x)) <= 1);
            QVERIFY(errorInUlp(std::pow(base, exponent), powl(base, exponent)) <= 1);
            double sine = 0, cosine = 0;
            sincos(x, &sine, &cosine);
            QVERIFY(sine == std::sin(x) && cosine == std::cos(x));
            QCOMPARE(std::sin(static_cast<float>(x)),
                     static_cast<float>(std::sin(static_cast<double>(static_cast<float>(x)))));
        }
    }

    /// The cases that C's standard lists (annex F). Through volatile, so that the compiler does not compute them.
    void specialCasesAreThoseOfTheStandard()
    {
        volatile double zero = 0, minusZero = -0.0, one = 1, infinity = kInfinity, nan = kNan, large = 1e300,
                        tiny = 1e-300;
        QVERIFY(std::isnan(std::sin(infinity)) && std::isnan(std::cos(nan)) && std::isnan(std::tan(-infinity)));
        QVERIFY(std::signbit(std::sin(minusZero)) && std::signbit(std::tan(minusZero)) && std::cos(zero) == 1);
        QVERIFY(std::isnan(std::acos(1 + 1e-15 * one)) && std::isnan(std::asin(nan)) && std::acos(one) == 0);
        QCOMPARE(std::acos(-one), M_PI);
        QCOMPARE(std::asin(-one), -M_PI / 2);
        QCOMPARE(std::atan(infinity), M_PI / 2);
        QVERIFY(std::atan2(zero, one) == 0 && std::signbit(std::atan2(minusZero, one)));
        QCOMPARE(std::atan2(zero, -one), M_PI);
        QCOMPARE(std::atan2(minusZero, minusZero), -M_PI);
        QCOMPARE(std::atan2(infinity, -infinity), 3 * M_PI / 4);
        QCOMPARE(std::atan2(tiny, large), 0.0);
        QCOMPARE(std::atan2(tiny, tiny), M_PI / 4);
        QVERIFY(std::exp(infinity) == kInfinity && std::exp(-infinity) == 0 && std::exp(zero) == 1 &&
                std::exp(710 * one) == kInfinity);
        QVERIFY(std::exp(-745 * one) > 0 && std::exp(-746 * one) == 0);
        QVERIFY(std::log(zero) == -kInfinity && std::isnan(std::log(-one)) && std::log(one) == 0 &&
                std::log(infinity) == kInfinity);
        QVERIFY(std::log10(1000 * one) == 3 && std::log2(tiny * 0 + 8) == 3 && std::expm1(tiny) == tiny);
        QVERIFY(std::pow(nan, zero) == 1 && std::pow(one, nan) == 1 && std::isnan(std::pow(-one, 0.5)));
        QVERIFY(std::pow(-2 * one, 3) == -8 && std::pow(zero, -3) == kInfinity &&
                std::pow(minusZero, -3) == -kInfinity);
        QVERIFY(std::pow(large, 2) == kInfinity && std::pow(-large, 3) == -kInfinity && std::pow(tiny, 2) == 0);
        QVERIFY(std::pow(2 * one, infinity) == kInfinity && std::pow(2 * one, -infinity) == 0 &&
                std::pow(-one, infinity) == 1);
        QVERIFY(std::pow(-infinity, 3) == -kInfinity && std::pow(infinity, -1) == 0 && std::pow(3 * one, 2) == 9);
    }
};

TENDON_TEST(TestElementary)
#include "tst_elementary.moc"

#include "solvers/fabrik/FabrikSolver.h"
#include "tests/support/SolverModel.h"
#include "tests/support/TestProgram.h"

#include <QTest>

#include <algorithm>
#include <chrono>

using namespace tendon;
using kit::Vector3;
using sdk::JointKind;

namespace {

enum class Limits { None, Balls, Hinges };

struct Chain : SolverModel
{
    int tip;

    Chain(int joints, Limits limits)
    {
        int body = -1;
        for (int i = 0; i < joints; ++i) {
            const Vector3 bone(0, i == 0 ? 0 : 1.0 / joints, 0);
            if (limits == Limits::Hinges) {
                body = add(body, JointKind::Revolute, bone, {i % 2 == 0 ? Vector3::UnitX() : Vector3::UnitZ()});
                limit(vBegin.back() - 1, -1, 1);
                continue;
            }
            body = add(body, JointKind::Ball, bone);
            if (limits == Limits::None) continue;
            const auto b = static_cast<std::size_t>(body);
            for (std::size_t k = 0; k < 4; ++k) ballSwing[4 * b + k] = 0.5 + 0.1 * static_cast<double>(k);
            ballTwist[2 * b] = -0.5;
            ballTwist[2 * b + 1] = 0.5;
            ballAxis[b] = sdk::Axis::Y;
        }
        tip = add(body, JointKind::Fixed, Vector3(0, 1.0 / joints, 0));
    }
};

double nanoseconds(auto work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

const Vector3 kTarget(0.3, 0.6, 0.2);

/// The cost of one pass per joint: the difference between many passes and few, so that everything else cancels out.
/// Each figure is the minimum of all measurements, because a busy machine can only slow them down.
class CostOfPass
{
public:
    CostOfPass(int joints, Limits limits) : m_chain(joints, limits), m_joints(joints)
    {
        m_goal.body = m_chain.tip;
        m_goal.positionTolerance = 0;
        for (int k = 0; k < 3; ++k) m_goal.targetPosition[k] = kTarget[k];
    }

    /// False if the solver refuses the problem.
    bool measure()
    {
        FabrikSolver solver;
        if (!solver.setParameter("twoSpheres", 0) || !solver.setParameter("sweeps", 0)) return false;
        if (solver.prepare(m_chain.model(), 1) != sdk::Status::Converged) return false;
        for (Run* run : {&m_few, &m_many}) {
            sdk::Problem problem;
            sdk::Stop stop;
            problem.stop = &stop;
            stop.stall = 0;
            stop.maxIterations = run->passes;
            for (int i = 0; i < 100; ++i)
                run->least = std::min(
                    run->least, nanoseconds([&] {
                        run->done = solveOnce(solver, m_chain, {&m_goal, 1}, problem).solution.iterations;
                    }));
        }
        return m_many.done > m_few.done;
    }

    /// [ns]
    double operator()() const { return (m_many.least - m_few.least) / (m_many.done - m_few.done) / m_joints; }

private:
    struct Run
    {
        int passes, done = 0;
        double least = 1e18; ///< [ns]
    };

    Chain m_chain;
    int m_joints;
    sdk::Goal m_goal;
    Run m_few{5}, m_many{15};
};

/// [ns] the same for a plain FABRIK pass with Eigen.
double costOfPlainPass(int joints)
{
    const auto n = static_cast<std::size_t>(joints);
    const double d = 1.0 / joints;
    double least = 1e18;
    std::vector<Vector3> p(n + 1);
    for (int i = 0; i < 100; ++i) {
        for (std::size_t k = 0; k <= n; ++k)
            p[k] = Vector3(1e-3 * static_cast<double>(k & 1), static_cast<double>(k) / joints, 0);
        least = std::min(least, nanoseconds([&] {
                                    for (int pass = 0; pass < 20; ++pass) {
                                        p[n] = kTarget;
                                        for (std::size_t k = n; k-- > 0;)
                                            p[k] = p[k + 1] + (p[k] - p[k + 1]).normalized() * d;
                                        p[0].setZero();
                                        for (std::size_t k = 0; k < n; ++k)
                                            p[k + 1] = p[k] + (p[k + 1] - p[k]).normalized() * d;
                                    }
                                }) / 20 /
                                    joints);
    }
    return p[n].allFinite() ? least : -1;
}

} // namespace

class TestFabrikSpeed : public QObject
{
    Q_OBJECT

private slots:
    void aPassCostsNoMoreThanPlainEigen_data()
    {
        QTest::addColumn<int>("joints");
        for (int n : {10, 30, 100}) QTest::newRow(qPrintable(QString::number(n))) << n;
    }

    void aPassCostsNoMoreThanPlainEigen()
    {
        QFETCH(int, joints);
        CostOfPass free(joints, Limits::None), limitedBalls(joints, Limits::Balls),
            limitedHinges(joints, Limits::Hinges);
        double plain = 1e18, ours = 0, balls = 0, hinges = 0;
        const auto isFine = [&] { return ours < plain && balls < 20 * plain && hinges < 20 * plain; };
        for (int i = 0; i < 10 && (i < 2 || !isFine()); ++i) {
            plain = std::min(plain, costOfPlainPass(joints));
            for (CostOfPass* each : {&free, &limitedBalls, &limitedHinges}) QVERIFY(each->measure());
            ours = free();
            balls = limitedBalls();
            hinges = limitedHinges();
        }
        qInfo("%d joints, ns per joint and pass: %.1f (plain Eigen %.1f, ratio %.2f), limited balls %.0f (x %.1f), "
              "limited hinges %.0f (x %.1f)",
              joints, ours, plain, ours / plain, balls, balls / ours, hinges, hinges / ours);
        QVERIFY(isFine());
    }
};

TENDON_TEST(TestFabrikSpeed)
#include "tst_fabrik_speed.moc"

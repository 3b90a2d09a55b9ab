#include "tests/support/TestProgram.h"

#include <tendon/kit/NearestInLimits.h>

#include <random>
#include <vector>

using namespace tendon;
using kit::Quaternion;
using kit::Vector3;

/// One body of each kind, with limits: everything that the projection depends on.
struct OneJoint
{
    std::vector<std::int32_t> parent{-1}, qBegin, vBegin;
    std::vector<sdk::JointKind> kind;
    std::vector<sdk::DofKind> dofKind;
    std::vector<double> axis, lower, upper, ballSwing, ballTwist{-kit::kInfinity, kit::kInfinity};
    std::vector<sdk::Axis> ballAxis{sdk::Axis::Y};

    OneJoint(sdk::JointKind jointKind, const std::vector<Vector3>& axes, double range) : ballSwing(4, range)
    {
        kind = {jointKind};
        const bool isBall = jointKind == sdk::JointKind::Ball;
        const int dofs = isBall ? 3 : static_cast<int>(axes.size());
        qBegin = {0, isBall ? 4 : dofs};
        vBegin = {0, dofs};
        for (int i = 0; i < dofs; ++i) {
            const Vector3 a = isBall ? Vector3(Vector3::Unit(i)) : axes[i];
            axis.insert(axis.end(), a.data(), a.data() + 3);
            dofKind.push_back(sdk::DofKind::Turning);
            lower.push_back(isBall ? -kit::kInfinity : -0.7 * range);
            upper.push_back(isBall ? kit::kInfinity : range);
        }
        if (isBall) ballTwist = {-0.5 * range, 0.8 * range};
    }

    [[nodiscard]] sdk::Model model() const
    {
        sdk::Model m;
        m.bodyCount = 1;
        m.coordinateCount = qBegin[1];
        m.dofCount = vBegin[1];
        m.parent = parent;
        m.kind = kind;
        m.qBegin = qBegin;
        m.vBegin = vBegin;
        m.dofKind = dofKind;
        m.axis = axis;
        m.lower = lower;
        m.upper = upper;
        m.ballSwing = ballSwing;
        m.ballTwist = ballTwist;
        m.ballAxis = ballAxis;
        return m;
    }
};

class TestNearestInLimits : public QObject
{
    Q_OBJECT

    std::mt19937 m_random{7};

    double number(double from, double to) { return std::uniform_real_distribution<double>(from, to)(m_random); }
    Quaternion rotation()
    {
        std::normal_distribution<double> n;
        return Quaternion(n(m_random), n(m_random), n(m_random), n(m_random)).normalized();
    }

private slots:
    void theResultIsTheNearestPoseWithinLimits_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("axes");
        QTest::addColumn<double>("range");
        for (const double range : {0.4, 1.5, kit::kInfinity}) {
            const auto name = [&](const char* text) {
                return QByteArray(text) + " within " + QByteArray::number(range);
            };
            QTest::newRow(name("revolute")) << int(sdk::JointKind::Revolute) << 1 << range;
            QTest::newRow(name("universal")) << int(sdk::JointKind::Universal) << 2 << range;
            QTest::newRow(name("axes")) << int(sdk::JointKind::Axes) << 3 << range;
            QTest::newRow(name("skew axes")) << int(sdk::JointKind::Axes) << 4 << range;
            QTest::newRow(name("ball")) << int(sdk::JointKind::Ball) << 0 << range;
        }
    }

    void theResultIsTheNearestPoseWithinLimits()
    {
        QFETCH(int, kind);
        QFETCH(int, axes);
        QFETCH(double, range);
        std::vector<Vector3> directions{Vector3::UnitZ(), Vector3::UnitY(), Vector3::UnitX()};
        if (axes == 4) directions[1] = Vector3(0.3, 1, 0.2).normalized();
        directions.resize(std::min<std::size_t>(3, static_cast<std::size_t>(axes)));
        const OneJoint joint(static_cast<sdk::JointKind>(kind), directions, range);
        const sdk::Model model = joint.model();
        const bool isBall = kind == int(sdk::JointKind::Ball);

        double worst = 0;
        for (int n = 0; n < 300; ++n) {
            std::vector<double> q(static_cast<std::size_t>(model.coordinateCount), 0), again;
            if (isBall) q[3] = 1;
            const Quaternion wished = rotation();
            kit::nearestInLimits(model, 0, {}, wished, q.data());

            // Inside.
            if (isBall)
                QVERIFY(kit::ballViolation(model, 0, kit::quaternionAt(q.data())) < 1e-9);
            else
                for (std::size_t v = 0; v < q.size(); ++v) QVERIFY(q[v] >= model.lower[v] && q[v] <= model.upper[v]);

            // A pose within the limits stays: projecting the result again changes nothing.
            again = q;
            kit::nearestInLimits(model, 0, {}, kit::motion(model, 0, q.data()), again.data());
            for (std::size_t v = 0; v < q.size(); ++v)
                QVERIFY2(std::abs(again[v] - q[v]) < 1e-6, qPrintable(QString("case %1").arg(n)));

            // Free perpendicular axes reach every rotation.
            const double error = kit::rotationAngle(Quaternion(kit::motion(model, 0, q.data()).conjugate() * wished));
            if (range == kit::kInfinity && (isBall || axes == 3)) QVERIFY(error < 1e-7);

            // No sampled configuration within the limits is nearer (a ball's nearness is in swing and twist, so skip
            // it).
            if (isBall || range == kit::kInfinity) continue;
            for (int k = 0; k < 300; ++k) {
                std::vector<double> sample = q;
                for (std::size_t v = 0; v < sample.size(); ++v) sample[v] = number(model.lower[v], model.upper[v]);
                const double other = kit::rotationAngle(
                    Quaternion(kit::motion(model, 0, sample.data()).conjugate() * wished));
                worst = std::max(worst, error - other);
            }
        }
        qInfo("largest lead of a sampled configuration: %.3g rad", worst);
        QVERIFY(worst < 1e-6);
    }

    void lockedAxesKeepEveryBit()
    {
        const OneJoint joint(sdk::JointKind::Axes, {Vector3::UnitZ(), Vector3::UnitY(), Vector3::UnitX()}, 3);
        const std::vector<std::uint8_t> locked{0, 1, 0};
        for (int n = 0; n < 100; ++n) {
            double q[3] = {0.1, 0.123456789, -0.2};
            kit::nearestInLimits(joint.model(), 0, locked, rotation(), q);
            QCOMPARE(q[1], 0.123456789);
        }
    }
};

TENDON_TEST(TestNearestInLimits)
#include "tst_nearest_in_limits.moc"

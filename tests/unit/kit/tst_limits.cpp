#include "tests/support/SolverModel.h"
#include "tests/support/TestProgram.h"

#include <tendon/kit/Limits.h>
#include <tendon/kit/Reach.h>

using namespace tendon;
using kit::Quaternion;
using kit::Vector3;
using sdk::JointKind;

namespace {

} // namespace

class TestLimits : public QObject
{
    Q_OBJECT

private slots:
    void swingTimesTwistIsTheRotation()
    {
        std::mt19937 random(31);
        double worst = 0;
        for (int i = 0; i < 3000; ++i) {
            const auto axis = static_cast<sdk::Axis>(i % 3);
            const Quaternion whole = randomRotation(random);
            const kit::SwingTwist split = kit::splitSwingTwist(whole, axis);
            worst = std::max(worst, kit::rotationAngle(kit::joinSwingTwist(split, axis).conjugate() * whole));
        }
        qInfo("largest error %.3g rad", worst);
        QVERIFY(worst < 1e-12);
    }

    void aPureTwistHasNoSwingAndAPureSwingNoTwist()
    {
        std::mt19937 random(32);
        std::uniform_real_distribution<double> angle(-3, 3);
        for (int t = 0; t < 3; ++t)
            for (int i = 0; i < 100; ++i) {
                const double x = angle(random), y = angle(random) / 2, z = angle(random) / 2;
                const auto twist = kit::splitSwingTwist(kit::expMap(Vector3(Vector3::Unit(t) * x)),
                                                        static_cast<sdk::Axis>(t));
                QVERIFY(std::abs(twist.twist - x) < 1e-12 && std::abs(twist.swingA) + std::abs(twist.swingB) < 1e-12);
                const Vector3 across = Vector3::Unit((t + 1) % 3) * y + Vector3::Unit((t + 2) % 3) * z;
                const auto swing = kit::splitSwingTwist(kit::expMap(across), static_cast<sdk::Axis>(t));
                QVERIFY(std::abs(swing.twist) < 1e-12 &&
                        std::abs(swing.swingA - y) + std::abs(swing.swingB - z) < 1e-12);
            }
    }

    void nearestPointOfTheSwingEllipseIsNearest()
    {
        std::mt19937 random(33);
        std::uniform_real_distribution<double> semi(0.05, 1.5), coordinate(-2, 2);
        double worst = 0;
        for (int i = 0; i < 300; ++i) {
            const double semiAxes[] = {semi(random), semi(random), semi(random), semi(random)};
            const double x = coordinate(random), y = coordinate(random);
            const auto nearest = kit::nearestInEllipse(x, y, semiAxes);
            QVERIFY(kit::ellipseLevel(nearest[0], nearest[1], semiAxes) <= 1);
            if (kit::ellipseLevel(x, y, semiAxes) <= 1) {
                QVERIFY(nearest[0] == x && nearest[1] == y);
                continue;
            }
            const double distance = std::hypot(x - nearest[0], y - nearest[1]);
            for (int k = 0; k < 5000; ++k) { // all around the rim
                const double c = std::cos(k * 2 * std::numbers::pi / 5000),
                             s = std::sin(k * 2 * std::numbers::pi / 5000);
                const double rx = c * (c >= 0 ? semiAxes[0] : semiAxes[1]),
                             ry = s * (s >= 0 ? semiAxes[2] : semiAxes[3]);
                worst = std::max(worst, distance - std::hypot(x - rx, y - ry));
            }
        }
        QVERIFY(worst < 1e-12);
    }

    void zeroAndUnlimitedSemiAxesMakeTheEllipseALineOrAStrip()
    {
        const double flat[] = {0.5, 0.5, 0, 0}, strip[] = {kit::kInfinity, kit::kInfinity, 0.3, 0.2};
        QCOMPARE(kit::nearestInEllipse(1, 1, flat), (std::array<double, 2>{0.5, 0}));
        QCOMPARE(kit::nearestInEllipse(5, -1, strip), (std::array<double, 2>{5, -0.2}));
        QCOMPARE(kit::nearestInEllipse(5, 0.1, strip), (std::array<double, 2>{5, 0.1}));
    }

    void anglesTakeTheNearestTurnWithinTheirLimits()
    {
        const double pi = std::numbers::pi;
        QCOMPARE(kit::nearestAngle(0.5, -1, 1, 0), 0.5);
        QVERIFY(std::abs(kit::nearestAngle(0.5 - 2 * pi, -1, 1, 0) - 0.5) < 1e-12);
        QVERIFY(std::abs(kit::nearestAngle(0.5, 4, 10, 5) - (0.5 + 2 * pi)) < 1e-12);
        QCOMPARE(kit::nearestAngle(3.0, -1, 2, 0), 2.0);
        QCOMPARE(kit::nearestAngle(-3.0, -1, 2, 0), 2.0); // across the turn
        QCOMPARE(kit::nearestAngle(-2.0, -1, 2, 0), -1.0);
        QVERIFY(std::abs(kit::nearestAngle(0.1, -kit::kInfinity, kit::kInfinity, 12.0) - (0.1 + 4 * pi)) < 1e-12);
    }

    void reachIsExactForChainsThatTurnFreely()
    {
        std::mt19937 random(34);
        for (int i = 0; i < 50; ++i) {
            // Two ball joints, a sliding joint between fixed bodies, and a scaled end: at the farthest point all are in
            // line.
            SolverModel rig;
            const Vector3 root = randomUnit(random), first = randomUnit(random) * 0.7, slide = randomUnit(random),
                          second = randomUnit(random) * 0.4, tip = randomUnit(random) * 0.3;
            int b = rig.add(-1, JointKind::Ball, root, {}, 0, randomRotation(random));
            b = rig.add(b, JointKind::Prismatic, first, {slide}, 0, randomRotation(random));
            rig.limit(3, -0.2, 0.5);
            b = rig.add(b, JointKind::Fixed, second, {}, 0, randomRotation(random), 1.5);
            b = rig.add(b, JointKind::Ball, second, {}, 0, randomRotation(random));
            const sdk::Model model = rig.model();
            const kit::Reach reach = kit::reachOf(model, rig.base, rig.seed, {}, b, tip.data());
            double longest = 0;
            for (const double extension : {-0.2, 0.5}) {
                std::vector<double> q = rig.seed;
                q[4] = extension;
                const auto frames = rig.frames(q);
                longest = std::max(longest, (frames[3].position - frames[0].position).norm());
            }
            QVERIFY((reach.anchor - root).norm() < 1e-12);
            QVERIFY(std::abs(reach.outer - (longest + 1.5 * 0.3)) < 1e-12);
            // No configuration is outside.
            for (int k = 0; k < 200; ++k) {
                const Vector3 point = rig.frames(rig.randomConfiguration(random))[static_cast<std::size_t>(b)].point(
                    tip);
                QVERIFY(reach.shortfall(point) < 1e-12);
            }
        }
    }

    void anUnlimitedSlideReachesEverything()
    {
        SolverModel rig;
        const int b = rig.add(rig.add(-1, JointKind::Ball, Vector3::Zero()), JointKind::Prismatic, Vector3::UnitX(),
                              {Vector3::UnitX()});
        const Vector3 tip = Vector3::Zero();
        QCOMPARE(kit::reachOf(rig.model(), rig.base, rig.seed, {}, b, tip.data()).shortfall(Vector3(1e6, 0, 0)), 0.0);
        std::vector<std::uint8_t> locked{0, 0, 0, 1}; // a locked sliding joint is a constant length
        QCOMPARE(kit::reachOf(rig.model(), rig.base, rig.seed, locked, b, tip.data()).shortfall(Vector3(3, 0, 0)), 2.0);
    }

    void aLongBoneLeavesAnUnreachableHole()
    {
        SolverModel rig;
        int b = rig.add(-1, JointKind::Ball, Vector3::Zero());
        b = rig.add(b, JointKind::Ball, Vector3::UnitX());
        const Vector3 tip(0.4, 0, 0);
        const kit::Reach reach = kit::reachOf(rig.model(), rig.base, rig.seed, {}, b, tip.data());
        QVERIFY(std::abs(reach.shortfall(Vector3(0, 0.1, 0)) - 0.5) < 1e-12);
        QVERIFY((reach.nearest(Vector3(0, 0.1, 0)) - Vector3(0, 0.6, 0)).norm() < 1e-12);
    }

    void stepsOfZeroKeepEveryBit()
    {
        std::mt19937 random(35);
        SolverModel rig;
        rig.add(rig.add(-1, JointKind::Free, Vector3::Zero()), JointKind::Ball, Vector3::UnitX());
        const std::vector<double> q = rig.randomConfiguration(random);
        std::vector<double> dv(9, 0.0), moved(q.size());
        kit::integrate<double>(rig.model(), q, dv, moved);
        QCOMPARE(moved, q);
    }
};

TENDON_TEST(TestLimits)
#include "tst_limits.moc"

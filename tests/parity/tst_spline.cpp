#include "solvers/spline/SplineSolver.h"
#include "tests/support/SolverModel.h"
#include "tests/support/TestProgram.h"

#include <functional>
#include <numbers>

using namespace tendon;
using kit::Quaternion;
using kit::Vector3;
using sdk::JointKind;
using sdk::Status;

namespace {

/// The basis function of Cox and de Boor over clamped uniform knots, by its recursive definition.
double basis(int i, int degree, double u, int last, int order)
{
    const auto knot = [&](int k) { return static_cast<double>(std::clamp(k - order, 0, last)); };
    if (degree == 0) {
        const bool isEnd = u == last && knot(i) < u && knot(i + 1) == u;
        return (knot(i) <= u && u < knot(i + 1)) || isEnd ? 1 : 0;
    }
    const double a = knot(i + degree) - knot(i), b = knot(i + degree + 1) - knot(i + 1);
    return (a > 0 ? (u - knot(i)) / a * basis(i, degree - 1, u, last, order) : 0) +
           (b > 0 ? (knot(i + degree + 1) - u) / b * basis(i + 1, degree - 1, u, last, order) : 0);
}

Vector3 curvePoint(const std::vector<Vector3>& points, double share)
{
    const int count = static_cast<int>(points.size()), degree = std::min(3, count - 1);
    Vector3 sum = Vector3::Zero();
    for (int i = 0; i < count; ++i)
        sum += basis(i, degree, share * (count - degree), count - degree, degree) * points[static_cast<std::size_t>(i)];
    return sum;
}

/// [m] from the curve: the nearest of many points, then bisected between its neighbours.
double distanceFrom(const std::vector<Vector3>& points, const Vector3& place)
{
    constexpr int kLooks = 400;
    const auto distance = [&](double t) { return (curvePoint(points, t) - place).norm(); };
    int nearest = 0;
    for (int s = 1; s <= kLooks; ++s)
        if (distance(double(s) / kLooks) < distance(double(nearest) / kLooks)) nearest = s;
    double from = std::max(0.0, (nearest - 1.0) / kLooks), to = std::min(1.0, (nearest + 1.0) / kLooks);
    for (int i = 0; i < 80; ++i) { // golden section
        const double a = to - 0.618 * (to - from), b = from + 0.618 * (to - from);
        (distance(a) < distance(b) ? to : from) = distance(a) < distance(b) ? b : a;
    }
    return distance(0.5 * (from + to));
}

/// A chain of balls along +Y from the origin, on a fixed ground.
struct Chain
{
    SolverModel rig;
    std::vector<int> joints;
    double bone;

    explicit Chain(int bones, double length = 0.25, JointKind kind = JointKind::Ball) : bone(length)
    {
        int body = rig.add(-1, JointKind::Fixed, Vector3::Zero());
        for (int i = 0; i <= bones; ++i) {
            const std::vector<Vector3> axes = kind == JointKind::Revolute ? std::vector<Vector3>{Vector3::UnitZ()}
                                                                          : std::vector<Vector3>{};
            body = rig.add(body, kind, i == 0 ? Vector3(Vector3::Zero()) : Vector3(0, length, 0), axes);
            joints.push_back(body);
        }
    }
    [[nodiscard]] double reach() const { return bone * static_cast<double>(joints.size() - 1); }
};

struct Laid
{
    Status status = Status::InvalidProblem;
    std::vector<double> q, stretch;
    std::vector<kit::Frame<double>> frames; ///< with the stretch
    double miss = 0;
};

/// One solve of the chain along the curve.
Laid lay(const SolverModel& rig, int start, int end, const std::vector<Vector3>& points,
         const std::function<void(sdk::Curve&, sdk::Problem&)>& change = {}, double root = 0)
{
    const std::unique_ptr<sdk::Solver> solver = makeSplineSolver();
    if (!solver->setParameter("root", root) || solver->prepare(rig.model(), 0) != Status::Converged)
        qFatal("not prepared");
    std::vector<double> numbers;
    for (const Vector3& point : points) numbers.insert(numbers.end(), point.data(), point.data() + 3);
    sdk::Curve curve;
    curve.startBody = start;
    curve.endBody = end;
    curve.points = numbers;
    sdk::Problem problem;
    problem.base = rig.base;
    problem.seed = rig.seed;
    problem.posture = rig.seed;
    problem.curve = &curve;
    if (change) change(curve, problem);
    Laid laid;
    laid.q.resize(rig.seed.size());
    laid.stretch.assign(rig.parent.size(), 1);
    sdk::Solution solution;
    solution.q = laid.q;
    solution.stretch = laid.stretch;
    laid.status = solver->solve(problem, {}, solution);
    laid.miss = std::sqrt(2 * solution.cost);
    SolverModel stretched = rig;
    for (std::size_t b = 0; b < laid.stretch.size(); ++b)
        for (std::size_t k = 0; k < 3; ++k) stretched.base[8 * b + k] *= laid.stretch[b];
    if (sdk::isUsable(laid.status)) laid.frames = stretched.frames(laid.q);
    return laid;
}

Laid lay(const Chain& chain, const std::vector<Vector3>& points,
         const std::function<void(sdk::Curve&, sdk::Problem&)>& change = {})
{
    return lay(chain.rig, chain.joints.front(), chain.joints.back(), points, change);
}

Vector3 positionOf(const Laid& laid, int body) { return laid.frames[static_cast<std::size_t>(body)].position; }
Quaternion rotationOf(const Laid& laid, int body) { return laid.frames[static_cast<std::size_t>(body)].rotation; }

/// A curve of `count` points from the origin that wanders, longer than `reach`.
std::vector<Vector3> wandering(std::mt19937& random, int count, double reach)
{
    std::vector<Vector3> points = {Vector3::Zero()};
    const double step = 1.5 * reach / (count - 1);
    Vector3 way = Vector3::UnitY();
    while (std::ssize(points) < count) {
        way = (way + 0.9 * randomUnit(random)).normalized();
        points.push_back(points.back() + step * way);
    }
    return points;
}

/// The angle by which `b` is turned about `axis` against `a` [rad].
double turnAbout(const Vector3& axis, const Quaternion& a, const Quaternion& b)
{
    return kit::logMap(Quaternion(b * a.conjugate())).dot(axis);
}

} // namespace

class TestSpline : public QObject
{
    Q_OBJECT

private slots:
    void everyJointLiesOnTheCurve()
    {
        std::mt19937 random(17);
        double worst = 0;
        for (int i = 0; i < 40; ++i) {
            const Chain chain(4 + i % 5);
            const std::vector<Vector3> points = wandering(random, 2 + i % 7, chain.reach());
            const Laid laid = lay(chain, points);
            QVERIFY2(laid.status == Status::Converged, qPrintable(QString("case %1: %2").arg(i).arg(int(laid.status))));
            for (const int joint : chain.joints) {
                worst = std::max(worst, distanceFrom(points, positionOf(laid, joint)) / chain.bone);
                if (joint == chain.joints.front()) continue;
                const double length = (positionOf(laid, joint) - positionOf(laid, joint - 1)).norm();
                QVERIFY2(std::abs(length - chain.bone) < 1e-12, "a bone has another length");
            }
        }
        QVERIFY2(worst < 1e-6, qPrintable(QString("a joint is %1 bones off").arg(worst)));
    }

    void aStraightCurveKeepsTheRestPose()
    {
        const Chain chain(6);
        const Laid laid = lay(chain, {{0, 0, 0}, {0, 0.5, 0}, {0, 1, 0}, {0, 2, 0}});
        QCOMPARE(laid.status, Status::Converged);
        for (std::size_t i = 0; i < laid.q.size(); ++i) QVERIFY(std::abs(laid.q[i] - chain.rig.seed[i]) < 1e-12);
    }

    void bendingTheCurveFlipsNoJoint()
    {
        // The curve's middle goes round in a circle and over the start: no joint turns faster than the points move.
        const Chain chain(12, 0.1);
        const auto at = [&](double t) {
            const double a = 2 * std::numbers::pi * t;
            return lay(chain, {{0, 0, 0},
                               {0, 0.4, 0},
                               {0.5 * std::cos(a), 0.7, 0.5 * std::sin(a)},
                               {0.9 * std::sin(2 * a), 0.9, 0.9 * std::cos(a)},
                               {std::cos(3 * a), 1.6, std::sin(a)}});
        };
        Laid before = at(0);
        double fastest = 0;
        constexpr int kSteps = 400;
        for (int i = 1; i <= kSteps; ++i) {
            const Laid now = at(double(i) / kSteps);
            for (const int joint : chain.joints)
                fastest = std::max(fastest, rotationOf(before, joint).angularDistance(rotationOf(now, joint)));
            before = now;
        }
        QVERIFY2(fastest < 6 * 2 * std::numbers::pi / kSteps, qPrintable(QString("%1 rad in a step").arg(fastest)));
        const Laid again = at(0); // nothing is left of the way there
        QVERIFY(std::equal(again.q.begin(), again.q.end(), at(0).q.begin()));
    }

    void aPlanarCurveTurnsNothingAboutTheBones()
    {
        // In a plane the frames of least rotation turn about the plane's normal alone.
        const Chain chain(8, 0.15);
        const Laid laid = lay(chain, {{0, 0, 0}, {0, 0.6, 0}, {0.8, 0.9, 0}, {0.9, -0.5, 0}, {2, -0.4, 0}});
        QCOMPARE(laid.status, Status::Converged);
        for (const int joint : chain.joints)
            QVERIFY((rotationOf(laid, joint) * Vector3::UnitZ() - Vector3::UnitZ()).norm() < 1e-9);
    }

    void aCurveThroughSpaceCarriesTheFrameWithoutTwist()
    {
        // Short bones follow the tangent, so that what stands across them is what the curve carries along: a vector
        // that is projected anew across the tangent at each of many small steps.
        const Chain chain(60, 0.02);
        const std::vector<Vector3> points = {
            {0, 0, 0}, {0, 0.3, 0}, {0.4, 0.5, 0.1}, {0.2, 0.4, 0.7}, {-0.4, 0.9, 0.5}};
        const Laid laid = lay(chain, points);
        QCOMPARE(laid.status, Status::Converged);
        constexpr int kSteps = 3000;
        Vector3 across = Vector3::UnitX(), before = Vector3::UnitY(); // the first bone's
        double turned = 0;
        auto joint = chain.joints.begin();
        for (int s = 0; s < kSteps && joint + 1 != chain.joints.end(); ++s) {
            const Vector3 place = curvePoint(points, double(s) / kSteps);
            const Vector3 tangent = (curvePoint(points, (s + 1.0) / kSteps) - place).normalized();
            across = (across - across.dot(tangent) * tangent).normalized();
            turned += std::acos(std::min(1.0, before.dot(tangent)));
            before = tangent;
            if ((place - positionOf(laid, *joint)).norm() > 5e-4) continue;
            const Vector3 side = rotationOf(laid, *joint) * Vector3::UnitX();
            QVERIFY2((side - across).norm() < 0.06, qPrintable(QString::number((side - across).norm())));
            ++joint;
        }
        QVERIFY(joint > chain.joints.begin() + 50 && turned > 1.5);
    }

    void rollTurnsAllAndTwistIsSpreadByLength()
    {
        const Chain chain(6);
        const std::vector<Vector3> points = {
            {0, 0, 0}, {0.1, 0.5, 0.2}, {0.6, 0.9, -0.2}, {0.4, 1.9, 0.3}, {1, 2.4, 0}};
        const Laid plain = lay(chain, points);
        const Laid twisted = lay(chain, points, [](sdk::Curve& curve, sdk::Problem&) {
            curve.startTwist = 0.3;
            curve.endTwist = 1.5;
        });
        for (std::size_t i = 0; i + 1 < chain.joints.size(); ++i) {
            const int joint = chain.joints[i];
            QVERIFY((positionOf(plain, joint) - positionOf(twisted, joint)).norm() < 1e-9);
            const Vector3 bone = rotationOf(plain, joint) * Vector3::UnitY();
            const double wanted = 0.3 + 1.2 * static_cast<double>(i) / static_cast<double>(chain.joints.size() - 2);
            QVERIFY(std::abs(turnAbout(bone, rotationOf(plain, joint), rotationOf(twisted, joint)) - wanted) < 1e-9);
        }
    }

    void stretchBringsTheEndToTheCurvesEnd()
    {
        const Chain chain(5); // 1.25 m
        const std::vector<Vector3> points = {{0, 0, 0}, {0.3, 0.5, 0}, {-0.2, 0.9, 0.2}, {0, 1.5, 0}};
        const auto stretchedBy = [&](double most) {
            return lay(chain, points, [&](sdk::Curve&, sdk::Problem& problem) { problem.maxStretch = most; });
        };
        const Laid kept = stretchedBy(1), free = stretchedBy(3), little = stretchedBy(1.05);
        for (const Laid* each : {&kept, &free, &little}) QCOMPARE(each->status, Status::Converged);
        const int end = chain.joints.back();
        QVERIFY((positionOf(kept, end) - points.back()).norm() > 0.1);
        QVERIFY((positionOf(free, end) - points.back()).norm() < 1e-6 * chain.bone);
        const double factor = free.stretch[static_cast<std::size_t>(end)];
        QVERIFY(factor > 1.1 && factor < 1.4);
        for (const int joint : chain.joints) {
            QVERIFY(distanceFrom(points, positionOf(free, joint)) < 1e-6 * chain.bone);
            if (joint == chain.joints.front()) continue;
            QVERIFY(std::abs((positionOf(free, joint) - positionOf(free, joint - 1)).norm() - factor * chain.bone) <
                    1e-12);
            QCOMPARE(little.stretch[static_cast<std::size_t>(joint)], 1.05);
        }
    }

    void aCurveThatIsTooShortIsOutOfReach()
    {
        const Chain chain(4); // 1 m
        const Laid laid = lay(chain, {{0, 0, 0}, {0.2, 0, 0}, {0.4, 0, 0}, {0.6, 0, 0}});
        QCOMPARE(laid.status, Status::Unreachable);
        QVERIFY(std::abs(laid.miss - 0.4) < 1e-9);
        QVERIFY((positionOf(laid, chain.joints.back()) - Vector3(1, 0, 0)).norm() < 1e-9); // on along its end
    }

    void limitsAreKeptAndTold()
    {
        Chain chain(4);
        for (int joint : chain.joints)
            for (std::size_t k = 0; k < 4; ++k) chain.rig.ballSwing[4 * static_cast<std::size_t>(joint) + k] = 0.2;
        const Laid bent = lay(chain, {{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1.5, 0, 0}});
        QCOMPARE(bent.status, Status::LimitsBlock);
        QCOMPARE(chain.rig.violation(bent.q), 0.0);
        QVERIFY(bent.miss > 0.1);
        const Laid gentle = lay(chain, {{0, 0, 0}, {0.02, 0.4, 0}, {0.06, 0.8, 0}, {0.15, 1.2, 0}});
        QCOMPARE(gentle.status, Status::Converged);
    }

    void hingesFollowACurveInTheirPlane()
    {
        const Chain chain(5, 0.2, JointKind::Revolute);
        const std::vector<Vector3> points = {{0, 0, 0}, {0.1, 0.5, 0}, {0.6, 0.6, 0}, {0.9, 1.2, 0}};
        const Laid laid = lay(chain, points);
        QCOMPARE(laid.status, Status::Converged);
        for (const int joint : chain.joints) QVERIFY(distanceFrom(points, positionOf(laid, joint)) < 2e-7);
        const Laid out = lay(chain, {{0, 0, 0}, {0, 0.5, 0.4}, {0, 0.6, 0.9}, {0, 1.2, 1.2}});
        QCOMPARE(out.status, Status::Stalled); // its hinges cannot leave the plane, and no limit is to blame
    }

    void theRootSlidesOntoTheCurveOrStays()
    {
        SolverModel rig;
        int body = rig.add(-1, JointKind::Fixed, Vector3::Zero());
        const int start = body = rig.add(body, JointKind::Free, Vector3::Zero());
        for (int i = 0; i < 4; ++i) body = rig.add(body, JointKind::Ball, Vector3(0, 0.25, 0));
        const std::vector<Vector3> points = {{0.3, 0.1, 0.2}, {0.4, 0.6, 0.2}, {0.3, 1, 0.2}, {0.4, 1.8, 0.2}};
        const Laid moved = lay(rig, start, body, points, {}, 0);
        QCOMPARE(moved.status, Status::Converged);
        QVERIFY((positionOf(moved, start) - points[0]).norm() < 1e-12);
        const Laid free = lay(rig, start, body, points, {}, 1);
        QCOMPARE(free.status, Status::Converged);
        QVERIFY(positionOf(free, start).norm() < 1e-12);
        std::vector<Vector3> fromRoot = points;
        fromRoot[0] = Vector3::Zero(); // the curve begins at the joint
        for (int joint = start; joint <= body; ++joint)
            QVERIFY(distanceFrom(fromRoot, positionOf(free, joint)) < 2.5e-7);

        // One slide that ends too early is enough: the root is not on its curve, whatever the others do.
        rig.limit(0, -0.1, 0.1);
        const Laid blocked = lay(rig, start, body, points, {}, 0);
        QCOMPARE(blocked.status, Status::LimitsBlock);
        QVERIFY((positionOf(blocked, start) - Vector3(0.1, 0.1, 0.2)).norm() < 1e-12);
    }

    /// The chain starts a quarter of the way along a curve that its fixed root is not on.
    void aJointThatCannotReachTheCurveTurnsToTheNearestPointOfIt()
    {
        const Chain chain(1); // one bone of 0.25 m from the origin
        const auto endFor = [&](const std::vector<Vector3>& points) {
            const Laid laid = lay(chain, points, [](sdk::Curve& curve, sdk::Problem&) { curve.offset = 0.25; });
            return Vector3(positionOf(laid, chain.joints.back()));
        };
        // By hand: the point straight above is in the middle of a line, where the chain starts, at its end.
        const Vector3 above(0, 0.25, 0);
        QVERIFY((endFor({{-1.7, 1, 0}, {2.3, 1, 0}}) - above).norm() < 1e-6);
        QVERIFY((endFor({{-1, 1, 0}, {3, 1, 0}}) - above).norm() < 1e-6);
        QVERIFY((endFor({{3, 1, 0}, {0, 1, 0}}) - above).norm() < 1e-6);

        // Two dips come as near as each other: the one that the curve comes to first, from either side.
        const std::vector<Vector3> dips = {{-4, 5, 0}, {-1, 0.2, 0}, {0, 4, 0}, {1, 0.2, 0}, {4, 5, 0}};
        Vector3 left = curvePoint(dips, 0);
        for (int i = 0; i <= 4000; ++i)
            if (const Vector3 place = curvePoint(dips, 0.5 * i / 4000); place.norm() < left.norm()) left = place;
        left *= chain.bone / left.norm();
        QVERIFY(left[0] < -0.05);
        QVERIFY((endFor(dips) - left).norm() < 1e-3);
        QVERIFY((endFor({dips.rbegin(), dips.rend()}) - Vector3(-left[0], left[1], 0)).norm() < 1e-3);
    }

    void theChainStartsSomewhereAlongTheCurve()
    {
        SolverModel rig;
        int body = rig.add(-1, JointKind::Fixed, Vector3::Zero());
        const int start = body = rig.add(body, JointKind::Free, Vector3::Zero());
        for (int i = 0; i < 3; ++i) body = rig.add(body, JointKind::Ball, Vector3(0, 0.25, 0));
        const Laid laid = lay(rig, start, body, {{0, 0, 0}, {4, 0, 0}},
                              [](sdk::Curve& curve, sdk::Problem&) { curve.offset = 0.25; });
        QCOMPARE(laid.status, Status::Converged);
        QVERIFY((positionOf(laid, start) - Vector3(1, 0, 0)).norm() < 1e-9);
        QVERIFY((positionOf(laid, body) - Vector3(1.75, 0, 0)).norm() < 1e-9);
        // A share of the length, however unevenly the points lie.
        const Laid uneven = lay(rig, start, body, {{0, 0, 0}, {0.1, 0, 0}, {0.2, 0, 0}, {4, 0, 0}},
                                [](sdk::Curve& curve, sdk::Problem&) { curve.offset = 0.25; });
        QVERIFY((positionOf(uneven, start) - Vector3(1, 0, 0)).norm() < 1e-6);
    }

    void curvesWithoutLengthAndPointsThatCoincideDoNoHarm()
    {
        const Chain chain(3);
        const std::vector<std::vector<Vector3>> curves = {
            {{0, 0, 0}, {0, 0, 0}},
            {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
            {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 1, 0}},
            {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 0}},
            {{0, 0, 0}, {0, -1, 0}},
            {{5, 5, 5}, {6, 5, 5}, {7, 5, 5}, {8, 5, 5}},
        };
        for (const std::vector<Vector3>& points : curves) {
            const Laid laid = lay(chain, points);
            QVERIFY(sdk::isUsable(laid.status));
            for (const double x : laid.q) QVERIFY(std::isfinite(x));
        }
    }
};

TENDON_TEST(TestSpline)
#include "tst_spline.moc"

#include "tests/support/SolverModel.h"
#include "tests/support/TestProgram.h"

#include <tendon/kit/Residuals.h>

using namespace tendon;
using kit::Quaternion;
using kit::Vector3;
using sdk::GoalKind;
using sdk::JointKind;

namespace {

/// 4 x 4 matrices by hand: the reference shares no code with kit.
using Matrix4 = Eigen::Matrix4d;

Matrix4 rotationMatrix(double x, double y, double z, double w)
{
    Matrix4 m = Matrix4::Identity();
    m(0, 0) = 1 - 2 * (y * y + z * z), m(0, 1) = 2 * (x * y - w * z), m(0, 2) = 2 * (x * z + w * y);
    m(1, 0) = 2 * (x * y + w * z), m(1, 1) = 1 - 2 * (x * x + z * z), m(1, 2) = 2 * (y * z - w * x);
    m(2, 0) = 2 * (x * z - w * y), m(2, 1) = 2 * (y * z + w * x), m(2, 2) = 1 - 2 * (x * x + y * y);
    return m;
}

/// Rodrigues' formula.
Matrix4 axisMatrix(const double* a, double angle)
{
    Eigen::Matrix3d k;
    k << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
    Matrix4 m = Matrix4::Identity();
    m.topLeftCorner<3, 3>() += std::sin(angle) * k + (1 - std::cos(angle)) * k * k;
    return m;
}

std::vector<Matrix4> referenceFrames(const SolverModel& rig, const std::vector<double>& q)
{
    const sdk::Model m = rig.model();
    std::vector<Matrix4> world(rig.parent.size());
    for (int b = 0; b < m.bodyCount; ++b) {
        const double* base = &rig.base[static_cast<std::size_t>(8 * b)];
        const double* own = &q[static_cast<std::size_t>(m.qBegin[b])];
        Matrix4 translation = Matrix4::Identity(), scale = Matrix4::Identity();
        translation.topRightCorner<3, 1>() = Vector3(base[0], base[1], base[2]);
        scale.topLeftCorner<3, 3>() *= base[7];
        Matrix4 motion = Matrix4::Identity();
        if (m.kind[b] == JointKind::Ball) motion = rotationMatrix(own[0], own[1], own[2], own[3]);
        if (m.kind[b] == JointKind::Free) {
            translation.topRightCorner<3, 1>() += Vector3(own[0], own[1], own[2]);
            motion = rotationMatrix(own[3], own[4], own[5], own[6]);
        }
        if (m.kind[b] != JointKind::Ball && m.kind[b] != JointKind::Free)
            for (int v = m.vBegin[b], k = 0; v < m.vBegin[b + 1]; ++v, ++k) {
                const double* a = &m.axis[static_cast<std::size_t>(3 * v)];
                if (m.dofKind[v] == sdk::DofKind::Sliding)
                    translation.topRightCorner<3, 1>() += own[k] * Vector3(a[0], a[1], a[2]);
                else
                    motion = motion * axisMatrix(a, own[k]);
            }
        const Matrix4 local = translation * rotationMatrix(base[3], base[4], base[5], base[6]) * motion * scale;
        world[static_cast<std::size_t>(b)] = m.parent[b] < 0
                                                 ? local
                                                 : Matrix4(world[static_cast<std::size_t>(m.parent[b])] * local);
    }
    return world;
}

/// A chain with a joint of `kind` among others, below rotated and scaled bases.
SolverModel chainWith(JointKind kind, std::mt19937& random)
{
    std::uniform_real_distribution<double> scale(0.6, 1.5);
    SolverModel rig;
    const auto add = [&](int parent, JointKind k, const std::vector<Vector3>& axes = {}, int slides = 0) {
        return rig.add(parent, k, randomUnit(random) * 0.7, axes, slides, randomRotation(random), scale(random));
    };
    int b = add(-1, JointKind::Ball);
    b = add(b, JointKind::Revolute, {randomUnit(random)});
    switch (kind) {
    case JointKind::Fixed: b = add(b, kind); break;
    case JointKind::Revolute: b = add(b, kind, {randomUnit(random)}); break;
    case JointKind::Prismatic: b = add(b, kind, {randomUnit(random)}); break;
    case JointKind::Universal: b = add(b, kind, {randomUnit(random), randomUnit(random)}); break;
    case JointKind::Axes:
        b = add(b, kind,
                {randomUnit(random), randomUnit(random), randomUnit(random), randomUnit(random), randomUnit(random)},
                2);
        break;
    default: b = add(b, kind);
    }
    b = add(b, JointKind::Universal, {randomUnit(random), randomUnit(random)});
    add(b, JointKind::Revolute, {randomUnit(random)});
    return rig;
}

constexpr auto kKinds = sdk::jointKinds();
constexpr const char* kGoalNames[] = {"position", "orientation", "pose", "aim", "pole"};

} // namespace

class TestKinematics : public QObject
{
    Q_OBJECT

private slots:
    void framesEqualMatrixProducts()
    {
        std::mt19937 random(11);
        double worst = 0;
        for (const JointKind kind : kKinds)
            for (int i = 0; i < 50; ++i) {
                const SolverModel rig = chainWith(kind, random);
                const std::vector<double> q = rig.randomConfiguration(random);
                const auto frames = rig.frames(q);
                const auto reference = referenceFrames(rig, q);
                for (std::size_t b = 0; b < frames.size(); ++b) {
                    const Vector3 local = randomUnit(random);
                    const Vector3 expected = reference[b].topLeftCorner<3, 3>() * local +
                                             reference[b].topRightCorner<3, 1>();
                    worst = std::max(worst, (frames[b].point(local) - expected).norm());
                }
            }
        qInfo("largest difference %.3g m", worst);
        QVERIFY(worst < 1e-12);
    }

    void differenceUndoesIntegrate()
    {
        std::mt19937 random(12);
        for (const JointKind kind : kKinds) {
            const SolverModel rig = chainWith(kind, random);
            const sdk::Model model = rig.model();
            const std::vector<double> q = rig.randomConfiguration(random);
            std::uniform_real_distribution<double> part(-1, 1);
            std::vector<double> dv(static_cast<std::size_t>(model.dofCount)), moved(q.size()), back(dv.size());
            for (double& d : dv) d = part(random);
            kit::integrate<double>(model, q, dv, moved);
            for (int b = 0; b < model.bodyCount; ++b)
                kit::differenceBody(model, b, q.data() + model.qBegin[b], moved.data() + model.qBegin[b],
                                    back.data() + model.vBegin[b]);
            for (std::size_t v = 0; v < dv.size(); ++v) QVERIFY(std::abs(dv[v] - back[v]) < 1e-12);
        }
    }

    void derivativesEqualCentralDifferences_data()
    {
        QTest::addColumn<int>("goal");
        QTest::addColumn<int>("kind");
        for (int g = 0; g < 5; ++g)
            for (int k = 0; k < sdk::kJointKindCount; ++k)
                QTest::newRow((std::string(kGoalNames[g]) + " over " + std::string(sdk::kJointTraits[k].name)).c_str())
                    << g << k;
    }

    void derivativesEqualCentralDifferences()
    {
        QFETCH(int, goal);
        QFETCH(int, kind);
        std::mt19937 random(static_cast<unsigned>(100 * goal + kind));
        double worst = 0;
        for (int i = 0; i < 40; ++i) {
            const SolverModel rig = chainWith(kKinds[kind], random);
            const sdk::Model model = rig.model();
            sdk::Goal asked;
            asked.kind = static_cast<GoalKind>(goal);
            asked.body = model.bodyCount - 1;
            asked.startBody = i % 2;
            asked.isDirection = i % 3 == 0;
            asked.twist = 0.4;
            kit::store(randomRotation(random), asked.targetRotation);
            const Vector3 offset = 0.3 * randomUnit(random), target = 2 * randomUnit(random), axis = randomUnit(random);
            for (int k = 0; k < 3; ++k)
                asked.offset[k] = offset[k], asked.targetPosition[k] = target[k], asked.axis[k] = axis[k];

            const std::vector<double> q = rig.randomConfiguration(random);
            const auto frames = rig.frames(q);
            const int rows = kit::residualRows(asked.kind);
            double at[6];
            kit::residual<double>(model, asked, frames, at);
            // Where a residual angle jumps (half a turn) or its direction is lost, there is no derivative to compare.
            if (kit::asksRotation(asked.kind) && Vector3(at[rows - 3], at[rows - 2], at[rows - 1]).norm() > 3.0)
                continue;
            if (asked.kind == GoalKind::Pole) {
                const auto angle = kit::poleAngle(kit::poleShape<double>(model, asked, frames), asked.twist);
                if (!angle.isDefined || std::abs(at[0]) > 3.0 || std::hypot(angle.cosine, angle.sine) < 0.05) continue;
            }
            std::vector<kit::DofMotion> motions(static_cast<std::size_t>(model.dofCount));
            for (int b = 0; b < model.bodyCount; ++b) kit::dofMotions(model, b, rig.base, q, frames, motions);
            const kit::ResidualDerivative derivative(model, asked, frames);
            for (int b = 0; b < model.bodyCount; ++b)
                for (int v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v) {
                    double column[6], plus[6], minus[6];
                    derivative.column(motions[static_cast<std::size_t>(v)], b, column);
                    constexpr double kStep = 1e-5;
                    for (const double side : {1.0, -1.0}) {
                        std::vector<double> dv(static_cast<std::size_t>(model.dofCount), 0.0), moved(q.size());
                        dv[static_cast<std::size_t>(v)] = side * kStep;
                        kit::integrate<double>(model, q, dv, moved);
                        kit::residual<double>(model, asked, rig.frames(moved), side > 0 ? plus : minus);
                    }
                    for (int row = 0; row < rows; ++row)
                        worst = std::max(worst, std::abs(column[row] - (plus[row] - minus[row]) / (2 * kStep)));
                }
        }
        qInfo("largest error %.3g", worst);
        QVERIFY(worst <= 1e-6);
    }

    void aStraightChainHasNoPoleError()
    {
        SolverModel rig;
        const int a = rig.add(-1, JointKind::Ball, Vector3::Zero());
        const int b = rig.add(a, JointKind::Revolute, Vector3::UnitX(), {Vector3::UnitZ()});
        const int c = rig.add(b, JointKind::Fixed, Vector3::UnitX());
        sdk::Goal pole;
        pole.kind = GoalKind::Pole;
        pole.body = c;
        pole.startBody = a;
        pole.targetPosition[1] = 1;
        double r = 7;
        kit::residual<double>(rig.model(), pole, rig.frames(rig.seed), &r);
        QCOMPARE(r, 0.0);
    }
};

TENDON_TEST(TestKinematics)
#include "tst_kinematics.moc"

#include "tests/support/SolverModel.h"
#include "tests/support/TestProgram.h"

#include <tendon/kit/GoalRows.h>
#include <tendon/kit/JointLaw.h>
#include <tendon/kit/Objectives.h>

#include <functional>

using namespace tendon;
using kit::Vector3;
using sdk::Goal;
using sdk::GoalKind;
using sdk::JointKind;
using sdk::Status;

namespace {

/// Every joint kind on one branch, a second branch beside it, masses, a scale.
SolverModel everyKind(std::mt19937& random)
{
    SolverModel rig;
    int at = rig.add(-1, JointKind::Free, 0.2 * randomUnit(random), {}, 0, randomRotation(random));
    rig.mass.back() = 3;
    at = rig.add(at, JointKind::Ball, 0.3 * randomUnit(random), {}, 0, randomRotation(random), 0.9);
    at = rig.add(at, JointKind::Universal, 0.3 * randomUnit(random), {randomUnit(random), randomUnit(random)});
    at = rig.add(at, JointKind::Axes, 0.3 * randomUnit(random),
                 {randomUnit(random), randomUnit(random), Vector3::UnitZ(), Vector3::UnitY()}, 2,
                 randomRotation(random));
    rig.mass.back() = 1;
    for (int k = 0; k < 3; ++k) rig.centre[rig.centre.size() - 1 - static_cast<std::size_t>(k)] = 0.1;
    at = rig.add(at, JointKind::Prismatic, 0.2 * randomUnit(random), {randomUnit(random)});
    const int fork = at;
    at = rig.add(at, JointKind::Ball, 0.3 * randomUnit(random));
    at = rig.add(at, JointKind::Revolute, 0.3 * randomUnit(random), {randomUnit(random)});
    rig.add(at, JointKind::Fixed, 0.2 * randomUnit(random));
    rig.add(fork, JointKind::Revolute, 0.3 * randomUnit(random), {randomUnit(random)}); // moved, but no goal's
    rig.mass.back() = 2;
    return rig;
}

constexpr int kTip = 7;

/// Gives a test a run to work on.
class Probe final : public kit::SolverBase
{
public:
    using Look = std::function<void(kit::SolverRun&)>;

    explicit Probe(Look look) : m_look(std::move(look)) { declare({.goalKinds = 0x1f, .objectives = true}); }

private:
    void run(kit::SolverRun& run) override
    {
        m_look(run);
        run.offer(run.q());
    }

    Look m_look;
};

/// Everything derivatives are taken of, about the pose q.
struct Subject
{
    kit::SolverRun& run;
    kit::Tangent tangent;
    kit::GoalRows rows;
    kit::Objectives objectives;
    std::vector<double> q;

    explicit Subject(kit::SolverRun& of) : run(of), q(of.q().begin(), of.q().end())
    {
        tangent.prepare(run.model());
        rows.prepare(run.model(), 1);
        objectives.prepare(run.model());
        tangent.build(run);
        rows.build(run, tangent);
        objectives.build(run, tangent);
    }

    [[nodiscard]] Eigen::Index size() const { return tangent.size(); }

    /// `function` at q moved by +-1e-5 in one direction, as a difference quotient.
    template <class Function>
    auto difference(int k, Function&& function)
    {
        constexpr double kStep = 1e-5;
        Eigen::VectorXd y = Eigen::VectorXd::Zero(size());
        std::vector<double> moved(q.size());
        y[k] = kStep;
        tangent.move(q, y.data(), {}, moved);
        run.residualNormAt(moved);
        const Eigen::VectorXd plus = function(moved);
        y[k] = -kStep;
        tangent.move(q, y.data(), {}, moved);
        run.residualNormAt(moved);
        return Eigen::VectorXd((plus - function(moved)) / (2 * kStep));
    }
};

void look(const SolverModel& rig, const Goal& goal, const sdk::Problem& problem,
          const std::function<void(Subject&)>& at)
{
    Probe probe([&at](kit::SolverRun& run) {
        Subject subject(run);
        at(subject);
    });
    QCOMPARE(probe.prepare(rig.model(), 1), Status::Converged);
    QVERIFY(sdk::isUsable(solveOnce(probe, rig, {&goal, 1}, problem).status));
}

/// How far the derivatives of an energy are from differences of it.
struct Worst
{
    double first = 0, second = 0;

    template <class Energy, class AddHessian>
    void compare(Subject& s, Energy& energy, AddHessian&& addHessian)
    {
        const auto gradientAt = [&](std::span<const double> q) {
            Eigen::VectorXd gradient = Eigen::VectorXd::Zero(s.size());
            energy.evaluate(q);
            energy.addGradient(gradient);
            return gradient;
        };
        Eigen::VectorXd differences(s.size());
        Eigen::MatrixXd slopes(s.size(), s.size()), hessian = Eigen::MatrixXd::Zero(s.size(), s.size());
        for (int k = 0; k < s.size(); ++k) {
            differences[k] = s.difference(k, [&](std::span<const double> q) {
                return Eigen::VectorXd(Eigen::VectorXd::Constant(1, energy.evaluate(q)));
            })[0];
            slopes.col(k) = s.difference(k, gradientAt);
        }
        const Eigen::VectorXd gradient = gradientAt(s.q);
        addHessian(hessian);
        first = std::max(first, relative(gradient, differences));
        // A gradient moves along with its tangent: only the symmetric part is the second derivative.
        second = std::max(second, relative(hessian, 0.5 * (slopes + slopes.transpose())));
    }

    static double relative(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b)
    {
        return (a - b).cwiseAbs().maxCoeff() / (1e-3 + b.cwiseAbs().maxCoeff());
    }
};

} // namespace

class TestCurvature : public QObject
{
    Q_OBJECT

private slots:
    void objectivesAndTheirDerivativesAgree_data()
    {
        QTest::addColumn<int>("objective");
        const char* names[] = {"rest pose", "natural pose", "velocity", "power", "all"};
        for (int k = 0; k < 5; ++k) QTest::newRow(names[k]) << k;
    }

    void objectivesAndTheirDerivativesAgree()
    {
        QFETCH(int, objective);
        std::mt19937 random(21);
        Worst worst;
        for (int i = 0; i < 10; ++i) {
            const SolverModel rig = everyKind(random);
            const std::vector<double> seed = rig.randomConfiguration(random, 1),
                                      one = rig.randomConfiguration(random, 1),
                                      two = rig.randomConfiguration(random, 1),
                                      three = rig.randomConfiguration(random, 1);
            sdk::Objectives weights;
            if (objective == 0 || objective == 4) weights.restPose = 0.7;
            if (objective == 1 || objective == 4) weights.naturalPose = 2;
            if (objective == 2 || objective == 4) weights.velocity = 1;
            if (objective == 3 || objective == 4) weights.power = 3;
            sdk::Problem problem;
            problem.seed = seed;
            problem.posture = one;
            problem.natural = two;
            problem.previous = three;
            problem.dt = 0.03;
            problem.objectives = &weights;
            look(rig, positionGoal(kTip, {0, 0, 0}), problem, [&](Subject& s) {
                worst.compare(s, s.objectives, [&](kit::MatrixRef h) { s.objectives.addHessian(h, true); });
            });
        }
        qInfo("first derivatives off by at most %.2g, second by %.2g", worst.first, worst.second);
        QVERIFY(worst.first < 1e-6);
        QVERIFY(worst.second < 1e-6);
    }

    void theLawOfTheJointsAndItsDerivativesAgree()
    {
        std::mt19937 random(23);
        std::uniform_real_distribution<double> share(0.1, 0.9);
        Worst worst;
        int eased = 0;
        for (int i = 0; i < 10; ++i) {
            SolverModel rig = everyKind(random);
            const std::vector<double> seed = rig.randomConfiguration(random, 1),
                                      rest = rig.randomConfiguration(random, 1);
            const sdk::Model model = rig.model();
            for (int b = 0; b < model.bodyCount; ++b) {
                rig.precedence[static_cast<std::size_t>(b)] = b % 3;
                for (int v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v) {
                    const auto at = static_cast<std::size_t>(v);
                    rig.stiffness[at] = 0.5 * share(random);
                    rig.damping[at] = share(random);
                    if (v - model.vBegin[b] >= kit::singleDofs(model, b)) continue;
                    const auto q = static_cast<std::size_t>(model.qBegin[b] + v - model.vBegin[b]);
                    // The way from the rest pose ends in the last half of what limits leave.
                    const double room = (seed[q] - rest[q]) / (0.5 + 0.5 * share(random));
                    rig.limit(v, std::min(rest[q] - 0.1, rest[q] + room), std::max(rest[q] + 0.1, rest[q] + room));
                    rig.ease[at] = share(random);
                    rig.springRest[at] = 0.3;
                    rig.springTension[at] = share(random);
                    ++eased;
                }
            }
            sdk::Problem problem;
            problem.seed = seed;
            look(rig, positionGoal(kTip, {0, 0, 0}), problem, [&](Subject& s) {
                kit::JointLaw law;
                law.prepare(s.run.model());
                law.build(s.run, s.tangent, kit::Ranking::ByHand, rest);
                worst.compare(s, law, [&](kit::MatrixRef h) { law.addHessian(h); });
            });
        }
        qInfo("%d DOFs; first derivatives off by at most %.2g, second by %.2g", eased, worst.first, worst.second);
        QVERIFY(eased >= 50);
        QVERIFY(worst.first < 1e-6);
        QVERIFY(worst.second < 1e-6);
    }

    void goalsAndTheirDerivativesAgree_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("isDirection");
        QTest::newRow("position") << static_cast<int>(GoalKind::Position) << false;
        QTest::newRow("orientation") << static_cast<int>(GoalKind::Orientation) << false;
        QTest::newRow("pose") << static_cast<int>(GoalKind::Pose) << false;
        QTest::newRow("aim at a point") << static_cast<int>(GoalKind::Aim) << false;
        QTest::newRow("aim along a direction") << static_cast<int>(GoalKind::Aim) << true;
        QTest::newRow("pole at a point") << static_cast<int>(GoalKind::Pole) << false;
        QTest::newRow("pole along a direction") << static_cast<int>(GoalKind::Pole) << true;
    }

    void goalsAndTheirDerivativesAgree()
    {
        QFETCH(int, kind);
        QFETCH(bool, isDirection);
        std::mt19937 random(22);
        double worstFirst = 0, worstSecond = 0;
        for (int i = 0; i < 10; ++i) {
            const SolverModel rig = everyKind(random);
            const std::vector<double> seed = rig.randomConfiguration(random, 1);
            Goal goal = positionGoal(kTip, randomUnit(random));
            goal.kind = static_cast<GoalKind>(kind);
            goal.isDirection = isDirection ? 1 : 0;
            goal.offset[1] = 0.2;
            goal.positionWeight = 1.5;
            goal.rotationWeight = 0.7;
            if (goal.kind == GoalKind::Pole) goal.startBody = 1;
            if (goal.kind != GoalKind::Aim) // where the rotation is met, as its curvature is exact there
                kit::store(rig.frames(seed)[kTip].rotation, goal.targetRotation);
            sdk::Problem problem;
            problem.seed = seed;
            look(rig, goal, problem, [&](Subject& s) {
                Eigen::VectorXd force = Eigen::VectorXd::Random(s.rows.rows());
                const auto valuesAt = [&](std::span<const double>) {
                    s.rows.evaluate(s.run);
                    return Eigen::VectorXd(s.rows.values());
                };
                const auto pullAt = [&](std::span<const double>) {
                    s.rows.differentiate(s.run);
                    return Eigen::VectorXd(s.rows.jacobian().transpose() * force);
                };
                Eigen::MatrixXd first(s.rows.rows(), s.size()), second(s.size(), s.size());
                for (int k = 0; k < s.size(); ++k) {
                    first.col(k) = s.difference(k, valuesAt);
                    second.col(k) = s.difference(k, pullAt);
                }
                s.run.residualNormAt(s.q);
                s.rows.differentiate(s.run);
                worstFirst = std::max(worstFirst, Worst::relative(s.rows.jacobian(), first));
                double scaled[kit::kMaxRows];
                for (int r = 0; r < s.rows.rows(); ++r)
                    scaled[r] = force[r] * s.rows.factors()[r] * kit::rowWeight(goal, r);
                Eigen::MatrixXd curvature = Eigen::MatrixXd::Zero(s.size(), s.size());
                kit::addGoalCurvature(s.tangent, s.run.motions(), s.run.frames(), goal, scaled, curvature);
                worstSecond = std::max(worstSecond, Worst::relative(curvature, 0.5 * (second + second.transpose())));
            });
        }
        qInfo("first derivatives off by at most %.2g, second by %.2g", worstFirst, worstSecond);
        QVERIFY(worstFirst < 1e-6);
        QVERIFY(worstSecond < 1e-6);
    }
};

TENDON_TEST(TestCurvature)
#include "tst_curvature.moc"

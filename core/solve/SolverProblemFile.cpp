#include "core/solve/SolverProblemFile.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>

namespace tendon {

namespace {

constexpr std::int64_t kMaxFileBytes = std::int64_t{1} << 30;
constexpr double kUnitSlack = 1e-3; ///< written quaternions and axes are rounded; anything worse is a mistake

Result<QByteArray> readBytes(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Io, "cannot be read: " + file.errorString().toStdString(), path};
    if (file.size() > kMaxFileBytes) return Error{ErrorCode::LimitExceeded, "is larger than 1 GiB", path};
    return file.readAll();
}

/// Reads JSON members into values and remembers the first that does not fit.
class Reader
{
public:
    std::optional<Error> error;

    void fail(const std::string& where, const std::string& message)
    {
        if (!error) error = Error{ErrorCode::InvalidArgument, message, where};
    }

    double number(const QJsonValue& value, const std::string& where)
    {
        if (!value.isDouble() || !std::isfinite(value.toDouble())) fail(where, "must be a number");
        return value.toDouble();
    }

    double positive(const QJsonValue& value, const std::string& where)
    {
        const double found = number(value, where);
        if (!(found > 0)) fail(where, "must be above 0");
        return found;
    }

    std::int32_t index(const QJsonValue& value, const std::string& where, std::int32_t least, std::int32_t end)
    {
        const double found = number(value, where);
        if (found != std::floor(found) || found < least || found >= end) {
            fail(where, "must be a joint's index from " + std::to_string(least) + " to " + std::to_string(end - 1));
            return least;
        }
        return static_cast<std::int32_t>(found);
    }

    template <int N>
    Eigen::Matrix<double, N, 1> numbers(const QJsonValue& value, const std::string& where)
    {
        Eigen::Matrix<double, N, 1> result = Eigen::Matrix<double, N, 1>::Zero();
        const QJsonArray array = value.toArray();
        if (array.size() != N)
            fail(where, "must be a list of " + std::to_string(N) + " numbers");
        else
            for (int k = 0; k < N; ++k) result[k] = number(array[k], where + "/" + std::to_string(k));
        return result;
    }

    Quaternion rotation(const Eigen::Vector4d& wxyz, const std::string& where)
    {
        if (!(std::abs(wxyz.norm() - 1) < kUnitSlack)) {
            fail(where, "must be a unit quaternion w, x, y, z");
            return Quaternion::Identity();
        }
        return Quaternion(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).normalized();
    }

    bool truth(const QJsonValue& value, const std::string& where)
    {
        if (!value.isBool()) fail(where, "must be true or false");
        return value.toBool();
    }
};

SolverProblem::Joint readJoint(Reader& reader, const QJsonObject& object, const std::string& where, std::int32_t index)
{
    SolverProblem::Joint joint;
    joint.name = object.value(QLatin1String("name")).toString().toStdString();
    joint.bone = object.value(QLatin1String("bone")).toString().toStdString();
    if (joint.name.empty()) reader.fail(where + "/name", "must be a text that is not empty");
    joint.parent = reader.index(object.value(QLatin1String("parent")), where + "/parent", -1, index);
    joint.position = reader.numbers<3>(object.value(QLatin1String("pos")), where + "/pos");
    joint.rotation = reader.rotation(reader.numbers<4>(object.value(QLatin1String("quat")), where + "/quat"),
                                     where + "/quat");

    const QString type = object.value(QLatin1String("type")).toString();
    if (type == QLatin1String("fixed")) return joint;
    if (type == QLatin1String("revolute"))
        joint.motion = SolverProblem::Motion::Revolute;
    else if (type == QLatin1String("prismatic"))
        joint.motion = SolverProblem::Motion::Prismatic;
    else
        reader.fail(where + "/type", "must be revolute, prismatic or fixed");

    joint.axis = reader.numbers<3>(object.value(QLatin1String("axis")), where + "/axis");
    if (!(std::abs(joint.axis.norm() - 1) < kUnitSlack))
        reader.fail(where + "/axis", "must have length 1");
    else
        joint.axis.normalize();
    const QJsonValue lower = object.value(QLatin1String("lower")), upper = object.value(QLatin1String("upper"));
    if (!lower.isNull() && !lower.isUndefined()) joint.lower = reader.number(lower, where + "/lower");
    if (!upper.isNull() && !upper.isUndefined()) joint.upper = reader.number(upper, where + "/upper");
    if (joint.lower > joint.upper) reader.fail(where + "/upper", "is below lower");
    return joint;
}

void readJoints(Reader& reader, const QJsonObject& object, SolverProblem& problem)
{
    const QJsonArray joints = object.value(QLatin1String("joints")).toArray();
    if (joints.isEmpty()) reader.fail("/joints", "must be a list with one joint at least");
    std::int32_t dofs = 0;
    for (const QJsonValue& value : joints) {
        const auto index = static_cast<std::int32_t>(problem.joints.size());
        problem.joints.push_back(readJoint(reader, value.toObject(), "/joints/" + std::to_string(index), index));
        if (problem.joints.back().motion != SolverProblem::Motion::Fixed) problem.joints.back().dof = dofs++;
    }
    problem.start.resize(static_cast<std::size_t>(dofs));
}

void readGoals(Reader& reader, const QJsonObject& object, SolverProblem& problem)
{
    const QJsonArray goals = object.value(QLatin1String("goals")).toArray();
    if (goals.isEmpty()) reader.fail("/goals", "must be a list with one goal at least");
    for (const QJsonValue& value : goals) {
        const std::string where = "/goals/" + std::to_string(problem.goals.size());
        const QJsonObject each = value.toObject();
        SolverProblem::Goal goal;
        goal.name = each.value(QLatin1String("name")).toString().toStdString();
        goal.joint = reader.index(each.value(QLatin1String("joint")), where + "/joint", 0,
                                  static_cast<std::int32_t>(problem.joints.size()));
        goal.offset = reader.numbers<3>(each.value(QLatin1String("offset")), where + "/offset");
        goal.hasPosition = reader.truth(each.value(QLatin1String("position")), where + "/position");
        goal.hasOrientation = reader.truth(each.value(QLatin1String("orientation")), where + "/orientation");
        if (!goal.hasPosition && !goal.hasOrientation) reader.fail(where, "asks for neither position nor orientation");
        problem.goals.push_back(goal);
    }
}

void readStart(Reader& reader, const QJsonObject& object, SolverProblem& problem)
{
    const QJsonArray start = object.value(QLatin1String("start")).toArray();
    if (static_cast<std::size_t>(start.size()) != problem.start.size()) {
        reader.fail("/start", "holds " + std::to_string(start.size()) + " numbers, the joints have " +
                                  std::to_string(problem.start.size()) + " degrees of freedom");
        return;
    }
    for (const SolverProblem::Joint& joint : problem.joints) {
        if (joint.dof < 0) continue;
        const std::string where = "/start/" + std::to_string(joint.dof);
        const double value = reader.number(start[joint.dof], where);
        if (value < joint.lower || value > joint.upper)
            reader.fail(where, "lies outside the limits of '" + joint.name + "'");
        problem.start[static_cast<std::size_t>(joint.dof)] = value;
    }
}

/// A ball chain is a promise that solvers build on: every three joints one free ball at one point.
void checkBallChain(Reader& reader, const SolverProblem& problem)
{
    std::size_t i = 0;
    const auto& joints = problem.joints;
    while (i < joints.size()) {
        if (joints[i].motion == SolverProblem::Motion::Fixed) {
            ++i;
            continue;
        }
        bool isBall = i + 2 < joints.size();
        for (std::size_t k = i; isBall && k < i + 3; ++k) {
            const SolverProblem::Joint& joint = joints[k];
            isBall = joint.motion == SolverProblem::Motion::Revolute && std::isinf(joint.lower) &&
                     std::isinf(joint.upper);
            if (k > i)
                isBall = isBall && joint.parent == static_cast<std::int32_t>(k) - 1 && joint.position.isZero(1e-12) &&
                         joint.rotation.vec().isZero(1e-12) && std::abs(joint.axis.dot(joints[k - 1].axis)) < 1e-9;
        }
        if (!isBall || std::abs(joints[i].axis.dot(joints[i + 2].axis)) > 1e-9) {
            reader.fail("/joints/" + std::to_string(i),
                        "does not begin a free ball of three crossing axes, which ball_chain promises");
            return;
        }
        i += 3;
    }
}

/// The numbers of one line of a CSV file. False when one is not a finite number.
bool splitNumbers(std::string_view line, std::vector<double>& numbers)
{
    numbers.clear();
    const char* at = line.data();
    const char* const end = line.data() + line.size();
    while (at < end) {
        double value = 0;
        const auto [next, code] = std::from_chars(at, end, value);
        if (code != std::errc() || !std::isfinite(value) || (next != end && *next != ',')) return false;
        numbers.push_back(value);
        at = next + 1;
    }
    return !numbers.empty();
}

std::string expectedHeader(std::size_t goals)
{
    std::string header = "case";
    for (std::size_t g = 0; g < goals; ++g)
        for (const char* column : {"px", "py", "pz", "qw", "qx", "qy", "qz"})
            header += ",g" + std::to_string(g) + "_" + column;
    return header;
}

std::optional<Error> readCase(std::string_view line, const std::string& where, std::vector<double>& numbers,
                              SolverProblem& problem)
{
    Reader reader;
    const std::size_t goals = problem.goals.size();
    if (!splitNumbers(line, numbers) || numbers.size() != 1 + 7 * goals)
        return Error{ErrorCode::InvalidArgument, "must hold " + std::to_string(1 + 7 * goals) + " finite numbers",
                     where};
    SolverProblem::Case wanted;
    if (numbers[0] != std::floor(numbers[0]) || numbers[0] < 0 || numbers[0] > 1e15)
        return Error{ErrorCode::InvalidArgument, "case must be a whole number", where};
    wanted.number = static_cast<std::int64_t>(numbers[0]);
    for (std::size_t g = 0; g < goals; ++g) {
        const double* n = numbers.data() + 1 + 7 * g;
        const Eigen::Vector4d wxyz(n[3], n[4], n[5], n[6]);
        wanted.targets.push_back(
            {Vector3(n[0], n[1], n[2]), reader.rotation(wxyz, where + ": g" + std::to_string(g) + "_q")});
    }
    if (reader.error) return reader.error;
    problem.cases.push_back(std::move(wanted));
    return std::nullopt;
}

Result<void> readCases(const std::string& path, SolverProblem& problem)
{
    const auto bytes = readBytes(path);
    if (!bytes) return bytes.error();
    std::string_view rest(bytes->constData(), static_cast<std::size_t>(bytes->size()));
    std::vector<double> numbers;
    for (std::size_t number = 1; !rest.empty(); ++number) {
        const std::size_t length = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, length);
        rest.remove_prefix(std::min(length + 1, rest.size()));
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        const std::string where = path + ": line " + std::to_string(number);
        if (number == 1) {
            const std::string wanted = expectedHeader(problem.goals.size());
            if (line != wanted) return Error{ErrorCode::InvalidArgument, "the header must be " + wanted, where};
        } else if (!line.empty()) {
            if (auto error = readCase(line, where, numbers, problem)) return *error;
        }
    }
    if (problem.cases.empty()) return Error{ErrorCode::InvalidArgument, "holds no cases", path};
    return {};
}

} // namespace

Result<SolverProblem> readSolverProblem(const std::string& jsonFile)
{
    const auto bytes = readBytes(jsonFile);
    if (!bytes) return bytes.error();
    QJsonParseError parse;
    const QJsonDocument document = QJsonDocument::fromJson(*bytes, &parse);
    if (!document.isObject())
        return Error{ErrorCode::InvalidArgument,
                     "is no JSON object: " + parse.errorString().toStdString() + " at byte " +
                         std::to_string(parse.offset),
                     jsonFile};
    const QJsonObject object = document.object();

    SolverProblem problem;
    Reader reader;
    problem.name = object.value(QLatin1String("name")).toString().toStdString();
    const QString kind = object.value(QLatin1String("kind")).toString(QStringLiteral("independent"));
    problem.isTrajectory = kind == QLatin1String("trajectory");
    if (!problem.isTrajectory && kind != QLatin1String("independent"))
        reader.fail("/kind", "must be independent or trajectory");
    problem.isBallChain = object.value(QLatin1String("ball_chain")).toBool(false);
    readJoints(reader, object, problem);
    readGoals(reader, object, problem);
    readStart(reader, object, problem);
    const QJsonObject tolerance = object.value(QLatin1String("tolerance")).toObject();
    problem.positionTolerance = reader.positive(tolerance.value(QLatin1String("position")), "/tolerance/position");
    problem.rotationTolerance = reader.positive(tolerance.value(QLatin1String("rotation")), "/tolerance/rotation");
    if (object.contains(QLatin1String("time_limit")))
        problem.maxSeconds = reader.positive(object.value(QLatin1String("time_limit")), "/time_limit");
    if (problem.isBallChain && !reader.error) checkBallChain(reader, problem);
    const QString cases = object.value(QLatin1String("cases")).toString();
    if (cases.isEmpty()) reader.fail("/cases", "must name the CSV file with the cases");
    if (reader.error) return reader.error->within(jsonFile);

    const auto folder = std::filesystem::path(jsonFile).parent_path();
    if (const auto read = readCases((folder / cases.toStdString()).string(), problem); !read) return read.error();
    return problem;
}

std::vector<SolverProblem::Target> SolverProblem::forwardKinematics(std::span<const double> q) const
{
    std::vector<Target> world(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const Joint& joint = joints[i];
        const Target above = joint.parent < 0 ? Target{} : world[static_cast<std::size_t>(joint.parent)];
        Target& here = world[i];
        here.position = above.position + above.rotation * joint.position;
        here.rotation = above.rotation * joint.rotation;
        if (joint.dof < 0) continue;
        const double value = q[static_cast<std::size_t>(joint.dof)];
        if (joint.motion == Motion::Revolute)
            here.rotation = here.rotation * Eigen::AngleAxisd(value, joint.axis);
        else
            here.position += here.rotation * (joint.axis * value);
    }
    return world;
}

SolverProblem::Judgement SolverProblem::judge(std::span<const double> q, const Case& wanted) const
{
    Judgement judgement;
    const std::vector<Target> world = forwardKinematics(q);
    for (std::size_t g = 0; g < goals.size(); ++g) {
        const Target& here = world[static_cast<std::size_t>(goals[g].joint)];
        const Target& target = wanted.targets[g];
        const Vector3 effector = here.position + here.rotation * goals[g].offset;
        const Quaternion off = here.rotation.conjugate() * target.rotation;
        const double angle = 2 * std::atan2(off.vec().norm(), std::abs(off.w()));
        if (goals[g].hasPosition)
            judgement.positionError = std::max(judgement.positionError, (effector - target.position).norm());
        if (goals[g].hasOrientation) judgement.rotationError = std::max(judgement.rotationError, angle);
    }
    for (const Joint& joint : joints) {
        if (joint.dof < 0) continue;
        const double value = q[static_cast<std::size_t>(joint.dof)];
        judgement.limitExcess = std::max({judgement.limitExcess, joint.lower - value, value - joint.upper});
    }
    return judgement;
}

bool SolverProblem::isSolved(const Judgement& judgement) const
{
    const double slack = std::sqrt(3.0);
    return judgement.positionError <= slack * positionTolerance &&
           judgement.rotationError <= slack * rotationTolerance && judgement.limitExcess <= 1e-6;
}

SolverProblemModel::SolverProblemModel(const SolverProblem& problem, bool withBalls) : m_problem(problem)
{
    const bool useBalls = withBalls && problem.isBallChain;
    for (std::size_t i = 0; i < problem.joints.size();) {
        const SolverProblem::Joint& joint = problem.joints[i];
        const std::int32_t parentBody = joint.parent < 0 ? -1 : m_bodyOf[static_cast<std::size_t>(joint.parent)];
        const bool isBall = useBalls && joint.dof >= 0;
        if (isBall) {
            m_ballAt.push_back(static_cast<std::int32_t>(i));
            addBall(joint, parentBody);
        } else {
            addJoint(joint, parentBody);
        }
        const std::size_t count = isBall ? 3 : 1;
        m_bodyOf.insert(m_bodyOf.end(), count, static_cast<std::int32_t>(m_arrays.parent.size()) - 1);
        i += count;
    }
}

void SolverProblemModel::addBase(const SolverProblem::Joint& joint)
{
    const Quaternion& r = joint.rotation;
    m_base.insert(m_base.end(),
                  {joint.position.x(), joint.position.y(), joint.position.z(), r.x(), r.y(), r.z(), r.w(), 1.0});
}

void SolverProblemModel::addJoint(const SolverProblem::Joint& joint, std::int32_t parentBody)
{
    addBase(joint);
    if (joint.motion == SolverProblem::Motion::Fixed) {
        m_arrays.addBody(parentBody, sdk::JointKind::Fixed);
        return;
    }
    // The file slides along an axis of the joint's own frame, the SDK along one of its parent's.
    const bool slides = joint.motion == SolverProblem::Motion::Prismatic;
    const Vector3 axis = slides ? Vector3(joint.rotation * joint.axis) : joint.axis;
    const ModelDof dof{.kind = slides ? sdk::DofKind::Sliding : sdk::DofKind::Turning,
                       .axis = {axis.x(), axis.y(), axis.z()},
                       .lower = joint.lower,
                       .upper = joint.upper};
    m_arrays.addBody(parentBody, slides ? sdk::JointKind::Prismatic : sdk::JointKind::Revolute, {&dof, 1});
}

void SolverProblemModel::addBall(const SolverProblem::Joint& first, std::int32_t parentBody)
{
    addBase(first);
    m_arrays.addBody(parentBody, sdk::JointKind::Ball);
}

std::vector<sdk::Goal> SolverProblemModel::goals(const SolverProblem::Case& wanted) const
{
    std::vector<sdk::Goal> goals;
    for (std::size_t g = 0; g < m_problem.goals.size(); ++g) {
        const SolverProblem::Goal& asked = m_problem.goals[g];
        const SolverProblem::Target& target = wanted.targets[g];
        sdk::Goal goal;
        goal.kind = !asked.hasOrientation ? sdk::GoalKind::Position
                    : asked.hasPosition   ? sdk::GoalKind::Pose
                                          : sdk::GoalKind::Orientation;
        goal.body = m_bodyOf[static_cast<std::size_t>(asked.joint)];
        Eigen::Map<Vector3>(goal.offset) = asked.offset;
        Eigen::Map<Vector3>(goal.targetPosition) = target.position;
        Eigen::Map<Eigen::Vector4d>(goal.targetRotation) = target.rotation.coeffs();
        goal.positionTolerance = m_problem.positionTolerance;
        goal.rotationTolerance = m_problem.rotationTolerance;
        goals.push_back(goal);
    }
    return goals;
}

std::vector<double> SolverProblemModel::toSolver(std::span<const double> fileConfiguration) const
{
    if (m_ballAt.empty()) return {fileConfiguration.begin(), fileConfiguration.end()};
    std::vector<double> q;
    for (const std::int32_t at : m_ballAt) {
        const SolverProblem::Joint* joint = &m_problem.joints[static_cast<std::size_t>(at)];
        Quaternion motion = Quaternion::Identity();
        for (std::size_t k = 0; k < 3; ++k)
            motion = motion *
                     Eigen::AngleAxisd(fileConfiguration[static_cast<std::size_t>(joint[k].dof)], joint[k].axis);
        q.insert(q.end(), {motion.x(), motion.y(), motion.z(), motion.w()});
    }
    return q;
}

std::vector<double> SolverProblemModel::toFile(std::span<const double> solverConfiguration) const
{
    if (m_ballAt.empty()) return {solverConfiguration.begin(), solverConfiguration.end()};
    std::vector<double> q;
    for (std::size_t b = 0; b < m_ballAt.size(); ++b) {
        const SolverProblem::Joint* joint = &m_problem.joints[static_cast<std::size_t>(m_ballAt[b])];
        const double* c = solverConfiguration.data() + 4 * b;
        // In the basis of its three axes the motion is Rx Ry Rz; a left-handed basis turns every angle's sign.
        Eigen::Matrix3d basis;
        basis << joint[0].axis, joint[1].axis, joint[2].axis;
        const double sign = basis.determinant() < 0 ? -1 : 1;
        const Eigen::Matrix3d r = basis.transpose() * Quaternion(c[3], c[0], c[1], c[2]).normalized() * basis;
        const double cosine = std::hypot(r(0, 0), r(0, 1));
        q.push_back(sign * std::atan2(-r(1, 2), r(2, 2)));
        q.push_back(sign * std::atan2(r(0, 2), cosine));
        q.push_back(sign * std::atan2(-r(0, 1), r(0, 0)));
    }
    return q;
}

std::string solverProblemResult(std::size_t dofCount, std::span<const SolverProblemAnswer> answers)
{
    std::string bytes = "case,time_us,iters";
    for (std::size_t i = 0; i < dofCount; ++i) bytes += ",q" + std::to_string(i);
    bytes += '\n';
    char buffer[40];
    const auto append = [&bytes, &buffer](auto value, auto... format) {
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, format...).ptr;
        bytes.append(buffer, end);
    };
    for (const SolverProblemAnswer& answer : answers) {
        append(answer.number);
        bytes += ',';
        append(answer.microseconds, std::chars_format::fixed, 3);
        bytes += ',';
        append(answer.iterations);
        for (const double value : answer.q) {
            bytes += ',';
            append(value);
        }
        bytes += '\n';
    }
    return bytes;
}

} // namespace tendon

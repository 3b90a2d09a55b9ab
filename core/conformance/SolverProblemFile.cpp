#include "core/conformance/SolverProblemFile.h"

#include "core/json/JsonParse.h"
#include "core/json/JsonReader.h"

#include "core/math/Convert.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>

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
    const QFileInfo info(file);
    if (info.exists() && !info.isFile()) return Error{ErrorCode::Io, "is not a file", path};
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Io, "cannot be read: " + file.errorString().toStdString(), path};
    if (file.size() > kMaxFileBytes) return Error{ErrorCode::LimitExceeded, "is larger than 1 GiB", path};
    return file.readAll();
}

template <int N>
Eigen::Matrix<double, N, 1> vector(JsonReader& json, const char* name)
{
    const std::vector<double> numbers = json.numbers(name, N);
    if (numbers.size() != N) return Eigen::Matrix<double, N, 1>::Zero();
    return Eigen::Map<const Eigen::Matrix<double, N, 1>>(numbers.data());
}

double positive(JsonReader& json, const char* name)
{
    const double number = json.requiredNumber(name);
    if (!(number > 0)) json.fail(name, "must be above 0");
    return number;
}

/// Unit, from w, x, y, z; empty if that has another length.
std::optional<Quaternion> rotation(const Eigen::Vector4d& wxyz)
{
    if (!(std::abs(wxyz.norm() - 1) < kUnitSlack)) return std::nullopt;
    return Quaternion(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).normalized();
}

constexpr const char* kNoRotation = "must be a unit quaternion w, x, y, z";

/// A limit; null stands for none, as no member does.
double limit(JsonReader& json, const char* name, double none)
{
    return json.value(name).isNull() ? none : json.number(name, none);
}

SolverProblem::Joint readJoint(JsonReader json, std::int32_t index)
{
    SolverProblem::Joint joint;
    joint.name = json.requiredText("name");
    joint.bone = json.text("bone");
    joint.parent = static_cast<std::int32_t>(json.requiredInteger("parent", -1, index - 1));
    joint.position = vector<3>(json, "pos");
    const auto turned = rotation(vector<4>(json, "quat"));
    if (!turned) json.fail("quat", kNoRotation);
    joint.rotation = turned.value_or(Quaternion::Identity());

    constexpr std::string_view kMotions[] = {"fixed", "revolute", "prismatic"};
    static_cast<void>(json.requiredText("type"));
    joint.motion = static_cast<SolverProblem::Motion>(json.oneOf("type", kMotions, 0));
    if (joint.motion == SolverProblem::Motion::Fixed) return joint;

    joint.axis = vector<3>(json, "axis");
    if (!(std::abs(joint.axis.norm() - 1) < kUnitSlack))
        json.fail("axis", "must have length 1");
    else
        joint.axis.normalize();
    joint.lower = limit(json, "lower", joint.lower);
    joint.upper = limit(json, "upper", joint.upper);
    if (joint.lower > joint.upper) json.fail("upper", "is below lower");
    joint.velocity = limit(json, "velocity", joint.velocity);
    joint.acceleration = limit(json, "acceleration", joint.acceleration);
    if (!(joint.velocity > 0)) json.fail("velocity", "must be greater than 0, or null for none");
    if (!(joint.acceleration > 0)) json.fail("acceleration", "must be greater than 0, or null for none");
    return joint;
}

void readJoints(JsonReader& json, SolverProblem& problem)
{
    const QJsonArray joints = json.array("joints");
    if (joints.isEmpty()) json.fail("joints", "must be an array with at least one joint");
    std::int32_t dofs = 0;
    for (const QJsonValue& value : joints) {
        const auto index = static_cast<std::int32_t>(problem.joints.size());
        problem.joints.push_back(
            readJoint({value, json.pointer("joints") + "/" + std::to_string(index), json.error()}, index));
        if (problem.joints.back().motion != SolverProblem::Motion::Fixed) problem.joints.back().dof = dofs++;
    }
    problem.start.resize(static_cast<std::size_t>(dofs));
}

void readGoals(JsonReader& json, SolverProblem& problem)
{
    const QJsonArray goals = json.array("goals");
    if (goals.isEmpty()) json.fail("goals", "must be an array with at least one goal");
    for (const QJsonValue& value : goals) {
        const std::string where = json.pointer("goals") + "/" + std::to_string(problem.goals.size());
        JsonReader each(value, where, json.error());
        SolverProblem::Goal goal;
        goal.name = each.text("name");
        goal.joint = static_cast<std::int32_t>(
            each.requiredInteger("joint", 0, static_cast<std::int64_t>(problem.joints.size()) - 1));
        goal.offset = vector<3>(each, "offset");
        goal.hasPosition = each.requiredBoolean("position");
        goal.hasOrientation = each.requiredBoolean("orientation");
        if (!goal.hasPosition && !goal.hasOrientation)
            json.error().set(where, "asks for neither position nor orientation");
        problem.goals.push_back(goal);
    }
}

void readStart(JsonReader& json, SolverProblem& problem)
{
    problem.start = json.numbers("start", problem.start.size());
    if (json.error().first) return;
    for (const SolverProblem::Joint& joint : problem.joints) {
        if (joint.dof < 0) continue;
        const double value = problem.start[static_cast<std::size_t>(joint.dof)];
        if (value < joint.lower || value > joint.upper)
            json.error().set(json.pointer("start") + "/" + std::to_string(joint.dof),
                             "lies outside the limits of '" + joint.name + "'");
    }
}

/// A ball chain is a promise that solvers build on: every three joints one free ball at one point.
void checkBallChain(JsonReader& json, const SolverProblem& problem)
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
            json.error().set(json.pointer("joints") + "/" + std::to_string(i),
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
        const auto turned = rotation(wxyz);
        if (!turned) return Error{ErrorCode::InvalidArgument, kNoRotation, where + ": g" + std::to_string(g) + "_q"};
        wanted.targets.push_back({Vector3(n[0], n[1], n[2]), *turned});
    }
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
    const auto object = parseJsonObject({bytes->constData(), static_cast<std::size_t>(bytes->size())},
                                        "a solver problem");
    if (!object) return object.error().within(jsonFile);
    SolverProblem problem;
    JsonError error;
    JsonReader json(*object, "", error);
    problem.name = json.text("name");
    constexpr std::string_view kKinds[] = {"independent", "trajectory"};
    problem.isTrajectory = json.oneOf("kind", kKinds, 0) == 1;
    problem.isBallChain = json.boolean("ball_chain", false);
    readJoints(json, problem);
    readGoals(json, problem);
    readStart(json, problem);
    JsonReader tolerance = json.object("tolerance");
    problem.positionTolerance = positive(tolerance, "position");
    problem.rotationTolerance = positive(tolerance, "rotation");
    if (json.has("time_limit")) problem.maxSeconds = positive(json, "time_limit");
    if (json.has("fps")) problem.framesPerSecond = positive(json, "fps");
    if (problem.isBallChain && !error.first) checkBallChain(json, problem);
    const std::string cases = json.requiredText("cases");
    if (error.first) return error.first->within(jsonFile);

    // A problem may be a stranger's: it names a file beside itself and no other.
    if (const std::filesystem::path name(cases); name != name.filename() || name == "." || name == "..")
        return Error{ErrorCode::InvalidArgument,
                     "must be the name of a file in the problem's folder, not \"" + cases + "\"",
                     jsonFile + ": /cases"};
    problem.file = jsonFile;
    problem.casesFile = (std::filesystem::path(jsonFile).parent_path() / cases).string();
    if (const auto read = readCases(problem.casesFile, problem); !read) return read.error();
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
    if (!std::all_of(q.begin(), q.end(), [](double value) { return std::isfinite(value); })) {
        judgement.positionError = judgement.rotationError = judgement.limitExcess =
            std::numeric_limits<double>::infinity();
        return judgement;
    }
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
        const Eigen::Matrix3d r = basis.transpose() * toQuaternion(c).normalized() * basis;
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

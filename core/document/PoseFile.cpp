#include "core/document/PoseFile.h"

#include "core/io/base/Files.h"
#include "core/json/JsonReader.h"
#include "core/math/Convert.h"
#include "core/roles/Roles.h"
#include "core/scene/Check.h"
#include "core/scene/RestPose.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace tendon {
namespace {

constexpr int kPoseFileVersion = 1;

QJsonArray numbersOf(const Vector3& v) { return {v.x(), v.y(), v.z()}; }
QJsonArray numbersOf(const Quaternion& q) { return {q.x(), q.y(), q.z(), q.w()}; }

QJsonObject transformJson(const LocalTransform& local)
{
    return {{QStringLiteral("translation"), numbersOf(local.translation)},
            {QStringLiteral("rotation"), numbersOf(local.rotation)},
            {QStringLiteral("scale"), numbersOf(local.scale)}};
}

Quaternion rotationIn(JsonReader& json, const char* name)
{
    const Quaternion q = toQuaternion(json.fixedNumbers<4>(name, {0, 0, 0, 1}));
    if (!(q.norm() > 1e-6)) json.fail(name, "is no rotation");
    return q.norm() > 1e-6 ? q.normalized() : Quaternion::Identity();
}

LocalTransform transformIn(JsonReader json)
{
    return {toVector(json.fixedNumbers<3>("translation", {0, 0, 0})), rotationIn(json, "rotation"),
            toVector(json.fixedNumbers<3>("scale", {1, 1, 1}))};
}

bool isNear(const LocalTransform& a, const LocalTransform& b)
{
    return (a.translation - b.translation).norm() < 1e-6 && a.rotation.angularDistance(b.rotation) < 1e-6 &&
           (a.scale - b.scale).norm() < 1e-6;
}

/// The role at the end of the bone of a joint of a limb, "leftLowerArm" for "leftUpperArm"; empty = it is of no limb,
/// or the last one.
std::string roleBelow(const std::string& role)
{
    static constexpr std::pair<std::string_view, std::string_view> kBones[] = {
        {"UpperArm", "LowerArm"},         {"LowerArm", "Hand"},         {"Hand", "MiddleProximal"},
        {"UpperLeg", "LowerLeg"},         {"LowerLeg", "Foot"},         {"ThumbMetacarpal", "ThumbProximal"},
        {"ThumbProximal", "ThumbDistal"}, {"Proximal", "Intermediate"}, {"Intermediate", "Distal"}};
    if (sideOfRole(role) == Side::Centre) return {};
    for (const auto& [from, to] : kBones)
        if (role.ends_with(from)) return role.substr(0, role.size() - from.size()) + std::string(to);
    return {};
}

/// Unit, along the bone of a joint of a limb at rest, in the world; 0 where it is of none.
Vector3 boneAtRest(const Scene& scene, const RoleMap& roles, const std::string& role)
{
    const JointId from = jointOf(roles, role), to = jointOf(roles, roleBelow(role));
    if (scene.find(from) == nullptr || scene.find(to) == nullptr) return Vector3::Zero();
    const Vector3 way = worldInRestPose(scene, to).translation() - worldInRestPose(scene, from).translation();
    return way.norm() > 1e-9 ? Vector3(way.normalized()) : Vector3(Vector3::Zero());
}

/// By how much joints have to turn in the world, from rest, to rest as those of a stored pose do: the bones of limbs
/// point the same way, after what is above them. Feet keep their own rest, as flat as it is.
class RestTurns
{
public:
    RestTurns(const Scene& scene, const RoleMap& roles) : m_scene(scene), m_roles(roles) {}

    void add(JointId joint, const Vector3& storedBone) { m_stored[joint] = storedBone; }

    [[nodiscard]] Quaternion of(JointId id)
    {
        const Joint* joint = m_scene.find(id);
        if (joint == nullptr) return Quaternion::Identity();
        if (const auto known = m_turns.find(id); known != m_turns.end()) return known->second;
        Quaternion turn = of(joint->parent);
        const std::string role(roleOf(m_roles, id));
        if (const auto stored = m_stored.find(id); stored != m_stored.end() && !stored->second.isZero()) {
            const Vector3 own = boneAtRest(m_scene, m_roles, role);
            if (!own.isZero()) turn = (Quaternion::FromTwoVectors(turn * own, stored->second) * turn).normalized();
        } else if (role.ends_with("Foot") || role.ends_with("Toes")) {
            turn = Quaternion::Identity();
        }
        return m_turns[id] = turn;
    }

private:
    const Scene& m_scene;
    const RoleMap& m_roles;
    std::map<JointId, Vector3> m_stored;
    std::map<JointId, Quaternion> m_turns;
};

/// The file knows the joints of the handle's chain, at the same rest pose: its goal is one of the same rig.
bool isSameChain(const Scene& scene, const Handle& handle, const StoredPose& stored)
{
    const std::vector<JointId> joints = chain(scene, handle.start, handle.end);
    return std::all_of(joints.begin(), joints.end(), [&](JointId id) {
        const Joint& joint = *scene.find(id);
        return std::any_of(stored.joints.begin(), stored.joints.end(), [&](const StoredPose::Joint& entry) {
            return entry.name == joint.name && isNear(restPose(joint).local, entry.rest);
        });
    });
}

} // namespace

StoredPose storedPose(const Scene& scene, const CopiedPose& pose, std::string name)
{
    StoredPose stored;
    stored.name = std::move(name);
    const RoleMap roles = guessRoles(scene).map();
    for (const Joint& joint : *scene.joints) {
        const auto found = pose.joints.find(joint.id);
        if (found == pose.joints.end()) continue;
        StoredPose::Joint& entry = stored.joints.emplace_back();
        entry.name = joint.name;
        entry.role = roleOf(roles, joint.id);
        entry.rest = restPose(joint).local;
        entry.pose = found->second;
        const Quaternion world = rotationOf(worldInRestPose(scene, joint.id));
        const Quaternion parent = rotationOf(worldInRestPose(scene, joint.parent));
        entry.turn = (world * entry.rest.rotation.conjugate() * entry.pose.rotation * world.conjugate()).normalized();
        entry.move = parent * Vector3(entry.pose.translation - entry.rest.translation);
        entry.bone = boneAtRest(scene, roles, entry.role);
    }
    for (const Handle& handle : *scene.handles) {
        const auto goal = pose.goals.find(handle.id);
        const auto curve = pose.curves.find(handle.id);
        if (goal == pose.goals.end() && curve == pose.curves.end()) continue;
        StoredPose::Goal& entry = stored.goals.emplace_back();
        entry.handle = handle.name;
        if (goal != pose.goals.end()) entry.goal = goal->second;
        if (curve != pose.curves.end()) entry.curve = curve->second;
    }
    if (const Joint* root = scene.find(pose.root)) {
        stored.root = root->name;
        stored.rootPlace = pose.worldFromRoot.translation;
        stored.rootTurn = pose.worldFromRoot.rotation * rotationOf(worldInRestPose(scene, root->id)).conjugate();
    }
    return stored;
}

CopiedPose poseFor(const Scene& scene, const StoredPose& stored, std::vector<std::string>& missing)
{
    CopiedPose pose;
    const RoleMap roles = guessRoles(scene).map();
    const auto jointFor = [&](const std::string& name, const std::string& role) -> const Joint* {
        if (const auto byName = scene.jointNamed(name)) return scene.find(*byName);
        return role.empty() ? nullptr : scene.find(jointOf(roles, role));
    };
    std::string rootRole;
    RestTurns turns(scene, roles);
    for (const StoredPose::Joint& entry : stored.joints)
        if (const Joint* joint = jointFor(entry.name, entry.role)) turns.add(joint->id, entry.bone);
    const auto isNone = [](const Quaternion& turn) { return turn.angularDistance(Quaternion::Identity()) < 1e-6; };
    for (const StoredPose::Joint& entry : stored.joints) {
        if (entry.name == stored.root) rootRole = entry.role;
        const Joint* joint = jointFor(entry.name, entry.role);
        if (joint == nullptr || pose.joints.count(joint->id) != 0) {
            missing.push_back(entry.name);
            continue;
        }
        const LocalTransform rest = restPose(*joint).local;
        LocalTransform local = entry.pose;
        const Quaternion above = turns.of(joint->parent), own = turns.of(joint->id);
        if (!isNear(rest, entry.rest) || !isNone(above) || !isNone(own)) {
            const Quaternion world = own * rotationOf(worldInRestPose(scene, joint->id));
            const Quaternion parent = above * rotationOf(worldInRestPose(scene, joint->parent));
            local.rotation = (parent.conjugate() * entry.turn * world).normalized();
            local.translation = rest.translation + parent.conjugate() * entry.move;
            local.scale = rest.scale;
        }
        pose.joints[joint->id] = local;
    }
    for (const StoredPose::Goal& entry : stored.goals) {
        const Handle* handle = scene.handleNamed(entry.handle);
        if (handle == nullptr || !isSameChain(scene, *handle, stored)) continue;
        if (handle->hasCurve())
            pose.curves[handle->id] = entry.curve;
        else
            pose.goals[handle->id] = entry.goal;
    }
    if (const Joint* root = stored.root.empty() ? nullptr : jointFor(stored.root, rootRole)) {
        pose.root = root->id;
        pose.worldFromRoot.translation = stored.rootPlace;
        pose.worldFromRoot.rotation = (stored.rootTurn * rotationOf(worldInRestPose(scene, root->id))).normalized();
    }
    return pose;
}

std::string poseFileBytes(const StoredPose& pose)
{
    QJsonArray joints, goals;
    for (const StoredPose::Joint& joint : pose.joints) {
        QJsonObject entry{{QStringLiteral("name"), QString::fromStdString(joint.name)},
                          {QStringLiteral("rest"), transformJson(joint.rest)},
                          {QStringLiteral("pose"), transformJson(joint.pose)},
                          {QStringLiteral("turn"), numbersOf(joint.turn)},
                          {QStringLiteral("move"), numbersOf(joint.move)}};
        if (!joint.role.empty()) entry[QStringLiteral("role")] = QString::fromStdString(joint.role);
        if (!joint.bone.isZero()) entry[QStringLiteral("bone")] = numbersOf(joint.bone);
        joints.append(entry);
    }
    for (const StoredPose::Goal& goal : pose.goals) {
        QJsonObject entry{{QStringLiteral("handle"), QString::fromStdString(goal.handle)}};
        if (goal.curve.empty()) {
            entry[QStringLiteral("position")] = numbersOf(goal.goal.position);
            entry[QStringLiteral("rotation")] = numbersOf(goal.goal.rotation);
        } else {
            QJsonArray points;
            for (const Vector3& point : goal.curve) points.append(numbersOf(point));
            entry[QStringLiteral("curve")] = points;
        }
        goals.append(entry);
    }
    QJsonObject json{{QStringLiteral("tendonPose"), kPoseFileVersion},
                     {QStringLiteral("name"), QString::fromStdString(pose.name)},
                     {QStringLiteral("joints"), joints},
                     {QStringLiteral("goals"), goals}};
    if (!pose.root.empty()) {
        json[QStringLiteral("root")] = QString::fromStdString(pose.root);
        json[QStringLiteral("rootPlace")] = numbersOf(pose.rootPlace);
        json[QStringLiteral("rootTurn")] = numbersOf(pose.rootTurn);
    }
    if (!pose.thumbnail.empty())
        json[QStringLiteral("thumbnail")] = QString::fromLatin1(
            QByteArray(reinterpret_cast<const char*>(pose.thumbnail.data()),
                       static_cast<qsizetype>(pose.thumbnail.size()))
                .toBase64());
    return QJsonDocument(json).toJson().toStdString();
}

Result<StoredPose> readPoseFile(const std::string& path)
{
    const auto bytes = readFile(path);
    if (!bytes) return bytes.error();
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(*bytes), &problem);
    if (problem.error != QJsonParseError::NoError || !document.isObject())
        return Error{ErrorCode::InvalidArgument, "is not a pose file: " + problem.errorString().toStdString(), path};
    JsonError error;
    JsonReader json(document.object(), "", error);
    const std::int64_t version = json.requiredInteger("tendonPose", 1, 1'000'000);
    if (!error.first && version > kPoseFileVersion)
        return Error{ErrorCode::Unsupported, "was written by a newer version of Tendon", path};
    StoredPose pose;
    pose.name = json.text("name");
    int index = 0;
    for (const QJsonValue& value : json.array("joints")) {
        JsonReader entry(value, "/joints/" + std::to_string(index++), error);
        StoredPose::Joint& joint = pose.joints.emplace_back();
        joint.name = entry.requiredText("name");
        joint.role = entry.text("role");
        joint.rest = transformIn(entry.object("rest"));
        joint.pose = transformIn(entry.object("pose"));
        joint.turn = rotationIn(entry, "turn");
        joint.move = toVector(entry.fixedNumbers<3>("move", {0, 0, 0}));
        joint.bone = toVector(entry.fixedNumbers<3>("bone", {0, 0, 0}));
    }
    index = 0;
    for (const QJsonValue& value : json.array("goals")) {
        JsonReader entry(value, "/goals/" + std::to_string(index++), error);
        StoredPose::Goal& goal = pose.goals.emplace_back();
        goal.handle = entry.requiredText("handle");
        goal.goal.position = toVector(entry.fixedNumbers<3>("position", {0, 0, 0}));
        goal.goal.rotation = rotationIn(entry, "rotation");
        if (entry.has("curve"))
            for (const QJsonValue& point : entry.array("curve")) {
                const QJsonArray numbers = point.toArray();
                goal.curve.emplace_back(numbers.at(0).toDouble(), numbers.at(1).toDouble(), numbers.at(2).toDouble());
            }
    }
    pose.root = json.text("root");
    pose.rootPlace = toVector(json.fixedNumbers<3>("rootPlace", {0, 0, 0}));
    pose.rootTurn = rotationIn(json, "rootTurn");
    const QByteArray picture = QByteArray::fromBase64(QByteArray::fromStdString(json.text("thumbnail")));
    pose.thumbnail.assign(picture.begin(), picture.end());
    if (error.first) return error.first->within(path);
    return pose;
}

} // namespace tendon

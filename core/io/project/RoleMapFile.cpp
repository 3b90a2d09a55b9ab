#include "core/io/project/RoleMapFile.h"

#include "core/io/base/FileStage.h"
#include "core/io/base/Files.h"
#include "core/json/JsonParse.h"
#include "core/json/JsonReader.h"
#include "core/json/JsonText.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tendon {
namespace {

constexpr const char* kMapSchema = "tendon.map";
constexpr int kMapVersion = 1;
constexpr std::array<std::string_view, 3> kAligns = {"directions", "frame", "rest"};

QJsonArray asArray(const std::vector<std::string>& names)
{
    QJsonArray array;
    for (const std::string& name : names) array.append(QString::fromStdString(name));
    return array;
}

std::string withoutNamespace(const std::string& name)
{
    const auto colon = name.find_last_of(':');
    return colon == std::string::npos ? name : name.substr(colon + 1);
}

/// Joints by name, and those whose name without its namespace is theirs alone.
std::unordered_map<std::string, JointId> jointsByName(const Scene& scene)
{
    std::unordered_map<std::string, JointId> byName, byPlainName;
    std::unordered_map<std::string, int> uses;
    for (const Joint& joint : *scene.joints) {
        byName.emplace(joint.name, joint.id);
        byPlainName.emplace(withoutNamespace(joint.name), joint.id);
        ++uses[withoutNamespace(joint.name)];
    }
    for (const auto& [name, id] : byPlainName)
        if (uses[name] == 1) byName.emplace(name, id);
    return byName;
}

/// The joint above all others; null where there are several.
const Joint* onlyRoot(const Scene& scene)
{
    const Joint* root = nullptr;
    for (const Joint& joint : *scene.joints) {
        if (joint.parent.isValid()) continue;
        if (root != nullptr) return nullptr;
        root = &joint;
    }
    return root;
}

} // namespace

RoleMapFile roleMapFile(const Scene& scene, const RoleMap& roles)
{
    RoleMapFile file;
    for (const Joint& joint : *scene.joints) file.joints.push_back(joint.name);
    std::sort(file.joints.begin(), file.joints.end());
    if (const Joint* root = onlyRoot(scene)) file.root = root->name;
    for (const auto& [role, joints] : roles) {
        std::vector<std::string>& names = file.roles[role];
        for (const JointId id : joints)
            if (const Joint* joint = scene.find(id)) names.push_back(joint->name);
    }
    return file;
}

RoleMapFit fitRoleMap(const RoleMapFile& map, const Scene& scene)
{
    RoleMapFit fit;
    const auto byName = jointsByName(scene);
    std::vector<std::string> known;
    for (const std::string& name : map.joints) known.push_back(withoutNamespace(name));
    std::sort(known.begin(), known.end());
    const auto isKnown = [&](const std::string& name) {
        return std::binary_search(known.begin(), known.end(), withoutNamespace(name));
    };
    const Joint* root = map.root.empty() || byName.contains(map.root) ? nullptr : onlyRoot(scene);
    const bool isOfOther = std::none_of(scene.joints->begin(), scene.joints->end(),
                                        [&](const Joint& joint) { return isKnown(joint.name); });
    if (root != nullptr && (isOfOther || isKnown(root->name))) root = nullptr; // or it is another of the map's joints
    const auto find = [&](const std::string& name) {
        if (root != nullptr && name == map.root) return root->id;
        auto found = byName.find(name);
        if (found == byName.end()) found = byName.find(withoutNamespace(name));
        return found == byName.end() ? JointId() : found->second;
    };
    for (const auto& [role, names] : map.roles) {
        std::vector<JointId> joints;
        for (const std::string& name : names)
            if (const JointId id = find(name); id.isValid()) joints.push_back(id);
        if (names.empty() || !joints.empty())
            fit.roles.emplace(role, std::move(joints));
        else
            fit.missing.push_back(role);
    }
    fit.joints = scene.joints->size();
    for (const Joint& joint : *scene.joints) fit.knownJoints += &joint == root || isKnown(joint.name) ? 1 : 0;
    return fit;
}

Result<RoleMapFile> readRoleMap(const std::string& path)
{
    const auto bytes = readFile(path);
    if (!bytes) return bytes.error();
    const auto json = parseJsonObject(*bytes, "a map of roles");
    if (!json) return json.error().within(path);
    JsonError error;
    JsonReader reader(*json, "", error);
    if (reader.text("schema") != kMapSchema)
        return Error{ErrorCode::InvalidArgument, "is not a map of roles (.tendonmap)", path};
    if (const auto version = reader.requiredInteger("version", 1, 1'000'000); version > kMapVersion)
        return Error{ErrorCode::Unsupported, "is of version " + std::to_string(version) + ", written by a newer Tendon",
                     path};
    RoleMapFile map;
    map.joints = reader.has("joints") ? reader.texts("joints") : std::vector<std::string>();
    map.root = reader.text("root");
    JsonReader roles = reader.object("roles");
    for (const QString& role : reader.value("roles").toObject().keys())
        map.roles[role.toStdString()] = roles.texts(role.toStdString());
    map.align = kAligns[reader.oneOf("align", kAligns, 0)];
    map.frame = reader.number("frame", 1);
    map.armSpread = reader.number("armSpread", 0);
    if (error.first) return error.first->within(path);
    return map;
}

Result<void> writeRoleMap(const RoleMapFile& map, const std::string& path, FileStage& stage)
{
    if (!std::isfinite(map.frame) || !std::isfinite(map.armSpread))
        return Error{ErrorCode::InvalidArgument, "a number of the map is not finite", path};
    QJsonObject roles;
    for (const auto& [role, names] : map.roles) roles.insert(QString::fromStdString(role), asArray(names));
    QJsonObject json{
        {"schema", kMapSchema}, {"version", kMapVersion}, {"roles", roles}, {"joints", asArray(map.joints)}};
    if (!map.root.empty()) json.insert("root", QString::fromStdString(map.root));
    if (map.align != kAligns[0]) json.insert("align", QString::fromStdString(map.align));
    if (map.align == "frame") json.insert("frame", map.frame);
    if (map.armSpread != 0) json.insert("armSpread", map.armSpread);
    return stage.write(path, [&](const std::string& staged) { return writeFile(staged, jsonText(json)); });
}

std::vector<std::string> fittingRoleMaps(const std::string& folder, const Scene& scene)
{
    std::vector<std::string> fitting;
    const QDir maps(QString::fromStdString(folder));
    for (const QString& name : maps.entryList({"*.tendonmap"}, QDir::Files, QDir::Name)) {
        const std::string path = maps.filePath(name).toStdString();
        const auto map = readRoleMap(path);
        if (!map) continue;
        const RoleMapFit fit = fitRoleMap(*map, scene);
        if (fit.isWhole() && fit.joints > 0 && fit.knownJoints == fit.joints) fitting.push_back(path);
    }
    return fitting;
}

bool isRoleMapName(const std::string& path)
{
    return QFileInfo(QString::fromStdString(path))
               .suffix()
               .compare(QLatin1StringView("tendonmap"), Qt::CaseInsensitive) == 0;
}

} // namespace tendon

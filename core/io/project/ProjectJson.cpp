#include "core/io/project/ProjectJson.h"

#include "core/io/project/ProjectModel.h"
#include "core/io/project/Schema.h"
#include "core/math/Convert.h"
#include "core/scene/Check.h"
#include "core/scene/FollowSpace.h"

#include <QJsonDocument>

#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#ifndef TENDON_VERSION
#error "TENDON_VERSION is defined by core/io/project/CMakeLists.txt"
#endif

namespace tendon::project {
namespace {

const std::array<std::string_view, 2> kLayerWords = {layerName(Layer::Keys), layerName(Layer::Corrections)};
constexpr std::int32_t kFarthestFrame = 100'000'000;

template <typename Objects, typename ToJson>
QJsonArray arrayOf(const Objects& objects, const std::string& pointer, ToJson toJson)
{
    QJsonArray array;
    for (const auto& object : objects) array.append(toJson(object, pointer + "/" + std::to_string(array.size())));
    return array;
}

QJsonArray staticsToJson(const Scene& scene, WriteState& state)
{
    StaticValues written;
    const StaticValues& statics = *scene.statics;
    for (const auto& entry : statics) // without those that are written with their handle or clip
        if (!isCurvePoint(entry.first.property) && scene.find(ClipId{entry.first.target}) == nullptr)
            written.emplace(entry.first, entry.second);
    return arrayOf(written, "/statics", [&](const auto& entry, const std::string& pointer) {
        const auto& [channel, value] = entry;
        ObjectWriter json(pointer, "statics/" + channelPlace(channel), state);
        putChannel(json, channel);
        json.numbers("value", std::span(value.data(), static_cast<std::size_t>(componentCount(channel.property))));
        return json.take();
    });
}

void staticsFromJson(ObjectReader& project, StaticValues& statics)
{
    std::size_t index = 0;
    for (const QJsonValue& entry : project.array("statics")) {
        const std::string pointer = project.pointer("statics") + "/" + std::to_string(index++);
        ObjectReader json(entry, pointer, pointer, project.state());
        const ChannelId channel = readChannel(json);
        json.setPlace("statics/" + channelPlace(channel));
        const auto numbers = json.numbers("value", static_cast<std::size_t>(componentCount(channel.property)));
        if (project.state().hasFailed()) return;
        ChannelValue value{};
        std::copy(numbers.begin(), numbers.end(), value.begin());
        if (isQuaternion(channel.property) && !normalised(toQuaternion(value)))
            json.fail("value", "is not a rotation: the quaternion has length 0");
        if (!statics.emplace(channel, value)) json.fail("channel", "appears twice");
    }
}

/// {"hips": [id], ...}: the names are roles, so none is an unknown member.
ObjectWriter rolesToJson(const RoleMap& roles, WriteState& state)
{
    ObjectWriter json("/roles", state);
    for (const auto& [role, joints] : roles) {
        QJsonArray ids;
        for (const JointId id : joints) ids.append(static_cast<qint64>(id.value));
        json.put(role, ids);
    }
    return json;
}

void rolesFromJson(ObjectReader& project, RoleMap& roles)
{
    if (!project.has("roles")) return;
    JsonReader json = project.object("roles");
    std::set<std::int64_t> seen;
    for (const QString& name : project.value("roles").toObject().keys()) {
        const std::string role = name.toStdString();
        std::vector<JointId>& joints = roles[role];
        for (const QJsonValue& entry : json.array(role)) {
            const std::int64_t id = entry.toInteger(0);
            if (id < 1 || id > kMaxId) return json.fail(role, "must be a list of ids of joints");
            if (!seen.insert(id).second)
                return json.fail(role, "names the joint with id " + std::to_string(id) + ", which has a role already");
            joints.push_back({static_cast<std::uint64_t>(id)});
        }
    }
}

void readTiming(ObjectReader& json, Scene& scene)
{
    const auto fps = json.fixedNumbers<2>("fps", {24, 1});
    const double largest = 1'000'000;
    for (const double part : fps)
        if (part < 1 || part > largest || part != static_cast<double>(static_cast<std::int32_t>(part)))
            return json.fail("fps", "is not a fraction of two whole numbers of at least 1");
    if (fps[0] / fps[1] > 10'000) return json.fail("fps", "is more than 10000 frames per second");
    scene.fps = {static_cast<std::int32_t>(fps[0]), static_cast<std::int32_t>(fps[1])};

    const auto range = json.fixedNumbers<2>("range", {1, 100});
    for (const double frame : range)
        if (std::abs(frame) > kFarthestFrame || frame != static_cast<double>(static_cast<std::int32_t>(frame)))
            return json.fail("range", "is not two frame numbers");
    if (range[0] > range[1]) return json.fail("range", "ends before it begins");
    scene.firstFrame = static_cast<std::int32_t>(range[0]);
    scene.lastFrame = static_cast<std::int32_t>(range[1]);
}

/// Every id is used once, and what is named by id is there.
class References
{
public:
    References(const Project& project, ReadState& state) : m_scene(project.scene), m_state(state)
    {
        for (std::size_t i = 0; i < m_scene.joints->size(); ++i) add((*m_scene.joints)[i].id.value, "/joints", i);
        for (std::size_t i = 0; i < m_scene.handles->size(); ++i) add((*m_scene.handles)[i].id.value, "/handles", i);
        for (std::size_t i = 0; i < m_scene.clips.size(); ++i) add(m_scene.clips[i]->id.value, "/clips", i);
    }

    [[nodiscard]] std::uint64_t largest() const { return m_all.empty() ? 0 : *m_all.rbegin(); }

    void check(const ProjectState& state)
    {
        for (std::size_t i = 0; i < m_scene.joints->size(); ++i)
            m_parentOf[(*m_scene.joints)[i].id] = (*m_scene.joints)[i].parent;
        for (std::size_t i = 0; i < m_scene.joints->size(); ++i)
            checkJoint((*m_scene.joints)[i], pointerTo("/joints", i));
        for (std::size_t i = 0; i < m_scene.handles->size(); ++i)
            checkHandle((*m_scene.handles)[i], pointerTo("/handles", i));
        if (const auto end = checkGoalsEnd(m_scene); !end)
            m_state.error.set("/handles", "follow each other: of " + end.error().where + ", " + end.error().message);
        std::size_t entry = 0;
        for (const auto& [channel, value] : *m_scene.statics) {
            static_cast<void>(value);
            if (isSpace(channel.property))
                m_state.error.set("/statics", "holds what a handle follows, which is a member of the handle");
            checkChannel(channel, "/statics (entry " + std::to_string(entry++) + " in order of id)");
        }
        for (std::size_t i = 0; i < m_scene.clips.size(); ++i)
            for (const auto& [channel, keys] : m_scene.clips[i]->channels) {
                checkChannel(channel, pointerTo("/clips", i) + "/channels");
                if (isSpace(channel.property)) checkSpaces(channel, *keys, pointerTo("/clips", i) + "/channels");
            }
        checkView(*m_scene.view);
        for (const auto& [role, joints] : *m_scene.roles)
            for (const JointId joint : joints) checkReference(joint, "/roles/" + role, true);
        if (state.currentClip.isValid() && m_scene.find(state.currentClip) == nullptr)
            m_state.error.set("/state/clip",
                              "refers to a clip that does not exist: id " + std::to_string(state.currentClip.value));
    }

private:
    static std::string pointerTo(const char* array, std::size_t index) { return array + ("/" + std::to_string(index)); }

    void add(std::uint64_t id, const char* array, std::size_t index)
    {
        if (!m_all.insert(id).second)
            m_state.error.set(pointerTo(array, index) + "/id",
                              "is " + std::to_string(id) + ", which another object already has");
    }

    void checkReference(JointId joint, const std::string& pointer, bool isRequired)
    {
        if (!joint.isValid() && !isRequired) return;
        if (!m_parentOf.contains(joint))
            m_state.error.set(pointer, "refers to a joint that does not exist: id " + std::to_string(joint.value));
    }

    /// Keys of a space hold ids of the handle's spaces.
    void checkSpaces(ChannelId channel, const KeyList& keys, const std::string& pointer)
    {
        const Handle* handle = m_scene.find(HandleId{channel.target});
        for (std::size_t i = 0; i < keys.size() && handle != nullptr; ++i) {
            const double value = keys[i].value[0];
            if (value >= 0 && value <= static_cast<double>(kMaxId) && handle->mayFollow(static_cast<ObjectId>(value)) &&
                keys[i].interpolation == Interpolation::Step)
                continue;
            m_state.error.set(pointer, "has a key of \"" + std::string(propertyName(channel.property)) + "\" of \"" +
                                           handle->name +
                                           "\" that is not held, or that names none of the handle's spaces");
        }
    }

    /// Of a joint or a handle; 0 = the world.
    void checkSpaceReference(ObjectId object, const std::string& pointer)
    {
        if (object == 0 || m_parentOf.contains(JointId{object}) || m_scene.find(HandleId{object}) != nullptr) return;
        m_state.error.set(pointer, "refers to a joint or handle that does not exist: id " + std::to_string(object));
    }

    void checkJoint(const Joint& joint, const std::string& pointer)
    {
        checkReference(joint.parent, pointer + "/parent", false);
        // A walk longer than there are joints goes in a circle.
        std::size_t steps = 0;
        for (JointId at = joint.parent; at.isValid() && !m_state.hasFailed() && !m_rooted.contains(at);
             at = m_parentOf[at])
            if (++steps > m_parentOf.size()) m_state.error.set(pointer + "/parent", "makes the joint its own ancestor");
        m_rooted.insert(joint.id);
    }

    void checkHandle(const Handle& handle, const std::string& pointer)
    {
        checkReference(handle.start, pointer + "/start", true);
        checkReference(handle.end, pointer + "/end", true);
        checkReference(handle.poleTarget, pointer + "/poleTarget", false);
        for (const ObjectId space : handle.spaces) checkSpaceReference(space, pointer + "/spaces");
        checkSpaceReference(handle.follow, pointer + "/follow");
        checkSpaceReference(handle.poleFollow, pointer + "/poleFollow");
        checkReference(handle.startUp, pointer + "/startUp", false);
        checkReference(handle.endUp, pointer + "/endUp", false);
    }

    void checkChannel(ChannelId channel, const std::string& pointer)
    {
        const bool isOfClip = m_scene.find(ClipId{channel.target}) != nullptr;
        if (isOfClip && channel.property == Property::Weight) return; // of its corrections
        if (channel.layer == Layer::Corrections && !isCorrectable(channel.property))
            m_state.error.set(pointer, "corrects what a handle follows, which is no number");
        const bool isOfJoint = channel.property <= Property::Rotation;
        const bool isThere = isOfJoint ? m_parentOf.contains(JointId{channel.target})
                                       : m_scene.find(HandleId{channel.target}) != nullptr;
        if (!isThere)
            m_state.error.set(pointer, "names no " + std::string(isOfJoint ? "joint" : "handle") + " for \"" +
                                           std::string(propertyName(channel.property)) + "\": there is none with id " +
                                           std::to_string(channel.target));
        else if (isCurvePoint(channel.property) &&
                 curveIndex(channel.property) >= m_scene.find(HandleId{channel.target})->curvePoints)
            m_state.error.set(pointer,
                              "has \"" + std::string(propertyName(channel.property)) + "\", but the curve of \"" +
                                  nameOf(m_scene, channel.target) + "\" has only " +
                                  std::to_string(m_scene.find(HandleId{channel.target})->curvePoints) + " points");
    }

    void checkView(const ViewSetup& view)
    {
        const auto check = [&](ObjectId object, const std::string& pointer) {
            if (m_parentOf.contains(JointId{object}) || m_scene.find(HandleId{object}) != nullptr) return;
            m_state.error.set(pointer, "refers to a joint or handle that does not exist: id " + std::to_string(object));
        };
        for (const ObjectId object : view.hidden) check(object, "/view/hidden");
        for (const ObjectId object : view.locked) check(object, "/view/locked");
        for (std::size_t i = 0; i < view.sets.size(); ++i)
            for (const ObjectId object : view.sets[i].objects) check(object, pointerTo("/view/sets", i) + "/objects");
    }

    const Scene& m_scene;
    ReadState& m_state;
    std::set<std::uint64_t> m_all;
    std::unordered_map<JointId, JointId> m_parentOf;
    std::set<JointId> m_rooted; ///< known to hang from a root
};

} // namespace

std::string channelPlace(ChannelId channel)
{
    return std::to_string(channel.target) + "." + std::string(propertyName(channel.property));
}

void putChannel(ObjectWriter& writer, ChannelId channel)
{
    writer.integer("target", static_cast<std::int64_t>(channel.target));
    writer.string("channel", std::string(propertyName(channel.property)));
}

ChannelId readChannel(ObjectReader& reader)
{
    ChannelId channel;
    channel.target = static_cast<ObjectId>(reader.requiredInteger("target", 1, kMaxId));
    const std::string name = reader.text("channel");
    if (const auto property = propertyFromName(name))
        channel.property = *property;
    else
        reader.fail("channel", "is \"" + name + "\", which is not a channel; channels are tx, ry, goal.position, ...");
    return channel;
}

QJsonObject toJson(const Project& project, const std::string& path, WriteState& state)
{
    const Scene& scene = project.scene;
    if (!scene.unknownMembers.empty())
        state.unknown = QJsonDocument::fromJson(QByteArray::fromStdString(scene.unknownMembers)).object();

    ObjectWriter json("", "", state);
    json.put("schema", QLatin1String(kProjectSchema));
    json.put("version", kProjectVersion);
    json.put("generator", QStringLiteral("tendon " TENDON_VERSION));
    json.integer("nextId", static_cast<std::int64_t>(scene.nextId));
    const std::array<double, 2> fps = {static_cast<double>(scene.fps.numerator),
                                       static_cast<double>(scene.fps.denominator)};
    const std::array<double, 2> range = {static_cast<double>(scene.firstFrame), static_cast<double>(scene.lastFrame)};
    json.numbers("fps", fps);
    json.numbers("range", range);

    ObjectWriter edit("/state", "state", state);
    edit.integer("clip", static_cast<std::int64_t>(project.state.currentClip.value), 0);
    edit.integer("frame", project.state.frame);
    if (project.state.camera)
        edit.put("camera", cameraToJson(*project.state.camera, "/state/camera", "state/camera", state));
    if (project.state.layer != Layer::Keys) edit.string("layer", std::string(layerName(project.state.layer)));
    json.object("state", edit);

    json.put("joints", arrayOf(*scene.joints, "/joints",
                               [&](const Joint& j, const std::string& p) { return jointToJson(j, p, state); }));
    json.put("handles", arrayOf(*scene.handles, "/handles", [&](const Handle& h, const std::string& p) {
                 return handleToJson(h, *scene.statics, p, state);
             }));
    json.put("statics", staticsToJson(scene, state));
    json.put("clips", arrayOf(scene.clips, "/clips", [&](const Shared<Clip>& c, const std::string& p) {
                 return clipToJson(*c, *scene.statics, p, state);
             }));
    json.object("roles", rolesToJson(*scene.roles, state));
    const QJsonObject model = modelToJson(scene.model.get(), path, state);
    if (!model.isEmpty()) json.put("model", model);
    if (const QJsonObject view = viewToJson(*scene.view, state); !view.isEmpty()) json.put("view", view);
    return json.take();
}

void fromJson(const QJsonObject& value, const std::string& path, Project& project, ReadState& state)
{
    Scene& scene = project.scene;
    {
        ObjectReader json(value, "", "", state);
        static_cast<void>(json.value("schema"));
        static_cast<void>(json.value("version"));
        static_cast<void>(json.value("generator"));
        scene.nextId = static_cast<std::uint64_t>(json.integer("nextId", 1, 1, kMaxId));
        readTiming(json, scene);
        if (json.has("state")) {
            ObjectReader edit(json.value("state"), "/state", "state", state);
            project.state.currentClip.value = static_cast<std::uint64_t>(edit.integer("clip", 0, 0, kMaxId));
            project.state.frame = static_cast<std::int32_t>(edit.integer("frame", 1, -kFarthestFrame, kFarthestFrame));
            project.state.layer = static_cast<Layer>(edit.oneOf("layer", kLayerWords, 0));
            if (edit.has("camera"))
                project.state.camera = cameraFromJson(edit.value("camera"), "/state/camera", "state/camera", state);
        }
        std::size_t index = 0;
        for (const QJsonValue& joint : json.array("joints"))
            scene.joints.edit().push_back(jointFromJson(joint, "/joints/" + std::to_string(index++), state));
        index = 0;
        for (const QJsonValue& handle : json.array("handles"))
            scene.handles.edit().push_back(
                handleFromJson(handle, "/handles/" + std::to_string(index++), scene.statics.edit(), state));
        staticsFromJson(json, scene.statics.edit());
        index = 0;
        for (const QJsonValue& clip : json.array("clips"))
            scene.clips.emplace_back(
                clipFromJson(clip, "/clips/" + std::to_string(index++), scene.statics.edit(), state));
        if (json.has("roles")) rolesFromJson(json, scene.roles.edit());
        if (json.has("model")) scene.model = modelFromJson(json.value("model"), path, state);
        if (json.has("view")) scene.view = viewFromJson(json.value("view"), state);
    }
    if (state.hasFailed()) return;

    References references(project, state);
    references.check(project.state);
    if (scene.nextId <= references.largest()) {
        scene.nextId = references.largest() + 1;
        state.issues.push_back({Severity::Warning, "was not greater than all ids in use; it was raised", "/nextId", 0});
    }
    if (!state.unknown.isEmpty())
        scene.unknownMembers = QJsonDocument(state.unknown).toJson(QJsonDocument::Compact).toStdString();
}

} // namespace tendon::project

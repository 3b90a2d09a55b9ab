#include "core/io/project/ProjectJson.h"

#include <QJsonArray>

#include <cmath>
#include <numbers>

namespace tendon::project {
namespace {

constexpr double kFarthest = 1e6; // [m], [rad]

QJsonArray idsToJson(const auto& ids)
{
    QJsonArray array;
    for (const ObjectId id : ids) array.append(static_cast<qint64>(id));
    return array;
}

std::vector<ObjectId> idsFromJson(ObjectReader& json, std::string_view name)
{
    std::vector<ObjectId> ids;
    for (const QJsonValue& value : json.array(name)) {
        const double number = value.toDouble(0);
        if (!(number >= 1 && number <= static_cast<double>(kMaxId) && number == std::floor(number))) {
            json.fail(name, "has an entry that is not the id of a joint or handle");
            return {};
        }
        ids.push_back(static_cast<ObjectId>(number));
    }
    return ids;
}

std::string nameFromJson(ObjectReader& json, const auto& others)
{
    std::string name = json.requiredText("name");
    for (const auto& other : others)
        if (other.name == name) json.fail("name", "is \"" + name + "\", which appears twice");
    return name;
}

} // namespace

QJsonObject cameraToJson(const ViewCamera& camera, const std::string& pointer, const std::string& place,
                         WriteState& state)
{
    ObjectWriter json(pointer, place, state);
    json.numbers("target", std::span(camera.target.data(), 3));
    json.number("distance", camera.distance);
    json.number("yaw", camera.yaw);
    json.number("pitch", camera.pitch);
    json.number("fieldOfView", camera.fieldOfView);
    json.boolean("orthographic", camera.isOrthographic, false);
    return json.take();
}

ViewCamera cameraFromJson(const QJsonValue& value, const std::string& pointer, const std::string& place,
                          ReadState& state)
{
    constexpr double kQuarter = std::numbers::pi / 2, kNearest = 1e-6;
    const ViewCamera usual;
    ViewCamera camera;
    ObjectReader json(value, pointer, place, state);
    camera.target = json.vector("target", usual.target).cwiseMax(-kFarthest).cwiseMin(kFarthest);
    camera.distance = json.number("distance", usual.distance, kNearest, kFarthest);
    camera.yaw = json.number("yaw", usual.yaw, -kFarthest, kFarthest);
    camera.pitch = json.number("pitch", usual.pitch, -kQuarter, kQuarter);
    camera.fieldOfView = json.number("fieldOfView", usual.fieldOfView, 0.02, 2.9);
    camera.isOrthographic = json.boolean("orthographic", usual.isOrthographic);
    return camera;
}

QJsonObject viewToJson(const ViewSetup& view, WriteState& state)
{
    ObjectWriter json("/view", "view", state);
    if (!view.hidden.empty()) json.put("hidden", idsToJson(view.hidden));
    if (!view.locked.empty()) json.put("locked", idsToJson(view.locked));
    QJsonArray meshes, sets, bookmarks;
    for (const std::string& mesh : view.hiddenMeshes) meshes.append(QString::fromStdString(mesh));
    if (!meshes.isEmpty()) json.put("hiddenMeshes", meshes);
    for (const SelectionSet& set : view.sets) {
        ObjectWriter entry("/view/sets/" + std::to_string(sets.size()), "view/sets/" + set.name, state);
        entry.string("name", set.name);
        entry.put("objects", idsToJson(set.objects));
        sets.append(entry.take());
    }
    if (!sets.isEmpty()) json.put("sets", sets);
    for (const CameraBookmark& bookmark : view.bookmarks) {
        const std::string place = "view/bookmarks/" + bookmark.name,
                          pointer = "/view/bookmarks/" + std::to_string(bookmarks.size());
        ObjectWriter entry(pointer, place, state);
        entry.string("name", bookmark.name);
        entry.put("camera", cameraToJson(bookmark.camera, pointer + "/camera", place + "/camera", state));
        bookmarks.append(entry.take());
    }
    if (!bookmarks.isEmpty()) json.put("bookmarks", bookmarks);
    return json.take();
}

ViewSetup viewFromJson(const QJsonValue& value, ReadState& state)
{
    ViewSetup view;
    ObjectReader json(value, "/view", "view", state);
    for (const ObjectId id : idsFromJson(json, "hidden")) view.hidden.insert(id);
    for (const ObjectId id : idsFromJson(json, "locked")) view.locked.insert(id);
    if (json.has("hiddenMeshes"))
        for (const std::string& mesh : json.texts("hiddenMeshes")) view.hiddenMeshes.insert(mesh);
    for (const QJsonValue& entry : json.array("sets")) {
        ObjectReader set(entry, "/view/sets/" + std::to_string(view.sets.size()), "", state);
        SelectionSet read;
        read.name = nameFromJson(set, view.sets);
        set.setPlace("view/sets/" + read.name);
        read.objects = idsFromJson(set, "objects");
        if (read.objects.empty()) set.fail("objects", "must name at least one joint or handle");
        view.sets.push_back(std::move(read));
    }
    for (const QJsonValue& entry : json.array("bookmarks")) {
        const std::string pointer = "/view/bookmarks/" + std::to_string(view.bookmarks.size());
        ObjectReader bookmark(entry, pointer, "", state);
        CameraBookmark read;
        read.name = nameFromJson(bookmark, view.bookmarks);
        const std::string place = "view/bookmarks/" + read.name;
        bookmark.setPlace(place);
        read.camera = cameraFromJson(bookmark.value("camera"), pointer + "/camera", place + "/camera", state);
        view.bookmarks.push_back(std::move(read));
    }
    return view;
}

} // namespace tendon::project

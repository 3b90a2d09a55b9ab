#include "core/document/Families.h"
#include "core/document/Lookup.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"

#include <algorithm>
#include <set>

namespace tendon {
namespace {

using Type = Field::Type;

/// Marks objects in one of the sets of the view, or takes their marks; with nothing named, all marks are taken.
Result<void> mark(Draft& draft, const Arguments& arguments, std::set<ObjectId> ViewSetup::*marks, const char* verb)
{
    const bool isOn = arguments.boolean("on", true);
    const auto objects = targetsIn(draft.scene, arguments, "objects");
    if (!objects) return objects.error();
    const std::vector<std::string> meshes = arguments.names("meshes");
    const bool isAll = !arguments.has("objects") && !arguments.has("meshes");
    if (isOn && objects->empty() && meshes.empty())
        return Error{ErrorCode::InvalidArgument, std::string("name what to ") + verb, "objects"};
    ViewSetup next = *draft.scene.view;
    for (const ObjectId object : *objects)
        isOn ? void((next.*marks).insert(object)) : void((next.*marks).erase(object));
    for (const std::string& mesh : meshes) {
        if (draft.scene.model == nullptr ||
            std::none_of(draft.scene.model->meshes.begin(), draft.scene.model->meshes.end(),
                         [&](const Mesh& m) { return m.name == mesh; }))
            return Error{ErrorCode::NotFound, "there is no mesh called " + inQuotes(mesh), "meshes"};
        isOn ? void(next.hiddenMeshes.insert(mesh)) : void(next.hiddenMeshes.erase(mesh));
    }
    if (isAll) {
        (next.*marks).clear();
        if (marks == &ViewSetup::hidden) next.hiddenMeshes.clear();
    }
    if (!(next == *draft.scene.view)) draft.scene.view = std::move(next);
    return {};
}

Result<void> setHiddenOperation(Draft& draft, const Arguments& arguments)
{
    draft.text = arguments.boolean("on", true) ? "Hide" : "Show";
    return mark(draft, arguments, &ViewSetup::hidden, "hide");
}

Result<void> setLockedOperation(Draft& draft, const Arguments& arguments)
{
    draft.text = arguments.boolean("on", true) ? "Lock" : "Unlock";
    return mark(draft, arguments, &ViewSetup::locked, "lock");
}

/// The new name of a set or bookmark: `to`, or its own. Error: not allowed, or another one has it.
template <typename Named>
Result<std::string> newName(const std::vector<Named>& all, const Arguments& arguments)
{
    const std::string name = arguments.text("name"), to = arguments.text("to", name);
    if (const auto fits = checkName(to); !fits) return fits.error();
    const auto isTo = [&](const Named& other) { return other.name == to; };
    if (to != name && std::any_of(all.begin(), all.end(), isTo))
        return Error{ErrorCode::InvalidArgument, inQuotes(to) + " is there already; choose another name", "to"};
    return to;
}

template <typename Named>
Named* findNamed(std::vector<Named>& all, const std::string& name)
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

Error nothingNamed(const char* what, const std::string& name)
{
    return {ErrorCode::NotFound, std::string("there is no ") + what + " called " + inQuotes(name), "name"};
}

Result<void> setSelectionSetOperation(Draft& draft, const Arguments& arguments)
{
    const auto objects = targetsIn(draft.scene, arguments, "objects");
    if (!objects) return objects.error();
    if (arguments.has("objects") && objects->empty())
        return Error{ErrorCode::InvalidArgument, "must name at least one joint or handle", "objects"};
    ViewSetup next = *draft.scene.view;
    const auto name = newName(next.sets, arguments);
    if (!name) return name.error();
    SelectionSet* set = findNamed(next.sets, arguments.text("name"));
    if (set == nullptr) {
        if (objects->empty()) return nothingNamed("selection set", arguments.text("name"));
        set = &next.sets.emplace_back();
    }
    set->name = *name;
    if (!objects->empty()) set->objects = *objects;
    draft.text = "Selection set " + *name;
    if (!(next == *draft.scene.view)) draft.scene.view = std::move(next);
    return {};
}

template <typename Named>
Result<void> removeNamed(Draft& draft, const Arguments& arguments, std::vector<Named> ViewSetup::*list,
                         const char* what)
{
    const std::string name = arguments.text("name");
    draft.text = std::string("Delete ") + what + " " + name;
    if (std::erase_if(draft.scene.view.edit().*list, [&](const Named& one) { return one.name == name; }) == 0)
        return nothingNamed(what, name);
    return {};
}

Result<void> removeSelectionSetOperation(Draft& draft, const Arguments& arguments)
{
    return removeNamed(draft, arguments, &ViewSetup::sets, "selection set");
}

bool namesCamera(const Arguments& arguments)
{
    constexpr const char* kFields[] = {"target", "distance", "yaw", "pitch", "fieldOfView", "orthographic"};
    return std::any_of(std::begin(kFields), std::end(kFields), [&](const char* field) { return arguments.has(field); });
}

/// `base`, with the numbers that are given.
Result<ViewCamera> cameraIn(const Arguments& arguments, ViewCamera base)
{
    const auto angle = [&](const char* field, double& value) {
        if (arguments.has(field)) value = radians(arguments.number(field));
    };
    if (arguments.has("target")) base.target = arguments.vector("target");
    base.distance = arguments.number("distance", base.distance);
    angle("yaw", base.yaw);
    angle("pitch", base.pitch);
    angle("fieldOfView", base.fieldOfView);
    base.isOrthographic = arguments.boolean("orthographic", base.isOrthographic);
    if (const auto fits = checkViewCamera(base); !fits) return fits.error();
    return base;
}

Result<void> setBookmarkOperation(Draft& draft, const Arguments& arguments)
{
    ViewSetup next = *draft.scene.view;
    const auto name = newName(next.bookmarks, arguments);
    if (!name) return name.error();
    CameraBookmark* bookmark = findNamed(next.bookmarks, arguments.text("name"));
    if (bookmark == nullptr) {
        if (!namesCamera(arguments)) return nothingNamed("camera bookmark", arguments.text("name"));
        bookmark = &next.bookmarks.emplace_back();
    }
    const auto camera = cameraIn(arguments, bookmark->camera);
    if (!camera) return camera.error();
    *bookmark = {*name, *camera};
    draft.text = "Camera bookmark " + *name;
    if (!(next == *draft.scene.view)) draft.scene.view = std::move(next);
    return {};
}

Result<void> removeBookmarkOperation(Draft& draft, const Arguments& arguments)
{
    return removeNamed(draft, arguments, &ViewSetup::bookmarks, "camera bookmark");
}

Result<void> setCameraOperation(Draft& draft, const Arguments& arguments)
{
    const auto camera = cameraIn(arguments, {});
    if (!camera) return camera.error();
    draft.edit.camera = *camera;
    return {};
}

#define TENDON_CAMERA_FIELDS                                                                                           \
    {"target", Type::Vector, kOptional, "Point that the camera orbits, in metres"},                                    \
        {"distance", Type::Number, kOptional, "From the eye to the target, in metres"},                                \
        {"yaw", Type::Number, kOptional, "Angle about the vertical axis, in degrees; 0 looks at the front"},           \
        {"pitch", Type::Number, kOptional, "Angle up, in degrees; below 0 looks down"},                                \
        {"fieldOfView", Type::Number, kOptional, "Over the height of the picture, in degrees"},                        \
    {                                                                                                                  \
        "orthographic", Type::Bool, kOptional, "True: without perspective"                                             \
    }

constexpr Field kSetHidden[] = {
    {"objects", Type::Names, kOptional, "Joints, each with all below it, and handles"},
    {"meshes", Type::Names, kOptional, "Meshes of the model"},
    {"on", Type::Bool, kOptional, "False: shows them again; without objects and meshes, everything. Left out: true"}};
constexpr Field kSetLocked[] = {
    {"objects", Type::Names, kOptional, "Joints and handles"},
    {"on", Type::Bool, kOptional, "False: unlocks them; without objects, all of them. Left out: true"}};
constexpr Field kSetSelectionSet[] = {
    {"name", Type::String, kRequired, "Name of the set"},
    {"objects", Type::Names, kOptional, "Joints and handles in it. Left out: as before"},
    {"to", Type::String, kOptional, "New name"}};
constexpr Field kNamed[] = {{"name", Type::String, kRequired, "Its name"}};
constexpr Field kSetBookmark[] = {{"name", Type::String, kRequired, "Name of the bookmark"},
                                  {"to", Type::String, kOptional, "New name"},
                                  TENDON_CAMERA_FIELDS};
constexpr Field kSetCamera[] = {TENDON_CAMERA_FIELDS};

#undef TENDON_CAMERA_FIELDS

constexpr Operation kViewOperations[] = {
    {"setHidden", kSetHidden, true,
     "Hides joints, handles and meshes in the view, or shows them again. Poses and exports stay as they are.",
     setHiddenOperation},
    {"setLocked", kSetLocked, true,
     "Locks joints and handles, or unlocks them: the view neither picks nor poses what is locked.", setLockedOperation},
    {"setSelectionSet", kSetSelectionSet, true, "Makes a selection set, or changes or renames it.",
     setSelectionSetOperation},
    {"removeSelectionSet", kNamed, true, "Deletes a selection set; what is in it stays.", removeSelectionSetOperation},
    {"setCameraBookmark", kSetBookmark, true,
     "Keeps a camera under a name, or changes or renames it. What is left out stays as it was, or as in a new view.",
     setBookmarkOperation},
    {"removeCameraBookmark", kNamed, true, "Deletes a camera bookmark.", removeBookmarkOperation},
    {"setCamera", kSetCamera, false,
     "Notes where the view looks from, for the next save: a project opens as it was last seen. What is left out is as "
     "in a new view.",
     setCameraOperation, nullptr, !kTakesTime, nullptr, kOnlyLastMatters},
};

} // namespace

std::span<const Operation> viewOperations() { return kViewOperations; }

} // namespace tendon

#include "core/document/Families.h"
#include "core/document/Lookup.h"
#include "core/document/Reparent.h"
#include "core/json/JsonReader.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"
#include "core/scene/JointEdit.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace tendon {
namespace {

using Type = Field::Type;

Result<void> addJointOperation(Draft& draft, const Arguments& arguments)
{
    const auto parent = jointOrNoneIn(draft.scene, arguments, "parent");
    if (!parent) return parent.error();
    Joint joint;
    joint.name = arguments.text("name");
    joint.parent = *parent;
    if (arguments.has("translation")) joint.rest.translation = arguments.vector("translation");
    if (arguments.has("rotation")) joint.rest.rotation = arguments.rotation("rotation");
    draft.text = "Add joint " + joint.name;
    return draft.take(addJoint(std::move(draft.scene), joint));
}

Result<void> removeJointOperation(Draft& draft, const Arguments& arguments)
{
    const auto joint = jointIn(draft.scene, arguments, "joint");
    if (!joint) return joint.error();
    draft.text = "Remove joint " + nameOf(draft.scene, joint->value);
    const std::size_t handles = draft.scene.handles->size();
    if (const auto removed = draft.take(removeJoint(std::move(draft.scene), *joint)); !removed) return removed;
    if (const std::size_t gone = handles - draft.scene.handles->size(); gone != 0)
        draft.say(Severity::Info,
                  std::to_string(gone) + (gone == 1 ? " handle" : " handles") + " that hung on it went with it");
    return {};
}

Result<void> renameOperation(Draft& draft, const Arguments& arguments)
{
    const auto target = targetIn(draft.scene, arguments, "target");
    if (!target) return target.error();
    draft.text = "Rename " + nameOf(draft.scene, *target);
    return draft.take(rename(std::move(draft.scene), *target, arguments.text("to")));
}

Result<void> linkOperation(Draft& draft, const Arguments& arguments)
{
    const auto joint = jointIn(draft.scene, arguments, "joint");
    if (!joint) return joint.error();
    const auto parent = jointOrNoneIn(draft.scene, arguments, "parent");
    if (!parent) return parent.error();
    draft.text = parent->isValid()
                     ? "Link " + nameOf(draft.scene, joint->value) + " to " + nameOf(draft.scene, parent->value)
                     : "Unlink " + nameOf(draft.scene, joint->value);
    return linkKeepingMotion(draft, *joint, *parent);
}

Result<void> insertParentOperation(Draft& draft, const Arguments& arguments)
{
    const auto joint = jointIn(draft.scene, arguments, "joint");
    if (!joint) return joint.error();
    draft.text = "Insert parent " + arguments.text("name");
    if (const auto inserted = draft.take(insertParent(std::move(draft.scene), *joint, arguments.text("name")));
        !inserted)
        return inserted;
    // What is pending counts from the joint's former parent.
    for (auto& [channel, value] : draft.edit.pending)
        if (channel.target == joint->value && channel.property <= Property::Tz)
            value[0] -= draft.scene.find(draft.scene.find(*joint)->parent)
                            ->rest.translation[static_cast<int>(channel.property)];
    return {};
}

/// Names the clips that another rest rotation changes: those with angles of the joint, which count from it, and, where
/// the joint has limits, which count from it too, those that move the joint at all.
void warnOfClips(Draft& draft, const Joint& joint, double turned)
{
    const bool isLimited = joint.ball || std::any_of(joint.turning.begin(), joint.turning.end(),
                                                     [](const auto& axis) { return axis.active && axis.limited; });
    std::set<ObjectId> movers{joint.id.value};
    for (const Handle& handle : *draft.scene.handles) {
        const std::vector<JointId> joints = chain(draft.scene, handle.start, handle.end);
        if (std::find(joints.begin(), joints.end(), joint.id) != joints.end()) movers.insert(handle.id.value);
    }
    std::string turning, moving;
    for (const auto& clip : draft.scene.clips) {
        const auto add = [&](std::string& names) { names += (names.empty() ? "" : ", ") + clip->name; };
        const std::array angles{Property::Rx, Property::Ry, Property::Rz};
        if (std::any_of(angles.begin(), angles.end(), [&](Property angle) {
                return clip->find({joint.id.value, angle}) != nullptr;
            }))
            add(turning);
        if (std::any_of(clip->channels.begin(), clip->channels.end(),
                        [&](const auto& entry) { return movers.contains(entry.first.target); }))
            add(moving);
    }
    if (!turning.empty())
        draft.say(Severity::Warning,
                  "its keyed angles count from the rest pose, so it is turned otherwise now in: " + turning +
                      ". Undo, or key it again there",
                  joint.name, joint.id.value);
    if (isLimited && !moving.empty())
        draft.say(Severity::Warning,
                  "its limits count from the rest pose, so they turned with it by " +
                      QString::number(turned * kDegrees, 'f', 1).toStdString() +
                      " degrees, and IK may stop elsewhere in: " + moving + ". Undo, or set the limits again",
                  joint.name, joint.id.value);
}

Result<void> setRestPoseOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    if (!arguments.has("translation") && !arguments.has("rotation"))
        return Error{ErrorCode::InvalidArgument, "give translation, rotation or both", ""};
    Joint joint = *draft.scene.find(*id);
    if (arguments.has("translation")) joint.rest.translation = arguments.vector("translation");
    if (arguments.has("rotation")) joint.rest.rotation = arguments.rotation("rotation", joint.rotationOrder);
    draft.text = "Set rest pose of " + joint.name;
    const double turned = joint.rest.rotation.angularDistance(draft.scene.find(*id)->rest.rotation);
    if (const auto changed = draft.take(changeJoint(std::move(draft.scene), joint)); !changed) return changed;
    constexpr double kSame = 1e-9; // [rad]
    if (turned > kSame) warnOfClips(draft, joint, turned);
    return {};
}

struct ShapeName
{
    const char* name;
    Segment::Shape shape;
    qsizetype sizes;
    const char* meaning;
};
constexpr ShapeName kShapes[] = {
    {"box", Segment::Shape::Box, 3, "[x, y, z]"},
    {"cylinder", Segment::Shape::Cylinder, 2, "[radius, height]"},
    {"sphere", Segment::Shape::Sphere, 1, "[radius]"},
    {"torus", Segment::Shape::Torus, 2, "[ring radius, tube radius]"},
    {"cone", Segment::Shape::Cone, 2, "[radius, height]"},
};

Error shapeError(std::string message, const char* member)
{
    return {ErrorCode::InvalidArgument, std::move(message), std::string("shape: ") + member};
}

Result<std::vector<double>> finiteNumbers(const QJsonObject& object, const char* member)
{
    const QJsonValue value = object.value(QLatin1StringView(member));
    std::vector<double> numbers;
    for (const QJsonValue& entry : value.toArray()) {
        if (!entry.isDouble() || !(std::abs(entry.toDouble()) <= kMaxNumber))
            return shapeError("must be a list of numbers, but holds " + describe(entry), member);
        numbers.push_back(entry.toDouble());
    }
    if (!value.isArray()) return shapeError("must be a list of numbers, but is " + describe(value), member);
    return numbers;
}

/// {kind, size, offset?, rotation?}; `segment` keeps its mass.
Result<void> readShape(const QJsonObject& shape, Segment& segment)
{
    for (const QString& member : shape.keys())
        if (member != QLatin1StringView("kind") && member != QLatin1StringView("size") &&
            member != QLatin1StringView("offset") && member != QLatin1StringView("rotation"))
            return shapeError("there is no such member; there are kind, size, offset, rotation",
                              member.toUtf8().constData());

    const std::string kind = shape.value(QLatin1StringView("kind")).toString().toStdString();
    const ShapeName* known = std::find_if(std::begin(kShapes), std::end(kShapes),
                                          [&](const ShapeName& s) { return s.name == kind; });
    if (known == std::end(kShapes))
        return shapeError("must be one of box, cylinder, sphere, torus, cone, but is " +
                              describe(shape.value(QLatin1StringView("kind"))),
                          "kind");
    const auto size = finiteNumbers(shape, "size");
    if (!size) return size.error();
    if (static_cast<qsizetype>(size->size()) != known->sizes ||
        std::any_of(size->begin(), size->end(), [](double s) { return !(s > 0); }))
        return shapeError("must be " + std::string(known->meaning) + " for a " + kind + ", each above 0", "size");

    segment.shape = known->shape;
    segment.size.setZero();
    for (std::size_t i = 0; i < size->size(); ++i) segment.size[static_cast<Eigen::Index>(i)] = (*size)[i];
    segment.offset.setZero();
    segment.rotation.setIdentity();
    if (shape.contains(QLatin1StringView("offset"))) {
        const auto offset = finiteNumbers(shape, "offset");
        if (!offset) return offset.error();
        if (offset->size() != 3) return shapeError("must be [x, y, z]", "offset");
        segment.offset = Vector3((*offset)[0], (*offset)[1], (*offset)[2]);
    }
    if (shape.contains(QLatin1StringView("rotation"))) {
        const auto numbers = finiteNumbers(shape, "rotation");
        if (!numbers) return numbers.error();
        const auto rotation = rotationFromNumbers(*numbers, RotationOrder::XYZ);
        if (!rotation) return shapeError(rotation.error().message, "rotation");
        segment.rotation = *rotation;
    }
    return {};
}

Result<void> setSegmentOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    if (!arguments.has("shape") && !arguments.has("mass"))
        return Error{ErrorCode::InvalidArgument, "give shape, mass or both", ""};
    Joint joint = *draft.scene.find(*id);
    if (arguments.isNull("shape")) {
        const double mass = joint.segment.mass;
        joint.segment = Segment{};
        joint.segment.mass = mass;
    } else if (arguments.has("shape")) {
        if (const auto read = readShape(arguments.object("shape"), joint.segment); !read) return read;
    }
    joint.segment.mass = arguments.number("mass", joint.segment.mass);
    draft.text = "Set segment of " + joint.name;
    return draft.take(changeJoint(std::move(draft.scene), joint));
}

constexpr Field kAddJoint[] = {
    {"name", Type::String, kRequired, "Name of the new joint. No other joint or handle may have it"},
    {"parent", Type::JointOrNull, kOptional, "Parent of the new joint. Null or left out: the joint is a root"},
    {"translation", Type::Vector, kOptional, "Rest translation in the parent's space, in metres"},
    {"rotation", Type::Rotation, kOptional, "Rest rotation in the parent's space"},
};
constexpr Field kRemoveJoint[] = {
    {"joint", Type::Joint, kRequired,
     "Joint to remove, with every joint below it and every handle that starts or ends on one of them"},
};
constexpr Field kRename[] = {
    {"target", Type::Target, kRequired, "Joint or handle to rename"},
    {"to", Type::String, kRequired, "New name. No other joint or handle may have it"},
};
constexpr Field kLink[] = {
    {"joint", Type::Joint, kRequired, "Joint to move. It keeps its world transform, now and at each of its keys"},
    {"parent", Type::JointOrNull, kRequired, "New parent. Null: the joint becomes a root"},
};
constexpr Field kInsertParent[] = {
    {"joint", Type::Joint, kRequired, "Joint that gets a new parent. It keeps its world transform"},
    {"name", Type::String, kRequired,
     "Name of the new joint, which is placed at the joint's pivot, between the joint and its former parent"},
};
constexpr Field kSetRestPose[] = {
    {"joint", Type::Joint, kRequired, "Joint whose rest pose changes"},
    {"translation", Type::Vector, kOptional, "Rest translation in the parent's space, in metres"},
    {"rotation", Type::Rotation, kOptional,
     "Complete local rest rotation; angles are applied in the joint's rotation order"},
};
constexpr Field kSetSegment[] = {
    {"joint", Type::Joint, kRequired, "Joint that carries the shape"},
    {"shape", Type::ObjectOrNull, kOptional,
     "{kind, size, offset?, rotation?} in the joint's space. Sizes in metres: box [x, y, z], cylinder and cone "
     "[radius, height] along +Y, sphere [radius], torus [ring radius, tube radius] about Y. Null: draws nothing"},
    {"mass", Type::Number, kOptional, "Mass in kilograms"},
};

constexpr Operation kJointOperations[] = {
    {"addJoint", kAddJoint, true, "Adds a joint.", addJointOperation},
    {"removeJoint", kRemoveJoint, true,
     "Removes a joint and all joints below it. Vertices skinned to them follow the joint above.", removeJointOperation},
    {"rename", kRename, true, "Renames a joint or a handle.", renameOperation},
    {"link", kLink, true, "Gives a joint another parent, which must not be the joint itself or one below it.",
     linkOperation, nullptr, kTakesTime},
    {"insertParent", kInsertParent, true, "Inserts a parent above a joint.", insertParentOperation, nullptr,
     kTakesTime},
    {"setRestPose", kSetRestPose, true, "Changes the pose from which angles and limits are measured.",
     setRestPoseOperation, nullptr, kTakesTime},
    {"setSegment", kSetSegment, true,
     "Sets the shape drawn for a joint, and its mass. The volume follows from the shape.", setSegmentOperation},
};

} // namespace

std::span<const Operation> jointOperations() { return kJointOperations; }

} // namespace tendon

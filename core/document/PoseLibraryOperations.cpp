#include "core/document/Families.h"
#include "core/document/Lookup.h"
#include "core/document/MirrorPose.h"
#include "core/document/PoseFile.h"
#include "core/document/WholePose.h"
#include "core/io/base/FileStage.h"
#include "core/io/base/Files.h"
#include "core/roles/Roles.h"
#include "core/scene/Check.h"

#include <filesystem>

namespace tendon {
namespace {

using Type = Field::Type;

constexpr std::string_view kPoseSuffix = ".tendonpose";

Result<void> savePoseOperation(Document& document, const Arguments& arguments, FileStage& stage)
{
    const std::filesystem::path path(arguments.text("file"));
    if (path.extension() != kPoseSuffix)
        return Error{ErrorCode::InvalidArgument,
                     "the name of a pose ends in .tendonpose, unlike " + inQuotes(path.string()), "file"};
    const auto joints = jointsIn(document.scene(), arguments, "joints");
    if (!joints) return joints.error();
    if (joints->empty()) return Error{ErrorCode::InvalidArgument, "there is no joint to save the pose of", ""};
    Draft draft{.scene = document.scene(),
                .edit = document.edit,
                .solvers = *document.solvers,
                .services = document.services,
                .poses = *document.poses,
                .text = {},
                .messages = {},
                .posed = {}};
    const auto copied = copiedPose(draft, *joints);
    if (!copied) return copied.error();
    StoredPose stored = storedPose(document.scene(), *copied, arguments.text("name", path.stem().string()));
    if (arguments.has("thumbnail")) {
        constexpr std::int64_t kMostBytes = 4 << 20; // of a picture a few centimetres wide
        const auto picture = readFile(arguments.text("thumbnail"), kMostBytes);
        if (!picture) return picture.error();
        if (picture->rfind("\x89PNG\r\n\x1a\n", 0) != 0)
            return Error{ErrorCode::InvalidArgument, "is no PNG file", arguments.text("thumbnail")};
        stored.thumbnail.assign(picture->begin(), picture->end());
    }
    const std::string whole = std::filesystem::absolute(path).lexically_normal().string();
    return stage.write(whole, [&](const std::string& staged) { return writePlainFile(staged, poseFileBytes(stored)); });
}

/// The pose without what does not hang from the root of the figure: props, and the handles that move them.
CopiedPose ofFigure(const Scene& scene, CopiedPose pose, JointId root)
{
    const auto isOther = [&](JointId joint) { return joint != root && !isAncestor(scene, root, joint); };
    const auto movesOther = [&](const auto& entry) { return isOther(scene.find(entry.first)->end); };
    std::erase_if(pose.joints, [&](const auto& entry) { return isOther(entry.first); });
    std::erase_if(pose.goals, movesOther);
    std::erase_if(pose.curves, movesOther);
    return pose;
}

/// The pose moved so that the hips, or the root of a figure without, are and head as they do now.
Result<CopiedPose> keptInPlace(Draft& draft, CopiedPose pose, JointId root)
{
    JointId place = jointOf(guessRoles(draft.scene).map(), "hips");
    if (draft.scene.find(place) == nullptr || (place != root && !isAncestor(draft.scene, root, place))) place = root;
    const auto now = draft.pose();
    if (!now) return now.error();
    const CompiledRig& rig = *draft.poses.rig();
    Affine posed = Affine::Identity();
    for (const Joint* joint = draft.scene.find(place); joint != nullptr; joint = draft.scene.find(joint->parent)) {
        const auto found = pose.joints.find(joint->id);
        const LocalTransform& local = found != pose.joints.end() ? found->second
                                                                 : (*now)->local.joints[at(rig.index(joint->id))];
        posed = local.parentFromJoint() * posed;
    }
    const Affine& before = (*now)->model.modelFromJoint[at(rig.index(place))];
    pose.root = root;
    return movedPose(draft.scene, pose,
                     headingOf(draft.scene, place, before, 0) * headingOf(draft.scene, place, posed, 0).inverse());
}

Result<void> applyPoseOperation(Draft& draft, const Arguments& arguments)
{
    const double blend = arguments.number("blend", 1);
    if (!(blend >= 0 && blend <= 1)) return Error{ErrorCode::InvalidArgument, "must be from 0 to 1", "blend"};
    const auto stored = readPoseFile(arguments.text("file"));
    if (!stored) return stored.error();
    draft.text = "Apply pose " + stored->name;
    std::vector<std::string> missing;
    CopiedPose pose = poseFor(draft.scene, *stored, missing);
    if (pose.joints.empty())
        return Error{ErrorCode::NotFound, "none of its joints is in this project, neither by name nor by role",
                     arguments.text("file")};
    if (!missing.empty())
        draft.say(Severity::Info,
                  "not in this project, and left out: " + inQuotes(missing.front()) +
                      (missing.size() > 1 ? " and " + std::to_string(missing.size() - 1) + " more" : ""));
    std::vector<JointId> joints;
    for (const auto& [joint, local] : pose.joints) joints.push_back(joint);
    const auto now = copiedPose(draft, joints);
    if (!now) return now.error();
    if (const auto mirror = arguments.axis("mirror")) pose = seenInMirror(draft.scene, pose, *mirror, true);
    if (arguments.boolean("keepPlace", false) && now->root.isValid()) {
        if (!arguments.has("joints")) pose = ofFigure(draft.scene, std::move(pose), now->root);
        auto moved = keptInPlace(draft, pose, now->root);
        if (!moved) return moved.error();
        pose = *std::move(moved);
    }
    return putPose(draft, blendedPose(*now, pose, blend), arguments, arguments.has("mirror"));
}

constexpr Field kSavePose[] = {
    {"file", Type::String, kRequired, "Pose file to write (.tendonpose)"},
    {"joints", Type::Names, kOptional,
     "Joints to save, with the goals of handles that end on them. Left out: all joints"},
    {"name", Type::String, kOptional, "Name of the pose. Left out: the file's"},
    {"thumbnail", Type::String, kOptional,
     "PNG file to keep in the pose file as its picture, as `tendon render` makes it"},
};
constexpr Field kApplyPose[] = {
    {"file", Type::String, kRequired,
     "Pose file (.tendonpose), also of another character: joints are found by name, else by role"},
    {"joints", Type::Names, kOptional, "Joints to pose. Left out: all that the file holds"},
    {"mirror", Type::Choice, kOptional, "Mirrors the pose across this world axis, about the figure's root", "x|y|z"},
    {"blend", Type::Number, kOptional, "Share of the pose, 0 to 1; the rest is the pose as it is. Left out: 1"},
    {"keepPlace", Type::Bool, kOptional,
     "The figure stays where it is and heads as it does, and props stay that are no part of it. Left out: false"},
};

constexpr Operation kPoseLibraryOperations[] = {
    {"savePose", kSavePose, false, "Saves the solved pose at the current frame as a file of the pose library.", nullptr,
     savePoseOperation, kTakesTime},
    {"applyPose", kApplyPose, true, "Applies a pose of the pose library, wholly, partly, mirrored or blended.",
     applyPoseOperation, nullptr, kTakesTime},
};

} // namespace

std::span<const Operation> poseLibraryOperations() { return kPoseLibraryOperations; }

} // namespace tendon

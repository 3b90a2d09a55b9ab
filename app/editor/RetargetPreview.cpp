#include "app/editor/RetargetPreview.h"

#include "core/document/Arguments.h"
#include "core/document/Operation.h"
#include "core/document/RetargetJob.h"
#include "core/document/RoleNaming.h"
#include "core/retarget/ReferencePose.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tendon::editor {
namespace {

std::shared_ptr<const RetargetSides> lookAt(const RetargetAsked& asked, const Scene& motion, const Scene& character)
{
    auto sides = std::make_shared<RetargetSides>();
    sides->motion = guessRoles(motion);
    sides->character = guessRoles(character);
    if (asked.source.model == nullptr) return sides; // the project says what its own joints are
    for (const std::string& folder : asked.mapFolders)
        for (std::string& map : fittingRoleMaps(folder, motion))
            if (std::find(sides->maps.begin(), sides->maps.end(), map) == sides->maps.end())
                sides->maps.push_back(std::move(map));
    return sides;
}

/// The map's own choices, where a person has made none yet.
Result<void> useMap(const std::string& path, RetargetChoices& choices)
{
    const auto map = readRoleMap(path);
    if (!map) return map.error();
    choices.map = path;
    choices.align = map->align == "frame"  ? RestAlign::Frame
                    : map->align == "rest" ? RestAlign::Rest
                                           : RestAlign::Directions;
    choices.frame = map->frame;
    choices.armSpread = map->armSpread;
    return {};
}

/// The roles of the motion as they are chosen, and what of a map does not fit.
Result<MotionRoles> rolesOf(const RetargetAsked& asked, const Scene& motion, RetargetPreview& preview)
{
    const auto arguments = Arguments::check(*findOperation("retarget"), operationOf(asked.source, preview.choices));
    if (!arguments) return arguments.error();
    auto roles = motionRoles(motion, *arguments);
    if (!roles) return roles.error();
    if (roles->map) {
        preview.mapNote = roles->note;
        const RoleMapFit fit = fitRoleMap(*roles->map, motion);
        preview.missing = fit.missing;
        preview.mapRoles = fit.roles.size() + fit.missing.size();
    }
    return roles;
}

void fillTable(RetargetPreview& preview)
{
    const RetargetPreview& known = preview;
    std::vector<std::string> changed;
    for (const auto& [role, joints] : known.choices.roles) changed.push_back(role);
    preview.rows = retargetRows({.motion = known.motion,
                                 .character = known.character,
                                 .motionGuess = known.sides->motion,
                                 .characterGuess = known.sides->character,
                                 .changed = changed,
                                 .isMapped = !known.choices.map.empty()});
    preview.count = countRoles(known.motion, known.character);
    preview.isEnough = missingRoles(known.motion, known.character).empty();
}

/// How the motion stands to the character, for the view: as the operation will find it.
void compare(const Scene& motion, const Scene& character, RetargetPreview& preview)
{
    const Clip* clip = motion.clipNamed(preview.choices.clip);
    if (clip == nullptr) return;
    const RetargetOptions options{.align = preview.choices.align, .frame = preview.choices.frame};
    const auto retargeter = Retargeter::create(motion, *clip, preview.motion.roles, character, preview.character.roles,
                                               options);
    if (!retargeter) return;
    preview.worldFromMotion = retargeter->worldFromMotion();
    preview.facts = retargeter->facts();
    if (const auto rest = motionReference(motion, preview.motion, *clip, options.align, options.frame))
        preview.motionRest = std::make_shared<const WorldPose>(rest->pose);
}

} // namespace

int RetargetPreview::toCheck() const
{
    return static_cast<int>(std::count_if(rows.begin(), rows.end(),
                                          [](const RetargetRow& row) { return row.mark == RetargetRow::Mark::Check; }));
}

RetargetPreviewPtr makePreview(const RetargetAsked& asked, Document copy, const std::atomic<bool>& cancelled,
                               const std::function<void(double)>& progress)
{
    auto preview = std::make_shared<RetargetPreview>();
    const Scene& motion = asked.source.scene(copy.scene());
    preview->choices = asked.choices;
    preview->sides = asked.sides != nullptr ? asked.sides : lookAt(asked, motion, copy.scene());
    if (asked.sides == nullptr && !preview->sides->maps.empty())
        (void)useMap(preview->sides->maps.front(), preview->choices); // one that cannot be read is not there
    const auto fail = [&](const Error& error) {
        constexpr std::string_view kOperation = "retarget: "; // that is plain here
        preview->error = error.text();
        if (preview->error.starts_with(kOperation)) preview->error.erase(0, kOperation.size());
        return preview;
    };
    const auto motionRig = compile(motion), characterRig = compile(copy.scene());
    if (!motionRig) return fail(motionRig.error());
    if (!characterRig) return fail(characterRig.error());
    preview->motion.rig = *motionRig;
    preview->character = {*characterRig, preview->sides->character.map()};
    const auto roles = rolesOf(asked, motion, *preview);
    if (!roles) return fail(roles.error());
    preview->motion.roles = roles->roles;
    fillTable(*preview);
    compare(motion, copy.scene(), *preview);
    if (cancelled) return nullptr;

    if (asked.source.model != nullptr)
        copy.services.import = [model = asked.source.model](const std::string&,
                                                            const ImportOptions&) -> Result<ImportedModel> {
            return *model;
        };
    copy.services.cancelled = &cancelled;
    copy.services.progress = progress;
    copy.services.retargeted = [&](const RetargetOutcome& outcome) {
        preview->facts = outcome.facts;
        preview->limits = outcome.limits;
        preview->clip = outcome.clip;
        preview->clipName = outcome.name;
    };
    const auto done = carryOut(copy, operationOf(asked.source, preview->choices));
    if (cancelled) return nullptr;
    if (!done) return fail(done.error());
    preview->messages = copy.messages;
    auto scene = std::make_shared<Scene>(copy.scene());
    // In a project with keys the range is the project's; here all of the motion is to be seen.
    if (const Clip* clip = scene->find(preview->clip); clip != nullptr && clip->hasKeys()) {
        scene->firstFrame = static_cast<std::int32_t>(std::floor(scene->fps.frameAt(clip->begin()) + 1e-3));
        scene->lastFrame = static_cast<std::int32_t>(std::ceil(scene->fps.frameAt(clip->end()) - 1e-3));
    }
    preview->scene = std::move(scene);
    return preview;
}

} // namespace tendon::editor

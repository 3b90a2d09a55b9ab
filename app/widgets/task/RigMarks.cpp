#include "app/widgets/task/RigMarks.h"

#include "app/widgets/task/RigTexts.h"
#include "core/scene/Check.h"

#include <QJsonArray>

namespace tendon::editor {
namespace {

constexpr std::size_t kMostUnknown = 4; // named in the view; more would hide the figure
constexpr std::size_t kMostNames = 6;   // of a chain; of a longer one its ends

/// Limbs by name, in their middle; then what could not be told.
void addNames(ViewMarks& marks, const Scene& scene, const SkeletonRoles& roles, const RigLine* pointed)
{
    for (const Limb& limb : roles.limbs) {
        if ((pointed != nullptr && pointed->limb == limb.name) || !limb.chains.empty() || limb.joints.empty()) continue;
        const std::size_t middle = limb.kind == LimbKind::Leg ? (limb.joints.size() - 1) / 2 : limb.joints.size() / 2;
        QString words = RigTexts::titleOf(limb);
        if (limb.confidence < kSureRole) words += QStringLiteral(", ") + RigTexts::percent(limb.confidence);
        marks.words.push_back({limb.joints[middle], words, roleColourOf(limb.side)});
    }
    if (roles.unknown.size() > kMostUnknown) return;
    for (const UnknownJoints& unknown : roles.unknown)
        marks.words.push_back(
            {unknown.joints.front(), RigTexts::namesOf(scene, unknown) + QStringLiteral(" ?"), RoleColour::Unknown});
}

void addGoals(ViewMarks& marks, const Scene& scene, const RigOutcome& outcome, const RigLine* pointed)
{
    for (const PlannedHandle* handle : outcome.handles) {
        const auto joint = [&](const char* field) {
            return scene.jointNamed(handle->add.value(QLatin1StringView(field)).toString().toStdString());
        };
        const auto start = joint("start"), end = joint("end");
        if (!start || !end) continue;
        ViewMarks::Goal goal{*start, *end};
        const QJsonArray offset = handle->add.value(QLatin1StringView("offset")).toArray();
        for (int k = 0; k < 3 && offset.size() == 3; ++k) goal.offset[k] = offset[k].toDouble();
        if (pointed != nullptr && pointed->limb == handle->limb) goal.name = QString::fromStdString(handle->name);
        marks.goals.push_back(std::move(goal));
    }
}

void addPointed(ViewMarks& marks, const Scene& scene, const RigGuess& guess, const RigLine& pointed)
{
    marks.lit.insert(pointed.joints.begin(), pointed.joints.end());
    marks.limited = pointed.limited;
    marks.rig = guess.rig;
    for (const JointId joint : pointed.joints) {
        const bool isEnd = joint == pointed.joints.front() || joint == pointed.joints.back();
        if (pointed.joints.size() > kMostNames && !isEnd) continue;
        QString words = QString::fromStdString(nameOf(scene, joint.value));
        if (guess.plan)
            for (const LimitGuess& limit : guess.plan->limits)
                if (limit.joint.id == joint && !RigTexts::rangeOf(limit.joint).isEmpty())
                    words += QStringLiteral(" · ") + RigTexts::rangeOf(limit.joint);
        marks.words.push_back({joint, words, RoleColour::Centre, true});
    }
}

} // namespace

ViewMarks rigMarks(const Scene& scene, const RigGuess& guess, const RigOutcome& outcome, const RigLine* pointed)
{
    ViewMarks marks;
    for (const UnknownJoints& unknown : guess.roles.unknown)
        for (const JointId joint : unknown.joints) marks.colours[joint] = RoleColour::Unknown;
    for (const RoleGuess& role : guess.roles.roles)
        for (const JointId joint : role.joints) marks.colours[joint] = roleColourOf(sideOfRole(role.role));
    if (pointed != nullptr) addPointed(marks, scene, guess, *pointed);
    addNames(marks, scene, guess.roles, pointed);
    addGoals(marks, scene, outcome, pointed);
    return marks;
}

} // namespace tendon::editor

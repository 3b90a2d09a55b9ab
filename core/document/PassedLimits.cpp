#include "core/document/PassedLimits.h"

#include "core/document/Posing.h"
#include "core/math/Degrees.h"
#include "core/solve/JointLimits.h"

#include <QString>

#include <algorithm>
#include <iterator>
#include <map>

namespace tendon {
namespace {

std::string fourDigits(double value) { return QString::number(value, 'g', 4).toStdString(); }

/// "30 degrees past its limit of 90 about x"
std::string textOf(const PassedLimit& passed)
{
    const std::string axis(1, static_cast<char>('x' + passed.axis));
    const bool isSlide = passed.kind == PassedLimit::Kind::Slide;
    const std::string by = isSlide ? fourDigits(passed.by) + " m" : fourDigits(passed.by * kDegrees) + " degrees",
                      limit = fourDigits(isSlide ? passed.limit : passed.limit * kDegrees);
    switch (passed.kind) {
    case PassedLimit::Kind::Turn: return by + " past its limit of " + limit + " about " + axis;
    case PassedLimit::Kind::Slide: return by + " past its limit of " + limit + " along " + axis;
    case PassedLimit::Kind::Swing: return by + " past its swing limit";
    case PassedLimit::Kind::Twist: return by + " past its twist limit of " + limit;
    }
    return {};
}

} // namespace

void warnOfPassedLimits(Draft& draft)
{
    struct Posed
    {
        bool turns = false, slides = false;
    };
    std::map<JointId, Posed> joints;
    for (const ChannelId& channel : draft.posed) {
        const bool isScale = channel.property >= Property::Sx && channel.property <= Property::Sz;
        Posed& posed = joints[JointId{channel.target}];
        if (!isScale) (channel.property <= Property::Tz ? posed.slides : posed.turns) = true;
    }
    std::multimap<double, Issue> warnings; // by how far [rad] or [m] the pose is past a limit at most
    for (const auto& [id, posed] : joints) {
        const Joint* joint = draft.scene.find(id);
        if (joint == nullptr) continue;
        const JointPose pose = jointPose(draft, *joint, draft.time());
        std::string text;
        double worst = 0;
        const auto add = [&](const std::vector<PassedLimit>& limits) {
            for (const PassedLimit& passed : limits) {
                text += (text.empty() ? "" : " and ") + textOf(passed);
                worst = std::max(worst, passed.by);
            }
        };
        if (posed.turns) add(passedTurningLimits(*joint, pose));
        if (posed.slides) add(passedSlidingLimits(*joint, pose));
        if (text.empty()) continue;
        warnings.emplace(
            worst, Issue{.severity = Severity::Warning,
                         .text = "posed " + text + ", where no solver goes; pose it within its limits, or widen them",
                         .where = joint->name,
                         .object = id.value});
    }
    // The last word is the worst; where the pose does not show at all, it is that.
    Issues inOrder;
    for (auto& [worst, warning] : warnings) inOrder.push_back(std::move(warning));
    draft.messages.insert(draft.messages.begin(), std::make_move_iterator(inOrder.begin()),
                          std::make_move_iterator(inOrder.end()));
}

} // namespace tendon

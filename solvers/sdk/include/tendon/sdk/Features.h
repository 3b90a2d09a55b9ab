#pragma once

#include <algorithm>
#include <string_view>

namespace tendon::sdk {

/// A name that a solver may claim in solver.json.
struct Feature
{
    std::string_view name;
    std::string_view meaning; ///< in a sentence that begins with the solver: "meets a position goal"
};

/// The features of this SDK. What a solver does not claim, it refuses with Unsupported, and a host does not ask for it:
/// a member that only some solvers honour is always behind one of these names.
inline constexpr Feature kFeatures[] = {
    {"position-goal", "meets goals of the kind Position"},
    {"orientation-goal", "meets goals of the kind Orientation"},
    {"pose-goal", "meets goals of the kind Pose"},
    {"aim-goal", "meets goals of the kind Aim"},
    {"pole", "meets goals of the kind Pole, with Goal::twist as the swivel angle"},
    {"soft", "honours Goal::soft"},
    {"curve", "follows Problem::curve"},
    {"multi-goal", "meets several goals in one solve"},
    {"tree", "meets goals on several branches in one solve"},
    {"priorities", "honours Goal::priority"},
    {"hard-limits", "keeps every limit exactly"},
    {"objectives", "honours Problem::objectives"},
    {"stretch", "honours Problem::maxStretch"},
    {"closed-form", "needs no iterations where no limit is in the way"},
    {"history", "gives answers that depend on earlier solves"},
    {"stages", "records its stages (Stages.h)"},
    {"no-alloc", "allocates nothing in solve()"},
    {"cancellable", "polls Control::cancelled once per iteration"},
    {"deterministic", "gives the same bits for the same input"},
    {"preferred-angle", "uses Model::preferred"},
    {"stiffness", "uses Model::stiffness"},
    {"precedence", "uses Model::precedence"},
    {"ease", "uses Model::ease"},
    {"damping", "uses Model::damping"},
    {"spring", "uses Model::springRest and Model::springTension"},
    {"follows-seed", "goes from a seed near an answer to an answer near that seed"},
};

/// False for a name that is no feature of this SDK.
constexpr bool isFeature(std::string_view name)
{
    return std::any_of(std::begin(kFeatures), std::end(kFeatures),
                       [name](const Feature& feature) { return feature.name == name; });
}

} // namespace tendon::sdk

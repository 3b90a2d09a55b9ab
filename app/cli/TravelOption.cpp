#include "app/cli/TravelOption.h"

namespace tendon::cli {

std::string checkTravel(const std::string& how)
{
    const bool isBone = how == "bone" || (how.rfind("bone:", 0) == 0 && how.size() > 5);
    return isBone || how == "travels" || how == "in-place" ? "" : "must be travels, in-place, bone or bone:NAME";
}

TravelRequest travelFrom(const std::string& how, const std::string& turns)
{
    TravelRequest request;
    if (how == "in-place") request.travel = RootTravel::InPlace;
    if (how.rfind("bone", 0) == 0) request.travel = RootTravel::Bone;
    if (how.rfind("bone:", 0) == 0) request.rootBone = how.substr(5);
    request.turns = turns.empty() ? request.travel == RootTravel::Bone : turns == "on";
    return request;
}

} // namespace tendon::cli

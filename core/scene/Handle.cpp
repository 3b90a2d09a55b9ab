#include "core/scene/Handle.h"

#include <algorithm>

namespace tendon {

std::vector<ObjectId> Handle::followed() const
{
    std::vector<ObjectId> all = {follow, poleFollow, poleTarget.value, startUp.value, endUp.value};
    all.insert(all.end(), spaces.begin(), spaces.end());
    std::erase(all, ObjectId{0});
    return all;
}

bool Handle::mayFollow(ObjectId object) const
{
    return object == 0 || std::find(spaces.begin(), spaces.end(), object) != spaces.end();
}

} // namespace tendon

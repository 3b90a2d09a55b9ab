#pragma once

#include "core/base/Result.h"
#include "core/base/Shared.h"
#include "core/base/SharedMap.h"
#include "core/scene/Clip.h"
#include "core/scene/Handle.h"
#include "core/scene/Joint.h"
#include "core/scene/ModelAsset.h"
#include "core/scene/ObjectList.h"
#include "core/scene/RoleMap.h"
#include "core/scene/ViewSetup.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

using StaticValues = SharedMap<ChannelId, ChannelValue>;

/// A document's whole content as one value: copy it, compare it, do not keep pointers into it. Cheap to copy, because
/// its parts are shared until they are edited. SceneEdit.h has the edits; core/document adds names and undo.
/// Space: right-handed, +Y up, metres, radians.
struct Scene
{
    std::uint64_t nextId = 1; ///< the next id; ids are never used twice

    Shared<ObjectList<Joint>> joints; ///< in the author's order; a parent may come after its children
    Shared<ObjectList<Handle>> handles;
    /// Values of channels without keys. A channel that is missing has its default: a joint's rest pose, blend 1,
    /// weight 1, twist 0. A handle's goal and pole are always present; its spaces are Handle::follow and poleFollow.
    Shared<StaticValues> statics;
    std::vector<Shared<Clip>> clips;
    Shared<RoleMap> roles;                   ///< what is decided; core/roles guesses the rest
    std::shared_ptr<const ModelAsset> model; ///< null = nothing imported
    Shared<ViewSetup> view;                  ///< what is hidden and locked, selection sets, camera bookmarks

    FrameRate fps;
    std::int32_t firstFrame = 1;
    std::int32_t lastFrame = 100;

    /// JSON text of members of the project file that this version does not know; saved again unchanged.
    std::string unknownMembers;

    [[nodiscard]] const Joint* find(JointId id) const;
    [[nodiscard]] const Handle* find(HandleId id) const;
    [[nodiscard]] const Clip* find(ClipId id) const;
    [[nodiscard]] const Clip* clipNamed(std::string_view name) const;
    [[nodiscard]] const Handle* handleNamed(std::string_view name) const;

    /// The joint with a name, or with a path "a/b/c" if names repeat. Error: no joint matches, or several.
    [[nodiscard]] Result<JointId> jointNamed(std::string_view nameOrPath) const;

    /// The static value of a channel: stored or the default. Precondition: the target exists.
    [[nodiscard]] ChannelValue staticValue(ChannelId channel) const;

    [[nodiscard]] std::uint64_t takeId() { return nextId++; }

    bool operator==(const Scene&) const = default;
};

/// True if `ancestor` is above `joint`; a joint is not its own ancestor.
[[nodiscard]] bool isAncestor(const Scene& scene, JointId ancestor, JointId joint);

/// The ids of `joint` and of all joints below it, parents first.
[[nodiscard]] std::vector<JointId> subtree(const Scene& scene, JointId joint);

/// From `start` down to `end`, both included; empty if `end` is neither `start` nor below it.
[[nodiscard]] std::vector<JointId> chain(const Scene& scene, JointId start, JointId end);

} // namespace tendon

#pragma once

#include "core/base/Result.h"
#include "core/base/Shared.h"
#include "core/scene/Clip.h"
#include "core/scene/Handle.h"
#include "core/scene/Joint.h"
#include "core/scene/ModelAsset.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

using StaticValues = std::map<ChannelId, ChannelValue>;

/// A document's whole content as one value: copy it, compare it, never point into it for long. Cheap to copy, because
/// its parts are shared until edited. What may be done to it is in SceneEdit.h and, with names and undo, in
/// core/document. Space: right-handed, +Y up, metres, radians.
struct Scene
{
    std::uint64_t nextId = 1; ///< ids are drawn from here and never used twice

    Shared<std::vector<Joint>> joints; ///< in the author's order; parents need not come first
    Shared<std::vector<Handle>> handles;
    /// Values of channels without keys. One that is absent is the default: a joint's rest pose, blend 1, weight 1,
    /// twist 0; a handle's goal and pole are always here.
    Shared<StaticValues> statics;
    std::vector<Shared<Clip>> clips;
    std::shared_ptr<const ModelAsset> model; ///< null = nothing imported

    FrameRate fps;
    std::int32_t firstFrame = 1;
    std::int32_t lastFrame = 100;

    /// JSON text of members of the project file that this version does not know; kept and written back.
    std::string unknownMembers;

    [[nodiscard]] const Joint* find(JointId id) const;
    [[nodiscard]] const Handle* find(HandleId id) const;
    [[nodiscard]] const Clip* find(ClipId id) const;
    [[nodiscard]] const Clip* clipNamed(std::string_view name) const;
    [[nodiscard]] const Handle* handleNamed(std::string_view name) const;

    /// The joint of a name, or of a path "a/b/c" where names repeat. Error: none or several of that name.
    [[nodiscard]] Result<JointId> jointNamed(std::string_view nameOrPath) const;

    /// The static value of a channel: the stored one or its default. Precondition: the target exists.
    [[nodiscard]] ChannelValue staticValue(ChannelId channel) const;

    [[nodiscard]] std::uint64_t takeId() { return nextId++; }

    bool operator==(const Scene&) const = default;
};

/// True when `ancestor` is above `joint`; a joint is not its own ancestor.
[[nodiscard]] bool isAncestor(const Scene& scene, JointId ancestor, JointId joint);

/// Ids of `joint` and all below it, parents first.
[[nodiscard]] std::vector<JointId> subtree(const Scene& scene, JointId joint);

/// From `start` down to `end`, both included; empty when `end` is not `start` or below it.
[[nodiscard]] std::vector<JointId> chain(const Scene& scene, JointId start, JointId end);

} // namespace tendon

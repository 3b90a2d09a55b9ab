#pragma once

#include "core/retarget/JointPairs.h"
#include "core/roles/Roles.h"
#include "core/scene/Scene.h"

#include <string>
#include <vector>

namespace tendon::editor {

/// A line of the table of a retarget: a role, or the two sides of one, and the joints that have it.
struct RetargetRow
{
    enum class Mark {
        Ok,
        Note,  ///< taken care of, with a word about it
        Check, ///< a person should look
    };
    /// One side of a pair, or the middle.
    struct Part
    {
        std::string role;
        std::vector<JointId> motion, character; ///< from the top
        bool operator==(const Part&) const = default;
    };

    std::vector<Part> parts; ///< left and right, or one
    Mark mark = Mark::Ok;
    std::string reason;    ///< why it is to be checked, or the note; else what the role was told by
    double confidence = 1; ///< of the less sure side
    bool isFinger = false;
    bool isChanged = false; ///< by hand
    bool isUnused = false;  ///< joints of the motion that nothing on the character follows; `parts` has their roles

    /// Left and right on one line.
    [[nodiscard]] bool isPair() const { return !isUnused && parts.size() == 2; }
    bool operator==(const RetargetRow&) const = default;
};

/// What the rows are made from: the guesses of both sides, and the roles of the motion as they are now.
struct RetargetTableSources
{
    const RoledFigure& motion;
    const RoledFigure& character;
    const SkeletonRoles& motionGuess;
    const SkeletonRoles& characterGuess;
    const std::vector<std::string>& changed; ///< roles said by hand
    bool isMapped = false;                   ///< the motion's roles are those of a saved map, which are taken as sure
};

/// The rows, from the hips outward, fingers last, then what is not used.
[[nodiscard]] std::vector<RetargetRow> retargetRows(const RetargetTableSources& sources);

} // namespace tendon::editor

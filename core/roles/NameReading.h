#pragma once

#include "core/roles/RoleNames.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tendon {

/// A part of a body, without its side.
enum class Part {
    Root,
    Hips,
    Spine,
    Chest,
    UpperChest,
    Neck,
    Head,
    Jaw,
    Eye,
    Shoulder,
    UpperArm,
    LowerArm,
    Hand,
    UpperLeg,
    LowerLeg,
    Foot,
    Toes,
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
    Finger, ///< of which the name does not say which
    Tail,
    Ear,
    Wing,
    Fin,
};
inline constexpr std::size_t kPartCount = static_cast<std::size_t>(Part::Fin) + 1;

/// What the name of a joint says, read together with the names of the others: "LeftLeg" is a shin where there is a
/// "LeftUpLeg", and a thigh where there is a "LeftShin".
struct NameReading
{
    Side side = Side::Centre;
    bool hasSide = false;
    bool isFront = false, isHind = false;  ///< of an animal's legs
    std::array<double, kPartCount> fits{}; ///< 0 ... 1: how well each part fits the name
    int number = -1;                       ///< after the part's word; of a finger its link; -1 = none
    bool isMetacarpal = false;
    bool isEnd = false;     ///< the end of a branch: "Head_end", "Nub"
    bool isTwist = false;   ///< "twist", "roll"
    bool isControl = false; ///< of a rig: an IK target, a pole
    bool isOther = false;   ///< something known that is no part of a body: hair, a sword
    std::string word;       ///< that decided: "thigh"; "" = the name says nothing

    [[nodiscard]] double fit(Part part) const { return fits[static_cast<std::size_t>(part)]; }
    [[nodiscard]] bool saysPart() const;
    [[nodiscard]] bool saysAnything() const { return saysPart() || isEnd || isTwist || isControl || isOther; }
};

/// In the order of the names.
[[nodiscard]] std::vector<NameReading> readNames(std::span<const std::string> names);

} // namespace tendon

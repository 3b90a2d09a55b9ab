#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// What a word in the name of a joint means.
enum class Meaning {
    // where
    Left,
    Right,
    Centre,
    Upper,
    Lower,
    Fore,  ///< "fore" of forearm and foreleg, "F" of LFArm and RF
    Front, ///< of animals
    Hind,
    Mid,
    // legs
    Thigh,
    Leg,
    Shin,
    Ankle,
    Foot,
    Toe,
    // trunk
    Pelvis,
    Hip,
    Body,
    Spine,
    Back,
    Belly,
    Torso,
    Chest,
    Thorax,
    Neck,
    Head,
    Jaw,
    Eye,
    // arms
    Collar,
    Shoulder,
    Shoulders,
    Arm,
    UpperArm,
    Forearm,
    Wrist,
    Hand,
    Palm,
    Finger,
    Thumb,
    Index,
    MiddleFinger,
    RingFinger,
    Little,
    // links of a finger
    Metacarpal,
    Proximal,
    Intermediate,
    Distal,
    // animals
    Tail,
    Ear,
    Wing,
    Fin,
    // not parts of a body
    Root,
    End,
    Twist,
    Roll,    ///< a twist helper, or an axis of a robot's joint
    Axis,    ///< pitch, yaw
    Control, ///< of a rig: IK targets, poles
    Other,   ///< hair, clothes, weapons, cameras, muscles of the face
    Empty,   ///< says nothing: "joint", "bip", "mixamorig"
};

/// A word of a name, or a number in it.
struct NameWord
{
    std::string text; ///< in small letters; of a number, its digits
    Meaning meaning = Meaning::Empty;
    bool isKnown = false;
    bool isNumber = false;
};

/// The words of a name, told apart by punctuation, capitals, digits, and by what words there are ("lthigh", "左足首").
/// Namespaces before a colon are left out.
[[nodiscard]] std::vector<NameWord> wordsOf(std::string_view name);

} // namespace tendon

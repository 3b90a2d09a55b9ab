#include "core/roles/NameWords.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <unordered_map>

namespace tendon {
namespace {

struct Entry
{
    std::string_view text;
    Meaning meaning;
};

/// Words that names of joints are made of. Where conventions differ in what a word means, NameReading decides by the
/// other names of the skeleton.
constexpr Entry kWords[] = {
    // sides: Mixamo, HumanIK, VRM, Unity "Left"; Unreal, Rigify, Biped "l"; Advanced Skeleton "M"; Auto-Rig Pro "x"
    {"left", Meaning::Left},
    {"l", Meaning::Left},
    {"lft", Meaning::Left},
    {"right", Meaning::Right},
    {"r", Meaning::Right},
    {"rgt", Meaning::Right},
    {"center", Meaning::Centre},
    {"centre", Meaning::Centre},
    {"c", Meaning::Centre},
    {"m", Meaning::Centre},
    {"upper", Meaning::Upper},
    {"up", Meaning::Upper},
    {"upr", Meaning::Upper},
    {"u", Meaning::Upper},
    {"lower", Meaning::Lower},
    {"low", Meaning::Lower},
    {"lo", Meaning::Lower},
    {"lwr", Meaning::Lower},
    {"fore", Meaning::Fore},
    {"f", Meaning::Fore},
    {"front", Meaning::Front},
    {"hind", Meaning::Hind},
    {"rear", Meaning::Hind},
    {"mid", Meaning::Mid},
    // legs
    {"thigh", Meaning::Thigh},
    {"femur", Meaning::Thigh}, // CMU's ASF, anatomy
    {"hfe", Meaning::Thigh},   // robots: hip flexion and extension
    {"leg", Meaning::Leg},
    {"shin", Meaning::Shin},
    {"calf", Meaning::Shin}, // Unreal, Biped
    {"knee", Meaning::Shin}, // SMPL, MMD, 3ds Max BVH: the joint's name for the bone below it
    {"tibia", Meaning::Shin},
    {"shank", Meaning::Shin},
    {"kfe", Meaning::Shin}, // robots: knee flexion and extension
    {"crus", Meaning::Shin},
    {"ankle", Meaning::Ankle},
    {"talocrural", Meaning::Ankle},
    {"foot", Meaning::Foot},
    {"feet", Meaning::Foot},
    {"paw", Meaning::Foot},
    {"hoof", Meaning::Foot},
    {"toe", Meaning::Toe},
    {"toes", Meaning::Toe},
    {"ball", Meaning::Toe}, // Unreal
    {"bale", Meaning::Toe}, // alaska
    {"toebase", Meaning::Toe},
    {"forefoot", Meaning::Toe},
    // trunk
    {"pelvis", Meaning::Pelvis},
    {"hip", Meaning::Hip},
    {"hips", Meaning::Hip},
    {"haa", Meaning::Hip}, // robots: hip abduction and adduction
    {"body", Meaning::Body},
    {"spine", Meaning::Spine},
    {"spinal", Meaning::Spine},
    {"back", Meaning::Back},
    {"abdomen", Meaning::Belly},
    {"ab", Meaning::Belly}, // OptiTrack
    {"belly", Meaning::Belly},
    {"waist", Meaning::Belly},
    {"stomach", Meaning::Belly},
    {"navel", Meaning::Belly},
    {"lumbar", Meaning::Belly},
    {"torso", Meaning::Torso},
    {"trunk", Meaning::Torso},
    {"chest", Meaning::Chest},
    {"thorax", Meaning::Thorax},
    {"ribcage", Meaning::Thorax},
    {"ribs", Meaning::Thorax},
    {"neck", Meaning::Neck},
    {"cervical", Meaning::Neck},
    {"head", Meaning::Head},
    {"skull", Meaning::Head},
    {"atlas", Meaning::Head},
    {"jaw", Meaning::Jaw},
    {"chin", Meaning::Jaw},
    {"mouth", Meaning::Jaw},
    {"eye", Meaning::Eye},
    {"eyeball", Meaning::Eye},
    {"faceeye", Meaning::Eye}, // VRoid
    // arms
    {"clavicle", Meaning::Collar},
    {"clav", Meaning::Collar},
    {"collar", Meaning::Collar},
    {"collarbone", Meaning::Collar},
    {"scapula", Meaning::Collar},
    {"shoulder", Meaning::Shoulder},
    {"shoulders", Meaning::Shoulders},
    {"shldr", Meaning::UpperArm}, // Poser, Daz
    {"arm", Meaning::Arm},
    {"humerus", Meaning::UpperArm},
    {"elbow", Meaning::Forearm},
    {"radius", Meaning::Forearm},
    {"forearm", Meaning::Forearm},
    {"wrist", Meaning::Wrist},
    {"hand", Meaning::Hand},
    {"fist", Meaning::Hand},
    {"palm", Meaning::Palm},
    {"finger", Meaning::Finger},
    {"fingers", Meaning::Finger},
    {"digit", Meaning::Finger}, // CAT
    {"thumb", Meaning::Thumb},
    {"index", Meaning::Index},
    {"middle", Meaning::MiddleFinger},
    {"third", Meaning::RingFinger}, // MMD's English names
    {"ring", Meaning::RingFinger},
    {"little", Meaning::Little},
    {"pinky", Meaning::Little},
    {"pinkie", Meaning::Little},
    {"small", Meaning::Little},
    {"metacarpal", Meaning::Metacarpal},
    {"metac", Meaning::Metacarpal},
    {"carpal", Meaning::Metacarpal},
    {"meta", Meaning::Metacarpal},
    {"base", Meaning::Metacarpal},
    {"proximal", Meaning::Proximal},
    {"intermediate", Meaning::Intermediate},
    {"medial", Meaning::Intermediate}, // Rokoko
    {"distal", Meaning::Distal},
    // animals
    {"tail", Meaning::Tail},
    {"ear", Meaning::Ear},
    {"wing", Meaning::Wing},
    {"fin", Meaning::Fin},
    {"forepaw", Meaning::Front},
    {"ff", Meaning::Front}, // Quaternius: front foot, and hind foot
    {"ffb", Meaning::Hind},
    // what only looks like a part
    {"root", Meaning::Root},
    {"reference", Meaning::Root},
    {"master", Meaning::Root},
    {"world", Meaning::Root},
    {"groove", Meaning::Root}, // MMD
    {"mother", Meaning::Root},
    {"armature", Meaning::Root},
    {"skeleton", Meaning::Root},
    {"hub", Meaning::Hip}, // CAT
    {"end", Meaning::End},
    {"nub", Meaning::End}, // Biped
    {"tip", Meaning::End},
    {"leaf", Meaning::End},
    {"site", Meaning::End},
    {"endsite", Meaning::End},
    {"null", Meaning::End},
    {"top", Meaning::Empty},
    {"twist", Meaning::Twist},
    {"helper", Meaning::Twist},
    {"part", Meaning::Twist}, // Advanced Skeleton
    {"bicep", Meaning::Twist},
    {"ulna", Meaning::Twist},
    {"roll", Meaning::Roll},
    {"pitch", Meaning::Axis},
    {"yaw", Meaning::Axis},
    {"ik", Meaning::Control},
    {"pole", Meaning::Control},
    {"target", Meaning::Control},
    {"poletarget", Meaning::Control},
    {"pt", Meaning::Control},
    {"ctrl", Meaning::Control},
    {"control", Meaning::Control},
    {"orient", Meaning::Control},
    {"mch", Meaning::Control}, // Rigify
    {"wgt", Meaning::Control},
    {"vis", Meaning::Control},
    {"tracker", Meaning::Control},
    {"footsteps", Meaning::Control}, // Biped
    {"heel", Meaning::Other},
    {"hair", Meaning::Other},
    {"breast", Meaning::Other},
    {"bust", Meaning::Other},
    {"buttock", Meaning::Other},
    {"butt", Meaning::Other},
    {"glut", Meaning::Other},
    {"delt", Meaning::Other},
    {"rect", Meaning::Other},
    {"sternum", Meaning::Other},
    {"skirt", Meaning::Other},
    {"cloth", Meaning::Other},
    {"cape", Meaning::Other},
    {"coat", Meaning::Other},
    {"hat", Meaning::Other},
    {"bag", Meaning::Other},
    {"belt", Meaning::Other},
    {"weapon", Meaning::Other},
    {"gun", Meaning::Other},
    {"sword", Meaning::Other},
    {"shield", Meaning::Other},
    {"prop", Meaning::Other},
    {"slot", Meaning::Other},
    {"socket", Meaning::Other},
    {"antenna", Meaning::Other},
    {"attachment", Meaning::Other},
    {"camera", Meaning::Other},
    {"light", Meaning::Other},
    {"tongue", Meaning::Other},
    {"teeth", Meaning::Other},
    {"lip", Meaning::Other},
    {"upperlip", Meaning::Other},
    {"brow", Meaning::Other},
    {"eyebrow", Meaning::Other},
    {"eyelid", Meaning::Other},
    {"lid", Meaning::Other},
    {"blink", Meaning::Other},
    {"cheek", Meaning::Other},
    {"nose", Meaning::Other},
    {"face", Meaning::Other},
    {"sec", Meaning::Other}, // VRoid's spring bones
    {"adj", Meaning::Empty},
    {"antenna", Meaning::Other},
    {"frame", Meaning::Other},
    {"sensor", Meaning::Other},
    {"bumper", Meaning::Other},
    {"touch", Meaning::Other},
    {"imu", Meaning::Other},
    {"rotor", Meaning::Other},
    {"inertia", Meaning::Other},
    {"visual", Meaning::Other},
    {"collision", Meaning::Other},
    {"wheel", Meaning::Other},
    {"gripper", Meaning::Hand},
    // without a meaning of their own
    {"joint", Meaning::Empty},
    {"jnt", Meaning::Empty},
    {"jt", Meaning::Empty},
    {"j", Meaning::Empty},
    {"link", Meaning::Empty},
    {"bone", Meaning::Empty},
    {"b", Meaning::Empty},
    {"bn", Meaning::Empty},
    {"bip", Meaning::Empty},
    {"biped", Meaning::Empty},
    {"valvebiped", Meaning::Empty},
    {"mixamorig", Meaning::Empty},
    {"character", Meaning::Empty},
    {"rig", Meaning::Empty},
    {"def", Meaning::Empty},
    {"org", Meaning::Empty},
    {"cc", Meaning::Empty},
    {"avg", Meaning::Empty},
    {"normalized", Meaning::Empty},
    {"bend", Meaning::Empty},
    {"stretch", Meaning::Empty},
    {"in", Meaning::Empty}, // HumanIK's InHandIndex
    {"offset", Meaning::Empty},
    {"fk", Meaning::Empty},
    {"robot", Meaning::Empty},
    // MikuMikuDance
    {"左", Meaning::Left},
    {"右", Meaning::Right},
    {"全ての親", Meaning::Root},
    {"操作中心", Meaning::Root},
    {"センター", Meaning::Root},
    {"グルーブ", Meaning::Root},
    {"腰", Meaning::Root},
    {"下半身", Meaning::Pelvis},
    {"上半身", Meaning::Spine},
    {"首", Meaning::Neck},
    {"頭", Meaning::Head},
    {"目", Meaning::Eye},
    {"両目", Meaning::Other},
    {"肩", Meaning::Collar},
    {"腕", Meaning::UpperArm},
    {"ひじ", Meaning::Forearm},
    {"肘", Meaning::Forearm},
    {"手首", Meaning::Wrist},
    {"手", Meaning::Hand},
    {"足", Meaning::Thigh},
    {"ひざ", Meaning::Shin},
    {"膝", Meaning::Shin},
    {"足首", Meaning::Ankle},
    {"つま先", Meaning::Toe},
    {"足先", Meaning::Toe},
    {"親指", Meaning::Thumb},
    {"人指", Meaning::Index},
    {"人差指", Meaning::Index},
    {"中指", Meaning::MiddleFinger},
    {"薬指", Meaning::RingFinger},
    {"小指", Meaning::Little},
    {"捩", Meaning::Twist},
    {"髪", Meaning::Other},
    {"胸", Meaning::Other},
    {"先", Meaning::End},
    {"尾", Meaning::Tail},
    {"耳", Meaning::Ear},
    {"羽", Meaning::Wing},
};

const std::unordered_map<std::string_view, Meaning>& vocabulary()
{
    static const std::unordered_map<std::string_view, Meaning> words = [] {
        std::unordered_map<std::string_view, Meaning> map;
        for (const Entry& entry : kWords) map.emplace(entry.text, entry.meaning);
        return map;
    }();
    return words;
}

/// Words that one letter before them makes sided: "lthigh", but not "lleg" read as "l" and "leg" within other words.
bool mayFollowSide(std::string_view word) { return word.size() >= 3; }

bool isAsciiLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool isUpperCase(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool isLowerCase(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool isDigitChar(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool isForeign(char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; }

/// Full-width letters and digits as plain ones; FBX's escapes "FBXASC046" as what they stand for.
std::string plain(std::string_view name)
{
    std::string result;
    for (std::size_t i = 0; i < name.size();) {
        const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(name[i + k]); };
        if (i + 2 < name.size() && byte(0) == 0xEF && (byte(1) == 0xBC || byte(1) == 0xBD)) {
            const int code = ((byte(0) & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
            if (code >= 0xFF01 && code <= 0xFF5E) {
                result += static_cast<char>(code - 0xFF00 + 0x20);
                i += 3;
                continue;
            }
        }
        if (name.substr(i).starts_with("FBXASC") && i + 9 <= name.size() && isDigitChar(name[i + 6]) &&
            isDigitChar(name[i + 7]) && isDigitChar(name[i + 8])) {
            const int code = (name[i + 6] - '0') * 100 + (name[i + 7] - '0') * 10 + (name[i + 8] - '0');
            if (code >= 32 && code < 127) result += static_cast<char>(code);
            i += 9;
            continue;
        }
        result += name[i++];
    }
    return result;
}

/// The fewest known words that a piece consists of; none if it does not consist of known words. A single letter counts
/// as a word only as a side at the beginning or the end.
std::optional<std::vector<std::string_view>> split(std::string_view piece)
{
    const auto& words = vocabulary();
    if (words.contains(piece)) return std::vector{piece};
    constexpr std::size_t kNone = 1000;
    std::vector<std::size_t> count(piece.size() + 1, kNone), from(piece.size() + 1, 0);
    count[0] = 0;
    for (std::size_t end = 1; end <= piece.size(); ++end)
        for (std::size_t begin = 0; begin < end; ++begin) {
            const std::string_view word = piece.substr(begin, end - begin);
            if (count[begin] == kNone || !words.contains(word)) continue;
            const bool isSide = word == "l" || word == "r";
            if (word.size() == 1 && !isSide) continue;
            if (isSide && !(begin == 0 && mayFollowSide(piece.substr(1)))) continue;
            if (count[begin] + 1 < count[end]) {
                count[end] = count[begin] + 1;
                from[end] = begin;
            }
        }
    if (count[piece.size()] == kNone) return std::nullopt;
    std::vector<std::string_view> parts;
    for (std::size_t end = piece.size(); end > 0; end = from[end])
        parts.push_back(piece.substr(from[end], end - from[end]));
    std::reverse(parts.begin(), parts.end());
    return parts;
}

void addPiece(std::string piece, std::vector<NameWord>& words)
{
    std::transform(piece.begin(), piece.end(), piece.begin(),
                   [](unsigned char c) { return static_cast<char>(c < 0x80 ? std::tolower(c) : c); });
    static constexpr std::array<std::pair<std::string_view, std::array<std::string_view, 2>>, 8> kGlued = {{
        {"lu", {"l", "u"}}, // OptiTrack's LUArm and LFArm
        {"ru", {"r", "u"}},
        {"lf", {"l", "f"}}, // and LF, RH of four legs
        {"rf", {"r", "f"}},
        {"fl", {"l", "f"}},
        {"fr", {"r", "f"}},
        {"lh", {"l", "hind"}},
        {"rh", {"r", "hind"}},
    }};
    static constexpr std::array<std::pair<std::string_view, std::array<std::string_view, 2>>, 6> kHind = {{
        {"hl", {"l", "hind"}},
        {"hr", {"r", "hind"}},
        {"rl", {"l", "hind"}},
        {"rr", {"r", "hind"}},
        {"lb", {"l", "hind"}},
        {"rb", {"r", "hind"}},
    }};
    const auto add = [&](std::string_view word) {
        const auto known = vocabulary().find(word);
        words.push_back({std::string(word), known == vocabulary().end() ? Meaning::Empty : known->second,
                         known != vocabulary().end(), false});
    };
    const auto glued = [&](const auto& table) {
        for (const auto& [text, parts] : table)
            if (text == piece) {
                for (const std::string_view part : parts) add(part);
                return true;
            }
        return false;
    };
    if (glued(kGlued) || glued(kHind)) return;
    if (const auto parts = split(piece))
        for (const std::string_view part : *parts) add(part);
    else
        add(piece);
}

} // namespace

std::vector<NameWord> wordsOf(std::string_view name)
{
    // Before a namespace stands what a reader puts in front of the name of the parent: "EndSite_A:B:LeftFoot".
    static constexpr std::string_view kEndSite = "EndSite_";
    std::string text = plain(name);
    if (const auto colon = text.find_last_of(':'); colon != std::string::npos && colon + 1 < text.size())
        text = (text.starts_with(kEndSite) ? std::string(kEndSite) : std::string()) + text.substr(colon + 1);
    std::vector<NameWord> words;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        if (isDigitChar(text[i])) {
            while (end < text.size() && isDigitChar(text[end])) ++end;
            words.push_back({text.substr(i, end - i), Meaning::Empty, false, true});
        } else if (isForeign(text[i])) {
            while (end < text.size() && isForeign(text[end])) ++end;
            addPiece(text.substr(i, end - i), words);
        } else if (isAsciiLetter(text[i])) {
            // A word runs to the next non-letter, to a capital after a small letter, or, from "LThigh", to the last
            // capital.
            while (end < text.size() && isAsciiLetter(text[end]) &&
                   !(isLowerCase(text[end - 1]) && isUpperCase(text[end])) &&
                   !(isUpperCase(text[end - 1]) && isUpperCase(text[end]) && end + 1 < text.size() &&
                     isLowerCase(text[end + 1])))
                ++end;
            addPiece(text.substr(i, end - i), words);
        }
        i = end;
    }
    return words;
}

} // namespace tendon

#include "core/document/LimitGuess.h"

#include "core/math/Degrees.h"
#include "core/scene/RestPose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <string_view>

namespace tendon {

namespace {

constexpr const char* kAxes[] = {"x", "y", "z"};
constexpr double kPi = std::numbers::pi;

std::string inDegrees(double angle) { return std::to_string(std::lround(degrees(angle))); }

// From clips

/// The angles that the keys of clips give a joint, one list for each axis [rad]. `from`: of one clip; none = of all.
std::array<std::vector<double>, 3> keyedAngles(const Scene& scene, const Joint& joint, std::optional<ClipId> from)
{
    std::array<std::vector<double>, 3> result;
    for (const Shared<Clip>& clip : scene.clips) {
        if (from && clip->id != *from) continue;
        if (const KeyList* rotations = clip->find({joint.id.value, Property::Rotation})) {
            Vector3 angles = Vector3::Zero();
            for (const Key& key : rotations->toVector()) {
                angles = anglesOf(joint, toQuaternion(key.value.data()), angles);
                for (std::size_t k = 0; k < 3; ++k) result[k].push_back(angles[static_cast<Eigen::Index>(k)]);
            }
        }
        for (std::size_t k = 0; k < 3; ++k)
            if (const KeyList* keys = clip->find({joint.id.value, kAngles[k]}))
                for (const Key& key : keys->toVector()) result[k].push_back(key.value[0]);
    }
    return result;
}

struct Range
{
    double from = 0, to = 0; ///< [rad]
};

/// Where almost all of the values lie.
Range trimmed(std::vector<double> values)
{
    constexpr double kTrimmed = 0.005; // of the values, at each end: single frames that jump
    std::sort(values.begin(), values.end());
    const auto out = static_cast<std::size_t>(kTrimmed * static_cast<double>(values.size()));
    return {values[out], values[values.size() - 1 - out]};
}

std::optional<LimitGuess> fromClips(const Scene& scene, const Joint& joint, std::optional<ClipId> from)
{
    constexpr double kStill = radians(3);   // less than this says nothing about what the joint can do
    constexpr double kWhole = radians(300); // limits so far apart keep a joint from nothing
    constexpr double kShareOfRange = 0.15;  // beyond what the clips show, on both sides
    const auto angles = keyedAngles(scene, joint, from);
    std::array<Range, 3> ranges;
    double widest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!angles[k].empty()) ranges[k] = trimmed(angles[k]);
        widest = std::max(widest, ranges[k].to - ranges[k].from);
    }
    if (widest < kStill) return std::nullopt;
    LimitGuess guess{joint, "The clips turn it", "range of the clips and 15 %"};
    guess.joint.ball.reset();
    const char* between = " ";
    std::string round; // axes that limits would do nothing about
    for (std::size_t k = 0; k < 3; ++k) {
        AxisFreedom& axis = guess.joint.turning[k];
        const double width = ranges[k].to - ranges[k].from;
        const double margin = kShareOfRange * width;
        if (!axis.active) continue;
        if (width + 2 * margin > kWhole) {
            round += (round.empty() ? "" : " and ") + std::string(kAxes[k]);
            continue;
        }
        axis.limited = true;
        axis.from = std::min(0.0, ranges[k].from - margin);
        axis.to = std::max(0.0, ranges[k].to + margin);
        if (width < kStill) continue;
        guess.reason += between + ("from " + inDegrees(ranges[k].from)) + " to " + inDegrees(ranges[k].to) +
                        " degrees about " + kAxes[k] + " (limits with a margin: " + inDegrees(axis.from) + " to " +
                        inDegrees(axis.to) + ")";
        between = ", ";
    }
    if (!round.empty()) round = "turn it almost all the way round about " + round;
    if (*between == ' ')
        return LimitGuess{joint, "The clips " + round + ", so limits would keep it from nothing.", {}, false};
    guess.reason += round.empty() ? "." : "; they " + round + ", where it stays free.";
    return guess;
}

// From the kind of joint

enum class Kind { Hinge, Ball, Free };

/// What is usual for a joint of a body.
struct Usual
{
    const char* what;
    Kind kind = Kind::Free;
    double swing = 0; ///< [deg] of a ball; of a hinge: how far it bends from straight
    double twist = 0; ///< [deg] to both sides
    int forward = 0;  ///< a hinge takes what is below it forward (1) or backward (-1), seen from the body; 0 = either
};

constexpr Usual kKnee{"A knee", Kind::Hinge, 150, 0, -1}, kElbow{"An elbow", Kind::Hinge, 150, 0, 1},
    kKnuckle{"A knuckle", Kind::Hinge, 100}, kMiddle{"The middle joint of a bent limb", Kind::Hinge, 150},
    kHip{"A hip", Kind::Ball, 120, 50}, kShoulder{"A shoulder", Kind::Ball, 130, 100},
    kCollar{"A collarbone", Kind::Ball, 40, 20}, kNeck{"A neck", Kind::Ball, 45, 60},
    kHead{"A head", Kind::Ball, 45, 50}, kSpine{"A joint of the spine", Kind::Ball, 40, 35},
    // Where no joint twists a forearm, it turns at the wrist.
    kWrist{"A wrist", Kind::Ball, 80, 90}, kAnkle{"An ankle", Kind::Ball, 55, 35}, kToes{"Toes", Kind::Ball, 60, 10},
    kFinger{"The first joint of a finger", Kind::Ball, 80, 15}, kNothing{"", Kind::Free};

std::string plainName(const std::string& name)
{
    std::string result = name.substr(name.find_last_of(':') + 1); // without a namespace
    std::erase_if(result, [](char c) { return c == '_' || c == '.' || c == '-' || c == ' '; });
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

/// An ear, a tail or the like, whose joints bend all ways: "Ear3", "L_Tail2", "tongue01", but not "forearm" and "gear".
bool isOfAppendage(std::string_view plain)
{
    const auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
    for (const std::string_view side : {"", "l", "r", "left", "right"})
        for (const std::string_view word :
             {"ear", "tail", "tongue", "hair", "antenna", "tentacle", "trunk", "fin", "skirt", "cape", "scarf"}) {
            if (plain.substr(0, side.size()) != side || plain.substr(side.size(), word.size()) != word) continue;
            std::string_view rest = plain.substr(side.size() + word.size());
            for (const std::string_view end : {"left", "right", "base", "mid", "tip", "bone", "joint", "l", "r"})
                if (rest.substr(0, end.size()) == end) {
                    rest.remove_prefix(end.size());
                    break;
                }
            if (rest.empty() || !isLetter(rest.front())) return true;
        }
    return false;
}

/// What is usual for a part of a body: a role without its side.
Usual usualOf(std::string_view part)
{
    static constexpr std::pair<std::string_view, Usual> kParts[] = {
        {"upperLeg", kHip},      {"lowerLeg", kKnee},        {"foot", kAnkle},
        {"toes", kToes},         {"shoulder", kCollar},      {"upperArm", kShoulder},
        {"lowerArm", kElbow},    {"hand", kWrist},           {"neck", kNeck},
        {"head", kHead},         {"spine", kSpine},          {"chest", kSpine},
        {"upperChest", kSpine},  {"hindUpperLeg", kHip},     {"hindLowerLeg", kMiddle},
        {"hindFoot", kAnkle},    {"hindToes", kToes},        {"frontShoulder", kCollar},
        {"frontUpperLeg", kHip}, {"frontLowerLeg", kMiddle}, {"frontFoot", kAnkle},
        {"frontToes", kToes}};
    for (const auto& [name, usual] : kParts)
        if (name == part) return usual;
    if (part.starts_with("tail")) return kSpine;
    if (part == "thumbMetacarpal" || (part.ends_with("Proximal") && !part.starts_with("thumb"))) return kFinger;
    if (part.ends_with("Intermediate") || part.ends_with("Distal") || part == "thumbProximal") return kKnuckle;
    if (part.ends_with("Lower")) return kMiddle; // of many legs
    return kNothing;
}

/// Where a joint's bones lie at rest, in its own space: unit vectors from its parent to it, and from it to its child.
struct Bones
{
    Vector3 above = Vector3::Zero(), below = Vector3::Zero();

    [[nodiscard]] double bend() const { return std::atan2(above.cross(below).norm(), above.dot(below)); }
};

class KindGuess
{
public:
    KindGuess(const Scene& scene, const SkeletonRoles& roles)
        : m_scene(scene), m_roles(roles),
          m_facing(roles.frame.facingConfidence > 0.6 ? roles.frame.forward : Vector3(Vector3::Zero()))
    {
    }

    [[nodiscard]] std::optional<LimitGuess> of(const Joint& joint) const
    {
        const std::optional<Bones> bones = bonesOf(joint);
        const Usual usual = usualFor(joint, bones);
        if (usual.kind == Kind::Free || !bones) return std::nullopt;
        return usual.kind == Kind::Hinge ? hinge(joint, usual, *bones) : ball(joint, usual, *bones);
    }

    /// How far a joint of its kind bends or swings. [rad]
    [[nodiscard]] double usualSwing(const Joint& joint) const { return radians(usualFor(joint, bonesOf(joint)).swing); }

    [[nodiscard]] bool isEndOfBranch(const Joint& joint) const { return !bonesOf(joint); }

private:
    [[nodiscard]] Usual usualFor(const Joint& joint, const std::optional<Bones>& bones) const
    {
        const auto part = m_roles.parts.find(joint.id);
        const Usual usual = part == m_roles.parts.end() ? kNothing : usualOf(part->second);
        const bool isMiddle = usual.kind == Kind::Free && bones && !isOfAppendage(plainName(joint.name)) &&
                              isMiddleOfLimb(joint, *bones);
        return isMiddle ? kMiddle : usual;
    }

    [[nodiscard]] std::vector<const Joint*> childrenOf(const Joint& joint) const
    {
        std::vector<const Joint*> children;
        for (const Joint& other : *m_scene.joints)
            if (other.parent == joint.id) children.push_back(&other);
        return children;
    }

    /// Empty where the joint has no bone below it. Of several, the longest counts.
    [[nodiscard]] std::optional<Bones> bonesOf(const Joint& joint) const
    {
        Vector3 longest = Vector3::Zero();
        for (const Joint* child : childrenOf(joint))
            if (child->rest.translation.norm() > longest.norm()) longest = child->rest.translation;
        if (!(longest.norm() > 0)) return std::nullopt;
        const Vector3 above = joint.rest.rotation.conjugate() * joint.rest.translation;
        return Bones{above.norm() > 0 ? Vector3(above.normalized()) : Vector3(Vector3::Zero()), longest.normalized()};
    }

    /// Between two bones of about the same length, bent at rest, with nothing else hanging on it.
    [[nodiscard]] bool isMiddleOfLimb(const Joint& joint, const Bones& bones) const
    {
        constexpr double kBent = radians(5);
        const Joint* parent = m_scene.find(joint.parent);
        const auto children = childrenOf(joint);
        if (parent == nullptr || children.size() != 1 || childrenOf(*children[0]).size() > 1) return false;
        const double ratio = joint.rest.translation.norm() / children[0]->rest.translation.norm();
        return bones.bend() > kBent && ratio > 0.5 && ratio < 2 && childrenOf(*parent).size() == 1;
    }

    /// The unit vector about which a positive angle bends a joint as a body does, in the joint's own space. Zero: it is
    /// not known, as the body's front is not, or the bone points there.
    [[nodiscard]] Vector3 bodyAxis(const Joint& joint, const Usual& usual, const Bones& bones) const
    {
        constexpr double kAcross = 0.5; // sine of the angle between the bone and the front
        const Quaternion world = rotationOf(worldInRestPose(m_scene, joint.id));
        const Vector3 about = bones.below.cross(world.conjugate() * Vector3(usual.forward * m_facing));
        return about.norm() > kAcross ? Vector3(about.normalized()) : Vector3(Vector3::Zero());
    }

    /// Bends on from where it is bent at rest, about the own axis that comes nearest, and back until it is straight.
    /// One that is straight bends as in a body.
    [[nodiscard]] LimitGuess hinge(const Joint& joint, const Usual& usual, const Bones& bones) const
    {
        constexpr double kSure = radians(1); // bent by less, the rest pose does not show the way
        constexpr double kBent = radians(5); // bent by more, it does whatever the body's way is
        constexpr double kAlong = 0.85;      // cosine: otherwise no single axis bends it that way
        constexpr double kAlongBody = 0.7;   // the same for the body's way, which is known only roughly
        const auto none = [&](const char* why) {
            return LimitGuess{joint, std::string(usual.what) + " is a hinge, but " + why, {}, false};
        };
        double bend = bones.bend();
        const Vector3 bent = bend > kSure ? Vector3(bones.above.cross(bones.below).normalized())
                                          : Vector3(Vector3::Zero());
        const Vector3 body = bodyAxis(joint, usual, bones);
        const bool isBent = bend > kBent || (bend > kSure && (body.isZero() || bent.dot(body) > 0.5));
        const Vector3 about = isBent ? bent : body;
        if (about.isZero())
            return none(usual.forward == 0
                            ? "this one is straight at rest, which does not show the way it bends."
                            : "this one is straight at rest, and the body does not show the way it bends.");
        Eigen::Index axis = 0;
        if (about.cwiseAbs().maxCoeff(&axis) < (isBent ? kAlong : kAlongBody))
            return none("this one bends about none of its own three axes.");
        const double side = about[axis] > 0 ? 1 : -1;
        if (!isBent) bend = 0;
        LimitGuess guess{joint, {}};
        guess.joint.ball.reset();
        for (Eigen::Index k = 0; k < 3; ++k) guess.joint.turning[static_cast<std::size_t>(k)].active = k == axis;
        AxisFreedom& turning = guess.joint.turning[static_cast<std::size_t>(axis)];
        turning.limited = true;
        const double straight = -side * bend, folded = side * (radians(usual.swing) - bend);
        turning.from = std::min(straight, folded);
        turning.to = std::max(straight, folded);
        const char* way = isBent              ? ", as it is bent at rest, by up to "
                          : usual.forward > 0 ? ", forward from straight, by up to "
                                              : ", backward from straight, by up to ";
        guess.reason = std::string(usual.what) + " is a hinge: it bends about " + kAxes[axis] + way +
                       inDegrees(radians(usual.swing)) + " degrees, and not the other way.";
        guess.brief = isBent              ? "bent " + inDegrees(bones.bend()) + "° at rest"
                      : usual.forward > 0 ? "straight; bends forward"
                                          : "straight; bends backward";
        return guess;
    }

    /// Swings in a cone about its bone, and twists about the own axis that comes nearest to it.
    [[nodiscard]] static LimitGuess ball(const Joint& joint, const Usual& usual, const Bones& bones)
    {
        Eigen::Index axis = 0;
        bones.below.cwiseAbs().maxCoeff(&axis);
        BallLimits limits;
        limits.twistAxis = static_cast<int>(axis);
        const double swing = radians(usual.swing), twist = radians(usual.twist);
        limits.swing = {{swing, swing, swing, swing}};
        limits.twist = {{-twist, twist}};
        LimitGuess guess{joint, {}};
        guess.joint.ball = limits;
        guess.reason = std::string(usual.what) + " swings by up to " + inDegrees(swing) +
                       " degrees to all sides and twists by " + inDegrees(twist) + " about " + kAxes[axis] + ".";
        guess.brief = "ball joint, usual range";
        return guess;
    }

    const Scene& m_scene;
    const SkeletonRoles& m_roles;
    Vector3 m_facing; ///< unit, the way that the body looks at rest; zero: nothing tells
};

/// Whether a joint with the first limits may go wherever one with the second may, about one axis.
bool reachesAsFar(const AxisFreedom& a, const AxisFreedom& b)
{
    if (!b.active) return true;
    return a.active && (!a.limited || (b.limited && a.from <= b.from && a.to >= b.to));
}

AxisFreedom either(const AxisFreedom& a, const AxisFreedom& b)
{
    AxisFreedom both = a.active ? a : b;
    if (!a.active || !b.active) return both;
    both.limited = a.limited && b.limited;
    both.from = std::min(a.from, b.from);
    both.to = std::max(a.to, b.to);
    return both;
}

/// The limits about each axis that are usual for a joint of the kind.
std::array<AxisFreedom, 3> usualAxes(const LimitGuess& kind)
{
    std::array<AxisFreedom, 3> usual = kind.joint.turning;
    if (const auto& ball = kind.joint.ball)
        for (std::size_t k = 0; k < 3; ++k) {
            const double to = static_cast<int>(k) == ball->twistAxis ? (*ball->twist)[1] : (*ball->swing)[0];
            usual[k] = {.active = true, .limited = true, .from = -to, .to = to};
        }
    return usual;
}

/// True if the clips bend a joint far enough, about some axis, to be a hinge's range.
bool showsABend(const LimitGuess& clips)
{
    constexpr double kBent = radians(60);
    const auto& shown = clips.joint.turning;
    return std::any_of(shown.begin(), shown.end(), [](const AxisFreedom& axis) {
        return axis.active && (!axis.limited || axis.to - axis.from >= kBent);
    });
}

/// A hinge of which only the clips tell the way it bends: that way it may go as far as is usual.
LimitGuess widened(LimitGuess clips, const LimitGuess& kind, double usual)
{
    auto& axes = clips.joint.turning;
    const auto widest = std::max_element(axes.begin(), axes.end(), [](const AxisFreedom& a, const AxisFreedom& b) {
        const auto width = [](const AxisFreedom& axis) {
            return !axis.active ? 0.0 : axis.limited ? axis.to - axis.from : 2 * kPi;
        };
        return width(a) < width(b);
    });
    clips.reason = kind.reason + " " + clips.reason;
    clips.brief = "usual range, the way clips bend it";
    if (!widest->limited) return clips;
    if (widest->to >= -widest->from)
        widest->to = std::max(widest->to, usual);
    else
        widest->from = std::min(widest->from, -usual);
    clips.reason += " That way it may bend by up to " + inDegrees(usual) + " degrees, as is usual.";
    return clips;
}

/// What is usual, and what the clips do beyond it: they show what the joint has done, not all that it can do. A walk
/// hardly bends an elbow.
LimitGuess together(const LimitGuess& clips, LimitGuess kind)
{
    constexpr double kNoise = radians(6); // an axis whose limits are the margin alone
    std::array<AxisFreedom, 3> usual = usualAxes(kind), shown = clips.joint.turning;
    bool isWithin = true;
    for (std::size_t k = 0; k < 3; ++k) {
        if (shown[k].limited && shown[k].to - shown[k].from <= 2 * kNoise) shown[k].active = false;
        isWithin = isWithin && reachesAsFar(usual[k], shown[k]);
    }
    kind.reason += " " + clips.reason;
    if (isWithin) return kind;
    kind.joint.ball.reset();
    for (std::size_t k = 0; k < 3; ++k) kind.joint.turning[k] = either(usual[k], shown[k]);
    kind.reason += " The limits have room for both.";
    kind.brief += "; clips widen it";
    return kind;
}

/// Whether a joint places the whole body, as hips do: it is that, or it alone stands on the root and
/// clips move it about.
bool placesBody(const Scene& scene, const SkeletonRoles& roles, const Joint& joint)
{
    constexpr double kMoved = 0.02; // [m] less is a bone that gives
    const auto part = roles.parts.find(joint.id);
    if (part != roles.parts.end() && part->second == "hips") return true;
    const Joint* parent = scene.find(joint.parent);
    const auto isChild = [&](const Joint& other) { return other.parent == joint.parent; };
    if (parent == nullptr || parent->parent.isValid()) return false;
    if (std::count_if(scene.joints->begin(), scene.joints->end(), isChild) > 1) return false;
    const std::array slides{Property::Tx, Property::Ty, Property::Tz};
    for (const Shared<Clip>& clip : scene.clips)
        for (const Property slide : slides)
            if (const KeyList* keys = clip->find({joint.id.value, slide})) {
                const std::vector<Key> all = keys->toVector();
                const auto [least, most] = std::minmax_element(
                    all.begin(), all.end(), [](const Key& a, const Key& b) { return a.value[0] < b.value[0]; });
                if (least != all.end() && most->value[0] - least->value[0] > kMoved) return true;
            }
    return false;
}

LimitGuess guessFor(const Scene& scene, const SkeletonRoles& roles, const KindGuess& byKind, const Joint& joint,
                    std::optional<ClipId> learnFrom)
{
    const auto leave = [&](std::string reason) { return LimitGuess{joint, std::move(reason), {}, false}; };
    if (hasLimits(joint)) return leave("It has limits already, and keeps them.");
    if (scene.find(joint.parent) == nullptr) return leave("It is a root, which goes and turns where it likes.");
    if (placesBody(scene, roles, joint)) return leave("It places the whole body, which goes and turns where it likes.");
    const std::optional<LimitGuess> clips = fromClips(scene, joint, learnFrom), kind = byKind.of(joint);
    if (clips && clips->isFound && kind) {
        // A clip shows what a joint has done, not all that it can do: other motions need what is usual.
        if (kind->isFound) return together(*clips, *kind);
        // A knee is one also where its axis is not told: clips that hardly bend it would keep other motions from it.
        if (!showsABend(*clips)) return leave(kind->reason + " Clips turn it too little to show how far it goes.");
        return widened(*clips, *kind, byKind.usualSwing(joint));
    }
    if (clips && (clips->isFound || !kind || !kind->isFound)) return *clips;
    if (kind) return *kind;
    return leave(
        byKind.isEndOfBranch(joint)
            ? "Clips do not turn it, and no joint below it shows how its bone lies; type its limits."
            : "Clips do not turn it, and neither its name nor a bend at rest tells what it is; type its limits.");
}

} // namespace

bool hasLimits(const Joint& joint)
{
    const auto isNarrow = [](const AxisFreedom& axis) { return !axis.active || axis.limited; };
    return joint.ball.has_value() || std::any_of(joint.turning.begin(), joint.turning.end(), isNarrow);
}

std::vector<LimitGuess> guessLimits(const Scene& scene, const std::vector<JointId>& joints)
{
    return guessLimits(scene, guessRoles(scene), joints);
}

std::vector<LimitGuess> guessLimits(const Scene& scene, const SkeletonRoles& roles, const std::vector<JointId>& joints,
                                    std::optional<ClipId> learnFrom)
{
    const KindGuess byKind(scene, roles);
    std::vector<LimitGuess> guesses;
    for (const JointId id : joints) guesses.push_back(guessFor(scene, roles, byKind, *scene.find(id), learnFrom));
    std::stable_partition(guesses.begin(), guesses.end(), [](const LimitGuess& guess) { return guess.isFound; });
    return guesses;
}

} // namespace tendon

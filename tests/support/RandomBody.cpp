#include "tests/support/RandomBody.h"

#include "core/math/Degrees.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tendon::test {
namespace {

/// How a convention calls a part; % is the side. Spine, neck and fingers are numbered from `first`.
struct Convention
{
    const char* left;
    const char* right;
    const char *root, *hips, *spine, *neck, *head, *collar, *upperArm, *lowerArm, *hand, *upperLeg, *lowerLeg, *foot,
        *toes, *twist, *end;
    std::array<const char*, 5> fingers;
    int first;
};

constexpr Convention kConventions[] = {
    {"Left",
     "Right",
     "Armature",
     "mixamorig:Hips",
     "mixamorig:Spine",
     "mixamorig:Neck",
     "mixamorig:Head",
     "mixamorig:%Shoulder",
     "mixamorig:%Arm",
     "mixamorig:%ForeArm",
     "mixamorig:%Hand",
     "mixamorig:%UpLeg",
     "mixamorig:%Leg",
     "mixamorig:%Foot",
     "mixamorig:%ToeBase",
     "_twist",
     "_End",
     {"mixamorig:%HandThumb", "mixamorig:%HandIndex", "mixamorig:%HandMiddle", "mixamorig:%HandRing",
      "mixamorig:%HandPinky"},
     1},
    {"l",
     "r",
     "root",
     "pelvis",
     "spine_0",
     "neck_0",
     "head",
     "clavicle_%",
     "upperarm_%",
     "lowerarm_%",
     "hand_%",
     "thigh_%",
     "calf_%",
     "foot_%",
     "ball_%",
     "_twist_01",
     "_leaf",
     {"thumb_%_0", "index_%_0", "middle_%_0", "ring_%_0", "pinky_%_0"},
     1},
    {"L",
     "R",
     "Bip01",
     "Bip01 Pelvis",
     "Bip01 Spine",
     "Bip01 Neck",
     "Bip01 Head",
     "Bip01 % Clavicle",
     "Bip01 % UpperArm",
     "Bip01 % Forearm",
     "Bip01 % Hand",
     "Bip01 % Thigh",
     "Bip01 % Calf",
     "Bip01 % Foot",
     "Bip01 % Toe",
     "Twist",
     "Nub",
     {"Bip01 % Finger0", "Bip01 % Finger1", "Bip01 % Finger2", "Bip01 % Finger3", "Bip01 % Finger4"},
     0},
    {"L",
     "R",
     "Root",
     "DEF-hips",
     "DEF-spine.00",
     "DEF-neck.00",
     "DEF-head",
     "DEF-shoulder.%",
     "DEF-upper_arm.%",
     "DEF-forearm.%",
     "DEF-hand.%",
     "DEF-thigh.%",
     "DEF-shin.%",
     "DEF-foot.%",
     "DEF-toe.%",
     "_twist",
     "_end",
     {"DEF-thumb.%.0", "DEF-f_index.%.0", "DEF-f_middle.%.0", "DEF-f_ring.%.0", "DEF-f_pinky.%.0"},
     1},
    {"left",
     "right",
     "base",
     "pelvis_%",
     "spine",
     "neck",
     "head",
     "%_collar",
     "%_shoulder",
     "%_elbow",
     "%_wrist",
     "%_hip",
     "%_knee",
     "%_ankle",
     "%_foot",
     "_twist",
     "_end",
     {"%_thumb", "%_index", "%_middle", "%_ring", "%_pinky"},
     1},
};

class Builder
{
public:
    explicit Builder(std::mt19937& random) : m_random(random)
    {
        m_names = &kConventions[below(static_cast<int>(std::size(kConventions)))];
        m_hasEnds = chance(0.4);
        m_hasTwists = chance(0.3);
        m_yaw = chance(0.5) ? 0 : uniform(0, 2 * M_PI);
    }

    RandomBody humanoid()
    {
        const double height = uniform(0.5, 2.5), legs = height * uniform(0.4, 0.55),
                     trunk = height * uniform(0.25, 0.33);
        const double armLength = height * uniform(0.28, 0.38),
                     lowered = radians(chance(0.5) ? uniform(0, 5) : uniform(25, 70));
        const double knee = radians(uniform(0, 6)), elbow = radians(uniform(0, 12));
        const bool hasCollar = chance(0.8), hasToes = chance(0.7), hasRoot = chance(0.5);
        const int spine = 1 + below(4), neck = chance(0.85) ? 1 + below(2) : 0, fingers = chance(0.6) ? 5 : 0;
        note("legs", legs / height), note("lowered", degrees(lowered)), note("spine", spine), note("neck", neck),
            note("fingers", fingers), note("collar", hasCollar), note("toes", hasToes), note("root", hasRoot);
        int root = -1;
        if (hasRoot) root = add(m_names->root, -1, Vector3::Zero(), "root");
        const int hips = add(plain(m_names->hips), root, {0, legs, 0}, "hips");
        legPair(hips, legs, knee, height * uniform(0.04, 0.065), hasToes, Vector3(0, legs - 0.02 * height, 0), "");
        int chest = hips;
        static constexpr const char* kSpine[][4] = {
            {"spine"}, {"spine", "chest"}, {"spine", "chest", "upperChest"}, {"spine", "chest", "", "upperChest"}};
        for (int i = 0; i < spine; ++i)
            chest = add(m_names->spine + std::to_string(i + m_names->first), chest,
                        {0, legs + trunk * (i + 0.6) / (spine + 0.6), 0}, kSpine[spine - 1][i]);
        const double shoulders = legs + trunk * 1.08;
        int head = chest;
        for (int i = 0; i < neck; ++i)
            head = add(m_names->neck + std::to_string(i + m_names->first), head,
                       {0, legs + trunk * (1.15 + 0.12 * i), -0.01 * height}, i == 0 ? "neck" : "");
        head = add(m_names->head, head, {0, legs + trunk * (1.15 + 0.13 * (neck + 1)), 0}, "head");
        end(head, {0, height * uniform(0.08, 0.14), 0});
        const double across = height * uniform(0.08, 0.13);
        for (const int side : order()) {
            int above = chest;
            if (hasCollar)
                above = add(named(m_names->collar, side), above, {side * 0.03 * height, shoulders, 0.01 * height},
                            role(side, "Shoulder"));
            const Vector3 out(side * std::cos(lowered), -std::sin(lowered), 0), down = out, front = Vector3::UnitZ();
            const Vector3 top(side * across, shoulders, 0),
                mid = top + 0.52 * armLength * out - elbow * 0.2 * armLength * front;
            const Vector3 wrist = top + armLength * out;
            above = add(named(m_names->upperArm, side), above, top, role(side, "UpperArm"));
            twist(above, top, mid, named(m_names->upperArm, side));
            above = add(named(m_names->lowerArm, side), above, mid, role(side, "LowerArm"));
            twist(above, mid, wrist, named(m_names->lowerArm, side));
            above = add(named(m_names->hand, side), above, wrist, role(side, "Hand"));
            if (fingers == 0) end(above, 0.2 * armLength * out);
            const double palm = 0.16 * armLength;
            const Vector3 tilt = (0.5 * out + 0.85 * front - 0.2 * Vector3::UnitY()).normalized();
            static constexpr const char* kFingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"};
            static constexpr const char* kLinks[] = {"Proximal", "Intermediate", "Distal"};
            static constexpr const char* kThumb[] = {"Metacarpal", "Proximal", "Distal"};
            std::vector<int> fingerOrder{0, 1, 2, 3, 4};
            std::shuffle(fingerOrder.begin(), fingerOrder.end(), m_random);
            for (const int finger : fingerOrder) {
                if (finger >= fingers) continue;
                Vector3 place = finger == 0 ? wrist + 0.25 * palm * out + 0.3 * palm * front
                                            : wrist + palm * (1 - 0.06 * std::abs(finger - 2)) * out +
                                                  palm * 0.28 * (2.3 - finger) * front;
                const Vector3 way = finger == 0 ? tilt : down;
                int link = above;
                for (int i = 0; i < 3; ++i) {
                    link = add(named(m_names->fingers[static_cast<std::size_t>(finger)], side) +
                                   std::to_string(i + m_names->first),
                               link, place,
                               role(side, std::string(kFingers[finger]) + (finger == 0 ? kThumb[i] : kLinks[i])));
                    place += palm * (0.42 - 0.08 * i) * way;
                }
                end(link, palm * 0.2 * way);
            }
        }
        return finish();
    }

    RandomBody quadruped()
    {
        const double height = uniform(0.3, 1.8), length = height * uniform(0.9, 1.6), knee = radians(uniform(15, 35));
        const int spine = 2 + below(3), neck = 1 + below(3), tail = 3 + below(5);
        const bool hasToes = chance(0.6);
        note("spine", spine), note("neck", neck), note("tail", tail), note("toes", hasToes);
        const int hips = add(plain(m_names->hips), -1, {0, height, -0.5 * length}, "hips");
        legPair(hips, height, knee, 0.12 * height, hasToes, Vector3(0, 0.95 * height, -0.5 * length), "Hind");
        int chest = hips;
        for (int i = 0; i < spine; ++i)
            chest = add(m_names->spine + std::to_string(i + m_names->first), chest,
                        {0, height, length * ((i + 1.0) / spine - 0.5)}, i == 0 ? "spine" : "");
        legPair(chest, height, -0.5 * knee, 0.12 * height, hasToes, Vector3(0, 0.9 * height, 0.48 * length), "Front");
        int at = chest;
        for (int i = 0; i < neck; ++i)
            at = add(m_names->neck + std::to_string(i + m_names->first), at,
                     {0, height * (1.1 + 0.15 * i), length * (0.58 + 0.1 * i)}, i == 0 ? "neck" : "");
        add(m_names->head, at, {0, height * (1.15 + 0.15 * neck), length * (0.62 + 0.1 * neck)}, "head");
        at = hips;
        for (int i = 0; i < tail; ++i)
            at = add("tail_" + std::to_string(i + 1), at, {0, height * (1 - 0.04 * i), -length * (0.6 + 0.1 * i)},
                     "tail" + std::to_string(i + 1));
        return finish();
    }

private:
    double uniform(double from, double to) { return std::uniform_real_distribution<double>(from, to)(m_random); }
    int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(m_random); }
    bool chance(double share) { return uniform(0, 1) < share; }
    std::array<int, 2> order() { return chance(0.5) ? std::array{1, -1} : std::array{-1, 1}; }

    void note(const char* what, double value)
    {
        m_body.description += std::string(what) + " " + std::to_string(value).substr(0, 5) + " ";
    }

    [[nodiscard]] std::string named(std::string name, int side) const
    {
        if (const auto at = name.find('%'); at != std::string::npos)
            name.replace(at, 1, side > 0 ? m_names->left : m_names->right);
        return name;
    }
    static std::string plain(std::string name)
    {
        if (const auto at = name.find("_%"); at != std::string::npos) name.erase(at, 2);
        return name;
    }
    static std::string role(int side, const std::string& part) { return (side > 0 ? "left" : "right") + part; }

    /// A joint at a place in the world of the body, which faces +Z.
    int add(std::string name, int parent, const Vector3& place, const std::string& asRole)
    {
        m_places.push_back(place);
        m_parents.push_back(parent);
        m_jointNames.push_back(name);
        if (!asRole.empty()) m_body.joints[asRole] = name;
        return static_cast<int>(m_places.size()) - 1;
    }

    void end(int above, const Vector3& way)
    {
        if (m_hasEnds)
            add(m_jointNames[static_cast<std::size_t>(above)] + m_names->end, above,
                m_places[static_cast<std::size_t>(above)] + way, "");
    }

    void twist(int above, const Vector3& from, const Vector3& to, const std::string& name)
    {
        if (m_hasTwists) add(name + m_names->twist, above, from + 0.6 * (to - from), "");
    }

    void legPair(int hips, double length, double knee, double across, bool hasToes, const Vector3& top,
                 const std::string& pair)
    {
        const double ankle = 0.08 * length, thigh = (top.y() - ankle) * uniform(0.47, 0.54),
                     foot = length * uniform(0.13, 0.2);
        const std::string prefix = pair == "Front" ? "front_" : pair == "Hind" ? "hind_" : "";
        for (const int side : order()) {
            const Vector3 hip = top + Vector3(side * across, 0, 0);
            const Vector3 middle = hip - Vector3(0, thigh, 0) + Vector3(0, 0, 2 * std::sin(knee) * thigh * 0.5);
            const Vector3 heel(hip.x(), ankle, hip.z() - (pair.empty() ? 0.02 * length : 0));
            int at = add(prefix + named(m_names->upperLeg, side), hips, hip, role(side, pair + "UpperLeg"));
            twist(at, hip, middle, prefix + named(m_names->upperLeg, side));
            at = add(prefix + named(m_names->lowerLeg, side), at, middle, role(side, pair + "LowerLeg"));
            twist(at, middle, heel, prefix + named(m_names->lowerLeg, side));
            at = add(prefix + named(m_names->foot, side), at, heel, role(side, pair + "Foot"));
            const Vector3 toe = heel + Vector3(0, -0.8 * ankle, foot);
            if (hasToes) {
                at = add(prefix + named(m_names->toes, side), at, toe, role(side, pair + "Toes"));
                end(at, {0, 0, 0.4 * foot});
            } else {
                end(at, Vector3(0, -0.8 * ankle, 1.3 * foot));
            }
        }
    }

    RandomBody finish()
    {
        const Quaternion turn(Eigen::AngleAxisd(m_yaw, Vector3::UnitY()));
        m_body.forward = turn * Vector3::UnitZ();
        std::vector<JointId> ids;
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            Joint joint;
            joint.id.value = m_body.scene.takeId();
            ids.push_back(joint.id);
            joint.name = m_jointNames[i];
            const int parent = m_parents[i];
            const Vector3 from = parent < 0 ? Vector3(Vector3::Zero()) : m_places[static_cast<std::size_t>(parent)];
            const Vector3 noise = 0.002 * m_places[i].norm() * Vector3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
            joint.rest.translation = turn *
                                     Vector3(m_places[i] - from + (parent < 0 ? Vector3(Vector3::Zero()) : noise));
            if (parent >= 0) joint.parent = ids[static_cast<std::size_t>(parent)];
            m_body.scene.joints.edit().push_back(joint);
        }
        m_body.description += m_hasEnds ? "ends " : "";
        m_body.description += m_hasTwists ? "twists " : "";
        return std::move(m_body);
    }

    std::mt19937& m_random;
    const Convention* m_names = nullptr;
    bool m_hasEnds = false, m_hasTwists = false;
    double m_yaw = 0;
    RandomBody m_body;
    std::vector<Vector3> m_places;
    std::vector<int> m_parents;
    std::vector<std::string> m_jointNames;
};

} // namespace

RandomBody randomHumanoid(std::mt19937& random) { return Builder(random).humanoid(); }
RandomBody randomQuadruped(std::mt19937& random) { return Builder(random).quadruped(); }

RandomBody without(RandomBody body, const std::string& role)
{
    std::vector<JointId> gone{*body.scene.jointNamed(body.joints.at(role))};
    for (std::size_t i = 0; i < gone.size(); ++i)
        for (const Joint& joint : *body.scene.joints)
            if (joint.parent == gone[i]) gone.push_back(joint.id);
    erase_if(body.scene.joints.edit(),
             [&](const Joint& joint) { return std::find(gone.begin(), gone.end(), joint.id) != gone.end(); });
    std::erase_if(body.joints, [&](const auto& one) { return !body.scene.jointNamed(one.second); });
    return body;
}

RandomBody blank(RandomBody body)
{
    std::vector<Joint> joints = body.scene.joints->toVector();
    std::map<std::string, std::string> renamed;
    int number = 0;
    for (Joint& joint : joints) {
        const std::string name = std::to_string(++number);
        renamed[joint.name] = name;
        joint.name = name;
    }
    body.scene.joints = std::move(joints);
    for (auto& [role, name] : body.joints) name = renamed.at(name);
    return body;
}

} // namespace tendon::test

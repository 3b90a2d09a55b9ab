#include "app/widgets/task/RoleMenu.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace tendon::editor {
namespace {

struct MenuWords
{
    Q_DECLARE_TR_FUNCTIONS(RoleMenu)
};

/// A submenu: the roles of one limb by what its parts are called.
struct LimbParts
{
    QString title;
    std::vector<std::pair<QString, std::string>> parts;
};

void addSided(std::vector<LimbParts>& limbs, const QString& left, const QString& right,
              const std::vector<std::pair<QString, std::string>>& parts)
{
    for (const bool isLeft : {true, false}) {
        LimbParts limb{isLeft ? left : right, {}};
        for (const auto& [words, part] : parts) limb.parts.emplace_back(words, (isLeft ? "left" : "right") + part);
        limbs.push_back(std::move(limb));
    }
}

std::vector<LimbParts> limbsOf(BodyPlan plan)
{
    std::vector<LimbParts> limbs;
    if (plan == BodyPlan::Quadruped) {
        addSided(limbs, MenuWords::tr("Left front leg"), MenuWords::tr("Right front leg"),
                 {{MenuWords::tr("Shoulder blade"), "FrontShoulder"},
                  {MenuWords::tr("Upper leg"), "FrontUpperLeg"},
                  {MenuWords::tr("Lower leg"), "FrontLowerLeg"},
                  {MenuWords::tr("Foot"), "FrontFoot"},
                  {MenuWords::tr("Toe"), "FrontToes"}});
        addSided(limbs, MenuWords::tr("Left hind leg"), MenuWords::tr("Right hind leg"),
                 {{MenuWords::tr("Thigh"), "HindUpperLeg"},
                  {MenuWords::tr("Shin"), "HindLowerLeg"},
                  {MenuWords::tr("Foot"), "HindFoot"},
                  {MenuWords::tr("Toe"), "HindToes"}});
    } else {
        addSided(limbs, MenuWords::tr("Left leg"), MenuWords::tr("Right leg"),
                 {{MenuWords::tr("Thigh"), "UpperLeg"},
                  {MenuWords::tr("Shin"), "LowerLeg"},
                  {MenuWords::tr("Foot"), "Foot"},
                  {MenuWords::tr("Toe"), "Toes"}});
        addSided(limbs, MenuWords::tr("Left arm"), MenuWords::tr("Right arm"),
                 {{MenuWords::tr("Collarbone"), "Shoulder"},
                  {MenuWords::tr("Upper arm"), "UpperArm"},
                  {MenuWords::tr("Forearm"), "LowerArm"},
                  {MenuWords::tr("Hand"), "Hand"}});
        std::vector<std::pair<QString, std::string>> fingers;
        const std::pair<QString, const char*> names[] = {{MenuWords::tr("Thumb"), "Thumb"},
                                                         {MenuWords::tr("Index finger"), "Index"},
                                                         {MenuWords::tr("Middle finger"), "Middle"},
                                                         {MenuWords::tr("Ring finger"), "Ring"},
                                                         {MenuWords::tr("Little finger"), "Little"}};
        for (const auto& [words, name] : names) {
            const bool isThumb = std::string_view(name) == "Thumb";
            const char* parts[] = {isThumb ? "Metacarpal" : "Proximal", isThumb ? "Proximal" : "Intermediate",
                                   "Distal"};
            for (int i = 0; i < 3; ++i)
                fingers.emplace_back(QStringLiteral("%1 %2").arg(words).arg(i + 1), std::string(name) + parts[i]);
        }
        addSided(limbs, MenuWords::tr("Left fingers"), MenuWords::tr("Right fingers"), fingers);
    }
    limbs.push_back({MenuWords::tr("Spine"),
                     {{MenuWords::tr("Hips"), "hips"},
                      {MenuWords::tr("Spine"), "spine"},
                      {MenuWords::tr("Chest"), "chest"},
                      {MenuWords::tr("Upper chest"), "upperChest"}}});
    limbs.push_back(
        {MenuWords::tr("Neck and head"),
         {{MenuWords::tr("Neck"), "neck"}, {MenuWords::tr("Head"), "head"}, {MenuWords::tr("Jaw"), "jaw"}}});
    return limbs;
}

/// A joint and those below it, as long as there is one at a time.
std::vector<JointId> lineFrom(const Scene& scene, JointId joint)
{
    std::vector<JointId> line;
    for (JointId at = joint; at.isValid();) {
        line.push_back(at);
        JointId only;
        int children = 0;
        for (const Joint& child : *scene.joints)
            if (child.parent == at) only = child.id, ++children;
        at = children == 1 ? only : JointId();
    }
    return line;
}

} // namespace

void fillRoleMenu(QMenu& menu, const Scene& scene, const SkeletonRoles& roles, JointId joint,
                  const std::function<void(const RoleMap&)>& choose)
{
    menu.addAction(MenuWords::tr("This is…"))->setEnabled(false);
    const RoleGuess* now = roles.of(joint);
    const auto add = [&](QMenu& to, const QString& words, const RoleMap& said, bool isNow) {
        QAction* action = to.addAction(words);
        action->setCheckable(true);
        action->setChecked(isNow);
        QObject::connect(action, &QAction::triggered, &menu, [choose, said] { choose(said); });
    };
    for (const LimbParts& limb : limbsOf(roles.plan)) {
        QMenu* parts = menu.addMenu(limb.title);
        bool isIn = false;
        for (const auto& [words, role] : limb.parts) {
            const bool isNow = now != nullptr && now->role == role;
            isIn |= isNow;
            add(*parts, words, {{role, {joint}}}, isNow);
        }
        parts->menuAction()->setCheckable(isIn);
        parts->menuAction()->setChecked(isIn);
    }
    const std::vector<JointId> line = lineFrom(scene, joint);
    RoleMap tail, links;
    for (std::size_t i = 0; i < line.size(); ++i) {
        tail["tail" + std::to_string(i + 1)] = {line[i]};
        links["link" + std::to_string(i + 1)] = {line[i]};
    }
    add(menu, MenuWords::tr("Where a tail begins"), tail, now != nullptr && now->role == "tail1");
    add(menu, MenuWords::tr("Where a limb of its own begins"), links, now != nullptr && now->role == "link1");
    menu.addSeparator();
    RoleMap none; // others that share its role keep it
    if (now != nullptr) {
        std::vector<JointId>& others = none[now->role];
        std::copy_if(now->joints.begin(), now->joints.end(), std::back_inserter(others),
                     [&](JointId other) { return other != joint; });
    }
    add(menu, MenuWords::tr("Not part of a limb"), none, now == nullptr);
}

} // namespace tendon::editor

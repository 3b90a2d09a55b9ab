#include "app/widgets/task/RigTexts.h"

#include "core/math/Degrees.h"
#include "core/scene/Check.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <map>

namespace tendon::editor {
namespace {

QString calledIn(const Scene& scene, JointId joint) { return QString::fromStdString(nameOf(scene, joint.value)); }

QString capital(QString words)
{
    if (!words.isEmpty()) words[0] = words[0].toUpper();
    return words;
}

/// Whole degrees, with a proper minus.
QString whole(double radians)
{
    const auto value = static_cast<int>(std::lround(degrees(radians)));
    return (value < 0 ? QStringLiteral("−") : QString()) + QString::number(std::abs(value));
}

QString between(const AxisFreedom& axis)
{
    return whole(axis.lower()) + RigTexts::tr(" to ") + whole(axis.upper()) + u'°';
}

/// "a › b", long ones shortened in the middle.
QString arrows(QStringList names)
{
    constexpr qsizetype kMost = 5;
    if (names.size() > kMost) names = QStringList{names[0], names[1], QStringLiteral("…"), names.back()};
    return names.join(QStringLiteral(" › "));
}

} // namespace

QString RigTexts::titleOf(const Limb& limb)
{
    if (limb.name == "neck" && limb.joints.size() > 1) return tr("Neck and head");
    return capital(QString::fromStdString(roleInWords(limb.name)));
}

QString RigTexts::chainOf(const Scene& scene, const SkeletonRoles& roles, const Limb& limb)
{
    QStringList names;
    if (!limb.chains.empty()) {
        for (const std::vector<JointId>& finger : limb.chains) {
            const RoleGuess* guess = finger.empty() ? nullptr : roles.of(finger.front());
            QString word = guess == nullptr ? QString() : QString::fromStdString(guess->role);
            for (const char* part : {"left", "right", "Metacarpal", "Proximal", "Intermediate", "Distal"})
                word.remove(QLatin1StringView(part));
            if (!finger.empty()) names << (word.isEmpty() ? calledIn(scene, finger.front()) : word);
        }
        return names.join(QStringLiteral(" › "));
    }
    for (const JointId joint : limb.joints) names << calledIn(scene, joint);
    return arrows(names);
}

QString RigTexts::noHandleOf(const LimbWithoutHandle& limb)
{
    return tr("No handle: %1").arg(QString::fromStdString(limb.reason));
}

QString RigTexts::percent(double confidence) { return tr("%1 %").arg(static_cast<int>(std::floor(100 * confidence))); }

QString RigTexts::partsOf(const RoleParts& parts)
{
    return tr("From names %1, shape %2, mirror %3")
        .arg(parts.names, 0, 'f', 2)
        .arg(parts.shape, 0, 'f', 2)
        .arg(parts.mirror, 0, 'f', 2);
}

QString RigTexts::kindTitle(const std::string& kind)
{
    static const std::map<std::string, QString> kTitles = {{"hips", tr("Hips")},
                                                           {"knees", tr("Knees")},
                                                           {"ankles", tr("Ankles")},
                                                           {"toes", tr("Toes")},
                                                           {"shoulders", tr("Shoulders")},
                                                           {"elbows", tr("Elbows")},
                                                           {"wrists", tr("Wrists")},
                                                           {"fingers", tr("Fingers")},
                                                           {"collarbones", tr("Collarbones")},
                                                           {"spine", tr("Spine")},
                                                           {"neck", tr("Neck and head")},
                                                           {"tail", tr("Tail")},
                                                           {"ear", tr("Ears")},
                                                           {"wing", tr("Wings")},
                                                           {"fin", tr("Fins")},
                                                           {"link", tr("Links")},
                                                           {"", tr("Others")}};
    const auto found = kTitles.find(kind);
    return found != kTitles.end() ? found->second : capital(QString::fromStdString(kind));
}

QString RigTexts::limitsOf(const Joint& joint)
{
    if (joint.ball) {
        QStringList parts;
        if (joint.ball->swing) {
            const auto& swing = *joint.ball->swing;
            parts << tr("cone %1 by %2°").arg(whole((swing[0] + swing[1]) / 2), whole((swing[2] + swing[3]) / 2));
        }
        if (joint.ball->twist)
            parts << tr("twist %1 to %2°").arg(whole((*joint.ball->twist)[0]), whole((*joint.ball->twist)[1]));
        return parts.isEmpty() ? tr("free") : parts.join(QStringLiteral(", "));
    }
    QStringList parts;
    int active = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const AxisFreedom& axis = joint.turning[k];
        if (!axis.active) continue;
        ++active;
        const QString letter(QLatin1Char("XYZ"[k]));
        parts << (axis.limited ? (active == 1 ? letter + QStringLiteral(", ") : letter + u' ') + between(axis)
                               : tr("%1 free").arg(letter));
    }
    if (active == 0) return tr("fixed");
    if (active == 1) return tr("hinge %1").arg(parts.first());
    for (QString& part : parts) part.replace(QStringLiteral(", "), QStringLiteral(" "));
    return parts.join(QStringLiteral(", "));
}

QString RigTexts::shortLimitsOf(const Joint& joint)
{
    const QString all = limitsOf(joint), first = all.section(QStringLiteral(", "), 0, 0);
    const bool isHinge = !rangeOf(joint).isEmpty();
    return isHinge || first == all ? all : joint.ball ? first : first + QStringLiteral(" …");
}

QString RigTexts::rangeOf(const Joint& joint)
{
    if (joint.ball) return {};
    const AxisFreedom* only = nullptr;
    for (const AxisFreedom& axis : joint.turning) {
        if (!axis.active) continue;
        if (only != nullptr) return {};
        only = &axis;
    }
    return only != nullptr && only->limited ? between(*only) : QString();
}

QString RigTexts::preferredOf(const Joint& joint)
{
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis)
        if (std::abs(joint.preferredAngle[axis]) > std::abs(largest)) largest = joint.preferredAngle[axis];
    if (largest == 0) return tr("none");
    return (largest < 0 ? QStringLiteral("−") : QString()) + QString::number(std::abs(degrees(largest)), 'f', 1) + u'°';
}

QString RigTexts::namesOf(const Scene& scene, const UnknownJoints& unknown)
{
    const std::vector<JointId>& joints = unknown.joints;
    if (joints.size() == 1) return calledIn(scene, joints.front());
    bool isChain = true;
    for (std::size_t i = 1; i < joints.size(); ++i) isChain &= scene.find(joints[i])->parent == joints[i - 1];
    if (isChain) return calledIn(scene, joints.front()) + QStringLiteral(" › ") + calledIn(scene, joints.back());
    if (joints.size() == 2) return calledIn(scene, joints[0]) + QStringLiteral(", ") + calledIn(scene, joints[1]);
    return tr("%1, %2 and %n more", nullptr, static_cast<int>(joints.size()) - 2)
        .arg(calledIn(scene, joints[0]), calledIn(scene, joints[1]));
}

QString RigTexts::titleOf(const Scene& scene, const UnknownJoints& unknown)
{
    const QString names = namesOf(scene, unknown), reason = QString::fromStdString(unknown.reason);
    if (unknown.use == JointUse::Helper) // "no children, on the forearm"
        return tr("%1 lie %2").arg(names, reason.section(QStringLiteral(", "), 1));
    return names + u' ' + reason.section(QStringLiteral(", "), 0, 0);
}

QString RigTexts::reasonOf(const UnknownJoints& unknown)
{
    if (unknown.use == JointUse::Helper) return tr("no children; they may carry twist or do nothing");
    return QString::fromStdString(unknown.reason).section(QStringLiteral(", "), 1);
}

QString RigTexts::useOf(JointUse use)
{
    switch (use) {
    case JointUse::Leave: return tr("Leave as joints");
    case JointUse::Helper: return tr("Twist helpers");
    case JointUse::Limb: return tr("A limb");
    case JointUse::Tail: return tr("A tail");
    }
    return {};
}

QString RigTexts::whyNone(const Scene& scene, const SkeletonRoles& roles)
{
    const int count = static_cast<int>(scene.joints->size());
    std::map<JointId, int> children;
    int roots = 0;
    for (const Joint& joint : *scene.joints)
        if (joint.parent.isValid())
            ++children[joint.parent];
        else
            ++roots;
    const bool isLine = roots == 1 && std::all_of(children.begin(), children.end(),
                                                  [](const auto& entry) { return entry.second == 1; });
    const bool isNamed = roles.namedJoints > 0;
    const QString joints = tr("%n joints", nullptr, count);
    const QString pick = tr("Pick the first and the last joint of a limb.");
    const QString what = isLine && !isNamed ? tr("%1 in a single chain, and their names do not say what they are.")
                         : isLine           ? tr("%1 in a single chain.")
                         : !isNamed ? tr("%1, none of which form a limb, and their names do not say what they are.")
                                    : tr("%1, none of which form a limb.");
    return what.arg(joints) + u' ' + pick;
}

} // namespace tendon::editor

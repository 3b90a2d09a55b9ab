#include "app/viewport/overlay/FigureOverlay.h"

#include "app/viewport/overlay/Overlay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tendon::viewport {
namespace {

constexpr double kRingReach = 9, kBoneReach = 6; // [px]
constexpr double kNameRise = 22;                 // [px] of a name over the head

/// The name of a figure over the highest of its joints.
void addName(std::vector<Label>& labels, const View& view, const std::vector<Affine>& world, const QString& name,
             double scale, const OverlayColours& colours)
{
    if (name.isEmpty() || world.empty()) return;
    constexpr double kSkull = 0.1; // of the figure's height: the head's joint is below its top
    const auto [lowest, highest] = std::minmax_element(
        world.begin(), world.end(),
        [](const Affine& a, const Affine& b) { return a.translation().y() < b.translation().y(); });
    Vector3 middle = Vector3::Zero();
    for (const Affine& joint : world) middle += joint.translation() / static_cast<double>(world.size());
    const double low = lowest->translation().y(), high = highest->translation().y();
    middle.y() = high + kSkull * (high - low);
    const View::Projected at = view.project(middle);
    if (!at.isInFront) return;
    labels.push_back({.at = at.pixel - scale * Vector2(0, kNameRise),
                      .text = name,
                      .colour = colours.text,
                      .anchor = Label::Anchor::Centre,
                      .weight = 600});
}

/// A dashed line that sags, from joint to joint.
void drawLink(DisplayList& list, const Vector2& from, const Vector2& to, Rgba colour)
{
    constexpr int kSteps = 24;
    constexpr double kSag = 0.12; // of its length
    const Vector2 control = 0.5 * (from + to) + Vector2(0, 2 * kSag * (to - from).norm());
    std::vector<Vector2> points;
    for (int i = 0; i <= kSteps; ++i) {
        const double t = static_cast<double>(i) / kSteps;
        points.push_back((1 - t) * (1 - t) * from + 2 * t * (1 - t) * control + t * t * to);
    }
    list.polyline(points, 1.75, colour, false, {7, 5});
}

void drawLinks(DisplayList& list, std::vector<Label>& labels, const View& view, const SeenFigure& seen,
               const editor::FrameResult& character, const OverlayColours& colours)
{
    bool isFirst = true;
    for (const editor::MotionFigure::Link& link : seen.figure->links()) {
        const Affine *a = seen.pose->worldFromJoint(link.motion), *b = character.worldFromJoint(link.character);
        if (a == nullptr || b == nullptr) continue;
        const View::Projected from = view.project(a->translation()), to = view.project(b->translation());
        if (!from.isInFront || !to.isInFront) continue;
        drawLink(list, from.pixel, to.pixel, colours.accent);
        if (!std::exchange(isFirst, false)) continue;
        const auto nameIn = [](const CompiledRig& rig, JointId joint) {
            return QString::fromStdString(rig.authored[at(rig.index(joint))].name);
        };
        labels.push_back({.at = 0.5 * (from.pixel + to.pixel) +
                                Vector2(0, 0.12 * (to.pixel - from.pixel).norm() + 14 * list.scale()),
                          .text = QStringLiteral("%1 › %2").arg(nameIn(*seen.pose->rig, link.motion),
                                                                nameIn(*character.rig, link.character)),
                          .colour = colours.accent,
                          .anchor = Label::Anchor::Centre});
    }
}

} // namespace

void drawFigure(DisplayList& list, std::vector<Label>& labels, const View& view, const SeenFigure& seen,
                const std::vector<Bone>& bones, const editor::FrameResult& character, const OverlayColours& colours)
{
    const editor::MotionFigure::Content& content = seen.figure->content();
    const CompiledRig& rig = *seen.pose->rig;
    std::vector<BoneState> states(rig.jointCount(), BoneState::Normal);
    const auto light = [&](JointId joint) {
        if (const JointIndex index = rig.index(joint); index >= 0) states[at(index)] = BoneState::Hovered;
    };
    light(seen.figure->hovered());
    for (const editor::MotionFigure::Link& link : seen.figure->links()) light(link.motion);
    std::vector<BoneTint> tints(rig.jointCount());
    for (const auto& [joint, colour] : content.colours)
        if (const JointIndex index = rig.index(joint); index >= 0)
            tints[at(index)] = {colours.roles[static_cast<std::size_t>(colour)], colour == editor::RoleColour::Unknown};
    drawBones(list, view, *seen.pose, bones, states, tints, editor::Visibility(), -1, true, colours);
    for (const JointId joint : content.doubted) {
        const Affine* place = seen.pose->worldFromJoint(joint);
        const View::Projected at = place == nullptr ? View::Projected{} : view.project(place->translation());
        if (!at.isInFront) continue;
        const Vector2 aside = list.scale() * Vector2(-26, 0);
        list.line(at.pixel, at.pixel + aside, 1.25, colours.warn, {3, 3});
        labels.push_back({.at = at.pixel + aside,
                          .text = QStringLiteral("%1 ?").arg(
                              QString::fromStdString(rig.authored[tendon::at(rig.index(joint))].name)),
                          .colour = colours.warn,
                          .anchor = Label::Anchor::Right});
    }
    drawLinks(list, labels, view, seen, character, colours);
    addName(labels, view, seen.pose->solved.model.modelFromJoint, Overlay::tr("Motion · %1").arg(content.name),
            list.scale(), colours);
    if (!content.hidesCharacter)
        addName(labels, view, character.solved.model.modelFromJoint, content.characterName, list.scale(), colours);
}

JointId pickFigure(const View& view, const SeenFigure& seen, const Vector2& pixel, double scale)
{
    const CompiledRig& rig = *seen.pose->rig;
    const std::vector<Affine>& world = seen.pose->solved.model.modelFromJoint;
    JointId nearest;
    double best = 1;
    for (std::size_t i = 0; i < world.size(); ++i) {
        const View::Projected here = view.project(world[i].translation());
        if (!here.isInFront) continue;
        const auto take = [&](JointIndex joint, double far, double reach) {
            if (far / (reach * scale) >= best) return;
            best = far / (reach * scale);
            nearest = rig.id[at(joint)];
        };
        take(static_cast<JointIndex>(i), (here.pixel - pixel).norm(), kRingReach);
        if (rig.parent[i] < 0) continue;
        const View::Projected from = view.project(world[at(rig.parent[i])].translation());
        if (!from.isInFront) continue;
        const Vector2 along = here.pixel - from.pixel;
        const double share = along.squaredNorm() > 0
                                 ? std::clamp((pixel - from.pixel).dot(along) / along.squaredNorm(), 0.0, 1.0)
                                 : 0.0;
        take(rig.parent[i], (from.pixel + share * along - pixel).norm() + 2, kBoneReach); // a ring wins over its bone
    }
    return nearest;
}

} // namespace tendon::viewport

#include "app/editor/RetargetFigures.h"

#include <algorithm>

namespace tendon::editor {
namespace {

/// [m] From the character to where the motion's figure stands beside it: to the character's right, which is the left
/// for who looks at its front.
Vector3 besideOf(const RetargetPreview& preview, double scale)
{
    constexpr double kShare = 0.75; // of the taller one's height
    const auto heightOf = [](const WorldPose& pose) {
        double low = 1e300, high = -1e300;
        for (const Vector3& place : pose.position) low = std::min(low, place.y()), high = std::max(high, place.y());
        return high > low ? high - low : 0;
    };
    double height = heightOf(worldAtRest(*preview.character.rig));
    if (preview.motionRest != nullptr) {
        WorldPose turned = *preview.motionRest;
        for (Vector3& place : turned.position) place = scale * (preview.worldFromMotion * place);
        height = std::max(height, heightOf(turned));
    }
    return -kShare * (height > 0 ? height : 1) * preview.sides->character.frame.left;
}

} // namespace

MotionFigure::ContentPtr figureOf(const RetargetPreview& preview, const RetargetSource& source, const Scene& motion,
                                  const QString& characterName, const RetargetLook& look,
                                  const MotionFigure::Content* former)
{
    auto content = std::make_shared<MotionFigure::Content>();
    const bool isSame = former != nullptr && source.model != nullptr;
    content->scene = isSame ? former->scene : std::make_shared<const Scene>(motion);
    content->rig = isSame ? former->rig : preview.motion.rig;
    if (const Clip* clip = content->scene->clipNamed(preview.choices.clip)) content->clip = clip->id;
    if (look.isAtRest) content->still = preview.motionRest;
    const double scale = preview.facts.legScale > 0 ? preview.facts.legScale : 1;
    const Vector3 aside = look.isOnTop || look.isSource ? Vector3(Vector3::Zero()) : besideOf(preview, scale);
    content->worldFromMotion = Eigen::Translation3d(aside) * preview.worldFromMotion * Eigen::Scaling(scale);
    if (preview.choices.travel == RootTravel::InPlace) content->anchor = jointOf(preview.motion.roles, "hips");
    content->hidesCharacter = look.isSource;
    content->name = QString::fromStdString(source.name());
    content->characterName = characterName;
    content->colours = coloursOf(*content->rig, preview.motion.roles);
    for (const RetargetRow& row : preview.rows)
        for (const RetargetRow::Part& part : row.parts)
            if (row.mark == RetargetRow::Mark::Check && !part.motion.empty())
                content->doubted.push_back(part.motion.front());
    return content;
}

} // namespace tendon::editor

#include "app/widgets/ChannelTitles.h"

#include "core/scene/Check.h"

#include <QCoreApplication>

namespace tendon::editor {
namespace {

struct TitleWords
{
    Q_DECLARE_TR_FUNCTIONS(ChannelTitles)
};

} // namespace

QString channelTitle(Property property)
{
    switch (property) {
    case Property::Tx: return TitleWords::tr("Translation X");
    case Property::Ty: return TitleWords::tr("Translation Y");
    case Property::Tz: return TitleWords::tr("Translation Z");
    case Property::Rx: return TitleWords::tr("Rotation X");
    case Property::Ry: return TitleWords::tr("Rotation Y");
    case Property::Rz: return TitleWords::tr("Rotation Z");
    case Property::Sx: return TitleWords::tr("Scale X");
    case Property::Sy: return TitleWords::tr("Scale Y");
    case Property::Sz: return TitleWords::tr("Scale Z");
    case Property::Rotation: return TitleWords::tr("Rotation");
    case Property::GoalPosition: return TitleWords::tr("Goal position");
    case Property::GoalRotation: return TitleWords::tr("Goal rotation");
    case Property::Pole: return TitleWords::tr("Pole");
    case Property::Twist: return TitleWords::tr("Twist");
    case Property::Blend: return TitleWords::tr("IK blend");
    case Property::Weight: return TitleWords::tr("Weight");
    case Property::Roll: return TitleWords::tr("Roll");
    case Property::Space: return TitleWords::tr("Follows");
    case Property::PoleSpace: return TitleWords::tr("Pole follows");
    case Property::CurvePoint: break; // and those behind it
    }
    return TitleWords::tr("Curve point %1").arg(curveIndex(property) + 1);
}

QString channelTitle(ChannelId channel)
{
    const QString title = channelTitle(channel.property);
    return channel.layer == Layer::Corrections ? TitleWords::tr("%1, correction").arg(title) : title;
}

QString ownerTitle(const Scene& scene, ObjectId owner)
{
    return scene.find(ClipId{owner}) != nullptr ? TitleWords::tr("Corrections")
                                                : QString::fromStdString(nameOf(scene, owner));
}

} // namespace tendon::editor

#include "app/editor/PosedJson.h"

#include "core/scene/Channel.h"

#include <QJsonObject>
#include <QString>

namespace tendon::editor {

QJsonArray posedToJson(const PendingValues& posed)
{
    QJsonArray all;
    for (const auto& [channel, value] : posed)
        all.append(QJsonObject{{"target", QString::number(channel.target)},
                               {"property", QString::fromUtf8(propertyName(channel.property))},
                               {"layer", QString::fromUtf8(layerName(channel.layer))},
                               {"value", QJsonArray{value[0], value[1], value[2], value[3]}}});
    return all;
}

PendingValues posedFromJson(const QJsonArray& all)
{
    PendingValues posed;
    for (const auto& entry : all) {
        const QJsonObject each = entry.toObject();
        const auto property = propertyFromName(each["property"].toString().toStdString());
        const auto layer = layerFromName(each["layer"].toString().toStdString());
        const QJsonArray numbers = each["value"].toArray();
        ChannelValue value{};
        if (!property || !layer || static_cast<std::size_t>(numbers.size()) != value.size()) continue;
        for (std::size_t i = 0; i < value.size(); ++i) value[i] = numbers[static_cast<qsizetype>(i)].toDouble();
        posed[{each["target"].toString().toULongLong(), *property, *layer}] = value;
    }
    return posed;
}

} // namespace tendon::editor

#include "core/document/MakeOperation.h"

#include "core/math/Degrees.h"

#include <QJsonArray>
#include <QString>

namespace tendon::ops {
namespace {

QJsonObject withCamera(QJsonObject operation, const ViewCamera& camera)
{
    operation.insert(QStringLiteral("target"), QJsonArray{camera.target.x(), camera.target.y(), camera.target.z()});
    operation.insert(QStringLiteral("distance"), camera.distance);
    operation.insert(QStringLiteral("yaw"), degrees(camera.yaw));
    operation.insert(QStringLiteral("pitch"), degrees(camera.pitch));
    operation.insert(QStringLiteral("fieldOfView"), degrees(camera.fieldOfView));
    operation.insert(QStringLiteral("orthographic"), camera.isOrthographic);
    return operation;
}

} // namespace

QJsonObject undo(int count) { return {{"op", "undo"}, {"count", count}}; }
QJsonObject redo(int count) { return {{"op", "redo"}, {"count", count}}; }

QJsonObject save(const std::string& file)
{
    QJsonObject operation{{"op", "save"}};
    if (!file.empty()) operation.insert(QStringLiteral("file"), QString::fromStdString(file));
    return operation;
}

QJsonObject setFrame(int frame) { return {{"op", "setFrame"}, {"value", frame}}; }
QJsonObject setCamera(const ViewCamera& camera) { return withCamera({{"op", "setCamera"}}, camera); }
QJsonObject setCameraBookmark(const std::string& name, const ViewCamera& camera)
{
    return withCamera({{"op", "setCameraBookmark"}, {"name", QString::fromStdString(name)}}, camera);
}
QJsonObject keyPending() { return {{"op", "keyPending"}}; }
QJsonObject discardPending() { return {{"op", "discardPending"}}; }

QJsonObject group(const std::vector<QJsonObject>& operations)
{
    if (operations.size() == 1) return operations.front();
    QJsonArray list;
    for (const QJsonObject& operation : operations) list.append(operation);
    return {{"op", "group"}, {"operations", list}};
}

} // namespace tendon::ops

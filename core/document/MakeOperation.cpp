#include "core/document/MakeOperation.h"

#include <QJsonArray>
#include <QString>

namespace tendon::ops {

QJsonObject undo(int count) { return {{"op", "undo"}, {"count", count}}; }
QJsonObject redo(int count) { return {{"op", "redo"}, {"count", count}}; }

QJsonObject save(const std::string& file)
{
    QJsonObject operation{{"op", "save"}};
    if (!file.empty()) operation.insert(QStringLiteral("file"), QString::fromStdString(file));
    return operation;
}

QJsonObject setFrame(int frame) { return {{"op", "setFrame"}, {"value", frame}}; }
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

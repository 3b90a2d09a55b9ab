#include "app/widgets/ChannelMenu.h"

#include "app/widgets/Icons.h"
#include "core/document/MakeOperation.h"
#include "core/scene/Check.h"
#include "core/scene/JointMirror.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QJsonArray>

#include <algorithm>
#include <memory>

namespace tendon::editor {
namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(ChannelMenu)
};

bool isTurn(Property p) { return (p >= Property::Rx && p <= Property::Rz) || p == Property::GoalRotation; }
bool isSlide(Property p) { return p <= Property::Tz; }

/// Where the number on the clipboard comes from.
struct Copied
{
    QString text;
    ObjectId object = 0;
};
Copied& copied()
{
    static Copied last;
    return last;
}

QString nameIn(Editor& editor, ObjectId object)
{
    return QString::fromStdString(nameOf(editor.document().scene(), object));
}

void forAll(Editor& editor, const std::vector<ObjectId>& objects, const std::function<QJsonObject(ObjectId)>& make)
{
    std::vector<QJsonObject> operations;
    for (const ObjectId object : objects) operations.push_back(make(object));
    (void)editor.document().applyAsOne(operations);
}

/// +1 or -1: what a number becomes on the other side of the world's X plane. A joint's axes are compared with those of
/// the joint that it was copied from.
double mirrorSign(const Scene& scene, const ChannelEntry& entry, ObjectId from)
{
    const Property property = entry.properties.front();
    const bool turns = isTurn(property);
    if (entry.axis < 0) return property == Property::Twist || property == Property::Roll ? -1 : 1;
    const Joint* to = scene.find(JointId{entry.objects.front()});
    if (to == nullptr) return (entry.axis == 0) != turns ? -1 : 1; // of a goal, a pole or a point: in the world
    const Joint* source = scene.find(JointId{from});
    const Joint& copiedFrom = source == nullptr ? *to : *source;
    const auto map = nearestAxisMap(turns ? mirroredTurns(scene, copiedFrom, *to, 0)
                                          : mirroredMoves(scene, copiedFrom, *to, 0));
    return map ? map->sign[entry.axis] : (entry.axis == 0) != turns ? -1 : 1;
}

void addLock(QMenu& menu, Editor& editor, const ChannelEntry& entry)
{
    const Property property = entry.properties.front();
    const Joint* joint = editor.document().scene().find(JointId{entry.objects.front()});
    if (joint == nullptr || entry.axis < 0) return;
    const auto axis = static_cast<std::size_t>(entry.axis);
    const bool slides = isSlide(property);
    if (!slides && joint->ball) return; // its axes are not apart
    const bool isActive = (slides ? joint->sliding : joint->turning)[axis].active;
    QAction* lock = menu.addAction(icon(QStringLiteral("lock")), Words::tr("Lock against IK"));
    lock->setCheckable(true);
    lock->setChecked(!isActive);
    lock->setToolTip(Words::tr("Solvers leave this axis where it is; you can still pose it"));
    QObject::connect(lock, &QAction::triggered, &editor, [&editor, entry, slides, isActive] {
        forAll(editor, entry.objects, [&](ObjectId object) {
            return QJsonObject{{"op", slides ? "setSlidingAxis" : "setRotationAxis"},
                               {"joint", nameIn(editor, object)},
                               {"axis", QString(QChar('x' + entry.axis))},
                               {"active", !isActive}};
        });
    });
}

} // namespace

void fillChannelMenu(QMenu& menu, Editor& editor, const ChannelEntry& entry)
{
    QJsonArray channels;
    for (const Property p : entry.properties)
        channels.append(QString::fromUtf8(propertyName(p).data(), static_cast<qsizetype>(propertyName(p).size())));
    const auto keys = [&editor, entry, channels](const char* operation) {
        forAll(editor, entry.objects, [&](ObjectId object) {
            return QJsonObject{{"op", operation}, {"target", nameIn(editor, object)}, {"channels", channels}};
        });
    };
    const Clip* clip = editor.document().clip();
    const auto isKeyed = [&](ObjectId object) {
        return clip != nullptr && std::any_of(entry.properties.begin(), entry.properties.end(), [&](Property p) {
                   return clip->find({object, p, editor.document().edit().layer}) != nullptr;
               });
    };
    const bool isAnyKeyed = std::any_of(entry.objects.begin(), entry.objects.end(), isKeyed);
    menu.setToolTipsVisible(true);
    menu.addAction(icon(QStringLiteral("key-add")), Words::tr("Key"), [keys] { keys("key"); });
    QAction* remove = menu.addAction(icon(QStringLiteral("key-remove")), Words::tr("Delete key"),
                                     [keys] { keys("deleteKey"); });
    remove->setEnabled(isAnyKeyed);
    menu.addAction(icon(QStringLiteral("reset")), Words::tr("Reset"), entry.reset);
    addLock(menu, editor, entry);
    menu.addSeparator();
    QAction* copy = menu.addAction(icon(QStringLiteral("copy")), Words::tr("Copy"), [entry] {
        if (entry.field == nullptr) return;
        copied() = {entry.field->fullText(), entry.objects.front()};
        QGuiApplication::clipboard()->setText(copied().text);
    });
    copy->setEnabled(!entry.field->isMixed());
    const QString text = QGuiApplication::clipboard()->text().trimmed();
    const bool isNumber = entry.field->takes(text);
    QAction* paste = menu.addAction(icon(QStringLiteral("paste")), Words::tr("Paste"), [entry, text] {
        if (entry.field != nullptr) (void)entry.field->enterText(text);
    });
    paste->setEnabled(isNumber);
    QAction* mirrored = menu.addAction(icon(QStringLiteral("paste-mirror")), Words::tr("Paste mirrored"),
                                       [&editor, entry, text] {
                                           if (entry.field == nullptr) return;
                                           const ObjectId from = text == copied().text ? copied().object : 0;
                                           const bool isTurned = mirrorSign(editor.document().scene(), entry, from) < 0;
                                           (void)entry.field->enterText(!isTurned              ? text
                                                                        : text.startsWith('-') ? text.mid(1)
                                                                        : text.startsWith('+') ? '-' + text.mid(1)
                                                                                               : '-' + text);
                                       });
    mirrored->setToolTip(Words::tr("Paste the value mirrored to the other side of the body"));
    mirrored->setEnabled(isNumber);
    menu.addSeparator();
    QAction* graph = menu.addAction(icon(QStringLiteral("graph")), Words::tr("Show in graph"), entry.showInGraph);
    graph->setEnabled(isKeyed(entry.objects.front()));
    if (!graph->isEnabled()) graph->setToolTip(Words::tr("It has no keys yet"));
}

} // namespace tendon::editor

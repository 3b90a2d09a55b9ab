#pragma once

#include "core/scene/Check.h"
#include "tests/support/TestDocument.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

#include <algorithm>
#include <iterator>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

namespace tendon::test {

/// Operations drawn at random. Most of them fit the scene they are drawn for, so that a long run goes deep.
class RandomOperations
{
public:
    explicit RandomOperations(std::uint32_t seed) : m_random(seed) {}

    /// `current`: the clip whose keys operations are aimed at, as others are at what they need; none: at nothing.
    QJsonObject next(const Scene& scene, const Clip* current = nullptr)
    {
        m_clip = current;
        const auto all = operations();
        for (;;) {
            // Posing, groups, the history and edits of single components come up more often than the rest of the table.
            static constexpr const char* kOften[] = {"rotate",   "rotate",      "setPose",   "setGoal",
                                                     "key",      "group",       "undo",      "redo",
                                                     "moveKeys", "setKeyValue", "scaleKeys", "setTangent"};
            const Operation& operation = below(4) == 0 ? *findOperation(kOften[below(std::size(kOften))])
                                                       : all[below(all.size())];
            if (isOfFiles(operation) || (m_isInGroup && !isForGroups(operation))) continue;
            if (growsScene(operation) && (scene.joints->size() >= kMaxJoints || scene.handles->size() >= kMaxHandles))
                continue;
            if (current != nullptr && isLong(scene, *current) && lengthens(operation)) continue;
            if ((operation.name == "removeJoint" || operation.name == "removeHandle" ||
                 operation.name == "removeClip" || operation.name == "resetPose") &&
                below(4) != 0)
                continue;
            QJsonObject json{{QStringLiteral("op"), text(operation.name)}};
            for (const Field& field : operation.fields)
                if (field.isRequired || below(2) == 0) json.insert(text(field.name), value(scene, operation, field));
            keepOneOf({"frame", "frames", "range"}, json);
            if (operation.name == "setKeyValue") keepOneOf({"value", "by"}, json);
            if (operation.name == "drag") keepOneOf({"by", "to", "rotation"}, json);
            if (current != nullptr && below(4) != 0) {
                aimAtKeys(scene, operation, json);
                aim(scene, operation, json);
            }
            if (json.contains(QStringLiteral("components"))) fitComponents(scene, json);
            if (operation.name == "setMarker" || operation.name == "removeMarker") // where there is one
                for (const auto& clip : scene.clips)
                    if (!clip->markers.empty()) {
                        const Time time = clip->markers[below(clip->markers.size())].time;
                        json.insert(QStringLiteral("frame"), scene.fps.frameAt(time));
                    }
            return json;
        }
    }

    /// Operations that no run carries out: on files that there are not, and one that is not available yet.
    static bool isOfFiles(const Operation& operation)
    {
        static constexpr std::string_view kNames[] = {"save",      "export",  "import",   "importClip", "savePose",
                                                      "applyPose", "saveMap", "retarget", "fitHandles"};
        return std::find(std::begin(kNames), std::end(kNames), operation.name) != std::end(kNames);
    }

    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(m_random); }

    /// Anything at all, also what no operation takes.
    QJsonValue anything(int depth = 0)
    {
        switch (below(depth > 2 ? 6 : 8)) {
        case 0: return QJsonValue::Null;
        case 1: return below(2) == 0;
        case 2: return number();
        case 3: return 1e300 * number();
        case 4: return QString::fromStdString(std::string(below(12), static_cast<char>(32 + below(90))));
        case 5: return QStringLiteral("joint 1");
        case 6: {
            QJsonArray array;
            for (std::size_t i = below(6); i > 0; --i) array.append(anything(depth + 1));
            return array;
        }
        default: {
            QJsonObject object;
            for (std::size_t i = below(4); i > 0; --i) object.insert(QStringLiteral("m%1").arg(i), anything(depth + 1));
            return object;
        }
        }
    }

private:
    /// What every operation after it takes longer with. Solving grows with both, and nothing is learned of depth.
    static constexpr std::size_t kMaxJoints = 16, kMaxHandles = 5;
    static bool growsScene(const Operation& operation)
    {
        return operation.name == "addJoint" || operation.name == "insertParent" || operation.name == "addHandle";
    }

    /// So do long clips, where something is made at each frame.
    static bool isLong(const Scene& scene, const Clip& clip)
    {
        constexpr double kMaxFrames = 150;
        return clip.hasKeys() && scene.fps.frameAt(clip.end()) - scene.fps.frameAt(clip.begin()) > kMaxFrames;
    }
    static bool lengthens(const Operation& operation)
    {
        return operation.name == "scaleKeys" || operation.name == "moveKeys" || operation.name == "copyKeys" ||
               operation.name == "pasteKeys" || operation.name == "setFps";
    }

    /// Replaces what the operation is about by what there is, or the operation by one that makes it.
    void aim(const Scene& scene, const Operation& operation, QJsonObject& json)
    {
        const auto remove = [&](const char* field) { json.remove(QLatin1String(field)); };
        if (operation.name == "removeCameraBookmark" && !scene.view->bookmarks.empty())
            json[QStringLiteral("name")] = nameIn(scene.view->bookmarks);
        if (operation.name == "rootMotion") {
            remove("bone"), remove("clip");
            if (scene.roles->count("hips") == 0 && !scene.joints->empty())
                json = {{QStringLiteral("op"), QStringLiteral("setRoles")},
                        {QStringLiteral("roles"), QJsonObject{{QStringLiteral("hips"), nameIn(*scene.joints)}}}};
        }
        if (operation.name.ends_with("CurvePoint") && !scene.handles->empty()) {
            std::vector<const Handle*> curved;
            for (const Handle& handle : *scene.handles)
                if (handle.hasCurve()) curved.push_back(&handle);
            if (curved.empty()) {
                json = {{QStringLiteral("op"), QStringLiteral("setHandle")},
                        {QStringLiteral("name"), nameIn(*scene.handles)},
                        {QStringLiteral("solver"), QStringLiteral("spline")}};
                return;
            }
            const Handle& handle = *curved[below(curved.size())];
            json[QStringLiteral("handle")] = QString::fromStdString(handle.name);
            if (json.contains(QStringLiteral("index")))
                json[QStringLiteral("index")] = static_cast<int>(below(static_cast<std::size_t>(handle.curvePoints)));
        }
    }

    /// The same for keys of the clip.
    void aimAtKeys(const Scene& scene, const Operation& operation, QJsonObject& json)
    {
        const auto has = [&](std::string_view name) {
            return std::any_of(operation.fields.begin(), operation.fields.end(),
                               [&](const Field& field) { return field.name == name; });
        };
        const bool isConversion = operation.name == "keysAsAngles" || operation.name == "keysAsRotation";
        if (m_clip == nullptr || m_clip->channels.empty() || !(isConversion || has("target"))) return;
        std::vector<std::pair<ChannelId, const KeyList*>> channels;
        for (const auto& [channel, keys] : m_clip->channels) {
            const bool isAngle = channel.property >= Property::Rx && channel.property <= Property::Rz;
            const bool fits = operation.name == "keysAsAngles"                  ? channel.property == Property::Rotation
                              : isConversion || operation.name == "eulerFilter" ? isAngle
                              : operation.name == "setKeyValue"                 ? !isQuaternion(channel.property)
                                                                                : true;
            const bool isMany = operation.name != "breakdown" || keys->size() > 1;
            if (channel.layer == Layer::Keys && !isSpace(channel.property) && fits && isMany &&
                channel.target != m_clip->id.value)
                channels.emplace_back(channel, &*keys);
        }
        if (channels.empty()) return;
        const auto& [channel, keys] = channels[below(channels.size())];
        const QString name = QString::fromStdString(nameOf(scene, channel.target));
        const auto put = [&](const char* field, const QJsonValue& value) {
            if (has(field)) json.insert(QLatin1String(field), value);
        };
        put(isConversion ? "joint" : "target", name);
        if (operation.name == "key") return; // of anything
        put("channels", QJsonArray{text(propertyName(channel.property))});
        const std::size_t index = below(operation.name == "breakdown" ? keys->size() - 1 : keys->size());
        double frame = scene.fps.frameAt((*keys)[index].time);
        if (operation.name == "breakdown") frame = (frame + scene.fps.frameAt((*keys)[index + 1].time)) / 2;
        const bool isSome = json.contains(QStringLiteral("frame")) || json.contains(QStringLiteral("frames"));
        if (isSome || operation.name == "breakdown") put("frame", frame), json.remove(QStringLiteral("frames"));
        json.remove(QStringLiteral("layer"));
        if (json.contains(QStringLiteral("frame"))) json.remove(QStringLiteral("range"));
    }

    static bool isForGroups(const Operation& operation) { return operation.isUndoStep && operation.name != "group"; }
    QJsonArray group(const Scene& scene)
    {
        m_isInGroup = true;
        QJsonArray operations;
        for (std::size_t i = 1 + below(3); i > 0; --i) operations.append(next(scene, m_clip));
        m_isInGroup = false;
        return operations;
    }
    static QString text(std::string_view view)
    {
        return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
    }
    double number() { return std::uniform_real_distribution<double>(-2, 2)(m_random); }

    template <typename Objects>
    QString nameIn(const Objects& objects)
    {
        return objects.empty() ? QStringLiteral("nobody") : QString::fromStdString(objects[below(objects.size())].name);
    }
    QString clipName(const Scene& scene)
    {
        return scene.clips.empty() || below(6) == 0
                   ? QStringLiteral("clip %1").arg(below(5))
                   : QString::fromStdString(scene.clips[below(scene.clips.size())]->name);
    }
    QJsonArray numbers(std::size_t count, double factor = 1)
    {
        QJsonArray array;
        for (std::size_t i = 0; i < count; ++i) array.append(factor * number());
        return array;
    }

    void keepOneOf(std::vector<const char*> fields, QJsonObject& json)
    {
        std::erase_if(fields, [&](const char* field) { return !json.contains(QLatin1String(field)); });
        if (fields.empty()) return;
        fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(below(fields.size())));
        for (const char* field : fields) json.remove(QLatin1String(field));
    }
    /// Components are for the numbers of a vector, and there are as many as numbers.
    void fitComponents(const Scene& scene, QJsonObject& json)
    {
        static const QString kComponents = QStringLiteral("components");
        const auto count = static_cast<std::size_t>(json[kComponents].toArray().size());
        bool hasNumbers = json.contains(QStringLiteral("valueBy"));
        for (const char* name : {"value", "by", "in", "out", "valueAbout"}) {
            const QString field = QLatin1String(name);
            const bool isTime = field == QLatin1String("by") &&
                                json[QStringLiteral("op")] != QStringLiteral("setKeyValue");
            if (!json.contains(field) || isTime) continue;
            hasNumbers = hasNumbers || field != QLatin1String("valueAbout");
            if (json[field].isArray()) json[field] = numbers(count, 40);
        }
        if (!hasNumbers) json.remove(kComponents);
        if (!hasNumbers || below(4) == 0) return;
        json[QStringLiteral("channels")] = QJsonArray{QStringLiteral("goal.position")};
        if (!scene.handles->empty()) json[QStringLiteral("target")] = nameIn(*scene.handles);
    }

    QJsonValue named(const Scene& scene, const Operation& operation, const Field& field)
    {
        const std::string_view f = field.name;
        const bool isNew = operation.name == "addJoint" || operation.name == "addHandle" ||
                           operation.name == "insertParent" || (operation.name == "rename" && f == "to");
        if (f == "solver") return below(3) == 0 ? QStringLiteral("spline") : QStringLiteral("dls");
        if (isNew) return QStringLiteral("joint %1").arg(below(40));
        if (f == "clip" || f == "into" || f == "to" || f == "name") return clipName(scene);
        return QStringLiteral("nobody");
    }

    QJsonValue value(const Scene& scene, const Operation& operation, const Field& field)
    {
        using Type = Field::Type;
        const std::string_view f = field.name;
        switch (field.type) {
        case Type::String: return named(scene, operation, field);
        case Type::Joint: return nameIn(*scene.joints);
        case Type::JointOrNull: return below(4) == 0 ? QJsonValue(QJsonValue::Null) : QJsonValue(nameIn(*scene.joints));
        case Type::Handle: return nameIn(*scene.handles);
        case Type::TargetOrNull:
            if (below(4) == 0) return QJsonValue(QJsonValue::Null);
            [[fallthrough]];
        case Type::Target:
            return below(2) == 0 && !scene.handles->empty() ? nameIn(*scene.handles) : nameIn(*scene.joints);
        case Type::Names: {
            QJsonArray names;
            if (f == "channels") {
                names.append(QStringList{"rx", "rotation", "tx", "goal.position", "blend", "translation", "angles",
                                         "twist"}[static_cast<qsizetype>(below(8))]);
            } else if (f == "components") {
                for (const char* component : {"x", "y", "z"})
                    if (below(2) == 0 || (*component == 'z' && names.isEmpty()))
                        names.append(QLatin1StringView(component));
            } else {
                for (std::size_t i = 1 + below(3); i > 0; --i) names.append(nameIn(*scene.joints));
            }
            return names;
        }
        case Type::Bool: return below(2) == 0;
        case Type::Integer:
        case Type::Frame:
            return f == "count"    ? 1
                   : f == "passes" ? 1 + static_cast<int>(below(3))
                                   : static_cast<int>(below(30)) - (f == "value" || f == "from" ? 5 : 0);
        case Type::Number:
            if (operation.name == "scaleKeys" && f == "by") return 0.5 + std::abs(number()) / 2; // clips stay short
            if (operation.name == "setStiffness") return std::abs(number()) / 2;
            return f == "frame" || f == "by" || f == "to" || f == "about" ? static_cast<double>(1 + below(40))
                   : f == "value"                                         ? 40 * std::abs(number()) + 1
                                                                          : std::abs(number()) / 4;
        case Type::NumberOrNull: return below(3) == 0 ? QJsonValue(QJsonValue::Null) : QJsonValue(number());
        case Type::NumberOrText: return 1;
        case Type::Numbers:
            return f == "swing"    ? QJsonArray{10, 20, 30, 40}
                   : f == "frames" ? QJsonArray{1, static_cast<int>(below(30))}
                                   : numbers(2, 20);
        case Type::NumberOrNumbers: return below(2) == 0 ? QJsonValue(number()) : QJsonValue(numbers(3, 40));
        case Type::Vector: return numbers(3);
        case Type::VectorOrNull: return below(4) == 0 ? QJsonValue(QJsonValue::Null) : QJsonValue(numbers(3));
        case Type::Rotation: return below(2) == 0 ? numbers(3, 90) : numbers(4);
        case Type::Points: return QJsonArray{};
        case Type::Choice: {
            const QStringList choices = text(field.choices).split(QLatin1Char('|'));
            return choices[static_cast<qsizetype>(below(static_cast<std::size_t>(choices.size())))];
        }
        case Type::Object: return QJsonObject{};
        case Type::ObjectOrNull:
            return below(3) == 0 ? QJsonValue(QJsonValue::Null)
                                 : QJsonValue(QJsonObject{{QStringLiteral("kind"), QStringLiteral("sphere")},
                                                          {QStringLiteral("size"), QJsonArray{0.1}}});
        case Type::Operations: return group(scene);
        }
        return {};
    }

    std::mt19937 m_random;
    const Clip* m_clip = nullptr;
    bool m_isInGroup = false;
};

/// What random operations start from: three joints in a row, a handle and a clip.
inline TestDocument randomStart()
{
    TestDocument test;
    test(R"({"op": "addJoint", "name": "joint 1"})")(
        R"({"op": "addJoint", "name": "joint 2", "parent": "joint 1", "translation": [0.5, 0, 0]})");
    test(R"({"op": "addJoint", "name": "joint 3", "parent": "joint 2", "translation": [0.5, 0, 0]})");
    test(R"({"op": "addHandle", "name": "joint 4", "start": "joint 1", "end": "joint 3"})")(
        R"({"op": "addClip", "name": "clip 1"})");
    test.document.history = History(versionOf(test.document.scene(), test.document.edit));
    return test;
}

} // namespace tendon::test

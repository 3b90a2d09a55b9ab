#include "core/io/export/tables/PoseTables.h"

#include "core/math/Degrees.h"
#include "core/runtime/BakedPoses.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>
#include <charconv>
#include <cmath>

namespace tendon {

namespace {

template <typename Vector>
QJsonArray array(const Vector& v)
{
    QJsonArray result;
    for (Eigen::Index i = 0; i < v.size(); ++i) result.append(v[i]);
    return result;
}

QJsonObject transformJson(const LocalTransform& transform)
{
    return {{QStringLiteral("translation"), array(transform.translation)},
            {QStringLiteral("rotation"), array(transform.rotation.coeffs())},
            {QStringLiteral("scale"), array(transform.scale)}};
}

QString nameOf(const Scene& scene, JointId id)
{
    const Joint* joint = scene.find(id);
    return joint != nullptr ? QString::fromStdString(joint->name) : QString();
}

/// The shortest text that reads as the same double.
std::string text(double value)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value + 0.0).ptr;
    return {buffer.data(), end};
}

std::string field(const std::string& value)
{
    if (value.find_first_of(",\"\r\n") == std::string::npos) return value;
    std::string quoted = "\"";
    for (const char c : value) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

} // namespace

Result<std::string> poseTableJson(const Scene& scene, const std::vector<BakedClip>& clips)
{
    auto poses = BakedPoses::of(scene);
    if (!poses) return poses.error();
    QJsonArray joints, clipsJson;
    for (const Joint& joint : *scene.joints) {
        QJsonObject entry{{QStringLiteral("name"), QString::fromStdString(joint.name)}};
        entry[QStringLiteral("parent")] = joint.parent.isValid() ? QJsonValue(nameOf(scene, joint.parent))
                                                                 : QJsonValue();
        joints.append(entry);
    }
    for (const BakedClip& clip : clips) {
        QJsonArray samples;
        for (std::size_t s = 0; s < clip.times.size(); ++s) {
            poses->at(clip, s);
            QJsonArray jointsJson;
            for (std::size_t i = 0; i < scene.joints->size(); ++i) {
                const JointId id = (*scene.joints)[i].id;
                const std::size_t at = s * clip.joints.size() + poses->column(clip, id);
                jointsJson.append(QJsonObject{{QStringLiteral("local"), transformJson(clip.locals[at])},
                                              {QStringLiteral("world"), transformJson(decompose(poses->world(id)))},
                                              {QStringLiteral("angles"), array(Vector3(clip.angles[at] * kDegrees))}});
            }
            samples.append(QJsonObject{{QStringLiteral("frame"), sampleFrame(clip, s)},
                                       {QStringLiteral("seconds"), clip.times[s].seconds()},
                                       {QStringLiteral("joints"), jointsJson}});
        }
        clipsJson.append(QJsonObject{{QStringLiteral("name"), QString::fromStdString(clip.name)},
                                     {QStringLiteral("fps"), clip.fps.perSecond()},
                                     {QStringLiteral("samples"), samples}});
    }
    return QJsonDocument(QJsonObject{{QStringLiteral("joints"), joints}, {QStringLiteral("clips"), clipsJson}})
        .toJson(QJsonDocument::Compact)
        .toStdString();
}

Result<std::string> poseTableCsv(const Scene& scene, const std::vector<BakedClip>& clips)
{
    auto poses = BakedPoses::of(scene);
    if (!poses) return poses.error();
    std::string csv = "clip,frame,seconds";
    for (const Joint& joint : *scene.joints)
        for (const char* column : {".x", ".y", ".z", ".rx", ".ry", ".rz"}) csv += "," + field(joint.name + column);
    csv += "\n";
    for (const BakedClip& clip : clips)
        for (std::size_t s = 0; s < clip.times.size(); ++s) {
            poses->at(clip, s);
            csv += field(clip.name) + "," + text(sampleFrame(clip, s)) + "," + text(clip.times[s].seconds());
            for (const Joint& joint : *scene.joints) {
                const Vector3 position = poses->world(joint.id).translation();
                const Vector3 angles = clip.angles[s * clip.joints.size() + poses->column(clip, joint.id)] * kDegrees;
                for (int k = 0; k < 3; ++k) csv += "," + text(position[k]);
                for (int k = 0; k < 3; ++k) csv += "," + text(angles[k]);
            }
            csv += "\n";
        }
    return csv;
}

} // namespace tendon

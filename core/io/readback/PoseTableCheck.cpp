#include "core/io/readback/PoseTableCheck.h"

#include "core/io/base/Files.h"
#include "core/io/readback/Comparison.h"
#include "core/math/Degrees.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <map>

namespace tendon {

namespace {

/// What a table says of a joint at a sample.
struct JointRow
{
    Affine world = Affine::Identity();      ///< as it is stated
    Affine fromLocals = Affine::Identity(); ///< as it follows from the local transforms of the joint and those above
    Vector3 angles = Vector3::Zero();       ///< [degrees]
};
using Rows = std::map<std::string, JointRow>; ///< by joint name
struct Table
{
    bool hasTransforms = false;                     ///< whole transforms; otherwise positions and angles
    std::map<std::string, std::vector<Rows>> clips; ///< samples by the name of the clip
};

Eigen::Matrix4d matrixOf(const QJsonObject& transform)
{
    const QJsonArray t = transform["translation"].toArray(), q = transform["rotation"].toArray(),
                     s = transform["scale"].toArray();
    Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
    m.block<3, 3>(
        0, 0) = Quaternion(q[3].toDouble(), q[0].toDouble(), q[1].toDouble(), q[2].toDouble()).toRotationMatrix() *
                Vector3(s[0].toDouble(), s[1].toDouble(), s[2].toDouble()).asDiagonal();
    m.block<3, 1>(0, 3) = Vector3(t[0].toDouble(), t[1].toDouble(), t[2].toDouble());
    return m;
}

/// True when no translation, rotation and scale make this transform.
bool isSheared(const Affine& transform)
{
    const Eigen::Matrix3d axes = transform.linear() * transform.linear().colwise().norm().cwiseInverse().asDiagonal();
    return !((axes.transpose() * axes - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-6);
}

Table readJson(const std::string& bytes)
{
    const QJsonObject root = QJsonDocument::fromJson(QByteArray::fromStdString(bytes)).object();
    const QJsonArray joints = root["joints"].toArray();
    std::map<QString, qsizetype> indexOf;
    for (qsizetype j = 0; j < joints.size(); ++j) indexOf[joints[j].toObject()["name"].toString()] = j;
    Table table{.hasTransforms = true, .clips = {}};
    for (const QJsonValue& clip : root["clips"].toArray())
        for (const QJsonValue& sample : clip.toObject()["samples"].toArray()) {
            const QJsonArray posed = sample.toObject()["joints"].toArray();
            Rows rows;
            for (qsizetype j = 0; j < joints.size(); ++j) {
                Eigen::Matrix4d world = Eigen::Matrix4d::Identity();
                qsizetype steps = 0; // ends even if the file's parents form a cycle
                for (auto at = indexOf.find(joints[j].toObject()["name"].toString());
                     at != indexOf.end() && steps++ <= joints.size();
                     at = indexOf.find(joints[at->second].toObject()["parent"].toString()))
                    world = matrixOf(posed[at->second].toObject()["local"].toObject()) * world;
                const QJsonObject joint = posed[j].toObject();
                const QJsonArray angles = joint["angles"].toArray();
                rows[joints[j].toObject()["name"].toString().toStdString()] = {
                    Affine(matrixOf(joint["world"].toObject())),
                    Affine(world),
                    {angles[0].toDouble(), angles[1].toDouble(), angles[2].toDouble()}};
            }
            table.clips[clip.toObject()["name"].toString().toStdString()].push_back(std::move(rows));
        }
    return table;
}

/// Rows of fields, quoted as RFC 4180 says.
std::vector<std::vector<std::string>> readRows(const std::string& text)
{
    std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
    bool isQuoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (isQuoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
            rows.back().back() += text[++i];
        else if (c == '"')
            isQuoted = !isQuoted;
        else if (!isQuoted && c == ',')
            rows.back().emplace_back();
        else if (!isQuoted && c == '\n')
            rows.emplace_back(1);
        else
            rows.back().back() += c;
    }
    return rows;
}

Table readCsv(const std::string& bytes)
{
    const auto rows = readRows(bytes);
    Table table;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        if (rows[r].size() != rows[0].size()) continue;
        Rows joints;
        for (std::size_t c = 3; c + 5 < rows[r].size(); c += 6) {
            const auto number = [&](std::size_t at) { return QString::fromStdString(rows[r][at]).toDouble(); };
            const std::string& title = rows[0][c];
            joints[title.substr(0, title.size() - 2)] = {
                Affine(Eigen::Translation3d(number(c), number(c + 1), number(c + 2))),
                Affine::Identity(),
                {number(c + 3), number(c + 4), number(c + 5)}};
        }
        table.clips[rows[r][0]].push_back(std::move(joints));
    }
    return table;
}

} // namespace

Result<ReadBack> checkPoseTable(const std::string& path, const Original& original)
{
    auto poses = BakedPoses::of(original.scene);
    if (!poses) return poses.error();
    ReadBack result{.reader = "Tendon's table reader", .jointAt = {}, .vertexAt = {}, .missing = {}};
    result.radius = radiusOf(original.scene, original.clips, *poses);
    result.levels = levelsOf(poses->rig());
    const auto bytes = readFile(path);
    if (!bytes) {
        result.missing.push_back("the whole file: " + bytes.error().text());
        return result;
    }
    const Table table = path.ends_with(".csv") ? readCsv(*bytes) : readJson(*bytes);
    JointErrors errors;
    for (std::size_t c = 0; c < original.clips.size(); ++c) {
        const BakedClip& clip = original.clips[c];
        const auto samples = table.clips.find(clip.name);
        if (samples == table.clips.end() || samples->second.size() != clip.times.size()) {
            result.missing.push_back("clip " + clip.name);
            continue;
        }
        for (std::size_t s = 0; s < clip.times.size(); ++s) {
            poses->at(clip, s);
            errors.begin(c, sampleFrame(clip, s));
            for (const Joint& joint : *original.scene.joints) {
                const auto found = samples->second[s].find(joint.name);
                const std::string name = "joint " + joint.name;
                const auto where = [&] { return placeOf(clip, s) + ", " + name; };
                if (found == samples->second[s].end()) {
                    if (result.missing.empty() || result.missing.back() != name) result.missing.push_back(name);
                    continue;
                }
                const Affine& world = poses->world(joint.id);
                errors.add(Vector3(found->second.world.translation()), Vector3(world.translation()), where);
                if (table.hasTransforms) {
                    errors.add(found->second.fromLocals, world, where);
                    if (!isSheared(world)) errors.addTurn(found->second.world.linear(), world.linear(), where);
                }
                const Vector3& angles = clip.angles[s * clip.joints.size() + poses->column(clip, joint.id)];
                errors.addTurn((found->second.angles / kDegrees - angles).cwiseAbs().maxCoeff(), where);
            }
        }
    }
    errors.report(result);
    return result;
}

} // namespace tendon

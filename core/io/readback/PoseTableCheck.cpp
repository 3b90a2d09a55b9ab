#include "core/io/readback/PoseTableCheck.h"

#include "core/io/base/Files.h"
#include "core/io/readback/JointErrors.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <map>

namespace tendon {

namespace {

using Positions = std::map<std::string, Vector3>;            ///< by joint name
using Table = std::map<std::string, std::vector<Positions>>; ///< clip name -> samples

Eigen::Matrix4d matrixOf(const QJsonObject& local)
{
    const QJsonArray t = local["translation"].toArray(), q = local["rotation"].toArray(), s = local["scale"].toArray();
    Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
    m.block<3, 3>(
        0, 0) = Quaternion(q[3].toDouble(), q[0].toDouble(), q[1].toDouble(), q[2].toDouble()).toRotationMatrix() *
                Vector3(s[0].toDouble(), s[1].toDouble(), s[2].toDouble()).asDiagonal();
    m.block<3, 1>(0, 3) = Vector3(t[0].toDouble(), t[1].toDouble(), t[2].toDouble());
    return m;
}

Table readJson(const std::string& bytes)
{
    const QJsonObject root = QJsonDocument::fromJson(QByteArray::fromStdString(bytes)).object();
    const QJsonArray joints = root["joints"].toArray();
    std::map<QString, qsizetype> indexOf;
    for (qsizetype j = 0; j < joints.size(); ++j) indexOf[joints[j].toObject()["name"].toString()] = j;
    Table table;
    for (const QJsonValue& clip : root["clips"].toArray())
        for (const QJsonValue& sample : clip.toObject()["samples"].toArray()) {
            const QJsonArray posed = sample.toObject()["joints"].toArray();
            Positions positions;
            for (qsizetype j = 0; j < joints.size(); ++j) {
                Eigen::Matrix4d world = Eigen::Matrix4d::Identity();
                qsizetype steps = 0; // a file with a cycle of parents ends all the same
                for (auto at = indexOf.find(joints[j].toObject()["name"].toString());
                     at != indexOf.end() && steps++ <= joints.size();
                     at = indexOf.find(joints[at->second].toObject()["parent"].toString()))
                    world = matrixOf(posed[at->second].toObject()["local"].toObject()) * world;
                positions[joints[j].toObject()["name"].toString().toStdString()] = world.block<3, 1>(0, 3);
            }
            table[clip.toObject()["name"].toString().toStdString()].push_back(std::move(positions));
        }
    return table;
}

/// Rows of fields as RFC 4180 has them.
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
        Positions positions;
        for (std::size_t c = 3; c + 5 < rows[r].size(); c += 6) {
            const auto number = [&](std::size_t at) { return QString::fromStdString(rows[r][at]).toDouble(); };
            const std::string& title = rows[0][c];
            positions[title.substr(0, title.size() - 2)] = {number(c), number(c + 1), number(c + 2)};
        }
        table[rows[r][0]].push_back(std::move(positions));
    }
    return table;
}

} // namespace

Result<ReadBack> checkPoseTable(const std::string& path, const Scene& scene, const std::vector<BakedClip>& clips)
{
    auto poses = BakedPoses::of(scene);
    if (!poses) return poses.error();
    ReadBack result{.reader = "Tendon's table reader", .jointAt = {}, .vertexAt = {}, .missing = {}};
    result.radius = radiusOf(scene, clips, *poses);
    const auto bytes = readFile(path);
    if (!bytes) {
        result.missing.push_back("the whole file: " + bytes.error().text());
        return result;
    }
    const Table table = path.ends_with(".csv") ? readCsv(*bytes) : readJson(*bytes);
    JointErrors worst;
    for (std::size_t c = 0; c < clips.size(); ++c) {
        const BakedClip& clip = clips[c];
        const auto samples = table.find(clip.name);
        if (samples == table.end() || samples->second.size() != clip.times.size()) {
            result.missing.push_back("clip " + clip.name);
            continue;
        }
        for (std::size_t s = 0; s < clip.times.size(); ++s) {
            poses->at(clip, s);
            worst.begin(c, sampleFrame(clip, s));
            for (const Joint& joint : *scene.joints) {
                const auto found = samples->second[s].find(joint.name);
                const std::string name = "joint " + joint.name;
                if (found != samples->second[s].end())
                    worst.add(found->second, Vector3(poses->world(joint.id).translation()),
                              [&] { return placeOf(clip, s) + ", " + name; });
                else if (result.missing.empty() || result.missing.back() != name)
                    result.missing.push_back(name);
            }
        }
    }
    worst.tell(result);
    return result;
}

} // namespace tendon

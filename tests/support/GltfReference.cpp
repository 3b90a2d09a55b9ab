#include "tests/support/GltfReference.h"

#include <QFile>
#include <QFileInfo>
#include <QUrl>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tendon::test {
namespace {

using Json = nlohmann::json;

template <typename T>
T read(const char* at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

QByteArray fileBytes(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", qPrintable(path));
    return file.readAll();
}

double component(int type, bool isNormalised, const char* at)
{
    switch (type) {
    case 5120: return isNormalised ? std::max(read<std::int8_t>(at) / 127.0, -1.0) : read<std::int8_t>(at);
    case 5121: return read<std::uint8_t>(at) / (isNormalised ? 255.0 : 1.0);
    case 5122: return isNormalised ? std::max(read<std::int16_t>(at) / 32767.0, -1.0) : read<std::int16_t>(at);
    case 5123: return read<std::uint16_t>(at) / (isNormalised ? 65535.0 : 1.0);
    case 5125: return read<std::uint32_t>(at);
    default: return static_cast<double>(read<float>(at));
    }
}

std::size_t sizeOf(int type) { return type == 5120 || type == 5121 ? 1 : type == 5122 || type == 5123 ? 2 : 4; }

std::size_t componentsOf(const std::string& type)
{
    return type == "SCALAR" ? 1 : type == "MAT4" ? 16 : static_cast<std::size_t>(type.back() - '0');
}

Eigen::Vector4d slerp(Eigen::Vector4d a, Eigen::Vector4d b, double u)
{
    double cosine = a.normalized().dot(b.normalized());
    if (cosine < 0) {
        b = -b;
        cosine = -cosine;
    }
    const double angle = std::acos(std::min(cosine, 1.0));
    if (angle < 1e-9) return (1 - u) * a + u * b;
    return (std::sin((1 - u) * angle) * a.normalized() + std::sin(u * angle) * b.normalized()) / std::sin(angle);
}

/// glTF 2.0, appendix C: values of `n` numbers at `time`.
Eigen::VectorXd sample(const std::vector<double>& times, const std::vector<double>& values,
                       const std::string& interpolation, int n, double time)
{
    const bool isCubic = interpolation == "CUBICSPLINE";
    const auto value = [&](std::size_t key,
                           int part) { // part of a cubic key: 0 in-tangent, 1 value, 2 out-tangent
        const std::size_t at = (isCubic ? key * 3 + static_cast<std::size_t>(part) : key) * static_cast<std::size_t>(n);
        return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(values.data() + at, n));
    };
    const auto after = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
    if (after == 0) return value(0, 1);
    if (after == times.size()) return value(times.size() - 1, 1);
    const std::size_t k = after - 1;
    if (interpolation == "STEP") return value(k, 1);
    const double d = times[k + 1] - times[k], u = (time - times[k]) / d;
    if (!isCubic)
        return n == 4 ? Eigen::VectorXd(slerp(value(k, 1), value(k + 1, 1), u))
                      : Eigen::VectorXd((1 - u) * value(k, 1) + u * value(k + 1, 1));
    const double u2 = u * u, u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * value(k, 1) + d * (u3 - 2 * u2 + u) * value(k, 2) +
           (3 * u2 - 2 * u3) * value(k + 1, 1) + d * (u3 - u2) * value(k + 1, 0);
}

} // namespace

GltfReference::GltfReference(const QString& path)
{
    const QByteArray file = fileBytes(path);
    QByteArray binary;
    if (file.startsWith("glTF")) {
        const auto length = read<std::uint32_t>(file.constData() + 12);
        m_json = Json::parse(file.constData() + 20, file.constData() + 20 + length);
        if (file.size() > 28 + static_cast<qsizetype>(length)) binary = file.mid(28 + static_cast<qsizetype>(length));
    } else {
        m_json = Json::parse(file.begin(), file.end());
    }
    for (const Json& buffer : m_json.value("buffers", Json::array())) {
        const std::string uri = buffer.value("uri", "");
        const std::size_t comma = uri.find(',');
        if (uri.empty())
            m_buffers.push_back(binary);
        else if (uri.starts_with("data:"))
            m_buffers.push_back(QByteArray::fromBase64(QByteArray::fromStdString(uri.substr(comma + 1))));
        else
            m_buffers.push_back(
                fileBytes(QFileInfo(path).path() + "/" + QUrl::fromPercentEncoding(QByteArray::fromStdString(uri))));
    }
}

bool GltfReference::needsDraco() const
{
    const Json required = m_json.value("extensionsRequired", Json::array());
    return std::find(required.begin(), required.end(), "KHR_draco_mesh_compression") != required.end();
}

std::vector<double> GltfReference::numbers(std::size_t index) const
{
    const Json& accessor = m_json["accessors"][index];
    const int type = accessor["componentType"];
    const bool isNormalised = accessor.value("normalized", false);
    const std::size_t count = accessor["count"], n = componentsOf(accessor["type"]);
    std::vector<double> values(count * n, 0);
    const auto copy = [&](const Json& from, int viewIndex, std::size_t element, std::size_t to) {
        const Json& view = m_json["bufferViews"][static_cast<std::size_t>(viewIndex)];
        const std::size_t stride = view.value("byteStride", n * sizeOf(type));
        const std::size_t at = view.value("byteOffset", std::size_t{0}) + from.value("byteOffset", std::size_t{0}) +
                               element * stride;
        const char* bytes = m_buffers[view["buffer"].get<std::size_t>()].constData() + at;
        for (std::size_t c = 0; c < n; ++c)
            values[to * n + c] = component(type, isNormalised, bytes + c * sizeOf(type));
    };
    if (accessor.contains("bufferView"))
        for (std::size_t i = 0; i < count; ++i) copy(accessor, accessor["bufferView"], i, i);
    if (accessor.contains("sparse")) {
        const Json& sparse = accessor["sparse"];
        const Json& indices = sparse["indices"];
        const Json& view = m_json["bufferViews"][indices["bufferView"].get<std::size_t>()];
        const char* bytes = m_buffers[view["buffer"].get<std::size_t>()].constData() +
                            view.value("byteOffset", std::size_t{0}) + indices.value("byteOffset", std::size_t{0});
        for (std::size_t i = 0; i < sparse["count"].get<std::size_t>(); ++i) {
            const auto to = static_cast<std::size_t>(
                component(indices["componentType"], false, bytes + i * sizeOf(indices["componentType"])));
            copy(sparse["values"], sparse["values"]["bufferView"], i, to);
        }
    }
    return values;
}

Eigen::Affine3d GltfReference::Local::transform() const
{
    if (isMatrix) return matrix;
    const Eigen::Vector4d q = rotation.normalized();
    return Eigen::Translation3d(translation) * Eigen::Quaterniond(q[3], q[0], q[1], q[2]) * Eigen::Scaling(scale);
}

GltfReference::Local GltfReference::rest(std::size_t index) const
{
    const Json& node = m_json["nodes"][index];
    Local local;
    const auto get = [&](const char* name, auto& to) {
        if (!node.contains(name)) return;
        for (Eigen::Index i = 0; i < to.size(); ++i) to[i] = node[name][static_cast<std::size_t>(i)];
    };
    get("translation", local.translation);
    get("rotation", local.rotation);
    get("scale", local.scale);
    if (node.contains("matrix")) {
        local.isMatrix = true;
        for (int i = 0; i < 16; ++i) local.matrix.matrix()(i % 4, i / 4) = node["matrix"][static_cast<std::size_t>(i)];
    }
    return local;
}

std::vector<Eigen::Affine3d> GltfReference::world(int animation, double seconds) const
{
    const std::size_t count = m_json["nodes"].size();
    std::vector<Local> locals;
    std::vector<int> parent(count, -1);
    for (std::size_t n = 0; n < count; ++n) {
        locals.push_back(rest(n));
        for (const Json& child : m_json["nodes"][n].value("children", Json::array()))
            parent[child.get<std::size_t>()] = static_cast<int>(n);
    }
    for (const Json& channel :
         animation < 0 ? Json::array() : m_json["animations"][static_cast<std::size_t>(animation)]["channels"]) {
        const Json& sampler = m_json["animations"][static_cast<std::size_t>(animation)]["samplers"]
                                    [channel["sampler"].get<std::size_t>()];
        const std::string path = channel["target"]["path"];
        if (!channel["target"].contains("node") || path == "weights") continue;
        const Eigen::VectorXd value = sample(numbers(sampler["input"]), numbers(sampler["output"]),
                                             sampler.value("interpolation", "LINEAR"), path == "rotation" ? 4 : 3,
                                             seconds);
        Local& local = locals[channel["target"]["node"].get<std::size_t>()];
        if (path == "translation")
            local.translation = value;
        else if (path == "scale")
            local.scale = value;
        else
            local.rotation = value;
    }
    std::vector<Eigen::Affine3d> world(count);
    for (std::size_t n = 0; n < count; ++n) {
        world[n] = locals[n].transform();
        for (int at = parent[n]; at >= 0; at = parent[static_cast<std::size_t>(at)])
            world[n] = locals[static_cast<std::size_t>(at)].transform() * world[n];
    }
    return world;
}

double GltfReference::duration(int animation) const
{
    double last = 0;
    for (const Json& sampler : m_json["animations"][static_cast<std::size_t>(animation)]["samplers"])
        last = std::max(last, numbers(sampler["input"]).back());
    return last;
}

std::vector<bool> GltfReference::inScene() const
{
    const std::size_t count = m_json["nodes"].size();
    const Json scenes = m_json.value("scenes", Json::array());
    if (scenes.empty()) return std::vector<bool>(count, true);
    std::vector<bool> in(count, false);
    std::vector<std::size_t> stack = scenes[m_json.value("scene", std::size_t{0})].value("nodes",
                                                                                         std::vector<std::size_t>());
    while (!stack.empty()) {
        const std::size_t node = stack.back();
        stack.pop_back();
        in[node] = true;
        for (const Json& child : m_json["nodes"][node].value("children", Json::array())) stack.push_back(child);
    }
    return in;
}

std::vector<std::vector<Eigen::Vector3d>> GltfReference::vertices(const std::vector<Eigen::Affine3d>& world) const
{
    std::vector<std::vector<Eigen::Vector3d>> all;
    const std::vector<bool> in = inScene();
    for (std::size_t n = 0; n < world.size(); ++n) {
        const Json& node = m_json["nodes"][n];
        if (!in[n] || !node.contains("mesh")) continue;
        for (const Json& primitive : m_json["meshes"][node["mesh"].get<std::size_t>()]["primitives"]) {
            if (primitive.value("mode", 4) < 4) continue;
            const Json& attributes = primitive["attributes"];
            const std::vector<double> positions = numbers(attributes["POSITION"]);
            const bool isSkinned = node.contains("skin") && attributes.contains("JOINTS_0");
            std::vector<Eigen::Affine3d> palette;
            if (isSkinned) {
                const Json& skin = m_json["skins"][node["skin"].get<std::size_t>()];
                const std::vector<double> binds = skin.contains("inverseBindMatrices")
                                                      ? numbers(skin["inverseBindMatrices"])
                                                      : std::vector<double>();
                for (std::size_t j = 0; j < skin["joints"].size(); ++j) {
                    Eigen::Affine3d bind = Eigen::Affine3d::Identity();
                    if (!binds.empty()) bind.matrix() = Eigen::Map<const Eigen::Matrix4d>(binds.data() + 16 * j);
                    palette.push_back(world[skin["joints"][j].get<std::size_t>()] * bind);
                }
            }
            std::vector<std::vector<double>> joints, weights;
            for (int set = 0; isSkinned && attributes.contains("JOINTS_" + std::to_string(set)); ++set) {
                joints.push_back(numbers(attributes["JOINTS_" + std::to_string(set)]));
                weights.push_back(numbers(attributes["WEIGHTS_" + std::to_string(set)]));
            }
            std::vector<Eigen::Vector3d> placed;
            for (std::size_t v = 0; v * 3 < positions.size(); ++v) {
                const Eigen::Vector3d position(positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]);
                if (!isSkinned) {
                    placed.push_back(world[n] * position);
                    continue;
                }
                Eigen::Vector3d sum = Eigen::Vector3d::Zero();
                double total = 0;
                for (std::size_t set = 0; set < joints.size(); ++set)
                    for (std::size_t i = v * 4; i < v * 4 + 4; ++i) {
                        sum += weights[set][i] * (palette[static_cast<std::size_t>(joints[set][i])] * position);
                        total += weights[set][i];
                    }
                placed.push_back(total > 0 ? Eigen::Vector3d(sum / total) : world[n] * position);
            }
            all.push_back(placed);
        }
    }
    return all;
}

} // namespace tendon::test

#include "core/io/readback/GltfPlayback.h"

#include "core/io/readers/draco/DracoMesh.h"
#include "core/io/readers/meshopt/MeshoptView.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QtEndian>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tendon {

namespace {

constexpr std::size_t kMaxNumbers = std::size_t{1} << 27; // an accessor without data may claim any count

std::vector<double> numbers(const QJsonValue& value)
{
    std::vector<double> result;
    for (const QJsonValue& entry : value.toArray()) result.push_back(entry.toDouble());
    return result;
}

int componentSize(int type) { return type == 5120 || type == 5121 ? 1 : type == 5122 || type == 5123 ? 2 : 4; }

int componentsOf(const QString& type)
{
    if (type.startsWith(QLatin1String("VEC"))) return type.mid(3).toInt();
    if (type.startsWith(QLatin1String("MAT"))) return type.mid(3).toInt() * type.mid(3).toInt();
    return 1;
}

double component(const char* at, int type, bool isNormalised)
{
    switch (type) {
    case 5120:
        return isNormalised ? std::max(static_cast<signed char>(*at) / 127.0, -1.0) : static_cast<signed char>(*at);
    case 5121: return static_cast<unsigned char>(*at) / (isNormalised ? 255.0 : 1.0);
    case 5122:
        return isNormalised ? std::max(qFromLittleEndian<qint16>(at) / 32767.0, -1.0) : qFromLittleEndian<qint16>(at);
    case 5123: return qFromLittleEndian<quint16>(at) / (isNormalised ? 65535.0 : 1.0);
    case 5125: return qFromLittleEndian<quint32>(at);
    default: return static_cast<double>(qFromLittleEndian<float>(at));
    }
}

bool isPlayed(const QString& attribute)
{
    return attribute == QLatin1String("POSITION") || attribute.startsWith(QLatin1String("JOINTS_")) ||
           attribute.startsWith(QLatin1String("WEIGHTS_"));
}

QJsonValue dracoOf(const QJsonObject& primitive)
{
    return primitive["extensions"].toObject()["KHR_draco_mesh_compression"];
}

DracoNumber dracoNumber(int componentType)
{
    switch (componentType) {
    case 5120: return DracoNumber::Int8;
    case 5121: return DracoNumber::Uint8;
    case 5122: return DracoNumber::Int16;
    case 5123: return DracoNumber::Uint16;
    case 5125: return DracoNumber::Uint32;
    default: return DracoNumber::Float;
    }
}

/// The text book's matrix of a unit quaternion, T * R * S.
Eigen::Matrix4d compose(const Eigen::Vector3d& t, const Eigen::Vector4d& q, const Eigen::Vector3d& s)
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
    m(0, 0) = (1 - 2 * (y * y + z * z)) * s[0];
    m(1, 0) = 2 * (x * y + z * w) * s[0];
    m(2, 0) = 2 * (x * z - y * w) * s[0];
    m(0, 1) = 2 * (x * y - z * w) * s[1];
    m(1, 1) = (1 - 2 * (x * x + z * z)) * s[1];
    m(2, 1) = 2 * (y * z + x * w) * s[1];
    m(0, 2) = 2 * (x * z + y * w) * s[2];
    m(1, 2) = 2 * (y * z - x * w) * s[2];
    m(2, 2) = (1 - 2 * (x * x + y * y)) * s[2];
    m.block<3, 1>(0, 3) = t;
    return m;
}

Eigen::VectorXd slerp(Eigen::VectorXd a, Eigen::VectorXd b, double u)
{
    double cosine = a.dot(b);
    if (cosine < 0) {
        b = -b;
        cosine = -cosine;
    }
    if (cosine > 1 - 1e-12) return ((1 - u) * a + u * b).normalized();
    const double angle = std::acos(std::min(cosine, 1.0));
    return (std::sin((1 - u) * angle) * a + std::sin(u * angle) * b) / std::sin(angle);
}

} // namespace

Result<GltfPlayback> GltfPlayback::load(const std::string& path)
{
    GltfPlayback playback;
    std::string problem = playback.loadContainer(path);
    if (problem.empty()) problem = playback.loadBuffers(QFileInfo(QString::fromStdString(path)).path().toStdString());
    if (!problem.empty()) return Error{ErrorCode::Io, "reading it back failed: " + problem, path};
    playback.unpackViews();
    playback.loadNodes();
    playback.loadAnimations();
    playback.loadSkins();
    playback.loadParts();
    playback.loadCamerasAndLights();
    return playback;
}

std::string GltfPlayback::loadContainer(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly)) return file.errorString().toStdString();
    QByteArray bytes = file.readAll();
    if (bytes.startsWith("glTF")) {
        if (bytes.size() < 20 ||
            qFromLittleEndian<quint32>(bytes.constData() + 8) != static_cast<quint32>(bytes.size()))
            return "the length in the header is not the file's";
        const quint32 jsonSize = qFromLittleEndian<quint32>(bytes.constData() + 12);
        if (bytes.mid(16, 4) != "JSON" || jsonSize % 4 != 0 || 20 + qint64(jsonSize) > bytes.size())
            return "there is no JSON chunk";
        const QByteArray rest = bytes.mid(20 + qsizetype(jsonSize));
        if (!rest.isEmpty()) {
            if (rest.size() < 8 || rest.mid(4, 4) != QByteArray("BIN\0", 4) ||
                8 + qint64(qFromLittleEndian<quint32>(rest.constData())) != rest.size())
                return "the binary chunk is damaged";
            m_bin = rest.mid(8);
        }
        bytes = bytes.mid(20, qsizetype(jsonSize));
    }
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
    if (!document.isObject()) return "the JSON cannot be parsed: " + error.errorString().toStdString();
    m_json = document.object();
    return {};
}

std::string GltfPlayback::loadBuffers(const std::string& folder)
{
    for (const QJsonValue& value : m_json["buffers"].toArray()) {
        const QString uri = value.toObject()["uri"].toString();
        if (uri.isEmpty())
            m_buffers.push_back(m_buffers.empty() ? m_bin : QByteArray());
        else if (uri.startsWith(QLatin1String("data:")))
            m_buffers.push_back(QByteArray::fromBase64(uri.mid(uri.indexOf(QLatin1Char(',')) + 1).toLatin1()));
        else {
            QFile file(QDir(QString::fromStdString(folder))
                           .filePath(QString::fromUtf8(QByteArray::fromPercentEncoding(uri.toUtf8()))));
            if (!file.open(QIODevice::ReadOnly))
                return "buffer " + uri.toStdString() + ": " + file.errorString().toStdString();
            m_buffers.push_back(file.readAll());
        }
        const qint64 length = value.toObject()["byteLength"].toInteger(-1);
        if (!uri.isEmpty() && m_buffers.back().size() < length) return "buffer " + uri.toStdString() + " is too short";
    }
    return {};
}

void GltfPlayback::unpackViews()
{
    QJsonArray views = m_json["bufferViews"].toArray();
    for (auto&& entry : views) {
        QJsonObject view = entry.toObject();
        const QJsonObject extensions = view["extensions"].toObject();
        const QJsonObject packed = extensions.contains(QLatin1String("EXT_meshopt_compression"))
                                       ? extensions["EXT_meshopt_compression"].toObject()
                                       : extensions["KHR_meshopt_compression"].toObject();
        const auto buffer = static_cast<std::size_t>(packed["buffer"].toInt(-1));
        if (packed.isEmpty() || buffer >= m_buffers.size()) continue;
        const QByteArray bytes = m_buffers[buffer].mid(packed["byteOffset"].toInteger(),
                                                       packed["byteLength"].toInteger());
        const std::string mode = packed["mode"].toString().toStdString(),
                          filter = packed["filter"].toString(QStringLiteral("NONE")).toStdString();
        const auto decoded = decodeMeshopt(
            {reinterpret_cast<const std::uint8_t*>(bytes.constData()), static_cast<std::size_t>(bytes.size())},
            {.count = static_cast<std::size_t>(packed["count"].toInteger()),
             .stride = static_cast<std::size_t>(packed["byteStride"].toInteger()),
             .mode = mode,
             .filter = filter},
            kMaxNumbers);
        if (!decoded) continue; // what uses it is missing, then
        view["buffer"] = static_cast<int>(m_buffers.size());
        view["byteOffset"] = 0;
        view["byteLength"] = static_cast<qint64>(decoded->size());
        view.remove(QLatin1String("extensions"));
        m_buffers.emplace_back(reinterpret_cast<const char*>(decoded->data()), static_cast<qsizetype>(decoded->size()));
        entry = view;
    }
    m_json["bufferViews"] = views;
}

bool GltfPlayback::readAccessor(int index, std::vector<double>& values, int& components) const
{
    const QJsonArray accessors = m_json["accessors"].toArray(), views = m_json["bufferViews"].toArray();
    if (index < 0 || index >= accessors.size()) return false;
    const QJsonObject accessor = accessors[index].toObject();
    const auto count = static_cast<std::size_t>(accessor["count"].toInteger());
    const int type = accessor["componentType"].toInt();
    components = componentsOf(accessor["type"].toString());
    const auto perElement = static_cast<std::size_t>(components);
    if (count > kMaxNumbers / perElement) return false;

    // Elements [0, n) of a view into `out`, as they lie in the file.
    const auto read = [&](int viewIndex, qint64 offset, std::size_t n, int componentType, std::size_t per,
                          bool isNormalised, std::vector<double>& out) {
        if (viewIndex < 0 || viewIndex >= views.size()) return false;
        const QJsonObject view = views[viewIndex].toObject();
        if (view.contains(QLatin1String("extensions"))) return false; // compressed
        const auto buffer = static_cast<std::size_t>(view["buffer"].toInt());
        const qint64 size = componentSize(componentType) * qint64(per);
        const qint64 stride = view["byteStride"].toInteger(size), begin = view["byteOffset"].toInteger() + offset;
        const qint64 needed = n == 0 ? 0 : stride * (qint64(n) - 1) + size;
        if (buffer >= m_buffers.size() || offset + needed > view["byteLength"].toInteger() ||
            begin + needed > m_buffers[buffer].size())
            return false;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < per; ++c)
                out.push_back(component(m_buffers[buffer].constData() + begin + stride * qint64(i) +
                                            componentSize(componentType) * qint64(c),
                                        componentType, isNormalised));
        return true;
    };
    values.clear();
    const bool isNormalised = accessor["normalized"].toBool();
    if (!accessor.contains(QLatin1String("bufferView")))
        values.assign(count * perElement, 0);
    else if (!read(accessor["bufferView"].toInt(-1), accessor["byteOffset"].toInteger(), count, type, perElement,
                   isNormalised, values))
        return false;

    if (!accessor.contains(QLatin1String("sparse"))) return true;
    const QJsonObject sparse = accessor["sparse"].toObject(), where = sparse["indices"].toObject(),
                      what = sparse["values"].toObject();
    const auto changes = static_cast<std::size_t>(sparse["count"].toInteger());
    std::vector<double> indices, replaced;
    if (!read(where["bufferView"].toInt(-1), where["byteOffset"].toInteger(), changes, where["componentType"].toInt(),
              1, false, indices))
        return false;
    if (!read(what["bufferView"].toInt(-1), what["byteOffset"].toInteger(), changes, type, perElement, isNormalised,
              replaced))
        return false;
    for (std::size_t i = 0; i < changes; ++i) {
        const auto at = static_cast<std::size_t>(indices[i]);
        if (at >= count) return false;
        std::copy_n(replaced.begin() + std::ptrdiff_t(i * perElement), components,
                    values.begin() + std::ptrdiff_t(at * perElement));
    }
    return true;
}

void GltfPlayback::loadNodes()
{
    const QJsonArray nodes = m_json["nodes"].toArray(), meshes = m_json["meshes"].toArray();
    m_nodes.resize(static_cast<std::size_t>(nodes.size()));
    for (std::size_t n = 0; n < m_nodes.size(); ++n) {
        const QJsonObject object = nodes[qsizetype(n)].toObject();
        Node& node = m_nodes[n];
        node.name = object["name"].toString().toStdString();
        const auto matrix = numbers(object["matrix"]), t = numbers(object["translation"]),
                   r = numbers(object["rotation"]), s = numbers(object["scale"]);
        node.hasMatrix = matrix.size() == 16;
        for (int i = 0; node.hasMatrix && i < 16; ++i) node.matrix(i % 4, i / 4) = matrix[static_cast<std::size_t>(i)];
        if (t.size() == 3) node.translation = {t[0], t[1], t[2]};
        if (r.size() == 4) node.rotation = Eigen::Vector4d(r[0], r[1], r[2], r[3]).normalized();
        if (s.size() == 3) node.scale = {s[0], s[1], s[2]};
        if (object.contains(QLatin1String("mesh"))) {
            const QJsonObject mesh = meshes.at(object["mesh"].toInt(-1)).toObject();
            node.weights = numbers(object.contains(QLatin1String("weights")) ? object["weights"] : mesh["weights"]);
            const QJsonObject first = mesh["primitives"].toArray().at(0).toObject();
            node.weights.resize(static_cast<std::size_t>(first["targets"].toArray().size()), 0);
        }
        for (const QJsonValue& child : object["children"].toArray())
            if (child.toInt(-1) >= 0 && child.toInt() < nodes.size())
                m_nodes[static_cast<std::size_t>(child.toInt())].parent = static_cast<int>(n);
    }
    std::vector<std::vector<int>> children(m_nodes.size());
    for (std::size_t n = 0; n < m_nodes.size(); ++n)
        (m_nodes[n].parent < 0 ? m_order : children[static_cast<std::size_t>(m_nodes[n].parent)])
            .push_back(static_cast<int>(n));
    for (std::size_t i = 0; i < m_order.size(); ++i) {
        const std::vector<int> below = children[static_cast<std::size_t>(m_order[i])];
        m_order.insert(m_order.end(), below.begin(), below.end());
    }
}

void GltfPlayback::loadAnimations()
{
    for (const QJsonValue& value : m_json["animations"].toArray()) {
        Animation animation{.name = value.toObject()["name"].toString().toStdString(), .channels = {}, .morphs = {}};
        const QJsonArray samplers = value.toObject()["samplers"].toArray();
        for (const QJsonValue& entry : value.toObject()["channels"].toArray()) {
            const QJsonObject target = entry.toObject()["target"].toObject(),
                              sampler = samplers[entry.toObject()["sampler"].toInt()].toObject();
            Channel channel{.node = static_cast<std::size_t>(target["node"].toInt(-1)),
                            .path = target["path"].toString(),
                            .interpolation = sampler["interpolation"].toString(QStringLiteral("LINEAR")),
                            .times = {},
                            .values = {}};
            int components = 0;
            if (channel.node >= m_nodes.size()) continue;
            if (!readAccessor(sampler["input"].toInt(-1), channel.times, components)) continue;
            if (!readAccessor(sampler["output"].toInt(-1), channel.values, components)) continue;
            const bool isMorph = channel.path == QLatin1String("weights");
            const std::size_t width = isMorph                                     ? m_nodes[channel.node].weights.size()
                                      : channel.path == QLatin1String("rotation") ? 4
                                                                                  : 3;
            const std::size_t needed = channel.times.size() * width *
                                       (channel.interpolation == QLatin1String("CUBICSPLINE") ? 3 : 1);
            if (!channel.times.empty() && channel.values.size() == needed)
                (isMorph ? animation.morphs : animation.channels).push_back(std::move(channel));
        }
        m_animations.push_back(std::move(animation));
    }
}

void GltfPlayback::loadSkins()
{
    for (const QJsonValue& value : m_json["skins"].toArray()) {
        Skin skin;
        for (const QJsonValue& joint : value.toObject()["joints"].toArray()) skin.joints.push_back(joint.toInt(-1));
        skin.inverseBind.assign(skin.joints.size(), Eigen::Matrix4d::Identity());
        std::vector<double> values;
        int components = 0;
        if (readAccessor(value.toObject()["inverseBindMatrices"].toInt(-1), values, components))
            for (std::size_t k = 0; k < skin.joints.size() && 16 * k + 16 <= values.size(); ++k)
                for (std::size_t i = 0; i < 16; ++i) skin.inverseBind[k](int(i % 4), int(i / 4)) = values[16 * k + i];
        m_skins.push_back(std::move(skin));
    }
}

QByteArray GltfPlayback::bytesOf(int index) const
{
    const QJsonObject view = m_json["bufferViews"].toArray().at(index).toObject();
    const auto buffer = static_cast<std::size_t>(view["buffer"].toInt(-1));
    if (buffer >= m_buffers.size()) return {};
    return m_buffers[buffer].mid(view["byteOffset"].toInteger(), view["byteLength"].toInteger());
}

bool GltfPlayback::readDraco(const QJsonObject& draco, const QJsonObject& attributes, Attributes& read) const
{
    const QJsonArray accessors = m_json["accessors"].toArray();
    const QJsonObject ids = draco["attributes"].toObject();
    std::vector<DracoAttribute> wanted;
    std::vector<QJsonObject> meant;
    std::vector<QString> names;
    for (auto id = ids.begin(); id != ids.end(); ++id) {
        if (!isPlayed(id.key())) continue;
        const QJsonObject accessor = accessors.at(attributes[id.key()].toInt(-1)).toObject();
        wanted.push_back({static_cast<std::uint32_t>(id->toInt()), componentsOf(accessor["type"].toString()),
                          dracoNumber(accessor["componentType"].toInt())});
        meant.push_back(accessor);
        names.push_back(id.key());
    }
    const QByteArray packed = bytesOf(draco["bufferView"].toInt(-1));
    const auto mesh = decodeDraco(
        {reinterpret_cast<const std::uint8_t*>(packed.constData()), static_cast<std::size_t>(packed.size())}, wanted,
        kMaxNumbers / 4, 3 * kMaxNumbers);
    if (!mesh) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (meant[i]["count"].toInteger() != static_cast<qint64>(mesh->vertices)) return false;
        const int type = meant[i]["componentType"].toInt();
        const auto* bytes = reinterpret_cast<const char*>(mesh->attributes[i].data());
        std::vector<double>& values = read[names[i]];
        for (std::size_t at = 0; at < mesh->attributes[i].size(); at += static_cast<std::size_t>(componentSize(type)))
            values.push_back(component(bytes + at, type, meant[i]["normalized"].toBool()));
    }
    return true;
}

bool GltfPlayback::readAttributes(const QJsonObject& primitive, Attributes& read) const
{
    const QJsonObject attributes = primitive["attributes"].toObject();
    const QJsonValue draco = dracoOf(primitive);
    if (draco.isObject() && !readDraco(draco.toObject(), attributes, read)) return false;
    int components = 0;
    for (auto attribute = attributes.begin(); attribute != attributes.end(); ++attribute) {
        std::vector<double> values;
        if (isPlayed(attribute.key()) && !read.contains(attribute.key()) &&
            readAccessor(attribute->toInt(-1), values, components))
            read[attribute.key()] = std::move(values);
    }
    return read.contains(QStringLiteral("POSITION"));
}

void GltfPlayback::loadParts()
{
    const QJsonArray nodes = m_json["nodes"].toArray(), meshes = m_json["meshes"].toArray();
    for (std::size_t n = 0; n < m_nodes.size(); ++n) {
        const QJsonObject node = nodes[qsizetype(n)].toObject();
        if (!node.contains(QLatin1String("mesh"))) continue;
        const QJsonObject mesh = meshes[node["mesh"].toInt()].toObject();
        for (const QJsonValue& primitive : mesh["primitives"].toArray()) {
            Part part{.mesh = mesh["name"].toString().toStdString(),
                      .node = n,
                      .positions = {},
                      .morphTargets = {},
                      .skin = node["skin"].toInt(-1),
                      .influences = {}};
            if (part.skin >= static_cast<int>(m_skins.size())) part.skin = -1;
            Attributes read;
            if (!readAttributes(primitive.toObject(), read)) {
                if (!dracoOf(primitive.toObject()).isObject())
                    m_unreadable.push_back(part.mesh); // damaged Draco is a mesh that is missing
                continue;
            }
            const std::vector<double>& values = read[QStringLiteral("POSITION")];
            for (std::size_t i = 0; i + 2 < values.size(); i += 3)
                part.positions.push_back({values[i], values[i + 1], values[i + 2]});
            for (const QJsonValue& target : primitive.toObject()["targets"].toArray())
                part.morphTargets.push_back(target.toObject()["POSITION"].toInt(-1));
            if (part.skin >= 0) part.influences.resize(part.positions.size());
            for (int set = 0; part.skin >= 0; ++set) {
                const QString number = QString::number(set);
                const auto joints = read.find(QStringLiteral("JOINTS_") + number),
                           weights = read.find(QStringLiteral("WEIGHTS_") + number);
                if (joints == read.end() || weights == read.end()) break;
                const std::size_t count = std::min(joints->second.size(), weights->second.size());
                for (std::size_t v = 0; v < part.positions.size() && 4 * v + 4 <= count; ++v)
                    for (std::size_t k = 4 * v; k < 4 * v + 4; ++k)
                        if (weights->second[k] > 0)
                            part.influences[v].emplace_back(static_cast<int>(joints->second[k]), weights->second[k]);
            }
            m_parts.push_back(std::move(part));
        }
    }
}

void GltfPlayback::loadCamerasAndLights()
{
    const QLatin1String punctual("KHR_lights_punctual");
    const QJsonArray nodes = m_json["nodes"].toArray(), cameras = m_json["cameras"].toArray(),
                     lights = m_json["extensions"].toObject()[punctual].toObject()["lights"].toArray();
    constexpr double kEndless = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < m_nodes.size(); ++n) {
        const QJsonObject node = nodes[qsizetype(n)].toObject();
        if (const int index = node["camera"].toInt(-1); index >= 0 && index < cameras.size()) {
            const QJsonObject json = cameras[index].toObject(), lens = json[json["type"].toString()].toObject();
            ModelCamera& camera = m_cameras.emplace_back(n, ModelCamera{}).second;
            const bool isFlat = json["type"] == QLatin1String("orthographic");
            camera.projection = isFlat ? ModelCamera::Projection::Orthographic : ModelCamera::Projection::Perspective;
            camera.fieldOfView = lens["yfov"].toDouble();
            camera.halfHeight = lens["ymag"].toDouble();
            camera.aspect = isFlat ? lens["xmag"].toDouble() / camera.halfHeight : lens["aspectRatio"].toDouble();
            camera.nearPlane = lens["znear"].toDouble();
            camera.farPlane = lens["zfar"].toDouble(kEndless);
        }
        const QJsonObject extension = node["extensions"].toObject()[punctual].toObject();
        if (const int index = extension["light"].toInt(-1); index >= 0 && index < lights.size()) {
            const QJsonObject json = lights[index].toObject(), spot = json["spot"].toObject();
            ModelLight& light = m_lights.emplace_back(n, ModelLight{}).second;
            light.kind = json["type"] == QLatin1String("spot")          ? ModelLight::Kind::Spot
                         : json["type"] == QLatin1String("directional") ? ModelLight::Kind::Directional
                                                                        : ModelLight::Kind::Point;
            if (const auto colour = numbers(json["color"]); colour.size() == 3)
                light.colour = Eigen::Vector3d(colour.data()).cast<float>();
            light.intensity = json["intensity"].toDouble(1);
            light.range = json["range"].toDouble(kEndless);
            light.innerCone = spot["innerConeAngle"].toDouble(0);
            light.outerCone = spot["outerConeAngle"].toDouble(std::numbers::pi / 4);
        }
    }
}

int GltfPlayback::animationNamed(const std::string& name) const
{
    for (std::size_t i = 0; i < m_animations.size(); ++i)
        if (m_animations[i].name == name) return static_cast<int>(i);
    return -1;
}

double GltfPlayback::lastKey(int animation) const
{
    double last = 0;
    for (const Channel& channel : m_animations[static_cast<std::size_t>(animation)].channels)
        last = std::max(last, channel.times.back());
    return last;
}

Eigen::VectorXd GltfPlayback::sample(const Channel& channel, double seconds)
{
    const bool isCubic = channel.interpolation == QLatin1String("CUBICSPLINE");
    const bool isTurn = channel.path == QLatin1String("rotation");
    const std::size_t perKey = channel.values.size() / channel.times.size(), n = isCubic ? perKey / 3 : perKey;
    const auto vector = [&](std::size_t key, std::size_t part) {
        Eigen::VectorXd v(n);
        for (std::size_t i = 0; i < n; ++i) v[Eigen::Index(i)] = channel.values[key * perKey + part * n + i];
        return v;
    };
    const auto next = static_cast<std::size_t>(std::upper_bound(channel.times.begin(), channel.times.end(), seconds) -
                                               channel.times.begin());
    const std::size_t middle = isCubic ? 1 : 0;
    Eigen::VectorXd value;
    if (next == 0)
        value = vector(0, middle);
    else if (next == channel.times.size() || channel.interpolation == QLatin1String("STEP"))
        value = vector(next - 1, middle);
    else {
        const double span = channel.times[next] - channel.times[next - 1],
                     u = (seconds - channel.times[next - 1]) / span;
        const Eigen::VectorXd a = vector(next - 1, middle), b = vector(next, middle);
        if (isCubic)
            value = (2 * u * u * u - 3 * u * u + 1) * a + span * (u * u * u - 2 * u * u + u) * vector(next - 1, 2) +
                    (3 * u * u - 2 * u * u * u) * b + span * (u * u * u - u * u) * vector(next, 0);
        else
            value = isTurn ? slerp(a, b, u) : Eigen::VectorXd((1 - u) * a + u * b);
    }
    if (isTurn) value.normalize();
    return value;
}

std::vector<Eigen::Matrix4d> GltfPlayback::pose(int animation, double seconds) const
{
    std::vector<Node> posed = m_nodes;
    if (animation >= 0)
        for (const Channel& channel : m_animations[static_cast<std::size_t>(animation)].channels) {
            const Eigen::VectorXd value = sample(channel, seconds);
            Node& node = posed[channel.node];
            node.hasMatrix = false;
            if (channel.path == QLatin1String("translation"))
                node.translation = value;
            else if (channel.path == QLatin1String("rotation"))
                node.rotation = value;
            else if (channel.path == QLatin1String("scale"))
                node.scale = value;
        }
    std::vector<Eigen::Matrix4d> world(m_nodes.size(), Eigen::Matrix4d::Identity());
    for (const int n : m_order) {
        const Node& node = posed[static_cast<std::size_t>(n)];
        const Eigen::Matrix4d local = node.hasMatrix ? node.matrix
                                                     : compose(node.translation, node.rotation, node.scale);
        world[static_cast<std::size_t>(n)] = node.parent < 0
                                                 ? local
                                                 : Eigen::Matrix4d(world[static_cast<std::size_t>(node.parent)] *
                                                                   local);
    }
    return world;
}

std::vector<double> GltfPlayback::weights(std::size_t node, int animation, double seconds) const
{
    std::vector<double> result = m_nodes[node].weights;
    if (animation < 0) return result;
    for (const Channel& channel : m_animations[static_cast<std::size_t>(animation)].morphs)
        if (channel.node == node) {
            const Eigen::VectorXd value = sample(channel, seconds);
            result.assign(value.begin(), value.end());
        }
    return result;
}

std::vector<Eigen::Vector3d> GltfPlayback::morphed(const Part& part, const std::vector<double>& weights) const
{
    std::vector<Eigen::Vector3d> positions = part.positions;
    std::vector<double> deltas;
    int components = 0;
    for (std::size_t t = 0; t < std::min(weights.size(), part.morphTargets.size()); ++t) {
        if (weights[t] == 0 || !readAccessor(part.morphTargets[t], deltas, components)) continue;
        for (std::size_t v = 0; v < positions.size() && 3 * v + 2 < deltas.size(); ++v)
            positions[v] += weights[t] * Eigen::Vector3d(&deltas[3 * v]);
    }
    return positions;
}

std::vector<Eigen::Vector3d> GltfPlayback::vertices(const Part& part, const std::vector<Eigen::Matrix4d>& pose,
                                                    const std::vector<double>& weights) const
{
    const std::vector<Eigen::Vector3d> positions = morphed(part, weights);
    std::vector<Eigen::Vector3d> result;
    result.reserve(part.positions.size());
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
        Eigen::Matrix4d matrix = part.skin < 0 ? pose[part.node] : Eigen::Matrix4d(Eigen::Matrix4d::Zero());
        double sum = 0;
        if (part.skin >= 0) {
            const Skin& skin = m_skins[static_cast<std::size_t>(part.skin)];
            for (const auto& [joint, weight] : part.influences[v]) {
                const auto j = static_cast<std::size_t>(joint);
                const auto node = j < skin.joints.size() ? static_cast<std::size_t>(skin.joints[j]) : pose.size();
                if (node >= pose.size()) continue;
                matrix += weight * pose[node] * skin.inverseBind[j];
                sum += weight;
            }
            // What readers do with weights that do not sum to 1; without any, a vertex follows the mesh's node.
            matrix = sum > 0 ? Eigen::Matrix4d(matrix / sum) : pose[part.node];
        }
        result.push_back((matrix * positions[v].homogeneous()).head<3>());
    }
    return result;
}

} // namespace tendon

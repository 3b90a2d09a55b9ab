#include "tests/support/TinyGltf.h"

#include <QFile>
#include <QtDebug>

#include <string>

namespace tendon::test {
namespace {

using Json = nlohmann::ordered_json;

std::size_t componentsOf(const std::string& type)
{
    if (type == "SCALAR") return 1;
    if (type == "MAT4") return 16;
    return static_cast<std::size_t>(type.back() - '0');
}

void appendWord(QByteArray& bytes, qsizetype word)
{
    for (int i = 0; i < 4; ++i) bytes.append(static_cast<char>(static_cast<std::uint32_t>(word) >> (8 * i) & 0xff));
}

void pad(QByteArray& bytes, char with)
{
    while (bytes.size() % 4 != 0) bytes.append(with);
}

} // namespace

TinyGltf::TinyGltf()
{
    json["asset"]["version"] = "2.0";
    json["scene"] = 0;
    json["scenes"] = Json::array({Json{{"nodes", Json::array()}}});
    json["nodes"] = Json::array();
}

int TinyGltf::view(const QByteArray& bytes)
{
    pad(m_binary, 0);
    json["bufferViews"].push_back(Json{{"buffer", 0}, {"byteOffset", m_binary.size()}, {"byteLength", bytes.size()}});
    m_binary.append(bytes);
    return static_cast<int>(json["bufferViews"].size()) - 1;
}

int TinyGltf::add(const void* bytes, std::size_t size, std::size_t numbers, const char* type, int componentType,
                  bool isNormalised)
{
    const int at = view(QByteArray(static_cast<const char*>(bytes), static_cast<qsizetype>(size)));
    Json accessor{
        {"bufferView", at}, {"componentType", componentType}, {"count", numbers / componentsOf(type)}, {"type", type}};
    if (isNormalised) accessor["normalized"] = true;
    json["accessors"].push_back(accessor);
    return static_cast<int>(json["accessors"].size()) - 1;
}

int TinyGltf::floats(const std::vector<float>& values, const char* type)
{
    return add(values.data(), values.size() * sizeof(float), values.size(), type, 5126, false);
}

int TinyGltf::node(Json members, int parent)
{
    const int index = static_cast<int>(json["nodes"].size());
    json["nodes"].push_back(members.is_null() ? Json::object() : std::move(members));
    if (parent < 0)
        json["scenes"][0]["nodes"].push_back(index);
    else
        json["nodes"][static_cast<std::size_t>(parent)]["children"].push_back(index);
    return index;
}

int TinyGltf::mesh(Json attributes, int indices)
{
    Json primitive{{"attributes", std::move(attributes)}};
    if (indices >= 0) primitive["indices"] = indices;
    Json mesh;
    mesh["primitives"] = Json::array({primitive});
    json["meshes"].push_back(mesh);
    return static_cast<int>(json["meshes"].size()) - 1;
}

int TinyGltf::skin(const std::vector<int>& joints, int inverseBinds)
{
    Json skin;
    skin["joints"] = joints;
    if (inverseBinds >= 0) skin["inverseBindMatrices"] = inverseBinds;
    json["skins"].push_back(skin);
    return static_cast<int>(json["skins"].size()) - 1;
}

void TinyGltf::channel(int animation, int node, const char* path, const char* interpolation,
                       const std::vector<float>& times, const std::vector<float>& values)
{
    while (static_cast<int>(json["animations"].size()) <= animation)
        json["animations"].push_back(Json{{"channels", Json::array()}, {"samplers", Json::array()}});
    const int input = floats(times,
                             "SCALAR"); // first, because adding a member to `json` moves the others
    const int output = floats(values, std::string(path) == "rotation" ? "VEC4" : "VEC3");
    Json& to = json["animations"][static_cast<std::size_t>(animation)];
    to["samplers"].push_back(Json{{"input", input}, {"output", output}, {"interpolation", interpolation}});
    to["channels"].push_back(
        Json{{"sampler", to["samplers"].size() - 1}, {"target", Json{{"node", node}, {"path", path}}}});
}

QByteArray TinyGltf::glb() const
{
    Json whole = json;
    if (!m_binary.isEmpty()) whole["buffers"] = Json::array({Json{{"byteLength", m_binary.size()}}});
    for (const Json& buffer : furtherBuffers) whole["buffers"].push_back(buffer);
    QByteArray text = QByteArray::fromStdString(whole.dump()), binary = m_binary;
    pad(text, ' ');
    pad(binary, 0);
    QByteArray file = "glTF";
    appendWord(file, 2);
    appendWord(file, 12 + 8 + text.size() + (binary.isEmpty() ? 0 : 8 + binary.size()));
    appendWord(file, text.size());
    file += "JSON" + text;
    if (!binary.isEmpty()) {
        appendWord(file, binary.size());
        file += QByteArray("BIN\0", 4) + binary;
    }
    return file;
}

QByteArray TinyGltf::gltf(const QString& bufferUri) const
{
    Json whole = json;
    whole["buffers"] = Json::array({Json{{"byteLength", m_binary.size()}, {"uri", bufferUri.toStdString()}}});
    return QByteArray::fromStdString(whole.dump());
}

void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("%s cannot be written", qPrintable(path));
}

} // namespace tendon::test

#pragma once

#include <nlohmann/json.hpp>

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <vector>

namespace tendon::test {

/// Builds small glTF files for tests: add data, edit `json` freely, and write the file.
class TinyGltf
{
public:
    TinyGltf();

    nlohmann::ordered_json json;
    nlohmann::ordered_json furtherBuffers = nlohmann::ordered_json::array(); ///< of a .glb, without bytes

    /// An accessor over new data; `type` is "SCALAR", "VEC3", ... Returns its index.
    int floats(const std::vector<float>& values, const char* type);
    template <typename T>
    int integers(const std::vector<T>& values, const char* type, int componentType, bool isNormalised = false)
    {
        return add(values.data(), values.size() * sizeof(T), values.size(), type, componentType, isNormalised);
    }
    int view(const QByteArray& bytes);

    int node(nlohmann::ordered_json members, int parent = -1); ///< a root is added to the scene
    /// A triangle mesh with one primitive, with POSITION and further attributes; returns the mesh's index.
    int mesh(nlohmann::ordered_json attributes, int indices = -1);
    int skin(const std::vector<int>& joints, int inverseBinds = -1);
    /// A channel of animation `animation`, which is added if it does not exist.
    void channel(int animation, int node, const char* path, const char* interpolation, const std::vector<float>& times,
                 const std::vector<float>& values);

    [[nodiscard]] QByteArray glb() const;
    [[nodiscard]] QByteArray
    gltf(const QString& bufferUri) const; ///< JSON whose buffer is a separate file with the content of binary()
    [[nodiscard]] QByteArray binary() const { return m_binary; }

private:
    int add(const void* bytes, std::size_t size, std::size_t numbers, const char* type, int componentType,
            bool isNormalised);

    QByteArray m_binary;
};

/// Writes a file, or fails the test.
void writeFile(const QString& path, const QByteArray& bytes);

} // namespace tendon::test

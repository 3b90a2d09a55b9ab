#include "app/viewport/view/MeshParts.h"

#include <algorithm>
#include <array>
#include <optional>

namespace tendon::viewport {
namespace {

constexpr std::size_t kMaxInfluences = 8;
constexpr std::uint32_t kNowhere = static_cast<std::uint32_t>(-1);

struct Influence
{
    std::uint16_t joint = 0;
    float weight = 0;
};

/// The strongest influences of a vertex, normalised to sum to 1. Never allocates, because it runs for each vertex.
class Influences
{
public:
    Influences(const Skin& skin, std::size_t vertex)
    {
        for (std::uint32_t i = skin.influenceBegin[vertex]; i < skin.influenceBegin[vertex + 1]; ++i)
            if (skin.influenceWeight[i] > 0) insert({skin.influenceJoint[i], skin.influenceWeight[i]});
        float sum = 0;
        for (const Influence& influence : *this) sum += influence.weight;
        for (std::size_t i = 0; i < m_count; ++i) m_strongest[i].weight /= sum;
    }
    [[nodiscard]] const Influence* begin() const { return m_strongest.data(); }
    [[nodiscard]] const Influence* end() const { return m_strongest.data() + m_count; }
    [[nodiscard]] std::size_t size() const { return m_count; }
    [[nodiscard]] const Influence& operator[](std::size_t i) const { return m_strongest[i]; }

private:
    /// Inserts an influence after those that are at least as strong, if there is room.
    void insert(const Influence& influence)
    {
        std::size_t place = m_count;
        while (place > 0 && m_strongest[place - 1].weight < influence.weight) --place;
        if (place == kMaxInfluences) return;
        m_count = std::min(m_count + 1, kMaxInfluences);
        for (std::size_t i = m_count - 1; i > place; --i) m_strongest[i] = m_strongest[i - 1];
        m_strongest[place] = influence;
    }

    std::array<Influence, kMaxInfluences> m_strongest;
    std::size_t m_count = 0;
};

/// One part being filled.
class PartBuilder
{
public:
    PartBuilder(const Mesh& mesh, const std::vector<Eigen::Vector3f>& normals, int influences)
        : m_mesh(mesh), m_normals(normals), m_placeOfVertex(mesh.positions.size(), kNowhere),
          m_placeOfJoint(std::max<std::size_t>(mesh.skin.joints.size(), 1), kNowhere)
    {
        m_part.hasTextureCoordinates = mesh.textureCoordinates.size() == mesh.positions.size();
        m_part.hasColours = mesh.colours.size() == mesh.positions.size();
        m_part.influences = influences;
        if (influences == 0) m_part.joints = {0};
    }

    [[nodiscard]] bool isEmpty() const { return m_part.indices.empty(); }

    /// Returns false and changes nothing if the palette has no room for the triangle's joints.
    bool add(const std::array<std::uint32_t, 3>& triangle, std::size_t paletteJoints)
    {
        if (m_part.influences > 0 && !takeJoints(triangle, paletteJoints)) return false;
        for (const std::uint32_t vertex : triangle) m_part.indices.push_back(placeOf(vertex));
        return true;
    }

    MeshPart take() { return std::move(m_part); }

private:
    bool takeJoints(const std::array<std::uint32_t, 3>& triangle, std::size_t paletteJoints)
    {
        const std::size_t before = m_part.joints.size();
        for (const std::uint32_t vertex : triangle) {
            if (m_placeOfVertex[vertex] != kNowhere) continue;
            for (const Influence& influence : Influences(m_mesh.skin, vertex)) {
                if (m_placeOfJoint[influence.joint] != kNowhere) continue;
                m_placeOfJoint[influence.joint] = static_cast<std::uint32_t>(m_part.joints.size());
                m_part.joints.push_back(influence.joint);
            }
        }
        if (m_part.joints.size() <= paletteJoints) return true;
        while (m_part.joints.size() > before) {
            m_placeOfJoint[m_part.joints.back()] = kNowhere;
            m_part.joints.pop_back();
        }
        return false;
    }

    std::uint32_t placeOf(std::uint32_t vertex)
    {
        std::uint32_t& place = m_placeOfVertex[vertex];
        if (place != kNowhere) return place;
        place = static_cast<std::uint32_t>(m_part.meshVertex.size());
        m_part.meshVertex.push_back(vertex);
        append(m_mesh.positions[vertex]);
        append(m_normals[vertex]);
        if (m_part.hasTextureCoordinates) append(m_mesh.textureCoordinates[vertex]);
        if (m_part.hasColours) append(m_mesh.colours[vertex]);
        if (m_part.influences > 0) appendInfluences(vertex);
        return place;
    }

    template <typename Vector>
    void append(const Vector& vector)
    {
        m_part.vertices.insert(m_part.vertices.end(), vector.data(), vector.data() + vector.size());
    }

    void appendInfluences(std::uint32_t vertex)
    {
        const Influences influences(m_mesh.skin, vertex);
        for (std::size_t i = 0; i < static_cast<std::size_t>(m_part.influences); ++i)
            m_part.vertices.push_back(i < influences.size() ? static_cast<float>(m_placeOfJoint[influences[i].joint])
                                                            : 0.0f);
        for (std::size_t i = 0; i < static_cast<std::size_t>(m_part.influences); ++i)
            m_part.vertices.push_back(i < influences.size() ? influences[i].weight : 0.0f);
    }

    const Mesh& m_mesh;
    const std::vector<Eigen::Vector3f>& m_normals;
    MeshPart m_part;
    std::vector<std::uint32_t> m_placeOfVertex;
    std::vector<std::uint32_t> m_placeOfJoint;
};

int influencesNeeded(const Skin& skin)
{
    if (skin.isRigid()) return 0;
    for (std::size_t v = 0; v + 1 < skin.influenceBegin.size(); ++v)
        if (skin.influenceBegin[v + 1] - skin.influenceBegin[v] > 4) return 8;
    return 4;
}

} // namespace

std::vector<Eigen::Vector3f> smoothNormals(const Mesh& mesh)
{
    std::vector<Eigen::Vector3f> normals(mesh.positions.size(), Eigen::Vector3f::Zero());
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        const std::uint32_t a = mesh.indices[i], b = mesh.indices[i + 1], c = mesh.indices[i + 2];
        if (std::max({a, b, c}) >= mesh.positions.size()) continue;
        const Eigen::Vector3f twiceArea =
            (mesh.positions[b] - mesh.positions[a]).cross(mesh.positions[c] - mesh.positions[a]);
        for (const std::uint32_t vertex : {a, b, c}) normals[vertex] += twiceArea;
    }
    for (Eigen::Vector3f& normal : normals)
        if (const float length = normal.norm(); length > 0) normal /= length;
    return normals;
}

std::vector<MeshPart> meshParts(const Mesh& mesh, std::size_t paletteJoints)
{
    const std::vector<Eigen::Vector3f> normals = mesh.normals.size() == mesh.positions.size() ? mesh.normals
                                                                                              : smoothNormals(mesh);
    const int influences = influencesNeeded(mesh.skin);

    std::vector<MeshPart> parts;
    std::optional<PartBuilder> builder(std::in_place, mesh, normals, influences);
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        const std::array<std::uint32_t, 3> triangle = {mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]};
        if (*std::max_element(triangle.begin(), triangle.end()) >= mesh.positions.size()) continue;
        if (builder->add(triangle, paletteJoints)) continue;
        parts.push_back(builder->take());
        builder.emplace(mesh, normals, influences);
        builder->add(triangle, paletteJoints);
    }
    if (!builder->isEmpty()) parts.push_back(builder->take());
    return parts;
}

} // namespace tendon::viewport

#include "core/io/model/Intermediate.h"

#include "core/io/model/ByteStream.h"

#include <type_traits>

namespace tendon {
namespace {

constexpr std::uint64_t kMagic = 0x4C444F4D4E444E54; // "TNDNMODL"
constexpr std::uint32_t kVersion = 7;
constexpr std::size_t kLengthAt = 8 + 4;
constexpr std::size_t kHeader = kLengthAt + 8 + 8;

/// FNV-1a over words of eight bytes: finds a stream cut short or overwritten; not meant against malice, the full check
/// is.
std::uint64_t checksum(std::span<const std::uint8_t> bytes)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
        hash = (hash ^ word) * 0x100000001b3;
        hash ^= hash >> 29;
    }
    return hash;
}

} // namespace

// One description of every type for both directions.

template <typename A, typename Scalar, int Rows, int Columns>
void describe(A& a, Eigen::Matrix<Scalar, Rows, Columns>& matrix)
{
    for (Eigen::Index i = 0; i < matrix.size(); ++i) a(matrix.data()[i]);
}

template <typename A>
void describe(A& a, Affine& transform)
{
    describe(a, transform.matrix());
}

template <typename A>
void describe(A& a, LocalTransform& local)
{
    describe(a, local.translation);
    describe(a, local.rotation.coeffs());
    describe(a, local.scale);
}

template <typename A>
void describe(A& a, Issue& issue)
{
    a(issue.severity), a(issue.text), a(issue.where);
}

template <typename A>
void describe(A& a, SourceNode& node)
{
    a(node.name), a(node.parent), describe(a, node.local), a(node.isInScene), a(node.isPosed), describe(a, node.pose);
}

template <typename A>
void describe(A& a, AxisFreedom& axis)
{
    a(axis.active), a(axis.limited), a(axis.from), a(axis.to);
}

template <typename A>
void describe(A& a, Segment& segment)
{
    a(segment.shape), describe(a, segment.size), describe(a, segment.offset), describe(a, segment.rotation.coeffs()),
        a(segment.mass);
}

template <typename A>
void describe(A& a, SourceFreedoms& freedoms)
{
    a(freedoms.node);
    for (AxisFreedom& axis : freedoms.turning) describe(a, axis);
    for (AxisFreedom& axis : freedoms.sliding) describe(a, axis);
    a(freedoms.turningSpeed), a(freedoms.slidingSpeed);
    describe(a, freedoms.segment);
}

template <typename A>
void describe(A& a, SourceRole& role)
{
    a(role.role), a(role.node);
}

template <typename A>
void describe(A& a, MorphTarget& target)
{
    a(target.name), a(target.restWeight), a(target.positionDeltas), a(target.normalDeltas);
}

template <typename A>
void describe(A& a, Mesh& mesh)
{
    a(mesh.name), a(mesh.positions), a(mesh.normals), a(mesh.textureCoordinates), a(mesh.hasMoreTextureCoordinates),
        a(mesh.colours), a(mesh.indices), a(mesh.material);
    a(mesh.skin.jointFromMesh), a(mesh.skin.influenceBegin), a(mesh.skin.influenceJoint), a(mesh.skin.influenceWeight);
    a(mesh.morphTargets);
}

template <typename A>
void describe(A& a, SourceMesh& mesh)
{
    a(mesh.node), a(mesh.jointNodes), describe(a, mesh.mesh);
}

template <typename A>
void describe(A& a, Material& m)
{
    a(m.name), describe(a, m.baseColour), a(m.metallic), a(m.roughness), describe(a, m.emissive);
    a(m.baseColourTexture), a(m.normalTexture), a(m.metallicRoughnessTexture), a(m.emissiveTexture);
    a(m.occlusionTexture), a(m.normalScale), a(m.occlusionStrength);
    a(m.isDoubleSided), a(m.isTransparent), a(m.isCutOut), a(m.alphaCutoff);
}

template <typename A>
void describe(A& a, Texture& texture)
{
    a(texture.name), a(texture.mimeType), a(texture.encoded);
}

template <typename A>
void describe(A& a, SourceCamera& source)
{
    ModelCamera& c = source.camera;
    a(source.node), a(c.name), describe(a, c.mount.jointFromMount), a(c.projection), a(c.fieldOfView), a(c.halfHeight),
        a(c.aspect), a(c.nearPlane), a(c.farPlane);
}

template <typename A>
void describe(A& a, SourceLight& source)
{
    ModelLight& l = source.light;
    a(source.node), a(l.name), describe(a, l.mount.jointFromMount), a(l.kind), describe(a, l.colour), a(l.intensity),
        a(l.range), a(l.innerCone), a(l.outerCone);
}

template <typename A>
void describe(A& a, SourceChannel& channel)
{
    a(channel.node), a(channel.path), a(channel.interpolation), a(channel.times), a(channel.values);
}

template <typename A>
void describe(A& a, MorphCurve& channel)
{
    a(channel.mesh), a(channel.target), a(channel.times), a(channel.weights);
}

template <typename A>
void describe(A& a, SourceAnimation& animation)
{
    a(animation.name), a(animation.index), a(animation.channels), a(animation.morphs);
}

template <typename A>
void describe(A& a, SourceModel& model)
{
    a(model.format), a(model.metresPerUnit), a(model.isUnitStated), a(model.upAxis);
    a(model.nodes), a(model.skinJoints), a(model.freedoms), a(model.roles), a(model.meshes), a(model.materials),
        a(model.textures), a(model.cameras), a(model.lights);
    a(model.animations), a(model.framesPerSecond), a(model.selfContained), a(model.issues);
}

template <typename A>
void describe(A& a, Error& error)
{
    a(error.code), a(error.message), a(error.where);
}

std::vector<std::uint8_t> writeIntermediate(const ImportOutcome& outcome)
{
    // Length and checksum are filled in at the end: large models are not copied once more for them.
    ByteWriter frame;
    frame(kMagic), frame(kVersion), frame(std::uint64_t{0}), frame(std::uint64_t{0});
    frame(static_cast<std::uint8_t>(outcome.index()));
    std::visit([&](const auto& value) { describe(frame, const_cast<std::decay_t<decltype(value)>&>(value)); }, outcome);
    std::vector<std::uint8_t> bytes = frame.take();
    const auto content = std::span(bytes).subspan(kHeader);
    const std::uint64_t length = content.size(), sum = checksum(content);
    std::memcpy(bytes.data() + kLengthAt, &length, sizeof length);
    std::memcpy(bytes.data() + kLengthAt + sizeof length, &sum, sizeof sum);
    return bytes;
}

Result<ImportOutcome> readIntermediate(std::span<const std::uint8_t> bytes)
{
    const auto fault = [](const char* what) { return Error{ErrorCode::Internal, what, ""}; };
    if (bytes.size() < kHeader) return fault("the import process returned nothing");
    ByteReader header(bytes.first(kHeader));
    std::uint64_t magic = 0, length = 0, sum = 0;
    std::uint32_t version = 0;
    header(magic), header(version), header(length), header(sum);
    if (magic != kMagic || version != kVersion)
        return fault("the import process has another version; reinstall Tendon");
    const auto content = bytes.subspan(kHeader);
    if (content.size() != length || checksum(content) != sum)
        return fault("the import process returned incomplete data");

    ByteReader body(content);
    std::uint8_t kind = 0;
    body(kind);
    ImportOutcome outcome;
    if (kind == 1) outcome.emplace<Error>();
    std::visit([&](auto& value) { describe(body, value); }, outcome);
    if (!body.isWhole()) return fault("the import process returned inconsistent data");
    return outcome;
}

} // namespace tendon

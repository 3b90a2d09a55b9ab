#pragma once

#include "core/io/readers/gltf/Asset.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tendon::gltf {

/// A copy of a file's meshes and materials for Assimp, which decodes them: one mesh per primitive, floats and plain
/// triangles only, no hierarchy, skins, animations or pictures. Numbers are checked on their way in and not kept
/// elsewhere. Meshes and materials are named by their number, because Assimp returns them in an order of its own.
class PlainCopy
{
public:
    explicit PlainCopy(const Asset& asset);

    /// Copies an accessor as floats, once however often it is asked for, and returns its number in the copy. With more
    /// `components` than the accessor has, the others are 1. With `mended`, numbers that are not finite become 0 and
    /// are counted there, the first time. Errors: those of readFloats(), or of readMendedFloats().
    [[nodiscard]] Result<std::size_t> addFloats(std::size_t accessor, std::size_t components,
                                                std::size_t* mended = nullptr);
    std::size_t addZeros(std::size_t elements); ///< three numbers each
    std::size_t addIndices(std::span<const std::uint32_t> indices);

    /// A mesh of one primitive, given as glTF has it with the accessors of the copy.
    void addMesh(Json primitive);
    [[nodiscard]] std::size_t meshCount() const;

    void addMaterial(Json material);
    /// A texture that stands for picture `number`: its image has no bytes, and the number for a URI.
    std::size_t addTexture(std::size_t number);

    [[nodiscard]] Result<Bytes> glb();

    /// The number in the name of a mesh or material of a copy; empty for any other name.
    [[nodiscard]] static std::optional<std::size_t> meshNumber(const std::string& name, std::size_t count);
    [[nodiscard]] static std::optional<std::size_t> materialNumber(const std::string& name, std::size_t count);

private:
    std::size_t addAccessor(std::span<const std::uint8_t> bytes, std::size_t elements, int componentType,
                            const char* type);

    const Asset& m_asset;
    GltfFile m_file;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> m_copied; ///< accessor and components -> in the copy
};

} // namespace tendon::gltf

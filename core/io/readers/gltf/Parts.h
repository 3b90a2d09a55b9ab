#pragma once

#include "core/io/readers/gltf/Asset.h"
#include "core/io/readers/gltf/Reader.h"

namespace tendon::gltf {

/// The steps of readModel(), one file each. Each adds to `model` and stops at the first error, which it leaves in
/// `root`'s FirstError.

/// Nodes with parents and local transforms, and which of them are in the scene.
void readNodes(const Fields& root, SourceModel& model);

/// Cameras and lights (KHR_lights_punctual) on nodes of the scene. A camera without a lens that makes sense is read as
/// it is.
void readCamerasAndLights(const Fields& root, SourceModel& model);

struct SkinTable
{
    std::vector<std::int32_t> joints;
    std::vector<Affine> jointFromMesh;
};
/// All skins; fills model.skinJoints.
[[nodiscard]] std::vector<SkinTable> readSkins(const Fields& root, const Asset& asset, SourceModel& model);

void readAnimations(const Fields& root, const Asset& asset, SourceModel& model);

/// Decodes meshes that are compressed (KHR_draco_mesh_compression): their accessors get bytes in buffers of their own.
void unpackMeshes(const Fields& root, Asset& asset);

/// Meshes under the nodes of the scene, with materials and textures.
void readMeshes(const Fields& root, const Asset& asset, const std::vector<SkinTable>& skins, ModelFolder& folder,
                const ReadDrawnParts& readDrawnParts, SourceModel& model);

/// The bytes and the media type of an image: in a buffer view, in a data: address or in a file beside the model.
struct Image
{
    std::string name, mimeType;
    Bytes bytes;
};
[[nodiscard]] Result<Image> readImage(const Fields& image, const Asset& asset, ModelFolder& folder);

/// The asset as one .glb: buffers joined, images put inside, everything else as it stands. Images that cannot be had
/// stay as they are, with an issue.
[[nodiscard]] Bytes selfContained(const Asset& asset, ModelFolder& folder, Issues& issues);

} // namespace tendon::gltf

#pragma once

#include "core/io/readers/gltf/Asset.h"
#include "core/io/readers/gltf/Reader.h"

namespace tendon::gltf {

/// The steps of readModel(), one file each. Each adds to `model` and stops at the first error, which is in `root`'s
/// FirstError.

/// Nodes with parents and local transforms, and which of them are in the scene.
void readNodes(const Fields& root, SourceModel& model);

/// Cameras and lights (KHR_lights_punctual) at nodes of the scene. A camera with an invalid lens is read as it is.
void readCamerasAndLights(const Fields& root, SourceModel& model);

/// The roles of nodes: the humanoid bones of VRM 0, VRM 1 and VRM animations. Invalid entries are left out.
void readRoles(const Fields& root, SourceModel& model);

struct SkinTable
{
    std::vector<std::int32_t> joints;
    std::vector<Affine> jointFromMesh;
};
/// All skins; fills model.skinJoints.
[[nodiscard]] std::vector<SkinTable> readSkins(const Fields& root, const Asset& asset, SourceModel& model);

void readAnimations(const Fields& root, const Asset& asset, SourceModel& model);

/// Decodes compressed meshes (KHR_draco_mesh_compression): their accessors get new buffers.
void unpackMeshes(const Fields& root, Asset& asset);

class PlainCopy;

/// Pictures into model.textures, and into `copy` the materials, with the textures that could be had. model.materials
/// gets their names.
void readMaterials(const Fields& root, const Asset& asset, ModelFolder& folder, PlainCopy& copy, SourceModel& model);

/// Meshes at the nodes of the scene, with their materials and textures.
void readMeshes(const Fields& root, const Asset& asset, const std::vector<SkinTable>& skins, ModelFolder& folder,
                const ReadDrawnParts& readDrawnParts, SourceModel& model);

/// The bytes and media type of an image, from a buffer view, a data URI or a file beside the model.
struct Image
{
    std::string name, mimeType;
    Bytes bytes;
};
[[nodiscard]] Result<Image> readImage(const Fields& image, const Asset& asset, ModelFolder& folder);

/// The asset as one .glb: buffers joined, images embedded, everything else unchanged. Images that are not available
/// stay references, with an issue.
[[nodiscard]] Result<Bytes> selfContained(const Asset& asset, ModelFolder& folder, Issues& issues);

} // namespace tendon::gltf

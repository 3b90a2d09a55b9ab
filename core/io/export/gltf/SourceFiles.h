#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/io/base/FileSet.h"
#include "core/io/formats/gltf/GltfJson.h"

#include <set>
#include <string>
#include <vector>

namespace tendon::gltf {

struct GltfFile;

/// Makes buffers[0] the BIN chunk. Precondition: it is already, or has no data (as embedAll() leaves it).
void ensureBin(GltfFile& file);

/// The files beside a .gltf: buffers and images. Nothing outside the folder is read, through links neither.
class SourceFiles
{
public:
    /// An empty folder: there are none, and a document that names one is in error.
    explicit SourceFiles(std::string folder) : m_folder(std::move(folder)) {}

    /// Names of the files beside, as the document refers to them.
    [[nodiscard]] std::set<std::string> namesIn(const Json& json) const;

    /// Makes the document self-contained, as a .glb should be: buffers become the one BIN chunk, images beside become
    /// buffer views; one that is not there stays referred to, with an issue. Views, accessors and images keep their
    /// indices.
    [[nodiscard]] Result<void> embedAll(GltfFile& file, Issues& issues) const;

    /// `known` and a copy of every file beside that is not among them. An image that is not there stays
    /// referred to, with an issue.
    [[nodiscard]] Result<std::vector<OutputFile>> copies(const Json& json, std::vector<OutputFile> known,
                                                         Issues& issues) const;

private:
    [[nodiscard]] Result<Bytes> read(const std::string& uri) const;
    [[nodiscard]] Result<Bytes> bufferBytes(const Json& buffer) const;
    void embedImages(GltfFile& file, Issues& issues) const;

    std::string m_folder;
};

} // namespace tendon::gltf

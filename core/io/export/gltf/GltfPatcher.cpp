#include "core/io/export/gltf/GltfPatcher.h"

#include "core/io/base/Files.h"
#include "core/io/export/gltf/ClipMerge.h"
#include "core/io/export/gltf/EditableGltf.h"
#include "core/io/export/gltf/GltfData.h"
#include "core/io/export/gltf/SourceFiles.h"
#include "core/io/export/gltf/SourceNodes.h"
#include "core/io/formats/gltf/GltfUri.h"

#include <algorithm>

namespace tendon::gltf {

namespace {

constexpr std::size_t kHashLetters = 12;

std::string stemOf(const std::string& fileName) { return fileName.substr(0, fileName.rfind('.')); }

class Patcher
{
public:
    Patcher(GltfFile file, SourceFiles& sourceFiles, const PatchTarget& target)
        : m_file(std::move(file)), m_sourceFiles(sourceFiles), m_target(target)
    {
    }

    Result<PatchedGltf> run(const Scene& scene, const std::vector<BakedClip>& clips, bool onlyTheseClips)
    {
        if (const auto prepared = m_target.isBinary ? m_sourceFiles.embedAll(m_file, m_result.issues) : moveBinOut();
            !prepared)
            return prepared.error();

        Bytes beside; // of a .gltf: the new data
        Json& json = m_file.json;
        const std::size_t buffer = m_target.isBinary ? 0 : editArray(json, "buffers").size();
        if (m_target.isBinary)
            ensureBin(m_file);
        else
            json["buffers"].push_back({{"byteLength", 0}});
        DataWriter data(json, buffer, m_target.isBinary ? m_file.bin : beside);
        if (const auto merged = addClips(data, scene, clips, onlyTheseClips); !merged) return merged.error();
        data.finish();
        return m_target.isBinary ? asGlb() : asGltf(std::move(beside));
    }

private:
    Result<void> addClips(DataWriter& data, const Scene& scene, const std::vector<BakedClip>& clips,
                          bool onlyTheseClips)
    {
        const SourceNodes nodes = sourceNodes(m_file.json);
        ClipMerge merge(m_file.json, scene);
        for (const BakedClip& clip : clips) {
            AnimationTracks tracks{.name = clip.name, .seconds = {}, .nodes = {}};
            for (const Time time : clip.times) tracks.seconds.push_back(time.seconds());
            auto found = tracksForSource(scene, clip, nodes, m_result.issues);
            if (!found) return found.error();
            tracks.nodes = std::move(*found);
            if (tracks.nodes.empty() || tracks.seconds.empty()) {
                m_result.issues.push_back({.severity = Severity::Warning,
                                           .text = "moves no node of the source file and was not written",
                                           .where = "clip " + clip.name});
                continue;
            }
            auto written = writeTracks(data, tracks);
            if (!written) return written.error();
            for (const NodeTrack& track : tracks.nodes) splitMatrix(m_file.json["nodes"][track.node]);
            merge.add(clip.name, std::move(*written), tracks, nodes);
        }
        merge.finish(onlyTheseClips);
        return {};
    }

    /// The BIN chunk of a .glb becomes a file beside the .gltf.
    Result<void> moveBinOut()
    {
        if (m_file.hasBin) {
            const std::string name = bufferName(m_target.fileName, m_file.bin);
            m_file.json["buffers"][0]["uri"] = uriOf(name);
            m_result.files.push_back({name, std::move(m_file.bin)});
            m_file.hasBin = false;
        }
        auto copies = m_sourceFiles.copies(m_file.json, m_result.files, m_result.issues);
        if (!copies) return copies.error();
        m_result.files = std::move(*copies);
        return {};
    }

    Result<PatchedGltf> asGlb()
    {
        auto bytes = glbBytes(m_file);
        if (!bytes) return bytes.error();
        m_result.files.push_back({m_target.fileName, std::move(*bytes)});
        return std::move(m_result);
    }

    Result<PatchedGltf> asGltf(Bytes beside)
    {
        Json& buffers = m_file.json["buffers"];
        if (beside.empty())
            buffers.erase(buffers.size() - 1);
        else {
            const std::string name = bufferName(m_target.fileName, beside);
            buffers.back()["uri"] = uriOf(name);
            m_result.files.push_back({name, std::move(beside)});
        }
        if (buffers.empty()) m_file.json.erase("buffers");
        auto bytes = gltfBytes(m_file.json);
        if (!bytes) return bytes.error();
        m_result.files.push_back({m_target.fileName, std::move(*bytes)});
        return std::move(m_result);
    }

    GltfFile m_file;
    SourceFiles& m_sourceFiles;
    const PatchTarget& m_target;
    PatchedGltf m_result;
};

} // namespace

Result<PatchedGltf> patchGltf(const PatchSource& source, const Scene& scene, const std::vector<BakedClip>& clips,
                              const PatchTarget& target, bool onlyTheseClips)
{
    auto file = parseGltf(source.bytes);
    if (!file) return file.error();
    SourceFiles sourceFiles(source.folder);
    return Patcher(std::move(*file), sourceFiles, target).run(scene, clips, onlyTheseClips);
}

std::string bufferName(const std::string& gltfName, const Bytes& bytes)
{
    const std::string hash = sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return stemOf(gltfName) + "-" + hash.substr(0, kHashLetters) + ".bin";
}

bool isBufferName(const std::string& name, const std::string& gltfName)
{
    const std::string start = stemOf(gltfName) + "-", end = ".bin";
    return name.size() == start.size() + kHashLetters + end.size() && name.starts_with(start) && name.ends_with(end) &&
           name.find_first_not_of("0123456789abcdef", start.size()) == name.size() - end.size();
}

Result<std::vector<OutputFile>> splitGlb(const Bytes& glb, const std::string& fileName)
{
    auto file = parseGltf({reinterpret_cast<const char*>(glb.data()), glb.size()});
    if (!file) return file.error();
    std::vector<OutputFile> files;
    if (file->hasBin) {
        const std::string name = bufferName(fileName, file->bin);
        file->json["buffers"][0]["uri"] = uriOf(name);
        files.push_back({name, std::move(file->bin)});
    }
    auto json = gltfBytes(file->json);
    if (!json) return json.error();
    files.push_back({fileName, std::move(*json)});
    return files;
}

} // namespace tendon::gltf

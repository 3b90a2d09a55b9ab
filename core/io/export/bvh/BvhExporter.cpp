#include "core/io/export/bvh/BvhExporter.h"

#include "core/io/export/bvh/BvhWriter.h"
#include "core/io/export/prepare/LengthUnit.h"
#include "core/io/readback/ImportCheck.h"

#include <cmath>
#include <filesystem>
#include <map>

namespace tendon {
namespace {

Result<WrittenExport> exportBvh(const Prepared& prepared, const Destination& to, const ExportOptions&)
{
    auto bvh = writeBvh(prepared.scene, prepared.clips.front());
    if (!bvh) return bvh.error();
    return WrittenExport{.files = {{to.fileName, {bvh->text.begin(), bvh->text.end()}}},
                         .nameOf = std::move(bvh->nameOf),
                         .issues = std::move(bvh->issues)};
}

/// The samples on whole frames, which are all that a BVH can hold; of several near one frame the nearest. The first
/// sample if there are none.
BakedClip samplesOnFrames(const BakedClip& clip)
{
    constexpr double kNear = 0.02;          // of a frame
    std::map<double, std::size_t> sampleOf; // by whole frame
    const auto distance = [&](std::size_t s) {
        const double frame = clip.fps.frameAt(clip.times[s]);
        return std::abs(frame - std::round(frame));
    };
    for (std::size_t s = 0; s < clip.times.size(); ++s) {
        if (distance(s) > kNear) continue;
        const auto [known, isNew] = sampleOf.try_emplace(std::round(clip.fps.frameAt(clip.times[s])), s);
        if (!isNew && distance(s) < distance(known->second)) known->second = s;
    }
    if (sampleOf.empty() && !clip.times.empty()) sampleOf[clip.fps.frameAt(clip.times.front())] = 0;
    BakedClip frames = clip;
    frames.times.clear();
    frames.locals.clear();
    const auto n = static_cast<std::ptrdiff_t>(clip.joints.size());
    for (const auto& [frame, s] : sampleOf) {
        const auto first = clip.locals.begin() + static_cast<std::ptrdiff_t>(s) * n;
        frames.times.push_back(clip.fps.timeOf(frame));
        frames.locals.insert(frames.locals.end(), first, first + n);
    }
    return frames;
}

Result<ReadBack> checkBvh(const std::string& path, const Original& original, const WrittenExport& written,
                          const ExportOptions& options, Issues&)
{
    std::vector<BakedClip> clips{samplesOnFrames(original.clips.front())};
    clips.front().name = std::filesystem::path(path).stem().string(); // as the import calls the only clip of a BVH
    const ImportOptions import{.metresPerUnit = options.preset.metresPerUnit, .upAxis = 1};
    return checkByImport(path, {.scene = original.scene, .clips = clips, .hasModel = false, .hasSegments = false},
                         written.nameOf, import, TurnsFrom::Rest);
}

} // namespace

Exporter bvhExporter()
{
    return {.suffix = "bvh",
            .title = "BVH",
            .content = "joints",
            .hasUnit = true,
            .steps = {{"whole frames",
                       [](Prepared& prepared, const ExportPreset&) {
                           prepared.clips.front() = wholeFrames(prepared.clips.front(), prepared.issues);
                       }},
                      lengthUnitStep()},
            .write = exportBvh,
            .readBack = checkBvh};
}

} // namespace tendon

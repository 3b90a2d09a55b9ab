#include "core/io/import/Pictures.h"

#include "core/io/import/ChildProcess.h"
#include "core/io/import/ModelImport.h"
#include "core/io/import/PictureStream.h"
#include "core/io/import/WorkerArguments.h"

namespace tendon {
namespace {

std::vector<std::uint8_t> requestOf(std::span<const std::span<const std::uint8_t>> encoded, std::uint32_t maxSide)
{
    PictureFiles files{maxSide, {}};
    for (const auto& file : encoded) files.files.push_back({{file.begin(), file.end()}});
    ByteWriter writer;
    describe(writer, files);
    return writer.take();
}

/// The pictures of an answer that may end early and is trusted no more than the files.
std::vector<Picture> picturesIn(std::span<const std::uint8_t> answer, std::size_t count, std::uint32_t maxSide)
{
    std::vector<Picture> pictures(count);
    ByteReader reader(answer);
    for (Picture& picture : pictures) {
        Picture next;
        describe(reader, next);
        if (next.width > maxSide || next.height > maxSide ||
            next.rgba.size() != std::size_t{4} * next.width * next.height)
            break;
        picture = std::move(next);
    }
    return pictures;
}

} // namespace

Result<std::vector<Picture>> decodePictures(std::span<const std::span<const std::uint8_t>> encoded,
                                            std::uint32_t maxSide, const std::atomic<bool>* cancelled)
{
    constexpr double kMaxSeconds = 20; // of processor time, for all of them
    constexpr double kMaxWaitFactor = 4;
    constexpr std::size_t kHeaderBytes = 16;
    const auto program = importWorkerProgram();
    if (!program) return program.error();
    const auto input = memoryFile(requestOf(encoded, maxSide));
    if (!input) return input.error();
    const std::int64_t maxMemoryBytes = ImportOptions().maxMemoryBytes;
    const WorkerArguments arguments{"", WorkerTask::DecodePictures, maxMemoryBytes, kMaxSeconds};
    const auto run = runChild(workerCommand(*program, arguments), {input->get(), {}},
                              {.maxSeconds = kMaxWaitFactor * kMaxSeconds,
                               .maxCpuSeconds = kMaxSeconds,
                               .maxResidentBytes = maxMemoryBytes,
                               .maxOutputBytes = encoded.size() * (std::size_t{4} * maxSide * maxSide + kHeaderBytes),
                               .cancelled = cancelled});
    if (!run) return run.error();
    return picturesIn(run->output, encoded.size(), maxSide);
}

} // namespace tendon

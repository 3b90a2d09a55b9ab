#pragma once

#include "core/base/Result.h"
#include "core/io/model/Picture.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace tendon {

/// Decodes PNG and JPEG files in the import child, because they come from strangers too. Pictures larger than `maxSide`
/// are scaled down. What cannot be decoded is an empty picture; if the child dies, so are those it had not reached.
/// Takes about a hundredth of a second more than decoding; call it from a worker thread, with several at once. Error:
/// the child could not be started.
[[nodiscard]] Result<std::vector<Picture>> decodePictures(std::span<const std::span<const std::uint8_t>> encoded,
                                                          std::uint32_t maxSide,
                                                          const std::atomic<bool>* cancelled = nullptr);

} // namespace tendon

#pragma once

#include "core/base/Result.h"

#include <functional>
#include <string>
#include <vector>

namespace tendon {

/// Files that come into being together or not at all. Each is first written in a folder beside its target (so that
/// moving it there cannot fail for lack of room); commit() moves them all, and undoes that if one cannot be moved.
/// Without commit() nothing is left behind.
class FileStage
{
public:
    FileStage() = default;
    ~FileStage();
    FileStage(const FileStage&) = delete;
    FileStage& operator=(const FileStage&) = delete;

    /// Calls `write` with a path that has the target's file name, in a new folder on the target's disk. Whatever files
    /// `write` leaves in that folder belong to it. Errors: the target's folder is not there or not writable, and those
    /// of `write`, which then leaves nothing.
    [[nodiscard]] Result<void> write(const std::string& target,
                                     const std::function<Result<void>(const std::string& path)>& write);

    /// Puts all files in their places, over those that are there. On an error all places are as they were.
    [[nodiscard]] Result<void> commit();

private:
    struct Entry
    {
        std::string folder; ///< ours, beside the target
        std::string targetFolder;
    };
    void clear();

    std::vector<Entry> m_entries;
};

} // namespace tendon

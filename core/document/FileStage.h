#pragma once

#include "core/base/Result.h"

#include <functional>
#include <string>
#include <vector>

namespace tendon {

/// Files that are written all or none. Each is first written to a folder beside its target, so that moving it there
/// cannot fail for lack of space. commit() moves them all, and moves them back if one cannot be moved. Without commit()
/// nothing is left behind.
class FileStage
{
public:
    FileStage() = default;
    ~FileStage();
    FileStage(const FileStage&) = delete;
    FileStage& operator=(const FileStage&) = delete;

    /// Calls `write` with a path that has the target's file name, in a new folder on the target's disk. All files that
    /// `write` creates in that folder and its subfolders are staged. Errors: the target's folder is missing or not
    /// writable, and those of `write`, after which nothing is staged.
    [[nodiscard]] Result<void> write(const std::string& target,
                                     const std::function<Result<void>(const std::string& path)>& write);

    /// Moves all files to their targets, replacing existing files. On an error all targets are as they were.
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

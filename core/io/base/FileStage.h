#pragma once

#include "core/base/Result.h"
#include "core/io/base/UnfinishedWork.h"

#include <functional>
#include <string>
#include <vector>

namespace tendon {

/// The one way in which Tendon writes files: all or none, and only over what may be replaced. Each is first written to
/// a folder beside its target, so that moving it there cannot fail for lack of space. commit() moves them all, and
/// moves them back if one cannot be moved. Without commit() nothing is left behind, whatever ends the process; a
/// process that is killed within commit() has its files moved by the next start (UnfinishedWork).
///
/// A target is a new file or an ordinary one that is not write-protected, and none that keep() names. It keeps its
/// permissions; a link to it stays a link. Judged is the file that links lead to: its name has to tell that it is of
/// the kind that is written, or of none that Tendon knows.
class FileStage
{
public:
    FileStage() = default;
    FileStage(const FileStage&) = delete;
    FileStage& operator=(const FileStage&) = delete;

    /// From now on this file is not a target, under any name. `what` ends a sentence: "the model that the project was
    /// made from". A file that is not there is nothing to keep.
    void keep(const std::string& path, std::string what);

    /// Endings of the names that files of a kind have, such as ".json". Empty: that of the target's own name.
    using Kinds = std::vector<std::string>;

    /// The errors of a target that may not be replaced, before there is anything to write.
    [[nodiscard]] Result<void> check(const std::string& target, const Kinds& kinds = {}) const;

    /// Calls `write` with a path that has the target's file name, in a new folder on the target's disk. All files that
    /// `write` creates in that folder and its subfolders are staged; those that are in place already, with the same
    /// content, stay untouched; the target itself is moved last. Errors: a target that may not be replaced, one that is
    /// staged already, a folder that is missing or not writable, and those of `write`, after which nothing of it is
    /// staged.
    [[nodiscard]] Result<void> write(const std::string& target,
                                     const std::function<Result<void>(const std::string& path)>& write,
                                     const Kinds& kinds = {});

    /// Takes back what is staged for a target, as what follows replaces it.
    void forget(const std::string& target);

    /// Once all files are in place, removes this one, which they replace; not that it has to be there.
    void removeAfter(const std::string& path) { m_obsolete.push_back(path); }

    /// Moves all files to their targets, replacing existing files. On an error all targets are as they were.
    [[nodiscard]] Result<void> commit();

private:
    struct Entry
    {
        std::string folder; ///< ours, beside the target
        std::string targetFolder;
        std::string fileName; ///< of the target; it is moved last, after the files that it refers to
        std::string place;    ///< where links lead to
        Kinds kinds;
    };
    struct Kept
    {
        std::string path, what;
    };
    struct Move;

    [[nodiscard]] Result<std::string> replaceable(const std::string& target, const Kinds& kinds = {}) const;
    [[nodiscard]] Result<std::vector<Move>> planMoves(std::vector<std::string>& newFolders);
    [[nodiscard]] Result<std::string> ontoDiskOf(const std::string& target, const std::string& staged);

    UnfinishedWork m_work;
    std::vector<Entry> m_entries;
    std::vector<Kept> m_kept;
    std::vector<std::string> m_obsolete; ///< absolute
};

} // namespace tendon

#pragma once

#include "core/base/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// Temporary folders of one piece of work, and the moves out of them that end it. They are noted in a file of the
/// user's state folder (XDG_STATE_HOME/tendon/unfinished) that is locked while the process lives, so that whatever ends
/// the process, nothing half done stays: the destructor and clearOnSignals() remove the folders, and after a kill the
/// next start's settleUnfinishedWork() does. Where that folder cannot be written, only a kill leaves something behind.
/// One thread.
class UnfinishedWork
{
public:
    /// A file to be renamed. Both are absolute and on one disk.
    struct Move
    {
        std::string from, to;
    };

    UnfinishedWork() = default;
    ~UnfinishedWork(); ///< removes the folders
    UnfinishedWork(const UnfinishedWork&) = delete;
    UnfinishedWork& operator=(const UnfinishedWork&) = delete;

    /// A new folder in `parent` that only this user may enter. Error: it cannot be made.
    [[nodiscard]] Result<std::string> makeFolder(const std::string& parent);

    /// From now on the next start finishes these moves, in this order, and then removes the files that are obsolete by
    /// them, instead of removing the folders alone. While the Commit lives, signals wait.
    class Commit
    {
    public:
        Commit(UnfinishedWork& work, const std::vector<Move>& moves, const std::vector<std::string>& obsolete);
        ~Commit(); ///< they are done, or taken back
        Commit(const Commit&) = delete;
        Commit& operator=(const Commit&) = delete;

        /// The files are in place, but one that is obsolete could not be removed: the next start tries again.
        void leaveRest() { m_isRestLeft = true; }

    private:
        UnfinishedWork& m_work;
        bool m_isRestLeft = false;
    };

    void removeFolder(const std::string& folder);
    void removeFolders();

private:
    void append(std::string_view record);

    std::vector<std::string> m_folders;
    bool m_isRestLeft = false; ///< the note stays for the next start
    std::string m_noteFile;
    int m_note = -1; ///< its descriptor, locked; -1 = none
};

/// Finishes or removes what processes that were killed have left. Call it at the start of a program.
void settleUnfinishedWork();

/// From now on a request to end (SIGINT, SIGTERM, SIGHUP) removes all folders first, and ends the process as that
/// signal does. Call it once, in main.
void clearOnSignals();

} // namespace tendon

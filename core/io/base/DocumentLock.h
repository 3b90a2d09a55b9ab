#pragma once

#include <optional>
#include <string>

namespace tendon {

/// Who has a document open.
struct DocumentOwner
{
    std::string user, host, since; ///< as text to show; empty = unknown
};

/// Tells others beside a document that it is open: a file `.~lock.NAME#` that says who has it and since when. The
/// lock itself is the system's (flock), so that of a process that has died there is none, whatever it has left. In a
/// folder that cannot be written there is no lock, and nobody is told. Advice, not protection: nothing is refused.
class DocumentLock
{
public:
    /// Takes the lock of the document at `path`, unless another has it.
    explicit DocumentLock(const std::string& path);
    ~DocumentLock();
    DocumentLock(const DocumentLock&) = delete;
    DocumentLock& operator=(const DocumentLock&) = delete;

    /// Who else has it; none: this one, or nobody because there can be no lock.
    [[nodiscard]] const std::optional<DocumentOwner>& other() const { return m_other; }

    /// Who has the document open, whether this process or another; none = nobody. Leaves nothing behind.
    [[nodiscard]] static std::optional<DocumentOwner> ownerOf(const std::string& path);

private:
    std::string m_path; ///< of the lock
    int m_file = -1;    ///< open while the lock is held
    std::optional<DocumentOwner> m_other;
};

/// "by ada on render3 at 2026-11-23 04:05", as far as it is known: who opened it, where and when.
[[nodiscard]] std::string describe(const DocumentOwner& owner);

} // namespace tendon

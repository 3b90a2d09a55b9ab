#include "core/io/base/DocumentLock.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tendon {
namespace {

namespace fs = std::filesystem;

/// Beside the file that links lead to, so that a document has one lock whatever it is called.
std::string lockPathOf(const std::string& path)
{
    std::error_code code;
    fs::path whole = fs::weakly_canonical(path, code);
    if (code || whole.filename().empty()) whole = path;
    return (whole.parent_path() / (".~lock." + whole.filename().string() + "#")).string();
}

int openFile(const std::string& path, int flags)
{
    const int file = ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
    struct stat info = {};
    if (file >= 0 && (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode))) {
        ::close(file);
        return -1;
    }
    return file;
}

/// Whether the open file is still the one of this name: the owner before may have removed it while we waited.
bool isStillThere(int file, const std::string& path)
{
    struct stat open = {}, named = {};
    return ::fstat(file, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
           open.st_dev == named.st_dev;
}

/// A line of a file that anybody may have written: short, and without control characters.
std::string takeLine(std::string& text)
{
    constexpr std::size_t kMaxLength = 80;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line = text.substr(0, std::min(end, kMaxLength));
    text.erase(0, std::min(end + 1, text.size()));
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return line;
}

DocumentOwner readOwner(int file)
{
    std::array<char, 512> bytes = {};
    const ssize_t count = ::pread(file, bytes.data(), bytes.size(), 0);
    std::string text(bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    DocumentOwner owner;
    owner.user = takeLine(text);
    owner.host = takeLine(text);
    owner.since = takeLine(text);
    return owner;
}

std::string ownText()
{
    const struct passwd* user = ::getpwuid(::geteuid());
    std::array<char, 256> host = {};
    (void)::gethostname(host.data(), host.size() - 1);
    const std::time_t now = std::time(nullptr);
    struct tm local = {};
    std::array<char, 64> time = {};
    if (::localtime_r(&now, &local) != nullptr) (void)std::strftime(time.data(), time.size(), "%Y-%m-%d %H:%M", &local);
    return std::string(user == nullptr ? "" : user->pw_name) + "\n" + host.data() + "\n" + time.data() + "\n";
}

} // namespace

DocumentLock::DocumentLock(const std::string& path) : m_path(lockPathOf(path))
{
    while (m_file < 0 && !m_other) {
        const int file = openFile(m_path, O_RDWR | O_CREAT);
        if (file < 0) return; // a folder that cannot be written
        if (::flock(file, LOCK_EX | LOCK_NB) != 0)
            m_other = readOwner(file);
        else if (isStillThere(file, m_path))
            m_file = file;
        if (m_file < 0) ::close(file);
    }
    if (m_file < 0) return;
    const std::string text = ownText();
    if (::ftruncate(m_file, 0) != 0 || ::pwrite(m_file, text.data(), text.size(), 0) < 0) return; // held, but unnamed
}

DocumentLock::~DocumentLock()
{
    if (m_file < 0) return;
    if (isStillThere(m_file, m_path)) ::unlink(m_path.c_str());
    ::close(m_file);
}

std::optional<DocumentOwner> DocumentLock::ownerOf(const std::string& path)
{
    const int file = openFile(lockPathOf(path), O_RDONLY);
    if (file < 0) return std::nullopt;
    std::optional<DocumentOwner> owner;
    if (::flock(file, LOCK_SH | LOCK_NB) != 0) owner = readOwner(file);
    ::close(file);
    return owner;
}

std::string describe(const DocumentOwner& owner)
{
    std::string text;
    const auto add = [&](const char* word, const std::string& name) {
        if (!name.empty()) text += (text.empty() ? "" : " ") + (word + name);
    };
    add("by ", owner.user);
    add("on ", owner.host);
    add("at ", owner.since);
    return text;
}

} // namespace tendon

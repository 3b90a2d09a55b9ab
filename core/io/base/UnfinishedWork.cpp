#include "core/io/base/UnfinishedWork.h"

#include "core/io/base/Files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <random>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tendon {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = ".tendon-";

/// All work of this process. The lock is held while folders are made or removed and while files are moved.
struct Registry
{
    std::recursive_mutex mutex;
    std::vector<UnfinishedWork*> work;
};

Registry& registry()
{
    static auto* all = new Registry; // outlives every static object that still writes
    return *all;
}

std::string randomName()
{
    std::random_device random; // only for names that are gone at the end
    return std::to_string(random()) + std::to_string(random() % 1000);
}

/// Empty if there is none.
fs::path noteFolder()
{
    const char* state = std::getenv("XDG_STATE_HOME");
    const char* home = std::getenv("HOME");
    fs::path base = state != nullptr && state[0] == '/' ? fs::path(state)
                    : home != nullptr && home[0] == '/' ? fs::path(home) / ".local/state"
                                                        : fs::path();
    return base.empty() ? base : base / "tendon/unfinished";
}

bool isOurs(const fs::path& folder) { return folder.filename().string().starts_with(kPrefix); }

// A note is a list of records that is only appended to, so that one cut short by a kill is still true up to there. Each
// begins with its letter and ends in 0.
constexpr char kFolder = 'F';   // a folder, about to be made
constexpr char kMoveFrom = 'M'; // a staged file
constexpr char kMoveTo = 'T';   // its place
constexpr char kObsolete = 'O'; // a file to be removed once all are in their places
constexpr char kMoving = 'C';   // all files are complete and are being moved
constexpr char kSettled = 'D';  // they are, or have been moved back

std::string record(char kind, const std::string& path = {}) { return kind + path + '\0'; }

std::string percentEncoded(const std::string& name)
{
    constexpr char kHex[] = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : name) {
        const auto code = static_cast<unsigned char>(c);
        if (std::isalnum(code) != 0 || std::strchr("-._~", c) != nullptr)
            encoded += c;
        else
            encoded += {'%', kHex[code >> 4], kHex[code & 15]};
    }
    return encoded;
}

/// Whether a .gltf beside the file uses it: since the note was made, it may have been written once more.
bool isInUse(const fs::path& file)
{
    const std::string name = file.filename().string(), encoded = percentEncoded(name);
    std::error_code code;
    for (fs::directory_iterator entry(file.parent_path(), code); !code && entry != fs::directory_iterator();
         entry.increment(code)) {
        if (entry->path().extension() != ".gltf") continue;
        const auto bytes = readFile(entry->path().string());
        if (!bytes || bytes->find('"' + name + '"') != std::string::npos ||
            bytes->find('"' + encoded + '"') != std::string::npos)
            return true;
    }
    return static_cast<bool>(code); // it cannot be known
}

/// Does what the note of a killed process asks for.
void settle(std::string_view note)
{
    std::vector<std::string> folders, from, to, obsolete;
    bool isMoving = false;
    for (std::size_t end = note.find('\0'); end != std::string_view::npos && end > 0; end = note.find('\0')) {
        const std::string path(note.substr(1, end - 1));
        switch (note.front()) {
        case kFolder: folders.push_back(path); break;
        case kMoveFrom: from.push_back(path); break;
        case kMoveTo: to.push_back(path); break;
        case kObsolete: obsolete.push_back(path); break;
        case kMoving: isMoving = true; break;
        case kSettled: isMoving = false; break;
        default: return; // not one of ours
        }
        note.remove_prefix(end + 1);
    }
    std::error_code ignored;
    for (std::size_t i = 0; isMoving && i < std::min(from.size(), to.size()); ++i) {
        const fs::path staged = from[i];
        if (std::any_of(staged.begin(), staged.end(), isOurs)) // those moved before the kill are not there any more
            fs::rename(staged, to[i], ignored);
    }
    if (isMoving)
        for (const std::string& path : obsolete)
            if (!isInUse(path)) fs::remove(path, ignored);
    for (const std::string& folder : folders)
        if (isOurs(folder)) fs::remove_all(folder, ignored);
}

} // namespace

UnfinishedWork::~UnfinishedWork() { removeFolders(); }

Result<std::string> UnfinishedWork::makeFolder(const std::string& parent)
{
    const std::lock_guard lock(registry().mutex);
    std::error_code code;
    for (int attempt = 0; attempt < 16; ++attempt) {
        const std::string folder = (fs::path(parent) / (kPrefix + randomName())).string();
        m_folders.push_back(folder);
        if (m_folders.size() == 1) registry().work.push_back(this);
        append(record(kFolder, folder));
        if (::mkdir(folder.c_str(), 0700) == 0) return folder;
        code = std::error_code(errno, std::generic_category());
        removeFolder(folder);
        if (code != std::errc::file_exists) break;
    }
    return Error{ErrorCode::Io,
                 "cannot write into this folder; check that it exists and that you may write there (" + code.message() +
                     ")",
                 parent};
}

void UnfinishedWork::removeFolder(const std::string& folder)
{
    const std::lock_guard lock(registry().mutex);
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    m_folders.erase(std::remove(m_folders.begin(), m_folders.end(), folder), m_folders.end());
    if (m_folders.empty()) removeFolders();
}

void UnfinishedWork::removeFolders()
{
    const std::lock_guard lock(registry().mutex);
    std::error_code ignored;
    bool isAllGone = true;
    for (const std::string& folder : m_folders) {
        fs::remove_all(folder, ignored);
        isAllGone &= !fs::exists(folder, ignored);
    }
    m_folders.clear();
    if (m_note >= 0) {
        if (isAllGone && !m_isRestLeft) ::unlink(m_noteFile.c_str()); // else the next start tries again
        ::close(m_note);
        m_note = -1;
    }
    auto& all = registry().work;
    all.erase(std::remove(all.begin(), all.end(), this), all.end());
}

void UnfinishedWork::append(std::string_view record)
{
    if (m_note < 0) {
        const fs::path folder = noteFolder();
        std::error_code code;
        if (folder.empty()) return;
        fs::create_directories(folder, code);
        m_noteFile = (folder / randomName()).string();
        m_note = ::open(m_noteFile.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
        if (m_note < 0) return;
        ::flock(m_note, LOCK_EX | LOCK_NB);
    }
    (void)!::write(m_note, record.data(), record.size()); // on a full disk a kill leaves its folders
}

UnfinishedWork::Commit::Commit(UnfinishedWork& work, const std::vector<Move>& moves,
                               const std::vector<std::string>& obsolete)
    : m_work(work)
{
    registry().mutex.lock();
    std::string records;
    for (const Move& move : moves) records += record(kMoveFrom, move.from) + record(kMoveTo, move.to);
    for (const std::string& path : obsolete) records += record(kObsolete, path);
    m_work.append(records + record(kMoving));
    if (m_work.m_note >= 0) ::fdatasync(m_work.m_note);
}

UnfinishedWork::Commit::~Commit()
{
    m_work.m_isRestLeft |= m_isRestLeft;
    if (!m_isRestLeft) m_work.append(record(kSettled));
    registry().mutex.unlock();
}

void settleUnfinishedWork()
{
    std::error_code code;
    const fs::path folder = noteFolder();
    if (folder.empty()) return;
    for (fs::directory_iterator entry(folder, code); !code && entry != fs::directory_iterator();
         entry.increment(code)) {
        const int file = ::open(entry->path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (file < 0) continue;
        struct stat info = {};
        if (::flock(file, LOCK_EX | LOCK_NB) == 0 && ::fstat(file, &info) == 0 && S_ISREG(info.st_mode)) {
            std::string text(static_cast<std::size_t>(std::min<off_t>(info.st_size, 1 << 24)), '\0');
            const ssize_t count = ::pread(file, text.data(), text.size(), 0);
            text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
            settle(text);
            ::unlink(entry->path().c_str());
        }
        ::close(file);
    }
}

namespace {

std::array<int, 2> signalPipe{-1, -1};

void passOn(int signal)
{
    const int before = errno;
    const auto byte = static_cast<char>(signal);
    (void)!::write(signalPipe[1], &byte, 1);
    errno = before;
}

} // namespace

void clearOnSignals()
{
    if (::pipe2(signalPipe.data(), O_CLOEXEC) != 0) return;
    const auto wait = [] {
        char signal = 0;
        while (::read(signalPipe[0], &signal, 1) < 0 && errno == EINTR) {}
        const std::lock_guard lock(registry().mutex); // files that are being moved arrive first
        while (!registry().work.empty()) registry().work.back()->removeFolders();
        std::fprintf(stderr, "%s: stopped by a signal (%s); every file is as it was, or written whole\n",
                     program_invocation_short_name, ::strsignal(signal));
        ::signal(signal, SIG_DFL);
        ::raise(signal);
    };
    try {
        std::thread(wait).detach();
    } catch (const std::system_error&) { // no thread to be had: a signal kills, and the next start clears
        return;
    }
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
        struct sigaction present = {};
        if (::sigaction(signal, nullptr, &present) != 0 || present.sa_handler == SIG_IGN) continue; // nohup
        struct sigaction action = {};
        action.sa_handler = passOn;
        action.sa_flags = SA_RESTART;
        ::sigaction(signal, &action, nullptr);
    }
}

} // namespace tendon

#include "core/io/base/FileStage.h"

#include "core/io/base/Files.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tendon {
namespace {

namespace fs = std::filesystem;

Error ioError(const std::string& path, const std::string& what, const std::error_code& code)
{
    return {ErrorCode::Io, what + " (" + code.message() + ")", path};
}

std::error_code systemError() { return {errno, std::generic_category()}; }

/// The files in a folder and its subfolders, as paths from it, `last` at the end. A list that is not whole would be a
/// set that is not: then an error.
Result<std::vector<fs::path>> filesBelow(const fs::path& folder, const fs::path& last)
{
    std::vector<fs::path> files;
    std::error_code code;
    for (fs::recursive_directory_iterator entry(folder, code); !code && entry != fs::recursive_directory_iterator();
         entry.increment(code))
        if (entry->is_regular_file(code)) files.push_back(entry->path().lexically_relative(folder));
    if (code) return ioError((folder.parent_path() / last).string(), "cannot be written", code);
    std::sort(files.begin(), files.end(),
              [&](const fs::path& a, const fs::path& b) { return a != last && (b == last || a < b); });
    return files;
}

/// Creates a folder and those above it; appends the new ones, the outermost first.
Result<void> makeFolders(const fs::path& folder, std::vector<std::string>& newFolders)
{
    std::error_code code;
    if (folder.empty() || fs::is_directory(folder, code)) return {};
    if (const auto above = makeFolders(folder.parent_path(), newFolders); !above) return above;
    if (fs::create_directory(folder, code); code) return ioError(folder.string(), "cannot create this folder", code);
    newFolders.push_back(folder.string());
    return {};
}

/// Makes sure that a file's bytes, or a folder's names, survive a power cut.
Result<void> flush(const fs::path& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool isFlushed = file >= 0 && ::fsync(file) == 0;
    const std::error_code code = systemError();
    if (file >= 0) ::close(file);
    if (!isFlushed) return ioError(path.string(), "cannot be written", code);
    return {};
}

bool hasSameContent(const fs::path& a, const fs::path& b)
{
    std::error_code code;
    if (!fs::is_regular_file(a, code) || !fs::is_regular_file(b, code)) return false;
    if (fs::file_size(a, code) != fs::file_size(b, code) || code) return false;
    const auto first = readFile(a.string()), second = readFile(b.string());
    return first && second && *first == *second;
}

/// The ending of a file's name in small letters.
std::string endingOf(const fs::path& path)
{
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

/// Whether a file of this name may be what a writer of `kinds` has written before.
bool isOfKind(const fs::path& path, const FileStage::Kinds& kinds)
{
    static const std::set<std::string> kKnown = {".tendon", ".glb",  ".gltf", ".vrm", ".bin", ".fbx",
                                                 ".bvh",    ".urdf", ".obj",  ".dae", ".csv", ".json",
                                                 ".png",    ".jpg",  ".jpeg", ".so",  ".cpp", ".h"};
    const std::string ending = endingOf(path);
    return kKnown.count(ending) == 0 || std::find(kinds.begin(), kinds.end(), ending) != kinds.end();
}

/// The permissions of `target`, and as far as this user may, its owner.
void takeOver(const std::string& target, const std::string& staged)
{
    struct stat info = {};
    if (::stat(target.c_str(), &info) != 0) return;
    (void)!::chown(staged.c_str(), info.st_uid, info.st_gid);
    (void)!::chmod(staged.c_str(), info.st_mode & 07777);
}

} // namespace

/// A move of one file into place that can be taken back.
struct FileStage::Move
{
    std::string staged, target, backup;
    bool hadTarget = false;

    [[nodiscard]] Result<void> make()
    {
        std::error_code code;
        hadTarget = fs::exists(target, code);
        if (code) return ioError(target, "cannot be written", code); // takeBack() would remove what may be there
        if (hadTarget) {
            fs::create_hard_link(target, backup, code);
            if (code) {
                code.clear();
                fs::copy_file(target, backup, code);
            }
            if (code) return ioError(target, "cannot set the existing file aside", code);
        }
        fs::rename(staged, target, code);
        if (code) return ioError(target, "cannot put the file in its place", code);
        return {};
    }

    void takeBack() const
    {
        std::error_code ignored;
        if (hadTarget)
            fs::rename(backup, target, ignored);
        else
            fs::remove(target, ignored);
    }
};

void FileStage::keep(const std::string& path, std::string what)
{
    if (!path.empty()) m_kept.push_back({path, std::move(what)});
}

/// Where a file of this name is put: where links lead to, at the end.
Result<std::string> FileStage::replaceable(const std::string& target, const Kinds& kinds) const
{
    std::error_code code;
    fs::path whole = fs::absolute(target, code);
    if (code || whole.filename().empty())
        return Error{ErrorCode::InvalidArgument, "this is not the name of a file", target};
    for (int links = 0; fs::is_symlink(whole, code); ++links) {
        if (links == 40) return Error{ErrorCode::Io, "is a link that leads to itself", target};
        const fs::path to = fs::read_symlink(whole, code);
        whole = to.is_absolute() ? to : whole.parent_path() / to;
    }
    if (!fs::is_directory(whole.parent_path(), code))
        return Error{ErrorCode::Io, "the folder to write into is not there; make it first",
                     whole.parent_path().string()};
    struct stat info = {};
    if (::stat(whole.c_str(), &info) != 0) {
        if (errno == ENOENT) return whole.string();
        return ioError(target, "cannot be written", systemError());
    }
    if (S_ISDIR(info.st_mode))
        return Error{ErrorCode::Io, "there is a folder of this name; choose another name", target};
    if (!S_ISREG(info.st_mode))
        return Error{ErrorCode::Io, "is a device, a pipe or a socket and is not overwritten; choose another name",
                     target};
    if ((info.st_mode & 0222) == 0 || ::access(whole.c_str(), W_OK) != 0)
        return Error{ErrorCode::Io, "is write-protected; choose another name or allow writing", target};
    for (const Kept& kept : m_kept)
        if (isSameFile(kept.path, whole.string()))
            return Error{ErrorCode::InvalidArgument, "is " + kept.what + " and is not overwritten; choose another name",
                         target};
    if (!isOfKind(whole, kinds.empty() ? Kinds{endingOf(target)} : kinds))
        return Error{ErrorCode::InvalidArgument,
                     (isSameFile(target, whole.string()) && fs::path(target).filename() != whole.filename()
                          ? "leads to " + whole.string() + ", which"
                          : std::string("is there already and")) +
                         " is, by its name, a file of another kind; it is not overwritten; choose another name",
                     target};
    return whole.string();
}

Result<void> FileStage::check(const std::string& target, const Kinds& kinds) const
{
    if (const auto place = replaceable(target, kinds); !place) return place.error();
    return {};
}

Result<void> FileStage::write(const std::string& target,
                              const std::function<Result<void>(const std::string& path)>& write, const Kinds& kinds)
{
    const auto place = replaceable(target, kinds);
    if (!place) return place.error();
    std::error_code code;
    const std::string canonical = fs::weakly_canonical(*place, code).string();
    for (const Entry& other : m_entries)
        if (other.place == canonical)
            return Error{ErrorCode::InvalidArgument, "is written twice; choose another name for one of the two",
                         target};
    const fs::path whole = fs::absolute(target, code);
    const auto folder = m_work.makeFolder(whole.parent_path().string());
    if (!folder) return folder.error();
    m_entries.push_back({*folder, whole.parent_path().string(), whole.filename().string(), canonical, kinds});
    if (const auto written = write((fs::path(*folder) / whole.filename()).string()); !written) {
        m_work.removeFolder(*folder);
        m_entries.pop_back();
        Error error = written.error();
        if (error.where.starts_with(*folder)) error.where.replace(0, folder->size(), whole.parent_path().string());
        return error;
    }
    return {};
}

void FileStage::forget(const std::string& target)
{
    const auto place = replaceable(target);
    if (!place) return;
    std::error_code code;
    const std::string canonical = fs::weakly_canonical(*place, code).string();
    std::erase_if(m_entries, [&](const Entry& entry) {
        if (entry.place != canonical) return false;
        m_work.removeFolder(entry.folder);
        return true;
    });
}

/// `staged`, or a copy of it if a link has led the target to another disk.
Result<std::string> FileStage::ontoDiskOf(const std::string& target, const std::string& staged)
{
    const fs::path folder = fs::path(target).parent_path();
    struct stat here = {}, there = {};
    if (::stat(staged.c_str(), &here) != 0 || ::stat(folder.c_str(), &there) != 0)
        return ioError(target, "cannot be written", systemError());
    if (here.st_dev == there.st_dev) return staged;
    const auto beside = m_work.makeFolder(folder.string());
    if (!beside) return beside.error();
    const fs::path copy = fs::path(*beside) / fs::path(staged).filename();
    std::error_code code;
    if (fs::copy_file(staged, copy, code); code) return ioError(target, "cannot be written", code);
    return copy.string();
}

/// Every file that has to be moved, complete on its disk, with the rights that it will have.
Result<std::vector<FileStage::Move>> FileStage::planMoves(std::vector<std::string>& newFolders)
{
    std::vector<Move> moves;
    for (const Entry& entry : m_entries) {
        const auto files = filesBelow(entry.folder, entry.fileName);
        if (!files) return files.error();
        for (const fs::path& file : *files) {
            const fs::path staged = fs::path(entry.folder) / file, named = fs::path(entry.targetFolder) / file;
            if (file != entry.fileName && hasSameContent(staged, named)) continue;
            if (const auto made = makeFolders(named.parent_path(), newFolders); !made) return made.error();
            const auto target = replaceable(named.string(), file == entry.fileName ? entry.kinds : Kinds());
            if (!target) return target.error();
            const auto near = ontoDiskOf(*target, staged.string());
            if (!near) return near.error();
            takeOver(*target, *near);
            if (const auto flushed = flush(*near); !flushed) return flushed.error();
            moves.push_back({*near, *target, *near + ".before", false});
        }
    }
    return moves;
}

Result<void> FileStage::commit()
{
    if (m_entries.empty() && m_obsolete.empty()) return {};
    std::vector<std::string> newFolders;
    std::error_code code, ignored;
    auto moves = planMoves(newFolders);
    Result<void> outcome = moves ? Result<void>() : Result<void>(moves.error());
    if (outcome) {
        std::vector<UnfinishedWork::Move> noted;
        for (const Move& move : *moves) noted.push_back({move.staged, move.target});
        UnfinishedWork::Commit commit(m_work, noted, m_obsolete);
        std::size_t made = 0;
        while (outcome && made < moves->size()) outcome = (*moves)[made++].make();
        if (!outcome)
            while (made-- > 0) (*moves)[made].takeBack();
        std::set<fs::path> folders;
        for (const Move& move : *moves) folders.insert(fs::path(move.target).parent_path());
        for (const fs::path& folder : folders) (void)flush(folder);
        if (outcome)
            for (const std::string& path : m_obsolete)
                if (fs::remove(path, code); code) commit.leaveRest();
    }
    if (!outcome)
        for (auto folder = newFolders.rbegin(); folder != newFolders.rend(); ++folder) fs::remove(*folder, ignored);
    m_entries.clear();
    m_obsolete.clear();
    m_work.removeFolders();
    return outcome;
}

} // namespace tendon

#include "core/document/FileStage.h"

#include <algorithm>
#include <filesystem>
#include <random>
#include <system_error>

namespace tendon {
namespace {

namespace fs = std::filesystem;

Error ioError(const std::string& path, const std::string& what, const std::error_code& code)
{
    return {ErrorCode::Io, what + " (" + code.message() + ")", path};
}

/// A new folder in `parent` whose name no other process has taken.
Result<std::string> makeFolder(const fs::path& parent)
{
    std::random_device random; // only for the name of a folder that is gone at the end
    std::error_code code;
    for (int attempt = 0; attempt < 16; ++attempt) {
        const fs::path folder = parent / (".tendon-" + std::to_string(random()));
        if (fs::create_directory(folder, code)) return folder.string();
        if (code) break;
    }
    return ioError(parent.string(), "cannot write into this folder; check that it exists and that you may write there",
                   code);
}

/// A move of one file into place that can be taken back.
struct Move
{
    fs::path staged, target, backup;
    bool hadTarget = false;

    void takeBack() const
    {
        std::error_code ignored;
        if (hadTarget)
            fs::rename(backup, target, ignored);
        else
            fs::remove(target, ignored);
    }
};

Result<Move> moveIntoPlace(const fs::path& staged, const fs::path& target, const fs::path& backup)
{
    Move move{staged, target, backup, false};
    std::error_code code;
    if (fs::is_directory(target, code))
        return Error{ErrorCode::Io, "there is a folder of this name; choose another name", target.string()};
    move.hadTarget = fs::exists(target, code);
    if (move.hadTarget) {
        fs::create_hard_link(target, backup, code);
        if (code) {
            code.clear();
            fs::copy_file(target, backup, code);
        }
        if (code) return ioError(target.string(), "cannot set the existing file aside", code);
    }
    fs::rename(staged, target, code);
    if (code) return ioError(target.string(), "cannot put the file in its place", code);
    return move;
}

/// The files in a folder and its subfolders, as paths from it.
std::vector<fs::path> filesBelow(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code code;
    for (const auto& entry : fs::recursive_directory_iterator(folder, code))
        if (entry.is_regular_file(code)) files.push_back(entry.path().lexically_relative(folder));
    std::sort(files.begin(), files.end());
    return files;
}

/// Creates a folder and those above it; appends the new ones, the outermost first.
Result<void> makeFolders(const fs::path& folder, std::vector<fs::path>& newFolders)
{
    std::error_code code;
    if (folder.empty() || fs::is_directory(folder, code)) return {};
    if (const auto above = makeFolders(folder.parent_path(), newFolders); !above) return above;
    if (fs::create_directory(folder, code); code) return ioError(folder.string(), "cannot create this folder", code);
    newFolders.push_back(folder);
    return {};
}

} // namespace

FileStage::~FileStage() { clear(); }

void FileStage::clear()
{
    std::error_code ignored;
    for (const Entry& entry : m_entries) fs::remove_all(entry.folder, ignored);
    m_entries.clear();
}

Result<void> FileStage::write(const std::string& target,
                              const std::function<Result<void>(const std::string& path)>& write)
{
    std::error_code code;
    const fs::path whole = fs::absolute(target, code);
    if (code || whole.filename().empty())
        return Error{ErrorCode::InvalidArgument, "this is not the name of a file", target};
    if (fs::is_directory(whole, code))
        return Error{ErrorCode::Io, "there is a folder of this name; choose another name", target};
    if (!fs::is_directory(whole.parent_path(), code))
        return Error{ErrorCode::Io, "the folder to write into is not there; make it first",
                     whole.parent_path().string()};

    const auto folder = makeFolder(whole.parent_path());
    if (!folder) return folder.error();
    m_entries.push_back({*folder, whole.parent_path().string()});
    if (const auto written = write((fs::path(*folder) / whole.filename()).string()); !written) {
        fs::remove_all(*folder, code);
        m_entries.pop_back();
        return written;
    }
    return {};
}

Result<void> FileStage::commit()
{
    std::vector<Move> moves;
    std::vector<fs::path> newFolders;
    Result<void> outcome;
    std::error_code code;
    for (const Entry& entry : m_entries) {
        const std::vector<fs::path> files = filesBelow(entry.folder);
        const fs::path backups = fs::path(entry.folder) / ".before";
        if (fs::create_directory(backups, code); code) outcome = ioError(entry.folder, "cannot write", code);
        for (const fs::path& file : files) {
            if (!outcome) break;
            const fs::path target = fs::path(entry.targetFolder) / file;
            outcome = makeFolders(target.parent_path(), newFolders);
            if (!outcome) break;
            auto moved = moveIntoPlace(fs::path(entry.folder) / file, target, backups / std::to_string(moves.size()));
            if (moved)
                moves.push_back(std::move(*moved));
            else
                outcome = moved.error();
        }
        if (!outcome) break;
    }
    if (!outcome) {
        for (auto move = moves.rbegin(); move != moves.rend(); ++move) move->takeBack();
        for (auto folder = newFolders.rbegin(); folder != newFolders.rend(); ++folder) fs::remove(*folder, code);
    }
    clear();
    return outcome;
}

} // namespace tendon

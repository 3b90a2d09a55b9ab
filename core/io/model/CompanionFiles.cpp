#include "core/io/model/CompanionFiles.h"

#include "core/io/model/ModelFolder.h"
#include "core/io/model/SourceModel.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>

namespace tendon {
namespace {

std::string realPath(const std::string& path)
{
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
    return real ? real.get() : std::string();
}

std::string systemError() { return std::strerror(errno); }

bool climbs(std::string_view path)
{
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        if (path.substr(begin, end - begin) == "..") return true;
        begin = end + 1;
    }
    return false;
}

/// A name shortened for a message of one line.
std::string inQuotes(std::string_view name)
{
    std::string text;
    for (const char c : name.substr(0, 80)) text += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    return "\"" + text + (name.size() > 80 ? "..." : "") + "\"";
}

} // namespace

/// A device, a pipe or a folder is refused before anything is read of it.
Result<Descriptor> CompanionFiles::openPlain(const std::string& path)
{
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.get() < 0) return Error{errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Io, systemError(), ""};
    struct stat info = {};
    if (::fstat(file.get(), &info) != 0) return Error{ErrorCode::Io, systemError(), ""};
    if (!S_ISREG(info.st_mode)) return Error{ErrorCode::Io, "is not a regular file", ""};
    const auto size = static_cast<std::size_t>(info.st_size);
    const std::size_t maxBytes = limits::kFileBytes - std::min(limits::kFileBytes, m_bytesOpened);
    if (size > maxBytes)
        return Error{ErrorCode::LimitExceeded,
                     "is too large: " + std::to_string(size >> 20) + " MiB, and at most " +
                         std::to_string(maxBytes >> 20) + " MiB are supported",
                     ""};
    m_bytesOpened += size;
    return file;
}

Result<Descriptor> CompanionFiles::openModel(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    m_folder = realPath(slash == std::string::npos ? "." : path.substr(0, slash + 1));
    return openPlain(path);
}

Result<Descriptor> CompanionFiles::open(std::string_view uri)
{
    const std::string name = percentDecoded(uri);
    const auto refused = [&](const std::string& reason) {
        return Error{ErrorCode::InvalidArgument, "its file " + inQuotes(name) + " " + reason, ""};
    };
    if (m_folder.empty()) return refused("is outside the embedded model, where nothing is read");
    if (name.empty() || name.find('\0') != std::string::npos || name.find('\\') != std::string::npos)
        return refused("is not a valid file name");
    if (name.find(':') < name.find('/'))
        return refused("is a web address or a device; only files beside the model are read");
    if (name.front() == '/' || climbs(name)) return refused("is outside the model's folder and is not read");

    const std::string real = realPath(m_folder + "/" + name);
    if (real.empty()) return refused("is missing; put it beside the model");
    const std::string inside = m_folder == "/" ? m_folder : m_folder + "/";
    if (!real.starts_with(inside)) return refused("is a link that leaves the model's folder and is not read");
    auto file = openPlain(real);
    if (!file) return refused(file.error().message);
    return file;
}

} // namespace tendon

#include "core/io/model/ModelFolder.h"

#include "core/io/model/SourceModel.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tendon {
namespace {

std::string realPath(const std::string& path)
{
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
    return real ? real.get() : std::string();
}

std::string systemError() { return std::strerror(errno); }

/// The bytes of a plain file: a device, a pipe or a folder is refused before anything is read of it.
Result<std::vector<std::uint8_t>> readPlainFile(const std::string& path, std::size_t maxBytes)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return Error{errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Io, systemError(), ""};
    const auto close = [](const int* descriptor) { ::close(*descriptor); };
    const std::unique_ptr<const int, decltype(close)> closer(&file, close);

    struct stat info = {};
    if (::fstat(file, &info) != 0) return Error{ErrorCode::Io, systemError(), ""};
    if (!S_ISREG(info.st_mode)) return Error{ErrorCode::Io, "is not a regular file", ""};
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size > maxBytes)
        return Error{ErrorCode::LimitExceeded,
                     "is too large: " + std::to_string(size >> 20) + " MiB, and at most " +
                         std::to_string(maxBytes >> 20) + " MiB are supported",
                     ""};
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t done = 0; done < size;) {
        const ssize_t count = ::read(file, bytes.data() + done, size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return Error{ErrorCode::Io, count < 0 ? systemError() : "changed while it was being read", ""};
        done += static_cast<std::size_t>(count);
    }
    return bytes;
}

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

int hexDigit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

} // namespace

std::string percentDecoded(std::string_view text)
{
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hexDigit(text[i + 1]) : -1;
        const int low = high >= 0 ? hexDigit(text[i + 2]) : -1;
        if (low >= 0) {
            decoded += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            decoded += text[i];
        }
    }
    return decoded;
}

Result<ModelFolder> ModelFolder::open(const std::string& path)
{
    ModelFolder folder;
    const std::size_t slash = path.rfind('/');
    folder.m_fileName = slash == std::string::npos ? path : path.substr(slash + 1);
    folder.m_folder = realPath(slash == std::string::npos ? "." : path.substr(0, slash + 1));
    auto bytes = readPlainFile(path, limits::kFileBytes);
    if (!bytes) return bytes.error();
    folder.m_bytes = std::move(*bytes);
    folder.m_bytesRead = folder.m_bytes.size();
    return folder;
}

ModelFolder ModelFolder::fromBytes(std::string name, std::vector<std::uint8_t> bytes)
{
    ModelFolder folder;
    folder.m_fileName = std::move(name);
    folder.m_bytes = std::move(bytes);
    return folder;
}

Result<std::vector<std::uint8_t>> ModelFolder::read(std::string_view uri)
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
    auto bytes = readPlainFile(real, limits::kFileBytes - std::min(limits::kFileBytes, m_bytesRead));
    if (!bytes) return refused(bytes.error().message);
    m_bytesRead += bytes->size();
    return bytes;
}

} // namespace tendon

#include "core/io/model/ModelFolder.h"

#include <cerrno>
#include <cstring>

#include <sys/types.h>

namespace tendon {
namespace {

Result<std::vector<std::uint8_t>> readWhole(const Descriptor& file)
{
    const off_t size = ::lseek(file.get(), 0, SEEK_END);
    if (size < 0 || ::lseek(file.get(), 0, SEEK_SET) != 0) return Error{ErrorCode::Io, std::strerror(errno), ""};
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count = ::read(file.get(), bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0)
            return Error{ErrorCode::Io, count < 0 ? std::strerror(errno) : "changed while it was being read", ""};
        done += static_cast<std::size_t>(count);
    }
    return bytes;
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

Result<ModelFolder> ModelFolder::read(std::string fileName, const Descriptor& file, OpenCompanion open)
{
    auto bytes = readWhole(file);
    if (!bytes) return bytes.error();
    ModelFolder folder;
    folder.m_fileName = std::move(fileName);
    folder.m_bytes = std::move(*bytes);
    folder.m_open = std::move(open);
    return folder;
}

Result<std::vector<std::uint8_t>> ModelFolder::read(std::string_view uri)
{
    const auto file = m_open(uri);
    if (!file) return file.error();
    auto bytes = readWhole(*file);
    if (!bytes)
        return Error{ErrorCode::InvalidArgument, "its file \"" + percentDecoded(uri) + "\" " + bytes.error().message,
                     ""};
    return bytes;
}

} // namespace tendon

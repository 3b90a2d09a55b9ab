#include "core/io/base/Files.h"

#include "core/io/base/FileStage.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

namespace tendon {

Result<std::string> readFile(const std::string& path, std::int64_t maxBytes)
{
    const QString name = QString::fromStdString(path);
    const QFileInfo info(name);
    if (!info.exists()) return Error{ErrorCode::NotFound, "there is no such file", path};
    if (!info.isFile()) return Error{ErrorCode::Io, "is not a file", path};
    if (info.size() > maxBytes)
        return Error{ErrorCode::LimitExceeded,
                     "is too large: " + std::to_string(info.size()) + " bytes, at most " + std::to_string(maxBytes) +
                         " are read",
                     path};
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Io, "cannot be read: " + file.errorString().toStdString(), path};
    std::string bytes(static_cast<std::size_t>(info.size()), '\0');
    const qint64 count = file.read(bytes.data(), info.size());
    if (count != info.size()) return Error{ErrorCode::Io, "cannot be read: " + file.errorString().toStdString(), path};
    return bytes;
}

Result<void> writePlainFile(const std::string& path, std::string_view bytes)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool isWritten = file >= 0;
    while (isWritten && !bytes.empty()) {
        const ssize_t count = ::write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        isWritten = count > 0;
        if (isWritten) bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    std::string why = isWritten ? "" : std::strerror(errno);
    if (file >= 0 && ::close(file) != 0 && isWritten) why = std::strerror(errno);
    if (!why.empty()) return Error{ErrorCode::Io, "cannot be written: " + why, path};
    return {};
}

Result<void> writeFile(const std::string& path, std::string_view bytes)
{
    FileStage stage;
    if (const auto staged = stage.write(path, [&](const std::string& file) { return writePlainFile(file, bytes); });
        !staged)
        return Error{staged.error().code, staged.error().message, path};
    return stage.commit();
}

bool isSameFile(const std::string& a, const std::string& b)
{
    std::error_code code;
    return std::filesystem::equivalent(a, b, code) && !code;
}

std::string sha256(std::string_view bytes)
{
    const QByteArrayView view(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return QCryptographicHash::hash(view, QCryptographicHash::Sha256).toHex().toStdString();
}

} // namespace tendon

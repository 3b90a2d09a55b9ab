#include "core/io/base/Files.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

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

Result<void> writeFile(const std::string& path, std::string_view bytes)
{
    QSaveFile file(QString::fromStdString(path));
    const auto failed = [&] {
        return Error{ErrorCode::Io, "cannot be written: " + file.errorString().toStdString(), path};
    };
    if (!file.open(QIODevice::WriteOnly)) return failed();
    if (file.write(bytes.data(), static_cast<qint64>(bytes.size())) != static_cast<qint64>(bytes.size()))
        return failed();
    if (!file.commit()) return failed();
    return {};
}

bool isSameFile(const std::string& a, const std::string& b)
{
    const QString first = QFileInfo(QString::fromStdString(a)).canonicalFilePath();
    return !first.isEmpty() && first == QFileInfo(QString::fromStdString(b)).canonicalFilePath();
}

std::string sha256(std::string_view bytes)
{
    const QByteArrayView view(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return QCryptographicHash::hash(view, QCryptographicHash::Sha256).toHex().toStdString();
}

} // namespace tendon

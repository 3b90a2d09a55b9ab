#include "core/io/base/FileSet.h"

#include "core/io/base/Files.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>
#include <memory>

namespace tendon {

namespace {

bool hasContent(const QString& path, const std::vector<std::uint8_t>& bytes)
{
    const auto known = readFile(path.toStdString());
    return known && known->size() == bytes.size() &&
           std::equal(bytes.begin(), bytes.end(), known->begin(),
                      [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); });
}

} // namespace

Result<void> checkFilesBeside(const std::string& folder, const std::vector<OutputFile>& files,
                              const std::vector<std::string>& mayReplace)
{
    const QDir base(QString::fromStdString(folder));
    for (const OutputFile& file : files) {
        const QString path = base.filePath(QString::fromStdString(file.name));
        if (&file != &files.back() && QFileInfo::exists(path) && !hasContent(path, file.bytes) &&
            std::find(mayReplace.begin(), mayReplace.end(), file.name) == mayReplace.end())
            return Error{ErrorCode::Io, "already exists with other content; choose another folder or name",
                         path.toStdString()};
    }
    return {};
}

Result<std::int64_t> writeFiles(const std::string& folder, const std::vector<OutputFile>& files,
                                const std::vector<std::string>& mayReplace)
{
    if (const auto free = checkFilesBeside(folder, files, mayReplace); !free) return free.error();
    const QDir base(QString::fromStdString(folder));
    std::vector<std::unique_ptr<QSaveFile>> open;
    std::vector<QString> isNew;
    std::int64_t total = 0;
    for (const OutputFile& file : files) {
        const QString path = base.filePath(QString::fromStdString(file.name));
        total += static_cast<std::int64_t>(file.bytes.size());
        if (QFileInfo::exists(path)) {
            if (&file != &files.back() && hasContent(path, file.bytes)) continue;
        } else {
            isNew.push_back(path);
        }
        if (file.name.find('/') != std::string::npos &&
            !base.mkpath(QFileInfo(QString::fromStdString(file.name)).path()))
            return Error{ErrorCode::Io, "cannot create its folder", path.toStdString()};
        auto target = std::make_unique<QSaveFile>(path);
        const auto size = static_cast<qint64>(file.bytes.size());
        if (!target->open(QIODevice::WriteOnly) ||
            target->write(reinterpret_cast<const char*>(file.bytes.data()), size) != size || !target->flush())
            return Error{ErrorCode::Io, "cannot be written: " + target->errorString().toStdString(),
                         path.toStdString()};
        open.push_back(std::move(target));
    }
    for (const auto& target : open) {
        if (target->commit()) continue;
        const Error error{ErrorCode::Io, "cannot be written: " + target->errorString().toStdString(),
                          target->fileName().toStdString()};
        for (const QString& path : isNew) QFile::remove(path);
        return error;
    }
    return total;
}

} // namespace tendon

#include "core/io/base/FileSet.h"

#include "core/io/base/Files.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

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

Result<std::int64_t> writeFiles(const std::string& folder, const std::vector<OutputFile>& files)
{
    const QDir base(QString::fromStdString(folder));
    std::int64_t total = 0;
    for (const OutputFile& file : files) {
        const QString name = QString::fromStdString(file.name);
        const std::string path = base.filePath(name).toStdString();
        if (file.name.find('/') != std::string::npos && !base.mkpath(QFileInfo(name).path()))
            return Error{ErrorCode::Io, "cannot create its folder", path};
        const std::string_view bytes(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
        if (const auto written = writePlainFile(path, bytes); !written) return written.error();
        total += static_cast<std::int64_t>(bytes.size());
    }
    return total;
}

} // namespace tendon

#include "app/editor/PoseFolder.h"

#include "core/document/PoseFile.h"

#include <QCollator>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <string>

namespace tendon::editor {

std::vector<ShelvedPose> readPoseFolder(const QString& folder, const Scene& scene, const std::atomic<bool>& cancelled)
{
    constexpr int kMostPixels = 512; // of a side: pictures are shown a few centimetres wide
    std::vector<ShelvedPose> poses;
    const QDir directory(folder);
    QStringList names = directory.entryList({QStringLiteral("*.tendonpose")}, QDir::Files);
    QCollator order{QLocale(QLocale::English)}; // "wave 9" before "wave 10"; C knows no numbers
    order.setNumericMode(true);
    std::sort(names.begin(), names.end(), [&](const QString& one, const QString& other) {
        return order.compare(QFileInfo(one).completeBaseName(), QFileInfo(other).completeBaseName()) < 0;
    });
    for (const QString& name : names) {
        if (cancelled) return {};
        ShelvedPose& pose = poses.emplace_back();
        pose.file = directory.filePath(name);
        pose.name = QFileInfo(name).completeBaseName();
        const auto stored = readPoseFile(pose.file.toStdString());
        if (!stored) {
            Error error = stored.error();
            const std::string path = pose.file.toStdString();
            if (error.where.starts_with(path)) error.where.replace(0, path.size(), name.toStdString());
            pose.problem = QString::fromStdString(error.text()).simplified();
            continue;
        }
        pose.picture = QImage::fromData(stored->thumbnail.data(), static_cast<int>(stored->thumbnail.size()), "PNG");
        if (pose.picture.width() > kMostPixels || pose.picture.height() > kMostPixels)
            pose.picture = pose.picture.scaled(kMostPixels, kMostPixels, Qt::KeepAspectRatio, Qt::SmoothTransformation);
        std::vector<std::string> missing;
        (void)poseFor(scene, *stored, missing);
        pose.joints = static_cast<int>(stored->joints.size());
        pose.foundHere = pose.joints - static_cast<int>(missing.size());
        if (pose.foundHere == 0)
            pose.problem = QCoreApplication::translate(
                               "PoseFolder", "%1: of another character; none of its joints is here by name or by role")
                               .arg(name);
    }
    return poses;
}

QString poseFileIn(const QString& folder, const QString& name)
{
    QString file = name.simplified();
    for (QChar& c : file)
        if (QStringLiteral("/\\:*?\"<>|").contains(c)) c = u'-';
    while (file.startsWith(u'.')) file.remove(0, 1); // it would be hidden
    return file.isEmpty() ? QString() : QDir(folder).filePath(file + QStringLiteral(".tendonpose"));
}

} // namespace tendon::editor

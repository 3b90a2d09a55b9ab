#include "app/editor/RecentFiles.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace tendon::editor {
namespace {

QString entryOf(const QString& path) { return RecentFiles::isSample(path) ? path : QFileInfo(path).absoluteFilePath(); }

QString pictureFolder() { return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/pictures"; }

QString pictureFile(const QString& entry)
{
    const QByteArray name = QCryptographicHash::hash(entryOf(entry).toUtf8(), QCryptographicHash::Sha1).toHex();
    return QDir(pictureFolder()).filePath(QString::fromLatin1(name) + ".png");
}

} // namespace

QStringList RecentFiles::list() { return QSettings().value("recent").toStringList(); }

void RecentFiles::add(const QString& path)
{
    QStringList files = list();
    const QString entry = entryOf(path);
    files.removeAll(entry);
    files.prepend(entry);
    while (files.size() > kCount) QFile::remove(pictureFile(files.takeLast()));
    QSettings().setValue("recent", QVariant(files));
}

void RecentFiles::clear()
{
    for (const QString& entry : list()) QFile::remove(pictureFile(entry));
    QSettings().remove("recent");
}

bool RecentFiles::isThere(const QString& entry) { return isSample(entry) || QFileInfo::exists(entry); }

QImage RecentFiles::picture(const QString& entry) { return QImage(pictureFile(entry)); }

void RecentFiles::setPicture(const QString& entry, const QImage& picture)
{
    if (picture.isNull() || !QDir().mkpath(pictureFolder())) return;
    picture.save(pictureFile(entry));
}

} // namespace tendon::editor

#include "app/editor/RecoveryFiles.h"

#include "core/io/base/FileStage.h"
#include "core/io/base/Files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>
#include <set>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tendon::editor {
namespace {

constexpr const char* kSuffix = ".recovery.tendon";

QString notesOf(const QString& copy) { return copy + ".json"; }
int numberOf(const QString& copy) { return QFileInfo(copy).fileName().section('.', 1, 1).toInt(); }

} // namespace

RecoveryLock::RecoveryLock(const QString& path)
    : m_file(::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)),
      m_isHeld(m_file >= 0 && ::flock(m_file, LOCK_EX | LOCK_NB) == 0)
{
}

RecoveryLock::~RecoveryLock()
{
    if (m_file >= 0) ::close(m_file);
}

std::vector<RecoveryFiles> RecoveryFiles::allIn(const QString& folder)
{
    std::set<QString> sessions;
    for (const QString& name : QDir(folder).entryList({QStringLiteral("*") + kSuffix + '*'}, QDir::Files))
        sessions.insert(QDir(folder).filePath(name.section('.', 0, 0)));
    return {sessions.begin(), sessions.end()};
}

std::shared_ptr<RecoveryLock> RecoveryFiles::lock() const { return std::make_shared<RecoveryLock>(lockFile()); }
QString RecoveryFiles::lockFile() const { return m_session + kSuffix + QStringLiteral(".lock"); }
QString RecoveryFiles::picture() const { return m_session + kSuffix + QStringLiteral(".png"); }
QString RecoveryFiles::copy(int number) const { return m_session + '.' + QString::number(number) + kSuffix; }

QStringList RecoveryFiles::copies() const
{
    const QFileInfo info(m_session);
    QStringList copies;
    for (const QString& name : info.dir().entryList({info.fileName() + '*' + kSuffix}, QDir::Files))
        copies << info.dir().filePath(name);
    std::sort(copies.begin(), copies.end(),
              [](const QString& a, const QString& b) { return numberOf(a) > numberOf(b); });
    return copies;
}

Result<void> RecoveryFiles::writeCopy(int number, const std::string& bytes, const QJsonObject& about, int kept) const
{
    QJsonObject notes = about;
    notes.insert("sha256", QString::fromStdString(sha256(bytes)));
    const std::string noted = QJsonDocument(notes).toJson().toStdString();
    const auto plain = [](const std::string& text) {
        return [&text](const std::string& file) {
            auto done = writePlainFile(file, text);
            QFile::setPermissions(QString::fromStdString(file), QFile::ReadOwner | QFile::WriteOwner);
            return done;
        };
    };
    FileStage stage; // both or none
    if (auto done = stage.write(notesOf(copy(number)).toStdString(), plain(noted)); !done) return done;
    if (auto done = stage.write(copy(number).toStdString(), plain(bytes)); !done) return done;
    if (auto done = stage.commit(); !done) return done;
    for (const QString& old : copies()) {
        if (numberOf(old) > number - kept) continue;
        QFile::remove(old);
        QFile::remove(notesOf(old));
    }
    return {};
}

QJsonObject RecoveryFiles::aboutCopy(const QString& copy)
{
    QFile notes(notesOf(copy));
    return notes.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(notes.readAll()).object() : QJsonObject();
}

bool RecoveryFiles::isWhole(const QString& copy)
{
    const auto bytes = readFile(copy.toStdString());
    return bytes && aboutCopy(copy).value("sha256").toString().toStdString() == sha256(*bytes);
}

void RecoveryFiles::removeAll() const
{
    const QFileInfo info(m_session);
    const QStringList names = info.dir().entryList({info.fileName() + ".*"}, QDir::Files);
    for (const QString& name : names)
        if (name != QFileInfo(lockFile()).fileName()) QFile::remove(info.dir().filePath(name));
    QFile::remove(lockFile()); // last: what it guards is gone
}

} // namespace tendon::editor

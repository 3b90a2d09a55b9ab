#include "app/editor/Recovery.h"

#include "core/io/base/Files.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QUuid>

#include <algorithm>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tendon::editor {
namespace {

constexpr const char* kSuffix = ".recovery.tendon";

QString notesOf(const QString& file) { return file + ".json"; }
QString pictureOf(const QString& file) { return file + ".png"; }
QString lockOf(const QString& file) { return file + ".lock"; }

void removeAll(const QString& file)
{
    for (const QString& part : {file, notesOf(file), pictureOf(file), lockOf(file)}) QFile::remove(part);
}

} // namespace

/// Held by one process at a time; the system lets go of it when that process ends, however it ends.
class Recovery::Lock
{
public:
    explicit Lock(const QString& path)
        : m_file(::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)),
          m_isHeld(m_file >= 0 && ::flock(m_file, LOCK_EX | LOCK_NB) == 0)
    {
    }
    ~Lock()
    {
        if (m_file >= 0) ::close(m_file);
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

    [[nodiscard]] bool isHeld() const { return m_isHeld; }

private:
    int m_file;
    bool m_isHeld;
};

Recovery::Recovery(EditorDocument& document, QString folder, QObject* parent)
    : QObject(parent), m_document(document), m_folder(std::move(folder)),
      m_file(QDir(m_folder).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces) + kSuffix))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelay);
    connect(&m_timer, &QTimer::timeout, this, &Recovery::writeLater);
    connect(&document, &EditorDocument::modifiedChanged, this, [this](bool isModified) {
        if (!isModified) remove();
    });
    connect(&document, &EditorDocument::changed, this, &Recovery::writeSoon);
}

void Recovery::writeSoon()
{
    if (isToBeWritten() && !m_timer.isActive() && (m_job == nullptr || !m_job->isRunning())) m_timer.start();
}

std::function<Result<void>()> Recovery::writer()
{
    QDir().mkpath(m_folder);
    QFile::setPermissions(m_folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    if (m_lock == nullptr) m_lock = std::make_shared<Lock>(lockOf(m_file));
    const Project project{m_document.scene(), {m_document.edit().currentClip, m_document.edit().frame}};
    const QJsonObject said{{"title", m_document.title()}, {"path", QString::fromStdString(m_document.path())}};
    QImage picture; // work is kept with or without it
    if (takePicture && (!m_pictureAge.isValid() || m_pictureAge.hasExpired(kPictureAfter))) {
        picture = takePicture();
        m_pictureAge.start();
    }
    return [file = m_file, project, said, picture]() -> Result<void> {
        const std::string notes = QJsonDocument(said).toJson().toStdString();
        if (auto written = writeFile(notesOf(file).toStdString(), notes); !written) return written;
        if (!picture.isNull()) picture.save(pictureOf(file));
        return writeProject(project, file.toStdString());
    };
}

void Recovery::settle(const Result<void>& written, std::uint64_t revision)
{
    if (written) m_writtenRevision = revision;
    if (!written && !m_isFailing)
        emit m_document.reported(
            {{Severity::Warning,
              "unsaved work is not kept for recovery: " + written.error().message + "; save the project",
              written.error().where, 0}});
    m_isFailing = !written;
}

Result<void> Recovery::writeNow()
{
    m_job.reset(); // waits: two would write the same file
    m_isUnwanted = false;
    if (!isToBeWritten()) return {};
    const auto written = writer()();
    settle(written, m_document.revision());
    return written;
}

void Recovery::writeLater()
{
    if (!isToBeWritten() || (m_job != nullptr && m_job->isRunning())) return;
    const auto result = std::make_shared<Result<void>>();
    m_isUnwanted = false;
    m_writing.start();
    m_job = std::make_unique<Job>([write = writer(), result](Job::Control&) { *result = write(); },
                                  [this, result, revision = m_document.revision()] {
                                      settle(*result, revision);
                                      if (m_isUnwanted || !m_document.isModified()) remove();
                                      m_timer.setInterval(
                                          std::max<int>(kDelay, kRest * static_cast<int>(m_writing.elapsed())));
                                      if (isToBeWritten()) m_timer.start();
                                  });
}

Recovery::~Recovery()
{
    m_job.reset();
    if (m_isUnwanted) remove();
}

void Recovery::remove()
{
    m_timer.stop();
    if (m_job != nullptr && m_job->isRunning()) m_isUnwanted = true; // removed once it is written
    if (m_lock != nullptr) removeAll(m_file);
    m_lock.reset();
    m_pictureAge.invalidate();
    m_writtenRevision = 0;
}

std::vector<Recovery::Found> Recovery::find(const QString& path) const
{
    std::vector<Found> all;
    for (const QFileInfo& info : QDir(m_folder).entryInfoList({QStringLiteral("*") + kSuffix + ".lock"}, QDir::Files))
        if (const QString file = info.filePath().chopped(5); !QFileInfo::exists(file) && Lock(info.filePath()).isHeld())
            removeAll(file); // died before its first copy
    for (const QFileInfo& info :
         QDir(m_folder).entryInfoList({QStringLiteral("*") + kSuffix}, QDir::Files, QDir::Time)) {
        auto lock = std::make_shared<Lock>(lockOf(info.filePath()));
        if (!lock->isHeld()) continue; // another window's
        QFile notes(notesOf(info.filePath()));
        const QJsonObject said = notes.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(notes.readAll()).object()
                                                                 : QJsonObject();
        const QString own = said.value("path").toString();
        all.push_back({info.filePath(), said.value("title").toString(), own, info.lastModified(),
                       own.isEmpty() ? QDateTime() : QFileInfo(own).lastModified(), QImage(pictureOf(info.filePath())),
                       std::move(lock)});
    }
    const QString wanted = QFileInfo(path).absoluteFilePath();
    std::stable_partition(all.begin(), all.end(), [&](const Found& found) {
        return !path.isEmpty() && QFileInfo(found.path).absoluteFilePath() == wanted;
    });
    return all;
}

Result<void> Recovery::recover(const Found& found)
{
    auto project = readProject(found.file.toStdString());
    if (!project) return project.error();
    m_document.adopt(std::move(*project), found.path.toStdString(), found.title);
    (void)m_document.change([](Document& document) {
        document.history.markUnsaved();
        return Result<void>{};
    });
    if (auto written = writeNow(); !written) return written;
    discard(found);
    return {};
}

void Recovery::discard(const Found& found) { removeAll(found.file); }

} // namespace tendon::editor

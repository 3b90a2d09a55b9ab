#include "app/editor/Recovery.h"

#include "core/io/base/Files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>
#include <csignal>

namespace tendon::editor {
namespace {

constexpr const char* kSuffix = ".recovery.tendon";

QString notesOf(const QString& file) { return file + ".json"; }
QString pictureOf(const QString& file) { return file + ".png"; }

void removeAll(const QString& file)
{
    for (const QString& part : {file, notesOf(file), pictureOf(file)}) QFile::remove(part);
}

/// Work that one would not want to do again: an import, a bake.
bool isBig(const ChangeSet& changes, const Scene& scene)
{
    return changes.isModelChanged || std::any_of(scene.clips.begin(), scene.clips.end(), [&](const auto& clip) {
               return changes.has(clip->id.value, Aspect::Added) && clip->hasKeys();
           });
}

bool isRunning(qint64 process)
{
    return process > 0 && (::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM);
}

} // namespace

Recovery::Recovery(EditorDocument& document, QString folder, QObject* parent)
    : QObject(parent), m_document(document), m_folder(std::move(folder))
{
    m_timer.setInterval(kInterval * 1000);
    connect(&m_timer, &QTimer::timeout, this, [this] { writeLater(); });
    m_timer.start();
    connect(&document, &EditorDocument::modifiedChanged, this, [this](bool isModified) {
        if (!isModified) remove();
    });
    connect(&document, &EditorDocument::changed, this, [this](const ChangeSet& changes) {
        if (isBig(changes, m_document.scene()))
            QMetaObject::invokeMethod(
                this, [this] { writeLater(); }, Qt::QueuedConnection);
    });
}

QString Recovery::ownFile() const
{
    return QDir(m_folder).filePath(QString::number(QCoreApplication::applicationPid()) + kSuffix);
}

std::function<Result<void>()> Recovery::writer() const
{
    const QString file = ownFile();
    const Project project{m_document.scene(), {m_document.edit().currentClip, m_document.edit().frame}};
    const QJsonObject said{{"title", m_document.title()},
                           {"path", QString::fromStdString(m_document.path())},
                           {"process", QCoreApplication::applicationPid()}};
    const QImage picture = takePicture ? takePicture() : QImage(); // work is kept with or without it
    return [folder = m_folder, file, project, said, picture]() -> Result<void> {
        QDir().mkpath(folder);
        if (auto written = writeProject(project, file.toStdString()); !written) return written;
        const std::string notes = QJsonDocument(said).toJson().toStdString();
        if (auto written = writeFile(notesOf(file).toStdString(), notes); !written) return written;
        if (!picture.isNull()) picture.save(pictureOf(file));
        return {};
    };
}

Result<void> Recovery::writeNow()
{
    m_job.reset(); // waits: two would write the same file
    m_writing = Writing::Wanted;
    if (!isToBeWritten()) return {};
    const auto written = writer()();
    if (written) m_writtenRevision = m_document.revision();
    return written;
}

void Recovery::writeLater()
{
    if (!isToBeWritten() || (m_job != nullptr && m_job->isRunning())) return;
    const auto result = std::make_shared<Result<void>>();
    m_writing = Writing::Wanted;
    m_job = std::make_unique<Job>([write = writer(), result](Job::Control&) { *result = write(); },
                                  [this, result, revision = m_document.revision()] {
                                      if (*result) m_writtenRevision = revision;
                                      if (m_writing == Writing::Unwanted || !m_document.isModified()) remove();
                                  });
}

Recovery::~Recovery()
{
    m_job.reset();
    if (m_writing == Writing::Unwanted) remove();
}

void Recovery::remove()
{
    if (m_job != nullptr && m_job->isRunning()) m_writing = Writing::Unwanted; // removed once it is written
    removeAll(ownFile());
    m_writtenRevision = 0;
}

std::optional<Recovery::Found> Recovery::find() const
{
    for (const QFileInfo& info :
         QDir(m_folder).entryInfoList({QStringLiteral("*") + kSuffix}, QDir::Files, QDir::Time)) {
        QFile notes(notesOf(info.filePath()));
        const QJsonObject said = notes.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(notes.readAll()).object()
                                                                 : QJsonObject();
        if (isRunning(said.value("process").toInteger())) continue; // another window's
        return Found{info.filePath(), said.value("title").toString(), said.value("path").toString(),
                     info.lastModified(), QImage(pictureOf(info.filePath()))};
    }
    return std::nullopt;
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

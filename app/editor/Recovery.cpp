#include "app/editor/Recovery.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>

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

bool isRunning(qint64 process) { return process > 0 && (::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM); }

} // namespace

Recovery::Recovery(EditorDocument& document, QString folder, QObject* parent)
    : QObject(parent), m_document(document), m_folder(std::move(folder))
{
    m_timer.setInterval(kInterval * 1000);
    connect(&m_timer, &QTimer::timeout, this, [this] { (void)writeNow(); });
    m_timer.start();
    connect(&document, &EditorDocument::modifiedChanged, this, [this](bool isModified) {
        if (!isModified) remove();
    });
    connect(&document, &EditorDocument::recordedOperation, this, [this](const QJsonObject& operation) {
        static const QStringList big = {"import", "importClip", "bakeClip"};
        if (big.contains(operation.value("op").toString()))
            QMetaObject::invokeMethod(this, [this] { (void)writeNow(); }, Qt::QueuedConnection);
    });
}

QString Recovery::ownFile() const { return QDir(m_folder).filePath(QString::number(QCoreApplication::applicationPid()) + kSuffix); }

Result<void> Recovery::writeNow()
{
    if (!m_document.isModified() || m_document.revision() == m_writtenRevision) return {};
    QDir().mkpath(m_folder);
    const QString file = ownFile();
    Project project{m_document.scene(), {m_document.edit().currentClip, m_document.edit().frame}};
    if (auto written = writeProject(project, file.toStdString()); !written) return written;
    QSaveFile notes(notesOf(file));
    if (!notes.open(QIODevice::WriteOnly)) return Error{ErrorCode::Io, notes.errorString().toStdString(), file.toStdString()};
    const QJsonObject said{{"title", m_document.title()},
                           {"path", QString::fromStdString(m_document.path())},
                           {"process", QCoreApplication::applicationPid()}};
    notes.write(QJsonDocument(said).toJson());
    if (!notes.commit()) return Error{ErrorCode::Io, notes.errorString().toStdString(), file.toStdString()};
    if (takePicture) takePicture().save(pictureOf(file)); // work is kept with or without it
    m_writtenRevision = m_document.revision();
    return {};
}

void Recovery::remove()
{
    removeAll(ownFile());
    m_writtenRevision = 0;
}

std::optional<Recovery::Found> Recovery::find() const
{
    for (const QFileInfo& info : QDir(m_folder).entryInfoList({QStringLiteral("*") + kSuffix}, QDir::Files, QDir::Time)) {
        QFile notes(notesOf(info.filePath()));
        const QJsonObject said = notes.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(notes.readAll()).object() : QJsonObject();
        if (isRunning(said.value("process").toInteger())) continue; // another window's
        return Found{info.filePath(), said.value("title").toString(), said.value("path").toString(), info.lastModified(),
                     QImage(pictureOf(info.filePath()))};
    }
    return std::nullopt;
}

Result<void> Recovery::recover(const Found& found)
{
    auto project = readProject(found.file.toStdString());
    if (!project) return project.error();
    m_document.adopt(std::move(*project), found.path.toStdString(), found.title, true);
    if (auto written = writeNow(); !written) return written;
    discard(found);
    return {};
}

void Recovery::discard(const Found& found)
{
    removeAll(found.file);
}

} // namespace tendon::editor

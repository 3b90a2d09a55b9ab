#include "app/editor/DocumentFile.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

namespace tendon::editor {

DocumentFile::DocumentFile(EditorDocument& document, QObject* parent) : QObject(parent), m_document(document)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelay);
    connect(&m_timer, &QTimer::timeout, this, &DocumentFile::look);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_timer, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_timer, qOverload<>(&QTimer::start));
    connect(&document, &EditorDocument::replaced, this, &DocumentFile::noteWritten);
    connect(&document, &EditorDocument::recordedOperation, this, [this](const QJsonObject& operation) {
        if (operation.value("op").toString() == QLatin1StringView("save")) noteWritten();
    });
    connect(&document, &EditorDocument::modifiedChanged, this, &DocumentFile::follow);
}

std::optional<DocumentOwner> DocumentFile::otherOwner() const { return m_lock ? m_lock->other() : std::nullopt; }

DocumentFile::Stamp DocumentFile::stampOf(const QString& path)
{
    constexpr qint64 kMaxHashed = 32 << 20; // [bytes] about 0.1 s
    const QFileInfo info(path);
    if (path.isEmpty() || !info.isFile()) return {};
    Stamp stamp{info.size(), info.lastModified(), {}};
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (stamp.size <= kMaxHashed && file.open(QIODevice::ReadOnly) && hash.addData(&file)) stamp.hash = hash.result();
    return stamp;
}

bool DocumentFile::isOther(const Stamp& stamp) const
{
    if (stamp.size < 0) return false;
    return stamp.hash.isEmpty() || m_known.hash.isEmpty() ? !(stamp == m_known) : stamp.hash != m_known.hash;
}

bool DocumentFile::isChangedOnDisk() const { return !m_path.isEmpty() && isOther(stampOf(m_path)); }

void DocumentFile::follow()
{
    const QString path = QString::fromStdString(m_document.path());
    if (path == m_path) return;
    m_path = path;
    m_lock.reset(); // before another of the same file is taken under another name
    if (!path.isEmpty()) m_lock = std::make_unique<DocumentLock>(path.toStdString());
    if (otherOwner()) emit openedElsewhere();
}

void DocumentFile::noteWritten()
{
    follow();
    acceptDisk();
    m_reported.reset();
    const QStringList before = m_watcher.files() + m_watcher.directories();
    if (!before.isEmpty()) m_watcher.removePaths(before);
    // A file that is replaced is a new file, which only its folder tells.
    if (!m_path.isEmpty()) m_watcher.addPaths({m_path, QFileInfo(m_path).path()});
}

void DocumentFile::look()
{
    if (m_path.isEmpty()) return;
    if (m_pauses > 0) return m_timer.start();
    if (!m_watcher.files().contains(m_path) && QFileInfo::exists(m_path)) m_watcher.addPath(m_path);
    const QFileInfo info(m_path);
    if (info.size() == m_known.size && info.lastModified() == m_known.modified) return; // another file of the folder
    const Stamp now = stampOf(m_path);
    if (!isOther(now) || m_reported == now) return;
    m_reported = now;
    emit changedOnDisk();
}

} // namespace tendon::editor

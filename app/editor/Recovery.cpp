#include "app/editor/Recovery.h"

#include "app/editor/PosedJson.h"
#include "core/document/Document.h"

#include <QDir>
#include <QFileInfo>
#include <QUuid>

#include <algorithm>
#include <utility>

namespace tendon::editor {

Recovery::Recovery(EditorDocument& document, QString folder, QObject* parent)
    : QObject(parent), m_document(document), m_folder(std::move(folder)),
      m_files(QDir(m_folder).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces)))
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &Recovery::writeLater);
    connect(&document, &EditorDocument::modifiedChanged, this, [this](bool isModified) {
        if (!isModified) remove();
    });
    connect(&document, &EditorDocument::changed, this, &Recovery::writeSoon);
    connect(&document, &EditorDocument::editChanged, this, [this] { // another frame alone is nothing to write
        if (std::exchange(m_posed, m_document.edit().pending) != m_posed) writeSoon();
    });
}

void Recovery::setDelay(int milliseconds)
{
    m_delay = std::max(kDelay, milliseconds);
    m_timer.stop();
    writeSoon();
}

void Recovery::writeSoon()
{
    if (!isToBeWritten()) return;
    if (!m_oldest.isValid()) m_oldest.start();
    if (m_timer.isActive() || (m_job != nullptr && m_job->isRunning())) return;
    // In time, even if this copy takes twice as long as others have. Further edits move nothing.
    const qint64 wait = std::clamp<qint64>(kMostBehind - kDelay + m_delay - 2 * m_cost, 0, m_delay);
    m_timer.start(static_cast<int>(std::max<qint64>(0, wait - m_oldest.elapsed())));
}

std::function<Result<void>()> Recovery::writer()
{
    QDir().mkpath(m_folder);
    QFile::setPermissions(m_folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    if (m_lock == nullptr) m_lock = m_files.lock();
    const Project project{
        m_document.scene(),
        {m_document.edit().currentClip, m_document.edit().frame, m_document.edit().camera, m_document.edit().layer}};
    const QJsonObject about{{"title", m_document.title()},
                            {"path", QString::fromStdString(m_document.path())},
                            {"posed", posedToJson(m_document.edit().pending)}};
    QImage picture; // work is kept with or without it
    if (takePicture && (!m_pictureAge.isValid() || m_pictureAge.hasExpired(kPictureAfter))) {
        picture = takePicture();
        if (!picture.isNull()) m_pictureAge.start();
    }
    return [files = m_files, number = ++m_lastCopy, project, about, picture]() -> Result<void> {
        const auto bytes = projectBytes(project, files.copy(number).toStdString());
        if (!bytes) return bytes.error();
        if (auto written = files.writeCopy(number, *bytes, about, kCopies); !written) return written;
        if (!picture.isNull()) picture.save(files.picture());
        return {};
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
    if (written) m_oldest.invalidate();
    settle(written, m_document.revision());
    return written;
}

void Recovery::writeLater()
{
    if (!isToBeWritten() || (m_job != nullptr && m_job->isRunning())) return;
    const auto result = std::make_shared<Result<void>>();
    m_isUnwanted = false;
    m_writing.start();
    m_oldest.invalidate(); // further edits are for the next copy
    m_job = std::make_unique<Job>([write = writer(), result](Job::Control&) { *result = write(); },
                                  [this, result, revision = m_document.revision()] {
                                      m_cost = std::max(m_writing.elapsed(), m_cost / 2);
                                      settle(*result, revision);
                                      if (m_isUnwanted || !m_document.isModified()) remove();
                                      writeSoon();
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
    if (m_lock != nullptr) m_files.removeAll();
    m_lock.reset();
    m_pictureAge.invalidate();
    m_oldest.invalidate();
    m_writtenRevision = 0;
}

std::vector<Recovery::Found> Recovery::find(const QString& path) const
{
    std::vector<Found> all;
    for (const RecoveryFiles& files : RecoveryFiles::allIn(m_folder)) {
        Found found;
        found.files = files;
        found.lock = files.lock();
        if (!found.lock->isHeld()) continue; // another window's
        found.copies = files.copies();
        if (found.copies.isEmpty()) {
            files.removeAll(); // died before its first copy
            continue;
        }
        const auto whole = std::find_if(found.copies.cbegin(), found.copies.cend(), RecoveryFiles::isWhole);
        if (whole != found.copies.cend()) { // else recover() may still be able to read one
            found.damaged = static_cast<int>(whole - found.copies.cbegin());
            found.copies = found.copies.mid(found.damaged);
        }
        const QJsonObject about = RecoveryFiles::aboutCopy(found.copies.front());
        found.title = about.value("title").toString();
        found.path = about.value("path").toString();
        found.when = QFileInfo(found.copies.front()).lastModified();
        if (!found.path.isEmpty()) found.saved = QFileInfo(found.path).lastModified();
        found.picture = QImage(files.picture());
        all.push_back(std::move(found));
    }
    const QString wanted = QFileInfo(path).absoluteFilePath();
    const auto isWanted = [&](const Found& found) {
        return !path.isEmpty() && QFileInfo(found.path).absoluteFilePath() == wanted;
    };
    std::sort(all.begin(), all.end(), [&](const Found& a, const Found& b) {
        return isWanted(a) != isWanted(b) ? isWanted(a) : a.when > b.when;
    });
    return all;
}

Result<void> Recovery::recover(const Found& found)
{
    std::optional<Result<Project>> project;
    std::string broken;
    int skipped = found.damaged;
    for (const QString& copy : found.copies) {
        project = readProject(copy.toStdString());
        if (*project) break;
        if (broken.empty()) broken = project->error().message;
        ++skipped;
    }
    if (!project || !*project) return project ? project->error() : Error{ErrorCode::NotFound, "no copy is left", ""};
    const QDateTime when = QFileInfo(found.copies[skipped - found.damaged]).lastModified();
    m_document.adopt(std::move(**project), found.path.toStdString(), found.title);
    const QJsonObject about = RecoveryFiles::aboutCopy(found.copies[skipped - found.damaged]);
    (void)m_document.change([&about](Document& document) {
        document.edit.pending = posedFromJson(about.value("posed").toArray());
        pruneEditState(document.scene(), document.edit);
        document.history.push(versionOf(document.scene(), document.edit), "Recover the pose");
        document.history.markUnsaved();
        return Result<void>{};
    });
    if (skipped > 0)
        emit m_document.reported(
            {{Severity::Warning,
              "the newest recovery copy is damaged" + (broken.empty() ? "" : " (" + broken + ")") +
                  "; this is the one of " + when.toString("HH:mm:ss").toStdString() + ". Check your last changes",
              found.title.toStdString(), 0}});
    m_pictureAge.start(); // the view still shows what was there before: the picture that was found is the document's
    if (auto written = writeNow(); !written) return written;
    if (!found.picture.isNull()) found.picture.save(m_files.picture());
    discard(found);
    return {};
}

void Recovery::discard(const Found& found) { found.files.removeAll(); }

} // namespace tendon::editor

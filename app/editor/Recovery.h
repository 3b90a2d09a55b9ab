#pragma once

#include "app/editor/EditorDocument.h"
#include "app/editor/Job.h"
#include "app/editor/RecoveryFiles.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QImage>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tendon::editor {

/// While the document is modified, writes recovery copies of it: no edit is older than kMostBehind and in none of them
/// (where a copy takes longer than a third of that to write, than three such times). Each copy is a new file, so the
/// kCopies newest stay whole whatever happens to the next one; a pose that is not keyed is in them. They are removed
/// when the document is saved or closed. Copies belong to the process that holds their lock, never to a process number:
/// what a dead process has left is found by any later one, in another container, too. GUI thread.
class Recovery : public QObject
{
    Q_OBJECT
public:
    static constexpr int kMostBehind = 2000;    ///< [ms] from an edit to the end of the copy that has it
    static constexpr int kDelay = 800;          ///< [ms] that edits are gathered for one copy, if there is time
    static constexpr int kCopies = 5;           ///< older ones are removed
    static constexpr int kPictureAfter = 60000; ///< [ms] the picture is not taken anew before

    /// The copies of one document.
    struct Found
    {
        RecoveryFiles files;
        QStringList copies; ///< the files, the newest first
        int damaged = 0;    ///< how many newer copies are not as they were written; they are not in `copies`
        QString title;      ///< of the document
        QString path;       ///< of the document's own file; "" = it was not saved yet
        QDateTime when;     ///< when the newest of `copies` was written
        QDateTime saved;    ///< when the document's own file was written last; invalid = it is not there
        QImage picture;     ///< of the model; null = none
        std::shared_ptr<RecoveryLock> lock;

        [[nodiscard]] bool isOlderThanFile() const { return saved.isValid() && saved > when; }
    };

    /// Files go to `folder`, which is created when needed. `document` outlives this.
    Recovery(EditorDocument& document, QString folder, QObject* parent = nullptr);
    ~Recovery() override;

    /// What processes that are no more have left, of the document at `path` first, then the newest first.
    [[nodiscard]] std::vector<Found> find(const QString& path = {}) const;
    /// Opens the newest copy that can be read, as modified; where it is not the newest of all, that is reported. The
    /// work stays in a recovery copy until the document is saved. Error: no copy can be read; then all stay.
    Result<void> recover(const Found& found);
    void discard(const Found& found);

    /// How long after a change the copy that has it is written. [ms]
    void setDelay(int milliseconds);

    /// Takes the picture of the document that is written with the copy. Null, or unset: no picture is written.
    std::function<QImage()> takePicture = {};

    Result<void> writeNow();
    void remove(); ///< removes the copies of this process

private:
    void writeLater(); ///< in another thread, once a picture was taken
    void writeSoon();  ///< by the deadline of the oldest edit that no copy has
    void settle(const Result<void>& written, std::uint64_t revision);
    [[nodiscard]] bool isToBeWritten() const
    {
        return m_document.isModified() && m_document.revision() != m_writtenRevision;
    }
    /// A function that writes the document as it is now, as a new copy; any thread may call it.
    [[nodiscard]] std::function<Result<void>()> writer();

    EditorDocument& m_document;
    QString m_folder;
    RecoveryFiles m_files; ///< of this process
    int m_lastCopy = 0;    ///< its number
    std::shared_ptr<RecoveryLock> m_lock;
    QTimer m_timer;
    int m_delay = kDelay; ///< [ms] that edits are gathered for one copy
    QElapsedTimer m_pictureAge;
    QElapsedTimer m_oldest;  ///< since the oldest edit that neither a copy nor m_job has; invalid = there is none
    QElapsedTimer m_writing; ///< since m_job was asked to write
    qint64 m_cost = 0;       ///< [ms] of a copy lately, from asking for it to its end
    std::uint64_t m_writtenRevision = 0;
    PendingValues m_posed; ///< when that was looked at last
    std::unique_ptr<Job> m_job;
    bool m_isFailing = false;  ///< the last copy could not be written, which was said
    bool m_isUnwanted = false; ///< the copy that m_job writes
};

} // namespace tendon::editor

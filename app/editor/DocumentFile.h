#pragma once

#include "app/editor/EditorDocument.h"
#include "core/io/base/DocumentLock.h"

#include <QByteArray>
#include <QDateTime>
#include <QFileSystemWatcher>
#include <QTimer>

#include <memory>
#include <optional>

namespace tendon::editor {

/// What happens around the file of the open document while it is open: others are told who has it (DocumentLock), and
/// it is noticed when another program changes it. GUI thread.
class DocumentFile : public QObject
{
    Q_OBJECT
public:
    static constexpr int kDelay = 200; ///< [ms] after a change on disk, which may come in several steps

    /// `document` outlives this.
    explicit DocumentFile(EditorDocument& document, QObject* parent = nullptr);

    /// Who else had the file open when the document was opened; none = nobody.
    [[nodiscard]] std::optional<DocumentOwner> otherOwner() const;

    /// Whether the file is another than the document was read from or saved to. One that is gone is not.
    [[nodiscard]] bool isChangedOnDisk() const;
    /// From now on the file as it is counts as known: the user has decided about it.
    void acceptDisk() { m_known = stampOf(m_path); }

    /// While one lives, changes are not looked at: our own write is on its way.
    class Pause
    {
    public:
        explicit Pause(DocumentFile& file) : m_file(file) { ++m_file.m_pauses; }
        ~Pause() { --m_file.m_pauses; }
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;

    private:
        DocumentFile& m_file;
    };

signals:
    void openedElsewhere(); ///< the document that was opened has an otherOwner()
    void changedOnDisk();   ///< once for each change

private:
    /// Enough to tell two states of a file apart.
    struct Stamp
    {
        qint64 size = -1; ///< -1 = not there
        QDateTime modified;
        QByteArray hash; ///< empty for files so large that hashing would be felt
        bool operator==(const Stamp&) const = default;
    };
    [[nodiscard]] static Stamp stampOf(const QString& path);
    [[nodiscard]] bool isOther(const Stamp& stamp) const;

    void follow();      ///< the document's path
    void noteWritten(); ///< the document was read from its file or saved to it
    void look();

    EditorDocument& m_document;
    QString m_path; ///< "" = none
    std::unique_ptr<DocumentLock> m_lock;
    QFileSystemWatcher m_watcher;
    QTimer m_timer;
    Stamp m_known;
    std::optional<Stamp> m_reported; ///< the change that was last told
    int m_pauses = 0;
};

} // namespace tendon::editor

#pragma once

#include "app/editor/EditorDocument.h"
#include "app/editor/Job.h"

#include <QDateTime>
#include <QImage>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace tendon::editor {

/// Keeps unsaved work in a file of its own: every two minutes, after big steps (imports, bakes), while the document is
/// modified; gone when it is saved or closed. What a crash leaves is offered at the next start.
class Recovery : public QObject
{
    Q_OBJECT
public:
    static constexpr int kInterval = 120; // [s]

    struct Found
    {
        QString file;  ///< the recovery file
        QString title; ///< of the document it was
        QString path;  ///< where that stood, "" = nowhere
        QDateTime when;
        QImage picture; ///< of the model then; null = there is none
    };

    /// Files go to `folder` (made when needed). `document` outlives this.
    Recovery(EditorDocument& document, QString folder, QObject* parent = nullptr);
    ~Recovery() override;

    /// The newest file that another run has left, none when there is none.
    [[nodiscard]] std::optional<Found> find() const;
    /// Opens what was found, as modified; the file stays until the document is saved.
    Result<void> recover(const Found& found);
    void discard(const Found& found);

    /// Makes the picture that is kept with each file; unset: none is.
    std::function<QImage()> takePicture = {};

    Result<void> writeNow();
    void writeLater(); ///< in another thread; picture first
    void remove();     ///< this run's own file

private:
    [[nodiscard]] QString ownFile() const;
    [[nodiscard]] bool isToBeWritten() const
    {
        return m_document.isModified() && m_document.revision() != m_writtenRevision;
    }
    /// Writes everything there is, in any thread.
    [[nodiscard]] std::function<Result<void>()> writer() const;

    EditorDocument& m_document;
    QString m_folder;
    QTimer m_timer;
    std::uint64_t m_writtenRevision = 0;
    std::unique_ptr<Job> m_job;
    bool m_isUnwanted = false; ///< what m_job writes
};

} // namespace tendon::editor

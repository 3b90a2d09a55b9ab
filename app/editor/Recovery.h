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

/// While the document is modified, saves it to a recovery file: every two minutes and after big steps (imports, bakes).
/// The file is removed when the document is saved or closed. What a crash leaves is offered at the next start. GUI
/// thread.
class Recovery : public QObject
{
    Q_OBJECT
public:
    static constexpr int kInterval = 120; // [s]

    struct Found
    {
        QString file;  ///< the recovery file
        QString title; ///< of the document
        QString path;  ///< of the document's own file; "" = it was not saved yet
        QDateTime when;
        QImage picture; ///< of the model; null = none
    };

    /// Files go to `folder`, which is created when needed. `document` outlives this.
    Recovery(EditorDocument& document, QString folder, QObject* parent = nullptr);
    ~Recovery() override;

    /// The newest file that another run has left; none if there is none.
    [[nodiscard]] std::optional<Found> find() const;
    /// Opens what was found, as modified. The work stays in a recovery file until the document is saved.
    Result<void> recover(const Found& found);
    void discard(const Found& found);

    /// Takes the picture that is written with each file. Unset: no picture is written.
    std::function<QImage()> takePicture = {};

    Result<void> writeNow();
    void writeLater(); ///< in another thread, after the picture was taken
    void remove();     ///< removes the file of this run

private:
    [[nodiscard]] QString ownFile() const;
    [[nodiscard]] bool isToBeWritten() const
    {
        return m_document.isModified() && m_document.revision() != m_writtenRevision;
    }
    /// A function that writes the document as it is now; any thread may call it.
    [[nodiscard]] std::function<Result<void>()> writer() const;

    EditorDocument& m_document;
    QString m_folder;
    QTimer m_timer;
    std::uint64_t m_writtenRevision = 0;
    std::unique_ptr<Job> m_job;
    enum class Writing { Wanted, Unwanted } m_writing = Writing::Wanted; ///< the file that m_job writes
};

} // namespace tendon::editor

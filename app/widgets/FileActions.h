#pragma once

#include "app/editor/DocumentFile.h"
#include "app/editor/Editor.h"
#include "app/editor/Job.h"
#include "app/editor/Recovery.h"

#include <QImage>
#include <QJsonObject>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <memory>

class QProgressDialog;

namespace tendon::editor {

struct MotionSummary;

/// Opening, saving, importing and exporting, with their questions, as background jobs where they take long.
class FileActions : public QObject
{
    Q_OBJECT
public:
    FileActions(Editor& editor, QWidget* window);

    [[nodiscard]] Recovery& recovery() { return m_recovery; }

    /// Asks about unsaved changes; false = the user wants to stay.
    [[nodiscard]] bool mayLeave();
    /// Asks about an export or import that runs; false = the user wants it to go on.
    [[nodiscard]] bool mayStop();

    void newProject();
    void open();                        ///< by dialog
    bool openFile(const QString& path); ///< a project or a model
    bool openSample(const QString& name);
    void openRecent(const QString& entry); ///< of RecentFiles
    /// Where pictures for the list of recent files and for recovery come from.
    /// What draws a model that is about to be imported; without it there is no picture of it.
    void setModelPicture(std::function<QImage(const Scene&, QSize, double)> draw) { m_draw = std::move(draw); }
    /// What makes a model ready to be drawn, in the thread that has read it.
    void setModelPreparation(std::function<void(const Scene&)> prepare) { m_prepare = std::move(prepare); }
    void setPictureSource(std::function<QImage(QSize)> grab);
    bool save();
    bool saveAs();

    static constexpr int kDefaultBackups = 1;
    /// How many former versions a save keeps beside the project; a preference of the user.
    [[nodiscard]] static int backupCount();
    static void setBackupCount(int count);
    void import(); ///< by dialog
    /// Reads a model, and asks how to import it. A motion without a body emits motionDropped() instead where the
    /// project holds a character.
    void importFile(const QString& path);
    void offerModel(const QString& file, std::shared_ptr<ImportedModel> model); ///< asks how to import it
    void importMotion();                                                        ///< by dialog; emits motionRead()
    [[nodiscard]] bool isReading() const { return m_job != nullptr && m_job->isRunning(); } ///< or writing
    void readMotion(const QString& path);                                                   ///< emits motionRead()
    void exportAnimation();                                                                 ///< by dialog
    void exportTo(const QString& path, bool allClips);
    void exportBy(const QJsonObject& operation); ///< the operation `export`

signals:
    void exported(bool isGood);
    void imported(bool isGood);
    void motionRead(const QString& file, const std::shared_ptr<tendon::ImportedModel>& model); ///< to be retargeted
    void motionDropped(const QString& file, const std::shared_ptr<tendon::ImportedModel>& model,
                       const tendon::editor::MotionSummary& summary);

private:
    /// A job whose end `then` hears. One at a time: another one is refused, which is said. Work that does not end
    /// within kCancelPatience after it was cancelled is let go: then `left` is called instead.
    void run(const QString& what, std::function<void(Job::Control&)> work, std::function<void()> then,
             std::function<void()> left);
    void leaveIfStuck(const QString& what, const std::function<void()>& left);
    enum class Meanwhile {
        Waits,  ///< a dialog is before the window; once cancelled the work is left, as it leaves nothing
        Usable, ///< the document can be edited, and the work is waited for to its end
    };
    /// A job that is waited for while the window lives on. False: cancelled, or another one is at work.
    bool waitFor(const QString& what, std::function<void(Job::Control&)> work, Meanwhile meanwhile);
    bool write(const QString& path); ///< "" = where the project stands
    bool load(const QString& path);  ///< a project, in place of the one that is open
    /// Shows a question with these answers, of which Return chooses `usual` and Esc the last; `then` gets the index of
    /// the answer. The window waits, the program does not.
    void ask(const char* name, const QString& title, const QString& text, const QString& more,
             const QStringList& answers, int usual, std::function<void(int)> then);
    void askAboutOwner();
    void askAboutChange();
    enum class Replacing { Yes, No, Elsewhere };
    /// Whether a save may go over the file at `path`. Asks where others have changed it or have it open.
    [[nodiscard]] Replacing mayReplace(const QString& path);
    using ReadModel = std::function<void(const QString& file, std::shared_ptr<ImportedModel> model)>;
    /// Reads a model in another thread, where `look` then looks at it; `then` gets what can be read.
    void readModel(const QString& path, std::function<void(const ImportedModel&)> look, ReadModel then);
    void readAgain(const QString& file, const QJsonObject& operation, bool isNewProject);
    void take(const QJsonObject& operation, ImportedModel model, bool isNewProject);
    [[nodiscard]] bool isBusy(); ///< says so, too
    QProgressDialog* showProgress(const QString& what, std::function<double()> done, std::function<void()> cancel);
    void fail(const Error& error);
    void noteRecent(const QString& entry); ///< also takes its picture, once it is drawn

    Editor& m_editor;
    QWidget* m_window;
    Recovery m_recovery;
    DocumentFile m_file;
    std::unique_ptr<Job> m_job;
    std::vector<std::unique_ptr<Job>> m_left; ///< nobody waits for these
    bool m_isWaiting = false;                 ///< in waitFor()
    QTimer m_workTimer;                       ///< until the document's own work is worth a word
    QPointer<QProgressDialog> m_workProgress;
    std::function<QImage(QSize)> m_grab;
    std::function<QImage(const Scene&, QSize, double)> m_draw; ///< pixels, and how many stand for one of the window's
    std::function<void(const Scene&)> m_prepare;
    std::uint64_t m_firstRevision = 0; ///< of the document, as it was opened
    QString m_recent;                  ///< entry of what is open; "" = it has none
};

} // namespace tendon::editor

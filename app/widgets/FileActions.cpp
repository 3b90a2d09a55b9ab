#include "app/widgets/FileActions.h"

#include "app/editor/RecentFiles.h"
#include "app/widgets/ExportDialog.h"
#include "app/widgets/ExportReportDialog.h"
#include "app/widgets/FileFilters.h"
#include "app/widgets/ImportDialog.h"
#include "app/widgets/Preferences.h"
#include "app/widgets/retarget/MotionCard.h"
#include "core/document/ExportJob.h"
#include "core/document/MakeOperation.h"
#include "core/document/Operation.h"
#include "resources/samples/Samples.h"

#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>

namespace tendon::editor {
namespace {

const char* const kProjects = QT_TRANSLATE_NOOP("FileActions", "Tendon projects (*.tendon)");

constexpr QSize kPictureSize(192, 128);
constexpr int kPictureDelay = 1500;   // [ms] by then it is drawn
constexpr int kProgressDelay = 200;   // [ms] what is done by then needs no word
constexpr int kUsableDelay = 1000;    // [ms] the same, where the window can be used meanwhile
constexpr int kQuick = 20;            // [ms] waited for as it is
constexpr int kCancelPatience = 2000; // [ms] longer than a foreign plugin gets to end a cancelled solve
constexpr int kAskAgain = 500;        // [ms] while another question is open

bool isProject(const QString& path) { return isProjectName(path.toStdString()); }

/// Where what has no folder yet goes: not where the program happened to be started.
QString usualFolder()
{
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

/// Where the user has last opened or saved something.
QString lastFolder()
{
    const QString folder = QSettings().value("folder").toString();
    return QFileInfo(folder).isDir() ? folder : usualFolder();
}
void noteFolder(const QString& file) { QSettings().setValue("folder", QFileInfo(file).absolutePath()); }

QString recoveryFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/recovery";
}

} // namespace

FileActions::FileActions(Editor& editor, QWidget* window)
    : QObject(window), m_editor(editor), m_window(window), m_recovery(editor.document(), recoveryFolder()),
      m_file(editor.document())
{
    EditorDocument& document = editor.document();
    connect(&document, &EditorDocument::replaced, this, [this] { m_recent.clear(); });
    connect(&m_file, &DocumentFile::openedElsewhere, this, &FileActions::askAboutOwner, Qt::QueuedConnection);
    connect(&m_file, &DocumentFile::changedOnDisk, this, &FileActions::askAboutChange);
    m_workTimer.setSingleShot(true);
    m_workTimer.setInterval(kProgressDelay);
    connect(&m_workTimer, &QTimer::timeout, this, [this, &document] {
        if (m_workProgress == nullptr)
            m_workProgress = showProgress(
                tr("Solving"), [&document] { return document.work().progress(); },
                [&document] { document.work().cancel(); });
    });
    connect(&document, &EditorDocument::workChanged, this, [this](bool isWorking) {
        if (isWorking && !m_workTimer.isActive() && m_workProgress == nullptr) m_workTimer.start();
        if (isWorking) return;
        m_workTimer.stop();
        if (m_workProgress != nullptr) m_workProgress->deleteLater();
        m_workProgress = nullptr;
    });
}

void FileActions::fail(const Error& error) { m_editor.document().reportError(error); }

bool FileActions::mayLeave()
{
    if (m_isWaiting) return !isBusy(); // which says why nothing happens
    m_editor.document().gesture().end();
    if (!m_editor.document().isModified()) return true;
    QMessageBox box(m_window);
    box.setObjectName(QStringLiteral("unsaved"));
    box.setWindowTitle(tr("Unsaved changes"));
    EditorDocument& document = m_editor.document();
    box.setText(tr("%1 has unsaved changes.").arg(document.title()));
    if (document.isPosed())
        box.setInformativeText(
            tr("The pose at frame %1 is not keyed, and only keys are saved.").arg(document.edit().frame));
    auto* save = box.addButton(document.isPosed() ? tr("Key and Save") : tr("Save"), QMessageBox::AcceptRole);
    auto* discard = box.addButton(tr("Discard"), QMessageBox::DestructiveRole);
    auto* stay = box.addButton(tr("Cancel"), QMessageBox::RejectRole);
    save->setProperty("main", true);
    box.setDefaultButton(save);
    box.setEscapeButton(stay);
    box.exec();
    if (box.clickedButton() != save) return box.clickedButton() == discard;
    if (document.isPosed() && !document.apply(ops::keyPending())) return false;
    return this->save() && mayLeave(); // what was edited while it was saved is asked about, too
}

bool FileActions::mayStop()
{
    if (m_job == nullptr || !m_job->isRunning()) return true;
    QMessageBox box(m_window);
    box.setObjectName(QStringLiteral("running"));
    box.setWindowTitle(tr("File operation running"));
    box.setText(tr("A file is still being written or read."));
    box.setInformativeText(tr("If you close Tendon now, that is cancelled. A file that is not finished is not kept."));
    auto* stop = box.addButton(tr("Cancel It and Close"), QMessageBox::DestructiveRole);
    auto* stay = box.addButton(tr("Keep Going"), QMessageBox::RejectRole);
    box.setDefaultButton(stay);
    box.setEscapeButton(stay);
    connect(m_job.get(), &Job::finished, &box, &QMessageBox::reject); // what came of it is shown
    box.exec();
    return box.clickedButton() == stop;
}

void FileActions::newProject()
{
    if (!mayLeave()) return;
    Project project;
    project.scene.fps = preferences::frameRate();
    m_editor.document().adopt(std::move(project), {}, tr("Untitled"));
}

void FileActions::open()
{
    const QString path = QFileDialog::getOpenFileName(m_window, tr("Open"), lastFolder(), openFilters());
    if (!path.isEmpty()) openFile(path);
}

bool FileActions::openFile(const QString& path)
{
    if (!isProject(path)) {
        importFile(path);
        return true;
    }
    return mayLeave() && load(path);
}

bool FileActions::load(const QString& path)
{
    const std::string file = QFileInfo(path).absoluteFilePath().toStdString();
    const auto project = std::make_shared<Result<Project>>(Project{});
    const auto issues = std::make_shared<Issues>();
    const bool isRead = waitFor(
        tr("Opening %1").arg(QFileInfo(path).fileName()),
        [file, project, issues, prepare = m_prepare](Job::Control&) {
            *project = readProject(file, issues.get());
            if (*project && prepare) prepare((*project)->scene);
        },
        Meanwhile::Waits);
    if (!isRead) return false;
    if (!*project) {
        fail(project->error());
        return false;
    }
    m_editor.document().adopt(std::move(**project), file, QFileInfo(path).fileName());
    if (!issues->empty()) emit m_editor.document().reported(*issues);
    noteRecent(path);
    return true;
}

bool FileActions::openSample(const QString& name)
{
    if (!mayLeave()) return false;
    const auto project = std::make_shared<Result<Project>>(Project{});
    const SolverRegistry* solvers = &m_editor.document().solvers();
    if (!waitFor(
            tr("Opening the sample"),
            [name, project, solvers](Job::Control&) { *project = makeSample(name.toStdString(), *solvers); },
            Meanwhile::Waits))
        return false;
    if (!*project) {
        fail(project->error());
        return false;
    }
    m_editor.document().adoptSample(std::move(**project), name.toStdString());
    noteRecent("sample:" + name);
    return true;
}

void FileActions::openRecent(const QString& entry)
{
    if (RecentFiles::isSample(entry))
        openSample(entry.mid(7));
    else
        openFile(entry);
}

void FileActions::setPictureSource(std::function<QImage(QSize)> grab)
{
    m_grab = std::move(grab);
    m_recovery.takePicture = [this] {
        const FramePtr frame = m_editor.frame();
        const bool isOfDocument = frame != nullptr && frame->revision >= m_firstRevision;
        return isOfDocument ? m_grab(kPictureSize) : QImage(); // else it still is the former document's
    };
    connect(&m_editor.document(), &EditorDocument::replaced, this,
            [this] { m_firstRevision = m_editor.document().revision(); });
}

void FileActions::noteRecent(const QString& entry)
{
    if (!RecentFiles::isSample(entry)) noteFolder(entry);
    RecentFiles::add(entry);
    m_recent = entry;
    if (!m_grab) return;
    QTimer::singleShot(kPictureDelay, this, [this, entry] {
        if (m_recent == entry) RecentFiles::setPicture(entry, m_grab(kPictureSize));
    });
}

bool FileActions::save()
{
    if (m_editor.document().path().empty()) return saveAs();
    const Replacing replacing = mayReplace(QString::fromStdString(m_editor.document().path()));
    if (replacing == Replacing::Elsewhere) return saveAs();
    if (replacing == Replacing::No || !write({})) return false;
    noteRecent(QString::fromStdString(m_editor.document().path()));
    return true;
}

bool FileActions::write(const QString& path)
{
    EditorDocument& document = m_editor.document();
    document.gesture().end();
    if (const auto& camera = m_editor.view().camera) (void)document.applyNow(ops::setCamera(camera()));
    const DocumentFile::Pause pause(m_file);
    const auto copy = std::make_shared<Document>(document.copyForJob());
    if (document.isModified() || m_file.isChangedOnDisk()) copy->services.backups = backupCount();
    QJsonObject operation{{"op", "save"}};
    if (!path.isEmpty()) operation.insert("file", QFileInfo(path).absoluteFilePath());
    const auto result = std::make_shared<Result<void>>(Error{ErrorCode::Cancelled, {}, {}});
    const auto work = [copy, operation, result](Job::Control& control) {
        control.done = -1;
        copy->services.cancelled = &control.cancelled;
        *result = carryOut(*copy, operation);
    };
    const QString name = QFileInfo(path.isEmpty() ? QString::fromStdString(document.path()) : path).fileName();
    // Cancelled or not, the result says whether the file was written.
    (void)waitFor(tr("Saving %1").arg(name), work, Meanwhile::Usable);
    if (*result)
        document.noteSaved(operation, *copy);
    else if (result->error().code != ErrorCode::Cancelled)
        fail(result->error());
    return result->has_value();
}

bool FileActions::saveAs()
{
    const QString usual = m_editor.document().path().empty()
                              ? QDir(lastFolder()).filePath(m_editor.document().title() + ".tendon")
                              : QString::fromStdString(m_editor.document().path());
    QString path = QFileDialog::getSaveFileName(m_window, tr("Save project"), usual, tr(kProjects));
    if (path.isEmpty()) return false;
    if (!isProject(path)) path += ".tendon";
    const Replacing replacing = mayReplace(path);
    if (replacing == Replacing::Elsewhere) return saveAs();
    if (replacing == Replacing::No || !write(path)) return false;
    noteRecent(path);
    return true;
}

// Others at the same file

void FileActions::ask(const char* name, const QString& title, const QString& text, const QString& more,
                      const QStringList& answers, int usual, std::function<void(int)> then)
{
    auto* box = new QMessageBox(m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QLatin1StringView(name));
    box->setWindowTitle(title);
    box->setText(text);
    box->setInformativeText(more);
    QList<QAbstractButton*> buttons;
    for (const QString& answer : answers)
        buttons << box->addButton(answer, buttons.isEmpty() ? QMessageBox::AcceptRole : QMessageBox::ActionRole);
    buttons[usual]->setProperty("main", true);
    box->setDefaultButton(qobject_cast<QPushButton*>(buttons[usual]));
    box->setEscapeButton(buttons.last());
    connect(box, &QMessageBox::finished, this,
            [box, buttons, then = std::move(then)] { then(static_cast<int>(buttons.indexOf(box->clickedButton()))); });
    box->open();
}

void FileActions::askAboutOwner()
{
    const auto owner = m_file.otherOwner();
    if (!owner) return; // another document was opened meanwhile
    const QString name = m_editor.document().title();
    ask("openedElsewhere", tr("Open in another window"), tr("%1 is open in another window.").arg(name),
        tr("It was opened %1. A copy has no file yet, so both can be saved. If you open it anyway, each window asks "
           "you "
           "when the other has saved: to keep its own work or to load the other's.")
            .arg(QString::fromStdString(describe(*owner))),
        {tr("Open a Copy"), tr("Open Anyway"), tr("Close")}, 0, [this, name](int answer) {
            if (answer == 0) m_editor.document().becomeCopy(tr("Copy of %1").arg(name));
            if (answer == 2) m_editor.document().clear();
        });
}

void FileActions::askAboutChange()
{
    if (m_isWaiting || QApplication::activeModalWidget() != nullptr) { // later: one question at a time
        QTimer::singleShot(kAskAgain, this, &FileActions::askAboutChange);
        return;
    }
    if (!m_file.isChangedOnDisk()) return;
    const EditorDocument& document = m_editor.document();
    ask("changedOnDisk", tr("Changed on disk"),
        tr("%1 was changed by another program while it was open.").arg(document.title()),
        document.isModified() ? tr("If you load that version, your unsaved changes are lost.")
                              : tr("You have no unsaved changes."),
        {tr("Keep Mine"), tr("Load Theirs"), tr("Save As…"), tr("Decide Later")}, 3, [this](int answer) {
            if (answer == 0) {
                m_file.acceptDisk();
                m_editor.document().markUnsaved();
            }
            if (answer == 1) load(QString::fromStdString(m_editor.document().path()));
            if (answer == 2) saveAs();
        });
}

FileActions::Replacing FileActions::mayReplace(const QString& path)
{
    const bool isOwn = QFileInfo(path) == QFileInfo(QString::fromStdString(m_editor.document().path()));
    const auto owner = isOwn ? std::nullopt : DocumentLock::ownerOf(path.toStdString());
    if (!owner && !(isOwn && m_file.isChangedOnDisk())) return Replacing::Yes;
    const QString name = QFileInfo(path).fileName();
    QMessageBox box(m_window);
    box.setObjectName(QStringLiteral("replace"));
    box.setWindowTitle(owner ? tr("Open in another window") : tr("Changed on disk"));
    box.setText(owner ? tr("%1 is open in another window.").arg(name)
                      : tr("%1 was changed by another program since it was read or saved here.").arg(name));
    box.setInformativeText(
        owner ? tr("It was opened %1. Saving replaces the file under it.").arg(QString::fromStdString(describe(*owner)))
              : tr("Saving replaces what that program has written."));
    auto* cancel = box.addButton(tr("Cancel"), QMessageBox::RejectRole);
    auto* other = isOwn ? box.addButton(tr("Save As…"), QMessageBox::ActionRole) : nullptr;
    auto* replace = box.addButton(tr("Overwrite"), QMessageBox::DestructiveRole);
    cancel->setProperty("main", true);
    box.setDefaultButton(cancel);
    box.setEscapeButton(cancel);
    box.exec();
    if (other != nullptr && box.clickedButton() == other) return Replacing::Elsewhere;
    return box.clickedButton() == replace ? Replacing::Yes : Replacing::No;
}

int FileActions::backupCount() { return std::clamp(QSettings().value("backups", kDefaultBackups).toInt(), 0, 9); }
void FileActions::setBackupCount(int count) { QSettings().setValue("backups", count); }

void FileActions::import()
{
    const QString path = QFileDialog::getOpenFileName(m_window, tr("Import model"), lastFolder(), modelFilters());
    if (!path.isEmpty()) importFile(path);
}

void FileActions::importFile(const QString& path)
{
    const auto summary = std::make_shared<std::optional<MotionSummary>>();
    readModel(
        path,
        [summary, scene = m_editor.document().scene()](const ImportedModel& model) {
            *summary = summaryOf(model, scene);
        },
        [this, summary](const QString& file, std::shared_ptr<ImportedModel> model) {
            if (!*summary) return offerModel(file, std::move(model));
            emit motionDropped(file, model, **summary);
        });
}

void FileActions::importMotion()
{
    const QString path = QFileDialog::getOpenFileName(m_window, tr("Import motion"), lastFolder(), motionFilters());
    if (!path.isEmpty()) readMotion(path);
}

void FileActions::readMotion(const QString& path)
{
    readModel(path, {}, [this](const QString& file, std::shared_ptr<ImportedModel> model) {
        const bool isMotion = std::any_of(model->scene.clips.begin(), model->scene.clips.end(),
                                          [](const auto& clip) { return clip->hasKeys(); });
        if (!isMotion)
            return fail({ErrorCode::NotFound, tr("there is no animation in this file").toStdString(),
                         QFileInfo(file).fileName().toStdString()});
        emit motionRead(file, model);
    });
}

void FileActions::readModel(const QString& path, std::function<void(const ImportedModel&)> look, ReadModel then)
{
    noteFolder(path);
    const QString file = QFileInfo(path).absoluteFilePath();
    const auto result = std::make_shared<std::optional<Result<ImportedModel>>>();
    run(
        tr("Reading %1").arg(QFileInfo(path).fileName()),
        [file, result, prepare = m_prepare, look = std::move(look)](Job::Control& control) {
            control.done = -1;
            ImportOptions options;
            options.cancelled = &control.cancelled;
            *result = importModel(file.toStdString(), options);
            if (!**result) return;
            if (prepare) prepare((**result)->scene);
            if (look) look(***result);
        },
        [this, file, result, then = std::move(then)] {
            if (!**result) {
                if ((*result)->error().code != ErrorCode::Cancelled) fail((*result)->error());
                emit imported(false);
                return;
            }
            then(file, std::make_shared<ImportedModel>(std::move(***result)));
        },
        [this] { emit imported(false); });
}

void FileActions::offerModel(const QString& file, std::shared_ptr<ImportedModel> model)
{
    ImportDialog::Draw draw;
    if (m_draw)
        draw = [this, model](QSize pixels, double pixelRatio) { return m_draw(model->scene, pixels, pixelRatio); };
    auto* dialog = new ImportDialog(file, *model, std::move(draw), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::finished, this, [this, dialog, file, model](int answer) {
        const bool isNew = dialog->isNewProject(), isAsGuessed = dialog->isAsGuessed();
        const QJsonObject operation = dialog->operation(); // the dialog may go while questions are asked
        if (answer != QDialog::Accepted || (isNew && !mayLeave()))
            emit imported(false);
        else if (isAsGuessed)
            take(operation, std::move(*model), isNew);
        else
            readAgain(file, operation, isNew);
    });
    dialog->open();
}

void FileActions::readAgain(const QString& file, const QJsonObject& operation, bool isNewProject)
{
    // Into a document of its own, with all that the operation says; what was read is then taken over.
    const auto scratch = std::make_shared<Document>(openDocument({}, {}, m_editor.document().solvers()));
    const auto model = std::make_shared<ImportedModel>();
    const auto result = std::make_shared<Result<void>>();
    scratch->services.import = [model](const std::string& path, const ImportOptions& options) {
        auto read = importModel(path, options);
        if (read) *model = *read;
        return read;
    };
    run(
        tr("Reading %1").arg(QFileInfo(file).fileName()),
        [scratch, operation, result](Job::Control& control) {
            control.done = -1;
            scratch->services.cancelled = &control.cancelled;
            *result = carryOut(*scratch, operation);
        },
        [this, operation, result, model, isNewProject] {
            if (*result) return take(operation, std::move(*model), isNewProject);
            if (result->error().code != ErrorCode::Cancelled) fail(result->error());
            emit imported(false);
        },
        [this] { emit imported(false); });
}

void FileActions::take(const QJsonObject& operation, ImportedModel model, bool isNewProject)
{
    if (isNewProject) m_editor.document().adopt({}, {}, QFileInfo(operation["file"].toString()).completeBaseName());
    Services services = m_editor.document().services();
    services.import = [read = std::make_shared<const ImportedModel>(std::move(model))](
                          const std::string&, const ImportOptions&) -> Result<ImportedModel> { return *read; };
    (void)m_editor.document().work().apply(operation, std::move(services),
                                           [this](const Result<void>& done) { emit imported(done.has_value()); });
}

void FileActions::exportAnimation()
{
    const EditorDocument& document = m_editor.document();
    const QString base = document.path().empty()
                             ? document.title()
                             : QFileInfo(QString::fromStdString(document.path())).completeBaseName();
    const QString folder = document.path().empty() ? lastFolder()
                                                   : QFileInfo(QString::fromStdString(document.path())).path();
    auto* dialog = new ExportDialog(folder + '/' + base, document.scene(), document.clip()->id, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { exportBy(dialog->operation()); });
    dialog->open();
}

void FileActions::exportTo(const QString& path, bool allClips)
{
    QJsonObject operation{{"op", "export"}, {"file", QFileInfo(path).absoluteFilePath()}};
    if (allClips) operation.insert("clips", "all");
    exportBy(operation);
}

void FileActions::exportBy(const QJsonObject& operation)
{
    const QString path = operation.value("file").toString();
    const auto document = std::make_shared<Document>(m_editor.document().copyForJob());
    const auto result = std::make_shared<std::optional<Result<void>>>();
    const auto outcome = std::make_shared<ExportOutcome>();
    document->services.exported = [outcome](const ExportOutcome& done) { *outcome = done; };
    run(
        tr("Exporting %1").arg(QFileInfo(path).fileName()),
        [document, operation, result](Job::Control& control) {
            document->services.cancelled = &control.cancelled;
            document->services.progress = [&control](double done) { control.done = done; };
            *result = carryOut(*document, operation);
        },
        [this, document, operation, result, outcome] {
            if (!**result) {
                if ((*result)->error().code != ErrorCode::Cancelled) fail((*result)->error());
                emit exported(false);
                return;
            }
            m_editor.document().noteDone(operation, document->messages);
            auto* dialog = new ExportReportDialog(operation.value("file").toString(), *outcome, m_window);
            connect(dialog, &ExportReportDialog::frameWanted, &m_editor, &Editor::goToFrame);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->show();
            emit exported(outcome->report.readBack.isWithin());
        },
        [this] { emit exported(false); });
}

bool FileActions::isBusy()
{
    if (!m_isWaiting && (m_job == nullptr || !m_job->isRunning())) return false;
    fail({ErrorCode::InvalidArgument,
          tr("Another file operation is still running. Wait for it to finish, or cancel it").toStdString(),
          {}});
    return true;
}

QProgressDialog* FileActions::showProgress(const QString& what, std::function<double()> done,
                                           std::function<void()> cancel)
{
    auto* progress = new QProgressDialog(what, tr("Cancel"), 0, 0, m_window);
    progress->setObjectName(QStringLiteral("progress"));
    progress->setWindowTitle(tr("Tendon"));
    progress->setMinimumDuration(0);
    progress->setAutoClose(false);
    progress->setAutoReset(false);
    connect(progress, &QProgressDialog::canceled, this, std::move(cancel));
    auto* watch = new QTimer(progress);
    connect(watch, &QTimer::timeout, progress, [progress, done = std::move(done)] {
        const double share = done();
        progress->setRange(0, share < 0 ? 0 : 100);
        if (share >= 0) progress->setValue(static_cast<int>(share * 100));
    });
    watch->start(100);
    progress->show();
    return progress;
}

void FileActions::run(const QString& what, std::function<void(Job::Control&)> work, std::function<void()> then,
                      std::function<void()> left)
{
    if (isBusy()) return;
    const auto progress = std::make_shared<QPointer<QProgressDialog>>();
    const auto close = [progress] {
        if (*progress != nullptr) (*progress)->deleteLater();
    };
    m_job = std::make_unique<Job>(std::move(work), [close, then = std::move(then)] {
        close();
        then();
    });
    const auto leave = [close, left = std::move(left)] {
        close();
        left();
    };
    QTimer::singleShot(kProgressDelay, m_job.get(), [this, what, progress, leave, job = m_job.get()] {
        const QPointer<Job> watched(job); // the dialog may live a little longer
        if (!job->isRunning()) return;
        *progress = showProgress(
            what, [watched] { return watched == nullptr ? -1 : watched->done(); },
            [this, watched, what, leave] {
                if (watched == nullptr) return;
                watched->cancel();
                QTimer::singleShot(kCancelPatience, watched, [this, what, leave] { leaveIfStuck(what, leave); });
            });
    });
}

/// Precondition: m_job was cancelled a while ago.
void FileActions::leaveIfStuck(const QString& what, const std::function<void()>& left)
{
    if (!m_job->isRunning()) return;
    fail({ErrorCode::Cancelled,
          tr("was cancelled, but a solver does not respond. Nothing was written; save the project and start Tendon "
             "again")
              .toStdString(),
          what.toStdString()});
    m_job->letGo();
    std::erase_if(m_left, [](const auto& job) { return job->isOver(); });
    m_left.push_back(std::move(m_job));
    left();
}

bool FileActions::waitFor(const QString& what, std::function<void(Job::Control&)> work, Meanwhile meanwhile)
{
    if (isBusy()) return false;
    QEventLoop loop;
    auto job = std::make_unique<Job>(std::move(work), [&loop] { loop.quit(); });
    m_isWaiting = true;
    QPointer<QProgressDialog> progress;
    const auto show = [&] {
        progress = showProgress(
            what, [&job] { return job->done(); },
            [&job, &loop, meanwhile] {
                job->cancel();
                if (meanwhile == Meanwhile::Waits) loop.quit();
            });
    };
    if (!job->waitFor(kQuick) && meanwhile == Meanwhile::Usable) {
        QTimer::singleShot(kUsableDelay, &loop, [&] {
            if (!job->isRunning()) return;
            show();
            progress->hide();
            progress->setAttribute(Qt::WA_ShowWithoutActivating); // what is typed goes on to the window
            progress->show();
        });
        loop.exec();
        delete progress.data();
        // A drag goes on until the button is released; what comes after the job would end it.
        if (m_editor.document().gesture().isOpen()) {
            QEventLoop drag;
            connect(&m_editor.document(), &EditorDocument::gestureEnded, &drag, &QEventLoop::quit);
            drag.exec();
        }
    } else if (job->isRunning()) {
        // For a moment what the user does waits, too; then there is a dialog before the window.
        QTimer::singleShot(kProgressDelay, &loop, &QEventLoop::quit);
        loop.exec(QEventLoop::ExcludeUserInputEvents);
        if (job->isRunning()) {
            show();
            progress->hide();
            progress->setWindowModality(Qt::WindowModal);
            progress->show();
            loop.exec();
        }
    }
    m_isWaiting = false;
    delete progress.data();
    const bool isKept = !job->isCancelled();
    std::erase_if(m_left, [](const auto& left) { return left->isOver(); });
    if (job->isRunning()) {
        job->letGo();
        m_left.push_back(std::move(job));
    }
    return isKept;
}

} // namespace tendon::editor

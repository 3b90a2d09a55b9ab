#include "app/widgets/FileActions.h"

#include "app/editor/RecentFiles.h"
#include "app/widgets/ExportDialog.h"
#include "app/widgets/ExportReportDialog.h"
#include "app/widgets/FileFilters.h"
#include "app/widgets/ImportDialog.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>
#include <QStandardPaths>
#include <QTimer>

namespace tendon::editor {
namespace {

const char* const kProjects = QT_TRANSLATE_NOOP("FileActions", "Tendon projects (*.tendon)");

constexpr QSize kPictureSize(192, 128);
constexpr int kPictureDelay = 1500; // [ms] by then it is drawn

bool isProject(const QString& path) { return path.endsWith(QLatin1StringView(".tendon"), Qt::CaseInsensitive); }

QString recoveryFolder() { return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/recovery"; }

} // namespace

FileActions::FileActions(Editor& editor, QWidget* window)
    : QObject(window), m_editor(editor), m_window(window), m_recovery(editor.document(), recoveryFolder())
{
    connect(&editor.document(), &EditorDocument::replaced, this, [this] { m_recent.clear(); });
}

void FileActions::fail(const Error& error) { emit m_editor.document().reported({{Severity::Error, error.message, error.where, 0}}); }

bool FileActions::mayLeave()
{
    m_editor.document().endGesture();
    if (!m_editor.document().isModified()) return true;
    QMessageBox box(m_window);
    box.setObjectName(QStringLiteral("unsaved"));
    box.setWindowTitle(tr("Unsaved changes"));
    box.setText(tr("%1 has changes that are not saved.").arg(m_editor.document().title()));
    auto* save = box.addButton(tr("Save"), QMessageBox::AcceptRole);
    auto* discard = box.addButton(tr("Discard changes"), QMessageBox::DestructiveRole);
    auto* stay = box.addButton(tr("Keep editing"), QMessageBox::RejectRole);
    save->setProperty("main", true);
    box.setDefaultButton(save);
    box.setEscapeButton(stay);
    box.exec();
    if (box.clickedButton() == save) return this->save();
    return box.clickedButton() == discard;
}

void FileActions::newProject()
{
    if (mayLeave()) m_editor.document().clear();
}

void FileActions::open()
{
    const QString path = QFileDialog::getOpenFileName(m_window, tr("Open"), {}, openFilters());
    if (!path.isEmpty()) openFile(path);
}

bool FileActions::openFile(const QString& path)
{
    if (!isProject(path)) {
        importFile(path);
        return true;
    }
    if (!mayLeave()) return false;
    if (!m_editor.document().openFile(path)) return false;
    noteRecent(path);
    return true;
}

bool FileActions::openSample(const QString& name)
{
    if (!mayLeave() || !m_editor.document().openSample(name.toStdString())) return false;
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
    m_recovery.takePicture = [this] { return m_grab(kPictureSize); };
}

void FileActions::noteRecent(const QString& entry)
{
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
    if (!m_editor.document().save()) return false;
    noteRecent(QString::fromStdString(m_editor.document().path()));
    return true;
}

bool FileActions::saveAs()
{
    const QString usual = m_editor.document().path().empty() ? m_editor.document().title() + ".tendon" : QString::fromStdString(m_editor.document().path());
    QString path = QFileDialog::getSaveFileName(m_window, tr("Save project"), usual, tr(kProjects));
    if (path.isEmpty()) return false;
    if (!isProject(path)) path += ".tendon";
    if (!m_editor.document().saveAs(path)) return false;
    noteRecent(path);
    return true;
}

void FileActions::import()
{
    const QString path = QFileDialog::getOpenFileName(m_window, tr("Import a model"), {}, modelFilters());
    if (!path.isEmpty()) importFile(path);
}

void FileActions::importFile(const QString& path)
{
    const QString file = QFileInfo(path).absoluteFilePath();
    const auto result = std::make_shared<std::optional<Result<ImportedModel>>>();
    run(tr("Reading %1").arg(QFileInfo(path).fileName()),
        [file, result](Job::Control& control) {
            control.done = -1;
            ImportOptions options;
            options.cancelled = &control.cancelled;
            *result = importModel(file.toStdString(), options);
        },
        [this, file, result] {
            if (!**result) {
                if ((*result)->error().code != ErrorCode::Cancelled) fail((*result)->error());
                emit imported(false);
                return;
            }
            ImportDialog dialog(file, ***result, m_window);
            if (dialog.exec() != QDialog::Accepted || (dialog.isNewProject() && !mayLeave())) {
                emit imported(false);
                return;
            }
            if (dialog.isNewProject()) m_editor.document().clear();
            // Other units than were guessed: the file is read again with them.
            const auto done = dialog.isAsGuessed() ? m_editor.document().applyImport(dialog.operation(), std::move(***result)) : m_editor.document().apply(dialog.operation());
            emit imported(done.has_value());
        });
}

void FileActions::exportAnimation()
{
    const EditorDocument& document = m_editor.document();
    const QString base = document.path().empty() ? document.title() : QFileInfo(QString::fromStdString(document.path())).completeBaseName();
    const QString folder = document.path().empty() ? QString() : QFileInfo(QString::fromStdString(document.path())).path() + '/';
    auto* dialog = new ExportDialog(folder + base, document.scene(), document.clip()->id, m_window);
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
    const auto report = std::make_shared<std::optional<ExportReport>>();
    const auto goals = std::make_shared<GoalTally>();
    document->services.exportTo = [report, goals](const Scene& scene, const std::vector<BakedClip>& clips, const std::string& file, const ExportOptions& options) {
        auto done = tendon::exportAnimation(scene, clips, file, options);
        if (done) *report = *done;
        *goals = tallyGoals(scene, clips);
        return done;
    };
    run(tr("Exporting %1").arg(QFileInfo(path).fileName()),
        [document, operation, result](Job::Control& control) {
            document->services.cancelled = &control.cancelled;
            document->services.progress = [&control](double done) { control.done = done; };
            *result = carryOut(*document, operation);
        },
        [this, document, operation, result, report, goals] {
            if (!**result) {
                if ((*result)->error().code != ErrorCode::Cancelled) fail((*result)->error());
                emit exported(false);
                return;
            }
            m_editor.document().noteDone(operation, document->messages);
            const bool isGood = *report && (*report)->readBack.isWithin();
            if (*report) {
                auto* dialog = new ExportReportDialog(operation.value("file").toString(), **report, *goals, document->messages, m_window);
                connect(dialog, &ExportReportDialog::frameWanted, &m_editor, &Editor::goToFrame);
                dialog->setAttribute(Qt::WA_DeleteOnClose);
                dialog->show();
            }
            emit exported(isGood);
        });
}

void FileActions::run(const QString& what, std::function<void(Job::Control&)> work, std::function<void()> then)
{
    if (m_job && m_job->isRunning()) {
        fail({ErrorCode::InvalidArgument, "another import or export is still at work", {}});
        return;
    }
    auto* progress = new QProgressDialog(what, tr("Cancel"), 0, 100, m_window);
    progress->setWindowTitle(tr("Tendon"));
    progress->setMinimumDuration(200);
    progress->setAutoClose(false);
    progress->setAutoReset(false);
    progress->setValue(0);
    auto* watch = new QTimer(progress);
    m_job = std::make_unique<Job>(std::move(work), [progress, then = std::move(then)] {
        progress->hide();
        progress->deleteLater();
        then();
    });
    connect(progress, &QProgressDialog::canceled, this, [this] { m_job->cancel(); });
    connect(watch, &QTimer::timeout, progress, [this, progress] {
        const double done = m_job->done();
        if (done < 0)
            progress->setRange(0, 0);
        else
            progress->setValue(static_cast<int>(done * 100));
    });
    watch->start(100);
}

} // namespace tendon::editor

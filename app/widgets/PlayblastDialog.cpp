#include "app/widgets/PlayblastDialog.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/Icons.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/OperationFields.h"
#include "app/widgets/Section.h"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressDialog>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QToolButton>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

enum Format { Pictures, Mp4, WebM };

bool hasFfmpeg() { return !QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).isEmpty(); }

QString suffixOf(int format)
{
    return format == Mp4    ? QStringLiteral(".mp4")
           : format == WebM ? QStringLiteral(".webm")
                            : QStringLiteral(".####.png");
}

/// The file's name with the suffix of another format.
QString withSuffix(QString file, int format)
{
    for (const int other : {Pictures, Mp4, WebM})
        if (file.endsWith(suffixOf(other))) file.chop(suffixOf(other).size());
    return file + suffixOf(format);
}

} // namespace

PlayblastDialog::PlayblastDialog(MainWindow& window)
    : QDialog(&window), m_window(window), m_format(new ChoiceBox), m_size(new ChoiceBox), m_file(new QLineEdit),
      m_first(new QSpinBox), m_last(new QSpinBox), m_hidesRig(new QCheckBox(tr("Only meshes, without the rig"))),
      m_note(new QLabel)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("playblastDialog"));
    setWindowTitle(tr("Playblast"));
    setMinimumWidth(theme.px(440));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(16), theme.px(14), theme.px(16), theme.px(14));
    column->setSpacing(theme.px(6));
    addFields();
    auto* buttons = new QHBoxLayout;
    auto* cancel = new QPushButton(tr("Cancel"));
    m_start = new QPushButton(tr("Start"));
    m_start->setObjectName(QStringLiteral("playblast.start"));
    m_start->setProperty("main", true);
    m_start->setDefault(true);
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(m_start);
    column->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_start, &QPushButton::clicked, this, &PlayblastDialog::start);
    refresh();
}

void PlayblastDialog::addFields()
{
    auto* column = qobject_cast<QVBoxLayout*>(layout());
    const EditorDocument& document = m_window.editor().document();
    const Scene& scene = document.scene();
    m_format->setObjectName(QStringLiteral("playblast.format"));
    m_format->addItem(tr("Pictures (.png)"));
    m_format->addItem(tr("Film (.mp4)"));
    m_format->addItem(tr("Film (.webm)"));
    addRow(column, tr("Format"), {m_format});

    auto* place = new QWidget;
    auto* row = new QHBoxLayout(place);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Theme::instance().px(4));
    QString folder = document.path().empty() ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)
                                             : QFileInfo(QString::fromStdString(document.path())).absolutePath();
    if (!QFileInfo(folder).isDir()) folder = QDir::homePath();
    m_file->setObjectName(QStringLiteral("playblast.file"));
    m_file->setAccessibleName(tr("Save as"));
    m_file->setText(QDir(folder).filePath(QFileInfo(document.title()).completeBaseName() + suffixOf(Pictures)));
    auto* other = pictureButton("open", tr("Choose a folder and a name"));
    row->addWidget(m_file, 1);
    row->addWidget(other);
    addRow(column, tr("Save as"), {place});

    m_size->setObjectName(QStringLiteral("playblast.size"));
    const QSize view = m_window.viewport().widget->size();
    m_size->addItem(tr("As the view: %1 × %2").arg(view.width() & ~1).arg(view.height() & ~1),
                    QSize(view.width() & ~1, view.height() & ~1));
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080), QSize(1080, 1080), QSize(1080, 1920)})
        m_size->addItem(QStringLiteral("%1 × %2").arg(size.width()).arg(size.height()), size);
    m_size->setCurrentIndex(1);
    addRow(column, tr("Size"), {m_size});

    for (QSpinBox* frame : {m_first, m_last}) {
        frame->setRange(-10'000'000, 10'000'000);
        frame->setAlignment(Qt::AlignRight);
    }
    m_first->setObjectName(QStringLiteral("playblast.first"));
    m_last->setObjectName(QStringLiteral("playblast.last"));
    m_first->setAccessibleName(tr("First frame"));
    m_last->setAccessibleName(tr("Last frame"));
    m_first->setValue(scene.firstFrame);
    m_last->setValue(scene.lastFrame);
    addRow(column, tr("Frames"), {m_first, m_last});
    m_hidesRig->setObjectName(QStringLiteral("playblast.hidesRig"));
    m_hidesRig->setChecked(true);
    column->addWidget(m_hidesRig);
    m_note->setProperty("role", "hint");
    m_note->setWordWrap(true);
    column->addWidget(m_note);
    connect(m_format, &QComboBox::activated, this, &PlayblastDialog::setFormat);
    connect(other, &QToolButton::clicked, this, &PlayblastDialog::browse);
    connect(m_file, &QLineEdit::textChanged, this, &PlayblastDialog::refresh);
    for (QSpinBox* frame : {m_first, m_last}) connect(frame, &QSpinBox::valueChanged, this, &PlayblastDialog::refresh);
}

void PlayblastDialog::setFormat() { m_file->setText(withSuffix(m_file->text(), m_format->currentIndex())); }

void PlayblastDialog::browse()
{
    const QString file = QFileDialog::getSaveFileName(this, tr("Save as"), m_file->text());
    if (!file.isEmpty()) m_file->setText(withSuffix(file, m_format->currentIndex()));
}

/// Says why it cannot start, or what it will make.
void PlayblastDialog::refresh()
{
    const bool isFilm = m_format->currentIndex() != Pictures;
    const int frames = m_last->value() - m_first->value() + 1;
    QString why;
    if (isFilm && !hasFfmpeg())
        why = tr(
            "Films are made by ffmpeg, which is not installed (Debian: apt install ffmpeg). Pictures need nothing.");
    else if (m_file->text().isEmpty())
        why = tr("Choose a file");
    else if (!isFilm && !m_file->text().contains('#'))
        why = tr("The name needs #### where the number of each frame goes");
    else if (frames < 1)
        why = tr("The last frame is before the first");
    else if (!QFileInfo(QFileInfo(m_file->text()).absolutePath()).isDir())
        why = tr("The folder %1 does not exist").arg(QFileInfo(m_file->text()).absolutePath());
    const double rate = m_window.editor().document().scene().fps.perSecond();
    m_note->setText(
        !why.isEmpty() ? why
        : isFilm && QFileInfo::exists(m_file->text())
            ? tr("%1 frames, %2 s. The file exists and will be replaced").arg(frames).arg(frames / rate, 0, 'f', 1)
            : tr("%1 frames, %2 s").arg(frames).arg(frames / rate, 0, 'f', 1));
    if (m_start != nullptr) m_start->setEnabled(why.isEmpty());
}

PlayblastOptions PlayblastDialog::options() const
{
    return {.output = m_file->text(),
            .size = m_size->currentData().toSize(),
            .first = m_first->value(),
            .last = m_last->value(),
            .hidesRig = m_hidesRig->isChecked(),
            .camera = m_window.viewport().camera ? m_window.viewport().camera() : ViewCamera{}};
}

void PlayblastDialog::start()
{
    PlayblastRun* run = m_window.viewport().playblast(options());
    auto* progress = new QProgressDialog(tr("Playblast: %1").arg(QFileInfo(m_file->text()).fileName()), tr("Cancel"), 0,
                                         m_last->value() - m_first->value() + 1, &m_window);
    progress->setObjectName(QStringLiteral("progress"));
    progress->setWindowTitle(tr("Tendon"));
    progress->setMinimumDuration(0);
    progress->setAutoClose(false);
    progress->setAutoReset(false);
    progress->show();
    connect(progress, &QProgressDialog::canceled, run, &PlayblastRun::cancel);
    connect(run, &PlayblastRun::progressed, progress, [progress](int done) { progress->setValue(done); });
    connect(run, &PlayblastRun::finished, progress, &QObject::deleteLater);
    connect(run, &PlayblastRun::finished, &m_window, [window = &m_window, file = m_file->text()](const QString& error) {
        const Severity severity = error.isEmpty() ? Severity::Info : Severity::Error;
        const QString text = error.isEmpty() ? tr("playblast written to %1").arg(file) : error;
        emit window->editor().document().reported({{severity, text.toStdString(), {}, 0}});
    });
    accept();
}

void PlayblastDialog::ask(MainWindow& window)
{
    auto* dialog = new PlayblastDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace tendon::editor

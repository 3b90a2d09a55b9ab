#include "app/widgets/ExportDialog.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChoiceCard.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/FileFilters.h"
#include "app/widgets/Icons.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/OperationFields.h"
#include "app/widgets/Section.h"
#include "app/widgets/Texts.h"
#include "core/io/base/FileStage.h"
#include "core/io/export/AnimationExport.h"
#include "core/io/export/Exporters.h"
#include "core/io/export/KeptModel.h"
#include "core/io/formats/FileFormats.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace tendon::editor {
namespace {

QString noteOf(const ExportPreset& preset)
{
    const Exporter* exporter = findExporter(preset.format);
    const bool isInMetres = exporter == nullptr || !exporter->hasUnit || preset.metresPerUnit == 1;
    return QStringLiteral(".%1, %2").arg(fromView(preset.format),
                                         isInMetres ? ExportDialog::tr("metres") : ExportDialog::tr("centimetres"));
}

/// An error about `file`, whose folder is shown anyway.
QString sentence(Error error, const QFileInfo& file)
{
    if (error.where == file.filePath().toStdString()) error.where = file.fileName().toStdString();
    return QString::fromStdString(error.text());
}

/// `file`, or with something after it, so that in no format it is a file that the project is made from.
QString freeName(QString file, const Scene& scene)
{
    FileStage stage;
    keepModel(scene, stage);
    const auto isFree = [&](const Exporter& exporter) {
        return stage.check(file.toStdString() + '.' + std::string(exporter.suffix)).has_value();
    };
    const auto isTaken = [&] {
        const auto& all = exporters();
        return !std::all_of(std::begin(all), std::end(all), isFree);
    };
    constexpr int kTries = 3; // a folder that can't be written to refuses all names
    QString name = file;
    for (int i = 0; i < kTries && isTaken(); ++i) file += QStringLiteral("-animated");
    return isTaken() ? name : file;
}

} // namespace

ExportDialog::ExportDialog(const QString& file, const Scene& scene, ClipId clip, QWidget* parent)
    : QDialog(parent), m_scene(scene)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export animation"));
    setMinimumWidth(theme.px(480));
    // On a small screen the choices scroll; the buttons stay.
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, theme.px(12));
    QScrollArea* area = m_choices = new QScrollArea;
    area->setObjectName(QStringLiteral("export.choices"));
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* choices = new QWidget;
    auto* column = new QVBoxLayout(choices);
    column->setContentsMargins(theme.px(16), theme.px(12), theme.px(16), theme.px(4));
    column->setSpacing(theme.px(5));
    addPresets(*column);
    column->addWidget(separatorLine());
    addFile(*column, freeName(file, m_scene));
    column->addWidget(separatorLine());
    addClips(*column, clip);
    column->addStretch(1);
    area->setWidget(choices);
    all->addWidget(area, 1);
    addButtons(*all);
    choosePreset();
    const int bar = area->verticalScrollBar()->sizeHint().width();
    area->setMinimumWidth(choices->minimumSizeHint().width() + bar);
    resize(std::max(minimumWidth(), choices->sizeHint().width() + bar), 0);
    fitChoices();
}

/// All choices are seen where the screen has room; another preset may have more to say.
void ExportDialog::fitChoices()
{
    const QLayout& all = *layout();
    const int room = screen()->availableGeometry().height() - Theme::instance().px(40),
              needed = m_choices->widget()->heightForWidth(width()) + all.sizeHint().height() -
                       m_choices->sizeHint().height();
    if (height() < needed) resize(width(), std::min(needed, room));
}

void ExportDialog::addPresets(QVBoxLayout& column)
{
    column.addWidget(headingOf(tr("Made for")));
    auto* cards = new QGridLayout;
    cards->setSpacing(Theme::instance().px(6));
    m_presets = new QButtonGroup(this);
    const auto add = [&](int id, const QString& name, const QString& title, const QString& note) {
        auto* card = new ChoiceCard(title, note);
        card->setObjectName(QStringLiteral("export.preset.%1").arg(name));
        m_presets->addButton(card, id);
        card->setMinimumWidth(card->sizeHint().width());
        cards->addWidget(card, id / 4, id % 4);
        return card;
    };
    add(0, QStringLiteral("none"), tr("Any program"), tr("keeps everything"))->setChecked(true);
    int id = 1;
    for (const ExportPreset& preset : exportPresets())
        add(id++, fromView(preset.name), fromView(preset.title), noteOf(preset));
    column.addLayout(cards);
    m_presetNote = new QLabel;
    m_presetNote->setProperty("role", "hint");
    m_presetNote->setWordWrap(true);
    column.addWidget(m_presetNote);
    connect(m_presets, &QButtonGroup::idClicked, this, &ExportDialog::choosePreset);
}

void ExportDialog::addFile(QVBoxLayout& column, const QString& file)
{
    column.addWidget(headingOf(tr("File")));
    auto* place = new QWidget;
    auto* row = new QHBoxLayout(place);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Theme::instance().px(4));
    m_file = new QLineEdit(file);
    m_file->setObjectName(QStringLiteral("export.file"));
    m_file->setAccessibleName(tr("Save as"));
    auto* other = pictureButton("open", tr("Choose a folder and a name"));
    row->addWidget(m_file, 1);
    row->addWidget(other);
    addRow(&column, tr("Save as"), {place});
    m_folder = new ElidedLabel;
    m_folder->setObjectName(QStringLiteral("export.folder"));
    m_folder->setTextFormat(Qt::PlainText);
    addRow(&column, tr("Folder"), {m_folder});
    m_format = new QComboBox;
    m_format->setObjectName(QStringLiteral("export.format"));
    for (const Exporter& exporter : exporters())
        m_format->addItem(QStringLiteral("%1 (.%2)").arg(fromView(exporter.title), fromView(exporter.suffix)),
                          fromView(exporter.suffix));
    addRow(&column, tr("Format"), {m_format});
    connect(other, &QToolButton::clicked, this, &ExportDialog::browse);
    connect(m_format, &QComboBox::activated, this, [this] { setSuffix(m_format->currentData().toString()); });
    connect(m_file, &QLineEdit::textChanged, this, &ExportDialog::refresh);
}

void ExportDialog::addClips(QVBoxLayout& column, ClipId clip)
{
    column.addWidget(headingOf(tr("Animation")));
    m_clips = new QComboBox;
    m_clips->setObjectName(QStringLiteral("export.clips"));
    const Scene& scene = m_scene;
    for (const auto& each : scene.clips) {
        m_clips->addItem(QString::fromStdString(each->name), QString::fromStdString(each->name));
        if (each->id == clip) m_clips->setCurrentIndex(m_clips->count() - 1);
        m_keyed.emplace_back(std::round(scene.fps.frameAt(each->begin())), std::round(scene.fps.frameAt(each->end())));
    }
    if (scene.clips.size() > 1) {
        m_clips->addItem(tr("All %1 clips").arg(scene.clips.size()), QString());
        std::pair all = m_keyed.front();
        for (const auto& [first, last] : m_keyed) all = {std::min(all.first, first), std::max(all.second, last)};
        m_keyed.push_back(all);
    }
    addRow(&column, tr("Clip"), {m_clips});
    m_frames = new QComboBox;
    m_frames->setObjectName(QStringLiteral("export.frames"));
    m_frames->addItems({tr("First key to last"), tr("Range")});
    const NumberField::Format whole{.decimals = 0, .step = 0.2, .minimum = -1e6, .maximum = 1e6};
    m_from = new NumberField(whole);
    m_from->setObjectName(QStringLiteral("export.from"));
    m_to = new NumberField(whole);
    m_to->setObjectName(QStringLiteral("export.to"));
    addRow(&column, tr("Frames"), {m_frames, m_from, m_to}, fieldHelp("export", "range"));
    m_rate = new QComboBox;
    m_rate->setObjectName(QStringLiteral("export.fps"));
    m_rate->addItem(tr("The project's, %1 fps").arg(scene.fps.perSecond(), 0, 'g', 5), 0.0);
    for (const double rate : {24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0}) m_rate->addItem(tr("%1 fps").arg(rate), rate);
    addRow(&column, tr("Rate"), {m_rate}, fieldHelp("export", "fps"));
    addRoot(column);
    m_only = new QCheckBox(tr("Leave out the other animations of the model"));
    m_only->setObjectName(QStringLiteral("export.only"));
    m_only->setToolTip(fieldHelp("export", "only"));
    auto* row = new QHBoxLayout;
    row->addSpacing(Theme::instance().px(80));
    row->addWidget(m_only, 1);
    column.addLayout(row);
    for (const QComboBox* choice : {m_frames, m_clips})
        connect(choice, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
}

/// Where the travel is in the file; the clip stays as it is.
void ExportDialog::addRoot(QVBoxLayout& column)
{
    m_root = new QComboBox;
    m_root->setObjectName(QStringLiteral("export.root"));
    for (const auto& [words, mode] : {std::pair(tr("As in the clip"), ""), std::pair(tr("Travels"), "travels"),
                                      std::pair(tr("In place"), "inPlace"), std::pair(tr("On a root bone"), "bone")})
        m_root->addItem(words, QString::fromLatin1(mode));
    m_turns = new QCheckBox(tr("Turns too"));
    m_turns->setObjectName(QStringLiteral("export.turns"));
    m_turns->setToolTip(tr("Turning goes with the travel"));
    m_turns->setEnabled(false);
    addRow(&column, tr("Root motion"), {m_root, m_turns}, fieldHelp("export", "root"));
    connect(m_root, &QComboBox::activated, this, [this] {
        const QString mode = m_root->currentData().toString();
        m_turns->setEnabled(!mode.isEmpty());
        m_turns->setChecked(mode == QLatin1StringView("bone")); // as the operation has it
    });
}

void ExportDialog::addButtons(QVBoxLayout& column)
{
    m_note = new QLabel;
    m_note->setObjectName(QStringLiteral("export.note"));
    m_note->setProperty("role", "hint");
    m_note->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(Theme::instance().px(16), 0, Theme::instance().px(16), 0);
    row->setSpacing(Theme::instance().px(8));
    row->addWidget(m_note, 1);
    auto* cancel = new QPushButton(tr("Cancel"));
    m_export = new QPushButton(tr("Export"));
    m_export->setObjectName(QStringLiteral("export.accept"));
    m_export->setProperty("main", true);
    m_export->setDefault(true);
    row->addWidget(cancel);
    row->addWidget(m_export);
    column.addLayout(row);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_export, &QPushButton::clicked, this, &QDialog::accept);
}

const ExportPreset* ExportDialog::preset() const
{
    const int id = m_presets->checkedId();
    return id <= 0 ? nullptr : &exportPresets()[static_cast<std::size_t>(id - 1)];
}

QString ExportDialog::path() const { return QFileInfo(m_file->text().trimmed()).absoluteFilePath(); }

void ExportDialog::choosePreset()
{
    const ExportPreset* chosen = preset();
    m_presetNote->setText(chosen == nullptr
                              ? tr("Metres; all influences are kept. FBX gets an armature node above its joints.")
                              : fromView(chosen->title) + ": " + fromView(chosen->doc) + '.');
    setSuffix(fromView(chosen == nullptr ? kNoPreset.format : chosen->format));
    if (isVisible()) fitChoices();
}

void ExportDialog::setSuffix(const QString& suffix)
{
    QString file = m_file->text().trimmed();
    const QString former = QFileInfo(file).suffix();
    const std::string known = former.toLower().toStdString();
    if (findExporter(known) != nullptr || findFileFormat(known) != nullptr) file.chop(former.size() + 1);
    m_file->setText(file + '.' + suffix);
    refresh();
}

void ExportDialog::browse()
{
    QString filter = exportFilter(QFileInfo(path()).suffix());
    const QString file = QFileDialog::getSaveFileName(this, tr("Export the animation"), path(), exportFilters(),
                                                      &filter);
    if (!file.isEmpty()) m_file->setText(file);
}

void ExportDialog::refresh()
{
    const QFileInfo file(path());
    const int format = m_format->findData(file.suffix().toLower());
    m_format->setCurrentIndex(format);
    const bool isRange = m_frames->currentIndex() == 1;
    if (!isRange && m_clips->currentIndex() >= 0) { // the frames that are meant, from which a range starts
        const auto& [first, last] = m_keyed[static_cast<std::size_t>(m_clips->currentIndex())];
        m_from->setValue(first);
        m_to->setValue(last);
    }
    m_from->setEnabled(isRange);
    m_to->setEnabled(isRange);
    m_folder->setText(QDir::toNativeSeparators(file.path())); // a name alone has one, too
    const QString note = whyNot();                            // said before the work, as is what is replaced
    m_export->setEnabled(note.isEmpty());
    const bool isThere = note.isEmpty() && file.exists();
    m_export->setText(isThere ? tr("Replace") : tr("Export"));
    m_note->setText(isThere          ? tr("The file exists and will be replaced")
                    : note.isEmpty() ? tr("Every frame is solved, written and read back")
                                     : note);
}

QString ExportDialog::whyNot() const
{
    const QFileInfo file(path());
    if (m_file->text().trimmed().isEmpty() || file.completeBaseName().isEmpty()) return tr("The file needs a name");
    if (m_format->findData(file.suffix().toLower()) < 0)
        return tr("Choose a format: .%1 can't be written").arg(file.suffix());
    if (!file.dir().exists()) return tr("The folder %1 does not exist").arg(file.path());
    const auto exporter = exporterFor(m_scene, path().toStdString());
    if (!exporter) return sentence(exporter.error(), file);
    const std::size_t clips = m_clips->currentData().toString().isEmpty() ? m_scene.clips.size() : 1;
    if (const auto fits = checkClipCount(**exporter, clips, path().toStdString()); !fits)
        return sentence(fits.error(), file);
    return {};
}

QJsonObject ExportDialog::operation() const
{
    QJsonObject operation{{"op", "export"}, {"file", path()}};
    if (const ExportPreset* chosen = preset()) operation.insert("preset", fromView(chosen->name));
    const QString clip = m_clips->currentData().toString();
    if (clip.isEmpty())
        operation.insert("clips", "all");
    else
        operation.insert("clip", clip);
    if (m_frames->currentIndex() == 1) operation.insert("range", QJsonArray{m_from->value(), m_to->value()});
    if (const double rate = m_rate->currentData().toDouble(); rate > 0) operation.insert("fps", rate);
    if (const QString mode = m_root->currentData().toString(); !mode.isEmpty()) {
        operation.insert("root", mode);
        operation.insert("turns", m_turns->isChecked());
    }
    if (m_only->isChecked()) operation.insert("only", true);
    return operation;
}

} // namespace tendon::editor

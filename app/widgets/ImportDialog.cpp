#include "app/widgets/ImportDialog.h"

#include "app/editor/Theme.h"
#include "app/widgets/Icons.h"
#include "app/widgets/IssueRows.h"
#include "app/widgets/Section.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace tendon::editor {
namespace {

/// A picture of the model at the size that the dialog gives it. It is drawn after the dialog is shown, because drawing
/// takes a moment without a graphics card.
class ModelPicture : public QWidget
{
public:
    explicit ModelPicture(ImportDialog::Draw draw) : m_draw(std::move(draw))
    {
        const Theme& theme = Theme::instance();
        setObjectName(QStringLiteral("import.picture"));
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
        setMinimumHeight(theme.px(240));
        m_later.setSingleShot(true);
        connect(&m_later, &QTimer::timeout, this, [this] {
            m_picture = m_draw((QSizeF(size()) * devicePixelRatioF()).toSize(), devicePixelRatioF());
            update();
        });
    }
    [[nodiscard]] QSize sizeHint() const override { return {Theme::instance().px(280), Theme::instance().px(360)}; }

private:
    void resizeEvent(QResizeEvent*) override { m_later.start(m_picture.isNull() ? 0 : 150); }
    void paintEvent(QPaintEvent*) override { QPainter(this).drawImage(rect(), m_picture); }

    ImportDialog::Draw m_draw;
    QImage m_picture;
    QTimer m_later;
};

constexpr double kLargest = 20, kSmallest = 0.1; // [m] that nobody asks about

bool isOddSize(double height) { return height > kLargest || (height < kSmallest && height > 0); }

} // namespace

ImportDialog::ImportDialog(const QString& file, const ImportedModel& model, Draw draw, QWidget* parent)
    : QDialog(parent), m_file(file), m_height(model.heightMetres),
      m_metresPerUnit(model.scene.model == nullptr ? 1 : model.scene.model->metresPerUnit),
      m_upAxis(model.scene.model == nullptr ? 1 : model.scene.model->upAxis)
{
    const Theme& theme = Theme::instance();
    setWindowTitle(tr("Import %1").arg(QFileInfo(file).fileName()));
    setObjectName(QStringLiteral("importDialog"));
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(theme.px(16), theme.px(14), theme.px(16), theme.px(14));
    whole->setSpacing(theme.px(10));
    addTitle(*whole, model.format);
    auto* halves = new QHBoxLayout;
    halves->setSpacing(theme.px(16));
    if (draw) {
        auto* picture = new ModelPicture(std::move(draw));
        picture->setAccessibleName(tr("The model at its first frame"));
        halves->addWidget(picture);
    }
    auto* column = new QVBoxLayout;
    column->setSpacing(theme.px(8));
    addSize(*column, model.isUnitGuessed);
    column->addWidget(separatorLine());
    addContents(*column, model);
    column->addWidget(separatorLine());
    addIssues(*column, model.issues);
    column->addStretch(1);
    halves->addLayout(column, 1);
    whole->addLayout(halves, 1);
    whole->addWidget(separatorLine());
    addButtons(*whole);
    refresh();
}

void ImportDialog::addTitle(QVBoxLayout& column, const std::string& format)
{
    const Theme& theme = Theme::instance();
    const QFileInfo info(m_file);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme.px(10));
    auto* mark = new QLabel;
    mark->setPixmap(iconPixmap("import", "text.primary", theme.px(20), devicePixelRatioF()));
    auto* title = new QLabel(tr("Import %1").arg(info.fileName()));
    title->setProperty("role", "dialogTitle");
    auto* note = new QLabel(
        tr("%1, %2").arg(QString::fromStdString(format).toUpper(), QLocale().formattedDataSize(info.size())));
    note->setProperty("role", "hint");
    row->addWidget(mark);
    row->addWidget(title);
    row->addWidget(note, 1);
    column.addLayout(row);
}

QLabel* ImportDialog::addNoted(QVBoxLayout& column, const QString& label, QComboBox* box)
{
    box->setFixedWidth(Theme::instance().px(170));
    auto* note = new QLabel;
    note->setProperty("role", "hint");
    note->setMinimumWidth(Theme::instance().px(190));
    addRow(&column, label, {box, note});
    return note;
}

void ImportDialog::addSize(QVBoxLayout& column, bool isUnitGuessed)
{
    column.addWidget(headingOf(tr("Size and axes")));
    m_unit = new QComboBox;
    m_unit->setObjectName(QStringLiteral("import.unit"));
    m_unit->addItem(tr("File: 1 unit = %1 m").arg(m_metresPerUnit, 0, 'g', 4), 0.0);
    for (const auto& [name, metres] :
         {std::pair{"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}})
        m_unit->addItem(QString::fromLatin1(name), metres);
    if (isOddSize(m_height)) { // by a power of ten, so that it is 0.5 to 5 m tall
        const double scale = std::pow(10, -std::floor(std::log10(m_height / 0.5)));
        m_unit->addItem(tr("1 unit = %1 m").arg(m_metresPerUnit * scale, 0, 'g', 4), m_metresPerUnit * scale);
    }
    addNoted(column, tr("Unit"), m_unit)
        ->setText(isUnitGuessed ? tr("guessed: the file does not state it") : tr("stated in the file"));
    m_axis = new QComboBox;
    m_axis->addItem(tr("File: %1 up").arg(QChar('X' + m_upAxis)), QString());
    for (const char* axis : {"x", "y", "z"})
        m_axis->addItem(tr("%1 up").arg(QString::fromLatin1(axis).toUpper()), QString::fromLatin1(axis));
    addNoted(column, tr("Up axis"), m_axis);
    m_size = new QLabel;
    m_size->setObjectName(QStringLiteral("import.height"));
    addRow(&column, tr("Height"), {m_size});
    connect(m_unit, &QComboBox::currentIndexChanged, this, &ImportDialog::refresh);
}

void ImportDialog::addContents(QVBoxLayout& column, const ImportedModel& model)
{
    const Scene& scene = model.scene;
    column.addWidget(headingOf(tr("Contents")));
    const QLocale locale;
    const int joints = static_cast<int>(scene.joints->size());
    QStringList parts{joints == 1 ? tr("1 joint") : tr("%n joints", nullptr, joints)};
    if (scene.model != nullptr) {
        std::size_t vertices = 0;
        for (const Mesh& mesh : scene.model->meshes) vertices += mesh.positions.size();
        const int meshes = static_cast<int>(scene.model->meshes.size()),
                  cameras = static_cast<int>(scene.model->cameras.size()),
                  lights = static_cast<int>(scene.model->lights.size());
        if (meshes > 0)
            parts << (meshes == 1 ? tr("1 mesh, %1 vertices") : tr("%n meshes, %1 vertices", nullptr, meshes))
                         .arg(locale.toString(static_cast<qulonglong>(vertices)));
        if (cameras > 0) parts << (cameras == 1 ? tr("1 camera") : tr("%n cameras", nullptr, cameras));
        if (lights > 0) parts << (lights == 1 ? tr("1 light") : tr("%n lights", nullptr, lights));
    }
    if (!scene.clips.empty()) parts << tr("%1 fps").arg(scene.fps.perSecond(), 0, 'g', 5);
    column.addWidget(new QLabel(parts.join(QStringLiteral(" · "))));
    if (scene.clips.empty()) return;
    auto* table = new QTreeWidget;
    table->setObjectName(QStringLiteral("import.clips"));
    table->setAccessibleName(tr("Clips"));
    table->setRootIsDecorated(false);
    table->setAlternatingRowColors(true);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setHeaderLabels({tr("Clip"), tr("Length"), tr("Frames"), tr("Keys")});
    for (const auto& clip : scene.clips) {
        const double frames = scene.fps.frameAt(clip->end()) - scene.fps.frameAt(clip->begin());
        auto* row = new QTreeWidgetItem(
            table, {QString::fromStdString(clip->name), tr("%1 s").arg(frames / scene.fps.perSecond(), 0, 'f', 2),
                    QString::number(qRound(frames) + 1), locale.toString(static_cast<qulonglong>(clip->keyCount()))});
        for (int i = 1; i < 4; ++i) row->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (int i = 1; i < 4; ++i) table->headerItem()->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    table->header()->setStretchLastSection(false);
    table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    setRowsShown(*table, std::min(6, table->topLevelItemCount()));
    column.addWidget(table);
}

void ImportDialog::addIssues(QVBoxLayout& column, const Issues& issues)
{
    const int notes = static_cast<int>(std::count_if(
                  issues.begin(), issues.end(), [](const Issue&issue) { return issue.severity == Severity::Info; })),
              warnings = static_cast<int>(issues.size()) - notes;
    QStringList counts;
    if (warnings > 0) counts << (warnings == 1 ? tr("1 warning") : tr("%n warnings", nullptr, warnings));
    if (notes > 0) counts << (notes == 1 ? tr("1 note") : tr("%n notes", nullptr, notes));
    auto* row = new QHBoxLayout;
    row->addWidget(headingOf(tr("Findings")));
    auto* tally = new QLabel(counts.join(QStringLiteral(", ")));
    tally->setProperty("role", "hint");
    row->addWidget(tally, 1);
    column.addLayout(row);
    auto* list = new QListWidget;
    list->setObjectName(QStringLiteral("import.issues"));
    list->setAccessibleName(tr("Findings"));
    makeIssueList(*list);
    for (const Issue& issue : issues)
        addFinding(*list, markOf(issue.severity), textOf(issue))->setToolTip(textOf(issue));
    if (issues.empty()) addFinding(*list, Mark::Ok, tr("No problems found"));
    const auto heightOf = [list](int rows) {
        return Theme::instance().px(24) * std::min(list->count(), rows) + 2 * list->frameWidth();
    };
    list->setMinimumHeight(heightOf(2));
    list->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents); // as high as its rows, which may be of many lines
    list->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    column.addWidget(list);
}

void ImportDialog::addButtons(QVBoxLayout& column)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::instance().px(8));
    auto* note = new QLabel(tr("Nothing changes until you import."));
    note->setProperty("role", "hint");
    m_where = new QComboBox;
    m_where->addItems({tr("As a new project"), tr("Into this project")});
    auto* cancel = new QPushButton(tr("Cancel"));
    auto* accept = new QPushButton(tr("Import"));
    accept->setProperty("main", true);
    accept->setDefault(true);
    row->addWidget(note, 1);
    row->addWidget(m_where);
    row->addWidget(cancel);
    row->addWidget(accept);
    column.addSpacing(Theme::instance().px(4));
    column.addLayout(row);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(accept, &QPushButton::clicked, this, &QDialog::accept);
}

void ImportDialog::refresh()
{
    const double unit = m_unit->currentData().toDouble();
    const double height = unit > 0 ? m_height / m_metresPerUnit * unit : m_height;
    QString text = tr("%1 m").arg(height, 0, 'f', height < 0.1 ? 4 : 2);
    if (height >= 1.2 && height <= 2.3)
        text += tr(" (the size of a person)");
    else if (height > kLargest)
        text += tr(" (very large: the unit may be wrong)");
    else if (isOddSize(height))
        text += tr(" (very small: the unit may be wrong)");
    m_size->setText(text);
}

bool ImportDialog::isNewProject() const { return m_where->currentIndex() == 0; }
bool ImportDialog::isAsGuessed() const { return m_unit->currentIndex() == 0 && m_axis->currentIndex() == 0; }

QJsonObject ImportDialog::operation() const
{
    QJsonObject operation{{"op", "import"}, {"file", m_file}};
    if (m_unit->currentIndex() > 0) operation.insert("unit", m_unit->currentData().toDouble());
    if (m_axis->currentIndex() > 0) operation.insert("upAxis", m_axis->currentData().toString());
    return operation;
}

} // namespace tendon::editor

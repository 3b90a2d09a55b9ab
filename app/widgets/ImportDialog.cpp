#include "app/widgets/ImportDialog.h"

#include "app/editor/Theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>

#include <cmath>

namespace tendon::editor {

ImportDialog::ImportDialog(const QString& file, const ImportedModel& model, QWidget* parent)
    : QDialog(parent), m_file(file), m_height(model.heightMetres), m_metresPerUnit(model.scene.model == nullptr ? 1 : model.scene.model->metresPerUnit),
      m_upAxis(model.scene.model == nullptr ? 1 : model.scene.model->upAxis)
{
    const Theme& theme = Theme::instance();
    setWindowTitle(tr("Import %1").arg(QFileInfo(file).fileName()));
    setObjectName(QStringLiteral("importDialog"));
    resize(theme.px(480), theme.px(360));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(theme.px(16), theme.px(16), theme.px(16), theme.px(16));
    form->setVerticalSpacing(theme.px(8));

    m_where = new QComboBox;
    m_where->addItems({tr("As a new project"), tr("Into this project")});
    form->addRow(tr("Import"), m_where);
    m_unit = new QComboBox;
    m_unit->addItem(tr("As read: %1 m a unit").arg(m_metresPerUnit, 0, 'g', 4), 0.0);
    for (const auto& [name, metres] : {std::pair{"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}}) m_unit->addItem(QString::fromLatin1(name), metres);
    form->addRow(tr("Unit"), m_unit);
    m_axis = new QComboBox;
    m_axis->addItem(tr("As read: %1 up").arg(QChar('X' + m_upAxis)), QString());
    for (const char* axis : {"x", "y", "z"}) m_axis->addItem(tr("%1 up").arg(QString::fromLatin1(axis).toUpper()), QString::fromLatin1(axis));
    form->addRow(tr("Up axis"), m_axis);
    m_size = new QLabel;
    m_size->setWordWrap(true);
    m_size->setObjectName(QStringLiteral("import.height"));
    form->addRow(tr("Height"), m_size);

    std::size_t vertices = 0, meshes = 0;
    if (model.scene.model != nullptr) {
        meshes = model.scene.model->meshes.size();
        for (const Mesh& mesh : model.scene.model->meshes) vertices += mesh.positions.size();
    }
    form->addRow(tr("Holds"), new QLabel(tr("%1 joints, %2 meshes, %3 vertices, %4 clips, %5 fps").arg(model.scene.joints->size()).arg(meshes).arg(vertices).arg(model.scene.clips.size()).arg(model.scene.fps.perSecond(), 0, 'g', 5)));
    auto* issues = new QListWidget;
    issues->setWordWrap(true);
    for (const Issue& issue : model.issues)
        issues->addItem((issue.where.empty() ? QString() : QString::fromStdString(issue.where) + ": ") + QString::fromStdString(issue.text));
    if (model.issues.empty()) issues->addItem(tr("Nothing to report"));
    form->addRow(tr("Notes"), issues);

    auto* buttons = new QDialogButtonBox;
    auto* accept = buttons->addButton(tr("Import"), QDialogButtonBox::AcceptRole);
    accept->setProperty("main", true);
    accept->setDefault(true);
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &ImportDialog::refresh);
    refresh();
}

void ImportDialog::refresh()
{
    const double unit = m_unit->currentData().toDouble();
    const double height = unit > 0 ? m_height / m_metresPerUnit * unit : m_height;
    QString text = tr("%1 m").arg(height, 0, 'f', height < 0.1 ? 4 : 2);
    if (height >= 1.2 && height <= 2.3)
        text += tr(": the size of a person");
    else if (height > 20)
        text += tr(": large; the file may be in centimetres");
    else if (height < 0.1 && height > 0)
        text += tr(": small; the file may be in metres");
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

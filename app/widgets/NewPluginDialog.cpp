#include "app/widgets/NewPluginDialog.h"

#include "app/editor/Theme.h"
#include "resources/solver-template/SolverTemplate.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {
namespace {

constexpr const char* kPlaceSetting = "newPluginFolder";

} // namespace

NewPluginDialog::NewPluginDialog(QWidget* parent) : QDialog(parent)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("newPlugin"));
    setWindowTitle(tr("New solver plugin"));
    setMinimumWidth(theme.px(520));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(16), theme.px(14), theme.px(16), theme.px(14));
    column->setSpacing(theme.px(10));

    auto* form = new QFormLayout;
    m_name = new QLineEdit(tr("My Reach"));
    m_name->setObjectName(QStringLiteral("newPlugin.name"));
    m_name->setToolTip(tr("Name of the solver in lists; its class and its file are named after it"));
    form->addRow(tr("Name"), m_name);
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    m_place = new QLineEdit(QSettings().value(kPlaceSetting, documents).toString());
    m_place->setObjectName(QStringLiteral("newPlugin.folder"));
    m_place->setToolTip(tr("The plugin's own folder is made in this one"));
    auto* place = new QHBoxLayout;
    place->addWidget(m_place, 1);
    auto* choose = new QPushButton(tr("Choose…"));
    choose->setAutoDefault(false); // Return makes the plugin, as the button says
    place->addWidget(choose);
    form->addRow(tr("In folder"), place);
    column->addLayout(form);

    m_note = new QLabel;
    m_note->setObjectName(QStringLiteral("newPlugin.note"));
    m_note->setWordWrap(true);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    column->addWidget(m_note, 1);

    auto* buttons = new QDialogButtonBox;
    m_open = buttons->addButton(tr("Open folder"), QDialogButtonBox::ActionRole);
    m_open->setObjectName(QStringLiteral("newPlugin.open"));
    m_open->setToolTip(tr("Show the plugin's folder in the file manager"));
    m_copy = buttons->addButton(tr("Copy command"), QDialogButtonBox::ActionRole);
    m_copy->setObjectName(QStringLiteral("newPlugin.copy"));
    m_copy->setToolTip(tr("Copy the line that builds the plugin, to paste it into a terminal"));
    buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    m_write = buttons->addButton(tr("Make plugin"), QDialogButtonBox::ActionRole);
    m_write->setObjectName(QStringLiteral("newPlugin.write"));
    m_write->setProperty("main", true);
    for (QPushButton* button : {m_open, m_copy}) button->setEnabled(false); // until there is a plugin
    column->addWidget(buttons);
    for (const QLineEdit* line : {m_name, m_place})
        connect(line, &QLineEdit::returnPressed, m_write, &QPushButton::click);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_write, &QPushButton::clicked, this, &NewPluginDialog::write);
    connect(choose, &QPushButton::clicked, this, &NewPluginDialog::browse);
    connect(m_open, &QPushButton::clicked, this, [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_made)); });
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_made + QStringLiteral("/build.sh")); });
    connect(m_name, &QLineEdit::textEdited, this, &NewPluginDialog::refresh);
    connect(m_place, &QLineEdit::textEdited, this, &NewPluginDialog::refresh);
    refresh();
}

QString NewPluginDialog::folder() const
{
    return QDir::cleanPath(m_place->text() + '/' +
                           QString::fromStdString(aliasOf(m_name->text().trimmed().toStdString())));
}

void NewPluginDialog::browse()
{
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder in which to make the plugin's folder"),
                                                             m_place->text());
    if (chosen.isEmpty()) return;
    m_place->setText(chosen);
    refresh();
}

void NewPluginDialog::refresh()
{
    const auto possible = solverTemplate(m_name->text().trimmed().toStdString(), {});
    m_write->setEnabled(possible.has_value() && !m_place->text().isEmpty());
    if (!possible) return showProblem(tr("The name %1.").arg(QString::fromStdString(possible.error().message)));
    say(tr("This writes %1: a solver of 30 lines that works, its description, and a script that builds it.")
            .arg(folder().toHtmlEscaped()));
}

void NewPluginDialog::showProblem(const QString& problem)
{
    say(QStringLiteral("<span style='color:%1'>%2</span>")
            .arg(Theme::instance().color("status.error").name(), problem.toHtmlEscaped()));
}

/// The dialog grows with what is said: all of it can be read.
void NewPluginDialog::say(const QString& richText)
{
    m_note->setText(richText);
    const int wide = width() - layout()->contentsMargins().left() - layout()->contentsMargins().right();
    m_note->setMinimumHeight(m_note->heightForWidth(wide));
    if (isVisible()) resize(width(), std::max(height(), layout()->totalMinimumSize().height()));
}

void NewPluginDialog::write()
{
    const QString made = folder();
    const std::string name = m_name->text().trimmed().toStdString();
    if (const auto written = writeSolverTemplate(name, made.toStdString()); !written)
        return showProblem(QString::fromStdString(written.error().text()));
    QSettings().setValue(kPlaceSetting, m_place->text());
    m_write->setEnabled(false);
    m_made = made;
    for (QPushButton* button : {m_open, m_copy}) button->setEnabled(true);
    m_copy->setFocus(); // Return again must not make it twice
    say(tr("<p>Written. Build it in a terminal:</p><p><code>%1/build.sh</code></p><p>Then drop "
           "<code>%1/build/bin/plugins/tendon-%2.so</code> on this window. Whenever you build it again, "
           "the handles that use it are solved by the new one.</p>")
            .arg(made.toHtmlEscaped(), QString::fromStdString(aliasOf(name))));
}

} // namespace tendon::editor

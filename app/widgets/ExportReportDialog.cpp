#include "app/widgets/ExportReportDialog.h"

#include "app/editor/Theme.h"
#include "app/widgets/Icons.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>

namespace tendon::editor {

ExportReportDialog::ExportReportDialog(const QString& file, const ExportReport& report, QWidget* parent) : QDialog(parent)
{
    const Theme& theme = Theme::instance();
    const ReadBack& read = report.readBack;
    setWindowTitle(tr("Exported %1").arg(QFileInfo(file).fileName()));
    setObjectName(QStringLiteral("exportReport"));
    resize(theme.px(500), theme.px(300));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(theme.px(16), theme.px(16), theme.px(16), theme.px(16));
    auto* verdict = new QFrame;
    verdict->setProperty("message", read.isWithin() ? "ok" : "error");
    auto* row = new QHBoxLayout(verdict);
    auto* mark = new QLabel;
    mark->setPixmap(iconPixmap(read.isWithin() ? "ok" : "error", read.isWithin() ? "status.ok" : "status.error", theme.px(16), devicePixelRatioF()));
    row->addWidget(mark);
    row->addWidget(new QLabel(read.isWithin() ? tr("The file matches the scene") : tr("The file differs from the scene")), 1);
    form->addRow(verdict);
    const auto millimetres = [](double metres) { return QString::number(metres * 1000, 'g', 3) + " mm"; };
    form->addRow(tr("File"), new QLabel(QFileInfo(file).fileName() + ", " + QLocale().formattedDataSize(report.bytes)));
    form->addRow(tr("Joints off by"), new QLabel(millimetres(read.jointError) + (read.jointAt.empty() ? QString() : "  (" + QString::fromStdString(read.jointAt) + ')')));
    if (read.vertices > 0)
        form->addRow(tr("Vertices off by"), new QLabel(millimetres(read.vertexError) + tr(", %1 compared").arg(read.vertices)));
    form->addRow(tr("Read back by"), new QLabel(QString::fromStdString(read.reader)));
    if (!read.missing.empty() || !report.issues.empty()) {
        auto* list = new QListWidget;
        list->setWordWrap(true);
        for (const std::string& missing : read.missing) list->addItem(tr("Missing: %1").arg(QString::fromStdString(missing)));
        for (const Issue& issue : report.issues) list->addItem(QString::fromStdString(issue.text));
        form->addRow(tr("Notes"), list);
    }
    auto* buttons = new QDialogButtonBox;
    auto* close = buttons->addButton(tr("Close"), QDialogButtonBox::AcceptRole);
    close->setProperty("main", true);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
}

} // namespace tendon::editor

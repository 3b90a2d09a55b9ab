#include "app/widgets/SaveFileDialog.h"

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>

#include <utility>

namespace tendon::editor {

SaveFileDialog::SaveFileDialog(QWidget* parent, const QString& title, const QString& usual, const QString& filter,
                               const QString& suffix, Write write)
    : QFileDialog(parent, title, QFileInfo(usual).absolutePath(), filter), m_write(std::move(write))
{
    setObjectName(QStringLiteral("saveFile"));
    setAcceptMode(AcceptSave);
    setFileMode(AnyFile);
    setDefaultSuffix(suffix);
    selectFile(QFileInfo(usual).fileName());
}

QString SaveFileDialog::ask() { return exec() == Accepted ? m_saved : QString(); }

void SaveFileDialog::done(int result)
{
    if (result == Accepted) {
        const QFileInfo file(selectedFiles().value(0));
        Result<void> written;
        if (!file.absoluteDir().exists())
            written = Error{ErrorCode::NotFound, tr("this folder does not exist").toStdString(),
                            QDir::toNativeSeparators(file.absolutePath()).toStdString()};
        else
            written = m_write(file.absoluteFilePath());
        if (!written) {
            auto* problem = new QMessageBox(QMessageBox::Warning, windowTitle(),
                                            QString::fromStdString(written.error().text()), QMessageBox::Ok, this);
            problem->setObjectName(QStringLiteral("saveFile.problem"));
            problem->setAttribute(Qt::WA_DeleteOnClose);
            problem->open();
            return;
        }
        m_saved = file.absoluteFilePath();
    }
    QFileDialog::done(result);
}

} // namespace tendon::editor

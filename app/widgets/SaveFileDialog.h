#pragma once

#include "core/base/Result.h"

#include <QFileDialog>

#include <functional>

namespace tendon::editor {

/// Asks where to save a file, and saves it. Where that fails, the dialog says why and stays, so that another folder or
/// name can be chosen and nothing has to be typed again.
class SaveFileDialog : public QFileDialog
{
    Q_OBJECT
public:
    using Write = std::function<Result<void>(const QString& path)>;

    /// `usual`: the path that is offered. A name without an ending gets `suffix`.
    SaveFileDialog(QWidget* parent, const QString& title, const QString& usual, const QString& filter,
                   const QString& suffix, Write write);

    /// The path that was saved; "" = cancelled.
    [[nodiscard]] QString ask();

protected:
    void done(int result) override;

private:
    Write m_write;
    QString m_saved;
};

} // namespace tendon::editor

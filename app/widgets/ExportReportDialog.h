#pragma once

#include "core/io/AnimationExport.h"

#include <QDialog>

namespace tendon::editor {

/// What reading the written file back has found, beside what was meant.
class ExportReportDialog : public QDialog
{
    Q_OBJECT
public:
    ExportReportDialog(const QString& file, const ExportReport& report, QWidget* parent = nullptr);
};

} // namespace tendon::editor

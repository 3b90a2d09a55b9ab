#pragma once

#include "core/document/ExportJob.h"

#include <QDialog>

class QVBoxLayout;

namespace tendon::editor {

/// Shows what reading an exported file back has found, and which goals were missed.
class ExportReportDialog : public QDialog
{
    Q_OBJECT
public:
    ExportReportDialog(const QString& file, const ExportOutcome& outcome, QWidget* parent = nullptr);

signals:
    void frameWanted(int frame);

private:
    void addVerdict(QVBoxLayout& column, bool isGood, const QString& verdict, const QString& what);
    void addChecks(QVBoxLayout& column, const ReadBack& read, const GoalTally& goals);
    void addGraph(QVBoxLayout& column, const ReadBack& read);
    void addNotes(QVBoxLayout& column, const ExportOutcome& outcome);
    void addButtons(QVBoxLayout& column, const QString& file, const QString& text);
};

} // namespace tendon::editor

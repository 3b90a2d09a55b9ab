#pragma once

#include "core/io/export/AnimationExport.h"

#include <QDialog>

class QVBoxLayout;

namespace tendon::editor {

/// Whether the goals were met when every frame was solved.
struct GoalTally
{
    std::size_t samples = 0, met = 0; ///< met: all goals of the sample
    double error = 0;                 ///< [m] the worst of those missed
    double frame = 0;                 ///< where that is
    std::string handle;               ///< whose
};
[[nodiscard]] GoalTally tallyGoals(const Scene& scene, const std::vector<BakedClip>& clips);

/// What reading the written file back has found, beside what was meant.
class ExportReportDialog : public QDialog
{
    Q_OBJECT
public:
    /// `notes`: what was said on the way.
    ExportReportDialog(const QString& file, const ExportReport& report, const GoalTally& goals, const Issues& notes,
                       QWidget* parent = nullptr);

signals:
    void frameWanted(int frame);

private:
    void addVerdict(QVBoxLayout& column, bool isGood, const QString& said, const QString& what);
    void addChecks(QVBoxLayout& column, const ReadBack& read, const GoalTally& goals);
    void addGraph(QVBoxLayout& column, const ReadBack& read);
    void addNotes(QVBoxLayout& column, const ReadBack& read, const GoalTally& goals, const Issues& notes);
    void addButtons(QVBoxLayout& column, const QString& file, const QString& text);
};

} // namespace tendon::editor

#pragma once

#include "core/io/import/ModelImport.h"

#include <QDialog>
#include <QImage>
#include <QJsonObject>

#include <functional>

class QComboBox;
class QLabel;
class QVBoxLayout;

namespace tendon::editor {

/// Shows the contents of a model file before it is imported: size with the guessed unit and axis, counts, warnings.
class ImportDialog : public QDialog
{
    Q_OBJECT
public:
    /// Draws the model. `pixels`: size in device pixels; `pixelRatio`: device pixels per logical pixel.
    using Draw = std::function<QImage(QSize pixels, double pixelRatio)>;

    /// `draw` makes the picture once the dialog is shown; unset = no picture.
    ImportDialog(const QString& file, const ImportedModel& model, Draw draw, QWidget* parent = nullptr);

    [[nodiscard]] QJsonObject operation() const;
    [[nodiscard]] bool isNewProject() const;
    [[nodiscard]] bool isAsGuessed() const; ///< unit and axis were left as they were read

private:
    void addTitle(QVBoxLayout& column, const std::string& format);
    void addSize(QVBoxLayout& column, bool isUnitGuessed);
    void addContents(QVBoxLayout& column, const ImportedModel& model);
    void addIssues(QVBoxLayout& column, const Issues& issues);
    void addButtons(QVBoxLayout& column);
    QLabel* addNoted(QVBoxLayout& column, const QString& label, QComboBox* box);
    void refresh();

    QString m_file;
    double m_height, m_metresPerUnit;
    int m_upAxis;
    QComboBox *m_where, *m_unit, *m_axis;
    QLabel* m_size;
};

} // namespace tendon::editor

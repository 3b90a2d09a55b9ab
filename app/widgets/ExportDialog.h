#pragma once

#include "core/io/export/base/ExportPresets.h"
#include "core/scene/Scene.h"

#include <QDialog>
#include <QJsonObject>

#include <utility>
#include <vector>

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace tendon::editor {

class NumberField;

/// What is exported, for which program and where: the operation `export`, from the same tables as the command line.
class ExportDialog : public QDialog
{
    Q_OBJECT
public:
    /// `file` is what it is called at first, without a suffix; where the project's model is called so, another name is.
    ExportDialog(const QString& file, const Scene& scene, ClipId clip, QWidget* parent = nullptr);

    [[nodiscard]] QJsonObject operation() const;

private:
    void addPresets(QVBoxLayout& column);
    void addFile(QVBoxLayout& column, const QString& file);
    void addClips(QVBoxLayout& column, ClipId clip);
    void addRoot(QVBoxLayout& column);
    void addButtons(QVBoxLayout& column);
    void choosePreset();
    void setSuffix(const QString& suffix);
    void browse();
    void refresh();
    void fitChoices();
    [[nodiscard]] const ExportPreset* preset() const; ///< null = none
    [[nodiscard]] QString path() const;
    [[nodiscard]] QString whyNot() const; ///< why this file can't be written; "" = it can

    Scene m_scene;
    QButtonGroup* m_presets;
    QLabel *m_presetNote, *m_folder, *m_note;
    QLineEdit* m_file;
    QComboBox *m_format, *m_clips, *m_frames, *m_rate, *m_root;
    NumberField *m_from, *m_to;
    std::vector<std::pair<double, double>> m_keyed; ///< first key and last [frame], by the choice of clips
    QCheckBox *m_only, *m_turns;
    QPushButton* m_export;
    QScrollArea* m_choices;
};

} // namespace tendon::editor

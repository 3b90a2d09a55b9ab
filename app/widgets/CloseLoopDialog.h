#pragma once

#include "app/editor/Editor.h"

#include <QDialog>

class QCheckBox;
class QRadioButton;
class QSpinBox;

namespace tendon::editor {

/// Asks how the current clip is closed to a loop, and closes it: the operation closeLoop. Deletes itself when it is
/// closed.
class CloseLoopDialog : public QDialog
{
    Q_OBJECT
public:
    explicit CloseLoopDialog(Editor& editor, QWidget* parent = nullptr);

private:
    [[nodiscard]] QWidget* rangeRow();
    void checkRange();
    void closeLoop();

    Editor& m_editor;
    QSpinBox *m_from, *m_to, *m_frames;
    QCheckBox* m_trims;
    int m_first = 0, m_last = 0; ///< frames of the clip's first and last key
    QRadioButton *m_keepsTravel, *m_removesTravel;
    QCheckBox* m_onlySelected;
};

} // namespace tendon::editor

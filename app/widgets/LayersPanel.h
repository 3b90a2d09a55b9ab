#pragma once

#include "app/editor/Editor.h"
#include "app/widgets/KeyDiamond.h"
#include "app/widgets/Section.h"

class QCheckBox;
class QLabel;
class QRadioButton;

namespace tendon::editor {

class NumberField;

/// The layers of the current clip: its corrections, on or off and with their weight, and its keys; which of the two is
/// edited.
class LayersPanel : public Section
{
    Q_OBJECT
public:
    explicit LayersPanel(Editor& editor, QWidget* parent = nullptr);

    void refresh();

private:
    void addWeight();
    void keyOrUnkey();
    void showWeightMenu(const QPoint& globalPosition);
    [[nodiscard]] Keyed keyedWeight() const;

    Editor& m_editor;
    QRadioButton *m_corrections, *m_keys;
    QCheckBox* m_on;
    QLabel *m_correctionCount, *m_keyCount;
    NumberField* m_weight;
    KeyDiamond* m_weightKey;
    bool m_isOpened = false; ///< once there is something to see
};

} // namespace tendon::editor

#pragma once

#include "app/widgets/InspectorTarget.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/Section.h"
#include "app/widgets/SettingFields.h"

#include <array>

class QCheckBox;
class QGridLayout;
class QLabel;

namespace tendon::editor {

/// A joint's parameters as 3ds Max shows them: sliding and rotational axes with Active, Limited, From, To, Ease;
/// terminator, stiffness, preferred angle. An edit changes every selected joint. Ctrl-drag of From or To previews the
/// limit: the joint moves there until the mouse button is released.
class JointPanel : public Section
{
    Q_OBJECT
public:
    explicit JointPanel(Editor& editor, QWidget* parent = nullptr);
    void show(const InspectorTarget& target);
    void refresh();

signals:
    void walked(JointId joint); ///< an arrow in the header was clicked

private:
    struct AxisRow
    {
        QCheckBox *active, *limited;
        NumberField *from, *to, *ease;
    };
    AxisRow addAxis(QGridLayout* grid, int row, int axis, bool slides);
    void addTable(const QString& title, bool slides, std::array<AxisRow, 3>& rows);
    void walk(int direction);
    [[nodiscard]] const Joint* joint() const;
    [[nodiscard]] QJsonObject forJoints(const std::function<QJsonObject(const Joint&)>& make) const;

    Editor& m_editor;
    InspectorTarget m_target;
    QLabel *m_relation, *m_name, *m_shape, *m_slidingOff = nullptr, *m_turningOff = nullptr;
    QCheckBox* m_terminator;
    std::array<AxisRow, 3> m_sliding{}, m_turning{};
    std::array<NumberField*, 3> m_preferred{};
    NumberField *m_stiffness, *m_damping, *m_spring;
    SettingFields m_settings;
    QWidget* m_content;
};

} // namespace tendon::editor

#pragma once

#include "app/widgets/InspectorTarget.h"
#include "app/widgets/ObjectFields.h"
#include "app/widgets/Section.h"
#include "app/widgets/SettingFields.h"

#include <array>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace tendon::editor {

class AxisTable;
class BallFields;
class SegmentFields;

/// A joint's parameters: terminator, rotation order, the tables of its axes, ball limits, precedence, stiffness,
/// preferred angles, speed limits, segment. An edit changes every selected joint.
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
    void walk(int direction);
    [[nodiscard]] const Joint* joint() const;
    [[nodiscard]] NumberField* rateField(bool turns, bool isSpeed);
    void addRates(QVBoxLayout* column, bool turns);
    void showRates(const Joint& joint);
    [[nodiscard]] QJsonObject forJoints(const std::function<QJsonObject(const Joint&)>& make) const;

    Editor& m_editor;
    InspectorTarget m_target;
    QLabel *m_relation, *m_name;
    QCheckBox* m_terminator;
    QPushButton* m_guess; ///< offers limits to a joint that has none
    QComboBox* m_order;
    AxisTable *m_sliding, *m_turning;
    BallFields* m_ball;
    SegmentFields* m_segment;
    std::array<NumberField*, 3> m_preferred{};
    NumberField *m_stiffness, *m_precedence;
    struct Rates
    {
        NumberField *speed = nullptr, *acceleration = nullptr;
    };
    Rates m_turningRates, m_slidingRates;
    ObjectFields<Joint> m_values;
    SettingFields m_settings;
    QWidget* m_content;
};

} // namespace tendon::editor

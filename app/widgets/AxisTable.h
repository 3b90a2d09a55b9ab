#pragma once

#include "app/widgets/InspectorTarget.h"
#include "app/widgets/ObjectFields.h"
#include "app/widgets/SettingFields.h"

#include <array>
#include <map>

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace tendon::editor {

/// The sliding or the rotational axes of the shown joint, as 3ds Max shows them: Active, Limited, From, To, Ease; and
/// below them damping, spring back and the tension of the spring. An edit changes every selected joint, but one of a
/// rotational axis leaves ball joints alone. Ctrl-drag of a limit or of the spring's value previews it.
class AxisTable : public QWidget
{
    Q_OBJECT
public:
    enum class Kind { Sliding, Rotational };

    /// `target` outlives the table. Adds the fields that not every solver uses to `settings`.
    AxisTable(Editor& editor, const InspectorTarget& target, Kind kind, SettingFields& settings);

    /// Call it after `settings` were shown. `reason`: why the axes have no effect; empty = they have. One that is
    /// active can always be turned off. Rotational axes are hidden for a ball joint, which does not use them.
    /// `joints`: those that are edited, the shown one first.
    void show(const std::vector<const Joint*>& joints, const QString& reason);
    void setHeadingTip(const QString& tip);

private:
    struct Row
    {
        QCheckBox *active, *limited, *springs;
        NumberField *from, *to, *ease, *damping, *springBack, *springTension;
    };
    using MakeFields = std::function<QJsonObject(const Joint& joint)>;
    using Present = std::function<double(const Joint& joint)>; ///< in the field's unit

    [[nodiscard]] QJsonObject forJoints(std::size_t axis, const MakeFields& fields) const;
    [[nodiscard]] QCheckBox* check(std::size_t axis, const char* field, const QString& title,
                                   const std::function<QJsonValue(const Joint&, bool on)>& value);
    [[nodiscard]] NumberField* number(std::size_t axis, const char* field, const QString& title,
                                      NumberField::Format format, double factor, const Present& present, bool previews);
    /// Greys a field that cannot be used, and adds the reason to its tip.
    void setUsable(QWidget* field, bool isUsable, const QString& reason) const;
    void addFlags(const Row& row, std::size_t index);
    void dress(QWidget* field, std::size_t axis, const char* name, const QString& title, const QString& tip);
    /// How many metres in the world a unit of the joint's sliding is; 1 of turning.
    [[nodiscard]] double metresOf(const Joint& joint, std::size_t axis) const;
    [[nodiscard]] const std::array<AxisFreedom, 3>& axesOf(const Joint& joint) const;
    [[nodiscard]] bool slides() const { return m_kind == Kind::Sliding; }

    Editor& m_editor;
    const InspectorTarget& m_target;
    Kind m_kind;
    QLabel* m_note;
    QWidget* m_fields;
    std::map<QWidget*, QString> m_tips; ///< of the fields while they can be used
    std::array<Row, 3> m_rows{};
    ObjectFields<Joint> m_values;
};

} // namespace tendon::editor

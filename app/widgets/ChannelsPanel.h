#pragma once

#include "app/widgets/InspectorTarget.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/Section.h"
#include "app/widgets/SettingFields.h"
#include "core/scene/Constraint.h"

class QComboBox;

namespace tendon::editor {

/// The channels of the active joint or handle at the shown frame. A value with a key at this frame is red; one with
/// keys only at other frames is pink. Rotations are shown and typed as the view settings say: as Euler angles or as
/// rotation vectors.
class ChannelsPanel : public Section
{
    Q_OBJECT
public:
    explicit ChannelsPanel(Editor& editor, QWidget* parent = nullptr);

    void show(const InspectorTarget& target);
    void refresh(); ///< shows the values of the current frame

signals:
    void graphWanted(tendon::ChannelId channel, int component);

private:
    struct Row
    {
        NumberField* field;
        std::function<double(const FrameResult&)> value;
        std::vector<Property> properties; ///< channels whose keys mark the field
        std::function<bool()> isMixed;    ///< the selected objects that an edit changes differ; unset = it changes one
    };
    void addJointRows();
    [[nodiscard]] QJsonObject turnJoint(const Joint& joint, int axis, double degrees) const;
    void addHandleRows();
    void addGoalRows();
    void addPoleRow();
    void addCurvePointRow(int index);

    /// The handles whose goals a typed value changes: the shown one first. Those along a curve have none.
    [[nodiscard]] std::vector<const Handle*> editedGoals() const;
    [[nodiscard]] QJsonObject forGoals(const std::function<QJsonObject(const Handle&)>& make) const;
    [[nodiscard]] bool areGoalsMixed(const std::function<double(HandleId)>& value) const;

    using MakePosition = std::function<QJsonObject(const Handle&, const QJsonArray& position)>; ///< [m]
    /// Fields for a channel of the handle that is a position; `objectName` with %1 for the axis.
    [[nodiscard]] QList<QWidget*> addPosition(Property property, const QString& objectName, const MakePosition& make,
                                              const std::function<void()>& reset);
    /// Puts the handle's goal or curve where the rest pose has it.
    void resetHandle();
    [[nodiscard]] bool hasHandle() const;
    /// A channel of the shown handle, or of another one, at the shown frame.
    [[nodiscard]] ChannelValue sampled(Property property) const { return sampled(property, m_target.handle); }
    [[nodiscard]] ChannelValue sampled(Property property, HandleId of) const;
    /// How many metres in the world a unit of sampled() is.
    [[nodiscard]] Vector3 metresOf(Property property, HandleId of) const;
    void addNumber(NumberField* field, std::function<double(const FrameResult&)> value,
                   std::vector<Property> properties, std::function<bool()> isMixed = {});
    void addMenu(NumberField* field, std::vector<Property> properties, std::function<void()> reset, int axis = -1);
    /// Makes a drag of the field move every object that an edit changes by as much: `present` is read when it begins.
    [[nodiscard]] std::function<double(ObjectId)> dragFrom(NumberField* field, std::function<double(ObjectId)> present);
    [[nodiscard]] std::vector<ObjectId> editedObjects() const;
    [[nodiscard]] NumberField::Keyed keyedState(const std::vector<Property>& properties) const;
    [[nodiscard]] QString name() const;

    Editor& m_editor;
    InspectorTarget m_target;
    int m_curvePoints = 0; ///< of the handle, when the rows were made
    Constraint m_constraint = Constraint::None;
    bool m_hasBlend = false;                   ///< a row of its own
    RotationForm m_form = RotationForm::Euler; ///< of the rows
    QComboBox* m_forms = nullptr;
    std::vector<Row> m_rows;
    std::optional<SettingFields> m_settings; ///< of a handle
};

} // namespace tendon::editor

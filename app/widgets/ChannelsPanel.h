#pragma once

#include "app/widgets/InspectorTarget.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/Section.h"

namespace tendon::editor {

/// The channels of the active joint or handle: values at the shown frame, red where keyed here, pink where keyed
/// elsewhere.
class ChannelsPanel : public Section
{
    Q_OBJECT
public:
    explicit ChannelsPanel(Editor& editor, QWidget* parent = nullptr);

    void show(const InspectorTarget& target);
    void refresh(); ///< values of the frame shown now

private:
    struct Row
    {
        NumberField* field;
        std::function<double(const FrameResult&)> value;
        std::vector<Property> properties; ///< that key its value
    };
    void addJointRows();
    void addHandleRows();
    void addNumber(NumberField* field, std::function<double(const FrameResult&)> value,
                   std::vector<Property> properties);
    void addMenu(NumberField* field, std::vector<Property> properties, std::function<void()> reset);
    [[nodiscard]] NumberField::Keyed keyedState(const std::vector<Property>& properties) const;
    [[nodiscard]] QString name() const;

    Editor& m_editor;
    InspectorTarget m_target;
    std::vector<Row> m_rows;
};

} // namespace tendon::editor

#pragma once

#include "app/widgets/InspectorTarget.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/Section.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace tendon::editor {

/// What a handle is: its solver, goals' weights, pole, what it follows, its tolerances.
class HandlePanel : public Section
{
    Q_OBJECT
public:
    explicit HandlePanel(Editor& editor, QWidget* parent = nullptr);
    void show(const InspectorTarget& target);
    void refresh();

private:
    struct Number
    {
        NumberField* field;
        std::function<double(const Handle&)> value;
    };
    void addNumber(const QString& label, const char* field, NumberField::Format format, double factor,
                   std::function<double(const Handle&)> value);
    void fillChoices();
    /// A place for a new pole: out from the bend, as far again as the chain is long.
    void showBadge(const HandleView* view); ///< IK, FK or how much of each; null: none
    [[nodiscard]] QString name() const;
    [[nodiscard]] const Handle* handle() const;

    Editor& m_editor;
    InspectorTarget m_target;
    std::vector<Number> m_numbers;
    QComboBox *m_solver, *m_pole, *m_follow;
    QCheckBox *m_pinned, *m_sticky;
    QLabel *m_badge, *m_empty, *m_chain;
    QWidget* m_fields;
    Shared<std::vector<Joint>> m_joints; ///< that the choices were made from
    bool m_hasChoices = false;
};

} // namespace tendon::editor

#pragma once

#include "app/widgets/InspectorTarget.h"
#include "app/widgets/ObjectFields.h"
#include "app/widgets/Section.h"

#include <functional>
#include <string>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace tendon::editor {

/// The parameters that a handle's solver declares in its solver.json, and the result of its last solve. An edit changes
/// every selected handle with the same solver.
class SolverPanel : public Section
{
    Q_OBJECT
public:
    explicit SolverPanel(Editor& editor, QWidget* parent = nullptr);
    void show(const InspectorTarget& target);
    void refresh();

private:
    void build(const SolverInfo* info);
    struct Conditional
    {
        SolverParameter parameter;
        QLabel* label;
        QWidget* field;
    };
    void greyUnused(const Handle& handle, const SolverInfo* info);
    void addObjectives(QVBoxLayout& column); ///< for solvers that support objectives
    QWidget* fieldFor(const SolverParameter& parameter);
    [[nodiscard]] const Handle* handle() const;
    [[nodiscard]] std::vector<const Handle*> handlesOfSolver() const; ///< edited ones with the solver of the shown one
    [[nodiscard]] QJsonObject
    forSameSolver(const std::function<QJsonObject(const Handle&)>& fields) const; ///< a setHandle for each of them

    Editor& m_editor;
    InspectorTarget m_target;
    std::string m_builtFor; ///< id of the solver
    ObjectFields<Handle> m_values;
    std::vector<Conditional> m_conditional; ///< what does not always count
    QLabel* m_stopped;
    QWidget* m_parameters = nullptr;
};

} // namespace tendon::editor

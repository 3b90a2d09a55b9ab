#pragma once

#include "app/widgets/graph/GraphState.h"

#include <QDialog>
#include <QJsonObject>

class QLabel;
class QPushButton;

namespace tendon::editor {

class NumberField;

/// Smooths or reduces the chosen keys. The graph and the viewport show what comes of it while it is open; "Cancel"
/// leaves everything as it was, "OK" makes it one undo step.
class FilterDialog : public QDialog
{
    Q_OBJECT
public:
    enum class Kind { Smooth, Reduce };

    FilterDialog(GraphState& state, Kind kind, QWidget* parent);

    void done(int result) override;

private:
    /// What its fields say of the curves that are measured alike: lengths, angles, or numbers without a unit.
    struct Part
    {
        std::vector<QJsonObject> operations;
        NumberField* field = nullptr;
        double factor = 1; ///< of the field's value in the operation's
    };
    void preview();
    [[nodiscard]] std::size_t keyCount() const; ///< of the channels that it works on

    GraphState& m_state;
    const Kind m_kind;
    std::vector<Part> m_parts;
    std::set<CurveId> m_curves;
    std::size_t m_keysBefore = 0;
    NumberField* m_passes = nullptr;
    QLabel* m_outcome;
    QPushButton* m_ok = nullptr;
};

} // namespace tendon::editor

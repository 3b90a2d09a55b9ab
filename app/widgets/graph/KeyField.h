#pragma once

#include "app/widgets/graph/GraphEdits.h"
#include "app/widgets/graph/GraphState.h"

#include <QObject>

#include <memory>
#include <optional>

namespace tendon::editor {

class NumberEdit;
class NumberField;

/// Makes a number field one of the selected keys. A drag changes them as it goes and is one undo step.
class KeyField : public QObject
{
    Q_OBJECT
public:
    enum class Kind {
        Frame,   ///< of the first of them; the others go with it
        Value,   ///< of each
        MoveBy,  ///< frames; 0 again afterwards
        Stretch, ///< factor of their times, the first of them stays; 1 again afterwards
    };
    /// The field owns this. `state` outlives it.
    KeyField(NumberField& field, GraphState& state, Kind kind);

private:
    void refresh();
    void beginDrag();
    void drag(double value);
    void endDrag(bool isKept);
    void enter(const NumberEdit& edit);
    void change(double frames, double stretch); ///< at once
    [[nodiscard]] double firstFrame(const GraphKeys& keys) const;

    NumberField& m_field;
    GraphState& m_state;
    const Kind m_kind;
    // The drag
    GraphKeys m_keys;
    std::optional<KeyMove> m_move;
    std::optional<KeyScale> m_scale;
    double m_from = 0;
};

} // namespace tendon::editor

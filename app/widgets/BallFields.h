#pragma once

#include "app/widgets/InspectorTarget.h"
#include "app/widgets/ObjectFields.h"

#include <array>

class QCheckBox;
class QComboBox;
class QLabel;

namespace tendon::editor {

/// Makes the shown joint a ball joint, and edits its limits: the twist axis, the four semi-axes of the swing ellipse,
/// and the range of twist. An edit of a limit reaches the selected joints that have it.
class BallFields : public QWidget
{
    Q_OBJECT
public:
    BallFields(Editor& editor, const InspectorTarget& target); ///< `target` outlives the fields

    /// `reason`: why the joint cannot be a ball joint; empty = it can. A ball joint can always be made an ordinary one.
    /// `joints`: those that are edited, the shown one first.
    void show(const std::vector<const Joint*>& joints, const QString& reason);

private:
    [[nodiscard]] QJsonObject forBalls(const std::function<QJsonObject(const BallLimits& ball)>& make) const;
    [[nodiscard]] NumberField* swingField(std::size_t end);
    [[nodiscard]] NumberField* twistField(std::size_t end);

    Editor& m_editor;
    const InspectorTarget& m_target;
    QCheckBox *m_isBall, *m_isSwingLimited, *m_isTwistLimited;
    QComboBox* m_axis;
    QLabel* m_reason;
    QWidget* m_limits;
    std::array<QLabel*, 3> m_letters{}; ///< of the rows: the two axes of swing, then that of twist
    std::array<NumberField*, 4> m_swing{};
    std::array<NumberField*, 2> m_twist{};
    ObjectFields<Joint> m_kind, m_values; ///< whether they are ball joints; the limits of those that are
};

} // namespace tendon::editor

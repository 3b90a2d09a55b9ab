#pragma once

#include "app/widgets/InspectorTarget.h"
#include "app/widgets/ObjectFields.h"

#include <vector>

class QComboBox;
class QLabel;
class QVBoxLayout;

namespace tendon::editor {

/// The segment of the shown joint: shape, sizes, place and mass; and what follows from them, length and volume. An edit
/// of a size reaches the selected joints of the same shape.
class SegmentFields : public QWidget
{
    Q_OBJECT
public:
    SegmentFields(Editor& editor, const InspectorTarget& target); ///< `target` outlives the fields
    void show(const std::vector<const Joint*>& joints);           ///< those that are edited, the shown one first

private:
    /// A row that belongs to some of the shapes.
    struct Row
    {
        QWidget* widget;
        std::vector<Segment::Shape> shapes;
    };
    void addNumbers(const QString& label, const char* name, std::vector<Segment::Shape> shapes,
                    const NumberField::Format& format, std::size_t first, std::size_t count,
                    double (*value)(const Segment&, std::size_t), void (*change)(Segment&, std::size_t, double));
    [[nodiscard]] QJsonObject withShape(Segment::Shape shape) const;
    [[nodiscard]] QJsonObject
    forSameShape(const std::function<void(Segment& segment, const Joint& joint)>& change) const;
    [[nodiscard]] double metresOf(const Joint& joint, std::size_t i) const; ///< in the world, of a unit of a size

    Editor& m_editor;
    const InspectorTarget& m_target;
    QVBoxLayout* m_column;
    QComboBox* m_shape;
    NumberField* m_mass;
    QLabel* m_result;
    std::vector<Row> m_rows;
    ObjectFields<Joint> m_values, m_shapeValues; ///< of all; of those of one shape
};

} // namespace tendon::editor

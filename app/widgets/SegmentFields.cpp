#include "app/widgets/SegmentFields.h"

#include "app/editor/JsonValues.h"
#include "app/editor/LengthText.h"
#include "app/editor/Theme.h"
#include "app/editor/TrueLengths.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/OperationFields.h"
#include "app/widgets/Section.h"
#include "core/math/Degrees.h"

#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {
namespace {

using Shape = Segment::Shape;

struct ShapeKind
{
    Shape shape;
    const char* name; ///< as operations call it
    const char* text;
    int sizes;
};
constexpr ShapeKind kKinds[] = {
    {Shape::None, "", QT_TRANSLATE_NOOP("tendon::editor::SegmentFields", "None"), 0},
    {Shape::Box, "box", QT_TRANSLATE_NOOP("tendon::editor::SegmentFields", "Box"), 3},
    {Shape::Cylinder, "cylinder", QT_TRANSLATE_NOOP("tendon::editor::SegmentFields", "Cylinder"), 2},
    {Shape::Sphere, "sphere", QT_TRANSLATE_NOOP("tendon::editor::SegmentFields", "Sphere"), 1},
    {Shape::Torus, "torus", QT_TRANSLATE_NOOP("tendon::editor::SegmentFields", "Torus"), 2},
    {Shape::Cone, "cone", QT_TRANSLATE_NOOP("tendon::editor::SegmentFields", "Cone"), 2},
};

const ShapeKind& kindOf(Shape shape)
{
    return *std::find_if(std::begin(kKinds), std::end(kKinds), [&](const ShapeKind& k) { return k.shape == shape; });
}

/// The bone from a joint to the first joint below it that is elsewhere; null = there is none.
const Joint* boneEnd(const Scene& scene, const Joint& joint)
{
    for (const Joint& child : *scene.joints)
        if (child.parent == joint.id && child.rest.translation.norm() > 0) return &child;
    return nullptr;
}

/// A segment of this shape that fits the joint's bone. One that has another shape already keeps its place.
Segment fittedSegment(const Scene& scene, const Joint& joint, Shape shape)
{
    constexpr double kDefaultLength = 0.1, kThickness = 0.2; // [m] without a bone; of the length
    const Joint* end = boneEnd(scene, joint);
    const Vector3 bone = end == nullptr ? Vector3(0, kDefaultLength, 0) : end->rest.translation;
    const double length = bone.norm(), thickness = kThickness * length;
    Segment segment = joint.segment;
    segment.shape = shape;
    switch (shape) {
    case Shape::Box: segment.size = {thickness, length, thickness}; break;
    case Shape::Cylinder:
    case Shape::Cone: segment.size = {thickness / 2, length, 0}; break;
    case Shape::Sphere: segment.size = {thickness, 0, 0}; break;
    case Shape::Torus: segment.size = {thickness, thickness / 4, 0}; break;
    case Shape::None: break;
    }
    if (joint.segment.shape != Shape::None) return segment;
    segment.rotation = Quaternion::FromTwoVectors(Vector3::UnitY(), bone);
    segment.offset = shape == Shape::Box ? Vector3(bone / 2) : Vector3(Vector3::Zero()); // a box is about its middle
    return segment;
}

QJsonObject operationFor(const Segment& segment)
{
    const ShapeKind& kind = kindOf(segment.shape);
    QJsonArray size;
    for (int i = 0; i < kind.sizes; ++i) size.append(segment.size[i]);
    return {{"op", "setSegment"},
            {"shape", QJsonObject{{"kind", kind.name},
                                  {"size", size},
                                  {"offset", toJson(segment.offset)},
                                  {"rotation", toJson(segment.rotation)}}}};
}

Vector3 anglesOf(const Segment& segment)
{
    return anglesFromRotation(segment.rotation, RotationOrder::XYZ, Vector3::Zero());
}

double sizeOf(const Segment& segment, std::size_t i) { return segment.size[static_cast<Eigen::Index>(i)] * kCm; }
void setSize(Segment& segment, std::size_t i, double cm) { segment.size[static_cast<Eigen::Index>(i)] = cm / kCm; }
double offsetOf(const Segment& segment, std::size_t i) { return segment.offset[static_cast<Eigen::Index>(i)] * kCm; }
void setOffset(Segment& segment, std::size_t i, double cm) { segment.offset[static_cast<Eigen::Index>(i)] = cm / kCm; }
double angleOf(const Segment& segment, std::size_t i)
{
    return anglesOf(segment)[static_cast<Eigen::Index>(i)] * kDegrees;
}
void setAngle(Segment& segment, std::size_t i, double degrees)
{
    Vector3 angles = anglesOf(segment);
    angles[static_cast<Eigen::Index>(i)] = degrees / kDegrees;
    segment.rotation = rotationFromAngles(angles, RotationOrder::XYZ);
}

} // namespace

SegmentFields::SegmentFields(Editor& editor, const InspectorTarget& target) : m_editor(editor), m_target(target)
{
    EditorDocument& document = editor.document();
    const Theme& theme = Theme::instance();
    m_column = new QVBoxLayout(this);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(theme.px(4));
    auto* heading = new QLabel(tr("Segment"));
    heading->setProperty("role", "title");
    m_column->addWidget(heading);
    m_shape = choiceField(document, [this](const QString& name) {
        const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                       [&](const ShapeKind& k) { return k.name == name; });
        return withShape(kind->shape);
    });
    m_shape->setObjectName(QStringLiteral("joint.segment.shape"));
    for (const ShapeKind& kind : kKinds) m_shape->addItem(tr(kind.text), kind.name);
    addRow(m_column, tr("Shape"), {m_shape}, tr("The shape drawn for the joint. A new one fits the joint's bone"));

    const NumberField::Format size{.decimals = 1, .unit = QStringLiteral("cm"), .step = 0.1, .minimum = 1e-4};
    const NumberField::Format place{.decimals = 1, .unit = QStringLiteral("cm"), .step = 0.1};
    const NumberField::Format angle{.decimals = 1, .unit = QStringLiteral("°"), .step = 0.5};
    const std::vector<Shape> any{Shape::Box, Shape::Cylinder, Shape::Sphere, Shape::Torus, Shape::Cone};
    addNumbers(tr("Size"), "size", {Shape::Box}, size, 0, 3, sizeOf, setSize);
    addNumbers(tr("Radius"), "radius", {Shape::Cylinder, Shape::Cone, Shape::Sphere}, size, 0, 1, sizeOf, setSize);
    addNumbers(tr("Height"), "height", {Shape::Cylinder, Shape::Cone}, size, 1, 1, sizeOf, setSize);
    addNumbers(tr("Ring radius"), "ringRadius", {Shape::Torus}, size, 0, 1, sizeOf, setSize);
    addNumbers(tr("Tube radius"), "tubeRadius", {Shape::Torus}, size, 1, 1, sizeOf, setSize);
    addNumbers(tr("Offset"), "offset", any, place, 0, 3, offsetOf, setOffset);
    addNumbers(tr("Rotation"), "rotation", any, angle, 0, 3, angleOf, setAngle);

    m_mass = numberField(document, {.decimals = 2, .unit = QStringLiteral("kg"), .step = 0.01, .minimum = 0},
                         [this](const NumberEdit& edit) {
                             return forEditedJoints(m_editor, m_target, [&](const Joint& joint) {
                                 return QJsonObject{{"op", "setSegment"}, {"mass", edit.of(joint.segment.mass)}};
                             });
                         });
    m_mass->setObjectName(QStringLiteral("joint.segment.mass"));
    addRow(m_column, tr("Mass"), {m_mass}, fieldHelp("setSegment", "mass"));
    m_values.add(m_shape, [](const Joint& joint) { return QString(kindOf(joint.segment.shape).name); });
    m_values.add(m_mass, [](const Joint& joint) { return joint.segment.mass; });
    m_result = new ElidedLabel;
    m_result->setProperty("role", "hint");
    m_result->setObjectName(QStringLiteral("joint.segment.result"));
    m_column->addWidget(m_result);
}

void SegmentFields::addNumbers(const QString& label, const char* name, std::vector<Shape> shapes,
                               const NumberField::Format& format, std::size_t first, std::size_t count,
                               double (*value)(const Segment&, std::size_t),
                               void (*change)(Segment&, std::size_t, double))
{
    QList<QWidget*> fields;
    const bool isLength = value != angleOf;
    for (std::size_t i = first; i < first + count; ++i) {
        NumberField::Format own = format;
        if (count > 1) own.axis = QChar('X' + static_cast<int>(i));
        NumberField* field = numberField(m_editor.document(), std::move(own),
                                         [this, value, change, i, isLength](const NumberEdit& edit) {
                                             return forSameShape([&](Segment& segment, const Joint& of) {
                                                 const double metres = isLength ? metresOf(of, i) : 1;
                                                 change(segment, i, edit.of(value(segment, i) * metres) / metres);
                                             });
                                         });
        const QString suffix = count > 1 ? QStringLiteral(".%1").arg(kAxisNames[i]) : QString();
        field->setObjectName(QStringLiteral("joint.segment.%1%2").arg(QLatin1StringView(name), suffix));
        m_shapeValues.add(field, [this, value, i, isLength](const Joint& joint) {
            return value(joint.segment, i) * (isLength ? metresOf(joint, i) : 1);
        });
        fields << field;
    }
    auto* widget = new QWidget;
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    addRow(column, label, fields, fieldHelp("setSegment", "shape"));
    m_column->addWidget(widget);
    m_rows.push_back({widget, std::move(shapes)});
}

double SegmentFields::metresOf(const Joint& joint, std::size_t i) const
{
    const Vector3 metres = metresPerUnitOf(m_editor.document().scene(), joint.id);
    return joint.segment.shape == Shape::Box ? metres[static_cast<Eigen::Index>(i)] : evenly(metres);
}

QJsonObject SegmentFields::withShape(Shape shape) const
{
    return forEditedJoints(m_editor, m_target, [&](const Joint& joint) {
        if (shape == Shape::None) return QJsonObject{{"op", "setSegment"}, {"shape", QJsonValue()}};
        return operationFor(fittedSegment(m_editor.document().scene(), joint, shape));
    });
}

QJsonObject SegmentFields::forSameShape(const std::function<void(Segment&, const Joint&)>& change) const
{
    const Joint* shown = m_editor.document().scene().find(m_target.joint);
    return forEditedJoints(m_editor, m_target, [&](const Joint& joint) {
        if (shown == nullptr || joint.segment.shape != shown->segment.shape) return QJsonObject();
        Segment segment = joint.segment;
        change(segment, joint);
        return operationFor(segment);
    });
}

void SegmentFields::show(const std::vector<const Joint*>& joints)
{
    const Joint& joint = *joints.front();
    const Segment& segment = joint.segment;
    m_values.show(joints);
    std::vector<const Joint*> alike = joints;
    std::erase_if(alike, [&](const Joint* other) { return other->segment.shape != segment.shape; });
    m_shapeValues.show(alike);
    for (const Row& row : m_rows)
        row.widget->setVisible(std::find(row.shapes.begin(), row.shapes.end(), segment.shape) != row.shapes.end());
    const Joint* end = boneEnd(m_editor.document().scene(), joint);
    const Vector3 metres = metresPerUnitOf(m_editor.document().scene(), joint.id);
    QStringList results;
    if (end != nullptr)
        results << tr("Length %1, to %2")
                       .arg(fieldLengthText(end->rest.translation.cwiseProduct(metres).norm()),
                            QString::fromStdString(end->name));
    if (segment.shape != Shape::None)
        results << tr("volume %1 L").arg(segment.volume() * metres.prod() * 1000, 0, 'f', 2);
    m_result->setText(results.join(QStringLiteral(" · ")));
    m_result->setVisible(!results.isEmpty());
}

} // namespace tendon::editor

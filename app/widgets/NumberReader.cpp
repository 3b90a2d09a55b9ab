#include "app/widgets/NumberReader.h"

#include "app/widgets/NumberField.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <cmath>

namespace tendon::editor {
namespace {

class NumberReader : public QAccessibleWidget, public QAccessibleValueInterface
{
public:
    explicit NumberReader(NumberField* field) : QAccessibleWidget(field, QAccessible::SpinBox), m_field(field) {}

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override
    {
        const QString unit = m_field->shownUnit().trimmed();
        if (kind == QAccessible::Value) return unit.isEmpty() ? m_field->text() : m_field->text() + ' ' + unit;
        return QAccessibleWidget::text(kind);
    }
    QVariant currentValue() const override { return m_field->value(); }
    void setCurrentValue(const QVariant& value) override { m_field->enter(value.toDouble()); }
    QVariant minimumValue() const override { return bound(m_field->format().minimum); }
    QVariant maximumValue() const override { return bound(m_field->format().maximum); }
    QVariant minimumStepSize() const override { return m_field->format().step; }

private:
    static QVariant bound(double value) { return std::isfinite(value) ? QVariant(value) : QVariant(); }
    NumberField* m_field;
};

QAccessibleInterface* make(const QString&, QObject* object)
{
    auto* field = qobject_cast<NumberField*>(object);
    return field == nullptr ? nullptr : new NumberReader(field);
}

} // namespace

void installNumberReader() { QAccessible::installFactory(make); }

} // namespace tendon::editor

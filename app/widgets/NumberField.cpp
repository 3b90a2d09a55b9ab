#include "app/widgets/NumberField.h"

#include "app/editor/LengthUnit.h"
#include "app/editor/Theme.h"

#include <QAccessible>
#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QStyle>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tendon::editor {
namespace {

double unitFactor(const QString& from, const QString& to)
{
    const auto metres = [](const QString& unit) {
        return unit == "m" ? 1.0 : unit == "cm" ? 0.01 : unit == "mm" ? 0.001 : unit == "in" ? 0.0254 : 0.0;
    };
    return metres(from) > 0 && metres(to) > 0 ? metres(from) / metres(to) : 1.0;
}

} // namespace

std::optional<double> NumberField::parse(const QString& typed, double current, const QString& unit)
{
    static const QRegularExpression term(QStringLiteral(
        "\\G\\s*([+\\-*/]?)\\s*([+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)\\s*(cm|mm|m|in|%|°|deg)?\\s*"));
    QString text = typed;
    text.replace(',', '.');
    text = text.trimmed();
    // A sign at the start belongs to the number; what changes the present value goes on from it.
    const bool changes = isChange(text);
    if (changes && text.size() > 1 && text[1] == '=') text.remove(1, 1);
    bool isFirst = true;
    double sum = changes ? current : 0;
    qsizetype at = 0;
    while (at < text.size()) {
        const auto match = term.match(text, at);
        if (!match.hasMatch() || match.capturedLength() == 0) return std::nullopt;
        const QString op = match.captured(1);
        double value = match.captured(2).toDouble();
        const QString suffix = match.captured(3);
        if (suffix == "%")
            value *= unit == "%" ? 1 : 0.01;
        else
            value *= unitFactor(suffix, unit);
        if (!isFirst && op.isEmpty() && !match.captured(2).startsWith('-') && !match.captured(2).startsWith('+'))
            return std::nullopt;
        if (op == "*")
            sum *= value;
        else if (op == "/")
            sum /= value;
        else
            sum += op == "-" ? -value : value;
        isFirst = false;
        at = match.capturedEnd();
    }
    if (isFirst || !std::isfinite(sum)) return std::nullopt;
    return sum;
}

bool NumberField::isChange(const QString& text)
{
    static const QRegularExpression change(QStringLiteral("^\\s*([*/]|[+\\-]=)"));
    return change.match(text).hasMatch();
}

NumberField::NumberField(Format format, QWidget* parent) : QWidget(parent), m_format(std::move(format))
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::SizeHorCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    connect(&Theme::instance(), &Theme::changed, this, [this] { updateGeometry(); });
    connect(&LengthUnits::instance(), &LengthUnits::changed, this, qOverload<>(&QWidget::update));
}

bool NumberField::isLength() const
{
    const QStringView unit = QStringView(m_format.unit).trimmed();
    return unit == QLatin1String("cm") || unit.startsWith(QLatin1String("cm/"));
}

double NumberField::shownPerUnit() const { return isLength() ? LengthUnits::instance().perCentimetre() : 1; }

int NumberField::decimals() const
{
    return m_format.decimals + (isLength() ? LengthUnits::instance().shown().extraDecimals : 0);
}

QString NumberField::shownUnit() const
{
    QString unit = m_format.unit;
    return isLength() ? unit.replace(QLatin1String("cm"), QLatin1String(LengthUnits::instance().shown().name)) : unit;
}

std::optional<double> NumberField::parsed(const QString& text, double present) const
{
    const auto shown = parse(text, present * shownPerUnit(), shownUnit().trimmed());
    return shown ? std::optional(*shown / shownPerUnit()) : std::nullopt;
}

QSize NumberField::sizeHint() const { return {Theme::instance().px(72), Theme::instance().size("height.field")}; }
QSize NumberField::minimumSizeHint() const
{
    return {Theme::instance().px(44), Theme::instance().size("height.field")};
}

void NumberField::setValue(double value, bool isMixed)
{
    if (m_isDragging || m_edit != nullptr) return;
    if (value == m_value && isMixed == m_isMixed) return;
    m_isMixed = isMixed;
    show(value);
}

void NumberField::show(double value)
{
    m_value = value;
    update();
    if (!QAccessible::isActive()) return;
    QAccessibleValueChangeEvent said(this, value);
    QAccessible::updateAccessibility(&said);
}

void NumberField::setDecimals(int decimals)
{
    if (decimals == m_format.decimals || m_isDragging || m_edit != nullptr) return;
    m_format.decimals = decimals;
    update();
}

void NumberField::setKeyed(Keyed keyed)
{
    if (keyed == m_keyed) return;
    m_keyed = keyed;
    update();
}

void NumberField::setInForce(bool isInForce)
{
    if (isInForce == m_isInForce) return;
    m_isInForce = isInForce;
    update();
}

QString NumberField::text() const { return m_isMixed ? mixedText() : textWith(decimals()); }

QString NumberField::textWith(int decimals) const
{
    const double value = m_value * shownPerUnit();
    if (m_format.isLogarithmic) return QString::number(value, 'g', std::max(1, decimals));
    const double rounded = std::abs(value) < 0.5 * std::pow(10.0, -decimals) ? 0.0 : value; // no "-0.0"
    return QString::number(rounded, 'f', decimals);
}

NumberField::Shown NumberField::shown() const
{
    const Theme& theme = Theme::instance();
    const QFontMetrics metrics(theme.font(12));
    const int pad = theme.px(6), keyed = m_keyed != Keyed::No ? theme.px(10) : 0;
    const int least = m_isMixed ? 0 : metrics.horizontalAdvance(textWith(0));
    Shown shown;
    shown.right = width() - pad - keyed;
    shown.hasAxis = !m_format.axis.isNull() && width() >= theme.px(50) && pad + theme.px(10) + least <= shown.right;
    shown.left = pad + (shown.hasAxis ? theme.px(10) : 0);
    const int gap = m_format.unit == QStringLiteral("°") ? theme.px(2) : theme.px(4);
    const int unit = m_format.unit.isEmpty() ? 0 : metrics.horizontalAdvance(shownUnit()) + gap;
    const auto fits = [&](const QString& number) {
        return shown.left + metrics.horizontalAdvance(number) <= shown.right;
    };
    shown.hasUnit = unit > 0 && !m_isMixed && width() >= theme.px(shown.hasAxis ? 74 : 58) &&
                    shown.left + metrics.horizontalAdvance(text()) <= shown.right - unit;
    if (shown.hasUnit) shown.right -= unit;
    shown.number = text();
    for (int fewer = decimals() - 1; !m_isMixed && fewer >= 0 && !fits(shown.number); --fewer)
        shown.number = textWith(fewer);
    if (!fits(shown.number)) shown.number = metrics.elidedText(shown.number, Qt::ElideRight, shown.right - shown.left);
    return shown;
}

void NumberField::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const double radius = theme.size("radius.field");

    QColor fill = theme.color("surface.well");
    if (m_keyed == Keyed::Here) fill = theme.color("time.key-here-field");
    if (m_keyed == Keyed::Elsewhere) fill = theme.color("time.key-elsewhere-field");
    if (m_keyed == Keyed::Posed) fill = theme.color("status.warn-tint");
    if (!isEnabled()) fill = Qt::transparent;
    QPainterPath shape;
    shape.addRoundedRect(box, radius, radius);
    painter.fillPath(shape, fill);
    const bool isBounded = m_format.showsFill && std::isfinite(m_format.minimum) && std::isfinite(m_format.maximum) &&
                           !m_isMixed;
    if (isBounded && isEnabled()) {
        const double top = m_format.fillTo > m_format.minimum ? m_format.fillTo : m_format.maximum;
        const double share = std::clamp((m_value - m_format.minimum) / (top - m_format.minimum), 0.0, 1.0);
        painter.save();
        painter.setClipPath(shape);
        painter.fillRect(QRectF(box.left(), box.top(), box.width() * share, box.height()),
                         theme.color("surface.hover"));
        painter.fillRect(QRectF(std::max(box.left(), box.left() + box.width() * share - 2), box.top(), 2, box.height()),
                         theme.color("accent.fill"));
        painter.restore();
    }
    const bool hasFocus = this->hasFocus();
    QPen outline(theme.color(!isEnabled() || !m_isInForce ? "line.soft"
                             : m_isHovered                ? "line.strong"
                                                          : "line.control"),
                 1);
    if (hasFocus) outline = QPen(theme.color("focus.ring"), 2);
    painter.setPen(outline);
    painter.drawPath(shape);

    // letter of the axis, then from the right: diamond, unit, number
    const Shown shown = this->shown();
    const int pad = theme.px(6);
    painter.setFont(theme.font(10, 600));
    if (shown.hasAxis) {
        painter.setPen(theme.color(isEnabled() ? QStringLiteral("axis.") + m_format.axis.toLower()
                                               : QStringLiteral("text.disabled")));
        painter.drawText(QRect(pad, 0, theme.px(10), height()), Qt::AlignVCenter | Qt::AlignLeft, m_format.axis);
    }
    int right = width() - pad;
    if (m_keyed != Keyed::No) {
        paintKeyDiamond(painter, QPointF(right - theme.px(3), height() / 2.0), m_keyed);
        right -= theme.px(10);
    }
    painter.setFont(theme.font(12));
    if (shown.hasUnit) {
        painter.setPen(theme.color(isEnabled() ? "text.hint" : "text.disabled"));
        painter.drawText(QRect(0, 0, right, height()), Qt::AlignVCenter | Qt::AlignRight, shownUnit());
    }
    painter.setPen(theme.color(!isEnabled() ? "text.disabled" : m_isInForce ? "text.primary" : "text.hint"));
    painter.drawText(QRect(shown.left, 0, shown.right - shown.left, height()), Qt::AlignVCenter | Qt::AlignRight,
                     shown.number);
}

void NumberField::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    m_press = event->pos();
    m_lastX = event->pos().x();
}

void NumberField::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_press) return;
    if (!m_isDragging) {
        if (std::abs(event->pos().x() - m_press->x()) < 3) return;
        m_isDragging = true;
        m_isPreview = m_format.previewsWithCtrl && (event->modifiers() & Qt::ControlModifier);
        m_dragValue = m_valueBefore = m_value;
        m_wasMixed = m_isMixed;
        emit dragBegun(m_isPreview);
    }
    double step = m_format.step;
    if (event->modifiers() & Qt::ShiftModifier) step *= 10;
    if ((event->modifiers() & Qt::ControlModifier) && !m_isPreview) step *= 0.1;
    m_dragValue = std::clamp(stepped(m_dragValue, step * (event->pos().x() - m_lastX)), m_format.minimum,
                             m_format.maximum);
    m_lastX = event->pos().x();
    const double digits = m_format.isLogarithmic && m_dragValue > 0 ? std::floor(std::log10(m_dragValue)) - 1
                                                                    : -decimals();
    const double grain = std::pow(10.0, digits) / shownPerUnit();
    const double value = std::clamp(std::round(m_dragValue / grain) * grain, m_format.minimum, m_format.maximum);
    if (value == m_value && !m_isMixed) return;
    m_isMixed = false;
    show(value);
    emit dragged(m_value);
}

void NumberField::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    m_press.reset();
    if (m_isDragging) endDrag(true);
}

void NumberField::endDrag(bool isKept)
{
    m_isDragging = false;
    m_press.reset();
    if (!isKept) {
        m_value = m_valueBefore;
        m_isMixed = m_wasMixed;
        update();
    }
    emit dragEnded(isKept);
}

void NumberField::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) beginEdit(text(), true);
}

void NumberField::keyPressEvent(QKeyEvent* event)
{
    if (m_isDragging) {
        if (event->key() == Qt::Key_Escape) endDrag(false);
        return;
    }
    const double step = m_format.step * (event->modifiers() & Qt::ShiftModifier ? 100 : 10);
    switch (event->key()) {
    case Qt::Key_Up: stepBy(step); return;
    case Qt::Key_Down: stepBy(-step); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_F2: beginEdit(text(), true); return;
    default: break;
    }
    if (event->matches(QKeySequence::SelectAll)) return beginEdit(text(), true);
    const QString typed = event->text();
    static const QString starts = QStringLiteral("0123456789.,-+*/");
    if (typed.size() == 1 && starts.contains(typed[0]) &&
        !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)))
        beginEdit(typed, false);
    else
        QWidget::keyPressEvent(event);
}

void NumberField::wheelEvent(QWheelEvent* event)
{
    if (!hasFocus()) {
        event->ignore();
        return;
    }
    stepBy((event->angleDelta().y() > 0 ? 10 : -10) * m_format.step);
}

void NumberField::beginEdit(const QString& text, bool selectsAll)
{
    if (m_edit != nullptr || !isEnabled()) return;
    m_edit = new QLineEdit(m_isMixed && selectsAll ? QString() : text, this);
    m_edit->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_edit->setGeometry(rect());
    m_edit->setModified(!selectsAll);
    if (selectsAll) m_edit->selectAll();
    m_edit->installEventFilter(this);
    m_edit->show();
    m_edit->setFocus();
}

bool NumberField::event(QEvent* event)
{
    if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverLeave) {
        m_isHovered = event->type() == QEvent::HoverEnter;
        update();
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isOurs = key->key() == Qt::Key_Escape
                                ? (m_isDragging || m_edit != nullptr)
                                : key->key() == Qt::Key_Up || key->key() == Qt::Key_Down ||
                                      key->key() == Qt::Key_Return || key->key() == Qt::Key_F2 ||
                                      key->matches(QKeySequence::SelectAll) ||
                                      (!key->text().isEmpty() &&
                                       QStringLiteral("0123456789.,-+*/").contains(key->text()[0]) &&
                                       key->modifiers() == Qt::NoModifier);
        if (isOurs) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

bool NumberField::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_edit && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        if (event->type() == QEvent::KeyPress) endEdit(false);
        event->accept();
        return true;
    }
    if (watched == m_edit && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) { // not passed on to the field, which would open again
            endEdit(true);
            if (m_edit == nullptr) emit confirmed();
            return true;
        }
        if (key == Qt::Key_Tab || key == Qt::Key_Backtab) { // from the field, as the line edit is last of the window
            endEdit(true);
            if (m_edit != nullptr) return true; // what was typed is wrong
            focusNextPrevChild(key == Qt::Key_Tab);
            auto* next = qobject_cast<NumberField*>(window()->focusWidget());
            if (next != nullptr && next != this) next->beginEdit(next->text(), true);
            return true;
        }
    }
    if (watched == m_edit && event->type() == QEvent::FocusOut) {
        // A line edit that was not typed into since it was opened says nothing when it is left.
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) endEdit(true);
    }
    return QWidget::eventFilter(watched, event);
}

QString NumberField::refusal(double value) const
{
    const double slack = 1e-9;
    if (value >= m_format.minimum - slack && value <= m_format.maximum + slack) return {};
    const auto bound = [&](double b) {
        return QString::number(b * shownPerUnit(), 'g', 6) +
               (m_format.unit.isEmpty() ? QString() : ' ' + shownUnit().trimmed());
    };
    if (!std::isfinite(m_format.maximum)) return tr("Enter %1 or more").arg(bound(m_format.minimum));
    if (!std::isfinite(m_format.minimum)) return tr("Enter %1 or less").arg(bound(m_format.maximum));
    return tr("Enter a value from %1 to %2").arg(bound(m_format.minimum), bound(m_format.maximum));
}

void NumberField::enter(double value)
{
    value = clamped(value);
    if (value == m_value && !m_isMixed) return;
    m_isMixed = false;
    show(value);
    emit entered(value);
}

/// Of a logarithmic value `change` is the part of a magnitude by which it grows; from 0 it grows to the least one.
double NumberField::stepped(double value, double change) const
{
    if (!m_format.isLogarithmic) return value + change;
    constexpr double kLeast = 1e-12;
    return change > 0 || value > kLeast ? std::max(value, kLeast) * std::pow(10.0, change) : value;
}

void NumberField::stepBy(double change)
{
    const NumberEdit::Change step = [this, change](double present) { return clamped(stepped(present, change)); };
    const double value = step(m_value);
    if (value == m_value && !m_isMixed) return;
    if (!m_isMixed) show(value); // mixed values stay mixed
    emit entered({value, step});
}

double NumberField::clamped(double value) const
{
    return refusal(value).isEmpty() ? value : std::clamp(value, m_format.minimum, m_format.maximum);
}

void NumberField::endEdit(bool isKept)
{
    if (m_edit == nullptr) return;
    QLineEdit* edit = m_edit;
    if (!edit->isModified()) isKept = false;                 // as it was opened, with fewer digits than the value has
    if (m_isMixed && edit->text().isEmpty()) isKept = false; // every object keeps its own value
    if (isKept) {
        const auto value = parsed(edit->text(), m_value);
        const QString reason = !value ? tr("“%1” is not a number").arg(edit->text()) : refusal(*value);
        if (!reason.isEmpty()) {
            if (edit->hasFocus()) { // stays open, red, with the reason below; the old value stays
                edit->setProperty("wrong", true);
                edit->style()->unpolish(edit);
                edit->style()->polish(edit);
                QToolTip::showText(mapToGlobal(QPoint(0, height())), reason, this);
                return;
            }
        } else if (*value != m_value || m_isMixed) {
            const QString text = edit->text();
            closeEdit();
            take(text, *value);
            return;
        }
    }
    closeEdit();
}

void NumberField::take(const QString& text, double value)
{
    NumberEdit::Change change;
    if (isChange(text)) change = [this, text](double present) { return clamped(*parsed(text, present)); };
    if (!m_isMixed || !change) m_value = value;
    m_isMixed = m_isMixed && change;
    update();
    emit entered({value, change});
}

QString NumberField::fullText() const
{
    return QString::number(m_value * shownPerUnit(), 'g', 12) + (isLength() ? ' ' + shownUnit().trimmed() : QString());
}

bool NumberField::takes(const QString& text) const
{
    const auto value = parsed(text, m_value);
    return value && refusal(*value).isEmpty();
}

bool NumberField::enterText(const QString& text)
{
    if (!takes(text)) return false;
    const auto value = parsed(text, m_value);
    if (*value != m_value || m_isMixed) take(text, *value);
    return true;
}

void NumberField::closeEdit()
{
    QLineEdit* edit = std::exchange(m_edit, nullptr);
    if (edit->hasFocus()) setFocus(); // else it has gone where the user has put it
    edit->hide();
    edit->deleteLater();
    update();
}

void NumberField::resizeEvent(QResizeEvent*)
{
    if (m_edit != nullptr) m_edit->setGeometry(rect());
}

} // namespace tendon::editor

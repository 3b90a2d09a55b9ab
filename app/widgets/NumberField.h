#pragma once

#include "app/widgets/KeyDiamond.h"

#include <QWidget>

#include <functional>
#include <limits>
#include <optional>

class QLineEdit;

namespace tendon::editor {

/// What a number field is given: a value, or a change of the present one, such as "*2", that each of several objects
/// makes of its own value.
class NumberEdit
{
public:
    using Change = std::function<double(double present)>;

    NumberEdit(double value, Change change = {}) : m_value(value), m_change(std::move(change)) {}

    operator double() const { return m_value; } ///< the new value of the object shown
    [[nodiscard]] double of(double present) const { return m_change ? m_change(present) : m_value; }

private:
    double m_value;
    Change m_change;
};

/// A number that is typed, or dragged sideways: one step per pixel, ten with Shift, a tenth with Ctrl. Esc cancels a
/// drag. Typed text may be a sum, have a unit, or change the present value: "12cm", "24+3", "*2", "+=5". Tab goes on to
/// the next field, and opens it if it is a number, too.
///
/// Lengths are held in centimetres and shown and typed in the unit of the user (LengthUnits).
class NumberField : public QWidget
{
    Q_OBJECT
public:
    using Keyed = editor::Keyed;

    struct Format
    {
        int decimals = 2;
        QString unit = {}; ///< of the value, and shown after the number: "cm", "°"; "cm" and " cm/s" are lengths
        double step = 0.1; ///< change per pixel of a drag
        double minimum = -std::numeric_limits<double>::infinity();
        double maximum = std::numeric_limits<double>::infinity();
        QChar axis = {};               ///< X, Y or Z: shown in the colour of the axis
        bool showsFill = false;        ///< shows a bounded value as a bar
        double fillTo = 0;             ///< value at which the bar is full; 0 = the maximum
        bool isLogarithmic = false;    ///< of many magnitudes: shown by its digits ("1e-08"), a drag multiplies it
        bool previewsWithCtrl = false; ///< Ctrl-drag previews a value; it is set on release
    };

    explicit NumberField(Format format, QWidget* parent = nullptr);

    [[nodiscard]] double value() const { return m_value; }
    /// Emits nothing; ignored while the user edits. `isMixed`: shows mixedText() instead of the value.
    void setValue(double value, bool isMixed = false);
    [[nodiscard]] static QString mixedText() { return QStringLiteral("\u2014"); } ///< a dash: several values
    void setDecimals(int decimals); ///< where the values now need more or fewer
    void setKeyed(Keyed keyed);
    void setInForce(bool isInForce);    ///< false = dimmed, still editable
    void enter(double value);           ///< as if typed; clamped to the bounds
    [[nodiscard]] QString text() const; ///< the number with its decimals, without the unit
    [[nodiscard]] const Format& format() const { return m_format; }
    [[nodiscard]] QString shownUnit() const; ///< the user's, of a length

    /// What there is room for: the unit goes first, then decimals, then the letter of the axis.
    struct Shown
    {
        bool hasAxis = false, hasUnit = false;
        int left = 0, right = 0; ///< [px] of the number
        QString number = {};
    };
    [[nodiscard]] Shown shown() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    [[nodiscard]] QString fullText() const; ///< with all digits and the unit, as enterText() reads it
    [[nodiscard]] bool isMixed() const { return m_isMixed; }
    [[nodiscard]] bool takes(const QString& text) const; ///< enterText() would do something with it
    /// Carries out typed text as if it had been entered. False: it is no number, or one that the field does not take.
    bool enterText(const QString& text);
    /// Parses typed text into the field's unit. *, /, += and -= at the start apply to `current`. Empty = not a number.
    [[nodiscard]] static std::optional<double> parse(const QString& text, double current, const QString& unit);
    /// True if what parse() makes of the text depends on the current value.
    [[nodiscard]] static bool isChange(const QString& text);

signals:
    void dragBegun(bool isPreview);
    void dragged(double value);
    void dragEnded(bool isKept);
    void entered(const tendon::editor::NumberEdit& edit); ///< typed, or stepped by a key
    void confirmed();                                     ///< Return has closed the line in which it is typed

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void mouseDoubleClickEvent(QMouseEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    bool event(QEvent*) override;
    bool eventFilter(QObject* watched, QEvent* event) override; ///< keys and focus of the line edit

private:
    [[nodiscard]] QString textWith(int decimals) const;
    [[nodiscard]] bool isLength() const;
    [[nodiscard]] double shownPerUnit() const; ///< how many shown units one of the value's is
    [[nodiscard]] int decimals() const;        ///< that are shown where there is room
    [[nodiscard]] std::optional<double> parsed(const QString& text, double present) const; ///< in the value's unit
    void take(const QString& text, double value);
    void beginEdit(const QString& text, bool selectsAll);
    void endEdit(bool isKept);
    void closeEdit();
    void stepBy(double change);
    [[nodiscard]] double stepped(double value, double change) const;
    [[nodiscard]] double clamped(double value) const;
    void endDrag(bool isKept);
    void show(double value);
    [[nodiscard]] QString refusal(double value) const; ///< "" = allowed

    Format m_format;
    double m_value = 0;
    bool m_isMixed = false, m_isInForce = true, m_isHovered = false;
    Keyed m_keyed = Keyed::No;

    std::optional<QPoint> m_press;
    bool m_isDragging = false, m_isPreview = false, m_wasMixed = false;
    double m_dragValue = 0, m_valueBefore = 0;
    int m_lastX = 0;
    QLineEdit* m_edit = nullptr;
};

} // namespace tendon::editor

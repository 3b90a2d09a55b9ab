#pragma once

#include <QAbstractButton>

class QPainter;

namespace tendon::editor {

/// Whether a value is keyed at the frame that is shown. Posed: it differs from what the keys give, and is not keyed.
enum class Keyed { No, Here, Elsewhere, Posed };

/// The mark of keys in fields: filled where there is a key.
void paintKeyDiamond(QPainter& painter, const QPointF& centre, Keyed keyed);

/// A button beside a field that has no room for the mark: shows whether the value is keyed; a click keys it, or deletes
/// the key.
class KeyDiamond : public QAbstractButton
{
    Q_OBJECT
public:
    explicit KeyDiamond(QWidget* parent = nullptr);
    void setKeyed(Keyed keyed);
    [[nodiscard]] Keyed keyed() const { return m_keyed; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Keyed m_keyed = Keyed::No;
};

} // namespace tendon::editor

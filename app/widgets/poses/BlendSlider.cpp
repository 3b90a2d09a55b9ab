#include "app/widgets/poses/BlendSlider.h"

#include <QJsonObject>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QToolTip>
#include <QWheelEvent>

#include <utility>

namespace tendon::editor {

BlendSlider::BlendSlider(Editor& editor, std::function<QJsonObject(double)> operation, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), m_editor(editor), m_operation(std::move(operation))
{
    setRange(0, 100);
    setSingleStep(5);
    setPageStep(25);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QSlider::sliderPressed, this, &BlendSlider::begin);
    connect(this, &QSlider::valueChanged, this, &BlendSlider::take);
    connect(this, &QSlider::sliderReleased, this, &BlendSlider::finish);
    connect(&editor.document(), &EditorDocument::gestureEnded, this, [this] {
        // Something else has been done meanwhile: the step is over.
        if (std::exchange(m_isBlending, false)) reset();
    });
}

void BlendSlider::begin()
{
    if (m_isBlending || m_operation(0).isEmpty()) return;
    m_editor.document().gesture().begin(); // ends another one, which may have been this slider's
    m_isBlending = true;
}

void BlendSlider::take(int percent)
{
    begin();
    if (!m_isBlending) return reset();
    EditorDocument& document = m_editor.document();
    if (const auto done = document.gesture().update(m_operation(percent / 100.0)); !done) {
        document.reportError(done.error());
        return cancel();
    }
    QToolTip::showText(mapToGlobal(rect().bottomLeft()), tr("%1 %").arg(percent), this);
}

void BlendSlider::finish()
{
    if (!std::exchange(m_isBlending, false)) return;
    EditorDocument& document = m_editor.document();
    if (value() == 0)
        document.gesture().cancel();
    else
        document.gesture().finish();
    reset();
}

void BlendSlider::cancel()
{
    if (std::exchange(m_isBlending, false)) m_editor.document().gesture().cancel();
    reset();
}

void BlendSlider::reset()
{
    const QSignalBlocker guard(this);
    setSliderDown(false);
    setValue(0);
    update();
}

bool BlendSlider::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && m_isBlending) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter) { // they end it; no shortcuts
            event->accept();
            return true;
        }
    }
    return QSlider::event(event);
}

void BlendSlider::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape && m_isBlending) return cancel();
    if (isEnter && m_isBlending) return finish();
    QSlider::keyPressEvent(event);
}

void BlendSlider::focusOutEvent(QFocusEvent* event)
{
    finish();
    QSlider::focusOutEvent(event);
}

void BlendSlider::wheelEvent(QWheelEvent* event) { event->ignore(); } // over the panel it would pose by mistake

} // namespace tendon::editor

#pragma once

#include <QWidget>

class QToolButton;
class QVBoxLayout;
class QHBoxLayout;
class QLabel;

namespace tendon::editor {

/// A folding part of a panel: a header that folds it, things at the header's right end, a body.
class Section : public QWidget
{
    Q_OBJECT
public:
    explicit Section(const QString& title, QWidget* parent = nullptr);

    [[nodiscard]] QVBoxLayout* body() { return m_body; }
    [[nodiscard]] QHBoxLayout* headerEnd() { return m_end; }
    void setHint(const QString& hint); ///< right of the title
    void setOpen(bool isOpen);

private:
    QToolButton* m_header;
    QLabel* m_hint;
    QWidget* m_content;
    QVBoxLayout* m_body;
    QHBoxLayout* m_end;
};

/// A label in the label column with something beside it; adds itself to `body`.
QLabel* addRow(QVBoxLayout* body, const QString& label, const QList<QWidget*>& fields, const QString& tip = {});

} // namespace tendon::editor

#pragma once

#include <QWidget>

class QToolButton;
class QVBoxLayout;
class QHBoxLayout;
class QLabel;
class QTreeWidget;

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

protected:
    /// For fields that are made later than what stands round them: Tab goes from the header through them as they stand.
    void orderTabs();

private:
    QToolButton* m_header;
    QLabel* m_hint;
    QWidget* m_content;
    QVBoxLayout* m_body;
    QHBoxLayout* m_end;
};

/// The heading of a part of a dialog, and the line between two.
[[nodiscard]] QLabel* headingOf(const QString& text);
[[nodiscard]] QWidget* separatorLine();

/// Makes a table as high as its header and so many rows, those beyond it scroll.
void setRowsShown(QTreeWidget& table, int rows);

/// A tool button with a picture and no words: reached by Tab, and named by its tip's first line, up to the keys in it.
[[nodiscard]] QToolButton* pictureButton(const QString& picture, const QString& tip,
                                         const QString& color = QStringLiteral("text.primary"));

/// A label in the label column with something beside it, which it names for screen readers; adds itself to `body`.
QLabel* addRow(QVBoxLayout* body, const QString& label, const QList<QWidget*>& fields, const QString& tip = {});

} // namespace tendon::editor

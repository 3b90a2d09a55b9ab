#pragma once

#include <QWidget>

class QToolButton;
class QVBoxLayout;
class QHBoxLayout;
class QLabel;
class QTreeWidget;

namespace tendon::editor {

/// A collapsible part of a panel: a header that collapses it, widgets at the right end of the header, a body.
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
    /// Makes Tab go from the header through the fields in reading order, whatever the order in which they are made.
    void orderTabs();

private:
    QToolButton* m_header;
    QLabel* m_hint;
    QWidget* m_content;
    QVBoxLayout* m_body;
    QHBoxLayout* m_end;
};

/// The heading of a part of a dialog, and a line between two parts.
[[nodiscard]] QLabel* headingOf(const QString& text);
[[nodiscard]] QWidget* separatorLine();

/// Makes a table as high as its header and `rows` rows; further rows scroll.
void setRowsShown(QTreeWidget& table, int rows);

/// A tool button with an icon only: reached by Tab, and named for screen readers by its tip without the keys.
[[nodiscard]] QToolButton* pictureButton(const QString& picture, const QString& tip,
                                         const QString& color = QStringLiteral("text.primary"));

/// Adds a row to `body`: a label in the label column, and fields that it names for screen readers.
QLabel* addRow(QVBoxLayout* body, const QString& label, const QList<QWidget*>& fields, const QString& tip = {});

} // namespace tendon::editor

#pragma once

#include "app/widgets/ManualPages.h"

#include <QDialog>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace tendon::editor {

class ManualBrowser;

/// The manual in its own window: contents, search, pages.
class ManualDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ManualDialog(QWidget* parent);

    /// Brings the window to the front and opens a page of resources/docs/user ("export"); "" = the page shown last.
    void open(const QString& page);
    [[nodiscard]] const ManualPages& pages() const { return m_pages; }

private:
    void fill(const QString& words); ///< shows the contents, or the search results
    void showCurrent();              ///< selects the current page in the contents
    QTreeWidgetItem* addSection(QTreeWidgetItem* above, const ManualSection& section, const QString& text);

    ManualPages m_pages;
    QLineEdit* m_search;
    QTreeWidget* m_contents;
    ManualBrowser* m_page;
};

} // namespace tendon::editor

#pragma once

#include "app/widgets/ManualPages.h"

#include <QDialog>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace tendon::editor {

class ManualBrowser;

/// The manual in a window of its own, beside the work: contents, search, pages.
class ManualDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ManualDialog(QWidget* parent);

    /// Brings it to the front at a page of resources/docs/user ("export"); "" = where it was.
    void open(const QString& page);
    [[nodiscard]] const ManualPages& pages() const { return m_pages; }

private:
    void fill(const QString& words); ///< the contents, or what was found
    void showCurrent();              ///< marks the page in the contents
    QTreeWidgetItem* addSection(QTreeWidgetItem* above, const ManualSection& section, const QString& text);

    ManualPages m_pages;
    QLineEdit* m_search;
    QTreeWidget* m_contents;
    ManualBrowser* m_page;
};

} // namespace tendon::editor

#pragma once

#include <QTextBrowser>

namespace tendon::editor {

/// Shows a page of the manual: Markdown in the colours of the theme, pictures scaled to fit, links to headings.
class ManualBrowser : public QTextBrowser
{
    Q_OBJECT
public:
    explicit ManualBrowser(QWidget* parent = nullptr);

    [[nodiscard]] QString page() const { return m_page; } ///< path in the repository
    void mark(const QStringList& words);                  ///< highlights them; empty = no highlights
    /// Goes to a heading of a page; an empty slug is the top of the page.
    void open(const QString& page, const QString& slug);

protected:
    QVariant loadResource(int type, const QUrl& url) override;
    void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override;

private:
    void dress();
    bool scrollToHeading(const QString& slug);
    QString m_page;
};

} // namespace tendon::editor

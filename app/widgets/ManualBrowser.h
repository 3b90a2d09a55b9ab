#pragma once

#include <QTextBrowser>

namespace tendon::editor {

/// Shows a page of the manual: Markdown in the theme's look, pictures as wide as fits, links to headings.
class ManualBrowser : public QTextBrowser
{
    Q_OBJECT
public:
    explicit ManualBrowser(QWidget* parent = nullptr);

    [[nodiscard]] QString page() const { return m_page; } ///< path in the repository
    void mark(const QStringList& words);                  ///< wherever they stand; none: nothing
    /// Goes to the heading of a page; an empty slug is its beginning.
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

#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace tendon::editor {

/// A heading of the manual and the text below it, as Markdown.
struct ManualSection
{
    QString page;  ///< path in the repository: "resources/docs/user/export.md"
    QString title; ///< heading without Markdown marks
    QString slug;  ///< fragment of links to it: "your-file-stays-your-file"
    int level = 1;
    QString text;
};

/// The built-in manual: resources/docs/user and the pages that it links to, in the order of its index.
class ManualPages
{
public:
    ManualPages();

    [[nodiscard]] const QStringList& pages() const
    {
        return m_pages;
    } ///< those of resources/docs/user, the index first
    [[nodiscard]] const std::vector<ManualSection>& sections() const { return m_sections; } ///< page by page

    /// Indices into sections() of those that contain every word of `words`, ignoring case; matches in titles first.
    [[nodiscard]] std::vector<std::size_t> find(const QString& words) const;

    [[nodiscard]] static QString text(const QString& page); ///< Markdown; null = unknown page
    [[nodiscard]] static QString urlOf(const QString& page) { return QStringLiteral("qrc:/tendon/manual/") + page; }
    /// As on GitHub: lower case, spaces become hyphens, other signs are left out.
    [[nodiscard]] static QString slugOf(const QString& title);

private:
    void addSections(const QString& page, const QString& markdown);

    QStringList m_pages;
    std::vector<ManualSection> m_sections;
};

} // namespace tendon::editor

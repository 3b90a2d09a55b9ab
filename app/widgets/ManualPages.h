#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace tendon::editor {

/// A heading of the manual and what stands below it, as Markdown.
struct ManualSection
{
    QString page;  ///< path in the repository: "resources/docs/user/export.md"
    QString title; ///< of the heading, without its marks
    QString slug;  ///< what links to it end in: "#your-file-stays-your-file"
    int level = 1;
    QString text;
};

/// The manual that is built in: resources/docs/user and what it links to, in the order of its index.
class ManualPages
{
public:
    ManualPages();

    [[nodiscard]] const QStringList& pages() const
    {
        return m_pages;
    } ///< those of resources/docs/user, the index first
    [[nodiscard]] const std::vector<ManualSection>& sections() const { return m_sections; } ///< page by page

    /// Sections that hold every word of `words`, in any case; those with one in the title first. Indices into
    /// sections().
    [[nodiscard]] std::vector<std::size_t> find(const QString& words) const;

    [[nodiscard]] static QString text(const QString& page); ///< Markdown; null = there is no such page
    [[nodiscard]] static QString urlOf(const QString& page) { return QStringLiteral("qrc:/tendon/manual/") + page; }
    /// As GitHub makes it: lower case, blanks to hyphens, other signs left out.
    [[nodiscard]] static QString slugOf(const QString& title);

private:
    void addSections(const QString& page, const QString& markdown);

    QStringList m_pages;
    std::vector<ManualSection> m_sections;
};

} // namespace tendon::editor

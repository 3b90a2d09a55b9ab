#include "app/widgets/ManualPages.h"

#include <QFile>
#include <QRegularExpression>

#include <algorithm>

static void initManual()
{
    Q_INIT_RESOURCE(manual);
} // resources of a static library; the macro must be outside namespaces

namespace tendon::editor {
namespace {

const QString kManualFolder = QStringLiteral("resources/docs/user/");

/// A heading without backquotes, stars and links.
QString plainTitle(QString title)
{
    static const QRegularExpression link(QStringLiteral("\\[([^\\]]*)\\]\\([^)]*\\)"));
    title.replace(link, QStringLiteral("\\1"));
    return title.remove('`').remove('*').trimmed();
}

} // namespace

ManualPages::ManualPages()
{
    initManual();
    m_pages << kManualFolder + "index.md";
    const QString index = text(m_pages.first());
    static const QRegularExpression link(QStringLiteral("\\]\\(([a-z-]+\\.md)\\)"));
    for (auto matches = link.globalMatch(index); matches.hasNext();)
        if (const QString page = kManualFolder + matches.next().captured(1); !m_pages.contains(page)) m_pages << page;
    for (const QString& page : m_pages) addSections(page, text(page));
}

QString ManualPages::text(const QString& page)
{
    QFile file(QStringLiteral(":/tendon/manual/") + page);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString ManualPages::slugOf(const QString& title)
{
    QString slug;
    for (const QChar c : title.toLower())
        if (c.isLetterOrNumber() || c == '-' || c == '_')
            slug += c;
        else if (c == ' ')
            slug += '-';
    return slug;
}

void ManualPages::addSections(const QString& page, const QString& markdown)
{
    bool isCode = false;
    for (const QString& line : markdown.split('\n')) {
        if (line.startsWith(QLatin1StringView("```"))) isCode = !isCode;
        const qsizetype level = isCode ? 0
                                       : std::distance(line.begin(), std::find_if(line.begin(), line.end(),
                                                                                  [](QChar c) { return c != '#'; }));
        if (level > 0 && level < line.size() && line[level] == ' ') {
            const QString title = plainTitle(line.mid(level + 1));
            m_sections.push_back({page, title, slugOf(title), static_cast<int>(level), {}});
        } else if (!m_sections.empty() && m_sections.back().page == page) {
            m_sections.back().text += line + '\n';
        }
    }
}

std::vector<std::size_t> ManualPages::find(const QString& words) const
{
    const QStringList wanted = words.split(' ', Qt::SkipEmptyParts);
    std::vector<std::size_t> found;
    if (wanted.isEmpty()) return found;
    const auto has = [](const QString& text, const QString& word) { return text.contains(word, Qt::CaseInsensitive); };
    for (std::size_t i = 0; i < m_sections.size(); ++i) {
        const ManualSection& section = m_sections[i];
        if (std::all_of(wanted.begin(), wanted.end(),
                        [&](const QString& word) { return has(section.title, word) || has(section.text, word); }))
            found.push_back(i);
    }
    std::stable_partition(found.begin(), found.end(), [&](std::size_t i) {
        return std::any_of(wanted.begin(), wanted.end(),
                           [&](const QString& word) { return has(m_sections[i].title, word); });
    });
    return found;
}

} // namespace tendon::editor

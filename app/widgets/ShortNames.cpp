#include "app/widgets/ShortNames.h"

#include "app/editor/Theme.h"

#include <algorithm>

namespace tendon::editor {
namespace {

constexpr int kFew = 3;      ///< names that say nothing of what names have in common
constexpr int kLeastCut = 4; ///< letters that are worth three dots
const QString kWordEnds = QStringLiteral(":|_-. ");

/// How many letters two texts have in common from their beginnings on, up to the end of a word.
int commonBegin(const QString& one, const QString& other)
{
    int count = 0, whole = 0;
    for (; count < std::min(one.size(), other.size()) && one[count] == other[count]; ++count)
        if (kWordEnds.contains(one[count])) whole = count + 1;
    return whole;
}

/// What nine of ten names begin with.
QString beginOfMost(QStringList& names)
{
    if (names.size() < kFew) return {};
    names.sort();
    const qsizetype few = names.size() / 10;
    const QString& first = names[few];
    const int count = commonBegin(first, names[names.size() - 1 - few]);
    return count < kLeastCut ? QString() : first.first(count);
}

QString reversed(QString text)
{
    std::reverse(text.begin(), text.end());
    return text;
}

} // namespace

ShortNames::ShortNames(QStringList names)
{
    m_begin = beginOfMost(names);
    for (QString& name : names) name = reversed(name);
    m_end = reversed(beginOfMost(names));
}

QString ShortNames::fit(const QString& name, const QFontMetrics& metrics, int width) const
{
    if (metrics.horizontalAdvance(name) <= width) return name;
    const QString dots = QStringLiteral("…");
    QString text = name;
    if (!m_begin.isEmpty() && name.startsWith(m_begin) && name.size() > m_begin.size())
        text = dots + name.sliced(m_begin.size());
    if (metrics.horizontalAdvance(text) <= width) return text;
    const qsizetype end = m_end.isEmpty() ? -1 : text.lastIndexOf(m_end); // of a handle's name, more comes after it
    if (end > 1) text = text.first(end) + dots;
    return metrics.elidedText(text, Qt::ElideMiddle, width);
}

void NameRows::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const int room = option->rect.width() - option->decorationSize.width() - Theme::instance().px(12);
    if (option->rect.width() > 0) option->text = m_names.fit(option->text, option->fontMetrics, room);
}

} // namespace tendon::editor

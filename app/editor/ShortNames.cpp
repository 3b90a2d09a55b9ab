#include "app/editor/ShortNames.h"

#include <algorithm>
#include <utility>
#include <vector>

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

/// A chain, "hip › knee › foot": each name gets as much as it needs or an equal share, so that all of them are told
/// apart. Where there is no room for two letters of each, as any text.
QString elided(const QString& text, const QFontMetrics& metrics, Qt::TextElideMode mode, int width)
{
    const QString between = QStringLiteral(" › ");
    QStringList names = text.split(between);
    std::vector<int> widths;
    for (const QString& name : names) widths.push_back(metrics.horizontalAdvance(name));
    std::sort(widths.begin(), widths.end());
    const int count = static_cast<int>(names.size());
    int room = width - (count - 1) * metrics.horizontalAdvance(between) - count, share = 0;
    for (int i = 0; i < count; ++i) {
        share = room / (count - i);
        if (widths[static_cast<std::size_t>(i)] > share) break;
        room -= widths[static_cast<std::size_t>(i)];
    }
    if (count < 2 || share < metrics.horizontalAdvance(QStringLiteral("m…m")))
        return metrics.elidedText(text, mode, width);
    for (QString& name : names)
        if (metrics.horizontalAdvance(name) > share) name = metrics.elidedText(name, Qt::ElideMiddle, share);
    return metrics.elidedText(names.join(between), mode, width);
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

/// The names in it without what most begin with.
QString ShortNames::withoutBegin(const QString& text) const
{
    QString found = text;
    if (m_begin.isEmpty()) return found;
    for (qsizetype at = 0; (at = found.indexOf(m_begin, at)) >= 0; ++at) {
        const bool isWord = at == 0 || !found[at - 1].isLetterOrNumber();
        const qsizetype end = at + m_begin.size();
        if (isWord && end < found.size() && found[end].isLetterOrNumber())
            found.replace(at, m_begin.size(), QStringLiteral("…"));
    }
    return found;
}

QString ShortNames::fit(const QString& text, const QFontMetrics& metrics, int width, Qt::TextElideMode mode) const
{
    if (metrics.horizontalAdvance(text) <= width) return text;
    QString shown = withoutBegin(text);
    if (metrics.horizontalAdvance(shown) <= width) return shown;
    const qsizetype end = m_end.isEmpty() ? -1 : shown.lastIndexOf(m_end); // of a handle's name, more comes after it
    if (end > 1) shown = shown.first(end) + QStringLiteral("…");
    return elided(shown, metrics, mode, width);
}

SceneNames& SceneNames::instance()
{
    static SceneNames names;
    return names;
}

void SceneNames::follow(const Scene& scene)
{
    if (m_joints.isSame(scene.joints)) return;
    m_joints = scene.joints;
    QStringList names;
    for (const Joint& joint : *m_joints) names << QString::fromStdString(joint.name);
    m_names = ShortNames(std::move(names));
}

QString shortened(const QString& text, const QFontMetrics& metrics, int width, Qt::TextElideMode mode)
{
    return SceneNames::instance().names().fit(text, metrics, width, mode);
}

} // namespace tendon::editor

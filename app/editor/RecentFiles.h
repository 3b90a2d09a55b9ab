#pragma once

#include <QImage>
#include <QStringList>

namespace tendon::editor {

/// What was opened or saved last, newest first: paths, and "sample:NAME" for samples. Each may have a picture.
class RecentFiles
{
public:
    static constexpr int kCount = 10;

    [[nodiscard]] static QStringList list(); ///< files that are gone included
    static void add(const QString& path);    ///< a path is made absolute
    static void clear();

    [[nodiscard]] static bool isSample(const QString& entry) { return entry.startsWith(QLatin1StringView("sample:")); }
    [[nodiscard]] static bool isThere(const QString& entry); ///< samples always are

    [[nodiscard]] static QImage picture(const QString& entry); ///< null = there is none
    static void setPicture(const QString& entry, const QImage& picture);
};

} // namespace tendon::editor

#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QSettings>
#include <QStandardPaths>

namespace tendon::test {

/// Puts the application's settings and data into a folder of the test's own. Call it before anything reads them.
inline void useFreshProfile(const QString& folder)
{
    QCoreApplication::setOrganizationName(QStringLiteral("Tendon"));
    QCoreApplication::setApplicationName(QStringLiteral("tendon-editor"));
    qputenv("XDG_DATA_HOME", QDir(folder).filePath("data").toUtf8());
    qputenv("XDG_CONFIG_HOME", QDir(folder).filePath("config").toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, QDir(folder).filePath("config"));
}

} // namespace tendon::test

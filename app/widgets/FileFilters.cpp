#include "app/widgets/FileFilters.h"

#include "app/widgets/Texts.h"
#include "core/io/formats/FileFormats.h"

#include <QCoreApplication>
#include <QStringList>

namespace tendon::editor {
namespace {

QString filterOf(const FileFormat& format)
{
    return QStringLiteral("%1 (*.%2)").arg(fromView(format.title), fromView(format.suffix));
}

QString readPatterns()
{
    QStringList patterns;
    for (const FileFormat& format : fileFormats())
        if (format.isRead) patterns << "*." + fromView(format.suffix);
    return patterns.join(' ');
}

} // namespace

QString modelFilters()
{
    QStringList filters{QCoreApplication::translate("FileFilters", "Models (%1)").arg(readPatterns())};
    for (const FileFormat& format : fileFormats())
        if (format.isRead) filters << filterOf(format);
    filters << QCoreApplication::translate("FileFilters", "All files (*)");
    return filters.join(QStringLiteral(";;"));
}

QString openFilters()
{
    return QCoreApplication::translate("FileFilters", "Projects and models (*.tendon %1);;Tendon projects (*.tendon);;")
               .arg(readPatterns()) +
           modelFilters();
}

QString exportFilters()
{
    QStringList filters;
    for (const FileFormat& format : fileFormats())
        if (format.isWritten) filters << filterOf(format);
    return filters.join(QStringLiteral(";;"));
}

QString exportFilter(const QString& suffix)
{
    const FileFormat* format = findFileFormat(suffix.toLower().toStdString());
    return format == nullptr || !format->isWritten ? QString() : filterOf(*format);
}

} // namespace tendon::editor

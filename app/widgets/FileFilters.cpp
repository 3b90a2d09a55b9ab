#include "app/widgets/FileFilters.h"

#include "app/widgets/Texts.h"
#include "core/io/export/Exporters.h"
#include "core/io/formats/FileFormats.h"

#include <QCoreApplication>
#include <QStringList>

namespace tendon::editor {
namespace {

QString filterOf(std::string_view title, std::string_view suffix)
{
    return QStringLiteral("%1 (*.%2)").arg(fromView(title), fromView(suffix));
}

QString readPatterns()
{
    QStringList patterns;
    for (const FileFormat& format : fileFormats()) patterns << "*." + fromView(format.suffix);
    return patterns.join(' ');
}

} // namespace

QString modelFilters()
{
    QStringList filters{QCoreApplication::translate("FileFilters", "Models (%1)").arg(readPatterns())};
    for (const FileFormat& format : fileFormats()) filters << filterOf(format.title, format.suffix);
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
    for (const Exporter& exporter : exporters()) filters << filterOf(exporter.title, exporter.suffix);
    return filters.join(QStringLiteral(";;"));
}

QString exportFilter(const QString& suffix)
{
    const Exporter* exporter = findExporter(suffix.toLower().toStdString());
    return exporter == nullptr ? QString() : filterOf(exporter->title, exporter->suffix);
}

} // namespace tendon::editor

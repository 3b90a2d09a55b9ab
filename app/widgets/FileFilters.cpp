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

bool isAny(const FileFormat&) { return true; }
bool carriesMotion(const FileFormat& format) { return format.carriesMotion; }

QString patternsOf(bool (*isWanted)(const FileFormat&))
{
    QStringList patterns;
    for (const FileFormat& format : fileFormats())
        if (isWanted(format)) patterns << "*." + fromView(format.suffix);
    return patterns.join(' ');
}

/// All of them, then each, then all files. `all` says what they are.
QString filtersOf(const QString& all, bool (*isWanted)(const FileFormat&))
{
    QStringList filters{all.arg(patternsOf(isWanted))};
    for (const FileFormat& format : fileFormats())
        if (isWanted(format)) filters << filterOf(format.title, format.suffix);
    filters << QCoreApplication::translate("FileFilters", "All files (*)");
    return filters.join(QStringLiteral(";;"));
}

} // namespace

QString modelFilters() { return filtersOf(QCoreApplication::translate("FileFilters", "Models (%1)"), isAny); }

QString motionFilters() { return filtersOf(QCoreApplication::translate("FileFilters", "Motions (%1)"), carriesMotion); }

QString openFilters()
{
    return QCoreApplication::translate("FileFilters", "Projects and models (*.tendon %1);;Tendon projects (*.tendon);;")
               .arg(patternsOf(isAny)) +
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

#include "core/io/export/tables/TableExporters.h"

#include "core/io/export/tables/PoseTables.h"
#include "core/io/readback/PoseTableCheck.h"

namespace tendon {
namespace {

using WriteTable = Result<std::string> (*)(const Scene&, const std::vector<BakedClip>&);

Exporter tableExporter(std::string_view suffix, std::string_view title, std::string_view content, WriteTable writeTable)
{
    return {.suffix = suffix,
            .title = title,
            .content = content,
            .hasSeveralClips = true,
            .isTable = true,
            .steps = {},
            .write = [writeTable](const Prepared& prepared, const Destination& to,
                                  const ExportOptions&) -> Result<WrittenExport> {
                const auto text = writeTable(prepared.scene, prepared.clips);
                if (!text) return text.error();
                return WrittenExport{.files = {{to.fileName, {text->begin(), text->end()}}}};
            },
            .readBack = [](const std::string& path, const Original& original, const WrittenExport&,
                           const ExportOptions&, Issues&) { return checkPoseTable(path, original); }};
}

} // namespace

Exporter jsonTableExporter()
{
    return tableExporter("json", "Joints as JSON", "joints as numbers: local and world transforms, angles",
                         poseTableJson);
}

Exporter csvTableExporter()
{
    return tableExporter("csv", "Joints as CSV", "joints as numbers: world positions, angles", poseTableCsv);
}

} // namespace tendon

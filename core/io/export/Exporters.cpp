#include "core/io/export/Exporters.h"

#include "core/io/export/bvh/BvhExporter.h"
#include "core/io/export/fbx/FbxExporter.h"
#include "core/io/export/gltf/GltfExporter.h"
#include "core/io/export/tables/TableExporters.h"

#include <algorithm>
#include <array>

namespace tendon {

std::span<const Exporter> exporters()
{
    static const std::array kExporters{
        glbExporter(), gltfExporter(), fbxExporter(), bvhExporter(), jsonTableExporter(), csvTableExporter(),
    };
    return kExporters;
}

const Exporter* findExporter(std::string_view suffix)
{
    const auto all = exporters();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Exporter& exporter) { return exporter.suffix == suffix; });
    return found == all.end() ? nullptr : &*found;
}

std::string exportSuffixes()
{
    const auto all = exporters();
    std::string text;
    for (std::size_t i = 0; i < all.size(); ++i)
        text += (i == 0 ? "." : i + 1 < all.size() ? ", ." : " or .") + std::string(all[i].suffix);
    return text;
}

std::string exportersAsMarkdown()
{
    std::string table = "| suffix | format | clips | lengths | holds |\n|---|---|---|---|---|\n";
    for (const Exporter& exporter : exporters())
        table += "| `." + std::string(exporter.suffix) + "` | " + std::string(exporter.title) + " | " +
                 (exporter.hasSeveralClips ? "any number" : "one") + " | " +
                 (exporter.hasUnit ? "the preset's unit" : "metres") + " | " + std::string(exporter.content) + " |\n";
    return table;
}

} // namespace tendon

#include "core/io/ExportPresets.h"

#include <algorithm>
#include <array>

namespace tendon {
namespace {

constexpr std::array<ExportPreset, 4> kPresets = {{
    {"blender", "Blender", "glb", 1, true, 8,
     "the null becomes the armature object; import FBX with Animation Offset 0"},
    {"unity", "Unity", "fbx", 1, true, 4,
     "comes in at scale 1; skins have four bones a vertex unless its quality settings say otherwise"},
    {"unreal", "Unreal Engine", "fbx", 0.01, false, 8,
     "its unit is the centimetre; a null above the joints would become a root bone"},
    {"godot", "Godot", "glb", 1, true, 8, "glTF is its own way in"},
}};

} // namespace

std::span<const ExportPreset> exportPresets() { return kPresets; }

const ExportPreset* findExportPreset(std::string_view name)
{
    const auto found = std::find_if(kPresets.begin(), kPresets.end(),
                                    [&](const ExportPreset& preset) { return preset.name == name; });
    return found == kPresets.end() ? nullptr : &*found;
}

std::string exportPresetsAsMarkdown()
{
    std::string table = "| `--preset` | best as | FBX and BVH in | FBX: above the joints | joints a vertex | "
                        "|\n|---|---|---|---|---|---|\n";
    for (const ExportPreset& preset : kPresets)
        table += "| `" + std::string(preset.name) + "` | `." + std::string(preset.format) + "` | " +
                 (preset.metresPerUnit == 1 ? "metres" : "centimetres") + " | " +
                 (preset.hasArmature ? "a null, `Armature`" : "nothing") + " | " + std::to_string(preset.influences) +
                 " | " + std::string(preset.title) + ": " + std::string(preset.doc) + " |\n";
    return table;
}

} // namespace tendon

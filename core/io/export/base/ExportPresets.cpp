#include "core/io/export/base/ExportPresets.h"

#include <algorithm>
#include <array>

namespace tendon {
namespace {

constexpr std::array<ExportPreset, 6> kPresets = {{
    {"blender", "Blender", "glb", 1, true, 8,
     "The null becomes the armature object. Import FBX with Animation Offset 0"},
    {"unity", "Unity", "fbx", 1, true, 4,
     "The model arrives at scale 1. Unity uses four bones per vertex unless its quality settings allow more"},
    {"unreal", "Unreal Engine", "fbx", 0.01, false, 8,
     "Unreal's unit is the centimetre. A null above the joints would become a root bone"},
    {"maya", "Maya", "fbx", 0.01, false, 8,
     "Maya's unit is the centimetre and its up axis +Y, as in the file. A null above the joints would become a group"},
    {"3dsmax", "3ds Max", "fbx", 0.01, false, 8,
     "3ds Max turns the file's +Y to its own +Z up, and converts centimetres to its system unit"},
    {"godot", "Godot", "glb", 1, true, 8, "glTF is the format Godot recommends"},
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
    std::string table =
        "| `--preset` | program | best format | unit of FBX and BVH | FBX root | influences per vertex | notes |\n"
        "|---|---|---|---|---|---|---|\n";
    for (const ExportPreset& preset : kPresets)
        table += "| `" + std::string(preset.name) + "` | " + std::string(preset.title) + " | `." +
                 std::string(preset.format) + "` | " + (preset.metresPerUnit == 1 ? "metre" : "centimetre") + " | " +
                 (preset.hasArmature ? "null `Armature`" : "none") + " | " + std::to_string(preset.influences) + " | " +
                 std::string(preset.doc) + " |\n";
    return table;
}

} // namespace tendon

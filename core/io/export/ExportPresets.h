#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tendon {

/// What a program wants of the files it takes in. glTF fixes unit and axes, so there only `influences` counts, and only
/// where the file is written anew; the other columns are for FBX and BVH. Up is +Y in all of them: every program here
/// turns FBX by what the file says.
struct ExportPreset
{
    std::string_view name;    ///< "blender"
    std::string_view title;   ///< "Blender"
    std::string_view format;  ///< the suffix to choose where there is a choice
    double metresPerUnit = 1; ///< of lengths in FBX and BVH
    bool hasArmature = true;  ///< FBX: a null above the joints
    int influences = 4;       ///< joints a vertex keeps: 4 or 8
    std::string_view doc;     ///< why
};

/// What is written without a preset: metres, an armature, four influences in glTF, all of them in FBX.
inline constexpr ExportPreset kNoPreset{"", "", "glb", 1, true, 4, ""};

/// One table for the command line, the operation, the manual and dialogs.
[[nodiscard]] std::span<const ExportPreset> exportPresets();
[[nodiscard]] const ExportPreset* findExportPreset(std::string_view name); ///< null = there is none

/// The names as the table of operations wants its choices.
inline constexpr std::string_view kExportPresetNames = "blender|unity|unreal|godot";

/// The manual's table of presets.
[[nodiscard]] std::string exportPresetsAsMarkdown();

} // namespace tendon

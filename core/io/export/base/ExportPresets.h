#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tendon {

/// What a program expects of the files it imports. glTF fixes unit and axes, so only `influences` applies there, and
/// only where the file is written anew; the other columns are for formats with a unit. Up is +Y in all of them, because
/// every program here turns an FBX by what the file says.
struct ExportPreset
{
    std::string_view name;    ///< "blender"
    std::string_view title;   ///< "Blender"
    std::string_view format;  ///< suffix of the format that suits the program best
    double metresPerUnit = 1; ///< of lengths in formats that have a unit
    bool hasArmature = true;  ///< FBX: a null above the joints
    int influences = 4;       ///< joints per vertex: 4 or 8
    std::string_view doc;     ///< why, for the manual and the dialog
};

/// Without a preset: metres, an armature, four influences per vertex in glTF, all of them in FBX.
inline constexpr ExportPreset kNoPreset{"", "", "glb", 1, true, 4, ""};

/// One table for the command line, the operation, the manual and the dialog.
[[nodiscard]] std::span<const ExportPreset> exportPresets();
[[nodiscard]] const ExportPreset* findExportPreset(std::string_view name); ///< null = there is none

/// The names, as the choices of an operation's field.
inline constexpr std::string_view kExportPresetNames = "blender|unity|unreal|maya|3dsmax|godot";

/// The manual's table of presets.
[[nodiscard]] std::string exportPresetsAsMarkdown();

} // namespace tendon

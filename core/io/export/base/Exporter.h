#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/io/base/FileSet.h"
#include "core/io/export/base/ExportPresets.h"
#include "core/io/readback/Original.h"
#include "core/io/readback/ReadBack.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

struct ExportOptions
{
    bool onlyTheseClips = false; ///< drop the source's other animations
    ExportPreset preset = kNoPreset;
};

/// The scene and its bake on their way to a writer. Steps change them; the file must still show the original.
struct Prepared
{
    Scene scene;
    std::vector<BakedClip> clips;
    Issues issues;
};

/// One change that a format needs before it is written, such as a cap on influences.
struct PreparingStep
{
    std::string_view name;
    std::function<void(Prepared&, const ExportPreset&)> apply;
};

/// What the main file will be called, and where it will be once all files are written and read back.
struct Destination
{
    std::string fileName, finalPath;
};

/// The files of an export in memory, and where in them its joints are.
struct WrittenExport
{
    std::vector<OutputFile> files;              ///< the one that refers to the others comes last
    std::vector<std::string> mayReplace = {};   ///< files beside it that an earlier export wrote
    std::vector<std::string> obsolete = {};     ///< of these, those that nothing refers to any more
    std::map<JointId, std::size_t> nodeOf = {}; ///< for formats that count joints
    std::map<JointId, std::string> nameOf = {}; ///< for formats that name them
    Issues issues = {};
};

/// A format that can be written. The command line, its help, messages, the export dialog and the manual know formats by
/// the table of these alone.
struct Exporter
{
    std::string_view suffix;  ///< in lower case, without the dot
    std::string_view title;   ///< for file dialogs: "glTF, one file"
    std::string_view content; ///< for the manual: what the file holds

    bool hasModel = false;        ///< holds meshes, materials, cameras and lights; otherwise joints alone
    bool hasSeveralClips = false; ///< otherwise one clip
    bool isTable = false;         ///< numbers of joints for other tools, which need no model
    bool hasUnit = false;         ///< lengths are in the preset's unit; otherwise metres

    /// Influences per vertex that a file keeps; null = all of them.
    std::size_t (*maxInfluences)(const ExportPreset&) = nullptr;

    std::vector<PreparingStep> steps; ///< carried out in this order before `write`

    std::function<Result<WrittenExport>(const Prepared&, const Destination&, const ExportOptions&)> write;

    /// Reads the file at `path` and compares it with the original. `written` says where joints are in it.
    std::function<Result<ReadBack>(const std::string& path, const Original&, const WrittenExport& written,
                                   const ExportOptions&, Issues&)>
        readBack;

    /// What writes scenes whose joints are nodes of a glTF file instead, by adding to that file; null = they are
    /// written as any other.
    const Exporter* patch = nullptr;
};

} // namespace tendon

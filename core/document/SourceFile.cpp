#include "core/document/SourceFile.h"

#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"

namespace tendon {
namespace {

Result<double> metresPerUnit(const Arguments& arguments)
{
    if (!arguments.isText("unit")) {
        const double metres = arguments.number("unit");
        if (!(metres > 0)) return Error{ErrorCode::InvalidArgument, "must be above 0", "unit"};
        return metres;
    }
    constexpr std::pair<std::string_view, double> kUnits[] = {{"m", 1},       {"dm", 0.1},   {"cm", 0.01},
                                                              {"mm", 0.001},  {"km", 1000},  {"in", 0.0254},
                                                              {"ft", 0.3048}, {"yd", 0.9144}};
    for (const auto& [name, metres] : kUnits)
        if (name == arguments.text("unit")) return metres;
    return Error{ErrorCode::InvalidArgument, "must be one of m, dm, cm, mm, km, in, ft, yd, or a number of metres",
                 "unit"};
}

} // namespace

Result<ImportedModel> importFile(const Draft& draft, const Arguments& arguments)
{
    ImportOptions options;
    if (arguments.has("unit")) {
        const auto unit = metresPerUnit(arguments);
        if (!unit) return unit.error();
        options.metresPerUnit = *unit;
    }
    options.upAxis = arguments.axis("upAxis");
    options.cancelled = draft.services.cancelled;
    return draft.services.import(arguments.text("file"), options);
}

Result<const Clip*> clipOfFile(const Scene& source, const Arguments& arguments)
{
    const std::string file = arguments.text("file");
    if (source.clips.empty()) return Error{ErrorCode::NotFound, "there is no animation in this file", file};
    if (!arguments.has("clip")) return &*source.clips.front();
    if (const Clip* clip = source.clipNamed(arguments.text("clip"))) return clip;
    std::string names;
    for (const auto& c : source.clips) names += (names.empty() ? "" : ", ") + inQuotes(c->name);
    return Error{ErrorCode::NotFound,
                 "there is no animation called " + inQuotes(arguments.text("clip")) + "; there are " + names, file};
}

Result<std::string> newClipName(const Scene& scene, const Arguments& arguments, const std::string& wanted)
{
    const std::string name = freeClipName(scene, arguments.text("as", wanted));
    if (arguments.has("as") && name != arguments.text("as"))
        return Error{ErrorCode::InvalidArgument,
                     "there is already a clip called " + inQuotes(arguments.text("as")) + "; choose another name",
                     "as"};
    return name;
}

} // namespace tendon

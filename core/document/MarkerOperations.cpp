#include "core/document/Families.h"
#include "core/document/KeySelection.h"
#include "core/document/Posing.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/KeyWords.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

using Type = Field::Type;

MarkerColor colorIn(const Arguments& arguments, MarkerColor otherwise)
{
    const auto word = std::find(kMarkerColorWords.begin(), kMarkerColorWords.end(), arguments.text("color"));
    return word == kMarkerColorWords.end() ? otherwise : static_cast<MarkerColor>(word - kMarkerColorWords.begin());
}

/// Index of the marker of the current clip at the field `frame`, or at the current frame.
Result<std::size_t> markerIn(const Draft& draft, const Arguments& arguments)
{
    const double frame = arguments.number("frame", draft.edit.frame);
    const Clip* clip = draft.clip();
    if (clip != nullptr)
        for (std::size_t i = 0; i < clip->markers.size(); ++i)
            if (std::abs(draft.scene.fps.frameAt(clip->markers[i].time) - frame) < kSameFrame) return i;
    return Error{ErrorCode::NotFound, "there is no marker at this frame; add one first", "frame"};
}

Result<void> addMarkerOperation(Draft& draft, const Arguments& arguments)
{
    const double frame = arguments.number("frame", draft.edit.frame);
    if (const auto fits = checkFrame(frame); !fits) return fits;
    const auto clip = clipToKey(draft);
    if (!clip) return clip.error();
    const Marker marker{draft.scene.fps.timeOf(frame), arguments.text("name", "Marker"),
                        colorIn(arguments, MarkerColor{})};
    draft.text = "Add marker " + marker.name;
    std::vector<Marker> markers = draft.clip()->markers;
    markers.push_back(marker);
    return draft.take(setMarkers(std::move(draft.scene), *clip, std::move(markers)));
}

Result<void> setMarkerOperation(Draft& draft, const Arguments& arguments)
{
    const auto index = markerIn(draft, arguments);
    if (!index) return index.error();
    if (!arguments.has("to") && !arguments.has("name") && !arguments.has("color"))
        return Error{ErrorCode::InvalidArgument, "give name, color or to, or several of them", ""};
    std::vector<Marker> markers = draft.clip()->markers;
    Marker& marker = markers[*index];
    const bool isMoved = arguments.has("to") && !arguments.has("name") && !arguments.has("color");
    draft.text = (isMoved ? "Move marker " : "Change marker ") + marker.name;
    marker.name = arguments.text("name", marker.name);
    marker.color = colorIn(arguments, marker.color);
    if (arguments.has("to")) {
        if (const auto fits = checkFrame(arguments.number("to")); !fits) return fits.error().within("to");
        marker.time = draft.scene.fps.timeOf(arguments.number("to"));
    }
    return draft.take(setMarkers(std::move(draft.scene), draft.edit.currentClip, std::move(markers)));
}

Result<void> removeMarkerOperation(Draft& draft, const Arguments& arguments)
{
    const auto index = markerIn(draft, arguments);
    if (!index) return index.error();
    std::vector<Marker> markers = draft.clip()->markers;
    draft.text = "Remove marker " + markers[*index].name;
    markers.erase(markers.begin() + static_cast<std::ptrdiff_t>(*index));
    return draft.take(setMarkers(std::move(draft.scene), draft.edit.currentClip, std::move(markers)));
}

constexpr const char* kColors = "blue|green|yellow|orange|red|violet";
constexpr Field kAddMarker[] = {
    {"name", Type::String, kOptional, "Name; several markers may share one. Left out: Marker"},
    {"frame", Type::Number, kOptional, "Frame, which has no marker yet. Left out: the current frame"},
    {"color", Type::Choice, kOptional, "Colour. Left out: blue", kColors},
};
constexpr Field kSetMarker[] = {
    {"frame", Type::Number, kOptional, "Frame of the marker. Left out: the current frame"},
    {"name", Type::String, kOptional, "New name"},
    {"color", Type::Choice, kOptional, "New colour", kColors},
    {"to", Type::Number, kOptional, "Frame to move it to"},
};
constexpr Field kRemoveMarker[] = {
    {"frame", Type::Number, kOptional, "Frame of the marker. Left out: the current frame"}};

constexpr Operation kMarkerOperations[] = {
    {"addMarker", kAddMarker, true,
     "Adds a marker, a named moment, to the current clip. If the project has no clip, adds one called \"Clip\".",
     addMarkerOperation},
    {"setMarker", kSetMarker, true, "Renames, colours or moves a marker of the current clip.", setMarkerOperation},
    {"removeMarker", kRemoveMarker, true, "Removes a marker of the current clip.", removeMarkerOperation},
};

} // namespace

std::span<const Operation> markerOperations() { return kMarkerOperations; }

} // namespace tendon

#include "core/scene/ClipEdit.h"

#include "core/scene/Check.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

Result<void> checkClipName(const Scene& scene, const std::string& name, ClipId self)
{
    if (name.empty()) return Error{ErrorCode::InvalidArgument, "a clip's name must not be empty", ""};
    if (name.size() > 200)
        return Error{ErrorCode::InvalidArgument, "a clip's name must not be longer than 200 bytes", ""};
    for (const auto& clip : scene.clips)
        if (clip->name == name && clip->id != self)
            return Error{ErrorCode::InvalidArgument,
                         "there is already a clip called " + inQuotes(name) + "; choose another name", ""};
    return {};
}

} // namespace

Result<Scene> addClip(Scene scene, const std::string& name)
{
    if (const auto free = checkClipName(scene, name, {}); !free) return free.error();
    Clip clip;
    clip.id = ClipId{scene.takeId()};
    clip.name = name;
    scene.clips.emplace_back(std::move(clip));
    return scene;
}

Result<Scene> renameClip(Scene scene, ClipId clip, const std::string& to)
{
    if (scene.find(clip) == nullptr) return noSuchClip();
    if (const auto free = checkClipName(scene, to, clip); !free) return free.error();
    editableClip(scene, clip)->name = to;
    return scene;
}

Result<Scene> duplicateClip(Scene scene, ClipId clip, const std::string& to)
{
    const Clip* found = scene.find(clip);
    if (found == nullptr) return noSuchClip();
    if (const auto free = checkClipName(scene, to, {}); !free) return free.error();
    Clip copy = *found;
    copy.id = ClipId{scene.takeId()};
    copy.name = to;
    copy.sourceAnimation = -1;
    // The weight of the corrections is a channel of the clip.
    if (const KeyList* weights = found->find(found->correctionsWeight())) {
        copy.channels.insert_or_assign(copy.correctionsWeight(), *weights);
        copy.channels.erase(found->correctionsWeight());
    }
    if (const auto weight = scene.statics->find(found->correctionsWeight()); weight != scene.statics->end()) {
        const ChannelValue value = weight->second;
        scene.statics.edit()[copy.correctionsWeight()] = value;
    }
    scene.clips.emplace_back(std::move(copy));
    return scene;
}

Result<Scene> removeClip(Scene scene, ClipId clip)
{
    if (scene.find(clip) == nullptr) return noSuchClip();
    removeChannelsOf(scene, {clip.value});
    std::erase_if(scene.clips, [&](const Shared<Clip>& c) { return c->id == clip; });
    return scene;
}

std::string freeClipName(const Scene& scene, const std::string& wanted)
{
    std::string name = wanted;
    for (int number = 2; scene.clipNamed(name) != nullptr; ++number) name = wanted + " " + std::to_string(number);
    return name;
}

Result<Scene> setMarkers(Scene scene, ClipId clip, std::vector<Marker> markers)
{
    if (scene.find(clip) == nullptr) return noSuchClip();
    std::sort(markers.begin(), markers.end(), [](const Marker& a, const Marker& b) { return a.time < b.time; });
    for (std::size_t i = 0; i < markers.size(); ++i) {
        if (const auto sound = checkMarkerName(markers[i].name); !sound) return sound.error();
        if (i > 0 && markers[i - 1].time == markers[i].time)
            return Error{ErrorCode::InvalidArgument,
                         "there is already a marker at this frame: " + inQuotes(markers[i - 1].name) +
                             "; choose another frame",
                         ""};
    }
    editableClip(scene, clip)->markers = std::move(markers);
    return scene;
}

Result<Scene> setFrameRate(Scene scene, FrameRate fps)
{
    if (fps.numerator <= 0 || fps.denominator <= 0 || fps.perSecond() > 10'000 || fps.perSecond() < 0.01)
        return Error{ErrorCode::InvalidArgument, "frames per second must be from 0.01 to 10000", ""};
    const bool hasKeys = std::any_of(scene.clips.begin(), scene.clips.end(),
                                     [](const auto& clip) { return clip->hasKeys(); });
    if (hasKeys) {
        const auto frameNow = [&](std::int32_t frame) {
            const double at = std::round(fps.frameAt(scene.fps.timeOf(frame)));
            return static_cast<std::int32_t>(std::clamp<double>(at, -kMaxFrame, kMaxFrame));
        };
        scene.firstFrame = frameNow(scene.firstFrame);
        scene.lastFrame = frameNow(scene.lastFrame);
    }
    scene.fps = fps;
    return scene;
}

Result<Scene> setRange(Scene scene, std::int32_t firstFrame, std::int32_t lastFrame)
{
    if (firstFrame > lastFrame)
        return Error{ErrorCode::InvalidArgument, "the range must not end before it begins; swap from and to", ""};
    if (firstFrame < -kMaxFrame || lastFrame > kMaxFrame)
        return Error{ErrorCode::LimitExceeded, "frames must be within 10 000 000 of 0", ""};
    scene.firstFrame = firstFrame;
    scene.lastFrame = lastFrame;
    return scene;
}

void growRange(Scene& scene, const Clip& clip)
{
    if (!clip.hasKeys()) return;
    constexpr double kSame = 1e-3; // [frames] a key that is nearly on a frame is on it
    const auto frame = [](double at) {
        return static_cast<std::int32_t>(std::clamp<double>(at, -kMaxFrame, kMaxFrame));
    };
    const double first = scene.fps.frameAt(clip.begin()), last = scene.fps.frameAt(clip.end());
    scene.firstFrame = std::min(scene.firstFrame, frame(std::floor(first + kSame)));
    scene.lastFrame = std::max(scene.lastFrame, frame(std::ceil(last - kSame)));
}

} // namespace tendon

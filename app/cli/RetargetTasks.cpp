#include "app/cli/RetargetTasks.h"

#include "core/base/Parallel.h"
#include "core/io/base/Files.h"
#include "core/io/formats/FileFormats.h"
#include "core/io/import/ModelImport.h"

#include <algorithm>
#include <filesystem>
#include <mutex>

namespace tendon::cli {
namespace {

namespace fs = std::filesystem;

/// What each motion is called: as its file; of files called alike the later ones have their format after it,
/// "walk_fbx", and where that is taken a number.
std::vector<std::string> namesOf(const std::vector<std::string>& motions)
{
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (const std::string& motion : motions) taken.insert(fs::path(motion).stem().string());
    std::set<std::string> given;
    for (const std::string& motion : motions) {
        std::string name = fs::path(motion).stem().string();
        if (!given.insert(name).second) {
            const std::string suffix = fs::path(motion).extension().string();
            const std::string longer = name + (suffix.empty() ? "" : "_" + suffix.substr(1));
            name = longer;
            for (int number = 2; !taken.insert(name).second; ++number) name = longer + "_" + std::to_string(number);
        }
        names.push_back(std::move(name));
    }
    return names;
}

/// What is known of the animations of a motion.
struct Animations
{
    std::string digest;             ///< of the file; empty = it holds one animation, whatever is in it
    std::vector<std::string> names; ///< those with keys
};

std::string suffixOfFile(const std::string& path)
{
    std::string suffix = fs::path(path).extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return std::tolower(c); });
    return suffix;
}

/// Those of which the report tells, if it tells of all of them.
std::vector<std::string> rememberedOf(const std::string& motion, const std::string& digest,
                                      const RetargetReport& report)
{
    std::vector<std::string> names;
    std::size_t all = 0;
    for (const QJsonObject& entry : report.of(motion)) {
        if (entry.value(QLatin1StringView("motionSha256")).toString() != text(digest)) continue;
        all = static_cast<std::size_t>(entry.value(QLatin1StringView("animations")).toInteger());
        const auto place = static_cast<std::size_t>(entry.value(QLatin1StringView("animation")).toInteger());
        if (all == 0 || place >= all) return {};
        names.resize(all);
        names[place] = entry.value(QLatin1StringView("source")).toString().toStdString();
    }
    const auto isMissing = [](const std::string& name) { return name.empty(); };
    return std::any_of(names.begin(), names.end(), isMissing) ? std::vector<std::string>() : names;
}

Animations animationsOf(const std::string& motion, const RetargetReport& report)
{
    Animations animations;
    if (suffixOfFile(motion) == ".bvh") return animations; // holds one
    const auto bytes = readFile(motion);
    if (!bytes) return animations;
    animations.digest = sha256(*bytes);
    animations.names = rememberedOf(motion, animations.digest, report);
    if (!animations.names.empty()) return animations;
    const auto model = importModel(motion, {});
    if (!model) return animations;
    for (const auto& clip : model->scene.clips)
        if (clip->hasKeys()) animations.names.push_back(clip->name);
    return animations;
}

/// How a former run has called the clip of an animation; empty = there was none.
std::string clipOf(const std::string& motion, const std::string& animation, const RetargetReport& report)
{
    for (const QJsonObject& entry : report.of(motion))
        if (entry.value(QLatin1StringView("source")).toString() == text(animation))
            return entry.value(QLatin1StringView("clip")).toString().toStdString();
    return {};
}

/// A name as a part of the name of a file: "Armature|Walk" as "Armature_Walk".
std::string forFiles(std::string name)
{
    for (char& c : name)
        if (std::string_view("/\\|:*?\"<>").find(c) != std::string_view::npos || static_cast<unsigned char>(c) < 32)
            c = '_';
    return name;
}

std::string freeName(const std::string& wanted, std::set<std::string>& taken)
{
    std::string name = wanted;
    for (int number = 2; !taken.insert(name).second; ++number) name = wanted + "_" + std::to_string(number);
    return name;
}

} // namespace

Result<std::vector<std::string>> motionFiles(const std::vector<std::string>& given)
{
    std::vector<std::string> files;
    for (const std::string& path : given) {
        std::error_code code;
        if (!fs::is_directory(path, code)) {
            files.push_back(path);
            continue;
        }
        std::vector<std::string> inside;
        for (const auto& entry : fs::directory_iterator(path, code)) {
            const std::string suffix = suffixOfFile(entry.path().string());
            const FileFormat* format = suffix.empty() ? nullptr : findFileFormat(suffix.substr(1));
            if (entry.is_regular_file(code) && format != nullptr && format->carriesMotion)
                inside.push_back(entry.path().string());
        }
        if (code) return Error{ErrorCode::Io, "cannot be read (" + code.message() + ")", path};
        if (inside.empty()) return Error{ErrorCode::NotFound, "there is no motion in this folder", path};
        std::sort(inside.begin(), inside.end());
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

std::vector<RetargetTask> tasksOf(const RetargetArguments& arguments, const std::vector<std::string>& motions,
                                  const std::string& suffix, const std::set<std::string>& taken,
                                  const RetargetReport& report)
{
    std::vector<Animations> animations(motions.size());
    const int all = static_cast<int>(motions.size());
    inParallel(threadCount(arguments.jobs, all), all, nullptr, [&](int, int i) {
        const auto place = static_cast<std::size_t>(i);
        animations[place] = animationsOf(motions[place], report);
    });
    std::vector<RetargetTask> tasks;
    const std::vector<std::string> stems = namesOf(motions);
    std::set<std::string> files(stems.begin(), stems.end()), clips = files;
    clips.insert(taken.begin(), taken.end());
    for (std::size_t i = 0; i < motions.size(); ++i) {
        const Animations& own = animations[i];
        // One that is not there is a task, which fails and says so.
        const bool isThere = arguments.clip.empty() ||
                             std::find(own.names.begin(), own.names.end(), arguments.clip) != own.names.end();
        const std::size_t count = own.names.size() > 1 && isThere ? own.names.size() : 1;
        for (std::size_t a = 0; a < count; ++a) {
            RetargetTask task{.motion = motions[i], .stem = stems[i], .name = stems[i]};
            task.motionDigest = own.digest;
            if (count > 1) {
                task.animation = own.names[a];
                task.place = a, task.animations = count;
                const std::string longer = stems[i] + "_" + task.animation;
                task.stem = freeName(forFiles(longer), files);
                task.name = suffix.empty() ? clipOf(motions[i], task.animation, report) : task.animation;
                if (task.name.empty())
                    task.name = freeName(clips.contains(task.animation) ? longer : task.animation, clips);
            }
            // Named as among all of them, so that each has its own file and clip.
            if (count > 1 && !arguments.clip.empty() && task.animation != arguments.clip) continue;
            if (!suffix.empty()) task.output = (fs::path(arguments.output) / (task.stem + "." + suffix)).string();
            tasks.push_back(std::move(task));
        }
    }
    return tasks;
}

RetargetTask firstTask(const std::vector<std::string>& motions)
{
    const std::string name = namesOf(motions).front();
    return {.motion = motions.front(), .stem = name, .name = name};
}

} // namespace tendon::cli

#pragma once

#include "app/cli/Cli.h"
#include "core/base/Result.h"
#include "core/document/Document.h"
#include "core/document/RetargetJob.h"
#include "core/io/project/ProjectFile.h"

#include <QJsonObject>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tendon::cli {

/// What `tendon retarget` is asked for.
struct RetargetArguments
{
    std::string rig;
    std::vector<std::string> motions;
    std::string output, format, preset, clip, map, saveMap, align = "directions", root = "travels", turns,
                                                            contacts = "off", report;
    std::string handReach = "on", fingers = "on"; ///< on or off
    std::vector<std::string> set;                 ///< ROLE=JOINT
    std::vector<std::string> filter;
    double armSpread = 0, fit = 0;
    std::optional<double> scale; ///< none = by the length of the legs
    bool explain = false, strict = false, force = false, keepLimits = false;
    std::string keys = "motion"; ///< or "project"
    int jobs = 0;                ///< 0 = one a processor
};

/// One animation of a motion, and where it goes.
struct RetargetTask
{
    std::string motion;         ///< as given
    std::string stem;           ///< of the output
    std::string name;           ///< of the clip in it
    std::string output = {};    ///< the file to write; empty = a clip of a project
    std::string animation{};    ///< of several in the motion; empty = the only one, or that which is asked for
    std::string motionDigest{}; ///< of a file that may hold several
    std::size_t place = 0, animations = 1; ///< of the animation, and how many there are
};

/// How one motion went.
struct RetargetedFile
{
    enum class State { Ok, Look, Failed, UpToDate };

    State state = State::Failed;
    std::string error;               ///< of State::Failed
    std::vector<std::string> toLook; ///< what to look at
    std::size_t frames = 0;
    RoleCount roles;
    std::string root;
    std::size_t limitFrames = 0, jumps = 0; ///< of joints, as checkClip counts them
    double firstLook = -1;                  ///< frame of the first thing to look at
    double readBack = -1;                   ///< [m] -1 = none
    bool readBackDiffers = false;
    QJsonObject entry; ///< for the report
};

/// The operation `retarget` that the arguments ask for on one motion.
[[nodiscard]] QJsonObject retargetOperation(const RetargetArguments& arguments, const RetargetTask& task);

/// A digest of all that a motion's output depends on: the rig, its model, the motion, the map and the options.
[[nodiscard]] Result<std::string> digestOf(const RetargetArguments& arguments, const RetargetTask& task,
                                           const std::string& rigDigest);
[[nodiscard]] Result<std::string> digestOfRig(const RetargetArguments& arguments, const Project& project);

/// Carries the operation out on a copy of the project, in which a clip that has the new one's name gives way to it. The
/// document is the result; `file` says how it went.
[[nodiscard]] Result<Document> retargetOnto(const Cli& cli, const Project& project, const RetargetArguments& arguments,
                                            const RetargetTask& task, RetargetedFile& file);

/// Writes the retargeted clip of a document to the task's output, reads it back and completes `file`. `beforeCommit` is
/// called just before the file comes into place.
[[nodiscard]] Result<void> exportRetargeted(const Cli& cli, const Document& document,
                                            const RetargetArguments& arguments, const RetargetTask& task,
                                            RetargetedFile& file, const std::function<Result<void>()>& beforeCommit);

} // namespace tendon::cli

#include "app/cli/RetargetClips.h"

#include "app/cli/Solvers.h"
#include "app/cli/TravelOption.h"
#include "core/base/Counted.h"
#include "core/document/ExportJob.h"
#include "core/document/Operation.h"
#include "core/io/base/Files.h"
#include "core/io/export/KeptModel.h"
#include "core/math/Degrees.h"
#include "core/roles/RoleNames.h"
#include "core/scene/Check.h"
#include "core/solve/Baker.h"
#include "core/solve/StatusNames.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>
#include <cstdio>
#include <filesystem>

namespace tendon::cli {
namespace {

namespace fs = std::filesystem;

/// Counts up when the same inputs come to give other bytes.
constexpr const char* kRecipe = "retarget 5";

std::string travelName(RootTravel travel)
{
    return travel == RootTravel::InPlace ? "in place" : travel == RootTravel::Bone ? "on a bone" : "travels";
}

/// The files that a glTF file needs beside it.
std::vector<std::string> companionsOf(const std::string& file, const std::string& bytes)
{
    std::vector<std::string> companions;
    if (fs::path(file).extension() != ".gltf") return companions;
    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(bytes)).object();
    for (const QJsonValue& buffer : json.value(QLatin1StringView("buffers")).toArray())
        if (const QString uri = buffer.toObject().value(QLatin1StringView("uri")).toString();
            !uri.isEmpty() && !uri.startsWith(QLatin1StringView("data:")))
            companions.push_back((fs::path(file).parent_path() / uri.toStdString()).string());
    return companions;
}

/// The digest of a file and of those beside it that it needs.
Result<std::string> digestOfFile(const std::string& file)
{
    const auto bytes = readFile(file);
    if (!bytes) return bytes.error();
    std::string digests = sha256(*bytes);
    for (const std::string& companion : companionsOf(file, *bytes))
        if (const auto more = readFile(companion)) digests += sha256(*more);
    return digests;
}

QJsonArray jumpsJson(const Scene& scene, const RetargetOutcome& outcome)
{
    QJsonArray jumps;
    for (const RetargetJump& jump : outcome.jumps)
        jumps.append(QJsonObject{{QStringLiteral("joint"), text(nameOf(scene, jump.joint.value))},
                                 {QStringLiteral("frame"), jump.frame},
                                 {QStringLiteral("degrees"), degrees(jump.angle)}});
    return jumps;
}

QJsonArray limitsJson(const Scene& scene, const RetargetOutcome& outcome)
{
    QJsonArray limits;
    for (const LimitHit& hit : outcome.limits)
        limits.append(QJsonObject{{QStringLiteral("joint"), text(nameOf(scene, hit.joint.value))},
                                  {QStringLiteral("frames"), hit.frames},
                                  {hit.isSlide ? QStringLiteral("metres") : QStringLiteral("degrees"),
                                   hit.isSlide ? hit.worst : degrees(hit.worst)},
                                  {QStringLiteral("worstFrame"), hit.worstFrame}});
    return limits;
}

/// What the outcome of a retarget says, for the report and the table.
void describe(const Scene& scene, const RetargetOutcome& outcome, RetargetedFile& file)
{
    file.frames = outcome.frames;
    file.roles = outcome.facts.roles;
    file.root = travelName(outcome.travel);
    file.jumps = outcome.jointJumps;
    int most = 0;
    const auto lookAt = [&](std::string what, double frame) {
        file.toLook.push_back(std::move(what));
        if (file.firstLook < 0) file.firstLook = frame;
    };
    if (!outcome.rolesToCheck.empty()) file.toLook.push_back(outcome.rolesToCheck);
    if (!outcome.jumps.empty()) lookAt(counted(outcome.jumps.size(), "jump", "jumps"), outcome.jumps.front().frame);
    const LimitHit* worst = nullptr;
    for (const LimitHit& hit : outcome.limits) {
        if (!isWorthALook(hit)) continue;
        most = std::max(most, hit.frames);
        if (worst == nullptr || hit.worst > worst->worst) worst = &hit;
    }
    file.limitFrames = static_cast<std::size_t>(most);
    if (worst != nullptr) {
        char by[32];
        std::snprintf(by, sizeof by, worst->isSlide ? "%.1f cm" : "%.0f°",
                      worst->isSlide ? worst->worst * 100 : degrees(worst->worst));
        lookAt(nameOf(scene, worst->joint.value) + " beyond its limit by " + by, worst->worstFrame);
    }
    QJsonArray notes;
    for (const std::string& line : outcome.notes) notes.append(text(line));
    for (const std::string& line : inWords(outcome.facts)) notes.append(text(line));
    QJsonObject& entry = file.entry;
    entry[QStringLiteral("frames")] = static_cast<qint64>(outcome.frames);
    entry[QStringLiteral("fps")] = outcome.fps.perSecond();
    entry[QStringLiteral("roles")] = QJsonObject{{QStringLiteral("matched"), outcome.facts.roles.matched},
                                                 {QStringLiteral("all"), outcome.facts.roles.all}};
    entry[QStringLiteral("root")] = text(file.root);
    entry[QStringLiteral("scale")] = outcome.facts.scale;
    entry[QStringLiteral("limits")] = limitsJson(scene, outcome);
    entry[QStringLiteral("jumps")] = jumpsJson(scene, outcome);
    entry[QStringLiteral("jointJumps")] = static_cast<qint64>(outcome.jointJumps);
    entry[QStringLiteral("motionJumps")] = static_cast<qint64>(outcome.motionJumps);
    entry[QStringLiteral("notes")] = notes;
}

void addSettledJumps(const ExportOutcome& outcome, RetargetedFile& file)
{
    QJsonArray jumps = file.entry.value(QLatin1StringView("jumps")).toArray();
    for (const JumpResult& jump : outcome.goals.jumps) {
        if (jump.jump.reason == JumpReason::Asked) continue; // the motion's own are there already
        jumps.append(QJsonObject{{QStringLiteral("handle"), text(jump.handle)},
                                 {QStringLiteral("joint"), text(jump.joint)},
                                 {QStringLiteral("frame"), jump.frame},
                                 {QStringLiteral("degrees"), degrees(jump.jump.size)},
                                 {QStringLiteral("reason"), QLatin1StringView(jumpReasonName(jump.jump.reason))},
                                 {QStringLiteral("cause"), QLatin1StringView(jumpCauseName(jump.jump.cause))}});
        file.toLook.push_back("a jump of " + jump.handle);
        if (file.firstLook < 0) file.firstLook = jump.frame;
    }
    file.entry[QStringLiteral("jumps")] = jumps;
    if (outcome.goals.missed.empty()) return;
    file.toLook.push_back(counted(outcome.goals.missed.size(), "goal", "goals") + " missed");
    if (file.firstLook < 0) file.firstLook = outcome.goals.missed.front().frame;
}

QJsonArray listOf(const std::vector<std::string>& lines)
{
    QJsonArray list;
    for (const std::string& line : lines) list.append(text(line));
    return list;
}

} // namespace

QJsonObject retargetOperation(const RetargetArguments& arguments, const RetargetTask& task)
{
    QJsonObject operation{{QStringLiteral("op"), QStringLiteral("retarget")},
                          {QStringLiteral("file"), text(task.motion)},
                          {QStringLiteral("as"), text(task.name)}};
    const std::string& clip = arguments.clip.empty() ? task.animation : arguments.clip;
    if (!clip.empty()) operation[QStringLiteral("clip")] = text(clip);
    if (!arguments.map.empty()) operation[QStringLiteral("map")] = text(arguments.map);
    QJsonObject roles;
    if (arguments.fingers == "off")
        for (const std::string_view role : bodyRoles())
            if (isFingerRole(role)) roles[text(std::string(role))] = QJsonValue::Null;
    for (const std::string& one : arguments.set) {
        const auto equals = one.find('=');
        const QString role = text(one.substr(0, equals)), joint = text(one.substr(equals + 1));
        if (joint == QLatin1StringView("none")) {
            roles[role] = QJsonValue::Null;
            continue;
        }
        QJsonArray joints = roles.value(role).toArray();
        joints.append(joint);
        roles[role] = joints;
    }
    if (!roles.isEmpty()) operation[QStringLiteral("roles")] = roles;
    if (arguments.align.rfind("frame:", 0) == 0) {
        operation[QStringLiteral("align")] = QStringLiteral("frame");
        operation[QStringLiteral("frame")] = std::stod(arguments.align.substr(6));
    } else if (arguments.align != "directions" ||
               arguments.map.empty()) { // a map says how, unless another way is given
        operation[QStringLiteral("align")] = text(arguments.align);
    }
    if (arguments.keys != "motion") operation[QStringLiteral("keys")] = text(arguments.keys);
    if (arguments.handReach == "off") operation[QStringLiteral("handReach")] = false;
    if (arguments.keepLimits) operation[QStringLiteral("keepLimits")] = true;
    if (arguments.armSpread != 0) operation[QStringLiteral("armSpread")] = arguments.armSpread;
    const TravelRequest travel = travelFrom(arguments.root, arguments.turns);
    operation[QStringLiteral("root")] = travel.travel == RootTravel::Bone      ? QStringLiteral("bone")
                                        : travel.travel == RootTravel::InPlace ? QStringLiteral("inPlace")
                                                                               : QStringLiteral("travels");
    if (!travel.rootBone.empty()) operation[QStringLiteral("rootBone")] = text(travel.rootBone);
    operation[QStringLiteral("turns")] = travel.turns;
    if (arguments.scale) operation[QStringLiteral("scale")] = *arguments.scale;
    return operation;
}

Result<std::string> digestOfRig(const RetargetArguments& arguments, const Project& project)
{
    const auto rig = readFile(arguments.rig);
    if (!rig) return rig.error();
    std::string parts = sha256(*rig);
    if (project.scene.model != nullptr && project.scene.model->source.embedded == nullptr &&
        !project.scene.model->source.path.empty())
        if (const auto model = digestOfFile(project.scene.model->source.path)) parts += *model;
    return sha256(parts);
}

Result<std::string> digestOf(const RetargetArguments& arguments, const RetargetTask& task, const std::string& rigDigest)
{
    const auto motion = digestOfFile(task.motion);
    if (!motion) return motion.error();
    std::string parts = std::string(kRecipe) + "\n" + rigDigest + "\n" + *motion + "\n";
    if (!arguments.map.empty()) {
        const auto map = digestOfFile(arguments.map);
        if (!map) return map.error();
        parts += *map + "\n";
    }
    QJsonObject options = retargetOperation(arguments, task);
    options.remove(QStringLiteral("file")); // where files are does not count, what is in them does
    options.remove(QStringLiteral("map"));
    parts += QJsonDocument(options).toJson(QJsonDocument::Compact).toStdString() + "\n" + arguments.format + "\n" +
             arguments.preset + "\n" + (arguments.strict ? "strict" : "");
    return sha256(parts);
}

Result<Document> retargetOnto(const Cli& cli, const Project& project, const RetargetArguments& arguments,
                              const RetargetTask& task, RetargetedFile& file)
{
    Document document = openDocument(project, arguments.rig, solvers(cli));
    if (document.scene().clipNamed(task.name) != nullptr)
        if (const auto removed = carryOut(document, QJsonObject{{QStringLiteral("op"), QStringLiteral("removeClip")},
                                                                {QStringLiteral("name"), text(task.name)}});
            !removed)
            return removed.error();
    std::optional<RetargetOutcome> outcome;
    document.services.retargeted = [&](const RetargetOutcome& done) { outcome = done; };
    if (const auto done = carryOut(document, retargetOperation(arguments, task)); !done) {
        Error error = done.error();
        // The operation's and the file's names lead the line already.
        if (error.where.rfind("retarget", 0) == 0)
            error.where = error.where.substr(std::min<std::size_t>(error.where.size(), 8));
        if (error.where.rfind(": ", 0) == 0) error.where = error.where.substr(2);
        if (error.where == task.motion) error.where.clear();
        return error;
    }
    document.services.retargeted = {};
    describe(document.scene(), *outcome, file);
    return document;
}

Result<void> exportRetargeted(const Cli& cli, const Document& document, const RetargetArguments& arguments,
                              const RetargetTask& task, RetargetedFile& file,
                              const std::function<Result<void>()>& beforeCommit)
{
    ExportRequest request;
    request.clip = task.name;
    request.fps = file.entry.value(QLatin1StringView("fps")).toDouble();
    request.options.onlyTheseClips = true;
    if (const ExportPreset* preset = findExportPreset(arguments.preset)) request.options.preset = *preset;
    auto job = ExportJob::create(document.scene(), document.edit.currentClip, task.output, std::move(request));
    if (!job) return job.error();
    FileStage stage;
    stage.keep(arguments.rig, "the project with the character");
    stage.keep(task.motion, "the motion");
    keepModel(document.scene(), stage);
    if (const auto free = stage.check(task.output); !free) return free;
    // Clips run beside each other, so each takes one thread.
    const auto bakeAlone = [](const Scene& scene, const SolverRegistry& registry, const BakeOptions& options) {
        BakeOptions alone = options;
        alone.threads = 1;
        return bake(scene, registry, alone);
    };
    if (const auto baked = job->bakeClips(solvers(cli), bakeAlone, {}, nullptr); !baked) return baked;
    const auto outcome = job->write(stage);
    if (!outcome) return outcome.error();
    addSettledJumps(*outcome, file);
    const ReadBack& readBack = outcome->report.readBack;
    file.readBack = readBack.jointError;
    file.readBackDiffers = !readBack.isWithin();
    if (file.readBackDiffers) file.toLook.emplace_back("reading the file back differs");
    file.entry[QStringLiteral("readBack")] = QJsonObject{{QStringLiteral("reader"), text(readBack.reader)},
                                                         {QStringLiteral("jointError"), readBack.jointError},
                                                         {QStringLiteral("vertexError"), readBack.vertexError},
                                                         {QStringLiteral("missing"), listOf(readBack.missing)}};
    if (arguments.strict && !file.toLook.empty())
        return Error{ErrorCode::InvalidArgument, "not written, because of --strict: " + file.toLook.front(), ""};
    if (const auto told = beforeCommit(); !told) return told;
    if (const auto written = stage.commit(); !written) return written;
    const auto digest = readFile(task.output);
    if (!digest) return digest.error();
    file.entry[QStringLiteral("sha256")] = text(sha256(*digest));
    file.entry[QStringLiteral("bytes")] = static_cast<qint64>(outcome->report.bytes);
    return {};
}

} // namespace tendon::cli

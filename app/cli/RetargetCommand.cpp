#include "app/cli/RetargetCommand.h"

#include "app/cli/Progress.h"
#include "app/cli/RetargetClips.h"
#include "app/cli/RetargetReport.h"
#include "app/cli/RetargetTasks.h"
#include "app/cli/Solvers.h"
#include "app/cli/Table.h"
#include "app/cli/TravelOption.h"
#include "core/base/Counted.h"
#include "core/base/Parallel.h"
#include "core/document/Operation.h"
#include "core/document/RoleNaming.h"
#include "core/io/base/FileStage.h"
#include "core/io/base/Files.h"
#include "core/io/export/Exporters.h"
#include "core/io/export/KeptModel.h"
#include "core/io/import/ModelImport.h"
#include "core/io/project/RoleMapFile.h"
#include "core/roles/Roles.h"
#include "core/scene/Check.h"

#include <CLI/CLI.hpp>
#include <QJsonArray>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace tendon::cli {
namespace {

namespace fs = std::filesystem;
using State = RetargetedFile::State;

/// The suffix of the files: as asked for, as the preset is best as, or as the character's model is.
std::string suffixOf(const RetargetArguments& arguments, const Scene& rig)
{
    if (!arguments.format.empty()) return arguments.format;
    if (const ExportPreset* preset = findExportPreset(arguments.preset)) return std::string(preset->format);
    if (rig.model != nullptr && fs::path(rig.model->source.path).extension() == ".vrm")
        return "vrm"; // keeps the avatar
    const std::string own = rig.model == nullptr ? "" : rig.model->source.format;
    return own == "fbx" || own == "gltf" ? own : "glb";
}

// ---- explaining ----

/// "Spine, Spine1", or "none".
std::string namesOf(const Scene& scene, const RoleMap& roles, const std::string& role)
{
    const auto found = roles.find(role);
    std::string names;
    if (found != roles.end())
        for (const JointId joint : found->second) names += (names.empty() ? "" : ", ") + nameOf(scene, joint.value);
    return names.empty() ? "none" : names;
}

Exit explain(const Cli& cli, const Project& rig, const RetargetArguments& arguments, const RetargetTask& task)
{
    const auto model = importModel(task.motion, {});
    if (!model) return fail(model.error());
    const SkeletonRoles motion = guessRoles(model->scene), character = guessRoles(rig.scene);
    const QJsonObject asked = retargetOperation(arguments, task);
    const Operation* operation = findOperation("retarget");
    const auto checked = Arguments::check(*operation, asked);
    if (!checked) return fail(checked.error());
    auto named = motionRoles(model->scene, *checked);
    if (!named) return fail(named.error());
    const RoleMap* const roles = &named->roles;
    const RoleMap own = character.map();
    std::vector<std::string> all;
    for (const std::string_view role : bodyRoles())
        if (jointOf(*roles, std::string(role)).isValid() || jointOf(own, std::string(role)).isValid())
            all.emplace_back(role);
    for (const RoleMap* map : {&own, &*roles})
        for (const auto& [role, joints] : *map)
            if (!joints.empty() && std::find(all.begin(), all.end(), role) == all.end()) all.push_back(role);

    const auto there = [&](const std::string& role) { return namesOf(model->scene, *roles, role); };
    const auto here = [&](const std::string& role) { return namesOf(rig.scene, own, role); };
    Table table({"role", "in the motion", "on the character", "sure", "because"});
    QJsonArray rows;
    int matched = 0, total = 0, unsure = 0;
    for (const std::string& role : all) {
        const bool isHere = jointOf(own, role).isValid(), isThere = jointOf(*roles, role).isValid();
        total += isHere ? 1 : 0;
        matched += isHere && isThere ? 1 : 0;
        const RoleGuess *a = motion.find(role), *b = character.find(role);
        const bool isSet = a == nullptr || a->joints != (isThere ? roles->at(role) : std::vector<JointId>{});
        const double sure = std::min(isThere && !isSet ? a->confidence : 1.0,
                                     isHere && b != nullptr ? b->confidence : 1.0);
        std::string reason = !isThere ? "" : isSet ? "said by hand" : a->reason;
        if (isHere && b != nullptr && b->confidence < (isThere && !isSet ? a->confidence : 1.0)) reason = b->reason;
        if (!isThere || !isHere) reason = isHere ? "the motion has none" : "the character has none";
        const bool isUnsure = sure < kSureRole;
        unsure += isUnsure ? 1 : 0;
        char percent[16];
        std::snprintf(percent, sizeof percent, "%.0f %%%s", sure * 100, isUnsure ? " ?" : "");
        table.add({role, there(role), here(role), percent, reason});
        rows.append(QJsonObject{{QStringLiteral("role"), text(role)},
                                {QStringLiteral("motion"), text(there(role))},
                                {QStringLiteral("character"), text(here(role))},
                                {QStringLiteral("confidence"), sure},
                                {QStringLiteral("reason"), text(reason)}});
    }
    if (cli.json) {
        printJson({{QStringLiteral("motion"), text(task.motion)}, {QStringLiteral("roles"), rows}});
    } else {
        print(table.text());
        print(std::to_string(matched) + " of " + counted(static_cast<std::size_t>(total), "role", "roles") + "; " +
              std::to_string(unsure) + " to check\n");
    }
    return matched > 0 ? Exit::Done : Exit::DoneWithFindings;
}

/// Writes the map that the first motion is retargeted with.
Result<void> saveMap(const RetargetArguments& arguments, const RetargetTask& task)
{
    const auto model = importModel(task.motion, {});
    if (!model) return model.error();
    const auto checked = Arguments::check(*findOperation("retarget"), retargetOperation(arguments, task));
    if (!checked) return checked.error();
    const auto roles = motionRoles(model->scene, *checked);
    if (!roles) return roles.error();
    RoleMapFile map = roleMapFile(model->scene, roles->roles);
    if (arguments.align.rfind("frame:", 0) == 0)
        map.align = "frame", map.frame = std::stod(arguments.align.substr(6));
    else
        map.align = arguments.align;
    map.armSpread = arguments.armSpread;
    FileStage stage;
    if (const auto staged = writeRoleMap(map, arguments.saveMap, stage); !staged) return staged;
    return stage.commit();
}

// ---- a batch ----

std::string resultText(const RetargetedFile& file)
{
    switch (file.state) {
    case State::Ok: return "ok";
    case State::UpToDate: return "up to date";
    case State::Failed: return "failed";
    case State::Look: break;
    }
    std::string text = "look: ";
    for (std::size_t i = 0; i < file.toLook.size(); ++i) text += (i == 0 ? "" : ", ") + file.toLook[i];
    return text;
}

/// ", 12 joint jumps, 10 in the motion"; empty if there are none.
std::string jumpsText(const RetargetedFile& file)
{
    const std::string words = jumpsInWords(
        file.jumps, static_cast<std::size_t>(file.entry.value(QLatin1StringView("motionJumps")).toInteger()));
    return words.empty() ? "" : ", " + words;
}

/// A batch: the same for files and for clips of a project.
class Batch
{
public:
    Batch(const Cli& cli, const RetargetArguments& arguments, Project rig, std::vector<RetargetTask> tasks,
          RetargetReport report)
        : m_cli(cli), m_arguments(arguments), m_rig(std::move(rig)), m_tasks(std::move(tasks)),
          m_report(std::move(report)), m_files(m_tasks.size()), m_isDone(m_tasks.size(), false)
    {
    }

    Exit runToFiles(const std::string& rigDigest)
    {
        const int jobs = threadCount(m_arguments.jobs, static_cast<int>(m_tasks.size()));
        {
            Progress progress(m_cli, "Retargeting");
            inParallel(jobs, static_cast<int>(m_tasks.size()), nullptr, [&](int, int i) {
                const auto place = static_cast<std::size_t>(i);
                RetargetedFile file;
                if (const auto done = toFile(m_tasks[place], rigDigest, file); !done) {
                    file.state = State::Failed;
                    file.error = done.error().text();
                }
                finish(place, std::move(file), progress);
            });
        }
        return summarise();
    }

    Exit runToProject(const std::string& rigDigest)
    {
        Document document = openDocument(m_rig, m_arguments.rig, solvers(m_cli));
        bool hasNew = false;
        {
            Progress progress(m_cli, "Retargeting");
            for (std::size_t i = 0; i < m_tasks.size(); ++i) {
                RetargetedFile file;
                if (const auto done = toClip(document, m_tasks[i], rigDigest, file); !done) {
                    file.state = State::Failed;
                    file.error = done.error().text();
                }
                hasNew = hasNew || file.state == State::Ok || file.state == State::Look;
                finish(i, std::move(file), progress);
            }
        }
        if (hasNew) {
            FileStage stage;
            keepModel(document.scene(), stage);
            if (const auto staged = writeProject(projectOf(document), m_arguments.output, stage); !staged)
                return fail(staged.error());
            if (const auto written = stage.commit(); !written) return fail(written.error());
            warnIfOpen(m_cli, m_arguments.output);
            for (std::size_t i = 0; i < m_files.size(); ++i)
                if (const auto put = putEntry(m_tasks[i], m_files[i]); !put) return fail(put.error());
        }
        return summarise();
    }

private:
    static std::string keyOf(const RetargetTask& task)
    {
        return task.output.empty() ? task.name : fs::path(task.output).filename().string();
    }

    /// Whether the output is there and made from these inputs. Error: it is there and is not ours.
    Result<bool> isUpToDate(const RetargetTask& task, const std::string& inputs)
    {
        QJsonObject former;
        {
            const std::lock_guard lock(m_mutex);
            former = m_report.find(keyOf(task));
        }
        std::error_code code;
        if (m_arguments.force || !fs::exists(task.output, code)) return false;
        const bool wasBeingWritten = former.value(QLatin1StringView("result")) == QLatin1StringView("writing");
        const auto bytes = readFile(task.output);
        if (!bytes) return bytes.error();
        const bool isOurs = wasBeingWritten ||
                            former.value(QLatin1StringView("sha256")).toString() == text(sha256(*bytes));
        if (!isOurs)
            return Error{
                ErrorCode::InvalidArgument,
                "is there already and was not made from these inputs: --force writes over it, or choose another folder",
                task.output};
        return !wasBeingWritten && former.value(QLatin1StringView("inputs")).toString() == text(inputs);
    }

    Result<void> toFile(const RetargetTask& task, const std::string& rigDigest, RetargetedFile& file)
    {
        start(task, file);
        const auto inputs = digestOf(m_arguments, task, rigDigest);
        if (!inputs) return inputs.error();
        const auto isMade = isUpToDate(task, *inputs);
        if (!isMade) return isMade.error();
        if (*isMade) {
            remember(task, file);
            return {};
        }
        file.entry[QStringLiteral("inputs")] = text(*inputs);
        const auto document = retargetOnto(m_cli, m_rig, m_arguments, task, file);
        if (!document) return document.error();
        const auto announce = [&]() -> Result<void> {
            QJsonObject entry = file.entry;
            entry[QStringLiteral("result")] = QStringLiteral("writing");
            const std::lock_guard lock(m_mutex);
            return m_report.put(entry);
        };
        if (const auto written = exportRetargeted(m_cli, *document, m_arguments, task, file, announce); !written)
            return written;
        file.state = file.toLook.empty() ? State::Ok : State::Look;
        return {};
    }

    Result<void> toClip(Document& document, const RetargetTask& task, const std::string& rigDigest,
                        RetargetedFile& file)
    {
        start(task, file);
        const auto inputs = digestOf(m_arguments, task, rigDigest);
        if (!inputs) return inputs.error();
        if (document.scene().clipNamed(task.name) != nullptr) {
            const QJsonObject former = m_report.find(keyOf(task));
            if (!m_arguments.force && former.value(QLatin1StringView("inputs")).toString() == text(*inputs)) {
                remember(task, file);
                return {};
            }
            if (!m_arguments.force)
                return Error{ErrorCode::InvalidArgument,
                             "the project has a clip " + inQuotes(task.name) +
                                 " that was not made from these inputs: --force replaces it",
                             ""};
        }
        file.entry[QStringLiteral("inputs")] = text(*inputs);
        auto done = retargetOnto(m_cli, projectOf(document), m_arguments, task, file);
        if (!done) return done.error();
        if (m_arguments.strict && !file.toLook.empty())
            return Error{ErrorCode::InvalidArgument, "not kept, because of --strict: " + file.toLook.front(), ""};
        document = std::move(*done);
        file.state = file.toLook.empty() ? State::Ok : State::Look;
        return {};
    }

    static void start(const RetargetTask& task, RetargetedFile& file)
    {
        file.entry[QStringLiteral("output")] = text(keyOf(task));
        file.entry[QStringLiteral("motion")] = text(task.motion);
        file.entry[QStringLiteral("clip")] = text(task.name);
        if (task.animation.empty()) return;
        // What the motion holds, so that a later run need not read it to know.
        file.entry[QStringLiteral("source")] = text(task.animation);
        file.entry[QStringLiteral("animation")] = static_cast<qint64>(task.place);
        file.entry[QStringLiteral("animations")] = static_cast<qint64>(task.animations);
        file.entry[QStringLiteral("motionSha256")] = text(task.motionDigest);
    }

    /// What the report says of an output that is up to date.
    void remember(const RetargetTask& task, RetargetedFile& file)
    {
        const std::lock_guard lock(m_mutex);
        const QJsonObject former = m_report.find(keyOf(task));
        file.state = State::UpToDate;
        file.frames = static_cast<std::size_t>(former.value(QLatin1StringView("frames")).toInteger());
        const QJsonObject roles = former.value(QLatin1StringView("roles")).toObject();
        file.roles = {roles.value(QLatin1StringView("matched")).toInt(), roles.value(QLatin1StringView("all")).toInt()};
        file.root = former.value(QLatin1StringView("root")).toString().toStdString();
        file.jumps = static_cast<std::size_t>(former.value(QLatin1StringView("jointJumps")).toInteger());
        for (const QJsonValue& hit : former.value(QLatin1StringView("limits")).toArray())
            file.limitFrames = std::max(
                file.limitFrames,
                static_cast<std::size_t>(hit.toObject().value(QLatin1StringView("frames")).toInteger()));
        if (const QJsonValue error =
                former.value(QLatin1StringView("readBack")).toObject().value(QLatin1StringView("jointError"));
            error.isDouble())
            file.readBack = error.toDouble();
        for (const QJsonValue& line : former.value(QLatin1StringView("look")).toArray())
            file.toLook.push_back(line.toString().toStdString());
        file.entry = former;
    }

    Result<void> putEntry(const RetargetTask&, RetargetedFile& file)
    {
        if (file.state == State::UpToDate) return {};
        QJsonObject& entry = file.entry;
        entry[QStringLiteral("result")] = file.state == State::Failed ? QStringLiteral("failed")
                                          : file.state == State::Look ? QStringLiteral("look")
                                                                      : QStringLiteral("ok");
        if (file.state == State::Failed) {
            // The inputs of what is not there are no reason to leave it so.
            entry.remove(QStringLiteral("inputs"));
            entry.remove(QStringLiteral("sha256"));
            entry[QStringLiteral("error")] = text(file.error);
        }
        QJsonArray look;
        for (const std::string& line : file.toLook) look.append(text(line));
        entry[QStringLiteral("look")] = look;
        const std::lock_guard lock(m_mutex);
        return m_report.put(entry);
    }

    /// Takes a motion's outcome: into the report at once, onto the screen in the order in which motions were given.
    void finish(std::size_t place, RetargetedFile file, Progress& progress)
    {
        // Of a file that is not ours, what the report says of it stays.
        const bool isForeign = file.state == State::Failed && !file.entry.contains(QStringLiteral("inputs"));
        if (!m_tasks[place].output.empty() && !isForeign)
            if (const auto put = putEntry(m_tasks[place], file); !put && file.state != State::Failed) {
                file.state = State::Failed;
                file.error = put.error().text();
            }
        const std::lock_guard lock(m_mutex);
        m_files[place] = std::move(file);
        m_isDone[place] = true;
        for (; m_printed < m_tasks.size() && m_isDone[m_printed]; ++m_printed)
            if (!m_cli.quiet && !m_cli.json) print(lineOf(m_printed) + "\n");
        progress.set(static_cast<double>(std::count(m_isDone.begin(), m_isDone.end(), true)) /
                     static_cast<double>(m_tasks.size()));
    }

    [[nodiscard]] std::string lineOf(std::size_t place) const
    {
        const RetargetedFile& file = m_files[place];
        const RetargetTask& task = m_tasks[place];
        const std::string name = fs::path(task.motion).filename().string() +
                                 (task.animation.empty() ? "" : ", " + task.animation);
        if (file.state == State::Failed) return name + "   not written   " + file.error;
        std::string result = resultText(file);
        if (result.rfind("look: ", 0) == 0) result = result.substr(6);
        return name + "   " + counted(file.frames, "frame", "frames") + "   " +
               (task.output.empty() ? "clip " + task.name : task.output) + "   " + result + jumpsText(file);
    }

    static const std::string& nameOf(const RetargetTask& task) { return task.output.empty() ? task.name : task.stem; }

    Exit summarise()
    {
        if (const auto finished = m_report.finish(); !finished) return fail(finished.error());
        std::size_t ok = 0, look = 0, failed = 0, upToDate = 0, frames = 0;
        bool differs = false;
        Table table({"clip", "frames", "roles", "root", "limits", "jumps", "read back [mm]", "result"});
        std::optional<std::size_t> first;
        QJsonArray entries;
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            const RetargetedFile& file = m_files[i];
            frames += file.frames;
            ok += file.state == State::Ok, look += file.state == State::Look, failed += file.state == State::Failed;
            upToDate += file.state == State::UpToDate;
            differs = differs || file.readBackDiffers;
            if (file.state == State::Look && !first) first = i;
            const bool isMade = file.state != State::Failed;
            table.add({nameOf(m_tasks[i]), isMade ? std::to_string(file.frames) : "-",
                       isMade ? std::to_string(file.roles.matched) + "/" + std::to_string(file.roles.all) : "-",
                       isMade ? file.root : "-", isMade ? std::to_string(file.limitFrames) : "-",
                       isMade ? std::to_string(file.jumps) : "-",
                       file.readBack >= 0 ? shown(file.readBack * 1000, 4) : "-", resultText(file)});
            entries.append(file.entry);
        }
        if (m_cli.json) {
            printJson({{QStringLiteral("report"), text(m_report.path())},
                       {QStringLiteral("ok"), static_cast<qint64>(ok)},
                       {QStringLiteral("look"), static_cast<qint64>(look)},
                       {QStringLiteral("failed"), static_cast<qint64>(failed)},
                       {QStringLiteral("upToDate"), static_cast<qint64>(upToDate)},
                       {QStringLiteral("clips"), entries}});
        } else if (!m_cli.quiet) {
            std::string sum = counted(m_files.size(), "clip", "clips") + ", " + counted(frames, "frame", "frames") +
                              ": ";
            std::string parts;
            for (const auto& [count, what] :
                 {std::pair{ok, " ok"}, {look, " to look at"}, {upToDate, " up to date"}, {failed, " failed"}})
                if (count > 0) parts += (parts.empty() ? "" : ", ") + std::to_string(count) + what;
            print("\n" + table.text() + sum + parts + "\nreport: " + m_report.path() + "\n");
            if (first)
                print("look first at: " + nameOf(m_tasks[*first]) + ", frame " +
                      std::to_string(std::lround(std::max(0.0, m_files[*first].firstLook))) + "\n");
        }
        for (std::size_t i = 0; i < m_files.size(); ++i)
            if (m_files[i].state == State::Failed)
                fail({ErrorCode::InvalidArgument, m_files[i].error, m_tasks[i].motion});
        if (failed == m_files.size()) return Exit::Failed;
        if (differs) return Exit::ReadBackDiffers;
        return failed > 0 || look > 0 ? Exit::DoneWithFindings : Exit::Done;
    }

    const Cli& m_cli;
    const RetargetArguments& m_arguments;
    Project m_rig;
    std::vector<RetargetTask> m_tasks;
    RetargetReport m_report;
    std::mutex m_mutex; ///< of what follows, and of the report
    std::vector<RetargetedFile> m_files;
    std::vector<bool> m_isDone;
    std::size_t m_printed = 0;
};

// ---- the command ----

/// What comes with a later version and has its place already.
std::optional<Error> refused(const RetargetArguments& arguments)
{
    const auto notYet = [](const char* option, const char* what) {
        return Error{ErrorCode::Unsupported, std::string(what) + " in this version of Tendon; leave the option out",
                     option};
    };
    if (arguments.contacts != "off") return notYet("--contacts", "contacts of feet and hands are not found yet");
    if (!arguments.filter.empty()) return notYet("--filter", "motions are not filtered yet");
    if (arguments.fit > 0) return notYet("--fit", "handle keys are not fitted yet");
    return std::nullopt;
}

/// Options that say nothing together.
std::string contradictionOf(const RetargetArguments& arguments)
{
    return arguments.turns == "on" && arguments.root == "travels"
               ? "--turns on counts with --root bone or in-place; while the hips travel they turn as in the motion"
               : "";
}

std::string checkAlign(const std::string& how)
{
    if (how == "directions" || how == "rest") return {};
    char* end = nullptr;
    const std::string frame = how.rfind("frame:", 0) == 0 ? how.substr(6) : "";
    const double number = std::strtod(frame.c_str(), &end);
    return !frame.empty() && *end == 0 && std::isfinite(number) ? "" : "must be directions, rest or frame:N";
}

std::string checkSet(const std::string& one)
{
    const auto equals = one.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == one.size())
        return "must be ROLE=JOINT, or ROLE=none";
    return isRoleName(one.substr(0, equals)) ? "" : "\"" + one.substr(0, equals) + "\" is not the name of a role";
}

Exit runRetarget(const Cli& cli, const RetargetArguments& arguments)
{
    if (const auto error = refused(arguments)) return fail(*error);
    Issues issues;
    auto rig = readProject(arguments.rig, &issues);
    if (!rig) return fail(rig.error());
    printIssues(cli, issues);
    const bool isToProject = isProjectName(arguments.output);
    const auto motions = motionFiles(arguments.motions);
    if (!motions) return fail(motions.error());
    if (!jointOf(guessRoles(rig->scene).map(), "hips").isValid())
        return fail({ErrorCode::InvalidArgument,
                     "has no roles: run tendon rig " + arguments.rig + " first, or set them with setRoles",
                     arguments.rig});
    if (arguments.explain) return explain(cli, *rig, arguments, firstTask(*motions));

    if (!arguments.saveMap.empty())
        if (const auto saved = saveMap(arguments, firstTask(*motions)); !saved) return fail(saved.error());
    const auto rigDigest = digestOfRig(arguments, *rig);
    if (!rigDigest) return fail(rigDigest.error());
    std::error_code code;
    std::set<std::string> ownClips;
    for (const auto& clip : rig->scene.clips) ownClips.insert(clip->name);
    if (isToProject) {
        // A project that a former run has made goes on from there; the character's own just gets more clips.
        const std::string reportPath = arguments.report.empty() ? arguments.output + ".retarget.json"
                                                                : arguments.report;
        if (fs::exists(arguments.output, code) && !isSameFile(arguments.output, arguments.rig)) {
            if (!arguments.force && !fs::exists(reportPath, code))
                return fail({ErrorCode::InvalidArgument,
                             "is there already and was not made from these inputs: --force writes over it, or choose "
                             "another name",
                             arguments.output});
            if (!arguments.force) {
                auto former = readProject(arguments.output);
                if (!former) return fail(former.error());
                rig = std::move(former);
            }
        }
        auto report = RetargetReport::open(reportPath, arguments.rig);
        if (!report) return fail(report.error());
        const auto tasks = tasksOf(arguments, *motions, "", ownClips, *report);
        return Batch(cli, arguments, std::move(*rig), tasks, std::move(*report)).runToProject(*rigDigest);
    }
    fs::create_directories(arguments.output, code);
    if (code) return fail({ErrorCode::Io, "cannot create this folder (" + code.message() + ")", arguments.output});
    auto report = RetargetReport::open(
        arguments.report.empty() ? (fs::path(arguments.output) / "retarget-report.json").string() : arguments.report,
        arguments.rig);
    if (!report) return fail(report.error());
    const auto tasks = tasksOf(arguments, *motions, suffixOf(arguments, rig->scene), {}, *report);
    return Batch(cli, arguments, std::move(*rig), tasks, std::move(*report)).runToFiles(*rigDigest);
}

} // namespace

void addRetargetCommand(CLI::App& app, Cli& cli)
{
    const auto arguments = std::make_shared<RetargetArguments>();
    CLI::App* command = addCommand(app, cli, "retarget", "Put motions onto a character, a file or a clip each",
                                   [&cli, arguments] {
                                       if (arguments->output.empty() && !arguments->explain)
                                           return wrongUsage("retarget", "--output is required");
                                       if (const std::string both = contradictionOf(*arguments); !both.empty())
                                           return wrongUsage("retarget", both);
                                       return runRetarget(cli, *arguments);
                                   });
    command->add_option("RIG", arguments->rig, "Project with the character (.tendon)")->required();
    command
        ->add_option("MOTION", arguments->motions, "Motions, or folders of them: .bvh, .fbx, .glb, .gltf, .vrma, .dae")
        ->required();
    command->add_option("-o,--output", arguments->output,
                        "A folder: one file a clip. P.tendon: all of them as clips of that project");
    std::vector<std::string> formats, presets;
    for (const Exporter& exporter : exporters()) formats.emplace_back(exporter.suffix);
    formats.emplace_back("vrm"); // of a character that is one
    for (const ExportPreset& preset : exportPresets()) presets.emplace_back(preset.name);
    command
        ->add_option("--format", arguments->format,
                     "Suffix of the files (default: what the preset is best as, or the character's own)")
        ->check(CLI::IsMember(formats));
    command
        ->add_option("--preset", arguments->preset,
                     "Program to export for: sets the unit, the root and the number of influences")
        ->check(CLI::IsMember(presets));
    command->add_option("--clip", arguments->clip,
                        "Animation of the motions (default: all of them, each as a file or a clip of its own)");
    command->add_option("--map", arguments->map, "Saved map (.tendonmap) with the motions' roles, instead of guessing");
    command->add_option("--save-map", arguments->saveMap, "File for the map that the first motion is retargeted with");
    command
        ->add_option("--set", arguments->set,
                     "One role of the motions by hand, ROLE=JOINT or ROLE=none; may be given again")
        ->check(checkSet)
        ->expected(1)
        ->take_all();
    command->add_flag("--explain", arguments->explain,
                      "List every role with its joints, confidence and reason, and write nothing");
    command
        ->add_option("--align", arguments->align,
                     "How rest poses are brought in line: directions, rest (as they are) or frame:N (that frame of the "
                     "motion is the T-pose)")
        ->capture_default_str()
        ->check(checkAlign);
    command
        ->add_option("--arm-spread", arguments->armSpread,
                     "Degrees by which the arms open (+) or close (-) after aligning")
        ->check(numberBetween(-90, 90));
    command->add_option("--root", arguments->root, "Where the travel goes: travels, in-place, bone or bone:NAME")
        ->capture_default_str()
        ->check(checkTravel);
    command->add_option("--turns", arguments->turns, "Whether turning goes with the travel (default: on for a bone)")
        ->check(CLI::IsMember({"on", "off"}));
    command->add_option("--scale", arguments->scale, "Of the travel (default: by the length of the legs)")
        ->check(numberBetween(0, 1000));
    command
        ->add_option("--keys", arguments->keys,
                     "motion: a key at each frame of the motion; project: at the character's frames alone")
        ->capture_default_str()
        ->check(CLI::IsMember({"motion", "project"}));
    command
        ->add_option(
            "--hand-reach", arguments->handReach,
            "on: hands keep their places relative to the shoulders, scaled by the arms. off: arms only turn as in "
            "the motion")
        ->capture_default_str()
        ->check(CLI::IsMember({"on", "off"}));
    command->add_option("--fingers", arguments->fingers, "on: fingers move as in the motion. off: they follow the hand")
        ->capture_default_str()
        ->check(CLI::IsMember({"on", "off"}));
    command->add_flag("--keep-limits", arguments->keepLimits,
                      "Joints stop at their limits; without it the motion may pass them, which the table counts");
    command->add_option("--contacts", arguments->contacts, "lock, keep or off; only off so far")
        ->capture_default_str()
        ->check(CLI::IsMember({"lock", "keep", "off"}));
    command->add_option("--filter", arguments->filter, "STRENGTH or REGION=STRENGTH; not there yet")
        ->expected(1)
        ->take_all();
    command->add_option("--fit", arguments->fit, "Handle keys within so many millimetres; not there yet")
        ->check(numberBetween(0, 1000));
    command->add_flag("--strict", arguments->strict, "Clips with something to look at are not written");
    command->add_flag("--force", arguments->force, "Make every file anew, also one that was not made by this command");
    command->add_option("--report", arguments->report,
                        "File for the report, as JSON (default: retarget-report.json in the folder)");
    command->add_option("-j,--jobs", arguments->jobs, "Clips at a time (default: one a processor)")
        ->check(CLI::Range(1, 1024));
}

} // namespace tendon::cli

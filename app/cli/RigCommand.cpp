#include "app/cli/RigCommand.h"

#include "app/cli/RoleTable.h"
#include "app/cli/Solvers.h"
#include "core/base/Counted.h"
#include "core/document/AutoRig.h"
#include "core/document/Document.h"
#include "core/document/Transaction.h"
#include "core/io/project/ProjectFile.h"

#include <CLI/CLI.hpp>
#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>
#include <memory>

namespace tendon::cli {
namespace {

struct RigArguments
{
    std::string input, output, map, saveMap, by = "both", learnFrom;
    std::vector<std::string> only;
    double accept = kSureRole;
    bool explain = false;
};

/// The project, or an empty one into which a model is imported.
Result<Document> openInput(const Cli& cli, const RigArguments& arguments)
{
    if (!isProjectName(arguments.input)) return openDocument({}, {}, solvers(cli));
    Issues issues;
    auto project = readProject(arguments.input, &issues);
    printIssues(cli, issues);
    if (!project) return project.error();
    return openDocument(*std::move(project), arguments.input, solvers(cli));
}

QJsonObject autoRigOf(const RigArguments& arguments)
{
    QJsonObject operation{{"op", "autoRig"}, {"by", text(arguments.by)}};
    if (!arguments.learnFrom.empty()) operation.insert("learnFrom", text(arguments.learnFrom));
    if (arguments.only.empty()) return operation;
    QJsonArray names;
    for (const std::string& name : arguments.only) names.append(text(name));
    operation.insert("accept", names);
    return operation;
}

RoleEvidence evidenceOf(const std::string& by)
{
    return by == "names" ? RoleEvidence::Names : by == "shape" ? RoleEvidence::Shape : RoleEvidence::Both;
}

/// Whether a limb that is rigged, or would be, is below what counts as sure.
bool isDoubtful(const SkeletonRoles& roles, const RigArguments& arguments)
{
    return std::any_of(roles.limbs.begin(), roles.limbs.end(), [&](const Limb& limb) {
        const bool isAsked = arguments.only.empty() ||
                             std::find(arguments.only.begin(), arguments.only.end(), limb.name) != arguments.only.end();
        return isAsked && limb.confidence < arguments.accept;
    });
}

bool isRefused(const LimbWithoutHandle& limb) { return limb.isRefused; }

Exit exitOf(const Cli& cli, const SkeletonRoles& roles, const RigArguments& arguments,
            const std::vector<LimbWithoutHandle>& without = {})
{
    const bool isPartial = std::any_of(without.begin(), without.end(), isRefused);
    if (!isDoubtful(roles, arguments)) return isPartial ? Exit::DoneWithFindings : Exit::Done;
    if (!cli.quiet)
        printNote("something is below " + std::to_string(static_cast<int>(100 * arguments.accept + 0.5)) +
                  " %; --accept takes less as sure, --only rigs just the limbs that it names");
    return Exit::DoneWithFindings;
}

std::string headLine(const RigArguments& arguments, const Scene& scene, const SkeletonRoles& roles)
{
    const std::string file = QFileInfo(QString::fromStdString(arguments.input)).fileName().toStdString();
    return file + ": " + counted(scene.joints->size(), "joint", "joints") + "; names say something about " +
           std::to_string(roles.namedJoints) + " of them\n";
}

void explain(const Cli& cli, const RigArguments& arguments, const Scene& scene, const SkeletonRoles& roles)
{
    if (cli.json) {
        printJson(rolesAsJson(scene, roles));
        return;
    }
    print(headLine(arguments, scene, roles) + limbsAsText(scene, roles, arguments.accept) + "\n" +
          rolesAsText(scene, roles, arguments.accept));
}

/// A line for each reason: "left fingers, right fingers: posed joint by joint".
std::string withoutHandleAsText(const std::vector<LimbWithoutHandle>& without)
{
    std::vector<std::pair<std::string, std::string>> lines; // reason, limbs
    for (const LimbWithoutHandle& limb : without) {
        const auto same = std::find_if(lines.begin(), lines.end(),
                                       [&](const auto& line) { return line.first == limb.reason; });
        if (same == lines.end())
            lines.emplace_back(limb.reason, roleInWords(limb.limb));
        else
            same->second += ", " + roleInWords(limb.limb);
    }
    std::string text = lines.empty() ? "" : "without a handle:\n";
    for (const auto& [reason, limbs] : lines) text += "  " + limbs + ": " + reason + "\n";
    return text;
}

void report(const Cli& cli, const RigArguments& arguments, const Scene& before, const RigPlan& plan)
{
    if (cli.json) {
        QJsonObject json = rolesAsJson(before, plan.guesses);
        QJsonArray handles;
        for (const PlannedHandle& handle : plan.handles) handles.append(text(handle.name));
        json.insert("handles", handles);
        QJsonArray without;
        for (const LimbWithoutHandle& limb : plan.without)
            without.append(
                QJsonObject{{"limb", text(limb.limb)}, {"reason", text(limb.reason)}, {"refused", limb.isRefused}});
        json.insert("withoutHandle", without);
        json.insert("limits", static_cast<qint64>(plan.limitCount));
        json.insert("preferred", static_cast<qint64>(plan.preferredCount));
        json.insert("file", text(arguments.output));
        printJson(json);
        return;
    }
    std::string line = counted(plan.handles.size(), "handle", "handles") + ", " +
                       counted(plan.limitCount, "limit", "limits") + ", " +
                       counted(plan.preferredCount, "preferred angle", "preferred angles") + ". ";
    if (!plan.present.empty())
        line += std::to_string(plan.present.size()) + " of " +
                counted(plan.present.size() + plan.handles.size(), "handle is", "handles are") +
                " there already and stay as they are. ";
    print(headLine(arguments, before, plan.guesses) + limbsAsText(before, plan.guesses, arguments.accept) +
          withoutHandleAsText(plan.without) + line + arguments.output + " written.\n");
}

Exit runRig(const Cli& cli, const RigArguments& arguments)
{
    if (!arguments.explain && arguments.output.empty())
        return wrongUsage("rig", "-o is required, or --explain, which writes nothing");
    auto document = openInput(cli, arguments);
    if (!document) return fail(document.error());
    RigPlan made;
    document->services.rigged = [&made](const RigPlan& plan) { made = plan; };
    Transaction transaction(*document);
    const auto carry = [&](const QJsonObject& operation) {
        const auto done = transaction.carryOut(operation);
        if (done) printIssues(cli, transaction.draft().messages);
        return done;
    };
    if (!isProjectName(arguments.input)) {
        if (const auto imported = carry({{"op", "import"}, {"file", text(arguments.input)}}); !imported)
            return fail(imported.error());
    }
    if (!arguments.map.empty())
        if (const auto set = carry({{"op", "setRoles"}, {"map", text(arguments.map)}}); !set) return fail(set.error());

    const Scene before = transaction.draft().scene();
    if (arguments.explain) {
        const SkeletonRoles roles = guessRoles(before, evidenceOf(arguments.by));
        explain(cli, arguments, before, roles);
        return exitOf(cli, roles, arguments);
    }
    // What was made stands in the table; the operation's own messages repeat it.
    if (const auto rigged = transaction.carryOut(autoRigOf(arguments)); !rigged)
        return fail({rigged.error().code, rigged.error().message, arguments.input});
    if (!arguments.saveMap.empty())
        if (const auto saved = transaction.carryOut({{"op", "saveMap"}, {"file", text(arguments.saveMap)}}); !saved)
            return fail(saved.error());
    if (const auto saved = transaction.carryOut({{"op", "save"}, {"file", text(arguments.output)}}); !saved)
        return fail(saved.error());
    if (const auto done = transaction.commit(); !done) return fail(done.error());
    warnIfOpen(cli, arguments.output);
    report(cli, arguments, before, made);
    return exitOf(cli, made.guesses, arguments, made.without);
}

} // namespace

void addRigCommand(CLI::App& app, Cli& cli)
{
    const auto arguments = std::make_shared<RigArguments>();
    CLI::App* command = addCommand(app, cli, "rig",
                                   "Find the limbs of a skeleton and make handles, limits and preferred angles",
                                   [&cli, arguments] { return runRig(cli, *arguments); });
    command->add_option("MODEL", arguments->input, "Model file, or project file (.tendon)")->required();
    command->add_option("-o,--output", arguments->output, "Project file to write (.tendon)")->check(checkProjectName);
    command->add_flag("--explain", arguments->explain,
                      "List limbs and roles with confidence and reason, and write nothing");
    command->add_option("--only", arguments->only, "Rig these limbs only: leftLeg,rightLeg,spine,...")->delimiter(',');
    command->add_option("--accept", arguments->accept, "What counts as sure, from 0 to 1")
        ->capture_default_str()
        ->check(numberBetween(0, 1));
    command->add_option("--by", arguments->by, "What to go by: names, shape or both")
        ->capture_default_str()
        ->check(CLI::IsMember({"names", "shape", "both"}));
    command->add_option("--learn-from", arguments->learnFrom,
                        "Clip that shows how far joints turn (default: all clips)");
    command->add_option("--map", arguments->map, "Saved map of roles to use (.tendonmap)");
    command->add_option("--save-map", arguments->saveMap, "Map of roles to write (.tendonmap)");
}

} // namespace tendon::cli

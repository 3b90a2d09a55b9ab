#include "core/document/Operation.h"

#include "core/document/Arguments.h"
#include "core/document/Draft.h"
#include "core/document/Families.h"
#include "core/document/FileStage.h"
#include "core/document/PreparedStep.h"
#include "core/scene/Check.h"

#include <algorithm>
#include <optional>

namespace tendon {
namespace {

std::vector<Operation> allOperations()
{
    std::vector<Operation> all;
    for (const auto family :
         {fileOperations(), jointOperations(), freedomOperations(), handleOperations(), posingOperations(),
          solvedOperations(), keyOperations(), clipOperations(), editingOperations()})
        all.insert(all.end(), family.begin(), family.end());
    return all;
}

/// What is pending on an object or clip that the step took away.
void forgetWhatIsGone(Draft& draft)
{
    const Scene& scene = draft.scene;
    std::erase_if(draft.edit.pending, [&](const auto& entry) { return !checkChannel(scene, entry.first); });
    std::erase_if(draft.edit.copiedPose.joints, [&](const auto& entry) { return scene.find(entry.first) == nullptr; });
    std::erase_if(draft.edit.copiedPose.goals, [&](const auto& entry) { return scene.find(entry.first) == nullptr; });
    if (scene.find(draft.edit.currentClip) == nullptr)
        draft.edit.currentClip = scene.clips.empty() ? ClipId{} : scene.clips.front()->id;
}

Result<PreparedStep> prepareStep(const Scene& scene, const EditState& edit, const SolverRegistry& solvers,
                                 const Services& services, SolvedPoses& poses, const Operation& operation,
                                 const Arguments& arguments)
{
    Draft draft{.scene = scene,
                .edit = edit,
                .solvers = solvers,
                .services = services,
                .poses = poses,
                .text = std::string(operation.name),
                .messages = {}};
    if (const auto done = operation.edit(draft, arguments); !done) return done.error();
    forgetWhatIsGone(draft);
    return PreparedStep{std::move(draft.scene), std::move(draft.edit), std::move(draft.text),
                        std::move(draft.messages)};
}

struct Checked
{
    const Operation* operation = nullptr;
    Arguments arguments;
};

Result<Checked> check(const QJsonObject& json)
{
    const QJsonValue name = json.value(QLatin1StringView("op"));
    if (!name.isString())
        return Error{ErrorCode::InvalidArgument, "an operation needs its name in the member \"op\"", ""};
    const std::string text = name.toString().toStdString();
    const Operation* operation = findOperation(text);
    if (operation == nullptr)
        return Error{ErrorCode::InvalidArgument,
                     "there is no operation " + inQuotes(text) + "; the manual's page \"operations\" lists them", ""};
    auto arguments = Arguments::check(*operation, json);
    if (!arguments) return arguments.error().within(text);
    return Checked{operation, std::move(*arguments)};
}

Result<void> carryOutEdit(Document& document, const Operation& operation, const Arguments& arguments)
{
    auto step = prepareStep(document.scene(), document.edit, *document.solvers, document.services, *document.poses,
                            operation, arguments);
    if (!step) return step.error();
    takeStep(document, std::move(*step));
    return {};
}

} // namespace

std::span<const Operation> operations()
{
    static const std::vector<Operation> all = allOperations();
    return all;
}

const Operation* findOperation(std::string_view name)
{
    const auto all = operations();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Operation& o) { return o.name == name; });
    return found == all.end() ? nullptr : &*found;
}

Result<std::vector<PreparedStep>> prepareSteps(const Scene& scene, const EditState& edit, const SolverRegistry& solvers,
                                               const Services& services, SolvedPoses& poses,
                                               std::span<const QJsonObject> operations)
{
    std::vector<PreparedStep> steps;
    for (const QJsonObject& json : operations) {
        const auto checked = check(json);
        if (!checked) return checked.error();
        const std::string name(checked->operation->name);
        if (checked->operation->edit == nullptr)
            return Error{ErrorCode::InvalidArgument, "works on files or the history, so that it cannot be prepared",
                         name};
        auto step = prepareStep(steps.empty() ? scene : steps.back().scene, steps.empty() ? edit : steps.back().edit,
                                solvers, services, poses, *checked->operation, checked->arguments);
        if (!step) return step.error().within(name);
        steps.push_back(std::move(*step));
    }
    return steps;
}

void takeStep(Document& document, PreparedStep step, const std::string& mergeKey)
{
    document.messages = std::move(step.messages);
    document.edit = std::move(step.edit);
    if (mergeKey.empty())
        document.history.push(std::move(step.scene), std::move(step.text));
    else
        document.history.pushMerged(std::move(step.scene), std::move(step.text), mergeKey);
}

Result<void> carryOut(Document& document, const QJsonObject& json, FileStage& stage)
{
    const auto checked = check(json);
    if (!checked) return checked.error();
    const auto done = checked->operation->edit != nullptr
                          ? carryOutEdit(document, *checked->operation, checked->arguments)
                          : checked->operation->act(document, checked->arguments, stage);
    return done ? done : Result<void>(done.error().within(std::string(checked->operation->name)));
}

Result<void> carryOut(Document& document, const QJsonObject& json)
{
    FileStage stage;
    document.messages.clear();
    // Only operations on files can fail after they have succeeded: when the files are put in their places.
    const Operation* operation = findOperation(json.value(QLatin1StringView("op")).toString().toStdString());
    std::optional<Document> before;
    if (operation != nullptr && operation->act != nullptr) before = document;
    if (const auto done = carryOut(document, json, stage); !done) return done;
    if (const auto written = stage.commit(); !written) {
        if (before) document = std::move(*before);
        return written.error().within(std::string(operation->name));
    }
    return {};
}

} // namespace tendon

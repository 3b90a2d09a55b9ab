#include "core/document/Operation.h"

#include "core/document/Arguments.h"
#include "core/document/Draft.h"
#include "core/document/Families.h"
#include "core/document/FileStage.h"
#include "core/scene/Check.h"

#include <algorithm>
#include <optional>

namespace tendon {
namespace {

std::vector<Operation> allOperations()
{
    std::vector<Operation> all;
    for (const auto family : {fileOperations(), jointOperations(), freedomOperations(), handleOperations(), posingOperations(),
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

Result<void> carryOutEdit(Document& document, const Operation& operation, const Arguments& arguments, const std::string& mergeKey,
                          MergeBase mergeBase)
{
    // A merged step builds on what was there before it, so that what a drag leaves does not depend on its way.
    const bool isAnew = !mergeKey.empty() && mergeBase == MergeBase::BeforeStep;
    const Scene& base = isAnew ? document.history.baseOf(mergeKey) : document.scene();
    Draft draft{.scene = base, .edit = document.edit, .solvers = *document.solvers, .services = document.services,
                .poses = *document.poses, .text = std::string(operation.name), .messages = {}};
    if (const auto done = operation.edit(draft, arguments); !done) return done;
    forgetWhatIsGone(draft);
    document.messages = std::move(draft.messages);
    document.edit = std::move(draft.edit);
    if (mergeKey.empty())
        document.history.push(std::move(draft.scene), std::move(draft.text));
    else
        document.history.pushMerged(std::move(draft.scene), std::move(draft.text), mergeKey);
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

Result<void> carryOut(Document& document, const QJsonObject& json, FileStage& stage, const std::string& mergeKey, MergeBase mergeBase)
{
    const QJsonValue name = json.value(QLatin1StringView("op"));
    if (!name.isString()) return Error{ErrorCode::InvalidArgument, "an operation needs its name in the member \"op\"", ""};
    const std::string text = name.toString().toStdString();
    const Operation* operation = findOperation(text);
    if (operation == nullptr)
        return Error{ErrorCode::InvalidArgument, "there is no operation " + inQuotes(text) + "; the manual's page \"operations\" lists them", ""};
    const auto arguments = Arguments::check(*operation, json);
    if (!arguments) return arguments.error().within(text);
    const auto done = operation->edit != nullptr ? carryOutEdit(document, *operation, *arguments, mergeKey, mergeBase)
                                                 : operation->act(document, *arguments, stage);
    return done ? done : Result<void>(done.error().within(text));
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

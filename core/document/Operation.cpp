#include "core/document/Operation.h"

#include "core/document/Arguments.h"
#include "core/document/ChainFit.h"
#include "core/document/Draft.h"
#include "core/document/Families.h"
#include "core/document/FollowSpaces.h"
#include "core/document/PassedLimits.h"
#include "core/document/PreparedStep.h"
#include "core/document/Transaction.h"
#include "core/scene/Check.h"

#include <QJsonArray>

#include <algorithm>

namespace tendon {
namespace {

std::vector<Operation> allOperations()
{
    std::vector<Operation> all;
    for (const auto family :
         {fileOperations(),       jointOperations(),  freedomOperations(),      handleOperations(),
          curveOperations(),      roleOperations(),   posingOperations(),       poseLibraryOperations(),
          solvedOperations(),     keyOperations(),    keyClipboardOperations(), tangentOperations(),
          keyShapingOperations(), clipOperations(),   correctionOperations(),   checkOperations(),
          retargetOperations(),   markerOperations(), viewOperations(),         editingOperations()})
        all.insert(all.end(), family.begin(), family.end());
    return all;
}

/// "orientation weight" of "orientationWeight".
std::string wordsOf(std::string_view name)
{
    std::string words;
    for (const char c : name) {
        const bool isUpper = c >= 'A' && c <= 'Z';
        if (isUpper) words += ' ';
        words += isUpper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return words;
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

const Operation* findOperation(const QJsonObject& operation)
{
    return findOperation(operation.value(QLatin1StringView("op")).toString().toStdString());
}

std::string placeInGroup(std::size_t index) { return "operations[" + std::to_string(index) + "]"; }

Error inWords(Error error)
{
    constexpr std::string_view kNext = ": ", kGroup = "operations[";
    const Operation* operation = nullptr;
    for (;;) {
        const std::size_t end = std::min(error.where.find(kNext), error.where.size());
        const std::string first = error.where.substr(0, end);
        const Operation* named = findOperation(first);
        if (named == nullptr && !(operation != nullptr && first.starts_with(kGroup))) break;
        if (named != nullptr) operation = named;
        error.where.erase(0, std::min(end + kNext.size(), error.where.size()));
    }
    if (operation == nullptr) return error;
    for (const Field& field : operation->fields) {
        const std::string words = wordsOf(field.name);
        if (error.where == field.name) error.where = words;
        if (words == field.name) continue; // one word: it may be meant as one
        for (std::size_t i = 0; (i = error.message.find(field.name, i)) != std::string::npos; i += words.size())
            error.message.replace(i, field.name.size(), words);
    }
    return error;
}

bool takesTime(const QJsonObject& operation)
{
    const Operation* known = findOperation(operation);
    if (known == nullptr) return false;
    const auto isSlow = [](const QJsonValue& inner) { return takesTime(inner.toObject()); };
    if (known->takesTime) return known->isQuick == nullptr || !known->isQuick(operation);
    return std::any_of(known->fields.begin(), known->fields.end(), [&](const Field& field) {
        if (field.type != Field::Type::Operations) return false;
        const QString name = QString::fromUtf8(field.name.data(), static_cast<qsizetype>(field.name.size()));
        const QJsonArray inner = operation.value(name).toArray();
        return std::any_of(inner.begin(), inner.end(), isSlow);
    });
}

namespace {

/// One operation, without what keepPlaces() does after it.
Result<void> edit(Draft& draft, const QJsonObject& json)
{
    const QJsonValue given = json.value(QLatin1StringView("op"));
    if (!given.isString())
        return Error{ErrorCode::InvalidArgument, "an operation needs its name in the member \"op\"", ""};
    const std::string name = given.toString().toStdString();
    const Operation* operation = findOperation(name);
    if (operation == nullptr)
        return Error{ErrorCode::InvalidArgument,
                     "there is no operation " + inQuotes(name) + "; the manual's page \"operations\" lists them", ""};
    if (operation->edit == nullptr)
        return Error{ErrorCode::InvalidArgument, "works on files or the history; carry it out on its own", name};
    const auto arguments = Arguments::check(*operation, json);
    if (!arguments) return arguments.error().within(name);
    draft.text = name;
    if (const auto done = operation->edit(draft, *arguments); !done) return done.error().within(name);
    return {};
}

/// Operations that consist of others have kept the places after each of them.
bool consistsOfOthers(const QJsonObject& json)
{
    const Operation* operation = findOperation(json);
    return operation != nullptr &&
           std::any_of(operation->fields.begin(), operation->fields.end(),
                       [](const Field& field) { return field.type == Field::Type::Operations; });
}

} // namespace

Result<void> carryOut(Draft& draft, const QJsonObject& json)
{
    std::size_t done = 0;
    return carryOutTogether(draft, {&json, 1}, done);
}

Result<void> carryOutTogether(Draft& draft, std::span<const QJsonObject> operations, std::size_t& done)
{
    const Scene before = draft.scene;
    draft.movedKeys.clear();
    for (done = 0; done < operations.size(); ++done)
        if (const auto edited = edit(draft, operations[done]); !edited) return edited;
    if (!consistsOfOthers(operations.front()))
        if (const auto kept = keepPlaces(draft, before); !kept) {
            done = operations.size() - 1;
            return kept.error().within(std::string(findOperation(operations.back())->name));
        }
    draft.movedKeys.clear();
    pruneEditState(draft.scene, draft.edit);
    return {};
}

Result<PreparedStep> prepare(const Scene& scene, const EditState& edit, const SolverRegistry& solvers,
                             const Services& services, SolvedPoses& poses, const QJsonObject& operation)
{
    const Clip* clip = scene.find(edit.currentClip);
    if (clip != nullptr && services.settled != nullptr && services.settled->isOf(scene, *clip))
        poses.take(services.settled);
    Draft draft{.scene = scene,
                .edit = edit,
                .solvers = solvers,
                .services = services,
                .poses = poses,
                .text = {},
                .messages = {},
                .posed = {}};
    if (const auto done = carryOut(draft, operation); !done) return done.error();
    if (const auto kept = checkChainsStaySolvable(draft, scene); !kept)
        return kept.error().within(std::string(findOperation(operation)->name));
    warnOfPassedLimits(draft);
    return PreparedStep{std::move(draft.scene), std::move(draft.edit), findOperation(operation)->isUndoStep,
                        std::move(draft.text), std::move(draft.messages)};
}

void takeStep(Document& document, PreparedStep step)
{
    const EditState former = std::exchange(document.edit, std::move(step.edit));
    document.messages = std::move(step.messages);
    History& history = document.history;
    if (step.isUndoStep) {
        history.push(versionOf(std::move(step.scene), document.edit), std::move(step.text));
    } else {
        if (document.edit.frame != former.frame || document.edit.currentClip != former.currentClip)
            history.leave(versionOf(document.scene(), document.edit), "Discard unkeyed pose");
    }
}

Result<void> carryOut(Document& document, const QJsonObject& json, FileStage& stage)
{
    document.messages.clear();
    if (const Operation* known = findOperation(json); known != nullptr && known->act != nullptr) {
        const auto arguments = Arguments::check(*known, json);
        const auto done = arguments ? known->act(document, *arguments, stage) : Result<void>(arguments.error());
        return done ? done : Result<void>(done.error().within(std::string(known->name)));
    }
    auto step = prepare(document.scene(), document.edit, *document.solvers, document.services, *document.poses, json);
    if (!step) return step.error();
    takeStep(document, std::move(*step));
    stage.keep(json.value(QLatin1StringView("file")).toString().toStdString(), "a file that was read for this project");
    return {};
}

Result<void> carryOut(Document& document, const QJsonObject& json)
{
    FileStage stage;
    const Operation* known = findOperation(json);
    if (known == nullptr || known->act == nullptr) return carryOut(document, json, stage);
    Transaction transaction(document);
    if (const auto done = transaction.carryOut(json); !done) return done;
    const auto committed = transaction.commit();
    return committed ? committed : Result<void>(committed.error().within(std::string(known->name)));
}

} // namespace tendon

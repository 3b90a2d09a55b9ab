// What of EditorDocument is worked out in another thread: operations that take time, and the updates of gestures made
// of them.
#include "app/editor/EditorDocumentWork.h"

#include "core/solve/Baker.h"

#include <QElapsedTimer>

#include <algorithm>

namespace tendon::editor {
namespace {

constexpr const char* kNoAnswer = "the solver did not come back";

const Operation* operationOf(const QJsonObject& operation)
{
    return findOperation(operation.value(QLatin1StringView("op")).toString().toStdString());
}

/// All edit, and at least one of them may take time.
bool canBePrepared(const std::vector<QJsonObject>& operations)
{
    bool anyTakesTime = false;
    for (const QJsonObject& operation : operations) {
        const Operation* known = operationOf(operation);
        if (known == nullptr || known->edit == nullptr) return false;
        anyTakesTime = anyTakesTime || takesTime(*known, operation);
    }
    return anyTakesTime;
}

/// Bakes, and bakes anew only when something that goes into it is another: the frame that is looked at is not.
auto rememberingBake()
{
    struct Memory
    {
        Scene scene;
        BakeOptions options;
        std::optional<BakedClip> baked;

        [[nodiscard]] bool isOf(const Scene& other, const BakeOptions& o) const
        {
            const Clip *clip = scene.find(options.clip), *otherClip = other.find(o.clip);
            return baked && options.clip == o.clip && options.fps == o.fps && options.from == o.from &&
                   options.to == o.to && scene.joints == other.joints && scene.handles == other.handles &&
                   scene.statics == other.statics && clip != nullptr && otherClip != nullptr && *clip == *otherClip;
        }
    };
    return [memory = std::make_shared<Memory>()](const Scene& scene, const SolverRegistry& solvers,
                                                 const BakeOptions& options) -> Result<BakedClip> {
        if (memory->isOf(scene, options)) return *memory->baked;
        auto baked = bake(scene, solvers, options);
        if (baked) *memory = {scene, options, *baked};
        return baked;
    };
}

} // namespace

std::unique_ptr<EditorDocument::Run>
EditorDocument::makeRun(const Scene& scene, const EditState& edit, const std::vector<QJsonObject>& operations,
                        Services services, const std::shared_ptr<SolvedPoses>& poses, std::function<void()> then)
{
    auto run = std::make_unique<Run>();
    run->revision = m_revision;
    run->operations = operations;
    run->steps = std::make_shared<Result<std::vector<PreparedStep>>>(std::vector<PreparedStep>{});
    run->job = std::make_unique<Job>(
        [scene, edit, operations, services = std::move(services), poses, steps = run->steps,
         registry = &solvers()](Job::Control& control) mutable {
            services.cancelled = &control.cancelled;
            services.progress = [&control](double done) { control.done = done; };
            control.done = -1; // until someone says
            *steps = prepareSteps(scene, edit, *registry, services, *poses, operations);
        },
        std::move(then));
    return run;
}

void EditorDocument::letGo(std::unique_ptr<Run>& run)
{
    std::erase_if(m_left, [](const auto& left) { return left->job->isOver(); });
    if (run == nullptr) return;
    run->job->letGo();
    m_left.push_back(std::move(run));
}

// Operations

Result<void> EditorDocument::applyAsOne(const std::vector<QJsonObject>& operations, Done then)
{
    // A drag whose end is still being worked out comes first.
    if (m_gesture && !settleGesture(kPatience)) {
        m_isGestureEnding = true;
        emit gestureEnded();
        return enqueue({operations, std::move(then)});
    }
    endGesture();
    if (canBePrepared(operations)) return enqueue({operations, std::move(then)});
    const auto one = [&](std::size_t i) { return carryOut(m_document, operations[i]); };
    const auto done = operations.size() == 1 ? step(operations.front(), [&] { return one(0); })
                                             : stepsAsOne(operations, one);
    if (then) then(done);
    return done;
}

Result<void> EditorDocument::applyImport(const QJsonObject& operation, ImportedModel model, Done then)
{
    const auto read = std::make_shared<const ImportedModel>(std::move(model));
    endGesture();
    return enqueue({{operation},
                    std::move(then),
                    [read](const std::string&, const ImportOptions&) -> Result<ImportedModel> { return *read; }});
}

Result<void> EditorDocument::enqueue(Task task)
{
    const auto outcome = std::make_shared<std::optional<Result<void>>>();
    task.then = [outcome, then = std::move(task.then)](const Result<void>& done) {
        *outcome = done;
        if (then) then(done);
    };
    task.bake = rememberingBake();
    m_tasks.push_back(std::move(task));
    emit workChanged(true);
    startTask();
    if (m_tasks.size() == 1 && m_run != nullptr) (void)m_run->job->waitFor(kPatience);
    return outcome->value_or(Result<void>{});
}

void EditorDocument::startTask()
{
    if (m_run != nullptr || m_tasks.empty() || m_gesture) return;
    const Task& task = m_tasks.front();
    Services services = m_document.services;
    if (task.import) services.import = task.import;
    services.bake = task.bake;
    if (m_runPoses == nullptr) m_runPoses = std::make_shared<SolvedPoses>(solvers());
    if (!canBePrepared(task.operations)) { // it waited for what takes time
        m_run = std::make_unique<Run>();
        m_run->job = std::make_unique<Job>([](Job::Control&) {}, [this] { finishTask(); });
        return;
    }
    m_run = makeRun(scene(), m_document.edit, task.operations, std::move(services), m_runPoses,
                    [this] { finishTask(); });
}

void EditorDocument::finishTask()
{
    if (m_gesture) return; // goOnWorking() comes when it has ended
    const auto run = std::move(m_run);
    const bool isPrepared = run->steps != nullptr;
    if (isPrepared && run->revision != m_revision) return startTask(); // the document has moved on
    const Task task = std::move(m_tasks.front());
    m_tasks.erase(m_tasks.begin());
    Result<void> done;
    if (isPrepared && !*run->steps) {
        done = run->steps->error();
        reportError(done.error());
    } else {
        const auto one = [&](std::size_t i) -> Result<void> {
            if (!isPrepared) return carryOut(m_document, task.operations[i]);
            takeStep(m_document, std::move((**run->steps)[i]));
            return {};
        };
        done = task.operations.size() == 1 ? step(task.operations.front(), [&] { return one(0); })
                                           : stepsAsOne(task.operations, one);
    }
    emit workChanged(isWorking());
    if (task.then) task.then(done);
    startTask();
}

void EditorDocument::goOnWorking()
{
    if (m_run != nullptr && !m_run->job->isRunning())
        finishTask();
    else
        startTask();
}

bool EditorDocument::isWorking() const { return !m_tasks.empty(); }

double EditorDocument::workDone() const { return m_run == nullptr ? -1 : m_run->job->done(); }

void EditorDocument::cancelWork()
{
    if (m_tasks.empty()) return;
    letGo(m_run);
    m_runPoses.reset(); // the thread that was left has them
    const auto tasks = std::move(m_tasks);
    m_tasks.clear();
    emit workChanged(false);
    for (const Task& task : tasks)
        if (task.then) task.then(Error{ErrorCode::Cancelled, "was cancelled", {}});
}

bool EditorDocument::finishWork()
{
    // Each round is one run that has come to its end; the last rounds are for what waited for it.
    for (int rounds = 0; rounds < 1000; ++rounds) {
        Run* run = m_gestureRun != nullptr ? m_gestureRun.get() : m_gesture ? nullptr : m_run.get();
        if (run == nullptr) return true;
        if (!run->job->waitFor(60'000)) return false;
    }
    return false;
}

// Gestures

Result<void> EditorDocument::updateGesture(const std::vector<QJsonObject>& operations)
{
    if (!m_gesture || m_isGestureEnding) beginGesture();
    if (const auto fits = Gesture::check(operations); !fits) return fits;
    if (m_gestureRun == nullptr && !canBePrepared(operations)) {
        const Scene before = scene();
        const EditState editBefore = m_document.edit;
        const auto done = m_gesture->update(operations);
        if (done) announce(before, editBefore);
        return done;
    }
    m_gestureNext = operations; // the newest takes the place of the one that waits
    return m_gestureRun == nullptr ? runGesture(true) : Result<void>{};
}

Result<void> EditorDocument::runGesture(bool waits)
{
    const auto operations = std::move(*m_gestureNext);
    m_gestureNext.reset();
    if (m_gesturePoses == nullptr) m_gesturePoses = std::make_shared<SolvedPoses>(solvers());
    m_gestureRun = makeRun(m_gesture->scene(), m_gesture->edit(), operations, m_document.services, m_gesturePoses,
                           [this] { finishGestureRun(); });
    m_gestureWatch.start(kHang);
    if (!waits) return {};
    m_gestureOutcome = {};
    m_isWaiting = true;
    const bool isDone = m_gestureRun->job->waitFor(kDragPatience);
    m_isWaiting = false;
    return isDone ? m_gestureOutcome : Result<void>{};
}

void EditorDocument::finishGestureRun()
{
    const auto run = std::move(m_gestureRun);
    m_gestureWatch.stop();
    if (*run->steps) {
        const Scene before = scene();
        const EditState editBefore = m_document.edit;
        m_gesture->take(std::move(**run->steps), run->operations);
        announce(before, editBefore);
    } else {
        m_gestureOutcome = run->steps->error();
        if (!m_isWaiting) emit gestureRefused(run->steps->error());
    }
    if (m_gestureNext)
        (void)runGesture(false);
    else if (m_isGestureEnding)
        closeGesture();
}

bool EditorDocument::settleGesture(int milliseconds)
{
    QElapsedTimer clock;
    clock.start();
    while (m_gestureRun != nullptr && clock.elapsed() < milliseconds)
        (void)m_gestureRun->job->waitFor(static_cast<int>(milliseconds - clock.elapsed()));
    return m_gestureRun == nullptr;
}

void EditorDocument::finishGesture()
{
    if (!m_gesture) return;
    m_isGestureEnding = true;
    if (m_gestureRun == nullptr) closeGesture();
}

void EditorDocument::endGesture()
{
    if (!m_gesture) return;
    const bool isSettled = settleGesture(kPatience);
    if (!m_gesture) return; // it was ending, and has
    if (!isSettled) {
        letGo(m_gestureRun);
        m_gesturePoses.reset();
        m_gestureNext.reset();
        if (m_gesture->isEmpty())
            report({{Severity::Info, "it was not worked out yet when something else was begun, and is dropped", "drag",
                     0}});
    }
    closeGesture();
}

void EditorDocument::closeGesture()
{
    m_gestureWatch.stop();
    m_isGestureEnding = false;
    const auto gesture = std::move(m_gesture);
    const auto last = gesture->finish();
    if (m_document.history.redoCount() == 0 && m_document.history.undoCount() > 0)
        forgetGroupsBeyond(m_document.history.undoCount() - 1);
    const Issues messages = m_document.messages;
    if (!last.empty()) {
        const std::size_t recorded = m_recorded.size();
        for (const QJsonObject& operation : last) record(operation);
        if (m_recorded.size() > recorded) notePosing(recorded, m_sceneBeforeGesture, m_editBeforeGesture);
        report(messages);
    }
    emit gestureEnded();
    goOnWorking();
}

void EditorDocument::cancelGesture()
{
    if (!m_gesture) return;
    m_gestureWatch.stop();
    m_isGestureEnding = false;
    m_gestureNext.reset();
    if (m_gestureRun != nullptr) m_gesturePoses.reset();
    letGo(m_gestureRun);
    const Scene before = scene();
    const EditState editBefore = m_document.edit;
    const auto gesture = std::move(m_gesture);
    gesture->cancel();
    announce(before, editBefore);
    emit gestureEnded();
    goOnWorking();
}

void EditorDocument::leaveHungGesture()
{
    if (m_gestureRun == nullptr) return;
    const QString solver = m_gestureRun->operations.front().value(QLatin1StringView("solver")).toString();
    cancelGesture();
    report({{Severity::Error, std::string(kNoAnswer) + ": the drag was given up", solver.toStdString(), 0}});
}

} // namespace tendon::editor

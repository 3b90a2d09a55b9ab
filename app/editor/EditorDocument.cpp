#include "app/editor/EditorDocumentWork.h"

#include "resources/samples/Samples.h"

#include <QFileInfo>

#include <algorithm>

namespace tendon::editor {
namespace {

QString nameIn(const QJsonObject& operation) { return operation.value(QLatin1StringView("op")).toString(); }

QString sampleTitle(const std::string& name)
{
    for (const Sample& sample : listSamples())
        if (sample.name == name)
            return QString::fromUtf8(sample.title.data(), static_cast<qsizetype>(sample.title.size()));
    return QString::fromStdString(name);
}

} // namespace

EditorDocument::EditorDocument(const SolverRegistry& solvers, QObject* parent)
    : QObject(parent), m_document(openDocument({}, {}, solvers)), m_title(tr("Untitled"))
{
    m_document.history.markSaved();
    m_gestureWatch.setSingleShot(true);
    connect(&m_gestureWatch, &QTimer::timeout, this, &EditorDocument::leaveHungGesture);
}

EditorDocument::~EditorDocument()
{
    m_tasks.clear();
    m_gesture.reset();
}

QString EditorDocument::title() const { return m_title; }

Result<void> EditorDocument::applyNow(const QJsonObject& operation)
{
    endGesture();
    return step(operation, [&] { return carryOut(m_document, operation); });
}

Result<void> EditorDocument::step(const QJsonObject& operation, const std::function<Result<void>()>& carry)
{
    const Scene before = scene();
    const EditState editBefore = m_document.edit;
    const std::size_t stepsBefore = m_document.history.undoCount();
    const auto done = carry();
    if (!done) {
        reportError(done.error());
        return done;
    }
    if (nameIn(operation) == QLatin1StringView("save")) {
        m_isUnsavedFromStart = false;
        if (!m_document.path.empty()) m_title = QFileInfo(QString::fromStdString(m_document.path)).fileName();
    }
    const Issues messages = m_document.messages;
    const QString name = nameIn(operation);
    if (name != QLatin1StringView("undo") && name != QLatin1StringView("redo") && m_document.history.redoCount() == 0) {
        const std::size_t now = m_document.history.undoCount();
        if (now > stepsBefore) forgetGroupsBeyond(stepsBefore);
        if (now == History::kSteps && stepsBefore == now) m_groups.clear(); // the oldest was forgotten: all have moved
    }
    const std::size_t recorded = m_recorded.size();
    m_unposed.clear();
    record(operation);
    if (m_recorded.size() > recorded) notePosing(recorded, before, editBefore);
    announce(before, editBefore);
    report(messages);
    return {};
}

Result<void> EditorDocument::stepsAsOne(const std::vector<QJsonObject>& operations,
                                        const std::function<Result<void>(std::size_t)>& carry)
{
    const std::size_t begin = m_document.history.undoCount();
    const std::size_t recordedBefore = m_recorded.size();
    const Scene sceneAtFirst = scene();
    const EditState editAtFirst = m_document.edit;
    std::size_t steps = 0;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const std::size_t before = m_document.history.undoCount();
        const Scene sceneBefore = scene();
        const auto done = step(operations[i], [&] { return carry(i); });
        if (!done) {
            if (steps > 0) (void)applyNow({{"op", "undo"}, {"count", static_cast<int>(steps)}});
            while (isPosedLast() && m_posed.back().begin >= recordedBefore) takeBackPosing();
            m_unposed.clear();
            return done;
        }
        // A full history forgets its oldest step for a new one, and everything moves down.
        if (m_document.history.undoCount() > before || !(scene() == sceneBefore)) ++steps;
    }
    const std::size_t end = m_document.history.undoCount();
    if (steps > 1 && end >= steps && begin + steps == end) m_groups.push_back({begin, end});
    if (operations.size() > 1 && m_recorded.size() > recordedBefore) {
        std::erase_if(m_posed, [&](const Posing& posing) { return posing.begin >= recordedBefore; });
        notePosing(recordedBefore, sceneAtFirst, editAtFirst);
    }
    return {};
}

void EditorDocument::forgetGroupsBeyond(std::size_t undoCount)
{
    std::erase_if(m_groups, [&](const Group& group) { return group.end > undoCount; });
}

void EditorDocument::beginGesture()
{
    endGesture();
    m_isGestureEnding = false;
    m_gesture = std::make_unique<Gesture>(m_document);
    m_sceneBeforeGesture = scene();
    m_editBeforeGesture = m_document.edit;
}

bool EditorDocument::undo()
{
    if (isWorking()) {
        cancelWork();
        return true;
    }
    if (m_isGestureEnding && !settleGesture(kPatience)) {
        cancelGesture();
        return true;
    }
    endGesture();
    if (isPosedLast()) {
        takeBackPosing();
        return true;
    }
    const std::size_t at = m_document.history.undoCount();
    if (at == 0) return false;
    const auto group = std::find_if(m_groups.begin(), m_groups.end(), [&](const Group& g) { return g.end == at; });
    const std::size_t count = group == m_groups.end() ? 1 : group->end - group->begin;
    return applyNow({{"op", "undo"}, {"count", static_cast<int>(count)}}).has_value();
}

bool EditorDocument::redo()
{
    endGesture();
    if (!m_unposed.empty()) {
        poseAgain();
        return true;
    }
    const std::size_t at = m_document.history.undoCount();
    if (m_document.history.redoCount() == 0) return false;
    const auto group = std::find_if(m_groups.begin(), m_groups.end(), [&](const Group& g) { return g.begin == at; });
    const std::size_t count = group == m_groups.end()
                                  ? 1
                                  : std::min(group->end - group->begin, m_document.history.redoCount());
    return applyNow({{"op", "redo"}, {"count", static_cast<int>(count)}}).has_value();
}

void EditorDocument::notePosing(std::size_t begin, const Scene& before, const EditState& editBefore)
{
    m_unposed.clear();
    // Only the pending values may differ: everything else is a step of the history, or no change at all.
    EditState unposed = m_document.edit;
    unposed.pending = editBefore.pending;
    if (!(unposed == editBefore) || m_document.edit.pending == editBefore.pending || !(scene() == before)) return;
    m_posed.push_back({begin, m_recorded.size(), editBefore, m_document.edit});
    if (m_posed.size() > History::kSteps) m_posed.erase(m_posed.begin());
}

void EditorDocument::takeBackPosing()
{
    Posing posing = std::move(m_posed.back());
    m_posed.pop_back();
    posing.operations.assign(m_recorded.begin() + static_cast<std::ptrdiff_t>(posing.begin), m_recorded.end());
    m_recorded.resize(posing.begin);
    const EditState editBefore = m_document.edit;
    m_document.edit = posing.before;
    m_unposed.push_back(std::move(posing));
    emit recordTakenBack();
    announce(scene(), editBefore);
}

void EditorDocument::poseAgain()
{
    Posing posing = std::move(m_unposed.back());
    m_unposed.pop_back();
    const EditState editBefore = m_document.edit;
    m_document.edit = posing.after;
    for (const QJsonObject& operation : posing.operations) record(operation);
    posing.operations.clear();
    m_posed.push_back(std::move(posing));
    announce(scene(), editBefore);
}

void EditorDocument::clear() { adopt({}, {}, tr("Untitled")); }

Result<void> EditorDocument::openFile(const QString& path)
{
    Issues issues;
    const std::string file = QFileInfo(path).absoluteFilePath().toStdString();
    auto project = readProject(file, &issues);
    if (!project) {
        reportError(project.error());
        return project.error();
    }
    adopt(std::move(*project), file, QFileInfo(path).fileName());
    report(issues);
    return {};
}

Result<void> EditorDocument::openSample(const std::string& name)
{
    auto project = makeSample(name, solvers());
    if (!project) {
        reportError(project.error());
        return project.error();
    }
    adoptSample(std::move(*project), name);
    return {};
}

void EditorDocument::adoptSample(Project project, const std::string& name)
{
    adopt(std::move(project), {}, sampleTitle(name));
}

void EditorDocument::adopt(Project project, std::string path, const QString& title, bool isModified)
{
    cancelWork();
    endGesture();
    const SolverRegistry& solvers = this->solvers();
    m_document = openDocument(std::move(project), std::move(path), solvers);
    m_document.history.markSaved();
    m_isUnsavedFromStart = isModified;
    m_title = title;
    m_recorded.clear();
    m_groups.clear();
    m_posed.clear();
    m_unposed.clear();
    ++m_revision;
    emit replaced();
    m_wasModified = isModified;
    emit modifiedChanged(isModified);
}

Result<void> EditorDocument::save() { return applyNow({{"op", "save"}}); }

Result<void> EditorDocument::saveAs(const QString& path)
{
    return applyNow({{"op", "save"}, {"file", QFileInfo(path).absoluteFilePath()}});
}

Document EditorDocument::copyForJob() const
{
    Document copy = m_document;
    copy.poses = std::make_shared<SolvedPoses>(solvers());
    copy.messages.clear();
    return copy;
}

void EditorDocument::noteDone(const QJsonObject& operation, const Issues& messages)
{
    endGesture();
    record(operation);
    report(messages);
}

void EditorDocument::noteSaved(const QJsonObject& operation, const Document& saved)
{
    endGesture();
    const Scene before = scene();
    const EditState editBefore = m_document.edit;
    m_document.path = saved.path;
    m_title = QFileInfo(QString::fromStdString(saved.path)).fileName();
    if (scene() == saved.scene()) { // else the file holds what was before the last changes
        m_document.history.markSaved();
        m_isUnsavedFromStart = false;
    }
    record(operation);
    announce(before, editBefore);
}

void EditorDocument::announce(const Scene& before, const EditState& editBefore)
{
    const ChangeSet changes = changesBetween(before, scene());
    const bool isEditChanged = m_document.edit != editBefore;
    if (!changes.isEmpty() || isEditChanged) ++m_revision;
    if (!changes.isEmpty()) emit changed(changes);
    if (isEditChanged) emit editChanged();
    if (m_wasModified != isModified()) {
        m_wasModified = isModified();
        emit modifiedChanged(m_wasModified);
    }
}

void EditorDocument::record(const QJsonObject& operation)
{
    // Scrubbing records where it ends. Going away and back drops what was posed and not keyed, so both stay then.
    const auto isFrame = [](const QJsonObject& o) { return nameIn(o) == QLatin1StringView("setFrame"); };
    const std::size_t n = m_recorded.size();
    const bool replacesLast = isFrame(operation) && n >= 2 && isFrame(m_recorded[n - 1]) &&
                              isFrame(m_recorded[n - 2]) &&
                              m_recorded[n - 2].value(QLatin1StringView("value")) !=
                                  operation.value(QLatin1StringView("value"));
    if (replacesLast)
        m_recorded.back() = operation;
    else
        m_recorded.push_back(operation);
    emit recordedOperation(operation, replacesLast);
}

void EditorDocument::report(const Issues& issues)
{
    if (!issues.empty()) emit reported(issues);
}

void EditorDocument::reportError(const Error& error)
{
    emit reported({{Severity::Error, error.message, error.where, 0}});
}

} // namespace tendon::editor

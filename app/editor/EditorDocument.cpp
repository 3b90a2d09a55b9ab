#include "app/editor/EditorDocument.h"

#include "core/document/SolvedPoses.h"
#include "resources/samples/Samples.h"

#include <QFileInfo>

#include <algorithm>

namespace tendon::editor {
namespace {

QString nameIn(const QJsonObject& operation) { return operation.value(QLatin1StringView("op")).toString(); }

QString sampleTitle(const std::string& name)
{
    for (const Sample& sample : listSamples())
        if (sample.name == name) return QString::fromUtf8(sample.title.data(), static_cast<qsizetype>(sample.title.size()));
    return QString::fromStdString(name);
}

} // namespace

EditorDocument::EditorDocument(const SolverRegistry& solvers, QObject* parent)
    : QObject(parent), m_document(openDocument({}, {}, solvers)), m_title(tr("Untitled"))
{
    m_document.history.markSaved();
}

EditorDocument::~EditorDocument() { m_gesture.reset(); }

QString EditorDocument::title() const { return m_title; }

Result<void> EditorDocument::apply(const QJsonObject& operation)
{
    endGesture();
    const Scene before = scene();
    const EditState editBefore = m_document.edit;
    const std::size_t stepsBefore = m_document.history.undoCount();
    const auto done = carryOut(m_document, operation);
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
    record(operation);
    announce(before, editBefore);
    report(messages);
    return {};
}

Result<void> EditorDocument::applyAsOne(const std::vector<QJsonObject>& operations)
{
    endGesture();
    const std::size_t begin = m_document.history.undoCount();
    std::size_t steps = 0;
    for (const QJsonObject& operation : operations) {
        const std::size_t before = m_document.history.undoCount();
        const Scene sceneBefore = scene();
        const auto done = apply(operation);
        if (!done) {
            if (steps > 0) (void)apply({{"op", "undo"}, {"count", static_cast<int>(steps)}});
            return done;
        }
        // A full history forgets its oldest step for a new one, and everything moves down.
        if (m_document.history.undoCount() > before || !(scene() == sceneBefore)) ++steps;
    }
    const std::size_t end = m_document.history.undoCount();
    if (steps > 1 && end >= steps && begin + steps == end) m_groups.push_back({begin, end});
    return {};
}

void EditorDocument::forgetGroupsBeyond(std::size_t undoCount)
{
    std::erase_if(m_groups, [&](const Group& group) { return group.end > undoCount; });
}

void EditorDocument::beginGesture()
{
    endGesture();
    m_gesture = std::make_unique<Gesture>(m_document);
}

Result<void> EditorDocument::updateGesture(const std::vector<QJsonObject>& operations)
{
    if (!m_gesture) beginGesture();
    const Scene before = scene();
    const EditState editBefore = m_document.edit;
    const auto done = m_gesture->update(operations);
    if (done) announce(before, editBefore);
    return done;
}

void EditorDocument::endGesture()
{
    if (!m_gesture) return;
    const auto gesture = std::move(m_gesture);
    const auto last = gesture->finish();
    if (m_document.history.redoCount() == 0 && m_document.history.undoCount() > 0) forgetGroupsBeyond(m_document.history.undoCount() - 1);
    const Issues messages = m_document.messages;
    for (const QJsonObject& operation : last) record(operation);
    if (!last.empty()) report(messages);
    emit gestureEnded();
}

void EditorDocument::cancelGesture()
{
    if (!m_gesture) return;
    const Scene before = scene();
    const EditState editBefore = m_document.edit;
    const auto gesture = std::move(m_gesture);
    gesture->cancel();
    announce(before, editBefore);
    emit gestureEnded();
}

bool EditorDocument::undo()
{
    endGesture();
    const std::size_t at = m_document.history.undoCount();
    if (at == 0) return false;
    const auto group = std::find_if(m_groups.begin(), m_groups.end(), [&](const Group& g) { return g.end == at; });
    const std::size_t count = group == m_groups.end() ? 1 : group->end - group->begin;
    return apply({{"op", "undo"}, {"count", static_cast<int>(count)}}).has_value();
}

bool EditorDocument::redo()
{
    endGesture();
    const std::size_t at = m_document.history.undoCount();
    if (m_document.history.redoCount() == 0) return false;
    const auto group = std::find_if(m_groups.begin(), m_groups.end(), [&](const Group& g) { return g.begin == at; });
    const std::size_t count = group == m_groups.end() ? 1 : std::min(group->end - group->begin, m_document.history.redoCount());
    return apply({{"op", "redo"}, {"count", static_cast<int>(count)}}).has_value();
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
    adopt(std::move(*project), {}, sampleTitle(name));
    return {};
}

void EditorDocument::adopt(Project project, std::string path, const QString& title, bool isModified)
{
    endGesture();
    const SolverRegistry& solvers = this->solvers();
    m_document = openDocument(std::move(project), std::move(path), solvers);
    m_document.history.markSaved();
    m_isUnsavedFromStart = isModified;
    m_title = title;
    m_recorded.clear();
    m_groups.clear();
    ++m_revision;
    emit replaced();
    m_wasModified = isModified;
    emit modifiedChanged(isModified);
}

Result<void> EditorDocument::save() { return apply({{"op", "save"}}); }

Result<void> EditorDocument::saveAs(const QString& path)
{
    return apply({{"op", "save"}, {"file", QFileInfo(path).absoluteFilePath()}});
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

Result<void> EditorDocument::applyImport(const QJsonObject& operation, ImportedModel model)
{
    const auto usual = m_document.services.import;
    m_document.services.import = [&](const std::string&, const ImportOptions&) -> Result<ImportedModel> { return std::move(model); };
    const auto done = apply(operation);
    m_document.services.import = usual;
    return done;
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
    const bool replacesLast = isFrame(operation) && n >= 2 && isFrame(m_recorded[n - 1]) && isFrame(m_recorded[n - 2]) &&
                              m_recorded[n - 2].value(QLatin1StringView("value")) != operation.value(QLatin1StringView("value"));
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

void EditorDocument::reportError(const Error& error) { emit reported({{Severity::Error, error.message, error.where, 0}}); }

} // namespace tendon::editor

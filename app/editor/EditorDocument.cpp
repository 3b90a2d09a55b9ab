#include "app/editor/EditorDocument.h"

#include "core/document/MakeOperation.h"
#include "core/document/Operation.h"
#include "core/solve/SolvedPoses.h"
#include "resources/samples/Samples.h"

#include <QFileInfo>

#include <algorithm>

namespace tendon::editor {

EditorDocument::EditorDocument(const SolverRegistry& solvers, QObject* parent)
    : QObject(parent), m_document(openDocument({}, {}, solvers)), m_name(tr("Untitled")), m_gesture(*this),
      m_work(*this)
{
}

QString EditorDocument::title() const
{
    return path().empty() ? m_name : QFileInfo(QString::fromStdString(path())).fileName();
}

// Operations

Result<void> EditorDocument::change(const std::function<Result<void>(Document&)>& change)
{
    const Scene before = scene();
    const EditState editBefore = edit();
    const bool wasModified = isModified(), wasSaved = history().isSaved();
    const auto done = change(m_document);
    const ChangeSet changes = changesBetween(before, scene());
    const bool isEditChanged = edit() != editBefore;
    if (!changes.isEmpty() || isEditChanged) ++m_revision;
    if (!changes.isEmpty()) emit changed(changes);
    if (isEditChanged) emit editChanged();
    if (isModified() != wasModified || history().isSaved() != wasSaved) emit modifiedChanged(isModified());
    return done;
}

Result<void> EditorDocument::take(PreparedStep step, const QJsonObject& operation)
{
    (void)change([&](Document& document) {
        takeStep(document, std::move(step));
        return Result<void>{};
    });
    record(operation); // its messages come after what the change makes obsolete
    return {};
}

Result<void> EditorDocument::applyNow(const QJsonObject& operation)
{
    m_gesture.end();
    const auto done = change([&](Document& document) { return carryOut(document, operation); });
    if (done)
        record(operation);
    else
        reportError(done.error());
    return done;
}

Result<void> EditorDocument::applyAsOne(const std::vector<QJsonObject>& operations)
{
    return operations.empty() ? Result<void>{} : apply(ops::group(operations));
}

void EditorDocument::record(const QJsonObject& operation)
{
    const Operation* known = findOperation(operation);
    const auto isSame = [&](std::size_t fromEnd) {
        return m_recorded.size() >= fromEnd && findOperation(m_recorded[m_recorded.size() - fromEnd]) == known;
    };
    const bool replacesLast = known->onlyLastMatters && isSame(1) && isSame(2);
    if (replacesLast) m_recorded.pop_back();
    m_recorded.push_back(operation);
    emit recordedOperation(operation, replacesLast);
    report(m_document.messages);
}

void EditorDocument::report(const Issues& issues)
{
    if (!issues.empty()) emit reported(issues);
}

void EditorDocument::reportError(const Error& error)
{
    const Error said = inWords(error);
    emit reported({{Severity::Error, said.message, said.where, 0}});
}

// Files
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
    adopt(std::move(*project), file, {});
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
    const auto samples = listSamples();
    const auto found = std::find_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.name == name; });
    adopt(std::move(project), {}, QString::fromStdString(found == samples.end() ? name : std::string(found->title)));
}

void EditorDocument::adopt(Project project, std::string path, const QString& title)
{
    m_work.cancel();
    m_gesture.cancel();
    m_document = openDocument(std::move(project), std::move(path), solvers());
    m_name = title;
    m_recorded.clear();
    ++m_revision;
    emit replaced();
    emit modifiedChanged(false);
}

void EditorDocument::becomeCopy(const QString& title)
{
    m_name = title;
    (void)change([](Document& document) {
        document.path.clear();
        document.history.markUnsaved();
        return Result<void>{};
    });
    emit modifiedChanged(true); // the title differs, whether it was modified or not
}

void EditorDocument::markUnsaved()
{
    m_document.history.markUnsaved();
    emit modifiedChanged(true);
}

Result<void> EditorDocument::save() { return applyNow(ops::save()); }

Result<void> EditorDocument::saveAs(const QString& path)
{
    return applyNow(ops::save(QFileInfo(path).absoluteFilePath().toStdString()));
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
    m_gesture.end();
    m_document.messages = messages;
    record(operation);
}

void EditorDocument::noteSaved(const QJsonObject& operation, const Document& saved)
{
    m_gesture.end();
    (void)change([&](Document& document) {
        document.path = saved.path;
        document.messages = saved.messages;
        if (scene() == saved.scene()) document.history.markSaved(); // else it was changed meanwhile
        record(operation);
        return Result<void>{};
    });
}

} // namespace tendon::editor

#pragma once

#include "core/document/Operation.h"
#include "core/document/PreparedStep.h"

#include <span>
#include <vector>

namespace tendon {

/// One continuous change by hand, such as a drag: the same operations again and again with other values, which count as
/// one. Each update starts from where the gesture began, so that what it leaves, and what a recording of its last
/// operations replays to, does not depend on the way between; one that comes back to its beginning leaves no step.
class Gesture
{
public:
    explicit Gesture(Document& document);
    ~Gesture() { finish(); }
    Gesture(const Gesture&) = delete;
    Gesture& operator=(const Gesture&) = delete;

    /// Carries out `operation` in place of the one before. On an error the document stays as the last good update left
    /// it.
    [[nodiscard]] Result<void> update(const QJsonObject& operation) { return update(std::span(&operation, 1)); }
    /// Several, one after the other, that count as one: none is carried out when one of them fails.
    [[nodiscard]] Result<void> update(std::span<const QJsonObject> operations);

    /// What update() does, in two halves: prepareSteps() from here, in another thread maybe, and what came of it put
    /// in.
    [[nodiscard]] const Scene& scene() const { return m_document.history.baseOf(m_mergeKey); }
    [[nodiscard]] const EditState& edit() const { return m_edit; }
    void take(std::vector<PreparedStep> steps, std::span<const QJsonObject> operations);

    /// Whether operations may be part of a gesture at all. Errors: one that is no undo step.
    [[nodiscard]] static Result<void> check(std::span<const QJsonObject> operations);

    [[nodiscard]] bool isEmpty() const { return m_last.empty(); } ///< nothing was carried out yet

    /// Back to the beginning.
    void cancel();

    /// Ends it. Returns the operations to record: those that were carried out last; none when nothing was.
    std::vector<QJsonObject> finish();

private:
    Document& m_document;
    EditState m_edit; ///< at the beginning
    std::string m_mergeKey;
    std::vector<QJsonObject> m_last;
    bool m_isOpen = true;
};

} // namespace tendon

#pragma once

#include "core/document/PreparedStep.h"

#include <QJsonObject>

#include <optional>

namespace tendon {

/// One continuous change by hand, such as a drag: an operation that is carried out again and again with other values
/// and counts as one step. Each update starts from where the gesture began, so what it leaves, and what a recording of
/// its last operation replays to, does not depend on the way there. A gesture that comes back to its start leaves no
/// step. It lasts until it is destroyed; nothing else may change the document meanwhile.
class Gesture
{
public:
    /// `document` outlives the gesture.
    explicit Gesture(Document& document);
    Gesture(const Gesture&) = delete;
    Gesture& operator=(const Gesture&) = delete;

    /// Carries out `operation` in place of the one before. Error: the document stays as the last good update left it.
    [[nodiscard]] Result<void> update(const QJsonObject& operation);

    // What update() does, in two halves: prepare() from `scene` and `edit`, in any thread, then take() in the
    // document's.
    [[nodiscard]] const Scene& scene() const { return m_scene; }
    [[nodiscard]] const EditState& edit() const { return m_edit; }
    void take(PreparedStep step, const QJsonObject& operation);

    /// Whether an operation may be part of a gesture. Error: it is not an undo step.
    [[nodiscard]] static Result<void> check(const QJsonObject& operation);

    /// The operation to record: the one carried out last. None when nothing was carried out, or after cancel().
    [[nodiscard]] const std::optional<QJsonObject>& last() const { return m_last; }

    /// Puts the document back to where the gesture began.
    void cancel();

private:
    Document& m_document;
    const Scene m_scene;    ///< at the beginning
    const EditState m_edit; ///< at the beginning
    bool m_hasStep = false; ///< the last step of the history is this gesture's
    std::optional<QJsonObject> m_last;
};

} // namespace tendon

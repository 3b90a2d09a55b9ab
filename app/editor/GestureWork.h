#pragma once

#include "app/editor/Preparer.h"
#include "core/document/Gesture.h"

#include <QTimer>

#include <memory>
#include <optional>

namespace tendon::editor {

class EditorDocument;

/// The gesture on a document: one operation again and again with other values, which counts as one step. An update that
/// takes time is prepared in another thread; of those that come meanwhile only the newest is kept. While a gesture is
/// open, other operations that take time wait, and EditorDocument::apply() ends it first. GUI thread.
class GestureWork
{
public:
    enum class State {
        None,
        Open,
        Closing, ///< finished, but its last update is still being prepared
    };

    static constexpr int kPatience = 8; ///< [ms] that update() waits for what takes time
    static constexpr int kHang = 4000;  ///< [ms] after which a gesture whose solver does not return is cancelled

    /// `document` owns it.
    explicit GestureWork(EditorDocument& document);

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isOpen() const { return m_state != State::None; } ///< Closing, too

    void begin(); ///< ends the one before
    /// Carries out `operation` in place of the update before. Returns its error if it is done within kPatience;
    /// otherwise EditorDocument::gestureRefused() tells.
    Result<void> update(const QJsonObject& operation);
    void finish(); ///< ends it when its last update is done
    void end();    ///< ends it now; an update that is not done within WorkQueue::kPatience is dropped
    void cancel(); ///< puts the document back to where it began

    /// Waits without serving events until all updates are done. False: they are not.
    [[nodiscard]] bool settle(int milliseconds);

private:
    void prepare(const QJsonObject& operation);
    Result<void> takeUpdate();
    void close();
    void cancelHung();

    EditorDocument& m_document;
    State m_state = State::None;
    std::unique_ptr<Gesture> m_gesture; ///< null = None
    Preparer m_preparer;
    QJsonObject m_preparing;           ///< by m_preparer
    std::optional<QJsonObject> m_next; ///< the newest update that came meanwhile
    QTimer m_watch;
};

} // namespace tendon::editor

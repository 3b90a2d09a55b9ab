#pragma once

#include "app/editor/Preparer.h"

#include <deque>
#include <optional>

namespace tendon::editor {

class EditorDocument;

/// When the operations on a document are carried out: at once, or, if they take time, in the order they were asked for.
/// The first of those is prepared in another thread and put into the document when it is ready, or prepared again if
/// the document has changed meanwhile. While a gesture is open, nothing is put in. GUI thread.
class WorkQueue
{
public:
    using Done = std::function<void(const Result<void>&)>;

    static constexpr int kPatience = 25; ///< [ms] that apply() waits for an operation that may be quick

    /// `document` owns the queue.
    explicit WorkQueue(EditorDocument& document);

    [[nodiscard]] bool isEmpty() const { return m_entries.empty(); }
    [[nodiscard]] double progress() const { return m_preparer.progress(); } ///< 0 to 1; negative = not known

    /// Ends an open gesture and carries out an operation. `services` replace the document's if it takes time. `then`
    /// hears how it went, maybe before this returns. Returns the operation's error if it was done at once or within
    /// kPatience; otherwise the error is only reported.
    Result<void> apply(const QJsonObject& operation, Services services, Done then);

    bool undo(); ///< cancels what is being prepared; else undoes the last step. False: there is nothing to undo
    bool redo();

    /// Goes on with the first operation if nothing holds it back: to be called when a gesture has ended.
    void advance();

    /// Drops everything; the document stays as it is. The operations' `then` hear of it.
    void cancel();

    /// Waits, without serving events, until everything that was asked for is done, except that an open gesture stays
    /// open: for scripts, pictures and tests. False: something does not end.
    bool finish();

private:
    struct Entry
    {
        QJsonObject operation;
        Services services;
        Done then;
    };
    Result<void> add(const QJsonObject& operation, Services services, Done then);
    bool wait(int milliseconds); ///< true: the running preparation has been put in
    void prepareFirst();
    void takeFirst();
    void finishFirst(const Result<void>& done);

    EditorDocument& m_document;
    Preparer m_preparer;          ///< of the first entry
    std::uint64_t m_revision = 0; ///< of the document when m_preparer was started
    std::deque<Entry> m_entries;
};

} // namespace tendon::editor

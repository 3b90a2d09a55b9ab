#pragma once

#include "core/document/Operation.h"

#include <optional>

namespace tendon {

/// One continuous change by hand, such as a drag: the same operation again and again with other values, which counts as
/// one. Each update starts from where the gesture began, so that what it leaves, and what a recording of its last operation
/// replays to, does not depend on the way between; one that comes back to its beginning leaves no step.
class Gesture
{
public:
    explicit Gesture(Document& document);
    ~Gesture() { finish(); }
    Gesture(const Gesture&) = delete;
    Gesture& operator=(const Gesture&) = delete;

    /// Carries out `operation` in place of the one before. On an error the document stays as the last good update left it.
    [[nodiscard]] Result<void> update(const QJsonObject& operation);

    /// Back to the beginning.
    void cancel();

    /// Ends it. Returns the operation to record: the last that was carried out; none when nothing was.
    std::optional<QJsonObject> finish();

private:
    Document& m_document;
    EditState m_edit;          ///< at the beginning
    std::string m_mergeKey;
    std::optional<QJsonObject> m_last;
    bool m_isOpen = true;
};

} // namespace tendon

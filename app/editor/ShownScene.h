#pragma once

#include "app/editor/MotionFigure.h"

#include <QObject>

#include <memory>

namespace tendon::editor {

class EditorDocument;

/// Which scene and clip the view, the timeline and playback show: the document's, or what a task would make of it; and
/// the figure beside it. The document knows nothing of what is shown instead: no step, no key. GUI thread.
class ShownScene : public QObject
{
    Q_OBJECT
public:
    /// `document` outlives this.
    explicit ShownScene(const EditorDocument& document, QObject* parent = nullptr)
        : QObject(parent), m_document(document)
    {
    }

    /// Shows `scene` and a clip of it (none: its rest) until showDocument(). Null is the same as showDocument().
    void showInstead(std::shared_ptr<const Scene> scene, ClipId clip);
    void showDocument() { showInstead(nullptr, {}); }
    [[nodiscard]] bool isDocument() const { return m_instead == nullptr; }

    /// The scene, to be kept by other threads; never null. A new one for each revision of the document.
    [[nodiscard]] const std::shared_ptr<const Scene>& scene();
    [[nodiscard]] const Scene& now() const; ///< the same, to be read at once
    [[nodiscard]] ClipId clipId() const;
    [[nodiscard]] const Clip* clip() const { return now().find(clipId()); } ///< null = none

    [[nodiscard]] MotionFigure& motion() { return m_motion; } ///< of a motion that is taken over

signals:
    void changed(); ///< what is shown instead has come, is another, or has gone

private:
    const EditorDocument& m_document;
    std::shared_ptr<const Scene> m_instead; ///< null: the document
    ClipId m_clip;                          ///< of m_instead
    std::shared_ptr<const Scene> m_snapshot;
    std::uint64_t m_revision = 0; ///< of the document in m_snapshot
    MotionFigure m_motion;
};

} // namespace tendon::editor

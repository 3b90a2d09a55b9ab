#pragma once

#include "app/editor/Editor.h"
#include "app/widgets/TimeAxis.h"

#include <QObject>

#include <optional>
#include <utility>

namespace tendon::editor {

/// Which frames the timeline, the dope sheet and the graph show: the same in all of them. Not part of the document, so
/// not undone.
class TimeView : public QObject
{
    Q_OBJECT
public:
    explicit TimeView(Editor& editor, QObject* parent = nullptr);

    [[nodiscard]] double first() const { return frames().first; }
    [[nodiscard]] double last() const { return frames().second; }
    [[nodiscard]] bool isWhole() const { return !m_frames; } ///< the scene's range, also when that changes
    /// The scene's range, all keys, and what is shown: the frames that can be gone to.
    [[nodiscard]] std::pair<double, double> extent() const;
    [[nodiscard]] TimeAxis axis(double left, double width) const
    {
        return {.first = first(), .last = last(), .left = left, .width = width};
    }

    void show(double first, double last);
    void showAll(); ///< the scene's range
    void zoom(double about, double factor);
    void pan(double frames);
    void reveal(double frame); ///< no more than is needed to see it

signals:
    void changed();

private:
    [[nodiscard]] std::pair<double, double> frames() const;

    Editor& m_editor;
    std::optional<std::pair<double, double>> m_frames; ///< none = the scene's range
};

} // namespace tendon::editor

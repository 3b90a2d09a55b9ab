#include "app/widgets/time/TimeView.h"

#include <algorithm>

namespace tendon::editor {

TimeView::TimeView(Editor& editor, QObject* parent) : QObject(parent), m_editor(editor)
{
    connect(&editor.document(), &EditorDocument::replaced, this, &TimeView::showAll);
    connect(&editor.document(), &EditorDocument::changed, this, [this](const ChangeSet& changes) {
        if (changes.isTimingChanged && isWhole()) emit changed();
    });
    connect(&editor.shown(), &ShownScene::changed, this, &TimeView::showAll);
    connect(&editor, &Editor::shownFrameChanged, this, [this](int frame) {
        if (!m_editor.playback().isPlaying()) reveal(frame);
    });
}

std::pair<double, double> TimeView::frames() const
{
    const Scene& scene = m_editor.shown().now();
    return m_frames.value_or(
        std::pair<double, double>(scene.firstFrame, std::max<double>(scene.firstFrame + 1, scene.lastFrame)));
}

std::pair<double, double> TimeView::extent() const
{
    const Scene& scene = m_editor.shown().now();
    auto [first, last] = frames();
    first = std::min<double>(first, scene.firstFrame);
    last = std::max<double>(last, scene.lastFrame);
    if (const Clip* clip = m_editor.shown().clip(); clip != nullptr && clip->hasKeys()) {
        first = std::min(first, scene.fps.frameAt(clip->begin()));
        last = std::max(last, scene.fps.frameAt(clip->end()));
    }
    return {first, last};
}

void TimeView::show(double first, double last)
{
    constexpr double kMinFrames = 0.5, kMaxFrames = 2e7;
    if (!(last - first >= kMinFrames) || !(last - first <= kMaxFrames)) return;
    if (m_frames == std::pair(first, last)) return;
    m_frames = {first, last};
    emit changed();
}

void TimeView::showAll()
{
    m_frames.reset();
    emit changed();
}

void TimeView::zoom(double about, double factor)
{
    show(about + (first() - about) * factor, about + (last() - about) * factor);
}

void TimeView::pan(double by) { show(first() + by, last() + by); }

void TimeView::reveal(double frame)
{
    if (isWhole() || (frame >= first() && frame <= last())) return;
    const double margin = 0.1 * (last() - first());
    pan(frame < first() ? frame - margin - first() : frame + margin - last());
}

} // namespace tendon::editor

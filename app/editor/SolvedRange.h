#pragma once

#include "app/editor/LeftPasses.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace tendon::editor {

/// All frames of the shown range, solved in another thread as the view solves them, those near the playhead first: for
/// the quality strip, ghosts and motion trails. After an edit the frames are those of before until they have been
/// solved again, and say so (Entry::isAged). Reads the document and never changes it. GUI thread.
class SolvedRange : public QObject
{
    Q_OBJECT
public:
    static constexpr int kPatience = 80; ///< [ms] that it waits for further edits, unless somebody watches
    /// [bytes] A range whose poses take more has its quality alone, and poses where the playhead has been.
    static constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

    struct Entry
    {
        RangeFramePtr frame; ///< never null
        bool isAged = false; ///< of the scene before the last edits
    };

    /// `solvers` outlives this.
    explicit SolvedRange(const SolverRegistry& solvers, QObject* parent = nullptr);

    /// Nothing is solved while nobody uses it. Watched: ghosts or trails are shown, so it also works during a drag.
    void setActive(bool isActive);
    void setWatched(bool isWatched);

    /// What the frames are solved from; called for every frame that is requested to be drawn. `isFinal`: the clip's
    /// solution is that of this scene; until it is, only a watched range is solved.
    void setSource(const FrameRequest& source, bool isFinal);
    void setFinal(bool isFinal);
    /// The frame whose neighbours come first, instead of the playhead; none = the playhead.
    void setFocus(std::optional<int> frame);
    /// Takes a frame that was evaluated to be drawn.
    void take(const FrameResult& frame);

    [[nodiscard]] const std::map<int, Entry>& frames() const { return m_frames; }
    [[nodiscard]] const Entry* find(int frame) const;
    /// Frames at which a knee snaps; of those that are aged, as it was.
    [[nodiscard]] const std::set<int>& snapping() const;
    /// Every frame of the range is solved as the document is now.
    [[nodiscard]] bool isComplete() const;

    void giveUp(); ///< a solver is out of use: nothing more is solved until clear()
    void clear();  ///< another document

    /// Waits, without serving events, until it is complete: for pictures and tests.
    void finish();

signals:
    void changed(); ///< frames()

private:
    void age();
    void ageFrame(int frame);
    void begin();
    void collect();
    void end();
    void leavePass();
    void put(int frame, RangeFramePtr kept, bool isAged);
    void putEverywhere(const RangeFramePtr& kept);
    [[nodiscard]] std::set<int> missing(std::size_t most) const; ///< frames to be solved, the first so many
    [[nodiscard]] bool isUsed() const { return m_isActive || m_isWatched; }
    [[nodiscard]] bool isStill() const; ///< nothing is animated: all frames are the same

    const SolverRegistry& m_solvers;
    std::shared_ptr<FrameEvaluator> m_evaluator; ///< the pass's while there is one
    std::optional<FrameRequest> m_source;
    std::optional<int> m_focus;
    bool m_isActive = false, m_isWatched = false, m_isFinal = false, m_isGivenUp = false;
    std::map<int, Entry> m_frames;
    std::map<int, Bends> m_bends;                    ///< of those that are not aged
    mutable std::optional<std::set<int>> m_snapping; ///< unset: m_bends has changed
    std::set<int> m_snappedBefore;                   ///< the last edits
    std::unique_ptr<RangePass> m_pass;
    LeftPasses m_left; ///< while one is waited for no other is begun
    QTimer m_delay;
};

} // namespace tendon::editor

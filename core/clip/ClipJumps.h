#pragma once

#include "core/clip/AnswerSpace.h"
#include "core/clip/CandidateFinder.h"
#include "core/clip/ClipTask.h"
#include "core/clip/Landing.h"

#include <tendon/kit/Kinematics.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace tendon {

/// Where poses of a clip do not follow from each other, whatever made them: what joints turn and slide over one to
/// three frames, beside what is asked of them over these frames, and steps that stand out from those about them. One
/// thread.
///
/// A joint turns by the angle between its rotations; a hinge by its angle, where whole turns count if its limits bar
/// them or it has a rate. The reference's own turn does not count. What is asked is how far goals move in units of
/// their reach, how far they turn, and twists, each as they are or as seen from the reference's end, whichever is less.
class ClipJumps
{
public:
    using Poses = std::function<const double*(int frame)>; ///< (nq)

    ClipJumps(const ClipTask& task, const AnswerSpace& space, Poses poses);

    /// Into marks[frame] (of all frames): whether the step to it is one of a jump.
    void mark(int begin, int end, std::span<std::uint8_t> marks);

    /// Those of marked frames, without their reasons: steps in succession by which a joint goes farther and farther are
    /// one.
    [[nodiscard]] std::vector<ClipJump> gather(std::span<const std::uint8_t> marks) const;

    /// Where what leads on from either side of a jump ends: at a limit, in a singular configuration, or elsewhere. What
    /// would go on without its poles, or with another solver than one that does not follow its seed (`follows`), is at
    /// a branch.
    [[nodiscard]] JumpReason reasonOf(const ClipJump& jump, bool follows, CandidateFinder& finder);

    /// A change of poses or problems at a frame changes marks up to so many frames away, and reasons of jumps up to so
    /// many.
    static constexpr int kReach = 16, kReasonReach = 52;

private:
    /// A joint's pose, or the slides of one.
    struct Part
    {
        std::int32_t body = 0;
        std::int32_t dof = 0;        ///< its first
        std::int32_t coordinate = 0; ///< of a hinge
        enum class Kind : std::uint8_t { Hinge, Rotation, Slides } kind = Kind::Hinge;
        bool countsTurns = false; ///< a hinge's whole turns
    };

    [[nodiscard]] double way(const Part& part, const double* from, const double* to) const;
    [[nodiscard]] double wayBesides(const Part& part, int from, int to) const;
    [[nodiscard]] bool isFar(const Part& part, const double* from, const double* to) const;
    [[nodiscard]] double usual(const Part& part, int first, int last) const;
    [[nodiscard]] double asked(int frame);
    [[nodiscard]] double farthest(int frame);
    [[nodiscard]] bool standsOut(int frame);
    [[nodiscard]] double askedOf(const sdk::Problem& before, const sdk::Problem& now, std::size_t goal) const;
    [[nodiscard]] bool goesOn(const ClipJump& jump, bool follows);
    [[nodiscard]] JumpReason endOf(int frame, int by, CandidateFinder& finder);
    [[nodiscard]] bool isAtLimit(int frame, std::span<const double> q, double near) const;
    [[nodiscard]] int frames() const { return m_task->frameCount; }

    const ClipTask* m_task;
    const AnswerSpace* m_space;
    Poses m_poses;
    Landing m_landing;
    double m_seen = 0; ///< [rad] a step beyond this may stand out
    std::vector<Part> m_parts;
    std::vector<double> m_asked;             ///< (frames) [rad] of the step to each; NaN = not looked at yet
    std::vector<double> m_farthest;          ///< (frames) [rad] how far the part goes that goes farthest; the same
    std::vector<const Part*> m_farthestPart; ///< (frames)
    std::vector<kit::Frame<double>> m_before, m_now;
};

} // namespace tendon

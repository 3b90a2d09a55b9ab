#include "core/solve/ClipCheck.h"

#include "core/base/Counted.h"
#include "core/base/SmallLength.h"
#include "core/math/Degrees.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/FrameNumber.h"
#include "core/solve/PoseTurn.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <tuple>
#include <utility>

namespace tendon {
namespace {

constexpr double kShortBone = 1e-6;         // [m] that has no direction
constexpr double kStillTurn = radians(1.0); // what frames around a jump have at least: below, nobody sees it
constexpr std::int32_t kAround = 3;         // frames on each side that a jump is compared with
constexpr std::int32_t kGap = 2;            // frames between two runs of one cause that are still one

double bendOf(const CompiledRig& rig, const ModelPose& pose, const Handle& handle, bool& isBending)
{
    std::vector<Vector3> places;
    for (const JointIndex joint : chainOf(rig, handle))
        places.emplace_back(pose.modelFromJoint[at(joint)].translation());
    double angle = 0;
    for (std::size_t i = 1; i + 1 < places.size(); ++i) {
        const Vector3 in = places[i] - places[i - 1], out = places[i + 1] - places[i];
        if (in.norm() < kShortBone || out.norm() < kShortBone) continue;
        angle += std::atan2(in.cross(out).norm(), in.dot(out));
        isBending = true;
    }
    return angle;
}

/// One figure of one object, frame by frame.
using Series = std::map<std::int32_t, double>;

/// The runs of a series above a threshold, as findings that have `as`'s object.
void addRuns(std::vector<ClipFinding>& findings, const Series& series, double threshold, const ClipFinding& as)
{
    ClipFinding* open = nullptr;
    const std::size_t before = findings.size();
    for (const auto& [frame, value] : series) {
        if (!(value > threshold)) continue;
        if (findings.size() == before || frame - open->last > kGap) {
            findings.push_back(as);
            open = &findings.back();
            open->first = open->worst = frame;
            open->size = value;
        }
        open->last = frame;
        if (value > open->size) {
            open->size = value;
            open->worst = frame;
        }
    }
}

double medianAround(const Series& steps, std::int32_t frame)
{
    std::vector<double> around;
    for (auto it = steps.lower_bound(frame - kAround); it != steps.end() && it->first <= frame + kAround; ++it)
        if (it->first != frame) around.push_back(it->second);
    if (around.empty()) return 0;
    const auto middle = around.begin() + std::ssize(around) / 2;
    std::nth_element(around.begin(), middle, around.end());
    return *middle;
}

class Check
{
public:
    Check(const CompiledRig& rig, const ClipSamples& samples, const ClipThresholds& thresholds)
        : m_rig(rig), m_samples(samples), m_thresholds(thresholds)
    {
        for (const Handle& handle : rig.handles)
            for (const JointIndex joint : chainOf(rig, handle)) m_handleOf.emplace(joint, handle.id);
    }

    ClipReport run()
    {
        for (const auto& [frame, sample] : m_samples)
            m_report.frames[frame].limits = static_cast<double>(sample->limited.size());
        checkChains();
        checkJumps();
        checkLimits();
        sort();
        return std::move(m_report);
    }

private:
    void checkChains()
    {
        std::map<HandleId, Series> errors, failures, bends;
        for (const auto& [frame, sample] : m_samples)
            for (const ClipSample::Chain& chain : sample->chains) {
                errors[chain.handle][frame] = chain.error;
                if (!chain.hasAnswer) failures[chain.handle][frame] = 1;
                if (chain.isBending) bends[chain.handle][frame] = chain.bend;
                double& worst = m_report.frames[frame].goal;
                worst = std::max(worst, chain.error);
            }
        m_report.goals = errors.size();
        for (const auto& [handle, series] : errors)
            addRuns(m_report.findings, series, m_thresholds.goal, of(ClipFinding::Kind::Goal, handle));
        for (const auto& [handle, series] : failures)
            addRuns(m_report.findings, series, 0, of(ClipFinding::Kind::NoAnswer, handle));
        for (const auto& [handle, series] : bends) {
            Series rates;
            for (auto now = std::next(series.begin()); now != series.end(); ++now)
                if (const auto before = std::prev(now); before->first + 1 == now->first) {
                    const double rate = std::abs(now->second - before->second);
                    rates[now->first] = rate;
                    double& worst = m_report.frames[now->first].kneeRate;
                    worst = std::max(worst, rate);
                }
            addRuns(m_report.findings, rates, m_thresholds.kneeRate, of(ClipFinding::Kind::KneeRate, handle));
        }
    }

    void checkJumps()
    {
        std::vector<Series> steps(m_rig.jointCount());
        for (auto now = m_samples.begin(); now != m_samples.end(); ++now) {
            if (now == m_samples.begin()) continue;
            const auto before = std::prev(now);
            if (before->first + 1 != now->first || before->second->turns.size() != steps.size() ||
                now->second->turns.size() != steps.size())
                continue;
            for (std::size_t j = 0; j < steps.size(); ++j)
                steps[j][now->first] = before->second->turns[j].angularDistance(now->second->turns[j]);
        }
        std::vector<ClipFinding> jumps;
        for (std::size_t j = 0; j < steps.size(); ++j) {
            Series ratios;
            for (const auto& [frame, step] : steps[j]) {
                const double ratio = step / std::max(kStillTurn, medianAround(steps[j], frame));
                ratios[frame] = ratio;
                double& worst = m_report.frames[frame].jump;
                worst = std::max(worst, ratio);
            }
            const auto joint = static_cast<JointIndex>(j);
            ClipFinding as;
            as.kind = ClipFinding::Kind::Jump;
            as.object = m_rig.id[j].value;
            if (const auto handle = m_handleOf.find(joint); handle != m_handleOf.end()) as.handle = handle->second;
            const std::size_t first = jumps.size();
            addRuns(jumps, ratios, m_thresholds.jump, as);
            for (std::size_t i = first; i < jumps.size(); ++i) {
                jumps[i].ratio = jumps[i].size;
                jumps[i].size = steps[j][jumps[i].worst];
                if (isHeldByLimit(JointId{jumps[i].object}, jumps[i].first - 1, jumps[i].last))
                    jumps[i].reason = JumpReason::Limit;
            }
        }
        keepOneACause(jumpsOfSolution(steps), std::move(jumps));
    }

    [[nodiscard]] bool isHeldByLimit(JointId joint, std::int32_t first, std::int32_t last) const
    {
        for (auto it = m_samples.lower_bound(first); it != m_samples.end() && it->first <= last; ++it)
            if (const auto& limited = it->second->limited;
                std::find(limited.begin(), limited.end(), joint) != limited.end())
                return true;
        return false;
    }

    /// Those that the samples have from the clip's solution, whose reasons it knows.
    [[nodiscard]] std::vector<ClipFinding> jumpsOfSolution(const std::vector<Series>& steps) const
    {
        std::vector<std::pair<ClipFinding, HandleResult::Jump>> found;
        for (const auto& [frame, sample] : m_samples)
            for (const ClipSample::Chain& chain : sample->chains) {
                if (!chain.jump) continue;
                const auto open = std::find_if(found.begin(), found.end(), [&, now = frame](const auto& known) {
                    return known.first.handle == chain.handle && known.second == *chain.jump &&
                           known.first.last + 1 == now;
                });
                if (open != found.end()) {
                    open->first.last = frame;
                    continue;
                }
                ClipFinding finding;
                finding.kind = ClipFinding::Kind::Jump;
                finding.first = finding.last = finding.worst = frame;
                finding.object = chain.jump->joint.value;
                finding.handle = chain.handle;
                finding.size = chain.jump->size;
                finding.reason = chain.jump->reason;
                finding.cause = chain.jump->cause;
                found.emplace_back(finding, *chain.jump);
            }
        std::vector<ClipFinding> jumps;
        for (auto& [finding, jump] : found) {
            const JointIndex joint = m_rig.index(jump.joint);
            double most = 0;
            for (std::int32_t frame = finding.first; joint >= 0 && frame <= finding.last; ++frame) {
                const auto step = steps[at(joint)].find(frame);
                if (step == steps[at(joint)].end() || step->second <= most) continue;
                most = step->second;
                finding.worst = frame;
                finding.ratio = most / std::max(kStillTurn, medianAround(steps[at(joint)], frame));
            }
            if (m_thresholds.jump <= ClipThresholds{}.jump || finding.ratio > m_thresholds.jump)
                jumps.push_back(finding);
        }
        return jumps;
    }

    /// A chain that jumps does so with all its joints, and what hangs on a joint that jumps may go along: what turns
    /// farthest is named. Those that are `kept` say so for themselves. A knee that jumps need not be told of again for
    /// its rate.
    void keepOneACause(std::vector<ClipFinding> kept, std::vector<ClipFinding> jumps)
    {
        const std::size_t ofSolution = kept.size();
        std::sort(jumps.begin(), jumps.end(),
                  [](const ClipFinding& a, const ClipFinding& b) { return a.size > b.size; });
        const auto meet = [](const ClipFinding& a, const ClipFinding& b) {
            return a.first <= b.last + 1 && b.first <= a.last + 1;
        };
        for (const ClipFinding& jump : jumps) {
            const auto same = std::find_if(kept.begin(), kept.end(), [&](const ClipFinding& other) {
                return meet(jump, other) && isOneCause(jump, other);
            });
            if (same == kept.end()) {
                kept.push_back(jump);
                continue;
            }
            if (same < kept.begin() + static_cast<std::ptrdiff_t>(ofSolution)) continue;
            same->first = std::min(same->first, jump.first);
            same->last = std::max(same->last, jump.last);
        }
        std::erase_if(m_report.findings, [&](const ClipFinding& finding) {
            return finding.kind == ClipFinding::Kind::KneeRate &&
                   std::any_of(kept.begin(), kept.end(), [&](const ClipFinding& jump) {
                       return jump.handle == finding.handle && meet(jump, finding);
                   });
        });
        m_report.findings.insert(m_report.findings.end(), kept.begin(), kept.end());
    }
    [[nodiscard]] bool isOneCause(const ClipFinding& a, const ClipFinding& b) const
    {
        if (a.handle.isValid() && a.handle == b.handle) return true;
        const JointIndex i = m_rig.index(JointId{a.object}), j = m_rig.index(JointId{b.object});
        return m_rig.parent[at(i)] == j || m_rig.parent[at(j)] == i;
    }

    void checkLimits()
    {
        std::map<JointId, Series> series;
        for (const auto& [frame, sample] : m_samples)
            if (static_cast<double>(sample->limited.size()) > m_thresholds.limits)
                for (const JointId joint : sample->limited) series[joint][frame] = 1;
        for (const auto& [joint, held] : series) {
            ClipFinding as;
            as.kind = ClipFinding::Kind::Limit;
            as.object = joint.value;
            const JointIndex index = m_rig.index(joint);
            if (const auto handle = m_handleOf.find(index); handle != m_handleOf.end()) as.handle = handle->second;
            addRuns(m_report.findings, held, 0, as);
        }
    }

    void sort()
    {
        std::sort(m_report.findings.begin(), m_report.findings.end(), [](const ClipFinding& a, const ClipFinding& b) {
            return std::tuple(a.kind, -a.size, a.first, a.object) < std::tuple(b.kind, -b.size, b.first, b.object);
        });
    }

    static ClipFinding of(ClipFinding::Kind kind, HandleId handle)
    {
        ClipFinding finding;
        finding.kind = kind;
        finding.object = handle.value;
        finding.handle = handle;
        return finding;
    }

    const CompiledRig& m_rig;
    const ClipSamples& m_samples;
    const ClipThresholds& m_thresholds;
    std::map<JointIndex, HandleId> m_handleOf; ///< the first that moves a joint
    ClipReport m_report;
};

std::string figure(const char* format, double value)
{
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

} // namespace

ClipSample sampleOf(const CompiledRig& rig, const SolvedFrame& frame)
{
    ClipSample sample;
    for (std::size_t h = 0; h < rig.handles.size(); ++h) {
        if (h >= frame.targets.size() || !frame.targets[h].isActive()) continue;
        const HandleResult& result = frame.handles[h];
        ClipSample::Chain& chain = sample.chains.emplace_back();
        chain.handle = rig.handles[h].id;
        chain.hasAnswer = sdk::isUsable(result.status);
        chain.jump = result.jump;
        if (chain.hasAnswer && !result.isHeld) chain.error = std::max(0.0, result.positionError - result.softened);
        chain.bend = bendOf(rig, frame.model, rig.handles[h], chain.isBending);
        for (const HandleResult::LimitHit& hit : result.limitHits)
            if (std::find(sample.limited.begin(), sample.limited.end(), hit.joint) == sample.limited.end())
                sample.limited.push_back(hit.joint);
    }
    sample.turns.reserve(frame.local.joints.size());
    for (const LocalTransform& joint : frame.local.joints) sample.turns.push_back(joint.rotation.cast<float>());
    return sample;
}

ClipSamples turnsOf(const std::shared_ptr<const CompiledRig>& rig, const Scene& scene, const Clip& clip)
{
    ClipSamples samples;
    if (!clip.hasKeys()) return samples;
    PoseSampler sampler(rig);
    sampler.prepare(scene, &clip);
    LocalPose pose;
    const auto frame = [&](double number) { return static_cast<std::int32_t>(number); };
    const std::int32_t last = frame(std::ceil(scene.fps.frameAt(clip.end()) - nearWholeFrame(0)));
    for (std::int32_t f = frame(std::floor(scene.fps.frameAt(clip.begin()) + nearWholeFrame(0))); f <= last; ++f) {
        sampler.sample({}, scene.fps.timeOf(f), pose);
        ClipSample sample;
        sample.turns.reserve(pose.joints.size());
        for (const LocalTransform& joint : pose.joints) sample.turns.push_back(joint.rotation.cast<float>());
        samples.emplace_hint(samples.end(), f, std::make_shared<const ClipSample>(std::move(sample)));
    }
    return samples;
}

ClipReport checkClip(const CompiledRig& rig, const ClipSamples& samples, const ClipThresholds& thresholds)
{
    return Check(rig, samples, thresholds).run();
}

std::string titleOf(const CompiledRig& rig, const ClipFinding& finding)
{
    const auto handle = std::find_if(rig.handles.begin(), rig.handles.end(),
                                     [&](const Handle& each) { return each.id.value == finding.object; });
    const JointIndex joint = rig.index(JointId{finding.object});
    const std::string name = handle != rig.handles.end() ? handle->name
                             : joint >= 0                ? rig.authored[at(joint)].name
                                                         : "";
    switch (finding.kind) {
    case ClipFinding::Kind::NoAnswer: return name + " has no answer";
    case ClipFinding::Kind::Goal: return name + " can't reach its goal";
    case ClipFinding::Kind::Jump: return name + " jumps";
    case ClipFinding::Kind::KneeRate: return name + " bends fast";
    case ClipFinding::Kind::Limit: return name + " is at its limit";
    }
    return name;
}

std::string detailOf(const ClipFinding& finding)
{
    const std::string where = " at " + std::to_string(finding.worst);
    switch (finding.kind) {
    case ClipFinding::Kind::NoAnswer: return "its solver failed; its chain is shown in FK";
    case ClipFinding::Kind::Goal: return smallLength(finding.size) + " short" + where;
    case ClipFinding::Kind::Jump:
        if (finding.reason != JumpReason::Asked && finding.last > finding.first)
            return figure("%.0f°", degrees(finding.size)) + " in " +
                   counted(static_cast<std::size_t>(finding.last - finding.first + 1), "frame", "frames");
        return figure("%.0f° in one frame", degrees(finding.size)) + where +
               figure(", %.1f times its neighbours", finding.ratio);
    case ClipFinding::Kind::KneeRate: return figure("%.0f° in one frame", degrees(finding.size)) + where;
    case ClipFinding::Kind::Limit:
        return "for " + counted(static_cast<std::size_t>(finding.last - finding.first + 1), "frame", "frames");
    }
    return {};
}

std::string framesOf(const ClipFinding& finding)
{
    const std::string first = std::to_string(finding.first);
    return finding.last == finding.first ? first : first + " to " + std::to_string(finding.last);
}

std::string praiseOf(const ClipReport& report)
{
    double worst = 0;
    for (const auto& [frame, figures] : report.frames) worst = std::max(worst, figures.goal);
    std::string text = "nothing to look at: " + counted(report.frames.size(), "frame", "frames");
    if (report.goals > 0)
        text += ", " + counted(report.goals, "goal", "goals") + " met within " + smallLength(std::max(worst, 1e-4));
    return text;
}

} // namespace tendon

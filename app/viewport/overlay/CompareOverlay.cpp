#include "app/viewport/overlay/CompareOverlay.h"

#include "app/editor/CompareLook.h"
#include "app/editor/Theme.h"
#include "app/viewport/overlay/EllipseOverlay.h"
#include "app/viewport/overlay/Overlay.h"
#include "core/math/Convert.h"

#include <QFontMetricsF>

#include <algorithm>
#include <optional>
#include <span>

namespace tendon::viewport {
namespace {

using editor::CompareLook;

constexpr std::size_t kMaxGhosts = 8;   ///< of steps
constexpr std::size_t kMaxWithin = 16;  ///< of moves within a step
constexpr double kStrongestGhost = 0.9; ///< opacity of the newest
constexpr double kFaintestGhost = 0.4;  ///< and of the oldest

void drawMark(DisplayList& list, const Vector2& at, CompareLook::Mark mark, double radius, Rgba colour)
{
    const double r = radius * list.scale();
    const auto polygon = [&](const std::vector<Vector2>& corners) {
        list.fill(corners, colour);
        list.polyline(corners, 1, colour, true);
    };
    switch (mark) {
    case CompareLook::Mark::Circle: return list.dot(at, radius, colour);
    case CompareLook::Mark::Square:
        return polygon({at + Vector2(-r, -r), at + Vector2(r, -r), at + Vector2(r, r), at + Vector2(-r, r)});
    case CompareLook::Mark::Triangle:
        return polygon({at + Vector2(0, -1.2 * r), at + Vector2(1.1 * r, r), at + Vector2(-1.1 * r, r)});
    case CompareLook::Mark::Diamond:
        return polygon(
            {at + Vector2(0, -1.3 * r), at + Vector2(1.3 * r, 0), at + Vector2(0, 1.3 * r), at + Vector2(-1.3 * r, 0)});
    }
}

void drawChain(DisplayList& list, const View& view, const SolverRecording& solver,
               const std::vector<Vector3>& positions, const CompareLook& look, double width, Rgba colour, bool hasMarks)
{
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (solver.parents[i] < 0) continue;
        const View::Projected from = view.project(positions[static_cast<std::size_t>(solver.parents[i])]),
                              to = view.project(positions[i]);
        if (from.isInFront && to.isInFront) list.line(from.pixel, to.pixel, width, colour, {look.dashOn, look.dashOff});
    }
    if (!hasMarks) return;
    for (const Vector3& position : positions)
        if (const View::Projected at = view.project(position); at.isInFront)
            drawMark(list, at.pixel, look.mark, 4, colour);
}

/// The newest `most` of these poses, the first of them the oldest: fainter the older.
void drawGhosts(DisplayList& list, const View& view, const SolverRecording& solver,
                std::span<const std::vector<Vector3>> poses, std::size_t most, double width, const CompareLook& look,
                Rgba colour)
{
    const std::size_t count = std::min(most, poses.size());
    for (std::size_t age = count; age-- > 0;) { // the newest last, on top
        const double share = 1 - static_cast<double>(age) / static_cast<double>(most);
        drawChain(list, view, solver, poses[poses.size() - 1 - age], look, width,
                  colour.withAlpha(kFaintestGhost + (kStrongestGhost - kFaintestGhost) * share), false);
    }
}

/// The chains of the steps before the shown one, and thinner those that its own pass goes through on the way to it.
void drawGhosts(DisplayList& list, const View& view, const SolverRecording& solver, int iteration,
                std::optional<std::size_t> stage, const CompareLook& look, Rgba colour)
{
    std::vector<std::vector<Vector3>> before;
    for (const SolveStep& step : solver.steps)
        if (step.iteration < iteration) before.push_back(step.positions);
    drawGhosts(list, view, solver, before, kMaxGhosts, 2, look, colour);
    drawGhosts(list, view, solver, stage ? posesBeforeStage(solver, *stage) : posesWithin(solver, iteration),
               kMaxWithin, 1.5, look, colour);
}

/// The bones of a chain as they are seen, which no label may cover.
void addBones(std::vector<PixelLine>& lines, const View& view, const SolverRecording& solver,
              const std::vector<Vector3>& positions)
{
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const std::int32_t parent = solver.parents[i];
        const View::Projected to = view.project(positions[i]),
                              from = parent < 0 ? to : view.project(positions[static_cast<std::size_t>(parent)]);
        if (from.isInFront && to.isInFront) lines.push_back({from.pixel, to.pixel});
    }
}

/// And those of the whole model.
void addBones(std::vector<PixelLine>& lines, const View& view, const editor::FrameResult& frame)
{
    const auto place = [&](JointIndex joint) {
        return view.project(frame.solved.model.modelFromJoint[at(joint)].translation());
    };
    for (JointIndex joint = 0; at(joint) < frame.rig->jointCount(); ++joint) {
        const JointIndex parent = frame.rig->parent[at(joint)];
        const View::Projected to = place(joint), from = parent < 0 ? to : place(parent);
        if (from.isInFront && to.isInFront) lines.push_back({from.pixel, to.pixel});
    }
}

/// The candidates of the joint that the shown stage is about, and their mean.
void drawCandidates(DisplayList& list, const View& view, const SolverRecording& solver, std::size_t count,
                    const View::Projected& here, const OverlayColours& colours)
{
    const RecordedStage& now = solver.stages[count - 1];
    const bool isMean = now.row.stage == sdk::Stage::SubBase;
    // The candidates of one joint stand in a row of rows, before their mean.
    for (std::size_t r = count; r-- > 0;) {
        const RecordedStage& stage = solver.stages[r];
        if (stage.row.pass != now.row.pass || (r + 1 < count && stage.row.stage == sdk::Stage::SubBase)) break;
        if (stage.row.stage != sdk::Stage::Candidate || stage.joint != now.joint) continue;
        const View::Projected candidate = view.project(tendon::toVector(stage.row.position));
        if (!candidate.isInFront) continue;
        if (isMean && here.isInFront) list.line(candidate.pixel, here.pixel, 1.25, colours.pole, {4, 4});
        list.ring(candidate.pixel, 6, 2, colours.pole);
    }
    if (isMean && here.isInFront) list.dot(here.pixel, 5, colours.pole);
}

/// What the rows up to the shown stage say beside the positions of joints. Labels cover none of `lines`, to which what
/// is drawn is added.
void drawStage(DisplayList& list, std::vector<Label>& labels, const View& view, const SolverRecording& solver,
               std::size_t count, const CompiledRig& rig, std::vector<PixelLine>& lines, const OverlayColours& colours)
{
    const RecordedStage& now = solver.stages[count - 1];
    const View::Projected here = view.project(tendon::toVector(now.row.position));
    addBones(lines, view, solver, positionsAtStage(solver, count));
    if (now.row.stage == sdk::Stage::Candidate || now.row.stage == sdk::Stage::SubBase) {
        drawCandidates(list, view, solver, count, here, colours);
        if (here.isInFront)
            labels.push_back(labelBeside(list, view, here.pixel,
                                         now.row.stage == sdk::Stage::SubBase ? Overlay::tr("mean of the candidates")
                                                                              : Overlay::tr("candidate"),
                                         colours.pole, lines));
        return;
    }
    if (const auto ellipse = editor::ellipseAtStage(solver, count))
        if (const auto placed = editor::inSpace(solver, *ellipse, rig))
            return drawEllipse(list, labels, view, *placed, *ellipse, rig.authored[tendon::at(placed->limited)], lines,
                               colours);
    if (here.isInFront) list.ring(here.pixel, 8, 2, colours.accent);
}

/// The name of each solver beside its line, in the lower right corner.
void drawLegend(DisplayList& list, std::vector<Label>& labels, const View& view, const SolveRecording& recording,
                const OverlayColours& colours)
{
    const double scale = list.scale(), line = 22 * scale, sample = 54 * scale, margin = 16 * scale;
    const QFontMetricsF metrics(editor::Theme::instance().font(12, 500));
    double width = 0;
    for (const SolverRecording& solver : recording.solvers)
        width = std::max(width, metrics.horizontalAdvance(QString::fromStdString(solver.name)));
    if (view.width() < 2 * (width + sample)) return; // it would hide the model
    const double left = view.width() - margin - width - sample;
    double y = view.height() - margin - line * (static_cast<double>(recording.solvers.size()) - 0.5);
    for (std::size_t i = 0; i < recording.solvers.size(); ++i, y += line) {
        const CompareLook look = editor::compareLook(i);
        const Rgba colour = colours.compare[i % std::size(colours.compare)];
        list.line(Vector2(left, y), Vector2(left + sample - 8 * scale, y), 2.25, colour, {look.dashOn, look.dashOff});
        drawMark(list, Vector2(left + sample / 2 - 4 * scale, y), look.mark, 4, colour);
        labels.push_back({.at = Vector2(left + sample, y),
                          .text = QString::fromStdString(recording.solvers[i].name),
                          .colour = colours.text});
    }
}

/// Says whose step the view shows: at the top, or elsewhere where that covers fewer of `lines`.
void nameStep(std::vector<Label>& labels, const View& view, const WatchedSolve& solve, const SolverRecording& own,
              std::span<const PixelLine> lines, double scale, const OverlayColours& colours)
{
    const QString solver = QString::fromStdString(own.name);
    const int step = solve.comparison.iterationAt(solve.steps.step()), last = own.steps.back().iteration;
    const QString text =
        step >= std::max(1, last) ? Overlay::tr("Compare eases to the answer of %1").arg(solver)
        : step < 1
            ? Overlay::tr("Compare shows where %1 starts, not its answer").arg(solver)
            : Overlay::tr("Compare shows iteration %1 of %2 of %3, not its answer").arg(step).arg(last).arg(solver);
    const editor::Theme& theme = editor::Theme::instance();
    const Vector2 size(QFontMetricsF(theme.font(12, 500)).horizontalAdvance(text) + 2 * theme.px(7), theme.px(20));
    const double margin = 20 * scale, left = margin + size.x() / 2;
    const Vector2 places[] = {{view.width() / 2, margin}, {view.width() / 2, view.height() - margin}, {left, margin}};
    const auto covered = [&](const Vector2& place) {
        const Vector2 wide = size + Vector2(margin, margin); // joints are round
        return std::count_if(lines.begin(), lines.end(),
                             [&](const PixelLine& line) { return covers(place, wide, line); });
    };
    const Vector2& best = *std::min_element(std::begin(places), std::end(places),
                                            [&](const auto& a, const auto& b) { return covered(a) < covered(b); });
    labels.push_back({.at = best, .text = text, .colour = colours.accent, .anchor = Label::Anchor::Centre});
}

} // namespace

void drawComparison(DisplayList& list, std::vector<Label>& labels, const View& view, const WatchedSolve& solve,
                    const editor::FrameResult& frame, const OverlayColours& colours)
{
    const editor::Comparison& comparison = solve.comparison;
    const editor::RecordingPtr recording = comparison.recording();
    if (recording == nullptr) return;
    const SolverRecording* staged = comparison.stagedAt(solve.steps.step());
    const int shown = comparison.iterationAt(solve.steps.step());
    std::vector<PixelLine> lines; // that labels leave to be seen
    addBones(lines, view, frame);
    for (std::size_t i = 0; i < recording->solvers.size(); ++i) {
        const SolverRecording& solver = recording->solvers[i];
        if (solver.steps.empty() || (staged != nullptr && staged != &solver)) continue;
        const CompareLook look = editor::compareLook(i);
        const Rgba colour = colours.compare[i % std::size(colours.compare)];
        const auto count = static_cast<std::size_t>(solve.steps.step());
        if (comparison.view().hasGhosts)
            drawGhosts(list, view, solver, shown, staged != nullptr ? std::optional(count) : std::nullopt, look,
                       colour);
        drawChain(list, view, solver,
                  staged != nullptr ? positionsAtStage(solver, count) : positionsOf(solver, solve.display.poseOf(i)),
                  look, 2.25, colour, true);
        if (staged != nullptr && count > 0 && count <= solver.stages.size())
            drawStage(list, labels, view, solver, count, *frame.rig, lines, colours);
    }
    const SolverRecording& own = recording->solvers.front();
    if (solve.posesModel && !own.steps.empty()) nameStep(labels, view, solve, own, lines, list.scale(), colours);
    if (recording->solvers.size() > 1 && staged == nullptr) drawLegend(list, labels, view, *recording, colours);
}

} // namespace tendon::viewport

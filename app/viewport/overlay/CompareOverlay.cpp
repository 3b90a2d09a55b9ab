#include "app/viewport/overlay/CompareOverlay.h"

#include "app/editor/CompareLook.h"
#include "app/editor/Theme.h"
#include "app/viewport/overlay/Overlay.h"
#include "core/math/Convert.h"

#include <QFontMetricsF>

#include <algorithm>

namespace tendon::viewport {
namespace {

using editor::CompareLook;

constexpr std::size_t kMaxGhosts = 8;
constexpr double kStrongestGhost = 0.5; ///< opacity of the ghost of the step before

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

/// The chains of the steps before `iteration`, fainter the older.
void drawGhosts(DisplayList& list, const View& view, const SolverRecording& solver, int iteration,
                const CompareLook& look, Rgba colour)
{
    const auto end = std::find_if(solver.steps.begin(), solver.steps.end(),
                                  [&](const SolveStep& step) { return step.iteration >= iteration; });
    const auto count = std::min(kMaxGhosts, static_cast<std::size_t>(end - solver.steps.begin()));
    for (std::size_t k = count; k > 0; --k) { // the newest last, on top
        const double share = 1 - static_cast<double>(k - 1) / static_cast<double>(kMaxGhosts);
        drawChain(list, view, solver, (end - static_cast<std::ptrdiff_t>(k))->positions, look, 1.25,
                  colour.withAlpha(kStrongestGhost * share), false);
    }
}

/// What the rows up to the shown stage say beside the positions of joints.
void drawStage(DisplayList& list, std::vector<Label>& labels, const View& view, const SolverRecording& solver,
               std::size_t count, const OverlayColours& colours)
{
    const auto positionOf = [](const RecordedStage& stage) { return tendon::toVector(stage.row.position); };
    const RecordedStage& now = solver.stages[count - 1];
    const View::Projected here = view.project(positionOf(now));
    if (now.row.stage == sdk::Stage::Candidate || now.row.stage == sdk::Stage::SubBase) {
        // The candidates of one joint stand in a row of rows, before their mean.
        for (std::size_t r = count; r-- > 0;) {
            const RecordedStage& stage = solver.stages[r];
            if (stage.row.pass != now.row.pass || (r + 1 < count && stage.row.stage == sdk::Stage::SubBase)) break;
            if (stage.row.stage != sdk::Stage::Candidate || stage.joint != now.joint) continue;
            const View::Projected candidate = view.project(positionOf(stage));
            if (!candidate.isInFront) continue;
            if (now.row.stage == sdk::Stage::SubBase && here.isInFront)
                list.line(candidate.pixel, here.pixel, 1.25, colours.pole, {4, 4});
            list.ring(candidate.pixel, 6, 2, colours.pole);
        }
        if (here.isInFront)
            labels.push_back({.at = here.pixel + list.scale() * Vector2(14, 0),
                              .text = now.row.stage == sdk::Stage::SubBase ? Overlay::tr("mean of the candidates")
                                                                           : Overlay::tr("candidate"),
                              .colour = colours.pole});
        if (now.row.stage == sdk::Stage::SubBase && here.isInFront) list.dot(here.pixel, 5, colours.pole);
    } else if (here.isInFront) {
        list.ring(here.pixel, 8, 2, colours.accent);
    }
    if (now.row.stage == sdk::Stage::IntoEllipse && count > 1 &&
        solver.stages[count - 2].row.stage == sdk::Stage::Ellipse) {
        const View::Projected from = view.project(positionOf(solver.stages[count - 2]));
        if (from.isInFront && here.isInFront) {
            list.line(from.pixel, here.pixel, 2, colours.limit, {4, 4});
            list.dot(from.pixel, 3, colours.limit);
        }
    }
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

} // namespace

void drawComparison(DisplayList& list, std::vector<Label>& labels, const View& view, const WatchedSolve& solve,
                    const OverlayColours& colours)
{
    const editor::Comparison& comparison = solve.comparison;
    const editor::RecordingPtr recording = comparison.recording();
    if (recording == nullptr) return;
    const SolverRecording* staged = comparison.staged();
    const int shown = comparison.iterationAt(solve.steps.step());
    for (std::size_t i = 0; i < recording->solvers.size(); ++i) {
        const SolverRecording& solver = recording->solvers[i];
        if (solver.steps.empty() || (staged != nullptr && staged != &solver)) continue;
        const CompareLook look = editor::compareLook(i);
        const Rgba colour = colours.compare[i % std::size(colours.compare)];
        if (comparison.view().hasGhosts) drawGhosts(list, view, solver, shown, look, colour);
        const auto count = static_cast<std::size_t>(solve.steps.step());
        drawChain(list, view, solver,
                  staged != nullptr ? positionsAtStage(solver, count) : positionsOf(solver, solve.display.poseOf(i)),
                  look, 2.25, colour, true);
        if (staged != nullptr && count > 0 && count <= solver.stages.size())
            drawStage(list, labels, view, solver, count, colours);
    }
    if (recording->solvers.size() > 1 && staged == nullptr) drawLegend(list, labels, view, *recording, colours);
}

} // namespace tendon::viewport

#include "app/cli/BakeReport.h"

#include "core/math/Degrees.h"
#include "core/solve/StatusNames.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace tendon::cli {

namespace {

std::string shortNumber(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

/// Frames that are meant to be whole are written as such.
double tidyFrame(double frame) { return std::abs(frame - std::round(frame)) < 1e-3 ? std::round(frame) : frame; }

QJsonObject missedJson(const MissedGoal& goal)
{
    return {{QStringLiteral("clip"), QString::fromStdString(goal.clip)},
            {QStringLiteral("handle"), QString::fromStdString(goal.handle)},
            {QStringLiteral("frame"), goal.frame},
            {QStringLiteral("error"), goal.error},
            {QStringLiteral("rotationError"), goal.rotationError * kDegrees},
            {QStringLiteral("status"), QString::fromStdString(goal.status)}};
}

} // namespace

std::int64_t frameCount(const BakedClip& clip)
{
    return std::count_if(clip.times.begin(), clip.times.end(), [&](Time time) {
        const double frame = clip.fps.frameAt(time);
        return std::abs(frame - std::round(frame)) < 1e-3;
    });
}

GoalSummary summariseGoals(const Scene& scene, const std::vector<BakedClip>& clips)
{
    GoalSummary summary;
    for (const BakedClip& clip : clips)
        for (std::size_t s = 0; s < clip.times.size(); ++s)
            for (const HandleResult& result : clip.handles[s]) {
                const Handle* handle = scene.find(result.handle);
                const MissedGoal goal{.clip = clip.name,
                                      .handle = handle != nullptr ? handle->name : "",
                                      .status = statusName(result.status),
                                      .frame = tidyFrame(clip.fps.frameAt(clip.times[s])),
                                      .error = result.positionError,
                                      .rotationError = result.rotationError};
                if (!summary.hasGoals || goal.error > summary.worst.error) summary.worst = goal;
                summary.hasGoals = true;
                if (result.status != sdk::Status::Converged) summary.missed.push_back(goal);
            }
    return summary;
}

QJsonObject bakeReport(const std::string& file, const std::vector<BakedClip>& clips, const GoalSummary& goals,
                       const ExportReport& report)
{
    QJsonArray missed, missing, clipsJson;
    for (const MissedGoal& goal : goals.missed) missed.append(missedJson(goal));
    for (const std::string& what : report.readBack.missing) missing.append(QString::fromStdString(what));
    std::int64_t frames = 0;
    for (const BakedClip& clip : clips) {
        frames += frameCount(clip);
        clipsJson.append(QJsonObject{{QStringLiteral("clip"), QString::fromStdString(clip.name)},
                                     {QStringLiteral("fps"), clip.fps.perSecond()},
                                     {QStringLiteral("frames"), static_cast<qint64>(frameCount(clip))},
                                     {QStringLiteral("from"), clip.times.front().seconds()},
                                     {QStringLiteral("to"), clip.times.back().seconds()}});
    }
    QJsonObject readBack{{QStringLiteral("reader"), QString::fromStdString(report.readBack.reader)},
                         {QStringLiteral("jointError"), report.readBack.jointError},
                         {QStringLiteral("vertexError"), report.readBack.vertexError},
                         {QStringLiteral("vertices"), static_cast<qint64>(report.readBack.vertices)},
                         {QStringLiteral("radius"), report.readBack.radius},
                         {QStringLiteral("missing"), missing}};
    if (!report.readBack.jointAt.empty())
        readBack[QStringLiteral("jointAt")] = QString::fromStdString(report.readBack.jointAt);
    if (report.readBack.turnError >= 0) readBack[QStringLiteral("turnError")] = report.readBack.turnError * kDegrees;
    if (!report.readBack.turnAt.empty())
        readBack[QStringLiteral("turnAt")] = QString::fromStdString(report.readBack.turnAt);
    if (!report.readBack.vertexAt.empty())
        readBack[QStringLiteral("vertexAt")] = QString::fromStdString(report.readBack.vertexAt);
    return {{QStringLiteral("file"), QString::fromStdString(file)},
            {QStringLiteral("clip"), QString::fromStdString(clips.front().name)},
            {QStringLiteral("fps"), clips.front().fps.perSecond()},
            {QStringLiteral("frames"), static_cast<qint64>(frames)},
            {QStringLiteral("clips"), clipsJson},
            {QStringLiteral("goals"),
             QJsonObject{{QStringLiteral("worst"), goals.hasGoals ? QJsonValue(missedJson(goals.worst)) : QJsonValue()},
                         {QStringLiteral("missed"), missed}}},
            {QStringLiteral("readBack"), readBack},
            {QStringLiteral("bytes"), static_cast<qint64>(report.bytes)}};
}

Issues missedGoalIssues(const GoalSummary& goals)
{
    struct Tally
    {
        std::size_t count = 0;
        MissedGoal worst;
    };
    std::map<std::pair<std::string, std::string>, Tally> tallies;
    for (const MissedGoal& goal : goals.missed) {
        Tally& tally = tallies[{goal.clip, goal.handle}];
        const auto size = [](const MissedGoal& g) { return std::max(g.error, g.rotationError); };
        if (tally.count++ == 0 || size(goal) > size(tally.worst)) tally.worst = goal;
    }
    Issues issues;
    for (const auto& [where, tally] : tallies) {
        std::string text = "misses its goal on " + std::to_string(tally.count) +
                           (tally.count == 1 ? " frame" : " frames") + ", worst by " + shortNumber(tally.worst.error) +
                           " m";
        if (tally.worst.rotationError > 0)
            text += " and " + shortNumber(tally.worst.rotationError * kDegrees) + " degrees";
        text += " at frame " + shortNumber(tally.worst.frame) + " (" + tally.worst.status + ")";
        issues.push_back(
            {.severity = Severity::Warning, .text = text, .where = "clip " + where.first + ", handle " + where.second});
    }
    return issues;
}

Issues readBackIssues(const std::string& file, const ReadBack& readBack)
{
    if (readBack.isWithin()) return {};
    Issues issues;
    const auto add = [&](const std::string& text) {
        issues.push_back({.severity = Severity::Error, .text = text, .where = file});
    };
    for (const std::string& what : readBack.missing) add("reading the file back did not find " + what);
    const std::string ofRadius = " with a skeleton of radius " + shortNumber(readBack.radius) + " m";
    if (!(readBack.jointError <= ReadBack::kJointTolerance * readBack.radius))
        add("read back, a joint is " + shortNumber(readBack.jointError) + " m off at " + readBack.jointAt + ofRadius);
    if (!(readBack.vertexError <= ReadBack::kVertexTolerance * readBack.radius))
        add("read back, a vertex is " + shortNumber(readBack.vertexError) + " m off at " + readBack.vertexAt +
            ofRadius);
    if (!(readBack.turnError <= ReadBack::kTurnTolerance))
        add("read back, a joint is turned by " + shortNumber(readBack.turnError * kDegrees) +
            " degrees too much or too little at " + readBack.turnAt);
    return issues;
}

} // namespace tendon::cli

#include "app/cli/BakeReport.h"

#include "app/cli/Cli.h"
#include "core/base/Counted.h"
#include "core/math/Degrees.h"
#include "core/solve/StatusNames.h"

#include <QJsonArray>

namespace tendon::cli {

namespace {

QString number(double value, int digits) { return QString::number(value, 'g', digits); }

/// "capping moves them by up to 172 mm (clip walk, frame 12, mesh Body)"
QString costOfCapping(const ReadBack& read)
{
    constexpr double kShown = 0.01; // [mm] less is rounding
    const double millimetres = read.cappingError * 1000;
    if (millimetres < kShown) return QStringLiteral("capping moves them by less than 0.01 mm");
    return QStringLiteral("capping moves them by up to %1 mm (%2)")
        .arg(QString::number(millimetres, 'f', millimetres < 10 ? 2 : 0), QString::fromStdString(read.cappingAt));
}

QJsonObject goalJson(const GoalResult& goal)
{
    return {{QStringLiteral("clip"), QString::fromStdString(goal.clip)},
            {QStringLiteral("handle"), QString::fromStdString(goal.handle)},
            {QStringLiteral("frame"), goal.frame},
            {QStringLiteral("error"), goal.error},
            {QStringLiteral("rotationError"), goal.rotationError * kDegrees},
            {QStringLiteral("status"), QString::fromStdString(goal.status)}};
}

QJsonObject readBackJson(const ReadBack& readBack)
{
    QJsonArray missing;
    for (const std::string& what : readBack.missing) missing.append(QString::fromStdString(what));
    QJsonObject json{{QStringLiteral("reader"), QString::fromStdString(readBack.reader)},
                     {QStringLiteral("jointError"), readBack.jointError},
                     {QStringLiteral("vertexError"), readBack.vertexError},
                     {QStringLiteral("vertices"), static_cast<qint64>(readBack.vertices)},
                     {QStringLiteral("cappedVertices"), static_cast<qint64>(readBack.cappedVertices)},
                     {QStringLiteral("cappingMm"), readBack.cappingError * 1000},
                     {QStringLiteral("radius"), readBack.radius},
                     {QStringLiteral("missing"), missing}};
    if (readBack.turnError >= 0) json[QStringLiteral("turnError")] = readBack.turnError * kDegrees;
    for (const auto& [member, place] : {std::pair{"jointAt", &readBack.jointAt},
                                        {"turnAt", &readBack.turnAt},
                                        {"vertexAt", &readBack.vertexAt},
                                        {"cappingAt", &readBack.cappingAt}})
        if (!place->empty()) json[QLatin1StringView(member)] = QString::fromStdString(*place);
    return json;
}

} // namespace

QJsonObject bakeReport(const std::string& file, const ExportOutcome& outcome)
{
    QJsonArray missed, jumps, speeds, clips;
    for (const GoalResult& goal : outcome.goals.missed) missed.append(goalJson(goal));
    for (const JumpResult& jump : outcome.goals.jumps)
        jumps.append(QJsonObject{{QStringLiteral("clip"), QString::fromStdString(jump.clip)},
                                 {QStringLiteral("handle"), QString::fromStdString(jump.handle)},
                                 {QStringLiteral("joint"), QString::fromStdString(jump.joint)},
                                 {QStringLiteral("frame"), jump.frame},
                                 {QStringLiteral("last"), jump.last},
                                 {QStringLiteral("degrees"), jump.jump.size * kDegrees},
                                 {QStringLiteral("reason"), QLatin1StringView(jumpReasonName(jump.jump.reason))},
                                 {QStringLiteral("cause"), QLatin1StringView(jumpCauseName(jump.jump.cause))}});
    for (const HasteResult& haste : outcome.goals.hastes)
        speeds.append(QJsonObject{{QStringLiteral("clip"), QString::fromStdString(haste.clip)},
                                  {QStringLiteral("handle"), QString::fromStdString(haste.handle)},
                                  {QStringLiteral("joint"), QString::fromStdString(haste.joint)},
                                  {QStringLiteral("kind"), QLatin1StringView(rateKindName(haste.kind))},
                                  {QStringLiteral("first"), haste.first},
                                  {QStringLiteral("last"), haste.last},
                                  {QStringLiteral("stretch"), haste.stretch}});
    std::int64_t frames = 0;
    for (const ExportedClip& clip : outcome.clips) {
        frames += clip.frames;
        clips.append(QJsonObject{{QStringLiteral("clip"), QString::fromStdString(clip.name)},
                                 {QStringLiteral("fps"), clip.fps.perSecond()},
                                 {QStringLiteral("frames"), static_cast<qint64>(clip.frames)},
                                 {QStringLiteral("from"), clip.from.seconds()},
                                 {QStringLiteral("to"), clip.to.seconds()}});
    }
    const QJsonValue worst = outcome.goals.hasGoals ? QJsonValue(goalJson(outcome.goals.worst)) : QJsonValue();
    return {
        {QStringLiteral("file"), QString::fromStdString(file)},
        {QStringLiteral("clip"), QString::fromStdString(outcome.clips.front().name)},
        {QStringLiteral("fps"), outcome.clips.front().fps.perSecond()},
        {QStringLiteral("frames"), static_cast<qint64>(frames)},
        {QStringLiteral("clips"), clips},
        {QStringLiteral("goals"), QJsonObject{{QStringLiteral("worst"), worst}, {QStringLiteral("missed"), missed}}},
        {QStringLiteral("jumps"), jumps},
        {QStringLiteral("speeds"), speeds},
        {QStringLiteral("readBack"), readBackJson(outcome.report.readBack)},
        {QStringLiteral("issues"), issuesAsJson(outcome.issues)},
        {QStringLiteral("bytes"), static_cast<qint64>(outcome.report.bytes)}};
}

std::string bakeSummary(const std::string& file, const ExportOutcome& outcome)
{
    QString text;
    for (const ExportedClip& clip : outcome.clips)
        text += QStringLiteral("clip %1: %2 at %3 fps, %4\n")
                    .arg(QString::fromStdString(clip.name),
                         QString::fromStdString(counted(static_cast<std::size_t>(clip.frames), "frame", "frames")),
                         number(clip.fps.perSecond(), 6),
                         QString::fromStdString(counted(static_cast<std::size_t>(clip.joints), "joint", "joints")));
    const ReadBack& read = outcome.report.readBack;
    text += QStringLiteral("%1: %2 bytes; read back: joints within %3 m, ")
                .arg(QString::fromStdString(file))
                .arg(outcome.report.bytes)
                .arg(number(read.jointError, 2));
    text += read.vertices > 0 ? QStringLiteral("vertices within %1 m\n").arg(number(read.vertexError, 2))
                              : QStringLiteral("no vertices to compare\n");
    if (read.cappedVertices > 0)
        text += QStringLiteral("%1: %2 had more than %3; %4\n")
                    .arg(QString::fromStdString(file),
                         QString::fromStdString(
                             counted(static_cast<std::size_t>(read.cappedVertices), "vertex", "vertices")),
                         QString::fromStdString(counted(read.maxInfluences, "influence", "influences")),
                         costOfCapping(read));
    return text.toStdString();
}

} // namespace tendon::cli

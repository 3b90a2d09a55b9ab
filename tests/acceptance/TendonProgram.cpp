#include "TendonProgram.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <cmath>

TendonProgram::Outcome TendonProgram::run(const QStringList& arguments) const
{
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(QStringLiteral(TENDON_PROGRAM), arguments);
    if (!process.waitForFinished(60'000)) return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

QString TendonProgram::sample(const QString& name) const
{
    const QString project = file(name + ".tendon");
    const Outcome outcome = run({"samples", name, "-o", project});
    if (outcome.exit != 0) qFatal("samples %s: %s", qPrintable(name), outcome.err.constData());
    return project;
}

QString TendonProgram::script(const QString& script, const QString& project) const
{
    const QString result = file(QFileInfo(script).baseName() + "-result.tendon");
    const Outcome outcome = run(
        {"run", QStringLiteral(TENDON_SOURCE_DIR "/tests/acceptance/scripts/") + script, "-p", project, "-o", result});
    if (outcome.exit != 0) qFatal("%s: %s", qPrintable(script), outcome.err.constData());
    return result;
}

QJsonObject TendonProgram::poseJson(const QString& project, int frame) const
{
    const Outcome outcome = run({"pose", project, "--frame", QString::number(frame), "--json"});
    if (outcome.exit != 0 && outcome.exit != 3) qFatal("pose: %s", outcome.err.constData());
    return QJsonDocument::fromJson(outcome.out).object();
}

PrintedPose TendonProgram::pose(const QString& project, int frame) const
{
    PrintedPose pose;
    for (const QJsonValue& value : poseJson(project, frame)["joints"].toArray()) {
        const QJsonObject joint = value.toObject();
        pose[joint["name"].toString()] = {joint["local"].toObject(), joint["world"].toObject(),
                                          joint["axes"].toObject()};
    }
    return pose;
}

double difference(const QJsonObject& a, const QJsonObject& b)
{
    double largest = 0;
    for (const char* part : {"translation", "rotation", "scale"}) {
        const QJsonArray x = a[part].toArray(), y = b[part].toArray();
        if (x.size() != y.size() || x.isEmpty()) return INFINITY;
        double same = 0, opposite = 0;
        for (int i = 0; i < x.size(); ++i) {
            same = std::max(same, std::abs(x[i].toDouble() - y[i].toDouble()));
            opposite = std::max(opposite, std::abs(x[i].toDouble() + y[i].toDouble()));
        }
        largest = std::max(largest, qstrcmp(part, "rotation") == 0 ? std::min(same, opposite) : same);
    }
    return largest;
}

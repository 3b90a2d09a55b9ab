#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

/// A joint's pose as `tendon pose` prints it, so that "unchanged" means unchanged to the digit.
struct PrintedJoint
{
    QJsonObject local; ///< translation, rotation, scale
    QJsonObject world;
    QJsonObject axes; ///< rx, ry, rz [deg], tx, ty, tz [m]
};
using PrintedPose = QMap<QString, PrintedJoint>;

/// Runs `tendon` as a user would, in a folder of its own.
class TendonProgram
{
public:
    struct Outcome
    {
        int exit = -1;
        QByteArray out, err;
    };

    [[nodiscard]] QString file(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] Outcome run(const QStringList& arguments) const;

    /// Writes a sample as a project and returns its path.
    [[nodiscard]] QString sample(const QString& name) const;
    /// Runs a script of tests/acceptance/scripts on a project and returns the path of the result.
    [[nodiscard]] QString script(const QString& script, const QString& project) const;
    /// The complete output of `tendon pose --json`.
    [[nodiscard]] QJsonObject poseJson(const QString& project, int frame = 1) const;
    [[nodiscard]] PrintedPose pose(const QString& project, int frame = 1) const;

private:
    QTemporaryDir m_folder;
};

/// Largest difference between the numbers of two printed transforms (quaternions up to sign).
[[nodiscard]] double difference(const QJsonObject& a, const QJsonObject& b);

#pragma once

#include "core/scene/Scene.h"

#include <QImage>
#include <QString>

#include <atomic>
#include <vector>

namespace tendon::editor {

/// A file of the pose library, as a person chooses it.
struct ShelvedPose
{
    QString file;                  ///< path
    QString name;                  ///< of the file, without its ending
    QImage picture;                ///< null = it has none
    QString problem;               ///< why it cannot be applied, in one line; "" = it can
    int joints = 0, foundHere = 0; ///< that it poses; those of them that the scene has

    bool operator==(const ShelvedPose&) const = default;
};

/// The pose files (.tendonpose) of a folder by name, judged for a scene. A damaged file is listed, with what is wrong.
/// Reads them all: for another thread. Empty if it was cancelled.
[[nodiscard]] std::vector<ShelvedPose> readPoseFolder(const QString& folder, const Scene& scene,
                                                      const std::atomic<bool>& cancelled);

/// The file for a pose of this name: what no file can be called is left out.
[[nodiscard]] QString poseFileIn(const QString& folder, const QString& name);

} // namespace tendon::editor

#pragma once

#include "core/io/import/ModelImport.h"

#include <QString>

namespace tendon::test {

/// The difference between an imported model and GltfReference's result for the same file, as a share of the skeleton's
/// radius.
struct Deviation
{
    double joints = 0, vertices = 0;
    int poses = 0;
    QString worst; ///< the place of the largest difference
};

/// Compares the rest pose and every clip at `perClip` times, joints by Joint::sourceNode and vertices in order.
[[nodiscard]] Deviation compareWithReference(const ImportedModel& model, const QString& path, int perClip);

} // namespace tendon::test

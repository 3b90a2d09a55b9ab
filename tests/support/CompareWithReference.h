#pragma once

#include "core/io/import/ModelImport.h"

#include <QString>

namespace tendon::test {

/// How far an imported model is from what GltfReference works out for the same file, as a share of the skeleton's
/// radius.
struct Deviation
{
    double joints = 0, vertices = 0;
    int poses = 0;
    QString worst; ///< where the largest of them is
};

/// Compares rest pose and every clip at `perClip` times spread over it; joints by Joint::sourceNode, vertices in order.
[[nodiscard]] Deviation compareWithReference(const ImportedModel& model, const QString& path, int perClip);

} // namespace tendon::test

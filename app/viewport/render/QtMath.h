#pragma once

#include "app/viewport/view/Camera.h"

#include <QMatrix4x4>
#include <QVector3D>

namespace tendon::viewport {

// Conversion from double precision to the GPU's single precision.

inline QMatrix4x4 toQt(const Matrix4& m)
{
    QMatrix4x4 result;
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 4; ++column) result(row, column) = static_cast<float>(m(row, column));
    return result;
}

inline QVector3D toQt(const Vector3& v)
{
    return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

} // namespace tendon::viewport

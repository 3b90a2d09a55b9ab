#pragma once

#include "app/viewport/view/Camera.h"

#include <QColor>

#include <memory>

namespace tendon::viewport {

class RenderHost;

struct BackdropColours
{
    QColor top, bottom, gridMinor, gridMajor, axisX, axisY, axisZ;
};

/// The background gradient and the grid. Destroy it before the host.
class Backdrop
{
public:
    explicit Backdrop(RenderHost& host);
    ~Backdrop();

    void setColours(const BackdropColours& colours);
    /// Sets the grid's cell to suit the distance, 1 m, 10 cm, ..., and returns it [m].
    double setView(const View& view, bool hasGrid);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// [m] The cell of the grid for a camera's distance.
[[nodiscard]] double gridCell(const Camera& camera);

} // namespace tendon::viewport

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

/// The gradient behind everything and the grid. Must go before the host.
class Backdrop
{
public:
    explicit Backdrop(RenderHost& host);
    ~Backdrop();

    void setColours(const BackdropColours& colours);
    /// The grid's cell suits the distance: 1 m, 10 cm, ... ; returns it. [m]
    double setView(const View& view, bool hasGrid);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// The cell of the grid at a camera's distance. [m]
[[nodiscard]] double gridCell(const Camera& camera);

} // namespace tendon::viewport

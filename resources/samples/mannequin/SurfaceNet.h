#pragma once

#include "resources/samples/mannequin/Implicit.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tendon::mannequin {

/// A closed surface of quads, counter-clockwise seen from outside.
struct QuadMesh
{
    std::vector<Vector3> positions; ///< [m]
    std::vector<std::array<std::uint32_t, 4>> quads;
};

/// The grid of cubes to search for a surface, from `gridFrame`'s origin along its axes.
struct Grid
{
    Affine modelFromGrid = Affine::Identity();
    double cell = 0.01; ///< [m] edge of a cube
    std::array<int, 3> cells{};
    /// The first layer of cubes along x is centred on x = 0 and the surface is the half with x >= 0 of one that is its
    /// own mirror image: vertices of that layer lie on x = 0 exactly. Needs an unturned gridFrame.
    bool isHalf = false;
};

/// The surface of `shape` inside the grid as a surface net (Gibson 1998): a vertex in each cube it passes through,
/// evened out along the surface and projected onto it.
[[nodiscard]] QuadMesh surfaceNet(const Implicit& shape, const Grid& grid, int relaxations);

/// Adds the mirror image in x = 0; vertices on that plane are shared.
[[nodiscard]] QuadMesh withMirrorImage(const QuadMesh& half);

} // namespace tendon::mannequin

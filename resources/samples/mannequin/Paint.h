#pragma once

#include "resources/samples/mannequin/Panels.h"

#include <Eigen/Core>

namespace tendon::mannequin {

/// The texture coordinates of the left half's shells. Every panel has a tile, unwrapped around its bone from the front
/// (u = 0) to the back (u = 1), the same on both sides, so that no seam shows.
[[nodiscard]] std::vector<Eigen::Vector2f> paintCoordinates(const Surface& shells, const std::vector<Panel>& panels,
                                                            const Landmarks& landmarks);

/// The picture as a PNG file.
[[nodiscard]] std::vector<std::uint8_t> paintedPicture();

} // namespace tendon::mannequin

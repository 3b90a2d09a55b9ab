#pragma once

#include "resources/samples/mannequin/Panels.h"

#include <Eigen/Core>

namespace tendon::mannequin {

/// Where each vertex of the left half's shells lies in the picture: every panel has a tile, unrolled around its bone
/// from the front (u = 0) to the back (u = 1) on either side alike, so that there is no seam.
[[nodiscard]] std::vector<Eigen::Vector2f> paintCoordinates(const Surface& shells, const std::vector<Panel>& panels,
                                                            const Landmarks& landmarks);

/// The picture as a PNG file.
[[nodiscard]] std::vector<std::uint8_t> paintedPicture();

} // namespace tendon::mannequin

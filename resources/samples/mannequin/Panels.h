#pragma once

#include "resources/samples/mannequin/BodyShape.h"
#include "resources/samples/mannequin/SurfaceNet.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tendon::mannequin {

/// The light shells of the figure; the dark body between them is a little deeper.
enum class Panel { Head, Chest, Pelvis, UpperArm, Forearm, Thigh, Shin, Foot, Hand };
inline constexpr int kPanelCount = 9;

/// A triangle mesh with data per vertex for skinning and texturing.
struct Surface
{
    std::vector<Vector3> positions;     ///< [m]
    std::vector<Vector3> normals;       ///< unit
    std::vector<Vector3> skinPositions; ///< [m] position on the undivided body, which determines the weights
    std::vector<std::array<std::uint32_t, 3>> triangles; ///< counter-clockwise seen from outside
};

struct PanelSurfaces
{
    Surface shells; ///< light, with a rounded rim
    Surface body;   ///< dark
};

/// The shells' outline and names on the left half of the body.
class PanelPlan
{
public:
    explicit PanelPlan(const Landmarks& landmarks);

    /// Positive on a shell, negative between shells; about the distance [m] to the outline along the surface.
    [[nodiscard]] double value(const Vector3& p) const;
    [[nodiscard]] Panel panelAt(const Vector3& p) const;

    /// The outline as single lines: the zeros of so many smooth functions [m], each only where it counts.
    [[nodiscard]] int lineCount() const;
    [[nodiscard]] double line(int index, const Vector3& p) const;
    [[nodiscard]] bool isLineNear(int index, const Vector3& p) const;

private:
    struct Gap ///< a slab in a ball
    {
        Vector3 centre, normal;
        double halfWidth, reach; // [m]
    };
    [[nodiscard]] static double ribs(const Vector3& p);  ///< [m] height above the lower edge of the rib cage
    [[nodiscard]] static double waist(const Vector3& p); ///< [m] height above the upper edge of the pelvis
    enum { Neck, Shoulder, Elbow, Wrist, Hip, Knee, Ankle };

    std::array<Gap, 7> m_gaps;
};

/// Cuts the left half of the body along the outline: the shells stay, the surface between them moves inward.
[[nodiscard]] PanelSurfaces cutPanels(const QuadMesh& half, const Implicit& shape, const PanelPlan& plan, double cell);

/// The shorter diagonal splits each quad.
[[nodiscard]] std::vector<std::array<std::uint32_t, 3>> triangulated(const QuadMesh& mesh);

} // namespace tendon::mannequin

#include "app/viewport/view/ViewCube.h"

#include "app/viewport/view/Picking.h"

#include <cmath>

namespace tendon::viewport {
namespace {

constexpr double kRim = 0.56; // half width of a face's middle, as a share of half a side; edges and corners are outside

/// One face: its normal, and the reading and up directions of its name.
struct FaceFrame
{
    const char* name;
    Vector3 normal, right, up;
};

const std::array<FaceFrame, 6>& frames()
{
    const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
    static const std::array<FaceFrame, 6> kFrames = {{{"FRONT", z, x, y},
                                                      {"BACK", -z, -x, y},
                                                      {"RIGHT", x, -z, y},
                                                      {"LEFT", -x, z, y},
                                                      {"TOP", y, x, -z},
                                                      {"BOTTOM", -y, x, z}}};
    return kFrames;
}

Vector2 onScreen(const Camera& camera, const Vector2& centre, double halfSide, const Vector3& point)
{
    const Vector3 view = camera.worldFromView().conjugate() * point;
    return centre + halfSide * Vector2(view.x(), -view.y());
}

bool isSeen(const Camera& camera, const FaceFrame& face) { return face.normal.dot(camera.forward()) < -1e-3; }

} // namespace

std::vector<CubeFace> cubeFaces(const Camera& camera, const Vector2& centre, double halfSide)
{
    std::vector<CubeFace> faces;
    for (const FaceFrame& frame : frames()) {
        if (!isSeen(camera, frame)) continue;
        CubeFace face{.place = frame.normal.cast<int>(), .name = frame.name};
        const std::pair<int, int> around[] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
        for (std::size_t i = 0; i < 4; ++i)
            face.corners[i] = onScreen(camera, centre, halfSide,
                                       frame.normal + around[i].first * frame.right + around[i].second * frame.up);
        face.brightness = -frame.normal.dot(camera.forward());
        faces.push_back(face);
    }
    return faces;
}

std::optional<CubePlace> pickCube(const Camera& camera, const Vector2& centre, double halfSide, const Vector2& pixel)
{
    for (const FaceFrame& frame : frames()) {
        if (!isSeen(camera, frame)) continue;
        // The pixel in the face's own coordinates, from the two drawn edges.
        const Vector2 middle = onScreen(camera, centre, halfSide, frame.normal);
        const Vector2 right = onScreen(camera, centre, halfSide, frame.normal + frame.right) - middle;
        const Vector2 up = onScreen(camera, centre, halfSide, frame.normal + frame.up) - middle;
        Eigen::Matrix2d edges;
        edges << right, up;
        if (std::abs(edges.determinant()) < 1e-9) continue;
        const Vector2 at = edges.inverse() * (pixel - middle);
        if (at.cwiseAbs().maxCoeff() > 1) continue;
        const auto step = [](double v) { return v > kRim ? 1.0 : v < -kRim ? -1.0 : 0.0; };
        const Vector3 place = frame.normal + step(at.x()) * frame.right + step(at.y()) * frame.up;
        return CubePlace(place.array().round().cast<int>());
    }
    return std::nullopt;
}

std::vector<std::array<Vector2, 4>> cubeZones(const Camera& camera, const Vector2& centre, double halfSide,
                                              const CubePlace& place)
{
    std::vector<std::array<Vector2, 4>> zones;
    const Vector3 wanted = place.cast<double>();
    for (const FaceFrame& frame : frames()) {
        if (!isSeen(camera, frame) || wanted.dot(frame.normal) < 0.5) continue;
        const auto range = [](double v) {
            return v > 0.5 ? std::pair(kRim, 1.0) : v < -0.5 ? std::pair(-1.0, -kRim) : std::pair(-kRim, kRim);
        };
        const auto [left, right] = range(wanted.dot(frame.right));
        const auto [low, high] = range(wanted.dot(frame.up));
        const auto at = [&](double x, double y) {
            return onScreen(camera, centre, halfSide, frame.normal + x * frame.right + y * frame.up);
        };
        zones.push_back({at(left, high), at(right, high), at(right, low), at(left, low)});
    }
    return zones;
}

Camera lookingFrom(const Camera& camera, const CubePlace& place)
{
    const int parts = place.cwiseAbs().sum();
    if (parts == 1) {
        const StandardView view = place.z() > 0   ? StandardView::Front
                                  : place.z() < 0 ? StandardView::Back
                                  : place.x() > 0 ? StandardView::Right
                                  : place.x() < 0 ? StandardView::Left
                                  : place.y() > 0 ? StandardView::Top
                                                  : StandardView::Bottom;
        return lookingFrom(camera, view);
    }
    Camera result = camera;
    result.isOrthographic = false;
    const Vector3 toward = place.cast<double>().normalized();
    result.yaw = std::atan2(toward.x(), toward.z());
    result.pitch = -std::asin(toward.y());
    return result;
}

} // namespace tendon::viewport

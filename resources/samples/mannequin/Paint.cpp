#include "resources/samples/mannequin/Paint.h"

#include "resources/samples/mannequin/Png.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tendon::mannequin {

namespace {

constexpr int kTiles = 3; // a side
constexpr int kTilePixels = 192;
constexpr double kMargin = 0.04; // of a tile, so that neighbours do not bleed in

/// The line a panel is unrolled around, from where v = 0, and its front.
struct Axis
{
    Vector3 begin, end, front;
};

Axis axisOf(Panel panel, const Landmarks& l)
{
    const Vector3 front = Vector3::UnitZ();
    switch (panel) {
    case Panel::Head: return {{0, 1.76, -0.004}, {0, 1.52, 0.012}, front};
    case Panel::Chest: return {{0, 1.48, -0.01}, {0, 1.10, -0.005}, front};
    case Panel::Pelvis: return {{0, 1.05, 0}, {0, 0.86, 0}, front};
    case Panel::UpperArm: return {l.shoulder, l.elbow, l.armFront};
    case Panel::Forearm: return {l.elbow, l.wrist, l.armFront};
    case Panel::Thigh: return {l.hip, l.knee, front};
    case Panel::Shin: return {l.knee, l.ankle, front};
    case Panel::Foot: return {{l.ankle.x(), 0.03, l.ankle.z()}, {l.toe.x(), 0.03, l.toe.z()}, Vector3::UnitY()};
    case Panel::Hand: break;
    }
    return {l.wrist, l.knuckles, l.handThumb};
}

double mix(double a, double b, double t) { return a + (b - a) * std::clamp(t, 0.0, 1.0); }
double smoothStep(double from, double to, double x)
{
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

/// Evenly spread noise in -1 ... 1 that depends on the two numbers alone.
double noise(int x, int y)
{
    std::uint32_t h = static_cast<std::uint32_t>(x) * 0x9e3779b1u ^ static_cast<std::uint32_t>(y) * 0x85ebca77u;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    h ^= h >> 15;
    return static_cast<double>(h) / 2147483648.0 - 1;
}

/// The same, smooth over `scale` pixels.
double cloud(double x, double y, double scale)
{
    const double fx = x / scale, fy = y / scale;
    const int ix = static_cast<int>(std::floor(fx)), iy = static_cast<int>(std::floor(fy));
    const double tx = smoothStep(0, 1, fx - ix), ty = smoothStep(0, 1, fy - iy);
    return mix(mix(noise(ix, iy), noise(ix + 1, iy), tx), mix(noise(ix, iy + 1), noise(ix + 1, iy + 1), tx), ty);
}

/// A line at `at`, `width` wide on both sides, 1 on it and 0 off it.
double line(double x, double at, double width) { return 1 - smoothStep(width * 0.6, width, std::abs(x - at)); }

/// Lightness of a panel's paint at (u, v): 1 = the plain colour.
double marks(Panel panel, double u, double v)
{
    double dark = 0;
    if (panel == Panel::Head) { // the cross that portrait painters lay on an egg: middle of the face and eyes
        const double face = 1 - smoothStep(0.40, 0.46, u);
        dark = std::max(line(v, 0.525, 0.007) * face, line(u, 0.0, 0.009) * smoothStep(0.20, 0.24, v));
    }
    if (panel == Panel::UpperArm || panel == Panel::Thigh) dark = line(v, 0.90, 0.008);
    if (panel == Panel::Forearm || panel == Panel::Shin) dark = line(v, 0.92, 0.007);
    if (panel == Panel::Chest) dark = line(u, 1.0, 0.006);
    return 1 - 0.28 * dark;
}

} // namespace

std::vector<Eigen::Vector2f> paintCoordinates(const Surface& shells, const std::vector<Panel>& panels,
                                              const Landmarks& landmarks)
{
    const std::size_t count = shells.positions.size();
    std::vector<double> around(count), along(count);
    std::array<double, kPanelCount> least{}, most{};
    least.fill(std::numeric_limits<double>::max());
    most.fill(std::numeric_limits<double>::lowest());
    for (std::size_t i = 0; i < count; ++i) {
        const Axis axis = axisOf(panels[i], landmarks);
        const Vector3 y = (axis.end - axis.begin).normalized();
        const Vector3 z = (axis.front - axis.front.dot(y) * y).normalized();
        const Vector3 d = shells.positions[i] - axis.begin;
        around[i] = std::atan2(std::abs(d.dot(y.cross(z))), d.dot(z)) / std::numbers::pi;
        along[i] = d.dot(y);
        const auto panel = static_cast<std::size_t>(panels[i]);
        least[panel] = std::min(least[panel], along[i]);
        most[panel] = std::max(most[panel], along[i]);
    }
    std::vector<Eigen::Vector2f> result(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto panel = static_cast<std::size_t>(panels[i]);
        const double u = mix(kMargin, 1 - kMargin, around[i]);
        const double v = mix(kMargin, 1 - kMargin, (along[i] - least[panel]) / (most[panel] - least[panel]));
        result[i] = Eigen::Vector2d((static_cast<double>(panel % kTiles) + u) / kTiles,
                                    (static_cast<double>(panel / kTiles) + v) / kTiles)
                        .cast<float>();
    }
    return result;
}

std::vector<std::uint8_t> paintedPicture()
{
    constexpr int kSize = kTiles * kTilePixels;
    constexpr double kColour[3] = {206, 203, 198}; // sRGB: a warm light grey, between plaster and beech
    std::vector<std::uint8_t> rgb;
    rgb.reserve(3 * kSize * kSize);
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x) {
            const auto panel = static_cast<Panel>(y / kTilePixels * kTiles + x / kTilePixels);
            const auto inTile = [](int pixel) {
                return ((pixel % kTilePixels + 0.5) / kTilePixels - kMargin) / (1 - 2 * kMargin);
            };
            const double u = inTile(x), v = inTile(y);
            // Shells darken a little toward their rims, as handled things do; a fine grain keeps large areas alive.
            const double rim = panel == Panel::Hand ? 1 : mix(0.90, 1, smoothStep(0, 0.10, std::min(v, 1 - v)));
            const double grain = 1 + 0.014 * cloud(x, y, 17) + 0.012 * cloud(x + 999, y, 3);
            for (const double channel : kColour)
                rgb.push_back(static_cast<std::uint8_t>(
                    std::lround(std::clamp(channel * rim * grain * marks(panel, u, v), 0.0, 255.0))));
        }
    return pngBytes(kSize, kSize, rgb);
}

} // namespace tendon::mannequin

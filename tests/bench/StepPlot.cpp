#include "tests/bench/StepPlot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace tendon::bench {
namespace {

constexpr double kLeast = 0.1, kMost = 180; // [deg], on a logarithmic scale
constexpr double kLeft = 44, kRight = 890, kRow = 130, kTall = 92;

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

double heightOf(double degrees)
{
    return std::log(std::clamp(degrees, kLeast, kMost) / kLeast) / std::log(kMost / kLeast) * kTall;
}

} // namespace

std::string stepPlot(const std::vector<StepRow>& rows)
{
    const double height = kRow * static_cast<double>(rows.size()) + 30;
    std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 900 " + number(height) +
                      "' font-family='sans-serif' font-size='12'>\n<rect width='100%' height='100%' fill='white'/>\n"
                      "<text x='44' y='18'>Largest turn of a joint from frame to frame, in degrees: "
                      "<tspan fill='#c33'>each frame for itself</tspan>, <tspan fill='#06c'>as a clip</tspan></text>\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const double bottom = 30 + kRow * static_cast<double>(r + 1) - 10;
        svg += "<text x='44' y='" + number(bottom - kTall - 6) + "'>" + rows[r].name + "</text>\n";
        for (const double degrees : {0.1, 1.0, 10.0, 100.0}) {
            const double y = bottom - heightOf(degrees);
            svg += "<path d='M 44 " + number(y) + " H 890' stroke='" + (degrees == kLeast ? "#999" : "#ddd") +
                   "'/><text x='38' y='" + number(y + 4) + "' text-anchor='end' fill='#777' font-size='10'>" +
                   (degrees < 1 ? "0.1" : number(degrees).substr(0, number(degrees).size() - 2)) + "</text>\n";
        }
        for (const auto& [steps, colour] : {std::pair(&rows[r].alone, "#c33"), std::pair(&rows[r].clip, "#06c")}) {
            std::string points;
            for (std::size_t t = 0; t < steps->size(); ++t)
                points += number(kLeft + (kRight - kLeft) * (static_cast<double>(t) + 0.5) /
                                             static_cast<double>(steps->size())) +
                          "," + number(bottom - heightOf((*steps)[t])) + " ";
            svg += "<polyline points='" + points + "' fill='none' stroke='" + colour + "' stroke-width='1.2'/>\n";
        }
    }
    return svg + "</svg>\n";
}

} // namespace tendon::bench

#pragma once

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

namespace tendon {

/// Formats a length with three digits in a suitable unit, from micrometres to metres: "21.4 mm".
[[nodiscard]] inline std::string smallLength(double metres)
{
    const double size = std::abs(metres);
    const auto in = [](const char* format, double value) {
        std::array<char, 32> text;
        std::snprintf(text.data(), text.size(), format, value);
        return std::string(text.data());
    };
    if (size == 0) return "0 mm";
    if (size < 1e-6) return in("%.3g µm", metres * 1e6);
    if (size < 0.1) return in("%.3g mm", metres * 1e3);
    return size < 1 ? in("%.1f cm", metres * 100) : in("%.2f m", metres);
}

} // namespace tendon

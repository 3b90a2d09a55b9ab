#pragma once

#include <cmath>
#include <cstdint>

/// Time as FBX files write it: ticks, and frame rates by number ("TimeMode").
namespace tendon::fbx {

inline constexpr double kTicksPerSecond = 46'186'158'000;

[[nodiscard]] inline std::int64_t ticksOf(double seconds) { return std::llround(seconds * kTicksPerSecond); }

struct TimeMode
{
    int number;
    double framesPerSecond;
};
/// Of modes that count the same rate differently (7 and 8 drop frame numbers), the plain one first.
inline constexpr TimeMode kTimeModes[] = {{1, 120},
                                          {2, 100},
                                          {3, 60},
                                          {4, 50},
                                          {5, 48},
                                          {6, 30},
                                          {7, 30},
                                          {9, 30000.0 / 1001},
                                          {8, 30000.0 / 1001},
                                          {10, 25},
                                          {11, 24},
                                          {12, 1000},
                                          {13, 24000.0 / 1001},
                                          {15, 96},
                                          {16, 72},
                                          {17, 60000.0 / 1001}};
inline constexpr int kCustomTimeMode = 14; ///< the rate stands in "CustomFrameRate"

} // namespace tendon::fbx

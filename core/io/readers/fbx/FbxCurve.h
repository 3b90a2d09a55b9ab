#pragma once

#include "core/io/readers/fbx/FbxDocument.h"

#include <cstdint>
#include <vector>

namespace tendon::fbx {

/// One animation curve: a number over time.
class Curve
{
public:
    enum class Kind : std::uint8_t { Held, HeldNext, Linear, Cubic };

    /// From an "AnimationCurve". Keys that are out of order or not finite are skipped.
    explicit Curve(const Object& object);

    [[nodiscard]] bool isEmpty() const { return m_keys.empty(); }
    [[nodiscard]] double at(double seconds) const; ///< precondition: not empty
    [[nodiscard]] std::size_t size() const { return m_keys.size(); }
    [[nodiscard]] double timeOf(std::size_t key) const { return m_keys[key].time; }
    [[nodiscard]] bool isHeld() const;                     ///< never interpolates between two keys
    [[nodiscard]] bool isConstant() const;                 ///< has one value
    [[nodiscard]] bool goesOn() const { return m_goesOn; } ///< beyond its ends, in cycles for example

private:
    struct Key
    {
        double time = 0, value = 0;
        Kind kind = Kind::Linear;
        double slopeIn = 0, slopeOut = 0;             ///< per second
        double weightIn = kUsual, weightOut = kUsual; ///< relative to the distance to the next key
    };
    static constexpr double kUsual = 1.0 / 3;

    void setAutomaticSlopes(const std::vector<std::uint32_t>& flags);

    std::vector<Key> m_keys;
    bool m_goesOn = false;
};

} // namespace tendon::fbx

#include "core/io/readers/fbx/FbxCurve.h"

#include "core/io/formats/fbx/FbxTime.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tendon::fbx {
namespace {

// KeyAttrFlags of the format
constexpr std::uint32_t kHeldFlag = 0x2, kCubicFlag = 0x8, kHeldNextFlag = 0x100;
constexpr std::uint32_t kTcbFlag = 0x200, kUserFlag = 0x400;
constexpr std::uint32_t kClampFlag = 0x1000, kTimeIndependentFlag = 0x2000, kProgressiveFlag = 0x4000;
constexpr std::uint32_t kWeightedOutFlag = 0x01000000, kWeightedNextInFlag = 0x02000000;
constexpr double kClampNear = 0.001; ///< values nearer than this are one to a clamped tangent

/// u of the Bezier x(u) = 3 (1-u)^2 u a + 3 (1-u) u^2 b + u^3 at which x(u) = t; a, b in 0 ... 1, so x grows with u.
double parameterAt(double a, double b, double t)
{
    double low = 0, high = 1, u = t;
    for (int i = 0; i < 60; ++i) {
        const double v = 1 - u;
        const double x = 3 * v * v * u * a + 3 * v * u * u * b + u * u * u - t;
        if (std::abs(x) < 1e-14) break;
        (x > 0 ? high : low) = u;
        const double slope = 3 * v * v * a + 6 * v * u * (b - a) + 3 * u * u * (1 - b);
        const double step = u - x / slope;
        u = slope > 1e-9 && step > low && step < high ? step : 0.5 * (low + high);
    }
    return u;
}

/// How a curve goes on before its first or after its last key: 'C' holds that key's value.
bool isExtrapolated(const Record& curve, std::string_view end)
{
    const Record* record = curve.find(end);
    const Record* type = record == nullptr ? nullptr : record->find("Type");
    if (type == nullptr || type->properties.empty()) return false;
    const std::string_view text = type->textAt(0);
    const std::int64_t letter = text.empty() ? type->integerAt(0) : text.front();
    return letter != 0 && letter != 'C';
}

} // namespace

Curve::Curve(const Object& object)
{
    const Record& record = object.record();
    m_goesOn = isExtrapolated(record, "Pre-Extrapolation") || isExtrapolated(record, "Post-Extrapolation");
    const auto list = [&](const char* name) {
        const Record* found = record.find(name);
        return found == nullptr ? std::vector<double>() : found->numbers();
    };
    const std::vector<double> times = list("KeyTime"), values = list("KeyValueFloat"), flags = list("KeyAttrFlags");
    const std::vector<double> counts = list("KeyAttrRefCount");
    std::vector<double> data = list("KeyAttrDataFloat");
    data.resize(4 * flags.size(), 0);
    // Attributes stand once for runs of keys that share them.
    std::vector<std::size_t> attributeOf;
    for (std::size_t a = 0; a < flags.size(); ++a) {
        const double count = a < counts.size() ? counts[a] : 0;
        const std::size_t left = times.size() - std::min(attributeOf.size(), times.size());
        attributeOf.resize(attributeOf.size() + (count > 0 ? std::min(left, static_cast<std::size_t>(count)) : 0), a);
    }
    std::vector<std::uint32_t> keyFlags;
    double nextSlope = 0, nextWeight = kUsual;
    for (std::size_t k = 0; k < std::min(times.size(), values.size()); ++k) {
        Key key{.time = times[k] / kTicksPerSecond, .value = values[k]};
        if (!std::isfinite(key.value) || !std::isfinite(key.time) ||
            (!m_keys.empty() && key.time <= m_keys.back().time))
            continue;
        std::uint32_t bits = 0;
        const double* slot = nullptr;
        if (k < attributeOf.size()) {
            bits = static_cast<std::uint32_t>(static_cast<std::int64_t>(flags[attributeOf[k]]));
            slot = data.data() + 4 * attributeOf[k];
        }
        key.slopeIn = nextSlope;
        key.weightIn = nextWeight;
        nextSlope = 0, nextWeight = kUsual;
        if (bits & kHeldFlag) {
            key.kind = bits & kHeldNextFlag ? Kind::HeldNext : Kind::Held;
        } else if (bits & kCubicFlag) {
            key.kind = Kind::Cubic;
            if (slot != nullptr && (bits & kTcbFlag) == 0) {
                key.slopeOut = std::isfinite(slot[0]) ? slot[0] : 0;
                nextSlope = std::isfinite(slot[1]) ? slot[1] : 0;
                // Two weights of four decimals each share a float; text files write it as the integer it is in bits.
                const auto packed = std::abs(slot[2]) >= 1
                                        ? static_cast<std::uint32_t>(static_cast<std::int64_t>(slot[2]))
                                        : std::bit_cast<std::uint32_t>(static_cast<float>(slot[2]));
                if (bits & kWeightedOutFlag) key.weightOut = std::clamp((packed & 0xffff) * 1e-4, 0.0, 1.0);
                if (bits & kWeightedNextInFlag) nextWeight = std::clamp((packed >> 16) * 1e-4, 0.0, 1.0);
            }
        }
        m_keys.push_back(key);
        keyFlags.push_back(bits);
    }
    setAutomaticSlopes(keyFlags);
}

/// Keys whose tangents are not the animator's: toward both neighbours, without overshooting where the file says so.
void Curve::setAutomaticSlopes(const std::vector<std::uint32_t>& flags)
{
    for (std::size_t k = 0; k < m_keys.size(); ++k) {
        Key& key = m_keys[k];
        if (key.kind != Kind::Cubic || (flags[k] & kUserFlag) != 0) continue;
        const bool isFirst = k == 0, isLast = k + 1 == m_keys.size();
        const Key& before = m_keys[isFirst ? k : k - 1];
        const Key& after = m_keys[isLast ? k : k + 1];
        double slope = 0;
        const bool isEnd = isFirst || isLast;
        if (!(isFirst && isLast) && !(isEnd && (flags[k] & kProgressiveFlag) != 0))
            slope = (after.value - before.value) / (after.time - before.time);
        if (!isEnd && (flags[k] & kTimeIndependentFlag) == 0) {
            const double in = (key.value - before.value) / (key.time - before.time);
            const double out = (after.value - key.value) / (after.time - key.time);
            const double share = (key.time - before.time) / (after.time - before.time);
            slope = 0.5 * (slope + in * (1 - share) + out * share);
        }
        const double nearest = std::min(isFirst ? HUGE_VAL : std::abs(before.value - key.value),
                                        isLast ? HUGE_VAL : std::abs(after.value - key.value));
        if ((flags[k] & kClampFlag) != 0 && nearest <= kClampNear) slope = 0;
        if (!isEnd && (flags[k] & kProgressiveFlag) != 0) {
            const double sign = slope < 0 ? -1 : 1;
            const double mostIn = sign * (key.value - before.value) / (key.weightIn * (key.time - before.time));
            const double mostOut = sign * (after.value - key.value) / (key.weightOut * (after.time - key.time));
            slope = sign * std::min({std::abs(slope), mostIn > 0 ? mostIn : 0, mostOut > 0 ? mostOut : 0});
        }
        key.slopeIn = key.slopeOut = slope;
    }
}

double Curve::at(double seconds) const
{
    const auto after = std::upper_bound(m_keys.begin(), m_keys.end(), seconds,
                                        [](double time, const Key& key) { return time < key.time; });
    if (after == m_keys.begin()) return m_keys.front().value;
    const Key& from = *(after - 1);
    if (after == m_keys.end() || from.time == seconds) return from.value;
    const Key& to = *after;
    const double span = to.time - from.time, t = (seconds - from.time) / span;
    switch (from.kind) {
    case Kind::Held: return from.value;
    case Kind::HeldNext: return to.value;
    case Kind::Linear: return from.value + t * (to.value - from.value);
    case Kind::Cubic: break;
    }
    const double u = parameterAt(from.weightOut, 1 - to.weightIn, t), v = 1 - u;
    const double out = from.value + from.weightOut * span * from.slopeOut;
    // The slope that arrives at a key that is not cubic itself is what the key before says.
    const double in = to.value - to.weightIn * span * to.slopeIn;
    return v * v * v * from.value + 3 * v * v * u * out + 3 * v * u * u * in + u * u * u * to.value;
}

bool Curve::isConstant() const
{
    return std::all_of(m_keys.begin(), m_keys.end(), [&](const Key& key) {
        return key.value == m_keys.front().value &&
               (key.kind != Kind::Cubic || (key.slopeIn == 0 && key.slopeOut == 0));
    });
}

bool Curve::isHeld() const
{
    return std::all_of(m_keys.begin(), m_keys.end(), [](const Key& key) { return key.kind == Kind::Held; });
}

} // namespace tendon::fbx

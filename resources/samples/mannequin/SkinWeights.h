#pragma once

#include "resources/samples/mannequin/Skeleton.h"

#include <vector>

namespace tendon::mannequin {

struct Influence
{
    int bone = 0; ///< index into skeleton()
    double weight = 0;
};

inline constexpr std::size_t kMaxInfluences = 4;

/// The weight of each bone at a point of the rest pose. Weights pass smoothly from bone to bone around a plane through
/// each joint that bisects the angle between its bones, so that a bend stretches both sides equally.
class SkinWeights
{
public:
    explicit SkinWeights(const Landmarks& landmarks);

    /// At most kMaxInfluences, heaviest first, summing to 1. `p` [m] anywhere on the body; hands have their own.
    [[nodiscard]] std::vector<Influence> onBody(const Vector3& p) const;
    [[nodiscard]] std::vector<Influence> onLeftHand(const Vector3& p) const;

private:
    void addTorso(const Vector3& p, double share, std::vector<double>& weights) const;
    void addArm(const Vector3& p, double share, const std::string& suffix, std::vector<double>& weights) const;
    void addLeg(const Vector3& p, double share, const std::string& suffix, std::vector<double>& weights) const;
    [[nodiscard]] double armShare(const Vector3& p) const;
    [[nodiscard]] double legShare(const Vector3& p) const;

    Landmarks m_marks;
};

} // namespace tendon::mannequin

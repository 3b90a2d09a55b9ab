#include "resources/samples/mannequin/SkinWeights.h"

#include <algorithm>
#include <cmath>

namespace tendon::mannequin {

namespace {

/// 0 below -width, 1 above +width, smooth between.
double smooth(double s, double width)
{
    const double t = std::clamp((s / width + 1) / 2, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

/// Share of what lies beyond a joint, for the plane halving the angle between the bones before and after it.
double beyondJoint(const Vector3& p, const Vector3& before, const Vector3& joint, const Vector3& after, double width)
{
    const Vector3 normal = ((joint - before).normalized() + (after - joint).normalized()).normalized();
    return smooth((p - joint).dot(normal), width);
}

double distanceToSegment(const Vector3& p, const Vector3& a, const Vector3& b)
{
    const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
    return (p - a - t * (b - a)).norm();
}

std::vector<Influence> heaviest(const std::vector<double>& weights)
{
    std::vector<Influence> all;
    for (std::size_t bone = 0; bone < weights.size(); ++bone)
        if (weights[bone] > 1e-3) all.push_back({static_cast<int>(bone), weights[bone]});
    std::stable_sort(all.begin(), all.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    if (all.size() > kMaxInfluences) all.resize(kMaxInfluences);
    double sum = 0;
    for (const Influence& influence : all) sum += influence.weight;
    for (Influence& influence : all) influence.weight /= sum;
    return all;
}

void give(std::vector<double>& weights, const std::string& bone, double weight)
{
    if (weight > 0) weights[static_cast<std::size_t>(boneNamed(bone))] += weight;
}

} // namespace

SkinWeights::SkinWeights(const Landmarks& landmarks) : m_marks(landmarks) {}

/// Of the left arm from the shoulder's plane on.
double SkinWeights::armShare(const Vector3& p) const
{
    const double distance = std::min(distanceToSegment(p, m_marks.shoulder, m_marks.elbow),
                                     distanceToSegment(p, m_marks.elbow, m_marks.knuckles));
    const double isNear = 1 - smooth(distance - 0.13, 0.03);
    const Vector3 normal = Vector3(0.92, -0.30, 0).normalized();
    return isNear * smooth((p - m_marks.shoulder - Vector3(0.004, 0, 0)).dot(normal), 0.060);
}

/// Of the left leg from the groin's plane on.
double SkinWeights::legShare(const Vector3& p) const
{
    const Vector3 normal = Vector3(0.52, -0.85, 0).normalized();
    const double isOnSide = smooth(p.x(), 0.022);
    const double isBelow = p.y() < 1.02 && std::abs(p.x()) < 0.24 ? 1 : 0;
    return isBelow * isOnSide * smooth((p - m_marks.hip - Vector3(0, 0.006, 0)).dot(normal), 0.062);
}

void SkinWeights::addTorso(const Vector3& p, double share, std::vector<double>& weights) const
{
    const double spine1 = smooth(p.y() - m_marks.spine1.y(), 0.05);
    const double spine2 = smooth(p.y() - m_marks.spine2.y(), 0.05);
    const double chest = smooth(p.y() - m_marks.chest.y() + 0.01, 0.05);
    const Vector3 neckNormal = Vector3(0, 0.95, 0.31).normalized(), headNormal = Vector3(0, 0.85, 0.52).normalized();
    const double neck = smooth((p - m_marks.neck).dot(neckNormal), 0.034) * (1 - smooth(std::abs(p.x()) - 0.085, 0.03));
    const double head = smooth((p - m_marks.head).dot(headNormal), 0.020);
    const double onClavicle = 0.8 * smooth(p.y() - 1.37, 0.06) * (1 - neck);
    const double left = onClavicle * smooth(p.x() - 0.095, 0.055), right = onClavicle * smooth(-p.x() - 0.095, 0.055);

    give(weights, "Hips", share * (1 - spine1));
    give(weights, "Spine1", share * spine1 * (1 - spine2));
    give(weights, "Spine2", share * spine2 * (1 - chest));
    give(weights, "Chest", share * chest * (1 - neck) * (1 - left - right));
    give(weights, "Clavicle_L", share * chest * left);
    give(weights, "Clavicle_R", share * chest * right);
    give(weights, "Neck", share * chest * neck * (1 - head));
    give(weights, "Head", share * chest * neck * head);
}

void SkinWeights::addArm(const Vector3& p, double share, const std::string& suffix, std::vector<double>& weights) const
{
    const double fore = beyondJoint(p, m_marks.shoulder, m_marks.elbow, m_marks.wrist, 0.038);
    const double hand = smooth((p - m_marks.wrist).dot(m_marks.handAlong), 0.020);
    give(weights, "UpperArm" + suffix, share * (1 - fore));
    give(weights, "Forearm" + suffix, share * fore * (1 - hand));
    give(weights, "Hand" + suffix, share * fore * hand);
}

void SkinWeights::addLeg(const Vector3& p, double share, const std::string& suffix, std::vector<double>& weights) const
{
    const double shin = beyondJoint(p, m_marks.hip, m_marks.knee, m_marks.ankle, 0.052);
    const double foot = smooth((p - m_marks.ankle - Vector3(0, 0.012, 0)).dot(Vector3(0, -1, 0.18).normalized()),
                               0.026);
    Vector3 along = m_marks.toe - m_marks.ankle;
    along.y() = 0;
    const double toe = smooth((p - m_marks.ball).dot(along.normalized()), 0.020);
    give(weights, "Thigh" + suffix, share * (1 - shin));
    give(weights, "Shin" + suffix, share * shin * (1 - foot));
    give(weights, "Foot" + suffix, share * shin * foot * (1 - toe));
    give(weights, "Toe" + suffix, share * shin * foot * toe);
}

std::vector<Influence> SkinWeights::onBody(const Vector3& p) const
{
    std::vector<double> weights(skeleton().size(), 0.0);
    const Vector3 image = mirrored(p);
    const double armLeft = armShare(p), armRight = armShare(image);
    const double rest = 1 - armLeft - armRight;
    const double legLeft = rest * legShare(p), legRight = rest * legShare(image);
    addArm(p, armLeft, "_L", weights);
    addArm(image, armRight, "_R", weights);
    addLeg(p, legLeft, "_L", weights);
    addLeg(image, legRight, "_R", weights);
    addTorso(p, rest - legLeft - legRight, weights);
    return heaviest(weights);
}

std::vector<Influence> SkinWeights::onLeftHand(const Vector3& p) const
{
    // Which finger: by nearness, softly, so that the webs between two move with both.
    constexpr double kSoftness = 0.0022; // [m]
    std::array<double, 5> nearness{};
    double sum = 0;
    double nearest = 1;
    std::array<double, 5> distance{};
    for (std::size_t f = 0; f < 5; ++f) {
        const auto& j = m_marks.fingers[f];
        distance[f] = std::min(
            {distanceToSegment(p, j[0], j[1]), distanceToSegment(p, j[1], j[2]), distanceToSegment(p, j[2], j[3])});
        nearest = std::min(nearest, distance[f]);
    }
    for (std::size_t f = 0; f < 5; ++f) sum += nearness[f] = std::exp(-(distance[f] - nearest) / kSoftness);

    std::vector<double> weights(skeleton().size(), 0.0);
    double onFingers = 0;
    for (std::size_t f = 0; f < 5; ++f) {
        const auto& j = m_marks.fingers[f];
        const bool isThumb = f == 0;
        const double along = (p - j[0]).dot((j[1] - j[0]).normalized());
        const double isBeyond = isThumb ? smooth(along - 0.010, 0.022) : smooth(along - 0.002, 0.011);
        const double first = (nearness[f] / sum) * isBeyond;
        const double second = beyondJoint(p, j[0], j[1], j[2], isThumb ? 0.010 : 0.0085);
        const double third = beyondJoint(p, j[1], j[2], j[3], 0.0075);
        const std::string name(kFingerNames[f]);
        give(weights, name + "1_L", first * (1 - second));
        give(weights, name + "2_L", first * second * (1 - third));
        give(weights, name + "3_L", first * second * third);
        onFingers += first;
    }
    const double hand = smooth((p - m_marks.wrist).dot(m_marks.handAlong), 0.020);
    give(weights, "Hand_L", (1 - onFingers) * hand);
    give(weights, "Forearm_L", (1 - onFingers) * (1 - hand));
    return heaviest(weights);
}

} // namespace tendon::mannequin

#include "resources/samples/mannequin/BodyShape.h"

namespace tendon::mannequin {

namespace {

/// A section as wide to the right as to the left.
Section even(double t, double side, double front, double back) { return {t, side, side, front, back}; }
Section round(double t, double radius) { return {t, radius, radius, radius, radius}; }

/// Both halves of a part off the centre line, so that it is smooth where they meet.
void addPair(Implicit& body, const Vector3& centre, const Vector3& radii, double blend)
{
    body.addEllipsoid(centre, radii, blend);
    body.addEllipsoid({-centre.x(), centre.y(), centre.z()}, radii, blend);
}

void addTorso(Implicit& body, const Landmarks& l)
{
    Loft torso;
    torso.begin = {0, 0.885, -0.004};
    torso.end = {0, 1.462, -0.014};
    torso.exponent = 2.25;
    torso.beginCap = 0.03;
    torso.endCap = 0.022;
    const auto at = [](double y) { return (y - 0.885) / (1.462 - 0.885); };
    torso.sections = {even(at(0.885), 0.100, 0.074, 0.080), even(at(0.935), 0.138, 0.094, 0.098),
                      even(at(0.985), 0.147, 0.101, 0.097), even(at(1.060), 0.133, 0.099, 0.079),
                      even(at(1.115), 0.126, 0.097, 0.073), even(at(1.180), 0.134, 0.103, 0.080),
                      even(at(1.260), 0.151, 0.113, 0.093), even(at(1.330), 0.163, 0.115, 0.100),
                      even(at(1.385), 0.158, 0.101, 0.098), even(at(1.425), 0.128, 0.078, 0.084),
                      even(at(1.462), 0.082, 0.054, 0.062)};
    body.addLoft(torso, 0);
    addPair(body, {0.074, 1.338, 0.050}, {0.086, 0.068, 0.055}, 0.06);  // chest muscles
    addPair(body, {0.082, 1.330, -0.070}, {0.074, 0.098, 0.044}, 0.06); // shoulder blades
    addPair(body, {0.070, 0.922, -0.050}, {0.080, 0.090, 0.068}, 0.07); // seat

    Loft neck;
    neck.begin = l.neck + Vector3(0, -0.03, 0.000);
    neck.end = l.head + Vector3(0, 0.03, 0.004);
    neck.sections = {even(0, 0.060, 0.054, 0.058), even(0.45, 0.053, 0.052, 0.054), even(1, 0.052, 0.053, 0.056)};
    body.addLoft(neck, 0.05);
    for (const double side : {1.0, -1.0}) { // from the neck down to the shoulders
        Loft slope;
        slope.begin = {side * 0.018, 1.492, -0.034};
        slope.end = {side * 0.165, 1.436, -0.018};
        slope.sections = {round(0, 0.038), round(0.5, 0.039), round(1, 0.044)};
        body.addLoft(slope, 0.06);
    }
}

void addHead(Implicit& body)
{
    body.addEllipsoid({0, 1.662, -0.004}, {0.0745, 0.0900, 0.0960}, 0.02); // cranium
    Loft face;
    face.begin = {0, 1.556, 0.040};
    face.end = {0, 1.690, 0.030};
    face.exponent = 2.2;
    face.beginCap = 0.026;
    face.endCap = 0.05;
    face.sections = {even(0, 0.032, 0.046, 0.060), even(0.3, 0.050, 0.052, 0.070), even(0.65, 0.062, 0.052, 0.080),
                     even(1, 0.064, 0.056, 0.080)};
    body.addLoft(face, 0.045);
    body.addEllipsoid({0, 1.618, 0.078}, {0.013, 0.034, 0.018},
                      0.03); // a hint of a nose, so that the head has a direction
}

void addLeg(Implicit& body, const Landmarks& l)
{
    Loft thigh;
    thigh.begin = l.hip + Vector3(-0.003, 0.02, 0);
    thigh.end = l.knee;
    thigh.sections = {{0, 0.080, 0.082, 0.080, 0.086},    {0.18, 0.081, 0.081, 0.083, 0.088},
                      {0.42, 0.073, 0.071, 0.077, 0.076}, {0.68, 0.059, 0.060, 0.063, 0.063},
                      {0.88, 0.050, 0.052, 0.054, 0.053}, {1, 0.048, 0.050, 0.053, 0.050}};
    thigh.beginCap = 0.06;
    thigh.endCap = 0.045;
    body.addLoft(thigh, 0.05);
    Loft shin;
    shin.begin = l.knee;
    shin.end = l.ankle;
    shin.sections = {{0, 0.048, 0.049, 0.052, 0.050},    {0.10, 0.049, 0.049, 0.049, 0.052},
                     {0.28, 0.052, 0.052, 0.044, 0.068}, {0.45, 0.047, 0.048, 0.041, 0.064},
                     {0.68, 0.037, 0.037, 0.036, 0.045}, {0.88, 0.031, 0.031, 0.032, 0.036},
                     {1, 0.033, 0.034, 0.034, 0.037}};
    shin.beginCap = 0.045;
    shin.endCap = 0.03;
    body.addLoft(shin, 0.02);
    body.addEllipsoid(l.knee + Vector3(0, 0.004, 0.034), {0.033, 0.042, 0.024}, 0.04); // kneecap
}

/// Along the foot: front of a section is up. The sole is flat from heel to ball and rises to the toe.
void addFoot(Implicit& body, const Landmarks& l)
{
    constexpr double kAxis = 0.030; // [m] height of the loft's axis above the sole
    Vector3 along = l.toe - l.ankle;
    along.y() = 0;
    along.normalize();
    Loft foot;
    foot.begin = Vector3(l.ankle.x(), kAxis, l.ankle.z()) - 0.036 * along;
    foot.end = foot.begin + 0.222 * along;
    foot.front = Vector3::UnitY();
    foot.exponent = 2.8;
    foot.beginCap = 0.030;
    foot.endCap = 0.030;
    //               t   inner  outer  up     down
    foot.sections = {{0, 0.031, 0.031, 0.040, 0.030},     {0.16, 0.034, 0.034, 0.062, 0.030},
                     {0.32, 0.034, 0.035, 0.058, 0.030},  {0.50, 0.037, 0.039, 0.042, 0.030},
                     {0.68, 0.043, 0.044, 0.027, 0.030},  {0.80, 0.045, 0.044, 0.019, 0.0295},
                     {0.92, 0.041, 0.037, 0.013, 0.0255}, {1, 0.034, 0.029, 0.009, 0.0215}};
    body.addLoft(foot, 0.03);
}

void addArm(Implicit& body, const Landmarks& l)
{
    body.addEllipsoid(l.shoulder + Vector3(0.008, -0.018, 0.002), {0.053, 0.078, 0.058}, 0.07, l.elbow - l.shoulder);
    Loft upper;
    upper.begin = l.shoulder;
    upper.end = l.elbow;
    upper.front = l.armFront;
    upper.sections = {round(0, 0.049),
                      {0.25, 0.047, 0.048, 0.050, 0.049},
                      {0.50, 0.043, 0.044, 0.048, 0.046},
                      {0.80, 0.037, 0.037, 0.038, 0.039},
                      {1, 0.036, 0.036, 0.035, 0.037}};
    upper.beginCap = 0.05;
    upper.endCap = 0.034;
    body.addLoft(upper, 0.022);
    Loft fore;
    fore.begin = l.elbow;
    fore.end = l.wrist;
    fore.front = l.armFront;
    fore.sections = {{0, 0.036, 0.036, 0.035, 0.037},
                     {0.22, 0.038, 0.038, 0.043, 0.040},
                     {0.45, 0.034, 0.034, 0.040, 0.037},
                     {0.75, 0.0255, 0.0255, 0.031, 0.030},
                     {1, 0.0205, 0.0205, 0.0265, 0.0265}};
    fore.beginCap = 0.034;
    fore.endCap = 0.022;
    body.addLoft(fore, 0.022);
}

} // namespace

Implicit bodyShape(const Landmarks& l)
{
    Implicit body;
    addTorso(body, l);
    addHead(body);
    addArm(body, l);
    addLeg(body, l);
    addFoot(body, l);
    return body;
}

Implicit handShape(const Landmarks& l)
{
    Implicit hand;
    Loft palm; // side = away from the palm's front: axis x thumb = palm
    palm.begin = l.wrist + 0.012 * l.handAlong;
    palm.end = l.wrist + 0.082 * l.handAlong;
    palm.front = l.handThumb;
    palm.exponent = 2.5;
    palm.sections = {{0, 0.0165, 0.0165, 0.024, 0.024},
                     {0.3, 0.0175, 0.0160, 0.030, 0.031},
                     {0.7, 0.0145, 0.0140, 0.038, 0.038},
                     {1, 0.0115, 0.0125, 0.040, 0.0375}};
    palm.beginCap = 0.012;
    palm.endCap = 0.014;
    hand.addLoft(palm, 0);
    constexpr double kRadius[] = {0.0104, 0.0086, 0.0089, 0.0085, 0.0077}; // [m] at the first joint
    for (std::size_t f = 0; f < 5; ++f) {
        for (std::size_t bone = 0; bone < 3; ++bone) {
            const double r = kRadius[f] * (1 - 0.085 * static_cast<double>(bone));
            Loft phalanx;
            phalanx.begin = l.fingers[f][bone];
            phalanx.end = l.fingers[f][bone + 1];
            if (bone == 2)
                phalanx.end -= 0.8 * r * (phalanx.end - phalanx.begin).normalized(); // the tip's cap reaches on
            phalanx.front = l.palmward[f];
            phalanx.sections = {round(0, r), round(0.5, r * 0.95), round(1, r * 0.90)};
            phalanx.beginCap = r;
            phalanx.endCap = r * 0.9;
            hand.addLoft(phalanx, bone == 0 ? (f == 0 ? 0.016 : 0.007) : 0.003);
        }
    }
    // ball of the thumb
    hand.addEllipsoid((l.fingers[0][0] * 0.45 + l.fingers[0][1] * 0.55), {0.0135, 0.026, 0.0135}, 0.016,
                      l.fingers[0][1] - l.fingers[0][0]);
    return hand;
}

} // namespace tendon::mannequin

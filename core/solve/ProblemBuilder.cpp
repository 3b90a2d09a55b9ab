#include "core/solve/ProblemBuilder.h"

#include "core/math/Convert.h"
#include "core/math/Interpolate.h"
#include "core/solve/Settings.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

constexpr std::size_t kBase = 8; ///< numbers per body in Problem::base

std::array<bool, 3> activeSlides(const Joint& joint)
{
    return {joint.sliding[0].active, joint.sliding[1].active, joint.sliding[2].active};
}

int count(const std::array<bool, 3>& flags) { return int(flags[0]) + int(flags[1]) + int(flags[2]); }

bool turnsAtAll(const Joint& joint)
{
    return joint.ball || joint.turning[0].active || joint.turning[1].active || joint.turning[2].active;
}

/// Centre of mass of a joint's drawn body, in joint space.
Vector3 centreOf(const Segment& segment)
{
    const bool standsOnJoint = segment.shape == Segment::Shape::Cylinder || segment.shape == Segment::Shape::Cone;
    const double share = segment.shape == Segment::Shape::Cone ? 0.25 : 0.5;
    const Vector3 inShape = standsOnJoint ? Vector3(0, share * segment.size.y(), 0) : Vector3::Zero();
    return segment.offset + segment.rotation * inShape;
}

/// One factor for a scale that should be the same along all axes.
double uniformScale(const Vector3& scale, bool& isUniform)
{
    if (scale.x() == scale.y() && scale.y() == scale.z() && scale.x() > 1e-9) return scale.x();
    const double mean = std::cbrt(std::abs(scale.x() * scale.y() * scale.z()));
    constexpr double kRounding = 1e-6; // of files that hold numbers in single precision
    isUniform = mean > 1e-9 && (scale / mean - Vector3::Ones()).cwiseAbs().maxCoeff() < kRounding;
    return mean > 1e-9 ? mean : 1;
}

Vector3 rotationVector(const Quaternion& q)
{
    const Eigen::AngleAxisd turn(q);
    return turn.angle() * turn.axis();
}

int axisOf(Property property, Property first) { return static_cast<int>(property) - static_cast<int>(first); }

} // namespace

JointSettings settingsOf(const SolverInfo& solver)
{
    return {.ease = isUsed(Setting::Ease, solver),
            .damping = isUsed(Setting::Damping, solver),
            .spring = isUsed(Setting::SpringTension, solver),
            .preferredAngle = isUsed(Setting::PreferredAngle, solver),
            .stiffness = isUsed(Setting::Stiffness, solver),
            .precedence = isUsed(Setting::Precedence, solver)};
}

ProblemBuilder::ProblemBuilder(std::shared_ptr<const CompiledRig> rig, std::vector<SolveJoint> joints,
                               JointSettings settings)
    : m_rig(std::move(rig)), m_joints(std::move(joints)), m_settings(settings), m_bodyOfPlace(m_joints.size()),
      m_firstOfPlace(m_joints.size())
{
    for (std::size_t place = 0; place < m_joints.size(); ++place) {
        const JointIndex parent = m_rig->parent[static_cast<std::size_t>(m_joints[place].joint)];
        std::int32_t parentBody = bodyOf(parent);
        if (parentBody < 0 && parent >= 0) parentBody = addCarrier(place);
        m_bodyOfPlace[place] = addJoint(place, parentBody);
    }
    m_model = m_arrays.view();
    m_carriesOthers.assign(m_bodies.size(), false);
    for (const std::int32_t parent : m_arrays.parent)
        if (parent >= 0) m_carriesOthers[static_cast<std::size_t>(parent)] = true;
    m_base.assign(m_bodies.size() * kBase, 0);
    m_seed = m_arrays.neutral();
    m_previous = m_seed;
    m_locked.assign(m_dofs.size(), 0);

    describePoses();
}

/// The poses that a solver may lean towards. Rest: nothing turned, slides where they were built. Natural: the preferred
/// angles, which are the rest pose's where none are set.
void ProblemBuilder::describePoses()
{
    m_posture = m_natural = m_arrays.neutral();
    for (std::size_t body = 0; body < m_bodies.size(); ++body) {
        const auto begin = static_cast<std::size_t>(m_arrays.vBegin[body]),
                   end = static_cast<std::size_t>(m_arrays.vBegin[body + 1]);
        const auto q = static_cast<std::size_t>(m_arrays.qBegin[body]);
        const std::size_t singles = m_arrays.singlesEnd(body);
        for (std::size_t v = begin; v < singles; ++v) { // slides come first in q as in v
            m_natural[q + v - begin] = m_arrays.preferred[v];
            if (m_dofs[v].property > Property::Tz) continue;
            const Vector3& rest = m_rig->rest[static_cast<std::size_t>(m_dofs[v].joint)].translation;
            m_posture[q + v - begin] = rest[axisOf(m_dofs[v].property, Property::Tx)];
        }
        if (singles == end) continue;
        const Vector3 preferred = toVector(&m_arrays.preferred[singles]);
        if (preferred.isZero(0)) continue;
        writeNumbers(Quaternion(Eigen::AngleAxisd(preferred.norm(), preferred.normalized())),
                     &m_natural[q + singles - begin]);
    }
}

std::optional<std::size_t> ProblemBuilder::placeOf(JointIndex joint) const
{
    const auto found = std::lower_bound(m_joints.begin(), m_joints.end(), joint,
                                        [](const SolveJoint& a, JointIndex b) { return a.joint < b; });
    if (found == m_joints.end() || found->joint != joint) return std::nullopt;
    return static_cast<std::size_t>(found - m_joints.begin());
}

std::int32_t ProblemBuilder::bodyOf(JointIndex joint) const
{
    const auto place = placeOf(joint);
    return place ? m_bodyOfPlace[*place] : -1;
}

std::int32_t ProblemBuilder::firstBodyOf(JointIndex joint) const
{
    const auto place = placeOf(joint);
    return place ? m_firstOfPlace[*place] : -1;
}

bool ProblemBuilder::isFree(const AxisFreedom& axis) const
{
    return axis.active && !axis.limited && (axis.ease == 0 || !m_settings.ease) &&
           (axis.damping == 0 || !m_settings.damping) && (axis.springTension == 0 || !m_settings.spring);
}

bool ProblemBuilder::turnsFreely(const Joint& joint) const
{
    return !joint.ball && std::all_of(joint.turning.begin(), joint.turning.end(),
                                      [this](const AxisFreedom& axis) { return isFree(axis); });
}

std::int32_t ProblemBuilder::addCarrier(std::size_t place)
{
    m_bodies.push_back({Part::Carrier, place, 0});
    return m_arrays.addBody(-1, sdk::JointKind::Fixed);
}

std::int32_t ProblemBuilder::addJoint(std::size_t place, std::int32_t parentBody)
{
    const Joint& joint = m_rig->authored[static_cast<std::size_t>(m_joints[place].joint)];
    m_firstOfPlace[place] = static_cast<std::int32_t>(m_bodies.size());
    const std::array<bool, 3> slides = activeSlides(joint);
    const bool isMovable = m_joints[place].isMovable;
    const bool slidesFreely = std::all_of(joint.sliding.begin(), joint.sliding.end(),
                                          [this](const AxisFreedom& axis) { return isFree(axis); });

    if (!isMovable || (count(slides) == 0 && !turnsAtAll(joint)))
        return addFrom(place, Part::Whole, parentBody, sdk::JointKind::Fixed, {}, false);
    if (turnsFreely(joint) && slidesFreely)
        return addFrom(place, Part::Whole, parentBody, sdk::JointKind::Free, slides, true);
    if (count(slides) == 0 && (joint.ball || turnsFreely(joint)))
        return addFrom(place, Part::Whole, parentBody, sdk::JointKind::Ball, {}, true);
    if (joint.ball) {
        const auto kind = count(slides) == 1 ? sdk::JointKind::Prismatic : sdk::JointKind::Axes;
        const std::int32_t slider = addFrom(place, Part::Slides, parentBody, kind, slides, false);
        return addFrom(place, Part::Ball, slider, sdk::JointKind::Ball, {}, true);
    }
    if (count(slides) == 1 && !turnsAtAll(joint))
        return addFrom(place, Part::Whole, parentBody, sdk::JointKind::Prismatic, slides, false);
    return addFrom(place, Part::Whole, parentBody, sdk::JointKind::Axes, slides, turnsAtAll(joint));
}

std::int32_t ProblemBuilder::addFrom(std::size_t place, Part part, std::int32_t parentBody, sdk::JointKind kind,
                                     const std::array<bool, 3>& slides, bool turns)
{
    const JointIndex index = m_joints[place].joint;
    const Joint& joint = m_rig->authored[static_cast<std::size_t>(index)];
    const bool hasQuaternion = sdk::traits(kind).hasQuaternion;
    std::vector<ModelDof> dofs;
    const auto addDof = [&](sdk::DofKind dofKind, int axis, const AxisFreedom& freedom, Property property,
                            bool isLocked) {
        ModelDof dof{.kind = dofKind, .axis = {0, 0, 0}};
        dof.axis[static_cast<std::size_t>(axis)] = 1;
        if (freedom.limited && !isLocked) {
            dof.lower = freedom.lower();
            dof.upper = freedom.upper();
        }
        dofs.push_back(dof);
        m_dofs.push_back({index, property, isLocked});
    };
    for (int axis = 0; axis < 3; ++axis)
        if (slides[static_cast<std::size_t>(axis)])
            addDof(sdk::DofKind::Sliding, axis, joint.sliding[static_cast<std::size_t>(axis)],
                   offsetBy(Property::Tx, axis), false);
    const auto slideCount = static_cast<std::uint8_t>(dofs.size());
    if (turns)
        for (int k = 0; k < 3; ++k) {
            const int axis = hasQuaternion ? k : productOrder(joint.rotationOrder)[static_cast<std::size_t>(k)];
            const AxisFreedom& freedom = joint.turning[static_cast<std::size_t>(axis)];
            addDof(sdk::DofKind::Turning, axis, freedom, offsetBy(Property::Rx, axis),
                   !hasQuaternion && !freedom.active);
        }
    m_bodies.push_back({part, place, slideCount});
    const std::int32_t body = m_arrays.addBody(parentBody, kind, hasQuaternion ? std::span<const ModelDof>() : dofs);
    describeDofs(static_cast<std::size_t>(body), joint);
    describeBody(static_cast<std::size_t>(body), joint);
    return body;
}

void ProblemBuilder::describeDofs(std::size_t body, const Joint& joint)
{
    const bool hasQuaternion = sdk::traits(m_arrays.kind[body]).hasQuaternion;
    const Vector3 angles = m_settings.preferredAngle ? joint.preferredAngle : Vector3(Vector3::Zero());
    const Vector3 preferred = hasQuaternion ? rotationVector(rotationFromAngles(angles, joint.rotationOrder)) : angles;
    for (auto v = static_cast<std::size_t>(m_arrays.vBegin[body]);
         v < static_cast<std::size_t>(m_arrays.vBegin[body + 1]); ++v) {
        const Property property = m_dofs[v].property;
        const bool isSlide = property <= Property::Tz;
        const int axis = axisOf(property, isSlide ? Property::Tx : Property::Rx);
        const AxisFreedom& freedom = (isSlide ? joint.sliding : joint.turning)[static_cast<std::size_t>(axis)];
        const double wish = isSlide ? joint.rest.translation[axis] : preferred[axis];
        m_arrays.stiffness[v] = m_settings.stiffness ? joint.stiffness : 0;
        m_arrays.preferred[v] = std::clamp(wish, m_arrays.lower[v], m_arrays.upper[v]);
        if (joint.ball && !isSlide) continue; // its axes' other settings do not count
        m_arrays.damping[v] = m_settings.damping ? freedom.damping : 0;
        m_arrays.ease[v] = freedom.limited && m_settings.ease ? freedom.ease : 0;
        if (!m_settings.spring) continue;
        m_arrays.springRest[v] = freedom.springBack.value_or(0);
        m_arrays.springTension[v] = freedom.springBack ? freedom.springTension : 0;
    }
}

void ProblemBuilder::describeBody(std::size_t body, const Joint& joint)
{
    m_arrays.precedence[body] = m_settings.precedence ? joint.precedence : 0;
    m_arrays.mass[body] = joint.segment.mass;
    writeNumbers(centreOf(joint.segment), &m_arrays.centre[3 * body]);
    if (m_arrays.kind[body] != sdk::JointKind::Ball || !joint.ball) return;
    m_arrays.ballAxis[body] = static_cast<sdk::Axis>(joint.ball->twistAxis);
    if (joint.ball->swing)
        std::copy(joint.ball->swing->begin(), joint.ball->swing->end(), &m_arrays.ballSwing[4 * body]);
    if (joint.ball->twist) {
        const auto [from, to] = *joint.ball->twist;
        m_arrays.ballTwist[2 * body] = std::min(from, to);
        m_arrays.ballTwist[2 * body + 1] = std::max(from, to);
    }
}

void ProblemBuilder::setPose(const LocalPose& local, const ModelPose& model)
{
    m_isDistorted = false;
    for (std::size_t body = 0; body < m_bodies.size(); ++body) {
        if (m_bodies[body].part == Part::Carrier) {
            setCarrier(body, model);
            continue;
        }
        setBody(body, local);
        readCoordinates(body, local, m_seed);
    }
    m_hasPrevious = false;
    for (std::size_t v = 0; v < m_dofs.size(); ++v) m_locked[v] = m_dofs[v].isAlwaysLocked ? 1 : 0;
}

void ProblemBuilder::setCarrier(std::size_t body, const ModelPose& model)
{
    const auto top = static_cast<std::size_t>(m_joints[m_bodies[body].place].joint);
    const Similarity placed = nearestSimilarity(model.modelFromJoint[static_cast<std::size_t>(m_rig->parent[top])]);
    m_isDistorted = m_isDistorted || !placed.isExact;
    double* base = &m_base[kBase * body];
    writeNumbers(placed.translation, base);
    writeNumbers(placed.rotation, base + 3);
    base[7] = placed.scale;
}

void ProblemBuilder::setBody(std::size_t body, const LocalPose& local)
{
    const BodySource& source = m_bodies[body];
    const auto joint = static_cast<std::size_t>(m_joints[source.place].joint);
    const LocalTransform& at = local.joints[joint];
    Vector3 translation = source.part == Part::Ball ? Vector3::Zero() : at.translation;
    const auto v = static_cast<std::size_t>(m_arrays.vBegin[body]);
    for (std::size_t k = 0; k < source.slides; ++k) translation[axisOf(m_dofs[v + k].property, Property::Tx)] = 0;
    const bool turns = static_cast<std::size_t>(m_arrays.vBegin[body + 1]) > v + source.slides;

    double* base = &m_base[kBase * body];
    writeNumbers(translation, base);
    if (source.part == Part::Slides)
        writeNumbers(Quaternion::Identity(), base + 3);
    else
        writeNumbers(turns ? m_rig->rest[joint].rotation : unitQuaternion(at.rotation), base + 3);
    bool isUniform = true;
    base[7] = source.part == Part::Slides ? 1 : uniformScale(at.scale, isUniform);
    // The last joint's own scale reaches nothing but its children, which the solve does not see.
    m_isDistorted = m_isDistorted || (!isUniform && m_carriesOthers[body]);
}

void ProblemBuilder::setPrevious(const LocalPose& local)
{
    for (std::size_t body = 0; body < m_bodies.size(); ++body)
        if (m_bodies[body].part != Part::Carrier) readCoordinates(body, local, m_previous);
    m_hasPrevious = true;
}

/// The coordinates of a body in a pose, into their place in a whole configuration.
void ProblemBuilder::readCoordinates(std::size_t body, const LocalPose& local, std::vector<double>& coordinates) const
{
    const BodySource& source = m_bodies[body];
    const auto joint = static_cast<std::size_t>(m_joints[source.place].joint);
    double* q = coordinates.data() + m_arrays.qBegin[body];
    const auto begin = static_cast<std::size_t>(m_arrays.vBegin[body]),
               end = static_cast<std::size_t>(m_arrays.vBegin[body + 1]);
    for (std::size_t k = 0; k < source.slides; ++k)
        q[k] = local.joints[joint].translation[axisOf(m_dofs[begin + k].property, Property::Tx)];
    if (sdk::traits(m_arrays.kind[body]).hasQuaternion) {
        Quaternion motion = unitQuaternion(m_rig->rest[joint].rotation.conjugate() * local.joints[joint].rotation);
        if (motion.w() < 0) motion.coeffs() *= -1;
        writeNumbers(motion, q + source.slides);
        return;
    }
    for (std::size_t v = begin + source.slides; v < end; ++v)
        q[v - begin] = local.angles[joint][axisOf(m_dofs[v].property, Property::Rx)];
}

void ProblemBuilder::lockTurning(std::size_t place)
{
    for (auto body = static_cast<std::size_t>(m_firstOfPlace[place]);
         body <= static_cast<std::size_t>(m_bodyOfPlace[place]); ++body)
        for (auto v = static_cast<std::size_t>(m_arrays.vBegin[body]) + m_bodies[body].slides;
             v < static_cast<std::size_t>(m_arrays.vBegin[body + 1]); ++v)
            m_locked[v] = 1;
}

void ProblemBuilder::lock(std::size_t place)
{
    const auto first = static_cast<std::size_t>(m_firstOfPlace[place]),
               last = static_cast<std::size_t>(m_bodyOfPlace[place]);
    for (auto v = static_cast<std::size_t>(m_arrays.vBegin[first]);
         v < static_cast<std::size_t>(m_arrays.vBegin[last + 1]); ++v)
        m_locked[v] = 1;
}

sdk::Problem ProblemBuilder::problem() const
{
    sdk::Problem problem;
    problem.base = m_base;
    problem.seed = m_seed;
    problem.posture = m_posture;
    problem.natural = m_natural;
    if (m_hasPrevious) problem.previous = m_previous;
    problem.locked = m_locked;
    return problem;
}

bool ProblemBuilder::isUnchanged(std::size_t body, std::span<const double> q) const
{
    const auto begin = static_cast<std::size_t>(m_arrays.qBegin[body]),
               end = static_cast<std::size_t>(m_arrays.qBegin[body + 1]);
    return std::equal(q.begin() + static_cast<std::ptrdiff_t>(begin), q.begin() + static_cast<std::ptrdiff_t>(end),
                      m_seed.begin() + static_cast<std::ptrdiff_t>(begin));
}

void ProblemBuilder::write(std::span<const double> q, std::span<const double> stretch, std::span<const double> blend,
                           LocalPose& local) const
{
    for (std::size_t body = 0; body < m_bodies.size(); ++body) {
        const BodySource& source = m_bodies[body];
        if (source.part == Part::Carrier || blend[source.place] <= 0) continue;
        const double factor = stretch.empty() ? 1 : stretch[body];
        if (factor == 1 && isUnchanged(body, q)) continue;
        writeBody(body, q.data() + m_arrays.qBegin[body], factor, std::min(blend[source.place], 1.0), local);
    }
}

void ProblemBuilder::writeBody(std::size_t body, const double* q, double stretch, double blend, LocalPose& local) const
{
    const BodySource& source = m_bodies[body];
    const auto joint = static_cast<std::size_t>(m_joints[source.place].joint);
    const auto begin = static_cast<std::size_t>(m_arrays.vBegin[body]);
    Vector3& translation = local.joints[joint].translation;

    if (stretch != 1) {
        std::array<bool, 3> slides{};
        for (std::size_t k = 0; k < source.slides; ++k)
            slides[static_cast<std::size_t>(axisOf(m_dofs[begin + k].property, Property::Tx))] = true;
        for (int axis = 0; axis < 3; ++axis)
            if (!slides[static_cast<std::size_t>(axis)]) translation[axis] *= 1 + blend * (stretch - 1);
    }
    for (std::size_t k = 0; k < source.slides; ++k) {
        double& value = translation[axisOf(m_dofs[begin + k].property, Property::Tx)];
        value = blend == 1 ? q[k] : value + blend * (q[k] - value);
    }
    if (static_cast<std::size_t>(m_arrays.vBegin[body + 1]) > begin + source.slides)
        writeTurning(body, q + source.slides, blend, local);
}

void ProblemBuilder::writeTurning(std::size_t body, const double* q, double blend, LocalPose& local) const
{
    const BodySource& source = m_bodies[body];
    const auto joint = static_cast<std::size_t>(m_joints[source.place].joint);
    const Quaternion& rest = m_rig->rest[joint].rotation;
    Quaternion& rotation = local.joints[joint].rotation;
    Vector3& angles = local.angles[joint];
    const auto begin = static_cast<std::size_t>(m_arrays.vBegin[body]) + source.slides;
    const auto end = static_cast<std::size_t>(m_arrays.vBegin[body + 1]);

    if (sdk::traits(m_arrays.kind[body]).hasQuaternion) {
        if (std::equal(q, q + 4, m_seed.data() + m_arrays.qBegin[body] + source.slides)) return;
        rotation = slerp(rotation, unitQuaternion(rest * toQuaternion(q)), blend);
        angles = anglesFromRotation(rest.conjugate() * rotation, m_rig->order[joint], Vector3::Zero());
        local.isReadOff[joint] = 1;
        return;
    }
    Vector3 solved = angles;
    for (std::size_t v = begin; v < end; ++v) {
        double& angle = solved[axisOf(m_dofs[v].property, Property::Rx)];
        angle = blend == 1 ? q[v - begin] : angle + blend * (q[v - begin] - angle);
    }
    if (solved == angles) return;
    angles = solved;
    rotation = rest * rotationFromAngles(angles, m_rig->order[joint]);
}

} // namespace tendon

#include "solvers/spline/SplineSolver.h"

#include <tendon/kit/NearestInLimits.h>

#include <algorithm>
#include <cmath>

namespace tendon {

using kit::Quaternion;
using kit::Vector3;
using spline::CurveMarch;

namespace {

constexpr double kOnCurve = 1e-6; ///< of the bone: a joint this near to its place is there
constexpr double kNoBone = 1e-9;  ///< of the chain: a shorter bone is none, and its direction is what rounding leaves
constexpr int kMaxAims = 30;      ///< of one joint whose limits or few axes get in the way
constexpr int kMaxTries = 60;     ///< of a stretch
constexpr double kEnd = 1e-12;    ///< [m] the chain's end is at the curve's end

/// Whether the solve may turn the body.
bool turns(const kit::SolverRun& run, int body)
{
    const sdk::Model& model = run.model();
    bool isAny = false;
    for (int v = model.vBegin[body]; v < model.vBegin[body + 1]; ++v)
        isAny |= run.isMovable(v) && model.dofKind[v] == sdk::DofKind::Turning;
    return isAny;
}

/// The stretch between 1 and `most` with which the chain's end is at the curve's end, by the Illinois method. `excess`:
/// how far it is behind the curve's end with a stretch [m], below 0 at 1 and above 0 at `most`.
template <typename Excess>
double stretchBetween(double atOne, double atMost, double most, const Excess& excess)
{
    double shorter = 1, longer = most;
    int lastSide = 0;
    for (int i = 0; i < kMaxTries; ++i) {
        const double between = longer - atMost * (longer - shorter) / (atMost - atOne);
        if (!(between > shorter && between < longer)) break;
        const double value = excess(between);
        if (std::abs(value) <= kEnd) return between;
        const int side = value < 0 ? -1 : 1;
        (side < 0 ? shorter : longer) = between;
        (side < 0 ? atOne : atMost) = value;
        if (side == lastSide) (side < 0 ? atMost : atOne) *= 0.5;
        lastSide = side;
    }
    return longer;
}

Quaternion about(const Vector3& unitAxis, double angle) { return kit::expMap(Vector3(unitAxis * angle)); }

} // namespace

SplineSolver::SplineSolver()
{
    using sdk::JointKind;
    declare({.jointKinds = kit::bits(JointKind::Fixed, JointKind::Revolute, JointKind::Prismatic, JointKind::Universal,
                                     JointKind::Ball, JointKind::Axes, JointKind::Free),
             .goalKinds = 0,
             .manyGoals = false,
             .curve = true,
             .stretch = true});
    declareEnum("root", 0, 2);
}

sdk::Status SplineSolver::onPrepare(const sdk::Model& model, std::int32_t maxGoals)
{
    (void)maxGoals;
    const auto n = static_cast<std::size_t>(model.bodyCount);
    m_rootOnCurve = parameter("root") == 0;
    m_path.reserve(n);
    m_links.reserve(n);
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    m_base.assign(kit::kBaseStride * n, 0);
    m_frames.assign(n, {});
    return sdk::Status::Converged;
}

bool SplineSolver::supports(const kit::SolverRun& run) const
{
    const sdk::Curve curve = sdk::read(run.problem().curve);
    return curve.startBody < curve.endBody; // a bone at least
}

void SplineSolver::run(kit::SolverRun& run)
{
    const sdk::Curve curve = sdk::read(run.problem().curve);
    run.evaluate();
    std::copy(run.q().begin(), run.q().end(), m_q.begin());
    std::copy(run.problem().base.begin(), run.problem().base.end(), m_base.begin());
    std::copy(run.frames().begin(), run.frames().end(), m_frames.begin());
    findPath(run, curve);
    if (m_links.empty()) {
        run.stopUnfinished(sdk::Status::Stalled);
        return;
    }

    // The root, and the curve that begins at it.
    kit::BSpline shape(curve.points);
    const Vector3 rootPlace = CurveMarch(shape).placeAt(curve.offset).point;
    const bool isRootBlocked = m_rootOnCurve && !slideRoot(run, rootPlace);
    takeRest(run);
    if (curve.offset == 0) shape.beginAt(m_frames[static_cast<std::size_t>(m_links.front().body)].position);
    const CurveMarch march(shape);
    const CurveMarch::Place start = march.placeAt(curve.offset);

    Fit fit = layAlong(run, curve, march, start);
    double stretch = 1;
    if (fit.excess < 0 && run.problem().maxStretch > 1) {
        stretch = run.problem().maxStretch;
        const auto laid = [&](double factor) {
            setStretch(run, factor);
            return layAlong(run, curve, march, start);
        };
        const double atRest = fit.excess;
        fit = laid(stretch);
        if (fit.excess > 0) {
            stretch = stretchBetween(atRest, fit.excess, stretch, [&](double factor) { return laid(factor).excess; });
            fit = laid(stretch);
        }
    }
    for (std::size_t i = 1; i < m_path.size(); ++i) run.setStretch(m_path[i], stretch);

    run.accept(m_q);
    run.setCurveMiss(std::max(fit.miss, fit.beyond));
    const bool isOn = fit.bones <= kOnCurve && !isRootBlocked;
    if (!isOn)
        run.stopUnfinished(isAtLimit(run) ? sdk::Status::LimitsBlock : sdk::Status::Stalled);
    else if (fit.beyond > kOnCurve * m_links.back().length)
        run.stopUnfinished(sdk::Status::Unreachable);
    else
        run.stop(sdk::Status::Converged);
}

void SplineSolver::findPath(const kit::SolverRun& run, const sdk::Curve& curve)
{
    m_path.clear();
    m_links.clear();
    for (int b = curve.endBody; b > curve.startBody; b = run.model().parent[b]) m_path.push_back(b);
    m_path.push_back(curve.startBody);
    std::reverse(m_path.begin(), m_path.end());
    for (const int body : m_path) {
        if (!m_links.empty()) m_links.back().next = curve.endBody;
        if (body == curve.endBody || !turns(run, body)) continue;
        if (!m_links.empty()) m_links.back().next = body;
        Link link;
        link.body = body;
        m_links.push_back(link); // within the capacity of prepare()
    }
}

/// Moves the chain's first joint to `place` by its slides, as near as they allow. False when their limits keep it away;
/// slides that are not there leave the joint where it is.
bool SplineSolver::slideRoot(const kit::SolverRun& run, const Vector3& place)
{
    const sdk::Model& model = run.model();
    const int body = m_path.front(), begin = model.vBegin[body], slides = kit::slidingDofs(model, body);
    double* own = m_q.data() + model.qBegin[body];
    const int parent = model.parent[body];
    const kit::Frame<double> frame = parent < 0 ? kit::Frame<double>() : m_frames[static_cast<std::size_t>(parent)];
    const Vector3 wanted = frame.rotation.conjugate() * (place - frame.position) / frame.scale -
                           kit::vectorAt(&m_base[kit::kBaseStride * static_cast<std::size_t>(body)]);
    bool isHeld = false;
    for (int round = 0; round < (slides > 1 ? 20 : 1); ++round) { // one round where the axes are square
        isHeld = false;
        for (int k = 0; k < slides; ++k) {
            const int v = begin + k;
            if (!run.isMovable(v)) continue;
            const Vector3 axis = kit::vectorAt(&model.axis[3 * v]);
            const double free = own[k] + axis.dot(wanted - kit::slide(model, body, own));
            own[k] = std::clamp(free, model.lower[v], model.upper[v]);
            isHeld |= own[k] != free;
        }
    }
    return !isHeld;
}

/// Reads the bones' lengths, and how the rest pose turns the joints apart from its bends. The rest pose hangs from
/// where the chain's parent is now.
void SplineSolver::takeRest(const kit::SolverRun& run)
{
    const sdk::Model& model = run.model();
    const std::span<const double> posture = run.problem().posture;
    for (const Link& link : m_links) {
        if (posture.empty()) break;
        const int q = model.qBegin[link.body], v = model.vBegin[link.body], singles = kit::singleDofs(model, link.body);
        for (int k = kit::slidingDofs(model, link.body); k < singles; ++k)
            if (run.isMovable(v + k)) m_q[static_cast<std::size_t>(q + k)] = posture[q + k];
        if (kit::traitsOf(model, link.body).hasQuaternion)
            std::copy_n(posture.begin() + q + singles, 4, m_q.begin() + q + singles);
    }
    updateFrames(run, m_path.front(), m_path.back());

    double chain = 0;
    for (Link& link : m_links) {
        const kit::Frame<double>& frame = m_frames[static_cast<std::size_t>(link.body)];
        const Vector3 bone = m_frames[static_cast<std::size_t>(link.next)].position - frame.position;
        link.bone = frame.rotation.conjugate() * bone;
        link.length = bone.norm();
        link.restDirection = bone;
        chain += link.length;
    }
    Vector3 firstDirection = Vector3::Zero();
    for (Link& link : m_links) {
        link.length = link.length > kNoBone * chain ? link.length : 0;
        link.restDirection = link.length > 0 ? Vector3(link.restDirection / link.length) : Vector3(Vector3::Zero());
        if (firstDirection.isZero(0)) firstDirection = link.restDirection;
    }

    Quaternion bends = Quaternion::Identity(); // takes the first bone's direction to the present one's
    double before = 0;
    for (Link& link : m_links) {
        const bool isFirst = &link == m_links.data();
        const Vector3 above = isFirst ? firstDirection : (&link)[-1].restDirection;
        if (!(link.length > 0)) link.restDirection = above;
        if (!isFirst) bends = (kit::leastRotation(above, link.restDirection) * bends).normalized();
        link.unbent = bends.conjugate() * m_frames[static_cast<std::size_t>(link.body)].rotation;
        link.share = before;
        before += link.length;
    }
    const double whole = m_links.back().share;
    for (Link& link : m_links) link.share = whole > 0 ? link.share / whole : 0;
}

void SplineSolver::setStretch(const kit::SolverRun& run, double stretch)
{
    for (std::size_t i = 1; i < m_path.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t at = kit::kBaseStride * static_cast<std::size_t>(m_path[i]) + k;
            m_base[at] = stretch * run.problem().base[at];
        }
    // Bones of several pieces, some of which may slide, are measured anew; directions in the rest pose do not change.
    for (Link& link : m_links) {
        if (!(link.length > 0)) continue; // what rounding leaves of it has no direction
        updateFrames(run, link.body, link.next);
        const kit::Frame<double>& frame = m_frames[static_cast<std::size_t>(link.body)];
        link.bone = frame.rotation.conjugate() *
                    (m_frames[static_cast<std::size_t>(link.next)].position - frame.position);
        link.length = link.bone.norm();
    }
}

SplineSolver::Fit SplineSolver::layAlong(const kit::SolverRun& run, const sdk::Curve& curve, const CurveMarch& march,
                                         const CurveMarch::Place& start)
{
    Fit fit;
    CurveMarch::Place place = start;
    Quaternion carried = Quaternion::Identity(); // along the curve, from its start
    Quaternion first = Quaternion::Identity();   // from the rest pose's first bone to the curve's tangent at the start
    for (const Link& link : m_links) {
        updateFrames(run, m_path.front(), link.body); // the joints above have moved
        const Vector3 pivot = m_frames[static_cast<std::size_t>(link.body)].position;
        const CurveMarch::Place next = link.length > 0 ? march.next(place, pivot, link.length) : place;
        const Vector3 tangent = march.tangent(place);
        const Vector3 chord = next.point - pivot;
        const bool hasWay = link.length > 0 && chord.norm() > 1e-12 * link.length;
        const Vector3 direction = hasWay ? chord.normalized() : tangent;

        // The frame that the curve carries without twist, swung from its tangent onto the bone.
        const Quaternion swing = kit::leastRotation(tangent, direction);
        if (&link == m_links.data()) first = swing.conjugate() * kit::leastRotation(link.restDirection, direction);
        const double twist = curve.startTwist + link.share * (curve.endTwist - curve.startTwist);
        const Quaternion world = about(direction, twist) * swing * carried * first * link.unbent;
        turnTo(run, link, world, direction);

        const double miss = (m_frames[static_cast<std::size_t>(link.next)].position - next.point).norm();
        fit.miss = std::max(fit.miss, miss);
        if (link.length > 0) fit.bones = std::max(fit.bones, miss / link.length);
        carried = (march.transport(place, next) * carried).normalized();
        place = next;
    }
    fit.beyond = place.beyond;
    fit.excess = place.beyond > 0 ? place.beyond : -(place.point - march.end()).norm();
    return fit;
}

/// Turns a joint to the rotation `world`, as nearly as it can; where it cannot, so that at least its bone points in
/// `direction`. Brings the frames up to date down to the bone's end.
void SplineSolver::turnTo(const kit::SolverRun& run, const Link& link, const Quaternion& world,
                          const Vector3& direction)
{
    const sdk::Model& model = run.model();
    const int body = link.body, parent = model.parent[body];
    const auto at = static_cast<std::size_t>(body);
    const Quaternion above = parent < 0 ? Quaternion::Identity() : m_frames[static_cast<std::size_t>(parent)].rotation;
    const Quaternion before = above * kit::quaternionAt(&m_base[kit::kBaseStride * at + 3]);
    double* own = m_q.data() + model.qBegin[body];
    Quaternion wanted = world;
    double least = kit::kInfinity;
    double kept[7]; // the most coordinates that a body has
    const int coordinates = model.qBegin[body + 1] - model.qBegin[body];
    for (int i = 0; i < kMaxAims; ++i) {
        kit::nearestInLimits(model, body, run.problem().locked, (before.conjugate() * wanted).normalized(), own);
        const Quaternion now = before * kit::motion(model, body, own);
        const Vector3 bone = now * link.bone;
        const double off = link.length > 0 ? (bone / link.length - direction).norm() : 0;
        if (!(off < least - 1e-15)) break; // no better than the last
        least = off;
        std::copy_n(own, coordinates, kept);
        if (off < 1e-12) break;
        wanted = (kit::leastRotation(bone, direction) * now).normalized();
    }
    std::copy_n(kept, coordinates, own);
    updateFrames(run, body, link.next);
}

/// Frames of the path from body `from` to body `to`.
void SplineSolver::updateFrames(const kit::SolverRun& run, int from, int to)
{
    const sdk::Model& model = run.model();
    for (const int body : m_path) {
        if (body < from || body > to) continue;
        const int parent = model.parent[body];
        m_frames[static_cast<std::size_t>(body)] = kit::bodyFrame(
            model, body, parent < 0 ? kit::Frame<double>() : m_frames[static_cast<std::size_t>(parent)], m_base,
            m_q.data());
    }
}

bool SplineSolver::isAtLimit(const kit::SolverRun& run) const
{
    const sdk::Model& model = run.model();
    return std::any_of(m_path.begin(), m_path.end(), [&](int body) {
        std::int8_t hits[6];
        kit::limitHits(model, body, m_q.data() + model.qBegin[body], hits);
        for (int v = model.vBegin[body]; v < model.vBegin[body + 1]; ++v)
            if (hits[v - model.vBegin[body]] != 0 && run.isMovable(v)) return true;
        return false;
    });
}

std::unique_ptr<sdk::Solver> makeSplineSolver() { return std::make_unique<SplineSolver>(); }

} // namespace tendon

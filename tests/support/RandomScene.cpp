#include "tests/support/RandomScene.h"

#include <string>

namespace tendon::test {
namespace {

class Maker
{
public:
    explicit Maker(std::mt19937& random) : m_random(random) {}

    bool chance(double p = 0.5) { return std::bernoulli_distribution(p)(m_random); }
    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(m_random); }
    double number(double low = -10, double high = 10)
    {
        return std::uniform_real_distribution<double>(low, high)(m_random);
    }
    double unit() { return number(0, 1); }
    Vector3 vector() { return {number(), number(), number()}; }
    Quaternion rotation()
    {
        return Quaternion(Eigen::Vector4d(number(), number(), number(), number() + 0.01)).normalized();
    }

    AxisFreedom axis()
    {
        AxisFreedom axis{.active = chance(), .limited = chance(), .from = number(), .to = number()};
        if (chance()) axis.ease = unit(), axis.damping = unit(), axis.springTension = unit();
        if (chance()) axis.springBack = number();
        return axis;
    }

    BallLimits ball()
    {
        BallLimits ball{.twistAxis = below(3), .swing = {}, .twist = {}};
        if (chance()) ball.swing = {unit(), unit(), unit(), unit()};
        if (chance()) ball.twist = {-unit(), unit()};
        return ball;
    }

    Joint joint(Scene& scene)
    {
        Joint joint;
        joint.id.value = scene.takeId();
        joint.name = "joint \"" + std::to_string(joint.id.value) + "\" \xC3\xA4\n\x01";
        const auto& others = *scene.joints;
        if (!others.empty() && chance(0.9))
            joint.parent = others[static_cast<std::size_t>(below(static_cast<int>(others.size())))].id;
        joint.rest = {vector(), rotation(),
                      chance() ? Vector3(Vector3::Ones()) : Vector3(unit() + 0.1, unit() + 0.1, unit() + 0.1)};
        joint.rotationOrder = static_cast<RotationOrder>(below(6));
        for (int i = 0; i < 3; ++i) {
            if (chance()) joint.turning[static_cast<std::size_t>(i)] = axis();
            if (chance(0.2)) joint.sliding[static_cast<std::size_t>(i)] = axis();
        }
        if (chance(0.3)) joint.ball = ball();
        if (chance()) joint.preferredAngle = vector();
        joint.stiffness = chance() ? unit() : 0;
        if (chance(0.3)) joint.turningRates = {unit(), unit()};
        if (chance(0.2)) joint.slidingRates = {unit(), 0};
        joint.precedence = below(5) - 2;
        joint.isTerminator = chance(0.2);
        if (chance())
            joint.segment = {static_cast<Segment::Shape>(below(6)), vector().cwiseAbs(), vector(), rotation(), unit()};
        joint.sourceNode = chance() ? below(100) : -1;
        return joint;
    }

    Handle handle(Scene& scene, JointId start, JointId end)
    {
        Handle handle;
        handle.id.value = scene.takeId();
        handle.name = "handle " + std::to_string(handle.id.value);
        handle.start = start;
        handle.end = end;
        handle.offset = chance() ? vector() : Vector3::Zero();
        handle.solver = chance() ? "dls" : "two-bone";
        if (chance()) handle.parameters = {{"damping", unit()}, {"relax", 0}};
        handle.orientationWeight = chance() ? unit() : 0;
        handle.priority = 1 + below(3);
        handle.hasPole = chance();
        if (chance(0.3)) handle.poleTarget = start;
        if (chance(0.3)) handle.follow = scene.joints->front().id.value;
        if (chance(0.3)) handle.poleFollow = scene.joints->front().id.value;
        if (chance(0.3)) handle.spaces = {scene.joints->front().id.value, scene.joints->back().id.value};
        if (handle.spaces.size() == 2 && handle.spaces[0] == handle.spaces[1]) handle.spaces.pop_back();
        handle.soft = chance() ? unit() / 2 : 0;
        handle.stretch = chance() ? 1 + unit() : 1;
        handle.squash = chance() ? 1 - unit() / 2 : 1;
        if (chance()) handle.unreachable = Unreachable::Hold;
        if (chance()) handle.aimAxis = Vector3::UnitZ();
        handle.isPinned = chance();
        handle.isSticky = chance();
        if (chance(0.3)) handle.curvePoints = 3;
        if (chance(0.3))
            handle.objectives = {.restPose = unit(), .naturalPose = 0, .velocity = unit(), .power = unit()};
        handle.positionTolerance = chance() ? 1e-5 : 1e-4;
        handle.rotationTolerance = chance() ? 1e-5 : 1e-3;
        handle.maxIterations = below(3) * 50;
        return handle;
    }

    ChannelValue value(Property property)
    {
        if (isQuaternion(property)) {
            const Quaternion q = rotation();
            return {q.x(), q.y(), q.z(), q.w()};
        }
        ChannelValue value{};
        for (int i = 0; i < componentCount(property); ++i) value[static_cast<std::size_t>(i)] = number();
        return value;
    }

    KeyList keys(Property property, std::size_t count)
    {
        std::vector<Key> keys(count);
        const int style = below(4); // three uniform ones and a mixture
        std::int64_t ticks = below(1000) - 500;
        for (Key& key : keys) {
            key.time.ticks = ticks += 1 + below(40'000'000);
            key.value = value(property);
            key.interpolation = static_cast<Interpolation>(style < 3 ? style : below(3));
            if (style != 2 && chance(0.1)) key.tangents = chance() ? TangentMode::Flat : TangentMode::Linear;
            if (chance(0.1)) key.inWeight = below(1001) / 1000.0;
            if (chance(0.1)) key.outWeight = below(1001) / 1000.0;
            if (style == 2 || chance(0.2)) {
                key.tangents = chance(0.8) ? TangentMode::Free : TangentMode::Aligned;
                key.in = value(property);
                key.out = value(property);
            }
        }
        KeyList list(std::move(keys));
        const auto infinity = [&] {
            const auto any = chance(0.8) ? Infinity::Constant : static_cast<Infinity>(below(5));
            return any == Infinity::Linear && isQuaternion(property) ? Infinity::CycleOffset : any;
        };
        const Infinity before = infinity(), after = infinity();
        list.setInfinity(before, after);
        return list;
    }

    /// Held keys of what the handle follows.
    KeyList spaceKeys(const Handle& handle, std::size_t count)
    {
        std::vector<Key> keys(count);
        std::int64_t ticks = below(1000) - 500;
        for (Key& key : keys) {
            key.time.ticks = ticks += 1 + below(40'000'000);
            key.interpolation = Interpolation::Step;
            if (chance() && !handle.spaces.empty()) key.value = {static_cast<double>(handle.spaces.back())};
        }
        return KeyList(std::move(keys));
    }

private:
    std::mt19937& m_random;
};

} // namespace

Project randomProject(std::mt19937& random, int maxKeys)
{
    Maker make(random);
    Project project;
    Scene& scene = project.scene;
    const int joints = 1 + make.below(12);
    for (int i = 0; i < joints; ++i) {
        const Joint joint = make.joint(scene);
        scene.joints.edit().push_back(joint);
    }
    for (int i = make.below(4); i > 0; --i) {
        const JointId end = (*scene.joints)[static_cast<std::size_t>(make.below(joints))].id;
        JointId start = end;
        while (make.chance(0.8) && scene.find(start)->parent.isValid()) start = scene.find(start)->parent;
        const Handle handle = make.handle(scene, start, end);
        scene.handles.edit().push_back(handle);
    }
    const auto channels = [&](auto&& use) {
        for (const Joint& joint : *scene.joints)
            for (int p = 0; p <= static_cast<int>(Property::Rotation); ++p)
                if (make.chance(0.2)) use(ChannelId{joint.id.value, static_cast<Property>(p)});
        for (const Handle& handle : *scene.handles)
            for (int p = static_cast<int>(Property::GoalPosition); p < static_cast<int>(curvePoint(handle.curvePoints));
                 ++p)
                if (make.chance(0.5)) use(ChannelId{handle.id.value, static_cast<Property>(p)});
    };
    channels([&](ChannelId channel) {
        if (!isSpace(channel.property)) scene.statics.edit()[channel] = make.value(channel.property);
    });
    for (const Handle& handle : *scene.handles) // the points of a curve all have a place
        for (int i = 0; i < handle.curvePoints; ++i)
            scene.statics.edit()[{handle.id.value, curvePoint(i)}] = make.value(curvePoint(i));
    for (int i = make.below(4); i > 0; --i) {
        Clip clip;
        clip.id.value = scene.takeId();
        clip.name = "clip " + std::to_string(clip.id.value);
        clip.sourceAnimation = make.below(3) - 1;
        channels([&](ChannelId channel) {
            const std::size_t count = 1 + static_cast<std::size_t>(make.below(maxKeys));
            clip.channels[channel] = isSpace(channel.property)
                                         ? make.spaceKeys(*scene.find(HandleId{channel.target}), count)
                                         : make.keys(channel.property, count);
        });
        for (std::uint64_t m = clip.id.value % 3; m > 0; --m) // markers, without a number of their own
            clip.markers.insert(clip.markers.begin(), {{static_cast<std::int64_t>(m * 1'000'000) - 1'500'000},
                                                       "marker " + std::to_string(m),
                                                       static_cast<MarkerColor>((clip.id.value + m) % 6)});
        project.state.currentClip = clip.id;
        scene.clips.emplace_back(std::move(clip));
    }
    for (const Joint& joint : *scene.joints)
        if (make.chance(0.3)) scene.roles.edit()[make.chance() ? "hips" : "tail1"].push_back(joint.id);
    if (make.chance(0.2)) scene.roles.edit()["leftToes"];
    scene.fps = make.chance() ? FrameRate{30'000, 1001} : FrameRate{25, 1};
    scene.firstFrame = make.below(10) - 5;
    scene.lastFrame = scene.firstFrame + make.below(1000);
    project.state.frame = make.below(100);
    const auto camera = [&] {
        return ViewCamera{.target = Vector3(make.below(9) - 4, 0.25 * make.below(9), -0.5),
                          .distance = 0.5 + make.below(20),
                          .yaw = 0.3 * make.below(20) - 3,
                          .pitch = 0.1 * make.below(30) - 1.5,
                          .fieldOfView = 0.2 + 0.1 * make.below(9),
                          .isOrthographic = make.chance()};
    };
    if (make.chance()) project.state.camera = camera();
    ViewSetup& view = scene.view.edit();
    for (const Joint& joint : *scene.joints) {
        if (make.chance(0.1)) view.hidden.insert(joint.id.value);
        if (make.chance(0.1)) view.locked.insert(joint.id.value);
        if (make.chance(0.2)) view.sets.push_back({"set " + joint.name, {joint.id.value}});
    }
    for (const Handle& handle : *scene.handles)
        if (make.chance(0.3)) view.hidden.insert(handle.id.value);
    if (make.chance()) view.hiddenMeshes.insert("body");
    for (int i = make.below(3); i > 0; --i) view.bookmarks.push_back({"place " + std::to_string(i), camera()});
    return project;
}

Clip longClip(Scene& scene, std::size_t count, std::mt19937& random)
{
    Maker make(random);
    Clip clip;
    clip.id.value = scene.takeId();
    clip.name = "long";
    const std::size_t each = count / scene.joints->size();
    for (const Joint& joint : *scene.joints) {
        std::vector<Key> keys(each);
        for (std::size_t i = 0; i < each; ++i) {
            keys[i].time = scene.fps.timeOf(static_cast<double>(i));
            keys[i].value = make.value(Property::Rotation);
            keys[i].interpolation = Interpolation::Linear;
        }
        clip.channels[{joint.id.value, Property::Rotation}] = KeyList(std::move(keys));
    }
    return clip;
}

} // namespace tendon::test

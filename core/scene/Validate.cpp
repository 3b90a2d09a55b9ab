#include "core/scene/Validate.h"

#include "core/scene/Check.h"
#include "core/scene/Constraint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace tendon {
namespace {

class Validator
{
public:
    explicit Validator(const Scene& scene) : m_scene(scene)
    {
        for (const Joint& joint : *scene.joints) m_joints.emplace(joint.id, &joint);
    }

    Issues run()
    {
        checkIds();
        checkTree();
        checkNames();
        if (m_treeIsSound) {
            checkJoints();
            checkHandles();
        }
        checkStatics();
        checkClips();
        checkRoles();
        checkSettings();
        checkView();
        return std::move(m_issues);
    }

private:
    void add(Severity severity, std::string text, std::string where, ObjectId object)
    {
        m_issues.push_back({severity, std::move(text), std::move(where), object});
    }
    void error(const Error& e, const std::string& where, ObjectId object)
    {
        add(Severity::Error, e.message, e.where.empty() ? where : e.where, object);
    }

    void checkIds()
    {
        std::set<ObjectId> seen;
        const auto check = [&](ObjectId id, const std::string& where) {
            if (id == 0 || id >= m_scene.nextId)
                add(Severity::Error, "its id " + std::to_string(id) + " was never given out; give it one below nextId",
                    where, id);
            if (!seen.insert(id).second) {
                add(Severity::Error, "its id " + std::to_string(id) + " is used twice; give one of them another id",
                    where, id);
                m_treeIsSound = false;
            }
        };
        for (const Joint& joint : *m_scene.joints) check(joint.id.value, "joint " + joint.name);
        for (const Handle& handle : *m_scene.handles) check(handle.id.value, "handle " + handle.name);
        for (const auto& clip : m_scene.clips) check(clip->id.value, "clip " + clip->name);
    }

    void checkTree()
    {
        // Climbs from each joint as far as joints whose end is not known yet, then marks those it has passed.
        enum class End { OnTheWay, Root, Circle };
        std::unordered_map<JointId, End> ends;
        std::vector<JointId> way;
        for (const Joint& joint : *m_scene.joints) {
            End end = End::Root;
            for (JointId at = joint.id; at.isValid();) {
                if (const auto known = ends.find(at); known != ends.end()) {
                    end = known->second == End::OnTheWay ? End::Circle : known->second;
                    break;
                }
                const auto found = m_joints.find(at);
                if (found == m_joints.end()) break; // said of the joint whose parent it would be
                ends.emplace(at, End::OnTheWay);
                way.push_back(at);
                at = found->second->parent;
            }
            for (; !way.empty(); way.pop_back()) ends[way.back()] = end;
            if (joint.parent.isValid() && m_joints.count(joint.parent) == 0)
                add(Severity::Error, "its parent is not there; link it to a joint or make it a root",
                    "joint " + joint.name, joint.id.value);
            else if (end == End::Circle)
                add(Severity::Error, "it hangs, through its parents, on itself; link one of them to the root",
                    "joint " + joint.name, joint.id.value);
            else
                continue;
            m_treeIsSound = false;
        }
    }

    void checkNames()
    {
        // Joints may share a name (a path distinguishes them); handles may not.
        std::map<std::string_view, int> uses;
        for (const Joint& joint : *m_scene.joints) {
            ++uses[joint.name];
            if (joint.name.empty())
                add(Severity::Error, "a joint has no name; give it one", "joint " + std::to_string(joint.id.value),
                    joint.id.value);
        }
        for (const Handle& handle : *m_scene.handles)
            if (const auto fits = checkNameIsFree(m_scene, handle.name, handle.id.value); !fits)
                error(fits.error(), "handle " + handle.name, handle.id.value);
        for (const Joint& joint : *m_scene.joints)
            if (uses[joint.name] > 1)
                add(Severity::Warning, "several joints have this name; rename them, or name them by path",
                    "joint " + joint.name, joint.id.value);
        std::map<std::string_view, int> clipUses;
        for (const auto& clip : m_scene.clips)
            if (clip->name.empty() || ++clipUses[clip->name] > 1)
                add(Severity::Error,
                    clip->name.empty() ? "a clip has no name; give it one" : "two clips have this name; rename one",
                    "clip " + clip->name, clip->id.value);
    }

    void checkJoints()
    {
        for (const Joint& joint : *m_scene.joints) {
            const std::string where = "joint " + joint.name;
            if (const auto fits = checkJoint(joint); !fits) {
                error(fits.error(), where, joint.id.value);
                continue;
            }
            if (joint.rest.scale.cwiseAbs().minCoeff() < 1e-9)
                add(Severity::Warning, "it is scaled to nothing; reset its scale", where, joint.id.value);
            constexpr const char* kAxes[] = {"x", "y", "z"};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                warnOfAxis(joint.turning[axis], std::string("rotation axis ") + kAxes[axis], joint);
                warnOfAxis(joint.sliding[axis], std::string("sliding axis ") + kAxes[axis], joint);
            }
        }
    }

    void warnOfAxis(const AxisFreedom& axis, const std::string& name, const Joint& joint)
    {
        if (axis.active && axis.limited && axis.from == axis.to)
            add(Severity::Warning, name + " is active but limited to a single value; switch it off or widen its range",
                "joint " + joint.name, joint.id.value);
        if (axis.springTension > 0 && !axis.springBack)
            add(Severity::Warning, name + " has a spring tension but no value to spring back to; set one",
                "joint " + joint.name, joint.id.value);
    }

    void checkHandles()
    {
        std::map<JointId, const Handle*> movedBy;
        for (const Handle& handle : *m_scene.handles) {
            const std::string where = "handle " + handle.name;
            if (const auto fits = checkHandle(m_scene, handle); !fits) {
                error(fits.error(), where, handle.id.value);
                continue;
            }
            if (handle.solver.empty()) add(Severity::Error, "it names no solver; set one", where, handle.id.value);
            for (const Property goal : {Property::GoalPosition, Property::GoalRotation})
                if (m_scene.statics->count({handle.id.value, goal}) == 0)
                    add(Severity::Error, "it has no " + std::string(propertyName(goal)) + "; set its goal", where,
                        handle.id.value);
            for (int i = 0; i < handle.curvePoints; ++i)
                if (m_scene.statics->count({handle.id.value, curvePoint(i)}) == 0)
                    add(Severity::Error, "it has no " + std::string(propertyName(curvePoint(i))) + "; set its curve",
                        where, handle.id.value);
            warnOfChain(handle, movedBy);
        }
        if (const auto fits = checkFollowing(m_scene); !fits) error(fits.error(), "handles", 0);
    }

    void warnOfChain(const Handle& handle, std::map<JointId, const Handle*>& movedBy)
    {
        const std::string where = "handle " + handle.name;
        const std::vector<JointId> joints = chain(m_scene, handle.start, handle.end);
        std::size_t firstFree = 0;
        for (std::size_t i = 0; i < joints.size(); ++i)
            if (m_joints.at(joints[i])->isTerminator && !isConstraint(handle)) firstFree = i + 1;
        bool canMove = false;
        for (std::size_t i = firstFree; i < joints.size(); ++i) {
            const Joint& joint = *m_joints.at(joints[i]);
            const auto isActive = [](const AxisFreedom& axis) { return axis.active; };
            const bool isPlaced = isConstraint(handle) && constrainedAxes(handle).anySlides();
            canMove = canMove || isPlaced || joint.ball ||
                      std::any_of(joint.turning.begin(), joint.turning.end(), isActive) ||
                      std::any_of(joint.sliding.begin(), joint.sliding.end(), isActive);
            const auto [other, isNew] = movedBy.emplace(joint.id, &handle);
            if (!isNew && !mayShareJoint(*other->second, handle) && other->second->solver != handle.solver &&
                other->second->priority == handle.priority)
                add(Severity::Warning,
                    "it moves " + inQuotes(joint.name) + ", which " + inQuotes(other->second->name) +
                        " moves with another solver; give both one solver, or different priorities",
                    where, handle.id.value);
        }
        if (!canMove)
            add(Severity::Warning, "none of its joints can move; take away a terminator or make an axis active", where,
                handle.id.value);
    }

    void checkStatics()
    {
        std::set<ObjectId> withRotation;
        for (const auto& [channel, value] : *m_scene.statics)
            if (channel.property == Property::Rotation) withRotation.insert(channel.target);
        for (const auto& [channel, value] : *m_scene.statics) {
            const std::string where = "static value of " + nameOf(m_scene, channel.target) + " " +
                                      std::string(propertyName(channel.property));
            if (const auto fits = checkChannel(m_scene, channel); !fits)
                error({ErrorCode::NotFound, fits.error().message + "; remove the value", ""}, where, channel.target);
            else if (const auto sound = checkValue(m_scene, channel, value); !sound)
                error({ErrorCode::InvalidArgument, sound.error().message, ""}, where, channel.target);
            const bool isAngleChannel = channel.property >= Property::Rx && channel.property <= Property::Rz;
            if (isAngleChannel && withRotation.count(channel.target) != 0)
                add(Severity::Error, "the joint has a whole rotation too; remove one of the two", where,
                    channel.target);
        }
    }

    void checkClips()
    {
        for (const auto& clip : m_scene.clips) {
            checkMarkers(*clip);
            std::set<std::pair<ObjectId, Layer>> withRotation;
            for (const auto& [channel, keys] : clip->channels)
                if (channel.property == Property::Rotation) withRotation.insert({channel.target, channel.layer});
            for (const auto& [channel, keys] : clip->channels) {
                const std::string where = "clip " + clip->name + ": " + nameOf(m_scene, channel.target) + " " +
                                          std::string(propertyName(channel.property)) +
                                          (channel.layer == Layer::Corrections ? " of its corrections" : "");
                if (keys->isEmpty()) {
                    add(Severity::Error, "a channel without keys; remove it", where, channel.target);
                    continue;
                }
                if (const auto fits = checkChannel(m_scene, channel); !fits) {
                    error({ErrorCode::NotFound, fits.error().message + "; remove the channel", ""}, where,
                          channel.target);
                    continue;
                }
                const bool isAngleChannel = channel.property >= Property::Rx && channel.property <= Property::Rz;
                if (isAngleChannel && withRotation.count({channel.target, channel.layer}) != 0)
                    add(Severity::Error, "the joint has keys of its whole rotation too; remove one of the two", where,
                        channel.target);
                checkKeys(*keys, channel, where);
            }
        }
    }

    void checkMarkers(const Clip& clip)
    {
        for (std::size_t i = 0; i < clip.markers.size(); ++i) {
            const std::string where = "clip " + clip.name + ": marker " + clip.markers[i].name;
            if (const auto sound = checkMarkerName(clip.markers[i].name); !sound)
                error({ErrorCode::InvalidArgument, sound.error().message, ""}, where, clip.id.value);
            if (i > 0 && clip.markers[i].time <= clip.markers[i - 1].time)
                add(Severity::Error, "a marker is not later than the one before it; move one of them", where,
                    clip.id.value);
        }
    }

    void checkRoles()
    {
        std::map<JointId, std::string_view> roleOfJoint;
        for (const auto& [role, joints] : *m_scene.roles)
            for (const JointId id : joints) {
                const auto joint = m_joints.find(id);
                if (joint == m_joints.end()) {
                    add(Severity::Error, "its joint is not there; choose another, or none", "role " + role, id.value);
                    continue;
                }
                const auto [other, isNew] = roleOfJoint.emplace(id, role);
                if (!isNew)
                    add(Severity::Error,
                        inQuotes(joint->second->name) + " has the role " + inQuotes(other->second) +
                            ", too; take one of the two away",
                        "role " + role, id.value);
            }
    }

    void checkKeys(const KeyList& keys, ChannelId channel, const std::string& where)
    {
        if (isQuaternion(channel.property) && (keys.before() == Infinity::Linear || keys.after() == Infinity::Linear))
            add(Severity::Error, "a whole rotation cannot go on linearly", where, channel.target);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const Key& key = keys[i];
            const auto sound = checkValue(m_scene, channel, key.value);
            const auto isFinite = [](double s) { return std::isfinite(s); };
            const bool hasSoundTangents = std::all_of(key.in.begin(), key.in.end(), isFinite) &&
                                          std::all_of(key.out.begin(), key.out.end(), isFinite);
            const bool hasSoundWeights = key.inWeight >= 0 && key.inWeight <= 1 && key.outWeight >= 0 &&
                                         key.outWeight <= 1;
            if (sound && hasSoundTangents && hasSoundWeights) continue;
            add(Severity::Error,
                !sound              ? sound.error().message
                : !hasSoundTangents ? "a tangent is not finite"
                                    : "the weight of a tangent is not from 0 to 1",
                where + ": key " + std::to_string(i), channel.target);
            return; // one issue per channel is enough
        }
    }

    void checkSettings()
    {
        if (m_scene.fps.numerator <= 0 || m_scene.fps.denominator <= 0)
            add(Severity::Error, "frames per second must be above 0", "fps", 0);
        if (m_scene.firstFrame > m_scene.lastFrame)
            add(Severity::Error, "the range ends before it begins; swap its ends", "range", 0);
        if (m_scene.model == nullptr) return;
        for (const Mesh& mesh : m_scene.model->meshes)
            for (const JointId joint : mesh.skin.joints)
                if (m_joints.count(joint) == 0) {
                    add(Severity::Error, "it is skinned to a joint that is not there; import the model again",
                        "mesh " + mesh.name, 0);
                    break;
                }
    }

    void checkView()
    {
        const ViewSetup& view = *m_scene.view;
        const auto check = [&](ObjectId object, const std::string& where) {
            if (m_joints.count(JointId{object}) == 0 && m_scene.find(HandleId{object}) == nullptr)
                add(Severity::Error, "it names a joint or handle that is not there; remove it", where, object);
        };
        for (const ObjectId object : view.hidden) check(object, "hidden");
        for (const ObjectId object : view.locked) check(object, "locked");
        std::set<std::string_view> names;
        for (const SelectionSet& set : view.sets) {
            const std::string where = "selection set " + set.name;
            for (const ObjectId object : set.objects) check(object, where);
            if (set.name.empty() || set.objects.empty() || !names.insert(set.name).second)
                add(Severity::Error, "it needs a name of its own and something in it; make it again", where, 0);
        }
        names.clear();
        for (const CameraBookmark& bookmark : view.bookmarks)
            if (bookmark.name.empty() || !checkViewCamera(bookmark.camera) || !names.insert(bookmark.name).second)
                add(Severity::Error, "it needs a name of its own and sound numbers; make it again",
                    "camera " + bookmark.name, 0);
    }

    const Scene& m_scene;
    std::unordered_map<JointId, const Joint*> m_joints;
    bool m_treeIsSound = true;
    Issues m_issues;
};

} // namespace

Issues validate(const Scene& scene) { return Validator(scene).run(); }

Result<void> checkScene(const Scene& scene)
{
    for (const Issue& issue : validate(scene))
        if (issue.severity == Severity::Error) return Error{ErrorCode::InvalidArgument, issue.text, issue.where};
    return {};
}

} // namespace tendon

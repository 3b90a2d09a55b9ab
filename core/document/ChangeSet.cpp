#include "core/document/ChangeSet.h"

#include <unordered_map>

namespace tendon {
namespace {

class Comparer
{
public:
    explicit Comparer(ChangeSet& changes) : m_changes(changes) {}

    void mark(ObjectId object, Aspect aspect) { m_changes.objects[object].add(aspect); }

    template <typename Object, typename Compare>
    void list(const Shared<ObjectList<Object>>& before, const Shared<ObjectList<Object>>& after, Compare compare)
    {
        if (before.isSame(after)) return;
        compareLists(
            *before, *after, [](const Object& o) -> const Object& { return o; }, compare);
    }

    void clips(const Scene& before, const Scene& after)
    {
        const auto compare = [&](const Shared<Clip>& a, const Shared<Clip>& b) {
            if (a.isSame(b)) return;
            if (a->name != b->name) mark(b->id.value, Aspect::Name);
            if (a->sourceAnimation != b->sourceAnimation || a->markers != b->markers)
                mark(b->id.value, Aspect::Settings);
            const auto markKeys = [&](ChannelId channel) {
                mark(b->id.value, Aspect::Keys);
                mark(channel.target, Aspect::Keys);
            };
            maps(a->channels, b->channels, markKeys);
            if (a->hasCorrectionsOn == b->hasCorrectionsOn) return;
            mark(b->id.value, Aspect::Settings);
            for (const auto& [channel, keys] : b->channels)
                if (channel.layer == Layer::Corrections) markKeys(channel);
        };
        compareLists(
            before.clips, after.clips, [](const Shared<Clip>& c) -> const Clip& { return *c; }, compare,
            [&](const Shared<Clip>& only) {
                for (const auto& [channel, keys] : only->channels) mark(channel.target, Aspect::Keys);
            });
    }

    void statics(const Shared<StaticValues>& before, const Shared<StaticValues>& after)
    {
        if (!before.isSame(after))
            maps(*before, *after, [&](ChannelId channel) { mark(channel.target, Aspect::Statics); });
    }

private:
    template <typename Map, typename Mark>
    static void maps(const Map& before, const Map& after, Mark differs)
    {
        auto a = before.begin();
        auto b = after.begin();
        while (a != before.end() || b != after.end()) {
            if (b == after.end() || (a != before.end() && a->first < b->first))
                differs((a++)->first);
            else if (a == before.end() || b->first < a->first)
                differs((b++)->first);
            else {
                if (!(a->second == b->second)) differs(a->first);
                ++a, ++b;
            }
        }
    }

    template <typename List, typename Get, typename Compare, typename Only = void (*)(const typename List::value_type&)>
    void compareLists(
        const List& before, const List& after, Get get, Compare compare,
        Only only = [](const typename List::value_type&) {})
    {
        std::unordered_map<ObjectId, std::size_t> placeBefore;
        for (std::size_t i = 0; i < before.size(); ++i) placeBefore.emplace(get(before[i]).id.value, i);
        std::size_t last = 0;
        for (const auto& object : after) {
            const auto place = placeBefore.find(get(object).id.value);
            if (place == placeBefore.end()) {
                mark(get(object).id.value, Aspect::Added);
                only(object);
                continue;
            }
            if (place->second < last) m_changes.isOrderChanged = true;
            last = place->second;
            compare(before[place->second], object);
            placeBefore.erase(place);
        }
        for (const auto& object : before)
            if (placeBefore.count(get(object).id.value) != 0) {
                mark(get(object).id.value, Aspect::Removed);
                only(object);
            }
    }

    ChangeSet& m_changes;
};

/// `joint` with everything that has an aspect of its own taken over from `like`: what differs then is its freedom.
Joint freedomsOnly(Joint joint, const Joint& like)
{
    joint.name = like.name;
    joint.parent = like.parent;
    joint.rest = like.rest;
    joint.segment = like.segment;
    return joint;
}

Handle settingsOnly(Handle handle, const Handle& like)
{
    handle.name = like.name;
    handle.start = like.start;
    handle.end = like.end;
    handle.solver = like.solver;
    handle.follow = like.follow;
    handle.poleFollow = like.poleFollow;
    handle.spaces = like.spaces;
    handle.poleTarget = like.poleTarget;
    handle.startUp = like.startUp;
    handle.endUp = like.endUp;
    handle.curvePoints = like.curvePoints;
    return handle;
}

} // namespace

bool ChangeSet::has(ObjectId object, Aspect aspect) const
{
    const auto found = objects.find(object);
    return found != objects.end() && found->second.has(aspect);
}

ChangeSet changesBetween(const Scene& before, const Scene& after)
{
    ChangeSet changes;
    Comparer comparer(changes);
    comparer.list(before.joints, after.joints, [&](const Joint& a, const Joint& b) {
        if (a == b) return;
        if (a.name != b.name) comparer.mark(b.id.value, Aspect::Name);
        if (a.parent != b.parent) comparer.mark(b.id.value, Aspect::Structure);
        if (!(a.rest == b.rest)) comparer.mark(b.id.value, Aspect::Rest);
        if (!(a.segment == b.segment)) comparer.mark(b.id.value, Aspect::Segment);
        if (!(freedomsOnly(a, b) == b)) comparer.mark(b.id.value, Aspect::Freedom);
    });
    comparer.list(before.handles, after.handles, [&](const Handle& a, const Handle& b) {
        if (a == b) return;
        if (a.name != b.name) comparer.mark(b.id.value, Aspect::Name);
        if (a.start != b.start || a.end != b.end || a.solver != b.solver || a.followed() != b.followed() ||
            a.isCarried() != b.isCarried() || a.curvePoints != b.curvePoints)
            comparer.mark(b.id.value, Aspect::Structure);
        if (!(settingsOnly(a, b) == b)) comparer.mark(b.id.value, Aspect::Settings);
    });
    comparer.statics(before.statics, after.statics);
    comparer.clips(before, after);
    changes.isTimingChanged = !(before.fps == after.fps) || before.firstFrame != after.firstFrame ||
                              before.lastFrame != after.lastFrame;
    changes.isRigChanged = !(before.joints == after.joints) || !(before.handles == after.handles);
    changes.isModelChanged = before.model != after.model;
    changes.isViewChanged = !(before.view == after.view);
    changes.isRolesChanged = !(before.roles == after.roles);
    return changes;
}

} // namespace tendon

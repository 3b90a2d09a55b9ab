#include "core/document/MovedSwitches.h"

#include "core/base/SmallLength.h"
#include "core/document/FollowSpaces.h"
#include "core/document/SwitchKeys.h"
#include "core/math/Convert.h"
#include "core/scene/Check.h"
#include "core/scene/FollowSpace.h"
#include "core/scene/FrameNumber.h"
#include "core/scene/KeyEdit.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace tendon {
namespace {

const PendingValues kNothingPosed;

/// A time at which keys change what is followed.
struct Switch
{
    Time at;
    ObjectId from = 0, to = 0;

    bool operator==(const Switch&) const = default;
};

std::vector<Switch> switchesOf(const KeyList* spaces)
{
    std::vector<Switch> switches;
    for (std::size_t i = 1; spaces != nullptr && i < spaces->size(); ++i) {
        const auto from = static_cast<ObjectId>((*spaces)[i - 1].value[0]),
                   to = static_cast<ObjectId>((*spaces)[i].value[0]);
        if (from != to) switches.push_back({(*spaces)[i].time, from, to});
    }
    return switches;
}

bool has(const std::vector<Switch>& switches, const Switch& one)
{
    return std::find(switches.begin(), switches.end(), one) != switches.end();
}

/// Where a switch of spaces stood before an edit moved it; none: it is new.
std::optional<Time> formerTimeOf(const Draft& draft, ClipId clip, ChannelId spaces, const Switch& now,
                                 const std::vector<Switch>& was)
{
    for (const MovedKey& moved : draft.movedKeys) {
        const Switch before{moved.from, now.from, now.to};
        if (moved.how == MovedKey::How::Moved && moved.clip == clip && moved.channel == spaces && moved.to == now.at &&
            has(was, before))
            return moved.from;
    }
    return std::nullopt;
}

bool isSamePlace(Property place, const ChannelValue& a, const ChannelValue& b)
{
    constexpr double kSame = 1e-7; // [m], of a quaternion's numbers: rounding through a few transforms
    double apart = 0, mirrored = 0;
    for (std::size_t c = 0; c < a.size(); ++c) {
        apart = std::max(apart, std::abs(a[c] - b[c]));
        mirrored = std::max(mirrored, std::abs(a[c] + b[c]));
    }
    return apart < kSame || (isQuaternion(place) && mirrored < kSame);
}

/// The keys of one channel around a switch of spaces that an edit has moved, or made. An object holds a goal that
/// stands still in its space up to the switch, or from it on. Of a moved switch, the two keys (at its frame and on the
/// frame before) go along with it; what is held stays held, by the same place, in all frames that its holder has now.
/// From holder to holder, and when it is let go, it goes on from where it is. What nothing holds is where it was.
class MovedSwitch
{
public:
    MovedSwitch(Draft& draft, const Draft& former, const Handle& handle, Property place, const std::vector<Switch>& all,
                std::size_t index, std::optional<Time> was)
        : m_draft(draft), m_former(former), m_handle(handle), m_place(place), m_all(all), m_index(index),
          m_switch(all[index]), m_was(was), m_formerPlace(former, handle, place)
    {
        if (const KeyList* keys = draft.scene.find(former.edit.currentClip)->find({handle.id.value, place}))
            m_keys = *keys;
        m_before = frameBefore(m_switch.at);
    }

    [[nodiscard]] Result<void> put()
    {
        if (hasMovedWithAll()) return {};
        findHolds();
        if (isAllMoved()) {
            warnOfLeap();
            return {};
        }
        if (const auto put = m_first || m_second ? keyHeld() : keyWhereItWas(); !put) return put;
        return m_draft.take(replaceKeys(std::move(m_draft.scene), m_former.edit.currentClip,
                                        {m_handle.id.value, m_place}, m_keys.toVector()));
    }

private:
    [[nodiscard]] Time frameBefore(Time time) const
    {
        const FrameRate fps = m_draft.scene.fps;
        return fps.timeOf(fps.frameAt(time) - 1);
    }
    [[nodiscard]] bool isEarlier() const { return m_switch.at < *m_was; }
    [[nodiscard]] bool isFree(Time time) const { return m_keys.at(time) == nullptr; }
    [[nodiscard]] bool wasMovedTo(Time time) const
    {
        return std::any_of(m_draft.movedKeys.begin(), m_draft.movedKeys.end(), [&](const MovedKey& moved) {
            return moved.clip == m_former.edit.currentClip && moved.to == time &&
                   moved.channel == ChannelId{m_handle.id.value, m_place};
        });
    }
    [[nodiscard]] bool isOfAnother(Time time) const
    {
        return std::any_of(m_all.begin(), m_all.end(), [&](const Switch& each) {
            return !(each == m_switch) && (time == each.at || time == frameBefore(each.at));
        });
    }

    /// The keys around the switch have moved with it, and so has the motion of what it is between: all is as it was.
    [[nodiscard]] bool hasMovedWithAll() const
    {
        if (!m_was) return false;
        const std::int64_t shift = m_switch.at.ticks - m_was->ticks;
        const KeyList& former = *m_former.clip()->find({m_handle.id.value, m_place});
        const std::size_t then = former.countUpTo({m_was->ticks - 1}), now = m_keys.countUpTo({m_switch.at.ticks - 1});
        const auto isMoved = [&](bool hadOne, bool hasOne, std::size_t was, std::size_t is) {
            return hadOne == hasOne && (!hadOne || (former[was].value == m_keys[is].value &&
                                                    former[was].time.ticks + shift == m_keys[is].time.ticks));
        };
        if (!isMoved(then > 0, now > 0, then - 1, now - 1)) return false;
        if (!isMoved(then < former.size(), now < m_keys.size(), then, now)) return false;
        const Clip* clip = m_draft.scene.find(m_former.edit.currentClip);
        const auto isSame = [&](ObjectId space, Time was, Time is) {
            const auto old = worldOfSpace(m_former, m_former.scene, m_former.clip(), kNothingPosed, was, space),
                       present = worldOfSpace(m_draft, m_draft.scene, clip, kNothingPosed, is, space);
            constexpr double kSameMotion = 1e-9; // [m]
            return old && present && (old->matrix() - present->matrix()).cwiseAbs().maxCoeff() < kSameMotion;
        };
        for (const ObjectId space : {m_switch.from, m_switch.to})
            if (!isSame(space, frameBefore(*m_was), m_before) || !isSame(space, *m_was, m_switch.at)) return false;
        return true;
    }

    /// All keys of the place and of its space have moved alike: the whole motion of the handle is earlier or later, and
    /// that of what it follows is moved in an edit of its own, before or after. The two together change nothing.
    [[nodiscard]] bool isAllMoved() const
    {
        if (!m_was) return false;
        const std::int64_t shift = m_switch.at.ticks - m_was->ticks;
        const Clip& clip = *m_draft.scene.find(m_former.edit.currentClip);
        for (const Property property : {m_place, spaceOf(m_place)}) {
            const ChannelId channel{m_handle.id.value, property};
            const KeyList &was = *m_former.clip()->find(channel), &is = *clip.find(channel);
            if (was.size() != is.size()) return false;
            for (std::size_t i = 0; i < was.size(); ++i)
                if (was[i].time.ticks + shift != is[i].time.ticks || was[i].value != is[i].value) return false;
        }
        return true;
    }

    void warnOfLeap()
    {
        if (m_place != Property::GoalPosition || (!m_first && !m_second)) return;
        const ObjectId holder = m_second ? m_switch.to : m_switch.from, other = m_second ? m_switch.from : m_switch.to;
        const Time beside = m_second ? m_before : m_switch.at;
        const Key* key = m_keys.at(beside);
        if (key == nullptr) return;
        const Vector3 there = toVector(seenFrom(other, holder, m_second ? *m_second : *m_first, beside));
        const double leap = (toVector(key->value) - there).norm();
        constexpr double kSeen = 1e-3; // [m]
        if (!(leap > kSeen)) return;
        const double frames = m_draft.scene.fps.frameAt(m_switch.at) - m_draft.scene.fps.frameAt(*m_was);
        const double at = toldFrame(m_draft.scene.fps.frameAt(m_switch.at));
        m_draft.say(Severity::Warning,
                    "it leaps " + smallLength(leap) + (m_second ? " onto " : " off ") +
                        inQuotes(nameOf(m_draft.scene, holder)) + " at frame " + QString::number(at).toStdString() +
                        ", whose keys have not moved with it; move them by " +
                        QString::number(toldFrame(frames)).toStdString() + " frames, too",
                    m_handle.name, m_handle.id.value);
    }

    // ---- what holds

    /// Before the edit: the value at the switch's own key on each side, if an object holds it by that. Of a copy, whose
    /// two keys have come with it: among the keys that there are now.
    void findHolds()
    {
        if (!m_was) {
            const Key *before = m_keys.at(m_before), *at = m_keys.at(m_switch.at);
            if (before == nullptr || at == nullptr || !wasMovedTo(m_before) || !wasMovedTo(m_switch.at)) return;
            m_isCopy = true;
            const Clip* clip = m_draft.scene.find(m_former.edit.currentClip);
            return findHoldsIn(m_keys, m_before, m_switch.at, m_draft.scene, clip);
        }
        m_wasBefore = frameBefore(*m_was);
        const KeyList* former = m_former.clip()->find({m_handle.id.value, m_place});
        findHoldsIn(*former, m_wasBefore, *m_was, m_former.scene, m_former.clip());
        if (!m_first || m_index == 0) return; // the hold may have begun elsewhere by now
        const Key* begin = keyOfFormer(m_all[m_index - 1].at, *former);
        if (const Key* now = m_keys.at(m_all[m_index - 1].at))
            if (begin != nullptr && isSamePlace(m_place, begin->value, *m_first)) m_hold = now->value;
    }

    void findHoldsIn(const KeyList& keys, Time timeBefore, Time time, const Scene& scene, const Clip* clip)
    {
        const auto space = [&](Time when) { return spaceOfValue(scene, clip, m_handle, m_place, when); };
        const Key *before = keys.at(timeBefore), *at = keys.at(time);
        if (before == nullptr || at == nullptr) return;
        m_at = *at;
        m_keyBefore = *before;
        const std::size_t i = keys.countUpTo(time) - 1;
        const auto isStill = [&](const Key& own, std::size_t other) {
            return other >= keys.size() || space(keys[other].time) != space(own.time) ||
                   isSamePlace(m_place, keys[other].value, own.value);
        };
        if (m_switch.from != 0 && (i < 2 || isStill(*before, i - 2))) m_first = before->value;
        if (m_switch.to != 0 && isStill(*at, i + 1)) m_second = at->value;
        m_heldAt = at->value;
    }

    /// The key, before the edit, of a switch that may have moved.
    [[nodiscard]] const Key* keyOfFormer(Time at, const KeyList& keys) const
    {
        for (const MovedKey& moved : m_draft.movedKeys)
            if (moved.how == MovedKey::How::Moved && moved.clip == m_former.edit.currentClip && moved.to == at &&
                moved.channel == ChannelId{m_handle.id.value, spaceOf(m_place)})
                return keys.at(moved.from);
        return keys.at(at);
    }

    /// The object had the goal by `value` at that time already.
    [[nodiscard]] bool hadBy(ObjectId space, Time time, const ChannelValue& value) const
    {
        const auto found = m_formerPlace.in(space, time);
        return found && isSamePlace(m_place, *found, value);
    }

    // ---- keys

    [[nodiscard]] ChannelValue seenFrom(ObjectId to, ObjectId holder, const ChannelValue& value, Time time) const
    {
        if (to == holder) return value;
        const Clip* clip = m_draft.scene.find(m_former.edit.currentClip);
        const auto from = worldOfSpace(m_draft, m_draft.scene, clip, kNothingPosed, time, holder),
                   into = worldOfSpace(m_draft, m_draft.scene, clip, kNothingPosed, time, to);
        if (!from || !into || !(std::abs(into->linear().determinant()) > 0)) return value;
        return valueInSpace(m_place, value, changeOfSpace(*into, *from));
    }

    /// A key at which the goal goes along with its holder, seen from a space.
    [[nodiscard]] Key along(ObjectId to, ObjectId holder, const ChannelValue& value, Time time,
                            Interpolation interpolation) const
    {
        Key key{.time = time, .value = seenFrom(to, holder, value, time), .interpolation = interpolation};
        if (to == holder || isQuaternion(m_place)) return key;
        const std::int64_t step = m_draft.scene.fps.timeOf(0.125).ticks - m_draft.scene.fps.timeOf(0).ticks;
        const ChannelValue earlier = seenFrom(to, holder, value, {time.ticks - step}),
                           later = seenFrom(to, holder, value, {time.ticks + step});
        key.tangents = TangentMode::Free;
        for (std::size_t c = 0; c < 3; ++c) key.in[c] = (later[c] - earlier[c]) / Time{2 * step}.seconds();
        return key;
    }

    /// Of a moved switch: leaves out its two keys, what lies in frames that a holder has now, and what it was held by
    /// in frames that it has no more.
    void dropPassed()
    {
        const Time from = std::min(*m_was, m_switch.at), to = std::max(*m_was, m_switch.at);
        const bool isHeldNow = (isEarlier() ? m_second : m_first).has_value();
        const std::optional<ChannelValue>& lost = isEarlier() ? m_first : m_second;
        const KeyList* former = m_former.clip()->find({m_handle.id.value, m_place});
        for (const Key& key : m_keys.toVector()) {
            if (wasMovedTo(key.time) || isOfAnother(key.time)) continue;
            const Key* was = former->at(key.time);
            const bool isOwn = key.time == *m_was || key.time == m_wasBefore;
            const bool isPassed = key.time >= from && key.time < to;
            const bool isOfLost = lost && was != nullptr && isSamePlace(m_place, was->value, *lost);
            if (isOwn || isInTheWay(key.time) || (isPassed && (isHeldNow || isOfLost))) m_keys.erase(key.time);
        }
    }

    /// The frames of the way from a holder to the next key, or to it from the last one, are kept free where the switch
    /// has come nearer: nothing leaps.
    [[nodiscard]] bool isInTheWay(Time time) const
    {
        const KeyList& former = *m_former.clip()->find({m_handle.id.value, m_place});
        const std::size_t i = former.countUpTo(*m_was) - 1;
        const auto isWithin = [&](std::int64_t ticks, std::int64_t way) {
            return ticks > 0 && ticks < std::min(way, std::abs(m_switch.at.ticks - m_was->ticks));
        };
        if (m_first && !m_second && !isEarlier() && i + 1 < former.size())
            return isWithin(time.ticks - m_switch.at.ticks, former[i + 1].time.ticks - m_was->ticks);
        if (m_second && !m_first && isEarlier() && i >= 2)
            return isWithin(m_before.ticks - time.ticks, m_wasBefore.ticks - former[i - 2].time.ticks);
        return false;
    }

    [[nodiscard]] Result<void> keyHeld()
    {
        if (!m_isCopy) dropPassed();
        const ObjectId from = m_switch.from, to = m_switch.to;
        const Time at = m_switch.at;
        const bool isByFirst = m_first && (m_isCopy || !isEarlier() || hadBy(from, m_before, *m_first));
        const bool isBySecond = !m_first && (m_isCopy || isEarlier() || hadBy(to, at, *m_second));
        Key before, begin;
        if (isByFirst) {
            const ChannelValue held = m_hold ? *m_hold : *m_first;
            before = along(from, from, held, m_before, m_keyBefore.interpolation);
            begin = along(to, from, held, at, m_at.interpolation);
        } else if (isBySecond) {
            before = along(from, to, *m_second, m_before, m_keyBefore.interpolation);
            before.out = before.in;
            begin = along(to, to, *m_second, at, m_at.interpolation);
        } else {
            const auto was = m_formerPlace.in(from, m_before), now = m_formerPlace.in(to, at);
            if (!was || !now) return was ? now.error() : was.error();
            before = {.time = m_before, .value = *was, .interpolation = m_keyBefore.interpolation};
            begin = {.time = at, .value = *now, .interpolation = m_at.interpolation};
        }
        m_keys.insertOrReplace(before);
        m_keys.insertOrReplace(begin);
        if (!isSamePlace(m_place, begin.value, m_heldAt)) goOn(m_index, begin.value, m_heldAt);
        return {};
    }

    /// What stood still from a switch on stands still at its new place, and is passed on from there.
    void goOn(std::size_t index, const ChannelValue& value, const ChannelValue& former)
    {
        const bool isLast = index + 1 == m_all.size();
        for (std::size_t i = m_keys.countUpTo(m_all[index].at); i < m_keys.size(); ++i) {
            Key key = m_keys[i];
            if ((!isLast && key.time >= m_all[index + 1].at) || !isSamePlace(m_place, key.value, former)) return;
            if (m_isCopy && !wasMovedTo(key.time)) return; // it was there before
            key.value = value;
            m_keys.insertOrReplace(key);
            if (isLast || key.time != frameBefore(m_all[index + 1].at)) continue;
            const Switch& next = m_all[index + 1];
            const Key* there = m_keys.at(next.at);
            if (there == nullptr) return;
            const Key was = *there;
            const Key begin = along(next.to, next.from, value, next.at, was.interpolation);
            m_keys.insertOrReplace(begin);
            goOn(index + 1, begin.value, was.value);
            return;
        }
    }

    [[nodiscard]] Result<void> keyWhereItWas()
    {
        if (m_was && isEarlier()) { // in its old place the key of the frame before would be among the other space's
            const Time border = frameBefore(*m_was);
            const KeyList* was = m_former.clip()->find({m_handle.id.value, m_place});
            const bool isPair = was != nullptr && was->at(border) != nullptr && was->at(*m_was) != nullptr;
            if (isPair && border >= m_switch.at && !wasMovedTo(border)) m_keys.erase(border);
        }
        SwitchKeys as(m_former, m_handle, m_place, m_before, m_switch.at, m_switch.from);
        const auto both = as.make(m_switch.to, {std::numeric_limits<std::int64_t>::max()}, true);
        if (!both) return both.error();
        const bool letsGo = m_was && m_switch.to == 0 && wasMovedTo(m_switch.at);
        for (const Key& key : *both)
            if (isFree(key.time) || (key.time == m_switch.at && letsGo)) m_keys.insertOrReplace(key);
        return {};
    }

    Draft& m_draft;
    const Draft& m_former; ///< before the edit, in the clip
    const Handle& m_handle;
    Property m_place;
    const std::vector<Switch>& m_all; ///< of the clip as it is now
    std::size_t m_index;
    Switch m_switch;
    std::optional<Time> m_was;
    FormerPlace m_formerPlace; ///< where it was before the edit
    KeyList m_keys;
    Time m_before, m_wasBefore;                    ///< the frames before the switch, now and then
    Key m_keyBefore, m_at;                         ///< the two keys of the switch, then
    ChannelValue m_heldAt{};                       ///< the value of the second
    std::optional<ChannelValue> m_first, m_second; ///< what the object of each side holds it by; none: it holds nothing
    bool m_isCopy = false;                         ///< the switch has come with its two keys from elsewhere
    std::optional<ChannelValue> m_hold;            ///< the first, if another switch of the edit has changed it
};

} // namespace

Result<void> keySwitches(Draft& draft, const Scene& before, ClipId clipId, const Handle& handle, Property place)
{
    const ChannelId spaces{handle.id.value, spaceOf(place)};
    const std::vector<Switch> was = switchesOf(before.find(clipId)->find(spaces)),
                              now = switchesOf(draft.scene.find(clipId)->find(spaces));
    if (was == now) return {};
    Draft former = draft;
    former.scene = before;
    if (former.edit.currentClip != clipId) former.edit.pending.clear();
    former.edit.currentClip = clipId;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (has(was, now[i])) continue;
        const auto from = formerTimeOf(draft, clipId, spaces, now[i], was);
        for (const Property property : placesWith(handle, place)) {
            if (before.find(clipId)->find({handle.id.value, property}) == nullptr) continue;
            if (draft.scene.find(clipId)->find({handle.id.value, property}) == nullptr) continue;
            if (const auto put = MovedSwitch(draft, former, handle, property, now, i, from).put(); !put) return put;
        }
    }
    return {};
}

} // namespace tendon

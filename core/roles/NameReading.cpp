#include "core/roles/NameReading.h"

#include "core/roles/NameWords.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <set>

namespace tendon {
namespace {

using Words = std::vector<NameWord>;

bool has(const Words& words, Meaning meaning)
{
    return std::any_of(words.begin(), words.end(), [&](const NameWord& word) { return word.meaning == meaning; });
}

bool hasAnyOf(const Words& words, std::initializer_list<Meaning> meanings)
{
    return std::any_of(meanings.begin(), meanings.end(), [&](Meaning meaning) { return has(words, meaning); });
}

/// Which words the skeleton has: what "leg", "arm", "shoulder", "hip", "foot" and "hand" mean depends on the others.
struct Context
{
    bool hasThigh = false, hasShin = false, hasForearm = false, hasUpperArm = false, hasPlainArm = false;
    bool hasCollar = false, hasWrist = false, hasHand = false, hasAnkle = false, hasToe = false, hasAxes = false;
    bool hasSpine = false, hasHips = false;
    bool countsFingersFromZero = false; ///< finger 0 is the thumb (Biped), not finger 1 (MakeHuman, Rokoko)
    std::size_t vertebrae = 0;          ///< names such as L5, T12, C7

    void add(const Words& words)
    {
        if (hasAnyOf(words, {Meaning::Control, Meaning::End})) return;
        const bool isUpper = hasAnyOf(words, {Meaning::Upper}), isLower = has(words, Meaning::Lower);
        const bool isArm = has(words, Meaning::Arm), isLeg = has(words, Meaning::Leg);
        const bool isAnimal = hasAnyOf(words, {Meaning::Front, Meaning::Hind});
        hasAxes |= has(words, Meaning::Axis);
        hasThigh |= has(words, Meaning::Thigh) || (isLeg && isUpper && !isAnimal);
        hasShin |= has(words, Meaning::Shin) || (isLeg && isLower && !isAnimal);
        hasForearm |= has(words, Meaning::Forearm) || (isArm && (isLower || has(words, Meaning::Fore)));
        hasUpperArm |= has(words, Meaning::UpperArm) || (isArm && isUpper);
        hasPlainArm |= isArm && !isLower && !isUpper &&
                       !hasAnyOf(words, {Meaning::Fore, Meaning::Twist, Meaning::Roll, Meaning::Collar, Meaning::Palm,
                                         Meaning::Finger, Meaning::Shoulder});
        hasCollar |= has(words, Meaning::Collar);
        hasWrist |= has(words, Meaning::Wrist);
        hasHand |= has(words, Meaning::Hand) && !has(words, Meaning::Other);
        hasAnkle |= has(words, Meaning::Ankle);
        hasToe |= has(words, Meaning::Toe);
        hasSpine |= has(words, Meaning::Spine);
        hasHips |= has(words, Meaning::Pelvis) ||
                   (has(words, Meaning::Hip) && !hasAnyOf(words, {Meaning::Left, Meaning::Right}));
    }
};

/// The digits that follow the last word with one of these meanings; "" = none.
std::string digitsAfter(const Words& words, std::initializer_list<Meaning> meanings)
{
    std::string digits;
    bool isOpen = false;
    for (const NameWord& word : words) {
        const bool isIt = !word.isNumber && std::find(meanings.begin(), meanings.end(), word.meaning) != meanings.end();
        if (isIt) {
            isOpen = true;
            digits.clear();
        } else if (word.isNumber && isOpen) {
            digits = word.text;
            isOpen = false;
        }
    }
    return digits;
}

int asNumber(const std::string& digits) { return digits.empty() || digits.size() > 6 ? -1 : std::atoi(digits.c_str()); }

/// "L5", "T12", "C7" of a spine with its vertebrae; 0 = none of them. "HindLeg_L_02" is the second joint of a left leg.
char vertebraOf(const Words& words)
{
    if (hasAnyOf(words, {Meaning::Leg, Meaning::Thigh, Meaning::Shin, Meaning::Ankle, Meaning::Foot, Meaning::Toe,
                         Meaning::Arm, Meaning::UpperArm, Meaning::Forearm, Meaning::Wrist, Meaning::Hand,
                         Meaning::Finger, Meaning::Thumb, Meaning::Collar, Meaning::Shoulder}))
        return 0;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const std::string& letter = words[i].text;
        if (words[i].isNumber || letter.size() != 1 || !words[i + 1].isNumber || i + 2 < words.size()) continue;
        const int number = asNumber(words[i + 1].text);
        const int most = letter == "l" ? 5 : letter == "t" ? 12 : letter == "c" ? 7 : 0;
        if (number >= 1 && number <= most) return letter[0];
    }
    return 0;
}

class Reader
{
public:
    Reader(const Words& words, const Context& context) : m_words(words), m_context(context) {}

    NameReading read()
    {
        readSide();
        readKind();
        if (m_context.vertebrae >= 4 && readVertebra()) return m_reading;
        const bool isDone = readFingers() || readLegs() || readArms() || readTrunk() || readAnimal();
        if (!isDone && is(Meaning::Root)) {
            say(Part::Root, 1, Meaning::Root);
            if (!m_context.hasHips) say(Part::Hips, 0.6, Meaning::Root); // CMU, MakeHuman, Advanced Skeleton
        }
        if (m_reading.number < 0) m_reading.number = lastNumber();
        return m_reading;
    }

private:
    [[nodiscard]] bool is(Meaning meaning) const { return has(m_words, meaning); }
    [[nodiscard]] bool isSided() const { return m_reading.hasSide; }

    void say(Part part, double fit, Meaning by)
    {
        double& known = m_reading.fits[static_cast<std::size_t>(part)];
        known = std::max(known, fit);
        for (const NameWord& word : m_words)
            if (word.meaning == by && !word.isNumber && m_reading.word.empty()) m_reading.word = word.text;
        if (m_reading.number < 0) m_reading.number = asNumber(digitsAfter(m_words, {by}));
    }

    [[nodiscard]] int lastNumber() const
    {
        for (auto word = m_words.rbegin(); word != m_words.rend(); ++word)
            if (word->isNumber) return asNumber(word->text);
        return -1;
    }

    void readSide()
    {
        for (const NameWord& word : m_words) {
            if (word.meaning != Meaning::Left && word.meaning != Meaning::Right) continue;
            m_reading.side = word.meaning == Meaning::Left ? Side::Left : Side::Right;
            m_reading.hasSide = true;
            break;
        }
        const bool isOfLeg = hasAnyOf(m_words, {Meaning::Leg, Meaning::Foot, Meaning::Hip, Meaning::Thigh,
                                                Meaning::Shin, Meaning::Ankle, Meaning::Toe, Meaning::Shoulder});
        const bool isRobotLeg = is(Meaning::Fore) && m_words.size() <= 3 && m_words.front().meaning != Meaning::Fore;
        m_reading.isFront = is(Meaning::Front) || (is(Meaning::Fore) && !is(Meaning::Arm) && (isOfLeg || isRobotLeg));
        m_reading.isHind = is(Meaning::Hind) ||
                           (is(Meaning::Back) && isSided() &&
                            hasAnyOf(m_words, {Meaning::Leg, Meaning::Foot, Meaning::Hip, Meaning::Shoulder,
                                               Meaning::Thigh, Meaning::Shin, Meaning::Ankle, Meaning::Toe}));
    }

    void readKind()
    {
        m_reading.isControl = is(Meaning::Control);
        m_reading.isOther = is(Meaning::Other);
        m_reading.isTwist = is(Meaning::Twist) || (is(Meaning::Roll) && !m_context.hasAxes);
        m_reading.isEnd = is(Meaning::End) && !m_reading.isTwist;
        m_reading.isMetacarpal = is(Meaning::Metacarpal);
    }

    bool readVertebra()
    {
        switch (vertebraOf(m_words)) {
        case 'l': say(Part::Spine, 1, Meaning::Left); break;
        case 't': say(Part::Chest, 0.9, Meaning::Empty), say(Part::UpperChest, 0.8, Meaning::Empty); break;
        case 'c': say(Part::Neck, 1, Meaning::Centre); break;
        default: return false;
        }
        m_reading.side = Side::Centre;
        m_reading.hasSide = false;
        m_reading.word = "vertebra";
        return true;
    }

    bool readFingers()
    {
        static constexpr std::pair<Meaning, Part> kFingers[] = {{Meaning::Little, Part::Little},
                                                                {Meaning::RingFinger, Part::Ring},
                                                                {Meaning::MiddleFinger, Part::Middle},
                                                                {Meaning::Index, Part::Index},
                                                                {Meaning::Thumb, Part::Thumb}};
        const bool isToe = hasAnyOf(m_words, {Meaning::Foot, Meaning::Toe});
        for (const auto& [meaning, part] : kFingers) {
            if (!is(meaning)) continue;
            if (isToe) { // "LeftFootThumb1"
                say(Part::Toes, 0.9, meaning);
                return true;
            }
            if (meaning == Meaning::MiddleFinger && hasAnyOf(m_words, {Meaning::Leg, Meaning::Spine})) return false;
            if (meaning == Meaning::MiddleFinger && is(Meaning::Hand) && lastNumber() < 0) break; // "MiddleHand"
            say(part, 1, meaning);
            readLink(asNumber(digitsAfter(m_words, {meaning, Meaning::Finger, Meaning::Metacarpal})));
            return true;
        }
        if (is(Meaning::Mid) && isSided() &&
            !hasAnyOf(m_words, {Meaning::Leg, Meaning::Foot, Meaning::Front, Meaning::Hind})) {
            say(Part::Middle, 0.9, Meaning::Mid); // Daz: lMid1
            readLink(asNumber(digitsAfter(m_words, {Meaning::Mid})));
            return true;
        }
        if (is(Meaning::Fore) && m_words.size() <= 4 && isSided() && lastNumber() >= 0 &&
            !hasAnyOf(m_words, {Meaning::Arm, Meaning::Leg, Meaning::Foot, Meaning::Hand}) && m_context.hasWrist) {
            say(Part::Index, 0.8, Meaning::Fore); // MMD's English names: fore1_L
            readLink(lastNumber());
            return true;
        }
        if (is(Meaning::Finger)) return readNumberedFinger();
        return false;
    }

    void readLink(int number)
    {
        if (is(Meaning::Proximal))
            m_reading.number = 1;
        else if (is(Meaning::Intermediate))
            m_reading.number = 2;
        else if (is(Meaning::Distal))
            m_reading.number = 3;
        else
            m_reading.number = number;
    }

    /// "Finger0", "Finger21" (Biped: finger, link), "finger1-2" (MakeHuman), "Finger2Proximal" (Rokoko), "Fingers".
    bool readNumberedFinger()
    {
        const std::string digits = digitsAfter(m_words, {Meaning::Finger});
        static constexpr Part kByNumber[] = {Part::Thumb, Part::Index, Part::Middle, Part::Ring, Part::Little};
        const int first = digits.empty() ? -1 : digits[0] - '0';
        const int finger = first - (m_context.countsFingersFromZero ? 0 : 1);
        if (digits.empty() || m_reading.isMetacarpal || finger < 0 || finger > 4) {
            say(Part::Finger, 0.6, Meaning::Finger);
            say(Part::Index, digits.empty() ? 0.5 : 0.3, Meaning::Finger);
            return true;
        }
        say(kByNumber[finger], 0.9, Meaning::Finger);
        say(Part::Finger, 0.6, Meaning::Finger);
        std::vector<int> numbers;
        for (const NameWord& word : m_words)
            if (word.isNumber) numbers.push_back(asNumber(word.text));
        if (digits.size() > 1)
            m_reading.number = digits[1] - '0' + (m_context.countsFingersFromZero ? 1 : 0);
        else
            m_reading.number = numbers.size() > 1 ? numbers.back() : m_context.countsFingersFromZero ? 1 : -1;
        readLink(m_reading.number);
        return true;
    }

    bool readLegs()
    {
        const bool isUpper = is(Meaning::Upper), isLower = is(Meaning::Lower);
        const bool isAnimal = m_reading.isFront || m_reading.isHind;
        if (is(Meaning::Toe)) {
            say(Part::Toes, 1, Meaning::Toe);
        } else if (is(Meaning::Ankle)) {
            say(Part::Foot, 1, Meaning::Ankle);
        } else if (is(Meaning::Foot)) {
            const bool isToe = m_context.hasAnkle && !m_context.hasToe && !isAnimal;
            say(Part::Foot, isToe ? 0.3 : m_context.hasAnkle ? 0.6 : 1, Meaning::Foot);
            if (m_context.hasAnkle) say(Part::Toes, isToe ? 0.9 : 0.4, Meaning::Foot); // SMPL, Kinect
        } else if (is(Meaning::Shin)) {
            say(Part::LowerLeg, 1, Meaning::Shin);
        } else if (is(Meaning::Thigh)) {
            say(Part::UpperLeg, 1, Meaning::Thigh);
        } else if (is(Meaning::Hip) && isSided() && !(m_words.size() > 1 && is(Meaning::Body))) {
            const bool isThigh = !m_context.hasThigh || m_context.hasAxes;
            say(Part::UpperLeg, isThigh && !is(Meaning::Leg) ? 0.95 : isThigh ? 0.6 : 0.25, Meaning::Hip);
        } else if (is(Meaning::Leg)) {
            readPlainLeg(isUpper, isLower, isAnimal);
        } else if (isAnimal && m_words.size() <= 3 && isSided() && hasAnyOf(m_words, {Meaning::Front, Meaning::Hind}) &&
                   (hasText("ff") || hasText("ffb"))) {
            say(Part::Foot, 0.9, m_reading.isFront ? Meaning::Front : Meaning::Hind);
        } else {
            return false;
        }
        return true;
    }

    void readPlainLeg(bool isUpper, bool isLower, bool isAnimal)
    {
        if (isUpper)
            say(Part::UpperLeg, 1, Meaning::Leg);
        else if (isLower)
            say(Part::LowerLeg, 1, Meaning::Leg);
        else if (isAnimal)
            say(Part::UpperLeg, 0.5, Meaning::Leg), say(Part::LowerLeg, 0.4, Meaning::Leg),
                say(Part::Foot, 0.2, Meaning::Leg);
        else if (m_context.hasThigh)
            say(Part::LowerLeg, 0.95, Meaning::Leg);
        else if (m_context.hasShin)
            say(Part::UpperLeg, 0.95, Meaning::Leg);
        else
            say(Part::UpperLeg, 0.6, Meaning::Leg), say(Part::LowerLeg, 0.5, Meaning::Leg);
    }

    bool readArms()
    {
        if (is(Meaning::Collar)) {
            say(Part::Shoulder, 1, Meaning::Collar);
        } else if (is(Meaning::Wrist)) {
            say(Part::Hand, 1, Meaning::Wrist);
        } else if (is(Meaning::Forearm) || (is(Meaning::Arm) && (is(Meaning::Lower) || is(Meaning::Fore)))) {
            say(Part::LowerArm, 1, is(Meaning::Forearm) ? Meaning::Forearm : Meaning::Arm);
        } else if (is(Meaning::UpperArm) || (is(Meaning::Arm) && is(Meaning::Upper))) {
            say(Part::UpperArm, 1, is(Meaning::UpperArm) ? Meaning::UpperArm : Meaning::Arm);
        } else if (is(Meaning::Palm)) {
            say(Part::Hand, m_context.hasHand || m_context.hasWrist ? 0.2 : 0.9, Meaning::Palm);
        } else if (is(Meaning::Shoulder)) {
            readShoulder();
        } else if (is(Meaning::Hand)) {
            say(Part::Hand,
                m_context.hasWrist                              ? 0.5
                : is(Meaning::MiddleFinger) || is(Meaning::Mid) ? 0.3
                                                                : 1,
                Meaning::Hand);
        } else if (is(Meaning::Arm)) {
            if (m_context.hasForearm)
                say(Part::UpperArm, m_context.hasUpperArm ? 0.5 : 1, Meaning::Arm);
            else
                say(Part::UpperArm, 0.6, Meaning::Arm), say(Part::LowerArm, 0.4, Meaning::Arm);
        } else {
            return false;
        }
        return true;
    }

    /// A collarbone in Mixamo's and most names; the upper arm where something else is called a collarbone (3ds Max,
    /// Xsens, SMPL), and where no arm is called an arm (Kinect).
    void readShoulder()
    {
        const bool isArm = !m_context.hasUpperArm && !m_context.hasPlainArm;
        if (isArm) {
            say(Part::UpperArm, m_context.hasCollar ? 1 : 0.9, Meaning::Shoulder);
            say(Part::Shoulder, 0.2, Meaning::Shoulder);
        } else {
            say(Part::Shoulder, m_context.hasCollar ? 0.4 : 1, Meaning::Shoulder);
        }
    }

    bool readTrunk()
    {
        const bool isUpper = is(Meaning::Upper), isLower = is(Meaning::Lower);
        if (is(Meaning::Neck)) {
            say(Part::Neck, 1, Meaning::Neck);
        } else if (is(Meaning::Eye)) {
            say(Part::Eye, isSided() && !m_reading.isOther ? 1 : 0.2, Meaning::Eye);
        } else if (is(Meaning::Jaw)) {
            say(Part::Jaw, isSided() || m_reading.isOther ? 0.2 : 1, Meaning::Jaw);
        } else if (is(Meaning::Head)) {
            say(Part::Head, isSided() ? 0.3 : 1, Meaning::Head);
        } else if (is(Meaning::Pelvis)) {
            say(Part::Hips, isSided() ? 0 : 1, Meaning::Pelvis);
        } else if (is(Meaning::Hip)) {
            say(Part::Hips, 1, Meaning::Hip);
        } else if (is(Meaning::Body) && isLower) {
            say(Part::Hips, 1, Meaning::Body);
        } else if (is(Meaning::Body) && isUpper) {
            say(Part::Spine, 0.9, Meaning::Body), say(Part::Chest, 0.6, Meaning::Body);
        } else if (is(Meaning::Chest)) {
            say(Part::Chest, isUpper ? 0.5 : 0.9, Meaning::Chest);
            say(Part::UpperChest, isUpper ? 1 : 0.75, Meaning::Chest);
            say(Part::Spine, isUpper ? 0.1 : 0.5, Meaning::Chest);
        } else if (is(Meaning::Thorax)) {
            say(Part::UpperChest, 0.9, Meaning::Thorax), say(Part::Chest, 0.8, Meaning::Thorax);
        } else if (is(Meaning::Shoulders)) {
            say(Part::UpperChest, 0.8, Meaning::Shoulders), say(Part::Chest, 0.8, Meaning::Shoulders);
        } else if (is(Meaning::Belly)) {
            say(Part::Spine, 1, Meaning::Belly), say(Part::Chest, 0.35, Meaning::Belly);
        } else if (is(Meaning::Spine)) {
            say(Part::Spine, 0.8, Meaning::Spine), say(Part::Chest, 0.7, Meaning::Spine);
            say(Part::UpperChest, 0.7, Meaning::Spine);
            say(Part::Neck, 0.3, Meaning::Spine), say(Part::Hips, 0.3, Meaning::Spine),
                say(Part::Head, 0.2, Meaning::Spine);
        } else if (is(Meaning::Back) && !isSided()) {
            say(Part::Spine, isUpper ? 0.3 : 0.8, Meaning::Back), say(Part::Chest, isLower ? 0.2 : 0.7, Meaning::Back);
            if (!isLower) say(Part::UpperChest, 0.6, Meaning::Back);
            if (!m_context.hasSpine) say(Part::Hips, 0.4, Meaning::Back);
        } else if (is(Meaning::Torso)) {
            say(Part::Chest, 0.8, Meaning::Torso), say(Part::Spine, 0.7, Meaning::Torso);
            say(Part::UpperChest, 0.5, Meaning::Torso);
        } else if (is(Meaning::Body)) {
            say(Part::Root, 0.4, Meaning::Body), say(Part::Hips, m_context.hasHips ? 0.2 : 0.5, Meaning::Body);
        } else {
            return false;
        }
        return true;
    }

    bool readAnimal()
    {
        static constexpr std::pair<Meaning, Part> kParts[] = {{Meaning::Tail, Part::Tail},
                                                              {Meaning::Ear, Part::Ear},
                                                              {Meaning::Wing, Part::Wing},
                                                              {Meaning::Fin, Part::Fin}};
        for (const auto& [meaning, part] : kParts)
            if (is(meaning)) {
                say(part, 1, meaning);
                return true;
            }
        return false;
    }

    [[nodiscard]] bool hasText(std::string_view text) const
    {
        return std::any_of(m_words.begin(), m_words.end(), [&](const NameWord& word) { return word.text == text; });
    }

    const Words& m_words;
    const Context& m_context;
    NameReading m_reading;
};

/// The words with which most names begin, or end; empty where no side is among them.
std::vector<std::string> sharedWords(const std::vector<Words>& names, bool atEnd)
{
    constexpr double kMost = 0.7;
    const auto wordAt = [&](const Words& words, std::size_t i) -> const NameWord& {
        return words[atEnd ? words.size() - 1 - i : i];
    };
    std::vector<const Words*> alike;
    for (const Words& words : names) alike.push_back(&words);
    std::vector<std::string> shared;
    bool hasSide = false;
    while (true) {
        std::map<std::string, std::size_t> counts;
        for (const Words* words : alike)
            if (words->size() > shared.size()) ++counts[wordAt(*words, shared.size()).text];
        const auto most = std::max_element(counts.begin(), counts.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        if (most == counts.end() || static_cast<double>(most->second) < kMost * static_cast<double>(names.size()))
            break;
        std::erase_if(alike, [&](const Words* words) {
            return words->size() <= shared.size() || wordAt(*words, shared.size()).text != most->first;
        });
        const Meaning meaning = wordAt(*alike.front(), shared.size()).meaning;
        hasSide = hasSide || meaning == Meaning::Left || meaning == Meaning::Right;
        shared.push_back(most->first);
    }
    if (!hasSide) shared.clear();
    if (atEnd) std::reverse(shared.begin(), shared.end());
    return shared;
}

/// Takes the name of a character out of the names of its joints where it holds what looks like a side:
/// "Hero_R_LeftArm". Sides are what joints differ in. A model of one hand, all of whose joints have the same side,
/// keeps it.
void removeSharedSides(std::vector<Words>& names)
{
    constexpr std::size_t kFewest = 6;
    if (names.size() < kFewest) return;
    for (const bool atEnd : {false, true}) {
        const std::vector<std::string> shared = sharedWords(names, atEnd);
        if (shared.empty()) continue;
        std::vector<Words> without = names;
        const auto isSame = [](const NameWord& word, const std::string& text) { return word.text == text; };
        for (Words& words : without)
            if (const auto found = std::search(words.begin(), words.end(), shared.begin(), shared.end(), isSame);
                found != words.end())
                words.erase(found, found + static_cast<std::ptrdiff_t>(shared.size()));
        const auto any = [&](std::initializer_list<Meaning> meanings) {
            return std::any_of(without.begin(), without.end(),
                               [&](const Words& words) { return hasAnyOf(words, meanings); });
        };
        const bool tellsSides = any({Meaning::Left, Meaning::Right}),
                   isOfLimb = any({Meaning::Arm, Meaning::Hand, Meaning::Wrist, Meaning::Finger, Meaning::Thumb,
                                   Meaning::Index, Meaning::Leg, Meaning::Thigh, Meaning::Foot});
        if (tellsSides || !isOfLimb) names = std::move(without);
    }
}

} // namespace

bool NameReading::saysPart() const
{
    return std::any_of(fits.begin(), fits.end(), [](double fit) { return fit > 0; });
}

std::vector<NameReading> readNames(std::span<const std::string> names)
{
    std::vector<Words> words;
    Context context;
    std::set<std::string> fingers;
    for (const std::string& name : names) words.push_back(wordsOf(name));
    removeSharedSides(words);
    for (const Words& one : words) {
        context.add(one);
        if (vertebraOf(one) != 0) ++context.vertebrae;
        const std::string digits = digitsAfter(one, {Meaning::Finger});
        if (!digits.empty()) fingers.insert(digits.substr(0, 1));
    }
    context.countsFingersFromZero = fingers.count("0") != 0;
    std::vector<NameReading> readings;
    for (const Words& one : words) readings.push_back(Reader(one, context).read());
    return readings;
}

} // namespace tendon

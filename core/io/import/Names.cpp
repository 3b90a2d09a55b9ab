#include "core/io/import/SceneBuilder.h"

#include <unordered_map>
#include <unordered_set>

namespace tendon {
namespace {

constexpr std::size_t kMaxBytes = 255; ///< bytes

/// Counts one kind of change and names its first few cases in one issue.
class Change
{
public:
    /// `what` follows the noun: "had no name".
    Change(const char* noun, const char* what) : m_noun(noun), m_what(what) {}
    void note(const std::string& name)
    {
        if (m_count++ < 3) m_examples += (m_examples.empty() ? "\"" : ", \"") + name + "\"";
    }
    void report(Issues& issues, Severity severity) const
    {
        if (m_count == 0) return;
        issues.push_back({severity,
                          std::to_string(m_count) + " " + m_noun + (m_count == 1 ? " " : "s ") + m_what + ": " +
                              m_examples + (m_count > 3 ? ", ..." : ""),
                          ""});
    }

private:
    const char* m_noun;
    const char* m_what;
    std::size_t m_count = 0;
    std::string m_examples;
};

/// Without control characters and not longer than kMaxBytes, cut between characters.
std::string printable(std::string name)
{
    for (char& c : name)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
    // What reorders the text around it (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) is invisible and can
    // deceive.
    for (std::size_t at = 0; (at = name.find("\xe2\x80", at)) != std::string::npos; ++at)
        if (const auto last = static_cast<unsigned char>(name[at + 2]);
            (last >= 0x8e && last <= 0x8f) || (last >= 0xaa && last <= 0xae))
            name.replace(at, 3, "_");
    for (std::size_t at = 0; (at = name.find("\xe2\x81", at)) != std::string::npos; ++at)
        if (const auto last = static_cast<unsigned char>(name[at + 2]); last >= 0xa6 && last <= 0xa9)
            name.replace(at, 3, "_");
    if (name.size() > kMaxBytes) {
        std::size_t end = kMaxBytes;
        while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
        name.resize(end);
    }
    return name;
}

class Namer
{
public:
    Namer(const char* noun, Issues& issues)
        : m_issues(issues), m_given(noun, "had no name; named"),
          m_cleaned(noun, "had an invalid name (too long, or with control characters); changed"),
          m_numbered(noun, "had the same name as another; numbered")
    {
    }
    ~Namer()
    {
        m_given.report(m_issues, Severity::Info);
        m_cleaned.report(m_issues, Severity::Warning);
        m_numbered.report(m_issues, Severity::Warning);
    }

    /// Names that stand in the file keep theirs before others are given the same one.
    void reserve(const std::string& name) { ++m_wanted[printable(name)]; }

    std::string take(const std::string& original, const std::string& ifEmpty)
    {
        std::string name = printable(original);
        if (name.empty()) name = ifEmpty;
        const std::string base = name;
        for (int& number = m_next[base]; (name != base && m_wanted.contains(name)) || !m_taken.insert(name).second;)
            name = base + "_" + std::to_string(number = std::max(number + 1, 2));
        if (original.empty())
            m_given.note(name);
        else if (base != original)
            m_cleaned.note(name);
        else if (name != original)
            m_numbered.note(name);
        return name;
    }

private:
    Issues& m_issues;
    Change m_given, m_cleaned, m_numbered;
    std::unordered_set<std::string> m_taken;
    std::unordered_map<std::string, int> m_next, m_wanted;
};

} // namespace

std::vector<std::string> jointNames(const JointPlan& plan, const SourceModel& model, Issues& issues)
{
    Namer namer("joint", issues);
    for (const auto& entry : plan.joints) namer.reserve(model.nodes[static_cast<std::size_t>(entry.node)].name);
    std::vector<std::string> names;
    for (const auto& entry : plan.joints)
        names.push_back(
            namer.take(model.nodes[static_cast<std::size_t>(entry.node)].name, "node" + std::to_string(entry.node)));
    return names;
}

std::vector<std::string> clipNames(const std::vector<SourceAnimation>& animations, Issues& issues)
{
    Namer namer("clip", issues);
    for (const SourceAnimation& animation : animations) namer.reserve(animation.name);
    std::vector<std::string> names;
    for (const SourceAnimation& animation : animations)
        names.push_back(namer.take(animation.name, "animation" + std::to_string(animation.index)));
    return names;
}

} // namespace tendon

#include "core/io/readers/assimp/BvhText.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace tendon::assimp {
namespace {

constexpr char kBlank = '\x01'; ///< stands for a blank in a name
constexpr std::string_view kSpaces = " \t\r\n\f\v";

bool isSpace(char c) { return kSpaces.find(c) != kSpaces.npos; }

/// The next word of a text, which is cut off from it; empty at its end.
std::string_view nextWord(std::string_view& text)
{
    const std::size_t begin = std::min(text.find_first_not_of(kSpaces), text.size());
    const std::size_t end = std::min(text.find_first_of(kSpaces, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
}

/// True if a line of the hierarchy begins with that word; it is cut off then.
bool takeWord(std::string_view& line, std::string_view word)
{
    std::string_view rest = line;
    if (nextWord(rest) != word) return false;
    line = rest;
    return true;
}

std::size_t wordsIn(std::string_view text)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (!isSpace(text[i]) && (i == 0 || isSpace(text[i - 1]))) ++count;
    return count;
}

template <typename Number>
bool parse(std::string_view word, Number& number)
{
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
    return parsed.ec == std::errc() && parsed.ptr == word.data() + word.size();
}

/// The blanks between the first and the last character of a name, which ends before a brace.
void joinName(std::string_view name, std::string& text, std::size_t at)
{
    name = name.substr(0, name.find('{'));
    const std::size_t first = name.find_first_not_of(kSpaces), last = name.find_last_not_of(kSpaces);
    for (std::size_t i = first; first != name.npos && i < last; ++i)
        if (isSpace(name[i])) text[at + i] = kBlank;
}

/// Frames and rows of the motion, which stands after the hierarchy.
Result<void> checkMotion(std::string_view motion, std::size_t channels, Issues& issues)
{
    if (nextWord(motion) != "Frames:") return {}; // Assimp says what is wrong
    const std::string_view stated = nextWord(motion);
    std::size_t frames = 0;
    if (!parse(stated, frames))
        return Error{ErrorCode::InvalidArgument,
                     "corrupt BVH: \"" + std::string(stated.substr(0, 32)) + "\" is not a number of frames", ""};
    if (nextWord(motion) != "Frame" || nextWord(motion) != "Time:") return {};
    double seconds = 0;
    if (!parse(nextWord(motion), seconds) || !(seconds > 0) || !std::isfinite(seconds))
        issues.push_back(
            {Severity::Warning, "the frame time is not a positive number; 25 frames a second are assumed", ""});
    const std::size_t numbers = wordsIn(motion), rows = channels == 0 ? frames : numbers / channels;
    const std::string found = std::to_string(frames) + " frames of " + std::to_string(channels) +
                              " channels are stated, but the motion has " + std::to_string(numbers) + " numbers";
    if (rows < frames) return Error{ErrorCode::InvalidArgument, "corrupt BVH: " + found + "; it is cut short", ""};
    if (numbers > frames * channels)
        issues.push_back({Severity::Warning, found + "; those at the end were left out", ""});
    return {};
}

} // namespace

Result<std::vector<std::uint8_t>> plainBvh(std::span<const std::uint8_t> file, Issues& issues)
{
    std::string text(file.begin(), file.end());
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    std::size_t channels = 0, at = 0;
    bool areChannelsKnown = true;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
        std::string_view line(text.data() + at, end - at);
        at = end + 1;
        if (takeWord(line, "MOTION")) {
            const std::string_view motion(line.data(),
                                          text.size() - static_cast<std::size_t>(line.data() - text.data()));
            const auto checked = areChannelsKnown ? checkMotion(motion, channels, issues) : Result<void>();
            if (!checked) return checked.error();
            break;
        }
        if (takeWord(line, "ROOT") || takeWord(line, "JOINT")) {
            joinName(line, text, static_cast<std::size_t>(line.data() - text.data()));
        } else if (takeWord(line, "CHANNELS")) {
            std::size_t count = 0;
            areChannelsKnown = areChannelsKnown && parse(nextWord(line), count) && count <= 9;
            channels += count;
        }
    }
    return std::vector<std::uint8_t>(text.begin(), text.end());
}

void addOffsets(SourceModel& model)
{
    std::size_t joints = 0;
    double longest = 0;
    for (const SourceNode& node : model.nodes) {
        if (node.parent < 0 || node.name.starts_with("EndSite_")) continue;
        ++joints;
        longest = std::max(longest, node.local.translation.norm());
    }
    std::vector<SourceChannel*> added;
    for (SourceAnimation& animation : model.animations)
        for (SourceChannel& channel : animation.channels) {
            const SourceNode& node = model.nodes[static_cast<std::size_t>(channel.node)];
            if (channel.path != SourcePath::Translation || node.parent < 0) continue;
            double fromZero = 0, fromOffset = 0;
            for (std::size_t i = 0; i < channel.values.size(); ++i) {
                const double offset = node.local.translation[static_cast<Eigen::Index>(i % 3)];
                fromZero = std::max(fromZero, std::abs(channel.values[i]));
                fromOffset = std::max(fromOffset, std::abs(channel.values[i] - offset));
            }
            const double tiny = 1e-3 * longest;
            if (fromZero < tiny)
                added.push_back(&channel);
            else if (fromOffset > tiny)
                return; // it moves along its bone, or away from it
        }
    if (!(longest > 0) || added.size() * 2 <= joints) return;
    for (SourceChannel* channel : added) {
        const Vector3 offset = model.nodes[static_cast<std::size_t>(channel->node)].local.translation;
        for (std::size_t i = 0; i < channel->values.size(); ++i)
            channel->values[i] += offset[static_cast<Eigen::Index>(i % 3)];
    }
    model.issues.push_back({Severity::Info,
                            "the position channels of its joints are all about zero; they were added to their OFFSETs",
                            ""});
}

void restoreBlanks(SourceModel& model)
{
    for (SourceNode& node : model.nodes) std::replace(node.name.begin(), node.name.end(), kBlank, ' ');
}

} // namespace tendon::assimp

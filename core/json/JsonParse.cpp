#include "core/json/JsonParse.h"

#include <QByteArray>

#include <algorithm>
#include <deque>
#include <unordered_set>
#include <vector>

namespace tendon {
namespace {

constexpr std::size_t kFewMembers = 16; // so many are compared one by one

/// Goes through text that is known to be JSON.
class Scanner
{
public:
    explicit Scanner(std::string_view text) : m_text(text) {}

    std::optional<JsonFlaw> findFlaw()
    {
        for (std::size_t at = 0; at < m_text.size(); ++at) {
            switch (m_text[at]) {
            case '{': open(true); break;
            case '[': open(false); break;
            case '}':
            case ']': --m_depth; break;
            case ',':
                level().awaitsName = level().isObject;
                ++level().index;
                break;
            case '"': {
                const std::size_t begin = at + 1;
                at = endOfString(begin);
                const std::string_view raw = m_text.substr(begin, at - begin);
                if (auto flaw = readString(raw, begin)) return flaw;
                break;
            }
            default: break;
            }
        }
        return std::nullopt;
    }

private:
    struct Level
    {
        bool isObject = false, awaitsName = false;
        std::size_t index = 0;
        std::string_view name; ///< of the member that is read
        std::vector<std::string_view> few;
        std::unordered_set<std::string_view> many;
    };

    Level& level() { return m_levels[m_depth - 1]; }

    void open(bool isObject)
    {
        if (m_depth == m_levels.size()) m_levels.emplace_back();
        Level& next = m_levels[m_depth++];
        next.isObject = next.awaitsName = isObject;
        next.index = 0;
        next.few.clear();
        next.many.clear();
    }

    [[nodiscard]] std::size_t endOfString(std::size_t at) const
    {
        while (m_text[at] != '"') at += m_text[at] == '\\' ? 2 : 1;
        return at;
    }

    std::optional<JsonFlaw> readString(std::string_view raw, std::size_t begin)
    {
        const bool isName = m_depth > 0 && level().awaitsName;
        std::string_view text = raw;
        if (raw.find('\\') != std::string_view::npos) {
            std::string decoded;
            if (const auto half = decode(raw, decoded))
                return JsonFlaw{begin + *half, pointer(),
                                "contains " + std::string(raw.substr(*half, 6)) +
                                    ", half of a surrogate pair; write both halves or leave it out",
                                true};
            if (isName) text = m_decoded.emplace_back(std::move(decoded));
        }
        if (!isName) return std::nullopt;
        if (!note(text))
            return JsonFlaw{begin, pointer(),
                            "gives the member \"" + std::string(text) + "\" twice; remove one of them", true};
        level().awaitsName = false;
        level().name = text;
        return std::nullopt;
    }

    /// False: the object has this member already.
    bool note(std::string_view name)
    {
        Level& object = level();
        if (object.few.size() < kFewMembers) {
            if (std::find(object.few.begin(), object.few.end(), name) != object.few.end()) return false;
            object.few.push_back(name);
            return true;
        }
        if (object.many.empty()) object.many.insert(object.few.begin(), object.few.end());
        return object.many.insert(name).second;
    }

    /// Appends as UTF-8. Returns where a surrogate stands alone.
    static std::optional<std::size_t> decode(std::string_view raw, std::string& decoded)
    {
        const auto unit = [&](std::size_t at) {
            return static_cast<unsigned>(std::stoul(std::string(raw.substr(at + 2, 4)), nullptr, 16));
        };
        const auto isEscaped = [&](std::size_t at) {
            return at + 6 <= raw.size() && raw[at] == '\\' && raw[at + 1] == 'u';
        };
        for (std::size_t at = 0; at < raw.size(); ++at) {
            if (raw[at] != '\\') {
                decoded += raw[at];
            } else if (raw[at + 1] != 'u') {
                constexpr std::string_view kLetters = "bfnrt", kMeant = "\b\f\n\r\t";
                const std::size_t letter = kLetters.find(raw[++at]);
                decoded += letter == std::string_view::npos ? raw[at] : kMeant[letter];
            } else {
                char32_t code = unit(at);
                const bool isPair = code >= 0xD800 && code < 0xDC00 && isEscaped(at + 6) && unit(at + 6) >= 0xDC00 &&
                                    unit(at + 6) < 0xE000;
                if (!isPair && code >= 0xD800 && code < 0xE000) return at;
                if (isPair) code = 0x10000 + ((code - 0xD800) << 10) + (unit(at + 6) - 0xDC00);
                decoded += QString::fromUcs4(&code, 1).toStdString();
                at += isPair ? 11 : 5;
            }
        }
        return std::nullopt;
    }

    /// To the value that is read, or to the object of a name.
    [[nodiscard]] std::string pointer() const
    {
        std::string path;
        for (std::size_t i = 0; i < m_depth; ++i) {
            const Level& at = m_levels[i];
            if (at.isObject && at.awaitsName) break;
            path += '/';
            if (!at.isObject) path += std::to_string(at.index);
            for (const char c : at.isObject ? at.name : std::string_view())
                path += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
        }
        return path;
    }

    std::string_view m_text;
    std::vector<Level> m_levels; ///< more than m_depth: memory that is used again
    std::size_t m_depth = 0;
    std::deque<std::string> m_decoded; ///< names that had escapes
};

} // namespace

ParsedJson parseJson(std::string_view text)
{
    QJsonParseError problem;
    QJsonDocument document = QJsonDocument::fromJson(
        QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())), &problem);
    if (problem.error != QJsonParseError::NoError)
        return {{},
                JsonFlaw{static_cast<std::size_t>(std::max(problem.offset, 0)), "", problem.errorString().toStdString(),
                         false}};
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    const std::size_t begin = text.starts_with(kMark) ? kMark.size() : 0;
    if (auto flaw = Scanner(text.substr(begin)).findFlaw()) {
        flaw->offset += begin;
        return {{}, std::move(flaw)};
    }
    return {std::move(document), std::nullopt};
}

Result<QJsonObject> parseJsonObject(std::string_view text, const std::string& kind)
{
    const ParsedJson json = parseJson(text);
    if (json.flaw && json.flaw->isJson)
        return Error{ErrorCode::InvalidArgument,
                     "line " + std::to_string(lineOf(text, json.flaw->offset)) + " " + json.flaw->message,
                     json.flaw->pointer};
    if (json.flaw)
        return Error{ErrorCode::InvalidArgument,
                     "is not " + kind + ": not JSON at byte " + std::to_string(json.flaw->offset) + " (" +
                         json.flaw->message + ")",
                     ""};
    if (!json.document.isObject())
        return Error{ErrorCode::InvalidArgument, "is not " + kind + ": the JSON is not an object", ""};
    return json.document.object();
}

int lineOf(std::string_view text, std::size_t offset)
{
    return 1 + static_cast<int>(std::count(
                   text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size())), '\n'));
}

} // namespace tendon

#include "core/io/readers/fbx/FbxRecords.h"

#include <zlib.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <string>

namespace tendon::fbx {
namespace {

using namespace std::string_view_literals;

constexpr int kMaxDepth = 64;                                ///< records inside records
constexpr std::size_t kMaxArrayBytes = std::size_t{1} << 28; ///< bytes
constexpr std::size_t kMaxInflation = 1032;                  ///< what a byte of deflated data can stand for at most

Error corrupt(const char* what) { return {ErrorCode::InvalidArgument, std::string("corrupt FBX: ") + what, ""}; }

std::size_t sizeOf(char arrayType)
{
    switch (arrayType) {
    case 'd':
    case 'l': return 8;
    case 'f':
    case 'i': return 4;
    default: return 1;
    }
}

template <typename T>
double valueAt(const char* bytes, std::size_t index)
{
    T value{};
    std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
    return static_cast<double>(value);
}

std::vector<double> decode(const Value& property)
{
    if (!property.listed.empty()) return property.listed;
    const std::size_t size = sizeOf(property.type), wanted = size * property.count;
    std::string_view bytes = property.bytes;
    std::vector<char> whole;
    if (property.isDeflated) {
        if (wanted > kMaxArrayBytes || wanted > kMaxInflation * (bytes.size() + 1)) return {};
        whole.resize(wanted);
        auto length = static_cast<uLongf>(wanted);
        if (::uncompress(reinterpret_cast<Bytef*>(whole.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()),
                         static_cast<uLong>(bytes.size())) != Z_OK ||
            length != wanted)
            return {};
        bytes = {whole.data(), whole.size()};
    }
    if (bytes.size() < wanted) return {};
    std::vector<double> numbers(property.count);
    for (std::size_t i = 0; i < numbers.size(); ++i) switch (property.type) {
        case 'd': numbers[i] = valueAt<double>(bytes.data(), i); break;
        case 'f': numbers[i] = valueAt<float>(bytes.data(), i); break;
        case 'l': numbers[i] = valueAt<std::int64_t>(bytes.data(), i); break;
        case 'i': numbers[i] = valueAt<std::int32_t>(bytes.data(), i); break;
        default: numbers[i] = valueAt<std::int8_t>(bytes.data(), i); break;
        }
    return numbers;
}

/// Binary: each record says where it ends; numbers are little-endian.
class BinaryReader
{
public:
    explicit BinaryReader(std::string_view file) : m_file(file) {}

    Result<std::vector<Record>> read()
    {
        m_at = 23;
        const auto version = take<std::uint32_t>();
        m_isWide = version >= 7500;
        if (version < 6000 || version > 8000) return corrupt("invalid version");
        std::vector<Record> records;
        while (!m_isBad && m_at < m_file.size()) {
            Record record;
            if (!readRecord(record, m_file.size(), 0)) break;
            records.push_back(std::move(record));
        }
        if (m_isBad) return corrupt("a length exceeds the file");
        return records;
    }

private:
    template <typename T>
    T take()
    {
        T value{};
        if (m_file.size() - m_at < sizeof(T)) {
            m_isBad = true;
            return value;
        }
        std::memcpy(&value, m_file.data() + m_at, sizeof(T));
        m_at += sizeof(T);
        return value;
    }

    std::size_t takeOffset() { return m_isWide ? take<std::uint64_t>() : take<std::uint32_t>(); }

    std::string_view takeBytes(std::size_t count)
    {
        if (m_isBad || count > m_file.size() - m_at) {
            m_isBad = true;
            return {};
        }
        m_at += count;
        return m_file.substr(m_at - count, count);
    }

    /// False at the end of a list (a record of zeros) or when something does not fit.
    bool readRecord(Record& record, std::size_t limit, int depth)
    {
        const std::size_t end = takeOffset(), count = takeOffset();
        takeOffset(); // bytes of all properties
        record.name = takeBytes(take<std::uint8_t>());
        if (m_isBad || end == 0) return false;
        if (end > limit || end < m_at || depth > kMaxDepth || count > end - m_at) m_isBad = true;
        for (std::size_t p = 0; p < count && !m_isBad; ++p) readProperty(record.properties.emplace_back());
        while (!m_isBad && m_at < end) {
            Record child;
            if (!readRecord(child, end, depth + 1)) break;
            record.children.push_back(std::move(child));
        }
        if (m_at > end) m_isBad = true;
        if (m_isBad) return false;
        m_at = end;
        return true;
    }

    template <typename T>
    void takeNumber(Value& property)
    {
        const T value = take<T>();
        property.number = static_cast<double>(value);
        if constexpr (std::is_integral_v<T>)
            property.integer = static_cast<std::int64_t>(value);
        else
            property.integer = std::abs(property.number) < 1e18 ? static_cast<std::int64_t>(property.number) : 0;
    }

    void readProperty(Value& property)
    {
        property.type = take<char>();
        switch (property.type) {
        case 'C':
        case 'B': takeNumber<std::uint8_t>(property); break;
        case 'Y': takeNumber<std::int16_t>(property); break;
        case 'I': takeNumber<std::int32_t>(property); break;
        case 'L': takeNumber<std::int64_t>(property); break;
        case 'F': takeNumber<float>(property); break;
        case 'D': takeNumber<double>(property); break;
        case 'S':
        case 'R': property.bytes = takeBytes(take<std::uint32_t>()); break;
        case 'f':
        case 'd':
        case 'l':
        case 'i':
        case 'b':
        case 'c': {
            property.count = take<std::uint32_t>();
            property.isDeflated = take<std::uint32_t>() != 0;
            property.bytes = takeBytes(take<std::uint32_t>());
            break;
        }
        default: m_isBad = true;
        }
    }

    std::string_view m_file;
    std::size_t m_at = 0;
    bool m_isWide = false, m_isBad = false;
};

/// Text: `Name: value, "text", ... { records }`; an array is `Name: *COUNT { a: values }`; `;` begins a remark.
class TextReader
{
public:
    explicit TextReader(std::string_view file) : m_file(file) {}

    Result<std::vector<Record>> read()
    {
        std::vector<Record> records;
        readList(records, 0);
        if (m_isBad || m_at < m_file.size()) return corrupt("brackets do not match");
        return records;
    }

private:
    void skipBlanks(bool alsoLines)
    {
        for (; m_at < m_file.size(); ++m_at) {
            const char c = m_file[m_at];
            if (c == ';' && alsoLines) {
                m_at = std::min(m_file.find('\n', m_at), m_file.size() - 1);
                continue;
            }
            if (c != ' ' && c != '\t' && c != '\r' && !(alsoLines && c == '\n')) return;
        }
    }

    [[nodiscard]] char next() const { return m_at < m_file.size() ? m_file[m_at] : '\0'; }

    void readList(std::vector<Record>& records, int depth)
    {
        if (depth > kMaxDepth) m_isBad = true;
        while (!m_isBad) {
            skipBlanks(true);
            if (m_at >= m_file.size() || next() == '}') return;
            readRecord(records.emplace_back(), depth);
        }
    }

    void readRecord(Record& record, int depth)
    {
        const std::size_t colon = m_file.find_first_of(":\n", m_at);
        if (colon == m_file.npos || m_file[colon] != ':') {
            m_isBad = true;
            return;
        }
        record.name = m_file.substr(m_at, colon - m_at);
        m_at = colon + 1;
        const bool isList = record.name == "a"sv;
        if (isList) record.properties.emplace_back().type = 'd';
        for (;;) {
            skipBlanks(false);
            const char c = next();
            if (c == '\0' || c == '\n' || c == '}') return;
            if (c == '{') {
                ++m_at;
                readList(record.children, depth + 1);
                if (next() != '}')
                    m_isBad = true;
                else
                    ++m_at;
                return;
            }
            if (isList)
                record.properties[0].listed.push_back(readValue().number);
            else
                record.properties.push_back(readValue());
            skipBlanks(false);
            if (next() == ',') {
                ++m_at;
                skipBlanks(true);
            }
        }
    }

    Value readValue()
    {
        Value property;
        if (next() == '"') {
            const std::size_t end = std::min(m_file.find('"', m_at + 1), m_file.size() - 1);
            property.type = 'S';
            property.bytes = m_file.substr(m_at + 1, end - m_at - 1);
            m_at = end + 1;
            return property;
        }
        const std::size_t end = std::min(m_file.find_first_of(",{} \t\r\n", m_at), m_file.size());
        const std::string_view token = m_file.substr(m_at, end - m_at);
        m_at = std::max(end, m_at + 1);
        property.type = 'D';
        const char* last = token.data() + token.size();
        if (std::from_chars(token.data(), last, property.integer).ptr == last && !token.empty()) {
            property.type = 'L';
            property.number = static_cast<double>(property.integer);
        } else if (std::from_chars(token.data(), last, property.number).ptr != last || token.empty()) {
            property.type = 'S'; // a bare word
            property.bytes = token;
        }
        return property;
    }

    std::string_view m_file;
    std::size_t m_at = 0;
    bool m_isBad = false;
};

} // namespace

const Record* Record::find(std::string_view wanted) const
{
    for (const Record& child : children)
        if (child.name == wanted) return &child;
    return nullptr;
}

std::int64_t Record::integerAt(std::size_t property) const
{
    return property < properties.size() ? properties[property].integer : 0;
}

double Record::numberAt(std::size_t property) const
{
    return property < properties.size() ? properties[property].number : 0;
}

std::string_view Record::textAt(std::size_t property) const
{
    if (property >= properties.size()) return {};
    const Value& text = properties[property];
    return text.type == 'S' || text.type == 'R' ? text.bytes : std::string_view();
}

std::vector<double> Record::numbers() const
{
    if (const Record* list = find("a")) return list->numbers();
    if (properties.empty()) return {};
    if (std::string_view("fdlibc").find(properties[0].type) != std::string_view::npos) return decode(properties[0]);
    std::vector<double> listed;
    for (const Value& property : properties) listed.push_back(property.number);
    return listed;
}

Result<std::vector<Record>> readRecords(std::span<const std::uint8_t> file)
{
    const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
    if (bytes.starts_with("Kaydara FBX Binary"sv)) {
        if (bytes.size() < 27) return corrupt("the file is cut short");
        return BinaryReader(bytes).read();
    }
    return TextReader(bytes).read();
}

} // namespace tendon::fbx

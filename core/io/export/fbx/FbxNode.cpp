#include "core/io/export/fbx/FbxNode.h"

#include <cstring>

namespace tendon::fbx {
namespace {

constexpr std::size_t kRecordEnd = 13; ///< zero bytes after the records inside a record, and after the last of the file
constexpr std::uint32_t kVersion = 7400;

template <typename T>
void append(Bytes& bytes, const T& value)
{
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

void append(Bytes& bytes, std::string_view text) { bytes.insert(bytes.end(), text.begin(), text.end()); }

template <typename T>
void patch(Bytes& bytes, std::size_t at, T value)
{
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

} // namespace

void Node::beginProperty(char type)
{
    ++m_propertyCount;
    append(m_properties, type);
}

Node& Node::flag(bool value)
{
    beginProperty('C');
    append(m_properties, static_cast<std::uint8_t>(value ? 1 : 0));
    return *this;
}

Node& Node::integer(std::int32_t value)
{
    beginProperty('I');
    append(m_properties, value);
    return *this;
}

Node& Node::id(std::int64_t value)
{
    beginProperty('L');
    append(m_properties, value);
    return *this;
}

Node& Node::number(double value)
{
    beginProperty('D');
    append(m_properties, value);
    return *this;
}

Node& Node::text(std::string_view value)
{
    beginProperty('S');
    append(m_properties, static_cast<std::uint32_t>(value.size()));
    append(m_properties, value);
    return *this;
}

Node& Node::objectName(std::string_view name, std::string_view className)
{
    std::string whole(name);
    whole.append("\0\1", 2).append(className);
    return text(whole);
}

Node& Node::raw(std::span<const std::uint8_t> bytes)
{
    beginProperty('R');
    append(m_properties, static_cast<std::uint32_t>(bytes.size()));
    m_properties.insert(m_properties.end(), bytes.begin(), bytes.end());
    return *this;
}

/// Arrays: count, encoding (0 = as it stands), length in bytes, values.
template <typename T>
Node& Node::array(char type, std::span<const T> values)
{
    beginProperty(type);
    append(m_properties, static_cast<std::uint32_t>(values.size()));
    append(m_properties, std::uint32_t{0});
    append(m_properties, static_cast<std::uint32_t>(values.size_bytes()));
    const std::size_t at = m_properties.size();
    m_properties.resize(at + values.size_bytes());
    if (!values.empty()) std::memcpy(m_properties.data() + at, values.data(), values.size_bytes());
    return *this;
}

Node& Node::numbers(std::span<const double> values) { return array('d', values); }
Node& Node::floats(std::span<const float> values) { return array('f', values); }
Node& Node::integers(std::span<const std::int32_t> values) { return array('i', values); }
Node& Node::longs(std::span<const std::int64_t> values) { return array('l', values); }

Node& Node::add(std::string_view name) { return m_children.emplace_back(name); }

void Node::write(Bytes& bytes) const
{
    const std::size_t begin = bytes.size();
    append(bytes, std::uint32_t{0}); // where the record ends
    append(bytes, m_propertyCount);
    append(bytes, static_cast<std::uint32_t>(m_properties.size()));
    append(bytes, static_cast<std::uint8_t>(m_name.size()));
    append(bytes, std::string_view(m_name));
    bytes.insert(bytes.end(), m_properties.begin(), m_properties.end());
    for (const Node& child : m_children) child.write(bytes);
    if (!m_children.empty() || m_propertyCount == 0 || m_isScope) bytes.resize(bytes.size() + kRecordEnd, 0);
    patch(bytes, begin, static_cast<std::uint32_t>(bytes.size()));
}

Properties& Properties::p(std::string_view name, std::string_view type, std::string_view label, std::string_view flags)
{
    m_last = &m_node.add("P").text(name).text(type).text(label).text(flags);
    return *this;
}

Properties& Properties::put(std::int32_t value)
{
    m_last->integer(value);
    return *this;
}

Properties& Properties::put(double value)
{
    m_last->number(value);
    return *this;
}

Properties& Properties::time(std::string_view name, std::int64_t ticks)
{
    p(name, "KTime", "Time", "");
    m_last->id(ticks);
    return *this;
}

Properties& Properties::text(std::string_view name, std::string_view value)
{
    p(name, "KString", "", "");
    m_last->text(value);
    return *this;
}

Properties& Properties::vector(std::string_view name, std::string_view type, double x, double y, double z)
{
    p(name, type, "", "A");
    m_last->number(x).number(y).number(z);
    return *this;
}

Bytes fileBytes(std::span<const Node> topLevel)
{
    // The magic numbers of header and footer are the format's own. The footer's belong to the fixed creation time and
    // file id that FbxWriter puts in: readers that check them check the three against each other.
    static constexpr std::uint8_t kFooterId[] = {0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66,
                                                 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e};
    static constexpr std::uint8_t kFooterEnd[] = {0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e,
                                                  0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b};
    Bytes bytes;
    append(bytes, std::string_view("Kaydara FBX Binary  \0\x1a\0", 23));
    append(bytes, kVersion);
    for (const Node& node : topLevel) node.write(bytes);
    bytes.resize(bytes.size() + kRecordEnd, 0);
    bytes.insert(bytes.end(), std::begin(kFooterId), std::end(kFooterId));
    bytes.resize(bytes.size() + 4, 0);
    bytes.resize(bytes.size() + 16 - bytes.size() % 16, 0);
    append(bytes, kVersion);
    bytes.resize(bytes.size() + 120, 0);
    bytes.insert(bytes.end(), std::begin(kFooterEnd), std::end(kFooterEnd));
    return bytes;
}

} // namespace tendon::fbx

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tendon::fbx {

using Bytes = std::vector<std::uint8_t>;

/// One record of a binary FBX file: a name, properties, records inside. Built from the outside in; add() and the like
/// return the record that was added, which is valid until the next one is added beside it.
class Node
{
public:
    explicit Node(std::string_view name) : m_name(name) {}

    // properties, in order
    Node& flag(bool value);             ///< C
    Node& integer(std::int32_t value);  ///< I
    Node& id(std::int64_t value);       ///< L
    Node& number(double value);         ///< D
    Node& text(std::string_view value); ///< S
    /// The name of an object as FBX writes it: "name", 0, 1, "class".
    Node& objectName(std::string_view name, std::string_view className);
    Node& raw(std::span<const std::uint8_t> bytes);       ///< R
    Node& numbers(std::span<const double> values);        ///< d
    Node& floats(std::span<const float> values);          ///< f
    Node& integers(std::span<const std::int32_t> values); ///< i
    Node& longs(std::span<const std::int64_t> values);    ///< l

    Node& add(std::string_view name);
    Node& add(std::string_view name, std::int32_t value) { return add(name).integer(value); }
    Node& add(std::string_view name, std::string_view value) { return add(name).text(value); }

    /// Says that records may stand inside even when none do: readers demand it of some kinds.
    Node& scope()
    {
        m_isScope = true;
        return *this;
    }

    /// Appends the record; `bytes` is the file so far, whose length the offsets inside count on.
    void write(Bytes& bytes) const;

private:
    void beginProperty(char type);
    template <typename T>
    Node& array(char type, std::span<const T> values);

    std::string m_name;
    std::uint32_t m_propertyCount = 0;
    bool m_isScope = false;
    Bytes m_properties;
    std::vector<Node> m_children;
};

/// A Properties70 record and what stands in it.
class Properties
{
public:
    explicit Properties(Node& owner) : m_node(owner.add("Properties70")) {}
    Properties& integer(std::string_view name, std::int32_t value) { return p(name, "int", "Integer", "").put(value); }
    Properties& choice(std::string_view name, std::int32_t value) { return p(name, "enum", "", "").put(value); }
    Properties& flag(std::string_view name, bool value) { return p(name, "bool", "", "").put(value ? 1 : 0); }
    Properties& number(std::string_view name, double value) { return p(name, "double", "Number", "").put(value); }
    /// A number that animation may drive, with its type as its name: "d|X" of a curve node.
    Properties& animated(std::string_view name, double value) { return p(name, "Number", "", "A").put(value); }
    Properties& time(std::string_view name, std::int64_t ticks);
    Properties& text(std::string_view name, std::string_view value);
    /// Three numbers under a type such as "Lcl Translation" or "Color".
    Properties& vector(std::string_view name, std::string_view type, double x, double y, double z);

private:
    Properties& p(std::string_view name, std::string_view type, std::string_view label, std::string_view flags);
    Properties& put(std::int32_t value);
    Properties& put(double value);

    Node& m_node;
    Node* m_last = nullptr;
};

/// The file: header, top-level records, footer.
[[nodiscard]] Bytes fileBytes(std::span<const Node> topLevel);

} // namespace tendon::fbx

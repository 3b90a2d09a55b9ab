#pragma once

#include "core/io/readers/fbx/FbxRecords.h"
#include "core/math/Transform.h"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace tendon::fbx {

/// An object of a file ("Model", "Geometry", "Deformer", ...) and its properties.
class Object
{
public:
    Object(const Record& record, const Record* usualProperties);

    std::int64_t id = 0;
    std::string_view kind;    ///< of the record: "Model"
    std::string name;         ///< without its class
    std::string_view subtype; ///< "LimbNode", "Mesh", "Skin", ...

    [[nodiscard]] const Record& record() const { return *m_record; }
    /// A property of its own, or what the file's template says of its kind, or the given default.
    [[nodiscard]] double number(std::string_view property, double otherwise) const;
    [[nodiscard]] int choice(std::string_view property, int otherwise) const;
    [[nodiscard]] std::int64_t time(std::string_view property, std::int64_t otherwise) const;
    [[nodiscard]] Vector3 vector(std::string_view property, const Vector3& otherwise) const;

private:
    [[nodiscard]] const Record* find(std::string_view property) const;

    const Record* m_record;
    std::map<std::string_view, const Record*> m_own, m_usual;
};

/// Objects and how they are connected. Of version 7 files (2011 and later).
class Document
{
public:
    [[nodiscard]] static Result<Document> read(std::span<const std::uint8_t> file);

    struct Link
    {
        const Object* object = nullptr;
        std::string_view property; ///< of the parent that is driven; empty = the object as a whole
    };

    [[nodiscard]] const Object* settings() const { return m_settings ? &*m_settings : nullptr; }
    [[nodiscard]] const std::vector<Object>& objects() const { return m_objects; }
    /// What is connected to an object (0: to the scene), in the file's order; of one kind if it is named.
    [[nodiscard]] std::vector<Link> below(std::int64_t id, std::string_view kind = {}) const;
    /// What an object is connected to.
    [[nodiscard]] std::vector<Link> above(std::int64_t id, std::string_view kind = {}) const;

private:
    using Links = std::unordered_map<std::int64_t, std::vector<std::pair<std::int64_t, std::string_view>>>;
    [[nodiscard]] std::vector<Link> linked(const Links& links, std::int64_t id, std::string_view kind) const;

    std::vector<Record> m_records;
    std::optional<Object> m_settings;
    std::vector<Object> m_objects;
    std::unordered_map<std::int64_t, std::size_t> m_byId;
    Links m_below, m_above;
};

} // namespace tendon::fbx

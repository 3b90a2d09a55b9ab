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
    /// The object's own property, or that of the file's template for its kind, or the given default.
    [[nodiscard]] double number(std::string_view property, double otherwise) const;
    [[nodiscard]] int choice(std::string_view property, int otherwise) const;
    [[nodiscard]] std::int64_t time(std::string_view property, std::int64_t otherwise) const;
    [[nodiscard]] Vector3 vector(std::string_view property, const Vector3& otherwise) const;

private:
    [[nodiscard]] const Record* find(std::string_view property) const;

    const Record* m_record;
    std::map<std::string_view, const Record*> m_own, m_usual;
};

/// The objects of a version 7 file (2011 and later) and their connections.
class Document
{
public:
    [[nodiscard]] static Result<Document> read(std::span<const std::uint8_t> file);

    struct Link
    {
        const Object* object = nullptr;
        std::string_view property; ///< the parent's property that is driven; empty = the object as a whole
    };

    [[nodiscard]] const Object* settings() const { return m_settings ? &*m_settings : nullptr; }
    [[nodiscard]] const std::vector<Object>& objects() const { return m_objects; }
    /// The objects connected to an object (0: the scene), in the file's order; only those of `kind` if it is given.
    [[nodiscard]] std::vector<Link> below(std::int64_t id, std::string_view kind = {}) const;
    /// The objects that an object is connected to.
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

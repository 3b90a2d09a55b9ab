#include "core/io/readers/fbx/FbxDocument.h"

#include <cmath>

namespace tendon::fbx {
namespace {

using namespace std::string_view_literals;

std::map<std::string_view, const Record*> propertiesIn(const Record* owner)
{
    std::map<std::string_view, const Record*> properties;
    if (const Record* list = owner == nullptr ? nullptr : owner->find("Properties70"))
        for (const Record& p : list->children)
            if (p.properties.size() > 4) properties.emplace(p.textAt(0), &p);
    return properties;
}

/// Binary files write "name", 0, 1, "class"; text files "class::name".
std::string plainName(std::string_view name)
{
    if (const auto mark = name.find("\0\1"sv); mark != name.npos) return std::string(name.substr(0, mark));
    if (const auto mark = name.find("::"); mark != name.npos) return std::string(name.substr(mark + 2));
    return std::string(name);
}

/// The properties that a file says objects of a kind have. Of attributes there are several templates of one kind: the
/// first is taken.
std::map<std::string_view, const Record*> templatesOf(const std::vector<Record>& records)
{
    std::map<std::string_view, const Record*> templates;
    for (const Record& definitions : records) {
        if (definitions.name != "Definitions") continue;
        for (const Record& type : definitions.children)
            if (const Record* usual = type.name == "ObjectType" ? type.find("PropertyTemplate") : nullptr)
                templates.emplace(type.textAt(0), usual);
    }
    return templates;
}

} // namespace

Object::Object(const Record& record, const Record* usualProperties)
    : id(record.integerAt(0)), kind(record.name), name(plainName(record.textAt(1))), subtype(record.textAt(2)),
      m_record(&record), m_own(propertiesIn(&record)), m_usual(propertiesIn(usualProperties))
{
}

const Record* Object::find(std::string_view property) const
{
    for (const auto* properties : {&m_own, &m_usual})
        if (const auto found = properties->find(property); found != properties->end()) return found->second;
    return nullptr;
}

double Object::number(std::string_view property, double otherwise) const
{
    const Record* found = find(property);
    return found != nullptr && std::isfinite(found->numberAt(4)) ? found->numberAt(4) : otherwise;
}

int Object::choice(std::string_view property, int otherwise) const
{
    const Record* found = find(property);
    const std::int64_t value = found != nullptr ? found->integerAt(4) : otherwise;
    return value >= 0 && value < 1000 ? static_cast<int>(value) : otherwise;
}

std::int64_t Object::time(std::string_view property, std::int64_t otherwise) const
{
    const Record* found = find(property);
    return found != nullptr ? found->integerAt(4) : otherwise;
}

Vector3 Object::vector(std::string_view property, const Vector3& otherwise) const
{
    const Record* found = find(property);
    if (found == nullptr || found->properties.size() < 7) return otherwise;
    const Vector3 value(found->numberAt(4), found->numberAt(5), found->numberAt(6));
    return value.allFinite() ? value : otherwise;
}

Result<Document> Document::read(std::span<const std::uint8_t> file)
{
    auto records = readRecords(file);
    if (!records) return records.error();
    Document document;
    document.m_records = std::move(*records);
    const auto templates = templatesOf(document.m_records);
    for (const Record& part : document.m_records) {
        if (part.name == "GlobalSettings") document.m_settings.emplace(part, nullptr);
        if (part.name == "Objects") {
            document.m_objects.reserve(part.children.size());
            for (const Record& object : part.children) {
                const auto usual = templates.find(object.name);
                const Object& added = document.m_objects.emplace_back(object, usual == templates.end() ? nullptr
                                                                                                       : usual->second);
                document.m_byId.emplace(added.id, document.m_objects.size() - 1);
            }
        }
        if (part.name == "Connections")
            for (const Record& link : part.children) {
                if (link.properties.size() < 3) continue;
                const std::int64_t child = link.integerAt(1), parent = link.integerAt(2);
                const std::string_view property = link.textAt(3);
                document.m_below[parent].emplace_back(child, property);
                document.m_above[child].emplace_back(parent, property);
            }
    }
    return document;
}

std::vector<Document::Link> Document::linked(const Links& links, std::int64_t id, std::string_view kind) const
{
    std::vector<Link> found;
    if (const auto list = links.find(id); list != links.end())
        for (const auto& [other, property] : list->second)
            if (const auto object = m_byId.find(other);
                object != m_byId.end() && (kind.empty() || m_objects[object->second].kind == kind))
                found.push_back({&m_objects[object->second], property});
    return found;
}

std::vector<Document::Link> Document::below(std::int64_t id, std::string_view kind) const
{
    return linked(m_below, id, kind);
}

std::vector<Document::Link> Document::above(std::int64_t id, std::string_view kind) const
{
    return linked(m_above, id, kind);
}

} // namespace tendon::fbx

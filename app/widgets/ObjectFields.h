#pragma once

#include "app/widgets/OperationFields.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace tendon::editor {

/// Fields of a panel, with what each shows of an object. With several objects, a field shows the value of the first, or
/// "mixed" if their values differ.
template <typename Object>
class ObjectFields
{
public:
    /// `field`: one that showValue() takes; the panel owns it and outlives these. `value`: in the field's unit.
    template <typename Field, typename Value>
    void add(Field* field, Value value)
    {
        m_rows.push_back([field, value = std::move(value)](const std::vector<const Object*>& objects) {
            const auto first = value(*objects.front());
            const bool isMixed = std::any_of(objects.begin() + 1, objects.end(),
                                             [&](const Object* other) { return value(*other) != first; });
            showValue(field, first, isMixed);
        });
    }
    void clear() { m_rows.clear(); }

    /// `objects`: at least one.
    void show(const std::vector<const Object*>& objects) const
    {
        for (const auto& row : m_rows) row(objects);
    }

private:
    std::vector<std::function<void(const std::vector<const Object*>& objects)>> m_rows;
};

} // namespace tendon::editor

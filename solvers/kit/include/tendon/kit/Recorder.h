#pragma once

#include <tendon/sdk/Control.h>

#include <cstddef>
#include <cstdint>

namespace tendon::kit {

/// Appends the rows of an optional capability to the room that the host made for them. Rows that no longer fit are left
/// out. Never allocates.
template <class Row>
class Recorder
{
public:
    Recorder() = default;

    /// Starts over at the first row. Null, or rows smaller than a Row, give an inactive recorder.
    explicit Recorder(sdk::Extension* extension)
    {
        if (extension == nullptr) return;
        extension->used = 0;
        if (extension->rows.count > 0 && extension->rows.stride >= sizeof(Row)) m_extension = extension;
    }

    [[nodiscard]] bool isActive() const { return m_extension != nullptr; }

    /// The next row, with its defaults; null when there is no room.
    Row* append()
    {
        if (!hasRoom()) return nullptr;
        Row* row = at(m_extension->used++);
        *row = Row();
        return row;
    }

    [[nodiscard]] bool hasRoom() const
    {
        return isActive() && m_extension->used < static_cast<std::int32_t>(m_extension->rows.count);
    }

    /// The row appended last; null when there is none.
    [[nodiscard]] Row* last() const
    {
        return isActive() && m_extension->used > 0 ? at(m_extension->used - 1) : nullptr;
    }

private:
    [[nodiscard]] Row* at(std::int32_t index) const
    {
        return reinterpret_cast<Row*>(&m_extension->rows[static_cast<std::size_t>(index)]);
    }

    sdk::Extension* m_extension = nullptr;
};

} // namespace tendon::kit

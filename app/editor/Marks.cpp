#include "app/editor/Marks.h"

#include <utility>

namespace tendon::editor {

RoleColour roleColourOf(Side side)
{
    return side == Side::Left ? RoleColour::Left : side == Side::Right ? RoleColour::Right : RoleColour::Centre;
}

const char* tokenOf(RoleColour colour)
{
    switch (colour) {
    case RoleColour::Left: return "role.left";
    case RoleColour::Right: return "role.right";
    case RoleColour::Centre: return "role.centre";
    case RoleColour::Unknown: return "role.unknown";
    }
    return "role.unknown";
}

void Marks::set(ViewMarks marks)
{
    if (marks == m_marks) return;
    m_marks = std::move(marks);
    emit changed();
}

void Marks::clear()
{
    m_takesClicks = false;
    set({});
}

} // namespace tendon::editor

#pragma once

#include <Qt>

#include <array>
#include <cstddef>

namespace tendon::editor {

/// How one compared solver is drawn everywhere: in the table, the plot and the view. Colour is not the only difference.
struct CompareLook
{
    enum class Mark { Circle, Square, Triangle, Diamond };
    const char* token; ///< colour
    Mark mark;
    Qt::PenStyle pen;
    double dashOn, dashOff; ///< [px] the same pen in the view; 0 = solid
};

/// The look of solver `index`; after the fourth they repeat.
[[nodiscard]] constexpr CompareLook compareLook(std::size_t index)
{
    using enum CompareLook::Mark;
    constexpr std::array<CompareLook, 4> looks = {{{"compare.a", Circle, Qt::SolidLine, 0, 0},
                                                   {"compare.b", Square, Qt::DashLine, 8, 5},
                                                   {"compare.c", Triangle, Qt::DotLine, 2, 4},
                                                   {"compare.d", Diamond, Qt::DashDotLine, 12, 4}}};
    return looks[index % looks.size()];
}

} // namespace tendon::editor

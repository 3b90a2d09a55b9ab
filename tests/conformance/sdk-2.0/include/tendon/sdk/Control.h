#pragma once

#include <tendon/sdk/Layout.h>
#include <tendon/sdk/Rows.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tendon::sdk {

/// One row of a solver's trace: what it did in one iteration. A solver fills as many rows as there is room for.
struct TraceRow
{
    std::int32_t iteration = 0;
    std::int32_t stage =
        0;               ///< the solver's own numbering of the stages of one iteration (FABRIK: 0 backward, 1 forward)
    double residual = 0; ///< |r|: norm of all weighted residuals before the step
    double step = 0;     ///< largest DOF change of the step [rad | m]
    double damping = 0;  ///< regularisation used, -1 if the method has none

    // Append new members above this line.
};

/// Room for the rows that one optional capability records, made by the host for those that it wants. The rows are
/// structs without pointers, so a host that does not know the capability can still carry them to another process.
struct Extension
{
    char id[44] = {};      ///< "tendon.<name>/<revision>", ends in 0
    std::int32_t used = 0; ///< rows filled by the last solve, written by the solver
    Rows<std::byte> rows;  ///< caller-owned; the stride is the size of the host's row

    // Append new members above this line.
};

/// An Extension over `rows`, which must outlive it.
template <class Row>
[[nodiscard]] Extension makeExtension(std::string_view id, std::span<Row> rows)
{
    Extension extension;
    std::copy_n(id.begin(), std::min(id.size(), sizeof(extension.id) - 1), extension.id);
    extension.rows = {reinterpret_cast<std::byte*>(rows.data()), rows.size(), sizeof(Row)};
    return extension;
}

/// How the host controls and watches a running solve. All members may be empty.
struct Control
{
    std::uint32_t size = sizeof(Control);
    const std::atomic<bool>* cancelled = nullptr; ///< polled once per iteration
    Rows<TraceRow> trace; ///< caller-owned; each row is written as its iteration is made, not afterwards
    std::span<double> traceConfigurations; ///< (rows x nq) caller-owned: q after each traced row; may be empty
    Rows<Extension> extensions;            ///< caller-owned; a solver ignores those that it does not know

    // Append new members above this line.
};

/// The room that the host made for the capability `id`; null if it made none.
[[nodiscard]] inline Extension* findExtension(const Control& control, std::string_view id)
{
    if (!control.extensions.isLargeEnough()) return nullptr;
    for (Extension& extension : control.extensions)
        if (id == extension.id) return &extension;
    return nullptr;
}

inline constexpr LayoutEntry kControlLayout[] = {
    TENDON_SDK_MEMBER(0, TraceRow, iteration), TENDON_SDK_MEMBER(0, TraceRow, stage),
    TENDON_SDK_MEMBER(0, TraceRow, residual),  TENDON_SDK_MEMBER(0, TraceRow, step),
    TENDON_SDK_MEMBER(0, TraceRow, damping),   TENDON_SDK_MEMBER(0, Extension, id),
    TENDON_SDK_MEMBER(0, Extension, used),     TENDON_SDK_MEMBER(0, Extension, rows),
    TENDON_SDK_MEMBER(0, Control, size),       TENDON_SDK_MEMBER(0, Control, cancelled),
    TENDON_SDK_MEMBER(0, Control, trace),      TENDON_SDK_MEMBER(0, Control, traceConfigurations),
    TENDON_SDK_MEMBER(0, Control, extensions),
};
TENDON_SDK_LISTS_ALL(kControlLayout, TraceRow);
TENDON_SDK_LISTS_ALL(kControlLayout, Extension);
TENDON_SDK_LISTS_ALL(kControlLayout, Control);

} // namespace tendon::sdk

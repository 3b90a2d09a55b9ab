#pragma once

#include "core/base/Id.h"

#include <string>
#include <vector>

namespace tendon {

enum class Severity { Info, Warning, Error };

/// A finding that does not stop the work: what, where, and what to do about it.
struct Issue
{
    Severity severity = Severity::Warning;
    std::string text;
    std::string where;
    ObjectId object = 0; ///< selected when the user activates the issue; 0 = none

    [[nodiscard]] std::string line() const { return where.empty() ? text : where + ": " + text; }

    bool operator==(const Issue&) const = default;
};

using Issues = std::vector<Issue>;

} // namespace tendon

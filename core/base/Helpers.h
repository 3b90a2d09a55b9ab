#pragma once

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace tendon {

/// Starts up to `count` threads that call work(i), i = 0 ... count - 1: fewer where the system gives no more, so the
/// caller must be able to do everything itself. They are joined with the result.
template <class Work>
[[nodiscard]] std::vector<std::jthread> startHelpers(std::size_t count, const Work& work)
{
    std::vector<std::jthread> helpers;
    helpers.reserve(count);
    try {
        for (std::size_t i = 0; i < count; ++i) helpers.emplace_back([&work, i] { work(i); });
    } catch (const std::system_error&) { // no more, then
    }
    return helpers;
}

} // namespace tendon

#pragma once

#include "core/solve/host/HostCall.h"

#include <chrono>

namespace tendon::host {

/// Sleeps while `signal` is `value`, but not longer than `most`. May return early. Works across processes.
void sleepWhile(Signal& signal, std::uint32_t value, std::chrono::nanoseconds most);

/// Wakes whoever sleeps on `signal`.
void wake(Signal& signal);

} // namespace tendon::host

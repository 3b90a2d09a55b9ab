#pragma once

#include "app/cli/Cli.h"

#include <chrono>
#include <string>

namespace tendon::cli {

/// A progress bar on stderr for long work. Appears after 200 ms if stderr is a terminal and --quiet is not set; the
/// destructor erases it. Use from one thread.
class Progress
{
public:
    Progress(const Cli& cli, std::string label);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void set(double done); ///< 0 ... 1

private:
    using Clock = std::chrono::steady_clock;

    std::string m_label;
    Clock::time_point m_next; ///< earliest time of the next drawing
    bool m_isOn = false;
    bool m_isDrawn = false;
};

} // namespace tendon::cli

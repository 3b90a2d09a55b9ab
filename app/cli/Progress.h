#pragma once

#include "app/cli/Cli.h"

#include <chrono>
#include <string>

namespace tendon::cli {

/// A bar on stderr while something takes long: drawn when stderr is a terminal, not with --quiet, and only after 200
/// ms; wiped when it goes out of scope. One thread.
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
    Clock::time_point m_next; ///< not drawn again before
    bool m_isOn = false;
    bool m_isDrawn = false;
};

} // namespace tendon::cli

#include "app/cli/Progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <unistd.h>

namespace tendon::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto kPatience = 200ms; // shorter work is not worth a bar
constexpr auto kRedrawInterval = 50ms;
constexpr int kBarWidth = 30;

} // namespace

Progress::Progress(const Cli& cli, std::string label)
    : m_label(std::move(label)), m_next(Clock::now() + kPatience), m_isOn(!cli.quiet && isatty(STDERR_FILENO) == 1)
{
}

Progress::~Progress()
{
    if (m_isDrawn) std::fputs("\r\033[K", stderr);
}

void Progress::set(double done)
{
    if (!m_isOn || Clock::now() < m_next) return;
    m_next = Clock::now() + kRedrawInterval;
    m_isDrawn = true;

    done = std::clamp(done, 0.0, 1.0);
    const int filled = static_cast<int>(std::lround(done * kBarWidth));
    const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                            std::string(static_cast<std::size_t>(kBarWidth - filled), '.');
    std::fprintf(stderr, "\r\033[K%s [%s] %3.0f %%", m_label.c_str(), bar.c_str(), done * 100);
    std::fflush(stderr);
}

} // namespace tendon::cli

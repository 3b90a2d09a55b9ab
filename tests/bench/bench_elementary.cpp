// What our elementary functions (core/math/elementary) cost beside the C library's: nanoseconds a call, the least of
// many rounds in turn, so that another program's load does not count.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>
#include <vector>

#include <dlfcn.h>

namespace {

constexpr int kRounds = 60;
constexpr std::size_t kCalls = 20'000;

using OneNumber = double (*)(double);
using TwoNumbers = double (*)(double, double);

struct Row
{
    const char* name;
    double from, to;          ///< of the argument
    OneNumber one = nullptr;  ///< ours; or
    TwoNumbers two = nullptr; ///< its first argument is between those two, its second between 0.1 and 3
};

/// [s] that this thread has worked
double now()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds(const Row& row, void* theirs, const std::vector<double>& x, const std::vector<double>& y)
{
    const auto one = theirs == nullptr ? row.one : reinterpret_cast<OneNumber>(theirs);
    const auto two = theirs == nullptr ? row.two : reinterpret_cast<TwoNumbers>(theirs);
    const double begin = now();
    double total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) total += row.one != nullptr ? one(x[i]) : two(x[i], y[i]);
    const double end = now();
    if (std::isnan(total)) std::puts("not a number"); // the calls have a result that is used
    return end - begin;
}

} // namespace

int main()
{
    void* library = ::dlopen("libm.so.6", RTLD_NOW);
    if (library == nullptr) return std::puts("no libm.so.6"), 1;
    const std::array rows{Row{"sin", -3.2, 3.2, ::sin},
                          Row{"cos", -3.2, 3.2, ::cos},
                          Row{"tan", -1.5, 1.5, ::tan},
                          Row{"asin", -1, 1, ::asin},
                          Row{"acos", -1, 1, ::acos},
                          Row{"atan", -4, 4, ::atan},
                          Row{"atan2", -2, 2, nullptr, ::atan2},
                          Row{"exp", -5, 5, ::exp},
                          Row{"log", 0.01, 20, ::log},
                          Row{"pow", 0.1, 3, nullptr, ::pow}};
    std::mt19937 random(1);
    std::puts("function   ours [ns]   C library's [ns]   ratio");
    for (const Row& row : rows) {
        void* theirs = ::dlsym(library, row.name);
        std::uniform_real_distribution<double> first(row.from, row.to), second(0.1, 3);
        std::vector<double> x(kCalls), y(kCalls);
        for (std::size_t i = 0; i < kCalls; ++i) x[i] = first(random), y[i] = second(random);
        double least[2] = {1e9, 1e9};
        for (int round = 0; round < kRounds; ++round)
            for (const int which : {0, 1})
                least[which] = std::min(least[which], seconds(row, which == 0 ? nullptr : theirs, x, y));
        const double scale = 1e9 / static_cast<double>(kCalls);
        std::printf("%-10s %9.1f   %16.1f   %5.2f\n", row.name, least[0] * scale, least[1] * scale,
                    least[0] / least[1]);
    }
    return 0;
}

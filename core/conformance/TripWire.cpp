#include "core/conformance/TripWire.h"

#include <csignal>
#include <cstdint>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace tendon::conformance {

namespace {

std::atomic<TripWire*> current = nullptr;
struct sigaction before;

std::size_t roundedUp(std::size_t bytes, std::size_t page) { return (bytes + page - 1) / page * page; }

} // namespace

TripWire::TripWire(std::size_t rows, std::size_t row) : m_count(rows)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t open = roundedUp(row * sizeof(sdk::TraceRow), page);
    m_guardedBytes = roundedUp((rows - row) * sizeof(sdk::TraceRow), page);
    m_bytes = open + m_guardedBytes;
    void* memory = mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    m_memory = static_cast<std::byte*>(memory);
    m_guarded = m_memory + open;
    m_rows = reinterpret_cast<sdk::TraceRow*>(m_guarded) - row; // all bits zero is a TraceRow
    mprotect(m_guarded, m_guardedBytes, PROT_READ);

    current = this;
    struct sigaction action = {};
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    action.sa_sigaction = [](int signal, siginfo_t* info, void* context) { onFault(signal, info, context); };
    sigaction(SIGSEGV, &action, &before);
}

TripWire::~TripWire()
{
    sigaction(SIGSEGV, &before, nullptr);
    current = nullptr;
    munmap(m_memory, m_bytes);
}

void TripWire::onFault(int, void* info, void*)
{
    TripWire* wire = current;
    const auto* address = static_cast<std::byte*>(static_cast<siginfo_t*>(info)->si_addr);
    if (!wire || address < wire->m_guarded || address >= wire->m_guarded + wire->m_guardedBytes || wire->m_flag) {
        sigaction(SIGSEGV, &before, nullptr); // not ours: it comes again, to whoever was in charge
        return;
    }
    mprotect(wire->m_guarded, wire->m_guardedBytes, PROT_READ | PROT_WRITE);
    wire->m_flag = true;
}

} // namespace tendon::conformance

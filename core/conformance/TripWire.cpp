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

} // namespace

TripWire::TripWire(std::size_t rows, std::size_t row)
    : m_page(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), m_count(rows)
{
    void* memory = mmap(nullptr, rows * m_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    m_memory = static_cast<std::byte*>(memory); // all bits zero is a TraceRow
    m_guarded = m_memory + row * m_page;
    mprotect(m_guarded, m_page, PROT_READ);

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
    munmap(m_memory, m_count * m_page);
}

void TripWire::onFault(int, void* info, void*)
{
    TripWire* wire = current;
    const auto* address = static_cast<std::byte*>(static_cast<siginfo_t*>(info)->si_addr);
    if (!wire || address < wire->m_guarded || address >= wire->m_guarded + wire->m_page || wire->m_flag) {
        sigaction(SIGSEGV, &before, nullptr); // not ours: let it happen again under the former handler
        return;
    }
    mprotect(wire->m_guarded, wire->m_page, PROT_READ | PROT_WRITE);
    wire->m_flag = true;
}

} // namespace tendon::conformance

#include "core/io/import/ChildProcess.h"

#include "core/base/Spawn.h"
#include "core/io/import/FileRequests.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tendon {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPollMilliseconds = 20;
constexpr std::size_t kMaxMessageBytes = 64 << 10;

Error notCreated(const char* what)
{
    return {ErrorCode::Internal, std::string("cannot create ") + what + ": " + std::strerror(errno), ""};
}

struct Pipe
{
    Descriptor read, write;
};

Result<Pipe> makePipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return notCreated("a pipe");
    Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
    ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
    return pipe;
}

struct Sockets
{
    Descriptor ours, childs;
};

/// What a child asks for files over; a message is whole or not there.
Result<Sockets> makeSockets()
{
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return notCreated("a pair of sockets");
    return Sockets{Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Reads what there is. False at the end of the stream.
template <typename Take>
bool drain(int descriptor, Take take)
{
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count > 0) {
            if (!take(buffer.data(), static_cast<std::size_t>(count))) return true;
            continue;
        }
        if (count < 0 && errno == EINTR) continue;
        return count < 0 && errno == EAGAIN;
    }
}

std::int64_t residentBytes(pid_t child)
{
    const std::string path = "/proc/" + std::to_string(child) + "/statm";
    std::FILE* file = std::fopen(path.c_str(), "re");
    if (file == nullptr) return 0;
    long total = 0, resident = 0;
    const int read = std::fscanf(file, "%ld %ld", &total, &resident);
    std::fclose(file);
    return read == 2 ? resident * ::sysconf(_SC_PAGESIZE) : 0;
}

class Watch
{
public:
    Watch(pid_t child, const ChildFiles& files, const ChildLimits& limits, Clock::time_point start)
        : m_child(child), m_files(files), m_limits(limits), m_start(start)
    {
    }

    /// Takes in output and answers requests until the child has closed both streams or has to be killed; true when it
    /// has to.
    bool run(Descriptor& output, Descriptor& messages, Descriptor& requests, ChildRun& result)
    {
        const auto exceeded = [&](ChildEnd end) {
            result.end = end;
            return true;
        };
        while (output.get() >= 0 || messages.get() >= 0) {
            std::array<pollfd, 3> waits{
                {{output.get(), POLLIN, 0}, {messages.get(), POLLIN, 0}, {requests.get(), POLLIN, 0}}};
            ::poll(waits.data(), waits.size(), kPollMilliseconds);
            if (requests.get() >= 0 && !answerRequest(requests.get(), m_files.open)) requests.close();
            takeMessages(messages, result);
            if (!takeOutput(output, result)) return exceeded(ChildEnd::WroteTooMuch);
            if (isOverTime()) return exceeded(ChildEnd::TimedOut);
            if (m_limits.cancelled != nullptr && *m_limits.cancelled) return exceeded(ChildEnd::Cancelled);
            if (m_limits.maxResidentBytes > 0 && residentBytes(m_child) > m_limits.maxResidentBytes)
                return exceeded(ChildEnd::TookTooMuchMemory);
        }
        return false;
    }

    [[nodiscard]] bool isOverTime() const
    {
        return std::chrono::duration<double>(Clock::now() - m_start).count() > m_limits.maxSeconds ||
               (m_limits.maxCpuSeconds > 0 && cpuSeconds() > m_limits.maxCpuSeconds);
    }

private:
    /// What the child itself has worked; 0 when it is gone.
    [[nodiscard]] double cpuSeconds() const
    {
        clockid_t clock{};
        timespec time{};
        if (::clock_getcpuclockid(m_child, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    bool takeOutput(Descriptor& output, ChildRun& result) const
    {
        if (output.get() < 0) return true;
        const bool isOpen = drain(output.get(), [&](const char* data, std::size_t size) {
            result.output.insert(result.output.end(), data, data + size);
            return result.output.size() <= m_limits.maxOutputBytes;
        });
        if (!isOpen) output.close();
        return result.output.size() <= m_limits.maxOutputBytes;
    }

    static void takeMessages(Descriptor& messages, ChildRun& result)
    {
        if (messages.get() < 0) return;
        const bool isOpen = drain(messages.get(), [&](const char* data, std::size_t size) {
            result.messages.append(data, size);
            if (result.messages.size() > 2 * kMaxMessageBytes)
                result.messages.erase(0, result.messages.size() - kMaxMessageBytes);
            return true;
        });
        if (!isOpen) messages.close();
    }

    pid_t m_child;
    const ChildFiles& m_files;
    const ChildLimits& m_limits;
    Clock::time_point m_start;
};

/// Waits for the end of a child that has closed its streams, but not past the limits.
int waitFor(pid_t child, const Watch& watch, bool isKilled, ChildRun& result, rusage& usage)
{
    int status = 0;
    for (;;) {
        const pid_t ended = ::wait4(child, &status, isKilled ? 0 : WNOHANG, &usage);
        if (ended == child || (ended < 0 && errno != EINTR)) return status;
        if (ended == 0 && watch.isOverTime()) {
            result.end = ChildEnd::TimedOut;
            ::kill(-child, SIGKILL);
            isKilled = true;
        } else if (ended == 0) {
            ::poll(nullptr, 0, 1);
        }
    }
}

} // namespace

Result<Descriptor> memoryFile(std::span<const std::uint8_t> bytes)
{
    Descriptor file(::memfd_create("model", MFD_CLOEXEC));
    if (file.get() < 0) return notCreated("a memory file");
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count = ::write(file.get(), bytes.data() + done, bytes.size() - done);
        if (count < 0) return notCreated("a memory file");
        done += static_cast<std::size_t>(count);
    }
    ::lseek(file.get(), 0, SEEK_SET);
    return file;
}

Result<ChildRun> runChild(const std::vector<std::string>& command, const ChildFiles& files, const ChildLimits& limits)
{
    auto output = makePipe();
    auto messages = makePipe();
    auto sockets = files.open ? makeSockets() : Sockets{};
    if (!output || !messages) return output ? messages.error() : output.error();
    if (!sockets) return sockets.error();
    const Clock::time_point start = Clock::now();
    std::vector<PassedDescriptor> passed = {
        {-1, STDIN_FILENO}, {output->write.get(), STDOUT_FILENO}, {messages->write.get(), STDERR_FILENO}};
    if (files.input >= 0) passed.push_back({files.input, kChildInput});
    if (files.open) passed.push_back({sockets->childs.get(), kChildRequests});
    const auto child = spawn(command, passed);
    if (!child) return child.error();
    output->write.close();
    messages->write.close();
    sockets->childs.close();

    ChildRun result;
    Watch watch(*child, files, limits, start);
    const bool isKilled = watch.run(output->read, messages->read, sockets->ours, result);
    if (isKilled) ::kill(-*child, SIGKILL);
    rusage usage{};
    const int status = waitFor(*child, watch, isKilled, result, usage);
    ::kill(-*child, SIGKILL); // what it may have left behind

    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    result.peakResidentBytes = usage.ru_maxrss * 1024;
    if (result.end == ChildEnd::Exited && WIFSIGNALED(status)) {
        result.end = ChildEnd::Killed;
        result.code = WTERMSIG(status);
    } else if (WIFEXITED(status)) {
        result.code = WEXITSTATUS(status);
    }
    return result;
}

} // namespace tendon

// Loaded into the import child by LD_PRELOAD: stands for a flaw in a parser through which a file runs its own code.
// When the child reads the first byte of a model, it tries what such code would try, by system calls and not by the C
// library, reports how each attempt ended in the place of what is read next, and ends the child.

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

constexpr int kModel = 3, kRequests = 4;

std::string& report()
{
    static std::string text = "@reading injected:";
    return text;
}

void note(const char* name, bool isDone) { report() += std::string(" ") + name + (isDone ? "=done" : "=refused"); }

template <typename... Arguments>
long attempt(const char* name, long number, Arguments... arguments)
{
    const long result = ::syscall(number, arguments...);
    note(name, result >= 0);
    return result;
}

void attemptFiles(const char* victim, const char* fresh)
{
    attempt("read-passwd", SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
    attempt("read-passwd-by-open", SYS_open, "/etc/passwd", O_RDONLY);
    attempt("read-beside", SYS_openat, AT_FDCWD, victim, O_RDONLY);
    attempt("reopen-model-to-write", SYS_openat, AT_FDCWD, "/proc/self/fd/3", O_RDWR);
    struct stat info = {};
    attempt("see-passwd", SYS_newfstatat, AT_FDCWD, "/etc/passwd", &info, 0);
    attempt("list-folder", SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY);
    attempt("write-beside", SYS_openat, AT_FDCWD, victim, O_WRONLY);
    attempt("truncate", SYS_truncate, victim, 0);
    attempt("truncate-model", SYS_ftruncate, kModel, 0);
    attempt("create", SYS_openat, AT_FDCWD, fresh, O_WRONLY | O_CREAT, 0600);
    attempt("make-folder", SYS_mkdir, fresh, 0700);
    attempt("rename", SYS_rename, victim, fresh);
    attempt("link", SYS_link, victim, fresh);
    attempt("symlink", SYS_symlink, victim, fresh);
    attempt("chmod", SYS_chmod, victim, 0777);
    attempt("unlink", SYS_unlink, victim);
    attempt("memory-file", SYS_memfd_create, "x", 0);
}

void attemptNetwork()
{
    attempt("socket", SYS_socket, AF_INET, SOCK_STREAM, 0);
    attempt("local-socket", SYS_socket, AF_UNIX, SOCK_STREAM, 0);
    const sockaddr_in address{AF_INET, htons(9), {htonl(INADDR_LOOPBACK)}, {}};
    attempt("connect", SYS_connect, kRequests, &address, sizeof address);
    attempt("uring", SYS_io_uring_setup, 1, nullptr);
}

void attemptProcesses()
{
    const std::array<char*, 1> none{nullptr};
    const auto run = [&] { return ::syscall(SYS_execve, "/bin/true", none.data(), none.data()); };
    const long child = ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) ::_exit(run() < 0 ? 1 : 0); // not reached: it has become another program
    note("fork", child > 0);
    note("exec", child > 0 || run() >= 0);
    attempt("signal-parent", SYS_kill, ::getppid(), 0);
    attempt("signal-all", SYS_kill, -1, SIGCONT);
    attempt("trace", SYS_ptrace, PTRACE_SEIZE, ::getppid(), nullptr, nullptr);
    int word = 0;
    const iovec part{&word, sizeof word};
    attempt("read-parent", SYS_process_vm_readv, ::getppid(), &part, 1, &part, 1, 0);
    attempt("hold-parent", SYS_pidfd_open, ::getppid(), 0);
    attempt("namespace", SYS_unshare, 0x10000000); // CLONE_NEWUSER
    const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
    attempt("limits", SYS_prlimit64, 0, RLIMIT_CORE, &more, nullptr);
    note("run-data",
         ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
}

void attemptDescriptors()
{
    bool hasMore = false;
    char byte = 0;
    for (int descriptor = kRequests + 1; descriptor < 300; ++descriptor)
        hasMore = hasMore || ::syscall(SYS_read, descriptor, &byte, 0) >= 0;
    note("inherited-descriptor", hasMore);
    note("write-model", ::syscall(SYS_pwrite64, kModel, "x", 1, 0) > 0 || ::syscall(SYS_write, kModel, "x", 1) > 0);
}

/// Asks the parent, as the reader does.
void attemptRequest(const char* name, std::string path)
{
    iovec part{path.data(), path.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (::syscall(SYS_sendmsg, kRequests, &message, MSG_NOSIGNAL) < 0) return note(name, false);
    std::array<char, 512> answer{};
    part = {answer.data(), answer.size()};
    note(name, ::syscall(SYS_recvmsg, kRequests, &message, 0) < 1 || answer[0] == '\0');
}

void attack()
{
    attemptFiles(std::getenv("TENDON_INJECTED_VICTIM"), std::getenv("TENDON_INJECTED_NEW"));
    attemptNetwork();
    attemptDescriptors();
    attemptRequest("ask-for-passwd", "/etc/passwd");
    attemptRequest("ask-above", "../../../../../../etc/passwd");
    attemptProcesses();
    report() += '\n';
    static_cast<void>(!::write(STDERR_FILENO, report().data(), report().size()));
    std::abort();
}

} // namespace

extern "C" ssize_t read(int descriptor, void* buffer, size_t size)
{
    if (descriptor == kModel && std::getenv("TENDON_INJECTED_VICTIM") != nullptr) attack();
    return ::syscall(SYS_read, descriptor, buffer, size);
}

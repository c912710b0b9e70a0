// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/machine/sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <sched.h>
#include <ucontext.h>
#include <vector>

namespace trainyard {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the sandbox has no list of system calls for this processor"
#endif

enum class Attempt { Write, Network, Program };

struct Call {
    long number;
    Attempt attempt;
};

// What is denied whatever its arguments are. Everything else that changes files goes through open, below.
constexpr Call kDenied[] = {
#ifdef __NR_creat // the older forms, which newer processors never had
    {__NR_creat, Attempt::Write},
    {__NR_rename, Attempt::Write},
    {__NR_unlink, Attempt::Write},
    {__NR_rmdir, Attempt::Write},
    {__NR_mkdir, Attempt::Write},
    {__NR_link, Attempt::Write},
    {__NR_symlink, Attempt::Write},
    {__NR_mknod, Attempt::Write},
    {__NR_chmod, Attempt::Write},
    {__NR_chown, Attempt::Write},
    {__NR_lchown, Attempt::Write},
    {__NR_utime, Attempt::Write},
    {__NR_utimes, Attempt::Write},
    {__NR_fork, Attempt::Program},
    {__NR_vfork, Attempt::Program},
#endif
    {__NR_renameat2, Attempt::Write},
    {__NR_unlinkat, Attempt::Write},
    {__NR_mkdirat, Attempt::Write},
    {__NR_renameat, Attempt::Write},
    {__NR_linkat, Attempt::Write},
    {__NR_symlinkat, Attempt::Write},
    {__NR_mknodat, Attempt::Write},
    {__NR_fchmod, Attempt::Write},
    {__NR_fchmodat, Attempt::Write},
    {__NR_fchown, Attempt::Write},
    {__NR_fchownat, Attempt::Write},
    {__NR_truncate, Attempt::Write},
    {__NR_utimensat, Attempt::Write},
    {__NR_setxattr, Attempt::Write},
    {__NR_lsetxattr, Attempt::Write},
    {__NR_fsetxattr, Attempt::Write},
    {__NR_mount, Attempt::Write},
    {__NR_umount2, Attempt::Write},
    {__NR_socket, Attempt::Network},
    {__NR_connect, Attempt::Network},
    {__NR_bind, Attempt::Network},
    {__NR_listen, Attempt::Network},
    {__NR_accept, Attempt::Network},
    {__NR_accept4, Attempt::Network},
    {__NR_execve, Attempt::Program},
    {__NR_execveat, Attempt::Program},
    {__NR_ptrace, Attempt::Program},
    {__NR_kill, Attempt::Program},
    {__NR_tkill, Attempt::Program},
    {__NR_process_vm_writev, Attempt::Program},
    {__NR_unshare, Attempt::Program},
    {__NR_setns, Attempt::Program},
    {__NR_bpf, Attempt::Program},
    {__NR_pidfd_send_signal, Attempt::Program},
    {__NR_io_uring_setup, Attempt::Program},
};

constexpr std::uint32_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

std::uint32_t argument(unsigned index) { // low half: all that flags need
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + sizeof(std::uint64_t) * index);
}

class Filter {
public:
    // `program`: what execve may be called with; null: nothing.
    explicit Filter(std::uint32_t denial, const char* program = nullptr) : m_denial(denial) {
        load(offsetof(seccomp_data, arch));
        add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
        add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
        add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); // the x32 forms of the same calls
        add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
#endif
        if (program) allowExecOf(reinterpret_cast<std::uintptr_t>(program));
        for (const Call& call : kDenied) {
            add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call.number), 0, 1);
            deny();
        }
        // Callers fall back to the older call, whose flags can be seen.
        for (const long number : {__NR_clone3, __NR_openat2}) {
            add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1);
            add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
        }
#ifdef __NR_open
        whenSet(__NR_open, argument(1), kWriting);
#endif
        whenSet(__NR_openat, argument(2), kWriting);
        add(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3); // threads are allowed, processes are not
        load(argument(0));
        add(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
        deny();
        add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }

    const std::vector<sock_filter>& code() const { return m_code; }
    bool install(unsigned flags) const { return install(m_code, flags); }
    static bool install(const std::vector<sock_filter>& code, unsigned flags) {
        const sock_fprog program{static_cast<unsigned short>(code.size()), const_cast<sock_filter*>(code.data())};
        return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
               ::syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0;
    }

private:
    void add(unsigned code, std::uint32_t k, std::uint8_t ifTrue = 0, std::uint8_t ifFalse = 0) {
        m_code.push_back({static_cast<std::uint16_t>(code), ifTrue, ifFalse, k});
    }
    void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
    void deny() { add(BPF_RET | BPF_K, m_denial); }
    // Both halves of the address: afterwards there is no other memory of this process in which it could be guessed.
    void allowExecOf(std::uint64_t address) {
        add(BPF_JMP | BPF_JEQ | BPF_K, __NR_execve, 0, 6);
        load(argument(0));
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(address), 0, 3);
        load(argument(0) + 4);
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(address >> 32), 0, 1);
        add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        deny();
        load(offsetof(seccomp_data, nr));
    }
    void whenSet(long number, std::uint32_t flags, std::uint32_t mask) {
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4);
        load(flags);
        add(BPF_JMP | BPF_JSET | BPF_K, mask, 0, 1);
        deny();
        add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }

    std::uint32_t m_denial;
    std::vector<sock_filter> m_code;
};

std::atomic<long> g_denied{-1};

// The call fails with "not permitted", and what it was is kept.
void onDenied(int, siginfo_t* info, void* context) {
    g_denied = info->si_syscall;
    auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    machine.gregs[REG_RAX] = -EPERM;
#else
    machine.regs[0] = static_cast<unsigned long long>(-EPERM);
#endif
}

void limit(int which, rlim_t value, rlim_t more = 0) {
    const rlimit both{value, value + more};
    (void)::setrlimit(static_cast<__rlimit_resource_t>(which), &both);
}

rlim_t mappedBytes() {
    unsigned long pages = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
        std::fclose(file);
    }
    return rlim_t{pages} * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace

Result<void> enterSandbox(const SandboxLimits& limits) {
    // An empty network as well where users may make one; the filter denies sockets anyway.
    (void)::unshare(CLONE_NEWUSER | CLONE_NEWNET);
    limit(RLIMIT_AS, mappedBytes() + static_cast<rlim_t>(limits.memoryBytes));
    // At the first of the two the signal says why; at the second the process is killed without a word.
    limit(RLIMIT_CPU, static_cast<rlim_t>(std::max(1.0, limits.cpuSeconds)), 5);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 256);
    struct sigaction action{};
    action.sa_sigaction = onDenied;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigaction(SIGSYS, &action, nullptr);
    std::signal(SIGXFSZ, SIG_IGN);
    Filter filter(SECCOMP_RET_TRAP);
    if (!filter.install(SECCOMP_FILTER_FLAG_TSYNC) && !filter.install(0))
        return systemError("the kernel offers no seccomp filter", "sandbox", "modules from outside need it");
    return {};
}

std::string deniedAttempt() {
    const long number = g_denied;
    if (number < 0) return {};
    for (const Call& call : kDenied)
        if (call.number == number) switch (call.attempt) {
            case Attempt::Write: return "change the file system";
            case Attempt::Network: return "use the network";
            case Attempt::Program: return "start or control another program";
            }
    return number == __NR_clone ? "start or control another program" : "open a file for writing";
}

struct ProgramSandbox::Filtered {
    std::vector<sock_filter> code;
    SandboxLimits limits;
};

ProgramSandbox::ProgramSandbox(const char* program, const SandboxLimits& limits)
    : m_filtered(new Filtered{Filter(SECCOMP_RET_ERRNO | EPERM, program).code(), limits}) {}

ProgramSandbox::~ProgramSandbox() = default;

bool ProgramSandbox::enter() const {
    const SandboxLimits& limits = m_filtered->limits;
    limit(RLIMIT_DATA, static_cast<rlim_t>(limits.memoryBytes));
    limit(RLIMIT_CPU, static_cast<rlim_t>(std::max(1.0, limits.cpuSeconds)), 5);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 256);
    std::signal(SIGXFSZ, SIG_IGN);
    return Filter::install(m_filtered->code, 0);
}

Result<void> restrictThread() {
    Filter filter(SECCOMP_RET_ERRNO | EPERM);
    if (!filter.install(0)) return systemError("the kernel offers no seccomp filter", "sandbox");
    return {};
}

} // namespace trainyard

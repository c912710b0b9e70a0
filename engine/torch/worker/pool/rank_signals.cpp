// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/pool/rank_signals.h"

#include "engine/run/launch/launcher.h"
#include "engine/torch/group/rank_channel.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>

namespace trainyard::train {
namespace {

std::atomic<RankChannel*> s_channel{nullptr};
std::atomic<const Progress*> s_progress{nullptr};
std::atomic<bool> s_terminated{false};
std::atomic<int> s_rank{-1};

// Only what is safe inside a signal handler: no allocation, no stdio.
class Line {
public:
    void add(const char* text) {
        while (*text != 0 && m_size < m_text.size()) m_text[m_size++] = *text++;
    }
    void add(long long number) {
        std::array<char, 24> digits{};
        std::size_t n = 0;
        if (number < 0) add("-");
        auto rest = static_cast<unsigned long long>(number < 0 ? -number : number);
        do digits[n++] = static_cast<char>('0' + rest % 10);
        while ((rest /= 10) != 0);
        while (n > 0 && m_size < m_text.size()) m_text[m_size++] = digits[--n];
    }
    void write() {
        add("\n");
        [[maybe_unused]] const auto written = ::write(2, m_text.data(), m_size);
    }

private:
    std::array<char, 400> m_text{};
    std::size_t m_size = 0;
};

const char* nameOf(int number) {
    switch (number) {
    case SIGSEGV: return "SIGSEGV (invalid memory access)";
    case SIGBUS: return "SIGBUS (memory that cannot be reached)";
    case SIGFPE: return "SIGFPE (arithmetic error)";
    case SIGILL: return "SIGILL (illegal instruction: a library built for another CPU?)";
    case SIGABRT: return "SIGABRT";
    default: return "a signal";
    }
}

std::int64_t currentStep() {
    const Progress* const progress = s_progress;
    return progress ? progress->step.load() : -1;
}

void onCrash(int number) {
    Line line;
    line.add("fatal: rank ");
    line.add(s_rank.load());
    line.add(" died of ");
    line.add(nameOf(number));
    line.add(" at step ");
    line.add(currentStep());
    line.write();
    ::signal(number, SIG_DFL);
    ::raise(number);
}

void onTermination(int) {
    s_terminated = true;
    if (RankChannel* const channel = s_channel) channel->terminate();
    else ::_exit(0); // between two runs
}

// There may be no memory left for more than a line.
void onTerminate() {
    bool isOutOfMemory = false;
    const auto sayAs = [](const char* what, const char* why) {
        Line line;
        line.add("fatal: ");
        if (const int rank = s_rank; rank >= 0) {
            line.add("rank ");
            line.add(rank);
            line.add(": ");
        }
        line.add(what);
        if (const auto step = currentStep(); step >= 0) {
            line.add(" at step ");
            line.add(step);
        }
        line.add(*why ? ": " : "");
        line.add(why);
        line.write();
    };
    try {
        if (const auto exception = std::current_exception()) std::rethrow_exception(exception);
        sayAs("terminated", "");
    } catch (const std::bad_alloc&) {
        isOutOfMemory = true;
        sayAs("out of memory", "");
    } catch (const std::exception& e) { sayAs("uncaught exception", e.what()); } catch (...) {
        sayAs("uncaught exception", "");
    }
    if (isOutOfMemory) ::_exit(run::kOutOfMemoryExit);
    ::signal(SIGABRT, SIG_DFL);
    ::raise(SIGABRT);
    ::_exit(1);
}

void handle(int number, void (*handler)(int), int flags) {
    struct sigaction action;
    std::memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(number, &action, nullptr);
}

} // namespace

void endTellingOfMemory() { std::set_terminate(onTerminate); }

void installRankSignals(RankChannel& channel, const Progress& progress) {
    s_channel = &channel;
    s_progress = &progress;
    // A stack overflow leaves no stack to report it on.
    static std::array<char, 65536> alternative;
    const stack_t stack{alternative.data(), 0, alternative.size()};
    sigaltstack(&stack, nullptr);
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        handle(number, onCrash, static_cast<int>(SA_ONSTACK | SA_RESETHAND));
    handle(SIGTERM, onTermination, SA_RESTART);
    handle(SIGPIPE, SIG_IGN, 0);
    handle(SIGXFSZ, SIG_IGN, 0); // a file size limit is an error of write(), as a full disk is
    endTellingOfMemory();
}

void forgetRankSignals() {
    s_channel = nullptr;
    s_progress = nullptr;
}

bool wasTerminated() { return s_terminated; }

void setRankForSignals(int rank) { s_rank = rank; }

} // namespace trainyard::train

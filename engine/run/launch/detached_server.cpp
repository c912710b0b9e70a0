// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/detached_server.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace trainyard::run {
namespace {

constexpr int kFarDescriptor = 64; // above those that they become

struct ServerPlan { // made before fork: the child may call only async-signal-safe functions
    char* const* words;
    char* const* environment;
    const char* log;
    const std::vector<int>* descriptors;
    std::vector<int>* far;
};

[[noreturn]] void becomeServer(const ServerPlan& plan) {
    ::setsid();
    if (::fork() != 0) ::_exit(0); // reparented
    for (std::size_t i = 0; i < plan.far->size(); ++i)
        (*plan.far)[i] = ::fcntl((*plan.descriptors)[i], F_DUPFD, kFarDescriptor);
    const int nothing = ::open("/dev/null", O_RDWR);
    const int log = ::open(plan.log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
    ::dup2(nothing, 0);
    ::dup2(nothing, 1);
    ::dup2(log >= 0 ? log : nothing, 2);
    int next = 3;
    for (const int each : *plan.far) ::dup2(each, next++);
    ::close_range(static_cast<unsigned>(next), ~0U, 0);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGXFSZ}) ::signal(number, SIG_DFL);
    if (::chdir("/") == 0) ::execve(plan.words[0], plan.words, plan.environment);
    ::_exit(127);
}

std::vector<char*> serverPointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (auto& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

} // namespace

void startDetached(const DetachedServer& server) {
    auto words = server.words, environment = server.environment;
    const auto wordPointers = serverPointers(words), variablePointers = serverPointers(environment);
    std::vector<int> far(server.descriptors.size(), -1);
    const std::string log = server.log.string();
    const ServerPlan plan{wordPointers.data(), variablePointers.data(), log.c_str(), &server.descriptors, &far};
    int adopts = 0;
    ::prctl(PR_GET_CHILD_SUBREAPER, &adopts);
    if (adopts) ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    const pid_t child = ::fork();
    if (child == 0) becomeServer(plan);
    if (child > 0)
        while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
    if (adopts) ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

} // namespace trainyard::run

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/bond/next_supervisor.h"

#include "engine/base/files/atomic_file.h"
#include "engine/run/launch/spawn.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <utility>

extern char** environ;

namespace trainyard::run {
namespace {

constexpr std::size_t kLargestEnvironment = 4 << 20;

// The environment of what this process starts, for as long as this object lives.
class LentEnvironment {
public:
    explicit LentEnvironment(std::vector<std::string> variables) : m_variables(std::move(variables)) {
        for (auto& variable : m_variables) m_pointers.push_back(variable.data());
        m_pointers.push_back(nullptr);
        m_own = std::exchange(environ, m_pointers.data());
    }
    ~LentEnvironment() { environ = m_own; }
    LentEnvironment(const LentEnvironment&) = delete;
    LentEnvironment& operator=(const LentEnvironment&) = delete;

private:
    std::vector<std::string> m_variables;
    std::vector<char*> m_pointers;
    char** m_own = nullptr;
};

} // namespace

std::vector<std::string> environmentOfParent() {
    std::vector<std::string> variables;
    const auto text = readFile("/proc/" + std::to_string(::getppid()) + "/environ", kLargestEnvironment);
    for (std::size_t at = 0; text && at < text->size();) {
        const auto end = std::min(text->find('\0', at), text->size());
        if (end > at) variables.push_back(text->substr(at, end - at));
        at = end + 1;
    }
    if (variables.empty())
        for (char** variable = environ; *variable; ++variable) variables.emplace_back(*variable);
    return variables;
}

Result<pid_t> startNextSupervisor(const std::filesystem::path& runFolder, const store::RunLock& lock,
                                  const std::vector<std::string>& environment) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    Result<pid_t> started = [&] {
        const LentEnvironment lent(environment);
        return spawnSupervisor("supervise", runFolder, Detachment::Full, &lock);
    }();
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    return started;
}

} // namespace trainyard::run

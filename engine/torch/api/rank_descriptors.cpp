// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/api/rank_descriptors.h"

#include "engine/base/clock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace trainyard::train {
namespace {

RankDescriptors s_descriptors;

// Ahead of every constructor of the program's own: only plain calls, nothing that another constructor has to have made.
__attribute__((constructor(101))) void setDescriptorsAside() {
    const char* call = std::getenv("TRAINYARD_CALL");
    if (!std::getenv("TRAINYARD_RUN") || !call) return;
    const int input = ::fcntl(0, F_DUPFD_CLOEXEC, 10), output = ::fcntl(1, F_DUPFD_CLOEXEC, 10);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (input < 0 || output < 0 || nothing < 0 || ::dup2(nothing, 0) < 0 || ::dup2(2, 1) < 0) ::_exit(3);
    ::close(nothing);
    s_descriptors = {input, output, std::atoi(call), 0};
    ::unsetenv("TRAINYARD_CALL"); // a process that this one starts is no rank
    // On another host the folder may not be there: the program then begins where it is.
    if (const char* folder = std::getenv("TRAINYARD_FOLDER")) [[maybe_unused]]
        const int changed = ::chdir(folder);
}

} // namespace

const RankDescriptors& rankDescriptors() {
    if (s_descriptors.startedAt == 0) s_descriptors.startedAt = monotonicSeconds();
    return s_descriptors;
}

} // namespace trainyard::train

// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into what a host of the lab runs: its clock is off by WRONG_CLOCK seconds.
#include <sys/time.h>

#include <cstdlib>
#include <ctime>
#include <dlfcn.h>

namespace {

long wrongSeconds() {
    const char* text = std::getenv("WRONG_CLOCK");
    return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
}

} // namespace

extern "C" int clock_gettime(clockid_t id, timespec* time) noexcept {
    using Function = int (*)(clockid_t, timespec*);
    static const auto next = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "clock_gettime"));
    const int result = next(id, time);
    if (result == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) time->tv_sec += wrongSeconds();
    return result;
}

extern "C" int gettimeofday(timeval* time, void*) noexcept {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

extern "C" time_t time(time_t* result) noexcept {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    if (result != nullptr) *result = now.tv_sec;
    return now.tv_sec;
}

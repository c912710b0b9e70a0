// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/book/host_book.h"
#include "ui/pages/cluster/device_users.h"
#include "ui/series/series_store.h"

#include <optional>

namespace trainyard::ui {

// What trains on another host, and how busy that is: the runs that train there measure it.
struct HostUse {
    DeviceUsers users{};
    std::optional<double> cpuShare{}; // 1: all cores; nothing: no run there is followed
    double memoryBytes = 0;           // in use
    std::size_t measured = 0;         // how often, so far
};

// `host`: as the host book has it. A run names it by its alias, or as for ssh; what it calls its own computer is its
// home.
HostUse useOf(const remote::HostEntry& host, const std::vector<RunItemPtr>& runs, const SeriesStore& series);

} // namespace trainyard::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/book/host_book.h"
#include "ui/pages/cluster/local_host_card.h"
#include "ui/series/series_store.h"

#include <optional>

namespace trainyard::ui {

// The runs on another host, and its load as those runs measure it.
struct HostUse {
    DeviceUsers users{};
    std::optional<double> cpuShare{}; // 1: all cores; nothing: no run on the host is followed
    double memoryBytes = 0;           // in use
    std::size_t measured = 0;         // number of measurements so far
};

// `host`: its entry in the host book. A run names the host by its alias or its ssh name; the computer that a run calls
// its own is its home.
HostUse useOf(const remote::HostEntry& host, const std::vector<RunItemPtr>& runs, const SeriesStore& series);

} // namespace trainyard::ui

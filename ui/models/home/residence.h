// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/home_links.h"

#include <QString>

namespace trainyard::ui {

// Where a run or a sweep lives, for display. A value.
struct Residence {
    QString host{};       // an alias of the host book, user@host, or spec::kSlurmHost; empty: this computer
    run::HomeLink link{}; // to that host

    bool isHere() const { return host.isEmpty(); }
    bool isJob() const; // a Slurm job
    // The display shows the last known state.
    bool isOutOfReach() const { return link.state == run::HomeLink::State::Lost; }
    // Rule: whether a checkpoint that the window lists is on this computer.
    bool hasFile(const store::CheckpointRow& checkpoint) const;
    // This computer's name for a host that a run file names from the point of view of the run's home.
    std::string nameHere(const std::string& host) const;
    // "lives on h1", "Slurm job"; empty: here.
    QString text() const;
    QString after(const QString& about) const; // "mlp, lives on h1"
    QString on(const QString& what) const;     // "3, 12 MB, on h1"; just `what` if it is here. Either may be empty
    // "h1 has been unreachable since 12:03"; empty: it is reachable.
    QString outOfReachText() const;
    // "Unreachable" or "Connecting", instead of a status that may be outdated or unknown.
    QString linkWord() const;
};

} // namespace trainyard::ui

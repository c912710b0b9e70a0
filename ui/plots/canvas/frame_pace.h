// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::ui {

// The reason to redraw a chart: a user action, points of a training run, or very many points at once.
enum class FrameCause { User, Points, Load };

// The shortest time between two frames, in milliseconds. `inUse`: the user works in the chart's window.
constexpr int framePaceMs(FrameCause cause, bool inUse) {
    constexpr int kSwift = 20, kCalm = 100;
    if (cause == FrameCause::User) return kSwift;
    return cause == FrameCause::Load || !inUse ? kCalm : kSwift;
}

} // namespace trainyard::ui

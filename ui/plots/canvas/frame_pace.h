// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::ui {

// Why a chart is drawn again: what the user did or chose, points of a run that trains, or very many of them at once.
enum class FrameCause { User, Points, Load };

// The shortest time between two frames, in milliseconds. `inUse`: the user works in the chart's window.
constexpr int framePaceMs(FrameCause cause, bool inUse) {
    constexpr int kSwift = 20, kCalm = 100;
    if (cause == FrameCause::User) return kSwift;
    return cause == FrameCause::Load || !inUse ? kCalm : kSwift;
}

} // namespace trainyard::ui

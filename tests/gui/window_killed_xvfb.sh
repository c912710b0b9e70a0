#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The window dies in the middle of a run (kill -9): the run goes on, and a new window shows it with no point missing.
# Before that it is taken off the screen, where it draws nothing: it takes less than a tenth of a core.
#   window_killed_xvfb.sh BIN_FOLDER SCREENSHOT_FOLDER [DISPLAY_NUMBER]
set -euo pipefail

bin=$(realpath "${1:?folder of trainyard, trainyardctl and trainyard-worker}")
screenshots=${2:?folder for the screenshots}
number=${3:-93}
# shellcheck source=display.sh
. "$(dirname "$0")/display.sh"

ctl() { "$bin/trainyardctl" "$@" --workspace "$work/light"; }
status() { ctl show first-run --json 2>/dev/null | sed -n 's/^  "status": *"\([a-z]*\)".*/\1/p'; }

start_display 1440x900
start_window "$work/light" light 1440x900
key Return
wait_for 'first point at' 30
xdotool windowunmap "$window"
sleep 1
look
before=$spent
sleep 2
look
hidden=$((spent - before))
printf 'hidden while the run trains: %s ms of processor time in 2 s\n' "${hidden}0"
[[ $hidden -lt 20 ]] || fail "the hidden window took ${hidden}0 ms of 2 s"
kill -9 "$window_pid"
wait "$window_pid" 2>/dev/null || true
# The window is told live; the record may still say "starting".
state=$(status)
[[ $state == starting || $state == running ]] || fail "the run is $state after the death of the window"
for _ in $(seq 480); do
    state=$(status)
    [[ $state == starting || $state == running ]] || break
    sleep 0.25
done
[[ $state == finished ]] || fail "the run is $state"

steps=$(ctl show first-run --json | sed -n 's/^  "steps": *\([0-9]*\).*/\1/p')
ctl metrics first-run --series train/loss --csv | tail -n +2 | cut -d, -f2 >"$work/points"
seq 1 "$steps" | cmp - "$work/points" || fail "$(wc -l <"$work/points") points of train/loss for $steps steps, or not in order"
printf '%s points of train/loss for %s steps, none missing\n' "$(wc -l <"$work/points")" "$steps"

start_window "$work/light" light 1440x900
key alt+1; settle 5
shot window-killed-reopened
stop_window
stop_display

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Drives the real window with real keys under Xvfb and takes screenshots of what a user sees:
#   first_run_xvfb.sh BIN_FOLDER SCREENSHOT_FOLDER [DISPLAY_NUMBER]
# Prints how long the window took to its first paint and Enter to the first point; fails when a step does not happen.
set -euo pipefail

bin=$(realpath "${1:?folder of trainyard, trainyardctl and trainyard-worker}")
screenshots=${2:?folder for the screenshots}
number=${3:-92}
# shellcheck source=display.sh
. "$(dirname "$0")/display.sh"

pages() { # PREFIX: screenshots of the pages that need nothing running
    key ctrl+4; sleep 1; shot "$1-checkpoints"
    key ctrl+6; sleep 3; shot "$1-cluster"
    key ctrl+5; sleep 1; shot "$1-data"
    key ctrl+7; sleep 1; shot "$1-settings"
    key ctrl+n; sleep 8; shot "$1-new-run"
    key Escape; sleep 0.5
    key ctrl+shift+n; sleep 8; shot "$1-new-sweep"
    key Escape; sleep 0.5
    key ctrl+k; sleep 1; shot "$1-palette"
    key Escape; sleep 0.5
}

first_run() { # THEME: the whole way, from nothing
    start_window "$work/$1" "$1" 1440x900
    wait_for 'first paint' 10
    grep 'first paint' "$work/log" | sed "s/^/$1: /"
    sleep 3
    shot "home-$1"
    local pressed
    pressed=$(now)
    key Return
    sleep 0.25
    shot "checklist-$1"
    wait_for 'first point at' 30
    printf '%s: Enter to first point: %s ms\n' "$1" $(($(sed -n 's/.*first point at \([0-9]*\).*/\1/p' "$work/log" | head -1) - pressed))
    sleep 6
    shot "curves-live-$1"
    xdotool mousemove 700 350; sleep 0.7
    shot "curves-crosshair-$1"
}

start_display 1440x900
first_run light
for _ in $(seq 240); do
    "$bin/trainyardctl" show first-run --workspace "$work/light" --json 2>/dev/null | grep -q '"status": *"\(finished\|stopped\|failed\)"' && break
    sleep 0.5
done
sleep 1
shot curves-finished-light
# The Model and Logs tabs by the keyboard.
key alt+2; sleep 2; shot model-light
key ctrl+l; sleep 1; shot logs-light
key alt+1
pages light
stop_window
cp -r "$work/light" "$work/dark-pages"
first_run dark
key ctrl+period; sleep 2
pages dark
stop_window
stop_display

start_display 1280x720
start_window "$work/light" light 1280x720
key alt+1; sleep 2; shot small-curves-light
key ctrl+n; sleep 8; shot small-new-run-light
key Escape; key ctrl+1; sleep 1; shot small-home-light
stop_window
stop_display

start_display 2880x1800
export QT_SCALE_FACTOR=2
start_window "$work/light" light 2880x1800
key alt+1; sleep 2; shot twice-curves-light
key ctrl+1; sleep 1; shot twice-home-light
stop_window
stop_display
printf 'screenshots in %s\n' "$screenshots"

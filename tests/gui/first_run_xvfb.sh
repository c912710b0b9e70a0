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

picture() { # KEYS NAME: of what the keys lead to
    key "$1"; settle 10; shot "$2"
}

pages() { # PREFIX: screenshots of the pages that need nothing running
    picture ctrl+4 "$1-checkpoints"
    picture ctrl+6 "$1-cluster"
    picture ctrl+5 "$1-data"
    picture ctrl+7 "$1-settings"
    picture ctrl+n "$1-new-run"
    key Escape; settle 2
    picture ctrl+shift+n "$1-new-sweep"
    key Escape; settle 2
    picture ctrl+k "$1-palette"
    key Escape; settle 2
}

first_run() { # THEME: the whole way, from nothing
    start_window "$work/$1" "$1" 1440x900
    grep 'first paint' "$work/log" | sed "s/^/$1: /"
    settle 5
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
settle 5
shot curves-finished-light
# The Model and Logs tabs by the keyboard.
picture alt+2 model-light
picture ctrl+l logs-light
key alt+1
pages light
stop_window
first_run dark
key ctrl+period; settle 5
pages dark
stop_window
stop_display

start_display 1280x720
start_window "$work/light" light 1280x720
picture alt+1 small-curves-light
picture ctrl+n small-new-run-light
key Escape
picture ctrl+1 small-home-light
stop_window
stop_display

start_display 2880x1800
export QT_SCALE_FACTOR=2
start_window "$work/light" light 2880x1800
picture alt+1 twice-curves-light
picture ctrl+1 twice-home-light
stop_window
stop_display
printf 'screenshots in %s\n' "$screenshots"

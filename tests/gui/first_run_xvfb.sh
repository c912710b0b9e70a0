#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Drives the real window with real keys under Xvfb and takes pictures of what a user sees:
#   first_run_xvfb.sh BIN_FOLDER PICTURE_FOLDER [DISPLAY_NUMBER]
# Prints how long the window took to its first paint and Enter to the first point; fails when a step does not happen.
# Needs Xvfb, xdotool and ImageMagick's import.
set -euo pipefail

bin=$(realpath "${1:?folder of trainyard, trainyardctl and trainyard-worker}")
pictures=${2:?folder for the pictures}
number=${3:-92}
mkdir -p "$pictures"
work=$(mktemp -d)
pids=()

cleanup() {
    "$bin/trainyardctl" kill --workspace "$work/light" first-run >/dev/null 2>&1 || true
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

fail() { printf 'first_run_xvfb: %s\n' "$1" >&2; exit 1; }
now() { date +%s%3N; }

start_display() { # WIDTHxHEIGHT
    Xvfb ":$number" -screen 0 "$1x24" -nolisten tcp >/dev/null 2>&1 &
    display_pid=$!
    pids+=("$display_pid")
    export DISPLAY=":$number"
    for _ in $(seq 100); do xdotool getdisplaygeometry >/dev/null 2>&1 && return; sleep 0.05; done
    fail "Xvfb :$number did not start"
}
stop_display() { kill "$display_pid"; wait "$display_pid" 2>/dev/null || true; }

start_window() { # WORKSPACE THEME SIZE
    export TRAINYARD_THEME=$2 XDG_CONFIG_HOME="$work/config-$2"
    mkdir -p "$1" "$XDG_CONFIG_HOME"
    "$bin/trainyard" --timing --workspace "$1" 2>"$work/log" &
    window_pid=$!
    pids+=("$window_pid")
    window=$(timeout 20 xdotool search --sync --onlyvisible --pid "$window_pid" | tail -1) || fail "no window came up: $(cat "$work/log")"
    xdotool windowmove "$window" 0 0 windowsize "$window" "${3%x*}" "${3#*x}" windowfocus "$window"
    sleep 1
}
# The window may be gone before xdotool lets go of the keys.
stop_window() { xdotool key --window "$window" ctrl+q 2>/dev/null || true; wait "$window_pid" 2>/dev/null || true; }
key() { xdotool key "$@"; }
shot() { import -window root "$pictures/$1.png"; }
wait_for() { # PATTERN SECONDS
    for _ in $(seq $(($2 * 20))); do grep -q "$1" "$work/log" && return; sleep 0.05; done
    fail "no \"$1\" within $2 s: $(cat "$work/log")"
}

places() { # PREFIX: pictures of the places that need nothing running
    key ctrl+5; sleep 3; shot "$1-cluster"
    key ctrl+4; sleep 1; shot "$1-data"
    key ctrl+6; sleep 1; shot "$1-settings"
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
places light
stop_window
cp -r "$work/light" "$work/dark-places"
first_run dark
key ctrl+period; sleep 2
places dark
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
printf 'pictures in %s\n' "$pictures"

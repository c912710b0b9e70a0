# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The real window on a display of its own, driven with real keys. Sourced by the scripts beside it, which set
# $bin (folder of the programs), $screenshots (folder for screenshots) and $number (of the display).
# Needs Xvfb, xdotool and ImageMagick's import.

mkdir -p "$screenshots"
work=$(mktemp -d)
pids=()

cleanup() {
    "$bin/trainyardctl" kill --workspace "$work/light" first-run >/dev/null 2>&1 || true
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

# Whoever looks ten times a second starts no program for it: on some computers that takes longer than what it waits for.
exec {nothing}<> <(:)
nap() { read -rt "$1" -u "$nothing" || true; } # seconds
fail() { printf '%s: %s\n' "$(basename "$0" .sh)" "$1" >&2; exit 1; }
now() { date +%s%3N; }

start_display() { # WIDTHxHEIGHT
    Xvfb ":$number" -screen 0 "$1x24" -nolisten tcp >/dev/null 2>&1 &
    display_pid=$!
    pids+=("$display_pid")
    export DISPLAY=":$number"
    for _ in $(seq 100); do xdotool getdisplaygeometry >/dev/null 2>&1 && return; nap 0.05; done
    fail "Xvfb :$number did not start"
}
stop_display() { kill "$display_pid"; wait "$display_pid" 2>/dev/null || true; }

start_window() { # WORKSPACE THEME SIZE
    export TRAINYARD_THEME=$2 XDG_CONFIG_HOME="$work/config-$2"
    mkdir -p "$1" "$XDG_CONFIG_HOME"
    "$bin/trainyard" --timing --workspace "$1" 2>"$work/log" &
    window_pid=$!
    pids+=("$window_pid")
    wait_for 'first paint' 20
    window=
    for _ in 1 2 3; do # xdotool fails where a window goes while it looks
        window=$(timeout 20 xdotool search --sync --onlyvisible --pid "$window_pid" | tail -1) && break
    done
    [[ -n $window ]] || fail "no window came up: $(cat "$work/log")"
    xdotool windowmove "$window" 0 0 windowsize "$window" "${3%x*}" "${3#*x}" windowfocus "$window"
    settle 5
}
# The window may be gone before xdotool lets go of the keys.
stop_window() { xdotool key --window "$window" ctrl+q 2>/dev/null || true; wait "$window_pid" 2>/dev/null || true; }
key() { xdotool key "$@"; }
look() { # sets $spent: the window's processor time in hundredths of a second, and $asks: the programs that it asks
    local stat file
    spent=0 asks=
    read -r -a stat <"/proc/$window_pid/stat" && spent=$((stat[13] + stat[14]))
    for file in "/proc/$window_pid"/task/*/children; do
        read -r asks <"$file" || true # there is no end of line
        [[ -z $asks ]] || break
    done
} 2>/dev/null
settle() { # SECONDS, at most, until the window is at rest: it asks no program and takes hardly any processor time
    local before quiet=0 spent asks
    for _ in $(seq $(($1 * 5))); do
        look
        before=$spent
        nap 0.2
        look
        quiet=$((quiet + 1))
        [[ $((spent - before)) -lt 2 && -z $asks ]] || quiet=0
        [[ $quiet -lt 2 ]] || return 0
    done
}
shot() { import -window root "$screenshots/$1.png"; }
wait_for() { # PATTERN SECONDS
    local lines
    for _ in $(seq $(($2 * 20))); do
        mapfile -t lines <"$work/log"
        [[ ${lines[*]} =~ $1 ]] && return
        nap 0.05
    done
    fail "no \"$1\" within $2 s: $(cat "$work/log")"
}

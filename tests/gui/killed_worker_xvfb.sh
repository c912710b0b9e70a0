#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The animation of the README: a rank of a run that trains is killed with SIGKILL, and the curve goes on.
#   killed_worker_xvfb.sh BIN_FOLDER SCREENSHOT_FOLDER [DISPLAY_NUMBER]
# Writes killed-worker.gif. Needs ImageMagick's convert.
set -euo pipefail

bin=$(realpath "${1:?folder of trainyard, trainyardctl and trainyard-worker}")
screenshots=${2:?folder for the screenshots}
number=${3:-93}
# shellcheck source=display.sh
. "$(dirname "$0")/display.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

"$bin/trainyardctl" run "$root/examples/fashion_mnist_mlp.json" --workspace "$work/light" --detach \
    --set name=first-run --set epochs=30 >/dev/null
start_display 1280x800
start_window "$work/light" light 1280x800
key ctrl+2
sleep 2
frames=()
frame() { shot "killed-worker-$1"; frames+=("$screenshots/killed-worker-$1.png"); }
for i in 0 1 2; do frame "$i"; sleep 0.6; done
victim=$("$bin/trainyardctl" show first-run --workspace "$work/light" --json |
    sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' | tail -1)
kill -KILL "$victim"
for i in 3 4 5 6 7 8 9; do frame "$i"; sleep 0.6; done
"$bin/trainyardctl" show first-run --workspace "$work/light" --json | grep '"status": *"running"' >/dev/null ||
    fail "the run does not train after the loss"
convert -delay 70 "${frames[@]}" -resize 960x600 -colors 64 -layers Optimize "$screenshots/killed-worker.gif"
rm "${frames[@]}"

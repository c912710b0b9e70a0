#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Any program can report: a line of JSON for each point. This one throws darts at a circle, which tell what pi is.
set -eu
steps=${1:-30}
inside=0
for ((step = 1; step <= steps; ++step)); do
  hits=0
  for ((dart = 0; dart < 2000; ++dart)); do
    x=$((RANDOM - 16384)) y=$((RANDOM - 16384))
    if ((x * x + y * y < 16384 * 16384)); then hits=$((hits + 1)); fi
  done
  inside=$((inside + hits))
  pi=$(awk -v i=$inside -v n=$((step * 2000)) 'BEGIN { printf "%.5f", 4 * i / n }')
  echo "step $step: pi $pi"
  echo "{\"step\": $step, \"pi\": $pi}" >> "${TRAINYARD_METRICS:-/dev/null}"
  # the same, and what it is for where a line of JSON is hard to write: trainyardctl metric step=$step pi=$pi
done

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Bash: prints its error, and keeps what it has come to in a file.
set -eu
for step in 1 2 3 4 5 6 7 8; do
    echo "step=$step error=0.$((90 - step * 5))"
    sleep 0.02
done

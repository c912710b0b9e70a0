#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the table of all benchmarks: see table.py, or table.sh --help.
exec "${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/table.py" "$@"

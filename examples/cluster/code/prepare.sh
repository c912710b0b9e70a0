# SPDX-License-Identifier: GPL-3.0-or-later
# Run on every host of lab.json once, by its setup commands: says what is there.
set -eu
uname -n
nproc
df -h "${DATA:-$HOME}"

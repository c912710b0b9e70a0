#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what Trainyard needs, builds it, and starts it: the window, or the first run where there is no display.
set -euo pipefail
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'END'
installer/run.sh [--no-start] [--terminal] [--skip-packages] [-- ARGUMENTS...]

Installs the packages that are missing (Debian 12 to 14, as root or with sudo), builds Trainyard in build/ and starts it:
the window where there is a display, otherwise a first training run in the terminal. Safe to run again and again.

  --no-start       install and build only
  --terminal       the first run in the terminal, also where there is a display
  --skip-packages  leave the packages alone
  --               what follows goes to the program that is started
END
}

start=yes terminal=no packages=yes
while (($# > 0)); do
    case $1 in
        --no-start) start=no ;;
        --terminal) terminal=yes ;;
        --skip-packages) packages=no ;;
        -h | --help) usage; exit 0 ;;
        --) shift; break ;;
        *) usage >&2; die 2 "" "run.sh does not know \"$1\"." ;;
    esac
    shift
done

groups=(build)
if [[ -n ${WAYLAND_DISPLAY:-} && -z ${DISPLAY:-} ]]; then groups+=(wayland); fi
if [[ $packages == yes ]]; then install_packages "${groups[@]}"; fi
check_blas
configure
build_targets "Build" trainyard trainyardctl trainyard-worker
printf 'Ready in %s: trainyard, trainyardctl and trainyard-worker in %s\n' "$(duration $SECONDS)" "$build_dir/bin"

if [[ $start == no ]]; then exit 0; fi
cd "$trainyard_root"
if [[ $terminal == no ]] && has_display; then
    printf 'Starting the window. Enter starts the first run.\n'
    exec "$build_dir/bin/trainyard" "$@"
fi
printf 'No window here, so the first run starts in the terminal: Fashion-MNIST, two workers.\n\n'
exec "$build_dir/bin/trainyardctl" run examples/fashion_mnist_mlp.json "$@"

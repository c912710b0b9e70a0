#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what Trainyard and its tests need, builds everything and runs every test. Fails when anything fails.
set -euo pipefail
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'END'
installer/test.sh [--skip-packages] [-- CTEST ARGUMENTS...]

Installs the packages that are missing (Debian 12 to 14, as root or with sudo), builds everything in build/ and runs the
tests with CTest. Arguments after -- go to CTest: "-- -L fast" runs only the quick ones. Safe to run again and again.
END
}

packages=yes
while (($# > 0)); do
    case $1 in
        --skip-packages) packages=no ;;
        -h | --help) usage; exit 0 ;;
        --) shift; break ;;
        *) usage >&2; die 2 "" "test.sh does not know \"$1\"." ;;
    esac
    shift
done

if [[ $packages == yes ]]; then install_packages build test optional; fi
check_blas

# A virtual machine can need several milliseconds to start a program, which is much of what tests do.
starts_slowly() {
    local begin=${EPOCHREALTIME/[.,]/} started
    for ((started = 0; started < 50; started++)); do /bin/true; done
    (((${EPOCHREALTIME/[.,]/} - begin) / started >= 3000)) # microseconds
}

# A test takes two lanes, or one if it mostly waits; six keep two cores busy. Where programs start slowly, fewer at a
# time take no longer, and tests wait longer before they take what they wait for as hung.
lanes=6
patience=1
if starts_slowly; then
    lanes=4
    patience=3
fi
configure -DTRAINYARD_TEST_PATIENCE=$patience
build_started=$SECONDS
build_targets "Build with tests" all
build_time=$((SECONDS - build_started))

# A test of real processes can miss a deadline on a computer that is busy beside it. Up to three that failed run once
# more, one at a time. One that passes only then is named, because it has to be mended all the same.
run_failed_again() {
    local failed
    mapfile -t failed < <(cut -d: -f2 "$build_dir/Testing/Temporary/LastTestsFailed.log" 2>/dev/null)
    ((${#failed[@]} >= 1 && ${#failed[@]} <= 3)) || return 1
    printf '\nOnce more, one at a time: %s\n' "${failed[*]}"
    ctest --test-dir "$build_dir" --output-on-failure --rerun-failed || return
    summary="100% tests passed, 0 tests failed out of ${summary##* }, only alone: ${failed[*]}"
}

test_started=$SECONDS
results="$build_dir/test-results.log"
code=0
ctest --test-dir "$build_dir" --output-on-failure --no-tests=error --parallel "$lanes" "$@" 2>&1 |
    tee "$results" || code=$?
# CTest's own summary line, again at the end, so that it is the last one.
summary=$(grep -E '^[0-9]+% tests passed' "$results" | tail -n 1) || summary="CTest ended without a summary."
if ((code != 0 && $# == 0)) && run_failed_again; then code=0; fi
printf '\nBuild %s, tests %s\n%s\n' "$(duration "$build_time")" "$(duration $((SECONDS - test_started)))" "$summary"
exit "$code"

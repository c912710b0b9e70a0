#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the Debian packages: a build of its own in build-package/, optimised, hardened and stripped; the .deb files go to
# build-package/packages/.
set -euo pipefail
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
    cat <<'END'
installer/package.sh [--skip-packages] [--from FOLDER]

Installs the packages that are missing (Debian 12 to 14, as root or with sudo), builds Trainyard with Debian's hardening
in build-package/ and makes trainyard, trainyard-engine and libtrainyard-dev in build-package/packages/. DEBFULLNAME and
DEBEMAIL name the maintainer. Safe to run again and again.

  --from FOLDER    package what is built in FOLDER, such as build: quick, and without the compiler's part of the hardening
  --skip-packages  leave the packages alone
END
}

packages=yes from=''
while (($# > 0)); do
    case $1 in
        --skip-packages) packages=no ;;
        --from)
            [[ $# -gt 1 ]] || die 2 "--from needs the folder of a build."
            from=$2
            shift
            ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; die 2 "" "package.sh does not know \"$1\"." ;;
    esac
    shift
done

groups=(build package)
if [[ $packages == yes ]]; then install_packages "${groups[@]}"; fi
if [[ -z $from ]]; then
    build_dir="$trainyard_root/build-package"
    step_log="$build_dir/installer.log"
    # Debian's flags, but for the level of optimisation, which is the release's.
    export DEB_BUILD_MAINT_OPTIONS=hardening=+all DEB_CXXFLAGS_STRIP="-g -O2"
    step "Configure" env \
        CXXFLAGS="$(dpkg-buildflags --get CXXFLAGS) $(dpkg-buildflags --get CPPFLAGS) -ffile-prefix-map=$trainyard_root=." \
        LDFLAGS="$(dpkg-buildflags --get LDFLAGS)" cmake -S "$trainyard_root" --preset package ||
        die 3 "CMake could not configure the build; the message above says what it missed."
else
    build_dir="$(realpath -- "$from")"
    step_log="$build_dir/installer.log"
    [[ -f $build_dir/CPackConfig.cmake ]] || die 2 "There is no build in $from: run installer/run.sh --no-start first."
fi
build_targets "Build" trainyard trainyardctl trainyard-worker trainyard_train trainyard_manuals
# The same sources give the same packages.
if [[ -z ${SOURCE_DATE_EPOCH:-} ]]; then
    SOURCE_DATE_EPOCH=$(git -C "$trainyard_root" log -1 --format=%ct 2>/dev/null || stat -c %Y "$trainyard_root/CHANGELOG.md")
fi
export SOURCE_DATE_EPOCH
made="$build_dir/packages"
rm -rf "$made"
step "Packages" cpack -G DEB --config "$build_dir/CPackConfig.cmake" -B "$made" -D CPACK_DEBIAN_COMPRESSION_TYPE=xz ||
    die 1 "cpack failed; the message above says why."
rm -rf "$made/_CPack_Packages"
printf 'Ready in %s:\n' "$(duration $SECONDS)"
ls -1 "$made"/*.deb
printf 'To install: apt install %s/trainyard*.deb\n' "$made"

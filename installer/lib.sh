# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Shared by run.sh and test.sh: packages, the build, and one line of output per step. Sourced, not run.

trainyard_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build_dir="$trainyard_root/build"
step_log="$build_dir/installer.log"

# Exit codes are those of the programs: 2 wrong arguments, 3 the environment.
die() {
    local code=$1
    shift
    printf '%s\n' "$@" >&2
    exit "$code"
}

note() { printf '    %s\n' "$@"; }

duration() {
    local seconds=$1
    if ((seconds >= 60)); then printf '%d:%02d min' $((seconds / 60)) $((seconds % 60)); else printf '%d s' "$seconds"; fi
}

# step TITLE COMMAND...: one line, "TITLE ... 12 s". What the command says goes to the log; its last lines are shown
# when it fails. On a terminal, the command's newest line is shown while it runs.
step() {
    local title=$1 started=$SECONDS code=0 pid line width
    shift
    mkdir -p "$build_dir"
    printf '\n==> %s: %s\n' "$title" "$*" >>"$step_log"
    local first_line
    first_line=$(wc -l <"$step_log")
    printf '%s ... ' "$title"
    if [[ -t 1 ]]; then
        # Bash lets background commands ignore Ctrl+C; this one shall not.
        env --default-signal=INT,QUIT "$@" >>"$step_log" 2>&1 </dev/null &
        pid=$!
        while kill -0 "$pid" 2>/dev/null; do
            sleep 0.5
            line=$(tail -n 1 "$step_log" | tr -d '\r' | tr -c '[:print:]' ' ')
            width=$((${COLUMNS:-80} - ${#title} - 20))
            ((width > 10)) && printf '\r\033[K%s ... %s  %s' "$title" "$(duration $((SECONDS - started)))" "${line:0:width}"
        done
        wait "$pid" || code=$?
        printf '\r\033[K%s ... ' "$title"
    else
        "$@" >>"$step_log" 2>&1 </dev/null || code=$?
    fi
    if ((code != 0)); then
        printf 'failed after %s\n\n' "$(duration $((SECONDS - started)))"
        tail -n "+$((first_line + 1))" "$step_log" | tail -n 40 >&2
        printf '\nThe whole log: %s\n' "$step_log" >&2
        return "$code"
    fi
    printf '%s\n' "$(duration $((SECONDS - started)))"
}

as_root=()
if [[ $(id -u) -ne 0 ]]; then as_root=(sudo); fi

is_installed() { [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# packages_of GROUP...: "package[|alternative]" lines.
packages_of() {
    local group package rest wanted
    while read -r group package rest; do
        for wanted in "$@"; do
            if [[ $group == "$wanted" ]]; then printf '%s\n' "$package"; fi
        done
    done <"$trainyard_root/installer/packages.txt"
}

# missing_packages GROUP...: those to install, one a line; the first of each list of alternatives.
missing_packages() {
    local entry alternative found
    while read -r entry; do
        found=no
        for alternative in ${entry//|/ }; do
            if is_installed "$alternative"; then found=yes; fi
        done
        if [[ $found == no ]]; then printf '%s\n' "${entry%%|*}"; fi
    done < <(packages_of "$@")
}

# obtainable PACKAGE...: those that this release has, and those that are needed whether it has them or not.
obtainable() {
    local package
    for package in "$@"; do
        if ! packages_of optional | grep -qx -- "$package" || apt-cache show "$package" >/dev/null 2>&1; then
            printf '%s\n' "$package"
        fi
    done
}

os_release=/etc/os-release

# The releases that are tested; Debian 14 has no VERSION_ID before it is out.
is_supported_debian() {
    [[ -r $os_release ]] && (. "$os_release" && [[ ${ID:-} == debian && ${VERSION_ID:-${VERSION_CODENAME:-}} =~ ^(12|13|14|forky)$ ]])
}

# install_packages GROUP...: asks apt only for what is missing, and touches nothing that is there.
install_packages() {
    if ! is_supported_debian; then
        local name
        name=$( (. "$os_release" && printf '%s' "${PRETTY_NAME:-$ID}") 2>/dev/null || uname -s)
        die 3 "This installs packages on Debian 12, 13 and 14 only; this computer runs $name." \
            "Install the packages that correspond to these, then run it again with --skip-packages:" \
            "  $(packages_of "$@" | sed 's/|.*//' | tr '\n' ' ')" \
            "LibTorch 1.13, 2.6 and 2.14 are tested. CMake finds one elsewhere through CMAKE_PREFIX_PATH."
    fi
    local missing
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]} == 0)); then
        printf 'Packages ... all there\n'
        return
    fi
    if ((${#as_root[@]} > 0)); then
        command -v sudo >/dev/null || die 3 "These packages are missing, and there is no sudo to install them with. As root:" \
            "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
        sudo -v || die 3 "sudo was refused. As root: apt-get install --no-install-recommends ${missing[*]}"
    fi
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    step "Package lists" "${as_root[@]}" "${apt[@]}" update || die 3 "apt-get update failed: see the network and /etc/apt/sources.list."
    mapfile -t missing < <(obtainable "${missing[@]}")
    if ((${#missing[@]} == 0)); then return; fi
    local code=0
    if [[ " ${missing[*]} " == *" openssh-server "* ]]; then keep_sshd_off; fi
    step "${#missing[@]} packages" "${as_root[@]}" "${apt[@]}" install -y --no-install-recommends "${missing[@]}" || code=$?
    remove_policy
    if ((code != 0)); then die 3 "apt-get install failed; the message above says which package."; fi
}

# The tests start their own sshd processes on loopback. Debian's service, which would listen on every interface from
# the moment of its installation, stays off on a computer that had no SSH server before.
keep_sshd_off() {
    if [[ -d /run/systemd/system ]]; then
        "${as_root[@]}" systemctl --quiet mask ssh.service ssh.socket
        note "The SSH server's service is kept off (systemctl unmask ssh.service ssh.socket turns it on)."
    fi
    if [[ ! -e /usr/sbin/policy-rc.d ]]; then
        printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee /usr/sbin/policy-rc.d >/dev/null
        "${as_root[@]}" chmod 755 /usr/sbin/policy-rc.d
        policy_made=yes
        trap remove_policy EXIT # also when this is interrupted
    fi
}

remove_policy() {
    if [[ ${policy_made:-no} == yes ]]; then "${as_root[@]}" rm -f /usr/sbin/policy-rc.d; fi
    policy_made=no
}

# Matrix products on the reference BLAS are 40 times slower. apt selects OpenBLAS by itself unless a person chose
# another one: that choice is respected, and said.
check_blas() {
    local library target
    library=$(/sbin/ldconfig -p 2>/dev/null | awk '/libblas\.so\.3 / && !found { found = 1; print $NF }') || library=''
    [[ -n $library ]] || return 0
    target=$(readlink -f "$library")
    case $target in
        *openblas* | *mkl* | *blis*) printf 'BLAS ... %s\n' "$target" ;;
        *)
            printf 'BLAS ... %s\n' "$target"
            note "This is not OpenBLAS: training will be up to 40 times slower. To change it:" \
                "  sudo update-alternatives --config libblas.so.3-$(gcc -print-multiarch 2>/dev/null || uname -m)"
            ;;
    esac
}

# As many compilers as there are cores, but no more than memory holds: a file that includes LibTorch takes 1.5 GB.
build_jobs() {
    local cores memory_kb by_memory
    cores=$(nproc)
    memory_kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
    by_memory=$((${memory_kb:-3000000} / 1500000))
    ((by_memory < 1)) && by_memory=1
    echo $((cores < by_memory ? cores : by_memory))
}

# configure [CMAKE ARGUMENTS...]: build/ for Release. An earlier build is resumed; one that was moved here from
# elsewhere is begun again.
configure() {
    local cache="$build_dir/CMakeCache.txt" generator=()
    if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$trainyard_root" "$cache"; then
        rm -rf "$cache" "$build_dir/CMakeFiles"
    fi
    if [[ ! -f $cache ]]; then generator=(-G Ninja); fi
    step "Configure" cmake -S "$trainyard_root" -B "$build_dir" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_UNITY_BUILD=ON "$@" ||
        die 3 "CMake could not configure the build; the message above says what it missed."
}

# build_targets TITLE TARGET...
build_targets() {
    local title=$1
    shift
    step "$title" cmake --build "$build_dir" --parallel "$(build_jobs)" --target "$@" ||
        die 1 "The build failed. It resumes where it stopped when this is run again."
}

# True where a window can be shown: a Wayland or X server that is really there.
has_display() {
    if [[ -n ${WAYLAND_DISPLAY:-} && -S ${XDG_RUNTIME_DIR:-/nonexistent}/$WAYLAND_DISPLAY ]]; then return 0; fi
    local display=${DISPLAY:-} number
    number=${display##*:}
    case $display in
        '') return 1 ;;
        :*) [[ -S /tmp/.X11-unix/X${number%%.*} ]] ;;
        *) return 0 ;; # an X server on another host, or ssh -X
    esac
}

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Real SSH hosts in network namespaces, for the tests. Runs as root inside the lab's own process, mount and network
# namespaces (host_lab.cpp makes them), so that everything is gone when the lab's first process is: nothing to clean.
#   host_lab.sh up FOLDER COUNT     bridge, controller address 10.77.0.100, hosts h1.. at 10.77.0.1..
#   host_lab.sh cut|join|off|down|boot FOLDER N
#   host_lab.sh slow FOLDER N [MBIT]
#   host_lab.sh fast FOLDER N
#   host_lab.sh part|meet FOLDER N      the controller and that host, whose link to the others stays
#   host_lab.sh cut-controller|join-controller|slow-controller|fast-controller FOLDER 0
set -eu
what=$1 folder=$2 n=$3
script=$(readlink -f "$0")

in_bridge() { nsenter -t "$(cat "$folder/bridge.pid")" -n "$@"; }

wait_for_namespace() { # of process $1: unshare has not got to it yet while it equals ours
    for _ in $(seq 200); do
        [ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ] && return 0
        sleep 0.01
    done
    echo "no namespace for process $1" >&2
    return 1
}

# Network namespace of process $1 to the bridge: device $2 there, eth0 with address $3 and the last byte $4 of its
# hardware address in it, which a host keeps when it boots again.
connect() {
    ip link add "$2" type veth peer name "$2p"
    ip link set "$2" netns "$(cat "$folder/bridge.pid")"
    ip link set "$2p" netns "$1"
    in_bridge ip link set "$2" master br0 up
    nsenter -t "$1" -n sh -c "ip link set '$2p' name eth0 address 02:77:00:00:00:${4:-64} && ip addr add '$3/24' dev eth0 && ip link set lo up && ip link set eth0 up"
}

make_keys() {
    mkdir -p "$folder/keys"
    [ -f "$folder/keys/done" ] && return 0
    for host in $(seq "$1") new; do
        ssh-keygen -q -t ed25519 -N '' -C "host $host" -f "$folder/keys/host$host-ed25519"
        ssh-keygen -q -t ecdsa -N '' -C "host $host" -f "$folder/keys/host$host-ecdsa"
    done
    ssh-keygen -q -t ed25519 -N '' -C plain -f "$folder/keys/ed25519"
    ssh-keygen -q -t ecdsa -N '' -C ecdsa -f "$folder/keys/ecdsa"
    ssh-keygen -q -t ed25519 -N 'open sesame' -C encrypted -f "$folder/keys/encrypted"
    ssh-keygen -q -t ed25519 -N '' -C agent -f "$folder/keys/agent"
    ssh-keygen -q -t ed25519 -N '' -C stranger -f "$folder/keys/stranger"
    ssh-keygen -q -t rsa -b 2048 -N '' -C rsa -f "$folder/keys/rsa"
    for key in ed25519 ecdsa encrypted agent rsa; do cat "$folder/keys/$key.pub"; done > "$folder/keys/authorized"
    touch "$folder/keys/done"
}

make_etc() {
    mkdir -p "$folder/etc"
    printf '127.0.0.1 localhost\n' > "$folder/etc/hosts"
    for host in $(seq "$1"); do printf '10.77.0.%s h%s\n' "$host" "$host" >> "$folder/etc/hosts"; done
    printf 'root:x:0:0:root:/root:/bin/bash\nsshd:x:105:65534::/run/sshd:/usr/sbin/nologin\nnobody:x:65534:65534::/:/usr/sbin/nologin\n' > "$folder/etc/passwd"
    # A second name of root, with the other kind of login shell.
    [ ! -x /bin/csh ] || echo 'csh:x:0:0:csh:/root:/bin/csh' >> "$folder/etc/passwd"
    printf 'csh:*:19000:0:99999:7:::\nroot:*:19000:0:99999:7:::\nsshd:!:19000::::::\nnobody:*:19000::::::\n' > "$folder/etc/shadow"
    chmod 600 "$folder/etc/shadow"
}

boot() { # host $1
    mkdir -p "$folder/h$1"
    # The key is taken from host$1, or from hostnew after "echo new > FOLDER/h1/identity".
    setsid unshare --net --mount --uts --ipc --pid --fork --kill-child --mount-proc \
        sh "$script" inside "$folder" "$1" > "$folder/h$1/log" 2>&1 < /dev/null &
    pid=$!
    echo "$pid" > "$folder/h$1.pid"
    wait_for_namespace "$pid"
    connect "$pid" "h$1" "10.77.0.$1" "0$1"
    for _ in $(seq 500); do
        in_host "$1" sh -c 'ss -Hltn sport = :22 | grep -q .' && return 0
        sleep 0.01
    done
    cat "$folder/h$1/log" >&2
    return 1
}

in_host() { host=$1; shift; nsenter -t "$(cat "$folder/h$host.pid")" -n "$@"; }

inside() { # first process of a host
    hostname "h$1"
    identity=$(cat "$folder/h$1/identity" 2> /dev/null || echo "$1")
    mkdir -p /mnt/lab
    mount -t tmpfs tmpfs /mnt && mkdir /mnt/lab && mount --bind "$folder" /mnt/lab
    for file in hosts passwd shadow; do mount --bind "$folder/etc/$file" "/etc/$file"; done
    for private in /tmp /run /home /root; do mount -t tmpfs -o mode=755 tmpfs $private; done
    chmod 1777 /tmp
    mkdir -p /run/sshd /root/.ssh
    cp /mnt/lab/keys/authorized /root/.ssh/authorized_keys
    cp "/mnt/lab/keys/host$identity-ed25519" /run/sshd/ed25519
    cp "/mnt/lab/keys/host$identity-ecdsa" /run/sshd/ecdsa
    if [ "$1" = 3 ]; then # the small, talkative one
        mkdir -p /root/.cache
        mount -t tmpfs -o size=8m tmpfs /root/.cache
        printf 'echo "Welcome to h3"\necho "a warning of the profile" >&2\nprintf "no newline"\n' > /root/.bashrc
        printf '*** Authorised use only ***\n%s\n' "$(seq 200 | tr '\n' ' ')" > /run/sshd/banner
    else
        : > /run/sshd/banner
    fi
    # What the test has written comes first, and the first value holds.
    cat "/mnt/lab/h$1/sshd_config" > /run/sshd/config 2> /dev/null || : > /run/sshd/config
    cat >> /run/sshd/config <<END
Port 22
HostKey /run/sshd/ed25519
HostKey /run/sshd/ecdsa
UsePAM no
UseDNS no
PasswordAuthentication no
PermitRootLogin prohibit-password
PidFile none
Banner /run/sshd/banner
Subsystem sftp /bin/false
END
    # From OpenSSH 9.8 on a computer that fails to sign in some times, as tests do, is refused for a while.
    if grep -q persourcepenalties /usr/sbin/sshd; then echo "PerSourcePenalties no" >> /run/sshd/config; fi
    if [ -f "/mnt/lab/h$1/without" ]; then # patterns of libraries that this host lacks
        libraries=$(dirname "$(ldconfig -p | awk '/libz\.so\.1 / { print $NF; exit }')")
        mkdir -p /run/lacks/upper /run/lacks/work
        mount -t overlay -o "lowerdir=$libraries,upperdir=/run/lacks/upper,workdir=/run/lacks/work" overlay "$libraries"
        while read -r pattern; do rm -f "$libraries"/$pattern; done < "/mnt/lab/h$1/without"
        ldconfig -C /run/lacks/cache
        mount --bind /run/lacks/cache /etc/ld.so.cache
    fi
    for _ in $(seq 300); do ip link show eth0 > /dev/null 2>&1 && break; sleep 0.01; done
    exec /usr/sbin/sshd -D -e -f /run/sshd/config
}

case $what in
up)
    mkdir -p "$folder"
    make_keys "$n"
    make_etc "$n"
    mount --bind "$folder/etc/hosts" /etc/hosts
    setsid unshare --net sleep infinity < /dev/null > /dev/null 2>&1 &
    echo $! > "$folder/bridge.pid"
    wait_for_namespace $!
    in_bridge ip link add br0 type bridge
    in_bridge ip link set br0 up
    connect $$ ctl 10.77.0.100
    for i in $(seq "$n"); do boot "$i"; done ;;
cut) in_bridge ip link set "h$n" down ;;
join) in_bridge ip link set "h$n" up ;;
slow) # towards it; the burst is 2 ms of the rate
    mbit=${4:-20}
    in_bridge tc qdisc replace dev "h$n" root tbf rate "${mbit}mbit" burst "$((mbit * 250))" latency 400ms ;;
fast) in_bridge tc qdisc del dev "h$n" root 2> /dev/null || true ;; # or it is fast already
part)
    in_host "$n" nft 'add table inet parted
        add chain inet parted in { type filter hook input priority 0; }
        add chain inet parted out { type filter hook output priority 0; }
        add rule inet parted in ip saddr 10.77.0.100 drop
        add rule inet parted out ip daddr 10.77.0.100 drop' ;;
meet) in_host "$n" nft delete table inet parted ;;
cut-controller) in_bridge ip link set ctl down ;; # the hosts reach each other
join-controller) in_bridge ip link set ctl up ;;
slow-controller) in_bridge tc qdisc add dev ctl root tbf rate 2mbit burst 32kbit latency 400ms ;; # towards it
fast-controller) in_bridge tc qdisc del dev ctl root 2> /dev/null || true ;;
off) # silently, as a pulled plug
    in_bridge ip link set "h$n" down
    kill -KILL "$(cat "$folder/h$n.pid")" ;;
down) kill -KILL "$(cat "$folder/h$n.pid")" ;; # its connections are closed
boot)
    in_bridge ip link del "h$n" 2> /dev/null || true
    boot "$n" ;;
inside) inside "$n" ;;
*) echo "unknown command $what" >&2; exit 2 ;;
esac

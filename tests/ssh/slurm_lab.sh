#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A small Slurm cluster on one computer, for the tests: the controller here, nodes n1 and n2 in network and process
# namespaces of their own on the same file system. Runs as root inside the lab's own namespaces (host_lab.cpp makes
# them), so that everything is gone when the lab's first process is: nothing to clean.
#   slurm_lab.sh up FOLDER COUNT    bridge, controller at 10.78.0.100, nodes n1.. at 10.78.0.1..; FOLDER/slurm.conf
#   slurm_lab.sh boot|off|cut|join FOLDER N
set -eu
what=$1 folder=$2 n=$3
script=$(readlink -f "$0")

# Network namespace of process $1 to the bridge as device $2 there, with address $3.
connect() {
    ip link add "$2" type veth peer name "$2p"
    ip link set "$2p" netns "$1"
    ip link set "$2" master br0 up
    nsenter -t "$1" -n sh -c "ip link set '$2p' name eth0 && ip addr add '$3/24' dev eth0 && ip link set lo up && ip link set eth0 up"
}

write_configuration() {
    # A requeued job waits for as long. Newer releases refuse less than 5 s, and then take their own two minutes.
    expire=5
    case $(slurmd -V) in *" 22."*) expire=1 ;; esac
    cat > "$folder/slurm.conf" << END
ClusterName=lab
SlurmctldHost=ctl(10.78.0.100)
SlurmUser=root
SlurmctldPort=6817
SlurmdPort=6818
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=$expire
CredType=cred/munge
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
SlurmdTimeout=5
SlurmctldTimeout=5
InactiveLimit=0
KillWait=10
MinJobAge=300
ReturnToService=2
RebootProgram=/bin/true
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
END
    for i in $(seq "$n"); do echo "NodeName=n$i NodeAddr=10.78.0.$i CPUs=2 RealMemory=1000 State=UNKNOWN"; done >> "$folder/slurm.conf"
    cat >> "$folder/slurm.conf" << END
PartitionName=low Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=high Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=2 PreemptMode=OFF
END
    echo 'CgroupPlugin=cgroup/v1' > "$folder/cgroup.conf"
}

boot() { # node $1
    setsid unshare --net --uts --ipc --pid --fork --kill-child --mount-proc \
        sh "$script" inside "$folder" "$1" > "$folder/n$1.log" 2>&1 < /dev/null &
    pid=$!
    echo "$pid" > "$folder/n$1.pid"
    for _ in $(seq 200); do
        [ "$(readlink "/proc/$pid/ns/net")" != "$(readlink /proc/self/ns/net)" ] && break
        sleep 0.01
    done
    connect "$pid" "n$1" "10.78.0.$1"
}

inside() { # first process of a node
    hostname "n$1"
    for _ in $(seq 300); do ip addr show dev eth0 2> /dev/null | grep -q inet && break; sleep 0.01; done
    exec slurmd -D -f "$folder/slurm.conf" -N "n$1"
}

case $what in
up)
    mkdir -p "$folder/state"
    hostname ctl
    write_configuration
    { cat /etc/hosts; for i in $(seq "$n"); do echo "10.78.0.$i n$i"; done; echo "10.78.0.100 ctl"; } > "$folder/hosts"
    mount --bind "$folder/hosts" /etc/hosts
    head -c 1024 /dev/urandom > "$folder/munge.key"
    chmod 600 "$folder/munge.key"
    munged --force --socket="$folder/munge.socket" --key-file="$folder/munge.key" --pid-file="$folder/munged.pid" \
        --log-file="$folder/munged.log" --seed-file="$folder/munged.seed"
    ip link set lo up
    ip link add br0 type bridge
    ip addr add 10.78.0.100/24 dev br0
    ip link set br0 up
    slurmctld -f "$folder/slurm.conf" -c
    for i in $(seq "$n"); do boot "$i"; done ;;
cut) ip link set "n$n" down ;;
join) ip link set "n$n" up ;;
off) # silently, as a pulled plug
    ip link set "n$n" down
    kill -KILL "$(cat "$folder/n$n.pid")" ;;
boot)
    ip link del "n$n" 2> /dev/null || true
    boot "$n" ;;
inside) inside "$n" ;;
*) echo "unknown command $what" >&2; exit 2 ;;
esac

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains on a table that is larger than the memory of a control group, and times its steps beside those in memory.

    small_memory.py [limit=256] [times=6] [steps=2000] [pairs=3] [hidden=64] [folder=FOLDER]
    as root; TRAINYARD_BIN=build/bin

The table has `times` times as many bytes of rows as the group may have memory, in MB; 22 columns. Each pair trains
`steps` steps of a small network on it inside the group, and as many on a part of it that fits into memory outside.
A smaller network (`hidden=512,512`: its layers) takes more rows a second, so reading counts for more.
The table is kept in FOLDER (/var/tmp/small-memory) for the next time.
"""
import contextlib
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import time

COLUMNS, BLOCK, ROW_BYTES = 21, 100_000, 21 * 8


def write_table(path, blocks):
    if path.exists():
        return
    draws = random.Random(1)
    weights = [draws.gauss(0, 1) for _ in range(COLUMNS)]
    rows = []
    for _ in range(BLOCK):
        row = [draws.gauss(0, 1) for _ in range(COLUMNS)]
        up = sum(a * b for a, b in zip(row, weights)) + draws.gauss(0, 0.5) > 0
        rows.append(",".join("%.6f" % x for x in row) + (",up\n" if up else ",down\n"))
    with open(path, "w") as out:
        out.write(",".join(f"c{i}" for i in range(COLUMNS)) + ",kind\n")
        for _ in range(blocks):
            out.writelines(rows)


def end_all(group):
    """Ends what is in the group: the pool that ranks are forked from waits there for the next run."""
    for sent in [signal.SIGTERM] * 20 + [signal.SIGKILL] * 20:
        pids = [int(pid) for pid in (group / "cgroup.procs").read_text().split()]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, sent)
        if not pids:
            return
        time.sleep(0.1)


def group_of(limit):
    """The folder of a new group, and the file that a process joins it by; of version 1 or 2."""
    first = pathlib.Path("/sys/fs/cgroup/memory/trainyard-small-memory")
    second = pathlib.Path("/sys/fs/cgroup/trainyard-small-memory")
    group = first if first.parent.is_dir() else second
    group.mkdir(exist_ok=True)
    end_all(group)  # a pool of an earlier time that was killed
    (group / ("memory.limit_in_bytes" if group is first else "memory.max")).write_text(str(limit << 20))
    return group


def train(folder, table, steps, hidden, group=None, loading="auto"):
    run = folder / "run.json"
    run.write_text(json.dumps({
        "version": 1, "name": "small-memory", "epochs": None, "steps": steps,
        "dataset": {"name": "csv", "params": {"file": str(table)}}, "data": {"loading": loading},
        "model": {"name": "mlp", "params": {"hidden": hidden}}, "optimizer": {"name": "sgd", "lr": 0.05},
        "batch": {"perRank": 256}, "checkpoint": {"everyEpochs": 0}, "scaling": {"workers": 1, "threadsPerWorker": 1}}))
    runtime = folder / ("inside" if group else "outside")
    runtime.mkdir(exist_ok=True)
    runtime.chmod(0o700)
    environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"), XDG_RUNTIME_DIR=str(runtime))

    def join():
        if group:
            (group / "cgroup.procs").write_text(str(os.getpid()))

    program = os.path.join(os.environ.get("TRAINYARD_BIN", "build/bin"), "trainyardctl")
    done = subprocess.run([program, "run", str(run), "--workspace", str(folder / "workspace"), "--json"],
                          env=environment, preexec_fn=join, stdout=subprocess.PIPE, text=True)
    result = json.loads(done.stdout)
    if result.get("status") != "finished":
        sys.exit(done.stdout)
    return result


def main():
    args = dict(argument.split("=", 1) for argument in sys.argv[1:])
    limit, times, steps = int(args.get("limit", 256)), int(args.get("times", 6)), int(args.get("steps", 2000))
    folder = pathlib.Path(args.get("folder", "/var/tmp/small-memory"))
    folder.mkdir(exist_ok=True)
    blocks = -(-times * (limit << 20) // (ROW_BYTES * BLOCK))
    large, small = folder / f"large-{blocks}.csv", folder / "small.csv"
    write_table(large, blocks)
    write_table(small, 5)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    group = group_of(limit)
    try:
        measure(args, folder, group, large, small, limit, steps, blocks)
    finally:
        end_all(group)
        group.rmdir()


def measure(args, folder, group, large, small, limit, steps, blocks):
    ratios, hidden = [], [int(each) for each in args.get("hidden", "64").split(",")]
    for _ in range(int(args.get("pairs", 3))):
        inside = train(folder, large, steps, hidden, group)
        outside = train(folder, small, steps, hidden, loading="memory")
        speeds = [each["timing"]["samples_per_s"] for each in (inside, outside)]
        ratios.append(speeds[0] / speeds[1])
        print(f"{blocks * BLOCK:,} rows in {limit} MB: {speeds[0]:,.0f} samples/s, first step after "
              f"{inside['timing']['launch_to_first_step_s']:.1f} s; in memory {speeds[1]:,.0f}; "
              f"ratio {ratios[-1]:.2f}", flush=True)
    print(f"median of {len(ratios)}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


main()

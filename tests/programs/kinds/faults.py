# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports steps 1 to 3, meets with the fault that its first word names, and reports 4 to 6. A second start has none."""
import json
import os
import resource
import signal
import sys
import time

how, rank = sys.argv[1], os.environ["RANK"]
met = sys.argv[2] + rank


def report(*steps):
    for step in steps:
        with open(os.environ["TRAINYARD_METRICS"], "ab") as file:
            file.write(json.dumps({"step": step, "train/loss": 1 / step}).encode() + b"\n")
        time.sleep(0.05)


is_again = os.path.exists(met)
if how == "early":  # before the others have met it
    if rank == "1":
        sys.exit(3)
    time.sleep(1000)
report(1, 2, 3)
if not is_again:
    open(met, "w").close()
if not is_again and how == "abort" and rank == "1":
    os.abort()
if not is_again and how == "stopped" and rank == "1":
    os.kill(os.getpid(), signal.SIGSTOP)
if how == "leaves" and rank == "1":
    sys.exit(0)
if how == "files":
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    kept = [open("/dev/null") for _ in range(100)]
if how == "disk":
    with open("/dev/full", "w") as file:
        file.write("x" * 100_000)
if how == "memory":
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    kept = bytearray(4 << 30)
if how == "swarm":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for _ in range(200):
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)
            os._exit(0)
if how == "abort" or how == "stopped":
    time.sleep(0.5)  # rank 0 has not reported its last step when the other one is gone
report(4, 5, 6)

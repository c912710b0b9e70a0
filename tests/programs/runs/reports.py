# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports a falling loss with $TRAINYARD_METRICS and can be told to misbehave."""
import argparse
import inspect
import json
import os
import signal
import subprocess
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--steps", type=int, default=20)
parser.add_argument("--pause", type=float, default=0.0, help="seconds between two steps")
parser.add_argument("--fail", choices=["raise", "exit", "module", "kill", "peer", "forked", "store"], help="how it fails")
parser.add_argument("--fail-at", type=int, default=5)
parser.add_argument("--fail-rank", type=int, default=0)
parser.add_argument("--once", default="", help="a file: it fails only where there is none yet")
parser.add_argument("--save", default="", help="a file that is written when it is asked to stop")
parser.add_argument("--strays", type=int, default=0, help="processes that outlive it")
parser.add_argument("--deaf", action="store_true", help="ignores SIGTERM")
args = parser.parse_args()
rank = int(os.environ.get("RANK", 0))


def report(**values):
    line = (json.dumps(values) + "\n").encode()
    handle = os.open(os.environ["TRAINYARD_METRICS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, line)
    os.close(handle)


def stop(*_):
    if args.save:
        with open(args.save, "w") as file:
            file.write("saved")
    sys.exit(0)


def lost_peer():
    raise RuntimeError("[../gloo/transport/tcp/pair.cc:598] Connection closed by peer [127.0.0.1]:4711")


def fail(step):
    if args.fail is None or step != args.fail_at:
        return
    if args.fail == "peer" and rank != args.fail_rank:
        lost_peer()
    if rank != args.fail_rank:
        return
    if args.once:
        if os.path.exists(args.once):
            return
        open(args.once, "w").close()
    if args.fail == "raise":
        raise ValueError("the loss is wrong")
    if args.fail == "forked":  # as a program would that cannot be forked
        if any(frame.filename == "trainyard fork server" for frame in inspect.stack(0)):
            raise ValueError("it is forked")
        return
    if args.fail == "store":  # as with a PyTorch that cannot meet there
        if os.environ["TORCHELASTIC_USE_AGENT_STORE"] == "True":
            raise ValueError("there is a store")
        return
    if args.fail == "exit":
        sys.exit(7)
    if args.fail == "module":
        import a_module_that_is_not_there  # noqa
    if args.fail == "peer":
        time.sleep(0.5)
        raise ValueError("the true cause")
    os.kill(os.getpid(), signal.SIGKILL)


signal.signal(signal.SIGTERM, signal.SIG_IGN if args.deaf else stop)
for _ in range(args.strays):
    # In a session of its own, without the run's environment, and deaf: a double fork.
    subprocess.Popen(["bash", "-c", "trap '' TERM; env -i setsid sleep 1000 & disown; env -i sleep 1000"],
                     start_new_session=True)
for step in range(1, args.steps + 1):
    fail(step)
    report(step=step, **{"train/loss": args.lr / step})
    print(f"rank {rank} step {step}", flush=True)
    time.sleep(args.pause)

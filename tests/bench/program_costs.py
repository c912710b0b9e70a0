#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program's run costs while it runs: report(), printed lines, an idle run, a metric on its way to the screen.

    program_costs.py [--bin FOLDER] [--idle SECONDS] [--pixels SECONDS]

`programs.py --table` prints the same rows below its own. Exit code 77: there is no python3.
"""
import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

PYTHON = os.environ.get("PYTHON", "/usr/bin/python3")
REPORTS = """import os, statistics, sys, time
sys.path.append(os.environ["MODULE"])
import trainyard
rounds = []
for round in range(20):
    begun = time.perf_counter()
    for step in range(1000):
        trainyard.report({"loss": 0.5, "acc": 0.25, "lr": 0.1, "norm": 1.5}, step=round * 1000 + step)
    rounds.append((time.perf_counter() - begun) * 1000)  # microseconds of one
print(statistics.median(rounds), min(rounds), max(rounds))
"""
WAITS = """import time
print("begun", flush=True)
time.sleep(600)
"""


def row(name, text):
    print(f"{name:34} {text}", flush=True)


def module_folder(binaries):
    """Where trainyard.py is: beside the build, or installed."""
    for place in ("../../resources/python", "../share/trainyard/python", "../lib/trainyard"):
        folder = os.path.abspath(os.path.join(binaries, place))
        if os.path.exists(os.path.join(folder, "trainyard.py")):
            return folder
    return os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "resources", "python"))


def report_cost(folder, binaries):
    metrics = os.path.join(folder, "metrics")
    environment = dict(os.environ, MODULE=module_folder(binaries), TRAINYARD_METRICS=metrics, TRAINYARD_RUN="bench",
                       RANK="0", WORLD_SIZE="1")
    done = subprocess.run([PYTHON, "-c", REPORTS], env=environment, stdout=subprocess.PIPE, check=True)
    with open(metrics) as file:
        lines = sum(1 for _ in file)
    if lines != 20000:
        raise RuntimeError(f"report() wrote {lines} lines of 20,000")
    middle, least, most = (float(word) for word in done.stdout.split())
    row("report() of four values", f"{middle:.1f} µs ({least:.1f} to {most:.1f}, 20 rounds of 1,000); goal 10, moonshot 4")


def scanned_lines(folder, binaries):
    """A million printed lines, as `run --test-patterns` reads them: with the code that a run uses."""
    log = os.path.join(folder, "million.log")
    with open(log, "w") as file:
        for step in range(1000000):
            file.write("step %d/1000000 loss %.4f lr %.6f\n" % (step, 1 / (step + 1), 0.1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([os.path.join(binaries, "trainyardctl"), "run", "--test-patterns", log, "--json"],
                          stdout=subprocess.PIPE, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if b"999999" not in done.stdout:
        raise RuntimeError("the last of a million lines was not read")
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    row("a million printed lines", f"{used:.2f} s of processor: {1 / used:.2f} M lines/s; goal 0.4, moonshot 1")
    os.unlink(log)


def descendants(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        children = [int(word) for word in file.read().split()]
    return [pid] + [each for child in children for each in descendants(child)]


def name_of(pid):
    with open(f"/proc/{pid}/comm") as file:
        return file.read().strip()


def supervisor_of(run_folder):
    """The process `trainyardctl supervise` of a run."""
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if b"supervise" in words and any(run_folder.encode() in word for word in words):
            return int(entry)
    raise RuntimeError("the run has no supervisor")


def cost_of(pids):
    """Nanoseconds of processor of these processes, their resident and their proportional bytes."""
    used = resident = proportional = 0
    for pid in pids:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/schedstat") as file:
                used += int(file.read().split()[0])
        with open(f"/proc/{pid}/smaps_rollup") as file:
            sizes = dict(re.findall(r"^(\w+): +(\d+) kB", file.read(), re.M))
        resident += int(sizes["Rss"]) * 1024
        proportional += int(sizes["Pss"]) * 1024
    return used, resident, proportional


def idle_cost(folder, binaries, seconds):
    script = os.path.join(folder, "waits.py")
    with open(script, "w") as file:
        file.write(WAITS)
    ctl, workspace = os.path.join(binaries, "trainyardctl"), os.path.join(folder, "idle")
    subprocess.run([ctl, "run", "--detach", "--workers", "2", "--workspace", workspace, script], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    listed = subprocess.run([ctl, "runs", "--json", "--workspace", workspace], stdout=subprocess.PIPE, check=True)
    run = json.loads(listed.stdout)[0]["run"]
    try:
        time.sleep(8)  # until it has settled
        all_of_it = descendants(supervisor_of(os.path.join(workspace, "runs", run)))
        ours = [pid for pid in all_of_it if name_of(pid).startswith("trainyard")]
        before, begun = cost_of(ours)[0], time.time()
        time.sleep(seconds)
        passed = time.time() - begun
        after, resident, proportional = cost_of(ours)
    finally:
        subprocess.run([ctl, "kill", run, "--workspace", workspace], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    row("idle run of two ranks", f"{(after - before) / passed / 1e7:.3f} % of a core over {passed:.0f} s; goal 0.05, "
        f"moonshot 0.01. {len(ours)} processes: {proportional / 1e6:.1f} MB proportional, {resident / 1e6:.1f} MB "
        "resident; goal 12, moonshot 6")


def pixels(binaries, seconds):
    program = os.path.join(binaries, "..", "tests", "latency_bench")
    if not os.path.exists(program):
        row("metric to pixel", "not measured: build the target latency_bench")
        return
    environment = dict(os.environ, TRAINYARD_BIN=binaries, QT_QPA_PLATFORM=os.environ.get("QT_QPA_PLATFORM", "offscreen"))
    for kind, words in (("metrics", "of the metrics file"), ("printed", "of a printed line")):
        done = subprocess.run([program, kind, str(seconds)], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        found = re.search(rb"p50 ([\d.]+) ms +p99 ([\d.]+) ms +worst ([\d.]+)", done.stdout)
        if not found:
            raise RuntimeError(f"latency_bench {kind}: {done.stdout.decode()}")
        p50, p99, worst = (float(each) for each in found.groups())
        row("point to pixel, " + words, f"p50 {p50:.1f} ms, p99 {p99:.1f}, worst {worst:.1f}; goal 50, moonshot 20")


def costs(folder, binaries, idle=40, seconds=10):
    """All rows."""
    report_cost(folder, binaries)
    scanned_lines(folder, binaries)
    idle_cost(folder, binaries, idle)
    pixels(binaries, seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(__file__), "..", "..", "build", "bin"))
    parser.add_argument("--idle", type=float, default=40)
    parser.add_argument("--pixels", type=float, default=10)
    options = parser.parse_args()
    if not os.path.exists(PYTHON):
        print("there is no python3")
        return 77
    with tempfile.TemporaryDirectory(prefix="trainyard-costs-") as folder:
        costs(folder, os.path.abspath(options.bin), options.idle, options.pixels)
    return 0


if __name__ == "__main__":
    sys.exit(main())

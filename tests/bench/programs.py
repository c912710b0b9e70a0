#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A program as a run, against torchrun and a plain start: seconds, in interleaved pairs on this machine, now.

    programs.py [--bin FOLDER] [--pairs N] [--trials N] [--trial-pairs N] [--table]

`run` starts ranks as programs, `snapshot` from a copy of their code, `forked` forks them from a Python that has
imported numpy and torch. torchrun polls every 0.1 s (its default is 5 s) and has OMP_NUM_THREADS=1, as the ranks of the
run do. Each measure is taken from the command's start, or from the signal, to what the script itself writes. `--table`
adds the rows of program_costs.py. Exit code 77: python3-torch is not installed.
"""
import argparse
import glob
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import program_costs

PYTHON = os.environ.get("PYTHON", "/usr/bin/python3")
TORCHRUN = ["torchrun", "--standalone", "-r", "1", "-t", "1", "--monitor_interval", "0.1", "--nproc_per_node", "2"]

# What is measured writes the time of the system, so that processes can be compared.
FIRST_LINE = """import time; at = time.time()
import os
with open(os.path.join(os.environ["MARKS"], "line%d" % os.getpid()), "w") as file: file.write(repr(at))
"""
FIRST_REDUCTION = """import os, time
import torch, torch.distributed as dist
dist.init_process_group("gloo")
dist.all_reduce(torch.ones(1))
with open(os.path.join(os.environ["MARKS"], "reduced%d" % os.getpid()), "w") as file: file.write(repr(time.time()))
dist.destroy_process_group()
"""
SHORT = """import os
import torch
with open(os.environ.get("TRAINYARD_METRICS", os.devnull), "a") as file:
    file.write('{"step": 1, "loss": %r}\\n' % torch.ones(1).item())
"""
STEPS = """import glob, os, signal, time
import torch, torch.distributed as dist
marks = os.environ["MARKS"]
def save(*_):
    with open(os.path.join(marks, "saved%d" % os.getpid()), "w") as file: file.write("x")
    until = time.time() + 1  # one that leaves at once breaks the other's step
    while len(glob.glob(os.path.join(marks, "saved*"))) < 2 and time.time() < until: time.sleep(0.001)
    os._exit(0)
signal.signal(signal.SIGTERM, save)
dist.init_process_group("gloo")
with open(os.path.join(marks, "pid%d" % dist.get_rank()), "w") as file: file.write(str(os.getpid()))
for step in range(100000):
    dist.all_reduce(torch.ones(1))
    time.sleep(0.01)
    if dist.get_rank() == 0:
        with open(os.path.join(marks, "steps"), "a") as file:
            file.write("%s %r\\n" % (os.environ["TORCHELASTIC_RESTART_COUNT"], time.time()))
"""


class Bench:
    def __init__(self, folder, binaries):
        self.folder, self.bin, self.count = folder, binaries, 0
        self.environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", GLOO_SOCKET_IFNAME="lo")

    def script(self, name, text):
        path = os.path.join(self.folder, name + ".py")
        with open(path, "w") as file:
            file.write(text)
        return path

    def large_project(self, name, text, files):
        """A script in a project of so many other files, 20 KB each."""
        folder = os.path.join(self.folder, "project")
        for number in range(files):
            within = os.path.join(folder, "d%d" % (number // 100))
            os.makedirs(within, exist_ok=True)
            with open(os.path.join(within, "f%d.py" % number), "wb") as file:
                file.write(os.urandom(20000))
        open(os.path.join(folder, "pyproject.toml"), "w").close()
        path = self.script(os.path.join("project", name), text)
        for each in ("snapshot", "run"):
            self.last_mark(each, path, "line", 1)  # the first snapshot is made
        time.sleep(2)  # files that have just been written are not trusted to be unchanged
        return path

    def command(self, how, script, workers=2):
        if how == "torchrun":
            return TORCHRUN + ["--max_restarts", "3", script]
        if how == "plain":
            return [PYTHON, script]
        self.count += 1
        file = os.path.join(self.folder, f"run{self.count}.json")
        with open(file, "w") as out:
            json.dump({"program": {"script": script, "interpreter": PYTHON,
                                   "code": "snapshot" if how == "snapshot" else "inPlace",
                                   "preload": "numpy,torch" if how == "forked" else "off",
                                   "environment": {"MARKS": self.environment["MARKS"]}},
                       "scaling": {"workers": workers, "threadsPerWorker": 1}}, out)
        return [os.path.join(self.bin, "trainyardctl"), "run", file, "--workspace",
                os.path.join(self.folder, "workspace")]

    def start(self, how, script, workers=2):
        self.environment["MARKS"] = tempfile.mkdtemp(dir=self.folder)
        command = self.command(how, script, workers)
        begun = time.time()
        process = subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return process, begun, self.environment["MARKS"]

    def trials(self, how, script, count):
        """Seconds for so many trials of a sweep, one after another; `plain`: for so many processes."""
        begun = time.time()
        if how == "plain":
            for _ in range(count):
                subprocess.run([PYTHON, script], env=self.environment, stdout=subprocess.DEVNULL, check=True)
            return time.time() - begun
        self.count += 1
        file = os.path.join(self.folder, f"sweep{self.count}.json")
        with open(file, "w") as out:
            json.dump({"run": {"program": {"script": script, "interpreter": PYTHON, "code": "inPlace",
                                           "preload": "numpy,torch" if how == "forked" else "off"},
                               "scaling": {"threadsPerWorker": 1}},
                       "space": {"program.environment.SEED": [str(seed) for seed in range(count)]},
                       "searcher": "grid", "parallel": 1, "scoreBy": "loss", "mode": "min"}, out)
        done = subprocess.run([os.path.join(self.bin, "trainyardctl"), "sweep", file, "--workspace",
                               os.path.join(self.folder, "workspace")], env=self.environment, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(f"{how}: {done.stderr.decode()}")
        return time.time() - begun

    def last_mark(self, how, script, name, workers=2):
        """Seconds from the command to the last rank's mark."""
        process, begun, marks = self.start(how, script, workers)
        process.wait()
        times = [float(open(path).read()) for path in glob.glob(os.path.join(marks, name + "*"))]
        if len(times) != workers:
            raise RuntimeError(f"{how}: {len(times)} of {workers} ranks wrote {name}")
        return max(times) - begun

    def steps(self, marks, generation):
        """The times of its steps."""
        path = os.path.join(marks, "steps")
        lines = [line.split() for line in open(path)] if os.path.exists(path) else []
        return [float(line[1]) for line in lines if len(line) == 2 and int(line[0]) == generation]

    def wait_for_steps(self, marks, count, generation=0):
        until = time.time() + 60
        while time.time() < until:
            steps = self.steps(marks, generation)
            if len(steps) >= count:
                return steps
            time.sleep(0.005)
        raise RuntimeError("the script does not step")

    def recovery(self, how, script):
        """Seconds from the end of a rank to the next step of the group."""
        process, _, marks = self.start(how, script)
        self.wait_for_steps(marks, 20)
        rank = int(open(os.path.join(marks, "pid1")).read())
        killed = time.time()
        os.kill(rank, signal.SIGKILL)
        back = self.wait_for_steps(marks, 1, 1)[0]
        self.stop(process)
        return back - killed

    def stop(self, process):
        """Seconds from SIGTERM to the end of the command."""
        asked = time.time()
        process.send_signal(signal.SIGTERM)
        process.wait()
        return time.time() - asked

    def stopping(self, how, script):
        process, _, marks = self.start(how, script)
        self.wait_for_steps(marks, 20)
        seconds = self.stop(process)
        if len(glob.glob(os.path.join(marks, "saved*"))) != 2:
            raise RuntimeError(f"{how}: not both ranks saved")
        return seconds


def print_row(name, measured):
    """Medians with their range, and how many times as long as the first way each other one takes in its own pair."""
    first = next(iter(measured))
    text = f"{name:34}"
    for how, values in measured.items():
        text += f" {how} {statistics.median(values):7.3f} s ({min(values):.3f} to {max(values):.3f})"
        if how != first:
            ratios = [peer / our for our, peer in zip(measured[first], values)]
            text += f", {statistics.median(ratios):.1f} times as long ({min(ratios):.1f} to {max(ratios):.1f})"
        text += "  "
    print(text.rstrip(), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(os.path.dirname(__file__), "..", "..", "build", "bin"))
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--trials", type=int, default=100, help="of the sweep; 0: none")
    parser.add_argument("--trial-pairs", type=int, help="of the sweep, which takes long; as the others unless given")
    parser.add_argument("--table", action="store_true", help="also what a run costs while it runs")
    options = parser.parse_args()
    if not shutil.which("torchrun") or subprocess.run([PYTHON, "-c", "import torch"]).returncode != 0:
        print("python3-torch is not installed")
        return 77
    with tempfile.TemporaryDirectory(prefix="trainyard-programs-") as folder:
        bench = Bench(folder, os.path.abspath(options.bin))
        first, reduction, steps, short = (
            bench.script(name, text) for name, text in (("first", FIRST_LINE), ("reduction", FIRST_REDUCTION),
                                                        ("steps", STEPS), ("short", SHORT)))
        bench.last_mark("forked", reduction, "reduced")  # its server starts
        all_ways = ("forked", "run", "torchrun")
        rows = [("command to first line, 1 rank", ("run", "plain"), lambda how: bench.last_mark(how, first, "line", 1)),
                ("command to first line, 2 ranks", ("run", "torchrun"), lambda how: bench.last_mark(how, first, "line")),
                ("command to first all-reduce", all_ways, lambda how: bench.last_mark(how, reduction, "reduced")),
                ("kill -9 to next step", all_ways, lambda how: bench.recovery(how, steps)),
                ("stop of a script that saves", all_ways, lambda how: bench.stopping(how, steps))]
        large = bench.large_project("first", FIRST_LINE, 3000)
        rows.append(("first line beside 3,000 files", ("snapshot", "run"),
                     lambda how: bench.last_mark(how, large, "line", 1)))
        if options.trials:
            rows.append((f"{options.trials} trials with import torch", ("forked", "run", "plain"),
                         lambda how: bench.trials(how, short, options.trials)))
        for name, hows, measure in rows:
            measured = {how: [] for how in hows}
            is_sweep = "trials" in name
            for pair in range(options.trial_pairs if is_sweep and options.trial_pairs else options.pairs):
                for how in hows if pair % 2 == 0 else hows[::-1]:
                    measured[how].append(measure(how))
            print_row(name, measured)
        if options.table:
            program_costs.costs(folder, bench.bin)
    return 0


if __name__ == "__main__":
    sys.exit(main())

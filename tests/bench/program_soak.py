#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A script of two ranks under random kills, and then every point compared with what it must be.

    program_soak.py [--bin FOLDER] [--seconds 3600] [--every 20] [--seed 1]

Every few seconds a rank, its keeper, the supervisor, or supervisor and keeper together get SIGKILL. The run must go on
by itself; where it does not (all that could start it again are gone), it is resumed, which is counted. At the end it is
stopped. Exit code 1: a point is missing, doubled or another one, or a process is left.
"""
import argparse
import csv
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

SCRIPT = """import argparse, json, os, time
parser = argparse.ArgumentParser()
parser.add_argument("--output-dir")
parser.add_argument("--resume", default="")
args = parser.parse_args()
rank, step = int(os.environ["RANK"]), 0
os.makedirs(args.output_dir, exist_ok=True)
if args.resume:
    with open(args.resume) as file:
        step = json.load(file)["step"]
while True:
    step += 1
    time.sleep(0.02)
    with open(os.environ["TRAINYARD_METRICS"], "a") as file:
        file.write(json.dumps({"step": step, "train/loss": 1 / step}) + "\\n")
    if rank == 0 and step % 100 == 0:
        path = os.path.join(args.output_dir, "checkpoint-%d.json" % step)
        with open(path, "w") as file:
            json.dump({"step": step}, file)
        with open(os.environ["TRAINYARD_METRICS"], "a") as file:
            file.write(json.dumps({"step": step, "checkpoint": path}) + "\\n")
"""


class Soak:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.ctl = os.path.join(options.bin, "trainyardctl")
        self.environment = dict(os.environ, TRAINYARD_WORKSPACE=os.path.join(folder, "ws"))
        self.kills, self.resumes, self.steps = {}, 0, 0

    def call(self, *words):
        done = subprocess.run([self.ctl, *words], env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True)
        return done.returncode, done.stdout.strip(), done.stderr.strip()

    def start(self):
        script = os.path.join(self.folder, "soak.py")
        with open(script, "w") as file:
            file.write(SCRIPT)
        code, self.run, said = self.call(
            "run", "--detach", "--workers", "2", "--set", "program.interpreter=" + sys.executable, "--set",
            "failure.maxRestarts=10000", "--set", 'program.resume=["--resume", "{checkpoint}"]', script, "--output-dir",
            "{output}")
        if code != 0:
            sys.exit(said)
        self.home = os.path.join(self.environment["TRAINYARD_WORKSPACE"], "runs", self.run)

    def notes(self):
        for rank in range(2):
            try:
                with open(os.path.join(self.home, "program", "rank%d.json" % rank)) as file:
                    yield json.load(file)
            except (OSError, ValueError):
                pass  # it is being started

    def supervisors(self):
        return [pid for pid, words in processes() if b"supervise" in words and self.home.encode() in words]

    def victims(self, kind):
        notes = list(self.notes())
        note = random.choice(notes) if notes else None
        return {"rank": [note["program"]] if note else [],
                "keeper": [note["keeper"]] if note else [],
                "supervisor": self.supervisors(),
                "supervisor and keeper": self.supervisors() + ([note["keeper"]] if note else [])}[kind]

    def is_this_runs(self, pid):
        """Numbers are used again: a keeper or rank is only killed while it belongs to this run."""
        return pid in self.supervisors() or any(pid == each for each, _ in marked(self.run))

    def strike(self):
        kind = random.choice(["rank", "keeper", "supervisor", "supervisor and keeper"])
        for pid in self.victims(kind):
            try:
                if self.is_this_runs(pid):
                    os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        self.kills[kind] = self.kills.get(kind, 0) + 1

    def go_on(self):
        """It must be running again before the next kill."""
        until = time.time() + self.options.every
        while time.time() < until:
            time.sleep(0.5)
            code, _, _ = self.call("resume", self.run, "--detach") if not self.is_alive() else (1, "", "")
            self.resumes += code == 0

    def is_alive(self):
        if self.supervisors() or any(True for _ in marked(self.run)):
            self.lonely = 0
            return True
        self.lonely = getattr(self, "lonely", 0) + 1
        return self.lonely < 6

    def points(self):
        out = os.path.join(self.folder, "points.csv")
        code, _, said = self.call("export", self.run, "--format", "csv", "--out", out, "--force")
        if code != 0:
            sys.exit(said)
        with open(out) as file:
            return [row for row in csv.DictReader(file) if row.get("train/loss") or row.get("series") == "train/loss"]


def processes():
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/cmdline" % name, "rb") as file:
                    yield int(name), file.read()
            except OSError:
                pass


def marked(run):
    """Processes of the run's ranks, and their keepers."""
    wanted = {b"TRAINYARD_WORKER_OF=" + run.encode(), b"TRAINYARD_RUN=" + run.encode()}
    for pid, words in processes():
        try:
            with open("/proc/%d/environ" % pid, "rb") as file:
                if wanted & set(file.read().split(b"\0")):
                    yield pid, words
        except OSError:
            pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--bin", default=os.path.join(here, "..", "..", "build", "bin"), help="folder of trainyardctl")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--every", type=float, default=20, help="seconds from one kill to the next")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(options, folder)
        soak.start()
        end = time.time() + options.seconds
        soak.go_on()
        while time.time() < end:
            soak.strike()
            soak.go_on()
        code, said, wrong = soak.call("stop", soak.run)
        steps = sorted(int(float(row["step"])) for row in soak.points())
        values = {int(float(row["step"])): float(row.get("train/loss") or row["value"]) for row in soak.points()}
        missing = sorted(set(range(1, (steps or [0])[-1] + 1)) - set(steps))
        doubled = len(steps) - len(set(steps))
        others = [step for step, value in values.items() if abs(value - 1 / step) > 1e-6 / step]
        left = [pid for pid, _ in marked(soak.run)] + soak.supervisors()
        print(json.dumps({"kills": soak.kills, "resumed by hand": soak.resumes, "steps": len(steps),
                          "missing": missing[:10], "doubled": doubled, "other values": others[:10],
                          "processes left": len(left), "stop": said or wrong}, indent=1))
        sys.exit(1 if missing or doubled or others or left or not steps or code != 0 else 0)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Trainyard against its peers, as ratios: every row is measured in interleaved pairs on this machine, now.

    table.sh [--bin FOLDER] [--quick] [--rows WORD,WORD] [--pairs N] [--json FILE]

Trainyard is measured as its users have it: a run file through trainyardctl, supervisor and workers. The peers
(peers/ddp.py) are scripts on the same PyTorch: `tuned` has its data as one tensor, one thread a rank, gradients as
views of the buckets, channels_last for ResNet and the malloc limits that the worker sets itself; `stock` is written as
such scripts usually are. The first steps of both sides are left out. Exit code 77: something is not installed.
"""
import argparse
import contextlib
import csv
import io
import json
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = "/usr/share/datasets/fashion-mnist"
FASHION = {"name": "fashion-mnist", "params": {"validation": 0}}  # the peers train on all 60,000 images, too
PYTHON = os.environ.get("PYTHON", "/usr/bin/python3")
RANKS = 2
DEVICE_BATCH = 512  # samples of the rank on a CUDA device
MALLOC = {"MALLOC_MMAP_THRESHOLD_": "1073741824", "MALLOC_TRIM_THRESHOLD_": "4294967296"}
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"}

# name: run file's model, samples of a rank, optimizer, steps (full, quick), warm steps
WORKLOADS = {
    "mlp": ({"name": "mlp", "params": {"hidden": [512, 512]}}, 32, {"name": "sgd", "lr": 1e-3}, (900, 300), 50),
    "convnet": ({"name": "convnet"}, 64, {"name": "sgd", "lr": 0.01, "momentum": 0.9}, (900, 300), 50),
    "resnet18": ({"name": "resnet18"}, 128, {"name": "sgd", "lr": 0.01, "momentum": 0.9}, (12, 5), 2),
}


class Failed(Exception):
    pass


def run_file(workload, steps, workers=RANKS, **more):
    model, batch, optimizer, _, warm = WORKLOADS[workload]
    # Validation at the end is not part of what is measured: few samples for the large model.
    dataset = (FASHION if workload != "resnet18" else
               {"name": "glyphs", "params": {"samples": 8192, "validation": 1}})
    file = {"version": 1, "name": workload, "model": model, "dataset": dataset, "optimizer": optimizer,
            "batch": {"perRank": batch, "dropLast": True}, "steps": steps + warm,
            "scaling": {"workers": workers, "device": "cpu", "threadsPerWorker": 1},
            "checkpoint": {"everyEpochs": 0, "everySteps": 0}}
    file.update(more)
    return file


class Bench:
    def __init__(self, options):
        self.options = options
        self.bin = options.bin
        self.folder = tempfile.mkdtemp(prefix="trainyard-bench-")
        self.count = 0

    # ---- Trainyard

    def ctl(self, *arguments, check=True):
        done = subprocess.run([os.path.join(self.bin, "trainyardctl"), *arguments, "--workspace",
                               os.path.join(self.folder, "workspace")], capture_output=True, text=True)
        if check and done.returncode != 0:
            raise Failed(f"trainyardctl {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def write(self, content):
        self.count += 1
        path = os.path.join(self.folder, f"{self.count}.json")
        with open(path, "w") as file:
            json.dump(content, file)
        return path

    def points(self, run, series="train/loss"):
        rows = csv.DictReader(io.StringIO(self.ctl("metrics", run, "--series", series, "--csv")))
        return [(int(row["step"]), float(row["time_s"]), float(row["value"])) for row in rows]

    def rate(self, run, samples, warm):
        points = [point for point in self.points(run) if point[0] >= warm]
        seconds = points[-1][1] - points[0][1]
        return (points[-1][0] - points[0][0]) * samples / seconds

    def ours(self, workload, steps, workers=RANKS, **more):
        result = json.loads(self.ctl("run", self.write(run_file(workload, steps, workers, **more)), "--json"))
        result["rate"] = self.rate(result["run"], WORKLOADS[workload][1] * workers, WORKLOADS[workload][4])
        return result

    def ours_apart(self, workload, steps, **more):
        """Runs of one worker each, side by side: what perfect scaling would give."""
        ctl = [os.path.join(self.bin, "trainyardctl"), "run"]
        tail = ["--json", "--workspace", os.path.join(self.folder, "workspace")]
        files = [self.write(run_file(workload, steps, 1, **more)) for _ in range(RANKS)]
        runs = [subprocess.Popen(ctl + [file] + tail, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                for file in files]
        rates = []
        for run in runs:
            out, err = run.communicate()
            if run.returncode != 0:
                raise Failed(err.strip())
            rates.append(self.rate(json.loads(out)["run"], WORKLOADS[workload][1], WORKLOADS[workload][4]))
        return sum(rates)

    def devices(self):
        """How many CUDA devices the worker sees."""
        said = subprocess.run([os.path.join(self.bin, "trainyard-worker"), "describe"], capture_output=True, text=True)
        return sum(device["name"].startswith("cuda") for device in json.loads(said.stdout)["devices"])

    def ours_on_device(self, workload, steps, precision):
        file = run_file(workload, steps, 1, precision=precision, batch={"perRank": DEVICE_BATCH, "dropLast": True},
                        scaling={"workers": 1, "device": "cuda"})
        run = json.loads(self.ctl("run", self.write(file), "--json"))["run"]
        return self.rate(run, DEVICE_BATCH, WORKLOADS[workload][4])

    # ---- peers

    def peer(self, workload, steps, style="tuned", **more):
        settings = {"workload": workload, "style": style, "batch": WORKLOADS[workload][1], "steps": steps,
                    "warm": WORKLOADS[workload][4], "data": DATA, **more}
        return self.script_ranks("ddp.py", settings, {**ONE_THREAD, **(MALLOC if style == "tuned" else {})})

    def peer_on_device(self, workload, steps, precision):
        settings = {"workload": workload, "device": "cuda", "batch": DEVICE_BATCH, "steps": steps, "data": DATA,
                    "warm": WORKLOADS[workload][4], "bf16": 1 if precision == "bf16" else 0}
        return self.script_ranks("ddp.py", settings, {}, 1)["samples_per_s"]

    def script_ranks(self, script, settings, environment, ranks=RANKS):
        """Runs a script of peers/ as so many processes; what rank 0 says at its end."""
        self.count += 1
        command = [PYTHON, "-Wignore", os.path.join(HERE, "peers", script),
                   "meet=" + os.path.join(self.folder, f"meet{self.count}")]
        command += [f"{key}={value}" for key, value in settings.items()]
        processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                      env=dict(os.environ, RANK=str(rank), WORLD_SIZE=str(ranks), **environment))
                     for rank in range(ranks)]
        outputs = [rank.communicate() for rank in processes]
        for rank, (_, err) in zip(processes, outputs):
            if rank.returncode != 0:
                raise Failed(f"peer: {err.strip()[-400:]}")
        return json.loads(outputs[0][0].strip().splitlines()[-1])

    def accuracy_ours(self, target):
        """From the command to its end, the last test and the last checkpoint included."""
        module = os.path.join(self.folder, "convnet.pt")
        subprocess.run([PYTHON, "-Wignore", os.path.join(HERE, "peers", "accuracy.py"), f"script={module}"], check=True)
        file = {"version": 1, "name": "accuracy", "model": {"name": "torchscript", "params": {"path": module}},
                "dataset": FASHION, "augment": {"flip": True}, "epochs": 6, "batch": {"global": 128},
                "optimizer": {"name": "adamw", "lr": 0.003, "weightDecay": 0.02}, "schedule": "one-cycle",
                "scaling": {"workers": RANKS, "device": "cpu", "threadsPerWorker": 1}}
        begun = time.perf_counter()
        reached = json.loads(self.ctl("run", self.write(file), "--json"))["best"]["val/accuracy"]["value"]
        seconds = time.perf_counter() - begun
        if reached < target:
            raise Failed(f"reached {reached:.4f}, not {target}")
        return seconds

    def accuracy_peer(self, target):
        begun = time.perf_counter()
        said = self.script_ranks("accuracy.py", {"target": target, "data": DATA}, ONE_THREAD)
        if not said["reached"]:
            raise Failed(f"the peer reached {said['accuracy']:.4f}, not {target}")
        return time.perf_counter() - begun

    def torchrun(self, script, *options):
        """The command that starts the script's ranks; each call has a port of its own."""
        port = 29500 + self.count % 400
        self.count += 1
        # -r 1 -t 1: without them Debian's torchrun of 1.13 ends with a TypeError on Python 3.11.
        return [PYTHON, "-m", "torch.distributed.run", "--nproc_per_node", str(RANKS), "--master_port", str(port),
                "-r", "1", "-t", "1", "--log_dir", os.path.join(self.folder, f"log{port}"), *options, *script]

    def launch_peer(self, torchrun):
        port = 29900 + self.count % 90
        self.count += 1
        script = [os.path.join(HERE, "peers", "ddp.py"), "steps=1", "warm=0", f"data={DATA}"]
        environment = dict(os.environ, **ONE_THREAD, PYTHONWARNINGS="ignore")
        begun = time.time()
        if torchrun:
            done = subprocess.run(self.torchrun(script), env=environment, capture_output=True, text=True)
            if done.returncode != 0:
                raise Failed("torchrun: " + done.stderr.strip()[-300:])
            lines = done.stdout
        else:
            environment.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), WORLD_SIZE=str(RANKS))
            ranks = [subprocess.Popen([PYTHON, *script], env=dict(environment, RANK=str(rank)),
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                     for rank in range(RANKS)]
            lines = [rank.communicate()[0] for rank in ranks][0]
        line = next((line for line in lines.splitlines() if "first_step" in line), None)
        if line is None:
            raise Failed("the peer printed no time of its first step")
        return json.loads(line[line.index("{"):])["first_step"] - begun

    def restart_peer(self):
        """From kill -9 of a rank to the first step that all ranks have done again. The script loads no checkpoint, so
        its steps are lost; torchrun looks after its ranks every 0.1 s here, in place of every 5 s."""
        starts = tempfile.mkdtemp(dir=self.folder)
        script = [os.path.join(HERE, "peers", "ddp.py"), "steps=100000000", "warm=0", f"data={DATA}", f"starts={starts}"]
        agent = subprocess.Popen(self.torchrun(script, "--max_restarts", "3", "--monitor_interval", "0.1"),
                                 env=dict(os.environ, **ONE_THREAD, PYTHONWARNINGS="ignore"), text=True,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

        def started(restart):
            paths = [os.path.join(starts, f"{restart}.{rank}") for rank in range(RANKS)]
            until = time.time() + 120
            while not all(os.path.exists(path) for path in paths):
                if time.time() > until or agent.poll() is not None:
                    raise Failed(f"torchrun: no first step of start {restart}")
                time.sleep(0.005)
            return [json.load(open(path)) for path in paths]

        try:
            victim = started(0)[1]["pid"]
            time.sleep(2)
            killed = time.time()
            os.kill(victim, signal.SIGKILL)
            return max(rank["first_step"] for rank in started(1)) - killed
        finally:
            os.killpg(agent.pid, signal.SIGTERM)  # torchrun ends its ranks with itself
            agent.wait()

    def launch_ours(self):
        started = time.perf_counter()
        self.ctl("--version", check=False)
        own = time.perf_counter() - started  # of the terminal program, before it makes the run
        return own + self.ours_started()["timing"]["launch_to_first_step_s"]

    def ours_started(self):
        return json.loads(self.ctl("run", self.write(run_file("mlp", 5)), "--json"))


def spread(values):
    return f"{min(values):.2f}..{max(values):.2f}" if len(values) > 1 else "one"


def number(value, unit):
    if unit == "ms":
        return f"{value * 1e3:,.1f} ms" if value < 1 else f"{value:,.2f} s"
    if unit == "1":
        return f"{value:.3f}"
    return f"{value:,.0f} {unit}"


class Table:
    def __init__(self):
        self.rows = []

    def add(self, name, unit, ours, peers, bars, more_is_better=True):
        ratios = [a / b if more_is_better else b / a for a, b in zip(ours, peers)]
        row = {"name": name, "unit": unit, "ours": statistics.median(ours), "peer": statistics.median(peers),
               "ratio": statistics.median(ratios), "ratios": ratios, "target": bars[0], "moonshot": bars[1]}
        self.rows.append(row)
        met = "moonshot" if row["ratio"] >= bars[1] else "target" if row["ratio"] >= bars[0] else "below"
        print(f"{name:<44} {number(row['ours'], unit):>16} {number(row['peer'], unit):>16} "
              f"{row['ratio']:>7.2f} x  [{spread(ratios)}]  {bars[0]:g} / {bars[1]:g}: {met}", flush=True)

    def note(self, name, text):
        self.rows.append({"name": name, "note": text})
        print(f"{name:<44} {text}", flush=True)


def speed_rows(bench, table, pairs, quick):
    # The perceptron's bars for bf16 were set against the fp32 script; its bf16 script is shown beside it.
    rows = [("mlp", "fp32", "tuned", 0, (4, 5.8)), ("mlp", "bf16", "tuned", 0, (7, 8.4)),
            ("mlp", "bf16", "tuned", 1, (7, 8.4)), ("mlp", "fp32", "stock", 0, (6, 8)),
            ("convnet", "fp32", "tuned", 0, (3, 3.7)), ("resnet18", "fp32", "tuned", 0, (1.2, 1.3)),
            ("resnet18", "bf16", "tuned", 1, (1.35, 1.38))]
    for workload, precision, style, bf16, bars in rows:
        steps = WORKLOADS[workload][3][1 if quick else 0]
        name = f"{workload} {precision} against {style} {'bf16 ' if bf16 else 'fp32 ' if precision == 'bf16' else ''}DDP"
        yield f"speed {name}", lambda w=workload, s=steps, p=precision, st=style, b16=bf16, n=name, b=bars: pair_row(
            bench, table, n, pairs, lambda: bench.ours(w, s, precision=p)["rate"],
            lambda: bench.peer(w, s, st, bf16=b16)["samples_per_s"], b)


def pair_row(bench, table, name, pairs, ours, peer, bars, unit="/s", more=True):
    mine, theirs = [], []
    for pair in range(pairs):
        for turn in ("op" if pair % 2 == 0 else "po"):  # who goes first changes
            if turn == "o":
                mine.append(ours())
            else:
                theirs.append(peer())
    table.add(name, unit, mine, theirs, bars, more)


def device_rows(bench, table, pairs, quick):
    rows = [("mlp", "fp32", 3000), ("convnet", "fp32", 2000), ("resnet18", "bf16", 300)]
    if not bench.devices():
        yield "device", lambda: table.note("one CUDA device", "not measured: the worker's LibTorch sees none")
        return
    for workload, precision, steps in rows:
        yield f"device {workload}", lambda w=workload, p=precision, s=steps // 3 if quick else steps: pair_row(
            bench, table, f"{w} {p}, one CUDA device, against a script", pairs,
            lambda: bench.ours_on_device(w, s, p), lambda: bench.peer_on_device(w, s, p), (1, 1.2))


def scaling_rows(bench, table, pairs, quick):
    for workload in ("mlp", "convnet", "resnet18"):
        steps = WORKLOADS[workload][3][1 if quick else 0]
        name = f"{workload}: two ranks against two runs apart"
        yield f"efficiency {name}", lambda w=workload, s=steps, n=name: pair_row(
            bench, table, n, pairs, lambda: bench.ours(w, s)["rate"], lambda: bench.ours_apart(w, s), (0.96, 0.99))


AUTOGROUP = "/proc/sys/kernel/sched_autogroup_enabled"


@contextlib.contextmanager
def niceness_between_sessions():
    """Without autogroups, in which niceness and shares count inside a session only: our ranks, a session of their own,
    would share one half of the computer with the busy program, and the peer, in the busy program's session, not. Root
    only; yields what the rows say where it cannot be had."""
    try:
        with open(AUTOGROUP, "r+", encoding="ascii") as file:
            before = file.read().strip()
            file.seek(0)
            file.write("0")
    except OSError:
        before = None
    try:
        yield "" if before else " (autogroups may be on: shares are those of sessions)"
    finally:
        if before:
            with open(AUTOGROUP, "w", encoding="ascii") as file:
                file.write(before)


@contextlib.contextmanager
def busy_process(nice):
    """Another program that never waits, at this niceness; None: a quiet computer."""
    other = None if nice is None else subprocess.Popen(["nice", "-n", str(nice), PYTHON, "-c", "while True: pass"])
    try:
        yield
    finally:
        if other:
            other.kill()
            other.wait()


def busy_rows(bench, table, pairs, quick):
    """What share of the quiet computer's speed is left beside one busy process, ours and the peer's."""
    def share(measure, nice):
        with busy_process(None):
            quiet = measure()
        with busy_process(nice):
            return measure() / quiet

    def measured(name, nice, bar, ours, peer):
        mine, theirs = [], []
        with niceness_between_sessions() as remark:
            for _ in range(pairs):
                mine.append(share(ours, nice))
                if peer:
                    theirs.append(share(peer, nice))
        met = "met" if statistics.median(mine) >= bar else "below"
        beside = f"; peer {statistics.median(theirs):.2f} [{spread(theirs)}]" if theirs else ""
        table.note(name, f"{statistics.median(mine):.2f} [{spread(mine)}] of quiet speed{beside}; bar {bar}: {met}{remark}")

    threads = {"workers": 1, "device": "cpu", "threadsPerWorker": 2}
    for workload, steps, more in (("mlp", 4000, {}), ("convnet", 900, {}), ("convnet", 900, {"scaling": threads})):
        steps = steps // 3 if quick else steps
        workers = more.get("scaling", {}).get("workers", RANKS)
        ranks = f"{workers} ranks" if workers > 1 else "one rank, two threads"
        for nice, bar in ((0, 0.55), (10, 0.80)):
            yield f"busy {workload}", lambda w=workload, s=steps, m=more, k=workers, n=nice, b=bar, r=ranks: measured(
                f"{w}, {r}, beside a busy process at nice {n}", n, b, lambda: bench.ours(w, s, k, **m)["rate"],
                None if m else lambda: bench.peer(w, s // 4, "tuned")["samples_per_s"])


def launch_rows(bench, table, pairs, quick):
    def measured(name, pool, torchrun, bars):
        os.environ["TRAINYARD_POOL"] = "on" if pool else "off"
        try:
            bench.ours_started()  # the first start of its kind times kernels, reads the files and starts the pool
            if pool:
                time.sleep(4)  # the pool takes the dataset over once it has nothing else to do
            pair_row(bench, table, name, pairs, bench.launch_ours, lambda: bench.launch_peer(torchrun), bars, "ms",
                     False)
        finally:
            del os.environ["TRAINYARD_POOL"]
    for pool, torchrun, bars in ((True, True, (30, 65)), (False, True, (4, 4)), (True, False, (19, 32))):
        name = f"first step, {'warm pool' if pool else 'no pool'}, against {'torchrun' if torchrun else 'env://'}"
        yield f"launch {name}", lambda n=name, p=pool, t=torchrun, b=bars: measured(n, p, t, b)


def recovery_rows(bench, table, pairs, quick):
    program = os.path.join(bench.bin, "../tests/recovery_bench")

    def lines(*arguments):
        """Pairs of what was measured and its numbers, from the program's lines."""
        done = subprocess.run([program, *arguments], capture_output=True, text=True,
                              env=dict(os.environ, TRAINYARD_BIN=bench.bin))
        if done.returncode != 0:
            raise Failed(done.stderr.strip()[-300:])
        return [(name.strip(), numbers.strip()) for name, _, numbers in
                (line.partition(" median ") for line in done.stdout.splitlines())]

    def measured():
        for name, numbers in lines("3" if quick else "5"):
            table.note(name, f"median {numbers}" + ("; bars: 80 / 40 ms" if "kill" in name else ""))

    def ours():
        return float(lines("1", "kill")[0][1].split()[0]) / 1e3

    if os.access(program, os.X_OK):
        yield "recovery kill -9", measured
        yield "recovery against torchrun", lambda: pair_row(
            bench, table, "kill -9 to the next step, against torchrun", pairs, ours, bench.restart_peer, (10, 50),
            "ms", False)
    else:
        table.note("recovery", "not measured: build the target recovery_bench first")


def guard_rows(bench, table, pairs, quick):
    """The loss curves that make the speeds comparable: 200 steps against Python's, from the same weights and order."""
    program = os.path.join(bench.bin, "../tests/ddp_python_test")

    def measured():
        done = subprocess.run([program], capture_output=True, text=True,
                              env=dict(os.environ, TRAINYARD_BIN=bench.bin, QT_QPA_PLATFORM="offscreen"))
        passed = sum(line.startswith("PASS") and "TestCase()" not in line for line in done.stdout.splitlines())
        if done.returncode != 0 or passed == 0:
            raise Failed(done.stdout.strip()[-600:])
        table.note("loss curves of 200 steps against Python DDP", f"{passed} of {passed} alike (ddp_python_test)")
    if os.access(program, os.X_OK):
        yield "guard loss curves", measured
    else:
        table.note("guard", "not measured: build the target ddp_python_test first")


def checkpoint_rows(bench, table, pairs, quick):
    """ResNet-18 with momentum (45 MB + 45 MB) on two ranks that leave no core free, a checkpoint every EVERY steps.

    Ours: the time of a step is that from its point to the next one's; the plain step is the median of the ten before
    the checkpoint. What every step up to the next checkpoint is longer is a median over the checkpoints. The row has
    the longest of these, wherever it is, and never less than the measurement can tell apart from nothing; the note has
    the step with the checkpoint, the sum of all, where work that is merely spread over the steps behind shows up, and
    the first checkpoint by itself. Peer: the time that torch.save takes, which is all in one step."""
    every, saves, batch = 30, 4 if quick else 5, 32
    seen = []

    def ours():
        # Counted in epochs, so that there is no validation with the checkpoints, only at the end.
        steps = every * (saves + 1)
        dataset = {"name": "glyphs", "params": {"samples": (steps + 2) * batch * RANKS, "validation": 1}}
        file = run_file("resnet18", 0, batch={"perRank": batch, "dropLast": True}, epochs=1, dataset=dataset,
                        checkpoint={"everyEpochs": 0, "everySteps": every, "keep": 1})
        del file["steps"]
        result = json.loads(bench.ctl("run", bench.write(file), "--json"))
        points = bench.points(result["run"])
        gaps = {b[0]: b[1] - a[1] for a, b in zip(points, points[1:])}  # by the step that it ends with
        longer, apart, plains = [], [], []
        for at in range(every, every * saves + 1, every):
            before = [gaps[step] for step in range(at - 9, at + 1)]
            plains.append(statistics.median(before))
            apart += [abs(gap - plains[-1]) for gap in before]
            longer.append([gaps[at + place] - plains[-1] for place in range(1, every + 1)])
        held = [statistics.median(each) for each in zip(*longer)]
        least = 1.4826 * 1.25 * statistics.median(apart) / saves ** 0.5  # standard error of such a median
        seen.append((statistics.median(plains), held, least, longer[0][0]))
        return max(least, max(held))

    def peer():
        return bench.peer("resnet18", 20, batch=batch, save=os.path.join(bench.folder, "peer.pt"))["save_s"]

    def measured():
        pair_row(bench, table, "stall of a checkpoint, against torch.save (ResNet-18)", min(pairs, 3), ours, peer,
                 (25, 200), "ms", False)
        for plain, held, least, first in seen:
            table.note("", f"plain step {number(plain, 'ms')}; the step with the checkpoint {number(held[0], 'ms')} "
                       f"longer, the longest of all {number(max(held), 'ms')}, each +- {number(least, 'ms')}; together "
                       f"{number(sum(held), 'ms')} over {every} steps; the very first checkpoint {number(first, 'ms')}")
    yield "checkpoint", measured


def accuracy_rows(bench, table, pairs, quick):
    target = 0.92
    if not quick:  # minutes each
        yield "accuracy", lambda: pair_row(
            bench, table, f"time to {target:.0%} on Fashion-MNIST, usual script", min(pairs, 2),
            lambda: bench.accuracy_ours(target), lambda: bench.accuracy_peer(target), (5, 15), "ms", False)


def trial_rows(bench, table, pairs, quick):
    def swept(steps, trials):
        """Trivial trials, two at a time, each a run of its own: seconds from command to end, and the sweep."""
        run = run_file("mlp", 1, 1, model={"name": "softmax"},
                       dataset={"name": "spirals", "params": {"samples": 200}}, batch={"perRank": 16})
        run["steps"] = steps
        sweep = {"version": 1, "name": "trivial", "run": run, "searcher": "grid", "parallel": 2,
                 "space": {"seed": list(range(1, trials + 1))}, "scoreBy": "train/loss", "mode": "min"}
        begun = time.perf_counter()
        result = json.loads(bench.ctl("sweep", bench.write(sweep), "--json"))
        return time.perf_counter() - begun, result

    def trials():
        count = 20 if quick else 60
        each = swept(1, count)[0] / count
        table.note("a trivial trial of a sweep", f"{each * 1e3:.1f} ms each, {count} trials; Ray Tune, published: 9 ms "
                   "at best, inside its own processes; bars: 2 / 0.3 ms")

    def results():
        steps = 20_000 if quick else 100_000
        seconds, result = swept(steps, 2)
        stored = sum(len(bench.points(trial["run"])) for trial in result["trials"])
        rate = stored / seconds
        table.note("results of trials, stored", f"{rate:,.0f} /s, {rate / 683:.1f} x of Ray Tune's 683 /s, published; "
                   "bar: 100")
    yield "trials", trials
    yield "trials results", results


def machine():
    def line(path, key):
        with open(path) as file:
            return next((row.split(":", 1)[1].strip() for row in file if row.startswith(key)), "?")
    torch = subprocess.run([PYTHON, "-c", "import torch; print(torch.__version__)"], capture_output=True, text=True)
    if torch.returncode != 0:
        return None
    load = os.getloadavg()[0]
    return (f"{line('/proc/cpuinfo', 'model name')}, {os.cpu_count()} cores, load {load:.1f}; "
            f"{platform.platform(terse=True)}; PyTorch {torch.stdout.strip()}")


def main():
    parser = argparse.ArgumentParser(description="Trainyard against its peers, as ratios")
    parser.add_argument("--bin", default=os.environ.get("TRAINYARD_BIN") or os.path.join(HERE, "../../build/bin"),
                        help="folder of trainyardctl and trainyard-worker")
    parser.add_argument("--quick", action="store_true", help="fewer pairs and steps: less than five minutes")
    parser.add_argument("--pairs", type=int, default=0, help="interleaved pairs of each row")
    parser.add_argument("--rows", default="", help="only rows whose name holds one of these words: guard, speed, "
                                                   "device, efficiency, busy, launch, recovery, checkpoint, trials, "
                                                   "accuracy, mlp, convnet, resnet18, bf16")
    parser.add_argument("--json", default="", help="also writes all numbers to this file")
    options = parser.parse_args()
    about = machine()
    if about is None or not os.path.isdir(DATA) or not os.access(os.path.join(options.bin, "trainyardctl"), os.X_OK):
        print("skipped: needs python3-torch, dataset-fashion-mnist and the built programs (--bin)", file=sys.stderr)
        return 77
    pairs = options.pairs or (2 if options.quick else 5)
    bench, table = Bench(options), Table()
    print(f"{about}; {bench.ctl('--version', check=False).strip()}\n{pairs} interleaved pairs a row; ratio: median "
          f"[least..greatest]; bars: target / moonshot\n{'':<44} {'Trainyard':>16} {'peer':>16}", flush=True)
    words, failures, begun = [word for word in options.rows.split(",") if word], 0, time.time()
    try:
        for rows in (guard_rows, speed_rows, device_rows, scaling_rows, busy_rows, launch_rows, recovery_rows,
                     checkpoint_rows, trial_rows, accuracy_rows):
            for name, measure in rows(bench, table, pairs, options.quick):
                if words and not any(word in name for word in words):
                    continue
                try:
                    measure()
                except Failed as failure:
                    failures += 1
                    table.note(name, f"FAILED: {failure}")
    finally:
        shutil.rmtree(bench.folder, ignore_errors=True)
    print(f"{time.time() - begun:.0f} s")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"machine": about, "pairs": pairs, "rows": table.rows}, file, indent=1)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ASHA and population based training against random search, on Fashion-MNIST.

asha: random search trains every trial to the end; ASHA then has two fifths of its time, and all of it; so has ASHA as a
      loop in Python over the same trainings (peers/asha_loop.py), whose start does not count.
pbt:  a population is trained, and random search then has as long.
Prints the best validation accuracy of each and the seconds, then medians and quartiles. Run by hand on an idle machine:
schedulers.py asha|pbt [--seeds 5] [--trials N] [--epochs N] [--limit IMAGES] [--bin build/bin].
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time


def sweep_file(args, seed, **more):
    return {
        "version": 1,
        "name": "schedulers",
        "run": {
            "version": 1,
            "model": {"name": "mlp", "params": {"hidden": [128]}},
            "dataset": {"name": "fashion-mnist", "params": {"limit": args.limit, "validation": 0}},
            "optimizer": {"name": "sgd", "lr": 0.1, "momentum": 0.9},
            "batch": {"global": 128},
            "epochs": args.epochs,
            "seed": seed,
            "scaling": {"workers": 1, "threadsPerWorker": 1},
        },
        "space": {
            "optimizer.lr": {"from": 0.0001, "to": 1, "scale": "log"},
            "optimizer.momentum": {"from": 0, "to": 0.99},
        },
        "searcher": "random",
        "scoreBy": "val/accuracy",
        "mode": "max",
        "seed": seed,
    } | more


def run(args, sweep):
    """Best score and seconds of a sweep in a workspace of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sweep.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(sweep, file)
        begin = time.monotonic()
        done = subprocess.run([os.path.join(args.bin, "trainyardctl"), "sweep", path, "--json", "--workspace",
                               os.path.join(folder, "ws")], capture_output=True, text=True, check=False)
        seconds = time.monotonic() - begin
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    trials = json.loads(done.stdout)["trials"]
    scores = [trial["score"]["value"] for trial in trials if trial["score"]]
    return max(scores), seconds, len(trials)


def spread(values):
    quarters = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
    return "median {1:.4f}, quartiles {0:.4f} {2:.4f}".format(*quarters)


def loop(args, seed, seconds):
    """Best score and number of trials of the loop in Python."""
    done = subprocess.run(["/usr/bin/python3", os.path.join(os.path.dirname(__file__), "peers", "asha_loop.py"),
                           f"seconds={seconds}", f"seed={seed}", f"epochs={args.epochs}", f"limit={args.limit}"],
                          capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    return told["best"], told["trials"]


def compare_asha(args, seed):
    """Best scores by the name of the search; the seconds are printed."""
    random, spent, tried = run(args, sweep_file(args, seed, trials=args.trials or 24))
    asha = {"trials": 100000, "scheduler": {"name": "asha", "grace": 1, "factor": 3}}
    early, _, some = run(args, sweep_file(args, seed, budget={"seconds": 0.4 * spent}, **asha))
    late, _, many = run(args, sweep_file(args, seed, budget={"seconds": spent}, **asha))
    loop_early, loop_some = loop(args, seed, 0.4 * spent)
    loop_late, loop_many = loop(args, seed, spent)
    print(f"seed {seed}: random {random:.4f} with {tried} trials in {spent:.0f} s; asha {early:.4f} with {some} in two "
          f"fifths of that, {late:.4f} with {many} in as long; Python {loop_early:.4f} with {loop_some}, "
          f"{loop_late:.4f} with {loop_many}", flush=True)
    return {"random": random, "asha, 2/5 of the time": early, "asha, as long": late,
            "Python, 2/5 of the time": loop_early, "Python, as long": loop_late}


def compare_pbt(args, seed):
    pbt, seconds, count = run(args, sweep_file(args, seed, trials=args.trials or 8, scheduler={
        "name": "pbt", "interval": 2, "synchronous": True, "mutate": ["optimizer.lr", "optimizer.momentum"]}))
    random, spent, tried = run(args, sweep_file(args, seed, budget={"seconds": seconds}))
    print(f"seed {seed}: pbt {pbt:.4f} with {count} trials in {seconds:.0f} s, "
          f"random {random:.4f} with {tried} in {spent:.0f} s", flush=True)
    return {"pbt": pbt, "random, as long": random}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("against", choices=["asha", "pbt"])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--trials", type=int, help="of random search, 24, or of the population, 8")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--limit", type=int, default=12000, help="images to train on")
    parser.add_argument("--bin", default="build/bin")
    args = parser.parse_args()
    compare = compare_asha if args.against == "asha" else compare_pbt
    found = [compare(args, seed) for seed in range(1, args.seeds + 1)]
    for name in found[0]:
        print(f"{name}: " + spread([scores[name] for scores in found]))


if __name__ == "__main__":
    main()

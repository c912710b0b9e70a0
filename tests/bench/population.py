#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Population based training against random search at equal time, on Fashion-MNIST.

For each seed a population is trained, and then random search for as long. Prints the best validation accuracy of both
and the seconds, then medians and quartiles. Run by hand on an idle machine: population.py [--seeds 5] [--trials 8]
[--epochs 12] [--bin build/bin].
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
        "name": "population",
        "run": {
            "version": 1,
            "model": {"name": "mlp", "params": {"hidden": [128]}},
            "dataset": {"name": "fashion-mnist", "params": {"limit": args.limit}},
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--trials", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--limit", type=int, default=12000, help="images to train on")
    parser.add_argument("--bin", default="build/bin")
    args = parser.parse_args()
    together, alone = [], []
    for seed in range(1, args.seeds + 1):
        population = sweep_file(args, seed, trials=args.trials, scheduler={
            "name": "pbt", "interval": 2, "synchronous": True,
            "mutate": ["optimizer.lr", "optimizer.momentum"]})
        best, seconds, count = run(args, population)
        together.append(best)
        other, spent, tried = run(args, sweep_file(args, seed, budget={"seconds": seconds}))
        alone.append(other)
        print(f"seed {seed}: pbt {best:.4f} with {count} trials in {seconds:.0f} s, "
              f"random {other:.4f} with {tried} trials in {spent:.0f} s", flush=True)
    print("pbt:    " + spread(together))
    print("random: " + spread(alone))


if __name__ == "__main__":
    main()

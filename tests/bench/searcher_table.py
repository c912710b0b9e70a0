#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes fashion_mnist_table.csv: what each of 504 small trainings on Fashion-MNIST has reached.

sweep_bench and peers/optuna_regret.py search this table, as real trainings are searched, without training. One row is a
training of a multilayer perceptron on 2,000 images for three epochs, with its accuracy on the 10,000 test images at the
end. One that failed, since its loss was no finite number any more, counts as guessing. The rows are in the order of the
grid, the last column of levels changing fastest.

Run by hand, which takes a few minutes: searcher_table.py [--out FILE] [--limit IMAGES] [--epochs N] [--bin build/bin].
Other images, epochs or levels make another table, and figures of regret only compare on the same one.
"""
import argparse
import csv
import json
import os
import subprocess
import tempfile

LEVELS = {
    "optimizer.lr": [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3],
    "optimizer.momentum": [0, 0.5, 0.8, 0.95],
    "model.params.hidden": [[16], [64], [256]],
    "batch.global": [32, 128],
    "optimizer.weightDecay": [0, 0.01, 0.1],
}
GUESSING = 0.1


def sweep_file(args):
    return {
        "version": 1,
        "name": "table",
        "run": {
            "version": 1,
            "model": {"name": "mlp", "params": {"hidden": [64]}},
            "dataset": {"name": "fashion-mnist", "params": {"limit": args.limit, "validation": 0}},
            "optimizer": {"name": "sgd", "lr": 0.1, "momentum": 0.9},
            "batch": {"global": 64},
            "epochs": args.epochs,
            "seed": 1,
            "checkpoint": {"everyEpochs": 0},
            "scaling": {"workers": 1, "device": "cpu", "threadsPerWorker": 1},
        },
        "space": LEVELS,
        "searcher": "grid",
        "scoreBy": "val/accuracy",
        "mode": "max",
        "score": "last",
        "keep": {"best": 1},
        "failure": {"maxShare": 1},
    }


def train(args):
    """The trials of the grid, in their order."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sweep.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(sweep_file(args), file)
        done = subprocess.run([os.path.join(args.bin, "trainyardctl"), "sweep", path, "--json", "--workspace",
                               os.path.join(folder, "ws")], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.returncode)
    place = lambda trial: [levels.index(trial["params"][path]) for path, levels in LEVELS.items()]
    return sorted(json.loads(done.stdout)["trials"], key=place)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.join(os.path.dirname(__file__), "fashion_mnist_table.csv"))
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=2000, help="images to train on")
    parser.add_argument("--bin", default="build/bin")
    args = parser.parse_args()
    trials = train(args)
    with open(args.out, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(list(LEVELS) + ["val/accuracy"])
        for trial in trials:
            levels = [trial["params"][path] for path in LEVELS]
            score = trial["score"]["value"] if trial["score"] else GUESSING
            writer.writerow([level[0] if isinstance(level, list) else level for level in levels] + [f"{score:.4f}"])


if __name__ == "__main__":
    main()

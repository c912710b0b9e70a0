# SPDX-License-Identifier: GPL-3.0-or-later
"""Learns a line with plain Python, in the manner of the well-known MNIST example: groups, choices, switches, lists."""
import argparse
import json
import os
import random
import signal
import time


def get_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", default="generated", help="folder of the data")
    group = parser.add_argument_group("optimizer")
    group.add_argument("--lr", type=float, default=0.1, help="learning rate")
    group.add_argument("--optimizer", choices=["sgd", "momentum", "adam"], default="sgd", help="rule of the update")
    group.add_argument("--betas", type=float, nargs=2, default=[0.9, 0.999], help="decays of the moments")
    group.add_argument("--epochs", type=int, default=3)
    group = parser.add_argument_group("run")
    group.add_argument("--batch-size", type=int, default=64, help="samples of a step")
    group.add_argument("--amp", action="store_true", help="mixed precision")
    group.add_argument("--shuffle", action=argparse.BooleanOptionalAction, default=True, help="a new order each epoch")
    group.add_argument("--layers", nargs="+", default=[], help="names of the layers to train")
    group.add_argument("--seconds", type=float, default=0.0, help="how long a step takes at least")
    group.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    args = get_args()
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    random.seed(args.seed)
    out = os.environ.get("TRAINYARD_METRICS")
    step, weight = 0, 0.0
    for epoch in range(args.epochs):
        for _ in range(20):
            step += 1
            weight -= args.lr * (weight - 1 + random.uniform(-0.1, 0.1))
            point = {"step": step, "epoch": epoch + 1, "train/loss": (weight - 1) ** 2}
            if out:
                with open(out, "a") as file:
                    file.write(json.dumps(point) + "\n")
            time.sleep(args.seconds)
            if stopped:
                return
        print(f"epoch {epoch + 1} loss {(weight - 1) ** 2:.4f}", flush=True)


if __name__ == "__main__":
    main()

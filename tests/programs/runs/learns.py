# SPDX-License-Identifier: GPL-3.0-or-later
"""Learns one number by gradient descent; saves it every few steps and when it is told to end, and goes on from it."""
import argparse
import io
import json
import os
import pickle
import signal
import sys
import time
import zipfile

parser = argparse.ArgumentParser()
parser.add_argument("--output-dir", default=".")
parser.add_argument("--resume", default="")
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--steps", type=int, default=24)
parser.add_argument("--every", type=int, default=4, help="steps from one checkpoint to the next")
args = parser.parse_args()
os.makedirs(args.output_dir, exist_ok=True)

step, weight = 0, 0.0
if args.resume:
    with zipfile.ZipFile(args.resume) as file:
        state = pickle.loads(file.read("model/data.pkl"))
    step, weight = state["step"], state["weight"]
with open(os.path.join(args.output_dir, "begun.jsonl"), "a") as file:
    file.write(json.dumps({"step": step, "weight": weight, "lr": args.lr, "resume": args.resume}) + "\n")


def save():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("model/data.pkl", pickle.dumps({"step": step, "weight": weight}, 2))
        file.writestr("model/data/0", os.urandom(1000))
    with open(os.path.join(args.output_dir, f"model_{step}.pt"), "wb") as file:
        file.write(out.getvalue())


def end(number, frame):
    save()
    sys.exit(0)


signal.signal(signal.SIGTERM, end)
while step < args.steps:
    loss = (1 - weight) ** 2
    weight += 2 * args.lr * (1 - weight)
    step += 1
    with open(os.environ["TRAINYARD_METRICS"], "a") as file:
        file.write(json.dumps({"step": step, "train/loss": loss}) + "\n")
    if step % args.every == 0:
        save()
    time.sleep(0.02)

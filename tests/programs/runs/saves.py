# SPDX-License-Identifier: GPL-3.0-or-later
"""Saves a checkpoint every few steps, as torch.save writes one, and goes on from one with --resume."""
import argparse
import io
import json
import os
import pickle
import sys
import time
import zipfile

parser = argparse.ArgumentParser()
parser.add_argument("--output-dir", default=".")
parser.add_argument("--resume", default="", help="a checkpoint to go on from")
parser.add_argument("--steps", type=int, default=12)
parser.add_argument("--every", type=int, default=4, help="steps from one checkpoint to the next")
parser.add_argument("--pause", type=float, default=0.05, help="seconds between two steps")
parser.add_argument("--fail-at", type=int, default=0, help="the step at which it fails, if it did not resume")
parser.add_argument("--nan-at", type=int, default=0, help="the step from which the loss is NaN, if it did not resume")
parser.add_argument("--worse-from", type=int, default=0, help="the step from which the loss grows")
parser.add_argument("--bad", default="", help="the name of a checkpoint that it cannot go on from")
args = parser.parse_args()
os.makedirs(args.output_dir, exist_ok=True)

with open(os.path.join(args.output_dir, "begun.txt"), "a") as file:
    file.write(f"{os.path.basename(args.resume)} {os.path.basename(os.environ['TRAINYARD_CHECKPOINT'])}\n")


def save(path, step):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("model/data.pkl", pickle.dumps({"step": step}, 2))
        file.writestr("model/data/0", os.urandom(20_000))
    with open(path, "wb") as file:
        file.write(out.getvalue())


step = 0
if args.resume:
    if os.path.basename(args.resume) == args.bad:
        raise ValueError("a part of the checkpoint is missing")
    with zipfile.ZipFile(args.resume) as file:
        step = pickle.loads(file.read("model/data.pkl"))["step"]
while step < args.steps:
    step += 1
    if step == args.fail_at and not args.resume:
        sys.exit(7)
    loss = 1 / step
    if args.worse_from and step >= args.worse_from:
        loss = step
    if args.nan_at and step >= args.nan_at and not args.resume:
        loss = float("nan")
    with open(os.environ["TRAINYARD_METRICS"], "a") as file:
        file.write(json.dumps({"step": step, "train/loss": loss}) + "\n")
    if step % args.every == 0:
        save(os.path.join(args.output_dir, f"model_{step}.pt"), step)
    time.sleep(args.pause)

# SPDX-License-Identifier: GPL-3.0-or-later
"""A script that logs to W&B as it always did: Trainyard follows the file that W&B writes, online or offline.

    python3 -m pip install wandb
    WANDB_MODE=offline trainyardctl run examples/programs/logs_wandb.py --lr 0.2
"""
import argparse
import time

import wandb

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1, help="learning rate")
parser.add_argument("--steps", type=int, default=100)
args = parser.parse_args()

wandb.init(project="descent", config=vars(args))
weight = 0.0
for step in range(args.steps):
    weight += args.lr * (1 - weight)
    wandb.log({"loss": (1 - weight) ** 2, "weight": weight}, step=step)
    time.sleep(0.02)
wandb.finish()

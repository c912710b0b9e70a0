# SPDX-License-Identifier: GPL-3.0-or-later
"""Logs as W&B does offline: a .wandb file that grows, in wandb/offline-run-…; the library itself is not needed."""
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "unit", "python"))
from write_foreign_runs import WandbLog, history, item, message, whole  # noqa: E402

folder = os.path.join("wandb", "offline-run-20260101_000000-k1nd5")
os.makedirs(folder)
log = WandbLog()
with open(os.path.join(folder, "run-k1nd5.wandb"), "wb", buffering=0) as file:
    written = 0

    def flush():
        global written
        file.write(log.bytes[written:])
        written = len(log.bytes)

    log.record(whole(1, 1) + message(17, message(1, "k1nd5") + message(4, item("lr", 0.125))))
    flush()
    for step in range(20):
        row = {"loss": 1 / (step + 1), "acc": step / 20, "_step": step, "_timestamp": time.time()}
        log.record(history(step, {key: json.dumps(value) for key, value in row.items()}))
        print(f"Epoch 1: step {step}, running loss {2 / (step + 1):.4f}", flush=True)
        flush()
        time.sleep(0.05)

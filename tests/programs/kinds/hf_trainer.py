# SPDX-License-Identifier: GPL-3.0-or-later
"""Saves as Hugging Face's trainer does: a folder for each checkpoint, file by file, trainer_state.json last."""
import json
import os
import pickle
import struct
import sys
import time
import zipfile

output = sys.argv[1] if len(sys.argv) > 1 else "output"
history = []


def archive(path, values):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("archive/data.pkl", pickle.dumps(values, 2))
        file.writestr("archive/version", "3\n")


def safetensors(path):
    header = json.dumps({"weight": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.flush()
        time.sleep(0.1)  # half of it is there
        file.write(struct.pack("<2f", 1, 2))


def save(step):
    folder = os.path.join(output, f"checkpoint-{step}")
    os.makedirs(folder)
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump({"model_type": "tiny"}, file)
    safetensors(os.path.join(folder, "model.safetensors"))
    archive(os.path.join(folder, "optimizer.pt"), {"state": {}, "param_groups": []})
    archive(os.path.join(folder, "scheduler.pt"), {"last_epoch": step})
    time.sleep(0.1)
    with open(os.path.join(folder, "trainer_state.json"), "w") as file:
        json.dump({"global_step": step, "epoch": step / 10, "log_history": history}, file, indent=2)


for step in range(1, 21):
    if step % 5 == 0:
        history.append({"loss": 1 / step, "learning_rate": 0.001, "epoch": step / 10, "step": step})
        print({"loss": 1 / step, "learning_rate": 0.001, "epoch": step / 10}, flush=True)
    if step % 10 == 0:
        save(step)
    time.sleep(0.02)

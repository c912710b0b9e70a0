# SPDX-License-Identifier: GPL-3.0-or-later
"""Saves a checkpoint slowly, in one of the ways in which programs do.

    save_slowly.py HOW FOLDER

Prints "whole PATH" once the checkpoint is whole, and waits for a line.
"""
import io
import json
import os
import struct
import sys
import time
import zipfile

how, folder = sys.argv[1], sys.argv[2]


def archive():
    """What torch.save writes, as far as it counts here."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("m/data.pkl", b"\x80\x02}q\x00X\x04\x00\x00\x00stepq\x01K\x07s.")
        file.writestr("m/data/0", os.urandom(200_000))
    return out.getvalue()


def safetensors():
    header = json.dumps({"w": {"dtype": "U8", "shape": [200_000], "data_offsets": [0, 200_000]}}).encode()
    return struct.pack("<Q", len(header)) + header + os.urandom(200_000)


def slowly(path, content, seconds=2.5, pieces=10, close=False):
    """In pieces; `close`: the file is opened again for each."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    file = open(path, "wb")
    for piece in range(pieces):
        file.write(content[len(content) * piece // pieces : len(content) * (piece + 1) // pieces])
        file.flush()
        if close:
            file.close()
            file = open(path, "ab")
        time.sleep(seconds / pieces)
    file.close()


def huggingface(path):
    """The files of a folder one after the other, the last one of which says that it is whole."""
    for shard in (1, 2):
        slowly(f"{path}/model-0000{shard}-of-00002.safetensors", safetensors(), 0.8)
        time.sleep(1.3)
    names = {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
    with open(f"{path}/model.safetensors.index.json", "w") as file:
        json.dump({"weight_map": names}, file)
    time.sleep(1.3)
    slowly(f"{path}/optimizer.pt", archive(), 0.8)
    time.sleep(1.3)
    with open(f"{path}/trainer_state.json", "w") as file:
        json.dump({"global_step": 20, "epoch": 0.5}, file)


def megatron(path):
    slowly(f"{path}/mp_rank_00/model_optim_rng.pt", archive(), 1)
    time.sleep(1.5)
    slowly(f"{path}/mp_rank_01/model_optim_rng.pt", archive(), 1)
    with open(f"{folder}/latest_checkpointed_iteration.txt", "w") as file:
        file.write("20")


paths = {"archive": "last.ckpt", "closing": "model_0000020.pth", "safetensors": "step_20.safetensors",
         "renamed": "best.pt", "paused": "paused.pt", "held": "epoch_1.pt", "huggingface": "checkpoint-20",
         "megatron": "iter_0000020"}
path = os.path.join(folder, paths[how])
held = None
if how == "archive":
    slowly(path, archive())
elif how == "closing":
    slowly(path, archive(), close=True)
elif how == "safetensors":
    slowly(path, safetensors())
elif how == "renamed":
    slowly(path + ".tmp", archive())
    os.rename(path + ".tmp", path)
elif how == "paused":
    content = archive()
    slowly(path, content[:-20], 0.5)
    time.sleep(2.5)
    with open(path, "ab") as file:
        file.write(content[-20:])
elif how == "held":  # its structure is whole, but it is not closed
    held = open(path, "wb")
    held.write(archive())
    held.flush()
    time.sleep(3)
    held.close()
elif how == "huggingface":
    huggingface(path)
elif how == "megatron":
    megatron(path)
print("whole", path, flush=True)
sys.stdin.readline()

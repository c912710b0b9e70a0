# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes checkpoints as programs write them, and prints as JSON what is in each.

    make_checkpoints.py FOLDER

Prints {file: {tensor: [dtype, shape, sum of its values]}}.
"""
import argparse
import collections
import json
import os
import sys

import numpy
import torch

folder = sys.argv[1]
names = {torch.float32: "F32", torch.float64: "F64", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64",
         torch.int32: "I32", torch.int16: "I16", torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL"}


def tensors(value, path=""):
    """Those in nested dictionaries, lists and modules, by their path."""
    if isinstance(value, torch.nn.Module):
        value = value.state_dict()
    if isinstance(value, torch.Tensor):
        yield path, value.detach()
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from tensors(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for key, each in enumerate(value):
            yield from tensors(each, f"{path}.{key}" if path else str(key))


def facts(value):
    return {path: [names[each.dtype], list(each.shape), float(each.double().sum())] for path, each in tensors(value)}


class Opens:
    """An object that runs a program when it is read."""

    def __reduce__(self):
        return os.system, ("touch " + os.path.join(folder, "RAN"),)


torch.manual_seed(5)
model = torch.nn.Sequential(torch.nn.Linear(8, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 2))
optimizer = torch.optim.AdamW([{"params": model[0].parameters(), "lr": 0.002}, {"params": model[2].parameters()}], lr=0.001)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
model(torch.randn(3, 8)).sum().backward()
optimizer.step()
base = torch.arange(24, dtype=torch.float32).reshape(4, 6)
training = {"epoch": 3, "global_step": 1000, "state_dict": model.state_dict(), "optimizer_states": [optimizer.state_dict()],
            "lr_schedulers": [scheduler.state_dict()], "best_acc1": numpy.float64(0.75), "loss": 0.125}
types = {str(dtype): torch.ones(3, 2).to(dtype) for dtype in names}
views = {"base": base, "row": base[2], "column": base[:, 1], "transposed": base.t(), "empty": torch.zeros(0, 3),
         "scalar": torch.tensor(2.5), "parameter": torch.nn.Parameter(torch.ones(2)),
         "nested": [({"deep": torch.full((2, 2), 7.0)},)]}
saved = {"training.ckpt": training, "types.pt": types, "views.pth": views, "module.pt": model,
         "ordered.pt": collections.OrderedDict(a=torch.ones(1))}
for protocol in (2, 3, 4, 5):
    saved[f"protocol{protocol}.pt"] = {"step": 7, "w": torch.ones(2)}
for name, value in saved.items():
    protocol = int(name[8]) if name.startswith("protocol") else 2
    torch.save(value, os.path.join(folder, name), pickle_protocol=protocol)
torch.save({"w": torch.ones(2), "x": Opens()}, os.path.join(folder, "runs.pt"))
torch.save({"w": torch.ones(2), "args": argparse.Namespace(lr=0.1)}, os.path.join(folder, "arguments.pt"))
torch.save({"w": torch.ones(2)}, os.path.join(folder, "legacy.pt"), _use_new_zipfile_serialization=False)
torch.jit.script(model).save(os.path.join(folder, "script.pt"))
numpy.savez(os.path.join(folder, "arrays.npz"), a=numpy.zeros(3))
large = {f"layer{i}.weight": torch.zeros(1000, 100) for i in range(480)}
torch.save({"iteration": 20, "model": large}, os.path.join(folder, "large.pt"))
print(json.dumps({name: facts(value) for name, value in saved.items()}))

# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference for a training curve: Python's DistributedDataParallel (or one process) on the same start and order.

    RANK=r WORLD_SIZE=w ddp_curve.py FOLDER STEPS LR MOMENTUM

FOLDER holds what dump_run wrote: x.f32 (normalised inputs, flat), y.i64, order.i64 (samples in the order of training,
in each step rank by rank), counts.i64 (how many each rank takes in a step) and w0.f32, b0.f32, w1.f32, ... of a multilayer perceptron with the widths in widths.i64. Rank 0 prints one loss a step.
"""
import os
import sys

import numpy as np
import torch
import torch.distributed as dist

folder, steps = sys.argv[1], int(sys.argv[2])
lr, momentum = float(sys.argv[3]), float(sys.argv[4])
rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
torch.set_num_threads(1)


def read(name, kind):
    return torch.from_numpy(np.fromfile(os.path.join(folder, name), kind))


widths = read("widths.i64", np.int64).tolist()
y, order = read("y.i64", np.int64), read("order.i64", np.int64)
counts = read("counts.i64", np.int64).tolist()
x = read("x.f32", np.float32).reshape(len(y), widths[0])
layers = []
for i, (inputs, outputs) in enumerate(zip(widths, widths[1:])):
    layer = torch.nn.Linear(inputs, outputs)
    layer.weight.data = read(f"w{i}.f32", np.float32).reshape(outputs, inputs)
    layer.bias.data = read(f"b{i}.f32", np.float32)
    layers += [layer, torch.nn.ReLU()]
model = torch.nn.Sequential(*layers[:-1])
if world > 1:
    dist.init_process_group("gloo", init_method="file://" + os.path.join(folder, "meet"), rank=rank, world_size=world)
    model = torch.nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum)
loss_of = torch.nn.CrossEntropyLoss()
# DistributedDataParallel begins with provisional buckets and plans them by the order in which the gradients of the
# first backward pass come. Three ranks and more add up in an order that follows from the buckets: one pass without an
# update before the first step, and the plan is the one that stays.
loss_of(model(x[:counts[0]]), y[:counts[0]]).backward()
for step in range(steps):
    begin = sum(counts[:step]) * world + rank * counts[step]
    which = order[begin:begin + counts[step]]
    loss = loss_of(model(x[which]), y[which])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    mean = loss.detach().double()
    if world > 1:
        dist.all_reduce(mean)
    if rank == 0:
        print(repr(mean.item() / world))

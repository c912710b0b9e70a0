# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference for a training curve: Python's DistributedDataParallel (or one process) on the same start and order.

    ddp_curve.py < lines "RANKS STEPS LR MOMENTUM FOLDER"

FOLDER holds what dump_run wrote: x.f32 (normalised inputs, flat), y.i64, order.i64 (samples in the order of training,
in each step rank by rank), counts.i64 (how many each rank takes in a step) and w0.f32, b0.f32, w1.f32, ... of a
multilayer perceptron with the widths in widths.i64. The ranks are forked, so that PyTorch is imported once. Each line
is answered by one: the losses of the steps, or "failed". The first line, "ready", comes by itself.
"""
import os
import sys
import traceback

import numpy as np
import torch
import torch.distributed as dist


def train(rank, world, steps, lr, momentum, folder):
    """The losses of all steps, the mean over the ranks."""

    def read(name, kind):
        return torch.from_numpy(np.fromfile(os.path.join(folder, name), kind))

    torch.set_num_threads(1)
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
        meet = "file://" + os.path.join(folder, "meet")
        dist.init_process_group("gloo", init_method=meet, rank=rank, world_size=world)
        model = torch.nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum)
    loss_of = torch.nn.CrossEntropyLoss()
    # DistributedDataParallel begins with provisional buckets and plans them by the order in which the gradients of the
    # first backward pass come. Three ranks and more add up in an order that follows from the buckets: one pass without
    # an update before the first step, and the plan is the one that stays.
    loss_of(model(x[:counts[0]]), y[:counts[0]]).backward()
    losses = []
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
        losses.append(mean.item() / world)
    return losses


def fork(work):
    """The child's pid; the child does the work and ends."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return child


def answer(line):
    world, steps, lr, momentum, folder = line.rstrip("\n").split(" ", 4)
    curve = os.path.join(folder, "curve.txt")

    def work(rank):
        losses = train(rank, int(world), int(steps), float(lr), float(momentum), folder)
        if rank == 0:
            with open(curve, "w") as file:
                file.write(" ".join(map(repr, losses)))

    ranks = [fork(lambda rank=rank: work(rank)) for rank in range(int(world))]
    codes = [os.waitpid(child, 0)[1] for child in ranks]
    if any(codes):
        return "failed"
    with open(curve) as file:
        return file.read()


print("ready", flush=True)
for line in sys.stdin:
    print(answer(line), flush=True)

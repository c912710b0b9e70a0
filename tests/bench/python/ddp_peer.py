# SPDX-License-Identifier: GPL-3.0-or-later
"""The peer of ddp_bench: plain Python DDP on the same PyTorch, tuned as far as a script goes.

    RANK=r WORLD_SIZE=w ddp_peer.py MEETING_FILE FOLDER STEPS

The data set lies in memory as one normalised tensor (no DataLoader), gradients are views of the buckets, one thread a
rank. Trains the 784-512-512-10 perceptron with SGD 1e-3 and 64 samples a step over all ranks. Rank 0 prints the samples
per second of all ranks, without the first step.
"""
import gzip
import os
import sys
import time

import numpy as np
import torch
import torch.distributed as dist

meeting, folder, steps = sys.argv[1], sys.argv[2], int(sys.argv[3])
rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
torch.set_num_threads(1)
torch.manual_seed(0)


def idx(name, offset):
    return torch.from_numpy(np.frombuffer(gzip.open(os.path.join(folder, name)).read(), np.uint8, offset=offset).copy())


x = idx("train-images-idx3-ubyte.gz", 16).reshape(-1, 784).float().div_(255).sub_(0.28604).div_(0.32025)
y = idx("train-labels-idx1-ubyte.gz", 8).long()
dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank, world_size=world)
nn = torch.nn
model = nn.parallel.DistributedDataParallel(
    nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10)),
    gradient_as_bucket_view=True)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
loss_of = nn.CrossEntropyLoss()
batch = 64 // world
order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))[rank::world]
begun = 0.0
for step in range(steps):
    which = order[step * batch % (len(order) - batch):][:batch]
    loss = loss_of(model(x[which]), y[which])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step == 0:
        begun = time.perf_counter()
if rank == 0:
    print((steps - 1) * batch * world / (time.perf_counter() - begun))

# SPDX-License-Identifier: GPL-3.0-or-later
"""DistributedDataParallel over Gloo: a small network on points of a plane, the same on every start."""
import argparse
import json
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--steps", type=int, default=30)
parser.add_argument("--losses", required=True, help="file for the losses of rank 0, as hexadecimal numbers")
parser.add_argument("--data-workers", type=int, default=0)
args = parser.parse_args()
torch.set_num_threads(1)
dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(1)
model = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(2, 32), torch.nn.Tanh(), torch.nn.Linear(32, 2)))
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
draw = torch.Generator().manual_seed(100 + rank)
batches = [torch.randn(64, 2, generator=draw) for _ in range(args.steps)]
losses = []
# Python 3.14 would start this script again for each of them.
context = "fork" if args.data_workers else None
loader = torch.utils.data.DataLoader(batches, None, num_workers=args.data_workers, multiprocessing_context=context)
for step, points in enumerate(loader, 1):
    loss = torch.nn.functional.cross_entropy(model(points), (points[:, 0] * points[:, 1] > 0).long())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    if rank == 0:
        print(f"step {step}: loss {loss.item():.4f}", flush=True)
        if "TRAINYARD_METRICS" in os.environ:
            with open(os.environ["TRAINYARD_METRICS"], "a") as file:
                file.write(json.dumps({"step": step, "train/loss": loss.item()}) + "\n")
if rank == 0:
    with open(args.losses, "w") as file:
        file.write("\n".join(value.hex() for value in losses))
dist.destroy_process_group()

# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch DistributedDataParallel in the usual manner: argparse, --resume, and a checkpoint when it is stopped.

    trainyardctl run --workers 2 examples/programs/ddp.py --epochs 5
    torchrun --nproc_per_node 2 examples/programs/ddp.py --epochs 5        # does the same
"""
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

try:
    import trainyard  # is there inside a run
except ImportError:
    trainyard = None


def spirals(points, seed):
    """Two spirals, to be told apart."""
    draw = torch.Generator().manual_seed(seed)
    turn = torch.rand(points, generator=draw) * 9
    label = torch.randint(0, 2, (points,), generator=draw)
    angle = turn + label * torch.pi
    place = torch.stack([turn * angle.cos(), turn * angle.sin()], 1) / 9
    return place + 0.02 * torch.randn(points, 2, generator=draw), label


def save(path, model, optimizer, epoch):
    part = path + ".part"
    torch.save({"epoch": epoch, "model": model.module.state_dict(), "optimizer": optimizer.state_dict()}, part)
    os.replace(part, path)  # the old one is whole until the new one is


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch-size", type=int, default=64, help="of each rank")
    parser.add_argument("--lr", type=float, default=0.01, help="learning rate")
    parser.add_argument("--width", type=int, default=64, help="of the hidden layers")
    parser.add_argument("--optimizer", choices=["adam", "sgd"], default="adam")
    parser.add_argument("--out", default=".", metavar="FOLDER", help="where checkpoints go")
    parser.add_argument("--resume", default="", metavar="FILE", help="a checkpoint to go on from")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    rank, ranks = dist.get_rank(), dist.get_world_size()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if torch.cuda.is_available() else torch.device("cpu")
    torch.manual_seed(args.seed)
    place, label = (each.to(device) for each in spirals(4096, args.seed))
    held, held_label = (each.to(device) for each in spirals(1024, args.seed + 1))
    model = DistributedDataParallel(nn.Sequential(nn.Linear(2, args.width), nn.Tanh(),
                                                  nn.Linear(args.width, args.width), nn.Tanh(),
                                                  nn.Linear(args.width, 2)).to(device))
    kind = torch.optim.Adam if args.optimizer == "adam" else torch.optim.SGD
    optimizer = kind(model.parameters(), lr=args.lr)
    begin = 0
    if args.resume:
        state = torch.load(args.resume, map_location=device)
        model.module.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        begin = state["epoch"]
        if rank == 0:
            print(f"goes on after epoch {begin} of {args.resume}", flush=True)
    os.makedirs(args.out, exist_ok=True)
    path = os.path.join(args.out, "last.pt")

    steps = len(place) // (args.batch_size * ranks)
    for epoch in range(begin, args.epochs):
        order = torch.randperm(len(place), generator=torch.Generator().manual_seed(args.seed + epoch)).to(device)
        mine, total = order[rank::ranks], 0.0
        for step in range(steps):
            batch = mine[step * args.batch_size:(step + 1) * args.batch_size]
            loss = nn.functional.cross_entropy(model(place[batch]), label[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            if trainyard:
                trainyard.report({"train/loss": loss}, step=epoch * steps + step + 1, epoch=epoch + (step + 1) / steps)
            if trainyard and trainyard.should_stop():  # all ranks are told after the same step
                if rank == 0:
                    save(path, model, optimizer, epoch)
                    trainyard.report({}, step=epoch * steps + step + 1, checkpoint=path)
                return
        with torch.no_grad():
            accuracy = (model.module(held).argmax(1) == held_label).float().mean().item()
        if rank == 0:
            print(f"epoch {epoch + 1}/{args.epochs} loss {total / steps:.4f} val accuracy {accuracy:.4f}", flush=True)
            save(path, model, optimizer, epoch + 1)
            if trainyard:
                trainyard.report({"val/accuracy": accuracy}, step=(epoch + 1) * steps, epoch=epoch + 1,
                                 checkpoint=path)


if __name__ == "__main__":
    main()
    dist.destroy_process_group()

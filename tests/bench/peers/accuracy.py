# SPDX-License-Identifier: GPL-3.0-or-later
"""A ConvNet for Fashion-MNIST, trained as such scripts usually are until it names so many of the test images rightly.

    accuracy.py script=FILE                                     writes the ConvNet as TorchScript, for Trainyard
    RANK=r WORLD_SIZE=w accuracy.py meet=FILE [target=0.92] [most=30] [data=FOLDER] [batch=64]

Torchvision's transforms of each sample, DataLoader, DistributedSampler, plain DDP, Adam with its usual rate, a test
after each epoch. Rank 0 prints one line of JSON at the end: epochs, accuracy, reached.
"""
import gzip
import json
import os
import sys

import torch
import torch.distributed as dist

nn = torch.nn
args = dict(argument.split("=", 1) for argument in sys.argv[1:])


def make_model():
    return nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Flatten(), nn.Linear(64 * 7 * 7, 128), nn.ReLU(), nn.Linear(128, 10))


class Images(torch.utils.data.Dataset):
    """One sample at a time, as torchvision's FashionMNIST gives them."""

    def __init__(self, folder, part, train):
        from torchvision.transforms import Compose, Normalize, RandomHorizontalFlip, ToTensor
        self.images, self.labels = (self.idx(os.path.join(folder, f"{part}-{name}.gz"), offset) for name, offset in
                                    (("images-idx3-ubyte", 16), ("labels-idx1-ubyte", 8)))
        self.images = self.images.reshape(-1, 28, 28).numpy()
        steps = [ToTensor(), Normalize((0.28604,), (0.32025,))]
        self.transform = Compose(([RandomHorizontalFlip()] if train else []) + steps)

    @staticmethod
    def idx(path, offset):
        with gzip.open(path) as file:
            return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8, offset=offset)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        from PIL import Image
        return self.transform(Image.fromarray(self.images[index], mode="L")), int(self.labels[index])


def accuracy(model, loader):
    counts = torch.zeros(2)
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            counts += torch.tensor([(model(x).argmax(1) == y).sum(), len(y)])
    model.train()
    dist.all_reduce(counts)
    return (counts[0] / counts[1]).item()


def main():
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    batch, folder = int(args.get("batch", 64)), args.get("data", "/usr/share/datasets/fashion-mnist")
    torch.manual_seed(0)
    train, test = Images(folder, "train", True), Images(folder, "t10k", False)
    sampler = torch.utils.data.distributed.DistributedSampler(train, world, rank)
    loader = torch.utils.data.DataLoader(train, batch_size=batch, sampler=sampler)
    tests = torch.utils.data.DataLoader(torch.utils.data.Subset(test, range(rank, len(test), world)), batch_size=500)
    dist.init_process_group("gloo", init_method="file://" + args["meet"], rank=rank, world_size=world)
    inner = make_model()
    model = nn.parallel.DistributedDataParallel(inner)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    loss_of = nn.CrossEntropyLoss()
    target, reached = float(args.get("target", 0.92)), 0.0
    for epoch in range(int(args.get("most", 30))):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss_of(model(x), y).backward()
            optimizer.step()
        reached = accuracy(inner, tests)
        if rank == 0 and "say" in args:
            print(epoch + 1, reached, file=sys.stderr, flush=True)
        if reached >= target:
            break
    if rank == 0:
        print(json.dumps({"epochs": epoch + 1, "accuracy": reached, "reached": reached >= target}), flush=True)
    dist.barrier()


if "script" in args:
    torch.jit.script(make_model()).save(args["script"])
else:
    main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Torchvision's usual loader over a folder of images, once.

    loader.py folder=FOLDER [most=N]

ImageFolder, RandomResizedCrop(224), a flip, ToTensor, Normalize; DataLoader with two workers, batches of 64. With
most=0 nothing is read: what starting costs. Exit code 77: torchvision is not installed.
"""
import sys

try:
    import torch
    from torchvision import datasets, transforms
except ImportError:
    sys.exit(77)

args = dict(argument.split("=", 1) for argument in sys.argv[1:])
torch.set_num_threads(1)
images = datasets.ImageFolder(args["folder"], transforms.Compose([
    transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip(), transforms.ToTensor(),
    transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])]))
most = int(args.get("most", -1))
if most >= 0:
    images = torch.utils.data.Subset(images, range(most))
seen = 0
if len(images) > 0:
    for batch, _ in torch.utils.data.DataLoader(images, batch_size=64, shuffle=True, num_workers=2):
        seen += len(batch)
assert seen == len(images)

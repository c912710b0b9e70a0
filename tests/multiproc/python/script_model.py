# SPDX-License-Identifier: GPL-3.0-or-later
"""A model's way from Python to a run and back.

make FILE: saves a scripted network for grey images with ten classes: torchvision's ResNet-18, or a small one of our own
where there is no torchvision; prints which.
trace FILE: saves the small one as torch.jit.trace makes it, and prints "small".
compare FILE EXPORT STATE_DICT KIND: the export gives what the network of FILE gives with the weights of STATE_DICT, for
several sizes of batch, and other weights than FILE; prints "equal". KIND is what was printed when FILE was made.
"""
import sys

import torch
from torch import nn

try:
    import torchvision
except ImportError:
    torchvision = None


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, stride=2)
        self.norm = nn.BatchNorm2d(8)
        self.fc = nn.Linear(8, 10)

    def forward(self, x):
        x = torch.relu(self.norm(self.conv(x)))
        return self.fc(x.mean([2, 3]))


def network(kind):
    torch.manual_seed(0)
    if kind == "small":
        return Small()
    model = torchvision.models.resnet18(num_classes=10)
    model.conv1 = nn.Conv2d(1, 64, 7, stride=2, padding=3, bias=False)
    return model


def make(path):
    kind = "small" if torchvision is None else "torchvision"
    torch.jit.script(network(kind)).save(path)
    print(kind)


def trace(path):
    torch.jit.trace(network("small").eval(), torch.randn(2, 1, 28, 28)).save(path)
    print("small")


def compare(path, exported, state_dict, kind):
    model, before = network(kind), torch.jit.load(path)
    weights = torch.load(state_dict)
    model.load_state_dict(weights)
    model.eval()
    again = torch.jit.load(exported)
    again.eval()
    moved = any(not torch.equal(weights[name], tensor) for name, tensor in before.named_parameters())
    assert moved, "the weights are those from before the training"
    with torch.no_grad():
        for batch in (1, 4, 7):
            x = torch.randn(batch, 1, 28, 28)
            assert torch.allclose(model(x), again(x), atol=1e-5), "outputs differ"
    print("equal")


{"make": make, "trace": trace, "compare": compare}[sys.argv[1]](*sys.argv[2:])

# SPDX-License-Identifier: GPL-3.0-or-later
"""read_state_dict.py DICT MODEL PROBE: loads DICT into the same network written in Python, strictly, and compares what
it makes of PROBE["input"] with PROBE["logits"]; prints "name dtype shape sha256" for each tensor."""
import hashlib
import sys
import torch
from torch import nn


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 3, kernel_size=3)
        self.fc = nn.Linear(192, 10)

    def forward(self, x):
        x = nn.functional.relu(nn.functional.max_pool2d(self.conv1(x), 3))
        return self.fc(x.view(-1, 192))


class Block(nn.Module):
    def __init__(self, inside, outside, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outside)
        self.conv2 = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outside)
        self.downsample = None
        if stride != 1 or inside != outside:
            self.downsample = nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False),
                                            nn.BatchNorm2d(outside))

    def forward(self, x):
        y = self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x)))))
        return torch.relu(y + (x if self.downsample is None else self.downsample(x)))


class ResNet18(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        width = 64
        for stage in range(4):
            out = 64 * 2 ** stage
            setattr(self, f"layer{stage + 1}",
                    nn.Sequential(Block(width, out, 2 if stage else 1), Block(out, out, 1)))
            width = out
        self.fc = nn.Linear(512, 10)

    def forward(self, x):
        x = nn.functional.max_pool2d(torch.relu(self.bn1(self.conv1(x))), 3, 2, 1)
        for stage in range(4):
            x = getattr(self, f"layer{stage + 1}")(x)
        return self.fc(nn.functional.adaptive_avg_pool2d(x, 1).flatten(1))


state = torch.load(sys.argv[1], weights_only=True)  # the default from PyTorch 2.6 on
probe = torch.load(sys.argv[3], weights_only=False)
model = {"convnet": ConvNet, "resnet18": ResNet18}[sys.argv[2]]()
model.load_state_dict(state, strict=True)
model.eval()
with torch.no_grad():
    difference = (model(probe["input"]) - probe["logits"]).abs().max().item()
if not difference < 1e-4:
    sys.exit(f"logits differ by {difference}")
for name, tensor in sorted(state.items()):
    array = tensor.numpy()
    shape = "x".join(map(str, array.shape))
    print(name, array.dtype, shape or "scalar", hashlib.sha256(array.tobytes()).hexdigest())
